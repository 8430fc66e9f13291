"""`referee resolve`: the turn."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import (
    GameArgument,
    JsonOption,
    KeyOption,
    MissedOption,
    QuietOption,
    name_of,
    print_json,
    read_bytes,
    say,
    write_in,
)
from referee.cli.folders import answering
from referee.cli.players import key_of, refuse_if_over
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, file_name, open_game
from referee.documents.resolve import resolve as play
from referee.documents.resolve import seats_of
from referee.documents.rolling import roller_of
from referee.documents.signing import Document, read_each
from referee.errors import BadSignature, CannotWrite, IllegalOrders, Problem, RefereeError, UnreadableDocument, as_word
from referee.game.absence import who_must_miss
from referee.game.orders import PlayerId


def resolve(
    game: GameArgument,
    orders: Annotated[
        list[Path] | None, typer.Argument(help="Signed orders and other documents, in any order.")
    ] = None,
    key: KeyOption = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="The folder to write to; else beside the game file."),
    ] = None,
    missed: MissedOption = None,
    lang: Annotated[str, typer.Option("--lang", help="Language of the report.")] = "en",
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play a turn: check the orders, roll the dice, write the next game file and the report.

    Standing orders, resignations, votes for a draw, reveals, and the host's own acts are handed in with the orders.

    Example: referee resolve fjord-0012.toml orders.toml

    Example: referee resolve fjord-0012.toml --missed kari
    """
    from referee.views.report import report

    before = open_game(read_bytes(game), board_by_name, name_of(game))
    documents = _without_drafts(read_all(orders or []), quiet)
    refuse_if_over(before)
    folder = out or (Path() if str(game) == "-" else game.parent)
    lying: list[tuple[Path, bytes]] = []
    try:
        acts, here = seats_of(documents, before)
        is_new = not os.path.exists(folder / file_name(before.game.name, before.game.turn + 1))
        lying = _lying(here, game, orders or []) if is_new else []
        if is_new and before.game.host is None:
            from referee.cli.publishing import refuse_unfounded

            refuse_unfounded(before, game, quiet)
        _refuse_to_overlook(lying, [], here, missed or [])
        roller = roller_of(before.game, acts.passed_over, acts.gone is not None)
        own = key_of(key, roller.key, roller.name, game)
        after = play(before, documents, own, [PlayerId(player) for player in missed or []])
        _refuse_to_overlook(lying, documents, here, [])
        if lying and acts.gone is None:
            from referee.cli.overlooking import refuse_to_leave_out

            refuse_to_leave_out(lying, documents, here, [one.player for one in acts.substitutes])
        if is_new and before.game.host is None:
            _refuse_a_known_link(
                after, [folder, *(path.parent for path in (game, *(orders or [])) if str(path) != "-")]
            )
    except (BadSignature, IllegalOrders) as error:
        from referee.cli.asking import asking

        raise asking(error, documents, before, lying) from None
    text = report(after, before, after.game.events, lang)
    report_file = folder / f"{before.game.name}-{before.game.turn:04}.txt"
    game_file = folder / after.file
    try:
        written = write_in(folder, [(report_file, text.encode()), (game_file, after.text.encode())])
    except CannotWrite as error:
        raise _played_already(before, after, game_file, error) from None
    if json:
        print_json(_summary(after, game_file, report_file))
    else:
        _say_what_happened(after, game_file, report_file, bool(written), quiet)
    if written and before.game.host is None:
        from referee.cli.publishing import warn_of_passed_over

        warn_of_passed_over(before, roller.name, Path() if str(game) == "-" else game.parent, quiet)


def _refuse_a_known_link(after: GameFile, folders: Sequence[Path]) -> None:
    """Raise if the link with which somebody has rolled in a table game stands in another file already."""
    from referee.cli.publishing import refuse_published

    for _, value in after.game.evidence.reveals:
        refuse_published(value, folders, [after.text.encode()], "game file")


