"""How the games of the catalogue begin: who plays, what they hold, invitations, joins, and the first game files."""

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from referee import data
from referee.documents.base64 import encode
from referee.documents.boards import board_by_name, load_board
from referee.documents.boxes import boxes, host_knowledge, seal_keys_of
from referee.documents.gamefile import GameFile, open_game, written
from referee.documents.invitation import OF_A_TABLE_GAME, read_invitation, read_join
from referee.documents.layout import table_text
from referee.documents.roster import roster_tree, start_reveal_tree
from referee.documents.signing import Document, read, sign
from referee.documents.start import invitation_tree, join_tree, start
from referee.documents.verify import verify_first
from referee.game.orders import PlayerId
from referee.game.presets import preset_from
from referee.game.rules import Settings
from referee.game.state import State
from support.table import HOST, key_of

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
    joins = [read_join(join_of(name, invitation), invitation, board) for name in invitation.seats]
    return opened(start(invitation, joins, key_of(HOST), board))


def join_of(name: str, invitation: Any) -> Document:
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
    invited = read(written_by(tree, "kari").encode(), "invitation.toml")
    invitation = read_invitation(invited)
    joins = tuple(join_of(name, invitation) for name in players)
    taken = [read_join(join, invitation, load_board("classic")[0]) for join in joins]
    roster = read(written_by(roster_tree(invitation, taken), "kari").encode(), "roster.toml")
    reveals = tuple(
        read(
            written_by(start_reveal_tree(roster, name, join_salt(name), key_of(name)), name).encode(),
            f"reveal-{name}.toml",
        )
        for name in players
    )
    return Opened(invited, joins, roster, reveals)


def written_by(tree: Mapping[str, Any], name: str) -> str:
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
