"""The report of a turn: plain text of at most 72 columns, made of the events and of the states before and after.

What is read first stands first: who did what, what it cost, who is next; then everything in the order of the turn,
by the numbers of the orders file; then the board, the players, the dice, and how to check it all. The report
recomputes no rule and knows no secret: it says that a card was drawn, and not which.
"""

from collections.abc import Sequence

from referee.documents.gamefile import Game, GameFile, file_name
from referee.game import events as e
from referee.game.absence import who_must_miss
from referee.game.legality import must_trade
from referee.game.orders import PlayerId
from referee.game.state import State
from referee.views.battles import changed_hands, losses
from referee.views.board_table import MARK, board_table
from referee.views.checking import checking, command
from referee.views.happenings import missions_to_come, tell, won
from referee.views.language import Facts
from referee.views.standings import luck_table, standings
from referee.views.tale import NOTE, Tale, person, ruler
from referee.views.text import WIDTH, width_of, wrapped
from referee.views.voice import Voice, voice_of


def report(
    after: GameFile,
    before: GameFile | None,
    events: Sequence[e.Event],
    language: str = "en",
    plain: bool = True,
) -> str:
    """Return the report of the turn that led from `before` to `after`; the start report if there is no `before`.

    `plain` keeps it in ASCII. UsageProblem if there is no such language.
    """
    voice = voice_of(after.game, language, plain)
    state, turn = after.game.state, before.game.turn if before else 0
    earlier = before.game.state if before else _nothing_yet(state)
    tale = Tale(voice, earlier, turn)
    tell(tale, events)
    if before is None and state.rules.mission_dealt == "after_placement":
        missions_to_come(tale, [player.colour for player in state.players.values()])
    if after.game.secret is not None:
        _missions(tale, after.game)
    lines = _title(after.game, before, voice)
    if state.settings.trusted_host and after.game.host is not None:
        lines += _trusted(after.game, voice)
    lines += _start(after.game, voice) if before is None else _short(tale, before.game, after.game, events)
    lines += tale.written()
    if any(state.owners.values()):
        marked = changed_hands(earlier, state)
        legend = f"  {voice.say('marked', mark=MARK)}" if marked else ""
        lines += ["", voice.word("headings", "board") + legend, *board_table(state, voice, marked)]
    lines += ["", voice.word("headings", "standings"), *standings(state, voice)]
    if any(luck.rolls for luck in state.luck.values()):
        lines += ["", voice.word("headings", "luck"), *luck_table(state, voice)]
    lines += ["", voice.word("headings", "next"), *_next(after.game, before, voice)]
    lines += ["", voice.word("headings", "check"), *checking(after, before, voice)]
    return "\n".join(lines) + "\n"


def _trusted(game: Game, voice: Voice) -> list[str]:
    """Say that the host plays, or that who hosted before did, and knows all."""
    host = game.keeper
    facts: Facts = {"host": voice.language.letters((host.former or (host,))[0].name)}
    key = "trusted_host" if host.plays_himself else "trusted_host_before"
    return wrapped(voice.say(key, player=voice.player(host.plays), **facts), "  ")


def _nothing_yet(state: State) -> State:
    from referee.game.setup import blank

    return blank(state.board, state.rules, state.settings, state.openly)


def _missions(tale: Tale, game: Game) -> None:
    """Say which mission each player had, now that the secret is laid open."""
    from referee.documents.base64 import decode
    from referee.documents.knowledge import HostKnowledge
    from referee.game.board import MissionId

    state, voice = game.state, tale.voice
    if game.secret is None or not state.missions:
        return
    knowledge = HostKnowledge(decode(game.secret.game_secret), decode(game.start_seed), state.board)
    knowledge.learn(state)
    tale.tell("result", "missions_open")
    lines = []
    for player, name in state.missions.items():
        mission = state.board.missions[MissionId(knowledge.id_of(name))]
        words = voice.own_mission(mission, state.players[player].colour, state.rules.own_colour_mission)
        lines.append(voice.say("mission_of", player=voice.player(player), mission=words))
    tale.bullets(lines)


def _title(game: Game, before: GameFile | None, voice: Voice) -> list[str]:
    if before is None:
        left, right = voice.say("title_start", game=game.name), ""
    elif before.game.state.phase == "turn":
        left = voice.say("title_turn", game=game.name, turn=before.game.turn)
        right = voice.say("title_round", round=before.game.state.round)
    else:
        left = voice.say("title_set_up", game=game.name, turn=before.game.turn)
        right = ""
    if width_of(left) + width_of(right) + 2 > WIDTH:
        return [left, right, ruler()]
    return [(left + " " * (WIDTH - width_of(left) - width_of(right)) + right).rstrip(), ruler()]


# --- in short ----------------------------------------------------------------------------------


def _start(game: Game, voice: Voice) -> list[str]:
    from referee.views.terms import TOLD, deviations, edition_line, terms_of_game

    settings = game.state.settings
    lines = wrapped(voice.language.letters(_given_title(game)), NOTE, NOTE) if _given_title(game) else []
    lines += edition_line(game, voice)
    lines += wrapped(voice.word("policies", settings.missed), "  ")
    if settings.missed_limit:
        lines += wrapped(voice.say("missed_limit", n=settings.missed_limit), "  ")
    terms = terms_of_game(game)
    if deviations(terms):
        from referee.views.rulebook import deviations_shown

        lines += deviations_shown(terms, voice, TOLD)
    return lines


def _given_title(game: Game) -> str:
    """Return the title that the opener has given the game in the invitation."""
    for document in game.evidence.documents:
        if document.get("format") == "referee/invitation/1":
            return str(document.get("title", ""))
    return ""


