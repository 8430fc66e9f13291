"""Capitals without a host: all commit themselves, and then each opens his own (DESIGN section 4, "Set-up").

In the first round the orders hold `[sealed]` with a commitment and no box; in the second the capital and, as `opening`,
the salt of the commitment. The salt follows from the player's key, so that he needs no secret file beside it; that of a
capital which is sealed to a host does so, too, for the day on which the host is gone. Loaded only in games that have
them. Rules: R-HQ-DA-02.
"""

from collections.abc import Mapping
from typing import Any

from referee.documents.base64 import Base64Error, decode, encode
from referee.documents.gamefile import Game, GameFile, SealedCapital
from referee.documents.gamevalues import LANGUAGES
from referee.documents.keys import Key
from referee.documents.sealing import sealed_commitment
from referee.documents.signing import Document
from referee.documents.text import Source
from referee.errors import BadSignature
from referee.game.board import TerritoryId
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple

OPENING = "opening"


def commitment_salt(game: Game, player: PlayerId, key: Key) -> bytes:
    """Return the 16 bytes with which a player hides his capital; nobody else can know them before he opens it."""
    salt = decode(game.nonce) + decode(game.people[player].salt)
    return key.derive(salt, b"referee/commitment/1", 16)


def committed(tree: Mapping[str, Any], source: Source) -> SealedCapital:
    """Return what stays in the game file of a commitment; BadSignature if there is anything else than one."""
    sealed = tree["sealed"]
    if not isinstance(sealed, dict) or sealed.keys() != {"commitment"}:
        message = "must have a commitment and no box: nobody is there to open it"
        raise BadSignature(source.problem("not-committed", message, "sealed"))
    try:
        decode(sealed["commitment"] if isinstance(sealed["commitment"], str) else "", 32)
    except Base64Error as error:
        raise BadSignature(source.problem("not-binary", str(error), "sealed.commitment")) from None
    return SealedCapital("", "", sealed["commitment"])


def check_opening(document: Document, before: GameFile) -> None:
    """Hold a capital that is opened against the commitment in the game file; BadSignature if it is another."""
    tree, player = document.tree, PlayerId(document.tree["player"])
    try:
        salt = decode(tree[OPENING] if isinstance(tree.get(OPENING), str) else "", 16)
    except Base64Error as error:
        hint = "`referee draft` with your key puts it in"
        raise BadSignature(document.source.problem("not-binary", str(error), OPENING, hint)) from None
    commitment = encode(sealed_commitment(salt, {"capital": tree.get("capital")}))
    if commitment != before.game.capitals[player].commitment:
        message = f'is not the capital to which "{player}" is committed'
        raise BadSignature(document.source.problem("other-capital", message, "capital"))


class Opened(NamedTuple):
    """A capital as its player named it, and the salt of the commitment."""

    capital: str
    opening: str


def own_opening(file: GameFile, player: PlayerId, key: Key) -> Opened | None:
    """Return what opens a player's commitment, found with his key; None if it is not to be found.

    A territory may have been named in any language of the board.
    """
    game = file.game
    kept = game.capitals.get(player)
    if kept is None:
        return None
    salt = commitment_salt(game, player, key)
    for territory in game.state.territories_of(player):
        for name in _names(game, territory):
            content: Mapping[str, Any] = {"capital": name}
            if encode(sealed_commitment(salt, content)) == kept.commitment:
                return Opened(name, encode(salt))
    return None


def _names(game: Game, territory: TerritoryId) -> tuple[str, ...]:
    return (territory, *(game.state.board.name_of(territory, code) for code in LANGUAGES))
