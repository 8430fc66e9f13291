"""Positions of rule cases: from the compact form in a case file to a state.

Hands, pile and missions lie open: the name of a card is its id. It decides no rule.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from referee import data
from referee.documents.boards import load_board
from referee.documents.cases.casefile import no_case
from referee.documents.cases.shape import FREE
from referee.documents.orders import BodyProblems
from referee.documents.standing import read_standing
from referee.game.board import Board, TerritoryId
from referee.game.deploying import who_deploys
from referee.game.orders import PlayerId, Standing
from referee.game.presets import Preset, preset_from
from referee.game.rules import Settings, changed_rules, changed_settings
from referee.game.setup import blank
from referee.game.state import SET_UP, Luck, Phase, Player, State, record_standing


def preset_of(tree: Mapping[str, Any]) -> Preset:
    """Return the preset that the case names."""
    return preset_from(data.tree(f"editions/{tree['edition']}.toml"), tree["variant"])


def settled(tree: Mapping[str, Any]) -> State:
    """Return a blank state under the rules of the case."""
    board, _ = load_board("classic")
    players = tree["start"]["wishes"] if "start" in tree else tree.get("players", ())
    rules = changed_rules(preset_of(tree).rules_for(len(players)), tree.get("rules", {}))
    settings = changed_settings(Settings(), tree.get("settings", {}))
    return blank(board, rules, settings)


def position(tree: Mapping[str, Any]) -> State:
    """Return the state that a case begins with: a turn, or the phase of the set-up whose orders the case has."""
    phase: Phase = next((phase for phase in SET_UP if phase in tree), "turn")
    start = settled(tree)
    players = _players(tree)
    owners, armies = _land(tree, start.board, free=phase == "claim")
    state = start._replace(
        players=players,
        owners=owners,
        armies=armies,
        phase=phase,
        hands=dict.fromkeys(players, ()),
        luck=dict.fromkeys(players, Luck()),
        sets_traded=tree.get("sets_traded", 0),
        missions={PlayerId(p): mission for p, mission in tree.get("missions", {}).items()},
    )
    if phase == "turn":
        state = state._replace(
            round=tree.get("round", 1),
            first=tree.get("first", 1),
            **_cards(tree, start.board, list(players)),
        )
    if phase in ("turn", "capital"):
        state = state._replace(capitals=_capitals(tree, players))
    claims = {PlayerId(name): tuple(map(TerritoryId, given)) for name, given in tree.get("rankings", {}).items()}
    state = state._replace(acting=_acting(tree, state), openly=tree.get("openly", False), claims=claims)
    for name, table in tree.get("standing", {}).items():
        state = record_standing(state, standing_orders(state, name, table))
    return state


def _acting(tree: Mapping[str, Any], state: State) -> tuple[PlayerId, ...]:
    """Return who is awaited: `acting` in that order, else `player`, else those whom the phase awaits by seats."""
    if "acting" in tree:
        return tuple(PlayerId(name) for name in tree["acting"].split())
    first = PlayerId(tree.get("player", next(iter(state.players))))
    if state.phase == "deploy":
        return who_deploys(state, first)
    return (first,) if state.phase == "turn" else state.playing()


def _players(tree: Mapping[str, Any]) -> dict[PlayerId, Player]:
    """Read `players`, "ID COLOUR" in the order of the seats, and what is said of single ones."""
    found = {}
    for seat, text in enumerate(tree["players"], start=1):
        name, _, colour = text.partition(" ")
        found[PlayerId(name)] = Player(
            PlayerId(name),
            seat,
            colour,
            missed=tree.get("missed_before", {}).get(name, 0),
            sets_traded=tree.get("sets_of", {}).get(name, 0),
            to_place=tree.get("to_place", {}).get(name, 0),
            passed_over=name in tree.get("passed_over", []),
        )
    for name, by in tree.get("out", {}).items():
        found[PlayerId(name)] = found[PlayerId(name)]._replace(status="out", out_by=by)
    for name in tree.get("passive", []):
        found[PlayerId(name)] = found[PlayerId(name)]._replace(status="passive")
    return found


def _land(tree: Mapping[str, Any], board: Board, free: bool) -> tuple[dict[TerritoryId, str], dict[TerritoryId, int]]:
    """Read `board`, "OWNER ARMIES" for all land, and `land`, territories or continents; `-` owns what is free.

    Before claims all is free if there is no `board`.
    """
    if free and "board" not in tree:
        return dict.fromkeys(board.territories, ""), dict.fromkeys(board.territories, 0)
    given = dict.fromkeys(board.territories, tree["board"].split())
    listed = tree.get("land", {})
    for continent in board.continents.values():
        if continent.id in listed:
            given |= dict.fromkeys(continent.territories, listed[continent.id].split())
    for name, text in listed.items():
        if name in given:
            given[TerritoryId(name)] = text.split()
    owners = {territory: "" if owner == FREE else owner for territory, (owner, _) in given.items()}
    return owners, {territory: int(number) for territory, (_, number) in given.items()}


def _capitals(tree: Mapping[str, Any], players: Mapping[PlayerId, Player]) -> dict[PlayerId, str]:
    """Read `capitals`, which are known, and `secret_capitals`, of which the state says nothing."""
    known = {**dict.fromkeys(tree.get("secret_capitals", {}), ""), **tree.get("capitals", {})}
    return {player: known[player] for player in players if player in known}


def _cards(tree: Mapping[str, Any], board: Board, players: Sequence[PlayerId]) -> dict[str, Any]:
    """Lay out hands, pile and discards; cards named nowhere go to `rest`, else under the pile."""
    hands: dict[PlayerId, tuple[str, ...]] = dict.fromkeys(players, ())
    for name, hand in tree.get("hands", {}).items():
        hands[PlayerId(name)] = tuple(hand)
    pile, discards = tuple(tree.get("pile", ())), tuple(tree.get("discards", ()))
    named = [*pile, *discards, *(card for hand in hands.values() for card in hand)]
    twice = next((card for card in named if named.count(card) > 1), "")
    if twice:
        no_case(f'"{twice}" is in two places', "hands")
    capitals = [*tree.get("capitals", {}).values(), *tree.get("secret_capitals", {}).values()]
    rest = tuple(card for card in board.cards if card not in named and card not in capitals)
    where = tree.get("rest", "pile")
    if where == "pile":
        pile += rest
    elif where == "discards":
        discards += rest
    elif where in hands:
        hands[where] += rest
    else:
        no_case(f'"{where}" is neither pile, discards nor a player', "rest")
    if tree.get("openly", False):
        return {"hands": hands, "pile": tuple(sorted(pile)), "discards": discards}
    return {"hands": hands, "pile": pile, "discards": discards, "shuffled": ((),)}


def standing_orders(state: State, name: str, table: Mapping[str, Any]) -> Standing:
    """Read standing orders as in their document."""
    whole = {"game": "case", "nonce": "", "player": name, "sequence": 1, **table}
    body = read_standing(whole, state.board, state.players, name)
    if isinstance(body, BodyProblems):
        problem = body.problems[0]
        no_case(problem.message, f"standing.{name}.{problem.key}", problem.hint)
    return body.standing
