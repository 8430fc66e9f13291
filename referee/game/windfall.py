"""Trading right after an elimination, where the edition has it (R-ATT-17, Q-15, P-07)."""

from referee.game import events as e
from referee.game.attacking import leg_done
from referee.game.orders import Windfall
from referee.game.position import (
    Ask,
    BestSet,
    Happened,
    Held,
    Position,
    Step,
    failed_condition,
    on,
    then_check,
)
from referee.game.reinforcing import automatic_bonus, set_events
from referee.game.rules import BONUS_ARMIES, WINDFALL_TRADE_DOWN_TO, WINDFALL_TRADE_FROM


def windfall(position: Position) -> Step:
    """Trade right after an elimination where the edition has it (R-ATT-17, Q-15, P-07)."""
    rule = position.state.rules.elimination_trade
    if not position.gone or rule == "none":
        return leg_done(position._replace(gone="", windfall=None))
    if position.windfall is None:
        return _choose_windfall(position)
    size = len(position.state.hands[position.orders.player])
    if rule == "free":
        wanted = position.windfall.trade == "best" and size >= 3
    else:
        wanted = size > WINDFALL_TRADE_DOWN_TO and (position.traded > 0 or size >= WINDFALL_TRADE_FROM)
    if wanted:
        return Ask(BestSet(position.orders.player, position.state, position.bonus > 0))
    return _end_windfall(position)


def _choose_windfall(position: Position) -> Happened:
    """Take the first entry that holds; the ones before it are skipped with their reasons."""
    skipped: list[e.Event] = []
    for number, entry in enumerate(position.orders.windfalls, start=1):
        if entry.player is not None and entry.player != position.gone:
            skipped.append(e.WindfallSkipped(number, "other-player"))
            continue
        failed = failed_condition(position, entry.guard)
        if not failed.number:
            return on(position, *skipped, windfall=entry)
        skipped.append(e.WindfallSkipped(number, "condition", *failed))
    return on(position, *skipped, windfall=Windfall())


def _end_windfall(position: Position) -> Happened:
    """Go on with the battle, after a check for victory if armies came."""
    after = position._replace(gone="", windfall=None)
    return then_check(after, "windfall") if position.traded else leg_done(after)


def windfall_set(position: Position, held: Held | None) -> Happened:
    if held is None:
        return _end_windfall(position)
    entry, player = position.windfall, position.orders.player
    assert entry is not None
    bonus = automatic_bonus(position, held)
    value, events = set_events(position, held, bonus, "windfall")
    owners = position.state.owners
    where = next((t for t in entry.place if owners[t] == player), position.land)
    placed = e.ArmiesPlaced(player, ((where, value),), "windfall", "player" if where in entry.place else "referee")
    extra = position.bonus + BONUS_ARMIES * len(bonus)
    return on(position, *events, placed, traded=position.traded + 1, bonus=extra)
