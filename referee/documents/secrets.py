"""What the host keeps secret, and the seeds of the game (DESIGN 5 and 6).

Everything secret follows from the host's key and the nonce of the game; when the game is over
`game_secret` is published, and everybody can compute the rest with these same functions. Nothing
here is random.
"""

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from referee.documents.base64 import stripped
from referee.documents.canonical import json_bytes

if TYPE_CHECKING:
    from referee.documents.keys import Key


def game_secret(key: "Key", nonce: bytes) -> bytes:
    """Return the secret of a game, from the host's key."""
    return key.derive(nonce, b"referee/secret/1")


def secret_commitment(secret: bytes) -> bytes:
    """Return what the invitation publishes of the game secret."""
    return sha256(b"referee/secret/1\n" + secret).digest()


def deck_seed(secret: bytes, start_seed: bytes, number: int) -> bytes:
    """Return the seed of a shuffle of the deck (label `deck`); shuffles are numbered from 1."""
    return _seed(b"referee/deck/1\n", secret, start_seed, number)


def missions_seed(secret: bytes, start_seed: bytes) -> bytes:
    """Return the seed with which the missions are shuffled (label `missions`)."""
    return _seed(b"referee/missions/1\n", secret, start_seed, 1)


def _seed(label: bytes, secret: bytes, start_seed: bytes, number: int) -> bytes:
    return sha256(label + secret + start_seed + number.to_bytes(4, "big")).digest()


def position_salt(secret: bytes, label: str, position: int) -> bytes:
    """Return the 16-byte salt of a position from 0 on; `label` is `deck/1` or `missions/1`."""
    message = f"referee/salt/1\n{label}/{position}".encode()
    return hmac.digest(secret, message, "sha256")[:16]


def turn_seed(
    game: str,
    nonce: str,
    turn: int,
    state: str,
    orders: Sequence[str],
    reveals: Iterable[tuple[str, str]],
) -> bytes:
    """Return the seed of a turn's dice.

    `state` is the digest of the previous game file, `orders` the digests of the orders that the
    turn requires, in seat order, `reveals` pairs of id and B64 in any order. Binary values are
    given as B64.
    """
    content = {
        "game": game,
        "nonce": stripped(nonce),
        "turn": turn,
        "state": stripped(state),
        "orders": [stripped(order) for order in orders],
        "reveals": [[who, stripped(value)] for who, value in sorted(reveals)],
    }
    return sha256(b"referee/turn/1\n" + json_bytes(content)).digest()
