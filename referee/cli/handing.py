"""`referee act take_over` and `referee act hand_over`: a hosted game goes to another host."""

import secrets
from pathlib import Path
from typing import Any

from referee.cli.files import say
from referee.cli.keys import find_key
from referee.cli.players import key_of, whom
from referee.documents.acting import who_decides
from referee.documents.acts import read_act
from referee.documents.gamefile import GameFile
from referee.documents.handing import hand_over_act, take_over_act, why_not_host
from referee.documents.keys import Key
from referee.documents.signing import Document, document
from referee.documents.text import Source
from referee.errors import IllegalOrders, Problem, UsageProblem, raise_all

WORDS = ("take_over", "hand_over")


def handing_act(
    what: str, before: GameFile, game: Path, documents: list[Path], name: str, given: Path | None
) -> tuple[dict[str, Any], str]:
    """Return one of the two acts, and what its file is called by."""
    if (what == "take_over") != bool(name):
        message = "say under which id you would be the host" if not name else "belongs to `act take_over`"
        raise UsageProblem(Problem("as", message, "--as", "like --as berit"))
    if what == "take_over":
        tree = take_over_act(before, name, find_key(given, name))
        offer = read_act(document(dict(tree), Source(tree, "", "--as")), before)
        raise_all(IllegalOrders, why_not_host(offer, before))
        return tree, f"take-over-{name}"
    host = before.game.keeper
    key = key_of(given, host.key, host.name, game)
    who_decides(before.game, key, {"act": what})
    offer = read_act(_offer(documents), before)
    raise_all(IllegalOrders, why_not_host(offer, before))
    return hand_over_act(before, offer, key, secrets.token_bytes(16)), f"hand-over-{offer.tree['name']}"


def _offer(paths: list[Path]) -> Document:
    from referee.cli.resolving import read_all

    found = read_all(paths)
    if len(found) != 1 or found[0].tree.get("act") != "take_over":
        hint = "he makes it with `referee act take_over`"
        raise UsageProblem(Problem("no-offer", "give the offer of the new host, and nothing else", "DOCUMENTS", hint))
    return found[0]


def say_what_next(before: GameFile, tree: dict[str, Any], quiet: bool) -> None:
    """Say where the act goes."""
    turn = before.game.turn
    if tree["act"] == "take_over":
        say(f"send it to {whom(before.game)}; it is for turn {turn} alone", quiet)
        return
    name = tree["host"]
    say(
        f"hand it in when turn {turn} is resolved, with the offer of {name}; from turn {turn + 1} on {name} resolves",
        quiet,
    )
    say(f"send it to {name} first, who can `referee check` it with his key", quiet)


def gone_act(what: str, before: GameFile, game: Path, documents: list[Path], key: Key) -> dict[str, Any]:
    """Return a player's word that the host is gone, or what opens his hand when all have said so."""
    from referee.documents.gone import host_gone_act, open_hand_act

    if what == "host_gone":
        return host_gone_act(before, key)
    from referee.cli.publishing import refuse_unfounded
    from referee.cli.resolving import read_all

    refuse_unfounded(before, game)
    return open_hand_act(before, read_all(documents), key)


def say_who_else(before: GameFile, tree: dict[str, Any], quiet: bool) -> None:
    """Say whose acts are needed yet, and who makes the next game file of them."""
    from referee.documents.rolling import left_behind, roller_of

    if tree["act"] == "host_gone":
        names = ", ".join(left_behind(before.game))
        say(f"it holds when {names} have each made a copy: send it to all others; then `referee act open_hand`", quiet)
        return
    roller = roller_of(before.game, gone=True)
    to = f"send it to {roller.title}, who resolves the acts of all"
    if roller.name == tree["player"]:
        to = "the others send theirs to you, who resolve the acts of all"
    say(f"whoever has it sees what {tree['player']} holds: {to}", quiet)
