"""What is decided and signed beside the turn: acts (DESIGN sections 3 and 4).

The host decides; in a table game all living players but the one concerned do, each signing a copy of the same content,
and there must be two of them. An act answers one game file and says one thing: `missed`, that something has not come;
`passed_over`, that somebody does not roll for these orders; `substitute`, that the one who made a join takes a seat;
`key`, that a player goes on with the keys of another join; `deadline`, when the next orders are due; `take_over` and
`hand_over`, that the game has another host; `host_gone` and `open_hand`, that it goes on without one. How a join takes
a seat says `seats`, how a game is handed over `handing`, how it goes on without a host `gone`.
A change of keys the player decides himself, with the former key; for a lost one those who decide.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.documents.canonical import canonical
from referee.documents.gamefile import Game, GameFile
from referee.documents.intake import ACT, MOST_BYTES, Collector, why_not_for
from referee.documents.kinds import INVITATION, JOIN, why_not_shaped
from referee.documents.rolling import decides, left_behind, who_rolls
from referee.documents.signing import Document, Signed, verified
from referee.errors import BadSignature, IllegalOrders, Problem, RefereeError, UnreadableDocument, raise_all
from referee.game.absence import who_may_be_missed, who_must_miss
from referee.game.events import Event, RollPassedOver
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple
from referee.game.state import apply
from referee.game.trees import nearest_hint

if TYPE_CHECKING:
    from referee.documents.gamefile import Game
    from referee.documents.gone import Leaving
    from referee.documents.handing import Handing
    from referee.documents.seats import NewKey, Substitute

OF_THE_HOST = (ACT, JOIN, INVITATION)
"""Kinds of documents that the host hands in himself, with those of the players."""

_HEAD: Mapping[str, type] = {"format": str, "game": str, "turn": int, "state": str, "act": str}
_SAYS: Mapping[str, Mapping[str, type]] = {
    "missed": {"player": str},
    "substitute": {"player": str, "join": str},
    "key": {"player": str, "join": str},
    "deadline": {"deadline": str},
    "passed_over": {"player": str, "orders": list},
    "take_over": {"name": str, "key": str, "seal_key": str, "anchor": str},
    "host_gone": {},
    "open_hand": {"player": str, "openings": list},
    "hand_over": {"host": str, "offer": str, "commitment": str, "box": str},
}
_MAYBE: Mapping[str, Mapping[str, type]] = {"substitute": {"box": str}, "open_hand": {"capital": list}}
WORDS = tuple(_SAYS)
"""What acts say, by one word each."""
_JOINED = ("substitute", "key")
"""Acts about a join, of which a seat can have one at a time."""
_GONE = ("host_gone", "open_hand")
"""Acts by which a hosted game goes on without its host."""
FEWEST = 2
"""So many must decide at least in a table game, so nothing is decided about one of two players."""


class Acts(NamedTuple):
    """All acts for a game file; `documents` are they and what goes with them, in the order of the evidence.

    `missed` are who is called so, and who must miss this turn because he was passed over.

    `passed_over` are who should have rolled, in their order, by the acts `passed_for`, which name the orders.
    """

    missed: tuple[PlayerId, ...] = ()
    substitutes: "tuple[Substitute, ...]" = ()
    deadline: str = ""
    documents: tuple[Signed, ...] = ()
    passed_over: tuple[PlayerId, ...] = ()
    passed_for: tuple[Signed, ...] = ()
    new_keys: "tuple[NewKey, ...]" = ()
    handing: "Handing | None" = None
    gone: "Leaving | None" = None


_Copies = Mapping[str, Mapping[str, Signed]]
"""Acts by their digests, and of each the copies by who has signed them."""


def take_acts(documents: Sequence[Document], before: GameFile) -> Acts:
    """Check acts, and the joins and invitations with them; everything that is wrong is raised together."""
    copies = _read_all([one for one in documents if one.format == ACT], before)
    acts = [copies[digest][min(copies[digest])] for digest in sorted(copies, reverse=True)]
    raise_all(IllegalOrders, (problem for act in acts for problem in _not_decided(act, copies[act.digest], before)))
    missed = sorted((act for act in acts if act.tree["act"] == "missed"), key=lambda act: str(act.tree["player"]))
    rest = [act for act in acts if act.tree["act"] != "missed"]
    _refuse_two(rest)
    deadline = [act for act in rest if act.tree["act"] == "deadline"]
    substitutes, new_keys, others = _joined(rest, copies, documents, before)
    handing, handed = _handing(rest, before, bool(substitutes or new_keys))
    gone, left = _gone(acts, before)
    _check_missed(missed, as_answered(before, substitutes))
    over = _passed_over([act for act in rest if act.tree["act"] == "passed_over"], before)
    evidence: list[Signed] = []
    for one in (*missed, *over, *deadline, *others, *handed, *left):
        signed = copies[one.digest] if one.format == ACT else {one.by: one}
        evidence += [signed[name] for name in sorted(signed)]
    called = tuple(PlayerId(act.tree["player"]) for act in missed)
    return Acts(
        missed=(*called, *(player for player in who_must_miss(before.game.state) if player not in called)),
        substitutes=substitutes,
        deadline=str(deadline[0].tree["deadline"]) if deadline else "",
        documents=tuple(evidence),
        passed_over=tuple(PlayerId(act.tree["player"]) for act in over),
        passed_for=tuple(over),
        new_keys=new_keys,
        handing=handing,
        gone=gone,
    )


def _read_all(documents: Sequence[Document], before: GameFile) -> _Copies:
    """Read acts; of a copy under two signatures of the same signer the smaller stays."""
    errors = Collector()
    copies: dict[str, dict[str, Signed]] = {}
    for document in documents:
        try:
            act = read_act(document, before)
        except RefereeError as error:
            errors.note(error)
            continue
        of_act = copies.setdefault(act.digest, {})
        of_act[act.by] = min(act, of_act.get(act.by, act), key=lambda signed: signed.signature)
    errors.done()
    return copies


def _joined(
    acts: Sequence[Signed], copies: _Copies, documents: Sequence[Document], before: GameFile
) -> "tuple[tuple[Substitute, ...], tuple[NewKey, ...], list[Signed]]":
    """Return who takes a seat and who goes on with other keys, in seat order, and the documents for the evidence."""
    seats = list(before.game.state.players)
    chosen = sorted(
        (act for act in acts if act.tree["act"] in _JOINED),
        key=lambda act: (_JOINED.index(act.tree["act"]), seats.index(PlayerId(act.tree["player"]))),
    )
    if not chosen and not any(one.format in (JOIN, INVITATION) for one in documents):
        return (), (), []
    from referee.documents.seats import seats_by

    return seats_by(chosen, copies, documents, before)


def _handing(acts: Sequence[Signed], before: GameFile, seats_change: bool) -> "tuple[Handing | None, list[Signed]]":
    """Return that the game has another host, if acts say so, and the documents for the evidence."""
    if not any(act.tree["act"] in ("take_over", "hand_over") for act in acts):
        return None, []
    from referee.documents.handing import handed_by

    return handed_by(acts, before, seats_change)


def _gone(acts: Sequence[Signed], before: GameFile) -> "tuple[Leaving | None, list[Signed]]":
    """Return that the game goes on without its host, if acts say so, and the documents for the evidence."""
    if not any(act.tree["act"] in _GONE for act in acts):
        return None, []
    from referee.documents.gone import gone_by

    return gone_by(acts, before)


def _not_decided(act: Signed, signers: Collection[str], before: GameFile) -> list[Problem]:
    """Return what an act lacks that not all have signed who must."""
    word = act.tree["act"]
    if word in ("take_over", "open_hand") or (word == "key" and act.tree["player"] in signers):
        return []
    may = (
        decides(before.game, str(act.tree.get("player", "")))
        if word != "host_gone"
        else may_sign(act.tree, before.game)
    )
    if (before.game.host is None or word == "host_gone") and len(may) < FEWEST:
        return [act.source.problem("too-few-decide", too_few(may))]
    missing = [name for name in may if name not in signers]
    if not missing:
        return []
    hint = "each signs a copy of the same content: `referee act` makes one"
    return [act.source.problem("signatures-missing", f"is not signed by {', '.join(missing)}", "signature", hint)]


def too_few(may: Iterable[str]) -> str:
    """Say why an act is not made that nobody but these could sign."""
    return f"nobody but {', '.join(may)} could sign it, and it needs {FEWEST}: with two players there is none"


def _passed_over(acts: Sequence[Signed], before: GameFile) -> list[Signed]:
    """Return the acts in the order in which those concerned should have rolled; IllegalOrders if one should not."""
    left = {str(act.tree["player"]): act for act in acts}
    found: list[Signed] = []
    may = _who_may(acts[0], before.game) if acts else None
    while left and may is not None:
        player = may([str(act.tree["player"]) for act in found], [*left])
        if player not in left:
            act = next(iter(left.values()))
            message = f'"{act.tree["player"]}" is not who rolls, but "{player}"'
            raise IllegalOrders(act.source.problem("not-the-roller", message, "player"))
        found.append(left.pop(player))
    return found


def _who_may(act: Signed, game: Game) -> Callable[[Sequence[str], Sequence[str]], PlayerId]:
    """Return what says who rolls, or reveals beside the host, once others are passed over, of those `named`.

    IllegalOrders if the host alone rolls for these orders.
    """
    if game.host is None:
        return lambda over, named: who_rolls(game.state, game.opener, over)
    from referee.documents.witnesses import is_watched, who_reveals

    if not is_watched(game):
        raise IllegalOrders(act.source.problem("host-rolls", "for these orders the host rolls alone", "act"))

    def revealing(over: Sequence[str], named: Sequence[str]) -> PlayerId:
        all_now = who_reveals(game, (), over)
        return next((player for player in all_now if player in named), all_now[0])

    return revealing


def read_act(document: Document, before: GameFile) -> Signed:
    """Check one act: the signature of somebody who decides, its shape, and that it answers this game file."""
    game, source = before.game, document.source
    if document.signature is None:
        raise BadSignature(source.problem("not-signed", "is not signed", "", "`referee act` makes and signs it"))
    may = may_sign(document.tree, game)
    if not may:
        raise _by_nobody(document, before)
    if document.signature.by not in may:
        hosted = game.host is not None and set(may) == {game.host.name}
        who = f'the host "{game.host.name}"' if game.host is not None and hosted else f"one of {', '.join(may)}"
        message = f'is signed by "{document.signature.by}", not by {who}'
        raise BadSignature(source.problem("wrong-act", message, "signature.by"))
    signed = verified(document, may[document.signature.by])
    problems = _shape(document)
    if problems:
        raise UnreadableDocument(*problems)
    wrong = why_not_for(document, before)
    if not wrong and game.state.phase == "over":
        wrong = (source.problem("game-over", "the game is over", "turn"),)
    if not wrong and game.host is None and document.tree["act"] in ("take_over", "hand_over", *_GONE):
        wrong = (source.problem("no-host", "this game has no host", "act"),)
    if wrong:
        raise IllegalOrders(*wrong)
    return signed


def may_sign(act: Mapping[str, Any], game: "Game") -> Mapping[str, str]:
    """Return by name the keys of all who may sign an act: who decides.

    For other keys of a player he himself, too; an offer to be the host only the one who makes it; that the host is gone
    all who play, and each opens his own hand.
    """
    if act.get("act") in _GONE:
        one = str(act.get("player", "")) if act["act"] == "open_hand" else ""
        return {player: game.people[player].key for player in left_behind(game) if one in ("", player)}
    if act.get("act") == "take_over":
        from referee.documents.handing import offered_by

        return offered_by(act)
    player = str(act.get("player", ""))
    own = act.get("act") == "key" and player in game.people
    return {**({player: game.people[PlayerId(player)].key} if own else {}), **decides(game, player)}


def _by_nobody(document: Document, before: GameFile) -> RefereeError:
    """Return the refusal of an act that nobody can have signed: it does not say who, or he does not play."""
    problems = _shape(document)
    if problems:
        return UnreadableDocument(*problems)
    message = f'"{document.tree.get("player")}" does not play any more'
    return IllegalOrders(
        *(why_not_for(document, before) or (document.source.problem("not-playing", message, "player"),))
    )


def _shape(document: Document) -> list[Problem]:
    """Return what is wrong with the keys of an act and their types."""
    source, tree = document.source, document.tree
    word = tree.get("act")
    if not isinstance(word, str) or word not in _SAYS:
        hint = nearest_hint(word, _SAYS) if isinstance(word, str) else ""
        what = f'"{word}" is' if isinstance(word, str) else "is"
        return [source.problem("unknown-act", f"{what} none of the acts {', '.join(_SAYS)}", "act", hint)]
    size = len(canonical(tree))
    found = []
    if size > MOST_BYTES[ACT]:
        message = f"has {size:,} bytes without comments, the most are {MOST_BYTES[ACT]:,}"
        found.append(source.problem("too-large", message))
    found += why_not_shaped(document, {**_HEAD, **_SAYS[word]}, _MAYBE.get(word, {}))
    if not found and word == "passed_over" and not all(type(one) is str for one in tree["orders"]):
        found.append(source.problem("wrong-type", "must be a list of digests", "orders"))
    if not found and word == "deadline":
        from referee.documents.invitation import is_time, no_time

        if not is_time(tree["deadline"]):
            found.append(source.problem("deadline", no_time(tree["deadline"]), "deadline"))
    if not found and word in ("take_over", "hand_over"):
        from referee.documents.handing import check_box, check_offer

        found += check_offer(document) if word == "take_over" else check_box(document)
    if not found and word == "open_hand":
        from referee.documents.gone import check_rows

        found += check_rows(document)
    return found


def _check_missed(missed: Sequence[Signed], before: GameFile) -> None:
    game = before.game
    called = [PlayerId(act.tree["player"]) for act in missed]
    for act, player in zip(missed, called, strict=True):
        may = who_may_be_called(game, called)
        if player not in may:
            message = f'"{player}" is not awaited, but {", ".join(before.game.state.acting)}'
            raise IllegalOrders(act.source.problem("not-awaited", message, "player"))


def why_not_called(act: Signed, before: GameFile) -> tuple[Problem, ...]:
    """Return why an act is not taken that calls somebody missed who misses the turn in any case.

    Asked of what is handed in, so that one turn does not have two files, with and without it; not of the evidence.
    """
    if act.tree.get("act") != "missed" or act.tree["player"] not in who_must_miss(before.game.state):
        return ()
    problem = in_any_case(act.tree["player"], "player")
    return (act.source.problem(problem.code, problem.message, problem.key, problem.hint),)


def in_any_case(player: str, key: str) -> Problem:
    """Return what is said to one who calls a player missed who misses the turn in any case."""
    message = f'"{player}" was passed over and misses this turn: nothing is to be said of it'
    return Problem("misses-turn", message, key, "leave it out")


def who_may_be_called(game: Game, called: Collection[PlayerId]) -> tuple[PlayerId, ...]:
    """Return who may be called missed: of a game that is watched, and in a table game, just the awaited.

    There who does not roll, or reveal, is passed over.
    """
    if game.host is None:
        return game.state.acting
    if game.host_seat or game.state.settings.witness:
        from referee.documents.witnesses import is_watched

        if is_watched(game):
            return game.state.acting
    return who_may_be_missed(game.state, called, game.host_seat)


def _refuse_two(acts: Sequence[Signed]) -> None:
    """Refuse two different acts about the same thing."""
    seen: dict[tuple[str, str], Signed] = {}
    for act in sorted(acts, key=lambda act: act.digest):
        word = str(act.tree["act"])
        about = ("join" if word in _JOINED else word, str(act.tree.get("player", "")))
        other = seen.setdefault(about, act)
        if other is not act:
            message = f"says something else than {other.source.file}"
            raise IllegalOrders(act.source.problem("two-acts", message, "act", "hand in the one that is meant"))


def missing_their_next(before: GameFile, acts: Acts) -> tuple[GameFile, list[Event]]:
    """Return a game file in which those who are passed over miss their next turn, and the events that say so."""
    events: list[Event] = [RollPassedOver(player, True) for player in acts.passed_over]
    state = before.game.state
    for event in events:
        state = apply(state, event)
    return before._replace(game=before.game._replace(state=state)), events


def as_answered(before: GameFile, substitutes: Sequence["Substitute"]) -> GameFile:
    """Return a game file as its orders are answered: with the substitutes for awaited seats, who act at once."""
    if not substitutes:
        return before
    from referee.documents.seats import seated

    return seated(before, substitutes)
