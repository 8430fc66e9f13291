"""The end of a chain: 4,096 links and no more, also of one that somebody has made longer than he may.

Who computes a chain of his own can go on for ever: his anchor does not show its length. Only counting ends it.
"""

import pytest
from support.codes import bare
from support.planner import plan, set_up
from support.table import Table, key_of, signed

from referee.documents.acts import Acts
from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import host_knowledge, seal_keys_of
from referee.documents.chains import LENGTH, link, step
from referee.documents.gamefile import GameFile, open_game, written
from referee.documents.intake import take_in
from referee.documents.resolve import advance, full_knowledge
from referee.documents.reveals import check_reveals
from referee.documents.rolling import roller_of
from referee.documents.signing import Document, verified
from referee.documents.verify import verify_next
from referee.errors import BadSignature, IllegalOrders, RefereeError, UnreadableDocument
from referee.game.orders import PlayerId
from referee.game.state import SET_UP

BEYOND = bytes(range(32))
"""A link that nobody could have who has a chain of the right length."""


def at_play(hosted: bool) -> Table:
    table = Table("no", "world", 3, 7, hosted=hosted)
    while table.file.game.state.phase in SET_UP:
        state = table.file.game.state
        table.play([table.orders(player, set_up(state, player, 7)) for player in state.acting])
    return table


def with_links(table: Table, links: int, head: bytes) -> GameFile:
    """Return the game file as if so many links of the roller had been revealed, up to a head."""
    game = table.file.game
    roller = roller_of(game)
    if game.host is not None:
        game = game._replace(host=game.host._replace(links=links, chain=encode(head)))
    else:
        own = game.people[PlayerId(roller.name)]._replace(links=links, chain=encode(head))
        game = game._replace(people={**game.people, PlayerId(roller.name): own})
    return written(game, key_of(roller.name), roller.name)


def orders(table: Table) -> Document:
    player = table.file.game.state.acting[0]
    return table.orders(player, plan(table.file.game.state, player, tuple(table.hand(player).cards.values())))


def made(before: GameFile, document: Document, value: bytes) -> GameFile:
    """Make and sign the next game file with this link, asking nothing."""
    roller = roller_of(before.game)
    key = key_of(roller.name)
    knows = full_knowledge(host_knowledge(before.game, key), seal_keys_of(key), lambda _: None)
    intake = take_in([document], before, lambda _: None)
    game = advance(before, intake, ((roller.name, encode(value)),), Acts(), knows)
    return written(game, key, roller.name)


def refused(before: GameFile, file: GameFile) -> set[str]:
    try:
        verify_next(before, file.text.encode(), file.file)
    except RefereeError as error:
        return {bare(problem.code) for problem in error.problems}
    return set()


@pytest.mark.parametrize("hosted", [True, False], ids=["hosted", "table"])
@pytest.mark.parametrize("links", [LENGTH - 1, LENGTH])
def test_the_last_link_is_rolled_with_and_none_after_it(hosted: bool, links: int) -> None:
    table = at_play(hosted)
    before = with_links(table, links, step(BEYOND))
    table.file = before
    file = made(before, orders(table), BEYOND)
    assert refused(before, file) == ({"chain-used-up"} if links == LENGTH else set())


@pytest.mark.parametrize("hosted", [True, False], ids=["hosted", "table"])
def test_whoever_has_no_link_left_cannot_resolve(hosted: bool) -> None:
    table = at_play(hosted)
    roller = roller_of(table.file.game)
    game = table.file.game
    head = link(key_of(roller.name), decode(game.nonce), decode(roller.salt), LENGTH)
    table.file = with_links(table, LENGTH, head)
    with pytest.raises(IllegalOrders, match="is used up: the game is over"):
        table.resolved([orders(table)])


@pytest.mark.parametrize("hosted", [True, False], ids=["hosted", "table"])
def test_whoever_has_another_chain_than_the_file_says_cannot_resolve(hosted: bool) -> None:
    table = at_play(hosted)
    table.file = with_links(table, roller_of(table.file.game).links, BEYOND)
    with pytest.raises(BadSignature) as caught:
        table.resolved([orders(table)])
    assert [problem.code for problem in caught.value.problems] == ["other-chain"]


def test_a_player_reveals_no_link_beyond_his_last() -> None:
    """Where players reveal beside the host, their chains end as his does."""
    table = at_play(hosted=True)
    game = table.file.game
    player = game.state.after(game.state.acting[0])
    reveal = {
        "format": "referee/reveal/1", "game": game.name, "nonce": game.nonce, "turn": game.turn,
        "state": table.file.digest, "orders": [], "player": player, "reveal": encode(BEYOND),
    }  # fmt: skip
    document = verified(signed(reveal, player), key_of(player).public)
    for links in (LENGTH - 1, LENGTH):
        own = game.people[player]._replace(links=links, chain=encode(step(BEYOND)))
        before = table.file._replace(game=game._replace(people={**game.people, player: own}))
        if links < LENGTH:
            assert check_reveals(before, [document], [player], []) == ((player, encode(BEYOND)),)
        else:
            with pytest.raises(IllegalOrders, match="is used up: the game is over"):
                check_reveals(before, [document], [player], [])


@pytest.mark.parametrize("hosted", [True, False], ids=["hosted", "table"])
def test_a_link_out_of_step_is_refused(hosted: bool) -> None:
    """The one before, the same again, or the one after next."""
    table = at_play(hosted)
    roller = roller_of(table.file.game)
    nonce, salt = decode(table.file.game.nonce), decode(roller.salt)
    for away in (-1, 0, 2):
        number = roller.links + away
        if number >= 0:
            value = link(key_of(roller.name), nonce, salt, number)
            assert refused(table.file, made(table.file, orders(table), value)) == {"wrong-reveal"}


def test_a_file_that_states_more_links_than_there_are_is_not_read() -> None:
    beyond = with_links(at_play(hosted=True), LENGTH + 1, BEYOND)
    with pytest.raises(UnreadableDocument, match="links"):
        open_game(beyond.text.encode(), board_by_name, beyond.file)
