"""The fixed positions of the catalogue by their names, and good documents that answer one."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from referee.documents.base64 import encode
from referee.documents.canonical import digest_of
from referee.documents.chains import LENGTH, link
from referee.documents.commitments import commitment_salt, own_opening
from referee.documents.gamefile import GameFile, written
from referee.documents.invitation import read_invitation
from referee.documents.layout import table_text
from referee.documents.resolve import resolve
from referee.documents.rolling import roller_of
from referee.documents.sealing import sealed_commitment
from referee.documents.signing import Document, read, sign
from referee.documents.verify import verify_next
from referee.game.board import TerritoryId
from referee.game.deploying import neutral_due
from referee.game.orders import NEUTRAL, PlayerId
from referee.game.state import Result, State
from support.openings import (
    ARMIES,
    LAND,
    NONCE,
    PLAYERS,
    ROOT,
    SALT,
    begun,
    invitation_text,
    join_salt,
    opened,
    opened_table,
    set_table,
    set_to,
    started,
    written_by,
)
from support.seats import act_text, join_text
from support.table import HOST, Table, key_of

HANDS = {"kari": ("alaska", "brazil", "congo", "joker-1"), "ola": ("siam", "ural", "peru"), "per": ()}
FIVE = ("alaska", "brazil", "congo", "joker-1", "japan")
CAPITALS = {"kari": "alberta", "ola": "great_britain", "per": "china"}
"""Capitals that each has been dealt and that are his in `LAND`, too."""


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
    "standing-in-force": lambda: played("turn", (good("turn"), fixed("standing/whole"))),
}
"""By name: game files to which documents are handed in."""


def _set_up_to_capitals() -> GameFile:
    file = begun(opened_table("da", "hq"))
    while file.game.state.phase == "deploy":
        player = file.game.state.acting[0]
        own = file.game.state.territories_of(player)
        tree = {**head_of(file, player), "deploy": {own[0]: file.game.state.players[player].to_place}}
        file = handed_in(file, [written_by(tree, player)])
    return file


def _committed() -> GameFile:
    file = position("committing")
    return handed_in(file, [written_by(commitment_tree(file, name), name) for name in PLAYERS])


def head_of(file: GameFile, player: str) -> dict[str, Any]:
    return {
        "format": "referee/orders/1", "game": "fjord", "turn": file.game.turn, "state": file.digest,
        "player": player, "sequence": 1, "salt": SALT,
    }  # fmt: skip


def commitment_tree(file: GameFile, player: str) -> dict[str, Any]:
    """Return orders by which a player commits himself to his first territory."""
    content = {"capital": file.game.state.territories_of(player)[0]}
    salt = commitment_salt(file.game, PlayerId(player), key_of(player))
    return {**head_of(file, player), "sealed": {"commitment": encode(sealed_commitment(salt, content))}}


def opening_tree(file: GameFile, player: str) -> dict[str, Any]:
    """Return orders that open what a player is committed to."""
    found = own_opening(file, PlayerId(player), key_of(player))
    assert found is not None
    return {**head_of(file, player), **found._asdict()}


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


def fixed(name: str) -> str:
    """Return the text of a valid document, made whole for its position."""
    from support.filling import case, whole  # which asks for positions itself

    return whole(case(ROOT / "valid" / f"{name}.toml"))


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
    table.file, table.seed, table.people, table.sat, table.host_key = file, 1, {}, {}, key_of(HOST)
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


def invitation_of(file: GameFile) -> Document:
    """Return the invitation that the fixed game of a file came of."""
    return read(invitation_text(file.game.edition, file.game.variant).encode(), "invitation.toml")


def substitution(player: str, file: GameFile) -> list[tuple[str, str]]:
    """Return the act, the join and the invitation of a substitute for a seat, by name."""
    invitation = invitation_of(file)
    join = join_text(read_invitation(invitation), player)
    act = act_text(file, read_invitation(invitation), join)
    return [("act.toml", act), ("join.toml", join), ("invitation.toml", invitation.source.text)]


def resignation(name: str, file: GameFile) -> str:
    """Return a good resignation."""
    return _of_this_turn("referee/resign/1", name, file)


def vote(name: str, file: GameFile) -> str:
    """Return a good vote for a draw."""
    return _of_this_turn("referee/draw/1", name, file)


def _of_this_turn(format: str, name: str, file: GameFile) -> str:
    tree = {"format": format, "game": "fjord", "turn": file.game.turn, "state": file.digest, "player": name}
    return table_text({**tree, "signature": sign(tree, key_of(name), name)})


def signed_again(tree: Mapping[str, Any], by: str = "") -> str:
    """Return the text of a game file with this tree, signed again by who has signed it, or with another key."""
    plain = {key: value for key, value in tree.items() if key != "signature"}
    name = tree["signature"]["by"] if "signature" in tree else HOST
    return table_text(plain) + table_text({"signature": sign(plain, key_of(by or name), name)})
