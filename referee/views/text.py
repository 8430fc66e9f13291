"""Plain text of a fixed width: letters outside ASCII written in ASCII, lines wrapped, columns aligned.

Nothing that a player wrote gets into a report but through `in_ascii` or `printable`, so that it can neither break a
line nor hide one. This module knows no game and no language.
"""

from collections.abc import Sequence

WIDTH = 72
"""No line of a report is longer."""

TOGETHER = "\u00a0"
"""A blank at which no line is broken; `wrapped` prints it as a blank."""

# Every one of these spellings is understood where names are read (`referee.game.names`), so a name can be copied from a
# report into orders. Below them what word processors put into notes.
_ASCII = {
    "æ": "ae", "Æ": "Ae", "ø": "oe", "Ø": "Oe", "å": "aa", "Å": "Aa", "ä": "ae", "Ä": "Ae", "ö": "oe", "Ö": "Oe",
    "ü": "ue", "Ü": "Ue", "ß": "ss",
    "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L",
    "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "×": "x", "•": "*", "\t": " ",
}  # fmt: skip


def in_ascii(text: str) -> str:
    """Write a text in printable ASCII: ø oe, å aa, æ ae, accents dropped, `?` for what has no likeness there."""
    if text.isascii() and text.isprintable():
        return text
    from unicodedata import combining, normalize

    text = normalize("NFC", text)
    spelt = "".join(_spelt(letter, text, place) for place, letter in enumerate(text))
    letters = (letter for letter in normalize("NFKD", spelt) if not combining(letter))
    return "".join(letter if " " <= letter <= "~" else "?" for letter in letters)


def _spelt(letter: str, text: str, place: int) -> str:
    """Spell a letter; both letters are capitals in a word of capitals, of which the next or the last letter tells."""
    spelling = _ASCII.get(letter, letter)
    if len(spelling) == 2 and letter.isupper():
        after, last = text[place + 1 : place + 2], text[:place][-1:]
        return spelling.upper() if (after if after.isalpha() else last).isupper() else spelling
    return spelling


def printable(text: str) -> str:
    """Keep the letters of a text as they are, but nothing that moves the cursor or cannot be seen."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c in "\t\u00a0" else "?" for c in text)


def width_of(text: str) -> int:
    """Return how many columns a printable text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def wrapped(text: str, first: str = "", rest: str | None = None) -> list[str]:
    """Wrap a text at blanks but not at those that keep `TOGETHER`; `first` begins the first line, `rest` the others.

    Without `rest` the others begin with as many blanks.
    """
    rest = " " * width_of(first) if rest is None else rest
    if width_of(first) + width_of(text) <= WIDTH:
        return [(first + text).replace(TOGETHER, " ").rstrip()]
    lines: list[str] = []
    line, length = first, width_of(first)
    begun = False
    for word in _pieces([word for word in text.split(" ") if word], WIDTH - max(width_of(first), width_of(rest))):
        long = width_of(word)
        if begun and length + 1 + long > WIDTH:
            lines.append(line)
            line, length, begun = rest, width_of(rest), False
        line, length = (f"{line} {word}", length + 1 + long) if begun else (line + word, length + long)
        begun = True
    return [row.replace(TOGETHER, " ").rstrip() for row in (*lines, line)]


def _pieces(words: Sequence[str], most: int) -> list[str]:
    """Break the words that are longer than a line."""
    found: list[str] = []
    for word in words:
        piece = word
        while width_of(piece) > most:
            fits = most
            while width_of(piece[:fits]) > most:
                fits -= 1
            found.append(piece[:fits])
            piece = piece[fits:]
        found.append(piece)
    return found


def padded(text: str, width: int) -> str:
    """Fill a text up to a width with blanks."""
    return text + " " * (width - width_of(text))


def table(rows: Sequence[tuple[str, ...]], indent: str = "  ", gap: str = "  ") -> list[str]:
    """Align rows: the first column to the left, all others to the right.

    A label that would make the table too wide stands on lines of its own, above its row. A row of one cell is a label.
    """
    columns = max(map(len, rows))
    widths = [max((width_of(row[i]) for row in rows if len(row) > i), default=0) for i in range(1, columns)]
    most = WIDTH - len(indent) - sum(len(gap) + width for width in widths)
    label = max((w for row in rows if (w := width_of(row[0])) <= most), default=0)
    lines: list[str] = []
    for row in rows:
        cells = "".join(
            gap + " " * (width - width_of(cell)) + cell for width, cell in zip(widths, row[1:], strict=False)
        )
        if width_of(row[0]) <= most:
            lines.append((indent + padded(row[0], label) + cells).rstrip())
        else:
            lines += wrapped(row[0], indent)
            lines.append((indent + " " * label + cells).rstrip())
    return lines
