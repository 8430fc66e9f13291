"""The state of a game, and `apply`, the only way it changes.

`apply` does no rules: it trusts the event and folds it. What must hold in every state stands in `invariants`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, assert_never

from referee.game import events as e
from referee.game.battle import EXPECTED
from referee.game.board import Board, TerritoryId
from referee.game.orders import PlayerId, Standing
from referee.game.records import NamedTuple
from referee.game.rules import INITIAL_ARMIES, Rules, Settings

Status = Literal["playing", "passive", "out"]
Phase = Literal["claim", "deploy", "capital", "turn", "over"]
SET_UP: tuple[Phase, ...] = ("claim", "deploy", "capital")
"""The phases before the first turn, in their order; a game has those that its rules ask for."""


class Player(NamedTuple):
    """A player at the table: `seat` from 1, `missed` turns so far, `to_place` armies still to deploy.

    `passed_over` says that he has not rolled when he should have, and misses his next turn.
    """

    id: PlayerId
    seat: int
    colour: str
    status: Status = "playing"
    out_turn: int = 0
    out_by: str = ""
    missed: int = 0
    sets_traded: int = 0
    to_place: int = 0
    passed_over: bool = False


class Luck(NamedTuple):
    """Expected against actual losses: expectations in 7776ths, variances in (7776**2)ths, own faces 1 to 6."""

    rolls: int = 0
    faces: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    given: int = 0
    taken: int = 0
    expected_given: int = 0
    expected_taken: int = 0
    variance_given: int = 0
    variance_taken: int = 0

    def plus(
        self,
        dice: Iterable[int],
        rolls: int,
        given: int,
        taken: int,
        expected_given: int,
        expected_taken: int,
        variance_given: int,
        variance_taken: int,
    ) -> "Luck":
        """Return the luck after more rolls: own dice, and what is to be added to each field but the faces."""
        faces = list(self.faces)
        for die in dice:
            faces[die - 1] += 1
        return Luck(
            self.rolls + rolls,
            tuple(faces),
            self.given + given,
            self.taken + taken,
            self.expected_given + expected_given,
            self.expected_taken + expected_taken,
            self.variance_given + variance_given,
            self.variance_taken + variance_taken,
        )


HOWS = ("mission", "elimination", "capitals", "last", "draw")
"""How a game ends: the ways to win, and the draw that is agreed on."""


class Result(NamedTuple):
    """How the game ended, one of `HOWS`, and who won; of a draw, who agreed."""

    winners: tuple[str, ...]
    how: str


class State(NamedTuple):
    """Everything the rules know. Cards are names: `deck/1/17` hidden, or the card's id when it is open.

    `players` are in seat order; `acting` are those whose orders are awaited; `first` is the seat of the first turn (0
    while it is not known); `hands` has every player; `missions` are held by name, `opened` says what has been shown;
    `capitals` has the players once they have chosen: a territory, or nothing while it is secret;
    `shuffled` says for each shuffle so far what went into it, nothing for the first, which takes all cards; `taking`
    and `falling` are the territory and the player that are just being lost, and empty between turns.
    `openly` says that there is nobody who could keep a secret: hands lie open, cards are drawn by lot from a pile that
    is a set, claims and first armies come seat by seat, and capitals are committed before any is opened. `claims` are
    the rankings so far, in the order of claiming, until the last has come.
    """

    board: Board
    rules: Rules
    settings: Settings
    players: Mapping[PlayerId, Player]
    owners: Mapping[TerritoryId, str]
    armies: Mapping[TerritoryId, int]
    hands: Mapping[PlayerId, tuple[str, ...]]
    phase: Phase = "deploy"
    round: int = 0
    acting: tuple[PlayerId, ...] = ()
    first: int = 0
    pile: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    sets_traded: int = 0
    shuffled: tuple[tuple[str, ...], ...] = ()
    missions: Mapping[PlayerId, str] = {}
    pack: tuple[str, ...] = ()
    opened: Mapping[str, str] = {}
    capitals: Mapping[PlayerId, str] = {}
    claims: Mapping[PlayerId, tuple[TerritoryId, ...]] = {}
    openly: bool = False
    standing: Mapping[PlayerId, Standing] = {}
    luck: Mapping[PlayerId, Luck] = {}
    taking: str = ""
    falling: str = ""
    result: Result | None = None

    @property
    def shuffles(self) -> int:
        """Return how often the deck has been shuffled."""
        return len(self.shuffled)

    @property
    def has_cards(self) -> bool:
        """Say whether the cards are in the game: in the set-up there are none yet."""
        return bool(self.shuffles) or (self.openly and bool(self.first))

    @property
    def deck_size(self) -> int:
        """Return how many cards the first shuffle takes: those of capitals lie on the table (Q-30, Q-33)."""
        return len(self.board.cards) - len(self.capitals)

    def playing(self) -> tuple[PlayerId, ...]:
        """Return the players who are neither out nor passive, in seat order."""
        return tuple([p.id for p in self.players.values() if p.status == "playing"])

    def can_leave(self, player: PlayerId) -> bool:
        """Say whether a player still plays and is not the only one: the last who plays has won (P-14)."""
        return self.players[player].status == "playing" and len(self.playing()) > 1

    def has_missed_enough(self, player: PlayerId, more: int = 0) -> bool:
        """Say whether the turns that a player has missed, and `more` that are just missed, cost the seat (P-14)."""
        limit = self.settings.missed_limit
        return bool(limit) and self.players[player].missed + more >= limit

    def out(self) -> tuple[PlayerId, ...]:
        """Return the players without armies."""
        return tuple(p.id for p in self.players.values() if p.status == "out")

    def territories_of(self, player: str) -> tuple[TerritoryId, ...]:
        """Return what a player (or the neutral army) holds, in board order."""
        owners = self.owners
        return tuple([t for t in self.board.territories if owners[t] == player])

    def armies_of(self, player: str) -> int:
        """Return all armies of a player on the board."""
        return sum(self.armies[t] for t, owner in self.owners.items() if owner == player)

    def sets_before(self, player: str) -> int:
        """Return how many sets count before the player's next one: those of all, or one's own (`set_counter`, Q-12)."""
        if self.rules.set_counter == "per_player":
            return self.players[PlayerId(player)].sets_traded
        return self.sets_traded

    def continents_of(self, player: str) -> tuple[str, ...]:
        """Return the continents of which a player holds every territory, in board order."""
        owners = self.owners
        held = self.board.continents.values()
        return tuple(c.id for c in held if all(owners[t] == player for t in c.territories))

    def after(self, player: PlayerId) -> PlayerId:
        """Return the next player in seat order who is playing (the same one if nobody else is)."""
        seats = tuple(self.players)
        place = seats.index(player)
        ring = seats[place + 1 :] + seats[: place + 1]
        return next((p for p in ring if self.players[p].status == "playing"), player)

    def has_hostile_neighbour(self, territory: TerritoryId, player: str) -> bool:
        """Say whether a neighbouring territory is not the player's own, neutral and passive ones included."""
        owners = self.owners
        return any(owners[n] != player for n in self.board.neighbours[territory])

    def problems(self) -> list[str]:
        """List every invariant that does not hold; empty in a sound state."""
        from referee.game.invariants import problems

        return problems(self)


