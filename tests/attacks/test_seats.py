"""Attacks with another key, another player and another host: who may say so, and what stays visible for ever."""

import pytest
from support.attacking import (
    Tree,
    altered,
    changed,
    edited,
    first_of,
    found,
    hosted,
    made_by_host,
    others,
    refused,
    shown,
    simple,
    with_signature,
)
from support.table import HOST, Table, key_of

from referee.documents.acts import take_acts
from referee.errors import RefereeError
from referee.game.events import KeyChanged
from referee.game.orders import PlayerId

THIEF = "mallory"


@pytest.fixture(scope="module")
def table() -> Table:
    return hosted()


def test_k01_nobody_but_its_owner_or_who_decides_changes_a_key(table: Table) -> None:
    player, second, _ = others(table)
    act, join, invitation = table.key_change(player, "new")
    orders = simple(table)
    assert not refused(table, [orders, act, join, invitation])
    assert not refused(table, [orders, *table.key_change(player, "new", "host")])
    for wrong, code in (
        (changed(act, by=second), "wrong-act"),
        (changed(act, person="new"), "other-key"),
        (changed(act, person=second), "other-key"),
        (edited(act, player=second), "wrong-act"),
    ):
        assert refused(table, [orders, wrong, join, invitation]) == {code}
    assert refused(table, [orders, with_signature(act.tree, HOST, key_of(HOST).public, act), join, invitation]) == {
        "wrong-signature"
    }
    other = table.join_of(player, THIEF)
    assert refused(table, [orders, act, other, invitation]) == {"no-join", "no-act"}


def test_k02_who_has_changed_a_key_stands_in_the_file_for_ever(table: Table) -> None:
    """A host, or a thief with the old key, can take a seat over; nobody can do it unseen."""
    player = first_of(table)
    again = Table.at(table, table.file)
    made = made_by_host(again, [simple(again)], acts=take_acts(again.key_change(player, THIEF, "host"), again.file))
    assert not found(again, made)
    assert [(e.player, e.by) for e in made.game.events if isinstance(e, KeyChanged)] == [(player, "host")]

    def by_herself(tree: Tree) -> None:
        next(event for event in tree["events"] if event["kind"] == "key_changed")["by"] = "player"

    def forgotten(tree: Tree) -> None:
        del tree["players"][player]["former"]

    assert found(again, altered(made, HOST, by_herself)) == {"replay-differs"}
    assert found(again, altered(made, HOST, forgotten)) == {"replay-differs"}


def test_k03_a_key_that_was_stolen_is_taken_back_and_what_it_signed_is_void(table: Table) -> None:
    _, second, _ = others(table)
    again = Table.at(table, table.file)
    again.play([simple(again), *again.key_change(second, THIEF)])
    good = again.key_change(second, "new", "host")
    assert first_of(again) == second
    again.people[PlayerId(second)] = THIEF
    false = simple(again)
    again.play([false, *good])
    assert again.file.game.people[PlayerId(second)].key == key_of("new").public
    standing = again.standing(second, {"defend": {"dice": 1}})
    assert refused(again, [simple(again), standing]) == {"void"}


def test_k04_at_a_table_nobody_takes_anothers_key_alone() -> None:
    table = Table("no", "world", 3, 7, hosted=False)
    player = table.file.game.state.players
    name = next(iter(player))
    acts = table.key_change(name, THIEF, "table")
    documents = [one for one in acts if one.tree.get("act") == "key"]
    rest = [one for one in acts if one not in documents]
    assert len(documents) == 2
    take_acts(acts, table.file)
    with pytest.raises(RefereeError, match="is not signed by"):
        take_acts([documents[0], *rest], table.file)
    two = Table("sv", "standard", 2, 7, hosted=False)
    with pytest.raises(RefereeError, match="with two players there is none"):
        take_acts(two.key_change("kari", THIEF, "table"), two.file)


def test_k05_nobody_but_the_host_hands_the_game_over(table: Table) -> None:
    act, offer = table.handing("berit")
    orders = simple(table)
    assert not refused(table, [orders, act, offer])
    player = first_of(table)
    assert refused(table, [orders, changed(act, by=player), offer]) == {"wrong-act"}
    assert refused(table, [orders, changed(act, person=THIEF), offer]) == {"other-key"}
    assert refused(table, [orders, edited(act, host=THIEF), offer]) == {"wrong-signature"}
    false = table.offer(THIEF, "berit")
    assert refused(table, [orders, act, false]) == {"no-offer", "no-act"}
    again = Table.at(table, table.file)
    again.play([simple(again)])
    assert refused(again, [simple(again), act, offer]) == {"other-turn"}


def test_k06_who_was_the_host_makes_no_file_any_more(table: Table) -> None:
    again = Table.at(table, table.file)
    again.play([simple(again), *again.handing("berit")])
    assert again.file.game.keeper.key == key_of("berit").public
    good = again.resolved([simple(again)])
    assert not found(again, good)
    assert found(again, altered(good, HOST, lambda tree: None)) == {"other-signer"}
    assert found(again, altered(good, HOST, lambda tree: None, "berit")) == {"other-key"}
    assert refused(again, [simple(again), changed(again.deadline("2027-01-31T20:00:00Z"), by=HOST)]) == {"wrong-act"}


def test_k07_who_became_the_host_and_when_is_not_written_anew(table: Table) -> None:
    again = Table.at(table, table.file)
    acts = take_acts(again.handing("berit"), again.file)
    made = made_by_host(again, [simple(again)], acts=acts)
    assert not found(again, made)
    assert {act["act"] for act in shown(made, "act")} == {"hand_over", "take_over"}

    def never(tree: Tree) -> None:
        del tree["host"]["former"]

    def before(tree: Tree) -> None:
        tree["host"]["since"] = 1

    def chain(tree: Tree) -> None:
        tree["host"]["chain"] = tree["host"]["former"][0]["chain"]

    for change in (never, before, chain):
        assert found(again, altered(made, HOST, change)) == {"replay-differs"}
