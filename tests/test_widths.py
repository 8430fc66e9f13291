"""Whatever people are told of the kept games is ASCII, in lines of at most 72 columns; what they are to send, of 66.

Reports and drafts are made for every turn of every game; all that the commands print, for some turns of each. Random
games, long names and letters outside ASCII have `test_report`; all presets of the rules `test_rulebook`.
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.transcripts import referee

from referee.documents.gamefile import GameFile
from referee.documents.layout import table_text
from referee.documents.record import replayed
from referee.documents.verify import Entry, verify_row
from referee.game.absence import who_must_miss
from referee.views.draft import draft
from referee.views.language import LANGUAGES
from referee.views.report import report
from referee.views.show import shown
from referee.views.standing_draft import standing_draft
from referee.views.text import WIDTH
from referee.views.voice import voice_of

GAMES = Path(__file__).parent / "games"
FOLDERS = sorted(path for path in GAMES.iterdir() if path.is_dir())
RECORDS = sorted(GAMES.glob("*.toml"))
MAIL = 66
"""What is longer some mail programs break (DESIGN 3)."""


@cache
def files_of(path: Path) -> list[GameFile]:
    """Return the game files of a kept game."""
    if path.is_file():
        return [checked.file for checked in replayed(path.read_bytes(), path.name)]
    rows = [Entry(one.name, int(one.stem[-4:])) for one in sorted(path.glob(f"{path.name}-[0-9]*.toml"))]
    return [checked.file for checked in verify_row(rows, lambda file: (path / file).read_bytes())]


def unfit(lines: list[str], most: int = WIDTH) -> list[str]:
    """Return the lines that are too long, hold anything but printable ASCII, or end with a blank."""
    return [
        line for line in lines if len(line) > most or not (line.isascii() and line.isprintable()) or line[-1:] == " "
    ]


@pytest.mark.parametrize("path", [*RECORDS, *FOLDERS], ids=lambda path: path.stem)
def test_every_report_board_and_draft_of_a_kept_game_fits(path: Path) -> None:
    before: GameFile | None = None
    for file in files_of(path):
        state = file.game.state
        for language in LANGUAGES:
            text = report(file, before, file.game.events, language)
            assert unfit(text.split("\n")) == []
            assert unfit(shown(file, voice_of(file.game, language))) == []
        for player in state.acting:
            if player not in who_must_miss(state):
                for fill in (False, True):
                    assert unfit(draft(file, player, fill=fill).split("\n"), MAIL) == []
        for player in state.playing():
            assert unfit(standing_draft(file, player).split("\n"), MAIL) == []
        before = file
    assert before is not None
    assert before.game.state.phase == "over"


def written(files: list[GameFile]) -> Iterator[tuple[str, list[str]]]:
    """Write the start, a turn in the middle and the end of a game; yield each file with documents that answer it."""
    for number in (0, 1, len(files) // 2, len(files) - 2, len(files) - 1):
        file = files[number]
        Path(file.file).write_bytes(file.text.encode())
        answers = []
        for place, tree in enumerate(files[number + 1].game.evidence.documents if number + 1 < len(files) else ()):
            answers.append(f"answer-{number}-{place}.toml")
            Path(answers[-1]).write_bytes(table_text(dict(tree)).encode())
        yield file.file, answers


@pytest.mark.parametrize("path", [*RECORDS, *FOLDERS], ids=lambda path: path.stem)
def test_all_that_the_commands_print_of_a_kept_game_fits(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = []
    for name, answers in list(written(files_of(path))):
        commands += [["show", name], ["rules", name], *(["check", name, answer] for answer in answers)]
    whole = str(path) if path.is_file() else "."
    for file in files_of(path) if path.is_dir() else ():
        Path(file.file).write_bytes(file.text.encode())
    commands += [["luck", whole], ["status", "."], ["verify", whole]]
    spoken = ("show", "rules", "verify")
    for words in commands:
        for language in LANGUAGES if words[0] in spoken else ("",):
            outcome = referee([*words, *(["--lang", language] if language else [])])
            said = (outcome.out + outcome.err).replace(str(path), path.name)
            assert outcome.code == 0, outcome
            assert said
            assert unfit(said.split("\n")) == [], words


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_every_hand_and_the_invitation_of_a_kept_game_fit(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
        (tmp_path / path.name).chmod(0o600)
    monkeypatch.chdir(tmp_path)
    name = folder.name
    keys = [one for one in sorted(os.listdir()) if one.endswith(".key")]
    players = [one.removesuffix(".key") for one in keys]
    for language in LANGUAGES:
        said = referee(["show", f"{name}-invitation.toml", "--lang", language]).out
        said += referee(["rules", f"{name}-invitation.toml", "--lang", language]).out
        for player in (one for one in players if one in files_of(folder)[0].game.state.players):
            for file in files_of(folder)[:: 1 if language == "en" else 5]:
                outcome = referee(["hand", file.file, "--key", f"{player}.key", "--lang", language])
                if file.game.state.players[player].status == "playing":  # type: ignore[index]
                    assert outcome.code == 0, outcome
                said += outcome.out + outcome.err
        assert said.count("\n") > 100
        assert unfit(said.split("\n")) == []
