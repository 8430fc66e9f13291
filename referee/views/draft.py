"""Drafts: orders files to fill in, with what may be done as comments (DESIGN sections 4 and 8).

A draft is a sound document as it stands: its head is complete, and what is left open stands in comments. No line is
longer than mail leaves alone. Names are ids of the board, which are understood in every language. A trade that is
forced stands there as the referee would choose it (P-08), if the hand is known. It decides no rule.
"""

from referee.documents.gamefile import Game, GameFile
from referee.documents.hand import OwnHand
from referee.documents.intake import ORDERS
from referee.documents.rolling import roller_of
from referee.game.absence import shared_placement
from referee.game.board import CardId, TerritoryId
from referee.game.cards import automatic_set, bonus_territories, matching, sets_in, worth
from referee.game.legality import income, must_trade, reach
from referee.game.orders import NEUTRAL, Placement, PlayerId
from referee.game.rules import BONUS_ARMIES, CARDS_IN_SET
from referee.game.state import SET_UP, State
from referee.views.comments import comment, example, item, lines_of, list_lines, section, text_of
from referee.views.lands import lands
from referee.views.set_up_draft import set_up_lines
from referee.views.text import TOGETHER

MOST_SETS = 12
"""So many possible sets are listed, the best first."""

_STEPS = (
    f"What comes after a{TOGETHER}# is not read: take it away before the lines that you want, and fill them in."
    f" `referee{TOGETHER}check` says whether it is legal, `referee{TOGETHER}sign` signs it; then"
)

_PATH = (
    "Or a path, leg by leg, each if the last was won. On every leg but the last all armies that may advance do:"
    " `advance` is for the last leg only."
)


_WHAT = {"claim": "The ranking", "deploy": "The first armies", "capital": "The capital", "turn": "Orders"}


def draft(
    before: GameFile,
    player: PlayerId,
    hand: OwnHand | None = None,
    fill: bool = False,
    opening: tuple[str, str] | None = None,
) -> str:
    """Return an orders file for a player to fill in; `hand` is what he sees with his key.

    With `fill` all armies are placed where the enemy is strongest (P-14), so that it is legal as it stands. `opening`
    is the capital to which he has committed himself, and the salt of the commitment, if it is to be opened now.
    """
    game, state = before.game, before.game.state
    head = {
        "format": ORDERS,
        "game": game.name,
        "turn": game.turn,
        "state": before.digest,
        "player": player,
        "sequence": 1,
    }
    what = f"{_WHAT[state.phase]} of {player} for turn {game.turn} of the game {game.name}."
    lines = [
        *comment(f"{what} {_STEPS} {_where_to(game, player)}."),
        *lines_of(head),
        "# sequence: give a later file for this turn a higher number",
        '# note = "A line for all to read in the report."',
    ]
    if state.phase in SET_UP:
        return text_of([*lines, *set_up_lines(state, player, fill, opening)])
    return text_of([*lines, *_Turn(state, player, hand, fill).lines()])


def _where_to(game: Game, player: PlayerId) -> str:
    """Say what is done with orders once they are signed: they are sent to the one who resolves the turn."""
    roller = roller_of(game)
    own = roller.key == game.people[player].key
    if own and game.host_seat and game.state.phase == "turn":
        from referee.documents.witnesses import who_reveals

        return f"send it to {who_reveals(game)[0]}, who reveals for it"
    if own:
        return "hand it in when you resolve the turn"
    if roller.is_host:
        return "send it to the host"
    return (
        f"send it to {roller.name}, who {'rolls for it' if game.state.phase == 'turn' else 'makes the next game file'}"
    )


# --- a turn --------------------------------------------------------------------------------------


