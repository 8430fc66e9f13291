"""The turn as a step function: events, rolls and questions, one after the other.

    step(position) -> Happened(events, position) | Roll(...) | Ask(question) | Done(state)

Nothing here rolls or looks at a hidden card. Whoever drives the turn answers a `Roll` with `rolled` and an `Ask` with
`answered`; `play` does that with functions. Order of things (DESIGN section 4): trades, income, placing, victory; for
each attack losses, advance, sweep of a capital, elimination and cards, victory, windfall trade, placing, victory, next
roll; at the end card, fortify, victory, resignations and the like, next living player, victory of the next player.

Rules: R-TURN-01 to R-TURN-06, R-CARD-07 to R-CARD-14, R-ATT-01 to R-ATT-20, R-FORT-01 to R-FORT-05, Q-15, Q-16, Q-20 to
Q-24, P-03 to P-08, P-12, P-14.
"""

from collections.abc import Callable

from referee.game import events as e
from referee.game.attacking import attack, conquered, fought, roll, won
from referee.game.ending import card, changes, done, drawn, fortify, mission, new_pile, next_turn, victory
from referee.game.position import Answer, Ask, Dice, Done, Happened, Held, Position, Question, Stage, Step
from referee.game.reinforcing import absent_set, income, neutral, note, trade, traded
from referee.game.state import State
from referee.game.windfall import windfall, windfall_set


def step(position: Position) -> Step:
    """Do the next thing of a turn."""
    return _STAGES[position.stage](position)


def play(
    position: Position,
    dice: Dice,
    answer: Callable[[Question, int], Answer],
) -> tuple[list[e.Event], State]:
    """Drive a turn to its end.

    `dice(battle, roll, attack, defence)` returns both sides' dice in the order thrown; `answer(question, so_far)`
    gets the number of events before the question.
    """
    happened: list[e.Event] = []
    while True:
        move = fought(position, dice) if position.stage == "roll" else step(position)
        if isinstance(move, Ask):
            move = answered(position, answer(move.question, len(happened)))
        elif isinstance(move, Done):
            return happened, move.state
        assert isinstance(move, Happened)
        happened += move.events
        position = move.position


def answered(position: Position, answer: Answer) -> Happened:
    """Go on from an `Ask` with the answer to its question."""
    match position.stage:
        case "trade" if position.orders.absence is not None:
            assert isinstance(answer, Held) or answer is None
            return absent_set(position, answer)
        case "trade":
            assert isinstance(answer, tuple)
            assert not isinstance(answer, Held)
            return traded(position, Held(position.orders.trades[position.entry].cards, answer))
        case "windfall":
            assert isinstance(answer, Held) or answer is None
            return windfall_set(position, answer)
        case "victory":
            assert isinstance(answer, str) or answer is None
            return mission(position, answer)
        case "card" if position.state.openly:
            assert isinstance(answer, str)
            return drawn(position, answer)
        case "card":
            return new_pile(position)
        case "won":
            assert isinstance(answer, str) or answer is None
            return conquered(position, answer is not None)
        case _:
            raise AssertionError(f"nothing was asked in {position.stage}")


_STAGES: dict[Stage, Callable[[Position], Step]] = {
    "note": note,
    "trade": trade,
    "income": income,
    "neutral": neutral,
    "attack": attack,
    "roll": roll,
    "won": won,
    "windfall": windfall,
    "card": card,
    "fortify": fortify,
    "changes": changes,
    "next": next_turn,
    "victory": victory,
    "done": done,
}
