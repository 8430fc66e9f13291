"""`referee receipt`: the word of the host, or of who rolls, that orders reached him."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import GameArgument, KeyOption, OutOption, QuietOption, name_of, put, read_bytes
from referee.cli.players import beside, key_of, refuse_if_over, refuse_if_played
from referee.cli.seats import open_here
from referee.documents.gamefile import GameFile
from referee.documents.intake import DRAW, ORDERS, RESIGN, STANDING
from referee.documents.keys import Key
from referee.documents.receipts import receipt_tree
from referee.documents.rolling import roller_of
from referee.documents.signing import Document, read
from referee.errors import BadSignature, CannotWrite, IllegalOrders, Problem


def receipt(
    game: GameArgument,
    orders: Annotated[Path, typer.Argument(help="A player's signed orders.", show_default=False)],
    key: KeyOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Sign a receipt for orders that reached you, the host or who rolls, and are legal; send it back to the player.

    Who holds it can prove that you played other orders, or said that none had come: `referee verify` finds it.

    Example: referee receipt fjord-0012.toml orders-kari-0012.toml
    """
    before = open_here(game)
    refuse_if_over(before)
    roller = roller_of(before.game)
    own = key_of(key, roller.key, roller.name, game)
    document = read(read_bytes(orders), name_of(orders))
    tree = _checked(document, before, own)
    refuse_if_played(before, game, "orders that come later change nothing any more, and get no receipt")
    path = beside(orders, f"receipt-{tree['player']}-{before.game.turn:04}-{tree['sequence']}.toml")
    data = _text(tree)
    _refuse_second(path if out is None else out, data, tree)
    put(out, path, data, quiet, "receipt")


def _refuse_second(path: Path, data: bytes, tree: Mapping[str, object]) -> None:
    """Raise if a receipt for other orders of the player lies there."""
    if os.path.isfile(path) and read_bytes(path) != data:
        message = f"is a receipt for other orders of {tree['player']} with sequence {tree['sequence']}"
        hint = f"ask {tree['player']} to give the orders that count a higher sequence and to sign them again"
        raise CannotWrite(Problem("second-receipt", message, hint=hint, file=str(path)))


def _checked(document: Document, before: GameFile, own: Key) -> dict[str, object]:
    """Return the receipt for orders after checking them as `resolve` would."""
    from referee.documents.checking import look
    from referee.documents.intake import verified_from

    roller = roller_of(before.game)
    if own.public != roller.key:
        code = "not-the-host" if roller.is_host else "not-the-roller"
        raise BadSignature(Problem(code, f"is not the key of {roller.title}", "--key"))
    if document.signature is None:
        raise BadSignature(document.source.problem("not-signed", "is not signed", "", "`referee sign` signs it"))
    if document.format != ORDERS:
        raise IllegalOrders(
            document.source.problem("other-document", f"{_what(document)}: only the orders of a turn do", "format")
        )
    look(document, before, own if roller.is_host else None)
    return receipt_tree(verified_from(document, before), before, own)


def _what(document: Document) -> str:
    """Say what a document is that gets no receipt."""
    words = {STANDING: "standing orders get", DRAW: "a vote for a draw gets", RESIGN: "a resignation gets"}
    return f"{words.get(document.format, document.format + ' gets')} no receipt"


def _text(tree: dict[str, object]) -> bytes:
    from referee.documents.layout import table_text
    from referee.documents.text import with_markers

    words = (
        f"# These orders of {tree['player']} for turn {tree['turn']} are here, and are legal.\n"
        "# They will be played, unless later ones with a higher sequence come.\n"
    )
    return with_markers(words + table_text(tree)).encode()


COMMANDS = {"receipt": receipt}
