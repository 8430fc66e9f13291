"""B64: how binary values stand in documents (DESIGN 3).

The standard alphabet of RFC 4648 without padding; 32 bytes are 43 characters, 16 bytes 22. There is
exactly one way to write a value: whatever does not re-encode to the same characters is refused.
White space does not count, so that mail may wrap.
"""

from binascii import a2b_base64, b2a_base64
from collections.abc import Collection
from typing import Any

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_LAST_LETTERS = {1: b"AQgw", 2: b"AEIMQUYcgkosw048", 0: _LETTERS}


class Base64Error(ValueError):
    """A text that is no B64 of the size wanted; its message is fit for a `Problem`."""


def encode(data: bytes) -> str:
    """Write bytes as B64."""
    return b2a_base64(data, newline=False).rstrip(b"=").decode("ascii")


def stripped(text: str) -> str:
    """Return the text without any white space."""
    return "".join(text.split())


def decode(text: str, size: int | None = None) -> bytes:
    """Read B64, of exactly `size` bytes if that is given; white space does not count.

    Raises `Base64Error`, without quoting the text, which may have been meant to stay secret.
    """
    characters = stripped(text)
    try:
        data = a2b_base64(characters + "=" * (-len(characters) % 4))
    except ValueError:  # binascii.Error is one, and so is the error for characters outside ASCII
        data = b""
    # Lenient decoders pass over characters, and ignore the bits left over at the end: re-encoding
    # shows both.
    if encode(data) != characters:
        raise Base64Error(_reason(characters))
    if size is not None and len(data) != size:
        raise Base64Error(f"must be {_length(size)} characters of base64, not {len(characters)}")
    return data


def are_binary(values: Collection[Any], size: int) -> bool:
    """Say whether all these are strings of B64 of so many bytes, without white space; quick, as there are many."""
    try:
        joined = "".join(values)
    except TypeError:  # something is no string
        return False
    if values and {*map(len, values)} != {_length(size)}:
        return False
    last = "".join([value[-1:] for value in values])
    return not joined.encode().translate(None, _LETTERS) and not last.encode().translate(None, _LAST_LETTERS[size % 3])


def _length(size: int) -> int:
    return (size * 8 + 5) // 6


def _reason(characters: str) -> str:
    if "=" in characters:
        return 'must be base64 without padding: leave out "="'
    if "-" in characters or "_" in characters:
        return 'must be base64 in the standard alphabet, with "+" and "/" in place of "-" and "_"'
    return "is not base64"
