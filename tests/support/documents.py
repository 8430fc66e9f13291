"""The catalogue of documents: fixed positions, how a case is made whole, and what the program says to it.

A case is a document as a player would write it. Comments of the form `#: WORD VALUE` at its top say what is special
about it (`DIRECTIVES`); placeholders such as `@state@` stand for what only the position knows; the runner signs what is
not signed. Cases of game files and of encodings are recipes instead: what is changed in a good file.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from referee import data
from referee.documents.base64 import encode
from referee.documents.boards import board_by_name, load_board
from referee.documents.boxes import boxes, host_knowledge, seal_keys_of
from referee.documents.canonical import digest_of
from referee.documents.chains import LENGTH, link
from referee.documents.commitments import commitment_salt, own_opening
from referee.documents.gamefile import GameFile, open_game, written
from referee.documents.intake import ACT
from referee.documents.invitation import JOIN, OF_A_TABLE_GAME, read_invitation, read_join
from referee.documents.layout import table_text
from referee.documents.resolve import resolve
from referee.documents.rolling import roller_of
from referee.documents.roster import ROSTER, roster_tree, start_reveal_tree
from referee.documents.sealing import sealed_commitment
from referee.documents.signer import sealed_text, signed_text
from referee.documents.signing import Document, read, sign, verified
from referee.documents.start import invitation_tree, join_tree, start
from referee.documents.verify import verify_first, verify_next
from referee.errors import Problem, RefereeError, UnreadableDocument
from referee.game.board import TerritoryId
from referee.game.deploying import neutral_due
from referee.game.orders import NEUTRAL, PlayerId
from referee.game.presets import preset_from
from referee.game.rules import Settings
from referee.game.state import Result, State
from support.seats import PERSON, act_text, join_text
from support.table import HOST, Table, key_of

ROOT = Path(__file__).parent.parent / "documents"
PLAYERS = ("kari", "ola", "per")
NEXT_HOST = "berit"
NONCE = sha256(b"nonce/catalogue").digest()[:16]
SALT = encode(sha256(b"salt/catalogue").digest()[:16])
LAND = {
    "kari": ("north_america", "brazil", "argentina"),
    "ola": ("venezuela", "peru", "europe", "africa"),
    "per": ("asia", "australia"),
}
ARMIES = {"alaska": 4, "greenland": 3, "central_america": 2, "brazil": 5, "kamchatka": 2, "egypt": 6, "siam": 5}
HANDS = {"kari": ("alaska", "brazil", "congo", "joker-1"), "ola": ("siam", "ural", "peru"), "per": ()}
FIVE = ("alaska", "brazil", "congo", "joker-1", "japan")
CAPITALS = {"kari": "alberta", "ola": "great_britain", "per": "china"}
"""Capitals that each has been dealt and that are his in `LAND`, too."""
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


# --- positions -----------------------------------------------------------------------------------


@cache
def invitation_text(edition: str = "no", variant: str = "mission") -> str:
    """Return the signed invitation of the fixed game."""
    preset = preset_from(data.tree(f"editions/{edition}.toml"), variant)
    board = ("classic", load_board("classic")[1])
    seats = PLAYERS[: preset.players[1]]
    tree = invitation_tree(
        "fjord", NONCE, preset, preset.rules, Settings(missed="default"), board, HOST, key_of(HOST), seats=seats
    )
    return table_text({**tree, "signature": sign(tree, key_of(HOST), HOST)})


@cache
def started(edition: str = "no", variant: str = "mission") -> GameFile:
    """Return the first game file of the fixed game."""
    board, _ = load_board("classic")
    invitation = read_invitation(read(invitation_text(edition, variant).encode(), "invitation.toml"))
    joins = [read_join(_join(name, invitation), invitation, board) for name in invitation.seats]
    return opened(start(invitation, joins, key_of(HOST), board))


def _join(name: str, invitation: Any) -> Document:
    tree = join_tree(invitation, name, key_of(name), join_salt(name), ["red"], "nb", name.title())
    return read(table_text({**tree, "signature": sign(tree, key_of(name), name)}).encode(), f"join-{name}.toml")


def join_salt(name: str) -> bytes:
    """Return the salt of a player's join."""
    return sha256(f"salt/{name}".encode()).digest()[:16]


def opened(made: GameFile) -> GameFile:
    """Read a game file back from its text."""
    return open_game(made.text.encode(), board_by_name, made.file)


