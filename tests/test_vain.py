"""Orders that cannot work: what is said of them holds in random games, and an earlier set's bonus is noticed."""

import re
from random import Random

import pytest
from support.planner import random_orders, set_up
from support.table import Table, key_of

from referee.documents.checking import look
from referee.game.board import CardId, TerritoryId
from referee.game.events import ArmiesAdvanced, AttackBegan, AttackStopped, Event
from referee.game.orders import Amount, Attack, Fortify, Orders, Trade
from referee.game.state import SET_UP, State
from referee.views.vain import in_vain

GAMES = [("no", "world", 4), ("sv", "dealt", 3), ("de", "world", 3), ("no", "capitals", 4), ("no", "two", 2)]
SAID = re.compile(r"attack\[([0-9]+)\](?: (cannot begin)|\.([a-z_]+)( = [0-9]+ is never| = [0-9]+ ends)?)")


def _began(events: tuple[Event, ...], entry: int) -> list[AttackBegan]:
    return [event for event in events if isinstance(event, AttackBegan) and event.entry == entry]


def _refuted(sentence: str, attack: Attack, events: tuple[Event, ...]) -> bool:
    """Say whether what happened is against what was said of an attack."""
    said = SAID.match(sentence)
    assert said is not None
    entry, cannot, key, how = int(said[1]), said[2], said[3], said[4] or ""
    if cannot or how.endswith("ends"):
        return bool(_began(events, entry))
    if how.endswith("never"):
        reason = key.replace("_", "-")
        return any(isinstance(one, AttackStopped) and (one.entry, one.reason) == (entry, reason) for one in events)
    assert key == "advance"
    last = {(one.source, one.target) for one in _began(events, entry) if one.leg == len(attack.targets)}
    moved = [one for one in events if isinstance(one, ArmiesAdvanced) and (one.source, one.target) in last]
    wanted = attack.advance.words()
    return any(one.asked == wanted and str(one.armies) == wanted for one in moved)


@pytest.mark.parametrize(("edition", "variant", "players"), GAMES)
def test_nothing_happens_that_was_said_to_be_in_vain(edition: str, variant: str, players: int) -> None:
    rng = Random(f"{edition}/{variant}")
    table = Table(edition, variant, players, 3)
    said = 0
    while table.file.game.state.phase != "over" and table.file.game.turn <= 40:
        state, documents = table.file.game.state, []
        for player in state.acting:
            cards = list(table.hand(player).cards.values())
            is_set_up = state.phase in SET_UP
            body = set_up(state, player, 1) if is_set_up else random_orders(state, player, cards, rng)
            documents.append(table.orders(player, body))
        orders = look(documents[0], table.file, key_of(state.acting[0])).body
        events = tuple(table.play(documents).game.events)
        for sentence in in_vain(orders, state) if isinstance(orders, Orders) else ():
            if sentence.startswith("attack"):
                attack = orders.attacks[int(sentence[len("attack[") : sentence.index("]")]) - 1]
                assert not _refuted(sentence, attack, events), sentence
                said += 1
    assert said > 10


@pytest.fixture
def state() -> State:
    """Return a position with open cards, in which the bonus is for one set of a turn."""
    table = Table("sv", "dealt", 3)
    while table.file.game.state.phase != "turn":
        table.play([table.orders(p, set_up(table.file.game.state, p, 1)) for p in table.file.game.state.acting])
    state = table.file.game.state
    return state._replace(rules=state.rules._replace(territory_bonus="once_per_turn"))


def _sets(state: State) -> tuple[tuple[CardId, ...], tuple[CardId, ...]]:
    """Return a set without and one with land of the player's own."""
    own = state.territories_of(state.acting[0])
    others = [t for t in state.board.territories if t not in own]
    symbol = state.board.symbols[own[0]]
    alike = [TerritoryId(t) for t in others if state.board.symbols[t] == symbol]
    mine = [t for t in own if state.board.symbols[t] == symbol]
    none = tuple(CardId(t) for t in alike[:3])
    return none, (CardId(mine[0]), CardId(mine[1]), CardId(alike[3]))


def test_a_bonus_that_an_earlier_set_has_is_said_to_bring_nothing(state: State) -> None:
    _, mine = _sets(state)
    jokers = tuple(CardId(card) for card in state.board.jokers)
    player, first = state.acting[0], Trade(mine, TerritoryId(mine[0]))
    second = Trade((CardId(state.territories_of(state.acting[0])[-1]), *jokers))
    named = second._replace(bonus=TerritoryId(second.cards[0]))
    said = ["trade[2].bonus brings nothing: an earlier set has the bonus of this turn"]
    assert in_vain(Orders(player, (first, named)), state) == said
    assert in_vain(Orders(player, (first, second)), state) == []
    per_set = state._replace(rules=state.rules._replace(territory_bonus="once_per_set"))
    assert in_vain(Orders(player, (first, named)), per_set) == []


def test_a_set_without_own_land_leaves_the_bonus_to_the_next(state: State) -> None:
    none, mine = _sets(state)
    player = state.acting[0]
    assert in_vain(Orders(player, (Trade(none), Trade(mine, TerritoryId(mine[0])))), state) == []


def test_where_a_player_may_fall_only_the_first_entry_is_looked_at(state: State) -> None:
    player, other = state.acting[0], state.after(state.acting[0])
    source = next(t for t in state.territories_of(player) if state.has_hostile_neighbour(t, player))
    target = next(t for t in state.board.neighbours[source] if state.owners[t] != player)
    entry = Attack(source, (target,), stop_at=1000)
    state = state._replace(rules=state.rules._replace(elimination_trade="free"))
    alone = {land: player if land != target else other for land in state.board.territories}
    falling = state._replace(owners=alone)
    assert len(in_vain(Orders(player, attacks=(entry, entry)), state)) == 2
    assert len(in_vain(Orders(player, attacks=(entry, entry)), falling)) == 1


def test_a_final_move_that_keeps_more_than_there_can_be_is_named(state: State) -> None:
    player = state.acting[0]
    source = state.territories_of(player)[0]
    target = next(t for t in state.board.neighbours[source])
    most = state.armies[source] + 3
    for keep, said in ((most - 1, 0), (most, 1), (most + 5, 1)):
        move = Fortify(source, target, Amount("keep", keep))
        orders = Orders(player, place=((source, 3),), fortifies=(move,))
        assert len(in_vain(orders, state)) == said
    assert in_vain(orders, state)[0].startswith(f"fortify[1] keeps {most + 5}: {most} armies at most can be in ")


def test_a_neutral_army_that_is_reinforced_may_need_any_number_of_rolls() -> None:
    table = Table("no", "two", 2)
    while table.file.game.state.phase != "turn":
        table.play([table.orders(p, set_up(table.file.game.state, p, 1)) for p in table.file.game.state.acting])
    state = table.file.game.state
    player = state.acting[0]
    found = set()
    for source in state.territories_of(player):
        for target in state.board.neighbours[source] if state.armies[source] > 1 else ():
            if state.owners[target] != player:
                entry = Attack(source, (target,), max_rolls=1000)
                said = in_vain(Orders(player, attacks=(entry,)), state)
                assert bool(said) == (state.owners[target] != "neutral")
                found.add(state.owners[target])
    assert len(found) == 2
