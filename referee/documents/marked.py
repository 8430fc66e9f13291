"""Documents within a text: what stands between the marker lines that `sign` sets, with a mail around it or quoted.

Looked for only in a text that cannot be read as it is, so that nothing is ever cut out of a sound document. The lines
keep their numbers, for messages.
"""

import re

from referee.documents.text import BEGIN, END, QUOTES
from referee.errors import Problem, UnreadableDocument

MAX_BLOCKS = 40
"""So many documents of one text are read at most."""

_FORMAT = rf"[{QUOTES}]*format\s*=\s*[\"']referee/"


def blocks(text: str, file: str = "") -> list[str]:
    """Return each part of a text from one marker line to the other, or to the next first one, or to the end.

    A text that is nothing but one such part has none: it has been read in vain already. Raises `UnreadableDocument` if
    there are more than `MAX_BLOCKS`, or if a document begins outside all of them, which would be passed over.
    """
    lines = text.split("\n")
    bare = [line.lstrip(QUOTES).rstrip() for line in lines]
    begins = [number for number, line in enumerate(bare) if line == BEGIN]
    if not begins:
        return []
    if len(begins) > MAX_BLOCKS:
        message = f"holds {len(begins)} documents between marker lines, the most are {MAX_BLOCKS}"
        raise UnreadableDocument(Problem("several-documents", message, hint="give them in several files", file=file))
    ends = [number for number, line in enumerate(bare) if line == END]
    found = []
    outside = 0
    for begin, following in zip(begins, [*begins[1:], len(lines)], strict=True):
        end = next((number for number in ends if begin < number < following), following)
        _refuse_outside(lines, outside, begin, file)
        outside = end
        quote = lines[begin][: lines[begin].index("#")]
        rows = lines[begin : end + 1 if end in ends else end]
        inner = [row.removeprefix(quote) if row.startswith(quote) else row.lstrip(QUOTES) for row in rows]
        if any("=" in row for row in inner):  # else a mail quotes the marker line alone
            found.append("\n" * begin + "\n".join(inner) + "\n")
    _refuse_outside(lines, outside, len(lines), file)
    return [part for part in found if part != text]


def _refuse_outside(lines: list[str], start: int, end: int, file: str) -> None:
    """Raise if a document begins in lines that are outside the markers."""
    for number in range(start, end):
        if re.match(_FORMAT, lines[number]):
            message = "a document begins here that no marker lines stand around, beside one that has them"
            problem = Problem(
                "outside-markers", message, hint="save it in a file of its own", file=file, line=number + 1
            )
            raise UnreadableDocument(problem)


def only_block(text: str, file: str) -> str:
    """Return the only part between marker lines, or nothing; `UnreadableDocument` if there are several."""
    found = blocks(text, file)
    if len(found) > 1:
        message = f"holds {len(found)} documents between marker lines, and only one is wanted here"
        hint = "save each in a file of its own"
        raise UnreadableDocument(Problem("several-documents", message, hint=hint, file=file))
    return found[0] if found else ""
