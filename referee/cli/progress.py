"""How far long work is: a line on a terminal that is written over, and gone before anything else is said."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

STEP = 50
"""After so many files the line is written anew; shorter work shows none."""


@contextmanager
def progress(files: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Give a function to be told how many files are done; `files` is how many there are, 0 if it is not known.

    Nothing is shown where standard error is no terminal. The line is cleared at the end, and when something goes wrong.
    """
    width = 0

    def show(number: int) -> None:
        nonlocal width
        if number % STEP == 0:
            line = f"{number} of {files} files" if files else f"{number} files"
            width = len(line)
            _write(f"\r{line}")

    shown = not quiet and not 0 < files <= STEP and sys.stderr.isatty()
    try:
        yield show if shown else _silent
    finally:
        if width:
            _write(f"\r{' ' * width}\r")


def _silent(number: int) -> None:
    """Show nothing."""


def _write(text: str) -> None:
    with suppress(OSError):  # nobody looks
        print(text, end="", file=sys.stderr, flush=True)
