"""How far long work is: shown on a terminal, and there alone, and gone when anything else is said."""

import os
import shutil
from pathlib import Path

import pytest
from support.transcripts import referee

if os.name != "posix":
    pytest.skip("a terminal of POSIX", allow_module_level=True)

from support.terminal import at_a_terminal, screen

GAME = Path(__file__).parent / "games" / "fjord"
OFTEN = "import referee.cli.progress as p; p.STEP = 5"
"""The games at hand are shorter than those for which anything is shown."""
COMMANDS = {
    "verify": (["verify", "."], "of 12 files"),
    "record": (["record", ".", "-o", "again.toml"], "of 12 files"),
    "replay": (["replay", "record.toml", "-o", "again"], "files"),
    "verify a record": (["verify", "record.toml"], "files"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the game files and the record of a game."""
    monkeypatch.chdir(tmp_path)
    for turn in range(1, 13):
        shutil.copy(GAME / f"fjord-{turn:04}.toml", tmp_path)
    assert referee(["record", ".", "-o", "record.toml", "-q"]).code == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_shows_how_far_it_is_and_in_the_end_what_a_pipe_gets(name: str) -> None:
    words, line = COMMANDS[name]
    status, shown = at_a_terminal(words, first=OFTEN)
    assert status == 0, shown
    assert [f"\r{number} {line}" in shown for number in (5, 10)] == [True, True]
    shutil.rmtree("again", ignore_errors=True)
    Path("again.toml").unlink(missing_ok=True)
    outcome = referee(words)
    assert (outcome.code, outcome.out) == (0, "")
    assert "\r" not in outcome.err
    assert screen(shown) == outcome.err.split("\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_an_error_stands_on_a_line_of_its_own(name: str) -> None:
    words, _ = COMMANDS[name]
    Path("fjord-0012.toml").write_bytes(Path("fjord-0012.toml").read_bytes().replace(b"\nround = ", b"\nround = 9"))
    head, _, tail = Path("record.toml").read_text("utf-8").rpartition("sequence = ")
    Path("record.toml").write_text(f"{head}sequence = 9{tail}", "utf-8")
    status, shown = at_a_terminal(words, first=OFTEN)
    assert "\r10 " in shown
    outcome = referee(words)
    assert (status, screen(shown)) == (outcome.code, outcome.err.split("\n"))
    assert status in (3, 4, 6)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("option", ["-q", "--json"])
def test_who_wants_to_hear_nothing_sees_none_of_it(name: str, option: str) -> None:
    status, shown = at_a_terminal([*COMMANDS[name][0], option], first=OFTEN)
    assert (status, "files" in shown.replace('"files":', "").replace("again.toml", "")) == (0, False), shown
    assert "\r" not in shown.replace("\r\n", "\n")


def test_short_work_shows_nothing() -> None:
    status, shown = at_a_terminal(["verify", "."])
    assert (status, "of 12 files" in shown) == (0, False)
