"""How a join takes a seat in a running game: of a substitute, or of a player with other keys (DESIGN sections 3 and 4).

The join answers the invitation, which goes into the evidence with it, so that everybody can check both. Former keys
stay on record. For an awaited seat a substitute acts at once, so the act holds the box that he needs to see the hand:
the one in the game file is sealed to whoever sat there before. Other keys of the same player always begin with the next
game file: until then he signs, and reveals, with the former ones. All else of the seat stays as it is. Only games in
which a seat changes need this module.
"""

from collections.abc import Collection, Mapping, Sequence

from referee.documents.base64 import Base64Error, decode
from referee.documents.canonical import digest_of
from referee.documents.chains import passed
from referee.documents.gamefile import Former, FormerHost, Game, GameFile, Host, Person
from referee.documents.intake import Collector
from referee.documents.invitation import Invitation, Join, read_invitation, read_join
from referee.documents.kinds import INVITATION, JOIN
from referee.documents.signing import Document, Signed
from referee.documents.text import Source
from referee.errors import BadSignature, IllegalOrders, Problem, RefereeError, raise_all
from referee.game.changes import at_once
from referee.game.events import Decider
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple


class Substitute(NamedTuple):
    """Who takes a seat; `box` is what only he may read now, if the seat is awaited and there is anything."""

    player: PlayerId
    join: Join
    box: str


class NewKey(NamedTuple):
    """A player's join with other keys, and who has decided that he plays with them from the next game file on."""

    player: PlayerId
    join: Join
    by: Decider


def seats_by(
    acts: Sequence[Signed], signers: Mapping[str, Collection[str]], documents: Sequence[Document], before: GameFile
) -> tuple[tuple[Substitute, ...], tuple[NewKey, ...], list[Signed]]:
    """Find the join of each act and the invitation that it answers; return all in the order of the evidence.

    `signers` are who has signed a copy of each act, by its digest.
    """
    joins, invitations = _by_digest(documents, JOIN), _by_digest(documents, INVITATION)
    errors = Collector()
    substitutes: list[Substitute] = []
    new_keys: list[NewKey] = []
    evidence: list[Signed] = []
    used: dict[str, Signed] = {}
    for act in acts:
        try:
            join, invitation = _join_of(act, joins, invitations, before)
            others = [*(one.join for one in substitutes), *(one.join for one in new_keys)]
            errors.wrong(IllegalOrders, why_not_seated(join, before, others))
            if act.tree["act"] == "key":
                errors.wrong(IllegalOrders, why_no_other_key(before, act.source, "act"))
                new_keys.append(NewKey(PlayerId(join.player), join, _decided(act, signers[act.digest], before)))
            else:
                substitutes.append(Substitute(PlayerId(join.player), join, _box_of(act, before)))
        except RefereeError as error:
            errors.note(error)
            continue
        evidence += [act, join.signed]
        used[invitation.signed.digest] = invitation.signed
    named = {str(act.tree["join"]) for act in acts}
    errors.wrong(IllegalOrders, [_not_called(copies[0]) for digest, copies in joins.items() if digest not in named])
    spare = [copies[0] for digest, copies in invitations.items() if digest not in used]
    if not errors.errors:
        problems = [_not_called(one) for one in spare]
        errors.wrong(IllegalOrders, problems)
    errors.done()
    return tuple(substitutes), tuple(new_keys), [*evidence, *(used[digest] for digest in sorted(used))]


def _decided(act: Signed, signers: Collection[str], before: GameFile) -> Decider:
    """Return who has decided that a player goes on with other keys."""
    if act.tree["player"] in signers:
        return "player"
    return "host" if before.game.host is not None else "table"


_Copies = Mapping[str, Sequence[Document]]
"""Documents that say the same, perhaps under several signatures, by digest."""


def _by_digest(documents: Sequence[Document], kind: str) -> _Copies:
    found: dict[str, list[Document]] = {}
    for one in documents:
        if one.format == kind:
            found.setdefault(digest_of(one.tree), []).append(one)
    return found


def _not_called(document: Document) -> Problem:
    message = "is here, and no act says who takes which seat"
    hint = "`referee act substitute` makes and signs it, or `referee act key` for other keys of the same player"
    return document.source.problem("no-act", message, "", hint)


def _join_of(act: Signed, joins: _Copies, invitations: _Copies, before: GameFile) -> tuple[Join, Invitation]:
    """Return the join of an act and the invitation that it answers; every copy holds, the smaller signature stays."""
    game, digest = before.game, str(act.tree["join"])
    if digest not in joins:
        raise IllegalOrders(act.source.problem("no-join", f"no join with the digest {digest} is here", "join"))
    document = joins[digest][0]
    answered = document.tree.get("invitation")
    if not isinstance(answered, str) or answered not in invitations:
        hint = f"hand in {game.name}-invitation.toml, too"
        raise IllegalOrders(document.source.problem("no-invitation", "the invitation is not here", "invitation", hint))
    opened = [read_invitation(one) for one in invitations[answered]]
    invitation = min(opened, key=lambda one: one.signed.signature)
    raise_all(IllegalOrders, why_not_invited(invitation, game, "nonce"))
    made = [read_join(one, invitation, game.state.board) for one in joins[digest]]
    join = min(made, key=lambda one: one.signed.signature)
    if join.player != act.tree["player"]:
        message = f'is a join as "{join.player}", but the seat is that of "{act.tree["player"]}"'
        raise IllegalOrders(document.source.problem("other-seat", message, "player"))
    return join, invitation


