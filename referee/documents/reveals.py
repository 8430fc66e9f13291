"""Who reveals a link of his chain for the next game file, and whether what was revealed fits (DESIGN section 5).

Who makes the file (`rolling`) reveals with his own key; others, where they are needed, with a signed document.
"""

from collections.abc import Collection, Sequence

from referee.documents.acts import Acts
from referee.documents.base64 import decode, encode
from referee.documents.chains import step
from referee.documents.gamefile import GameFile
from referee.documents.intake import Intake
from referee.documents.keys import Key
from referee.documents.required import required_orders
from referee.documents.rolling import next_link, refuse_beyond, refuse_seen, roller_of
from referee.documents.signing import Signed
from referee.errors import BadSignature, IllegalOrders, Problem, as_word, raise_all
from referee.game.absence import who_must_miss, who_rolls_for
from referee.game.orders import PlayerId
from referee.game.state import SET_UP


def spends_a_link(before: GameFile, missed: Sequence[PlayerId] = (), leaving: Collection[PlayerId] = ()) -> bool:
    """Say whether the next game file spends a link of each revealer (DESIGN section 5, "Turn seed").

    Every turn does; of the set-up only the file that ends it, where the first turn is rolled for by a neutral host:
    else the start seed decides that.
    """
    state = before.game.state
    if state.phase == "turn" or before.game.host is None or before.game.host_seat:
        return state.phase == "turn"
    from referee.game.rounds import ends_set_up, rolls_for_first, waits_for

    ends = state.phase in SET_UP and ends_set_up(state, missed, leaving) and not waits_for(state, missed)
    return ends and rolls_for_first(state.rules)


def needs_reveals_of(
    before: GameFile,
    missed: Sequence[PlayerId],
    leaving: Collection[PlayerId] = (),
    passed_over: Collection[PlayerId] = (),
) -> tuple[PlayerId, ...]:
    """Return the players whose own reveals the next game file needs beside the host's.

    A missed turn whose plan has attacks: the next living player. A roll for the first turn after a document was called
    missed: every player not called missed. Where the host is not to roll alone: `witnesses`. In a table game the one
    who rolls is no host, and no other is needed. IllegalOrders if everybody who could is passed over.
    """
    state, seat = before.game.state, before.game.host_seat
    if before.game.host is None:
        return ()
    if seat or state.settings.witness:
        from referee.documents.witnesses import is_watched, who_reveals

        if is_watched(before.game):
            if spends_a_link(before, missed, leaving):
                return who_reveals(before.game, missed, passed_over)
            if passed_over:
                raise IllegalOrders(Problem("host-rolls", "nobody is to reveal for this game file", "act"))
            return ()
    if state.phase == "turn":
        rollers = [who_rolls_for(state, player, seat) for player in state.acting if player in missed]
        return tuple(one for one in rollers if one and one not in missed)
    if state.phase in SET_UP and missed and spends_a_link(before, missed, leaving):
        return tuple(player for player in state.playing() if player not in missed)
    return ()


def reveals_of(before: GameFile, intake: Intake, key: Key, acts: Acts) -> tuple[tuple[str, str], ...]:
    """Return this game file's reveals in ASCII order of ids: that of who makes it, and the players' if needed."""
    needed = needs_reveals_of(before, acts.missed, intake.leaving(), acts.passed_over)
    refuse_substitutes(needed, before, acts)
    required_orders(before, intake, acts.missed)  # whose orders are missing is said before reveals are asked for
    if not spends_a_link(before, acts.missed, intake.leaving()):
        raise_all(IllegalOrders, [_not_needed(one, "this game file needs no reveal") for one in intake.reveals])
        return ()
    roller = roller_of(before.game, acts.passed_over)
    value = next_link(roller, key, before.game.nonce)
    players = check_reveals(before, intake.reveals, needed, order_digests(before, intake))
    refuse_seen(before.game, roller.name, value)
    return tuple(sorted((*players, (roller.name, value))))


def _not_needed(reveal: Signed, message: str) -> Problem:
    return reveal.source.problem("no-reveal-needed", message, "player", "leave it out")


def refuse_substitutes(needed: Sequence[PlayerId], before: GameFile, acts: Acts) -> None:
    """Raise if somebody would have to roll who has just taken his seat: his chain stands in no game file yet."""
    for one in acts.substitutes:
        if one.player in needed and one.player in before.game.state.acting:
            message = f'the reveal of "{one.player}" is needed, and the substitute can make none in this turn'
            hint = f"say --missed {one.player}, too, and hand the act in for the next turn"
            raise IllegalOrders(Problem("substitute-reveals-nothing", message, hint=hint))


def order_digests(before: GameFile, intake: Intake) -> list[str]:
    """Return the digests of the orders that are played of those that are here, in seat order.

    Those of one who leaves are not: she has no turn any more.
    """
    played = intake.orders.keys() - intake.leaving()
    return [intake.orders[player].signed.digest for player in before.game.state.players if player in played]


def check_reveals(
    before: GameFile, reveals: Sequence[Signed], needed: Sequence[PlayerId], digests: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Check the players' reveals: all that are needed and no other, bound to these orders, hashing to their heads."""
    problems = []
    found: dict[str, str] = {}
    for reveal in reveals:
        player, file = PlayerId(reveal.by), reveal.source.file
        if player not in needed:
            problems.append(_not_needed(reveal, f'no reveal of "{player}" is needed'))
        elif list(reveal.tree["orders"]) != list(digests):
            hint = "nobody reveals twice: hand in the orders that it is for, or ask for what is missing"
            message = "is bound to other orders than are here"
            problems.append(Problem("other-orders", message, "orders", hint, file=file))
        elif encode(step(decode(reveal.tree["reveal"]))) != before.game.people[player].chain:
            message = f'does not go on from the head of the chain of "{player}"'
            problems.append(Problem("other-chain", message, "reveal", file=file))
        found[player] = reveal.tree["reveal"]
    for player in needed:
        if player not in found:
            problems.append(_missing(before, player, bool(digests)))
    if problems:
        raise BadSignature(*problems)
    for who, value in found.items():
        refuse_beyond(before.game.people[PlayerId(who)].links, f'"{who}"\'s')
        refuse_seen(before.game, who, value)
    return tuple(sorted(found.items()))


def _missing(before: GameFile, player: PlayerId, has_orders: bool) -> Problem:
    """Return that a player's reveal is not here, with what makes it, and what can be done if it does not come."""
    from referee.documents.witnesses import is_watched

    is_turn, watched = before.game.state.phase == "turn", is_watched(before.game)
    orders = " ORDERS..." if has_orders or not is_turn else ""
    state = before.game.state
    missed = f" --missed {state.acting[0]}" if watched and not orders and not who_must_miss(state) else ""
    hint = f"`referee reveal {as_word(before.file)}{orders}{missed}` makes it, with the key of {player}"
    if watched:
        hint += f"; if he does not, `referee act passed_over {as_word(before.file)}{orders} --player {player}`"
    elif is_turn:
        hint += f"; else --missed {player}, too"
    return Problem("reveal-missing", f'the reveal of "{player}" is needed', hint=hint)
