"""Game files that are signed and of the right shape, but whose values nobody could go on with."""

from typing import Any

import pytest
from support.positions import position, signed_again
from support.table import HOST

from referee.documents.base64 import are_binary
from referee.documents.boards import board_by_name
from referee.documents.eventtables import event_from_tree
from referee.documents.gamefile import open_game
from referee.documents.signing import read
from referee.errors import UnreadableDocument
from referee.game.orders import NEUTRAL, PlayerId


@pytest.mark.parametrize("name", ["start", "choosing", "turn"])
def test_who_plays_has_land_once_all_is_owned(name: str) -> None:
    tree = read(position(name).text.encode()).tree
    owners = {territory: "ola" if owner == "kari" else owner for territory, owner in tree["owners"].items()}
    with pytest.raises(UnreadableDocument) as caught:
        open_game(signed_again({**tree, "owners": owners}).encode(), board_by_name)
    assert [problem.message for problem in caught.value.problems] == ["kari plays without a territory"]


def test_who_is_out_is_out_by_a_player() -> None:
    state = position("turn").game.state
    kari = PlayerId("kari")
    owners = {territory: "ola" if owner == kari else owner for territory, owner in state.owners.items()}
    for by, wrong in (("ola", []), ("somebody", ["kari is out by nobody"])):
        players = {**state.players, kari: state.players[kari]._replace(status="out", out_turn=3, out_by=by)}
        found = state._replace(owners=owners, players=players).problems()
        assert [problem for problem in found if "out by" in problem] == wrong


@pytest.mark.parametrize("name", [NEUTRAL, HOST])
def test_no_player_is_called_as_somebody_who_is_none(name: str) -> None:
    tree = read(position("start").text.encode()).tree
    tables = ("players", "hands", "luck", "sealed")
    for key in tables:
        if key in tree:
            tree[key] = {name if player == "kari" else player: value for player, value in tree[key].items()}
    with pytest.raises(UnreadableDocument) as caught:
        open_game(signed_again(tree).encode(), board_by_name)
    assert (f"players.{name}", "is no name for a player") in {(p.key, p.message) for p in caught.value.problems}


@pytest.mark.parametrize(
    ("values", "size", "sound"),
    [
        ((), 32, True),
        (("A" * 43,), 32, True),
        (("A" * 43, "A" * 42), 32, False),
        (("A" * 42 + "B",), 32, False),
        (("A" * 42 + "=",), 32, False),
        (("A" * 21 + "g",), 16, True),
        (("A" * 21 + "h",), 16, False),
        (("A" * 64,), 48, True),
        (("A" * 42 + "é",), 32, False),
        ((7,), 32, False),
    ],
)
def test_binary_values_are_told_quickly(values: tuple[object, ...], size: int, sound: bool) -> None:
    assert are_binary(values, size) is sound


PLACED = {"kind": "armies_placed", "player": "kari", "cause": "income", "by": "player"}


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (5, "an event is a table"),
        ({"player": "kari"}, 'no kind of event: "None"'),
        ({"kind": "turn_begun", "player": "kari", "round": 1}, 'no kind of event: "turn_begun"'),
        ({"kind": "turn_began", "player": "kari"}, 'turn_began without "round"'),
        ({"kind": "turn_began", "player": "kari", "round": 1, "seat": 1}, 'turn_began has no "seat"'),
        ({"kind": "turn_began", "player": "kari", "round": True}, 'turn_began: "round" is of another kind'),
        ({**PLACED, "armies": [["alaska"]]}, 'armies_placed: "armies" is of another kind'),
        ({**PLACED, "armies": [["alaska", 3, 3]]}, 'armies_placed: "armies" is of another kind'),
    ],
)
def test_what_is_no_event_is_named(tree: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{words}$"):
        event_from_tree(tree)
