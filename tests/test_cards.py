"""Sets, their worth, the bonus and the automatic choice (RULES.md section 7, P-08)."""

from itertools import combinations, combinations_with_replacement

import pytest

from referee import data
from referee.documents.cases.positions import position
from referee.game.board import CardId, TerritoryId, board_from
from referee.game.cards import automatic_set, bonus_territories, is_set, matching, sets_in, worth
from referee.game.legality import Hand, why_not_trade
from referee.game.orders import Trade
from referee.game.presets import preset_from

BOARD = board_from(data.tree("boards/classic.toml"))
FIXED = preset_from(data.tree("editions/no.toml"), "mission").rules
RISING = FIXED._replace(set_values="rising")

# Cards by symbol, in board order, and the jokers.
I1, I2, I3, I4, I5 = [CardId(c) for c in ("alaska", "alberta", "western_united_states", "argentina", "iceland")]
C1, C2, C3 = [CardId(card) for card in ("greenland", "ontario", "central_america")]
A1, A2, A3 = [CardId(card) for card in ("northwest_territory", "quebec", "eastern_united_states")]
J1, J2 = [CardId(card) for card in ("joker-1", "joker-2")]

SHOWN = (TerritoryId(I1), TerritoryId(A1))
NOTHING: frozenset[TerritoryId] = frozenset()


def owning(*cards: CardId) -> frozenset[TerritoryId]:
    return frozenset(TerritoryId(card) for card in cards)


@pytest.mark.parametrize(
    "cards",
    [
        (I1, I2, I3),
        (C1, C2, C3),
        (A1, A2, A3),
        (I1, C1, A1),
        (I1, I2, J1),
        (I1, C1, J2),
        (A1, J1, J2),
    ],
)
def test_three_alike_and_one_of_each_are_sets(cards: tuple[CardId, ...]) -> None:
    assert is_set(cards, BOARD)


@pytest.mark.parametrize("cards", [(I1, I2, C1), (A1, A2, C1), (I1, I2), (I1, I2, I3, I4), (I1, I1, I1)])
def test_other_cards_are_no_set(cards: tuple[CardId, ...]) -> None:
    assert not is_set(cards, BOARD)


@pytest.mark.parametrize(
    ("cards", "armies"),
    [((I1, I2, I3), 4), ((C1, C2, C3), 6), ((A1, A2, A3), 8), ((I1, C1, A1), 10)],
)
def test_the_fixed_scale_goes_by_symbols(cards: tuple[CardId, ...], armies: int) -> None:
    assert worth(cards, BOARD, FIXED, 0) == armies
    assert worth(cards, BOARD, FIXED, 20) == armies


def test_ex_05_two_cavalry_and_a_joker_are_three_cavalry() -> None:
    assert is_set((C1, C2, J1), BOARD)
    assert worth((C1, C2, J1), BOARD, FIXED, 0) == 6


@pytest.mark.parametrize("cards", [(I1, C1, J1), (I1, J1, J2)])
def test_jokers_are_what_makes_the_set_worth_most(cards: tuple[CardId, ...]) -> None:
    assert worth(cards, BOARD, FIXED, 0) == 10


def test_ex_06_three_cavalry_and_an_infantry_hold_one_set() -> None:
    assert sets_in((I1, C3, C1, C2), BOARD) == ((C1, C2, C3),)


def test_ex_07_two_artillery_and_three_infantry_hold_a_set_of_4() -> None:
    sets = sets_in((A1, A2, I1, I2, I3), BOARD)
    assert sets == ((I1, I2, I3),)
    assert worth(sets[0], BOARD, FIXED, 0) == 4


def test_ex_08_two_of_each_hold_only_sets_of_10() -> None:
    sets = sets_in((A1, A2, I1, I2, C1, C2), BOARD)
    assert len(sets) == 8
    assert {worth(cards, BOARD, FIXED, 0) for cards in sets} == {10}


def test_ex_11_the_seventh_set_brings_20_and_the_eighth_25() -> None:
    assert [worth((I1, I2, I3), BOARD, RISING, before) for before in (6, 7)] == [20, 25]


def test_ex_12_the_ninth_set_brings_30_and_the_tenth_35() -> None:
    assert [worth((I1, C1, J1), BOARD, RISING, before) for before in (8, 9)] == [30, 35]


def test_any_five_cards_hold_a_set() -> None:
    symbols = {"i": [I1, I2, I3, I4, I5], "c": [C1, C2, C3, CardId("peru"), CardId("ural")]}
    symbols |= {"a": [A1, A2, A3, CardId("venezuela"), CardId("siam")], "j": [J1, J2]}
    for kinds in combinations_with_replacement("icaj", 5):
        if kinds.count("j") > 2:
            continue
        hand = [card for kind in "icaj" for card in symbols[kind][: kinds.count(kind)]]
        assert sets_in(hand, BOARD), kinds


