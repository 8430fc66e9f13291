"""Records: a game packed into one file and made again, and what is not a record of a game.

The game is the kept one of `tests/games/fjord`, whole and cut short before its secret is revealed.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.transcripts import referee

from referee.cli.files import write_in
from referee.documents.base64 import encode
from referee.documents.layout import table_text
from referee.documents.record import MAX_RECORD_BYTES, entry_of, head_of, replayed
from referee.documents.verify import Checked, Entry, revealed_by, verify_row
from referee.errors import BadSignature, RefereeError, ReplayDiffers, UnreadableDocument

GAME = Path(__file__).parent / "games" / "fjord"
FILES = sorted(GAME.glob("fjord-[0-9]*.toml"))
UNFINISHED = 14
"""Game files of a game that is not over; a missed turn with a forced trade is among them."""


def load(file: str) -> bytes:
    return Path(file).read_bytes()


def rows(count: int = len(FILES)) -> list[Entry]:
    return [Entry(str(path), int(path.stem[-4:])) for path in FILES[:count]]


def recorded(count: int = len(FILES)) -> str:
    entries = rows(count)
    revealed = revealed_by(entries[-1], load)
    parts: list[str] = []
    before = None
    for checked in verify_row(entries, load):
        if before is None:
            parts.append(head_of(checked.file.game, revealed))
        parts.append(entry_of(checked.file, before, revealed))
        before = checked.file
    return "".join(parts)


WHOLE, PART = recorded(), recorded(UNFINISHED)


def again(text: str) -> Iterator[Checked]:
    return replayed(text.encode(), "record.toml")


@pytest.mark.parametrize("text", [WHOLE, PART], ids=["whole", "unfinished"])
def test_every_game_file_is_made_again_byte_for_byte(text: str) -> None:
    made = list(again(text))
    assert len(made) == text.count("\n[[file]]\n")
    for checked, path in zip(made, FILES, strict=False):
        assert checked.file.file == path.name
        assert checked.file.text.encode() == path.read_bytes()


def test_a_record_is_toml_and_holds_nothing_that_follows() -> None:
    tree = tomllib.loads(WHOLE)
    assert tree["format"] == "referee/record/1"
    allowed = {"turn", "digest", "signature", "reveals", "unsealed", "documents"}
    assert set().union(*(entry.keys() for entry in tree["file"])) == allowed
    sizes = sum(path.stat().st_size for path in FILES)
    assert len(WHOLE) < sizes / 10


def test_what_stays_to_be_checked_of_a_game_that_is_not_over_is_listed() -> None:
    assert all(not checked.sealed for checked in again(WHOLE))
    assert any("mission" in what for checked in again(PART) for what in checked.sealed)


def changed(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    """Write a record anew in which something was changed."""
    tree = tomllib.loads(text)
    change(tree)
    files = tree.pop("file")
    return table_text(tree) + "".join(
        f"\n[[file]]\n{table_text(entry, ('file',))}" if isinstance(entry, dict) else "" for entry in files
    )


def test_writing_a_record_anew_changes_nothing() -> None:
    assert [c.file.digest for c in again(changed(PART, lambda tree: None))] == [c.file.digest for c in again(PART)]


def swap(entries: list[dict[str, Any]]) -> None:
    entries[5], entries[6] = entries[6], entries[5]


FORGERIES: Mapping[str, Callable[[dict[str, Any]], object]] = {
    "a file is left out": lambda tree: tree["file"].pop(5),
    "two files are swapped": lambda tree: swap(tree["file"]),
    "a file stands there twice": lambda tree: tree["file"].insert(5, tree["file"][5]),
    "other orders": lambda tree: tree["file"][5]["documents"][0].update(sequence=2),
    "orders of nobody": lambda tree: tree["file"][5].update(documents=[]),
    "another reveal": lambda tree: tree["file"][5].update(reveals=tree["file"][6]["reveals"]),
    "another signature": lambda tree: tree["file"][5].update(signature=tree["file"][6]["signature"]),
    "another digest": lambda tree: tree["file"][5].update(digest=tree["file"][6]["digest"]),
    "another turn": lambda tree: tree["file"][5].update(turn=7),
    "another game": lambda tree: tree.update(game="other"),
    "another nonce": lambda tree: tree.update(nonce="AAAAAAAAAAAAAAAAAAAAAA"),
}
ONLY_WHOLE: Mapping[str, Callable[[dict[str, Any]], object]] = {
    "another secret": lambda tree: tree["secret"].update(game_secret="A" * 43),
    "no secret": lambda tree: tree.pop("secret"),
    "a seal key is missing": lambda tree: tree["secret"]["seal_keys"].pop("kari"),
}
ONLY_PART: Mapping[str, Callable[[dict[str, Any]], object]] = {
    "other commitments": lambda tree: tree["file"][0]["commitments"]["missions-1"].reverse(),
    "another box": lambda tree: tree["file"][3]["boxes"].update(kari=tree["file"][4]["boxes"]["kari"]),
    "no boxes": lambda tree: tree["file"][3].pop("boxes"),
    "another opening": lambda tree: opened(tree)["openings"][0].__setitem__(1, "siam"),
    "no opening": lambda tree: opened(tree).pop("openings"),
}


SPARE: Mapping[str, Callable[[dict[str, Any]], object]] = {
    "who drew a mission again, where none is dealt": lambda tree: tree["file"][3].update(drawn_again=["kari"]),
    "who drew a mission again, and is nobody": lambda tree: tree["file"][0].update(drawn_again=["kari", "nobody"]),
    "a set that nobody traded": lambda tree: tree["file"][3].update(chosen=[["joker-1"]]),
    "commitments to no shuffle": lambda tree: tree["file"][3].update(commitments={"deck-9": []}),
    "an opening of nothing": lambda tree: tree["file"][3].update(openings=[["deck/1/1", "siam", "A" * 22]]),
    "what nobody sealed": lambda tree: tree["file"][3].update(
        unsealed=[{"player": "kari", "salt": "A" * 22, "content": {}}]
    ),
    "a box for nobody": lambda tree: tree["file"][3].update(boxes={**tree["file"][3].get("boxes", {}), "nobody": "A"}),
}


def opened(tree: dict[str, Any]) -> dict[str, Any]:
    return next(entry for entry in tree["file"] if entry.get("openings"))


@pytest.mark.parametrize("name", FORGERIES)
@pytest.mark.parametrize("text", [WHOLE, PART], ids=["whole", "unfinished"])
def test_what_was_changed_in_a_record_is_found(text: str, name: str) -> None:
    with pytest.raises((BadSignature, ReplayDiffers)) as caught:
        list(again(changed(text, FORGERIES[name])))
    assert caught.value.problems[0].file.startswith("record.toml")


@pytest.mark.parametrize("name", SPARE)
@pytest.mark.parametrize("text", [WHOLE, PART], ids=["whole", "unfinished"])
def test_what_no_game_file_is_made_of_is_refused(text: str, name: str) -> None:
    with pytest.raises((BadSignature, ReplayDiffers)) as caught:
        list(again(changed(text, SPARE[name])))
    assert "spare" in {problem.code for problem in caught.value.problems}


KEPT = [GAME.parent.parent / "kept" / "1" / name for name in ("hosted/vinter-record.toml", "table/skog-record.toml")]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_record_with_any_one_document_missing_is_refused(path: Path) -> None:
    """Orders, sealed ones, standing orders, joins, reveals, acts, votes, resignations: whichever it is."""
    text = path.read_text("utf-8")
    assert list(again(text))
    kinds = set()
    for number, entry in enumerate(tomllib.loads(text)["file"]):
        for place, document in enumerate(entry["documents"]):
            missing = changed(text, lambda tree, at=(number, place): tree["file"][at[0]]["documents"].pop(at[1]))
            with pytest.raises(RefereeError) as caught:
                list(again(missing))
            assert caught.value.problems[0].file.startswith(f"record.toml: file[{number + 1}]"), document["format"]
            kinds.add(document["format"].split("/")[1])
    assert {"invitation", "join", "orders", "act"} <= kinds


@pytest.mark.parametrize("name", ONLY_WHOLE)
def test_what_was_changed_in_a_finished_record_is_found(name: str) -> None:
    with pytest.raises((BadSignature, ReplayDiffers)):
        list(again(changed(WHOLE, ONLY_WHOLE[name])))


@pytest.mark.parametrize("name", ONLY_PART)
def test_what_was_changed_in_an_unfinished_record_is_found(name: str) -> None:
    with pytest.raises((BadSignature, ReplayDiffers)):
        list(again(changed(PART, ONLY_PART[name])))


SHAPES: Mapping[str, tuple[Callable[[str], str], str]] = {
    "no record": (lambda text: 'format = "referee/game/1"\n', "other-document"),
    "no entries": (lambda text: text[: text.index("\n[[file]]")], "no-entries"),
    "a key too many": (lambda text: text.replace('\ngame = "fjord"', '\ngame = "fjord"\nhost = "x"', 1), "unknown-key"),
    "a key too few": (lambda text: re.sub(r"\nnonce = .*", "", text, count=1), "missing-key"),
    "no text": (lambda text: text.replace('game = "fjord"', "game = 1", 1), "wrong-type"),
    "no list": (lambda text: text.replace("signature = [", "turns = [", 1), "missing-key"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_no_record_is_named(name: str) -> None:
    change, code = SHAPES[name]
    with pytest.raises(UnreadableDocument) as caught:
        list(again(change(PART)))
    assert code in {problem.code for problem in caught.value.problems}


def test_more_than_a_record_may_hold_is_not_read() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        list(replayed(b"#" * (MAX_RECORD_BYTES + 1), "record.toml"))
    assert [problem.code for problem in caught.value.problems] == ["too-large"]


JUNK = (0, -1, True, "", "kari", "A" * 43, [], [[]], [1], {}, {"a": 1}, [["a", "b", "c"]], [{"format": "x"}])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from places(item, (*path, number))


@pytest.mark.parametrize("text", [WHOLE, PART], ids=["whole", "unfinished"])
def test_junk_anywhere_in_a_record_is_refused_or_changes_nothing(text: str) -> None:
    """Junk is never a crash, and never another game file."""
    rng = Random(1)
    tree = tomllib.loads(text)
    tree["file"] = tree["file"][:3]
    all_places = [path for path in places(tree) if path and path != ("file",)]
    honest = [path.read_bytes() for path in FILES]
    for path in rng.sample(all_places, 150):
        junk = rng.choice(JUNK)

        def put(whole: dict[str, Any], path: tuple[Any, ...] = path, junk: Any = junk) -> None:
            del whole["file"][3:]
            inner: Any = whole
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = junk

        try:
            made = [checked.file.text.encode() for checked in again(changed(text, put))]
        except RefereeError:
            continue
        assert made == honest[: len(made)], path


@pytest.mark.parametrize("last", [0, 1], ids=["whole", "unfinished"])
def test_a_game_in_which_seats_change_hands_is_made_again(last: int) -> None:
    from test_substitutes import whole_game

    files = whole_game()[: -last or None]
    by_name = {f"{file.game.turn}.toml": file.text.encode() for file in files}
    entries = [Entry(f"{file.game.turn}.toml", file.game.turn) for file in files]
    revealed = revealed_by(entries[-1], by_name.__getitem__)
    parts, before = [], None
    for checked in verify_row(entries, by_name.__getitem__):
        parts.append(head_of(checked.file.game, revealed) if before is None else "")
        parts.append(entry_of(checked.file, before, revealed))
        before = checked.file
    assert [checked.file.text for checked in again("".join(parts))] == [file.text for file in files]


def secret_problems(former: Any) -> set[str]:
    """Return the codes with which a whole record is refused whose former seal keys are these."""
    with pytest.raises(RefereeError) as caught:
        list(again(changed(WHOLE, lambda tree: tree["secret"].update(former_seal_keys=former))))
    return {problem.code for problem in caught.value.problems}


@pytest.mark.parametrize("size", [0, 1, 3, 32, 63, 65, 127, 129])
def test_former_seal_keys_of_another_length_are_no_secret(size: int) -> None:
    assert secret_problems({"kari": encode(bytes(size))}) == {"wrong-secret"}


@pytest.mark.parametrize("size", [64, 128, 6400])
def test_former_seal_keys_of_nobody_are_found(size: int) -> None:
    assert secret_problems({"kari": encode(bytes(size))}) <= {"wrong-secret", "replay-differs"}


@pytest.mark.parametrize("size", [1, 32, 63, 65, 96])
def test_a_seal_key_of_another_length_is_no_secret(size: int) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        list(again(changed(WHOLE, lambda tree: tree["secret"]["seal_keys"].update(kari=encode(bytes(size))))))
    assert [problem.code for problem in caught.value.problems] == ["wrong-secret"]


@pytest.mark.parametrize("damage", ["sequence = ", "reveals = "])
def test_of_a_damaged_record_nothing_is_written(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files before the damage are none either; what lies there stays."""
    monkeypatch.chdir(tmp_path)
    head, _, tail = PART.rpartition(damage)
    Path("record.toml").write_text(f"{head}{damage}9{tail}", "utf-8")
    outcome = referee(["replay", "record.toml"])
    assert outcome.code in (3, 4), outcome
    assert [path.name for path in tmp_path.iterdir()] == ["record.toml"]
    Path("record.toml").write_text(PART, "utf-8")
    Path(FILES[UNFINISHED - 1].name).write_text("another")
    assert referee(["replay", "record.toml"]).code == 7
    assert len([*tmp_path.iterdir()]) == 2
    Path(FILES[UNFINISHED - 1].name).unlink()
    assert referee(["replay", "record.toml"]).code == 0
    assert len([*tmp_path.iterdir()]) == 1 + 2 * UNFINISHED


