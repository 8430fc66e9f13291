"""Attacks as they are told: each entry a block, each roll a line, by the numbers of the orders file."""

from referee.game import events as e
from referee.game.legality import refusal
from referee.game.state import State
from referee.views.language import Facts
from referee.views.tale import Tale
from referee.views.text import WIDTH

BLOCK = "     "


def attack_began(tale: Tale, event: e.AttackBegan) -> None:
    """Begin a block: the entry, from where to where, against whom, how many stand there."""
    armies = tale.state.armies
    tale.enter("attacks")
    tale.add(
        tale.voice.say(
            "attack_began" if event.leg == 1 else "attack_goes_on",
            **_ways(tale, event.entry, event.leg, event.source, event.target),
            defender=tale.voice.player(event.defender),
            n=armies[event.source],  # type: ignore[index]
            against=armies[event.target],  # type: ignore[index]
        ),
        f"{event.entry:>3}. ",
    )


def _ways(tale: Tale, entry: int, leg: int, source: str, target: str) -> Facts:
    name = tale.voice.name
    ends = {"source": name(source) if source else "?", "target": name(target) if target else "?"}
    return {"entry": entry, "leg": leg, **ends}


def battle_fought(tale: Tale, event: e.BattleFought) -> None:
    """Add a roll: the dice of both from the highest down, what each lost, what is left."""
    armies, say = tale.state.armies, tale.voice.say
    mine, theirs = (" ".join(map(str, sorted(dice, reverse=True))) for dice in (event.attack, event.defence))
    here = armies[event.source] - event.attacker_lost  # type: ignore[index]
    there = armies[event.target] - event.defender_lost  # type: ignore[index]
    line = say(
        "battle_fought", lost=f"{event.attacker_lost} : {event.defender_lost}", left=f"{here} : {there}",
        dice=f"{mine:>5} : {theirs:<3}",
    )  # fmt: skip
    line = f"{BLOCK}{event.roll:>3}  {line}"
    more = ""
    if event.armies != len(event.attack):
        more = say("fewer_dice", armies=tale.voice.counted("armies", event.armies))
    tale.enter("attacks")
    # not through `add`: the blanks between the columns stay
    tale.lines += [line + more] if len(line + more) <= WIDTH else [line, BLOCK + more]


def attack_stopped(tale: Tale, event: e.AttackStopped) -> None:
    """End a block whose territory was not taken."""
    facts: Facts = {"target": tale.voice.name(event.target), "armies": tale.voice.counted("armies", event.armies)}
    tale.tell("attacks", "attack_stopped", BLOCK, reason=tale.voice.word("stops", event.reason), **facts)


def attack_skipped(tale: Tale, event: e.AttackSkipped) -> None:
    """Say why an entry, or the rest of one, was not carried out."""
    territory = event.target if event.reason == "already-yours" else event.source
    why = reason(tale, event.reason, event.words, territory, event.source, event.target)
    key = "attack_skipped" if event.leg == 1 else "attack_ends"
    ways = _ways(tale, event.entry, event.leg, event.source, event.target)
    tale.tell("attacks", key, f"{event.entry:>3}. ", reason=why, **ways)


def reason(tale: Tale, code: str, words: str, territory: str, source: str, target: str) -> str:
    """Write why an entry was skipped: a stop, a condition, or a refusal of the rules."""
    if code in tale.voice.language.words["stops"]:
        return tale.voice.word("stops", code, words=words)
    return tale.voice.refusal(refusal(code, territory=territory, source=source, target=target))


def penalty_paid(tale: Tale, event: e.PenaltyPaid) -> None:
    """Say what an attack without its territories cost."""
    voice = tale.voice
    facts: Facts = {"player": voice.player(event.player), "territory": voice.name(event.territory)}
    armies = voice.counted("armies", event.armies)
    tale.tell("attacks", "penalty_paid", f"{event.entry:>3}. ", armies=armies, **facts)


def territory_conquered(tale: Tale, event: e.TerritoryConquered) -> None:
    """Say that the territory is taken."""
    facts: Facts = {"target": tale.voice.name(event.target), "previous": tale.voice.player(event.previous)}
    tale.tell("attacks", "territory_conquered", BLOCK, **facts)


def armies_advanced(tale: Tale, event: e.ArmiesAdvanced) -> None:
    """Say how many move in: as asked, or as the rules made it."""
    voice = tale.voice
    stay = tale.state.armies[event.source] - event.armies  # type: ignore[index]
    word, _, number = event.asked.partition(" ")
    asked = event.asked if word.isdecimal() else voice.word("advances", word, number=number)
    facts: Facts = {"asked": asked, "least": event.least, "most": event.most, "n": event.armies}
    key = "armies_advanced" if event.least < event.most else "armies_advanced_all"
    tale.tell("attacks", key, BLOCK, stay=stay, source=voice.name(event.source), **facts)


def capital_taken(tale: Tale, event: e.CapitalTaken) -> None:
    """Say whose capital has fallen."""
    voice = tale.voice
    facts: Facts = {"player": voice.player(event.player), "owner": voice.player(event.owner)}
    tale.tell("attacks", "capital_taken", BLOCK, territory=voice.name(event.territory), **facts)


def territory_swept(tale: Tale, event: e.TerritorySwept) -> None:
    """Say which territory follows its capital."""
    voice = tale.voice
    facts: Facts = {"player": voice.player(event.player), "previous": voice.player(event.previous)}
    removed = voice.counted("armies", event.removed)
    tale.tell("attacks", "territory_swept", BLOCK, territory=voice.name(event.territory), removed=removed, **facts)


def player_eliminated(tale: Tale, event: e.PlayerEliminated) -> None:
    """Say who is out."""
    facts: Facts = {"player": tale.voice.player(event.player), "by": tale.voice.player(event.by)}
    tale.tell("attacks", "player_eliminated", BLOCK, turn=event.turn, **facts)


def cards_taken_over(tale: Tale, event: e.CardsTakenOver) -> None:
    """Say how many cards change hands."""
    voice = tale.voice
    facts: Facts = {"player": voice.player(event.player), "previous": voice.player(event.previous)}
    tale.tell("attacks", "cards_taken_over", BLOCK, cards=voice.counted("cards", len(event.cards)), **facts)


def windfall_skipped(tale: Tale, event: e.WindfallSkipped) -> None:
    """Say why a windfall entry was not used."""
    why = tale.voice.word("stops", event.reason, words=event.words)
    tale.tell("attacks", "windfall_skipped", BLOCK, entry=event.entry, reason=why)


def losses(events: tuple[e.Event, ...]) -> dict[str, int]:
    """Return what each side lost in a turn: in battles, by penalties, with the sweep of a capital."""
    lost: dict[str, int] = {}
    for event in events:
        match event:
            case e.BattleFought():
                lost[event.attacker] = lost.get(event.attacker, 0) + event.attacker_lost
                lost[event.defender] = lost.get(event.defender, 0) + event.defender_lost
            case e.PenaltyPaid():
                lost[event.player] = lost.get(event.player, 0) + event.armies
            case e.TerritorySwept():
                lost[event.previous] = lost.get(event.previous, 0) + event.removed
    return lost


def changed_hands(before: State, after: State) -> tuple[str, ...]:
    """Return the territories that have another owner now, in board order."""
    return tuple(t for t, owner in after.owners.items() if before.owners.get(t) not in (owner, None, ""))
