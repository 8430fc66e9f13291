"""Whether the chance to take a territory reaches a percentage, where armies are too many for the table of `battle`.

DESIGN section 4, `min_odds`. The verdict is exact: every number here is an integer rounded towards the safe side, the
chance lies between two of them, and where the percentage does too, all is done again with twice as many bits. Time goes
with the root of the number of armies, memory too. It rolls nothing and knows no board.

**How.** With at least so many armies that the number of dice no longer depends on it, a roll always costs the same
armies in all (`_Rolls.unit`: two, or one where a side rolls one die). So after n rolls the losses of the attacker are a
sum of n equal throws, and paths only go down. Let the throws go on, if in thought only, to the antidiagonal of `corner`
armies in all. Who ends there beyond the side of the defender has crossed that side before, with at least as many
attackers as he has now, and cannot have crossed the other; likewise for the other side. So the chance is the sum over
the places of that antidiagonal of (chance to come there) times (chance from there), where the latter comes from the
table; beyond the sides it is bounded by the outermost places, because:

**More armies never lower the chance, more defenders never raise it.** By induction over all armies, with the same dice
thrown for both. A third attacking die only raises the two highest, and against one die a second one only raises the
highest. Two dice instead of one against two: three armies have at least 2520/7776 of the chance that two have against
one defender fewer, and two armies have 1980/7776 of that. A second defending die leaves the first comparison as it is
or worse for the attacker; where two defenders fall instead of one, there was one more before.

**The sum of throws.** From the derivative of (w0 + w1 z + w2 z^2)^n follows for its coefficients c
    w0 (k+1) c[k+1] = w1 (n-k) c[k] + w2 (2n-k+1) c[k-1],
hence r[k] = c[k+1] / c[k] = A[k] + B[k] / r[k-1] with A and B not negative up to k = n - 1; beyond that the same is
done from the other end. Bounds of a ratio come closer from step to step, so one need not begin at k = 0. What lies far
from the mean is less than Hoeffding's bound, 2 exp(-2 t^2 / (n unit^2)).
"""

from itertools import accumulate

from referee.game.battle import NEVER, OUTCOMES, WAYS, Chances
from referee.game.records import NamedTuple

_FIRST_BITS = 64
_GUARD = 32
"""Bits more than wanted, for what is lost by rounding in some thousands of steps."""
_WARM_UP = 12
"""Steps for each bit until the bounds of a ratio are close; if they are not, the bounds of the chance tell."""

Bounds = tuple[int, int]


class _Rolls(NamedTuple):
    """What each roll costs while the number of dice is the same: all armies, and the ways to lose 0, 1, 2 of them."""

    unit: int
    ways: tuple[int, int, int]


def reaches(table: Chances, percent: int, armies: int, defenders: int) -> bool:
    """Say whether the chance is at least `percent` (1 to 99), with at least one defender, in bounded time.

    What was found out for fewer armies against more defenders holds for these, too, and is kept with the table.
    """
    sure = table.sure.get(percent)
    if sure and armies >= sure[0] and defenders <= sure[1]:
        return True
    bits = _FIRST_BITS
    while True:
        line = _Line(table, bits, armies + defenders)
        if line.rolls <= 0:  # so many bits that the whole would be the corner: only if it is equal to many digits
            return table.is_exactly(percent, armies, defenders)
        verdict = line.verdict(percent, armies)
        if verdict is not None:
            break
        bits *= 2
    if verdict:
        least = line.least(percent, armies)
        table.sure[percent] = (least, armies + defenders - least)
    return verdict


