"""Attacks: a host who writes what did not happen, players who want to spoil the next game file, boxes of anything.

Every attack that ever succeeded stays here, or as a case in `tests/documents/invalid`. A forged file must be refused
with one of the project's own errors; any other exception is a fault of the reader.
"""

import copy
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import hpke_seal, raw_private
from support.attacking import proofs
from support.codes import bare
from support.documents import run
from support.endings import row, short_game
from support.filling import before, case, cases, filled
from support.openings import NONCE, PLAYERS, SALT, opened
from support.patience import PATIENT
from support.positions import deployments, good, position, reveal_of, signed_again
from support.recipes import BASES, Base, base, verdict
from support.table import HOST, Table, key_of

from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name
from referee.documents.canonical import json_bytes
from referee.documents.checking import look
from referee.documents.gamefile import Evidence, GameFile, body_text, open_game, tree_of
from referee.documents.gamereader import events_of
from referee.documents.hand import open_hand
from referee.documents.keys import public_bytes
from referee.documents.layout import ordered, table_text
from referee.documents.resolve import resolve
from referee.documents.sealing import open_box, seal_box, seal_key, sealed_commitment, sealed_info
from referee.documents.signing import Document, read, sign
from referee.documents.verify import Entry, verify_next, verify_row
from referee.errors import BadSignature, IllegalOrders, Problem, RefereeError, ReplayDiffers, UnreadableDocument
from referee.game.orders import PlayerId

# --- a host who changes one thing and signs it ---------------------------------------------------

Path = tuple[str | int, ...]
VALUES: tuple[Any, ...] = (
    0, 1, -1, 7, True, "x", "", "deck/1/5", "kari", "neutral", [], ["x"], [1], [[]], {}, {"a": 1}, {"kari": "x"},
    10**15, "A" * 43, "over", [{"kind": "x"}], "\\\"'\n][",
)  # fmt: skip
BY_NAME = ("players", "owners", "armies", "luck", "hands", "sealed", "standing")


def places(tree: Any, path: Path = (), shape: tuple[str, ...] = ()) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield every place in a tree, and its shape: the same for all territories, players, events of a kind."""
    if path:
        yield path, shape
    if isinstance(tree, dict):
        for key, value in tree.items():
            named = len(path) == 1 and path[0] in BY_NAME
            yield from places(value, (*path, key), (*shape, "NAME" if named else key))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            kind = value.get("kind", value.get("format", "")) if isinstance(value, dict) else ""
            yield from places(value, (*path, number), (*shape, f"[{kind}]"))


def one_of_each_shape(tree: Any) -> list[Path]:
    found: dict[tuple[str, ...], Path] = {}
    for path, shape in places(tree):
        found.setdefault(shape, path)
    return list(found.values())


def changed(tree: Mapping[str, Any], path: Path, change: Callable[[Any, Any], None]) -> dict[str, Any]:
    whole = copy.deepcopy(dict(tree))
    place: Any = whole
    for step in path[:-1]:
        place = place[step]
    change(place, path[-1])
    return whole


def set_to(value: Any) -> Callable[[Any, Any], None]:
    def change(place: Any, last: Any) -> None:
        place[last] = value

    return change


def left_out(place: Any, last: Any) -> None:
    del place[last]


def doubled(place: Any, last: Any) -> None:
    if isinstance(place, list):
        place.insert(last, copy.deepcopy(place[last]))
    else:
        del place[last]


def another(value: Any) -> Any:
    """Return a value of the same kind that is another one."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            letter = "B" if value[:1] == "A" else "A"
            return letter + value[1:] if len(value) in (22, 43) else value + "x"
        case list():
            return value[1:] or ["x"]
        case _:
            return {}


def try_everything(good_one: Base, text: bytes) -> None:
    """Hand a forged file to everybody who reads game files; no error but the project's own may come out."""
    for attempt in (
        lambda: events_of(tomllib.loads(text.decode()), read(text)),
        lambda: list(verify_row([Entry("f", 9)], lambda _: text)),
    ):
        with suppress(RefereeError):
            attempt()
    try:
        file = open_game(text, board_by_name, "f")
    except RefereeError:
        return
    for use in (
        *(lambda name=name: open_hand(file, key_of(name)) for name in PLAYERS),
        lambda: resolve(file, [], key_of(HOST), list(file.game.state.acting)),
        lambda: look(read(good().encode()), file, key_of("kari")),
    ):
        with suppress(RefereeError):
            use()


