"""Bytes to a tree: TOML that anybody may have sent (DESIGN 3).

Whatever could bring the parser to a standstill is refused before it is parsed: size, depth of
brackets, parts of a key, length of lines. Afterwards the tree is checked for what TOML allows and
documents do not: floats, dates, large integers, odd keys, control and bidirectional characters. All
problems of a kind are reported together.

Accepted silently, since signatures are over the meaning: a byte order mark, and CRLF, CR or CR CR
LF at line ends. Nothing here knows the kinds of documents. Lines of values are looked up only when
there is a problem to report.
"""

import re
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any

from referee.documents.canonical import Sifted, sift
from referee.documents.lines import DEEPER, STRUCTURE, around, bare, blanked, entry, joined, line_at, lines
from referee.errors import MAX_PROBLEMS, Problem, UnreadableDocument, raise_all

BEGIN = "# referee orders begin"
END = "# referee orders end"
"""The lines around each document that is made to be sent: what a mail adds stands outside."""
QUOTES = "> |"
"""What mail programs put in front of quoted lines; a marker line is one behind them, too."""

MAX_BYTES = 1 << 20
MAX_DEPTH = 32
MAX_KEY_PARTS = 3
MAX_LINE = 10_000
MAX_INTEGER = (1 << 53) - 1

TERRITORY_TABLES = frozenset({"place", "deploy", "defend", "neutral"})
"""Tables whose keys are names of territories, in any language."""

_NUMBERS = ("turn", "sequence")
"""Numbers that stand above all headings."""

_BRACKETS = b"[]{}"
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _BRACKETS)
_STEPS = {byte: DEEPER[chr(byte)] for byte in _BRACKETS}

# Patterns are compiled, and kept by `re`, when they are first used: most are needed only when
# something is wrong.
_BLANKS = r"[^\S\n]*+"
_PART = r"[^\s.=,\[\]{}]*+"
# Three dots in one line are rare, three dots between the four parts of one key rarer still.
_THREE_DOTS = r"\.[^.\n]*+\.[^.\n]*+\."
_BETWEEN = rf"\.{_BLANKS}{_PART}{_BLANKS}"
_FOUR_PARTS = rf"{_BETWEEN}{_BETWEEN}\."

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f]"
_MARKS = _BRACKETS + b"."
_HARMLESS = bytes({*range(256)} - {*range(32), 127, *_MARKS} | {9, 10})
"""What is neither a control character nor a bracket or a dot."""
_LINE_END = r"\r++\n?"
_KEYS = r"(?:[a-z][a-z0-9_-]{0,39}\n)*+"
_KEY = r"[a-z][a-z0-9_-]{0,39}"
_FORBIDDEN = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


class Source:
    """A document as text and as a tree, and where in the text each value stands."""

    __slots__ = ("_lines", "file", "text", "tree")

    def __init__(self, tree: dict[str, Any], text: str = "", file: str = "") -> None:
        self.tree = tree
        self.text = text
        self.file = file
        self._lines: dict[str, int] | None = None

    def __repr__(self) -> str:
        return f"Source({self.file!r})"

    def line_of(self, key: str) -> int:
        """Return the line of a path such as `attack[2].from`, else of what is around it, else 0."""
        if self._lines is None:
            self._lines = lines(self.text)
        while key and key not in self._lines:
            key = around(key)
        return self._lines.get(key, 0)

    def problem(self, code: str, message: str, key: str = "", hint: str = "") -> Problem:
        """Return a problem with a value of this document, with its file and line."""
        return Problem(code, message, key, hint, self.file, self.line_of(key))


def parse(data: bytes, file: str = "", limit: int = MAX_BYTES, binary: Collection[str] = frozenset()) -> Source:
    """Read TOML that anybody may have sent; raises `UnreadableDocument` with all that is wrong.

    What stands below `binary` keys loses its white space.
    """
    data = out_of_mail(data)
    if len(data) > limit:
        message = f"is larger than {limit:,} bytes"
        raise UnreadableDocument(Problem("too-large", message, file=file))
    text = decoded(data, file)
    try:
        return _parsed(text, file, binary)
    except UnreadableDocument:
        if BEGIN not in text:
            raise
        from referee.documents.marked import only_block

        inner = only_block(text, file)
        if not inner:
            raise
        return _parsed(inner, file, binary)


