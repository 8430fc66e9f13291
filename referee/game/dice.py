"""Dice, picks and shuffles that follow from a 32-byte seed (DESIGN 5).

Every value carries its purpose and its place in what is hashed: a roll depends on the numbers of
its battle and of the roll in it, a pick on its label. So an extra roll somewhere shifts nothing
elsewhere, and anybody with the seed can recompute one die alone. Nothing here is random, and
nothing here makes a seed.
"""

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct

_ROLL = b"referee/roll/1\n"
_PICK = b"referee/pick/1\n"

_ROLL_NUMBERS = Struct(">III").pack
_NUMBER = Struct(">I").pack
_FOUR_INTEGERS = Struct(">4Q").unpack
_RANGE = 1 << 64

# 252 is the largest multiple of 6 that a byte can reach: the four bytes from there on are passed
# over, since with them the faces 1 to 4 would come more often.
_FACES = bytes(value % 6 + 1 for value in range(256))
_PASSED_OVER = bytes(range(252, 256))


def battle_dice(
    seed: bytes, battle: int, roll: int, attack: int, defence: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the attacker's and the defender's dice of one roll, each in the order rolled.

    `battle` counts from 1 through the turn, `roll` from 1 through the battle.
    """
    start = _ROLL + seed
    block = sha256(start + _ROLL_NUMBERS(battle, roll, 0)).digest()
    dice = block.translate(_FACES, _PASSED_OVER)
    wanted = attack + defence
    count = 0
    while len(dice) < wanted:
        count += 1
        block = sha256(start + _ROLL_NUMBERS(battle, roll, count)).digest()
        dice += block.translate(_FACES, _PASSED_OVER)
    return tuple(dice[:attack]), tuple(dice[attack:wanted])


def pick(seed: bytes, label: str, n: int) -> int:
    """Return a number from 0 to n - 1; each is equally likely, for n from 1 to 2^64."""
    if not 1 <= n <= _RANGE:
        raise AssertionError(f"nothing can be picked out of {n}")
    name = label.encode()
    start = _PICK + seed + _NUMBER(len(name)) + name
    limit = _RANGE - _RANGE % n
    count = 0
    while True:
        for value in _FOUR_INTEGERS(sha256(start + _NUMBER(count)).digest()):
            if value < limit:
                return int(value % n)
        count += 1


def shuffle(seed: bytes, label: str, items: Sequence[str]) -> tuple[str, ...]:
    """Return the items in a new order, each order being equally likely.

    The result depends on the order in which they are given: DESIGN 5 asks for ASCII order of the
    ids.
    """
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        other = pick(seed, f"{label}/{last}", last + 1)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return tuple(shuffled)
