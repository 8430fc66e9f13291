"""Bad input at the command line: the right exit code, words that help, and no file made or changed."""

import errno
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.positions import signed_again
from support.table import key_of
from support.transcripts import Outcome, nothing_random, played, referee

from referee.cli.system import hint_for_reading, hint_for_writing
from referee.documents.boards import board_by_name
from referee.documents.canonical import digest_of
from referee.documents.gamefile import open_game
from referee.documents.keys import pem
from referee.documents.layout import table_text
from referee.documents.signing import read, sign
from referee.game.orders import PlayerId

GAME = "fjord-0002.toml"
Snapshot = Mapping[str, bytes]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a game that waits for kari, her signed orders, and everybody's key."""
    for name, data in played("no", "mission", 3, "2", ()).items():
        (tmp_path / name).write_bytes(data)
    with nothing_random("bad input", tmp_path):
        write("orders.toml", orders())
        yield tmp_path


def snapshot() -> Snapshot:
    """Return every file of the folder."""
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def refused(code: int, *arguments: str, words: str = "", stdin: bytes = b"") -> Outcome:
    """Run a command that must fail with this code, these words, and without touching a file."""
    before = snapshot()
    outcome = referee(arguments, stdin)
    assert outcome.code == code, outcome
    assert words in outcome.err, outcome.err
    assert outcome.err.strip()
    assert "Traceback" not in outcome.err
    assert snapshot() == before
    return outcome


def write(name: str, data: bytes | str) -> None:
    Path(name).write_bytes(data if isinstance(data, bytes) else data.encode())
    Path(name).chmod(0o600)


def head(**changes: Any) -> dict[str, Any]:
    """Return kari's orders: everything on ontario, and an attack."""
    state = open_game(Path(GAME).read_bytes(), board_by_name).digest
    tree = {
        "format": "referee/orders/1",
        "game": "fjord",
        "turn": 2,
        "state": state,
        "player": "kari",
        "sequence": 1,
        "salt": "A" * 22,
        "place": {"ontario": 4},
        "attack": [{"from": "ontario", "to": "alberta", "min_odds": 50}],
    }
    return {key: value for key, value in {**tree, **changes}.items() if value is not None}


def orders(by: str = "kari", **changes: Any) -> str:
    """Return signed orders."""
    tree = head(**changes)
    return table_text({**tree, "signature": sign(tree, key_of(by), by)})


def draft(old: str = "", new: str = "") -> str:
    """Return orders that are not signed, with one change in their text."""
    text = table_text(head(salt=None))
    assert old in text
    return text.replace(old, new, 1)


# --- bytes that were changed on the way ------------------------------------------------------------


def test_the_orders_are_good() -> None:
    assert referee(["check", GAME, "orders.toml"]).code == 0


@pytest.mark.parametrize("part", range(48))
def test_no_byte_of_a_game_file_can_be_changed(part: int) -> None:
    data = bytearray(Path(GAME).read_bytes())
    place = part * (len(data) - 1) // 47
    digest = open_game(bytes(data), board_by_name).digest
    data[place] ^= 1
    write("changed.toml", bytes(data))
    before = snapshot()
    outcome = referee(["resolve", "changed.toml", "orders.toml", "--key", "runa.key", "-o", "."])
    if outcome.code == 0:  # only the layout was changed: that is the same game file
        assert open_game(bytes(data), board_by_name).digest == digest
        return
    assert outcome.code in (3, 4)
    assert snapshot() == before


CHANGED: tuple[Callable[[int], bytes], ...] = (
    lambda byte: bytes([byte ^ 1]),
    lambda byte: b"",
    lambda byte: bytes([byte ^ 0x80]),
    lambda byte: bytes([byte, byte]),
    lambda byte: b'"' if byte != 0x22 else b"'",
    lambda byte: b"\n" if byte != 0x0A else b" ",
    lambda byte: b"\0",
)
"""By what a byte may be replaced; nothing that looks the same."""


