"""Records: a whole game in one file, from which every game file can be made again, byte for byte (DESIGN section 7).

    game files, checked -> `head_of`, `entry_of` -> text -> `replayed` -> game files

A record holds what nobody can compute: every signed document, the reveals, what was opened, and the signature of each
game file; while the secret of the game is not revealed also commitments, boxes, and what was laid open of hidden cards.
It is TOML, unsigned: a head, and one `[[file]]` for each game file, in order.

    format, game, nonce, [secret], [capitals] (those of a finished game whose capitals were secret)
    [[file]]  turn, digest, signature (two halves), reveals, openings, unsealed, chosen (sets that the referee chose, by
              the names of the cards), drawn_again (who drew a mission again), [file.commitments] (new ones: deck-1,
              ..., missions-1), [file.boxes], [[file.documents]]

It is read and written entry by entry, so that a long game needs no more memory than a short one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from referee.documents.canonical import canonical, digest
from referee.documents.gamefile import FORMAT as GAME
from referee.documents.gamefile import (
    MAX_GAME_BYTES,
    Game,
    GameFile,
    Opening,
    body_text,
    check_secret,
    evidence_tree,
    file_name,
    tree_of,
    verified_from_roller,
)
from referee.documents.kinds import version_hint
from referee.documents.layout import table_text
from referee.documents.openings import GameText, evidence_of, stated_secret
from referee.documents.replay import Revealed, invitation_in, replay_first, replay_next
from referee.documents.signing import Document, document, in_halves, read
from referee.documents.text import Source, decoded
from referee.documents.verify import Checked
from referee.errors import (
    MAX_PROBLEMS,
    IllegalOrders,
    Problem,
    RefereeError,
    ReplayDiffers,
    UnreadableDocument,
    UsageProblem,
    raise_all,
)
from referee.game.events import MissionsDealt, SetTraded
from referee.game.setup import drawn_again
from referee.game.trees import unknown_keys

FORMAT = "referee/record/1"
MAX_RECORD_BYTES = 64 << 20
_ENTRY = re.compile(r"^\[\[file\]\]\n", re.MULTILINE)
_HEAD: Mapping[str, type] = {"format": str, "game": str, "nonce": str}
_HEAD_MAYBE: Mapping[str, type] = {"secret": dict, "capitals": dict}
_FILE: Mapping[str, type] = {"turn": int, "digest": str, "signature": list, "reveals": list, "documents": list}
_FILE_MAYBE: Mapping[str, type] = {
    "openings": list, "unsealed": list, "chosen": list, "drawn_again": list, "commitments": dict, "boxes": dict,
}  # fmt: skip
_WORDS = {str: "a string", int: "a number", list: "a list", dict: "a table"}


# --- writing -----------------------------------------------------------------------------------


def head_of(game: Game, revealed: Revealed | None) -> str:
    """Return the head of a record; the secret of a finished game stands in it, since every entry needs it."""
    tree: dict[str, Any] = {"format": FORMAT, "game": game.name, "nonce": game.nonce}
    if revealed is not None:
        tree["secret"] = revealed.secret.tree()
        if revealed.capitals and game.state.rules.capitals == "secret_sweep":
            tree["capitals"] = dict(revealed.capitals)
    return "# A whole game: `referee replay` makes every file of it again.\n" + table_text(tree)


def entry_of(file: GameFile, before: GameFile | None, revealed: Revealed | None) -> str:
    """Return the entry of a game file that has been checked and follows from `before`."""
    text = GameText(file.text.encode(), file.file)
    signature = text.signature_after(body_text(tree_of(file.game))) or text.document.signature
    assert signature is not None, "a checked file is signed"
    tree: dict[str, Any] = {"turn": file.game.turn, "digest": file.digest, "signature": in_halves(signature.value)}
    return f"\n[[file]]\n{table_text({**tree, **_stated(file.game, before, revealed)}, ('file',))}"


def _stated(game: Game, before: GameFile | None, revealed: Revealed | None) -> dict[str, Any]:
    """Return what an entry must say of a game file that nobody can compute, beside its digest and signature."""
    evidence = evidence_tree(game.evidence)
    documents = evidence.pop("documents")
    if revealed is not None:
        evidence.pop("openings", None)
        hidden = {}
    else:
        hidden = _hidden(game, before.game if before is not None else None)
    return {**evidence, **hidden, "documents": documents}


def _hidden(game: Game, before: Game | None) -> dict[str, Any]:
    """Return what only the host could compute before the secret was revealed."""
    chosen = [list(event.names) for event in game.events if isinstance(event, SetTraded) and event.by == "referee"]
    known = len(before.deck) if before is not None else 0
    commitments = {f"deck-{number}": list(row) for number, row in enumerate(game.deck, start=1) if number > known}
    if game.mission_commitments and not (before is not None and before.mission_commitments):
        commitments["missions-1"] = list(game.mission_commitments)
    again = [player for event in game.events if isinstance(event, MissionsDealt) for player in drawn_again(event)]
    parts = {"chosen": chosen, "drawn_again": again, "commitments": commitments, "boxes": dict(game.sealed)}
    return {key: value for key, value in parts.items() if value}


# --- reading -----------------------------------------------------------------------------------


class RecordedFile:
    """An entry of a record, in place of the game file that it stands for (`openings.Stated`)."""

    def __init__(self, tree: Mapping[str, Any], secret: Mapping[str, Any] | None, file: str) -> None:
        self.tree = tree
        self.file = file
        self._secret = secret
        self._chosen = list(tree.get("chosen", []))

    @property
    def document(self) -> Document:
        """The entry as a game file of which only the secret is known."""
        tree = {"format": GAME, **({"secret": self._secret} if self._secret is not None else {})}
        return document(tree, Source(tree, "", self.file))

    def evidence(self) -> Mapping[str, Any]:
        """Return the evidence table."""
        return {key: self.tree[key] for key in ("reveals", "openings", "unsealed", "documents") if key in self.tree}

    def sealed(self) -> Mapping[str, str]:
        """Return the boxes."""
        return {player: "".join(str(box).split()) for player, box in self.tree.get("boxes", {}).items()}

    def commitments(self, kind: str, number: int) -> Any:
        """Return what is stated as the commitments of a shuffle of the deck, or of the missions."""
        return self.tree.get("commitments", {}).get(f"{kind}-{number}", [])

    def chosen(self, player: str, hand: Sequence[str], so_far: int) -> SetTraded | None:
        """Return the next set that the referee chose, if it is of this hand: where there is one, he must choose."""
        if not self._chosen or not set(self._chosen[0]) <= set(hand):
            return None
        names = tuple(self._chosen.pop(0))
        opened = {row[0]: row[1] for row in self.tree.get("openings", [])}
        cards = tuple(opened.get(name, name) for name in names)
        return SetTraded(player, cards, names, 0, 0, (), "missed", "referee")

    def drawn_again(self) -> Sequence[str]:
        """Return who is said to have drawn a mission again."""
        return list(self.tree.get("drawn_again", []))


def replayed(data: bytes, file: str) -> Iterator[Checked]:
    """Make every game file of a record again, each checked as `verify` checks it, and signed as it was.

    Raises UnreadableDocument, BadSignature or ReplayDiffers with what is wrong; what came before has been given out.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise UnreadableDocument(Problem("too-large", f"is larger than {MAX_RECORD_BYTES:,} bytes", file=file))
    text = decoded(data, file)
    starts = [found.start() for found in _ENTRY.finditer(text)]
    head = read(text[: starts[0] if starts else len(text)].encode(), file)
    revealed = _head(head, file)
    if not starts:
        raise UnreadableDocument(Problem("no-entries", "holds no game file", file=file))
    before: GameFile | None = None
    spans = list(zip(starts, [*starts[1:], len(text)], strict=True))
    opened_later = _opened_later(text[start:end] for start, end in spans) if revealed is None else {}
    for number, (start, end) in enumerate(spans, start=1):
        name = f"{file}: file[{number}]"
        try:
            entry = _entry(text[start:end], file)
        except UnreadableDocument as error:
            raise UnreadableDocument(*(_placed(one, number, text, start) for one in error.problems)) from None
        if entry["turn"] != number:
            raise ReplayDiffers(Problem("gap", f"is of turn {entry['turn']}, not of turn {number}", "turn", file=name))
        try:
            checked = _made_again(entry, before, revealed, opened_later, head.tree.get("secret"), name)
        except (IllegalOrders, UsageProblem) as error:  # what nobody could have resolved is no game file
            raise ReplayDiffers(*error.problems).within(name) from None
        except RefereeError as error:
            raise error.within(name) from None
        game = checked.file.game
        if (game.name, game.nonce) != (head.tree["game"], head.tree["nonce"]):
            raise ReplayDiffers(Problem("other-game", f'is of the game "{game.name}"', "game", file=name))
        before = checked.file
        yield checked


