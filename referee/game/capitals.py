"""Capitals and headquarters: choosing them, what the fall of one brings, and how many win.

A capital that is still secret is held by its owner, since it is laid open when it is taken from him; so who has won is
public at any time. Whether a territory is a secret capital is not asked here. Rules: R-CAP-NO-01 to R-CAP-NO-09,
R-HQ-DA-01 to R-HQ-DA-06, R-WIN-07, Q-30 to Q-33, P-09, P-20, C-NO-13, C-DA-07, C-DA-13.
"""

from collections.abc import Mapping

from referee.game import events as e
from referee.game.board import TerritoryId
from referee.game.legality import Finding, refusal
from referee.game.orders import CapitalChoice, PlayerId
from referee.game.rules import capitals_needed
from referee.game.state import Course, State


def capital_findings(choice: CapitalChoice, state: State) -> list[Finding]:
    """Return what is wrong with a choice: a capital is one of one's own territories (R-CAP-NO-02, R-HQ-DA-02)."""
    territory = choice.territory
    if not territory or state.owners[territory] == choice.player:
        return []
    return [Finding("capital", refusal("not-yours", territory=territory))]


def choose_capitals(course: Course, choices: Mapping[PlayerId, CapitalChoice]) -> None:
    """Make every player's choice, in seat order; for one who made none the referee chooses, open to all.

    A choice without a territory is one to which a player has committed himself, and which he opens in the next round.
    That is so for whoever has missed it, leaves or has left: their capitals are part of the aim, which goes by the
    players at the start.
    """
    for player in course.state.players:
        choice = choices.get(player)
        if course.state.capitals.get(player):
            continue
        if choice is None and not course.state.territories_of(player):
            continue
        if choice is None:
            course.add(e.CapitalRevealed(player, largest_stack(course.state, player), "referee"))
        elif course.state.rules.capitals == "secret_sweep" or not choice.territory:
            course.add(e.CapitalChosen(player))
        else:
            course.add(e.CapitalRevealed(player, choice.territory))


def largest_stack(state: State, player: PlayerId) -> TerritoryId:
    """Return the territory on which a player has most armies, the first of the board among equals."""
    return max(state.territories_of(player), key=lambda territory: state.armies[territory])


def capital_falls(course: Course, player: PlayerId, owner: PlayerId, territory: TerritoryId) -> None:
    """Carry out what follows when a capital has been taken from its original owner, after the move into it.

    With secret capitals he hands over his cards, and the rest of his land on that continent goes over with one army
    each (R-CAP-NO-04 to R-CAP-NO-06, Q-30, Q-31); of headquarters no such thing is known (R-HQ-DA-06).
    """
    course.add(e.CapitalTaken(player, owner, territory))
    state = course.state
    if state.rules.capitals != "secret_sweep":
        return
    if state.hands[owner]:
        course.add(e.CardsTakenOver(player, owner, state.hands[owner]))
    continent = state.board.continents[state.board.continent_of[territory]]
    land = [t for t in continent.territories if state.owners[t] == owner]
    course.add(*(e.TerritorySwept(player, t, owner, state.armies[t]) for t in land))


def capital_holders(state: State) -> dict[PlayerId, str]:
    """Return by player who holds his capital."""
    return {p: state.owners[TerritoryId(t)] if t else p for p, t in state.capitals.items()}


def needed_capitals(state: State) -> int:
    """Return how many capitals must be held to win, one's own included; of fewer than that, all there are."""
    return min(capitals_needed(state.rules, len(state.players)), len(state.capitals))


def capitals_winner(state: State) -> PlayerId | None:
    """Return who holds as many capitals as it takes, his own among them (R-WIN-07, R-CAP-NO-07, -08, R-HQ-DA-01, -04).

    There can be only one. Where victory is declared in one's own turn only, nobody else than the acting player is.
    """
    holders = capital_holders(state)
    needed, held = needed_capitals(state), list(holders.values())
    for player in state.acting if state.rules.win_timing == "own_turn" else state.playing():
        if holders.get(player) == player and held.count(player) >= needed:
            return player
    return None
