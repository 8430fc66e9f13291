"""What holds in every state, whatever has happened: `State.problems` lists what does not.

R-SETUP-09: one owner and at least one army everywhere; cards conserved; who is out holds nothing. The exceptions are
the territory that is just being taken, between the roll that killed its last defender and the advance, and the player
whose last territory it was (by battle, or swept with his capital), until he is out and his cards have gone over. It
changes nothing, and knows no document.
"""

from referee.game.orders import NEUTRAL, PlayerId
from referee.game.state import HOWS, State


def problems(state: State) -> list[str]:
    """List every invariant that does not hold; empty in a sound state."""
    return [
        *_land_problems(state), *_player_problems(state), *_awaited_problems(state), *_card_problems(state),
        *_capital_problems(state),
    ]  # fmt: skip


def _land_problems(state: State) -> list[str]:
    found = []
    if tuple(state.owners) != state.board.territories or tuple(state.armies) != state.board.territories:
        found.append("owners and armies are not the territories of the board in its order")
    known = {*state.players, NEUTRAL}
    if state.phase == "claim" or (state.phase == "over" and not state.first):
        known.add(PlayerId(""))  # land is free until all is claimed, and the game may have ended before
    for territory, owner in state.owners.items():
        if owner not in known:
            found.append(f"{territory} is owned by {owner!r}")
        elif state.armies[territory] < 1 and territory != state.taking and owner:
            found.append(f"{territory} is empty")
    return found


def _player_problems(state: State) -> list[str]:
    found = []
    with_land = set(state.owners.values())
    for player in state.players.values():
        if player.id == state.falling:
            continue
        has_land = player.id in with_land
        if player.status == "out" and (has_land or state.hands[player.id]):
            found.append(f"{player.id} is out and holds something")
        if player.status == "playing" and not has_land and state.phase not in ("claim", "over"):
            found.append(f"{player.id} plays without a territory")
        if player.status == "passive" and state.hands[player.id]:
            found.append(f"{player.id} is passive and holds cards")
        if player.to_place and state.phase == "turn":
            found.append(f"{player.id} has armies left to deploy")
        if player.status == "out" and player.out_by not in state.players:
            found.append(f"{player.id} is out by nobody")
    if len({player.colour for player in state.players.values()}) < len(state.players):
        found.append("two players have the same colour")
    return found


def _awaited_problems(state: State) -> list[str]:
    found = []
    for acting in state.acting:
        if state.phase != "over" and state.players[acting].status != "playing":
            found.append(f"{acting} is awaited and does not play")
    if len(set(state.acting)) < len(state.acting):
        found.append("somebody is awaited twice")
    if state.first > len(state.players) or (state.phase == "turn" and not state.first):
        found.append(f"the first turn is that of seat {state.first}")
    result = state.result
    if (state.phase == "over") != (result is not None):
        found.append(f"the phase is {state.phase}, {'with' if result else 'without'} a result")
    if result and (result.how not in HOWS or not _are_winners(result.winners, state)):
        found.append(f"the game ends by {result.how!r} for {', '.join(result.winners) or 'nobody'}")
    return found


def _are_winners(winners: tuple[str, ...], state: State) -> bool:
    return len(winners) == len(set(winners)) > 0 and state.players.keys() >= set(winners)


def _card_problems(state: State) -> list[str]:
    names = [*state.pile, *state.discards]
    for hand in state.hands.values():
        names.extend(hand)
    if not state.has_cards and not (state.openly and names):
        return ["cards before the deck was shuffled"] if names else []
    found = []
    if len(names) != state.deck_size:
        found.append(f"{len(names)} cards instead of {state.deck_size}")
    if len(set(names)) != len(names):
        found.append("a card is in two places")
    return found


def _capital_problems(state: State) -> list[str]:
    if not state.capitals and state.rules.capitals == "none":
        return []
    found = ["capitals in a game without them"] if state.rules.capitals == "none" else []
    known = [territory for territory in state.capitals.values() if territory]
    if tuple(state.capitals) != tuple(player for player in state.players if player in state.capitals):
        found.append("the capitals are not those of the players in the order of their seats")
    if state.has_cards and not set(state.capitals).issuperset(state.playing()):
        found.append("somebody plays without a capital")
    if len(set(known)) != len(known) or not set(known) <= set(state.board.territories):
        found.append("the capitals are not different territories of the board")
    if any(name in known for names in (state.pile, state.discards, *state.hands.values()) for name in names):
        found.append("the card of a capital is in a hand or a pile")
    return found
