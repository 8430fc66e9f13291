"""Files signed by the right key whose events are not what happened: every kind of event, altered one at a time.

Once the event alone is altered, and once with all that would follow from it in the state, so that the file agrees with
itself. Who replays the turn finds either.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.codes import bare
from support.planner import plan, set_up
from support.recipes import base
from support.table import HOST, Table, key_of
from test_gone import begun

from referee.documents.eventtables import KINDS
from referee.documents.gamefile import Game, GameFile, tree_of, written
from referee.documents.gamereader import events_of
from referee.documents.keys import Key, load_key
from referee.documents.record import replayed
from referee.documents.resolve import resolve
from referee.documents.signing import read
from referee.documents.verify import Entry, verify_first, verify_next, verify_row
from referee.errors import RefereeError
from referee.game.events import Event
from referee.game.orders import PlayerId
from referee.game.rules import Settings
from referee.game.state import apply

HERE = Path(__file__).parent
NEVER = {"card_missing": "no hands are so large that pile and discards are empty"}
"""Kinds of events that no file can hold, and why; rule cases have them."""


class Made(NamedTuple):
    """A game file with its events, the one before it, and who signed it."""

    before: GameFile | None
    file: GameFile
    by: str
    key: Key


def of_a_record(folder: str, name: str) -> Iterator[Made]:
    """Yield the files of a kept game, whose keys lie beside it."""
    there = HERE / "kept" / "1" / folder
    before = None
    for checked in replayed((there / name).read_bytes(), name):
        by = checked.by
        yield Made(before, checked.file, by, load_key((there / f"{by}.key").read_bytes()))
        before = checked.file


def of_fjord() -> Iterator[Made]:
    """Yield the last files of the golden game, with a mission fulfilled and a player eliminated."""
    folder = HERE / "games" / "fjord"
    names = [f"fjord-{turn:04}.toml" for turn in (37, 38, 39)]
    row = verify_row([Entry(name, int(name[6:10])) for name in names], lambda name: (folder / name).read_bytes())
    files = [checked.file for checked in row]
    key = load_key((folder / "runa.key").read_bytes())
    yield from (Made(before, file, "runa", key) for before, file in pairwise(files))


def of_a_position(name: str) -> Iterator[Made]:
    """Yield a file of the catalogue of documents."""
    good = base(name)
    document = read(good.file.text.encode(), name, 1 << 24)
    game = good.file.game._replace(events=events_of(document.tree, document))
    yield Made(good.before, good.file._replace(game=game), HOST, key_of(HOST))


def of_a_long_game() -> Iterator[Made]:
    """Yield the files of a game that goes on until somebody is eliminated and a windfall is not used."""
    table = Table("de", "world", 3, 2)
    for _ in range(20):
        yield from _played(table, [])


def of_a_short_game() -> Iterator[Made]:
    """Yield files of a game with an attack that costs a penalty and a seat that is removed."""
    table = Table("de", "world", 3, 1, Settings(missed="default", missed_limit=1))
    yield from _played(table, [])
    yield from _played(table, [{"to": "siam"}])
    before, awaited = table.file, table.file.game.state.acting
    made = resolve(before, [], key_of(HOST), awaited)
    yield Made(before, made, HOST, key_of(HOST))


def of_a_game_without_its_host() -> Iterator[Made]:
    """Yield the file in which a host is gone and all is laid open."""
    table = begun(turns=4)[-1]
    before = table.file
    made = table.resolved(table.gone())
    by = made.game.evidence.reveals[0][0]
    yield Made(before, made, by, key_of(by))


def _played(table: Table, attacks: Sequence[Mapping[str, Any]]) -> Iterator[Made]:
    before, state = table.file, table.file.game.state
    bodies: dict[PlayerId, dict[str, Any]] = {}
    for player in state.acting:
        if state.phase != "turn":
            bodies[player] = set_up(state, player, 2)
        else:
            bodies[player] = plan(state, player, tuple(table.hand(player).cards.values()), seed=2)
            bodies[player]["attack"] = [*attacks, *bodies[player].get("attack", [])]
    made = table.resolved([table.orders(player, body) for player, body in bodies.items()])
    table.play([table.orders(player, body) for player, body in bodies.items()])
    yield Made(before, made, HOST, key_of(HOST))


@cache
def found() -> Mapping[str, Made]:
    """Return for each kind of event the first file that has one."""
    first: dict[str, Made] = {}
    kinds = {kind: name for name, kind in KINDS.items()}
    sources = (
        of_a_record("hosted", "vinter-record.toml"),
        of_a_record("table", "skog-record.toml"),
        *map(of_a_position, ("battle", "chosen", "fallen")),
        of_fjord(),
        of_a_game_without_its_host(),
        of_a_short_game(),
        of_a_long_game(),
    )
    for source in sources:
        for made in source:
            for event in made.file.game.events:
                first.setdefault(kinds[type(event)], made)
        if len(first) == len(KINDS) - len(NEVER):
            break
    return first


def test_there_is_a_file_with_every_kind_of_event() -> None:
    assert set(found()) == set(KINDS) - set(NEVER)


# --- altering --------------------------------------------------------------------------------------


def others(value: Any, game: Game) -> Iterator[Any]:
    """Yield values that might stand in place of another."""
    players, board = list(game.people), game.state.board
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case str() if value in game.people:
            yield from (player for player in players if player != value)
        case str() if value in board.territories:
            yield next(territory for territory in board.territories if territory != value)
        case str():
            yield value + "x" if value else "x"
        case tuple() if value and type(value) is tuple:
            yield value[1:]
            yield (*value, value[-1])
            if len(value) > 1 and value[0] != value[1]:
                yield (value[1], value[0], *value[2:])
            yield from ((other, *value[1:]) for other in others(value[0], game))
        case tuple() if type(value) is tuple:
            yield (players[0],)


def altered(event: Event, game: Game) -> Iterator[Event]:
    """Yield an event with one of its facts altered, each in all ways."""
    for field in type(event)._fields:
        for other in others(getattr(event, field), game):
            yield event._replace(**{field: other})


def rows(made: Made, kind: str) -> Iterator[tuple[Event, ...]]:
    """Yield the events of a file with the first of a kind altered, left out, doubled, or put elsewhere."""
    events = made.file.game.events
    place = next(number for number, event in enumerate(events) if type(event) is KINDS[kind])
    head, event, tail = events[:place], events[place], events[place + 1 :]
    for other in altered(event, made.file.game):
        yield (*head, other, *tail)
    yield (*head, *tail)
    yield (*head, event, event, *tail)
    if tail and tail[0] != event:
        yield (*head, tail[0], event, *tail[1:])


def forgeries(made: Made, events: tuple[Event, ...]) -> Iterator[Game]:
    """Yield the game with other events, and if they can be folded with the state that they lead to."""
    game = made.file.game
    yield game._replace(events=events)
    if made.before is None:
        return
    state = made.before.game.state
    try:
        for event in events:
            state = apply(state, event)
    except (AssertionError, KeyError, ValueError, IndexError, StopIteration, AttributeError, TypeError):
        return
    folded = game._replace(events=events, state=state)
    if state != game.state and _can_be_written(folded):
        yield folded


def _can_be_written(game: Game) -> bool:
    """Say whether there is a file for it: a capital may be hidden again that nobody has sealed."""
    try:
        tree_of(game)
    except KeyError:
        return False
    return True


def refused(made: Made, game: Game) -> set[str]:
    """Return the codes with which a game is refused that is signed with the right key; nothing if it passes."""
    file = written(game, made.key, made.by)
    try:
        if made.before is None:
            verify_first(file.text.encode(), file.file)
        else:
            verify_next(made.before, file.text.encode(), file.file)
    except RefereeError as error:
        return {bare(problem.code) for problem in error.problems}
    return set()


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(NEVER)))
def test_a_file_with_one_event_altered_is_found(kind: str) -> None:
    made = found()[kind]
    assert not refused(made, made.file.game), "the honest file passes"
    number = 0
    for events in rows(made, kind):
        for game in forgeries(made, events):
            codes = refused(made, game)
            assert codes, events
            assert not codes & {"other-signer", "bad-signature"}, "it is signed as it should be"
            number += 1
    assert number >= 3
