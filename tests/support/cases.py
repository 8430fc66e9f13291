"""The rule cases of this project, as files to read."""

from pathlib import Path

from referee.documents.cases.casefile import Case, read_case

FOLDER = Path(__file__).parent.parent / "rules"


def read(path: Path) -> Case:
    """Read one case."""
    return read_case(path.read_bytes(), str(path))


def load(folder: Path = FOLDER) -> list[Case]:
    """Read all cases of a folder, in the order of their names."""
    return [read(path) for path in sorted(folder.rglob("*.toml"))]
