"""Attacks by who carries the mail, and by strangers: they have no key of the game, but every file that was sent."""

from collections.abc import Callable
from typing import Any

import pytest
from support.attacking import (
    altered,
    changed,
    codes_of,
    edited,
    first_of,
    found,
    hosted,
    link_of,
    made_by_host,
    others,
    refused,
    simple,
    unsigned,
    with_signature,
)
from support.planner import set_up
from support.table import HOST, NAMES, Table, key_of, signed

from referee.documents.acts import take_acts
from referee.documents.base64 import encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import open_sealed_part
from referee.documents.gamefile import open_game
from referee.documents.hand import open_hand
from referee.documents.invitation import check_joins, read_invitation, read_join
from referee.documents.layout import table_text
from referee.documents.receipts import broken_by, read_receipt, receipt_tree
from referee.documents.resolve import whole
from referee.documents.sealing import open_to_host
from referee.documents.signing import Document, read, verified
from referee.documents.start import start
from referee.errors import RefereeError

STRANGER = "mallory"


@pytest.fixture(scope="module")
def table() -> Table:
    return hosted()


Sent = Callable[[Table], tuple[Document, Callable[[Document], set[str]]]]


def _orders(table: Table) -> Any:
    return simple(table), lambda one: refused(table, [one])


def _standing(table: Table) -> Any:
    standing = table.standing(others(table)[1], {"defend": {"dice": 1}})
    return standing, lambda one: refused(table, [simple(table), one])


def _resignation(table: Table) -> Any:
    return table.resignation(others(table)[1]), lambda one: refused(table, [simple(table), one])


def _deadline(table: Table) -> Any:
    return table.deadline("2027-01-31T20:00:00Z"), lambda one: refused(table, [simple(table), one])


def _join(table: Table) -> Any:
    join = read(table_text(whole(table.joins[0].signed)).encode(), "join.toml")
    return join, lambda one: codes_of(lambda: read_join(one, table.invitation, table.board))


def _invitation(table: Table) -> Any:
    return table.invited, lambda one: codes_of(lambda: read_invitation(one))


def _receipt(table: Table) -> Any:
    tree = receipt_tree(verified(simple(table), key_of(first_of(table)).public), table.file, key_of(HOST))
    made = table.resolved([simple(table)])
    receipt = read(table_text(tree).encode(), "receipt.toml")
    return receipt, lambda one: codes_of(lambda: broken_by(read_receipt(one), made))


def _game_file(table: Table) -> Any:
    made = made_by_host(table, [simple(table)])
    document = read(made.text.encode(), "fjord.toml", 1 << 24)
    return document, lambda one: codes_of(lambda: open_game(one, board_by_name, "fjord.toml"))


SENT: dict[str, Sent] = {
    "orders": _orders,
    "standing orders": _standing,
    "a resignation": _resignation,
    "an act": _deadline,
    "a join": _join,
    "an invitation": _invitation,
    "a receipt": _receipt,
    "a game file": _game_file,
}


@pytest.mark.parametrize("what", SENT)
def test_p01_what_is_changed_in_the_mail_is_refused(table: Table, what: str) -> None:
    document, hand_in = SENT[what](table)
    assert not hand_in(document)
    for key, value in document.tree.items():
        if key == "format" or not isinstance(value, (int, str)):
            continue
        other = value + 1 if isinstance(value, int) else value[:-1] + ("a" if value[-1:] != "a" else "b")
        codes = hand_in(edited(document, **{key: other}))
        assert codes, key
    plain = {"note": "A greeting."} if what in ("orders", "standing orders") else {"note": ""}
    assert hand_in(edited(document, **plain))


@pytest.mark.parametrize("what", SENT)
def test_p02_what_has_lost_its_signature_is_refused(table: Table, what: str) -> None:
    document, hand_in = SENT[what](table)
    assert hand_in(unsigned(document)) == {"not-signed"}


@pytest.mark.parametrize("what", SENT)
def test_p03_what_a_stranger_signs_in_the_name_of_another_is_refused(table: Table, what: str) -> None:
    """With his own key under the name of another, and under the other's key."""
    document, hand_in = SENT[what](table)
    signature = document.signature
    assert signature is not None
    own = changed(document, person=STRANGER)
    assert own.signature is not None
    assert hand_in(own) == {"other-key"}
    assert hand_in(with_signature(document.tree, signature.by, signature.key, own)) == {"wrong-signature"}
    assert hand_in(with_signature(document.tree, STRANGER, own.signature.key, own))


