"""The values of a game file whose tables have the right shape: names, titles, keys, commitments, boxes, numbers.

What is asked here is what everybody who uses the game takes for granted: that a name is fit for a file, a title stays
on its line, a key is one, and no number is so large that reckoning with it takes long. Whether the values are true is
asked in `verify`; whether a key is weak is asked where it is used.
"""

from collections.abc import Collection, Mapping
from typing import Any, get_args

from referee.documents.base64 import are_binary
from referee.documents.chains import LENGTH
from referee.documents.gameshape import Reader
from referee.game.board import Board
from referee.game.events import Decider
from referee.game.orders import NEUTRAL
from referee.game.trees import ID

LANGUAGES = ("en", "nb", "da", "sv", "de")
LONGEST_TITLE = 60

CHANGED_BY = get_args(Decider)

MOST_TURNS = 1_000_000
MOST_ARMIES = 100_000
"""On one territory: no game of 4,096 links comes near, and a battle of so many is still fought in seconds."""
MOST_TO_PLACE = 1_000
"""Left to deploy by one player: the rules give 40 at most."""
MOST_SETS = 10_000
"""Of sets traded and of missed turns; what a set is worth grows with them."""
MOST_LUCK = 1 << 52
"""Half of what a document can hold, so that a turn can be added."""

_LIMITS = (
    ("missed", MOST_SETS), ("sets_traded", MOST_SETS), ("to_place", MOST_TO_PLACE),
    ("out_turn", MOST_TURNS),
)  # fmt: skip


def is_title(text: str) -> bool:
    """Say whether a text is one line of a length that fits beside others."""
    return len(text) <= LONGEST_TITLE and "\n" not in text and "\t" not in text


def check_values(reader: Reader, tree: Mapping[str, Any], board: Board) -> None:
    """Check the values of a game file; what is wrong is kept in the reader."""
    _check_head(reader, tree)
    for player, table in tree["players"].items():
        _check_player(reader, table, f"players.{player}.", board)
    _check_keys(reader, tree)
    armies = tree["armies"]
    if armies and max(armies.values()) > MOST_ARMIES:
        reader.wrong("armies", f"must be at most {MOST_ARMIES}")
    for player, table in tree["luck"].items():
        if max(max(table["faces"]), *[n for n in table.values() if type(n) is int]) > MOST_LUCK:
            reader.wrong(f"luck.{player}", f"must be at most {MOST_LUCK}")


def _check_head(reader: Reader, tree: Mapping[str, Any]) -> None:
    host, edition = tree.get("host"), tree["edition"]
    ids = [("game", tree["game"]), ("edition.name", edition["name"])]
    if host is not None:
        ids.append(("host.name", host["name"]))
        _check_most(reader, host, "host.", (("links", LENGTH), ("since", MOST_TURNS)))
    for path, former in _former_hosts(tree).items():
        ids.append((f"{path}name", former["name"]))
        _check_most(reader, former, path, (("links", LENGTH), ("since", MOST_TURNS)))
    for key, value in ids:
        if not ID.fullmatch(value):
            reader.wrong(key, 'is no id: a letter a-z, then letters, digits, "_" or "-"')
    if not is_title(edition["variant"]):
        reader.wrong("edition.variant", "is no name of a variant")
    for name in (NEUTRAL, *(value for key, value in ids if key.endswith(".name") and key != "edition.name")):
        if name in tree["players"]:
            reader.wrong(f"players.{name}", "is no name for a player")
    if "deadline" in tree:
        from referee.documents.invitation import is_time, no_time

        if not is_time(tree["deadline"]):
            reader.wrong("deadline", no_time(tree["deadline"]))
    _check_most(reader, tree, "", (("turn", MOST_TURNS), ("round", MOST_TURNS)))
    if "deck" in tree:
        _check_most(reader, tree["deck"], "deck.", (("sets_traded", MOST_SETS),))


