"""Switches, settings, constants and presets (RULES.md section 20)."""

from typing import Any

import pytest

from referee import data
from referee.errors import UnreadableDocument, UsageProblem
from referee.game.presets import Preset, preset_from, variants_of
from referee.game.rules import (
    ALLOWED,
    ALLOWED_SETTINGS,
    INITIAL_ARMIES,
    Rules,
    Settings,
    capitals_needed,
    changed_rules,
    changed_settings,
    contradictions,
    rising_value,
    rules_and_settings_from,
    rules_from,
    value_from_text,
)

EDITIONS = {name: data.tree(f"editions/{name}.toml") for name in ("no", "da", "sv", "de")}
ALL = [(edition, variant) for edition, tree in EDITIONS.items() for variant in variants_of(tree)]


def preset(edition: str, variant: str) -> Preset:
    return preset_from(EDITIONS[edition], variant)


BASE = preset("no", "mission").rules._asdict()


def problems_of(tree: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    with pytest.raises(UnreadableDocument) as caught:
        rules_from(tree)
    return [(p.code, p.key, p.message, p.hint) for p in caught.value.problems]


# ---- the table of switches


def test_every_switch_of_the_digest_is_there() -> None:
    assert len(Rules._fields) == 21 + 4
    assert Rules._fields == tuple(ALLOWED)


def test_rules_survive_being_written_and_read() -> None:
    assert rules_from(BASE) == preset("no", "mission").rules


def test_all_problems_of_a_table_are_reported_at_once() -> None:
    tree = {**BASE, "fortfy": "adjacent", "set_values": "falling", "two_defence_dice_from": "3"}
    del tree["victory"]
    assert problems_of(tree) == [
        (
            "rule-value",
            "rules.set_values",
            '"falling" is not allowed, but fixed_by_symbol or rising',
            "",
        ),
        ("rule-value", "rules.two_defence_dice_from", '"3" is not allowed, but 3 or 2', ""),
        (
            "rule-unknown",
            "rules.fortfy",
            '"fortfy" is no switch',
            'did you mean "fortify"?',
        ),
        ("rule-missing", "rules.victory", "missing", ""),
    ]


@pytest.mark.parametrize("value", [True, False, 3.0, None, [3]])
def test_a_number_is_nothing_but_a_number(value: object) -> None:
    tree: dict[str, Any] = {**BASE, "unnamed_attack_penalty": value}
    assert [problem[0] for problem in problems_of(tree)] == ["rule-value"]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"victory": "elimination"}, "mission_deck"),
        ({"mission_deck": "none"}, "mission_deck"),
        ({"mission_dealt": "none"}, "mission_dealt"),
        ({"capitals_to_win": "all_enemy"}, "capitals_to_win"),
        ({"capitals": "revealed"}, "capitals"),
        ({"victory": "capitals"}, "capitals"),
        ({"neutral_army": "n28_reinforced"}, "neutral_army"),
        ({"neutral_army": "n40_passive"}, "setup_placement"),
        ({"setup_placement": "two_own_one_neutral"}, "setup_placement"),
        (
            {"neutral_army": "n28_reinforced", "territory_allocation": "claim"},
            "territory_allocation",
        ),
    ],
)
def test_switches_that_cannot_both_hold_are_refused(changes: dict[str, Any], key: str) -> None:
    keys = [problem[1] for problem in problems_of({**BASE, **changes})]
    assert f"rules.{key}" in keys


def test_a_change_takes_the_meaning_of_others_along() -> None:
    changes = {"mission_deck": "none", "victory": "elimination"}
    rules = changed_rules(preset("no", "mission").rules, changes)
    assert rules.mission_dealt == "none"
    assert rules == preset("no", "world").rules


def test_a_change_that_contradicts_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="missions"):
        changed_rules(preset("no", "mission").rules, {"victory": "elimination"})


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("two_defence_dice_from", "2", 2),
        ("set_values", "rising", "rising"),
        ("witness", "true", True),
        ("deployment_batch", "5", 5),
        ("witness", "yes", "yes"),
        ("no_such_key", "2", "2"),
    ],
)
def test_a_value_is_read_as_it_is_written(key: str, text: str, value: object) -> None:
    found = value_from_text(key, text)
    assert found == value
    assert type(found) is type(value)


# ---- settings


def test_settings_have_defaults() -> None:
    assert Settings()._asdict() == {
        "deployment": "together",
        "deployment_batch": 0,
        "witness": False,
        "trusted_host": False,
        "start": "quick",
        "missed": "wait",
        "missed_limit": 0,
    }
    assert tuple(ALLOWED_SETTINGS) == Settings._fields


def test_settings_can_be_changed() -> None:
    settings = changed_settings(Settings(), {"witness": True, "missed_limit": 3})
    assert settings == Settings()._replace(witness=True, missed_limit=3)


@pytest.mark.parametrize(
    "change", [{"witness": 1}, {"deployment_batch": True}, {"missed_limit": -1}, {"start": "slow"}]
)
def test_a_setting_of_another_kind_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(UnreadableDocument, match="is not allowed"):
        changed_settings(Settings(), change)


