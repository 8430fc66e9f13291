"""Boards, editions and languages as data files, read from the installed package.

They are TOML, and kept beside it as Python keeps modules: what was parsed once is loaded from `__pycache__` as long as
the file stays as it is, and where nothing may be written it is parsed each time. A command needs a board and a
language: 2 ms to parse, 0.3 to load. `importlib.resources` would add 14 ms to every command; the loader of this package
reads the same files.
"""

import tomllib
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any


class _Loader(SourceFileLoader):
    """Loads a data file as if it were a module that holds nothing but `TREE`."""

    def source_to_code(  # type: ignore[override]
        self, data: Any, path: Any, *others: Any, _optimize: int = -1
    ) -> CodeType:
        """Return code that makes the parsed file."""
        source = f"TREE = {tomllib.loads(bytes(data).decode())!r}"
        code: CodeType = compile(source, path, "exec", dont_inherit=True, optimize=_optimize)
        return code


def tree(name: str) -> dict[str, Any]:
    """Return a data file's content, such as that of `boards/classic.toml`; FileNotFoundError if there is none."""
    loader: Any = __spec__.loader
    path = f"{__path__[0]}/{name}"
    if not isinstance(loader, SourceFileLoader):
        return tomllib.loads(loader.get_data(path).decode())
    code = _Loader(name, path).get_code(name)
    assert code is not None
    found: dict[str, Any] = {}
    exec(code, found)
    made: dict[str, Any] = found["TREE"]
    return made
