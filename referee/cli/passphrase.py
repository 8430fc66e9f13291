"""Passphrases of private keys: from the file that $REFEREE_PASSPHRASE_FILE names, else asked for on a terminal.

Never from the command line, which other users and the history of a shell can see, nor from the environment itself,
which goes on to every program that is started. A file may be a stream such as /dev/fd/3. Loaded only where a key has
a passphrase, or is to get one.
"""

import os
import sys
from getpass import getpass
from pathlib import Path

from referee.cli.files import read_bytes, say
from referee.cli.keys import warn_of_mode
from referee.documents.keys import Key, load_key
from referee.errors import Problem, UnreadableDocument, UsageProblem

FILE = "REFEREE_PASSPHRASE_FILE"
TRIES = 3


def unlocked(file: str, data: bytes) -> Key:
    """Open a key that has a passphrase; UnreadableDocument if there is none, or a wrong one."""
    named = os.environ.get(FILE)
    if named:
        try:
            return load_key(data, _from_file(Path(named)), file)
        except UnreadableDocument as error:
            if error.problems[0].code != "passphrase-wrong":
                raise
            hint = f"it was read from {named}, which ${FILE} names"
            raise UnreadableDocument(error.problems[0]._replace(hint=hint)) from None
    if not has_terminal():
        message = "needs the passphrase of this key"
        hint = f"it is asked for on a terminal; for programs ${FILE} names a file with it"
        raise UnreadableDocument(Problem("passphrase-needed", message, hint=hint, file=file))
    for left in reversed(range(TRIES)):
        try:
            return load_key(data, _asked(f"Passphrase of {file}: ", file), file)
        except UnreadableDocument as error:
            if error.problems[0].code != "passphrase-wrong" or not left:
                raise
        say("this passphrase does not open it, try again")
    raise AssertionError("the last try returns or raises")


def new_passphrase(file: str) -> bytes:
    """Return the passphrase that a new key is to get; UsageProblem if there is none, or it was not the same twice."""
    named = os.environ.get(FILE)
    if named:
        words = _from_file(Path(named))
    elif has_terminal():
        words = _asked(f"Passphrase for {file}: ", file)
        if words != _asked("The same again: ", file):
            raise UsageProblem(Problem("passphrase", "the two are not the same: nothing was written", "--passphrase"))
    else:
        hint = f"for programs ${FILE} names a file with it"
        raise UsageProblem(Problem("passphrase", "is asked for on a terminal only", "--passphrase", hint))
    if not words:
        raise UsageProblem(Problem("passphrase", "an empty passphrase protects nothing", "--passphrase"))
    return words


def has_terminal() -> bool:
    """Say whether there is a terminal to ask on, which may be another than standard input."""
    if sys.stdin is not None and sys.stdin.isatty():
        return True
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except (OSError, AttributeError):  # there is none, or this is Windows
        return False
    return True


def _asked(words: str, file: str) -> bytes:
    try:
        return getpass(words, stream=None).encode("utf-8", "surrogateescape")
    except EOFError:
        raise UnreadableDocument(Problem("passphrase-needed", "needs the passphrase of this key", file=file)) from None


def _from_file(path: Path) -> bytes:
    """Return the first line of a file, without its end."""
    data = read_bytes(path)
    if os.name == "posix" and path.is_file() and path.stat().st_mode & 0o077:
        warn_of_mode(str(path), "passphrase", path.stat().st_mode & 0o777)
    return data.split(b"\n", 1)[0].removesuffix(b"\r")
