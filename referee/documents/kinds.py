"""Kinds of documents: those that open a game, for those who need not read them; versions; the keys of a kind, types.

What is said of a wrong key is the same for all kinds that are tables of plain values. Whether what stands there makes
sense is asked where a kind is read.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from referee.documents.base64 import Base64Error, decode
from referee.errors import Problem
from referee.game.trees import nearest_hint, unknown_keys

if TYPE_CHECKING:
    from referee.documents.signing import Document

INVITATION = "referee/invitation/1"
JOIN = "referee/join/1"

_TYPES = {int: "number", str: "string", list: "list"}


def version_hint(format: str, known: str) -> str:
    """Return what to say of a document of the kind `known` in another version; nothing of one of another kind."""
    kind, _, version = known.rpartition("/")
    if format == known or format.rpartition("/")[0] != kind:
        return ""
    return f"it was made for another version of the referee: this one reads version {version}"


def why_not_shaped(
    document: "Document",
    needed: Mapping[str, type],
    optional: Mapping[str, type] = {},
    sizes: Mapping[str, int] = {},
) -> list[Problem]:
    """Return what is wrong with a document that has these keys, beside its `format`, and no others.

    First what is missing, then what is unknown, then what is of another type, or binary of another size.
    """
    kinds = {**needed, **optional}
    return [*missing_keys(document, needed), *other_keys(document, kinds), *wrong_values(document, kinds, sizes)]


def missing_keys(document: "Document", needed: Mapping[str, type], hints: Mapping[str, str] = {}) -> list[Problem]:
    """Return a problem for each key that is missing; `hints` say what to do, by key."""
    return [
        document.source.problem("missing-key", f'"{key}" is missing', "", hints.get(key, ""))
        for key in needed
        if key not in document.tree
    ]


def other_keys(document: "Document", known: Mapping[str, type]) -> list[Problem]:
    """Return a problem for each key that is not known, with the nearest as a hint."""
    return [
        document.source.problem("unknown-key", f'"{key}" is no key', key, nearest_hint(key, known))
        for key in unknown_keys(document.tree, {*known, "format"})
    ]


def wrong_values(
    document: "Document",
    kinds: Mapping[str, type],
    sizes: Mapping[str, int] = {},
    hint: Callable[[object], str] | None = None,
) -> list[Problem]:
    """Return a problem for each value of another type, or that is not binary of the size in bytes in `sizes`.

    `hint` says what to do with a value that should be a number.
    """
    source, tree = document.source, document.tree
    found = []
    for key, kind in kinds.items():
        if key not in tree:
            continue
        if type(tree[key]) is not kind:
            what_to_do = hint(tree[key]) if hint is not None and kind is int else ""
            found.append(source.problem("wrong-type", f"must be a {_TYPES[kind]}", key, what_to_do))
        elif key in sizes:
            try:
                decode(tree[key], sizes[key])
            except Base64Error as error:
                found.append(source.problem("not-binary", str(error), key))
    return found
