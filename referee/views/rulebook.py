"""The rules of a game as plain text of at most 72 columns, and as a tree for programs; the deviations in words.

It is put together from the statements that hold (`statements`), each with its source, the missions and the board.
"""

from collections.abc import Collection, Sequence
from typing import Any

from referee.game.missions import missions_in_play
from referee.game.rules import Rules
from referee.views.language import Facts
from referee.views.rule_facts import facts_of
from referee.views.statements import (
    Sentences,
    Source,
    Statement,
    book_of,
    ids_of,
    key_of,
    sentences,
    source_of,
    usual_ids,
    written,
)
from referee.views.terms import Terms, deviations, deviations_tree, edition_named
from referee.views.text import wrapped
from referee.views.voice import BoardVoice


class Rulebook:
    """The rules of one game in one language; `colours` are those in play, `game` its name if it has one."""

    def __init__(self, terms: Terms, voice: BoardVoice, colours: Sequence[str] = (), game: str = "") -> None:
        """Gather what the statements need."""
        self.terms = terms
        self.voice = voice
        self.game = game
        self._say: Sentences = sentences(voice.language.code, voice.language.plain)
        self._facts: Facts = facts_of(terms, voice, self._say)
        missions = missions_in_play(voice.board, colours or voice.board.colours)
        self._missions = missions if terms.rules.mission_deck != "none" else ()

    def statements(self) -> list[Statement]:
        """Return the statements that hold, in order."""
        usual = usual_ids(self.terms)
        return [
            Statement(name, section, self._say.say(name, self._facts), source_of(name, self.terms, usual))
            for section, name in ids_of(self.terms.rules, self.terms.settings, self.terms.mode)
        ]

    # --- as text

    def lines(self) -> list[str]:
        """Return the rules as lines."""
        say = self._say.word
        edition, variant = edition_named(self.terms.edition, self.terms.variant, self.voice.language)
        key = "title_game" if self.game else "title"
        lines = wrapped(say(key, edition=edition, variant=variant, game=self.game))
        lines += ["", *deviations_shown(self.terms, self.voice)] if deviations(self.terms) else []
        book = book_of(self.terms.edition)
        if book:
            unit = "page" if book["unit"] == "p." else "line"
            facts: Facts = {"edition": self.terms.edition, "unit": book["unit"], "document": book["document"]}
            lines += ["", *wrapped(say("legend", kind=say(unit), **facts))]
        preset, fewest = self.terms.preset, self.terms.players[0]
        if preset and not self.game and preset.players[0] == 2 < fewest and preset.rules != preset.rules_with_two:
            lines += ["", *wrapped(say("two_apart"))]
        section = ""
        for one in self.statements():
            if one.section != section:
                section = one.section
                lines += ["", self._say.say(f"headings.{section}", {})]
            lines += wrapped(f"{one.text} [{self._source(one.source)}]", "- ")
            if one.id == "missions.known":
                lines += [line for mission in self._mission_texts() for line in wrapped(mission, "  * ")]
        return [*lines, "", *self._board()]

    def _mission_texts(self) -> list[str]:
        return [self.voice.mission(self.voice.board.missions[mission]) for mission in self._missions]

    def _source(self, source: Source) -> str:
        """Write where a statement comes from."""
        say = self._say.word
        if source.house:
            return say("house")
        parts = [f"{self.terms.edition} {', '.join(source.places)}"] if source.places else []
        parts += [say(other) for other in source.other]
        if source.readings:
            key = "silent" if not source.places else "open" if source.doubtful else "reading"
            parts.append(say(key, rows=", ".join(source.readings)))
        if source.adapted:
            parts.append(say("adapted", rows=", ".join(source.adapted)))
        return "; ".join(parts) or "-"

    def _board(self) -> list[str]:
        """List the territories by continent, with symbols and neighbours."""
        board, voice = self.voice.board, self.voice
        lines = [self._say.say("headings.board", {}), *wrapped(self._say.word("board_intro"))]
        for continent in board.continents.values():
            lines.append(voice.say("continent_open", continent=voice.name(continent.id), bonus=continent.bonus))
            for land in continent.territories:
                beside = ", ".join(voice.name(one) for one in board.territories if one in board.neighbours[land])
                lines += wrapped(f"{voice.card(land)}: {beside}", "  ", "      ")
        return lines

    # --- for programs

    def tree(self) -> dict[str, Any]:
        """Return the rules as a tree for programs."""
        terms, board = self.terms, self.voice.board
        return {
            "game": self.game,
            "edition": terms.edition,
            "variant": terms.variant,
            "players": list(terms.players),
            "rules": terms.rules._asdict(),
            "settings": terms.settings._asdict(),
            "deviations": deviations_tree(terms),
            "statements": [
                {"id": one.id, "section": one.section, "text": one.text, "source": _source_tree(one.source)}
                for one in self.statements()
            ],
            "missions": [
                {"mission": mission, "text": text}
                for mission, text in zip(self._missions, self._mission_texts(), strict=True)
            ],
            "board": board.name,
        }


def _source_tree(source: Source) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in source._asdict().items()}


def deviations_shown(terms: Terms, voice: BoardVoice, told: Collection[str] = (), indent: str = "  ") -> list[str]:
    """Return the lines of what is not as in the edition, each with what it means; without what is `told` elsewhere."""
    other = {key: pair for key, pair in deviations(terms).items() if key not in told}
    if not other:
        return []
    say = sentences(voice.language.code, voice.language.plain)
    facts = facts_of(terms, voice, say)
    lines: list[str] = []
    for heading, kind, are_switches in (("house_rules", "changed", True), ("settings", "changed_setting", False)):
        keys = [key for key in other if (key in Rules._fields) == are_switches]
        lines += wrapped(say.word(heading), indent) if keys else []
        for key in keys:
            here, there = other[key]
            sentence = say.say(f"{key}.{key_of(key, here)}", facts)
            text = say.word(kind, key=key, here=written(here), there=written(there), sentence=sentence)
            lines += wrapped(text, f"{indent}- ")
    return lines
