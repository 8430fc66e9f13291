"""The rules of a game as statements: which hold, what they say, and where each comes from.

`data/rules/plan.toml` has the statements in their order and when each holds, `sentences` what they say in a language,
`sources` where they come from by edition. Numbers come from the constants of the rules and from the board
(`rule_facts`). Here no rule is decided: a statement belongs to the values of switches, and its source to the edition.
"""

from collections.abc import Container, Iterator, Mapping
from functools import cache
from typing import Any

from referee import data
from referee.documents.modes import Mode, lies_open
from referee.game.records import NamedTuple
from referee.game.rules import Rules, Settings
from referee.views.language import Facts, filled
from referee.views.terms import Terms
from referee.views.text import in_ascii

UNSAID = "unsaid"
"""The section of statements that are made only where a game differs from its edition."""

OTHER = ("board", "others", "elsewhere", "mail")
"""Sources that are no place in a book and no row of the digest."""

Condition = tuple[str, tuple[str, ...]]
"""A switch, and its values as they are written; `mode` is that of the game, `openly` whether nobody keeps secrets."""


class Entry(NamedTuple):
    """A statement of the plan: where it stands, what its family and key are ("*" for each value), when it holds."""

    section: str
    family: str
    key: str
    conditions: tuple[Condition, ...]


class Source(NamedTuple):
    """Where a statement comes from.

    `places` are pages or lines of the edition's book, `readings` rows Q- and `adapted` rows P- of the digest, `other`
    what else, of `OTHER`. `house` says that the statement does not hold in the edition, `doubtful` that
    the book is silent or open to doubt about it.
    """

    places: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    adapted: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    house: bool = False
    doubtful: bool = False


class Statement(NamedTuple):
    """One statement of the rules of a game, by FAMILY.KEY; `text` in a language."""

    id: str
    section: str
    text: str
    source: Source


@cache
def plan() -> tuple[Entry, ...]:
    """Return all statements that there are, in order."""
    return tuple(_entry(section, line) for section, lines in data.tree("rules/plan.toml").items() for line in lines)


def _entry(section: str, line: str) -> Entry:
    name, _, when = line.partition(":")
    family, _, key = name.partition(".")
    conditions = (part.partition("=") for part in when.split())
    return Entry(section, family, key, tuple((switch, tuple(values.split("|"))) for switch, _, values in conditions))


def written(value: str | int) -> str:
    """Return a value of a switch as it is written in options and documents."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def key_of(key: str, value: str | int) -> str:
    """Return the key of the statement about a value of a switch; counts have `0` and `number`."""
    if Settings.__annotations__.get(key) is int and value:
        return "number"
    return written(value)


def _values(rules: Rules, settings: Settings, mode: Mode) -> dict[str, str | int]:
    return {**rules._asdict(), **settings._asdict(), "mode": mode, "openly": lies_open(mode)}


def _named(values: Mapping[str, str | int]) -> Iterator[tuple[str, str]]:
    """Yield section and id of every statement that holds, in order, also of those that go unsaid."""
    for section, family, key, conditions in plan():
        if all(written(values[switch]) in allowed for switch, allowed in conditions):
            yield section, f"{family}.{key_of(family, values[family]) if key == '*' else key}"


def ids_of(rules: Rules, settings: Settings, mode: Mode = "hosted") -> Iterator[tuple[str, str]]:
    """Yield section and id of every statement that is made of a game, in order."""
    return (one for one in _named(_values(rules, settings, mode)) if one[0] != UNSAID)


def usual_ids(terms: Terms) -> frozenset[str]:
    """Return the statements that hold in the edition of a game, with the settings of mail play that the game has.

    All that hold in the game, if its edition is not known here.
    """
    return frozenset(name for _, name in _named(_values(terms.usual or terms.rules, terms.settings, terms.mode)))


# --- where they come from ------------------------------------------------------------------------


@cache
def book_of(edition: str) -> Mapping[str, Any]:
    """Return an edition's book: its title, how its places are counted, the sources; empty if it is not known here."""
    try:
        return data.tree(f"rules/sources/{edition}.toml")
    except FileNotFoundError:
        return {}


def source_of(name: str, terms: Terms, usual: Container[str]) -> Source:
    """Return where a statement comes from in the edition of a game; `usual` are the statements that hold there."""
    if name not in usual:
        return Source(house=True)
    book = book_of(terms.edition)
    tables = (book.get(terms.variant.partition("+")[0], {}), book.get("base", {}), book_of("common")["base"])
    words = next((table[name] for table in tables if name in table), "").split()
    doubtful = terms.preset.doubtful if terms.preset else ()
    return Source(
        places=tuple(word for word in words if word[0] == "L" or word.startswith("p.")),
        readings=tuple(word for word in words if word.startswith("Q-")),
        adapted=tuple(word for word in words if word.startswith("P-")),
        other=tuple(word for word in words if word in OTHER),
        doubtful=name.partition(".")[0] in doubtful,
    )


# --- what they say -------------------------------------------------------------------------------


class Sentences(NamedTuple):
    """What the statements say in a language, by FAMILY and KEY; in ASCII if `plain`."""

    families: Mapping[str, Mapping[str, str]]
    plain: bool

    def say(self, name: str, facts: Facts) -> str:
        """Fill a sentence, named FAMILY.KEY, with facts; KeyError if one is missing."""
        family, _, key = name.partition(".")
        sentence = self.families[family][key]
        return filled(in_ascii(sentence) if self.plain else sentence, facts)

    def word(self, key: str, /, **facts: str | int) -> str:
        """Fill one of the words around the statements."""
        return self.say(f"words.{key}", facts)


@cache
def sentences(code: str, plain: bool = True) -> Sentences:
    """Return the statements in a language of reports."""
    return Sentences(data.tree(f"rules/sentences/{code}.toml"), plain)
