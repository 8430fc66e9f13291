"""Rule cases: numbered positions, orders and loaded dice with what must come of them, as data.

A case is one TOML file, `SECTION/ID-SLUG.toml`, written from the text of a rule; the README says
how. `run(case)` plays it on the core with loaded dice and returns what is wrong, nothing if all is
as the rule says. It never rolls, signs or writes, and needs no test framework.

Refused are unknown keys, dice left over or missing, events that are not listed, and land, hands or
anything else that changed and is not listed. After every event the state must be sound, and the
folded events must give the state in which the adjudicator ended.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from referee.documents.orders import BodyProblems, read_orders, read_set_up
from referee.documents.resolve import absence_of
from referee.game.board import CardId, TerritoryId
from referee.game.cards import automatic_set
from referee.game.events import KINDS, Event, event_to_tree
from referee.game.legality import findings, hand_of
from referee.game.orders import Absence, Orders, PlayerId, SetUpOrders, Standing
from referee.game.position import (
    Answer,
    BestSet,
    Change,
    Held,
    MissionOf,
    NamesOf,
    NewPile,
    NewStanding,
    Position,
    Question,
    Resignation,
)
from referee.game.rounds import set_up, set_up_findings
from referee.game.setup import begin
from referee.game.state import SET_UP, State, apply, record_standing
from referee.game.turn import play
from referee.game.victory import has_fulfilled
from support.positions import (
    POSITION,
    CaseError,
    expect_known,
    position,
    settled,
    standing_orders,
)
from support.tables import checks

HEAD = ("id", "source", "text", "edition", "variant", "rules", "settings")
WHAT = (
    "player", "orders", "missed", "resign", "new_standing", "deploy", "start", "dice", "check",
    "expect", "refused",
)  # fmt: skip
EXPECT = (
    "ignore", "only", "events", "land", "hands", "pile", "bottom", "discards", "sets_traded",
    "status", "acting", "round", "phase", "winners", "how", "missed", "to_place",
)  # fmt: skip


class Case(NamedTuple):
    """A case that has been read."""

    path: Path
    tree: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Return the number of the rule."""
        return str(self.tree.get("id", ""))


def load(folder: Path) -> list[Case]:
    """Read all cases of a folder, in the order of their names; a folder without any is an error."""
    found = [read(path) for path in sorted(folder.rglob("*.toml"))]
    if not found:
        raise CaseError(f"{folder}: no cases")
    return found


def read(path: Path) -> Case:
    """Read one case; CaseError if it is no case."""
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CaseError(f"{path}: {error}") from None
    expect_known(tree, (*HEAD, *POSITION, *WHAT), str(path))
    for key in ("id", "source", "text", "edition", "variant"):
        if not isinstance(tree.get(key), str) or not tree[key]:
            raise CaseError(f"{path}: {key} is missing")
    if path.stem != tree["id"] and not path.stem.startswith(tree["id"] + "-"):
        raise CaseError(f"{path}: the name must begin with {tree['id']}-")
    expect_known(tree.get("expect", {}), EXPECT, f"{path}: expect")
    return Case(path, tree)


def run(case: Case) -> list[str]:
    """Play a case and return what is not as it says; empty if all is."""
    tree = case.tree
    try:
        if "check" in tree:
            return list(checks(tree))
        if "start" in tree:
            return _start(tree)
        if "deploy" in tree:
            return _deploy(tree)
        return _turn(tree)
    except CaseError as error:
        return [str(error)]


# --- turns ---------------------------------------------------------------------------------------


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
            yield f"{len(self.rolls)} rolls are left over"


def answer(question: Question, so_far: int = 0) -> Answer:
    """Answer from the open hands and missions of a case, where a card's name is its id."""
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


def _turn(tree: Mapping[str, Any]) -> list[str]:
    before = position(tree)
    wrong = [f"at the start: {problem}" for problem in before.problems()]
    player = before.acting[0]
    if "refused" in tree:
        return wrong + _refused(tree, before, player)
    orders = _orders(tree, before, player)
    if not isinstance(orders, Orders):
        return wrong + [f"refused: {key}: {code}" for key, code in orders]
    changes = _changes(tree, before)
    dice = Loaded(tree.get("dice", []))
    happened, after = play(Position(before, orders, 1, changes), dice, answer)
    return [
        *wrong,
        *dice.left_over(),
        *_folded(before, happened, after, _standing_of(changes)),
        *_expected(tree, before, happened, after),
    ]


def _changes(tree: Mapping[str, Any], state: State) -> tuple[Change, ...]:
    """Return what the case says arrives beside the orders."""
    new = tree.get("new_standing", {}).items()
    return (
        *(NewStanding(standing_orders(state, name, table)) for name, table in new),
        *(Resignation(PlayerId(name)) for name in tree.get("resign", [])),
    )


def _standing_of(changes: Sequence[Change]) -> list[Standing]:
    return [change.standing for change in changes if isinstance(change, NewStanding)]


