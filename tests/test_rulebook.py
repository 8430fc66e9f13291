"""The rules for players: each value of each switch has a statement, each statement a source, each number a constant."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest
from support.table import Table
from support.transcripts import referee

from referee import data
from referee.documents.boards import load_board
from referee.documents.modes import FORCED, Mode, why_not_in_mode
from referee.documents.verify import verify_first
from referee.errors import UnreadableDocument
from referee.game.presets import Preset, preset_from, variants_of
from referee.game.rules import ALLOWED, ALLOWED_SETTINGS, Rules, Settings, changed_rules
from referee.views import rule_facts
from referee.views.invitation import invitation_shown
from referee.views.language import LANGUAGES, language_of
from referee.views.report import report
from referee.views.rulebook import Rulebook
from referee.views.show import shown
from referee.views.statements import OTHER, UNSAID, book_of, ids_of, key_of, plan, written
from referee.views.terms import Terms, deviations
from referee.views.text import WIDTH
from referee.views.voice import BoardVoice, voice_of

REPORTS = Path(__file__).parent / "reports"
BOARD, _ = load_board("classic")
EDITIONS = {name: data.tree(f"editions/{name}.toml") for name in ("no", "da", "sv", "de")}
PRESETS = [preset_from(tree, variant) for tree in EDITIONS.values() for variant in variants_of(tree)]
SENTENCES = {code: data.tree(f"rules/sentences/{code}.toml") for code in LANGUAGES}
AROUND = {"headings", "words"}
LAST = {"no": ("p.", 15), "da": ("L", 77), "sv": ("L", 99), "de": ("L", 11)}
"""By edition: how its book is counted, and its last page or line."""


def terms(
    preset: Preset, players: tuple[int, int], rules: Rules | None = None, settings: Settings | None = None
) -> Terms:
    return Terms(
        preset.edition, preset.variant, rules or preset.rules_for(players[0]), settings or Settings(), players, preset
    )


def games() -> Iterator[Terms]:
    """Every preset, for each number of players and for all."""
    for preset in PRESETS:
        fewest, most = preset.players
        yield from (terms(preset, (number, number)) for number in range(fewest, most + 1))
        yield terms(preset, (3, most) if fewest == 2 < most else preset.players)


COMPANIONS: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("mission_deck", "none"): {"victory": "elimination"},
    ("mission_deck", "classic14"): {
        "victory": "mission", "mission_dealt": "before_territories", "capitals": "none", "neutral_army": "none",
    },
    ("victory", "mission"): {
        "mission_deck": "classic14", "mission_dealt": "before_territories", "capitals": "none", "neutral_army": "none",
    },
    ("victory", "elimination"): {"mission_deck": "none", "capitals": "none"},
    ("victory", "capitals"): {"mission_deck": "none", "capitals": "revealed", "capitals_to_win": "all_enemy"},
    ("capitals", "none"): {"victory": "elimination", "mission_deck": "none"},
    ("capitals", "revealed"): {"victory": "capitals", "mission_deck": "none", "capitals_to_win": "all_enemy"},
    ("capitals", "secret_sweep"): {"victory": "capitals", "mission_deck": "none", "capitals_to_win": "incl_own_2_3_4"},
    ("capitals_to_win", "none"): {"victory": "elimination", "capitals": "none", "mission_deck": "none"},
    ("neutral_army", "none"): {"setup_placement": "one_by_one"},
    ("neutral_army", "n28_reinforced"): {
        "setup_placement": "one_by_one", "victory": "elimination", "mission_deck": "none",
        "territory_allocation": "deal", "capitals": "none",
    },
    ("neutral_army", "n40_passive"): {
        "setup_placement": "two_own_one_neutral", "victory": "elimination", "mission_deck": "none",
        "territory_allocation": "deal", "capitals": "none",
    },
    ("setup_placement", "two_own_one_neutral"): {
        "neutral_army": "n40_passive", "victory": "elimination", "mission_deck": "none", "territory_allocation": "deal",
        "capitals": "none",
    },
}  # fmt: skip
"""What a switch brings with it where it contradicts the edition."""


def changed(preset: Preset, key: str, value: str | int) -> Rules | None:
    """Return the rules with one switch otherwise, perhaps with what it needs beside it; None if they contradict."""
    for companions in ({}, COMPANIONS.get((key, str(value)), {})):
        try:
            return changed_rules(preset.rules_for(preset.players[0]), {key: value, **companions})
        except UnreadableDocument:
            continue
    return None


def house_games() -> Iterator[tuple[Terms, str]]:
    """Every preset with each house rule that does not contradict it, the first with each setting; the switch beside."""
    for preset in PRESETS:
        players = (2, 2) if preset.players[0] == 2 else preset.players
        for key, values in ALLOWED.items():
            for value in values:
                rules = changed(preset, key, value)
                if rules is not None and getattr(preset.rules_for(players[0]), key) != value:
                    yield terms(preset, players, rules), key
        for key, values in ALLOWED_SETTINGS.items() if preset.variant in ("mission", "capitals", "hq") else ():
            for value in tuple(values)[:4]:
                if value != getattr(Settings(), key):
                    yield terms(preset, players, None, Settings()._replace(**{key: value})), key


def book(game: Terms, code: str = "en") -> Rulebook:
    return Rulebook(game, BoardVoice(BOARD, language_of(code)))


def games_in(mode: Mode) -> Iterator[Terms]:
    """Every preset that can be played without a host, as a table game, or with a host who plays."""
    settings = Settings(trusted_host=mode == "trusted")._replace(**FORCED[mode])
    for game in games():
        if not why_not_in_mode(game.rules, settings, mode != "table", mode != "table"):
            yield game._replace(settings=settings, mode=mode)


ALL = list(games())
OPEN = list(games_in("table"))
PLAYED_BY_HOST = [*games_in("plays"), *games_in("trusted")]
WITNESSED = [game._replace(settings=game.settings._replace(witness=True)) for game in games()]
HOUSE = list(house_games())


def values() -> Iterator[tuple[str, str]]:
    """Yield every switch and setting with the key of each of its values."""
    for key, allowed in {**ALLOWED, **ALLOWED_SETTINGS}.items():
        yield from ((key, key_of(key, value)) for value in tuple(allowed)[:4])


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_rules_of_a_table_game_speak_of_no_host_and_of_no_secret(code: str) -> None:
    assert {(game.edition, game.variant) for game in OPEN} >= {("no", "two"), ("da", "hq"), ("sv", "standard")}
    for game in OPEN:
        statements = [one for one in book(game, code).statements() if not one.id.startswith("table.")]
        for one in statements:
            assert not re.search(r"[Tt]he host|secret|sealed|face down|pillederen|hemmelig|forsegl", one.text), one.id


# --- completeness --------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_value_of_every_switch_has_a_statement(code: str) -> None:
    said = {(family, key) for family, table in SENTENCES[code].items() for key in table}
    assert set(values()) <= said
    switches = {*ALLOWED, *ALLOWED_SETTINGS}
    assert {pair for pair in said if pair[0] in switches} == set(values())


def test_every_value_of_every_switch_changes_what_is_said() -> None:
    """In some game with it the statement stands, as one of the rules or as what the game has otherwise."""
    every = [*ALL, *OPEN, *PLAYED_BY_HOST, *WITNESSED]
    told = {name for game in every for _, name in ids_of(game.rules, game.settings, game.mode)}
    for game, _ in HOUSE:
        told |= {name for _, name in ids_of(game.rules, game.settings)}
        told |= {f"{key}.{key_of(key, here)}" for key, (here, _) in deviations(game).items()}
    assert {f"{key}.{value}" for key, value in values()} <= told
    everything = {
        f"{family}.{key}" for family, table in SENTENCES["en"].items() if family not in AROUND for key in table
    }
    assert told == everything


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_has_the_same_statements_with_the_same_facts_as_english(code: str) -> None:
    own, english = SENTENCES[code], SENTENCES["en"]
    assert list(own) == list(english)
    for family, table in english.items():
        assert list(own[family]) == list(table), family
        for key, sentence in table.items():
            assert facts_in(own[family][key]) == facts_in(sentence), f"{family}.{key}"


def facts_in(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_the_plan_names_only_what_there_is() -> None:
    english, known = SENTENCES["en"], {**ALLOWED, **ALLOWED_SETTINGS, "openly": (False, True), "mode": get_args(Mode)}
    for entry in plan():
        assert entry.section in english["headings"]
        assert entry.family in english
        assert entry.key == "*" or entry.key in english[entry.family]
        for switch, allowed in entry.conditions:
            assert set(allowed) <= {written(value) for value in known[switch]}, entry
    assert set(english["headings"]) == {entry.section for entry in plan()} | {"board"}


# --- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_number_is_typed_into_a_sentence(code: str) -> None:
    words = {
        "en": r"\b(two|three|four|five|six|seven|eight|ten|twelve|twice|\d+)\b",
        "nb": r"\b(tre|fire|fem|seks|sju|åtte|ti|tolv|\d+)\b",
    }[code]
    allowed = {"words.two_apart", "cards.deck", "turn.phases"}  # three symbols, three phases
    for family, table in SENTENCES[code].items():
        for key, sentence in table.items():
            if f"{family}.{key}" not in allowed:
                assert not re.search(words, re.sub(r"\{\w+\}", "", sentence)), f"{family}.{key}: {sentence}"


CONSTANTS: Mapping[str, tuple[str, str]] = {
    "TERRITORIES_PER_ARMY": ("reinforcements.share", "no mission"),
    "MINIMUM_REINFORCEMENT": ("minimum_reinforcement.territory_share", "no mission"),
    "CARDS_IN_SET": ("cards.sets", "no mission"),
    "FORCED_TRADE_FROM": ("cards.forced", "no mission"),
    "WINDFALL_TRADE_FROM": ("elimination_trade.forced_from_6_to_4", "da mission"),
    "WINDFALL_TRADE_DOWN_TO": ("elimination_trade.forced_from_6_to_4", "da mission"),
    "BONUS_ARMIES": ("territory_bonus.once_per_set", "no mission"),
    "ONE_OF_EACH_VALUE": ("set_values.fixed_by_symbol", "no mission"),
    "RISING_STEP": ("set_values.rising", "sv dealt"),
    "MOST_ATTACKERS": ("attack.armies", "no mission"),
    "MOST_DEFENDERS": ("two_defence_dice_from.3", "no mission"),
}
"""By constant of the rules: a statement that says it, and a preset in which it stands."""


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_number_comes_from_the_constant_of_the_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statement, preset = CONSTANTS[name]
    monkeypatch.setattr(rule_facts, name, 987)
    (game,) = [one for one in ALL if f"{one.edition} {one.variant}" == preset and one.players == (3, 3)]
    (text,) = [one.text for one in book(game).statements() if one.id == statement]
    assert "987" in text


def told(preset: str, players: int, statement: str) -> str:
    (game,) = [one for one in ALL if f"{one.edition} {one.variant}" == preset and one.players == (players, players)][:1]
    (text,) = [one.text for one in book(game).statements() if one.id == statement]
    return text


@pytest.mark.parametrize(
    ("preset", "players", "statement", "text"),
    [
        ("no mission", 5, "set_up.armies", "First armies of each player: 25."),
        ("no two", 2, "set_up.armies_beside", "First armies of each player: 40; of the neutral army: 28."),
        ("da two", 2, "set_up.armies_beside", "First armies of each player: 40; of the neutral army: 40."),
        ("no two", 2, "set_up.neutral_places", "the first seat first: 7 each."),
        ("da two", 2, "setup_placement.two_own_one_neutral", "places 2 of his armies"),
        ("da two", 2, "setup_placement.two_own_one_neutral", "13 neutral ones each"),
        ("no two", 2, "set_up.neutral_seat", "14 territories each"),
        ("no capitals", 3, "capitals_to_win.incl_own_2_3_4", "his own among them: 2."),
        ("no capitals", 6, "capitals_to_win.incl_own_2_3_4", "his own among them: 4."),
        ("da hq_short", 5, "capitals_to_win.short", "his own among them: 4."),
        ("no mission", 3, "two_defence_dice_from.3", "With 3 or more armies in the territory he may roll 2."),
        ("da mission", 3, "two_defence_dice_from.2", "With 2 or more armies in the territory he may roll 2."),
        ("no mission", 3, "set_values.fixed_by_symbol", "infantry brings 4 armies, of cavalry 6, of artillery 8"),
        ("no world+rising", 3, "set_values.rising", "brings 4 armies, the next ones 6, 8, 10, 12, 15, and each"),
        ("de mission", 3, "unnamed_attack_penalty.3", "costs 3 armies"),
        ("da mission", 3, "elimination_trade.forced_from_6_to_4", "6 or more cards after that, you must trade"),
        ("da mission", 3, "elimination_trade.forced_from_6_to_4", "until at most 4 are left"),
        ("sv dealt", 2, "reinforcements.continents", "Asia 7, Australia 2."),
        ("sv dealt", 2, "cards.deck", "2 jokers"),
        ("no mission", 3, "mission_deck.classic14", "There are 14 mission cards."),
        ("no mission", 3, "own_colour_mission.fallback_24", "hold 24 territories"),
    ],
)
def test_a_statement_says_what_the_rule_says(preset: str, players: int, statement: str, text: str) -> None:
    said = told(preset, players, statement).replace("your own among them", "his own among them")
    assert text in said


def test_numbers_that_hang_on_the_players_are_told_for_each() -> None:
    (game,) = [one for one in ALL if (one.edition, one.variant, one.players) == ("no", "capitals", (3, 6))]
    texts = {one.id: one.text for one in book(game).statements()}
    assert texts["set_up.armies"].endswith(
        "35 with 3 players, 30 with 4 players, 25 with 5 players, 20 with 6 players."
    )
    assert "2 with 3 players, 3 with 4 players" in texts["capitals_to_win.incl_own_2_3_4"]
    assert "With two players the rules are others: --players 2." in book(game).lines()


# --- sources ---------------------------------------------------------------------------------------


def test_every_statement_of_every_preset_has_a_source() -> None:
    for game in ALL:
        for one in book(game).statements():
            source = one.source
            assert source.places + source.readings + source.adapted + source.other, (
                f"{game.edition} {game.variant} {one.id}"
            )
            assert not source.house, f"{game.edition} {game.variant} {one.id}"


def test_every_source_names_a_page_line_or_row_that_exists() -> None:
    for edition, (unit, last) in LAST.items():
        assert (book_of(edition)["unit"], book_of(edition)["last"]) == (unit, last)
        for table in (value for value in book_of(edition).values() if isinstance(value, dict)):
            for name, text in table.items():
                for word in text.split():
                    check_word(word, unit, last, f"{edition} {name}")
    for name, text in book_of("common")["base"].items():
        for word in text.split():
            check_word(word, "-", 0, name)


def check_word(word: str, unit: str, last: int, where: str) -> None:
    place = re.fullmatch(r"(p\.|L)(\d+)(?:-(\d+))?", word)
    row = re.fullmatch(r"([QP])-(\d\d)", word)
    if place:
        first, second = int(place[2]), int(place[3] or last)
        assert place[1] == unit, where
        assert 1 <= first <= last, where
        assert (not place[3]) or first < second <= last, where
    elif row:
        assert 1 <= int(row[2]) <= {"Q": 37, "P": 20}[row[1]], where
    else:
        assert word in OTHER, f"{where}: {word}"


def test_no_source_is_there_for_nothing() -> None:
    """What a book is cited for holds in one of its games; what has the same source everywhere holds somewhere."""
    everywhere = {f"{key}.{value}" for key, value in values()}
    everywhere |= {name for game, _ in HOUSE for _, name in ids_of(game.rules, game.settings)}
    others = [*OPEN, *PLAYED_BY_HOST]
    everywhere |= {name for game in others for _, name in ids_of(game.rules, game.settings, game.mode)}
    for edition in EDITIONS:
        said = {name for game in ALL if game.edition == edition for _, name in ids_of(game.rules, game.settings)}
        everywhere |= said
        variants = EDITIONS[edition]["variants"]
        for table, sources in book_of(edition).items():
            if isinstance(sources, dict):
                assert table == "base" or table in variants
                assert set(sources) <= said, f"{edition}: {set(sources) - said}"
    assert set(book_of("common")["base"]) <= everywhere


def test_where_the_book_is_silent_or_open_to_doubt_the_statement_says_so_and_names_the_reading() -> None:
    for game in ALL:
        assert game.preset
        statements = {one.id: one for one in book(game).statements()}
        text = " ".join(" ".join(book(game).lines()).split())
        for key in game.preset.doubtful:
            if key == "mission_dealt" and game.rules.mission_deck == "none":
                continue
            name = f"{key}.{key_of(key, game.value_of(key))}"
            if name not in statements:
                assert key in ("win_timing",)  # without effect for elimination
                assert game.rules.victory == "elimination"
                continue
            source = statements[name].source
            assert source.doubtful
            assert source.readings, f"{game.edition} {game.variant} {name}"
            how = "open to doubt" if source.places else "the book is silent"
            assert f"{how}: reading {', '.join(source.readings)}" in text


@pytest.mark.parametrize(
    ("preset", "players", "statement", "cited"),
    [
        ("no mission", 3, "two_defence_dice_from.3", "[no p.10; reading Q-19]"),
        ("da mission", 3, "two_defence_dice_from.2", "[da L32, L68]"),
        ("sv standard", 3, "minimum_reinforcement.whole_income", "[sv L38; open to doubt: reading Q-11]"),
        ("sv standard", 3, "elimination_trade.none", "[the book is silent: reading Q-15]"),
        ("de mission", 3, "unnamed_attack_penalty.3", "[de L5; reading Q-24]"),
        ("no two", 2, "victory.elimination", "[no p.12]"),
        ("no world+rising", 3, "victory.elimination", "[no p.14]"),
        ("da two", 2, "victory.elimination", "[the book is silent: reading Q-28]"),
    ],
)
def test_a_statement_is_followed_by_its_source(preset: str, players: int, statement: str, cited: str) -> None:
    (game,) = [one for one in ALL if f"{one.edition} {one.variant}" == preset and one.players == (players, players)][:1]
    whole = " ".join(" ".join(book(game).lines()).split())
    assert f"{told(preset, players, statement)} {cited}" in whole


# --- house rules ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_all_rules_are_ascii_of_72_columns_without_a_gap(code: str) -> None:
    for game in [*ALL, *(game for game, _ in HOUSE)]:
        for line in book(game, code).lines():
            assert line.isascii()
            assert len(line) <= WIDTH, line
            assert line == line.rstrip()
            assert not re.search(r"[{}]", line)


def test_a_house_rule_is_called_one_and_what_the_edition_has_is_named() -> None:
    for game, key in HOUSE:
        rulebook = book(game)
        text = " ".join(" ".join(rulebook.lines()).split())
        here, there = deviations(game)[key]
        said = {one.id: one for one in rulebook.statements()}
        name = f"{key}.{key_of(key, here)}"
        if key in ALLOWED:
            assert f"- {key} = {written(here)} (in the edition: {written(there)}): " in text
            assert "house rules, other than in the edition:" in text
            assert name not in said or said[name].source.house
            assert name not in said or f"{said[name].text} [house rule]" in text
        else:
            assert f"- {key} = {written(here)} (usually {written(there)}): " in text
            assert not said[name].source.house


def test_every_value_of_every_switch_can_be_a_house_rule() -> None:
    """But for the defaults that every edition has."""
    there = {(key, here) for game, _ in HOUSE for key, (here, _) in deviations(game).items()}
    missing = {(key, value) for key, allowed in ALLOWED.items() for value in allowed} - there
    assert missing == {(key, value) for key, value in Rules._field_defaults.items()}


def test_what_differs_stands_in_start_report_show_invitation_and_rules() -> None:
    table = Table("no", "mission", 3, 1, Settings(), {"fortify": "connected", "set_values": "rising"})
    game = table.file.game
    for code, house, edition in (("en", "house rules", "in the edition"), ("nb", "husregler", "i utgaven")):
        texts = [
            report(table.file, None, game.events, code).split("\n\n")[0],
            "\n".join(shown(table.file, voice_of(game, code))).split("\n\n")[0],
            "\n".join(invitation_shown(table.invitation, language_of(code))),
        ]
        for text in texts:
            assert house in text
            flat = " ".join(text.split())
            assert f"- fortify = connected ({edition}: adjacent): " in flat
            assert f"- set_values = rising ({edition}: fixed_by_symbol): " in flat
            assert flat.count(f"({edition}: ") == 2


def test_a_game_without_house_rules_says_nothing_of_them() -> None:
    table = Table("no", "mission", 3)
    assert "house rules" not in report(table.file, None, table.file.game.events)
    assert deviations(terms(PRESETS[0], (3, 3))) == {}


def test_a_corrected_data_file_changes_nothing_in_a_running_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game goes on by its own values; what the edition says now is named beside them."""
    table = Table("no", "mission", 3)
    tree = data.tree

    def corrected(name: str) -> dict[str, Any]:
        found = tree(name)
        return {**found, "rules": {**found["rules"], "fortify": "anywhere"}} if name == "editions/no.toml" else found

    monkeypatch.setattr(data, "tree", corrected)
    lines = " ".join(" ".join(shown(table.file, voice_of(table.file.game, "en"))).split())
    assert "- fortify = adjacent (in the edition: anywhere): The final move goes to a territory that borders" in lines


