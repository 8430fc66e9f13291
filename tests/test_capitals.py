"""Secret capitals in whole games: who knows what, what a host could try, and what is found out when.

Rules: R-CAP-NO-02 to R-CAP-NO-05, Q-32, P-09, P-20.
"""

import tomllib
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from support.openings import PLAYERS, opened
from support.planner import STYLES, plan, set_up
from support.positions import CAPITALS, choices, played, position, resignation, signed_again, table_at
from support.table import HOST, Table, key_of

from referee.documents.base64 import encode
from referee.documents.boards import board_by_name
from referee.documents.boxes import host_knowledge
from referee.documents.capitals import Capitals
from referee.documents.gamefile import GameFile, SealedCapital, open_game
from referee.documents.knowledge import HostKnowledge
from referee.documents.record import entry_of, head_of, replayed
from referee.documents.resolve import resolve
from referee.documents.signing import Document, read, sign
from referee.documents.verify import Checked, Entry, revealed_by, verify_next, verify_row
from referee.errors import BadSignature, ReplayDiffers, UnreadableDocument
from referee.game import events as e
from referee.game.orders import PlayerId
from referee.game.position import CapitalAt
from referee.game.state import SET_UP, Result

KARI, OLA, PER = (PlayerId(name) for name in PLAYERS)


def orders(file: GameFile, source: str, target: str, armies: int) -> Document:
    """Return orders of kari: all armies to one territory, and an attack from there."""
    return table_at(file).orders("kari", {"place": {source: armies}, "attack": [{"from": source, "to": target}]})


def resolved(file: GameFile, *documents: Document, missed: tuple[PlayerId, ...] = ()) -> GameFile:
    return opened(resolve(file, documents, key_of(HOST), missed))


def ended(file: GameFile, stays: PlayerId) -> GameFile:
    """Return the last file of a game that all but one player leave."""
    leaving = [read(resignation(name, file).encode(), "x.toml") for name in PLAYERS if name != stays]
    return resolved(file, *leaving, missed=() if file.game.state.acting[0] != stays else (stays,))


def row(*files: GameFile) -> list[Checked]:
    """Verify a row of files, with the secret if the last one reveals it."""
    texts = {f"{file.game.turn}.toml": file.text.encode() for file in files}
    return list(verify_row([Entry(f"{f.game.turn}.toml", f.game.turn) for f in files], texts.__getitem__))


def one_by_one(*files: GameFile) -> list[Checked]:
    """Check every file after its predecessor, as players do while the game goes on."""
    return [verify_next(one, after.text.encode(), after.file) for one, after in pairwise(files)]


# --- what is public --------------------------------------------------------------------------------


def test_a_choice_is_in_the_file_only_as_its_player_sealed_it() -> None:
    file = position("chosen")
    assert dict(file.game.state.capitals) == dict.fromkeys(PLAYERS, "")
    assert set(file.game.capitals) == set(PLAYERS)
    assert file.game.evidence.unsealed == ()
    for player, kept in file.game.capitals.items():
        assert kept.state == position("choosing").digest
        sealed = next(one["sealed"] for one in file.game.evidence.documents if one["player"] == player)
        assert sealed == {"box": kept.box, "commitment": kept.commitment}


def test_the_host_alone_knows_a_capital_and_keeps_it_out_of_the_deck() -> None:
    file = position("chosen")
    knowledge = host_knowledge(file.game, key_of(HOST))
    knowledge.learn(file.game.state)
    assert knowledge.capitals is not None
    assert {player: knowledge.capitals.of(player) for player in file.game.state.players} == CAPITALS
    cards = {knowledge.id_of(name) for name in file.game.state.pile}
    assert len(cards) == 41
    assert cards == set(file.game.state.board.cards) - set(CAPITALS.values())


def test_two_choices_of_the_same_player_look_alike() -> None:
    """Whoever sees the file learns nothing from the size of what is sealed."""
    sizes = {len(kept.box) for kept in position("chosen").game.capitals.values()}
    assert sizes == {2795}


def test_a_capital_that_is_taken_is_opened_and_everything_when_all_is_over() -> None:
    before = position("before-the-fall")
    made = resolved(before, orders(before, "iceland", "great_britain", 10))
    assert made.game.state.result == Result((KARI,), "capitals")
    assert dict(made.game.state.capitals) == CAPITALS
    assert made.game.capitals == {}
    assert [row.player for row in made.game.evidence.unsealed] == ["ola", "kari", "per"]
    assert row(before, made)[-1].sealed == ()


