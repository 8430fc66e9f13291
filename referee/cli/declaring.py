"""What a player signs without having written it: `resign`, `draw`, `reveal`. Nothing here is random."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import (
    GameArgument,
    KeyOption,
    MissedOption,
    OutOption,
    QuietOption,
    name_of,
    put,
    read_bytes,
    say,
)
from referee.cli.players import beside, key_of, refuse_if_over, refuse_if_played, signing_key, where_to, who_of
from referee.cli.seats import open_here
from referee.documents.base64 import decode
from referee.documents.gamefile import GameFile
from referee.documents.keys import Key
from referee.documents.signing import Document, read
from referee.errors import BadSignature, CannotWrite, IllegalOrders, Problem, RefereeError, UsageProblem
from referee.game.absence import who_must_miss
from referee.game.orders import PlayerId


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

    file = open_here(game)
    refuse_if_over(file)
    own = signing_key(key, file, player, False, game)
    who = who_of(file, player, own, awaited=False)
    refuse_if_played(file, game)
    if turn != file.game.turn:
        message = f"{name_of(game)} is turn {file.game.turn}" + (f", not {turn}" if turn else "")
        hint = f"a resignation cannot be undone; if you mean it, say --turn {file.game.turn}"
        raise UsageProblem(Problem("other-turn", message, "--turn", hint))
    head = {"format": RESIGN, "game": file.game.name, "turn": turn, "state": file.digest, "player": who}
    text = _signed_by_machine(head, own, who)
    put(out, beside(game, f"resign-{who}-{turn:04}.toml"), text, quiet, "resignation")
    say(where_to(file.game, own), quiet)


def draw(
    game: GameArgument,
    key: KeyOption = None,
    player: Annotated[str, typer.Option("--as", help="The player; else by the key.")] = "",
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Agree to a draw after this turn. It counts only if the votes of all who play reach the host for the same turn.

    Example: referee draw fjord-0012.toml --key kari.key
    """
    from referee.documents.intake import DRAW

    file = open_here(game)
    refuse_if_over(file)
    own = signing_key(key, file, player, False, game)
    who = who_of(file, player, own, awaited=False)
    refuse_if_played(file, game)
    turn = file.game.turn
    head = {"format": DRAW, "game": file.game.name, "turn": turn, "state": file.digest, "player": who}
    put(out, beside(game, f"draw-{who}-{turn:04}.toml"), _signed_by_machine(head, own, who), quiet, "vote for a draw")
    say(where_to(file.game, own), quiet)


def _signed_by_machine(tree: dict[str, object], key: Key, player: str) -> bytes:
    from referee.documents import signing
    from referee.documents.layout import table_text
    from referee.documents.text import with_markers

    signature = signing.sign(tree, key, player)
    return with_markers(table_text({**tree, "signature": signature})).encode()


