"""`referee verify`: game files checked by replay, alone, in a row, or a whole folder."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from referee.cli.files import JsonOption, QuietOption, print_json, read_bytes, say
from referee.cli.folders import GameHead, game_head, head_by_reading, is_another_game_file, toml_files
from referee.documents.canonical import fingerprint
from referee.documents.verify import Checked, Entry, forks, verify_row
from referee.errors import BadSignature, Problem, UnreadableDocument

_STEP = 50


class _Game(NamedTuple):
    name: str
    nonce: str


def verify(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Game files in any order, or folders of them.", show_default=False),
    ],
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Check signatures, links, reveals, commitments and every event by replay.

    Example: referee verify fjord-0012.toml fjord-0013.toml

    Example: referee verify fjord/
    """
    games = _games(_game_files(paths))
    if not games:
        names = ", ".join(map(str, paths))
        raise UnreadableDocument(Problem("no-game-files", f"no game file in {names}"))
    results = []
    for game, entries in games.items():
        problems = forks(entries, _load)
        if problems:
            raise BadSignature(*problems)
        results.append(_verify_game(game, _once(entries), quiet or json))
    if json:
        print_json(results)


def _verify_game(game: _Game, entries: Sequence[Entry], quiet: bool) -> dict[str, object]:
    counts: dict[str, int] = {}
    sealed: dict[str, int] = {}
    last: Checked | None = None
    for number, checked in enumerate(verify_row(entries, _load), start=1):
        last = checked
        for what, count in checked.counts.items():
            counts[what] = counts.get(what, 0) + count
        for what in checked.sealed:
            sealed[what] = sealed.get(what, 0) + 1
        _progress(number, len(entries), quiet)
    assert last is not None
    files = len(entries)
    if not quiet:
        _say_result(game, entries, last, counts, sealed)
    return {
        "game": game.name,
        "files": files,
        "from_turn": entries[0].turn,
        "to_turn": entries[-1].turn,
        "digest": last.file.digest,
        "checked": counts,
        "sealed": sealed,
    }


def _progress(number: int, files: int, quiet: bool) -> None:
    """Show on a terminal how far it is."""
    if not quiet and files > _STEP and sys.stderr.isatty() and (number % _STEP == 0 or number == files):
        end = "\n" if number == files else ""
        print(f"\r{number} of {files} files", end=end, file=sys.stderr, flush=True)


def _say_result(
    game: _Game,
    entries: Sequence[Entry],
    last: Checked,
    counts: dict[str, int],
    sealed: dict[str, int],
) -> None:
    first = entries[0]
    span = first.file if len(entries) == 1 else f"{first.file} to {entries[-1].file}"
    say(f"{game.name}: {len(entries)} game {'file' if len(entries) == 1 else 'files'} in order, {span}")
    words = ", ".join(
        f"{count} {what if count > 1 else what.removesuffix('s')}" for what, count in counts.items() if count
    )
    say(f"checked: {words}")
    if last.file.game.secret is None:
        sealed = {**sealed, "the secret of the game": 1}
    if sealed:
        times = ", ".join(what if count == 1 else f"{what} ({count}x)" for what, count in sorted(sealed.items()))
        say(f"still sealed, to be checked when the secret is revealed: {times}")
    else:
        say("nothing is sealed any more: everything was checked")
    say(f"fingerprint {fingerprint(last.file.digest)}")


def _game_files(paths: Iterable[Path]) -> Iterator[GameHead]:
    """Yield the head of every game file; a file named outright must be one, and no damaged one is passed over."""
    for path in paths:
        if str(path) == "-":
            raise UnreadableDocument(Problem("no-stream", "verify reads files, not a stream"))
        if not path.is_dir():
            yield game_head(path) or head_by_reading(path)
            continue
        for inner in toml_files(path):
            head = game_head(inner)
            if head is not None:
                yield head
            elif is_another_game_file(inner):
                yield head_by_reading(inner)


def _games(files: Iterable[GameHead]) -> dict[_Game, list[Entry]]:
    """Group game files by game, each group in the order of its turns."""
    games: dict[_Game, list[Entry]] = {}
    for head in files:
        games.setdefault(_Game(head.game, head.nonce), []).append(Entry(str(head.path), head.turn))
    return {game: sorted(games[game], key=lambda entry: (entry.turn, entry.file)) for game in sorted(games)}


def _load(file: str) -> bytes:
    return read_bytes(Path(file))


def _once(entries: Sequence[Entry]) -> list[Entry]:
    """Leave copies of the same file out."""
    return list({entry.turn: entry for entry in reversed(entries)}.values())[::-1]


COMMANDS = {"verify": verify}
