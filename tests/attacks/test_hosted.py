"""Attacks by the host of a game, alone or with a player, on dice, orders, seats and what has been.

The host signs whatever he likes, with a program of his own making; everybody else has `verify`.
"""

from itertools import pairwise
from typing import Any

import pytest
from support.attacking import (
    Tree,
    altered,
    changed,
    edited,
    first_of,
    found,
    hosted,
    link_of,
    made_by_host,
    others,
    proofs,
    refused,
    shown,
    simple,
    with_signature,
)
from support.planner import plan
from support.table import HOST, Table, key_of, signed

import referee.documents.resolve as resolving
from referee.documents.acting import missed_act
from referee.documents.acts import take_acts
from referee.documents.base64 import encode
from referee.documents.canonical import digest_of
from referee.documents.gamefile import GameFile
from referee.documents.layout import table_text
from referee.documents.receipts import broken_by, read_receipt, receipt_tree
from referee.documents.signing import Document, read, sign, verified
from referee.documents.verify import Entry, verify_row
from referee.errors import RefereeError
from referee.game.events import BattleFought, CardDrawn
from referee.game.orders import PlayerId


@pytest.fixture(scope="module")
def table() -> Table:
    return hosted()


def dice_of(made: GameFile) -> list[tuple[Any, Any]]:
    return [(event.attack, event.defence) for event in made.game.events if isinstance(event, BattleFought)]


# --- to choose dice ------------------------------------------------------------------------------


def test_h01_the_host_rolls_with_no_other_link_than_his_next_one(table: Table) -> None:
    player, orders = first_of(table), [simple(table)]
    assert not found(table, made_by_host(table, orders))
    host = table.file.game.host
    assert host is not None
    old, third = host.chain, link_of(table, player)
    for value in (link_of(table, HOST, 2), old, third, encode(bytes(32))):
        assert found(table, made_by_host(table, orders, {HOST: value})) == {"wrong-reveal"}
    assert found(table, made_by_host(table, orders, {})) == {"wrong-reveal"}


def test_h02_no_link_of_anybody_is_added_for_the_sake_of_other_dice(table: Table) -> None:
    player, second, _ = others(table)
    for name in (player, second):
        more = {HOST: link_of(table, HOST), name: link_of(table, name)}
        assert found(table, made_by_host(table, [simple(table)], more)) == {"other-reveals"}
    handed = [simple(table), table.reveal(second, [simple(table)])]
    assert refused(table, handed) == {"no-reveal-needed"}


def test_h03_a_program_that_throws_sixes_is_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def sixes(seed: bytes, battle: int, roll: int, attack: int, defence: int) -> Any:
        return (6,) * attack, (1,) * defence

    with monkeypatch.context() as patch:
        patch.setattr(resolving, "battle_dice", sixes)
        made = table.resolved([simple(table)])
    assert all(set(attack) == {6} for attack, _ in dice_of(made))
    assert found(table, made) == {"replay-differs"}


