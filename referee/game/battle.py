"""The kernel of battles, on plain integers: comparing dice, what a roll can cost, the chance to take.

Rules: R-ATT-09 to R-ATT-12 (highest against highest, second against second, ties to the defender, at most two
armies lost in a roll), Q-23. It knows no board, no players and no random numbers.
"""

from referee.game.records import NamedTuple

WAYS = 7776
"""6**5: every roll's outcomes are counted in ways out of this many."""

Outcome = tuple[int, int, int]
"""Armies the attacker loses, armies the defender loses, in how many of WAYS."""

OUTCOMES: dict[tuple[int, int], tuple[Outcome, ...]] = {
    (1, 1): ((0, 1, 3240), (1, 0, 4536)),
    (1, 2): ((0, 1, 1980), (1, 0, 5796)),
    (2, 1): ((0, 1, 4500), (1, 0, 3276)),
    (2, 2): ((0, 2, 1770), (1, 1, 2520), (2, 0, 3486)),
    (3, 1): ((0, 1, 5130), (1, 0, 2646)),
    (3, 2): ((0, 2, 2890), (1, 1, 2611), (2, 0, 2275)),
}
"""By (attack dice, defence dice); a test counts them from all throws."""


class Expected(NamedTuple):
    """What a roll costs on average: armies in WAYS-ths, variances in WAYS**2-ths."""

    attacker: int
    attacker_variance: int
    defender: int
    defender_variance: int


def _expected(outcomes: tuple[Outcome, ...]) -> Expected:
    sums = [sum(ways * outcome[side] for outcome in outcomes for ways in outcome[2:]) for side in (0, 1)]
    squares = [sum(o[2] * o[side] ** 2 for o in outcomes) for side in (0, 1)]
    variances = [WAYS * square - total**2 for square, total in zip(squares, sums, strict=True)]
    return Expected(sums[0], variances[0], sums[1], variances[1])


EXPECTED = {dice: _expected(outcomes) for dice, outcomes in OUTCOMES.items()}


def losses(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[int, int]:
    """Return the armies (attacker, defender) lose in one roll; dice in any order.

    Highest against highest, then second against second if both rolled two; the lower die loses one army and
    equal dice cost the attacker (R-ATT-09 to R-ATT-11).
    """
    if len(attack) == 1 or len(defence) == 1:
        return (0, 1) if max(attack) > max(defence) else (1, 0)
    mine = sorted(attack)
    low, high = sorted(defence)
    won = (mine[-1] > high) + (mine[-2] > low)
    return 2 - won, won


NEVER = 1 << 60
"""The armies from which a defender rolls two dice who always rolls one."""
_BITS = 128
_SMALL = 320
"""Up to so many armies on both sides together there is a table: at most 51,200 places."""


class Chances:
    """The chance to take a territory by fighting to the end, for one way of choosing dice.

    `most` is the greatest number of attack dice (1 to 3), `two_from` the armies from which the defender rolls two
    dice (`NEVER` if he rolls one). Chances are integers scaled by 2**bits and rounded down at each step, so they are
    too small by less than one unit for each army that can still be lost; where that could decide, the chance is
    computed exactly. The table is for as many armies as people have; beyond that see `referee.game.longodds`.
    """

    NEVER = NEVER

    def __init__(self, most: int, two_from: int, bits: int = _BITS) -> None:
        self.most = most
        self.two_from = two_from
        self.bits = bits
        self.scale = 1 << bits
        self.sure: dict[int, tuple[int, int]] = {}
        self._rows: list[list[int]] = [[], [self.scale, 0]]

    def of(self, armies: int, defenders: int) -> int:
        """Return the scaled chance with `armies` in the source (1 stays) against `defenders`."""
        rows = self._rows
        while len(rows) <= armies:
            rows.append([self.scale])
        if len(rows[armies]) <= defenders:
            self._fill(armies, defenders)
        return rows[armies][defenders]

    def _fill(self, armies: int, defenders: int) -> None:
        first = self._rows[1]
        first.extend([0] * (defenders + 1 - len(first)))
        for here in range(2, armies + 1):
            row = self._rows[here]
            dice = min(self.most, here - 1)
            for there in range(len(row), defenders + 1):
                outcomes = OUTCOMES[dice, 2 if there >= self.two_from else 1]
                row.append(self._mean(here, there, outcomes))

    def _mean(self, here: int, there: int, outcomes: tuple[Outcome, ...]) -> int:
        rows = self._rows
        return sum(w * rows[here - mine][there - theirs] for mine, theirs, w in outcomes) // WAYS

    def reaches(self, percent: int, armies: int, defenders: int) -> bool:
        """Say whether the chance is at least `percent` (0 to 100; equality reaches)."""
        if not defenders or not percent:
            return True
        if armies < 2 or percent == 100:
            return False  # nothing can be taken, and nothing is ever certain
        if armies + defenders > _SMALL:
            from referee.game.longodds import reaches

            return reaches(self, percent, armies, defenders)
        chance, wanted = self.of(armies, defenders) * 100, percent * self.scale
        if chance >= wanted:
            return True
        may_be_missing = (armies + defenders) * 100
        return chance + may_be_missing >= wanted and self.is_exactly(percent, armies, defenders)

    def is_exactly(self, percent: int, armies: int, defenders: int) -> bool:
        """Say the same from the exact chance: a whole number over WAYS**(armies + defenders), which takes long."""
        ones: list[int] = [WAYS**number for number in range(armies + defenders + 1)]
        rows = [[0] * (defenders + 1)] * 2  # a place stands as a multiple of 1 / WAYS**(here + there)
        for here in range(2, armies + 1):
            row = [ones[here]]
            rows.append(row)
            for there in range(1, defenders + 1):
                outcomes = OUTCOMES[min(self.most, here - 1), 2 if there >= self.two_from else 1]
                row.append(
                    sum(w * rows[here - mine][there - theirs] * ones[mine + theirs - 1] for mine, theirs, w in outcomes)
                )
        return rows[armies][defenders] * 100 >= percent * ones[armies + defenders]


_CHANCES: dict[tuple[int, int], Chances] = {}


def chances(most: int, two_from: int) -> Chances:
    """Return the table for these dice, kept between calls because rolls of one attack read the same one."""
    key = (most, two_from)
    table = _CHANCES.get(key)
    if table is None:
        table = _CHANCES[key] = Chances(most, two_from)
    return table
