"""Orders that cannot work: what is said of them holds in random games, and an earlier set's bonus is noticed."""

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from perft.files import positions
from perft.setting import rules_of, state_of
from support.planner import random_condition, random_orders, set_up
from support.table import Table, key_of
from support.turns import played

from referee.documents.checking import look
from referee.documents.orders import read_orders
from referee.game.board import CardId, TerritoryId
from referee.game.conditions import (
    ArmiesAre,
    Condition,
    ContinentIs,
    CountIs,
    LastAttackWas,
    Mistake,
    PlayerIsOut,
    TerritoryIs,
    holds,
    parse_condition,
)
from referee.game.events import ArmiesAdvanced, AttackBegan, AttackStopped, Event
from referee.game.legality import findings, hand_of
from referee.game.orders import Amount, Attack, Fortify, Guard, Orders, Trade, Windfall
from referee.game.position import Position
from referee.game.state import SET_UP, State
from referee.views.vain import in_vain

GAMES = [("no", "world", 4), ("sv", "dealt", 3), ("de", "world", 3), ("no", "capitals", 4), ("no", "two", 2)]
SAID = re.compile(r"attack\[([0-9]+)\](?: (cannot begin)|\.([a-z_]+)(\[[0-9]+\]| = [0-9]+ is never| = [0-9]+ ends)?)")
OF_CONDITION = re.compile(r"([a-z]+)\[([0-9]+)\]\.(if|unless)\[([0-9]+)\] (can never hold|always holds): [A-Za-z].*")
POSITIONS = positions()
SMALL = [(name, preset) for name, position in POSITIONS.items() for preset in position["numbers"]]
SCRIPTS = 25


def _began(events: tuple[Event, ...], entry: int) -> list[AttackBegan]:
    return [event for event in events if isinstance(event, AttackBegan) and event.entry == entry]


def _refuted(sentence: str, attack: Attack, events: tuple[Event, ...]) -> bool:
    """Say whether what happened is against what was said of an attack."""
    said = SAID.match(sentence)
    assert said is not None
    entry, cannot, key, how = int(said[1]), said[2], said[3], said[4] or ""
    if cannot or how.endswith("ends") or key in ("if", "unless"):
        return bool(_began(events, entry))
    if how.endswith("never"):
        reason = key.replace("_", "-")
        return any(isinstance(one, AttackStopped) and (one.entry, one.reason) == (entry, reason) for one in events)
    if key == "path":
        return any(one.leg + 1 >= int(how[1:-1]) for one in _began(events, entry))
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


def _random(state: State, rng: Random) -> Orders:
    """Return random orders with many conditions."""
    player = state.acting[0]
    tree: dict[str, Any] = random_orders(state, player, [CardId(card) for card in state.hands[player]], rng)
    for entry in (*tree.get("attack", ()), *tree.get("windfall", ()), *tree.get("fortify", ())):
        for key in ("if", "unless"):
            entry[key] = [random_condition(state, player, rng) for _ in range(rng.randrange(5))]
    orders = read_orders(tree, state.board, state.players, player)
    assert isinstance(orders, Orders), (tree, orders)
    assert not findings(orders, state, hand_of(state, player, {})), tree
    return orders


def _lists(orders: Orders) -> dict[str, tuple[Attack | Windfall | Fortify, ...]]:
    return {"attack": orders.attacks, "windfall": orders.windfalls, "fortify": orders.fortifies}


def _without_conditions(orders: Orders) -> Orders:
    """Return the same orders without conditions, so that as much happens as can."""
    return orders._replace(
        attacks=tuple(one._replace(guard=Guard()) for one in orders.attacks),
        windfalls=tuple(one._replace(guard=Guard()) for one in orders.windfalls),
        fortifies=tuple(one._replace(guard=Guard()) for one in orders.fortifies),
    )


