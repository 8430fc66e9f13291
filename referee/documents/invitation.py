"""Invitations and joins: what a game is opened with (DESIGN sections 3 and 5).

An invitation carries every switch by value, the digest of the board, the host's keys, the end of his chain and the
commitment to his secret; that of a table game, which has no host, the name and key of the player who opens it. A join
is bound to the invitation's digest and carries the player's keys and chain. Each is
signed with the key that it introduces, so comparing fingerprints by another way is all the trust there is.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from referee.documents.base64 import Base64Error, decode
from referee.documents.boards import board_by_name
from referee.documents.gamevalues import LANGUAGES, LONGEST_TITLE, is_title
from referee.documents.keys import PublicKeyError, public_bytes
from referee.documents.kinds import INVITATION as INVITATION
from referee.documents.kinds import JOIN as JOIN
from referee.documents.kinds import version_hint
from referee.documents.modes import OF_A_TABLE_GAME as OF_A_TABLE_GAME
from referee.documents.modes import why_no_table_game as why_no_table_game
from referee.documents.modes import why_not_in_mode
from referee.documents.signing import Document, Signed, verified_by
from referee.errors import IllegalOrders, Problem, UnreadableDocument, raise_all
from referee.game.board import Board
from referee.game.conditions import WORDS
from referee.game.names import forms
from referee.game.records import NamedTuple
from referee.game.rules import Rules, Settings, rules_and_settings_from, unfit_for
from referee.game.trees import ID, TreeReader

_TIME = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(\d\d):(\d\d)(?::(\d\d))?(?:Z|[+-](\d\d):(\d\d))")
_MOST = (12, 31, 23, 59, 59, 23, 59)


class Invitation(NamedTuple):
    """A checked invitation; `players` are the fewest and the most, `seats` fixed ids in order or empty.

    The opener is the host if the game is `hosted`, else a player, whose chain stands in his join. `plays` is the id
    under which a host plays, or nothing.
    """

    name: str
    nonce: str
    title: str
    edition: str
    variant: str
    rules: Rules
    settings: Settings
    players: tuple[int, int]
    seats: tuple[str, ...]
    deadline: str
    board: str
    board_digest: str
    opener: str
    hosted: bool
    key: str
    seal_key: str
    anchor: str
    secret_commitment: str
    signed: Signed
    plays: str = ""

    @property
    def openly(self) -> bool:
        """Say whether nobody keeps secrets in this game: it has no host, or he plays and need not be trusted."""
        return not self.hosted or (bool(self.plays) and not self.settings.trusted_host)

    @property
    def title_of_opener(self) -> str:
        """Return how the opener is called in messages."""
        return f'the host "{self.opener}"' if self.hosted else f'"{self.opener}", who opens the game'


class Join(NamedTuple):
    """A checked join; `colours` in order of preference, by id."""

    player: str
    title: str
    colours: tuple[str, ...]
    language: str
    key: str
    seal_key: str
    salt: str
    anchor: str
    signed: Signed


class _Fields(TreeReader):
    """Getters for what only these documents have."""

    def binary(self, table: Mapping[str, Any], key: str, path: str, size: int) -> str:
        """Return a binary value of so many bytes."""
        value = self.text(table, key, path)
        try:
            decode(value, size)
        except Base64Error as error:
            if key in table:
                self.wrong("binary", f"{path}{key}", str(error))
        return value

    def public_key(self, table: Mapping[str, Any], key: str, path: str) -> str:
        """Return a public key that is not weak."""
        value = self.text(table, key, path)
        try:
            public_bytes(value, "ed25519" if key == "key" else "x25519")
        except PublicKeyError as error:
            if key in table:
                self.wrong("key", f"{path}{key}", str(error))
        return value

    def title(self, table: Mapping[str, Any], path: str) -> str:
        """Return a title of one line."""
        title = self.text(table, "title", path)
        if not is_title(title):
            self.wrong("title", f"{path}title", f"must be one line of at most {LONGEST_TITLE} characters")
        return title

    def deadline(self, table: Mapping[str, Any]) -> str:
        """Return a time in RFC 3339 with an offset, or nothing if there is none; no clock is asked."""
        text = self.text(table, "deadline", "")
        if "deadline" in table and not is_time(text):
            self.wrong("deadline", "deadline", no_time(text))
        return text


def is_time(text: str) -> bool:
    """Say whether a text is a time in RFC 3339 with an offset."""
    found = _TIME.fullmatch(text)
    numbers = [int(part) for part in found.groups("0")] if found else []
    return bool(found) and all(n <= most for n, most in zip(numbers, _MOST, strict=True))


def no_time(text: str) -> str:
    """Return what is said of a text that is no time."""
    return f'"{text}" is no time like "2027-01-31T20:00:00+01:00"'


def _raise(reader: TreeReader, document: Document) -> None:
    problems = [
        problem._replace(file=document.source.file, line=document.source.line_of(problem.key))
        for problem in reader.problems
    ]
    if problems:
        raise UnreadableDocument(*problems)


def expect_format(document: Document, format: str, what: str) -> None:
    """Refuse a document of another kind."""
    if document.format != format:
        message = f'is "{document.format}", not {what}'
        hint = version_hint(document.format, format)
        if not hint and format == INVITATION:
            hint = "`referee new` makes the invitation; where others are named as well, it comes first"
        raise UnreadableDocument(document.source.problem("other-document", message, "format", hint))


_INVITATION = ("format", "game", "nonce", "edition", "variant", "players", "rules", "board")


def read_invitation(document: Document) -> Invitation:
    """Check an invitation and its signature; UnreadableDocument or BadSignature."""
    expect_format(document, INVITATION, "an invitation")
    tree, reader = document.tree, _Fields("invitation")
    hosted = "opener" not in tree
    opened = "host" if hosted else "opener"
    reader.expect_keys(tree, "", (*_INVITATION, opened), ("title", "seats", "deadline"))
    table, opener = reader.table(tree, "board", ""), reader.table(tree, opened, "")
    if table:
        reader.expect_keys(table, "board.", ("name", "digest"))
    if opener:
        optional = ("plays",) if hosted else ()
        reader.expect_keys(opener, f"{opened}.", ("name", "key", *(_OF_A_HOST if hosted else ())), optional)
    players = tree.get("players", [])
    if not (isinstance(players, list) and len(players) == 2 and all(type(n) is int and 2 <= n <= 6 for n in players)):
        if "players" in tree:
            reader.wrong("players", "players", "must be the fewest and the most players, 2 to 6")
        players = [2, 6]
    values: dict[str, Any] = {
        "name": reader.id(tree, "game", ""),
        "nonce": reader.binary(tree, "nonce", "", 16),
        "title": reader.title(tree, ""),
        "edition": reader.id(tree, "edition", ""),
        "variant": reader.text(tree, "variant", ""),
        "players": tuple(players),
        "seats": tuple(reader.ids(tree, "seats", "")),
        "deadline": reader.deadline(tree),
        "board": reader.text(table, "name", "board."),
        "board_digest": reader.binary(table, "digest", "board.", 32),
        "opener": reader.id(opener, "name", f"{opened}."),
        "key": reader.public_key(opener, "key", f"{opened}."),
        "seal_key": reader.public_key(opener, "seal_key", "host.") if hosted else "",
        "anchor": reader.binary(opener, "anchor", "host.", 32) if hosted else "",
        "secret_commitment": reader.binary(opener, "secret_commitment", "host.", 32) if hosted else "",
        "plays": reader.id(opener, "plays", "host.") if hosted and "plays" in opener else "",
    }
    if values["plays"] and values["seats"] and values["plays"] not in values["seats"]:
        reader.wrong("seats", "host.plays", f'"{values["plays"]}" has no seat: the seats are fixed')
    seats = len(values["seats"])
    if seats and not players[0] <= seats <= players[1]:
        number = f"{players[0]}" if players[0] == players[1] else f"{players[0]} to {players[1]}"
        reader.wrong("seats", "seats", f"{seats} seats, the game is for {number} players")
    switches = reader.table(tree, "rules", "")
    _raise(reader, document)
    try:
        board = board_by_name(values["board"], values["board_digest"])
        rules, settings = rules_and_settings_from(switches)
        raise_all(UnreadableDocument, unfit_for(rules, *values["players"]))
        raise_all(UnreadableDocument, _why_no_seat(values["plays"], board, values["opener"]))
        raise_all(UnreadableDocument, why_not_in_mode(rules, settings, hosted, bool(values["plays"])))
    except UnreadableDocument as error:
        raise UnreadableDocument(
            *(document.source.problem(p.code, p.message, p.key, p.hint) for p in error.problems)
        ) from None
    signed = verified_by(document, values["opener"], values["key"])
    return Invitation(rules=rules, settings=settings, signed=signed, hosted=hosted, **values)


def _why_no_seat(plays: str, board: Board, host: str) -> tuple[Problem, ...]:
    """Return why a host cannot play under an id; nothing if he does not play."""
    why = why_not_id(plays, board, (host,)) if plays else ""
    return (Problem("id", f'"{plays}" {why}', "host.plays"),) if why else ()


_OF_A_HOST = ("seal_key", "anchor", "secret_commitment")


_JOIN = (
    "format",
    "game",
    "invitation",
    "player",
    "colours",
    "language",
    "key",
    "seal_key",
    "salt",
    "anchor",
)


def read_join(document: Document, invitation: Invitation, board: Board) -> Join:
    """Check a join and its signature against the invitation that it answers."""
    expect_format(document, JOIN, "a join")
    tree, reader = document.tree, _Fields("join")
    reader.expect_keys(tree, "", _JOIN, ("title",))
    colours = []
    for number, text in enumerate(reader.texts(tree, "colours", ""), start=1):
        colour = board.find_colour(text)
        if colour is None:
            reader.unknown(text, board.colours, f"colours[{number}]", "colour")
        else:
            colours.append(colour)
    language = reader.text(tree, "language", "")
    if isinstance(tree.get("language"), str) and language not in LANGUAGES:
        reader.unknown(language, LANGUAGES, "language", "language")
    values: dict[str, Any] = {
        "player": player_id(
            reader, tree.get("player", "absent"), board, (invitation.opener,) if invitation.hosted else ()
        ),
        "title": reader.title(tree, ""),
        "key": reader.public_key(tree, "key", ""),
        "seal_key": reader.public_key(tree, "seal_key", ""),
        "salt": reader.binary(tree, "salt", "", 16),
        "anchor": reader.binary(tree, "anchor", "", 32),
    }
    reader.id(tree, "game", "")
    reader.binary(tree, "invitation", "", 32)
    _raise(reader, document)
    signed = verified_by(document, values["player"], values["key"])
    if (tree["game"], tree["invitation"]) != (invitation.name, invitation.signed.digest):
        message = f'answers another invitation, not this one to "{invitation.name}"'
        who = "the host" if invitation.hosted else invitation.opener
        hint = f"join again with the invitation file that {who} sent last"
        raise IllegalOrders(document.source.problem("other-invitation", message, "invitation", hint))
    if invitation.seats and values["player"] not in invitation.seats:
        message = f'"{values["player"]}" has no seat: the invitation fixes {", ".join(invitation.seats)}'
        raise IllegalOrders(document.source.problem("other-seats", message, "player"))
    return Join(colours=tuple(colours), language=language, signed=signed, **values)


def player_id(reader: TreeReader, value: object, board: Board, taken: Collection[str]) -> str:
    """Return an id that a player may have: no word of the grammar, no name of the board, nobody else's."""
    name = reader.checked_id(value, "player")
    why = why_not_id(name, board, taken) if name else ""
    if why:
        reader.wrong("id", "player", f'"{name}" {why}')
    return name


