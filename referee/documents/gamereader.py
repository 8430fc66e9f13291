"""From the tree of a game file to a `Game`, every problem at once.

A sound file costs little: each table is held against the types of its keys, then the invariants of the state are asked.
The evidence is kept as it stands; `verify` is who looks into it. Events are read only when somebody wants them, by
`events_of`; the `Game` of a file that was read has none.

Files are written in one fixed layout (DESIGN section 7), but tables and keys are read in any order, as their order is
no part of what is signed. The game that comes out has its players by seat and its territories as on the board, so that
the file made of it next is the same byte for byte.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from referee.documents.chains import LENGTH
from referee.documents.eventtables import event_from_tree
from referee.documents.gamefile import (
    FORMAT,
    RULES_VERSION,
    BoardByName,
    Evidence,
    Former,
    FormerHost,
    Game,
    Gone,
    Host,
    Opening,
    Person,
    SealedCapital,
    Secret,
    Unsealed,
)
from referee.documents.gameshape import HEAD, MAYBE, Reader, check_tables, lies_open
from referee.documents.gamevalues import check_secrets, check_values
from referee.documents.layout import ordered
from referee.documents.orders import BodyProblems
from referee.documents.signing import Document
from referee.documents.standing import read_standing
from referee.errors import RefereeError, UnreadableDocument
from referee.game.board import Board, TerritoryId
from referee.game.events import Event
from referee.game.orders import PlayerId, Standing
from referee.game.rules import rules_and_settings_from
from referee.game.state import Luck, Player, Result, State

MOST_LINKS = 4 * LENGTH
"""Of one seat, or of all hosts: each link takes a turn of its own, and all are gone through when somebody comes."""

Value = TypeVar("Value")


def game_from(document: Document, boards: BoardByName) -> Game:
    """Return the game that a game file states; raises UnreadableDocument with all that is wrong."""
    tree = document.tree
    reader = Reader(document)
    _check_kind(document)
    if not reader.fields(tree, "", HEAD, MAYBE):
        reader.done()
    check_tables(reader, tree)
    reader.done()
    try:
        board = boards(tree["board"]["name"], tree["board"]["digest"])
        check_values(reader, tree, board)
        state, standing = _state(tree, board, reader)
    except RefereeError as error:
        raise error.within(document.source.file) from None
    reader.done()
    for problem in state.problems():
        reader.wrong("", problem)
    _check_names(reader, tree, state)
    check_secrets(reader, tree)
    _check_seats(reader, tree, state)
    game = _game(tree, state, standing, reader)
    reader.done()
    return game


_OTHER = {
    "referee/record": "`referee replay` makes the game files of a record",
    "referee/invitation": "`referee start` makes the first game file of an invitation and the joins",
    "referee/roster": "`referee reveal` answers a roster; `referee start` makes the first game file with all reveals",
    "referee/join": "`referee start` makes the first game file of an invitation and the joins",
}
"""What to do with a document that was given for a game file; others are orders or come with them."""


def _check_kind(document: Document) -> None:
    """Refuse what is no game file of a version that this program knows."""
    kind = document.format
    if kind == FORMAT:
        version = document.tree.get("rules_version")
        if type(version) is int and version > RULES_VERSION:
            raise _later(document, f"rules_version {version}", f"up to {RULES_VERSION}", "rules_version")
        return
    if kind.startswith("referee/game/"):
        raise _later(document, f'format "{kind}"', f'"{FORMAT}"', "format")
    hint = _OTHER.get(kind.removesuffix("/1"), "the game file comes first; `referee check GAME ORDERS` looks at orders")
    problem = document.source.problem("other-document", f'is "{kind}", not a game file', "format", hint)
    raise UnreadableDocument(problem)


def _later(document: Document, found: str, known: str, key: str) -> UnreadableDocument:
    message = f"{found} is not known here, only {known}"
    hint = "the file was made by a newer referee: install that version"
    return UnreadableDocument(document.source.problem("later-version", message, key, hint))


def _check_names(reader: Reader, tree: Mapping[str, Any], state: State) -> None:
    """Check that somebody is awaited, and that every name of a card or mission is one of this game."""
    awaited = len(state.acting)
    if (state.phase == "over") != (not awaited) or (state.phase == "turn" and awaited != 1):
        reader.wrong("acting", f"{awaited} players are awaited in the phase {state.phase}")
    if "opener" in tree and tree["opener"] not in state.players:
        reader.wrong("opener", "must be a player")
    _check_mode(reader, tree, state)
    secrets = ("sealed", "secret") if "gone" in tree else ("missions", "sealed", "secret")
    if state.openly and any(key in tree for key in secrets):
        what = "plays" if "host" in tree else "is missing"
        reader.wrong("host", f"{what}, but something is secret")
    hidden = _hidden_cards(tuple(map(len, tree["deck"].get("commitments", ())))) if "deck" in tree else frozenset()
    for key, names in (("deck.pile", state.pile), ("deck.discards", state.discards)):
        _check_cards(reader, key, names, hidden, state)
    for player, hand in state.hands.items():
        _check_cards(reader, f"hands.{player}", hand, hidden, state)
    dealt = {f"missions/1/{place}" for place in range(len(state.pack))}
    if "gone" in tree:  # each player has laid his own open
        dealt = set(state.board.missions) if len(set(state.missions.values())) == len(state.missions) else set()
    if not dealt.issuperset(state.missions.values()) or not state.missions.keys() <= state.players.keys():
        reader.wrong("missions.held", "must be missions of the pack, held by players")
    if not set(state.pack) <= set(state.board.missions) or len(set(state.pack)) < len(state.pack):
        reader.wrong("missions.pack", "must be different missions of the board")
    for player, territory in state.capitals.items():
        if territory and territory not in state.board.index:
            reader.wrong(f"capitals.{player}.territory", f'"{territory}" is no territory')
        elif not territory and state.rules.capitals != "secret_sweep" and not state.openly:
            reader.wrong(f"capitals.{player}", "is secret in a game without secret capitals")


def _check_mode(reader: Reader, tree: Mapping[str, Any], state: State) -> None:
    """Check that a host who plays has a seat, and that settings are such as his game or a table game has them."""
    plays = tree["host"].get("plays") if "host" in tree else None
    if plays is not None and plays not in state.players:
        reader.wrong("host.plays", "must be a player")
    if "gone" in tree:
        return  # what it is played with was settled when it had a host
    if plays is not None or "host" not in tree or state.settings.trusted_host:
        from referee.documents.modes import why_not_in_mode

        for problem in why_not_in_mode(state.rules, state.settings, "host" in tree, plays is not None):
            reader.wrong(problem.key, problem.message)


def _check_seats(reader: Reader, tree: Mapping[str, Any], state: State) -> None:
    """Check that just those have a box who play and may have something to see, and that chains have so many links."""
    sees = state.phase != "over" and not state.openly and (state.shuffles or state.missions)
    boxes = set(state.playing()) if sees else set()
    if not reader.problems and tree.get("sealed", {}).keys() != boxes:  # what else is wrong may be why
        reader.wrong("sealed", "must be boxes of all who play, where cards or missions are hidden")
    gone = tree.get("gone", {"hosts": ()})
    host = tree.get("host", {"links": 0, "former": gone["hosts"]})
    if host["links"] + sum(one["links"] for one in host.get("former", ())) > MOST_LINKS:
        reader.wrong("host", f"must not have revealed more than {MOST_LINKS} links with all before")
    for player, table in tree["players"].items():
        links = [one["links"] for one in (table, *table.get("former", ()))]
        if max(links) > LENGTH:
            reader.wrong(f"players.{player}", f"must have chains of at most {LENGTH} links")
        elif sum(links) > MOST_LINKS:
            reader.wrong(f"players.{player}", f"must not have revealed more than {MOST_LINKS} links with all before")


@lru_cache(maxsize=4)
def _hidden_cards(sizes: tuple[int, ...]) -> frozenset[str]:
    """Return the names of all cards of shuffles of these sizes; in a row of files the same come again and again."""
    return frozenset(f"deck/{shuffle}/{k}" for shuffle, size in enumerate(sizes, start=1) for k in range(size))


def _check_cards(reader: Reader, key: str, names: Iterable[str], hidden: frozenset[str], state: State) -> None:
    unknown = [name for name in names if name not in hidden and name not in state.board.cards]
    if unknown:
        reader.wrong(key, f'"{unknown[0]}" is no card of this game')


def _strings(values: Iterable[Any], key: str, reader: Reader) -> tuple[str, ...]:
    found = tuple(values)
    if not {*map(type, found)} <= {str}:
        reader.wrong(key, "must be a list of strings")
        return ()
    return found


def _state(tree: Mapping[str, Any], board: Board, reader: Reader) -> tuple[State, dict[PlayerId, Mapping[str, Any]]]:
    rules, settings = rules_and_settings_from(tree["rules"])
    seated = sorted(tree["players"].items(), key=lambda item: item[1]["seat"])
    players = {PlayerId(name): _player(PlayerId(name), table) for name, table in seated}
    if [player.seat for player in players.values()] != list(range(1, len(players) + 1)):
        reader.wrong("players", f"must have the seats 1 to {len(players)}")
    for key in ("owners", "armies"):
        if tree[key].keys() != board.index.keys():
            reader.wrong(key, "must be the territories of the board")
    hands = tree.get("hands") or {player: [] for player in players}
    for key, table in (("luck", tree["luck"]), ("hands", hands)):
        if table.keys() != players.keys():
            reader.wrong(key, "must be the players")
    reader.done()
    deck, missions = tree.get("deck"), tree.get("missions")
    standing = _standing(tree, board, players, reader)
    result = tree.get("result")
    state = State(
        board=board,
        rules=rules,
        settings=settings,
        players=players,
        owners={t: tree["owners"][t] for t in board.territories},
        armies={t: tree["armies"][t] for t in board.territories},
        hands={p: _strings(hands[p], f"hands.{p}", reader) for p in players},
        phase=tree["phase"],
        round=tree["round"],
        acting=tuple(PlayerId(p) for p in _acting(tree, players, reader)),
        first=tree["first"],
        pile=_strings(deck["pile"], "deck.pile", reader) if deck else (),
        discards=_strings(deck["discards"], "deck.discards", reader) if deck else (),
        sets_traded=deck["sets_traded"] if deck else 0,
        shuffled=tuple(_strings(names, "deck.shuffled", reader) for names in deck.get("shuffled", ())) if deck else (),
        missions=_by_seat(missions["held"], players) if missions else {},
        pack=_strings(missions["pack"], "missions.pack", reader) if missions else (),
        opened=_pairs(missions["opened"], "missions.opened", reader) if missions else {},
        capitals={p: table.get("territory", "") for p, table in _by_seat(tree.get("capitals", {}), players).items()},
        claims=_claims(tree, players, board, reader),
        openly=lies_open(tree),
        standing=standing,
        luck={p: _luck(tree["luck"][p]) for p in players},
        result=Result(_strings(result["winners"], "result.winners", reader), result["how"]) if result else None,
    )
    stated = _by_seat(tree.get("standing", {}), players)
    return state, {player: ordered(table) for player, table in stated.items()}


def _claims(
    tree: Mapping[str, Any], players: Mapping[PlayerId, Player], board: Board, reader: Reader
) -> dict[PlayerId, tuple[TerritoryId, ...]]:
    """Return the rankings that stand in a game file, in the order in which they came."""
    found: dict[PlayerId, tuple[TerritoryId, ...]] = {}
    tables = sorted(tree.get("claims", {}).items(), key=lambda item: item[1]["number"])
    for number, (player, table) in enumerate(tables, start=1):
        ranking = _strings(table["ranking"], f"claims.{player}.ranking", reader)
        if player not in players or table["number"] != number or not set(ranking) <= set(board.territories):
            reader.wrong(f"claims.{player}", "must be numbered rankings of territories by players")
        found[PlayerId(player)] = tuple(map(TerritoryId, ranking))
    return found


def _by_seat(table: Mapping[str, Value], players: Iterable[PlayerId]) -> dict[PlayerId, Value]:
    """Return a table of some players in the order of their seats; what is nobody's comes last."""
    found = {player: table[player] for player in players if player in table}
    return {**found, **{PlayerId(name): value for name, value in table.items()}}


