"""What lies in a folder: game files by their heads, and other documents. Only heads of game files are read here."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from referee.documents.gamefile import file_name

_HEAD = 600
"""Bytes in which the head of a game file stands."""

_FORMAT = re.compile(rb'^format = "referee/game/\d+"\r?$', re.MULTILINE)
_FIELD = rb'^%s = "?([^"\r\n]*)"?\r?$'


class GameHead(NamedTuple):
    """Where a game file lies, and what its head says; nothing is checked."""

    path: Path
    game: str
    nonce: str
    turn: int


def toml_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be documents, in the order of their names."""
    return [path for path in sorted(folder.glob("*.toml")) if path.is_file()]


def game_head(path: Path) -> GameHead | None:
    """Return the head of a game file, or None if it is no game file in the layout of this program."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return None
    if not _FORMAT.search(head):
        return None
    found = [re.search(_FIELD % key, head, re.MULTILINE) for key in (b"game", b"nonce", b"turn")]
    game, nonce, turn = (one[1].decode("utf-8", "replace") if one else "" for one in found)
    return GameHead(path, game, nonce, int(turn)) if turn.isdecimal() else None


def game_heads(folder: Path) -> Iterator[GameHead]:
    """Yield the heads of all game files of a folder."""
    for path in toml_files(folder):
        head = game_head(path)
        if head is not None:
            yield head


def game_files_of(folder: Path, game: str, turn: int) -> Iterator[Path]:
    """Yield the game files of one game and turn in a folder, the one with the usual name first."""
    usual = folder / file_name(game, turn)
    if usual.is_file():
        yield usual
    for head in game_heads(folder):
        if head.game == game and head.turn == turn and head.path != usual:
            yield head.path


def newest(folder: Path) -> list[GameHead]:
    """Return the newest game file of each game in a folder; several if they are of the same turn."""
    heads = list(game_heads(folder))
    last: dict[tuple[str, str], int] = {}
    for head in heads:
        key = (head.game, head.nonce)
        last[key] = max(head.turn, last.get(key, 0))
    return [head for head in heads if head.turn == last[head.game, head.nonce]]
