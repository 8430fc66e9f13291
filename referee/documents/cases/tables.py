"""Rules that are tables: what a row asks, and what the program says to it.

`[[check]]` in a rule case is one row: `of` names the table, `gives` is what must come out.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from referee import data
from referee.documents.cases.casefile import no_case
from referee.documents.cases.expected import written
from referee.documents.cases.positions import position, preset_of, settled, standing_orders
from referee.documents.cases.shape import POSITION
from referee.game import battle, cards
from referee.game.board import TerritoryId
from referee.game.legality import Refusal, bonus_of, income, must_trade, reach
from referee.game.missions import missions_in_play
from referee.game.orders import Attack, Orders, PlayerId, Trade
from referee.game.position import Happened, Position, Roll
from referee.game.presets import variants_of
from referee.game.rules import INITIAL_ARMIES
from referee.game.state import Player, State, record_standing
from referee.game.turn import step
from referee.game.victory import has_fulfilled


def checks(tree: Mapping[str, Any]) -> Iterator[str]:
    """`[[check]]`: rows of a table that a rule is; `of` says which table."""
    blank = settled(tree)
    for number, row in enumerate(tree["check"], start=1):
        found = TABLES[row["of"]](blank, row) if row["of"] in TABLES else PRESETS[row["of"]](tree, row)
        if found != row["gives"]:
            asked = {key: value for key, value in row.items() if key != "gives"}
            yield f"check {number}, {written(asked)}: {written(found)}, expected {written(row['gives'])}"


def _table_income(state: State, row: Mapping[str, Any]) -> Any:
    """Share, continents, what was raised, total of who holds so much and these continents."""
    board = state.board
    held = [t for c in row.get("continents", []) for t in board.continents[c].territories]
    spare = [t for c in board.continents.values() for t in c.territories[1:] if c.id not in row.get("continents", [])]
    held += spare[: row["territories"] - len(held)]
    if len(held) != row["territories"]:
        no_case("so many territories cannot be held without other continents", "check")
    owners = {t: "kari" if t in held else "ola" for t in board.territories}
    with_land = state._replace(owners=owners, armies=dict.fromkeys(owners, 1))
    counted = income(with_land, "kari", row.get("sets", 0))
    return [
        counted.share,
        sum(bonus for _, bonus in counted.continents),
        counted.raised,
        counted.total,
    ]


def _battle(state: State, attack: Mapping[str, Any], here: int, there: int, standing: Mapping[str, Any]) -> Any:
    """Return the first step of an attack from Alaska to Kamchatka."""
    board = state.board
    kari, ola = PlayerId("kari"), PlayerId("ola")
    players = {kari: Player(kari, 1, "red"), ola: Player(ola, 2, "blue")}
    owners = {t: "kari" if t == "alaska" else "ola" for t in board.territories}
    armies = dict.fromkeys(board.territories, 1)
    armies |= {TerritoryId("alaska"): here, TerritoryId("kamchatka"): there}
    set_up = state._replace(
        players=players, owners=owners, armies=armies, phase="turn", acting=(PlayerId("kari"),),
        hands=dict.fromkeys(players, ()),
    )  # fmt: skip
    if standing:
        set_up = record_standing(set_up, standing_orders(set_up, "ola", standing))
    entry = Attack(TerritoryId("alaska"), (TerritoryId("kamchatka"),), **attack)
    move = step(Position(set_up, Orders(PlayerId("kari"), attacks=(entry,)), 1, stage="attack"))
    return step(move.position) if isinstance(move, Happened) and not move.events else move


def _table_dice(state: State, row: Mapping[str, Any]) -> Any:
    attack = {key: row[key] for key in ("armies", "dice") if key in row}
    move = _battle(state, attack, row.get("from", 10), row.get("to", 1), row.get("standing", {}))
    return [move.attack, move.defence] if isinstance(move, Roll) else move.events[0].reason


def _table_odds(state: State, row: Mapping[str, Any]) -> Any:
    """Whether an attack with `min_odds` goes on from here."""
    attack = {key: row[key] for key in ("armies", "dice", "min_odds") if key in row}
    move = _battle(state, attack, row["from"], row["to"], row.get("standing", {}))
    return isinstance(move, Roll)


def _table_worth(state: State, row: Mapping[str, Any]) -> Any:
    if not cards.is_set(row["cards"], state.board):
        return "no set"
    return cards.worth(row["cards"], state.board, state.rules, row.get("before", 0))


def _table_best(state: State, row: Mapping[str, Any]) -> Any:
    best = cards.automatic_set(row["hand"], state.board, state.rules, row.get("own", []), row.get("before", 0))
    return list(best or ())


def _table_bonus(state: State, row: Mapping[str, Any]) -> Any:
    owners = {t: "kari" if t in row["own"] else "ola" for t in state.board.territories}
    trade = Trade(tuple(row["cards"]), row.get("bonus"))
    bonus = bonus_of(trade, state._replace(owners=owners), "kari", row.get("used", False))
    return list(bonus) if not isinstance(bonus, Refusal) else bonus.code


def _table_reach(state: State, row: Mapping[str, Any]) -> Any:
    owners = {t: "kari" if t in row["own"] else "ola" for t in state.board.territories}
    found = reach(state._replace(owners=owners), "kari", row["from"])
    return [t for t in state.board.territories if t in found]


def _table_mission(state: State, row: Mapping[str, Any]) -> Any:
    """Whether the first of `players` has fulfilled `mission` in this position."""
    whole = position({"edition": "no", "variant": "mission", **{k: v for k, v in row.items() if k in POSITION}})
    whole = whole._replace(rules=state.rules)
    return has_fulfilled(whole, next(iter(whole.players)), row["mission"])


def _table_first_armies(state: State, row: Mapping[str, Any]) -> Any:
    return INITIAL_ARMIES.get(row["players"], 0)


def _table_continent(state: State, row: Mapping[str, Any]) -> Any:
    """How many territories it has, and its worth."""
    found = state.board.continents[row["continent"]]
    return [len(found.territories), found.bonus]


def _table_count(state: State, row: Mapping[str, Any]) -> Any:
    """How many of something the board has."""
    return len(getattr(state.board, row["what"]))


def _table_symbol(state: State, row: Mapping[str, Any]) -> Any:
    return state.board.symbols.get(row["card"], "joker")


TABLES: Mapping[str, Callable[[State, Mapping[str, Any]], Any]] = {
    "income": _table_income,
    "dice": _table_dice,
    "odds": _table_odds,
    "losses": lambda _, row: list(battle.losses(tuple(row["attack"]), tuple(row["defence"]))),
    "worth": _table_worth,
    "best_set": _table_best,
    "bonus": _table_bonus,
    "forced": lambda state, row: must_trade(row["cards"], row.get("traded", False), state.rules),
    "first_armies": _table_first_armies,
    "reach": _table_reach,
    "neighbours": lambda state, row: sorted(state.board.neighbours[row["territory"]]),
    "continent": _table_continent,
    "mission": _table_mission,
    "missions": lambda state, row: list(missions_in_play(state.board, row["colours"])),
    "count": _table_count,
    "symbol": _table_symbol,
}
"""By name of the table: what is looked up; `shape.ROWS` says with which keys."""

PRESETS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Any]] = {
    "variants": lambda tree, _: list(variants_of(data.tree(f"editions/{tree['edition']}.toml"))),
    "players": lambda tree, _: list(preset_of(tree).players),
    "switch": lambda tree, row: getattr(preset_of(tree).rules_for(row.get("players", 3)), row["key"]),
}
"""Tables about the preset of the case."""
