"""Cases of the set-up: the start, with shuffled lists that are given, and one round of claims, armies or capitals."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.documents.cases.casefile import no_case
from referee.documents.cases.expected import differences, unsound, written
from referee.documents.cases.positions import position, settled
from referee.documents.cases.shape import SET_UP
from referee.documents.cases.turns import changes_of, standing_among, taking
from referee.documents.orders import BodyProblems, read_set_up
from referee.game.board import MissionId
from referee.game.changes import at_once
from referee.game.orders import PlayerId, SetUpOrders
from referee.game.rounds import set_up, set_up_findings
from referee.game.setup import begin
from referee.game.state import State, apply


class StartRolls:
    """Start rolls that fall as they are told to: for each round a die for every seat, or a table of those who roll."""

    def __init__(self, rounds: Sequence[Any], seats: Sequence[str]) -> None:
        self.rounds = [dict(row) if isinstance(row, Mapping) else dict(zip(seats, row, strict=False)) for row in rounds]
        self.used = 0

    def __call__(self, label: str, n: int) -> int:
        _, number, player = label.split("/")
        self.used = max(self.used, int(number))
        row = self.rounds[int(number) - 1] if int(number) <= len(self.rounds) else {}
        if player not in row:
            no_case(f"no die of {player} for round {number} of the roll", "dice")
        return int(row[player]) - 1

    def left_over(self) -> list[str]:
        """Say how many rounds of dice have not been rolled."""
        left = len(self.rounds) - self.used
        return [f"rounds of start rolls left over: {left}"] if left else []


def start_differences(tree: Mapping[str, Any]) -> list[str]:
    """`[start]`: `wishes` of colours, `seats` if fixed; `drawn`, `deal` and `missions` are shuffled lists."""
    table = tree["start"]
    blank = settled(tree)
    board = blank.board
    deal = (*table.get("deal", ()), *(t for t in board.territories if t not in table.get("deal", ())))
    lists = {"seats": tuple(table.get("drawn", ())), "deal": deal}
    wishes = {name: tuple(colours) for name, colours in table["wishes"].items()}
    seats = tuple(table.get("seats", ()))
    rolls = StartRolls(tree.get("dice", []), seats or lists["seats"])
    order = tuple(table.get("missions", ()))
    happened, after = begin(
        board, blank.rules, blank.settings, wishes, seats, lambda label, _: lists[label], rolls,
        lambda state: _own_colours(state, order),
    )  # fmt: skip
    state = blank
    for event in happened:
        state = apply(state, event)
    wrong = [*after.problems(), *rolls.left_over()]
    if state._replace(acting=after.acting) != after:
        wrong.append("the folded events give another state")
    return wrong + list(differences({"phase": "deploy", **tree["expect"]}, None, happened, after))


def _own_colours(state: State, order: Sequence[MissionId]) -> list[PlayerId]:
    """Return the players whose mission is against their own colour, by the order in which missions were shuffled."""
    if len(order) < len(state.players):
        no_case("the missions of all players are needed, in the order in which they are dealt", "start.missions")
    dealt = zip(state.players.values(), order, strict=False)
    return [player.id for player, mission in dealt if state.board.missions[mission].colour == player.colour]


def set_up_differences(tree: Mapping[str, Any]) -> list[str]:
    """One round: `claim`, `deploy`, `neutral`, `capital` by player; who is awaited and not named was missed.

    Orders of one who resigns are void. `dice` are the start rolls.
    """
    before = position(tree)
    if wrong := before.problems():
        return [f"at the start: {problem}" for problem in wrong]
    for player in before.acting:
        if before.phase != "claim" and not before.territories_of(player):
            no_case(f"{player} holds nothing", "land")
    given: list[SetUpOrders] = []
    found: list[list[str]] = []
    for name, body in _orders(tree).items():
        read = read_set_up(body, before.phase, before.board, before.players, name)
        if isinstance(read, BodyProblems):
            found += [[problem.key, problem.code] for problem in read.problems]
        else:
            given.append(read)
            found += [[f.key, f.refusal.code] for f in set_up_findings(read, before)]
    if found or "refused" in tree:
        wanted = tree.get("refused", [])
        return [] if found == wanted else [f"refused: {written(found)}, expected {written(wanted)}"]
    return _round(tree, before, given)


def _orders(tree: Mapping[str, Any]) -> dict[PlayerId, dict[str, Any]]:
    """Return what each player sends: the parts that the case names for him."""
    found: dict[PlayerId, dict[str, Any]] = {}
    for key in SET_UP:
        for name, value in tree.get(key, {}).items():
            found.setdefault(PlayerId(name), {})[key] = value
    return found


def _round(tree: Mapping[str, Any], before: State, given: Sequence[SetUpOrders]) -> list[str]:
    given = [one for one in given if one.player not in tree.get("resign", [])]
    there = {*(one.player for one in given), *tree.get("resign", [])}
    missed = [player for player in before.acting if player not in there]
    changes = changes_of(tree, before)
    rolls = StartRolls(tree.get("dice", []), tuple(before.players))
    begun, state = at_once(taking(tree), before)
    happened, after = set_up(state, given, missed, changes, rolls)
    happened = [*begun, *happened]
    return [
        *unsound(before, happened, after, standing_among(changes)),
        *rolls.left_over(),
        *differences(tree["expect"], before, happened, after),
    ]
