"""Standard streams that take nothing more, or are not there: told as what they are, with an exit code of their own.

So are folders that may not be looked into, and what is interrupted.
"""

import errno
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.transcripts import played, referee

from referee.cli import INTERRUPTED
from referee.cli.files import put, read_bytes
from referee.errors import CannotWrite, UnreadableDocument, as_word

ROOT = Path(__file__).parent.parent
GAME = "fjord-0002.toml"
PRINTING = (
    ("show", GAME),
    ("show", GAME, "--json"),
    ("report", GAME),
    ("draft", GAME, "-o", "-"),
    ("status", ".", "--json"),
    ("rules",),
    ("--version",),
    ("--help",),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a game."""
    for name, data in played("no", "mission", 3, "2", ()).items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o600)
    monkeypatch.chdir(tmp_path)


def run(arguments: tuple[str, ...], **streams: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own, whose streams are the real ones."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONUNBUFFERED", None)  # so that it fails at the end, and not at once
    words = (sys.executable, "-m", "referee", *arguments)
    return subprocess.run(words, env=environment, check=False, **streams)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_full_disk_behind_standard_output_is_told(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = run(arguments, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.split(b"\n")[-3:]) == (
        7,
        [
            b"standard output: cannot be written: no space left on device",
            b"  hint: make room and run it again: what was written may not be whole",
            b"",
        ],
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_what_nobody_can_be_told_changes_no_exit_code() -> None:
    with open("/dev/full", "wb") as full:
        assert run(("show", "nothing.toml"), stdout=subprocess.PIPE, stderr=full).returncode == 3
        done = run(("verify", GAME, "--json"), stdout=subprocess.PIPE, stderr=full)
        assert (done.returncode, done.stdout[:1]) == (0, b"[")
        words = ("resign", GAME, "--turn", "2", "--key", "kari.key")
        assert run(words, stdout=subprocess.PIPE, stderr=full).returncode == 0
    assert Path("resign-kari-0002.toml").exists()


def test_what_is_for_people_does_not_go_among_results_when_its_stream_is_closed() -> None:
    closing = {"stdout": subprocess.PIPE, "preexec_fn": lambda: os.close(2)}
    assert run(("verify", GAME), **closing).stdout == b""
    assert run(("verify", "nothing.toml"), **closing).stdout == b""
    assert run(("verify", GAME, "--json"), **closing).stdout[:1] == b"["


def test_who_reads_no_further_ends_it_without_a_bug() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run(("report", GAME), stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, b"Traceback" in done.stderr) == (7, False)


def test_closed_streams_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UnreadableDocument, match=r"^standard input: cannot be read: it is closed$"):
        read_bytes(Path("-"))
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(CannotWrite, match=r"^standard output: cannot be written: it is closed$"):
        put(Path("-"), Path("report.txt"), b"report", False, "report")


@pytest.mark.parametrize("where", ["referee.cli.application.run", "referee.cli.application.import_module"])
def test_an_interrupted_command_ends_without_a_word(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupted)
    outcome = referee(["show", GAME])
    assert (outcome.code, outcome.out, outcome.err) == (INTERRUPTED, "", "")


# --- folders that may not be looked into -----------------------------------------------------------------


@pytest.mark.parametrize("words", [["verify", "."], ["status", "."], ["luck", "."], ["record", "."]])
def test_a_folder_that_cannot_be_listed_is_not_an_empty_one(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Any = ".") -> list[str]:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(os, "listdir", denied)
    outcome = referee(words)
    assert (outcome.code, outcome.err) == (
        3,
        ".: cannot be read: permission denied\n  hint: `ls -ld .` says whose it is and who may read it\n",
    )


WITHIN = "locked/x.toml"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["verify", WITHIN], 3), (["show", WITHIN], 3), (["status", "locked"], 3), (["luck", WITHIN], 3),
        (["record", WITHIN], 3), (["cases", WITHIN], 3), (["check", GAME, WITHIN], 3),
        (["hand", GAME, "--key", WITHIN], 3), (["draft", GAME, "-o", WITHIN], 7), (["keygen", "eva", "-o", WITHIN], 7),
        (["resign", GAME, "--turn", "2", "--key", "kari.key", "-o", WITHIN], 7),
    ],
)  # fmt: skip
def test_what_lies_in_a_folder_that_may_not_be_entered(
    words: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is there, or is a file, cannot be asked either."""
    real_stat, real_open = os.stat, os.open

    def refuse(path: Any) -> None:
        if str(path).startswith("locked"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    def stat(path: Any, **named: Any) -> os.stat_result:
        refuse(path)
        return real_stat(path, **named)

    def open_(path: Any, flags: int, *given: Any, **named: Any) -> int:
        refuse(path)
        return real_open(path, flags, *given, **named)

    def open_file(path: Any, *given: Any, **named: Any) -> Any:
        refuse(path)
        return open(path, *given, **named)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(io, "open", open_file)
    outcome = referee(words)
    assert outcome.code == code, outcome
    assert outcome.err.startswith("locked")
    assert "permission denied" in outcome.err or "is no folder" in outcome.err


def test_a_file_that_may_not_be_read_is_no_fault_of_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer would ask `os.access` by itself, and so refuse a file that is to be written, too."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert referee(["show", GAME]).code == 0
    assert referee(["draft", GAME, "-o", "draft.toml"]).code == 0
    assert referee(["draft", GAME, "-o", "draft.toml"]).code == 0


# --- names that a terminal obeys -------------------------------------------------------------------------


def test_the_name_of_a_file_moves_no_terminal() -> None:
    """Who sends a file chooses its name, and whoever saves it may keep that."""
    game, orders = "a\x1b[2Jb.toml", "orders\x1b]0;c\x07\u202e.toml"
    Path(GAME).rename(game)
    for words in (
        ["draft", game, "-o", orders], ["check", game, orders], ["sign", orders, "--key", "kari.key", "--game", game],
        ["status", "."], ["verify", game], ["show", orders], ["cases", orders], ["verify", "a\nb\x9b"],
    ):  # fmt: skip
        outcome = referee(words)
        assert (outcome.out + outcome.err).strip(), words
        for line in (outcome.out + outcome.err).split("\n"):
            assert line.isprintable(), outcome
    assert r"a\x1b[2Jb.toml: fjord, turn 2" in referee(["status", "."]).out


# --- names that a shell takes apart ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("games/fjord-0002.toml", "games/fjord-0002.toml"), (".", "."), ("min fil.toml", "'min fil.toml'"),
        ("ola's.toml", "'ola'\"'\"'s.toml'"), ("$HOME;ls", "'$HOME;ls'"), ("*.toml", "'*.toml'"),
        ("ø.toml", "'ø.toml'"), ("-q", "./-q"), ("-a b", "'./-a b'"), ("standard input", "-"),
    ],
)  # fmt: skip
def test_a_name_is_one_word_of_a_command(name: str, word: str) -> None:
    assert as_word(name) == word
    if name != "standard input":
        assert [os.path.normpath(one) for one in shlex.split(word)] == [os.path.normpath(name)]


