"""What was understood of a document, in plain words: made from the typed orders, never from the text.

English, for the command line. A line says one order; what depends on the dice is said as a condition. It decides no
rule: income, the worth of sets and where a bonus goes are asked of `referee.game`.
"""

from collections.abc import Iterable, Sequence

from referee.documents.checking import Act, Looked
from referee.game.board import TerritoryId
from referee.game.cards import worth
from referee.game.conditions import (
    ArmiesAre,
    Condition,
    ContinentIs,
    CountIs,
    LastAttackWas,
    Operator,
    PlayerIsOut,
    TerritoryIs,
)
from referee.game.legality import Refusal, bonus_of, income, worth_of_trades
from referee.game.orders import (
    Absence,
    Amount,
    Attack,
    CapitalChoice,
    Claim,
    Deployment,
    Fortify,
    Guard,
    NeutralPlan,
    Orders,
    Placement,
    Standing,
    Trade,
    Windfall,
)
from referee.game.position import DrawVote, NewStanding, Resignation
from referee.game.rules import BONUS_ARMIES
from referee.game.state import State

_OPERATORS: dict[Operator, str] = {
    ">=": "{n} or more",
    "<=": "{n} or fewer",
    ">": "more than {n}",
    "<": "fewer than {n}",
    "=": "exactly {n}",
}
_TRADES = {
    "forced": "trade only what the rules force",
    "best": "trade every set that may be traded, the best first",
    "none": "trade only what the rules force",
}


_ACTS = {
    "missed": "nothing has come of {player}",
    "substitute": "the seat of {player} goes to the one who signed the join {what}",
    "key": "{player} signs from the next game file on with the key of the join {what}",
    "deadline": "the next orders are due {what}",
    "passed_over": "{player} is passed over as the one who rolls for these orders",
    "host_gone": "the host is gone for good, and the game goes on as a table game",
    "open_hand": "{player} opens the hand for good",
    "take_over": "{player} offers to go on with the game as its host",
    "hand_over": "the game is handed over to {player}, who is the host from the next game file on",
}


def understood(looked: Looked, state: State) -> list[str]:
    """Return what a document says, one order a line; lines of a note are indented."""
    match looked.body:
        case Orders():
            return _Words(state, looked.player).orders(looked.body)
        case Claim():
            return _Words(state, looked.player).claim(looked.body)
        case Deployment():
            return _Words(state, looked.player).deployment(looked.body)
        case CapitalChoice():
            return _Words(state, looked.player).capital(looked.body)
        case NewStanding():
            return _Words(state, looked.player).standing(looked.body)
        case Resignation():
            return ["leave the game for good"]
        case Act(word, player, what):
            return [_ACTS[word].format(player=player, what=what)]
        case DrawVote():
            return ["agree to a draw after this turn, if all who play do"]
        case None:
            return []


