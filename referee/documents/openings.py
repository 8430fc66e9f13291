"""A game file as somebody sees it who has no secret: its text, and what it lays open.

`Openings` answers the questions of a turn from what the file opens, each opening held against its commitment, and notes
what cannot be checked before the secret is revealed.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from referee.documents.base64 import Base64Error, decode, stripped
from referee.documents.gamefile import MAX_GAME_BYTES, Evidence, Game, Opening, Secret, Unsealed, check_secret
from referee.documents.gamereader import events_of
from referee.documents.hand import commitment_of
from referee.documents.knowledge import opens
from referee.documents.resolve import Knows
from referee.documents.signing import Document, Signature, read
from referee.documents.text import decoded
from referee.errors import BadSignature, Problem, ReplayDiffers, UnreadableDocument
from referee.game.board import CardId, TerritoryId
from referee.game.cards import is_set
from referee.game.events import Event, MissionsDealt, SetTraded
from referee.game.orders import PlayerId
from referee.game.position import Answer, BestSet, CapitalAt, DrawFrom, Held, MissionOf, NamesOf, NewPile, Question
from referee.game.setup import drawn_again
from referee.game.state import State
from referee.game.victory import has_fulfilled

if TYPE_CHECKING:
    from referee.documents.capitals import Capitals

_SECTIONS = {
    "evidence": re.compile(r"^\[evidence\]\n.*?(?=^\[\[events\]\]\n|^\[signature\]\n)", re.MULTILINE | re.DOTALL),
    "sealed": re.compile(r"^\[sealed\]\n.*?(?=^\[)", re.MULTILINE | re.DOTALL),
}
_ENDING = re.compile(r"^\[signature\]\n.*\Z", re.MULTILINE | re.DOTALL)


class Stated(Protocol):
    """Where a game file's parts that cannot be computed are taken from: the file, or a record of the game."""

    file: str

    @property
    def document(self) -> Document:
        """All that is stated."""

    def evidence(self) -> Mapping[str, Any]:
        """Return the evidence table."""

    def sealed(self) -> Mapping[str, str]:
        """Return the boxes."""

    def commitments(self, kind: str, number: int) -> Any:
        """Return what is stated as the commitments of a shuffle of the deck (from 1), or of the missions."""

    def chosen(self, player: str, hand: Sequence[str], so_far: int) -> SetTraded | None:
        """Return the set that the referee is said to have chosen after so many events, if it is this player's."""

    def drawn_again(self) -> Sequence[str]:
        """Return who is said to have drawn a mission again, as the first was against his own colour."""