def _former_hosts(tree: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the tables of former hosts by their paths."""
    host, gone = tree.get("host", {}).get("former", ()), tree.get("gone", {}).get("hosts", ())
    found = {f"host.former[{number}].": former for number, former in enumerate(host, start=1)}
    return found | {f"gone.hosts[{number}].": former for number, former in enumerate(gone, start=1)}


def _check_player(reader: Reader, table: Mapping[str, Any], path: str, board: Board) -> None:
    if not is_title(table["title"]):
        reader.wrong(f"{path}title", f"must be one line of at most {LONGEST_TITLE} characters")
    if table["language"] not in LANGUAGES:
        reader.wrong(f"{path}language", f'"{table["language"]}" is no language')
    if table["colour"] not in board.colours:
        reader.wrong(f"{path}colour", f'"{table["colour"]}" is no colour')
    _check_most(reader, table, path, _LIMITS)
    for number, former in enumerate(table.get("former", ()), start=1):
        if former.get("changed_by", CHANGED_BY[0]) not in CHANGED_BY:
            reader.wrong(f"{path}former[{number}].changed_by", f"must be one of {', '.join(CHANGED_BY)}")


def _check_keys(reader: Reader, tree: Mapping[str, Any]) -> None:
    """Check the public keys of the host and of all who have or had a seat."""
    owners = {"host.": tree["host"]} if "host" in tree else {}
    owners |= _former_hosts(tree)
    for player, table in tree["players"].items():
        owners[f"players.{player}."] = table
        for number, former in enumerate(table.get("former", ()), start=1):
            owners[f"players.{player}.former[{number}]."] = former
    for key, kind in (("key", "ed25519:"), ("seal_key", "x25519:")):
        keys, start = [table[key] for table in owners.values()], len(kind)
        if {value[:start] for value in keys} != {kind} or not are_binary([value[start:] for value in keys], 32):
            for path, value in zip(owners, keys, strict=True):
                if not value.startswith(kind) or not are_binary((value[start:],), 32):
                    reader.wrong(f"{path}{key}", f'must be a public key that begins with "{kind}"')


def _check_most(reader: Reader, table: Mapping[str, Any], path: str, limits: Collection[tuple[str, int]]) -> None:
    for key, most in limits:
        if key in table and table[key] > most:
            reader.wrong(f"{path}{key}", f"must be at most {most}")


def check_secrets(reader: Reader, tree: Mapping[str, Any]) -> None:
    """Check commitments and boxes: of the right size, as everybody counts on who opens one."""
    rows = [("deck.commitments", row) for row in tree.get("deck", {}).get("commitments", ())]
    rows.append(("missions.commitments", tree.get("missions", {}).get("commitments", ())))
    for key, row in rows:
        if not are_binary(row, 32):
            reader.wrong(key, "must be 32 bytes of base64 each")
    hands = tree.get("hands", {})
    for player, box in tree.get("sealed", {}).items():
        reader.binary({player: box}, "sealed.", **{player: 128 * (4 + len(hands.get(player, ()))) + 16})
    reader.check_binary()
    players = tree["players"]
    secret = tree.get("secret")
    if secret is None:
        return
    if tree["phase"] != "over":
        reader.wrong("secret", "must not be revealed before the game is over")
    if secret["seal_keys"].keys() != players.keys():
        reader.wrong("secret.seal_keys", "must be those of all players")
    if len(secret.get("handed_seal_keys", ())) != len(tree.get("host", {}).get("former", ())):
        reader.wrong("secret.handed_seal_keys", "must be those of all former hosts")
    elif any(keys.keys() != players.keys() for keys in secret.get("handed_seal_keys", ())):
        reader.wrong("secret.handed_seal_keys", "must be those of all players")
    former = {player for player, table in players.items() if table.get("former")}
    if secret.get("former_seal_keys", {}).keys() != former:
        reader.wrong("secret.former_seal_keys", "must be those of all who had a seat before")