def set_to(file: GameFile, turn: int, change: Callable[[State], State]) -> GameFile:
    """Return a sound, signed game file whose state is changed by hand, with cards as `HANDS` has them."""
    game, key = file.game, key_of(HOST)
    state = change(game.state._replace(shuffled=((),), acting=(PlayerId("kari"),), phase="turn", round=2, first=1))
    knowledge = host_knowledge(game, key)
    knowledge.learn(state)
    names = {knowledge.id_of(f"deck/1/{place}"): f"deck/1/{place}" for place in range(state.deck_size)}
    hands = {player: tuple(names.pop(card) for card in hand) for player, hand in state.hands.items()}
    state = state._replace(hands=hands, pile=tuple(sorted(names.values(), key=lambda name: int(name.split("/")[2]))))
    commitments = (knowledge.commitments("deck/1", state.deck_size),)
    changed = game._replace(turn=turn, state=state, deck=commitments, sealed={})
    sealed = boxes(changed, knowledge, seal_keys_of(key))
    return opened(written(changed._replace(sealed=sealed), key))


def _turn(state: State, hand: Sequence[str] = HANDS["kari"]) -> State:
    board = state.board
    owners = {
        territory: player
        for player, places in LAND.items()
        for place in places
        for territory in (board.continents[place].territories if place in board.continents else (place,))
    }
    return state._replace(
        owners={t: owners[t] for t in board.territories},
        armies={t: ARMIES.get(t, 1) for t in board.territories},
        hands={PlayerId(p): tuple(hand if p == "kari" else HANDS[p]) for p in PLAYERS},
        players={p: seat._replace(to_place=0) for p, seat in state.players.items()},
    )


def _before_the_fall(state: State) -> State:
    """A great army stands before the capital of ola, who holds one in Africa besides."""
    ready = _turn(state)
    mine = ("iceland", "north_africa", "egypt", "east_africa", "congo", "south_africa")
    owners = {t: "kari" if t in mine else owner for t, owner in ready.owners.items()}
    return ready._replace(owners=owners, armies={**ready.armies, TerritoryId("iceland"): 90})


def with_a_plan() -> GameFile:
    """Return a position in which Kari has left a plan with an attack for a missed turn."""
    plan = {"place": ["alaska"], "attack": [{"from": "alaska", "to": "kamchatka"}]}
    file = started()
    standing = {PlayerId("kari"): {"sequence": 1, "missed": plan}}
    return set_to(
        file._replace(game=file.game._replace(standing=standing)),
        7,
        lambda state: _turn(state)._replace(settings=state.settings._replace(missed="standing")),
    )


def _over(state: State) -> State:
    return _turn(state)._replace(phase="over", acting=(), result=Result(("per",), "mission"))


def _ola_left(state: State) -> State:
    ready = _turn(state)
    hands = {p: hand if p != "ola" else () for p, hand in ready.hands.items()}
    players = {p: seat._replace(status="passive" if p == "ola" else "playing") for p, seat in ready.players.items()}
    return ready._replace(hands=hands, players=players)


def _fulfilled(state: State) -> State:
    """The mission of kari is to conquer Asia and South America."""
    ready = _turn(state)
    mine = {t for place in ("asia", "south_america") for t in state.board.continents[place].territories}  # type: ignore[index]
    owners = {t: "kari" if t in mine else "ola" if owner == "kari" else owner for t, owner in ready.owners.items()}
    return ready._replace(owners=owners)


def _rules(**changes: Any) -> Callable[[State], State]:
    return lambda state: _turn(state)._replace(rules=state.rules._replace(**changes))


def last_link(file: GameFile) -> GameFile:
    """Return the same file, with all links of the host's chain used."""
    host = file.game.host._replace(links=LENGTH, chain=encode(link(key_of(HOST), NONCE, b"", LENGTH)))
    return opened(written(file.game._replace(host=host), key_of(HOST)))


# --- table games ---------------------------------------------------------------------------------


class Opened(NamedTuple):
    """What a table game is opened with: invitation and joins, and the roster and the reveals for its start."""

    invitation: Document
    joins: tuple[Document, ...]
    roster: Document
    reveals: tuple[Document, ...]


