"""Comparing what happened with what a case expects: events, land, hands, and single facts.

What is not listed must not have changed, and no event may happen that is not listed. After every event the state must
be sound, and the folded events must give the state in which the adjudicator ended.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.documents.cases.casefile import expect_known, no_case
from referee.game.events import KINDS, Event, event_to_tree
from referee.game.orders import PlayerId, Standing
from referee.game.state import SET_UP, State, apply, record_standing
from referee.game.trees import nearest_hint


def unsound(before: State, happened: Sequence[Event], after: State, standing: Sequence[Standing] = ()) -> Iterator[str]:
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


def differences(tree: Mapping[str, Any], before: State, happened: Sequence[Event], after: State) -> Iterator[str]:
    expect = tree.get("expect", {})
    if "events" not in expect:
        no_case("missing", "expect.events")
    yield from events_differing(expect, happened)
    yield from land_differing(expect, before, after)
    expect_known(expect.get("hands", {}), after.players, "expect.hands.")
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
    yield from facts_differing(expect, after)


def facts_differing(expect: Mapping[str, Any], after: State) -> Iterator[str]:
    result = after.result
    facts: dict[str, tuple[Any, Any]] = {
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
    if "capitals" in expect:
        facts["capitals"] = (expect["capitals"], dict(after.capitals))
    for key, (wanted, found) in facts.items():
        if wanted != found:
            yield f"{key}: {found}, expected {wanted}"


def _whole(event: Event) -> dict[str, Any]:
    """Return the table of an event with the fields that game files leave out."""
    tree = event_to_tree(event)
    for field, value in type(event)._field_defaults.items():
        tree.setdefault(field, value)
    return tree


def events_differing(expect: Mapping[str, Any], happened: Sequence[Event]) -> Iterator[str]:
    """Compare events in order; a listed one is a kind, or a kind and some of its fields."""
    ignored, only = expect.get("ignore", []), expect.get("only", [])
    for kind in (*ignored, *only):
        if kind not in KINDS:
            no_case(f'"{kind}" is no kind of event', "expect", nearest_hint(kind, KINDS))
    left = [e for e in map(_whole, happened) if e["kind"] not in ignored and (not only or e["kind"] in only)]
    wanted = [{"kind": one} if isinstance(one, str) else one for one in expect["events"]]
    for number, (want, found) in enumerate(zip(wanted, left, strict=False), start=1):
        if want["kind"] not in KINDS:
            no_case(
                f'"{want["kind"]}" is no kind of event', f"expect.events[{number}]", nearest_hint(want["kind"], KINDS)
            )
        if want["kind"] != found["kind"]:
            yield f"event {number}: {dict(found)}, expected {want}"
            break
        expect_known(want, found, f"expect.events[{number}].")
        differing = {key: found[key] for key, value in want.items() if found[key] != value}
        if differing:
            yield f"event {number}, {want['kind']}: {differing}, expected {want}"
    for want in wanted[len(left) :]:
        yield f"did not happen: {want}"
    for found in left[len(wanted) :]:
        yield f"not listed: {dict(found)}"


def land_differing(expect: Mapping[str, Any], before: State, after: State) -> Iterator[str]:
    """Compare all territories: as listed, or as they were."""
    listed = expect.get("land", {})
    expect_known(listed, after.board.territories, "expect.land.")
    for territory in after.board.territories:
        was = f"{before.owners.get(territory, '')} {before.armies.get(territory, 0)}"
        wanted = listed.get(territory, was)
        found = f"{after.owners[territory]} {after.armies[territory]}"
        if found != wanted:
            yield f"{territory}: {found}, expected {wanted}"
