"""What must be true of every game, on random games (`support.laws` has the laws).

Hundreds of games: `pytest tests/test_laws.py -m long`.
"""

import pytest
from support.laws import game

PRESETS = (
    ("no", "mission", 3, 6),
    ("no", "world", 3, 6),
    ("no", "mission+rising", 3, 6),
    ("no", "world+rising", 3, 6),
    ("sv", "dealt", 2, 6),
    ("de", "mission", 3, 6),
    ("de", "world", 3, 6),
)
NAMES = [f"{edition} {variant}" for edition, variant, _, _ in PRESETS]
GAMES = 10
MANY = 500


@pytest.mark.parametrize(("edition", "variant", "least", "most"), PRESETS, ids=NAMES)
def test_laws_hold_in_random_games(edition: str, variant: str, least: int, most: int) -> None:
    for seed in range(GAMES):
        game(edition, variant, least + seed % (most - least + 1), seed, turns=24)


@pytest.mark.long
@pytest.mark.parametrize(("edition", "variant", "least", "most"), PRESETS, ids=NAMES)
def test_laws_hold_in_hundreds_of_games(
    edition: str, variant: str, least: int, most: int, request: pytest.FixtureRequest
) -> None:
    if "long" not in request.config.getoption("-m"):
        pytest.skip("hundreds of games: -m long")
    for seed in range(GAMES, GAMES + MANY // len(PRESETS) + 1):
        game(edition, variant, least + seed % (most - least + 1), seed, turns=120)