def _head(head: Document, file: str) -> Revealed | None:
    if head.format != FORMAT:
        message = f'is "{head.format}", not a record'
        hint = version_hint(head.format, FORMAT)
        raise UnreadableDocument(head.source.problem("other-document", message, "format", hint))
    raise_all(UnreadableDocument, _shape(head.tree, head.source, "", _HEAD, _HEAD_MAYBE))
    secret = stated_secret(head)
    capitals = head.tree.get("capitals", {})
    raise_all(UnreadableDocument, _shape(capitals, head.source, "capitals.", {}, dict.fromkeys(capitals, str)))
    return Revealed(secret, file, capitals) if secret is not None else None


def _entry(text: str, file: str) -> Mapping[str, Any]:
    """Read an entry by itself, as the first one of a document."""
    source = read(b'format = "part"\n' + text.encode(), file, MAX_GAME_BYTES).source
    entries = source.tree["file"]
    wrong = _shape(source.tree, source, "", {"format": str, "file": list}, {})
    if len(entries) > 1:
        message = "must stand on a line of its own, without blanks and comments"
        wrong.append(source.problem("wrong-type", f"[[file]] {message}", "file[2]"))
    raise_all(UnreadableDocument, wrong + _shape(entries[0], source, "file[1].", _FILE, _FILE_MAYBE))
    tree: Mapping[str, Any] = entries[0]
    return tree


