"""What must be true of every game, on random games (`support.laws` has the laws).

Hundreds of games of each preset, some hours: `pytest tests/test_laws.py -m long`.
"""

import pytest
from support.laws import game, stepped
from support.planner import deployment, plan, set_up
from support.table import Table

from referee import data
from referee.game.events import StartRolled
from referee.game.presets import preset_from, variants_of
from referee.game.rules import Settings
from referee.game.state import SET_UP

PRESETS = (
    ("no", "mission", 3, 6),
    ("no", "world", 3, 6),
    ("no", "mission+rising", 3, 6),
    ("no", "world+rising", 3, 6),
    ("no", "capitals", 2, 6),
    ("no", "capitals+rising", 2, 6),
    ("no", "two", 2, 2),
    ("no", "two+rising", 2, 2),
    ("da", "mission", 3, 5),
    ("da", "classic", 3, 5),
    ("da", "two", 2, 2),
    ("da", "hq", 3, 5),
    ("da", "hq_short", 4, 5),
    ("sv", "standard", 2, 6),
    ("sv", "dealt", 2, 6),
    ("sv", "connected", 2, 6),
    ("sv", "dealt_connected", 2, 6),
    ("de", "mission", 3, 6),
    ("de", "world", 3, 6),
)
"""Every game of the four books, with the fewest and the most players."""

NAMES = [f"{edition} {variant}" for edition, variant, _, _ in PRESETS]
OPEN = tuple(row for row in PRESETS if "mission" not in row[1] and not row[1].startswith("capitals"))
"""Games without a secret, which can be played without a host."""
OPEN_NAMES = [f"{edition} {variant}" for edition, variant, _, _ in OPEN]
GAMES = 10
MANY = 500


@pytest.mark.parametrize(("edition", "variant", "least", "most"), PRESETS, ids=NAMES)
def test_laws_hold_in_random_games(edition: str, variant: str, least: int, most: int) -> None:
    for seed in range(GAMES):
        game(edition, variant, least + seed % (most - least + 1), seed, turns=48)


@pytest.mark.parametrize(("edition", "variant", "least", "most"), OPEN, ids=OPEN_NAMES)
def test_laws_hold_in_random_table_games(edition: str, variant: str, least: int, most: int) -> None:
    for seed in range(GAMES):
        game(edition, variant, least + seed % (most - least + 1), seed, turns=48, hosted=False)


@pytest.mark.parametrize("mode", ["plays", "plays witness", "trusted", "trusted witness", "witness"])
def test_laws_hold_in_random_games_of_hosts_who_play_and_with_witnesses(mode: str) -> None:
    for seed, (edition, variant, least, most) in enumerate(OPEN if "plays" in mode else PRESETS):
        game(edition, variant, least + seed % (most - least + 1), seed, turns=32, mode=mode)


@pytest.mark.long
@pytest.mark.parametrize(("edition", "variant", "least", "most"), PRESETS, ids=NAMES)
def test_laws_hold_in_hundreds_of_games(
    edition: str, variant: str, least: int, most: int, request: pytest.FixtureRequest
) -> None:
    if "long" not in request.config.getoption("-m"):
        pytest.skip("hundreds of games: -m long")
    for seed in range(GAMES, GAMES + MANY):
        game(edition, variant, least + seed % (most - least + 1), seed, turns=120)


def test_the_laws_are_asked_of_every_preset() -> None:
    editions = ((name, data.tree(f"editions/{name}.toml")) for name in ("no", "da", "sv", "de"))
    every = {
        (name, variant): preset_from(tree, variant).players for name, tree in editions for variant in variants_of(tree)
    }
    assert {(edition, variant): (least, most) for edition, variant, least, most in PRESETS} == every


def test_standing_orders_that_come_with_the_winning_turn_are_in_the_file_as_in_the_state() -> None:
    table = Table("de", "world", 3, 1)
    while table.file.game.state.phase != "over":
        before, state = table.file, table.file.game.state
        documents = []
        for player in state.acting:
            hand = tuple(table.hand(player).cards.values())
            body = set_up(state, player, 1) if state.phase in SET_UP else plan(state, player, hand)
            documents.append(table.orders(player, body))
        table.play(documents)
    earlier = Table.at(table, before)
    loser = next(p for p in before.game.state.playing() if p not in before.game.state.acting)
    documents.append(earlier.standing(loser, {"defend": {"dice": 1}}))
    made = earlier.play(documents)
    assert earlier.file.game.state.standing == made.game.state.standing


def test_set_up_that_ends_because_players_leave_spends_a_link_for_the_roll() -> None:
    table = Table("sv", "dealt", 4, 1, Settings(deployment_batch=19))
    state = table.file.game.state
    leaving = [player for player in state.players if state.players[player].to_place > 19]
    papers = [table.orders(p, deployment(state, p, 1)) for p in state.acting if p not in leaving]
    made = table.play([*papers, *(table.resignation(player) for player in leaving)])
    assert leaving
    assert any(isinstance(event, StartRolled) for event in made.game.events)
    assert [who for who, _ in made.game.evidence.reveals] == [made.game.host.name]


def test_a_turn_stepped_through_roll_by_roll_is_the_turn_played_at_once() -> None:
    """`play` fights whole legs; whoever steps gets the same events and the same state."""
    table = Table("de", "world", 3, 2)
    for _ in range(12):
        before, state = table.file, table.file.game.state
        documents = []
        for player in state.acting:
            hand = tuple(table.hand(player).cards.values())
            body = set_up(state, player, 2) if state.phase in SET_UP else plan(state, player, hand, seed=2)
            documents.append(table.orders(player, body))
        made = table.play(documents)
        if state.phase == "turn":
            assert stepped(before, documents[0], made) == (list(made.game.events), made.game.state)
