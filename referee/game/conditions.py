"""Conditions of order entries: what they say, when they hold, what they read (DESIGN section 4, "Conditions").

    TERRITORY is mine | neutral | PLAYER        CONTINENT is mine | PLAYER
    TERRITORY >= N  (also > <= < =)             taken >= N        cards >= N
    PLAYER is out                               last attack won | lost | skipped

The words are English, the names in any language of the board. The owner is stored as a player's id, so a condition
means the same whoever reads it.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Literal

from referee.game.board import Board, ContinentId, TerritoryId
from referee.game.records import NamedTuple

Operator = Literal[">=", "<=", ">", "<", "="]
Last = Literal["none", "won", "lost", "skipped"]
Counted = Literal["taken", "cards"]

NUMBER_LIMIT = 1_000_000
WORDS = frozenset({"mine", "neutral", "out", "taken", "cards", "last", "is", "won", "lost", "skipped", "attack"})
"""Words of the grammar, which no player may have as id."""


class TerritoryIs(NamedTuple):
    """The territory is held by `owner`."""

    territory: TerritoryId
    owner: str


class ContinentIs(NamedTuple):
    """All territories of the continent are held by `owner`."""

    continent: ContinentId
    owner: str


class ArmiesAre(NamedTuple):
    """So many armies stand there, whoever owns them."""

    territory: TerritoryId
    operator: Operator
    number: int


class CountIs(NamedTuple):
    """So many territories were taken in battle this turn, or so many cards are in her hand."""

    counted: Counted
    operator: Operator
    number: int


class PlayerIsOut(NamedTuple):
    """The player has no army left."""

    player: str


class LastAttackWas(NamedTuple):
    """How the entry before ended; none holds before the first."""

    outcome: Last


Condition = TerritoryIs | ContinentIs | ArmiesAre | CountIs | PlayerIsOut | LastAttackWas


class Mistake(NamedTuple):
    """Why a text is no condition; `column` counts from 1."""

    code: str
    column: int
    word: str
    hint: str = ""


if TYPE_CHECKING:
    from typing import Protocol

    class Situation(Protocol):
        """What conditions are asked about."""

        @property
        def owners(self) -> Mapping[TerritoryId, str]: ...
        @property
        def armies(self) -> Mapping[TerritoryId, int]: ...
        @property
        def board(self) -> Board: ...


def holds(
    condition: Condition, on: "Situation", taken: int, cards: int, out: Callable[[], Collection[str]], last: Last
) -> bool:
    """Say whether a condition holds: `taken` and `cards` are numbers, `out` asks for the players without armies."""
    match condition:
        case TerritoryIs(territory, owner):
            return on.owners[territory] == owner
        case ContinentIs(continent, owner):
            return all(on.owners[t] == owner for t in on.board.continents[continent].territories)
        case ArmiesAre(territory, operator, number):
            return _compare(on.armies[territory], operator, number)
        case CountIs(counted, operator, number):
            return _compare(taken if counted == "taken" else cards, operator, number)
        case PlayerIsOut(player):
            return player in out()
        case LastAttackWas(outcome):
            return last == outcome


def reads(condition: Condition, board: Board) -> frozenset[tuple[str, str]]:
    """Return what a condition looks at, as (kind, name): `owner`, `armies`, `count`, `out`, `last`."""
    match condition:
        case TerritoryIs(territory, _):
            return frozenset({("owner", territory)})
        case ContinentIs(continent, _):
            return frozenset(("owner", t) for t in board.continents[continent].territories)
        case ArmiesAre(territory, _, _):
            return frozenset({("armies", territory)})
        case CountIs(counted, _, _):
            return frozenset({("count", counted)})
        case PlayerIsOut(player):
            return frozenset({("out", player)})
        case LastAttackWas():
            return frozenset({("last", "attack")})


def words(condition: Condition) -> str:
    """Write a condition in the words of the grammar, names by id and owners by player, as events carry it."""
    match condition:
        case TerritoryIs(place, owner) | ContinentIs(place, owner):
            return f"{place} is {owner}"
        case ArmiesAre(place, operator, number) | CountIs(place, operator, number):
            return f"{place} {operator} {number}"
        case PlayerIsOut(player):
            return f"{player} is out"
        case LastAttackWas(outcome):
            return f"last attack {outcome}"


def _compare(value: int, operator: Operator, number: int) -> bool:
    match operator:
        case ">=":
            return value >= number
        case "<=":
            return value <= number
        case ">":
            return value > number
        case "<":
            return value < number
        case "=":
            return value == number


_COMPARISON = re.compile(r"(?P<left>[^<>=]*?)\s*(?P<operator>>=|<=|>|<|=)\s*(?P<number>.*)", re.DOTALL)
_IS = re.compile(r"(?P<left>.*?)\s+is\s+(?P<right>.*)", re.DOTALL | re.IGNORECASE)
_LAST = re.compile(r"last\s+attack\s+(?P<right>.*)", re.DOTALL | re.IGNORECASE)
_OPERATORS: dict[str, Operator] = {">=": ">=", "<=": "<=", ">": ">", "<": "<", "=": "="}
_OUTCOMES: dict[str, Last] = {"won": "won", "lost": "lost", "skipped": "skipped"}


def parse_condition(text: str, board: Board, me: str, players: Collection[str]) -> Condition | Mistake:
    """Read a condition written by player `me`; a mistake names the column, counted from 1."""
    start = len(text) - len(text.lstrip()) + 1
    body = text.strip()
    if found := _COMPARISON.fullmatch(body):
        return _comparison(found, start, board)
    if found := _LAST.fullmatch(body):
        outcome = _OUTCOMES.get(found["right"].lower())
        return LastAttackWas(outcome) if outcome else _wrong("no-outcome", found, "right", start)
    if found := _IS.fullmatch(body):
        return _is(found, start, board, me, players)
    return Mistake("no-condition", start, body)


def _wrong(code: str, found: re.Match[str], group: str, start: int, hint: str | None = "") -> Mistake:
    return Mistake(code, start + found.start(group), found[group], hint or "")


def _comparison(found: re.Match[str], start: int, board: Board) -> Condition | Mistake:
    operator = _OPERATORS[found["operator"]]
    if not re.fullmatch(r"[0-9]{1,7}", found["number"]) or int(found["number"]) > NUMBER_LIMIT:
        return _wrong("no-number", found, "number", start)
    number = int(found["number"])
    left = found["left"].lower()
    if left in ("taken", "cards"):
        return CountIs("taken" if left == "taken" else "cards", operator, number)
    territory = board.find_territory(found["left"])
    if territory is None:
        return _wrong("no-territory", found, "left", start, board.nearest_territory(found["left"]))
    return ArmiesAre(territory, operator, number)


def _is(found: re.Match[str], start: int, board: Board, me: str, players: Collection[str]) -> Condition | Mistake:
    left, right = found["left"], found["right"].strip().lower()
    if right == "out":
        player = left.strip().lower()
        return PlayerIsOut(player) if player in players else _wrong("no-player", found, "left", start)
    owner = {"mine": me, "neutral": "neutral"}.get(right, right)
    known = owner in players or right in ("mine", "neutral")
    territory = board.find_territory(left)
    if territory is not None:
        return TerritoryIs(territory, owner) if known else _wrong("no-owner", found, "right", start)
    continent = board.find_continent(left)
    if continent is not None:
        if right == "neutral" or not known:
            return _wrong("no-owner", found, "right", start)
        return ContinentIs(continent, owner)
    return _wrong("no-territory", found, "left", start, board.nearest_territory(left))
