"""Attacks by a host who plays: in his own turns, in those of his opponents, and at the start."""

from collections.abc import Sequence

import pytest
from support.attacking import (
    Tree,
    altered,
    at_play,
    changed,
    codes_of,
    first_of,
    found,
    found_first,
    link_of,
    made_by_host,
    others,
    refused,
    shown,
    simple,
)
from support.planner import set_up
from support.table import HOST, NAMES, Table, key_of, signed

import referee.documents.resolve as resolving
from referee.documents.acting import passed_over_act
from referee.documents.acts import take_acts
from referee.documents.base64 import decode, encode
from referee.documents.boxes import host_knowledge
from referee.documents.canonical import digest_of
from referee.documents.chains import anchor
from referee.documents.gamefile import GameFile
from referee.documents.invitation import check_joins, read_join
from referee.documents.layout import table_text
from referee.documents.receipts import broken_by, read_receipt, receipt_tree
from referee.documents.signing import Document, read, verified
from referee.documents.start import join_tree, start
from referee.documents.verify import verify_first, verify_next
from referee.errors import RefereeError
from referee.game.events import BattleFought, CardDrawn
from referee.game.orders import PlayerId
from referee.game.rules import Settings
from referee.views.report import report

SEAT = "kari"
MISSED = Settings(missed="default")


def table_of(seat: str = SEAT, trusted: bool = False) -> Table:
    """Return a game whose host plays as Kari, at the first turn of a seat."""
    variant = "mission" if trusted else "world"
    table = at_play(Table("no", variant, 3, 7, MISSED._replace(trusted_host=trusted), plays=SEAT))
    while first_of(table) != seat:
        table.play(papers(table, simple(table)))
    return table


def papers(table: Table, orders: Document) -> list[Document]:
    """Return orders with the reveal that they need."""
    player, second, _ = others(table)
    return [orders, table.reveal(second, [orders])] if player == SEAT else [orders]


@pytest.fixture(scope="module")
def table() -> Table:
    return table_of()


def over(table: Table, player: str, orders: Sequence[Document]) -> Document:
    tree = passed_over_act(table.file, PlayerId(player), [digest_of(one.tree) for one in orders], key_of(HOST))
    return read(table_text(tree).encode(), "act.toml")


def both(table: Table, *names: str) -> dict[str, str]:
    return {name: link_of(table, name) for name in (HOST, *names)}


def thrown(made: GameFile) -> list[object]:
    return [(event.attack, event.defence) for event in made.game.events if isinstance(event, BattleFought)]


# --- his own turns -------------------------------------------------------------------------------


def test_l01_in_his_own_turn_the_host_does_not_roll_alone(table: Table) -> None:
    orders, second = simple(table), others(table)[1]
    assert not found(table, made_by_host(table, papers(table, orders), both(table, second)))
    assert refused(table, [orders]) == {"reveal-missing"}
    for reveals in (both(table), both(table, SEAT), both(table, second)):
        assert found(table, made_by_host(table, [orders], reveals)) == {"reveal-missing"}
    own = table.reveal(SEAT, [orders])
    assert "reveal-missing" in found(table, made_by_host(table, [orders, own], both(table, SEAT)))


def test_l02_the_reveal_beside_his_is_the_next_players_for_these_orders(table: Table) -> None:
    orders, other = simple(table), simple(table, 2)
    _, second, third = others(table)
    good = table.reveal(second, [orders])
    assert refused(table, [orders, changed(good, person=HOST)]) == {"other-key"}
    assert refused(table, [orders, changed(good, reveal=link_of(table, second, 2))]) == {"other-chain"}
    assert refused(table, [orders, changed(good, reveal=link_of(table, HOST))]) == {"other-chain"}
    assert refused(table, [orders, table.reveal(second, [other])]) == {"other-orders"}
    assert refused(table, [orders, table.reveal(third, [orders])]) == {"no-reveal-needed", "reveal-missing"}
    later = Table.at(table, table.file)
    later.play(papers(later, simple(later)))
    while first_of(later) != SEAT:
        later.play([simple(later)])
    assert "other-turn" in refused(later, [simple(later), good])


def test_l03_when_he_knows_his_dice_he_gets_no_others_with_the_same_reveal(table: Table) -> None:
    """Other orders, none, or somebody else on his seat: the reveal is for those that he had shown."""
    orders, other, second = simple(table), simple(table, 2), others(table)[1]
    seen = table.reveal(second, [orders])
    assert refused(table, [other, seen]) == {"other-orders"}
    assert refused(table, [seen], [SEAT]) == {"other-orders"}
    assert refused(table, [table.resignation(SEAT), seen]) == {"other-orders"}
    again = Table.at(table, table.file)
    change = again.substitution(SEAT, "sigrid")
    assert refused(again, [*change, simple(again, 2), seen]) == {"other-orders"}
    assert refused(again, [*change, simple(again)]) == {"reveal-missing"}, "his seat is watched, whoever sits there"


