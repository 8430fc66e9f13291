"""`referee receipt`: the host's word that orders reached him."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import KeyOption, OutOption, QuietOption, find_key, name_of, put, read_bytes
from referee.cli.seats import open_here
from referee.documents.gamefile import GameFile
from referee.documents.keys import Key
from referee.documents.receipts import receipt_tree
from referee.documents.signing import Document, read
from referee.errors import BadSignature, IllegalOrders, Problem


def receipt(
    game: Annotated[Path, typer.Argument(help="The current game file.", show_default=False)],
    orders: Annotated[Path, typer.Argument(help="A player's signed orders.", show_default=False)],
    key: KeyOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Sign a receipt for orders that reached you, the host, and are legal; send it back to the player.

    Who holds it can prove that you played other orders, or said that none had come: `referee verify` finds it.

    Example: referee receipt fjord-0012.toml orders-kari-0012.toml
    """
    before = open_here(game)
    host = find_key(key, before.game.host.name, game)
    document = read(read_bytes(orders), name_of(orders))
    tree = _checked(document, before, host)
    name = f"receipt-{tree['player']}-{before.game.turn:04}.toml"
    put(out, orders.with_name(name) if str(orders) != "-" else Path(name), _text(tree), quiet, "receipt")


def _checked(document: Document, before: GameFile, host: Key) -> dict[str, object]:
    """Return the receipt for orders after checking them as `resolve` would."""
    from referee.documents.checking import look
    from referee.documents.intake import ORDERS, verified_from

    if host.public != before.game.host.key:
        message = f'is not the key of the host "{before.game.host.name}"'
        raise BadSignature(Problem("not-the-host", message, "--key"))
    if document.signature is None:
        raise BadSignature(document.source.problem("not-signed", "is not signed"))
    if document.format != ORDERS:
        raise IllegalOrders(
            document.source.problem("other-document", "is no orders: only they get a receipt", "format")
        )
    look(document, before, host)
    return receipt_tree(verified_from(document, before), before, host)


def _text(tree: dict[str, object]) -> bytes:
    from referee.documents.layout import table_text
    from referee.documents.text import BEGIN, END

    words = (
        f"# These orders of {tree['player']} for turn {tree['turn']} are here, and are legal.\n"
        "# They will be played, unless later ones with a higher sequence come.\n"
    )
    return f"{BEGIN}\n{words}{table_text(tree)}{END}\n".encode()


COMMANDS = {"receipt": receipt}
