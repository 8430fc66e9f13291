"""Drafts of standing orders: those in force now, and what else could be said (DESIGN section 4)."""

from collections.abc import Mapping
from typing import Any

from referee.documents.gamefile import GameFile
from referee.documents.intake import STANDING
from referee.documents.layout import key_text
from referee.game.orders import PlayerId
from referee.game.state import State
from referee.views.comments import comment, example, lines_of, section, text_of
from referee.views.text import TOGETHER


def standing_draft(before: GameFile, player: PlayerId) -> str:
    """Return a standing-orders file to fill in, with those that are in force now."""
    game, state = before.game, before.game.state
    now = state.standing.get(player)
    head: dict[str, Any] = {
        "format": STANDING,
        "game": game.name,
        "nonce": game.nonce,
        "player": player,
        "sequence": now.sequence + 1 if now else 1,
    }
    text = (
        f"Standing orders of {player} in the game {game.name}. They hold from the turn after the one that they arrive"
        " for until replaced, all of them together. What comes after a"
        f"{TOGETHER}# is not read: take it away before the lines that you want."
    )
    plain, tables = _in_force(before, player)
    return text_of(
        [
            *comment(text),
            *lines_of(head),
            '# note = "A line for all to read in the report."',
            *_neutral_plan(state, player, plain),
            *_defence(state, player, tables),
            *_absence(state, player, tables),
        ]
    )


def _in_force(before: GameFile, player: PlayerId) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the plain values and the tables of the standing orders in force."""
    tree = before.game.standing.get(player, {})
    tables = {key: value for key, value in tree.items() if key in ("defend", "missed")}
    return {key: value for key, value in tree.items() if key == "neutral"}, tables


def _neutral_plan(state: State, player: PlayerId, plain: Mapping[str, Any]) -> list[str]:
    if state.rules.neutral_army != "n28_reinforced" and not plain:
        return []
    other = next((p for p in state.playing() if p != player), player)
    text = (
        f"When {other} gets armies, the neutral army gets half as many, and you say where: even, one at a time on the"
        f" weakest next to {other}, if you say nothing."
    )
    return [
        *section("Where neutral armies go"),
        *comment(text),
        *(lines_of(plain) if plain else example('neutral = "even"')),
        *comment('or a list, the first that is neutral: ["peru", "brazil"]'),
        *comment(f'or beside a player: {{ border = "{other}" }}'),
    ]


def _defence(state: State, player: PlayerId, tables: Mapping[str, Any]) -> list[str]:
    if "defend" not in tables and state.rules.defence_dice != "defender_chooses":
        return []
    neutral = " Territories of the neutral army are yours to defend, too." if state.rules.neutral_army != "none" else ""
    text = f"How many dice to roll at most, 1 or 2; else as many as may be.{neutral}"
    lines = [*section("Defence"), *comment(text)]
    if "defend" in tables:
        return [*lines, "[defend]", *lines_of(tables["defend"])]
    own = state.territories_of(player)
    some = own[0] if own else "alaska"
    return [*lines, *example("[defend]", "dice = 2", f"{key_text(some)} = 1")]


def _absence(state: State, player: PlayerId, tables: Mapping[str, Any]) -> list[str]:
    if "missed" not in tables and state.settings.missed != "standing":
        return []
    what = (
        "All armies go to the first that is yours. Attacks, windfalls and final moves are as in orders; an attack is"
        " made only if the player after you adds his reveal."
    )
    lines = [*section("If a turn is missed"), *comment(what)]
    if "missed" in tables:
        return [*lines, *lines_of({"missed": tables["missed"]})[1:]]
    own = state.territories_of(player)
    place = ", ".join(f'"{t}"' for t in own[:1])
    return [
        *lines,
        *example("[missed]", 'trade = "forced"    # or "best"', f"place = [{place}]"),
        *_plan(state, player),
    ]


def _plan(state: State, player: PlayerId) -> list[str]:
    """Write an attack that is possible now, as an example."""
    links = ((t, n) for t in state.territories_of(player) for n in state.board.neighbours[t])
    link = next(((t, n) for t, n in links if state.owners[n] not in (player, "")), None)
    if link is None:
        return []
    return ["#", *example("[[missed.attack]]", f'from = "{link[0]}"', f'to = "{link[1]}"')]
