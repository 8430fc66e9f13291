"""What a player is told to do with what he has signed: he sends it, or keeps it if he makes the next game file."""

from pathlib import Path

import pytest
from support.attacking import pem
from support.planner import set_up
from support.table import HOST, Table, key_of
from support.transcripts import referee

from referee.game.orders import PlayerId
from referee.game.rules import Settings
from referee.game.state import SET_UP
from referee.views.draft import draft

DEFAULT = Settings(missed="default")


def at_a_turn(hosted: bool) -> Table:
    """Return a table at its first turn, of a host who plays as kari or without a host."""
    table = Table("no", "world", 3, 5, DEFAULT, hosted=hosted, plays="kari" if hosted else "")
    while table.file.game.state.phase in SET_UP:
        state = table.file.game.state
        table.play([table.orders(player, set_up(state, player, 3)) for player in state.acting])
    return table


def written(table: Table, folder: Path) -> str:
    """Write the game file and everybody's keys; return the path of the game file."""
    path = folder / table.file.file
    path.write_text(table.file.text)
    for name in (HOST, *table.names):
        (folder / f"{name}.key").write_bytes(pem(name))
    return str(path)


@pytest.mark.parametrize("what", ["resign", "draw", "standing"])
def test_who_rolls_at_a_table_hands_in_himself_what_others_send_to_him(what: str, tmp_path: Path) -> None:
    table = at_a_turn(hosted=False)
    path, turn = written(table, tmp_path), table.file.game.turn
    roller = table.roller()
    for name in table.names:
        if what == "standing":
            tree = {key: value for key, value in table.standing(name, {}).tree.items() if key != "signature"}
            orders = tmp_path / f"standing-{name}.toml"
            orders.write_text("\n".join(f"{key} = {value!r}" for key, value in tree.items()))
            words = ["sign", str(orders)]
        else:
            words = [what, path, *(["--turn", str(turn)] if what == "resign" else [])]
        said = referee([*words, "--key", str(tmp_path / f"{name}.key")])
        assert not said.code, said.err
        own, sent = f"hand it in when you resolve turn {turn}\n", f'send it to "{roller}", who rolls\n'
        assert said.err.endswith(own if name == roller else sent), said.err


@pytest.mark.parametrize("act", ["deadline", "missed"])
def test_who_rolls_at_a_table_gets_the_copies_of_an_act_and_sends_his_own(act: str, tmp_path: Path) -> None:
    table = at_a_turn(hosted=False)
    path, roller = written(table, tmp_path), table.roller()
    awaited = table.file.game.state.acting[0]
    more = ["--until", "2027-01-31T20:00:00Z"] if act == "deadline" else ["--player", awaited]
    for name in table.names:
        if act == "missed" and name == awaited:
            continue
        said = referee(["act", act, path, *more, "--key", str(tmp_path / f"{name}.key")]).err
        own, sent = "send it to the others, who make theirs and send them to you", f'send them to "{roller}", who rolls'
        assert said.endswith(f"have each made a copy: {own if name == roller else sent}\n")


@pytest.mark.parametrize("hosted", [True, False])
def test_a_draft_tells_a_host_who_plays_and_one_who_rolls_what_comes_then(hosted: bool) -> None:
    table = at_a_turn(hosted)
    before = table.file
    for name in table.names:
        key = key_of(HOST if hosted and name == "kari" else name).public
        people = dict(before.game.people)
        people[PlayerId(name)] = people[PlayerId(name)]._replace(key=key)
        state = before.game.state._replace(acting=(PlayerId(name),))
        file = before._replace(game=before.game._replace(people=people, state=state))
        said = " ".join(draft(file, PlayerId(name), None).replace("\n# ", " ").replace("\u00a0", " ").split())
        follows = state.after(PlayerId(name))
        if hosted and name == "kari":
            wanted = f"then send it to {follows}, who reveals for it."
        else:
            wanted = "then send it to the host." if hosted else f"then send it to {follows}, who rolls for it."
        assert f"`referee sign` signs it; {wanted}" in said


def test_a_host_who_plays_hands_in_the_deployment_of_his_seat() -> None:
    table = Table("no", "world", 3, 5, DEFAULT, plays="kari")
    game = table.file.game
    people = {**game.people, PlayerId("kari"): game.people[PlayerId("kari")]._replace(key=key_of(HOST).public)}
    file = table.file._replace(game=game._replace(people=people))
    said = " ".join(draft(file, PlayerId("kari"), None).replace("\n# ", " ").replace("\u00a0", " ").split())
    assert "signs it; then hand it in when you resolve the turn." in said
