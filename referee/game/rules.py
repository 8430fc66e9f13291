"""The rule switches, the settings of mail play, and the constants of the rules.

Every switch of RULES.md 20.1 is a field of `Rules` under the name it has there, so that a game file
can carry all of them by value. A switch without a meaning in a game is "none": `mission_dealt`
without missions, `capitals_to_win` without capitals. Contradictory switches are refused.
This module decides no rule: it says which rules hold.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, cast, get_args

from referee.errors import Problem, UnreadableDocument, raise_all
from referee.game.records import NamedTuple
from referee.game.trees import MOST, nearest_hint, shown, unknown_keys

TerritoryAllocation = Literal["deal", "claim"]
SetupPlacement = Literal["one_by_one", "bulk", "two_own_one_neutral"]
Starter = Literal["left_of_general", "highest_roll"]
MissionDeck = Literal["none", "classic14"]
MissionDealt = Literal["none", "before_territories", "after_placement"]
Victory = Literal["mission", "elimination", "capitals"]
WinTiming = Literal["own_turn", "any_time"]
MinimumReinforcement = Literal["territory_share", "whole_income"]
SetValues = Literal["fixed_by_symbol", "rising"]
TerritoryBonus = Literal["once_per_set", "each_card", "once_per_turn"]
EliminationTrade = Literal["none", "forced_from_6_to_4", "free"]
UsedCards = Literal["under_deck", "discard_pile"]
AttackStrength = Literal["armies_then_dice", "dice_are_armies"]
TwoDefenceDiceFrom = Literal[3, 2]
DefenceDice = Literal["defender_chooses", "maximum"]
FortifyReach = Literal["adjacent", "connected", "anywhere"]
UnnamedAttackPenalty = Literal[0, 3]
NeutralArmy = Literal["none", "n28_reinforced", "n40_passive"]
Capitals = Literal["none", "secret_sweep", "revealed"]
CapitalsToWin = Literal["none", "incl_own_2_3_4", "all_enemy", "short"]
SetCounter = Literal["global", "per_player"]
MissionColourLostToOther = Literal["counts_as_done", "fallback_24"]
OwnColourMission = Literal["fallback_24", "redraw"]
ForcedTradeDown = Literal["one_set", "below_limit"]


class Rules(NamedTuple):
    """Every switch of RULES.md 20.1, then the reading switches, with their default."""

    territory_allocation: TerritoryAllocation
    setup_placement: SetupPlacement
    setup_first: Starter
    first_turn: Starter
    mission_deck: MissionDeck
    mission_dealt: MissionDealt
    victory: Victory
    win_timing: WinTiming
    minimum_reinforcement: MinimumReinforcement
    set_values: SetValues
    territory_bonus: TerritoryBonus
    elimination_trade: EliminationTrade
    used_cards: UsedCards
    attack_strength: AttackStrength
    two_defence_dice_from: TwoDefenceDiceFrom
    defence_dice: DefenceDice
    fortify: FortifyReach
    unnamed_attack_penalty: UnnamedAttackPenalty
    neutral_army: NeutralArmy
    capitals: Capitals
    capitals_to_win: CapitalsToWin
    set_counter: SetCounter = "global"
    mission_colour_lost_to_other: MissionColourLostToOther = "counts_as_done"
    own_colour_mission: OwnColourMission = "fallback_24"
    forced_trade_down: ForcedTradeDown = "one_set"


class Settings(NamedTuple):
    """How a game is played by mail (DESIGN sections 4 to 6); 0 stands for "all" and "never"."""

    deployment: Literal["together", "in_turn"] = "together"
    deployment_batch: int = 0
    witness: bool = False
    trusted_host: bool = False
    start: Literal["quick", "careful"] = "quick"
    missed: Literal["wait", "standing", "default"] = "wait"
    missed_limit: int = 0


def _allowed(values: Any) -> Sequence[str | int]:
    """Return the values of a field by its type: a choice, a flag, or a count."""
    if values is bool:
        return (False, True)
    return range(MOST + 1) if values is int else cast("tuple[str | int, ...]", get_args(values))


ALLOWED: Mapping[str, Sequence[str | int]] = {key: _allowed(values) for key, values in Rules.__annotations__.items()}
"""The values that each switch may have."""

ALLOWED_SETTINGS: Mapping[str, Sequence[str | int]] = {
    key: _allowed(values) for key, values in Settings.__annotations__.items()
}
"""The values that each setting may have."""

# ---- constants (RULES.md 20.1)

INITIAL_ARMIES: Mapping[int, int] = {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}
"""Armies of each player at the start, by the number of players (R-SETUP-01, -02)."""

NEUTRAL_ARMIES: Mapping[NeutralArmy, int] = {"none": 0, "n28_reinforced": 28, "n40_passive": 40}
"""Armies of the neutral army at the start (R-2P-NO-04, R-2P-DA-05)."""

CAPITALS_INCLUDING_OWN: Mapping[int, int] = {2: 2, 3: 2, 4: 3, 5: 3, 6: 4}
"""Capitals to hold, one's own included, by the number of players (R-CAP-NO-07)."""

