"""Standing orders files: defence dice, neutral armies, a plan for a missed turn (DESIGN section 4).

How entries are spelt is known to `orders`, as they are the same in the plan for a missed turn; whether the rules allow
them is asked of `referee.game.legality`.
"""

from collections.abc import Collection, Mapping
from typing import Any

from referee.documents.orders import MOST_ARMIES, BodyProblems, OrdersReader
from referee.game.board import Board
from referee.game.orders import Absence, NeutralPlan, PlayerId, Standing
from referee.game.records import NamedTuple
from referee.game.trees import shown

KEYS = ("format", "game", "nonce", "player", "sequence", "note", "defend", "neutral", "missed")
_PLAN = ("trade", "place", "attack", "windfall", "fortify")


class StandingBody(NamedTuple):
    """Standing orders with their note."""

    standing: Standing
    note: str


def read_standing(
    tree: Mapping[str, Any], board: Board, players: Collection[str], me: str
) -> StandingBody | BodyProblems:
    """Read standing orders by player `me`."""
    reader = OrdersReader(board, players, me, "defend")
    reader.expect_keys(tree, "", ("game", "nonce", "player", "sequence"), KEYS)
    defend = reader.table(tree, "defend", "")
    dice = reader.count(defend, "dice", "defend.", 2)
    lands = reader.placement({k: v for k, v in defend.items() if k != "dice"}, "defend")
    for territory, number in lands:
        if number > 2:
            reader.wrong("number", f"defend.{territory}", f"{shown(number)} is no number from 1 to 2")
    standing = Standing(
        PlayerId(me),
        reader.number(tree, "sequence", "", 1, MOST_ARMIES),
        dice,
        dict(lands),
        _neutral(reader, tree),
        _missed(reader, tree),
    )
    note = reader.note(tree)
    return BodyProblems(tuple(reader.problems)) if reader.problems else StandingBody(standing, note)


def _neutral(reader: OrdersReader, tree: Mapping[str, Any]) -> NeutralPlan:
    """Read `neutral`: "even", a ranking, or { border = PLAYER } (P-12)."""
    value = tree.get("neutral", "even")
    if value == "even":
        return None
    if isinstance(value, list):
        return reader.territories(value, "neutral")
    if isinstance(value, dict):
        reader.expect_keys(value, "neutral.", ("border",))
        return reader.player(value.get("border"), "neutral.border")
    reader.wrong(
        "neutral",
        "neutral",
        f'{shown(value)} is not "even", a list of territories or {{ border = PLAYER }}',
    )
    return None


def _missed(reader: OrdersReader, tree: Mapping[str, Any]) -> Absence | None:
    """Read [missed]: what to do if a turn is missed."""
    if "missed" not in tree:
        return None
    table = reader.table(tree, "missed", "")
    reader.expect_keys(table, "missed.", (), _PLAN)
    return Absence(
        "standing",
        reader.trade_word(table, "missed."),
        reader.territories(table.get("place", []), "missed.place"),
        reader.attacks(table, "missed."),
        reader.windfalls(table, "missed."),
        reader.fortifies(table, "missed."),
    )
