"""Cases of game files and of encodings: recipes that say what is changed in a good file."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, open_game
from referee.documents.layout import table_text
from referee.documents.resolve import resolve
from referee.documents.signing import read
from referee.documents.verify import verify_first, verify_next
from support.filling import Case, before, case, whole
from support.openings import (
    PLAYERS,
    ROOT,
    begun,
    opened,
    opened_table,
    written_by,
)
from support.positions import (
    choices,
    deployments,
    fixed,
    good,
    handed_in,
    head_of,
    played,
    position,
    resignation,
    reveal_of,
    signed_again,
    substitution,
    vote,
)
from support.seats import PERSON
from support.table import HOST, key_of

GAME_KEYS = ("base", "read", "signed", "change")
CHANGE_KEYS = ("at", "to", "drop", "copy", "insert", "add")
ENCODING_KEYS = ("base", "encoding", "prefix", "change")
MOST = 1 << 24


class Base(NamedTuple):
    """A good game file and the one before it, which is None for a first file."""

    before: GameFile | None
    file: GameFile


def _base(name: str, *texts: str, missed: tuple[str, ...] = ()) -> Base:
    return Base(position(name), played(name, texts, missed))


BASES: Mapping[str, Callable[[], Base]] = {
    "first": lambda: Base(None, position("start")),
    "placed": lambda: _base("start", *deployments(position("start"))),
    "battle": lambda: _base("turn", fixed("orders/whole-turn")),
    "changes": lambda: _base("turn", good(), fixed("standing/whole"), fixed("resign/of-another")),
    "missed": lambda: _base("five-cards", missed=("kari",)),
    "rolled": lambda: _rolled(),
    "chosen": lambda: _base("choosing", *choices(position("choosing"))),
    "fallen": lambda: _base("before-the-fall", fixed("orders/take-a-capital")),
    "drawn": lambda: _base("turn", good(), *(vote(player, position("turn")) for player in PLAYERS)),
    "plan": lambda: _plan(),
    "seats": lambda: _base("turn", good(), *_texts(substitution("ola", position("turn"))), fixed("act/deadline")),
    "seated": lambda: _base("turn", good(by=PERSON), *_texts(substitution("kari", position("turn")))),
    "table": lambda: Base(position("table"), handed_in(position("table"), [good("table")])),
    "table-first": lambda: Base(None, begun(opened_table())),
    "ranked": lambda: Base(position("table-start"), handed_in(position("table-start"), [_ranked()])),
    "won": lambda: _base("ola-left", good("ola-left"), resignation("per", position("ola-left"))),
}
"""By name: good game files that recipes spoil."""


def _ranked() -> str:
    file = position("table-start")
    player = file.game.state.acting[0]
    return written_by({**head_of(file, player), "claim": ["iceland", "alaska"]}, player)


def _texts(rows: Sequence[tuple[str, str]]) -> list[str]:
    return [text for _, text in rows]


def _plan() -> Base:
    """A missed turn with attacks, for which the next player has added his link."""
    file = position("with-a-plan")
    return _base("with-a-plan", reveal_of("ola", file, ()), missed=("kari",))


def _rolled() -> Base:
    file = position("rolled-start")
    orders = deployments(file, ("kari", "ola"))
    reveals = [reveal_of(name, file, orders) for name in ("kari", "ola")]
    return _base("rolled-start", *orders, *reveals, missed=("per",))


def _expect(table: Mapping[str, Any], keys: Sequence[str], path: Path) -> None:
    extra = sorted(set(table) - set(keys))
    assert not extra, f"{path}: {extra[0]} is no key of a recipe"


@cache
def base(name: str) -> Base:
    """Return a good game file with its predecessor."""
    return BASES[name]()


def run_game(one: Case) -> GameFile:
    """Spoil a good game file as the recipe says, sign it as its host would, and read or verify it."""
    recipe = tomllib.loads(one.text)
    _expect(recipe, GAME_KEYS, one.path)
    good_one = base(recipe.get("base", "battle"))
    text = spoilt(good_one.file.text, recipe.get("change", []), recipe.get("signed", True), one.path)
    return verdict(good_one, text.encode(), recipe.get("read", "verify"), one.file)


def verdict(good_one: Base, text: bytes, how: str, file: str) -> GameFile:
    """Read (`open`) or verify a file in the place of a good one."""
    if how == "open":
        return open_game(text, board_by_name, file)
    if good_one.before is None:
        return verify_first(text, file).file
    return verify_next(good_one.before, text, file).file


def spoilt(text: str, changes: Sequence[Mapping[str, Any]], signed: bool, path: Path) -> str:
    """Return a game file with changes, signed again or with its old signature."""
    tree = tomllib.loads(text)
    for change in changes:
        _expect(change, CHANGE_KEYS, path)
        _change(tree, change)
    if not signed:
        return table_text({k: v for k, v in tree.items() if k != "signature"}) + table_text(
            {"signature": tree["signature"]} if "signature" in tree else {}
        )
    return signed_again(tree)


def _change(tree: Any, change: Mapping[str, Any]) -> None:
    *way, last = _steps(change["at"])
    place = tree
    for step in way:
        place = place[_index(place, step)]
    last = _index(place, last)
    if "drop" in change:
        del place[last]
    elif "copy" in change:
        place.insert(last, place[last])
    elif "insert" in change:
        place.insert(last, change["insert"])
    elif "add" in change:
        place[last] += change["add"]
    else:
        place[last] = change["to"]


def _steps(path: str) -> list[str]:
    return re.findall(r"[^.\[\]]+", path)


def _index(place: Any, step: str) -> Any:
    """Return the key or number that a step means: `[3]` counts from 1, `[battle_fought]` is the first of that kind."""
    if isinstance(place, list):
        if step.isdecimal():
            return int(step) - 1
        return next(number for number, entry in enumerate(place) if entry.get("kind") == step)
    return step


def run_encoding(one: Case) -> GameFile:
    """Spoil the bytes of a good document, and hand it in."""
    recipe = tomllib.loads(one.text)
    _expect(recipe, ENCODING_KEYS, one.path)
    origin = case(ROOT / "valid" / f"{recipe['base']}.toml")
    text = whole(origin)
    for change in recipe.get("change", []):
        assert change["find"] in text, f"{one.path}: {change['find']!r} is not there"
        text = text.replace(change["find"], change["by"] * change.get("times", 1), 1)
        assert len(text) < MOST
    data = bytes.fromhex(recipe.get("prefix", "")) + text.encode(recipe.get("encoding", "utf-8"))
    made = resolve(before(origin), [read(data, one.file)], key_of(HOST))
    return opened(made)
