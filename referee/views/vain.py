"""What stands in legal orders of a turn and cannot work, whatever the dice do, in plain words for the command line.

Only what is certain is said: armies are counted at their most, with all that is placed and all that can come in by
earlier entries, and defenders at their least or most. Where somebody may be eliminated on the way, whose cards may
bring armies, only the first entry is looked at. It decides nothing: what would end an attack is asked of
`referee.game`.
"""

from collections.abc import Iterator

from referee.game.attacking import stop, two_dice_from
from referee.game.board import TerritoryId
from referee.game.legality import Refusal, bonus_of
from referee.game.orders import NEUTRAL, Attack, Orders
from referee.game.rules import BONUS_ARMIES
from referee.game.state import State

Armies = dict[TerritoryId, int]


def in_vain(orders: Orders, state: State) -> list[str]:
    """Return a sentence for each part of legal orders that cannot work or never comes to matter."""
    armies: Armies = {land: state.armies[land] for land in state.territories_of(orders.player)}
    for land, number in orders.place:
        armies[land] += number
    found = list(_bonuses(orders, state, armies))
    wanted: set[TerritoryId] = set()
    reached = {target for attack in orders.attacks for target in attack.targets}
    seen = orders.attacks[:1] if _may_eliminate(state, orders.player, reached) else orders.attacks
    for number, attack in enumerate(seen, start=1):
        if attack.is_complete:
            found += _of_attack(f"attack[{number}]", attack, orders, state, armies, wanted)
            wanted.update(attack.targets)
    if seen == orders.attacks:
        found += _of_fortifies(orders, state, armies)
    return found


def _of_fortifies(orders: Orders, state: State, armies: Armies) -> Iterator[str]:
    """Name each final move that leaves nobody to go: as many as are kept, or more, can never be there."""
    for number, entry in enumerate(orders.fortifies, start=1):
        most = armies.get(entry.source)
        if most is not None and entry.armies.kind == "keep" and entry.armies.number >= most:
            name = state.board.name_of(entry.source, "en")
            yield f"fortify[{number}] keeps {entry.armies.number}: {_armies(most)} at most can be in {name}"


def _bonuses(orders: Orders, state: State, armies: Armies) -> Iterator[str]:
    """Put the bonus armies of sets down, and name a bonus that a set has no more (Q-13)."""
    used = False
    for number, trade in enumerate(orders.trades, start=1):
        bonus = bonus_of(trade, state, orders.player, used)
        if isinstance(bonus, Refusal):
            continue
        for land in bonus:
            armies[land] += BONUS_ARMIES
        if used and trade.bonus is not None and not bonus:
            yield f"trade[{number}].bonus brings nothing: an earlier set has the bonus of this turn"
        used = used or bool(bonus)


def _may_eliminate(state: State, player: str, reached: set[TerritoryId]) -> bool:
    """Say whether somebody's cards may bring armies on the way: that of whom all land is aimed at, or swept."""
    if state.rules.elimination_trade == "none":
        return False
    if state.rules.capitals == "secret_sweep":
        return True
    others = (other for other in state.players if other != player)
    return any(state.territories_of(other) and reached.issuperset(state.territories_of(other)) for other in others)


def _of_attack(
    key: str, attack: Attack, orders: Orders, state: State, armies: Armies, wanted: set[TerritoryId]
) -> Iterator[str]:
    """Look at one entry; `armies` are the most there can be where that is known, and are carried on from leg to leg.

    `wanted` are the targets of the entries before, which may have fewer defenders by then.
    """
    source, target = attack.source, attack.targets[0]
    if source is None or source not in armies:
        return
    here = armies[source]
    there = 1 if target in wanted else state.armies[target]
    ended = stop(attack, two_dice_from(state, target, orders.player), here, there, 0, 0)
    if ended:
        most = f"{_armies(here)} at most can be in {state.board.name_of(source, 'en')}"
        yield f"{key}{_ENDED[ended].format(attack=attack)}: {most}"
        return
    if attack.max_losses > here - 1:
        yield f"{key}.max_losses = {attack.max_losses} is never reached: {_armies(here - 1)} at most can be lost"
    # Each roll costs an army or more of those who may fall.
    rolls = max(here - leg - 1 + state.armies[land] - 1 for leg, land in enumerate(attack.targets))
    if attack.max_rolls > rolls and not any(_grows(state, land) for land in attack.targets):
        yield f"{key}.max_rolls = {attack.max_rolls} is never reached: a leg is over after {rolls} at most"
    for target in attack.targets:
        here -= 1
        armies[target] = max(armies.get(target, 0), here)
    advance = attack.advance
    if advance.kind == "exactly" and advance.number > here:
        yield f"{key}.advance = {advance.number} is more than can go: {_armies(here)} at most"
    if advance.kind == "keep" and advance.number > here:
        yield f"{key}.advance keeps more than there can be: the least goes on, of {_armies(here + 1)} at most"


def _grows(state: State, target: TerritoryId) -> bool:
    """Say whether a target may get armies before the first attack (Q-26)."""
    return state.owners[target] == NEUTRAL and state.rules.neutral_army == "n28_reinforced"


_ENDED = {
    "too-few-armies": " cannot begin, since one army stays",
    "stop-at": ".stop_at = {attack.stop_at} ends it before the first roll",
    "min-odds": ".min_odds = {attack.min_odds} ends it before the first roll",
}
"""By the reason of the referee."""


def _armies(number: int) -> str:
    return "1 army" if number == 1 else f"{number} armies"
