"""Attacks on the start of a game: seats, land, missions and decks follow from links and joins.

With the quick start the host's link is the only one, and he knows it before anybody joins. With the careful start the
links of all go in, and none is revealed before it is settled who plays.
"""

from collections.abc import Callable
from typing import Any

import pytest
from support.attacking import Tree, altered, changed, codes_of, found_first
from support.table import HOST, NAMES, Table, key_of, signed

import referee.documents.start as starting
from referee.documents.base64 import decode, encode
from referee.documents.chains import link
from referee.documents.gamefile import GameFile, written
from referee.documents.invitation import Join, read_invitation, read_join
from referee.documents.resolve import whole
from referee.documents.signing import verified
from referee.documents.start import first_game, join_tree, nothing_hidden, start
from referee.documents.verify import verify_first
from referee.errors import RefereeError
from referee.game.rules import Settings

# --- the quick start -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def quick() -> Table:
    return Table("no", "mission", 3, 7)


def begun(table: Table, joins: list[Join] | None = None) -> GameFile:
    return start(table.invitation, table.joins if joins is None else joins, key_of(HOST), table.board)


def joined(table: Table, name: str, salt: bytes) -> Join:
    tree = join_tree(table.invitation, name, key_of(name), salt)
    return read_join(signed(tree, name), table.invitation, table.board)


def test_b01_the_host_begins_with_the_link_that_he_has_published(quick: Table) -> None:
    made = begun(quick)
    assert not found_first(made)

    def other_link(value: str) -> Callable[[Tree], None]:
        def change(tree: Tree) -> None:
            tree["evidence"]["reveals"] = [[HOST, value]]

        return change

    second = encode(link(key_of(HOST), decode(quick.invitation.nonce), b"", 2))
    for value in (second, quick.invitation.anchor, encode(bytes(32))):
        assert found_first(altered(made, HOST, other_link(value))) == {"wrong-reveal"}

    def none(tree: Tree) -> None:
        tree["evidence"]["reveals"] = []

    assert found_first(altered(made, HOST, none)) == {"wrong-reveal"}
    for part, code in (("anchor", "other-chain"), ("secret_commitment", "other-secret")):
        assert codes_of(lambda part=part: begun_with(quick, **{part: encode(bytes(32))})) == {code}  # type: ignore[misc]


def begun_with(table: Table, **host: str) -> GameFile:
    """Begin with an invitation in which the host publishes something that does not follow from his key."""
    again = Table.at(table, table.file)
    tree = {**table.invited.tree, "host": {**table.invited.tree["host"], **host}}
    again.invitation = read_invitation(signed(tree, HOST, "invitation.toml"))
    return begun(again, [joined(again, join.player, decode(join.salt)) for join in table.joins])


