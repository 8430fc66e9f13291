"""Missions: which are dealt, and whether one is fulfilled.

Implements R-MIS-02, R-MIS-05, R-MIS-08, R-MIS-09 with Q-07 and Q-08. It does not say when
a fulfilled mission wins (`win_timing`), nor who may know about it.
"""

from collections.abc import Container, Mapping
from typing import TypeVar

from referee.game.board import Board, ContinentId, Mission, MissionId, TerritoryId
from referee.game.rules import Rules

Player = TypeVar("Player", bound=str)


def missions_in_play(board: Board, colours: Container[str]) -> tuple[MissionId, ...]:
    """Return the missions to shuffle, in ASCII order, without those of colours not in play."""
    return tuple(
        mission.id
        for mission in board.missions.values()
        if mission.kind != "eliminate_colour" or mission.colour in colours
    )


def is_fulfilled(
    mission: Mission,
    board: Board,
    player: Player,
    owners: Mapping[TerritoryId, str],
    armies: Mapping[TerritoryId, int],
    colours: Mapping[Player, str],
    out: Mapping[Player, str],
    rules: Rules,
) -> bool:
    """Say whether `player` has done what a mission asks, as the board stands.

    `colours` has all players, also those who are out; `out` has who took the last territory of
    each who is ("" if nobody did). A player who left, but whose armies still stand, is not out.
    """
    match mission.kind:
        case "continents":
            return _holds_continents(mission, board, player, owners)
        case "territories":
            return _holds_territories(mission, player, owners, armies)
        case "eliminate_colour":
            targets = [one for one, colour in colours.items() if colour == mission.colour]
            if not targets or targets == [player]:
                return _holds_territories(board.fallback, player, owners, armies)
            if targets[0] not in out:
                return False
            if out[targets[0]] == player or rules.mission_colour_lost_to_other == "counts_as_done":
                return True
            return _holds_territories(board.fallback, player, owners, armies)


def _holds_continents(mission: Mission, board: Board, player: str, owners: Mapping[TerritoryId, str]) -> bool:
    def held(continent: ContinentId) -> bool:
        return all(owners[land] == player for land in board.continents[continent].territories)

    if not all(held(continent) for continent in mission.continents):
        return False
    further = sum(held(continent) for continent in board.continents) - len(mission.continents)
    return further >= mission.extra_continents


def _holds_territories(
    mission: Mission,
    player: str,
    owners: Mapping[TerritoryId, str],
    armies: Mapping[TerritoryId, int],
) -> bool:
    held = (land for land, owner in owners.items() if owner == player)
    return sum(armies[land] >= mission.min_armies for land in held) >= mission.territories