ENEMY_CAPITALS_SHORT: Mapping[int, int] = {4: 2, 5: 3}
"""Enemy capitals to hold in the shortened game, by the number of players; all of them with others (R-HQ-DA-04)."""

MOST_ATTACKERS = 3
MOST_DEFENDERS = 2
TERRITORIES_PER_ARMY = 3
MINIMUM_REINFORCEMENT = 3
FORCED_TRADE_FROM = 5
WINDFALL_TRADE_FROM = 6
WINDFALL_TRADE_DOWN_TO = 4
CARDS_IN_SET = 3
BONUS_ARMIES = 2

FIXED_VALUES: Mapping[str, int] = {"infantry": 4, "cavalry": 6, "artillery": 8}
"""Worth of three cards of one symbol on the fixed scale (R-CARD-03)."""

ONE_OF_EACH_VALUE = 10
RISING_SCALE = (4, 6, 8, 10, 12, 15)
RISING_STEP = 5


def rising_value(number: int) -> int:
    """Return the worth of the `number`-th set traded, from 1 (R-CARD-04)."""
    if number <= len(RISING_SCALE):
        return RISING_SCALE[number - 1]
    return RISING_SCALE[-1] + RISING_STEP * (number - len(RISING_SCALE))


def capitals_needed(rules: Rules, players: int) -> int:
    """Return how many capitals must be held to win, one's own included, in a game begun by so many players."""
    if rules.capitals_to_win == "incl_own_2_3_4":
        return CAPITALS_INCLUDING_OWN[players]
    if rules.capitals_to_win == "short" and players in ENEMY_CAPITALS_SHORT:
        return 1 + ENEMY_CAPITALS_SHORT[players]
    return players


# ---- from trees


def rules_from(tree: Mapping[str, Any], path: str = "rules.") -> Rules:
    """Return the rules in a table of all switches; UnreadableDocument with all that is wrong."""
    raise_all(UnreadableDocument, _problems(tree, ALLOWED, path, whole=True))
    return _consistent(Rules(**tree), path)


def rules_and_settings_from(tree: Mapping[str, Any], path: str = "rules.") -> tuple[Rules, Settings]:
    """Return both from the one table of a document; UnreadableDocument with all that is wrong.

    In a row of files the same table comes again and again; true is no 1, so the types tell tables apart, too.
    """
    items = (*tree.items(), *map(type, tree.values()))
    try:
        hash(items)
    except TypeError:  # a list, say: it is refused
        return _rules_and_settings(tree, path)
    return _kept(items, path)