def why_not_invited(invitation: Invitation, game: Game, key: str = "") -> tuple[Problem, ...]:
    """Return why nobody takes a seat of a game by this invitation: it opened another one."""
    if (invitation.name, invitation.nonce, invitation.key) == (game.name, game.nonce, opened_with(game)):
        return ()
    message = f'is no invitation to this game "{game.name}"'
    return (invitation.signed.source.problem("other-game", message, key),)


def why_no_other_key(before: GameFile, source: Source, key: str = "") -> tuple[Problem, ...]:
    """Return why nobody goes on with another key while all commit themselves to capitals, as nobody keeps secrets.

    What opens a commitment follows from the key that made it (`commitments`), and is asked for in the next turn.
    """
    state = before.game.state
    if state.phase != "capital" or not state.openly or state.capitals:
        return ()
    message = "changes no key while all commit themselves to capitals: what opens them follows from the key"
    hint = "hand it in when they are opened; if the key is lost, the new one takes the seat as a substitute's does"
    return (source.problem("capitals-chosen", message, key, hint),)


def why_not_seated(join: Join, before: GameFile, others: Sequence[Join] = ()) -> tuple[Problem, ...]:
    """Return why somebody cannot take a seat: nobody plays there, or his keys or his chain have been seen before."""
    game, source = before.game, join.signed.source
    if game.state.players[PlayerId(join.player)].status != "playing":
        return (source.problem("not-playing", f'"{join.player}" does not play any more', "player"),)
    seen = seen_in(game)
    for other in others:
        who = f'the join for "{other.player}"'
        seen.append(Seen(who, other.key, other.seal_key, frozenset((decode(other.anchor),))))
    return tuple(already_seen(source, join.key, join.seal_key, join.anchor, seen))


class Seen(NamedTuple):
    """Whose keys have been in a game, and all values of his chain that have been seen."""

    who: str
    key: str
    seal_key: str
    chain: frozenset[bytes]


def seen_in(game: Game) -> list[Seen]:
    """Return everybody whose keys have been in a game: hosts and players, present and former."""
    known: list[tuple[str, Host | FormerHost | Person | Former]] = []
    if (host := game.host) is not None:
        known.append(("the host", host))
    known += [("a former host", former) for former in game.former_hosts]
    for player, person in game.people.items():
        known.append((f'"{player}"', person))
        known += [(f'a former "{player}"', former) for former in person.former]
    return [Seen(who, one.key, one.seal_key, passed(decode(one.chain), one.links)) for who, one in known]


def already_seen(source: Source, key: str, seal_key: str, anchor: str, seen: Sequence[Seen]) -> list[Problem]:
    """Return what somebody new brings that is somebody else's: a key, a seal key, a chain."""
    found = []
    for one in seen:
        if key == one.key:
            found.append(source.problem("same-key", f"has the same key as {one.who}", "key"))
        elif seal_key == one.seal_key:
            found.append(source.problem("same-key", f"has the same seal key as {one.who}", "seal_key"))
        if decode(anchor) in one.chain:
            found.append(source.problem("same-anchor", f"has the same chain as {one.who}", "anchor"))
    return found


def _box_of(act: Signed, before: GameFile) -> str:
    """Return the box of an act, which is there just where the substitute acts at once and has something to see."""
    game, player = before.game, PlayerId(act.tree["player"])
    box = str(act.tree.get("box", ""))
    if player not in game.state.acting or player not in game.sealed:
        if "box" in act.tree:
            raise BadSignature(act.source.problem("wrong-box", "no box belongs here", "box"))
        return ""
    try:
        decode(box, len(decode(game.sealed[player])))
    except Base64Error as error:
        raise BadSignature(act.source.problem("wrong-box", str(error), "box")) from None
    return box


def opened_with(game: Game) -> str:
    """Return the key with which the invitation was signed: the host's, or that which the opener had at first."""
    if game.host is not None:
        return game.host.began_with
    if game.gone is not None:
        return game.gone.hosts[0].key
    opener = game.people[PlayerId(game.opener)]
    return opener.former[0].key if opener.former else opener.key


def seated(before: GameFile, substitutes: Sequence[Substitute]) -> GameFile:
    """Return a game file as its orders are answered: with the substitutes for awaited seats, who act at once."""
    game = before.game
    now = [one for one in substitutes if one.player in game.state.acting]
    if not now:
        return before
    gone = {one.player for one in now}
    boxes = {one.player: one.box for one in now if one.box}
    return before._replace(
        game=taken_over(game, now)._replace(
            state=at_once([one.player for one in now], game.state)[1],
            standing={player: tree for player, tree in game.standing.items() if player not in gone},
            sealed={player: boxes.get(player, box) for player, box in game.sealed.items()},
        )
    )


def taken_over(game: Game, substitutes: Sequence[Substitute]) -> Game:
    """Return a game in which others sit at seats; those before them, with their keys, are kept on record."""
    people = dict(game.people)
    for one in substitutes:
        old, join = people[one.player], one.join
        former = (*old.former, Former(old.key, old.seal_key, old.chain, old.links))
        people[one.player] = Person(
            join.title, join.language, join.key, join.seal_key, join.salt, join.anchor, 0, former
        )  # fmt: skip
    return game._replace(people=people)


def changed_keys(game: Game, new_keys: Sequence[NewKey]) -> Game:
    """Return a game in which players go on with other keys and other chains; the former ones are kept on record."""
    people = dict(game.people)
    for one in new_keys:
        old, join = people[one.player], one.join
        former = (*old.former, Former(old.key, old.seal_key, old.chain, old.links, one.by))
        people[one.player] = old._replace(
            key=join.key, seal_key=join.seal_key, salt=join.salt, chain=join.anchor, links=0, former=former
        )
    return game._replace(people=people)
