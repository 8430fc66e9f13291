"""Attacks around a game that goes on without its host, by players and by a host who is not gone after all.

The attacker has his own keys and a program that checks nothing before it signs; whoever verifies must find out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from support.codes import bare
from support.table import HOST, Table, key_of
from test_gone import begun
from test_handing import turn_of
from test_substitutes import played

from referee.documents.acts import take_acts
from referee.documents.base64 import decode, encode
from referee.documents.chains import link
from referee.documents.forks import find_forks
from referee.documents.gamefile import GameFile, written
from referee.documents.hand import commitment_of
from referee.documents.layout import table_text
from referee.documents.resolve import resolve
from referee.documents.signing import Document, read, sign
from referee.documents.verify import Entry, verify_next
from referee.errors import RefereeError
from referee.game.orders import PlayerId


@pytest.fixture(scope="module")
def table() -> Table:
    return begun(turns=9)[-1]


def again(table: Table) -> Table:
    return Table.at(table, table.file)


def signed_anew(act: Document, change: Mapping[str, Any], who: str = "", by: str = "") -> Document:
    """Return an act with something changed, signed by its author or by somebody else."""
    tree = {key: value for key, value in {**act.tree, **change}.items() if key != "signature" and value is not None}
    assert act.signature is not None
    author = by or act.signature.by
    whole = {**tree, "signature": sign(tree, key_of(who or author), author)}
    return read(table_text(whole).encode(), act.source.file)


def refused(table: Table, documents: Sequence[Document]) -> set[str]:
    with pytest.raises(RefereeError) as caught:
        take_acts(documents, table.file)
    return {bare(problem.code) for problem in caught.value.problems}


def found(table: Table, made: GameFile) -> set[str]:
    try:
        verify_next(table.file, made.text.encode(), made.file)
    except RefereeError as error:
        return {bare(problem.code) for problem in error.problems}
    return set()


def hand_of(acts: Sequence[Document], player: str) -> tuple[int, Document]:
    """Return the act that opens a player's hand, and its place."""
    return next(
        (number, act)
        for number, act in enumerate(acts)
        if act.tree["act"] == "open_hand" and act.tree["player"] == player
    )


def with_openings(acts: Sequence[Document], player: str, openings: Sequence[Any]) -> list[Document]:
    number, act = hand_of(acts, player)
    return [*acts[:number], signed_anew(act, {"openings": list(openings)}), *acts[number + 1 :]]


def test_g01_nobody_opens_other_cards_than_he_holds(table: Table) -> None:
    acts = again(table).gone()
    holders = [p for p in table.names if table.file.game.state.hands[PlayerId(p)]]
    player = holders[0]
    rows = hand_of(acts, player)[1].tree["openings"]
    assert len(rows) >= 2, "a card and a mission at least"
    (name, card, salt), *rest = rows
    other = next(one for one in table.file.game.state.board.cards if one != card)
    assert refused(table, with_openings(acts, player, [[name, other, salt], *rest])) == {"wrong-opening"}
    assert refused(table, with_openings(acts, player, [[name, card, encode(bytes(16))], *rest])) == {"wrong-opening"}
    assert refused(table, with_openings(acts, player, rest)) == {"other-hand"}
    assert refused(table, with_openings(acts, player, [*rows, rows[0]])) == {"other-hand"}
    assert refused(table, with_openings(acts, player, rows[::-1])) == {"other-hand"}
    mission = next(f"missions/1/{n}" for n in range(3) if f"missions/1/{n}" != rows[-1][0])
    assert refused(table, with_openings(acts, player, [*rows[:-1], [mission, *rows[-1][1:]]])) == {"other-hand"}


def test_g02_nobody_opens_the_cards_of_another_or_those_of_the_pile(table: Table) -> None:
    acts = again(table).gone()
    one, other = [p for p in table.names if table.file.game.state.hands[PlayerId(p)]][:2]
    theirs = hand_of(acts, other)[1].tree["openings"]
    assert refused(table, with_openings(acts, one, theirs)) == {"other-hand"}
    top = table.file.game.state.pile[0]
    assert commitment_of(top, table.file.game)
    assert refused(table, with_openings(acts, one, [[top, "alaska", encode(bytes(16))], *theirs])) == {"other-hand"}


def test_g03_nobody_speaks_for_another(table: Table) -> None:
    acts = again(table).gone()
    one, other = table.names[:2]
    number, act = hand_of(acts, other)
    forged = signed_anew(act, {}, who=one, by=other)
    assert refused(table, [*acts[:number], forged, *acts[number + 1 :]]) == {"other-key"}
    forged = signed_anew(act, {}, by=one)
    assert refused(table, [*acts[:number], forged, *acts[number + 1 :]]) == {"wrong-act"}
    said = next(act for act in acts if act.tree["act"] == "host_gone")
    assert refused(table, [signed_anew(said, {}, by=HOST)]) == {"wrong-act"}


def test_g04_not_without_all(table: Table) -> None:
    """Neither with a copy missing, nor with one that says something else."""
    acts = again(table).gone()
    for number, act in enumerate(acts):
        if act.tree["act"] == "host_gone":
            rest = [*acts[:number], *acts[number + 1 :]]
            assert "signatures-missing" in refused(table, rest)
            assert refused(table, [*rest, signed_anew(act, {"turn": act.tree["turn"] + 1})]) == {"other-turn"}