def _short(tale: Tale, before: Game, after: Game, events: Sequence[e.Event]) -> list[str]:
    """Say in a few lines what matters most."""
    voice = tale.voice
    facts: list[str] = []
    lines: list[str] = []
    result = after.state.result
    if result is not None and result.how == "draw":
        facts.append(voice.say("game_drawn", players=voice.players(result.winners)))
    elif result is not None:
        facts.append(voice.say("game_won", **won(tale, result.winners, result.how)))
    if before.state.phase == "turn":
        player = before.state.acting[0]
        lines = person(voice, player, before.state.players[player].colour)
        facts += _gains(voice, player, before.state, after.state, events)
    if after.state.acting:
        facts.append(voice.say("short_next", players=voice.players(after.state.acting), turn=after.turn))
    return [*lines, *(line for fact in facts for line in wrapped(fact, "  ", "    "))]


_MISSES = {"standing": "misses_standing", "default": "misses_default"}
"""By policy: what is said of one who was passed over, and of whom no orders were awaited. The game does not wait."""


def _gains(voice: Voice, player: PlayerId, before: State, after: State, events: Sequence[e.Event]) -> list[str]:
    """Say what was taken and lost: territories, armies, continents, players."""
    name = voice.player(player)
    kinds = {type(event): event for event in events}
    missed = kinds.get(e.TurnMissed)
    facts: list[str] = []
    if isinstance(missed, e.TurnMissed) and player in who_must_miss(before):
        facts = [voice.say(_MISSES[missed.policy], player=name)]
    elif isinstance(missed, e.TurnMissed):
        facts = [voice.word("missed", missed.policy, player=name)]
    taken = [event.target for event in events if isinstance(event, e.TerritoryConquered)]
    if taken:
        facts.append(voice.say("short_taken", player=name, territories=voice.territories(taken), n=len(taken)))
    elif (
        not facts
        and e.HostGone not in kinds
        and not any(isinstance(one, e.PlayerResigned) and one.player == player for one in events)
    ):
        facts = [voice.say("short_none", player=name)]
    lost = losses(tuple(events))
    if lost:
        facts.append(voice.say("short_losses", losses=voice.pairs(lost.items())))
    for one in after.players:
        had, has = before.continents_of(one), after.continents_of(one)
        for key, land in (("short_holds", set(has) - set(had)), ("short_lost", set(had) - set(has))):
            if land:
                continents = voice.territories(c for c in after.board.continents if c in land)
                facts.append(voice.say(key, player=voice.player(one), continents=continents))
    for event in events:
        match event:
            case e.CapitalTaken(by, owner, place):
                facts.append(voice.say("short_capital", owner=voice.player(owner), territory=voice.name(place)))
                swept = [one.territory for one in events if isinstance(one, e.TerritorySwept) and one.previous == owner]
                if swept:
                    gains: Facts = {"player": voice.player(by), "previous": voice.player(owner)}
                    facts.append(voice.say("short_swept", territories=voice.territories(swept), **gains))
            case e.PlayerEliminated(gone, by, turn):
                facts.append(voice.say("player_eliminated", player=voice.player(gone), by=voice.player(by), turn=turn))
            case e.PlayerResigned(gone):
                facts.append(voice.say("short_resigned", player=voice.player(gone)))
            case e.SeatRemoved(gone):
                facts.append(voice.say("is_passive", player=voice.player(gone)))
    return facts


# --- what comes next -----------------------------------------------------------------------------


def _to_place(state: State, player: PlayerId) -> tuple[int, int]:
    """Return how many armies a player has to place now, and how many in all, in the set-up."""
    if state.phase == "turn":
        return 0, 0
    from referee.game.deploying import due_now

    return due_now(state, player), state.players[player].to_place


def _next(game: Game, before: GameFile | None, voice: Voice) -> list[str]:
    """Say who has to do what, until when, and with which command to begin."""
    state = game.state
    if state.phase == "over":
        return wrapped(voice.say("over"), "  ")
    file = file_name(game.name, game.turn)
    lines: list[str] = []
    for player in state.acting:
        facts: Facts = {"player": voice.player(player), "colour": voice.name(state.players[player].colour)}
        if player in who_must_miss(state):
            lines += wrapped(voice.say("misses_turn", player=voice.player(player), file=file), "  ", "    ")
            continue
        due, left = _to_place(state, player)
        text = voice.word("awaited", state.phase, n=due, left=left, turn=game.turn, file=file, **facts)
        lines += wrapped(text, "  ", "    ")
        size = len(state.hands[player])
        if state.phase == "turn" and must_trade(size, False, state.rules):
            lines += wrapped(voice.say("must_trade", cards=voice.counted("cards", size), **facts), "  ", "    ")
    if game.deadline and (before is None or before.game.deadline != game.deadline):
        lines += wrapped(voice.say("until", deadline=voice.language.letters(game.deadline)), "  ")
    if who_must_miss(state):
        return lines
    return [*lines, *command(["referee", "draft", file, "--key", _key_file(game, voice)])]


def _key_file(game: Game, voice: Voice) -> str:
    """Return the file in which the key of the one who is awaited lies, as `keygen` names it, where that can be known.

    A host who plays has one key, named after the host. Of several players, or of keys that came later, it is not known.
    """
    if len(game.state.acting) != 1:
        return voice.say("own_key")
    player = game.state.acting[0]
    person = game.people[player]
    hosts = {host.key: host.name for host in game.former_hosts}
    if game.host_seat:
        hosts[game.keeper.key] = game.keeper.name
    if person.former and person.key not in hosts:
        return voice.say("own_key")
    return f"{hosts.get(person.key, player)}.key"
