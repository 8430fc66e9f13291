"""A host who plays, witnesses, and the careful start of a hosted game: who reveals when, and what is refused."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.attacking import made_by, pem
from support.codes import bare
from support.planner import plan, set_up
from support.table import HOST, NAMES, Table, key_of, signed
from support.transcripts import referee

from referee.documents.acting import missed_act, passed_over_act
from referee.documents.acts import take_acts
from referee.documents.canonical import digest_of
from referee.documents.gamefile import Former, FormerHost, GameFile, Host, Person
from referee.documents.hand import open_hand
from referee.documents.invitation import check_joins, read_join
from referee.documents.layout import table_text
from referee.documents.modes import Mode, lies_open, mode_of
from referee.documents.proof import Proof
from referee.documents.record import entry_of, head_of, replayed
from referee.documents.reveals import needs_reveals_of
from referee.documents.signing import Document, read
from referee.documents.start import join_tree, start
from referee.documents.verify import Checked, verify_first, verify_next
from referee.documents.witnesses import is_watched
from referee.errors import IllegalOrders, RefereeError
from referee.game import events as e
from referee.game.absence import who_must_miss
from referee.game.orders import PlayerId
from referee.game.rules import Settings
from referee.game.state import SET_UP
from referee.views.invitation import invitation_shown
from referee.views.language import language_of
from referee.views.report import report
from referee.views.show import shown
from referee.views.status import standing_of, status_lines
from referee.views.voice import voice_of

MISSED = Settings(missed="default")
WITNESS = MISSED._replace(witness=True)


def body(table: Table, player: str) -> dict:
    state = table.file.game.state
    if state.phase in SET_UP:
        return dict(set_up(state, player, 3))
    hand = table.hand(player)
    return dict(plan(state, player, tuple(hand.cards.values()), hand.mission, 3))


def papers(table: Table) -> list[Document]:
    """Return the orders of all who are awaited, and the reveals that they need."""
    state = table.file.game.state
    orders = [
        table.orders(player, body(table, player)) for player in state.acting if player not in who_must_miss(state)
    ]
    return [*orders, *(table.reveal(player, orders) for player in needs_reveals_of(table.file, who_must_miss(state)))]


def play_on(table: Table, until: str = "") -> Table:
    """Play until a player has the turn, or just through the set-up; each file is verified."""
    while table.file.game.state.phase in SET_UP or (until and table.file.game.state.acting != (until,)):
        before = table.file
        made = table.play(papers(table))
        verify_next(before, made.text.encode(), made.file)
    return table


def at_turn(until: str, settings: Settings = MISSED, plays: str = "kari", players: int = 3) -> Table:
    return play_on(Table("sv", "standard", players, 5, settings, plays=plays), until)


def revealed(made: GameFile) -> list[str]:
    return [who for who, _ in made.game.evidence.reveals]


def refused(table: Table, documents: Sequence[Document], missed: Sequence[str] = ()) -> set[str]:
    try:
        table.resolved(documents, missed)
    except RefereeError as error:
        return {bare(problem.code) for problem in error.problems}
    return set()


def passed_over(table: Table, player: str, orders: Sequence[Document]) -> Document:
    digests = [digest_of(one.tree) for one in orders]
    tree = passed_over_act(table.file, PlayerId(player), digests, table.host_key)
    return read(table_text(tree).encode(), f"act-{player}.toml")


def after(table: Table, player: str) -> str:
    return table.file.game.state.after(PlayerId(player))


# --- the modes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hosted", "plays", "trusted", "mode", "openly"),
    [
        (True, False, False, "hosted", False),
        (True, True, False, "plays", True),
        (True, True, True, "trusted", False),
        (False, False, False, "table", True),
    ],
)
def test_a_mode_says_whether_anybody_keeps_secrets(
    hosted: bool, plays: bool, trusted: bool, mode: Mode, openly: bool
) -> None:
    assert mode_of(hosted, plays, trusted) == mode
    assert lies_open(mode) == openly


def test_where_the_host_plays_nothing_is_hidden() -> None:
    table = at_turn("kari")
    game = table.file.game
    assert game.state.openly
    assert not game.sealed
    assert not game.deck
    assert "[sealed]" not in table.file.text
    assert 'plays = "kari"' in table.file.text
    assert game.keeper.secret_commitment, "the commitment of the invitation stays, unused"
    for player in NAMES[:3]:
        assert set(open_hand(table.file, key_of(player)).cards) == set(game.state.hands[PlayerId(player)])


def test_a_trusted_host_deals_in_secret_and_every_report_says_so() -> None:
    table = Table("no", "mission", 3, 5, MISSED._replace(trusted_host=True), plays="kari")
    notice = {"en": "  the host runa plays as Kari, and knows all cards and missions"}
    notice["nb"] = "  spillederen runa spiller som Kari og kjenner alle kort og oppdrag"
    for code, line in notice.items():
        assert report(table.file, None, table.file.game.events, code).split("\n")[2] == line
    play_on(table, "kari")
    assert not table.file.game.state.openly
    assert table.file.game.sealed
    before = table.file
    made = table.play(papers(table))
    assert revealed(made) == [after(Table.at(table, before), "kari"), HOST]
    for code, line in notice.items():
        assert report(made, before, made.game.events, code).split("\n")[2] == line
    assert "boxes" in verify_next(before, made.text.encode(), made.file).sealed


@pytest.mark.parametrize(
    ("mode", "opens"),
    [({"plays": "kari"}, True), ({"hosted": False}, True), ({}, False), ({"plays": "kari", "trusted": True}, False)],
)
def test_an_invitation_says_whether_hands_lie_open(mode: dict[str, Any], opens: bool) -> None:
    said = {"en": "  nobody keeps secrets: all hands lie open"}
    said["nb"] = "  ingen holder noe hemmelig: alle kort på hånden ligger åpent"
    settings = MISSED._replace(trusted_host=mode.get("trusted", False))
    kept = {key: value for key, value in mode.items() if key != "trusted"}
    table = Table("no", "world", 3, 5, settings, **kept)
    for code, line in said.items():
        assert (line in invitation_shown(table.invitation, language_of(code, plain=False))) == opens


# --- the start -----------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [MISSED._replace(start="careful"), WITNESS._replace(start="careful")])
def test_a_careful_start_of_a_hosted_game_takes_the_links_of_all_and_of_the_host(settings: Settings) -> None:
    table = Table("no", "mission", 3, 5, settings)
    assert revealed(table.file._replace(game=table.file.game)) == sorted([HOST, *NAMES[:3]])
    assert {one.links for one in table.file.game.people.values()} == {1}
    assert table.file.game.keeper.links == 1
    checked = verify_first(table.file.text.encode(), table.file.file)
    assert checked.counts["reveals"] == 4
    assert "boxes" in checked.sealed, "its secrets are the host's as in any hosted game"


def test_a_careful_start_needs_the_reveal_of_everybody() -> None:
    table = Table("no", "mission", 3, 5, MISSED._replace(start="careful"))
    for leave_out in table.papers[1:]:
        kept = [one for one in table.papers if one is not leave_out]
        with pytest.raises(RefereeError, match=r"the reveals of .* are needed"):
            start(table.invitation, table.joins, table.host_key, table.board, kept)
    with pytest.raises(RefereeError, match="0 rosters are here"):
        start(table.invitation, table.joins, table.host_key, table.board)


def test_a_host_who_plays_must_be_at_the_table() -> None:
    table = Table("sv", "standard", 3, 5, MISSED, plays="kari")
    others = [join for join in table.joins if join.player != "kari"]
    with pytest.raises(IllegalOrders) as caught:
        check_joins(table.invitation, others)
    assert [problem.code for problem in caught.value.problems] == ["host-missing"]


def test_only_the_host_joins_with_his_own_key() -> None:
    table = Table("sv", "standard", 3, 5, MISSED, plays="kari")

    def joined(player: str, key: str, salt: bytes = bytes(range(16))) -> list:
        tree = join_tree(table.invitation, player, key_of(key), salt)
        own = read_join(signed(tree, player, person=key), table.invitation, table.board)
        return [own, *(join for join in table.joins if join.player != player)]

    check_joins(table.invitation, joined("kari", HOST))
    with pytest.raises(IllegalOrders, match="has the host's key, who plays as kari"):
        check_joins(table.invitation, joined("ola", HOST))
    with pytest.raises(IllegalOrders, match="has the same key"):
        check_joins(table.invitation, joined("ola", "kari"))
    with pytest.raises(IllegalOrders, match="has the same chain as the host"):
        check_joins(table.invitation, joined("kari", HOST, bytes(16)))  # HMAC fills a key up with such bytes


def test_the_first_turn_after_placing_follows_from_the_start_if_the_host_plays() -> None:
    """Nobody is neutral there: no link is spent before the first turn."""
    for settings in (MISSED, WITNESS):
        table = play_on(Table("sv", "standard", 3, 5, settings, plays="kari"))
        assert {one.links for one in table.file.game.people.values()} == {1}
        assert table.file.game.keeper.links == 1
    quick = play_on(Table("sv", "standard", 3, 5, MISSED))
    assert quick.file.game.keeper.links == 2
    assert {one.links for one in quick.file.game.people.values()} == {0}


def test_witnesses_all_reveal_for_the_first_turn() -> None:
    table = Table("sv", "standard", 3, 5, WITNESS)
    while table.file.game.state.phase == "claim":
        table.play(papers(table))
    assert needs_reveals_of(table.file, ()) == table.file.game.state.playing()
    made = table.resolved(papers(table))
    assert revealed(made) == sorted([HOST, *NAMES[:3]])
    orders = [one for one in papers(table) if one.format == "referee/orders/1"]
    assert refused(table, orders) == {"reveal-missing"}
    left = [name for name in NAMES[:3] if name != "ola"]
    documents = [*orders, *(table.reveal(name, orders) for name in left), passed_over(table, "ola", orders)]
    over = table.resolved(documents)
    assert revealed(over) == sorted([HOST, *left])
    assert e.RollPassedOver("ola", True) in over.game.events
    sent = [one for one in orders if one.tree["player"] != "ola"]
    both = [*sent, *(table.reveal(name, sent) for name in left)]
    assert refused(table, both, ["ola"]) == set()
    assert refused(table, [*both, passed_over(table, "ola", sent)], ["ola"]) == {"not-the-roller"}
    verify_next(table.file, over.text.encode(), over.file)
    assert "Ola has not revealed" in report(over, table.file, over.game.events)


# --- turns ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES[:3])
def test_in_the_hosts_own_turn_the_next_player_reveals_and_else_nobody(name: str) -> None:
    table = at_turn(name)
    expected = [after(table, "kari"), HOST] if name == "kari" else [HOST]
    made = table.resolved(papers(table))
    assert revealed(made) == expected
    said = " ".join(report(made, table.file, made.game.events).split())
    beside = f"{expected[0].title()} revealed the next link of their own chain for this turn, beside the host runa"
    assert (beside if name == "kari" else f"for {name.title()} the host runa rolled alone") in said


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_witness_is_the_next_player_who_is_not_the_host(name: str) -> None:
    table = at_turn(name, WITNESS)
    ring = [one for one in (after(table, name), after(table, after(table, name))) if one != "kari"]
    assert revealed(table.resolved(papers(table))) == sorted([ring[0], HOST])
    table = at_turn(name, WITNESS, "")
    assert revealed(table.resolved(papers(table))) == sorted([after(table, name), HOST])


def test_a_host_and_one_other_have_no_witness_but_in_the_hosts_own_turns() -> None:
    table = at_turn("ola", WITNESS, players=2)
    assert not is_watched(table.file.game)
    assert revealed(table.resolved(papers(table))) == [HOST]
    table = at_turn("kari", WITNESS, players=2)
    assert revealed(table.resolved(papers(table))) == ["ola", HOST]
    orders = [one for one in papers(table) if one.format == "referee/orders/1"]
    assert refused(table, [*orders, passed_over(table, "ola", orders)]) == {"nobody-rolls"}


def test_a_reveal_is_for_these_orders_by_this_player_and_no_other() -> None:
    table = at_turn("kari")
    first, second = after(table, "kari"), after(table, after(table, "kari"))
    orders = table.orders("kari", body(table, "kari"))
    other = table.orders("kari", body(table, "kari"), 2)
    assert refused(table, [orders]) == {"reveal-missing"}
    assert refused(table, [orders, table.reveal(first, [other])]) == {"other-orders"}
    assert refused(table, [orders, table.reveal(first, [])]) == {"other-orders"}
    assert refused(table, [orders, table.reveal(second, [orders])]) == {"no-reveal-needed", "reveal-missing"}
    both = [table.reveal(first, [orders]), table.reveal(second, [orders])]
    assert refused(table, [orders, *both]) == {"no-reveal-needed"}
    assert refused(table, [orders, table.reveal(first, [orders])]) == set()


def test_a_missed_turn_of_the_hosts_seat_is_watched_as_well() -> None:
    table = at_turn("kari")
    first = after(table, "kari")
    assert refused(table, [], ["kari"]) == {"reveal-missing"}
    made = table.resolved([table.reveal(first, [])], ["kari"])
    assert revealed(made) == sorted([first, HOST])
    verify_next(table.file, made.text.encode(), made.file)
    assert refused(table, [table.resignation("kari")]) == {"reveal-missing"}


def test_who_does_not_reveal_is_passed_over_and_misses_his_next_turn() -> None:
    table = at_turn("kari")
    first, second = after(table, "kari"), after(table, after(table, "kari"))
    orders = table.orders("kari", body(table, "kari"))
    act = passed_over(table, first, [orders])
    assert refused(table, [orders, act]) == {"reveal-missing"}
    assert refused(table, [orders, act, table.reveal(first, [orders])]) == {"no-reveal-needed", "reveal-missing"}
    assert refused(table, [orders, passed_over(table, second, [orders])]) == {"not-the-roller"}
    other = table.orders("kari", body(table, "kari"), 2)
    assert refused(table, [other, act, table.reveal(second, [other])]) == {"other-orders"}
    assert refused(table, [orders, act, passed_over(table, second, [orders])]) == {"nobody-rolls"}
    before = table.file
    made = table.play([orders, act, table.reveal(second, [orders])])
    verify_next(before, made.text.encode(), made.file)
    assert revealed(made) == sorted([second, HOST])
    assert made.game.state.players[PlayerId(first)].passed_over
    assert who_must_miss(table.file.game.state) == (first,)
    before = table.file
    missing = table.play([])
    verify_next(before, missing.text.encode(), missing.file)
    assert any(isinstance(event, e.TurnMissed) and event.player == first for event in missing.game.events)


def at_a_turn_that_is_missed(plays: str, settings: Settings = MISSED) -> Table:
    """Return a table at which the awaited was passed over, of a host who plays or without a host.

    Where a turn is missed by standing orders he has left some.
    """
    table = Table("sv", "standard", 3, 5, settings, hosted=bool(plays), plays=plays)
    awaited = play_on(table, "kari").file.game.state.acting[0]
    orders = table.orders(awaited, body(table, awaited))
    digests = [digest_of(orders.tree)]
    first = after(table, awaited)
    left = [table.standing(first, {"missed": {"trade": "best"}})] if settings.missed == "standing" else []
    if plays:
        second = after(table, first)
        table.play([orders, passed_over(table, first, [orders]), table.reveal(second, [orders]), *left])
    else:
        table.play([orders, *table.acts("passed_over", first, orders=digests), *left])
    assert who_must_miss(table.file.game.state) == (first,)
    return table


@pytest.mark.parametrize("policy", ["default", "standing"])
@pytest.mark.parametrize("plays", ["kari", ""])
def test_of_one_who_was_passed_over_it_is_not_said_that_orders_did_not_come(plays: str, policy: str) -> None:
    table = at_a_turn_that_is_missed(plays, Settings(missed="default" if policy == "default" else "standing"))
    before, name = table.file, table.file.game.state.acting[0].title()
    assert f"{name} misses this turn: {before.file} is resolved without orders" in "\n".join(
        shown(before, voice_of(before.game, "en"))
    )
    assert f"{before.game.state.acting[0]} misses this turn" in "".join(status_lines(standing_of("x", before, [])))
    proof = Proof()
    proof.count(Checked(before, {}, ()))
    made = table.play(papers(table))
    proof.count(Checked(made, {}, ()))
    assert any(isinstance(event, e.TurnMissed) for event in made.game.events)
    assert not proof.missed.total()
    done = {"default": "the referee places the armies", "standing": "the standing orders are carried out"}[policy]
    gjort = {"default": "dommeren plasserer bataljonene", "standing": "de stående ordrene utføres"}[policy]
    told = report(made, before, made.game.events)
    assert f"{name} was passed over and misses this turn; {done}" in " ".join(told.split())
    assert "has sent no orders" not in told
    fortalt = " ".join(report(made, before, made.game.events, "nb", plain=False).split())
    assert f"{name} ble hoppet over og står over denne turen; {gjort}" in fortalt


@pytest.mark.parametrize("plays", ["kari", ""])
def test_nobody_says_that_a_turn_is_missed_that_is_missed_in_any_case(plays: str) -> None:
    """Else one turn would have two files; one that was made with the word, and sent, stands for `verify` as it did."""
    table = at_a_turn_that_is_missed(plays)
    player = table.file.game.state.acting[0]
    assert refused(table, [], [player]) == {"misses-turn"}
    made = table.resolved([])
    said = [missed_act(table.file, player, table.host_key)] if plays else table.acts("missed", player)
    acts = take_acts(said, table.file)
    assert acts.missed == (player,)
    other = made_by(table, HOST if plays else table.roller(), [], None, acts)
    assert other.digest != made.digest
    assert verify_next(table.file, other.text.encode(), other.file).file.digest == other.digest


def test_orders_that_lie_there_of_one_who_misses_the_turn_are_not_asked_for(tmp_path: Path) -> None:
    table = at_a_turn_that_is_missed("kari")
    player = table.file.game.state.acting[0]
    (tmp_path / table.file.file).write_text(table.file.text)
    (tmp_path / "runa.key").write_bytes(pem(HOST))
    (tmp_path / "orders.toml").write_text(table.orders(player, {}).source.text)
    said = referee(["resolve", str(tmp_path / table.file.file), "--missed", player])
    assert said.code == 2
    assert f'--missed: "{player}" was passed over and misses this turn' in said.err


def test_where_the_host_rolls_alone_nobody_is_passed_over() -> None:
    table = at_turn("ola")
    orders = table.orders("ola", body(table, "ola"))
    assert refused(table, [orders, passed_over(table, after(table, "ola"), [orders])]) == {"host-rolls"}
    assert refused(table, [orders, table.reveal(after(table, "ola"), [orders])]) == {"no-reveal-needed"}
    claiming = Table("sv", "standard", 3, 5, WITNESS)
    sent = papers(claiming)
    assert refused(claiming, [*sent, passed_over(claiming, "ola", sent)]) == {"host-rolls"}


def with_a_plan(table: Table, player: str) -> dict:
    """Return standing orders by which a missed turn attacks something."""
    state = table.file.game.state
    own = state.territories_of(PlayerId(player))
    source, target = next(
        (t, n) for t in own if state.armies[t] > 1 for n in state.board.neighbours[t] if state.owners[n] != player
    )
    return {"missed": {"place": [source], "attack": [{"from": source, "to": target}]}}


def test_a_report_names_the_key_file_of_the_one_who_is_awaited_where_it_can_be_known() -> None:
    """A host who plays has one key, named after the host; what the file of a later key is called nobody knows."""
    file, kari = at_turn("kari").file, PlayerId("kari")
    game, was = file.game, file.game.people[kari]
    other = Former(was.key, was.seal_key, was.chain, was.links)
    hosts = was._replace(key=key_of(HOST).public)
    handed = game.keeper._replace(
        name="berit", key=key_of("berit").public, former=(FormerHost(HOST, hosts.key, was.seal_key, was.chain, 1, 1),)
    )

    def named(person: Person, host: Host, language: str = "en") -> str:
        changed = game._replace(people={**game.people, kari: person}, host=host)
        return report(file._replace(game=changed), None, (), language).partition(" --key ")[2].partition("\n")[0]

    assert named(was, game.keeper) == "kari.key"
    assert named(hosts, game.keeper) == named(hosts, handed) == "runa.key"
    assert named(was._replace(former=(other,)), game.keeper) == "YOUR.key"
    assert named(was._replace(former=(other,)), game.keeper, "nb") == "DIN.key"


def test_for_a_missed_turn_with_attacks_the_next_player_reveals_who_is_not_the_host() -> None:
    settings = Settings(missed="standing")
    table = at_turn("liv", settings)
    orders = papers(table)
    table.play([*orders, *(table.standing(name, with_a_plan(table, name)) for name in ("ola", "liv"))])
    for name in ("ola", "liv"):
        play_on(table, name)
        other = "liv" if name == "ola" else "ola"
        assert needs_reveals_of(table.file, (PlayerId(name),)) == (other,)
        made = table.resolved([table.reveal(other, [])], [name])
        assert revealed(made) == sorted([other, HOST])
        verify_next(table.file, made.text.encode(), made.file)
        none = table.resolved([], [name, other])
        assert e.RollPassedOver(other) in none.game.events
        assert not any(isinstance(event, e.BattleFought) for event in none.game.events)
        verify_next(table.file, none.text.encode(), none.file)


def test_where_only_the_host_is_left_a_missed_turn_attacks_nobody() -> None:
    table = at_turn("kari", Settings(missed="standing"), players=2)
    table.play([*papers(table), table.standing("ola", with_a_plan(table, "ola"))])
    assert table.file.game.state.acting == ("ola",)
    made = table.resolved([], ["ola"])
    assert revealed(made) == [HOST]
    assert not any(isinstance(event, e.BattleFought | e.RollPassedOver) for event in made.game.events)
    told = report(made, table.file, made.game.events)
    assert "nobody has rolled for it" in told
    assert "passed over" not in told, "the host's seat was not asked for a reveal"
    verify_next(table.file, made.text.encode(), made.file)


def test_a_substitute_for_the_hosts_seat_is_watched_as_the_host_was() -> None:
    """Else a host could give his seat to himself under another key, and roll alone."""
    table = at_turn("kari")
    before, documents = table.file, table.substitution("kari", "sigrid")
    orders = table.orders("kari", body(table, "kari"))
    assert refused(table, [*documents, orders]) == {"reveal-missing"}
    first = after(table, "kari")
    made = table.play([*documents, orders, table.reveal(first, [orders])])
    verify_next(before, made.text.encode(), made.file)
    assert made.game.keeper.plays == "kari"
    assert made.game.state.openly


def test_a_game_of_a_host_who_plays_is_recorded_and_made_again() -> None:
    table = Table("da", "hq", 3, 5, MISSED, plays="kari")
    files: list[tuple[GameFile, GameFile | None]] = []
    first = start(table.invitation, table.joins, table.host_key, table.board, table.papers)
    files.append((first, None))
    for _ in range(9):
        before = files[-1][0]
        files.append((table.play(papers(table)), before))
    assert any(isinstance(event, e.CapitalRevealed) for file, _ in files for event in file.game.events)
    text = head_of(first.game, None) + "".join(entry_of(file, before, None) for file, before in files)
    made = list(replayed(text.encode(), "record.toml"))
    assert [one.file.text for one in made] == [file.text for file, _ in files]
    assert not [what for one in made for what in one.sealed]


def test_who_misses_a_turn_and_has_a_plan_is_rolled_for_by_the_next_or_by_nobody() -> None:
    """He was passed over, so nobody says that his orders are missing; but of the next player it can be said."""
    table = at_turn("kari", Settings(missed="standing"))
    first, second = after(table, "kari"), after(table, after(table, "kari"))
    orders = table.orders("kari", body(table, "kari"))
    plan_of_his = table.standing(first, with_a_plan(table, first))
    table.play([orders, passed_over(table, first, [orders]), table.reveal(second, [orders]), plan_of_his])
    assert who_must_miss(table.file.game.state) == (first,)
    assert refused(table, []) == {"reveal-missing"}
    waits = " ".join(" ".join(status_lines(standing_of("fjord-0009.toml", table.file, []))).split())
    assert f"{first} misses this turn, but not all reveals are there" in waits
    assert f"the reveal of {second} is needed beside the host's: `referee reveal fjord-0009.toml`" in waits
    there = status_lines(standing_of("fjord-0009.toml", table.file, [table.reveal(second, [])]))
    assert "plays it" in " ".join(there)
    for documents, missed in (([table.reveal(second, [])], []), ([], [second])):
        made = table.resolved(documents, missed)
        verify_next(table.file, made.text.encode(), made.file)
        assert revealed(made) == sorted([HOST, *([] if missed else [second])])
        assert (e.RollPassedOver(second) in made.game.events) == bool(missed)


def test_orders_of_one_who_leaves_are_not_what_is_revealed_for() -> None:
    """They stand in no game file, so a reveal that is bound to them could not be checked."""
    table = at_turn("kari")
    first = after(table, "kari")
    orders, leaving = table.orders("kari", body(table, "kari")), table.resignation("kari")
    assert refused(table, [orders, leaving, table.reveal(first, [orders])]) == {"other-orders"}
    made = table.resolved([orders, leaving, table.reveal(first, [])])
    verify_next(table.file, made.text.encode(), made.file)


@pytest.mark.parametrize("settings", [MISSED, MISSED._replace(trusted_host=True)])
def test_what_lies_open_and_whose_turns_are_watched_stays_so_under_another_host(settings: Settings) -> None:
    table = at_turn("kari", settings)
    orders, first = [table.orders("kari", body(table, "kari"))], after(table, "kari")
    before, handing = table.file, table.handing("berit")
    made = table.play([*orders, table.reveal(first, orders), *handing])
    verify_next(before, made.text.encode(), made.file)
    assert (made.game.keeper.name, made.game.keeper.plays) == ("berit", "kari")
    assert made.game.state.openly == (not settings.trusted_host)
    told = " ".join(report(made, before, made.game.events).split())
    assert ("runa, who hosted before and played as Kari, knows all cards" in told) == settings.trusted_host
    for _ in range(3):
        before, awaited = table.file, table.file.game.state.acting[0]
        made = table.play(papers(table))
        verify_next(before, made.text.encode(), made.file)
        assert (len(revealed(made)) == 2) == (awaited == "kari")
        assert made.game.state.openly == (not settings.trusted_host)


@pytest.mark.parametrize(("option", "said"), [("--plays", "The host plays, too"), ("--table", "There is no host")])
def test_the_rules_are_told_for_a_mode_that_is_named(option: str, said: str) -> None:
    told = " ".join(referee(["rules", "--edition", "no", "--variant", "world", option]).out.split())
    assert said in told
    assert "hands lie open" in told.lower()
    trusted = referee(["rules", "--plays", "--rule", "trusted_host=true"]).out
    assert "The host plays too, and knows all cards and missions" in " ".join(trusted.split())
    assert referee(["rules", "--plays", "--table"]).code == 2


@pytest.mark.parametrize("plays", ["kari", ""])
@pytest.mark.parametrize("drawn", [True, False])
def test_a_game_may_end_between_commitments_and_openings_of_capitals(plays: str, drawn: bool, tmp_path: Path) -> None:
    """Who is committed has nothing to open then, and nobody else could."""
    table = Table("da", "hq", 3, 5, MISSED, hosted=bool(plays), plays=plays)
    opener = HOST if plays else NAMES[0]
    first = start(table.invitation, table.joins, key_of(opener), table.board, table.papers)
    files: list[tuple[GameFile, GameFile | None]] = [(first, None)]
    while table.file.game.state.phase == "deploy":
        files.append((table.play(papers(table)), files[-1][0]))
    leaving = [table.vote(name) for name in NAMES[:3]] if drawn else [table.resignation(name) for name in NAMES[1:3]]
    before, documents = table.file, [*papers(table), *leaving]
    made = table.play(documents)
    files.append((made, files[-1][0]))
    assert made.game.state.result is not None
    assert made.game.state.result.how == ("draw" if drawn else "last")
    assert set(made.game.capitals) == set(NAMES[:3] if drawn else NAMES[:1])
    verify_next(before, made.text.encode(), made.file)
    assert report(made, before, made.game.events)
    assert f"over, {'a draw' if drawn else 'kari has won'}" in status_lines(standing_of("x", made, []))[0]
    for file, _ in files:
        (tmp_path / file.file).write_text(file.text)
    assert f'never opened: capital of "{next(iter(made.game.capitals))}"' in referee(["verify", str(tmp_path)]).err
    text = head_of(first.game, None) + "".join(entry_of(file, earlier, None) for file, earlier in files)
    assert [one.file.text for one in replayed(text.encode(), "record.toml")] == [file.text for file, _ in files]
