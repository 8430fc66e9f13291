"""What is wrong with a text that is no TOML, in plain words, for whoever has written it by hand.

Loaded only when there is something to explain. It reads no tree: what TOML allows and documents do not is said in
`text`.
"""

import re
from collections.abc import Iterator

from referee.documents.lines import DEEPER, STRING_OR_COMMENT, bare, blanked, line_at
from referee.documents.text import BEGIN, END
from referee.errors import Problem

_NEWER_ESCAPE = r"(?<!\\)(?:\\\\)*+\\[ex]"
_LAST_COMMA = r",\s*+\}"
_BRACKET_OR_LINE = r"[\[\]{}\n]"
_PLACE = r" \(at (?:line (\d+), column (\d+)|end of document)\)$"
_BARE_NAME = r"\s*([^\W\d_][\w -]*[\w])\s*=\s*\d"
_GIVEN_TWICE = "overwrite|twice|immutable|redefine|Duplicate"
_ASSIGNED = r"\s*([^=]+?)\s*="
_QUOTED = r"[^=\"']*+=\s*+([\"'])"
_ANOTHER_VALUE = r"\s*+(?:,|[\w.-]+\s*+=)"
_HTML = r"&(?:quot|gt|lt|nbsp|amp|#\d+);|</?(?:br|p|div|span|pre)\b"
_HTML_PAGE = r"<(?:!doctype html|html)\b|^content-type:\s*text/html"
_DOCUMENT = r"(?m)^[> |]*format\s*+=\s*+[\"']referee/"
_KEY_WITHIN = 400
"""Within so many characters the first line of a key stands; example keys have a warning before it."""

_HINTS = {
    "illegal character '\\n'": "a quote is opened in this line and not closed",
    "expected '=' after": 'a line is like from = "alaska", [place], [[attack]], or begins with "#"',
    "invalid statement": 'a line is like from = "alaska", [place], [[attack]], or begins with "#"',
    "expected ']": "a heading is like [place] or [[attack]], with as many brackets after the name as before it",
    "invalid initial character": "a heading is like [place] or [[attack]], a line like armies = 3",
    "unclosed": "a bracket is opened and not closed",
    "unterminated": "something is opened and not closed; is this the whole file?",
    "invalid hex value": "a backslash in a text begins a code: write \\\\ for one",
    "unescaped": "a backslash in a text begins a code: write \\\\ for one",
    "escaped character": "a backslash in a text begins a code: write \\\\ for one",
    "invalid date": "a date is written in quotes",
    'expected "': "a text that begins with three quotes ends with three",
}
"""By how the parser's message begins: what to do about it, where nothing in the row says more."""

