"""The program at a terminal of its own, with whatever a person types, and what is to be seen there."""

import os
import pty
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def at_a_terminal(
    arguments: Sequence[str], answers: Sequence[bytes] = (), stdin: bytes | None = None, first: str = ""
) -> tuple[int, str]:
    """Run the program with a terminal of its own, where a person answers; `stdin` comes through a pipe.

    `first` is what Python does before it.
    """
    child, terminal = pty.fork()
    if child == 0:
        if stdin is not None:
            reading, writing = os.pipe()
            os.write(writing, stdin)
            os.close(writing)
            os.dup2(reading, 0)
        words = [sys.executable, "-c", f"{first}\nfrom referee.cli import main; main()", *arguments]
        os.execve(sys.executable, words, {**os.environ, "PYTHONPATH": str(ROOT)})
    shown = b""
    for answer in answers:
        shown += _until(terminal, lambda text: text.rstrip().endswith(b":"))
        time.sleep(0.1)  # what is typed before the echo is off would be thrown away
        os.write(terminal, answer)
    shown += _until(terminal, lambda text: False)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


def _until(terminal: int, is_done: Callable[[bytes], bool]) -> bytes:
    text = b""
    while not is_done(text):
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the program has ended
            break
        if not part:
            break
        text += part
    return text


def screen(shown: str) -> list[str]:
    """Return the lines that stand on the screen in the end, where a carriage return leads to writing over a line."""
    lines = []
    for line in shown.replace("\r\n", "\n").split("\n"):
        cells: list[str] = []
        for part in line.split("\r"):
            cells[: len(part)] = part
        lines.append("".join(cells).rstrip())
    return lines