def test_four_cards_may_hold_none() -> None:
    assert sets_in((I1, I2, C1, C2), BOARD) == ()


def test_a_joker_makes_a_set_of_any_two_cards() -> None:
    assert all(is_set((*pair, J1), BOARD) for pair in combinations((I1, I2, C1, A1), 2))


def test_sets_stand_in_board_order_with_jokers_last() -> None:
    assert sets_in((J2, C1, I1, J1), BOARD) == (
        (I1, C1, J1),
        (I1, C1, J2),
        (I1, J1, J2),
        (C1, J1, J2),
    )


# ---- the bonus


def test_cards_match_territories_that_are_hers() -> None:
    assert matching((J1, A1, I1), owning(I1, A1, C1), BOARD) == SHOWN
    assert matching((J1, A1, I1), NOTHING, BOARD) == ()


def test_once_per_set_one_territory_of_her_choice_has_the_bonus() -> None:
    rules = FIXED._replace(territory_bonus="once_per_set")
    assert bonus_territories(SHOWN, rules) == SHOWN[:1]
    assert bonus_territories(SHOWN, rules, SHOWN[1]) == SHOWN[1:]
    assert bonus_territories(SHOWN, rules, bonus_used=True) == SHOWN[:1]
    assert bonus_territories((), rules) == ()


def test_with_each_card_every_match_has_the_bonus() -> None:
    rules = FIXED._replace(territory_bonus="each_card")
    assert bonus_territories(SHOWN, rules, bonus_used=True) == SHOWN


def test_once_per_turn_the_second_set_has_no_bonus() -> None:
    rules = FIXED._replace(territory_bonus="once_per_turn")
    assert bonus_territories(SHOWN, rules) == SHOWN[:1]
    assert bonus_territories(SHOWN, rules, bonus_used=True) == ()


# ---- P-08


def test_the_automatic_set_is_worth_most() -> None:
    assert automatic_set((I1, I2, I3, C1, A1), BOARD, FIXED, NOTHING, 0) == (I1, A1, C1)


def test_of_equal_worth_it_has_the_greater_bonus() -> None:
    assert automatic_set((I1, I2, C1, A1), BOARD, FIXED, owning(I2), 0) == (A1, C1, I2)


def test_with_each_card_more_matches_are_a_greater_bonus() -> None:
    rules = FIXED._replace(territory_bonus="each_card")
    hand = (I1, I2, C1, C2, A1)
    assert automatic_set(hand, BOARD, rules, owning(I1, I2, C2), 0) == (I1, A1, C2)


def test_a_bonus_that_is_used_up_does_not_count() -> None:
    rules = FIXED._replace(territory_bonus="once_per_turn")
    hand = (I1, I2, C1, A1)
    assert automatic_set(hand, BOARD, rules, owning(I2), 0, bonus_used=True) == (I1, A1, C1)


def test_of_equal_bonus_it_has_fewer_jokers() -> None:
    assert automatic_set((J1, I1, A1, C2), BOARD, FIXED, NOTHING, 0) == (I1, A1, C2)


def test_on_the_rising_scale_jokers_are_kept() -> None:
    assert automatic_set((J1, I1, I2, I3, C1), BOARD, RISING, NOTHING, 0) == (I1, I2, I3)


def test_otherwise_it_is_the_first_in_board_order() -> None:
    assert automatic_set((I4, I3, I2, I1), BOARD, FIXED, NOTHING, 0) == (I1, I2, I3)
    assert automatic_set((J2, J1, I1), BOARD, FIXED, NOTHING, 0) == (I1, J1, J2)


def test_without_a_set_there_is_no_choice() -> None:
    assert automatic_set((I1, I2, C1), BOARD, FIXED, NOTHING, 0) is None


@pytest.mark.parametrize(("counter", "kari", "ola"), [("global", 4, 4), ("per_player", 1, 3)])
def test_the_next_set_counts_those_of_all_or_ones_own(counter: str, kari: int, ola: int) -> None:
    state = position(
        {
            "edition": "no",
            "variant": "world+rising",
            "rules": {"set_counter": counter},
            "players": ["kari red", "ola blue", "liv green"],
            "board": "ola 1",
            "sets_traded": 4,
            "sets_of": {"kari": 1, "ola": 3},
        }
    )
    assert (state.sets_before("kari"), state.sets_before("ola")) == (kari, ola)


@pytest.mark.parametrize("cards", [(I1, C1), (I1, I1, I2), (I1, C1, A1, J1)])
def test_a_set_that_is_not_three_different_cards_is_refused(cards: tuple[CardId, ...]) -> None:
    refused = why_not_trade(Trade(cards), Hand((I1, I2, C1, A1, J1), 5), BOARD)
    assert refused is not None
    assert refused.code == "not-three-cards"
