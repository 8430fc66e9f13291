"""The shape of a game file: which tables it has, which keys, of which kind and size; every problem at once.

Whether the values make a sound game is asked in `gamereader`, whether they are true in `verify`.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from referee.documents.base64 import Base64Error, are_binary, decode
from referee.documents.signing import Document
from referee.errors import MAX_PROBLEMS, Problem, UnreadableDocument
from referee.game.trees import nearest_hint, unknown_keys

Schema = Mapping[str, type]

HEAD: Schema = {
    "format": str, "game": str, "nonce": str, "turn": int, "previous": str, "round": int, "phase": str, "acting": list,
    "first": int, "rules_version": int, "start_seed": str, "edition": dict, "rules": dict, "board": dict,
    "players": dict, "owners": dict, "armies": dict, "luck": dict, "evidence": dict, "events": list,
}  # fmt: skip
MAYBE: Schema = {
    "host": dict, "opener": str, "gone": dict, "deadline": str, "claims": dict, "deck": dict, "hands": dict,
    "missions": dict, "capitals": dict, "sealed": dict, "standing": dict, "result": dict, "secret": dict,
}  # fmt: skip
EDITION: Schema = {"name": str, "variant": str}
BOARD: Schema = {"name": str, "digest": str}
HOST: Schema = {
    "name": str, "key": str, "seal_key": str, "chain": str, "links": int, "secret_commitment": str,
}  # fmt: skip
HANDED_HOST: Schema = {**HOST, "since": int, "state": str, "box": str, "former": list}
GONE: Schema = {"since": int, "hosts": list}
FORMER_HOST: Schema = {"name": str, "key": str, "seal_key": str, "chain": str, "links": int, "since": int}
HOST_MAYBE: Schema = {"plays": str}
PLAYER: Schema = {
    "title": str, "seat": int, "colour": str, "language": str, "key": str, "seal_key": str, "salt": str, "chain": str,
    "links": int, "status": str, "missed": int, "sets_traded": int, "to_place": int,
}  # fmt: skip
PLAYER_MAYBE: Schema = {"former": list, "passed_over": bool}
FORMER: Schema = {"key": str, "seal_key": str, "chain": str, "links": int}
FORMER_MAYBE: Schema = {"changed_by": str}
OUT: Schema = {"out_turn": int, "out_by": str}
OPEN_DECK: Schema = {"sets_traded": int, "pile": list, "discards": list}
DECK: Schema = {**OPEN_DECK, "shuffled": list, "commitments": list}
CLAIM: Schema = {"number": int, "ranking": list}
MISSIONS: Schema = {"pack": list, "commitments": list, "opened": list, "held": dict}
CAPITAL: Schema = {"territory": str}
SECRET_CAPITAL: Schema = {"state": str, "box": str, "commitment": str}
COMMITTED_CAPITAL: Schema = {"commitment": str}
LUCK: Schema = {
    "rolls": int, "faces": list, "given": int, "taken": int, "expected_given": int, "expected_taken": int,
    "variance_given": int, "variance_taken": int,
}  # fmt: skip
RESULT: Schema = {"how": str, "winners": list}
SECRET: Schema = {"game_secret": str, "seal_keys": dict}
SECRET_MAYBE: Schema = {"former_seal_keys": dict, "handed_seal_keys": list}
EVIDENCE: Schema = {"reveals": list, "documents": list}
EVIDENCE_MAYBE: Schema = {"openings": list, "unsealed": list}
SEALED_BOX = 32 + 2048 + 16
"""Bytes of a box for the host: a key, what is sealed, and a tag (DESIGN section 6)."""
_WORDS = {str: "a string", int: "a number", list: "a list", dict: "a table", bool: "true or false"}
_PHASES = ("claim", "deploy", "capital", "turn", "over")


class Reader:
    """Collects what is wrong while the tables are held against their schemas."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self.found = 0
        self._binary: defaultdict[int, list[tuple[str, str, str]]] = defaultdict(list)

    def wrong(self, key: str, message: str, hint: str = "") -> None:
        """Note what is wrong; what is more than is reported is only counted, in `found`."""
        self.found += 1
        if self.found <= MAX_PROBLEMS:
            self.problems.append(self.document.source.problem("game-file", message, key, hint))

    def fields(self, table: Any, path: str, needed: Schema, optional: Schema = {}) -> bool:  # noqa: B006
        """Check the keys and types of a table; say whether it is sound."""
        if type(table) is not dict:
            self.wrong(path, "must be a table")
            return False
        before = self.found
        dot = f"{path}." if path else ""
        for key, kind in needed.items():
            if key not in table:
                self.wrong(path, f'"{key}" is missing')
            elif type(table[key]) is not kind:
                self.wrong(dot + key, f"must be {_WORDS[kind]}")
            elif kind is int and table[key] < 0:
                self.wrong(dot + key, "must not be less than 0")
        if len(table) != len(needed) or table.keys() != needed.keys():
            for key, kind in optional.items():
                if key in table and type(table[key]) is not kind:
                    self.wrong(dot + key, f"must be {_WORDS[kind]}")
            known = {**needed, **optional}
            for key in unknown_keys(table, known):
                hint = nearest_hint(key, known) if self.found < MAX_PROBLEMS else ""
                self.wrong(dot + key, "is unknown here", hint)
        return self.found == before

    def binary(self, table: Mapping[str, Any], path: str, **sizes: int) -> None:
        """Keep values that must be binary, of so many bytes each, for `check_binary`."""
        for key, size in sizes.items():
            self._binary[size].append((path, key, table[key]))

    def check_binary(self) -> None:
        """Check all that were kept since the last time."""
        for size, kept in self._binary.items():
            if not are_binary([value for _, _, value in kept], size):
                for path, key, value in kept:
                    try:
                        decode(value, size)
                    except Base64Error as error:
                        self.wrong(path + key, str(error))
        self._binary.clear()

    def texts(self, table: Mapping[str, Any], path: str) -> bool:
        """Check that all values of a table are strings."""
        wrong = [key for key, value in table.items() if type(value) is not str]
        for key in wrong:
            self.wrong(f"{path}.{key}", "must be a string")
        return not wrong

    def done(self) -> None:
        """Raise with all that is wrong, in the order of the lines."""
        if self.problems:
            raise UnreadableDocument(*sorted(self.problems, key=lambda problem: problem.line))