_TYPOGRAPHY = {
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‘’‚‛‹›′", "'"),
    **dict.fromkeys("–—−‐‑‒", "-"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    **dict.fromkeys("\u0085\u2028\u2029", ""),
    "…": "...",
    "＝": "=",
    "，": ",",
}
_TYPOGRAPHIC = f"[{''.join(_TYPOGRAPHY)}]"


def syntax_problem(error: str, text: str, file: str) -> Problem:
    """Say in plain words what the parser found, naming characters that word processors put in."""
    place = re.search(_PLACE, error)
    message = error[: place.start()] if place else error
    rows = text.split("\n")
    line = len(rows) - (rows[-1] == "")
    column = 0
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
    row = rows[line - 1] if 0 < line <= len(rows) else ""
    typographic = _typographic(row, column)
    if typographic:
        return Problem("not-toml", *typographic, file, line)
    if "digits" in message:
        return Problem("integer-too-large", "the number is too large", file=file)
    if re.search(_GIVEN_TWICE, message):
        return _twice(row, file, line)
    other = _other_kind(text)
    if other:
        return Problem("not-toml", other[0], "", other[1], file, 0)
    message = message[:1].lower() + message[1:]
    where = f" at column {column}" if column else ""
    hint = _of_the_whole(text, row, line) or _of_the_row(message, row, column)
    return Problem("not-toml", f"is not valid TOML: {message}{where}", "", hint, file, line)


def _other_kind(text: str) -> tuple[str, str] | None:
    """Return message and hint for a file that never was a document: a key, a report."""
    first, _, others = text.partition("\n")
    if "PRIVATE KEY-----" in text[:_KEY_WITHIN]:
        return "is a private key, and no document", "keep it to yourself; a command takes it with --key"
    if first.strip() and others.startswith("=" * 20):
        return "is a report, which is for people", "name the game file, or what a player has sent"
    return None


def _of_the_whole(text: str, row: str, line: int) -> str:
    """Return the hint that what came with the document, or does not come with it, asks for."""
    if "=3D" in text:
        return "it is in the code of a mail, quoted-printable: save the whole mail, header lines too, or the attachment"
    if re.search(_HTML, row, re.IGNORECASE) or re.search(_HTML_PAGE, text, re.IGNORECASE | re.MULTILINE):
        return "it is in HTML: save the mail as plain text, or save the file that is attached"
    if BEGIN in text and END not in text:
        return f'the line "{END}" is missing: the end of it was cut off'
    begin = re.search(_DOCUMENT, text)
    if BEGIN not in text and begin and line < line_at(text, begin.end()):
        return "words stand before the document and no marker lines around it: `referee sign` sets them when it signs"
    return ""


def _of_the_row(message: str, row: str, column: int) -> str:
    """Return the hint for what the parser says of a row; `message` is in lower case at its beginning."""
    if message.startswith("invalid value"):
        if not column:
            return "a bracket is opened and not closed; of a list in comments each line is freed of its #"
        if row[: column - 1].rstrip().endswith("=") and not row[column - 1 :].split("#")[0].strip():
            return "nothing stands after the =; if mail has broken the line, have the file attached"
        return 'text needs quotes, like to = "kamchatka"; numbers and true or false need none'
    if message.startswith(("expected '='", "invalid statement")):
        name = re.match(_BARE_NAME, row)
        if name:
            return f'a name with a blank or with letters other than a-z needs quotes: "{name[1]}" = 2'
    if message.startswith("expected newline"):
        return _of_the_rest(row, column)
    return next((hint for begin, hint in _HINTS.items() if message.startswith(begin)), "")


def _of_the_rest(row: str, column: int) -> str:
    """Return the hint for a row that goes on after its value: perhaps the value was meant to hold a quote."""
    value = re.match(_QUOTED, row[: column - 1])
    rest = row[column - 1 :]
    if value and value[1] in rest and not re.match(_ANOTHER_VALUE, rest):
        if value[1] == "'":
            return "the ' within the text ends it: put \" around the text"
        return 'the " within the text ends it: write \\" there'
    return "one value a line; text needs quotes, a number does not begin with 0"


def _typographic(row: str, column: int) -> tuple[str, str, str] | None:
    """Return message, key and hint if a character unknown to TOML stands outside of strings."""
    found = None
    if 0 < column <= len(row) and row[column - 1] in _TYPOGRAPHY:
        found = row[column - 1]
    else:
        match = re.search(_TYPOGRAPHIC, bare(row))
        found = match[0] if match else None
    if found is None:
        return None
    number = f"U+{ord(found):04X}"
    name = f'"{found}" ({number})' if found.isprintable() else number
    instead = _TYPOGRAPHY[found]
    hint = "put an ordinary blank in its place"
    if instead.strip():
        hint = f"write {instead} in its place"
    elif not instead:
        hint = "take it out"
    return f"the character {name} cannot be used here", "", hint


def _twice(row: str, file: str, line: int) -> Problem:
    header = row.strip().startswith("[")
    assigned = re.match(_ASSIGNED, row)
    if header or not assigned:
        name = row.split("#")[0].strip() or "a table"
        hint = "put all of it under one heading" if header else ""
        return Problem("given-twice", f"{name} stands here a second time", "", hint, file, line)
    name = assigned[1].strip("\"'")
    message = f'"{name}" is given twice in the same table'
    return Problem("given-twice", message, "", "keep one of the two", file, line)


def newer_toml(text: str, file: str) -> Iterator[Problem]:
    """Yield what TOML 1.1 allows and 1.0 does not: every Python is to read the same documents."""
    for token in re.finditer(STRING_OR_COMMENT, text):
        if token[0].startswith('"') and re.search(_NEWER_ESCAPE, token[0]):
            message = r"the escapes \e and \x cannot be used"
            yield Problem("newer-toml", message, file=file, line=line_at(text, token.start()))
            break
    structure = blanked(text)
    comma = re.search(_LAST_COMMA, structure)
    if comma:
        message = "an inline table must not end with a comma"
        yield Problem("newer-toml", message, file=file, line=line_at(structure, comma.start()))
    open_brackets: list[str] = []
    for token in re.finditer(_BRACKET_OR_LINE, structure):
        word = token[0]
        if word == "\n" and open_brackets[-1:] == ["{"]:
            message = "an inline table must stand on one line"
            yield Problem("newer-toml", message, file=file, line=line_at(structure, token.start()))
            break
        if DEEPER.get(word) == 1:
            open_brackets.append(word)
        elif word != "\n":
            del open_brackets[-1:]