def _named(said: list[str], orders: Orders) -> dict[tuple[str, int], list[tuple[Condition, bool, str]]]:
    """Return by entry each condition that is named, whether it is said to hold, and the sentence."""
    found: dict[tuple[str, int], list[tuple[Condition, bool, str]]] = {}
    for sentence in said:
        if match := OF_CONDITION.fullmatch(sentence):
            kind, number, is_unless = match[1], int(match[2]), match[3] == "unless"
            guard = _lists(orders)[kind][number - 1].guard
            condition = (guard.exclude if is_unless else guard.require)[int(match[4]) - 1]
            found.setdefault((kind, number), []).append((condition, is_unless, sentence))
    return found


def _is_so(condition: Condition, at: Position) -> bool:
    cards = len(at.state.hands[at.orders.player])
    return holds(condition, at.state, at.taken, cards, at.state.out, at.last)


@pytest.mark.parametrize(("name", "preset"), SMALL)
def test_what_is_said_holds_in_every_turn_on_small_boards(name: str, preset: str) -> None:
    """Players fall, capitals are swept and armies come after an elimination, also where the edition has none."""
    rng = Random(f"{name} {preset}")
    tree = POSITIONS[name]
    rules = rules_of(preset, len(tree["players"]))
    seen = Counter[str]()
    for _ in range(SCRIPTS):
        trade = rng.choice((rules.elimination_trade, "none", "free", "forced_from_6_to_4"))
        state = state_of(tree, rules._replace(elimination_trade=trade))
        orders = _random(state, rng)
        said = in_vain(orders, state)
        named, freed = _named(said, orders), _without_conditions(orders)
        others = [one for one in in_vain(freed, state) if one.startswith("attack")]
        for _ in range(4):
            turn = played(freed, state, rng, tree.get("secret_capitals", {}))
            for kind, number, position in turn.reached:
                for condition, must, sentence in named.get((kind, number), ()):
                    assert _is_so(condition, position) == must, (sentence, condition)
                    seen[f"{kind} {must}"] += 1
            for sentence in others:
                attack = orders.attacks[int(sentence[len("attack[") : sentence.index("]")]) - 1]
                assert not _refuted(sentence, attack, turn.events), sentence
    assert seen["attack False"] > 50
    assert seen["attack True"] > 10


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


def test_a_path_that_comes_back_ends_there(state: State) -> None:
    player = state.acting[0]
    board = state.board
    source, target, beyond = next(
        (source, target, beyond)
        for source in state.territories_of(player)
        for target in board.neighbours[source]
        for beyond in board.neighbours[target]
        if player not in (state.owners[target], state.owners[beyond]) and beyond != source
    )
    state = state._replace(armies={**state.armies, source: 30})
    path = Attack(source, (target, beyond, target), as_path=True)
    said = "attack[1].path[4] is never fought for: the path has been there already"
    assert in_vain(Orders(player, attacks=(path, path._replace(targets=(target, beyond)))), state) == [said]


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


def _border(state: State) -> tuple[TerritoryId, TerritoryId, TerritoryId]:
    """Return own land, another's next to it, and land of the same other that is somewhere else."""
    player, other = state.acting[0], state.after(state.acting[0])
    source, target = next(
        (mine, theirs)
        for mine in state.territories_of(player)
        for theirs in state.board.neighbours[mine]
        if state.owners[theirs] == other
    )
    return source, target, next(t for t in state.territories_of(other) if t != target)


CONDITIONS = [
    ("{theirs} is mine", "if", "{THEIRS} will be {other}'s by then"),
    ("{theirs} is neutral", "if", "{THEIRS} will be {other}'s by then"),
    ("{target} is {third}", "if", "{TARGET} will be {other}'s or yours by then"),
    ("{source} is {other}", "if", "{SOURCE} will be yours by then"),
    ("{source} is mine", "unless", "{SOURCE} will be yours by then"),
    ("{theirs} is {other}", "unless", "{THEIRS} will be {other}'s by then"),
    ("{theirs} >= 3", "if", "{THEIRS} will have 2 armies by then"),
    ("{theirs} <= 2", "unless", "{THEIRS} will have 2 armies by then"),
    ("{target} > 11", "if", "{TARGET} will have at most 11 armies by then"),
    ("{source} = 13", "if", "{SOURCE} will have at most 12 armies by then"),
    ("{source} < 1", "if", "{SOURCE} will have at most 12 armies by then"),
    ("taken >= 2", "if", "at most 1 territory will be taken by then"),
    ("taken < 2", "unless", "at most 1 territory will be taken by then"),
    ("cards >= 1", "if", "you will hold no card by then"),
    ("{other} is out", "if", "{other} will still have land by then"),
    ("{player} is out", "if", "{player} will still have land by then"),
]


