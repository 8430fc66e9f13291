"""Random games, and what must be true of every turn of every game.

`game` plays one in process, with planned and with random orders, standing orders, resignations, missed turns and
switches set otherwise, and holds each turn against the laws; a broken one is an AssertionError that says which.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from referee.documents.acting import passed_over_act
from referee.documents.acts import FEWEST
from referee.documents.base64 import decode, encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import host_knowledge
from referee.documents.canonical import digest_of
from referee.documents.capitals import host_capitals
from referee.documents.gamefile import GameFile, open_game, tree_of
from referee.documents.gamereader import events_of
from referee.documents.intake import ORDERS, RESIGN
from referee.documents.knowledge import HostKnowledge
from referee.documents.layout import table_text
from referee.documents.orders import read_orders
from referee.documents.reveals import needs_reveals_of
from referee.documents.rolling import roller_of
from referee.documents.secrets import game_secret, turn_seed
from referee.documents.signing import Document, read
from referee.documents.verify import verify_next
from referee.documents.witnesses import is_watched, who_may_reveal
from referee.game import events as e
from referee.game.absence import who_must_miss, who_rolls_for
from referee.game.attacking import rolled
from referee.game.deploying import due_now, neutral_due
from referee.game.dice import battle_dice
from referee.game.orders import NEUTRAL, Orders, PlayerId
from referee.game.position import Ask, Done, Position, Roll
from referee.game.rules import Settings
from referee.game.state import SET_UP, State, apply
from referee.game.turn import answered, step
from referee.views.report import report
from support.planner import STYLES, plan, random_condition, random_orders, set_up
from support.table import HOST, NAMES, Table, key_of

SWITCHES: Mapping[str, Sequence[Any]] = {
    "set_counter": ("global", "per_player"),
    "forced_trade_down": ("one_set", "below_limit"),
    "territory_bonus": ("once_per_set", "each_card", "once_per_turn"),
    "elimination_trade": ("none", "forced_from_6_to_4", "free"),
    "used_cards": ("under_deck", "discard_pile"),
    "attack_strength": ("armies_then_dice", "dice_are_armies"),
    "two_defence_dice_from": (3, 2),
    "defence_dice": ("defender_chooses", "maximum"),
    "fortify": ("adjacent", "connected", "anywhere"),
    "unnamed_attack_penalty": (0, 3),
    "minimum_reinforcement": ("territory_share", "whole_income"),
    "set_values": ("fixed_by_symbol", "rising"),
    "win_timing": ("own_turn", "any_time"),
    "mission_colour_lost_to_other": ("counts_as_done", "fallback_24"),
    "own_colour_mission": ("fallback_24", "redraw"),
}

CLOSELY = 6
"""Every so many game files one is looked at closely."""


def game(edition: str, variant: str, players: int, seed: int, turns: int, hosted: bool = True, mode: str = "") -> Table:
    """Play a game of at most so many game files; some are resolved again, read and verified as well.

    A hosted game may have witnesses, a host who plays, one who is trusted, or both: in `mode` are words for it.
    """
    rng = Random(f"{edition}/{variant}/{players}/{seed}{'' if hosted else '/table'}{mode and f'/{mode}'}")
    changes = {}
    if seed % 2:
        changes = {key: rng.choice(values) for key, values in SWITCHES.items() if rng.randrange(3) == 0}
    settings = Settings(
        missed=rng.choice(("default", "standing", "wait")),
        missed_limit=rng.choice((0, 0, 2)),
        deployment_batch=rng.choice((0, 0, 9)),
        deployment=rng.choice(("together", "together", "in_turn")),
    )
    if mode:
        trusted, witness = "trusted" in mode, "witness" in mode
        start = rng.choice(("quick", "careful"))
        settings = settings._replace(trusted_host=trusted, witness=witness, start=start)
    plays = NAMES[seed % players] if "plays" in mode or "trusted" in mode else ""
    table = Table(edition, variant, players, seed, settings, changes, hosted, plays)
    wild = rng.choice((0, 0, 4, 10))
    _start_laws(table)
    for number in range(turns):
        before = table.file
        if before.game.state.phase == "over":
            break
        documents, missed = _documents(table, rng, wild)
        closely = number % CLOSELY == seed % CLOSELY
        made = table.play(documents, missed, reads=closely)
        _turn_laws(before, made)
        if not hosted:
            _openness(before, made, documents)
        elif not before.game.state.openly:
            _secrecy(table, made)
        if hosted:
            _company(before, made)
        if closely or made.game.state.phase == "over":
            _replay_laws(table, before, made, documents, missed)
    return table


# --- what is handed in ---------------------------------------------------------------------------


def _documents(table: Table, rng: Random, wild: int) -> tuple[list[Document], list[str]]:
    """Return what everybody hands in: orders, some of them twice, and now and then something else."""
    documents, taken = _acts(table, rng)
    state = table.file.game.state
    missed = _missed(state, rng) if table.hosted else _missed_at_a_table(state, rng)
    bound = _passed_over(table, rng) if not table.hosted and not missed and not taken else []
    documents += bound
    seat, watched = table.file.game.host_seat, is_watched(table.file.game)
    absent = [*missed, *who_must_miss(state)]
    for player in [one for one in absent if one not in taken and state.phase == "turn" and table.hosted]:
        roller = who_rolls_for(state, PlayerId(player), seat) if not watched else None
        if roller and (roller in taken or rng.randrange(2)):
            missed.append(roller)
        elif roller:
            documents.append(table.reveal(roller))
    for player in state.acting:
        if player in (*missed, *who_must_miss(state)):
            continue
        if rng.randrange(5) == 0:
            documents.append(table.orders(player, _body(table, player, rng, 10), 1))
        documents.append(table.orders(player, _body(table, player, rng, wild), 2))
    if rng.randrange(6) == 0:
        player = rng.choice(state.playing())
        old = state.standing.get(player)
        body = _standing(state, player, rng)
        if player not in taken:
            documents.append(table.standing(player, body, old.sequence + 1 if old else 1))
    if rng.randrange(60) == 0:
        leaving = rng.choice(state.playing())
        if leaving not in missed and leaving not in taken and not (bound and leaving in state.acting):
            documents.append(table.resignation(leaving))
    if rng.randrange(150) == 0 and not taken:
        documents += [table.vote(player) for player in state.playing()]
    if watched:
        missed += [player for player in taken if player in state.acting and state.phase in SET_UP]
        documents = [one for one in documents if one.format != ORDERS or one.tree["player"] not in missed]
        documents += _beside(table, documents, missed, rng)
    rng.shuffle(documents)
    return documents, missed


def _beside(table: Table, documents: Sequence[Document], missed: Sequence[str], rng: Random) -> list[Document]:
    """Return the reveals that a watched game needs; now and then somebody is passed over."""
    file, state = table.file, table.file.game.state
    last = {str(one.tree["player"]): one for one in documents if one.format == ORDERS and one.tree["sequence"] == 2}
    leaving = [PlayerId(str(one.tree["player"])) for one in documents if one.format == RESIGN]
    counting = [last[player] for player in state.players if player in last and player not in leaving]
    absent = [*map(PlayerId, missed), *who_must_miss(state)]
    needed = needs_reveals_of(file, absent, leaving)
    acts: list[Document] = []
    if needed and len(who_may_reveal(file.game, absent)) > 1 and rng.randrange(10) == 0:
        tree = passed_over_act(file, needed[0], [digest_of(one.tree) for one in counting], table.host_key)
        acts = [read(table_text(tree).encode(), "act-passed-over.toml")]
        needed = needs_reveals_of(file, absent, leaving, needed[:1])
    return [*acts, *(table.reveal(player, counting, table.on_record(player)) for player in needed)]


def _acts(table: Table, rng: Random) -> tuple[list[Document], list[str]]:
    """Return now and then a deadline, and a substitute with the seat that he takes."""
    documents: list[Document] = []
    if rng.randrange(30) == 0:
        documents += table.deadlines("2027-01-31T20:00:00+01:00")
    if rng.randrange(30) or (not table.hosted and len(table.file.game.state.playing()) <= FEWEST):
        return documents, []
    player = rng.choice(table.file.game.state.playing())
    if table.file.game.state.phase == "capital" and table.file.game.state.openly:
        return documents, []  # who takes the seat could not open what the one before has committed himself to
    return [*documents, *table.substitution(player, f"{player}-{table.file.game.turn}")], [player]


def _missed_at_a_table(state: State, rng: Random) -> list[str]:
    """Return of whom nothing comes: there must be two others who say so."""
    if len(state.playing()) <= FEWEST or rng.randrange(8):
        return []
    return [player for player in state.acting if player not in who_must_miss(state) and rng.randrange(2)]


def _passed_over(table: Table, rng: Random) -> list[Document]:
    """Return now and then the orders of a turn with the acts by which the one who should roll is passed over."""
    state = table.file.game.state
    if state.phase != "turn" or who_must_miss(state) or len(state.playing()) <= FEWEST or rng.randrange(12):
        return []
    player = state.acting[0]
    orders = table.orders(player, _body(table, player, rng, 0), 3)
    return [orders, *table.acts("passed_over", table.roller(), orders=[digest_of(orders.tree)])]


def _missed(state: State, rng: Random) -> list[str]:
    if rng.randrange(8):
        return []
    if state.phase == "deploy" and state.settings.deployment == "in_turn":
        return []
    if state.phase in ("claim", "turn") or state.rules.first_turn == "left_of_general":
        return [player for player in state.acting if player not in who_must_miss(state) and rng.randrange(2)]
    return list(state.acting)


def _body(table: Table, player: PlayerId, rng: Random, wild: int) -> Mapping[str, Any]:
    """Return orders: planned, or `wild` times out of ten random ones."""
    state = table.file.game.state
    hand = table.hand(player)
    cards = list(hand.cards.values())
    if rng.randrange(10) < wild:
        if state.phase == "claim":
            return {"claim": rng.sample(state.board.territories, rng.randrange(43)), "note": "Mine!"}
        if state.phase == "capital":
            return {"capital": rng.choice(state.territories_of(player)), "note": "Mine own."}
        if state.phase == "deploy":
            return _random_deployment(state, player, rng)
        return random_orders(state, player, cards, rng)
    if state.phase in SET_UP:
        return set_up(state, player, table.seed)
    return plan(state, player, cards, hand.mission, table.seed, rng.choice(STYLES))


def _random_deployment(state: State, player: PlayerId, rng: Random) -> Mapping[str, Any]:
    placed: dict[str, int] = {}
    for _ in range(due_now(state, player)):
        territory = rng.choice(state.territories_of(player))
        placed[territory] = placed.get(territory, 0) + 1
    body: dict[str, Any] = {"deploy": placed, "note": "Here we go."}
    neutral: dict[str, int] = {}
    for _ in range(neutral_due(state, player, due_now(state, player))):
        territory = rng.choice(state.territories_of(NEUTRAL))
        neutral[territory] = neutral.get(territory, 0) + 1
    return {**body, "neutral": neutral} if neutral else body


def _standing(state: State, player: PlayerId, rng: Random) -> Mapping[str, Any]:
    own = state.territories_of(player) or state.board.territories
    lands = {territory: rng.randrange(1, 3) for territory in rng.sample(own, min(2, len(own)))}
    body: dict[str, Any] = {"note": "until further notice", "defend": {"dice": rng.randrange(1, 3), **lands}}
    if rng.randrange(2):
        border = {"border": rng.choice(list(state.players))}
        body["neutral"] = rng.choice(("even", border, rng.sample(state.board.territories, 5)))
    if rng.randrange(2):
        fortify: dict[str, Any] = {"from": own[0], "to": rng.choice(state.board.neighbours[own[0]])}
        if rng.randrange(2):
            fortify["unless"] = [random_condition(state, player, rng)]
        body["missed"] = {
            "trade": rng.choice(("forced", "best", "none")),
            "place": rng.sample(state.board.territories, 3),
            "fortify": [fortify],
        }
        if rng.randrange(2):
            body["missed"]["attack"] = [{"from": own[-1], "to": rng.choice(state.board.neighbours[own[-1]])}]
    return body


# --- the laws ------------------------------------------------------------------------------------


def _turn_laws(before: GameFile, made: GameFile) -> None:
    """Fold the events: the state is sound after each, armies and cards are conserved, the dead do nothing."""
    state, after = before.game.state, made.game.state
    armies = sum(state.armies.values())
    for number, event in enumerate(made.game.events, start=1):
        where = f"turn {before.game.turn}, event {number}: {event}"
        who = getattr(event, "player", getattr(event, "attacker", ""))
        if who in state.players and not isinstance(event, e.PlayerEliminated | e.StandingRecorded):
            assert state.players[PlayerId(who)].status != "out", where
        state = apply(state, event)
        armies += _armies_of(event)
        assert not state.problems(), (where, state.problems())
        assert sum(state.armies.values()) == armies, where
        _hand_law(before.game.state, state, event, where)
        if state.has_cards:
            held = sum(len(hand) for hand in state.hands.values())
            deck = len(state.board.cards) - len(state.capitals)
            assert held + len(state.pile) + len(state.discards) == deck, where
    assert sum(isinstance(event, e.CardDrawn) for event in made.game.events) <= 1
    state = state._replace(standing=after.standing)
    if after.phase in SET_UP:
        state = state._replace(phase=after.phase, acting=after.acting)
    assert state == after, f"turn {before.game.turn}: the folded events give another state"


def _hand_law(before: State, state: State, event: e.Event, where: str) -> None:
    """Five cards are not kept: a set has gone before armies are placed, and where it is forced before an attack."""
    rules = state.rules
    if isinstance(event, e.ReinforcementsCounted):
        player = PlayerId(event.player)
        first, size = len(before.hands[player]), len(state.hands[player])
        assert first < 5 or size <= first - 3, where
        assert size < 5 or rules.forced_trade_down == "one_set", where
    elif isinstance(event, e.AttackBegan) and rules.elimination_trade == "forced_from_6_to_4":
        size = len(state.hands[PlayerId(event.player)])
        assert size < 6 or rules.capitals == "secret_sweep", where


def _report_law(before: GameFile, made: GameFile) -> None:
    """A report is plain text of 72 columns without a gap, in every language."""
    for language in ("en", "nb"):
        text = report(made, before, made.game.events, language)
        assert text.isascii()
        assert not any(mark in text for mark in "{}~"), text
        assert all(len(line) <= 72 for line in text.split("\n")), text


def _armies_of(event: e.Event) -> int:
    """Return by how much an event changes the number of armies on the board, read from its numbers alone."""
    match event:
        case e.TerritoryClaimed():
            return 1
        case e.TerritorySwept():
            return 1 - event.removed
        case e.ArmiesPlaced() | e.ArmiesDeployed():
            return sum(number for _, number in event.armies)
        case e.BattleFought():
            return -event.attacker_lost - event.defender_lost
        case e.PenaltyPaid():
            return -event.armies
        case _:
            return 0


def _replay_laws(
    table: Table, before: GameFile, made: GameFile, documents: Sequence[Document], missed: Sequence[str]
) -> None:
    """Resolve again and in another order, read what was written, and let somebody without the secret verify it."""
    _report_law(before, made)
    here = Table.at(table, before)
    for again in (list(documents), list(reversed(documents)), [*documents, *documents[:1]]):
        assert here.resolved(again, list(reversed(missed))).text == made.text
    opened = open_game(made.text.encode(), board_by_name, made.file)
    assert opened.digest == made.digest
    assert opened.game.state == made.game.state
    document = read(made.text.encode())
    events = events_of(document.tree, document)
    assert events == made.game.events
    assert tree_of(opened.game._replace(events=events)) == tree_of(made.game)
    assert verify_next(before, made.text.encode(), made.file).file.digest == made.digest


def _start_laws(table: Table) -> None:
    assert not table.file.game.state.problems()
    if table.hosted and not table.file.game.state.openly:
        _secrecy(table, table.file)


def _company(before: GameFile, made: GameFile) -> None:
    """A host is never alone in rolling for his own seat, nor with witnesses for anybody, if somebody else is there."""
    state, game = before.game.state, before.game
    rolled = [who for who, _ in made.game.evidence.reveals]
    if state.phase != "turn":
        assert not (rolled and game.host_seat)
        return
    awaited = state.acting[0]
    others = [player for player in state.playing() if player not in (awaited, game.host_seat)]
    beside = [who for who in rolled if who != HOST]
    assert len(beside) == len(rolled) - 1
    assert set(beside) <= set(others)
    assert len(beside) <= 1
    if others and (awaited == game.host_seat or state.settings.witness):
        assert beside


def _openness(before: GameFile, made: GameFile, documents: Sequence[Document]) -> None:
    """In a table game nothing is hidden, one link is spent a turn, and nobody rolls for his own orders."""
    state, game = before.game.state, made.game
    assert not game.sealed
    assert not game.deck
    assert not game.evidence.openings
    rolled = [player for player, _ in game.evidence.reveals]
    assert len(rolled) == (state.phase == "turn")
    assert not set(rolled) & set(state.acting)
    over = [event.player for event in game.events if isinstance(event, e.RollPassedOver)]
    assert rolled in ([], [roller_of(before.game, over).name])
    links = {player: one.links for player, one in before.game.people.items()}
    for player, one in game.people.items():
        assert one.former != before.game.people[player].former or one.links == links[player] + (player in rolled)
    drawn = [event.card for event in game.events if isinstance(event, e.CardDrawn)]
    assert set(drawn) <= {*before.game.state.board.cards} - {c for hand in state.hands.values() for c in hand} | {
        card for event in game.events if isinstance(event, e.SetTraded) for card in event.cards
    }
    assert list(game.state.pile) == sorted(game.state.pile)


def _secrecy(table: Table, made: GameFile) -> None:
    """Look for whatever is hidden in the public file: no salt, joker, mission or capital; boxes tell a number only."""
    state, text = made.game.state, made.text
    if state.phase == "over":
        return
    knowledge = host_knowledge(made.game, table.host_key)
    knowledge.learn(state)
    _secret_capitals(table, made)
    opened = {opening.name for opening in made.game.evidence.openings}
    for name in _hidden(state):
        opening = knowledge.opening(name)
        assert opening.salt not in text, name
        assert name not in opened, name
        if opening.id.startswith("joker") and not any(opening.id in pile for pile in state.shuffled):
            assert f'"{opening.id}"' not in text, name
    named = 2 if 'kind = "missions_dealt"' in text else 1
    for mission in state.pack:
        assert text.count(f'"{mission}"') == named, mission
    for player, box in made.game.sealed.items():
        length = 16 + 128 * (4 + len(state.hands[player]))
        assert len(decode("".join(box.split()))) == length, player
    secret = game_secret(table.host_key, decode(made.game.nonce))
    assert encode(secret) not in text
    assert HOST in text


def _secret_capitals(table: Table, made: GameFile) -> None:
    """No secret capital is opened or told, and its card is in no pile; no box is larger than another."""
    game = made.game
    if not game.capitals:
        return
    capitals = host_capitals(game, table.host_key)
    cards = host_knowledge(game, table.host_key)
    cards.learn(game.state)
    told = {event.territory for event in game.events if isinstance(event, e.CapitalRevealed | e.CapitalTaken)}
    for player, kept in game.capitals.items():
        territory = capitals.open(player)
        assert capitals.opened[-1].salt not in made.text, player
        assert player not in {row.player for row in game.evidence.unsealed}
        assert territory not in told
        assert game.state.owners[territory] == player
        assert len(kept.box) == len(next(iter(game.capitals.values())).box)
        assert territory not in {cards.id_of(name) for name in game.state.pile}


def _hidden(state: State) -> Iterator[str]:
    """Return the names of all cards and missions that nobody but the host, and whoever holds them, knows."""
    for names in (state.pile, state.discards, *state.hands.values()):
        yield from (name for name in names if name.startswith("deck/"))
    yield from (name for name in state.missions.values() if name not in state.opened)
    held = set(state.missions.values())
    yield from (name for name in (f"missions/1/{place}" for place in range(len(state.pack))) if name not in held)


def stepped(before: GameFile, document: Document, made: GameFile) -> tuple[list[e.Event], State]:
    """Play a turn step by step and roll by roll, with the dice and answers that `made` came of."""
    game = before.game
    orders = read_orders(document.tree, game.state.board, game.state.players, game.state.acting[0])
    assert isinstance(orders, Orders)
    evidence = made.game.evidence
    digests = [digest_of({k: v for k, v in document.tree.items() if k != "signature"})]
    seed = turn_seed(game.name, game.nonce, game.turn, before.digest, digests, evidence.reveals)
    knowledge = HostKnowledge(game_secret(key_of(HOST), decode(game.nonce)), decode(game.start_seed), game.state.board)
    position = Position(game.state, orders, game.turn)
    events: list[e.Event] = []
    while True:
        move = step(position)
        if isinstance(move, Roll):
            move = rolled(position, *battle_dice(seed, *move))
        elif isinstance(move, Ask):
            move = answered(position, knowledge.answer(move.question, len(events)))
        elif isinstance(move, Done):
            break
        events += move.events
        position = move.position
    if move.state.phase == "over":
        events.append(e.SecretRevealed(game.host.name))
    return events, move.state
