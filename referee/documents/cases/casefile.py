"""A case file: its keys, and reading it. It plays nothing.

Whatever a case cannot be is an error that names file, line and key: a case that is misread would prove nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

from referee.documents.text import Source, parse
from referee.errors import Problem, UnreadableDocument, raise_all
from referee.game.trees import known_hint

HEAD = ("id", "source", "text", "edition", "variant", "rules", "settings")
POSITION = (
    "players", "board", "land", "hands", "missions", "pile", "discards", "rest", "sets_traded", "sets_of", "out",
    "passive", "missed_before", "standing", "round", "first", "to_place", "acting", "capitals", "secret_capitals",
)  # fmt: skip
SET_UP = ("claim", "deploy", "neutral", "capital")
WHAT = (
    "player", "orders", "missed", "no_reveal", "resign", "new_standing", *SET_UP, "start", "dice", "check",
    "expect", "refused",
)  # fmt: skip
EXPECT = (
    "ignore", "only", "events", "land", "hands", "pile", "bottom", "discards", "sets_traded", "status", "acting",
    "round", "phase", "winners", "how", "missed", "to_place", "capitals",
)  # fmt: skip
START = ("wishes", "seats", "drawn", "deal")
NEEDED = ("id", "source", "text", "edition", "variant")


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


def no_case(message: str, key: str = "", hint: str = "") -> NoReturn:
    """Refuse a case; the file and the line are filled in by whoever runs it."""
    raise UnreadableDocument(Problem("no-case", message, key, hint))


def expect_known(table: Mapping[str, Any], keys: Iterable[str], where: str) -> None:
    """Refuse a table with keys that are not among `keys`; `where` is the path of the table with its dot."""
    known = tuple(keys)
    extra = [key for key in table if key not in known]
    raise_all(
        UnreadableDocument,
        (Problem("no-case", f'"{key}" is no key here', f"{where}{key}", known_hint(key, known)) for key in extra),
    )


def read_case(data: bytes, file: str) -> Case:
    """Read a case; `file` is its path, whose last part must begin with the id. UnreadableDocument if it is none."""
    source = parse(data, file)
    case = Case(file, source)
    try:
        _check_keys(source.tree, file)
    except UnreadableDocument as error:
        raise placed(error, case) from None
    return case


def placed(error: UnreadableDocument, case: Case) -> UnreadableDocument:
    """Return the error with file and line filled in."""
    return UnreadableDocument(*(p._replace(file=case.file, line=case.source.line_of(p.key)) for p in error.problems))


def _check_keys(tree: Mapping[str, Any], file: str) -> None:
    expect_known(tree, (*HEAD, *POSITION, *WHAT), "")
    expect_known(tree.get("expect", {}), EXPECT, "expect.")
    expect_known(tree.get("start", {}), START, "start.")
    for key in NEEDED:
        if not isinstance(tree.get(key), str) or not tree[key]:
            no_case("missing", key)
    stem = file.replace("\\", "/").rpartition("/")[2].removesuffix(".toml")
    if stem != tree["id"] and not stem.startswith(tree["id"] + "-"):
        no_case(f"the name of the file must begin with {tree['id']}-", "id")