@pytest.mark.parametrize(("text", "key", "said"), CONDITIONS)
def test_a_condition_for_which_an_entry_is_never_carried_out_is_named(
    state: State, text: str, key: str, said: str
) -> None:
    """The entry after an attack with ten armies more, on land with two."""
    source, target, theirs = _border(state)
    player, other = state.acting[0], state.owners[target]
    third = state.after(other)
    state = state._replace(armies={**state.armies, source: 2, target: 2, theirs: 2}, hands={**state.hands, player: ()})
    lands = {"source": source, "target": target, "theirs": theirs}
    facts = {**lands, "player": player, "other": other, "third": third}
    facts |= {name.upper(): state.board.name_of(land, "en") for name, land in lands.items()}
    condition = parse_condition(text.format(**facts), state.board, player, state.players)
    assert not isinstance(condition, Mistake)
    guard = Guard((condition,)) if key == "if" else Guard((), (condition,))
    first, second = Attack(source, (target,)), Attack(source, (target,), guard=guard)
    verdict = "can never hold" if key == "if" else "always holds"
    sentence = f"attack[2].{key}[1] {verdict}: {said.format(**facts)}"
    assert in_vain(Orders(player, place=((source, 10),), attacks=(first, second)), state) == [sentence]


def test_a_continent_that_no_entry_aims_at_stays_whose_it_is(state: State) -> None:
    source, target, _ = _border(state)
    other = state.owners[target]
    near = {state.board.continent_of[land] for land in (source, target)}
    far = next(one for key, one in state.board.continents.items() if key not in near)
    state = state._replace(owners={**state.owners, **dict.fromkeys(far.territories, other)})
    mine, theirs = ContinentIs(far.id, state.acting[0]), ContinentIs(far.id, other)
    attack = Attack(source, (target,), guard=Guard((theirs, mine), (mine, theirs)))
    assert in_vain(Orders(state.acting[0], attacks=(attack,)), state) == [
        f"attack[1].if[2] can never hold: {state.board.name_of(far.territories[0], 'en')} will be {other}'s by then",
        f"attack[1].unless[2] always holds: all of it will be {other}'s by then",
    ]


def test_what_may_still_come_about_is_not_named(state: State) -> None:
    source, target, theirs = _border(state)
    player = state.acting[0]
    state = state._replace(armies={**state.armies, source: 2, target: 2, theirs: 2}, hands={**state.hands, player: ()})
    texts = (
        f"{target} is mine", f"{target} is {state.owners[target]}", f"{theirs} is {state.owners[theirs]}",
        f"{source} >= 12", f"{source} = 1", f"{target} >= 11", f"{target} < 2", "taken = 0", "taken = 1", "cards = 0",
        "last attack won", "last attack lost", "last attack skipped",
    )  # fmt: skip
    read = [parse_condition(text, state.board, player, state.players) for text in texts]
    guard = Guard(tuple(one for one in read if not isinstance(one, Mistake)))
    assert len(guard.require) == len(texts)
    first, second = Attack(source, (target,)), Attack(source, (target,), guard=guard)
    assert in_vain(Orders(player, place=((source, 10),), attacks=(first, second)), state) == []


def test_before_the_first_entry_no_attack_has_ended_in_any_way(state: State) -> None:
    source, target, _ = _border(state)
    guard = Guard((LastAttackWas("won"),))
    said = ["attack[1].if[1] can never hold: no entry comes before"]
    assert in_vain(Orders(state.acting[0], attacks=(Attack(source, (target,), guard=guard),)), state) == said


