"""Forks: two game files of one turn that say different things, and what they prove against who signed them.

Nothing has to be replayed for it: that one key has signed both is the proof (DESIGN section 5). A game file names the
key under which its signature holds itself, so two files under different keys prove nothing alone; it is said.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from referee.documents.boards import board_by_name
from referee.documents.canonical import digest_of
from referee.documents.gamefile import MAX_GAME_BYTES, GameFile, open_game
from referee.documents.signing import Signature, in_halves, read
from referee.errors import Problem
from referee.game.records import NamedTuple

if TYPE_CHECKING:
    from referee.documents.verify import Entry, Load


class Side(NamedTuple):
    """One of the files, with its signature, which has been checked."""

    file: GameFile
    signature: Signature

    def tree(self) -> dict[str, Any]:
        """Return what it proves as a tree; the signature in its two halves."""
        return {
            "file": self.file.file,
            "digest": self.file.digest,
            "previous": self.file.game.previous,
            "by": self.signature.by,
            "key": self.signature.key,
            "signature": in_halves(self.signature.value),
        }


class Fork(NamedTuple):
    """Two different files of one turn."""

    one: Side
    other: Side

    @property
    def turn(self) -> int:
        """The turn for which both wait."""
        return self.one.file.game.turn

    @property
    def follows_one_file(self) -> bool:
        """Say whether both answer the same file; else the fork is in an earlier turn."""
        return self.one.file.game.previous == self.other.file.game.previous

    @property
    def proves(self) -> bool:
        """Say whether one key has signed both."""
        return self.one.signature.key == self.other.signature.key

    def differences(self) -> list[str]:
        """Return in what the files differ; if it is nothing that was handed in, one was made by hand or otherwise."""
        one, other = (side.file.game.evidence for side in (self.one, self.other))
        found = [] if self.follows_one_file else [f"the file of turn {self.turn - 1} that they follow"]
        for kind, senders in _by_kind((*one.documents, *other.documents)):
            mine, theirs = ({digest_of(d) for d in e.documents if d["format"] == kind} for e in (one, other))
            if mine != theirs:
                word = kind.split("/")[1]
                found.append(f"{word if word == 'orders' else f'documents of the kind {word}'} ({', '.join(senders)})")
        if one.reveals != other.reveals:
            who = sorted({who for who, _ in set(one.reveals) ^ set(other.reveals)})
            found.append(f"reveals ({', '.join(who)})")
        return found or [self._made()]

    def _made(self) -> str:
        from referee.documents.differences import first_difference

        stated, wanted = (
            read(side.file.text.encode(), side.file.file, MAX_GAME_BYTES).tree for side in (self.one, self.other)
        )
        key, _ = first_difference(stated, wanted)
        return f"nothing that was handed in: one at least was made by hand or with other rules; {key} is another"

    def as_problem(self) -> Problem:
        """Return it as what is wrong."""
        one, other = self.one.file.file, self.other.file.file
        message = f"{one} and {other} are two different files of turn {self.turn}"
        if self.proves:
            hint = f"both signatures hold: they are proof against {self.one.signature.by}, keep both"
        else:
            hint = "they are signed with different keys: hold each against the file before it, and keep both"
        return Problem("fork", message, file=other, hint=hint)

    def tree(self) -> dict[str, Any]:
        """Return it for programs."""
        return {
            "game": self.one.file.game.name,
            "turn": self.turn,
            "proof": self.proves,
            "files": [self.one.tree(), self.other.tree()],
            "differ": self.differences(),
        }


def _by_kind(documents: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the kinds of documents with who signed any, in order."""
    rows = sorted((str(one["format"]), str(one["signature"]["by"])) for one in documents)
    for kind, row in groupby(rows, key=lambda pair: pair[0]):
        yield kind, sorted({by for _, by in row})


def find_forks(entries: Sequence["Entry"], load: "Load") -> list[Fork]:
    """Return every two files of one turn that say different things.

    Copies of one file are none, however they are laid out. Raises UnreadableDocument or BadSignature if one is damaged.
    """
    found: list[Fork] = []
    seen: dict[int, Entry] = {}
    for entry in entries:
        other = seen.setdefault(entry.turn, entry)
        if other is not entry:
            found += _fork(*((one.file, load(one.file)) for one in (other, entry)))
    return found


def _fork(one: tuple[str, bytes], other: tuple[str, bytes]) -> list[Fork]:
    if one[1] == other[1]:
        return []
    files = [open_game(data, board_by_name, name) for name, data in (one, other)]
    if files[0].digest == files[1].digest:
        return []
    sides = []
    for file in files:
        signature = read(file.text.encode(), file.file, MAX_GAME_BYTES).signature
        assert signature is not None, "an opened game file is signed"
        sides.append(Side(file, signature))
    return [Fork(*sides)]
