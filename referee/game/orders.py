"""What players order, as values: the complete turn, placing at the start, standing orders (DESIGN section 4).

Names are resolved already (ids of the board, ids of players); whether an order is allowed is the business of
`legality`, and how it was spelt that of the documents. A number that was not given is 0, which no order may hold.
"""

from collections.abc import Mapping
from typing import Literal, NewType

from referee.game.board import CardId, TerritoryId
from referee.game.conditions import Condition
from referee.game.records import NamedTuple
from referee.game.rules import MOST_ATTACKERS, MOST_DEFENDERS

PlayerId = NewType("PlayerId", str)

NEUTRAL = PlayerId("neutral")
"""The owner of the neutral army's territories; no player has this id."""

Placement = tuple[tuple[TerritoryId, int], ...]
"""Armies put on territories, in the order of the board."""

AmountKind = Literal["auto", "least", "all", "exactly", "keep"]
WindfallTrade = Literal["forced", "best", "none"]
AbsencePolicy = Literal["wait", "standing", "default", "resigned"]


class Amount(NamedTuple):
    """How many armies move: `exactly` and `keep` (so many stay) have a number from 1."""

    kind: AmountKind
    number: int = 0

    def words(self) -> str:
        """Write it as the event and the report show it: `auto`, `all`, `4`, `keep 2`."""
        if self.kind == "exactly":
            return str(self.number)
        return f"keep {self.number}" if self.kind == "keep" else self.kind


class Guard(NamedTuple):
    """The conditions of an entry: all of `require` must hold and none of `exclude` (the keys `if`, `unless`)."""

    require: tuple[Condition, ...] = ()
    exclude: tuple[Condition, ...] = ()


class Trade(NamedTuple):
    """A set of three cards to trade in; `bonus` is where the two extra armies go if there is a choice."""

    cards: tuple[CardId, ...]
    bonus: TerritoryId | None = None


class Attack(NamedTuple):
    """A line of the attack list: from `source` over `targets` leg by leg.

    Where an edition has a penalty for it, `source` may be None and `targets` empty: not named (Q-24).
    `as_path` says that it was spelt so. `armies` at most so many in one roll; `dice` fewer dice than armies; the
    stops of DESIGN section 4.
    """

    source: TerritoryId | None
    targets: tuple[TerritoryId, ...]
    armies: int = MOST_ATTACKERS
    dice: int = 0
    stop_at: int = 0
    max_rolls: int = 0
    max_losses: int = 0
    min_odds: int = 0
    advance: Amount = Amount("auto")
    guard: Guard = Guard()
    as_path: bool = False

    @property
    def is_complete(self) -> bool:
        """Say whether source and target are named."""
        return self.source is not None and bool(self.targets)


class Windfall(NamedTuple):
    """What to do with cards after an elimination; `player` None is anybody."""

    player: PlayerId | None = None
    trade: WindfallTrade = "forced"
    place: tuple[TerritoryId, ...] = ()
    guard: Guard = Guard()


class Fortify(NamedTuple):
    """An alternative for the final move."""

    source: TerritoryId
    target: TerritoryId
    armies: Amount = Amount("all")
    guard: Guard = Guard()


class Absence(NamedTuple):
    """How a turn goes without orders: `place` is a ranking, empty for the default of P-14.

    `wait` changes nothing but the count; `resigned` is the turn of one who has just left: no trade, no placing. A plan
    with attacks rolls dice only if somebody else adds his reveal; `passed_over` is who has not, empty if there is
    nobody who could, so that none is made.
    """

    policy: AbsencePolicy = "default"
    trade: WindfallTrade = "forced"
    place: tuple[TerritoryId, ...] = ()
    attacks: tuple[Attack, ...] = ()
    windfalls: tuple[Windfall, ...] = ()
    fortifies: tuple[Fortify, ...] = ()
    passed_over: PlayerId | None = None


class Orders(NamedTuple):
    """A complete turn of one player. With `absence` the referee trades and places, as it says; the rest is its plan."""

    player: PlayerId
    trades: tuple[Trade, ...] = ()
    place: Placement = ()
    attacks: tuple[Attack, ...] = ()
    windfalls: tuple[Windfall, ...] = ()
    fortifies: tuple[Fortify, ...] = ()
    note: str = ""
    absence: Absence | None = None


class Claim(NamedTuple):
    """The free territories that one player would like to have, the dearest first (P-02)."""

    player: PlayerId
    ranking: tuple[TerritoryId, ...]
    note: str = ""


class Deployment(NamedTuple):
    """The first armies of one player, and where he puts those of the neutral army; None if he says nothing of it."""

    player: PlayerId
    armies: Placement
    note: str = ""
    neutral: Placement | None = None


class CapitalChoice(NamedTuple):
    """The territory that one player makes his capital; empty for whoever cannot read what is sealed."""

    player: PlayerId
    territory: TerritoryId | Literal[""]
    note: str = ""


SetUpOrders = Claim | Deployment | CapitalChoice
"""What a player orders before the first turn; one kind a phase."""


NeutralPlan = tuple[TerritoryId, ...] | PlayerId | None
"""Where neutral armies go: a ranking, next to a player (`border`), or None for `even` (P-12)."""


class Standing(NamedTuple):
    """Orders that hold until replaced: defence dice (0: the most), neutral armies, a missed turn."""

    player: PlayerId
    sequence: int
    dice: int = 0
    defend: Mapping[TerritoryId, int] = {}
    neutral: NeutralPlan = None
    missed: Absence | None = None

    def defence_dice(self, territory: TerritoryId) -> int:
        """Return how many dice at most to defend `territory` with."""
        return self.defend.get(territory, self.dice) or MOST_DEFENDERS
