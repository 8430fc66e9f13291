"""`referee verify`: game files checked by replay, alone, in a row, or a whole folder."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import JsonOption, QuietOption, name_of, print_json, read_bytes, refuse_stream, say, say_wrapped
from referee.cli.folders import (
    GameHead,
    find_receipts,
    game_head,
    head_by_reading,
    is_another_game_file,
    is_record,
    toml_files,
)
from referee.cli.progress import progress
from referee.documents.canonical import fingerprint
from referee.documents.forks import Fork, find_forks
from referee.documents.gamefile import GameFile
from referee.documents.proof import Proof
from referee.documents.receipts import RECEIPT, Receipt, broken_by, is_about, read_receipt
from referee.documents.signing import read_each
from referee.documents.verify import Checked, Entry, verify_row
from referee.errors import BadSignature, Problem, UnreadableDocument, raise_all
from referee.game.records import NamedTuple
from referee.views.hosts import hosted_by, terms_of_office
from referee.views.language import Language, language_of
from referee.views.proof import statements, statements_shown, statements_tree
from referee.views.seats import seat_changes
from referee.views.watch import Watch


class Game(NamedTuple):
    """A game by its name and nonce."""

    name: str
    nonce: str


def verify(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Game files in any order, folders of them, or records.", show_default=False),
    ],
    lang: Annotated[str, typer.Option("--lang", help="What a finished game proves, in this language.")] = "en",
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Check signatures, links, reveals, commitments and every event by replay, and receipts that are at hand.

    Of a whole game that is over it says what was proved, to whom, and what remains a matter of trust.

    Example: referee verify fjord-0012.toml fjord-0013.toml

    Example: referee verify fjord/
    """
    records = [path for path in paths if is_record(path)]
    named = find_receipts(paths)
    documents = [one for path in named for one in read_each(read_bytes(path), name_of(path))]
    receipts = [read_receipt(one) for one in documents if one.format == RECEIPT]
    others = [path for path in paths if path not in records and path not in named]
    language = language_of(lang)
    results = [_verify_record(path, receipts, quiet or json, language) for path in records]
    if others or not records:
        for entries in game_entries(others, lambda found: _tell_forks(found, quiet, json)).values():
            results.append(_result(verify_row(entries, load), len(entries), receipts, quiet or json, language))
    if json:
        print_json(results)


def game_entries(
    paths: Sequence[Path], tell: Callable[[Sequence[Fork]], object] = lambda forks: None
) -> dict[Game, list[Entry]]:
    """Return the game files in some files and folders, by game and in the order of turns, copies left out.

    Raises UnreadableDocument if there are none, BadSignature if two files of one turn differ, after `tell` got them.
    """
    games = _games(_game_files(paths))
    if not games:
        names = ", ".join(map(str, paths))
        raise UnreadableDocument(Problem("no-game-files", f"no game file in {names}"))
    for entries in games.values():
        found = find_forks(entries, load)
        if found:
            tell(found)
            raise BadSignature(*(fork.as_problem() for fork in found))
    return {game: _once(entries) for game, entries in games.items()}


def _tell_forks(found: Sequence[Fork], quiet: bool, json: bool) -> None:
    """Say what two files of one turn prove, with both signatures."""
    if json:
        print_json({"forks": [fork.tree() for fork in found]})
    elif not quiet:
        from referee.views.forks import forks_shown

        say("\n".join(forks_shown(found)))


def _verify_record(path: Path, receipts: Sequence[Receipt], quiet: bool, language: Language) -> dict[str, object]:
    """Check a record by making every game file of it again."""
    from referee.documents.record import replayed

    return _result(replayed(read_bytes(path), name_of(path)), 0, receipts, quiet, language)


