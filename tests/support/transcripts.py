"""Transcripts of the command line: commands and exactly what they print, played in an empty folder.

A transcript is a text file. Its first lines say what it shows; then come commands and what they give:

    $ referee draft fjord-0002.toml      a command
    < text                               a line of its standard input
    > text                               a line of standard output
    ! text                               a line of standard error
    ? 5                                  its exit code, if it is not 0

Beside `referee` there are a few commands of the runner itself: `use NAME` begins with the folder that another
transcript leaves behind, `game EDITION VARIANT PLAYERS UNTIL [KEY=VALUE...]` with a game that simple players have
played so far; `write`, `append FILE` take standard input; `paste FILE OTHERS...` puts
files behind it into one; `replace FILE OLD NEW` changes the only place where OLD
stands; `cat`, `ls`, `cp`, `mv`, `rm`, `mkdir`, `chmod`, `same FILE FILE`, `env NAME=VALUE`.

Nothing is random: what the program draws follows from the name of the transcript. With REFEREE_WRITE_TRANSCRIPTS set
in the environment the expected lines are written anew instead of compared; read the difference before keeping it.
"""

import io
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from plain import hpke_seal, raw_private

from referee import cli
from referee.cli import keys, passphrase
from referee.documents.base64 import encode
from referee.documents.canonical import json_bytes
from referee.documents.gamefile import GameFile
from referee.documents.keys import pem, public_bytes
from referee.documents.reveals import needs_reveals_of
from referee.documents.sealing import sealed_info
from referee.documents.signing import Document
from referee.game.cards import automatic_set, matching, worth
from referee.game.deploying import due_now, neutral_due
from referee.game.legality import income, must_trade
from referee.game.orders import NEUTRAL, PlayerId
from referee.game.rules import ALLOWED_SETTINGS, Settings
from support.table import HOST, NAMES, Table, key_of

FOLDER = Path(__file__).parent.parent / "cli"


class Outcome(NamedTuple):
    """What a command printed, and its exit code."""

    out: str
    err: str
    code: int


class Step(NamedTuple):
    """A command with what it gives; `comment` are the lines before it."""

    comment: tuple[str, ...]
    command: str
    stdin: str
    outcome: Outcome


def parsed(text: str) -> list[Step]:
    """Take a transcript apart; the last step may be a comment without a command."""
    steps: list[Step] = []
    comment: list[str] = []
    parts: dict[str, list[str]] = {}
    command = ""

    def finish() -> None:
        nonlocal comment
        if command:
            code = int(parts["?"][0]) if parts["?"] else 0
            texts = {mark: "".join(f"{line}\n" for line in parts[mark]) for mark in "<>!"}
            outcome = Outcome(texts[">"], texts["!"], code)
            steps.append(Step(tuple(comment), command, texts["<"], outcome))
            comment = []

    for line in text.rstrip("\n").split("\n"):
        mark = line[:1]
        if mark == "$":
            finish()
            command, parts = line[2:], {mark: [] for mark in "<>!?"}
        elif command and mark in ("<", ">", "!", "?"):
            parts[mark].append(line[2:])
        else:
            finish()
            command = ""
            comment.append(line)
    finish()
    return steps


def written(steps: Sequence[Step]) -> str:
    """Write a transcript."""
    lines: list[str] = []
    for step in steps:
        lines += step.comment
        lines.append(f"$ {step.command}")
        for mark, text in zip("<>!", (step.stdin, *step.outcome[:2]), strict=True):
            lines += [f"{mark} {line}".rstrip() for line in text.split("\n")[:-1]]
            if text and not text.endswith("\n"):
                lines.append(f"{mark} {text.rsplit(chr(10), 1)[-1]}")
        if step.outcome.code:
            lines.append(f"? {step.outcome.code}")
    return "\n".join(lines) + "\n"


# --- one command of the program ------------------------------------------------------------------


