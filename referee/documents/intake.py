"""What was handed in, sorted: the orders that the turn requires, and what takes effect afterwards (DESIGN section 4).

Documents may come in any order and any number; the order changes nothing. Of one player's files the highest `sequence`
counts; the same sequence with other content is an error. Everything that is wrong is reported together, and nothing is
resolved then.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from referee.documents.canonical import canonical
from referee.documents.gamefile import GameFile, Unsealed
from referee.documents.kinds import missing_keys, other_keys, version_hint, wrong_values
from referee.documents.orders import SET_UP_KEYS, BodyProblems, read_orders, read_set_up
from referee.documents.signing import Document, Signed, refuse_other_signer, verified
from referee.documents.standing import read_standing
from referee.errors import (
    MAX_PROBLEMS,
    BadSignature,
    IllegalOrders,
    Problem,
    RefereeError,
    UnreadableDocument,
    as_word,
)
from referee.game.absence import who_must_miss
from referee.game.orders import Orders, PlayerId, SetUpOrders
from referee.game.position import Change, DrawVote, NewStanding, Resignation
from referee.game.records import NamedTuple
from referee.game.state import SET_UP, State
from referee.game.trees import nearest_hint, unquoted

ORDERS = "referee/orders/1"
STANDING = "referee/standing/1"
RESIGN = "referee/resign/1"
DRAW = "referee/draw/1"
REVEAL = "referee/reveal/1"
ACT = "referee/act/1"

SHAPES: Mapping[str, Mapping[str, type]] = {
    ORDERS: {"game": str, "turn": int, "state": str, "player": str, "sequence": int, "salt": str},
    STANDING: {"game": str, "nonce": str, "player": str, "sequence": int},
    RESIGN: {"game": str, "turn": int, "state": str, "player": str},
    DRAW: {"game": str, "turn": int, "state": str, "player": str},
    REVEAL: {
        "game": str,
        "nonce": str,
        "turn": int,
        "state": str,
        "orders": list,
        "player": str,
        "reveal": str,
    },
}
"""The keys that each kind must have in its head, and their types."""
SIZES = {"state": 32, "nonce": 16, "salt": 16, "reveal": 32}
"""Of how many bytes those are that are binary."""
MOST_BYTES = {ORDERS: 64 << 10, STANDING: 16 << 10, RESIGN: 1 << 10, DRAW: 1 << 10, REVEAL: 4 << 10, ACT: 16 << 10}
"""How large the canonical bytes of a document may be: all of a turn must find room in one game file."""

_MISSING = {"salt": "`referee sign` puts it in when it signs"}


class Handed(NamedTuple):
    """A signed document with its body read; `opened` is what was sealed to the host."""

    signed: Signed
    player: PlayerId
    sequence: int
    body: Orders | SetUpOrders | NewStanding | Resignation | DrawVote | None
    opened: Unsealed | None = None


class Intake(NamedTuple):
    """All documents that count, sorted: orders by player, changes and reveals in a fixed order."""

    orders: Mapping[PlayerId, Handed]
    changes: tuple[Handed, ...]
    reveals: tuple[Signed, ...]

    def leaving(self) -> frozenset[PlayerId]:
        """Return the players who resign."""
        return frozenset(h.player for h in self.changes if isinstance(h.body, Resignation))

    def voting(self) -> frozenset[PlayerId]:
        """Return the players who agree to a draw."""
        return frozenset(h.player for h in self.changes if isinstance(h.body, DrawVote))

    def change_values(self, seats: Sequence[PlayerId]) -> tuple[Change, ...]:
        """Return what takes effect after the turn, each kind in the order of seats.

        Standing orders, then resignations, then votes for a draw.
        """
        in_order = sorted(self.changes, key=lambda handed: seats.index(handed.player))
        bodies = [handed.body for handed in in_order]
        standing = [body for body in bodies if isinstance(body, NewStanding)]
        leaving = [body for body in bodies if isinstance(body, Resignation)]
        return (*standing, *leaving, *(body for body in bodies if isinstance(body, DrawVote)))


OpenSealed = Callable[[Document], Unsealed | None]
"""Lays open what a document has sealed, or returns None if it stays sealed and cannot be opened here.

