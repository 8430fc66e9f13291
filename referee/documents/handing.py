"""Handing a hosted game over to another host (DESIGN section 3, "act"; section 6 for what is sealed).

    take_over, by the new host    his name, keys and chain: an offer that answers one game file
    hand_over, by the old host    names the new host and the digest of his offer, and holds a box for him

Both act from the game file on that `resolve` makes, which the old host still signs. From then on `[host]` is the new
one; the secret of the game, its commitment and the decks stay. In the box is what he cannot compute from his own key:
the secret, the seal keys of all seats with everybody who has sat there, for each host so far, and the capitals that are
still secret. It stays in `[host]`, so that he needs nothing but his key and the game file. A box of the file that the
old host makes is sealed with the old host's key, as he makes it.

The box is HPKE as in DESIGN section 6, with the name of the new host for `player` and a commitment beside it; the
plaintext is padded to 2,048 bytes, or to the next multiple of that if it needs more, at most `MOST_SEALED`. Only games
that are handed over need this module.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.documents.acting import signed_act
from referee.documents.base64 import Base64Error, decode, encode
from referee.documents.boxes import Kept, boxes, kept_by, keys_handed
from referee.documents.canonical import json_bytes
from referee.documents.chains import anchor
from referee.documents.gamefile import FormerHost, Game, GameFile, Host, Unsealed
from referee.documents.intake import Collector, stays_sealed
from referee.documents.keys import Key, PublicKeyError, public_bytes
from referee.documents.sealing import SEALED_SIZE, Content, open_to_host, seal_key, seal_to_host, sealed_commitment
from referee.documents.seats import already_seen, seen_in
from referee.documents.secrets import secret_commitment
from referee.documents.signing import Document, Signed
from referee.errors import BadSignature, IllegalOrders, Problem
from referee.game.orders import NEUTRAL, PlayerId
from referee.game.records import NamedTuple
from referee.game.trees import ID

MOST_SEALED = 5 * SEALED_SIZE
"""So much fits in an act: the keys of about a hundred pairs of a host and a player."""
_OVERHEAD = 32 + 16
"""Bytes of a box beside what is sealed: a key and a tag."""


class Handing(NamedTuple):
    """What hands a game over: the two acts, checked."""

    act: Signed
    offer: Signed


# --- the acts ----------------------------------------------------------------------------------


def take_over_act(before: GameFile, name: str, key: Key) -> dict[str, Any]:
    """Return the signed offer to go on with a game as its host; IllegalOrders if that cannot be."""
    says = {
        "act": "take_over",
        "name": name,
        "key": key.public,
        "seal_key": key.seal_public,
        "anchor": encode(anchor(key, decode(before.game.nonce), b"")),
    }
    return signed_act(before, key, name, says)


def hand_over_act(before: GameFile, offer: Signed, key: Key, salt: bytes) -> dict[str, Any]:
    """Return the act by which the host hands his game over, signed; `salt` are 16 random bytes.

    HPKE draws a key of its own, so two acts with the same content differ.
    """
    game, tree = before.game, offer.tree
    content = _content(game, key)
    commitment = encode(sealed_commitment(salt, content))
    size = -(-len(json_bytes({"content": content, "salt": encode(salt)})) // SEALED_SIZE) * SEALED_SIZE
    if size > MOST_SEALED:
        message = f"needs more than {MOST_SEALED:,} bytes: too many have sat at the table"
        raise IllegalOrders(Problem("too-long", message))
    box = seal_to_host(tree["seal_key"], game.name, game.nonce, tree["name"], before.digest, content, salt, size)
    says = {"act": "hand_over", "host": tree["name"], "offer": offer.digest, "commitment": commitment, "box": box}
    return signed_act(before, key, game.keeper.name, says)


def _content(game: Game, key: Key) -> dict[str, Any]:
    """Return what a host seals to the next one."""
    kept = kept_by(game, key)
    own = {}
    for player, person in game.people.items():
        publics = [*(former.seal_key for former in person.former), person.seal_key]
        own[player] = encode(b"".join(seal_key(key, public, decode(game.nonce)) for public in publics))
    capitals = {}
    for player in game.capitals if not game.state.openly else ():
        unsealed = _capital(game, key, player)
        capitals[player] = [unsealed.content["capital"], unsealed.salt]
    content: dict[str, Any] = {
        "secret": encode(kept.secret),
        "seal_keys": [dict(keys) for keys in (*kept.seal_keys, own)],
    }
    return {**content, "capitals": capitals} if capitals else content


def _capital(game: Game, key: Key, player: PlayerId) -> Unsealed:
    from referee.documents.capitals import host_capitals

    capitals = host_capitals(game, key)
    capitals.open(player)
    return capitals.opened[0]


def handed_by(acts: Sequence[Signed], before: GameFile, seats_change: bool) -> tuple[Handing | None, list[Signed]]:
    """Return what hands the game over, and the documents for the evidence; everything that is wrong together.

    `seats_change` says that somebody takes a seat at the same time: his seal key would not be in the box.
    """
    offers = {act.digest: act for act in acts if act.tree["act"] == "take_over"}
    handing = next((act for act in acts if act.tree["act"] == "hand_over"), None)
    errors = Collector()
    sound = {digest for digest, one in offers.items() if not errors.wrong(IllegalOrders, why_not_host(one, before))}
    if handing is not None:
        errors.wrong(IllegalOrders, _why_not_handed(handing, offers, before, seats_change))
    named = str(handing.tree["offer"]) if handing is not None else ""
    errors.wrong(IllegalOrders, [_not_taken(offers[digest]) for digest in sorted(sound - {named})])
    errors.done()
    return (Handing(handing, offers[named]), [handing, offers[named]]) if handing is not None else (None, [])


def _why_not_handed(act: Signed, offers: Mapping[str, Signed], before: GameFile, seats_change: bool) -> list[Problem]:
    source = act.source
    found: list[Problem] = []
    offer = offers.get(str(act.tree["offer"]))
    if offer is None:
        hint = "hand in what the new host has signed, too: `referee act take_over` made it"
        message = f"no offer with the digest {act.tree['offer']} is here"
        found.append(source.problem("no-offer", message, "offer", hint))
    elif offer.tree["name"] != act.tree["host"]:
        message = f'is "{act.tree["host"]}", but the offer is by "{offer.tree["name"]}"'
        found.append(source.problem("other-offer", message, "host"))
    if seats_change:
        message = "hands nothing over in a turn in which somebody takes a seat or changes a key"
        found.append(source.problem("seat-changes", message, "act", "do one after the other"))
    if stays_sealed(before.game.state):
        message = "hands nothing over while capitals are chosen: they are sealed to the host who opens them"
        found.append(source.problem("capitals-chosen", message, "act", "hand it over in the next turn"))
    return found


def _not_taken(offer: Signed) -> Problem:
    message = "is an offer, and no act of the host hands the game over to it"
    return offer.source.problem("no-act", message, "", "`referee act hand_over` makes and signs it")


def offered_by(tree: Mapping[str, Any]) -> Mapping[str, str]:
    """Return by name the key with which an offer must be signed: the one that it states, as in a join."""
    name, key = tree.get("name"), tree.get("key")
    return {name: key} if isinstance(name, str) and isinstance(key, str) else {}


def check_offer(document: Document) -> list[Problem]:
    """Return what is wrong with the values of an offer whose keys and types are right."""
    source, tree = document.source, document.tree
    found = []
    for key, kind in (("key", "ed25519"), ("seal_key", "x25519")):
        try:
            public_bytes(tree[key], kind)  # type: ignore[arg-type]
        except PublicKeyError as error:
            found.append(source.problem("key", str(error), key))
    try:
        decode(tree["anchor"], 32)
    except Base64Error as error:
        found.append(source.problem("not-binary", str(error), "anchor"))
    if not ID.fullmatch(tree["name"]) or tree["name"] == NEUTRAL:
        message = 'is no id of a host: a letter a-z, then letters, digits, "_" or "-"'
        found.append(source.problem("not-an-id", message, "name"))
    return found


def check_box(document: Document) -> list[Problem]:
    """Return what is wrong with the box and the digests of an act that hands a game over."""
    found = []
    tree = document.tree
    for key in ("offer", "commitment"):
        try:
            decode(tree[key], 32)
        except Base64Error as error:
            found.append(document.source.problem("not-binary", str(error), key))
    try:
        size = len(decode(tree["box"])) - _OVERHEAD
    except Base64Error as error:
        return [*found, document.source.problem("not-binary", str(error), "box")]
    if size % SEALED_SIZE or not 0 < size <= MOST_SEALED:
        message = f"must hold {SEALED_SIZE:,} bytes or a multiple, at most {MOST_SEALED:,}"
        found.append(document.source.problem("not-a-box", message, "box"))
    return found


def why_not_host(offer: Signed, before: GameFile) -> list[Problem]:
    """Return why somebody cannot be the next host: his name, keys or chain are somebody else's."""
    game, source, name = before.game, offer.source, str(offer.tree["name"])
    found = []
    if name in game.state.players:
        message = f'"{name}" is a player: the host must not see the hands of others and have one of his own'
        found.append(source.problem("plays", message, "name", "somebody who does not play takes the game over"))
    elif name in [game.keeper.name, *(former.name for former in game.keeper.former)]:
        found.append(source.problem("same-host", f'"{name}" is or was the host of this game', "name"))
    tree = offer.tree
    found += already_seen(source, tree["key"], tree["seal_key"], tree["anchor"], seen_in(game))
    return found