def test_an_edition_that_is_not_known_here_has_no_deviations_and_no_sources() -> None:
    game = terms(PRESETS[0], (3, 3))._replace(edition="xx", preset=None)
    assert deviations(game) == {}
    assert "The rules: xx, mission" in book(game).lines()


# --- missions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "variant"), [("no", "mission"), ("de", "mission")])
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_start_report_lists_all_missions_but_those_of_colours_not_in_play(
    edition: str, variant: str, code: str
) -> None:
    table = Table(edition, variant, 3)
    first = verify_first(table.file.text.encode(), "fjord-0001.toml").file
    text = report(first, None, first.game.events, code)
    voice = voice_of(table.file.game, code)
    colours = {player.colour for player in table.file.game.state.players.values()}
    for mission in BOARD.missions.values():
        there = mission.kind != "eliminate_colour" or mission.colour in colours
        assert (f"  - {voice.mission(mission)}\n" in text) == there, mission.id


def test_the_rules_of_a_game_list_its_missions_with_the_players_names() -> None:
    table = Table("no", "mission", 3)
    game = table.file.game
    colours = [player.colour for player in game.state.players.values()]
    own = terms(PRESETS[0], (3, 3))
    lines = Rulebook(own, voice_of(game, "en"), colours, game.name).lines()
    assert len([line for line in lines if line.startswith("  * ")]) == 8 + 3
    assert "  * eliminate red (Kari)" in lines
    assert len([line for line in book(own).lines() if line.startswith("  * ")]) == 14


