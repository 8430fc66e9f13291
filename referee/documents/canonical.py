"""The one form of a document that is hashed and signed (DESIGN 3).

Canonical bytes are the document without its `signature` table as JSON by RFC 8785. Documents hold
only strings, integers within +-(2^53-1), booleans, arrays and tables with keys of the Basic
Multilingual Plane (`text.parse` sees to it); for these the standard encoder with sorted keys is
that RFC, since code points and UTF-16 units then sort alike.

Binary values are recognised by the names of their keys, in the one table `BINARY_KEYS`. White space
in them never counts; `sift` removes it when a document is read, before anything else.
"""

from collections.abc import Collection, Mapping
from hashlib import sha256
from json import JSONEncoder
from typing import Any

from referee.documents.base64 import decode, encode, stripped
from referee.game.records import NamedTuple

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
    found = {key: _copy(value) for key, value in tree.items()}
    sift(found)
    return found


def _copy(value: Any) -> Any:
    if type(value) is dict:
        return {key: _copy(child) for key, child in value.items()}
    return [_copy(entry) for entry in value] if type(value) is list else value


class Sifted(NamedTuple):
    """All that stands in a tree: keys, texts as they were, whole numbers, and what no document may hold."""

    keys: list[str]
    texts: list[str]
    numbers: list[int]
    others: list[Any]


def sift(tree: dict[str, Any], binary: Collection[str] = BINARY_KEYS) -> Sifted:
    """Take the white space out of all values below `binary` keys, in place, and return what stands in the tree."""
    found = Sifted([], [], [], [])
    tables = [tree]
    while tables:
        entries = _sift_tables(tables, binary, found)
        tables = []
        for value in entries:  # grows while it is gone through
            kind = type(value)
            if kind is str:
                found.texts.append(value)
            elif kind is int:
                found.numbers.append(value)
            elif kind is dict:
                tables.append(value)
            elif kind is list:
                entries += value
            elif kind is not bool:
                found.others.append(value)
    return found


def _sift_tables(tables: list[dict[str, Any]], binary: Collection[str], found: Sifted) -> list[Any]:
    """Do so in tables and the tables in them, and return the entries of all lists there."""
    keys, texts, numbers, others = found
    entries: list[Any] = []
    of_ids: set[int] = set()
    for table in tables:  # grows while it is gone through
        keys += table
        ids: Collection[str] = table if of_ids and id(table) in of_ids else ()
        for key, value in table.items():
            kind = type(value)
            if kind is str:
                texts.append(value)
                if key in binary:
                    table[key] = stripped(value)
            elif kind is int:
                numbers.append(value)
            elif kind is list:
                entries += value
                if key in binary:
                    table[key] = _bare(value)
            elif kind is dict:
                tables.append(value)
                if key in binary and key not in ids:
                    table[key] = _bare(value)
                elif key in ID_TABLES and not BINARY_KEYS.isdisjoint(value):
                    of_ids.add(id(value))
            elif kind is not bool:
                others.append(value)
    return entries


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
