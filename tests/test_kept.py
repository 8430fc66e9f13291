"""Files of version 1, kept for good: whatever this program becomes, it reads them, and they mean what they meant.

If a test fails here, the program is wrong and not the file. Nothing writes these files, and nothing may: `PINNED` has
the digests of the lists of them, which say of each what it is. Files may be added, in a folder with its own list.
"""

import hashlib
import json
import re
import tomllib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import referee
from referee.documents.boards import board_by_name
from referee.documents.canonical import digest_of
from referee.documents.gamefile import file_name, open_game
from referee.documents.hand import open_hand
from referee.documents.invitation import read_invitation, read_join
from referee.documents.keys import load_key
from referee.documents.receipts import broken_by, read_receipt
from referee.documents.record import replayed
from referee.documents.resolve import resolve
from referee.documents.roster import careful_start
from referee.documents.signing import Document, read, verified
from referee.documents.start import start
from referee.documents.verify import Entry, verify_next, verify_row
from referee.game.orders import PlayerId

KEPT = Path(__file__).parent / "kept" / "1"
PINNED = {
    "kept.toml": "ea4bb0f87f6a39bdb12af2dcfe69efa5584467298ecacb6a650a9b1ca1157fd9",
    "plays/kept.toml": "597b657c7f9e08d920cf5c8d2514084e56883e2018a268632dce8bcf53b80e73",
}
LISTS = {
    path.relative_to(KEPT).as_posix(): tomllib.loads(path.read_text("utf-8"))["file"]
    for path in KEPT.rglob("kept.toml")
}
FILES = {f"{name.removesuffix('kept.toml')}{file['name']}": file for name, files in LISTS.items() for file in files}
SIGNED = [name for name, file in FILES.items() if "digest" in file]
KEYS = [name for name in FILES if name.endswith(".key")]
HOSTED, TABLE, PLAYS = KEPT / "hosted", KEPT / "table", KEPT / "plays"


def test_what_is_kept_is_what_was_kept() -> None:
    pinned = {name: hashlib.sha256((KEPT / name).read_bytes()).hexdigest() for name in LISTS}
    assert pinned == PINNED
    assert {path.relative_to(KEPT).as_posix() for path in KEPT.rglob("*") if path.is_file()} == {*FILES, *LISTS}
    for name, file in FILES.items():
        assert hashlib.sha256((KEPT / name).read_bytes()).hexdigest() == file["sha256"], name


def test_there_is_a_file_of_every_kind_that_the_program_knows() -> None:
    """Seals, chains and the like name their version in the same form; they are inside of documents."""
    source = "".join(path.read_text("utf-8") for path in Path(referee.__file__).parent.rglob("*.py"))
    inside = {"chain", "commitment", "secret", "seal", "x25519", "sealed", "card", "roll", "pick", "deck", "missions"}
    data = {"board", "edition"}
    known = set(re.findall(r'"(referee/[a-z]+/\d+)"', source))
    wanted = {kind for kind in known if kind.split("/")[1] not in inside | data}
    assert wanted == {file["format"] for file in FILES.values() if "format" in file}
    acts = {str(document(name).tree["act"]) for name in SIGNED if FILES[name]["format"] == "referee/act/1"}
    assert acts == {"deadline", "substitute", "key", "take_over", "hand_over", "missed", "passed_over"}


def document(name: str) -> Document:
    return read((KEPT / name).read_bytes(), name, 64 << 20)


# --- what each is, by this program and without it --------------------------------------------------


@pytest.mark.parametrize("name", SIGNED)
def test_a_kept_document_is_read_as_what_it_is(name: str) -> None:
    wanted = FILES[name]
    signed = verified(document(name), wanted["key"])
    assert (signed.format, signed.digest, signed.by) == (wanted["format"], wanted["digest"], wanted["by"])


def bare(value: Any) -> Any:
    """Return a value without the white space in its long binary values."""
    match value:
        case dict():
            return {key: bare(inner) for key, inner in value.items()}
        case list():
            return [bare(inner) for inner in value]
        case str() if re.fullmatch(r"[A-Za-z0-9+/\s]+", value) and "\n" in value:
            return "".join(value.split())
        case _:
            return value


@pytest.mark.parametrize("name", SIGNED)
def test_a_kept_document_is_signed_as_the_format_says(name: str) -> None:
    """By nothing but TOML, JSON, SHA-256 and Ed25519, as any other program does it."""
    tree = bare(tomllib.loads((KEPT / name).read_text("utf-8")))
    signature = tree.pop("signature")
    data = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert b64encode(hashlib.sha256(data).digest()).decode().rstrip("=") == FILES[name]["digest"]
    public = Ed25519PublicKey.from_public_bytes(b64decode(signature["key"].removeprefix("ed25519:") + "="))
    value = b"".join(b64decode(half + "=") for half in signature["value"])
    public.verify(value, b"referee-signature-v1\n" + tree["format"].encode() + b"\n" + data)


