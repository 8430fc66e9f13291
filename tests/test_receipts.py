"""Receipts against what a host then does: orders played, replaced, left out, called missed."""

from typing import Any

import pytest
from support.planner import deployment, plan
from support.table import HOST, Table, key_of, signed

from referee.documents.gamefile import GameFile
from referee.documents.receipts import Receipt, broken_by, is_about, read_receipt, receipt_tree
from referee.documents.resolve import resolve
from referee.documents.signing import Document, verified
from referee.errors import BadSignature, UnreadableDocument
from referee.game.orders import PlayerId


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