@pytest.mark.parametrize("what", SENT)
def test_p04_other_lines_and_quotes_do_no_harm(table: Table, what: str) -> None:
    """What mail does to a text on its way changes nothing; so nothing need be sent twice."""
    document, hand_in = SENT[what](table)
    text = table_text({**document.tree, "signature": _table(document)}).replace("\n", "\r\n")
    assert not hand_in(read(text.encode(), document.source.file, 1 << 24))


def _table(document: Document) -> dict[str, Any]:
    assert document.signature is not None
    value = document.signature.value
    return {
        "by": document.signature.by, "key": document.signature.key,
        "value": [encode(value[:32]), encode(value[32:])],
    }  # fmt: skip


def test_p05_what_was_sent_once_is_not_played_again(table: Table) -> None:
    again = Table.at(table, table.file)
    orders, standing = simple(again), again.standing(others(again)[1], {"defend": {"dice": 1}})
    leaving, deadline = again.resignation(others(again)[2]), again.deadline("2027-01-31T20:00:00Z")
    again.play([orders, standing, deadline])
    for old in (orders, leaving):
        assert refused(again, [simple(again), old]) == {"other-turn"}
    assert refused(again, [simple(again), deadline]) == {"other-turn"}
    assert refused(again, [simple(again), standing]) == {"old-sequence"}


def test_p06_nothing_of_one_game_is_played_in_another_of_the_same_name(table: Table) -> None:
    other = Table("no", "world", 3, 8)
    while other.file.game.state.phase != "turn":
        state = other.file.game.state
        other.play([other.orders(player, set_up(state, player, 7)) for player in state.acting])
    assert other.file.game.name == table.file.game.name
    orders = changed(simple(table), player=first_of(other), by=first_of(other))
    assert refused(other, [orders]) == {"other-state"}
    standing = table.standing(others(other)[1], {"defend": {"dice": 1}})
    assert refused(other, [simple(other), standing]) == {"other-game"}
    assert codes_of(lambda: take_acts([table.deadline("2027-01-31T20:00:00Z")], other.file)) == {"other-state"}
    assert codes_of(lambda: check_joins_of(other, table)) == {"other-invitation"}


def check_joins_of(invited: Table, joined: Table) -> None:
    for join in joined.joins:
        read_join(read(table_text(whole(join.signed)).encode(), "join.toml"), invited.invitation, invited.board)


def test_p07_files_that_come_twice_or_in_another_order_change_nothing(table: Table) -> None:
    orders, standing = simple(table), table.standing(others(table)[1], {"defend": {"dice": 1}})
    made = table.resolved([orders, standing])
    assert table.resolved([standing, orders, standing, orders]).text == made.text


def test_p08_who_keeps_a_correction_back_is_shown_up_by_what_was_played(table: Table) -> None:
    """The first orders are played then; a receipt names those that came."""
    early, late = simple(table, 1), simple(table, 2)
    played = table.resolved([early])
    assert not found(table, played)
    assert played.game.evidence.documents[0]["sequence"] == 1
    assert table.resolved([early, late]).game.evidence.documents[0]["sequence"] == 2


# --- to read what is sealed ----------------------------------------------------------------------


def test_p09_nobody_reads_what_is_sealed_to_another() -> None:
    table = hosted("mission")
    file = table.file
    for name in (STRANGER, *NAMES[3:]):
        assert codes_of(lambda name=name: open_hand(file, key_of(name))) == {"other-key"}  # type: ignore[misc]
    kari, ola = (player for player in file.game.state.players if player in ("kari", "ola"))
    exchanged = file.game.sealed[kari]
    stolen = file._replace(game=file.game._replace(sealed={**file.game.sealed, ola: exchanged}))
    assert codes_of(lambda: open_hand(stolen, key_of("ola"))) == {"not-opened"}
    for card in file.game.state.board.cards:
        assert f'"{card}"' not in file.text.partition("[hands]")[2].partition("[")[0]


def test_p10_first_armies_are_not_read_before_all_have_placed() -> None:
    table = Table("no", "world", 3, 7)
    state = table.file.game.state
    orders = table.orders(state.acting[0], set_up(state, state.acting[0], 7))
    game, box = table.file.game, orders.tree["sealed"]["box"]
    assert "deploy" not in orders.tree
    assert open_to_host(key_of(HOST), game.name, game.nonce, state.acting[0], table.file.digest, box)
    for name in (*NAMES[:3], STRANGER):
        with pytest.raises(RefereeError):
            open_to_host(key_of(name), game.name, game.nonce, state.acting[0], table.file.digest, box)