def apply(state: State, event: e.Event) -> State:
    """Return the state after the event; the frequent kinds first."""
    match event:
        case e.BattleFought():
            return fold_rolls(state, (event,))
        case e.AttackBegan() | e.AttackStopped() | e.AttackSkipped():
            return state
        case e.ArmiesPlaced(player, armies):
            return _place(state, armies)
        case e.TerritoryConquered(player, _, target, previous):
            owners = {**state.owners, TerritoryId(target): player}
            is_last = previous in state.players and previous not in owners.values()
            falling = previous if is_last else ""
            return state._replace(owners=owners, taking=target, falling=falling)
        case e.ArmiesAdvanced(_, source, target, armies):
            return _move(state, source, target, armies)._replace(taking="")
        case e.ArmiesFortified(_, _, source, target, armies):
            return _move(state, source, target, armies)
        case e.PenaltyPaid(_, _, territory, armies):
            return _place(state, ((territory, -armies),))
        case e.CapitalTaken(_, owner, territory) | e.CapitalRevealed(owner, territory):
            return state._replace(capitals={**state.capitals, PlayerId(owner): territory})
        case e.CapitalChosen(player):
            return state._replace(capitals={**state.capitals, PlayerId(player): ""})
        case e.TerritorySwept(player, territory, previous):
            land = TerritoryId(territory)
            owners, kept = {**state.owners, land: player}, {**state.armies, land: 1}
            falling = previous if previous not in owners.values() else state.falling
            return state._replace(owners=owners, armies=kept, falling=falling)
        case e.TerritoryClaimed(player, territory):
            land = TerritoryId(territory)
            to_place = max(0, state.players[PlayerId(player)].to_place - 1)
            claimed = _seat(state, player, to_place=to_place)._replace(claims={})
            return claimed._replace(owners={**state.owners, land: player}, armies={**state.armies, land: 1})
        case (
            e.ReinforcementsCounted()
            | e.NoteGiven()
            | e.WindfallSkipped()
            | e.FortifySkipped()
            | e.CardMissing()
            | e.StartRolled()
            | e.SecretRevealed()
            | e.KeyChanged()
            | e.DeadlineSet()
            | e.GameHandedOver()
            | e.StandingRecorded()
            | e.TurnEnded()
        ):
            return state
        case e.RankingGiven(player, ranking):
            claims = {**state.claims, PlayerId(player): tuple(map(TerritoryId, ranking))}
            return state._replace(claims=claims)
        case e.SetTraded() | e.CardsTakenOver() | e.CardDrawn() | e.DeckShuffled() | e.PileLaidOpen():
            return _cards(state, event)
        case e.SeatsAssigned() | e.TerritoriesDealt() | e.MissionsDealt() | e.ArmiesDeployed():
            return _set_up(state, event)
        case e.TurnBegan(player, number):
            awaited = PlayerId(player)
            first = state.first or state.players[awaited].seat
            return state._replace(phase="turn", round=number, acting=(awaited,), first=first)
        case e.SeatSubstituted(player):
            standing = {one: orders for one, orders in state.standing.items() if one != player}
            return _seat(state, player, missed=0)._replace(standing=standing)
        case e.TurnMissed(player, _, times):
            return _seat(state, player, missed=times, passed_over=False)
        case e.RollPassedOver(player, misses_next):
            return _seat(state, player, passed_over=True) if misses_next else state
        case e.PlayerEliminated(player, by, turn):
            falling = player if state.hands[PlayerId(player)] else ""
            out = _seat(state, player, status="out", out_turn=turn, out_by=by)
            return out._replace(falling=falling)
        case e.PlayerResigned(player, cards) | e.SeatRemoved(player, cards):
            left = _seat(state, player, status="passive", to_place=0)
            acting = tuple(one for one in state.acting if one != player)
            return _return_cards(left._replace(acting=acting), PlayerId(player), cards)
        case e.HostGone():
            from referee.game.gone import laid_aside

            return laid_aside(state)
        case e.HandOpened(player, cards):
            return state._replace(hands={**state.hands, PlayerId(player): tuple(card for _, card in cards)})
        case e.MissionOpened(player, _, mission):
            return state._replace(missions={**state.missions, PlayerId(player): mission})
        case e.MissionCompleted(_, card, mission):
            return state._replace(opened={**state.opened, card: mission})
        case e.GameWon(winners, how):
            return state._replace(phase="over", acting=(), result=Result(winners, how))
        case e.GameDrawn(players):
            return state._replace(phase="over", acting=(), result=Result(players, "draw"))
        case _:
            assert_never(event)


