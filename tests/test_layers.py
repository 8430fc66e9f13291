"""The layers of the design hold: a module imports from its own layer and those below it, and the core does no I/O."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "referee"
LAYERS = ("errors", "data", "game", "documents", "views", "mail", "cli")
"""From the lowest: a layer may import from itself and from those before it."""

PURE = {"game", "documents"}
BANNED = {
    "random", "time", "datetime", "locale", "os", "sys", "pathlib", "io", "socket", "subprocess", "logging", "getpass",
    "tempfile", "shutil", "secrets", "uuid", "click", "rich", "pydantic",
}  # fmt: skip
ALLOWED_IN = {"documents": {"sys"}}  # text.py asks for the version of Python, which decides what tomllib accepts
MODULES = sorted(PACKAGE.rglob("*.py"))


def layer_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names if node.module == "referee")


def test_there_are_modules_in_every_layer_that_is_built() -> None:
    found = {layer_of(path) for path in MODULES}
    assert found >= {"errors", "data", "game", "documents", "views", "cli"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_own_layer_and_below(path: Path) -> None:
    own = layer_of(path)
    if own in ("__init__", "__main__"):
        return
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "referee" and len(parts) > 1 and parts[1] in LAYERS:
            assert LAYERS.index(parts[1]) <= LAYERS.index(own), f"{path} imports {name}"


@pytest.mark.parametrize("path", [p for p in MODULES if layer_of(p) in PURE], ids=lambda p: p.stem)
def test_core_and_documents_know_no_files_clock_or_chance(path: Path) -> None:
    own = layer_of(path)
    for name in imports(path):
        top = name.split(".")[0]
        assert top not in BANNED - ALLOWED_IN.get(own, set()), f"{path} imports {name}"


@pytest.mark.parametrize("path", [p for p in MODULES if layer_of(p) == "game"], ids=lambda p: p.stem)
def test_the_core_uses_the_standard_library_only(path: Path) -> None:
    for name in imports(path):
        assert name.split(".")[0] not in {"cryptography", "tomli_w", "typer", "tomllib"}, f"{path} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nobody_leans_on_what_typer_brings(path: Path) -> None:
    assert not {name.split(".")[0] for name in imports(path)} & {"click", "rich", "pydantic", "shellingham"}


def test_only_their_command_loads_the_rule_cases() -> None:
    found = {path for path in MODULES if any(name.startswith("referee.documents.cases") for name in imports(path))}
    outside = {str(path.relative_to(PACKAGE)) for path in found if path.parent.name != "cases"}
    assert outside == {"views/cases.py", "cli/cases.py"}
    assert {name for path in MODULES for name in imports(path)}.isdisjoint({"referee.cli.cases"})


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_named_tuples_are_those_that_are_quick_to_define(path: Path) -> None:
    if layer_of(path) == "errors" or path.name == "records.py":
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "typing":
            assert "NamedTuple" not in [alias.name for alias in node.names], (
                f"{path}: take it from referee.game.records"
            )


@pytest.mark.parametrize("path", [p for p in MODULES if layer_of(p) != "cli"], ids=lambda p: p.stem)
def test_nothing_below_the_command_line_prints_or_exits(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "exit", "quit", "open", "input"}, f"{path}:{node.lineno}"


def test_the_visible_top_level_is_what_the_project_shows() -> None:
    shown = {entry.name for entry in ROOT.iterdir() if not entry.name.startswith(".")}
    allowed = {"pyproject.toml", "referee", "examples", "tests", "README.md"}
    made_by_tools = {name for name in shown if name.endswith(".egg-info") or name in {"build", "dist"}}
    assert shown - made_by_tools <= allowed
