"""Which games wait for whom, and which documents for them are there already.

The clock is not read: a deadline is shown as it stands. What a document says is not shown here, only whose it is and
whether it could be used.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.documents.checking import look
from referee.documents.gamefile import GameFile
from referee.documents.intake import ACT, ORDERS, RESIGN, REVEAL, STANDING
from referee.documents.signing import Document
from referee.errors import RefereeError
from referee.views.text import printable, wrapped

_KINDS = {
    ORDERS: "orders",
    STANDING: "standing orders",
    RESIGN: "resignation",
    REVEAL: "reveal",
    ACT: "act",
}


class Arrived(NamedTuple):
    """A document for a game file: whose, which sequence, signed or not, and what is wrong with it."""

    file: str
    kind: str
    player: str
    sequence: int
    signed: bool
    problem: str


class Standing(NamedTuple):
    """A game file and the documents that answer it."""

    file: str
    game: GameFile
    arrived: tuple[Arrived, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the awaited players of whom no usable orders are there."""
        kinds = ("orders", "resignation")
        here = {a.player for a in self.arrived if a.kind in kinds and a.signed and not a.problem}
        return tuple(player for player in self.game.game.state.acting if player not in here)


def standing_of(file: str, game: GameFile, documents: Sequence[Document]) -> Standing:
    """Return a game file with those of the documents that are about it."""
    found = [one for one in (_arrived(document, game) for document in documents) if one is not None]
    signed = {(one.kind, one.player, one.sequence) for one in found if one.signed}
    return Standing(
        file, game, tuple(one for one in found if one.signed or (one.kind, one.player, one.sequence) not in signed)
    )


def _arrived(document: Document, game: GameFile) -> Arrived | None:
    """Return a document if it answers this game file: other games, turns and states are left out."""
    tree = document.tree
    kind = _KINDS.get(document.format)
    if kind is None or tree.get("game") != game.game.name:
        return None
    if tree.get("nonce", game.game.nonce) != game.game.nonce:
        return None
    if tree.get("state", game.digest) != game.digest:
        return None
    problem = ""
    try:
        look(document, game)
    except RefereeError as error:
        if any(one.code == "old-sequence" for one in error.problems):
            return None
        problem = printable(error.problems[0].message)
    sequence = tree.get("sequence", 0)
    return Arrived(
        document.source.file,
        kind,
        printable(str(tree.get("player", ""))),
        sequence if type(sequence) is int else 0,
        document.signature is not None,
        problem,
    )


def status_lines(standing: Standing) -> list[str]:
    """Return the lines of a game: what it waits for, then each document that is there."""
    game, state = standing.game.game, standing.game.game.state
    where = f"turn {game.turn}"
    if state.phase == "turn":
        where += f", round {state.round}"
    elif state.phase != "over":
        where += f", {state.phase}"
    if state.result is not None:
        how = "a draw of" if state.result.how == "draw" else "won by"
        what = f"over, {how} {', '.join(state.result.winners)}"
    elif standing.missing:
        what = f"waits for {', '.join(standing.missing)}"
    else:
        what = "all orders are there, `referee resolve` plays it"
    deadline = f", until {printable(game.deadline)}" if game.deadline and state.result is None else ""
    lines = wrapped(f"{standing.file}: {game.name}, {where}: {what}{deadline}", "", "  ")
    for one in standing.arrived:
        sequence = f" {one.sequence}" if one.sequence else ""
        usable = "signed" if one.signed else "not signed"
        lines += wrapped(f"{one.file}: {one.kind}{sequence} of {one.player}, {one.problem or usable}", "  ", "    ")
    return lines


def status_tree(standing: Standing) -> dict[str, Any]:
    """Return a game as a tree for programs."""
    game, state = standing.game.game, standing.game.game.state
    return {
        "file": standing.file,
        "game": game.name,
        "nonce": game.nonce,
        "digest": standing.game.digest,
        "turn": game.turn,
        "round": state.round,
        "phase": state.phase,
        "acting": list(state.acting),
        "missing": list(standing.missing),
        "deadline": game.deadline,
        "winners": list(state.result.winners) if state.result else [],
        "documents": [one._asdict() for one in standing.arrived],
    }