def handed_over(game: Game, handing: Handing, state: str) -> Game:
    """Return a game with its new host; `state` is the digest of the game file that the acts answered."""
    old, offer = game.keeper, handing.offer.tree
    former = (*old.former, FormerHost(old.name, old.key, old.seal_key, old.chain, old.links, old.since))
    new = Host(
        offer["name"], offer["key"], offer["seal_key"], offer["anchor"], 0, old.secret_commitment, game.turn, state,
        handing.act.tree["box"], former, old.plays,
    )  # fmt: skip
    return game._replace(host=new)


# --- what the new host knows -------------------------------------------------------------------


def handed_to(game: Game, key: Key) -> Kept:
    """Return what the host who took a game over finds in his box; BadSignature if it is not what it should be."""
    host = game.keeper
    opened = _opened(game, key, host.former[-1].name, (host.name, host.state, host.box))
    return _kept(opened.content, game, len(host.former), host.former[-1].name)


def _opened(game: Game, key: Key, by: str, sealed: tuple[str, str, str]) -> Content:
    """Open what was handed over by somebody: to whom it is sealed, in an act for which state, and the box."""
    name, state, box = sealed
    try:
        return open_to_host(key, game.name, game.nonce, name, state, box, MOST_SEALED)
    except BadSignature:
        raise _wrongly(by, f'to "{name}" cannot be opened with this key') from None


