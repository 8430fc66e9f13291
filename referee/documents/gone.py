"""Going on without a host who is gone for good, as a table game (DESIGN section 3, "act", and section 5).

    host_gone    all living players say so, at least two, each signing a copy of the same content
    open_hand    when all have, each opens what only he and the host could read: hidden cards, mission, secret capital

They are handed in alone and act at once. The next living player after the awaited one makes the file, as in a table
game, with his own key and the next link of his chain. That file holds the change and nothing else; the same player is
awaited. A host who plays is gone from his seat, too: it becomes passive, and if it was awaited the next player is.
Every opening is held against the commitments in the file before it; what nobody opens is never checked, since
the secret of the game went with the host. From then on `[gone]` keeps the keys of all hosts there were. Before the
first turn there is nothing to save: a new game is begun. Loaded only where that happens.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.documents.acting import signed_act
from referee.documents.acts import FEWEST, read_act, too_few
from referee.documents.base64 import Base64Error, decode, encode
from referee.documents.commitments import own_opening
from referee.documents.gamefile import Evidence, FormerHost, Game, GameFile, Gone, Opening
from referee.documents.hand import commitment_of, player_of, sealed_to
from referee.documents.intake import Collector
from referee.documents.keys import Key
from referee.documents.knowledge import opens
from referee.documents.rolling import left_behind
from referee.documents.sealing import sealed_commitment
from referee.documents.signing import Document, Signed
from referee.documents.text import Source
from referee.errors import BadSignature, IllegalOrders, Problem
from referee.game.gone import Opened, hidden_cards, without_host
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple
from referee.game.state import SET_UP, State

WORDS = ("host_gone", "open_hand")


class Leaving(NamedTuple):
    """That the host is gone: what every player opens, in the order of the seats.

    `on_their_word` are those whose capital nothing proves, since another sealed it who sat there before.
    """

    opened: Mapping[PlayerId, Opened]
    on_their_word: tuple[PlayerId, ...] = ()


# --- making the acts ---------------------------------------------------------------------------


def host_gone_act(before: GameFile, key: Key) -> dict[str, Any]:
    """Return a player's copy of the word that the host is gone, signed; IllegalOrders if too few go on to say so."""
    left = left_behind(before.game)
    if len(left) < FEWEST:
        raise IllegalOrders(Problem("too-few-decide", too_few(left)))
    return signed_act(before, key, player_of(before.game, key), {"act": "host_gone"})


def open_hand_act(before: GameFile, said: Sequence[Document], key: Key) -> dict[str, Any]:
    """Return the act that opens a player's hand, signed; `said` are the words of all that the host is gone.

    Raises IllegalOrders while not all have said so: who opens his hand before shows it to those who may go on with the
    host. BadSignature if what was sealed to him does not fit the commitments, or a capital cannot be opened.
    """
    game = before.game
    player = player_of(game, key)
    signed = [read_act(one, before) for one in said]
    by = {one.by for one in signed if one.tree["act"] == "host_gone"}
    silent = [one for one in left_behind(game) if one not in by]
    if silent:
        message = f"not all have said that the host is gone, missing: {', '.join(silent)}; nobody opens his hand before"
        hint = "hand in the copies of all: `referee act host_gone` makes one"
        raise IllegalOrders(Problem("signatures-missing", message, "DOCUMENTS", hint))
    found = sealed_to(before, player, key)
    names = [*hidden_cards(game.state, player), *_missions(game.state, player)]
    by_name = {opening.name: opening for opening in found.openings}
    missing = [name for name in names if name not in by_name]
    if missing:
        raise BadSignature(Problem("wrong-box", f'"{missing[0]}" is held but not in the box', "sealed"))
    says: dict[str, Any] = {
        "act": "open_hand",
        "player": player,
        "openings": [list(by_name[name]) for name in names],
    }
    if game.state.capitals.get(player) == "":
        opened = own_opening(before, player, key)
        if opened is None and not found.capital:
            message = "was sealed with a salt that cannot be found with this key"
            raise BadSignature(Problem("no-opening", message, "capital"))
        says["capital"] = list(opened) if opened is not None else [found.capital, ""]
    return signed_act(before, key, player, says)


def _missions(state: State, player: PlayerId) -> tuple[str, ...]:
    return (state.missions[player],) if player in state.missions else ()


# --- checking them -----------------------------------------------------------------------------


def check_rows(document: Document) -> list[Problem]:
    """Return what is wrong with the shape of openings."""
    source, tree = document.source, document.tree
    found = []
    rows = tree["openings"]
    if not all(_are_texts(row, 3) for row in rows):
        found.append(source.problem("wrong-type", "must be a list of name, id and salt", "openings"))
    if not _are_texts(tree.get("capital", ["", ""]), 2):
        found.append(source.problem("wrong-type", "must be a territory and a salt", "capital"))
    return found


def _are_texts(row: Any, length: int) -> bool:
    return isinstance(row, list) and len(row) == length and all(type(part) is str for part in row)


