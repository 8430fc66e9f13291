"""The kernel of battles: outcomes counted from all throws, and chances against exact fractions."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from referee.game.battle import EXPECTED, OUTCOMES, WAYS, Chances, chances, losses


@pytest.mark.parametrize(("attack", "defence"), sorted(OUTCOMES))
def test_outcomes_are_those_of_all_throws(attack: int, defence: int) -> None:
    throws = product(range(1, 7), repeat=attack + defence)
    counted = Counter(losses(throw[:attack], throw[attack:]) for throw in throws)
    factor = WAYS // 6 ** (attack + defence)
    assert {(mine, theirs): ways for mine, theirs, ways in OUTCOMES[attack, defence]} == {
        lost: ways * factor for lost, ways in counted.items()
    }


@pytest.mark.parametrize(("attack", "defence"), sorted(OUTCOMES))
def test_expectations_are_those_of_the_outcomes(attack: int, defence: int) -> None:
    outcomes, expected = OUTCOMES[attack, defence], EXPECTED[attack, defence]
    for side, mean, variance in ((0, expected.attacker, expected.attacker_variance), (1, *expected[2:])):
        first = Fraction(sum(o[side] * o[2] for o in outcomes), WAYS)
        second = Fraction(sum(o[side] ** 2 * o[2] for o in outcomes), WAYS)
        assert Fraction(mean, WAYS) == first
        assert Fraction(variance, WAYS**2) == second - first**2


@pytest.mark.parametrize(("size", "published"), [(10, 567593), (100, 824363)])
def test_the_chance_against_as_many_is_the_published_one(size: int, published: int) -> None:
    chance = Fraction(Chances(3, 2).of(size + 1, size), 1 << 128)
    assert round(chance * 1_000_000) == published


def exactly(table: Chances, armies: int, defenders: int) -> Fraction:
    """Return the chance from nothing but the outcomes of one roll."""
    if not defenders or armies < 2:
        return Fraction(not defenders)
    outcomes = OUTCOMES[min(table.most, armies - 1), 2 if defenders >= table.two_from else 1]
    return sum((Fraction(w, WAYS) * exactly(table, armies - i, defenders - j) for i, j, w in outcomes), Fraction())


@pytest.mark.parametrize(("most", "two_from"), [(3, 2), (3, 3), (2, 2), (1, 3), (3, Chances.NEVER)])
def test_a_threshold_is_reached_exactly_when_the_fraction_says_so(most: int, two_from: int) -> None:
    table = Chances(most, two_from)
    for armies, defenders in product(range(2, 9), range(1, 7)):
        exact = exactly(table, armies, defenders) * 100
        for percent in {0, 1, 50, 99, 100, int(exact), int(exact) + 1}:
            assert table.reaches(percent, armies, defenders) == (exact >= percent)
            assert table.is_exactly(percent, armies, defenders) == (exact >= percent)


def test_equality_reaches_and_a_hair_less_does_not() -> None:
    table = Chances(1, Chances.NEVER)
    assert exactly(table, 2, 1) == Fraction(15, 36)
    assert table.reaches(41, 2, 1)
    assert not table.reaches(42, 2, 1)


def test_nothing_is_certain_however_many_attack() -> None:
    assert not chances(3, 2).reaches(100, 2_000, 1)
    assert chances(3, 2).reaches(99, 2_000, 1)


def test_without_a_second_army_nothing_can_be_taken() -> None:
    assert not chances(3, 2).reaches(1, 1, 1)
    assert chances(3, 2).reaches(0, 1, 1)
