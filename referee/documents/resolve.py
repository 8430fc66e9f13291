"""A turn, from a game file and signed documents to the next game file: a pure function (DESIGN sections 2, 4, 5).

    resolve(before, documents, key, missed) -> GameFile

The same input gives the same bytes on every machine. `advance` does the work for whoever knows the hidden cards and has
the reveals: the host through `resolve`, everybody else through `verify`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.documents.base64 import encode
from referee.documents.boxes import SealKeys, boxes, host_knowledge, last_secret, open_sealed_part
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
from referee.documents.reveals import reveals_of
from referee.documents.secrets import turn_seed
from referee.documents.signing import Document, Signed, sign
from referee.documents.text import Source
from referee.errors import BadSignature, IllegalOrders, Problem, UsageProblem
from referee.game.absence import absent_orders, who_may_be_missed, who_rolls_for
from referee.game.board import CardId
from referee.game.dice import battle_dice, pick
from referee.game.events import CapitalRevealed, Event, SecretRevealed, StandingRecorded
from referee.game.legality import Finding, findings, hand_of, standing_findings
from referee.game.orders import Absence, CapitalChoice, Claim, Deployment, Orders, PlayerId
from referee.game.position import Answer, NewStanding, Position, Question
from referee.game.state import SET_UP, State, apply
from referee.game.turn import play

if TYPE_CHECKING:
    from referee.documents.capitals import Capitals


class Knows(NamedTuple):
    """What `advance` needs to know beyond the public: answers, hands by name, what was opened, commitments.

    `capitals` are there where they are secret.
    """

    answer: Callable[[Question, int], Answer]
    cards: Callable[[State, str], Mapping[str, CardId]]
    openings: Callable[[], Sequence[Opening]]
    commitments: Callable[[State, str, int], tuple[str, ...]]
    boxes: Callable[[Game], Mapping[PlayerId, str]]
    secret: Callable[[], Secret | None]
    capitals: "Capitals | None" = None


def resolve(before: GameFile, documents: Sequence[Document], key: Key, missed: Sequence[PlayerId] = ()) -> GameFile:
    """Play what the documents order and return the next game file, signed.

    `key` is the host's; `missed` are players whose orders the host says have not come. Raises UnreadableDocument,
    BadSignature or IllegalOrders with everything that is wrong in all documents.
    """
    game = before.game
    _check_host(game, key)
    _check_missed(before, missed)
    intake = take_in(documents, before, lambda document: open_sealed_part(document, before, key))
    knowledge = host_knowledge(game, key)
    seal_keys = SealKeys(key, game)
    knows = full_knowledge(knowledge, seal_keys.of, lambda: last_secret(key, game, seal_keys))
    acts = [missed_act(before, player, key) for player in sorted(missed)]
    reveals = reveals_of(before, intake, key, missed)
    return written(advance(before, intake, reveals, acts, tuple(missed), knows), key)


def advance(
    before: GameFile,
    intake: Intake,
    reveals: Sequence[tuple[str, str]],
    acts: Sequence[Mapping[str, Any]],
    missed: tuple[PlayerId, ...],
    knows: Knows,
) -> Game:
    """Return the next game: the events that follow, the state after them, and the evidence."""
    game = before.game
    required = _required(before, intake, missed)
    _check_votes(before.game.state, intake)
    _check_orders(before, required, intake.changes, knows)
    digests = [required[player].signed.digest for player in game.state.players if player in required]
    seed = turn_seed(game.name, game.nonce, game.turn, before.digest, digests, reveals)
    if game.state.phase in SET_UP:
        events, state = _set_up(before, required, intake, missed, seed)
    else:
        events, state = _play(before, required, intake, missed, seed, knows)
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
                *acts,
            )
        ),
    )
    if state.phase == "over":
        events, state = _all_told(game, events, state, knows)
    after = _next_game(before, events, state, evidence, intake, knows)
    return after._replace(capitals={player: kept[player] for player, open in state.capitals.items() if not open})


def _kept_capitals(
    before: GameFile, required: Mapping[PlayerId, Handed], knows: Knows
) -> Mapping[PlayerId, SealedCapital]:
    """Return what stays sealed of capitals: as it was, or what has just been handed in."""
    if knows.capitals is None or not stays_sealed(before.game.state):
        return before.game.capitals
    from referee.documents.capitals import sealed_capital

    kept = {player: sealed_capital(handed.signed.tree, before.digest) for player, handed in required.items()}
    knows.capitals.keep(kept)
    return kept


def _all_told(game: Game, events: list[Event], state: State, knows: Knows) -> tuple[list[Event], State]:
    """Add what is revealed when all is over: the capitals that are still secret, then the secret of the game."""
    told: list[Event] = []
    for player in [player for player, open in state.capitals.items() if not open]:
        assert knows.capitals is not None
        told.append(CapitalRevealed(player, knows.capitals.open(player)))
        state = apply(state, told[-1])
    return [*events, *told, SecretRevealed(game.host.name)], state


def whole(signed: Signed) -> dict[str, Any]:
    """Return a document with its signature, as evidence."""
    halves = [encode(signed.signature[:32]), encode(signed.signature[32:])]
    return {**signed.tree, "signature": {"by": signed.by, "key": signed.key, "value": halves}}


# --- what is required --------------------------------------------------------------------------


def _check_host(game: Game, key: Key) -> None:
    if key.public != game.host.key:
        message = f'is not the key of the host "{game.host.name}", {game.host.key}'
        hint = "only the host can resolve; everybody can `referee verify`"
        raise BadSignature(Problem("not-the-host", message, "--key", hint))
    if game.state.phase == "over":
        raise IllegalOrders(Problem("game-over", "the game is over"))


def _check_missed(before: GameFile, missed: Sequence[PlayerId]) -> None:
    state = before.game.state
    wrong = [player for player in missed if player not in who_may_be_missed(state, missed)]
    if wrong:
        awaited = ", ".join(state.acting)
        raise UsageProblem(Problem("not-awaited", f'"{wrong[0]}" is not awaited, but {awaited}', "--missed"))


def _required(before: GameFile, intake: Intake, missed: Sequence[PlayerId]) -> dict[PlayerId, Handed]:
    """Return the orders of everybody awaited, in seat order, or say whose are not there."""
    state = before.game.state
    if state.phase in SET_UP:
        from referee.game.rounds import waits_for

        if waits_for(state, missed):
            return {}
    leaving = intake.leaving()
    required: dict[PlayerId, Handed] = {}
    problems = []
    for player in state.players:
        if player not in state.acting:
            continue
        if player in missed:
            if player in intake.orders:
                file = intake.orders[player].signed.source.file
                problems.append(Problem("not-missed", f'orders of "{player}" are here: {file}', "--missed"))
        elif player in leaving:
            continue
        elif player in intake.orders:
            required[player] = intake.orders[player]
        else:
            hint = f"if none came in time: --missed {player}"
            problems.append(
                Problem(
                    "orders-missing",
                    f'no orders of "{player}" for turn {before.game.turn}',
                    hint=hint,
                )
            )
    if problems:
        raise IllegalOrders(*problems)
    return required


def _check_votes(state: State, intake: Intake) -> None:
    """Raise if some, but not all who play and stay, agree to a draw: a vote holds for this turn only."""
    votes = intake.voting()
    missing = [player for player in state.playing() if player not in votes | intake.leaving()]
    if votes and missing:
        message = f"a draw needs the votes of all who play; missing: {', '.join(missing)}"
        hint = "leave the votes out until all have come; each answers one game file"
        raise IllegalOrders(Problem("votes-missing", message, hint=hint))


def _check_orders(
    before: GameFile, required: Mapping[PlayerId, Handed], changes: Sequence[Handed], knows: Knows
) -> None:
    """Hold all orders and plans against the rules; all problems of all files at once."""
    state = before.game.state
    wrong: list[tuple[Finding, Source]] = []
    for handed in changes:
        if isinstance(handed.body, NewStanding):
            wrong += [(finding, handed.signed.source) for finding in standing_findings(handed.body.standing, state)]
    for player, handed in required.items():
        match handed.body:
            case Orders():
                found = findings(handed.body, state, hand_of(state, player, knows.cards(state, player)))
            case Claim() | Deployment() | CapitalChoice():
                from referee.game.rounds import set_up_findings

                found = set_up_findings(handed.body, state)
            case _:
                raise AssertionError("orders are a turn or a part of the set-up")
        wrong += [(finding, handed.signed.source) for finding in found]
    if wrong:
        from referee.documents.refusals import refused

        raise IllegalOrders(*(refused(finding, source, state.board) for finding, source in wrong))


# --- playing -----------------------------------------------------------------------------------


def _play(
    before: GameFile,
    required: Mapping[PlayerId, Handed],
    intake: Intake,
    missed: Sequence[PlayerId],
    seed: bytes,
    knows: Knows,
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
            roller = who_rolls_for(state, player)
            orders = absent_orders(state, player, roller if roller in missed else None)
    position = Position(state, orders, turn, intake.change_values(tuple(before.game.state.players)))

    def dice(battle: int, roll: int, attack: int, defence: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return battle_dice(seed, battle, roll, attack, defence)

    return play(position, dice, knows.answer)


def _set_up(
    before: GameFile,
    required: Mapping[PlayerId, Handed],
    intake: Intake,
    missed: Sequence[PlayerId],
    seed: bytes,
) -> tuple[list[Event], State]:
    from referee.game.rounds import set_up

    orders = [h.body for h in required.values() if isinstance(h.body, (Claim, Deployment, CapitalChoice))]
    changes = intake.change_values(tuple(before.game.state.players))
    state = before.game.state
    return set_up(state, orders, missed, changes, lambda label, n: pick(seed, label, n))


def _next_game(
    before: GameFile,
    events: list[Event],
    state: State,
    evidence: Evidence,
    intake: Intake,
    knows: Knows,
) -> Game:
    """Put the next game file together: heads of chains, commitments, boxes, the secret at the end."""
    game = before.game
    revealed = dict(evidence.reveals)
    people = {player: _moved(person, revealed.get(player)) for player, person in game.people.items()}
    host: Host = _moved(game.host, revealed.get(game.host.name))
    standing = dict(game.standing)
    recorded = {(event.player, event.sequence) for event in events if isinstance(event, StandingRecorded)}
    for handed in intake.changes:
        if (handed.player, handed.sequence) in recorded and isinstance(handed.body, NewStanding):
            head = ("format", "game", "nonce", "player")
            standing[handed.player] = ordered({k: v for k, v in handed.signed.tree.items() if k not in head})
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
        deadline="",
        host=host,
        people=people,
        state=state,
        deck=deck,
        mission_commitments=missions,
        standing={player: standing[player] for player in state.players if player in standing},
        evidence=evidence._replace(openings=tuple(knows.openings()), unsealed=(*evidence.unsealed, *laid_open)),
        events=tuple(events),
        secret=knows.secret() if state.phase == "over" else None,
    )
    return after._replace(sealed=knows.boxes(after))


def _commitments(knows: Knows, state: State, number: int) -> tuple[str, ...]:
    count = state.deck_size if number == 0 else len(state.shuffled[number])
    return knows.commitments(state, f"deck/{number + 1}", count)


def _moved(who: Any, reveal: str | None) -> Any:
    """Move the head of a chain on to what was revealed."""
    assert isinstance(who, (Person, Host))
    return who._replace(chain=reveal, links=who.links + 1) if reveal else who


def missed_act(before: GameFile, player: PlayerId, key: Key) -> dict[str, Any]:
    """Return the host's signed word that a player's orders have not come."""
    game = before.game
    tree: dict[str, Any] = {
        "format": ACT,
        "game": game.name,
        "turn": game.turn,
        "state": before.digest,
        "act": "missed",
        "player": player,
    }
    return {**tree, "signature": sign(tree, key, game.host.name)}


def full_knowledge(
    knowledge: HostKnowledge,
    seal_key_of: Callable[[PlayerId], bytes],
    secret: Callable[[], Secret | None],
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
        knowledge.capitals,
    )