def is_refused(good_one: Base, tree: Mapping[str, Any], path: Path) -> None:
    """Check that a forged file is refused, but for new commitments, which are checked when the secret is known."""
    text = signed_again(tree).encode()
    try:
        verdict(good_one, text, "verify", "f")
    except RefereeError:
        return
    assert "commitments" in path, path
    assert good_one.before is None or "deck" not in tomllib.loads(good_one.before.text), path


def forgeries(name: str) -> Iterator[tuple[Base, dict[str, Any], Path]]:
    good_one = base(name)
    tree = tomllib.loads(good_one.file.text)
    del tree["signature"]
    for path in one_of_each_shape(tree):
        yield good_one, tree, path


@pytest.mark.parametrize("name", BASES)
def test_a_host_who_changes_one_thing_is_found_out(name: str) -> None:
    for number, (good_one, tree, path) in enumerate(forgeries(name)):
        if number % 8:
            continue
        value: Any = tree
        for step in path:
            value = value[step]
        forged = changed(tree, path, set_to(another(value)))
        is_refused(good_one, forged, path)
        try_everything(good_one, signed_again(forged).encode())


@pytest.mark.long
@pytest.mark.parametrize("name", BASES)
def test_a_host_who_writes_anything_anywhere_is_found_out(name: str, request: pytest.FixtureRequest) -> None:
    if "long" not in request.config.getoption("-m"):
        pytest.skip("thousands of files: -m long")
    number = 0
    for good_one, tree, path in forgeries(name):
        for change in (left_out, doubled, *(set_to(value) for value in VALUES)):
            number += 1
            if number % 7:
                continue
            forged = changed(tree, path, change)
            if json_bytes(forged) == json_bytes(tree):
                continue
            try:
                text = signed_again(forged).encode()
            except (AttributeError, KeyError, TypeError):
                continue  # a shape that the writer cannot write, and so no host with this program
            is_refused(good_one, forged, path)
            try_everything(good_one, text)


def test_a_number_that_is_changed_is_named() -> None:
    good_one = base("battle")
    tree = tomllib.loads(good_one.file.text)
    del tree["signature"]
    for path in (("armies", "siam"), ("luck", "ola", "taken"), ("players", "per", "missed"), ("deck", "sets_traded")):
        forged = changed(tree, path, lambda place, last: place.__setitem__(last, place[last] + 1))
        with pytest.raises(ReplayDiffers) as caught:
            verdict(good_one, signed_again(forged).encode(), "verify", "f.toml")
        (problem,) = caught.value.problems
        assert problem.key == ".".join(map(str, path))
        assert problem.line > 0


def test_a_mission_that_is_none_is_not_shown_as_fulfilled() -> None:
    """It is looked for among those of the board before anybody asks whether it is fulfilled."""
    good_one = base("battle")
    assert good_one.before is not None
    held = good_one.before.game.state.missions
    tree = tomllib.loads(good_one.file.text)
    tree["evidence"]["openings"] += [[name, "atlantis", SALT] for name in held.values()]
    with pytest.raises(ReplayDiffers) as caught:
        verify_next(good_one.before, signed_again(tree).encode(), "f")
    assert [problem.key for problem in caught.value.problems] == ["evidence.openings"]


# --- rows and copies -------------------------------------------------------------------------------


def test_a_gap_and_a_fork_are_named() -> None:
    files = short_game()
    with pytest.raises(BadSignature) as caught:
        row([files[0], files[2]])
    assert [problem.code for problem in caught.value.problems] == ["gap"]
    before = files[1]
    other = opened(resolve(before, [], key_of(HOST), [before.game.state.acting[0]]))
    table = Table("no", "mission", 3, 5)
    table.file = before
    third = opened(
        resolve(before, [table.standing("kari", {"neutral": "even"})], key_of(HOST), [before.game.state.acting[0]])
    )
    assert other.digest == files[2].digest
    assert proofs(files[2], other) == []
    assert proofs(files[2], third) == ["fork"]


def test_a_copy_laid_out_otherwise_is_no_fork_and_a_damaged_one_is_no_proof() -> None:
    file = base("battle").file
    for layout in LAYOUTS.values():
        assert proofs(file, file._replace(text=layout(file.text))) == []
    damaged = file._replace(text=file.text.replace("[armies]\nalaska = ", "[armies]\nalaska = 1", 1))
    with pytest.raises(BadSignature):
        proofs(file, damaged)


