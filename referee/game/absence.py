"""Where armies go when their player has not said so: a missed turn (P-14) and the neutral army (P-12).

Ties go to the order of the board.
"""

from referee.game.board import TerritoryId
from referee.game.orders import NEUTRAL, Placement, PlayerId
from referee.game.state import State


def shared_placement(state: State, player: str, total: int, ranking: tuple[TerritoryId, ...] = ()) -> Placement:
    """Place `total` armies of an absent player: all on the first of `ranking` that is hers, else by P-14.

    P-14: one at a time where all neighbouring armies that are not hers, less her own there, are the most.
    """
    own = state.territories_of(player)
    chosen = next((t for t in ranking if t in own), None)
    if chosen is not None:
        return ((chosen, total),) if total else ()
    pressure = {
        t: sum(state.armies[n] for n in state.board.neighbours[t] if state.owners[n] != player) - state.armies[t]
        for t in own
    }
    added = dict.fromkeys(own, 0)
    for _ in range(total):
        most = max(own, key=lambda t: pressure[t])
        pressure[most] -= 1
        added[most] += 1
    return tuple((t, number) for t, number in added.items() if number)


def neutral_plan(state: State, chooser: PlayerId, active: PlayerId, total: int) -> Placement:
    """Place `total` armies of the neutral army as the standing orders of `chooser` say (P-12).

    A ranking: all on the first that is still neutral. Else one at a time on the neutral territory with the fewest
    armies among those next to the active (or the named) player, or among all if none is.
    """
    standing = state.standing.get(chooser)
    plan = standing.neutral if standing else None
    land = state.territories_of(NEUTRAL)
    if isinstance(plan, tuple):
        chosen = next((t for t in plan if t in land), None)
        if chosen is not None:
            return ((chosen, total),)
        plan = None
    beside = plan or active
    near = [t for t in land if any(state.owners[n] == beside for n in state.board.neighbours[t])]
    armies = {t: state.armies[t] for t in near or land}
    added = dict.fromkeys(armies, 0)
    for _ in range(total):
        weakest = min(armies, key=lambda t: armies[t])
        armies[weakest] += 1
        added[weakest] += 1
    return tuple((t, number) for t, number in added.items() if number)
