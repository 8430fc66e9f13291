"""Evidence of each kind altered as an attacker could: for the page that checks games (`examples/check.html`).

Whoever alters something signs it anew with the keys that he has, and a game file with the key of who has made it.
"""

import copy
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.documents.base64 import stripped
from referee.documents.canonical import normalise
from referee.documents.gamefile import GameFile
from referee.documents.keys import Key
from referee.documents.layout import table_text
from referee.documents.signing import sign
from support.browser import Files
from support.modes import files_of, gone, handed, keys, plays, record_of, watched
from support.table import HOST, NAMES, key_of

Tree = dict[str, Any]
Change = Callable[[Tree], object]

# --- changes ----------------------------------------------------------------------------------------------------


def tree_of(made: GameFile) -> Tree:
    return tomllib.loads(made.text)


def again(content: Tree, by: str, key: Key) -> Tree:
    """Return a tree with a new signature."""
    bare = {name: value for name, value in content.items() if name != "signature"}
    return {**bare, "signature": sign(normalise(bare), key, by)}


def where(game: Sequence[GameFile], holds: Callable[[Tree], bool]) -> int:
    """Return the place of the first file of which something holds."""
    return next(at for at, made in enumerate(game) if holds(tree_of(made)))


def has_act(word: str) -> Callable[[Tree], bool]:
    return lambda content: any(one.get("act") == word for one in content["evidence"]["documents"])


def altered(game: Sequence[GameFile], at: int, change: Change, key: Key | None = None) -> Files:
    """Return a file and the one before it, changed and signed anew by who has made it, or with another key."""
    content = tree_of(game[at])
    change(content)
    by = content["signature"]["by"]
    found = (one for one in (*NAMES, *OTHERS) if key_of(one).public == stripped(content["signature"]["key"]))
    whole = again(content, by, key or key_of(next(found)))
    return [*files_of(game[at - 1 : at] if at else []), (game[at].file, table_text(whole).encode())]


OTHERS = (HOST, "berit", "carl", "kristin", "karin", "sigrid")


def documents(content: Tree, kind: str, act: str = "") -> list[Tree]:
    return [
        one for one in content["evidence"]["documents"]
        if one["format"] == f"referee/{kind}/1" and one.get("act", "") == act
    ]  # fmt: skip


def without(kind: str, act: str = "", number: int = 0) -> Change:
    """Leave a document out."""

    def change(content: Tree) -> None:
        one = documents(content, kind, act)[number]
        content["evidence"]["documents"] = [other for other in content["evidence"]["documents"] if other is not one]

    return change


def said_anew(kind: str, act: str, change: Mapping[str, Any], by: str = "", key: str = "", number: int = 0) -> Change:
    """Let the signer of a document, or another, sign something else."""

    def do(content: Tree) -> None:
        one = documents(content, kind, act)[number]
        name = by or one["signature"]["by"]
        public = stripped(one["signature"]["key"])
        own = next((other for other in (*NAMES, *OTHERS) if key_of(other).public == public), "")
        whole = again({**one, **copy.deepcopy(dict(change))}, name, key_of(key or (by if by else own)))
        one.clear()
        one.update(whole)

    return do


def all_of(*changes: Change) -> Change:
    def do(content: Tree) -> None:
        for change in changes:
            change(content)

    return do


def put(*path: str | int, to: Any) -> Change:
    """Put another value somewhere; None takes it away."""

    def do(content: Any) -> None:
        for part in path[:-1]:
            content = content[part]
        if to is None:
            del content[path[-1]]
        else:
            content[path[-1]] = to

    return do


def flip(*path: str | int) -> Change:
    """Alter a binary value."""

    def do(content: Any) -> None:
        for part in path[:-1]:
            content = content[part]
        value = stripped(content[path[-1]])
        begins = value.index(":") + 1 if ":" in value else 0
        content[path[-1]] = f"{value[:begins]}{'B' if value[begins] == 'A' else 'A'}{value[begins + 1 :]}"

    return do


def no_link_of(player: str, before: Tree) -> Change:
    """Take the link of somebody away, as if he had not been asked."""

    def do(content: Tree) -> None:
        content["evidence"]["reveals"] = [row for row in content["evidence"]["reveals"] if row[0] != player]
        documents = content["evidence"]["documents"]
        documents[:] = [one for one in documents if one["format"] != "referee/reveal/1" or one["player"] != player]
        for key in ("chain", "links"):
            content["players"][player][key] = before["players"][player][key]

    return do


def event(kind: str, number: int = 0) -> Callable[[Tree], Tree]:
    def find(content: Tree) -> Tree:
        found: Tree = [one for one in content["events"] if one["kind"] == kind][number]
        return found

    return find