def _player(name: PlayerId, table: Mapping[str, Any]) -> Player:
    return Player(
        name, table["seat"], table["colour"], table["status"], table.get("out_turn", 0), table.get("out_by", ""),
        table["missed"], table["sets_traded"], table["to_place"], table.get("passed_over", False),
    )  # fmt: skip


def _luck(table: Mapping[str, Any]) -> Luck:
    values: dict[str, Any] = {**table, "faces": tuple(table["faces"])}
    return Luck(**values)


def _acting(tree: Mapping[str, Any], players: Mapping[PlayerId, Player], reader: Reader) -> tuple[str, ...]:
    acting = _strings(tree["acting"], "acting", reader)
    for player in acting:
        if player not in players:
            reader.wrong("acting", f'"{player}" is no player of this game')
    return tuple(player for player in acting if player in players)


def _pairs(values: Any, key: str, reader: Reader) -> dict[str, str]:
    rows = [_strings(row if type(row) is list else [], key, reader) for row in values]
    if any(len(row) != 2 for row in rows):
        reader.wrong(key, "must be a list of pairs")
        return {}
    return {row[0]: row[1] for row in rows}


def _standing(
    tree: Mapping[str, Any], board: Board, players: Mapping[PlayerId, Player], reader: Reader
) -> dict[PlayerId, Standing]:
    found: dict[PlayerId, Standing] = {}
    for player, table in tree.get("standing", {}).items():
        if player not in players or type(table) is not dict:
            reader.wrong(f"standing.{player}", "is not the standing orders of a player")
            continue
        whole = {"game": tree["game"], "nonce": tree["nonce"], "player": player, **table}
        body = read_standing(whole, board, players, player)
        if isinstance(body, BodyProblems):
            for problem in body.problems:
                reader.wrong(f"standing.{player}.{problem.key}", problem.message, problem.hint)
        else:
            found[PlayerId(player)] = body.standing
    return found


