"""The tables of the README name every attack, and every attack that they name is tried."""

import ast
import re
from pathlib import Path

FOLDER = Path(__file__).parent
README = (FOLDER.parent.parent / "README.md").read_text("utf-8")
SECTION = README[README.index("## Who can cheat") : README.index("## Editions")]


def tried() -> dict[str, str]:
    """Return the attacks by what their names begin with; any other test in this folder would be passed over."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob("test_*.py")):
        if path == Path(__file__):
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            name = re.match(r"test_([a-z]\d\d)_", node.name)
            assert name is not None, f"{path.name}: {node.name} has no letter and number"
            assert name[1].upper() not in found, f"{node.name} and {found[name[1].upper()]}"
            found[name[1].upper()] = node.name
    return found


def rows() -> list[list[str]]:
    """Return the cells of all rows whose last column names tests."""
    tables = re.split(r"\n\n", SECTION)
    found = []
    for table in tables:
        lines = [line for line in table.split("\n") if line.startswith("|")]
        if lines and lines[0].split("|")[-2].strip() == "tests":
            found += [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]
    return found


def named(cell: str) -> list[str]:
    """Return the tests that a cell names, such as `H01-H05, Y02`."""
    found = []
    for part in cell.strip(" |").split(", "):
        first, _, last = part.partition("-")
        assert re.fullmatch(r"[A-Z]\d\d", first), cell
        assert not last or (last[0] == first[0] and int(last[1:]) > int(first[1:])), cell
        found += [f"{first[0]}{number:02}" for number in range(int(first[1:]), int((last or first)[1:]) + 1)]
    return found


def test_every_row_names_tests_that_exist_and_every_test_stands_in_a_row() -> None:
    there = tried()
    assert len(there) > 90
    assert len(rows()) > 50
    in_rows: set[str] = set()
    for row in rows():
        in_rows |= set(named(row[-1]))
    assert in_rows - set(there) == set()
    assert set(there) - in_rows == set()


def test_all_that_might_be_tried_is_in_the_table_of_each_kind_of_game() -> None:
    """What the tables speak of in each kind of game, if not in a row of its own then in one with others."""
    words = ("choose dice", "know dice early", "try out orders", "withhold", "a second time", "fork", "deal again",
             "read hands", "forge", "deny", "stall")  # fmt: skip
    for part in SECTION.split("\n### ")[1:]:
        firsts = " ".join(line.split("|")[1] for line in part.split("\n") if line.startswith("|"))
        for word in words:
            assert word in firsts, f"{part.splitlines()[0]}: {word}"
