"""Who has won: what everybody can see, and whose mission has to be looked at.

Rules: R-WIN-01 to R-WIN-07, Q-08 to Q-10, P-11, P-14. Missions are hidden, so here it is only said who could have
won by one; the answer comes from whoever knows the card.
"""

from typing import Literal

from referee.game.missions import is_fulfilled
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple
from referee.game.state import State


class Win(NamedTuple):
    """A victory that everybody can see."""

    winners: tuple[PlayerId, ...]
    how: Literal["elimination", "capitals", "last"]


def open_victory(state: State) -> Win | None:
    """Return the victory of who holds the capitals it takes, or of the only player who is neither out nor passive.

    The latter is `elimination` where that is the aim and no opponent has an army left, else `last` (Q-10, P-14).
    """
    if state.rules.victory == "capitals":
        from referee.game.capitals import capitals_winner

        winner = capitals_winner(state)
        if winner:
            return Win((winner,), "capitals")
    left = state.playing()
    if len(left) != 1:
        return None
    others = [p for p in state.players.values() if p.id != left[0]]
    if state.rules.victory == "elimination" and all(p.status == "out" for p in others):
        return Win(left, "elimination")
    return Win(left, "last")


def mission_candidates(state: State, acting: PlayerId) -> tuple[PlayerId, ...]:
    """Return whose missions to look at now, in the order in which they win (Q-09, Q-10).

    In one's own turn only, or the acting player and then the others in turn order.
    """
    if state.rules.victory != "mission":
        return ()
    if state.rules.win_timing == "own_turn":
        ring: tuple[PlayerId, ...] = (acting,)
    else:
        seats = tuple(state.players)
        place = seats.index(acting)
        ring = seats[place:] + seats[:place]
    return tuple(p for p in ring if state.players[p].status == "playing" and p in state.missions)


def has_fulfilled(state: State, player: PlayerId, mission: str) -> bool:
    """Say whether a player with this mission has fulfilled it (R-MIS-02, Q-07, Q-08)."""
    card = state.board.missions[mission]  # type: ignore[index]
    colours: dict[PlayerId, str] = {}
    out: dict[PlayerId, str] = {}
    if card.kind == "eliminate_colour":
        colours = {p.id: p.colour for p in state.players.values()}
        out = {p.id: p.out_by for p in state.players.values() if p.status == "out"}
    return is_fulfilled(card, state.board, player, state.owners, state.armies, colours, out, state.rules)
