"""Every document of the catalogue is taken, or refused with exactly the message that stands beside it.

`tests/documents/valid` and `invalid` hold the cases, by kind of document; `support/documents.py` says how they are made
whole. The messages were read one by one by somebody who thought of the player who has made the mistake.
"""

from pathlib import Path

import pytest
from support.codes import bare, codes
from support.documents import RUNNERS, run, verdict_on
from support.filling import case, cases
from support.openings import ROOT

VALID, INVALID = cases("valid"), cases("invalid")


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", VALID, ids=name)
def test_a_valid_document_is_taken(path: Path) -> None:
    run(case(path))


@pytest.mark.parametrize("path", INVALID, ids=name)
def test_an_invalid_document_is_refused_with_its_message(path: Path) -> None:
    said, _ = verdict_on(path)
    assert said == path.with_suffix(".txt").read_text("utf-8")


@pytest.mark.parametrize("path", INVALID, ids=name)
def test_a_message_is_lower_case_without_a_full_stop_and_names_its_file(path: Path) -> None:
    _, problems = verdict_on(path)
    for problem in problems:
        assert not problem.message[:1].isupper()
        assert not problem.message.removesuffix("...").endswith((".", " "))
        assert "  " not in problem.message
        assert not problem.hint.endswith((".", " "))
        assert not problem.line or problem.file


def test_every_kind_has_cases_and_no_message_is_left_over() -> None:
    for folder in ("valid", "invalid"):
        kinds = {path.parent.name for path in cases(folder)}
        assert kinds == set(RUNNERS), folder
    messages = sorted(ROOT.rglob("*.txt"))
    assert [path.with_suffix(".toml") for path in messages] == INVALID


ELSEWHERE = {
    "game/board.py": "board files are the project's own: test_board.py",
    "game/presets.py": "editions are the project's own: test_rules.py",
    "documents/keys.py": "a key file is no document: test_keys.py",
}
"""By module: where its codes are provoked, as no document can."""

NOT_HERE = {
    "newer-toml": "only a Python that reads TOML 1.1 asks for it: test_text.py",
    "no-value": "JSON has it and TOML has not: test_forgeries.py",
    "fork": "takes two files: test_forgeries.py",
    "hidden-mission": "takes a row of files: test_gone.py",
    "gap": "takes a row of files: test_forgeries.py",
    "received": "takes a receipt and a game file: test_receipts.py",
    "no-opening": "takes the key of one whose salt was another: test_gone.py",
    "wrong-handing": "takes the key of the new host: attacks/test_next_host.py",
    "spare": "takes a record: test_records.py",
    "no-entries": "a record is made of a whole game: test_records.py",
    "host-missing": "takes all joins to the invitation of a host who plays: test_host_plays.py",
}
"""By code: why no single document provokes it."""


def test_every_code_is_provoked_by_an_invalid_document() -> None:
    provoked = {bare(problem.code) for path in INVALID for problem in verdict_on(path)[1]}
    known = codes()
    missing = {code: module for code, module in known.items() if code not in provoked and module not in ELSEWHERE}
    assert missing.keys() == NOT_HERE.keys(), missing
    assert provoked <= known.keys(), "the collector of codes does not see these"
    assert all("_" not in code for code in known)