@cache
def opened_table(
    edition: str = "no", variant: str = "world", players: tuple[str, ...] = PLAYERS, seated: bool = True
) -> Opened:
    """Return all documents of the start of the fixed table game, which Kari opens; `seated` if the seats are fixed."""
    preset = preset_from(data.tree(f"editions/{edition}.toml"), variant)
    board, settings = ("classic", load_board("classic")[1]), Settings(missed="default")._replace(**OF_A_TABLE_GAME)
    tree = invitation_tree(
        "fjord", NONCE, preset, preset.rules_for(len(players)), settings, board, "kari", key_of("kari"),
        seats=players if seated else (), players=(len(players), len(players)), hosted=False,
    )  # fmt: skip
    invited = read(_signed(tree, "kari").encode(), "invitation.toml")
    invitation = read_invitation(invited)
    joins = tuple(_join(name, invitation) for name in players)
    taken = [read_join(join, invitation, load_board("classic")[0]) for join in joins]
    roster = read(_signed(roster_tree(invitation, taken), "kari").encode(), "roster.toml")
    reveals = tuple(
        read(
            _signed(start_reveal_tree(roster, name, join_salt(name), key_of(name)), name).encode(),
            f"reveal-{name}.toml",
        )
        for name in players
    )
    return Opened(invited, joins, roster, reveals)


def _signed(tree: Mapping[str, Any], name: str) -> str:
    return table_text({**tree, "signature": sign(dict(tree), key_of(name), name)})


def begun(papers: Opened) -> GameFile:
    """Start a table game, and verify the file."""
    board, _ = load_board("classic")
    invitation = read_invitation(papers.invitation)
    joins = [read_join(one, invitation, board) for one in papers.joins]
    made = opened(start(invitation, joins, key_of("kari"), board, [papers.roster, *papers.reveals]))
    assert verify_first(made.text.encode(), made.file).file.digest == made.digest
    return made


def set_table(file: GameFile, change: Callable[[State], State]) -> GameFile:
    """Return a sound file of a table game whose state is changed by hand, with cards as `HANDS` has them."""
    state = change(file.game.state._replace(acting=(PlayerId("kari"),), phase="turn", round=2, first=1))
    out = {card for hand in state.hands.values() for card in hand}
    state = state._replace(pile=tuple(sorted(card for card in state.board.cards if card not in out)))
    return opened(written(file.game._replace(turn=7, state=state), key_of("ola"), "ola"))


def _passed_over(state: State) -> State:
    ready = _turn(state)
    kari = PlayerId("kari")
    return ready._replace(players={**ready.players, kari: ready.players[kari]._replace(passed_over=True)})


def _without_per(state: State) -> State:
    ready = _turn(state)
    owners = {t: "ola" if owner == "per" else owner for t, owner in ready.owners.items()}
    per = ready.players[PlayerId("per")]._replace(status="out", out_turn=3, out_by="ola")
    return ready._replace(owners=owners, players={**ready.players, PlayerId("per"): per})


def same_chain() -> GameFile:
    """Return a position in which the head of Per's chain is the next link of Ola's."""
    file = position("table")
    stolen = encode(link(key_of("ola"), NONCE, join_salt("ola"), 2))
    people = {**file.game.people, PlayerId("per"): file.game.people[PlayerId("per")]._replace(chain=stolen)}
    return opened(written(file.game._replace(people=people), key_of("ola"), "ola"))


POSITIONS: Mapping[str, Callable[[], GameFile]] = {
    "start": started,
    "turn": lambda: set_to(started(), 7, _turn),
    "five-cards": lambda: set_to(started(), 7, lambda state: _turn(state, FIVE)),
    "with-a-plan": lambda: with_a_plan(),
    "over": lambda: set_to(started(), 7, _over),
    "ola-left": lambda: set_to(started(), 7, _ola_left),
    "fulfilled": lambda: set_to(started(), 7, _fulfilled),
    "dice-are-armies": lambda: set_to(started(), 7, _rules(attack_strength="dice_are_armies")),
    "with-windfalls": lambda: set_to(started(), 7, _rules(elimination_trade="free")),
    "rolled-start": lambda: started("sv", "dealt"),
    "capitals-start": lambda: started("no", "capitals"),
    "choosing": lambda: played("capitals-start", deployments(position("capitals-start"))),
    "chosen": lambda: played("choosing", choices(position("choosing"))),
    "before-the-fall": lambda: set_to(position("chosen"), 7, _before_the_fall),
    "claiming": lambda: started("sv", "standard"),
    "two": lambda: started("no", "two"),
    "table-start": lambda: begun(opened_table("sv", "standard")),
    "table": lambda: set_table(begun(opened_table()), _turn),
    "table-passed-over": lambda: set_table(begun(opened_table()), _passed_over),
    "table-of-two": lambda: set_table(begun(opened_table()), _without_per),
    "table-same-chain": lambda: same_chain(),
    "committing": lambda: _set_up_to_capitals(),
    "committed": lambda: _committed(),
    "last-link": lambda: last_link(set_to(started(), 7, _turn)),
    "standing-in-force": lambda: played("turn", (good("turn"), _fixed("standing/whole"))),
}
"""By name: game files to which documents are handed in."""


