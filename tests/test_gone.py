"""A hosted game whose host is gone for good goes on as a table game: who must say so, and what lies open then."""

from itertools import pairwise

import pytest
from support.codes import bare
from support.modes import on_the_hosts_turn, won_without_the_host
from support.planner import set_up
from support.table import DEFAULT, HOST, Table, key_of, signed
from test_absence import code
from test_handing import rows_of, turn_of
from test_host_plays import papers
from test_substitutes import played, refused

from referee.documents.base64 import decode
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, Opening, open_game, written
from referee.documents.gone import host_gone_act, open_hand_act
from referee.documents.intake import ACT
from referee.documents.proof import Proof
from referee.documents.record import entry_of, head_of, replayed
from referee.documents.rolling import left_behind
from referee.documents.sealing import open_box, seal_box, seal_key
from referee.documents.verify import verify_next, verify_row
from referee.errors import IllegalOrders, RefereeError, ReplayDiffers, UnreadableDocument
from referee.game import events as e
from referee.game.orders import PlayerId
from referee.game.state import SET_UP
from referee.game.victory import has_fulfilled
from referee.views.language import language_of
from referee.views.proof import statements
from referee.views.report import report
from referee.views.status import standing_of, status_lines


def begun(
    edition: str = "no", variant: str = "mission", players: int = 3, turns: int = 0, seed: int = 1
) -> list[Table]:
    """Return the tables of a hosted game, file by file, after its set-up and so many turns."""
    table = Table(edition, variant, players, seed)
    tables = [table]
    while table.file.game.state.phase in SET_UP or turns:
        state = table.file.game.state
        turns -= state.phase == "turn"
        table = Table.at(table, table.file)
        if state.phase in SET_UP:
            played(table, [table.orders(player, set_up(state, player, seed)) for player in state.acting])
        else:
            played(table, [turn_of(table)])
        tables.append(table)
    return tables


def to_the_end(table: Table, most: int = 60) -> list[GameFile]:
    kept = []
    while table.file.game.state.phase != "over" and most:
        most -= 1
        kept.append(played(table, [turn_of(table)]))
    while table.file.game.state.phase != "over":
        state = table.file.game.state
        others = [player for player in state.playing() if player not in state.acting]
        kept.append(played(table, [turn_of(table), *(table.resignation(player) for player in others)]))
    return kept


def test_all_say_so_and_the_next_player_goes_on_as_at_a_table() -> None:
    table = begun(turns=4)[-1]
    before = table.file.game
    hands = {player: table.hand(player) for player in table.names}
    made = played(table, table.gone())
    game, state = table.file.game, table.file.game.state
    roller = state.after(state.acting[0])
    assert game.host is None
    assert game.gone is not None
    assert [(one.name, one.key) for one in game.gone.hosts] == [(HOST, key_of(HOST).public)]
    assert state.openly
    assert state.acting == before.state.acting
    assert [who for who, _ in made.game.evidence.reveals] == [roller]
    assert (game.people[roller].links, game.people[roller].chain) == (1, made.game.evidence.reveals[0][1])
    for player, hand in hands.items():
        assert state.hands[player] == tuple(hand.cards.values())
        assert state.missions[player] == hand.mission
    held = {card for hand in state.hands.values() for card in hand}
    assert set(state.pile) == set(state.board.cards) - held - set(state.discards)
    assert (game.sealed, game.deck, game.mission_commitments) == ({}, (), ())
    assert isinstance(made.game.events[0], e.HostGone)
    played(table, [turn_of(table)])


@pytest.mark.parametrize(
    ("edition", "variant"), [("no", "mission"), ("no", "world"), ("sv", "dealt"), ("de", "mission"), ("da", "hq")]
)
def test_it_is_played_verified_and_recorded_to_its_end(edition: str, variant: str) -> None:
    tables = begun(edition, variant, turns=7)
    table = Table.at(tables[-1], tables[-1].file)
    kept = [one.file for one in tables]
    kept.append(played(table, table.gone()))
    kept += to_the_end(table)
    assert kept[-1].game.secret is None
    entries, load = rows_of(kept)
    parts, before = [], None
    for checked in verify_row(entries, load):
        parts.append(head_of(checked.file.game, None) if before is None else "")
        parts.append(entry_of(checked.file, before, None))
        before = checked.file
    again = replayed("".join(parts).encode(), "record.toml")
    assert [checked.file.text for checked in again] == [file.text for file in kept]