def test_b02_seats_and_land_are_not_given_by_hand(quick: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def as_it_was(seed: bytes, label: str, items: Any) -> Any:
        return tuple(items)

    with monkeypatch.context() as patch:
        patch.setattr(starting, "shuffle", as_it_was)
        made = begun(quick)
    assert found_first(made) == {"replay-differs"}


def test_b03_a_host_who_leaves_a_join_out_has_another_deal_and_the_one_left_out_sees_it(quick: Table) -> None:
    """Where more may play than must, who is taken is the host's word; with the careful start the deal is not known."""
    four = Table("no", "mission", 4, 7)
    made = begun(four, four.joins[:3])
    assert not found_first(made)
    assert NAMES[3] not in made.game.people
    assert made.game.start_seed != four.file.game.start_seed


def test_b04_with_the_quick_start_a_host_with_a_player_chooses_the_deal_and_nothing_shows(quick: Table) -> None:
    """The player tries salts in his join until seats, land and missions suit them; each of these games passes."""
    deals = []
    for number in range(12):
        joins = [joined(quick, NAMES[0], bytes([number] * 16)), *quick.joins[1:]]
        made = begun(quick, joins)
        deals.append(tuple(made.game.state.players))
        assert not found_first(made)
    assert len(set(deals)) > 1, "among a dozen tries he has the seat that he wants"


def test_b08_a_player_alone_does_not_know_what_his_join_leads_to(quick: Table) -> None:
    """The host's first link is in no file before the first game file."""
    value = encode(link(key_of(HOST), decode(quick.invitation.nonce), b"", 1))
    for text in (quick.invited.source.text, *(join.signed.source.text for join in quick.joins)):
        assert value not in "".join(text.split())
    assert value in "".join(quick.file.text.split())


def test_b09_a_join_is_for_one_invitation(quick: Table) -> None:
    """A host who changes the invitation after the joins have come has none that answers it."""
    again = Table.at(quick, quick.file)
    tree = {**quick.invited.tree, "deadline": "2027-01-31T20:00:00Z"}
    again.invitation = read_invitation(signed(tree, HOST, "invitation.toml"))
    for join in quick.joins:
        document = signed(join.signed.tree, join.player)
        assert codes_of(lambda document=document: read_join(document, again.invitation, again.board)) == {  # type: ignore[misc]
            "other-invitation"
        }

    def another(tree: Tree) -> None:
        tree["evidence"]["documents"][0] = whole(again.invitation.signed)

    assert found_first(altered(begun(quick), HOST, another)) == {"other-invitation"}


# --- the careful start ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table() -> Table:
    return Table("no", "world", 3, 7, Settings(missed="default"), hosted=False)


def beginning(table: Table) -> GameFile:
    return start(table.invitation, table.joins, key_of(NAMES[0]), table.board, table.papers)


def test_b05_the_deal_follows_from_the_links_of_all(table: Table) -> None:
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


def test_b06_an_opener_who_begins_anew_with_another_roster_gets_no_old_reveals(table: Table) -> None:
    """He has seen all links; with a new salt in his own join the deal would be another one."""
    salt = bytes(16)
    tree = join_tree(table.invitation, NAMES[0], key_of(NAMES[0]), salt)
    mine = read_join(signed(tree, NAMES[0]), table.invitation, table.board)
    again = Table.at(table, table.file)
    again.joins = [mine, *table.joins[1:]]
    papers = [again.roster(), again.start_reveal(NAMES[0]), *table.papers[2:]]
    with pytest.raises(RefereeError, match="bound to another roster"):
        start(table.invitation, again.joins, key_of(NAMES[0]), table.board, papers)


def test_b07_two_who_share_a_chain_are_found(table: Table) -> None:
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


def test_b10_the_salt_of_a_join_is_chosen_before_any_link_is_known(table: Table) -> None:
    """The roster names the joins, and each reveal names the roster: no other join and no other link go with them."""
    roster, *reveals = table.papers
    first = reveals[0]
    for values, codes in (
        ({"reveal": encode(bytes(32))}, {"other-chain"}),
        ({"reveal": str(reveals[1].tree["reveal"])}, {"other-chain"}),
        ({"state": encode(bytes(32))}, {"other-roster"}),
        ({"orders": list(reversed(first.tree["orders"]))}, {"other-roster"}),
        ({"turn": 1}, {"other-game"}),
    ):
        papers = [roster, changed(first, **values), *reveals[1:]]  # type: ignore[arg-type]
        assert codes_of(lambda papers=papers: careful(table, papers)) == codes, values  # type: ignore[misc]
    stolen = changed(first, person=NAMES[1])
    assert codes_of(lambda: careful(table, [roster, stolen, *reveals[1:]])) == {"other-key"}
    assert codes_of(lambda: careful(table, [roster, *reveals[:-1]])) == {"reveal-missing"}


def careful(table: Table, papers: list[Any]) -> GameFile:
    return start(table.invitation, table.joins, key_of(NAMES[0]), table.board, papers)


def test_b11_the_roster_is_the_openers(table: Table) -> None:
    roster, *reveals = table.papers
    assert codes_of(lambda: careful(table, [changed(roster, by=NAMES[1]), *reveals])) == {"other-signer"}
    assert codes_of(lambda: careful(table, [changed(roster, person=NAMES[1]), *reveals])) == {"other-key"}
    fewer = changed(roster, joins=roster.tree["joins"][:-1])
    assert codes_of(lambda: careful(table, [fewer, *reveals])) == {"other-joins"}
    assert codes_of(lambda: careful(table, [roster, roster, *reveals])) == {"no-roster"}


def test_b12_seats_and_land_of_a_table_game_are_not_given_by_hand(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(starting, "shuffle", lambda seed, label, items: tuple(items))
        made = beginning(table)
    assert found_first(made) == {"replay-differs"}


def test_b13_a_player_who_shares_the_chain_of_the_host_is_found() -> None:
    """With the careful start of a hosted game: the host has told her his first link, and she enters with it."""
    table = Table("no", "mission", 3, 7, Settings(missed="default", start="careful"))
    nonce, name = decode(table.invitation.nonce), NAMES[1]
    first, second = (encode(link(key_of(HOST), nonce, b"", number)) for number in (1, 2))
    tree = {**join_tree(table.invitation, name, key_of(name), decode(table.joins[1].salt)), "anchor": first}
    again = Table.at(table, table.file)
    shared = read_join(signed(tree, name), table.invitation, table.board)
    again.joins = [table.joins[0], shared, table.joins[2]]
    papers = [again.roster(), *(again.start_reveal(one) for one in (NAMES[0], NAMES[2]))]
    papers.append(changed(again.start_reveal(name), reveal=second))
    assert codes_of(lambda: start(again.invitation, again.joins, key_of(HOST), again.board, papers)) == {"value-seen"}
