"""Every invariant of a state is found broken by a state that breaks it and nothing else (R-SETUP-09)."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.positions import CAPITALS, position

from referee.game import invariants
from referee.game.board import TerritoryId
from referee.game.orders import PlayerId
from referee.game.state import Result, State

KARI, OLA, PER = PlayerId("kari"), PlayerId("ola"), PlayerId("per")


def turn() -> State:
    return position("turn").game.state


def with_capitals() -> State:
    state = position("chosen").game.state
    return state._replace(capitals={PlayerId(p): TerritoryId(CAPITALS[p]) for p in state.players})


def seat(state: State, player: PlayerId, **changes: Any) -> State:
    return state._replace(players={**state.players, player: state.players[player]._replace(**changes)})


def owned(state: State, territory: str, player: str) -> State:
    return state._replace(owners={**state.owners, TerritoryId(territory): PlayerId(player)})


def hand(state: State, player: PlayerId, *cards: str) -> State:
    return state._replace(hands={**state.hands, player: cards})


def without_land(state: State, player: PlayerId) -> State:
    owners = {territory: OLA if owner == player else owner for territory, owner in state.owners.items()}
    return state._replace(owners=owners)


def emptied(state: State, territory: str) -> State:
    return state._replace(armies={**state.armies, TerritoryId(territory): 0})


def moved(state: State) -> State:
    """Return a state in which a card of kari's lies on the pile instead."""
    first, *rest = state.hands[KARI]
    return hand(state, KARI, *rest)._replace(pile=(*state.pile, first))


BROKEN: dict[str, Callable[[], State]] = {
    "owners and armies are not the territories of the board in its order": lambda: turn()._replace(
        owners=dict(reversed(turn().owners.items()))
    ),
    "alaska is owned by 'somebody'": lambda: owned(turn(), "alaska", "somebody"),
    "alaska is owned by ''": lambda: owned(turn(), "alaska", ""),
    "alaska is empty": lambda: emptied(turn(), "alaska"),
    "per is out and holds something": lambda: seat(turn(), PER, status="out", out_by=KARI),
    "per plays without a territory": lambda: without_land(turn(), PER),
    "ola is passive and holds cards": lambda: seat(turn(), OLA, status="passive"),
    "ola has armies left to deploy": lambda: seat(turn(), OLA, to_place=1),
    "per is out by nobody": lambda: seat(without_land(turn(), PER), PER, status="out", out_by="somebody"),
    "two players have the same colour": lambda: seat(turn(), OLA, colour=turn().players[KARI].colour),
    "per is awaited and does not play": lambda: seat(turn(), PER, status="passive")._replace(acting=(PER,)),
    "somebody is awaited twice": lambda: turn()._replace(acting=(KARI, KARI)),
    "the first turn is that of seat 4": lambda: turn()._replace(first=4),
    "the first turn is that of seat 0": lambda: turn()._replace(first=0),
    "the phase is over, without a result": lambda: turn()._replace(phase="over"),
    "the phase is turn, with a result": lambda: turn()._replace(result=Result((KARI,), "last")),
    "the game ends by 'luck' for kari": lambda: turn()._replace(phase="over", result=Result((KARI,), "luck")),
    "the game ends by 'last' for somebody": lambda: turn()._replace(
        phase="over", result=Result((PlayerId("somebody"),), "last")
    ),
    "the game ends by 'last' for nobody": lambda: turn()._replace(phase="over", result=Result((), "last")),
    "the game ends by 'draw' for kari, kari": lambda: turn()._replace(
        phase="over", result=Result((KARI, KARI), "draw")
    ),
    "cards before the deck was shuffled": lambda: position("start").game.state._replace(pile=("deck/1/0",)),
    "43 cards instead of 44": lambda: turn()._replace(pile=turn().pile[1:]),
    "a card is in two places": lambda: turn()._replace(pile=(turn().pile[1], *turn().pile[1:])),
    "capitals in a game without them": lambda: turn()._replace(
        capitals={PlayerId(p): TerritoryId(t) for p, t in CAPITALS.items()},
        pile=turn().pile[len(CAPITALS) :],  # their cards are in no deck
    ),
    "the capitals are not those of the players in the order of their seats": lambda: with_capitals()._replace(
        capitals=dict(reversed(with_capitals().capitals.items()))
    ),
    "somebody plays without a capital": lambda: with_capitals()._replace(
        capitals={p: t for p, t in with_capitals().capitals.items() if p != PER},
        pile=(*with_capitals().pile, CAPITALS["per"]),
    ),
    "the capitals are not different territories of the board": lambda: with_capitals()._replace(
        capitals=dict.fromkeys(with_capitals().players, TerritoryId("alberta"))
    ),
    "the card of a capital is in a hand or a pile": lambda: with_capitals()._replace(
        pile=("alberta", *with_capitals().pile[1:])
    ),
}


@pytest.mark.parametrize("problem", BROKEN)
def test_a_broken_invariant_is_named(problem: str) -> None:
    assert BROKEN[problem]().problems() == [problem]


@pytest.mark.parametrize("state", [turn, with_capitals, lambda: moved(turn())])
def test_a_sound_state_has_no_problems(state: Callable[[], State]) -> None:
    assert state().problems() == []


def test_what_is_just_being_taken_may_be_empty_and_who_falls_may_hold_nothing() -> None:
    assert emptied(turn(), "alaska")._replace(taking=TerritoryId("alaska")).problems() == []
    assert without_land(turn(), PER)._replace(falling=PER).problems() == []


def test_every_problem_has_a_state_that_shows_it() -> None:
    source = Path(invariants.__file__).read_text("utf-8")
    texts = re.findall(r'f?"((?:[^"{]|\{[^}]*\})*)"', re.sub(r'""".*?"""', "", source, flags=re.DOTALL))
    assert len(texts) > len(BROKEN) // 2
    for text in [text for text in texts if " " in text and not text.startswith(",")]:
        pattern = re.sub(r"\\\{.*?\\\}", ".*", re.escape(text))
        assert any(re.fullmatch(pattern, problem) for problem in BROKEN), text
