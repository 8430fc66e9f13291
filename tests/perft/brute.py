"""All that can happen in one turn of Risk, by brute force: every choice and every throw of the dice.

A small implementation of its own, on plain dicts, written from the digest of the rules and nothing else: it imports
nothing of the referee. It plays as at the table, one decision after the other, each made when all the dice before it
are known; only what mail play decides otherwise follows mail play (P-03, P-07, P-08, P-12). It knows the presets, not
every house rule.

`reachable(board, rules, position)` gives three sets of public states: `placed`, in which the attacks can begin;
`fought`, in which they have ended; `ended`, after the turn, or when the game is over; and a set of `steps`, single
rolls with all that was announced and all that came of them. README.md says what a public state and a step are.
"""

from collections import Counter
from itertools import combinations, product

SCALE = (4, 6, 8, 10, 12, 15)
FIXED = {"infantry": 4, "cavalry": 6, "artillery": 8}
UNKNOWN = "?"


def reachable(board, rules, position):
    """Return the sets of public states and of steps that one turn can lead to."""
    game = {
        "rules": rules,
        **read_board(board),
        **{key: position.get(key, {}) for key in ("missions", "standing")},
        "seats": [text.split()[0] for text in position["players"]],
        "colours": {text.split()[1]: text.split()[0] for text in position["players"]},
        "first": position.get("first", 1),
        "capitals": {**position.get("capitals", {}), **position.get("secret_capitals", {})},
    }
    placed, steps, ended = {}, set(), set()
    for state in reinforcements(game, begin(game, position)):
        if state["result"]:
            ended.add(public(game, state))
        else:
            placed[public(game, state)] = state
    fought = dict(placed)
    waiting = list(placed.items())
    while waiting:
        before, state = waiting.pop()
        for step, later in actions(game, state):
            seen = public(game, later)
            steps.add((before, step, seen))
            if later["result"]:
                ended.add(seen)
            elif seen not in fought:
                fought[seen] = later
                waiting.append((seen, later))
    for state in fought.values():
        ended.update(public(game, later) for later in endings(game, state))
    return {"placed": set(placed), "steps": steps, "fought": set(fought), "ended": ended}


def numbers(found):
    """Return the numbers of what was found: the sizes of the sets, the throws, and how many states are won games."""
    return {
        "placed": len(found["placed"]),
        "steps": len(found["steps"]),
        "throws": sum(step[0] for _, step, _ in found["steps"]),
        "fought": len(found["fought"]),
        "ended": len(found["ended"]),
        "won": sum(bool(state[-1]) for state in found["ended"]),
    }


def read_board(tree):
    """Take the lines of a board file apart."""
    neighbours, symbols, continents = {}, {}, {}
    for continent in tree["continents"]:
        lines = [line.replace("~", "").split(":") for line in continent["territories"]]
        for head, near in lines:
            land, symbol = head.split()
            symbols[land], neighbours[land] = symbol, near.split()
        continents[continent["id"]] = (continent["bonus"], [head.split()[0] for head, _ in lines])
    lands = list(symbols)
    jokers = [f"joker-{number}" for number in range(1, tree["deck"]["jokers"] + 1)]
    return {
        "lands": lands, "neighbours": neighbours, "symbols": symbols, "continents": continents,
        "cards": lands + jokers, "tasks": tree.get("missions", {}), "fallback": tree.get("fallback", {}),
    }  # fmt: skip


def begin(game, position):
    """Return the state that a position describes.

    `taken`: has a territory been conquered in this turn? `known`: whose capitals are known to all.
    """
    land = {one: position["land"][one].split() for one in game["lands"]}
    return {
        "player": position["player"],
        "owners": {one: owner for one, (owner, _) in land.items()},
        "armies": {one: int(number) for one, (_, number) in land.items()},
        "hands": {player: list(position.get("hands", {}).get(player, [])) for player in game["seats"]},
        "pile": list(position.get("pile", [])),
        "discards": list(position.get("discards", [])),
        "shuffled": [],
        "sets_traded": position.get("sets_traded", 0),
        "out": dict(position.get("out", {})),
        "round": position.get("round", 1),
        "known": list(position.get("capitals", {})),
        "taken": False,
        "result": (),
    }


