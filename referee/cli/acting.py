"""`referee act`: what the host decides and signs beside the turn."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import KeyOption, OutOption, QuietOption, find_key, name_of, put, read_bytes, say
from referee.cli.players import beside, refuse_if_over, refuse_if_played
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, open_game
from referee.documents.invitation import INVITATION, JOIN, Join, read_invitation, read_join
from referee.documents.signing import Document
from referee.errors import BadSignature, Problem, UsageProblem
from referee.game.trees import nearest_hint

_WORDS = ("substitute", "deadline")


def act(
    what: Annotated[str, typer.Argument(help="substitute or deadline.", show_default=False)],
    game: Annotated[Path, typer.Argument(help="The current game file.", show_default=False)],
    documents: Annotated[
        list[Path] | None, typer.Argument(help="For a substitute: his join, and the invitation.", show_default=False)
    ] = None,
    until: Annotated[str, typer.Option("--until", help="The deadline, with an offset from UTC.", metavar="TIME")] = "",
    key: KeyOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Decide as the host, signed for all to see: who takes a seat, or when the next orders are due.

    The act is handed in when the turn is resolved, with the orders. A substitute joins by the invitation, under the id
    of the seat and with a key of his own; for an awaited seat he acts at once, else from the next game file on. That
    orders are missing says `referee resolve --missed`.

    Example: referee act substitute fjord-0012.toml join-kari.toml fjord-invitation.toml

    Example: referee act deadline fjord-0012.toml --until 2027-01-31T20:00:00+01:00
    """
    from referee.documents.acting import deadline_act, substitute_act
    from referee.documents.layout import table_text
    from referee.documents.text import with_markers

    if what not in _WORDS:
        message = f'"{what}" is no act, but {" and ".join(_WORDS)} are'
        hint = "say --missed PLAYER to `referee resolve`" if what == "missed" else nearest_hint(what, _WORDS)
        raise UsageProblem(Problem("act", message, hint=hint))
    if (what == "deadline") != bool(until):
        message = "--until belongs to `act deadline`" if until else "say until when"
        raise UsageProblem(Problem("until", message, "--until", "like --until 2027-01-31T20:00:00+01:00"))
    before = open_game(read_bytes(game), board_by_name, name_of(game))
    refuse_if_over(before)
    host = find_key(key, before.game.host.name, game)
    if host.public != before.game.host.key:
        message = f'is not the key of the host "{before.game.host.name}", {before.game.host.key}'
        raise BadSignature(Problem("not-the-host", message, "--key"))
    refuse_if_played(before, game)
    turn = before.game.turn
    if what == "deadline":
        tree, name = deadline_act(before, until, host), f"act-deadline-{turn:04}.toml"
    else:
        join = _join(documents or [], before)
        tree, name = substitute_act(before, join, host), f"act-substitute-{join.player}-{turn:04}.toml"
    put(out, beside(game, name), with_markers(table_text(tree)).encode(), quiet, "act")
    _say_what_next(before, tree, documents or [], quiet)


def _join(paths: list[Path], before: GameFile) -> Join:
    """Return the join among the documents, checked against the invitation among them."""
    from referee.cli.resolving import read_all

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
    if (invitation.name, invitation.nonce, invitation.key) != (game.name, game.nonce, game.host.key):
        raise UsageProblem(found[INVITATION].source.problem("other-game", f'is no invitation to this "{game.name}"'))
    join = read_join(found[JOIN], invitation, game.state.board)
    if join.player not in game.people:
        hint = nearest_hint(join.player, game.people)
        message = f'"{join.player}" is no player of this game: join under the id of the seat'
        raise UsageProblem(found[JOIN].source.problem("unknown-player", message, "player", hint))
    return join


def _say_what_next(before: GameFile, tree: dict[str, object], documents: list[Path], quiet: bool) -> None:
    turn, state = before.game.turn, before.game.state
    if tree["act"] == "deadline":
        say(f"hand it in when turn {turn} is resolved", quiet)
        return
    names = " and ".join(name_of(path) for path in documents)
    say(f"hand it in when turn {turn} is resolved, with {names}", quiet)
    if tree["player"] in state.acting:
        say(
            f'"{tree["player"]}" is awaited: send all three to the one who takes the seat, who keeps them beside the'
            " game file and gives the orders",
            quiet,
        )


COMMANDS = {"act": act}