def _set_up_to_capitals() -> GameFile:
    file = begun(opened_table("da", "hq"))
    while file.game.state.phase == "deploy":
        player = file.game.state.acting[0]
        own = file.game.state.territories_of(player)
        tree = {**_head_of(file, player), "deploy": {own[0]: file.game.state.players[player].to_place}}
        file = handed_in(file, [_signed(tree, player)])
    return file


def _committed() -> GameFile:
    file = position("committing")
    return handed_in(file, [_signed(commitment_tree(file, name), name) for name in PLAYERS])


def _head_of(file: GameFile, player: str) -> dict[str, Any]:
    return {
        "format": "referee/orders/1", "game": "fjord", "turn": file.game.turn, "state": file.digest,
        "player": player, "sequence": 1, "salt": SALT,
    }  # fmt: skip


def commitment_tree(file: GameFile, player: str) -> dict[str, Any]:
    """Return orders by which a player commits himself to his first territory."""
    content = {"capital": file.game.state.territories_of(player)[0]}
    salt = commitment_salt(file.game, PlayerId(player), key_of(player))
    return {**_head_of(file, player), "sealed": {"commitment": encode(sealed_commitment(salt, content))}}


def opening_tree(file: GameFile, player: str) -> dict[str, Any]:
    """Return orders that open what a player is committed to."""
    found = own_opening(file, PlayerId(player), key_of(player))
    assert found is not None
    return {**_head_of(file, player), **found._asdict()}


def handed_in(file: GameFile, texts: Sequence[str], key: str = "") -> GameFile:
    """Return the next file of a table game, made by who should make it, and verified."""
    documents = [read(text.encode(), "x.toml") for text in texts]
    made = opened(resolve(file, documents, key_of(key or roller_of(file.game).name)))
    assert verify_next(file, made.text.encode(), made.file).file.digest == made.digest
    return made


@cache
def position(name: str) -> GameFile:
    """Return a fixed game file."""
    return POSITIONS[name]()


@cache
def played(name: str, texts: tuple[str, ...], missed: tuple[str, ...] = ()) -> GameFile:
    """Return the game file after a position, with these documents handed in."""
    documents = [read(text.encode(), "x.toml") for text in texts]
    return opened(resolve(position(name), documents, key_of(HOST), [PlayerId(p) for p in missed]))


# --- cases ---------------------------------------------------------------------------------------


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


def _fixed(name: str) -> str:
    """Return the text of a valid document, made whole for its position."""
    return whole(case(ROOT / "valid" / f"{name}.toml"))


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


def sealed(text: str, tree: Mapping[str, Any], author: str, file: GameFile) -> tuple[str, dict[str, Any]]:
    """Seal `[deploy]`, or all of a `[seal]`, to the host; the rest of the text stays where it is."""
    content = tree["seal"] if "seal" in tree else {"deploy": tree["deploy"]}
    box = table_at(file).sealed(author, content)
    plain = {key: value for key, value in tree.items() if key not in ("seal", "deploy")}
    kept = re.sub(r"(?ms)^\[(seal|deploy)[^\n]*\n.*?(?=^\[(?!seal)|\Z)", "", text)
    return f"{kept.rstrip()}\n\n{table_text({'sealed': box}).lstrip()}", {**plain, "sealed": box}


def table_at(file: GameFile) -> Table:
    """Return a table that stands at this file, for its way of sealing."""
    table = Table.__new__(Table)
    table.file, table.seed, table.people, table.host_key = file, 1, {}, key_of(HOST)
    return table


