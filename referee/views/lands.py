"""Territories as lines of a draft on which armies are placed, those at a border first."""

from collections.abc import Mapping

from referee.documents.layout import key_text
from referee.game.board import TerritoryId
from referee.game.orders import NEUTRAL, Placement, PlayerId
from referee.game.state import State
from referee.views.comments import comment, item
from referee.views.text import TOGETHER


def lands(state: State, player: PlayerId, place: Placement) -> list[str]:
    """List a player's territories (or the neutral ones), those with somebody else beside them first.

    The armies of `place` stand there; the other lines wait for numbers.
    """
    placed = dict(place)
    own = state.territories_of(player)
    front = [t for t in own if state.has_hostile_neighbour(t, player)]
    lines = []
    for territory in front:
        lines.append(_land(territory, placed))
        lines += item(strength(state, player, territory))
    inland = [t for t in own if t not in front]
    if inland:
        lines += comment("Nobody else beside these:" if player == NEUTRAL else "No enemy beside these:")
    for territory in inland:
        lines += [_land(territory, placed), *item(strength(state, player, territory))]
    return lines


def strength(state: State, player: PlayerId, territory: TerritoryId) -> str:
    """Say how many armies stand on a player's territory, and whom they face."""
    here, facing = f"{_armies(state.armies[territory])} there", ", ".join(_facing(state, player, territory))
    return f"{here}, facing {facing}" if facing else here


def _land(territory: TerritoryId, placed: Mapping[TerritoryId, int]) -> str:
    if territory in placed:
        return f"{key_text(territory)} = {placed[territory]}"
    return f"# {key_text(territory)} = 0"


def _facing(state: State, player: PlayerId, territory: TerritoryId) -> list[str]:
    hostile = [n for n in state.board.neighbours[territory] if state.owners[n] != player]
    return [f"{n}{TOGETHER}{state.armies[n]}{TOGETHER}({state.owners[n]})" for n in hostile]


def _armies(number: int) -> str:
    return "1 army" if number == 1 else f"{number} armies"
