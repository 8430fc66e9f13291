"""Placing the first armies: how many are due in a round, what is legal, and who places next.

Rules: R-SETUP-02, R-SETUP-08, R-SETUP-11, Q-05, P-01, P-14.
"""

from collections.abc import Iterator

from referee.game import events as e
from referee.game.absence import shared_placement
from referee.game.legality import Finding, why_not_place
from referee.game.orders import Deployment, PlayerId
from referee.game.state import Course, State


def due_now(state: State, player: str) -> int:
    """Return how many armies a player deploys in this round (`deployment_batch`, 0 for all)."""
    left = state.players[player].to_place  # type: ignore[index]
    batch = state.settings.deployment_batch
    return min(left, batch) if batch else left


def deployment_findings(deployment: Deployment, state: State) -> Iterator[Finding]:
    """Yield what is wrong with placing the first armies (R-SETUP-08)."""
    due = due_now(state, deployment.player)
    for territory, why in why_not_place(deployment.armies, due, state, deployment.player):
        yield Finding(f"deploy.{territory}" if territory else "deploy", why)


def deploy(course: Course, player: PlayerId, given: Deployment | None) -> None:
    """Put down the armies of one player: as he says, or by P-14 those of this round, all if his seat is lost."""
    state = course.state
    whole, due = state.players[player].to_place, due_now(state, player)
    if given is not None:
        course.add(e.ArmiesDeployed(player, given.armies, "player", whole - due))
        return
    if state.has_missed_enough(player):
        due = whole
    course.add(e.ArmiesDeployed(player, shared_placement(state, player, due), "referee", whole - due))


def who_deploys(state: State, first: PlayerId) -> tuple[PlayerId, ...]:
    """Return who places next: all who have armies left, in seat order, or one, `first` or the next after him (Q-05)."""
    placing = tuple(p.id for p in state.players.values() if p.to_place and p.status == "playing")
    if state.settings.deployment == "together":
        return placing
    seats = tuple(state.players)
    place = seats.index(first)
    return tuple(player for player in seats[place:] + seats[:place] if player in placing)[:1]