class GameText:
    """A game file's text and the parts of it that cannot be computed, each read when it is needed.

    With `whole` nothing is cut out of the text: for a file that somebody has laid out otherwise.
    """

    def __init__(self, data: bytes, file: str, whole: bool = False) -> None:
        self.data = data
        self.file = file
        self.text = decoded(data, file)
        self._whole = whole
        self._document: Document | None = None
        self._cut: dict[str, Any] = {}

    @property
    def document(self) -> Document:
        """The whole file, read."""
        if self._document is None:
            self._document = read(self.data, self.file, MAX_GAME_BYTES)
        return self._document

    def _table(self, key: str) -> Any:
        """Return a table of the file, read by itself if the file has the layout of this program."""
        found = None if self._whole else _SECTIONS[key].search(self.text)
        if found:
            with suppress(UnreadableDocument):  # the whole file says better what is wrong
                self._cut[key] = self._section(found[0]).tree.get(key)
                return self._cut[key]
        return self.document.tree.get(key)

    def _section(self, text: str) -> Document:
        return read(b'format = "part"\n' + text.encode(), self.file, MAX_GAME_BYTES)

    def is_cut_wrongly(self) -> bool:
        """Say whether a table that was read by itself is another one in the whole file."""
        return any(self.document.tree.get(key) != table for key, table in self._cut.items())

    def evidence(self) -> Mapping[str, Any]:
        """Return the evidence table."""
        table = self._table("evidence")
        if not isinstance(table, dict) or not isinstance(table.get("documents"), list):
            raise UnreadableDocument(Problem("no-evidence", "has no evidence", "evidence", file=self.file))
        return table

    def sealed(self) -> Mapping[str, str]:
        """Return the boxes."""
        table = self._table("sealed")
        return {k: stripped(v) for k, v in table.items() if isinstance(v, str)} if isinstance(table, dict) else {}

    def signature_after(self, body: str) -> Signature | None:
        """Return the signature if the file is this text and a signature, and nothing else; else None."""
        found = _ENDING.search(self.text)
        if found is None or self.text[: found.start()] != body + "\n":
            return None
        with suppress(UnreadableDocument):
            ending = self._section(found[0])
            return ending.signature if ending.tree.keys() == {"format"} else None
        return None

    def events(self) -> tuple[Event, ...]:
        """Return the events that the file states."""
        return events_of(self.document.tree, self.document)

    def commitments(self, kind: str, number: int) -> Any:
        """Return what the file states as the commitments of a shuffle of the deck, or of the missions."""
        try:
            rows = self.document.tree[kind]["commitments"]
            return rows if kind == "missions" else rows[number - 1]
        except (KeyError, IndexError, TypeError):
            return []

    def chosen(self, player: str, hand: Sequence[str], so_far: int) -> SetTraded | None:
        """Return the event that the file states after so many, if it is a set of this player."""
        events = self.events()
        event = events[so_far] if so_far < len(events) else None
        return event if isinstance(event, SetTraded) and event.player == player else None

    def drawn_again(self) -> Sequence[str]:
        """Return who holds another mission than the one dealt to his seat, as the file states it."""
        return [player for event in self.events() if isinstance(event, MissionsDealt) for player in drawn_again(event)]