def public(game, state):
    """Return what everybody at the table can see, as one value."""
    seats = game["seats"]
    return (
        tuple((state["owners"][land], state["armies"][land]) for land in game["lands"]),
        tuple(len(state["hands"][player]) for player in seats),
        tuple(sorted(state["pile"])),
        tuple(sorted(state["discards"])),
        tuple(sorted(state["shuffled"])),
        state["sets_traded"],
        tuple(state["out"].get(player, "") for player in seats),
        tuple(game["capitals"][player] if player in state["known"] else "" for player in seats),
        "" if state["result"] else state["player"],
        state["round"],
        state["taken"] and not state["result"],
        state["result"],
    )


# --- what the rules count ------------------------------------------------------------------------


def lands_of(state, player):
    return [land for land, owner in state["owners"].items() if owner == player]


def alive(game, state):
    return [player for player in game["seats"] if player not in state["out"]]


def after(game, state, player):
    """Return the next player who is not out, clockwise (R-TURN-05)."""
    seats = game["seats"]
    place = seats.index(player)
    return next(one for one in seats[place + 1 :] + seats[: place + 1] if one not in state["out"])


def continents_of(game, state, player):
    own = set(lands_of(state, player))
    return [name for name, (_, lands) in game["continents"].items() if own.issuperset(lands)]


def income(game, state, sets):
    """R-REINF-01 to R-REINF-04, Q-11: what is to be placed; `sets` is the worth of the sets traded."""
    share = len(lands_of(state, state["player"])) // 3
    continents = sum(game["continents"][name][0] for name in continents_of(game, state, state["player"]))
    if game["rules"]["minimum_reinforcement"] == "whole_income":
        return max(3, share + continents + sets)
    return max(3, share) + continents + sets


# --- cards ---------------------------------------------------------------------------------------


def sets_of(game, hand):
    """R-CARD-01, R-CARD-02: three of one symbol or one of each, a joker is any; each set in board order."""
    for cards in combinations(sorted(hand, key=game["cards"].index), 3):
        symbols = [game["symbols"][card] for card in cards if card in game["symbols"]]
        if len(set(symbols)) in (0, 1, len(symbols)):
            yield cards


def worth(game, state, cards):
    """R-CARD-03, R-CARD-04, Q-12: jokers are what makes the set worth most."""
    if game["rules"]["set_values"] == "rising":
        before = state["sets_traded"]
        return SCALE[before] if before < len(SCALE) else SCALE[-1] + 5 * (before + 1 - len(SCALE))
    symbols = [game["symbols"][card] for card in cards if card in game["symbols"]]
    return FIXED[symbols[0]] if len(set(symbols)) < len(symbols) else 10


def bonuses(game, state, cards):
    """R-CARD-10, Q-13: every way to place the two extra armies for an own territory shown."""
    shown = [card for card in cards if state["owners"].get(card) == state["player"]]
    if game["rules"]["territory_bonus"] == "each_card" or not shown:
        return [shown]
    return [[land] for land in shown]


def trade(game, state, cards, bonus):
    """R-CARD-12, Q-16: the cards leave the hand, the two armies go down at once."""
    player = state["player"]
    hand = [card for card in state["hands"][player] if card not in cards]
    where = "pile" if game["rules"]["used_cards"] == "under_deck" else "discards"
    return {
        **state,
        "hands": {**state["hands"], player: hand},
        where: state[where] + list(cards),
        "sets_traded": state["sets_traded"] + 1,
        "armies": put(state, dict.fromkeys(bonus, 2)),
    }


