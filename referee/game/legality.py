"""What the rules allow: one `why_not_...` function for each order, used before the dice and when an order is reached.

Each returns a `Refusal` or None. A refusal is a code and facts, never a sentence. `findings` puts them together for a
whole orders file: everything that can be known to be wrong before any die is rolled (DESIGN section 4, "What is an
error"). Numbers of armies are no error before the dice; ownership is.

Rules: R-TURN-03, R-REINF-06, R-CARD-01 to R-CARD-10, R-ATT-01 to R-ATT-03, R-FORT-01 to R-FORT-03, Q-13, Q-14, Q-24.
"""

from collections.abc import Collection, Iterator, Mapping

from referee.game.board import Board, CardId, ContinentId, TerritoryId
from referee.game.cards import bonus_territories, is_set, matching, sets_in, worth
from referee.game.orders import Absence, Attack, Fortify, Orders, Placement, Standing, Trade
from referee.game.records import NamedTuple
from referee.game.rules import FORCED_TRADE_FROM, MINIMUM_REINFORCEMENT, TERRITORIES_PER_ARMY, Rules
from referee.game.state import State


class Refusal(NamedTuple):
    """Why something is not allowed: a code, and the facts that its sentence needs."""

    code: str
    facts: tuple[tuple[str, str | int], ...] = ()


class Finding(NamedTuple):
    """A refusal and the path of the key that it is about, such as `attack[2].from`."""

    key: str
    refusal: Refusal


def refusal(code: str, **facts: str | int) -> Refusal:
    """Make a refusal."""
    return Refusal(code, tuple(facts.items()))


class Income(NamedTuple):
    """The parts of the reinforcements of a turn (R-TURN-06)."""

    territories: int
    share: int
    continents: tuple[tuple[str, int], ...]
    sets: int
    raised: int

    @property
    def total(self) -> int:
        """All armies that must be placed; bonus armies of cards are not among them."""
        return self.share + sum(bonus for _, bonus in self.continents) + self.sets + self.raised


def income(state: State, player: str, sets: int = 0) -> Income:
    """Count the reinforcements of a player, `sets` being the worth of the sets just traded.

    R-REINF-01, R-REINF-03, R-REINF-04; the minimum of three is for the share or for the whole (Q-11).
    """
    held = len(state.territories_of(player))
    share = held // TERRITORIES_PER_ARMY
    continents = tuple((c, state.board.continents[ContinentId(c)].bonus) for c in state.continents_of(player))
    counted = share
    if state.rules.minimum_reinforcement == "whole_income":
        counted += sum(bonus for _, bonus in continents) + sets
    return Income(held, share, continents, sets, max(0, MINIMUM_REINFORCEMENT - counted))


# --- cards -----------------------------------------------------------------------------------


class Hand(NamedTuple):
    """A hand as somebody knows it: the ids of the cards he can see, and how many there are in all."""

    known: tuple[CardId, ...]
    size: int

    @property
    def is_open(self) -> bool:
        """Say whether every card is known."""
        return len(self.known) == self.size


def hand_of(state: State, player: str, cards: Mapping[str, CardId]) -> Hand:
    """Return the hand of `player` as known from `cards` (names to ids) and from what lies open."""
    names = state.hands[player]  # type: ignore[index]
    known = (cards.get(n) or (CardId(n) if CardId(n) in state.board.cards else None) for n in names)
    return Hand(tuple(card for card in known if card), len(names))


def why_not_trade(trade: Trade, hand: Hand, board: Board) -> Refusal | None:
    """Say why three cards cannot be traded in from this hand."""
    if len(trade.cards) != 3 or len(set(trade.cards)) != 3:
        return refusal("not-three-cards", count=len(set(trade.cards)))
    missing = [card for card in trade.cards if card not in hand.known]
    if missing and (hand.is_open or len(missing) > hand.size - len(hand.known)):
        return refusal("not-in-hand", card=missing[0])
    if not is_set(trade.cards, board):
        return refusal("no-set", cards=", ".join(trade.cards))
    return None


def bonus_of(trade: Trade, state: State, player: str, used: bool) -> tuple[TerritoryId, ...] | Refusal:
    """Return the territories that get two armies for this set, or why what is asked cannot be (Q-13).

    `used` says that `once_per_turn` has had its bonus already.
    """
    own = state.territories_of(player)
    shown = matching(trade.cards, own, state.board)
    if trade.bonus is not None and trade.bonus not in shown:
        return refusal("no-bonus-there", territory=trade.bonus)
    bonus = bonus_territories(shown, state.rules, trade.bonus, used)
    if len(bonus) == 1 and len(shown) > 1 and trade.bonus is None:
        return refusal("bonus-needed", territories=", ".join(shown))
    return bonus


