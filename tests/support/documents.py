"""The catalogue of documents: what the program says to each of its cases.

How a case is made whole stands in `support.filling`, recipes for game files and encodings in `support.recipes`.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from referee.documents.base64 import encode
from referee.documents.boards import board_by_name, load_board
from referee.documents.canonical import digest_of
from referee.documents.chains import link
from referee.documents.gamefile import GameFile
from referee.documents.intake import ACT
from referee.documents.invitation import JOIN, read_invitation, read_join
from referee.documents.layout import table_text
from referee.documents.resolve import resolve
from referee.documents.rolling import roller_of
from referee.documents.roster import ROSTER
from referee.documents.signer import sealed_text, signed_text
from referee.documents.signing import read, sign, verified
from referee.documents.start import start
from referee.documents.verify import verify_first, verify_next
from referee.errors import Problem, RefereeError
from referee.game.orders import PlayerId
from support.filling import Case, before, case, cases, filled, whole
from support.openings import (
    NEXT_HOST,
    NONCE,
    PLAYERS,
    ROOT,
    begun,
    invitation_text,
    join_of,
    join_salt,
    opened,
    opened_table,
    written_by,
)
from support.positions import (
    choices,
    commitment_tree,
    deployments,
    good,
    good_at,
    invitation_of,
    opening_tree,
    played,
    position,
    reveal_of,
    signed_again,
    substitution,
    table_at,
    vote,
)
from support.recipes import run_encoding, run_game
from support.seats import PERSON
from support.table import HOST, key_of

GONE = ("host_gone", "open_hand")


def run(one: Case) -> GameFile | None:
    """Hand a case in as the commands do; RefereeError with all that is wrong."""
    return RUNNERS[one.kind](one)


def _resolved(one: Case, beside: Sequence[tuple[str, str]], missed: Sequence[str] = ()) -> GameFile:
    file = before(one)
    documents = [read(whole(one).encode(), one.file)]
    documents += [read(text.encode(), name) for name, text in beside]
    for name in one.says.get("also", "").split():
        other = case(ROOT / name)
        documents.append(read(whole(other).encode(), other.file))
    called = [PlayerId(p) for p in (*missed, *one.says.get("missed", "").split())]
    made = opened(resolve(file, documents, key_of(one.says.get("key", HOST)), called))
    assert verify_next(file, made.text.encode(), made.file).file.digest == made.digest
    return made


def _orders(one: Case) -> GameFile:
    return _resolved(one, ())


def _of_set_up(one: Case) -> GameFile:
    others = [] if "alone" in one.says else [player for player in before(one).game.state.acting if player != "kari"]
    beside = zip(others, deployments(before(one), others), strict=True)
    return _resolved(one, [(f"{name}.toml", text) for name, text in beside])


def _capital(one: Case) -> GameFile:
    return _resolved(one, [("ola.toml", choices(before(one))[1]), ("per.toml", choices(before(one))[2])])


def _beside_orders(one: Case) -> GameFile:
    state = before(one).game.state
    orders = good(one.says.get("position", "turn")) if state.phase == "turn" and "alone" not in one.says else ""
    return _resolved(one, [("orders.toml", orders)] if orders else ())


def _draw(one: Case) -> GameFile:
    """Hand a vote in with good orders and the votes of those who are named: all others, if nobody is."""
    file, name = before(one), one.says.get("position", "turn")
    voters = one.says.get("beside", "kari ola").split()
    votes = [(f"draw-{player}.toml", vote(player, file)) for player in voters if player != "nobody"]
    return _resolved(one, [*([("orders.toml", good(name))] if file.game.state.result is None else []), *votes])


def _reveal(one: Case) -> GameFile:
    file = before(one)
    orders = deployments(file, ("kari", "ola")) if file.game.state.phase == "deploy" else (good(),)
    beside = [(f"orders-{number}.toml", text) for number, text in enumerate(orders, start=1)]
    if file.game.state.phase == "deploy":
        beside.append(("reveal-ola.toml", reveal_of("ola", file, orders)))
    return _resolved(one, beside, ("per",) if file.game.state.phase == "deploy" else ())


def _invitation(one: Case) -> None:
    invitation = read_invitation(read(whole(one).encode(), one.file))
    board_by_name(invitation.board, invitation.board_digest)


def _joined(one: Case) -> GameFile:
    board, _ = load_board("classic")
    invitation = read_invitation(read(invitation_text().encode(), "invitation.toml"))
    joins = [read_join(read(whole(one).encode(), one.file), invitation, board)]
    for name in one.says.get("beside", "ola per").split():
        joins.append(read_join(join_of(name, invitation), invitation, board))
    made = start(invitation, joins, key_of(HOST), board)
    assert verify_first(made.text.encode(), made.file).file.digest == made.digest
    return made


def _sign(one: Case) -> None:
    """Sign a draft, sealing what is secret if it is one of the set-up, as `referee sign` does."""
    document, file, key = read(filled(one.text, before(one)).encode(), one.file), before(one), key_of("kari")
    if file.game.state.phase == "deploy":
        text = sealed_text(document, file, key, bytes(16), bytes(16))
    else:
        text = signed_text(document, key, bytes(16))
    again = read(text.encode(), one.file)
    verified(again, key.public)
    mended = ("note", "salt", "deploy", "sealed")
    assert "salt" in again.tree
    assert {k: v for k, v in again.tree.items() if k not in mended} == {
        k: v for k, v in document.tree.items() if k not in mended
    }


def _seat(one: Case) -> GameFile:
    """Hand in somebody's join with an act that names it, for the seat of Ola or of who is said."""
    file, text = before(one), whole(one)
    tree = read(text.encode(), one.file).tree
    says = {"act": "substitute", "player": one.says.get("seat", "ola"), "join": digest_of(tree)}
    act = {"format": ACT, "game": "fjord", "turn": file.game.turn, "state": file.digest, **says}
    beside = [("invitation.toml", invitation_of(file).source.text), ("orders.toml", good())]
    if "alone" not in one.says:
        beside.append(("act.toml", table_text({**act, "signature": sign(act, key_of(HOST), HOST)})))
    return _resolved(one, beside)


