"""Choosing a game by options: edition and variant, how many players, switches of the rules, settings of mail play."""

from collections.abc import Sequence

from referee import data
from referee.documents.modes import FORCED, mode_of, why_not_in_mode
from referee.errors import Problem, RefereeError, UsageProblem, raise_all
from referee.game.presets import Preset, preset_from
from referee.game.rules import (
    ALLOWED,
    ALLOWED_SETTINGS,
    Rules,
    Settings,
    changed_rules,
    changed_settings,
    unfit_for,
    value_from_text,
)
from referee.game.trees import nearest_hint

EDITIONS = ("no", "da", "sv", "de")


def chosen_preset(edition: str, variant: str) -> Preset:
    """Return a variant of an edition, its base game if none is named; UsageProblem if there is no such game."""
    if edition not in EDITIONS:
        message = f'"{edition}" is no edition, but {", ".join(EDITIONS)} are'
        raise UsageProblem(Problem("edition", message, "--edition", nearest_hint(edition, EDITIONS)))
    tree = data.tree(f"editions/{edition}.toml")
    return preset_from(tree, variant or next(iter(tree["variants"])))


def chosen_numbers(text: str, preset: Preset) -> tuple[int, int]:
    """Return the fewest and the most players that are wanted, within what the variant is for.

    Where two players play by other rules than more do, they are a game of their own, and more are taken for granted.
    """
    fewest, most = preset.players
    apart = fewest == 2 < most and preset.rules != preset.rules_with_two
    if not text:
        return (3, most) if apart else (fewest, most)
    parts = text.split("-")
    if len(parts) > 2 or not all(part.isdecimal() and part.isascii() and len(part) == 1 for part in parts):
        raise UsageProblem(Problem("players", f'"{text}" is no number like 4 or 3-5', "--players"))
    low, high = int(parts[0]), int(parts[-1])
    if not fewest <= low <= high <= most:
        number = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
        raise UsageProblem(Problem("players", f"this game is for {number}", "--players"))
    if apart and low == 2 < high:
        hint = f"say 2, or 3-{high}" if high > 3 else "say 2 or 3"
        raise UsageProblem(Problem("players", "with two players the rules are others", "--players", hint))
    return low, high


def chosen_switches(
    preset: Preset, numbers: tuple[int, int], given: Sequence[str], table: bool = False, plays: bool = False
) -> tuple[Rules, Settings]:
    """Return the rules and settings of a preset with those changed that are given as KEY=VALUE.

    Those of a table game must do without a host, those of a host who plays without secrets, if he is not trusted.
    UsageProblem with all that is wrong: unknown keys, keys given twice, values not allowed, contradictions.
    """
    changes: dict[str, dict[str, str | int]] = {"rules": {}, "settings": {}}
    problems: list[Problem] = []
    for text in given:
        name, equals, value = text.partition("=")
        known = {**ALLOWED, **ALLOWED_SETTINGS}
        kind = changes["rules" if name in ALLOWED else "settings"]
        if name not in known:
            message = f'"{name}" is no switch of the rules and no setting of mail play'
            problems.append(Problem("rule", message, "--rule", nearest_hint(name, known)))
        elif not equals:
            problems.append(Problem("rule", f'"{text}" says no value', "--rule", f"such as {name}={_example(name)}"))
        elif name in kind:
            problems.append(Problem("rule", f'"{name}" is given twice', "--rule"))
        else:
            kind[name] = value_from_text(name, value)
    if problems:
        raise UsageProblem(*problems)
    try:
        rules = changed_rules(preset.rules_for(numbers[0]), changes["rules"], "--rule ")
        mode = mode_of(not table, plays, changes["settings"].get("trusted_host") is True)
        usual = changed_settings(Settings(), FORCED[mode])
        settings = changed_settings(usual, changes["settings"], "--rule ")
    except RefereeError as error:
        raise UsageProblem(*error.problems) from None
    unfit = unfit_for(rules, *numbers, "--rule ")
    raise_all(UsageProblem, why_not_in_mode(rules, settings, not table, plays, "--rule "))
    if unfit:
        hint = _fitting(rules, preset)
        raise UsageProblem(*(problem._replace(hint=hint) for problem in unfit))
    return rules, settings


def _fitting(rules: Rules, preset: Preset) -> str:
    """Return the option for the numbers of players that the rules are for, or nothing if they are for none."""
    fewest, most = preset.players
    fitting = [number for number in range(fewest, most + 1) if not unfit_for(rules, number, number)]
    return f"--players {'-'.join(map(str, dict.fromkeys((fitting[0], fitting[-1]))))}" if fitting else ""


def _example(name: str) -> str:
    """Return some value of a switch or setting, as it is written."""
    allowed = ALLOWED.get(name) or ALLOWED_SETTINGS[name]
    return str(allowed[3] if isinstance(allowed, range) else allowed[-1]).lower()
