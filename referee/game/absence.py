"""A turn for which no orders came (P-14), and where armies go when their player has not said so (P-12, P-14).

Ties go to the order of the board.
"""

from collections.abc import Collection

from referee.game.board import TerritoryId
from referee.game.events import Chooser
from referee.game.orders import NEUTRAL, Absence, Orders, Placement, PlayerId
from referee.game.state import State

NOBODY = PlayerId("")
"""Who rolls for a missed turn with attacks if only the host plays beside the one who misses it."""


def absent_orders(state: State, player: PlayerId, passed_over: PlayerId | None = None) -> Orders:
    """Return a missed turn: by the setting, and by the player's standing orders if it is `standing`.

    `passed_over` is the one who should roll for it and was called missed for that, too, or NOBODY if nobody is left who
    could: then no attack is made.
    """
    plan = _plan(state, player)._replace(passed_over=passed_over)
    if state.players[player].passed_over and plan.policy == "wait":
        plan = Absence("default")  # this turn is not to come again
    return Orders(player, attacks=plan.attacks, windfalls=plan.windfalls, fortifies=plan.fortifies, absence=plan)


def _plan(state: State, player: PlayerId) -> Absence:
    policy = state.settings.missed
    standing = state.standing.get(player)
    if policy == "standing" and standing is not None and standing.missed is not None:
        return standing.missed
    return Absence("default" if policy == "standing" else policy)


def who_rolls_for(state: State, player: PlayerId, host_seat: str = "") -> PlayerId | None:
    """Return the next living player if the missed turn of `player` has a plan with attacks, else None.

    Such a plan rolls dice only with his reveal, so that a host alone cannot choose whose turn is missed by its dice.
    A host who plays is no such player: if nobody else is left it is NOBODY.
    """
    if not _plan(state, player).attacks:
        return None
    return next(iter(who_stands_beside(state, player, host_seat)), NOBODY)


def who_stands_beside(state: State, player: PlayerId, host_seat: str = "") -> tuple[PlayerId, ...]:
    """Return who still plays beside `player` and is not the host, in the order of seats from the next one on."""
    seats = tuple(state.players)
    place = seats.index(player)
    ring = (*seats[place + 1 :], *seats[:place])
    return tuple(one for one in ring if one != host_seat and state.players[one].status == "playing")


def who_may_be_missed(state: State, missed: Collection[PlayerId], host_seat: str = "") -> tuple[PlayerId, ...]:
    """Return of whom something can be missing: the awaited, and who rolls for one of them who misses the turn."""
    absent = (*missed, *who_must_miss(state))
    called = [player for player in state.acting if player in absent and state.phase == "turn"]
    rollers = [who_rolls_for(state, player, host_seat) for player in called]
    return (*state.acting, *(roller for roller in rollers if roller))


def who_must_miss(state: State) -> tuple[PlayerId, ...]:
    """Return the awaited who miss this turn because they have not rolled for somebody when they should have."""
    return tuple(player for player in state.acting if state.players[player].passed_over and state.phase == "turn")


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


def neutral_plan(state: State, chooser: PlayerId, active: PlayerId, total: int) -> tuple[Placement, Chooser]:
    """Place `total` armies of the neutral army as the standing orders of `chooser` say, or by default (P-12).

    A ranking: all on the first that is still neutral. Else one at a time on the neutral territory with the fewest
    armies among those next to the active (or the named) player, or among all if none is. The default, next to the
    active player, is the referee's choice.
    """
    standing = state.standing.get(chooser)
    plan = standing.neutral if standing else None
    land = state.territories_of(NEUTRAL)
    if isinstance(plan, tuple):
        chosen = next((t for t in plan if t in land), None)
        if chosen is not None:
            return ((chosen, total),), "player"
        plan = None
    beside = plan or active
    near = [t for t in land if any(state.owners[n] == beside for n in state.board.neighbours[t])]
    armies = {t: state.armies[t] for t in near or land}
    added = dict.fromkeys(armies, 0)
    for _ in range(total):
        weakest = min(armies, key=lambda t: armies[t])
        armies[weakest] += 1
        added[weakest] += 1
    return tuple((t, number) for t, number in added.items() if number), "player" if plan else "referee"
