"""How a report calls things: players, territories, cards, missions, lists of them, in one language.

A player is called by his title, or by its first word, if that is his id but for capitals and accents ("Kari" for
`kari`), else by his id: so nobody can pass for another. Other titles are shown only beside the name.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

from referee.documents.gamefile import Game
from referee.game.board import Board, Mission
from referee.game.legality import Refusal
from referee.game.names import forms
from referee.game.orders import NEUTRAL
from referee.game.rules import OwnColourMission
from referee.views.language import Language, language_of
from referee.views.text import TOGETHER

_NAMED_BY_ID = ("territory", "source", "target", "card")


class BoardVoice:
    """A language that knows the names of a board, before there are players. It takes ids and gives words."""

    def __init__(self, board: Board, language: Language) -> None:
        """Begin with no names but those that every board has."""
        self.language = language
        self.board = board
        self.say = language.say
        self.word = language.word
        self.counted = language.counted
        self._names: dict[str, str] = {"": "-", NEUTRAL: language.word("names", "neutral")}

    def name(self, key: str) -> str:
        """Return the name of a player, the neutral army, a territory, a continent or a colour."""
        name = self._names.get(key)
        if name is None:
            name = self.language.letters(self.board.name_of(key, self.language.code))
            self._names[key] = name
        return name

    def card(self, card: str) -> str:
        """Return a card that is known: the territory and its symbol, or a joker."""
        symbol = self.board.symbols.get(card)  # type: ignore[call-overload]
        if symbol is None:
            return self.word("symbols", "joker")
        return f"{self.name(card)} ({self.word('symbols', symbol)})"

    def listed(self, items: Iterable[str]) -> str:
        """Write a list: `a, b and c`."""
        *others, last = items
        return f"{', '.join(others)} {self.word('names', 'and')} {last}" if others else last

    def territories(self, territories: Iterable[str]) -> str:
        """Write a list of territories or continents."""
        return self.listed(map(self.name, territories))

    def pairs(self, pairs: Iterable[tuple[str, int]]) -> str:
        """Write numbers by territory or player: `Alaska 3, Peru 1`; those of nothing are left out.

        A name and its number stand on one line.
        """
        return ", ".join(f"{self.name(key)}{TOGETHER}{number}" for key, number in pairs if number) or "-"

    def mission(self, mission: Mission) -> str:
        """Write what a mission asks for."""
        match mission.kind:
            case "continents":
                held = self.territories(mission.continents)
                if not mission.extra_continents:
                    return self.word("missions", "continents", continents=held)
                extra = self.counted("continents", mission.extra_continents)
                return self.word("missions", "continents_extra", continents=held, extra=extra)
            case "territories":
                held = self.counted("territories", mission.territories)
                if mission.min_armies == 1:
                    return self.word("missions", "territories", territories=held)
                armies = self.counted("armies", mission.min_armies)
                return self.word("missions", "territories_armies", territories=held, armies=armies)
            case "eliminate_colour":
                return self.eliminated(mission.colour)
            case _:
                assert_never(mission.kind)

    def eliminated(self, colour: str) -> str:
        """Write the mission to eliminate a colour."""
        return self.word("missions", "eliminate_colour", colour=self.name(colour))


class Voice(BoardVoice):
    """A language that knows the names of one game."""

    def __init__(self, game: Game, language: Language) -> None:
        """Learn what the players are called."""
        super().__init__(game.state.board, language)
        self.hosted = game.host is not None
        self._titles: Mapping[str, str] = {p: language.letters(one.title) for p, one in game.people.items()}
        self._owners: Mapping[str, str] = {one.colour: p for p, one in game.state.players.items()}
        for player, person in game.people.items():
            self._names[player] = language.letters(_own_name(player, person.title))

    def player(self, player: str) -> str:
        """Return what a player is called; one who is not of this game (the host) by the id."""
        return self._names.get(player, player)

    def title(self, player: str) -> str:
        """Return a player's title if it says more than the name."""
        return "" if self._titles[player] == self._names[player] else self._titles[player]

    def players(self, players: Iterable[str]) -> str:
        """Write a list of players."""
        return self.listed(map(self.player, players))

    def eliminated(self, colour: str) -> str:
        """Write the mission to eliminate a colour, with whose it is."""
        player = self.player(self._owners.get(colour, ""))
        return self.word("missions", "eliminate_colour_of", colour=self.name(colour), player=player)

    def own_mission(self, mission: Mission, colour: str, own_colour: OwnColourMission) -> str:
        """Write what a mission asks of the player of a colour: one of his own colour may mean another (Q-07)."""
        if mission.kind == "eliminate_colour" and mission.colour == colour and own_colour == "fallback_24":
            instead = self.word("own_colour", "fallback_24", mission=self.mission(self.board.fallback))
            return f"{self.mission(mission)}; {instead}"
        return self.mission(mission)

    def refusal(self, refusal: Refusal) -> str:
        """Write why something is not allowed."""
        facts = dict(refusal.facts)
        for key in _NAMED_BY_ID:
            if key in facts:
                facts[key] = self._named(str(facts[key]))
        for key in ("cards", "territories"):
            if key in facts:
                facts[key] = ", ".join(map(self._named, str(facts[key]).split(", ")))
        return self.word("refusals", refusal.code, **facts)

    def _named(self, key: str) -> str:
        return self.card(key) if key in self.board.jokers else self.name(key)


def _own_name(player: str, title: str) -> str:
    """Return the title or its first word if it is the id in nicer letters, else the id."""
    for name in (title, title.partition(" ")[0]):
        if name and not set(forms(name)).isdisjoint(forms(player)):
            return name
    return player


def voice_of(game: Game, language: str, plain: bool = True) -> Voice:
    """Return the voice of a game in a language; UsageProblem if there is no such language."""
    return Voice(game, language_of(language, plain))
