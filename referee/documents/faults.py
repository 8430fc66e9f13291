"""What is wrong with a text that is no TOML, in plain words, for whoever has written it by hand.

Loaded only when there is something to explain. It reads no tree: what TOML allows and documents do not is said in
`text`.
"""

import re
from collections.abc import Iterator

from referee.documents.lines import DEEPER, STRING_OR_COMMENT, bare, blanked, line_at
from referee.errors import Problem

_NEWER_ESCAPE = r"(?<!\\)(?:\\\\)*+\\[ex]"
_LAST_COMMA = r",\s*+\}"
_BRACKET_OR_LINE = r"[\[\]{}\n]"
_PLACE = r" \(at (?:line (\d+), column (\d+)|end of document)\)$"
_BARE_NAME = r"\s*([^\W\d_][\w -]*[\w])\s*=\s*\d"
_ASSIGNED = r"\s*([^=]+?)\s*="

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
    if "overwrite" in message or "twice" in message or "immutable" in message:
        return _twice(row, file, line)
    hint = ""
    if "=3D" in text:
        hint = "it is in the code of a mail, quoted-printable: save the whole mail, header lines too, or the attachment"
    elif message.startswith("Invalid value"):
        hint = 'text needs quotes, like to = "kamchatka"; numbers and true or false need none'
    elif message.startswith(("Expected '='", "Invalid statement")):
        name = re.match(_BARE_NAME, row)
        hint = 'a line is like from = "alaska", [place], [[attack]], or begins with "#"'
        if name:
            hint = f'a name with a blank or with letters other than a-z needs quotes: "{name[1]}" = 2'
    elif message.startswith("Illegal character '\\n'"):
        hint = "a quote is opened in this line and not closed"
    elif message.startswith("Expected newline"):
        hint = "one value a line; text needs quotes, a number does not begin with 0"
    elif message.startswith("Unterminated"):
        hint = "something is opened and not closed; is this the whole file?"
    message = message[:1].lower() + message[1:]
    where = f" at column {column}" if column else ""
    return Problem("not-toml", f"is not valid TOML: {message}{where}", "", hint, file, line)


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
