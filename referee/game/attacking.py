"""The attacks: entries, legs, rolls, conquests, and what ends an attack (DESIGN section 4, "An attack").

Rules: R-ATT-01 to R-ATT-16, Q-19 to Q-24, Q-27, P-03 to P-06, P-14.
"""

from referee.game import events as e
from referee.game.battle import Chances, chances, losses
from referee.game.board import TerritoryId
from referee.game.conditions import Last
from referee.game.legality import why_not_attack
from referee.game.orders import NEUTRAL, Amount, Attack, PlayerId
from referee.game.position import (
    NONE_FAILED,
    Ask,
    CapitalAt,
    Dice,
    Failed,
    Fight,
    Happened,
    Position,
    Roll,
    Stage,
    Step,
    check_missions,
    failed_condition,
    on,
)
from referee.game.rules import MOST_ATTACKERS, MOST_DEFENDERS
from referee.game.state import Course, State, fold_rolls


def attack(position: Position) -> Step:
    """Begin the next entry of the list, or end the attacks."""
    attacks = position.orders.attacks
    if position.entry == len(attacks):
        return on(position, stage="card")
    attack = attacks[position.entry]
    if position.orders.absence is not None and position.orders.absence.passed_over is not None:
        return _skip(position, attack, 0, "no-reveal")
    failed = failed_condition(position, attack.guard)
    if failed.number:
        return _skip(position, attack, 0, "condition", failed)
    if not attack.is_complete:
        return _penalty(position, attack)
    return _begin_leg(position, attack, 0)


def _legs(attack: Attack, leg: int) -> tuple[TerritoryId, TerritoryId]:
    source = attack.source if leg == 0 else attack.targets[leg - 1]
    assert source is not None
    return source, attack.targets[leg]


def _skip(position: Position, attack: Attack, leg: int, reason: str, failed: Failed = NONE_FAILED) -> Happened:
    """End an entry in a leg in which no die was rolled; whoever has come to a second leg has rolled before."""
    source = attack.source if leg == 0 else attack.targets[leg - 1]
    target = attack.targets[leg] if attack.targets else ""
    event = e.AttackSkipped(position.entry + 1, leg + 1, source or "", target, reason, *failed)
    return _end_entry(position, "lost" if leg else "skipped", event)


def _end_entry(position: Position, last: Last, event: e.Event) -> Happened:
    return on(_next_entry(position, last, position.state, position.battle), event)


def _next_entry(position: Position, last: Last, state: State, battle: int) -> Position:
    """Go on to the next entry: of this one nothing stays but how it ended, so that equal positions are equal.

    What outlives an entry is named here.
    """
    return Position(
        state, position.orders, position.turn, position.changes, "attack", position.entry + 1,
        battle=battle, taken=position.taken, last=last, sets=position.sets, bonus=position.bonus,
    )  # fmt: skip


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
        return MOST_DEFENDERS
    owner = state.owners[target]
    chooser = state.after(attacker) if owner == NEUTRAL else PlayerId(owner)
    standing = state.standing.get(chooser)
    return standing.defence_dice(target) if standing else MOST_DEFENDERS


def two_dice_from(state: State, target: TerritoryId, attacker: PlayerId) -> int:
    """Return the armies from which on `target` is defended with two dice; `NEVER` if it never is."""
    return state.rules.two_defence_dice_from if defence_dice(state, target, attacker) > 1 else Chances.NEVER


def _begin_leg(position: Position, attack: Attack, leg: int) -> Happened:
    """Begin a leg: a roll is due, unless the leg is impossible by now or a stop holds before the first roll."""
    state, player = position.state, position.orders.player
    source, target = _legs(attack, leg)
    why = why_not_attack(state, player, source, target)
    if why:
        return _skip(position, attack, leg, why.code)
    two_from = two_dice_from(state, target, player)
    here, there = state.armies[source], state.armies[target]
    reason = stop(attack, two_from, here, there, 0, 0)
    if reason:
        return _skip(position, attack, leg, reason)
    battle, defender = position.battle + 1, state.owners[target]
    fight = Fight(source, target, defender, battle, attack.armies, attack.dice or MOST_ATTACKERS, two_from, here, there)
    return Happened((), position._replace(stage="roll", leg=leg, fight=fight, rolls=()))


def stop(attack: Attack, two_from: int, here: int, there: int, rolls: int, lost: int) -> str:
    """Return the reason that ends the leg before the next roll, or nothing (DESIGN section 4, "An attack").

    `here` and `there` are the armies in source and target, `rolls` and `lost` armies those of this leg so far.
    """
    if here < 2:
        return "too-few-armies"
    if attack.stop_at and here <= attack.stop_at:
        return "stop-at"
    if attack.max_losses and lost >= attack.max_losses:
        return "max-losses"
    if attack.max_rolls and rolls >= attack.max_rolls:
        return "max-rolls"
    if attack.min_odds:
        table = chances(min(attack.armies, attack.dice or MOST_ATTACKERS), two_from)
        if not table.reaches(attack.min_odds, here, there):
            return "min-odds"
    return ""


