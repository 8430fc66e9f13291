"""A player goes on with another key: who may say so, from when on, and that everybody can check it (DESIGN 3 and 4)."""

import tomllib
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from support.planner import set_up
from support.table import DEFAULT, HOST, Table, key_of, signed
from test_absence import at_the_first_turn, attack_of, kinds, quiet_turn, who_is_next
from test_host_plays import MISSED, at_turn, papers
from test_substitutes import altered, missions, played, refused

from referee.documents.acting import key_act
from referee.documents.boards import board_by_name
from referee.documents.gamefile import Former, GameFile, open_game
from referee.documents.hand import open_hand
from referee.documents.invitation import read_join
from referee.documents.layout import table_text
from referee.documents.record import entry_of, head_of, replayed
from referee.documents.signing import Document, sign
from referee.documents.verify import Entry, revealed_by, verify_next, verify_row
from referee.errors import BadSignature, IllegalOrders, ReplayDiffers
from referee.game import events as e
from referee.game.rules import Settings
from referee.game.state import SET_UP


def at_a_table(players: int = 3) -> Table:
    """Return a table game at its first turn."""
    table = Table("no", "world" if players > 2 else "two", players, 3, Settings(missed="default"), hosted=False)
    while table.file.game.state.phase in SET_UP:
        state = table.file.game.state
        table.play([table.orders(player, set_up(state, player, 3)) for player in state.acting])
    return table


def changed(made: GameFile) -> list[e.KeyChanged]:
    return [event for event in made.game.events if isinstance(event, e.KeyChanged)]


@pytest.mark.parametrize("by", ["player", "host"])
@pytest.mark.parametrize("awaited", [True, False], ids=["awaited", "another"])
def test_a_key_changes_with_the_next_game_file_and_not_before(by: str, awaited: bool) -> None:
    table = missions()
    player, other = who_is_next(table)
    who = player if awaited else other
    before = table.file.game.people[who]
    change = table.key_change(who, "sigrid", by)
    made = played(table, [*change, quiet_turn(table, player), table.standing(other, {"defend": {"dice": 1}})])
    assert changed(made) == [e.KeyChanged(who, by)]  # type: ignore[arg-type]
    person = table.file.game.people[who]
    assert (person.key, person.seal_key, person.links) == (key_of("sigrid").public, key_of("sigrid").seal_public, 0)
    assert (person.title, person.language) == (before.title, before.language)
    assert person.former == (Former(before.key, before.seal_key, before.chain, before.links, by),)
    assert table.file.game.state.standing.keys() == {other}
    assert refused(table, [table.standing(who, {"defend": {"dice": 2}}, 2)]) == "void"
    table.plays_with(who, "sigrid")
    player, _ = who_is_next(table)
    played(table, [quiet_turn(table, player), table.standing(who, {"defend": {"dice": 2}}, 2)])


def test_until_then_the_new_key_signs_nothing() -> None:
    table = missions()
    player, _ = who_is_next(table)
    change = table.key_change(player, "sigrid")
    table.plays_with(player, "sigrid")
    assert refused(table, [*change, quiet_turn(table, player)]) == "other-key"


def test_what_was_signed_with_the_former_key_says_whose_it_is() -> None:
    table = missions()
    player, other = who_is_next(table)
    standing = table.standing(other, {"defend": {"dice": 1}})
    played(table, [*table.key_change(other, "sigrid"), quiet_turn(table, player)])
    with pytest.raises(BadSignature, match="signs with another key now"):
        table.resolved([standing])
    table.plays_with(other, "sigrid")
    played(table, [*table.substitution(other, "tor"), quiet_turn(table, other)])
    with pytest.raises(BadSignature, match="somebody else takes the seat"):
        table.resolved([standing])


def test_a_lost_key_of_the_awaited_seat_goes_with_a_missed_turn() -> None:
    table = at_the_first_turn(Settings(missed="wait"))
    player, _ = who_is_next(table)
    made = played(table, table.key_change(player, "sigrid", "host"), [player])
    assert kinds(made) == ["turn_missed", "key_changed"]
    table.plays_with(player, "sigrid")
    assert table.file.game.state.acting == (player,)
    assert table.file.game.state.players[player].missed == 1
    played(table, [quiet_turn(table, player)])


def test_the_hand_is_sealed_to_the_new_key() -> None:
    table = missions()
    player, other = who_is_next(table)
    mission = table.hand(other).mission
    played(table, [*table.key_change(other, "sigrid"), quiet_turn(table, player)])
    with pytest.raises(BadSignature):
        open_hand(table.file, key_of(other))
    table.plays_with(other, "sigrid")
    assert table.hand(other).mission == mission