# --- whole texts and the command -------------------------------------------------------------------

WHOLE = {"rules-da-two-en": ("da", "two", "en"), "rules-no-mission-nb": ("no", "mission", "nb")}


@pytest.mark.parametrize("name", WHOLE)
def test_the_rules_read_as_they_should(name: str) -> None:
    assert whole(name) == (REPORTS / f"{name}.txt").read_text("utf-8")


def whole(name: str) -> str:
    """Return the rules of a preset as they are printed."""
    edition, variant, code = WHOLE[name]
    preset = preset_from(EDITIONS[edition], variant)
    return "\n".join(book(terms(preset, preset.players), code).lines()) + "\n"


def test_programs_get_the_same_statements() -> None:
    done = referee(["rules", "--edition", "da", "--variant", "two", "--json"])
    assert (done.code, done.err) == (0, "")
    tree = json.loads(done.out)
    assert (tree["edition"], tree["variant"], tree["players"], tree["missions"]) == ("da", "two", [2, 2], [])
    assert tree["rules"] == preset_from(EDITIONS["da"], "two").rules._asdict()
    assert tree["settings"] == Settings()._asdict()
    (one,) = [each for each in tree["statements"] if each["id"] == "fortify.connected"]
    assert one["source"]["places"] == ["L23"]
    assert [each["id"] for each in tree["statements"]] == [
        name for _, name in ids_of(preset_from(EDITIONS["da"], "two").rules, Settings())
    ]


def test_no_statement_is_made_twice() -> None:
    for game in ALL:
        names = [name for _, name in ids_of(game.rules, game.settings)]
        assert len(names) == len(set(names))
    assert UNSAID in {entry.section for entry in plan()}


if __name__ == "__main__":  # writes what the tests compare with
    for each in WHOLE:
        (REPORTS / f"{each}.txt").write_text(whole(each), "utf-8")
