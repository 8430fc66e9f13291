"""Missions that were opened when the host of a game was gone for good, to check the turns before by them.

While a mission was hidden nobody could check that it was not fulfilled. The players who still played open theirs in the
file in which the host is gone; so it can be looked up before the game is gone through from its beginning. Nothing is
believed here: an opening counts only where it fits the commitment in the file that is checked (`openings`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.documents.boards import board_by_name
from referee.documents.gamefile import Opening, open_game
from referee.documents.openings import are_rows

if TYPE_CHECKING:
    from referee.documents.verify import Entry, Load


def missions_opened_in(entries: Sequence["Entry"], load: "Load") -> Mapping[str, Opening]:
    """Return the missions, by name, that a row of game files opens if its last one says that the host is gone."""
    last = entries[-1]
    data = load(last.file)
    if b"gone" not in data and b"\\u" not in data:
        return {}
    gone = open_game(data, board_by_name, last.file).game.gone
    made = next((entry for entry in entries if gone is not None and entry.turn == gone.since + 1), None)
    if made is None:
        return {}
    return missions_opened_by(open_game(load(made.file), board_by_name, made.file).game.evidence.documents)


def missions_opened_by(documents: Iterable[Any]) -> Mapping[str, Opening]:
    """Return the missions, by name, that documents open because the host is gone."""
    hands = [one for one in documents if isinstance(one, dict) and one.get("act") == "open_hand"]
    rows = [row for hand in hands if are_rows(hand.get("openings"), 3) for row in hand["openings"]]
    return {name: Opening(name, id, salt) for name, id, salt in rows if name.startswith("missions/")}
