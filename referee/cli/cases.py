"""The command `cases`: plays numbered rule cases on this program. It writes no file."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import JsonOption, QuietOption, name_of, print_json, print_lines, read_bytes
from referee.documents.cases.casefile import read_case
from referee.documents.cases.running import run
from referee.documents.intake import Collector
from referee.errors import Problem, ReplayDiffers, UnreadableDocument
from referee.views.cases import Outcome, case_lines, cases_tree, summary_line

MOST_PROBLEMS = 40
"""So many problems of files that are no cases are printed at most, or those of one file."""


def cases(
    paths: Annotated[list[Path], typer.Argument(help="Folders of cases, or single ones.", show_default=False)],
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="List all cases, not only those that differ.")
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play numbered rule cases: a position, orders, loaded dice, and what must come of them.

    A case that differs is printed with what is not as it says, and the exit code is 6; it is 3 if a file is no case.
    tests/rules of this project has the catalogue, and in its README.md the format.

    Example: referee cases tests/rules

    Example: referee cases tests/rules/attack/R-ATT-11-ties-cost-the-attacker.toml -v
    """
    errors = Collector()
    outcomes: list[Outcome] = []
    for path in _files(paths, errors):
        try:
            case = read_case(read_bytes(path), name_of(path))
            outcomes.append(Outcome(case, tuple(run(case))))
        except UnreadableDocument as error:
            errors.note(error)
    errors = _shortened(errors)
    if json:
        print_json(cases_tree(outcomes))
    elif outcomes:
        shown = [outcome for outcome in outcomes if outcome.differs or (verbose and not quiet)]
        lines = [line for outcome in shown for line in case_lines(outcome)]
        print_lines(lines if quiet else [*lines, summary_line(outcomes)])
    errors.done()
    differing = sum(1 for outcome in outcomes if outcome.differs)
    if differing:
        raise ReplayDiffers(Problem("case-differs", f"{differing} of {len(outcomes)} cases differ"))


def _shortened(errors: Collector) -> Collector:
    """Keep the first problems, and say how many files more are no cases: a wrong folder has thousands."""
    short, kept = Collector(), 0
    for number, error in enumerate(errors.errors):
        if kept + len(error.problems) > MOST_PROBLEMS and number:
            hint = "name the folder of cases alone, such as tests/rules"
            message = f"files more that are no cases: {len(errors.errors) - number}"
            short.note(UnreadableDocument(Problem("no-cases", message, hint=hint)))
            break
        short.note(error)
        kept += len(error.problems)
    return short


def _files(paths: Sequence[Path], errors: Collector) -> Iterator[Path]:
    """Yield each file once, those of a folder and of the folders in it in the order of their names."""
    seen = set()
    for path in paths:
        found = sorted(path.rglob("*.toml")) if os.path.isdir(path) else [path]
        if not found:
            errors.note(UnreadableDocument(Problem("no-cases", "there are no cases in this folder", file=str(path))))
        for one in found:
            if one not in seen:
                seen.add(one)
                yield one


COMMANDS = {"cases": cases}
