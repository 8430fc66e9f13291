"""A player's documents: `draft`, `check`, `sign`, `resign`, `reveal`. Only `sign` draws random bytes."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.files import (
    JsonOption,
    KeyOption,
    OutOption,
    QuietOption,
    exists_otherwise,
    find_key,
    load,
    name_of,
    print_json,
    put,
    read_bytes,
    replace,
    say,
    write_new,
)
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, open_game
from referee.documents.keys import Key, load_key
from referee.documents.signing import Document, read
from referee.errors import (
    BadSignature,
    IllegalOrders,
    Problem,
    RefereeError,
    UnreadableDocument,
    UsageProblem,
)
from referee.game.orders import PlayerId
from referee.game.trees import nearest_hint

if TYPE_CHECKING:
    from referee.documents.hand import OwnHand

GameArgument = Annotated[Path, typer.Argument(help="The current game file.", show_default=False)]


# --- who, and with which key ---------------------------------------------------------------------


def _own_key(given: Path | None, game: GameFile, player: str, *beside: Path) -> Key | None:
    """Return a key to look into a hand with, or None: --key, else $REFEREE_KEY or PLAYER.key if it is of this game."""
    if given is not None:
        return load(given)
    people = game.game.people
    wanted = {people[PlayerId(player)].key} if player in people else {one.key for one in people.values()}
    from_environment = os.environ.get("REFEREE_KEY")
    candidates = [Path(from_environment)] if from_environment else []
    if player:
        candidates += [path.parent / f"{player}.key" for path in beside if str(path) != "-"]
    for path in candidates:
        if path.is_file():
            try:
                key = load_key(read_bytes(path), None, str(path))
            except UnreadableDocument:
                continue  # not asked for, so its passphrase is not asked for either
            if key.public in wanted:
                return key
    return None


def _player(game: GameFile, given: str, key: Key | None) -> PlayerId | None:
    """Return the player by --as or by his key; both must agree."""
    players = game.game.people
    if given and given not in players:
        hint = nearest_hint(given, players)
        message = f'"{given}" is no player of "{game.game.name}"'
        raise UsageProblem(Problem("unknown-player", message, "--as", hint))
    owner = next((p for p, one in players.items() if key is not None and one.key == key.public), None)
    if given and key is not None and owner != given:
        raise _other_key(game, given)
    if key is not None and owner is None:
        message = f'is the key of no player of "{game.game.name}"'
        raise BadSignature(Problem("other-key", message, "--key"))
    return PlayerId(given) if given else owner


def _other_key(game: GameFile, player: str) -> BadSignature:
    record = game.game.people[PlayerId(player)].key
    message = f'is not the key of "{player}", {record}'
    return BadSignature(Problem("other-key", message, "--key"))


def _who(game: GameFile, given: str, key: Key | None, awaited: bool) -> PlayerId:
    """Return for whom a document is made: --as, the key's owner, or the only one who is awaited."""
    state = game.game.state
    if state.phase == "over":
        raise IllegalOrders(Problem("game-over", "the game is over"))
    player = _player(game, given, key)
    if player is None and awaited and len(state.acting) == 1:
        player = state.acting[0]
    if player is None:
        names = ", ".join(state.acting if awaited else state.playing())
        raise UsageProblem(Problem("who", f"for whom? {names}", "--as", "say --as PLAYER, or --key"))
    if state.players[player].status != "playing":
        raise IllegalOrders(Problem("not-playing", f'"{player}" does not play any more'))
    if awaited and player not in state.acting:
        message = f'"{player}" is not awaited now, but {", ".join(state.acting)}'
        hint = "`referee draft --standing` begins standing orders"
        raise IllegalOrders(Problem("not-awaited", message, hint=hint))
    return player


# --- draft -----------------------------------------------------------------------------------------


