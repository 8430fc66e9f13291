"""The project's own boards, by name and digest."""

from referee import data
from referee.documents.canonical import digest_of
from referee.errors import Problem, UnreadableDocument
from referee.game.board import Board, board_from
from referee.game.trees import ID

_LOADED: dict[str, tuple[Board, str]] = {}


def load_board(name: str) -> tuple[Board, str]:
    """Return one of the project's own boards and its digest; UnreadableDocument if there is none of that name."""
    found = _LOADED.get(name)
    if found is None:
        try:
            tree = data.tree(f"boards/{name}.toml") if ID.fullmatch(name) else None
        except FileNotFoundError:
            tree = None
        if tree is None:
            raise UnreadableDocument(Problem("no-board", f'no board is called "{name}" here', "board.name"))
        found = _LOADED[name] = (board_from(tree, check_names=False), digest_of(tree))
    return found


def board_by_name(name: str, digest: str) -> Board:
    """Return the board that a document states; UnreadableDocument if it is not the one that is here."""
    board, here = load_board(name)
    if here != digest:
        message = f'the board "{name}" of the document is not the one of this referee'
        hint = "the game was begun with another version: use that one, or compare the board files"
        raise UnreadableDocument(Problem("other-board", message, "board.digest", hint))
    return board
