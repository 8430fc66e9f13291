"""Every rule case plays as its text says, and every rule has one, in every edition in which it reads otherwise."""

import tomllib
from pathlib import Path

import pytest
from support.cases import FOLDER, load

from referee.documents.cases.casefile import Case
from referee.documents.cases.running import run

CASES = load()
CATALOGUE = tomllib.loads((FOLDER.parent / "catalogue.toml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[Path(case.file).stem for case in CASES])
def test_the_case_plays_as_the_rule_says(case: Case) -> None:
    assert run(case) == []


def test_every_number_of_a_rule_is_in_the_catalogue() -> None:
    assert CATALOGUE.keys() == {"series", "cases", "without"}
    numbered = {f"{series}-{n:02}" for series, count in CATALOGUE["series"].items() for n in range(1, count + 1)}
    assert numbered == CATALOGUE["cases"].keys() | CATALOGUE["without"].keys()
    assert not CATALOGUE["cases"].keys() & CATALOGUE["without"].keys()


def test_every_rule_has_a_case_in_every_edition_that_differs() -> None:
    there = {(case.id, case.tree["edition"]) for case in CASES}
    wanted = {(number, edition) for number, editions in CATALOGUE["cases"].items() for edition in editions}
    assert all(CATALOGUE["cases"].values())
    assert wanted - there == set()


def test_no_case_is_of_a_rule_that_cannot_have_one_or_that_there_is_not() -> None:
    assert {case.id for case in CASES if not case.id.startswith("D-")} <= CATALOGUE["cases"].keys()


def test_no_number_is_left_out_in_the_series_about_orders() -> None:
    found = {tuple(case.id.rsplit("-", 1)) for case in CASES if case.id.startswith("D-")}
    series = {name: sorted(int(number) for one, number in found if one == name) for name, _ in found}
    assert all(numbers == [*range(1, len(numbers) + 1)] for numbers in series.values()), series


def test_a_reason_why_there_is_no_case_is_a_sentence() -> None:
    assert all(len(reason.split()) > 3 for reason in CATALOGUE["without"].values())
