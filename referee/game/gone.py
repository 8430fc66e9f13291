"""A hosted game goes on without its host, who is gone for good: what was hidden lies open, as far as it can be.

All who play open their hands, missions and secret capitals; the cards that are in no hand and were never open are the
pile, as a set, since nobody knows their order any more. What nobody is there to open is lost: the mission of one who
plays no more, and his secret capital, which is none from then on. Loaded only where that happens.
"""

from collections.abc import Mapping, Sequence

from referee.game import events as e
from referee.game.ending import round_of_next
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple
from referee.game.state import Course, State
from referee.game.victory import has_fulfilled, mission_candidates, open_victory


class Opened(NamedTuple):
    """What a player lays open: the ids of his cards by the names they were held under, his mission, his capital.

    `mission` is its id, `capital` a territory; each is empty if there is none, or if it was open already.
    """

    cards: Mapping[str, str] = {}
    mission: str = ""
    capital: str = ""


def hidden_cards(state: State, player: PlayerId) -> tuple[str, ...]:
    """Return the names of the cards in a hand that are not open, in its order."""
    return tuple(name for name in state.hands[player] if name not in state.board.cards)


def without_host(state: State, host: str, opened: Mapping[PlayerId, Opened]) -> tuple[list[e.Event], State]:
    """Return the events by which a game goes on without its host, and the state after them.

    `opened` has everybody who plays and is left, in the order of the seats; a host who plays is gone from his seat.
    """
    course = Course(state)
    gone = [player for player in state.playing() if player not in opened]
    course.add(*(e.SeatRemoved(player, state.hands[player]) for player in gone), e.HostGone(host))
    for player, one in opened.items():
        if hidden_cards(state, player):
            cards = [(name, one.cards.get(name, name)) for name in state.hands[player]]
            course.add(e.HandOpened(player, tuple(cards)))
        if one.mission:
            course.add(e.MissionOpened(player, state.missions[player], one.mission))
        if one.capital:
            course.add(e.CapitalRevealed(player, one.capital))
    if not state.openly:
        course.add(_pile(course.state))
    if not course.state.acting:
        awaited = state.acting[0]
        coming = state.after(awaited)
        course.add(e.TurnBegan(coming, round_of_next(state, awaited)))
        course.add(*_victory(course.state, coming))
    return course.events, course.state


def _victory(state: State, coming: PlayerId) -> list[e.Event]:
    """Return that somebody has won as a turn begins, if so (P-11); missions lie open by now."""
    for player in mission_candidates(state, coming):
        mission = state.missions[player]
        if has_fulfilled(state, player, mission):
            return [e.MissionCompleted(player, mission, mission), e.GameWon((player,), "mission")]
    win = open_victory(state)
    return [e.GameWon(win.winners, win.how)] if win else []


def _pile(state: State) -> e.PileLaidOpen:
    """Return what is in no hand and was never open, as a set."""
    held = [*state.discards, *state.capitals.values()]
    for hand in state.hands.values():
        held += hand
    return e.PileLaidOpen(tuple(sorted(set(state.board.cards).difference(held))))


def laid_aside(state: State) -> State:
    """Return a state in which nobody keeps a secret any more, and hands are still to be opened."""
    if state.openly:
        return state
    known: Sequence[str] = [name for name in (*state.pile, *state.discards) if name in state.board.cards]
    playing = state.playing()
    return state._replace(
        openly=True,
        pile=(),
        discards=tuple(known),
        shuffled=(),
        missions={},
        pack=(),
        opened={},
        capitals={p: territory for p, territory in state.capitals.items() if territory or p in playing},
    )
