"""Attacks that make somebody reveal too early: whoever knows a link before he writes his orders chooses the dice.

The one attacked uses the program as it is, in his own folder; the attacker sends him files.
"""

from pathlib import Path

import pytest
from support.attacking import Folder, altered, changed, hosted, others, simple
from support.planner import set_up
from support.table import HOST, NAMES, Table, key_of, signed
from support.transcripts import referee

from referee.documents.acting import passed_over_act
from referee.documents.boards import board_by_name
from referee.documents.canonical import digest_of
from referee.documents.gamefile import GameFile, open_game, written
from referee.documents.layout import table_text
from referee.documents.resolve import resolve, whole
from referee.documents.reveals import needs_reveals_of
from referee.documents.signing import Document, read
from referee.documents.start import start
from referee.game.orders import PlayerId
from referee.game.rules import Settings


def text_of(document: Document) -> str:
    return document.source.text


# --- games with a host: a missed turn with attacks -----------------------------------------------


def with_a_plan() -> tuple[GameFile, Table]:
    """Return the file before, and a table whose awaited player has left attacks for a missed turn."""
    table = hosted(missed="standing")
    second = others(table)[1]
    state = table.file.game.state
    mine = next(t for t in state.territories_of(second) if state.has_hostile_neighbour(t, second))
    target = next(t for t in state.board.neighbours[mine] if state.owners[t] != second)
    plan = {"place": [mine], "attack": [{"from": mine, "to": target}]}
    before = table.file
    table.play([simple(table), table.standing(second, {"missed": plan})])
    return before, table


def test_r01_one_reveals_once_for_a_link(tmp_path: Path) -> None:
    """For the same file, or for another one of a later turn: a host who has the first knows the second."""
    before, table = with_a_plan()
    following = others(table)[1]
    one = Folder(tmp_path, following)
    one.game(before)
    path = one.game(table.file)
    assert one.says("reveal", path.name, "-q") == ""
    assert one.says("reveal", path.name, "-q") == "", "again the same is no second one"
    assert one.says("reveal", path.name, "-q", "-o", str(tmp_path / "again.toml")) == ""
    (tmp_path / "again.toml").unlink()
    for _ in range(3):
        earlier = table.file
        table.play([simple(table)])
    assert others(table)[1] == following
    one.game(earlier)
    path = one.game(table.file)
    assert "has your next link already" in one.says("reveal", path.name, "-q")
    sent = tmp_path / "sent"
    sent.mkdir()
    next(tmp_path.glob("reveal-*.toml")).rename(sent / "reveal.toml")
    assert "has your next link already" in one.says("reveal", path.name, "-q", "-o", str(sent / "second.toml"))
    assert "has your next link already" in one.says("reveal", path.name, "-q", "-o", str(sent))
    assert one.says("reveal", path.name, "-q") == "", "where nobody looks nothing is found"


def test_r02_nobody_reveals_for_a_file_that_does_not_follow(tmp_path: Path) -> None:
    """The host, or a stranger with a key of his own, makes up a file to learn a link."""
    before, table = with_a_plan()
    following = others(table)[1]
    one = Folder(tmp_path, following)
    one.game(before)
    false = altered(table.file, HOST, lambda tree: tree["armies"].update(alaska=9))
    path = one.game(false)
    assert "the replay gives" in one.says("reveal", path.name, "-q")

    def another_host(tree: dict[str, dict[str, str]]) -> None:
        tree["host"]["key"] = key_of("mallory").public

    path.unlink()
    path = one.game(altered(table.file, "mallory", another_host, HOST))
    assert "key on record" in one.says("reveal", path.name, "-q")
    path.unlink()
    path = one.game(altered(table.file, HOST, lambda tree: tree.update(previous="A" * 43)))
    assert "does not follow from" in one.says("reveal", path.name, "-q")
    assert not list(tmp_path.glob("reveal-*"))


def test_r03_nobody_reveals_for_one_of_two_files_of_a_turn(tmp_path: Path) -> None:
    before, table = with_a_plan()
    following = others(table)[1]
    again = Table.at(table, before)
    standing = table_standing(table)
    other = resolve(before, [simple(again), standing, again.deadline("2027-01-31T20:00:00Z")], key_of(HOST))
    assert other.digest != table.file.digest
    one = Folder(tmp_path, following)
    one.game(before)
    path = one.game(table.file)
    one.game(other, "copy-0001.toml")
    assert "two different files of turn" in one.says("reveal", path.name, "-q")
    false = altered(table.file, HOST, lambda tree: tree["armies"].update(alaska=9))
    (tmp_path / "copy-0001.toml").unlink()
    one.game(false, "copy-0001.toml")
    assert one.says("reveal", path.name, "-q") == "", "a file that passes with nobody keeps nobody from it"