def why_not_id(name: str, board: Board, taken: Collection[str]) -> str:
    """Say why nobody may be called so, or nothing (DESIGN section 3)."""
    if not re.fullmatch(ID, name):
        return 'is no id: a letter a-z, then letters, digits, "_" or "-"'
    folded = re.sub(r"[_-]", " ", name)
    if folded in WORDS or name in WORDS:
        return "is a word of the conditions"
    if name in taken:
        return "is taken"
    names = (
        board.find_territory(name),
        board.find_continent(name),
        board.find_colour(name),
        board.find_card(name),
    )
    if any(found is not None for found in names):
        return "is a name of the board"
    if any(set(forms(name)) & set(forms(other)) for other in taken):
        return "is too much like another name"
    return ""


def check_joins(invitation: Invitation, joins: Sequence[Join]) -> None:
    """Refuse joins that do not make a table: too few or many, ids, keys or chains used twice, other seats."""
    problems: list[Problem] = []

    def wrong(join: Join, code: str, message: str, hint: str = "") -> None:
        problems.append(Problem(code, message, hint=hint, file=join.signed.source.file))

    for place, join in enumerate(joins):
        for other in joins[:place]:
            if set(forms(join.player)) & set(forms(other.player)):
                message = f'"{join.player}" has joined already, in {other.signed.source.file}'
                wrong(join, "same-id", message, "hand in one of the two: the one that counts")
            elif join.key == other.key:
                wrong(join, "same-key", f'has the same key as "{other.player}"')
            elif join.seal_key == other.seal_key:
                wrong(join, "same-key", f'has the same seal key as "{other.player}"')
            elif join.anchor == other.anchor:
                wrong(join, "same-anchor", f'has the same chain as "{other.player}"')
        if not invitation.hosted:
            if (join.player == invitation.opener) != (join.key == invitation.key):
                wrong(join, "other-opener", f'"{invitation.opener}" opens the game, with the key of the invitation')
        elif join.key == invitation.key and join.player != invitation.plays:
            plays = f", who plays as {invitation.plays}" if invitation.plays else ""
            wrong(join, "same-key", f"has the host's key{plays}")
        elif join.seal_key == invitation.seal_key and join.key != invitation.key:
            wrong(join, "same-key", "has the host's seal key")
        elif join.anchor == invitation.anchor:
            wrong(join, "same-anchor", "has the same chain as the host")
    if not invitation.hosted and invitation.opener not in [join.player for join in joins]:
        message = f'"{invitation.opener}", who opens the game, has not joined'
        problems.append(Problem("opener-missing", message, hint="whoever opens a table game plays, and joins like all"))
    if invitation.plays and invitation.plays not in [join.player for join in joins]:
        message = f'"{invitation.plays}", as whom the host plays, has not joined'
        problems.append(Problem("host-missing", message, hint="a host who plays joins like all"))
    fewest, most = invitation.players
    if not fewest <= len(joins) <= most:
        number = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
        problems.append(Problem("wrong-number", f"{len(joins)} joins, the game is for {number}"))
    if invitation.seats and sorted(invitation.seats) != sorted(join.player for join in joins):
        seats = ", ".join(invitation.seats)
        problems.append(Problem("other-seats", f"the invitation fixes the seats {seats}", "seats"))
    if problems:
        raise IllegalOrders(*problems)