def reveal(
    game: GameArgument,
    orders: Annotated[
        list[Path] | None, typer.Argument(help="All signed orders that are there; with a roster your join.")
    ] = None,
    key: KeyOption = None,
    player: Annotated[str, typer.Option("--as", help="The player; else by the key.")] = "",
    missed: MissedOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Reveal your next link for these orders, where the game needs it beside the host's; never for two sets of orders.

    It is needed when the first turn is rolled for after placing and somebody's orders are called missed: then every
    player whose orders are there makes one. And when a turn is missed whose player attacks by standing orders: then the
    next player makes one, for no orders. If the host plays, the next player makes one for each turn of the host's own
    seat, and with the setting `witness` for every turn: name the orders that the host has sent you, or --missed of whom
    he has none. Two of one player for different orders are proof against him. Keep what this command makes beside the
    game file: of a reveal that was deleted nothing tells, and the same link would be shown again.

    Of the roster of a careful start every player makes one, before the first game file.

    Example: referee reveal fjord-0002.toml orders-*-sealed.toml --key kari.key

    Example: referee reveal skog-roster.toml --key kari.key
    """
    from referee.cli.publishing import refuse_unfounded, warn_of_passed_over
    from referee.cli.resolving import read_all

    if (roster := _roster(read_bytes(game), game)) is not None:
        _reveal_for_start(roster, game, orders or [], key, out, quiet)
        return
    file = open_here(game)
    refuse_if_over(file)
    own = signing_key(key, file, player, False, game)
    who = who_of(file, player, own, awaited=False)
    refuse_if_played(file, game)
    tree = _reveal_tree(file, who, own, _digests(file, read_all(orders or []), who, missed or []))
    default = beside(game, f"reveal-{who}-{file.game.turn:04}.toml")
    data = _signed_by_machine(tree, own, who)
    refuse_unfounded(file, game, quiet)
    _refuse_second_reveal(default, data, str(tree["reveal"]), _folders(default, out, orders or []))
    put(out, default, data, quiet, "reveal")
    warn_of_passed_over(file, who, default.parent, quiet)
    say(where_to(file.game, own), quiet)


def _roster(data: bytes, path: Path) -> Document | None:
    """Return a roster, or None if it is something else; a first game file has one in it, too."""
    from referee.documents.gamefile import MAX_GAME_BYTES

    if b'"referee/roster/' not in data:
        return None
    document = read(data, name_of(path), MAX_GAME_BYTES)
    return document if document.format.startswith("referee/roster/") else None


def _reveal_for_start(
    roster: Document, path: Path, given: list[Path], key: Path | None, out: Path | None, quiet: bool
) -> None:
    """Make a player's reveal for the start; his join says which chain is his."""
    from referee.cli.folders import toml_files
    from referee.cli.publishing import check_roster
    from referee.documents.roster import start_reveal_tree

    join = _own_join(roster, path, given, key)
    player = str(join.tree["player"])
    own = key_of(key, str(join.tree["key"]), player, path)
    if own.public != join.tree["key"]:
        raise BadSignature(Problem("other-key", f'is not the key with which "{player}" has joined', "--key"))
    tree = start_reveal_tree(roster, player, decode(str(join.tree["salt"]), 16), own)
    default = beside(path, f"reveal-{player}-0000.toml")
    data = _signed_by_machine(tree, own, player)
    folder = default.parent
    if not check_roster(roster, join, [*given, *toml_files(folder)]):
        say("the invitation is not here, so it was not checked who has signed the roster", quiet)
    _refuse_second_reveal(default, data, str(tree["reveal"]), _folders(default, out, given), at_start=True)
    put(out, default, data, quiet, "reveal")
    if roster.signature is None or roster.signature.key != own.public:
        by = roster.signature.by if roster.signature is not None else "who sent the roster"
        say(f'send it to "{by}", who opens the game', quiet)


def _own_join(roster: Document, path: Path, given: list[Path], key: Path | None) -> Document:
    """Return the join of whoever holds the key, among those named or beside the roster, that the roster names."""
    from referee.cli.folders import toml_files
    from referee.documents.canonical import digest_of
    from referee.documents.invitation import JOIN
    from referee.documents.roster import roster_rows

    named = {digest: player for player, digest in roster_rows(roster)}
    found: list[Document] = []
    for one in given or toml_files(Path() if str(path) == "-" else path.parent):
        try:
            document = read(read_bytes(one), name_of(one))
        except RefereeError:
            if given:
                raise
            continue
        if document.format == JOIN and digest_of(document.tree) in named:
            found.append(document)
    if key is not None or os.environ.get("REFEREE_KEY") or len(found) != 1:
        found = [join for join in found if _is_of(join, key, path)]
    if len(found) != 1:
        message = "your join is not here, or the roster does not name it"
        if found:
            message = f"keys of several players lie here: {', '.join(str(join.tree['player']) for join in found)}"
        hint = "name your join after the roster, and your key with --key; who opens the game has your join, too"
        raise UsageProblem(Problem("no-join", message, "JOIN", hint))
    return found[0]


def _is_of(join: Document, key: Path | None, path: Path) -> bool:
    """Say whether a join is of whoever gives the command: his key is named, or lies beside it."""
    try:
        return key_of(key, str(join.tree["key"]), str(join.tree["player"]), path).public == str(join.tree["key"])
    except UsageProblem:
        return False


def _folders(default: Path, out: Path | None, named: Iterable[Path]) -> list[Path]:
    """Return where a reveal that was made before may lie: beside the game file, the orders, and where this one goes."""
    paths = [default, *named, *([out] if out is not None else [])]
    return [path if os.path.isdir(path) else path.parent for path in paths if str(path) != "-"]


def _refuse_second_reveal(path: Path, data: bytes, value: str, folders: Iterable[Path], at_start: bool = False) -> None:
    """Raise if a reveal for other orders lies there, or one of the same link for anything else in the folders."""
    from referee.cli.publishing import refuse_published

    if os.path.exists(path) and read_bytes(path) != data:
        message = "is a reveal of yours for other orders, and a second one is refused"
        hint = "two for different orders are proof that their signer chose between them; this one and its orders count"
        raise CannotWrite(Problem("second-reveal", message, hint=hint, file=str(path)))
    refuse_published(value, folders, [data], "reveal", at_start)


def _digests(file: GameFile, documents: Iterable[Document], who: PlayerId, called: Iterable[str]) -> list[str]:
    """Return the digests of signed orders in seat order; raises if one does not answer this game file.

    `called` are who is said to have sent none, where there must be orders otherwise.
    """
    from referee.documents.checking import look
    from referee.documents.intake import ACT, ORDERS, RESIGN, Collector, verified_from
    from referee.documents.reveals import needs_reveals_of

    errors = Collector()
    found: dict[str, str] = {}
    over: list[PlayerId] = []
    leaving: list[PlayerId] = []
    for document in documents:
        try:
            looked = look(document, file)
            if looked.format == ACT:
                over += [looked.player] if document.tree["act"] == "passed_over" else []
                continue
            signed = verified_from(document, file)
            leaving += [looked.player] if looked.format == RESIGN else []
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
    needed = needs_reveals_of(file, missed, leaving, over)
    _refuse_without_orders(file, [player for player in missed if player not in (*leaving, *called)], needed)
    if not needed:
        message = "no reveal is needed for this game file"
        if any(needs_reveals_of(file, [one]) for one in acting):
            message = "no reveal is needed: the orders of all are there"
        raise IllegalOrders(Problem("no-reveal-needed", message))
    if who in missed:
        message = f'the orders of "{who}" are not among these: whoever is called missed makes no reveal'
        hint = "name all signed orders that are there"
        raise IllegalOrders(Problem("missed-reveals-nothing", message, "ORDERS", hint))
    if who not in needed:
        hint = "" if over else f"if {needed[0]} was passed over, name the act that says so, too"
        message = f'no reveal of "{who}" is needed, but of {", ".join(needed)}'
        raise IllegalOrders(Problem("no-reveal-needed", message, hint=hint))
    return [found[player] for player in acting if player in found]


def _refuse_without_orders(file: GameFile, missed: list[PlayerId], needed: Iterable[PlayerId]) -> None:
    """Raise if orders are not named for which somebody must reveal in any case: a link is not given away by mistake."""
    state = file.game.state
    if not needed or not missed or state.phase != "turn" or who_must_miss(state):
        return
    if file.game.host_seat or state.settings.witness:
        from referee.documents.witnesses import is_watched

        if is_watched(file.game):
            message = f'the orders of "{missed[0]}" are needed, for which you reveal'
            hint = f"if the host says that none have come: --missed {missed[0]}"
            raise UsageProblem(Problem("no-orders", message, "ORDERS", hint))


def _reveal_tree(file: GameFile, who: PlayerId, key: Key, digests: list[str]) -> dict[str, object]:
    from referee.documents.base64 import encode
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


COMMANDS = {"resign": resign, "draw": draw, "reveal": reveal}
