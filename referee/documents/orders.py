"""Orders files: from a tree to `Orders`, `Claim` or `Deployment`, every problem at once (DESIGN section 4).

This module knows how orders are spelt; whether the rules allow them is asked of `referee.game.legality`. A player's
names of territories, continents and players are resolved here. Numbers are checked for their range, which depends on
nothing but the order itself.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from referee.documents.lines import joined
from referee.errors import Problem
from referee.game.board import Board, CardId, TerritoryId
from referee.game.conditions import Condition, Mistake, parse_condition
from referee.game.orders import (
    Amount,
    Attack,
    CapitalChoice,
    Claim,
    Deployment,
    Fortify,
    Guard,
    Orders,
    Placement,
    PlayerId,
    SetUpOrders,
    Trade,
    Windfall,
    WindfallTrade,
)
from referee.game.records import NamedTuple
from referee.game.state import Phase
from referee.game.trees import TreeReader, as_list, known_hint, shown, unquoted

MOST_ARMIES = 1_000_000
LONGEST_NOTE = 2_000
LONGEST_NAME = 60
LONGEST_CONDITION = 120
MOST_CONDITIONS = 20
MOST_ENTRIES = 500
"""Entries of one list in an orders file: more than a game needs, few enough to be played in a moment."""

HEAD = ("format", "game", "turn", "state", "player", "sequence", "salt", "note")
TURN = ("trade", "place", "attack", "windfall", "fortify")
SET_UP_KEYS = ("claim", "deploy", "capital", "neutral")
"""What orders of the set-up say; a host opens those of all together, so it is sealed to him."""
ATTACK = (
    "from", "to", "path", "armies", "dice", "stop_at", "max_rolls", "max_losses", "min_odds", "advance", "if", "unless",
)  # fmt: skip

_TRADES: dict[str, WindfallTrade] = {"forced": "forced", "best": "best", "none": "none"}

_CONDITION_TEXTS = {
    "no-condition": '"{word}" is no condition, such as "alaska is mine" or "alaska >= 3"',
    "no-outcome": '"{word}" is not won, lost or skipped',
    "no-number": '"{word}" is no number',
    "no-territory": '"{word}" is no territory, continent or player',
    "no-player": '"{word}" is no player of this game',
    "no-owner": '"{word}" is not mine, neutral or a player',
}


class OrdersReader(TreeReader):
    """Takes the body of an orders or standing document apart; what is wrong is collected in `problems`."""

    def __init__(self, board: Board, players: Collection[str], me: str, heading: str = "place") -> None:
        """Begin with no problems; `heading` is that of the table in which the document has territories."""
        super().__init__("orders")
        self.board = board
        self.players = players
        self.me = me
        self.heading = heading

    def hint_for(self, word: str, known: Iterable[str], key: str) -> str:
        """Return the hint for a key that is none; above the first heading it may belong below one."""
        if word != key:
            return known_hint(word, known)
        from referee.documents.advice import about_key

        return about_key(word, tuple(known), self.board, self.heading)

    # --- names

    def territory(self, value: object, key: str) -> TerritoryId | None:
        """Return the territory that a text names."""
        if not isinstance(value, str):
            self.wrong("text", key, "must be the name of a territory")
            return None
        found = self.board.find_territory(value) if len(value) <= LONGEST_NAME else None
        if found is None:
            near = None if self.has_enough else self.board.nearest_territory(value)
            hint = f'did you mean "{near}"?' if near else ""
            self.wrong("unknown-territory", key, f'"{value}" is no territory', hint)
        return found

    def territories(self, value: object, key: str) -> tuple[TerritoryId, ...]:
        """Return a list of territories."""
        if not isinstance(value, list):
            self.wrong("list", key, "must be a list of territories", as_list(key, value))
            return ()
        found = [self.territory(item, f"{key}[{n}]") for n, item in enumerate(value, start=1)]
        return tuple(t for t in found if t is not None)

    def ranking(self, value: object, key: str) -> tuple[TerritoryId, ...]:
        """Return a list of territories in which none stands twice."""
        most = len(self.board.territories)
        if isinstance(value, list) and len(value) > most:
            self.wrong("too-many", key, f"{len(value)} territories, the board has {most}")
            return ()
        found = self.territories(value, key)
        for number, territory in enumerate(found):
            if territory in found[:number]:
                self.wrong("same-territory", f"{key}[{number + 1}]", f'"{territory}" stands in the list before')
        return found

    def player(self, value: object, key: str) -> PlayerId | None:
        """Return a player of this game."""
        if isinstance(value, str) and value.lower() in self.players:
            return PlayerId(value.lower())
        looked_for = isinstance(value, str) and not self.has_enough
        hint = known_hint(str(value), self.players) if looked_for else ""
        self.wrong("unknown-player", key, f"{shown(value)} is no player of this game", hint)
        return None

    # --- numbers

    def count(self, table: Mapping[str, Any], key: str, path: str, most: int = MOST_ARMIES) -> int:
        """Return a number from 1, or 0 if it is not given."""
        return self.number(table, key, path, 1, most) if key in table else 0

    def amount(self, table: Mapping[str, Any], key: str, path: str, words: tuple[str, ...], default: str) -> Amount:
        """Return an amount of armies: one of `words`, a number, or { keep = N }."""
        value = table.get(key, default)
        if value == "auto" and "auto" in words:
            return Amount("auto")
        if value == "least" and "least" in words:
            return Amount("least")
        if value == "all":
            return Amount("all")
        if isinstance(value, dict):
            self.expect_keys(value, f"{path}{key}.", ("keep",))
            return Amount("keep", self.number(value, "keep", f"{path}{key}.", 1, MOST_ARMIES))
        if type(value) is int:
            return Amount("exactly", self.number(table, key, path, 1, MOST_ARMIES))
        allowed = ", ".join(f'"{word}"' for word in words)
        self.wrong(
            "amount",
            f"{path}{key}",
            f"{shown(value)} is not {allowed}, a number or {{ keep = N }}",
            unquoted(value),
        )
        return Amount("all")

    def armies(self, value: object, key: str) -> int:
        """Return a number of armies to place."""
        if type(value) is int and 1 <= value <= MOST_ARMIES:
            return value
        hint = "a territory that gets no armies is left out" if value == 0 else unquoted(value)
        self.wrong("number", key, f"{shown(value)} is no number from 1 to {MOST_ARMIES}", hint)
        return 1

    def placement(self, value: object, key: str) -> Placement:
        """Return a table of territories and numbers, in the order of the board."""
        if not isinstance(value, dict):
            self.wrong("table", key, f"must be a table, [{key}]")
            return ()
        found: dict[TerritoryId, int] = {}
        spelt: dict[TerritoryId, str] = {}
        for name in value:
            where = joined(key, name)
            if name in HEAD and self.board.find_territory(name) is None:
                hint = f'"{name}" stands above the first heading, such as [place]'
                self.wrong("unknown-territory", where, f'"{name}" is no territory', hint)
                continue
            territory = self.territory(name, where)
            number = self.armies(value[name], where)
            if territory is None:
                continue
            if territory in found:
                same = f'"{name}" and "{spelt[territory]}" are the same territory'
                self.wrong("same-territory", where, same)
            found[territory], spelt[territory] = number, name
        return tuple((t, found[t]) for t in self.board.territories if t in found)

    # --- entries

    def entries(self, tree: Mapping[str, Any], key: str, path: str = "") -> list[Mapping[str, Any]]:
        """Return the entries of a list such as [[attack]]."""
        found = self.tables(tree, key, path)
        if len(found) > MOST_ENTRIES:
            self.wrong("too-many", f"{path}{key}", f"{len(found)} entries, the most are {MOST_ENTRIES}")
            return []
        return found

    def guard(self, table: Mapping[str, Any], path: str) -> Guard:
        """Return the conditions of an entry."""
        return Guard(self._conditions(table, "if", path), self._conditions(table, "unless", path))

    def _conditions(self, table: Mapping[str, Any], key: str, path: str) -> tuple[Condition, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            self.wrong("list", f"{path}{key}", "must be a list of conditions, each a string", as_list(key, value))
            return ()
        if len(value) > MOST_CONDITIONS:
            message = f"{len(value)} conditions, the most are {MOST_CONDITIONS}"
            self.wrong("too-many", f"{path}{key}", message)
            return ()
        found = []
        for number, text in enumerate(value, start=1):
            if self.has_enough:
                break
            if len(text) > LONGEST_CONDITION:
                message = f"{len(text)} characters, the most are {LONGEST_CONDITION}"
                self.wrong("long-condition", f"{path}{key}[{number}]", message)
                continue
            condition = parse_condition(text, self.board, self.me, self.players)
            if isinstance(condition, Mistake):
                self._mistake(condition, text, f"{path}{key}[{number}]")
            else:
                found.append(condition)
        return tuple(found)

    def _mistake(self, mistake: Mistake, text: str, key: str) -> None:
        from referee.documents.advice import about_condition

        message = _CONDITION_TEXTS[mistake.code].format(word=mistake.word)
        hint = about_condition(text, mistake, self.board, self.players)
        self.wrong(f"condition-{mistake.code}", key, f"column {mistake.column}: {message}", hint)

    def trade(self, table: Mapping[str, Any], path: str) -> Trade:
        """Return a [[trade]]."""
        self.expect_keys(table, path, ("cards",), ("bonus",))
        cards: list[CardId] = []
        for number, text in enumerate(self.texts(table, "cards", path), start=1):
            card = self.board.find_card(text) if len(text) <= LONGEST_NAME else None
            if card is None:
                near = None if self.has_enough else self.board.nearest_card(text)
                hint = f'did you mean "{near}"?' if near else ""
                self.wrong("unknown-card", f"{path}cards[{number}]", f'"{text}" is no card', hint)
            else:
                cards.append(card)
        if "cards" in table and isinstance(table["cards"], list) and len(table["cards"]) != 3:
            self.wrong(
                "not-three-cards",
                f"{path}cards",
                f"{len(table['cards'])} cards, a set is three (R-CARD-01)",
            )
        bonus = self.territory(table["bonus"], f"{path}bonus") if "bonus" in table else None
        return Trade(tuple(cards), bonus)

    def attack(self, table: Mapping[str, Any], path: str) -> Attack:
        """Return an [[attack]]; what is not named stays empty, for legality to judge."""
        self.expect_keys(table, path, (), ATTACK)
        source: TerritoryId | None = None
        targets: tuple[TerritoryId, ...] = ()
        if "path" in table:
            if "from" in table or "to" in table:
                self.wrong(
                    "path-and-from",
                    f"{path}path",
                    '"path" stands for "from" and "to", not beside them',
                )
            way = self.territories(table["path"], f"{path}path")
            if isinstance(table["path"], list) and len(table["path"]) < 2:
                self.wrong("short-path", f"{path}path", "a path names at least two territories")
            source, targets = (way[0], way[1:]) if way else (None, ())
        else:
            source = self.territory(table["from"], f"{path}from") if "from" in table else None
            target = self.territory(table["to"], f"{path}to") if "to" in table else None
            targets = (target,) if target is not None else ()
        return Attack(
            source,
            targets,
            armies=self.count(table, "armies", path, 3) or 3,
            dice=self.count(table, "dice", path, 3),
            stop_at=self.count(table, "stop_at", path),
            max_rolls=self.count(table, "max_rolls", path),
            max_losses=self.count(table, "max_losses", path),
            min_odds=self.number(table, "min_odds", path, 0, 100),
            advance=self.amount(table, "advance", path, ("auto", "least", "all"), "auto"),
            guard=self.guard(table, path),
            as_path="path" in table,
        )

    def trade_word(self, table: Mapping[str, Any], path: str) -> WindfallTrade:
        """Return `forced`, `best` or `none`."""
        word = table.get("trade", "forced")
        if isinstance(word, str) and word in _TRADES:
            return _TRADES[word]
        self.wrong("trade-word", f"{path}trade", f'{shown(word)} is not "forced", "best" or "none"')
        return "forced"

    def windfall(self, table: Mapping[str, Any], path: str) -> Windfall:
        """Return a [[windfall]]."""
        self.expect_keys(table, path, (), ("player", "trade", "place", "if", "unless"))
        player = self.player(table["player"], f"{path}player") if "player" in table else None
        place = self.territories(table.get("place", []), f"{path}place")
        return Windfall(player, self.trade_word(table, path), place, self.guard(table, path))

    def fortify(self, table: Mapping[str, Any], path: str) -> Fortify | None:
        """Return a [[fortify]]."""
        self.expect_keys(table, path, ("from", "to"), ("armies", "if", "unless"))
        source = self.territory(table["from"], f"{path}from") if "from" in table else None
        target = self.territory(table["to"], f"{path}to") if "to" in table else None
        armies = self.amount(table, "armies", path, ("all",), "all")
        guard = self.guard(table, path)
        return Fortify(source, target, armies, guard) if source and target else None

    def note(self, tree: Mapping[str, Any]) -> str:
        """Return the note."""
        note = self.text(tree, "note", "")
        if len(note) > LONGEST_NOTE:
            self.wrong("long-note", "note", f"{len(note)} characters, the most are {LONGEST_NOTE}")
            return ""
        return note

    def attacks(self, tree: Mapping[str, Any], path: str = "") -> tuple[Attack, ...]:
        """Return the list of attacks."""
        tables = self.entries(tree, "attack", path)
        return tuple(self.attack(t, f"{path}attack[{n}].") for n, t in enumerate(tables, start=1))

    def windfalls(self, tree: Mapping[str, Any], path: str = "") -> tuple[Windfall, ...]:
        """Return all [[windfall]] entries."""
        tables = self.entries(tree, "windfall", path)
        return tuple(self.windfall(t, f"{path}windfall[{n}].") for n, t in enumerate(tables, start=1))

    def fortifies(self, tree: Mapping[str, Any], path: str = "") -> tuple[Fortify, ...]:
        """Return all [[fortify]] alternatives."""
        tables = self.entries(tree, "fortify", path)
        found = [self.fortify(t, f"{path}fortify[{n}].") for n, t in enumerate(tables, start=1)]
        return tuple(entry for entry in found if entry)


class BodyProblems(NamedTuple):
    """What is wrong with the body of a document."""

    problems: tuple[Problem, ...]


def read_orders(tree: Mapping[str, Any], board: Board, players: Collection[str], me: str) -> Orders | BodyProblems:
    """Read a turn's orders by player `me`."""
    reader = OrdersReader(board, players, me)
    reader.expect_keys(tree, "", (), (*HEAD, *TURN, *SET_UP_KEYS, "sealed"))
    for key in (*SET_UP_KEYS, "sealed"):
        if key in tree:
            reader.wrong("not-now", key, f'"{key}" belongs to the set-up, which is over')
    orders = Orders(
        PlayerId(me),
        tuple(reader.trade(t, f"trade[{n}].") for n, t in enumerate(reader.entries(tree, "trade"), start=1)),
        reader.placement(tree.get("place", {}), "place"),
        reader.attacks(tree),
        reader.windfalls(tree),
        reader.fortifies(tree),
        reader.note(tree),
    )
    return BodyProblems(tuple(reader.problems)) if reader.problems else orders


