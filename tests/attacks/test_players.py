"""Attacks by a player alone, in a game with a host: on dice, orders, turns and the words of others."""

import re
from hashlib import sha256

import pytest
from support.attacking import (
    altered,
    changed,
    codes_of,
    first_of,
    found,
    hosted,
    link_of,
    made_by_host,
    others,
    refused,
    simple,
)
from support.nonces import other_signature
from support.table import HOST, Table, key_of, signed

from referee.documents.acts import take_acts
from referee.documents.base64 import decode, encode
from referee.documents.canonical import canonical
from referee.documents.chains import passed
from referee.documents.layout import table_text
from referee.documents.receipts import broken_by, read_receipt, receipt_tree
from referee.documents.resolve import resolve
from referee.documents.secrets import game_secret
from referee.documents.signing import Document, message, read, verified


@pytest.fixture(scope="module")
def table() -> Table:
    return hosted()


def test_y01_nothing_that_is_sent_holds_a_link_that_is_still_to_come(table: Table) -> None:
    """Of every value in a game file those of the links ahead, and the secret, are not among them."""
    again = Table.at(table, table.file)
    ahead = {link_of(again, name, k) for name in (HOST, *again.names) for k in range(1, 40)}
    ahead.add(encode(game_secret(key_of(HOST), decode(again.file.game.nonce))))
    texts = [again.invited.source.text, *(join.signed.source.text for join in again.joins), again.file.text]
    for text in texts:
        values = set(re.findall(r"[A-Za-z0-9+/]{43}", "".join(text.split())))
        assert not values & ahead
        joined = "".join(text.split())
        assert not [value for value in ahead if value in joined]


def test_y02_no_link_is_computed_from_those_that_were_revealed(table: Table) -> None:
    """Whoever has seen the head can go back along a chain, never forward."""
    host = table.file.game.host
    assert host is not None
    seen = passed(decode(host.chain), host.links)
    assert decode(link_of(table, HOST)) not in seen
    assert refused(table, [simple(table), table.reveal(others(table)[1])]) == {"no-reveal-needed"}
    for value in seen:
        assert found(table, made_by_host(table, [simple(table)], {HOST: encode(value)})) == {"wrong-reveal"}


def test_y03_orders_that_come_after_the_turn_change_nothing(table: Table) -> None:
    again = Table.at(table, table.file)
    late = simple(again, 9)
    again.play([simple(again)])
    assert refused(again, [late]) == {"other-turn"}
    assert refused(again, [changed(late, turn=again.file.game.turn)]) == {"other-state"}
    assert "not-awaited" in refused(
        again, [changed(late, turn=again.file.game.turn, state=again.file.digest, sequence=1)]
    )


def test_y04_of_two_orders_with_one_number_none_is_played(table: Table) -> None:
    one = simple(table, 1)
    other = changed(simple(table, 2), sequence=1)
    assert refused(table, [one, other]) == {"same-sequence"}
    assert refused(table, [other, one]) == {"same-sequence"}
    assert not refused(table, [one, simple(table, 2)])


def test_y05_signing_again_with_another_nonce_gives_no_other_dice(table: Table) -> None:
    """An Ed25519 signer may choose the first half of a signature; dice come from what is said, not from that."""
    one, player = simple(table), first_of(table)
    value = other_signature(sha256(player.encode()).digest(), message(one.format, canonical(one.tree)), b"mine")
    halves = [encode(value[:32]), encode(value[32:])]
    tree = {**one.tree, "signature": {"by": player, "key": key_of(player).public, "value": halves}}
    again = read(table_text(tree).encode(), "orders.toml")
    assert verified(again, key_of(player).public).signature != one.signature.value  # type: ignore[union-attr]
    first, second = table.resolved([one]), table.resolved([again])
    assert first.game.events == second.game.events
    assert table.resolved([one, again]).text == table.resolved([again, one]).text


