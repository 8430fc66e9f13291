"""What happened in a turn, told event by event and sorted into sections.

A `Tale` holds the state before the event that is being told, so that a line can say how many armies stood where. It
decides nothing: what happened stands in the event, how things stood in the state.
"""

from collections.abc import Iterable
from typing import Literal, get_args

from referee.game.state import State
from referee.views.text import WIDTH, width_of, wrapped
from referee.views.voice import Voice

Section = Literal["table", "set_up", "absence", "note", "reinforcements", "attacks", "end", "changes", "result"]

SECTIONS: tuple[Section, ...] = get_args(Section)

NOTE = "    | "
"""Before every line of a note: no line of the report begins with a bar, so none can be imitated."""


class Tale:
    """Collects lines in sections; `lines` are those of the section that was entered last."""

    def __init__(self, voice: Voice, state: State, turn: int) -> None:
        """Begin with the state before the first event; `turn` is the number of these orders."""
        self.voice = voice
        self.state = state
        self.turn = turn
        self.section: Section | None = None
        self.sections: dict[Section, list[str]] = {}
        self.lines: list[str] = []

    def enter(self, section: Section) -> None:
        """Go on with a section."""
        self.section = section
        self.lines = self.sections.setdefault(section, [])

    def add(self, text: str, first: str = "  ") -> None:
        """Add a text, wrapped: further lines stand under the text if `first` has a number, else are set in by two."""
        self.lines += wrapped(text, first, " " * (len(first) if first.strip() else len(first) + 2))

    def tell(self, section: Section, key: str, first: str = "  ", /, **facts: str | int) -> None:
        """Add a sentence to a section."""
        self.enter(section)
        self.add(self.voice.say(key, **facts), first)

    def note(self, text: str) -> None:
        """Add a note of a player, set in and wrapped, every line marked."""
        for line in text.split("\n"):
            self.lines += wrapped(self.voice.language.letters(line), NOTE, NOTE)

    def bullets(self, items: Iterable[str]) -> None:
        """Add a list, one item a line."""
        for item in items:
            self.lines += wrapped(item, "  - ")

    def written(self) -> list[str]:
        """Return all sections that have lines, in their order, each under its heading."""
        told = [(section, self.sections[section]) for section in SECTIONS if section in self.sections]
        return [line for section, lines in told for line in ("", self.voice.word("headings", section), *lines)]


def person(voice: Voice, player: str, colour: str, first: str = "  ") -> list[str]:
    """Return who a player is: name, title, colour; a title that needs a line of its own is marked like a note."""
    title = voice.title(player)
    brackets = f" ({title})" if title else ""
    line = f"{first}{voice.player(player)}{brackets}, {voice.name(colour)}"
    if width_of(line) <= WIDTH:
        return [line]
    return [*wrapped(f"{voice.player(player)}, {voice.name(colour)}", first), *wrapped(title, NOTE, NOTE)]


def ruler() -> str:
    """Return the line under the title."""
    return "=" * WIDTH