def referee(arguments: Sequence[str], stdin: bytes = b"") -> Outcome:
    """Run the program in this process and return what it prints."""
    kept, terminal = (sys.argv, sys.stdin, sys.stdout, sys.stderr), passphrase.has_terminal
    passphrase.has_terminal = lambda: False  # not even the one on which the tests run
    keys.opened.cache_clear()
    out, err = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(stream, "utf-8", newline="", write_through=True) for stream in (out, err)]
    sys.argv = ["referee", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    sys.stdout, sys.stderr = streams
    code: Any = 0
    try:
        cli.main()
    except SystemExit as leaving:
        code = leaving.code or 0
    finally:
        for stream in streams:
            stream.flush()
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
        passphrase.has_terminal = terminal
    return Outcome(out.getvalue().decode(), err.getvalue().decode(), int(code))


@contextmanager
def nothing_random(label: str, folder: Path) -> Iterator[None]:
    """Let everything that is drawn follow from `label`, in `folder` as the working directory."""
    drawn = 0

    def token_bytes(size: int) -> bytes:
        nonlocal drawn
        drawn += 1
        return sha256(f"{label}/{drawn}".encode()).digest()[:size]

    def seal(
        public: str, game: str, nonce: str, player: str, state: str, content: Any, salt: bytes, size: int = 2048
    ) -> str:
        plain = json_bytes({"content": content, "salt": encode(salt)})
        info = sealed_info(game, nonce, player, state)
        ephemeral = raw_private(token_bytes(32))
        receiver = public_bytes(public, "x25519")
        return encode(hpke_seal(ephemeral, receiver, info, plain.ljust(size, b" ")))

    before = Path.cwd()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", token_bytes)
        patch.setattr("referee.documents.signer.seal_to_host", seal)
        patch.setattr("referee.documents.handing.seal_to_host", seal)
        patch.setenv("REFEREE_KEY", "")
        patch.setenv("NO_COLOR", "1")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


# --- commands of the runner ----------------------------------------------------------------------


def _write(path: str, stdin: str, *words: str) -> str:
    Path(path).write_text(stdin, "utf-8")
    return ""


def _append(path: str, stdin: str, *words: str) -> str:
    Path(path).write_text(Path(path).read_text("utf-8") + stdin, "utf-8")
    return ""


def _paste(path: str, stdin: str, *others: str) -> str:
    Path(path).write_text("\n".join([stdin, *(Path(one).read_text("utf-8") for one in others)]), "utf-8")
    return ""


def _replace(path: str, stdin: str, old: str, new: str) -> str:
    text = Path(path).read_text("utf-8")
    if text.count(old) != 1:
        raise AssertionError(f'"{old}" stands {text.count(old)} times in {path}')
    Path(path).write_text(text.replace(old, new), "utf-8")
    return ""


def _ls(path: str, stdin: str) -> str:
    return "".join(f"{one.name}\n" for one in sorted(Path(path or ".").iterdir()))


def _same(path: str, stdin: str, other: str) -> str:
    if Path(path).read_bytes() != Path(other).read_bytes():
        raise AssertionError(f"{path} and {other} differ")
    return ""


def _copy(path: str, stdin: str, other: str) -> str:
    shutil.copy(path, other)
    return ""


def _move(path: str, stdin: str, other: str) -> str:
    Path(path).rename(other)
    return ""


def _remove(path: str, stdin: str, *others: str) -> str:
    for one in (path, *others):
        Path(one).unlink()
    return ""


def _chmod(mode: str, stdin: str, path: str) -> str:
    Path(path).chmod(int(mode, 8))
    return ""


def _mkdir(path: str, stdin: str) -> str:
    Path(path).mkdir()
    return ""


def _env(setting: str, stdin: str) -> str:
    name, _, value = setting.partition("=")
    os.environ[name] = value
    return ""


def _cat(path: str, stdin: str) -> str:
    return Path(path).read_text("utf-8")


def _use(name: str, stdin: str) -> str:
    shutil.copytree(left_behind(name), ".", dirs_exist_ok=True)
    return ""


def _game(edition: str, stdin: str, variant: str, players: str, until: str, *settings: str) -> str:
    given = dict(setting.split("=") for setting in settings)
    for path, data in played(edition, variant, int(players), until, tuple(sorted(given.items()))).items():
        Path(path).write_bytes(data)
        Path(path).chmod(0o600)
    return ""


OWN: Mapping[str, Callable[..., str]] = {
    "write": _write, "append": _append, "paste": _paste, "replace": _replace, "ls": _ls, "chmod": _chmod, "same": _same,
    "cp": _copy, "mv": _move, "rm": _remove, "mkdir": _mkdir, "env": _env, "cat": _cat, "use": _use, "game": _game,
}  # fmt: skip


def _words(command: str) -> list[str]:
    """Split a command; a word with a star stands for all files that fit."""
    found = []
    for word in shlex.split(command):
        fitting = sorted(str(path) for path in Path().glob(word)) if "*" in word else []
        found += fitting or [word]
    return found


def run(command: str, stdin: str) -> Outcome:
    """Run a command of a transcript in the working directory."""
    name, *words = _words(command)
    if name == "referee":
        return referee(words, stdin.encode())
    first, *others = words or [""]
    return Outcome(OWN[name](first, stdin, *others), "", 0)


def play(name: str, text: str, folder: Path) -> list[Step]:
    """Play a transcript in a folder and return it with what it really gives."""
    with nothing_random(name, folder):
        return [step._replace(outcome=run(step.command, step.stdin)) for step in parsed(text)]


@cache
def left_behind(name: str) -> Path:
    """Return a folder as a transcript leaves it."""
    folder = Path(tempfile.mkdtemp(prefix="transcript-"))
    play(name, (FOLDER / f"{name}.txt").read_text("utf-8"), folder)
    return folder


# --- games so far --------------------------------------------------------------------------------


@cache
def played(
    edition: str, variant: str, players: int, until: str, settings: tuple[tuple[str, str], ...]
) -> Mapping[str, bytes]:
    """Return the files of a game that simple players have played: keys, and the last two game files.

    With `table=yes` among the settings it is a table game, with `plays=NAME` the host plays. `until` is a turn,
    `forced` (who is awaited must trade), or `end`: the game file before the last, and `last.toml`, the orders that end
    the game.
    """
    given = {key: int(value) if value.isdecimal() else value for key, value in settings}
    hosted = given.pop("table", "no") == "no"
    plays = str(given.pop("plays", ""))
    given = {key: value == "true" if value in ("true", "false") else value for key, value in given.items()}
    changes = {key: value for key, value in given.items() if key not in ALLOWED_SETTINGS}
    own = Settings(**{key: value for key, value in given.items() if key in ALLOWED_SETTINGS})  # type: ignore[arg-type]
    table = Table(edition, variant, players, 1, own, changes, hosted, plays)
    before: GameFile | None = None
    orders: list[Document] = []
    while not _reached(table.file, until):
        now = table.file
        orders = [table.orders(player, _body(table, player)) for player in now.game.state.acting]
        reveals = [table.reveal(player, orders) for player in needs_reveals_of(now, ())]
        after = table.resolved([*orders, *reveals])
        if until == "end" and after.game.state.phase == "over":
            break
        before, table.file = now, table._opened(after)
    files = {f"{name}.key": pem(key_of(name)) for name in (*NAMES[:players], *([HOST] if hosted else []))}
    if until == "end":
        files |= {"last.toml": orders[0].source.text.encode()}
    for file in (before, table.file):
        if file is not None:
            files[f"{file.game.name}-{file.game.turn:04}.toml"] = file.text.encode()
    return files


def _reached(file: GameFile, until: str) -> bool:
    state = file.game.state
    if until == "forced":
        size = len(state.hands[state.acting[0]])
        return state.phase == "turn" and must_trade(size, False, state.rules)
    return file.game.turn >= int(until) if until.isdecimal() else False


def _body(table: Table, player: PlayerId) -> dict[str, Any]:
    """Return simple orders: trade what must be, place all on the strongest border, attack what is weaker."""
    state = table.file.game.state
    if state.phase == "claim":
        return {"claim": []}
    own = state.territories_of(player)
    border = [t for t in own if state.has_hostile_neighbour(t, player)]
    front = max(border, key=lambda t: state.armies[t])
    if state.phase == "deploy":
        due = due_now(state, player)
        neutral = {land: neutral_due(state, player, due) for land in state.territories_of(NEUTRAL)[:1]}
        return {"deploy": {front: due}, **({"neutral": neutral} if any(neutral.values()) else {})}
    if state.phase == "capital":
        return {"capital": front}
    trades: list[dict[str, Any]] = []
    sets = 0
    if must_trade(len(state.hands[player]), False, state.rules):
        before = state.sets_before(player)
        cards = automatic_set(table.hand(player).cards.values(), state.board, state.rules, own, before)
        assert cards is not None
        shown = matching(cards, own, state.board)
        sets = worth(cards, state.board, state.rules, before)
        trades = [{"cards": list(cards), **({"bonus": shown[0]} if shown[1:] else {})}]
    total = income(state, player, sets).total
    attacks = [
        {"from": source, "to": target, "advance": "all", "min_odds": 40}
        for source in border
        for target in state.board.neighbours[source]
        if state.owners[target] != player
        and state.armies[source] + (total if source == front else 0) > state.armies[target] + 1
    ][:12]
    body: dict[str, Any] = {"trade": trades, "place": {front: total}, "attack": attacks}
    return {key: value for key, value in body.items() if value}