def gone_by(acts: Sequence[Signed], before: GameFile) -> tuple[Leaving | None, list[Signed]]:
    """Return that the host is gone, if acts say so, and the documents for the evidence; all that is wrong together."""
    said = next((act for act in acts if act.tree["act"] == "host_gone"), None)
    hands = {PlayerId(act.tree["player"]): act for act in acts if act.tree["act"] == "open_hand"}
    errors = Collector()
    if said is None:
        message, hint = (
            "opens a hand, and nobody says that the host is gone",
            "`referee act host_gone` makes the copy of each",
        )
        raise IllegalOrders(*(act.source.problem("no-act", message, "act", hint) for act in hands.values()))
    errors.wrong(IllegalOrders, _why_not_gone(said, acts, before))
    left = left_behind(before.game)
    missing = [player for player in left if player not in hands]
    if missing:
        hint = "`referee act open_hand` of each makes the act that opens it"
        message = f"is said, but the hands of {', '.join(missing)} are not open"
        errors.wrong(IllegalOrders, [said.source.problem("hands-missing", message, "act", hint)])
    opened = {}
    for player in left:
        if player in hands and not errors.wrong(BadSignature, why_not_opened(hands[player], before)):
            opened[player] = _opened(hands[player], before.game.state)
    errors.done()
    errors.wrong(IllegalOrders, _same_capitals([hands[player] for player in opened], opened))
    errors.done()
    word = tuple(player for player in opened if hands[player].tree.get("capital", ["", "-"])[1] == "")
    return Leaving(opened, word), [said, *(hands[player] for player in opened)]


def _same_capitals(hands: Sequence[Signed], opened: Mapping[PlayerId, Opened]) -> list[Problem]:
    """Return what is wrong where two name the same territory as their capital."""
    named = [one.capital for one in opened.values() if one.capital]
    return [
        act.source.problem("other-capital", "is that of another player, too", "capital")
        for act, one in zip(hands, opened.values(), strict=True)
        if named.count(one.capital) > 1
    ]


def _why_not_gone(said: Signed, acts: Sequence[Signed], before: GameFile) -> list[Problem]:
    found = []
    if before.game.state.phase in SET_UP:
        message, hint = "says that before the first turn, when nothing is lost yet", "begin a new game"
        found.append(said.source.problem("not-begun", message, "act", hint))
    others = [act for act in acts if act.tree["act"] not in WORDS]
    return [*found, *(beside(act.source) for act in others)]


def beside(source: Source) -> Problem:
    """Return the refusal of a document that is handed in with the word that the host is gone."""
    message, hint = "is here, and that the host is gone is handed in alone", "hand it in for the next game file"
    return source.problem("handed-in-beside", message, "", hint)


def why_not_opened(act: Signed, before: GameFile) -> list[Problem]:
    """Return why what a player opens is not what he holds: other names, or what does not fit the commitments."""
    game, source = before.game, act.source
    player = PlayerId(act.tree["player"])
    rows = [Opening(*row) for row in act.tree["openings"]]
    names = [*hidden_cards(game.state, player), *_missions(game.state, player)]
    if [row.name for row in rows] != names:
        message = f'must be what "{player}" holds hidden, in this order: {", ".join(names) or "nothing"}'
        return [source.problem("other-hand", message, "openings")]
    found = []
    for row in rows:
        commitment = commitment_of(row.name, game)
        if commitment is None or not opens(row, commitment):
            message = f'the opening of "{row.name}" does not fit its commitment'
            found.append(source.problem("wrong-opening", message, "openings"))
    kept = game.capitals.get(player)
    if kept is None or "capital" not in act.tree:
        if (kept is None) == ("capital" in act.tree):
            message = "must be there" if kept is not None else "is not secret"
            found.append(source.problem("other-capital", message, "capital"))
        return found
    territory, salt = act.tree["capital"]
    if not salt and game.people[player].former:
        found_one = game.state.board.find_territory(territory)
        if found_one is None or game.state.owners[found_one] != player:
            found.append(source.problem("other-capital", f'is no territory of "{player}"', "capital"))
        return found
    try:
        fits = encode(sealed_commitment(decode(salt, 16), {"capital": territory})) == kept.commitment
    except Base64Error:
        fits = False
    if not fits or game.state.board.find_territory(territory) is None:
        found.append(source.problem("other-capital", f'is not the capital of "{player}"', "capital"))
    return found


def _opened(act: Signed, state: State) -> Opened:
    player = PlayerId(act.tree["player"])
    ids = {name: id for name, id, _ in act.tree["openings"]}
    cards = {name: ids[name] for name in hidden_cards(state, player)}
    mission = "".join(ids[name] for name in _missions(state, player))
    named = act.tree.get("capital", [""])[0]
    return Opened(cards, mission, state.board.find_territory(named) or "" if named else "")


# --- the next game -----------------------------------------------------------------------------


def gone_on(
    before: GameFile, leaving: Leaving, documents: Sequence[Mapping[str, Any]], reveal: tuple[str, str]
) -> Game:
    """Return the game as it goes on without a host.

    `documents` are the acts for the evidence, `reveal` is the next link of who makes the file.
    """
    game, host = before.game, before.game.keeper
    events, state = without_host(game.state, host.name, leaving.opened)
    roller, value = PlayerId(reveal[0]), reveal[1]
    person = game.people[roller]
    last = FormerHost(host.name, host.key, host.seal_key, host.chain, host.links, host.since)
    return game._replace(
        turn=game.turn + 1,
        previous=before.digest,
        deadline="",
        host=None,
        opener=state.playing()[0],
        gone=Gone(game.turn, (*host.former, last)),
        people={**game.people, roller: person._replace(chain=value, links=person.links + 1)},
        state=state,
        deck=(),
        mission_commitments=(),
        capitals={},
        sealed={},
        evidence=Evidence(reveals=(reveal,), documents=tuple(documents)),
        events=tuple(events),
    )
