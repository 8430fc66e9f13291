"""Handing a hosted game over to another host: from when on, with what, and that everybody can check it (DESIGN 3)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from support.planner import plan, set_up
from support.positions import position, table_at
from support.table import DEFAULT, HOST, Table, key_of
from test_absence import code
from test_substitutes import missions, played, refused

from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import kept_by
from referee.documents.checking import look
from referee.documents.gamefile import Former, GameFile, open_game
from referee.documents.record import entry_of, head_of, replayed
from referee.documents.reveals import needs_reveals_of
from referee.documents.signing import Document
from referee.documents.verify import Entry, revealed_by, verify_row
from referee.errors import IllegalOrders, RefereeError
from referee.game import events as e
from referee.game.state import SET_UP
from referee.views.report import report


def turn_of(table: Table) -> Document:
    """Return orders of the one who has the turn."""
    player = table.file.game.state.acting[0]
    hand = tuple(table.hand(player).cards.values())
    return table.orders(player, plan(table.file.game.state, player, hand, table.hand(player).mission, 1))


def to_the_end(table: Table, handing: Mapping[int, str], turns: int = 8) -> list[GameFile]:
    """Play on, handing the game over in some turns, until all but one have resigned; return all game files."""
    kept = [table.file]
    for number in range(1, turns + 1):
        more = table.handing(handing[number]) if number in handing else []
        if table.file.game.state.phase != "over":
            kept.append(played(table, [turn_of(table), *more]))
    while table.file.game.state.phase != "over":
        kept.append(played(table, [table.resignation(p) for p in table.file.game.state.playing()[1:]]))
    return kept


def rows_of(kept: Sequence[GameFile]) -> tuple[list[Entry], Callable[[str], bytes]]:
    texts = {made.file: made.text.encode() for made in kept}
    return [Entry(made.file, made.game.turn) for made in kept], texts.__getitem__


def test_from_the_next_file_on_the_new_host_resolves() -> None:
    table = missions()
    before = table.file
    made = played(table, [turn_of(table), *table.handing("berit")])
    assert made.game.events[-1] == e.GameHandedOver(HOST, "berit")
    host = table.file.game.keeper
    assert (host.name, host.key, host.links, host.since) == ("berit", key_of("berit").public, 0, before.game.turn + 1)
    assert [(one.name, one.since, one.links) for one in host.former] == [(HOST, 1, 2)]
    assert host.secret_commitment == before.game.keeper.secret_commitment
    made = played(table, [turn_of(table)])
    assert [who for who, _ in made.game.evidence.reveals] == ["berit"]


def test_the_report_says_from_when_on() -> None:
    table = missions()
    before = table.file
    made = played(table, [turn_of(table), *table.handing("berit")])
    text = report(made, before, made.game.events, "en")
    assert f"runa hands the game over: from turn {made.game.turn} on the host is berit" in " ".join(text.split())
    text = report(made, before, made.game.events, "nb")
    assert f"runa gir spillet fra seg: fra og med tur {made.game.turn} er berit spilleder" in " ".join(text.split())


def test_with_witnesses_the_report_names_the_host_who_revealed() -> None:
    table = missions(DEFAULT._replace(witness=True))
    before = table.file
    orders = turn_of(table)
    witness = needs_reveals_of(before, ())[0]
    made = played(table, [orders, table.reveal(witness, [orders]), *table.handing("berit")])
    text = " ".join(report(made, before, made.game.events, "en").split())
    revealed = f"{witness.title()} revealed the next link of their own chain for this turn, beside the host {HOST}"
    assert revealed in text


def test_the_players_see_their_hands_in_the_file_that_the_old_host_made_and_afterwards() -> None:
    table = missions()
    seen = {player: table.hand(player).mission for player in table.names}
    for more in (table.handing("berit"), []):
        played(table, [turn_of(table), *more])
        assert {player: table.hand(player).mission for player in table.names} == seen


def test_a_substitute_takes_an_awaited_seat_in_the_first_turn_of_the_new_host() -> None:
    table = missions()
    played(table, [turn_of(table), *table.handing("berit")])
    player = table.file.game.state.acting[0]
    mission = table.hand(player).mission
    change = table.substitution(player, "sigrid")
    assert table.hand(player).mission == mission
    played(table, [*change, turn_of(table)])


def test_a_game_that_was_handed_over_three_times_is_checked_to_its_end() -> None:
    table = missions()
    kept = to_the_end(table, {2: "berit", 3: "carl", 5: "dag"})
    secret = table.file.game.secret
    assert secret is not None
    assert len(secret.handed_seal_keys) == 3
    checked = list(verify_row(*rows_of(kept)))
    assert len(checked) == len(kept)
    assert not [what for one in checked for what in one.sealed]


@pytest.mark.parametrize("last", [0, 1], ids=["whole", "unfinished"])
def test_a_record_gives_it_again_also_with_a_substitute(last: int) -> None:
    table = Table("no", "mission", 3, 1)
    state = table.file.game.state
    place = {p: {state.territories_of(p)[0]: state.players[p].to_place} for p in state.acting}
    kept = [table.file, played(table, [table.orders(p, {"deploy": place[p]}) for p in state.acting])]
    kept.append(played(table, [turn_of(table), *table.handing("berit")]))
    later = table.file.game.state.playing()
    player = next(one for one in later if one not in table.file.game.state.acting)
    kept.append(played(table, [turn_of(table), *table.substitution(player, "sigrid")]))
    kept += to_the_end(table, {1: "carl"}, 3)[1:]
    files = kept[: -last or None]
    entries, load = rows_of(files)
    revealed = revealed_by(entries[-1], load)
    assert (revealed is None) == bool(last)
    parts, before = [], None
    for checked in verify_row(entries, load):
        assert last or not checked.sealed
        parts.append(head_of(checked.file.game, revealed) if before is None else "")
        parts.append(entry_of(checked.file, before, revealed))
        before = checked.file
    again = replayed("".join(parts).encode(), "record.toml")
    assert [checked.file.text for checked in again] == [file.text for file in files]


def test_in_the_set_up_what_is_sealed_goes_to_the_new_host_from_the_next_file_on() -> None:
    settings = DEFAULT._replace(deployment_batch=5)
    table = Table("no", "mission", 3, 1, settings)
    for number in range(2):
        state = table.file.game.state
        orders = [table.orders(player, set_up(state, player, 1)) for player in state.acting]
        made = played(table, [*orders, *(table.handing("berit") if not number else [])])
    assert made.game.evidence.unsealed, "what was sealed to Berit is open"
    while table.file.game.state.phase in SET_UP:
        state = table.file.game.state
        made = played(table, [table.orders(player, set_up(state, player, 1)) for player in state.acting])
    played(table, [turn_of(table)])


def test_secret_capitals_are_handed_over_with_their_salts() -> None:
    table = Table("no", "capitals", 3, 2)
    while table.file.game.state.phase in SET_UP:
        state = table.file.game.state
        played(table, [table.orders(player, set_up(state, player, 2)) for player in state.acting])
    capitals = dict(table.file.game.capitals)
    assert capitals
    played(table, [turn_of(table), *table.handing("berit")])
    kept = kept_by(table.file.game, key_of("berit"))
    assert kept.capitals.keys() == capitals.keys()
    to_the_end(table, {2: "carl"}, 4)
    assert all(table.file.game.state.capitals.values())


def test_the_new_host_checks_what_is_sealed_to_him_before_it_is_too_late() -> None:
    table = missions()
    act, offer = table.handing("berit")
    assert not look(act, table.file, key_of("berit")).unchecked
    assert look(act, table.file).unchecked == ("handed",)
    assert look(offer, table.file).player == "berit"
    with pytest.raises(RefereeError) as caught:
        look(act, table.file, key_of("carl"))
    assert code(caught.value) == "wrong-handing"


def test_what_is_sealed_is_larger_where_many_have_sat_at_the_table() -> None:
    table = missions()
    for number in range(9):
        player = table.file.game.state.playing()[0]
        later = [p for p in table.file.game.state.playing() if p not in table.file.game.state.acting]
        played(table, [turn_of(table), *table.substitution(later[0], f"sub-{player}-{number}")])
    sizes = []
    for host in ("berit", "carl"):
        played(table, [turn_of(table), *table.handing(host)])
        sizes.append(len(decode(table.file.game.keeper.box)) - 48)
    assert sizes == [2048, 4096]
    played(table, [turn_of(table)])


def test_where_too_many_have_sat_at_the_table_it_is_not_handed_over() -> None:
    table = missions()
    game, player = table.file.game, table.file.game.state.playing()[0]
    one = game.people[player]
    sat = (Former(one.key, one.seal_key, one.chain, one.links),) * 120
    table.file = table.file._replace(game=game._replace(people={**game.people, player: one._replace(former=sat)}))
    with pytest.raises(IllegalOrders) as caught:
        table.handing("berit")
    assert code(caught.value) == "too-long"


def test_when_the_game_ends_with_it_the_old_host_stays() -> None:
    table = missions()
    handing = table.handing("berit")
    gone = [table.resignation(player) for player in table.file.game.state.playing()[1:]]
    made = played(table, [turn_of(table), *gone, *handing])
    assert made.game.state.phase == "over"
    assert made.game.keeper.name == HOST
    assert not [event for event in made.game.events if isinstance(event, e.GameHandedOver)]


def test_when_the_game_is_over_an_act_is_refused_by_whoever_looks_at_it_too() -> None:
    table = table_at(position("over"))
    for act in (table.deadline("2027-01-31T20:00:00Z"), table.offer("berit")):
        with pytest.raises(IllegalOrders) as caught:
            look(act, table.file)
        assert [(problem.code, problem.key) for problem in caught.value.problems] == [("game-over", "turn")]


def test_what_does_not_belong_together_is_refused() -> None:
    table = missions()
    act, offer = table.handing("berit")
    other, second = table.handing("carl")
    orders = turn_of(table)
    assert refused(table, [orders, act]) == "no-offer"
    assert refused(table, [orders, offer]) == "no-act"
    assert refused(table, [orders, act, second]) in ("no-offer", "no-act")
    assert refused(table, [orders, act, offer, other, second]) == "two-acts"
    later = next(p for p in table.file.game.state.playing() if p not in table.file.game.state.acting)
    assert refused(table, [orders, act, offer, *table.key_change(later, "new")]) == "seat-changes"
    assert refused(table, [orders, act, offer, *table.substitution(later, "sigrid")]) == "seat-changes"


def test_a_new_host_is_nobody_who_is_there_already() -> None:
    table = missions()
    player = table.file.game.state.playing()[0]
    for name, person, wanted in (
        (player, "berit", "plays"), (HOST, "berit", "same-host"), ("Berit", "berit", "not-an-id"),
        ("berit", player, "same-key"), ("berit", HOST, "same-key"), ("neutral", "berit", "not-an-id"),
    ):  # fmt: skip
        assert refused(table, [turn_of(table), table.offer(person, name)]) == wanted, (name, person)
    played(table, [turn_of(table), *table.handing("berit")])
    for name, person, wanted in ((HOST, "carl", "same-host"), ("carl", HOST, "same-key")):
        assert refused(table, [turn_of(table), table.offer(person, name)]) == wanted, (name, person)


def test_where_there_is_no_host_nothing_is_handed_over() -> None:
    table = Table("no", "world", 3, 1, hosted=False)
    assert refused(table, [table.offer("berit")]) == "no-host"


def test_the_game_file_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    table = missions()
    made = played(table, [turn_of(table), *table.handing("berit")])
    file = open_game(made.text.encode(), board_by_name, made.file)
    assert file.game.host == made.game.host
    assert encode(decode(file.game.keeper.box)) == file.game.keeper.box
