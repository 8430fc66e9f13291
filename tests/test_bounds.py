"""Documents with thousands of faults are answered with a few of them, and none with a search for each."""

from collections.abc import Callable
from time import process_time
from typing import Any

import pytest
from support.positions import good_at, invitation_of, position, signed_again, substitution
from support.table import HOST, key_of

from referee.documents.acts import read_act
from referee.documents.boards import board_by_name
from referee.documents.cases.casefile import read_case
from referee.documents.checking import look
from referee.documents.gamefile import open_game
from referee.documents.gamevalues import MOST_ARMIES
from referee.documents.invitation import read_invitation, read_join
from referee.documents.layout import table_text
from referee.documents.receipts import read_receipt
from referee.documents.record import replayed
from referee.documents.resolve import resolve
from referee.documents.signing import Document, read, sign
from referee.errors import MAX_PROBLEMS, RefereeError
from referee.game.board import TerritoryId
from referee.game.events import BattleFought
from referee.game.orders import PlayerId
from referee.game.state import fold_rolls

MANY = {f"key{number}": 1 for number in range(2_000)}


def document(format: str) -> Document:
    tree = {"format": format, **MANY}
    return read(table_text({**tree, "signature": sign(tree, key_of(HOST), HOST)}).encode(), "x.toml")


def game(**changes: Any) -> Callable[[], object]:
    tree = {**read(position("turn").text.encode()).tree, **changes}
    return lambda: open_game(signed_again(tree).encode(), board_by_name, "x.toml")


def an_act() -> object:
    file = position("turn")
    tree = read(dict(substitution("ola", file))["act.toml"].encode()).tree
    return read_act(read(table_text({**tree, **MANY}).encode(), "act.toml"), file)


def a_join() -> object:
    invitation = read_invitation(invitation_of(position("turn")))
    return read_join(document("referee/join/1"), invitation, position("turn").game.state.board)


def a_signature() -> object:
    return read(table_text({"format": "x", "signature": MANY}).encode(), "x.toml")


def endless() -> Document:
    """Orders with an attack to and fro between two territories of one's own."""
    file = position("turn")
    path = ["alaska", "northwest_territory"] * 500
    tree = {**read(good_at(file).encode()).tree, "attack": [{"path": path}] * 2}
    return read(table_text({**tree, "signature": sign(tree, key_of("kari"), "kari")}).encode(), "orders.toml")


@pytest.mark.parametrize(
    "reading",
    [
        lambda: look(endless(), position("turn")),
        lambda: resolve(position("turn"), [endless()], key_of(HOST)),
        game(**MANY),
        game(rules=MANY),
        game(host=MANY),
        game(players={name: {} for name in MANY}),
        game(players=dict.fromkeys([*MANY][:50], MANY)),
        game(owners=MANY),
        game(hands=MANY, sealed=MANY),
        game(standing=MANY),
        game(secret={"game_secret": "", "seal_keys": MANY}),
        an_act,
        a_join,
        a_signature,
        lambda: read_invitation(document("referee/invitation/1")),
        lambda: read_receipt(document("referee/receipt/1")),
        lambda: list(replayed(table_text({"format": "referee/record/1", **MANY}).encode(), "record.toml")),
        lambda: read_case(table_text(MANY).encode(), "case.toml"),
        lambda: read_case(table_text({"check": [{"of": "worth", **MANY}] * 30}).encode(), "case.toml"),
    ],
)  # fmt: skip
def test_of_many_faults_a_few_are_said(reading: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[str] = []
    monkeypatch.setattr("difflib.get_close_matches", lambda word, known, n: looked_for.append(word) or [])
    with pytest.raises(RefereeError) as caught:
        reading()
    assert len(caught.value.problems) < 100
    assert len(looked_for) <= 2 * MAX_PROBLEMS


def test_a_battle_of_many_rolls_is_folded_in_one_pass() -> None:
    state = position("turn").game.state
    source, target = TerritoryId("alaska"), TerritoryId("kamchatka")
    state = state._replace(armies={**state.armies, source: MOST_ARMIES})
    roll = BattleFought(1, 1, "kari", "per", source, target, 3, (6, 5, 4), (6, 5), 2, 0)

    def seconds(number: int) -> float:
        began = process_time()
        folded = fold_rolls(state, [roll] * number)
        taken = process_time() - began
        assert folded.armies[source] == MOST_ARMIES - 2 * number
        assert folded.luck[PlayerId("kari")].faces == (0, 0, 0, number, number, number)
        return taken

    assert min(seconds(40_000) for _ in range(3)) < 40 * min(seconds(4_000) for _ in range(3))
