"""Every rule case plays as its text says, and every rule that the playable games touch has one."""

from pathlib import Path

import pytest
from support.cases import load

from referee.documents.cases.casefile import Case
from referee.documents.cases.running import run

CASES = load()


def numbered(prefix: str, first: int, last: int) -> set[str]:
    return {f"{prefix}-{number:02}" for number in range(first, last + 1)}


NEEDED = (
    numbered("R-SETUP", 1, 14)
    | numbered("R-MIS", 2, 10)
    | numbered("R-TURN", 1, 7)
    | numbered("R-REINF", 1, 7)
    | numbered("R-CARD", 1, 15)
    | numbered("R-ATT", 1, 20)
    | numbered("R-FORT", 1, 5)
    | numbered("R-WIN", 1, 10)
    | numbered("R-CAP-NO", 1, 9)
    | numbered("R-HQ-DA", 1, 6)
    | {"C-NO-13", "C-DA-07", "C-DA-13", "P-09", "P-20"}
    | numbered("EX", 1, 14)
    | numbered("Q", 7, 24)
    | numbered("Q", 30, 33)
    | numbered("P", 3, 8)
    | {"P-11", "P-14"}
    | numbered("D-STOP", 1, 8)
    | numbered("D-ADV", 1, 3)
    | numbered("D-PATH", 1, 6)
    | numbered("D-IF", 1, 5)
    | numbered("D-FALL", 1, 3)
    | numbered("D-FORT", 1, 1)
    | numbered("D-WIN", 1, 3)
    | numbered("D-ABS", 1, 8)
    | numbered("D-DRAW", 1, 5)
    | numbered("D-ERR", 1, 2)
    | numbered("S", 1, 18)
)
"""R, EX, Q and P as the rules digest numbers them; D by part of the orders, S by bullet of the small
print of the design."""

WITHOUT = {
    "R-SETUP-05": "cards that are dealt as land are never held, so their symbols cannot matter",
    "R-SETUP-07": "claiming is not playable yet",
    "R-MIS-04": "a remark about the missions, no rule",
    "R-MIS-07": "secrecy is a matter of boxes and commitments: the laws on whole games",
    "R-TURN-07": "no order can say it: who is not awaited sends no orders",
    "R-CARD-15": "secrecy is a matter of boxes and commitments: the laws on whole games",
    "R-ATT-20": "no neutral army in a playable game yet",
    "R-WIN-06": "no neutral army in a playable game yet",
    "EX-10": "no neutral army in a playable game yet",
    "S-02": "P-08 has the cases of this bullet",
    "S-03": "no neutral army in a playable game yet",
}


@pytest.mark.parametrize("case", CASES, ids=[Path(case.file).stem for case in CASES])
def test_the_case_plays_as_the_rule_says(case: Case) -> None:
    assert run(case) == []


def test_every_rule_that_is_touched_has_a_case() -> None:
    there = {case.id for case in CASES}
    assert NEEDED - WITHOUT.keys() - there == set()
    assert there - NEEDED == set()
    assert there & WITHOUT.keys() == set()
    assert WITHOUT.keys() <= NEEDED
