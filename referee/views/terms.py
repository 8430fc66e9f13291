"""What a game is played by: edition, variant, switches, settings, players; and what of it is not as in the edition.

The terms come from a preset, an invitation or a game file. An invitation and a game file carry every switch by value,
so they have their own values whatever the edition's data file says today.
"""

from collections.abc import Mapping

from referee import data
from referee.documents.gamefile import Game
from referee.documents.modes import FORCED, Mode, lies_open, mode_of
from referee.errors import RefereeError
from referee.game.presets import Preset, preset_from
from referee.game.records import NamedTuple
from referee.game.rules import Rules, Settings
from referee.views.language import Facts, Language
from referee.views.text import wrapped
from referee.views.voice import Voice

Deviations = Mapping[str, tuple[str | int, str | int]]
"""By switch or setting: what it is in this game, and what the edition has (a setting: what is usual)."""

TOLD = ("missed", "missed_limit", "trusted_host")
"""Settings that an invitation and the report of a start tell in any case."""


class Terms(NamedTuple):
    """What a game is played by; `players` are the fewest and the most, `preset` is None if the edition has none.

    In a `mode` other settings are usual than in the others.
    """

    edition: str
    variant: str
    rules: Rules
    settings: Settings
    players: tuple[int, int]
    preset: Preset | None
    mode: Mode = "hosted"

    @property
    def openly(self) -> bool:
        """Say whether nobody keeps secrets."""
        return lies_open(self.mode)

    def value_of(self, key: str) -> str | int:
        """Return the value of a switch or a setting."""
        found: str | int = getattr(self.rules if key in Rules._fields else self.settings, key)
        return found

    @property
    def usual(self) -> Rules | None:
        """The rules of the edition for so many players, if it is known here."""
        return self.preset.rules_for(self.players[0]) if self.preset else None


def terms_of(
    edition: str, variant: str, rules: Rules, settings: Settings, players: tuple[int, int], mode: Mode = "hosted"
) -> Terms:
    """Return the terms of a game whose edition may be one that is not known here."""
    try:
        preset = preset_from(data.tree(f"editions/{edition}.toml"), variant)
    except (RefereeError, FileNotFoundError):
        preset = None
    return Terms(edition, variant, rules, settings, players, preset, mode)


def terms_of_game(game: Game) -> Terms:
    """Return the terms of a game that is played."""
    state, number = game.state, len(game.state.players)
    mode = mode_of(game.host is not None, bool(game.host_seat), state.settings.trusted_host)
    return terms_of(game.edition, game.variant, state.rules, state.settings, (number, number), mode)


def deviations(terms: Terms) -> dict[str, tuple[str | int, str | int]]:
    """Return the switches that are not those of the edition, if it is known, and the settings that are not usual."""
    usual = terms.usual._asdict() if terms.usual else {}
    usual |= Settings()._asdict() | dict(FORCED[terms.mode])
    return {key: (terms.value_of(key), value) for key, value in usual.items() if terms.value_of(key) != value}


def deviations_tree(terms: Terms) -> dict[str, dict[str, str | int]]:
    """Return the deviations for programs."""
    return {key: {"here": here, "edition": there} for key, (here, there) in deviations(terms).items()}


def edition_line(game: Game, voice: Voice) -> list[str]:
    """Return what game it is and who hosts it, or who opened it."""
    edition, variant = edition_named(game.edition, game.variant, voice.language)
    letters = voice.language.letters
    if game.host is not None:
        facts: Facts = {"edition": edition, "variant": variant, "host": letters(game.host.name)}
        if game.host.plays_himself:
            return wrapped(voice.say("edition_plays", player=voice.player(game.host.plays), **facts), "  ")
        return wrapped(voice.say("edition", **facts), "  ")
    opener = voice.player(game.opener)
    return wrapped(voice.say("edition_table", edition=edition, variant=variant, opener=opener), "  ")


def edition_named(edition: str, variant: str, language: Language) -> tuple[str, str]:
    """Return what an edition and a variant are called; those that are not known here by their ids."""
    words = language.words
    base, _, option = variant.partition("+")
    named = words["variants"].get(f"{edition}-{base}", base)
    if option:
        named = f"{named}, {words['options'].get(option, option)}"
    return words["editions"].get(edition, language.letters(edition)), language.letters(named)
