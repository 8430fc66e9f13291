"""What a player has written himself and signs: `sign`, which draws random bytes."""

import os
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.files import (
    KeyOption,
    OutOption,
    QuietOption,
    name_of,
    put,
    read_bytes,
    replace,
    say,
    say_wrapped,
    write_new,
)
from referee.cli.players import key_of, other_key, resolves, say_if_played, where_to
from referee.cli.seats import open_here
from referee.documents.gamefile import GameFile
from referee.documents.keys import Key
from referee.documents.signing import Document, read
from referee.errors import BadSignature, CannotWrite, Problem, RefereeError, UnreadableDocument, UsageProblem
from referee.game.orders import PlayerId
from referee.game.trees import ID

if TYPE_CHECKING:
    from referee.documents.checking import Looked


def sign(
    orders: Annotated[Path, typer.Argument(help="Your orders, or another document of yours.", show_default=False)],
    key: KeyOption = None,
    game: Annotated[
        Path | None, typer.Option("--game", help="The game file that it answers; else found beside it.")
    ] = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Sign your orders: a salt, the signature and a marker line before and after are added to your text.

    Your lines stay as they are, but for blanks at their ends; a note that mail might change is wrapped anew. What the
    host alone may read, such as the first armies, is sealed to him in a file of its own, to be sent instead: for
    orders-kari-0001.toml that is orders-kari-0001-sealed.toml. If the game file is there, what is not legal is not
    signed.

    Example: referee sign orders-kari-0012.toml --key kari.key
    """
    from referee.documents.signer import signed_text, signer_of

    document = read(read_bytes(orders), name_of(orders))
    signer = signer_of(document)
    if not ID.fullmatch(signer):
        raise UnreadableDocument(document.source.problem("id", f'"{signer}" is no id', "player"))
    file = _game_of(document, orders, game)
    of_record = file.game.people[PlayerId(signer)].key if file is not None and signer in file.game.people else ""
    own = key_of(key, of_record, signer, orders, *([game] if game is not None else []))
    if file is not None:
        looked = _legal(document, file, own, signer)
        say_if_played(document, file, orders, quiet)
        _warn_of_others(document, file, own, [orders, out or _sealed_beside(orders)], quiet)
    if _is_secret(document, file):
        if file is None:
            message = "has something to seal to the host, and the game file that it answers is not beside it"
            raise UsageProblem(Problem("no-game-file", message, hint="name it with --game", file=name_of(orders)))
        _put_sealed(document, file, own, orders, out, quiet)
        return
    text = signed_text(document, own, secrets.token_bytes(16))
    _warn_of_a_second(document, own, quiet)
    _put_signed(text.encode(), orders, out, quiet)
    _say_what_changed(document, file, own, quiet or str(orders) == "-")
    _warn_of_long_lines(text, quiet)
    if file is not None:
        _warn_of_no_effect(document, looked, file, quiet)
    else:
        say(f"not checked: the game file that {name_of(orders)} answers is not beside it", quiet)


def _say_what_changed(document: Document, file: GameFile | None, own: Key, quiet: bool) -> None:
    """Say what was added to the player's text, and that the note was written anew, if it was."""
    from referee.documents.signer import mailable

    added = "a salt, the signature" if document.format == "referee/orders/1" else "the signature"
    send = f"; {_where_to(document, file, own)}" if "player" in document.tree else ""
    if document.signature is None:
        say(f"added: {added}, a marker line before and after{send}", quiet)
    note = document.tree.get("note")
    if isinstance(note, str) and mailable(note) != note:
        say("the note was wrapped anew, so that mail leaves it alone", quiet)


def _where_to(document: Document, file: GameFile | None, own: Key) -> str:
    """Say what to do with a document: orders go also to the one who reveals for them beside the host."""
    if file is None:
        return "send it to the host"
    if file.game.host is None:
        return where_to(file.game, own)
    game = file.game
    if document.format == "referee/orders/1" and game.state.phase == "turn":
        from referee.documents.witnesses import is_watched, who_reveals

        if is_watched(game):
            seat = game.people[PlayerId(str(document.tree["player"]))]
            hosts = document.tree["player"] == game.host_seat and not (seat.former or game.keeper.former)
            host = "" if hosts else "the host and "
            return f'send it to {host}"{who_reveals(game)[0]}", who reveals for it'
    return where_to(game, own) if resolves(game, own) else "send it to the host"


def _warn_of_a_second(document: Document, own: Key, quiet: bool) -> None:
    """Say that a text was signed before and is another now, which the same sequence cannot tell apart."""
    from referee.documents.signing import verified

    sequence = document.tree.get("sequence")
    if document.signature is None or document.signature.key != own.public or sequence is None:
        return
    try:
        verified(document, own.public)
    except BadSignature:
        message = f"it was changed since it was signed, and has the sequence {sequence}"
        say(f"{message}: if one with this number was sent before, it needs a higher one", quiet)


def _warn_of_others(document: Document, file: GameFile, own: Key, mine: Sequence[Path], quiet: bool) -> None:
    """Say that the signer has signed other orders for the turn, which no lower sequence replaces.

    `mine` are the file that he signs now, whose folder is looked into, and the one to be written.
    """
    from referee.cli.folders import answering
    from referee.documents.canonical import digest_of
    from referee.documents.intake import ORDERS
    from referee.documents.signing import read_each

    sequence = document.tree.get("sequence")
    if document.format != ORDERS or type(sequence) is not int or str(mine[0]) == "-":
        return
    for path, data in answering([mine[0].parent], file.game.name, file.digest):
        if os.path.realpath(path) in [os.path.realpath(one) for one in mine]:
            continue
        try:
            documents = read_each(data, str(path))
        except RefereeError:
            continue
        for one in documents:
            number = one.tree.get("sequence")
            is_other = one.format == ORDERS and digest_of(one.tree) != digest_of(document.tree)
            if one.signature and one.signature.key == own.public and is_other and type(number) is int:
                _say_which_counts(path, number, sequence, quiet)


def _say_which_counts(path: Path, other: int, sequence: int, quiet: bool) -> None:
    if other == sequence:
        message = f"{path} is signed for this turn, too, with the same sequence {other}"
        say(f"{message}: if it was sent, these orders need a higher one", quiet)
    elif other > sequence:
        say(f"{path} is signed for this turn, too, with the sequence {other}: it counts and not these orders", quiet)


def _warn_of_no_effect(document: Document, looked: "Looked", file: GameFile, quiet: bool) -> None:
    from referee.views.effect import without_effect

    for what in without_effect(document.tree, looked, file.game.state):
        say_wrapped(what, quiet)


def _warn_of_long_lines(text: str, quiet: bool) -> None:
    """Say that mail would break lines of the player's own text."""
    from referee.documents.layout import COLUMNS

    long = [number for number, line in enumerate(text.split("\n"), start=1) if len(line) > COLUMNS]
    if long:
        say(f"line {long[0]} is longer than {COLUMNS} columns, and mail may break it: attach the file", quiet)


def _is_secret(document: Document, file: GameFile | None) -> bool:
    """Say whether orders hold what only the host may read now, or may hold it, if it is not known what they answer."""
    from referee.documents.intake import ORDERS, secret_keys
    from referee.documents.orders import SET_UP_KEYS

    keys = secret_keys(file.game.state) if file is not None else SET_UP_KEYS
    return document.format == ORDERS and any(key in document.tree for key in keys)


def _game_of(document: Document, orders: Path, given: Path | None) -> GameFile | None:
    """Return the game file that a document answers: the one that is named, else one that lies beside it.

    If none there has the state that it names, then one that has the turn, so that it is refused and not signed.
    """
    if given is not None:
        return open_here(given)
    folder = Path() if str(orders) == "-" else orders.parent
    other = None
    for path in _candidates(document, folder):
        try:
            file = open_here(path)
        except RefereeError:
            continue
        if document.tree.get("state", file.digest) == file.digest:
            return file
        other = other or file
    return _by_state(document, folder) or other


def _by_state(document: Document, folder: Path) -> GameFile | None:
    """Return the newest game file of a folder whose state a document names that has another turn or game."""
    from referee.cli.folders import game_heads, newest

    if "state" not in document.tree:
        return None
    for head in newest(game_heads(folder)):
        try:
            file = open_here(head.path)
        except RefereeError:
            continue
        if document.tree["state"] == file.digest:
            return file
    return None


def _candidates(document: Document, folder: Path) -> Iterable[Path]:
    """Return the game files in a folder that a document may answer; the newest if it names no turn."""
    from referee.cli.folders import game_files_of, game_heads, newest

    name, turn, nonce = (document.tree.get(key) for key in ("game", "turn", "nonce"))
    if not isinstance(name, str) or not ID.fullmatch(name):
        return []
    if type(turn) is int:
        return game_files_of(folder, name, turn)
    return [head.path for head in newest(game_heads(folder)) if head.game == name and head.nonce == nonce]


def _legal(document: Document, file: GameFile, own: Key, signer: str) -> "Looked":
    """Return what a document says; raises if this is not the signer's key, or if the document is not legal."""
    from referee.documents.checking import look

    if signer in file.game.people and own.public != file.game.people[PlayerId(signer)].key:
        raise other_key(file, signer)
    return look(document._replace(signature=None), file, own)


def _put_signed(text: bytes, orders: Path, out: Path | None, quiet: bool) -> None:
    if out is not None or str(orders) == "-":
        put(out or orders, orders, text, quiet, "signed")
        return
    if read_bytes(orders) != text:
        replace(orders, text)
    say(f"signed: {orders}", quiet)


def _put_sealed(document: Document, file: GameFile, own: Key, orders: Path, out: Path | None, quiet: bool) -> None:
    """Write the sealed document beside the plain text, which stays as it is."""
    from referee.cli.publishing import refuse_unfounded
    from referee.documents.signer import sealed_text

    if Path(file.file).is_file():
        refuse_unfounded(file, Path(file.file))
    text = sealed_text(document, file, own, secrets.token_bytes(16), secrets.token_bytes(16)).encode()
    path = out or (orders if str(orders) == "-" else _sealed_beside(orders))
    if str(path) == "-":
        put(path, path, text, quiet, "sealed")
        return
    if os.path.isdir(path):
        path = path / f"{orders.stem}-sealed.toml"
    if os.path.exists(path):
        if not _may_replace(path, document):
            message = "exists already, with the same or a higher sequence"
            hint = "if you have sent it, give the new orders a higher sequence; else take it away first"
            raise CannotWrite(Problem("exists", message, hint=hint, file=str(path)))
        replace(path, text)
    else:
        write_new([(path, text)])
    say(f"sealed: {path}\nsend this file, and keep {name_of(orders)} to yourself", quiet)


def _sealed_beside(orders: Path) -> Path:
    """Return where the sealed document goes that is made of a file of orders."""
    return orders.with_name(f"{orders.stem}-sealed.toml")


def _may_replace(path: Path, document: Document) -> bool:
    """Say whether a sealed file may make room: it is of the same player and state, with a lower sequence."""
    try:
        old = read(read_bytes(path), str(path)).tree
    except RefereeError:
        return False
    new = document.tree
    same = all(old.get(key) == new.get(key) for key in ("game", "state", "player"))
    before, now = (tree.get("sequence", 0) for tree in (old, new))
    return same and "sealed" in old and type(before) is type(now) is int and before < now


COMMANDS = {"sign": sign}
