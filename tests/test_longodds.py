"""Chances with many armies: each verdict is that of the exact chance, and takes little work at any size."""

from fractions import Fraction
from functools import cache
from itertools import count
from math import sqrt
from statistics import NormalDist

import pytest

from referee.game import battle, longodds
from referee.game.battle import NEVER, OUTCOMES, WAYS, Chances
from referee.game.longodds import _Line, _rolls, _window, reaches

KINDS = [(most, two_from) for most in (1, 2, 3) for two_from in (2, 3, NEVER)]
MANY = 100_000


@cache
def exact(most: int, two_from: int, total: int) -> list[list[int]]:
    """Return the numerators of all chances with up to `total` armies, over WAYS**(armies + defenders)."""
    ones = [WAYS**number for number in range(total + 1)]
    rows = [[0] * total, [0] * total]
    for here in range(2, total):
        row = [ones[here]]
        rows.append(row)
        for there in range(1, total - here + 1):
            outcomes = OUTCOMES[min(most, here - 1), 2 if there >= two_from else 1]
            row.append(sum(w * rows[here - i][there - j] * ones[i + j - 1] for i, j, w in outcomes))
    return rows


def percents(chance: int, whole: int) -> set[int]:
    """Return the percentages around a chance, which are hardest to tell, and some that are easy."""
    nearest = chance * 100 // whole
    return {percent for percent in (1, 25, 50, 75, 99, nearest, nearest + 1) if 1 <= percent <= 99}


