"""Positions of a turn: two that go on alike are equal, so that whoever merges them by equality is right."""

from collections.abc import Sequence
from typing import Any

from referee.documents.cases.positions import position as case_position
from referee.documents.orders import read_orders
from referee.game.attacking import rolled
from referee.game.orders import Orders
from referee.game.position import Ask, Done, Position, Roll
from referee.game.state import State
from referee.game.turn import answered, step

Rolls = Sequence[tuple[tuple[int, ...], tuple[int, ...]]]

LAND = {
    "alaska": "kari 9", "kamchatka": "ola 1", "japan": "ola 1", "northwest_territory": "liv 2", "iceland": "liv 1",
}  # fmt: skip


def state_of(land: dict[str, str], **changes: Any) -> State:
    tree = {"edition": "de", "variant": "world", "players": ["kari red", "ola blue", "liv green"], **changes}
    return case_position({**tree, "board": "ola 1", "land": land})._replace(luck={})


def entries(state: State, orders: dict[str, Any], dice: Rolls) -> list[Position]:
    """Play a turn of kari, and return its positions between the entries of the attack list."""
    read = read_orders(orders, state.board, state.players, "kari")
    assert isinstance(read, Orders)
    position = Position(state, read, 1)
    left = list(dice)
    found = []
    while not isinstance(move := step(position), Done):
        if position.stage == "attack":
            found.append(position)
        if isinstance(move, Roll):
            move = rolled(position, *left.pop(0))
        elif isinstance(move, Ask):
            names = position.state.hands[position.orders.player]
            move = answered(position, None if position.stage == "windfall" else names)
        position = move.position
    assert left == []
    return found


def test_between_two_entries_nothing_stays_of_the_one_that_is_over() -> None:
    state = state_of({**LAND, "northwest_territory": "liv 1", "iceland": "ola 1"}, hands={"liv": ["siam"]})
    orders = {
        "place": {"alaska": 3},
        "attack": [
            {"from": "alaska", "to": "northwest_territory", "advance": 3},
            {"path": ["alaska", "kamchatka", "japan"], "max_rolls": 1},
            {"from": "alaska", "to": "kamchatka"},
        ],
        "windfall": [{"trade": "best", "place": ["alaska"]}],
    }
    won, lost = ((6, 6, 6), (1,)), ((1, 1, 1), (6,))
    positions = entries(state, orders, [won, won, lost])
    assert [(p.entry, p.last) for p in positions] == [(0, "none"), (1, "won"), (2, "lost"), (3, "skipped")]
    assert "liv" in positions[1].state.out()
    blank = Position(state, positions[0].orders, 1)
    for position in positions:
        for field in ("leg", "fight", "rolls", "gone", "land", "windfall", "traded"):
            assert getattr(position, field) == getattr(blank, field), (position.entry, field)


def test_an_attack_won_in_more_rolls_leaves_an_equal_position() -> None:
    state = state_of({**LAND, "kamchatka": "ola 3"})
    orders = {
        "place": {"alaska": 3},
        "attack": [{"from": "alaska", "to": "kamchatka", "advance": 3}, {"from": "kamchatka", "to": "japan"}],
    }
    last = ((6, 6), (1,))
    quick = entries(state, orders, [((6, 1, 1), (5, 1)), ((6, 6, 6), (1, 1)), last])
    slow = entries(state, orders, [((6, 6, 6), (1, 1)), ((1, 1, 1), (6,)), ((6, 6, 6), (1,)), last])
    assert quick == slow
    assert [p.taken for p in quick] == [0, 1, 2]


def test_a_path_that_was_won_is_the_same_as_its_legs_one_by_one() -> None:
    state = state_of(LAND)
    path = {"place": {"alaska": 3}, "attack": [{"path": ["alaska", "kamchatka", "japan"]}]}
    legs = {
        "place": {"alaska": 3},
        "attack": [{"from": "alaska", "to": "kamchatka", "advance": "all"}, {"from": "kamchatka", "to": "japan"}],
    }
    dice = [((6, 6, 6), (1,)), ((6, 6, 6), (1,))]
    one, other = entries(state, path, dice)[-1], entries(state, legs, dice)[-1]
    assert one == other._replace(orders=one.orders, entry=one.entry)
