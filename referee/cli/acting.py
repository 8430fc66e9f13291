"""`referee act`: what is decided and signed beside the turn, by the host or by the players of a table game."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.files import GameArgument, KeyOption, OutOption, QuietOption, name_of, put, read_bytes, say
from referee.cli.players import beside, key_of, refuse_if_over, refuse_if_played, resolves, signing_key, where_to, whom
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, open_game
from referee.documents.invitation import INVITATION, JOIN, Join, read_invitation, read_join
from referee.documents.keys import Key
from referee.documents.rolling import decides, roller_of
from referee.documents.signing import Document
from referee.errors import IllegalOrders, Problem, UnreadableDocument, UsageProblem, as_word, raise_all
from referee.game.orders import PlayerId
from referee.game.trees import nearest_hint

_WORDS = ("substitute", "key", "deadline", "take_over", "hand_over", "host_gone", "open_hand")
_WATCHED = (*_WORDS, "passed_over")
_AT_A_TABLE = ("substitute", "key", "deadline", "missed", "passed_over")
"""A host says who has missed a turn when he resolves it; if others reveal beside him, he says who does not."""


def act(
    what: Annotated[
        str,
        typer.Argument(
            help="substitute, key, deadline, take_over, hand_over, host_gone, open_hand; also missed, passed_over.",
            show_default=False,
        ),
    ],
    game: GameArgument,
    documents: Annotated[
        list[Path] | None,
        typer.Argument(
            help="For a substitute or a key the join and the invitation; else what the act is about.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[str, typer.Option("--player", help="Who has missed the turn, or is passed over.")] = "",
    name: Annotated[str, typer.Option("--as", help="Your id as the next host, for take_over.")] = "",
    until: Annotated[str, typer.Option("--until", help="The deadline, with an offset from UTC.", metavar="TIME")] = "",
    key: KeyOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Decide, signed for all to see: who takes a seat, another key, the next deadline; in a table game who is missing.

    The act is handed in when the turn is resolved, with the orders. A substitute joins by the invitation, under the id
    of the seat and with a key of his own; for an awaited seat he acts at once, else from the next game file on. That
    orders are missing says `referee resolve --missed`.

    A player who wants another key joins again under his own id, with the new key, and signs the act `key` with the
    former one; for a lost one the host signs it. It holds from the next game file on; until then the former key signs.

    In a table game there is no host: all other living players decide, at least two, and each makes a copy of the same
    act with this command. `missed` says that no orders have come, `passed_over` that somebody does not roll for these
    orders: then the next player rolls, and who was passed over misses the next turn. Where players reveal beside the
    host (he plays, or the game has witnesses) he says `passed_over` of one who does not.

    A hosted game goes to another host when he has offered to take over, and the host hands it over to him: both acts
    answer the same game file, and from the next one on the new host resolves.

    If the host is gone for good, all who play say so with `host_gone`, at least two; when all have, each opens his hand
    with `open_hand`, and the game goes on as a table game.

    Example: referee act substitute fjord-0012.toml join-kari.toml fjord-invitation.toml

    Example: referee act key fjord-0012.toml join-kari-2.toml fjord-invitation.toml --key kari.key

    Example: referee act deadline fjord-0012.toml --until 2027-01-31T20:00:00+01:00

    Example: referee act take_over fjord-0012.toml --as berit

    Example: referee act hand_over fjord-0012.toml act-take-over-berit-0012.toml

    Example: referee act missed skog-0012.toml --player kari --key ola.key
    """
    from referee.documents.acting import who_decides

    before = open_game(read_bytes(game), board_by_name, name_of(game))
    given = documents or []
    _check_words(before, what, player, until)
    refuse_if_over(before)
    if what in ("host_gone", "open_hand"):
        from referee.cli.handing import gone_act, say_who_else

        refuse_if_played(before, game)
        tree = gone_act(what, before, game, given, signing_key(key, before, "", False, game))
        _put(tree, what.replace("_", "-"), before, game, out, quiet, f"-by-{tree['signature']['by']}")
        say_who_else(before, tree, quiet)
        return
    if what in ("take_over", "hand_over"):
        from referee.cli.handing import handing_act, say_what_next

        refuse_if_played(before, game)
        tree, about = handing_act(what, before, game, given, name, key)
        _put(tree, about, before, game, out, quiet)
        say_what_next(before, tree, quiet)
        return
    hosted = before.game.host is not None
    join = _join(given, before) if what in ("substitute", "key") else None
    own = _own_key(key, before, game, join.player if join is not None and what == "key" else "")
    if hosted:
        who_decides(before.game, own, {"act": what, "player": join.player if join is not None else ""})
    else:
        _refuse_alone(before, what, own, join.player if join is not None else player)
    refuse_if_played(before, game)
    tree, about = _made(what, before, join, player, until, given, own)
    by = "" if hosted else f"-by-{tree['signature']['by']}"
    _put(tree, about, before, game, out, quiet, by)
    if hosted and what == "passed_over":
        say("then the next player reveals for these orders; hand it in with them", quiet)
    elif hosted or tree["signature"]["by"] == tree.get("player"):
        _say_what_next(before, tree, given, own, quiet)
    else:
        _say_who_decides(before, tree, game, own, quiet)


