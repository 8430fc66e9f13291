"""From the invitation to the first turn: seats, colours, the deal, missions, first armies, the start roll.

Chance comes in as two functions of a label (DESIGN section 5): `shuffle` and `pick`. Cards and missions are only named
here; their order is the host's secret. Rules: R-SETUP-01 to R-SETUP-14, Q-01 to Q-06, P-01, P-15.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from referee.game import events as e
from referee.game.absence import shared_placement
from referee.game.board import Board
from referee.game.changes import carry_out
from referee.game.legality import due_now
from referee.game.missions import missions_in_play
from referee.game.orders import NEUTRAL, Deployment, PlayerId
from referee.game.position import Change
from referee.game.rules import INITIAL_ARMIES, Rules, Settings
from referee.game.state import State, apply
from referee.game.victory import open_victory

Shuffle = Callable[[str, Sequence[str]], tuple[str, ...]]
Pick = Callable[[str, int], int]
Wishes = Mapping[str, tuple[str, ...]]
"""By player: colours in order of preference."""

DIE = 6


def colours_for(seats: Sequence[str], wishes: Wishes, board: Board) -> tuple[str, ...]:
    """Return a colour for each seat in turn: the first of his preferences that is free, else the first free one."""
    given: list[str] = []
    for player in seats:
        wanted = (*wishes.get(player, ()), *board.colours)
        given.append(next(colour for colour in wanted if colour not in given))
    return tuple(given)


def begin(
    board: Board,
    rules: Rules,
    settings: Settings,
    wishes: Wishes,
    fixed: Sequence[str],
    shuffle: Shuffle,
) -> tuple[list[e.Event], State]:
    """Seat the players (`fixed` seats or drawn), deal what the edition deals, and await the first armies."""
    seats = tuple(fixed) or shuffle("seats", sorted(wishes))
    blank = State(
        board=board,
        rules=rules,
        settings=settings,
        players={},
        owners={},
        armies={},
        hands={},
        phase="deploy",
    )
    happened: list[e.Event] = [e.SeatsAssigned(tuple(seats), colours_for(seats, wishes, board))]
    state = apply(blank, happened[0])
    if rules.mission_deck != "none" and rules.mission_dealt == "before_territories":
        happened.append(_missions(state))
    happened.append(_deal(state, shuffle))
    for event in happened[1:]:
        state = apply(state, event)
    return happened, state._replace(acting=_still_placing(state))


def _still_placing(state: State) -> tuple[PlayerId, ...]:
    return tuple(p.id for p in state.players.values() if p.to_place and p.status == "playing")


def _deal(state: State, shuffle: Shuffle) -> e.TerritoriesDealt:
    """Deal round from the first seat (R-SETUP-03, Q-04); with a neutral army it is the third (R-2P-NO-05)."""
    ring = tuple(state.players)
    if state.rules.neutral_army != "none":
        ring = (*ring, NEUTRAL)
    land = shuffle("deal", sorted(state.board.territories))
    dealt = tuple((t, ring[place % len(ring)]) for place, t in enumerate(land))
    number = INITIAL_ARMIES[len(state.players)]
    return e.TerritoriesDealt(dealt, tuple((player, number) for player in state.players))


def _missions(state: State) -> e.MissionsDealt:
    """Deal one mission to each from the first seat; those of colours not in play are out (R-MIS-05, R-MIS-06)."""
    colours = [player.colour for player in state.players.values()]
    pack = missions_in_play(state.board, colours)
    dealt = tuple((player, f"missions/1/{place}") for place, player in enumerate(state.players))
    return e.MissionsDealt(tuple(pack), dealt)


def deploy(
    state: State,
    deployments: Sequence[Deployment],
    missed: Sequence[PlayerId],
    changes: Sequence[Change],
    pick: Pick,
) -> tuple[list[e.Event], State]:
    """Put down the first armies of all (or of one round of them) and, when none are left, begin the first turn.

    `missed` are players whose armies the referee places by P-14, all of them if the seat is lost; with the setting
    to wait nobody's are placed, and all are awaited again. Whoever leaves places nothing. `pick` is asked only if the
    first turn is rolled for.
    """
    happened: list[e.Event] = []
    waiting = waits_for(state, missed)

    def fold(event: e.Event) -> None:
        nonlocal state
        happened.append(event)
        state = apply(state, event)

    by_player = {deployment.player: deployment for deployment in deployments}
    policy: Literal["wait", "default"] = "wait" if state.settings.missed == "wait" else "default"
    for player in state.acting:
        if player in missed:
            fold(e.TurnMissed(player, policy, state.players[player].missed + 1))
            if policy == "default":
                _place_for(state, player, fold)
        elif player in by_player and not waiting:
            _deploy_one(state, by_player[player], fold)
    for player in state.acting:
        if player in missed and state.has_missed_enough(player) and state.can_leave(player):
            fold(e.SeatRemoved(player, state.hands[player]))
    done, state = carry_out(changes, state)
    happened += done
    win = open_victory(state)
    if win:
        fold(e.GameWon(win.winners, win.how))
        return happened, state
    state = state._replace(acting=_still_placing(state))
    if not state.acting:
        _begin_play(lambda: state, fold, pick)
    return happened, state


def _deploy_one(state: State, given: Deployment, fold: Callable[[e.Event], None]) -> None:
    if given.note:
        fold(e.NoteGiven(given.player, given.note))
    left = state.players[given.player].to_place - due_now(state, given.player)
    fold(e.ArmiesDeployed(given.player, given.armies, "player", left))


def _place_for(state: State, player: PlayerId, fold: Callable[[e.Event], None]) -> None:
    """Place an absent player's armies: those of this round, or all if no round follows for the seat."""
    whole = state.players[player].to_place
    due = whole if state.has_missed_enough(player) else due_now(state, player)
    fold(e.ArmiesDeployed(player, shared_placement(state, player, due), "referee", whole - due))


