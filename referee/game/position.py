"""Where a turn stands, and what a step of it can be: the words of the step function in `turn`.

Chance and secrets are explicit: a step that needs dice is a `Roll`, one that needs an answer which the public state
does not hold is an `Ask`. Nothing here knows who answers.
"""

from collections.abc import Callable
from typing import Literal

from referee.game import events as e
from referee.game.board import CardId, TerritoryId
from referee.game.conditions import Last, holds, words
from referee.game.orders import Guard, Orders, PlayerId, Standing, Windfall
from referee.game.records import NamedTuple
from referee.game.state import State, apply
from referee.game.victory import mission_candidates, open_victory

Stage = Literal[
    "note", "trade", "income", "neutral", "attack", "roll", "won", "windfall", "card", "fortify",
    "changes", "next", "victory", "done",
]  # fmt: skip


class Resignation(NamedTuple):
    """A player leaves."""

    player: PlayerId


class Substitution(NamedTuple):
    """Another person takes a seat."""

    player: PlayerId


class KeyChange(NamedTuple):
    """A player signs with another key: `by` says who has decided it."""

    player: PlayerId
    by: e.Decider


class DrawVote(NamedTuple):
    """A player agrees to a draw after this turn."""

    player: PlayerId


class NewStanding(NamedTuple):
    """A player's new standing orders, in force from the next turn on."""

    standing: Standing
    note: str = ""


Change = Resignation | Substitution | KeyChange | NewStanding | DrawVote
"""What arrived beside the orders and takes effect when the turn is over."""


class Fight(NamedTuple):
    """A leg on plain integers: the kernel that turns, odds and stops share.

    `here` and `there` are the armies in source and target as they stand now; `rolls` and `lost` armies of this leg;
    `used` armies attacked in the last roll; at most `most` attack together, at most `dice` dice are rolled; from
    `two_from` armies on the defender rolls two dice.
    """

    source: TerritoryId
    target: TerritoryId
    defender: str
    battle: int
    most: int
    dice: int
    two_from: int
    here: int
    there: int
    rolls: int = 0
    lost: int = 0
    used: int = 0


class Position(NamedTuple):
    """Where a turn stands. `entry` and `leg` count from 0 in the list that `stage` is about.

    Only while a leg is fought `fight` says how it stands, and `rolls` are the rolls that are not in the state yet: they
    are folded when it ends. `battle` counts battles, `taken` conquests; `checks` are players whose missions are still
    to be looked at, `then` the stage after a check for victory; until the entry ends `gone` was just eliminated, `land`
    just taken; `sets` is the worth of the sets so far, `bonus` the extra armies for their territories, `traded` counts
    sets that the referee picked.
    """

    state: State
    orders: Orders
    turn: int
    changes: tuple[Change, ...] = ()
    stage: Stage = "note"
    entry: int = 0
    leg: int = 0
    fight: Fight | None = None
    rolls: tuple[e.BattleFought, ...] = ()
    battle: int = 0
    taken: int = 0
    last: Last = "none"
    sets: int = 0
    bonus: int = 0
    checks: tuple[PlayerId, ...] = ()
    then: Stage = "done"
    gone: str = ""
    land: str = ""
    windfall: Windfall | None = None
    traded: int = 0


class NamesOf(NamedTuple):
    """Under which names does the player hold these cards? Answer: the names in the same order."""

    player: PlayerId
    cards: tuple[CardId, ...]
    state: State


class BestSet(NamedTuple):
    """Which set of the hand is the best by P-08? Answer: `Held`, or None if there is no set."""

    player: PlayerId
    state: State
    bonus_used: bool


class MissionOf(NamedTuple):
    """Is the player's mission fulfilled in this state? Answer: the mission's id, or None."""

    player: PlayerId
    state: State


class CapitalAt(NamedTuple):
    """Is this territory, just taken from the player, his secret capital? Answer: the territory's id, or None."""

    player: PlayerId
    territory: TerritoryId


class NewPile(NamedTuple):
    """The discards are shuffled into a new pile (the answer says nothing: its order is hidden)."""

    number: int
    cards: tuple[str, ...]


class DrawFrom(NamedTuple):
    """Which of these cards is drawn by lot? They are ids in ASCII order. Answer: one of them."""

    cards: tuple[str, ...]


Question = NamesOf | BestSet | MissionOf | CapitalAt | NewPile | DrawFrom


class Held(NamedTuple):
    """Three cards and the names under which they are held."""

    cards: tuple[CardId, ...]
    names: tuple[str, ...]


Answer = tuple[str, ...] | Held | str | None


Dice = Callable[[int, int, int, int], tuple[tuple[int, ...], tuple[int, ...]]]
"""From battle, roll, and both sides' numbers of dice to their dice in the order thrown."""


class Happened(NamedTuple):
    """Events, already folded into the position that follows."""

    events: tuple[e.Event, ...]
    position: Position


class Roll(NamedTuple):
    """Dice are needed: how many each side rolls, in which battle and roll of the turn."""

    battle: int
    roll: int
    attack: int
    defence: int


class Ask(NamedTuple):
    """An answer is needed that the public state does not hold."""

    question: Question


class Done(NamedTuple):
    """The turn is over."""

    state: State


Step = Happened | Roll | Ask | Done


def on(position: Position, *events: e.Event, **changes: object) -> Happened:
    """Fold events into the state and set fields of the position."""
    state = position.state
    for event in events:
        state = apply(state, event)
    return Happened(events, position._replace(state=state, **changes))  # type: ignore[arg-type]


def then_check(position: Position, then: Stage, *events: e.Event, **changes: object) -> Happened:
    """The same, with a check for victory before the turn goes on at `then`."""
    happened = on(position, *events, **changes)
    return check_missions(happened, position.orders.player, then)


def check_missions(happened: Happened, acting: PlayerId, then: Stage) -> Happened:
    """Check for victory after what happened, missions from `acting` on; where nothing can be won the turn goes on."""
    after = happened.position
    checks = mission_candidates(after.state, acting)
    if not checks and open_victory(after.state) is None:
        return Happened(happened.events, after._replace(stage=then))
    return Happened(happened.events, after._replace(stage="victory", checks=checks, then=then))


class Failed(NamedTuple):
    """The condition that stops an entry: its number from 1, `if` before `unless`, and its words; 0 if none does."""

    number: int = 0
    words: str = ""


NONE_FAILED = Failed()


def failed_condition(position: Position, guard: Guard) -> Failed:
    """Return the first condition that stops an entry."""
    if not guard.require and not guard.exclude:
        return NONE_FAILED
    state, out = position.state, position.state.out
    cards, must_hold = len(state.hands[position.orders.player]), len(guard.require)
    for number, condition in enumerate(guard.require + guard.exclude, start=1):
        wanted = number <= must_hold
        if holds(condition, state, position.taken, cards, out, position.last) != wanted:
            return Failed(number, f"{'if' if wanted else 'unless'} {words(condition)}")
    return NONE_FAILED
