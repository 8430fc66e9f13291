"""Checking game files by replay (DESIGN section 7): signatures, links, reveals, commitments, every event and number.

A file is never believed. From its predecessor and the evidence it holds the next game is computed anew and compared
with the file, text against text; only where the texts differ is the file read, to say whether it was forged or made
wrongly. Another layout is no difference: signatures are over the meaning (DESIGN section 3), so that mail may wrap a
file and another program may write its tables in another order. What is still sealed cannot be checked before the secret
is revealed, and is listed. When a game is over and its secret known, everything is recomputed as the host did.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.documents.acts import OF_THE_HOST, Acts, as_answered, take_acts
from referee.documents.base64 import Base64Error, decode, encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import boxes, open_knowledge, revealed_seal_keys
from referee.documents.canonical import canonical, digest
from referee.documents.chains import step
from referee.documents.gamefile import (
    Evidence,
    Game,
    GameFile,
    Opening,
    Secret,
    Unsealed,
    body_text,
    open_game,
    tree_of,
    verified_from_roller,
)
from referee.documents.intake import Intake, stays_sealed, take_in, unsealed_problem
from referee.documents.invitation import (
    INVITATION,
    JOIN,
    Invitation,
    Join,
    check_joins,
    read_invitation,
    read_join,
)
from referee.documents.knowledge import HostKnowledge
from referee.documents.openings import GameText, Openings, Stated, evidence_of
from referee.documents.required import check_alone
from referee.documents.resolve import Knows, advance, full_knowledge, without_host
from referee.documents.reveals import (
    check_reveals,
    needs_reveals_of,
    order_digests,
    refuse_substitutes,
    spends_a_link,
)
from referee.documents.rolling import Roller, refuse_beyond, refuse_seen, roller_of, stated_roller
from referee.documents.roster import careful_start
from referee.documents.sealing import sealed_commitment
from referee.documents.signing import Document, Signed, document
from referee.documents.start import HiddenStart, first_game, is_careful, known_start, opener_of, with_the_host
from referee.documents.text import Source
from referee.errors import (
    BadSignature,
    IllegalOrders,
    Problem,
    RefereeError,
    ReplayDiffers,
    UnreadableDocument,
    UsageProblem,
)
from referee.game.board import Board
from referee.game.orders import PlayerId
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


class Replayed(NamedTuple):
    """What a game file must hold, computed from its predecessor and its evidence, and who must have made it."""

    game: Game
    counts: Mapping[str, int]
    sealed: tuple[str, ...]
    roller: Roller


class Revealed(NamedTuple):
    """The secret of a finished game as its last file states it, checked against the host's commitment.

    The capitals are not: each is checked where it is laid open.
    """

    secret: Secret
    file: str
    capitals: Mapping[PlayerId, str] = {}


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


def replay_next(
    before: GameFile,
    text: Stated,
    evidence: Evidence,
    revealed: Revealed | None,
    opened_later: Mapping[str, Opening] = {},
) -> Replayed:
    """Compute the game that follows from `before`, the evidence and what is stated of things hidden."""
    openings = Openings(text, before.game, evidence, revealed.capitals if revealed else {}, opened_later)
    knows = _knows(before.game, openings, revealed)
    given = [_inner(tree, text, number) for number, tree in enumerate(evidence.documents, start=1)]
    acts = take_acts([one for one in given if one.format in OF_THE_HOST], before)
    if acts.gone is not None:
        return _without_host(before, acts, given, evidence, text.file)
    here = as_answered(before, acts.substitutes)
    intake = _taken_in([one for one in given if one.format not in OF_THE_HOST], here, acts, evidence, openings)
    reveals = _check_reveals(here, evidence, intake, acts, text.file)
    game = advance(here, intake, reveals, acts, knows)
    counts = {
        "signatures": 1 + len(evidence.documents),
        "reveals": len(reveals),
        "openings": len(evidence.openings),
        "rolls": sum(type(event).__name__ == "BattleFought" for event in game.events),
        "events": len(game.events),
    }
    return Replayed(game, counts, tuple(openings.sealed), roller_of(before.game, acts.passed_over))


def _without_host(before: GameFile, acts: Acts, given: Sequence[Document], evidence: Evidence, file: str) -> Replayed:
    """Compute the game that goes on without its host; what nobody has opened is never checked."""
    assert acts.gone is not None
    check_alone(given)
    roller = roller_of(before.game, gone=True)
    reveal = dict(evidence.reveals).get(roller.name, "")
    _check_link(reveal, roller.chain, roller.name, file)
    refuse_seen(before.game, roller.name, reveal)
    if evidence.reveals != ((roller.name, reveal),):
        message = "are not the reveals that this file needs"
        raise ReplayDiffers(Problem("other-reveals", message, "evidence.reveals", file=file))
    game = without_host(before, acts, reveal)
    opened = sum(len(act.tree["openings"]) for act in acts.documents if act.tree["act"] == "open_hand")
    counts = {"signatures": 1 + len(acts.documents), "reveals": 1, "openings": opened, "events": len(game.events)}
    on_word = tuple(f'capital of "{player}"' for player in acts.gone.on_their_word)
    return Replayed(game, counts, on_word, roller)


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


def invitation_in(evidence: Evidence, text: Stated) -> Invitation:
    """Return the invitation that a first game file holds."""
    first = _inner(evidence.documents[0], text, 1) if evidence.documents else None
    if first is None or first.format != INVITATION:
        problem = Problem("no-invitation", "does not hold its invitation", "evidence", file=text.file)
        raise UnreadableDocument(problem)
    return read_invitation(first)


def replay_first(invitation: Invitation, text: Stated, evidence: Evidence, revealed: Revealed | None) -> Replayed:
    """Compute the first game from the invitation, the joins and what is stated of things hidden."""
    documents = [_inner(tree, text, number) for number, tree in enumerate(evidence.documents, start=1)][1:]
    board = board_by_name(invitation.board, invitation.board_digest)
    joins = [read_join(one, invitation, board) for one in documents if one.format == JOIN]
    check_joins(invitation, joins)
    openings = Openings(text, None, evidence)
    papers, reveals = _first_reveals(
        invitation, joins, [one for one in documents if one.format != JOIN], evidence, text
    )

    def hidden(seed: bytes) -> HiddenStart:
        if revealed is None:
            return HiddenStart(openings.own_colours, openings.mission_commitments)
        return known_start(HostKnowledge(decode(revealed.secret.game_secret), seed, board))

    game = first_game(invitation, joins, reveals, board, hidden, papers)
    if not invitation.openly:
        game = game._replace(sealed=_first_boxes(game, openings, revealed, board))
    counts = {"signatures": 2 + len(documents), "reveals": len(reveals), "events": len(game.events)}
    return Replayed(game, counts, tuple(openings.sealed), opener_of(invitation))


def _first_reveals(
    invitation: Invitation, joins: Sequence[Join], others: Sequence[Document], evidence: Evidence, text: Stated
) -> tuple[tuple[Signed, ...], tuple[tuple[str, str], ...]]:
    """Check the first links: the host's, and those of all players after a careful start, with the papers for them."""
    papers: tuple[Signed, ...] = ()
    reveals: tuple[tuple[str, str], ...] = ()
    if is_careful(invitation):
        papers, reveals = careful_start(invitation, joins, others)
    if invitation.hosted:
        reveal = dict(evidence.reveals).get(invitation.opener, "")
        _check_link(reveal, invitation.anchor, invitation.opener, text.file)
        reveals = with_the_host(reveals, invitation, joins, reveal)
    if is_careful(invitation) and reveals != evidence.reveals:
        message = "are not the reveals that this file needs"
        raise ReplayDiffers(Problem("other-reveals", message, "evidence.reveals", file=text.file))
    return papers, reveals


