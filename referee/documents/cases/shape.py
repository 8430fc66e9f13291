"""The keys of a case file, and what each may hold: whatever is wrong with a case is found before it is played.

A case that is misread would prove nothing, so unknown keys, players, territories, cards, kinds and fields of events are
errors, and all of them are noted together. What comes of a case is not asked here.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

from referee import data
from referee.documents.boards import load_board
from referee.documents.eventtables import KINDS, event_keys
from referee.documents.lines import entry, joined
from referee.errors import Problem, RefereeError
from referee.game.events import Decider
from referee.game.orders import NEUTRAL
from referee.game.presets import preset_from, variants_of
from referee.game.records import NamedTuple
from referee.game.rules import ALLOWED, Settings, changed_rules, changed_settings
from referee.game.trees import MOST, TreeReader, shown

SOURCE = re.compile(
    r"(?:[a-z]{2} )?(?:p\.\d+(?:-\d+)?|L\d+(?:-\d+)?)|[a-z]{2} silent|(?:R|Q|P|C|EX|M|S|D)(?:-[A-Z0-9]+)*-\d+"
    r"|DESIGN \d+(?: [A-Za-z ]+)?|RULES \d+(?:\.\d+)?|switch [a-z0-9_]+"
)
"""One place: a page or line of a book (a further one of the same book without its name), a row of the digest of the
rules, a section of the design or of the digest, or a switch."""

FREE = "-"
"""The owner of land that is not claimed yet."""


class CaseReader(TreeReader):
    """Looks through the tree of a case; what is wrong is collected in `problems`."""

    def __init__(self, tree: Mapping[str, Any]) -> None:
        super().__init__("case")
        self.tree = tree
        self.board = load_board("classic")[0]
        self.players = _players_of(tree)

    def one_of(self, value: object, words: Iterable[str], key: str, what: str) -> bool:
        """Say whether a value is one of the words; if not it is noted."""
        known = tuple(words)
        if isinstance(value, str) and value in known:
            return True
        if isinstance(value, str):
            self.unknown(value, known, key, what)
        else:
            self.wrong(f"unknown-{what}", key, f"{shown(value)} is no {what}")
        return False

    def items(self, value: object, key: str) -> list[Any]:
        """Return a list; what is none is noted, and taken as empty."""
        if isinstance(value, list):
            return value
        self.wrong("list", key, f"{shown(value)} is no list")
        return []

    def entries(self, value: object, key: str) -> Mapping[str, Any]:
        """Return a table; what is none is noted, and taken as empty."""
        if isinstance(value, dict):
            return value
        self.wrong("table", key, f"{shown(value)} is no table")
        return {}


def _players_of(tree: Mapping[str, Any]) -> tuple[str, ...]:
    match tree:
        case {"start": {"wishes": dict(wishes)}}:
            return tuple(wishes)
        case {"players": list(seats)}:
            return tuple(seat.partition(" ")[0] for seat in seats if isinstance(seat, str))
    return ()


def case_problems(tree: Mapping[str, Any]) -> list[Problem]:
    """Return everything that is wrong with a case."""
    reader = CaseReader(tree)
    reader.expect_keys(tree, "", _needed(tree), tuple(KEYS))
    _look_through(reader, tree, KEYS, "")
    _look_at_edition(reader, tree)
    match tree.get("start"):
        case {"seats": list(ring)} | {"drawn": list(ring)} if len(ring) != len(reader.players):
            reader.wrong("seats", "start", "everybody in wishes must have one seat")
        case dict(start) if "seats" not in start and "drawn" not in start:
            reader.wrong("seats", "start", "seats or drawn is missing: the players in the order of their seats")
    if "refused" in tree and "expect" in tree:
        reader.wrong("both", "expect", "what is refused changes nothing: leave out either expect or refused")
    return reader.problems


def _needed(tree: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys that a case of this kind cannot do without."""
    head = ("id", "source", "text", "edition", "variant")
    if "check" in tree:
        return head
    if "start" in tree:
        return (*head, "expect")
    position = ("players",) if "claim" in tree else ("players", "board")
    done = () if any(key in tree for key in (*SET_UP, "missed", "resign")) else ("orders",)
    return (*head, *position, *done, *(() if "refused" in tree else ("expect",)))