@pytest.mark.parametrize("folder", ["again", "deep/er/again", "there/again"])
@pytest.mark.parametrize("damage", ["sequence = ", "reveals = ", "[[file]]"])
def test_what_fails_leaves_no_folder_that_it_has_made(
    folder: str, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there").mkdir()
    head, _, tail = PART.rpartition(damage)
    Path("record.toml").write_text(f"{head}{damage}9{tail}", "utf-8")
    assert referee(["replay", "record.toml", "-o", folder]).code in (3, 4)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["record.toml", "there"]


def test_what_lies_in_a_folder_that_was_made_meanwhile_stays(tmp_path: Path) -> None:
    """A disk that is full, or whatever else goes wrong, is no reason to take away what is not one's own."""

    def failing() -> Iterator[tuple[Path, bytes]]:
        (tmp_path / "deep" / "other").write_text("of somebody else")
        yield tmp_path / "deep" / "er" / "file", b""
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_in(tmp_path / "deep" / "er", failing())
    assert [path.name for path in tmp_path.rglob("*")] == ["deep", "other"]


@pytest.mark.parametrize("entry", [1, 2, UNFINISHED])
@pytest.mark.parametrize(
    ("spare", "words"),
    [
        ("[spare]\nx = 1", 'spare: "spare" is no key of a record'),
        ("[[spare]]", 'spare: "spare" is no key of a record'),
        ("[signature]", 'signature: "by" is missing'),
        ("[file.spare]", 'file[N].spare: "spare" is no key of a record'),
        ("[[file]] # one more", "file[N]: [[file]] must stand on a line of its own, without blanks and comments"),
        ("turn = 1.5", "file[N].documents[LAST].signature.turn: 1.5 is no whole number"),
        ("turn = ", "file[N]: is not valid TOML: invalid value at column 8"),
    ],
)
def test_what_stands_in_an_entry_and_is_no_part_of_it_is_refused_with_its_line(
    entry: int, spare: str, words: str
) -> None:
    """Whatever was passed over could be taken for a part of the game."""
    parts = PART.split("\n[[file]]\n")
    parts[entry] += f"\n{spare}\n"
    text = "\n[[file]]\n".join(parts)
    line = text.split("\n").index(spare.split("\n")[0], text.count("\n", 0, text.index(spare)) - 1) + 1
    with pytest.raises(UnreadableDocument) as caught:
        list(again(text))
    found = str(caught.value.problems[0].text()).split("\n")[0]
    last = parts[entry].count("[[file.documents]]")
    assert found == f"record.toml:{line}: {words.replace('[N]', f'[{entry}]').replace('LAST', str(last))}"