class Openings:
    """Answers from what the file lays open; each opening is held against its commitment before it is believed."""

    def __init__(
        self,
        text: Stated,
        before: Game | None,
        evidence: Evidence,
        capitals: Mapping[PlayerId, str] = {},
        opened_later: Mapping[str, Opening] = {},
    ) -> None:
        """Look into a file; `capitals` are known of a finished game, `opened_later` are missions of one without a host.

        By its name each is held against its commitment here, too.
        """
        self.text = text
        self.before = before
        self.by_name = {opening.name: opening for opening in evidence.openings}
        self.opened_later = opened_later
        self.used: list[Opening] = []
        self.sealed: list[str] = []
        self.capitals: Capitals | None = None
        if before is not None and before.state.rules.capitals == "secret_sweep":
            from referee.documents.capitals import shown_capitals

            self.capitals = shown_capitals(before, evidence, capitals)

    def open(self, name: str) -> str:
        """Return what a hidden name stands for; BadSignature if the file does not open it rightly."""
        opening = self.by_name.get(name)
        commitment = commitment_of(name, self.before) if self.before else None
        if opening is None or commitment is None or not opens(opening, commitment):
            message = f'the opening of "{name}" does not fit its commitment'
            raise BadSignature(Problem("wrong-opening", message, "evidence.openings", file=self.text.file))
        if opening not in self.used:
            self.used.append(opening)
        return opening.id

    def cards(self, state: State, player: str) -> dict[str, CardId]:
        """Return the cards of a hand that the file opens."""
        known, hand = state.board.cards, state.hands[PlayerId(player)]
        shown = {name: CardId(self.by_name[name].id) for name in hand if name in self.by_name}
        return {name: card for name, card in shown.items() if card in known}

    def answer(self, question: Question, so_far: int) -> Answer:
        """Answer a question of the turn from the openings, or note that the answer cannot be checked yet."""
        match question:
            case NamesOf(player, cards, state):
                return tuple(self._name(player, card, state) for card in cards)
            case BestSet(player, state, _):
                return self._best(player, state, so_far)
            case MissionOf(player, state):
                return self._mission(player, state)
            case CapitalAt(player, territory):
                return self._capital(player, territory)
            case NewPile():
                return None
            case DrawFrom():
                raise AssertionError("cards are not drawn by lot where hands are hidden")

    def _capital(self, player: PlayerId, territory: TerritoryId) -> str | None:
        assert self.capitals is not None
        capital = self.capitals.of(player)
        if capital is None:
            self.note(f'capital of "{player}"')
        return self.capitals.open(player) if capital == territory else None

    def note(self, what: str) -> None:
        """Note once what cannot be checked yet."""
        if what not in self.sealed:
            self.sealed.append(what)

    def _name(self, player: PlayerId, card: CardId, state: State) -> str:
        hand = state.hands[player]
        if card in hand:
            return card
        for name in hand:
            if name in self.by_name and self.by_name[name].id == card:
                self.open(name)
                return name
        message = f'"{card}" was traded and is not opened'
        raise BadSignature(Problem("wrong-opening", message, "evidence.openings", file=self.text.file))

    def _best(self, player: PlayerId, state: State, so_far: int) -> Held | None:
        """Take the set that the file says was traded next; that it is the best of the hand is for later."""
        hand = state.hands[player]
        event = self.text.chosen(player, hand, so_far)
        self.sealed.append(f'best set of "{player}"')
        if event is None:
            return None
        for card, name in zip(event.cards, event.names, strict=False):
            if name not in hand or (name != card and self.open(name) != card):
                message = f'"{name}" is not the card "{card}" of this hand'
                raise BadSignature(Problem("wrong-opening", message, "events", file=self.text.file))
        cards = tuple(CardId(card) for card in event.cards if CardId(card) in state.board.cards)
        whole = len(cards) == len(event.cards) == len(event.names) == len(set(event.names))
        if not whole or not is_set(cards, state.board):
            message = f"{', '.join(event.cards)} are no set"
            raise ReplayDiffers(Problem("no-set", message, "events", file=self.text.file))
        return Held(cards, event.names)

    def _mission(self, player: PlayerId, state: State) -> str | None:
        name = state.missions[player]
        if name not in self.by_name:
            self._not_fulfilled(player, name, state)
            return None
        mission = self.by_name[name].id
        if mission not in state.board.missions or not has_fulfilled(state, player, mission):
            return None
        self.open(name)
        return mission

    def _not_fulfilled(self, player: PlayerId, name: str, state: State) -> None:
        """Check by a mission that is opened later that it was not fulfilled; note it if there is none."""
        opening = self.opened_later.get(name)
        commitment = commitment_of(name, self.before) if self.before else None
        if opening is None or commitment is None or not opens(opening, commitment):
            self.note(f'mission of "{player}"')
        elif opening.id in state.board.missions and has_fulfilled(state, player, opening.id):
            message = f'hides that the mission of "{player}", opened later, was fulfilled'
            raise ReplayDiffers(Problem("hidden-mission", message, "events", file=self.text.file))

    def commitments(self, state: State, label: str, count: int) -> tuple[str, ...]:
        """Take the commitments of a new shuffle from the file; what they hide is for later."""
        kind, _, number = label.partition("/")
        row = self.text.commitments(kind, int(number))
        try:
            for value in row:
                decode(value, 32)
        except (TypeError, AttributeError, Base64Error):
            row = []
        if len(row) != count:
            message = f"must be {count} commitments of {label}"
            raise ReplayDiffers(Problem("wrong-commitments", message, "deck.commitments", file=self.text.file))
        self.sealed.append(f"order of {label}")
        return tuple(row)

    def mission_commitments(self, state: State) -> tuple[str, ...]:
        """Take the commitments to the missions, if any were dealt."""
        return self.commitments(state, "missions/1", len(state.pack)) if state.missions else ()

    def own_colours(self, state: State) -> tuple[PlayerId, ...]:
        """Take from the file who drew a mission again; whether he had to is for later."""
        self.sealed.append("who drew a mission again")
        return tuple(player for player in state.players if player in self.text.drawn_again())

    def boxes(self, game: Game) -> dict[PlayerId, str]:
        """Take the boxes from the file after checking that everybody who plays has one of the right size."""
        state = game.state
        wanted: dict[PlayerId, str] = {}
        if state.phase == "over" or not (state.shuffles or state.missions):
            return wanted
        stated = self.text.sealed()
        for player in state.playing():
            size = 128 * (4 + len(state.hands[player])) + 16
            try:
                decode(stated.get(player, ""), size)
            except Base64Error as error:
                problem = Problem("wrong-box", str(error), f"sealed.{player}", file=self.text.file)
                raise ReplayDiffers(problem) from None
            wanted[player] = stated[player]
        self.sealed.append("boxes")
        return wanted

    def secret(self, after: Game) -> Secret | None:
        """Return the secret that the last file reveals, held against the commitment of the invitation."""
        secret = stated_secret(self.text.document)
        former = {player: 64 * len(one.former) for player, one in after.people.items() if one.former}
        if (
            secret is None
            or set(secret.seal_keys) != set(after.people)
            or {player: len(decode(keys)) for player, keys in secret.former_seal_keys.items()} != former
            or not _are_handed(secret, after)
        ):
            message = "must reveal the secret and the seal keys of all players: the game is over"
            raise ReplayDiffers(Problem("wrong-secret", message, "secret", file=self.text.file))
        check_secret(secret, after, self.text.file)
        return secret

    def knows(self) -> Knows:
        """Return all this as what `advance` asks for."""
        return Knows(
            self.answer, self.cards, lambda: self.used, self.commitments, self.boxes, self.secret, self.own_colours,
            self.capitals,
        )  # fmt: skip


