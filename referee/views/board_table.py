"""The board as a table by continent: who holds what with how many armies.

Two territories a line where they fit, else one. The order is that of the board file.
"""

from collections.abc import Collection

from referee.game.state import State
from referee.views.language import Facts
from referee.views.text import WIDTH, padded, table, width_of, wrapped
from referee.views.voice import Voice

MARK = "*"
Cell = tuple[str, str, str]


def board_table(state: State, voice: Voice, marked: Collection[str] = ()) -> list[str]:
    """Return the lines of the board; the armies of the territories in `marked` have a star behind them."""
    cells = {t: _cell(state, voice, t, t in marked) for t in state.board.territories}
    blocks = [(c, [cells[t] for t in c.territories]) for c in state.board.continents.values()]
    widths = _widths([block for _, block in blocks])
    fits = sum(sum(column) for column in widths) + 2 * len("  ") + 4 <= WIDTH
    most = [max(pair) for pair in zip(*widths, strict=True)]
    lines: list[str] = []
    for continent, block in blocks:
        owners = {state.owners[t] for t in continent.territories}
        facts: Facts = {"continent": voice.name(continent.id), "bonus": continent.bonus}
        if len(owners) == 1 and "" not in owners:
            lines += wrapped(voice.say("continent_held", player=voice.name(*owners), **facts))
        else:
            lines += wrapped(voice.say("continent_open", **facts))
        lines += _two(block, widths) if fits else _one(block, *most)
    return lines


def _cell(state: State, voice: Voice, territory: str, marked: bool) -> Cell:
    owner = state.owners[territory]  # type: ignore[index]
    armies = state.armies[territory]  # type: ignore[index]
    return voice.name(territory), voice.name(owner), f"{armies}{MARK if marked else ' '}"


def _widths(blocks: list[list[Cell]]) -> list[tuple[int, int, int]]:
    """Return the widths of name, owner and armies on the left and on the right."""
    found = []
    for side in (0, 1):
        cells = [cell for block in blocks for cell in block[side::2]] or [("", "", "")]
        found.append(tuple(max(width_of(cell[i]) for cell in cells) for i in range(3)))
    return found  # type: ignore[return-value]


def _two(block: list[Cell], widths: list[tuple[int, int, int]]) -> list[str]:
    lines = []
    for place in range(0, len(block), 2):
        cells = [
            f"{padded(name, a)} {padded(owner, b)} {armies:>{c}}"
            for (name, owner, armies), (a, b, c) in zip(block[place : place + 2], widths, strict=False)
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return lines


def _one(block: list[Cell], name_width: int, owner_width: int, armies_width: int) -> list[str]:
    """One territory a line; where that is too long, name and owner on a line and the armies below."""
    if name_width + owner_width > WIDTH - 20:
        return table([(f"{name}: {owner}", armies) for name, owner, armies in block])
    return table(
        [
            (f"{padded(name, name_width)}  {padded(owner, owner_width)}", f"{armies:>{armies_width}}")
            for name, owner, armies in block
        ]
    )