def _game(
    tree: Mapping[str, Any],
    state: State,
    standing: dict[PlayerId, Mapping[str, Any]],
    reader: Reader,
) -> Game:
    deck, missions, secret = tree.get("deck"), tree.get("missions"), tree.get("secret")
    commitments = deck.get("commitments", []) if deck else []
    sizes = [state.deck_size, *map(len, state.shuffled[1:])]
    if state.shuffled and state.shuffled[0]:
        reader.wrong("deck.shuffled", "must have nothing for the first shuffle, which takes all cards")
    if [len(row) for row in commitments] != sizes[: state.shuffles]:
        reader.wrong("deck.commitments", "must be one list for each shuffle, with one for each of its cards")
    if missions and len(missions["commitments"]) != len(state.pack):
        reader.wrong("missions.commitments", "must be one for each mission of the pack")
    if secret and not all(state.capitals.values()):
        reader.wrong("capitals", "must all be open where the secret is revealed")
    return Game(
        name=tree["game"],
        nonce=tree["nonce"],
        turn=tree["turn"],
        previous=tree["previous"],
        rules_version=tree["rules_version"],
        start_seed=tree["start_seed"],
        deadline=tree.get("deadline", ""),
        edition=tree["edition"]["name"],
        variant=tree["edition"]["variant"],
        board_digest=tree["board"]["digest"],
        host=_host(tree["host"]) if "host" in tree else None,
        people={player: _person(tree["players"][player]) for player in state.players},
        state=state,
        deck=tuple(_strings(row, "deck.commitments", reader) for row in commitments),
        mission_commitments=_strings(missions["commitments"], "missions.commitments", reader) if missions else (),
        capitals={
            player: SealedCapital(**{"state": "", "box": "", **tree["capitals"][player]})
            for player, open in state.capitals.items()
            if not open
        },
        sealed=_by_seat(tree.get("sealed", {}), state.players),
        standing=standing,
        evidence=evidence_from(tree["evidence"], reader),
        secret=_secret(secret, state.players) if secret else None,
        opener=tree.get("opener", ""),
        gone=_gone(tree["gone"]) if "gone" in tree else None,
    )