def test_p11_the_box_of_another_is_not_handed_in_as_ones_own() -> None:
    """A player who copies what somebody has sealed learns nothing, and it does not open as his."""
    table = Table("no", "world", 3, 7)
    state = table.file.game.state
    one, other = state.acting[:2]
    theirs = table.orders(one, set_up(state, one, 7))
    copied = changed(table.orders(other, set_up(state, other, 7)), sealed=theirs.tree["sealed"])
    assert codes_of(lambda: open_sealed_part(copied, table.file, key_of(HOST))) == {"not-opened"}
    own = table.orders(other, set_up(state, other, 7))
    mixed = {"box": own.tree["sealed"]["box"], "commitment": theirs.tree["sealed"]["commitment"]}
    assert codes_of(lambda: open_sealed_part(changed(own, sealed=mixed), table.file, key_of(HOST))) == {
        "wrong-commitment"
    }


# --- to stand in between -------------------------------------------------------------------------


def test_p12_an_invitation_that_was_exchanged_leads_to_joins_that_are_refused(table: Table) -> None:
    """Who answers the invitation of a stranger does not join the host's; the fingerprints differ from the start."""
    tree = {**table.invited.tree, "host": {**table.invited.tree["host"], "key": key_of(STRANGER).public}}
    false = read_invitation(signed(tree, HOST, "invitation.toml", STRANGER))
    assert false.signed.digest != table.invitation.signed.digest
    between = Table.at(table, table.file)
    between.invitation = false
    join = between.join_of("kari", "kari")
    assert not codes_of(lambda: read_join(join, false, table.board))
    assert codes_of(lambda: read_join(join, table.invitation, table.board)) == {"other-invitation"}


def test_p13_a_seat_that_is_fixed_goes_to_its_name_once(table: Table) -> None:
    """Whose key it is nobody can tell but those who know each other: of two joins under one name none is taken."""
    join = table.join_of("kari", STRANGER)
    taken = read_join(join, table.invitation, table.board)
    assert codes_of(lambda: check_joins(table.invitation, [*table.joins, taken])) == {"same-id"}
    fixed = signed({**table.invited.tree, "seats": ["kari", "ola", "liv"]}, HOST, "invitation.toml")
    again = Table.at(table, table.file)
    again.invitation = read_invitation(fixed)
    stranger = again.join_of(STRANGER, STRANGER)
    assert codes_of(lambda: read_join(stranger, again.invitation, table.board)) == {"other-seats"}


def test_p14_keys_and_chains_of_others_are_not_joined_with(table: Table) -> None:
    kari, rest = table.joins[0], table.joins[:2]
    for values, codes in (
        ({"key": kari.key}, {"other-key"}),
        ({"seal_key": kari.seal_key}, {"same-key"}),
        ({"anchor": kari.anchor}, {"same-anchor"}),
        ({"anchor": table.invitation.anchor}, {"same-anchor"}),
        ({"seal_key": table.invitation.seal_key}, {"same-key"}),
    ):
        join = table.join_of("per", "per")

        def joins(join: Document = join, values: dict[str, str] = values) -> None:
            own = read_join(changed(join, **values), table.invitation, table.board)
            check_joins(table.invitation, [*rest, own])

        assert codes_of(joins) == codes, values
    assert not codes_of(lambda: start(table.invitation, table.joins, key_of(HOST), table.board))


def test_p15_a_stranger_makes_no_game_file(table: Table) -> None:
    made = made_by_host(table, [simple(table)])
    assert found(table, altered(made, STRANGER, lambda tree: None)) == {"other-signer"}
    assert found(table, altered(made, STRANGER, lambda tree: None, HOST)) == {"other-key"}

    def another_host(tree: dict[str, Any]) -> None:
        tree["host"]["key"] = key_of(STRANGER).public

    forged = altered(made, STRANGER, another_host, HOST)
    assert not codes_of(lambda: open_game(forged.text.encode(), board_by_name, "f.toml"))
    assert found(table, forged) == {"other-key"}, "that is why one verifies a file with the one before it"
    assert found(table, made_by_host(table, [simple(table)], {HOST: link_of(table, first_of(table))}))