def _handed(one: Case) -> GameFile:
    """Hand an act in, with orders and what belongs to it: the join of a substitute, and the invitation."""
    file = before(one)
    tree = read(whole(one).encode(), one.file).tree
    beside = []
    if file.game.state.phase == "turn":
        at_once = (tree.get("act"), tree.get("player")) == ("substitute", "kari") and "old" not in one.says
        beside.append(("orders.toml", good(by=PERSON if at_once else "kari")))
    if tree.get("act") in ("substitute", "key") and "alone" not in one.says:
        player = tree["player"] if tree.get("player") in PLAYERS else "ola"
        beside += [row for row in substitution(player, file)[1:] if row[0] != one.says.get("without")]
    if tree.get("act") == "hand_over" and "alone" not in one.says:
        beside.append(("offer.toml", table_at(file).offer(NEXT_HOST).source.text))
        beside += substitution("ola", file) if "seat" in one.says else []
    return _resolved(one, beside)


def _gone(one: Case) -> GameFile:
    """Hand an act in by which a game goes on without its host, in the place of the one like it among those of all."""
    file = before(one)
    document = read(whole(one).encode(), one.file)
    mine = (document.tree["act"], document.signature.by if document.signature else "")
    others = table_at(file).gone(one.says.get("without", "").split())
    if "alone" in one.says:
        others = [act for act in others if act.tree["act"] == document.tree["act"]]
    acts = [act for act in others if (act.tree["act"], act.signature.by if act.signature else "") != mine]
    also = [read(whole(case(ROOT / name)).encode(), name) for name in one.says.get("also", "").split()]
    missed = [PlayerId(player) for player in one.says.get("missed", "").split()]
    roller = roller_of(file.game, gone=file.game.host is not None).name
    made = opened(resolve(file, [document, *acts, *also], key_of(one.says.get("key", roller)), missed))
    assert verify_next(file, made.text.encode(), made.file).file.digest == made.digest
    return made


def _act(one: Case) -> GameFile:
    """Put the act into the evidence of a file whose turn was missed, as a host would who made it so; or hand it in."""
    tree = read(whole(one).encode(), one.file).tree
    if tree.get("act") in ("substitute", "key", "deadline", "take_over", "hand_over") or "handed" in one.says:
        return _handed(one)
    if tree.get("act") in GONE:
        return _gone(one)
    file = position("turn")
    made = played("turn", (), ("kari",))
    tree = tomllib.loads(made.text)
    acts = [number for number, entry in enumerate(tree["evidence"]["documents"]) if entry["format"] == ACT]
    tree["evidence"]["documents"][acts[0]] = read(whole(one).encode(), one.file).source.tree
    return verify_next(file, signed_again(tree).encode(), made.file).file


