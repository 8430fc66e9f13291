"""Attacks on table games, by players with their own keys and a program that checks nothing before it signs.

The attacker may make any file that he can sign; whoever verifies it must find out. What he is not able to make at all,
such as the signature or the link of another, is not tried: that is what the cryptography is for.
"""

import json
from collections.abc import Sequence

import pytest
from support.codes import bare
from support.planner import plan, set_up
from support.table import NAMES, Table, key_of, signed

from referee.documents.acts import Acts, take_acts
from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import host_knowledge, seal_keys_of
from referee.documents.canonical import digest_of
from referee.documents.chains import link
from referee.documents.gamefile import GameFile, open_game, written
from referee.documents.intake import take_in
from referee.documents.invitation import read_join
from referee.documents.receipts import broken_by, read_receipt, receipt_tree
from referee.documents.resolve import advance, full_knowledge
from referee.documents.signing import Document, verified
from referee.documents.start import first_game, join_tree, nothing_hidden, start
from referee.documents.verify import Entry, forks, verify_first, verify_next
from referee.errors import RefereeError
from referee.game.events import CardDrawn
from referee.game.orders import PlayerId
from referee.game.rules import Settings
from referee.game.state import SET_UP

NONE = Acts()


def at_play(players: int = 3, variant: str = "world", edition: str = "no") -> Table:
    """Return a table at the first turn; who has it is `table.file.game.state.acting[0]`."""
    table = Table(edition, variant, players, 7, Settings(missed="default"), hosted=False)
    while table.file.game.state.phase in SET_UP:
        table.play([table.orders(player, set_up(table.file.game.state, player, 7)) for player in awaited(table)])
    return table


def awaited(table: Table) -> tuple[PlayerId, ...]:
    return table.file.game.state.acting


def simple(table: Table, sequence: int = 1) -> Document:
    """Return orders of the one who has the turn, with attacks."""
    player = awaited(table)[0]
    hand = tuple(table.hand(player).cards.values())
    return table.orders(player, plan(table.file.game.state, player, hand, seed=sequence), sequence)


def link_of(table: Table, name: str, ahead: int = 1) -> str:
    person = table.file.game.people[PlayerId(name)]
    return encode(link(key_of(name), decode(table.file.game.nonce), decode(person.salt), person.links + ahead))


def made_by(
    table: Table, name: str, orders: Sequence[Document], reveals: dict[str, str], acts: Acts = NONE
) -> GameFile:
    """Make and sign the next game file with whatever links, asking nothing."""
    intake = take_in(list(orders), table.file, lambda _: None)
    knows = full_knowledge(host_knowledge(table.file.game, key_of(name)), seal_keys_of(key_of(name)), lambda _: None)
    game = advance(table.file, intake, tuple(sorted(reveals.items())), acts, knows)
    return written(game, key_of(name), name)


def found(table: Table, made: GameFile) -> set[str]:
    """Return the codes with which a file is refused; nothing if it passes."""
    try:
        verify_next(table.file, made.text.encode(), made.file)
    except RefereeError as error:
        return {bare(problem.code) for problem in error.problems}
    return set()


@pytest.fixture(scope="module")
def table() -> Table:
    return at_play()


def others(table: Table) -> tuple[str, str, str]:
    """Return who has the turn, who rolls for him, and the third."""
    state = table.file.game.state
    first = awaited(table)[0]
    second = state.after(first)
    return first, second, state.after(second)


def test_the_file_of_who_should_roll_passes(table: Table) -> None:
    _, roller, _ = others(table)
    made = made_by(table, roller, [simple(table)], {roller: link_of(table, roller)})
    assert not found(table, made)
    assert made.text == table.resolved([simple(table)]).text


def test_nobody_rolls_for_his_own_orders(table: Table) -> None:
    player, roller, _ = others(table)
    assert found(table, made_by(table, player, [simple(table)], {player: link_of(table, player)})) == {"wrong-reveal"}
    both = {player: link_of(table, player), roller: link_of(table, roller)}
    assert found(table, made_by(table, player, [simple(table)], both)) == {"other-reveals"}