@lru_cache(maxsize=4)
def _kept(items: tuple[Any, ...], path: str) -> tuple[Rules, Settings]:
    return _rules_and_settings(dict(items[: len(items) // 2]), path)


def _rules_and_settings(tree: Mapping[str, Any], path: str) -> tuple[Rules, Settings]:
    allowed = {**ALLOWED, **ALLOWED_SETTINGS}
    raise_all(UnreadableDocument, _problems(tree, allowed, path, whole=True))
    rules = _consistent(Rules(**{key: tree[key] for key in ALLOWED}), path)
    return rules, Settings(**{key: tree[key] for key in ALLOWED_SETTINGS})


def changed_rules(rules: Rules, changes: Mapping[str, Any], path: str = "rules.") -> Rules:
    """Return rules with some switches set otherwise; UnreadableDocument with all that is wrong.

    A switch that a change leaves without a meaning becomes "none" if the changes do not name it.
    """
    raise_all(UnreadableDocument, _problems(changes, ALLOWED, path))
    changed = rules._replace(**changes)
    if changed.mission_deck == "none" and "mission_dealt" not in changes:
        changed = changed._replace(mission_dealt="none")
    if changed.capitals == "none" and "capitals_to_win" not in changes:
        changed = changed._replace(capitals_to_win="none")
    return _consistent(changed, path)


def changed_settings(settings: Settings, changes: Mapping[str, Any], path: str = "") -> Settings:
    """Return settings with some set otherwise; UnreadableDocument with all that is wrong."""
    raise_all(UnreadableDocument, _problems(changes, ALLOWED_SETTINGS, path))
    return settings._replace(**changes)


def value_from_text(key: str, text: str) -> str | int:
    """Return the value of a switch or setting that is written like this, such as `2` or `true`.

    What is written like no value comes back as it is, for the check of the whole to refuse.
    """
    allowed = ALLOWED.get(key) or ALLOWED_SETTINGS.get(key, ())
    return next((value for value in allowed if _written(value) == text), text)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _problems(
    tree: Mapping[str, Any],
    allowed: Mapping[str, Sequence[str | int]],
    path: str,
    *,
    whole: bool = False,
) -> list[Problem]:
    """Return a problem for each unknown key and each value not allowed; of a whole, for each gap.

    A boolean is no number here: True is not 1.
    """
    found: list[Problem] = []
    unknown = frozenset(unknown_keys(tree, allowed))
    for key, value in tree.items():
        if key in unknown:
            hint = nearest_hint(key, allowed)
            found.append(Problem("rule-unknown", f'"{key}" is no switch', path + key, hint))
        elif key in allowed and (value not in allowed[key] or type(value) is not type(allowed[key][0])):
            message = f"{shown(value)} is not allowed, but {_listed(allowed[key])}"
            known = [] if isinstance(allowed[key], range) else [_written(one) for one in allowed[key]]
            hint = "" if _written(value) in known else nearest_hint(_written(value), known)
            found.append(Problem("rule-value", message, path + key, hint))
    gaps = [key for key in allowed if key not in tree] if whole else []
    return [*found, *(Problem("rule-missing", "missing", path + key) for key in gaps)]


def _listed(values: Sequence[str | int]) -> str:
    if isinstance(values, range):
        return f"a number from {values[0]} to {values[-1]}"
    return " or ".join(_written(value) for value in values)


def _consistent(rules: Rules, path: str) -> Rules:
    raise_all(UnreadableDocument, contradictions(rules, path))
    return rules


def unfit_for(rules: Rules, fewest: int, most: int, path: str = "rules.") -> tuple[Problem, ...]:
    """Return a problem for every switch that makes no game of so many players."""
    found = []
    if rules.neutral_army != "none" and most > 2:
        message = f"the neutral army is for two players (R-2P-NO-05, R-2P-DA-02), not for {most}"
        found.append(Problem("rule-players", message, f"{path}neutral_army"))
    wrong = [n for n in range(fewest, most + 1) if n not in ENEMY_CAPITALS_SHORT]
    if rules.capitals_to_win == "short" and wrong:
        message = f"the shortened game is for four or five players (R-HQ-DA-04), not for {wrong[0]}"
        found.append(Problem("rule-players", message, f"{path}capitals_to_win"))
    return tuple(found)


def contradictions(rules: Rules, path: str = "rules.") -> tuple[Problem, ...]:
    """Return a problem for every two switches that cannot both hold.

    What hangs on the number of players is not asked here.
    """
    missions, capitals = rules.mission_deck != "none", rules.capitals != "none"
    neutral = rules.neutral_army != "none"
    by_twos = rules.setup_placement == "two_own_one_neutral"
    checks = (
        (
            missions == (rules.victory == "mission"),
            "mission_deck",
            "there are missions if, and only if, victory is by mission (R-MIS-01)",
            "mission_deck=classic14 goes with victory=mission, mission_deck=none with any other",
        ),
        (
            missions == (rules.mission_dealt != "none"),
            "mission_dealt",
            'it is "none" if, and only if, there are no missions (R-SETUP-14)',
            "mission_dealt=before_territories or after_placement, with missions",
        ),
        (
            capitals == (rules.victory == "capitals"),
            "capitals",
            "there are capitals if, and only if, victory is by capitals (R-WIN-07)",
            "capitals=secret_sweep or revealed goes with victory=capitals, capitals=none with any other",
        ),
        (
            capitals == (rules.capitals_to_win != "none"),
            "capitals_to_win",
            'it is "none" if, and only if, there are no capitals (R-WIN-07)',
            "capitals_to_win=incl_own_2_3_4, all_enemy or short, with capitals",
        ),
        (
            not (neutral and missions),
            "neutral_army",
            "beside a neutral army there are no missions (R-2P-NO-03, R-2P-DA-02)",
            "mission_deck=none and victory=elimination",
        ),
        (
            not neutral or rules.territory_allocation == "deal",
            "territory_allocation",
            "with a neutral army territories are dealt (R-2P-NO-05, R-2P-DA-02)",
            "territory_allocation=deal",
        ),
        (
            by_twos == (rules.neutral_army == "n40_passive"),
            "setup_placement",
            "two_own_one_neutral and a neutral army of 40 go together (R-2P-DA-06)",
            "setup_placement=two_own_one_neutral and neutral_army=n40_passive, both or neither",
        ),
    )
    return tuple(
        Problem("rule-contradiction", message, path + key, hint) for holds, key, message, hint in checks if not holds
    )