def parse_each(data: bytes, file: str = "", binary: Collection[str] = frozenset()) -> list[Source]:
    """Read what stands between marker lines, each part by itself; none if it is all of the text.

    What stands below `binary` keys loses its white space.

    Raises `UnreadableDocument` with all that is wrong in all of them.
    """
    from referee.documents.marked import blocks

    found: list[Source] = []
    problems: list[Problem] = []
    for part in blocks(decoded(data, file), file):
        try:
            found.append(_parsed(part, file, binary))
        except UnreadableDocument as error:
            problems += error.problems
    raise_all(UnreadableDocument, problems)
    return found


def _parsed(text: str, file: str, binary: Collection[str]) -> Source:
    marks = text.encode().translate(None, _HARMLESS)
    raise_all(UnreadableDocument, _dangers(text, marks, file))
    try:
        tree, found = _read(text, binary)
    except RecursionError:
        raise UnreadableDocument(_too_deep(file, 0)) from None
    except ValueError as error:  # TOMLDecodeError is one; so is an integer of thousands of digits
        from referee.documents.faults import syntax_problem

        _refuse_hidden_depth(text, marks, file)
        raise UnreadableDocument(syntax_problem(str(error), text, file)) from None
    source = Source(tree, text, file)
    if not _is_sound(found, text, marks):
        _refuse_hidden_depth(text, marks, file)
        raise_all(UnreadableDocument, islice(_unsound("", tomllib.loads(text), source), MAX_PROBLEMS))
    return source


def _read(text: str, binary: Collection[str]) -> tuple[dict[str, Any], Sifted]:
    """Parse and sift a text; the errors are those of `tomllib.loads`.

    It reads a basic string letter by letter, and a literal one in one step, which saves a fifth of a game file's time.
    The two differ in escapes and in the quotes that may stand inside (TOML 1.0, "String"). So where a text has neither
    backslashes nor apostrophes, its strings are read as literal ones. Should an apostrophe come out, then it was a
    quote, in a string of several lines, and the text is read as it stands.
    """
    if "'" not in text and "\\" not in text:
        try:
            tree = tomllib.loads(text.replace('"', "'"))
        except ValueError:
            pass  # what is wrong is to be said of the text as it stands
        else:
            found = sift(tree, binary)
            if "'" not in "".join(found.texts):
                return tree, found
    tree = tomllib.loads(text)
    return tree, sift(tree, binary)


def check_values(tree: Mapping[str, Any], source: Source, path: str = "") -> None:
    """Refuse in a tree that did not come from TOML (what somebody sealed) whatever no document may hold.

    `path` is where the tree stands, for the problems. Raises `UnreadableDocument` with all that is wrong.
    """
    if _depth_of(tree) > MAX_DEPTH:
        raise UnreadableDocument(_too_deep(source.file, source.line_of(path)))
    if not _is_sound(sift({**tree}, ())):
        raise_all(UnreadableDocument, islice(_unsound(path, tree, source), MAX_PROBLEMS))


def with_markers(text: str) -> str:
    """Return a text of whole lines between the marker lines."""
    return f"{BEGIN}\n{text}{END}\n"


# --- before parsing


def out_of_mail(data: bytes) -> bytes:
    """Return what stands in a mail that was saved in the code in which it was sent; anything else as it is."""
    name, colon, _ = data[:80].partition(b":")
    if not colon or not (name.replace(b"-", b"").isalnum() or name.startswith(b"From ")):
        return data  # does not begin with the header line of a mail
    from referee.documents.mailed import decoded_mail

    return decoded_mail(data)


