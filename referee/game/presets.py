"""Presets: the games that an edition's rule book describes, from the tree of its data file.

An edition is its column of RULES.md 20.2 and its variants are changes to it (20.3). An option is a
change that goes with any variant; it is named after a plus sign, `world+rising`. A preset only
proposes: a game carries every switch by value, so that a corrected data file changes no running
game. The reading switches have the same default in every edition, so no edition names them.
"""

from collections.abc import Mapping
from typing import Any

from referee.errors import Problem, UnreadableDocument, UsageProblem, raise_all
from referee.game.records import NamedTuple
from referee.game.rules import Rules, changed_rules, rules_from
from referee.game.trees import TreeReader, nearest_hint

FORMAT = "referee/edition/1"


class Preset(NamedTuple):
    """One game of one rule book; `players` are the fewest and the most.

    `doubtful` names the switches on which the book is silent, lost or open to doubt.
    """

    edition: str
    variant: str
    title: str
    source: str
    players: tuple[int, int]
    rules: Rules
    rules_with_two: Rules
    doubtful: tuple[str, ...]

    def rules_for(self, players: int) -> Rules:
        """Return the rules for a number of players; a variant may add a neutral army for two."""
        return self.rules_with_two if players == 2 else self.rules


def variants_of(tree: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the variants of an edition, the base game first, then each with each option."""
    variants = tuple(tree["variants"])
    options = tuple(tree.get("options", ()))
    return (*variants, *(f"{variant}+{option}" for option in options for variant in variants))


def preset_from(tree: Mapping[str, Any], variant: str) -> Preset:
    """Return a variant of an edition; UsageProblem if it has none of that name."""
    if variant not in variants_of(tree):
        raise UsageProblem(_no_such_variant(tree, variant))
    name, _, option = variant.partition("+")
    path = f"variants.{name}."
    reader = TreeReader("edition")
    _check_keys(reader, tree, path, tree["variants"][name])
    entry = tree["variants"][name]
    parts = (entry, tree["options"][option]) if option else (entry,)
    changes = {key: value for part in parts for key, value in part.get("rules", {}).items()}
    column = rules_from({**tree.get("rules", {}), **Rules._field_defaults})
    rules = changed_rules(column, changes, path)
    doubtful = reader.texts(tree, "doubtful", "")
    sources = (tree, *parts)
    found = Preset(
        edition=reader.id(tree, "name", ""),
        variant=variant,
        title=", ".join(reader.text(part, "title", path) for part in parts),
        source=", ".join(dict.fromkeys(reader.text(part, "source", path) for part in sources)),
        players=_players(reader, entry, path),
        rules=rules,
        rules_with_two=changed_rules(column, {**changes, **entry.get("rules_with_two", {})}, path),
        doubtful=(
            *(key for key in doubtful if getattr(rules, key) == getattr(column, key)),
            *reader.texts(entry, "doubtful", path),
        ),
    )
    raise_all(UnreadableDocument, reader.problems)
    return found


def _check_keys(reader: TreeReader, tree: Mapping[str, Any], path: str, entry: Mapping[str, Any]) -> None:
    """Note unknown and missing keys of an edition and of the variant that is wanted."""
    needed = ("format", "name", "title", "source", "doubtful", "rules", "variants")
    reader.expect_keys(tree, "", needed, ("options",))
    if tree.get("format") != FORMAT:
        reader.wrong("format", "format", f'the format of an edition is "{FORMAT}"')
    known = ("title", "source", "players")
    reader.expect_keys(entry, path, known, ("rules", "rules_with_two", "doubtful"))


def _players(reader: TreeReader, entry: Mapping[str, Any], path: str) -> tuple[int, int]:
    """Return the fewest and the most players."""
    match entry.get("players"):
        case [int(fewest), int(most)] if 2 <= fewest <= most:
            return fewest, most
    reader.wrong("players", f"{path}players", "must be the fewest and the most players")
    return 0, 0


def _no_such_variant(tree: Mapping[str, Any], variant: str) -> Problem:
    known = variants_of(tree)
    message = f'"{variant}" is no variant of "{tree["name"]}", which has {", ".join(known)}'
    return Problem("edition-no-variant", message, hint=nearest_hint(variant, known))