def _first_boxes(game: Game, openings: Openings, revealed: Revealed | None, board: Board) -> Mapping[PlayerId, str]:
    if revealed is None:
        return openings.boxes(game)
    knowledge = HostKnowledge(decode(revealed.secret.game_secret), decode(game.start_seed), board)
    return boxes(game, knowledge, revealed_seal_keys(revealed.secret, revealed.file))


def _knows(game: Game, openings: Openings, revealed: Revealed | None) -> Knows:
    """Return what is known: everything once the secret is revealed or if there is none, else what is open."""
    if game.state.openly:
        return full_knowledge(open_knowledge(game), _no_seal_key, lambda _: None)
    if revealed is None:
        return openings.knows()
    secret = decode(revealed.secret.game_secret)
    knowledge = HostKnowledge(secret, decode(game.start_seed), game.state.board, openings.capitals)
    return full_knowledge(knowledge, revealed_seal_keys(revealed.secret, revealed.file), lambda _: revealed.secret)


def _no_seal_key(game: Game, player: PlayerId) -> bytes:
    raise AssertionError("nothing is sealed in a game without a host")


def _inner(tree: Any, text: Stated, number: int) -> Document:
    """Return a document of the evidence as if it had come by itself."""
    name = f"{text.file}: evidence.documents[{number}]"
    if not isinstance(tree, dict):
        raise UnreadableDocument(Problem("no-document", "is no document", file=name))
    return document(dict(tree), Source(dict(tree), "", name))