def test_what_was_proved_leaves_out_what_nobody_knows_any_more() -> None:
    tables = begun(turns=3)
    table = Table.at(tables[-1], tables[-1].file)
    before, turns = [one.file for one in tables], len(tables)
    made = played(table, table.gone())
    kept = [*before, made, *to_the_end(table)]
    proof = Proof()
    for checked in verify_row(*rows_of(kept)):
        proof.count(checked)
    opened = sum(len(row[1]) for row in made.game.events if isinstance(row, e.HandOpened))
    assert proof.laid_open == opened + len(table.names)
    assert proof.turns == len(kept) - 1 - turns + 3, "the file in which he is gone is no turn"
    said = {one.id for one in statements(proof, 0, language_of("en"))}
    assert {"proved.laid_open", "trust.hidden"} <= said
    assert "proved.missions" not in said


def test_missions_opened_when_the_host_is_gone_were_not_fulfilled_before_which_is_checked() -> None:
    tables = begun(turns=4)
    table = Table.at(tables[-1], tables[-1].file)
    asked = [f'mission of "{player}"' for player in table.names]
    alone = [verify_next(one.file, two.file.text.encode(), "x").sealed for one, two in pairwise(tables)]
    assert any(what in sealed for sealed in alone for what in asked), "without the later file it cannot be checked"
    kept = [one.file for one in tables]
    kept += [played(table, table.gone()), *to_the_end(table)]
    rows = [list(verify_row(*rows_of(kept[:length]))) for length in (len(tables) + 1, len(kept))]
    parts = [entry_of(file, before, None) for before, file in zip([None, *kept], kept, strict=False)]
    rows.append(list(replayed("".join([head_of(kept[0].game, None), *parts]).encode(), "record.toml")))
    for row in rows:
        proof = Proof()
        for checked in row:
            assert not set(asked) & set(checked.sealed)
            proof.count(checked)
        assert proof.unfulfilled == proof.tree()["unfulfilled"] == len(table.names)
    assert "proved.unfulfilled" in {one.id for one in statements(proof, 0, language_of("nb"))}


def test_the_mission_of_one_who_left_before_the_host_is_never_checked() -> None:
    tables = begun(turns=4)
    table = Table.at(tables[-1], tables[-1].file)
    left = table.file.game.state.acting[0]
    kept = [one.file for one in tables]
    kept += [played(table, [table.resignation(left)]), played(table, table.gone())]
    proof = Proof()
    for checked in verify_row(*rows_of(kept)):
        proof.count(checked)
    assert [what for what in proof.never if what.startswith("mission of")] == [f'mission of "{left}"']
    assert proof.unfulfilled == len(table.names) - 1


def _has_won(table: Table) -> bool:
    """Say whether the mission of the one whose turn it is is fulfilled."""
    state = table.file.game.state
    return has_fulfilled(state, state.acting[0], table.hand(state.acting[0]).mission)


def test_a_host_who_hid_that_a_mission_was_fulfilled_is_found_out_when_it_lies_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("referee.documents.knowledge.has_fulfilled", lambda *_: False)
    tables = begun(turns=1, seed=2)
    while not _has_won(tables[-1]):
        table = Table.at(tables[-1], tables[-1].file)
        played(table, [turn_of(table)])
        tables.append(table)
    table = Table.at(tables[-1], tables[-1].file)
    kept = [one.file for one in tables]
    for _ in verify_row(*rows_of(kept)):
        pass  # as long as it is hidden nobody can know
    kept.append(played(table, table.gone()))
    with pytest.raises(ReplayDiffers) as raised:
        for _ in verify_row(*rows_of(kept)):
            pass
    (problem,) = raised.value.problems
    assert bare(problem.code) == "hidden-mission"
    assert problem.file in {file.file for file in kept}


def test_an_opening_that_does_not_fit_its_commitment_settles_nothing() -> None:
    one, two = begun(turns=1)[-2:]
    player = one.file.game.state.acting[0]
    name = one.file.game.state.missions[player]
    false = {name: Opening(name, "world", "A" * 22)}
    assert f'mission of "{player}"' in verify_next(one.file, two.file.text.encode(), "x", None, false).sealed


def test_a_mission_that_lies_open_still_wins() -> None:
    won = 0
    for seed in range(1, 4):
        table = begun(turns=3, seed=seed)[-1]
        played(table, table.gone())
        kept = to_the_end(table, 80)
        result = table.file.game.state.result
        assert result is not None
        if result.how == "mission":
            won += 1
            event = next(one for one in kept[-1].game.events if isinstance(one, e.MissionCompleted))
            assert event.card == event.mission
    assert won