def best_set(game, state):
    """P-08: the greatest worth, then the greater bonus, then fewer jokers, then board order; None if there is none."""

    def merit(cards):
        bonus = len(bonuses(game, state, cards)[0])
        jokers = [card for card in cards if card not in game["symbols"]]
        return worth(game, state, cards), bonus, -len(jokers)

    return max(sets_of(game, state["hands"][state["player"]]), key=merit, default=None)


def draw(game, state):
    """R-ATT-18, Q-16: one card if a territory was conquered; an empty pile is made anew of the discards."""
    if not state["taken"]:
        return state
    pile, player = state["pile"], state["player"]
    if not pile and state["discards"]:
        pile = [UNKNOWN] * len(state["discards"])
        state = {**state, "discards": [], "shuffled": state["discards"]}
    if not pile:
        return state
    return {**state, "hands": {**state["hands"], player: state["hands"][player] + pile[:1]}, "pile": pile[1:]}


# --- reinforcements ------------------------------------------------------------------------------


def reinforcements(game, state):
    """Yield every state in which the reinforcement phase can end (R-TURN-06)."""
    for traded, sets, bonus in trades(game, state, 0, 0):
        total = income(game, traded, sets)
        own = lands_of(traded, traded["player"])
        for numbers in product(range(total + 1), repeat=len(own)):
            if sum(numbers) == total:
                placed = {**traded, "armies": put(traded, dict(zip(own, numbers, strict=True)))}
                yield victory(game, neutral(game, placed, total + bonus), state["player"])


def trades(game, state, sets, bonus):
    """R-CARD-07 to R-CARD-09: any number of sets, at least one with five cards and more; Q-14: one is enough."""
    if sets or len(state["hands"][state["player"]]) < 5:
        yield state, sets, bonus
    for cards in sets_of(game, state["hands"][state["player"]]):
        for lands in bonuses(game, state, cards):
            after_trade = trade(game, state, cards, lands)
            yield from trades(game, after_trade, sets + worth(game, state, cards), bonus + 2 * len(lands))


def put(state, more):
    return {land: number + more.get(land, 0) for land, number in state["armies"].items()}


