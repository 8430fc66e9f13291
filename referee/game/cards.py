"""Territory cards: what is a set, what it is worth, which bonus it brings, the automatic choice.

Implements R-CARD-01 to R-CARD-06, R-CARD-10 (readings Q-12 and Q-13) and P-08. It holds no hand and
no pile, and it does not ask whether a trade is allowed or forced.
"""

from collections.abc import Container, Iterable, Sequence
from itertools import combinations

from referee.game.board import Board, CardId, TerritoryId
from referee.game.rules import (
    BONUS_ARMIES,
    CARDS_IN_SET,
    FIXED_VALUES,
    ONE_OF_EACH_VALUE,
    Rules,
    rising_value,
)


def is_set(cards: Sequence[CardId], board: Board) -> bool:
    """Say whether the cards are three of one symbol or one of each; a joker is any symbol."""
    if len(cards) != CARDS_IN_SET or len(set(cards)) != CARDS_IN_SET:
        return False
    symbols = _symbols(cards, board)
    return len(set(symbols)) in (0, 1, len(symbols))


def worth(cards: Sequence[CardId], board: Board, rules: Rules, sets_traded_before: int) -> int:
    """Return the armies that a set brings, without its bonus.

    `sets_traded_before` counts the sets of all players or of this one (`State.sets_before`). On
    the fixed scale jokers are what makes the set worth most (Q-12).
    """
    if rules.set_values == "rising":
        return rising_value(sets_traded_before + 1)
    symbols = _symbols(cards, board)
    if len(set(symbols)) == len(symbols):
        return ONE_OF_EACH_VALUE
    return FIXED_VALUES[symbols[0]]


def sets_in(hand: Iterable[CardId], board: Board) -> tuple[tuple[CardId, ...], ...]:
    """Return every set that can be made of a hand, each and all of them in board order."""
    ordered = board.in_order(hand)
    return tuple(cards for cards in combinations(ordered, CARDS_IN_SET) if is_set(cards, board))


def matching(cards: Iterable[CardId], owned: Container[TerritoryId], board: Board) -> tuple[TerritoryId, ...]:
    """Return the territories shown on the cards that are her own, in board order."""
    shown = (TerritoryId(card) for card in board.in_order(cards) if card not in board.jokers)
    return tuple(territory for territory in shown if territory in owned)


def bonus_territories(
    shown: Sequence[TerritoryId],
    rules: Rules,
    chosen: TerritoryId | None = None,
    bonus_used: bool = False,
) -> tuple[TerritoryId, ...]:
    """Return the matching territories that get two armies, by `territory_bonus` (Q-13).

    `chosen` is one of them, or None for the first; `bonus_used` says that an earlier set of the
    turn had a bonus.
    """
    if rules.territory_bonus == "each_card":
        return tuple(shown)
    if not shown or (rules.territory_bonus == "once_per_turn" and bonus_used):
        return ()
    return (shown[0] if chosen is None else chosen,)


def automatic_set(
    hand: Iterable[CardId],
    board: Board,
    rules: Rules,
    owned: Container[TerritoryId],
    sets_traded_before: int,
    bonus_used: bool = False,
) -> tuple[CardId, ...] | None:
    """Return the set that the referee picks for a player (P-08), or None.

    The greatest worth, then the greater bonus, then fewer jokers, then the first in board order.
    """

    def merit(cards: tuple[CardId, ...]) -> tuple[int, int, int]:
        bonus = bonus_territories(matching(cards, owned, board), rules, bonus_used=bonus_used)
        jokers = sum(card in board.jokers for card in cards)
        armies = worth(cards, board, rules, sets_traded_before)
        return armies, BONUS_ARMIES * len(bonus), -jokers

    return max(sets_in(hand, board), key=merit, default=None)


def _symbols(cards: Iterable[CardId], board: Board) -> list[str]:
    """Return the symbols of the cards that are no jokers."""
    return [board.symbols[TerritoryId(card)] for card in cards if card not in board.jokers]
