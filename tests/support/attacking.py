"""What an attacker has: his own keys, and a program that checks nothing before it signs.

He may make any file that he can sign; whoever verifies it must find out. What nobody is able to make, such as the
signature or the next link of somebody else, is tried only as far as another value in its place.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from referee.documents.acts import Acts
from referee.documents.base64 import decode, encode
from referee.documents.boxes import host_knowledge, last_secret, open_sealed_part, seal_keys_of
from referee.documents.canonical import normalise
from referee.documents.chains import link
from referee.documents.forks import find_forks
from referee.documents.gamefile import GameFile, tree_of, written
from referee.documents.intake import take_in
from referee.documents.layout import table_text
from referee.documents.resolve import advance, full_knowledge
from referee.documents.rolling import roller_of
from referee.documents.seats import seated
from referee.documents.signing import Document, read, sign
from referee.documents.verify import Entry, verify_first, verify_next
from referee.errors import RefereeError
from referee.game.orders import PlayerId
from referee.game.rules import Settings
from referee.game.state import SET_UP
from support.planner import plan, set_up
from support.table import HOST, Table, key_of, signed
from support.transcripts import referee

NONE = Acts()
Tree = dict[str, Any]


# --- games to attack -----------------------------------------------------------------------------


def at_play(table: Table) -> Table:
    """Go on to the first turn; who has it is `first_of`."""
    while table.file.game.state.phase in SET_UP:
        state = table.file.game.state
        table.play([table.orders(player, set_up(state, player, 7)) for player in state.acting])
    return table


def hosted(variant: str = "world", edition: str = "no", **settings: Any) -> Table:
    """Return a hosted game of three at its first turn."""
    return at_play(Table(edition, variant, 3, 7, Settings(missed="default")._replace(**settings)))


def first_of(table: Table) -> PlayerId:
    """Return whose orders are awaited."""
    return table.file.game.state.acting[0]


def others(table: Table) -> tuple[str, str, str]:
    """Return who has the turn, the next player, and the one after him."""
    state = table.file.game.state
    first = first_of(table)
    second = state.after(first)
    return first, second, state.after(second)


def simple(table: Table, sequence: int = 1) -> Document:
    """Return orders of the one who has the turn, with attacks; another sequence has another plan."""
    player = first_of(table)
    hand = tuple(table.hand(player).cards.values())
    return table.orders(player, plan(table.file.game.state, player, hand, seed=sequence), sequence)


def link_of(table: Table, name: str, ahead: int = 1) -> str:
    """Return a link of somebody's chain: the next one, or `ahead` of the head."""
    game = table.file.game
    if game.host is not None and name == game.host.name:
        return encode(link(key_of(name), decode(game.nonce), b"", game.host.links + ahead))
    person = game.people[PlayerId(name)]
    return encode(link(key_of(table.person(name)), decode(game.nonce), decode(person.salt), person.links + ahead))


# --- files that should not be --------------------------------------------------------------------


def made_by(
    table: Table,
    name: str,
    orders: Sequence[Document],
    reveals: Mapping[str, str] | None = None,
    acts: Acts = NONE,
) -> GameFile:
    """Make and sign the next game file with whatever links, asking nothing; else those of who makes it."""
    here = seated(table.file, acts.substitutes)
    intake = take_in(
        list(orders),
        here,
        lambda document: None if here.game.state.openly else open_sealed_part(document, here, key_of(name)),
        [one.player for one in acts.substitutes],
    )
    knows = full_knowledge(
        host_knowledge(here.game, key_of(name)),
        seal_keys_of(key_of(name)),
        lambda game: last_secret(key_of(name), game) if table.hosted else None,
    )
    links = {name: link_of(table, name)} if reveals is None else reveals
    game = advance(here, intake, tuple(sorted(links.items())), acts, knows)
    return written(game, key_of(name), name)


def made_by_host(
    table: Table, orders: Sequence[Document], reveals: Mapping[str, str] | None = None, acts: Acts = NONE
) -> GameFile:
    """Make the next game file of a hosted game with whatever links."""
    return made_by(table, HOST, orders, reveals, acts)