def test_a_secret_is_found_however_the_last_file_is_laid_out() -> None:
    files = short_game()
    tree = tomllib.loads(files[-1].text)
    for text in (table_text(tree), files[-1].text.replace("\n", "\r\n"), "# x\n" + files[-1].text):
        assert not any(one.sealed for one in row(files, text))


# --- players who want to spoil the next game file ------------------------------------------------


def handed_in(name: str, *documents: Document, missed: tuple[str, ...] = ()) -> GameFile:
    """Resolve, read the new file again and verify it: whatever was taken must leave a file that all can read."""
    before = position(name)
    made = resolve(before, documents, key_of(HOST), [PlayerId(p) for p in missed])
    again = opened(made)
    assert again.digest == made.digest
    assert verify_next(before, made.text.encode(), made.file).file.digest == made.digest
    assert verify_next(before, made.text.replace("\n", "\r\n").encode(), made.file).file.digest == made.digest
    return again


def signed(tree: Mapping[str, Any], by: str = "kari") -> Document:
    return read(table_text({**tree, "signature": sign(dict(tree), key_of(by), by)}).encode(), "sent.toml")


def orders(**body: Any) -> Document:
    file = position("turn")
    head = {"format": "referee/orders/1", "game": "fjord", "turn": 7, "state": file.digest, "player": "kari"}
    return signed({**head, "sequence": 1, "salt": SALT, "place": {"alaska": 8}, **body})


def standing(**body: Any) -> Document:
    head = {"format": "referee/standing/1", "game": "fjord", "nonce": encode(NONCE), "player": "kari"}
    return signed({**head, "sequence": 1, **body})


LONG = "b" * 70
NOTES = (
    f"{LONG}\n[evidence]\nreveals = []\ndocuments = []\n[[events]]\n{LONG}",
    f"[signature]\n{LONG}",
    f'{LONG}\n[sealed]\nkari = "AAAA"\n[secret]\n',
    f'"""\n[signature]\nby = "kari"\n{LONG}',
    "\\\n" * 40 + LONG,
    "'''" * 30 + "\n",
    '"' * 70 + "\n" + '"' * 70,
    "\\u0000" * 20 + "\n" + LONG,
    "\\n" * 60,
    "\\" * 99 + "\n",
    "\n" * 70,
    " \n" * 60,
    "\t[x]\n" * 30,
    "\u2028[evidence]\u2028" * 20,
    f"{LONG}\n# referee orders end\n",
    "é\u0301\u202f\ufeff" * 40,
    "[[events]]\n" * 20,
    "\U0001f3b2" * 70,
    "a" * 2000,
    '"' * 2000,
    "\\" * 2000,
    "\n" * 2000,
    "]\n}\n" * 50,
    'note = """\n' * 20,
)


@pytest.mark.parametrize("note", NOTES, ids=range(len(NOTES)))
def test_a_note_may_say_anything(note: str) -> None:
    file = handed_in("turn", orders(note=note), standing(note=note))
    documents = tomllib.loads(file.text)["evidence"]["documents"]
    assert [document["note"] for document in documents] == [note, note]


ANYTHING = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\u200e\u200f\u061c"), max_size=300
)


@settings(PATIENT, max_examples=15)
@given(
    lines=st.lists(st.one_of(st.sampled_from(("[evidence]", "[[events]]", '"""', "\\", LONG)), ANYTHING), max_size=9)
)
def test_a_note_of_any_letters_comes_back(lines: list[str]) -> None:
    note = "\n".join(lines)[:2000]
    try:
        document = orders(note=note)
    except UnreadableDocument:  # a bidirectional control
        return
    assert tomllib.loads(handed_in("turn", document).text)["evidence"]["documents"][0]["note"] == note


