"""The turn as a step function: events, rolls and questions, one after the other.

    step(position) -> Happened(events, position) | Roll(...) | Ask(question) | Done(state)

Nothing here rolls or looks at a hidden card. Whoever drives the turn answers a `Roll` with `rolled` and an `Ask` with
`answered`; `play` does that with functions. Order of things (DESIGN section 4): trades, income, placing, victory; for each
attack losses, advance, elimination and cards, victory, windfall trade, placing, victory, next roll; at the end card,
fortify, victory, resignations and the like, next living player, victory of the next player.

Rules: R-TURN-01 to R-TURN-06, R-CARD-07 to R-CARD-14, R-ATT-01 to R-ATT-20, R-FORT-01 to R-FORT-05, Q-15, Q-16, Q-20 to
Q-24, P-03 to P-08, P-12, P-14.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, assert_never

from referee.game import events as e
from referee.game.absence import neutral_plan, shared_placement
from referee.game.battle import Chances, chances, losses
from referee.game.board import CardId, TerritoryId
from referee.game.cards import worth
from referee.game.conditions import Last, holds
from referee.game.legality import (
    Refusal,
    bonus_of,
    income,
    must_trade,
    why_not_attack,
    why_not_fortify,
)
from referee.game.orders import (
    NEUTRAL,
    AbsencePolicy,
    Amount,
    Attack,
    Fortify,
    Guard,
    Orders,
    PlayerId,
    Standing,
    Trade,
    Windfall,
)
from referee.game.rules import BONUS_ARMIES, WINDFALL_TRADE_DOWN_TO, WINDFALL_TRADE_FROM
from referee.game.state import State, apply, record_standing
from referee.game.victory import mission_candidates, open_victory

Stage = Literal[
    "note", "trade", "income", "neutral", "attack", "roll", "won", "windfall", "card", "fortify",
    "changes", "next", "victory", "done",
]  # fmt: skip


class Resignation(NamedTuple):
    """A player leaves."""

    player: PlayerId


class NewStanding(NamedTuple):
    """A player's new standing orders, in force from the next turn on."""

    standing: Standing
    note: str = ""


Change = Resignation | NewStanding
"""What arrived beside the orders and takes effect when the turn is over."""


class Position(NamedTuple):
    """Where a turn stands. `entry` and `leg` count from 0 in the list that `stage` is about.

    `rolls` and `lost` are of this leg, `any_roll` of this entry; `used` armies attacked in the last roll; `checks` are players
    whose missions are still to be looked at, `then` the stage after a check for victory; `gone` was just eliminated,
    `land` just taken; `sets` is the worth of the sets so far, `bonus` the extra armies for their territories.
    """

    state: State
    orders: Orders
    turn: int
    changes: tuple[Change, ...] = ()
    stage: Stage = "note"
    entry: int = 0
    leg: int = 0
    rolls: int = 0
    lost: int = 0
    any_roll: bool = False
    used: int = 0
    battle: int = 0
    taken: int = 0
    last: Last = "none"
    sets: int = 0
    bonus: int = 0
    checks: tuple[PlayerId, ...] = ()
    then: Stage = "done"
    gone: str = ""
    land: str = ""
    windfall: Windfall | None = None
    traded: int = 0


# --- questions -------------------------------------------------------------------------------


class NamesOf(NamedTuple):
    """Under which names does the player hold these cards? Answer: the names in the same order."""

    player: PlayerId
    cards: tuple[CardId, ...]
    state: State


class BestSet(NamedTuple):
    """Which set of the hand is the best by P-08? Answer: `Held`, or None if there is no set."""

    player: PlayerId
    state: State
    bonus_used: bool


class MissionOf(NamedTuple):
    """Is the player's mission fulfilled in this state? Answer: the mission's id, or None."""

    player: PlayerId
    state: State


class NewPile(NamedTuple):
    """The discards are shuffled into a new pile (the answer says nothing: its order is hidden)."""

    number: int
    cards: tuple[str, ...]


Question = NamesOf | BestSet | MissionOf | NewPile


class Held(NamedTuple):
    """Three cards and the names under which they are held."""

    cards: tuple[CardId, ...]
    names: tuple[str, ...]


Answer = tuple[str, ...] | Held | str | None


class Happened(NamedTuple):
    """Events, already folded into the position that follows."""

    events: tuple[e.Event, ...]
    position: Position


class Roll(NamedTuple):
    """Dice are needed: how many each side rolls, in which battle and roll of the turn."""

    battle: int
    roll: int
    attack: int
    defence: int