class _Turn:
    """The parts of a turn's draft."""

    def __init__(self, state: State, player: PlayerId, hand: OwnHand | None, fill: bool) -> None:
        self.state = state
        self.fill = fill
        self.player = player
        self.own = state.territories_of(player)
        self.size = len(state.hands[player])
        self.cards = None if hand is None else tuple(hand.cards.values())
        self.traded = state.sets_before(player)
        self.forced = self._forced_sets()

    def lines(self) -> list[str]:
        """Return everything below the head."""
        return [
            *(self._trading() if self.state.has_cards else []),
            *self._placing(),
            *self._attacking(),
            *self._windfalls(),
            *self._fortifying(),
        ]

    # --- cards

    def _forced_sets(self) -> list[tuple[CardId, ...]]:
        """Return the sets that must be traded, as P-08 picks them, if the hand is known."""
        found: list[tuple[CardId, ...]] = []
        left = list(self.cards or ())
        bonus_used = False
        while left and must_trade(len(left), bool(found), self.state.rules):
            best = self._best(left, len(found), bonus_used)
            if best is None:
                break
            bonus_used = bonus_used or bool(matching(best, self.own, self.state.board))
            found.append(best)
            left = [card for card in left if card not in best]
        return found

    def _best(self, cards: list[CardId], traded: int, bonus_used: bool) -> tuple[CardId, ...] | None:
        state = self.state
        return automatic_set(cards, state.board, state.rules, self.own, self.traded + traded, bonus_used)

    def _trading(self) -> list[str]:
        if not self.size:
            return []
        must = must_trade(self.size, False, self.state.rules)
        lines = section("Cards")
        rule = " At least one set must be traded in (R-CARD-09)." if must else ""
        if self.cards is None:
            text = f"Cards in hand: {self.size}. `referee draft --key` lists them and your sets.{rule}"
            lines += comment(text)
            lines += example("[[trade]]", 'cards = ["", "", ""]')
            return lines
        lines += comment(f"Cards in hand: {self.size}.{rule}")
        for card in self.cards:
            lines += item(self._card(card))
        sets = self._sets()
        if not sets:
            return [*lines, *comment("No three of them are a set.")]
        lines += comment("Sets that could be traded in:")
        for cards in sets[:MOST_SETS]:
            lines += item(self._worth_of(cards))
        if sets[MOST_SETS:]:
            lines += item(f"and {len(sets) - MOST_SETS} more")
        if self.forced:
            lines += comment("One set must be; this is what the referee would choose:")
            for number, cards in enumerate(self.forced):
                lines += self._trade(cards, number)
            return lines
        return [*lines, *example(*self._trade(sets[0], 0))]

    def _card(self, card: CardId) -> str:
        board = self.state.board
        if card in board.jokers:
            return f"{card}, stands for any symbol"
        mine = ", your territory" if TerritoryId(card) in self.own else ""
        return f"{card}, {board.symbols[TerritoryId(card)]}{mine}"

    def _sets(self) -> list[tuple[CardId, ...]]:
        """Return all sets of the hand, the best first, those alike in board order."""
        sets = sets_in(self.cards or (), self.state.board)
        return sorted(sets, key=lambda cards: -worth(cards, self.state.board, self.state.rules, self.traded))

    def _further_sets(self) -> bool:
        """Say whether there may be a set beyond those that are forced."""
        if self.cards is None:
            return self.size >= CARDS_IN_SET
        used = {card for cards in self.forced for card in cards}
        return bool(sets_in((card for card in self.cards if card not in used), self.state.board))

    def _worth_of(self, cards: tuple[CardId, ...]) -> str:
        state = self.state
        shown = matching(cards, self.own, state.board)
        bonus = bonus_territories(shown, state.rules)
        value = worth(cards, state.board, state.rules, self.traded)
        words = f"{', '.join(cards)}: {value} armies"
        if not bonus:
            return words
        joined = " and on " if len(bonus) > 1 else " or on "
        return f"{words}, {BONUS_ARMIES} more on {joined.join(bonus if len(bonus) > 1 else shown)}"

    def _trade(self, cards: tuple[CardId, ...], number: int) -> list[str]:
        shown = matching(cards, self.own, self.state.board)
        used = any(matching(earlier, self.own, self.state.board) for earlier in self.forced[:number])
        lines = ["[[trade]]", *list_lines("cards", cards)]
        if len(shown) > 1 and len(bonus_territories(shown, self.state.rules, bonus_used=used)) == 1:
            lines.append(f'bonus = "{shown[0]}"')
        return lines

    # --- placing

    def _placing(self) -> list[str]:
        state, board, rules = self.state, self.state.board, self.state.rules
        sets = sum(worth(cards, board, rules, self.traded + n) for n, cards in enumerate(self.forced))
        counted = income(state, self.player, sets)
        lines = [*section("Placing"), *comment(f"Armies to place: {counted.total}")]
        lines += item(f"{counted.share} for {counted.territories} territories")
        for continent, bonus in counted.continents:
            lines += item(f"{bonus} for {continent}")
        if counted.sets:
            lines += item(f"{counted.sets} for the {'sets' if self.forced[1:] else 'set'} above")
        if counted.raised:
            lines += item(f"{counted.raised} to make up three")
        must = must_trade(self.size, False, rules) and not self.forced
        if must:
            lines += item("and the worth of the set that must be traded in")
        elif self._further_sets():
            further = " further" if self.forced else ""
            lines += item(f"and the worth of a{further} set, if you trade one in")
        if must or self.forced or self._further_sets():
            lines += comment("Bonus armies of cards go down by themselves and are not among these.")
        lines += self._neutral(counted.total)
        lines += ["# The numbers must add up to exactly this.", "[place]"]
        return [*lines, *lands(state, self.player, self._filled(counted.total))]

    def _filled(self, total: int) -> Placement:
        return shared_placement(self.state, self.player, total) if self.fill else ()

    def _neutral(self, total: int) -> list[str]:
        """Say what the neutral army gets, in a game where it gets something (Q-26)."""
        state = self.state
        if state.rules.neutral_army != "n28_reinforced" or not state.territories_of(NEUTRAL):
            return []
        other = state.after(self.player)
        text = (
            f"Then the neutral army gets half as many, {total // 2} for these {total}, where the standing orders of"
            f" {other} say."
        )
        return comment(text)

    # --- attacks

    def _attacking(self) -> list[str]:
        rules = self.state.rules
        lines = [*section("Attacks")]
        text = "They run from top to bottom; as many as you like, or none."
        lines += comment(f"{text} One may begin in a territory that is taken before.")
        if rules.unnamed_attack_penalty:
            text = f"In this edition one without `from` and `to` costs {rules.unnamed_attack_penalty} armies (Q-24)."
            lines += comment(text)
        choice = self._easiest()
        if choice is None:
            return lines
        source, target = choice
        dice = rules.attack_strength != "dice_are_armies"
        lines += example(
            "[[attack]]",
            f'from = "{source}"',
            f'to = "{target}"',
            'advance = "auto"    # "least", "all", a number, { keep = 2 }',
            "min_odds = 40       # stop if the chance falls below 40 %",
            "stop_at = 3         # stop if no more than 3 are left here",
            "max_rolls = 6       # stop after 6 rolls",
            "max_losses = 5      # stop after losing 5 armies",
            "armies = 3          # at most so many in one roll",
            *(["dice = 2            # fewer dice than armies"] if dice else []),
            f'if = ["{source} >= 4"]',
            'unless = ["cards >= 4"]',
        )
        way = self._way(source, target)
        if way:
            lines += ["#"]
            lines += comment(_PATH)
            lines += example("[[attack]]", *list_lines("path", (source, target, way)))
        return lines

    def _easiest(self) -> tuple[TerritoryId, TerritoryId] | None:
        """Return the attack with the greatest superiority, as an example."""
        state = self.state
        pairs = [
            (state.armies[target] - state.armies[source], source, target)
            for source in self.own
            for target in state.board.neighbours[source]
            if state.owners[target] != self.player
        ]
        if not pairs:
            return None
        _, source, target = min(pairs, key=lambda pair: pair[0])
        return source, target

    def _way(self, source: TerritoryId, target: TerritoryId) -> TerritoryId | None:
        """Return where one could go on to from `target`."""
        state = self.state
        onward = [t for t in state.board.neighbours[target] if state.owners[t] != self.player]
        return min((t for t in onward if t != source), key=lambda t: state.armies[t], default=None)

    # --- the rest

    def _windfalls(self) -> list[str]:
        rules = self.state.rules
        if rules.elimination_trade == "none":
            return []
        others = [p for p in self.state.playing() if p != self.player]
        may = "may trade"
        if rules.elimination_trade == "forced_from_6_to_4":
            may = "with six or more must trade until you hold four or fewer"
        return [
            *section("If you eliminate a player"),
            *comment(f"You take over his cards and {may}."),
            *example(
                "[[windfall]]",
                *([f'player = "{others[0]}"'] if others else []),
                'trade = "best"      # or "forced": only what must be traded',
                f'place = ["{self.own[0]}"]',
            ),
        ]

    def _fortifying(self) -> list[str]:
        lines = section("Fortify: the final move")
        moves = [(t, self._reach(t)) for t in self.own if self.state.armies[t] > 1]
        moves = [(source, targets) for source, targets in moves if targets]
        lines += comment(
            "The first that is possible is carried out; others than these may be named too, and what is taken before."
            " As the board stands now:"
        )
        if self.state.rules.fortify == "anywhere":
            lines += item("from any of your territories to any other")
        for source, targets in moves if self.state.rules.fortify != "anywhere" else []:
            lines += item(f"from {source} to {', '.join(targets)}")
        if not moves:
            return [*lines, *item("nothing, before you have attacked")]
        source, targets = moves[0]
        return [
            *lines,
            *example(
                "[[fortify]]",
                f'from = "{source}"',
                f'to = "{targets[0]}"',
                'armies = "all"      # a number, { keep = 2 }',
            ),
        ]

    def _reach(self, source: TerritoryId) -> list[TerritoryId]:
        found = reach(self.state, self.player, source)
        return [t for t in self.own if t in found]
