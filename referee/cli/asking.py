"""What the host can do about a file that a player sent and that cannot be used: whom to ask, and for what.

Loaded only when there is something to refuse. Elsewhere the same problems are told to the player himself.
"""

from collections.abc import Sequence
from pathlib import Path

from referee.documents.intake import ORDERS
from referee.documents.orders import SET_UP_KEYS
from referee.documents.signing import Document
from referee.errors import Problem, RefereeError


def asking(error: RefereeError, documents: Sequence[Document]) -> RefereeError:
    """Return the same error with hints for the one who received the documents."""
    return type(error)(*(_asked(problem, documents) for problem in error.problems))


def _asked(problem: Problem, documents: Sequence[Document]) -> Problem:
    if problem.code not in ("not-signed", "not-sealed"):
        return problem
    about = [one for one in documents if one.source.file == problem.file]
    unsigned = [one for one in about if one.signature is None]
    for document in (unsigned or about)[:1]:
        player = document.tree.get("player")
        if isinstance(player, str):
            return problem._replace(hint=_hint(document, player))
    return problem


def _hint(document: Document, player: str) -> str:
    name = Path(document.source.file)
    if document.format == ORDERS and any(key in document.tree for key in SET_UP_KEYS):
        return (
            f"this is the plain text, not for others: ask {player} for {name.stem}-sealed.toml, made by `referee sign`"
        )
    return f"this is a draft: ask {player} for the file as `referee sign` has signed it"
