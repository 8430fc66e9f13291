"""Secret capitals in documents: sealed to the host, kept so in the game file, opened when one is taken or all is over.

What a player sealed stays in `[capitals]` with its commitment (DESIGN sections 6 and 7). The host opens it again when
he has to know; everybody else sees it when its opening stands in the evidence, held against the commitment; once the
secret of the game is revealed, all capitals are known. Loaded only in games that have them. Rules: R-CAP-NO-02, -04,
Q-32, P-09.
"""

from collections.abc import Callable, Mapping
from typing import Any

from referee.documents.base64 import Base64Error, decode, encode
from referee.documents.gamefile import Evidence, Game, SealedCapital, Unsealed
from referee.documents.gameshape import SEALED_BOX
from referee.documents.keys import Key
from referee.documents.layout import ordered
from referee.documents.sealing import open_to_host, sealed_commitment
from referee.documents.signing import Document
from referee.errors import BadSignature, Problem
from referee.game.board import Board, TerritoryId
from referee.game.orders import PlayerId

LayOpen = Callable[[PlayerId, SealedCapital], Unsealed | None]
"""From what a player sealed to what is in it, held against the commitment; None if that is not known here."""


class Capitals:
    """The secret capitals of a game as somebody knows them; `opened` are those that this turn lays open.

    `known` are all of a finished game whose secret is revealed.
    """

    def __init__(self, game: Game, lay_open: LayOpen, known: Mapping[PlayerId, str] = {}) -> None:
        self.board: Board = game.state.board
        self.opened: list[Unsealed] = []
        self._kept = dict(game.capitals)
        self._lay_open = lay_open
        self.known = known
        self._seen: dict[PlayerId, Unsealed | None] = {}

    def keep(self, kept: Mapping[PlayerId, SealedCapital]) -> None:
        """Take in what has just been sealed."""
        self._kept |= kept

    def _unsealed(self, player: PlayerId) -> Unsealed | None:
        if player not in self._seen:
            self._seen[player] = self._lay_open(player, self._kept[player])
        return self._seen[player]

    def of(self, player: PlayerId) -> TerritoryId | None:
        """Return the capital of a player whose is secret, or None if it is not known here."""
        if player in self.known:
            return TerritoryId(self.known[player])
        unsealed = self._unsealed(player)
        return self._read(unsealed) if unsealed else None

    def open(self, player: PlayerId) -> TerritoryId:
        """Lay a capital open, and return it; BadSignature if what stands for it is not what was sealed."""
        unsealed = self._unsealed(player)
        if unsealed is None:
            raise _wrong(f'the capital of "{player}" is not opened')
        territory = self._read(unsealed)
        if self.of(player) != territory:
            raise _wrong(f'what is opened as the capital of "{player}" is another territory')
        if unsealed not in self.opened:
            self.opened.append(unsealed)
        return territory

    def _read(self, unsealed: Unsealed) -> TerritoryId:
        name = unsealed.content.get("capital")
        found = self.board.find_territory(name) if isinstance(name, str) and len(unsealed.content) == 1 else None
        if found is None:
            raise _wrong(f'what "{unsealed.player}" has sealed is no capital')
        return found


def _wrong(message: str) -> BadSignature:
    return BadSignature(Problem("wrong-capital", message, "evidence.unsealed"))


def host_capitals(game: Game, key: Key) -> Capitals:
    """Return the secret capitals as the host knows them: each box is opened with his key when it is asked for."""

    if game.keeper.former:
        from referee.documents.boxes import kept_by

        handed = kept_by(game, key).capitals
    else:
        handed = {}

    def lay_open(player: PlayerId, sealed: SealedCapital) -> Unsealed:
        if player in handed:
            return _fitting(handed[player], sealed)
        content = open_to_host(key, game.name, game.nonce, player, sealed.state, sealed.box)
        return _fitting(Unsealed(player, encode(content.salt), ordered(content.content)), sealed)

    return Capitals(game, lay_open)


def handed_capitals(game: Game, handed: Mapping[PlayerId, Unsealed]) -> Capitals:
    """Return the secret capitals as they are handed over to another host; the names of those that are not are wrong."""

    def lay_open(player: PlayerId, sealed: SealedCapital) -> Unsealed | None:
        return _fitting(handed[player], sealed) if player in handed else None

    return Capitals(game, lay_open)


def _fitting(unsealed: Unsealed, sealed: SealedCapital) -> Unsealed:
    """Return what a player sealed to the host, held against the commitment beside it."""
    if encode(sealed_commitment(decode(unsealed.salt), unsealed.content)) != sealed.commitment:
        raise _wrong(f'what "{unsealed.player}" has sealed does not fit the commitment beside it')
    return unsealed


def shown_capitals(game: Game, evidence: Evidence, known: Mapping[PlayerId, str] = {}) -> Capitals:
    """Return the secret capitals as the evidence of the next file shows them."""
    rows = {PlayerId(row.player): row for row in evidence.unsealed}

    def lay_open(player: PlayerId, sealed: SealedCapital) -> Unsealed | None:
        row = rows.get(player)
        if row is None:
            return None
        try:
            fits = encode(sealed_commitment(decode(row.salt, 16), row.content)) == sealed.commitment
        except Base64Error:
            fits = False
        if not fits:
            raise _wrong(f'the opening of the capital of "{player}" does not fit its commitment')
        return row

    return Capitals(game, lay_open, known)


def sealed_capital(tree: Mapping[str, Any], state: str) -> SealedCapital:
    """Return what stays in the game file of sealed orders that answer the file with this digest."""
    return SealedCapital(state, tree["sealed"]["box"], tree["sealed"]["commitment"])


def check_sealed(document: Document) -> None:
    """Refuse orders whose sealed part cannot be opened by anybody: no box, or of another size."""
    sealed = document.tree["sealed"]
    if not isinstance(sealed, dict) or sealed.keys() != {"box", "commitment"}:
        raise BadSignature(document.source.problem("not-sealed", "must have a box and a commitment", "sealed"))
    for key, size in (("box", SEALED_BOX), ("commitment", 32)):
        try:
            decode(sealed[key] if isinstance(sealed[key], str) else "", size)
        except Base64Error as error:
            raise BadSignature(document.source.problem("not-binary", str(error), f"sealed.{key}")) from None