CONDITION = "alaska" + " " * 105 + ">= 3"
TAKEN: Mapping[str, Callable[[], tuple[Document, ...]]] = {
    "a name with a line end": lambda: (orders(attack=[{"from": "alaska\n", "to": "\tkamchatka"}]),),
    "a name with many blanks": lambda: (orders(place={"alaska" + " " * 50: 8}),),
    "a name with another k": lambda: (orders(place={"alas\u212aa": 8}),),
    "names with dots": lambda: (orders(), standing(defend={"Great.Britain": 2, "north africa": 1, "ØST-USA": 1})),
    "empty lists": lambda: (orders(attack=[], fortify=[], trade=[], windfall=[]),),
    "empty tables": lambda: (orders(), standing(missed={}, defend={}, neutral=[])),
    "long conditions": lambda: (
        orders(attack=[{"from": "alaska", "to": "kamchatka", "if": [CONDITION] * 20, "unless": [CONDITION] * 20}]),
    ),
    "long conditions in one line": lambda: (
        orders(),
        standing(missed={"fortify": [{"from": "greenland", "to": "ontario", "if": [CONDITION] * 20}] * 3}),
    ),
    "many entries": lambda: (orders(fortify=[{"from": "greenland", "to": "ontario"}] * 500),),
    "many places": lambda: (orders(), standing(missed={"place": ["alaska"] * 1500})),
}
NB = "\u00a0"
REFUSED: Mapping[str, tuple[str, Callable[[], tuple[Document, ...]]]] = {
    "a name of a whole line": (
        "unknown-territory",
        lambda: (orders(attack=[{"from": "alaska" + NB * 9000, "to": "kamchatka"}]),),
    ),
    "a name of many lines": (
        "unknown-territory",
        lambda: (orders(attack=[{"from": ("alaska" + NB * 9000 + "\n") + NB * 9000, "to": "kamchatka"}]),),
    ),
    "a condition of a whole line": (
        "long-condition",
        lambda: (orders(attack=[{"from": "alaska", "to": "kamchatka", "if": ["alaska" + NB * 9000 + ">= 3"]}]),),
    ),
    "conditions for ever": (
        "too-many",
        lambda: (orders(attack=[{"from": "alaska", "to": "kamchatka", "if": ["alaska >= 3"] * 21}]),),
    ),
    "conditions for ever in one line": (
        "too-many",
        lambda: (orders(), standing(missed={"fortify": [{"from": "greenland", "to": "ontario", "if": ["x"] * 500}]})),
    ),
    "more than finds room": (
        "too-large",
        lambda: (orders(fortify=[{"from": "greenland", "to": "ontario", "if": [CONDITION] * 20}] * 30),),
    ),
    "more standing orders than find room": (
        "too-large",
        lambda: (orders(), standing(missed={"place": ["alaska"] * 2000})),
    ),
}


@pytest.mark.parametrize("what", TAKEN)
def test_what_is_odd_but_taken_leaves_a_file_that_can_be_read(what: str) -> None:
    handed_in("turn", *TAKEN[what]())


@pytest.mark.parametrize("what", REFUSED)
def test_what_would_make_a_file_that_nobody_can_read_is_refused(what: str) -> None:
    code, make = REFUSED[what]
    with pytest.raises((UnreadableDocument, IllegalOrders)) as caught:
        handed_in("turn", *make())
    assert {bare(problem.code) for problem in caught.value.problems} == {code}


def test_the_order_and_number_of_files_change_nothing() -> None:
    file = position("rolled-start")
    texts = deployments(file, ("kari", "ola"))
    documents = [read(text.encode(), "sent.toml") for text in texts]
    documents += [read(reveal_of(name, file, texts).encode(), "sent.toml") for name in ("kari", "ola")]
    wanted = handed_in("rolled-start", *documents, missed=("per",)).text
    for order in list(permutations(documents))[::5]:
        assert resolve(file, [*order, order[0], order[1]], key_of(HOST), [PlayerId("per")]).text == wanted


def test_a_message_stays_on_its_line_whatever_a_stranger_wrote() -> None:
    name = 'x"\norders.toml:1: all is well\u202e\x1b[31m\ud800' + "y" * 9000
    text = Problem("code", f'"{name}" is no territory', f"place.{name}", f"not {name}", "orders.toml", 3).text()
    assert text.count("\n") == 1
    assert text.replace("\n", "").isprintable()
    assert len(text) < 1500


KINDS = ("orders", "deployment", "standing", "resign", "reveal", "join", "invitation", "act")


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_with_anything_in_some_places_is_taken_or_refused(kind: str) -> None:
    sweep(kind, 41)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_document_with_anything_anywhere_is_taken_or_refused(kind: str, request: pytest.FixtureRequest) -> None:
    if "long" not in request.config.getoption("-m"):
        pytest.skip("thousands of documents: -m long")
    sweep(kind, 5)