def neutral(game, state, got):
    """Q-26, P-12: the neutral army gets half of it, placed as the other player's standing orders say."""
    lands = lands_of(state, "neutral")
    if game["rules"]["neutral_army"] != "n28_reinforced" or not lands:
        return state
    other = after(game, state, state["player"])
    plan = game["standing"].get(other, {}).get("neutral", "even")
    if isinstance(plan, list) and set(plan) & set(lands):
        first = next(land for land in plan if land in lands)
        return {**state, "armies": put(state, {first: got // 2})}
    beside = plan["border"] if isinstance(plan, dict) else state["player"]
    near = [land for land in lands if any(state["owners"][one] == beside for one in game["neighbours"][land])]
    for _ in range(got // 2):
        weakest = min(near or lands, key=lambda land: state["armies"][land])
        state = {**state, "armies": put(state, {weakest: 1})}
    return state


# --- attacks -------------------------------------------------------------------------------------


def actions(game, state):
    """Yield every step: one roll and the state that it leads to, or an attack without names (Q-24)."""
    player, rules = state["player"], game["rules"]
    for source in lands_of(state, player):
        here = state["armies"][source]
        if rules["unnamed_attack_penalty"] and here > 1:
            lost = min(rules["unnamed_attack_penalty"], here - 1)
            yield (1, source, lost), {**state, "armies": put(state, {source: -lost})}
        for target in game["neighbours"][source]:
            if state["owners"][target] != player:
                for armies in range(1, min(3, here - 1) + 1):
                    yield from attacks(game, state, source, target, armies)


def attacks(game, state, source, target, armies):
    """R-ATT-03, R-ATT-06, R-ATT-07: all numbers of dice, and all that they can show."""
    fewest = 1 if game["rules"]["attack_strength"] == "armies_then_dice" else armies
    against = defence(game, state, target)
    for dice in range(fewest, armies + 1):
        for (lost_here, lost_there), ways in results(dice, against).items():
            rolled = {**state, "armies": put(state, {source: -lost_here, target: -lost_there})}
            step = (ways, source, target, armies, dice, against, lost_here, lost_there)
            if rolled["armies"][target]:
                yield (*step, 0), rolled
                continue
            for moved in range(armies, rolled["armies"][source]):
                for taken in conquest(game, rolled, source, target, moved):
                    yield (*step, moved), taken


def defence(game, state, target):
    """R-ATT-07, Q-19, Q-20, Q-27, P-03: the defender's dice, as his standing orders say."""
    most = 2 if state["armies"][target] >= game["rules"]["two_defence_dice_from"] else 1
    if game["rules"]["defence_dice"] == "maximum":
        return most
    owner = state["owners"][target]
    chooser = after(game, state, state["player"]) if owner == "neutral" else owner
    defend = game["standing"].get(chooser, {}).get("defend", {})
    return min(most, defend.get(target, defend.get("dice", 2)))


def results(attack, defence, known={}):  # noqa: B006
    """R-ATT-09 to R-ATT-11: what so many dice can cost attacker and defender, and in how many of all throws."""
    if (attack, defence) not in known:
        found = Counter()
        for thrown in product(range(1, 7), repeat=attack + defence):
            mine, theirs = sorted(thrown[:attack], reverse=True), sorted(thrown[attack:], reverse=True)
            won = sum(one > other for one, other in zip(mine, theirs, strict=False))
            found[min(attack, defence) - won, won] += 1
        known[attack, defence] = found
    return known[attack, defence]


def conquest(game, state, source, target, moved):
    """R-ATT-14, R-ATT-16: move in, take over the cards of whoever is out, trade if the edition lets her (Q-15)."""
    player, loser = state["player"], state["owners"][target]
    state = {
        **state,
        "owners": {**state["owners"], target: player},
        "armies": put(state, {source: -moved, target: moved}),
        "taken": True,
    }
    if game["capitals"].get(loser) == target:
        state = capital_falls(game, state, loser, target)
    gone = loser != "neutral" and not lands_of(state, loser)
    if gone:
        state = {**hand_over(state, loser), "out": {**state["out"], loser: player}}
    state = victory(game, state, player)
    if not gone or state["result"]:
        yield state
        return
    for traded in windfalls(game, state):
        yield victory(game, traded, player)


def hand_over(state, loser):
    player, hands = state["player"], state["hands"]
    return {**state, "hands": {**hands, player: hands[player] + hands[loser], loser: []}}


def capital_falls(game, state, loser, capital):
    """R-CAP-NO-03 to R-CAP-NO-06, Q-30, Q-31: a capital taken from its first owner is known, and may hand over more."""
    state = {**state, "known": state["known"] + [loser]}
    if game["rules"]["capitals"] != "secret_sweep":
        return state
    continent = next(lands for _, lands in game["continents"].values() if capital in lands)
    swept = [land for land in continent if state["owners"][land] == loser]
    return {
        **hand_over(state, loser),
        "owners": {**state["owners"], **dict.fromkeys(swept, state["player"])},
        "armies": {**state["armies"], **dict.fromkeys(swept, 1)},
    }


def windfalls(game, state):
    """R-ATT-17, Q-15, P-07: sets chosen by P-08, all their armies on one own territory."""
    rule, size = game["rules"]["elimination_trade"], len(state["hands"][state["player"]])
    if rule == "none" or (rule == "forced_from_6_to_4" and size < 6):
        yield state
        return
    if rule == "free":
        yield state
    least = 3 if rule == "free" else 5
    for land in lands_of(state, state["player"]):
        traded = state
        while len(traded["hands"][state["player"]]) >= least:
            cards = best_set(game, traded)
            if cards is None:
                break
            armies = worth(game, traded, cards)
            traded = trade(game, traded, cards, bonuses(game, traded, cards)[0])
            traded = {**traded, "armies": put(traded, {land: armies})}
        yield traded


# --- the end of the turn -------------------------------------------------------------------------


def endings(game, state):
    """Yield every state that the turn can leave behind: card, final move, next player (R-FORT-01 to R-FORT-05)."""
    drawn = draw(game, state)
    moves = [drawn]
    for source in lands_of(drawn, drawn["player"]):
        for target in reach(game, drawn, source):
            moves += [
                {**drawn, "armies": put(drawn, {source: -number, target: number})}
                for number in range(1, drawn["armies"][source])
            ]
    for move in moves:
        over = victory(game, move, move["player"])
        yield over if over["result"] else next_turn(game, over)


def reach(game, state, source):
    """R-FORT-02, Q-17, Q-18: the own territories beside it, or all that a chain of own territories joins to it."""
    found, edge = [], [source]
    while edge:
        here = edge.pop()
        near = [land for land in game["neighbours"][here] if state["owners"][land] == state["player"]]
        new = [land for land in near if land not in found and land != source]
        found += new
        if game["rules"]["fortify"] == "connected":
            edge += new
    return found


def next_turn(game, state):
    """R-TURN-05, P-11: the next player, and whether he has won already."""
    player = after(game, state, state["player"])
    seats = game["seats"]
    lap = {one: (seats.index(one) + 1 - game["first"]) % len(seats) for one in seats}
    number = state["round"] + (lap[player] <= lap[state["player"]])
    return victory(game, {**state, "player": player, "round": number, "taken": False}, player)


def victory(game, state, player):
    """Return the state with its result, if the game has been won (R-WIN-01 to R-WIN-10, Q-09, Q-10).

    The aim comes before being the last one left.
    """
    left, rules = alive(game, state), game["rules"]
    own_turn = rules["win_timing"] == "own_turn"
    seats = game["seats"]
    place = seats.index(player)
    order = [player] if own_turn else seats[place:] + seats[:place]
    for one in order:
        if one in left and rules["victory"] == "capitals" and holds_capitals(game, state, one):
            return {**state, "result": (one, "capitals")}
        if one in left and rules["victory"] == "mission" and fulfilled(game, state, one):
            return {**state, "result": (one, "mission")}
    if len(left) == 1:
        return {**state, "result": (left[0], "elimination" if rules["victory"] == "elimination" else "last")}
    return state


def holds_capitals(game, state, player):
    """R-WIN-07, R-CAP-NO-08: so many capitals, one's own among them."""
    held = [capital for capital in game["capitals"].values() if state["owners"][capital] == player]
    return game["capitals"][player] in held and len(held) >= capitals_to_win(game)


def capitals_to_win(game):
    """R-CAP-NO-07, R-CAP-NO-08, R-HQ-DA-01, R-HQ-DA-04: how many must be held, one's own among them."""
    players = len(game["seats"])
    if game["rules"]["capitals_to_win"] == "incl_own_2_3_4":
        return {2: 2, 3: 2, 4: 3, 5: 3, 6: 4}[players]
    return {4: 3, 5: 4}[players] if game["rules"]["capitals_to_win"] == "short" else players


def fulfilled(game, state, player):
    """R-MIS-02, Q-07, Q-08: continents, a number of territories, or a colour that is gone, whoever did it."""
    if player not in game["missions"]:
        return False
    task = game["tasks"][game["missions"][player]]
    if "continents" in task:
        held = continents_of(game, state, player)
        return set(task["continents"]) <= set(held) and len(held) >= len(task["continents"]) + task.get(
            "extra_continents", 0
        )
    if "colour" in task:
        target = game["colours"].get(task["colour"], player)
        if target != player:
            return target in state["out"]
        task = game["fallback"]
    return sum(state["armies"][land] >= task["min_armies"] for land in lands_of(state, player)) >= task["territories"]
