"""When a mission is fulfilled (RULES.md section 4, readings Q-07 and Q-08)."""

from collections.abc import Iterable

import pytest

from referee import data
from referee.game.board import (
    Board,
    ColourId,
    ContinentId,
    Mission,
    MissionId,
    TerritoryId,
    board_from,
)
from referee.game.missions import is_fulfilled, missions_in_play
from referee.game.presets import preset_from
from referee.game.rules import MissionColourLostToOther

BOARD: Board = board_from(data.tree("boards/classic.toml"))
RULES = preset_from(data.tree("editions/no.toml"), "mission").rules
COLOURS = {"kari": ColourId("red"), "ola": ColourId("blue"), "per": ColourId("green")}


def mission(name: str) -> Mission:
    return BOARD.missions[MissionId(name)]


def lands(*continents: str) -> list[TerritoryId]:
    return [land for name in continents for land in BOARD.continents[ContinentId(name)].territories]


def holds(
    name: str,
    owned: Iterable[TerritoryId],
    *,
    armies: int = 1,
    out: dict[str, str] | None = None,
    lost: MissionColourLostToOther = "counts_as_done",
) -> bool:
    """Say whether kari, who owns these territories, has fulfilled a mission; the rest is ola's."""
    kept = set(owned)
    owners = {land: "kari" if land in kept else "ola" for land in BOARD.territories}
    strength = dict.fromkeys(BOARD.territories, armies)
    rules = RULES._replace(mission_colour_lost_to_other=lost)
    return is_fulfilled(mission(name), BOARD, "kari", owners, strength, COLOURS, out or {}, rules)


def test_two_continents_are_enough_where_two_are_asked_for() -> None:
    assert holds("asia_africa", lands("asia", "africa"))


def test_a_continent_short_of_one_territory_is_not_held() -> None:
    assert not holds("asia_africa", lands("asia", "africa")[:-1])


def test_a_third_continent_is_of_her_own_choice() -> None:
    assert not holds("europe_australia_third", lands("europe", "australia"))
    assert holds("europe_australia_third", lands("europe", "australia", "south_america"))
    assert holds("europe_australia_third", lands("europe", "australia", "africa"))


def test_three_other_continents_do_not_do() -> None:
    owned = lands("europe", "south_america", "africa")
    assert not holds("europe_australia_third", owned)


def test_24_territories_are_24() -> None:
    assert holds("territories_24", BOARD.territories[:24])
    assert not holds("territories_24", BOARD.territories[:23])


def test_18_territories_need_two_armies_each() -> None:
    assert holds("territories_18_two_armies", BOARD.territories[:18], armies=2)
    assert not holds("territories_18_two_armies", BOARD.territories[:18], armies=1)
    assert not holds("territories_18_two_armies", BOARD.territories[:17], armies=2)


def test_a_colour_still_on_the_board_is_not_destroyed() -> None:
    assert not holds("eliminate_blue", BOARD.territories[:41])


def test_a_colour_that_she_wiped_out_is_destroyed() -> None:
    assert holds("eliminate_green", BOARD.territories[:1], out={"per": "kari"})
    assert holds("eliminate_green", BOARD.territories[:1], out={"per": "kari"}, lost="fallback_24")


@pytest.mark.parametrize("killer", ["ola", ""])
def test_a_colour_that_another_wiped_out_counts_as_done(killer: str) -> None:
    assert holds("eliminate_green", BOARD.territories[:1], out={"per": killer})


def test_a_colour_that_another_wiped_out_may_become_24_territories() -> None:
    out = {"per": "ola"}
    assert not holds("eliminate_green", BOARD.territories[:23], out=out, lost="fallback_24")
    assert holds("eliminate_green", BOARD.territories[:24], out=out, lost="fallback_24")


def test_the_mission_against_her_own_colour_is_24_territories() -> None:
    assert not holds("eliminate_red", BOARD.territories[:23])
    assert holds("eliminate_red", BOARD.territories[:24])


def test_missions_of_colours_not_in_play_are_taken_out() -> None:
    assert missions_in_play(BOARD, COLOURS.values()) == (
        "asia_africa",
        "asia_south_america",
        "eliminate_blue",
        "eliminate_green",
        "eliminate_red",
        "europe_australia_third",
        "europe_south_america_third",
        "north_america_africa",
        "north_america_australia",
        "territories_18_two_armies",
        "territories_24",
    )


def test_with_six_players_all_fourteen_are_in() -> None:
    assert len(missions_in_play(BOARD, BOARD.colours)) == 14