@pytest.mark.parametrize("number", range(len(CHANGED)))
def test_no_byte_of_orders_can_be_changed(number: int) -> None:
    """They say the same, or they are refused and nothing is written. The commands take turns."""
    good = Path("orders.toml").read_bytes()
    digest = digest_of(read(good).tree)
    there = set(os.listdir())
    commands = (("check",), ("receipt", "--key", "runa.key"), ("resolve", "--key", "runa.key"))
    codes = set()
    for place in range(number % 3, len(good), 3):
        data = good[:place] + CHANGED[number](good[place]) + good[place + 1 :]
        write("orders.toml", data)
        command, *options = commands[place // 3 % 3]
        outcome = referee([command, GAME, "orders.toml", *options])
        made = set(os.listdir()) - there
        codes.add(outcome.code)
        if outcome.code == 0:
            document = read(data)
            assert (digest_of(document.tree), document.signature is not None) == (digest, True), place
        else:
            assert (outcome.code in (3, 4, 5), made, "Traceback" in outcome.err) == (True, set(), False), outcome
        for name in made:
            Path(name).unlink()
    assert codes >= {3}


@pytest.mark.parametrize("document", [{}, {"format": "x", "signature": 1}, {"signature": {"by": ["kari"]}}])
def test_what_a_game_file_holds_is_not_counted_where_nobody_has_looked_into_it(document: Any) -> None:
    """The file before it is not there, so that its own word is taken, and its evidence is anything."""
    tree = tomllib.loads(Path(GAME).read_text("utf-8"))
    write(GAME, signed_again({**tree, "evidence": {"reveals": [], "documents": [document]}}))
    assert referee(["verify", GAME]).code == 0
    refused(3, "verify", "fjord-0001.toml", GAME)


# --- files that lie there and are anything ----------------------------------------------------------


@pytest.mark.parametrize("sequence", ["1", [1], {"a": 1}, True])
def test_a_sealed_file_whose_sequence_is_no_number_makes_no_room(sequence: Any) -> None:
    before = open_game(Path("fjord-0001.toml").read_bytes(), board_by_name)
    game = before.game
    place = {game.state.territories_of("kari")[0]: game.state.players[PlayerId("kari")].to_place}
    tree = head(turn=1, state=before.digest, salt=None, place=None, attack=None, deploy=place, sequence=5)
    write("first.toml", table_text(tree))
    write("first-sealed.toml", table_text({**tree, "sequence": sequence, "sealed": {}}))
    call = ("sign", "first.toml", "--key", "kari.key", "--game", "fjord-0001.toml")
    refused(7, *call, words="exists already, with the same or a higher sequence")
    write("first-sealed.toml", table_text({**tree, "sequence": 4, "sealed": {}}))
    assert referee(call).code == 0


@pytest.mark.parametrize("sequence", ["1", [1], None])
def test_signed_orders_whose_sequence_is_no_number_are_passed_over_where_they_lie(sequence: Any) -> None:
    write("good.toml", Path("orders.toml").read_bytes())
    write("orders.toml", orders(sequence=sequence))
    assert referee(["resolve", GAME, "good.toml", "--key", "runa.key"]).code == 0


# --- orders of somebody else, or for something else --------------------------------------------------


@pytest.mark.parametrize(
    ("by", "changes", "code", "words"),
    [
        ("ola", {}, 4, 'is signed by "ola", but speaks for "kari"'),
        ("ola", {"player": "ola"}, 5, '"ola" is not awaited now, but kari'),
        ("kari", {"player": "karl"}, 5, 'did you mean "kari"?'),
        ("kari", {"game": "skog"}, 5, 'is for the game "skog", this is "fjord"'),
        ("kari", {"turn": 3}, 5, "is for turn 3, the game file waits for turn 2"),
        ("kari", {"state": "A" * 43}, 5, "answers another game file of turn 2"),
        ("kari", {"state": "AAAA"}, 3, "must be 43 characters"),
        ("kari", {"sequence": 0}, 3, "from 1 to 1000000"),
        ("kari", {"sequence": True}, 3, "must be a number"),
        ("kari", {"turn": "2"}, 3, "must be a number"),
        ("kari", {"player": 7}, 3, "must be a string"),
        ("kari", {"salt": "kort"}, 3, "salt"),
        ("kari", {"format": "referee/orders/2"}, 3, "referee/orders/2"),
        ("kari", {"format": "referee/order/1"}, 3, 'did you mean "referee/orders/1"?'),
    ],
)
def test_orders_for_something_else(by: str, changes: dict[str, Any], code: int, words: str) -> None:
    write("other.toml", orders(by, **changes))
    refused(code, "resolve", GAME, "other.toml", words=words)
    refused(code, "check", GAME, "other.toml", words=words)


def test_two_files_with_the_same_sequence() -> None:
    write("other.toml", orders(place={"japan": 4}))
    outcome = refused(5, "resolve", GAME, "orders.toml", "other.toml", words="the same sequence 1")
    assert "a higher sequence" in outcome.err


def test_of_two_files_the_higher_sequence_counts() -> None:
    write("other.toml", orders(place={"japan": 4}, sequence=2))
    assert referee(["resolve", GAME, "other.toml", "orders.toml", "-q"]).code == 0
    assert "japan = 5" in Path("fjord-0003.toml").read_text("utf-8")


def test_a_key_that_was_changed_after_signing_is_not_the_key_on_record() -> None:
    text = orders()
    write("other.toml", text.replace(key_of("kari").public, key_of("ola").public))
    refused(4, "resolve", GAME, "other.toml", words="the key on record")


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"player": None}, 3, '"player" is missing'),
        ({"player": ["kari"]}, 3, "must be a string"),
        ({"player": "karl"}, 5, "is no player of this game"),
        ({"turn": "2"}, 3, "must be a number"),
        ({"state": "A" * 43}, 2, "no orders that answer this game file"),
    ],
)
def test_nobody_is_passed_over_for_orders_that_are_none(changes: dict[str, Any], code: int, words: str) -> None:
    for name, data in played("no", "world", 3, "2", (("witness", "true"),)).items():
        write(name, data)
    write("orders.toml", orders(**changes))
    refused(code, "act", "passed_over", GAME, "orders.toml", "--player", "ola", "--key", "runa.key", words=words)