def _look_at_edition(reader: CaseReader, tree: Mapping[str, Any]) -> None:
    """Look for the edition, its variant, and the switches and settings that are set otherwise."""
    edition, variant = str(tree.get("edition", "")), str(tree.get("variant", ""))
    try:
        book = data.tree(f"editions/{edition}.toml") if edition.isalnum() else {}
    except FileNotFoundError:
        book = {}
    if not book:
        reader.wrong("unknown-edition", "edition", f'"{edition}" is no edition')
        return
    if variant not in variants_of(book):
        reader.unknown(variant, variants_of(book), "variant", "variant")
        return
    try:
        changed_rules(preset_from(book, variant).rules, reader.table(tree, "rules", ""))
        changed_settings(Settings(), reader.table(tree, "settings", ""), "settings.")
    except RefereeError as error:
        reader.problems += error.problems


# --- looks: each notes what is wrong with a value


Look = Callable[[CaseReader, object, str], None]


def anything(reader: CaseReader, value: object, key: str) -> None:
    """Take any value: what is part of a player's orders is read as his orders are."""


def text(reader: CaseReader, value: object, key: str) -> None:
    """Take a text that is not empty."""
    if not isinstance(value, str) or not value:
        reader.wrong("text", key, f"{shown(value)} is no text")


def source(reader: CaseReader, value: object, key: str) -> None:
    """Take places of sources with commas or semicolons between them; what is in parentheses is a remark."""
    bare = re.sub(r"\s*\([^()]*\)", "", str(value))
    for place in re.split(r"[,;]\s*", bare):
        if not SOURCE.fullmatch(place):
            hint = "such as: no p.10, da L31, Q-24, DESIGN 4 small print; remarks in parentheses"
            reader.wrong("source", key, f'"{place}" is no place in a book, in the digest or in the design', hint)


def number(reader: CaseReader, value: object, key: str) -> None:
    """Take a number from 0; none is so large that reckoning with it takes long."""
    if type(value) is not int or not 0 <= value <= MOST:
        reader.wrong("number", key, f"{shown(value)} is no number from 0 to {MOST}")


def flag(reader: CaseReader, value: object, key: str) -> None:
    """Take true or false."""
    if not isinstance(value, bool):
        reader.wrong("flag", key, f"{shown(value)} is neither true nor false")


def table(reader: CaseReader, value: object, key: str) -> None:
    """Take any table."""
    reader.entries(value, key)


def names(reader: CaseReader, value: object, key: str) -> None:
    """Take names of players with blanks between them."""
    players(reader, value.split() if isinstance(value, str) else value, key)


def stack(reader: CaseReader, value: object, key: str) -> None:
    """Take "OWNER ARMIES"; `-` owns what is not claimed yet."""
    words = value.split() if isinstance(value, str) else []
    if len(words) != 2 or not words[1].isdecimal() or len(words[1]) > len(str(MOST)) or int(words[1]) > MOST:
        reader.wrong("stack", key, f'{shown(value)} is no owner and a number of armies, such as "kari 3"')
    elif words[0] not in (NEUTRAL, FREE):
        player(reader, words[0], key)


def throw(reader: CaseReader, value: object, key: str, most: int = 6) -> None:
    """Take the dice of one side, or one of every player."""
    thrown = reader.items(value, key)
    if not thrown or not all(type(die) is int and 1 <= die <= 6 for die in thrown):
        reader.wrong("dice", key, "must be dice from 1 to 6")
    elif len(thrown) > most:
        reader.wrong("dice", key, f"must be at most {most} dice")


def attack_dice(reader: CaseReader, value: object, key: str) -> None:
    """Take the dice of the attacker (R-ATT-06)."""
    throw(reader, value, key, 3)


def defence_dice(reader: CaseReader, value: object, key: str) -> None:
    """Take the dice of the defender (R-ATT-07)."""
    throw(reader, value, key, 2)


def dice(reader: CaseReader, value: object, key: str) -> None:
    """Take rolls, attack and defence of each; in the set-up rounds of start rolls, as lists by seat or by player."""
    starts = any(word in reader.tree for word in (*SET_UP, "start"))
    for place, roll in enumerate(reader.items(value, key), start=1):
        match roll:
            case [attack, defence] if not starts:
                attack_dice(reader, attack, f"{entry(key, place)}[1]")
                defence_dice(reader, defence, f"{entry(key, place)}[2]")
            case dict() if starts:
                throw(reader, list(roll.values()), entry(key, place))
            case list() if starts:
                throw(reader, roll, entry(key, place))
            case _:
                wanted = "a die for every seat" if starts else "the dice of attack and defence, [[6, 5], [2]]"
                reader.wrong("dice", entry(key, place), f"must be {wanted}")


