"""No secret is shown: not in what a command prints or writes, not in an error, not in a traceback (DESIGN 3 and 6).

Games are played through the command line while everything that comes out is kept, and every command is made to fail in
many ways, up to a fault of the program. Then all of it is searched for every secret there is: keys and what follows
from them, links that are not revealed, salts of cards that nobody has shown, passphrases; as bytes, in hex and base64.
"""

import base64
import contextlib
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from support.golden import HOST, Folder, Wanted
from support.table import key_of
from support.transcripts import nothing_random, referee

from referee.cli import GROUPS, keys, passphrase
from referee.cli.application import application
from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name
from referee.documents.chains import LENGTH, link
from referee.documents.gamefile import Game, GameFile, open_game
from referee.documents.keys import Key, load_key, pem
from referee.documents.sealing import open_to_host, seal_key
from referee.documents.secrets import game_secret, position_salt

ROOT = Path(__file__).parent.parent
WORDS = b"blaa bok, groenn penn"
OTHER = b"en annen setning"
CASES = ROOT / "tests" / "rules" / "keys"
WANTED = (
    Wanted("skjult", "no", "mission", 3, ("missed=default",)),
    Wanted("borg", "no", "capitals", 5),
    Wanted("torg", "da", "hq", 3, table=True),
)
TURNS = 9


class Watched(Folder):
    """A folder in which a game is played, with all that its commands have printed."""

    def __init__(self, path: Path, wanted: Wanted) -> None:
        super().__init__(path, wanted, 1)
        self.said: list[str] = []
        self.done: set[str] = set()
        self.failed: set[str] = set()

    def run(self, *words: str) -> None:
        code = self.tried(*words)
        assert code == 0, (words, self.said[-1])

    def tried(self, *words: str, stdin: bytes = b"") -> int:
        """Run a command that may fail, and return its exit code."""
        with contextlib.chdir(self.path):
            outcome = referee(words, stdin)
        self.said += [outcome.out, outcome.err]
        assert outcome.code != 1, outcome.err
        (self.failed if outcome.code else self.done).add(words[0])
        return outcome.code

    def newest(self) -> str:
        return max(path.name for path in self.path.glob(f"{self.wanted.name}-[0-9]*.toml"))

    def came_out(self) -> Iterator[tuple[str, bytes]]:
        """Yield everything that was printed and written, but the keys and passphrases themselves."""
        yield "what was printed", "\n".join(self.said).encode()
        for path in sorted(self.path.iterdir()):
            if path.suffix not in (".key", ".words"):
                yield path.name, path.read_bytes()


# --- the secrets -------------------------------------------------------------------------------


def private(folder: Path) -> dict[str, Key]:
    """Return all keys that lie in a folder and have no passphrase, by name."""
    return {path.stem: load_key(path.read_bytes()) for path in folder.glob("*.key") if path.stem != "locked"}