def must_trade(size: int, traded: bool, rules: Rules) -> bool:
    """Say whether a hand of `size` cards at this point of the reinforcement phase forces a(nother) trade.

    R-CARD-09: five or more when the turn comes; one set is enough, unless `below_limit` (Q-14).
    """
    return size >= FORCED_TRADE_FROM and (not traded or rules.forced_trade_down == "below_limit")


def why_not_keep(hand: Hand, trades: int, state: State) -> Refusal | None:
    """Say why so few sets are not enough; the sets that could be traded are listed as far as they are known."""
    if not must_trade(hand.size - 3 * trades, bool(trades), state.rules):
        return None
    sets = "; ".join(", ".join(cards) for cards in sets_in(hand.known, state.board))
    return refusal("trade-needed", size=hand.size, sets=sets)


def _trade_findings(orders: Orders, state: State, hand: Hand) -> Iterator[Finding]:
    used = False
    seen: set[CardId] = set()
    for number, trade in enumerate(orders.trades, start=1):
        key = f"trade[{number}]"
        twice = [card for card in trade.cards if card in seen]
        if twice:
            yield Finding(f"{key}.cards", refusal("card-twice", card=twice[0]))
            continue
        seen.update(trade.cards)
        why = why_not_trade(trade, hand, state.board)
        if why:
            yield Finding(f"{key}.cards", why)
            continue
        bonus = bonus_of(trade, state, orders.player, used)
        if isinstance(bonus, Refusal):
            yield Finding(f"{key}.bonus" if trade.bonus else key, bonus)
        else:
            used = used or bool(bonus)
    if 3 * len(orders.trades) > hand.size:
        yield Finding("trade", refusal("too-many-sets", sets=len(orders.trades), size=hand.size))
    why = why_not_keep(hand, len(orders.trades), state)
    if why:
        yield Finding("trade", why)


def worth_of_trades(orders: Orders, state: State) -> int:
    """Return what all the sets of the orders bring together."""
    before = state.sets_before(orders.player)
    return sum(
        worth(trade.cards, state.board, state.rules, before + number) for number, trade in enumerate(orders.trades)
    )


# --- placing ---------------------------------------------------------------------------------


def why_not_place(place: Placement, total: int, state: State, player: str) -> Iterator[tuple[str, Refusal]]:
    """Yield (territory or "", why) for every placement that cannot be, and for a wrong total (R-REINF-06)."""
    for territory, _ in place:
        if state.owners[territory] != player:
            yield territory, refusal("not-yours", territory=territory)
    placed = sum(number for _, number in place)
    if placed != total:
        yield "", refusal("wrong-total", placed=placed, total=total)


def _place_findings(orders: Orders, state: State) -> Iterator[Finding]:
    counted = income(state, orders.player, worth_of_trades(orders, state))
    for territory, why in why_not_place(orders.place, counted.total, state, orders.player):
        if not territory:
            parts = (
                ("territories", counted.territories),
                ("share", counted.share),
                ("continents", sum(bonus for _, bonus in counted.continents)),
                ("worth", counted.sets),
                ("raised", counted.raised),
            )
            why = why._replace(facts=(*why.facts, *parts))
        yield Finding(f"place.{territory}" if territory else "place", why)


# --- attacks and the final move ----------------------------------------------------------------


def why_not_attack(
    state: State,
    player: str,
    source: TerritoryId,
    target: TerritoryId,
    planned: Collection[TerritoryId] = (),
) -> Refusal | None:
    """Say why `player` cannot attack `target` from `source`; armies are not looked at (R-ATT-01).

    `planned` are targets of earlier entries, which may be the player's by then.
    """
    if state.owners[source] != player and source not in planned:
        return refusal("not-yours", territory=source)
    if state.owners[target] == player:
        return refusal("already-yours", territory=target)
    if target not in state.board.neighbours[source]:
        return refusal("not-adjacent", source=source, target=target)
    return None


def _attack_findings(orders: Orders, state: State) -> Iterator[Finding]:
    planned: set[TerritoryId] = set()
    for number, attack in enumerate(orders.attacks, start=1):
        key = f"attack[{number}]"
        yield from (Finding(f"{key}.{part}", why) for part, why in _numbers(attack, state.rules))
        if not attack.is_complete:
            if not state.rules.unnamed_attack_penalty:
                yield Finding(key, refusal("not-named"))
            continue
        yield from _legs(key, attack, state, orders.player, planned)
        planned.update(attack.targets)


def _legs(key: str, attack: Attack, state: State, player: str, planned: set[TerritoryId]) -> Iterator[Finding]:
    source = attack.source
    assert source is not None
    reached = set(planned)
    is_path = attack.as_path
    for place, target in enumerate(attack.targets):
        why = why_not_attack(state, player, source, target, reached)
        if why:
            at_source = why.code == "not-yours"
            part = f"path[{place + (1 if at_source else 2)}]" if is_path else "from" if at_source else "to"
            yield Finding(f"{key}.{part}", why)
        reached.add(target)
        source = target


