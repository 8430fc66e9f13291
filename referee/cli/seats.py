"""The game file of a command, with those who have just taken an awaited seat by an act that lies beside it.

A substitute for the awaited seat acts at once, but the game file still has the keys of who sat there. So whoever has
the act, the join and the invitation in the same folder can look at the hand, draft, check and sign as any player.
What of these does not fit is passed over here: `resolve` says what is wrong.
"""

from contextlib import suppress
from itertools import product
from pathlib import Path

from referee.cli.files import name_of, read_bytes
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, open_game
from referee.errors import RefereeError

_ACTS = "act-substitute-*.toml"
"""How `referee act` calls them; other files are not looked into."""


def open_here(game: Path) -> GameFile:
    """Open a game file, and seat the substitutes for whom all documents lie beside it."""
    file = open_game(read_bytes(game), board_by_name, name_of(game))
    return with_substitutes(file, Path() if str(game) == "-" else game.parent)


def with_substitutes(file: GameFile, folder: Path) -> GameFile:
    """Return a game file with the substitutes for awaited seats for whom all documents lie in a folder."""
    for path in sorted(folder.glob(_ACTS)):
        with suppress(RefereeError):
            file = _seated(file, path)
    return file


def _seated(file: GameFile, path: Path) -> GameFile:
    from referee.documents.acts import as_answered, take_acts
    from referee.documents.canonical import digest_of
    from referee.documents.invitation import INVITATION, JOIN
    from referee.documents.signing import read

    act = read(read_bytes(path), name_of(path))
    if act.tree.get("state") != file.digest:
        return file
    acts = []
    for other in sorted(path.parent.glob(_ACTS)):
        with suppress(RefereeError):
            copy = read(read_bytes(other), name_of(other))
            acts += [copy] if digest_of(copy.tree) == digest_of(act.tree) else []
    beside = []
    for other in sorted(path.parent.glob("*.toml")):
        data = read_bytes(other)
        if JOIN.encode() in data[:600] or INVITATION.encode() in data[:600]:
            with suppress(RefereeError):
                beside.append(read(data, name_of(other)))
    joins = [one for one in beside if one.format == JOIN and digest_of(one.tree) == act.tree.get("join")]
    answered = [one.tree.get("invitation") for one in joins]
    invitations = [one for one in beside if one.format == INVITATION and digest_of(one.tree) in answered]
    for pair in product(joins, invitations):  # of two copies one may be damaged
        with suppress(RefereeError):
            return as_answered(file, take_acts([*acts, *pair], file).substitutes)
    return file