def test_r09_a_whole_row_of_files_that_were_made_up_is_no_better_than_one(tmp_path: Path) -> None:
    """The attacker sends the file before, too: beside the true one it is one of two, and the one before tells which."""
    before, table = with_a_plan()
    following = others(table)[1]
    one = Folder(tmp_path, following)
    false = altered(before, HOST, lambda tree: tree["armies"].update(alaska=9))
    digest = open_game(false.text.encode(), board_by_name, false.file).digest
    next_one = altered(table.file, HOST, lambda tree: tree.update(previous=digest))
    one.game(before)
    one.game(false, "copy-0001.toml")
    path = one.game(next_one)
    assert "two different files of turn" in one.says("reveal", path.name, "-q")
    one.game(table.file)
    assert "two different files of turn" in one.says("reveal", path.name, "-q")
    one.game(the_file_before(before))
    assert one.says("reveal", path.name, "-q") == "", "what does not follow from the file before counts for nothing"


def the_file_before(wanted: GameFile) -> GameFile:
    """Return the file that comes before one in the same game."""
    table = Table("no", "world", 3, 7, Settings(missed="standing"))
    while table.file.game.turn < wanted.game.turn - 1:
        state = table.file.game.state
        table.play([table.orders(player, set_up(state, player, 7)) for player in state.acting])
    assert table.file.digest == wanted.game.previous
    return table.file


def table_standing(table: Table) -> Document:
    given = next(one for one in table.file.game.evidence.documents if one["format"] == "referee/standing/1")
    player = str(given["player"])
    return signed({key: value for key, value in given.items() if key != "signature"}, player)


# --- table games ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows() -> tuple[GameFile, Table]:
    """Return a table game at its second turn, and the file before."""
    table = Table("no", "world", 3, 7, Settings(missed="default"), hosted=False)
    while table.file.game.state.phase != "turn":
        state = table.file.game.state
        table.play([table.orders(player, set_up(state, player, 7)) for player in state.acting])
    before = table.file
    table.file = table.play([simple(table)])
    return before, table


def test_r04_nobody_rolls_on_a_file_that_the_one_before_him_made_up(
    rows: tuple[GameFile, Table], tmp_path: Path
) -> None:
    """She would learn his link from the file that he makes, and then send the true one with better orders."""
    before, table = rows
    player, roller, _ = others(table)
    false = written(table.file.game._replace(deadline="2027-01-31T20:00:00Z"), key_of(player), player)
    one = Folder(tmp_path, roller)
    one.game(before)
    path = one.game(false)
    made_up = Table.at(table, open_game(false.text.encode(), board_by_name, false.file))
    one.put("orders.toml", text_of(simple(made_up)))
    assert "the replay gives" in one.says("resolve", path.name, "orders.toml", "-q")
    path.unlink()
    path = one.game(altered(table.file, others(table)[2], lambda tree: None))
    assert "is signed by" in one.says("resolve", path.name, "orders.toml", "-q")
    assert not list(tmp_path.glob("*-0006.toml"))
    path.unlink()
    path = one.game(table.file)
    one.put("orders.toml", text_of(simple(table)))
    assert one.says("resolve", path.name, "orders.toml", "-q") == ""


def test_r05_nobody_rolls_for_one_of_two_files_of_a_turn(rows: tuple[GameFile, Table], tmp_path: Path) -> None:
    """Who made both could look at the dice of one and go on with the other."""
    before, table = rows
    again = Table.at(table, before)
    maker = others(again)[1]
    standing = again.standing(maker, {"defend": {"dice": 1}})
    other = resolve(before, [simple(again), standing], key_of(maker))
    one = Folder(tmp_path, others(table)[1])
    one.game(before)
    path = one.game(table.file)
    one.game(other, "skog-0001.toml")
    one.put("orders.toml", text_of(simple(table)))
    assert "two different files of turn" in one.says("resolve", path.name, "orders.toml", "-q")


def test_r06_nobody_rolls_with_a_link_that_others_have_seen(rows: tuple[GameFile, Table], tmp_path: Path) -> None:
    """He was passed over though he had rolled: his link is in the file that they did not take."""
    before, table = rows
    roller = others(table)[1]
    one = Folder(tmp_path, roller)
    one.game(before)
    path = one.game(table.file)
    seen = table.resolved([changed(simple(table), salt="A" * 22)])
    one.game(seen, "skog-0001.toml")
    one.put("orders.toml", text_of(simple(table)))
    assert "has your next link already" in one.says("resolve", path.name, "orders.toml", "-q")


