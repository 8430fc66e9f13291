"""Who knows the hidden cards: the host from his secret, the last game file's readers too, others from openings.

Both kinds answer the questions of a turn (`referee.game.turn`) and collect what was opened. The host's answers come
from the deck and missions that follow from his secret and the start seed (DESIGN section 6); secret capitals are what
players sealed, and so come from elsewhere (`capitals`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from referee.documents.base64 import decode, encode
from referee.documents.gamefile import Opening
from referee.documents.sealing import card_commitment
from referee.documents.secrets import deck_seed, missions_seed, position_salt
from referee.game.board import Board, CardId, MissionId
from referee.game.cards import automatic_set
from referee.game.dice import shuffle
from referee.game.orders import PlayerId
from referee.game.position import Answer, BestSet, CapitalAt, DrawFrom, Held, MissionOf, NamesOf, NewPile, Question
from referee.game.records import NamedTuple
from referee.game.state import State
from referee.game.victory import has_fulfilled

if TYPE_CHECKING:
    from referee.documents.capitals import Capitals


class Hidden(NamedTuple):
    """What a hidden name stands for, and the salt of its commitment."""

    id: str
    salt: bytes


class HostKnowledge:
    """Everything the host can see, made when it is first asked for."""

    def __init__(self, secret: bytes, start_seed: bytes, board: Board, capitals: "Capitals | None" = None) -> None:
        self.capitals = capitals
        self._secret = secret
        self._start_seed = start_seed
        self._board = board
        self._known: dict[str, Hidden] = {}
        self._shuffles = 0
        self.openings: list[Opening] = []

    def learn(self, state: State) -> None:
        """Take in the shuffles and missions of a state."""
        for number in range(self._shuffles + 1, state.shuffles + 1):
            self._shuffle(number, self._deck(state) if number == 1 else state.shuffled[number - 1])
        if state.pack and "missions/1/0" not in self._known:
            order = shuffle(missions_seed(self._secret, self._start_seed), "missions", sorted(state.pack))
            self._name("missions/1", order)

    def _deck(self, state: State) -> list[str]:
        """Return all cards but those of the capitals (Q-30, Q-33)."""
        capitals = {territory or self._capital(player) for player, territory in state.capitals.items()}
        return [card for card in self._board.cards if card not in capitals]

    def _capital(self, player: PlayerId) -> str | None:
        assert self.capitals is not None
        return self.capitals.of(player)

    def _shuffle(self, number: int, names: Sequence[str]) -> None:
        """Lay out a pile: of the deck, or of what was on the discards then, hidden names included."""
        cards = [self.id_of(name) for name in names]
        order = shuffle(deck_seed(self._secret, self._start_seed, number), "deck", sorted(cards))
        self._name(f"deck/{number}", order)
        self._shuffles = number

    def _name(self, label: str, order: Sequence[str]) -> None:
        for place, card in enumerate(order):
            self._known[f"{label}/{place}"] = Hidden(card, position_salt(self._secret, label, place))

    def id_of(self, name: str) -> str:
        """Return what a name stands for; an open card's name is its id."""
        hidden = self._known.get(name)
        return hidden.id if hidden else name

    def opening(self, name: str) -> Opening:
        """Return a hidden name laid open."""
        hidden = self._known[name]
        return Opening(name, hidden.id, encode(hidden.salt))

    def commitments(self, label: str, count: int) -> tuple[str, ...]:
        """Return the commitments of a shuffle (`deck/1`) or of the missions, from position 0."""
        hidden = [self._known[f"{label}/{place}"] for place in range(count)]
        return tuple(encode(card_commitment(one.salt, one.id)) for one in hidden)

    def own_colours(self, state: State) -> tuple[PlayerId, ...]:
        """Return the players whose mission is to eliminate their own colour (Q-07)."""
        self.learn(state)
        missions = {
            player: self._board.missions[MissionId(self.id_of(name))] for player, name in state.missions.items()
        }
        return tuple(player for player, one in missions.items() if one.colour == state.players[player].colour)

    def cards(self, state: State, player: str) -> dict[str, CardId]:
        """Return the hand of a player as names to ids."""
        self.learn(state)
        return {name: CardId(self.id_of(name)) for name in state.hands[player]}  # type: ignore[index]

    def _open(self, names: Sequence[str]) -> None:
        self.openings += [self.opening(name) for name in names if name in self._known]

    def answer(self, question: Question, so_far: int) -> Answer:
        """Answer a question of the turn, noting what the answer lays open; `so_far` says nothing new here."""
        match question:
            case NamesOf(player, cards, state):
                held = {card: name for name, card in self.cards(state, player).items()}
                names = tuple(held[card] for card in cards)
                self._open(names)
                return names
            case BestSet(player, state, bonus_used):
                return self._best(player, state, bonus_used)
            case MissionOf(player, state):
                return self._mission(player, state)
            case CapitalAt(player, territory):
                assert self.capitals is not None
                return self.capitals.open(player) if self.capitals.of(player) == territory else None
            case NewPile():
                return None
            case DrawFrom():
                raise AssertionError("who knows the cards does not draw them: that is chance")
            case _:
                assert_never(question)

    def _best(self, player: str, state: State, bonus_used: bool) -> Held | None:
        names = {card: name for name, card in self.cards(state, player).items()}
        own = state.territories_of(player)
        before = state.sets_before(player)
        best = automatic_set(tuple(names), state.board, state.rules, own, before, bonus_used)
        if best is None:
            return None
        held = tuple(names[card] for card in best)
        self._open(held)
        return Held(best, held)

    def _mission(self, player: str, state: State) -> str | None:
        self.learn(state)
        name = state.missions[player]  # type: ignore[index]
        mission = self.id_of(name)
        if not has_fulfilled(state, player, mission):  # type: ignore[arg-type]
            return None
        self._open((name,))
        return mission


def opens(opening: Opening, commitment: str) -> bool:
    """Say whether an opening fits its commitment."""
    try:
        return encode(card_commitment(decode(opening.salt, 16), opening.id)) == commitment
    except ValueError:  # a salt that is none; an id that is no text of Unicode
        return False
