"""Both sides of what is measured inside one process.

    python inside.py CLOCK ROUNDS RUNS SIDE...

times functions of the program and their yardsticks in turn, with the files that `games.py` has
written to the folder it runs in, and prints the seconds of every run as JSON. CLOCK is a function
of the module `time`.
"""

import json
import sys
import time
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import bare
import tomli_w
from measuring import calls, in_turn
from support.table import HOST, key_of

from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name
from referee.documents.canonical import digest_of
from referee.documents.chains import link
from referee.documents.gamefile import body_text, open_game, tree_of, written
from referee.documents.gamereader import events_of
from referee.documents.knowledge import HostKnowledge
from referee.documents.orders import BodyProblems, read_orders
from referee.documents.secrets import game_secret, turn_seed
from referee.documents.signing import read
from referee.game.dice import battle_dice
from referee.game.position import Position
from referee.game.turn import play

Work = Callable[[], object]


def playing() -> Work:
    """The adjudication of the usual turn, with its own dice."""
    file = open_game(Path("usual/game.toml").read_bytes(), board_by_name)
    game, state, key = file.game, file.game.state, key_of(HOST)
    tree = read(Path("usual/orders.toml").read_bytes()).tree
    orders = read_orders(tree, state.board, state.players, state.acting[0])
    if isinstance(orders, BodyProblems):
        raise SystemExit(f"orders that cannot be read: {orders.problems}")
    nonce = decode(game.nonce)
    reveal = encode(link(key, nonce, b"", game.host.links + 1))
    digests, reveals = [digest_of(tree)], [(HOST, reveal)]
    seed = turn_seed(game.name, game.nonce, game.turn, file.digest, digests, reveals)
    knowledge = HostKnowledge(game_secret(key, nonce), decode(game.start_seed), state.board)
    position = Position(state, orders, game.turn)
    return lambda: play(position, partial(battle_dice, seed), knowledge.answer)


def bare_turn() -> Work:
    """The bare turn of this folder."""
    return partial(bare.turn, 7, bare.land(), bare.neighbours())


def shared_turn() -> Work:
    """The bare turn of somebody else's benchmarks."""
    import floor  # type: ignore[import-not-found]

    return partial(floor.play, 7, floor.position(), floor.ring())


def files(path: Path, size: str) -> dict[str, Work]:
    """Reading and writing one game file, and the same with the TOML libraries alone."""
    data = path.read_bytes()
    text = data.decode()
    document = read(data)
    game = open_game(data, board_by_name).game
    game = game._replace(events=events_of(document.tree, document))
    tree: dict[str, Any] = tomllib.loads(text)
    key = key_of(HOST)
    if written(game, key).text != text:
        raise SystemExit(f"{path} is not written as it was read")
    return {
        f"read-{size}": partial(open_game, data, board_by_name),
        f"tomllib-{size}": partial(tomllib.loads, text),
        f"sign-{size}": lambda: written(game, key),
        f"write-{size}": lambda: body_text(tree_of(game)),
        f"tomli_w-{size}": partial(tomli_w.dumps, tree),
    }


def main(clock: str, rounds: int, runs: int, wanted: list[str]) -> None:
    """Time the wanted sides in turn and print the seconds."""
    works: dict[str, Work] = {
        "play": playing(),
        "bare-turn": bare_turn(),
        **files(Path("small.toml"), "small"),
        **files(Path("usual/game.toml"), "usual"),
    }
    if "shared-turn" in wanted:
        works["shared-turn"] = shared_turn()
    sides = {name: calls(works[name], getattr(time, clock)) for name in wanted}
    json.dump(in_turn(sides, rounds, runs), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