class _Line:
    """The chances for a number of armies in all, however they are shared, to so many bits."""

    def __init__(self, table: Chances, bits: int, total: int) -> None:
        self._table = table if table.bits >= bits + _GUARD else Chances(table.most, table.two_from, bits + _GUARD)
        self._bits = bits
        corner = bits * 5 // 2
        rolled = _rolls(table)
        self.rolls = max(0, (total - corner) // rolled.unit)
        self._total = total
        self._from = total - rolled.unit * self.rolls
        self._least = table.most + 1
        self._side = 1 if table.two_from == NEVER else table.two_from
        if self.rolls:
            self._corner()
            self._first, ratios = _window(rolled, self.rolls, bits)
            self._weigh(ratios)

    def _corner(self) -> None:
        """Look up the chances on the last antidiagonal, and what bounds them beyond its ends."""
        table, last = self._table, self._from
        error = last  # units, at most: see `Chances`
        self._lost = table.of(self._least - 1, last - self._least + 1) + error
        self._won = table.of(last - self._side + 1, self._side - 1)
        lower = [table.of(here, last - here) for here in range(self._least, last - self._side + 1)]
        self._between = [(chance, min(chance + error, table.scale)) for chance in lower]

    def _weigh(self, ratios: list[Bounds]) -> None:
        """Multiply the ratios out: how often each number of armies is lost, beside the first that is looked at."""
        bits = self._bits + _GUARD
        low = high = 1 << bits
        lows, highs = [low], [high]
        for least, most in ratios:
            low = low * least >> bits
            high = (high * most >> bits) + 1
            lows.append(low)
            highs.append(high)
        self._weights = list(zip(lows, highs, strict=True))
        self._low_sums = [0, *accumulate(lows)]
        self._high_sums = [0, *accumulate(highs)]

    def _bounds(self, armies: int) -> tuple[Bounds, Bounds]:
        """Return the chance with so many armies as two fractions, the least and the most; tails are left out."""
        scale = self._table.scale
        size = len(self._weights)
        if armies < self._least:
            return (0, 1), (self._lost, scale)
        if self._total - armies < self._side:
            return (self._won, scale), (1, 1)
        # With k armies lost one comes to `armies - k` on the last antidiagonal: its highest place is won for sure.
        end = armies - (self._from - self._side) - self._first
        won = min(max(end, 0), size)
        lost = min(max(end + len(self._between), 0), size)
        low = self._low_sums[won] * self._won
        high = self._high_sums[won] * scale + (self._high_sums[size] - self._high_sums[lost]) * self._lost
        for number in range(won, lost):
            chance, weight = self._between[end - number - 1], self._weights[number]
            low += weight[0] * chance[0]
            high += weight[1] * chance[1]
        return (low, self._high_sums[size] * scale), (high, self._low_sums[size] * scale)

    def verdict(self, percent: int, armies: int) -> bool | None:
        """Say whether the chance is at least `percent`; nothing if more bits are needed to tell."""
        (low, of_low), (high, of_high) = self._bounds(armies)
        whole = 1 << self._bits
        tails = 2
        if low * 100 * (whole - tails) >= percent * of_low * whole:
            return True
        if (high * whole + tails * of_high) * 100 < percent * of_high * whole:
            return False
        return None

    def least(self, percent: int, armies: int) -> int:
        """Return the least armies of this line, from which it is certain that `percent` is reached."""
        low, high = 0, armies
        while low + 1 < high:
            middle = (low + high) // 2
            if self.verdict(percent, middle):
                high = middle
            else:
                low = middle
        return high


def _rolls(table: Chances) -> _Rolls:
    """Return what a roll costs where neither side has too few armies for its dice."""
    outcomes = OUTCOMES[table.most, 1 if table.two_from == NEVER else 2]
    ways = {mine: count for mine, _, count in outcomes}
    return _Rolls(outcomes[0][0] + outcomes[0][1], (ways[0], ways[1], ways.get(2, 0)))


def _window(rolled: _Rolls, rolls: int, bits: int) -> tuple[int, list[Bounds]]:
    """Return the first number of losses looked at, and the ratios of chances from it on; the tails are below 2**-bits.

    2 exp(-2 t^2 / (n unit^2)) is at most 2 * 2**-bits, since the logarithm of 2 is less than 0.7.
    """
    from math import isqrt

    unit, (_, one, two) = rolled
    reach = isqrt(rolls * unit * unit * bits * 7 // 20) + 1
    mean = rolls * (one + 2 * two) // WAYS
    first, last = max(0, mean - reach), min(unit * rolls, mean + 1 + reach)
    turned = min(last, rolls)  # from here on the ratios come from the other end
    ratios = _ratios(rolled.ways, rolls, first, turned, bits) if first < turned else []
    if last > rolls:
        both = 2 * rolls
        mirrored = _ratios(rolled.ways[::-1], rolls, both - last, both - max(first, rolls), bits)
        one_squared = 1 << 2 * (bits + _GUARD)
        ratios += [(one_squared // most, one_squared // least + 1) for least, most in reversed(mirrored)]
    return first, ratios


def _ratios(ways: tuple[int, int, int], rolls: int, first: int, end: int, bits: int) -> list[Bounds]:
    """Return bounds of c[k+1] / c[k] for k from `first` up to `end`, `end` left out and at most `rolls`.

    Scaled by 2**(bits + _GUARD). Before the first step a ratio is anything above A.
    """
    none, one, two = ways
    scaled = bits + _GUARD
    start = max(0, first - _WARM_UP * bits)
    ratios = []
    low, high = 0, 0  # of the ratio before; 0 as upper bound: there is none
    if start:
        low = ((rolls - start + 1) * one << scaled) // (start * none)
    for k in range(start, end):
        below = (k + 1) * none
        straight = (rolls - k) * one << scaled
        back = (2 * rolls - k + 1) * two << 2 * scaled
        least = (straight + (back // high if high else 0)) // below
        most = (straight + (-(-back // low) if k else 0)) // below + 1
        low, high = least, most
        ratios.append((low, high))
    return ratios[first - start :]