def seats(reader: CaseReader, value: object, key: str) -> None:
    """Take "ID COLOUR" for each seat."""
    for place, seat in enumerate(reader.items(value, key), start=1):
        words = seat.split() if isinstance(seat, str) else []
        if len(words) != 2 or words[1] not in reader.board.colours:
            reader.wrong("seat", entry(key, place), f'{shown(seat)} is no player and a colour, such as "kari red"')


def pairs(reader: CaseReader, value: object, key: str) -> None:
    """Take [key, code] for each refusal."""
    for place, pair in enumerate(reader.items(value, key), start=1):
        if not isinstance(pair, list) or [type(part) for part in pair] != [str, str]:
            reader.wrong("pair", entry(key, place), "must be the key of an order and the code of its refusal")


def rows(reader: CaseReader, value: object, key: str) -> None:
    """Take rows of tables; one that describes a position has players of its own."""
    for place, row in enumerate(reader.items(value, key), start=1):
        if reader.has_enough:
            return
        path = f"{entry(key, place)}."
        found = reader.entries(row, path[:-1])
        of = found.get("of", "")
        if not reader.one_of(of, ROWS, f"{path}of", "table"):
            continue
        needed, optional = ROWS[of]
        reader.expect_keys(found, path, ("of", "gives", *needed), tuple(optional))
        inner = CaseReader(found)
        _look_through(inner, found, {**needed, **optional}, path)
        reader.problems += inner.problems


def events(reader: CaseReader, value: object, key: str) -> None:
    """Take events in their order: a kind, or a table with a kind and some of its fields."""
    for place, event in enumerate(reader.items(value, key), start=1):
        path = entry(key, place)
        fields = event if isinstance(event, dict) else {"kind": event}
        kind = fields.get("kind")
        if reader.one_of(kind, KINDS, path, "kind"):
            reader.expect_keys(fields, f"{path}.", ("kind",), event_keys(str(kind)))


def _different(known: Callable[[CaseReader], Iterable[str]], what: str, other: str = "") -> Look:
    """Return a look at a list of different known words, or others that match a pattern."""

    def look(reader: CaseReader, value: object, key: str) -> None:
        words, seen = tuple(known(reader)), []
        for place, item in enumerate(reader.items(value, key), start=1):
            if other and re.fullmatch(other, str(item)):
                continue
            if reader.one_of(item, words, entry(key, place), what) and item in seen:
                reader.wrong("twice", entry(key, place), f'"{item}" stands here twice')
            seen.append(item)

    return look


def _each(known: Callable[[CaseReader], Iterable[str]], what: str, look: Look) -> Look:
    """Return a look at a table whose keys are known words, and at each of its values."""

    def look_at_all(reader: CaseReader, value: object, key: str) -> None:
        words = tuple(known(reader))
        for name, item in reader.entries(value, key).items():
            reader.one_of(name, words, joined(key, name), what)
            look(reader, item, joined(key, name))

    return look_at_all


def _part(kinds: Mapping[str, Look], needed: str) -> Look:
    """Return a look at a table with keys of its own, one of which it needs."""

    def look(reader: CaseReader, value: object, key: str) -> None:
        found = reader.entries(value, key)
        reader.expect_keys(found, f"{key}.", (needed,), tuple(kinds))
        _look_through(reader, found, kinds, f"{key}.")

    return look


def _look_through(reader: CaseReader, found: Mapping[str, Any], kinds: Mapping[str, Look], path: str) -> None:
    for key, value in found.items():
        if key in kinds:
            kinds[key](reader, value, f"{path}{key}")


def by_player(look: Look) -> Look:
    """Return a look at a table by player."""
    return _each(lambda reader: reader.players, "player", look)


COUNTED = ("continents", "territories", "cards", "jokers", "missions", "colours")
"""What a board has a number of."""


def _one(known: Callable[[CaseReader], Iterable[str]], what: str) -> Look:
    """Return a look at one known word."""

    def look(reader: CaseReader, value: object, key: str) -> None:
        reader.one_of(value, known(reader), key, what)

    return look


