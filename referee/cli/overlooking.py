"""What lies beside a turn and was not handed in: the host is kept from making proof against himself by mistake.

A player's own later orders, orders of one who is called missed, and the host's receipts: played otherwise, the turn
would be proof against the host for whoever has these files. Standing orders, a resignation, and votes for a draw if all
are there: once the turn is played without them it stands, and their players must send them again. What cannot be read,
is not genuine or not legal has not come.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from referee.cli.files import name_of
from referee.documents.canonical import digest_of
from referee.documents.gamefile import GameFile
from referee.documents.intake import ACT, DRAW, ORDERS, RESIGN, STANDING, verified_from
from referee.documents.rolling import roller_of
from referee.documents.signing import Document, read_each
from referee.errors import IllegalOrders, Problem, RefereeError, raise_all
from referee.game.absence import who_must_miss

_LATER = {
    STANDING: 'a file of standing orders of "{player}" lies here',
    RESIGN: 'the resignation of "{player}" lies here',
    DRAW: 'the vote of "{player}" for a draw lies here, and now all have voted',
}
"""What takes effect after the turn with which it is handed in."""


def refuse_to_overlook(
    lying: Iterable[tuple[Path, bytes]], handed: Sequence[Document], before: GameFile, missed: Sequence[str]
) -> None:
    """Raise `IllegalOrders` if a file that lies there says that this turn must be played otherwise.

    `lying` are files that name this game file. Who is not awaited, misses the turn in any case, or is no player at all,
    is not looked for: `resolve` refuses to call him missed.
    """
    counting = _counting(handed, before)
    over = [str(one.tree["player"]) for one in handed if one.format == ACT and one.tree.get("act") == "passed_over"]
    raise_all(
        IllegalOrders,
        [problem for path, data in lying for problem in _said_by(path, data, counting, before, missed, over)],
    )


def refuse_to_leave_out(
    lying: Iterable[tuple[Path, bytes]], handed: Sequence[Document], before: GameFile, seated: Sequence[str]
) -> None:
    """Raise `IllegalOrders` if something lies there that would take effect after the turn and was not handed in.

    Whatever was sent by those who sat where others are `seated` now is void.
    """
    known = {digest_of(one.tree) for one in handed}
    found = [
        (path, one)
        for path, data in lying
        for one in _documents(path, data)
        if one.format in _LATER and digest_of(one.tree) not in known and one.tree.get("player") not in seated
    ]
    newest = [*handed, *(one for _, one in found)]
    voting = {one.tree.get("player") for one in newest if one.format == DRAW}
    left = [
        (path, one)
        for path, one in found
        if (one.format != DRAW or voting >= {*before.game.state.playing()}) and _may_take_effect(one, newest, before)
    ]
    raise_all(IllegalOrders, [_left_out(path, one) for path, one in left])


def _documents(path: Path, data: bytes) -> list[Document]:
    """Return what a file holds; nothing if it cannot be read."""
    try:
        return read_each(data, name_of(path))
    except RefereeError:
        return []


def _may_take_effect(document: Document, others: Sequence[Document], before: GameFile) -> bool:
    """Say whether a document is signed and legal, and no later one of its player and kind takes its place."""
    from referee.documents.checking import look

    tree = document.tree
    same = [
        one.tree for one in others if one.format == document.format and one.tree.get("player") == tree.get("player")
    ]
    numbers = [one["sequence"] for one in same if type(one.get("sequence")) is int]
    if document.signature is None or tree.get("sequence", 0) != max(numbers, default=0):
        return False
    try:
        look(document, before)
    except RefereeError:
        return False
    return True


def _left_out(path: Path, document: Document) -> Problem:
    hint = f"hand it in; if it is not to count, move the file away: {path}"
    message = _LATER[document.format].format(player=document.tree["player"])
    return Problem("left-out", message, "", hint)


def _counting(handed: Sequence[Document], before: GameFile) -> dict[str, tuple[int, str]]:
    """Return by player the sequence and the digest of the orders that would count."""
    found: dict[str, tuple[int, str]] = {}
    for document in handed:
        tree = document.tree
        player, sequence = tree.get("player"), tree.get("sequence")
        if document.format != ORDERS or tree.get("state") != before.digest or type(sequence) is not int:
            continue
        if isinstance(player, str) and sequence >= found.get(player, (0, ""))[0]:
            found[player] = sequence, digest_of(tree)
    return found


def _said_by(
    path: Path,
    data: bytes,
    counting: dict[str, tuple[int, str]],
    before: GameFile,
    missed: Sequence[str],
    over: Sequence[str],
) -> Iterator[Problem]:
    awaited = [one for one in before.game.state.acting if one not in who_must_miss(before.game.state)]
    for document in _documents(path, data):
        player = document.tree.get("player")
        if document.tree.get("state") != before.digest or player not in awaited:
            continue
        if player not in missed and player not in counting:
            continue  # that her orders are missing is said when it is played
        sequence, digest = (0, "") if player in missed else counting[player]
        try:
            found = _claim_of(document, before, over)
        except RefereeError:
            continue
        if found is None or found[0] < sequence or found[1] == digest:
            continue
        yield _refusal(document, path, found[0], sequence)


def _claim_of(document: Document, before: GameFile, over: Sequence[str]) -> tuple[int, str] | None:
    """Return the sequence and the digest of the orders that a genuine document is, or is a receipt for.

    A receipt binds who gave it: nobody else's counts for who makes the file, when those in `over` are passed over.
    """
    if document.format == ORDERS:
        signed = verified_from(document, before)
        sequence = signed.tree.get("sequence")
        return (sequence, signed.digest) if type(sequence) is int else None
    if document.format == "referee/receipt/1":
        from referee.documents.receipts import read_receipt, signed_by_roller

        receipt = read_receipt(document)
        if signed_by_roller(receipt, before.game).name != roller_of(before.game, over).name:
            return None
        return receipt.sequence, receipt.orders
    return None


def _refusal(document: Document, path: Path, sequence: int, played: int) -> Problem:
    """Return why a turn is not played; `played` is the sequence of the orders handed in, 0 if none were."""
    player = document.tree["player"]
    if document.format != ORDERS:
        what = "orders of this turn" if not played else "other orders of this turn"
        message = f'you have given "{player}" a receipt for {what}, with sequence {sequence}'
        hint = f"hand in what it is for: {path} and a turn played otherwise are proof against you"
        return Problem("receipt-given", message, "" if played else "--missed", hint)
    hint = f"hand them in; if they are not to count, move the file away: {path}"
    if not played:
        return Problem("not-missed", f'signed orders of "{player}" for this turn lie here', "--missed", hint)
    which = f"with the higher sequence {sequence}" if sequence > played else f"with the same sequence {sequence}"
    return Problem("later-orders", f'other signed orders of "{player}", {which}, lie here', "", hint)