def test_what_was_traded_in_stays_aside_and_hidden_cards_of_one_who_left_go_into_the_pile() -> None:
    table = begun("no", "world", turns=12)[-1]
    state = table.file.game.state
    gone = next(p for p in state.playing() if p not in state.acting)
    played(table, [turn_of(table), table.resignation(gone)])
    traded = [name for name in (*table.file.game.state.pile, *table.file.game.state.discards) if "/" not in name]
    played(table, table.gone())
    state = table.file.game.state
    assert state.discards == tuple(traded)
    assert not state.problems()
    assert state.hands[gone] == ()


def test_what_is_missing_or_beside_it_is_refused() -> None:
    table = begun(turns=1)[-1]
    for player in table.names:
        other = Table.at(table, table.file)
        assert refused(other, other.gone([player])) == "signatures-missing"
    acts = Table.at(table, table.file).gone()
    said = [act for act in acts if act.tree["act"] == "host_gone"]
    hands = [act for act in acts if act.tree["act"] == "open_hand"]
    assert refused(table, hands) == "no-act"
    other = Table.at(table, table.file)
    other.hosted = False
    assert refused(other, [*said, *hands[1:]]) == "hands-missing"
    assert refused(other, [*acts, turn_of(table)]) == "handed-in-beside"
    assert refused(other, [*acts, table.deadline("2027-01-31T20:00:00+01:00")]) == "handed-in-beside"
    assert refused(other, [*acts, table.standing(table.names[0], {"defend": {"dice": 1}})]) == "handed-in-beside"


def test_nobody_opens_his_hand_before_all_have_said_so() -> None:
    table = begun(turns=1)[-1]
    said = [one for one in Table.at(table, table.file).gone() if one.tree["act"] == "host_gone"]
    for fewer in (said[1:], said[:-1], []):
        with pytest.raises(RefereeError) as caught:
            open_hand_act(table.file, fewer, key_of(table.names[0]))
        assert code(caught.value) == "signatures-missing"


def test_before_the_first_turn_and_without_a_host_there_is_nothing_to_save() -> None:
    table = Table("no", "mission", 3, 1)
    assert refused(table, table.gone()) == "not-begun"
    table = Table("no", "world", 3, 1, hosted=False)
    assert refused(table, []) != "no-host"


def test_a_game_that_was_handed_over_goes_on_without_its_last_host() -> None:
    tables = begun(turns=1)
    table = Table.at(tables[-1], tables[-1].file)
    played(table, [turn_of(table), *table.handing("berit")])
    played(table, table.gone())
    gone = table.file.game.gone
    assert gone is not None
    assert [one.name for one in gone.hosts] == [HOST, "berit"]
    player = table.file.game.state.acting[0]
    played(table, [*table.substitution(player, "sigrid"), turn_of(table)])


def test_names_and_links_of_former_hosts_have_their_bounds() -> None:
    table = begun(turns=1)[-1]
    made = table.resolved(table.gone())
    assert made.game.gone is not None
    (host,) = made.game.gone.hosts
    roller = made.game.evidence.reveals[0][0]
    for hosts in ((host._replace(name="kari"),), (host._replace(links=5000),), (host._replace(links=4000),) * 5, ()):
        game = made.game._replace(gone=made.game.gone._replace(hosts=hosts))
        with pytest.raises(UnreadableDocument):
            open_game(written(game, key_of(roller), roller).text.encode(), board_by_name)


@pytest.mark.parametrize("own", [True, False], ids=["own-turn", "another"])
@pytest.mark.parametrize("trusted", [True, False], ids=["trusted", "open"])
def test_a_host_who_plays_is_gone_from_his_seat_too(trusted: bool, own: bool) -> None:
    settings = DEFAULT._replace(trusted_host=trusted, witness=True)
    table = Table("de", "mission" if trusted else "world", 4, 1, settings, plays="ola")
    while table.file.game.state.phase in SET_UP or (table.file.game.state.acting == ("ola",)) != own:
        played(table, papers(table))
    before = table.file
    made = played(table, table.gone())
    state = table.file.game.state
    assert state.players["ola"].status == "passive"
    assert not state.problems()
    assert state.acting == ((before.game.state.after("ola"),) if own else before.game.state.acting)
    assert isinstance(made.game.events[-1], e.TurnBegan) == own
    assert "ola" not in [who for who, _ in made.game.evidence.reveals]
    assert report(made, before, made.game.events)
    assert status_lines(standing_of("x", table.file, []))
    assert len(to_the_end(table, 4)) > 1


