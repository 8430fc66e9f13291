"""Game files: the state of a game and the evidence of how it came about (DESIGN section 7).

    bytes -> Document -> Signed -> GameFile(game, ...)          `open_game`
    Game -> tree -> text                                        `tree_of`, `written`

A `GameFile` has been checked: its signature holds under the key of its host, in a game without one of a player, and its
content is a sound state. Whether it follows from its predecessor is the business of `verify`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from referee.documents.base64 import decode, encode
from referee.documents.canonical import canonical, digest
from referee.documents.eventtables import event_to_tree
from referee.documents.keys import Key
from referee.documents.layout import table_text
from referee.documents.rolling import Roller, stated_roller
from referee.documents.secrets import secret_commitment
from referee.documents.signing import Document, Signed, read, signature_of, verified_by
from referee.errors import BadSignature, Problem
from referee.game.board import Board
from referee.game.events import Event
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple
from referee.game.state import State

FORMAT = "referee/game/1"
MAX_GAME_BYTES = 16 << 20
"""A game file may be larger than what people send: a turn of thousands of rolls must not end a game."""

RULES_VERSION = 1
"""Raised when a verdict changes; a running game keeps the version it began with."""


class FormerHost(NamedTuple):
    """Who ran the game before it was handed over: his keys, how far his chain had come, and his first turn, as below.

    `since` is 1 for the one who wrote the invitation.
    """

    name: str
    key: str
    seal_key: str
    chain: str
    links: int
    since: int


class Host(NamedTuple):
    """Who runs the game; `chain` is the head of his chain after `links` reveals.

    To whom it was handed over (`handing`) there is more: he resolves from turn `since` on, `former` are those before
    him, and `box` is what the last of them sealed to him in an act that answered the game file `state`.

    `plays` is the seat of the host who wrote the invitation, if he plays. It stays what it is, whoever sits there or
    hosts later: its turns are watched (`witnesses`), and what lies open does so for good.
    """

    name: str
    key: str
    seal_key: str
    chain: str
    links: int
    secret_commitment: str
    since: int = 1
    state: str = ""
    box: str = ""
    former: tuple[FormerHost, ...] = ()
    plays: str = ""

    @property
    def plays_himself(self) -> bool:
        """Say whether he has a seat: who took the game over from a host who plays has none."""
        return bool(self.plays) and not self.former

    @property
    def began_with(self) -> str:
        """Return the key of the host who wrote the invitation."""
        return self.former[0].key if self.former else self.key

    def tree(self) -> dict[str, Any]:
        """Return it as the table that stands in a game file."""
        tree = {**self._asdict(), "former": [one._asdict() for one in self.former]}
        spare = () if self.former else ("since", "state", "box", "former")
        return {key: value for key, value in tree.items() if key not in spare and (value or key != "plays")}


class Gone(NamedTuple):
    """That a hosted game has no host any more (`gone`): from which turn on, and who the hosts were."""

    since: int
    hosts: tuple[FormerHost, ...]

    def tree(self) -> dict[str, Any]:
        """Return it as the table that stands in a game file."""
        return {"since": self.since, "hosts": [one._asdict() for one in self.hosts]}


class Former(NamedTuple):
    """With which keys a seat was played before, and how far the chain had come.

    `changed_by` says who has decided that the same person goes on with other keys; it is empty before a substitute.
    """

    key: str
    seal_key: str
    chain: str
    links: int
    changed_by: str = ""


class Person(NamedTuple):
    """Who sits at a seat: what is public about a player beside the game itself; `former` the ones before, in order."""

    title: str
    language: str
    key: str
    seal_key: str
    salt: str
    chain: str
    links: int
    former: tuple[Former, ...] = ()


class Opening(NamedTuple):
    """A hidden card or mission laid open: its name, what it is, and the salt of its commitment."""

    name: str
    id: str
    salt: str


class Unsealed(NamedTuple):
    """What a player told the host alone, laid open: the salt and the content of the commitment."""

    player: str
    salt: str
    content: Mapping[str, Any]


class SealedCapital(NamedTuple):
    """A capital that is still secret: what its player sealed to the host, in orders that answered `state`.

    Without a host there is the commitment alone, which its player opens himself.
    """

    state: str
    box: str
    commitment: str

    def tree(self) -> dict[str, str]:
        """Return it as the table that stands in a game file."""
        return self._asdict() if self.box else {"commitment": self.commitment}


class Evidence(NamedTuple):
    """Why the events are what they are. Documents are in full, with their signatures."""

    reveals: tuple[tuple[str, str], ...] = ()
    openings: tuple[Opening, ...] = ()
    unsealed: tuple[Unsealed, ...] = ()
    documents: tuple[Mapping[str, Any], ...] = ()


class Secret(NamedTuple):
    """What the last game file reveals: the secret of the game and the seal key of every player.

    `former_seal_keys` are those of the ones who sat at a seat before, in their order, as one value.
    `handed_seal_keys` are those of each former host, in their order: by player one value, for all who had sat there
    when he handed the game over.
    """

    game_secret: str
    seal_keys: Mapping[PlayerId, str]
    former_seal_keys: Mapping[PlayerId, str] = {}
    handed_seal_keys: tuple[Mapping[PlayerId, str], ...] = ()

    def tree(self) -> dict[str, Any]:
        """Return it as the table that stands in a document."""
        tree: dict[str, Any] = {"game_secret": self.game_secret, "seal_keys": dict(self.seal_keys)}
        if self.former_seal_keys:
            tree["former_seal_keys"] = dict(self.former_seal_keys)
        if self.handed_seal_keys:
            tree["handed_seal_keys"] = [dict(keys) for keys in self.handed_seal_keys]
        return tree


class Game(NamedTuple):
    """The content of a game file. `turn` is the number of the orders it waits for; `previous` a digest.

    A table game has no host, but an opener: the player who wrote the invitation.
    """

    name: str
    nonce: str
    turn: int
    previous: str
    rules_version: int
    start_seed: str
    deadline: str
    edition: str
    variant: str
    board_digest: str
    host: Host | None
    people: Mapping[PlayerId, Person]
    state: State
    deck: tuple[tuple[str, ...], ...] = ()
    mission_commitments: tuple[str, ...] = ()
    capitals: Mapping[PlayerId, SealedCapital] = {}
    sealed: Mapping[PlayerId, str] = {}
    standing: Mapping[PlayerId, Mapping[str, Any]] = {}
    evidence: Evidence = Evidence()
    events: tuple[Event, ...] = ()
    secret: Secret | None = None
    opener: str = ""
    gone: Gone | None = None

    @property
    def former_hosts(self) -> tuple[FormerHost, ...]:
        """Who ran the game before, in their order."""
        if self.gone is not None:
            return self.gone.hosts
        return self.host.former if self.host is not None else ()

    @property
    def host_seat(self) -> str:
        """The seat of a host who plays, else nothing."""
        return self.host.plays if self.host is not None else ""

    @property
    def keeper(self) -> Host:
        """The host as the one who keeps the secrets of the game: whatever is sealed has one."""
        assert self.host is not None, "nothing is secret in a game without a host"
        return self.host


class GameFile(NamedTuple):
    """A game whose file has been checked: signed by who may make one, and sound in itself."""

    game: Game
    digest: str
    text: str
    file: str = ""


def file_name(game: str, turn: int) -> str:
    """Return the name of a game file, such as `fjord-0012.toml`."""
    return f"{game}-{turn:04}.toml"


def tree_of(game: Game) -> dict[str, Any]:
    """Return the tree of a game file without its signature, in the order of the layout."""
    state = game.state
    head: dict[str, Any] = {
        "format": FORMAT,
        "game": game.name,
        "nonce": game.nonce,
        "turn": game.turn,
        "previous": game.previous,
        "round": state.round,
        "phase": state.phase,
        "acting": list(state.acting),
        "first": state.first,
    }
    if game.deadline:
        head["deadline"] = game.deadline
    if game.host is None:
        head["opener"] = game.opener
    head["rules_version"] = game.rules_version
    head["start_seed"] = game.start_seed
    return {
        **head,
        "edition": {"name": game.edition, "variant": game.variant},
        "rules": {**state.rules._asdict(), **state.settings._asdict()},
        "board": {"name": state.board.name, "digest": game.board_digest},
        **({"host": game.host.tree()} if game.host is not None else {}),
        **({"gone": game.gone.tree()} if game.gone is not None else {}),
        "players": {player: _player_tree(game, player) for player in state.players},
        "owners": dict(state.owners),
        "armies": dict(state.armies),
        **_cards_tree(game),
        **({"sealed": dict(game.sealed)} if game.sealed else {}),
        **({"standing": dict(game.standing)} if game.standing else {}),
        "luck": {player: _luck_tree(state, player) for player in state.luck},
        **_result_tree(game),
        "evidence": evidence_tree(game.evidence),
        "events": [event_to_tree(event) for event in game.events],
    }


def _player_tree(game: Game, player: PlayerId) -> dict[str, Any]:
    person, seat = game.people[player], game.state.players[player]
    tree: dict[str, Any] = {
        "title": person.title,
        "seat": seat.seat,
        "colour": seat.colour,
        "language": person.language,
        "key": person.key,
        "seal_key": person.seal_key,
        "salt": person.salt,
        "chain": person.chain,
        "links": person.links,
        "status": seat.status,
        "missed": seat.missed,
        "sets_traded": seat.sets_traded,
        "to_place": seat.to_place,
    }
    if seat.status == "out":
        tree |= {"out_turn": seat.out_turn, "out_by": seat.out_by}
    if seat.passed_over:
        tree["passed_over"] = True
    if person.former:
        tree["former"] = [{key: value for key, value in one._asdict().items() if value != ""} for one in person.former]
    return tree


def _luck_tree(state: State, player: PlayerId) -> dict[str, Any]:
    luck = state.luck[player]._asdict()
    return {key: list(value) if isinstance(value, tuple) else value for key, value in luck.items()}


def _cards_tree(game: Game) -> dict[str, Any]:
    state = game.state
    tree: dict[str, Any] = {}
    if state.claims:
        tree["claims"] = {
            player: {"number": number, "ranking": list(ranking)}
            for number, (player, ranking) in enumerate(state.claims.items(), start=1)
        }
    if state.openly and state.has_cards:
        tree["deck"] = {
            "sets_traded": state.sets_traded,
            "pile": list(state.pile),
            "discards": list(state.discards),
        }
    elif state.has_cards:
        tree["deck"] = {
            "sets_traded": state.sets_traded,
            "pile": list(state.pile),
            "discards": list(state.discards),
            "shuffled": [list(names) for names in state.shuffled],
            "commitments": [list(shuffle) for shuffle in game.deck],
        }
    if state.has_cards:
        tree["hands"] = {player: list(hand) for player, hand in state.hands.items()}
    if state.missions:
        tree["missions"] = {
            "pack": list(state.pack),
            "commitments": list(game.mission_commitments),
            "opened": [list(pair) for pair in state.opened.items()],
            "held": dict(state.missions),
        }
    if state.capitals:
        tree["capitals"] = {
            player: {"territory": territory} if territory else game.capitals[player].tree()
            for player, territory in state.capitals.items()
        }
    return tree


def _result_tree(game: Game) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    result = game.state.result
    if result is not None:
        tree["result"] = {"how": result.how, "winners": list(result.winners)}
    if game.secret is not None:
        tree["secret"] = game.secret.tree()
    return tree


def evidence_tree(evidence: Evidence) -> dict[str, Any]:
    """Return evidence as the table that stands in a game file."""
    tree: dict[str, Any] = {"reveals": [list(pair) for pair in evidence.reveals]}
    if evidence.openings:
        tree["openings"] = [list(opening) for opening in evidence.openings]
    if evidence.unsealed:
        tree["unsealed"] = [{"player": u.player, "salt": u.salt, "content": u.content} for u in evidence.unsealed]
    tree["documents"] = list(evidence.documents)
    return tree


def body_text(tree: Mapping[str, Any]) -> str:
    """Write a game file's tree without its signature."""
    return table_text(tree)


