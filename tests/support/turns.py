"""One turn with random dice and open hands, without game files: where each entry was reached, and what happened."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from referee.documents.cases.turns import answer
from referee.game.attacking import fought
from referee.game.events import Event
from referee.game.orders import Orders
from referee.game.position import Ask, Done, Happened, Position
from referee.game.state import State
from referee.game.turn import answered, step


class Played(NamedTuple):
    """The events of a turn, and by list and number (from 1) each position in which the entry was looked at."""

    events: tuple[Event, ...]
    reached: tuple[tuple[str, int, Position], ...]


def played(orders: Orders, state: State, rng: Random, capitals: Mapping[str, str]) -> Played:
    """Play a turn with dice that are good for both sides or for one; cards are held by their ids."""
    luck = rng.choice((1, 3, 6))
    position = Position(state, orders, 1)
    events: list[Event] = []
    reached: list[tuple[str, int, Position]] = []

    def throw(_battle: int, _roll: int, attack: int, defence: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        mine = tuple(rng.randint(luck, 6) for _ in range(attack))
        return mine, tuple(rng.randint(1, 7 - luck) for _ in range(defence))

    while True:
        reached += ((kind, number, position) for kind, number in _looked_at(position))
        move = fought(position, throw) if position.stage == "roll" else step(position)
        if isinstance(move, Ask):
            move = answered(position, answer(move.question, 0, capitals, next(iter(position.state.pile), None)))
        if isinstance(move, Done):
            return Played(tuple(events), tuple(reached))
        assert isinstance(move, Happened)
        events += move.events
        position = move.position


def _looked_at(position: Position) -> list[tuple[str, int]]:
    """Return the entries that the next step looks at."""
    orders, number = position.orders, position.entry + 1
    if position.stage == "windfall" and position.gone and position.windfall is None:
        return [("windfall", one) for one in range(1, len(orders.windfalls) + 1)]
    lists = {"attack": orders.attacks, "fortify": orders.fortifies}
    return [(position.stage, number)] if number <= len(lists.get(position.stage, ())) else []