def _whole(value: str) -> int:
    """Return how many seal keys a value can hold: one at least."""
    return max(1, len(value) * 3 // 4 // 64)


def _check_host(reader: Reader, host: Any) -> None:
    """Check who runs the game, and who did before it was handed over."""
    handed = type(host) is dict and "former" in host
    if not reader.fields(host, "host", HANDED_HOST if handed else HOST, HOST_MAYBE):
        return
    reader.binary(host, "host.", chain=32, secret_commitment=32, **({"state": 32} if handed else {}))
    try:
        decode(host.get("box", ""))
    except Base64Error as error:
        reader.wrong("host.box", str(error))
    if handed and not host["former"]:
        reader.wrong("host.former", "must be left out where the game was not handed over")
    _check_former_hosts(reader, host.get("former", []), "host.former")


def _check_former_hosts(reader: Reader, hosts: list[Any], key: str) -> None:
    for number, one in enumerate(hosts, start=1):
        if reader.fields(one, f"{key}[{number}]", FORMER_HOST):
            reader.binary(one, f"{key}[{number}].", chain=32)


def _check_gone(reader: Reader, tree: Mapping[str, Any]) -> None:
    """Check who the hosts were of a game that has none any more."""
    if "host" in tree or not reader.fields(tree["gone"], "gone", GONE) or not tree["gone"]["hosts"]:
        reader.wrong("gone", "must be there only where there was a host and is none, and must name the hosts")
        return
    _check_former_hosts(reader, tree["gone"]["hosts"], "gone.hosts")


def _check_capitals(reader: Reader, capitals: Mapping[str, Any], openly: bool) -> None:
    """Check the capitals: open, sealed to the host, or, where nobody keeps secrets, committed to."""
    secret, sizes = SECRET_CAPITAL, {"state": 32, "box": SEALED_BOX, "commitment": 32}
    if openly:
        secret, sizes = COMMITTED_CAPITAL, {"commitment": 32}
    for player, table in capitals.items():
        is_open = type(table) is not dict or "territory" in table
        if reader.fields(table, f"capitals.{player}", CAPITAL if is_open else secret) and not is_open:
            reader.binary(table, f"capitals.{player}.", **sizes)
        elif is_open and type(table) is dict and table.get("territory") == "":
            reader.wrong(f"capitals.{player}.territory", "must be a territory")


def _check_secret(reader: Reader, tree: Mapping[str, Any]) -> None:
    """Check what a game that is over reveals: its secret and the seal keys, now and formerly."""
    secret = tree["secret"]
    if not reader.fields(secret, "secret", SECRET, SECRET_MAYBE):
        return
    reader.binary(secret, "secret.", game_secret=32)
    if reader.texts(secret["seal_keys"], "secret.seal_keys"):
        reader.binary(secret["seal_keys"], "secret.seal_keys.", **dict.fromkeys(secret["seal_keys"], 64))
    for number, keys in enumerate(secret.get("handed_seal_keys", []), start=1):
        path = f"secret.handed_seal_keys[{number}]"
        if type(keys) is not dict:
            reader.wrong(path, "must be a table")
        elif reader.texts(keys, path):
            reader.binary(keys, f"{path}.", **{player: 64 * _whole(value) for player, value in keys.items()})
    former = secret.get("former_seal_keys", {})
    if reader.texts(former, "secret.former_seal_keys"):
        for player in former:
            seat = tree["players"].get(player)
            before = seat.get("former") if type(seat) is dict else None
            many = len(before) if type(before) is list else 0
            reader.binary(former, "secret.former_seal_keys.", **{player: 64 * many})


def lies_open(tree: Mapping[str, Any]) -> bool:
    """Say whether nobody keeps secrets in a game: there is no host, or he plays and nobody has to trust him."""
    host, rules = tree.get("host"), tree.get("rules")
    if type(host) is not dict or type(rules) is not dict:
        return host is None
    return "plays" in host and rules.get("trusted_host") is not True


def check_tables(reader: Reader, tree: Mapping[str, Any]) -> None:
    """Check every table of a game file; what is wrong is kept in the reader."""
    reader.fields(tree["edition"], "edition", EDITION)
    reader.fields(tree["board"], "board", BOARD)
    if ("host" in tree) == ("opener" in tree):
        reader.wrong("host", "must be there, or in a table game the opener")
    if "host" in tree:
        _check_host(reader, tree["host"])
    if "gone" in tree:
        _check_gone(reader, tree)
    for player, table in tree.get("claims", {}).items():
        reader.fields(table, f"claims.{player}", CLAIM)
    for player, table in tree["players"].items():
        out = OUT if type(table) is dict and table.get("status") == "out" else {}
        if reader.fields(table, f"players.{player}", {**PLAYER, **out}, PLAYER_MAYBE):
            reader.binary(table, f"players.{player}.", salt=16, chain=32)
            for number, one in enumerate(table.get("former", []), start=1):
                path = f"players.{player}.former[{number}]"
                if reader.fields(one, path, FORMER, FORMER_MAYBE):
                    reader.binary(one, f"{path}.", chain=32)
            if table["status"] not in ("playing", "passive", "out"):
                reader.wrong(f"players.{player}.status", f'"{table["status"]}" is no status')
    for player, table in tree["luck"].items():
        if reader.fields(table, f"luck.{player}", LUCK):
            faces = table["faces"]
            if len(faces) != 6 or not all(type(n) is int and n >= 0 for n in faces):
                reader.wrong(f"luck.{player}.faces", "must be six numbers")
    openly = lies_open(tree)
    if "deck" in tree and reader.fields(tree["deck"], "deck", OPEN_DECK if openly else DECK) and not openly:
        for key in ("shuffled", "commitments"):
            if not all(type(row) is list for row in tree["deck"][key]):
                reader.wrong(f"deck.{key}", "must be a list of lists")
    if "missions" in tree and reader.fields(tree["missions"], "missions", MISSIONS):
        reader.texts(tree["missions"]["held"], "missions.held")
    if "capitals" in tree:
        _check_capitals(reader, tree["capitals"], openly)
    if "result" in tree:
        reader.fields(tree["result"], "result", RESULT)
    if "secret" in tree:
        _check_secret(reader, tree)
    reader.fields(tree["evidence"], "evidence", EVIDENCE, EVIDENCE_MAYBE)
    reader.binary(tree, "", nonce=16, previous=32, start_seed=32)
    reader.check_binary()
    if tree["phase"] not in _PHASES:
        reader.wrong("phase", f'"{tree["phase"]}" is no phase')
    for key, kind in (("owners", str), ("armies", int), ("sealed", str), ("hands", list)):
        table = tree.get(key, {})
        if {*map(type, table.values())} <= {kind} and (kind is not int or min(table.values(), default=0) >= 0):
            continue
        for name, value in table.items():
            if type(value) is not kind:
                reader.wrong(f"{key}.{name}", f"must be {_WORDS[kind]}")
            elif type(value) is int and value < 0:
                reader.wrong(f"{key}.{name}", "must not be less than 0")
