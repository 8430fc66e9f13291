"""Comments in documents that a player fills in: lines that mail leaves alone, headings, items, examples."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from referee.documents.layout import COLUMNS, table_text, value_text
from referee.views.text import TOGETHER


def text_of(lines: Iterable[str]) -> str:
    """Join lines to a text."""
    return "\n".join(lines) + "\n"


def lines_of(tree: Mapping[str, Any]) -> list[str]:
    """Return the lines of a tree."""
    return table_text(tree).rstrip("\n").split("\n")


def list_lines(key: str, values: Sequence[str]) -> list[str]:
    """Write a list so that its lines may still be commented out."""
    line = f"{key} = {value_text(values)}"
    if len(line) + len("# ") <= COLUMNS:
        return [line]
    return [f"{key} = [", *(f"    {value_text(value)}," for value in values), "]"]


def comment(text: str, first: str = "# ", rest: str = "# ") -> list[str]:
    """Write a comment in lines that mail leaves alone."""
    lines = wrap(text, COLUMNS, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return [line.replace(TOGETHER, " ") for line in lines]


def section(title: str) -> list[str]:
    """Write a heading."""
    return ["", f"# ---- {title} ".ljust(COLUMNS - 4, "-")]


def item(text: str) -> list[str]:
    """Write one of several things that a comment lists."""
    return comment(text, "#   ", "#     ")


def example(*lines: str) -> list[str]:
    """Write lines that hold once the # before them is taken away."""
    return [f"# {line}" for line in lines]
