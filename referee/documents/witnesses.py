"""Who reveals beside a host: against one who plays, and where the game has witnesses (DESIGN section 5, "Who rolls").

In the turns of his own seat a host who plays must not be the only one to reveal, whoever sits there by now; with the
setting `witness` he is never the only one, if somebody else is there. It is the next living player after the awaited
one, who is not the host. Who does not reveal is passed over by an act of the host that names the orders: then it is the
next one, and who was passed over misses his next turn. Nobody is left to pass over the last.

With witnesses the roll for the first turn after placing takes the reveals of all. Loaded only in games that need it.
"""

from collections.abc import Collection

from referee.documents.gamefile import Game
from referee.errors import IllegalOrders, Problem
from referee.game.absence import who_stands_beside
from referee.game.orders import PlayerId
from referee.game.state import SET_UP


def is_watched(game: Game) -> bool:
    """Say whether the host must not be the only one to reveal for the orders that a game waits for."""
    state = game.state
    if game.host is None or not state.acting:
        return False
    if state.phase in SET_UP:
        return state.settings.witness and not game.host_seat
    return bool(_in_turn(game)) and (state.settings.witness or state.acting[0] == game.host_seat)


def _in_turn(game: Game) -> tuple[PlayerId, ...]:
    """Return who may reveal beside the host for the turn that is awaited, in their order."""
    return who_stands_beside(game.state, game.state.acting[0], game.host_seat)


def who_may_reveal(game: Game, missed: Collection[str] = ()) -> tuple[PlayerId, ...]:
    """Return who may reveal beside the host, in their order, in a game that `is_watched`."""
    if game.state.phase in SET_UP:
        return tuple(player for player in game.state.playing() if player not in missed)
    return _in_turn(game)


def who_reveals(game: Game, missed: Collection[str] = (), passed_over: Collection[str] = ()) -> tuple[PlayerId, ...]:
    """Return who must reveal beside the host in a game that `is_watched`.

    IllegalOrders if all are passed over, or one who was not asked for a reveal, since his orders were called missed.
    """
    if game.state.phase in SET_UP and not set(missed).isdisjoint(passed_over):
        player = next(player for player in passed_over if player in missed)
        message = f'"{player}" is not passed over, but called missed, and was to reveal nothing'
        raise IllegalOrders(Problem("not-the-roller", message, "act"))
    left = tuple(player for player in who_may_reveal(game, missed) if player not in passed_over)
    if passed_over and not left:
        raise IllegalOrders(Problem("nobody-rolls", "everybody who could reveal is passed over"))
    return left if game.state.phase in SET_UP else left[:1]
