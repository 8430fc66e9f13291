"""The positions, boards and presets of this folder as the referee has them; it decides no rule."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from perft.files import load
from referee import data
from referee.documents.cases.positions import standing_orders
from referee.game.board import Board, board_from
from referee.game.orders import PlayerId
from referee.game.presets import preset_from
from referee.game.rules import Rules, Settings
from referee.game.state import Luck, Player, State, record_standing


@cache
def board_of(name: str) -> Board:
    """Return one of the boards of this folder."""
    return board_from(load(f"boards/{name}"))


def rules_of(preset: str, players: int) -> Rules:
    """Return the rules that the referee's own data have for a preset."""
    edition, variant = preset.split(" ")
    return preset_from(data.tree(f"editions/{edition}.toml"), variant).rules_for(players)


def state_of(position: Mapping[str, Any], rules: Rules) -> State:
    """Return the state that a position describes; hands and pile lie open."""
    board = board_of(position["board"])
    seats = [text.split() for text in position["players"]]
    players = {PlayerId(name): Player(PlayerId(name), seat, colour) for seat, (name, colour) in enumerate(seats, 1)}
    for name, by in position.get("out", {}).items():
        players[PlayerId(name)] = players[PlayerId(name)]._replace(status="out", out_by=by)
    land = {territory: position["land"][territory].split() for territory in board.territories}
    capitals = {**dict.fromkeys(position.get("secret_capitals", {}), ""), **position.get("capitals", {})}
    state = State(
        board=board,
        rules=rules,
        settings=Settings(),
        players=players,
        owners={territory: owner for territory, (owner, _) in land.items()},
        armies={territory: int(number) for territory, (_, number) in land.items()},
        hands={player: tuple(position.get("hands", {}).get(player, ())) for player in players},
        phase="turn",
        round=position.get("round", 1),
        acting=(PlayerId(position["player"]),),
        first=position.get("first", 1),
        pile=tuple(position.get("pile", ())),
        discards=tuple(position.get("discards", ())),
        sets_traded=position.get("sets_traded", 0),
        shuffled=((),),
        missions={PlayerId(p): m for p, m in position.get("missions", {}).items()}
        if rules.mission_deck != "none"
        else {},
        capitals={player: capitals[player] for player in players if player in capitals},
        luck=dict.fromkeys(players, Luck()),
    )
    for name, table in position.get("standing", {}).items():
        state = record_standing(state, standing_orders(state, name, table))
    assert not state.problems(), state.problems()
    return state