def test_nobody_rolls_whose_turn_it_is_not(table: Table) -> None:
    _, roller, third = others(table)
    assert found(table, made_by(table, third, [simple(table)], {third: link_of(table, third)})) == {"wrong-reveal"}
    assert found(table, made_by(table, third, [simple(table)], {roller: link_of(table, roller)})) == {"other-signer"}


def test_no_other_link_than_the_next_one_is_rolled_with(table: Table) -> None:
    _, roller, third = others(table)
    for reveals in ({roller: link_of(table, roller, 2)}, {roller: link_of(table, third)}, {}):
        assert found(table, made_by(table, roller, [simple(table)], reveals)) == {"wrong-reveal"}
    more = {roller: link_of(table, roller), third: link_of(table, third)}
    assert found(table, made_by(table, roller, [simple(table)], more)) == {"other-reveals"}


def test_dice_and_cards_are_not_chosen(table: Table) -> None:
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


def test_who_rolls_does_not_call_orders_missed_alone(table: Table) -> None:
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


def test_nobody_is_passed_over_after_the_dice_are_known(table: Table) -> None:
    """The act names the orders: for other orders, with other dice, it says nothing."""
    _, roller, third = others(table)
    first, second = simple(table, 1), simple(table, 2)
    acts = take_acts(table.acts("passed_over", roller, orders=[digest_of(first.tree)]), table.file)
    reveals = {third: link_of(table, third)}
    assert not found(table, made_by(table, third, [first], reveals, acts))
    loose = acts._replace(passed_for=())
    assert found(table, made_by(table, third, [second], reveals, loose)) == {"other-orders"}
    quiet = acts._replace(passed_over=(), passed_for=())
    assert found(table, made_by(table, third, [first], reveals, quiet)) == {"replay-differs"}


def test_with_two_players_nothing_is_said_of_who_is_absent() -> None:
    table = at_play(2, "standard", "sv")
    player, roller, _ = others(table)
    acts = Acts(
        missed=(PlayerId(player),),
        documents=tuple(verified(one, key_of(roller).public) for one in table.acts("missed", player)),
    )
    assert found(table, made_by(table, roller, [], {roller: link_of(table, roller)}, acts)) == {"too-few-decide"}


def test_two_files_of_one_roller_are_proof_against_him(table: Table) -> None:
    first, second = (table.resolved([simple(table, sequence)]) for sequence in (1, 2))
    files = {"one.toml": first.text.encode(), "two.toml": second.text.encode()}
    assert first.text != second.text
    assert not found(table, first)
    assert not found(table, second)
    problems = forks([Entry(name, first.game.turn) for name in files], lambda name: files[name])
    assert [bare(problem.code) for problem in problems] == ["fork"]


def test_a_receipt_is_proof_against_the_roller_who_played_other_orders(table: Table) -> None:
    _, roller, _ = others(table)
    early, late = simple(table, 1), simple(table, 2)
    received = verified(late, key_of(awaited(table)[0]).public)
    tree = receipt_tree(received, table.file, key_of(roller))
    receipt = read_receipt(signed({k: v for k, v in tree.items() if k != "signature"}, roller, "receipt.toml"))
    problem = broken_by(receipt, table.resolved([early]))
    assert problem is not None
    assert problem.code == "received"
    assert roller in problem.hint
    assert broken_by(receipt, table.resolved([late])) is None
    over = table.acts("passed_over", roller, orders=[digest_of(early.tree)])
    assert broken_by(receipt, table.resolved([early, *over])) is None, "who is passed over has played nothing"


# --- the start -----------------------------------------------------------------------------------


def beginning(table: Table) -> GameFile:
    return start(table.invitation, table.joins, key_of(NAMES[0]), table.board, table.papers)