def deployments(file: GameFile, players: Sequence[str] = PLAYERS) -> tuple[str, ...]:
    """Return good orders of the set-up of players: all armies on the first territory that each holds, or no wish."""
    found = []
    for name in players:
        state = file.game.state
        player = PlayerId(name)
        body: dict[str, Any] = {"claim": []}
        if state.phase == "deploy":
            armies = state.players[player].to_place
            neutral = {land: neutral_due(state, player, armies) for land in state.territories_of(NEUTRAL)[:1]}
            body = {
                "deploy": {state.territories_of(player)[0]: armies},
                **({"neutral": neutral} if neutral else {}),
            }
        tree = {
            "format": "referee/orders/1", "game": "fjord", "turn": file.game.turn, "state": file.digest,
            "player": name, "sequence": 1, "salt": SALT, "seal": body,
        }  # fmt: skip
        text, plain = sealed(table_text(tree), tree, name, file)
        found.append(text + table_text({"signature": sign(plain, key_of(name), name)}))
    return tuple(found)


def choices(file: GameFile, players: Sequence[str] = PLAYERS) -> tuple[str, ...]:
    """Return good choices of capitals of players."""
    found = []
    for name in players:
        tree = {
            "format": "referee/orders/1", "game": "fjord", "turn": file.game.turn, "state": file.digest,
            "player": name, "sequence": 1, "salt": SALT, "seal": {"capital": CAPITALS[name]},
        }  # fmt: skip
        text, plain = sealed(table_text(tree), tree, name, file)
        found.append(text + table_text({"signature": sign(plain, key_of(name), name)}))
    return tuple(found)


def reveal_of(name: str, file: GameFile, orders: Sequence[str]) -> str:
    """Return a good reveal of a player's first link, bound to orders."""
    digests = [digest_of(read(text.encode()).tree) for text in orders]
    value = encode(link(key_of(name), NONCE, join_salt(name), 1))
    tree = {
        "format": "referee/reveal/1", "game": "fjord", "nonce": file.game.nonce, "turn": file.game.turn,
        "state": file.digest, "orders": digests, "player": name, "reveal": value,
    }  # fmt: skip
    return table_text({**tree, "signature": sign(tree, key_of(name), name)})


def good(name: str = "turn", by: str = "kari") -> str:
    """Return plain good orders of Kari for a position of a turn, signed by whoever plays her seat."""
    return good_at(position(name), by)


def good_at(file: GameFile, by: str = "kari") -> str:
    """Return plain good orders of whoever is awaited in a position of a turn."""
    tree = {
        "format": "referee/orders/1", "game": "fjord", "turn": file.game.turn, "state": file.digest,
        "player": str(file.game.state.acting[0]), "sequence": 1, "salt": SALT, "place": {"alaska": 8},
    }  # fmt: skip
    return table_text({**tree, "signature": sign(tree, key_of(by), "kari")})


# --- what the program says -----------------------------------------------------------------------


def run(one: Case) -> GameFile | None:
    """Hand a case in as the commands do; RefereeError with all that is wrong."""
    return RUNNERS[one.kind](one)


def _resolved(one: Case, beside: Sequence[tuple[str, str]], missed: Sequence[str] = ()) -> GameFile:
    file = before(one)
    documents = [read(whole(one).encode(), one.file)]
    documents += [read(text.encode(), name) for name, text in beside]
    for name in one.says.get("also", "").split():
        other = case(ROOT / name)
        documents.append(read(whole(other).encode(), other.file))
    called = [PlayerId(p) for p in (*missed, *one.says.get("missed", "").split())]
    made = opened(resolve(file, documents, key_of(one.says.get("key", HOST)), called))
    assert verify_next(file, made.text.encode(), made.file).file.digest == made.digest
    return made


def _orders(one: Case) -> GameFile:
    return _resolved(one, ())


def _of_set_up(one: Case) -> GameFile:
    others = [] if "alone" in one.says else [player for player in before(one).game.state.acting if player != "kari"]
    beside = zip(others, deployments(before(one), others), strict=True)
    return _resolved(one, [(f"{name}.toml", text) for name, text in beside])


def _capital(one: Case) -> GameFile:
    return _resolved(one, [("ola.toml", choices(before(one))[1]), ("per.toml", choices(before(one))[2])])


