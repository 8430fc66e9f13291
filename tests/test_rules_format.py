"""The format of rule cases is described in full in tests/rules/README.md, and what is no case is refused."""

import re
import tomllib
from pathlib import Path

import pytest
from support.cases import FOLDER, read

from referee.data import tree as data_tree
from referee.documents.cases.casefile import read_case
from referee.documents.cases.running import run
from referee.documents.cases.shape import EXPECT, KEYS, POSITION, ROWS, START
from referee.documents.eventtables import KINDS, event_keys
from referee.errors import UnreadableDocument

README = (FOLDER / "README.md").read_text("utf-8")


def section(title: str) -> str:
    """Return a section of the page, or what stands before its first."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def described(title: str) -> set[str]:
    """Return the words in the first column of the tables of a section."""
    cells = re.findall(r"^\| ([^|]*) \|", section(title), re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"`([^`]*)`", cell)}


def test_every_key_of_a_case_is_described_and_no_other() -> None:
    assert described("The head") | described("The position") >= {*POSITION}
    parts = ("The head", "The position", "A turn", "A round of the set-up")
    assert set().union(*map(described, parts)) == {*KEYS} - {"start", "check", "expect"}
    for other in ("start", "check", "expect"):
        assert f"[{other}]" in README


def test_every_key_of_the_start_and_of_what_is_expected_is_described() -> None:
    assert described("The start") - {"[start]"} == {*START}
    assert described("What is expected") == {*EXPECT}


@pytest.mark.parametrize("of", ROWS)
def test_every_table_is_described_with_the_keys_of_its_rows(of: str) -> None:
    assert described("Rows of tables") - {"of"} == {*ROWS}
    (row,) = re.findall(rf"^\| `{of}` \| ([^|]*) \|", section("Rows of tables"), re.MULTILINE)
    own = {*ROWS[of].needed, *ROWS[of].optional}
    if own >= {*POSITION}:
        own = {"mission"}
    if of == "odds":
        own = {"min_odds"}
    assert {word for word in re.findall(r"`([^`]*)`", row) if word != "income"} == own


def test_every_kind_of_event_is_described_with_its_fields() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", section("Events"), re.MULTILINE)
    assert {kind: tuple(re.findall(r"`(\w+)`", fields)) for kind, fields in rows} == {
        kind: event_keys(kind) for kind in KINDS
    }


def test_every_reason_of_the_engine_is_described() -> None:
    assert {*data_tree("languages/en.toml")["stops"]} <= {*re.findall(r"`([a-z-]+)`", section("Events"))}


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", README, re.DOTALL))
def test_an_example_of_the_page_is_a_case_that_holds(text: str) -> None:
    number = tomllib.loads(text)["id"]
    assert run(read_case(text.encode(), f"{number}-example.toml")) == []


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

DIFFERENCES = {
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
    "a status that did not change": ("[expect]", '[expect]\nstatus = { ola = "out" }'),
    "discards that did not change": ("[expect]", '[expect]\ndiscards = ["siam"]'),
    "a set that was not traded": ("[expect]", "[expect]\nsets_traded = 1"),
    "a victory that was none": ("[expect]", '[expect]\nwinners = ["kari"]'),
    "another phase": ("[expect]", '[expect]\nphase = "capital"'),
    "another who is awaited": ("[expect]", '[expect]\nacting = "liv"'),
    "another round": ("[expect]", "[expect]\nround = 2"),
    "another pile": ("[expect]", '[expect]\npile = ["siam"]'),
    "another end of the pile": ("[expect]", '[expect]\nbottom = ["siam"]'),
    "a turn that was not missed": ("[expect]", "[expect]\nmissed = { ola = 1 }"),
    "armies that are not to be placed": ("[expect]", "[expect]\nto_place = { ola = 1 }"),
    "orders that are refused": ("alaska = 3 }\nattack", "alaska = 4 }\nattack"),
    "an unsound position": ('iceland = "liv 3"', 'iceland = "liv 0"'),
}


def written(folder: Path, text: str, name: str = "R-ATT-12-one-roll.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_sound_case_is_sound(tmp_path: Path) -> None:
    assert run(read(written(tmp_path, SOUND))) == []


@pytest.mark.parametrize("fault", DIFFERENCES)
def test_the_runner_sees_a_difference(fault: str, tmp_path: Path) -> None:
    old, new = DIFFERENCES[fault]
    assert SOUND.count(old) == 1
    assert run(read(written(tmp_path, SOUND.replace(old, new)))) != []


AT_THE_START = """
id = "R-SETUP-06"
source = "no p.6"
text = "One army on each territory."
edition = "no"
variant = "mission"

