"""The set-up after the start, round by round: claims, first armies, capitals, and then the first turn begins.

A round takes the orders of all who are awaited. Phases follow in the order of `state.SET_UP`; a game has those that its
rules ask for. Rules: R-SETUP-07, R-SETUP-08, R-SETUP-11, R-SETUP-12, R-SETUP-14, R-CAP-NO-02, R-HQ-DA-02, Q-03, Q-05,
P-01, P-02, P-14, P-15.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from referee.game import events as e
from referee.game.capitals import capital_findings, choose_capitals
from referee.game.changes import carry_out
from referee.game.claiming import claim, claiming_order, who_claims
from referee.game.deploying import deploy, deployment_findings, due_now, who_deploys
from referee.game.legality import Finding
from referee.game.orders import CapitalChoice, Claim, Deployment, PlayerId, SetUpOrders
from referee.game.position import Change
from referee.game.rules import Rules
from referee.game.setup import OwnColours, Pick, deal_missions, nobody, roll_for
from referee.game.state import SET_UP, Course, State
from referee.game.victory import open_victory


def set_up_findings(orders: SetUpOrders, state: State) -> list[Finding]:
    """Return everything that is wrong with a player's orders of the set-up."""
    match orders:
        case Claim():
            return []  # any ranking will do
        case Deployment():
            return list(deployment_findings(orders, state))
        case CapitalChoice():
            return capital_findings(orders, state)


def set_up(
    state: State,
    given: Sequence[SetUpOrders],
    missed: Sequence[PlayerId],
    changes: Sequence[Change],
    pick: Pick,
    own_colours: OwnColours = nobody,
) -> tuple[list[e.Event], State]:
    """Carry out one round of the set-up and, when nothing is left to do in it, begin the first turn.

    `missed` are players for whom the referee acts by P-14, all the way if the seat is lost; with the setting to wait
    nobody's orders are carried out, and all are awaited again. Whoever leaves does nothing, but gets territories as one
    without a list does: what he gets stays on the board. `pick` is asked only if the first turn is rolled for,
    `own_colours` only if missions are dealt now and may be drawn again.
    """
    course = Course(state)
    orders = {one.player: one for one in given}
    waiting = waits_for(state, missed)
    policy: Literal["wait", "default"] = "wait" if state.settings.missed == "wait" else "default"
    acts = tuple(p for p in state.acting if not waiting and (p in orders or (p in missed and policy == "default")))
    for player in state.acting:
        if player in missed:
            course.add(e.TurnMissed(player, policy, state.players[player].missed + 1))
        elif player in acts and orders[player].note:
            course.add(e.NoteGiven(player, orders[player].note))
        if player in acts:
            _one(course, player, orders.get(player))
    if state.phase == "claim" and not waiting:
        _claims(course, orders)
    elif state.phase == "capital" and not waiting:
        choose_capitals(course, {p: one for p, one in orders.items() if isinstance(one, CapitalChoice)})
    _remove(course, [player for player in state.acting if player in missed])
    done, course.state = carry_out(changes, course.state)
    course.events += done
    if course.state.phase == "over":
        return course.events, course.state
    if course.state.claims and not who_claims(course.state):
        _claims_one_by_one(course)
    win = open_victory(course.state)
    if win:
        course.add(e.GameWon(win.winners, win.how))
    elif not waiting:
        first = claiming_order(state)[0] if state.phase == "claim" else state.after(state.acting[0])
        _go_on(course, first, pick, own_colours)
    return course.events, course.state


def _one(course: Course, player: PlayerId, given: SetUpOrders | None) -> None:
    """Carry out what one player orders, or what is done for him; claims and capitals are carried out together."""
    if course.state.phase == "deploy":
        assert given is None or isinstance(given, Deployment)
        deploy(course, player, given)


def _claims(course: Course, orders: Mapping[PlayerId, SetUpOrders]) -> None:
    """Take in rankings: those of all are carried out at once; where they come one by one they are kept."""
    rankings = {player: one for player, one in orders.items() if isinstance(one, Claim)}
    if not course.state.openly:
        claim(course, claiming_order(course.state), rankings)
        return
    for player in course.state.acting:
        course.add(e.RankingGiven(player, rankings[player].ranking if player in rankings else ()))


def _claims_one_by_one(course: Course) -> None:
    """Carry out the rankings that came one by one, now that the last is there."""
    state = course.state
    claim(course, claiming_order(state), {p: Claim(p, ranking) for p, ranking in state.claims.items()})
    _remove(course, [player for player in state.playing() if state.has_missed_enough(player)])


def _remove(course: Course, missed: Sequence[PlayerId]) -> None:
    """Take out the seats that are lost by the count (P-14), but none before all territories are claimed.

    After the claims all armies of such a seat are placed first, unless the setting is to wait.
    """
    lost = [player for player in missed if course.state.has_missed_enough(player)]
    if course.state.claims:
        return
    for player in lost if course.state.phase == "claim" and course.state.settings.missed != "wait" else ():
        deploy(course, player, None)
    for player in lost:
        if course.state.can_leave(player):
            course.add(e.SeatRemoved(player, course.state.hands[player]))


def _go_on(course: Course, first: PlayerId, pick: Pick, own_colours: OwnColours) -> None:
    """Await the next round of this phase or of the next one that has anything to do, else begin the first turn."""
    for phase in SET_UP[SET_UP.index(course.state.phase) :]:
        acting = _awaited(course.state, phase, first)
        if acting:
            course.state = course.state._replace(phase=phase, acting=acting)
            return
    _begin_play(course, pick, own_colours)


def _awaited(state: State, phase: str, first: PlayerId) -> tuple[PlayerId, ...]:
    if phase == "claim":
        return who_claims(state)
    if phase == "deploy":
        return who_deploys(state, first)
    if phase == "capital" and state.rules.capitals != "none" and (state.openly or not state.capitals):
        return tuple(player for player in state.playing() if not state.capitals.get(player))
    return ()


def waits_for(state: State, missed: Sequence[PlayerId]) -> bool:
    """Say whether nothing is done because orders have not come: the setting is `wait`, and the seat is not lost."""
    if state.settings.missed != "wait":
        return False
    return any(not state.has_missed_enough(player, 1) for player in missed)


def ends_set_up(state: State, missed: Collection[PlayerId] = (), leaving: Collection[PlayerId] = ()) -> bool:
    """Say whether this round is the last: nothing stays to be done for anybody who stays."""
    if state.phase != "deploy" or state.rules.capitals != "none":
        return state.phase == "capital"
    gone = {*leaving, *(player for player in missed if state.has_missed_enough(player, 1))}
    placed = {player: due_now(state, player) for player in state.acting}
    return all(p.to_place == placed.get(p.id, 0) for p in state.players.values() if p.id not in gone)


def rolls_for_first(rules: Rules) -> bool:
    """Say whether dice decide who has the first turn, after all armies are placed (R-SETUP-12)."""
    return rules.first_turn == "highest_roll"


def _begin_play(course: Course, pick: Pick, own_colours: OwnColours) -> None:
    state = course.state
    first = state.playing()[0]
    if rolls_for_first(state.rules):
        first = roll_for("first", course, pick)
    if state.rules.mission_deck != "none" and state.rules.mission_dealt == "after_placement":
        deal_missions(course, own_colours)
    if state.openly:
        course.add(e.PileLaidOpen(tuple(sorted(set(state.board.cards).difference(state.capitals.values())))))
    else:
        course.add(e.DeckShuffled(1, state.deck_size))
    course.add(e.TurnBegan(first, 1))