class Ask(NamedTuple):
    """An answer is needed that the public state does not hold."""

    question: Question


class Done(NamedTuple):
    """The turn is over."""

    state: State


Step = Happened | Roll | Ask | Done


def step(position: Position) -> Step:
    """Do the next thing of a turn."""
    return _STAGES[position.stage](position)


def play(
    position: Position,
    dice: Callable[[int, int, int, int], tuple[tuple[int, ...], tuple[int, ...]]],
    answer: Callable[[Question, int], Answer],
) -> tuple[list[e.Event], State]:
    """Drive a turn to its end.

    `dice(battle, roll, attack, defence)` returns both sides' dice in the order thrown; `answer(question, so_far)` gets the
    number of events before the question.
    """
    happened: list[e.Event] = []
    while True:
        move = step(position)
        if isinstance(move, Roll):
            move = rolled(position, *dice(*move))
        elif isinstance(move, Ask):
            move = answered(position, answer(move.question, len(happened)))
        elif isinstance(move, Done):
            return happened, move.state
        happened += move.events
        position = move.position


def _on(position: Position, *events: e.Event, **changes: object) -> Happened:
    """Fold events into the state and set fields of the position."""
    state = position.state
    for event in events:
        state = apply(state, event)
    return Happened(events, position._replace(state=state, **changes))  # type: ignore[arg-type]


def _check(position: Position, then: Stage, *events: e.Event, **changes: object) -> Happened:
    """The same, with a check for victory before the turn goes on at `then`."""
    happened = _on(position, *events, **changes)
    after = happened.position
    checks = mission_candidates(after.state, position.orders.player)
    return Happened(happened.events, after._replace(stage="victory", checks=checks, then=then))


def _failed(position: Position, guard: Guard) -> int:
    """Return the number (from 1, `if` before `unless`) of the first condition that stops an entry, or 0."""
    if not guard.require and not guard.exclude:
        return 0
    state, out = position.state, position.state.out()
    cards = len(state.hands[position.orders.player])
    for number, condition in enumerate(guard.require + guard.exclude, start=1):
        wanted = number <= len(guard.require)
        if holds(condition, state, position.taken, cards, out, position.last) != wanted:
            return number
    return 0


# --- reinforcements ----------------------------------------------------------------------------


def _note(position: Position) -> Step:
    orders = position.orders
    if orders.absence is not None:
        return _missed(position, orders.absence.policy)
    if orders.note:
        return _on(position, e.NoteGiven(orders.player, orders.note), stage="trade")
    return _on(position, stage="trade")


def _missed(position: Position, policy: AbsencePolicy) -> Happened:
    """Note that no orders came; then the referee plays, or nothing happens (P-14)."""
    if policy == "resigned":
        return _on(position, stage="changes")
    player = position.orders.player
    count = position.state.players[player].missed + 1
    missed = e.TurnMissed(player, policy, count)
    return _on(position, missed, stage="changes" if policy == "wait" else "trade")


def _is_removed(position: Position) -> bool:
    """Say whether the awaited player has now missed so many turns that the seat is taken out."""
    absence, limit = position.orders.absence, position.state.settings.missed_limit
    if absence is None or absence.policy == "resigned" or not limit:
        return False
    return position.state.players[position.orders.player].missed >= limit


def _trade(position: Position) -> Step:
    orders = position.orders
    if orders.absence is not None:
        return _absent_trade(position)
    if position.entry == len(orders.trades):
        return _on(position, stage="income", entry=0)
    cards = orders.trades[position.entry].cards
    hand = position.state.hands[orders.player]
    if all(card in hand for card in cards):
        return _traded(position, Held(cards, cards))
    return Ask(NamesOf(orders.player, cards, position.state))


def _absent_trade(position: Position) -> Step:
    absence, player = position.orders.absence, position.orders.player
    assert absence is not None
    size = len(position.state.hands[player])
    forced = must_trade(size, position.traded > 0, position.state.rules)
    if forced or (absence.trade == "best" and size >= 3):
        return Ask(BestSet(player, position.state, position.bonus > 0))
    return _on(position, stage="income", entry=0)