def no_event(kind: str) -> Change:
    def do(content: Tree) -> None:
        content["events"] = [one for one in content["events"] if one["kind"] != kind]

    return do


Row = tuple[str, Files, set[str]]


def of_hosts_who_play() -> Iterator[Row]:
    """Yield a title, files, and what is wrong in them."""
    game = plays()
    own = where(game, lambda t: len(t["evidence"]["reveals"]) == 2 and bool(documents(t, "orders")) and t["turn"] > 1)
    beside = next(who for who, _ in tree_of(game[own])["evidence"]["reveals"] if who != HOST)
    before = tree_of(game[own - 1])
    yield (
        "the host alone in his own turn",
        altered(game, own, no_link_of(beside, before)),
        {"reveals", *dice(game[own])},
    )
    yield "a link that nobody bound", altered(game, own, without("reveal")), {"reveals"}
    yield "a link bound to other orders", altered(game, own, said_anew("reveal", "", {"orders": []})), {"binding"}
    passed = where(game, has_act("passed_over"))
    yield (
        "passed over for other orders",
        altered(game, passed, said_anew("act", "passed_over", {"orders": []})),
        {"act"},
    )
    act = without("act", "passed_over")
    yield "passed over without an act", altered(game, passed, act), {"act", "reveals"}
    player = documents(tree_of(game[passed]), "act", "passed_over")[0]["player"]
    free = put("players", player, "passed_over", to=None)
    yield "who was passed over does not miss", altered(game, passed, free), {"act"}
    said = said_anew("act", "passed_over", {}, by=beside)
    yield "passed over by a player", altered(game, passed, said), {"act"}
    yield "the host plays no more", altered(game, own, put("host", "plays", to=None)), {"link", "boxes"}
    yield "the host plays as another", altered(game, own, put("host", "plays", to="ola")), {"link"}
    yield "the host of the start plays as another", altered(game, 0, put("host", "plays", to="ola")), {"link"}
    other = said_anew("roster", "", {"joins": tree_of(game[0])["evidence"]["documents"][5:] and []})
    yield "a roster of nobody", altered(game, 0, other), {"document", "binding"}
    yield "no roster", altered(game, 0, without("roster")), {"document", "binding"}
    anchors = {one["player"]: one["anchor"] for one in documents(tree_of(game[0]), "join")}
    start = {"players": {who: {"chain": anchor, "links": 0} for who, anchor in anchors.items()}}
    alone = all_of(*(no_link_of(who, start) for who in anchors))
    yield "a start by the host alone", altered(game, 0, alone), {"reveals", "picks"}
    yield "a start without a link", altered(game, 0, no_link_of("ola", start)), {"reveals", "picks"}
    yield "a start with a link that nobody bound", altered(game, 0, without("reveal")), {"reveals"}
    missed = where(game, has_act("missed"))
    yield "missed without an act", altered(game, missed, without("act", "missed")), {"document"}
    yield "missed by the word of a player", altered(game, missed, said_anew("act", "missed", {}, by="ola")), {"act"}
    yield "a deadline that nobody set", altered(game, own, put("deadline", to="2031-01-01T12:00:00+00:00")), {"act"}


def dice(made: GameFile) -> set[str]:
    """Return what comes out otherwise with another seed."""
    kinds = {one["kind"] for one in tree_of(made)["events"]}
    return {"dice"} & {"dice" if "battle_fought" in kinds else ""} | ({"picks"} if "card_drawn" in kinds else set())


def of_witnesses() -> Iterator[Row]:
    game = watched()
    first = where(game, lambda t: t["phase"] == "turn")
    turn = first + 1
    witness = next(who for who, _ in tree_of(game[turn])["evidence"]["reveals"] if who != HOST)
    before = tree_of(game[turn - 1])
    lost = altered(game, turn, no_link_of(witness, before))
    yield "a turn without its witness", lost, {"reveals", "dice"}
    lost = altered(game, first, no_link_of("ola", tree_of(game[first - 1])))
    yield "a first turn without one of the witnesses", lost, {"reveals", "picks"}
    yield "a witness who signed nothing", altered(game, turn, without("reveal")), {"reveals"}
    yield "the rule of witnesses taken away", altered(game, turn, put("rules", "witness", to=False)), {"link"}
    passed = where(game, has_act("passed_over"))
    said = said_anew("act", "passed_over", {}, by=witness)
    yield "a witness passed over by another", altered(game, passed, said), {"act"}


