"""What lies in a folder: game files by their heads, and other documents.

Of a game file in the layout of this program only the head is read. A name tells what should be a document, so that one
that cannot be read is not passed over.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.cli.files import name_of, read_bytes
from referee.documents.boards import board_by_name
from referee.documents.gamefile import MAX_GAME_BYTES, file_name, open_game
from referee.documents.signing import read
from referee.documents.text import BEGIN, out_of_mail
from referee.game.records import NamedTuple

_HEAD = 600
"""Bytes in which the head of a game file stands."""

_MAILS = (".eml", ".txt")

_FORMAT = rb'^(?:\xef\xbb\xbf)?\s*format\s*=\s*"referee/game/\d+"\s*$'
_OTHER = rb'^\s*format\s*=\s*"referee/(?!game/)'
_RECORD = rb'^\s*format\s*=\s*"referee/record/\d+"\s*$'
_STANDING = b"referee/standing/"
_RECEIPT = rb'^[\s>|]*format\s*=\s*"referee/receipt/\d+"\s*$'
_FIELD = rb'^\s*%s\s*=\s*"?([^"\r\n]*?)"?\s*$'
_NAME = r"[a-z][a-z0-9_-]*-\d{4,}(-sealed|-\d+)?\.toml"


def _says(line: bytes, text: bytes) -> bool:
    """Say whether a text has such a line; the patterns are compiled when they are first used."""
    return re.search(line, text, re.MULTILINE) is not None


class GameHead(NamedTuple):
    """Where a game file lies, and what its head says; nothing is checked."""

    path: Path
    game: str
    nonce: str
    turn: int


def is_named_like_a_document(path: Path) -> bool:
    """Say whether a file has a name such as this program gives: GAME-0012.toml, orders-kari-0012.toml."""
    return re.fullmatch(_NAME, path.name) is not None


def toml_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be documents, in the order of their names."""
    return _files(folder, ".toml")


def _files(folder: Path, ending: str) -> list[Path]:
    """Return the files of a folder with such names, in their order; OSError if it cannot be listed."""
    paths = [folder / name for name in sorted(os.listdir(folder)) if name.endswith(ending)]
    return [path for path in paths if os.path.isfile(path)]


