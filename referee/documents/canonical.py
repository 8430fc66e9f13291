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
    """Return the document with no white space in its binary values; the argument stays as it is."""
    found, binary = dict(tree), BINARY_KEYS
    for key, value in tree.items():
        kind = type(value)
        if kind is int:
            continue
        if key in binary:
            found[key] = _bare(value)
        elif kind is dict or kind is list:
            found[key] = _normal(key, value)
    return found


def _normal(key: str, value: Any) -> Any:
    if key in BINARY_KEYS:
        return _bare(value)
    if type(value) is dict:
        if key in ID_TABLES:
            return {
                name: normalise(child) if type(child) is dict else _normal(name, child) for name, child in value.items()
            }
        return normalise(value)
    return _within(value) if type(value) is list else value


def _within(value: Any) -> Any:
    if type(value) is dict:
        return normalise(value)
    if type(value) is not list or not _HOLDS & {*map(type, value)}:
        return value  # most lists hold names or numbers
    return [_within(entry) for entry in value]


def _bare(value: Any) -> Any:
    if type(value) is str:
        return stripped(value)
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