def _beside_orders(one: Case) -> GameFile:
    state = before(one).game.state
    orders = good(one.says.get("position", "turn")) if state.phase == "turn" and "alone" not in one.says else ""
    return _resolved(one, [("orders.toml", orders)] if orders else ())


def _draw(one: Case) -> GameFile:
    """Hand a vote in with good orders and the votes of those who are named: all others, if nobody is."""
    file, name = before(one), one.says.get("position", "turn")
    voters = one.says.get("beside", "kari ola").split()
    votes = [(f"draw-{player}.toml", vote(player, file)) for player in voters if player != "nobody"]
    return _resolved(one, [*([("orders.toml", good(name))] if file.game.state.result is None else []), *votes])


def _reveal(one: Case) -> GameFile:
    file = before(one)
    orders = deployments(file, ("kari", "ola")) if file.game.state.phase == "deploy" else (good(),)
    beside = [(f"orders-{number}.toml", text) for number, text in enumerate(orders, start=1)]
    if file.game.state.phase == "deploy":
        beside.append(("reveal-ola.toml", reveal_of("ola", file, orders)))
    return _resolved(one, beside, ("per",) if file.game.state.phase == "deploy" else ())


def _invitation(one: Case) -> None:
    invitation = read_invitation(read(whole(one).encode(), one.file))
    board_by_name(invitation.board, invitation.board_digest)


def _joined(one: Case) -> GameFile:
    board, _ = load_board("classic")
    invitation = read_invitation(read(invitation_text().encode(), "invitation.toml"))
    joins = [read_join(read(whole(one).encode(), one.file), invitation, board)]
    for name in one.says.get("beside", "ola per").split():
        joins.append(read_join(_join(name, invitation), invitation, board))
    made = start(invitation, joins, key_of(HOST), board)
    assert verify_first(made.text.encode(), made.file).file.digest == made.digest
    return made


def _sign(one: Case) -> None:
    """Sign a draft, sealing what is secret if it is one of the set-up, as `referee sign` does."""
    document, file, key = read(filled(one.text, before(one)).encode(), one.file), before(one), key_of("kari")
    if file.game.state.phase == "deploy":
        text = sealed_text(document, file, key, bytes(16), bytes(16))
    else:
        text = signed_text(document, key, bytes(16))
    again = read(text.encode(), one.file)
    verified(again, key.public)
    mended = ("note", "salt", "deploy", "sealed")
    assert "salt" in again.tree
    assert {k: v for k, v in again.tree.items() if k not in mended} == {
        k: v for k, v in document.tree.items() if k not in mended
    }


def invitation_of(file: GameFile) -> Document:
    """Return the invitation that the fixed game of a file came of."""
    return read(invitation_text(file.game.edition, file.game.variant).encode(), "invitation.toml")


def substitution(player: str, file: GameFile) -> list[tuple[str, str]]:
    """Return the act, the join and the invitation of a substitute for a seat, by name."""
    invitation = invitation_of(file)
    join = join_text(read_invitation(invitation), player)
    act = act_text(file, read_invitation(invitation), join)
    return [("act.toml", act), ("join.toml", join), ("invitation.toml", invitation.source.text)]


def _seat(one: Case) -> GameFile:
    """Hand in somebody's join with an act that names it, for the seat of Ola or of who is said."""
    file, text = before(one), whole(one)
    tree = read(text.encode(), one.file).tree
    says = {"act": "substitute", "player": one.says.get("seat", "ola"), "join": digest_of(tree)}
    act = {"format": ACT, "game": "fjord", "turn": file.game.turn, "state": file.digest, **says}
    beside = [("invitation.toml", invitation_of(file).source.text), ("orders.toml", good())]
    if "alone" not in one.says:
        beside.append(("act.toml", table_text({**act, "signature": sign(act, key_of(HOST), HOST)})))
    return _resolved(one, beside)


def _handed(one: Case) -> GameFile:
    """Hand an act in, with orders and what belongs to it: the join of a substitute, and the invitation."""
    file = before(one)
    tree = read(whole(one).encode(), one.file).tree
    beside = []
    if file.game.state.phase == "turn":
        at_once = (tree.get("act"), tree.get("player")) == ("substitute", "kari") and "old" not in one.says
        beside.append(("orders.toml", good(by=PERSON if at_once else "kari")))
    if tree.get("act") in ("substitute", "key") and "alone" not in one.says:
        player = tree["player"] if tree.get("player") in PLAYERS else "ola"
        beside += [row for row in substitution(player, file)[1:] if row[0] != one.says.get("without")]
    if tree.get("act") == "hand_over" and "alone" not in one.says:
        beside.append(("offer.toml", table_at(file).offer(NEXT_HOST).source.text))
        beside += substitution("ola", file) if "seat" in one.says else []
    return _resolved(one, beside)


