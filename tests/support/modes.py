"""Games of all modes for the page that checks them (`examples/check.html`).

Hosts who play, witnesses, the careful start, other keys, other hosts, and none any more.
"""

from collections.abc import Sequence
from functools import cache

from referee.documents.acting import passed_over_act
from referee.documents.boards import board_by_name
from referee.documents.canonical import digest_of
from referee.documents.gamefile import GameFile, open_game, written
from referee.documents.layout import table_text
from referee.documents.record import entry_of, head_of
from referee.documents.reveals import needs_reveals_of
from referee.documents.signing import Document, read
from referee.documents.verify import Entry, revealed_by, verify_row
from referee.game.absence import who_must_miss
from referee.game.rules import Settings
from referee.game.state import SET_UP
from support.browser import Files
from support.planner import plan, set_up
from support.table import Table

MISSED = Settings(missed="default")
SEED = 3


# --- games ------------------------------------------------------------------------------------------------------


def orders_of(table: Table) -> list[Document]:
    """Return the orders of all who are awaited and may play."""
    state, made = table.file.game.state, []
    for player in state.acting:
        if player in who_must_miss(state):
            continue
        if state.phase in SET_UP:
            body = set_up(state, player, SEED)
        else:
            hand = table.hand(player)
            body = plan(state, player, tuple(hand.cards.values()), hand.mission, SEED)
        made.append(table.orders(player, body))
    return made


def papers(table: Table) -> list[Document]:
    """Return these orders and the reveals that they need."""
    orders = orders_of(table)
    return [
        *orders,
        *(table.reveal(one, orders) for one in needs_reveals_of(table.file, who_must_miss(table.file.game.state))),
    ]


def turns(table: Table, count: int) -> list[GameFile]:
    """Play so many turns, but no set-up, and return their files."""
    made = []
    for _ in range(count):
        if table.file.game.state.phase != "over":
            made.append(table.play(papers(table)))
    return made


def begun(table: Table) -> list[GameFile]:
    """Play the set-up; return all files so far."""
    kept = [table.file]
    while table.file.game.state.phase in SET_UP:
        kept.append(table.play(papers(table)))
    return kept


def ended(table: Table) -> list[GameFile]:
    """Let all but one resign; return the files."""
    made = []
    while table.file.game.state.phase != "over":
        leaving = [table.resignation(player) for player in table.file.game.state.playing()[1:]]
        made.append(table.play([*leaving, *papers(table)]))
    return made


def passing(table: Table) -> GameFile:
    """Play a turn for which the one who should reveal beside the host is passed over."""
    orders = orders_of(table)
    (player,) = needs_reveals_of(table.file, ())
    digests = [digest_of(one.tree) for one in orders]
    act = read(table_text(passed_over_act(table.file, player, digests, table.host_key)).encode(), "act.toml")
    (other,) = needs_reveals_of(table.file, (), (), (player,))
    return table.play([*orders, act, table.reveal(other, orders)])


@cache
def plays() -> list[GameFile]:
    """Return a game whose host plays as kari; once the next player is passed over, and once kari misses her turn."""
    table = Table("no", "world", 4, SEED, MISSED, plays="kari")
    kept = begun(table)
    passed = missed = False
    while not (passed and missed) or table.file.game.state.acting != ("kari",):
        own = table.file.game.state.acting == ("kari",)
        if own and not passed:
            kept.append(passing(table))
            passed = True
        elif own:
            kept.append(table.play([table.reveal(one) for one in needs_reveals_of(table.file, ("kari",))], ["kari"]))
            missed = True
        else:
            kept += turns(table, 1)
    return kept + turns(table, 1)


@cache
def watched() -> list[GameFile]:
    """Return a game with witnesses, a careful start and a roll for the first turn."""
    settings = MISSED._replace(witness=True, start="careful")
    table = Table("sv", "dealt", 3, SEED, settings)
    return [*begun(table), *turns(table, 2), passing(table), *turns(table, 3)]