def test_l04_a_host_who_passes_the_next_player_over_has_other_dice_and_his_act_stands_there(table: Table) -> None:
    """He may say that a reveal did not come when he has seen the dice; with three players once a turn."""
    orders = simple(table)
    _, second, third = others(table)
    act = over(table, second, [orders])
    made = table.resolved([orders, act, table.reveal(third, [orders])])
    assert not found(table, made)
    assert thrown(made) != thrown(table.resolved(papers(table, orders)))
    assert [(one["act"], one["player"]) for one in shown(made, "act")] == [("passed_over", second)]
    assert made.game.state.players[PlayerId(second)].passed_over
    assert refused(table, [orders, act, over(table, third, [orders])]) == {"nobody-rolls"}
    other = simple(table, 2)
    assert refused(table, [other, act, table.reveal(third, [other])]) == {"other-orders"}
    quiet = take_acts([act], table.file)._replace(documents=())
    loose = made_by_host(table, [orders, table.reveal(third, [orders])], both(table, third), quiet)
    assert found(table, loose) == {"no-reveal-needed", "reveal-missing"}


def test_l05_the_host_with_the_next_player_chooses_his_dice_and_nothing_shows(table: Table) -> None:
    tries = []
    for number in range(6):
        orders = changed(simple(table), salt=encode(bytes([number] * 16)))
        made = table.resolved(papers(table, orders))
        assert not found(table, made)
        tries.append(str(thrown(made)))
    assert len(set(tries)) > 1


# --- the turns of his opponents ------------------------------------------------------------------


def test_l06_in_the_turns_of_others_he_chooses_dice_with_none_but_the_one_whose_turn_it_is() -> None:
    table = table_of("ola")
    orders = simple(table)
    assert not found(table, made_by_host(table, [orders]))
    for reveals in ({HOST: link_of(table, HOST, 2)}, {HOST: link_of(table, SEAT)}, {}):
        assert found(table, made_by_host(table, [orders], reveals)) == {"wrong-reveal"}
    assert found(table, made_by_host(table, [orders], both(table, SEAT))) == {"other-reveals"}
    assert refused(table, [changed(orders, person=HOST)]) == {"other-key"}
    tries = [table.resolved([changed(simple(table), salt=encode(bytes([n] * 16)))]) for n in range(6)]
    assert len({str(thrown(made)) for made in tries}) > 1


def test_l07_a_host_who_says_that_his_opponents_orders_did_not_come_has_signed_it() -> None:
    """He knows the dice first, and is no neutral: ask for receipts, and look out for acts."""
    table = table_of("ola")
    orders = simple(table)
    made = table.resolved([], ["ola"])
    assert not found(table, made)
    assert [(act["act"], act["player"]) for act in shown(made, "act")] == [("missed", "ola")]
    tree = receipt_tree(verified(orders, key_of("ola").public), table.file, key_of(HOST))
    problem = broken_by(read_receipt(read(table_text(tree).encode(), "receipt.toml")), made)
    assert problem is not None
    assert problem.code == "received"


def test_l14_with_one_opponent_no_attack_is_made_in_a_turn_that_the_host_says_he_missed() -> None:
    """Nobody is there who could reveal beside him, so he would roll alone for what he alone says."""
    settings = Settings(missed="standing", witness=True)
    table = Table("sv", "standard", 2, 7, settings, plays=SEAT)
    while table.file.game.state.phase != "turn" or first_of(table) != SEAT:
        state = table.file.game.state
        awaited = state.acting[0]
        table.play([table.orders(awaited, set_up(state, awaited, 7)) if state.phase != "turn" else simple(table)])
    state = table.file.game.state
    other = next(name for name in table.names if name != SEAT)
    mine = next(t for t in state.territories_of(PlayerId(other)) if state.has_hostile_neighbour(t, other))
    target = next(t for t in state.board.neighbours[mine] if state.owners[t] != other)
    plan = {"missed": {"place": [mine], "attack": [{"from": mine, "to": target}]}}
    table.play([*papers(table, simple(table)), table.standing(other, plan)])
    made = table.resolved([], [other])
    assert not found(table, made)
    assert not thrown(made)
    assert refused(table, [table.reveal(other)], [other]) == {"no-reveal-needed"}