def _numbers(attack: Attack, rules: Rules) -> Iterator[tuple[str, Refusal]]:
    if attack.dice and rules.attack_strength == "dice_are_armies":
        yield "dice", refusal("dice-are-armies")
    elif attack.dice > attack.armies:
        yield "dice", refusal("more-dice-than-armies", dice=attack.dice, armies=attack.armies)


def reach(state: State, player: str, source: TerritoryId) -> frozenset[TerritoryId]:
    """Return the territories that one's armies can move to from `source` at the end of the turn (Q-17, Q-18)."""
    if state.rules.fortify == "anywhere":
        return frozenset(state.territories_of(player)) - {source}
    own = {t for t in state.board.neighbours[source] if state.owners[t] == player}
    if state.rules.fortify == "adjacent":
        return frozenset(own)
    found, edge = {source}, [source]
    while edge:
        here = edge.pop()
        new = [t for t in state.board.neighbours[here] if state.owners[t] == player and t not in found]
        found.update(new)
        edge.extend(new)
    return frozenset(found - {source})


def why_not_fortify(state: State, player: str, source: TerritoryId, target: TerritoryId) -> Refusal | None:
    """Say why armies cannot move from `source` to `target` now; armies are not looked at (R-FORT-02)."""
    for territory in (source, target):
        if state.owners[territory] != player:
            return refusal("not-yours", territory=territory)
    if target not in reach(state, player, source):
        code = "not-adjacent" if state.rules.fortify == "adjacent" else "not-connected"
        return refusal(code, source=source, target=target)
    return None


def _fortify_findings(
    fortifies: tuple[Fortify, ...], state: State, player: str, planned: Collection[TerritoryId]
) -> Iterator[Finding]:
    for number, fortify in enumerate(fortifies, start=1):
        key = f"fortify[{number}]"
        if fortify.source == fortify.target:
            yield Finding(f"{key}.to", refusal("same-territory", territory=fortify.target))
            continue
        named = {"from": fortify.source, "to": fortify.target}
        foreign = [
            Finding(f"{key}.{part}", refusal("not-yours", territory=t))
            for part, t in named.items()
            if state.owners[t] != player and t not in planned and state.rules.capitals != "secret_sweep"
        ]
        yield from foreign
        far = fortify.target not in state.board.neighbours[fortify.source]
        if not foreign and state.rules.fortify == "adjacent" and far:
            yield Finding(f"{key}.to", refusal("not-adjacent", source=fortify.source, target=fortify.target))


def _windfall_findings(orders: Orders, state: State) -> Iterator[Finding]:
    if orders.windfalls and state.rules.elimination_trade == "none":
        yield Finding("windfall", refusal("no-elimination-trade"))


def findings(orders: Orders, state: State, hand: Hand) -> list[Finding]:
    """Return everything that is wrong with a turn's orders before any die is rolled, in the order of the file.

    Where a trade is wrong nobody can say how many armies there are to place, but whose land they go to.
    """
    trades = list(_trade_findings(orders, state, hand))
    placing = [one for one in _place_findings(orders, state) if not trades or one.key != "place"]
    planned = {target for attack in orders.attacks for target in attack.targets}
    return [
        *trades,
        *placing,
        *_attack_findings(orders, state),
        *_windfall_findings(orders, state),
        *_fortify_findings(orders.fortifies, state, orders.player, planned),
    ]


def standing_findings(standing: Standing, state: State) -> list[Finding]:
    """Return what is wrong with the plan for a missed turn, whatever the board will look like then.

    Who will own what is not known, so only what never can be is an error.
    """
    plan = standing.missed
    return list(_plan_findings(plan, state)) if plan is not None else []


def _plan_findings(plan: Absence, state: State) -> Iterator[Finding]:
    neighbours = state.board.neighbours
    for number, attack in enumerate(plan.attacks, start=1):
        key = f"missed.attack[{number}]"
        yield from (Finding(f"{key}.{part}", why) for part, why in _numbers(attack, state.rules))
        if not attack.is_complete and not state.rules.unnamed_attack_penalty:
            yield Finding(key, refusal("not-named"))
        source = attack.source
        for place, target in enumerate(attack.targets):
            part = f"path[{place + 2}]" if attack.as_path else "to"
            if source is not None and target not in neighbours[source]:
                yield Finding(f"{key}.{part}", refusal("not-adjacent", source=source, target=target))
            source = target
    if plan.windfalls and state.rules.elimination_trade == "none":
        yield Finding("missed.windfall", refusal("no-elimination-trade"))
    for number, fortify in enumerate(plan.fortifies, start=1):
        key, source, target = f"missed.fortify[{number}].to", fortify.source, fortify.target
        if source == target:
            yield Finding(key, refusal("same-territory", territory=target))
        elif state.rules.fortify == "adjacent" and target not in neighbours[source]:
            yield Finding(key, refusal("not-adjacent", source=source, target=target))
