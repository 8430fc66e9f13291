"""Receipts: the word of who makes the next game file that orders with this digest reached him (DESIGN section 3).

That is the host, in a table game the one who rolls. A player who holds a receipt can prove that he did not play what he
had received: `broken_by` compares it with the next game file. He may have played later orders of that player, with a
higher sequence; all else is named.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.documents.base64 import Base64Error, decode
from referee.documents.canonical import digest_of
from referee.documents.gamefile import Game, GameFile
from referee.documents.intake import ORDERS, RESIGN
from referee.documents.keys import Key
from referee.documents.rolling import Roller, roller_of, stated_roller
from referee.documents.signing import Document, Signed, sign, verified
from referee.errors import BadSignature, Problem, UnreadableDocument, raise_all
from referee.game.events import RollPassedOver
from referee.game.trees import nearest_hint, unknown_keys

RECEIPT = "referee/receipt/1"
_SHAPE: Mapping[str, type] = {
    "game": str, "nonce": str, "turn": int, "state": str, "player": str, "sequence": int, "orders": str,
}  # fmt: skip
_WORDS = {str: "string", int: "number"}
_BINARY = {"nonce": 16, "state": 32, "orders": 32}


class Receipt(NamedTuple):
    """What a receipt says; whether its host signed it is asked when it is held against a game."""

    game: str
    nonce: str
    turn: int
    state: str
    player: str
    sequence: int
    orders: str
    document: Document

    @property
    def file(self) -> str:
        """The file it came from, for messages."""
        return self.document.source.file


def receipt_tree(orders: Signed, before: GameFile, key: Key) -> dict[str, Any]:
    """Return a receipt for a player's signed orders that answer `before`; `key` is of who makes the next game file."""
    game, tree = before.game, orders.tree
    receipt = {
        "format": RECEIPT,
        "game": game.name,
        "nonce": game.nonce,
        "turn": game.turn,
        "state": before.digest,
        "player": orders.by,
        "sequence": tree["sequence"],
        "orders": orders.digest,
    }
    return {**receipt, "signature": sign(receipt, key, roller_of(game).name)}


def read_receipt(document: Document) -> Receipt:
    """Read a receipt; UnreadableDocument with all that is wrong."""
    source, tree = document.source, document.tree
    if document.format != RECEIPT:
        raise UnreadableDocument(source.problem("other-document", f'"{document.format}" is no receipt', "format"))
    found = [source.problem("missing-key", f'"{key}" is missing') for key in _SHAPE if key not in tree]
    for key in unknown_keys(tree, {*_SHAPE, "format"}):
        found.append(source.problem("unknown-key", f'"{key}" is no key', key, nearest_hint(key, _SHAPE)))
    for key, kind in _SHAPE.items():
        if key not in tree:
            continue
        if type(tree[key]) is not kind:
            found.append(source.problem("wrong-type", f"must be a {_WORDS[kind]}", key))
        elif key in _BINARY:
            try:
                decode(tree[key], _BINARY[key])
            except Base64Error as error:
                found.append(source.problem("not-binary", str(error), key))
    raise_all(UnreadableDocument, found)
    return Receipt(**{key: tree[key] for key in _SHAPE}, document=document)


def is_about(receipt: Receipt, after: Game) -> bool:
    """Say whether a receipt is for orders that this game file should be made of."""
    return receipt.state == after.previous and (receipt.game, receipt.nonce) == (after.name, after.nonce)


def signed_by_roller(receipt: Receipt, game: Game) -> Roller:
    """Return who has signed a receipt; BadSignature if it is not the host of the game, in a table game a player."""
    signed = receipt.document.signature
    roller = stated_roller(game, signed)
    if signed is not None and signed.by != roller.name:
        message = f'is signed by "{signed.by}", not by {roller.title}'
        raise BadSignature(receipt.document.source.problem("other-signer", message, "signature.by"))
    verified(receipt.document, roller.key)
    return roller


def broken_by(receipt: Receipt, after: GameFile) -> Problem | None:
    """Return what is wrong with the game file in the light of a receipt for it.

    Raises BadSignature if the receipt was not signed by the host of the game, or in a table game by a player: who is
    passed over has broken nothing.
    """
    game = after.game
    roller = signed_by_roller(receipt, game)
    if any(isinstance(event, RollPassedOver) and event.player == roller.name for event in game.events):
        return None
    papers = [one for one in game.evidence.documents if one.get("player") == receipt.player]
    played = [one for one in papers if one.get("format") == ORDERS]
    who = "the host" if roller.is_host else roller.name
    hint = f"the receipt {receipt.file} and this game file, both signed by {who}, are proof against him: keep them"
    if not played and any(one.get("format") == RESIGN for one in papers):
        return None  # who leaves plays no orders: he has signed that himself
    if not played:
        called = any(one.get("act") == "missed" for one in papers)
        what = "called missed" if called else "left out"
        message = f'orders of "{receipt.player}" for turn {receipt.turn} were received, and were {what}'
        return Problem("received", message, hint=hint, file=after.file)
    tree = {key: value for key, value in played[0].items() if key != "signature"}
    if digest_of(tree) == receipt.orders or tree["sequence"] > receipt.sequence:
        return None
    if any(one.get("act") == "substitute" for one in papers):
        return None  # what was received from who sat there before is void
    message = f'other orders of "{receipt.player}" for turn {receipt.turn} were received, not these'
    return Problem("received", message, hint=hint, file=after.file)