def test_what_is_not_opened_yet_is_said_to_be_unchecked() -> None:
    before = position("before-the-fall")
    (checked,) = one_by_one(before, resolved(before, orders(before, "egypt", "southern_europe", 10)))
    assert 'capital of "ola"' in checked.sealed
    (checked,) = one_by_one(position("choosing"), position("chosen"))
    assert {'capital of "kari"', 'capital of "ola"', 'capital of "per"'} < set(checked.sealed)


# --- a host who cheats -----------------------------------------------------------------------------


def test_a_host_who_hides_the_fall_of_a_capital_is_found_out_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    before = position("before-the-fall")
    answer = HostKnowledge.answer

    def hidden(self: HostKnowledge, question: Any, so_far: int) -> Any:
        return None if isinstance(question, CapitalAt) else answer(self, question, so_far)

    with monkeypatch.context() as patch:
        patch.setattr(HostKnowledge, "answer", hidden)
        made = resolved(before, orders(before, "iceland", "great_britain", 10))
    assert made.game.state.phase == "turn"
    last = ended(made, PER)
    assert last.game.state.result == Result((PER,), "last")
    assert last.game.state.capitals[OLA] == "great_britain"
    assert 'capital of "ola"' in one_by_one(before, made, last)[0].sealed
    with pytest.raises(BadSignature) as caught:
        row(before, made, last)
    (problem,) = caught.value.problems
    assert (problem.file, problem.message) == ("8.toml", 'the capital of "ola" is not opened')


def test_a_host_who_names_another_capital_is_found_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = position("before-the-fall")

    def elsewhere(self: Capitals, unsealed: Any) -> str:
        return "southern_europe" if unsealed.player == "ola" else CAPITALS[unsealed.player]

    with monkeypatch.context() as patch:
        patch.setattr(Capitals, "_read", elsewhere)
        made = resolved(before, orders(before, "egypt", "southern_europe", 10))
    assert any(isinstance(event, e.CapitalTaken) for event in open_events(made))
    with pytest.raises((ReplayDiffers, BadSignature)):
        one_by_one(before, made)


def test_a_host_who_takes_a_capital_that_is_not_the_players_is_found_out_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import referee.game.rounds as rounds

    before = position("choosing")
    foreign = table_at(before).orders("kari", {"capital": "quebec"})
    others = [read(text.encode(), "x.toml") for text in choices(before)[1:]]
    with monkeypatch.context() as patch:
        patch.setattr(rounds, "capital_findings", lambda choice, state: [])
        chosen = resolved(before, foreign, *others)
    last = ended(chosen, OLA)
    one_by_one(before, chosen, last)
    with pytest.raises(ReplayDiffers) as caught:
        row(before, chosen, last)
    (problem,) = caught.value.problems
    assert problem.message == '"quebec" is not yours'


def test_a_host_who_replaces_what_was_sealed_cannot_open_it() -> None:
    before = position("before-the-fall")
    swapped = {**before.game.capitals, OLA: before.game.capitals[PER]}
    other = before._replace(game=before.game._replace(capitals=swapped))
    with pytest.raises(BadSignature):
        resolve(other, [orders(before, "iceland", "great_britain", 10)], key_of(HOST))


@pytest.mark.parametrize("content", [{"capital": "atlantis"}, {"capital": 5}, {"capital": "peru", "note": "x"}, {}])
def test_a_host_who_takes_in_what_is_no_capital_can_play_no_turn(content: Mapping[str, Any]) -> None:
    before = position("before-the-fall")
    choosing = position("choosing")
    kept = SealedCapital(choosing.digest, **table_at(choosing).sealed("ola", content))
    with pytest.raises(BadSignature, match='what "ola" has sealed is no capital'):
        resolved(with_capital(before, kept), orders(before, "iceland", "great_britain", 10))


def test_a_host_who_writes_another_commitment_beside_a_box_can_play_no_turn() -> None:
    before = position("before-the-fall")
    kept = before.game.capitals[OLA]._replace(commitment=encode(bytes(32)))
    with pytest.raises(BadSignature, match='what "ola" has sealed does not fit the commitment beside it'):
        resolved(with_capital(before, kept), orders(before, "iceland", "great_britain", 10))


def with_capital(file: GameFile, kept: SealedCapital) -> GameFile:
    """Return a position in which something else stands for the capital of ola."""
    return file._replace(game=file.game._replace(capitals={**file.game.capitals, OLA: kept}))


