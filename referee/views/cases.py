"""What came of a folder of rule cases: a line for each that differs, a summary, and the same for programs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from referee.documents.cases.casefile import Case
from referee.game.records import NamedTuple
from referee.views.text import printable, wrapped


class Outcome(NamedTuple):
    """A case that was played, and what was not as it says."""

    case: Case
    differs: tuple[str, ...]


def case_lines(outcome: Outcome) -> list[str]:
    """Write what came of one case: a line, and below it each difference, wrapped."""
    if not outcome.differs:
        return [f"{outcome.case.file}: as it says"]
    rows = [row for one in outcome.differs for row in wrapped(printable(one), "  - ")]
    return [f"{outcome.case.file}:", *rows]


def summary_line(outcomes: Sequence[Outcome]) -> str:
    """Write how many cases there are, of how many ids, in which editions, and how many differ."""
    editions = ", ".join(f"{edition} {number}" for edition, number in _by_edition(outcomes))
    ids = len({outcome.case.id for outcome in outcomes})
    differing = sum(1 for outcome in outcomes if outcome.differs)
    verdict = f"{differing} {'differs' if differing == 1 else 'differ'}" if differing else "all as they say"
    return f"{_counted(len(outcomes), 'case')} of {_counted(ids, 'id')} ({editions}): {verdict}"


def cases_tree(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return everything for programs."""
    head = ("id", "source", "text", "edition", "variant")
    return {
        "cases": [
            {
                "file": outcome.case.file,
                **{key: outcome.case.tree[key] for key in head},
                "differs": list(outcome.differs),
            }
            for outcome in outcomes
        ],
        "ids": sorted({outcome.case.id for outcome in outcomes}),
        "editions": dict(_by_edition(outcomes)),
        "differing": sum(1 for outcome in outcomes if outcome.differs),
    }


def _by_edition(outcomes: Sequence[Outcome]) -> list[tuple[str, int]]:
    return sorted(Counter(str(outcome.case.tree["edition"]) for outcome in outcomes).items())


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
