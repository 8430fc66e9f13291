"""From invitation and joins to the first game file (DESIGN section 5, "Start").

`invitation_tree` and `join_tree` make the documents that an opener and the players sign. `start` is a pure function:
the seed comes from the invitation, the joins, and the first link of the host (quick start), or of every player and of
the host if there is one (careful start, `roster`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.documents.base64 import decode, encode
from referee.documents.boxes import boxes, refuse_other_secret, seal_keys_of
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
from referee.documents.rolling import Roller
from referee.documents.roster import careful_start
from referee.documents.secrets import game_secret, secret_commitment, turn_seed
from referee.documents.signing import Document, Signed
from referee.errors import BadSignature, Problem
from referee.game.board import Board
from referee.game.dice import pick, shuffle
from referee.game.presets import Preset
from referee.game.records import NamedTuple
from referee.game.rules import Rules, Settings
from referee.game.setup import OwnColours, begin, nobody
from referee.game.state import State


def invitation_tree(
    name: str,
    nonce: bytes,
    preset: Preset,
    rules: Rules,
    settings: Settings,
    board: tuple[str, str],
    opener: str,
    key: Key,
    title: str = "",
    seats: Sequence[str] = (),
    deadline: str = "",
    players: tuple[int, int] | None = None,
    hosted: bool = True,
    plays: str = "",
) -> dict[str, Any]:
    """Return an invitation to sign; `board` is name and digest, `players` the fewest and the most.

    The opener is the host if the game is `hosted`, who may play under the id `plays`; else one of the players.
    """
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
        **({"host": _host(opener, key, nonce, plays)} if hosted else {"opener": {"name": opener, "key": key.public}}),
        "rules": {**rules._asdict(), **settings._asdict()},
    }


def _host(name: str, key: Key, nonce: bytes, plays: str) -> dict[str, str]:
    return {
        "name": name,
        "key": key.public,
        "seal_key": key.seal_public,
        "anchor": encode(anchor(key, nonce, b"")),
        "secret_commitment": encode(secret_commitment(game_secret(key, nonce))),
        **({"plays": plays} if plays else {}),
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


def opener_of(invitation: Invitation) -> Roller:
    """Return who makes the first game file."""
    salt = "" if invitation.hosted else "-"
    return Roller(invitation.opener, invitation.key, invitation.anchor, 0, salt)


def start(
    invitation: Invitation, joins: Sequence[Join], key: Key, board: Board, papers: Sequence[Document] = ()
) -> GameFile:
    """Return the first game file; `key` is the opener's, `papers` the roster and the reveals of a careful start.

    Raises UnreadableDocument, BadSignature or IllegalOrders with all that is wrong.
    """
    opener = opener_of(invitation)
    refuse_other_opener(opener, key)
    check_joins(invitation, joins)
    signed: tuple[Signed, ...] = ()
    reveals: tuple[tuple[str, str], ...] = ()
    if is_careful(invitation):
        signed, reveals = careful_start(invitation, joins, papers)
    if invitation.hosted:
        value = encode(link(key, decode(invitation.nonce), b"", 1))
        if encode(step(decode(value))) != invitation.anchor:
            raise BadSignature(Problem("other-chain", "the invitation's anchor is not the end of this key's chain"))
        reveals = with_the_host(reveals, invitation, joins, value)
    if invitation.openly:
        return written(first_game(invitation, joins, reveals, board, nothing_hidden, signed), key, opener.name)
    secret = game_secret(key, decode(invitation.nonce))
    refuse_other_secret(secret, invitation.secret_commitment)
    knowledge: list[HostKnowledge] = []

    def hidden(start_seed: bytes) -> HiddenStart:
        knowledge.append(HostKnowledge(secret, start_seed, board))
        return known_start(knowledge[0])

    game = first_game(invitation, joins, reveals, board, hidden, signed)
    return written(game._replace(sealed=boxes(game, knowledge[0], seal_keys_of(key))), key)


def is_careful(invitation: Invitation) -> bool:
    """Say whether all players reveal a link for the start, after the opener has signed a roster."""
    return invitation.settings.start == "careful"


def with_the_host(
    reveals: tuple[tuple[str, str], ...], invitation: Invitation, joins: Sequence[Join], value: str
) -> tuple[tuple[str, str], ...]:
    """Return the first links with the host's, in ASCII order of ids; BadSignature if his has been seen before."""
    if value in [*(link for _, link in reveals), *(join.anchor for join in joins)]:
        message = f'the link of "{invitation.opener}" has occurred in this game before'
        raise BadSignature(Problem("value-seen", message))
    return tuple(sorted((*reveals, (invitation.opener, value))))


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


def refuse_other_opener(opener: Roller, key: Key) -> None:
    """Raise if this is not the key of who opens the game."""
    if key.public != opener.key:
        who = opener.title if opener.is_host else f"{opener.title}, who opens the game"
        message = f"is not the key of {who}, {opener.key}"
        raise BadSignature(Problem("not-the-host" if opener.is_host else "not-the-roller", message, "--key"))


def nothing_hidden(start_seed: bytes) -> HiddenStart:
    """Return what is hidden at the start of a game in which nobody keeps secrets: nothing."""
    return HiddenStart(nobody, lambda state: ())


def first_game(
    invitation: Invitation,
    joins: Sequence[Join],
    reveals: tuple[tuple[str, str], ...],
    board: Board,
    hidden: Callable[[bytes], HiddenStart],
    papers: Sequence[Signed] = (),
) -> Game:
    """Return the first game as it follows from the documents and the first links revealed, without boxes.

    `hidden` is asked with the start seed for what nobody but the host knows; `papers` are what a careful start has
    beside invitation and joins, in the order of the evidence.
    """
    by_id = sorted(joins, key=lambda join: join.player)
    digests = [join.signed.digest for join in by_id]
    seed = turn_seed(invitation.name, invitation.nonce, 0, invitation.signed.digest, digests, reveals)
    secrets = hidden(seed)
    wishes: Mapping[str, tuple[str, ...]] = {join.player: join.colours for join in by_id}
    events, state = begin(
        board, invitation.rules, invitation.settings, wishes, invitation.seats,
        lambda label, items: shuffle(seed, label, items), lambda label, n: pick(seed, label, n), secrets.own_colours,
        invitation.openly,
    )  # fmt: skip
    documents = (invitation.signed, *(join.signed for join in by_id), *papers)
    joined, revealed = {join.player: join for join in joins}, dict(reveals)
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
        host=_first_host(invitation, revealed) if invitation.hosted else None,
        people={player: _person(joined[player], revealed.get(player)) for player in state.players},
        state=state,
        mission_commitments=secrets.commitments(state),
        evidence=Evidence(reveals, documents=tuple(ordered(whole(document)) for document in documents)),
        events=tuple(events),
        opener="" if invitation.hosted else invitation.opener,
    )


def _first_host(invitation: Invitation, revealed: Mapping[str, str]) -> Host:
    return Host(
        invitation.opener,
        invitation.key,
        invitation.seal_key,
        revealed[invitation.opener],
        1,
        invitation.secret_commitment,
        plays=invitation.plays,
    )


def _person(join: Join, revealed: str | None) -> Person:
    chain, links = (revealed, 1) if revealed else (join.anchor, 0)
    return Person(join.title, join.language, join.key, join.seal_key, join.salt, chain, links)