def _are_handed(secret: Secret, game: Game) -> bool:
    """Say whether the seal keys of all former hosts are there."""
    if not game.keeper.former and not secret.handed_seal_keys:
        return True
    from referee.documents.handing import are_seal_keys

    keys = secret.handed_seal_keys
    return len(keys) == len(game.keeper.former) and all(are_seal_keys(one, game) for one in keys)


def stated_secret(last: Document) -> Secret | None:
    """Return the secret that a game file states, unchecked but for its shape."""
    table = last.tree.get("secret")
    if not isinstance(table, dict):
        return None
    keys, former, handed = (table.get(key) for key in ("seal_keys", "former_seal_keys", "handed_seal_keys"))
    former, handed = former if former is not None else {}, handed if handed is not None else []
    try:
        decode(table["game_secret"], 32)
        for value in keys.values():  # type: ignore[union-attr]
            decode(value, 64)
        several = [*former.values(), *(value for one in handed for value in one.values())]
        for value in several:  # as many keys as there were players before, as one value
            decode(value, 64 * max(1, len(decode(value)) // 64))
    except (KeyError, AttributeError, TypeError, Base64Error):
        problem = last.source.problem("wrong-secret", "is no secret and seal keys", "secret")
        raise UnreadableDocument(problem) from None
    return Secret(table["game_secret"], keys, former, tuple(handed))  # type: ignore[arg-type]


def evidence_of(table: Mapping[str, Any], text: Stated) -> Evidence:
    """Return the evidence of a file; its documents are taken one by one later."""
    reveals, openings = table.get("reveals", []), table.get("openings", [])
    unsealed = table.get("unsealed", [])
    if not (
        are_rows(reveals, 2)
        and are_rows(openings, 3)
        and isinstance(unsealed, list)
        and all(_is_unsealed(entry) for entry in unsealed)
    ):
        problem = text.document.source.problem("no-evidence", "is no evidence", "evidence")
        raise UnreadableDocument(problem)
    return Evidence(
        tuple((who, value) for who, value in reveals),
        tuple(Opening(*row) for row in openings),
        tuple(Unsealed(entry["player"], entry["salt"], entry["content"]) for entry in unsealed),
        tuple(table["documents"]),
    )


def are_rows(rows: Any, length: int) -> bool:
    """Say whether something is a list of rows of so many strings."""
    return isinstance(rows, list) and all(
        isinstance(row, list) and len(row) == length and all(isinstance(part, str) for part in row) for row in rows
    )


def _is_unsealed(entry: Any) -> bool:
    """Say whether something can be what a player told the host alone."""
    return (
        isinstance(entry, dict)
        and entry.keys() == {"player", "salt", "content"}
        and isinstance(entry["player"], str)
        and isinstance(entry["salt"], str)
        and isinstance(entry["content"], dict)
    )