@pytest.mark.parametrize(("most", "two_from"), KINDS)
def test_each_verdict_of_a_small_size_is_the_exact_one(
    most: int, two_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(longodds, "_FIRST_BITS", 4)  # a corner of ten armies, and often too few bits
    rows = exact(most, two_from, 26)
    for total in range(20, 27):
        for armies in range(2, total):
            chance, whole = rows[armies][total - armies], WAYS**total
            for percent in percents(chance, whole):
                table = Chances(most, two_from)
                assert reaches(table, percent, armies, total - armies) == (chance * 100 >= percent * whole)


@pytest.mark.parametrize(("most", "two_from"), KINDS)
def test_each_percentage_parts_a_long_line_where_the_exact_chance_does(most: int, two_from: int) -> None:
    total = 342
    rows, table = exact(most, two_from, total), Chances(most, two_from)
    for percent in range(1, 100):
        least = next(a for a in range(2, total) if rows[a][total - a] * 100 >= percent * WAYS**total)
        table.sure.clear()
        assert table.reaches(percent, least, total - least)
        assert not table.reaches(percent, least - 1, total - least + 1)


@pytest.mark.parametrize(("most", "two_from"), KINDS)
@pytest.mark.parametrize("total", [200, 271, 342])
def test_the_exact_chance_lies_between_the_bounds_and_they_are_close(most: int, two_from: int, total: int) -> None:
    rows, line = exact(most, two_from, 342), _Line(Chances(most, two_from), 64, total)
    tails = Fraction(2, 1 << 64)
    for armies in range(1, total):
        chance = Fraction(rows[armies][total - armies], WAYS**total)
        low, high = (Fraction(*bound) for bound in line._bounds(armies))
        assert low - tails <= chance <= high + tails
        assert high - low <= 2 * tails


@pytest.mark.parametrize(("most", "two_from"), [(3, 2), (2, 2), (1, 2), (3, NEVER)])
@pytest.mark.parametrize("rolls", [40, 150])
def test_each_ratio_and_each_product_of_them_lies_between_its_bounds(most: int, two_from: int, rolls: int) -> None:
    rolled = _rolls(Chances(most, two_from))
    line = _Line(Chances(most, two_from), 16, 40 + rolls * rolled.unit)
    assert line.rolls == rolls
    sums = [1]
    for _ in range(rolls):
        padded = [0, 0, *sums, 0, 0]
        sums = [sum(w * padded[k + 2 - lost] for lost, w in enumerate(rolled.ways)) for k in range(len(sums) + 2)]
    first, ratios = _window(rolled, rolls, 16)
    scale = 1 << 16 + longodds._GUARD
    assert (line._first, len(line._weights)) == (first, len(ratios) + 1)
    for k, (low, high) in enumerate(ratios, start=first):
        assert low <= Fraction(sums[k + 1], sums[k]) * scale <= high
    for k, (low, high) in enumerate(line._weights, start=first):
        assert low <= Fraction(sums[k], sums[first]) * scale <= high


def test_what_is_kept_of_one_question_answers_no_harder_one() -> None:
    table = Chances(3, 2)
    assert table.reaches(50, 600, 500)
    armies, defenders = table.sure[50]
    assert armies + defenders == 1100
    assert table.reaches(50, armies, defenders)
    assert not table.reaches(50, armies - 1, defenders + 1)
    assert not table.reaches(50, armies, 2 * defenders)
    assert not table.reaches(50, armies // 2, defenders)
    assert table.reaches(50, 600, 400)


@pytest.mark.parametrize(("most", "two_from"), KINDS)
def test_more_armies_never_lower_the_chance_and_more_defenders_never_raise_it(most: int, two_from: int) -> None:
    rows = exact(most, two_from, 60)
    for total in range(3, 60):
        for armies in range(2, total):
            there = total - armies
            here = rows[armies][there] * WAYS
            assert rows[armies + 1][there] >= here
            assert rows[armies][there + 1] <= here


def test_a_chance_that_is_equal_is_reached_with_many_armies_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OUTCOMES, (1, 1), ((0, 1, 3888), (1, 0, 3888)))
    assert Chances(1, NEVER).reaches(50, 11, 10)
    assert Chances(1, NEVER).reaches(50, 171, 170)
    assert not Chances(1, NEVER).reaches(51, 171, 170)
    assert not Chances(1, NEVER).reaches(50, 170, 171)


@pytest.mark.parametrize(("most", "two_from"), [(3, 2), (2, 2), (1, 2), (3, 3), (3, NEVER)])
@pytest.mark.parametrize("percent", [5, 50, 95])
def test_the_border_with_very_many_armies_is_where_the_normal_law_has_it(
    most: int, two_from: int, percent: int
) -> None:
    outcomes = OUTCOMES[most, 1 if two_from == NEVER else 2]
    unit = outcomes[0][0] + outcomes[0][1]
    mean = sum(w * lost for lost, _, w in outcomes) / WAYS
    spread = sqrt(sum(w * lost * lost for lost, _, w in outcomes) / WAYS - mean * mean)
    rolls = MANY / unit
    near = round(rolls * mean + NormalDist().inv_cdf(percent / 100) * spread * sqrt(rolls))
    table = Chances(most, two_from)
    assert table.reaches(percent, near + 4, MANY - near - 4)
    assert not table.reaches(percent, near - 4, MANY - near + 4)


@pytest.mark.parametrize(("armies", "defenders"), [(MANY, 1), (MANY, 2), (2, MANY), (3, MANY), (4, MANY), (MANY, 400)])
def test_few_against_very_many_are_no_question(armies: int, defenders: int) -> None:
    for most, two_from in KINDS:
        assert Chances(most, two_from).reaches(1, armies, defenders) == (armies == MANY)
        assert Chances(most, two_from).reaches(99, armies, defenders) == (armies == MANY)


@pytest.mark.parametrize("percent", [1, 50, 99])
def test_a_battle_of_very_many_armies_needs_few_sums_and_a_small_table(
    percent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = count()
    weigh = _Line._weigh

    def counted(line: _Line, ratios: list[longodds.Bounds]) -> None:
        next(sums)
        weigh(line, ratios)

    monkeypatch.setattr(_Line, "_weigh", counted)
    table = Chances(3, 2)
    armies = defenders = MANY
    for roll in count():
        if not table.reaches(percent, armies, defenders) or not defenders:
            break
        mine = (2, 0, 1, 1, 0, 2, 1, 0)[roll % 8]  # 7/8 on average: less than to be expected
        armies, defenders = armies - mine, max(0, defenders - 2 + mine)
    assert not defenders
    assert next(sums) < 30
    assert sum(map(len, table._rows)) < battle._SMALL**2
