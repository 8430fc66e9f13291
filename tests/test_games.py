"""Whole games, kept for good: verified, and played again byte for byte. CI runs this under two hash seeds.

Each folder of `tests/games` holds a game as it was played through the command line (`tests/support/golden.py`): keys,
invitation, joins, every orders file, game file and report. Each file there is the record of such a game, with the
digest and the signature of every game file.
"""

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from referee import data
from referee.documents.boards import board_by_name
from referee.documents.gamefile import file_name, open_game
from referee.documents.invitation import read_invitation, read_join
from referee.documents.keys import load_key
from referee.documents.record import replayed
from referee.documents.resolve import resolve
from referee.documents.signing import read
from referee.documents.start import start
from referee.documents.verify import Entry, verify_row
from referee.game.presets import variants_of
from referee.views.report import report

HERE = Path(__file__).parent / "games"
GAMES = sorted(path for path in HERE.iterdir() if path.is_dir()) if HERE.is_dir() else []


RECORDS = sorted(HERE.glob("*.toml"))


def test_there_is_a_game_of_every_preset_and_two_for_capitals() -> None:
    found = set()
    for path in RECORDS:
        invitation = tomllib.loads(path.read_text("utf-8"))["file"][0]["documents"][0]
        found.add((invitation["edition"], invitation["variant"]))
    editions = ((name, data.tree(f"editions/{name}.toml")) for name in ("no", "da", "sv", "de"))
    assert found == {(name, variant) for name, edition in editions for variant in variants_of(edition)}
    assert {"no_capitals", "no_capitals_two", "table_no_two"} <= {path.stem for path in RECORDS}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_is_played_again_to_its_end(path: Path) -> None:
    """Digests and signatures in the record are those of the game files as they were written."""
    made = list(replayed(path.read_bytes(), path.name))
    assert len(made) == len(tomllib.loads(path.read_text("utf-8"))["file"])
    assert made[-1].file.game.state.phase == "over"
    gone = made[-1].file.game.gone is not None
    assert bool([what for one in made for what in one.sealed]) == gone, "nothing stays sealed, if the host is not gone"


def turns_of(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{name_of(folder)}-[0-9]*.toml"))


def name_of(folder: Path) -> str:
    (invitation,) = folder.glob("*-invitation.toml")
    return invitation.name.removesuffix("-invitation.toml")


def host_key(folder: Path):
    invitation = tomllib.loads((folder / f"{name_of(folder)}-invitation.toml").read_text("utf-8"))
    return load_key((folder / f"{invitation['host']['name']}.key").read_bytes())


def test_there_is_a_game() -> None:
    assert GAMES


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_a_kept_game_is_verified_to_its_end(folder: Path) -> None:
    rows = [Entry(path.name, int(path.stem[-4:])) for path in turns_of(folder)]
    checked = list(verify_row(rows, lambda file: (folder / file).read_bytes()))
    assert len(checked) == len(rows)
    assert checked[-1].file.game.state.phase == "over"
    assert not [what for one in checked for what in one.sealed], "the secret is revealed: nothing stays sealed"


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_the_start_of_a_kept_game_is_made_again(folder: Path) -> None:
    name = name_of(folder)
    invitation = read_invitation(read((folder / f"{name}-invitation.toml").read_bytes()))
    board = board_by_name(invitation.board, invitation.board_digest)
    joins = [read_join(read(path.read_bytes()), invitation, board) for path in folder.glob("join-*.toml")]
    first = start(invitation, joins, host_key(folder), board)
    assert first.text.encode() == (folder / first.file).read_bytes()
    assert report(first, None, first.game.events, "en").encode() == (folder / f"{name}-0000.txt").read_bytes()


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_every_turn_of_a_kept_game_is_played_again_byte_for_byte(folder: Path) -> None:
    name, key = name_of(folder), host_key(folder)
    files = turns_of(folder)
    for path, following in pairwise(files):
        before = open_game(path.read_bytes(), board_by_name, path.name)
        turn = before.game.turn
        sealed = sorted(folder.glob(f"orders-*-{turn:04}-sealed.toml"))
        papers = [*(sealed or folder.glob(f"orders-*-{turn:04}.toml")), *folder.glob(f"standing-*-{turn:04}.toml")]
        documents = [read(paper.read_bytes(), paper.name) for paper in papers]
        evidence = tomllib.loads(following.read_text("utf-8"))["evidence"]["documents"]
        missed = [paper["player"] for paper in evidence if paper["format"] == "referee/act/1"]
        after = resolve(before, documents, key, missed)
        assert after.file == following.name == file_name(name, turn + 1)
        assert after.text.encode() == following.read_bytes(), following
        told = report(after, before, after.game.events, "en").encode()
        assert told == (folder / f"{name}-{turn:04}.txt").read_bytes(), turn
