"""The one form of a document that is hashed and signed (DESIGN 3).

Canonical bytes are the document without its `signature` table as JSON by RFC 8785. Documents hold
only strings, integers within +-(2^53-1), booleans, arrays and tables with keys of the Basic
Multilingual Plane (`text.parse` sees to it); for these the standard encoder with sorted keys is
that RFC, since code points and UTF-16 units then sort alike.

Binary values are recognised by the names of their keys, in the one table `BINARY_KEYS`. White space
in them never counts; `normalise` removes it when a document is read, before anything else.
"""

from collections.abc import Mapping
from hashlib import sha256
from json import JSONEncoder
from operator import is_
from typing import Any

from referee.documents.base64 import decode, encode, stripped

_encode = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode

BINARY_KEYS = frozenset(
    {
        "anchor",
        "box",
        "boxes",
        "chain",
        "commitment",
        "commitments",
        "digest",
        "digests",
        "former_seal_keys",
        "game_secret",
        "handed_seal_keys",
        "invitation",
        "join",
        "key",
        "keys",
        "new_key",
        "new_seal_key",
        "nonce",
        "offer",
        "old_key",
        "previous",
        "reveal",
        "reveals",
        "roster",
        "salt",
        "salts",
        "seal_key",
        "seal_keys",
        "sealed",
        "secret_commitment",
        "seed",
        "start_seed",
        "state",
        "value",
    }
)
"""Keys below which every string is binary: B64, a key (`ed25519:B64`), or an id, which has no white
space either.
"""

ID_TABLES = frozenset({"capitals", "luck", "missions", "players", "standing"})
"""Where a table's name is an id and no word of the format: a player may be called `salt` and have a
title.
"""


_HOLDS = frozenset({dict, list})


def canonical(tree: Mapping[str, Any]) -> bytes:
    """Return the canonical bytes of a document; its own `signature` table is no part of them."""
    return json_bytes({key: value for key, value in tree.items() if key != "signature"})


def json_bytes(value: Any) -> bytes:
    """Return canonical JSON of any value that may stand in a document."""
    return _encode(value).encode()


def digest(data: bytes) -> str:
    """Return B64 of the SHA-256 of canonical bytes."""
    return encode(sha256(data).digest())


def digest_of(tree: Mapping[str, Any]) -> str:
    """Return the digest of a document."""
    return digest(canonical(tree))


def fingerprint(of: str) -> str:
    """Write a digest for people: its first 16 bytes in hex, in groups of four digits."""
    return decode(of, 32)[:16].hex(" ", 2)


def normalise(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with no white space in its binary values; the argument stays as it is.

    What is the same in both is shared by them.
    """
    return {**tree, **_changes(tree)}


def _changes(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is another value in a table once binary values are bare."""
    changed, binary = {}, BINARY_KEYS
    for key, value in tree.items():
        kind = type(value)
        if kind is int:
            continue
        if key in binary:
            new = _bare(value)
        elif kind is dict:
            new = _of_ids(value) if key in ID_TABLES else _table(value)
        elif kind is list:
            new = _within(value)
        else:
            continue
        if new is not value:
            changed[key] = new
    return changed


def _table(tree: dict[str, Any]) -> dict[str, Any]:
    changed = _changes(tree)
    return {**tree, **changed} if changed else tree


def _of_ids(tree: dict[str, Any]) -> dict[str, Any]:
    """Return the same of a table in which an id that is also a binary key may name a table."""
    return {
        name: _table(value) if type(value) is dict else _changes({name: value}).get(name, value)
        for name, value in tree.items()
    }


def _within(values: list[Any]) -> list[Any]:
    if not _HOLDS & {*map(type, values)}:
        return values  # most lists hold names or numbers
    new = [_table(one) if type(one) is dict else _within(one) if type(one) is list else one for one in values]
    return values if all(map(is_, new, values)) else new


def _bare(value: Any) -> Any:
    if type(value) is str:
        bare = stripped(value)
        return value if len(bare) == len(value) else bare
    if type(value) is list:
        return value if _is_bare(value) else [_bare(entry) for entry in value]
    return {key: _bare(child) for key, child in value.items()} if type(value) is dict else value


def _is_bare(values: list[Any]) -> bool:
    """Say quickly whether a list holds nothing but strings without white space, as long ones do."""
    try:
        joined = "".join(values)
    except TypeError:
        return False
    if joined.isascii():  # what is no character of a document is refused elsewhere
        return not (" " in joined or "\n" in joined or "\t" in joined)
    return joined.split(maxsplit=1) == [joined]
