"""The end of a turn: card, final move, what arrived beside the orders, the next player, and who has won.

Rules: R-ATT-18, R-ATT-19, R-FORT-01 to R-FORT-05, R-WIN-01 to R-WIN-05, Q-09, Q-10, Q-16 to Q-18, P-11, P-14.
"""

from referee.game import events as e
from referee.game.changes import carry_out
from referee.game.legality import why_not_fortify
from referee.game.orders import Fortify, PlayerId
from referee.game.position import (
    Ask,
    Done,
    DrawFrom,
    Happened,
    MissionOf,
    NewPile,
    Position,
    Step,
    check_missions,
    failed_condition,
    on,
    then_check,
)
from referee.game.state import State, apply
from referee.game.victory import open_victory


def card(position: Position) -> Step:
    """Draw one card if a territory was taken (R-ATT-18, R-ATT-19, Q-16)."""
    state, player = position.state, position.orders.player
    if not position.taken:
        return on(position, stage="fortify", entry=0)
    if state.openly:
        return _by_lot(position)
    if state.pile:
        return on(position, e.CardDrawn(player, state.pile[0]), stage="fortify", entry=0)
    if state.discards:
        return Ask(NewPile(state.shuffles + 1, state.discards))
    return on(position, e.CardMissing(player), stage="fortify", entry=0)


def _by_lot(position: Position) -> Step:
    """Draw among the cards that nobody has drawn yet; then among the discards, or the one traded first (Q-16)."""
    state = position.state
    if state.pile:
        return Ask(DrawFrom(state.pile))
    if state.discards and state.rules.used_cards == "discard_pile":
        return on(position, e.PileLaidOpen(tuple(sorted(state.discards))))
    return drawn(position, state.discards[0] if state.discards else None)


def drawn(position: Position, card: str | None) -> Happened:
    """Give the player the card that he has drawn, if there was one."""
    player = position.orders.player
    event = e.CardDrawn(player, card) if card else e.CardMissing(player)
    return on(position, event, stage="fortify", entry=0)


def fortify(position: Position) -> Step:
    """Carry out the first alternative that is possible (R-FORT-01 to R-FORT-03)."""
    state, orders = position.state, position.orders
    if position.entry == len(orders.fortifies):
        return then_check(position, "changes")
    entry = orders.fortifies[position.entry]
    number = position.entry + 1
    failed = failed_condition(position, entry.guard)
    why = why_not_fortify(state, orders.player, entry.source, entry.target)
    armies = _amount(entry, state.armies[entry.source])
    if not failed.number and not why and armies:
        moved = e.ArmiesFortified(orders.player, number, entry.source, entry.target, armies)
        return then_check(position, "changes", moved)
    reason = "condition" if failed.number else why.code if why else "too-few-armies"
    skipped = e.FortifySkipped(number, entry.source, entry.target, reason, *failed)
    return on(position, skipped, entry=number)


def _amount(entry: Fortify, here: int) -> int:
    """Return how many armies the move takes: at least one stays."""
    match entry.armies.kind:
        case "exactly":
            return min(entry.armies.number, here - 1)
        case "keep":
            return max(0, here - entry.armies.number)
        case _:
            return here - 1


def changes(position: Position) -> Step:
    """Carry out what arrived beside the orders (DESIGN section 4, "When documents take effect").

    What concerns the awaited seat acts at once: her own resignation, or the seat taken out by the count, comes first.
    """
    state, player, absence = position.state, position.orders.player, position.orders.absence
    at_once: list[e.Event] = []
    if absence is not None and state.can_leave(player):
        if absence.policy == "resigned":
            at_once.append(e.PlayerResigned(player, state.hands[player]))
        elif state.has_missed_enough(player):
            at_once.append(e.SeatRemoved(player, state.hands[player]))
    for event in at_once:
        state = apply(state, event)
    done, state = carry_out(position.changes, state)
    after = position._replace(state=state, stage="next")
    if state.phase == "over":
        after = after._replace(stage="done")
    elif absence is not None and absence.policy == "wait" and state.players[player].status == "playing":
        after = after._replace(stage="victory", checks=(), then="done")
    return Happened((*at_once, *done), after)


def next_turn(position: Position) -> Step:
    """Hand the turn on, and see whether the next player has won already (P-11)."""
    state, player = position.state, position.orders.player
    ended = e.TurnEnded(player)
    win = open_victory(state)
    if win:
        return on(position, ended, e.GameWon(win.winners, win.how), stage="done")
    coming = state.after(player)
    began = e.TurnBegan(coming, round_of_next(state, player))
    return check_missions(on(position, ended, began), coming, "done")


def round_of_next(state: State, player: PlayerId) -> int:
    """Return the round of the turn that follows that of a player."""
    return state.round + (_lap(state, state.after(player)) <= _lap(state, player))


def _lap(state: State, player: PlayerId) -> int:
    """Return a player's place in the round, counted from the seat that had the first turn."""
    return (state.players[player].seat - state.first) % len(state.players)


def victory(position: Position) -> Step:
    """Look for a victory that all can see, then at the missions, one after the other.

    Who is the last one left has won anyway, so a mission that is fulfilled comes first: it is the aim, and it is shown
    (R-WIN-01, R-WIN-04, R-WIN-10).
    """
    win = open_victory(position.state)
    if win and (win.how != "last" or not position.checks):
        return on(position, e.GameWon(win.winners, win.how), stage="done")
    if position.checks:
        return Ask(MissionOf(position.checks[0], position.state))
    return on(position, stage=position.then)


def mission(position: Position, mission: str | None) -> Happened:
    player = position.checks[0]
    if mission is None:
        left = position.checks[1:]
        is_over = open_victory(position.state) is not None
        return on(position, checks=left, stage="victory" if left or is_over else position.then)
    shown = e.MissionCompleted(player, position.state.missions[player], mission)
    return on(position, shown, e.GameWon((player,), "mission"), stage="done")


def done(position: Position) -> Step:
    return Done(position.state)


def new_pile(position: Position) -> Happened:
    """Shuffle the discards into a new pile and draw its top card (Q-16)."""
    state, player = position.state, position.orders.player
    shuffled = e.DeckShuffled(state.shuffles + 1, len(state.discards))
    drawn = e.CardDrawn(player, f"deck/{shuffled.number}/0")
    return on(position, shuffled, drawn, stage="fortify", entry=0)
