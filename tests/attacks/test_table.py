"""Attacks on table games, by players with their own keys and a program that checks nothing before it signs."""

import json
from pathlib import Path

import pytest
from support.attacking import (
    altered,
    at_play,
    changed,
    codes_of,
    edited,
    first_of,
    found,
    link_of,
    made_by,
    others,
    proofs,
    refused,
    roller,
    shown,
    simple,
    unsigned,
)
from support.planner import set_up
from support.table import Table, key_of, signed

from referee.cli.overlooking import refuse_to_overlook
from referee.documents.acts import Acts, take_acts
from referee.documents.base64 import encode
from referee.documents.boards import board_by_name
from referee.documents.canonical import digest_of
from referee.documents.gamefile import GameFile, open_game, written
from referee.documents.receipts import broken_by, read_receipt, receipt_tree
from referee.documents.signing import Document, read, verified
from referee.documents.verify import verify_next
from referee.errors import RefereeError
from referee.game.events import BattleFought, CardDrawn
from referee.game.orders import PlayerId
from referee.game.rules import Settings


def table_of(players: int = 3, variant: str = "world", edition: str = "no") -> Table:
    """Return a table at the first turn."""
    return at_play(Table(edition, variant, players, 7, Settings(missed="default"), hosted=False))


@pytest.fixture(scope="module")
def table() -> Table:
    return table_of()


def test_t01_the_file_of_who_should_roll_passes(table: Table) -> None:
    _, roller, _ = others(table)
    made = made_by(table, roller, [simple(table)], {roller: link_of(table, roller)})
    assert not found(table, made)
    assert made.text == table.resolved([simple(table)]).text


def test_t02_nobody_rolls_for_his_own_orders(table: Table) -> None:
    player, roller, _ = others(table)
    assert found(table, made_by(table, player, [simple(table)], {player: link_of(table, player)})) == {"wrong-reveal"}
    both = {player: link_of(table, player), roller: link_of(table, roller)}
    assert found(table, made_by(table, player, [simple(table)], both)) == {"other-reveals"}


def test_t03_nobody_rolls_whose_turn_it_is_not(table: Table) -> None:
    _, roller, third = others(table)
    assert found(table, made_by(table, third, [simple(table)], {third: link_of(table, third)})) == {"wrong-reveal"}
    assert found(table, made_by(table, third, [simple(table)], {roller: link_of(table, roller)})) == {"other-signer"}


def test_t04_no_other_link_than_the_next_one_is_rolled_with(table: Table) -> None:
    _, roller, third = others(table)
    for reveals in ({roller: link_of(table, roller, 2)}, {roller: link_of(table, third)}, {}):
        assert found(table, made_by(table, roller, [simple(table)], reveals)) == {"wrong-reveal"}
    more = {roller: link_of(table, roller), third: link_of(table, third)}
    assert found(table, made_by(table, roller, [simple(table)], more)) == {"other-reveals"}


def test_t05_dice_and_cards_are_not_chosen(table: Table) -> None:
    _, roller, _ = others(table)
    made = made_by(table, roller, [simple(table)], {roller: link_of(table, roller)})
    drawn = [event for event in made.game.events if isinstance(event, CardDrawn)]
    assert drawn, "somebody conquers in this turn"
    other = next(card for card in table.file.game.state.pile if card != drawn[0].card)
    events = tuple(event._replace(card=other) if event is drawn[0] else event for event in made.game.events)
    hands = {p: tuple(other if c == drawn[0].card else c for c in h) for p, h in made.game.state.hands.items()}
    pile = tuple(sorted({*made.game.state.pile, drawn[0].card} - {other}))
    state = made.game.state._replace(hands=hands, pile=pile)
    forged = written(made.game._replace(events=events, state=state), key_of(roller), roller)
    open_game(forged.text.encode(), board_by_name, forged.file)
    assert found(table, forged) == {"replay-differs"}


def test_t06_who_rolls_does_not_call_orders_missed_alone(table: Table) -> None:
    player, roller, third = others(table)
    both = table.acts("missed", player)
    assert {act.signature.by for act in both if act.signature} == {roller, third}
    acts = take_acts(both, table.file)
    alone = acts._replace(documents=tuple(act for act in acts.documents if act.by == roller))
    made = made_by(table, roller, [], {roller: link_of(table, roller)}, alone)
    assert found(table, made) == {"signatures-missing"}
    forged = signed(both[0].tree, third, person=roller)
    with pytest.raises(RefereeError, match="the key on record"):
        take_acts([forged, *(act for act in both if act.signature and act.signature.by == roller)], table.file)
    twice = acts._replace(documents=tuple(act for act in acts.documents if act.by == roller) * 2)
    made = made_by(table, roller, [], {roller: link_of(table, roller)}, twice)
    assert found(table, made) == {"signatures-missing"}


