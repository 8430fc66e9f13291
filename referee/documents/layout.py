"""Trees to TOML text: game files in one fixed layout of their own, small documents by `tomli_w`.

Lines are at most 66 columns wherever a value can be broken: mail wraps what is longer. Lists that do not fit stand one
entry a line, long binary values in several lines (white space in them does not count). No line of a text begins with a
bracket, so that a section of a game file can be found by its heading. Tables are written under headers
down to three parts of a key, deeper ones inline. The order is that of the tree; `ordered` gives the order of canonical
bytes, so that a document looks the same however its signer laid it out.

Game files are not written by `tomli_w`: it breaks every list into lines, chooses between inline tables and headers by
their length, and knows no limit of columns. Where none of that matters, it writes.
"""

import re
from collections.abc import Mapping
from json import JSONEncoder
from typing import Any

from referee.documents.canonical import BINARY_KEYS

COLUMNS = 66
_PARTS = 3
_ROW = 60

_string = JSONEncoder(ensure_ascii=False).encode
"""JSON's escapes are those of TOML's basic strings; documents hold no DEL, which JSON would leave as it is."""

_BARE = re.compile(r"[A-Za-z0-9_-]+").fullmatch


def key_text(key: str) -> str:
    """Write a key, quoted where TOML wants it."""
    return key if _BARE(key) else _string(key)


def value_text(value: Any) -> str:
    """Write a value in one line."""
    kind = type(value)
    if kind is str:
        return _string(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    if kind is list or kind is tuple:
        return "[" + ", ".join([value_text(item) for item in value]) + "]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key_text(key)} = {value_text(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    raise AssertionError(f"{kind} is no value of a document")


def assignment(key: str, value: Any, binary: bool = False) -> str:
    """Write `key = value` with its line end, broken into lines where it is too long."""
    name = key_text(key)
    line = f"{name} = {value_text(value)}"
    if len(line) <= COLUMNS:
        return line + "\n"
    if isinstance(value, (list, tuple)):
        return f"{name} = {_broken(value, '')}\n"
    if isinstance(value, str) and binary:
        rows = "\n".join(value[start : start + _ROW] for start in range(0, len(value), _ROW))
        return f'{name} = """\n{rows}"""\n'
    if isinstance(value, str) and "\n" in value:
        inner = _string(value)[1:-1].replace("\\n", "\n").replace("\n[", "\n\\u005B").replace('"""', '""\\"')
        if inner.startswith("["):
            inner = "\\u005B" + inner[1:]
        return f'{name} = """\n{inner}"""\n' if "\\\n" not in inner else line + "\n"
    return line + "\n"


def _broken(items: list[Any] | tuple[Any, ...], indent: str) -> str:
    """Write a list with one entry a line, and lists in it that are too long for a line in the same way."""
    inner = indent + "    "
    rows: list[str] = []
    for item in items:
        text = value_text(item)
        if isinstance(item, (list, tuple)) and len(inner) + len(text) >= COLUMNS:
            text = _broken(item, inner)
        rows.append(f"{inner}{text},\n")
    return f"[\n{''.join(rows)}{indent}]"


def table_text(tree: Mapping[str, Any], path: tuple[str, ...] = (), binary: bool = False) -> str:
    """Write the content of a table: its plain values first, then its tables and lists of tables."""
    parts: list[str] = []
    later: list[tuple[str, Any]] = []
    deep = len(path) >= _PARTS
    for key, value in tree.items():
        if not deep and (isinstance(value, Mapping) or _is_tables(value)):
            later.append((key, value))
        else:
            parts.append(assignment(key, value, binary or key in BINARY_KEYS))
    for key, value in later:
        under = (*path, key)
        header = ".".join(map(key_text, under))
        inner = binary or key in BINARY_KEYS
        if isinstance(value, Mapping):
            parts.append(f"\n[{header}]\n{table_text(value, under, inner)}")
        else:
            parts.extend([f"\n[[{header}]]\n{table_text(item, under, inner)}" for item in value])
    return "".join(parts)


def _is_tables(value: Any) -> bool:
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(isinstance(item, Mapping) for item in value)


def document_text(tree: Mapping[str, Any]) -> str:
    """Write a small document such as an invitation or a join."""
    import tomli_w

    return tomli_w.dumps(tree)


def ordered(value: Any) -> Any:
    """Return the same value with the keys of all tables in the order of canonical bytes."""
    if isinstance(value, Mapping):
        return {key: ordered(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [ordered(item) for item in value]
    return value