def fight_on(
    attack: Attack, fight: Fight, player: str, dice: Dice, most_rolls: int
) -> tuple[Fight, list[e.BattleFought], str]:
    """Roll until the territory is taken, a stop holds (the reason comes back), or so many rolls are made (0: any).

    R-ATT-03, R-ATT-06, R-ATT-07: how many armies attack, and how many dice both sides roll.
    """
    source, target, defender, battle, most, cap, two_from, here, there, rolls, lost, used = fight
    done: list[e.BattleFought] = []
    reason = ""
    while not reason and there and (not most_rolls or len(done) < most_rolls):
        rolls += 1
        used = most if most < here else here - 1
        mine, theirs = dice(battle, rolls, used if used < cap else cap, 2 if there >= two_from else 1)
        lost_here, lost_there = losses(mine, theirs)
        done.append(
            e.BattleFought(
                battle, rolls, player, defender, source, target, used, mine, theirs, lost_here, lost_there
            )
        )  # fmt: skip
        here -= lost_here
        there -= lost_there
        lost += lost_here
        if there:
            reason = stop(attack, two_from, here, there, rolls, lost)
    after = Fight(source, target, defender, battle, most, cap, two_from, here, there, rolls, lost, used)
    return after, done, reason


def roll(position: Position) -> Step:
    """Call for the dice of the next roll."""
    fight = position.fight
    assert fight is not None
    attacking = min(fight.most, fight.dice, fight.here - 1)
    return Roll(fight.battle, fight.rolls + 1, attacking, 2 if fight.there >= fight.two_from else 1)


def rolled(position: Position, attack_dice: tuple[int, ...], defence_dice: tuple[int, ...]) -> Happened:
    """Go on from a `Roll` with the dice of both sides, in the order thrown."""
    return fought(position, lambda _battle, _roll, _attack, _defence: (attack_dice, defence_dice), 1)


def fought(position: Position, dice: Dice, most_rolls: int = 0) -> Happened:
    """Go on from a `Roll`: fight the leg to its end, or so many rolls of it.

    Before each further roll the first stop that holds ends the leg; a territory that is taken ends it before that.
    """
    attack, fight, player = position.orders.attacks[position.entry], position.fight, position.orders.player
    assert fight is not None
    entry, leg = position.entry + 1, position.leg + 1
    source, target, defender, battle = fight[:4]
    began = () if fight.rolls else (e.AttackBegan(entry, leg, battle, player, source, target, defender),)
    fight, done, reason = fight_on(attack, fight, player, dice, most_rolls)
    rolls = (*position.rolls, *done)
    if not reason:
        stage: Stage = "roll" if fight.there else "won"
        return Happened((*began, *done), position._replace(fight=fight, rolls=rolls, stage=stage))
    stopped = e.AttackStopped(entry, leg, source, target, reason, fight.here)
    after = _next_entry(position, "lost", fold_rolls(position.state, rolls), battle)
    return Happened((*began, *done, stopped), after)


def won(position: Position) -> Step:
    """Move in, unless it has to be asked first whether a secret capital was taken (R-CAP-NO-03)."""
    fight = position.fight
    assert fight is not None
    capital = position.state.capitals.get(PlayerId(fight.defender))
    if capital == "":
        return Ask(CapitalAt(PlayerId(fight.defender), fight.target))
    return conquered(position, capital == fight.target)


def conquered(position: Position, is_capital: bool) -> Happened:
    """Move in, sweep if it was a capital, and see whether somebody is out (R-ATT-14, R-ATT-16)."""
    attack, fight, player = position.orders.attacks[position.entry], position.fight, position.orders.player
    assert fight is not None
    course = Course(fold_rolls(position.state, position.rolls))
    course.add(e.TerritoryConquered(player, fight.source, fight.target, fight.defender))
    on_path = position.leg + 1 < len(attack.targets)
    course.add(_advance(course.state, player, fight, Amount("all") if on_path else attack.advance))
    if is_capital:
        from referee.game.capitals import capital_falls

        capital_falls(course, player, PlayerId(fight.defender), fight.target)
    gone = course.state.falling
    if gone:
        course.add(e.PlayerEliminated(gone, player, position.turn))
        hand = course.state.hands[PlayerId(gone)]
        if hand:
            course.add(e.CardsTakenOver(player, gone, hand))
    after = position._replace(state=course.state, fight=None, rolls=(), battle=fight.battle, taken=position.taken + 1,
        gone=gone, land=fight.target, traded=0,
    )  # fmt: skip
    return check_missions(Happened(tuple(course.events), after), player, "windfall")


def _advance(state: State, player: PlayerId, fight: Fight, asked: Amount) -> e.ArmiesAdvanced:
    """Clip what is asked to what is legal: the armies of the last roll at least, all but one at most (Q-22, P-05)."""
    source, target = fight.source, fight.target
    here, least = state.armies[source], fight.used
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
        return Happened((), _next_entry(position, "won", position.state, position.battle))
    return _begin_leg(position, attack, position.leg + 1)
