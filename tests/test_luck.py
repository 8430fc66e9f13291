"""Luck in numbers: p-values against tables and exact counts; fair games are not called odd, a loaded die is."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from support.planner import deployment, plan
from support.table import Table

from referee.documents import resolve
from referee.documents.boards import board_by_name
from referee.documents.gamefile import Game, open_game
from referee.documents.record import replayed
from referee.game.battle import EXPECTED, OUTCOMES, WAYS
from referee.game.probability import NEGLIGIBLE, ONE, at_least_one, p_of_faces, p_of_losses
from referee.views.luck import all_dice, in_game, luck_shown, luck_tree, over_games
from referee.views.standings import p_text

GAMES = Path(__file__).parent / "games"
RECORDS = sorted(GAMES.glob("*.toml"))
FJORD = GAMES / "fjord"


@pytest.mark.parametrize(
    ("statistic", "p"),
    [("1.145", "0.95"), ("4.351", "0.50"), ("11.070", "0.05"), ("15.086", "0.01"), ("20.515", "0.001")],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(statistic: str, p: str) -> None:
    """Five degrees of freedom; counts are scaled so that they have just this statistic."""
    total = 6_000_000
    away = math.isqrt(int(Fraction(statistic) * total / 12))
    faces = [total // 6 + away, total // 6 - away, *[total // 6] * 4]
    assert abs(Fraction(p_of_faces(faces), ONE) - Fraction(p)) < Fraction("0.0005") * (1 + Fraction(p) * 10)


def elementary(square: float) -> float:
    """Return the tail of chi-square with five degrees of freedom, by Abramowitz and Stegun 26.4.4."""
    root = math.sqrt(square)
    return math.erfc(root / math.sqrt(2)) + math.sqrt(2 / math.pi) * math.exp(-square / 2) * (root + root**3 / 3)


@pytest.mark.parametrize(
    "faces", [[3, 3, 3, 3, 3, 3], [9, 3, 5, 4, 6, 2], [40, 20, 30, 30, 22, 38], [99, 50, 50, 50, 50, 51]]
)
def test_the_tail_of_chi_square_is_the_elementary_formula(faces: list[int]) -> None:
    mean = sum(faces) / 6
    square = sum((count - mean) ** 2 for count in faces) / mean
    assert p_of_faces(faces) / ONE == pytest.approx(elementary(square), rel=1e-9)


@pytest.mark.parametrize("dice", [1, 2, 5, 6])
def test_of_few_dice_all_throws_are_counted(dice: int) -> None:
    thrown = Counter(tuple(map(throw.count, range(6))) for throw in product(range(6), repeat=dice))
    for faces in thrown:
        odd = sum(count**2 for count in faces)
        as_odd = sum(often for other, often in thrown.items() if sum(count**2 for count in other) >= odd)
        assert p_of_faces(faces) == as_odd * ONE // 6**dice


@pytest.mark.parametrize("faces", [[1, 1, 1, 1, 1, 1], [2, 1, 2, 1, 2, 1], [2, 2, 2, 2, 2, 2]])
def test_dice_that_fall_as_evenly_as_they_can_are_not_odd(faces: list[int]) -> None:
    assert p_of_faces(faces) == ONE


@pytest.mark.parametrize("sigmas", [0.5, 1.0, 1.96, 2.58, 3.29, 5.0])
def test_the_tail_of_the_normal_is_that_of_the_library(sigmas: float) -> None:
    variance = (1000 * WAYS) ** 2
    given = round(sigmas * 1000)
    half_an_army = 0.5 / 1000
    expected = math.erfc((given / 1000 - half_an_army) / math.sqrt(2))
    assert p_of_losses(given, 0, variance) / ONE == pytest.approx(expected, rel=1e-9)


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
    assert abs(Fraction(nearly, ONE) - exact_tail(rolls, given)) < Fraction(1, 20)


def test_without_dice_nothing_is_odd_and_what_is_hopeless_is_bounded() -> None:
    assert p_of_faces([0] * 6) == p_of_losses(0, 0, 0) == ONE
    assert p_of_faces([10_000, 0, 0, 0, 0, 0]) == p_of_losses(10_000, 0, WAYS**2) == NEGLIGIBLE


@pytest.mark.parametrize(
    ("p", "text"),
    [
        ("1", "1.000"), ("0.9996", "1.000"), ("0.04951", "0.050"), ("0.0005", "0.001"), ("0.000499", "5e-4"),
        ("0.0004", "4e-4"), ("0.000096", "1e-4"), ("0.00000123", "1e-6"), ("1E-12", "<1e-12"),
    ],
)  # fmt: skip
def test_a_p_value_is_written_in_at_most_six_letters(p: str, text: str) -> None:
    assert p_text(int(Fraction(p) * ONE)) == text
    assert len(text) <= 6


def test_the_smallest_of_many_is_held_against_their_number() -> None:
    assert at_least_one(ONE // 100, 1) == ONE // 100
    assert at_least_one(ONE // 2, 3) == ONE * 7 // 8
    assert at_least_one(ONE, 5) == ONE


def games() -> Iterator[Game]:
    for path in RECORDS:
        *_, last = replayed(path.read_bytes(), path.name)
        yield last.file.game
    last = max(FJORD.glob("fjord-[0-9]*.toml"))
    yield open_game(last.read_bytes(), board_by_name).game


def test_the_kept_games_are_fair() -> None:
    kept = list(games())
    assert len(kept) > 20
    text = " ".join(luck_shown(kept))
    assert "nothing here is odd" in text
    assert all_dice(kept).faces > ONE // 1000


def played(turns: int, seed: int = 1, playing: list[Table] | None = None) -> Table:
    """Play so many turns; `playing` holds the table meanwhile, for dice that fall otherwise for somebody."""
    table = Table("no", "world", 3, seed)
    if playing is not None:
        playing[:] = [table]
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


Dice = Callable[[bytes, int, int, int, int], tuple[tuple[int, ...], tuple[int, ...]]]


def loaded(often: int, of: int, whose: Callable[[], bool] = lambda: True) -> Dice:
    """Return dice of which an attacker's ones are sixes `often` times in so many rolls."""
    fair = resolve.battle_dice
    count = 0

    def throw(
        seed: bytes, battle: int, roll: int, attack: int, defence: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        nonlocal count
        mine, theirs = fair(seed, battle, roll, attack, defence)
        count += whose()
        return tuple(6 if die == 1 and whose() and count % of < often else die for die in mine), theirs

    return throw


def test_a_loaded_die_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = played(30).file.game
    assert not any(dice.is_unlikely for dice in in_game(honest))
    monkeypatch.setattr(resolve, "battle_dice", loaded(2, 3))
    rigged = played(30).file.game
    assert any(dice.is_unlikely for dice in in_game(rigged))
    assert all_dice([rigged]).is_unlikely
    assert "that is odd" in " ".join(luck_shown([rigged]))


def test_a_die_that_is_loaded_a_little_is_found_over_several_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one player, who is found by her key; no game alone says anything, and nobody else is blamed."""
    fair = [played(30, seed).file.game for seed in range(1, 6)]
    assert not any(dice.is_unlikely for dice in (*over_games(fair), all_dice(fair)))
    table: list[Table] = []
    monkeypatch.setattr(resolve, "battle_dice", loaded(1, 3, lambda: table[0].file.game.state.acting[0] == "kari"))
    rigged = [played(30, seed, table).file.game for seed in range(1, 6)]
    assert not any(dice.is_unlikely for game in rigged for dice in in_game(game))
    assert [dice.name for dice in over_games(rigged) if dice.is_unlikely] == ["kari"]
    shown = luck_shown(rigged)
    assert "that is odd" in " ".join(shown)
    assert [line[4:].partition(":")[0] for line in shown if line.startswith("  * ")] == ["kari"]


def test_one_person_in_two_games_is_one_by_his_key() -> None:
    one, other = played(6).file.game, played(6).file.game
    people = over_games([one, other])
    assert [dice.name for dice in people] == ["kari", "liv", "ola"]
    assert sum(people[0].luck.faces) == 2 * sum(one.state.luck["kari"].faces)
    assert [dice.name for dice in over_games([one, other], fewest=2)] == ["kari", "liv", "ola"]
    assert over_games([one], fewest=2) == []
    tree = luck_tree([one])
    assert [player["player"] for player in tree["games"][0]["players"]] == list(one.state.players)


def test_lines_are_short_and_ascii() -> None:
    lines = luck_shown(list(games()))
    assert all(line.isascii() and len(line) <= 72 for line in lines)