def test_y06_nobody_speaks_for_another_player(table: Table) -> None:
    player, second, _ = others(table)
    good = simple(table)
    for document in (good, table.standing(player, {"defend": {"dice": 1}}), table.resignation(player)):
        rest = [] if document is good else [good]
        assert refused(table, [*rest, changed(document, by=second)]) == {"other-signer"}
        assert refused(table, [*rest, changed(document, person=second)]) == {"other-key"}
    assert refused(table, [good, changed(good, by=second, player=second)]) == {"not-awaited"}


def test_y07_no_player_makes_the_next_game_file(table: Table) -> None:
    player = first_of(table)
    made = made_by_host(table, [simple(table)])
    assert found(table, altered(made, player, lambda tree: None)) == {"other-signer"}
    assert found(table, altered(made, player, lambda tree: None, HOST)) == {"other-key"}
    assert codes_of(lambda: resolve(table.file, [simple(table)], key_of(player))) == {"not-the-host"}


def receipt(table: Table, orders: Document, signer: str = HOST, by: str = "") -> Document:
    tree = receipt_tree(verified(orders, key_of(first_of(table)).public), table.file, key_of(HOST))
    plain = {key: value for key, value in tree.items() if key != "signature"}
    return signed(plain, by or signer, "receipt.toml", signer)


def test_y08_no_receipt_is_forged_to_accuse_the_host(table: Table) -> None:
    played, other, player = simple(table, 2), simple(table, 1), first_of(table)
    made = table.resolved([played])
    assert codes_of(lambda: broken_by(read_receipt(receipt(table, other, player)), made)) == {"other-signer"}
    assert codes_of(lambda: broken_by(read_receipt(receipt(table, other, player, HOST)), made)) == {"other-key"}
    assert broken_by(read_receipt(receipt(table, other)), made) is None, "she has signed later orders herself"


def test_y09_orders_are_not_denied_by_who_signed_them(table: Table) -> None:
    """What stands in a game file has its signature; nobody else could have made it."""
    made = table.resolved([simple(table)])
    given = next(one for one in made.game.evidence.documents if one["format"] == "referee/orders/1")
    orders = read(table_text(dict(given)).encode())
    assert verified(orders, key_of(first_of(table)).public).by == first_of(table)
    assert codes_of(lambda: verified(orders, key_of(HOST).public)) == {"other-key"}


def test_y10_nobody_calls_another_missed_or_takes_his_seat(table: Table) -> None:
    player, second, _ = others(table)
    game = table.file.game
    head = {"format": "referee/act/1", "game": game.name, "turn": game.turn, "state": table.file.digest}
    for tree in (
        {**head, "act": "missed", "player": player},
        {**head, "act": "deadline", "deadline": "2027-01-31T20:00:00Z"},
        {**head, "act": "substitute", "player": player, "join": encode(bytes(32))},
    ):
        assert codes_of(lambda tree=tree: take_acts([signed(tree, second)], table.file)) == {"wrong-act"}  # type: ignore[misc]
        forged = signed(tree, HOST, person=second)
        assert codes_of(lambda forged=forged: take_acts([forged], table.file)) == {"other-key"}  # type: ignore[misc]


def test_y11_a_player_who_leaves_out_his_orders_stalls_until_he_is_called_missed(table: Table) -> None:
    player = first_of(table)
    assert refused(table, []) == {"orders-missing"}
    made = table.resolved([], [player])
    assert not found(table, made)
    assert made.game.state.players[player].missed == 1


def test_y12_no_draw_is_agreed_without_all(table: Table) -> None:
    player, second, third = others(table)
    votes = {name: table.vote(name) for name in (player, second, third)}
    assert refused(table, [simple(table), votes[player], votes[second]]) == {"votes-missing"}
    forged = changed(votes[third], person=second)
    assert refused(table, [simple(table), votes[player], votes[second], forged]) == {"other-key"}
    again = Table.at(table, table.file)
    again.play([simple(again)])
    assert refused(again, [simple(again), *votes.values()]) == {"other-turn"}
