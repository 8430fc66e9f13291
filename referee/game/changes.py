"""What arrives beside the orders (DESIGN section 4): resignations, standing orders, substitutes, keys, votes.

It takes effect when the turn is over, but for a substitute for an awaited seat, who acts at once. In set-up and in a
turn alike; who may leave at all is the state's question (P-14).
"""

from collections.abc import Iterable
from typing import assert_never

from referee.game import events as e
from referee.game.orders import PlayerId
from referee.game.position import Change, DrawVote, KeyChange, NewStanding, Resignation, Substitution
from referee.game.state import State, apply, record_standing


def at_once(substituted: Iterable[PlayerId], state: State) -> tuple[list[e.Event], State]:
    """Return the events of substitutes for awaited seats, which come before everything else, and the state after."""
    done: list[e.Event] = [e.SeatSubstituted(player) for player in substituted if player in state.acting]
    for event in done:
        state = apply(state, event)
    return done, state


def carry_out(changes: Iterable[Change], state: State) -> tuple[list[e.Event], State]:
    """Return the events of all changes, in the order given, and the state after them.

    Whoever has left already, or is the only one who still plays, leaves no more. When all is done the game is drawn if
    everybody who still plays has agreed.
    """
    done: list[e.Event] = []
    agreed: set[PlayerId] = set()
    for change in changes:
        match change:
            case Resignation(player):
                if state.can_leave(player):
                    done.append(e.PlayerResigned(player, state.hands[player]))
                    state = apply(state, done[-1])
            case NewStanding(standing, note):
                done.append(e.StandingRecorded(standing.player, standing.sequence, note))
                state = record_standing(apply(state, done[-1]), standing)
            case Substitution(player):
                if state.players[player].status == "playing":
                    done.append(e.SeatSubstituted(player))
                    state = apply(state, done[-1])
            case KeyChange(player, by):
                if state.players[player].status == "playing":
                    done.append(e.KeyChanged(player, by))
            case DrawVote(player):
                agreed.add(player)
            case _:
                assert_never(change)
    left = state.playing()
    if len(left) > 1 and agreed.issuperset(left):
        done.append(e.GameDrawn(left))
        state = apply(state, done[-1])
    return done, state
