"""An invitation as it is shown to whoever thinks of joining: what game it is, who hosts, by which rules.

As text in the language of reports, and as a tree for programs. It checks nothing: the invitation was read before.
"""

from typing import Any

from referee.documents.canonical import fingerprint
from referee.documents.invitation import Invitation
from referee.documents.modes import mode_of
from referee.views.language import Facts, Language
from referee.views.tale import NOTE
from referee.views.terms import TOLD, Terms, deviations, deviations_tree, edition_named, terms_of
from referee.views.text import wrapped


def invitation_shown(invited: Invitation, language: Language) -> list[str]:
    """Return the lines of an invitation; its fingerprint is left to the caller."""
    say, letters = language.say, language.letters
    edition, variant = edition_named(invited.edition, invited.variant, language)
    fewest, most = (len(invited.seats),) * 2 if invited.seats else invited.players
    settings = invited.settings
    lines = [say("title_invitation", game=invited.name)]
    lines += wrapped(letters(invited.title), NOTE, NOTE) if invited.title else []
    if invited.plays:
        facts: Facts = {"host": invited.opener, "player": invited.plays}
        lines += wrapped(say("edition_plays", edition=edition, variant=variant, **facts), "  ")
    elif invited.hosted:
        lines += wrapped(say("edition", edition=edition, variant=variant, host=invited.opener), "  ")
    else:
        lines += wrapped(say("edition_table", edition=edition, variant=variant, opener=invited.opener), "  ")
    between = say("players_between", fewest=fewest, most=most)
    lines += wrapped(say("players_just", n=most) if fewest == most else between, "  ")
    if invited.seats:
        lines += wrapped(say("seats_fixed", players=", ".join(invited.seats)), "  ", "    ")
    lines += wrapped(language.word("policies", settings.missed), "  ")
    if settings.missed_limit:
        lines += wrapped(say("missed_limit", n=settings.missed_limit), "  ")
    if settings.trusted_host:
        lines += wrapped(say("trusted_host", host=invited.opener, player=invited.plays), "  ")
    terms = terms_offered(invited)
    if terms.openly:
        lines += wrapped(say("hands_lie_open"), "  ")
    if invited.deadline:
        lines += wrapped(say("first_due", deadline=letters(invited.deadline)), "  ")
    if not deviations(terms):
        return lines
    from referee.documents.boards import board_by_name
    from referee.views.rulebook import deviations_shown
    from referee.views.voice import BoardVoice

    board = board_by_name(invited.board, invited.board_digest)
    return [*lines, *deviations_shown(terms, BoardVoice(board, language), TOLD)]


def terms_offered(invited: Invitation) -> Terms:
    """Return what the game is to be played by."""
    mode = mode_of(invited.hosted, bool(invited.plays), invited.settings.trusted_host)
    return terms_of(invited.edition, invited.variant, invited.rules, invited.settings, invited.players, mode)


def invitation_tree(invited: Invitation) -> dict[str, Any]:
    """Return an invitation as a tree for programs."""
    return {
        "game": invited.name,
        "nonce": invited.nonce,
        "digest": invited.signed.digest,
        "fingerprint": fingerprint(invited.signed.digest),
        "title": invited.title,
        "edition": invited.edition,
        "variant": invited.variant,
        "players": list(invited.players),
        "seats": list(invited.seats),
        "deadline": invited.deadline,
        ("host" if invited.hosted else "opener"): {
            "name": invited.opener,
            "key": invited.key,
            **({"plays": invited.plays} if invited.plays else {}),
        },
        "deviations": deviations_tree(terms_offered(invited)),
    }
