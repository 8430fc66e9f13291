"""What the host seals to the players and opens of theirs, and what he reveals when all is over (DESIGN section 6)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.documents.base64 import decode, encode
from referee.documents.gamefile import Game, GameFile, Secret, Unsealed
from referee.documents.intake import unsealed_problem
from referee.documents.keys import Key
from referee.documents.knowledge import HostKnowledge
from referee.documents.layout import ordered
from referee.documents.sealing import open_to_host, seal_box, seal_key, sealed_commitment
from referee.documents.secrets import game_secret, secret_commitment
from referee.documents.signing import Document
from referee.documents.text import check_values
from referee.errors import BadSignature, Problem, ReplayDiffers
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple


def open_sealed_part(document: Document, before: GameFile, key: Key) -> Unsealed:
    """Open what a player sealed to the host, and check it against the commitment beside it."""
    game, tree = before.game, document.tree
    sealed, player = tree["sealed"], tree["player"]
    shape = isinstance(sealed, dict) and set(sealed) == {"box", "commitment"}
    if not shape or not all(type(value) is str for value in sealed.values()):
        raise BadSignature(document.source.problem("not-sealed", "must have a box and a commitment", "sealed"))
    try:
        content = open_to_host(key, game.name, game.nonce, player, before.digest, sealed["box"])
    except BadSignature as error:
        message = error.problems[0].message
        raise BadSignature(document.source.problem("not-opened", message, "sealed.box")) from None
    check_values(content.content, document.source)
    if encode(sealed_commitment(content.salt, content.content)) != sealed["commitment"]:
        raise unsealed_problem(document)
    return Unsealed(player, encode(content.salt), ordered(content.content))


def open_knowledge(game: Game) -> HostKnowledge:
    """Return what everybody sees of a game in which nothing is hidden: cards are held by their own names."""
    return HostKnowledge(b"", b"", game.state.board)


def host_knowledge(game: Game, key: Key) -> HostKnowledge:
    """Return what the host sees of a game that he runs, with his key; where nobody keeps secrets all see everything."""
    if game.state.openly:
        return open_knowledge(game)
    capitals = None
    if game.state.rules.capitals == "secret_sweep":
        from referee.documents.capitals import host_capitals

        capitals = host_capitals(game, key)
    return HostKnowledge(kept_by(game, key).secret, decode(game.start_seed), game.state.board, capitals)


class Kept(NamedTuple):
    """What a host knows beside his key: the secret of the game, and what was handed over to him (`handing`).

    `seal_keys` are those of each former host, in their order: by player one value for all who had sat there.
    """

    secret: bytes
    seal_keys: tuple[Mapping[PlayerId, str], ...] = ()
    capitals: Mapping[PlayerId, Unsealed] = {}


def kept_by(game: Game, key: Key) -> Kept:
    """Return what the host knows with his key; BadSignature if what was handed over to him is not what it should be.

    Who wrote the invitation computes the secret from his key; whoever took over finds it in his box.
    """
    if not game.keeper.former:
        return Kept(game_secret(key, decode(game.nonce)))
    from referee.documents.handing import handed_to

    return handed_to(game, key)


SealKeyOf = Callable[[Game, PlayerId], bytes]
"""From a game and a player to the 64 bytes that the host shares with whoever sits at that seat in this game file."""


def seal_keys_of(key: Key) -> SealKeyOf:
    """Return the keys to the players' boxes as the host has them, each derived when it is needed."""

    def seal_key_of(game: Game, player: PlayerId) -> bytes:
        return seal_key(key, game.people[player].seal_key, decode(game.nonce))

    return seal_key_of


def revealed_seal_keys(secret: Secret, file: str) -> SealKeyOf:
    """Return the keys to the boxes as the last game file reveals them; ReplayDiffers if one is not there."""

    def seal_key_of(game: Game, player: PlayerId) -> bytes:
        era, number = len(game.keeper.former), len(game.people[player].former)
        if era < len(secret.handed_seal_keys):
            return keys_handed(secret.handed_seal_keys, era)(game, player)
        former = decode(secret.former_seal_keys.get(player, ""))
        if former[64 * number :]:
            return former[64 * number :][:64]
        value = secret.seal_keys.get(player)
        if value is None:
            raise ReplayDiffers(Problem("wrong-secret", f'no seal key of "{player}"', "secret", file=file))
        return decode(value, 64)

    return seal_key_of


def keys_handed(handed: Sequence[Mapping[PlayerId, str]], era: int) -> SealKeyOf:
    """Return the keys to the boxes of a former host, the one with this number from 0, as he handed them over."""

    def seal_key_of(game: Game, player: PlayerId) -> bytes:
        start = 64 * len(game.people[player].former)
        found = decode(handed[era].get(player, ""))[start : start + 64]
        return found.ljust(64, b"\0")  # where there is none no box is opened by it

    return seal_key_of


def last_secret(key: Key, game: Game) -> Secret | None:
    """Return what the last game file reveals, former players' seal keys included; nothing if all was open."""
    if game.state.openly:
        return None
    nonce = decode(game.nonce)
    kept = kept_by(game, key)
    secret = kept.secret
    refuse_other_secret(secret, game.keeper.secret_commitment)
    keys = {player: encode(seal_key(key, one.seal_key, nonce)) for player, one in game.people.items()}
    former = {
        player: encode(b"".join(seal_key(key, before.seal_key, nonce) for before in one.former))
        for player, one in game.people.items()
        if one.former
    }
    handed = tuple({player: keys[player] for player in game.people} for keys in kept.seal_keys)  # in seat order
    return Secret(encode(secret), keys, former, handed)


def refuse_other_secret(secret: bytes, commitment: str) -> None:
    """Raise if the host's key gives another secret of a game than that which the invitation is bound to."""
    if encode(secret_commitment(secret)) != commitment:
        raise BadSignature(Problem("other-secret", "the secret is not the one that the invitation committed to"))


def boxes(game: Game, knowledge: HostKnowledge, key_of: SealKeyOf) -> dict[PlayerId, str]:
    """Seal to each player who plays what only he may read: hidden cards in hand, and his mission.

    When the game is over everything is revealed, and there are no boxes; neither are there where nobody has secrets.
    """
    state = game.state
    sealed: dict[PlayerId, str] = {}
    if state.phase == "over" or state.openly:
        return sealed
    knowledge.learn(state)
    for player in state.playing():
        hand = state.hands[player]
        cards = [list(knowledge.opening(name)) for name in hand if knowledge.id_of(name) != name]
        content: dict[str, Any] = {"cards": cards}
        if player in state.missions:
            content["mission"] = list(knowledge.opening(state.missions[player]))
        if game.people[player].former and state.capitals.get(player) == "" and knowledge.capitals is not None:
            content["capital"] = knowledge.capitals.of(player)  # he who chose it has left
        if state.shuffles or state.missions:
            box = seal_box(key_of(game, player), game.name, game.turn, player, content, len(hand))
            sealed[player] = box
    return sealed
