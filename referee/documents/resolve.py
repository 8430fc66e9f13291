"""A turn, from a game file and signed documents to the next game file: a pure function (DESIGN sections 2, 4, 5).

    resolve(before, documents, key, missed) -> GameFile

The same input gives the same bytes on every machine. `advance` does the work for whoever knows the hidden cards and has
the reveals: the host through `resolve`, everybody else through `verify`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.documents.acts import OF_THE_HOST, Acts, as_answered, missing_their_next, take_acts, why_not_called
from referee.documents.base64 import decode
from referee.documents.boxes import SealKeyOf, boxes, host_knowledge, last_secret, open_sealed_part, seal_keys_of
from referee.documents.gamefile import (
    Evidence,
    Game,
    GameFile,
    Host,
    Opening,
    Person,
    SealedCapital,
    Secret,
    written,
)
from referee.documents.intake import ACT, Handed, Intake, stays_sealed, take_in
from referee.documents.keys import Key
from referee.documents.knowledge import HostKnowledge
from referee.documents.layout import ordered
from referee.documents.required import (
    check_alone,
    check_missed,
    check_orders,
    check_passed_over,
    check_votes,
    required_orders,
)
from referee.documents.reveals import order_digests, reveals_of
from referee.documents.rolling import next_link, refuse_other_key, refuse_seen, roller_of
from referee.documents.secrets import turn_seed
from referee.documents.signing import Document, Signed, in_halves
from referee.errors import BadSignature, IllegalOrders, Problem, raise_all
from referee.game.absence import NOBODY, absent_orders, who_rolls_for
from referee.game.board import CardId
from referee.game.dice import battle_dice, pick
from referee.game.events import (
    CapitalRevealed,
    DeadlineSet,
    Event,
    GameHandedOver,
    KeyChanged,
    SeatSubstituted,
    SecretRevealed,
    StandingRecorded,
)
from referee.game.orders import Absence, CapitalChoice, Claim, Deployment, Orders, PlayerId
from referee.game.position import (
    Answer,
    Change,
    DrawFrom,
    KeyChange,
    NewStanding,
    Position,
    Question,
    Substitution,
)
from referee.game.records import NamedTuple
from referee.game.state import SET_UP, State, apply
from referee.game.turn import play

if TYPE_CHECKING:
    from referee.documents.capitals import Capitals
    from referee.game.setup import OwnColours


class Knows(NamedTuple):
    """What `advance` needs to know beyond the public: answers, hands by name, what was opened, commitments.

    `own_colours` says who has the mission against his own colour; `capitals` are there where they are secret;
    `own_boxes` makes the boxes of any game file, if that can be done.
    """

    answer: Callable[[Question, int], Answer]
    cards: Callable[[State, str], Mapping[str, CardId]]
    openings: Callable[[], Sequence[Opening]]
    commitments: Callable[[State, str, int], tuple[str, ...]]
    boxes: Callable[[Game], Mapping[PlayerId, str]]
    secret: Callable[[Game], Secret | None]
    own_colours: "OwnColours"
    capitals: "Capitals | None" = None
    own_boxes: Callable[[Game], Mapping[PlayerId, str]] | None = None


def resolve(before: GameFile, documents: Sequence[Document], key: Key, missed: Sequence[PlayerId] = ()) -> GameFile:
    """Play what the documents order and return the next game file, signed.

    `key` is that of who makes it (`rolling`); `missed` are players whose orders the host says have not come. Raises
    UnreadableDocument, BadSignature or IllegalOrders with everything that is wrong in all documents.
    """
    if before.game.state.phase == "over":
        raise IllegalOrders(Problem("game-over", "the game is over"))
    acts, here = seats_of(documents, before)
    roller = roller_of(before.game, acts.passed_over, acts.gone is not None)
    refuse_other_key(roller, key)
    if acts.gone is not None:
        check_alone(documents, missed)
        reveal = next_link(roller, key, before.game.nonce)
        refuse_seen(before.game, roller.name, reveal)
        return written(without_host(before, acts, reveal), key, roller.name)
    check_missed(here, missed)
    if missed:
        from referee.documents.acting import missed_act

        called = [missed_act(before, player, key) for player in missed]
        acts = take_acts([*(one for one in documents if one.format in OF_THE_HOST), *called], before)
    intake = take_in(
        [one for one in documents if one.format not in OF_THE_HOST],
        here,
        lambda document: None if here.game.state.openly else open_sealed_part(document, here, key),
        [one.player for one in acts.substitutes],
    )
    knows = full_knowledge(host_knowledge(here.game, key), seal_keys_of(key), lambda game: last_secret(key, game))
    reveals = reveals_of(here, intake, key, acts)
    return written(advance(here, intake, reveals, acts, knows), key, roller.name)


def without_host(before: GameFile, acts: Acts, reveal: str) -> Game:
    """Return the game that goes on without its host, who is gone; `reveal` is the link of who makes the file."""
    from referee.documents.gone import gone_on

    assert acts.gone is not None
    roller = roller_of(before.game, gone=True)
    return gone_on(before, acts.gone, [ordered(whole(act)) for act in acts.documents], (roller.name, reveal))


def seats_of(documents: Sequence[Document], before: GameFile) -> tuple[Acts, GameFile]:
    """Return the acts among documents, and the game file as its orders are answered: with substitutes who act at once.

    That something is missing says `resolve` for the host, so such an act of his is refused here; and at a table one
    about a player who misses the turn in any case.
    """
    for one in documents if before.game.host is not None else ():
        if one.format == ACT and one.tree.get("act") == "missed":
            hint = f"leave it out, and say --missed {one.tree.get('player')}"
            raise IllegalOrders(one.source.problem("missed-by-hand", "is made when the turn is resolved", "act", hint))
    acts = take_acts([one for one in documents if one.format in OF_THE_HOST], before)
    raise_all(IllegalOrders, (problem for act in acts.documents for problem in why_not_called(act, before)))
    return acts, as_answered(before, acts.substitutes)


def advance(
    before: GameFile,
    intake: Intake,
    reveals: Sequence[tuple[str, str]],
    acts: Acts,
    knows: Knows,
) -> Game:
    """Return the next game: the events that follow, the state after them, and the evidence.

    `before` is a game file with the substitutes for awaited seats (`acts.as_answered`).
    """
    before, passed = missing_their_next(before, acts)
    game, missed = before.game, acts.missed
    first: list[Event] = [SeatSubstituted(one.player) for one in acts.substitutes if one.player in game.state.acting]
    first += passed
    _check_boxes(before, acts, knows)
    check_passed_over(acts, order_digests(before, intake))
    required = required_orders(before, intake, missed)
    check_votes(before.game.state, intake)
    check_orders(before, required, intake.changes, knows.cards)
    digests = [required[player].signed.digest for player in game.state.players if player in required]
    seed = turn_seed(game.name, game.nonce, game.turn, before.digest, digests, reveals)
    if game.state.phase in SET_UP:
        rolls = decode(game.start_seed) if game.state.openly or game.host_seat else seed
        events, state = _set_up(before, required, _changes(before, intake, acts), missed, rolls, knows.own_colours)
    else:
        changes = _changes(before, intake, acts)
        so_far = len(first)
        events, state = _play(before, required, changes, missed, seed, lambda ask, n: knows.answer(ask, n + so_far))
    events = [*first, *events]
    kept = _kept_capitals(before, required, knows)
    evidence = Evidence(
        reveals=tuple(reveals),
        unsealed=tuple(h.opened for h in required.values() if h.opened),
        documents=tuple(
            ordered(tree)
            for tree in (
                *(whole(handed.signed) for handed in required.values()),
                *(whole(handed.signed) for handed in intake.changes),
                *(whole(reveal) for reveal in intake.reveals),
                *(whole(act) for act in acts.documents),
            )
        ),
    )
    if state.phase == "over":
        events, state = _all_told(game, events, state, knows)
    else:
        events = [*events, *_decided(game, acts)]
    after = _next_game(before, events, state, evidence, intake, acts, knows)
    if acts.handing is not None and state.phase != "over":
        from referee.documents.handing import handed_over

        after = handed_over(after, acts.handing, before.digest)
    return after._replace(capitals={player: kept[player] for player, open in state.capitals.items() if not open})


def _decided(game: Game, acts: Acts) -> Iterator[Event]:
    """Yield what else acts bring, if the game goes on: a deadline, another host."""
    if acts.deadline:
        yield DeadlineSet(acts.deadline)
    if acts.handing is not None:
        yield GameHandedOver(game.keeper.name, acts.handing.offer.tree["name"])


def _kept_capitals(
    before: GameFile, required: Mapping[PlayerId, Handed], knows: Knows
) -> Mapping[PlayerId, SealedCapital]:
    """Return what stays sealed of capitals: as it was, or what has just been handed in."""
    if before.game.state.openly and stays_sealed(before.game.state):
        from referee.documents.commitments import committed

        return {player: committed(handed.signed.tree, handed.signed.source) for player, handed in required.items()}
    if knows.capitals is None or not stays_sealed(before.game.state):
        return before.game.capitals
    from referee.documents.capitals import sealed_capital

    kept = {player: sealed_capital(handed.signed.tree, before.digest) for player, handed in required.items()}
    knows.capitals.keep(kept)
    return kept


def _all_told(game: Game, events: list[Event], state: State, knows: Knows) -> tuple[list[Event], State]:
    """Add what is revealed when all is over: the capitals that are still secret, then the secret of the game.

    Where nobody keeps secrets a capital to which a player is committed stays his, if the game ends before it is opened.
    """
    told: list[Event] = []
    for player in [player for player, open in state.capitals.items() if not open and not state.openly]:
        assert knows.capitals is not None
        told.append(CapitalRevealed(player, knows.capitals.open(player)))
        state = apply(state, told[-1])
    if game.host is not None and not state.openly:
        told.append(SecretRevealed(game.host.name))
    return [*events, *told], state


def whole(signed: Signed) -> dict[str, Any]:
    """Return a document with its signature, as evidence."""
    signature = {"by": signed.by, "key": signed.key, "value": in_halves(signed.signature)}
    return {**signed.tree, "signature": signature}


def _check_boxes(before: GameFile, acts: Acts, knows: Knows) -> None:
    """Hold the boxes of substitutes who act at once against what they should be, if that is known here."""
    boxes = {one.player: one.box for one in acts.substitutes if one.box}
    if not boxes:
        return
    made = knows.own_boxes(before.game) if knows.own_boxes is not None else None
    if made is not None and any(made[player] != box for player, box in boxes.items()):
        raise BadSignature(Problem("wrong-box", "the box of an act is not what the substitute should see", "box"))


# --- playing -----------------------------------------------------------------------------------


def _play(
    before: GameFile,
    required: Mapping[PlayerId, Handed],
    changes: tuple[Change, ...],
    missed: Sequence[PlayerId],
    seed: bytes,
    answer: Callable[[Question, int], Answer],
) -> tuple[list[Event], State]:
    state, turn = before.game.state, before.game.turn
    player = state.acting[0]
    handed = required.get(player)
    if handed is not None:
        orders = handed.body
        assert isinstance(orders, Orders)
    else:
        orders = Orders(player, absence=Absence("resigned"))
        if player in missed:
            orders = absent_orders(state, player, _not_revealed(before.game, player, missed))
    position = Position(state, orders, turn, changes)

    def answered(question: Question, so_far: int) -> Answer:
        if isinstance(question, DrawFrom):
            return question.cards[pick(seed, "draw", len(question.cards))]
        return answer(question, so_far)

    def dice(battle: int, roll: int, attack: int, defence: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return battle_dice(seed, battle, roll, attack, defence)

    return play(position, dice, answered)


def _not_revealed(game: Game, player: PlayerId, missed: Sequence[PlayerId]) -> PlayerId | None:
    """Return who has not revealed for a missed turn with attacks, so that none is made."""
    roller = who_rolls_for(game.state, player, game.host_seat)
    if roller is None or game.host is None:
        return roller if roller in missed else None
    if game.host_seat or game.state.settings.witness:
        from referee.documents.witnesses import is_watched

        if is_watched(game):
            return None
    return roller if roller in (*missed, NOBODY) else None


def _changes(before: GameFile, intake: Intake, acts: Acts) -> tuple[Change, ...]:
    """Return what takes effect after the turn: substitutes for seats not awaited, and other keys, before who leaves."""
    state = before.game.state
    later: list[Change] = [Substitution(one.player) for one in acts.substitutes if one.player not in state.acting]
    later += [KeyChange(one.player, one.by) for one in acts.new_keys]
    given = intake.change_values(tuple(state.players))
    standing = [change for change in given if isinstance(change, NewStanding)]
    return (*standing, *later, *given[len(standing) :])


def _set_up(
    before: GameFile,
    required: Mapping[PlayerId, Handed],
    changes: tuple[Change, ...],
    missed: Sequence[PlayerId],
    seed: bytes,
    own_colours: "OwnColours",
) -> tuple[list[Event], State]:
    from referee.game.rounds import set_up

    orders = [h.body for h in required.values() if isinstance(h.body, (Claim, Deployment, CapitalChoice))]
    state = before.game.state
    return set_up(state, orders, missed, changes, lambda label, n: pick(seed, label, n), own_colours)


def _next_game(
    before: GameFile,
    events: list[Event],
    state: State,
    evidence: Evidence,
    intake: Intake,
    acts: Acts,
    knows: Knows,
) -> Game:
    """Put the next game file together: heads of chains, commitments, boxes, the secret at the end."""
    game = before.game
    changed = {event.player for event in events if isinstance(event, (SeatSubstituted, KeyChanged))}
    revealed = dict(evidence.reveals)
    people = {player: person._replace(**_moved(person, revealed.get(player))) for player, person in game.people.items()}
    host = game.host
    if host is not None:
        host = host._replace(**_moved(host, revealed.get(host.name)))
    standing = dict(game.standing)
    recorded = {(event.player, event.sequence) for event in events if isinstance(event, StandingRecorded)}
    for handed in intake.changes:
        if (handed.player, handed.sequence) in recorded and isinstance(handed.body, NewStanding):
            head = ("format", "game", "nonce", "player")
            standing[handed.player] = ordered({k: v for k, v in handed.signed.tree.items() if k not in head})
    standing = {player: tree for player, tree in standing.items() if player in state.standing}
    deck = tuple(
        game.deck[number] if number < len(game.deck) else _commitments(knows, state, number)
        for number in range(state.shuffles)
    )
    missions = game.mission_commitments
    if state.missions and not missions:
        missions = knows.commitments(state, "missions/1", len(state.pack))
    laid_open = knows.capitals.opened if knows.capitals else ()
    after = game._replace(
        turn=game.turn + 1,
        previous=before.digest,
        deadline=acts.deadline if state.phase != "over" else "",
        host=host,
        people=people,
        state=state,
        deck=deck,
        mission_commitments=missions,
        standing={player: standing[player] for player in state.players if player in standing},
        evidence=evidence._replace(openings=tuple(knows.openings()), unsealed=(*evidence.unsealed, *laid_open)),
        events=tuple(events),
    )
    later = [one for one in acts.substitutes if one.player in changed and one.player not in game.state.acting]
    if later or acts.new_keys:
        from referee.documents.seats import changed_keys, taken_over

        after = taken_over(after, later)
        after = changed_keys(after, [one for one in acts.new_keys if one.player in changed])
    if state.phase == "over":
        after = after._replace(secret=knows.secret(after))
    return after._replace(sealed=knows.boxes(after))


def _commitments(knows: Knows, state: State, number: int) -> tuple[str, ...]:
    count = state.deck_size if number == 0 else len(state.shuffled[number])
    return knows.commitments(state, f"deck/{number + 1}", count)


def _moved(who: Person | Host, reveal: str | None) -> dict[str, Any]:
    """Return where the head of a chain stands after what was revealed."""
    return {"chain": reveal, "links": who.links + 1} if reveal else {}


def full_knowledge(
    knowledge: HostKnowledge,
    seal_key_of: SealKeyOf,
    secret: Callable[[Game], Secret | None],
) -> Knows:
    """Return the knowledge of one who has the secret of the game and the keys to the players' boxes."""

    def commitments(state: State, label: str, count: int) -> tuple[str, ...]:
        knowledge.learn(state)
        return knowledge.commitments(label, count)

    return Knows(
        knowledge.answer,
        knowledge.cards,
        lambda: knowledge.openings,
        commitments,
        lambda game: boxes(game, knowledge, seal_key_of),
        secret,
        knowledge.own_colours,
        knowledge.capitals,
        lambda game: boxes(game, knowledge, seal_key_of),
    )