def test_r10_who_was_passed_over_is_reminded_before_his_link_goes_out_for_something_else(tmp_path: Path) -> None:
    """Whether he had shown it no file tells, if that one was deleted; and he is reminded only while it is the same."""
    table = hosted(witness=True)
    orders = simple(table)
    _, second, third = others(table)
    tree = passed_over_act(table.file, PlayerId(second), [digest_of(orders.tree)], table.host_key)
    over = read(table_text(tree).encode(), "act.toml")
    one = Folder(tmp_path, second)
    files = [table.file, table.play([orders, over, table.reveal(third, [orders])])]
    files.append(table.play([table.reveal(third, [])]))
    reminded = []
    while len(reminded) < 2:
        orders = simple(table)
        (witness,) = needs_reveals_of(table.file, ())
        files.append(table.file)
        if witness == second:
            for file in files:
                one.game(file)
            orders_file = one.put(f"orders-{table.file.game.turn}.toml", orders.source.text)
            path = str(tmp_path / table.file.file)
            said = referee(["reveal", path, str(orders_file), "--key", str(tmp_path / f"{second}.key")])
            assert not said.code, said.err
            reminded.append(f"{files[1].file} says that you were passed over in turn" in said.err)
        table.play([orders, table.reveal(witness, [orders])])
    assert reminded == [True, False]


def test_r11_who_was_passed_over_at_a_table_is_reminded_when_he_rolls(tmp_path: Path) -> None:
    table = Table("no", "world", 3, 7, Settings(missed="default"), hosted=False)
    while table.file.game.state.phase != "turn":
        state = table.file.game.state
        table.play([table.orders(player, set_up(state, player, 7)) for player in state.acting])
    orders = simple(table)
    roller = others(table)[1]
    one = Folder(tmp_path, roller)
    one.game(table.file)
    one.game(table.play([orders, *table.acts("passed_over", roller, orders=[digest_of(orders.tree)])]))
    one.game(table.play([]))
    one.game(table.play([simple(table)]))
    reminded = []
    for number in range(4):
        before = table.file
        orders = simple(table)
        if others(table)[1] == roller:
            file = one.put(f"orders-{number}.toml", orders.source.text)
            said = referee(
                ["resolve", str(tmp_path / before.file), str(file), "--key", str(tmp_path / f"{roller}.key")]
            )
            assert not said.code, said.err
            reminded.append("says that you were passed over in turn" in said.err)
        one.game(table.play([orders]))
    assert reminded == [True, False]


# --- the roster ----------------------------------------------------------------------------------


def test_r07_one_reveals_for_one_roster_and_for_that_of_the_opener_only(tmp_path: Path) -> None:
    table = Table("no", "world", 3, 7, Settings(missed="default"), hosted=False)
    name = NAMES[1]
    one = Folder(tmp_path, name)
    one.put("skog-invitation.toml", text_of(table.invited))
    one.put("join.toml", table_text(whole(table.joins[1].signed)))
    roster = table.papers[0]
    by_another = changed(roster, by=NAMES[2])
    one.put("roster.toml", text_of(by_another))
    assert "is signed by" in one.says("reveal", "roster.toml", "join.toml", "-q")
    one.put("roster.toml", text_of(changed(roster, person=NAMES[2])))
    assert "key on record" in one.says("reveal", "roster.toml", "join.toml", "-q")
    one.put("roster.toml", text_of(roster))
    assert one.says("reveal", "roster.toml", "join.toml", "-q") == ""
    fewer = changed(roster, joins=roster.tree["joins"][1:])
    one.put("second.toml", text_of(fewer))
    assert "second one is refused" in one.says("reveal", "second.toml", "join.toml", "-q")
    (tmp_path / f"reveal-{name}-0000.toml").rename(tmp_path / "sent.toml")
    said = one.says("reveal", "second.toml", "join.toml", "-q")
    assert "has your next link already" in said
    assert "join again" in said


# --- what is sealed to the host ------------------------------------------------------------------


def test_r08_nobody_seals_to_a_host_whom_a_stranger_made_up(tmp_path: Path) -> None:
    """Who carries the mail writes a key of his own into the game file, and would read what is sealed to it."""
    table = Table("no", "world", 3, 7)
    thief = key_of("mallory")
    state = table.file.game.state
    player = state.acting[0]
    one = Folder(tmp_path, player)

    def another_host(tree: dict[str, dict[str, str]]) -> None:
        tree["host"].update(key=thief.public, seal_key=thief.seal_public)

    first = start(table.invitation, table.joins, key_of(HOST), table.board)
    false = altered(first, "mallory", another_host, HOST)
    for made, said in ((false, "key on record"), (table.file, "")):
        one.game(made)
        body = {"deploy": set_up(state, player, 7)["deploy"]}
        head = {**table.head(player), "state": open_game(made.text.encode(), board_by_name, made.file).digest}
        one.put("orders.toml", table_text({**{key: head[key] for key in head if key != "salt"}, **body}))
        assert said in one.says("sign", "orders.toml", "-q")
        assert (tmp_path / "orders-sealed.toml").exists() == (not said)
