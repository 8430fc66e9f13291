"""A game file as it stands: board, standings, who is awaited, rules other than the edition's; and one's own hand.

As text in the language of reports, and as a tree for programs. It shows what the public file says and nothing more; a
hand is shown to whoever could open it.
"""

from typing import Any

from referee.documents.gamefile import Game, GameFile, file_name
from referee.documents.hand import OwnHand
from referee.documents.rolling import roller_of
from referee.game.absence import who_must_miss
from referee.game.board import CardId, MissionId, TerritoryId
from referee.game.cards import sets_in, worth
from referee.game.deploying import due_now
from referee.game.legality import income, must_trade
from referee.game.orders import NEUTRAL, PlayerId
from referee.game.records import NamedTuple
from referee.game.rules import CARDS_IN_SET
from referee.game.state import State
from referee.views.board_table import MARK, board_table
from referee.views.standings import standings
from referee.views.terms import deviations, deviations_tree, edition_line, terms_of_game
from referee.views.text import table, wrapped
from referee.views.voice import Voice


def shown(file: GameFile, voice: Voice) -> list[str]:
    """Return the lines of a game file."""
    game, state = file.game, file.game.state
    title = voice.say("title_turn", game=game.name, turn=game.turn)
    if state.phase == "turn":
        title = f"{title}, {voice.say('title_round', round=state.round)}"
    lines = [title, *_edition(game, voice)]
    lines += ["", voice.word("headings", "board"), *board_table(state, voice)]
    lines += ["", voice.word("headings", "standings"), *standings(state, voice)]
    return [*lines, *_seats(game, voice), "", voice.word("headings", "next"), *_awaited(game, voice)]


def _seats(game: Game, voice: Voice) -> list[str]:
    """Say whose seat has changed hands, who has missed turns, and whose standing orders are in force."""
    state, lines = game.state, []
    for player, seat in state.players.items():
        name, limit = voice.player(player), state.settings.missed_limit
        others, keys = _changes_of(game, player)
        if others:
            lines.append(voice.say("seat_changed", player=name, n=others))
        if keys:
            lines.append(voice.say("keys_changed", player=name, n=keys))
        if seat.missed and seat.status == "playing":
            key = "missed_of" if limit else "missed_times"
            lines.append(voice.say(key, player=name, n=seat.missed, limit=limit))
        if player in state.standing and seat.status != "out":
            lines.append(voice.say("standing_in_force", player=name, sequence=state.standing[player].sequence))
    return [row for line in lines for row in wrapped(line, "  ")]


def _changes_of(game: Game, player: PlayerId) -> tuple[int, int]:
    """Return how often others have taken a seat, and how often who sat there has changed his keys."""
    former = game.people[player].former
    keys = sum(one.changed_by != "" for one in former)
    return len(former) - keys, keys


def _edition(game: Game, voice: Voice) -> list[str]:
    lines = edition_line(game, voice)
    terms = terms_of_game(game)
    if not deviations(terms):
        return lines
    from referee.views.rulebook import deviations_shown

    return [*lines, *deviations_shown(terms, voice)]


def _awaited(game: Game, voice: Voice) -> list[str]:
    state = game.state
    if state.result is not None:
        how = voice.word("hows", state.result.how) if state.result.how != "draw" else ""
        players = voice.players(state.result.winners)
        if not how:
            return wrapped(voice.say("game_drawn", players=players), "  ")
        return wrapped(voice.say("game_won", players=players, how=how, n=len(state.result.winners)), "  ")
    if who_must_miss(state):
        file = file_name(game.name, game.turn)
        return wrapped(voice.say("misses_turn", player=voice.players(state.acting), file=file), "  ")
    lines = wrapped(voice.say("awaited", players=voice.players(state.acting), turn=game.turn), "  ")
    if game.deadline:
        lines += wrapped(voice.say("until", deadline=voice.language.letters(game.deadline)), "  ")
    return lines


# --- for programs --------------------------------------------------------------------------------


def tree(file: GameFile) -> dict[str, Any]:
    """Return a game file as a tree for programs."""
    game, state = file.game, file.game.state
    result = state.result
    return {
        "game": game.name,
        "nonce": game.nonce,
        "digest": file.digest,
        "turn": game.turn,
        "round": state.round,
        "phase": state.phase,
        "acting": list(state.acting),
        "deadline": game.deadline,
        "edition": game.edition,
        "variant": game.variant,
        "deviations": deviations_tree(terms_of_game(game)),
        **_who_runs_it(game),
        "players": [_player(game, state, player) for player in state.players],
        **_neutral(state),
        "territories": {t: {"owner": state.owners[t], "armies": state.armies[t]} for t in state.board.territories},
        "continents": {c: _holder(state, c) for c in state.board.continents},
        "sets_traded": state.sets_traded,
        **({"capitals": _capitals(state)} if state.capitals else {}),
        "result": {"how": result.how, "winners": list(result.winners)} if result else None,
    }


def _who_runs_it(game: Game) -> dict[str, Any]:
    """Return the host, or of a table game who opened it and who makes the next game file."""
    if game.host is not None:
        plays = {"plays": game.host.plays} if game.host.plays else {}
        return {"host": {"name": game.host.name, "key": game.host.key, **plays}}
    rolls = roller_of(game).name if game.state.acting else ""
    return {"host": None, "opener": game.opener, "roller": rolls}


