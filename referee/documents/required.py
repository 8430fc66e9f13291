"""What a game file needs to be resolved: everybody's orders, all votes or none, and nothing against the rules.

Who has left needs no orders, and neither has who is called missed; whose orders are here is not called so.
"""

from collections.abc import Callable, Mapping, Sequence

from referee.documents.acts import FEWEST, Acts, in_any_case, who_may_be_called
from referee.documents.gamefile import GameFile
from referee.documents.intake import ACT, Handed, Intake
from referee.documents.rolling import decides
from referee.documents.signing import Document
from referee.documents.text import Source
from referee.errors import IllegalOrders, Problem, UsageProblem, as_word, raise_all
from referee.game.absence import who_must_miss
from referee.game.board import CardId
from referee.game.legality import Finding, findings, hand_of, standing_findings
from referee.game.orders import CapitalChoice, Claim, Deployment, Orders, PlayerId
from referee.game.position import DrawVote, NewStanding
from referee.game.state import SET_UP, State

Cards = Callable[[State, str], Mapping[str, CardId]]
"""From a state and a player to his cards as far as they are known, by name."""


def check_missed(before: GameFile, missed: Sequence[PlayerId]) -> None:
    """Raise UsageProblem if somebody is called missed of whom nothing is awaited, or if there is no host to say it.

    Nothing is awaited of one who misses the turn in any case: with and without the word there would be two files.
    """
    state = before.game.state
    if missed and before.game.host is None:
        hint = f"`referee act missed {as_word(before.file)} --player {missed[0]}` makes the copy of each"
        if len(decides(before.game, missed[0])) < FEWEST:
            hint = "with two players there is nobody to say it: agree on something by mail"
        message = "is for a host; in a table game all other living players sign an act"
        raise UsageProblem(Problem("no-host", message, "--missed", hint))
    raise_all(UsageProblem, (in_any_case(player, "--missed") for player in missed if player in who_must_miss(state)))
    wrong = [player for player in missed if player not in who_may_be_called(before.game, missed)]
    if wrong:
        awaited = ", ".join(state.acting)
        raise UsageProblem(Problem("not-awaited", f'"{wrong[0]}" is not awaited, but {awaited}', "--missed"))


def check_alone(documents: Sequence[Document], missed: Sequence[PlayerId] = ()) -> None:
    """Raise if anything is handed in with the acts by which a game goes on without its host: that is done alone."""
    if missed:
        message = "is said, and that the host is gone is handed in alone"
        raise IllegalOrders(Problem("handed-in-beside", message, "--missed"))
    others = [one for one in documents if one.format != ACT]
    if others:
        from referee.documents.gone import beside

        raise IllegalOrders(*(beside(one.source) for one in others))


def check_passed_over(acts: Acts, digests: Sequence[str]) -> None:
    """Raise if somebody is passed over for other orders than are here: it is said before anybody knows the dice."""
    for act in acts.passed_for:
        if list(act.tree["orders"]) != list(digests):
            raise IllegalOrders(act.source.problem("other-orders", "is bound to other orders than are here", "orders"))


def required_orders(before: GameFile, intake: Intake, missed: Sequence[PlayerId]) -> dict[PlayerId, Handed]:
    """Return the orders of everybody awaited, in seat order, or say whose are not there."""
    state = before.game.state
    if state.phase in SET_UP:
        from referee.game.rounds import waits_for

        if waits_for(state, missed):
            return {}
    leaving = intake.leaving()
    required: dict[PlayerId, Handed] = {}
    problems = []
    for player in state.players:
        if player not in state.acting:
            continue
        if player in missed:
            if player in intake.orders:
                file = intake.orders[player].signed.source.file
                problems.append(Problem("not-missed", f'orders of "{player}" are here: {file}', "--missed"))
        elif player in leaving:
            continue
        elif player in intake.orders:
            required[player] = intake.orders[player]
        else:
            hint = f"if none came in time: --missed {player}"
            if before.game.host is None:
                hint = f"if none came in time, the others make an act: `referee act missed --player {player}`"
            problems.append(
                Problem(
                    "orders-missing",
                    f'no orders of "{player}" for turn {before.game.turn}',
                    hint=hint,
                )
            )
    if problems:
        raise IllegalOrders(*problems)
    return required


def check_votes(state: State, intake: Intake) -> None:
    """Raise if some, but not all who play and stay, agree to a draw: a vote holds for this turn only."""
    votes = intake.voting()
    missing = [player for player in state.playing() if player not in votes | intake.leaving()]
    if votes and missing:
        message = f"a draw needs the votes of all who play; missing: {', '.join(missing)}"
        files = ", ".join(one.signed.source.file for one in intake.changes if isinstance(one.body, DrawVote))
        hint = f"play this turn without them: leave out {files}; a vote holds for one turn only"
        raise IllegalOrders(Problem("votes-missing", message, hint=hint))


def check_orders(
    before: GameFile, required: Mapping[PlayerId, Handed], changes: Sequence[Handed], cards: Cards
) -> None:
    """Hold all orders and plans against the rules; all problems of all files at once."""
    state = before.game.state
    wrong: list[tuple[Sequence[Finding], Source]] = []
    for handed in changes:
        if isinstance(handed.body, NewStanding):
            wrong.append((standing_findings(handed.body.standing, state), handed.signed.source))
    for player, handed in required.items():
        match handed.body:
            case Orders():
                found = findings(handed.body, state, hand_of(state, player, cards(state, player)))
            case Claim() | Deployment() | CapitalChoice():
                from referee.game.rounds import set_up_findings

                found = set_up_findings(handed.body, state)
            case _:
                raise AssertionError("orders are a turn or a part of the set-up")
        wrong.append((found, handed.signed.source))
    if any(found for found, _ in wrong):
        from referee.documents.refusals import all_refused

        problems = [one for found, source in wrong for one in all_refused(found, source, state.board)]
        raise IllegalOrders(*problems)
