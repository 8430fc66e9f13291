"""From the invitation to the first orders: seats, colours, missions, the deal, the roll for who begins.

Chance comes in as two functions of a label (DESIGN section 5): `shuffle` and `pick`. Cards and missions are only named
here; their order is the host's secret. What follows, round by round, is in `rounds`. Rules: R-SETUP-01 to R-SETUP-06,
R-SETUP-14, R-MIS-05, R-MIS-06, Q-01 to Q-07, P-15.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from referee.game import events as e
from referee.game.board import Board
from referee.game.deploying import who_deploys
from referee.game.missions import missions_in_play
from referee.game.orders import NEUTRAL, PlayerId
from referee.game.rules import INITIAL_ARMIES, NEUTRAL_ARMIES, Rules, Settings
from referee.game.state import Course, State, apply

Shuffle = Callable[[str, Sequence[str]], tuple[str, ...]]
Pick = Callable[[str, int], int]
Wishes = Mapping[str, tuple[str, ...]]
"""By player: colours in order of preference."""

OwnColours = Callable[[State], Collection[PlayerId]]
"""From a state with the missions dealt to the players who have the one against their own colour."""

DIE = 6


def nobody(state: State) -> Collection[PlayerId]:
    """Say that nobody has the mission against his own colour: for games in which nothing hangs on it."""
    return ()


def colours_for(seats: Sequence[str], wishes: Wishes, board: Board) -> tuple[str, ...]:
    """Return a colour for each seat in turn: the first of his preferences that is free, else the first free one."""
    given: list[str] = []
    for player in seats:
        wanted = (*wishes.get(player, ()), *board.colours)
        given.append(next(colour for colour in wanted if colour not in given))
    return tuple(given)


def blank(board: Board, rules: Rules, settings: Settings, openly: bool = False) -> State:
    """Return the state before the first event: nobody sits at the table, and all land is free if it is claimed."""
    claimed = rules.territory_allocation == "claim"
    return State(
        board=board,
        rules=rules,
        settings=settings,
        players={},
        owners=dict.fromkeys(board.territories, "") if claimed else {},
        armies=dict.fromkeys(board.territories, 0) if claimed else {},
        hands={},
        phase="claim" if claimed else "deploy",
        openly=openly,
    )


def begin(
    board: Board,
    rules: Rules,
    settings: Settings,
    wishes: Wishes,
    fixed: Sequence[str],
    shuffle: Shuffle,
    pick: Pick,
    own_colours: OwnColours = nobody,
    openly: bool = False,
) -> tuple[list[e.Event], State]:
    """Seat the players (`fixed` seats or drawn), deal what the edition deals, and await claims or the first armies.

    Where nobody can keep a secret (`openly`) claims come one by one.
    """
    seats = tuple(fixed) or shuffle("seats", sorted(wishes))
    claimed = rules.territory_allocation == "claim"
    course = Course(blank(board, rules, settings, openly))
    course.add(e.SeatsAssigned(tuple(seats), colours_for(seats, wishes, board)))
    if rules.mission_deck != "none" and rules.mission_dealt == "before_territories":
        deal_missions(course, own_colours)
    if not claimed:
        course.add(_deal(course.state, shuffle))
    ring = tuple(course.state.players)
    if rules.setup_first == "highest_roll" and (claimed or settings.deployment == "in_turn"):
        place = ring.index(roll_for("claim", course, pick))
        ring = ring[place:] + ring[:place]
    acting = ring[: 1 if openly else None] if claimed else who_deploys(course.state, ring[0])
    return course.events, course.state._replace(acting=acting)


def roll_for(purpose: e.Purpose, course: Course, pick: Pick) -> PlayerId:
    """Roll one die each for who is first; those tied for the highest roll again (Q-03)."""
    still = course.state.playing()
    number = 0
    while len(still) > 1:
        number += 1
        rolls = tuple((player, pick(f"{purpose}/{number}/{player}", DIE) + 1) for player in still)
        most = max(die for _, die in rolls)
        still = tuple(PlayerId(player) for player, die in rolls if die == most)
        course.add(e.StartRolled(purpose, number, rolls, still))
    return still[0]


def _deal(state: State, shuffle: Shuffle) -> e.TerritoriesDealt:
    """Deal round from the first seat (R-SETUP-03, Q-04); with a neutral army it is the third (R-2P-NO-05)."""
    ring = tuple(state.players)
    if state.rules.neutral_army != "none":
        ring = (*ring, NEUTRAL)
    land = shuffle("deal", sorted(state.board.territories))
    dealt = tuple((t, ring[place % len(ring)]) for place, t in enumerate(land))
    number = INITIAL_ARMIES[len(state.players)]
    armies = {player: NEUTRAL_ARMIES[state.rules.neutral_army] if player == NEUTRAL else number for player in ring}
    return e.TerritoriesDealt(dealt, tuple(armies.items()))


def deal_missions(course: Course, own_colours: OwnColours) -> None:
    """Deal one mission to each from the first seat; those of colours not in play are out (R-MIS-05, R-MIS-06).

    With `redraw` whoever has the one against his own colour gets the next that is not dealt yet, in the order of seats
    (Q-07). The event says which positions are held, and nothing of what they hide.
    """
    state = course.state
    pack = missions_in_play(state.board, [player.colour for player in state.players.values()])
    dealt = {player: _mission(place) for place, player in enumerate(state.players)}
    if state.rules.own_colour_mission == "redraw":
        again = own_colours(apply(state, e.MissionsDealt(pack, tuple(dealt.items()))))
        drawing = [player for player in dealt if player in again][: len(pack) - len(dealt)]
        dealt |= {player: _mission(len(dealt) + number) for number, player in enumerate(drawing)}
    course.add(e.MissionsDealt(pack, tuple(dealt.items())))


def drawn_again(event: e.MissionsDealt) -> tuple[str, ...]:
    """Return the players who hold another position than the one dealt to their seats."""
    return tuple(player for place, (player, name) in enumerate(event.dealt) if name != _mission(place))


def _mission(place: int) -> str:
    return f"missions/1/{place}"