def _taken_in(
    given: Sequence[Document], before: GameFile, acts: Acts, evidence: Evidence, openings: Openings
) -> Intake:
    """Take the players' documents of the evidence in as the host did."""
    unsealed = {u.player: u for u in evidence.unsealed}

    def open_sealed(one: Document) -> Unsealed | None:
        if before.game.state.openly:
            return None
        if stays_sealed(before.game.state):
            return _left_sealed(one, openings)
        opened = unsealed.get(one.tree["player"])
        sealed = one.tree["sealed"]
        if opened is None or not isinstance(sealed, dict):
            raise unsealed_problem(one)
        try:
            salt = decode(opened.salt, 16)
        except Base64Error:
            raise unsealed_problem(one) from None
        if encode(sealed_commitment(salt, opened.content)) != sealed.get("commitment"):
            raise unsealed_problem(one)
        return opened

    return take_in(given, before, open_sealed, [one.player for one in acts.substitutes])


def _left_sealed(one: Document, openings: Openings) -> Unsealed | None:
    """Return what is known of a choice that is not opened yet: nothing, or in a finished game the capital."""
    from referee.documents.capitals import check_sealed

    check_sealed(one)
    player = PlayerId(one.tree["player"])
    known = openings.capitals.known if openings.capitals else {}
    if player in known:
        return Unsealed(player, "", {"capital": known[player]})
    openings.note(f'capital of "{player}"')
    return None


def _check_link(reveal: str, head: str, who: str, file: str) -> None:
    try:
        fits = encode(step(decode(reveal, 32))) == head
    except Base64Error:
        fits = False
    if not fits:
        message = f'the reveal of "{who}" does not hash to the head of the chain'
        raise BadSignature(Problem("wrong-reveal", message, "evidence.reveals", file=file))


def _check_reveals(
    before: GameFile, evidence: Evidence, intake: Intake, acts: Acts, file: str
) -> tuple[tuple[str, str], ...]:
    """Check that exactly the reveals that this file needs are there, and that each is the next link."""
    needed = needs_reveals_of(before, acts.missed, intake.leaving(), acts.passed_over)
    refuse_substitutes(needed, before, acts)
    if not spends_a_link(before, acts.missed, intake.leaving()):
        if evidence.reveals or intake.reveals:
            raise ReplayDiffers(Problem("no-reveal-needed", "needs no reveal", "evidence.reveals", file=file))
        return ()
    roller = roller_of(before.game, acts.passed_over)
    refuse_beyond(roller.links, roller.whose)
    _check_link(dict(evidence.reveals).get(roller.name, ""), roller.chain, roller.name, file)
    refuse_seen(before.game, roller.name, dict(evidence.reveals)[roller.name])
    players = check_reveals(before, intake.reveals, needed, order_digests(before, intake))
    wanted = tuple(sorted((*players, (roller.name, dict(evidence.reveals)[roller.name]))))
    if wanted != evidence.reveals:
        message = "are not the reveals that this file needs"
        raise ReplayDiffers(Problem("other-reveals", message, "evidence.reveals", file=file))
    return wanted


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


def forks(entries: Sequence[Entry], load: Load) -> list[Problem]:
    """Return a problem for every two files of one turn that say different things (`documents.forks`)."""
    from referee.documents.forks import find_forks

    return [fork.as_problem() for fork in find_forks(entries, load)]