def _result(
    row: Iterable[Checked], files: int, receipts: Sequence[Receipt], quiet: bool, language: Language
) -> dict[str, object]:
    """Check a row of game files and say what was checked; `files` is how many there are, 0 if it is not known."""
    counts: dict[str, int] = {}
    sealed: dict[str, int] = {}
    seats: list[str] = []
    proof = Proof()
    first: GameFile | None = None
    last: GameFile | None = None
    watch = Watch()
    number = 0
    with progress(files, quiet) as show:
        for number, checked in enumerate(row, start=1):
            watch.count(last, checked.file)
            last = checked.file
            first = first or last
            proof.count(checked)
            seats += seat_changes(last.game)
            for what, count in checked.counts.items():
                counts[what] = counts.get(what, 0) + count
            for what in checked.sealed:
                sealed[what] = sealed.get(what, 0) + 1
            kept = _keep_to(receipts, last)
            if kept:
                counts["receipts"] = counts.get("receipts", 0) + kept
            show(number)
    assert first is not None
    assert last is not None
    if not quiet:
        _say_result(first, last, number, counts, sealed, proof.is_whole)
        if last.game.host is None:
            rolled = [f"{who} {times}" for who, times in proof.links.items()]
            now = "no host and no secrets" if last.game.gone is None else "no host any more"
            _say_part(f"{now}; links revealed by", rolled)
        line = watch.line(last.game)
        if hosts := [line] if line else hosted_by(last.game):
            _say_part("hosted by", hosts)
        if seats:
            _say_part("seats", seats)
        if not proof.is_whole:
            what = f"everything before {first.file}, whose own word is taken (name the earlier files, too)"
            _say_part("not checked", [what])
        say(f"fingerprint {fingerprint(last.digest)}")
    stated = statements(proof, counts.get("receipts", 0), language) if proof.is_complete() else []
    if stated and not quiet:
        say("\n".join(statements_shown(stated, language)))
    return {
        "game": last.game.name,
        "files": number,
        "from_turn": first.game.turn,
        "to_turn": last.game.turn,
        "digest": last.digest,
        "checked": counts,
        "sealed": sealed,
        "whole": proof.is_whole,
        "rolled": dict(proof.links),
        "seats": seats,
        "hosts": [list(term) for term in terms_of_office(last.game)],
        **watch.tree(last.game),
        **({"proof": {**proof.tree(), "statements": statements_tree(stated)}} if stated else {}),
    }


def _keep_to(receipts: Sequence[Receipt], file: GameFile) -> int:
    """Hold a game file against the receipts for it; return how many there are, BadSignature if one is broken."""
    about = [receipt for receipt in receipts if is_about(receipt, file.game)]
    broken = [broken_by(receipt, file) for receipt in about]
    raise_all(BadSignature, [problem for problem in broken if problem])
    return len(about)


def _say_result(
    first: GameFile, last: GameFile, files: int, counts: dict[str, int], sealed: dict[str, int], is_whole: bool
) -> None:
    span = first.file if files == 1 else f"{first.file} to {last.file}"
    say_wrapped(f"{last.game.name}: {files} game {'file' if files == 1 else 'files'} in order, {span}")
    parts = [f"{count} {what if count > 1 else what.removesuffix('s')}" for what, count in counts.items() if count]
    _say_part("checked", parts)
    if last.game.secret is None and not last.game.state.openly:
        sealed = {**sealed, "the secret of the game": 1}
    if sealed:
        named = sorted((_sealed_named(what), count) for what, count in sealed.items())
        times = [what if count == 1 else f"{what} ({count} files)" for what, count in named]
        gone = last.game.gone is not None
        _say_part("sealed for ever, as the host is gone" if gone else _STILL_SEALED, times)
    elif last.game.state.openly and not all(last.game.state.capitals.values()):
        hidden = [f'capital of "{player}"' for player, open in last.game.state.capitals.items() if not open]
        _say_part("never opened" if last.game.state.result else "not opened yet", hidden)
    else:
        what = "nothing is sealed any more" if not last.game.state.openly else "nothing is sealed"
        say(what + (": everything was checked" if is_whole else ""))


_STILL_SEALED = "still sealed, to be checked when the secret is revealed"


def _sealed_named(what: str) -> str:
    """Return for people what is sealed: what was asked of a mission is whether it was fulfilled."""
    if what.startswith("mission of "):
        return f"whether the {what} was fulfilled"
    return "what each player was shown" if what == "boxes" else what


def _say_part(head: str, parts: Sequence[str]) -> None:
    """Say what belongs together, over several lines where it is long."""
    say_wrapped(f"{head}: {', '.join(parts)}")


def _game_files(paths: Iterable[Path]) -> Iterator[GameHead]:
    """Yield the head of every game file; a file named outright must be one, and no damaged one is passed over."""
    for path in paths:
        refuse_stream(path, "verify")
        if not os.path.isdir(path):
            yield game_head(path) or head_by_reading(path)
            continue
        for inner in toml_files(path):
            head = game_head(inner)
            if head is not None:
                yield head
            elif is_another_game_file(inner):
                yield head_by_reading(inner)


def _games(files: Iterable[GameHead]) -> dict[Game, list[Entry]]:
    """Group game files by game, each group in the order of its turns."""
    games: dict[Game, list[Entry]] = {}
    for head in files:
        games.setdefault(Game(head.game, head.nonce), []).append(Entry(str(head.path), head.turn))
    return {game: sorted(games[game], key=lambda entry: (entry.turn, entry.file)) for game in sorted(games)}


def load(file: str) -> bytes:
    """Return the content of a game file."""
    return read_bytes(Path(file))


def _once(entries: Sequence[Entry]) -> list[Entry]:
    """Leave copies of the same file out."""
    return list({entry.turn: entry for entry in reversed(entries)}.values())[::-1]


COMMANDS = {"verify": verify}
