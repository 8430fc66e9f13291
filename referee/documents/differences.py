"""Where a game file differs from what the replay gives: the first place, in words for its reader."""

from collections.abc import Mapping
from typing import Any

from referee.documents.canonical import json_bytes
from referee.documents.lines import joined

_MISSING = object()


def first_difference(stated: Mapping[str, Any], wanted: Mapping[str, Any]) -> tuple[str, str]:
    """Return the path of the first value that is another one, and what it is and should be, in one line."""
    key, here, there = _difference(stated, wanted, "")
    if isinstance(here, _Words):
        return key, f"has {here}, the replay gives {there}"
    return key, f"is {_short(here)}, the replay gives {_short(there)}"


def _difference(here: Any, there: Any, path: str) -> tuple[str, Any, Any]:
    if isinstance(here, dict) and isinstance(there, Mapping):
        for key in [*there, *(key for key in here if key not in there)]:
            mine, theirs = here.get(key, _MISSING), there.get(key, _MISSING)
            if not _is_same(mine, theirs):
                return _difference(mine, theirs, joined(path, key))
    if isinstance(here, list) and isinstance(there, (list, tuple)):
        for number, (mine, theirs) in enumerate(zip(here, there, strict=False), start=1):
            if not _is_same(mine, theirs):
                return _difference(mine, theirs, f"{path}[{number}]")
        if len(here) != len(there):
            return path, _Words(f"{len(here)} entries"), _Words(len(there))
    return path, here, there


def _is_same(here: Any, there: Any) -> bool:
    """Say whether two values are the same in canonical bytes, where `true` is not 1."""
    if here is _MISSING or there is _MISSING:
        return here is there
    return json_bytes(here) == json_bytes(there)


class _Words(str):
    """Words about a value, in place of the value."""


def _short(value: Any) -> str:
    """Write a value in one line, cut where it is long."""
    if value is _MISSING:
        return "nothing"
    text = json_bytes(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"
