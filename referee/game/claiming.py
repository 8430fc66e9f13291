"""Claiming free territories from rankings, one at a time round the table (R-SETUP-07, P-02, P-14).

Rankings come sealed and together, or openly, one after the other, and then they are carried out when the last is there.
"""

from collections.abc import Mapping, Sequence

from referee.game import events as e
from referee.game.board import TerritoryId
from referee.game.orders import Claim, PlayerId
from referee.game.state import Course, State


def claiming_order(state: State) -> tuple[PlayerId, ...]:
    """Return all seats in the order in which they claim, from the first who was awaited.

    Who has left is among them: the board is shared by all who sat down, and his armies stay on it (P-14).
    """
    seats = tuple(state.players)
    place = seats.index(next(iter((*state.claims, *state.acting))))
    return seats[place:] + seats[:place]


def who_claims(state: State) -> tuple[PlayerId, ...]:
    """Return whose ranking is awaited next where they come one after the other; nobody if all are there."""
    if not state.claims:
        return ()
    ring = claiming_order(state)
    after = ring[ring.index(tuple(state.claims)[-1]) + 1 :]
    return tuple(player for player in after if state.players[player].status == "playing")[:1]


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
