"""How likely it is that fair dice fall at least so oddly: p-values, in decimal arithmetic, the same on every machine.

Two questions are asked of a player's dice. Do the faces come equally often? (Pearson's chi-square with five degrees of
freedom, K. Pearson 1900; its upper tail is elementary, Abramowitz and Stegun 26.4.4.) Are the armies that his battles
cost near what they cost on average? (The sum of many independent rolls is nearly normal; its mean and variance are
exact.) A small p-value is no proof: of a hundred fair players one has a p-value below 0.01.
"""

from collections.abc import Sequence
from decimal import Context, Decimal, localcontext

from referee.game.battle import WAYS

_PRECISION = 60
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
_FAR = Decimal(8)
"""So many standard deviations away nothing is asked more closely: the p-value is below 10**-14."""

NEGLIGIBLE = Decimal("1E-12")


def chi_square(faces: Sequence[int]) -> Decimal:
    """Return the sum of squared deviations from equal numbers, over the expected number; 0 without dice."""
    total = sum(faces)
    if not total:
        return Decimal(0)
    squares = sum((len(faces) * count - total) ** 2 for count in faces)
    with localcontext(Context(prec=_PRECISION)):
        return Decimal(squares) / Decimal(len(faces) * total)


def p_of_faces(faces: Sequence[int]) -> Decimal:
    """Return the chance that a fair die gives six counts with at least this chi-square; 1 without dice."""
    if len(faces) != 6:
        raise AssertionError("a die has six faces")
    square = chi_square(faces)
    if square > 2 * _FAR * _FAR:
        return NEGLIGIBLE
    with localcontext(Context(prec=_PRECISION)):
        tail = _erfc((square / 2).sqrt())
        rest = (2 * square / _PI).sqrt() * (-square / 2).exp() * (1 + square / 3)
        return min(Decimal(1), max(NEGLIGIBLE, tail + rest))


def p_of_losses(given: int, expected_given: int, variance_given: int) -> Decimal:
    """Return the chance that fair dice bring losses at least so far from their mean, to either side.

    The mean is in WAYS-ths of an army and the variance in WAYS**2-ths, as `state.Luck` has them; half an army is taken
    off the difference, since armies are whole. 1 without battles.
    """
    if not variance_given:
        return Decimal(1)
    difference = max(0, abs(WAYS * given - expected_given) - WAYS // 2)
    with localcontext(Context(prec=_PRECISION)):
        away = Decimal(difference) / Decimal(variance_given).sqrt()
        if away > _FAR:
            return NEGLIGIBLE
        return max(NEGLIGIBLE, _erfc(away / Decimal(2).sqrt()))


def _erfc(value: Decimal) -> Decimal:
    """Return the complementary error function of 0 to 12 by its power series (Abramowitz and Stegun 7.1.5)."""
    with localcontext(Context(prec=2 * _PRECISION)):
        term, total, number = value, value, 0
        while abs(term) > Decimal(10) ** -_PRECISION:
            number += 1
            term = -term * value * value / number
            total += term / (2 * number + 1)
        return 1 - 2 * total / _PI.sqrt()
