"""Looking at games: `show`, `report`, `hand`, `status`. They write nothing but what is asked for."""

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.files import (
    JsonOption,
    KeyOption,
    OutOption,
    QuietOption,
    is_invitation,
    name_of,
    print_json,
    print_lines,
    put,
    read_bytes,
    say,
)
from referee.cli.folders import (
    GameHead,
    document_files,
    game_files_of,
    game_heads,
    head_by_reading,
    is_mail,
    is_named_like_a_document,
    newest,
    of_one_turn,
    toml_files,
)
from referee.cli.players import signing_key
from referee.cli.seats import open_here
from referee.documents.boards import board_by_name
from referee.documents.gamefile import MAX_GAME_BYTES, GameFile, open_game
from referee.documents.intake import Collector
from referee.documents.signing import Document, read, read_each
from referee.errors import Problem, RefereeError, UnreadableDocument, UsageProblem
from referee.game.orders import PlayerId

if TYPE_CHECKING:
    from referee.views.show import Written
    from referee.views.status import Fork

GameArgument = Annotated[Path, typer.Argument(help="A game file.", show_default=False)]
LangOption = Annotated[str, typer.Option("--lang", help="The language of the text: en or nb.")]


def show(
    game: Annotated[Path, typer.Argument(help="A game file, or an invitation.", show_default=False)],
    lang: LangOption = "en",
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Show the board, the standings, who is awaited, and what deviates from the edition; or what an invitation says.

    Example: referee show fjord-0012.toml

    Example: referee show fjord-invitation.toml
    """
    from referee.views.show import shown, tree
    from referee.views.voice import voice_of

    data = read_bytes(game)
    if is_invitation(data):
        _show_invitation(data, name_of(game), lang, quiet, json)
        return
    file = open_game(data, board_by_name, name_of(game))
    if json:
        print_json(tree(file))
        return
    _print(shown(file, voice_of(file.game, lang)), quiet)


def _show_invitation(data: bytes, file: str, lang: str, quiet: bool, json: bool) -> None:
    from referee.documents.canonical import fingerprint
    from referee.documents.invitation import read_invitation
    from referee.views.invitation import invitation_shown, invitation_tree
    from referee.views.language import language_of

    invited = read_invitation(read(data, file))
    if json:
        print_json(invitation_tree(invited))
        return
    language = language_of(lang)
    told = language.say("fingerprint", fingerprint=fingerprint(invited.signed.digest))
    _print([*invitation_shown(invited, language), f"  {told}"], quiet)


def _print(lines: list[str], quiet: bool) -> None:
    if not quiet:
        print_lines(lines)


def report(
    game: GameArgument,
    before: Annotated[
        Path | None,
        typer.Option("--before", help="The game file before it; else found beside it."),
    ] = None,
    lang: LangOption = "en",
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write the report of the turn that led to a game file again, perhaps in another language.

    The turn is replayed first, so a report is never made of a file that does not follow from the one before.

    Example: referee report fjord-0013.toml --lang nb
    """
    from referee.documents.verify import verify_first, verify_next
    from referee.views.language import SPELT
    from referee.views.report import report as written

    data = read_bytes(game)
    stated = open_game(data, board_by_name, name_of(game))
    earlier = _before(game, stated, before)
    checked = verify_next(earlier, data, name_of(game)) if earlier else verify_first(data, name_of(game))
    after = checked.file
    text = written(after, earlier, after.game.events, lang)
    default = Path(f"{after.game.name}-{after.game.turn - 1:04}.{SPELT.get(lang, lang)}.txt")
    put(out or Path("-"), default, text.encode(), quiet, "report")


def _before(game: Path, after: GameFile, given: Path | None) -> GameFile | None:
    """Return the predecessor of a game file, or None for the first."""
    if after.game.turn == 1:
        return None
    if given is not None:
        before = open_game(read_bytes(given), board_by_name, name_of(given))
        if before.digest != after.game.previous:
            message = f"is not the game file before {name_of(game)}"
            hint = f"that has turn {after.game.turn - 1} and the digest {after.game.previous}"
            raise UsageProblem(Problem("not-before", message, hint=hint, file=str(given)))
        return before
    folder = Path() if str(game) == "-" else game.parent
    for path in game_files_of(folder, after.game.name, after.game.turn - 1):
        try:
            before = open_game(read_bytes(path), board_by_name, name_of(path))
        except RefereeError:
            continue
        if before.digest == after.game.previous:
            return before
    message = f"the game file of turn {after.game.turn - 1} is not beside {name_of(game)}"
    raise UsageProblem(Problem("no-predecessor", message, hint="name it with --before"))


def hand(
    game: GameArgument,
    key: KeyOption = None,
    lang: LangOption = "en",
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Show your own cards and sets, your mission and your capital.

    Cards and mission are checked against what the host has committed to. A capital that is still secret is sealed to
    him alone: it is shown if your own orders that say it lie beside the game file.

    Example: referee hand fjord-0012.toml --key kari.key
    """
    from referee.documents.hand import open_hand
    from referee.views.show import hand_shown, hand_tree
    from referee.views.voice import voice_of

    file = open_here(game)
    own = signing_key(key, file, "", True, game)
    opened = open_hand(file, own)
    capital = _written_capital(file, opened.player, game) if opened.player in file.game.capitals else None
    if json:
        print_json(hand_tree(file, opened, capital))
        return
    _print(hand_shown(file, opened, voice_of(file.game, lang), capital), quiet)


def _written_capital(file: GameFile, player: PlayerId, game: Path) -> "Written | None":
    """Return the capital that the player's own plain orders name, if they lie beside the game file; the last ones."""
    from referee.views.show import Written

    board, answered = file.game.state.board, file.game.capitals[player].state
    found: dict[int, Written] = {}
    for path in toml_files(Path() if str(game) == "-" else game.parent):
        if not path.name.startswith(f"orders-{player}-"):
            continue
        with suppress(RefereeError):
            tree = read(read_bytes(path), name_of(path)).tree
            name, sequence = tree.get("capital"), tree.get("sequence")
            territory = board.find_territory(name) if isinstance(name, str) else None
            if tree.get("state") == answered and territory is not None and isinstance(sequence, int):
                found[sequence] = Written(territory, name_of(path))
    return found[max(found)] if found else None


def status(
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders of games; else this one.")] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Say which games wait for whom, and which orders are there already.

    Example: referee status games/fjord games/skog
    """
    from referee.views.status import standing_of, status_lines, status_tree

    folders = folders or [Path()]
    results, papers, lying = [], [], []
    errors = Collector()
    for folder in folders:
        if not os.path.isdir(folder):
            raise UnreadableDocument(Problem("no-folder", "is no folder", file=str(folder)))
        heads = list(game_heads(folder))
        documents, others = _documents(folder, {head.path for head in heads}, errors)
        papers += documents
        lying += [*heads, *others]
        for head in newest([*heads, *others]):
            try:
                file = open_here(head.path)
            except RefereeError as error:
                errors.note(_not_read(error))
                continue
            results.append(standing_of(str(head.path), file, documents))
    forks = _forks(lying, folders)
    results = [one._replace(fork=forks.get((one.game.game.name, one.game.game.nonce))) for one in results]
    if json:
        print_json([status_tree(one) for one in results])
    for one in results if not json and not quiet else ():
        print_lines(status_lines(one))
    errors.done()
    if not results and not quiet:
        from referee.views.status import not_begun_lines

        say("\n".join(["no game files here", *not_begun_lines(papers)]))


def _forks(lying: Sequence[GameHead], folders: Sequence[Path]) -> dict[tuple[str, str], "Fork"]:
    """Return by name and nonce of a game the earliest turn of which different files lie here.

    Only files of one turn are read; that one is damaged, and so no fork, is left to `verify`.
    """
    from referee.views.status import Fork

    found: dict[tuple[str, str], Fork] = {}
    for heads in of_one_turn(lying):
        game, turn = (heads[0].game, heads[0].nonce), heads[0].turn
        if game not in found and _differ(heads):
            names = tuple(str(head.path) for head in heads)
            found[game] = Fork(turn, names, tuple(map(str, dict.fromkeys(folders))))
    return found


def _differ(heads: Sequence[GameHead]) -> bool:
    from referee.cli.checking import load
    from referee.documents.forks import find_forks
    from referee.documents.verify import Entry

    with suppress(RefereeError):
        return bool(find_forks([Entry(str(head.path), head.turn) for head in heads], load))
    return False


def _documents(folder: Path, game_files: Collection[Path], errors: Collector) -> tuple[list[Document], list[GameHead]]:
    """Return the documents of a folder, and game files in another layout; a file that is only called so is an error."""
    found, others = [], []
    for path in document_files(folder):
        if path in game_files:
            continue
        try:
            documents = read_each(read_bytes(path), name_of(path), MAX_GAME_BYTES)
            if documents[0].format.startswith("referee/game/"):
                others.append(head_by_reading(path))
            else:
                found += documents
        except RefereeError as error:
            if is_named_like_a_document(path) or is_mail(path):
                errors.note(_not_read(error))
    return found, others


def _not_read(error: RefereeError) -> RefereeError:
    """Return an error as it stands beside what could be read."""
    return type(error)(*(problem._replace(message=f"not read: {problem.message}") for problem in error.problems))


COMMANDS = {"show": show, "report": report, "hand": hand, "status": status}
