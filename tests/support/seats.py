"""What a host hands in when somebody else takes a seat: the join, the act that fits it, the invitation."""

from hashlib import sha256

from referee.documents.acting import substitute_act
from referee.documents.gamefile import GameFile
from referee.documents.invitation import Invitation, read_join
from referee.documents.layout import table_text
from referee.documents.signing import read, sign
from referee.documents.start import join_tree
from support.table import HOST, key_of

PERSON = "sigrid"
"""Who takes a seat in the catalogue of documents."""


def join_text(invitation: Invitation, player: str, person: str = PERSON) -> str:
    """Return the signed join of a person under the id of a seat."""
    salt = sha256(f"salt/{person}".encode()).digest()[:16]
    tree = join_tree(invitation, player, key_of(person), salt, (), "en", person.title())
    return table_text({**tree, "signature": sign(tree, key_of(person), player)})


def act_text(file: GameFile, invitation: Invitation, join: str) -> str:
    """Return the host's signed act that fits a join."""
    read_one = read_join(read(join.encode(), "join.toml"), invitation, file.game.state.board)
    return table_text(substitute_act(file, read_one, key_of(HOST)))
