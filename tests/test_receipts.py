"""Receipts against what a host then does: orders played, replaced, left out, called missed."""

from typing import Any

import pytest
from support.planner import deployment, plan
from support.table import HOST, Table, key_of, signed

from referee.documents.gamefile import GameFile
from referee.documents.layout import table_text
from referee.documents.receipts import Receipt, broken_by, is_about, read_receipt, receipt_tree
from referee.documents.resolve import resolve, seats_of
from referee.documents.signing import Document, read, verified
from referee.errors import BadSignature, UnreadableDocument
from referee.game.orders import PlayerId
from referee.game.rules import Settings


class Turn:
    """A table in its first turn, the orders of the awaited player, and the host's receipt for them."""

    def __init__(self) -> None:
        self.table = Table("no", "world", 3, 1)
        state = self.table.file.game.state
        self.table.play([self.table.orders(p, deployment(state, p, 1)) for p in state.acting])
        self.before = self.table.file
        self.player = self.before.game.state.acting[0]
        self.first = self.orders(1)
        self.receipt = read_receipt(signed(self.tree(self.first), HOST, "receipt.toml"))

    def orders(self, sequence: int, seed: int = 1) -> Document:
        hand = tuple(self.table.hand(self.player).cards.values())
        body = plan(self.before.game.state, self.player, hand, seed=seed)
        return self.table.orders(self.player, body, sequence)

    def tree(self, orders: Document) -> dict[str, Any]:
        whole = receipt_tree(verified(orders, key_of(self.player).public), self.before, key_of(HOST))
        return {key: value for key, value in whole.items() if key != "signature"}

    def played(self, *documents: Document, missed: tuple[PlayerId, ...] = ()) -> GameFile:
        return resolve(self.before, documents, key_of(HOST), missed)


@pytest.fixture(scope="module")
def turn() -> Turn:
    return Turn()


def codes(receipt: Receipt, after: GameFile) -> list[str]:
    problem = broken_by(receipt, after)
    return [problem.code] if problem else []


def test_orders_that_were_received_and_played_keep_the_word(turn: Turn) -> None:
    after = turn.played(turn.first)
    assert is_about(turn.receipt, after.game)
    assert codes(turn.receipt, after) == []


def test_later_orders_of_the_player_keep_the_word(turn: Turn) -> None:
    assert codes(turn.receipt, turn.played(turn.first, turn.orders(2, seed=2))) == []


def test_other_orders_with_no_higher_sequence_break_the_word(turn: Turn) -> None:
    later = read_receipt(signed(turn.tree(turn.orders(2, seed=2)), HOST))
    assert codes(later, turn.played(turn.first)) == ["received"]


def test_calling_missed_what_was_received_breaks_the_word(turn: Turn) -> None:
    assert codes(turn.receipt, turn.played(missed=(turn.player,))) == ["received"]


def test_a_player_who_leaves_after_his_orders_has_made_them_void_himself(turn: Turn) -> None:
    game = turn.before.game
    head = {"format": "referee/resign/1", "game": game.name, "turn": game.turn, "state": turn.before.digest}
    leaving = signed({**head, "player": turn.player}, turn.player)
    assert codes(turn.receipt, turn.played(turn.first, leaving)) == []


def receipt_at(table: Table, orders: Document) -> Receipt:
    """Return the host's receipt for orders that answer the table's file, with whoever sits there now."""
    here = seats_of(table.taking, table.file)[1]
    person = here.game.people[PlayerId(orders.tree["player"])]
    tree = receipt_tree(verified(orders, person.key), here, key_of(HOST))
    return read_receipt(read(table_text(tree).encode(), "receipt.toml"))


def test_a_set_up_that_waits_for_others_keeps_the_word_for_all_but_whom_the_host_calls_missed() -> None:
    table = Table("no", "world", 3, 1, Settings(missed="wait"))
    state = table.file.game.state
    first, second, third = state.acting
    given = {player: table.orders(player, deployment(state, player, 1)) for player in state.acting}
    receipts = {player: receipt_at(table, orders) for player, orders in given.items()}
    after = table.resolved([given[first], given[second]], [third])
    assert not [one for one in after.game.evidence.documents if one["format"] == "referee/orders/1"]
    assert codes(receipts[first], after) == codes(receipts[second], after) == []
    assert codes(receipts[third], after) == ["received"]


def with_a_substitute() -> tuple[Table, PlayerId, Receipt, list[Document]]:
    """Return a table at its first turn, a receipt for orders of who is awaited, and what gives his seat away."""
    table = Turn().table
    player = table.file.game.state.acting[0]
    old = receipt_at(table, turn_orders(table, player, 3, seed=3))
    return table, player, old, table.substitution(player, "sigrid")


def turn_orders(table: Table, player: PlayerId, sequence: int, seed: int = 1) -> Document:
    hand = tuple(table.hand(player).cards.values())
    return table.orders(player, plan(table.file.game.state, player, hand, seed=seed), sequence)


def test_orders_of_who_sat_at_a_seat_before_are_void_whatever_the_substitute_does() -> None:
    table, player, old, change = with_a_substitute()
    assert codes(old, table.resolved([*change, turn_orders(table, player, 1)])) == []
    assert codes(old, table.resolved(change, [player])) == []
    assert codes(old, table.resolved([*change, table.resignation(player)])) == []
    assert old.key == ""


def test_orders_of_the_substitute_himself_are_played_or_the_word_is_broken() -> None:
    table, player, _, change = with_a_substitute()
    low, high = turn_orders(table, player, 2), turn_orders(table, player, 3, seed=2)
    own = receipt_at(table, high)
    assert own.key == key_of("sigrid").public
    assert codes(own, table.resolved([*change, high])) == []
    assert codes(own, table.resolved([*change, high, table.resignation(player)])) == []
    assert codes(own, table.resolved([*change, low])) == ["received"]
    assert codes(own, table.resolved(change, [player])) == ["received"]


def test_a_receipt_is_about_the_file_that_follows_its_state(turn: Turn) -> None:
    assert not is_about(turn.receipt, turn.before.game)
    other = read_receipt(signed({**turn.tree(turn.first), "game": "skog"}, HOST))
    assert not is_about(other, turn.played(turn.first).game)


@pytest.mark.parametrize("who", ["kari", "ola"])
def test_a_receipt_that_the_host_did_not_sign_is_refused(turn: Turn, who: str) -> None:
    forged = read_receipt(signed(turn.tree(turn.first), who))
    with pytest.raises(BadSignature):
        broken_by(forged, turn.played(turn.first))


def test_a_receipt_in_the_hosts_name_under_another_key_is_refused(turn: Turn) -> None:
    genuine = signed(turn.tree(turn.first), "kari")
    assert genuine.signature is not None
    forged = genuine._replace(signature=genuine.signature._replace(by=HOST))
    with pytest.raises(BadSignature):
        broken_by(read_receipt(forged), turn.played(turn.first))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "referee/orders/1"}, "other-document"),
        ({"oders": "x"}, "unknown-key"),
        ({"orders": "x"}, "not-binary"),
        ({"turn": "2"}, "wrong-type"),
        ({"state": None}, "missing-key"),
    ],
)
def test_what_is_no_receipt_is_named(turn: Turn, change: dict[str, Any], code: str) -> None:
    tree = {key: value for key, value in {**turn.tree(turn.first), **change}.items() if value is not None}
    with pytest.raises(UnreadableDocument) as caught:
        read_receipt(signed(tree, HOST))
    assert [problem.code for problem in caught.value.problems] == [code]