@pytest.mark.parametrize("sealed", ["x", {}, {"commitment": "A" * 43}, {"box": "A" * 2795, "commitment": "", "x": ""}])
def test_a_host_who_keeps_a_choice_that_nobody_can_open_is_found_at_once(sealed: Any) -> None:
    before, made = position("choosing"), position("chosen")
    tree = tomllib.loads(made.text)
    document = next(one for one in tree["evidence"]["documents"] if one["player"] == "kari")
    plain = {**document, "sealed": sealed}
    del plain["signature"]
    document |= {**plain, "signature": sign(plain, key_of("kari"), "kari")}
    with pytest.raises(BadSignature) as caught:
        verify_next(before, signed_again(tree).encode(), made.file)
    assert [(problem.code, problem.key) for problem in caught.value.problems] == [("not-sealed", "sealed")]


def test_a_host_who_says_in_the_end_that_a_capital_was_elsewhere_is_found_out() -> None:
    before = position("before-the-fall")
    made = resolved(before, orders(before, "iceland", "great_britain", 10))
    tree = tomllib.loads(made.text)
    tree["capitals"]["per"]["territory"] = "siam"
    last = made._replace(text=signed_again(tree))
    with pytest.raises(BadSignature) as caught:
        row(before, last)
    (problem,) = caught.value.problems
    assert problem.message == 'what is opened as the capital of "per" is another territory'


def test_a_file_that_reveals_the_secret_and_keeps_a_capital_is_refused() -> None:
    before = position("before-the-fall")
    made = resolved(before, orders(before, "iceland", "great_britain", 10))
    tree = tomllib.loads(made.text)
    tree["capitals"]["per"] = before.game.capitals[PER]._asdict()
    with pytest.raises(UnreadableDocument) as caught:
        open_game(signed_again(tree).encode(), board_by_name, "last.toml")
    assert [problem.key for problem in caught.value.problems] == ["capitals"]


def open_events(file: GameFile) -> tuple[e.Event, ...]:
    from referee.documents.gamereader import events_of

    document = read(file.text.encode())
    return events_of(document.tree, document)


# --- who is absent ----------------------------------------------------------------------------------


def test_headquarters_called_missed_need_the_reveals_of_the_others_for_the_first_roll() -> None:
    table = Table("da", "hq", 3, 4)
    table.play([table.orders(p, set_up(table.file.game.state, p, 4)) for p in table.file.game.state.acting])
    state = table.file.game.state
    here = [player for player in state.acting if player != "liv"]
    documents = [table.orders(player, set_up(state, player, 4)) for player in here]
    with pytest.raises(BadSignature) as caught:
        table.resolved(documents, ["liv"])
    assert [problem.code for problem in caught.value.problems] == ["reveal-missing"] * 2
    in_seats = [document for player in state.players for document in documents if document.tree["player"] == player]
    made = table.play([*documents, *(table.reveal(player, in_seats) for player in here)], ["liv"])
    largest = max(state.territories_of("liv"), key=lambda territory: state.armies[territory])
    assert e.CapitalRevealed("liv", largest, "referee") in made.game.events
    assert any(isinstance(event, e.StartRolled) for event in made.game.events)


# --- whole games -----------------------------------------------------------------------------------


def whole_game(edition: str, variant: str) -> list[GameFile]:
    table = Table(edition, variant, 3, 2)
    files = [table.file]
    while table.file.game.state.phase != "over":
        state = table.file.game.state
        documents = []
        for player in state.acting:
            hand = list(table.hand(player).cards.values())
            style = STYLES[state.players[player].seat % len(STYLES)]
            in_set_up = state.phase in SET_UP
            body = set_up(state, player, 2) if in_set_up else plan(state, player, hand, "", 2, style)
            documents.append(table.orders(player, body))
        table.play(documents)
        files.append(table.file)
    return files


@pytest.mark.parametrize(("edition", "variant"), [("no", "capitals"), ("da", "hq")])
def test_a_whole_game_is_verified_recorded_and_made_again(edition: str, variant: str) -> None:
    files = whole_game(edition, variant)
    names = {file.file: file.text.encode() for file in files}
    entries = [Entry(file.file, file.game.turn) for file in files]
    checked = list(verify_row(entries, names.__getitem__))
    assert not any(one.sealed for one in checked)
    for last in (len(files), len(files) - 2):
        here = files[:last]
        revealed = revealed_by(entries[last - 1], names.__getitem__)
        row = list(verify_row(entries[:last], names.__getitem__))
        text = head_of(here[0].game, revealed)
        for number, one in enumerate(row):
            text += entry_of(one.file, row[number - 1].file if number else None, revealed)
        assert [one.file.text for one in replayed(text.encode(), "record.toml")] == [file.text for file in here]


def test_a_game_file_is_read_as_it_was_written() -> None:
    for file in (position("chosen"), played("choosing", choices(position("choosing"))[:2], ("per",))):
        again = open_game(file.text.encode(), board_by_name, file.file)
        assert again.game.state == file.game.state
        assert again.game.capitals == file.game.capitals
