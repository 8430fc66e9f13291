"""Every other event as it is told: the start, reinforcements, cards, the final move, who comes and goes, the end.

`HOW` has a function for each kind of event; a test says that none is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.game import events as e
from referee.game.missions import missions_in_play
from referee.game.rules import Rules
from referee.game.state import apply
from referee.views import battles as b
from referee.views.language import Facts
from referee.views.tale import Section, Tale, person
from referee.views.text import WIDTH, width_of


def _seats_assigned(tale: Tale, event: e.SeatsAssigned) -> None:
    tale.enter("table")
    for seat, (player, colour) in enumerate(zip(event.players, event.colours, strict=True), start=1):
        tale.lines += person(tale.voice, player, colour, f"  {seat}. ")


def _start_rolled(tale: Tale, event: e.StartRolled) -> None:
    voice = tale.voice
    facts: Facts = {"rolls": voice.pairs(event.rolls), "highest": voice.players(event.highest)}
    purpose = voice.word("purposes", event.purpose)
    tale.tell("set_up", "start_rolled", round=event.round, purpose=purpose, n=len(event.highest), **facts)


def _territories_dealt(tale: Tale, event: e.TerritoriesDealt) -> None:
    voice = tale.voice
    held: dict[str, int] = {}
    for _, owner in event.dealt:
        held[owner] = held.get(owner, 0) + 1
    tale.tell("set_up", "territories_dealt", numbers=voice.pairs(held.items()))
    tale.tell("set_up", "first_armies", numbers=voice.pairs(event.armies))


def _missions_dealt(tale: Tale, event: e.MissionsDealt) -> None:
    tale.tell("set_up", "missions_dealt", n=len(event.pack))
    _missions(tale, event.pack)


def missions_to_come(tale: Tale, colours: Sequence[str]) -> None:
    """Say which missions there will be where they are dealt after the armies are placed (P-16)."""
    pack = missions_in_play(tale.voice.board, colours)
    tale.tell("set_up", "missions_to_come", n=len(pack))
    _missions(tale, pack)


def _missions(tale: Tale, pack: Sequence[str]) -> None:
    voice = tale.voice
    missions = [voice.board.missions[mission] for mission in pack]  # type: ignore[index]
    tale.bullets(voice.mission(mission) for mission in missions)
    if any(mission.kind == "eliminate_colour" for mission in missions):
        _fallbacks(tale, tale.state.rules)


def _fallbacks(tale: Tale, rules: Rules) -> None:
    fallback = tale.voice.mission(tale.voice.board.fallback)
    tale.add(tale.voice.word("own_colour", rules.own_colour_mission, mission=fallback))
    tale.add(tale.voice.word("lost_to_other", rules.mission_colour_lost_to_other, mission=fallback))


def _deck_shuffled(tale: Tale, event: e.DeckShuffled) -> None:
    section: Section = "set_up" if event.number == 1 else "end"
    tale.tell(section, "deck_shuffled", number=event.number, cards=tale.voice.counted("cards", event.cards))


def _pile_laid_open(tale: Tale, event: e.PileLaidOpen) -> None:
    section: Section = "end" if tale.state.phase == "turn" else "set_up"
    if tale.section == "changes":
        section = "changes"  # where the host is gone it belongs to what is laid open then
    tale.tell(section, "pile_laid_open", cards=tale.voice.counted("cards", len(event.cards)))


def _ranking_given(tale: Tale, event: e.RankingGiven) -> None:
    territories = tale.voice.counted("territories", len(event.ranking))
    tale.tell("set_up", "ranking_given", player=tale.voice.player(event.player), territories=territories)


def _territory_claimed(tale: Tale, event: e.TerritoryClaimed) -> None:
    """Tell a claim; those of one round stand in one row, as far as there is room."""
    voice, held = tale.voice, {player: len(tale.state.territories_of(player)) for player in tale.state.players}
    number = held[event.player] + 1  # type: ignore[index]
    facts: Facts = {"player": voice.player(event.player), "territory": voice.name(event.territory)}
    claim = voice.say("territory_claimed", wish=str(event.wish or "-"), **facts)
    if not any(held.values()):
        tale.tell("set_up", "claims")
    tale.enter("set_up")
    first = f"  {number:>2}. "
    if max(held.values()) < number:
        tale.add(claim, first)
        return
    row = f"{tale.lines[-1]}, {claim}"
    if width_of(row) <= WIDTH:
        tale.lines[-1] = row
        return
    if width_of(tale.lines[-1]) == WIDTH:  # there is no room for the comma: the last claim goes on to the next row
        tale.lines[-1], _, last = tale.lines[-1].rpartition(", ")
        claim = f"{last}, {claim}"
    tale.lines[-1] += ","
    tale.add(claim, " " * len(first))


def _armies_deployed(tale: Tale, event: e.ArmiesDeployed) -> None:
    voice = tale.voice
    total = sum(number for _, number in event.armies)
    facts: Facts = {"player": voice.player(event.player), "armies": voice.counted("armies", total)}
    text = voice.say("armies_deployed", where=voice.pairs(event.armies), **facts)
    text += voice.say("still_to_place", n=event.left) if event.left else ""
    tale.enter("set_up")
    tale.add(text + (voice.say("by_referee") if event.by == "referee" else ""))


def _capital(tale: Tale, event: e.CapitalChosen | e.CapitalRevealed) -> None:
    voice, player = tale.voice, tale.voice.player(event.player)
    if isinstance(event, e.CapitalChosen):
        tale.tell("set_up", "capital_chosen", player=player)
        return
    text = voice.say("capital_revealed", player=player, territory=voice.name(event.territory))
    by_phase: dict[str, Section] = {"over": "result", "turn": "changes"}
    tale.enter(by_phase.get(tale.state.phase, "set_up"))
    tale.add(text + (voice.say("by_referee") if event.by == "referee" else ""))


def _turn_began(tale: Tale, event: e.TurnBegan) -> None:
    section: Section = "set_up" if tale.state.phase != "turn" else "end"
    facts: Facts = {"player": tale.voice.player(event.player), "round": event.round, "turn": tale.turn + 1}
    tale.tell(section, "turn_began", **facts)


def _note_given(tale: Tale, event: e.NoteGiven) -> None:
    section: Section = "note" if tale.state.phase == "turn" else "set_up"
    tale.tell(section, "note_given", player=tale.voice.player(event.player))
    tale.note(event.note)


# --- reinforcements ----------------------------------------------------------------------------


def _where(tale: Tale, windfall: bool) -> Section:
    """Bonus armies belong to the set that was just told."""
    return "attacks" if windfall or tale.section == "attacks" else "reinforcements"


def _set_traded(tale: Tale, event: e.SetTraded) -> None:
    voice = tale.voice
    facts: Facts = {"player": voice.player(event.player), "cards": voice.listed(map(voice.card, event.cards))}
    first = b.BLOCK if event.cause == "windfall" else "  "
    text = voice.say("set_traded", number=event.number, worth=voice.counted("armies", event.worth), **facts)
    tale.enter(_where(tale, event.cause == "windfall"))
    tale.add(text + (voice.say("by_referee") if event.by == "referee" else ""), first)


def _reinforcements_counted(tale: Tale, event: e.ReinforcementsCounted) -> None:
    voice = tale.voice
    parts = [voice.say("income_share", share=event.share, territories=voice.counted("territories", event.territories))]
    parts += [voice.say("income_continent", bonus=n, continent=voice.name(c)) for c, n in event.continents]
    parts += [voice.say("income_sets", sets=event.sets)] if event.sets else []
    parts += [voice.say("income_raised", raised=event.raised)] if event.raised else []
    facts: Facts = {"player": voice.player(event.player), "armies": voice.counted("armies", event.total)}
    tale.tell("reinforcements", "reinforcements_counted", reasons=", ".join(parts), **facts)


def _armies_placed(tale: Tale, event: e.ArmiesPlaced) -> None:
    voice, state = tale.voice, tale.state
    section: Section = _where(tale, event.cause == "windfall") if state.phase == "turn" else "set_up"
    text = voice.word("placed", event.cause, where=voice.pairs(event.armies))
    if event.by == "referee" and event.cause != "missed":
        text += voice.say("by_referee")
    elif event.cause == "neutral" and state.phase == "turn":
        text += voice.say("by_standing", player=voice.player(state.after(state.acting[0])))
    tale.enter(section)
    tale.add(text, b.BLOCK if section == "attacks" else "  ")


# --- the end of a turn -------------------------------------------------------------------------


def _card_drawn(tale: Tale, event: e.CardDrawn) -> None:
    held = len(tale.state.hands[event.player]) + 1  # type: ignore[index]
    facts: Facts = {"player": tale.voice.player(event.player), "cards": tale.voice.counted("cards", held)}
    if tale.state.openly:
        tale.tell("end", "card_drawn_open", card=tale.voice.card(event.card), **facts)
    else:
        tale.tell("end", "card_drawn", **facts)


def _card_missing(tale: Tale, event: e.CardMissing) -> None:
    tale.tell("end", "card_missing", player=tale.voice.player(event.player))


def _armies_fortified(tale: Tale, event: e.ArmiesFortified) -> None:
    voice = tale.voice
    facts: Facts = {"source": voice.name(event.source), "target": voice.name(event.target)}
    tale.tell("end", "armies_fortified", entry=event.entry, armies=voice.counted("armies", event.armies), **facts)


def _fortify_skipped(tale: Tale, event: e.FortifySkipped) -> None:
    voice, owners = tale.voice, tale.state.owners
    acting = tale.state.acting[0]
    source, target = event.source, event.target
    foreign = target if owners[source] == acting else source  # type: ignore[index]
    why = b.reason(tale, event.reason, event.words, foreign, source, target)
    facts: Facts = {"source": voice.name(source), "target": voice.name(target), "reason": why}
    tale.tell("end", "fortify_skipped", entry=event.entry, **facts)


def _mission_completed(tale: Tale, event: e.MissionCompleted) -> None:
    voice = tale.voice
    mission = voice.mission(voice.board.missions[event.mission])  # type: ignore[index]
    tale.tell("result", "mission_completed", player=voice.player(event.player), mission=mission)


def _game_won(tale: Tale, event: e.GameWon) -> None:
    tale.tell("result", "game_won", **won(tale, event.winners, event.how))


def won(tale: Tale, winners: Sequence[str], how: str) -> Facts:
    """Return the facts of the sentence about the winners."""
    return {"players": tale.voice.players(winners), "how": tale.voice.word("hows", how), "n": len(winners)}


def _game_drawn(tale: Tale, event: e.GameDrawn) -> None:
    tale.tell("result", "game_drawn", players=tale.voice.players(event.players))


def _secret_revealed(tale: Tale, event: e.SecretRevealed) -> None:
    tale.tell("result", "secret_revealed", host=event.host)


def _turn_ended(tale: Tale, event: e.TurnEnded) -> None:
    tale.tell("end", "turn_ended", player=tale.voice.player(event.player))


# --- who comes and goes ------------------------------------------------------------------------


def _turn_missed(tale: Tale, event: e.TurnMissed) -> None:
    tale.enter("absence" if tale.state.phase == "turn" else "set_up")
    limit, player = tale.state.settings.missed_limit, tale.voice.player(event.player)
    if tale.state.phase == "claim" and event.policy != "wait":
        tale.add(tale.voice.say("missed_claim", player=player))
    elif tale.section == "set_up":
        tale.add(tale.voice.word("missed", event.policy, player=player))  # of a turn it stands at the top
    key = "missed_times" if not limit else "missed_of" if event.times < limit else "missed_all"
    tale.add(tale.voice.say(key, n=event.times, limit=limit, player=player))


def _gone(tale: Tale, event: e.SeatRemoved | e.PlayerResigned) -> None:
    key = "seat_removed" if isinstance(event, e.SeatRemoved) else "player_resigned"
    cards = tale.voice.counted("cards", len(event.cards))
    tale.tell("changes", key, player=tale.voice.player(event.player), cards=cards)


def _standing_recorded(tale: Tale, event: e.StandingRecorded) -> None:
    facts: Facts = {"player": tale.voice.player(event.player), "sequence": event.sequence, "turn": tale.turn + 1}
    tale.tell("changes", "standing_recorded", **facts)
    if event.note:
        tale.add(tale.voice.say("note_given", player=facts["player"]))
        tale.note(event.note)


def _roll_passed_over(tale: Tale, event: e.RollPassedOver) -> None:
    if event.misses_next:
        key = "reveal_passed_over" if tale.voice.hosted else "roll_passed_over_table"
        tale.tell("absence", key, player=tale.voice.player(event.player))
    else:
        tale.tell("absence", "roll_passed_over", player=tale.voice.player(event.player))


def _seat_substituted(tale: Tale, event: e.SeatSubstituted) -> None:
    turn = tale.turn + (event.player not in tale.state.acting)
    tale.tell("changes", "seat_substituted", player=tale.voice.player(event.player), turn=turn)


_KEY_CHANGED: Mapping[e.Decider, str] = {
    "player": "key_changed_player", "host": "key_changed_host", "table": "key_changed_table",
}  # fmt: skip


def _key_changed(tale: Tale, event: e.KeyChanged) -> None:
    tale.tell("changes", _KEY_CHANGED[event.by], player=tale.voice.player(event.player), turn=tale.turn + 1)


def _deadline_set(tale: Tale, event: e.DeadlineSet) -> None:
    tale.tell("changes", "deadline_set", deadline=tale.voice.language.letters(event.deadline))


def _game_handed_over(tale: Tale, event: e.GameHandedOver) -> None:
    tale.tell("changes", "game_handed_over", previous=event.previous, host=event.host, turn=tale.turn + 1)


def _host_gone(tale: Tale, event: e.HostGone) -> None:
    facts: Facts = {"players": tale.voice.players(tale.state.playing()), "turn": tale.turn + 1}
    tale.tell("changes", "host_gone", host=event.host, **facts)


def _hand_opened(tale: Tale, event: e.HandOpened) -> None:
    cards = ", ".join(tale.voice.card(card) for _, card in event.cards)
    tale.tell("changes", "hand_opened", player=tale.voice.player(event.player), cards=cards)


def _mission_opened(tale: Tale, event: e.MissionOpened) -> None:
    state, voice = tale.state, tale.voice
    colour = state.players[event.player].colour  # type: ignore[index]
    mission = voice.own_mission(voice.board.missions[event.mission], colour, state.rules.own_colour_mission)  # type: ignore[index]
    tale.tell("changes", "mission_opened", player=voice.player(event.player), mission=mission)


HOW: dict[type, Callable[[Tale, Any], None]] = {
    e.BattleFought: b.battle_fought,
    e.AttackBegan: b.attack_began,
    e.AttackStopped: b.attack_stopped,
    e.AttackSkipped: b.attack_skipped,
    e.PenaltyPaid: b.penalty_paid,
    e.TerritoryConquered: b.territory_conquered,
    e.ArmiesAdvanced: b.armies_advanced,
    e.CapitalTaken: b.capital_taken,
    e.TerritorySwept: b.territory_swept,
    e.PlayerEliminated: b.player_eliminated,
    e.CardsTakenOver: b.cards_taken_over,
    e.WindfallSkipped: b.windfall_skipped,
    e.SeatsAssigned: _seats_assigned,
    e.StartRolled: _start_rolled,
    e.TerritoriesDealt: _territories_dealt,
    e.MissionsDealt: _missions_dealt,
    e.DeckShuffled: _deck_shuffled,
    e.PileLaidOpen: _pile_laid_open,
    e.RankingGiven: _ranking_given,
    e.TerritoryClaimed: _territory_claimed,
    e.ArmiesDeployed: _armies_deployed,
    e.CapitalChosen: _capital,
    e.CapitalRevealed: _capital,
    e.TurnBegan: _turn_began,
    e.NoteGiven: _note_given,
    e.SetTraded: _set_traded,
    e.ReinforcementsCounted: _reinforcements_counted,
    e.ArmiesPlaced: _armies_placed,
    e.CardDrawn: _card_drawn,
    e.CardMissing: _card_missing,
    e.ArmiesFortified: _armies_fortified,
    e.FortifySkipped: _fortify_skipped,
    e.MissionCompleted: _mission_completed,
    e.GameWon: _game_won,
    e.GameDrawn: _game_drawn,
    e.SecretRevealed: _secret_revealed,
    e.TurnEnded: _turn_ended,
    e.TurnMissed: _turn_missed,
    e.SeatSubstituted: _seat_substituted,
    e.SeatRemoved: _gone,
    e.PlayerResigned: _gone,
    e.StandingRecorded: _standing_recorded,
    e.KeyChanged: _key_changed,
    e.DeadlineSet: _deadline_set,
    e.GameHandedOver: _game_handed_over,
    e.HostGone: _host_gone,
    e.HandOpened: _hand_opened,
    e.MissionOpened: _mission_opened,
    e.RollPassedOver: _roll_passed_over,
}


def tell(tale: Tale, events: Sequence[e.Event]) -> None:
    """Tell the events one by one, folding each into the state."""
    for event in events:
        HOW[type(event)](tale, event)
        tale.state = apply(tale.state, event)