@pytest.mark.parametrize("plays", ["kari", ""])
def test_the_key_that_commits_to_a_capital_opens_it_before_it_is_changed(plays: str) -> None:
    """Where nobody keeps secrets: what opens the commitment follows from the key."""
    table = Table("da", "hq", 3, 5, MISSED, hosted=bool(plays), plays=plays)
    while table.file.game.state.phase == "deploy":
        table.play([table.orders(p, dict(set_up(table.file.game.state, p, 3))) for p in table.file.game.state.acting])
    for opens in (False, True):
        state = table.file.game.state
        orders = [table.orders(player, dict(set_up(state, player, 3))) for player in state.acting]
        change = table.key_change("ola", "sigrid")
        if not opens:
            assert refused(table, [*orders, *change]) == "capitals-chosen"
        played(table, [*orders, *(change if opens else ())])
    table.plays_with("ola", "sigrid")
    assert table.file.game.state.phase == "turn"
    assert table.on_record("ola") == "sigrid"


def test_the_capital_is_told_to_the_new_key() -> None:
    table = Table("no", "capitals", 3, 1, DEFAULT)
    for key, value in (("deploy", 0), ("capital", 3)):
        state = table.file.game.state
        land = {p: state.territories_of(p)[value] for p in state.acting}
        says = {p: {land[p]: state.players[p].to_place} if key == "deploy" else land[p] for p in state.acting}
        table.play([table.orders(p, {key: says[p]}) for p in state.acting])
    player, other = who_is_next(table)
    assert table.hand(other).capital == ""
    played(table, [*table.key_change(other, "sigrid", "host"), quiet_turn(table, player)])
    table.plays_with(other, "sigrid")
    assert table.hand(other).capital == land[other]
    votes = [table.vote(p) for p in table.file.game.state.playing()]
    played(table, [quiet_turn(table, other), *votes])
    assert table.file.game.state.result is not None


def test_a_reveal_of_the_same_turn_is_of_the_former_chain() -> None:
    table = at_the_first_turn()
    player, other = who_is_next(table)
    played(table, [quiet_turn(table, player), table.standing(other, attack_of(table, other))])
    player, roller = who_is_next(table)
    made = played(table, [*table.key_change(roller, "sigrid"), table.reveal(roller)], [player])
    assert "battle_fought" in kinds(made)
    person = made.game.people[roller]
    assert (person.former[0].links, person.links) == (1, 0)
    assert person.former[0].chain == dict(made.game.evidence.reveals)[roller]


@pytest.mark.parametrize(("signer", "key"), [("ola", "ola"), ("runa", "kari"), ("kari", "sigrid"), ("kari", "runa")])
def test_nobody_else_says_so(signer: str, key: str) -> None:
    table = missions()
    player, _ = who_is_next(table)
    act, *rest = table.key_change("kari", "sigrid")
    forged = signed(act.tree, signer, "act.toml", key)
    assert refused(table, [forged, *rest, quiet_turn(table, player)]) in ("wrong-act", "other-key")


def test_keys_and_chains_that_have_been_seen_are_refused() -> None:
    table = missions()
    player, other = who_is_next(table)
    for person in (player, other, HOST):
        join = read_join(table.join_of(other, person), table.invitation, table.board)
        with pytest.raises(IllegalOrders, match="has the same key as"):
            key_act(table.file, join, key_of(other))
    both = [*table.key_change(player, "sigrid"), *table.key_change(other, "sigrid")]
    assert refused(table, [*both, quiet_turn(table, player)]) == "same-key"
    played(table, [*table.key_change(player, "sigrid"), quiet_turn(table, player)])
    table.plays_with(player, "sigrid")
    player, other = who_is_next(table)
    back = table.key_change(table.file.game.evidence.documents[0]["player"], "kari")
    assert refused(table, [*back, quiet_turn(table, player)]) in ("same-key", "other-key")


def test_a_seat_has_one_join_at_a_time() -> None:
    table = missions()
    player, other = who_is_next(table)
    orders = quiet_turn(table, player)
    change = table.key_change(other, "sigrid")
    second = table.key_change(other, "tor", "host")
    assert refused(table, [*change, *second, orders]) == "two-acts"
    substitution = table.substitution(other, "tor")
    assert refused(table, [*change, *substitution, orders]) == "two-acts"