def document_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be documents, mails and texts that hold marked ones among them."""
    return [*toml_files(folder), *marked_mails(folder)]


def marked_mails(folder: Path) -> list[Path]:
    """Return the mails and texts of a folder that hold documents between marker lines."""
    mails = (path for kind in _MAILS for path in _files(folder, kind))
    return [path for path in mails if _is_marked(read_mail(path))]


def is_mail(path: Path) -> bool:
    """Say whether a file is named like a mail or a text."""
    return path.suffix in _MAILS


def read_mail(path: Path) -> bytes:
    """Return a mail or text as it can be read: decoded, if it was saved in the code in which it was sent."""
    return out_of_mail(read_bytes(path))


def _is_marked(data: bytes) -> bool:
    """Say whether a text holds the line that `sign` sets before what it signs, and is no report, which prints notes."""
    _, _, second = data[:200].partition(b"\n")
    return BEGIN.encode() in data and not second.startswith(b"==========")


def answering(folders: Iterable[Path], game: str, digest: str, nonce: str = "") -> Iterator[tuple[Path, bytes]]:
    """Yield the files in folders that name the digest of a game file and are no game files themselves.

    With the nonce of the game standing orders are among them, which name no game file.
    What is named like game files and reports of this game is not opened: of a long game there are hundreds.
    """
    own = re.compile(rf"{re.escape(game)}-\d{{4,}}\.(?:toml|txt)").fullmatch
    for folder in dict.fromkeys(folders):
        with os.scandir(folder) as entries:
            kinds = (".toml", *_MAILS)
            names = sorted(one.name for one in entries if one.name.endswith(kinds) and not own(one.name))
        for path in (folder / name for name in names):
            if not os.path.isfile(path) or (is_mail(path) and not _is_marked(read_mail(path))):
                continue
            head = _head(path)
            if _says(_FORMAT, head) or _says(_RECORD, head):
                continue
            data = out_of_mail(read_bytes(path))
            words = b"".join(data.split())
            if digest.encode() in words or (nonce and _STANDING in words and nonce.encode() in words):
                yield path, data


def newer_than(folder: Path, game: str, nonce: str, turn: int) -> Path | None:
    """Return a game file of the same game in a folder that is of a later turn, the last one, or None."""
    later = [head for head in game_heads(folder) if (head.game, head.nonce) == (game, nonce) and head.turn > turn]
    return max(later, key=lambda head: head.turn).path if later else None


def game_head(path: Path) -> GameHead | None:
    """Return the head of a game file, or None if it is no game file in the layout of this program."""
    head = _head(path)
    if not _says(_FORMAT, head):
        return None
    found = [re.search(_FIELD % key, head, re.MULTILINE) for key in (b"game", b"nonce", b"turn")]
    game, nonce, turn = (one[1].decode("utf-8", "replace") if one else "" for one in found)
    return GameHead(path, game, nonce, int(turn)) if game and nonce and turn.isdecimal() else None


def head_by_reading(path: Path) -> GameHead:
    """Return what the head of a game file says that somebody laid out otherwise; raises if it is no sound game file."""
    game = open_game(read_bytes(path), board_by_name, name_of(path)).game
    return GameHead(path, game.name, game.nonce, game.turn)


def is_another_game_file(path: Path) -> bool:
    """Say whether a file without the head of a game file is one all the same, laid out by somebody else.

    Only a file that is named like a document is read, and none that plainly begins as one of another kind. Raises
    UnreadableDocument if it cannot be read: then it may be a damaged game file.
    """
    if not is_named_like_a_document(path) or _says(_OTHER, _head(path)):
        return False
    return read(read_bytes(path), name_of(path), MAX_GAME_BYTES).format.startswith("referee/game/")


def is_record(path: Path) -> bool:
    """Say whether a file begins as a record."""
    return os.path.isfile(path) and _says(_RECORD, _head(path))


def find_receipts(paths: Iterable[Path]) -> list[Path]:
    """Return the receipts among files and in folders."""
    inside = [one for path in paths for one in (document_files(path) if os.path.isdir(path) else [path])]
    files = [path for path in inside if os.path.isfile(path)]
    return [path for path in files if _says(_RECEIPT, read_mail(path) if is_mail(path) else _head(path))]


def _head(path: Path) -> bytes:
    """Return the bytes in which the head of a game file stands; nothing if the file cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def game_heads(folder: Path) -> Iterator[GameHead]:
    """Yield the heads of all game files of a folder."""
    for path in toml_files(folder):
        head = game_head(path)
        if head is not None:
            yield head


def game_files_of(folder: Path, game: str, turn: int) -> Iterator[Path]:
    """Yield the game files of one game and turn in a folder, the one with the usual name first."""
    usual = folder / file_name(game, turn)
    if os.path.isfile(usual):
        yield usual
    for head in game_heads(folder):
        if head.game == game and head.turn == turn and head.path != usual:
            yield head.path


def newest(heads: Iterable[GameHead]) -> list[GameHead]:
    """Return the newest game file of each game among some; several if they are of the same turn."""
    found = list(heads)
    last: dict[tuple[str, str], int] = {}
    for head in found:
        key = (head.game, head.nonce)
        last[key] = max(head.turn, last.get(key, 0))
    return [head for head in found if head.turn == last[head.game, head.nonce]]


def of_one_turn(heads: Iterable[GameHead]) -> list[list[GameHead]]:
    """Return the game files of one game and turn where there are several, copies too; the earliest turn first."""
    found: dict[tuple[int, str, str], list[GameHead]] = {}
    for head in heads:
        found.setdefault((head.turn, head.game, head.nonce), []).append(head)
    return [found[key] for key in sorted(found) if found[key][1:]]