def test_one_alone_does_not_say_that_a_host_who_plays_is_gone() -> None:
    table = on_the_hosts_turn(2, "capitals")
    (left,) = left_behind(table.file.game)
    says = {"format": ACT, "game": "fjord", "turn": table.file.game.turn, "state": table.file.digest}
    said = signed({**says, "act": "host_gone"}, left)
    opened = signed({**says, "act": "open_hand", "player": left, "openings": []}, left)
    table.hosted = False
    assert refused(table, [said, opened]) == "too-few-decide"
    assert not standing_of("x", table.file, [said, opened]).is_gone
    with pytest.raises(IllegalOrders) as caught:
        host_gone_act(table.file, key_of(left))
    assert code(caught.value) == "too-few-decide"


def test_who_has_fulfilled_his_mission_wins_as_his_turn_begins_without_the_host() -> None:
    """P-11: at the start of the own turn, before any order is needed."""
    table, made = won_without_the_host()
    before, coming = table.file, table.file.game.state.after(PlayerId("ola"))
    played(table, table.gone())
    assert table.file.text == made.text
    completed, won = made.game.events[-2:]
    assert isinstance(made.game.events[-3], e.TurnBegan)
    assert isinstance(completed, e.MissionCompleted)
    assert (completed.player, completed.card) == (coming, completed.mission)
    assert isinstance(won, e.GameWon)
    assert (won.winners, won.how) == ((coming,), "mission")
    assert report(made, before, made.game.events)


def test_a_game_file_without_its_host_is_read_as_it_was_written() -> None:
    table = begun(turns=5)[-1]
    made = table.resolved(table.gone())
    again = open_game(made.text.encode(), board_by_name, made.file)
    assert again.game.state == made.game.state
    assert again.game.gone == made.game.gone


def test_secret_capitals_are_opened_with_the_salts_that_follow_from_the_keys() -> None:
    tables = begun("no", "capitals", turns=2)
    table = Table.at(tables[-1], tables[-1].file)
    assert set(table.file.game.capitals) == set(table.names)
    kept = [*(one.file for one in tables), played(table, table.gone())]
    assert all(table.file.game.state.capitals.values())
    kept += to_the_end(table, 6)
    checked = list(verify_row(*rows_of(kept)))
    assert not [what for one in checked[len(tables) :] for what in one.sealed]


def test_a_capital_that_was_sealed_with_another_salt_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.table.commitment_salt", lambda *_: bytes(16))
    table = begun("no", "capitals")[-1]
    with pytest.raises(RefereeError) as caught:
        table.gone()
    assert code(caught.value) == "no-opening"


def test_who_was_not_given_all_that_he_holds_opens_nothing() -> None:
    """The host has left the mission out of the box: what fits no commitment would be refused by all others, too."""
    table = begun(turns=2)[-1]
    game, player = table.file.game, table.names[0]
    key = seal_key(key_of(HOST), key_of(player).seal_public, decode(game.nonce))
    content = open_box(key, game.name, game.turn, player, game.sealed[PlayerId(player)])
    del content["mission"]
    box = seal_box(key, game.name, game.turn, player, content, len(game.state.hands[PlayerId(player)]))
    forged = written(game._replace(sealed={**game.sealed, player: box}), key_of(HOST))
    table.file = open_game(forged.text.encode(), board_by_name, forged.file)
    with pytest.raises(RefereeError, match=f'"{game.state.missions[PlayerId(player)]}" is held but not in the box'):
        table.gone()


def test_the_capital_of_one_who_has_left_is_none_any_more_and_a_substitute_gives_his_word() -> None:
    table = begun("no", "capitals", 4, turns=1)[-1]
    state = table.file.game.state
    gone, other = [p for p in state.playing() if p not in state.acting][:2]
    played(table, [turn_of(table), table.resignation(gone), *table.substitution(other, "sigrid")])
    before = table.file
    made = played(table, table.gone())
    assert gone not in table.file.game.state.capitals
    assert not table.file.game.state.problems()
    sealed = verify_next(before, made.text.encode(), made.file).sealed
    assert sealed == (f'capital of "{other}"',)


@pytest.mark.parametrize("language", ["en", "nb"])
def test_the_report_says_what_is_open_now(language: str) -> None:
    table = begun(turns=5)[-1]
    before = table.file
    made = table.resolved(table.gone())
    text = report(made, before, made.game.events, language)
    assert max(map(len, text.split("\n"))) <= 72
    words = " ".join(text.split())
    assert {"en": "runa, the host, is gone for good", "nb": "runa, som ledet spillet, er borte for godt"}[
        language
    ] in words
    print(text)