def _act(one: Case) -> GameFile:
    """Put the act into the evidence of a file whose turn was missed, as a host would who made it so; or hand it in."""
    tree = read(whole(one).encode(), one.file).tree
    if tree.get("act") in ("substitute", "key", "deadline", "take_over", "hand_over") or "handed" in one.says:
        return _handed(one)
    file = position("turn")
    made = played("turn", (), ("kari",))
    tree = tomllib.loads(made.text)
    acts = [number for number, entry in enumerate(tree["evidence"]["documents"]) if entry["format"] == ACT]
    tree["evidence"]["documents"][acts[0]] = read(whole(one).encode(), one.file).source.tree
    return verify_next(file, signed_again(tree).encode(), made.file).file


def _at_a_table(one: Case) -> GameFile:
    """Hand a document of a table game in, a copy by each who is named; acts but those of a missed turn with orders."""
    file = before(one)
    text = filled(one.text, file)
    tree = read(text.encode(), one.file).tree
    names = one.says.get("signed-by", str(tree.get("player", "kari"))).split()
    copies = [
        f"{text.rstrip()}\n\n{table_text({'signature': sign(tree, key_of(name), name)}).lstrip()}" for name in names
    ]
    documents = [read(copy.encode(), one.file) for copy in copies]
    if tree["format"] == ACT and tree.get("act") != "missed" and "alone" not in one.says:
        documents.append(read(good_at(file).encode(), "orders.toml"))
    for name in one.says.get("also", "").split():
        documents.append(read(_signed(OTHERS[file.game.state.phase](file, name), name).encode(), f"{name}.toml"))
    over = [str(tree["player"])] if tree.get("act") == "passed_over" else []
    over += one.says.get("without", "").split()
    for name in one.says.get("without", "").split():
        act = {**{key: tree[key] for key in tree if key != "player"}, "player": name}
        signers = [player for player in file.game.state.playing() if player != name]
        documents += [read(_signed(act, player).encode(), f"act-{player}.toml") for player in signers]
    key = key_of(one.says.get("key") or roller_of(file.game, over if "key" not in one.says else ()).name)
    missed = [PlayerId(p) for p in one.says.get("missed", "").split()]
    made = opened(resolve(file, documents, key, missed))
    assert verify_next(file, made.text.encode(), made.file).file.digest == made.digest
    return made


OTHERS: Mapping[str, Callable[[GameFile, str], dict[str, Any]]] = {
    "capital": lambda file, name: (opening_tree if file.game.state.capitals else commitment_tree)(file, name)
}
"""By phase: what others hand in beside a case."""


def _of_the_start(one: Case) -> GameFile:
    """Start the fixed table game with a document of a case in the place of the one like it, or beside all."""
    papers = opened_table(seated="old" not in one.says)
    values = {"@roster@": digest_of(papers.roster.tree), "@invitation@": digest_of(papers.invitation.tree)}
    joins = [digest_of(join.tree) for join in papers.joins]
    values |= {f"@{name}_join@": digest for name, digest in zip(PLAYERS, joins, strict=True)}
    values |= {f"@{name}_link@": encode(link(key_of(name), NONCE, join_salt(name), 1)) for name in PLAYERS}
    values |= {"@nonce@": encode(NONCE), "@joins@": ", ".join(f'"{digest}"' for digest in joins)}
    text = one.text
    for word, value in values.items():
        text = text.replace(word, value)
    text = filled(text, begun(papers))
    tree = read(text.encode(), one.file).tree
    document = read(text.encode(), one.file)
    if "unsigned" not in one.says:
        name = one.says.get("signed-by", str(tree.get("player", "kari")))
        by = one.says.get("by", name)
        signature = {**sign(tree, key_of(name), name), "by": by}
        document = read(f"{text.rstrip()}\n\n{table_text({'signature': signature}).lstrip()}".encode(), one.file)
    if document.format == JOIN:
        replaced = one.says.get("old", tree["player"])
        kept = tuple(join for join in papers.joins if join.tree["player"] != replaced)
        papers = papers._replace(joins=(*kept, document))
    elif document.format == ROSTER:
        papers = papers._replace(roster=document)
    else:
        kept = tuple(reveal for reveal in papers.reveals if reveal.tree["player"] != tree.get("player"))
        papers = papers._replace(reveals=(*kept, document))
    if "alone" in one.says:
        papers = papers._replace(reveals=papers.reveals[-1:])
    if "twice" in one.says.get("also", ""):
        papers = papers._replace(reveals=(*papers.reveals, papers.roster))
    return begun(papers)


