"""`referee record` and `referee replay`: a whole game in one file, and every file of it made again."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.checking import game_entries, load
from referee.cli.files import (
    JsonOption,
    OutOption,
    QuietOption,
    name_of,
    print_json,
    put,
    read_bytes,
    say,
    write_in,
)
from referee.cli.progress import progress
from referee.documents.canonical import fingerprint
from referee.documents.gamefile import GameFile
from referee.errors import BadSignature, CannotWrite, Problem, UsageProblem


def record(
    paths: Annotated[
        list[Path],
        typer.Argument(help="All game files of one game in any order, or the folder of them.", show_default=False),
    ],
    out: OutOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Pack a whole game into one file, after checking it as `verify` does.

    A record holds what nobody can compute: every signed document, the reveals, the signatures. It is unsigned.

    Example: referee record fjord/ -o fjord-record.toml
    """
    from referee.documents.record import entry_of, head_of
    from referee.documents.verify import revealed_by, verify_row

    games = game_entries(paths)
    if len(games) > 1:
        names = ", ".join(game.name for game in games)
        raise UsageProblem(Problem("several-games", f"a record is of one game, here are {len(games)}: {names}"))
    ((game, entries),) = games.items()
    if entries[0].turn != 1:
        message = f"the first game file is missing: the earliest one here is of turn {entries[0].turn}"
        raise BadSignature(Problem("gap", message, file=entries[0].file))
    revealed = revealed_by(entries[-1], load)
    parts: list[str] = []
    before: GameFile | None = None
    with progress(len(entries), quiet or json) as show:
        for number, checked in enumerate(verify_row(entries, load), start=1):
            if before is None:
                parts.append(head_of(checked.file.game, revealed))
            parts.append(entry_of(checked.file, before, revealed))
            before = checked.file
            show(number)
    assert before is not None
    default = Path(entries[0].file).parent / f"{game.name}-record.toml"
    put(out, default, "".join(parts).encode(), quiet or json, "record")
    if json:
        print_json({"game": game.name, "files": len(entries), "digest": before.digest, "record": str(out or default)})
    else:
        say(f"{len(entries)} game files, fingerprint {fingerprint(before.digest)}", quiet)


def replay(
    path: Annotated[Path, typer.Argument(help="The record of a game.", show_default=False, metavar="RECORD")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The folder to write to; else beside the record.")
    ] = None,
    lang: Annotated[str, typer.Option("--lang", help="Language of the reports.")] = "en",
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Make every game file and report of a recorded game again, byte for byte, checking everything.

    Example: referee replay fjord-record.toml -o fjord
    """
    from referee.documents.record import replayed
    from referee.views.report import report

    folder = out or (Path() if str(path) == "-" else path.parent)
    last: GameFile | None = None

    def made(show: Callable[[int], None]) -> Iterator[tuple[Path, bytes]]:
        nonlocal last
        for number, checked in enumerate(replayed(read_bytes(path), name_of(path)), start=1):
            before, last = last, checked.file
            yield _report_file(folder, last), report(last, before, last.game.events, lang).encode()
            yield folder / last.file, last.text.encode()
            show(number)

    try:
        with progress(0, quiet or json) as show:
            write_in(folder, made(show))
    except CannotWrite as error:
        raise (_there_otherwise(folder, last, error) if last is not None else error) from None
    assert last is not None
    files = last.game.turn
    if json:
        print_json({"game": last.game.name, "files": files, "digest": last.digest, "folder": str(folder)})
    else:
        say(f"{last.game.name}: {files} game files and their reports in {folder}", quiet)
        say(f"fingerprint {fingerprint(last.digest)}", quiet)


def _report_file(folder: Path, after: GameFile) -> Path:
    return folder / f"{after.game.name}-{after.game.turn - 1:04}.txt"


def _there_otherwise(folder: Path, after: GameFile, error: CannotWrite) -> CannotWrite:
    """Say what to do if the reports that lie there are others than the ones that would be written."""
    game_file = folder / after.file
    is_there = not os.path.exists(game_file) or game_file.read_bytes() == after.text.encode()
    is_report = is_there and os.path.exists(_report_file(folder, after))
    if not is_report or not any(problem.code == "exists" for problem in error.problems):
        return error
    hint = "if it is in another language, say so with --lang; or write to another folder with -o"
    return CannotWrite(*(problem._replace(hint=hint) for problem in error.problems))


COMMANDS = {"record": record, "replay": replay}
