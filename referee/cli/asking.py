"""What the host can do about a file that a player sent and that cannot be used: whom to ask, and for what.

Loaded only when there is something to refuse. Elsewhere the same problems are told to the player himself.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from referee.cli.files import name_of
from referee.documents.gamefile import GameFile
from referee.documents.intake import ORDERS, REVEAL, secret_keys
from referee.documents.signing import Document, read_each
from referee.errors import Problem, RefereeError


def asking(
    error: RefereeError, documents: Sequence[Document], before: GameFile, lying: Sequence[tuple[Path, bytes]]
) -> RefereeError:
    """Return the same error with hints for the one who received the documents; `lying` are those not handed in."""
    return type(error)(*(_asked(problem, documents, before, lying) for problem in error.problems))


def _asked(
    problem: Problem, documents: Sequence[Document], before: GameFile, lying: Sequence[tuple[Path, bytes]]
) -> Problem:
    if problem.code == "reveal-missing":
        names = _forgotten(problem, lying)
        return problem._replace(hint=f"hand in what lies here: {', '.join(names)}") if names else problem
    if problem.code not in ("not-signed", "not-sealed"):
        return problem
    about = [one for one in documents if one.source.file == problem.file]
    unsigned = [one for one in about if one.signature is None]
    for document in (unsigned or about)[:1]:
        player = document.tree.get("player")
        if isinstance(player, str):
            return problem._replace(hint=_hint(document, player, before))
    return problem


def _forgotten(problem: Problem, lying: Sequence[tuple[Path, bytes]]) -> list[str]:
    """Return the files that hold the reveal that is missing, or say that its player is passed over."""
    found = []
    for path, data in lying:
        with suppress(RefereeError):
            for document in read_each(data, name_of(path)):
                says = document.format == REVEAL or document.tree.get("act") == "passed_over"
                if says and f'"{document.tree.get("player")}"' in problem.message:
                    found.append(name_of(path))
    return list(dict.fromkeys(found))


def _hint(document: Document, player: str, before: GameFile) -> str:
    name = Path(document.source.file)
    if document.format == ORDERS and any(key in document.tree for key in secret_keys(before.game.state)):
        return (
            f"this is the plain text, not for others: ask {player} for {name.stem}-sealed.toml, made by `referee sign`"
        )
    return f"this is a draft: ask {player} for the file as `referee sign` has signed it"