def _host(table: Mapping[str, Any]) -> Host:
    return Host(**{**table, "former": tuple(FormerHost(**one) for one in table.get("former", []))})


def _gone(table: Mapping[str, Any]) -> Gone:
    return Gone(table["since"], tuple(FormerHost(**one) for one in table["hosts"]))


def _person(table: Mapping[str, Any]) -> Person:
    return Person(
        table["title"], table["language"], table["key"], table["seal_key"], table["salt"], table["chain"],
        table["links"], tuple(Former(**one) for one in table.get("former", [])),
    )  # fmt: skip


def _secret(table: Mapping[str, Any], players: Iterable[PlayerId]) -> Secret:
    former = _by_seat(table.get("former_seal_keys", {}), players)
    handed = tuple(_by_seat(keys, players) for keys in table.get("handed_seal_keys", ()))
    return Secret(table["game_secret"], _by_seat(table["seal_keys"], players), former, handed)


def evidence_from(tree: Mapping[str, Any], reader: Reader) -> Evidence:
    """Return the evidence of a game file, its documents as they stand."""
    reveals = _pairs(tree["reveals"], "evidence.reveals", reader)
    openings = [
        _strings(row if type(row) is list else [], "evidence.openings", reader) for row in tree.get("openings", [])
    ]
    if any(len(row) != 3 for row in openings):
        reader.wrong("evidence.openings", "must be a list of name, card and salt")
        openings = []
    unsealed = []
    for table in tree.get("unsealed", []):
        if reader.fields(table, "evidence.unsealed", {"player": str, "salt": str, "content": dict}):
            unsealed.append(Unsealed(table["player"], table["salt"], table["content"]))
    documents = tree["documents"]
    if not all(type(document) is dict for document in documents):
        reader.wrong("evidence.documents", "must be tables")
        documents = []
    return Evidence(
        tuple(reveals.items()),
        tuple(Opening(*row) for row in openings),
        tuple(unsealed),
        tuple(documents),
    )


def events_of(tree: Mapping[str, Any], document: Document) -> tuple[Event, ...]:
    """Return the events of a game file's tree; UnreadableDocument names the first that is none."""
    found: list[Event] = []
    events = tree.get("events")
    if not isinstance(events, list):
        raise UnreadableDocument(document.source.problem("event", "must be a list of events", "events"))
    for number, table in enumerate(events, start=1):
        try:
            found.append(event_from_tree(table))
        except (ValueError, AttributeError, TypeError) as error:
            problem = document.source.problem("event", str(error), f"events[{number}]")
            raise UnreadableDocument(problem) from None
    return tuple(found)
