"""What stands in legal orders of a turn and cannot work, whatever the dice do, in plain words for the command line.

Only what is certain is said: armies are counted at their most, with all that is placed and all that can come in by
earlier entries, and defenders at their least or most. From where somebody may be eliminated on, whose cards may bring
armies, no armies are counted. Of a condition that can never hold (`outlook`), the entry is all that is named. It
decides nothing: what would end an attack is asked of `referee.game`.
"""

from collections.abc import Iterator

from referee.game.attacking import stop, two_dice_from
from referee.game.board import TerritoryId
from referee.game.legality import Refusal, bonus_of
from referee.game.orders import NEUTRAL, Attack, Orders
from referee.game.rules import BONUS_ARMIES
from referee.game.state import State
from referee.views.outlook import Outlook

Armies = dict[TerritoryId, int]


def in_vain(orders: Orders, state: State) -> list[str]:
    """Return a sentence for each part of legal orders that cannot work or never comes to matter."""
    armies: Armies = {land: state.armies[land] for land in state.territories_of(orders.player)}
    for land, number in orders.place:
        armies[land] += number
    found = list(_bonuses(orders, state, armies))
    reached: set[TerritoryId] = set()
    for number, attack in enumerate(orders.attacks):
        key, before = f"attack[{number + 1}]", orders.attacks[:number]
        outlook = Outlook(state, orders, armies, before, reached)
        never = outlook.never_carried_out(key, attack.guard)
        said: list[str] = []
        if attack.is_complete and not outlook._replace(reached={*reached, *attack.targets[:-1]}).may_bring_armies():
            said = list(_of_attack(key, attack, orders, state, armies, reached))
        found += never or [*_of_way(key, attack), *said]
        reached.update(attack.targets)
    outlook = Outlook(state, orders, armies, orders.attacks, reached, drawn=True)
    return [*found, *_of_windfalls(outlook), *_of_fortifies(outlook)]


def _of_windfalls(outlook: Outlook) -> Iterator[str]:
    """Name what never comes true when somebody falls; where nobody can, nothing is said."""
    if outlook.may_have_fallen():
        falling = outlook._replace(during=True, drawn=False)
        for number, entry in enumerate(outlook.orders.windfalls, start=1):
            yield from falling.never_carried_out(f"windfall[{number}]", entry.guard)


def _of_fortifies(outlook: Outlook) -> Iterator[str]:
    """Name each final move that is never made, or leaves nobody to go: as many as are kept can never be there."""
    for number, entry in enumerate(outlook.orders.fortifies, start=1):
        yield from outlook.never_carried_out(f"fortify[{number}]", entry.guard)
        most = None if outlook.may_bring_armies() else outlook.armies.get(entry.source)
        if most is not None and entry.armies.kind == "keep" and entry.armies.number >= most:
            name = outlook.state.board.name_of(entry.source, "en")
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


def _of_way(key: str, attack: Attack) -> Iterator[str]:
    """Name where a path comes back to: that is hers by then, which ends the path (DESIGN 4, small print)."""
    way = (attack.source, *attack.targets)
    for place, target in enumerate(way):
        if target in way[:place]:
            yield f"{key}.path[{place + 1}] is never fought for: the path has been there already"
            return


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
