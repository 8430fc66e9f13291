"""Hash chains: how somebody commits himself to all the rolls that he may ever have to make (DESIGN
5).

A chain has 4,096 links. Its end x_0, the anchor, is published when its owner enters the game; his
k-th roll reveals x_k, which anybody can check in one step. The chain follows from his key, so that
he needs no other secret file.
"""

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.documents.keys import Key

LENGTH = 4096
"""The number of links; a game that would need one more is over."""

_LABEL = b"referee/chain/1\n"
_INFO = b"referee/chain/1"


def link(key: "Key", nonce: bytes, salt: bytes, k: int) -> bytes:
    """Return x_k of the owner's chain; `salt` is that of his join, and empty for the host."""
    if not 0 <= k <= LENGTH:
        raise AssertionError(f"a chain of {LENGTH} links has no link {k}")
    value = key.derive(nonce + salt, _INFO)
    for _ in range(LENGTH - k):
        value = sha256(_LABEL + value).digest()
    return value


def anchor(key: "Key", nonce: bytes, salt: bytes) -> bytes:
    """Return x_0 of the owner's chain, which is published when he enters the game."""
    return link(key, nonce, salt, 0)


def passed(head: bytes, links: int) -> frozenset[bytes]:
    """Return all values of a chain that have been seen when its head is `head` after so many links."""
    seen = [head]
    for _ in range(min(links, LENGTH)):
        seen.append(step(seen[-1]))
    return frozenset(seen)


def step(value: bytes) -> bytes:
    """Return x_(k-1) for x_k; a reveal is good if this is the head that stands in the game file."""
    return sha256(_LABEL + value).digest()