Raises BadSignature if it does not fit its commitment.
"""


def check_head(document: Document, before: GameFile) -> tuple[Problem, ...]:
    """Return what is wrong with the head of a document that a player sent for this game file."""
    shape = SHAPES.get(document.format)
    source, tree = document.source, document.tree
    if shape is None:
        known = document.format.startswith(("referee/game/", "referee/invitation/", "referee/join/", "referee/act/"))
        hint = "" if known else nearest_hint(document.format, SHAPES)
        first = f"{document.format.rpartition('/')[0]}/1"
        if first in (*SHAPES, ACT):
            hint = version_hint(document.format, first)
        return (source.problem("other-document", f'"{document.format}" is nothing to resolve', "format", hint),)
    size = len(canonical(tree))
    if size > MOST_BYTES[document.format]:
        most = MOST_BYTES[document.format]
        message = f"has {size:,} bytes without comments, the most are {most:,}"
        return (source.problem("too-large", message),)
    found = missing_keys(document, shape, _MISSING)
    if document.format in (RESIGN, DRAW, REVEAL):
        found += other_keys(document, shape)
    found += wrong_values(document, shape, SIZES, unquoted)
    if type(tree.get("sequence", 1)) is int and not 1 <= tree.get("sequence", 1) <= 1_000_000:
        found.append(source.problem("out-of-range", "must be a number from 1 to 1000000", "sequence"))
    return tuple(found)


def why_not_for(document: Document, before: GameFile) -> tuple[Problem, ...]:
    """Return why a document does not answer this game file: another game, player, turn or state."""
    game, tree, source = before.game, document.tree, document.source
    if tree["game"] != game.name:
        message = f'is for the game "{tree["game"]}", this is "{game.name}"'
        return (source.problem("other-game", message, "game"),)
    if "player" in tree and tree["player"] not in game.state.players:
        hint = nearest_hint(tree["player"], game.state.players)
        return (source.problem("unknown-player", f'"{tree["player"]}" is no player of this game', "player", hint),)
    if "nonce" in tree and tree["nonce"] != game.nonce:
        return (source.problem("other-game", f'is for another game called "{game.name}"', "nonce"),)
    if "turn" in tree and tree["turn"] != game.turn:
        message = f"is for turn {tree['turn']}, the game file waits for turn {game.turn}"
        return (source.problem("other-turn", message, "turn", _hint_for(document, before)),)
    if "state" in tree and tree["state"] != before.digest:
        message = f"answers another game file of turn {game.turn}; expected {before.digest}"
        return (source.problem("other-state", message, "state", _hint_for(document, before)),)
    return ()


def _hint_for(document: Document, before: GameFile) -> str:
    turn, state = document.tree.get("turn"), document.tree.get("state")
    if document.format == ORDERS and state == before.digest:
        signs = "" if document.signature is None else ", and its player signs it anew"
        return f"its state is that of this game file: the number is wrong, it must be turn = {before.game.turn}{signs}"
    if type(turn) is int and turn > before.game.turn:
        return f"it answers a later game file, which waits for turn {turn}: name that one"
    if document.format == ACT:
        return "`referee act` makes one for this turn"
    if document.format == DRAW:
        return f"`referee draw {as_word(before.file)}` makes one for this turn"
    is_awaited = document.tree.get("player") in before.game.state.acting
    if document.format == ORDERS and turn != before.game.turn and not is_awaited:
        return f"turn {turn} has been played, and orders for it change nothing any more"
    return f"`referee draft {as_word(before.file)}` begins a file for this turn"


def verified_from(document: Document, before: GameFile) -> Signed:
    """Check the signature of a player's document under the key on record for him."""
    player = PlayerId(document.tree["player"])
    refuse_other_signer(document, player, f'but speaks for "{player}"')
    person = before.game.people[player]
    key = document.signature.key if document.signature is not None else ""
    if key in [one.key for one in person.former]:
        own = next((one.changed_by for one in reversed(person.former) if not one.changed_by or one.key == key), "")
        raise _void(document, player, f"expected: signed with {person.key}", own != "")
    return verified(document, person.key)


def _void(document: Document, player: PlayerId, hint: str, same_person: bool = False) -> BadSignature:
    message = f'somebody else takes the seat of "{player}": what was signed before is void'
    if same_person:
        message = f'"{player}" signs with another key now: what was signed with a former one is void'
    return BadSignature(document.source.problem("void", message, "signature.key", hint))