# --- text that is no document ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[[attack]]", "[[atack]]", 'did you mean "attack"?'),
        ("min_odds", "min_ods", 'did you mean "min_odds"?'),
        ("turn = 2", "turn = 2\nturn = 2", "twice"),
        ("[place]", "[place]\nontario = 1", "twice"),
        ("ontario = 4", 'ontario = 2\n"Ontario" = 2', "are the same territory"),
        ("ontario = 4", "ontario = 4.0", "is no whole number"),
        ("ontario = 4", "ontario = 2024-05-01", "is a date or a time"),
        ("ontario = 4", "ontario = true", "is no number"),
        ("ontario = 4", "ontario = -4", "is no number from 1"),
        ("ontario = 4", "ontario = 9007199254740993", "the number is too large"),
        ("ontario = 4", f"ontario = {'9' * 5000}", "orders.toml"),
        ("ontario = 4", 'ontario = "4"', "is no number"),
        ("ontario = 4", "ontaria = 4", 'did you mean "ontario"?'),
        ("ontario = 4", "Québec = 4", 'needs quotes: "Québec" = 2'),
        ("ontario = 4", "New Guinea = 4", 'needs quotes: "New Guinea" = 2'),
        ("ontario = 4", "ontario 4", "a line is like"),
        ('"alberta"', "“alberta”", 'write " in its place'),
        ('"alberta"', '"al\\u202eberta"', "which cannot be seen"),
        ('"alberta"', '"al\x00berta"', "control character"),
        ("min_odds = 50", "min_odds = 101", "0 to 100"),
        ("min_odds = 50", "armies = 4", "1 to 3"),
        ("min_odds = 50", 'if = ["albania is mine"]', "column 1"),
        ("min_odds = 50", "path = []", "path"),
        ("turn = 2", "turn = 2\ndeploy = { ontario = 2 }", "set-up"),
    ],
)
def test_text_that_is_no_orders(old: str, new: str, words: str) -> None:
    write("orders.toml", draft(old, new))
    refused(3, "check", GAME, "orders.toml", words=words)
    refused(3, "sign", "orders.toml", words=words)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "`format` is missing"),
        (b"\n\n", "`format` is missing"),
        (b"hello there\n", "is not valid TOML"),
        (b"\xff\xfeh\x00i\x00", "UTF-16"),
        (b'note = "caf\xe9"\n', 'save it as "UTF-8"'),
        (b"[" * (1 << 20), "nested more than 32 deep"),
        (b"[" * ((1 << 20) + 1), "is larger than 1,048,576 bytes|nested more than 32 deep"),
        (b"a." * 30_000 + b"b = 1\n", "longer than 10,000"),
        (b"a" * 11_000, "longer than 10,000"),
        (b"a.b.c.d = 1\n", "more than 3 parts"),
        (b"format = 1\n", "`format` must be a string"),
    ],
)
@pytest.mark.parametrize("command", ["check", "resolve", "sign", "verify", "show"])
def test_bytes_that_are_no_document(command: str, data: bytes, words: str) -> None:
    write("bad.toml", data)
    arguments = {
        "check": ("check", GAME, "bad.toml"),
        "resolve": ("resolve", GAME, "bad.toml"),
        "sign": ("sign", "bad.toml", "--key", "kari.key"),
        "verify": ("verify", "bad.toml"),
        "show": ("show", "bad.toml"),
    }[command]
    outcome = refused(3, *arguments)
    assert any(word in outcome.err for word in words.split("|"))


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\r"),
        lambda data: data.replace(b"\n", b"\r\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: data.replace(b"\n", b"  \n"),
        lambda data: b"\n\n# seen\n" + data,
    ],
)
def test_what_mail_and_editors_do_to_the_layout_is_no_harm(change: Callable[[bytes], bytes]) -> None:
    write("orders.toml", change(Path("orders.toml").read_bytes()))
    outcome = referee(["resolve", GAME, "orders.toml"])
    assert (outcome.code, outcome.out) == (0, "")