def _orders(tree: Mapping[str, Any], state: State, player: PlayerId) -> Orders | list[tuple[str, str]]:
    """Return the orders of the case, or what refuses them."""
    if tree.get("missed", False):
        return Orders(player, absence=absence_of(state, player))
    if player in tree.get("resign", []):
        return Orders(player, absence=Absence("resigned"))
    if "orders" not in tree:
        raise CaseError("no orders, and not missed")
    orders = read_orders(tree["orders"], state.board, state.players, player)
    if isinstance(orders, BodyProblems):
        return [(problem.key, problem.code) for problem in orders.problems]
    found = findings(orders, state, hand_of(state, player, {}))
    return [(finding.key, finding.refusal.code) for finding in found] or orders


def _refused(tree: Mapping[str, Any], state: State, player: PlayerId) -> list[str]:
    orders = _orders(tree, state, player)
    found = [] if isinstance(orders, Orders) else [list(pair) for pair in orders]
    if found == tree["refused"]:
        return []
    return [f"refused: {found}, expected {tree['refused']}"]


def _folded(before: State, happened: Sequence[Event], after: State, standing: Sequence[Standing] = ()) -> Iterator[str]:
    """Fold the events once more, one by one, and look for broken invariants after each."""
    state = before
    for number, event in enumerate(happened, start=1):
        state = apply(state, event)
        for problem in state.problems():
            yield f"after event {number} ({event_to_tree(event)['kind']}): {problem}"
    for new in standing:
        state = record_standing(state, new)
    if after.phase in SET_UP:
        state = state._replace(phase=after.phase, acting=after.acting)  # who is awaited, which no event says
    if state != after:
        yield f"the folded events give another state: {', '.join(_differences(state, after))}"


def _differences(one: State, other: State) -> Iterator[str]:
    for field in State._fields:
        if getattr(one, field) != getattr(other, field):
            yield field


# --- what is expected ----------------------------------------------------------------------------


def _expected(tree: Mapping[str, Any], before: State, happened: Sequence[Event], after: State) -> Iterator[str]:
    expect = tree.get("expect", {})
    if "events" not in expect:
        raise CaseError("expect.events is missing")
    yield from _events(expect, [_whole(event) for event in happened])
    yield from _land_after(expect, before, after)
    expect_known(expect.get("hands", {}), after.players, "expect.hands")
    for player in after.players:
        wanted = tuple(expect.get("hands", {}).get(player, before.hands[player]))
        if after.hands[player] != wanted:
            yield f"hand of {player}: {list(after.hands[player])}, expected {list(wanted)}"
    for player, seat in after.players.items():
        wanted_status = expect.get("status", {}).get(player, before.players[player].status)
        if seat.status != wanted_status:
            yield f"{player} is {seat.status}, expected {wanted_status}"
    if tuple(expect.get("discards", before.discards)) != after.discards:
        yield f"discards: {list(after.discards)}"
    if expect.get("sets_traded", before.sets_traded) != after.sets_traded:
        yield f"sets_traded: {after.sets_traded}"
    yield from _facts(expect, after)


def _facts(expect: Mapping[str, Any], after: State) -> Iterator[str]:
    result = after.result
    facts = {
        "phase": (expect.get("phase", "turn" if "winners" not in expect else "over"), after.phase),
        "winners": (expect.get("winners", []), list(result.winners) if result else []),
    }
    if "how" in expect:
        facts["how"] = (expect["how"], result.how if result else "")
    if "acting" in expect:
        facts["acting"] = (expect["acting"], " ".join(after.acting))
    if "round" in expect:
        facts["round"] = (expect["round"], after.round)
    if "pile" in expect:
        facts["pile"] = (
            expect["pile"],
            list(after.pile[: len(expect["pile"])] if expect["pile"] else after.pile),
        )
    if "bottom" in expect:
        facts["bottom"] = (expect["bottom"], list(after.pile[-len(expect["bottom"]) :]))
    if "missed" in expect:
        facts["missed"] = (
            expect["missed"],
            {p: after.players[PlayerId(p)].missed for p in expect["missed"]},
        )
    if "to_place" in expect:
        facts["to_place"] = (
            expect["to_place"],
            {p: after.players[PlayerId(p)].to_place for p in expect["to_place"]},
        )
    for key, (wanted, found) in facts.items():
        if wanted != found:
            yield f"{key}: {found}, expected {wanted}"


def _whole(event: Event) -> dict[str, Any]:
    """Return the table of an event with the fields that game files leave out."""
    tree = event_to_tree(event)
    for field, value in type(event)._field_defaults.items():
        tree.setdefault(field, value)
    return tree


