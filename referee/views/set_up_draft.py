"""Drafts of the set-up: a ranking of territories, the first armies, own and neutral, a capital (DESIGN 4 and 8).

The ranking is a proposal: small continents with few borders first. It decides no rule.
"""

from collections.abc import Iterator

from referee.documents.intake import secret_keys
from referee.game.absence import neutral_plan, shared_placement
from referee.game.board import Board, Continent, TerritoryId
from referee.game.claiming import claiming_order
from referee.game.deploying import due_now, neutral_due
from referee.game.orders import NEUTRAL, PlayerId
from referee.game.state import State
from referee.views.comments import comment, item, section
from referee.views.lands import lands, strength
from referee.views.text import TOGETHER


def set_up_lines(state: State, player: PlayerId, fill: bool, opening: tuple[str, str] | None = None) -> list[str]:
    """Return what stands below the head in a draft of the phase that is awaited."""
    if state.phase == "claim":
        return _claim(state, player, fill)
    if state.phase == "capital" and state.capitals:
        return _opened(opening)
    if state.phase == "capital":
        return _capital(state, player, fill)
    return _deployment(state, player, fill)


# --- claiming ------------------------------------------------------------------------------------


def _claim(state: State, player: PlayerId, fill: bool) -> list[str]:
    order, board = claiming_order(state), state.board
    number = len(range(order.index(player), len(board.territories), len(order)))
    text = (
        f"Territories are claimed one at a time, round and round: {', '.join(order)}. Each time it is your turn you get"
        f" the first of your list that is still free, {number} in all; when none of it is left, the first free one in"
        f" the order of the alphabet. {_sealed(state)}"
    )
    proposal = (
        "This is a proposal: small continents with few borders first. Put the lines in your order; leave out what you"
        " do not want."
    )
    return [*section("Ranking"), *comment(text), *comment(proposal), *_ranking(board, fill)]


def _ranking(board: Board, fill: bool) -> Iterator[str]:
    """List all territories, by continents, with the borders of each to other continents; as comments without `fill`."""
    out, begin = ("", "    ") if fill else ("# ", "#   ")
    yield f"{out}claim = ["
    for continent in sorted(board.continents.values(), key=lambda c: (len(_gates(board, c)), len(c.territories))):
        yield from comment(f"{continent.id}, +{continent.bonus}", f"{begin}# ", f"{begin}# ")
        gates = _gates(board, continent)
        for territory in (*gates, *(t for t in continent.territories if t not in gates)):
            entry = f'{begin}"{territory}",'
            beyond = [t for t in board.neighbours[territory] if t not in continent.territories]
            lines = comment(f"to {', '.join(beyond)}", f"{entry:<29}# ", f"{out:<29}# ") if beyond else [entry]
            yield from lines
    yield f"{out}]"


def _gates(board: Board, continent: Continent) -> tuple[TerritoryId, ...]:
    """Return the territories of a continent that border on others, in the order of the board."""
    inside = set(continent.territories)
    return tuple(t for t in continent.territories if not inside.issuperset(board.neighbours[t]))


# --- the first armies ----------------------------------------------------------------------------


def _deployment(state: State, player: PlayerId, fill: bool) -> list[str]:
    due, left = due_now(state, player), state.players[player].to_place
    later = f", of {left} that are left" if left > due else ""
    text = (
        f"Armies to place now: {due}{later}. Each of your territories has its first army already; count only what is"
        f" added. {_sealed(state)}"
    )
    return [
        *section("First armies"),
        *comment(text),
        "[deploy]",
        *lands(state, player, shared_placement(state, player, due) if fill else ()),
        *_neutral(state, player, neutral_due(state, player, due), fill),
    ]


def _sealed(state: State) -> str:
    """Say who can read the orders before they are carried out."""
    if secret_keys(state):
        return f"`referee{TOGETHER}sign` seals this to the host: he alone can read it before all have sent theirs."
    if state.phase == "claim":
        return "Lists come one after the other, and all can read them; when the last is there all are carried out."
    return "Players place one after the other, and all can read where."


def _neutral(state: State, player: PlayerId, due: int, fill: bool) -> list[str]:
    """List the neutral territories, if armies of the neutral army are placed with the player's own."""
    if not due:
        return []
    place = neutral_plan(state, player, state.after(player), due)[0] if fill else ()
    text = f"Armies of the neutral army that you place with them: {due}, on neutral territories."
    return [*section("The neutral army"), *comment(text), "[neutral]", *lands(state, NEUTRAL, place)]


# --- capitals ------------------------------------------------------------------------------------

_SECRET = (
    "It is secret until it is taken from you or the game is over. Whoever takes it gets all your cards, and with one"
    " army each all your other territories on its continent."
    f" `referee{TOGETHER}sign` seals it to the host. Keep this file: what is sealed only he can open."
)
_COMMITTED = (
    f"`referee{TOGETHER}sign` hides it behind a commitment; when all have committed themselves, each opens his own."
    " Losing it costs nothing else. Keep this file until then."
)
_REVEALED = (
    f"`referee{TOGETHER}sign` seals it to the host; when all have chosen, all capitals are shown. Losing it costs"
    " nothing else."
)


def _opened(opening: tuple[str, str] | None) -> list[str]:
    """Return the lines that open a capital to which all are committed now."""
    text = "All have committed themselves. Open yours: name it as you did then, with the salt of your commitment."
    capital, salt = opening or ("", "")
    lines = [f'capital = "{capital}"', f'opening = "{salt}"']
    if opening is None:
        text += f" `referee{TOGETHER}draft --key` finds both."
        lines = [f"# {line}" for line in lines]
    return [*section("Capital"), *comment(text), *lines]


def _told(state: State) -> str:
    """Say who will know a capital, and when."""
    if state.openly:
        return _COMMITTED
    return _SECRET if state.rules.capitals == "secret_sweep" else _REVEALED


def _capital(state: State, player: PlayerId, fill: bool) -> list[str]:
    from referee.game.capitals import largest_stack
    from referee.game.rules import capitals_needed

    proposed = f'capital = "{largest_stack(state, player)}"'
    needed = capitals_needed(state.rules, len(state.players))
    text = (
        f"Choose one of your territories as your capital. {needed} capitals win, your own among them; if it is taken"
        f" from you, you may win it back. {_told(state)}"
    )
    lines = [*section("Capital"), *comment(text), proposed if fill else f"# {proposed}"]
    for continent in state.board.continents.values():
        own = [t for t in continent.territories if state.owners[t] == player]
        if own:
            size = len(continent.territories)
            lines += comment(f"{continent.id}: yours are {len(own)} of {size}", "# ")
        for territory in own:
            lines += item(f"{territory}: {strength(state, player, territory)}")
    return lines