# --- files that are not what they should be ------------------------------------------------------------


def test_a_folder_in_place_of_a_file() -> None:
    Path("folder").mkdir()
    for arguments in (
        ["show", "folder"], ["check", GAME, "folder"], ["resolve", GAME, "folder"], ["sign", "folder"],
        ["hand", GAME, "--key", "folder"], ["draft", "folder"],
    ):  # fmt: skip
        refused(3, *arguments, words="is a folder, not a file")


def test_a_file_in_place_of_a_folder() -> None:
    refused(3, "status", GAME, words="is no folder")
    refused(7, "draft", GAME, "-o", "kari.key/orders.toml", words="not a directory\n  hint: kari.key is no folder\n")
    refused(3, "show", "kari.key/deep/x.toml", words="not a directory\n  hint: kari.key is no folder\n")


def test_a_folder_that_is_not_there() -> None:
    hint = "no such file or directory\n  hint: make the folder first: `mkdir -p 'no where/deep'`\n"
    refused(7, "draft", GAME, "-o", "no where/deep/orders.toml", words=hint)
    refused(3, "show", "nowhere/x.toml", words="no such file or directory\n  hint: the folder nowhere is not there\n")
    hint = "file exists\n  hint: it is a file, and a folder is needed: name one with -o\n"
    refused(7, "resolve", GAME, "orders.toml", "-o", "kari.key", words=hint)
    Path("folder").mkdir()
    refused(7, "keygen", "eva", "-o", "folder", words="is a directory\n  hint: name a file in this folder\n")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("fjord-0012.toml", "fjord-0002.toml"), ("fjord-0002", "fjord-0002.toml"),
        ("fjord-002.toml", "fjord-0002.toml"),
        ("order.toml", "orders.toml"), ("./Fjord-0002.toml", "fjord-0002.toml"),
        ("karin.key", "kari.key"), ("eva.key", ""), ("ruth.key", ""), ("fjord-0002.key", ""), ("x.toml", ""),
    ],
)  # fmt: skip
def test_a_file_that_is_not_there_may_be_one_with_a_name_like_it(name: str, meant: str) -> None:
    hint = f'  hint: did you mean "{meant}"?\n' if meant else ""
    outcome = refused(3, "show", name)
    assert outcome.err == f"{Path(name)}: cannot be read: no such file or directory\n{hint}"


