"""Claiming free territories from rankings, one at a time round the table (R-SETUP-07, P-02, P-14)."""

from collections.abc import Mapping, Sequence

from referee.game import events as e
from referee.game.board import TerritoryId
from referee.game.orders import Claim, PlayerId
from referee.game.state import Course, State


def claiming_order(state: State) -> tuple[PlayerId, ...]:
    """Return all seats in the order in which they claim, from the first who is awaited.

    Who has left is among them: the board is shared by all who sat down, and his armies stay on it (P-14).
    """
    seats = tuple(state.players)
    place = seats.index(state.acting[0])
    return seats[place:] + seats[:place]


def claim(course: Course, ring: Sequence[PlayerId], rankings: Mapping[PlayerId, Claim]) -> None:
    """Give out all territories: each in turn has the first of his ranking that is free, else the first free id.

    The turn goes round `ring` from its first player until no territory is free.
    """
    free = sorted(land for land, owner in course.state.owners.items() if not owner)
    wishes = {player: _wishes(rankings.get(player)) for player in ring}
    while free and ring:
        for player in ring[: len(free)]:
            wish = next((number for number, land in wishes[player].items() if land in free), 0)
            land = wishes[player][wish] if wish else free[0]
            free.remove(land)
            course.add(e.TerritoryClaimed(player, land, wish))


def _wishes(given: Claim | None) -> dict[int, TerritoryId]:
    return dict(enumerate(given.ranking, start=1)) if given else {}
