"""Links in the place of files: in a circle, to what is not there, to a folder. None is a bug.

What is named outright is refused with the code of what was to be done with it; what lies in a folder is passed over.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.transcripts import Outcome, nothing_random, played, referee

GAME = "fjord-0002.toml"
LINK = "link.toml"
LOOP, NOTHING, FOLDER = LINK, "nowhere.toml", "folder"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a game, and orders of kari, a draft and signed."""
    for name, data in played("no", "mission", 3, "2", ()).items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o600)
    with nothing_random("links", tmp_path):
        assert referee(["draft", GAME, "--key", "kari.key", "--fill", "-o", "orders.toml", "-q"]).code == 0
        assert referee(["sign", "orders.toml", "--key", "kari.key", "-o", "signed.toml", "-q"]).code == 0
        Path(FOLDER).mkdir()
        yield tmp_path


READ = (
    ("verify", LINK), ("verify", GAME, LINK), ("show", LINK), ("report", LINK), ("report", GAME, "--before", LINK),
    ("draft", LINK), ("check", LINK, "orders.toml"), ("check", GAME, LINK), ("sign", LINK),
    ("sign", "orders.toml", "--game", LINK), ("sign", "orders.toml", "--key", LINK), ("resolve", LINK, "signed.toml"),
    ("resolve", GAME, LINK), ("resolve", GAME, "signed.toml", "--key", LINK), ("receipt", GAME, LINK),
    ("luck", LINK), ("record", LINK), ("replay", LINK), ("cases", LINK), ("hand", GAME, "--key", LINK), ("rules", LINK),
    ("join", LINK, "--as", "eva", "--key", "kari.key"), ("start", LINK, LINK), ("reveal", LINK),
    ("reveal", GAME, LINK, "--key", "kari.key"), ("act", "deadline", LINK), ("resign", LINK, "--turn", "2"),
    ("draw", LINK), ("status", LINK), ("new", "skog", "--host", "runa", "--key", LINK),
)  # fmt: skip

WRITTEN = (
    ("draft", GAME, "-o", LINK),
    ("sign", "orders.toml", "--key", "kari.key", "-o", LINK),
    ("sign", "signed.toml", "--key", "kari.key", "-o", LINK),
    ("resolve", GAME, "signed.toml", "-o", LINK),
    ("receipt", GAME, "signed.toml", "-o", LINK),
    ("resign", GAME, "--turn", "2", "--key", "kari.key", "-o", LINK),
    ("draw", GAME, "--key", "kari.key", "-o", LINK),
    ("report", GAME, "-o", LINK),
    ("record", ".", "-o", LINK),
    ("keygen", "eva", "-o", LINK),
    ("new", "skog", "--host", "runa", "--key", "runa.key", "-o", LINK),
)


def linked(words: tuple[str, ...], target: str) -> Outcome:
    """Run a command where a link leads to `target`, and see that the link stands as it did."""
    os.symlink(target, LINK)
    before = sorted(os.listdir())
    outcome = referee(words)
    assert os.readlink(LINK) == target
    if outcome.code:
        assert (sorted(os.listdir()), os.listdir(FOLDER)) == (before, [])
    return outcome


@pytest.mark.parametrize("target", [LOOP, NOTHING])
@pytest.mark.parametrize("words", READ, ids=" ".join)
def test_what_is_no_file_in_the_end_is_not_read(words: tuple[str, ...], target: str) -> None:
    outcome = linked(words, target)
    assert (outcome.code, outcome.err.startswith(f"{LINK}: ")) == (3, True), outcome


@pytest.mark.parametrize("target", [LOOP, NOTHING])
@pytest.mark.parametrize("words", WRITTEN, ids=" ".join)
def test_nothing_is_written_through_a_link(words: tuple[str, ...], target: str) -> None:
    outcome = linked(words, target)
    assert (outcome.code, f"\n{LINK}: " in f"\n{outcome.err}") == (7, True), outcome
    if target == NOTHING and words[0] != "resolve":  # where a folder is wanted
        assert f"{LINK}: is a link to what is not there\n  hint: take the link away\n" in outcome.err


@pytest.mark.parametrize("words", WRITTEN, ids=" ".join)
def test_a_link_to_a_folder_is_a_folder_to_write_to(words: tuple[str, ...]) -> None:
    outcome = linked(words, FOLDER)
    assert outcome.code == (7 if words[0] == "keygen" else 0), outcome


LYING = ("a.toml", "b.key", "c.eml", "d.txt", "act-substitute-ola-0002.toml", "orders-ola-0002.toml", "fjord-0009.toml")


@pytest.mark.parametrize("target", [LOOP, NOTHING, FOLDER])
@pytest.mark.parametrize(
    "words",
    [
        ("verify", "."), ("status", "."), ("luck", "."), ("record", "."), ("hand", GAME, "--key", "kari.key"),
        ("draft", GAME), ("check", GAME, "signed.toml"), ("sign", "signed.toml", "--key", "kari.key"),
        ("resolve", GAME, "signed.toml"), ("receipt", GAME, "signed.toml"), ("show", GAME), ("report", GAME),
    ],
    ids=" ".join,
)  # fmt: skip
def test_links_that_lie_there_are_passed_over(words: tuple[str, ...], target: str) -> None:
    for name in LYING:
        os.symlink(name if target == LOOP else target, name)
    outcome = referee(words)
    assert outcome.code == 0, outcome