def test_t07_who_is_passed_over_is_so_for_orders_that_are_named(table: Table) -> None:
    """For other orders, with other dice, the act says nothing."""
    _, roller, third = others(table)
    first, second = simple(table, 1), simple(table, 2)
    acts = take_acts(table.acts("passed_over", roller, orders=[digest_of(first.tree)]), table.file)
    reveals = {third: link_of(table, third)}
    assert not found(table, made_by(table, third, [first], reveals, acts))
    loose = acts._replace(passed_for=())
    assert found(table, made_by(table, third, [second], reveals, loose)) == {"other-orders"}
    quiet = acts._replace(passed_over=(), passed_for=())
    assert found(table, made_by(table, third, [first], reveals, quiet)) == {"replay-differs"}


def test_t08_with_two_players_nothing_is_said_of_who_is_absent() -> None:
    table = table_of(2, "standard", "sv")
    player, roller, _ = others(table)
    acts = Acts(
        missed=(PlayerId(player),),
        documents=tuple(verified(one, key_of(roller).public) for one in table.acts("missed", player)),
    )
    assert found(table, made_by(table, roller, [], {roller: link_of(table, roller)}, acts)) == {"too-few-decide"}


def test_t09_two_files_of_one_roller_are_proof_against_him(table: Table) -> None:
    first, second = (table.resolved([simple(table, sequence)]) for sequence in (1, 2))
    assert first.text != second.text
    assert not found(table, first)
    assert not found(table, second)
    assert proofs(first, second) == ["fork"]


def test_t10_a_receipt_is_proof_against_the_roller_who_played_other_orders(table: Table) -> None:
    _, roller, _ = others(table)
    early, late = simple(table, 1), simple(table, 2)
    received = verified(late, key_of(first_of(table)).public)
    tree = receipt_tree(received, table.file, key_of(roller))
    receipt = read_receipt(signed({k: v for k, v in tree.items() if k != "signature"}, roller, "receipt.toml"))
    problem = broken_by(receipt, table.resolved([early]))
    assert problem is not None
    assert problem.code == "received"
    assert roller in problem.hint
    assert broken_by(receipt, table.resolved([late])) is None
    over = table.acts("passed_over", roller, orders=[digest_of(early.tree)])
    assert broken_by(receipt, table.resolved([early, *over])) is None, "who is passed over has played nothing"


# --- capitals ------------------------------------------------------------------------------------


def test_t11_a_capital_is_not_changed_after_those_of_others_are_known() -> None:
    table = Table("da", "hq", 3, 7, hosted=False)
    while table.file.game.state.phase == "deploy":
        table.play(
            [table.orders(player, set_up(table.file.game.state, player, 7)) for player in table.file.game.state.acting]
        )
    own = {player: table.file.game.state.territories_of(player) for player in table.file.game.state.acting}
    table.play([table.orders(player, {"capital": own[player][0]}) for player in table.file.game.state.acting])
    papers = [table.orders(player, {}) for player in table.file.game.state.acting]
    assert not found(table, table.resolved(papers))
    for change in ({"capital": own[first_of(table)][1]}, {"opening": encode(bytes(16))}, {"capital": "Alaska"}):
        forged = signed({**papers[0].tree, **change}, first_of(table))
        with pytest.raises(RefereeError, match="is not the capital to which"):
            table.resolved([forged, *papers[1:]])


def test_t12_nothing_in_a_table_game_is_hidden_from_who_verifies(table: Table) -> None:
    made = table.resolved([simple(table)])
    checked = verify_next(table.file, made.text.encode(), made.file)
    assert not checked.sealed
    assert json.dumps(checked.counts)


# --- what several can do together, and how it shows ----------------------------------------------


