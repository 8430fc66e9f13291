"""Attacks around the handing over of a hosted game, by hosts with their own keys and a program that checks nothing.

The attacker may make any file that he can sign; whoever verifies it must find out.
"""

from collections.abc import Mapping
from typing import Any

import pytest
from support.codes import bare
from support.table import HOST, Table, key_of
from test_handing import rows_of, to_the_end, turn_of
from test_substitutes import missions, played

from referee.documents.acts import Acts, take_acts
from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import seal_keys_of
from referee.documents.chains import link
from referee.documents.checking import look
from referee.documents.forks import find_forks
from referee.documents.gamefile import GameFile, open_game, written
from referee.documents.hand import open_hand
from referee.documents.intake import take_in
from referee.documents.knowledge import HostKnowledge
from referee.documents.layout import table_text
from referee.documents.resolve import advance, full_knowledge, resolve
from referee.documents.sealing import open_to_host, sealed_commitment
from referee.documents.signing import Document, read, sign
from referee.documents.verify import Entry, verify_next, verify_row
from referee.errors import RefereeError
from referee.game.orders import PlayerId


def made_by(table: Table, name: str, documents: list[Document], number: int, acts: Acts = Acts()) -> GameFile:  # noqa: B008
    """Make and sign the next game file with the link of this number of somebody's chain, asking nothing."""
    key, game = key_of(name), table.file.game
    intake = take_in(documents, table.file, lambda _: None)
    secret = key.derive(decode(game.nonce), b"referee/secret/1")
    knowledge = HostKnowledge(secret, decode(game.start_seed), game.state.board)
    knows = full_knowledge(knowledge, seal_keys_of(key), lambda _: None)
    reveal = encode(link(key, decode(game.nonce), b"", number))
    return written(advance(table.file, intake, ((name, reveal),), acts, knows), key, name)


def found(table: Table, made: GameFile) -> set[str]:
    """Return the codes with which a file is refused; nothing if it passes."""
    try:
        verify_next(table.file, made.text.encode(), made.file)
    except RefereeError as error:
        return {bare(problem.code) for problem in error.problems}
    return set()


def codes_of(caught: pytest.ExceptionInfo[RefereeError]) -> set[str]:
    return {bare(problem.code) for problem in caught.value.problems}


def handed() -> Table:
    """Return a table whose game was handed over to Berit."""
    table = missions()
    played(table, [turn_of(table), *table.handing("berit")])
    return table


def with_box(table: Table, act: Document, change: Mapping[str, Any], commitment: str = "") -> Document:
    """Return what a host signs who seals something else to Berit than he should."""
    tree = {key: value for key, value in act.tree.items() if key != "signature"}
    game, key = table.file.game, key_of("berit")
    opened = open_to_host(key, game.name, game.nonce, "berit", table.file.digest, tree["box"])
    content = {**opened.content, **change}
    tree["box"] = table.box_for("berit", key.seal_public, content, opened.salt)
    tree["commitment"] = commitment or encode(sealed_commitment(opened.salt, content))
    return read(table_text({**tree, "signature": sign(tree, key_of(HOST), HOST)}).encode(), act.source.file)


def test_n01_the_old_host_does_not_go_on_after_handing_over() -> None:
    table = handed()
    assert found(table, made_by(table, HOST, [turn_of(table)], 3)) == {"wrong-reveal"}
    with pytest.raises(RefereeError) as caught:
        resolve(table.file, [turn_of(table)], key_of(HOST))
    assert codes_of(caught) == {"not-the-host"}


def test_n02_the_old_host_signs_no_file_in_the_name_of_the_new_one() -> None:
    table = handed()
    honest = table.resolved([turn_of(table)])
    for by in (HOST, "berit"):
        forged = written(honest.game, key_of(HOST), by)
        assert found(table, forged) <= {"other-signer", "other-key"}
        assert found(table, forged)
        with pytest.raises(RefereeError):
            open_game(forged.text.encode(), board_by_name, forged.file)


def test_n03_the_old_host_who_plays_the_turn_again_without_handing_over_has_forked() -> None:
    table = missions()
    orders = turn_of(table)
    one = table.resolved([orders, *table.handing("berit")])
    other = resolve(table.file, [orders], key_of(HOST))
    texts = {"one.toml": one.text.encode(), "other.toml": other.text.encode()}
    entries = [Entry(name, one.game.turn) for name in texts]
    assert [fork.as_problem().code for fork in find_forks(entries, texts.__getitem__)] == ["fork"]


def test_n04_a_host_who_names_another_than_the_act_says_is_found() -> None:
    table = missions()
    made = table.resolved([turn_of(table), *table.handing("berit")])
    host = made.game.keeper
    for change in (
        {"name": "carl"}, {"key": key_of("carl").public}, {"seal_key": key_of("carl").seal_public}, {"links": 1},
        {"chain": made.game.people[made.game.state.acting[0]].chain}, {"former": ()}, {"since": host.since - 1},
        {"state": made.digest}, {"box": encode(bytes(48 + 2048))}, {"secret_commitment": encode(bytes(32))},
    ):  # fmt: skip
        forged = written(made.game._replace(host=host._replace(**change)), key_of(HOST), HOST)
        assert found(table, forged) & {"replay-differs", "other-signer", "other-key"}, change


