"""Which games wait for whom, and which documents for them are there already.

The clock is not read: a deadline is shown as it stands. What a document says is not shown here, only whose it is and
whether it could be used.
"""

from collections.abc import Sequence
from typing import Any

from referee.documents.acts import FEWEST
from referee.documents.canonical import digest_of
from referee.documents.checking import look
from referee.documents.gamefile import GameFile
from referee.documents.intake import ACT, DRAW, ORDERS, RESIGN, REVEAL, STANDING
from referee.documents.rolling import left_behind, roller_of
from referee.documents.signing import Document
from referee.errors import RefereeError, as_word
from referee.game.absence import who_must_miss
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple
from referee.game.state import Result
from referee.views.text import TOGETHER, printable, wrapped

_KINDS = {
    ORDERS: "orders",
    STANDING: "standing orders",
    RESIGN: "resignation",
    DRAW: "draw vote",
    REVEAL: "reveal",
    ACT: "act",
}


_BY_PLAYERS = ("key", "take_over", "host_gone", "open_hand")
"""Acts in a hosted game that others than the host may sign."""


class Arrived(NamedTuple):
    """A document for a game file: whose, which sequence, signed or not, and what is wrong with it."""

    file: str
    kind: str
    player: str
    sequence: int
    signed: bool
    problem: str
    digest: str = ""

    @property
    def counts(self) -> bool:
        """Say whether it is signed and could be used."""
        return self.signed and not self.problem


class Fork(NamedTuple):
    """Game files of one turn that are different, and the folders that were looked into."""

    turn: int
    files: tuple[str, ...]
    folders: tuple[str, ...]


class Standing(NamedTuple):
    """A game file and the documents that answer it; `fork` is where game files of this game part."""

    file: str
    game: GameFile
    arrived: tuple[Arrived, ...]
    passed_over: tuple[str, ...] = ()
    fork: Fork | None = None

    @property
    def missing(self) -> tuple[PlayerId, ...]:
        """Return the awaited players of whom no usable orders are there."""
        here = {a.player for a in self.arrived if a.kind in ("orders", "resignation") and a.counts}
        state = self.game.game.state
        return tuple(player for player in state.acting if player not in (*here, *who_must_miss(state)))

    @property
    def revealing(self) -> frozenset[str]:
        """Return the players of whom a reveal is there."""
        return frozenset(a.player for a in self.arrived if a.kind == _KINDS[REVEAL] and a.counts)

    @property
    def not_agreed(self) -> tuple[PlayerId, ...]:
        """Return who has to agree to a draw yet, if somebody has."""
        agreed = {a.player for a in self.arrived if a.kind in (_KINDS[DRAW], _KINDS[RESIGN]) and a.counts}
        voted = any(a.kind == _KINDS[DRAW] and a.counts for a in self.arrived)
        return tuple(player for player in self.game.game.state.playing() if voted and player not in agreed)

    @property
    def is_gone(self) -> bool:
        """Say whether all who go on have said that the host is gone, and have opened their hands."""
        acts = {(a.kind, a.player) for a in self.arrived if a.counts}
        wanted = [f"act ({word})" for word in ("host_gone", "open_hand")]
        if self.game.game.host is None or not any(kind == wanted[0] for kind, _ in acts):
            return False
        left = left_behind(self.game.game)
        return len(left) >= FEWEST and acts.issuperset((kind, player) for kind in wanted for player in left)

    @property
    def clashes(self) -> tuple[tuple[Arrived, ...], ...]:
        """Return the orders of one player that are different and have the same sequence, the highest that is there."""
        found = []
        usable = [a for a in self.arrived if a.kind in ("orders", "standing orders") and a.counts]
        for kind, player in dict.fromkeys((a.kind, a.player) for a in usable):
            own = [a for a in usable if (a.kind, a.player) == (kind, player)]
            last = [a for a in own if a.sequence == max(other.sequence for other in own)]
            if len({a.digest for a in last}) > 1:
                found.append(tuple(last))
        return tuple(found)


def standing_of(file: str, game: GameFile, documents: Sequence[Document]) -> Standing:
    """Return a game file with those of the documents that are about it; none is about a game that is over."""
    if game.game.state.result is not None:
        return Standing(file, game, ())
    found = [one for one in (_arrived(document, game) for document in documents) if one is not None]
    signed = {(one.kind, one.player, one.sequence) for one in found if one.signed}
    over = [one.tree for one in documents if one.format == ACT and one.tree.get("act") == "passed_over"]
    kept = [one for one in found if one.signed or (one.kind, one.player, one.sequence) not in signed]
    return Standing(
        file,
        game,
        tuple(_of_other_orders(kept, documents) if game.game.state.phase == "turn" else kept),
        tuple(str(tree.get("player")) for tree in over if tree.get("state") == game.digest),
    )


