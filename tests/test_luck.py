"""Luck in numbers: p-values against tables and exact counts; fair games are not called odd, a loaded die is."""

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from support.planner import deployment, plan
from support.table import Table

from referee.documents import resolve
from referee.documents.record import replayed
from referee.game.battle import EXPECTED, OUTCOMES, WAYS
from referee.game.probability import NEGLIGIBLE, chi_square, p_of_faces, p_of_losses
from referee.views.luck import all_dice, in_game, luck_shown, luck_tree, over_games, p_text

RECORDS = sorted((Path(__file__).parent / "games").glob("*.toml"))


def test_chi_square_is_the_sum_of_squares_over_the_mean() -> None:
    assert chi_square([10] * 6) == 0
    assert chi_square([20, 10, 10, 10, 5, 5]) == Decimal(15)
    assert chi_square([0] * 6) == 0


@pytest.mark.parametrize(
    ("statistic", "p"),
    [("1.145", "0.95"), ("4.351", "0.50"), ("11.070", "0.05"), ("15.086", "0.01"), ("20.515", "0.001")],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(statistic: str, p: str) -> None:
    """Five degrees of freedom; counts are scaled so that they have just this statistic."""
    total = 6_000_000
    away = int((Decimal(statistic) * total / 12).sqrt())
    faces = [total // 6 + away, total // 6 - away, *[total // 6] * 4]
    assert abs(p_of_faces(faces) - Decimal(p)) < Decimal("0.0005") * (1 + Decimal(p) * 10)


@pytest.mark.parametrize("sigmas", [0.5, 1.0, 1.96, 2.58, 3.29, 5.0])
def test_the_tail_of_the_normal_is_that_of_the_library(sigmas: float) -> None:
    variance = (1000 * WAYS) ** 2
    given = round(sigmas * 1000)
    half_an_army = 0.5 / 1000
    expected = math.erfc((given / 1000 - half_an_army) / math.sqrt(2))
    assert float(p_of_losses(given, 0, variance)) == pytest.approx(expected, rel=1e-9)


def exact_tail(rolls: int, given: int) -> Fraction:
    """Return the chance of losses at least so far from the mean in so many rolls of three dice against two."""
    ways = {0: Fraction(1)}
    for _ in range(rolls):
        after: dict[int, Fraction] = {}
        for (lost, chance), (_, defender, outcome) in product(ways.items(), OUTCOMES[3, 2]):
            after[lost + defender] = after.get(lost + defender, Fraction(0)) + chance * Fraction(outcome, WAYS)
        ways = after
    mean = Fraction(rolls * EXPECTED[3, 2].defender, WAYS)
    return sum((chance for lost, chance in ways.items() if abs(lost - mean) >= abs(given - mean)), Fraction(0))


@pytest.mark.parametrize("given", [40, 46, 50, 54, 60, 66])
def test_the_normal_is_near_the_exact_chance(given: int) -> None:
    rolls = 50
    luck = EXPECTED[3, 2]
    nearly = p_of_losses(given, rolls * luck.defender, rolls * luck.defender_variance)
    assert abs(Fraction(nearly) - exact_tail(rolls, given)) < Fraction(1, 20)


def test_without_dice_nothing_is_odd_and_what_is_hopeless_is_bounded() -> None:
    assert p_of_faces([0] * 6) == p_of_losses(0, 0, 0) == 1
    assert p_of_faces([10_000, 0, 0, 0, 0, 0]) == p_of_losses(10_000, 0, WAYS**2) == NEGLIGIBLE
    assert [p_text(Decimal(text)) for text in ("1", "0.04951", "0.0004", "1E-12")] == [
        "1.000",
        "0.050",
        "4e-4",
        "<1e-12",
    ]


def games() -> Iterator[object]:
    for path in RECORDS:
        *_, last = replayed(path.read_bytes(), path.name)
        yield last.file.game


def test_the_kept_games_are_fair() -> None:
    kept = list(games())
    assert kept
    text = " ".join(luck_shown(kept))
    assert "nothing here is odd" in text
    assert all_dice(kept).faces > Decimal("0.001")


def played(turns: int) -> Table:
    table = Table("no", "world", 3, 1)
    for _ in range(turns):
        state = table.file.game.state
        if state.phase == "over":
            break
        bodies = {
            player: deployment(state, player, 1)
            if state.phase == "deploy"
            else plan(state, player, tuple(table.hand(player).cards.values()))
            for player in state.acting
        }
        table.play([table.orders(player, body) for player, body in bodies.items()])
    return table


def test_a_loaded_die_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third die of an attacker that shows a one shows a six instead."""
    fair = resolve.battle_dice
    count = 0

    def loaded(
        seed: bytes, battle: int, roll: int, attack: int, defence: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        nonlocal count
        mine, theirs = fair(seed, battle, roll, attack, defence)
        count += 1
        return tuple(6 if die == 1 and count % 3 else die for die in mine), theirs

    honest = played(30).file.game
    assert not any(dice.is_unlikely for dice in in_game(honest))
    monkeypatch.setattr(resolve, "battle_dice", loaded)
    rigged = played(30).file.game
    assert any(dice.is_unlikely for dice in in_game(rigged))
    assert all_dice([rigged]).is_unlikely
    assert "that is odd" in " ".join(luck_shown([rigged]))


def test_one_person_in_two_games_is_one_by_his_key() -> None:
    one, other = played(6).file.game, played(6).file.game
    people = over_games([one, other])
    assert [dice.name for dice in people] == ["kari", "liv", "ola"]
    assert sum(people[0].luck.faces) == 2 * sum(one.state.luck["kari"].faces)
    tree = luck_tree([one])
    assert [player["player"] for player in tree["games"][0]["players"]] == list(one.state.players)


def test_lines_are_short_and_ascii() -> None:
    lines = luck_shown(list(games()))
    assert all(line.isascii() and len(line) <= 72 for line in lines)