def test_the_hint_fits_what_the_operating_system_says() -> None:
    """Where nobody can do anything about it there is none."""
    os.symlink("nothing", "link.toml")
    os.symlink("loop.toml", "loop.toml")
    refused(3, "show", "link.toml", words="no such file or directory\n  hint: it is a link to what is not there\n")
    refused(3, "show", "loop.toml", words="\n  hint: a link leads back to itself: name the file itself\n")
    refused(7, "draft", GAME, "-o", "loop.toml", words="\n  hint: a link leads back to itself: name the file itself\n")
    long = "a" * 250 + ".toml"
    refused(7, "draft", GAME, "-o", long, words="file name too long\n  hint: give it a shorter name with -o\n")
    for number, reading, writing in (
        (errno.EACCES, "`ls -ld 'a b/c'` says whose it is", "`ls -ld 'a b'` says who may write there; -o writes"),
        (errno.EROFS, "", "`ls -ld 'a b'` says who may write there"),
        (errno.ENOSPC, "", "nothing was written: make room"),
        (errno.EDQUOT, "", "nothing was written: make room"),
        (errno.EIO, "", ""),
        (None, "", ""),
    ):
        path = Path("a b/c")
        for hint, words in ((hint_for_reading(path, number), reading), (hint_for_writing(path, number), writing)):
            assert (hint.startswith(words), bool(hint)) == (True, bool(words)), number
    refused(7, "resolve", GAME, "orders.toml", "-o", "kari.key/there", words="cannot be written")


def test_a_game_file_of_a_later_version() -> None:
    text = Path(GAME).read_text("utf-8")
    write(GAME, text.replace("referee/game/1", "referee/game/2"))
    for arguments in (
        ["show", GAME],
        ["check", GAME, "orders.toml"],
        ["resolve", GAME, "orders.toml"],
        ["verify", GAME],
    ):
        refused(3, *arguments, words="referee/game/2")


def test_a_public_key_where_the_private_one_belongs() -> None:
    write("public.key", key_of("kari").public)
    refused(3, "sign", "orders.toml", "--key", "public.key", words="is a public key; the private one is needed")


def test_a_private_key_where_the_public_one_belongs_is_not_shown() -> None:
    secret = pem(key_of("kari")).decode()
    write("invitation.toml", 'format = "referee/invitation/1"\n[host]\nkey = """\n' + secret + '"""\n')
    outcome = refused(3, "join", "invitation.toml", "--as", "kari")
    lines = secret.split("\n")
    assert lines[1] not in outcome.err
    text = Path(GAME).read_text("utf-8")
    write(GAME, text.replace(f'"{key_of("kari").public}"', f'"""\n{secret}"""', 1))
    outcome = refused(3, "show", GAME)
    assert lines[1] not in outcome.err


def test_orders_where_the_key_belongs_and_the_other_way_round() -> None:
    refused(3, "sign", "orders.toml", "--key", "orders.toml", words="is not a private key file")
    outcome = refused(3, "check", GAME, "kari.key", words="is a private key")
    assert "MC4C" not in outcome.err


def test_a_key_in_place_of_orders_is_not_signed() -> None:
    outcome = refused(3, "sign", "kari.key", "--key", "kari.key")
    assert "MC4C" not in outcome.err


@pytest.mark.parametrize("player", ["../kari", "a" * 300, "Kari", ""])
def test_a_name_that_is_no_id_is_no_path_either(player: str) -> None:
    write("orders.toml", table_text(head(player=player, salt=None)))
    refused(3, "sign", "orders.toml", words="is no id")
    refused(5, "check", GAME, "orders.toml", words="is no player of this game")


def test_a_game_that_is_no_id_is_not_looked_for() -> None:
    for game in ("../fjord", "f" * 300):
        write("orders.toml", table_text(head(game=game, salt=None, state="A" * 43)))
        outcome = referee(["sign", "orders.toml", "-o", "-"])
        assert (outcome.code, "not checked" in outcome.err) == (0, True)
        write("orders.toml", table_text(head(game=game, salt=None)))
        refused(5, "sign", "orders.toml", words=f'is for the game "{game[:9]}')


def test_a_passphrase_is_asked_for_only_by_a_terminal() -> None:
    write("kari.key", pem(key_of("kari"), b"words"))
    refused(3, "hand", GAME, words="needs the passphrase of this key")
    refused(3, "sign", "orders.toml", words="needs the passphrase of this key")
    refused(3, "draft", GAME, "--key", "kari.key", words="needs the passphrase of this key")
    # a key that nobody asked for is left alone
    outcome = referee(["draft", GAME, "-q"])
    assert (outcome.code, outcome.err) == (0, "")


# --- the operating system says no ------------------------------------------------------------------------


