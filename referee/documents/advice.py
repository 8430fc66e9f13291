"""What somebody may have meant who wrote orders that cannot be understood: hints, in words.

Loaded only when something is wrong. It decides nothing: what is refused is refused without it.
"""

import re
from collections.abc import Collection

from referee.documents.text import Source
from referee.game.board import Board
from referee.game.conditions import Mistake, parse_condition
from referee.game.trees import known_hint, nearest_hint

_MISSPELT = {"=>": ">=", "=<": "<=", "==": "=", "≥": ">=", "≤": "<="}
_MIRRORED = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "="}
_COMPARED = re.compile(r"\s*([^<>=≥≤!]*?[^<>=≥≤!\s])\s*(=\s*[<>=]|[<>]\s*=|[≥≤<>=])\s*([0-9]{1,7})\b.*")
_BACKWARDS = re.compile(r"\s*([0-9]{1,7})\s*(>=|<=|>|<|=)\s*([^<>=]*[^<>=\s])\s*")
_NEGATED = re.compile(r"!=|<>|≠|\bis\s+not\b|^\s*not\b", re.IGNORECASE)
_JOINED = re.compile(r"\s(and|or|og|eller|och|und|oder|&|&&|\|\|)\s", re.IGNORECASE)
_EITHER = frozenset({"or", "eller", "oder", "||"})

_STANDING_KEYS = frozenset({"defend", "missed", "nonce"})
_TURN_KEYS = frozenset({"trade", "place", "attack", "windfall", "fortify"})

_WORDS = frozenset({"trade", "place"})
"""Of these what is no list of tables in standing orders."""

_COMMENTED = re.compile(r"#\s*\"?([^\"=#]*[^\"=#\s])\"?\s*=\s*[1-9][0-9]*\s*")
"""A territory with a number in a line that is not read."""


def about_condition(text: str, mistake: Mistake, board: Board, players: Collection[str]) -> str:
    """Return what was perhaps meant by a condition that is none, or nothing."""
    if joined := _JOINED.search(text):
        if joined[1].lower() in _EITHER:
            return "only one thing stands in a condition; for one or the other give two entries"
        return 'each stands in quotes of its own, and all must hold: if = ["alaska is mine", "cards >= 3"]'
    if _NEGATED.search(text):
        return "what must not be so stands under `unless`, without a not"
    if mistake.hint:
        return f'did you mean "{mistake.hint}"?'
    if meant := _comparison(text, board, players):
        return f'did you mean "{meant}"?'
    if mistake.code == "no-owner" and mistake.word.lower() == "neutral":
        return "a continent can be mine or a player's"
    word = mistake.word.lower().removesuffix("'s")
    if mistake.code == "no-owner":
        return nearest_hint(word, ("mine", "neutral", *players)) or known_hint(word, players)
    if mistake.code == "no-player":
        return known_hint(word, players)
    return nearest_hint(word, ("won", "lost", "skipped")) if mistake.code == "no-outcome" else ""


def _comparison(text: str, board: Board, players: Collection[str]) -> str:
    """Return the comparison that a text was meant to be, if it would be understood, or nothing."""
    meant = ""
    if found := _COMPARED.fullmatch(text):
        sign = "".join(found[2].split())
        meant = f"{found[1]} {_MISSPELT.get(sign, sign)} {found[3]}"
    elif found := _BACKWARDS.fullmatch(text):
        meant = f"{found[3]} {_MIRRORED[found[2]]} {found[1]}"
    return "" if isinstance(parse_condition(meant, board, "", players), Mistake) else meant


def about_key(key: str, known: Collection[str], board: Board, heading: str) -> str:
    """Return what is to be done about a key that stands above all headings of a document and is none there.

    `heading` is that of the table in which the document has territories.
    """
    if board.find_territory(key) is not None:
        return f"a territory stands below its heading, [{heading}]"
    if key in _STANDING_KEYS and key not in known:
        return "it belongs to standing orders: `referee draft --standing` begins them"
    if key in _TURN_KEYS and key not in known:
        return "in standing orders it stands below [missed]" + ("" if key in _WORDS else f", as [[missed.{key}]]")
    return known_hint(key, known)


def about_comments(source: Source, board: Board) -> str:
    """Return where a territory with a number stands in a line that begins with `#`, or nothing."""
    for number, line in enumerate(source.text.split("\n"), start=1):
        found = _COMMENTED.fullmatch(line.strip())
        if found and board.find_territory(found[1]) is not None:
            return f'line {number} is not read, because it begins with "#": take that away'
    return ""
