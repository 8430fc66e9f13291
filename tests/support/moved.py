"""Seats, cards and missions moved about in the game fjord, which the page follows through the events.

Each change is signed anew by the host, as in `tampered`.
"""

from collections.abc import Iterator

from support.browser import Files
from support.tampered import Tree, changed, game_file


def hands_exchanged(content: Tree) -> None:
    hands = content["hands"]
    hands["ola"], hands["per"] = hands["per"], hands["ola"]


def other_pile(content: Tree) -> None:
    content["deck"]["pile"].reverse()


def missions_exchanged(content: Tree) -> None:
    held = content["missions"]["held"]
    held["ola"], held["per"] = held["per"], held["ola"]


def places_exchanged(content: Tree) -> None:
    players = content["players"]
    players["ola"]["seat"], players["per"]["seat"] = players["per"]["seat"], players["ola"]["seat"]


def called_out(content: Tree) -> None:
    content["players"]["per"]["status"] = "passive"


def other_awaited(content: Tree) -> None:
    content["acting"] = [one for one in content["players"] if one not in content["acting"]][:1]


def called_over(content: Tree) -> None:
    content |= {"phase": "over", "acting": [], "result": {"how": "draw", "winners": ["kari"]}}


def other_colour(content: Tree) -> None:
    players = content["players"]
    players["ola"]["colour"], players["per"]["colour"] = players["per"]["colour"], players["ola"]["colour"]


def rows() -> Iterator[tuple[str, tuple[str, bytes], set[str]]]:
    """Yield a title, a file with a change, and what is wrong then."""
    yield "hands exchanged", changed(13, hands_exchanged), {"cards"}
    yield "a card brought up in the pile", changed(13, other_pile), {"cards"}
    yield "missions exchanged", changed(13, missions_exchanged), {"cards"}
    yield "places exchanged", changed(13, places_exchanged), {"seats"}
    yield "somebody called out", changed(13, called_out), {"seats", "boxes"}
    yield "another is awaited", changed(13, other_awaited), {"seats"}
    yield "the game called over", changed(13, called_over), {"seats", "boxes"}
    yield "a colour exchanged", changed(1, other_colour), {"seats"}


def wrong() -> dict[str, tuple[Files, set[str]]]:
    """Return files in which something is wrong by title, and what."""
    return {
        title: ([game_file(12), file] if file[0] != "fjord-0001.toml" else [file], found)
        for title, file, found in rows()
    }