def draft(
    game: GameArgument,
    key: KeyOption = None,
    player: Annotated[str, typer.Option("--as", help="The player; else by the key, or who is awaited.")] = "",
    standing: Annotated[bool, typer.Option("--standing", help="Standing orders, which hold until replaced.")] = False,
    fill: Annotated[bool, typer.Option("--fill", help="Place the armies, so that it is legal as it stands.")] = False,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Begin an orders file: what may be done stands in it as comments, to be filled in.

    Example: referee draft fjord-0012.toml --key kari.key

    Example: referee draft fjord-0012.toml --as kari --standing
    """
    from referee.views import draft as drafts

    file = open_game(read_bytes(game), board_by_name, name_of(game))
    acting = file.game.state.acting
    guess = player or (acting[0] if len(acting) == 1 and not standing else "")
    own = _own_key(key, file, guess, game)
    who = _who(file, player, own, awaited=not standing)
    if standing:
        sequence = file.game.state.standing[who].sequence + 1 if who in file.game.state.standing else 1
        name, text = f"standing-{who}-{sequence:04}.toml", drafts.standing_draft(file, who)
    else:
        name, text = f"orders-{who}-{file.game.turn:04}.toml", drafts.draft(file, who, _hand(file, own), fill)
    if fill and not standing and own is None:
        _refuse_to_fill(file, who)
    put(out, _beside(game, name), text.encode(), quiet, "draft")


def _refuse_to_fill(file: GameFile, player: PlayerId) -> None:
    """Raise if a set must be traded in: which one can be is not known without the player's key."""
    from referee.game.legality import must_trade

    state = file.game.state
    if state.phase == "turn" and must_trade(len(state.hands[player]), False, state.rules):
        message = f'"{player}" must trade in a set, and the hand is not known'
        raise UsageProblem(Problem("no-key", message, "--fill", "say --key FILE"))


def _hand(file: GameFile, key: Key | None) -> "OwnHand | None":
    from referee.documents.hand import open_hand

    return open_hand(file, key) if key is not None else None


def _beside(path: Path, name: str) -> Path:
    return Path(name) if str(path) == "-" else path.parent / name


# --- check -----------------------------------------------------------------------------------------


def check(
    game: GameArgument,
    orders: Annotated[Path, typer.Argument(help="Orders, signed or not; standing orders, too.", show_default=False)],
    key: KeyOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Say whether orders are legal, and what was understood.

    With your key it is also checked that the cards are in your hand; with the host's what is sealed to him.

    Example: referee check fjord-0012.toml orders-kari-0012.toml --key kari.key
    """
    from referee.documents.checking import look
    from referee.views.understood import understood

    file = open_game(read_bytes(game), board_by_name, name_of(game))
    try:
        document = read(read_bytes(orders), name_of(orders))
        claimed = document.tree.get("player")
        own = _own_key(key, file, claimed if isinstance(claimed, str) else "", orders, game)
        looked = look(document, file, own)
    except RefereeError as error:
        if json:
            print_json({"legal": False, "problems": [problem._asdict() for problem in error.problems]})
        raise
    lines = understood(looked, file.game.state)
    if json:
        head = {"legal": True, "format": looked.format, "player": looked.player, "sequence": looked.sequence}
        print_json({**head, "signed": looked.signed, "unchecked": list(looked.unchecked), "understood": lines})
        return
    _say_understood(lines, quiet)
    for what in looked.unchecked:
        say(f"not checked: {_UNCHECKED[what]}", quiet)
    legal = "fit to be opened" if "sealed" in looked.unchecked else "legal"
    signed = "signed" if looked.signed else f"not signed yet: `referee sign {orders}`"
    say(f"{name_of(orders)}: {legal}, {signed}", quiet)


_UNCHECKED = {
    "hand": "whether the cards are in the hand, which needs the player's key (--key)",
    "sealed": "what is sealed to the host; only he can open it, with his key (--key)",
}


def _say_understood(lines: Iterable[str], quiet: bool) -> None:
    from referee.views.text import width_of, wrapped

    if quiet:
        return
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip(" ")))
        for row in wrapped(line.lstrip(" "), indent, indent + "    ") if width_of(line) else [""]:
            print(row)


# --- sign ------------------------------------------------------------------------------------------


def sign(
    orders: Annotated[Path, typer.Argument(help="Your orders, or another document of yours.", show_default=False)],
    key: KeyOption = None,
    game: Annotated[
        Path | None, typer.Option("--game", help="The game file that it answers; else found beside it.")
    ] = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Sign your orders: your text stays as it is, the signature comes at its end.

    What the host alone may read, such as the first armies, is sealed to him: NAME-sealed.toml is the file to send.
    If the game file is there, what is not legal is not signed.

    Example: referee sign orders-kari-0012.toml --key kari.key
    """
    from referee.documents.signer import signed_text, signer_of

    document = read(read_bytes(orders), name_of(orders))
    signer = signer_of(document)
    own = find_key(key, signer, orders)
    file = _game_of(document, orders, game)
    if file is not None:
        _refuse_to_sign(document, file, own, signer)
    if _is_secret(document):
        if file is None:
            message = "has something to seal to the host, and the game file that it answers is not beside it"
            raise UsageProblem(Problem("no-game-file", message, hint="name it with --game", file=name_of(orders)))
        _put_sealed(document, file, own, orders, out, quiet)
        return
    text = signed_text(document, own, secrets.token_bytes(16)).encode()
    _put_signed(text, orders, out, quiet)


def _is_secret(document: Document) -> bool:
    from referee.documents.intake import ORDERS, SECRET_KEYS

    return document.format == ORDERS and any(key in document.tree for key in SECRET_KEYS)


def _game_of(document: Document, orders: Path, given: Path | None) -> GameFile | None:
    """Return the game file that a document answers: the one that is named, else one that lies beside it."""
    if given is not None:
        return open_game(read_bytes(given), board_by_name, name_of(given))
    tree = document.tree
    name, turn = tree.get("game"), tree.get("turn")
    if not isinstance(name, str) or type(turn) is not int or "/" in name:
        return None
    from referee.cli.folders import game_files_of

    for path in game_files_of(Path() if str(orders) == "-" else orders.parent, name, turn):
        try:
            file = open_game(read_bytes(path), board_by_name, name_of(path))
        except RefereeError:
            continue
        if file.digest == tree.get("state"):
            return file
    return None


def _refuse_to_sign(document: Document, file: GameFile, own: Key, signer: str) -> None:
    """Raise if this is not the signer's key, or if the document is not legal."""
    from referee.documents.checking import look

    if signer in file.game.people and own.public != file.game.people[PlayerId(signer)].key:
        raise _other_key(file, signer)
    look(document._replace(signature=None), file, own)


def _put_signed(text: bytes, orders: Path, out: Path | None, quiet: bool) -> None:
    if out is not None or str(orders) == "-":
        put(out or orders, orders, text, quiet, "signed")
        return
    if read_bytes(orders) != text:
        replace(orders, text)
    say(f"signed: {orders}", quiet)


def _put_sealed(document: Document, file: GameFile, own: Key, orders: Path, out: Path | None, quiet: bool) -> None:
    """Write the sealed document beside the plain text, which stays as it is."""
    from referee.documents.signer import sealed_text

    text = sealed_text(document, file, own, secrets.token_bytes(16), secrets.token_bytes(16)).encode()
    path = out or (orders if str(orders) == "-" else orders.with_name(f"{orders.stem}-sealed.toml"))
    if str(path) == "-":
        put(path, path, text, quiet, "sealed")
        return
    if path.exists():
        if not _may_replace(path, document):
            message = "exists already, with the same or a higher sequence"
            hint = "if you have sent it, give the new orders a higher sequence; else take it away first"
            raise exists_otherwise(path) if path.is_dir() else _sealed_already(path, message, hint)
        replace(path, text)
    else:
        write_new([(path, text)])
    say(f"sealed: {path}\nsend this file, and keep {name_of(orders)} to yourself", quiet)


def _sealed_already(path: Path, message: str, hint: str) -> RefereeError:
    from referee.errors import CannotWrite

    return CannotWrite(Problem("exists", message, hint=hint, file=str(path)))


def _may_replace(path: Path, document: Document) -> bool:
    """Say whether a sealed file may make room: it is of the same player and state, with a lower sequence."""
    try:
        old = read(read_bytes(path), str(path)).tree
    except RefereeError:
        return False
    new = document.tree
    same = all(old.get(key) == new.get(key) for key in ("game", "state", "player"))
    return same and "sealed" in old and old.get("sequence", 0) < new.get("sequence", 0)


# --- resign, reveal --------------------------------------------------------------------------------


def resign(
    game: GameArgument,
    turn: Annotated[int, typer.Option("--turn", help="The turn of the game file, as it cannot be undone.")] = 0,
    key: KeyOption = None,
    player: Annotated[str, typer.Option("--as", help="The player; else by the key.")] = "",
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Leave the game for good: your armies stay and only defend. It cannot be undone once the host has it.

    Example: referee resign fjord-0012.toml --turn 12 --key kari.key
    """
    from referee.documents.intake import RESIGN

    file = open_game(read_bytes(game), board_by_name, name_of(game))
    acting = file.game.state.acting
    own = find_key(key, player or (acting[0] if len(acting) == 1 else "YOUR"), game)
    who = _who(file, player, own, awaited=False)
    if turn != file.game.turn:
        message = f"{name_of(game)} is turn {file.game.turn}" + (f", not {turn}" if turn else "")
        hint = f"a resignation cannot be undone; if you mean it, say --turn {file.game.turn}"
        raise UsageProblem(Problem("other-turn", message, "--turn", hint))
    head = {"format": RESIGN, "game": file.game.name, "turn": turn, "state": file.digest, "player": who}
    text = _signed_by_machine(head, own, who)
    put(out, _beside(game, f"resign-{who}-{turn:04}.toml"), text, quiet, "resignation")


def _signed_by_machine(tree: dict[str, object], key: Key, player: str) -> bytes:
    from referee.documents import signing
    from referee.documents.layout import table_text
    from referee.documents.signer import BEGIN, END

    signature = signing.sign(tree, key, player)
    return f"{BEGIN}\n{table_text({**tree, 'signature': signature})}{END}\n".encode()


def reveal(
    game: GameArgument,
    orders: Annotated[
        list[Path] | None, typer.Argument(help="All signed orders that are there for this game file.")
    ] = None,
    key: KeyOption = None,
    player: Annotated[str, typer.Option("--as", help="The player; else by the key.")] = "",
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Reveal your next link for these orders, where the game needs it beside the host's; never for two sets of orders.

    It is needed when the first turn is rolled for after placing and somebody's orders are called missed.

    Example: referee reveal fjord-0002.toml orders-*-sealed.toml --key kari.key
    """
    from referee.cli.resolving import read_all

    file = open_game(read_bytes(game), board_by_name, name_of(game))
    own = find_key(key, player or "YOUR", game)
    who = _who(file, player, own, awaited=False)
    tree = _reveal_tree(file, who, own, _digests(file, read_all(orders or [])))
    default = _beside(game, f"reveal-{who}-{file.game.turn:04}.toml")
    put(out, default, _signed_by_machine(tree, own, who), quiet, "reveal")


def _digests(file: GameFile, documents: Iterable[Document]) -> list[str]:
    """Return the digests of signed orders in seat order; raises if one does not answer this game file."""
    from referee.documents.checking import look
    from referee.documents.intake import ORDERS, Collector, verified_from
    from referee.documents.resolve import needs_reveals_of

    errors = Collector()
    found: dict[str, str] = {}
    for document in documents:
        try:
            looked = look(document, file)
            signed = verified_from(document, file)
        except RefereeError as error:
            errors.note(error)
            continue
        if looked.format == ORDERS:
            other = found.setdefault(looked.player, signed.digest)
            if other != signed.digest:
                message = f'there are two different orders of "{looked.player}"; name the one that counts'
                errors.wrong(IllegalOrders, [document.source.problem("two-orders", message)])
    errors.done()
    acting = file.game.state.acting
    missed = [player for player in acting if player not in found]
    if not needs_reveals_of(file, missed):
        message = "no reveal is needed for this game file"
        if needs_reveals_of(file, acting):
            message = "no reveal is needed: the orders of all are there"
        raise IllegalOrders(Problem("no-reveal-needed", message))
    return [found[player] for player in acting if player in found]


def _reveal_tree(file: GameFile, who: PlayerId, key: Key, digests: list[str]) -> dict[str, object]:
    from referee.documents.base64 import decode, encode
    from referee.documents.chains import link, step
    from referee.documents.intake import REVEAL

    game, person = file.game, file.game.people[who]
    value = link(key, decode(game.nonce), decode(person.salt), person.links + 1)
    if encode(step(value)) != person.chain:
        message = f'the chain of this key does not go on from the head of "{who}" in the game file'
        raise BadSignature(Problem("other-chain", message, "--key"))
    return {
        "format": REVEAL,
        "game": game.name,
        "nonce": game.nonce,
        "turn": game.turn,
        "state": file.digest,
        "orders": digests,
        "player": who,
        "reveal": encode(value),
    }


COMMANDS = {"draft": draft, "check": check, "sign": sign, "resign": resign, "reveal": reveal}
