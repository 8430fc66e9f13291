"""The game file of a command, with those who have just taken an awaited seat by an act that lies beside it.

A substitute for the awaited seat acts at once, but the game file still has the keys of who sat there. So whoever has
the act, the join and the invitation in the same folder can look at the hand, draft, check and sign as any player.
What of these does not fit is passed over here: `resolve` says what is wrong.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

from referee.cli.files import name_of, read_bytes
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, open_game
from referee.documents.kinds import INVITATION, JOIN
from referee.documents.signing import Document, read_each
from referee.errors import RefereeError

_ACTS = "act-substitute-*.toml"
"""How `referee act` calls them; of other files only mails are looked into."""

_KINDS = ("referee/act/", JOIN, INVITATION)


def open_here(game: Path) -> GameFile:
    """Open a game file, and seat the substitutes for whom all documents lie beside it."""
    file = open_game(read_bytes(game), board_by_name, name_of(game))
    return with_substitutes(file, Path() if str(game) == "-" else game.parent)


def with_substitutes(file: GameFile, folder: Path) -> GameFile:
    """Return a game file with the substitutes for awaited seats for whom all documents lie in a folder."""
    mails = _mailed(folder)
    acts = [one for path in sorted(folder.glob(_ACTS)) for one in _read(path)]
    acts += [one for one in mails if one.tree.get("act") == "substitute"]
    for act in acts:
        if act.tree.get("state") == file.digest:
            file = _seated(file, act, acts, [*_beside(folder), *mails])
    return file


def _read(path: Path) -> list[Document]:
    """Return the documents of a file; what cannot be read has not come."""
    try:
        return read_each(read_bytes(path), name_of(path))
    except RefereeError:
        return []


def _mailed(folder: Path) -> list[Document]:
    """Return what stands in the mails and texts of a folder that hold such documents."""
    if not any(folder.glob("*.eml")) and not any(folder.glob("*.txt")):
        return []
    from referee.cli.folders import marked_mails, read_mail

    found = [path for path in marked_mails(folder) if any(kind.encode() in read_mail(path) for kind in _KINDS)]
    return [one for path in found for one in _read(path)]


def _beside(folder: Path) -> Iterator[Document]:
    """Yield the joins and invitations of a folder."""
    for path in sorted(folder.glob("*.toml")):
        head = read_bytes(path)[:600] if path.is_file() else b""
        if JOIN.encode() in head or INVITATION.encode() in head:
            yield from _read(path)


def _is_genuine(act: Document, file: GameFile) -> bool:
    from referee.documents.acts import read_act

    try:
        read_act(act, file)
    except RefereeError:
        return False
    return True


def _seated(file: GameFile, act: Document, acts: Sequence[Document], beside: Sequence[Document]) -> GameFile:
    """Return the game file after an act, if its copies, the join and the invitation are there and fit."""
    from referee.documents.acts import as_answered, take_acts
    from referee.documents.canonical import digest_of

    copies = [one for one in acts if digest_of(one.tree) == digest_of(act.tree) and _is_genuine(one, file)]
    joins = [one for one in beside if one.format == JOIN and digest_of(one.tree) == act.tree.get("join")]
    answered = [one.tree.get("invitation") for one in joins]
    invitations = [one for one in beside if one.format == INVITATION and digest_of(one.tree) in answered]
    for pair in product(joins, invitations):  # of two copies one may be damaged
        with suppress(RefereeError):
            return as_answered(file, take_acts([*copies, *pair], file).substitutes)
    return file
