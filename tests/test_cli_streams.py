"""Standard streams that take nothing more, or are not there: told as what they are, with an exit code of their own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.transcripts import played

from referee.cli.files import put, read_bytes
from referee.errors import CannotWrite, UnreadableDocument

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
    assert (done.returncode, done.stderr.split(b"\n")[-2:]) == (
        7,
        [b"standard output: cannot be written: no space left on device", b""],
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_what_nobody_can_be_told_changes_no_exit_code() -> None:
    with open("/dev/full", "wb") as full:
        assert run(("show", "nothing.toml"), stdout=subprocess.PIPE, stderr=full).returncode == 3


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