def _without_drafts(documents: list[Document], quiet: bool) -> list[Document]:
    """Leave out a draft that came beside what its player has signed, and say so.

    A draft with a higher sequence stays, so that it is refused: its player means something newer.
    """
    signed = {_about(one): one for one in sorted(documents, key=_sequence) if one.signature is not None}
    kept = []
    for document in documents:
        other = signed.get(_about(document))
        if document.signature is None and other is not None and _sequence(document) <= _sequence(other):
            name = document.source.file
            say(f"left out: {name}, which is not signed; {other.source.file} of the same player is", quiet)
        else:
            kept.append(document)
    return kept


def _about(document: Document) -> tuple[object, ...]:
    """Return what two documents have in common of which one can replace the other."""
    tree = document.tree
    return (document.format, *(str(tree.get(key)) for key in ("game", "nonce", "state", "player")))


def _sequence(document: Document) -> int:
    sequence = document.tree.get("sequence", 0)
    return sequence if type(sequence) is int else 0


def _lying(before: GameFile, game: Path, orders: list[Path]) -> list[tuple[Path, bytes]]:
    """Return what lies beside the game file or the orders, answers this game file and was not handed in."""
    here = [path for path in (game, *orders) if str(path) != "-"]
    known = {os.path.realpath(path) for path in here}
    folders = (path.parent for path in here or [Path("-")])
    found = answering(folders, before.game.name, before.digest, before.game.nonce)
    return [(path, data) for path, data in found if os.path.realpath(path) not in known]


def _refuse_to_overlook(
    lying: Sequence[tuple[Path, bytes]], documents: Sequence[Document], before: GameFile, missed: Sequence[str]
) -> None:
    if lying and (documents or missed):
        from referee.cli.overlooking import refuse_to_overlook

        refuse_to_overlook(lying, documents, before, missed)


def _played_already(before: GameFile, after: GameFile, game_file: Path, error: CannotWrite) -> CannotWrite:
    """Say that a turn has been played, if that is why nothing can be written."""
    if not os.path.exists(game_file):
        return error
    turn = before.game.turn
    if game_file.read_bytes() == after.text.encode():
        message = f"turn {turn} has been played with these orders, and its report is another one"
        hint = f"`referee report {as_word(str(game_file))} --lang nb` writes it in another language"
    else:
        message = f"turn {turn} has been played already, with other orders: nothing was written"
        who = "the host" if before.game.host is not None else "who signed both"
        hint = f"once it was sent it stands: two different files of one turn are proof against {who}"
    return CannotWrite(Problem("played-already", message, hint=hint, file=str(game_file)))


def read_all(paths: list[Path]) -> list[Document]:
    """Read all documents, of a file that holds several each; the problems of all are reported together."""
    documents: list[Document] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            documents += read_each(read_bytes(path), name_of(path))
        except RefereeError as error:
            problems += error.problems
    if problems:
        raise UnreadableDocument(*problems)
    return documents


def _summary(after: GameFile, game_file: Path, report_file: Path) -> dict[str, object]:
    state = after.game.state
    return {
        "game": after.game.name,
        "turn": after.game.turn,
        "digest": after.digest,
        "file": str(game_file),
        "report": str(report_file),
        "phase": state.phase,
        "acting": list(state.acting),
        "winners": list(state.result.winners) if state.result else [],
    }


def _say_what_happened(after: GameFile, game_file: Path, report_file: Path, new: bool, quiet: bool) -> None:
    from referee.documents.canonical import fingerprint

    state = after.game.state
    mark = "" if new else " (was there already)"
    say(f"{game_file}{mark}\n{report_file}{mark}\nfingerprint {fingerprint(after.digest)}", quiet)
    if state.result:
        from referee.views.status import outcome

        say(f"the game is over: {outcome(state.result)}", quiet)
    elif absent := who_must_miss(state):
        say(f"turn {after.game.turn} waits for no orders: {', '.join(absent)} misses it", quiet)
    else:
        say(f"turn {after.game.turn} waits for {', '.join(state.acting)}", quiet)
    if after.game.host is None:
        say(f"send {game_file.name} to all players", quiet)


COMMANDS = {"resolve": resolve}
