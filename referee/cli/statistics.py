"""`referee luck`: what the dice did, with p-values."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import JsonOption, QuietOption, print_json, print_lines, read_bytes, refuse_stream
from referee.cli.folders import game_head, game_heads, head_by_reading, is_record, newest
from referee.documents.boards import board_by_name
from referee.documents.gamefile import Game, open_game
from referee.errors import Problem, UnreadableDocument


def luck(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Folders, game files or records: of each game the newest state counts.", show_default=False
        ),
    ],
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Say how lucky everybody was, in each game and over all, and how odd that is.

    Whether the dice are those that the rules of the game give is another question, and `referee verify` answers it.

    Example: referee luck fjord/ skog/

    Example: referee luck fjord-record.toml
    """
    from referee.views.luck import luck_shown, luck_tree

    games = _games(paths)
    if json:
        print_json(luck_tree(games))
    elif not quiet:
        print_lines(luck_shown(games))


def _games(paths: list[Path]) -> list[Game]:
    """Return the newest state of each game, each once, in the order of names; signatures are checked."""
    for path in paths:
        refuse_stream(path, "luck")
    found: dict[tuple[str, str], Game] = {}
    records, others = ([path for path in paths if is_record(path) == wanted] for wanted in (True, False))
    for game in [*map(_recorded, records), *_in_files(others)]:
        key = (game.name, game.nonce)
        if key not in found or found[key].turn < game.turn:
            found[key] = game
    if not found:
        raise UnreadableDocument(Problem("no-game-files", f"no game file in {', '.join(map(str, paths))}"))
    return [found[key] for key in sorted(found)]


def _recorded(path: Path) -> Game:
    """Return the last state of a recorded game, which is replayed."""
    from referee.documents.record import replayed

    *_, last = replayed(read_bytes(path), str(path))
    return last.file.game


def _in_files(paths: list[Path]) -> Iterator[Game]:
    """Yield the newest state of each game in a folder, and each game file that is named."""
    for path in paths:
        heads = newest(game_heads(path)) if os.path.isdir(path) else [game_head(path) or head_by_reading(path)]
        for head in heads:
            yield open_game(read_bytes(head.path), board_by_name, str(head.path)).game


COMMANDS = {"luck": luck}