def read_body(document: Document, before: GameFile, content: Mapping[str, Any] | None = None) -> Any:
    """Read what a document says; `content` is what was sealed. Raises UnreadableDocument."""
    state, tree = before.game.state, document.tree
    player = PlayerId(tree["player"])
    body: Any
    if document.format == ORDERS and state.phase in SET_UP:
        body = _read_set_up(document, before, content)
    elif document.format == ORDERS:
        body = read_orders(tree, state.board, state.players, player)
    elif document.format == STANDING:
        body = read_standing(tree, state.board, state.players, player)
        if not isinstance(body, BodyProblems):
            body = NewStanding(body.standing, body.note)
    elif document.format == DRAW:
        body = DrawVote(player)
    else:
        body = Resignation(player)
    if isinstance(body, BodyProblems):
        raise UnreadableDocument(*(located(problem, document) for problem in body.problems[:MAX_PROBLEMS]))
    return body


def secret_keys(state: State) -> tuple[str, ...]:
    """Return the parts of orders that only the host may read before he opens those of all together."""
    if state.phase not in SET_UP or (state.phase == "deploy" and state.settings.deployment == "in_turn"):
        return ()
    if state.openly:
        return ("capital",) if state.phase == "capital" and not state.capitals else ()
    return SET_UP_KEYS


def stays_sealed(state: State) -> bool:
    """Say whether what is sealed now is not laid open with the orders: a secret capital (R-CAP-NO-02)."""
    if state.openly:
        return bool(secret_keys(state))
    return state.phase == "capital" and state.rules.capitals == "secret_sweep"


def _read_set_up(document: Document, before: GameFile, content: Mapping[str, Any] | None) -> Any:
    """Read orders of the set-up after checking that just what is secret now is sealed."""
    state, tree, source = before.game.state, document.tree, document.source
    secret = secret_keys(state)
    others = sorted(set(content or {}) - set(secret))
    if others:
        raise UnreadableDocument(source.problem("not-secret", f'"{others[0]}" is sealed and should not be', "sealed"))
    shown = [key for key in secret if key in tree]
    if content is None and shown:
        message, hint = "must be sealed to the host, who opens all together", "`referee sign` seals it"
        if state.openly:
            message = "must not be shown yet: first all commit themselves to theirs"
            hint = "`referee sign` writes the commitment"
        raise IllegalOrders(source.problem("not-sealed", message, shown[0], hint))
    laid_open = {k: v for k, v in tree.items() if k != "sealed"} | dict(content or {})
    hidden = content is None and "sealed" in tree and stays_sealed(state)
    return read_set_up(laid_open, state.phase, state.board, state.players, PlayerId(tree["player"]), hidden)


def located(problem: Problem, document: Document) -> Problem:
    """Return a problem with the file and line of its key."""
    return problem._replace(file=document.source.file, line=document.source.line_of(problem.key))


class Collector:
    """Collects errors of several documents, to be raised together by the gravest kind."""

    def __init__(self) -> None:
        self.errors: list[RefereeError] = []

    def note(self, error: RefereeError) -> None:
        """Keep an error for later."""
        self.errors.append(error)

    def wrong(self, kind: type[RefereeError], problems: Iterable[Problem]) -> bool:
        """Keep problems of a kind; say whether there are any."""
        found = tuple(problems)
        if found:
            self.errors.append(kind(*found))
        return bool(found)

    def done(self) -> None:
        """Raise everything that was kept: unreadable before forged before illegal."""
        if self.errors:
            kind = min((type(error) for error in self.errors), key=lambda one: one.exit_code)
            raise kind(*(problem for error in self.errors for problem in error.problems))


def take_in(
    documents: Sequence[Document],
    before: GameFile,
    open_sealed: OpenSealed,
    leaving: Collection[PlayerId] = (),
) -> Intake:
    """Check and sort documents for a game file; `open_sealed(document)` lays a sealed part open as `Unsealed`.

    `leaving` are seats that others take: what is signed by who sat there is void, but for a reveal that was due.
    """
    errors = Collector()
    handed: list[Handed] = []
    reveals: list[Signed] = []
    for document in documents:
        try:
            one = _take_one(document, before, open_sealed, errors)
            if isinstance(one, Handed) and one.player in leaving and one.player not in before.game.state.acting:
                raise _void(document, one.player, "the one who takes the seat plays from the next game file on")
        except RefereeError as error:
            errors.note(error)
            continue
        if isinstance(one, Signed):
            reveals.append(one)
        elif one is not None:
            handed.append(one)
    errors.done()
    orders = {h.player: h for h in _latest([h for h in handed if h.signed.format == ORDERS], errors)}
    changes = [
        *_latest([h for h in handed if h.signed.format == STANDING], errors),
        *_latest([h for h in handed if h.signed.format == RESIGN], errors),
        *_latest([h for h in handed if h.signed.format == DRAW], errors),
    ]
    errors.done()
    once = {(reveal.by, reveal.digest): reveal for reveal in sorted(reveals, key=_signature, reverse=True)}
    return Intake(orders, tuple(changes), tuple(once[key] for key in sorted(once)))


