"""Private keys for the commands: read from a file, with a warning if others can read it, and opened.

The passphrase of a key comes from a terminal or from a file (`passphrase`), never from the command line. Whose key a
command needs says `players`.
"""

import os
from functools import lru_cache
from pathlib import Path

from referee.cli.files import read_bytes, say
from referee.documents.keys import Key, load_key
from referee.errors import Problem, UnreadableDocument, UsageProblem, as_word

PUBLIC = b"THIS KEY IS PUBLIC"
"""Stands before the key in the files of example games, which everybody may read."""


def find_key(given: Path | None, name: str) -> Key:
    """Return the key to open or join a game with, which may have to be made first: --key, $REFEREE_KEY, NAME.key."""
    named = given or Path(os.environ.get("REFEREE_KEY") or f"{name}.key")
    if not given and not os.environ.get("REFEREE_KEY") and not named.exists():
        hint = f"`referee keygen {name}` makes one; if there is one, name it with --key, or in $REFEREE_KEY"
        raise UsageProblem(Problem("no-key", f"no key: {named} is not there", hint=hint))
    return load(named)


def load(path: Path) -> Key:
    """Load a private key; if it has a passphrase, that is read from a file or asked for. UnreadableDocument if not."""
    return opened(str(path), read_bytes(path), _mode(path))


@lru_cache(maxsize=8)
def opened(file: str, data: bytes, mode: int) -> Key:
    """Return the key in a file; a command that needs it twice asks and warns once."""
    if mode & 0o077 and b"PRIVATE KEY-----" in data and PUBLIC not in data.partition(b"-----BEGIN")[0]:
        warn_of_mode(file, "private key", mode)
    try:
        return load_key(data, None, file)
    except UnreadableDocument as error:
        if error.problems[0].code != "passphrase-needed":
            raise
    from referee.cli.passphrase import unlocked

    return unlocked(file, data)


def _mode(path: Path) -> int:
    """Return the permissions of a file, or 0 if they mean nothing here, as on Windows, or it is a stream."""
    if os.name != "posix" or str(path) == "-" or not path.is_file():
        return 0
    return path.stat().st_mode & 0o777


def warn_of_mode(file: str, what: str, mode: int) -> None:
    """Say that others can read what is one person's alone. No `--quiet` keeps this back: not all is well."""
    say(f"warning: {file}: others can read this {what} (mode {mode:04o})\n  hint: `chmod 600 {as_word(file)}`")