def test_one_table_may_hold_switches_and_settings() -> None:
    rules = preset("de", "world").rules
    tree = {**rules._asdict(), **Settings(witness=True)._asdict()}
    assert rules_and_settings_from(tree) == (rules, Settings(witness=True))
    with pytest.raises(UnreadableDocument, match="missing"):
        rules_and_settings_from(rules._asdict())


# ---- constants


def test_initial_armies_go_by_the_number_of_players() -> None:
    assert INITIAL_ARMIES == {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}


def test_ex_11_the_seventh_and_eighth_set_bring_20_and_25() -> None:
    assert [rising_value(7), rising_value(8)] == [20, 25]


def test_ex_12_the_ninth_and_tenth_set_bring_30_and_35() -> None:
    assert [rising_value(9), rising_value(10)] == [30, 35]


def test_the_first_six_sets_rise_slowly() -> None:
    assert [rising_value(number) for number in range(1, 7)] == [4, 6, 8, 10, 12, 15]


# ---- presets


def test_every_variant_of_every_edition_can_be_read() -> None:
    assert [f"{edition}/{variant}" for edition, variant in ALL] == [
        "no/mission",
        "no/world",
        "no/capitals",
        "no/two",
        "no/mission+rising",
        "no/world+rising",
        "no/capitals+rising",
        "no/two+rising",
        "da/mission",
        "da/classic",
        "da/two",
        "da/hq",
        "da/hq_short",
        "sv/standard",
        "sv/dealt",
        "sv/connected",
        "sv/dealt_connected",
        "de/mission",
        "de/world",
    ]


@pytest.mark.parametrize(("edition", "variant"), ALL)
def test_no_preset_contradicts_itself(edition: str, variant: str) -> None:
    found = preset(edition, variant)
    assert contradictions(found.rules) == ()
    assert contradictions(found.rules_with_two) == ()
    assert set(found.doubtful) <= set(Rules._fields)


@pytest.mark.parametrize(
    ("edition", "variant", "players"),
    [
        ("no", "mission", (3, 6)),
        ("no", "capitals", (2, 6)),
        ("no", "two", (2, 2)),
        ("da", "mission", (3, 5)),
        ("da", "hq_short", (4, 5)),
        ("sv", "dealt", (2, 6)),
        ("de", "world", (3, 6)),
    ],
)
def test_presets_say_for_how_many_they_are(edition: str, variant: str, players: tuple[int, int]) -> None:
    assert preset(edition, variant).players == players


@pytest.mark.parametrize(
    ("edition", "variant", "key", "value"),
    [
        ("no", "mission", "win_timing", "own_turn"),
        ("no", "mission", "two_defence_dice_from", 3),
        ("no", "world+rising", "set_values", "rising"),
        ("no", "capitals", "capitals", "secret_sweep"),
        ("da", "mission", "elimination_trade", "forced_from_6_to_4"),
        ("da", "classic", "territory_allocation", "claim"),
        ("da", "two", "neutral_army", "n40_passive"),
        ("da", "hq_short", "capitals_to_win", "short"),
        ("sv", "standard", "minimum_reinforcement", "whole_income"),
        ("sv", "dealt_connected", "fortify", "connected"),
        ("de", "mission", "unnamed_attack_penalty", 3),
        ("de", "world", "mission_dealt", "none"),
    ],
)
def test_presets_have_the_switches_of_the_digest(edition: str, variant: str, key: str, value: object) -> None:
    assert getattr(preset(edition, variant).rules, key) == value


@pytest.mark.parametrize(
    ("edition", "variant", "needed"),
    [
        ("no", "capitals", {2: 2, 3: 2, 4: 3, 5: 3, 6: 4}),
        ("da", "hq", {3: 3, 4: 4, 5: 5}),
        ("da", "hq_short", {4: 3, 5: 4}),
    ],
)
def test_so_many_capitals_win_with_so_many_players(edition: str, variant: str, needed: dict[int, int]) -> None:
    """R-CAP-NO-07, R-HQ-DA-01, R-HQ-DA-04: one's own is counted."""
    rules = preset(edition, variant).rules
    assert {players: capitals_needed(rules, players) for players in needed} == needed


def test_capitals_for_two_have_a_neutral_army() -> None:
    capitals = preset("no", "capitals")
    assert capitals.rules_for(2).neutral_army == "n28_reinforced"
    assert capitals.rules_for(3).neutral_army == "none"


def test_a_switch_that_a_variant_fixes_is_no_longer_doubtful() -> None:
    assert "mission_dealt" in preset("da", "mission").doubtful
    assert "mission_dealt" not in preset("da", "classic").doubtful


def test_a_variant_that_is_none_is_refused_with_a_hint() -> None:
    with pytest.raises(UsageProblem) as caught:
        preset("sv", "delt")
    problem = caught.value.problems[0]
    assert problem.message.startswith('"delt" is no variant of "sv", which has standard, dealt')
    assert problem.hint == 'did you mean "dealt"?'
