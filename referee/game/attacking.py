"""The attacks: entries, legs, rolls, conquests, and what ends an attack (DESIGN section 4, "An attack").

Rules: R-ATT-01 to R-ATT-16, Q-19 to Q-24, Q-27, P-03 to P-06.
"""

from referee.game import events as e
from referee.game.battle import Chances, chances, losses
from referee.game.board import TerritoryId
from referee.game.conditions import Last
from referee.game.legality import why_not_attack
from referee.game.orders import NEUTRAL, Amount, Attack, PlayerId
from referee.game.position import Happened, Position, Roll, Step, failed_condition, on, then_check
from referee.game.state import State, apply


def attack(position: Position) -> Step:
    """Begin the next entry of the list, or end the attacks."""
    attacks = position.orders.attacks
    if position.entry == len(attacks):
        return on(position, stage="card")
    attack = attacks[position.entry]
    failed = failed_condition(position, attack.guard)
    if failed:
        return _skip(position, attack, "condition", failed)
    if not attack.is_complete:
        return _penalty(position, attack)
    return on(position, stage="roll", leg=0, rolls=0, lost=0, any_roll=False)


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
    return on(
        position, *events, stage="attack", entry=position.entry + 1, last=last, any_roll=False
    )


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

    For the neutral army the other player chooses (Q-27). Orders of one who has left go on to hold.
    """
    if state.rules.defence_dice == "maximum":
        return 2
    owner = state.owners[target]
    chooser = state.after(attacker) if owner == NEUTRAL else PlayerId(owner)
    standing = state.standing.get(chooser)
    return standing.defence_dice(target) if standing else 2


def roll(position: Position) -> Step:
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


def rolled(
    position: Position, attack_dice: tuple[int, ...], defence_dice: tuple[int, ...]
) -> Happened:
    """Go on from a `Roll` with the dice of both sides, in the order thrown."""
    state, attack = position.state, position.orders.attacks[position.entry]
    player = position.orders.player
    source, target = _legs(attack, position.leg)
    defender = state.owners[target]
    armies = min(attack.armies, state.armies[source] - 1)
    mine, theirs = losses(attack_dice, defence_dice)
    battle, roll = position.battle + (not position.rolls), position.rolls + 1
    fought = e.BattleFought(
        battle,
        roll,
        player,
        defender,
        source,
        target,
        armies,
        attack_dice,
        defence_dice,
        mine,
        theirs,
    )
    events: tuple[e.Event, ...] = (fought,)
    if roll == 1:
        entry, leg = position.entry + 1, position.leg + 1
        events = (e.AttackBegan(entry, leg, battle, player, source, target, defender), fought)
    return on(
        position, *events,
        rolls=roll, lost=position.lost + mine, any_roll=True, used=armies, battle=battle,
        stage="won" if theirs == state.armies[target] else "roll",
    )  # fmt: skip


def won(position: Position) -> Step:
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
    return then_check(
        position, "windfall", *events, taken=position.taken + 1, gone=gone, land=target, traded=0
    )


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


def leg_done(position: Position) -> Happened:
    attack = position.orders.attacks[position.entry]
    if position.leg + 1 == len(attack.targets):
        return _end_entry(position, "won")
    return on(position, stage="roll", leg=position.leg + 1, rolls=0, lost=0)