def _at_a_table(one: Case) -> GameFile:
    """Hand a document of a table game in, a copy by each who is named; acts but those of a missed turn with orders."""
    file = before(one)
    text = filled(one.text, file)
    tree = read(text.encode(), one.file).tree
    names = one.says.get("signed-by", str(tree.get("player", "kari"))).split()
    copies = [
        f"{text.rstrip()}\n\n{table_text({'signature': sign(tree, key_of(name), name)}).lstrip()}" for name in names
    ]
    documents = [read(copy.encode(), one.file) for copy in copies]
    if tree["format"] == ACT and tree.get("act") != "missed" and "alone" not in one.says:
        documents.append(read(good_at(file).encode(), "orders.toml"))
    for name in one.says.get("also", "").split():
        documents.append(read(written_by(OTHERS[file.game.state.phase](file, name), name).encode(), f"{name}.toml"))
    over = [str(tree["player"])] if tree.get("act") == "passed_over" else []
    over += one.says.get("without", "").split()
    for name in one.says.get("without", "").split():
        act = {**{key: tree[key] for key in tree if key != "player"}, "player": name}
        signers = [player for player in file.game.state.playing() if player != name]
        documents += [read(written_by(act, player).encode(), f"act-{player}.toml") for player in signers]
    key = key_of(one.says.get("key") or roller_of(file.game, over if "key" not in one.says else ()).name)
    missed = [PlayerId(p) for p in one.says.get("missed", "").split()]
    made = opened(resolve(file, documents, key, missed))
    assert verify_next(file, made.text.encode(), made.file).file.digest == made.digest
    return made


OTHERS: Mapping[str, Callable[[GameFile, str], dict[str, Any]]] = {
    "capital": lambda file, name: (opening_tree if file.game.state.capitals else commitment_tree)(file, name)
}
"""By phase: what others hand in beside a case."""


def _of_the_start(one: Case) -> GameFile:
    """Start the fixed table game with a document of a case in the place of the one like it, or beside all."""
    papers = opened_table(seated="old" not in one.says)
    values = {"@roster@": digest_of(papers.roster.tree), "@invitation@": digest_of(papers.invitation.tree)}
    joins = [digest_of(join.tree) for join in papers.joins]
    values |= {f"@{name}_join@": digest for name, digest in zip(PLAYERS, joins, strict=True)}
    values |= {f"@{name}_link@": encode(link(key_of(name), NONCE, join_salt(name), 1)) for name in PLAYERS}
    values |= {"@nonce@": encode(NONCE), "@joins@": ", ".join(f'"{digest}"' for digest in joins)}
    text = one.text
    for word, value in values.items():
        text = text.replace(word, value)
    text = filled(text, begun(papers))
    tree = read(text.encode(), one.file).tree
    document = read(text.encode(), one.file)
    if "unsigned" not in one.says:
        name = one.says.get("signed-by", str(tree.get("player", "kari")))
        by = one.says.get("by", name)
        signature = {**sign(tree, key_of(name), name), "by": by}
        document = read(f"{text.rstrip()}\n\n{table_text({'signature': signature}).lstrip()}".encode(), one.file)
    if document.format == JOIN:
        replaced = one.says.get("old", tree["player"])
        kept = tuple(join for join in papers.joins if join.tree["player"] != replaced)
        papers = papers._replace(joins=(*kept, document))
    elif document.format == ROSTER:
        papers = papers._replace(roster=document)
    else:
        kept = tuple(reveal for reveal in papers.reveals if reveal.tree["player"] != tree.get("player"))
        papers = papers._replace(reveals=(*kept, document))
    if "alone" in one.says:
        papers = papers._replace(reveals=papers.reveals[-1:])
    if "twice" in one.says.get("also", ""):
        papers = papers._replace(reveals=(*papers.reveals, papers.roster))
    return begun(papers)


RUNNERS: Mapping[str, Callable[[Case], GameFile | None]] = {
    "orders": _orders,
    "claim": _of_set_up,
    "capital": _capital,
    "deployment": _of_set_up,
    "standing": _beside_orders,
    "resign": _beside_orders,
    "draw": _draw,
    "reveal": _reveal,
    "invitation": _invitation,
    "join": _joined,
    "act": _act,
    "seat": _seat,
    "sign": _sign,
    "table": _at_a_table,
    "roster": _of_the_start,
    "game": run_game,
    "encoding": run_encoding,
}
"""By kind of document, which is the name of its folder."""


def message(error: RefereeError) -> str:
    """Return what the command line prints, and its exit code."""
    return f"{error}\nexit {error.exit_code}\n"


@cache
def verdict_on(path: Path) -> tuple[str, tuple[Problem, ...]]:
    """Return what is said to a case, and the problems; nothing if it is accepted."""
    try:
        run(case(path))
    except RefereeError as error:
        return message(error), error.problems
    return "", ()


def write_messages() -> None:
    """Write the message of every invalid case where it is another than what stands there, for somebody to read."""
    for path in cases("invalid"):
        beside, said = path.with_suffix(".txt"), verdict_on(path)[0]
        if not beside.exists() or beside.read_text("utf-8") != said:
            beside.write_text(said, "utf-8")
            print(f"{path.parent.name}/{path.stem}\n{said}")


if __name__ == "__main__":
    write_messages()
