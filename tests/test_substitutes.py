"""Substitutes in hosted games: when they act, what is void then, and that everybody can check it (DESIGN 3 and 4)."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.nonces import other_signature
from support.table import DEFAULT, Table, key_of, signed
from test_absence import STANDING, at_the_first_turn, attack_of, code, kinds, quiet_turn, who_is_next

from referee.cli.seats import with_substitutes
from referee.documents.acting import substitute_act
from referee.documents.base64 import encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import boxes
from referee.documents.canonical import canonical, digest_of
from referee.documents.chains import LENGTH
from referee.documents.checking import look
from referee.documents.gamefile import Game, GameFile, open_game
from referee.documents.hand import open_hand
from referee.documents.invitation import read_join
from referee.documents.layout import table_text
from referee.documents.signing import Document, message, read, sign
from referee.documents.verify import Entry, verify_next, verify_row
from referee.errors import BadSignature, IllegalOrders, RefereeError, UnreadableDocument
from referee.game import events as e
from referee.game.orders import PlayerId
from referee.game.rules import Settings


def played(table: Table, documents: Sequence[Document], missed: Sequence[str] = ()) -> GameFile:
    """Go on, after somebody without the secret has verified the new file."""
    before = table.file
    made = table.play(documents, missed)
    assert verify_next(before, made.text.encode(), made.file).file.digest == made.digest
    return made


def refused(table: Table, documents: Sequence[Document], missed: Sequence[str] = ()) -> str:
    """Return the code with which documents are refused."""
    with pytest.raises(RefereeError) as caught:
        table.resolved(documents, missed)
    return code(caught.value)


def missions(settings: Settings = STANDING) -> Table:
    """Return a mission game at its first turn, where everybody has something that is hidden."""
    table = Table("no", "mission", 3, 1, settings)
    state = table.file.game.state
    place = {p: {state.territories_of(p)[0]: state.players[p].to_place} for p in state.acting}
    table.play([table.orders(p, {"deploy": place[p]}) for p in state.acting])
    return table


def test_for_the_awaited_seat_a_substitute_acts_at_once() -> None:
    table = missions()
    player, _ = who_is_next(table)
    old = quiet_turn(table, player)
    change = table.substitution(player, "sigrid")
    assert refused(table, [*change, old]) == "void"
    made = played(table, [*change, quiet_turn(table, player)])
    assert made.game.events[0] == e.SeatSubstituted(player)
    person = made.game.people[player]
    assert (person.key, person.title, person.links) == (key_of("sigrid").public, f"Sigrid for {player}", 0)
    assert [one.key for one in person.former] == [key_of(player).public]


def test_the_old_orders_alone_stand_without_the_act() -> None:
    table = missions()
    player, _ = who_is_next(table)
    old = quiet_turn(table, player)
    table.substitution(player, "sigrid")
    new = quiet_turn(table, player)
    assert refused(table, [new]) == "other-key"
    assert "seat_substituted" not in kinds(played(table, [old]))


def test_for_another_seat_a_substitute_acts_from_the_next_file_on() -> None:
    table = missions()
    player, other = who_is_next(table)
    change = table.substitution(other, "sigrid")
    orders = quiet_turn(table, player)
    assert refused(table, [*change, orders, table.standing(other, {"defend": {"dice": 1}})]) == "other-key"
    made = played(table, [*change, orders])
    assert kinds(made)[-3:] == ["seat_substituted", "turn_ended", "turn_began"]
    assert table.file.game.people[other].key == key_of("sigrid").public
    played(table, [quiet_turn(table, other)])


def test_what_who_sat_there_has_signed_is_void() -> None:
    table = missions()
    player, other = who_is_next(table)
    standing = table.standing(other, {"defend": {"dice": 1}})
    leaving, vote = table.resignation(other), table.vote(other)
    change = table.substitution(other, "sigrid")
    orders = quiet_turn(table, player)
    for document in (standing, leaving, vote):
        assert refused(table, [*change, orders, document]) == "void"
    played(table, [*change, orders])
    assert refused(table, [quiet_turn(table, other), standing]) == "void"


def test_old_standing_orders_hold_to_the_end_of_the_turn_and_then_lapse() -> None:
    table = missions()
    player, other = who_is_next(table)
    played(table, [quiet_turn(table, player), table.standing(other, attack_of(table, other))])
    player, other = who_is_next(table)
    assert table.file.game.state.standing.keys() == {player}
    played(table, [*table.substitution(player, "sigrid")], [player])
    assert not table.file.game.state.standing
    assert not table.file.game.standing
    other, _ = who_is_next(table)
    played(table, [quiet_turn(table, other), table.standing(player, {"defend": {"dice": 1}})])
    assert table.file.game.state.standing[player].sequence == 1


def test_missed_turns_are_counted_anew() -> None:
    table = at_the_first_turn(Settings(missed="wait", missed_limit=2))
    player, _ = who_is_next(table)
    played(table, [], [player])
    assert table.file.game.state.players[player].missed == 1
    made = played(table, table.substitution(player, "sigrid"), [player])
    assert "seat_removed" not in kinds(made)
    assert made.game.state.players[player].missed == 1


def test_the_hand_is_sealed_to_the_substitute_from_the_act_on() -> None:
    table = missions()
    player, other = who_is_next(table)
    mission = table.hand(other).mission
    played(table, [*table.substitution(other, "sigrid"), quiet_turn(table, player)])
    assert table.hand(other).mission == mission
    with pytest.raises(BadSignature):
        open_hand(table.file, key_of(other))


def test_a_substitute_is_told_the_capital_that_was_chosen_for_the_seat() -> None:
    table = Table("no", "capitals", 3, 1, DEFAULT)
    state = table.file.game.state
    place = {p: {state.territories_of(p)[0]: state.players[p].to_place} for p in state.acting}
    table.play([table.orders(p, {"deploy": place[p]}) for p in state.acting])
    chosen = {p: table.file.game.state.territories_of(p)[3] for p in table.file.game.state.acting}
    table.play([table.orders(p, {"capital": chosen[p]}) for p in table.file.game.state.acting])
    player, other = who_is_next(table)
    assert (table.hand(player).capital, table.hand(other).capital) == ("", "")
    change = table.substitution(player, "sigrid")
    assert table.hand(player).capital == chosen[player]
    played(table, [*change, quiet_turn(table, player)])
    assert table.hand(player).capital == chosen[player]
    player, third = who_is_next(table)
    played(table, [*table.substitution(third, "tor"), quiet_turn(table, player)])
    assert table.hand(third).capital == chosen[third]
    votes = [table.vote(p) for p in table.file.game.state.playing()]
    played(table, [quiet_turn(table, third), *votes])
    assert table.file.game.state.result is not None


def test_an_act_without_the_join_the_join_without_the_act_and_both_without_the_invitation_are_refused() -> None:
    table = missions()
    player, _ = who_is_next(table)
    act, join, invitation = table.substitution(player, "sigrid")
    orders = quiet_turn(table, player)
    assert refused(table, [act, invitation, orders]) == "no-join"
    assert refused(table, [act, join, orders]) == "no-invitation"
    assert refused(table, [join, invitation, orders]) == "no-act"
    assert refused(table, [invitation, orders]) == "no-act"


def signed_again(document: Document, person: str) -> Document:
    """Return a document with another signature of the same person that holds, made with another nonce (RFC 8032)."""
    assert document.signature is not None
    data = message(document.format, canonical(document.tree))
    return document._replace(
        signature=document.signature._replace(value=other_signature(sha256(person.encode()).digest(), data))
    )


@pytest.mark.parametrize("place", [0, 1, 2], ids=["act", "join", "invitation"])
def test_of_copies_under_several_signatures_the_smaller_stays_in_any_order(place: int) -> None:
    table = missions()
    player, other = who_is_next(table)
    change = table.substitution(other, "sigrid")
    orders = quiet_turn(table, player)
    again = signed_again(change[place], ("runa", "sigrid", "runa")[place])
    one, two = table.resolved([*change, again, orders]), table.resolved([again, *change, orders])
    assert one.text == two.text
    damaged = change[place]._replace(signature=again.signature and again.signature._replace(value=bytes(64)))
    for documents in ([*change, damaged, orders], [damaged, *change, orders]):
        assert refused(table, documents) == "wrong-signature"


@pytest.mark.parametrize("damaged", ["a.toml", "z.toml"])
def test_a_damaged_copy_of_the_join_beside_the_game_file_keeps_nobody_from_his_seat(
    damaged: str, tmp_path: Path
) -> None:
    table = missions()
    player, _ = who_is_next(table)
    for document in table.substitution(player, "sigrid"):
        (tmp_path / document.source.file).write_text(whole_text(document))
        if document.format == "referee/join/1":
            (tmp_path / damaged).write_text(whole_text(document, bytes(64)))
    seated = with_substitutes(table.file, tmp_path)
    assert seated.game.people[player].key == key_of("sigrid").public


def whole_text(document: Document, value: bytes = b"") -> str:
    """Write a document with its signature, or with these bytes in place of it."""
    assert document.signature is not None
    by, key, own = document.signature
    halves = [encode((value or own)[:32]), encode((value or own)[32:])]
    return table_text({**document.tree, "signature": {"by": by, "key": key, "value": halves}})


@pytest.mark.parametrize("answered", [[], ["x"], {"a": 1}, 5, True])
def test_a_join_that_answers_no_text_is_refused(answered: Any) -> None:
    table = missions()
    player, _ = who_is_next(table)
    act, join, invitation = table.substitution(player, "sigrid")
    odd = signed({**join.tree, "invitation": answered}, player, "join.toml", "sigrid")
    act = signed({**act.tree, "join": digest_of(odd.tree)}, "runa", "act.toml")
    assert refused(table, [act, odd, invitation]) == "no-invitation"


@pytest.mark.parametrize("other", [{"game": "skog"}, {"nonce": encode(bytes(16))}, {}], ids=["game", "nonce", "host"])
def test_a_join_that_answers_the_invitation_to_another_game_is_refused(other: dict[str, str]) -> None:
    table = missions()
    player, _ = who_is_next(table)
    act, join, invitation = table.substitution(player, "sigrid")
    key = "runa" if other else "eva"
    host = {**invitation.tree["host"], "key": key_of(key).public}
    odd = signed({**invitation.tree, **other, "host": host}, "runa", "invitation.toml", key)
    answer = signed({**join.tree, "invitation": digest_of(odd.tree)}, player, "join.toml", "sigrid")
    act = signed({**act.tree, "join": digest_of(answer.tree)}, "runa", "act.toml")
    with pytest.raises(IllegalOrders) as caught:
        table.resolved([act, answer, odd, quiet_turn(table, player)])
    assert [(p.code, p.key) for p in caught.value.problems] == [("other-game", "nonce")]


@pytest.mark.parametrize("signer", ["kari", "ola", "sigrid"])
def test_an_act_that_somebody_else_has_signed_is_refused(signer: str) -> None:
    table = missions()
    player, _ = who_is_next(table)
    act, join, invitation = table.substitution(player, "sigrid")
    orders = quiet_turn(table, player)
    for who, key in ((signer, signer), ("runa", signer)):
        forged = signed(act.tree, who, "act.toml", key)
        assert refused(table, [forged, join, invitation, orders]) in ("wrong-act", "other-key")


def test_keys_and_chains_that_have_been_seen_are_refused() -> None:
    table = missions()
    player, other = who_is_next(table)
    for person in (player, other, "runa"):
        with pytest.raises(IllegalOrders) as caught:
            table.substitution(other, person)
        assert code(caught.value) == "same-key"
    table.people.clear()
    played(table, [*table.substitution(other, "sigrid"), quiet_turn(table, player)])
    with pytest.raises(IllegalOrders) as caught:
        table.substitution(player, other)
    assert code(caught.value) == "same-key"


def test_the_chain_of_a_substitute_begins_at_his_anchor() -> None:
    table = missions()
    player, other = who_is_next(table)
    played(table, [quiet_turn(table, player), table.standing(other, attack_of(table, other))])
    player, roller = who_is_next(table)
    change = table.substitution(roller, "sigrid")
    made = table.resolved([*change], [player, roller])
    assert "battle_fought" not in kinds(made)
    assert refused(table, [*change, table.reveal(roller)], [player]) in ("other-chain", "other-key")
    table.people.clear()
    reveal = table.reveal(roller)
    change = table.substitution(roller, "sigrid")
    played(table, [*change, reveal], [player])
    former = table.file.game.people[roller].former
    assert (former[0].links, table.file.game.people[roller].links) == (1, 0)


def whole_game() -> list[GameFile]:
    """Play a game in which seats change hands, one of them twice and once in the last turn, to its end."""
    table = Table("no", "mission", 3, 5, DEFAULT)
    files = [table.file]

    def go_on(documents: Sequence[Document], missed: Sequence[str] = ()) -> None:
        files.append(open_game(played(table, documents, missed).text.encode(), board_by_name))

    state = table.file.game.state
    first = state.acting[0]
    change = table.substitution(first, "sigrid")
    place = {p: {state.territories_of(p)[0]: state.players[p].to_place} for p in state.acting}
    go_on([*change, *(table.orders(p, {"deploy": place[p]}) for p in state.acting)])
    player, other = who_is_next(table)
    go_on([*table.substitution(other, "tor"), quiet_turn(table, player)])
    player, other = who_is_next(table)
    go_on([*table.substitution(player, "ulla"), quiet_turn(table, player)])
    player, other = who_is_next(table)
    third = next(p for p in table.file.game.state.playing() if p not in (player, other))
    votes = [table.vote(other), table.vote(third)]
    change = table.substitution(player, "vidar")
    go_on([*change, quiet_turn(table, player), table.vote(player), *votes])
    assert files[-1].game.state.result is not None
    return files


def test_everything_is_checked_when_the_secret_is_revealed() -> None:
    files = whole_game()
    secret = files[-1].game.secret
    assert secret is not None
    sat = {player: len(person.former) for player, person in files[-1].game.people.items()}
    assert sorted(sat.values()) == [1, 1, 2]
    assert secret.former_seal_keys.keys() == {player for player, number in sat.items() if number}
    by_name = {f"{file.game.turn}.toml": file.text.encode() for file in files}
    checked = list(verify_row([Entry(f"{file.game.turn}.toml", file.game.turn) for file in files], by_name.__getitem__))
    assert len(checked) == len(files)
    assert not any(one.sealed for one in checked)


def test_a_host_who_shows_a_substitute_another_hand_is_found_out_by_him_and_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = missions()
    files = [table.file]
    player, _ = who_is_next(table)
    with monkeypatch.context() as patch:

        def lying(game: Game, *others: Any) -> dict[PlayerId, str]:
            found = boxes(game, *others)
            return {**found, player: found[player][:-1] + ("A" if found[player][-1] != "A" else "Q")}

        patch.setattr("referee.documents.acting.boxes", lying)
        patch.setattr("referee.documents.resolve._check_boxes", lambda *_: None)
        change = table.substitution(player, "sigrid")
        with pytest.raises(BadSignature):
            table.hand(player)
        files.append(opened(table.play([*change, quiet_turn(table, player)])))
    verify_next(files[0], files[1].text.encode(), "f")
    player, _ = who_is_next(table)
    votes = [table.vote(p) for p in table.file.game.state.playing()]
    files.append(opened(table.play([quiet_turn(table, player), *votes])))
    by_name = {f"{file.game.turn}.toml": file.text.encode() for file in files}
    entries = [Entry(f"{file.game.turn}.toml", file.game.turn) for file in files]
    with pytest.raises(BadSignature) as caught:
        list(verify_row(entries, by_name.__getitem__))
    assert code(caught.value) == "wrong-box"


def opened(made: GameFile) -> GameFile:
    """Read a game file back from its text."""
    return open_game(made.text.encode(), board_by_name, made.file)


def test_a_box_for_somebody_else_in_an_act_is_found_out() -> None:
    table = missions()
    player, _ = who_is_next(table)
    document = table.join_of(player, "sigrid")
    join = read_join(document, table.invitation, table.board)
    tree = {k: v for k, v in substitute_act(table.file, join, table.host_key).items() if k != "signature"}
    table.people[player] = "sigrid"
    orders = quiet_turn(table, player)
    for box in ("", tree["box"][:-4], "A" + tree["box"][1:]):
        act = signed({**tree, "box": box}, "runa", "act.toml")
        assert refused(table, [act, document, table.invited, orders]) == "wrong-box"


def test_a_document_of_the_substitute_is_looked_into_as_any() -> None:
    table = missions()
    player, other = who_is_next(table)
    played(table, [*table.substitution(other, "sigrid"), quiet_turn(table, player)])
    looked = look(quiet_turn(table, other), table.file, key_of("sigrid"))
    assert (looked.player, looked.signed) == (PlayerId(other), True)


def test_a_game_file_with_former_players_is_read_as_it_was_written() -> None:
    table = missions()
    player, other = who_is_next(table)
    made = played(table, [*table.substitution(other, "sigrid"), quiet_turn(table, player)])
    assert table.file.game.people == made.game.people
    assert "[[players." in made.text
    assert read(made.text.encode()).tree["players"][other]["former"]


def test_the_text_of_an_act_is_no_wider_than_mail() -> None:
    table = missions()
    player, _ = who_is_next(table)
    join = read_join(table.join_of(player, "sigrid"), table.invitation, table.board)
    lines = table_text(substitute_act(table.file, join, table.host_key)).split("\n")
    assert max(map(len, lines)) <= 66


def altered(file: GameFile, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """Sign a game file anew in which something was changed; return how it is refused, or nothing."""
    tree = deepcopy(read(file.text.encode()).tree)
    change(tree)
    text = table_text({**tree, "signature": sign(tree, key_of("runa"), "runa")})
    try:
        open_game(text.encode(), board_by_name)
    except UnreadableDocument as error:
        return [problem.key for problem in error.problems]
    return []


def test_a_box_is_there_for_just_those_who_may_have_something_to_see() -> None:
    hidden, open_to_all = missions().file, Table("no", "world", 3, 1, DEFAULT).file
    player = hidden.game.state.acting[0]
    box = hidden.game.sealed[player]
    assert altered(hidden, lambda tree: None) == []
    assert altered(hidden, lambda tree: tree["sealed"].pop(player)) == ["sealed"]
    assert altered(hidden, lambda tree: tree.pop("sealed")) == ["sealed"]
    assert altered(open_to_all, lambda tree: None) == []
    assert altered(open_to_all, lambda tree: tree.update(sealed={player: box})) == ["sealed"]


def test_a_seat_has_no_more_links_behind_it_than_can_be_gone_through_at_once() -> None:
    file = missions().file
    player = file.game.state.acting[0]

    def with_former(number: int, links: int) -> Callable[[dict[str, Any]], object]:
        def change(tree: dict[str, Any]) -> None:
            seat = tree["players"][player]
            one = {key: seat[key] for key in ("key", "seal_key", "chain")}
            seat["former"] = [{**one, "links": links}] * number

        return change

    assert altered(file, with_former(1000, 16)) == []
    assert altered(file, with_former(1000, LENGTH)) == [f"players.{player}"]
    assert altered(file, with_former(1, LENGTH + 1))[-1].startswith(f"players.{player}")