def of_keys() -> Iterator[Row]:
    game = keys()
    own = where(game, has_act("key"))
    player = documents(tree_of(game[own]), "act", "key")[0]["player"]
    other = next(name for name in NAMES[:3] if name != player)
    former = ("players", player, "former", 0)
    word = altered(game, own, said_anew("act", "key", {}, by=other))
    yield "another key on the word of a player", word, {"act", "link"}
    yield "said to be changed by the host", altered(game, own, put(*former, "changed_by", to="host")), {"link"}
    yield "another former key", altered(game, own, put(*former, "key", to=key_of("liv").public)), {"link"}
    yield "no former key", altered(game, own, put("players", player, "former", to=None)), {"link"}
    yield "other links of the former key", altered(game, own, put(*former, "links", to=7)), {"link"}
    key = put("players", player, "key", to=key_of("carl").public)
    yield "another key than joined", altered(game, own, key), {"link", "reveals"}
    chain = flip("players", player, "chain")
    yield "another chain than joined", altered(game, own, chain), {"reveals"}
    yield "keys change and no event says so", altered(game, own, no_event("key_changed")), {"link"}
    again = altered(game, own + 1, put("players", player, "former", to=None))
    yield "a former key forgotten", again, {"link"}
    stolen = {"key": key_of("ola").public}
    yield (
        "a join with another's key",
        altered(game, own, said_anew("join", "", stolen, by=player, key="ola")),
        {"act", "link", "reveals"},
    )
    sits = where(game, has_act("substitute"))
    yield (
        "a seat taken on the word of a player",
        altered(game, sits, said_anew("act", "substitute", {}, by=other)),
        {"act"},
    )
    yield "a seat taken without an act", altered(game, sits, without("act", "substitute")), {"link", "reveals", "seats"}


def of_handing() -> Iterator[Row]:
    game = handed()
    at = where(game, has_act("hand_over"))
    yield "handed over by a player", altered(game, at, said_anew("act", "hand_over", {}, by="ola")), {"act"}
    yield (
        "an offer changed by who made it",
        altered(game, at, said_anew("act", "take_over", {"seal_key": key_of("carl").seal_public})),
        {"act", "link", "reveals"},
    )
    yield (
        "an offer signed by another",
        altered(game, at, said_anew("act", "take_over", {}, by="ola")),
        {"signature", "act"},
    )
    yield "another is the host", altered(game, at, put("host", "key", to=key_of("carl").public)), {"link"}
    yield "a new host with another chain", altered(game, at, flip("host", "chain")), {"link", "reveals"}
    yield "a new host with another secret", altered(game, at, flip("host", "secret_commitment")), {"link"}
    yield "another box for the new host", altered(game, at, flip("host", "box")), {"link"}
    yield (
        "the former host was another",
        altered(game, at, put("host", "former", 0, "key", to=key_of("ola").public)),
        {"link"},
    )
    yield "a former host forgotten", altered(game, at + 1, put("host", "former", to=[])), {"link"}
    yield "no act hands over", altered(game, at, without("act", "hand_over")), {"act", "link", "reveals"}
    yield "no event hands over", altered(game, at, no_event("game_handed_over")), {"link"}
    yield "the former host goes on", altered(game, at + 1, lambda _: None, key_of(HOST)), {"signature"}
    last = len(game) - 1
    swapped = altered(game, last, lambda t: t["secret"]["handed_seal_keys"].reverse())
    yield "seal keys of former hosts exchanged", [*files_of(game[:1]), *swapped], {"boxes"}
    fewer = altered(game, last, lambda t: t["secret"]["handed_seal_keys"].pop())
    yield "seal keys of a former host left out", fewer, {"secret"}