# --- recipes: game files and encodings -----------------------------------------------------------

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
    "battle": lambda: _base("turn", _fixed("orders/whole-turn")),
    "changes": lambda: _base("turn", good(), _fixed("standing/whole"), _fixed("resign/of-another")),
    "missed": lambda: _base("five-cards", missed=("kari",)),
    "rolled": lambda: _rolled(),
    "chosen": lambda: _base("choosing", *choices(position("choosing"))),
    "fallen": lambda: _base("before-the-fall", _fixed("orders/take-a-capital")),
    "drawn": lambda: _base("turn", good(), *(vote(player, position("turn")) for player in PLAYERS)),
    "plan": lambda: _plan(),
    "seats": lambda: _base("turn", good(), *_texts(substitution("ola", position("turn"))), _fixed("act/deadline")),
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
    return _signed({**_head_of(file, player), "claim": ["iceland", "alaska"]}, player)


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


def resignation(name: str, file: GameFile) -> str:
    """Return a good resignation."""
    return _of_this_turn("referee/resign/1", name, file)


def vote(name: str, file: GameFile) -> str:
    """Return a good vote for a draw."""
    return _of_this_turn("referee/draw/1", name, file)


def _of_this_turn(format: str, name: str, file: GameFile) -> str:
    tree = {"format": format, "game": "fjord", "turn": file.game.turn, "state": file.digest, "player": name}
    return table_text({**tree, "signature": sign(tree, key_of(name), name)})


def _expect(table: Mapping[str, Any], keys: Sequence[str], path: Path) -> None:
    extra = sorted(set(table) - set(keys))
    assert not extra, f"{path}: {extra[0]} is no key of a recipe"


@cache
def base(name: str) -> Base:
    """Return a good game file with its predecessor."""
    return BASES[name]()


def _game(one: Case) -> GameFile:
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


def _encoding(one: Case) -> GameFile:
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


RUNNERS: Mapping[str, Callable[[Case], GameFile | None]] = {
    "orders": _orders,
    "claim": _of_set_up,
    "capital": _capital,
    "deployment": _of_set_up,
    "standing": _beside_orders,
    "resign": _beside_orders,
    "draw": _draw,
    "reveal": _reveal,
    "invitation": _invitation,
    "join": _joined,
    "act": _act,
    "seat": _seat,
    "sign": _sign,
    "table": _at_a_table,
    "roster": _of_the_start,
    "game": _game,
    "encoding": _encoding,
}
"""By kind of document, which is the name of its folder."""


def signed_again(tree: Mapping[str, Any], by: str = "") -> str:
    """Return the text of a game file with this tree, signed again by who has signed it, or with another key."""
    plain = {key: value for key, value in tree.items() if key != "signature"}
    name = tree["signature"]["by"] if "signature" in tree else HOST
    return table_text(plain) + table_text({"signature": sign(plain, key_of(by or name), name)})


def message(error: RefereeError) -> str:
    """Return what the command line prints, and its exit code."""
    return f"{error}\nexit {error.exit_code}\n"


@cache
def verdict_on(path: Path) -> tuple[str, tuple[Problem, ...]]:
    """Return what is said to a case, and the problems; nothing if it is accepted."""
    try:
        run(case(path))
    except RefereeError as error:
        return message(error), error.problems
    return "", ()


def write_messages() -> None:
    """Write the message of every invalid case where it is another than what stands there, for somebody to read."""
    for path in cases("invalid"):
        beside, said = path.with_suffix(".txt"), verdict_on(path)[0]
        if not beside.exists() or beside.read_text("utf-8") != said:
            beside.write_text(said, "utf-8")
            print(f"{path.parent.name}/{path.stem}\n{said}")


if __name__ == "__main__":
    write_messages()
