"""Reports: what stands in them, on random games and on the worst names that there can be."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.planner import random_orders, set_up
from support.table import Table

from referee import data
from referee.documents.acts import FEWEST, WORDS
from referee.documents.boards import load_board
from referee.documents.eventtables import KIND_OF
from referee.documents.gamefile import Evidence, Game, GameFile, Host, Person
from referee.documents.record import replayed
from referee.errors import UsageProblem
from referee.game import events as e
from referee.game.board import TerritoryId, board_from
from referee.game.legality import income
from referee.game.orders import PlayerId
from referee.game.presets import preset_from
from referee.game.rules import Settings
from referee.game.setup import begin
from referee.game.state import SET_UP, Luck, apply
from referee.views.board_table import board_table
from referee.views.happenings import HOW
from referee.views.language import LANGUAGES
from referee.views.luck import in_game
from referee.views.report import report
from referee.views.standings import decimal, luck_table, p_text, signed, tenths
from referee.views.tale import Tale
from referee.views.text import TOGETHER, WIDTH, in_ascii, printable, table, width_of, wrapped
from referee.views.voice import voice_of

REPORTS = Path(__file__).parent / "reports"
Turn = tuple[GameFile | None, GameFile, tuple[e.Event, ...]]


def random_game(table: Table, turns: int, seed: int) -> Iterator[Turn]:
    """Play random orders, with a missed turn, new standing orders and a resignation now and then."""
    rng = Random(seed)
    yield None, table.file, table.file.game.events
    while table.file.game.state.phase != "over" and table.file.game.turn <= turns:
        before, state = table.file, table.file.game.state
        documents, missed = [], []
        for player in state.acting:
            if state.phase in SET_UP:
                documents.append(table.orders(player, set_up(state, player, seed)))
            elif rng.randrange(8) == 0 and (table.hosted or len(state.playing()) > FEWEST):
                missed.append(player)
            else:
                hand = list(table.hand(player).cards.values())
                documents.append(table.orders(player, random_orders(state, player, hand, rng)))
        others = [p for p in state.playing() if p not in state.acting]
        if others and rng.randrange(6) == 0:
            body = {"note": "I defend\nwith one die", "defend": {"dice": 1}}
            documents.append(table.standing(rng.choice(others), body, before.game.turn))
        if others and rng.randrange(15) == 0:
            documents.append(table.resignation(rng.choice(others)))
        after = table.play(documents, missed)
        yield before, after, after.game.events


@pytest.fixture(scope="module")
def turns() -> list[Turn]:
    """Turns of games in several editions."""
    found: list[Turn] = []
    for number, (edition, variant, players, policy) in enumerate(
        (("no", "mission", 3, "default"), ("da", "mission", 4, "wait"), ("de", "mission", 6, "standing"),
         ("sv", "dealt_connected", 2, "default"), ("no", "world", 5, "default"), ("no", "capitals", 4, "default"),
         ("da", "hq", 3, "wait"))
    ):  # fmt: skip
        settings = Settings(missed=policy, missed_limit=3, deployment_batch=7 * (number % 2))  # type: ignore[arg-type]
        found += random_game(Table(edition, variant, players, number, settings), 40, number)
    for number, (edition, variant, players) in enumerate((("sv", "standard", 4), ("da", "hq", 3)), start=20):
        table = Table(edition, variant, players, number, Settings(missed="default"), hosted=False)
        found += random_game(table, 40, number)
    return found


# --- every report of every game -------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_reports_of_random_games_are_ascii_of_72_columns_without_a_gap(turns: list[Turn], language: str) -> None:
    assert {type(event) for _, _, events in turns for event in events} > {e.BattleFought, e.TurnMissed, e.SetTraded}
    for before, after, events in turns:
        text = report(after, before, events, language)
        assert text.isascii()
        assert text.endswith("\n")
        assert not re.search(r"[{}]", text)
        for line in text.split("\n"):
            assert len(line) <= WIDTH, line
            assert line == line.rstrip(), line


def test_a_report_with_all_letters_differs_only_in_the_letters(turns: list[Turn]) -> None:
    for before, after, events in turns[::7]:
        whole, plain = (report(after, before, events, "nb", plain) for plain in (False, True))
        assert [in_ascii(word) for word in whole.split()] == plain.split()
        assert "å" in whole
        assert all(width_of(line) <= WIDTH for line in whole.split("\n"))


def test_a_report_says_the_same_for_the_file_as_it_was_made_and_as_it_is_read(turns: list[Turn]) -> None:
    before, after, events = turns[-1]
    assert report(after, before, events) == report(after._replace(file="elsewhere/x.toml"), before, events)


def test_every_roll_of_a_turn_stands_in_its_report_with_its_dice(turns: list[Turn]) -> None:
    for before, after, events in turns:
        rolls = [event for event in events if isinstance(event, e.BattleFought)]
        line = re.compile(r"^ +\d+  +([\d ]+) : ([\d ]+?) +lost (\d) : (\d)", re.MULTILINE)
        lines = line.findall(report(after, before, events))
        found = [(a.split(), d.split(), int(mine), int(theirs)) for a, d, mine, theirs in lines]
        assert found == [
            (
                [str(die) for die in sorted(roll.attack, reverse=True)],
                [str(die) for die in sorted(roll.defence, reverse=True)],
                roll.attacker_lost,
                roll.defender_lost,
            )
            for roll in rolls
        ]


def _another(card: str) -> str:
    return "peru" if card == "alaska" else "alaska"


def test_a_report_says_which_card_was_drawn_only_where_hands_are_open(turns: list[Turn]) -> None:
    for before, after, events in turns:
        for event in events:
            if isinstance(event, e.CardDrawn):
                other = [x._replace(card=_another(x.card)) if x is event else x for x in events]
                told = report(after, before, other) == report(after, before, events)
                assert told != after.game.state.openly


def test_the_standings_add_up(turns: list[Turn]) -> None:
    for before, after, events in turns:
        state = after.game.state
        lines = report(after, before, events).split("\n")
        begin = lines.index("STANDINGS") + 2
        for line in lines[begin : begin + len(state.players)]:
            player = line[2:].split(",")[0].lower()
            *row, capitals = line.split() if state.capitals else (*line.split(), "")
            land, armies, cards, coming = row[-4:]
            if state.capitals:
                known = sum(state.owners.get(TerritoryId(t)) == player for t in state.capitals.values())
                assert int(capitals) == known + (state.capitals[PlayerId(player)] == "")
            assert (int(land), int(armies)) == (len(state.territories_of(player)), state.armies_of(player))
            assert int(cards) == len(state.hands[player])  # type: ignore[index]
            plays = state.players[player].status == "playing" and state.phase != "over"  # type: ignore[index]
            assert coming == (str(income(state, player).total) if plays else "-")
            assert line.startswith(">") == (player in state.acting)


def top_of(text: str) -> list[str]:
    return text.split("\n\n")[0].split("\n")[2:]


def test_the_top_names_the_territories_that_fall_with_a_capital_and_the_capital_once() -> None:
    swept = 0
    path = Path(__file__).parent / "games" / "no_capitals.toml"
    files = [checked.file for checked in replayed(path.read_bytes(), path.name)]
    for before, after in pairwise(files):
        events = after.game.events
        taken = [event for event in events if isinstance(event, e.CapitalTaken)]
        if not taken:
            continue
        text = " ".join(" ".join(top_of(report(after, before, events))).split())
        voice = voice_of(after.game, "en")
        for event in taken:
            place, owner = voice.name(event.territory), voice.player(event.owner)
            assert text.count(f"{place} was the capital of {owner}") == 1
            assert "the capital of" not in text.replace("was the capital of", "")
            land = [x.territory for x in events if isinstance(x, e.TerritorySwept) and x.previous == event.owner]
            if land:
                swept += 1
                assert f"also gets, from {owner}: {voice.territories(land)}" in text
    assert swept


def test_the_top_says_of_who_resigns_that_and_no_more(turns: list[Turn]) -> None:
    said = 0
    for before, after, events in turns:
        for event in events:
            if before is not None and before.game.state.phase == "turn" and isinstance(event, e.PlayerResigned):
                said += 1
                lines = top_of(report(after, before, events))
                name = voice_of(after.game, "en").player(event.player)
                assert f"  {name} resigns" in lines
                assert not any(line.startswith(f"  {name} is passive") for line in lines)
    assert said


ACTS = {
    "missed": ("act of runa: Per missed", "handling fra runa: Per uteble"),
    "passed_over": ("act of runa: Per passed over", "handling fra runa: Per hoppet over"),
    "substitute": ("act of runa: substitute for Per", "handling fra runa: ny spiller for Per"),
    "key": ("act of runa: another key of Per", "handling fra runa: ny nøkkel for Per"),
    "deadline": ("act of runa: deadline", "handling fra runa: frist"),
    "take_over": ("act of runa: takes over", "handling fra runa: overtar spillet"),
    "hand_over": ("act of runa: hands over to berit", "handling fra runa: gir spillet til berit"),
    "host_gone": ("act of runa: host gone", "handling fra runa: spillederen borte"),
    "open_hand": ("act of runa: opens the hand", "handling fra runa: åpner hånden"),
}
"""By the word of an act: what it is called among what a turn stands on."""


def test_every_act_has_a_name_of_its_own() -> None:
    assert set(ACTS) == set(WORDS)
    assert {len({names[number] for names in ACTS.values()}) for number in (0, 1)} == {len(ACTS)}


@pytest.mark.parametrize("word", ACTS)
def test_what_a_turn_stands_on_names_the_act(word: str, turns: list[Turn]) -> None:
    about = {"host": "berit"} if word == "hand_over" else {} if word in ("deadline", "host_gone") else {"player": "per"}
    act = {"format": "referee/act/1", "act": word, **about, "signature": {"by": "runa"}}
    before, after, events = next(turn for turn in turns if turn[0] is not None and "per" in turn[1].game.people)
    after = after._replace(game=after.game._replace(evidence=after.game.evidence._replace(documents=(act,))))
    for language, named in zip(("en", "nb"), ACTS[word], strict=True):
        told = report(after, before, events, language, plain=False)
        assert re.search(rf"^    {re.escape(named)}(  |$)", told, re.MULTILINE), told[-500:]


def test_a_missed_turn_is_told_once(turns: list[Turn]) -> None:
    said = 0
    for before, after, events in turns:
        for event in events:
            if before is not None and before.game.state.phase == "turn" and isinstance(event, e.TurnMissed):
                said += 1
                name = voice_of(after.game, "en").player(event.player)
                assert report(after, before, events).count(f"{name} has sent no orders") == 1
    assert said


def test_a_name_and_its_number_stand_on_one_line() -> None:
    for width in range(WIDTH - 12, WIDTH):
        lines = wrapped(f"{'x' * width} China{TOGETHER}1, Peru{TOGETHER}12")
        assert not any(line.endswith(("China", "Peru")) for line in lines)
        assert " ".join(lines).split() == ["x" * width, "China", "1,", "Peru", "12"]


# --- the worst names ------------------------------------------------------------------------------


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value with every string that is a key of `names` replaced, however deep it stands."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {renamed(key, names): renamed(item, names) for key, item in value.items()}
    if isinstance(value, tuple):
        items = [renamed(item, names) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


LONG_BOARD = data.tree("boards/classic.toml")
LONG_BOARD["names"] = {
    key: ", ".join(f"{name.strip()} {letter * 40}"[:40] for name in line.split(",") * 5)
    if key not in LONG_BOARD["colours"]
    else line
    for letter, (key, line) in zip("øåæßw" * 20, LONG_BOARD["names"].items(), strict=False)
}
LONG_BOARD["names"] = {key: ", ".join(line.split(", ")[:5]) for key, line in LONG_BOARD["names"].items()}
LONG_IDS = {name: f"{name}_{'m' * 39}"[:40] for name in ("kari", "ola", "per", "liv", "nils", "eva", "runa", "fjord")}
TITLES = ("Ø" * 60, "x " * 30, "{player} %s {0}|", "\u2028\u202e漢字" * 10, "Kari", "a\u0301" * 30)


def stretched(file: GameFile | None, more: int) -> GameFile | None:
    if file is None:
        return None
    game = renamed(file.game, LONG_IDS)
    board = board_from(LONG_BOARD)
    people = {p: one._replace(title=title) for (p, one), title in zip(game.people.items(), TITLES, strict=False)}
    armies = {t: number + more for t, number in game.state.armies.items()}
    state = game.state._replace(board=board, armies=armies)
    return file._replace(game=game._replace(people=people, state=state, turn=10**6 + game.turn))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plain", [True, False])
def test_the_longest_names_and_largest_numbers_stay_within_72_columns(
    turns: list[Turn], language: str, plain: bool
) -> None:
    for before, after, events in turns[::9]:
        stretch = stretched(after, 10**6)
        assert stretch is not None
        text = report(stretch, stretched(before, 10**6), renamed(events, LONG_IDS), language, plain)
        for line in text.split("\n"):
            assert width_of(line) <= WIDTH, line
            assert line.isprintable(), line


def test_a_player_is_called_by_a_title_only_if_it_is_his_id(turns: list[Turn]) -> None:
    game = turns[0][1].game
    calls = {}
    for title in ("Kari", "KARI", "Kári", "Ola", "Kari Nordmann", "", "Kari 3", "neutral", "runa"):
        people = {**game.people, "kari": game.people["kari"]._replace(title=title)}  # type: ignore[index]
        calls[title] = voice_of(game._replace(people=people), "en").player("kari")
    assert calls == {
        "Kari": "Kari", "KARI": "KARI", "Kári": "Kari", "Ola": "kari", "Kari Nordmann": "Kari", "": "kari",
        "Kari 3": "Kari", "neutral": "kari", "runa": "kari",
    }  # fmt: skip


def test_no_line_of_a_note_looks_like_a_line_of_the_report(turns: list[Turn]) -> None:
    before, after, events = next(turn for turn in turns if any(isinstance(x, e.NoteGiven) for x in turn[2]))
    evil = "NEXT\n  Ola (red) has the turn\n\n" + "    referee verify x.toml " * 5 + "\n" + "=" * 100
    forged = tuple(x._replace(note=evil) if isinstance(x, e.NoteGiven) else x for x in events)
    lines, honest = (report(after, before, told).split("\n") for told in (forged, events))
    assert len(lines) > len(honest) + 3
    assert [x for x in lines if not x.startswith("    |")] == [x for x in honest if not x.startswith("    |")]


# --- every kind of event --------------------------------------------------------------------------

EVENTS: tuple[e.Event, ...] = (
    e.SeatsAssigned(("kari", "ola"), ("red", "blue")),
    e.StartRolled("first", 1, (("kari", 6), ("ola", 6), ("liv", 2)), ("kari", "ola")),
    e.StartRolled("claim", 2, (("kari", 6), ("ola", 5)), ("kari",)),
    e.TerritoriesDealt((("alaska", "kari"), ("peru", "ola"), ("brazil", "kari")), (("kari", 35), ("ola", 35))),
    e.MissionsDealt(("asia_africa", "europe_australia_third", "territories_18_two_armies", "eliminate_red"), ()),
    e.DeckShuffled(1, 44),
    e.DeckShuffled(2, 1),
    e.PileLaidOpen(("alaska", "joker-1", "peru")),
    e.RankingGiven("kari", ("alaska", "peru")),
    e.RankingGiven("ola", ()),
    e.TerritoryClaimed("kari", "alaska", 3),
    e.TerritoryClaimed("kari", "alaska", 0),
    e.ArmiesDeployed("kari", (("alaska", 3), ("peru", 1)), "player", 0),
    e.ArmiesDeployed("kari", (("alaska", 1),), "referee", 7),
    e.CapitalChosen("kari"),
    e.CapitalRevealed("kari", "alaska"),
    e.TurnBegan("ola", 4),
    e.NoteGiven("kari", "one\n\ntwo"),
    e.SetTraded("kari", ("alaska", "brazil", "joker-1"), ("a", "b", "c"), 4, 8, ("alaska",), "orders", "player"),
    e.SetTraded("kari", ("alaska", "brazil", "joker-1"), ("a", "b", "c"), 1, 1, (), "windfall", "referee"),
    e.ReinforcementsCounted("kari", 14, 4, (("asia", 7), ("africa", 3)), 8, 0, 22),
    e.ReinforcementsCounted("kari", 1, 0, (), 0, 3, 3),
    e.ArmiesPlaced("kari", (("alaska", 3), ("peru", 1)), "income", "player"),
    e.ArmiesPlaced("kari", (("alaska", 2),), "bonus", "player"),
    e.ArmiesPlaced("kari", (("alaska", 8),), "windfall", "referee"),
    e.ArmiesPlaced("neutral", (("alaska", 2),), "neutral", "player"),
    e.ArmiesPlaced("kari", (("alaska", 2),), "missed", "referee"),
    e.AttackBegan(2, 1, 1, "kari", "alaska", "kamchatka", "ola"),
    e.AttackBegan(2, 3, 1, "kari", "alaska", "kamchatka", "neutral"),
    e.BattleFought(1, 1, "kari", "ola", "alaska", "kamchatka", 3, (1, 6, 4), (2, 5), 1, 1),
    e.BattleFought(1, 12, "kari", "ola", "alaska", "kamchatka", 3, (6,), (2,), 0, 1),
    e.AttackStopped(2, 1, "alaska", "kamchatka", "min-odds", 5),
    e.AttackSkipped(3, 1, "alaska", "kamchatka", "condition", 2, "alaska >= 9"),
    e.AttackSkipped(3, 1, "", "", "condition", 1, "taken >= 2"),
    e.AttackSkipped(3, 2, "alaska", "kamchatka", "already-yours"),
    e.PenaltyPaid("kari", 4, "alaska", 3),
    e.TerritoryConquered("kari", "alaska", "kamchatka", "ola"),
    e.ArmiesAdvanced("kari", "alaska", "kamchatka", 4, "keep 2", 3, 5),
    e.ArmiesAdvanced("kari", "alaska", "kamchatka", 3, "2", 3, 5),
    e.ArmiesAdvanced("kari", "alaska", "kamchatka", 1, "auto", 1, 1),
    e.CapitalTaken("kari", "ola", "kamchatka"),
    e.TerritorySwept("kari", "japan", "ola", 1),
    e.PlayerEliminated("ola", "kari", 12),
    e.CardsTakenOver("kari", "ola", ("a", "b", "c")),
    e.WindfallSkipped(1, "other-player"),
    e.WindfallSkipped(2, "condition", 1, "cards >= 4"),
    e.CardDrawn("kari", "deck/1/7"),
    e.CardMissing("kari"),
    e.ArmiesFortified("kari", 2, "alaska", "alberta", 3),
    e.FortifySkipped(1, "alaska", "peru", "not-connected"),
    e.MissionCompleted("kari", "missions/1/0", "territories_24"),
    e.GameWon(("kari",), "mission"),
    e.GameWon(("kari", "ola"), "capitals"),
    e.GameDrawn(("kari", "ola", "liv")),
    e.SecretRevealed("runa"),
    e.TurnEnded("kari"),
    e.TurnMissed("kari", "wait", 1),
    e.TurnMissed("kari", "standing", 2),
    e.SeatSubstituted("ola"),
    e.SeatRemoved("ola", ("a",)),
    e.PlayerResigned("ola", ("a", "b")),
    e.StandingRecorded("ola", 3, "hello"),
    e.KeyChanged("ola", "player"),
    e.KeyChanged("ola", "host"),
    e.KeyChanged("ola", "table"),
    e.DeadlineSet("2026-03-01T12:00:00+01:00"),
    e.GameHandedOver("runa", "berit"),
    e.HostGone("runa"),
    e.HandOpened("ola", (("deck/1/3", "alaska"), ("deck/1/7", "joker-1"))),
    e.MissionOpened("ola", "missions/1/2", "territories_24"),
    e.RollPassedOver("ola"),
    e.RollPassedOver("ola", True),
)


def test_who_does_not_roll_at_a_table_is_called_otherwise_than_who_does_not_reveal_beside_a_host() -> None:
    game, told = middle(), []
    for one in (game, game._replace(host=None)):
        tale = Tale(voice_of(one, "en"), one.state, 12)
        HOW[e.RollPassedOver](tale, e.RollPassedOver("ola", True))
        told.append(tale.written()[-1].strip())
    assert told[0].startswith("Ola has not revealed, ")
    assert told[1].startswith("Ola has not rolled, ")


def test_a_row_of_claims_has_room_for_the_comma_before_the_next_row() -> None:
    game = middle()
    state = game.state._replace(owners={**dict.fromkeys(game.state.owners, ""), "alaska": "kari"})
    tale = Tale(voice_of(game, "en"), state, 1)
    tale.enter("set_up")
    for room in (0, 1, 2):
        tale.lines.append("x" * (72 - room - len(", Ola: Siam (-)")))
        for territory in ("siam", "peru"):
            tale.state = state
            HOW[e.TerritoryClaimed](tale, e.TerritoryClaimed("ola", territory, 0))
        assert max(map(len, tale.lines)) <= 72
        last = [one.strip() for one in tale.lines if "x" not in one][-1]
        assert last == ("Ola: Siam (-), Ola: Peru (-)" if room == 0 else "Ola: Peru (-)")


def middle() -> Game:
    """Return a game in the middle of a turn of Kari, made of nothing that chance or digests decide."""
    board, _ = load_board("classic")
    rules = preset_from(data.tree("editions/no.toml"), "mission").rules_for(3)
    wishes = {"kari": ("red",), "ola": ("blue",), "liv": ("green",)}
    _, state = begin(
        board, rules, Settings(), wishes, ("kari", "ola", "liv"), lambda label, items: tuple(items), lambda label, n: 0
    )
    armies = {**state.armies, "alaska": 7, "kamchatka": 3, "iceland": 2, "alberta": 2, "brazil": 4}
    owners = {**state.owners, "alaska": "kari", "kamchatka": "ola", "greenland": "ola", "japan": "ola", "peru": "liv"}
    owners |= {"brazil": "kari", "venezuela": "kari", "north_africa": "ola"}
    players = {player: one._replace(to_place=0) for player, one in state.players.items()}
    cards = ("deck/1/0", "deck/1/1", "deck/1/2", "deck/1/3")
    state = state._replace(
        owners=owners, armies=armies, players=players, hands={**state.hands, "kari": cards[:3], "ola": cards[3:]},  # type: ignore[arg-type]
        phase="turn", round=4, first=1, acting=("kari",), shuffled=((),),  # type: ignore[arg-type]
    )  # fmt: skip
    people = {p: Person(title, "nb", "", "", "", "", 0) for p, title in zip(wishes, TITLED, strict=True)}
    return Game(
        name="fjord", nonce="", turn=12, previous="", rules_version=1, start_seed="", deadline="", edition="no",
        variant="mission", board_digest="", host=Host("runa", "", "", "", 0, ""), people=people, state=state,
    )  # type: ignore[arg-type]  # fmt: skip


TITLED = ("Kari", "Ola Nordmann", "Åse")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_event_is_told_as_it_should_be(language: str) -> None:
    assert {type(event) for event in EVENTS} == set(HOW)
    assert all_events(language) == (REPORTS / f"events-{language}.txt").read_text("utf-8")


def all_events(language: str) -> str:
    """Tell each event by itself, with its kind above."""
    game, lines = middle(), []
    for event in EVENTS:
        tale = Tale(voice_of(game, language, plain=False), game.state, 12)
        HOW[type(event)](tale, event)
        lines += [f"# {KIND_OF[type(event)]}", *tale.written()[2:]]
    return "\n".join(lines) + "\n"


TURN: tuple[e.Event, ...] = (
    e.NoteGiven("kari", "Sorry, Ola! Brazil is mine, and so is the rest, as soon as the dice are with me."),
    e.SetTraded(
        "kari", ("alaska", "peru", "joker-1"), ("deck/1/0", "deck/1/1", "deck/1/2"), 1, 10, ("alaska",), "orders",
        "player",
    ),
    e.ArmiesPlaced("kari", (("alaska", 2),), "bonus", "player"),
    e.ReinforcementsCounted("kari", 14, 4, (), 10, 0, 14),
    e.ArmiesPlaced("kari", (("alaska", 12), ("brazil", 2)), "income", "player"),
    e.AttackBegan(1, 1, 1, "kari", "alaska", "kamchatka", "ola"),
    e.BattleFought(1, 1, "kari", "ola", "alaska", "kamchatka", 3, (1, 6, 4), (2, 5), 0, 2),
    e.BattleFought(1, 2, "kari", "ola", "alaska", "kamchatka", 3, (5, 1, 1), (6,), 1, 0),
    e.BattleFought(1, 3, "kari", "ola", "alaska", "kamchatka", 3, (2, 6, 2), (3,), 0, 1),
    e.TerritoryConquered("kari", "alaska", "kamchatka", "ola"),
    e.ArmiesAdvanced("kari", "alaska", "kamchatka", 17, "keep 3", 3, 19),
    e.AttackSkipped(2, 1, "kamchatka", "alaska", "already-yours"),
    e.AttackBegan(3, 1, 2, "kari", "brazil", "peru", "liv"),
    e.BattleFought(2, 1, "kari", "liv", "brazil", "peru", 3, (2,), (3,), 1, 0),
    e.AttackStopped(3, 1, "brazil", "peru", "min-odds", 5),
    e.CardDrawn("kari", "deck/1/4"),
    e.FortifySkipped(1, "kamchatka", "japan", "not-yours"),
    e.ArmiesFortified("kari", 2, "brazil", "venezuela", 2),
    e.StandingRecorded("liv", 2),
    e.TurnEnded("kari"),
    e.TurnBegan("ola", 4),
)  # fmt: skip


def whole_turn(language: str, plain: bool = True) -> str:
    """Return the report of a turn that is written down above."""
    before = middle()
    state = before.state
    for event in TURN:
        state = apply(state, event)
    after = before._replace(turn=13, state=state, deadline="2026-03-01T12:00:00+01:00")
    orders = {"format": "referee/orders/1", "player": "kari", "signature": {"by": "kari"}}
    after = after._replace(evidence=Evidence(documents=(orders,)))
    files = [GameFile(game, letter * 43, "") for game, letter in ((before, "A"), (after, "E"))]
    return report(files[1], files[0], TURN, language, plain)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_turn_reads_as_it_should(language: str) -> None:
    assert whole_turn(language) == (REPORTS / f"turn-{language}.txt").read_text("utf-8")


def test_a_start_reads_as_it_should() -> None:
    assert whole_start() == (REPORTS / "start-en.txt").read_text("utf-8")


def whole_start() -> str:
    """Return the report of a start without chance."""
    game = middle()
    wishes = {"kari": ("red",), "ola": ("blue",), "liv": ("green",)}
    state = game.state
    settings = Settings(missed_limit=3)
    seats = ("kari", "ola", "liv")
    happened, state = begin(
        state.board, state.rules, settings, wishes, seats, lambda label, items: tuple(items), lambda label, n: 0
    )
    game = game._replace(turn=1, state=state, deadline="2026-03-01T12:00:00+01:00")
    return report(GameFile(game, "A" * 43, ""), None, happened, "en")


# --- the parts ------------------------------------------------------------------------------------


def test_the_luck_table_is_exact_and_rounds_half_up() -> None:
    assert [tenths(ways) for ways in (0, 388, 389, 7776, 7776 + 389)] == [0, 0, 1, 10, 11]
    assert [decimal(number) for number in (0, 7, 123)] == ["0.0", "0.7", "12.3"]
    assert [signed(number) for number in (-4, 0, 12)] == ["-0.4", "0.0", "+1.2"]


def test_p_values_stand_beside_the_luck_as_referee_luck_has_them(turns: list[Turn]) -> None:
    game = turns[-1][1].game
    cells = [line.split()[-2:] for line in luck_table(game.state, voice_of(game, "en"))]
    wanted = [[p_text(one.battles), p_text(one.faces)] for one in in_game(game)]
    assert cells[1 : len(wanted) + 1] == wanted
    assert any(p not in ("1.000", "-") for row in wanted for p in row)


def test_who_has_not_rolled_has_no_p_value(turns: list[Turn]) -> None:
    game = turns[-1][1].game
    luck = dict.fromkeys(game.state.luck, Luck())
    lines = luck_table(game.state._replace(luck=luck), voice_of(game, "en"))
    assert [line.split()[-2:] for line in lines[1 : len(luck) + 1]] == [["-", "-"]] * len(luck)


def test_given_and_taken_tell_the_same_luck(turns: list[Turn]) -> None:
    """In every comparison one army is lost, so the table needs one difference only."""
    for luck in turns[-1][1].game.state.luck.values():
        assert luck.variance_given == luck.variance_taken
        assert 7776 * (luck.given + luck.taken) == luck.expected_given + luck.expected_taken


def test_letters_that_are_not_ascii_are_written_as_names_are_understood() -> None:
    assert in_ascii("Sør-Amerika, Åse, ÅSE, naïve, Straße") == "Soer-Amerika, Aase, AASE, naive, Strasse"
    assert in_ascii("“yes” – no…\tx") == '"yes" - no... x'
    assert in_ascii("漢\u202e\n") == "???"
    assert printable("Sør\u2028\t漢") == "Sør? 漢"
    board, _ = load_board("classic")
    for territory in board.territories:
        for language in ("en", "nb", "da", "sv", "de"):
            assert board.find_territory(in_ascii(board.name_of(territory, language))) == territory


def test_lines_are_wrapped_at_blanks_and_long_words_are_broken() -> None:
    assert wrapped("a b", "1. ") == ["1. a b"]
    assert wrapped("x" * 100, "1. ") == ["1. " + "x" * 69, "   " + "x" * 31]
    assert wrapped("w " * 60, "* ", "- ") == ["* " + ("w " * 35).strip(), "- " + ("w " * 25).strip()]
    assert wrapped("", "| ") == ["|"]


def test_a_table_puts_a_long_label_on_a_line_of_its_own() -> None:
    assert table([("a", "1"), ("bc", "23")]) == ["  a    1", "  bc  23"]
    assert table([("a", "1"), ("b" * 80, "2")]) == ["  a  1", "  " + "b" * 70, "  " + "b" * 10, "     2"]


def test_territories_without_an_owner_belong_to_nobody() -> None:
    game = middle()
    state = game.state._replace(owners=dict.fromkeys(game.state.owners, ""), armies=dict.fromkeys(game.state.armies, 0))
    lines = board_table(state, voice_of(game, "en"), ("alaska",))
    assert lines[:2] == ["North America (+5)", "  Alaska                - 0*  Northwest Territory   - 0"]
    held = game.state._replace(owners=dict.fromkeys(game.state.owners, "neutral"))
    assert board_table(held, voice_of(game, "nb"))[0] == "Nord-Amerika (+5): noeytral"


def test_every_report_says_so_if_the_host_plays_and_sees_all(turns: list[Turn]) -> None:
    before, after, events = turns[5]
    state = after.game.state._replace(settings=after.game.state.settings._replace(trusted_host=True))
    host = after.game.keeper._replace(plays="kari")
    trusted = after._replace(game=after.game._replace(state=state, host=host))
    told = report(trusted, before, events).split("\n")
    assert told[2] == "  the host runa plays as Kari, and knows all cards and missions"


def test_a_missed_turn_is_counted_up_to_the_limit() -> None:
    game, told = middle(), []
    for limit in (0, 3, 2):
        tale = Tale(voice_of(game, "en"), game.state._replace(settings=Settings(missed_limit=limit)), 12)
        HOW[e.TurnMissed](tale, e.TurnMissed("kari", "standing", 2))
        told.append(tale.written()[-1].strip())
    assert told == [
        "turns missed by Kari so far: 2",
        "turns missed by Kari so far: 2 of 3, then the seat becomes passive",
        "turns missed by Kari so far: 2 of 2",
    ]


def test_the_title_of_the_invitation_stands_in_the_report_of_the_start(turns: list[Turn]) -> None:
    before, after, events = turns[0]
    titled = after.game._replace(evidence=Evidence(documents=({"format": "referee/invitation/1", "title": "Høst"},)))
    assert "    | Hoest" in report(after._replace(game=titled), before, events).split("\n")


def test_norwegian_is_called_no_or_nb(turns: list[Turn]) -> None:
    before, after, events = turns[0]
    assert report(after, before, events, "no") == report(after, before, events, "nb")


def test_an_unknown_language_is_refused(turns: list[Turn]) -> None:
    with pytest.raises(UsageProblem):
        report(turns[0][1], None, turns[0][2], "fr")


if __name__ == "__main__":  # writes what the tests compare with
    for code in LANGUAGES:
        (REPORTS / f"events-{code}.txt").write_text(all_events(code), "utf-8")
        (REPORTS / f"turn-{code}.txt").write_text(whole_turn(code), "utf-8")
    (REPORTS / "start-en.txt").write_text(whole_start(), "utf-8")
