"""A case file: from its bytes to a case that can be played."""

from collections.abc import Mapping
from typing import Any, NoReturn

from referee.documents.cases.shape import case_problems
from referee.documents.text import Source, parse
from referee.errors import Problem, UnreadableDocument, raise_all
from referee.game.records import NamedTuple


class Case(NamedTuple):
    """A case that has been read: `file` is how it is called in messages."""

    file: str
    source: Source

    @property
    def tree(self) -> Mapping[str, Any]:
        """Return what the file says."""
        return self.source.tree

    @property
    def id(self) -> str:
        """Return the number of the rule."""
        return str(self.tree["id"])


def no_case(message: str, key: str, hint: str = "") -> NoReturn:
    """Refuse a case that cannot be played; file and line are filled in by whoever runs it."""
    raise UnreadableDocument(Problem("case-not-playable", message, key, hint))


def placed(error: UnreadableDocument, source: Source) -> UnreadableDocument:
    """Return the error with file and line filled in."""
    return UnreadableDocument(*(p._replace(file=source.file, line=source.line_of(p.key)) for p in error.problems))


def read_case(data: bytes, file: str) -> Case:
    """Read a case; UnreadableDocument if it is none. `file` is its path, if it has one: the name begins with the id."""
    source = parse(data, file)
    problems = case_problems(source.tree)
    number = str(source.tree.get("id", ""))
    stem = file.replace("\\", "/").rpartition("/")[2].removesuffix(".toml")
    if number and file.endswith(".toml") and stem != number and not stem.startswith(f"{number}-"):
        problems.append(Problem("case-name", f'the name of the file must begin with "{number}-"', "id"))
    try:
        raise_all(UnreadableDocument, problems)
    except UnreadableDocument as error:
        raise placed(error, source) from None
    return Case(file, source)