class Course:
    """Events as they happen, each folded into the state at once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[e.Event] = []

    def add(self, *events: e.Event) -> None:
        """Let these happen, one after the other."""
        for event in events:
            self.events.append(event)
            self.state = apply(self.state, event)


def record_standing(state: State, standing: Standing) -> State:
    """Return the state with new standing orders in force (the content that `standing_recorded` points to)."""
    return state._replace(standing={**state.standing, standing.player: standing})


def _seat(state: State, player: str, **changes: object) -> State:
    one = PlayerId(player)
    return state._replace(players={**state.players, one: state.players[one]._replace(**changes)})  # type: ignore[arg-type]


def _place(state: State, placed: e.Pairs) -> State:
    armies = dict(state.armies)
    for territory, number in placed:
        armies[TerritoryId(territory)] += number
    return state._replace(armies=armies)


def _move(state: State, source: str, target: str, number: int) -> State:
    armies = dict(state.armies)
    armies[TerritoryId(source)] -= number
    armies[TerritoryId(target)] += number
    return state._replace(armies=armies)


def fold_rolls(state: State, rolls: Sequence[e.BattleFought]) -> State:
    """Return the state after rolls of one battle, folded together in one pass."""
    first = rolls[0]
    source, target = TerritoryId(first.source), TerritoryId(first.target)
    thrown: list[int] = []
    answered: list[int] = []
    lost = won = mean = variance = mean_there = variance_there = 0
    for roll in rolls:
        attack, defence, attacker_lost, defender_lost = roll[7:]
        thrown += attack
        answered += defence
        lost += attacker_lost
        won += defender_lost
        here, here_variance, there, there_variance = EXPECTED[len(attack), len(defence)]
        mean += here
        variance += here_variance
        mean_there += there
        variance_there += there_variance
    armies = dict(state.armies)
    armies[source] -= lost
    armies[target] -= won
    luck = dict(state.luck)
    for player, dice, more in (
        (first.attacker, thrown, (len(rolls), won, lost, mean_there, mean, variance_there, variance)),
        (first.defender, answered, (len(rolls), lost, won, mean, mean_there, variance, variance_there)),
    ):
        one = PlayerId(player)
        if one in luck:
            luck[one] = luck[one].plus(dice, *more)
    taking = first.target if armies[target] == 0 else state.taking
    return state._replace(armies=armies, luck=luck, taking=taking)


def _cards(
    state: State, event: e.SetTraded | e.CardsTakenOver | e.CardDrawn | e.DeckShuffled | e.PileLaidOpen
) -> State:
    hands = dict(state.hands)
    match event:
        case e.SetTraded(player, cards, names):
            one = PlayerId(player)
            hands[one] = tuple(name for name in hands[one] if name not in names)
            seat = state.players[one]
            traded = state._replace(
                hands=hands,
                sets_traded=state.sets_traded + 1,
                players={**state.players, one: seat._replace(sets_traded=seat.sets_traded + 1)},
            )
            return _give_back(traded, cards)
        case e.CardsTakenOver(player, previous, cards):
            hands[PlayerId(previous)] = ()
            hands[PlayerId(player)] += cards
            out = state.players[PlayerId(previous)].status == "out"
            return state._replace(hands=hands, falling="" if out else state.falling)
        case e.CardDrawn(player, card):
            hands[PlayerId(player)] += (card,)
            pile, discards = [tuple([c for c in cards if c != card]) for cards in (state.pile, state.discards)]
            return state._replace(hands=hands, pile=pile, discards=discards)
        case e.PileLaidOpen(cards):
            return state._replace(pile=cards, discards=tuple(c for c in state.discards if c not in cards))
        case e.DeckShuffled(number, count):
            pile = tuple(f"deck/{number}/{place}" for place in range(count))
            return state._replace(pile=pile, discards=(), shuffled=(*state.shuffled, state.discards))


def _give_back(state: State, cards: tuple[str, ...]) -> State:
    """Put cards under the pile or on the discards, as the edition has it (R-CARD-12, Q-16).

    Where the pile is a set nothing lies under it: what was traded waits apart until nothing else is left.
    """
    if state.rules.used_cards == "under_deck" and not state.openly:
        return state._replace(pile=state.pile + cards)
    return state._replace(discards=state.discards + cards)


def _return_cards(state: State, player: PlayerId, cards: tuple[str, ...]) -> State:
    return _give_back(state._replace(hands={**state.hands, player: ()}), cards)


def _set_up(state: State, event: e.SeatsAssigned | e.TerritoriesDealt | e.MissionsDealt | e.ArmiesDeployed) -> State:
    match event:
        case e.SeatsAssigned(players, colours):
            to_place = INITIAL_ARMIES[len(players)] if state.rules.territory_allocation == "claim" else 0
            seats = {
                PlayerId(player): Player(PlayerId(player), seat, colour, to_place=to_place)
                for seat, (player, colour) in enumerate(zip(players, colours, strict=True), start=1)
            }
            empty: Mapping[PlayerId, tuple[str, ...]] = dict.fromkeys(seats, ())
            return state._replace(players=seats, hands=empty, luck=dict.fromkeys(seats, Luck()))
        case e.TerritoriesDealt(dealt, first):
            owner = dict(dealt)
            owners = {t: owner[t] for t in state.board.territories}
            held = list(owner.values())
            left = {p: number - held.count(p) for p, number in first}
            seated = {p: seat._replace(to_place=left[p]) for p, seat in state.players.items()}
            armies = dict.fromkeys(state.board.territories, 1)
            return state._replace(owners=owners, armies=armies, players=seated)
        case e.MissionsDealt(pack, dealt):
            return state._replace(pack=pack, missions={PlayerId(p): name for p, name in dealt})
        case e.ArmiesDeployed(player, armies, _, left):
            return _place(_seat(state, player, to_place=left), armies)
