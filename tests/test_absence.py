"""Missed turns of hosted games: a plan with attacks rolls dice only with the reveal of the next player (DESIGN 4)."""

from collections.abc import Mapping
from typing import Any

import pytest
from support.table import Table

from referee.documents.eventtables import KIND_OF
from referee.documents.gamefile import GameFile
from referee.documents.signing import Document
from referee.documents.verify import verify_next
from referee.errors import BadSignature, IllegalOrders, RefereeError, UsageProblem
from referee.game import events as e
from referee.game.legality import income
from referee.game.orders import PlayerId
from referee.game.rules import Settings
from referee.game.state import Result

STANDING = Settings(missed="standing")


def at_the_first_turn(settings: Settings = STANDING, edition: str = "no", players: int = 3) -> Table:
    """Return a table at which all have placed their armies on their first territories."""
    table = Table(edition, "world", players, 1, settings)
    state = table.file.game.state
    place = {p: {state.territories_of(p)[0]: state.players[p].to_place} for p in state.acting}
    table.play([table.orders(p, {"deploy": place[p]}) for p in state.acting])
    return table


def who_is_next(table: Table) -> tuple[PlayerId, PlayerId]:
    """Return the awaited player and the one after."""
    state = table.file.game.state
    player = state.acting[0]
    return player, state.after(player)


def quiet_turn(table: Table, player: PlayerId) -> Document:
    """Return orders that place all armies on the first territory and attack nobody."""
    state = table.file.game.state
    return table.orders(player, {"place": {state.territories_of(player)[0]: income(state, player).total}})


def attack_of(table: Table, player: str) -> Mapping[str, Any]:
    """Return standing orders that attack from the first territory, which has most of the armies."""
    state = table.file.game.state
    source = state.territories_of(player)[0]
    target = next(t for t in state.board.neighbours[source] if state.owners[t] != player)
    return {"missed": {"place": [source], "attack": [{"from": source, "to": target}]}}


def with_a_plan(settings: Settings = STANDING) -> tuple[Table, PlayerId, PlayerId]:
    """Return a table at which the awaited player has left a plan that attacks, with him and the next one."""
    table = at_the_first_turn(settings)
    first, second = who_is_next(table)
    table.play([quiet_turn(table, first), table.standing(second, attack_of(table, second))])
    return table, *who_is_next(table)


def kinds(file: GameFile) -> list[str]:
    return [KIND_OF[type(event)] for event in file.game.events]


def code(error: RefereeError) -> str:
    return error.problems[0].code


def verified(table: Table, made: GameFile) -> None:
    assert verify_next(table.file, made.text.encode(), made.file).file.digest == made.digest


def test_a_plan_attacks_with_the_reveal_of_the_next_player() -> None:
    table, player, roller = with_a_plan()
    made = table.resolved([table.reveal(roller)], [player])
    assert "battle_fought" in kinds(made)
    assert {who for who, _ in made.game.evidence.reveals} == {"runa", roller}
    assert made.game.people[roller].links == 1
    verified(table, made)


def test_the_last_who_plays_does_not_leave_whatever_a_file_says_that_nobody_can_have_reached() -> None:
    """The first file of a row is taken at its word."""
    table = at_the_first_turn()
    player, _ = who_is_next(table)
    state = table.file.game.state
    seats = {
        one: seat._replace(status="playing" if one == player else "passive") for one, seat in state.players.items()
    }
    table.file = table.file._replace(game=table.file.game._replace(state=state._replace(players=seats)))
    made = table.resolved([table.resignation(player)])
    assert "player_resigned" not in kinds(made)
    assert made.game.state.result == Result((player,), "last")


def test_without_it_the_missed_turn_is_refused() -> None:
    table, player, roller = with_a_plan()
    with pytest.raises(BadSignature) as caught:
        table.resolved([], [player])
    assert code(caught.value) == "reveal-missing"
    assert roller in caught.value.problems[0].message