def test_the_player_s_word_and_the_host_s_are_one_act() -> None:
    table = missions()
    player, other = who_is_next(table)
    change = [*table.key_change(other, "sigrid"), *table.key_change(other, "sigrid", "host")]
    orders = quiet_turn(table, player)
    one, two = table.resolved([*change, orders]), table.resolved([orders, *reversed(change)])
    assert one.text == two.text
    assert changed(played(table, [*change, orders])) == [e.KeyChanged(other, "player")]


def test_who_is_eliminated_or_gone_changes_no_key() -> None:
    table = at_the_first_turn()
    player, other = who_is_next(table)
    made = played(table, [*table.key_change(other, "sigrid"), quiet_turn(table, player), table.resignation(other)])
    assert kinds(made).index("key_changed") < kinds(made).index("player_resigned")
    table.plays_with(other, "sigrid")
    player, _ = who_is_next(table)
    assert refused(table, [*table.key_change(other, "tor"), quiet_turn(table, player)]) == "not-playing"


# --- at a table --------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["player", "table"])
def test_at_a_table_the_player_or_all_others_decide(by: str) -> None:
    table = at_a_table()
    player, roller = who_is_next(table)
    made = played(table, [*table.key_change(player, "sigrid", by), quiet_turn(table, player)])
    assert changed(made) == [e.KeyChanged(player, by)]  # type: ignore[arg-type]
    table.plays_with(player, "sigrid")
    played(table, [quiet_turn(table, roller)])


def test_who_rolls_now_rolls_with_the_former_key_and_signs_with_it() -> None:
    table = at_a_table()
    player, roller = who_is_next(table)
    made = played(table, [*table.key_change(roller, "sigrid"), quiet_turn(table, player)])
    person = made.game.people[roller]
    assert (person.links, person.former[0].links) == (0, 2)  # the first link went into the start
    assert f'key = "{key_of(roller).public}"' in made.text.rpartition("[signature]")[2]
    table.plays_with(roller, "sigrid")
    third = table.roller()
    played(table, [quiet_turn(table, roller)])
    assert third not in (roller, player)


def test_all_but_one_are_not_all_others_and_with_two_there_are_none() -> None:
    table = at_a_table()
    player, _ = who_is_next(table)
    acts = table.key_change(player, "sigrid", "table")
    assert refused(table, [*acts[1:], quiet_turn(table, player)]) == "signatures-missing"
    two = at_a_table(2)
    player, _ = who_is_next(two)
    assert refused(two, [*two.key_change(player, "sigrid", "table"), quiet_turn(two, player)]) == "too-few-decide"
    assert changed(played(two, [*two.key_change(player, "sigrid"), quiet_turn(two, player)]))


def test_the_opener_may_change_his_key_and_the_invitation_stays_good() -> None:
    table = at_a_table()
    opener = table.file.game.opener
    player, _ = who_is_next(table)
    played(table, [*table.key_change(opener, "sigrid"), quiet_turn(table, player)])
    table.plays_with(opener, "sigrid")
    player, _ = who_is_next(table)
    played(table, [*table.key_change(opener, "tor"), quiet_turn(table, player)])
    assert [one.changed_by for one in table.file.game.people[opener].former] == ["player", "player"]


# --- from the first file to the last -----------------------------------------------------------


def whole_game() -> list[GameFile]:
    """Play a game in which keys change and a seat changes hands, to its end in the file with the last change."""
    table = Table("no", "mission", 3, 5, DEFAULT)
    files = [table.file]

    def go_on(documents: Sequence[Document]) -> None:
        files.append(open_game(played(table, documents).text.encode(), board_by_name))

    state = table.file.game.state
    first = state.acting[0]
    place = {p: {state.territories_of(p)[0]: state.players[p].to_place} for p in state.acting}
    go_on([*table.key_change(first, "sigrid"), *(table.orders(p, {"deploy": place[p]}) for p in state.acting)])
    table.plays_with(first, "sigrid")
    player, other = who_is_next(table)
    go_on([*table.substitution(player, "tor"), *table.key_change(other, "ulla", "host"), quiet_turn(table, player)])
    table.plays_with(other, "ulla")
    player, other = who_is_next(table)
    go_on([*table.key_change(player, "vidar"), quiet_turn(table, player)])
    table.plays_with(player, "vidar")
    player, _ = who_is_next(table)
    votes = [table.vote(p) for p in table.file.game.state.playing()]
    go_on([*table.key_change(player, "ylva"), quiet_turn(table, player), *votes])
    assert files[-1].game.state.result is not None
    return files


