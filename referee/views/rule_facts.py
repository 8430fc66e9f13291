"""The numbers and names in the rules of a game, from the constants of the rules and from the board.

What hangs on the number of players is written for each number that the game can have.
"""

from collections.abc import Callable

from referee.documents.acts import FEWEST
from referee.game.missions import missions_in_play
from referee.game.rules import (
    BONUS_ARMIES,
    CARDS_IN_SET,
    FIXED_VALUES,
    FORCED_TRADE_FROM,
    INITIAL_ARMIES,
    MINIMUM_REINFORCEMENT,
    MOST_ATTACKERS,
    MOST_DEFENDERS,
    NEUTRAL_ARMIES,
    ONE_OF_EACH_VALUE,
    RISING_SCALE,
    RISING_STEP,
    TERRITORIES_PER_ARMY,
    WINDFALL_TRADE_DOWN_TO,
    WINDFALL_TRADE_FROM,
    capitals_needed,
)
from referee.views.language import Facts
from referee.views.statements import Sentences
from referee.views.terms import Terms
from referee.views.voice import BoardVoice


def facts_of(terms: Terms, voice: BoardVoice, say: Sentences) -> Facts:
    """Return everything that a statement may have to say, by the names of its placeholders."""
    fewest, most = terms.players
    board, rules = voice.board, terms.rules
    return {
        "players": fewest if fewest == most else say.word("span", fewest=fewest, most=most),
        "armies": _by_players(terms, say, INITIAL_ARMIES.__getitem__),
        "capitals": _by_players(terms, say, lambda players: capitals_needed(rules, players)),
        "territories": len(board.territories),
        "jokers": len(board.jokers),
        "all_missions": len(missions_in_play(board, board.colours)),
        "fallback": voice.mission(board.fallback),
        "continents": ", ".join(f"{voice.name(one.id)} {one.bonus}" for one in board.continents.values()),
        "per_army": TERRITORIES_PER_ARMY,
        "minimum": MINIMUM_REINFORCEMENT,
        "set": CARDS_IN_SET,
        "forced": FORCED_TRADE_FROM,
        "windfall_from": WINDFALL_TRADE_FROM,
        "windfall_down": WINDFALL_TRADE_DOWN_TO,
        "bonus": BONUS_ARMIES,
        "one_of_each": ONE_OF_EACH_VALUE,
        "first_value": RISING_SCALE[0],
        "next_values": ", ".join(map(str, RISING_SCALE[1:])),
        "step": RISING_STEP,
        "attackers": MOST_ATTACKERS,
        "defenders": MOST_DEFENDERS,
        "two_from": rules.two_defence_dice_from,
        "penalty": rules.unnamed_attack_penalty,
        "batch": terms.settings.deployment_batch,
        "limit": terms.settings.missed_limit,
        "deciders": FEWEST,
        **FIXED_VALUES,
        **_neutral(terms, len(board.territories)),
    }


def _by_players(terms: Terms, say: Sentences, number_of: Callable[[int], int]) -> str | int:
    """Write a number, or which it is with how many players where they differ."""
    fewest, most = terms.players
    numbers = {players: number_of(players) for players in range(fewest, most + 1)}
    if len(set(numbers.values())) == 1:
        return numbers[fewest]
    parts = [say.word("with_players", number=number, players=players) for players, number in numbers.items()]
    return ", ".join(parts)


def _neutral(terms: Terms, territories: int) -> Facts:
    """Return the numbers of the set-up with a neutral army, which is dealt to as a third seat."""
    dealt = territories // 3
    neutral = NEUTRAL_ARMIES[terms.rules.neutral_army]
    left = max(1, neutral - dealt)
    return {
        "neutral_armies": neutral,
        "dealt": dealt,
        "neutral_each": left // 2,
        "own_per_neutral": 2 * (INITIAL_ARMIES[2] - dealt) // left,
    }
