"""All that can happen in one turn, by the referee's own legality and step function.

Orders are a script that is written before the dice are known, and there is no end to scripts. But what a script did,
once the dice have fallen, is a list of single rolls: which territory was attacked from which, with how many armies and
dice, how many moved in, and where it stopped. So the scripts of entries with `max_rolls = 1` reach all that any script
can reach, and here they are all written: the script grows by one entry whenever the one before has been carried out,
each entry that the referee allows, with each number of armies and dice; each result that the dice can have; and, once
it is known that a territory falls or a player is out, each `advance` and each `[[windfall]]`. Positions that are equal
for all that can follow are followed once.

Every state comes with one script and the dice that lead to it: `script` writes it as the tree of an orders document.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any, NamedTuple

from referee.documents.cases.turns import answer
from referee.documents.orders import read_orders
from referee.game.attacking import rolled
from referee.game.battle import losses
from referee.game.board import Board, CardId, TerritoryId
from referee.game.events import ArmiesAdvanced, BattleFought, Event, PenaltyPaid
from referee.game.legality import findings, hand_of, income, why_not_attack, why_not_fortify, worth_of_trades
from referee.game.orders import Attack, Fortify, Orders, PlayerId, Windfall
from referee.game.position import Ask, Happened, Position, Roll
from referee.game.state import State
from referee.game.turn import answered, step

Public = tuple[Any, ...]
"""What everybody can see of a state, as one value; see README.md."""

Step = tuple[Public, tuple[Any, ...], Public]
"""A state, what was done and what came of it, the state after it; see README.md."""

Dice = tuple[tuple[int, ...], tuple[int, ...]]


class Play(NamedTuple):
    """A turn as far as it has been played: its position, which holds the script so far, and the dice that fell."""

    position: Position
    dice: tuple[Dice, ...] = ()
    events: tuple[Event, ...] = ()


class Reached(NamedTuple):
    """The public states that one turn can lead to, each with a way there; and all single rolls."""

    placed: Mapping[Public, Play]
    steps: Collection[Step]
    fought: Mapping[Public, Play]
    ended: Mapping[Public, Play]
    pen: "Pen"


def reachable(start: State, secret_capitals: Mapping[str, str]) -> Reached:
    """Return the states in which the attacks can begin, in which they have ended, and which the turn leaves behind."""
    pen = Pen(start, secret_capitals)
    placed: dict[Public, Play] = {}
    steps: set[Step] = set()
    ended: dict[Public, Play] = {}
    for orders in pen.openings():
        for play in pen.played(Play(Position(start, orders, 1))):
            (ended if play.position.stage == "done" else placed).setdefault(seen(play), play)
    fought = dict(placed)
    waiting = list(placed.items())
    while waiting:
        before, here = waiting.pop()
        for play in pen.longer(here):
            after, step = seen(play), what(play)
            if step:
                steps.add((before, step, after))
            found = ended if play.position.stage == "done" else fought
            if after not in found:
                found[after] = play
                if found is fought:
                    waiting.append((after, play))
    moved: dict[Public, Play] = {}
    for here in fought.values():
        for play in pen.final_moves(here):
            moved.setdefault(seen(play), play)
    for here in moved.values():
        for play in pen.played(here):
            ended.setdefault(seen(play), play)
    return Reached(placed, steps, fought, ended, pen)


def what(play: Play) -> tuple[Any, ...]:
    """Return what the last entry of a script did: the roll and the armies that moved in, or the penalty paid.

    It begins with the number of throws that come to the same.
    """
    told: tuple[Any, ...] = ()
    for event in play.events:
        match event:
            case BattleFought(_, _, _, _, source, target, armies, attack, defence, lost, won):
                ways = throws(len(attack), len(defence))[attack, defence]
                told = (ways, source, target, armies, len(attack), len(defence), lost, won, 0)
            case ArmiesAdvanced(_, _, _, armies):
                told = (*told[:-1], armies)
            case PenaltyPaid(_, _, territory, armies) if armies:
                told = (1, territory, armies)
    return told


def seen(play: Play) -> Public:
    """Return what everybody can see, as one value; within a turn also whether a card has been earned."""
    is_over = play.position.stage == "done"
    return public(play.position.state, play.position.taken > 0 and not is_over)


def public(state: State, taken: bool = False) -> Public:
    """Return what everybody can see of a state; `taken` says whether a card has been earned in this turn."""
    known = state.board.cards
    pile, discards, shuffled = (
        tuple(sorted(card if card in known else "?" for card in cards))
        for cards in (state.pile, state.discards, state.shuffled[-1])
    )
    seats = state.players.values()
    return (
        tuple(zip(state.owners.values(), state.armies.values(), strict=True)),
        tuple(map(len, state.hands.values())),
        pile,
        discards,
        shuffled,
        state.sets_traded,
        tuple(seat.out_by for seat in seats),
        tuple(state.capitals.get(seat, "") for seat in state.players),
        "".join(state.acting),
        state.round,
        taken,
        (state.result.winners[0], state.result.how) if state.result else (),
    )


class Pen:
    """Writes the entries of scripts as TOML has them, reads them as the referee does, and plays them."""

    def __init__(self, start: State, secret_capitals: Mapping[str, str]) -> None:
        self.start = start
        self.secret_capitals = secret_capitals
        self.board: Board = start.board
        self.player: PlayerId = start.acting[0]
        self.written: dict[Attack | Windfall | Fortify, dict[str, Any]] = {}

    def read(self, tree: Mapping[str, Any]) -> Orders:
        orders = read_orders(tree, self.board, self.start.players, self.player)
        assert isinstance(orders, Orders), orders
        return orders

    # --- what can be written

    def openings(self) -> Iterator[Orders]:
        """Yield the orders of all reinforcement phases that the referee finds nothing wrong with."""
        hand = hand_of(self.start, self.player, {})
        own = self.start.territories_of(self.player)
        for trades in self._trades(hand.known):
            tree: dict[str, Any] = {"trade": trades} if trades else {}
            orders = self.read(tree)
            wrong = findings(orders, self.start, hand)
            if any(finding.key.startswith("trade") for finding in wrong):
                continue
            total = income(self.start, self.player, worth_of_trades(orders, self.start)).total
            for lands in combinations_with_replacement(own, total):
                orders = self.read({**tree, "place": {land: lands.count(land) for land in own if land in lands}})
                assert not findings(orders, self.start, hand)
                yield orders

    def _trades(self, hand: tuple[CardId, ...]) -> Iterator[list[dict[str, Any]]]:
        """Yield all lists of sets out of a hand, with each territory of the board as the one of the bonus."""
        yield []
        for cards in combinations(self.board.in_order(hand), 3):
            left = tuple(card for card in hand if card not in cards)
            for bonus in ({}, *({"bonus": territory} for territory in self.board.territories)):
                first = {"cards": list(cards), **bonus}
                yield from ([first, *more] for more in self._trades(left))

    def longer(self, play: Play) -> Iterator[Play]:
        """Yield all that can come of one more entry of the attack list."""
        position, dice, _ = play
        orders = position.orders
        for attack in self._attacks(position):
            longer = orders._replace(attacks=(*orders.attacks, attack))
            yield from self.played(Play(position._replace(orders=longer), dice))

    def final_moves(self, play: Play) -> Iterator[Play]:
        """Let the attacks end: yield all that can come of the card and of each final move, or none."""
        while play.position.stage != "fortify":
            play = self.after(play)
        orders = play.position.orders
        for fortifies in self._fortifies(play.position):
            last = play.position._replace(orders=orders._replace(fortifies=fortifies))
            yield self.after(play._replace(position=last))

    def _attacks(self, position: Position) -> Iterator[Attack]:
        """Yield all single rolls that the referee allows now, and the attacks that name too little (Q-24)."""
        state = position.state
        own = state.territories_of(self.player)
        for source in own:
            if state.rules.unnamed_attack_penalty:
                yield self.attack((("from", source),))
            for target in self.board.neighbours[source]:
                if not why_not_attack(state, self.player, source, target):
                    for armies in (1, 2, 3):
                        yield from self._dice(source, target, armies)
        if state.rules.unnamed_attack_penalty:
            yield self.attack(())

    def _dice(self, source: TerritoryId, target: TerritoryId, armies: int) -> Iterator[Attack]:
        entry = (("from", source), ("to", target), ("armies", armies), ("max_rolls", 1))
        if self.start.rules.attack_strength == "dice_are_armies":
            yield self.attack(entry)
            return
        for dice in range(1, armies + 1):
            yield self.attack((*entry, ("dice", dice)))

    @cache  # noqa: B019
    def attack(self, entry: tuple[tuple[str, Any], ...]) -> Attack:
        attack = self.read({"attack": [dict(entry)]}).attacks[0]
        self.written[attack] = dict(entry)
        return attack

    @cache  # noqa: B019
    def advancing(self, attack: Attack, armies: int) -> Attack:
        return self.attack((*self.written[attack].items(), ("advance", armies)))

    @cache  # noqa: B019
    def windfall(self, gone: str, trade: str, place: TerritoryId) -> Windfall:
        entry = {"player": gone, "trade": trade, "place": [place]}
        windfall = self.read({"windfall": [entry]}).windfalls[0]
        self.written[windfall] = entry
        return windfall

    @cache  # noqa: B019
    def fortify(self, source: TerritoryId, target: TerritoryId, armies: int) -> Fortify:
        entry = {"from": source, "to": target, "armies": armies}
        fortify = self.read({"fortify": [entry]}).fortifies[0]
        self.written[fortify] = entry
        return fortify

    def _fortifies(self, position: Position) -> Iterator[tuple[Fortify, ...]]:
        """Yield no final move, and all that the referee allows now."""
        yield ()
        state = position.state
        for source, target in product(state.territories_of(self.player), repeat=2):
            if source != target and not why_not_fortify(state, self.player, source, target):
                for armies in range(1, state.armies[source]):
                    yield (self.fortify(source, target, armies),)

    def script(self, play: Play) -> dict[str, Any]:
        """Return the script of a play as the tree of an orders document."""
        orders = play.position.orders
        trades = [{"cards": list(t.cards), **({"bonus": t.bonus} if t.bonus else {})} for t in orders.trades]
        lists: dict[str, list[Any]] = {
            "trade": trades,
            "attack": [self.written[entry] for entry in orders.attacks],
            "windfall": [self.written[entry] for entry in orders.windfalls],
            "fortify": [self.written[entry] for entry in orders.fortifies],
        }
        return {**{key: entries for key, entries in lists.items() if entries}, "place": dict(orders.place)}

    # --- playing it

    def played(self, play: Play) -> Iterator[Play]:
        """Yield all positions that the script so far can lead to, where it ends or the game does."""
        waiting = [play]
        while waiting:
            play = waiting.pop()
            position = play.position
            if position.stage == "done" or (
                position.stage == "attack" and position.entry == len(position.orders.attacks)
            ):
                yield play
            elif position.stage == "won":
                waiting += (self.after(play._replace(position=one)) for one in self._advances(position))
            elif self._may_trade(position):
                waiting += (self.after(play._replace(position=one)) for one in self._windfalls(position))
            elif position.stage == "roll":
                waiting += self._rolls(play)
            else:
                waiting.append(self.after(play))

    def after(self, play: Play) -> Play:
        """Return the play after a step that needs no dice."""
        move = step(play.position)
        if isinstance(move, Ask):
            move = answered(play.position, answer(move.question, 0, self.secret_capitals))
        assert isinstance(move, Happened)
        return Play(move.position, play.dice, play.events + move.events)

    def _rolls(self, play: Play) -> Iterator[Play]:
        """Yield the play after each roll of the dice that are due."""
        move = step(play.position)
        assert isinstance(move, Roll)
        for thrown in throws(move.attack, move.defence):
            happened = rolled(play.position, *thrown)
            yield Play(happened.position, (*play.dice, thrown), play.events + happened.events)

    def _advances(self, position: Position) -> Iterator[Position]:
        """Yield a position that has taken a territory, with each number of armies to move in."""
        orders, fight = position.orders, position.fight
        assert fight is not None
        *others, last = orders.attacks
        for armies in range(1, fight.here):
            attacks = (*others, self.advancing(last, armies))
            yield position._replace(orders=orders._replace(attacks=attacks))

    def _may_trade(self, position: Position) -> bool:
        """Say whether a player is just out, and what to do with the cards has not been written yet."""
        rule = position.state.rules.elimination_trade
        return position.stage == "windfall" and bool(position.gone) and position.windfall is None and rule != "none"

    def _windfalls(self, position: Position) -> Iterator[Position]:
        """Yield a position in which a player is just out, with each thing to do about the cards."""
        orders = position.orders
        for trade, place in product(("forced", "best", "none"), position.state.territories_of(self.player)):
            more = self.windfall(position.gone, trade, place)
            yield position._replace(orders=orders._replace(windfalls=(*orders.windfalls, more)))


@cache
def throws(attack: int, defence: int) -> Mapping[Dice, int]:
    """Return one throw for each result that so many dice can have, and how many have it; a test throws all of them."""
    first: dict[tuple[int, int], Dice] = {}
    ways: dict[Dice, int] = {}
    for thrown in product(range(1, 7), repeat=attack + defence):
        dice = (thrown[:attack], thrown[attack:])
        one = first.setdefault(losses(*dice), dice)
        ways[one] = ways.get(one, 0) + 1
    return ways
