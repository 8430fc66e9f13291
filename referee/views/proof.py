"""What a finished game proves, in words (DESIGN section 5): what was proved, to whom, what remains a matter of trust.

Each sentence is said only if it is so: it stands on numbers that were counted while the files were checked
(`documents.proof`), and on who revealed beside whom, whatever kind of game it is called.
"""

from collections.abc import Iterable, Iterator, Mapping

from referee import data
from referee.documents.gamefile import Game, file_name
from referee.documents.proof import Proof
from referee.game.records import NamedTuple
from referee.views.language import Facts, Language, filled
from referee.views.text import TOGETHER, wrapped


class Statement(NamedTuple):
    """One sentence of the proof, by SECTION.KEY of `data/proofs`."""

    id: str
    text: str


def statements(proof: Proof, receipts: int, language: Language) -> list[Statement]:
    """Return what a complete proof says; `receipts` is how many were held against the files."""
    game = proof.last
    assert game is not None
    assert proof.is_complete()
    tree = _sentences(language)
    said = [
        *(("proved", *one) for one in _proved(proof, game, receipts, tree)),
        *(("whom", *one) for one in _whom(game)),
        *(("trust", *one) for one in _trust(proof, game)),
    ]
    return [Statement(f"{section}.{key}", filled(tree[section][key], facts)) for section, key, facts in said]


def _sentences(language: Language) -> Mapping[str, Mapping[str, str]]:
    tree = data.tree(f"proofs/{language.code}.toml")
    return {section: {key: language.letters(text) for key, text in table.items()} for section, table in tree.items()}


def statements_tree(stated: Iterable[Statement]) -> list[dict[str, str]]:
    """Return the statements for programs."""
    return [{"id": one.id, "text": one.text.replace(TOGETHER, " ")} for one in stated]


def statements_shown(stated: Iterable[Statement], language: Language) -> list[str]:
    """Return the statements as lines, each section under its heading."""
    headings = _sentences(language)["headings"]
    lines: list[str] = []
    section = ""
    for one in stated:
        if one.id.partition(".")[0] != section:
            section = one.id.partition(".")[0]
            lines += ["", headings[section]]
        lines += wrapped(one.text, "  ", "    ")
    return lines


Said = tuple[str, Facts]


def _proved(proof: Proof, game: Game, receipts: int, tree: Mapping[str, Mapping[str, str]]) -> Iterator[Said]:
    lots = tree["lots"]
    yield "replay", {"n": proof.files.total()}
    yield "files", {"names": _names(proof.files)}
    yield "documents", {"names": _names(proof.documents)}
    if proof.links:
        yield "links", {"names": _names(proof.links)}
    if proof.rolls:
        yield "dice", {"n": proof.rolls, "dice": proof.dice}
    if proof.start_dice:
        yield "start_dice", {"n": proof.start_dice}
    drawn = [filled(lots["seats"], {})] if proof.has_seats_by_lot else []
    drawn += [filled(lots[key], {"n": n}) for key, n in (("territories", proof.dealt), ("cards", proof.drawn)) if n]
    if drawn:
        yield "lot", {"what": ", ".join(drawn)}
    if proof.positions:
        yield "positions", {"n": proof.positions, "shuffles": proof.shuffles}
    if game.secret is not None:
        yield "secret", {}
    missions = proof.missions if game.gone is None else 0  # what was hidden before the host was gone nobody knows
    for key, number in (
        ("missions", missions), ("capitals", proof.capitals), ("opened", proof.unsealed),
        ("laid_open", proof.laid_open), ("unfulfilled", proof.unfulfilled),
    ):  # fmt: skip
        if number:
            yield key, {"n": number}
    if proof.boxes and proof.seal_keys:
        yield "boxes", {"n": proof.boxes, "keys": proof.seal_keys}
    for key, number in (("chosen", proof.chosen), ("receipts", receipts)):
        if number:
            yield key, {"n": number}
    if proof.never:
        kinds = {what.partition(" ")[0] for what in proof.never}
        yield "never", {"what": ", ".join(words for kind, words in tree["sealed"].items() if kind in kinds)}


def _whom(game: Game) -> Iterator[Said]:
    yield "all", {}
    if game.secret is not None:
        yield "secret", {"file": file_name(game.name, game.turn), "host": _hosts(game)}


def _trust(proof: Proof, game: Game) -> Iterator[Said]:
    yield "keys", {"invitation": proof.invitation.replace(" ", TOGETHER)}
    yield "same", {}
    if len(proof.revealed_at_start) == 1:
        yield "start", {"host": proof.revealed_at_start[0]}
    alone = proof.alone.total()
    if alone and game.host is None and len(game.people) == 2:
        yield "opponents", {"turns": proof.turns}
    elif alone:
        yield "alone", {"n": alone, "turns": proof.turns, "names": _names(proof.alone)}
    if proof.turns > alone:
        yield "together", {"n": proof.turns - alone, "turns": proof.turns}
    if game.secret is not None or game.gone is not None:
        yield "hidden", {"host": _hosts(game)}
    yield "early", {}
    for key, names in (("missed", proof.missed), ("passed_over", proof.passed_over), ("changed", proof.changed)):
        if names:
            yield key, {"names": _names(names)}


def _hosts(game: Game) -> str:
    """Return who has known what was hidden: the host, and those from whom he took the game over."""
    return ", ".join([*(former.name for former in game.former_hosts), *([game.host.name] if game.host else [])])


def _names(numbers: Mapping[str, int]) -> str:
    """Write who did something how often, those first who did it most."""
    return ", ".join(f"{who} {n}" for who, n in sorted(numbers.items(), key=lambda one: (-one[1], one[0])))
