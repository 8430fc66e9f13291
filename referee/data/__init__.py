"""Boards, editions and languages as data files, read from the installed package.

`importlib.resources` would add 14 ms to every command; the loader of this package reads the same files.
"""

import pkgutil
import tomllib
from typing import Any


def text(name: str) -> str:
    """Return a data file, such as `boards/classic.toml`; FileNotFoundError if there is none."""
    data = pkgutil.get_data(__name__, name)
    if data is None:  # pragma: no cover - only a loader without get_data
        raise FileNotFoundError(name)
    return data.decode("utf-8")


def tree(name: str) -> dict[str, Any]:
    """Return a data file's content as parsed TOML."""
    return tomllib.loads(text(name))
