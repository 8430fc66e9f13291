"""Dice, picks and shuffles are fair and never depend on each other (DESIGN 5)."""

from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.patience import PATIENT

from referee.game.dice import battle_dice, pick, shuffle

SEED = sha256(b"dice").digest()


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_all_24_orders_of_four_cards_are_equally_likely() -> None:
    cards = ("a", "b", "c", "d")
    found = Counter(shuffle(SEED, f"deck-{number}", cards) for number in range(24_000))
    assert set(found) == set(permutations(cards))
    assert chi_square(list(found.values())) < 49.7  # 23 degrees of freedom, one in a thousand


def test_all_faces_of_a_die_are_equally_likely_for_attacker_and_defender() -> None:
    attack: Counter[int] = Counter()
    defence: Counter[int] = Counter()
    for number in range(1, 10_001):
        dice = battle_dice(SEED, 1, number, 3, 2)
        attack.update(dice[0])
        defence.update(dice[1])
    for found in (attack, defence):
        assert sorted(found) == [1, 2, 3, 4, 5, 6]
        assert chi_square(list(found.values())) < 20.5  # 5 degrees of freedom, one in a thousand


def test_bytes_of_252_and_more_give_no_die() -> None:
    for number in range(1, 400):
        block = sha256(b"referee/roll/1\n" + SEED + bytes(3) + b"\1" + number.to_bytes(4, "big") + bytes(4)).digest()
        usable = [byte % 6 + 1 for byte in block if byte < 252]
        if len(usable) < len(block):
            assert battle_dice(SEED, 1, number, len(usable), 0)[0] == tuple(usable)
            assert battle_dice(SEED, 1, number, 32, 0)[0][: len(usable)] == tuple(usable)
            return
    pytest.fail("no block with such a byte")


def test_fewer_dice_are_the_first_of_more_dice() -> None:
    attack, defence = battle_dice(SEED, 3, 4, 3, 2)
    assert battle_dice(SEED, 3, 4, 3, 1) == (attack, defence[:1])
    assert battle_dice(SEED, 3, 4, 5, 0) == (attack + defence, ())


def test_each_roll_of_each_battle_has_dice_of_its_own() -> None:
    rolls = {battle_dice(SEED, battle, roll, 20, 0) for battle in range(1, 21) for roll in range(1, 21)}
    assert len(rolls) == 400


def test_nothing_is_picked_out_of_nothing_or_of_too_much() -> None:
    for n in (0, -1, 2**64 + 1):
        with pytest.raises(AssertionError):
            pick(SEED, "x", n)


@PATIENT
@given(st.binary(min_size=32, max_size=32), st.text(), st.integers(1, 2**64))
def test_a_pick_is_below_n(seed: bytes, label: str, n: int) -> None:
    assert 0 <= pick(seed, label, n) < n


@PATIENT
@given(st.binary(min_size=32, max_size=32), st.text(max_size=9), st.lists(st.text()))
def test_a_shuffle_is_a_permutation(seed: bytes, label: str, items: list[str]) -> None:
    assert sorted(shuffle(seed, label, items)) == sorted(items)
