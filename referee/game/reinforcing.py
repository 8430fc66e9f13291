"""The reinforcement phase: trades, income, placing, and a turn for which no orders came.

Rules: R-TURN-06, R-REINF-01 to R-REINF-06, R-CARD-01 to R-CARD-10, Q-11 to Q-14, Q-26, P-08, P-12, P-14.
"""

from typing import Literal

from referee.game import events as e
from referee.game.absence import neutral_plan, shared_placement
from referee.game.board import TerritoryId
from referee.game.cards import worth
from referee.game.legality import Refusal, bonus_of, must_trade
from referee.game.legality import income as count_income
from referee.game.orders import NEUTRAL, Absence, Trade
from referee.game.position import (
    Ask,
    BestSet,
    Happened,
    Held,
    NamesOf,
    Position,
    Step,
    on,
    then_check,
)
from referee.game.rules import BONUS_ARMIES


def note(position: Position) -> Step:
    orders = position.orders
    if orders.absence is not None:
        return _missed(position, orders.absence)
    if orders.note:
        return on(position, e.NoteGiven(orders.player, orders.note), stage="trade")
    return on(position, stage="trade")


def _missed(position: Position, absence: Absence) -> Happened:
    """Note that no orders came, and who did not roll; then the referee plays, or nothing happens (P-14)."""
    if absence.policy == "resigned":
        return on(position, stage="changes")
    player = position.orders.player
    count = position.state.players[player].missed + 1
    events: tuple[e.Event, ...] = (e.TurnMissed(player, absence.policy, count),)
    if absence.passed_over:
        events += (e.RollPassedOver(absence.passed_over),)
    return on(position, *events, stage="changes" if absence.policy == "wait" else "trade")


def trade(position: Position) -> Step:
    orders = position.orders
    if orders.absence is not None:
        return _absent_trade(position)
    if position.entry == len(orders.trades):
        return on(position, stage="income", entry=0)
    cards = orders.trades[position.entry].cards
    hand = position.state.hands[orders.player]
    if all(card in hand for card in cards):
        return traded(position, Held(cards, cards))
    return Ask(NamesOf(orders.player, cards, position.state))


def _absent_trade(position: Position) -> Step:
    absence, player = position.orders.absence, position.orders.player
    assert absence is not None
    size = len(position.state.hands[player])
    forced = must_trade(size, position.traded > 0, position.state.rules)
    if forced or (absence.trade == "best" and size >= 3):
        return Ask(BestSet(player, position.state, position.bonus > 0))
    return on(position, stage="income", entry=0)


def set_events(
    position: Position,
    held: Held,
    bonus: tuple[TerritoryId, ...],
    cause: Literal["orders", "windfall", "missed"],
) -> tuple[int, tuple[e.Event, ...]]:
    """Return the worth of a set and the events of trading it in, bonus armies included."""
    state, player = position.state, position.orders.player
    value = worth(held.cards, state.board, state.rules, state.sets_before(player))
    by: e.Chooser = "player" if cause == "orders" else "referee"
    number = state.sets_traded + 1
    traded = e.SetTraded(player, held.cards, held.names, number, value, bonus, cause, by)
    if not bonus:
        return value, (traded,)
    placed = tuple((t, BONUS_ARMIES) for t in bonus)
    return value, (traded, e.ArmiesPlaced(player, placed, "bonus", by))


def traded(position: Position, held: Held) -> Happened:
    state, player = position.state, position.orders.player
    trade = position.orders.trades[position.entry]
    bonus = bonus_of(trade, state, player, position.bonus > 0)
    assert not isinstance(bonus, Refusal), bonus
    value, events = set_events(position, held, bonus, "orders")
    return on(
        position, *events,
        entry=position.entry + 1, sets=position.sets + value,
        bonus=position.bonus + BONUS_ARMIES * len(bonus),
    )  # fmt: skip


def automatic_bonus(position: Position, held: Held) -> tuple[TerritoryId, ...]:
    """P-08: the bonus of an automatic set goes to the first matching card."""
    state, player = position.state, position.orders.player
    bonus = bonus_of(Trade(held.cards), state, player, position.bonus > 0)
    if isinstance(bonus, Refusal):
        own = set(state.territories_of(player))
        bonus = next((TerritoryId(card),) for card in held.cards if TerritoryId(card) in own)
    return bonus


def absent_set(position: Position, held: Held | None) -> Happened:
    if held is None:
        return on(position, stage="income", entry=0)
    bonus = automatic_bonus(position, held)
    value, events = set_events(position, held, bonus, "missed")
    extra = position.bonus + BONUS_ARMIES * len(bonus)
    return on(position, *events, sets=position.sets + value, traded=position.traded + 1, bonus=extra)


def income(position: Position) -> Step:
    state, orders = position.state, position.orders
    player, absence = orders.player, orders.absence
    counted = count_income(state, player, position.sets)
    total = counted.total
    event = e.ReinforcementsCounted(
        player,
        counted.territories,
        counted.share,
        counted.continents,
        counted.sets,
        counted.raised,
        total,
    )
    if absence is None:
        placed = e.ArmiesPlaced(player, orders.place, "income", "player")
    else:
        where = shared_placement(state, player, total, absence.place)
        placed = e.ArmiesPlaced(player, where, "missed", "referee")
    return on(position, event, placed, stage="neutral")


def neutral(position: Position) -> Step:
    """P-12, Q-26: half of all the player got goes to the neutral army, placed as the other player's orders say."""
    state, player = position.state, position.orders.player
    if state.rules.neutral_army != "n28_reinforced" or not state.territories_of(NEUTRAL):
        return then_check(position, "attack")
    got = count_income(state, player, position.sets).total + position.bonus
    if got < 2:
        return then_check(position, "attack")
    placed, by = neutral_plan(state, state.after(player), player, got // 2)
    return then_check(position, "attack", e.ArmiesPlaced(NEUTRAL, placed, "neutral", by))
