"""Every rule case plays as its text says, and every rule that the playable games touch has one."""

from pathlib import Path

import pytest
from support.cases import Case, load, run

FOLDER = Path(__file__).parent / "rules"
CASES = load(FOLDER)


@pytest.mark.parametrize("case", CASES, ids=[case.path.stem for case in CASES])
def test_the_case_plays_as_the_rule_says(case: Case) -> None:
    assert run(case) == []
