"""Attacks on what is hidden in a game with a host: decks, hands, missions, capitals, what players seal to him.

What everybody can check at once is refused at once. What only the host knows is found when the secret of the game is
revealed, as the last game file must do; the player whose hand it is finds his part of it before.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from support.attacking import Tree, altered, changed, codes_of, found, hosted, made_by_host, refused
from support.endings import one_by_one, row, short_game
from support.openings import NONCE, PLAYERS, opened
from support.planner import plan, set_up
from support.positions import position, resignation
from support.recipes import base
from support.table import HOST, Table, key_of

from referee.documents.base64 import decode, encode
from referee.documents.gamefile import Opening, Secret
from referee.documents.hand import open_hand
from referee.documents.knowledge import HostKnowledge
from referee.documents.replay import Revealed
from referee.documents.resolve import resolve
from referee.documents.sealing import card_commitment, seal_box, seal_key, sealed_commitment
from referee.documents.secrets import game_secret
from referee.documents.signing import read
from referee.documents.verify import verify_next
from referee.errors import BadSignature, ReplayDiffers
from referee.game.board import CardId
from referee.game.events import SetTraded
from referee.game.orders import PlayerId
from referee.game.position import BestSet, Held
from referee.game.state import Result


def test_s01_an_honest_game_is_checked_to_the_end() -> None:
    checked = row(short_game())
    assert len(checked) == 5
    assert not any(one.sealed for one in checked)


def test_s02_a_host_who_stacks_the_deck_is_found_out_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    shuffle = HostKnowledge._shuffle

    def stacked(self: HostKnowledge, number: int, names: Any) -> None:
        shuffle(self, number, names)
        top, other = self._known["deck/1/0"], self._known["deck/1/7"]
        self._known["deck/1/0"], self._known["deck/1/7"] = top._replace(id=other.id), other._replace(id=top.id)

    with monkeypatch.context() as patch:
        patch.setattr(HostKnowledge, "_shuffle", stacked)
        files = short_game()
    one_by_one(files)
    with pytest.raises(ReplayDiffers) as caught:
        row(files)
    assert caught.value.problems[0].key.startswith("deck.commitments[1]")


def test_s03_a_host_who_deals_missions_by_hand_is_found_out_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    learn = HostKnowledge.learn
    seen: list[HostKnowledge] = []

    def chosen(self: HostKnowledge, state: Any) -> None:
        learn(self, state)
        one, two = self._known["missions/1/0"], self._known["missions/1/9"]
        if self not in seen:
            seen.append(self)
            self._known["missions/1/0"], self._known["missions/1/9"] = one._replace(id=two.id), two._replace(id=one.id)

    with monkeypatch.context() as patch:
        patch.setattr(HostKnowledge, "learn", chosen)
        files = short_game()
    one_by_one(files)
    with pytest.raises((ReplayDiffers, BadSignature)):
        row(files)


def test_s04_a_host_who_seals_another_hand_is_found_out_by_the_player_and_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import referee.documents.boxes as module

    def other(key: bytes, game: str, turn: int, player: str, content: Mapping[str, Any], cards: int) -> str:
        mission = [content["mission"][0], "world", content["mission"][2]] if "mission" in content else []
        return seal_box(key, game, turn, player, {**content, "mission": mission}, cards)

    with monkeypatch.context() as patch:
        patch.setattr(module, "seal_box", other)
        files = short_game()
    one_by_one(files)
    with pytest.raises(BadSignature):
        open_hand(files[1], key_of("kari"))
    with pytest.raises(ReplayDiffers) as caught:
        row(files)
    assert caught.value.problems[0].key.startswith("sealed.")


def test_s05_a_host_who_chooses_a_worse_set_for_somebody_is_found_out_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good_one = base("missed")
    assert good_one.before is not None
    answer = HostKnowledge.answer

    def worse(self: HostKnowledge, question: Any, so_far: int) -> Any:
        if isinstance(question, BestSet):
            names = {card: name for name, card in self.cards(question.state, question.player).items()}
            cards = tuple(CardId(card) for card in ("congo", "joker-1", "japan"))
            held = tuple(names[card] for card in cards)
            self._open(held)
            return Held(cards, held)
        return answer(self, question, so_far)

    with monkeypatch.context() as patch:
        patch.setattr(HostKnowledge, "answer", worse)
        made = resolve(good_one.before, [], key_of(HOST), [PlayerId("kari")])
    checked = verify_next(good_one.before, made.text.encode(), "f")
    assert 'best set of "kari"' in checked.sealed
    keys = {name: encode(seal_key(key_of(HOST), key_of(name).seal_public, NONCE)) for name in PLAYERS}
    revealed = Revealed(Secret(encode(game_secret(key_of(HOST), NONCE)), keys), "last.toml")
    with pytest.raises(ReplayDiffers):
        verify_next(good_one.before, made.text.encode(), "f", revealed)


def test_s06_a_host_who_hides_a_fulfilled_mission_is_found_out_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    before = position("fulfilled")
    kari, ola, per = (PlayerId(name) for name in PLAYERS)
    honest = resolve(before, [], key_of(HOST), [kari])
    assert honest.game.state.result == Result((kari,), "mission")

    def hidden(self: HostKnowledge, player: str, state: Any) -> None:
        self.learn(state)

    with monkeypatch.context() as patch:
        patch.setattr(HostKnowledge, "_mission", hidden)
        made = opened(resolve(before, [], key_of(HOST), [kari]))
        leaving = [read(resignation(name, made).encode(), "resign.toml") for name in (kari, per)]
        last = opened(resolve(made, leaving, key_of(HOST), [ola]))
    assert last.game.state.result == Result((ola,), "last")
    for one, after in ((before, made), (made, last)):
        checked = verify_next(one, after.text.encode(), after.file)
        assert ('mission of "kari"' in checked.sealed) == (after is made)
    assert open_hand(made, key_of("kari")).mission == "asia_south_america"
    with pytest.raises(ReplayDiffers) as caught:
        row([before, made, last])
    (problem,) = caught.value.problems
    assert (problem.file, problem.key) == ("8.toml", "phase")
    assert problem.message == 'is "turn", the replay gives "over"'


# --- what is found at once -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def table() -> Table:
    """A game of missions in which somebody is about to trade a set."""
    table = hosted("mission")
    while True:
        player = table.file.game.state.acting[0]
        hand = table.hand(player)
        body = plan(table.file.game.state, player, tuple(hand.cards.values()), hand.mission, seed=1)
        if "trade" in body:
            return table
        table.play([table.orders(player, body)])


def trading(table: Table) -> Any:
    player = table.file.game.state.acting[0]
    hand = table.hand(player)
    return table.orders(player, plan(table.file.game.state, player, tuple(hand.cards.values()), hand.mission, seed=1))


def test_s07_a_card_that_is_traded_is_the_card_that_was_dealt(table: Table) -> None:
    made = made_by_host(table, [trading(table)])
    assert not found(table, made)
    traded = next(event for event in made.game.events if isinstance(event, SetTraded))
    name, card, salt = made.game.evidence.openings[0]
    assert name in traded.names
    other = next(c for c in made.game.state.board.cards if c not in traded.cards and "joker" not in c)

    def opened_as(name: str, card: str, salt: str) -> Callable[[Tree], None]:
        def change(tree: Tree) -> None:
            tree["evidence"]["openings"][0] = [name, card, salt]

        return change

    assert found(table, altered(made, HOST, opened_as(name, card, encode(bytes(16))))) == {"wrong-opening"}
    assert found(table, altered(made, HOST, opened_as(name, other, salt))) == {"not-in-hand"}
    assert found(table, altered(made, HOST, opened_as(traded.names[1], card, salt))) == {"wrong-opening"}

    def none(tree: Tree) -> None:
        tree["evidence"]["openings"] = []

    assert found(table, altered(made, HOST, none)) == {"wrong-opening"}


def test_s17_a_host_with_a_player_deals_her_no_card_that_she_would_rather_have(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """She trades a card that lies in the pile; his program says that it is hers, and opens it with its own salt."""
    good, player = trading(table), table.file.game.state.acting[0]
    first, *rest = good.tree["trade"]
    hand = {card: name for name, card in table.hand(player).cards.items()}
    old = next(card for card in first["cards"] if "joker" not in card)
    new, learn = "joker-2" if "joker-2" not in hand else "joker-1", HostKnowledge.learn

    def learnt(self: HostKnowledge, state: Any) -> None:
        learn(self, state)
        place = next(name for name, hidden in self._known.items() if hidden.id in (new, old) and name != hand[old])
        if self._known[place].id == new:
            one, other = self._known[hand[old]], self._known[place]
            self._known[hand[old]], self._known[place] = one._replace(id=new), other._replace(id=old)

    trade = {"cards": [new if card == old else card for card in first["cards"]]}
    wished = changed(good, trade=[trade, *rest])
    assert refused(table, [wished]) == {"not-in-hand"}
    with monkeypatch.context() as patch:
        patch.setattr(HostKnowledge, "learn", learnt)
        made = made_by_host(table, [wished])
    assert found(table, made) == {"wrong-opening"}


def test_s08_commitments_are_not_exchanged_for_others(table: Table) -> None:
    """The host deals a card again: with a new commitment, which is another one than stood there before."""
    made = made_by_host(table, [trading(table)])
    place = int(made.game.state.pile[0].split("/")[2])
    dealt = encode(card_commitment(bytes(16), "alaska"))

    def deck(tree: Tree) -> None:
        tree["deck"]["commitments"][0][place] = dealt

    def missions(tree: Tree) -> None:
        tree["missions"]["commitments"][0] = dealt

    def held(tree: Tree) -> None:
        one, other = list(tree["missions"]["held"])[:2]
        tree["missions"]["held"][one], tree["missions"]["held"][other] = (
            tree["missions"]["held"][other],
            tree["missions"]["held"][one],
        )

    for change in (deck, missions, held):
        assert found(table, altered(made, HOST, change)) == {"replay-differs"}


def test_s09_a_player_trades_no_cards_that_he_does_not_hold(table: Table) -> None:
    good = trading(table)
    hand = set(table.hand(table.file.game.state.acting[0]).cards.values())
    foreign = [card for card in table.file.game.state.board.cards if card not in hand][:3]
    first = {key: value for key, value in good.tree["trade"][0].items() if key != "bonus"}
    trade = [{**first, "cards": foreign}, *good.tree["trade"][1:]]
    assert refused(table, [changed(good, trade=trade)]) == {"not-in-hand"}


def test_s10_the_host_opens_nothing_else_than_what_was_sealed_to_him() -> None:
    table = Table("no", "world", 3, 7)
    state = table.file.game.state
    made = made_by_host(table, [table.orders(p, set_up(state, p, 7)) for p in state.acting], {})
    assert not found(table, made)
    own = state.territories_of(state.acting[0])[0]

    def other(tree: Tree) -> None:
        tree["evidence"]["unsealed"][0]["content"] = {"deploy": {own: 21}}

    def left_out(tree: Tree) -> None:
        del tree["evidence"]["unsealed"][0]

    for change in (other, left_out):
        assert found(table, altered(made, HOST, change)) == {"wrong-commitment"}


def test_s11_what_is_hidden_is_not_guessed_from_its_commitment(table: Table) -> None:
    """Without the salt of sixteen bytes a commitment says nothing, though there are but 44 cards."""
    game = table.file.game
    salts = (bytes(16), decode(game.nonce), *(decode(person.salt) for person in game.people.values()))
    for commitments in (*game.deck, game.mission_commitments):
        for thing in (*game.state.board.cards, *game.state.board.missions):
            assert not {encode(card_commitment(salt, thing)) for salt in salts} & set(commitments)
    capitals = position("chosen").game.capitals
    for territory in game.state.board.territories:
        guesses = {encode(sealed_commitment(salt, {"capital": territory})) for salt in salts}
        assert not guesses & {kept.commitment for kept in capitals.values()}


def test_s12_what_one_is_shown_has_the_same_size_whatever_it_is() -> None:
    table = hosted("mission")
    sizes = {len(decode(box)) for box in table.file.game.sealed.values()}
    assert sizes == {128 * 4 + 16}


# --- what is found in the end --------------------------------------------------------------------


def test_s13_the_last_file_reveals_the_secret_to_which_the_invitation_is_bound() -> None:
    files = short_game()
    before, last = files[-2:]
    table = Table("no", "mission", 3, 5)
    table.file = before

    def another(tree: Tree) -> None:
        tree["secret"]["game_secret"] = encode(bytes(32))

    def none(tree: Tree) -> None:
        del tree["secret"]

    def keys(tree: Tree) -> None:
        tree["secret"]["seal_keys"]["kari"] = encode(bytes(64))

    assert found(table, altered(last, HOST, another)) == {"other-secret"}
    assert found(table, altered(last, HOST, none)) == {"wrong-secret"}
    forged = altered(last, HOST, keys)
    with pytest.raises(ReplayDiffers):
        row([*files[:-1], forged], forged.text)
    host = before.game.keeper._replace(secret_commitment=encode(bytes(32)))
    table.file = before._replace(game=before.game._replace(host=host))
    state = before.game.state
    leaving = [table.resignation(player) for player in state.playing() if player != state.acting[0]]
    assert refused(table, leaving, state.acting) == {"other-secret"}


def test_s14_a_host_who_makes_boxes_that_do_not_open_is_found_by_the_player_and_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import referee.documents.boxes as module

    def noise(key: bytes, game: str, turn: int, player: str, content: Mapping[str, Any], cards: int) -> str:
        return seal_box(bytes(64), game, turn, player, content, cards)

    with monkeypatch.context() as patch:
        patch.setattr(module, "seal_box", noise)
        files = short_game()
    one_by_one(files)
    assert codes_of(lambda: open_hand(files[1], key_of("kari"))) == {"not-opened"}
    with pytest.raises(ReplayDiffers) as caught:
        row(files)
    assert caught.value.problems[0].key.startswith("sealed.")


def test_s15_a_host_who_writes_other_commitments_of_a_shuffle_is_found_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They stand in the position from which the next seed comes, so he may try several; a player must tell him more."""
    commitments = HostKnowledge.commitments

    def other(self: HostKnowledge, label: str, count: int) -> tuple[str, ...]:
        rows = commitments(self, label, count)
        return (*rows[:-1], encode(card_commitment(bytes(16), "joker-2"))) if label == "deck/1" else rows

    with monkeypatch.context() as patch:
        patch.setattr(HostKnowledge, "commitments", other)
        files = short_game()
    one_by_one(files)
    with pytest.raises(ReplayDiffers) as caught:
        row(files)
    assert caught.value.problems[0].key.startswith("deck.commitments[1]")


def test_s16_the_host_sees_every_hand_and_can_tell() -> None:
    """That is what a host is. Who does not like it plays at a table, where all hands lie open."""
    table = hosted("mission")
    knowledge = HostKnowledge(
        game_secret(key_of(HOST), decode(table.file.game.nonce)), decode(table.file.game.start_seed), table.board
    )
    knowledge.learn(table.file.game.state)
    for player in table.names:
        held = table.file.game.state.missions[PlayerId(player)]
        assert knowledge.id_of(held) == table.hand(player).mission
        assert isinstance(knowledge.opening(held), Opening)