def decoded(data: bytes, file: str = "") -> str:
    """Return a file's text with plain line ends; raises `UnreadableDocument` if it is not UTF-8."""
    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = 'save it as "UTF-8"'
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            line, hint = 0, 'it looks like UTF-16: save it as "UTF-8"'
        problem = Problem("not-utf8", "is not UTF-8 text", "", hint, file, line)
        raise UnreadableDocument(problem) from None
    return re.sub(_LINE_END, _line_end, text) if "\r" in text else text


def _line_end(match: re.Match[str]) -> str:
    """Return one line end for CR LF or CR CR LF, and one for each CR that stands alone."""
    return "\n" if match[0].endswith("\n") else "\n" * len(match[0])


def _dangers(text: str, marks: bytes, file: str) -> Iterator[Problem]:
    """Yield what must not reach the parser; what stands in strings and comments is no structure.

    `marks` are the control characters, brackets and dots of the text: most texts pass on a count of them alone, and
    this costs little beside the parser.
    """
    if marks.translate(None, _MARKS):
        control = next(re.finditer(_CONTROL, text))
        message = f"there is a control character, U+{ord(control[0]):04X}"
        yield _danger("control-character", message, file, line_at(text, control.start()))
    start = _long_line(text)
    if start is not None:
        message = f"the line is longer than {MAX_LINE:,} characters"
        yield _danger("long-line", message, file, line_at(text, start))
    deep = _has_many_brackets(marks) and _depth(marks) > MAX_DEPTH
    dotted = marks.count(b".") >= MAX_KEY_PARTS and re.search(_THREE_DOTS, text) is not None
    if deep or dotted:
        structure = bare(text)
        if deep:
            yield from _depth_problem(structure, text, file)
        if dotted and re.search(_FOUR_PARTS, structure):
            found = next(re.finditer(_FOUR_PARTS, blanked(text)))
            message = f"a key has more than {MAX_KEY_PARTS} parts"
            yield _danger("long-key", message, file, line_at(found.string, found.start()))
    if sys.version_info >= (3, 15):
        from referee.documents.faults import newer_toml

        yield from newer_toml(text, file)


def _long_line(text: str) -> int | None:
    """Return where a line begins that is too long."""
    start = 0
    while len(text) - start > MAX_LINE:
        end = text.rfind("\n", start, start + MAX_LINE + 1)
        if end < 0:
            return start
        start = end + 1
    return None


def _has_many_brackets(marks: bytes) -> bool:
    """Say whether so many brackets are opened that they could be nested too deep; most orders have few."""
    return marks.count(b"[") + marks.count(b"{") > MAX_DEPTH


def _depth(structure: bytes) -> int:
    """Return the greatest depth of brackets."""
    return max(accumulate(map(_STEPS.__getitem__, structure.translate(None, _NO_BRACKETS))), default=0)


def _depth_problem(structure: str, text: str, file: str) -> Iterator[Problem]:
    """Yield the problem with a text whose brackets outside strings and comments are nested too deep."""
    if _depth(structure.encode()) > MAX_DEPTH:
        yield _too_deep(file, _line_of_depth(text))


def _refuse_hidden_depth(text: str, marks: bytes, file: str) -> None:
    """Raise if brackets are nested too deep, though strings and comments made them seem less deep before parsing."""
    if _has_many_brackets(marks):
        raise_all(UnreadableDocument, _depth_problem(bare(text), text, file))


def _danger(code: str, message: str, file: str, line: int) -> Problem:
    return Problem(code, message, file=file, line=line)


def _too_deep(file: str, line: int) -> Problem:
    return _danger("too-deep", f"brackets are nested more than {MAX_DEPTH} deep", file, line)


def _line_of_depth(text: str) -> int:
    depth = 0
    for token in re.finditer(STRUCTURE, text):
        depth += DEEPER.get(token[0], 0)
        if depth > MAX_DEPTH:
            return line_at(text, token.start())
    return 0


# --- what documents do not allow


