"""Who makes the next game file: whose link is spent and whose signature it bears (DESIGN section 5, "Who rolls").

In a hosted game that is the host. In a table game it is the next living player after the one whose orders are awaited;
where all are awaited at once, the opener while he plays, else the first living seat. Who should roll and does not may
be passed over: then it is the next living player after him. Nobody rolls for his own orders.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from referee.documents.base64 import decode, encode
from referee.documents.chains import LENGTH, link, passed, step
from referee.errors import BadSignature, IllegalOrders, Problem
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple
from referee.game.state import State

if TYPE_CHECKING:
    from referee.documents.gamefile import Former, Game
    from referee.documents.keys import Key
    from referee.documents.signing import Signature


class Roller(NamedTuple):
    """Who makes a game file; `chain` is the head of his chain after `links` reveals, `salt` that of a player's join."""

    name: str
    key: str
    chain: str
    links: int
    salt: str = ""

    @property
    def is_host(self) -> bool:
        """Say whether it is the host, whose chain has no salt."""
        return not self.salt

    @property
    def title(self) -> str:
        """Return how he is called in messages."""
        return f'the host "{self.name}"' if self.is_host else f'"{self.name}"'

    @property
    def whose(self) -> str:
        """Return how what is his is called in messages."""
        return "the host's" if self.is_host else f'"{self.name}"\'s'


def roller_of(game: "Game", passed_over: Collection[str] = (), gone: bool = False) -> Roller:
    """Return who makes the game file after this one; IllegalOrders if everybody who could is passed over.

    `gone` says that all declare the host gone in it: then a player makes it as in a table game.
    """
    host = game.host
    if host is not None and not gone:
        return Roller(host.name, host.key, host.chain, host.links)
    if host is not None:
        passed_over = [player for player in game.state.playing() if player not in left_behind(game)]
    return _seated(game, who_rolls(game.state, game.opener, passed_over))


def left_behind(game: "Game") -> tuple[PlayerId, ...]:
    """Return who goes on when the host is gone: all who play, but for his own seat while he himself plays there."""
    seat, host = game.host_seat, game.host
    himself = host is not None and not host.former and all(one.changed_by for one in _former_at(game, seat))
    return tuple(player for player in game.state.playing() if player != seat or not himself)


def _former_at(game: "Game", seat: str) -> "tuple[Former, ...]":
    return game.people[PlayerId(seat)].former if seat else ()


def who_rolls(state: State, opener: str, passed_over: Collection[str] = ()) -> PlayerId:
    """Return who makes the next game file of a table game; IllegalOrders if everybody who could is passed over."""
    living = state.playing()
    if len(state.acting) == 1:
        first = state.after(state.acting[0])
    else:
        first = PlayerId(opener) if opener in living else living[0]
    none = {first, *state.acting[: len(state.acting) == 1]}
    player = first
    while player in passed_over:
        player = state.after(player)
        if player in none:
            raise IllegalOrders(Problem("nobody-rolls", "everybody who could roll is passed over"))
    return player


def stated_roller(game: "Game", signature: "Signature | None") -> Roller:
    """Return who is said to have made a game file, as far as the file itself can say who may have: host or player.

    Whether it was his turn to roll says the file before it. His seat may have gone to somebody else in this very file.
    """
    by, key = (signature.by, signature.key) if signature is not None else ("", "")
    if game.host is not None:
        return _handing_over(game, by) or roller_of(game)
    roller = _seated(game, PlayerId(by) if by in game.people else next(iter(game.people)))
    former = [one.key for one in game.people[PlayerId(roller.name)].former]
    return roller._replace(key=key) if key in former else roller


def _handing_over(game: "Game", by: str) -> Roller | None:
    """Return who handed the game over, if he signed the very file in which the new host stands first."""
    host = game.host
    if host is None or not host.former or game.turn != host.since or by != host.former[-1].name:
        return None
    old = host.former[-1]
    return Roller(old.name, old.key, old.chain, old.links)


def _seated(game: "Game", player: PlayerId) -> Roller:
    person = game.people[player]
    return Roller(player, person.key, person.chain, person.links, person.salt)


def decides(game: "Game", concerned: str = "") -> Mapping[str, str]:
    """Return by name the keys of all who must sign an act: the host, or in a table game all but the one concerned.

    DESIGN section 3: in a table game each signs a copy of the same content.
    """
    if game.host is not None:
        return {game.host.name: game.host.key}
    return {player: game.people[player].key for player in game.state.playing() if player != concerned}


def refuse_other_key(roller: Roller, key: "Key") -> None:
    """Raise if this is not the key of who makes the next game file."""
    if key.public == roller.key:
        return
    hint = f"only {'the host' if roller.is_host else roller.name} can resolve; everybody can `referee verify`"
    message = f"is not the key of {roller.title}, {roller.key}"
    raise BadSignature(Problem("not-the-host" if roller.is_host else "not-the-roller", message, "--key", hint))


def refuse_seen(game: "Game", name: str, value: str) -> None:
    """Raise if a link of somebody has occurred in another chain of this game: two who agree on that could choose."""
    chains = [(str(player), one.chain, one.links) for player, one in game.people.items()]
    chains += [(f"{player}?", old.chain, old.links) for player, one in game.people.items() for old in one.former]
    if game.host is not None:
        chains.append((game.host.name, game.host.chain, game.host.links))
    chains += [(former.name, former.chain, former.links) for former in game.former_hosts]
    link = decode(value)
    if any(link in passed(decode(head), links) for owner, head, links in chains if owner != name):
        raise BadSignature(Problem("value-seen", f'the link of "{name}" has occurred in this game before'))


def refuse_beyond(links: int, whose: str) -> None:
    """Raise if a chain of which so many links were revealed has none after them, however long somebody has made it."""
    if links >= LENGTH:
        raise IllegalOrders(Problem("chain-used-up", f"{whose} chain of {LENGTH} links is used up: the game is over"))


def next_link(roller: Roller, key: "Key", nonce: str) -> str:
    """Return the next link of the roller's chain; IllegalOrders if it is used up, BadSignature if it is another."""
    refuse_beyond(roller.links, roller.whose)
    value = link(key, decode(nonce), decode(roller.salt), roller.links + 1)
    if encode(step(value)) != roller.chain:
        message = f"{roller.whose} chain does not go on from the head in the game file"
        raise BadSignature(Problem("other-chain", message))
    return encode(value)