def _set_events(
    position: Position, held: Held, bonus: tuple[TerritoryId, ...], cause: Literal["orders", "windfall", "missed"]
) -> tuple[int, tuple[e.Event, ...]]:
    """Return the worth of a set and the events of trading it in, bonus armies included."""
    state, player = position.state, position.orders.player
    before = state.sets_traded
    if state.rules.set_counter == "per_player":
        before = state.players[player].sets_traded
    value = worth(held.cards, state.board, state.rules, before)
    by: e.Chooser = "player" if cause == "orders" else "referee"
    number = state.sets_traded + 1
    traded = e.SetTraded(player, held.cards, held.names, number, value, bonus, cause, by)
    if not bonus:
        return value, (traded,)
    placed = tuple((t, BONUS_ARMIES) for t in bonus)
    return value, (traded, e.ArmiesPlaced(player, placed, "bonus", by))


def _traded(position: Position, held: Held) -> Happened:
    state, player = position.state, position.orders.player
    trade = position.orders.trades[position.entry]
    bonus = bonus_of(trade, state, player, position.bonus > 0)
    assert not isinstance(bonus, Refusal), bonus
    value, events = _set_events(position, held, bonus, "orders")
    return _on(
        position, *events,
        entry=position.entry + 1, sets=position.sets + value,
        bonus=position.bonus + BONUS_ARMIES * len(bonus),
    )  # fmt: skip


def _automatic_bonus(position: Position, held: Held) -> tuple[TerritoryId, ...]:
    """P-08: the bonus of an automatic set goes to the first matching card."""
    state, player = position.state, position.orders.player
    bonus = bonus_of(Trade(held.cards), state, player, position.bonus > 0)
    if isinstance(bonus, Refusal):
        own = set(state.territories_of(player))
        bonus = next((TerritoryId(card),) for card in held.cards if TerritoryId(card) in own)
    return bonus


def _income(position: Position) -> Step:
    state, orders = position.state, position.orders
    player, absence = orders.player, orders.absence
    counted = income(state, player, position.sets)
    total = counted.total
    event = e.ReinforcementsCounted(
        player, counted.territories, counted.share, counted.continents, counted.sets, counted.raised, total
    )
    if absence is None:
        placed = e.ArmiesPlaced(player, orders.place, "income", "player")
    else:
        where = shared_placement(state, player, total, absence.place)
        placed = e.ArmiesPlaced(player, where, "missed", "referee")
    return _on(position, event, placed, stage="neutral")