def test_everything_is_checked_when_the_secret_is_revealed_and_a_record_holds_it() -> None:
    files = whole_game()
    secret = files[-1].game.secret
    assert secret is not None
    assert sum(len(person.former) for person in files[-1].game.people.values()) == 5
    by_name = {f"{file.game.turn}.toml": file.text.encode() for file in files}
    entries = [Entry(f"{file.game.turn}.toml", file.game.turn) for file in files]
    checked = list(verify_row(entries, by_name.__getitem__))
    assert not any(one.sealed for one in checked)
    revealed = revealed_by(entries[-1], by_name.__getitem__)
    before = [None, *files[:-1]]
    for known, number in ((None, len(files) - 1), (revealed, len(files))):
        rows = [entry_of(file, last, known) for file, last in zip(files[:number], before, strict=False)]
        text = head_of(files[-1].game, known) + "".join(rows)
        made = list(replayed(text.encode(), "record.toml"))
        assert [one.file.text for one in made] == [file.text for file in files[:number]]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (lambda former: former.update(changed_by="ola"), "changed_by"),
        (lambda former: former.update(changed_by=""), "changed_by"),
        (lambda former: former.update(changed_by=1), "changed_by"),
        (lambda former: former.update(changed="host"), "changed"),
    ],
)
def test_who_has_changed_a_key_is_one_of_three(change: Callable[[dict[str, Any]], object], key: str) -> None:
    table = missions()
    player, other = who_is_next(table)
    played(table, [*table.key_change(other, "sigrid"), quiet_turn(table, player)])
    assert altered(table.file, lambda tree: None) == []
    path = f"players.{other}.former[1]"
    assert altered(table.file, lambda tree: change(tree["players"][other]["former"][0])) == [f"{path}.{key}"]


@pytest.mark.parametrize("path", [("events", -3, "by"), ("players", "former", "changed_by")], ids=["event", "seat"])
def test_a_host_who_says_that_the_player_has_decided_is_found_out(path: tuple[str, Any, str]) -> None:
    table = missions()
    player, other = who_is_next(table)
    before = table.file
    made = played(table, [*table.key_change(other, "sigrid", "host"), quiet_turn(table, player)])
    tree = tomllib.loads(made.text)
    place = tree["events"][path[1]] if path[0] == "events" else tree["players"][other]["former"][0]
    assert place[path[2]] == "host"
    place[path[2]] = "player"
    del tree["signature"]
    text = table_text({**tree, "signature": sign(tree, key_of(HOST), HOST)})
    with pytest.raises(ReplayDiffers):
        verify_next(before, text.encode(), made.file)


# --- with other hosts, with hosts who play, with witnesses -----------------------------------------


def test_keys_change_before_and_after_a_game_is_handed_over() -> None:
    table = missions()
    files = [table.file]
    for number in range(6):
        player, other = who_is_next(table)
        change = {
            0: lambda p=player: table.key_change(p, "sigrid"),
            1: lambda: table.handing("berit"),
            2: lambda o=other: table.key_change(o, "tor"),
            3: lambda: table.handing("carl"),
            4: lambda p=player: table.key_change(p, "ulla"),
            5: lambda: [table.vote(p) for p in table.file.game.state.playing()],
        }[number]()
        taken = {0: (player, "sigrid"), 2: (other, "tor"), 4: (player, "ulla")}.get(number)
        files.append(played(table, [quiet_turn(table, player), *change]))
        if taken is not None:
            table.plays_with(*taken)
    assert files[-1].game.secret is not None
    by_name = {one.file: one.text.encode() for one in files}
    entries = [Entry(one.file, one.game.turn) for one in files]
    checked = list(verify_row(entries, by_name.__getitem__))
    assert not any(one.sealed for one in checked)


def test_a_witness_and_a_host_who_plays_change_their_keys() -> None:
    witnessed = at_turn("ola", MISSED._replace(witness=True), "")
    playing = at_turn("ola")
    for table, who in ((witnessed, witnessed.names[2]), (playing, "kari"), (playing, "ola")):
        made = played(table, [*papers(table), *table.key_change(who, "sigrid" if who != "ola" else "tor")])
        assert [one.player for one in changed(made)] == [who]
        table.plays_with(who, "sigrid" if who != "ola" else "tor")
        for _ in range(4):
            played(table, papers(table))