player = _one(lambda reader: reader.players, "player")
territory = _one(lambda reader: reader.board.territories, "territory")
continent = _one(lambda reader: reader.board.continents, "continent")
mission = _one(lambda reader: reader.board.missions, "mission")
capital = _one(lambda reader: (*reader.board.territories, ""), "territory")
switch = _one(lambda _: ALLOWED, "switch")
card = _one(lambda reader: reader.board.cards, "card")
decider = _one(lambda _: get_args(Decider), "decider")
counted = _one(lambda _: COUNTED, "thing to count")
players = _different(lambda reader: reader.players, "player")
continents = _different(lambda reader: reader.board.continents, "continent")
missions = _different(lambda reader: reader.board.missions, "mission")
colours = _different(lambda reader: reader.board.colours, "colour")
cards = _different(lambda reader: reader.board.cards, "card")
held_cards = _different(lambda reader: reader.board.cards, "card", r"deck/[2-9]/\d+")
territories = _different(lambda reader: reader.board.territories, "territory")
kinds = _different(lambda _: KINDS, "kind")
land_after = _each(lambda reader: reader.board.territories, "territory", stack)
land = _each(lambda reader: (*reader.board.territories, *reader.board.continents), "territory", stack)


# --- the keys

HEAD: Mapping[str, Look] = {
    "id": text, "source": source, "text": text, "edition": text, "variant": text, "rules": table, "settings": table,
}  # fmt: skip
POSITION: Mapping[str, Look] = {
    "players": seats, "board": stack, "land": land, "hands": by_player(cards), "missions": by_player(mission),
    "pile": cards, "discards": cards, "rest": text, "sets_traded": number, "sets_of": by_player(number),
    "out": by_player(text), "passive": players, "missed_before": by_player(number), "standing": by_player(table),
    "round": number, "first": number, "to_place": by_player(number), "acting": names, "openly": flag,
    "passed_over": players, "rankings": by_player(territories),
    "capitals": by_player(territory), "secret_capitals": by_player(territory),
}  # fmt: skip
SET_UP = ("claim", "deploy", "neutral", "capital")
"""What players send in the set-up, by player; the first of `state.SET_UP` that is there is the phase."""

EXPECT: Mapping[str, Look] = {
    "ignore": kinds, "only": kinds, "events": events, "land": land_after, "hands": by_player(held_cards),
    "pile": held_cards, "bottom": held_cards, "discards": cards, "sets_traded": number, "status": by_player(text),
    "acting": names, "round": number, "phase": text, "winners": players, "how": text, "missed": by_player(number),
    "to_place": by_player(number), "capitals": by_player(capital),
}  # fmt: skip
START: Mapping[str, Look] = {
    "wishes": by_player(colours), "seats": players, "drawn": players, "deal": territories,
    "missions": missions,
}  # fmt: skip
KEYS: Mapping[str, Look] = {
    **HEAD, **POSITION, **dict.fromkeys(SET_UP, by_player(anything)), "player": player, "orders": table,
    "missed": flag, "no_reveal": flag, "host_seat": player, "resign": players, "substitute": players,
    "new_key": by_player(decider), "draw": players,
    "new_standing": by_player(table), "lot": card,
    "start": _part(START, "wishes"), "dice": dice, "check": rows, "expect": _part(EXPECT, "events"), "refused": pairs,
}  # fmt: skip


class Row(NamedTuple):
    """What a row of a table asks with: keys that it needs, and those that it may leave out."""

    needed: Mapping[str, Look]
    optional: Mapping[str, Look] = {}


_BATTLE: Mapping[str, Look] = {"armies": number, "dice": number, "standing": table}
ROWS: Mapping[str, Row] = {
    "income": Row({"territories": number}, {"continents": continents, "sets": number}),
    "dice": Row({}, {"from": number, "to": number, **_BATTLE}),
    "odds": Row({"from": number, "to": number, "min_odds": number}, _BATTLE),
    "losses": Row({"attack": attack_dice, "defence": defence_dice}),
    "worth": Row({"cards": cards}, {"before": number}),
    "best_set": Row({"hand": cards}, {"own": territories, "before": number}),
    "bonus": Row({"cards": cards, "own": territories}, {"bonus": territory, "used": flag}),
    "forced": Row({"cards": number}, {"traded": flag}),
    "first_armies": Row({"players": number}),
    "reach": Row({"own": territories, "from": territory}),
    "neighbours": Row({"territory": territory}),
    "continent": Row({"continent": continent}),
    "mission": Row({"mission": mission, "players": seats, "board": stack}, POSITION),
    "missions": Row({"colours": colours}),
    "switch": Row({"key": switch}, {"players": number}),
    "count": Row({"what": counted}),
    "symbol": Row({"card": card}),
    "variants": Row({}),
    "players": Row({}),
}
"""By table of `[[check]]`: the keys of a row beside `of` and `gives`."""
