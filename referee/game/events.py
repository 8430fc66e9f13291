"""Everything that can happen in a game, as values: the only way the state changes, and all a report needs.

Every event is complete: ids and numbers, no sentence, nothing that would have to be computed again. How they stand in
game files says `documents.eventtables`.

A player may be `neutral` where armies of the neutral army are meant. Placements are pairs (territory, armies).
"""

from typing import Literal

from referee.game.records import NamedTuple

Cause = Literal["income", "bonus", "windfall", "neutral", "missed"]
Chooser = Literal["player", "referee"]
Purpose = Literal["claim", "first"]
Pairs = tuple[tuple[str, int], ...]


class SeatsAssigned(NamedTuple):
    """The players in the order of their seats, and their colours in the same order."""

    players: tuple[str, ...]
    colours: tuple[str, ...]


class StartRolled(NamedTuple):
    """One round of the roll for who claims first or has the first turn; `highest` are those who go on."""

    purpose: Purpose
    round: int
    rolls: Pairs
    highest: tuple[str, ...]


class TerritoriesDealt(NamedTuple):
    """Territories in the order dealt and to whom each went, and the first armies of each of them in all."""

    dealt: tuple[tuple[str, str], ...]
    armies: Pairs


class MissionsDealt(NamedTuple):
    """The missions that were shuffled, in ASCII order, and (player, name of the hidden card)."""

    pack: tuple[str, ...]
    dealt: tuple[tuple[str, str], ...]


class DeckShuffled(NamedTuple):
    """A new pile of so many cards, named deck/NUMBER/0, deck/NUMBER/1, ... from the top."""

    number: int
    cards: int


class PileLaidOpen(NamedTuple):
    """Cards from which all draw by lot, in ASCII order: where nobody can keep a pile secret."""

    cards: tuple[str, ...]


class RankingGiven(NamedTuple):
    """A ranking of free territories, open to all until the last has come; empty if none was given."""

    player: str
    ranking: tuple[str, ...]


class TerritoryClaimed(NamedTuple):
    """A free territory chosen; `wish` is its place in the ranking, 0 if the ranking was exhausted."""

    player: str
    territory: str
    wish: int


class ArmiesDeployed(NamedTuple):
    """First armies placed, beyond the one on each territory; `left` are still to be placed."""

    player: str
    armies: Pairs
    by: Chooser
    left: int


class CapitalChosen(NamedTuple):
    """A capital was chosen in secret."""

    player: str


class CapitalRevealed(NamedTuple):
    """A capital is known to all; the referee chooses for one who has not."""

    player: str
    territory: str
    by: Chooser = "player"


class TurnBegan(NamedTuple):
    """From here on the orders of this player are awaited."""

    player: str
    round: int


class NoteGiven(NamedTuple):
    """The note in the orders."""

    player: str
    note: str


class SetTraded(NamedTuple):
    """A set traded in: `names` as the cards were held, in the order of `cards`; `number` of all sets of the game.

    `bonus` are the territories that get two armies each.
    """

    player: str
    cards: tuple[str, ...]
    names: tuple[str, ...]
    number: int
    worth: int
    bonus: tuple[str, ...]
    cause: Literal["orders", "windfall", "missed"]
    by: Chooser


class ReinforcementsCounted(NamedTuple):
    """The income: share of territories, continents, sets, and what the minimum of three added (`raised`)."""

    player: str
    territories: int
    share: int
    continents: Pairs
    sets: int
    raised: int
    total: int


class ArmiesPlaced(NamedTuple):
    """Armies of `player` put on the board."""

    player: str
    armies: Pairs
    cause: Cause
    by: Chooser


class AttackBegan(NamedTuple):
    """The first roll of a leg is about to be thrown: battle number `battle` of the turn."""

    entry: int
    leg: int
    battle: int
    player: str
    source: str
    target: str
    defender: str


class BattleFought(NamedTuple):
    """One roll: the dice in the order thrown; `armies` attack."""

    battle: int
    roll: int
    attacker: str
    defender: str
    source: str
    target: str
    armies: int
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    attacker_lost: int
    defender_lost: int


class AttackStopped(NamedTuple):
    """A leg in which dice were thrown ended without taking the territory."""

    entry: int
    leg: int
    source: str
    target: str
    reason: str
    armies: int


class AttackSkipped(NamedTuple):
    """A leg that could not or should not begin, with the reason.

    `condition` is the number of the condition in the entry, `if` before `unless`, and `words` what it says.
    """

    entry: int
    leg: int
    source: str
    target: str
    reason: str
    condition: int = 0
    words: str = ""


class PenaltyPaid(NamedTuple):
    """Armies lost for an attack whose territories were not named (Q-24)."""

    player: str
    entry: int
    territory: str
    armies: int


class TerritoryConquered(NamedTuple):
    """The last defender is gone; the armies that must move in come with `armies_advanced`."""

    player: str
    source: str
    target: str
    previous: str


class ArmiesAdvanced(NamedTuple):
    """The move into a taken territory: asked for, and the limits that the rules set."""

    player: str
    source: str
    target: str
    armies: int
    asked: str
    least: int
    most: int