def test_a_card_may_have_been_drawn_before_the_final_move(state: State) -> None:
    source, target, _ = _border(state)
    player = state.acting[0]
    state = state._replace(hands={**state.hands, player: ()})
    attack, near = Attack(source, (target,)), state.board.neighbours[source][0]
    for attacks, number, said in (((), 1, "no card"), ((attack,), 1, ""), ((attack,), 2, "at most 1 card")):
        move = Fortify(source, near, guard=Guard((CountIs("cards", ">=", number),)))
        sentences = [f"fortify[1].if[1] can never hold: you will hold {said} by then"] if said else []
        assert in_vain(Orders(player, attacks=attacks, fortifies=(move,)), state) == sentences


def test_an_attack_that_names_nothing_may_cost_armies_anywhere_and_is_never_fought(state: State) -> None:
    source, target, _ = _border(state)
    player, here = state.acting[0], state.armies[source]
    state = state._replace(rules=state.rules._replace(unnamed_attack_penalty=3))
    guard = Guard((ArmiesAre(source, "<", here),), (LastAttackWas("skipped"),))
    said = ["attack[2].unless[1] always holds: the entry before names no attack"]
    attacks = (Attack(None, ()), Attack(source, (target,), guard=guard))
    assert in_vain(Orders(player, place=((source, 0),), attacks=attacks), state) == said


def test_a_capital_that_falls_may_bring_cards_and_land_and_put_its_owner_out(state: State) -> None:
    source, target, theirs = _border(state)
    player, other = state.acting[0], state.owners[target]
    guard = Guard((TerritoryIs(theirs, player), PlayerIsOut(other), CountIs("cards", ">", 30)))
    attacks = (Attack(source, (target,)), Attack(source, (target,), guard=guard))
    orders = Orders(player, place=((source, 5),), attacks=attacks)
    assert len(in_vain(orders, state)) == 3
    assert in_vain(orders, state._replace(rules=state.rules._replace(capitals="secret_sweep"))) == []


def test_when_somebody_falls_by_the_first_attack_none_has_ended_before(state: State) -> None:
    source, target, _ = _border(state)
    player, other = state.acting[0], state.owners[target]
    owners = {land: player if land != target else other for land in state.board.territories}
    state = state._replace(owners=owners, rules=state.rules._replace(elimination_trade="free"))
    windfall = Windfall(guard=Guard((LastAttackWas("won"), CountIs("taken", ">=", 1)), (CountIs("taken", "=", 0),)))
    attack = Attack(source, (target,))
    orders = Orders(player, place=((source, 5),), attacks=(attack,), windfalls=(windfall,))
    assert in_vain(orders, state) == ["windfall[1].if[1] can never hold: no entry comes before"]
    assert in_vain(orders._replace(attacks=(attack, attack)), state) == []
    unlike = Windfall(guard=Guard((), (LastAttackWas("won"),)))
    assert in_vain(orders._replace(attacks=(attack, attack), windfalls=(unlike,)), state) == []


def test_armies_that_come_on_the_way_of_a_path_are_reckoned_with(state: State) -> None:
    """Whoever falls in the first leg may bring armies for the second, which can then lose more than was there."""
    source, target, _ = _border(state)
    player, other, third = state.acting[0], state.owners[target], state.after(state.after(state.acting[0]))
    further = next(t for t in state.board.neighbours[target] if t != source)
    owners = dict.fromkeys(state.board.territories, player) | {target: other, further: third}
    state = state._replace(owners=owners, rules=state.rules._replace(elimination_trade="free"))
    path = Attack(source, (target, further), max_losses=1000, advance=Amount("exactly", 1000), as_path=True)
    assert in_vain(Orders(player, attacks=(path,)), state) == []
    assert len(in_vain(Orders(player, attacks=(path._replace(targets=(target,)),)), state)) == 2