def written(game: Game, key: Key, by: str = "") -> GameFile:
    """Sign a game and write it; `by` is who signs it, if it is not the host."""
    tree = tree_of(game)
    data = canonical(tree)
    signature = signature_of(FORMAT, data, key, by or game.keeper.name)
    text = body_text(tree) + table_text({"signature": signature})
    return GameFile(game, digest(data), text, file_name(game.name, game.turn))


def verified_from_roller(document: Document, roller: Roller) -> Signed:
    """Check that a game file is signed by who should have made it, under his key; BadSignature if it is not."""
    return verified_by(document, roller.name, roller.key, roller.title)


def check_secret(secret: Secret, game: Game, file: str) -> None:
    """Hold a revealed secret against the commitment of the invitation; BadSignature if it is another."""
    if encode(secret_commitment(decode(secret.game_secret))) != game.keeper.secret_commitment:
        message = "is not the secret that the invitation committed to"
        raise BadSignature(Problem("other-secret", message, "secret.game_secret", file=file))


BoardByName = Callable[[str, str], Board]
"""From the name and digest that a document states to the board; raises RefereeError if there is none."""


def open_game(data: bytes | Document, boards: BoardByName, file: str = "", key: str = "") -> GameFile:
    """Read and check a game file.

    `key` is that of who made it, if it is known from elsewhere; otherwise the file's own statement is taken, which
    proves no more than that the holder of that key made it. Raises UnreadableDocument or BadSignature with all that is
    wrong.
    """
    from referee.documents.gamereader import game_from

    document = data if isinstance(data, Document) else read(data, file, MAX_GAME_BYTES)
    game = game_from(document, boards)
    if game.secret is not None:
        check_secret(game.secret, game, document.source.file)
    roller = stated_roller(game, document.signature)
    signed = verified_from_roller(document, roller._replace(key=key) if key else roller)
    return GameFile(game, signed.digest, document.source.text, document.source.file)