def sweep(kind: str, every: int) -> None:
    """Hand in spoilt documents; whatever is taken is resolved, read again and verified by the runner of the cases."""
    number = 0
    for path in cases("valid"):
        one = case(path)
        if one.kind != kind:
            continue
        tree = tomllib.loads(filled(one.text, before(one)))
        for place, _ in places(tree):
            for change in (left_out, doubled, *(set_to(value) for value in VALUES)):
                number += 1
                if number % every:
                    continue
                with suppress(RefereeError):
                    run(one._replace(text=table_text(changed(tree, place, change))))
    assert number > every


# --- boxes of anything ---------------------------------------------------------------------------

START = position("start")
OWN = START.game.state.territories_of("kari")[0]


def boxed(plain: bytes, content: Any = None, box: bytes | None = None) -> Document:
    """Return orders of Kari with these bytes sealed to the host, and the commitment to the content."""
    game = START.game
    info = sealed_info("fjord", game.nonce, "kari", START.digest)
    if box is None:
        box = hpke_seal(raw_private(b"\7" * 32), public_bytes(game.host.seal_key, "x25519"), info, plain)
    try:
        commitment = sealed_commitment(decode(SALT, 16), content)
    except UnicodeEncodeError:
        commitment = bytes(32)
    head = {"format": "referee/orders/1", "game": "fjord", "turn": 1, "state": START.digest, "player": "kari"}
    sealed = {"box": encode(box), "commitment": encode(commitment)}
    return signed({**head, "sequence": 1, "salt": SALT, "sealed": sealed})


def hand_in_box(document: Document) -> GameFile:
    others = [read(text.encode()) for text in deployments(START, ("ola", "per"))]
    return handed_in("start", document, *others)


def boxed_json(content: Any, size: int = 2048) -> Document:
    return boxed(json_bytes_of({"content": content, "salt": SALT}).ljust(size), content)


def json_bytes_of(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("name", [OWN.upper(), OWN.replace("_", " "), OWN.replace("_", "."), f"{OWN}    "])
def test_a_sealed_name_may_be_spelt_as_in_the_open(name: str) -> None:
    hand_in_box(boxed_json({"deploy": {name: 21}}))


@pytest.mark.parametrize(
    "key",
    [
        f"{OWN}\n", f"{OWN}\x1f", f"{OWN}\u0301", f"\u2003{OWN}", f"{OWN}{NB}", f"{OWN}\ud800", f'{OWN}"', f"{OWN}\\",
        f"{OWN}]", f"{OWN}\u200b", " " * 300 + OWN, "\x1b[31m", "",
    ],
)  # fmt: skip
def test_a_sealed_name_that_could_not_stand_in_a_game_file_is_refused(key: str) -> None:
    with pytest.raises(RefereeError):
        hand_in_box(boxed_json({"deploy": {key: 21}}))


CONTENTS: Mapping[str, Any] = {
    "a float": {"deploy": {OWN: 21.0}},
    "not a number": {"deploy": {OWN: float("nan")}},
    "nothing": {"deploy": None},
    "true": {"deploy": {OWN: True}},
    "a huge number": {"deploy": {OWN: int("9" * 400)}},
    "a list": {"deploy": [OWN, 21]},
    "no table": [1],
    "another key": {"deploy": {OWN: 21}, "note": "hello"},
    "a key of the head": {"deploy": {OWN: 21}, "player": "ola"},
    "deep lists": {"deploy": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]},
}


@pytest.mark.parametrize("what", CONTENTS)
def test_sealed_content_of_anything_is_refused(what: str) -> None:
    with pytest.raises(RefereeError):
        hand_in_box(boxed_json(CONTENTS[what]))


@pytest.mark.parametrize(
    ("content", "code"), [({"deploy": {OWN: None}}, "no-value"), (CONTENTS["deep lists"], "too-deep")]
)
def test_what_is_sealed_and_no_document_may_hold_is_named(content: Any, code: str) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        hand_in_box(boxed_json(content))
    assert [problem.code for problem in caught.value.problems] == [code]


