"""Orders before they are signed: `draft` and `check`."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.files import (
    GameArgument,
    JsonOption,
    KeyOption,
    OutOption,
    QuietOption,
    name_of,
    print_json,
    put,
    read_bytes,
    say,
    say_wrapped,
)
from referee.cli.players import (
    beside,
    holder_here,
    newer_beside,
    own_key,
    refuse_if_missing,
    refuse_if_over,
    say_if_played,
    who_of,
)
from referee.cli.seats import open_here
from referee.documents.gamefile import GameFile
from referee.documents.intake import Collector
from referee.documents.keys import Key
from referee.documents.signing import Document, read_each
from referee.errors import Problem, RefereeError, UsageProblem, as_word
from referee.game.orders import PlayerId
from referee.game.trees import ID

if TYPE_CHECKING:
    from referee.documents.checking import Looked
    from referee.documents.hand import OwnHand


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
    from referee.views.draft import draft as turn_draft
    from referee.views.standing_draft import standing_draft

    file = open_here(game)
    refuse_if_over(file)
    own = own_key(key, file, player, not standing, game)
    who = who_of(file, player or ("" if own else holder_here(file, game)), own, awaited=not standing)
    if standing:
        sequence = file.game.state.standing[who].sequence + 1 if who in file.game.state.standing else 1
        name, text = f"standing-{who}-{sequence:04}.toml", standing_draft(file, who)
    else:
        refuse_if_missing(file, who)
        name, text = (
            f"orders-{who}-{file.game.turn:04}.toml",
            turn_draft(file, who, _hand(file, own), fill, _opening(file, who, own)),
        )
    if fill and not standing and own is None:
        _refuse_to_fill(file, who)
    put(out, beside(game, name), text.encode(), quiet, "draft")
    newer = newer_beside(file, game)
    if newer is not None:
        say(f"turn {file.game.turn} has been played: {newer} is there", quiet)


def _opening(file: GameFile, player: PlayerId, own: Key | None) -> tuple[str, str] | None:
    """Return what opens the capital to which a player has committed himself, where there is one to be opened now."""
    if own is None or file.game.state.phase != "capital" or not file.game.capitals:
        return None
    from referee.documents.commitments import own_opening

    return own_opening(file, player, own)


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


def check(
    game: GameArgument,
    orders: Annotated[Path, typer.Argument(help="Orders, signed or not; standing orders, too.", show_default=False)],
    key: KeyOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Say whether orders are legal, and what was understood.

    With your key it is also checked that the cards are in your hand; with the host's what is sealed to him. Of a file
    that holds several documents between marker lines each is checked.

    Example: referee check fjord-0012.toml orders-kari-0012.toml --key kari.key
    """
    from referee.documents.checking import look
    from referee.views.effect import without_effect
    from referee.views.understood import understood

    file = open_here(game)
    answers, errors = [], Collector()
    for document in _read(orders, errors):
        try:
            claimed = document.tree.get("player")
            own = own_key(key, file, claimed if isinstance(claimed, str) and claimed else "-", False, orders, game)
            if own is None and document.tree.get("act") == "hand_over":
                own = _key_of_new_host(document, orders, game)
            answers.append((document, look(document, file, own)))
        except RefereeError as error:
            errors.note(_with_hints(error, orders, file, game))
    if json and (answers or errors.errors):
        told = [*map(_wrong_tree, errors.errors), *(_understood_tree(*answer, file) for answer in answers)]
        print_json(told if told[1:] else told[0])
    for document, looked in answers if not json else ():
        _say_understood(understood(looked, file.game.state), quiet)
        for what in without_effect(document.tree, looked, file.game.state):
            say_wrapped(what, quiet)
        for what in looked.unchecked:
            say_wrapped(f"not checked: {_UNCHECKED[what]}", quiet)
        if document.tree.get("act") == "hand_over" and not looked.unchecked:
            say_wrapped("checked: what is handed over is the secret of the game, and all that belongs to it", quiet)
        say_if_played(document, file, game, quiet)
        legal = "fit to be opened" if "sealed" in looked.unchecked else "legal"
        signed = "signed" if looked.signed else f"not signed yet: `referee sign {as_word(name_of(orders))}`"
        say(f"{name_of(orders)}: {legal}, {signed}", quiet)
    errors.done()


def _key_of_new_host(document: Document, *beside: Path) -> Key | None:
    """Return the key of the one to whom a game is handed over, if it lies there by its name."""
    from referee.cli.players import key_of

    host = document.tree.get("host")
    with suppress(UsageProblem):
        return key_of(None, "", host, *beside) if isinstance(host, str) and ID.fullmatch(host) else None
    return None


def _read(orders: Path, errors: Collector) -> list[Document]:
    """Return the documents of a file; what is wrong with it is kept with the rest."""
    try:
        return read_each(read_bytes(orders), name_of(orders))
    except RefereeError as error:
        errors.note(error)
        return []


def _wrong_tree(error: RefereeError) -> dict[str, object]:
    return {"legal": False, "problems": [problem._asdict() for problem in error.problems]}


def _understood_tree(document: Document, looked: "Looked", file: GameFile) -> dict[str, object]:
    from referee.views.effect import without_effect
    from referee.views.understood import understood

    head = {"legal": True, "format": looked.format, "player": looked.player, "sequence": looked.sequence}
    lines = understood(looked, file.game.state)
    idle = without_effect(document.tree, looked, file.game.state)
    unchecked = list(looked.unchecked)
    return {**head, "signed": looked.signed, "unchecked": unchecked, "understood": lines, "without_effect": idle}


def _with_hints(error: RefereeError, orders: Path, file: GameFile, game: Path) -> RefereeError:
    return type(error)(*(_with_hint(problem, orders, file, game) for problem in error.problems))


def _with_hint(problem: Problem, orders: Path, file: GameFile, game: Path) -> Problem:
    """Say what the player can do about his own file."""
    if problem.code == "wrong-signature" and problem.file == name_of(orders):
        again = f"`referee sign {as_word(name_of(orders))}` signs it again"
        hint = f"if it is yours and you have changed it, {again}; else ask for it anew"
        return problem._replace(hint=hint)
    if problem.code in ("other-turn", "other-state") and orders.name.startswith("resign-"):
        return problem._replace(
            hint=f"if it is still meant: `referee resign {as_word(name_of(game))} --turn {file.game.turn}`"
        )
    return problem


_UNCHECKED = {
    "hand": "whether the cards are in the hand, which needs the player's key (--key)",
    "handed": "what is handed over, which only the new host can open, with his key (--key)",
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


COMMANDS = {"draft": draft, "check": check}
