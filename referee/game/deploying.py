"""Placing the first armies: how many are due in a round, what is legal, and who places next.

Rules: R-SETUP-02, R-SETUP-08, R-SETUP-11, R-2P-NO-06, R-2P-DA-04 to R-2P-DA-06, Q-05, Q-25, Q-28, P-01, P-12, P-14.
"""

from collections.abc import Iterator

from referee.game import events as e
from referee.game.absence import neutral_plan, shared_placement
from referee.game.legality import Finding, refusal, why_not_place
from referee.game.orders import NEUTRAL, Deployment, PlayerId
from referee.game.rules import INITIAL_ARMIES, NEUTRAL_ARMIES
from referee.game.state import Course, State


def due_now(state: State, player: str) -> int:
    """Return how many armies a player deploys in this round (`deployment_batch`, 0 for all)."""
    left = state.players[player].to_place  # type: ignore[index]
    batch = state.settings.deployment_batch
    return min(left, batch) if batch else left


def neutral_due(state: State, player: PlayerId, armies: int) -> int:
    """Return how many neutral armies a player puts down with the next `armies` of his own.

    Q-25: when both players have put down their i-th army one of the neutral army follows, from the first seat for odd
    i, from the second for even i, until its 28 stand. R-2P-DA-04, -05: one after every two armies of a player.
    """
    rules, seat = state.rules, state.players[player]
    before = INITIAL_ARMIES[len(state.players)] - len(state.territories_of(player)) - seat.to_place
    after = before + armies
    match rules.neutral_army:
        case "n28_reinforced":
            most = NEUTRAL_ARMIES[rules.neutral_army] - len(state.territories_of(NEUTRAL))
            return sum(number % 2 == seat.seat % 2 for number in range(before + 1, min(after, most) + 1))
        case "n40_passive":
            return after // 2 - before // 2
        case "none":
            return 0


def deployment_findings(deployment: Deployment, state: State) -> Iterator[Finding]:
    """Yield what is wrong with placing the first armies (R-SETUP-08, R-2P-NO-06, R-2P-DA-04, R-2P-DA-05)."""
    due = due_now(state, deployment.player)
    for territory, why in why_not_place(deployment.armies, due, state, deployment.player):
        yield Finding(f"deploy.{territory}" if territory else "deploy", why)
    if state.rules.neutral_army == "none":
        if deployment.neutral is not None:
            yield Finding("neutral", refusal("no-neutral-army"))
        return
    total = neutral_due(state, deployment.player, due)
    place = deployment.neutral or ()
    for territory, _ in why_not_place(place, total, state, NEUTRAL):
        if territory:
            yield Finding(f"neutral.{territory}", refusal("not-neutral", territory=territory))
        else:
            placed = sum(number for _, number in place)
            yield Finding("neutral", refusal("wrong-neutral-total", placed=placed, total=total))


def deploy(course: Course, player: PlayerId, given: Deployment | None) -> None:
    """Put down the armies of one player and the neutral ones with them.

    As he says, or by P-14 and P-12 those of this round, all if his seat is lost.
    """
    state = course.state
    whole, due = state.players[player].to_place, due_now(state, player)
    if given is None and state.has_missed_enough(player):
        due = whole
    neutral = neutral_due(state, player, due)
    armies = given.armies if given else shared_placement(state, player, due)
    course.add(e.ArmiesDeployed(player, armies, "player" if given else "referee", whole - due))
    if neutral and given:
        course.add(e.ArmiesPlaced(NEUTRAL, given.neutral or (), "neutral", "player"))
    elif neutral:
        placed, by = neutral_plan(course.state, player, state.after(player), neutral)
        course.add(e.ArmiesPlaced(NEUTRAL, placed, "neutral", by))


def who_deploys(state: State, first: PlayerId) -> tuple[PlayerId, ...]:
    """Return who places next: all who have armies left, in seat order, or one, `first` or the next after him (Q-05)."""
    placing = tuple(p.id for p in state.players.values() if p.to_place and p.status == "playing")
    if state.settings.deployment == "together":
        return placing
    seats = tuple(state.players)
    place = seats.index(first)
    return tuple(player for player in seats[place:] + seats[:place] if player in placing)[:1]