class CapitalTaken(NamedTuple):
    """A capital was taken from its original owner."""

    player: str
    owner: str
    territory: str


class TerritorySwept(NamedTuple):
    """A territory of the loser of a capital, handed over with one army."""

    player: str
    territory: str
    previous: str
    removed: int


class PlayerEliminated(NamedTuple):
    """A player without armies is out."""

    player: str
    by: str
    turn: int


class CardsTakenOver(NamedTuple):
    """The cards of one player go to another, by the names they are held under."""

    player: str
    previous: str
    cards: tuple[str, ...]


class WindfallSkipped(NamedTuple):
    """A windfall entry that was not used, with the reason."""

    entry: int
    reason: str
    condition: int = 0
    words: str = ""


class CardDrawn(NamedTuple):
    """The card for conquering, by the name under which it is held."""

    player: str
    card: str


class CardMissing(NamedTuple):
    """A card was earned, and there is none."""

    player: str


class ArmiesFortified(NamedTuple):
    """The final move."""

    player: str
    entry: int
    source: str
    target: str
    armies: int


class FortifySkipped(NamedTuple):
    """An alternative for the final move that was not possible or not wished."""

    entry: int
    source: str
    target: str
    reason: str
    condition: int = 0
    words: str = ""


class MissionCompleted(NamedTuple):
    """A mission is fulfilled and shown: `card` as it was held, `mission` what it is."""

    player: str
    card: str
    mission: str


class GameWon(NamedTuple):
    """The end: by `mission`, `elimination`, `capitals`, or as the `last` one who plays."""

    winners: tuple[str, ...]
    how: Literal["mission", "elimination", "capitals", "last"]


class GameDrawn(NamedTuple):
    """The end by agreement of all who play."""

    players: tuple[str, ...]


class SecretRevealed(NamedTuple):
    """The secret of the game and the seal keys stand in this file, and everything can be checked."""

    host: str


class TurnEnded(NamedTuple):
    """All that this player's turn had is done."""

    player: str


class TurnMissed(NamedTuple):
    """No orders came: `wait` changes nothing, else the referee played by standing orders or by default.

    `times` is how many turns in all this player has missed.
    """

    player: str
    policy: Literal["wait", "standing", "default"]
    times: int


class SeatSubstituted(NamedTuple):
    """Another person plays from here on: standing orders lapse, and missed turns are counted anew."""

    player: str


class SeatRemoved(NamedTuple):
    """Too many turns missed: the armies stay, passive; `cards` go back."""

    player: str
    cards: tuple[str, ...]


class PlayerResigned(NamedTuple):
    """A player leaves: the armies stay, passive; `cards` go back."""

    player: str
    cards: tuple[str, ...]


class StandingRecorded(NamedTuple):
    """New standing orders hold from here on."""

    player: str
    sequence: int
    note: str = ""


Decider = Literal["player", "host", "table"]
"""Who has decided that a player signs with another key: he himself, the host, or at a table all others."""


class KeyChanged(NamedTuple):
    """A player signs with another key from here on: the former one, the host, or all others say so."""

    player: str
    by: Decider


class DeadlineSet(NamedTuple):
    """When the next orders are due."""

    deadline: str


class GameHandedOver(NamedTuple):
    """Another host resolves from the game file on that holds this; the secret of the game stays."""

    previous: str
    host: str


class HostGone(NamedTuple):
    """The host is gone for good: what he kept is laid open as far as it can be, and the game is a table game."""

    host: str


class HandOpened(NamedTuple):
    """A player lays his hand open for good: each card by the name it was held under, and what it is."""

    player: str
    cards: tuple[tuple[str, str], ...]


class MissionOpened(NamedTuple):
    """A player lays his mission open for good: `card` as it was held; it still wins when it is fulfilled."""

    player: str
    card: str
    mission: str


class RollPassedOver(NamedTuple):
    """Somebody whose turn it was to roll was passed over; in a table game he misses his next turn."""

    player: str
    misses_next: bool = False


Event = (
    SeatsAssigned
    | StartRolled
    | TerritoriesDealt
    | MissionsDealt
    | DeckShuffled
    | PileLaidOpen
    | RankingGiven
    | TerritoryClaimed
    | ArmiesDeployed
    | CapitalChosen
    | CapitalRevealed
    | TurnBegan
    | NoteGiven
    | SetTraded
    | ReinforcementsCounted
    | ArmiesPlaced
    | AttackBegan
    | BattleFought
    | AttackStopped
    | AttackSkipped
    | PenaltyPaid
    | TerritoryConquered
    | ArmiesAdvanced
    | CapitalTaken
    | TerritorySwept
    | PlayerEliminated
    | CardsTakenOver
    | WindfallSkipped
    | CardDrawn
    | CardMissing
    | ArmiesFortified
    | FortifySkipped
    | MissionCompleted
    | GameWon
    | GameDrawn
    | SecretRevealed
    | TurnEnded
    | TurnMissed
    | SeatSubstituted
    | SeatRemoved
    | PlayerResigned
    | StandingRecorded
    | KeyChanged
    | DeadlineSet
    | GameHandedOver
    | HostGone
    | HandOpened
    | MissionOpened
    | RollPassedOver
)
