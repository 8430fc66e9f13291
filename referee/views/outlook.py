"""What is certain of the board when an entry of a turn's orders is reached, whatever the dice and the players do.

Land changes hands only from others to the player, where an entry before aims at it or a capital brings it; armies are
between what can be left and the most that can have come in. It decides nothing: what a condition reads is that of
`referee.game.conditions` (DESIGN section 4, "Conditions"). Where nothing is certain, nothing is said.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from referee.game.board import TerritoryId
from referee.game.conditions import (
    ArmiesAre,
    Condition,
    ContinentIs,
    CountIs,
    Last,
    LastAttackWas,
    Operator,
    PlayerIsOut,
    TerritoryIs,
)
from referee.game.orders import NEUTRAL, Attack, Guard, Orders
from referee.game.records import NamedTuple
from referee.game.rules import CARDS_IN_SET
from referee.game.state import State
from referee.views.understood import whose


class Span(NamedTuple):
    """Numbers that something can have: from `least` to `most`; without end where that is None."""

    least: int
    most: int | None

    def may_be(self, operator: Operator, number: int) -> bool:
        """Say whether a number of the span compares so."""
        match operator:
            case ">=":
                return self.most is None or self.most >= number
            case ">":
                return self.most is None or self.most > number
            case "<=":
                return self.least <= number
            case "<":
                return self.least < number
            case "=":
                return self.least <= number and (self.most is None or self.most >= number)

    def must_be(self, operator: Operator, number: int) -> bool:
        """Say whether every number of the span compares so."""
        if operator == "=":
            return self.least == self.most == number
        return not self.may_be(_OPPOSITE[operator], number)

    def words(self, one: str, many: str) -> str:
        """Write so many of something: `no card`, `at most 3 cards`, `2 to 3 cards`, `at least 1 card`."""
        if self.most == 0:
            return f"no {one}"
        if self.most is None:
            return f"at least {self.least} {one if self.least == 1 else many}"
        some = one if self.most == 1 else many
        if self.least == self.most:
            return f"{self.most} {some}"
        return f"{f'{self.least} to' if self.least > 1 else 'at most'} {self.most} {some}"


_OPPOSITE: dict[Operator, Operator] = {">=": "<", "<": ">=", "<=": ">", ">": "<="}


class Outlook(NamedTuple):
    """What is certain when the attacks in `before` are over, which aim at what is in `reached`.

    `armies` are the most that can stand where the player may attack from; they count only as long as nobody's cards can
    have brought more. `during`: in the midst of these attacks, when somebody has just fallen; `drawn`: after the card.
    """

    state: State
    orders: Orders
    armies: Mapping[TerritoryId, int]
    before: Sequence[Attack]
    reached: AbstractSet[TerritoryId]
    during: bool = False
    drawn: bool = False

    def never_carried_out(self, key: str, guard: Guard) -> list[str]:
        """Return a sentence for each condition for which an entry is never carried out."""
        required, excluded = enumerate(guard.require, start=1), enumerate(guard.exclude, start=1)
        never = [(f"{key}.if[{n}] can never hold", one) for n, one in required if not self.may_hold(one)]
        always = [(f"{key}.unless[{n}] always holds", one) for n, one in excluded if self.must_hold(one)]
        return [f"{what}: {self.told(condition)}" for what, condition in never + always]

    def may_hold(self, condition: Condition) -> bool:
        """Say whether a condition may hold then."""
        match condition:
            case TerritoryIs(territory, owner):
                return owner in self.owners(territory)
            case ContinentIs(continent, owner):
                return all(owner in self.owners(t) for t in self.state.board.continents[continent].territories)
            case ArmiesAre(_, operator, number) | CountIs(_, operator, number):
                return self.span(condition).may_be(operator, number)
            case PlayerIsOut(player):
                return player in self.state.out() or self.may_have_fallen([player])
            case LastAttackWas(outcome):
                return outcome in self.outcomes()

    def must_hold(self, condition: Condition) -> bool:
        """Say whether a condition is certain to hold then."""
        match condition:
            case TerritoryIs(territory, owner):
                return self.owners(territory) == (owner,)
            case ContinentIs(continent, owner):
                return all(self.owners(t) == (owner,) for t in self.state.board.continents[continent].territories)
            case ArmiesAre(_, operator, number) | CountIs(_, operator, number):
                return self.span(condition).must_be(operator, number)
            case PlayerIsOut(player):
                return player in self.state.out()
            case LastAttackWas(outcome):
                return self.outcomes() == (outcome,)

    # --- owners

    def owners(self, territory: TerritoryId) -> tuple[str, ...]:
        """Return who may hold a territory then: whoever does now, and the player if it may have been taken."""
        owner, player = self.state.owners[territory], self.orders.player
        may_change = owner != player and (territory in self.reached or self.may_have_swept())
        return (owner, player) if may_change else (owner,)

    def may_have_swept(self) -> bool:
        """Say whether the fall of a secret capital may have brought land that no entry aims at, and cards."""
        return self.state.rules.capitals == "secret_sweep" and bool(self.reached)

    def may_have_fallen(self, others: Iterable[str] = ()) -> bool:
        """Say whether one of these players, or anybody, may have lost all land by then."""
        among = others or self.state.players
        lands = [self.state.territories_of(other) for other in among if other != self.orders.player]
        return any(land and (self.may_have_swept() or self.reached >= {*land}) for land in lands)

    def may_bring_armies(self) -> bool:
        """Say whether cards taken over may have brought armies by then."""
        return self.state.rules.elimination_trade != "none" and self.may_have_fallen()

    # --- numbers

    def span(self, condition: ArmiesAre | CountIs) -> Span:
        """Return what the number can be that a condition reads."""
        match condition:
            case ArmiesAre(territory):
                return Span(self._least(territory), self._most(territory))
            case CountIs("taken"):
                return Span(1 if self.during else 0, len(self.reached))
            case CountIs():
                if self.may_have_fallen():
                    return Span(0, None)
                held = len(self.state.hands[self.orders.player]) - CARDS_IN_SET * len(self.orders.trades)
                return Span(held, held + 1 if self.drawn and self.reached else held)

    def _most(self, territory: TerritoryId) -> int | None:
        owner, here = self.state.owners[territory], self.armies.get(territory, 0)
        if owner == NEUTRAL and self.state.rules.neutral_army == "n28_reinforced":
            return None  # it grows before the first attack
        if self.orders.player in self.owners(territory) and self.may_bring_armies():
            return None
        return here if owner == self.orders.player else max(here, self.state.armies[territory])

    def _least(self, territory: TerritoryId) -> int:
        if self.state.owners[territory] != self.orders.player:
            return 1 if len(self.owners(territory)) > 1 else self.state.armies[territory]
        is_touched = any(attack.source in (territory, None) or not attack.targets for attack in self.before)
        return 1 if is_touched else self.armies[territory]

    def outcomes(self) -> tuple[Last, ...]:
        """Return how the entry before may have ended: one that names no attack is never fought (Q-24)."""
        if self.during:
            return ("none", "won", "lost", "skipped") if self.before[1:] else ("none",)
        if not self.before:
            return ("none",)
        return ("won", "lost", "skipped") if self.before[-1].is_complete else ("skipped",)

    # --- in words

    def told(self, condition: Condition) -> str:
        """Say what is certain of what a condition reads."""
        match condition:
            case TerritoryIs(territory):
                return self._held(territory)
            case ContinentIs(continent, owner):
                lands = self.state.board.continents[continent].territories
                never = next((t for t in lands if owner not in self.owners(t)), None)
                return self._held(never) if never else f"all of it will be {whose(owner, self.orders.player)} by then"
            case ArmiesAre(territory):
                return f"{self._name(territory)} will have {self.span(condition).words('army', 'armies')} by then"
            case CountIs("taken"):
                return f"{self.span(condition).words('territory', 'territories')} will be taken by then"
            case CountIs():
                return f"you will hold {self.span(condition).words('card', 'cards')} by then"
            case PlayerIsOut(player):
                return f"{player} is out" if player in self.state.out() else f"{player} will still have land by then"
            case LastAttackWas():
                return "no entry comes before" if self.outcomes() == ("none",) else "the entry before names no attack"

    def _held(self, territory: TerritoryId) -> str:
        either = " or ".join(whose(owner, self.orders.player) for owner in self.owners(territory))
        return f"{self._name(territory)} will be {either} by then"

    def _name(self, territory: TerritoryId) -> str:
        return self.state.board.name_of(territory, "en")
