"""One document looked into before it is handed in: is it legal, and what does it say (DESIGN section 4).

`look` asks the same functions as `resolve` does, so both agree. Unlike `resolve` it takes drafts too: a document that
is not signed yet needs no signature and no salt; one that is signed must be signed rightly. What depends on a hand that
is not known, or on a seal that cannot be opened, is said to be unchecked.
"""

from collections.abc import Mapping
from typing import Any, Literal

from referee.documents.gamefile import GameFile
from referee.documents.hand import open_hand
from referee.documents.intake import (
    ACT,
    ORDERS,
    REVEAL,
    check_head,
    read_body,
    secret_keys,
    verified_from,
    why_not_for,
    why_not_now,
)
from referee.documents.keys import Key
from referee.documents.signing import Document
from referee.errors import BadSignature, IllegalOrders, Problem, UnreadableDocument, raise_all
from referee.game.board import CardId
from referee.game.legality import Hand, findings, hand_of, standing_findings
from referee.game.orders import CapitalChoice, Claim, Deployment, Orders, PlayerId, SetUpOrders
from referee.game.position import DrawVote, NewStanding, Resignation
from referee.game.records import NamedTuple
from referee.game.rounds import set_up_findings


class Act(NamedTuple):
    """What an act of the host says: the word, about whom, and the digest of a join or a time."""

    word: str
    player: str
    what: str


Body = Orders | SetUpOrders | NewStanding | Resignation | DrawVote | Act
Unchecked = Literal["hand", "sealed", "handed"]

_NO_SALT = "A" * 22


class Looked(NamedTuple):
    """What a document says; `unchecked` is what could not be looked into without a key."""

    format: str
    player: PlayerId
    sequence: int
    signed: bool
    body: Body | None
    hand: Hand
    unchecked: tuple[Unchecked, ...] = ()


def look(document: Document, before: GameFile, key: Key | None = None) -> Looked:
    """Check a document that answers a game file, and return what was understood.

    `key` is the player's own, or the host's. Raises UnreadableDocument, BadSignature or IllegalOrders with all that is
    wrong.
    """
    if document.format == ACT:
        return _act(document, before, key)
    signed = document.signature is not None
    whole = document
    if not signed and document.format == ORDERS:
        whole = document._replace(tree={"salt": _NO_SALT, **document.tree})
    raise_all(UnreadableDocument, check_head(whole, before))
    raise_all(IllegalOrders, why_not_for(whole, before))
    if signed:
        verified_from(whole, before)
    raise_all(IllegalOrders, why_not_now(whole, before))
    player = PlayerId(whole.tree["player"])
    cards = cards_seen(before, player, key)
    hand = hand_of(before.game.state, player, cards)
    looked = Looked(whole.format, player, whole.tree.get("sequence", 1), signed, None, hand)
    if whole.format == REVEAL:
        return looked
    content = _secret_part(whole, before, key)
    if content is None and "sealed" in whole.tree:
        return looked._replace(unchecked=("sealed",))
    body: Body = read_body(whole, before, content)
    return _held_against_rules(looked._replace(body=body), whole, before)


def _act(document: Document, before: GameFile, key: Key | None) -> Looked:
    """Return what an act says; whether a substitute can take the seat is seen when his join is there, too.

    What is handed over to another host is looked into with his key.
    """
    from referee.documents.acts import read_act, why_not_called

    act = read_act(document, before)
    raise_all(IllegalOrders, why_not_called(act, before))
    tree = act.tree
    player = str(tree.get("player", tree.get("name", tree.get("host", ""))))
    body = Act(tree["act"], player, str(tree.get("join", tree.get("deadline", ""))))
    looked = Looked(ACT, PlayerId(player), 0, True, body, Hand((), 0))
    if tree["act"] == "take_over":
        from referee.documents.handing import why_not_host

        raise_all(IllegalOrders, why_not_host(act, before))
    if tree["act"] == "open_hand":
        from referee.documents.gone import why_not_opened

        raise_all(BadSignature, why_not_opened(act, before))
    if tree["act"] != "hand_over":
        return looked
    if key is None or key.public == before.game.keeper.key:
        return looked._replace(unchecked=("handed",))
    from referee.documents.handing import check_handing

    check_handing(before, act, key)
    return looked


def cards_seen(before: GameFile, player: PlayerId, key: Key | None) -> Mapping[str, CardId]:
    """Return the cards of a player that the holder of `key` can see, by name; none without a key."""
    game = before.game
    if key is None:
        return {}
    if game.state.openly:
        return {card: CardId(card) for card in game.state.hands[player]}
    if key.public == game.keeper.key:
        from referee.documents.boxes import host_knowledge

        return host_knowledge(game, key).cards(game.state, player)
    own = open_hand(before, key)
    if own.player != player:
        message = f'is the key of "{own.player}", but the document speaks for "{player}"'
        raise BadSignature(Problem("other-key", message, "--key"))
    return own.cards


def _secret_part(document: Document, before: GameFile, key: Key | None) -> Mapping[str, Any] | None:
    """Return what only the host may read: as it stands in a draft, or opened with the host's key."""
    tree = document.tree
    if document.format != ORDERS:
        return None
    if "sealed" in tree:
        if before.game.state.openly or key is None or key.public != before.game.keeper.key:
            return None
        from referee.documents.boxes import open_sealed_part

        return open_sealed_part(document, before, key).content
    secret = secret_keys(before.game.state)
    if document.signature is not None or not secret:
        return None
    return {name: tree[name] for name in secret if name in tree}


def _held_against_rules(looked: Looked, document: Document, before: GameFile) -> Looked:
    from referee.documents.refusals import all_refused

    state = before.game.state
    match looked.body:
        case Orders():
            found = findings(looked.body, state, looked.hand)
            raise_all(IllegalOrders, all_refused(found, document.source, state.board))
            if looked.body.trades and not looked.hand.is_open:
                return looked._replace(unchecked=("hand",))
        case NewStanding(standing):
            wrong = standing_findings(standing, state)
            raise_all(IllegalOrders, all_refused(wrong, document.source, state.board))
        case Claim() | Deployment() | CapitalChoice():
            wrong = set_up_findings(looked.body, state)
            raise_all(IllegalOrders, all_refused(wrong, document.source, state.board))
    return looked
