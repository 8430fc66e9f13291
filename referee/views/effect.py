"""What stands in legal orders and can take no effect in this game, in plain words for the command line.

A player who has said it believes that it will be done. It is no error: standing orders are good for many turns, and
the same file may be meant for several games. It decides nothing; `understood` says what the rest means.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from referee.documents.checking import Looked
from referee.game.orders import Orders, Standing
from referee.game.position import NewStanding
from referee.game.state import State


def without_effect(tree: Mapping[str, Any], looked: Looked, state: State) -> list[str]:
    """Return each part of a document that can take no effect, with the reason: of standing orders, of a turn."""
    if isinstance(looked.body, Orders):
        from referee.views.vain import in_vain

        return in_vain(looked.body, state)
    if not isinstance(looked.body, NewStanding):
        return []
    standing = looked.body.standing
    return [f"{part} has no effect in this game: {why}" for part, why in _idle(tree, standing, state)]


def _idle(tree: Mapping[str, Any], standing: Standing, state: State) -> Iterator[tuple[str, str]]:
    rules = state.rules
    if "neutral" in tree and rules.neutral_army != "n28_reinforced":
        none = rules.neutral_army == "none"
        yield "neutral", "there is no neutral army" if none else "the neutral army gets nothing after the start"
    if tree.get("defend") and rules.defence_dice == "maximum":
        yield "[defend]", "the defender always rolls as many dice as may be"
    plan = standing.missed
    if plan is None:
        return
    if state.settings.missed != "standing":
        yield "[missed]", _MISSED[state.settings.missed]
    elif plan.windfalls and not plan.attacks:
        yield "[[missed.windfall]]", "without [[missed.attack]] nobody is eliminated"


_MISSED = {
    "wait": "the game waits for a missed turn, as missed=wait",
    "default": "a missed turn is played by the rules alone, as missed=default",
}