def waits_for(state: State, missed: Sequence[PlayerId]) -> bool:
    """Say whether nothing is placed because orders have not come: the setting is `wait`, and the seat is not lost."""
    if state.settings.missed != "wait":
        return False
    return any(not state.has_missed_enough(player, 1) for player in missed)


def ends_set_up(state: State, missed: Collection[PlayerId] = (), leaving: Collection[PlayerId] = ()) -> bool:
    """Say whether the next deployment is the last: what stays after this round is nothing for anybody who stays."""
    gone = {*leaving, *(player for player in missed if state.has_missed_enough(player, 1))}
    return all(p.to_place == due_now(state, p.id) for p in state.players.values() if p.id not in gone)


def rolls_for_first(rules: Rules) -> bool:
    """Say whether dice decide who has the first turn, after all armies are placed (R-SETUP-12)."""
    return rules.first_turn == "highest_roll"


def _begin_play(now: Callable[[], State], fold: Callable[[e.Event], None], pick: Pick) -> None:
    state = now()
    first = state.playing()[0]
    if rolls_for_first(state.rules):
        first = _roll_for_first(state, fold, pick)
    if state.rules.mission_deck != "none" and state.rules.mission_dealt == "after_placement":
        fold(_missions(now()))
    fold(e.DeckShuffled(1, len(state.board.cards)))
    fold(e.TurnBegan(first, 1))


def _roll_for_first(state: State, fold: Callable[[e.Event], None], pick: Pick) -> PlayerId:
    """Roll one die each; those tied for the highest roll again (Q-03)."""
    still = state.playing()
    number = 0
    while len(still) > 1:
        number += 1
        rolls = tuple((player, pick(f"first/{number}/{player}", DIE) + 1) for player in still)
        most = max(die for _, die in rolls)
        still = tuple(PlayerId(player) for player, die in rolls if die == most)
        fold(e.StartRolled("first", number, rolls, still))
    return still[0]
