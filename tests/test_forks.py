"""Two game files of one turn: what they prove, against whom, and in what they differ."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from support.planner import plan
from support.table import HOST, Table, key_of

from referee.documents.base64 import encode
from referee.documents.canonical import canonical
from referee.documents.forks import Fork, find_forks
from referee.documents.gamefile import GameFile, tree_of, written
from referee.documents.keys import public_bytes
from referee.documents.resolve import resolve
from referee.documents.signing import Document
from referee.documents.verify import Entry
from referee.errors import BadSignature
from referee.views.forks import forks_shown
from referee.views.text import WIDTH


@pytest.fixture(scope="module")
def table() -> Table:
    table = Table("no", "world", 3, 4)
    table.play([table.orders(p, {"deploy": {own(table, p): 21}}) for p in table.file.game.state.acting])
    return table


def own(table: Table, player: str) -> str:
    return str(table.file.game.state.territories_of(player)[0])


def orders(table: Table, sequence: int = 1) -> Document:
    player = table.file.game.state.acting[0]
    hand = tuple(table.hand(player).cards.values())
    return table.orders(player, plan(table.file.game.state, player, hand, seed=sequence), sequence)


def forks(*files: GameFile) -> list[Fork]:
    texts = {f"{number}.toml": file.text.encode() for number, file in enumerate(files)}
    entries = [Entry(name, file.game.turn) for name, file in zip(texts, files, strict=True)]
    return find_forks(entries, texts.__getitem__)


def test_both_signatures_of_a_fork_hold_under_the_key_that_is_shown(table: Table) -> None:
    made = [table.resolved([orders(table, sequence)]) for sequence in (1, 2)]
    (fork,) = forks(*made)
    for side, file in zip((fork.one, fork.other), made, strict=True):
        tree = tree_of(file.game)
        assert side.signature.key == key_of(HOST).public
        assert side.signature.by == HOST
        assert side.file.digest == file.digest
        public = Ed25519PublicKey.from_public_bytes(public_bytes(side.signature.key, "ed25519"))
        public.verify(side.signature.value, b"referee-signature-v1\nreferee/game/1\n" + canonical(tree))
        shown = "".join(line.split()[-1] for line in forks_shown([fork]))
        assert encode(side.signature.value[:32]) in shown
        assert encode(side.signature.value[32:]) in shown
        assert file.digest in shown
    assert fork.proves
    assert fork.differences() == [f"orders ({table.file.game.state.acting[0]})"]
    assert all(len(line) <= WIDTH for line in forks_shown([fork]))


def test_what_was_handed_in_besides_is_named(table: Table) -> None:
    first = table.resolved([orders(table)])
    player = table.file.game.state.acting[0]
    other = next(one for one in table.names if one != player)
    second = table.resolved([orders(table), table.standing(other, {"neutral": "even"})])
    (fork,) = forks(first, second)
    assert fork.differences() == [f"documents of the kind standing ({other})"]
    missed = resolve(table.file, [], key_of(HOST), [player])
    (fork,) = forks(first, missed)
    assert fork.differences() == [f"documents of the kind act ({HOST})", f"orders ({player})"]


def test_other_reveals_are_named(table: Table) -> None:
    real = table.resolved([orders(table)]).game
    false = written(real._replace(evidence=real.evidence._replace(reveals=((HOST, encode(bytes(32))),))), key_of(HOST))
    (fork,) = forks(written(real, key_of(HOST)), false)
    assert fork.differences() == [f"reveals ({HOST})"]


def test_a_fork_that_goes_on_is_one_in_every_turn_and_says_where_it_began(table: Table) -> None:
    branches = []
    for sequence in (1, 2):
        branch = Table.at(table, table.file)
        branch.play([orders(branch, sequence)])
        first = branch.file
        branch.play([orders(branch)])
        branches += [first, branch.file]
    found = forks(*branches)
    assert [fork.follows_one_file for fork in found] == [True, False]
    assert found[1].differences()[0] == f"the file of turn {found[1].turn - 1} that they follow"


def test_a_file_under_the_key_of_somebody_else_is_no_proof_against_the_host(table: Table) -> None:
    real = table.resolved([orders(table)])
    host = real.game.keeper._replace(key=key_of("mallory").public)
    false = written(real.game._replace(host=host), key_of("mallory"), HOST)
    (fork,) = forks(real, false)
    assert not fork.proves
    assert "different keys" in fork.as_problem().hint
    assert "proof against" not in fork.as_problem().hint


def test_copies_are_no_fork_and_a_damaged_file_is_none(table: Table) -> None:
    real = table.resolved([orders(table)])
    assert forks(real, real._replace(text=real.text.replace("\n", "\r\n"))) == []
    with pytest.raises(BadSignature):
        forks(real, real._replace(text=real.text.replace("round = 1", "round = 2", 1)))
