"""Tables about the players: who stands how, and what the dice have given and taken.

Rules: the income of the next turn is asked of `legality.income`, as a fact of the state. The luck table is integers
throughout: losses against their expectation, and how likely fair dice are so odd. In every comparison of dice one
army is lost, so what a player loses too little is what he takes too much: one number says both.
"""

from referee.game.battle import WAYS
from referee.game.legality import income
from referee.game.orders import NEUTRAL, PlayerId
from referee.game.state import State
from referee.views.language import Facts
from referee.views.text import table, wrapped
from referee.views.voice import Voice

NEXT = ">"


def standings(state: State, voice: Voice) -> list[str]:
    """Return the table of the players, the one with most territories first; `>` is before who is awaited."""
    columns = ("player", "territories", "armies", "cards", "income", *(("capitals",) if state.capitals else ()))
    rows = [tuple(voice.word("columns", key) for key in columns)]
    order = sorted(state.players, key=lambda p: (-len(state.territories_of(p)), -state.armies_of(p)))
    rows += [_standing(state, voice, player) for player in order]
    if NEUTRAL in state.owners.values():
        land, armies = len(state.territories_of(NEUTRAL)), state.armies_of(NEUTRAL)
        rows.append((f"  {voice.name(NEUTRAL)}", str(land), str(armies), *("-" for _ in columns[3:])))
    rows[0] = ("  " + rows[0][0], *rows[0][1:])
    lines = table(rows, indent="")
    for player in state.players.values():
        if player.status == "out":
            facts: Facts = {"player": voice.player(player.id), "by": voice.player(player.out_by)}
            lines += wrapped(voice.say("is_out", turn=player.out_turn, **facts), "  ")
        elif player.status == "passive":
            lines += wrapped(voice.say("is_passive", player=voice.player(player.id)), "  ")
    if state.openly:
        lines += _hands(state, voice)
    return [*lines, *_capitals(state, voice)] if state.capitals else lines


def _hands(state: State, voice: Voice) -> list[str]:
    """Return the cards of everybody who has any, where hands lie open."""
    lines = []
    for player, hand in state.hands.items():
        if hand:
            text = voice.say("hand_open", player=voice.player(player), cards=", ".join(map(voice.card, hand)))
            lines += wrapped(text, "  ", "    ")
    return lines


def _capitals(state: State, voice: Voice) -> list[str]:
    """Return how many capitals win, and of each that is known who holds it."""
    from referee.game.capitals import capital_holders, needed_capitals

    lines = wrapped(voice.say("capitals_needed", n=needed_capitals(state)), "  ")
    for player, holder in capital_holders(state).items():
        if state.capitals[player]:
            land = voice.name(state.capitals[player])
            text = voice.say("capital_held", territory=land, player=voice.player(player), holder=voice.player(holder))
            lines += wrapped(text, "  ", "    ")
    secret = [player for player, territory in state.capitals.items() if not territory]
    if secret:
        lines += wrapped(voice.say("capitals_secret", players=voice.players(secret), n=len(secret)), "  ", "    ")
    return lines


def _standing(state: State, voice: Voice, player: PlayerId) -> tuple[str, ...]:
    seat = state.players[player]
    mark = NEXT if player in state.acting else " "
    land, armies = state.territories_of(player), state.armies_of(player)
    plays = seat.status == "playing" and state.phase != "over"
    coming = str(income(state, player).total) if plays else "-"
    name = f"{mark} {voice.player(player)}, {voice.name(seat.colour)}"
    row = (name, str(len(land)), str(armies), str(len(state.hands[player])), coming)
    if not state.capitals:
        return row
    from referee.game.capitals import capital_holders

    return *row, str(list(capital_holders(state).values()).count(player))


def luck_table(state: State, voice: Voice) -> list[str]:
    """Return what each player's battles have cost so far, against what fair dice cost on average, with p-values."""
    from referee.game.probability import p_of_faces, p_of_losses

    words = (voice.word("columns", key) for key in ("player", "rolls", "given", "taken", "luck", "p_luck", "p_faces"))
    rows = [tuple(words)]
    for player, luck in state.luck.items():
        given, taken = tenths(luck.expected_given), tenths(luck.expected_taken)
        odd = p_of_losses(luck.given, luck.expected_given, luck.variance_given), p_of_faces(luck.faces)
        rows.append(
            (
                voice.player(player), str(luck.rolls),
                f"{luck.given} ({decimal(given)})", f"{luck.taken} ({decimal(taken)})",
                signed(10 * luck.given - given), *(p_text(p) if luck.rolls else "-" for p in odd),
            )
        )  # fmt: skip
    return [*table(rows), *wrapped(voice.say("luck_meaning"), "  ")]


def tenths(ways: int) -> int:
    """Round a number of armies, given in ways out of 7776, to tenths of an army, half up."""
    return (20 * ways + WAYS) // (2 * WAYS)


def decimal(number: int) -> str:
    """Write a number of tenths, none below zero: `12.3`."""
    return f"{number // 10}.{number % 10}"


def signed(number: int) -> str:
    """Write a difference in tenths with its sign: `+1.2`, `-0.4`, `0.0`."""
    return f"{'+' if number > 0 else '-' if number else ''}{decimal(abs(number))}"


def p_text(value: int) -> str:
    """Write a p-value with three decimals: `0.049`; a small one as `4e-5`; `<1e-12` where it is smaller still."""
    from referee.game.probability import NEGLIGIBLE, ONE

    if value <= NEGLIGIBLE:
        return "<1e-12"
    thousandths = (2000 * value + ONE) // (2 * ONE)
    if thousandths:
        return f"{thousandths // 1000}.{thousandths % 1000:03}"
    places = len(str(ONE)) - len(str(value))
    digit = (2 * 10**places * value + ONE) // (2 * ONE)
    return f"{digit}e-{places}" if digit < 10 else f"1e-{places - 1}"
