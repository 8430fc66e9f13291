"""Two game files of one turn as proof that can be sent to the others: digests, keys, both signatures, what differs."""

from collections.abc import Iterable

from referee.documents.canonical import fingerprint
from referee.documents.forks import Fork
from referee.views.text import wrapped


def forks_shown(forks: Iterable[Fork]) -> list[str]:
    """Return the lines of a proof for each fork."""
    return [line for fork in forks for line in _shown(fork)]


def _shown(fork: Fork) -> list[str]:
    lines = [f"two different files of turn {fork.turn}"]
    for side in (fork.one, fork.other):
        file, signature = side.file, side.tree()
        first, second = signature["signature"]
        lines += wrapped(file.file, "  ")
        lines += [
            f"    fingerprint {fingerprint(file.digest)}",
            f"    digest      {file.digest}",
            f"    follows     {file.game.previous}",
            f"    signed by   {signature['by']}",
            f"    key         {signature['key']}",
            f"    signature   {first}",
            f"                {second}",
        ]
    return [*lines, *(line for what in fork.differences() for line in wrapped(f"they differ in {what}", "  ", "    "))]
