"""What is looked at before something is given away that cannot be taken back: a link of one's own, or a secret.

Whoever has a link knows the dice that it decides; whoever has written his own key into a game file reads what is sealed
to the host of it. So nobody is brought to reveal or seal for a game file that somebody has made up, or for two game
files of one turn, or to reveal a second time for something else. Only what lies in the folder can be looked at.
DESIGN section 5.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from referee.cli.files import name_of, read_bytes, say
from referee.cli.folders import document_files, game_files_of, game_heads
from referee.documents.boards import board_by_name
from referee.documents.gamefile import MAX_GAME_BYTES, GameFile, open_game
from referee.documents.signing import Document, read_each
from referee.documents.verify import verify_first, verify_next
from referee.errors import BadSignature, CannotWrite, Problem, RefereeError
from referee.game.orders import PlayerId


def refuse_unfounded(file: GameFile, path: Path, quiet: bool = True) -> None:
    """Raise if a game file does not follow from the one before it, or is not the only one of its turn, that lies there.

    Raises BadSignature, or what `verify_next` raises. Without the file before it nothing can be known, and if not
    `quiet` that is said. If several of the turn before lie there, the one that it follows is looked at in the same way.
    """
    if str(path) == "-":
        return
    game, folder = file.game, path.parent
    before = _all_of(folder, game.name, game.nonce, game.turn - 1) if game.turn > 1 else []
    fitting = [one for one in before if one.digest == game.previous]
    if before and not fitting:
        message = f"does not follow from {before[0].file}, which lies beside it"
        hint = "`referee verify` says more; do not answer it"
        raise BadSignature(Problem("other-predecessor", message, "previous", hint, file.file))
    if len({one.digest for one in before}) > 1:
        refuse_unfounded(fitting[0], Path(fitting[0].file))
    data = read_bytes(path)
    if game.turn == 1:
        verify_first(data, file.file)
    elif fitting:
        verify_next(fitting[0], data, file.file)
    else:
        say(f"not checked: the file before {file.file} is not beside it, so it may be made up", quiet)
    for other in _all_of(folder, game.name, game.nonce, game.turn):
        if other.digest != file.digest and (not fitting or _follows(fitting[0], other)):
            message = f"{other.file} and {file.file} are two different files of turn {game.turn}"
            hint = "answer neither; `referee verify` says what they prove, and of whom; keep both"
            raise BadSignature(Problem("fork", message, file=file.file, hint=hint))


def _follows(before: GameFile, other: GameFile) -> bool:
    try:
        verify_next(before, other.text.encode(), other.file)
    except RefereeError:
        return False
    return True


def _all_of(folder: Path, game: str, nonce: str, turn: int) -> list[GameFile]:
    """Return the game files of one turn in a folder that can be read."""
    found = []
    for path in game_files_of(folder, game, turn):
        try:
            one = open_game(read_bytes(path), board_by_name, name_of(path))
        except RefereeError:
            continue
        if one.game.nonce == nonce:
            found.append(one)
    return found


def refuse_published(
    value: str, folders: Iterable[Path], own: Iterable[bytes], kind: str, at_start: bool = False
) -> None:
    """Raise CannotWrite if a link that is about to be made known stands in a file already that says something else.

    `own` are the files in which it should stand; `kind` says what is about to be made, `at_start` that it is for a
    roster. Only what lies in these folders can tell: of a file that was moved away or deleted nothing is known, but
    for what `warn_of_passed_over` finds.
    """
    known = set(own)
    here = {os.path.realpath(folder): folder for folder in folders if os.path.isdir(folder)}.values()
    for path in (path for folder in here for path in document_files(folder)):
        data = read_bytes(path)
        if value.encode() not in b"".join(data.split()) or data in known or not _reveals(data, path, value):
            continue
        message = f"has your next link already, so that whoever has it knows the dice of this {kind}"
        way = "join again, with another chain" if at_start else "go on with another key (`referee act key`)"
        hint = f"{way}; or, if all agree that this file does not count, move it away"
        raise CannotWrite(Problem("second-reveal", message, hint=hint, file=str(path)))


def warn_of_passed_over(file: GameFile, who: str, folder: Path, quiet: bool) -> None:
    """Say that somebody was passed over since he last spent a link, so that who has shown it then shows it no more.

    Whether he has, no file tells: in the one that passes him over his link does not stand.
    """
    game, people = file.game, file.game.people
    chain = people[PlayerId(who)].chain
    heads = [head for head in game_heads(folder) if (head.game, head.nonce) == (game.name, game.nonce)]
    for head in sorted((one for one in heads if one.turn <= game.turn), key=lambda one: -one.turn):
        data = read_bytes(head.path)
        if chain.encode() not in data:
            return  # from here on back the link was another one
        if b"roll_passed_over" not in data or not _passes_over(data, head.path, who):
            continue
        message = f"{head.path.name} says that you were passed over in turn {head.turn - 1}"
        then = "if you had shown your link for it, others know it: send nothing, and take another key"
        say(f"{message}; {then} (`referee act key`)", quiet)
        return


def _passes_over(data: bytes, path: Path, who: str) -> bool:
    try:
        documents = read_each(data, name_of(path), MAX_GAME_BYTES)
    except RefereeError:
        return False
    wanted = ("roll_passed_over", who)
    lists = [events for one in documents if isinstance(events := one.tree.get("events"), list)]
    events = [event for found in lists for event in found if isinstance(event, dict)]
    return any((event.get("kind"), event.get("player")) == wanted for event in events)


def _reveals(data: bytes, path: Path, value: str) -> bool:
    """Say whether a link is revealed in a file: by itself, or in the evidence of a game file."""
    try:
        documents = read_each(data, name_of(path), 1 << 24)
    except RefereeError:
        return False
    return any(_says(one, value) for one in documents)


def _says(one: Document, value: str) -> bool:
    if one.tree.get("reveal") == value:
        return True
    evidence = one.tree.get("evidence")
    rows = evidence.get("reveals") if isinstance(evidence, dict) else None
    return isinstance(rows, list) and any(isinstance(row, list) and value in row for row in rows)


def check_roster(roster: Document, join: Document, beside: Iterable[Path]) -> bool:
    """Check that a roster is for the invitation that one has answered, and signed by who opens the game.

    Return whether that invitation was among the files; without it the signature cannot be checked. Raises BadSignature.
    """
    from referee.documents.canonical import digest_of
    from referee.documents.invitation import INVITATION, read_invitation
    from referee.documents.signing import read, verified_by

    source = roster.source
    if roster.tree.get("invitation") != join.tree.get("invitation"):
        message = "is for another invitation than your join"
        raise BadSignature(source.problem("other-invitation", message, "invitation"))
    for path in beside:
        try:
            document = read(read_bytes(path), name_of(path))
            if document.format != INVITATION or digest_of(document.tree) != join.tree["invitation"]:
                continue
            invitation = read_invitation(document)
        except RefereeError:
            continue
        verified_by(roster, invitation.opener, invitation.key, invitation.title_of_opener)
        return True
    return False