def _is_sound(found: Sifted, text: str = "", marks: bytes = b"") -> bool:
    """Tell quickly whether a tree is certainly all right; if not, it may be, and is looked at closely.

    `text` and its `marks` are what it was read from, where control characters have been refused, and brackets that seem
    too deep: only strings and comments with closing ones could have made them seem less deep than they are.
    """
    numbers = found.numbers
    if found.others or (numbers and (max(numbers) > MAX_INTEGER or min(numbers) < -MAX_INTEGER)):
        return False
    if not _are_keys(frozenset(found.keys)):
        return False
    joined = "".join(found.texts)
    if _has_many_brackets(marks) and ("]" in joined or "}" in joined or "#" in text):
        return False
    if text.isascii() and text and "\\" not in text:
        return True  # nothing but control characters could be wrong
    # Nothing forbidden can be printed. Other letters that cannot are rare: only then is it looked up.
    joined = joined.replace("\n", "")
    return joined.isprintable() or re.search(_FORBIDDEN, joined) is None


@lru_cache(maxsize=8)
def _are_keys(names: frozenset[str]) -> bool:
    """Say whether all these may be keys anywhere; in a row of files of one game they are the same again and again."""
    lines = "\n".join([*names, ""])
    return re.fullmatch(_KEYS, lines) is not None and lines.count("\n") == len(names)


def _depth_of(tree: Mapping[str, Any]) -> int:
    """Return how many tables and lists stand in each other at most, or a little more than is allowed."""
    depth = 0
    level: list[Any] = [tree]
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [
            child
            for value in level
            for child in (value.values() if isinstance(value, dict) else value)
            if isinstance(child, (dict, list))
        ]
    return depth


def _unsound(path: str, value: Any, source: Source) -> Iterator[Problem]:
    """Yield every problem with the values in a tree."""
    kind = type(value)
    if kind is dict:
        for key, child in value.items():
            where = joined(path, key)
            if not _may_be_key(path, key):
                yield _bad_key(key, child, where, source)
            else:
                yield from _unsound(where, child, source)
    elif kind is list:
        for number, child in enumerate(value, 1):
            yield from _unsound(entry(path, number), child, source)
    elif kind is str:
        found = re.search(_FORBIDDEN, value)
        if found:
            message = f"has the character U+{ord(found[0]):04X}, which cannot be seen"
            yield source.problem("forbidden-character", message, path, "take it out")
    elif kind is int:
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            yield source.problem("integer-too-large", "the number is too large", path)
    elif kind is float:
        yield source.problem("not-whole", f"{value} is no whole number", path)
    elif value is None:
        yield source.problem("no-value", "is nothing at all", path, "leave it out")
    elif kind is not bool:
        message, hint = f"{value} is a date or a time", "write it in quotes"
        yield source.problem("date-or-time", message, path, hint)


def _may_be_key(path: str, key: str) -> bool:
    if re.fullmatch(_KEY, key):
        return True
    return path.rpartition(".")[2] in TERRITORY_TABLES and _may_be_name(key)


def _may_be_name(key: str) -> bool:
    """Tell whether a key can be the name of a territory in any language."""
    return bool(key.strip()) and all(c in "0123456789 ._-" or (c.isalpha() and c <= "\uffff") for c in key)


def _bad_key(key: str, value: Any, path: str, source: Source) -> Problem:
    odd = next((c for c in key if not c.isprintable()), None)
    shown = key if odd is None else f"with U+{ord(odd):04X}"
    if len(shown) > 60:
        shown = shown[:60] + "…"
    hint = ""
    table = path.partition(".")[0]
    if table != path and table.isidentifier() and table not in TERRITORY_TABLES and key.lower() != key:
        hint = f"is [{table}] right? territories stand below [place], [deploy] or [defend]"
    elif table == path and type(value) is int and key.lower() not in _NUMBERS and key[:1].isalpha() and len(key) <= 40:
        hint = "is a heading missing above it? territories stand below [place], [deploy] or [defend]"
    elif re.fullmatch(_KEY, key.lower()):
        hint = f'did you mean "{key.lower()}"?'
    elif len(key) > 40:
        hint = "keys have at most 40 characters"
    return source.problem("bad-key", f'"{shown}" is no key of a document', path, hint)