def _of_other_orders(found: Sequence[Arrived], documents: Sequence[Document]) -> list[Arrived]:
    """Say of each reveal that it is for other orders than the last of the one awaited, if those are here."""
    orders = [one for one in found if one.kind == "orders" and one.counts]
    last = [one.digest for one in orders if one.sequence == max(other.sequence for other in orders)]
    bound = {digest_of(one.tree): one.tree.get("orders") for one in documents if one.format == REVEAL}
    other = "is for other orders than the last that are here"
    return [
        one._replace(problem=other)
        if one.counts and last and one.digest in bound and bound[one.digest] not in [[digest] for digest in last]
        else one
        for one in found
    ]


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
    player = str(tree.get("player", ""))
    if document.format == ACT:
        by = document.signature.by if document.signature is not None else ""
        decided = game.game.host is not None and tree.get("act") not in _BY_PLAYERS
        kind, player = f"act ({tree.get('act')})", game.game.host.name if game.game.host is not None and decided else by
    try:
        look(document, game)
    except RefereeError as error:
        if any(one.code == "old-sequence" for one in error.problems):
            return None
        problem = printable(error.problems[0].message)
    sequence = tree.get("sequence", 0)
    return Arrived(
        document.source.file,
        printable(kind),
        printable(player),
        sequence if type(sequence) is int else 0,
        document.signature is not None,
        problem,
        digest_of(document.tree),
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
        what = f"over, {outcome(state.result)}"
    elif standing.clashes:
        what = "it is not clear which orders count"
    elif standing.is_gone:
        roller = roller_of(standing.game.game, gone=True).name
        what = (
            f"all say that the host is gone, and open their hands: `referee resolve` plays it with the key of {roller}"
        )
    elif standing.missing:
        what = f"waits for {', '.join(standing.missing)}"
    elif standing.not_agreed:
        what = _nothing_missing(standing, "votes for a draw")
    elif not _watched(standing)[1]:
        what = f"{_nothing_missing(standing)}, `referee resolve` plays it{_with_whose_key(standing)}"
    else:
        what = _nothing_missing(standing, "reveals")
    deadline = f", until {printable(game.deadline)}" if game.deadline and state.result is None else ""
    lines = wrapped(f"{standing.file}: {game.name}, {where}: {what}{deadline}", "", "  ")
    for one in standing.arrived:
        sequence = f" {one.sequence}" if one.sequence else ""
        usable = "signed" if one.signed else "not signed"
        lines += wrapped(f"{one.file}: {one.kind}{sequence} of {one.player}, {one.problem or usable}", "  ", "    ")
    return [*lines, *_warnings(standing)]


def _nothing_missing(standing: Standing, but: str = "") -> str:
    """Say that no orders are missing, or are awaited of one who was passed over; and what is not all there."""
    absent = who_must_miss(standing.game.game.state)
    if absent:
        return f"{', '.join(absent)} misses this turn{f', but not all {but} are there' if but else ''}"
    return f"all orders are there{f', but not all {but}' if but else ''}"


def _with_whose_key(standing: Standing) -> str:
    """Say who plays the turn, where that is not always the host."""
    roller = roller_of(standing.game.game)
    return "" if roller.is_host else f" with the key of {roller.name}"


def _watched(standing: Standing) -> tuple[tuple[PlayerId, ...], list[PlayerId]]:
    """Return whose reveals are needed beside the host's, and who has made none yet.

    He is not to roll alone, or the awaited, who was passed over, misses this turn and has a plan with attacks.
    """
    game = standing.game.game
    if game.state.result is not None or not (game.host_seat or game.state.settings.witness):
        return (), []
    from referee.documents.reveals import needs_reveals_of
    from referee.documents.witnesses import is_watched

    absent = who_must_miss(game.state)
    if not absent and not is_watched(game):
        return (), []
    over = tuple(player for player in game.state.playing() if player in standing.passed_over)
    try:
        needed = needs_reveals_of(standing.game, absent, (), over)
    except RefereeError:  # everybody is passed over, or nobody needs to be: `resolve` says so
        return (), []
    return needed, [player for player in needed if player not in standing.revealing]


def _warnings(standing: Standing) -> list[str]:
    """Say which orders clash, whose reveals are needed, and what calling somebody's missed would need."""
    from referee.documents.reveals import needs_reveals_of

    lines = []
    if fork := standing.fork:
        text = f"different game files of turn {fork.turn} are here: {', '.join(fork.files)};"
        lines += wrapped(
            f"{text} `referee verify {' '.join(map(_word, fork.folders))}` says what they prove", "  ", "    "
        )
    for clash in standing.clashes:
        first, names = clash[0], ", ".join(one.file for one in clash)
        text = f"different {first.kind} of {first.player} with the same sequence {first.sequence}: {names}; the player"
        lines += wrapped(f"{text} gives the one that counts a higher sequence and signs it again", "  ", "    ")
    if standing.not_agreed:
        text = f"a draw needs the vote of {', '.join(standing.not_agreed)}, too: `referee draw {_word(standing.file)}`;"
        text += " to play this turn without a draw leave the votes out"
        lines += wrapped(text, "  ", "    ")
    missing = standing.missing
    watched, lacking = _watched(standing)
    if watched:
        if lacking and not missing:
            words = map(_word, (standing.file, *_named_with_a_reveal(standing)))
            text = f"the reveal of {', '.join(lacking)} is needed beside the host's: `referee reveal {' '.join(words)}`"
            lines += wrapped(text, "  ", "    ")
        return lines
    needed = needs_reveals_of(standing.game, missing)
    lacking = [player for player in needed if player not in standing.revealing]
    if needed:
        lines += wrapped(_about_reveals(standing, needed, lacking), "  ", "    ")
    return lines


def _word(file: str) -> str:
    """Write the name of a file in a command, on one line."""
    return as_word(file).replace(" ", TOGETHER)


def _named_with_a_reveal(standing: Standing) -> list[str]:
    """Return the files for which somebody reveals beside the host: the orders that count, and who is passed over."""
    orders = [one for one in standing.arrived if one.kind == "orders" and one.counts]
    last = {one.player: one for one in sorted(orders, key=lambda one: one.sequence)}
    acts = [one for one in standing.arrived if one.kind == "act (passed_over)" and one.counts]
    return list(dict.fromkeys(one.file for one in (*last.values(), *acts)))


def _about_reveals(standing: Standing, needed: Sequence[PlayerId], lacking: Sequence[PlayerId]) -> str:
    """Say which reveals calling somebody missed needs yet."""
    missing = ", ".join(standing.missing)
    if not lacking:
        words, are = ("reveal", "is") if len(needed) == 1 else ("reveals", "are")
        return f"the {words} of {', '.join(needed)} that `--missed` for {missing} needs {are} here"
    whose, why, orders = "everybody else", "the first turn is rolled for", " ORDERS..."
    if standing.game.game.state.phase == "turn":
        whose, why, orders = needed[0], "the standing orders attack", ""
    elif len(lacking) < len(needed):
        whose = ", ".join(lacking)
    return (
        f"`--missed` for {missing} needs a reveal of {whose}, as {why}: `referee reveal {_word(standing.file)}{orders}`"
    )


_OUTCOMES = {
    "mission": "{winners} has fulfilled the mission",
    "elimination": "{winners} has won, all opponents are out",
    "capitals": "{winners} has won, the capitals are taken",
    "last": "{winners} has won, nobody else plays any more",
    "draw": "a draw between {winners}",
}


def outcome(result: Result) -> str:
    """Say in words how a game ended."""
    *others, last = result.winners
    winners = f"{', '.join(others)} and {last}" if others else last
    return _OUTCOMES[result.how].format(winners=winners)


def not_begun_lines(documents: Sequence[Document]) -> list[str]:
    """Return a line for each roster that waits for reveals, and for each other invitation, of games not begun yet."""
    from referee.documents.invitation import INVITATION, JOIN
    from referee.documents.roster import ROSTER, roster_rows

    lines, begun = [], set()
    for roster in (one for one in documents if one.format == ROSTER):
        here = [one.tree.get("player") for one in documents if one.tree.get("state") == digest_of(roster.tree)]
        try:
            lacking = printable(", ".join(player for player, _ in roster_rows(roster) if player not in here))
        except RefereeError:  # `start` says what is wrong with it
            continue
        begun.add(roster.tree["invitation"])
        what = f"waits for the reveals of {lacking}" if lacking else "all reveals are there, `referee start` begins it"
        lines += wrapped(f"{roster.source.file}: {printable(str(roster.tree['game']))}, roster: {what}", "", "  ")
    for invitation in (one for one in documents if one.format == INVITATION):
        digest = digest_of(invitation.tree)
        joined = [one for one in documents if one.format == JOIN and one.tree.get("invitation") == digest]
        if digest not in begun:
            names = ", ".join(printable(str(one.tree.get("player"))) for one in joined) or "nobody"
            text = f"{invitation.source.file}: {printable(str(invitation.tree.get('game')))}, invitation: joined here: "
            lines += wrapped(text + names, "", "  ")
    return lines


def status_tree(standing: Standing) -> dict[str, Any]:
    """Return a game as a tree for programs."""
    game, state, fork = standing.game.game, standing.game.game.state, standing.fork
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
        "fork": {"turn": fork.turn, "files": list(fork.files)} if fork else None,
        "clashes": [[one.file for one in clash] for clash in standing.clashes],
        "documents": [one._asdict() for one in standing.arrived],
    }