def _check_words(before: GameFile, what: str, player: str, until: str) -> None:
    """Raise UsageProblem if this game has no such act, or what it needs is not said, or something it does not need."""
    watched = before.game.host_seat or before.game.state.settings.witness
    words = _AT_A_TABLE if before.game.host is None else _WATCHED if watched else _WORDS
    if what not in words:
        message = f'"{what}" is no act, but {", ".join(words[:-1])} and {words[-1]} are'
        hint = "say --missed PLAYER to `referee resolve`" if what == "missed" else nearest_hint(what, words)
        raise UsageProblem(Problem("act", message, hint=hint))
    if (what in ("missed", "passed_over")) != bool(player):
        message = "say of whom" if not player else f"does not belong to `act {what}`"
        raise UsageProblem(Problem("player", message, "--player"))
    if (what == "deadline") != bool(until):
        message, hint = "say until when", "like --until 2027-01-31T20:00:00+01:00"
        if until:
            message, hint = f"does not belong to `act {what}`", "`act deadline` sets when the next orders are due"
        raise UsageProblem(Problem("until", message, "--until", hint))


def _made(
    what: str, before: GameFile, join: Join | None, player: str, until: str, documents: list[Path], own: Key
) -> tuple[dict[str, Any], str]:
    """Return an act that is not about the host, signed, and what its file is called after."""
    from referee.documents.acting import deadline_act, key_act, missed_act, passed_over_act, substitute_act

    if what == "deadline":
        return deadline_act(before, until, own), "deadline"
    if join is not None:
        make = key_act if what == "key" else substitute_act
        return make(before, join, own), f"{what}-{join.player}"
    who = _concerned(before, player)
    if before.game.host is not None:
        _refuse_not_revealing(before, who)
    if what == "missed":
        _refuse_not_awaited(before, who)
        return missed_act(before, who, own).source.tree, f"missed-{who}"
    return passed_over_act(before, who, _digests(documents, before), own), f"passed-over-{who}"


def _put(
    tree: dict[str, Any], about: str, before: GameFile, game: Path, out: Path | None, quiet: bool, by: str = ""
) -> None:
    """Write an act between marker lines."""
    from referee.documents.layout import table_text
    from referee.documents.text import with_markers

    name = f"act-{about}-{before.game.turn:04}{by}.toml"
    put(out, beside(game, name), with_markers(table_text(tree)).encode(), quiet, "act")


def _own_key(given: Path | None, before: GameFile, game: Path, player: str) -> Key:
    """Return the key to sign with; for another key of a player his former one, if it lies there and none is named."""
    host = before.game.host
    if player and given is None and not os.environ.get("REFEREE_KEY"):
        with suppress(UsageProblem):
            return key_of(None, before.game.people[PlayerId(player)].key, player, game)
        if host is not None and not beside(game, f"{host.name}.key").is_file():
            message = f'neither the former key of "{player}" nor that of the host "{host.name}" lies here'
            hint = "name it with --key; if it is lost, send both to the host, who signs the act"
            raise UsageProblem(Problem("no-key", message, "--key", hint))
    if host is not None:
        return key_of(given, host.key, host.name, game)
    return signing_key(given, before, "", False, game)


def _concerned(before: GameFile, player: str) -> PlayerId:
    if player not in before.game.people:
        hint = nearest_hint(player, before.game.people)
        raise UsageProblem(Problem("unknown-player", f'"{player}" is no player of this game', "--player", hint))
    return PlayerId(player)


def _refuse_alone(before: GameFile, what: str, own: Key, concerned: str) -> None:
    """Raise if an act at a table needs more than there are to sign it, so that nobody signs it in vain."""
    from referee.documents.acts import FEWEST, too_few

    deciding = decides(before.game, concerned)
    is_own = (
        what == "key" and concerned in before.game.people and own.public == before.game.people[PlayerId(concerned)].key
    )
    if len(deciding) < FEWEST and not is_own:
        raise IllegalOrders(Problem("too-few-decide", too_few(deciding), hint="agree on something by mail"))


def _refuse_not_awaited(before: GameFile, who: PlayerId) -> None:
    """Raise if nothing has to come of somebody, so that nobody signs that it has not."""
    from referee.documents.acts import in_any_case
    from referee.game.absence import who_must_miss

    state = before.game.state
    if who not in state.acting:
        message = f'"{who}" is not awaited, but {", ".join(state.acting)}'
        raise UsageProblem(Problem("not-awaited", message, "--player"))
    if who in who_must_miss(state):
        raise UsageProblem(in_any_case(who, "--player")._replace(hint=""))


