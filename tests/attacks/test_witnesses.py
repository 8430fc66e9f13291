"""Attacks on games with witnesses, by a host who conspires with the one who has the turn, or with the witness."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.attacking import (
    Folder,
    Tree,
    altered,
    changed,
    first_of,
    found,
    hosted,
    link_of,
    made_by_host,
    others,
    refused,
    shown,
    simple,
)
from support.planner import set_up
from support.table import HOST, Table, key_of

from referee.documents.acting import passed_over_act
from referee.documents.acts import take_acts
from referee.documents.base64 import encode
from referee.documents.canonical import digest_of
from referee.documents.gamefile import GameFile
from referee.documents.layout import table_text
from referee.documents.reveals import needs_reveals_of
from referee.documents.secrets import turn_seed
from referee.documents.signing import Document, read
from referee.game.dice import battle_dice
from referee.game.events import BattleFought
from referee.game.orders import PlayerId
from referee.game.rules import Settings
from referee.game.state import SET_UP


@pytest.fixture(scope="module")
def table() -> Table:
    return hosted(witness=True)


def over(table: Table, player: str, orders: Sequence[Document]) -> Document:
    tree = passed_over_act(table.file, PlayerId(player), [digest_of(one.tree) for one in orders], key_of(HOST))
    return read(table_text(tree).encode(), "act.toml")


def both(table: Table, *names: str) -> dict[str, str]:
    return {name: link_of(table, name) for name in (HOST, *names)}


def first_roll(made: GameFile) -> BattleFought:
    return next(event for event in made.game.events if isinstance(event, BattleFought))


def test_w01_nothing_is_rolled_without_the_witness(table: Table) -> None:
    orders = simple(table)
    player, second, third = others(table)
    good = table.reveal(second, [orders])
    assert not found(table, made_by_host(table, [orders, good], both(table, second)))
    assert refused(table, [orders]) == {"reveal-missing"}
    for reveals in (both(table), both(table, second), both(table, player), both(table, third)):
        assert found(table, made_by_host(table, [orders], reveals)) == {"reveal-missing"}
    assert found(table, made_by_host(table, [orders, good], both(table))) == {"other-reveals"}
    swapped = {HOST: link_of(table, second), second: link_of(table, HOST)}
    assert found(table, made_by_host(table, [orders, good], swapped)) == {"wrong-reveal"}


def test_w02_a_witness_is_not_chosen_and_not_forged(table: Table) -> None:
    orders, other = simple(table), simple(table, 2)
    player, second, third = others(table)
    good = table.reveal(second, [orders])
    assert refused(table, [orders, changed(good, person=HOST)]) == {"other-key"}
    assert refused(table, [orders, changed(good, by=third, person=third)]) == {"other-signer"}
    assert refused(table, [orders, changed(good, reveal=link_of(table, second, 2))]) == {"other-chain"}
    assert refused(table, [orders, table.reveal(second, [other])]) == {"other-orders"}
    for wrong in (player, third):
        assert refused(table, [orders, table.reveal(wrong, [orders])]) == {"no-reveal-needed", "reveal-missing"}


def test_w03_the_host_and_who_has_the_turn_do_not_know_the_dice(table: Table) -> None:
    """They know all that the seed is made of but one link, which stands in no file; with another the dice differ."""
    orders, game = simple(table), table.file.game
    second = others(table)[1]
    made = table.resolved([orders, table.reveal(second, [orders])])

    def dice(value: str) -> object:
        reveals = [(HOST, link_of(table, HOST)), (second, value)]
        seed = turn_seed(game.name, game.nonce, game.turn, table.file.digest, [digest_of(orders.tree)], reveals)
        roll = first_roll(made)
        return battle_dice(seed, roll.battle, roll.roll, len(roll.attack), len(roll.defence))

    assert dice(link_of(table, second)) == (first_roll(made).attack, first_roll(made).defence)
    assert len({str(dice(encode(bytes([number] * 32)))) for number in range(8)}) > 4
    written = "".join(table.file.text.split())
    assert link_of(table, second) not in re.findall(r"[A-Za-z0-9+/]{43}", written)


def test_w04_a_host_who_passes_witnesses_over_has_other_dice_and_his_acts_stand_there(table: Table) -> None:
    """He may say so when he has seen the dice; each whom he passes over misses a turn, and the last he cannot."""
    orders = simple(table)
    _, second, third = others(table)
    act = over(table, second, [orders])
    seen = table.resolved([orders, table.reveal(second, [orders])])
    made = table.resolved([orders, act, table.reveal(third, [orders])])
    assert not found(table, made)
    assert first_roll(made) != first_roll(seen)
    assert [(one["act"], one["player"]) for one in shown(made, "act")] == [("passed_over", second)]
    assert made.game.state.players[PlayerId(second)].passed_over
    assert refused(table, [orders, act, over(table, third, [orders])]) == {"nobody-rolls"}
    other = simple(table, 2)
    assert refused(table, [other, act, table.reveal(third, [other])]) == {"other-orders"}
    for name in (second, third):
        assert refused(table, [orders, changed(act, by=name)]) == {"wrong-act"}
    quiet = take_acts([act], table.file)._replace(documents=())
    loose = made_by_host(table, [orders, table.reveal(third, [orders])], both(table, third), quiet)
    assert found(table, loose) == {"no-reveal-needed", "reveal-missing"}


def test_w05_a_witness_who_was_passed_over_reveals_that_link_no_more(tmp_path: Path) -> None:
    """The host has it: told to the one who has the turn, it watches nobody. Another key has another chain."""
    table = hosted(witness=True)
    orders = simple(table)
    player, second, third = others(table)
    one = Folder(tmp_path, second)
    path = one.game(table.file)
    one.put("orders.toml", orders.source.text)
    assert one.says("reveal", path.name, "orders.toml", "-q") == ""
    table.play([orders, over(table, second, [orders]), table.reveal(third, [orders])])
    table.play([table.reveal(third, [])])
    assert first_of(table) == third
    orders = simple(table)
    table.play([orders, table.reveal(player, [orders])])
    assert first_of(table) == player
    path = one.game(table.file)
    orders = simple(table)
    one.put("orders.toml", orders.source.text)
    said = one.says("reveal", path.name, "orders.toml", "-q")
    assert "has your next link already" in said
    assert "another key" in said


def test_w06_the_host_the_witness_and_who_has_the_turn_choose_dice_and_nothing_shows(table: Table) -> None:
    second = others(table)[1]
    tries = []
    for number in range(6):
        orders = changed(simple(table), salt=encode(bytes([number] * 16)))
        made = table.resolved([orders, table.reveal(second, [orders])])
        assert not found(table, made)
        tries.append(str(first_roll(made)))
    assert len(set(tries)) > 1


def test_w07_witnesses_are_not_done_away_with(table: Table) -> None:
    orders, second = simple(table), others(table)[1]
    made = made_by_host(table, [orders, table.reveal(second, [orders])], both(table, second))

    def without(tree: Tree) -> None:
        tree["rules"]["witness"] = False

    assert found(table, altered(made, HOST, without)) == {"replay-differs"}


def test_w08_for_the_first_turn_after_placing_all_reveal() -> None:
    table = Table("sv", "dealt", 3, 7, Settings(missed="default", witness=True))
    while len(needs_reveals_of(table.file, ())) == 0:
        state = table.file.game.state
        assert state.phase in SET_UP
        table.play([table.orders(player, set_up(state, player, 7)) for player in state.acting])
    state = table.file.game.state
    orders = [table.orders(player, set_up(state, player, 7)) for player in state.acting]
    reveals = [table.reveal(player, orders) for player in state.playing()]
    assert not refused(table, [*orders, *reveals])
    assert refused(table, [*orders, *reveals[1:]]) == {"reveal-missing"}
    assert refused(table, orders) == {"reveal-missing"}
    assert found(table, made_by_host(table, orders)) == {"reveal-missing"}


def test_w09_a_missed_turn_is_watched_too(table: Table) -> None:
    player, second, _ = others(table)
    assert refused(table, [], [player]) == {"reveal-missing"}
    assert refused(table, [table.reveal(second, [simple(table)])], [player]) == {"other-orders"}
    assert not refused(table, [table.reveal(second, [])], [player])
    assert refused(table, [table.reveal(second, [])], [player, second]) == {"not-awaited"}