GOOD = json_bytes_of({"content": {"deploy": {OWN: 21}}, "salt": SALT})
PLAINS: Mapping[str, bytes] = {
    "a smaller box": GOOD.ljust(1024),
    "a larger box": GOOD.ljust(4096),
    "another key": GOOD.replace(b'"salt"', b'"pepper":1,"salt"').ljust(2048),
    "a key twice": GOOD.replace(b'"deploy"', b'"deploy":{},"deploy"').ljust(2048),
    "blanks inside": GOOD.replace(b":", b" : ").ljust(2048),
    "other padding": GOOD.ljust(2048, b"\n"),
    "no JSON": bytes(2048),
    "UTF-16": GOOD.decode().encode("utf-16").ljust(2048),
    "deep lists": (b"[" * 1000 + b"]" * 1000).ljust(2048),
    "deep tables": (b'{"content":' * 180).ljust(2048),
    "no salt": json_bytes_of({"content": {"deploy": {OWN: 21}}, "salt": "x"}).ljust(2048),
    "a salt of surrogates": json_bytes_of({"content": {"deploy": {OWN: 21}}, "salt": "\ud800"}).ljust(2048),
}


@pytest.mark.parametrize("what", PLAINS)
def test_a_box_is_canonical_json_of_one_size(what: str) -> None:
    with pytest.raises(BadSignature):
        hand_in_box(boxed(PLAINS[what], {"deploy": {OWN: 21}}))


@pytest.mark.parametrize("box", [b"", bytes(31), bytes(32), bytes(48), bytes(2096), b"\1" + bytes(2095), bytes(9999)])
def test_a_box_that_nobody_sealed_is_refused(box: bytes) -> None:
    with pytest.raises(BadSignature):
        hand_in_box(boxed(b"", {"deploy": {OWN: 21}}, box))


def test_a_box_of_another_player_or_turn_is_refused() -> None:
    good_one = tomllib.loads(deployments(START, ("ola",))[0])
    content = {"deploy": {OWN: 21}}
    with pytest.raises(BadSignature):
        hand_in_box(boxed(b"", content, decode(good_one["sealed"]["box"])))


# --- a host who seals anything to a player -------------------------------------------------------

HANDS: Mapping[str, Any] = {
    "no cards": {},
    "cards that are a number": {"cards": 5},
    "cards that are no rows": {"cards": ["alaska"]},
    "a card of numbers": {"cards": [[1, 2, 3]]},
    "a salt that is none": {"cards": [["deck/1/0", "alaska", "x"]]},
    "a name that is none": {"cards": [["deck/1/99", "alaska", SALT]]},
    "a name of nothing": {"cards": [["", "", ""]]},
    "a card of surrogates": {"cards": [["deck/1/0", "\\ud800", SALT]]},
    "a card that is none": {"cards": [["deck/1/0", "atlantis", SALT]]},
    "a mission of nothing": {"cards": [], "mission": None},
    "a mission that is none": {"cards": [], "mission": ["missions/1/0", "world", SALT]},
}


@pytest.mark.parametrize("what", HANDS)
def test_a_box_from_the_host_that_holds_no_hand_is_refused(what: str) -> None:
    file = position("turn")
    tree = tomllib.loads(file.text)
    key = seal_key(key_of(HOST), key_of("kari").seal_public, NONCE)
    tree["sealed"]["kari"] = seal_box(key, "fjord", file.game.turn, "kari", HANDS[what], 4)
    forged = open_game(signed_again(tree).encode(), board_by_name, "f")
    with pytest.raises(BadSignature):
        open_hand(forged, key_of("kari"))


NEARLY: Mapping[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "a card less": (lambda box: box["cards"].pop(), '"deck/1/19" is held but not in the box'),
    "no mission": (lambda box: box.pop("mission"), '"missions/1/0" is held but not in the box'),
    "a capital of no place": (lambda box: box.update(capital="atlantis"), "the capital in the box is no territory"),
    "a capital that is a number": (lambda box: box.update(capital=5), "the capital in the box is no territory"),
    "the mission of another": (
        lambda box: box.update(mission=opened_box("ola")["mission"]),
        '"missions/1/0" is held but not in the box',
    ),
    "another salt": (lambda box: box["mission"].__setitem__(2, SALT), '"missions/1/0" does not fit its commitment'),
}


def opened_box(player: str) -> dict[str, Any]:
    """Return what is sealed to a player in the position of a turn."""
    game = position("turn").game
    key = seal_key(key_of(HOST), key_of(player).seal_public, NONCE)
    return open_box(key, "fjord", game.turn, player, game.sealed[PlayerId(player)])