def test_l08_hands_lie_open_and_cards_are_drawn_by_lot(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = verify_next(table.file, table.resolved(papers(table, simple(table))).text.encode(), "f.toml")
    assert not checked.sealed
    with monkeypatch.context() as patch:
        patch.setattr(resolving, "pick", lambda seed, label, n: n - 1)
        made = table.resolved(papers(table, simple(table)))
    assert any(isinstance(event, CardDrawn) for event in made.game.events)
    assert found(table, made) == {"replay-differs"}


# --- what he says that he is ---------------------------------------------------------------------


def test_l09_who_plays_stands_in_every_game_file(table: Table) -> None:
    made = made_by_host(table, papers(table, simple(table)), both(table, others(table)[1]))

    def plays_not(tree: Tree) -> None:
        del tree["host"]["plays"]

    def plays_another(tree: Tree) -> None:
        tree["host"]["plays"] = "ola"

    def trusted(tree: Tree) -> None:
        tree["rules"]["trusted_host"] = True

    for change in (plays_not, plays_another, trusted):
        assert found(table, altered(made, HOST, change)) == {"replay-differs"}
        first = start(table.invitation, table.joins, key_of(HOST), table.board, table.papers)
        assert found_first(altered(first, HOST, change)) == {"replay-differs"}


def test_l10_a_trusted_host_sees_all_and_every_report_says_so() -> None:
    table = table_of("ola", trusted=True)
    knowledge = host_knowledge(table.file.game, key_of(HOST))
    knowledge.learn(table.file.game.state)
    held = table.file.game.state.missions[PlayerId("liv")]
    assert knowledge.id_of(held) == table.hand("liv").mission
    made = table.resolved([simple(table)])
    for language, words in (("en", "knows all cards and missions"), ("nb", "kjenner alle kort og oppdrag")):
        assert words in report(made, table.file, made.game.events, language).split("\n")[2]


# --- the start -----------------------------------------------------------------------------------


def test_l11_the_deal_follows_from_the_links_of_all_and_of_the_host() -> None:
    table = Table("no", "world", 3, 7, MISSED, plays=SEAT)
    made = start(table.invitation, table.joins, key_of(HOST), table.board, table.papers)
    assert not found_first(made)
    assert [who for who, _ in made.game.evidence.reveals] == sorted([*NAMES[:3], HOST])

    def without(name: str) -> GameFile:
        def change(tree: Tree) -> None:
            tree["evidence"]["reveals"] = [row for row in tree["evidence"]["reveals"] if row[0] != name]

        return altered(made, HOST, change)

    for name in (*NAMES[:3], HOST):
        assert found_first(without(name)) & {"other-reveals", "wrong-reveal"}, name
    for left in table.papers[1:]:
        kept = [one for one in table.papers if one is not left]
        assert codes_of(lambda kept=kept: start(table.invitation, table.joins, key_of(HOST), table.board, kept)) == {  # type: ignore[misc]
            "reveal-missing"
        }
    assert verify_first(made.text.encode(), made.file).counts["reveals"] == 4


def test_l12_a_host_who_has_seen_the_links_of_all_joins_no_other_way() -> None:
    """His own join is in the roster, and the reveals of the others name the roster."""
    table = Table("no", "world", 3, 7, MISSED, plays=SEAT)
    tree = join_tree(table.invitation, SEAT, key_of(SEAT), bytes(range(16)))
    mine = read_join(signed(tree, SEAT), table.invitation, table.board)
    again = Table.at(table, table.file)
    again.joins = [mine if join.player == SEAT else join for join in table.joins]
    tries = ((table.papers, "other-joins"), ([again.roster(), *table.papers[1:]], "other-roster"))
    for papers_, code in tries:
        codes = codes_of(
            lambda papers_=papers_: start(again.invitation, again.joins, key_of(HOST), again.board, papers_)
        )  # type: ignore[misc]
        assert codes == {code}


def test_l13_the_two_chains_of_a_host_who_plays_are_not_the_same() -> None:
    """His seat may have his key, but no salt with which its chain would be that of the host."""
    table = Table("no", "world", 3, 7, MISSED, plays=SEAT)
    nonce = decode(table.invitation.nonce)
    assert encode(anchor(key_of(HOST), nonce, bytes(16))) == table.invitation.anchor, "this salt would do it"
    for salt, good in ((bytes(16), False), (bytes(range(16)), True)):
        tree = join_tree(table.invitation, SEAT, key_of(HOST), salt)
        own = read_join(signed(tree, SEAT, person=HOST), table.invitation, table.board)
        joins = [own if join.player == SEAT else join for join in table.joins]
        if good:
            check_joins(table.invitation, joins)
        else:
            with pytest.raises(RefereeError, match="has the same chain as the host"):
                check_joins(table.invitation, joins)
