"""Cases of a turn: the orders of one player, loaded dice, and answers from open hands."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.documents.cases.casefile import no_case
from referee.documents.cases.expected import differences, unsound, written
from referee.documents.cases.positions import position, standing_orders
from referee.documents.orders import BodyProblems, read_orders
from referee.game.absence import NOBODY, absent_orders, who_rolls_for
from referee.game.board import CardId
from referee.game.cards import automatic_set
from referee.game.changes import at_once
from referee.game.legality import findings, hand_of
from referee.game.orders import Absence, Orders, PlayerId, Standing
from referee.game.position import (
    Answer,
    BestSet,
    CapitalAt,
    Change,
    DrawFrom,
    DrawVote,
    Held,
    KeyChange,
    MissionOf,
    NamesOf,
    NewPile,
    NewStanding,
    Position,
    Question,
    Resignation,
    Substitution,
)
from referee.game.state import State
from referee.game.turn import play
from referee.game.victory import has_fulfilled


class Loaded:
    """Dice that fall as they are told to."""

    def __init__(self, rolls: Sequence[Sequence[Sequence[int]]]) -> None:
        self.rolls = list(rolls)
        self.wrong: list[str] = []

    def __call__(self, battle: int, roll: int, attack: int, defence: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        where = f"battle {battle}, roll {roll}"
        if not self.rolls:
            self.wrong.append(f"{where}: no dice left, {attack} against {defence} wanted")
            return (1,) * attack, (6,) * defence
        mine, theirs = (tuple(side) for side in self.rolls.pop(0))
        if (len(mine), len(theirs)) != (attack, defence):
            self.wrong.append(f"{where}: {attack} against {defence} dice are rolled, not {mine} and {theirs}")
            return (*mine, 1, 1, 1)[:attack], (*theirs, 6, 6)[:defence]
        return mine, theirs

    def left_over(self) -> Iterator[str]:
        """Say what was wrong with the dice in the end."""
        yield from self.wrong
        if self.rolls:
            yield f"dice left over: {written(self.rolls)}"


def answer(
    question: Question, so_far: int = 0, secret_capitals: Mapping[str, str] = {}, lot: str | None = None
) -> Answer:
    """Answer from the open hands and missions of a case, where a card's name is its id, and from what it says."""
    match question:
        case NamesOf(_, wanted, _):
            return tuple(wanted)
        case BestSet(player, state, bonus_used):
            own = state.territories_of(player)
            before = state.sets_before(player)
            hand = [CardId(name) for name in state.hands[player]]
            best = automatic_set(hand, state.board, state.rules, own, before, bonus_used)
            return Held(best, tuple(best)) if best else None
        case MissionOf(player, state):
            mission = state.missions[player]
            return mission if has_fulfilled(state, player, mission) else None
        case NewPile():
            return None
        case DrawFrom(pile):
            if lot not in pile:
                no_case(f"a card is drawn by lot, one of {', '.join(pile)}", "lot")
            return lot
        case CapitalAt(owner, territory):
            return territory if secret_capitals.get(owner) == territory else None


def turn_differences(tree: Mapping[str, Any]) -> list[str]:
    """Play a turn and return what is not as the case says."""
    before = position(tree)
    if wrong := before.problems():
        return [f"at the start: {problem}" for problem in wrong]
    player = before.acting[0]
    begun, state = at_once(taking(tree), before)
    orders = _orders(tree, state, player)
    if "refused" in tree or not isinstance(orders, Orders):
        refused = [] if isinstance(orders, Orders) else [list(pair) for pair in orders]
        wanted = tree.get("refused", [])
        return [] if refused == wanted else [f"refused: {written(refused)}, expected {written(wanted)}"]
    changes = changes_of(tree, before)
    dice = Loaded(tree.get("dice", []))
    secret = tree.get("secret_capitals", {})
    happened, after = play(
        Position(state, orders, 1, changes),
        dice,
        lambda question, so_far: answer(question, so_far, secret, tree.get("lot")),
    )
    happened = [*begun, *happened]
    return [
        *dice.left_over(),
        *unsound(before, happened, after, standing_among(changes)),
        *differences(tree["expect"], before, happened, after),
    ]


def taking(tree: Mapping[str, Any]) -> list[PlayerId]:
    """Return the seats that others take."""
    return [PlayerId(name) for name in tree.get("substitute", [])]


def changes_of(tree: Mapping[str, Any], state: State) -> tuple[Change, ...]:
    """Return what the case says arrives beside the orders."""
    new = tree.get("new_standing", {}).items()
    return (
        *(NewStanding(standing_orders(state, name, table)) for name, table in new),
        *(Substitution(player) for player in taking(tree) if player not in state.acting),
        *(KeyChange(PlayerId(name), by) for name, by in tree.get("new_key", {}).items()),
        *(Resignation(PlayerId(name)) for name in tree.get("resign", [])),
        *(DrawVote(PlayerId(name)) for name in tree.get("draw", [])),
    )


def standing_among(changes: Sequence[Change]) -> list[Standing]:
    return [change.standing for change in changes if isinstance(change, NewStanding)]


def _orders(tree: Mapping[str, Any], state: State, player: PlayerId) -> Orders | list[tuple[str, str]]:
    """Return the orders of the case, or what refuses them."""
    if tree.get("missed", False):
        roller = who_rolls_for(state, player, tree.get("host_seat", ""))
        is_missing = tree.get("no_reveal", False) or roller == NOBODY
        return absent_orders(state, player, roller if is_missing else None)
    if player in tree.get("resign", []):
        return Orders(player, absence=Absence("resigned"))
    if "orders" not in tree:
        no_case("missing", "orders")
    orders = read_orders(tree["orders"], state.board, state.players, player)
    if isinstance(orders, BodyProblems):
        return [(problem.key, problem.code) for problem in orders.problems]
    found = findings(orders, state, hand_of(state, player, {}))
    return [(finding.key, finding.refusal.code) for finding in found] or orders