def test_commands_in_hints_can_be_copied_whatever_files_are_called() -> None:
    """A shell takes them apart into the names that were given."""
    game, orders, key, folder = "the game.toml", "my orders.toml", "kari's key.key", "two games"
    Path(GAME).rename(game)
    Path("kari.key").rename(key)
    assert referee(["draft", game, "--key", key, "--fill", "-o", orders, "-q"]).code == 0
    Path(key).chmod(0o644)
    said = referee(["sign", orders, "--key", key, "--game", game, "-o", "signed.toml"]).err
    assert commands(said)[0] == ["chmod", "600", key]
    Path(key).chmod(0o600)
    said = referee(["check", game, orders]).err
    assert ["referee", "sign", orders] in commands(said)
    Path(orders).write_bytes(Path("signed.toml").read_bytes().replace(b"sequence = 1", b"sequence = 2"))
    said = referee(["check", game, orders]).err
    assert ["referee", "sign", orders] in commands(said), said
    Path(orders).write_text(
        re.sub(r'(?m)^state = ".*"', f'state = "{"A" * 43}"', Path("signed.toml").read_text("utf-8"))
    )
    said = referee(["check", game, orders]).err
    assert ["referee", "draft", game] in commands(said), said
    assert referee(["draw", game, "--key", "ola.key", "-o", "vote.toml", "-q"]).code == 0
    Path(folder).mkdir()
    for name in (game, "vote.toml"):
        Path(folder, name).write_bytes(Path(name).read_bytes())
    said = referee(["status", folder]).out
    assert ["referee", "draw", f"{folder}/{game}"] in commands(said), said


def commands(said: str) -> list[list[str]]:
    """Return the commands with names of files in what was said, each as a shell takes it apart."""
    found = [shlex.split(one.replace("\n    ", " ")) for one in re.findall(r"`([^`]*)`", said)]
    return [words for words in found if any(".toml" in word or ".key" in word for word in words)]
