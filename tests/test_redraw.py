"""A mission against the own colour is drawn again (Q-07, `redraw`): what is public of it, and when it is checked."""

from collections.abc import Callable, Iterator, Mapping

import pytest
from support.planner import plan, set_up
from support.table import DEFAULT, Table

from referee.documents.boxes import last_secret
from referee.documents.gamefile import GameFile
from referee.documents.knowledge import HostKnowledge
from referee.documents.record import entry_of, head_of, replayed
from referee.documents.replay import Revealed
from referee.documents.start import start
from referee.documents.verify import Entry, verify_first, verify_next, verify_row
from referee.errors import ReplayDiffers
from referee.game.events import MissionsDealt
from referee.game.orders import PlayerId
from referee.game.setup import drawn_again
from referee.game.state import SET_UP, State

REDRAW = {"own_colour_mission": "redraw"}
SEALED = "who drew a mission again"


def tables(edition: str = "no") -> Iterator[Table]:
    """Yield games of three with many seeds."""
    for seed in range(1, 60):
        yield Table(edition, "mission", 3, seed, DEFAULT, REDRAW)


def dealt(file: GameFile) -> MissionsDealt:
    return next(event for event in file.game.events if isinstance(event, MissionsDealt))


def started(table: Table) -> GameFile:
    """Return the first game file of a table with its events."""
    return verify_first(table.file.text.encode(), table.file.file).file


@pytest.fixture(scope="module")
def table() -> Table:
    """A game in which somebody drew a mission again."""
    return next(one for one in tables() if drawn_again(dealt(started(one))))


def forward(table: Table) -> GameFile:
    """Play one game file on."""
    state = table.file.game.state
    documents = []
    for player in state.acting:
        hand = table.hand(player)
        in_set_up = state.phase in SET_UP
        body = set_up(state, player, 1) if in_set_up else plan(state, player, tuple(hand.cards.values()), hand.mission)
        documents.append(table.orders(player, body))
    return table.play(documents)


def test_nobody_holds_the_mission_against_his_own_colour() -> None:
    again = 0
    for one in tables():
        for player, seat in one.file.game.state.players.items():
            mission = one.board.missions[one.hand(player).mission]  # type: ignore[index]
            assert mission.colour != seat.colour
        again += len(drawn_again(dealt(started(one))))
    assert again > 5


def test_the_event_shows_the_positions_that_are_held_and_nothing_of_what_they_hide(table: Table) -> None:
    event = dealt(started(table))
    again = drawn_again(event)
    for place, (player, name) in enumerate(event.dealt):
        assert name == (f"missions/1/{3 + again.index(player)}" if player in again else f"missions/1/{place}")
    assert event.pack == tuple(sorted(event.pack))


def test_who_drew_again_is_taken_from_the_file_until_the_secret_is_known(table: Table) -> None:
    checked = verify_first(table.file.text.encode(), table.file.file)
    assert SEALED in checked.sealed
    assert checked.file.digest == table.file.digest


def test_a_record_has_who_drew_again(table: Table) -> None:
    first = started(table)
    text = head_of(first.game, None) + entry_of(first, None, None)
    assert "drawn_again" in text
    assert [checked.file.text for checked in replayed(text.encode(), "fjord.toml")] == [first.text]


def test_missions_dealt_after_placing_are_drawn_again_too() -> None:
    for one in tables("de"):
        before = one.file
        while not one.file.game.state.missions:
            before, made = one.file, forward(one)
        if drawn_again(dealt(made)):
            checked = verify_next(before, made.text.encode(), made.file)
            assert SEALED in checked.sealed
            return
    pytest.fail("nobody has drawn a mission again")


def test_a_whole_game_is_checked_when_the_secret_is_known() -> None:
    one = next(one for one in tables() if drawn_again(dealt(started(one))))
    files = {one.file.file: one.file.text.encode()}
    while one.file.game.state.phase != "over":
        made = forward(one)
        files[made.file] = made.text.encode()
    entries = [Entry(name, number) for number, name in enumerate(files, start=1)]
    assert all(checked.sealed == () for checked in verify_row(entries, files.__getitem__))


LIES: Mapping[str, Callable[[HostKnowledge, State], tuple[PlayerId, ...]]] = {
    "nobody drew again": lambda _, state: (),
    "everybody drew again": lambda _, state: tuple(state.players),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_host_who_says_otherwise_is_found_out_in_the_end(
    lie: str, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(HostKnowledge, "own_colours", LIES[lie])
        made = start(table.invitation, table.joins, table.host_key, table.board)
    data = made.text.encode()
    assert SEALED in verify_first(data, made.file).sealed
    revealed = Revealed(last_secret(table.host_key, made.game), "fjord-0099.toml")
    with pytest.raises(ReplayDiffers, match=r"missions\.held"):
        verify_first(data, made.file, revealed)
