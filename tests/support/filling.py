"""A case of the catalogue: read from its file, and made whole for its position.

A case is a document as a player would write it. Comments of the form `#: WORD VALUE` at its top say what is special
about it (`DIRECTIVES`); placeholders such as `@state@` stand for what only the position knows; the runner signs what is
not signed.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from referee.documents.base64 import encode
from referee.documents.canonical import digest_of
from referee.documents.chains import link
from referee.documents.gamefile import GameFile
from referee.documents.layout import table_text
from referee.documents.signing import read, sign
from referee.errors import UnreadableDocument
from support.openings import (
    NEXT_HOST,
    NONCE,
    PLAYERS,
    ROOT,
    SALT,
    join_salt,
)
from support.positions import (
    deployments,
    good_at,
    opening_tree,
    position,
    sealed,
    substitution,
    table_at,
)
from support.seats import PERSON
from support.table import HOST, key_of

CHANGED_RULES: Mapping[str, Mapping[str, Any]] = {
    "rules": {},
    "rules_world": {"victory": "elimination", "capitals": "revealed", "setup_placement": "two_own_one_neutral"},
    "rules_numbers": {
        "mission_deck": "none", "mission_dealt": "none", "victory": "capitals", "capitals": "revealed",
        "capitals_to_win": "short", "neutral_army": "n28_reinforced",
    },
    "rules_witness": {"witness": True, "trusted_host": True, "start": "careful"},
    "rules_table": {
        "mission_deck": "none", "mission_dealt": "none", "victory": "elimination", "start": "careful",
        "deployment": "in_turn",
    },
    "rules_secrets": {"witness": True, "trusted_host": True},
    "rules_careful": {"witness": True, "start": "careful"},
}  # fmt: skip
"""By placeholder: the table of all switches, with these changed."""
DIRECTIVES = (
    "position", "signed-by", "by", "unsigned", "beside", "also", "missed", "alone", "seal", "key", "seat", "old",
    "without", "handed",
)  # fmt: skip


class Case(NamedTuple):
    """A file of the catalogue: its kind, its text without directives, and the directives."""

    path: Path
    kind: str
    text: str
    says: Mapping[str, str]

    @property
    def file(self) -> str:
        """Return the name under which the document is handed in."""
        return self.path.name


def case(path: Path) -> Case:
    """Read a file of the catalogue."""
    text = path.read_text("utf-8")
    says = {}
    for line in re.findall(r"^#: (.*)$", text, re.MULTILINE):
        word, _, value = line.partition(" ")
        assert word in DIRECTIVES, f"{path}: {word} is no directive"
        says[word] = value.strip()
    return Case(path, path.parent.name, text, says)


def cases(folder: str) -> list[Path]:
    """Return all cases of `valid` or `invalid`."""
    return sorted((ROOT / folder).rglob("*.toml"))


DEFAULTS = {
    "orders": "turn",
    "capital": "choosing",
    "claim": "claiming",
    "deployment": "start",
    "standing": "turn",
    "resign": "turn",
    "draw": "turn",
    "reveal": "rolled-start",
    "act": "turn",
    "seat": "turn",
    "sign": "turn",
    "join": "start",
    "invitation": "start",
    "table": "table",
    "roster": "start",
}


def before(one: Case) -> GameFile:
    """Return the game file that a case answers."""
    return position(one.says.get("position", DEFAULTS[one.kind]))


def filled(text: str, file: GameFile) -> str:
    """Put in what stands for what only a position knows."""
    game = file.game
    host = game.host
    kari = key_of("kari")
    values = {
        "state": file.digest,
        "nonce": game.nonce,
        "turn": str(game.turn),
        "salt": SALT,
        "board": game.board_digest,
        "key": host.key if host else "",
        "seal_key": host.seal_key if host else "",
        "commitment": host.secret_commitment if host else "",
        "host_anchor": encode(link(key_of(HOST), NONCE, b"", 0)),
        "invitation": game.previous,
        "kari_key": kari.public,
        "kari_seal_key": kari.seal_public,
        "kari_salt": encode(join_salt("kari")),
        "kari_anchor": encode(link(kari, NONCE, join_salt("kari"), 0)),
        "ola_key": key_of("ola").public,
        "ola_seal_key": key_of("ola").seal_public,
        "ola_anchor": encode(link(key_of("ola"), NONCE, join_salt("ola"), 0)),
        "sigrid_key": key_of(PERSON).public,
        "sigrid_seal_key": key_of(PERSON).seal_public,
        "sigrid_salt": encode(join_salt(PERSON)),
        "sigrid_anchor": encode(link(key_of(PERSON), NONCE, join_salt(PERSON), 0)),
        "link": encode(link(kari, NONCE, join_salt("kari"), 1)),
        "berit_key": key_of(NEXT_HOST).public,
        "berit_seal_key": key_of(NEXT_HOST).seal_public,
        "berit_anchor": encode(link(key_of(NEXT_HOST), NONCE, b"", 0)),
    }
    if "@openings@" in text or "@hidden@" in text:
        act = next(act for act in table_at(file).gone() if act.tree.get("player") == "kari")
        values["openings"] = "".join(f'    ["{name}", "{id}", "{salt}"],\n' for name, id, salt in act.tree["openings"])
        values["hidden"] = act.tree["openings"][0][0]
    if "@offer@" in text:
        act, offer = table_at(file).handing(NEXT_HOST)
        values |= {"offer": digest_of(offer.tree)}
        values |= {f"handing_{key}": act.tree[key] for key in ("commitment", "box")}
    if "@orders@" in text and not host:
        values["orders"] = f'"{digest_of(read(good_at(file).encode()).tree)}"'
    elif "@orders@" in text:
        digests = [read(text.encode()).tree for text in deployments(file, ("kari", "ola"))]
        values["orders"] = ", ".join(f'"{digest_of(tree)}"' for tree in digests)
    if "@capital@" in text:
        found = opening_tree(file, "kari")
        values["capital"] = f'capital = "{found["capital"]}"\nopening = "{found["opening"]}"'
    if "@box@" in text:
        content = {"deploy": {game.state.territories_of("kari")[0]: 21}}
        values["box"] = table_at(file).sealed("kari", content)["box"]
    for player in ("kari", "ola"):
        if f"@{player}_join@" in text:
            join = dict(substitution(player, file))["join.toml"]
            values[f"{player}_join"] = digest_of(read(join.encode()).tree)
    if "@kari_act_box@" in text:
        values["kari_act_box"] = read(dict(substitution("kari", file))["act.toml"].encode()).tree["box"]
    rules = {**game.state.rules._asdict(), **game.state.settings._asdict()}
    for name, changes in CHANGED_RULES.items():
        values[name] = table_text({**rules, **changes}).rstrip()
    return re.sub(r"@([a-z_]+)@", lambda found: values[found[1]], text)


def whole(one: Case) -> str:
    """Return the document of a case as it is sent: filled in, sealed where that is due, and signed."""
    file = before(one)
    text = filled(one.text, file)
    if "unsigned" in one.says or "\n[signature]" in text:
        return text
    try:
        tree = read(text.encode()).tree
    except UnreadableDocument:
        return text
    author = signer(one, tree)
    if "seal" in tree or ("deploy" in tree and "seal" not in one.says and one.kind == "deployment"):
        text, tree = sealed(text, tree, author, file)
    signature = {**sign(tree, key_of(author), author), **({"by": one.says["by"]} if "by" in one.says else {})}
    return f"{text.rstrip()}\n\n{table_text({'signature': signature}).lstrip()}"


def signer(one: Case, tree: Mapping[str, Any]) -> str:
    """Return who signs a case: who is named, the host for his own documents, else the player or Kari."""
    if "signed-by" in one.says:
        return one.says["signed-by"]
    if one.kind in ("invitation", "act"):
        return "kari" if "opener" in tree else HOST
    player = tree.get("player")
    return player if isinstance(player, str) and player in PLAYERS else "kari"