def _kept(content: Mapping[str, Any], game: Game, hosts: int, by: str) -> Kept:
    """Return what is in a box that was handed over by somebody, the last of so many hosts."""
    try:
        secret = decode(content["secret"], 32)
        seal_keys = tuple({PlayerId(p): str(value) for p, value in keys.items()} for keys in content["seal_keys"])
        capitals = {
            PlayerId(p): Unsealed(p, encode(decode(salt, 16)), {"capital": str(name)})
            for p, (name, salt) in content.get("capitals", {}).items()
        }
        sound = len(seal_keys) == hosts and all(are_seal_keys(keys, game) for keys in seal_keys)
    except (KeyError, AttributeError, TypeError, ValueError):
        sound = False
    if not sound:
        raise _wrongly(by, "holds no secret, seal keys and capitals of this game")
    if encode(secret_commitment(secret)) != game.keeper.secret_commitment:
        raise _wrongly(by, "holds another secret than the invitation committed to")
    return Kept(secret, seal_keys, capitals)


def are_seal_keys(keys: Mapping[PlayerId, Any], game: Game) -> bool:
    """Say whether this can be the seal keys of a former host: for each player one value of whole keys.

    As many at most as have sat at the seat by now; since then there may have come more.
    """
    if keys.keys() != game.people.keys():
        return False
    try:
        sizes = {player: len(decode(value)) for player, value in keys.items()}
    except Base64Error:
        return False
    return all(
        size % 64 == 0 and 1 <= size // 64 <= 1 + len(game.people[player].former) for player, size in sizes.items()
    )


def check_handing(before: GameFile, act: Signed, key: Key) -> None:
    """Hold what is handed over against the game file, as the new host, before it is too late; BadSignature if wrong.

    The secret is held against its commitment, the capitals against theirs, and the seal keys against the boxes of the
    file: those of a seat that has no box there cannot be checked so.
    """
    from referee.documents.knowledge import HostKnowledge

    game, by = before.game, before.game.keeper.name
    opened = _opened(game, key, by, (str(act.tree["host"]), before.digest, act.tree["box"]))
    if encode(sealed_commitment(opened.salt, opened.content)) != act.tree["commitment"]:
        raise _wrongly(by, "does not fit the commitment beside it")
    kept = _kept(opened.content, game, len(game.keeper.former) + 1, by)
    capitals = None
    if game.capitals and not game.state.openly:
        from referee.documents.capitals import handed_capitals

        capitals = handed_capitals(game, kept.capitals)
        for player in game.capitals:
            capitals.open(player)
    knowledge = HostKnowledge(kept.secret, decode(game.start_seed), game.state.board, capitals)
    era = len(game.keeper.former) - (game.turn == game.keeper.since and bool(game.keeper.former))
    if boxes(game, knowledge, keys_handed(kept.seal_keys, era)) != dict(game.sealed):
        raise _wrongly(by, "holds seal keys that do not open the boxes of this game file")


def _wrongly(by: str, message: str) -> BadSignature:
    hint = "keep it and tell the players: without it the game goes on only without a host, `referee act host_gone`"
    return BadSignature(Problem("wrong-handing", f'what "{by}" has sealed {message}', "box", hint))
