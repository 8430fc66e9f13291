"""Comparing what happened with what a case expects: events, land, hands, and single facts.

What is not listed must not have changed, and no event may happen that is not listed. After every event the state must
be sound, and the folded events must give the state in which the adjudicator ended.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from json import dumps
from typing import Any

from referee.documents.cases.shape import FREE
from referee.documents.eventtables import event_to_tree
from referee.game.events import Event, StandingRecorded
from referee.game.orders import PlayerId, Standing
from referee.game.state import SET_UP, State, apply, record_standing


def unsound(before: State, happened: Sequence[Event], after: State, standing: Sequence[Standing] = ()) -> Iterator[str]:
    """Fold the events once more, one by one, and look for broken invariants after each."""
    state, given = before, {new.player: new for new in standing}
    for number, event in enumerate(happened, start=1):
        state = apply(state, event)
        if isinstance(event, StandingRecorded):
            state = record_standing(state, given[PlayerId(event.player)])
        for problem in state.problems():
            yield f"after event {number} ({event_to_tree(event)['kind']}): {problem}"
    if after.phase in SET_UP:
        state = state._replace(phase=after.phase, acting=after.acting)  # who is awaited, which no event says
    if state != after:
        yield f"the folded events give another state: {', '.join(_differences(state, after))}"


def _differences(one: State, other: State) -> Iterator[str]:
    for field in State._fields:
        if getattr(one, field) != getattr(other, field):
            yield field


def differences(
    expect: Mapping[str, Any], before: State | None, happened: Sequence[Event], after: State
) -> Iterator[str]:
    """Yield what is not as expected: first the events, then the position.

    What is not listed must be as it was before; where nothing was before, only what is listed is compared.
    """
    yield from events_differing(expect, happened)
    was, now = _stated(before or after), _stated(after)
    for key, found in now.items():
        for name, value in found.items():
            wanted = expect.get(key, {}).get(name, was[key][name])
            yield from _unless_same(name if key == "land" else f"{key} of {name}", value, wanted)
    start = before or after
    yield from _unless_same("discards", list(after.discards), expect.get("discards", list(start.discards)))
    yield from _unless_same("sets_traded", after.sets_traded, expect.get("sets_traded", start.sets_traded))
    yield from facts_differing(expect, after)


def _stated(state: State) -> dict[str, dict[str, Any]]:
    """Return what stands for each territory and player, by the keys of `expect`."""
    return {
        "land": {t: f"{state.owners[t] or FREE} {state.armies[t]}" for t in state.board.territories},
        "hands": {player: list(hand) for player, hand in state.hands.items()},
        "status": {player: seat.status for player, seat in state.players.items()},
    }


def facts_differing(expect: Mapping[str, Any], after: State) -> Iterator[str]:
    """Yield which single facts are not as they stand in `expect`; the phase and the winners also if not listed."""
    winners = list(after.result.winners) if after.result else []
    yield from _unless_same("phase", after.phase, expect.get("phase", "over" if "winners" in expect else "turn"))
    yield from _unless_same("winners", winners, expect.get("winners", []))
    for key, found in _FACTS.items():
        if key in expect:
            yield from _unless_same(key, found(after, expect[key]), expect[key])


def _unless_same(what: str, found: object, wanted: object) -> Iterator[str]:
    if found != wanted:
        yield f"{what}: {written(found)}, expected {written(wanted)}"


def written(value: object) -> str:
    """Write a value for a message, a text as it is and anything else as JSON."""
    return value if isinstance(value, str) else dumps(value, ensure_ascii=False)


_FACTS: Mapping[str, Callable[[State, Any], Any]] = {
    "how": lambda after, _: after.result.how if after.result else "",
    "acting": lambda after, _: " ".join(after.acting),
    "round": lambda after, _: after.round,
    "pile": lambda after, wanted: list(after.pile[: len(wanted)] if wanted else after.pile),
    "bottom": lambda after, wanted: list(after.pile[-len(wanted) :]),
    "missed": lambda after, wanted: {player: after.players[player].missed for player in wanted},
    "to_place": lambda after, wanted: {player: after.players[player].to_place for player in wanted},
    "capitals": lambda after, _: dict(after.capitals),
}
"""Facts that are compared only if they are listed."""


def _whole(event: Event) -> dict[str, Any]:
    """Return the table of an event with the fields that game files leave out."""
    tree = event_to_tree(event)
    for field, value in type(event)._field_defaults.items():
        tree.setdefault(field, value)
    return tree


def events_differing(expect: Mapping[str, Any], happened: Sequence[Event]) -> Iterator[str]:
    """Compare events in order; a listed one is a kind, or a kind and some of its fields."""
    ignored, only = expect.get("ignore", []), expect.get("only", [])
    left = [e for e in map(_whole, happened) if e["kind"] not in ignored and (not only or e["kind"] in only)]
    wanted = [{"kind": one} if isinstance(one, str) else one for one in expect["events"]]
    for number, (want, found) in enumerate(zip(wanted, left, strict=False), start=1):
        if want["kind"] != found["kind"]:
            yield f"event {number}: {written(found)}, expected {written(want)}"
            break
        differing = {key: found[key] for key, value in want.items() if found[key] != value}
        if differing:
            yield f"event {number}, {want['kind']}: {written(differing)}, expected {written(want)}"
    for want in wanted[len(left) :]:
        yield f"did not happen: {written(want)}"
    for found in left[len(wanted) :]:
        yield f"not listed: {written(found)}"