def _failing(number: int) -> Callable[..., Any]:
    def fail(*arguments: Any, **named: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


WRITING = (
    ("resolve", GAME, "orders.toml"),
    ("draft", GAME),
    ("sign", "draft.toml", "--key", "kari.key"),
    ("keygen", "liv2"),
    ("join", "invitation.toml", "--as", "eva", "--key", "kari.key"),
    ("resign", GAME, "--turn", "2", "--key", "ola.key"),
    ("report", GAME, "-o", "report.txt"),
)


@pytest.mark.parametrize("arguments", WRITING)
@pytest.mark.parametrize("what", ["fsync", "open"])
def test_a_full_disk_leaves_everything_as_it_was(
    arguments: tuple[str, ...], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("draft.toml", draft())
    referee(["new", "skog", "--host", "runa", "-o", "invitation.toml", "-q"])
    failing = _failing(errno.ENOSPC)
    with monkeypatch.context() as patch:
        if what == "fsync":
            patch.setattr(os, "fsync", failing)
        else:
            real = os.open

            def open_only_to_read(path: Any, flags: int, mode: int = 0o777) -> int:
                return failing() if flags & os.O_CREAT else real(path, flags, mode)

            patch.setattr(os, "open", open_only_to_read)
        refused(7, *arguments, words="no space left on device")


def test_a_disk_that_fails_at_the_second_of_two_files_keeps_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = os.link, []

    def link(source: Any, target: Any) -> None:
        calls.append(target)
        if len(calls) > 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(source, target)

    real_open = os.open

    def open_but_for_game(path: Any, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT and str(path) == "fjord-0003.toml":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real_open(path, flags, mode)

    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(os, "open", open_but_for_game)
    refused(7, "resolve", GAME, "orders.toml", words="cannot be written")
    assert len(calls) == 2


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.open

    def open_but_one(self: Path, *arguments: Any, **named: Any) -> Any:
        if self.name == "secret.toml":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(self, *arguments, **named)

    write("secret.toml", orders())
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", open_but_one)
        outcomes = [referee(arguments) for arguments in (["check", GAME, "secret.toml"], ["show", "secret.toml"])]
    for outcome in outcomes:
        assert (outcome.code, "permission denied" in outcome.err) == (3, True)


def test_a_folder_in_which_nothing_may_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def open_only_to_read(path: Any, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", open_only_to_read)
    for folder in (".", "new", "deep/new"):
        refused(7, "resolve", GAME, "orders.toml", "-o", folder, words="permission denied")
        assert folder == "." or Path(folder).parts[0] not in os.listdir()


# --- orders that are called missed ---------------------------------------------------------------------------


def test_orders_that_lie_beside_the_game_file_are_not_missed() -> None:
    refused(5, "resolve", GAME, "--missed", "kari", words='signed orders of "kari" for this turn lie here')


def test_orders_in_another_layout_are_not_overlooked() -> None:
    state = str(head()["state"])
    text = orders().replace('"kari"', "'kari'").replace(f'"{state}"', f'"""{state[:20]}\n{state[20:]}"""')
    assert text != orders()
    write("orders.toml", text)
    refused(5, "resolve", GAME, "--missed", "kari", words='signed orders of "kari" for this turn lie here')


@pytest.mark.parametrize("player", ["liv", "ola", "runa"])
def test_only_who_is_awaited_can_be_called_missed(player: str) -> None:
    write("orders.toml", orders(by=player, player=player))
    Path("folder.toml").mkdir()
    refused(2, "resolve", GAME, "--missed", player, words=f'"{player}" is not awaited, but kari')


# --- the words of the command ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",), ("draft",), ("draft", GAME, "--nonsense"), ("resign", GAME, "--turn", "two"), ("check", GAME),
        ("status", "--nonsense"), ("new",), ("join", "x.toml"),
    ],
)  # fmt: skip
def test_words_that_make_no_command(arguments: tuple[str, ...]) -> None:
    refused(2, *arguments)


def test_every_command_has_an_example_in_its_help() -> None:
    from referee.cli import GROUPS

    for command in GROUPS:
        outcome = referee([command, "--help"])
        assert outcome.code == 0
        assert f"Example: referee {command}" in " ".join(outcome.out.split()), command