def _events(expect: Mapping[str, Any], happened: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Compare events in order; a listed one is a kind, or a kind and some of its fields."""
    ignored, only = expect.get("ignore", []), expect.get("only", [])
    for kind in (*ignored, *only):
        if kind not in KINDS:
            raise CaseError(f'expect: "{kind}" is no kind of event')
    left = [e for e in happened if e["kind"] not in ignored and (not only or e["kind"] in only)]
    wanted = [{"kind": one} if isinstance(one, str) else one for one in expect["events"]]
    for number, (want, found) in enumerate(zip(wanted, left, strict=False), start=1):
        if want["kind"] not in KINDS:
            raise CaseError(f'expect.events[{number}]: "{want["kind"]}" is no kind of event')
        if want["kind"] != found["kind"]:
            yield f"event {number}: {dict(found)}, expected {want}"
            break
        expect_known(want, found, f"expect.events[{number}]")
        differing = {key: found[key] for key, value in want.items() if found[key] != value}
        if differing:
            yield f"event {number}, {want['kind']}: {differing}, expected {want}"
    for want in wanted[len(left) :]:
        yield f"did not happen: {want}"
    for found in left[len(wanted) :]:
        yield f"not listed: {dict(found)}"


def _land_after(expect: Mapping[str, Any], before: State, after: State) -> Iterator[str]:
    """Compare all territories: as listed, or as they were."""
    listed = expect.get("land", {})
    expect_known(listed, after.board.territories, "expect.land")
    for territory in after.board.territories:
        was = f"{before.owners.get(territory, '')} {before.armies.get(territory, 0)}"
        wanted = listed.get(territory, was)
        found = f"{after.owners[territory]} {after.armies[territory]}"
        if found != wanted:
            yield f"{territory}: {found}, expected {wanted}"


# --- set-up --------------------------------------------------------------------------------------


def _start(tree: Mapping[str, Any]) -> list[str]:
    """`[start]`: `wishes` of colours, `seats` if fixed; `drawn` and `deal` are shuffled lists."""
    table = tree["start"]
    expect_known(table, ("wishes", "seats", "drawn", "deal"), "start")
    blank = settled(tree)
    board = blank.board
    deal = (
        *table.get("deal", ()),
        *(t for t in board.territories if t not in table.get("deal", ())),
    )
    lists = {"seats": tuple(table.get("drawn", ())), "deal": deal}
    wishes = {name: tuple(colours) for name, colours in table["wishes"].items()}
    happened, after = begin(
        board,
        blank.rules,
        blank.settings,
        wishes,
        tuple(table.get("seats", ())),
        lambda label, _: lists[label],
        _start_rolls(tree, tuple(table.get("seats", ())) or lists["seats"]),
    )
    state = blank
    for event in happened:
        state = apply(state, event)
    wrong = [*after.problems()]
    if state._replace(acting=after.acting) != after:
        wrong.append("the folded events give another state")
    expect = tree.get("expect", {})
    wrong += _events(expect, [_whole(event) for event in happened])
    for territory, text in expect.get("land", {}).items():
        found = f"{after.owners[TerritoryId(territory)]} {after.armies[TerritoryId(territory)]}"
        if found != text:
            wrong.append(f"{territory}: {found}, expected {text}")
    return wrong + list(_facts({"phase": "deploy", **expect}, after))


def _start_rolls(tree: Mapping[str, Any], seats: Sequence[str]) -> Callable[[str, int], int]:
    """Return the picks of start rolls from `dice`: a list of dice in the order of the seats for each round."""
    rolls = [dict(zip(seats, row, strict=False)) for row in tree.get("dice", [])]

    def pick(label: str, n: int) -> int:
        _, number, player = label.split("/")
        return int(rolls[int(number) - 1][player]) - 1

    return pick


def _deploy(tree: Mapping[str, Any]) -> list[str]:
    """`[deploy.PLAYER]`; who is awaited and not named was missed. `dice` are start rolls."""
    before = position(tree)._replace(phase="deploy", round=0, first=0, shuffled=(), pile=(), hands={})
    before = before._replace(hands=dict.fromkeys(before.players, ()))
    acting = tuple(p.id for p in before.players.values() if p.to_place and p.status == "playing")
    before = before._replace(acting=acting)
    given: list[SetUpOrders] = []
    found: list[list[str]] = []
    for name, table in tree["deploy"].items():
        body = read_set_up({"deploy": table}, before.phase, before.board, before.players, name)
        if isinstance(body, BodyProblems):
            found += [[problem.key, problem.code] for problem in body.problems]
        else:
            given.append(body)
            found += [[f.key, f.refusal.code] for f in set_up_findings(body, before)]
    if found or "refused" in tree:
        wanted = tree.get("refused", [])
        return [] if found == wanted else [f"refused: {found}, expected {wanted}"]
    missed = [player for player in acting if player not in tree["deploy"]]
    changes = _changes(tree, before)
    happened, after = set_up(before, given, missed, changes, _start_rolls(tree, tuple(before.players)))
    expect = {"phase": "turn", **tree["expect"]}
    wrong = list(_folded(before, happened, after, _standing_of(changes)))
    wrong += _events(expect, [_whole(event) for event in happened])
    return [*wrong, *_land_after(expect, before, after), *_facts(expect, after)]