def test_h04_a_program_that_rolls_for_other_orders_or_another_position_is_found(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other digests, another state, turn or game in what the seed is made of."""
    seed = resolving.turn_seed

    for place, value in ((0, "skog"), (2, 99), (3, encode(bytes(32))), (4, [])):

        def other(*parts: Any, place: int = place, value: Any = value) -> bytes:
            return seed(*parts[:place], value, *parts[place + 1 :])

        with monkeypatch.context() as patch:
            patch.setattr(resolving, "turn_seed", other)
            made = table.resolved([simple(table)])
        assert found(table, made) == {"replay-differs"}


def test_h05_what_is_drawn_is_the_top_of_the_pile(table: Table) -> None:
    made = made_by_host(table, [simple(table)])
    drawn = [event for event in made.game.events if isinstance(event, CardDrawn)]
    assert drawn, "somebody conquers in this turn"

    def another(tree: Tree) -> None:
        event = next(one for one in tree["events"] if one["kind"] == "card_drawn")
        pile, hand = tree["deck"]["pile"], tree["hands"][drawn[0].player]
        event["card"], pile[4] = pile[4], event["card"]
        hand[-1] = event["card"]

    assert found(table, altered(made, HOST, another)) == {"replay-differs"}


def test_h06_the_dice_of_orders_that_nobody_knows_are_not_foreseen(table: Table) -> None:
    """The host knows his link and the position; the sixteen random bytes in the orders are the player's."""
    one = simple(table)
    other = changed(one, salt=encode(bytes(16)))
    assert dice_of(table.resolved([one])) != dice_of(table.resolved([other]))


def test_h07_a_host_with_the_player_chooses_dice_and_nothing_shows(table: Table) -> None:
    """He tells his link; she tries salts until her dice are good. The file passes: this is what a witness is for."""
    tries = [table.resolved([changed(simple(table), salt=encode(bytes([n] * 16)))]) for n in range(8)]
    thrown = [sum(sum(attack) - sum(defence) for attack, defence in dice_of(made)[:1]) for made in tries]
    assert max(thrown) > min(thrown)
    assert all(not found(table, made) for made in tries)


# --- orders --------------------------------------------------------------------------------------


def receipt(table: Table, orders: Document) -> Any:
    tree = receipt_tree(verified(orders, key_of(first_of(table)).public), table.file, key_of(HOST))
    return read_receipt(read(table_text(tree).encode(), "receipt.toml"))


def broken(table: Table, orders: Document, made: GameFile) -> str:
    problem = broken_by(receipt(table, orders), made)
    return problem.code if problem else ""


def test_h08_the_host_gives_no_orders_in_the_name_of_a_player(table: Table) -> None:
    player, good = first_of(table), simple(table)
    record = key_of(player).public
    assert refused(table, [changed(good, person=HOST)]) == {"other-key"}
    assert refused(table, [changed(good, by=HOST)]) == {"other-signer"}
    assert refused(table, [edited(good, place={})]) == {"wrong-signature"}
    own = changed(good, person=HOST)
    assert refused(table, [with_signature(good.tree, player, record, own)]) == {"wrong-signature"}

    def forged(tree: Tree) -> None:
        tree["evidence"]["documents"][0] = {**own.tree, "signature": sign(own.tree, key_of(HOST), player)}

    assert found(table, altered(made_by_host(table, [good]), HOST, forged)) == {"other-key"}


@pytest.mark.parametrize("kind", ["standing", "resignation", "vote"])
def test_h09_the_host_says_nothing_else_in_the_name_of_a_player(table: Table, kind: str) -> None:
    _, second, _ = others(table)
    good = {
        "standing": lambda: table.standing(second, {"defend": {"dice": 1}}),
        "resignation": lambda: table.resignation(second),
        "vote": lambda: table.vote(second),
    }[kind]()
    rest = [simple(table), *([table.vote(name) for name in others(table) if name != second] if kind == "vote" else [])]
    assert not refused(table, [*rest, good])
    assert refused(table, [*rest, changed(good, person=HOST)]) == {"other-key"}
    assert refused(table, [*rest, changed(good, by=HOST)]) == {"other-signer"}


def test_h10_orders_of_another_turn_position_or_game_are_not_played(table: Table) -> None:
    good, later = simple(table), hosted()
    later.play([simple(later)])
    assert refused(later, [good]) == {"other-turn"}
    assert refused(later, [changed(good, turn=later.file.game.turn)]) == {"other-state"}
    other = Table("no", "world", 3, 8)
    assert refused(other, [changed(good, turn=1)]) == {"other-state"}
    assert refused(other, [changed(good, game="skog")]) == {"other-game"}


def test_h11_a_host_who_plays_earlier_orders_than_he_has_a_receipt_for_is_shown_up(table: Table) -> None:
    """Of two orders that one player has signed he may take those whose dice he likes better."""
    early, late = simple(table, 1), simple(table, 2)
    assert not found(table, table.resolved([early]))
    assert broken(table, late, table.resolved([early])) == "received"
    assert broken(table, early, table.resolved([early, late])) == ""


def test_h12_a_host_who_says_that_received_orders_did_not_come_is_shown_up(table: Table) -> None:
    player = first_of(table)
    made = table.resolved([], [player])
    assert not found(table, made)
    assert [(act["act"], act["player"]) for act in shown(made, "act")] == [("missed", player)]
    assert broken(table, simple(table), made) == "received"


def test_h13_a_turn_without_orders_says_why(table: Table) -> None:
    """No orders and no act: the file does not pass, and an act signed by nobody or by a player does not help."""
    player = first_of(table)
    made = made_by_host(table, [], acts=take_acts([act_document(table, player)], table.file))
    assert not found(table, made)

    def no_act(tree: Tree) -> None:
        tree["evidence"]["documents"] = []

    def by_player(tree: Tree) -> None:
        act = {key: value for key, value in tree["evidence"]["documents"][0].items() if key != "signature"}
        tree["evidence"]["documents"][0] = {**act, "signature": sign(act, key_of(player), player)}

    assert found(table, altered(made, HOST, no_act)) == {"orders-missing"}
    assert found(table, altered(made, HOST, by_player)) == {"wrong-act"}


def act_document(table: Table, player: str) -> Document:
    tree = missed_act(table.file, PlayerId(player), key_of(HOST))
    return tree if isinstance(tree, Document) else read(table_text(tree).encode(), "act.toml")


# --- missed turns with attacks -------------------------------------------------------------------


def with_a_plan() -> Table:
    """Return a game in which the one who is awaited has left a plan with attacks for a missed turn."""
    table = hosted(missed="standing")
    second = others(table)[1]
    state = table.file.game.state
    mine = next(t for t in state.territories_of(second) if state.has_hostile_neighbour(t, second))
    target = next(t for t in state.board.neighbours[mine] if state.owners[t] != second)
    entry = {"from": mine, "to": target}
    table.play([simple(table), table.standing(second, {"missed": {"place": [mine], "attack": [entry]}})])
    assert first_of(table) == second
    return table


def test_h14_attacks_of_a_missed_turn_need_a_link_that_is_not_the_hosts() -> None:
    table = with_a_plan()
    player, following, third = others(table)
    good = table.reveal(following)
    made = table.resolved([good], [player])
    assert not found(table, made)
    assert dice_of(made)
    assert refused(table, [], [player]) == {"reveal-missing"}
    assert refused(table, [changed(good, person=HOST)], [player]) == {"other-key"}
    assert refused(table, [changed(good, reveal=link_of(table, following, 2))], [player]) == {"other-chain"}
    assert refused(table, [table.reveal(following, [simple(table)])], [player]) == {"other-orders"}
    assert refused(table, [table.reveal(third)], [player]) == {"no-reveal-needed", "reveal-missing"}
    acts = take_acts([act_document(table, player)], table.file)
    assert found(table, made_by_host(table, [], acts=acts)) == {"reveal-missing"}
    both = {HOST: link_of(table, HOST), following: link_of(table, following)}
    assert found(table, made_by_host(table, [], both, acts)) == {"reveal-missing"}


def test_h15_a_host_who_keeps_a_reveal_back_has_signed_that_it_did_not_come() -> None:
    """He may look at the dice first: then no attack is made, and his two acts stand there."""
    table = with_a_plan()
    player, following, _ = others(table)
    made = table.resolved([], [player, following])
    assert not found(table, made)
    assert not dice_of(made)
    assert {act["player"] for act in shown(made, "act")} == {player, following}


def test_h16_a_host_with_the_next_player_chooses_the_dice_of_a_missed_turn_and_nothing_shows() -> None:
    """They know both links, and what the file says beside the orders, such as a deadline, they choose."""
    tries = []
    for minute in range(6):
        table = hosted(missed="standing")
        second = others(table)[1]
        state = table.file.game.state
        mine = next(t for t in state.territories_of(second) if state.has_hostile_neighbour(t, second))
        target = next(t for t in state.board.neighbours[mine] if state.owners[t] != second)
        attack = table.standing(second, {"missed": {"place": [mine], "attack": [{"from": mine, "to": target}]}})
        table.play([simple(table), attack, table.deadline(f"2027-01-31T20:0{minute}:00Z")])
        made = table.resolved([table.reveal(others(table)[1])], [second])
        assert not found(table, made)
        tries.append(tuple(dice_of(made)))
    assert len(set(tries)) > 1


# --- seats, rules, results -----------------------------------------------------------------------


def test_h17_who_takes_a_seat_stands_in_the_game_file_for_ever(table: Table) -> None:
    """The host may give a seat to whom he likes, for instance to himself under another name; everybody sees it."""
    again = Table.at(table, table.file)
    player = first_of(again)
    change = again.substitution(player, "sigrid")
    made = again.resolved([*change, again.orders(player, orders_body(again, player))])
    assert not found(again, made)
    assert [(act["act"], act["player"]) for act in shown(made, "act")] == [("substitute", player)]
    person = made.game.people[player]
    assert (person.key, person.former[0].key) == (key_of("sigrid").public, key_of(player).public)


def orders_body(table: Table, player: PlayerId) -> dict[str, Any]:
    hand = tuple(table.hand(player).cards.values())
    return plan(table.file.game.state, player, hand, seed=1)


def test_h18_nobody_takes_a_seat_without_a_join_of_his_own_for_this_game(table: Table) -> None:
    again = Table.at(table, table.file)
    player, second, _ = others(again)
    act, join, invitation = again.substitution(player, "sigrid")
    orders = again.orders(player, orders_body(again, PlayerId(player)))
    assert not refused(again, [act, join, invitation, orders])
    assert refused(again, [act, invitation, orders]) == {"no-join"}
    assert refused(again, [join, invitation, orders]) == {"no-act"}
    assert refused(again, [act, edited(join, title="Per"), invitation, orders]) == {"no-join", "no-act"}
    assert refused(again, [act, with_signature(join.tree, player, join.tree["key"], act), invitation, orders]) == {
        "wrong-signature"
    }
    stolen = again.join_of(player, second)
    taken = changed(act, join=digest_of(stolen.tree))
    assert refused(again, [taken, stolen, invitation, orders]) == {"same-key", "same-anchor"}


CHANGES = {
    "a rule": lambda tree: tree["rules"].update(fortify="connected"),
    "a setting": lambda tree: tree["rules"].update(missed_limit=1),
    "a key": lambda tree: tree["players"]["kari"].update(key=key_of("sigrid").public),
    "a seal key": lambda tree: tree["players"]["kari"].update(seal_key=key_of("sigrid").seal_public),
    "a chain of a player": lambda tree: tree["players"]["kari"].update(chain=encode(bytes(32))),
    "his own chain": lambda tree: tree["host"].update(chain=encode(bytes(32))),
    "his own key": lambda tree: tree["host"].update(key=key_of("sigrid").public),
    "the secret that he is bound to": lambda tree: tree["host"].update(secret_commitment=encode(bytes(32))),
    "links": lambda tree: tree["host"].update(links=9),
    "armies": lambda tree: tree["armies"].update(alaska=tree["armies"]["alaska"] + 1),
    "an owner": lambda tree: tree["owners"].update(alaska="ola" if tree["owners"]["alaska"] != "ola" else "kari"),
    "whose turn it is": lambda tree: tree.update(acting=["kari" if tree["acting"] == ["ola"] else "ola"]),
    "the number of the turn": lambda tree: tree.update(turn=tree["turn"] + 1),
    "the file before": lambda tree: tree.update(previous=encode(bytes(32))),
    "the start seed": lambda tree: tree.update(start_seed=encode(bytes(32))),
    "a deadline": lambda tree: tree.update(deadline="2027-01-31T20:00:00Z"),
    "standing orders": lambda tree: tree.update(standing={"kari": {"sequence": 1, "defend": {"dice": 1}}}),
    "missed turns": lambda tree: tree["players"]["kari"].update(missed=3),
    "the luck of somebody": lambda tree: tree["luck"]["kari"].update(taken=tree["luck"]["kari"]["taken"] + 1),
    "a card of a hand": lambda tree: tree["hands"].update(kari=["deck/1/40"]),
    "the order of the pile": lambda tree: tree["deck"]["pile"].reverse(),
    "a commitment": lambda tree: tree["deck"]["commitments"][0].reverse(),
    "an event left out": lambda tree: tree["events"].pop(),
}


@pytest.mark.parametrize("what", CHANGES)
def test_h19_a_host_who_changes_something_by_hand_is_found(table: Table, what: str) -> None:
    made = made_by_host(table, [simple(table)])
    assert not found(table, altered(made, HOST, lambda tree: None))
    forged = altered(made, HOST, CHANGES[what])
    assert forged.text != altered(made, HOST, lambda tree: None).text
    assert found(table, forged) == {"replay-differs"}


# --- what has been -------------------------------------------------------------------------------


def test_h20_two_files_of_one_turn_are_proof_against_the_host(table: Table) -> None:
    first, second = (table.resolved([simple(table, sequence)]) for sequence in (1, 2))
    assert not found(table, first)
    assert not found(table, second)
    assert proofs(first, second) == ["fork"]
    assert proofs(first, first._replace(text=first.text.replace("\n", "\r\n"))) == []


def test_h21_what_has_been_is_not_written_anew() -> None:
    """A host who plays an old turn otherwise has no orders for what comes after it."""
    table = hosted()
    start = table.file
    texts = [start, table.play([simple(table)]), table.play([simple(table)])]
    orders = list(shown(texts[2], "orders"))
    table.file = start
    texts[1] = table.play([simple(table, 2)])
    again = [read(table_text(dict(one)).encode(), "orders.toml") for one in orders]
    assert refused(table, again) == {"other-state"}
    by_name = {f"{one.game.turn}.toml": one.text.encode() for one in texts}
    rows = [Entry(name, turn) for name, turn in zip(by_name, (one.game.turn for one in texts), strict=True)]
    with pytest.raises(RefereeError) as caught:
        list(verify_row(rows, by_name.__getitem__))
    assert {problem.code for problem in caught.value.problems} == {"other-state"}


def test_h22_no_turn_is_left_out(table: Table) -> None:
    again = Table.at(table, table.file)
    files = [again.file, again.play([simple(again)]), again.play([simple(again)])]
    assert all(one.game.turn + 1 == other.game.turn for one, other in pairwise(files))
    assert found(table, files[2]) == {"other-turn"}
    by_name = {f"{one.game.turn}.toml": one.text.encode() for one in files}
    with pytest.raises(RefereeError) as caught:
        list(verify_row([Entry(name, int(name[:-5])) for name in list(by_name)[::2]], by_name.__getitem__))
    assert {problem.code for problem in caught.value.problems} == {"gap"}


def test_h23_a_host_who_leaves_out_what_holds_later_is_seen_by_its_sender(table: Table) -> None:
    """Standing orders, a resignation: what is not in the next game file has not come, and is sent again."""
    second = others(table)[1]
    standing = table.standing(second, {"defend": {"dice": 1}})
    without, with_it = table.resolved([simple(table)]), table.resolved([simple(table), standing])
    assert not found(table, without)
    assert not shown(without, "standing")
    assert [one["player"] for one in shown(with_it, "standing")] == [second]
    again = Table.at(table, table.file)
    again.play([simple(again)])
    assert not refused(again, [simple(again), standing])


def test_h24_the_host_passes_nobody_over_and_acts_for_nobody(table: Table) -> None:
    game = table.file.game
    head = {"format": "referee/act/1", "game": game.name, "turn": game.turn, "state": table.file.digest}
    player = first_of(table)
    over = signed({**head, "act": "passed_over", "player": player, "orders": []}, HOST)
    assert refused(table, [simple(table), over]) == {"host-rolls"}
    out = signed({**head, "act": "resign", "player": player}, HOST)
    assert refused(table, [simple(table), out]) == {"unknown-act"}
    deadline = signed({**head, "act": "deadline", "deadline": "2027-01-31T20:00:00Z"}, player)
    assert refused(table, [simple(table), deadline]) == {"wrong-act"}