@pytest.mark.parametrize("name", KEYS)
def test_a_kept_key_is_the_same_key(name: str) -> None:
    phrase = FILES[name].get("passphrase", "").encode() or None
    assert load_key((KEPT / name).read_bytes(), phrase, name).public == FILES[name]["key"]


# --- what they say ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hosted/vinter-record.toml", "table/skog-record.toml", "plays/fjell-record.toml"])
def test_a_kept_record_makes_every_game_file_again(name: str) -> None:
    made = {one.file.file: one.file for one in replayed((KEPT / name).read_bytes(), name)}
    folder = (KEPT / name).parent
    kept = [path for path in folder.glob("*-[0-9][0-9][0-9][0-9].toml") if path.name in made]
    assert len(kept) >= 3
    for path in kept:
        assert made[path.name].text.encode() == path.read_bytes()
        assert made[path.name].digest == FILES[path.relative_to(KEPT).as_posix()]["digest"]


def test_a_kept_game_is_verified_to_its_end() -> None:
    paths = sorted(HOSTED.glob("vinter-[0-9]*.toml"))
    row = list(
        verify_row([Entry(path.name, int(path.stem[-4:])) for path in paths], lambda f: (HOSTED / f).read_bytes())
    )
    assert [checked.file.game.turn for checked in row] == [1, 2, 3, 4, 5, 6, 7]
    assert row[-1].file.game.state.phase == "over"
    assert not any(checked.sealed for checked in row)
    for before, path in zip(row, paths[1:], strict=False):  # and as it was checked while the secret was not known
        verify_next(before.file, path.read_bytes(), path.name)


HANDED_IN: dict[int, tuple[list[str], str, list[str]]] = {
    1: (["orders-kari-0001-sealed", "orders-ola-0001-sealed", "orders-per-0001-sealed"], "runa", []),
    2: (["orders-ola-0002", "standing-kari-0002", "act-deadline-0002"], "runa", []),
    3: (["orders-per-0003", "act-substitute-ola-0003", "join-ola-sigrid", "vinter-invitation"], "runa", []),
    4: (["orders-kari-0004", "act-key-per-0004", "join-per-2", "vinter-invitation"], "runa", []),
    5: (["orders-ola-0005", "standing-per-0005", "act-take-over-berit-0005", "act-hand-over-berit-0005"], "runa", []),
    6: (["reveal-kari-0006", "draw-kari-0006", "draw-ola-0006", "draw-per-0006"], "berit", ["per"]),
}


@pytest.mark.parametrize("turn", HANDED_IN)
def test_what_was_handed_in_gives_the_same_game_file_again(turn: int) -> None:
    names, host, missed = HANDED_IN[turn]
    before = open_game((HOSTED / file_name("vinter", turn)).read_bytes(), board_by_name, "f")
    key = load_key((HOSTED / f"{host}.key").read_bytes())
    made = resolve(
        before, [document(f"hosted/{name}.toml") for name in names], key, [PlayerId(player) for player in missed]
    )
    assert made.text.encode() == (HOSTED / file_name("vinter", turn + 1)).read_bytes()


def test_the_first_files_follow_from_what_opened_the_games() -> None:
    for folder, game, opener in ((HOSTED, "vinter", "runa"), (TABLE, "skog", "kari"), (PLAYS, "fjell", "runa")):
        invitation = read_invitation(document(f"{folder.name}/{game}-invitation.toml"))
        board = board_by_name(invitation.board, invitation.board_digest)
        names = [f"{folder.name}/join-{player}.toml" for player in ("kari", "ola", "per")]
        joins = [read_join(document(name), invitation, board) for name in names]
        papers = [document(f"{folder.name}/{path.name}") for path in sorted(folder.glob("reveal-*-0000.toml"))]
        if folder != HOSTED:
            papers.insert(0, document(f"{folder.name}/{game}-roster.toml"))
            assert len(careful_start(invitation, joins, papers)[1]) == 3
        made = start(invitation, joins, load_key((folder / f"{opener}.key").read_bytes()), board, papers)
        assert made.text.encode() == (folder / f"{game}-0001.toml").read_bytes()


def test_a_kept_receipt_is_kept_to() -> None:
    receipt = read_receipt(document("hosted/receipt-ola-0002-1.toml"))
    after = open_game((HOSTED / "vinter-0003.toml").read_bytes(), board_by_name, "f")
    assert broken_by(receipt, after) is None
    assert receipt.orders == digest_of(document("hosted/orders-ola-0002.toml").tree)


@pytest.mark.parametrize(
    ("turn", "player", "mission"),
    [
        (2, "kari", "europe_south_america_third"),
        (6, "kari", "europe_south_america_third"),
        (6, "ola", "asia_africa"),
        (6, "per", "eliminate_green"),
    ],
)
def test_a_kept_box_is_opened_with_the_key_of_its_player(turn: int, player: str, mission: str) -> None:
    file = open_game((HOSTED / file_name("vinter", turn)).read_bytes(), board_by_name, "f")
    hand = open_hand(file, load_key((HOSTED / f"{player}.key").read_bytes()))
    assert hand.mission == mission
    assert list(hand.cards) == list(file.game.state.hands[player])  # type: ignore[index]
