"""Who has run a game, and from which turn on: where that was not always the same one."""

from referee.documents.gamefile import Game
from referee.game.records import NamedTuple


class Term(NamedTuple):
    """A host, and the first turn that he resolves."""

    host: str
    since: int


def terms_of_office(game: Game) -> tuple[Term, ...]:
    """Return the hosts of a game in their order; none of a game that has none."""
    if game.host is None:
        return ()
    former = tuple(Term(one.name, one.since) for one in game.host.former)
    return (*former, Term(game.host.name, game.host.since))


def hosted_by(game: Game) -> list[str]:
    """Say who was the host when; nothing if the game was not handed over."""
    terms = terms_of_office(game)
    return [
        f"{one.host} {f'from turn {one.since}' if number else f'to turn {terms[1].since - 1}'}"
        for number, one in enumerate(terms)
        if len(terms) > 1
    ]