def _neutral(position: Position) -> Step:
    """P-12, Q-26: half of all the player got goes to the neutral army, placed as the other player's orders say."""
    state, player = position.state, position.orders.player
    if state.rules.neutral_army != "n28_reinforced" or not state.territories_of(NEUTRAL):
        return _check(position, "attack")
    got = income(state, player, position.sets).total + position.bonus
    if got < 2:
        return _check(position, "attack")
    other = state.after(player)
    placed = neutral_plan(state, other, player, got // 2)
    return _check(position, "attack", e.ArmiesPlaced(NEUTRAL, placed, "neutral", "player"))


# --- attacks -----------------------------------------------------------------------------------


def _attack(position: Position) -> Step:
    """Begin the next entry of the list, or end the attacks."""
    attacks = position.orders.attacks
    if position.entry == len(attacks):
        return _on(position, stage="card")
    attack = attacks[position.entry]
    failed = _failed(position, attack.guard)
    if failed:
        return _skip(position, attack, "condition", failed)
    if not attack.is_complete:
        return _penalty(position, attack)
    return _on(position, stage="roll", leg=0, rolls=0, lost=0, any_roll=False)


def _legs(attack: Attack, leg: int) -> tuple[TerritoryId, TerritoryId]:
    source = attack.source if leg == 0 else attack.targets[leg - 1]
    assert source is not None
    return source, attack.targets[leg]


def _skip(position: Position, attack: Attack, reason: str, condition: int = 0) -> Happened:
    """End an entry in a leg in which no die was rolled."""
    leg = position.leg if position.stage == "roll" else 0
    source = attack.source if leg == 0 else attack.targets[leg - 1]
    target = attack.targets[leg] if attack.targets else ""
    event = e.AttackSkipped(position.entry + 1, leg + 1, source or "", target, reason, condition)
    return _end_entry(position, "lost" if position.any_roll else "skipped", event)


def _end_entry(position: Position, last: Last, *events: e.Event) -> Happened:
    return _on(position, *events, stage="attack", entry=position.entry + 1, last=last, any_roll=False)


def _penalty(position: Position, attack: Attack) -> Happened:
    """Q-24: three armies, from the named source if it is hers, else from her largest stack; no land is emptied."""
    state, player = position.state, position.orders.player
    source = attack.source
    if source is None or state.owners[source] != player:
        own = state.territories_of(player)
        source = max(own, key=lambda t: (state.armies[t], -state.board.index[t]))
    lost = min(state.rules.unnamed_attack_penalty, state.armies[source] - 1)
    event = e.PenaltyPaid(player, position.entry + 1, source, lost)
    return _end_entry(position, "skipped", event)


def defence_dice(state: State, target: TerritoryId, attacker: PlayerId) -> int:
    """Return the most dice that `target` is defended with: by its owner's standing orders, or as the rules fix it.

    For the neutral army the other player chooses (Q-27); a passive seat rolls the most.
    """
    if state.rules.defence_dice == "maximum":
        return 2
    owner = state.owners[target]
    chooser = state.after(attacker) if owner == NEUTRAL else PlayerId(owner)
    standing = state.standing.get(chooser)
    return standing.defence_dice(target) if standing else 2


def _roll(position: Position) -> Step:
    """Before each roll: the first stop that holds ends the leg, else the dice are called for."""
    state, attack = position.state, position.orders.attacks[position.entry]
    source, target = _legs(attack, position.leg)
    if not position.rolls:
        why = why_not_attack(state, position.orders.player, source, target)
        if why:
            return _skip(position, attack, why.code)
    here, there = state.armies[source], state.armies[target]
    two_from: int = state.rules.two_defence_dice_from
    if defence_dice(state, target, position.orders.player) < 2:
        two_from = Chances.NEVER
    reason = _stop(position, attack, here, there, two_from)
    if not reason:
        armies = min(attack.armies, here - 1)
        battle = position.battle + (not position.rolls)
        attacking = min(armies, attack.dice) if attack.dice else armies
        return Roll(battle, position.rolls + 1, attacking, 2 if there >= two_from else 1)
    if not position.rolls:
        return _skip(position, attack, reason)
    event = e.AttackStopped(position.entry + 1, position.leg + 1, source, target, reason, here)
    return _end_entry(position, "lost", event)


def _stop(position: Position, attack: Attack, here: int, there: int, two_from: int) -> str:
    """Return the reason that ends the leg before the next roll, or nothing (DESIGN section 4, "An attack")."""
    if here < 2:
        return "too-few-armies"
    if attack.stop_at and here <= attack.stop_at:
        return "stop-at"
    if attack.max_losses and position.lost >= attack.max_losses:
        return "max-losses"
    if attack.max_rolls and position.rolls >= attack.max_rolls:
        return "max-rolls"
    if attack.min_odds:
        most = min(attack.armies, attack.dice or 3)
        if not chances(most, two_from).reaches(attack.min_odds, here, there):
            return "min-odds"
    return ""


def rolled(position: Position, attack_dice: tuple[int, ...], defence_dice: tuple[int, ...]) -> Happened:
    """Go on from a `Roll` with the dice of both sides, in the order thrown."""
    state, attack = position.state, position.orders.attacks[position.entry]
    player = position.orders.player
    source, target = _legs(attack, position.leg)
    defender = state.owners[target]
    armies = min(attack.armies, state.armies[source] - 1)
    mine, theirs = losses(attack_dice, defence_dice)
    battle, roll = position.battle + (not position.rolls), position.rolls + 1
    fought = e.BattleFought(
        battle, roll, player, defender, source, target, armies, attack_dice, defence_dice, mine, theirs
    )
    events: tuple[e.Event, ...] = (fought,)
    if roll == 1:
        entry, leg = position.entry + 1, position.leg + 1
        events = (e.AttackBegan(entry, leg, battle, player, source, target, defender), fought)
    return _on(
        position, *events,
        rolls=roll, lost=position.lost + mine, any_roll=True, used=armies, battle=battle,
        stage="won" if theirs == state.armies[target] else "roll",
    )  # fmt: skip


def _won(position: Position) -> Step:
    """Move in, and see whether somebody is out (R-ATT-14, R-ATT-16)."""
    state, attack = position.state, position.orders.attacks[position.entry]
    player = position.orders.player
    source, target = _legs(attack, position.leg)
    previous = state.owners[target]
    conquered = e.TerritoryConquered(player, source, target, previous)
    on_path = position.leg + 1 < len(attack.targets)
    asked = Amount("all") if on_path else attack.advance
    advanced = _advance(apply(state, conquered), position, source, target, asked)
    events: tuple[e.Event, ...] = (conquered, advanced)
    gone = ""
    if previous != NEUTRAL and sum(owner == previous for owner in state.owners.values()) == 1:
        gone = previous
        events += (e.PlayerEliminated(gone, player, position.turn),)
        hand = state.hands[PlayerId(gone)]
        if hand:
            events += (e.CardsTakenOver(player, gone, hand),)
    return _check(position, "windfall", *events, taken=position.taken + 1, gone=gone, land=target, traded=0)


def _advance(
    state: State, position: Position, source: TerritoryId, target: TerritoryId, asked: Amount
) -> e.ArmiesAdvanced:
    """Clip what is asked to what is legal: the armies of the last roll at least, all but one at most (Q-22, P-05)."""
    player = position.orders.player
    here, least = state.armies[source], position.used
    most = here - 1
    match asked.kind:
        case "auto":
            wanted = least if state.has_hostile_neighbour(source, player) else most
        case "least":
            wanted = least
        case "all":
            wanted = most
        case "exactly":
            wanted = asked.number
        case "keep":
            wanted = here - asked.number
    armies = max(least, min(most, wanted))
    return e.ArmiesAdvanced(player, source, target, armies, asked.words(), least, most)


def _leg_done(position: Position) -> Happened:
    attack = position.orders.attacks[position.entry]
    if position.leg + 1 == len(attack.targets):
        return _end_entry(position, "won")
    return _on(position, stage="roll", leg=position.leg + 1, rolls=0, lost=0)


# --- after an elimination ------------------------------------------------------------------------


def _windfall(position: Position) -> Step:
    """Trade right after an elimination where the edition has it (R-ATT-17, Q-15, P-07)."""
    rule = position.state.rules.elimination_trade
    if not position.gone or rule == "none":
        return _leg_done(position._replace(gone="", windfall=None))
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
        failed = _failed(position, entry.guard)
        if not failed:
            return _on(position, *skipped, windfall=entry)
        skipped.append(e.WindfallSkipped(number, "condition", failed))
    return _on(position, *skipped, windfall=Windfall())


def _end_windfall(position: Position) -> Happened:
    """Go on with the battle, after a check for victory if armies came."""
    after = position._replace(gone="", windfall=None)
    return _check(after, "windfall") if position.traded else _leg_done(after)


def _windfall_set(position: Position, held: Held | None) -> Happened:
    if held is None:
        return _end_windfall(position)
    entry, player = position.windfall, position.orders.player
    assert entry is not None
    bonus = _automatic_bonus(position, held)
    value, events = _set_events(position, held, bonus, "windfall")
    owners = position.state.owners
    where = next((t for t in entry.place if owners[t] == player), position.land)
    placed = e.ArmiesPlaced(player, ((where, value),), "windfall", "player" if where in entry.place else "referee")
    extra = position.bonus + BONUS_ARMIES * len(bonus)
    return _on(position, *events, placed, traded=position.traded + 1, bonus=extra)


# --- the end of the turn -------------------------------------------------------------------------


def _card(position: Position) -> Step:
    """Draw one card if a territory was taken (R-ATT-18, R-ATT-19, Q-16)."""
    state, player = position.state, position.orders.player
    if not position.taken:
        return _on(position, stage="fortify", entry=0)
    if state.pile:
        return _on(position, e.CardDrawn(player, state.pile[0]), stage="fortify", entry=0)
    if state.discards:
        return Ask(NewPile(state.shuffles + 1, state.discards))
    return _on(position, e.CardMissing(player), stage="fortify", entry=0)


def _fortify(position: Position) -> Step:
    """Carry out the first alternative that is possible (R-FORT-01 to R-FORT-03)."""
    state, orders = position.state, position.orders
    entries = orders.absence.fortifies if orders.absence else orders.fortifies
    if position.entry == len(entries):
        return _check(position, "changes")
    entry = entries[position.entry]
    number = position.entry + 1
    failed = _failed(position, entry.guard)
    why = why_not_fortify(state, orders.player, entry.source, entry.target)
    armies = _amount(entry, state.armies[entry.source])
    if not failed and not why and armies:
        moved = e.ArmiesFortified(orders.player, number, entry.source, entry.target, armies)
        return _check(position, "changes", moved)
    reason = "condition" if failed else why.code if why else "too-few-armies"
    skipped = e.FortifySkipped(number, entry.source, entry.target, reason, failed)
    return _on(position, skipped, entry=number)


def _amount(entry: Fortify, here: int) -> int:
    """Return how many armies the move takes: at least one stays."""
    match entry.armies.kind:
        case "exactly":
            return min(entry.armies.number, here - 1)
        case "keep":
            return max(0, here - entry.armies.number)
        case _:
            return here - 1


def _changes(position: Position) -> Step:
    """Carry out what arrived beside the orders (DESIGN section 4, "When documents take effect")."""
    state = position.state
    done: list[e.Event] = []
    for change in position.changes:
        match change:
            case Resignation(player):
                event: e.Event = e.PlayerResigned(player, state.hands[player])
            case NewStanding(standing, note):
                event = e.StandingRecorded(standing.player, standing.sequence, note)
                state = record_standing(state, standing)
            case _:
                assert_never(change)
        state = apply(state, event)
        done.append(event)
    player, absence = position.orders.player, position.orders.absence
    removed = _is_removed(position)
    if removed and state.players[player].status == "playing":
        event = e.SeatRemoved(player, state.hands[player])
        state = apply(state, event)
        done.append(event)
    after = position._replace(state=state, stage="next")
    if absence is not None and absence.policy == "wait" and state.players[player].status == "playing":
        after = after._replace(stage="victory", checks=(), then="done")
    return Happened(tuple(done), after)


def _next(position: Position) -> Step:
    """Hand the turn on, and see whether the next player has won already (P-11)."""
    state, player = position.state, position.orders.player
    ended = e.TurnEnded(player)
    win = open_victory(state)
    if win:
        return _on(position, ended, e.GameWon(win.winners, win.how), stage="done")
    coming = state.after(player)
    number = state.round + (_lap(state, coming) <= _lap(state, player))
    began = e.TurnBegan(coming, number)
    happened = _on(position, ended, began)
    after = happened.position
    checks = mission_candidates(after.state, coming)
    return Happened(happened.events, after._replace(stage="victory", checks=checks, then="done"))


def _lap(state: State, player: PlayerId) -> int:
    """Return a player's place in the round, counted from the seat that had the first turn."""
    return (state.players[player].seat - state.first) % len(state.players)


def _victory(position: Position) -> Step:
    """Look for a victory that all can see, then at the missions, one after the other."""
    win = open_victory(position.state)
    if win:
        return _on(position, e.GameWon(win.winners, win.how), stage="done")
    if position.checks:
        return Ask(MissionOf(position.checks[0], position.state))
    return _on(position, stage=position.then)


def _mission(position: Position, mission: str | None) -> Happened:
    player = position.checks[0]
    if mission is None:
        return _on(position, checks=position.checks[1:])
    shown = e.MissionCompleted(player, position.state.missions[player], mission)
    return _on(position, shown, e.GameWon((player,), "mission"), stage="done")


def _done(position: Position) -> Step:
    return Done(position.state)


def answered(position: Position, answer: Answer) -> Happened:
    """Go on from an `Ask` with the answer to its question."""
    match position.stage:
        case "trade" if position.orders.absence is not None:
            assert isinstance(answer, Held) or answer is None
            return _absent_set(position, answer)
        case "trade":
            assert isinstance(answer, tuple) and not isinstance(answer, Held)
            return _traded(position, Held(position.orders.trades[position.entry].cards, answer))
        case "windfall":
            assert isinstance(answer, Held) or answer is None
            return _windfall_set(position, answer)
        case "victory":
            assert isinstance(answer, str) or answer is None
            return _mission(position, answer)
        case "card":
            state, player = position.state, position.orders.player
            shuffled = e.DeckShuffled(state.shuffles + 1, len(state.discards))
            top = f"deck/{shuffled.number}/0"
            return _on(position, shuffled, e.CardDrawn(player, top), stage="fortify", entry=0)
        case _:
            raise AssertionError(f"nothing was asked in {position.stage}")


def _absent_set(position: Position, held: Held | None) -> Happened:
    if held is None:
        return _on(position, stage="income", entry=0)
    bonus = _automatic_bonus(position, held)
    value, events = _set_events(position, held, bonus, "missed")
    extra = position.bonus + BONUS_ARMIES * len(bonus)
    return _on(position, *events, sets=position.sets + value, traded=position.traded + 1, bonus=extra)


_STAGES: dict[Stage, Callable[[Position], Step]] = {
    "note": _note,
    "trade": _trade,
    "income": _income,
    "neutral": _neutral,
    "attack": _attack,
    "roll": _roll,
    "won": _won,
    "windfall": _windfall,
    "card": _card,
    "fortify": _fortify,
    "changes": _changes,
    "next": _next,
    "victory": _victory,
    "done": _done,
}