def test_the_deal_follows_from_the_links_of_all(table: Table) -> None:
    roster, *reveals = table.papers
    made = beginning(table)
    assert verify_first(made.text.encode(), made.file).file.digest == made.digest
    for leave_out in reveals:
        kept = tuple(
            (one.signature.by, str(one.tree["reveal"])) for one in reveals if one is not leave_out and one.signature
        )
        papers = [
            verified(one, key_of(one.signature.by).public)
            for one in (roster, *reveals)
            if one is not leave_out and one.signature
        ]
        game = first_game(table.invitation, table.joins, kept, table.board, nothing_hidden, papers)
        forged = written(game, key_of(NAMES[0]), NAMES[0])
        with pytest.raises(RefereeError, match="reveal"):
            verify_first(forged.text.encode(), forged.file)


def test_an_opener_who_begins_anew_with_another_roster_gets_no_old_reveals(table: Table) -> None:
    """He has seen all links; with a new salt in his own join the deal would be another one."""
    salt = bytes(16)
    tree = join_tree(table.invitation, NAMES[0], key_of(NAMES[0]), salt)
    mine = read_join(signed(tree, NAMES[0]), table.invitation, table.board)
    again = Table.at(table, table.file)
    again.joins = [mine, *table.joins[1:]]
    papers = [again.roster(), again.start_reveal(NAMES[0]), *table.papers[2:]]
    with pytest.raises(RefereeError, match="bound to another roster"):
        start(table.invitation, again.joins, key_of(NAMES[0]), table.board, papers)


def test_two_who_share_a_chain_are_found(table: Table) -> None:
    """The second enters with the first one's next link as his anchor, so both would know both."""
    stolen = encode(link(key_of(NAMES[0]), decode(table.invitation.nonce), decode(table.joins[0].salt), 1))
    tree = {**join_tree(table.invitation, NAMES[1], key_of(NAMES[1]), decode(table.joins[1].salt)), "anchor": stolen}
    again = Table.at(table, table.file)
    again.joins = [table.joins[0], read_join(signed(tree, NAMES[1]), table.invitation, table.board), *table.joins[2:]]
    roster = again.roster()
    own = {
        **again.start_reveal(NAMES[1]).tree,
        "reveal": encode(link(key_of(NAMES[0]), decode(table.invitation.nonce), decode(table.joins[0].salt), 2)),
    }
    papers = [roster, again.start_reveal(NAMES[0]), signed(own, NAMES[1]), again.start_reveal(NAMES[2])]
    with pytest.raises(RefereeError, match="has occurred in this game before"):
        start(table.invitation, again.joins, key_of(NAMES[0]), table.board, papers)


# --- capitals ------------------------------------------------------------------------------------


def test_a_capital_is_not_changed_after_those_of_others_are_known() -> None:
    table = Table("da", "hq", 3, 7, hosted=False)
    while table.file.game.state.phase == "deploy":
        table.play([table.orders(player, set_up(table.file.game.state, player, 7)) for player in awaited(table)])
    own = {player: table.file.game.state.territories_of(player) for player in awaited(table)}
    table.play([table.orders(player, {"capital": own[player][0]}) for player in awaited(table)])
    papers = [table.orders(player, {}) for player in awaited(table)]
    assert not found(table, table.resolved(papers))
    for change in ({"capital": own[awaited(table)[0]][1]}, {"opening": encode(bytes(16))}, {"capital": "Alaska"}):
        forged = signed({**papers[0].tree, **change}, awaited(table)[0])
        with pytest.raises(RefereeError, match="is not the capital to which"):
            table.resolved([forged, *papers[1:]])


def test_nothing_in_a_table_game_is_hidden_from_who_verifies(table: Table) -> None:
    made = table.resolved([simple(table)])
    checked = verify_next(table.file, made.text.encode(), made.file)
    assert not checked.sealed
    assert json.dumps(checked.counts)
