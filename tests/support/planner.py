"""Players for whole games in tests: one who plans, and one who orders anything that is allowed.

`plan` sees what a player sees (the public state, his own cards and mission) and returns the body of
an orders file: a tree with the keys of DESIGN section 4. It is plain and bold, so that games end,
and it uses what orders have: trades with a bonus, stops, odds, conditions, paths, advances, a
windfall, alternatives for the final move, and entries that will not come true. The same position
and seed give the same orders.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from referee.game.board import CardId, TerritoryId
from referee.game.cards import automatic_set, matching, sets_in
from referee.game.deploying import due_now, neutral_due
from referee.game.legality import income, must_trade, worth_of_trades
from referee.game.orders import NEUTRAL, Orders, PlayerId, Trade
from referee.game.state import State

Tree = dict[str, Any]


class Style(NamedTuple):
    """How somebody plays: chances taken (percent), most attack entries, when sets are kept."""

    min_odds: int = 45
    entries: int = 12
    hoards: bool = False
    talks: bool = True


BOLD = Style()
CAREFUL = Style(min_odds=65, entries=6, hoards=True)
WILD = Style(min_odds=30, entries=16, talks=False)
STYLES = (BOLD, CAREFUL, WILD)


def set_up(state: State, player: PlayerId, seed: int) -> Tree:
    """Return the body of an orders file for the phase of the set-up that is awaited."""
    match state.phase:
        case "claim":
            return claim(state, player, seed)
        case "capital":
            return capital(state, player, seed)
        case _:
            return deployment(state, player, seed)


def claim(state: State, player: PlayerId, seed: int) -> Tree:
    """Rank some continents one after the other; now and then the list is short."""
    rng = _random(state, player, seed)
    continents = list(state.board.continents.values())
    rng.shuffle(continents)
    ranking = [territory for continent in continents for territory in rng.sample(continent.territories, 4)]
    return {"claim": ranking[: rng.choice((3, 12, len(ranking)))]}


def deployment(state: State, player: PlayerId, seed: int) -> Tree:
    """Place the first armies: most of them on one border, the rest on two others."""
    rng = _random(state, player, seed)
    left = due_now(state, player)
    fronts = [t for t in state.territories_of(player) if state.has_hostile_neighbour(t, player)]
    chosen = rng.sample(fronts, min(3, len(fronts)))
    placed: Tree = {}
    for place, territory in enumerate(chosen):
        armies = left if place + 1 == len(chosen) else (left + 1) // 2
        if armies:
            placed[territory] = armies
        left -= armies
    neutral = neutral_due(state, player, sum(placed.values()))
    if not neutral:
        return {"deploy": placed}
    land = rng.choice(state.territories_of(NEUTRAL))
    return {"deploy": placed, "neutral": {land: neutral}}


def capital(state: State, player: PlayerId, seed: int) -> Tree:
    """Choose a capital where many armies stand, or somewhere inland."""
    rng = _random(state, player, seed)
    own = list(state.territories_of(player))
    own.sort(key=lambda t: (state.armies[t], not state.has_hostile_neighbour(t, player)))
    return {"capital": rng.choice(own[-3:])}


def _random(state: State, player: PlayerId, seed: int) -> Random:
    return Random(f"{seed}/{state.round}/{player}/{sum(state.armies.values())}")


def plan(
    state: State,
    player: PlayerId,
    hand: Sequence[CardId],
    mission: str = "",
    seed: int = 1,
    style: Style = BOLD,
) -> Tree:
    """Return the body of an orders file for the turn that is awaited."""
    return _Plan(state, player, hand, mission, _random(state, player, seed), style).orders()


class _Plan:
    """One turn being thought out: `armies` and `mine` as they will be if all goes well."""

    def __init__(
        self,
        state: State,
        player: PlayerId,
        hand: Sequence[CardId],
        mission: str,
        rng: Random,
        style: Style,
    ) -> None:
        self.state = state
        self.board = state.board
        self.player = player
        self.hand = list(hand)
        self.rng = rng
        self.style = style
        self.armies = dict(state.armies)
        self.mine = set(state.territories_of(player))
        self.aims = self._aims(mission)
        self.attacks: list[Tree] = []
        self.room = style.entries
        self.wants_two = mission == "territories_18_two_armies"

    def orders(self) -> Tree:
        """Think in the order in which the turn is played."""
        tree: Tree = {}
        if self.style.talks and self.rng.randrange(4) == 0:
            tree["note"] = self.rng.choice(("Now or never.", "Sorry, Ola.\nNothing personal.", "!"))
        trades = self._trades()
        if trades:
            tree["trade"] = trades
        front = self._front()
        total = self._total(trades)
        self.room = self.style.entries + total // 4
        tree["place"] = self._place(front, total)
        for _ in range(1 + total // 10):
            self._march(front)
            front = self._front()
        self._skirmishes(front)
        if self.attacks:
            tree["attack"] = self.attacks[: self.room]
            windfall = self._windfall()
            if windfall and self.state.rules.elimination_trade != "none":
                tree["windfall"] = windfall
        fortify = self._fortify()
        if fortify:
            tree["fortify"] = fortify
        return tree

    # --- what is wanted

    def _aims(self, mission: str) -> dict[TerritoryId, int]:
        """Return how much each territory is wanted."""
        state, board = self.state, self.board
        aims = dict.fromkeys(board.territories, 1)
        card = board.missions.get(mission)  # type: ignore[call-overload]
        wanted = [*card.continents] if card else []
        if card is not None and card.colour:
            for other in state.players.values():
                if other.colour == card.colour and other.id != self.player:
                    for territory in state.territories_of(other.id):
                        aims[territory] += 8
        for continent in board.continents.values():
            held = sum(t in self.mine for t in continent.territories)
            share = 6 * held // len(continent.territories)
            for territory in continent.territories:
                aims[territory] += share + (6 if continent.id in wanted else 0)
        weakest = min(
            (p for p in state.players.values() if p.status != "out" and p.id != self.player),
            key=lambda p: (state.armies_of(p.id), p.seat),
        )
        for territory in state.territories_of(weakest.id):
            aims[territory] += 3
        for land in state.capitals.values():
            if land:
                aims[TerritoryId(land)] += 9
        return aims

    # --- cards and placing

    def _trades(self) -> list[Tree]:
        state, rules = self.state, self.state.rules
        found: list[Tree] = []
        hand = list(self.hand)
        while len(hand) >= 3:
            forced = must_trade(len(hand), bool(found), rules)
            if self.style.hoards and not forced:
                break
            best = automatic_set(hand, self.board, rules, self.mine, state.sets_before(self.player), bool(found))
            if best is None:
                break
            hand = [card for card in hand if card not in best]
            found.append(self._trade(best, found))
        return found

    def _trade(self, cards: tuple[CardId, ...], before: Sequence[Tree]) -> Tree:
        trade: Tree = {"cards": list(cards)}
        shown = matching(cards, self.mine, self.board)
        used = self.state.rules.territory_bonus == "once_per_turn" and any("bonus" in t for t in before)
        if shown and self.state.rules.territory_bonus != "each_card" and not used:
            trade["bonus"] = max(shown, key=lambda t: (self._pull(t), -self.board.index[t]))
            self.armies[trade["bonus"]] += 2
        elif self.state.rules.territory_bonus == "each_card":
            for territory in shown:
                self.armies[territory] += 2
        return trade

    def _total(self, trades: Sequence[Tree]) -> int:
        values = tuple(Trade(tuple(trade["cards"])) for trade in trades)
        worth = worth_of_trades(Orders(self.player, values), self.state)
        return income(self.state, self.player, worth).total

    def _hostile(self, territory: TerritoryId) -> list[TerritoryId]:
        return [t for t in self.board.neighbours[territory] if t not in self.mine]

    def _pull(self, territory: TerritoryId) -> int:
        """Return the worth of standing here: strong, and next to weak land that is wanted."""
        near = self._hostile(territory)
        if not near:
            return -1
        best = max(2 * self.aims[t] - self.armies[t] for t in near)
        return 2 * self.armies[territory] + 2 * best

    def _front(self) -> TerritoryId:
        return max(
            (t for t in self.board.territories if t in self.mine),
            key=lambda t: (self._pull(t), -self.board.index[t]),
        )

    def _place(self, front: TerritoryId, total: int) -> Tree:
        second = [t for t in self.mine if t != front and self._hostile(t)]
        placed = {front: total}
        if total > 5 and second and self.rng.randrange(2):
            other = max(second, key=lambda t: (self._pull(t), -self.board.index[t]))
            placed = {front: total - total // 4, other: total // 4}
        for territory, armies in placed.items():
            self.armies[territory] += armies
        return dict(placed)

    # --- attacks

    def _march(self, front: TerritoryId) -> None:
        """Go with the greatest stack from land to land, as long as it should last."""
        here, start = front, True
        while len(self.attacks) < self.room - 3:
            target = self._next(here)
            if target is None:
                return
            stack = self.armies[here] - 1 - self._cost(self.armies[target])
            way = self._way(here, target, stack)
            entry: Tree = {"path": way} if len(way) > 2 else {"from": here, "to": target}
            entry |= {"advance": self._advance(here), "min_odds": self.style.min_odds}
            if not start and self.rng.randrange(3) == 0:
                entry["if"] = [f"{here} is mine", f"{here} >= {max(2, stack // 2)}"]
            self.attacks.append(entry)
            self._second_try(way)
            for source, taken in pairwise(way):
                stack = max(1, self.armies[source] - 1 - self._cost(self.armies[taken]))
                self.armies[source], self.armies[taken] = 1, stack
                self.mine.add(taken)
            here, start = way[-1], False

    def _cost(self, defenders: int) -> int:
        return (9 * defenders + 5) // 10

    def _next(self, here: TerritoryId) -> TerritoryId | None:
        armies = self.armies[here]
        weak = [t for t in self._hostile(here) if armies - 1 > self._cost(self.armies[t]) + 1]
        if not weak:
            return None
        return max(weak, key=lambda t: (3 * self.aims[t] - 2 * self.armies[t], -self.board.index[t]))

    def _way(self, here: TerritoryId, target: TerritoryId, stack: int) -> list[TerritoryId]:
        """Lengthen a step to a path now and then."""
        way = [here, target]
        if self.rng.randrange(4) == 0:
            further = [t for t in self._hostile(target) if t not in way and self.armies[t] < stack // 3]
            if further:
                way.append(max(further, key=lambda t: (self.aims[t], -self.board.index[t])))
        return way

    def _advance(self, here: TerritoryId) -> Any:
        if self.wants_two:
            return {"keep": 2}
        if self.armies[here] > 12 and self.rng.randrange(3) == 0:
            return {"keep": 3}
        return "all" if self.rng.randrange(5) else "auto"

    def _second_try(self, way: Sequence[TerritoryId]) -> None:
        """Attack the same land from elsewhere if the first attack fails."""
        target = way[-1]
        others = [t for t in self.board.neighbours[target] if t in self.mine and t not in way and self.armies[t] > 3]
        if others and self.rng.randrange(2):
            source = max(others, key=lambda t: (self.armies[t], -self.board.index[t]))
            self.attacks.append({"from": source, "to": target, "max_rolls": 3, "if": ["last attack lost"]})

    def _skirmishes(self, front: TerritoryId) -> None:
        """Let the other stacks fight with stops."""
        sources = [t for t in self.board.territories if t in self.mine and self.armies[t] > 3]
        for source in sources:
            weak = [t for t in self._hostile(source) if self.armies[t] + 2 <= self.armies[source] and source != front]
            if not weak or self.state.owners[source] != self.player:
                continue
            target = max(weak, key=lambda t: (self.aims[t], -self.board.index[t]))
            entry: Tree = {"from": source, "to": target}
            match self.rng.randrange(4):
                case 0:
                    entry |= {"stop_at": 2, "advance": "least"}
                case 1:
                    entry |= {"max_losses": max(1, self.armies[source] // 3), "advance": 3}
                case 2:
                    entry |= {"min_odds": 60, "unless": ["taken >= 4"]}
                case _:
                    entry |= {"armies": 2, "max_rolls": 4, "unless": [f"{target} is mine"]}
            self.attacks.append(entry)
            self.mine.add(target)

    def _windfall(self) -> list[Tree]:
        places = [entry["to"] for entry in self.attacks if "to" in entry][:3]
        others = [p for p in self.state.playing() if p != self.player]
        return [
            {"player": self.rng.choice(others or list(self.state.players)), "trade": "best"},
            {"trade": "best", "place": places, "unless": ["taken >= 30"]},
            {"trade": "none"},
        ]

    # --- the final move

    def _fortify(self) -> list[Tree]:
        """Bring up the greatest stack behind the lines, else what is left of the front."""
        own = [t for t in self.board.territories if self.state.owners[t] == self.player]
        behind = [t for t in own if self.state.armies[t] > 1]
        behind.sort(key=lambda t: (bool(self._hostile(t)), -self.armies[t], self.board.index[t]))
        found: list[Tree] = []
        for source in behind[:3]:
            near = [t for t in self.board.neighbours[source] if self.state.owners[t] == self.player]
            if near:
                target = max(near, key=lambda t: (self._pull(t), self.rng.random()))
                found.append({"from": source, "to": target, "unless": [f"{source} <= 1"]})
        if found and self.rng.randrange(2):
            found[0]["armies"] = {"keep": 2}
        return found


# --- anything that is allowed --------------------------------------------------------------------

_NAMES = {
    "eastern_united_states": "Øst-USA",
    "middle_east": "midtosten",
    "great_britain": "Großbritannien",
    "siam": "Southeast Asia",
    "northwest_territory": "NORTHWEST.territory",
}


def random_orders(state: State, player: PlayerId, hand: Sequence[CardId], rng: Random) -> Tree:
    """Return random legal orders that use every key of an orders file."""
    own = list(state.territories_of(player))
    tree: Tree = {}
    if rng.randrange(3) == 0:
        tree["note"] = rng.choice(("a", "— ærlig talt —\n\nzwei", 'quote " and \\ backslash'))
    trades = _random_trades(state, own, hand, rng)
    if trades:
        tree["trade"] = trades
    values = tuple(Trade(tuple(CardId(c) for c in trade["cards"])) for trade in trades)
    total = income(state, player, worth_of_trades(Orders(player, values), state)).total
    tree["place"] = _random_place(own, total, rng)
    planned: list[TerritoryId] = []
    attacks = [_random_attack(state, player, own, planned, rng) for _ in range(rng.randrange(10))]
    if any(attacks):
        tree["attack"] = [entry for entry in attacks if entry]
    if state.rules.elimination_trade != "none" and rng.randrange(2):
        tree["windfall"] = [_random_windfall(state, player, rng) for _ in range(rng.randrange(1, 4))]
    fortify = _random_fortify(state, own, planned, player, rng)
    if fortify:
        tree["fortify"] = fortify
    return tree


def _random_trades(state: State, own: Iterable[TerritoryId], hand: Sequence[CardId], rng: Random) -> list[Tree]:
    left, found = list(hand), []
    used = False
    while True:
        sets = sets_in(left, state.board)
        if not sets or not (must_trade(len(left), bool(found), state.rules) or rng.randrange(3)):
            return found
        cards = list(rng.choice(sets))
        rng.shuffle(cards)
        trade: Tree = {"cards": cards}
        shown = matching(cards, set(own), state.board)
        match state.rules.territory_bonus:
            case "once_per_set":
                needed = len(shown) > 1
            case "once_per_turn":
                needed = len(shown) > 1 and not used
            case _:
                needed = False
        if needed or (shown and rng.randrange(3) == 0):
            trade["bonus"] = rng.choice(shown)
        used = used or bool(shown)
        found.append(trade)
        left = [card for card in left if card not in cards]


def _random_place(own: Sequence[TerritoryId], total: int, rng: Random) -> Tree:
    placed: Tree = {}
    while total:
        number = rng.randint(1, total)
        territory = rng.choice(own)
        placed[territory] = placed.get(territory, 0) + number
        total -= number
    return {_NAMES.get(territory, territory): number for territory, number in placed.items()}


def _random_attack(
    state: State,
    player: PlayerId,
    own: Sequence[TerritoryId],
    planned: list[TerritoryId],
    rng: Random,
) -> Tree:
    if state.rules.unnamed_attack_penalty and rng.randrange(12) == 0:
        entry: Tree = {"from": rng.choice(own)} if rng.randrange(2) else {"armies": 2}
        return _guarded(state, player, entry, rng)
    way = [rng.choice([*own, *own, *planned])]
    for _ in range(1 if rng.randrange(3) else rng.randrange(2, 5)):
        near = [t for t in state.board.neighbours[way[-1]] if state.owners[t] != player and t not in way]
        if not near:
            break
        way.append(rng.choice(near))
    if len(way) < 2:
        return {}
    planned += way[1:]
    names = [_NAMES.get(t, t) for t in way]
    entry = {"from": names[0], "to": names[1]}
    if len(way) > 2 or rng.randrange(6) == 0:
        entry = {"path": names}
    for key, most in (("stop_at", 6), ("max_rolls", 5), ("max_losses", 5), ("min_odds", 101)):
        if rng.randrange(5) == 0:
            entry[key] = rng.randrange(1, most)
    if rng.randrange(4) == 0:
        entry["armies"] = rng.randrange(1, 4)
    if state.rules.attack_strength == "armies_then_dice" and rng.randrange(4) == 0:
        entry["dice"] = rng.randint(1, entry.get("armies", 3))
    if rng.randrange(2):
        entry["advance"] = rng.choice(("auto", "least", "all", 1, 3, 50, {"keep": 1}, {"keep": 4}))
    return _guarded(state, player, entry, rng)


def _guarded(state: State, player: PlayerId, entry: Tree, rng: Random) -> Tree:
    for key in ("if", "unless"):
        if rng.randrange(5) == 0:
            number = rng.randrange(1, 3)
            entry[key] = [random_condition(state, player, rng) for _ in range(number)]
    return entry


def random_condition(state: State, player: PlayerId, rng: Random) -> str:
    """Return a condition of any form of the grammar."""
    territory = rng.choice(state.board.territories)
    territory = _NAMES.get(territory, territory)
    operator = rng.choice((">=", ">", "<=", "<", "="))
    other = rng.choice(list(state.players))
    return rng.choice(
        (
            f"{territory} is mine",
            f"{territory} is neutral",
            f"{territory} IS {other}",
            f"{rng.choice(list(state.board.continents))} is {rng.choice(('mine', other))}",
            f"{territory} {operator} {rng.randrange(6)}",
            f"taken{operator}{rng.randrange(4)}",
            f"cards {operator} {rng.randrange(6)}",
            f"{other} is out",
            f"last attack {rng.choice(('won', 'lost', 'skipped'))}",
        )
    )


def _random_windfall(state: State, player: PlayerId, rng: Random) -> Tree:
    entry: Tree = {}
    if rng.randrange(2):
        entry["player"] = rng.choice([p for p in state.players if p != player])
    if rng.randrange(4):
        entry["trade"] = rng.choice(("forced", "best", "best", "none"))
    if rng.randrange(2):
        number = min(rng.randrange(1, 5), len(state.board.territories))
        entry["place"] = rng.sample(state.board.territories, number)
    return _guarded(state, player, entry, rng)


def _random_fortify(
    state: State,
    own: Sequence[TerritoryId],
    planned: Sequence[TerritoryId],
    player: PlayerId,
    rng: Random,
) -> list[Tree]:
    ends = list(dict.fromkeys([*own, *planned]))
    found: list[Tree] = []
    for _ in range(rng.randrange(4)):
        source = rng.choice(ends)
        near = [t for t in ends if t != source]
        if state.rules.fortify == "adjacent":
            near = [t for t in state.board.neighbours[source] if t in ends]
        if near:
            entry: Tree = {"from": source, "to": rng.choice(near)}
            if rng.randrange(2):
                entry["armies"] = rng.choice(("all", 1, 4, {"keep": 1}, {"keep": 3}))
            found.append(_guarded(state, player, entry, rng))
    return found
