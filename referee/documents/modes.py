"""The modes of a game: who runs it, whether he plays, and what is forced by that (DESIGN sections 4 to 6).

    hosted      a host who does not play; what is secret is safe with him
    plays       a host who plays: nobody keeps secrets, hands lie open, and nobody rolls alone for himself
    trusted     a host who plays and is trusted with all secrets (`trusted_host`)
    table       no host

What is forced is refused otherwise when an invitation is read, and when a game file is.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from referee.errors import Problem
from referee.game.rules import Rules, Settings

Mode = Literal["hosted", "plays", "trusted", "table"]

OF_A_TABLE_GAME: Mapping[str, str] = {"start": "careful", "deployment": "in_turn"}
"""Settings that a table game has always: nobody is there who could roll alone, or open what is sealed."""

FORCED: Mapping[Mode, Mapping[str, str]] = {
    "hosted": {},
    "plays": OF_A_TABLE_GAME,
    "trusted": {"start": "careful"},
    "table": OF_A_TABLE_GAME,
}
"""The settings that cannot be otherwise in a mode."""

_WHERE: Mapping[Mode, str] = {
    "hosted": "",
    "plays": "where the host plays",
    "trusted": "where the host plays",
    "table": "in a table game",
}
_AT_A_TABLE = (
    ("mission_deck", "none", "missions are secret, and in a table game nobody is there who could deal them"),
    ("capitals", "secret_sweep", "capitals are secret, and in a table game nobody is there who could keep them"),
    ("trusted_host", False, "there is no host in a table game"),
    ("witness", False, "there is no host in a table game against whom one were needed"),
)
_ALL_THE_SAME = "trusted_host=true deals them all the same, and says so in every report"
_IF_HE_PLAYS = (
    ("mission_deck", "none", f"missions are secret, and a host who plays would know them; {_ALL_THE_SAME}"),
    ("capitals", "secret_sweep", "capitals are secret, and a host who plays would know them; see trusted_host=true"),
)


def mode_of(hosted: bool, plays: bool, trusted: bool) -> Mode:
    """Return the mode of a game."""
    if not hosted:
        return "table"
    if not plays:
        return "hosted"
    return "trusted" if trusted else "plays"


def lies_open(mode: Mode) -> bool:
    """Say whether nobody keeps secrets in a mode."""
    return mode in ("plays", "table")


def why_not_in_mode(
    rules: Rules, settings: Settings, hosted: bool, plays: bool, path: str = "rules."
) -> tuple[Problem, ...]:
    """Return why a game cannot be played so: somebody would have to keep a secret, to be trusted, or is not there."""
    mode = mode_of(hosted, plays, settings.trusted_host)
    wrong = tuple(_wrong(rules, settings, mode))
    if mode == "table":
        return tuple(Problem("no-table-game", why, f"{path}{key}") for key, why in wrong)
    return tuple(Problem("host-plays", why, f"{path}{key}") for key, why in wrong)


def _wrong(rules: Rules, settings: Settings, mode: Mode) -> Iterator[tuple[str, str]]:
    has: Mapping[str, Any] = {**rules._asdict(), **settings._asdict()}
    for key, value in FORCED[mode].items():
        if has[key] != value:
            yield key, f"must be {value} {_WHERE[mode]}"
    for key, fixed, why in {"table": _AT_A_TABLE, "plays": _IF_HE_PLAYS}.get(mode, ()):
        if (has[key] == fixed) == (key == "capitals"):
            yield key, why
    if mode == "hosted" and settings.trusted_host:
        yield "trusted_host", "is for a host who plays, and this one does not"


def why_no_table_game(rules: Rules, settings: Settings, path: str = "rules.") -> tuple[Problem, ...]:
    """Return why a game cannot be played without a host."""
    return why_not_in_mode(rules, settings, hosted=False, plays=False, path=path)