def test_t13_all_others_together_call_orders_missed_and_their_acts_stand_there(table: Table) -> None:
    """Whether the orders came nobody can prove without a receipt; with three players two are enough."""
    player, roller, third = others(table)
    made = table.resolved([], [player])
    assert not found(table, made)
    signers = {act["signature"]["by"] for act in shown(made, "act") if act["act"] == "missed"}
    assert signers == {roller, third}
    assert receipt_broken(table, simple(table), made, roller) == "received"


def test_t14_who_is_passed_over_after_he_has_rolled_has_a_file_that_says_otherwise(table: Table) -> None:
    """The others saw his dice and want new ones: two files of one turn, by two; which was there first none can say."""
    player, roller, third = others(table)
    orders = simple(table)
    rolled = table.resolved([orders])
    acts = table.acts("passed_over", roller, orders=[digest_of(orders.tree)])
    made = table.resolved([orders, *acts])
    assert not found(table, made)
    assert {act["signature"]["by"] for act in shown(made, "act")} == {player, third}
    assert made.game.state.players[PlayerId(roller)].passed_over
    assert proofs(rolled, made) == ["fork"]


def test_t15_who_rolls_with_the_one_before_him_chooses_dice_and_nothing_shows(table: Table) -> None:
    tries = [table.resolved([changed(simple(table), salt=encode(bytes([n] * 16)))]) for n in range(8)]
    first = [next(event for event in made.game.events if isinstance(event, BattleFought)) for made in tries]
    thrown = [sum(event.attack) - sum(event.defence) for event in first]
    assert max(thrown) > min(thrown)
    assert all(not found(table, made) for made in tries)


def test_t16_one_player_decides_nothing_for_the_others(table: Table) -> None:
    _player, roller, third = others(table)
    over = table.acts("passed_over", roller, orders=[digest_of(simple(table).tree)])
    join = table.join_of(third, "sigrid")
    seat = [*table.acts("substitute", third, join=digest_of(join.tree)), join, table.invited]
    deadline = table.acts("deadline", deadline="2027-01-31T20:00:00Z")
    for act in (over, seat, deadline):
        assert not refused(table, [simple(table), *act])
        assert refused(table, [simple(table), *act[1:]]) & {"signatures-missing", "no-act"}
        assert refused(table, [simple(table), changed(act[0], person="mallory"), *act[1:]]) == {"other-key"}
        assert refused(table, [simple(table), edited(act[0], turn=1), *act[1:]]) >= {"wrong-signature"}
        assert refused(table, [simple(table), unsigned(act[0]), *act[1:]]) >= {"not-signed"}
    own = changed(over[0], by=roller, person=roller)
    assert refused(table, [simple(table), own, *over[1:]]) == {"wrong-act"}, "the one concerned does not sign"


def test_t17_with_two_players_nothing_is_decided_by_one() -> None:
    table = table_of(2, "standard", "sv")
    player, roller, _ = others(table)
    orders, join = simple(table), table.join_of(player, "sigrid")
    for acts in (
        table.acts("missed", player),
        table.acts("passed_over", roller, orders=[digest_of(orders.tree)]),
        [*table.acts("substitute", player, join=digest_of(join.tree)), join, table.invited],
    ):
        said = acts[0].tree["act"]
        codes = refused(table, [*([] if said == "missed" else [orders]), *acts])
        assert codes & {"too-few-decide", "nobody-rolls"}, said


def test_t18_orders_of_another_turn_game_or_player_are_not_rolled_for(table: Table) -> None:
    _player, roller, third = others(table)
    good, later = simple(table), Table.at(table, table.file)
    later.play([good])
    assert refused(later, [good]) == {"other-turn"}
    assert refused(later, [changed(good, turn=later.file.game.turn)]) == {"other-state"}
    for name in (roller, third):
        assert refused(table, [changed(good, person=name)]) == {"other-key"}
        assert refused(table, [changed(good, by=name)]) == {"other-signer"}
    assert refused(table, [edited(good, place={})]) == {"wrong-signature"}
    assert refused(table, [unsigned(good)]) == {"not-signed"}


def test_t19_no_stranger_makes_a_game_file(table: Table) -> None:
    _, roller, _ = others(table)
    made = made_by(table, roller, [simple(table)])
    assert found(table, altered(made, "mallory", lambda tree: None)) == {"other-signer"}
    assert found(table, altered(made, "mallory", lambda tree: None, roller)) == {"other-key"}


