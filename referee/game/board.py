"""The board: territories, continents, links, cards, colours and missions, from a board file's tree.

A `Board` never changes and knows nothing of players or armies. Its order is that of the file and
decides every tie (DESIGN section 4, small print). `board_from` opens no file and trusts nothing: a
board of the players' own is a stranger's document. Implements R-COMP-01 to R-COMP-06, R-MIS-02.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NewType

from referee.errors import Problem, UnreadableDocument, raise_all
from referee.game.names import NameTable
from referee.game.records import NamedTuple
from referee.game.trees import ID, TreeReader

TerritoryId = NewType("TerritoryId", str)
ContinentId = NewType("ContinentId", str)
ColourId = NewType("ColourId", str)
CardId = NewType("CardId", str)
MissionId = NewType("MissionId", str)

Symbol = Literal["infantry", "cavalry", "artillery"]
MissionKind = Literal["continents", "territories", "eliminate_colour"]

Links = Mapping[TerritoryId, tuple[TerritoryId, ...]]

SYMBOLS: tuple[Symbol, ...] = ("infantry", "cavalry", "artillery")
FORMAT = "referee/board/1"

LONGEST_NAME = 40
# What may stand in a name beside letters and digits: four marks, and accents on their own.
_MARKS: dict[int, None] = dict.fromkeys([*map(ord, " ._-"), *range(0x300, 0x370)])


class Continent(NamedTuple):
    """A continent, its bonus, and its territories in board order."""

    id: ContinentId
    bonus: int
    territories: tuple[TerritoryId, ...]


class Mission(NamedTuple):
    """What a mission card asks for; the fields that its kind does not use are empty.

    continents: hold all of `continents` and `extra_continents` further ones. territories: hold so
    many `territories`, each with at least `min_armies`. eliminate_colour: `colour` has none left.
    """

    id: MissionId
    kind: MissionKind
    continents: tuple[ContinentId, ...] = ()
    extra_continents: int = 0
    territories: int = 0
    min_armies: int = 0
    colour: ColourId = ColourId("")


class Board:
    """A map with its cards and missions, in the order of its file; missions in ASCII order."""

    __slots__ = (
        "_card_table",
        "_colour_table",
        "_continent_table",
        "_names",
        "_territory_table",
        "card_index",
        "cards",
        "colours",
        "continent_of",
        "continents",
        "fallback",
        "index",
        "jokers",
        "languages",
        "missions",
        "name",
        "neighbours",
        "sea",
        "symbols",
        "territories",
    )

    def __init__(
        self,
        *,
        name: str,
        languages: tuple[str, ...],
        continents: Sequence[Continent],
        neighbours: Links,
        sea: Links,
        symbols: Mapping[TerritoryId, Symbol],
        jokers: int,
        colours: tuple[ColourId, ...],
        missions: Sequence[Mission],
        fallback: Mission,
        names: Mapping[str, tuple[str, ...]],
    ) -> None:
        """Put a board together from checked parts; `names` are by id, first by language."""
        self.name: Final = name
        self.languages: Final = languages
        self.continents: Final[Mapping[ContinentId, Continent]] = {c.id: c for c in continents}
        self.continent_of: Final[Mapping[TerritoryId, ContinentId]] = {
            territory: continent.id for continent in continents for territory in continent.territories
        }
        self.territories: Final = tuple(self.continent_of)
        self.index: Final[Mapping[TerritoryId, int]] = {
            territory: position for position, territory in enumerate(self.territories)
        }
        self.neighbours: Final = neighbours
        self.sea: Final = sea
        self.symbols: Final = symbols
        self.jokers: Final = tuple(CardId(f"joker-{number}") for number in range(1, jokers + 1))
        self.cards: Final = (*(CardId(territory) for territory in self.territories), *self.jokers)
        self.card_index: Final[Mapping[CardId, int]] = {card: position for position, card in enumerate(self.cards)}
        self.colours: Final = colours
        self.missions: Final[Mapping[MissionId, Mission]] = {m.id: m for m in missions}
        self.fallback: Final = fallback
        self._names: Final = names
        self._territory_table: Final = self._table(self.territories)
        self._continent_table: Final = self._table(self.continents)
        self._colour_table: Final = self._table(self.colours)
        self._card_table: Final = self._table(self.cards)

    def _table(self, ids: Iterable[str]) -> NameTable:
        return NameTable((key, self._names.get(key, ())) for key in ids)

    def find_territory(self, text: str) -> TerritoryId | None:
        """Return the territory that a text names in any language, or None."""
        found = self._territory_table.find(text)
        return None if found is None else TerritoryId(found)

    def find_continent(self, text: str) -> ContinentId | None:
        """Return the continent that a text names in any language, or None."""
        found = self._continent_table.find(text)
        return None if found is None else ContinentId(found)

    def find_colour(self, text: str) -> ColourId | None:
        """Return the colour that a text names in any language, or None."""
        found = self._colour_table.find(text)
        return None if found is None else ColourId(found)

    def find_card(self, text: str) -> CardId | None:
        """Return the card that a text names: a territory in any language, or `joker-1`."""
        found = self._card_table.find(text)
        return None if found is None else CardId(found)

    def nearest_territory(self, text: str) -> str | None:
        """Return the name of a territory that is most like the text, for a hint."""
        return self._territory_table.nearest(text)

    def nearest_card(self, text: str) -> str | None:
        """Return the name of a card that is most like the text, for a hint."""
        return self._card_table.nearest(text)

    def name_of(self, key: str, language: str) -> str:
        """Return the name of a territory, continent or colour; the first language stands in."""
        wanted = "no" if language in ("nb", "nn") else language
        names = self._names[key]
        return names[self.languages.index(wanted)] if wanted in self.languages else names[0]

    def in_order(self, cards: Iterable[CardId]) -> tuple[CardId, ...]:
        """Return cards in board order, the jokers last."""
        return tuple(sorted(cards, key=self.card_index.__getitem__))

    def name_problems(self) -> tuple[Problem, ...]:
        """Return a problem for every two things that one text could mean (DESIGN section 4)."""
        everything = self._table((*self.continents, *self.cards, *self.colours))
        return tuple(
            Problem("board-names", f'"{form}" names both "{one}" and "{other}"', f"names.{other}")
            for form, one, other in everything.collisions()
        )


def board_from(tree: Mapping[str, Any], check_names: bool = True) -> Board:
    """Return the board that a board file's tree describes; UnreadableDocument with all problems.

    That no two names collide costs as much to check as all the rest; for the project's own boards a test has done it.
    """
    reader = _BoardReader("board")
    needed = ("format", "name", "languages", "colours", "continents", "deck")
    reader.expect_keys(tree, "", needed, ("missions", "fallback", "names", "aliases"))
    if tree.get("format", FORMAT) != FORMAT:
        reader.wrong("format", "format", f'the format of a board is "{FORMAT}"')
    name = reader.id(tree, "name", "")
    languages = tuple(reader.ids(tree, "languages", ""))
    colours = tuple(ColourId(colour) for colour in reader.ids(tree, "colours", ""))
    continents = reader.continents(tree)
    neighbours, sea = reader.links()
    symbols = reader.symbols()
    jokers = reader.deck(tree, symbols)
    missions = reader.missions(tree, continents, colours)
    fallback = reader.fallback(tree)
    things = (*(continent.id for continent in continents), *neighbours, *colours)
    names = reader.names(tree, things, languages)
    raise_all(UnreadableDocument, reader.problems)
    board = Board(
        name=name,
        languages=languages,
        continents=continents,
        neighbours=neighbours,
        sea=sea,
        symbols=symbols,
        jokers=jokers,
        colours=colours,
        missions=missions,
        fallback=fallback,
        names=names,
    )
    if check_names:
        raise_all(UnreadableDocument, board.name_problems())
    return board


class _Line(NamedTuple):
    """What stands behind a territory in the board file, and where."""

    symbol: str
    neighbours: str
    key: str


class _BoardReader(TreeReader):
    """Reads the parts of a board file in turn; the lines of the territories wait for each other."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.lines: dict[TerritoryId, _Line] = {}

    def continents(self, tree: Mapping[str, Any]) -> list[Continent]:
        """Read the continents, and note the line of each territory for `links`."""
        found: list[Continent] = []
        for number, entry in enumerate(self.tables(tree, "continents"), 1):
            path = f"continents[{number}]."
            self.expect_keys(entry, path, ("id", "bonus", "territories"))
            territories = [
                territory
                for position, line in enumerate(self.texts(entry, "territories", path), 1)
                if (territory := self.territory(line, f"{path}territories[{position}]"))
            ]
            if not territories:
                self.wrong("empty", f"{path}territories", "a continent has at least one territory")
            name = ContinentId(self.id(entry, "id", path))
            found.append(Continent(name, self.number(entry, "bonus", path, 0), tuple(territories)))
        return found

    def territory(self, line: str, key: str) -> TerritoryId | None:
        """Read `TERRITORY SYMBOL: NEIGHBOURS`; None if it is no such line, or one too many."""
        head, colon, neighbours = line.partition(":")
        words = head.split()
        if not colon or len(words) != 2 or not ID.fullmatch(words[0]):
            self.wrong("line", key, f'"{line}" is not "territory symbol: neighbours"')
            return None
        territory = TerritoryId(words[0])
        if territory in self.lines:
            self.wrong("twice", key, f'"{territory}" is a territory already')
            return None
        self.lines[territory] = _Line(words[1], neighbours, key)
        return territory

    def links(self) -> tuple[Links, Links]:
        """Return the neighbours, and those of them over a dotted line; all in board order."""
        links = {territory: self.neighbours(territory, line) for territory, line in self.lines.items()}
        for territory, line in self.lines.items():
            for other, dotted in links[territory].items():
                if links[other].get(territory) != dotted:
                    self.wrong("one-way", line.key, f'"{other}" has no such link to "{territory}"')
        self.reach(links)
        order = {territory: position for position, territory in enumerate(links)}
        neighbours = {territory: tuple(sorted(others, key=order.__getitem__)) for territory, others in links.items()}
        sea = {
            territory: tuple(other for other in others if links[territory][other])
            for territory, others in neighbours.items()
        }
        return neighbours, sea

    def neighbours(self, territory: TerritoryId, line: _Line) -> dict[TerritoryId, bool]:
        """Return the neighbours of a territory, and whether each is over a dotted line."""
        found: dict[TerritoryId, bool] = {}
        for word in line.neighbours.split():
            other = TerritoryId(word.removeprefix("~"))
            if other not in self.lines:
                self.unknown(other, self.lines, line.key, "territory")
            elif other == territory:
                self.wrong("own-neighbour", line.key, f'"{territory}" is its own neighbour')
            elif other in found:
                self.wrong("twice", line.key, f'"{other}" stands here twice')
            else:
                found[other] = word.startswith("~")
        return found

    def reach(self, links: Mapping[TerritoryId, Iterable[TerritoryId]]) -> None:
        """Note the territories that cannot be reached from the first."""
        reached = dict.fromkeys(list(links)[:1])
        waiting = list(reached)
        while waiting:
            for other in links[waiting.pop()]:
                if other not in reached:
                    reached[other] = None
                    waiting.append(other)
        for territory in links:
            if territory not in reached:
                key = self.lines[territory].key
                self.wrong("apart", key, f'"{territory}" cannot be reached from the others')

    def symbols(self) -> dict[TerritoryId, Symbol]:
        """Return the symbol of each territory's card."""
        known: dict[str, Symbol] = {symbol: symbol for symbol in SYMBOLS}
        found: dict[TerritoryId, Symbol] = {}
        for territory, line in self.lines.items():
            if line.symbol in known:
                found[territory] = known[line.symbol]
            else:
                self.unknown(line.symbol, SYMBOLS, line.key, "symbol")
        return found

    def deck(self, tree: Mapping[str, Any], symbols: Mapping[TerritoryId, Symbol]) -> int:
        """Check the number of cards of each symbol and return that of the jokers."""
        deck = self.table(tree, "deck", "")
        self.expect_keys(deck, "deck.", (*SYMBOLS, "jokers"))
        count = list(symbols.values()).count
        for symbol in SYMBOLS:
            if count(symbol) != self.number(deck, symbol, "deck.", 0):
                self.wrong("deck", f"deck.{symbol}", f"{count(symbol)} territories have {symbol}")
        return self.number(deck, "jokers", "deck.", 0, 9)

    def missions(
        self, tree: Mapping[str, Any], continents: Sequence[Continent], colours: Sequence[ColourId]
    ) -> list[Mission]:
        """Return the missions in ASCII order of their ids; a mission's keys tell its kind."""
        known = tuple(continent.id for continent in continents)
        found: list[Mission] = []
        missions = self.table(tree, "missions", "")
        for key in sorted(missions):
            self.checked_id(key, f"missions.{key}")
            mission = MissionId(key)
            path = f"missions.{key}."
            task = self.table(missions, key, "missions.")
            if "colour" in task:
                self.expect_keys(task, path, ("colour",))
                colour = ColourId(self.id(task, "colour", path))
                if colour not in colours:
                    self.unknown(colour, colours, f"{path}colour", "colour")
                found.append(Mission(mission, "eliminate_colour", colour=colour))
            elif "territories" in task:
                found.append(self.territory_mission(mission, task, path))
            else:
                found.append(self.continent_mission(mission, task, path, known))
        return found

    def territory_mission(self, mission: MissionId, task: Mapping[str, Any], path: str) -> Mission:
        """Return a mission to hold a number of territories."""
        self.expect_keys(task, path, ("territories", "min_armies"))
        count = self.number(task, "territories", path, 1, max(1, len(self.lines)))
        least = self.number(task, "min_armies", path, 1)
        return Mission(mission, "territories", territories=count, min_armies=least)

    def continent_mission(
        self, mission: MissionId, task: Mapping[str, Any], path: str, known: Sequence[ContinentId]
    ) -> Mission:
        """Return a mission to hold certain continents, and perhaps further ones."""
        self.expect_keys(task, path, ("continents",), ("extra_continents",))
        wanted = [ContinentId(name) for name in self.texts(task, "continents", path)]
        for name in wanted:
            if name not in known:
                self.unknown(name, known, f"{path}continents", "continent")
        most = max(0, len(known) - len(wanted))
        extra = self.number(task, "extra_continents", path, 0, most)
        return Mission(mission, "continents", tuple(wanted), extra)

    def fallback(self, tree: Mapping[str, Any]) -> Mission:
        """Return what stands in for a mission that cannot be fulfilled; else the whole board."""
        everything = {"territories": max(1, len(self.lines)), "min_armies": 1}
        task = self.table(tree, "fallback", "") or everything
        return self.territory_mission(MissionId("fallback"), task, "fallback.")

    def names(
        self, tree: Mapping[str, Any], things: Sequence[str], languages: Sequence[str]
    ) -> dict[str, tuple[str, ...]]:
        """Return the names of each thing, by language, then aliases; one without has its id."""
        names, aliases = self.table(tree, "names", ""), self.table(tree, "aliases", "")
        if len(set(things)) < len(things):
            self.wrong("twice", "", "continents, territories and colours need different ids")
        for path, table in (("names.", names), ("aliases.", aliases)):
            self.expect_keys(table, path, (), tuple(things))
        found: dict[str, tuple[str, ...]] = {}
        for thing in things:
            printed = self.name_list(names, thing, "names.") or [thing]
            if len(printed) not in (1, len(languages)):
                self.wrong("names", f"names.{thing}", f"one name, or {len(languages)}")
            if len(printed) == 1:
                printed *= len(languages)
            found[thing] = (*printed, *self.name_list(aliases, thing, "aliases."))
        return found

    def name_list(self, table: Mapping[str, Any], thing: str, path: str) -> list[str]:
        """Return the names in a line, parted by commas."""
        line = self.text(table, thing, path)
        names = [name.strip() for name in line.split(",")] if line else []
        for name in names:
            sound = name.translate(_MARKS).isalnum() and max(name) <= "\uffff"
            if not sound or len(name) > LONGEST_NAME:
                self.wrong("name", f"{path}{thing}", f'"{name}" is no name')
        return names
