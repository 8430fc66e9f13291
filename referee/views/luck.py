"""Are the dice rigged? What each player's dice did, over one game or many, with p-values.

From game files alone: each holds what all battles of its game have cost so far. People are told apart by their keys:
who plays in several games under several names is one person. Numbers are exact integers.
"""

from collections.abc import Sequence
from operator import add
from typing import Any

from referee.documents.gamefile import Game
from referee.game.probability import ONE, at_least_one, p_of_faces, p_of_losses
from referee.game.records import NamedTuple
from referee.game.state import Luck
from referee.views.standings import decimal, p_text, signed, tenths
from referee.views.text import printable, table, wrapped

UNLIKELY = ONE // 1000
"""What is marked: one p-value in a thousand is as small with fair dice."""


class Dice(NamedTuple):
    """The dice of one person: in a game, or in all of them under all his names."""

    name: str
    luck: Luck

    @property
    def faces(self) -> int:
        """The p-value of the faces."""
        return p_of_faces(self.luck.faces)

    @property
    def battles(self) -> int:
        """The p-value of what the battles cost."""
        return p_of_losses(self.luck.given, self.luck.expected_given, self.luck.variance_given)

    @property
    def is_unlikely(self) -> bool:
        """Say whether one of the two is hardly chance."""
        return min(self.faces, self.battles) < UNLIKELY


def in_game(game: Game) -> list[Dice]:
    """Return the dice of every player of a game, in seat order."""
    return [Dice(player, luck) for player, luck in game.state.luck.items()]


def over_games(games: Sequence[Game], fewest: int = 1) -> list[Dice]:
    """Return the dice of every person over all games, by key, in the order of the first name.

    Who was in fewer games than `fewest` is left out.
    """
    names: dict[str, list[str]] = {}
    luck: dict[str, Luck] = {}
    number: dict[str, int] = {}
    for game in games:
        for player, one in game.state.luck.items():
            key = game.people[player].key
            names.setdefault(key, [])
            number[key] = number.get(key, 0) + 1
            if player not in names[key]:
                names[key].append(player)
            luck[key] = _sum(luck[key], one) if key in luck else one
    found = [Dice(" = ".join(names[key]), luck[key]) for key in names if number[key] >= fewest]
    return sorted(found, key=lambda dice: dice.name)


def all_dice(games: Sequence[Game]) -> Dice:
    """Return all dice of all players together; of the battles nothing, since what one wins the other loses."""
    faces = [0] * 6
    rolls = 0
    for game in games:
        for luck in game.state.luck.values():
            faces = list(map(add, faces, luck.faces))
            rolls += luck.rolls
    return Dice("all dice", Luck(rolls, tuple(faces)))


def _sum(one: Luck, other: Luck) -> Luck:
    faces = tuple(map(add, one.faces, other.faces))
    rest = map(add, one[2:], other[2:])
    return Luck(one.rolls + other.rolls, faces, *rest)


# --- as text -----------------------------------------------------------------------------------


def luck_shown(games: Sequence[Game]) -> list[str]:
    """Return the tables of all games, and of everybody who was in several over all of them."""
    lines: list[str] = []
    rows = [in_game(game) for game in games]
    for game, dice in zip(games, rows, strict=True):
        lines += [f"{game.name}, up to turn {game.turn}", *_table(dice), ""]
    several = over_games(games, fewest=2)
    if several:
        rows.append(several)
        lines += [f"all {len(games)} games, by key, of whoever was in several", *_table(several), ""]
    together = all_dice(games)
    lines += wrapped(f"all {sum(together.luck.faces)} dice: {_faces(together.luck)}, p {p_text(together.faces)}")
    values = [value for row in rows for one in row if one.luck.rolls for value in (one.faces, one.battles)]
    return [*lines, "", *_meaning([*values, *([together.faces] if together.luck.rolls else [])])]


def _table(dice: Sequence[Dice]) -> list[str]:
    rows = [("player", "dice", "p", "rolls", "beaten", "luck", "p")]
    for one in dice:
        luck = one.luck
        mean = tenths(luck.expected_given)
        rows.append(
            (
                printable(one.name)[:20] + (" *" if one.is_unlikely else ""), str(sum(luck.faces)),
                p_text(one.faces), str(luck.rolls), f"{luck.given} ({decimal(mean)})", signed(10 * luck.given - mean),
                p_text(one.battles),
            )
        )  # fmt: skip
    odd = [one for one in dice if one.is_unlikely]
    return [*table(rows), *(f"  * {printable(one.name)[:20]}: faces {_faces(one.luck)}" for one in odd)]


def _faces(luck: Luck) -> str:
    return " ".join(map(str, luck.faces))


def _meaning(values: Sequence[int]) -> list[str]:
    """Say what the numbers mean, and what so many p-values are worth."""
    smallest = min(values, default=ONE)
    text = (
        "p: the chance that fair dice are at least so odd, for the six faces (chi-square) and for armies beaten against"
        " their mean, in brackets. luck: armies beaten more than that."
    )
    lines = wrapped(text)
    if values:
        at_least = at_least_one(smallest, len(values))
        verdict = "nothing here is odd" if at_least > ONE // 100 else "that is odd: `referee verify` checks each die"
        lines += wrapped(
            f"The smallest of {len(values)} p-values is {p_text(smallest)}; with fair dice one so small among so many"
            f" comes with a chance of about {p_text(at_least)}: {verdict}."
        )
    return lines


# --- for programs --------------------------------------------------------------------------------


def luck_tree(games: Sequence[Game]) -> dict[str, Any]:
    """Return the same as a tree."""
    return {
        "games": [
            {"game": game.name, "turn": game.turn, "players": [_tree(one) for one in in_game(game)]} for game in games
        ],
        "people": [_tree(one) for one in over_games(games)],
        "all_dice": {"faces": list(all_dice(games).luck.faces), "p": p_text(all_dice(games).faces)},
    }


def _tree(one: Dice) -> dict[str, Any]:
    luck = one.luck
    return {
        "player": one.name,
        "faces": list(luck.faces),
        "p_faces": p_text(one.faces),
        "rolls": luck.rolls,
        "given": luck.given,
        "taken": luck.taken,
        "expected_given_7776ths": luck.expected_given,
        "p_battles": p_text(one.battles),
    }
