"""The careful start (DESIGN section 5): the opener signs a roster of the joins, and all players reveal a link.

    invitation, joins -> `roster_tree` -> roster -> `start_reveal_tree` of each player -> `careful_start`

So nobody could have chosen the seats or the deal: whoever joined last did not know the links of the others, and no link
is revealed before it is settled who plays. If there is a host, he adds his own first link when he makes the first game
file.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.documents.base64 import decode, encode
from referee.documents.canonical import digest_of
from referee.documents.chains import link, step
from referee.documents.intake import REVEAL, SHAPES, SIZES, Collector
from referee.documents.invitation import Invitation, Join
from referee.documents.keys import Key
from referee.documents.kinds import version_hint, why_not_shaped
from referee.documents.signing import Document, Signed, refuse_other_signer, verified, verified_by
from referee.errors import BadSignature, IllegalOrders, Problem, RefereeError, UnreadableDocument, raise_all
from referee.game.trees import nearest_hint

ROSTER = "referee/roster/1"
_ROSTER: Mapping[str, type] = {"game": str, "nonce": str, "invitation": str, "joins": list}
_SIZES = {"nonce": 16, "invitation": 32}


def roster_tree(invitation: Invitation, joins: Sequence[Join]) -> dict[str, Any]:
    """Return the roster for the opener to sign: who plays, each with the digest of his join, in ASCII order of ids."""
    return {
        "format": ROSTER,
        "game": invitation.name,
        "nonce": invitation.nonce,
        "invitation": invitation.signed.digest,
        "joins": [[join.player, join.signed.digest] for join in _by_id(joins)],
    }


def _by_id(joins: Sequence[Join]) -> list[Join]:
    return sorted(joins, key=lambda join: join.player)


def start_reveal_tree(roster: Document, player: str, salt: bytes, key: Key) -> dict[str, Any]:
    """Return a player's reveal for the start, to be signed: his first link, bound to the roster.

    `salt` is that of his join. The roster must have been looked into by `roster_rows`.
    """
    return {
        "format": REVEAL,
        "game": roster.tree["game"],
        "nonce": roster.tree["nonce"],
        "turn": 0,
        "state": digest_of(roster.tree),
        "orders": [digest for _, digest in roster_rows(roster)],
        "player": player,
        "reveal": encode(link(key, decode(roster.tree["nonce"]), salt, 1)),
    }


def roster_rows(roster: Document) -> list[tuple[str, str]]:
    """Return the players of a roster and the digests of their joins; UnreadableDocument if it is none."""
    raise_all(UnreadableDocument, why_not_shaped(roster, _ROSTER, sizes=_SIZES))
    rows = roster.tree["joins"]
    if not all(isinstance(row, list) and [type(part) for part in row] == [str, str] for row in rows):
        raise UnreadableDocument(roster.source.problem("no-roster", "must be a list of player and digest", "joins"))
    return [(player, digest) for player, digest in rows]


def careful_start(
    invitation: Invitation, joins: Sequence[Join], papers: Sequence[Document]
) -> tuple[tuple[Signed, ...], tuple[tuple[str, str], ...]]:
    """Check the roster and all reveals; return them as evidence, and each player's first link in ASCII order of ids."""
    rosters = [one for one in papers if one.format == ROSTER]
    if len(rosters) != 1:
        hint = "`referee start` with invitation and joins alone writes the roster"
        raise IllegalOrders(Problem("no-roster", f"{len(rosters)} rosters are here, and there must be one", hint=hint))
    roster = _checked_roster(invitation, joins, rosters[0])
    errors = Collector()
    found: dict[str, Signed] = {}
    joined = {join.player: join for join in joins}
    for one in papers:
        if one is rosters[0]:
            continue
        try:
            reveal = _checked_reveal(invitation, joined, roster, one)
            other = found.setdefault(reveal.by, reveal)
            found[reveal.by] = min(other, reveal, key=lambda signed: signed.signature)
        except RefereeError as error:
            errors.note(error)
    missing = [player for player in sorted(joined) if player not in found]
    if missing and not errors.errors:
        hint = "each makes one with `referee reveal` from the roster"
        problem = Problem("reveal-missing", f"the reveals of {', '.join(missing)} are needed", hint=hint)
        errors.note(BadSignature(problem))
    errors.done()
    reveals = [found[player] for player in sorted(found)]
    return (roster, *reveals), tuple((reveal.by, str(reveal.tree["reveal"])) for reveal in reveals)


def _checked_roster(invitation: Invitation, joins: Sequence[Join], document: Document) -> Signed:
    rows, source = roster_rows(document), document.source
    roster = verified_by(document, invitation.opener, invitation.key, invitation.title_of_opener)
    if document.tree["invitation"] != invitation.signed.digest:
        raise IllegalOrders(source.problem("other-invitation", "is for another invitation", "invitation"))
    head = (document.tree["game"], document.tree["nonce"])
    if head != (invitation.name, invitation.nonce):
        raise IllegalOrders(source.problem("other-game", f'is for another game than this "{invitation.name}"', "game"))
    if rows != [(join.player, join.signed.digest) for join in _by_id(joins)]:
        message = "names other joins than are here, or in another order"
        hint = "a roster stands once it is sent: give exactly the joins that it names"
        raise IllegalOrders(source.problem("other-joins", message, "joins", hint))
    return roster


def _checked_reveal(invitation: Invitation, joined: Mapping[str, Join], roster: Signed, document: Document) -> Signed:
    source, tree = document.source, document.tree
    if document.format != REVEAL:
        message = f'"{document.format}" is nothing to start with'
        hint = version_hint(document.format, REVEAL) or version_hint(document.format, ROSTER)
        raise UnreadableDocument(source.problem("other-document", message, "format", hint))
    raise_all(UnreadableDocument, why_not_shaped(document, SHAPES[REVEAL], sizes=SIZES))
    player = tree["player"]
    if player not in joined:
        message = f'"{player}" is no player of this game'
        raise IllegalOrders(source.problem("unknown-player", message, "player", nearest_hint(player, joined)))
    refuse_other_signer(document, player, f'but speaks for "{player}"')
    reveal = verified(document, joined[player].key)
    if (tree["game"], tree["nonce"], tree["turn"]) != (invitation.name, invitation.nonce, 0):
        message = f'is not for the start of this game "{invitation.name}"'
        raise IllegalOrders(source.problem("other-game", message, "game"))
    if tree["state"] != roster.digest or tree["orders"] != [digest for _, digest in roster.tree["joins"]]:
        raise BadSignature(source.problem("other-roster", "is bound to another roster than is here", "state"))
    if encode(step(decode(tree["reveal"]))) != joined[player].anchor:
        message = f'does not hash to the anchor of "{player}"'
        raise BadSignature(source.problem("other-chain", message, "reveal"))
    if tree["reveal"] in [*(join.anchor for join in joined.values()), invitation.anchor]:
        raise BadSignature(source.problem("value-seen", "has occurred in this game before", "reveal"))
    return reveal