def _refuse_not_revealing(before: GameFile, who: PlayerId) -> None:
    """Raise if somebody is not among those who could have to reveal beside the host now."""
    from referee.documents.witnesses import is_watched, who_may_reveal

    if not is_watched(before.game):
        message = "for these orders the host rolls alone, and nobody can be passed over"
        raise UsageProblem(Problem("host-rolls", message, "--player"))
    may = who_may_reveal(before.game)
    if who not in may:
        message = f'"{who}" is not to reveal for these orders, but {", ".join(may)}'
        raise UsageProblem(Problem("not-the-roller", message, "--player"))


def _digests(paths: list[Path], before: GameFile) -> list[str]:
    """Return the digests of the orders for which somebody does not roll, in seat order."""
    from referee.cli.resolving import read_all
    from referee.documents.intake import ORDERS, check_head, verified_from, why_not_for

    found: dict[str, str] = {}
    for document in read_all(paths):
        if document.format != ORDERS or document.tree.get("state") != before.digest:
            message = "are no orders that answer this game file"
            raise UsageProblem(document.source.problem("other-document", message, "state"))
        raise_all(UnreadableDocument, check_head(document, before))
        raise_all(IllegalOrders, why_not_for(document, before))
        signed = verified_from(document, before)
        found[str(signed.tree["player"])] = signed.digest
    return [found[player] for player in before.game.state.players if player in found]


def _join(paths: list[Path], before: GameFile) -> Join:
    """Return the join among the documents, checked against the invitation among them."""
    from referee.cli.resolving import read_all
    from referee.documents.seats import why_not_invited

    found: dict[str, Document] = {}
    for document in read_all(paths):
        if document.format not in (JOIN, INVITATION) or document.format in found:
            message = "give one join and one invitation, and nothing else"
            raise UsageProblem(document.source.problem("other-document", message, "format"))
        found[document.format] = document
    for kind, name in ((JOIN, "join of the one who takes the seat"), (INVITATION, "invitation to this game")):
        if kind not in found:
            raise UsageProblem(Problem("no-document", f"the {name} is not among the documents", "DOCUMENTS"))
    invitation = read_invitation(found[INVITATION])
    game = before.game
    raise_all(UsageProblem, why_not_invited(invitation, game))
    join = read_join(found[JOIN], invitation, game.state.board)
    if join.player not in game.people:
        hint = nearest_hint(join.player, game.people)
        message = f'"{join.player}" is no player of this game: join under the id of the seat'
        raise UsageProblem(found[JOIN].source.problem("unknown-player", message, "player", hint))
    return join


def _say_who_decides(before: GameFile, tree: dict[str, Any], game: Path, own: Key, quiet: bool) -> None:
    """Say at a table who makes copies of an act, and to whom they go."""
    concerned = str(tree.get("player", ""))
    deciding = decides(before.game, concerned)
    rolls = tree["act"] == "key" and roller_of(before.game).name == concerned
    over = [concerned] if tree["act"] == "passed_over" or rolls else []
    to = f"send them to {whom(before.game, over)}"
    if resolves(before.game, own, over):
        to = "send it to the others, who make theirs and send them to you"
    say(f"it holds when {', '.join(deciding)} have each made a copy: {to}", quiet)
    if rolls:
        command = f"`referee act passed_over {as_word(name_of(game))} ORDERS --player {concerned}`"
        say(f'it is "{concerned}" who would make it, and the key is lost: pass him over as well, {command}', quiet)


def _say_what_next(before: GameFile, tree: dict[str, Any], documents: list[Path], own: Key, quiet: bool) -> None:
    turn, state = before.game.turn, before.game.state
    if tree["act"] == "deadline":
        say(f"hand it in when turn {turn} is resolved", quiet)
        return
    names = " and ".join(name_of(path) for path in documents)
    if tree["act"] == "key":
        player = tree["player"]
        if tree["signature"]["by"] != player:
            say(f"hand it in when turn {turn} is resolved, with {names}", quiet)
            missed = f"; if no orders are here, hand it in with --missed {player}" if player in state.acting else ""
            say(f'the new key of "{player}" signs from turn {turn + 1} on{missed}', quiet)
            return
        all_go = "" if resolves(before.game, own) else f": all go in when turn {turn} is resolved"
        say(f"{where_to(before.game, own, names)}{all_go}", quiet)
        say(f'until turn {turn + 1} the former key of "{player}" signs; keep it until then', quiet)
        return
    say(f"hand it in when turn {turn} is resolved, with {names}", quiet)
    if tree["player"] in state.acting:
        say(
            f'"{tree["player"]}" is awaited: send all three to the one who takes the seat, who keeps them beside the'
            " game file and gives the orders",
            quiet,
        )


COMMANDS = {"act": act}
