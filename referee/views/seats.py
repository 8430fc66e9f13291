"""Who has sat at which seat, and with which keys: what a game file says of it to whoever verifies."""

from referee.documents.gamefile import Game
from referee.game.events import Decider, KeyChanged, SeatSubstituted

_WHO: dict[Decider, str] = {
    "player": "the former one says so",
    "host": "the host says so",
    "table": "all others say so",
}


def seat_changes(game: Game) -> list[str]:
    """Return what has happened to seats in the turn of which a game file tells."""
    found = []
    before = 0
    for number, event in enumerate(game.events):
        if isinstance(event, SeatSubstituted):
            at_once = number == before
            before += at_once
            found.append(f"somebody else takes the seat of {event.player} from turn {game.turn - at_once} on")
        elif isinstance(event, KeyChanged):
            found.append(f"{event.player} has another key from turn {game.turn} on ({_WHO[event.by]})")
    return found
