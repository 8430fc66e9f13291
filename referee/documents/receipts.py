"""Receipts: the word of who makes the next game file that orders with this digest reached him (DESIGN section 3).

That is the host, in a table game the one who rolls. A player who holds a receipt can prove that he did not play what he
had received: `broken_by` compares it with the next game file. He may have played later orders of that player, with a
higher sequence; nobody's in a round of the set-up that waits for others; and none of one who leaves, or of one whose
seat somebody else has taken. All else is named. Where seats have changed hands a receipt says with which key the orders
were signed; without it they are of the one who sat there first.
"""

from collections.abc import Mapping
from typing import Any

from referee.documents.canonical import digest_of
from referee.documents.gamefile import MAX_GAME_BYTES, Game, GameFile
from referee.documents.intake import ORDERS, RESIGN
from referee.documents.keys import Key
from referee.documents.kinds import version_hint, why_not_shaped
from referee.documents.rolling import Roller, roller_of, stated_roller
from referee.documents.signing import Document, Signed, read, sign, verified_by
from referee.errors import Problem, UnreadableDocument, raise_all
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple

RECEIPT = "referee/receipt/1"
_SHAPE: Mapping[str, type] = {
    "game": str, "nonce": str, "turn": int, "state": str, "player": str, "sequence": int, "orders": str,
}  # fmt: skip
_MAYBE: Mapping[str, type] = {"key": str}
_BINARY = {"nonce": 16, "state": 32, "orders": 32}


class Receipt(NamedTuple):
    """What a receipt says; whether its host signed it is asked when it is held against a game.

    `key` signed the orders; it is empty for who sat at the seat first.
    """

    game: str
    nonce: str
    turn: int
    state: str
    player: str
    sequence: int
    orders: str
    document: Document
    key: str = ""

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
        **({"key": orders.key} if game.people[PlayerId(orders.by)].former else {}),
    }
    return {**receipt, "signature": sign(receipt, key, roller_of(game).name)}


def read_receipt(document: Document) -> Receipt:
    """Read a receipt; UnreadableDocument with all that is wrong."""
    source, tree = document.source, document.tree
    if document.format != RECEIPT:
        message, hint = f'"{document.format}" is no receipt', version_hint(document.format, RECEIPT)
        raise UnreadableDocument(source.problem("other-document", message, "format", hint))
    raise_all(UnreadableDocument, why_not_shaped(document, _SHAPE, _MAYBE, _BINARY))
    return Receipt(**{key: tree[key] for key in (*_SHAPE, *_MAYBE) if key in tree}, document=document)


def is_about(receipt: Receipt, after: Game) -> bool:
    """Say whether a receipt is for orders that this game file should be made of."""
    return receipt.state == after.previous and (receipt.game, receipt.nonce) == (after.name, after.nonce)


def signed_by_roller(receipt: Receipt, game: Game) -> Roller:
    """Return who has signed a receipt; BadSignature if it is not the host of the game, in a table game a player."""
    roller = stated_roller(game, receipt.document.signature)
    verified_by(receipt.document, roller.name, roller.key, roller.title)
    return roller


def broken_by(receipt: Receipt, after: GameFile) -> Problem | None:
    """Return what is wrong with the game file in the light of a receipt for it.

    Raises BadSignature if the receipt was not signed by the host of the game, or in a table game by a player. There it
    binds who has made the file: neither who was passed over nor who had not to roll has broken anything.
    """
    game = after.game
    roller = signed_by_roller(receipt, game)
    if not roller.is_host and roller.name != _maker(after):
        return None
    papers = [one for one in game.evidence.documents if one.get("player") == receipt.player]
    if any(one.get("act") == "substitute" for one in papers) and not _is_of_who_sits(receipt, game):
        return None  # what was received from who sat there before is void
    played = [one for one in papers if one.get("format") == ORDERS]
    who = "the host" if roller.is_host else roller.name
    hint = f"the receipt {receipt.file} and this game file, both signed by {who}, are proof against him: keep them"
    called = any(one.get("act") == "missed" for one in papers)
    if not played and any(one.get("format") == RESIGN for one in papers):
        return None  # who leaves plays no orders: he has signed that himself
    if not played and not called and _has_waited(game):
        return None
    if not played:
        what = "called missed" if called else "left out"
        message = f'orders of "{receipt.player}" for turn {receipt.turn} were received, and were {what}'
        return Problem("received", message, hint=hint, file=after.file)
    tree = {key: value for key, value in played[0].items() if key != "signature"}
    if digest_of(tree) == receipt.orders or tree["sequence"] > receipt.sequence:
        return None
    message = f'other orders of "{receipt.player}" for turn {receipt.turn} were received, not these'
    return Problem("received", message, hint=hint, file=after.file)


def _maker(made: GameFile) -> str:
    """Return who has signed a game file."""
    signature = read(made.text.encode(), made.file, MAX_GAME_BYTES).signature
    return signature.by if signature is not None else ""


def _is_of_who_sits(receipt: Receipt, game: Game) -> bool:
    """Say whether the orders were signed by who sits at the seat in this game file."""
    person = game.people[PlayerId(receipt.player)]
    first = person.former[0].key if person.former else person.key
    return (receipt.key or first) == person.key


def _has_waited(game: Game) -> bool:
    """Say whether nothing was carried out in a round of the set-up, as the orders of somebody else had not come.

    In a turn nobody is called missed unless the one who is awaited is.
    """
    given = game.evidence.documents
    missed = any(one.get("act") == "missed" for one in given)
    return missed and game.state.settings.missed == "wait" and all(one.get("format") != ORDERS for one in given)
