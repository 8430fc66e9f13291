"""How little a turn can cost: yardsticks without rules, states or careful reading.

`turn` is the play alone: income, placing, ten attacks that are looked up and rolled with dice from
SHA-256, events, and a digest of the position. `main` is a command that checks the signatures of two
files, reads them, plays that turn, writes the game again and signs it. Nothing of the program is
used here, and nothing of it should become as bare.
"""

from collections.abc import Mapping
from hashlib import sha256
from json import dumps
from pathlib import Path
from typing import NamedTuple

SEED = sha256(b"a turn").digest()
LANDS = tuple(f"territory_{number}" for number in range(42))
OWNERS = tuple(f"player_{number}" for number in range(6))
BATTLES = 10
ROLLS = 3
STACK = 7

Land = dict[str, tuple[str, int]]
"""By territory: its owner and the armies there."""

_TOO_HIGH = 252


class Battle(NamedTuple):
    """What one battle came to."""

    source: str
    target: str
    attackers: int
    defenders: int
    rolls: int


def land() -> Land:
    """Return a position with all territories dealt round."""
    return {name: (OWNERS[place % 6], STACK + 1) for place, name in enumerate(LANDS)}


def neighbours() -> dict[str, frozenset[str]]:
    """Return a map: everything lies in a ring and touches two on either side."""
    steps = (-2, -1, 1, 2)
    return {name: frozenset(LANDS[(place + step) % len(LANDS)] for step in steps) for place, name in enumerate(LANDS)}


def fought(turn: int, number: int, source: str, target: str) -> Battle:
    """Roll a battle of equal stacks, at most three times."""
    attackers, defenders, rolls = STACK, STACK, 0
    while rolls < ROLLS and attackers and defenders:
        rolls += 1
        label = f"{turn}/{number}/{rolls}".encode()
        thrown = sha256(SEED + label).digest()
        dice = [byte % 6 + 1 for byte in thrown if byte < _TOO_HIGH]
        most, least = min(3, attackers), min(2, defenders)
        mine = sorted(dice[:most], reverse=True)
        theirs = sorted(dice[most : most + least], reverse=True)
        for attack, defence in zip(mine, theirs, strict=False):
            if attack > defence:
                defenders -= 1
            else:
                attackers -= 1
    return Battle(source, target, attackers, defenders, rolls)


def turn(number: int, where: Land, touching: Mapping[str, frozenset[str]]) -> tuple[bytes, list[object]]:
    """Play a turn on `where`; return a digest of the position and what happened."""
    player = OWNERS[number % 6]
    own = [name for name, (owner, _) in where.items() if owner == player]
    income = max(3, len(own) // 3)
    happened: list[object] = [(player, income)]
    for name in own[:income]:
        owner, armies = where[name]
        where[name] = (owner, armies + 1)
    for battle in range(BATTLES):
        source, target = LANDS[4 * battle], LANDS[4 * battle + 1]
        if target in touching[source]:
            happened.append(fought(number, battle + 1, source, target))
    return sha256(dumps(where, sort_keys=True, separators=(",", ":")).encode()).digest(), happened


def prepare(folder: Path, turn: Path) -> None:
    """Write what the command reads: the game file and the orders of a turn, signed as they are."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(SEED)
    folder.mkdir()
    (folder / "public").write_bytes(key.public_key().public_bytes_raw())
    for name in ("game.toml", "orders.toml"):
        data = (turn / name).read_bytes()
        (folder / name).write_bytes(data)
        (folder / f"{name}.signature").write_bytes(key.sign(data))


def main() -> None:
    """Be the command that does no more than it must."""
    import tomllib
    from typing import Annotated, Any

    import tomli_w
    import typer
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

    app = typer.Typer(add_completion=False)

    @app.command()
    def resolve(folder: Annotated[Path, typer.Argument(exists=True, file_okay=False)]) -> None:
        """Play the bare turn of one folder."""
        public = Ed25519PublicKey.from_public_bytes((folder / "public").read_bytes())

        def checked(name: str) -> dict[str, Any]:
            data = (folder / name).read_bytes()
            public.verify((folder / f"{name}.signature").read_bytes(), data)
            return tomllib.loads(data.decode())

        game, orders = checked("game.toml"), checked("orders.toml")
        digest, happened = turn(orders["turn"], land(), neighbours())
        written = tomli_w.dumps(game | {"digest": digest.hex()}).encode()
        (folder / "next.toml").write_bytes(written)
        signature = Ed25519PrivateKey.from_private_bytes(SEED).sign(written)
        (folder / "next.toml.signature").write_bytes(signature)
        (folder / "report.txt").write_text("\n".join(map(repr, happened)))

    app()