def test_t20_a_receipt_of_somebody_who_does_not_roll_accuses_nobody(table: Table) -> None:
    """The one who has the turn signs two orders, and her friend says that he received those that were not played."""
    _, _, third = others(table)
    early, late = simple(table, 1), simple(table, 2)
    assert receipt_broken(table, late, table.resolved([early]), third) == ""
    lying = [(Path("receipt.toml"), receipt_text(table, late, third).encode())]
    refuse_to_overlook(lying, [early], table.file, [])
    lying = [(Path("receipt.toml"), receipt_text(table, late, others(table)[1]).encode())]
    assert codes_of(lambda: refuse_to_overlook(lying, [early], table.file, [])) == {"receipt-given"}


def test_t21_a_commitment_that_was_copied_opens_nothing() -> None:
    table = Table("da", "hq", 3, 7, hosted=False)
    while table.file.game.state.phase == "deploy":
        awaited = table.file.game.state.acting
        table.play([table.orders(player, set_up(table.file.game.state, player, 7)) for player in awaited])
    names = table.file.game.state.acting
    own = {player: table.file.game.state.territories_of(player)[0] for player in names}
    sent = {player: table.orders(player, {"capital": own[player]}) for player in names}
    copied = changed(sent[names[1]], sealed=sent[names[0]].tree["sealed"])
    table.play([sent[names[0]], copied, sent[names[2]]])
    opened = table.orders(names[0], {})
    same = {key: opened.tree[key] for key in ("capital", "opening")}
    theirs = signed({**table.head(names[1]), **same}, names[1])
    third = table.orders(names[2], {})
    assert refused(table, [opened, theirs, third]) == {"not-yours"}


def test_t22_nobody_rolls_on_a_file_that_somebody_else_has_made_up(table: Table) -> None:
    """A file alone says only who signed it; the file before it says whether he should have."""
    player, _, _ = others(table)
    made = written(table.file.game._replace(deadline="2027-01-31T20:00:00Z"), key_of(player), player)
    assert not codes_of(lambda: open_game(made.text.encode(), board_by_name, made.file))
    before = table_before(table)
    assert codes_of(lambda: verify_next(before.file, made.text.encode(), made.file))


def test_t23_who_has_seen_the_orders_does_not_change_how_he_defends_against_them(table: Table) -> None:
    """His standing orders come into the file that he makes, and hold from the next turn on."""
    _, roller, third = others(table)
    orders = simple(table)
    plain = table.resolved([orders])
    for name in (roller, third):
        changing = table.resolved([orders, table.standing(name, {"defend": {"dice": 1}})])
        assert not found(table, changing)
        assert [one["player"] for one in shown(changing, "standing")] == [name]
        fought = [[e for e in made.game.events if isinstance(e, BattleFought)] for made in (plain, changing)]
        assert fought[0] == fought[1]


def test_t24_two_who_share_a_chain_in_the_middle_of_the_game_roll_with_it_no_more(table: Table) -> None:
    """One takes a new key, with a link that the other has told him as the end of his chain: both would know both."""
    again = Table.at(table, table.file)
    _, second, third = others(again)
    told = link_of(again, third)
    act, join, invitation = again.key_change(second, "new")
    shared = changed(join, person="new", anchor=told)
    act = changed(act, join=digest_of(shared.tree))
    again.play([simple(again), act, shared, invitation])
    again.plays_with(second, "new")
    assert first_of(again) == second
    assert roller(again) == third
    orders = simple(again)
    assert refused(again, [orders]) == {"value-seen"}
    assert found(again, made_by(again, third, [orders])) == {"value-seen"}


def table_before(table: Table) -> Table:
    """Return the same table one file earlier."""
    again = Table("no", "world", 3, 7, Settings(missed="default"), hosted=False)
    while again.file.game.turn < table.file.game.turn - 1:
        state = again.file.game.state
        again.play([again.orders(player, set_up(state, player, 7)) for player in state.acting])
    return again


def receipt_text(table: Table, orders: Document, by: str) -> str:
    """Return the text of a receipt that somebody signs, whether he rolls or not."""
    received = verified(orders, key_of(first_of(table)).public)
    tree = receipt_tree(received, table.file, key_of(by))
    return signed({key: value for key, value in tree.items() if key != "signature"}, by).source.text


def receipt_broken(table: Table, orders: Document, made: GameFile, by: str) -> str:
    problem = broken_by(read_receipt(read(receipt_text(table, orders, by).encode(), "receipt.toml")), made)
    return problem.code if problem else ""
