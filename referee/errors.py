"""The one tree of exceptions, problems as values, and the exit codes of the command line.

    RefereeError                    exit code
    |-- UsageProblem                2   the command's words are off
    |-- UnreadableDocument          3   a document cannot be read
    |-- BadSignature                4   a signature or a chain is wrong
    |-- IllegalOrders               5   orders that the rules do not allow
    |-- ReplayDiffers               6   a replay gives something else
    `-- CannotWrite                 7   a file cannot be written

Everything else that escapes is a bug (exit code 1) and looks like one. Nothing below the command line prints,
logs or exits. A problem says where it is (file, line, key), what is wrong, and what to do about it.
"""

from collections.abc import Iterable
from os import sep
from typing import ClassVar, NamedTuple

MAX_PROBLEMS = 20
"""So many problems of one document are reported: nobody reads more, and each costs time."""


class Problem(NamedTuple):
    """One thing that is wrong: a message in lower case without a full stop, and where it is.

    `key` is a path like `attack[2].from` (entries count from 1); `line` counts from 1, 0 means unknown.
    """

    code: str
    message: str
    key: str = ""
    hint: str = ""
    file: str = ""
    line: int = 0

    def text(self) -> str:
        """Write the problem as `FILE:LINE: KEY: MESSAGE`, the hint on a line of its own.

        Whatever a stranger wrote stays on its line: what cannot be seen is written as an escape, what is long is cut.
        """
        place = f"{self.file}:{self.line}" if self.line else self.file
        words = ": ".join(_shown(part) for part in (place, self.key, self.message) if part)
        return f"{words}\n  hint: {_shown(self.hint)}" if self.hint else words


_LONGEST = 400


def _shown(text: str) -> str:
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST - 80]} … {text[-80:]}"
    return visible(text)


def visible(text: str) -> str:
    """Return a line that shows what cannot be seen as an escape: names of files may hold what a terminal obeys."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def as_word(file: str) -> str:
    """Write the name of a file as a word of a command that can be copied into a shell; `-` for standard input."""
    if file == "standard input":
        return "-"
    file = f"./{file}" if file.startswith("-") else file
    if file.isascii() and file.translate(_PLAIN).isalnum():
        return file
    if sep == "\\":  # Windows, where nothing but a blank parts words
        return f'"{file}"' if " " in file else file
    from shlex import quote

    return quote(file)


_PLAIN = dict.fromkeys(map(ord, "-_./"), "0")


class RefereeError(Exception):
    """Something a person can mend: one or more problems, reported together."""

    exit_code: ClassVar[int] = 1

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(problem.text() for problem in problems))
        self.problems = problems

    def within(self, file: str) -> "RefereeError":
        """Return the same error with `file` filled in where a problem names none."""
        return type(self)(*(p if p.file else p._replace(file=file) for p in self.problems))


class UsageProblem(RefereeError):
    """The words of a command do not fit together."""

    exit_code = 2


class UnreadableDocument(RefereeError):
    """A document that is not TOML, not of this format, or of the wrong shape."""

    exit_code = 3


class BadSignature(RefereeError):
    """A signature, key, reveal, commitment or link of the chain that does not hold."""

    exit_code = 4


class IllegalOrders(RefereeError):
    """Orders that can be known to be wrong before any die is rolled."""

    exit_code = 5


class ReplayDiffers(RefereeError):
    """A game file that is not what its predecessor and evidence give."""

    exit_code = 6


class CannotWrite(RefereeError):
    """A file that cannot be written, or that exists with other content."""

    exit_code = 7


def raise_all(kind: type[RefereeError], problems: Iterable[Problem]) -> None:
    """Raise `kind` with all the problems, or do nothing if there are none."""
    found = tuple(problems)
    if found:
        raise kind(*found)
