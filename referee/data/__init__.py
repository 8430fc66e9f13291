"""Boards, editions and languages as data files, read from the installed package.

`importlib.resources` would add 14 ms to every command; the loader of this package reads the same files.
"""

import tomllib
from typing import Any


def text(name: str) -> str:
    """Return a data file, such as `boards/classic.toml`; FileNotFoundError if there is none."""
    loader: Any = __spec__.loader
    data: bytes = loader.get_data(f"{__path__[0]}/{name}")
    return data.decode("utf-8")


def tree(name: str) -> dict[str, Any]:
    """Return a data file's content as parsed TOML."""
    return tomllib.loads(text(name))
