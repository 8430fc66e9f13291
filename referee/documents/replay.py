"""What a game file must hold, computed anew from its predecessor and the evidence in it (DESIGN section 7).

A file is never believed: of what it states only that is taken which is hidden and cannot be computed yet, and is
listed. When a game is over and its secret known, everything is recomputed as the host did. Whether a file says the
same is asked in `verify`; `record` makes files again that are not there any more.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.documents.acts import OF_THE_HOST, Acts, as_answered, take_acts
from referee.documents.base64 import Base64Error, decode, encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import boxes, open_knowledge, revealed_seal_keys
from referee.documents.chains import step
from referee.documents.gamefile import Evidence, Game, GameFile, Opening, Secret, Unsealed
from referee.documents.intake import Intake, stays_sealed, take_in, unsealed_problem
from referee.documents.invitation import INVITATION, JOIN, Invitation, Join, check_joins, read_invitation, read_join
from referee.documents.knowledge import HostKnowledge
from referee.documents.openings import Openings, Stated
from referee.documents.required import check_alone
from referee.documents.resolve import Knows, advance, full_knowledge, without_host
from referee.documents.reveals import check_reveals, needs_reveals_of, order_digests, refuse_substitutes, spends_a_link
from referee.documents.rolling import Roller, refuse_beyond, refuse_seen, roller_of
from referee.documents.roster import careful_start
from referee.documents.sealing import sealed_commitment
from referee.documents.signing import Document, Signed, document
from referee.documents.start import HiddenStart, first_game, is_careful, known_start, opener_of, with_the_host
from referee.documents.text import Source
from referee.errors import BadSignature, Problem, ReplayDiffers, UnreadableDocument
from referee.game.board import Board
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple


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
