"""Every rule case plays as its text says, and every rule that the playable games touch has one."""

from pathlib import Path

import pytest
from support.cases import load, read

from referee.documents.cases.casefile import Case
from referee.documents.cases.running import run
from referee.errors import UnreadableDocument

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


SOUND = """
id = "R-ATT-12"
source = "no p.11"
text = "One roll."
edition = "no"
variant = "world"
players = ["kari red", "ola blue", "liv green"]
board = "ola 1"
land = { alaska = "kari 5", kamchatka = "ola 3", iceland = "liv 3" }
dice = [[[6, 5, 4], [2, 1]]]

[orders]
place = { alaska = 3 }
attack = [{ from = "alaska", to = "kamchatka", max_rolls = 1 }]

[expect]
ignore = ["reinforcements_counted", "armies_placed", "turn_ended", "turn_began"]
events = ["attack_began", { kind = "battle_fought", defender_lost = 2 }, "attack_stopped"]
land = { alaska = "kari 8", kamchatka = "ola 1" }
"""

FAULTS = {
    "dice left over": ("[[[6, 5, 4], [2, 1]]]", "[[[6, 5, 4], [2, 1]], [[6], [6]]]"),
    "no dice": ("dice = [[[6, 5, 4], [2, 1]]]", "dice = []"),
    "other dice": ("[2, 1]]]", "[2]]]"),
    "an event not listed": (', "attack_stopped"]', "]"),
    "an event that did not happen": ('"attack_stopped"]', '"attack_stopped", "card_drawn"]'),
    "another event": ('["attack_began"', '["attack_skipped"'),
    "another fact": ("defender_lost = 2", "defender_lost = 1"),
    "land that changed": (', kamchatka = "ola 1" }', " }"),
    "land that did not": ('kamchatka = "ola 1" }', 'kamchatka = "ola 1", japan = "liv 1" }'),
    "a hand that did not change": ("[expect]", '[expect]\nhands = { kari = ["siam"] }'),
    "a victory that was none": ("[expect]", '[expect]\nwinners = ["kari"]'),
    "orders that are refused": ("alaska = 3 }\nattack", "alaska = 4 }\nattack"),
    "orders that are not": ("dice =", 'refused = [["place", "wrong-total"]]\ndice ='),
    "an unsound position": ('iceland = "liv 3"', 'iceland = "liv 0"'),
    "an unknown field": ("defender_lost = 2", "defender_won = 2"),
    "an unknown kind": ('"attack_stopped"]', '"attack_stoped"]'),
    "an unknown territory": ("iceland", "island"),
    "an unknown table": ("[orders]", '[[check]]\nof = "luck"\ngives = 1\n[orders]'),
}


def written(folder: Path, text: str, name: str = "R-ATT-12-one-roll.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_sound_case_is_sound(tmp_path: Path) -> None:
    assert run(read(written(tmp_path, SOUND))) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_the_runner_sees_a_fault(fault: str, tmp_path: Path) -> None:
    old, new = FAULTS[fault]
    assert SOUND.count(old) == 1
    case = written(tmp_path, SOUND.replace(old, new))
    if fault.startswith("an unknown"):
        with pytest.raises(UnreadableDocument):
            run(read(case))
    else:
        assert run(read(case)) != []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SOUND.replace("board =", "bord ="), ':8: bord: "bord" is no key here\n  hint: did you mean "board"?'),
        (SOUND.replace("ignore =", "ignored ="), ':17: expect.ignored: "ignored" is no key here\n  hint: did you mean'),
        (SOUND.replace('source = "no p.11"', ""), ": source: missing"),
        (SOUND.replace("R-ATT-12", "R-ATT-13"), ":2: id: the name of the file must begin with R-ATT-13-"),
        (SOUND.replace("[orders]", "[orders"), ":12: is not valid TOML"),
    ],
)
def test_what_is_no_case_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument) as error:
        read(written(tmp_path, text))
    assert message in str(error.value)
