"""Looking at games: `show`, `report`, `hand`, `status`. They write nothing but what is asked for."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import (
    JsonOption,
    KeyOption,
    OutOption,
    QuietOption,
    find_key,
    name_of,
    print_json,
    put,
    read_bytes,
    say,
)
from referee.cli.folders import game_files_of, newest, toml_files
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, open_game
from referee.documents.intake import Collector
from referee.documents.signing import Document, read
from referee.errors import Problem, RefereeError, UnreadableDocument, UsageProblem

GameArgument = Annotated[Path, typer.Argument(help="A game file.", show_default=False)]
LangOption = Annotated[str, typer.Option("--lang", help="The language of the text: en or nb.")]


def show(game: GameArgument, lang: LangOption = "en", json: JsonOption = False) -> None:
    """Show the board, the standings, who is awaited, and what deviates from the edition.

    Example: referee show fjord-0012.toml
    """
    from referee.views.show import shown, tree
    from referee.views.voice import voice_of

    file = open_game(read_bytes(game), board_by_name, name_of(game))
    if json:
        print_json(tree(file))
        return
    print("\n".join(shown(file, voice_of(file.game, lang))))


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
    from referee.views.report import report as written

    data = read_bytes(game)
    stated = open_game(data, board_by_name, name_of(game))
    earlier = _before(game, stated, before)
    checked = verify_next(earlier, data, name_of(game)) if earlier else verify_first(data, name_of(game))
    after = checked.file
    text = written(after, earlier, after.game.events, lang)
    default = Path(f"{after.game.name}-{after.game.turn - 1:04}.{lang}.txt")
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


def hand(game: GameArgument, key: KeyOption = None, lang: LangOption = "en", json: JsonOption = False) -> None:
    """Show your own cards and mission, checked against what the host has committed to.

    Example: referee hand fjord-0012.toml --key kari.key
    """
    from referee.documents.hand import open_hand
    from referee.views.show import hand_shown, hand_tree
    from referee.views.voice import voice_of

    file = open_game(read_bytes(game), board_by_name, name_of(game))
    acting = file.game.state.acting
    own = find_key(key, acting[0] if len(acting) == 1 else "YOUR", game)
    opened = open_hand(file, own)
    if json:
        print_json(hand_tree(file, opened))
        return
    print("\n".join(hand_shown(file, opened, voice_of(file.game, lang))))


def status(
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders of games; else this one.")] = None,
    json: JsonOption = False,
) -> None:
    """Say which games wait for whom, and which orders are there already.

    Example: referee status games/fjord games/skog
    """
    from referee.views.status import standing_of, status_lines, status_tree

    results = []
    errors = Collector()
    for folder in folders or [Path()]:
        if not folder.is_dir():
            raise UnreadableDocument(Problem("no-folder", "is no folder", file=str(folder)))
        heads = newest(folder)
        documents = _documents(folder, {head.path for head in heads}) if heads else []
        for head in heads:
            try:
                file = open_game(read_bytes(head.path), board_by_name, name_of(head.path))
            except RefereeError as error:
                errors.note(error)
                continue
            results.append(standing_of(str(head.path), file, documents))
    if json:
        print_json([status_tree(one) for one in results])
    for one in results if not json else ():
        print("\n".join(status_lines(one)))
    errors.done()
    if not results:
        say("no game files here")


def _documents(folder: Path, games: set[Path]) -> list[Document]:
    """Return the readable documents of a folder that are no game files."""
    from referee.cli.folders import game_head

    found = []
    for path in toml_files(folder):
        if path in games or game_head(path) is not None:
            continue
        try:
            found.append(read(read_bytes(path), name_of(path)))
        except RefereeError:
            continue
    return found


COMMANDS = {"show": show, "report": report, "hand": hand, "status": status}