def _capitals(state: State) -> dict[str, dict[str, str]]:
    """Return by player the territory, nothing while it is secret, and who holds it."""
    from referee.game.capitals import capital_holders

    return {
        player: {"territory": state.capitals[player], "holder": holder}
        for player, holder in capital_holders(state).items()
    }


def _neutral(state: State) -> dict[str, Any]:
    """Return the neutral army, if the game has one."""
    if state.rules.neutral_army == "none":
        return {}
    return {"neutral": {"territories": len(state.territories_of(NEUTRAL)), "armies": state.armies_of(NEUTRAL)}}


def _player(game: Game, state: State, player: Any) -> dict[str, Any]:
    seat = state.players[player]
    plays = seat.status == "playing" and state.phase == "turn"
    return {
        "player": player,
        "title": game.people[player].title,
        "key": game.people[player].key,
        "seat": seat.seat,
        "colour": seat.colour,
        "status": seat.status,
        "territories": len(state.territories_of(player)),
        "armies": state.armies_of(player),
        "to_place": due_now(state, player),
        "cards": len(state.hands[player]),
        "income": income(state, player).total if plays else 0,
        "missed": seat.missed,
        "substitutes": _changes_of(game, player)[0],
        "keys_changed": _changes_of(game, player)[1],
        "standing": state.standing[player].sequence if player in state.standing else 0,
    }


def _holder(state: State, continent: str) -> str:
    for player in state.players:
        if continent in state.continents_of(player):
            return player
    return ""


# --- one's own hand ------------------------------------------------------------------------------


class Written(NamedTuple):
    """A secret capital as the player's own plain orders say it, and how their file is called."""

    territory: TerritoryId
    file: str


def hand_shown(file: GameFile, hand: OwnHand, voice: Voice, capital: Written | None = None) -> list[str]:
    """Return the lines of a hand: mission, capital, each card, a star where it shows one's own territory, the sets."""
    state = file.game.state
    own = state.territories_of(hand.player)
    lines = []
    if hand.mission:
        mission = state.board.missions[MissionId(hand.mission)]
        lines += wrapped(voice.own_mission(mission, state.players[hand.player].colour, state.rules.own_colour_mission))
    if hand.player in state.capitals:
        lines += wrapped(_own_capital(state.capitals[hand.player] or hand.capital, voice, capital))
    cards = list(hand.cards.values())
    lines += [voice.counted("cards", len(cards))]
    longest = max(map(len, cards), default=0)
    rows = [(f"{MARK if TerritoryId(card) in own else ' '} {voice.card(card)}", card.ljust(longest)) for card in cards]
    lines += [line.rstrip() for line in (table(rows) if rows else [])]
    if any(TerritoryId(card) in own for card in cards):
        lines += wrapped(voice.say("hand_own", mark=MARK), "  ")
    return [*lines, *_sets(state, hand, voice)]


def _own_capital(known: str, voice: Voice, capital: Written | None) -> str:
    if known:
        return voice.say("own_capital", territory=voice.name(known))
    if capital is not None:
        file = voice.language.letters(capital.file)
        return voice.say("own_capital_written", territory=voice.name(capital.territory), file=file)
    return voice.say("own_capital_secret")


def _sets(state: State, hand: OwnHand, voice: Voice) -> list[str]:
    """List the sets of a hand and what each brings now, the best first; say if one must be traded in."""
    sets = _worth(state, hand)
    size = len(hand.cards)
    if size < CARDS_IN_SET or state.phase == "over":
        return []
    lines = wrapped(voice.say("hand_sets" if sets else "hand_none"))
    for cards, value in sets:
        lines += wrapped(f"{', '.join(map(voice.card, cards))}: {voice.counted('armies', value)}", "  ", "    ")
    if must_trade(size, False, state.rules):
        lines += wrapped(voice.say("hand_must", cards=voice.counted("cards", size)))
    return lines


def _worth(state: State, hand: OwnHand) -> list[tuple[tuple[CardId, ...], int]]:
    """Return all sets of a hand with the armies that each would bring as the next one, the best first."""
    before = state.sets_before(hand.player)
    sets = sets_in(hand.cards.values(), state.board)
    valued = [(cards, worth(cards, state.board, state.rules, before)) for cards in sets]
    return sorted(valued, key=lambda pair: -pair[1])


def hand_tree(file: GameFile, hand: OwnHand, capital: Written | None = None) -> dict[str, Any]:
    """Return a hand as a tree for programs."""
    state = file.game.state
    own = state.territories_of(hand.player)
    board = state.board
    cards = [
        {
            "name": name,
            "card": card,
            "symbol": board.symbols.get(TerritoryId(card), "joker"),
            "own": TerritoryId(card) in own,
        }
        for name, card in hand.cards.items()
    ]
    known = state.capitals.get(hand.player) or hand.capital or (capital.territory if capital else "")
    return {
        "game": file.game.name,
        "turn": file.game.turn,
        "player": hand.player,
        "cards": cards,
        "sets": [{"cards": list(cards), "worth": value} for cards, value in _worth(state, hand)],
        "must_trade": state.phase != "over" and must_trade(len(cards), False, state.rules),
        "mission": hand.mission,
        **({"capital": known} if state.capitals else {}),
    }
