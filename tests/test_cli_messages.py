"""Every refusal of the command line stands in a transcript or a test: none is left that nobody has seen."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CLI = TESTS.parent / "referee" / "cli"
UNSEEN = {
    'the chain of this key does not go on from the head of "': "somebody would have another chain than his key gives",
}
"""Refusals that nothing can provoke that is worth a transcript, and why."""


LONG = 14


def texts(value: ast.expr, names: Mapping[str, list[ast.expr]]) -> Iterator[str]:
    """Yield the first long fixed part of each text that an expression can be."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            fixed = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
            yield next((part for part in fixed if len(part) > LONG), max(fixed, key=len))
        case ast.IfExp(body=one, orelse=other):
            yield from texts(one, names)
            yield from texts(other, names)
        case ast.Name(id=name):
            for assigned in names.get(name, []):
                yield from texts(assigned, names)


def messages() -> Iterator[str]:
    """Yield what each problem says that a command makes."""
    functions = [
        node
        for path in sorted(CLI.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    for function in functions:
        names: dict[str, list[ast.expr]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                names.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and len(node.args) > 1:
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if called in ("Problem", "problem"):
                    yield from texts(node.args[1], names)


SHOWN = "".join(
    path.read_text("utf-8")
    for path in (*TESTS.glob("cli/*.txt"), *TESTS.glob("test_*.py"), *TESTS.glob("attacks/test_*.py"))
    if path.name != Path(__file__).name
)
SAID = sorted(set(messages()))


@pytest.mark.parametrize("message", SAID)
def test_every_refusal_of_a_command_is_shown(message: str) -> None:
    is_shown = message.strip()[:20] in SHOWN
    assert is_shown or message in UNSEEN


def test_there_are_refusals_and_those_that_nothing_shows_are_there() -> None:
    assert len(SAID) > 80
    assert set(UNSEEN) <= set(SAID)
