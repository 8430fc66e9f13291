"""How likely it is that fair dice fall at least so oddly: p-values, in whole numbers, the same on every machine.

Two questions are asked of a player's dice. Do the faces come equally often? (Pearson's chi-square, K. Pearson 1900: of
few dice the exact chance, counted over all throws; of more its upper tail with five degrees of freedom.) Are the armies
that his battles cost near what they cost on average? (The sum of many independent rolls is nearly normal, and its
square in standard deviations is a chi-square with one degree; mean and variance are exact.) A small p-value is no
proof: of a hundred fair players one has a p-value below 0.01.

P-values are integers in `ONE`-ths. Reports need them in every turn, so nothing is imported for them.
"""

from collections.abc import Iterator, Sequence
from math import factorial, isqrt

from referee.game.battle import WAYS

ONE = 10**18
"""The p-value 1: nothing is less odd."""
NEGLIGIBLE = ONE // 10**12
"""No p-value is smaller; so it stands for all below it."""

EXACT_DICE = 12
"""The faces of so many dice are counted exactly; of more the tail of chi-square is near enough, and far quicker."""

_BITS = 96
_UNIT = 1 << _BITS
_PI = 0x3243F6A8885A308D313198A2E
"""Pi in 96 bits after the point."""
_FAR = 64 << _BITS
"""Half a chi-square from which on nothing is asked more closely: the p-value is below 10**-14."""


def p_of_faces(faces: Sequence[int]) -> int:
    """Return the chance that a fair die gives six counts with at least this chi-square; ONE without dice."""
    if len(faces) != 6:
        raise AssertionError("a die has six faces")
    total = sum(faces)
    if not total:
        return ONE
    squares = sum(count * count for count in faces)
    if total <= EXACT_DICE:
        return _counted(total, squares)
    return _tail(((6 * squares - total * total) << _BITS) // (2 * total), 5)


def p_of_losses(given: int, expected_given: int, variance_given: int) -> int:
    """Return the chance that fair dice bring losses at least so far from their mean, to either side.

    The mean is in WAYS-ths of an army and the variance in WAYS**2-ths, as `state.Luck` has them; half an army is taken
    off the difference, since armies are whole. ONE without battles.
    """
    if not variance_given:
        return ONE
    difference = max(0, abs(WAYS * given - expected_given) - WAYS // 2)
    return _tail((difference * difference << _BITS) // (2 * variance_given), 1)


def at_least_one(value: int, among: int) -> int:
    """Return the chance that of so many independent p-values of fair dice one is at least as small as this."""
    return ONE - (ONE - value) ** among // ONE ** (among - 1) if among else 0


def _counted(total: int, squares: int) -> int:
    """Return in how many of all throws of so many dice the counts have at least this sum of squares, in ONE-ths."""
    ways, all_ways = 0, int(6**total)
    for counts in _falling(total, 6, total):
        if sum(count * count for count in counts) >= squares:
            throws, orders = factorial(total), 720 // factorial(6 - len(counts))
            for count in set(counts):
                orders //= factorial(counts.count(count))
            for count in counts:
                throws //= factorial(count)
            ways += throws * orders
    return max(NEGLIGIBLE, ways * ONE // all_ways)


def _falling(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to write a number as at most so many parts, each at least 1, none greater than the one before."""
    if not total:
        yield ()
    for first in range(min(total, most), 0, -1):
        if first * parts < total:
            return
        for rest in _falling(total - first, parts - 1, first):
            yield (first, *rest)


def _tail(half: int, freedom: int) -> int:
    """Return the chance that a chi-square with an odd number of degrees of freedom is at least 2 * `half`.

    1 less the incomplete gamma function P(freedom / 2, half) by its series (Abramowitz and Stegun 6.5.29), all in
    integers over 2**96; no term is negative, so that what is rounded off each does not matter for the result.
    """
    if half > _FAR:
        return NEGLIGIBLE
    double = 2 * half
    term = below = _UNIT
    power = exponential = _UNIT
    number = 0
    while power:
        number += 1
        power = power * half // (number << _BITS)
        exponential += power
        term = term * double // ((freedom + 2 * number) << _BITS)
        below += term
    factor = 2 * isqrt((half << 2 * _BITS) // _PI)
    for odd in range(3, freedom + 1, 2):
        factor = factor * double // (odd << _BITS)
    return min(ONE, max(NEGLIGIBLE, ONE - ONE * (factor * below // exponential) // _UNIT))