@pytest.mark.parametrize("what", NEARLY)
def test_a_box_from_the_host_that_is_right_but_for_one_thing_is_refused(what: str) -> None:
    file, content = position("turn"), opened_box("kari")
    change, words = NEARLY[what]
    change(content)
    tree = tomllib.loads(file.text)
    key = seal_key(key_of(HOST), key_of("kari").seal_public, NONCE)
    tree["sealed"]["kari"] = seal_box(key, "fjord", file.game.turn, "kari", content, 4)
    forged = open_game(signed_again(tree).encode(), board_by_name, "f")
    with pytest.raises(BadSignature) as caught:
        open_hand(forged, key_of("kari"))
    assert [problem.message for problem in caught.value.problems] == [words]


@pytest.mark.parametrize("key", ["", "x", "x25519:AAAA", "x25519:" + "A" * 43, "ed25519:" + "A" * 43])
def test_a_seal_key_that_is_none_stops_nobody_with_a_bug(key: str) -> None:
    tree = tomllib.loads(position("turn").text)
    tree["host"]["seal_key"] = tree["players"]["ola"]["seal_key"] = key
    data = signed_again(tree).encode()
    with pytest.raises(RefereeError):
        open_hand(open_game(data, board_by_name, "f"), key_of("kari"))
    with pytest.raises(RefereeError):
        resolve(open_game(data, board_by_name, "f"), [], key_of(HOST), [PlayerId("kari")])


def test_a_document_does_not_answer_a_file_of_another_game() -> None:
    table = Table("no", "mission", 3, 2)
    with pytest.raises(IllegalOrders):
        resolve(table.file, [read(text.encode()) for text in deployments(START)], key_of(HOST))


def backwards(value: Any) -> Any:
    """Return the same value with the keys of every table in the opposite order."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(item) for item in value] if isinstance(value, list) else value


def parts_moved(text: str) -> str:
    """Return a file with its events before its evidence, the signature between, and the last events at the end."""
    evidence, events, signature = (text.index(heading) for heading in ("[evidence]\n", "[[events]]\n", "[signature]\n"))
    some = text.rindex("[[events]]\n")
    documents = text.index("[[evidence.documents]]\n")
    return (
        text[:evidence] + text[events:some] + text[evidence:documents] + text[signature:] + "\n" + text[some:signature]
        + text[documents:events]
    )  # fmt: skip


LAYOUTS: Mapping[str, Callable[[str], str]] = {
    "sorted": lambda text: table_text(ordered(tomllib.loads(text))),
    "backwards": lambda text: table_text(backwards(tomllib.loads(text))),
    "parts moved": parts_moved,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "a remark": lambda text: "# x\n" + text,
    "a remark in the end": lambda text: text + "# x\n",
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", BASES)
def test_a_file_laid_out_otherwise_is_the_same_for_everybody_who_reads(name: str, layout: str) -> None:
    good_one = base(name)
    text = LAYOUTS[layout](good_one.file.text)
    assert text != good_one.file.text
    verified = verdict(good_one, text.encode(), "verify", "f")
    read_again, usual = (open_game(data.encode(), board_by_name, "f") for data in (text, good_one.file.text))
    assert verified.digest == read_again.digest == good_one.file.digest
    assert tables(read_again) == tables(usual)


def tables(file: GameFile) -> str:
    """Return a game as it would be written: the order of everything counts, but for the evidence as it stands."""
    return body_text(tree_of(file.game._replace(evidence=Evidence())))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_follows_a_file_is_the_same_however_that_was_laid_out(layout: str) -> None:
    file = base("changes").file
    again = open_game(LAYOUTS[layout](file.text).encode(), board_by_name, "f")
    assert file.game.standing
    missed = file.game.state.acting
    made = resolve(again, [], key_of(HOST), missed)
    assert made.text == resolve(file, [], key_of(HOST), missed).text
    assert verify_next(again, made.text.encode(), "g").file.digest == made.digest


AFTER_THE_SIGNATURE = (
    "[junk]\na = 1\n",
    '[[events]]\nkind = "turn_ended"\nplayer = "per"\n',
    "[[evidence.documents]]\na = 1\n",
    "[signature.more]\na = 1\n",
    "[host.more]\na = 1\n",
)


@pytest.mark.parametrize("more", AFTER_THE_SIGNATURE)
def test_what_stands_after_the_signature_is_signed_too(more: str) -> None:
    good_one = base("battle")
    for how in ("verify", "open"):
        with pytest.raises((BadSignature, UnreadableDocument)):
            verdict(good_one, f"{good_one.file.text}\n{more}".encode(), how, "f")