def test_n05_without_the_offer_of_the_new_host_nobody_is_made_one() -> None:
    table = missions()
    act, offer = table.handing("berit")
    tree = {**offer.tree, "anchor": encode(link(key_of("carl"), b"", b"", 0))}
    forged = read(table_text({**tree, "signature": sign(dict(tree), key_of(HOST), "berit")}).encode(), "offer.toml")
    with pytest.raises(RefereeError) as caught:
        take_acts([act, forged], table.file)
    assert codes_of(caught) <= {"wrong-signature", "other-key"}
    renamed = {**offer.tree, "name": "carl"}
    signed = {**renamed, "signature": sign(dict(renamed), key_of("berit"), "carl")}
    with pytest.raises(RefereeError) as caught:
        take_acts([act, read(table_text(signed).encode(), "offer.toml")], table.file)
    assert "no-offer" in codes_of(caught)


def test_n06_an_offer_made_for_another_turn_hands_nothing_over() -> None:
    table = missions()
    act, offer = table.handing("berit")
    table.play([turn_of(table)])
    with pytest.raises(RefereeError) as caught:
        take_acts([act, offer], table.file)
    assert codes_of(caught) == {"other-turn"}


def is_found_wrong(table: Table, wrong: Document, offer: Document) -> None:
    """Say that a new host finds out when he looks at what is handed over, and if he does not, when he resolves."""
    with pytest.raises(RefereeError) as caught:
        look(wrong, table.file, key_of("berit"))
    assert codes_of(caught) == {"wrong-handing"}
    table.play([turn_of(table), wrong, offer])
    with pytest.raises(RefereeError) as caught:
        table.resolved([turn_of(table)])
    assert codes_of(caught) == {"wrong-handing"}


def test_n07_a_new_host_who_was_handed_another_secret_finds_out() -> None:
    """At once if he checks the act, and in any case before he makes a file with it."""
    table = missions()
    act, offer = table.handing("berit")
    wrong = with_box(table, act, {"secret": encode(bytes(32))})
    is_found_wrong(table, wrong, offer)


@pytest.mark.parametrize(
    "change",
    [
        {"seal_keys": []}, {"seal_keys": [{}]}, {"seal_keys": 1}, {"secret": ""}, {"secret": 1}, {"capitals": []},
        {"capitals": {"kari": ["alaska"]}}, {"seal_keys": [{"kari": "AAAA", "ola": "AAAA", "liv": "AAAA"}]},
    ],
    ids=str,
)  # fmt: skip
def test_n08_a_box_with_anything_else_in_it_is_no_handing_over(change: Mapping[str, Any]) -> None:
    table = missions()
    act, offer = table.handing("berit")
    wrong = with_box(table, act, change)
    is_found_wrong(table, wrong, offer)


def test_n09_seal_keys_that_open_no_box_and_a_commitment_to_something_else_are_found_by_the_new_host() -> None:
    table = missions()
    act, _ = table.handing("berit")
    others = [{player: encode(bytes(64)) for player in table.names}]
    for wrong in (with_box(table, act, {"seal_keys": others}), with_box(table, act, {}, encode(bytes(32)))):
        with pytest.raises(RefereeError) as caught:
            look(wrong, table.file, key_of("berit"))
        assert codes_of(caught) == {"wrong-handing"}


def test_n10_a_new_host_who_goes_on_with_another_secret_is_found_by_the_players() -> None:
    """What he seals to them does not fit the commitments that stand since the game began."""
    table = handed()
    forged = made_by(table, "berit", [turn_of(table)], 1)
    for player in table.names:
        with pytest.raises(RefereeError) as caught:
            open_hand(open_game(forged.text.encode(), board_by_name, forged.file), key_of(player))
        assert codes_of(caught) == {"wrong-box"}


def test_n11_a_new_host_who_reveals_another_secret_in_the_end_is_found() -> None:
    table = missions()
    kept = to_the_end(table, {2: "berit"}, 4)
    entries, load = rows_of(kept)
    last = kept[-1]
    assert last.game.secret is not None
    wrong = {
        "secret": {"game_secret": encode(bytes(32))},
        "key": {"handed_seal_keys": ({**last.game.secret.handed_seal_keys[0], "kari": encode(bytes(64))},)},
        "fewer": {"handed_seal_keys": ()},
    }
    for name, change in wrong.items():
        game = last.game._replace(secret=last.game.secret._replace(**change))
        forged = written(game, key_of("berit"), "berit").text.encode()
        with pytest.raises(RefereeError) as caught:
            list(verify_row(entries, lambda file, text=forged: text if file == last.file else load(file)))
        assert codes_of(caught) & {"other-secret", "replay-differs", "wrong-secret", "game-file"}, name
    (keys,) = last.game.secret.handed_seal_keys
    for of in ({**keys, "carl": keys[PlayerId("kari")]}, {"kari": keys[PlayerId("kari")]}):
        forged_game = last.game._replace(secret=last.game.secret._replace(handed_seal_keys=(of,)))
        with pytest.raises(RefereeError) as caught:
            open_game(written(forged_game, key_of("berit"), "berit").text.encode(), board_by_name, last.file)
        assert [problem.key for problem in caught.value.problems] == ["secret.handed_seal_keys"]


def test_n12_the_acts_of_the_old_host_hold_no_more() -> None:
    table = handed()
    game = table.file.game
    tree = {"format": "referee/act/1", "game": game.name, "turn": game.turn, "state": table.file.digest}
    tree |= {"act": "deadline", "deadline": "2027-01-31T20:00:00+01:00"}
    act = read(table_text({**tree, "signature": sign(tree, key_of(HOST), HOST)}).encode(), "act.toml")
    with pytest.raises(RefereeError) as caught:
        table.resolved([turn_of(table), act])
    assert codes_of(caught) == {"wrong-act"}
