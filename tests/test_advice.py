"""Hints about what somebody may have meant are sound: what they propose is understood, and nothing else is proposed."""

import re

import pytest

from referee.documents.advice import about_condition
from referee.documents.boards import load_board
from referee.game.conditions import Mistake, parse_condition

BOARD, _ = load_board("classic")
PLAYERS = ("kari", "ola", "per")


def hint(text: str) -> str:
    mistake = parse_condition(text, BOARD, "kari", PLAYERS)
    assert isinstance(mistake, Mistake), text
    return about_condition(text, mistake, BOARD, PLAYERS)


@pytest.mark.parametrize("sign", ["=>", "=<", "==", "≥", "≤", "> =", "< =", "= >"])
@pytest.mark.parametrize("name", ["alaska", "Øst-USA", "Great Britain", "taken", "cards"])
def test_a_sign_that_is_spelt_otherwise_is_put_right(sign: str, name: str) -> None:
    found = re.fullmatch(r'did you mean "(.*)"\?', hint(f"{name} {sign} 3"))
    assert found
    assert found[1].startswith(f"{name} ")
    assert not isinstance(parse_condition(found[1], BOARD, "kari", PLAYERS), Mistake)


@pytest.mark.parametrize(("sign", "turned"), [("<=", ">="), (">=", "<="), ("<", ">"), (">", "<"), ("=", "=")])
def test_a_comparison_that_is_turned_round_means_the_same(sign: str, turned: str) -> None:
    assert hint(f"4 {sign} alaska") == f'did you mean "alaska {turned} 4"?'


@pytest.mark.parametrize("text", ["nowhere => 3", "alaska => many", "alaska => 12345678", "=> 3", "3 <= nowhere"])
def test_nothing_is_proposed_that_would_not_be_understood(text: str) -> None:
    assert "=" not in hint(text)


@pytest.mark.parametrize("text", ["alaska != 3", "alaska <> 3", "alaska is not mine", "not alaska is mine", "NOT x"])
def test_what_must_not_be_so_is_for_unless(text: str) -> None:
    assert "`unless`" in hint(text)


@pytest.mark.parametrize("word", ["and", "og", "und", "&&"])
def test_two_conditions_in_one_text_are_taken_apart(word: str) -> None:
    assert "quotes of its own" in hint(f"alaska is mine {word} siam is mine")


@pytest.mark.parametrize("word", ["or", "eller", "oder"])
def test_one_or_the_other_takes_two_entries(word: str) -> None:
    assert "two entries" in hint(f"alaska is mine {word} siam is mine")
