"""The players that tests let play: their orders are legal, the same each time, and lead to an end."""

from collections import Counter
from random import Random

import pytest
from support.planner import BOLD, STYLES, Style, plan, random_orders, set_up
from support.table import Table

from referee.documents.eventtables import KIND_OF
from referee.documents.orders import read_orders
from referee.game.legality import findings, hand_of
from referee.game.orders import Orders
from referee.game.state import SET_UP


def played(
    edition: str, variant: str, players: int, seed: int, turns: int, styles: tuple[Style, ...] = STYLES
) -> tuple[Table, Counter[str]]:
    """Play a whole game and count what happened in it."""
    table, happened = Table(edition, variant, players, seed), Counter[str]()
    for _ in range(turns):
        state = table.file.game.state
        if state.phase == "over":
            break
        documents = []
        for player in state.acting:
            if state.phase in SET_UP:
                body = set_up(state, player, seed)
            else:
                hand = table.hand(player)
                style = styles[state.players[player].seat % len(styles)]
                body = plan(state, player, list(hand.cards.values()), hand.mission, seed, style)
            documents.append(table.orders(player, body))
        made = table.play(documents, reads=False)
        for event in made.game.events:
            happened[KIND_OF[type(event)]] += 1
            happened[getattr(event, "reason", "no reason")] += 1
    return table, happened


@pytest.mark.parametrize(
    ("edition", "variant", "players", "turns"),
    [
        ("no", "mission", 3, 60),
        ("de", "mission", 3, 60),
        ("no", "mission", 6, 120),
        ("no", "world+rising", 3, 150),
        ("no", "capitals", 3, 60),
        ("no", "capitals", 6, 150),
        ("da", "hq", 3, 150),
        ("da", "hq_short", 5, 150),
        ("sv", "dealt", 2, 150),
        ("da", "mission", 3, 90),
        ("da", "classic", 3, 150),
        ("no", "two", 2, 150),
        ("da", "two", 2, 200),
        ("sv", "connected", 2, 150),
        ("de", "world", 3, 150),
    ],
)
def test_planned_games_end(edition: str, variant: str, players: int, turns: int) -> None:
    for seed in range(1, 5):
        table, _ = played(edition, variant, players, seed, turns)
        assert table.file.game.state.phase == "over", seed


def test_much_happens_in_a_planned_game() -> None:
    happened = Counter[str]()
    for seed in range(1, 5):
        happened += played("no", "mission", 3, seed, 60)[1]
    wanted = (
        "set_traded", "attack_stopped", "attack_skipped", "condition", "min-odds", "max-rolls", "not-yours",
        "player_eliminated", "armies_fortified", "fortify_skipped", "mission_completed", "note_given",
    )  # fmt: skip
    assert [kind for kind in wanted if not happened[kind]] == []


def test_the_same_game_is_played_again() -> None:
    one, _ = played("de", "mission", 3, 7, 12, (BOLD,))
    other, _ = played("de", "mission", 3, 7, 12, (BOLD,))
    assert one.file.text == other.file.text
    assert one.file.text != played("de", "mission", 3, 8, 12, (BOLD,))[0].file.text


def test_random_orders_are_legal_and_use_every_key() -> None:
    used: set[str] = set()
    for edition, variant in (("no", "world+rising"), ("de", "world")):
        state = played(edition, variant, 3, 1, 25)[0].file.game.state
        player = state.acting[0]
        # A hand from the pile, taken as open cards: what is traded does not matter here.
        hand = list(state.board.cards[1::8])
        state = state._replace(hands={**state.hands, player: tuple(hand)})
        rng = Random(1)
        for _ in range(150):
            tree = random_orders(state, player, hand, rng)
            orders = read_orders(tree, state.board, state.players, player)
            assert isinstance(orders, Orders), orders
            assert findings(orders, state, hand_of(state, player, {})) == []
            used |= set(tree)
            for key in ("trade", "attack", "windfall", "fortify"):
                used |= {f"{key}.{inner}" for entry in tree.get(key, []) for inner in entry}
    attack = (
        "from", "to", "path", "armies", "dice", "stop_at", "max_rolls", "max_losses", "min_odds", "advance",
        "if", "unless",
    )  # fmt: skip
    assert used >= {f"attack.{key}" for key in attack}
    assert used >= {"trade.cards", "trade.bonus", "place", "note", "fortify.armies", "fortify.if"}
    assert used >= {f"windfall.{key}" for key in ("player", "trade", "place", "if", "unless")}