def _opened_later(parts: Iterable[str]) -> Mapping[str, Opening]:
    """Return the missions, by name, that an entry opens because the host is gone; what is wrong with it comes later."""
    from referee.documents.afterwards import missions_opened_by

    found: dict[str, Opening] = {}
    for part in parts:
        if "open_hand" in part or "\\u" in part:
            with suppress(RefereeError):
                found |= missions_opened_by(_entry(part, "")["documents"])
    return found


def _placed(problem: Problem, number: int, text: str, start: int) -> Problem:
    """Return a problem with an entry as it stands in the whole record, where its text has no line before it."""
    key = re.sub(r"^file\[\d+\]", f"file[{number}]", problem.key)
    line = problem.line and problem.line + text.count("\n", 0, start) - 1
    return problem._replace(key=key or f"file[{number}]", line=line)


def _refuse_spare(stated: RecordedFile, wanted: Mapping[str, Any], name: str) -> None:
    """Raise ReplayDiffers if an entry states something that the game file was not made of."""
    given = {**stated.tree, "boxes": stated.sealed()}
    for key in _FILE_MAYBE:
        if given.get(key) and given[key] != wanted.get(key):
            message = "states something of which the game file is not made"
            raise ReplayDiffers(Problem("spare", message, key, file=name))


def _shape(
    tree: Mapping[str, Any], source: Source, path: str, needed: Mapping[str, type], optional: Mapping[str, type]
) -> list[Problem]:
    """Return what is wrong with the keys of a table and with their types."""
    wrong = [
        source.problem("missing-key", f'"{key}" is missing', path.rstrip(".")) for key in needed if key not in tree
    ]
    kinds = {**needed, **optional}
    for key in unknown_keys(tree, kinds):
        wrong.append(source.problem("unknown-key", f'"{key}" is no key of a record', path + key))
    for key, kind in kinds.items():
        if key in tree and type(tree[key]) is not kind:
            wrong.append(source.problem("wrong-type", f"must be {_WORDS[kind]}", path + key))
    return wrong[:MAX_PROBLEMS]


def _made_again(
    entry: Mapping[str, Any],
    before: GameFile | None,
    revealed: Revealed | None,
    opened_later: Mapping[str, Opening],
    secret: Mapping[str, Any] | None,
    name: str,
) -> Checked:
    """Compute the game file of an entry, and sign it as it was signed."""
    stated = RecordedFile(entry, secret, name)
    evidence = evidence_of(stated.evidence(), stated)
    if before is None:
        invitation = invitation_in(evidence, stated)
        made = replay_first(invitation, stated, evidence, revealed)
    else:
        made = replay_next(before, stated, evidence, revealed, opened_later)
    game = made.game
    if revealed is not None:
        check_secret(revealed.secret, game, name)
    _refuse_spare(stated, _stated(game, before, revealed), name)
    tree = tree_of(game)
    found = digest(canonical(tree))
    if found != entry["digest"]:
        message = f"is {entry['digest']}, the replay gives {found}"
        raise ReplayDiffers(Problem("replay-differs", message, "digest", file=name))
    signature = {"by": made.roller.name, "key": made.roller.key, "value": entry["signature"]}
    signed = document({**tree, "signature": signature}, Source(tree, "", name))
    verified_from_roller(signed, made.roller)
    text = body_text(tree) + table_text({"signature": signature})
    file = GameFile(game, found, text, file_name(game.name, game.turn))
    return Checked(file, made.counts, made.sealed, by=made.roller.name)
