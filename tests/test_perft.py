"""One number that checks everything: what one turn can lead to, counted twice (`perft/README.md`).

`perft.brute` plays every choice and every throw on plain dicts, `perft.scripts` writes every script of orders and plays
it with the referee's legality and `step`. Both must reach the same states by the same steps, and the numbers stand in
the files of the positions. Thousands of random scripts: `pytest tests/test_perft.py -m long`.
"""

from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from perft import brute, scripts
from perft.files import load, positions, presets, switches
from perft.setting import rules_of, state_of
from support.planner import random_orders

from referee.documents.cases.turns import Loaded, answer
from referee.documents.orders import read_orders
from referee.game.attacking import rolled
from referee.game.board import CardId
from referee.game.legality import findings, hand_of
from referee.game.orders import Orders
from referee.game.position import Dice, Position, Roll
from referee.game.state import State
from referee.game.turn import play, step

POSITIONS = positions()
CASES = [(name, preset) for name, position in POSITIONS.items() for preset in position["numbers"]]
SCRIPTS = 60
MANY = 4000
EVERY = 97
"""Of so many states reached one is reached again by its script as a whole."""


@cache
def by_brute_force(name: str, preset: str) -> dict[str, Any]:
    position = POSITIONS[name]
    rules = switches(preset, len(position["players"]))
    return brute.reachable(load(f"boards/{position['board']}"), rules, position)


def start(name: str, preset: str) -> State:
    return state_of(POSITIONS[name], rules_of(preset, len(POSITIONS[name]["players"])))


def secret_capitals(name: str) -> dict[str, str]:
    capitals: dict[str, str] = POSITIONS[name].get("secret_capitals", {})
    return capitals


def played(name: str, state: State, orders: Orders, dice: Dice) -> scripts.Public:
    """Return the public state that a turn leaves behind."""
    capitals = secret_capitals(name)
    _, after = play(Position(state, orders, 1), dice, lambda question, number: answer(question, number, capitals))
    return scripts.public(after)


@cache
def by_scripts(name: str, preset: str) -> scripts.Reached:
    return scripts.reachable(start(name, preset), secret_capitals(name))


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_scripts_reach_what_can_be_reached_at_the_table(name: str, preset: str) -> None:
    wanted, found = by_brute_force(name, preset), by_scripts(name, preset)
    for kind, states in wanted.items():
        assert set(getattr(found, kind)) == states, kind
    assert list(brute.numbers(wanted).values()) == POSITIONS[name]["numbers"][preset]


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_the_whole_script_leads_to_its_state(name: str, preset: str) -> None:
    """What was written entry by entry is an orders file with nothing wrong in it, written before the first roll."""
    state = start(name, preset)
    reached = by_scripts(name, preset)
    for wanted, way in list(reached.ended.items())[::EVERY]:
        orders = read_orders(reached.pen.script(way), state.board, state.players, state.acting[0])
        assert isinstance(orders, Orders)
        assert not findings(orders, state, hand_of(state, orders.player, {}))
        dice = Loaded(way.dice)
        assert played(name, state, orders, dice) == wanted
        assert not list(dice.left_over())


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_no_random_script_leads_elsewhere(name: str, preset: str) -> None:
    lead_nowhere_else(name, preset, SCRIPTS)


@pytest.mark.long
@pytest.mark.parametrize(("name", "preset"), CASES)
def test_none_of_thousands_of_random_scripts_leads_elsewhere(
    name: str, preset: str, request: pytest.FixtureRequest
) -> None:
    if "long" not in request.config.getoption("-m"):
        pytest.skip("thousands of random scripts: -m long")
    lead_nowhere_else(name, preset, MANY)


def lead_nowhere_else(name: str, preset: str, number: int) -> None:
    """Play scripts with paths, stops, conditions, several final moves and whatever else orders may hold."""
    rng = Random(f"{name} {preset}")
    state = start(name, preset)
    player, cards = state.acting[0], [CardId(card) for card in state.hands[state.acting[0]]]

    def throw(_battle: int, _roll: int, attack: int, defence: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        dice = tuple(rng.randint(1, 6) for _ in range(attack + defence))
        return dice[:attack], dice[attack:]

    dice: Dice = throw
    for _ in range(number):
        tree = random_orders(state, player, cards, rng)
        orders = read_orders(tree, state.board, state.players, player)
        assert isinstance(orders, Orders), (tree, orders)
        assert not findings(orders, state, hand_of(state, player, {})), tree
        assert played(name, state, orders, dice) in by_brute_force(name, preset)["ended"], tree


@pytest.mark.parametrize(("attack", "defence"), [*product((1, 2, 3), (1, 2))])
def test_every_throw_of_the_dice_ends_as_one_that_stands_for_it(attack: int, defence: int) -> None:
    """The scripts are played with one throw for each result; here all throws of so many dice are made."""
    table = {**POSITIONS["row"], "land": {"cape": "kari 9", "bay": "ola 9", "fen": "liv 1"}}
    state = state_of(table, rules_of("da classic", 3))
    tree = {"place": {"cape": 3}, "attack": [{"from": "cape", "to": "bay", "armies": attack, "max_rolls": 1}]}
    if defence == 1:
        table["land"]["bay"] = "ola 1"
        state = state_of(table, rules_of("da classic", 3))
    orders = read_orders(tree, state.board, state.players, "kari")
    assert isinstance(orders, Orders)
    position = Position(state, orders, 1)
    while not isinstance(move := step(position), Roll):
        position = move.position
    assert (move.attack, move.defence) == (attack, defence)

    def left(dice: scripts.Dice) -> tuple[int, int]:
        fight = rolled(position, *dice).position
        return fight.state.armies["cape"], fight.state.armies["bay"]

    results = Counter(
        left((thrown[:attack], thrown[attack:])) for thrown in product(range(1, 7), repeat=attack + defence)
    )
    assert {left(dice): ways for dice, ways in scripts.throws(attack, defence).items()} == results


@pytest.mark.parametrize("preset", presets())
def test_the_switches_are_those_that_the_referee_has(preset: str) -> None:
    for players in (2,) if "two" in preset else (2, 3):
        rules = rules_of(preset, players)._asdict()
        wanted = switches(preset, players)
        assert {key: rules[key] for key in wanted} == wanted


def test_every_preset_is_counted() -> None:
    assert {preset for _, preset in CASES} == set(presets())
