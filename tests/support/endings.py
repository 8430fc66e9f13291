"""A short game with an end, and its files checked as players do: one by one, and with the secret when all is over."""

from itertools import pairwise

from referee.documents.gamefile import GameFile
from referee.documents.resolve import resolve
from referee.documents.signing import Document
from referee.documents.verify import Checked, Entry, verify_next, verify_row
from referee.game.orders import PlayerId
from support.openings import opened
from support.table import HOST, Table, key_of


def short_game() -> list[GameFile]:
    """Play a game of a few turns that ends because two players leave."""
    table = Table("no", "mission", 3, 5)
    files = [table.file]

    def go_on(documents: list[Document], missed: tuple[str, ...] = ()) -> None:
        before = table.file
        called = [PlayerId(name) for name in missed]
        table.file = opened(resolve(before, documents, key_of(HOST), called))
        files.append(table.file)

    state = table.file.game.state
    go_on([table.orders(p, {"deploy": {state.territories_of(p)[0]: state.players[p].to_place}}) for p in state.acting])
    for _ in range(2):
        go_on([], (table.file.game.state.acting[0],))
    state = table.file.game.state
    leaving = [player for player in state.playing() if player != state.acting[0]]
    go_on([table.resignation(player) for player in leaving], (state.acting[0],))
    assert files[-1].game.state.phase == "over"
    return files


def row(files: list[GameFile], last: str = "") -> list[Checked]:
    """Verify a row of files; `last` is another text of the last one."""
    texts = {file.game.turn: file.text for file in files}
    if last:
        texts[files[-1].game.turn] = last
    by_name = {f"{turn}.toml": text.encode() for turn, text in texts.items()}
    return list(verify_row([Entry(f"{turn}.toml", turn) for turn in texts], by_name.__getitem__))


def one_by_one(files: list[GameFile]) -> None:
    """Check every file after its predecessor, as players do while the game goes on."""
    for one, after in pairwise(files[:-1]):
        verify_next(one, after.text.encode(), after.file)