def altered(made: GameFile, by: str, change: Callable[[Tree], object], name: str = "") -> GameFile:
    """Return a game file with something changed by hand, signed by `by`, as `name` if he says that he is another."""
    tree = normalise(tree_of(made.game))
    change(tree)
    text = table_text({**tree, "signature": sign(tree, key_of(by), name or by)})
    return made._replace(text=text)


def found(table: Table, made: GameFile) -> set[str]:
    """Return the codes with which everybody refuses a file as the next one; nothing if it passes."""
    return codes_of(lambda: verify_next(table.file, made.text.encode(), made.file))


def found_first(made: GameFile) -> set[str]:
    """Return the codes with which everybody refuses a first game file; nothing if it passes."""
    return codes_of(lambda: verify_first(made.text.encode(), made.file))


def codes_of(attempt: Callable[[], object]) -> set[str]:
    """Return the codes of all problems that an attempt runs into; nothing if it succeeds."""
    try:
        attempt()
    except RefereeError as error:
        return {problem.code for problem in error.problems}
    return set()


def refused(table: Table, documents: Sequence[Document], missed: Sequence[str] = ()) -> set[str]:
    """Return the codes with which who makes the next game file refuses documents; nothing if they are played."""
    return codes_of(lambda: table.resolved(documents, missed))


def proofs(one: GameFile, other: GameFile) -> list[str]:
    """Return the codes of what two files of one turn prove."""
    texts = {"one.toml": one.text.encode(), "other.toml": other.text.encode()}
    entries = [Entry(name, one.game.turn) for name in texts]
    return [fork.as_problem().code for fork in find_forks(entries, texts.__getitem__)]


# --- documents that should not be ----------------------------------------------------------------


def changed(document: Document, by: str = "", person: str = "", **values: Any) -> Document:
    """Return a document with other values, signed by `by` with the key of `person`; a value of None goes away."""
    tree = {key: value for key, value in {**document.tree, **values}.items() if value is not None}
    name = by or (document.signature.by if document.signature else "")
    return signed(tree, name, document.source.file, person)


def edited(document: Document, **values: Any) -> Document:
    """Return a document that was changed after it was signed: the signature stays as it was."""
    assert document.signature is not None
    return with_signature({**document.tree, **values}, document.signature.by, document.signature.key, document)


def with_signature(tree: Mapping[str, Any], by: str, key: str, of: Document) -> Document:
    """Return a tree with the signature value of a document under whatever name and key."""
    assert of.signature is not None
    halves = [encode(of.signature.value[:32]), encode(of.signature.value[32:])]
    whole = {**tree, "signature": {"by": by, "key": key, "value": halves}}
    return read(table_text(whole).encode(), of.source.file)


def unsigned(document: Document) -> Document:
    """Return a document without its signature."""
    return read(table_text(document.tree).encode(), document.source.file)


def shown(made: GameFile, format: str) -> list[Mapping[str, Any]]:
    """Return the documents of a kind that stand in a game file for everybody to see."""
    return [one for one in made.game.evidence.documents if one["format"] == f"referee/{format}/1"]


def roller(table: Table) -> str:
    """Return who makes the next game file."""
    return roller_of(table.file.game).name


# --- people with a folder each -------------------------------------------------------------------


class Folder:
    """The folder of one person: his key, and the files that came."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        (path / f"{name}.key").write_bytes(pem(name))

    def put(self, name: str, text: str) -> Path:
        path = self.path / name
        path.write_text(text, "utf-8", newline="")
        return path

    def game(self, made: GameFile, name: str = "") -> Path:
        return self.put(name or made.file, made.text)

    def says(self, *words: str) -> str:
        """Run a command; return what it complains of, or nothing if it did what it was told."""
        names = [str(self.path / word) if word.endswith((".toml", ".key")) else word for word in words]
        done = referee([*names, "--key", str(self.path / f"{self.name}.key")])
        return done.err if done.code else ""


def pem(name: str) -> bytes:
    """Return the file of somebody's key."""
    start = bytes.fromhex("302e020100300506032b657004220420")
    body = b64encode(start + sha256(name.encode()).digest()).decode()
    return f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n".encode()
