"""Drafts, and what is understood, in random games: every draft is sound, and every legal order is put into words."""

import re
import tomllib
from collections.abc import Iterator
from random import Random

import pytest
from support.planner import random_orders, set_up
from support.table import Table, key_of

from referee.documents.checking import Looked, look
from referee.documents.gamefile import GameFile
from referee.documents.hand import OwnHand
from referee.documents.layout import COLUMNS
from referee.documents.orders import read_orders
from referee.documents.signer import signed_text
from referee.documents.signing import Document, read
from referee.errors import IllegalOrders, UnreadableDocument
from referee.game.board import CardId
from referee.game.legality import Hand, hand_of, must_trade
from referee.game.orders import NEUTRAL, Orders, PlayerId
from referee.game.rules import FIXED_VALUES, Settings
from referee.game.state import SET_UP
from referee.views.draft import draft
from referee.views.show import hand_shown, shown
from referee.views.standing_draft import standing_draft
from referee.views.text import WIDTH, width_of
from referee.views.understood import understood
from referee.views.voice import voice_of

GAMES = (
    ("no", "mission", 3),
    ("no", "world", 4),
    ("no", "capitals", 4),
    ("da", "hq", 3),
    ("da", "classic", 4),
    ("no", "two", 2),
    ("no", "world+rising", 6),
    ("sv", "dealt", 3),
    ("de", "mission", 5),
    ("de", "world", 3),
)
TURNS = 30
EXAMPLE = re.compile(r"(?m)(?:^# \[\[(?:attack|windfall|fortify)\]\].*\n(?:^# (?:[a-z_]+ = |    |\]).*\n)+)")


class Moment:
    """A game file, who is awaited, and what he sees."""

    def __init__(self, table: Table, player: PlayerId) -> None:
        self.table = table
        self.file: GameFile = table.file
        self.player = player
        self.hand = table.hand(player)

    def orders(self, rng: Random) -> Document:
        """Return random signed orders for this moment."""
        self.table.file = self.file
        hand = list(self.hand.cards.values())
        return self.table.orders(self.player, random_orders(self.file.game.state, self.player, hand, rng))

    def read(self, text: str) -> Document:
        """Read a document."""
        return read(text.encode(), "draft.toml")


@pytest.fixture(scope="module")
def moments() -> list[Moment]:
    """Moments of random games."""
    return [moment for game in GAMES for moment in _moments(*game)]


def _moments(edition: str, variant: str, players: int) -> Iterator[Moment]:
    rng = Random(f"{edition}/{variant}")
    table = Table(edition, variant, players, 2, Settings(missed="standing"))
    while table.file.game.state.phase != "over" and table.file.game.turn <= TURNS:
        state, documents = table.file.game.state, []
        for player in state.acting:
            yield Moment(table, player)
            if state.phase in SET_UP:
                documents.append(table.orders(player, set_up(state, player, 1)))
            else:
                cards = list(table.hand(player).cards.values())
                hand = cards if len(cards) >= 5 else []  # kept until they must be traded
                documents.append(table.orders(player, random_orders(state, player, hand, rng)))
        table.play(documents)


def drafts(moment: Moment) -> Iterator[str]:
    """Yield every draft of a moment."""
    yield draft(moment.file, moment.player)
    yield draft(moment.file, moment.player, moment.hand)
    yield draft(moment.file, moment.player, moment.hand, fill=True)
    yield standing_draft(moment.file, moment.player)


def test_a_draft_survives_mail_and_reads_as_it_stands(moments: list[Moment]) -> None:
    for moment in moments:
        for text in drafts(moment):
            assert max(map(len, text.split("\n"))) <= COLUMNS
            assert text.isascii()
            assert moment.read(text).tree["player"] == moment.player


def test_a_draft_that_is_filled_is_legal_and_can_be_signed(moments: list[Moment]) -> None:
    for moment in moments:
        text = draft(moment.file, moment.player, moment.hand, fill=True)
        looked = look(moment.read(text), moment.file, key_of(moment.player))
        assert looked.unchecked == ()
        lines = signed_text(moment.read(text), key_of(moment.player), bytes(16)).split("\n")
        assert max(map(len, lines)) <= COLUMNS


def test_a_draft_that_is_not_filled_lacks_only_the_armies_the_capital_or_the_ranking(moments: list[Moment]) -> None:
    for moment in moments:
        text = draft(moment.file, moment.player, moment.hand)
        with pytest.raises((IllegalOrders, UnreadableDocument)) as refused:
            look(moment.read(text), moment.file, key_of(moment.player))
        state = moment.file.game.state
        lacks = ["orders-missing" if state.phase in ("claim", "capital") else "wrong-total"]
        if state.phase == "deploy" and state.rules.neutral_army != "none":
            lacks.append("wrong-neutral-total")
        assert [problem.code for problem in refused.value.problems] == lacks


def test_a_draft_without_the_hand_shows_no_card(moments: list[Moment]) -> None:
    for moment in moments:
        text = draft(moment.file, moment.player)
        cards = text[text.find("---- Cards") : text.find("---- Placing")]
        assert not set(moment.hand.cards.values()) & set(re.findall(r"[a-z_0-9-]+", cards))