def of_games_without_host() -> Iterator[Row]:
    game = gone()
    at = where(game, has_act("host_gone"))
    content = tree_of(game[at])
    hand = documents(content, "act", "open_hand")[0]
    who = hand["player"]
    rows = copy.deepcopy(hand["openings"])
    rows[0][1] = "alaska" if rows[0][1] != "alaska" else "siam"
    yield "not all say that the host is gone", altered(game, at, without("act", "host_gone")), {"act"}
    yield "a hand stays closed", altered(game, at, without("act", "open_hand")), {"act", "openings"}
    yield "another card opened", altered(game, at, said_anew("act", "open_hand", {"openings": rows})), {"openings"}
    yield (
        "less opened than held",
        altered(game, at, said_anew("act", "open_hand", {"openings": rows[1:]})),
        {"openings"},
    )
    other = next(name for name in NAMES[:4] if name != who)
    yield "a hand opened by another", altered(game, at, said_anew("act", "open_hand", {}, by=other)), {"act"}
    yield (
        "another card in hand",
        altered(game, at, put("hands", who, 0, to="alaska" if content["hands"][who][0] != "alaska" else "siam")),
        {"openings"},
    )
    yield "another mission", altered(game, at, put("missions", "held", who, to="territories_24")), {"openings"}
    double = put("deck", "pile", 0, to=content["deck"]["pile"][1])
    yield "a card twice in the pile", altered(game, at, double), {"openings"}
    yield "a card lost from the pile", altered(game, at, lambda t: t["deck"]["pile"].pop()), {"openings"}
    yield "another host was there", altered(game, at, put("gone", "hosts", 0, "key", to=key_of("ola").public)), {"link"}
    yield "the host forgotten", altered(game, at + 1, put("gone", to=None)), {"link"}
    yield "land taken meanwhile", altered(game, at, put("armies", next(iter(content["armies"])), to=99)), {"link"}
    yield (
        "another opener",
        altered(
            game, at, put("opener", to=content["acting"][0] if content["opener"] != content["acting"][0] else other)
        ),
        {"link"},
    )
    roller = content["signature"]["by"]
    stranger = next(name for name in NAMES[:4] if name != roller)

    def by_another(tree: Tree) -> None:
        tree["signature"] = {**tree["signature"], "by": stranger, "key": key_of(stranger).public}

    yield "made by who was not to roll", altered(game, at, by_another), {"signature"}
    game = gone("capitals")
    at = where(game, has_act("host_gone"))
    hands = documents(tree_of(game[at]), "act", "open_hand")
    number, capital = next((number, one["capital"]) for number, one in enumerate(hands) if "capital" in one)
    elsewhere = {"capital": ["siam" if capital[0] != "siam" else "peru", capital[1]]}
    moved = said_anew("act", "open_hand", elsewhere, number=number)
    yield "another capital opened", altered(game, at, moved), {"openings"}


def of_records() -> Iterator[Row]:
    """Yield records with a change, and what is wrong then."""
    sources = (("plays", plays()), ("handed", handed()), ("gone", gone()), ("keys", keys()))
    good = {name: tomllib.loads(record_of(game)[0][1].decode()) for name, game in sources}

    def record(name: str, word: str, change: Change) -> Files:
        content = copy.deepcopy(good[name])
        entry = next(
            one for one in content["file"]
            if any(word in (each.get("act"), each["format"].split("/")[1]) for each in one["documents"])
        )  # fmt: skip
        wrapped: Tree = {"evidence": entry}
        change(wrapped)
        return [("record.toml", table_text(content).encode())]

    yield (
        "record: handed over by a player",
        record("handed", "hand_over", said_anew("act", "hand_over", {}, by="ola")),
        {"act"},
    )
    yield (
        "record: no offer",
        record("handed", "hand_over", without("act", "take_over")),
        {"act", "signature", "reveals"},
    )
    yield (
        "record: passed over for other orders",
        record("plays", "passed_over", said_anew("act", "passed_over", {"orders": []})),
        {"act"},
    )
    yield (
        "record: passed over by a player",
        record("plays", "passed_over", said_anew("act", "passed_over", {}, by="ola")),
        {"act"},
    )
    yield "record: no roster", record("plays", "roster", without("roster")), {"document", "binding"}
    yield "record: a link that nobody bound", record("plays", "passed_over", without("reveal")), {"reveals"}
    yield (
        "record: one says that the host is gone",
        record("gone", "host_gone", lambda t: [without("act", "host_gone")(t) for _ in range(3)]),
        {"act"},
    )
    hand = said_anew("act", "open_hand", {"openings": [["deck/1/0", "alaska", "AAAAAAAAAAAAAAAAAAAAAA"]]})
    yield "record: another card opened", record("gone", "host_gone", hand), {"openings"}
    yield (
        "record: another key on the word of a player",
        record("keys", "key", said_anew("act", "key", {}, by="ola")),
        {"act"},
    )


def wrong() -> dict[str, tuple[Files, set[str]]]:
    """Return files in which something is wrong by title, and what."""
    rows = (of_hosts_who_play, of_witnesses, of_keys, of_handing, of_games_without_host, of_records)
    return {title: (files, found) for each in rows for title, files, found in each()}


def not_understood() -> dict[str, tuple[Files, str]]:
    """Return files with an act or an event that nobody knows, signed by the host, and how it must be named."""
    game = plays()
    at = len(game) - 1

    def coup(content: Tree) -> None:
        head = {"format": "referee/act/1", "game": content["game"], "turn": content["turn"] - 1}
        act = {**head, "state": content["previous"], "act": "coup", "player": "ola"}
        content["evidence"]["documents"].append(again(act, HOST, key_of(HOST)))

    return {
        "an unknown act": (altered(game, at, coup), 'act "coup" of runa is not understood'),
        "an unknown event": (
            altered(game, at, lambda t: t["events"].append({"kind": "earthquake"})),
            'events of the kind "earthquake" are not understood',
        ),
    }
