"""The games that are measured, played through the library with fixed keys.

    python games.py PART...

plays the games that parts of the benchmark need and writes their files to the folder it runs in:

    usual   before a turn of ten battles with about thirty rolls, six players; a small game file
    late    turn 5 and turn 200 of one game, each with orders for four battles of one roll
    chain   one game of 1600 files, and its first 400 and 100, each in a folder of its own

The same bytes come out every time. Who plays here plans nothing: he fights where he is strong, and
so that no game ends he leaves everybody some land and wants no more than nine territories himself.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bare
from support.table import HOST, Table, key_of

from referee.documents.gamefile import GameFile
from referee.documents.keys import pem
from referee.documents.layout import table_text
from referee.documents.signing import Document, sign
from referee.game.legality import income
from referee.game.orders import PlayerId
from referee.game.state import State

BATTLES = 10
ROLLS = 3
STRONG = 66
"""With so many armies ten battles of three rolls are possible."""

LANDS = 9
LEFT = 3
HAND = 5
"""Who holds so many cards misses his turn: then the referee trades for him."""

CHAINS = (100, 400, 1600)


def plain_orders(state: State, player: PlayerId, battles: int, rolls: int) -> dict[str, Any]:
    """Place on the weakest borders; fight from the strongest stacks, weak land first."""
    own, armies = state.territories_of(player), dict(state.armies)
    borders = [land for land in own if state.has_hostile_neighbour(land, player)]
    place: dict[str, int] = {}
    for _ in range(income(state, player).total):
        land = min(borders, key=lambda land: armies[land])
        armies[land] += 1
        place[land] = place.get(land, 0) + 1
    spare = {owner: len(state.territories_of(owner)) - LEFT for owner in state.players}
    attacks: list[dict[str, Any]] = []
    fought: set[tuple[str, str]] = set()
    while len(attacks) < battles:
        possible = [
            (armies[source], -armies[target], source, target)
            for source in own
            for target in state.board.neighbours[source]
            if state.owners[target] != player
            and (source, target) not in fought
            and armies[source] > 3
            and (armies[target] > 2 * rolls or (len(own) < LANDS and spare[PlayerId(state.owners[target])] > 0))
        ]
        if not possible:
            break
        _, _, source, target = max(possible)
        fought.add((source, target))
        armies[source] -= rolls
        armies[target] -= rolls
        spare[PlayerId(state.owners[target])] -= 1
        entry = {"from": source, "to": target, "max_rolls": rolls, "advance": "least"}
        attacks.append({**entry, "unless": [f"{source} <= 3"]})
    return {"place": place, "attack": attacks} if attacks else {"place": place}


def _play_on(table: Table, battles: int) -> GameFile:
    """Play one turn; who has many cards misses it."""
    state = table.file.game.state
    player = state.acting[0]
    if state.phase == "deploy" or len(state.hands[player]) >= HAND:
        return table.play([], state.acting)
    return table.play([table.orders(player, plain_orders(state, player, battles, ROLLS))])


def _write(folder: Path, game: GameFile, orders: Document) -> None:
    """Write what one `resolve` reads: the game file, the orders, the host's key."""
    folder.mkdir()
    (folder / "game.toml").write_text(game.text)
    signature = sign(orders.tree, key_of(orders.tree["player"]), orders.tree["player"])
    (folder / "orders.toml").write_text(table_text({**orders.tree, "signature": signature}))
    (folder / f"{HOST}.key").write_bytes(pem(key_of(HOST)))


def _fought(made: GameFile) -> tuple[int, int]:
    """Return how many battles and rolls there were."""
    kinds = [type(event).__name__ for event in made.game.events]
    return kinds.count("AttackBegan"), kinds.count("BattleFought")


def usual() -> None:
    """Gather armies and fight a turn; the fight after it is the usual turn, if it has what is wanted."""
    table = Table("no", "mission", players=6)
    battles = rolls = 0
    while battles < BATTLES or rolls < BATTLES * ROLLS - 2:
        while min(map(table.file.game.state.armies_of, table.names)) < STRONG:
            _play_on(table, 0)
        _play_on(table, BATTLES)
        before, player = table.file, table.file.game.state.acting[0]
        orders = table.orders(player, plain_orders(before.game.state, player, BATTLES, ROLLS))
        battles, rolls = _fought(table.play([orders]))
    _write(Path("usual"), before, orders)
    bare.prepare(Path("bare"), Path("usual"))
    print(f"usual turn: turn {before.game.turn}, {battles} battles, {rolls} rolls,")
    print(f"    game file {len(before.text)} bytes, {len(table.names)} players")
    small = Table("no", "world", players=3)
    for _ in range(3):
        _play_on(small, 0)
    Path("small.toml").write_text(small.file.text)
    print(f"small game file: {len(small.file.text)} bytes, {len(small.names)} players")


def late() -> None:
    """Stop at turn 5 and at the first turn from 200 on with the same four battles of one roll."""
    table = Table("no", "mission", players=6)
    for turn in (5, 200):
        while True:
            state = table.file.game.state
            if table.file.game.turn >= turn and len(state.hands[state.acting[0]]) < HAND:
                orders = table.orders(state.acting[0], plain_orders(state, state.acting[0], 4, 1))
                if _fought(table.resolved([orders])) == (4, 4):
                    break
            _play_on(table, 1)
        _write(Path(f"turn-{turn}"), table.file, orders)
        print(f"turn {table.file.game.turn}: game file {len(table.file.text)} bytes")


def chain() -> None:
    """Play a game that does not end; its first files stand in folders by their number."""
    files = list(_texts(max(CHAINS)))
    for length in CHAINS:
        inner = Path(f"chain-{length}")
        inner.mkdir()
        for name, text in files[:length]:
            (inner / name).write_text(text)
    size = sum(len(text) for _, text in files) // len(files)
    print(f"chain: {len(files)} game files of {size} bytes on average")


def _texts(length: int) -> Iterator[tuple[str, str]]:
    table = Table("no", "mission", players=6)
    for _ in range(length):
        yield table.file.file, table.file.text
        _play_on(table, 4)


PARTS = {"usual": usual, "late": late, "chain": chain}

if __name__ == "__main__":
    for part in sys.argv[1:]:
        PARTS[part]()
