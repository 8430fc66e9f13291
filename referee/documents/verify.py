"""Checking game files by replay (DESIGN section 7): one with its predecessor, or a row of them.

From its predecessor and the evidence it holds the next game is computed anew (`replay`) and compared with the file,
text against text; only where the texts differ is the file read, to say whether it was forged or made wrongly. Another
layout is no difference: signatures are over the meaning (DESIGN section 3), so that mail may wrap a file and another
program may write its tables in another order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from referee.documents.boards import board_by_name
from referee.documents.canonical import canonical, digest
from referee.documents.gamefile import Game, GameFile, Opening, body_text, open_game, tree_of, verified_from_roller
from referee.documents.openings import GameText, evidence_of
from referee.documents.replay import Replayed, Revealed, invitation_in, replay_first, replay_next
from referee.documents.rolling import Roller, stated_roller
from referee.documents.signing import Document
from referee.documents.start import opener_of
from referee.documents.text import Source
from referee.errors import BadSignature, IllegalOrders, Problem, RefereeError, ReplayDiffers, UsageProblem
from referee.game.records import NamedTuple


class Checked(NamedTuple):
    """A game file that follows from its predecessor, what was counted on the way, and what stays to be checked.

    `is_trusted` says that what came before it was not there, so that its own word was taken. `by` made it.
    """

    file: GameFile
    counts: Mapping[str, int]
    sealed: tuple[str, ...]
    is_trusted: bool = False
    by: str = ""


def verify_next(
    before: GameFile,
    data: bytes,
    file: str,
    revealed: Revealed | None = None,
    opened_later: Mapping[str, Opening] = {},
) -> Checked:
    """Check that a game file follows from `before`, and return it as checked.

    `opened_later` are missions that players have opened since, by name. Raises UnreadableDocument, BadSignature or
    ReplayDiffers with what is wrong.
    """
    return _in_any_layout(lambda text: _next(before, text, revealed, opened_later), data, file)


def _in_any_layout(check: Callable[[GameText], Checked], data: bytes, file: str) -> Checked:
    """Check a file by parts of its text; if somebody laid it out so that these are not what it says, by the whole."""
    text = GameText(data, file)
    try:
        return check(text)
    except RefereeError:
        if not text.is_cut_wrongly():
            raise
    return check(GameText(data, file, whole=True))


def _next(before: GameFile, text: GameText, revealed: Revealed | None, opened_later: Mapping[str, Opening]) -> Checked:
    evidence = evidence_of(text.evidence(), text)
    try:
        replayed = replay_next(before, text, evidence, revealed, opened_later)
    except RefereeError as error:
        raise _forged_first(text, _maker(before.game, text), error) from None
    return Checked(_compared(text, replayed), replayed.counts, replayed.sealed, by=replayed.roller.name)


def verify_first(data: bytes, file: str, revealed: Revealed | None = None) -> Checked:
    """Check that a first game file follows from the invitation and the joins that it holds."""
    return _in_any_layout(lambda text: _first(text, revealed), data, file)


def _first(text: GameText, revealed: Revealed | None) -> Checked:
    evidence = evidence_of(text.evidence(), text)
    invitation = invitation_in(evidence, text)
    try:
        replayed = replay_first(invitation, text, evidence, revealed)
    except RefereeError as error:
        raise _forged_first(text, opener_of(invitation), error) from None
    return Checked(_compared(text, replayed), replayed.counts, replayed.sealed, by=replayed.roller.name)


def _maker(before: Game, text: GameText) -> Roller:
    """Return who has made a file that cannot be replayed, so that it is not known who should have."""
    if "gone" in text.document.tree:
        before = before._replace(host=None)  # it says that all have declared him gone, and then a player makes it
    return stated_roller(before, text.document.signature)


def _forged_first(text: GameText, roller: Roller, error: RefereeError) -> RefereeError:
    """Return what is wrong: a file whose signature fails was tampered with, whatever else it says.

    What nobody could have resolved is no error of the reader: the file is not what its evidence gives.
    """
    try:
        verified_from_roller(text.document, roller)
    except RefereeError as forged:
        return forged
    if isinstance(error, (IllegalOrders, UsageProblem)):
        found = [problem._replace(hint=_made_wrongly(roller)) for problem in error.problems]
        return ReplayDiffers(*found).within(text.file)
    return error.within(text.file)


def _compared(text: GameText, replayed: Replayed) -> GameFile:
    """Compare a file with the game that it should hold: text first, and trees where only the layout differs."""
    game, roller = replayed.game, replayed.roller
    tree = tree_of(game)
    data = canonical(tree)
    signature = text.signature_after(body_text(tree))
    if signature is not None:
        stated = Document(tree["format"], tree, signature, Source({}, "", text.file))
        verified_from_roller(stated, roller)
        return GameFile(game, digest(data), text.text, text.file)
    signed_file = verified_from_roller(text.document, roller)
    if signed_file.digest != digest(data):
        from referee.documents.differences import first_difference

        key, message = first_difference(text.document.tree, tree)
        raise ReplayDiffers(text.document.source.problem("replay-differs", message, key, _made_wrongly(roller)))
    return GameFile(game, signed_file.digest, text.text, text.file)


def _made_wrongly(roller: Roller) -> str:
    who = "the host" if roller.is_host else roller.name
    return f"{who} made this file with other rules, other orders or by hand: ask him, and keep both files"


class Entry(NamedTuple):
    """A game file that waits to be read; of a long game there are many, so no more of it is kept."""

    file: str
    turn: int


Load = Callable[[str], bytes]
"""From the name of a file to its bytes."""


def verify_row(entries: Sequence[Entry], load: Load) -> Iterator[Checked]:
    """Check the game files of one game in the order of their turns, one after the other.

    A row that does not begin with the first file begins with one whose own word is taken. If the last one reveals the
    secret, all are checked with it; if it says that the host is gone, with the missions that were opened then.
    """
    from referee.documents.afterwards import missions_opened_in

    revealed = revealed_by(entries[-1], load)
    opened_later = missions_opened_in(entries, load)
    before: GameFile | None = None
    for entry in entries:
        data = load(entry.file)
        if before is not None:
            if entry.turn != before.game.turn + 1:
                message = f"turn {before.game.turn + 1} is missing before it"
                raise BadSignature(Problem("gap", message, "turn", file=entry.file))
            checked = verify_next(before, data, entry.file, revealed, opened_later)
        elif entry.turn == 1:
            checked = verify_first(data, entry.file, revealed)
        else:
            file = open_game(data, board_by_name, entry.file)
            checked = Checked(file, {"signatures": 1}, (), is_trusted=True)
        before = checked.file
        yield checked


def revealed_by(last: Entry, load: Load) -> Revealed | None:
    """Return the secret that the last file of a row states, held against the commitment in that file."""
    data = load(last.file)
    if b"secret]" not in data and b"game_secret" not in data and b"\\u" not in data:
        return None
    file = open_game(data, board_by_name, last.file)
    secret = file.game.secret
    if secret is None:
        return None
    return Revealed(secret, last.file, file.game.state.capitals)
