"""Making acts: what is missing, who is passed over, who takes a seat, other keys, deadlines (DESIGN sections 3 and 4).

`acts` reads and checks them. Nothing here is random, so an act made twice is the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.documents.acts import may_sign
from referee.documents.boxes import boxes, host_knowledge, seal_keys_of
from referee.documents.gamefile import Game, GameFile
from referee.documents.intake import ACT
from referee.documents.invitation import Join, is_time, no_time
from referee.documents.keys import Key
from referee.documents.seats import Substitute, taken_over, why_no_other_key, why_not_seated
from referee.documents.signing import Document, document, sign
from referee.documents.text import Source
from referee.errors import BadSignature, IllegalOrders, Problem, UsageProblem, raise_all
from referee.game.orders import PlayerId


def missed_act(before: GameFile, player: PlayerId, key: Key) -> Document:
    """Return the signed word that something of a player has not come."""
    tree = _signed(before, key, act="missed", player=player)
    return document(tree, Source(tree, "", f"--missed {player}"))


def passed_over_act(before: GameFile, player: PlayerId, orders: Sequence[str], key: Key) -> dict[str, Any]:
    """Return the signed word that a player does not roll for these orders; he misses his next turn.

    `orders` are their digests in seat order.
    """
    return _signed(before, key, act="passed_over", player=player, orders=list(orders))


def deadline_act(before: GameFile, deadline: str, key: Key) -> dict[str, Any]:
    """Return the signed act that says when the next orders are due; UsageProblem if it is no time."""
    if not is_time(deadline):
        raise UsageProblem(Problem("deadline", no_time(deadline), "--until"))
    return _signed(before, key, act="deadline", deadline=deadline)


def substitute_act(before: GameFile, join: Join, key: Key) -> dict[str, Any]:
    """Return the signed act that gives a seat to the one who made a join; IllegalOrders if he cannot take it.

    If the seat is awaited it holds the box with its hidden cards and mission, sealed to him.
    """
    raise_all(IllegalOrders, why_not_seated(join, before))
    player = PlayerId(join.player)
    says: dict[str, Any] = {"act": "substitute", "player": player, "join": join.signed.digest}
    if player in before.game.state.acting and player in before.game.sealed:
        game = taken_over(before.game, [Substitute(player, join, "")])
        says["box"] = boxes(game, host_knowledge(game, key), seal_keys_of(key))[player]
    return _signed(before, key, **says)


def key_act(before: GameFile, join: Join, key: Key) -> dict[str, Any]:
    """Return the signed act by which a player goes on with the keys of a join; IllegalOrders if they do not fit.

    `key` is the player's former one, or for a lost one that of the host, in a table game of another player.
    """
    raise_all(IllegalOrders, (*why_not_seated(join, before), *why_no_other_key(before, join.signed.source)))
    return _signed(before, key, act="key", player=join.player, join=join.signed.digest)


def signed_act(before: GameFile, key: Key, by: str, says: Mapping[str, Any]) -> dict[str, Any]:
    """Return an act that answers a game file and says this, signed."""
    game = before.game
    tree = {"format": ACT, "game": game.name, "turn": game.turn, "state": before.digest, **says}
    return {**tree, "signature": sign(tree, key, by)}


def _signed(before: GameFile, key: Key, **says: Any) -> dict[str, Any]:
    """Return an act, signed by whoever of those who decide has this key."""
    return signed_act(before, key, who_decides(before.game, key, says), says)


def who_decides(game: Game, key: Key, act: Mapping[str, Any]) -> str:
    """Return who signs an act with this key; BadSignature if its holder does not decide."""
    may = may_sign(act, game)
    name = next((name for name, public in may.items() if public == key.public), "")
    if not name:
        message, hint = f"is not the key of one of {', '.join(may)}", ""
        if act["act"] == "key":
            hint = "the new key signs nothing yet: the former one does, or for a lost one who decides"
        if game.host is not None and len(may) == 1:
            message = f'is not the key of the host "{game.host.name}", {game.host.key}'
        raise BadSignature(Problem("not-the-host" if game.host is not None else "other-key", message, "--key", hint))
    return name