[start]
wishes = { kari = ["red"], ola = ["blue"], liv = ["green"] }
seats = ["kari", "ola", "liv"]

[expect]
events = ["seats_assigned", "missions_dealt", "territories_dealt"]
"""


@pytest.mark.parametrize(
    "more",
    [
        "",
        'land = { alaska = "kari 2" }',
        'hands = { kari = ["siam"] }',
        'status = { kari = "passive" }',
        'discards = ["siam"]',
        "sets_traded = 1",
        "to_place = { kari = 20 }",
        'phase = "turn"',
        'acting = "kari"',
    ],
)
def test_after_the_start_whatever_is_listed_is_compared(more: str) -> None:
    found = run(read_case((AT_THE_START + more).encode(), "standard input"))
    assert len(found) == (1 if more else 0), found


def test_orders_that_should_be_refused_and_are_not_differ(tmp_path: Path) -> None:
    text = SOUND[: SOUND.index("[expect]")].replace("dice =", 'refused = [["place", "wrong-total"]]\ndice =')
    assert run(read(written(tmp_path, text))) == ['refused: [], expected [["place", "wrong-total"]]']


LOSSES = '[[check]]\nof = "losses"\nattack = {}\ndefence = {}\ngives = [0, 0]\n'
REFUSED = [
    ("board =", "bord =", ': bord: "bord" is no key\n  hint: did you mean "board"?'),
    ("board =", "bord =", ": board: missing"),
    ("ignore =", "ignored =", ':17: expect.ignored: "ignored" is no key\n  hint: did you mean "ignore"?'),
    ('source = "no p.11"', "", ": source: missing"),
    ('"no p.11"', '"page 11"', ':3: source: "page 11" is no place in a book, in the digest or in the design'),
    ('id = "R-ATT-12"', 'id = "R-ATT-13"', ':2: id: the name of the file must begin with "R-ATT-13-"'),
    ("[orders]", "[orders", ":12: is not valid TOML"),
    ('edition = "no"', 'edition = "xx"', ':5: edition: "xx" is no edition'),
    ('variant = "world"', 'variant = "wurld"', ':6: variant: "wurld" is no variant\n  hint: did you mean "world"?'),
    ("board =", "rules = { fortify = 1 }\nboard =", ":8: rules.fortify: 1 is not allowed"),
    ("board =", 'settings = { misses = "wait" }\nboard =', ':8: settings.misses: "misses" is no switch'),
    ("ola blue", "ola cyan", ':7: players[2]: "ola cyan" is no player and a colour, such as "kari red"'),
    ('iceland = "liv 3"', 'iceland = "per 3"', ':9: land.iceland: "per" is no player'),
    ('iceland = "liv 3"', 'island = "liv 3"', ':9: land.island: "island" is no territory'),
    ('iceland = "liv 3"', "iceland = 3", ":9: land.iceland: 3 is no owner and a number of armies"),
    ('board = "ola 1"', 'board = "ola"', ':8: board: "ola" is no owner and a number of armies, such as "kari 3"'),
    (
        'board = "ola 1"',
        'board = "ola 10001"',
        ':8: board: "ola 10001" is no owner and a number of armies, such as "kari 3"',
    ),
    ("board =", 'hands = { kari = ["alaska", "alaska"] }\nboard =', ':8: hands.kari[2]: "alaska" stands here twice'),
    ("board =", 'hands = { kari = ["siam"], ola = ["siam"] }\nboard =', ':8: hands: "siam" is in two places'),
    ("board =", 'pile = ["siam", "sium"]\nboard =', ':8: pile[2]: "sium" is no card'),
    ("board =", 'rest = "table"\nboard =', ':8: rest: "table" is neither pile, discards nor a player'),
    ("board =", 'passive = ["per"]\nboard =', ':8: passive[1]: "per" is no player'),
    ("board =", "to_place = { kari = -1 }\nboard =", ":8: to_place.kari: -1 is no number from 0 to 10000"),
    (
        "board =",
        "to_place = { kari = 1000000000000 }\nboard =",
        ":8: to_place.kari: 1000000000000 is no number from 0 to 10000",
    ),
    ("board =", "missed = 1\nboard =", ":8: missed: 1 is neither true nor false"),
    ("board =", "standing = { ola = { defend = 2 } }\nboard =", ":8: standing.ola.defend"),
    ('alaska = "kari 8", kamchatka', 'north_america = "kari 8", kamchatka', ": expect.land.north_america"),
    ("[2, 1]]]", "[2, 7]]]", ":10: dice[1][2]: must be dice from 1 to 6"),
    ("[2, 1]]]", "[2, 1, 1]]]", ":10: dice[1][2]: must be at most 2 dice"),
    ("[6, 5, 4]", "[6, 5, 4, 3]", ":10: dice[1][1]: must be at most 3 dice"),
    ("[orders]", LOSSES.format("[6, 5, 4]", "[3, 2, 1]") + "[orders]", ": check[1].defence: must be at most 2 dice"),
    ("[orders]", LOSSES.format("[6, 5, 4, 3]", "[3]") + "[orders]", ": check[1].attack: must be at most 3 dice"),
    ("[[[6, 5, 4], [2, 1]]]", "[6, 5]", ":10: dice[1]: must be the dice of attack and defence, [[6, 5], [2]]"),
    ("defender_lost = 2", "defender_won = 2", ':18: expect.events[2].defender_won: "defender_won" is no key'),
    ('"attack_stopped"]', '"attack_stoped"]', ':18: expect.events[3]: "attack_stoped" is no kind'),
    ('"attack_stopped"]', '["attack_stopped"]]', ":18: expect.events[3]: a list is no kind"),
    ("[orders]", '[[check]]\nof = "luck"\ngives = 1\n[orders]', ': check[1].of: "luck" is no table'),
    ("[orders]", '[[check]]\nof = "worth"\n[orders]', ":12: check[1].gives: missing"),
    ("[orders]", '[[check]]\nof = "worth"\n[orders]', ":12: check[1].cards: missing"),
    ("dice =", 'refused = [["place", "wrong-total"]]\ndice =', ": expect: what is refused changes nothing"),
    ("dice =", "refused = [[1]]\ndice =", ": refused[1]: must be the key of an order and the code of its refusal"),
    ("[expect]", "[expects]", ": expect: missing"),
    ("[orders]\n", "[start]\nwishes = { kari = [] }\n", ": start: seats or drawn is missing"),
    ("[orders]\n", '[start]\nwishes = { kari = [] }\nseats = ["ola"]\n', ': start.seats[1]: "ola" is no player'),
]


@pytest.mark.parametrize(("old", "new", "message"), REFUSED)
def test_what_is_no_case_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert SOUND.count(old) == 1
    with pytest.raises(UnreadableDocument) as error:
        run(read(written(tmp_path, SOUND.replace(old, new))))
    assert message in str(error.value)
    assert error.value.problems[0].file.endswith("R-ATT-12-one-roll.toml")


BOOKS = {"no": ("p.", 15), "da": ("L", 77), "sv": ("L", 99), "de": ("L", 11)}
"""By edition: how places are counted, and the last one."""


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.toml")), ids=lambda path: path.stem)
def test_the_source_of_a_case_is_a_place_that_there_is(path: Path) -> None:
    source = re.sub(r"\([^()]*\)", "", tomllib.loads(path.read_text("utf-8"))["source"])
    book = ""
    for place in re.split(r"[,;]\s*", source):
        words = place.split()
        book = words.pop(0) if words[0] in BOOKS else book
        letters, numbers = re.fullmatch(r"(\D*)(.*)", words[0]).groups()  # type: ignore[union-attr]
        if letters in ("p.", "L"):
            assert letters == BOOKS[book][0], place
            assert all(1 <= int(number) <= BOOKS[book][1] for number in numbers.split("-")), place