@cache
def keys() -> list[GameFile]:
    """Return a hosted game in which keys change, by the player and by the host, and somebody takes a seat."""
    table = Table("no", "mission", 3, SEED)
    kept = [*begun(table), *turns(table, 1)]
    later = [one for one in table.names if one not in table.file.game.state.acting]
    kept.append(table.play([*papers(table), *table.key_change(later[0], "kristin")]))
    table.plays_with(later[0], "kristin")
    kept.append(table.play([*papers(table), *table.key_change(later[1], "karin", "host")]))
    table.plays_with(later[1], "karin")
    kept += turns(table, 1)
    player = next(one for one in table.names if one not in table.file.game.state.acting)
    kept.append(table.play([*papers(table), *table.substitution(player, "sigrid")]))
    return [*kept, *turns(table, 2), *ended(table)]


def too_late() -> list[GameFile]:
    """Return a game that ends in the very turn in which somebody says that his key changes: it does not."""
    table = Table("no", "mission", 3, SEED)
    kept = begun(table)
    leaving = [table.resignation(player) for player in table.file.game.state.playing()[1:]]
    (stays,) = set(table.file.game.state.playing()) - {one.tree["player"] for one in leaving}
    kept.append(table.play([*papers(table), *leaving, *table.key_change(stays, "kristin")]))
    assert table.file.game.state.phase == "over"
    return kept


@cache
def handed(variant: str = "mission") -> list[GameFile]:
    """Return a game that is handed over twice, and played to its end."""
    table = Table("no", variant, 3, SEED)
    kept = [*begun(table), *turns(table, 2)]
    kept.append(table.play([*papers(table), *table.handing("berit")]))
    kept += turns(table, 1)
    kept.append(table.play([*papers(table), *table.handing("carl")]))
    return [*kept, *turns(table, 1), *ended(table)]


@cache
def gone(variant: str = "mission", plays_as: str = "", trusted: bool = False) -> list[GameFile]:
    """Return a game whose host is gone after some turns."""
    settings = MISSED._replace(trusted_host=trusted)
    table = Table("no", variant, 4, SEED, settings, plays=plays_as)
    kept = [*begun(table), *turns(table, 7)]
    kept.append(table.play(table.gone()))
    return [*kept, *turns(table, 5)]


def on_the_hosts_turn(players: int, variant: str = "mission") -> Table:
    """Return the table of a trusted host, who plays as ola and is awaited."""
    table = Table("no", variant, players, SEED, MISSED._replace(trusted_host=True), plays="ola")
    while table.file.game.state.phase in SET_UP or table.file.game.state.acting != ("ola",):
        table.play(papers(table))
    return table


def won_without_the_host() -> tuple[Table, GameFile]:
    """Return a table whose host is awaited, and the file in which he is gone and the next player has won at once."""
    table = on_the_hosts_turn(4)
    game = table.file.game
    state = game.state
    coming = state.after(state.acting[0])
    others = [player for player in state.players if player != coming]
    owners = dict.fromkeys(state.owners, coming) | dict(zip(state.owners, others, strict=False))
    changed = game._replace(state=state._replace(owners=owners, armies=dict.fromkeys(owners, 2)))
    table.file = open_game(written(changed, table.host_key).text.encode(), board_by_name, table.file.file)
    again = Table.at(table, table.file)
    return table, again.play(again.gone())


def games() -> dict[str, list[GameFile]]:
    """Return the games of these modes by title; nothing is wrong in them."""
    return {
        "a host who plays": plays(),
        "witnesses": watched(),
        "other keys": keys(),
        "a key changed too late": too_late(),
        "handed over": handed(),
        "handed over with secret capitals": handed("capitals"),
        "the host is gone": gone(),
        "the host is gone, with secret capitals": gone("capitals"),
        "the host is gone who played": gone("world", "kari"),
        "the host is gone who played and was trusted": gone("mission", "kari", True),
    }


def files_of(game: Sequence[GameFile]) -> Files:
    """Return the files of a game as bytes."""
    return [(made.file, made.text.encode()) for made in game]


def record_of(game: Sequence[GameFile]) -> Files:
    """Return a game as a record."""
    texts = dict(files_of(game))
    entries = [Entry(made.file, made.game.turn) for made in game]
    revealed = revealed_by(entries[-1], texts.__getitem__)
    parts, before = [], None
    for checked in verify_row(entries, texts.__getitem__):
        parts.append(head_of(checked.file.game, revealed) if before is None else "")
        parts.append(entry_of(checked.file, before, revealed))
        before = checked.file
    return [("record.toml", "".join(parts).encode())]
