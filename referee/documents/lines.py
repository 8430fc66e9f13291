"""Where in a TOML text each value stands: key paths, statements, line numbers.

A path is like `attack[2].from`; entries of lists are numbered from 1. The parser of the standard
library keeps no lines, so they are looked up afterwards, when there is a problem to report.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

_STRING = (
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\[^\n])*+"'
    r"|'[^'\n]*+'"
)
_COMMENT = r"#[^\n]*+"
STRING_OR_COMMENT = f"(?s:{_STRING}|{_COMMENT})"
STRUCTURE = rf"(?s:{_STRING}|{_COMMENT}|[\[\]{{}}\n])"
DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}
"""By how much a bracket changes the depth."""

_NOT_TOLD_BY_QUOTES = ("'", "\\", "#")
"""Without any of these whatever stands between two quotes is a string, and nothing else is one or a comment."""

_BARE_KEY = r"[A-Za-z0-9_-]+"
_LAST_STEP = r'(?:\[\d+\]|\.?"[^"]*"|\.?[^.\["]+)$'


def joined(path: str, key: str) -> str:
    """Return the path of a key in the table at `path`, in quotes where TOML wants them."""
    step = key if re.fullmatch(_BARE_KEY, key) else '"' + key.replace('"', "'") + '"'
    return f"{path}.{step}" if path else step


def entry(path: str, number: int) -> str:
    """Return the path of an entry of the list at `path`; entries are numbered from 1."""
    return f"{path}[{number}]"


def around(path: str) -> str:
    """Return the path of the table or list that holds what is at `path`; nothing for what is no path."""
    outer = re.sub(_LAST_STEP, "", path)
    return outer if len(outer) < len(path) else ""


def bare(text: str) -> str:
    """Return a text with `_` for each string and nothing of comments: what is left is structure."""
    split = None if any(mark in text for mark in _NOT_TOLD_BY_QUOTES) else _split_at_quotes(text)
    return re.sub(STRING_OR_COMMENT, "_", text) if split is None else split


def _split_at_quotes(text: str) -> str | None:
    """Return the same in a fifth of the time; None if quotes are not closed or four stand in a row."""
    first, *others = text.split('"""')
    if len(others) % 2 or any(part[:1] in ("", '"') for part in others):
        return None
    bare = []
    for part in (first, *others[1::2]):
        pieces = part.split('"')
        if len(pieces) % 2 == 0 or "\n" in "".join(pieces[1::2]):
            return None
        bare.append("_".join(pieces[::2]))
    return "_".join(bare)


def blanked(text: str) -> str:
    """Return the same with the line ends that stood in strings, so that lines keep their numbers."""
    return re.sub(STRING_OR_COMMENT, lambda match: "_" + "\n" * match[0].count("\n"), text)


def line_at(text: str, position: int) -> int:
    """Return the number of the line on which a character stands."""
    return text.count("\n", 0, position) + 1


def lines(text: str) -> dict[str, int]:
    """Return the line on which each key path of a valid TOML text begins.

    Each statement of a TOML text is a small TOML text itself, so the parser reads them one by one.
    """
    found: dict[str, int] = {}
    count: dict[str, int] = {}
    table = ""
    for line, _, statement in statements(text):
        tree = tomllib.loads(statement)
        if statement.startswith("["):
            table = _table(tree, count)
            found.setdefault(table, line)
            if table.endswith("]"):
                found.setdefault(around(table), line)
        else:
            _note_lines(table, tree, line, found)
    return found


def statements(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each heading and each `key = value`, with the first and the last line on which it stands."""
    depth = start = 0
    line = 1
    for token in re.finditer(STRUCTURE, text + "\n"):
        word = token[0]
        depth += DEEPER.get(word, 0)
        if word == "\n" and depth == 0:
            statement = text[start : token.start()]
            content = statement.lstrip()
            if content and not content.startswith("#"):
                yield line, line + statement.count("\n"), content
            line += statement.count("\n") + 1
            start = token.end()


def _table(heading: dict[str, Any], count: dict[str, int]) -> str:
    """Return the path of the table that a heading opens; `count` holds the entries of each list so
    far.
    """
    path = ""
    tree: Any = heading
    while tree:
        ((key, tree),) = tree.items()
        path = joined(path, key)
        if type(tree) is list:
            count[path] = count.get(path, 0) + 1
            tree = tree[0]
        if path in count:
            path = entry(path, count[path])
    return path


def _note_lines(path: str, value: Any, line: int, found: dict[str, int]) -> None:
    if path:
        found.setdefault(path, line)
    if type(value) is dict:
        for key, child in value.items():
            _note_lines(joined(path, key), child, line, found)
    elif type(value) is list:
        for number, child in enumerate(value, 1):
            _note_lines(entry(path, number), child, line, found)
