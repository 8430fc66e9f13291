"""From bytes to a document, and from a document to what somebody has verifiably signed (DESIGN 3).

    bytes --read--> Document --verified(key on record)--> Signed

A `Document` claims; a `Signed` has been checked, and `verified` is the only thing that makes one.
The kind of document is part of what is signed, and the signature is over the meaning: layout,
comments and order of keys do not count.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.documents.base64 import Base64Error, decode, encode, stripped
from referee.documents.canonical import BINARY_KEYS, canonical, digest, normalise
from referee.documents.keys import Key, PublicKeyError, public_bytes
from referee.documents.text import BEGIN, MAX_BYTES, Source, out_of_mail, parse, parse_each
from referee.errors import BadSignature, Problem, UnreadableDocument, raise_all
from referee.game.records import NamedTuple
from referee.game.trees import unknown_keys

_LABEL = b"referee-signature-v1\n"
_PARTS = ("by", "key", "value")


class Signature(NamedTuple):
    """A signature as it stands in a document: who, with which key (`ed25519:B64`), the 64 bytes."""

    by: str
    key: str
    value: bytes


class Document(NamedTuple):
    """A document that has been read; nothing about its signature, if there is one, has been
    checked.

    `tree` is without the signature, and without white space in binary values.
    """

    format: str
    tree: dict[str, Any]
    signature: Signature | None
    source: Source


class Signed(NamedTuple):
    """A document that `by` has signed with `key`, the key on record for him; see `verified`."""

    format: str
    tree: dict[str, Any]
    by: str
    key: str
    signature: bytes
    digest: str
    source: Source


def read(data: bytes, file: str = "", limit: int = MAX_BYTES) -> Document:
    """Read a document of any kind; raises `UnreadableDocument` with all that is wrong."""
    source = parse(data, file, limit, BINARY_KEYS)
    return bare_document(source.tree, source)


def read_each(data: bytes, file: str = "", limit: int = MAX_BYTES) -> list[Document]:
    """Read the document that a text is, or all that stand in it between marker lines, one after the other.

    Raises `UnreadableDocument` with all that is wrong.
    """
    data = out_of_mail(data)
    is_marked = BEGIN.encode() in data and data.count(b"format") > 1
    try:
        whole = read(data, file, limit)
        if not is_marked or not _has_format(whole.tree.values()):
            return [whole]
    except UnreadableDocument:
        if not is_marked or len(data) > limit:
            raise
    sources = parse_each(data, file, BINARY_KEYS)
    return [bare_document(source.tree, source) for source in sources] or [read(data, file, limit)]


def _has_format(values: Iterable[Any]) -> bool:
    """Say whether a table within a document begins another one: they were run together, and may still be TOML."""
    for value in values:
        if isinstance(value, dict) and ("format" in value or _has_format(value.values())):
            return True
        if isinstance(value, list) and _has_format(value):
            return True
    return False


def document(tree: dict[str, Any], source: Source, path: str = "") -> Document:
    """Return the document that a tree is, for instance one that stands within another.

    `path` is where the tree stands in its source, for error lines.
    """
    return bare_document(normalise(tree), source, path)


def bare_document(tree: Mapping[str, Any], source: Source, path: str = "") -> Document:
    """Return the same of a tree that has no white space in its binary values, as one that was read."""
    content = dict(tree)
    problems: list[Problem] = []
    table = content.pop("signature", None)
    format = content.get("format")
    if not isinstance(format, str):
        what = "must be a string" if "format" in content else "is missing"
        hint = 'the first line of a document names its kind, like format = "referee/orders/1"'
        problems.append(source.problem("no-format", f"`format` {what}", path, hint))
    where = f"{path}.signature" if path else "signature"
    signature = _signature(table, where, source, problems) if table is not None else None
    raise_all(UnreadableDocument, problems)
    return Document(str(format), content, signature, source)


def _signature(table: Any, path: str, source: Source, problems: list[Problem]) -> Signature | None:
    """Read a signature table, adding to the problems."""
    if not isinstance(table, dict):
        problems.append(source.problem("bad-signature-table", "must be a table", path))
        return None
    missing = [part for part in _PARTS if part not in table]
    unknown = list(unknown_keys(table, _PARTS))
    for part in missing:
        problems.append(source.problem("missing-key", f'"{part}" is missing', path))
    for part in unknown:
        problems.append(source.problem("unknown-key", f'"{part}" is unknown here', path))
    if missing or unknown:
        return None
    by, key = table["by"], table["key"]
    for part in ("by", "key"):
        if not isinstance(table[part], str):
            problems.append(source.problem("not-a-string", "must be a string", f"{path}.{part}"))
    value = _halves(table["value"])
    if isinstance(value, str):
        problems.append(source.problem("bad-signature-value", value, f"{path}.value"))
    elif isinstance(by, str) and isinstance(key, str):
        return Signature(by, key, value)
    return None


def _halves(value: Any) -> bytes | str:
    """Return the 64 bytes of a signature, or what is wrong with it."""
    if not isinstance(value, list) or len(value) != 2 or not all(type(v) is str for v in value):
        return "must be a list of two strings, the two halves of the signature"
    try:
        return decode(value[0], 32) + decode(value[1], 32)
    except Base64Error as error:
        return f"each half {error}"


def message(format: str, data: bytes) -> bytes:
    """Return what is signed: a label for this use of keys, the kind of document, its bytes."""
    return _LABEL + format.encode() + b"\n" + data


def sign(tree: dict[str, Any], key: Key, by: str) -> dict[str, Any]:
    """Return the `signature` table for a document, whose `format` is taken from the tree.

    A signature that is there already is no part of what is signed.
    """
    content = normalise(tree)
    return signature_of(content["format"], canonical(content), key, by)


def signature_of(format: str, data: bytes, key: Key, by: str) -> dict[str, Any]:
    """Return the `signature` table for a document of this kind with these canonical bytes."""
    value = key.sign(message(format, data))
    return {"by": by, "key": key.public, "value": in_halves(value)}


def in_halves(signature: bytes) -> list[str]:
    """Write the 64 bytes of a signature as they stand in a document."""
    return [encode(signature[:32]), encode(signature[32:])]


@lru_cache(maxsize=16)
def _public_key(text: str) -> Ed25519PublicKey:
    """Return a checked key; in a row of files the same few come again and again."""
    return Ed25519PublicKey.from_public_bytes(public_bytes(text, "ed25519"))


def verified(document: Document, key_on_record: str) -> Signed:
    """Return the document as signed, if the signature holds under the key on record for its signer.

    Whether `by` may sign such a document, and which key is on record for him, is for the caller to
    know. Raises `BadSignature`.
    """
    signature = document.signature
    if signature is None:
        raise _bad(document, "not-signed", "is not signed", "`referee sign` signs it")
    record = stripped(key_on_record)
    if signature.key != record:
        raise _bad(
            document,
            "other-key",
            f'is signed with {signature.key}; the key on record for "{signature.by}" is {record}',
            "it must be signed with the key on record",
        )
    try:
        public = _public_key(record)
    except PublicKeyError as error:
        raise _bad(document, "bad-key", f'the key on record for "{signature.by}" {error}') from None
    data = canonical(document.tree)
    try:
        public.verify(signature.value, message(document.format, data))
    except InvalidSignature:
        raise _bad(
            document,
            "wrong-signature",
            f'the signature of "{signature.by}" does not hold',
            "something was changed after it was signed; ask for the file again",
        ) from None
    return Signed(
        document.format,
        document.tree,
        signature.by,
        signature.key,
        signature.value,
        digest(data),
        document.source,
    )


def verified_by(document: Document, name: str, key_on_record: str, title: str = "") -> Signed:
    """Return the document as signed by the one who must have signed it; BadSignature if another has.

    `title` is what he is called then.
    """
    refuse_other_signer(document, name, f"not by {title}" if title else f'not by "{name}"')
    return verified(document, key_on_record)


def refuse_other_signer(document: Document, name: str, but: str) -> None:
    """Raise BadSignature if another than `name` has signed the document; `but` ends what is said of it."""
    if document.signature is not None and document.signature.by != name:
        message = f'is signed by "{document.signature.by}", {but}'
        raise BadSignature(document.source.problem("other-signer", message, "signature.by"))


def _bad(document: Document, code: str, message: str, hint: str = "") -> BadSignature:
    return BadSignature(Problem(code, message, hint=hint, file=document.source.file))
