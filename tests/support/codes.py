"""Every code of a problem that the documents and the rules can report, read from the source.

A code is the text that is handed to one of the few functions that make problems, refusals and mistakes. Readers of
trees put the kind of document before it (`orders-unknown-key`), so codes are compared without that first word.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent.parent / "referee"
FOLDERS = ("game", "documents")
MAKERS = {
    "Problem": 0,
    "problem": 0,
    "refusal": 0,
    "Mistake": 0,
    "_danger": 0,
    "_refusal": 0,
    "wrong": 0,
    "_wrong": 0,
    "_bad": 1,
}
"""By the name of the function that is called: the place of the code among its arguments."""

READERS = {"orders.py", "standing.py", "invitation.py", "board.py", "presets.py", "trees.py"}
"""Modules whose `wrong` is that of a tree reader; others call something else so."""

KINDS = ("orders", "invitation", "join", "board", "edition", "condition")


def bare(code: str) -> str:
    """Return a code without the kind of document that a reader puts before it."""
    for kind in KINDS:
        code = code.removeprefix(f"{kind}-")
    return code


def codes() -> dict[str, str]:
    """Return every code and the module in which it is first met."""
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for path in sorted((PACKAGE / folder).glob("*.py")):
            for code in _codes_in(path):
                found.setdefault(bare(code), f"{folder}/{path.name}")
    return found


def _codes_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name == "unknown":
            yield f"unknown-{ast.literal_eval(node.args[-1])}"
        if name not in MAKERS or (name == "wrong" and path.name not in READERS):
            continue
        if not node.args:
            continue  # it makes the problem of something that it knows
        place = MAKERS[name]
        is_reader = name != "wrong" or not isinstance(node.args[0], ast.Name)
        yield from _texts(node.args[place if is_reader else 1])


def _texts(value: ast.expr) -> Iterator[str]:
    """Return the texts that an argument can be: itself, or either side of a choice."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        if value.value.replace("-", "").isalnum() and value.value.islower():
            yield value.value
    elif isinstance(value, ast.IfExp):
        yield from _texts(value.body)
        yield from _texts(value.orelse)