def test_a_reveal_for_orders_is_none_for_a_missed_turn() -> None:
    table, player, roller = with_a_plan()
    orders = quiet_turn(table, player)
    with pytest.raises(BadSignature) as caught:
        table.resolved([table.reveal(roller, [orders])], [player])
    assert code(caught.value) == "other-orders"


def test_the_reveal_of_anybody_else_does_not_do() -> None:
    table, player, roller = with_a_plan()
    third = next(p for p in table.file.game.state.playing() if p not in (player, roller))
    with pytest.raises(BadSignature) as caught:
        table.resolved([table.reveal(third), table.reveal(roller)], [player])
    assert code(caught.value) == "no-reveal-needed"


def test_whoever_does_not_reveal_is_called_missed_too_and_no_attack_is_made() -> None:
    table, player, roller = with_a_plan()
    made = table.resolved([], [player, roller])
    told = kinds(made)
    assert "battle_fought" not in told
    assert told.count("turn_missed") == 1
    assert e.RollPassedOver(roller) in made.game.events
    assert [event.reason for event in made.game.events if isinstance(event, e.AttackSkipped)] == ["no-reveal"]
    assert made.game.state.players[roller].missed == 0
    assert [tree["player"] for tree in made.game.evidence.documents] == sorted([player, roller])
    verified(table, made)


def test_a_reveal_of_one_who_is_called_missed_is_not_taken() -> None:
    table, player, roller = with_a_plan()
    with pytest.raises(BadSignature) as caught:
        table.resolved([table.reveal(roller)], [player, roller])
    assert code(caught.value) == "no-reveal-needed"


def test_nobody_is_called_missed_who_has_nothing_to_send() -> None:
    table, player, roller = with_a_plan()
    third = next(p for p in table.file.game.state.playing() if p not in (player, roller))
    for missed in ([player, third], [roller]):
        with pytest.raises(UsageProblem) as caught:
            table.resolved([], missed)
        assert code(caught.value) == "not-awaited"


@pytest.mark.parametrize("settings", [Settings(missed="default"), Settings(missed="wait")])
def test_the_plan_is_not_asked_where_the_setting_is_another(settings: Settings) -> None:
    table, player, roller = with_a_plan(settings)
    with pytest.raises(UsageProblem):
        table.resolved([], [player, roller])
    made = table.resolved([], [player])
    assert "battle_fought" not in kinds(made)
    verified(table, made)


def test_a_plan_that_comes_with_the_missed_turn_acts_from_the_next_file_on() -> None:
    table = at_the_first_turn()
    player, _ = who_is_next(table)
    made = table.resolved([table.standing(player, attack_of(table, player))], [player])
    assert "attack_began" not in kinds(made)
    assert made.game.state.standing[player].missed is not None
    verified(table, made)


# --- deadlines ---------------------------------------------------------------------------------


TIME = "2027-01-31T20:00:00+01:00"


def test_a_deadline_stands_in_the_next_game_file_and_in_no_other() -> None:
    table = at_the_first_turn()
    player, _ = who_is_next(table)
    made = table.resolved([quiet_turn(table, player), table.deadline(TIME)])
    assert (made.game.deadline, made.game.events[-1]) == (TIME, e.DeadlineSet(TIME))
    assert f'deadline = "{TIME}"' in made.text
    verified(table, made)
    table.play([quiet_turn(table, player), table.deadline(TIME)])
    player, _ = who_is_next(table)
    made = table.resolved([quiet_turn(table, player)])
    assert made.game.deadline == ""
    verified(table, made)


def test_a_game_that_is_over_has_no_deadline() -> None:
    table = at_the_first_turn()
    player, _ = who_is_next(table)
    votes = [table.vote(p) for p in table.file.game.state.playing()]
    made = table.resolved([quiet_turn(table, player), table.deadline(TIME), *votes])
    assert made.game.state.phase == "over"
    assert made.game.deadline == ""
    assert "deadline_set" not in kinds(made)
    verified(table, made)


def test_an_act_makes_no_game_file_of_its_own() -> None:
    table = at_the_first_turn()
    with pytest.raises(IllegalOrders) as caught:
        table.resolved([table.deadline(TIME)])
    assert code(caught.value) == "orders-missing"