class _Words:
    """Words for the orders of one player; names are those of the board in English."""

    def __init__(self, state: State, player: str) -> None:
        self.state = state
        self.player = player

    def name(self, key: str) -> str:
        """Return the name of a territory, a continent or a card."""
        return "a joker" if key in self.state.board.jokers else self.state.board.name_of(key, "en")

    def names(self, keys: Iterable[str], last: str = "and") -> str:
        """Write a list of names."""
        return _listed([self.name(key) for key in keys], last)

    # --- whole documents

    def orders(self, orders: Orders) -> list[str]:
        """Return the lines of a turn."""
        return [
            *self.trades(orders),
            f"place {self.placed(orders.place)} ({self.income(orders)})",
            *_numbered("attack", [self.attack(attack) for attack in orders.attacks]),
            *([] if orders.attacks else ["attack nobody"]),
            *_numbered("windfall", [self.windfall(windfall) for windfall in orders.windfalls]),
            *self.fortifies(orders.fortifies),
            *_note(orders.note),
        ]

    def claim(self, claim: Claim) -> list[str]:
        """Return the lines of a ranking."""
        wishes = [f"{number}. {self.name(land)}" for number, land in enumerate(claim.ranking, start=1)]
        if len(wishes) < len(self.state.board.territories):
            wishes.append(f"{'then ' if wishes else ''}the first free one in the order of the alphabet")
        return [f"claim {', '.join(wishes)}", *_note(claim.note)]

    def deployment(self, deployment: Deployment) -> list[str]:
        """Return the lines of placing the first armies."""
        armies = deployment.armies or ()
        total = sum(number for _, number in armies)
        lines = [f"deploy {self.placed(armies)} ({total} in all)"]
        if deployment.neutral:
            neutral = sum(number for _, number in deployment.neutral)
            lines.append(f"place for the neutral army {self.placed(deployment.neutral)} ({neutral} in all)")
        return [*lines, *_note(deployment.note)]

    def capital(self, choice: CapitalChoice) -> list[str]:
        """Return the lines of the choice of a capital."""
        secret = self.state.rules.capitals == "secret_sweep"
        until = "in secret until it is taken or the game is over" if secret else "open to all when all have chosen"
        return [f"choose {self.name(choice.territory)} as capital, {until}", *_note(choice.note)]

    def standing(self, new: NewStanding) -> list[str]:
        """Return the lines of standing orders."""
        standing = new.standing
        lines = [
            *self.defence(standing),
            *([f"the neutral army: {self.neutral(standing.neutral)}"] if standing.neutral else []),
            *(self.missed(standing.missed) if standing.missed else []),
        ]
        return [*(lines or ["no standing orders: the defaults hold"]), *_note(new.note)]

    # --- reinforcements

    def trades(self, orders: Orders) -> list[str]:
        """Say which sets are traded, what they bring and where their bonus goes."""
        lines = []
        before = self.state.sets_before(orders.player)
        used = False
        for number, trade in enumerate(orders.trades):
            value = worth(trade.cards, self.state.board, self.state.rules, before + number)
            bonus = bonus_of(trade, self.state, self.player, used)
            lines.append(self.trade(trade, value, () if isinstance(bonus, Refusal) else bonus))
            used = used or bool(bonus)
        return _numbered("trade", lines)

    def trade(self, trade: Trade, value: int, bonus: Sequence[TerritoryId]) -> str:
        """Say what a set is and what it brings."""
        words = f"{self.names(trade.cards)} for {value} armies"
        return f"{words}, and {BONUS_ARMIES} on {self.names(bonus)}" if bonus else words

    def income(self, orders: Orders) -> str:
        """Say what all armies to place are made of."""
        counted = income(self.state, self.player, worth_of_trades(orders, self.state))
        parts = [f"{counted.share} for {counted.territories} territories"]
        parts += [f"{bonus} for {self.name(continent)}" for continent, bonus in counted.continents]
        parts += [f"{counted.sets} for sets"] if counted.sets else []
        parts += [f"{counted.raised} to make up three"] if counted.raised else []
        return f"all {counted.total}: {', '.join(parts)}"

    def placed(self, place: Placement) -> str:
        """Write a placement."""
        return ", ".join(f"{number} on {self.name(t)}" for t, number in place) or "nothing"

    # --- attacks and the final move

    def attack(self, attack: Attack) -> str:
        """Say what an entry of the attack list does, and what ends it."""
        if attack.source is None or not attack.targets:
            costs = _armies(self.state.rules.unnamed_attack_penalty)
            return self.guarded(
                f"nothing, as `from` and `to` are not both named: it costs {costs} (Q-24)", attack.guard
            )
        way = " and on to ".join(self.name(target) for target in attack.targets)
        words = [f"from {self.name(attack.source)} to {way}"]
        if attack.targets[1:]:
            words.append("on every leg but the last advancing with all that may")
        if attack.armies < 3:
            words.append(f"with at most {_armies(attack.armies)} in a roll")
        if attack.dice:
            words.append(f"rolling {attack.dice} {'die' if attack.dice == 1 else 'dice'}")
        stops = [
            "it is taken",
            f"{_armies(attack.stop_at)} or fewer are left" if attack.stop_at else "",
            f"{attack.max_rolls} rolls are made" if attack.max_rolls else "",
            f"{attack.max_losses} armies are lost" if attack.max_losses else "",
            f"the chance falls below {attack.min_odds} %" if attack.min_odds else "",
        ]
        words.append(f"until {_listed([stop for stop in stops if stop], 'or')}")
        words.append(f"then{', on the last leg,' if attack.targets[1:] else ''} {self.advance(attack.advance)}")
        return self.guarded(", ".join(words), attack.guard)

    def advance(self, amount: Amount) -> str:
        """Say how many armies go into what was taken."""
        match amount.kind:
            case "auto":
                return "advance with the least, or all if no enemy is left next to it"
            case "least":
                return "advance with the least"
            case "all":
                return "advance with all that may"
            case "exactly":
                return f"advance with {amount.number}"
            case "keep":
                return f"advance with all but {amount.number}"

    def windfall(self, windfall: Windfall) -> str:
        """Say what is done with the cards of one who is eliminated."""
        who = windfall.player or "somebody"
        where = self.ranked(windfall.place, "armies to what was just taken", ", else to what was just taken")
        words = f"if {who} is eliminated, {_TRADES[windfall.trade]}; {where}"
        return self.guarded(words, windfall.guard)

    def ranked(self, place: Sequence[TerritoryId], otherwise: str, failing: str = "") -> str:
        """Say where armies go that are placed by a ranking."""
        if not place:
            return otherwise
        first = f"the first of {self.names(place)} that is yours" if place[1:] else self.name(place[0])
        return f"armies to {first}{failing}"

    def fortifies(self, fortifies: Sequence[Fortify]) -> list[str]:
        """Say what the final move is."""
        words = []
        for one in fortifies:
            amount = one.armies
            armies = {"all": "all but one", "keep": f"all but {amount.number}"}.get(
                amount.kind, f"at most {amount.number}"
            )
            move = f"{armies} from {self.name(one.source)} to {self.name(one.target)}"
            words.append(self.guarded(move, one.guard))
        if len(words) > 1:
            return ["fortify, the first that can be done:", *(f"  {word}" for word in words)]
        return [f"fortify {word}" for word in words]

    # --- standing orders

    def defence(self, standing: Standing) -> list[str]:
        """Say how many dice to defend with."""
        lines = []
        if standing.dice:
            lines.append(f"defend with at most {standing.dice} {_dice(standing.dice)}")
        for territory, dice in standing.defend.items():
            lines.append(f"defend {self.name(territory)} with at most {dice} {_dice(dice)}")
        return lines

    def neutral(self, plan: NeutralPlan) -> str:
        """Say where neutral armies go."""
        if isinstance(plan, tuple):
            return f"all on the first of {self.names(plan)} that is neutral"
        return f"even, next to {plan}"

    def missed(self, absence: Absence) -> list[str]:
        """Say what is done if a turn is missed."""
        where = self.ranked(absence.place, "armies where the enemy is strongest")
        moves = self.fortifies(absence.fortifies)
        return [
            f"if a turn is missed: {_TRADES[absence.trade]}; {where}",
            *(f"  {line}" for line in _numbered("attack", [self.attack(attack) for attack in absence.attacks])),
            *(f"  {line}" for line in _numbered("windfall", [self.windfall(one) for one in absence.windfalls])),
            *(f"  {move}" for move in moves),
        ]

    # --- conditions

    def guarded(self, words: str, guard: Guard) -> str:
        """Write an entry with its conditions before it."""
        require = " and ".join(self.condition(condition) for condition in guard.require)
        exclude = " or ".join(self.condition(condition) for condition in guard.exclude)
        told = " and ".join([f"if {require}"] * bool(require) + [f"unless {exclude}"] * bool(exclude))
        return f"{told}: {words}" if told else words

    def condition(self, condition: Condition) -> str:
        """Write a condition."""
        match condition:
            case TerritoryIs(territory, owner):
                return f"{self.name(territory)} is {whose(owner, self.player)}"
            case ContinentIs(continent, owner):
                return f"all of {self.name(continent)} is {whose(owner, self.player)}"
            case ArmiesAre(territory, operator, number):
                return f"{self.name(territory)} has {_compared(operator, number)} armies"
            case CountIs("taken", operator, number):
                return f"{_compared(operator, number)} territories have been taken"
            case CountIs(_, operator, number):
                return f"you hold {_compared(operator, number)} cards"
            case PlayerIsOut(player):
                return f"{player} is out"
            case LastAttackWas(outcome):
                return f"the attack before was {outcome}"


def whose(owner: str, player: str) -> str:
    """Write to a player whose a territory is."""
    if owner == player:
        return "yours"
    return owner if owner == "neutral" else f"{owner}'s"


def _compared(operator: Operator, number: int) -> str:
    return _OPERATORS[operator].format(n=number)


def _armies(number: int) -> str:
    return "1 army" if number == 1 else f"{number} armies"


def _dice(number: int) -> str:
    return "die" if number == 1 else "dice"


def _listed(words: Sequence[str], last: str = "and") -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _numbered(what: str, lines: Sequence[str]) -> list[str]:
    if len(lines) == 1:
        return [f"{what} {lines[0]}"]
    return [f"{what} {number}: {line}" for number, line in enumerate(lines, start=1)]


def _note(note: str) -> list[str]:
    from referee.views.text import in_ascii

    if not note:
        return []
    return ["note, as reports print it:", *(f"  {in_ascii(line)}" for line in note.split("\n"))]
