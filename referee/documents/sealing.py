"""What only one person may read, and commitments to what nobody may read yet (DESIGN 6).

From the host to a player: AES-SIV under a key that both can compute; it is deterministic, so that
`resolve` stays pure. From a player to the host: HPKE (RFC 9180), with a commitment in the clear
part of the document. All boxes of one kind have the same size whatever is in them.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from referee.documents.base64 import Base64Error, decode, encode
from referee.documents.canonical import json_bytes
from referee.documents.keys import Key, PublicKeyError, public_bytes
from referee.errors import BadSignature, Problem, UsageProblem
from referee.game.records import NamedTuple

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
    from cryptography.hazmat.primitives.hpke import Suite

SEALED_SIZE = 2048
"""The size in bytes of what is sealed to the host, blanks included."""

_CARD = b"referee/card/1\n"
_SEALED = b"referee/sealed/1\n"


class Content(NamedTuple):
    """What a player has sealed to the host, and the salt of his commitment."""

    content: dict[str, Any]
    salt: bytes


def card_commitment(salt: bytes, id: str) -> bytes:
    """Return the public commitment to a card or a mission in its position."""
    return sha256(_CARD + salt + id.encode()).digest()


def sealed_commitment(salt: bytes, content: Mapping[str, Any]) -> bytes:
    """Return the commitment that stands in the clear part of a document sealed to the host."""
    return sha256(_SEALED + salt + json_bytes(content)).digest()


def seal_key(key: Key, public: str, nonce: bytes) -> bytes:
    """Return the 64-byte seal key of host and player, from the key of one and the `x25519:B64` of
    the other.
    """
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    shared = key.seal_private.exchange(_recipient(public))
    return HKDF(SHA256(), 64, nonce, b"referee/seal/1").derive(shared)


def seal_box(key: bytes, game: str, turn: int, player: str, content: Mapping[str, Any], cards: int) -> str:
    """Seal to a player what he alone may read, and return the box as B64.

    `turn` is that of the game file which holds the box, `cards` the number of cards in his hand,
    open ones included: the size of the box shows nothing else.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    plain = _padded(json_bytes(content), 128 * (4 + cards))
    if plain is None:
        raise AssertionError(f"the box of {player} is too small for what is in it")
    return encode(AESSIV(key).encrypt(plain, _associated(game, turn, player)))


def open_box(key: bytes, game: str, turn: int, player: str, box: str) -> dict[str, Any]:
    """Return what is in a box; raises `BadSignature` if it was not sealed so, for this player and
    turn.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    try:
        plain = AESSIV(key).decrypt(decode(box), _associated(game, turn, player))
    except (InvalidTag, Base64Error, ValueError):
        raise _unopened(f'the sealed box of "{player}" cannot be opened with this key') from None
    return _content(plain)


def _associated(game: str, turn: int, player: str) -> list[bytes]:
    return [game.encode(), str(turn).encode(), player.encode()]


def seal_to_host(
    public: str,
    game: str,
    nonce: str,
    player: str,
    state: str,
    content: Mapping[str, Any],
    salt: bytes,
    size: int = SEALED_SIZE,
) -> str:
    """Seal to the host's `x25519:B64` what a player must tell him alone, and return the box as B64.

    `nonce` and `state` are B64; the salt is 16 random bytes, also used for `sealed_commitment`; `size` is that of what
    is sealed, blanks included. HPKE draws a key of its own, so two boxes with the same content differ.
    """
    tree = {"content": content, "salt": encode(salt)}
    plain = _padded(json_bytes(tree), size)
    if plain is None:
        raise UsageProblem(Problem("too-long", f"is too long to be sealed in {size} bytes"))
    return encode(_suite().encrypt(plain, _recipient(public), info=sealed_info(game, nonce, player, state)))


def open_to_host(
    key: Key, game: str, nonce: str, player: str, state: str, box: str, most: int = SEALED_SIZE
) -> Content:
    """Return what a player has sealed to the host; raises `BadSignature` if it was not sealed so.

    What is sealed has `SEALED_SIZE` bytes, or a multiple of that up to `most`.
    Whether it fits the commitment is for the caller to check, with `sealed_commitment`.
    """
    from cryptography.exceptions import InvalidTag

    info = sealed_info(game, nonce, player, state)
    try:
        plain = _suite().decrypt(decode(box), key.seal_private, info=info)
    except (InvalidTag, Base64Error, ValueError):
        raise _unopened(f'what "{player}" has sealed cannot be opened with this key') from None
    tree = _content(plain)
    content, salt = tree.get("content"), tree.get("salt")
    fits = len(plain) % SEALED_SIZE == 0 and len(plain) <= most
    if not fits or len(tree) != 2 or not isinstance(content, dict) or not isinstance(salt, str):
        raise _unopened(f'what "{player}" has sealed must be `content` and `salt` in {SEALED_SIZE} bytes')
    try:
        return Content(content, decode(salt, 16))
    except Base64Error as error:
        raise _unopened(f'the salt that "{player}" has sealed {error}') from None


def sealed_info(game: str, nonce: str, player: str, state: str) -> bytes:
    """Return what binds a box for the host to one game, player and state."""
    return _SEALED + json_bytes({"game": game, "nonce": nonce, "player": player, "state": state})


def _suite() -> "Suite":
    from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

    return Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)


def _recipient(public: str) -> "X25519PublicKey":
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    try:
        return X25519PublicKey.from_public_bytes(public_bytes(public, "x25519"))
    except PublicKeyError as error:
        raise BadSignature(Problem("bad-key", f"the seal key on record {error}")) from None


def _padded(data: bytes, size: int) -> bytes | None:
    return data.ljust(size, b" ") if len(data) <= size else None


def _content(plain: bytes) -> dict[str, Any]:
    """Read the JSON of a box, which was made by somebody else and may be anything."""
    try:
        tree = json.loads(plain)
        sound = isinstance(tree, dict) and json_bytes(tree) == plain.rstrip(b" ")
    except (ValueError, RecursionError):
        sound = False
    if not sound:
        raise _unopened("what is in the box is no table in canonical JSON")
    return tree  # type: ignore[no-any-return]


def _unopened(message: str) -> BadSignature:
    return BadSignature(Problem("not-opened", message))
