"""From invitation and joins to the first game file (DESIGN section 5, "Start"), hosted, quick start.

`invitation_tree` and `join_tree` make the documents that a host and his players sign. `start` is a pure function: the
seed comes from the invitation, the joins and the host's first link.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.documents.base64 import decode, encode
from referee.documents.boxes import boxes, seal_keys_of
from referee.documents.chains import anchor, link, step
from referee.documents.gamefile import (
    RULES_VERSION,
    Evidence,
    Game,
    GameFile,
    Host,
    Person,
    written,
)
from referee.documents.invitation import INVITATION, JOIN, Invitation, Join, check_joins
from referee.documents.keys import Key
from referee.documents.knowledge import HostKnowledge
from referee.documents.layout import ordered
from referee.documents.resolve import whole
from referee.documents.secrets import game_secret, secret_commitment, turn_seed
from referee.errors import BadSignature, IllegalOrders, Problem
from referee.game.board import Board
from referee.game.dice import pick, shuffle
from referee.game.presets import Preset
from referee.game.rules import Rules, Settings
from referee.game.setup import OwnColours, begin
from referee.game.state import State


def invitation_tree(
    name: str,
    nonce: bytes,
    preset: Preset,
    rules: Rules,
    settings: Settings,
    board: tuple[str, str],
    host: str,
    key: Key,
    title: str = "",
    seats: Sequence[str] = (),
    deadline: str = "",
    players: tuple[int, int] | None = None,
) -> dict[str, Any]:
    """Return an invitation to sign; `board` is name and digest, `players` the fewest and the most."""
    tree: dict[str, Any] = {"format": INVITATION, "game": name, "nonce": encode(nonce)}
    if title:
        tree["title"] = title
    tree |= {
        "edition": preset.edition,
        "variant": preset.variant,
        "players": list(players or preset.players),
    }
    if seats:
        tree["seats"] = list(seats)
    if deadline:
        tree["deadline"] = deadline
    return {
        **tree,
        "board": {"name": board[0], "digest": board[1]},
        "host": {
            "name": host,
            "key": key.public,
            "seal_key": key.seal_public,
            "anchor": encode(anchor(key, nonce, b"")),
            "secret_commitment": encode(secret_commitment(game_secret(key, nonce))),
        },
        "rules": {**rules._asdict(), **settings._asdict()},
    }


def join_tree(
    invitation: Invitation,
    player: str,
    key: Key,
    salt: bytes,
    colours: Sequence[str] = (),
    language: str = "en",
    title: str = "",
) -> dict[str, Any]:
    """Return a join to sign, bound to the invitation."""
    tree: dict[str, Any] = {
        "format": JOIN,
        "game": invitation.name,
        "invitation": invitation.signed.digest,
        "player": player,
    }
    if title:
        tree["title"] = title
    return {
        **tree,
        "colours": list(colours),
        "language": language,
        "key": key.public,
        "seal_key": key.seal_public,
        "salt": encode(salt),
        "anchor": encode(anchor(key, decode(invitation.nonce), salt)),
    }


def why_not_yet(invitation: Invitation, players: int) -> tuple[Problem, ...]:
    """Return what this version does not play yet: a clear refusal, never a game that stops half way."""
    settings = invitation.settings
    unfinished = [
        (settings.start == "careful", "the careful start"),
        (settings.witness, "a witness"),
        (settings.trusted_host, "a host who plays"),
    ]
    found = [
        Problem("not-finished", f"{what}: not playable in this version yet") for wrong, what in unfinished if wrong
    ]
    return tuple(found)


def start(invitation: Invitation, joins: Sequence[Join], key: Key, board: Board) -> GameFile:
    """Return the first game file; `key` is the host's. IllegalOrders or BadSignature with all that is wrong."""
    if key.public != invitation.key:
        message = f'is not the key of the host "{invitation.host}", {invitation.key}'
        raise BadSignature(Problem("not-the-host", message, "--key"))
    check_joins(invitation, joins)
    value = link(key, decode(invitation.nonce), b"", 1)
    if encode(step(value)) != invitation.anchor:
        raise BadSignature(Problem("other-chain", "the invitation's anchor is not the end of this key's chain"))
    knowledge: list[HostKnowledge] = []

    def hidden(start_seed: bytes) -> HiddenStart:
        knowledge.append(HostKnowledge(game_secret(key, decode(invitation.nonce)), start_seed, board))
        return known_start(knowledge[0])

    game = first_game(invitation, joins, encode(value), board, hidden)
    return written(game._replace(sealed=boxes(game, knowledge[0], seal_keys_of(key))), key)


class HiddenStart(NamedTuple):
    """What is hidden at the start: who has the mission against his own colour, and the commitments to all missions."""

    own_colours: OwnColours
    commitments: Callable[[State], tuple[str, ...]]


def known_start(knowledge: HostKnowledge) -> HiddenStart:
    """Return what is hidden at the start for one who has the secret of the game."""

    def commitments(state: State) -> tuple[str, ...]:
        knowledge.learn(state)
        return knowledge.commitments("missions/1", len(state.pack)) if state.missions else ()

    return HiddenStart(knowledge.own_colours, commitments)


def first_game(
    invitation: Invitation,
    joins: Sequence[Join],
    reveal: str,
    board: Board,
    hidden: Callable[[bytes], HiddenStart],
) -> Game:
    """Return the first game as it follows from the documents and the host's first link, without boxes.

    `hidden` is asked with the start seed for what nobody but the host knows.
    """
    problems = why_not_yet(invitation, len(joins))
    if problems:
        raise IllegalOrders(*problems)
    by_id = sorted(joins, key=lambda join: join.player)
    reveals = ((invitation.host, reveal),)
    digests = [join.signed.digest for join in by_id]
    seed = turn_seed(invitation.name, invitation.nonce, 0, invitation.signed.digest, digests, reveals)
    secrets = hidden(seed)
    wishes: Mapping[str, tuple[str, ...]] = {join.player: join.colours for join in by_id}
    events, state = begin(
        board, invitation.rules, invitation.settings, wishes, invitation.seats,
        lambda label, items: shuffle(seed, label, items), lambda label, n: pick(seed, label, n), secrets.own_colours,
    )  # fmt: skip
    documents = (whole(invitation.signed), *(whole(join.signed) for join in by_id))
    joined = {join.player: join for join in joins}
    return Game(
        name=invitation.name,
        nonce=invitation.nonce,
        turn=1,
        previous=invitation.signed.digest,
        rules_version=RULES_VERSION,
        start_seed=encode(seed),
        deadline=invitation.deadline,
        edition=invitation.edition,
        variant=invitation.variant,
        board_digest=invitation.board_digest,
        host=Host(
            invitation.host,
            invitation.key,
            invitation.seal_key,
            reveal,
            1,
            invitation.secret_commitment,
        ),
        people={player: _person(joined[player]) for player in state.players},
        state=state,
        mission_commitments=secrets.commitments(state),
        evidence=Evidence(reveals, documents=tuple(ordered(tree) for tree in documents)),
        events=tuple(events),
    )


def _person(join: Join) -> Person:
    return Person(join.title, join.language, join.key, join.seal_key, join.salt, join.anchor, 0)
