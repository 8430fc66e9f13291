"""A whole game in one process: keys, an invitation, joins, orders that are really signed and read.

With a host, who may play, or as a table game, which the first player opens and in which everybody rolls in his turn.

Everything is derived from names and seeds, so a game can be played again and gives the same bytes.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from plain import hpke_seal, raw_private

from referee import data
from referee.documents.acting import deadline_act, substitute_act
from referee.documents.acts import read_act
from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name, load_board
from referee.documents.canonical import digest_of, json_bytes
from referee.documents.chains import link
from referee.documents.commitments import commitment_salt, own_opening
from referee.documents.gamefile import GameFile, open_game
from referee.documents.gone import host_gone_act, open_hand_act
from referee.documents.hand import OwnHand, open_hand
from referee.documents.handing import MOST_SEALED, hand_over_act, take_over_act
from referee.documents.intake import ACT, secret_keys, stays_sealed
from referee.documents.invitation import Join, read_invitation, read_join
from referee.documents.keys import Key, public_bytes
from referee.documents.layout import table_text
from referee.documents.modes import FORCED, mode_of
from referee.documents.resolve import resolve, seats_of
from referee.documents.rolling import left_behind, roller_of
from referee.documents.roster import roster_tree, start_reveal_tree
from referee.documents.sealing import open_to_host, sealed_commitment, sealed_info
from referee.documents.signing import Document, read, sign
from referee.documents.start import invitation_tree, join_tree, start
from referee.game.orders import PlayerId
from referee.game.presets import preset_from
from referee.game.rules import Settings

NAMES = ("kari", "ola", "liv", "per", "eva", "nils")
COLOURS = ("red", "blue", "green", "yellow", "black", "pink")
HOST = "runa"
DEFAULT = Settings(missed="default")


def key_of(name: str) -> Key:
    """Return the key of somebody in a test."""
    return Key.from_seed(sha256(name.encode()).digest())


def signed(tree: Mapping[str, Any], who: str, file: str = "", person: str = "") -> Document:
    """Sign a document, write it and read it again; `person` is whose key it is, if another sits at the seat."""
    whole = {**tree, "signature": sign(dict(tree), key_of(person or who), who)}
    return read(table_text(whole).encode(), file or f"{who}.toml")


class Table:
    """A game: `file` is the newest game file, opened from its text."""

    def __init__(
        self,
        edition: str = "no",
        variant: str = "mission",
        players: int = 3,
        seed: int = 1,
        settings: Settings = DEFAULT,
        changes: Mapping[str, Any] | None = None,
        hosted: bool = True,
        plays: str = "",
    ) -> None:
        board, board_digest = load_board("classic")
        preset = preset_from(data.tree(f"editions/{edition}.toml"), variant)
        rules = preset.rules_for(players)._replace(**(changes or {}))
        nonce = sha256(f"nonce/{seed}".encode()).digest()[:16]
        opener = HOST if hosted else NAMES[0]
        settings = settings._replace(**FORCED[mode_of(hosted, bool(plays), settings.trusted_host)])
        tree = invitation_tree(
            "fjord", nonce, preset, rules, settings, ("classic", board_digest), opener, key_of(opener),
            players=(2, 2) if rules.neutral_army != "none" else None, hosted=hosted,
            plays=plays,
        )  # fmt: skip
        self.seed = seed
        self.board = board
        self.people: dict[str, str] = {}
        self.sat: dict[str, list[str]] = {}
        self.taking: list[Document] = []
        self.hosted = hosted
        self.invited = signed(tree, opener, "invitation.toml")
        self.invitation = read_invitation(self.invited)
        self.names = NAMES[:players]
        self.joins = [self._join(name) for name in self.names]
        self.host_key = key_of(HOST)
        self.next_host = ""
        careful = settings.start == "careful"
        self.papers = [self.roster(), *(self.start_reveal(name) for name in self.names)] if careful else []
        self.file = self._opened(start(self.invitation, self.joins, key_of(opener), board, self.papers))

    @classmethod
    def at(cls, table: "Table", file: GameFile) -> "Table":
        """Return the same table as it was with an earlier game file."""
        other = cls.__new__(cls)
        other.__dict__.update(table.__dict__)
        other.people = dict(table.people)
        other.taking = []
        other.file = file
        return other

    def _join(self, name: str) -> Join:
        salt = sha256(f"salt/{name}/{self.seed}".encode()).digest()[:16]
        colour = COLOURS[NAMES.index(name)]
        tree = join_tree(self.invitation, name, key_of(name), salt, [colour], "nb", name.title())
        return read_join(signed(tree, name), self.invitation, self.board)

    def roster(self) -> Document:
        """Return the opener's signed list of who plays."""
        return signed(roster_tree(self.invitation, self.joins), self.invitation.opener, "roster.toml")

    def start_reveal(self, name: str) -> Document:
        """Return a player's first link, bound to the roster."""
        salt = decode(next(join.salt for join in self.joins if join.player == name))
        return signed(start_reveal_tree(self.roster(), name, salt, key_of(name)), name, f"reveal-{name}.toml")

    def roller(self, documents: Sequence[Document] = ()) -> str:
        """Return who makes the next game file, with acts by which somebody is passed over."""
        over = [str(one.tree["player"]) for one in documents if one.tree.get("act") == "passed_over"]
        gone = any(one.tree.get("act") == "host_gone" for one in documents)
        return roller_of(self.file.game, over, gone).name

    def acts(self, act: str, player: str = "", leave_out: str = "", **says: Any) -> list[Document]:
        """Return an act of a table game, a copy by each who decides it but one who does not sign."""
        game = self.file.game
        tree = {"format": ACT, "game": game.name, "turn": game.turn, "state": self.file.digest, "act": act}
        tree |= {"player": player, **says} if player else says
        names = [name for name in game.state.playing() if name not in (player, leave_out)]
        return [signed(tree, name, f"act-{name}.toml", self.on_record(name)) for name in names]

    def on_record(self, player: str) -> str:
        """Return whose key stands in the game file for a seat: not yet that of a substitute who has just come."""
        public = self.file.game.people[PlayerId(player)].key
        persons = (self.person(player), *self.sat.get(player, ()), player)
        return next(person for person in persons if key_of(person).public == public)

    def person(self, player: str) -> str:
        """Return whose key plays a seat: the player's own, or that of a substitute who was made for this table."""
        return self.people.get(player, player)

    def join_of(self, player: str, person: str) -> Document:
        """Return the join of somebody who would like to take a seat."""
        salt = sha256(f"salt/{person}/{self.seed}".encode()).digest()[:16]
        tree = join_tree(self.invitation, player, key_of(person), salt, (), "en", f"{person.title()} for {player}")
        return signed(tree, player, f"join-{player}.toml", person)

    def substitution(self, player: str, person: str) -> list[Document]:
        """Return what the host hands in when a person takes a seat; from here on that person plays it."""
        document = self.join_of(player, person)
        join = read_join(document, self.invitation, self.board)
        if not self.hosted:
            acts = self.acts("substitute", player, join=join.signed.digest)
        else:
            tree = substitute_act(self.file, join, self.host_key)
            acts = [read(table_text(tree).encode(), f"act-substitute-{player}.toml")]
        self.sat.setdefault(player, []).append(self.person(player))
        self.people[player] = person
        self.taking = [*acts, document, self.invited]
        return self.taking

    def key_change(self, player: str, person: str, by: str = "player") -> list[Document]:
        """Return what is handed in when a player goes on with another key, named after a person.

        `by` has decided it: the `player`, the `host`, or the `table`. Until the next game file the former key signs:
        `plays_with` says when that is over.
        """
        join = self.join_of(player, person)
        digest = digest_of(join.tree)
        if by == "table":
            acts = self.acts("key", player, join=digest)
        else:
            game = self.file.game
            head = {"format": ACT, "game": game.name, "turn": game.turn, "state": self.file.digest, "act": "key"}
            who = HOST if by == "host" else player
            tree = {**head, "player": player, "join": digest}
            acts = [signed(tree, who, f"act-key-{player}.toml", HOST if by == "host" else self.on_record(player))]
        return [*acts, join, self.invited]

    def plays_with(self, player: str, person: str) -> None:
        """Let a player sign with another key from here on."""
        self.sat.setdefault(player, []).append(self.person(player))
        self.people[player] = person

    def gone(self, leave_out: Iterable[str] = ()) -> list[Document]:
        """Return what all who play hand in when the host is gone; from then on it is a table game."""
        self.hosted = False
        keys = {name: key_of(self.on_record(name)) for name in left_behind(self.file.game)}
        said = {name: host_gone_act(self.file, key) for name, key in keys.items()}
        words = {name: read(table_text(tree).encode(), f"act-host-gone-{name}.toml") for name, tree in said.items()}
        made = []
        for name in (name for name in keys if name not in leave_out):
            opened = table_text(open_hand_act(self.file, [*words.values()], keys[name]))
            made += [words[name], read(opened.encode(), f"act-open-hand-{name}.toml")]
        return made

    def offer(self, host: str, name: str = "") -> Document:
        """Return the offer of somebody who would go on as the host."""
        tree = take_over_act(self.file, name or host, key_of(host))
        return read(table_text(tree).encode(), f"act-take-over-{host}.toml")

    def handing(self, host: str) -> list[Document]:
        """Return what hands the game over to another host; from the next file on he resolves."""
        offer = self.offer(host)
        salt = sha256(f"salt/{host}/{self.seed}".encode()).digest()[:16]
        tree = hand_over_act(self.file, read_act(offer, self.file), self.host_key, salt)
        opened = open_to_host(
            key_of(host), tree["game"], self.file.game.nonce, host, tree["state"], tree["box"], MOST_SEALED
        )
        says = {key: value for key, value in tree.items() if key != "signature"}
        says["box"] = self.box_for(host, key_of(host).seal_public, opened.content, salt)
        self.next_host = host
        whole = {**says, "signature": sign(says, self.host_key, self.file.game.keeper.name)}
        return [read(table_text(whole).encode(), f"act-hand-over-{host}.toml"), offer]

    def box_for(self, who: str, public: str, content: Mapping[str, Any], salt: bytes) -> str:
        """Seal to a host, with a key that is not random, so that a game can be made again."""
        game = self.file.game
        plain = json_bytes({"content": content, "salt": encode(salt)})
        info = sealed_info(game.name, game.nonce, who, self.file.digest)
        ephemeral = raw_private(sha256(f"{self.file.digest}/{who}".encode()).digest())
        size = -(-len(plain) // 2048) * 2048
        return encode(hpke_seal(ephemeral, public_bytes(public, "x25519"), info, plain.ljust(size, b" ")))

    def deadline(self, deadline: str) -> Document:
        """Return the host's act that sets a deadline."""
        return read(table_text(deadline_act(self.file, deadline, self.host_key)).encode(), "act-deadline.toml")

    def deadlines(self, deadline: str) -> list[Document]:
        """Return what sets a deadline: the host's act, or a copy of each player."""
        return [self.deadline(deadline)] if self.hosted else self.acts("deadline", deadline=deadline)

    def _opened(self, made: GameFile) -> GameFile:
        return open_game(made.text.encode(), board_by_name, made.file)

    def hand(self, player: str) -> OwnHand:
        """Return what a player sees with his own key, or a substitute with the act that lets him play now."""
        return open_hand(seats_of(self.taking, self.file)[1], key_of(self.person(player)))

    def head(self, player: str, sequence: int = 1) -> dict[str, Any]:
        """Return the head of an orders file."""
        game = self.file.game
        salt = sha256(f"{self.seed}/{game.turn}/{player}/{sequence}".encode()).digest()[:16]
        return {
            "format": "referee/orders/1",
            "game": game.name,
            "turn": game.turn,
            "state": self.file.digest,
            "player": player,
            "sequence": sequence,
            "salt": encode(salt),
        }

    def orders(self, player: str, body: Mapping[str, Any], sequence: int = 1) -> Document:
        """Return signed orders; what only the host may read now is sealed to him, or hidden behind a commitment."""
        head, secret = self.head(player, sequence), secret_keys(self.file.game.state)
        if self.file.game.state.openly and self.file.game.state.phase == "capital":
            return signed({**head, **self._capital(player, body)}, player, "", self.person(player))
        content = {key: value for key, value in body.items() if key in secret}
        if content:
            plain = {key: value for key, value in body.items() if key not in secret}
            return signed({**head, **plain, "sealed": self.sealed(player, content)}, player, "", self.person(player))
        return signed({**head, **body}, player, "", self.person(player))

    def _capital(self, player: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a capital as it is chosen without a host: first the commitment, then what opens it."""
        game, key = self.file.game, key_of(self.person(player))
        if game.state.capitals:
            opened = own_opening(self.file, PlayerId(player), key)
            assert opened is not None
            return {**body, **opened._asdict()}
        plain = {name: value for name, value in body.items() if name != "capital"}
        commitment = sealed_commitment(commitment_salt(game, PlayerId(player), key), {"capital": body["capital"]})
        return {**plain, "sealed": {"commitment": encode(commitment)}}

    def sealed(self, player: str, content: Mapping[str, Any]) -> dict[str, str]:
        """Return what is sealed to the host, and the commitment beside it."""
        salt = sha256(f"{self.seed}/{player}".encode()).digest()[:16]
        if stays_sealed(self.file.game.state):
            salt = commitment_salt(self.file.game, PlayerId(player), key_of(self.person(player)))
        box = self.box_for(player, self.file.game.keeper.seal_key, content, salt)
        return {"box": box, "commitment": encode(sealed_commitment(salt, content))}

    def standing(self, player: str, body: Mapping[str, Any], sequence: int = 1) -> Document:
        """Return signed standing orders."""
        game = self.file.game
        head = {"format": "referee/standing/1", "game": game.name, "nonce": game.nonce}
        return signed({**head, "player": player, "sequence": sequence, **body}, player, "", self.person(player))

    def resignation(self, player: str) -> Document:
        """Return a signed resignation."""
        game = self.file.game
        head = {"format": "referee/resign/1", "game": game.name, "turn": game.turn}
        return signed({**head, "state": self.file.digest, "player": player}, player, "", self.person(player))

    def vote(self, player: str) -> Document:
        """Return a signed vote for a draw."""
        game = self.file.game
        head = {"format": "referee/draw/1", "game": game.name, "turn": game.turn}
        tree = {**head, "state": self.file.digest, "player": player}
        return signed(tree, player, f"draw-{player}.toml", self.person(player))

    def reveal(self, player: str, orders: Sequence[Document] = (), person: str = "") -> Document:
        """Return the signed next link of a seat, bound to orders, by who sits there or another `person`."""
        game = self.file.game
        seat, sits = game.people[PlayerId(player)], person or self.person(player)
        value = link(key_of(sits), decode(game.nonce), decode(seat.salt), seat.links + 1)
        head = {"format": "referee/reveal/1", "game": game.name, "nonce": game.nonce, "turn": game.turn}
        digests = [digest_of(one.tree) for one in orders]
        tree = {**head, "state": self.file.digest, "orders": digests, "player": player, "reveal": encode(value)}
        return signed(tree, player, f"reveal-{player}.toml", sits)

    def resolved(self, documents: Sequence[Document], missed: Iterable[str] = ()) -> GameFile:
        """Return the next game file as `resolve` makes it, without going on to it."""
        called = [PlayerId(name) for name in missed]
        if not self.hosted:
            acts = [act for name in called for act in self.acts("missed", name)]
            return resolve(self.file, [*documents, *acts], key_of(self.on_record(self.roller(documents))))
        return resolve(self.file, documents, self.host_key, called)

    def play(self, documents: Sequence[Document], missed: Iterable[str] = (), reads: bool = True) -> GameFile:
        """Go on to the next game file, read from its text if `reads`, and return it with its events."""
        made = self.resolved(documents, missed)
        self.taking = []
        self.host_key, self.next_host = key_of(self.next_host) if self.next_host else self.host_key, ""
        self.file = self._opened(made) if reads else made
        return made