def _signature(signed: Signed) -> bytes:
    return signed.signature


def _take_one(
    document: Document, before: GameFile, open_sealed: OpenSealed, errors: Collector
) -> Handed | Signed | None:
    if document.signature is None and document.format in SHAPES:
        hint = "`referee sign` signs it"
        raise BadSignature(document.source.problem("not-signed", "is not signed", "", hint))
    if errors.wrong(UnreadableDocument, check_head(document, before)):
        return None
    if errors.wrong(IllegalOrders, why_not_for(document, before)):
        return None
    signed = verified_from(document, before)
    if errors.wrong(IllegalOrders, why_not_now(document, before)):
        return None
    if document.format == REVEAL:
        return signed
    is_sealed = "sealed" in document.tree and before.game.state.phase in SET_UP
    opened = open_sealed(document) if is_sealed and document.format == ORDERS else None
    body = read_body(document, before, opened.content if opened else None)
    player = PlayerId(document.tree["player"])
    if document.format == ORDERS and before.game.state.openly and before.game.state.phase == "capital":
        _check_commitment(document, before)
    if stays_sealed(before.game.state):
        opened = None  # nothing of it is laid open yet
    return Handed(signed, player, document.tree.get("sequence", 1), body, opened)


def _check_commitment(document: Document, before: GameFile) -> None:
    """Refuse a commitment to a capital that is none, or an opening that does not fit it."""
    from referee.documents.commitments import check_opening, committed

    if stays_sealed(before.game.state):
        committed(document.tree, document.source)
    else:
        check_opening(document, before)


MISSES = '"{player}" was passed over as the one who rolls, and misses this turn'
"""What is said to one who would like to play a turn that he must miss."""


def why_not_now(document: Document, before: GameFile) -> tuple[Problem, ...]:
    """Return why a document comes at the wrong time: game over, somebody else awaited, old standing orders."""
    state, source = before.game.state, document.source
    player = PlayerId(document.tree["player"])
    if state.phase == "over":
        return (source.problem("game-over", "the game is over", "turn" if "turn" in document.tree else ""),)
    if document.format == ORDERS and player not in state.acting:
        awaited = ", ".join(state.acting)
        return (source.problem("not-awaited", f'"{player}" is not awaited now, but {awaited}', "player"),)
    if document.format == ORDERS and player in who_must_miss(state):
        return (source.problem("misses-turn", MISSES.format(player=player), "player"),)
    if state.players[player].status != "playing":
        return (source.problem("not-playing", f'"{player}" does not play any more', "player"),)
    if document.format == STANDING:
        old = state.standing.get(player)
        if old is not None and document.tree["sequence"] <= old.sequence:
            message = f"standing orders {old.sequence} are in force; a newer file needs a higher number"
            return (source.problem("old-sequence", message, "sequence"),)
    return ()


def _latest(handed: Sequence[Handed], errors: Collector) -> list[Handed]:
    """Return for each player, in ASCII order, the document with the highest sequence."""
    best: dict[PlayerId, Handed] = {}
    for one in sorted(handed, key=_rank):
        highest = max(other.sequence for other in handed if other.player == one.player)
        if one.sequence < highest:
            continue
        other = best.setdefault(one.player, one)  # the same content, signed twice: the smaller signature stays
        if other.signed.digest != one.signed.digest:
            source = one.signed.source
            message = f"has the same sequence {one.sequence} as {other.signed.source.file}, and other content"
            hint = "the player gives the one that counts a higher sequence and signs it again"
            errors.wrong(IllegalOrders, [source.problem("same-sequence", message, "sequence", hint)])
    return [best[player] for player in sorted(best)]


def _rank(handed: Handed) -> tuple[str, str, bytes]:
    return handed.player, handed.signed.digest, handed.signed.signature


def unsealed_problem(document: Document) -> BadSignature:
    """Return the refusal of a sealed part that does not fit its commitment."""
    message = "what is sealed does not fit the commitment beside it"
    return BadSignature(document.source.problem("wrong-commitment", message, "sealed.commitment"))