def test_a_forced_trade_stands_in_the_draft_of_one_who_knows_the_hand(moments: list[Moment]) -> None:
    forced = 0
    for moment in moments:
        state = moment.file.game.state
        must = state.phase == "turn" and must_trade(len(moment.hand.cards), False, state.rules)
        tree = tomllib.loads(draft(moment.file, moment.player, moment.hand))
        assert ("trade" in tree) == must
        forced += must
    assert forced


def test_the_examples_of_a_draft_are_legal_once_they_are_uncommented(moments: list[Moment]) -> None:
    for moment in moments:
        text = draft(moment.file, moment.player, moment.hand, fill=True)
        for block in EXAMPLE.findall(text):
            lines = "".join(line[2:] + "\n" for line in block.rstrip("\n").split("\n"))
            look(moment.read(text + lines), moment.file, key_of(moment.player))


def test_a_draft_of_standing_orders_is_legal_as_it_stands_and_uncommented(moments: list[Moment]) -> None:
    for moment in moments:
        text = standing_draft(moment.file, moment.player)
        look(moment.read(text), moment.file)
        start = text.index("# ----") if "# ----" in text else len(text)
        whole = re.sub(r"^# (?=\[|[a-z]+ =)", "", text[start:], flags=re.M)
        looked = look(moment.read(text[:start] + whole), moment.file)
        assert understood(looked, moment.file.game.state)


def test_every_legal_order_is_put_into_words(moments: list[Moment]) -> None:
    rng = Random(7)
    for moment in moments:
        state = moment.file.game.state
        if state.phase != "turn":
            continue
        for _ in range(3):
            document = moment.orders(rng)
            lines = understood(look(document, moment.file), state)
            entries = [line for line in lines if line.startswith("attack")]
            assert len(entries) == max(1, len(document.tree.get("attack", ())))
            assert not any(re.search(r"[{}]|None|\(\)|  $", line) for line in lines if not line.startswith("  "))


@pytest.mark.parametrize("named", [{"from": "alaska"}, {"to": "alaska"}, {}], ids=str)
def test_an_attack_that_names_but_one_of_two_is_put_into_words(moments: list[Moment], named: dict[str, str]) -> None:
    moment = next(one for one in moments if one.file.game.state.rules.unnamed_attack_penalty)
    state = moment.file.game.state
    body = read_orders({"attack": [named]}, state.board, state.players, moment.player)
    assert isinstance(body, Orders)
    looked = Looked("", moment.player, 1, True, body, Hand((), 0))
    (line,) = [line for line in understood(looked, state) if line.startswith("attack")]
    assert "nothing, as `from` and `to` are not both named: it costs 3 armies" in line


def test_what_is_shown_is_no_wider_than_a_report(moments: list[Moment]) -> None:
    for moment in moments:
        for language in ("en", "nb"):
            voice = voice_of(moment.file.game, language)
            lines = [*shown(moment.file, voice), *hand_shown(moment.file, moment.hand, voice)]
            assert max(map(width_of, lines)) <= WIDTH


def test_a_hand_that_is_not_known_is_said_to_be_unchecked(moments: list[Moment]) -> None:
    said = 0
    for moment in moments:
        state = moment.file.game.state
        if state.phase == "turn" and must_trade(len(moment.hand.cards), False, state.rules):
            text = draft(moment.file, moment.player, moment.hand, fill=True)
            looked: Looked = look(moment.read(text), moment.file)
            is_open = hand_of(state, moment.player, {}).is_open
            assert looked.unchecked == (() if is_open else ("hand",))
            said += 1
    assert said


def test_the_first_forced_set_with_own_land_has_the_bonus_of_the_turn(moments: list[Moment]) -> None:
    moment = next(one for one in moments if one.file.game.state.phase == "turn")
    file, player = moment.file, moment.player
    state = file.game.state
    own, symbols = state.territories_of(player), state.board.symbols
    low, high = sorted(set(symbols.values()), key=lambda symbol: FIXED_VALUES[symbol])[:2]
    mine = [CardId(land) for land in symbols if symbols[land] == low][:5]
    others = [CardId(land) for land in symbols if symbols[land] == high and land not in own][:3]
    owners = {
        land: NEUTRAL if land in others else player if land in mine else owner for land, owner in state.owners.items()
    }
    rules = state.rules._replace(
        territory_bonus="once_per_turn", forced_trade_down="below_limit", set_values="fixed_by_symbol"
    )
    hand = {card: card for card in (*mine, *others)}
    state = state._replace(owners=owners, rules=rules, hands={**state.hands, player: tuple(hand)})
    file = file._replace(game=file.game._replace(state=state))
    tree = tomllib.loads(draft(file, player, OwnHand(player, hand, ""), fill=True))
    assert [set(trade["cards"]) <= set(others) for trade in tree["trade"]] == [True, False]
    assert ["bonus" in trade for trade in tree["trade"]] == [False, True]