def test_g05_the_file_follows_from_the_acts_alone(table: Table) -> None:
    """Who makes it chooses nothing: neither the pile nor a hand, nor whether all have signed."""
    made = _made(table)
    state, roller = made.game.state, made.game.evidence.reveals[0][0]
    fewer = made.game.evidence._replace(documents=made.game.evidence.documents[1:])
    changes: list[Mapping[str, Any]] = [
        {"state": state._replace(pile=state.pile[1:], discards=(*state.discards, state.pile[0]))},
        {"state": state._replace(missions=dict(zip(state.missions, [*state.missions.values()][::-1], strict=True)))},
        {"gone": made.game.gone._replace(since=1) if made.game.gone else None},
        {"opener": next(name for name in table.names if name != made.game.opener)},
        {"evidence": fewer},
    ]
    assert not found(table, made)
    for change in changes:
        forged = written(made.game._replace(**change), key_of(roller), roller)
        assert found(table, forged) & {"replay-differs", "signatures-missing", "hands-missing"}, change


def _made(table: Table) -> GameFile:
    other = again(table)
    return other.resolved(other.gone())


def test_g06_only_the_next_player_makes_it_with_his_next_link(table: Table) -> None:
    made = _made(table)
    roller = made.game.evidence.reveals[0][0]
    game = table.file.game
    for name in (*table.names, HOST):
        person = game.people.get(PlayerId(name))
        salt = decode(person.salt) if person is not None else b""
        for ahead in (1, 2):
            number = (person.links if person is not None else game.keeper.links) + ahead
            value = encode(link(key_of(name), decode(game.nonce), salt, number))
            evidence = made.game.evidence._replace(reveals=((name, value),))
            forged = written(made.game._replace(evidence=evidence), key_of(name), name)
            assert bool(found(table, forged)) == ((name, ahead) != (roller, 1)), (name, ahead)
    (mine,) = made.game.evidence.reveals
    other = next(name for name in table.names if name != roller)
    more = tuple(sorted((mine, (other, encode(bytes(32))))))
    evidence = made.game.evidence._replace(reveals=more)
    assert found(table, written(made.game._replace(evidence=evidence), key_of(roller), roller)) == {"other-reveals"}


def test_g07_a_host_who_is_not_gone_makes_a_fork_and_no_more() -> None:
    table = begun(turns=2)[-1]
    honest = resolve(table.file, [turn_of(table)], key_of(HOST))
    other = again(table)
    made = other.resolved(other.gone())
    texts = {"honest.toml": honest.text.encode(), "gone.toml": made.text.encode()}
    entries = [Entry(name, made.game.turn) for name in texts]
    assert [fork.as_problem().code for fork in find_forks(entries, texts.__getitem__)] == ["fork"]
    played(other, other.gone())
    game = other.file.game
    value = encode(link(key_of(HOST), decode(game.nonce), b"", table.file.game.keeper.links + 1))
    next_one = other.resolved([turn_of(other)])
    evidence = next_one.game.evidence._replace(reveals=((HOST, value),))
    forged = written(next_one.game._replace(evidence=evidence), key_of(HOST), HOST)
    assert found(other, forged)
    with pytest.raises(RefereeError):
        resolve(other.file, [turn_of(other)], key_of(HOST))


def test_g08_a_capital_is_not_moved_when_it_is_opened() -> None:
    table = begun("no", "capitals", turns=1)[-1]
    acts = again(table).gone()
    player = table.names[0]
    number, act = hand_of(acts, player)
    territory, salt = act.tree["capital"]
    mine = table.file.game.state.territories_of(player)
    elsewhere = next(one for one in mine if one != territory)
    for capital in ([elsewhere, salt], [elsewhere, ""], [territory, ""], [territory, encode(bytes(16))], None):
        forged = signed_anew(act, {"capital": capital})
        assert refused(table, [*acts[:number], forged, *acts[number + 1 :]]) == {"other-capital"}, capital


def test_g09_a_substitute_names_a_territory_of_his_and_no_other() -> None:
    table = begun("no", "capitals", turns=1)[-1]
    state = table.file.game.state
    player = next(p for p in state.playing() if p not in state.acting)
    played(table, [turn_of(table), *table.substitution(player, "sigrid")])
    acts = again(table).gone()
    number, act = hand_of(acts, player)
    assert act.tree["capital"][1] == ""
    state = table.file.game.state
    theirs = next(t for t in state.board.territories if state.owners[t] != player)
    taken = next(a.tree["capital"][0] for a in acts if a.tree.get("capital", ["", ""])[1])
    for territory in (theirs, taken, "atlantis"):
        tree = {**act.tree, "capital": [territory, ""]}
        body = {key: value for key, value in tree.items() if key != "signature"}
        whole = {**body, "signature": sign(body, key_of("sigrid"), player)}
        forged = read(table_text(whole).encode(), "act.toml")
        assert refused(table, [*acts[:number], forged, *acts[number + 1 :]]) == {"other-capital"}
