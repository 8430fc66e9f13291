"""Who has run a game, and from which turn on: where that was not always the same one."""

from referee.documents.gamefile import Game
from referee.game.records import NamedTuple


class Term(NamedTuple):
    """A host, and the first turn that he resolves."""

    host: str
    since: int


def terms_of_office(game: Game) -> tuple[Term, ...]:
    """Return the hosts of a game in their order; none of a game that has none."""
    former = tuple(Term(one.name, one.since) for one in game.former_hosts)
    return former if game.host is None else (*former, Term(game.host.name, game.host.since))


def hosted_by(game: Game) -> list[str]:
    """Say who was the host when; nothing if that was the same one all the time."""
    terms = terms_of_office(game)
    gone = [] if game.gone is None else [f"nobody from turn {game.gone.since}"]
    if len(terms) + len(gone) < 2:
        return []
    first = terms[1].since if len(terms) > 1 else game.gone.since if game.gone is not None else 0
    return [f"{terms[0].host} to turn {first - 1}", *(f"{one.host} from turn {one.since}" for one in terms[1:]), *gone]