_NOW = {
    "claim": "now territories are claimed",
    "deploy": "now the first armies are placed",
    "capital": "now capitals are chosen",
}


def read_set_up(
    tree: Mapping[str, Any], phase: Phase, board: Board, players: Collection[str], me: str, hidden: bool = False
) -> SetUpOrders | BodyProblems:
    """Read the orders of a phase of the set-up; `tree` is the document with what was sealed laid open.

    With `hidden` it is sealed and cannot be opened here.
    """
    reader = OrdersReader(board, players, me, phase)
    reader.expect_keys(tree, "", (), (*HEAD, *TURN, *SET_UP_KEYS, "sealed", "opening"))
    now = _NOW[phase]
    if phase != "capital" and "opening" in tree:
        reader.wrong("not-now", "opening", '"opening" has no place in this game now')
    for key in TURN:
        if key in tree:
            reader.wrong("not-yet", key, f'"{key}" belongs to a turn; {now}')
    for key in SET_UP_KEYS:
        if key in tree and key != phase and not (key == "neutral" and phase == "deploy"):
            reader.wrong("not-now", key, f'"{key}" has no place in this game now')
    if phase not in tree and not hidden:
        hint = 'in a draft it may stand in lines with "#", which are not read'
        reader.wrong("missing", phase, f"missing: {now}", hint)
    player, note = PlayerId(me), reader.note(tree)
    body: SetUpOrders
    if phase == "claim":
        body = Claim(player, reader.ranking(tree.get("claim", []), "claim"), note)
    elif phase == "capital":
        territory = reader.territory(tree["capital"], "capital") if "capital" in tree else None
        body = CapitalChoice(player, territory or "", note)
    else:
        neutral = reader.placement(tree["neutral"], "neutral") if "neutral" in tree else None
        body = Deployment(player, reader.placement(tree.get("deploy", {}), "deploy"), note, neutral)
    return BodyProblems(tuple(reader.problems)) if reader.problems else body
