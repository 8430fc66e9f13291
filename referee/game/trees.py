"""Typed getters over the trees of data files: boards, editions, rules.

Every problem is noted and none is thrown: after one a getter returns something harmless, so that
reading goes on and one run reports everything. It reads no file and knows no format.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from referee.errors import MAX_PROBLEMS, Problem

ID = re.compile(r"[a-z][a-z0-9_-]{0,39}")
MOST = 10_000
FEW = 6
"""So many known words are listed in a hint."""
LONGEST_LIST = 120
"""A longer text is not written as a list in a hint."""


def nearest_hint(word: str, known: Iterable[str]) -> str:
    """Return `did you mean "…"?` with the known word most like a wrong one, or nothing."""
    from difflib import get_close_matches

    from referee.game.names import forms

    words = list(known)
    close = get_close_matches(word[:60], words, n=1) or get_close_matches(forms(word[:60])[0], words, n=1)
    return f'did you mean "{close[0]}"?' if close else ""


def unknown_keys(table: Iterable[str], known: Container[str]) -> Iterator[str]:
    """Yield the keys of a table that are not known, but no more than are reported."""
    return islice((key for key in table if key not in known), MAX_PROBLEMS)


def shown(value: object) -> str:
    """Write a value of a document for a message: a text in quotes, or what it is if it holds other values."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return f'"{value}"'


def known_hint(word: str, known: Iterable[str]) -> str:
    """Return the hint of `nearest_hint`, or all known words if nothing is near and they are few."""
    words = tuple(known)
    if hint := nearest_hint(word, words):
        return hint
    return f"known here: {', '.join(words)}" if 0 < len(words) <= FEW else ""


def unquoted(value: object) -> str:
    """Return the hint for digits in quotes, perhaps with a word or a percent sign behind them, or nothing."""
    found = re.fullmatch(r"\s*([0-9]{1,7})\s*(%|[^\W\d_]*)\s*", value) if isinstance(value, str) else None
    if found is None:
        return ""
    return f"write the number alone, without quotes: {found[1]}" if found[2] else f"write it without quotes: {found[1]}"


def as_list(key: str, value: object) -> str:
    """Return the hint for a text where a list of texts belongs, or nothing."""
    if not isinstance(value, str) or not value.strip(" ,") or len(value) > LONGEST_LIST or not value.isprintable():
        return ""
    parts = ", ".join(f'"{part.strip()}"' for part in value.split(",") if part.strip())
    return f"write a list: {key.rpartition('.')[2]} = [{parts}]"


class TreeReader:
    """Takes a tree apart and notes what is wrong; `path` is the key of the table, with its dot."""

    def __init__(self, kind: str) -> None:
        """Begin with no problems; `kind` is the first word of their codes, such as `board`."""
        self.kind = kind
        self.problems: list[Problem] = []

    @property
    def has_enough(self) -> bool:
        """Say whether so much is wrong already that no more is noted, and no more hints are looked for."""
        return len(self.problems) >= MAX_PROBLEMS

    def wrong(self, code: str, key: str, message: str, hint: str = "") -> None:
        """Note a problem under `KIND-CODE`."""
        if not self.has_enough:
            self.problems.append(Problem(f"{self.kind}-{code}", message, key, hint))

    def unknown(self, word: str, known: Iterable[str], key: str, what: str) -> None:
        """Note a word that is none of the known ones, with the nearest as a hint."""
        hint = "" if self.has_enough else self.hint_for(word, known, key)
        self.wrong(f"unknown-{what}", key, f'"{word}" is no {what}', hint)

    def hint_for(self, word: str, known: Iterable[str], key: str) -> str:
        """Return the hint for a word at `key` that is none of the known ones."""
        return known_hint(word, known)

    def expect_keys(
        self,
        table: Mapping[str, Any],
        path: str,
        needed: tuple[str, ...],
        optional: tuple[str, ...] = (),
    ) -> None:
        """Note every key that is not known and every needed one that is missing."""
        known = {*needed, *optional}
        if not known.issuperset(table):
            for key in unknown_keys(table, known):
                self.unknown(key, (*needed, *optional), f"{path}{key}", "key")
        for key in needed:
            if key not in table:
                self.wrong("missing", f"{path}{key}", "missing")

    def id(self, table: Mapping[str, Any], key: str, path: str) -> str:
        """Return an id; an absent one is for `expect_keys` to note."""
        return self.checked_id(table.get(key, "absent"), f"{path}{key}")

    def checked_id(self, value: object, key: str) -> str:
        """Return a value that must be an id, or nothing."""
        if isinstance(value, str) and ID.fullmatch(value):
            return value
        self.wrong("id", key, f'{shown(value)} is no id: a letter a-z, then letters, digits, "_" or "-"')
        return ""

    def text(self, table: Mapping[str, Any], key: str, path: str) -> str:
        """Return a string."""
        value = table.get(key, "")
        if isinstance(value, str):
            return value
        self.wrong("text", f"{path}{key}", "must be a string")
        return ""

    def number(self, table: Mapping[str, Any], key: str, path: str, least: int, most: int = MOST) -> int:
        """Return an integer in a range; a boolean is none."""
        value = table.get(key, least)
        if type(value) is int and least <= value <= most:
            return value
        self.wrong("number", f"{path}{key}", f"{shown(value)} is no number from {least} to {most}", unquoted(value))
        return least

    def table(self, table: Mapping[str, Any], key: str, path: str) -> Mapping[str, Any]:
        """Return a table; an absent one is empty."""
        value = table.get(key, {})
        if isinstance(value, dict):
            return value
        self.wrong("table", f"{path}{key}", "must be a table")
        return {}

    def tables(self, tree: Mapping[str, Any], key: str, path: str = "") -> list[Mapping[str, Any]]:
        """Return a list of tables."""
        value = tree.get(key, [])
        if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
            return value
        hint = f"with two brackets on either side, [[{path}{key}]]" if isinstance(value, dict) else ""
        self.wrong("table", f"{path}{key}", f"must be tables, [[{path}{key}]]", hint)
        return []

    def texts(self, table: Mapping[str, Any], key: str, path: str) -> list[str]:
        """Return a list of different strings."""
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            self.wrong("list", f"{path}{key}", "must be a list of strings", as_list(key, value))
            return []
        seen: set[str] = set()
        for number, text in enumerate(value, start=1):
            if text in seen:
                self.wrong("twice", f"{path}{key}[{number}]", f'"{text}" stands here twice')
            seen.add(text)
        return value

    def ids(self, table: Mapping[str, Any], key: str, path: str) -> list[str]:
        """Return a list of different ids."""
        texts = self.texts(table, key, path)
        return [self.checked_id(text, f"{path}{key}[{n}]") for n, text in enumerate(texts, start=1)]