def secrets_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every secret of a game in a folder, with what it is."""
    owners = private(folder)
    for name, key in owners.items():
        yield f"the seed of {name}", key._seed
        yield f"the sealing key of {name}", key.seal_private.private_bytes_raw()
    yield "a passphrase", WORDS
    yield "a wrong passphrase", OTHER
    files = [open_game(path.read_bytes(), board_by_name) for path in sorted(folder.glob("*-[0-9]*.toml"))
             if b'"referee/game/1"' in path.read_bytes()[:200]]  # fmt: skip
    newest = files[-1].game
    for name, key in owners.items():
        salt, links = _chain(newest, name)
        for number in (links + 1, links + 2, LENGTH - 2, LENGTH - 1, LENGTH):
            yield f"link {number} of {name}", link(key, decode(newest.nonce), salt, number)
    if newest.host is not None:
        yield from _of_the_host(newest, files, owners[HOST])


def _chain(game: Game, name: str) -> tuple[bytes, int]:
    if name in game.people:
        person = next(person for player, person in game.people.items() if player == name)
        return decode(person.salt), person.links
    return b"", game.host.links if game.host is not None else 0


def _of_the_host(game: Game, files: Sequence[GameFile], key: Key) -> Iterator[tuple[str, bytes]]:
    secret = game_secret(key, decode(game.nonce))
    yield "the secret of the game", secret
    for player, person in game.people.items():
        yield f"the seal key of {player}", seal_key(key, person.seal_key, decode(game.nonce))
    opened = {opening.salt for file in files for opening in file.game.evidence.openings}
    for label, count in (("deck/1", len(game.deck[0]) if game.deck else 0), ("missions/1", len(game.state.pack))):
        for place in range(count):
            salt = position_salt(secret, label, place)
            if encode(salt) not in opened:
                yield f"the salt of {label}/{place}", salt
    for owner, sealed in game.capitals.items():
        content = open_to_host(key, game.name, game.nonce, owner, sealed.state, sealed.box)
        yield f"the salt of the capital of {owner}", content.salt


def forms(secret: bytes) -> set[str]:
    """Return how a secret might be written."""
    plain = base64.b64encode(secret).decode().rstrip("=")
    url = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    return {
        plain,
        url,
        secret.hex(),
        secret.hex().upper(),
        repr(secret)[2:-1],
        str(list(secret))[1:-1].replace(" ", ""),
    }


def leaks(come_out: Sequence[tuple[str, bytes]], secrets: Sequence[tuple[str, bytes]]) -> list[str]:
    """Return where which secret stands: as bytes, or written; what mail or TOML may have wrapped is put together."""
    found = []
    for where, data in come_out:
        text = re.sub(r"\s+", "", data.decode("utf-8", "replace"))
        for what, secret in secrets:
            if secret in data or any(re.sub(r"\s+", "", form) in text for form in forms(secret)):
                found.append(f"{what} in {where}")
    return found


# --- playing -----------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=WANTED, ids=lambda wanted: wanted.name)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    kept = {name: os.environ.pop(name, None) for name in ("REFEREE_KEY", passphrase.FILE)}
    folder = Watched(tmp_path_factory.mktemp(request.param.name), request.param)
    with nothing_random(f"secrets of {request.param.name}", folder.path):  # so that no game is over before TURNS
        folder.open()
        for turn in range(1, TURNS):
            assert folder.turn(turn)
        other_commands(folder)
        locked_keys(folder)
        if folder.wanted is WANTED[0]:
            every_file_in_every_place(folder)
    yield folder
    os.environ.update({name: value for name, value in kept.items() if value is not None})


def other_commands(folder: Watched) -> None:
    """Run the commands that a game does not need."""
    game = folder.newest()
    state = folder.game(int(game[-9:-5])).game.state
    awaited = state.acting[0]
    for command in ("show", "report", "verify", "rules"):
        folder.run(command, game)
    for words in (["status", "."], ["luck", "."], ["verify", "."], ["show", game, "--json"], ["cases", str(CASES)]):
        folder.run(*words)
    for player in state.playing():
        folder.run("hand", game, "--key", f"{player}.key")
        folder.run("resign", game, "--key", f"{player}.key", "--turn", game[-7:-5].lstrip("0"))
        folder.run("draw", game, "--key", f"{player}.key")
        folder.run("draft", game, "--standing", "--key", f"{player}.key", "-o", f"plan-{player}.toml")
    folder.run("draft", game, "--key", f"{awaited}.key", "--fill", "-o", "orders.toml")
    folder.run("check", game, "orders.toml", "--key", f"{awaited}.key")
    folder.run("sign", "orders.toml", "--key", f"{awaited}.key")
    folder.run("receipt", game, "orders.toml")
    folder.run(
        "act",
        "deadline",
        game,
        "--until",
        "2027-01-31T20:00:00+01:00",
        "--key",
        "kari.key" if folder.wanted.table else f"{HOST}.key",
    )
    if not folder.wanted.table:
        folder.run("keygen", "berit")
        folder.run("act", "take_over", game, "--as", "berit", "--key", "berit.key", "-o", "offer.toml")
        folder.run("act", "hand_over", game, "offer.toml", "--key", f"{HOST}.key")
    folder.run("record", ".", "-o", "game.record")
    (folder.path / "again").mkdir()
    folder.run("replay", "game.record", "-o", "again")
    for path in (folder.path / "again").iterdir():
        path.rename(folder.path / f"again-{path.name}")
    (folder.path / "again").rmdir()


def locked_keys(folder: Watched) -> None:
    """Use a key with a passphrase: a right one, a wrong one, none."""
    (folder.path / "locked.key").write_bytes(pem(key_of("kari"), WORDS))
    (folder.path / "right.words").write_bytes(WORDS)
    (folder.path / "wrong.words").write_bytes(OTHER)
    for name in ("right.words", "wrong.words", "none.words"):
        os.environ[passphrase.FILE] = name
        folder.tried("join", f"{folder.wanted.name}-invitation.toml", "--as", "kari", "--key", "locked.key", "-o", "-")
        folder.tried("keygen", "sigrid", "--passphrase", "-o", f"{name}.key")
        folder.tried("hand", folder.newest(), "--key", "locked.key")
        (folder.path / f"{name}.key").unlink(missing_ok=True)
    del os.environ[passphrase.FILE]
    folder.tried("hand", folder.newest(), "--key", "locked.key")


def every_file_in_every_place(folder: Watched) -> None:
    """Hand key files in where documents are due, and documents where keys are due."""
    game, name = folder.newest(), folder.wanted.name
    seed = load_key((folder.path / "kari.key").read_bytes())._seed
    (folder.path / "hex.key").write_text(seed.hex() + "\n")
    (folder.path / "raw.key").write_bytes(seed)
    for file in ("kari.key", "hex.key", "raw.key", "locked.key"):
        for command in GROUPS:
            folder.tried(command, file)
            folder.tried(command, game, file)
            folder.tried(command, game, "--key", file)
            folder.tried(command, f"{name}-invitation.toml", file, "--as", "kari")
            folder.tried(command, game, "orders.toml", "--key", file)
            folder.tried(command, "-", stdin=(folder.path / file).read_bytes())
    for path in ("hex.key", "raw.key"):
        (folder.path / path).unlink()


# --- what is asked -----------------------------------------------------------------------------


def test_no_secret_came_out(played: Watched) -> None:
    secrets = list(secrets_of(played.path))
    assert len(secrets) > 20
    assert leaks(list(played.came_out()), secrets) == []


def test_every_command_was_run_and_has_failed(played: Watched) -> None:
    assert set(GROUPS) - played.done <= (set() if played.wanted.table else {"reveal"})
    assert set(GROUPS) - played.failed <= (set() if played.wanted is WANTED[0] else set(GROUPS))


@pytest.mark.parametrize("form", range(6))
def test_the_search_finds_a_secret_in_any_form(form: int, played: Watched) -> None:
    for what, secret in list(secrets_of(played.path))[::7]:
        written = sorted(forms(secret))[form % len(forms(secret))]
        broken = f"> {written[:20]}\n    {written[20:]}".encode()
        assert leaks([("a file", broken)], [(what, secret)]) == [f"{what} in a file"]
        assert leaks([("a file", b"x" + secret + b"x")], [(what, secret)])


FAULTS = (
    "referee.documents.keys.Key.sign", "referee.documents.keys.Key.derive", "referee.documents.keys.load_key",
    "referee.documents.chains.link", "referee.documents.sealing.seal_box", "referee.documents.sealing.open_box",
    "referee.documents.knowledge.HostKnowledge.opening", "referee.game.state.apply", "referee.cli.files.write_new",
)  # fmt: skip


@pytest.mark.parametrize("place", FAULTS)
def test_a_fault_of_the_program_shows_no_secret(
    place: str, played: Watched, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = list(secrets_of(played.path))
    monkeypatch.chdir(played.path)
    game, orders = played.newest(), "orders.toml"
    owner = played.game(int(game[-9:-5])).game.state.acting[0]
    keys.opened.cache_clear()

    def broken(*_: object, **__: object) -> object:
        raise RuntimeError("a fault")

    monkeypatch.setattr(place, broken)
    said = []
    for words in (
        ["keygen", "tor", "-o", "tor.key"], ["sign", orders], ["resolve", game, orders],
        ["hand", game, "--key", f"{owner}.key"], ["check", game, orders, "--key", f"{owner}.key"],
        ["draft", game, "--key", f"{owner}.key", "-o", "x.toml"], ["receipt", game, orders, "-o", "y.toml"],
        ["draw", game, "--key", f"{owner}.key", "-o", "z.toml"],
    ):  # fmt: skip
        try:
            application(words[0])(args=words, prog_name="referee", standalone_mode=False)
        except BaseException as error:
            said.append("".join(traceback.format_exception(error)) + repr(error.args))
    for name in ("tor.key", "x.toml", "y.toml", "z.toml"):
        Path(name).unlink(missing_ok=True)
    shown = capsys.readouterr()
    assert leaks([("what was printed", "\n".join([*said, shown.out, shown.err]).encode())], secrets) == []


@pytest.mark.parametrize(
    "setting", [{}, {"FORCE_COLOR": "1", "TERM": "xterm"}, {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}]
)
def test_a_traceback_has_no_values_and_the_exit_code_1(setting: dict[str, str], played: Watched) -> None:
    secrets = list(secrets_of(played.path))
    program = (
        "from referee.documents import signing\n"
        "def broken(self, message): raise RuntimeError('a fault')\n"
        "from referee.documents.keys import Key; Key.sign = broken\n"
        "from referee.cli import main; main()"
    )
    game = played.newest()
    done = subprocess.run(
        [sys.executable, "-c", program, "draw", game, "--key", "kari.key", "-o", "none.toml"],
        cwd=played.path, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT), **setting},
    )  # fmt: skip
    assert done.returncode == 1
    assert b"RuntimeError: a fault" in re.sub(rb"\x1b\[[0-9;]*m", b"", done.stderr)
    assert b"locals" not in done.stderr
    assert leaks([("standard error", done.stderr), ("standard output", done.stdout)], secrets) == []


def test_typer_is_told_to_print_plain_tracebacks() -> None:
    app = application("sign")
    assert app.pretty_exceptions_enable is False
    assert app.pretty_exceptions_show_locals is False
