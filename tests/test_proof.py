"""What `verify` says of a finished game: each number counted another way, each sentence only where it is so."""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee import data
from referee.documents.canonical import digest_of, fingerprint
from referee.documents.proof import Proof
from referee.documents.record import replayed
from referee.documents.verify import Checked, Entry, verify_row
from referee.game.events import KeyChanged, SeatSubstituted
from referee.views.language import LANGUAGES, language_of
from referee.views.proof import statements, statements_shown
from referee.views.text import WIDTH

GAMES = Path(__file__).parent / "games"
KEPT = Path(__file__).parent / "kept" / "1"
FJORD = sorted((GAMES / "fjord").glob("fjord-[0-9]*.toml"))


def of(row: Sequence[Checked]) -> Proof:
    proof = Proof()
    for checked in row:
        proof.count(checked)
    return proof


def recorded(name: str) -> Proof:
    return of(list(replayed((GAMES / f"{name}.toml").read_bytes(), name)))


def fjord(files: Sequence[Path]) -> list[Checked]:
    return list(verify_row([Entry(str(path), int(path.stem[-4:])) for path in files], lambda f: Path(f).read_bytes()))


@pytest.fixture(scope="module")
def whole() -> list[Checked]:
    return fjord(FJORD)


@pytest.fixture(scope="module")
def trees() -> list[dict[str, Any]]:
    return [tomllib.loads(path.read_text("utf-8")) for path in FJORD]


def said(proof: Proof, language: str = "en", receipts: int = 0) -> dict[str, str]:
    return {one.id: one.text for one in statements(proof, receipts, language_of(language))}


def test_what_is_counted_is_what_stands_in_the_files(whole: list[Checked], trees: list[dict[str, Any]]) -> None:
    proof = of(whole)
    events = [event for tree in trees for event in tree["events"]]
    battles = [event for event in events if event["kind"] == "battle_fought"]
    documents = [document for tree in trees for document in tree["evidence"]["documents"]]
    assert proof.files == Counter(tree["signature"]["by"] for tree in trees)
    assert proof.documents == Counter(document["signature"]["by"] for document in documents)
    assert proof.documents.total() + proof.files.total() == sum(one.counts["signatures"] for one in whole)
    assert proof.links == Counter(who for tree in trees for who, _ in tree["evidence"]["reveals"])
    assert proof.rolls == len(battles)
    assert proof.dice == sum(len(battle["attack"]) + len(battle["defence"]) for battle in battles)
    assert proof.dice == sum(sum(luck["faces"]) for luck in trees[-1]["luck"].values())
    assert proof.dealt == 42
    assert proof.positions == sum(map(len, trees[-1]["deck"]["commitments"])) + len(
        trees[-1]["missions"]["commitments"]
    )
    assert proof.boxes == sum(len(tree.get("sealed", {})) for tree in trees)
    assert proof.missions == proof.seal_keys == 3
    assert proof.unsealed == sum(len(tree["evidence"].get("unsealed", ())) for tree in trees)
    assert proof.missed == Counter(event["player"] for event in events if event["kind"] == "turn_missed")
    assert proof.invitation == fingerprint(digest_of(trees[0]["evidence"]["documents"][0]))
    assert proof.turns == proof.alone["runa"] == proof.alone.total()
    assert not proof.never


def test_a_finished_game_is_proved_and_what_remains_is_named(whole: list[Checked]) -> None:
    text = said(of(whole))
    assert text["proved.links"] == "links, each the next of its chain: runa 38"
    assert text["trust.alone"].startswith("in 37 of 37 turns one alone revealed: runa 37.")
    assert text["trust.missed"].endswith(": per 1")
    assert of(whole).invitation.replace(" ", "") in "".join(text["trust.keys"].replace("\u00a0", " ").split())
    for key in ("proved.secret", "proved.missions", "proved.boxes", "whom.secret", "trust.hidden", "trust.start"):
        assert key in text
    for key in ("proved.capitals", "proved.never", "proved.receipts", "trust.opponents", "trust.together"):
        assert key not in text
    assert said(of(whole), receipts=2)["proved.receipts"] == "receipts: 2, all kept to"


def test_a_game_that_is_not_over_or_not_whole_has_no_complete_proof(whole: list[Checked]) -> None:
    assert of(whole).is_complete()
    assert not of(whole[:-1]).is_complete()
    assert not of(fjord(FJORD[20:])).is_complete()
    assert not Proof().is_complete()


def test_of_two_at_a_table_each_rolled_for_the_other() -> None:
    proof = recorded("table_no_two")
    text = said(proof)
    assert set(proof.files) == set(proof.links) == {"kari", "ola"}
    assert text["trust.opponents"] == f"in all {proof.turns} turns the opponent revealed: the two could only have" + (
        " chosen dice together"
    )
    for key in ("proved.secret", "proved.boxes", "whom.secret", "trust.hidden", "trust.start", "trust.alone"):
        assert key not in text
    assert f"{proof.drawn} cards" in text["proved.lot"]


def test_at_a_table_it_is_said_who_rolled_and_who_was_passed_over() -> None:
    proof = recorded("table_sv_standard")
    text = said(proof)
    assert proof.start_dice
    assert proof.alone.total() == proof.turns
    assert all(f"{who} {n}" in text["trust.alone"] for who, n in proof.alone.items())
    assert text["trust.passed_over"].endswith(": eva 1")
    assert "proved.lot" in text
    assert "territories" not in text["proved.lot"], "they were claimed"


def test_capitals_and_sets_of_the_referee_are_counted_where_there_are_any() -> None:
    assert said(recorded("no_capitals"))["proved.capitals"].startswith("capitals: 4,")
    assert said(recorded("table_da_hq"))["proved.capitals"].startswith("capitals: 3,")
    assert said(recorded("da_hq_short"))["proved.chosen"].startswith("sets chosen by the referee: 1,")


def test_several_who_reveal_for_a_turn_are_told_from_one(whole: list[Checked]) -> None:
    """The facts of the files decide, whatever kind of game it is called."""
    other = whole[-1].file.game
    evidence = other.evidence._replace(reveals=(*other.evidence.reveals, ("kari", "A" * 43)))
    last = whole[-1]._replace(file=whole[-1].file._replace(game=other._replace(evidence=evidence)))
    text = said(of([*whole[:-1], last]))
    assert text["trust.alone"].startswith("in 36 of 37 turns")
    assert text["trust.together"].startswith("in 1 of 37 turns several revealed")


def test_seats_are_named_that_others_gave_away(whole: list[Checked]) -> None:
    """Whose former key says so himself has not to be believed by anybody."""
    events = (KeyChanged("kari", "player"), KeyChanged("ola", "host"), SeatSubstituted("per"))
    game = whole[-1].file.game
    last = whole[-1]._replace(file=whole[-1].file._replace(game=game._replace(events=(*game.events, *events))))
    assert said(of([*whole[:-1], last]))["trust.changed"].endswith(": ola 1, per 1")


def test_of_a_game_that_was_handed_over_all_hosts_are_named() -> None:
    proof = of(list(replayed((KEPT / "hosted" / "vinter-record.toml").read_bytes(), "vinter")))
    text = said(proof)
    assert proof.files == {"runa": 6, "berit": 1}
    assert text["trust.hidden"].startswith("runa, berit knew")
    assert "nobody but runa, berit, and" in text["whom.secret"]
    assert text["trust.changed"].endswith(": ola 1")
    assert text["trust.alone"].startswith("in 4 of 5 turns")
    assert text["trust.together"].startswith("in 1 of 5 turns")


def test_of_a_host_who_plays_it_is_said_in_how_many_turns_he_was_not_alone() -> None:
    proof = recorded("host_plays_no_world")
    text = said(proof)
    assert text["trust.alone"].startswith(f"in {proof.alone['runa']} of {proof.turns} turns one alone revealed: runa")
    assert text["trust.together"].startswith(f"in {proof.turns - proof.alone['runa']} of {proof.turns} turns several")
    for key in ("trust.start", "trust.hidden", "trust.opponents", "proved.secret", "proved.boxes"):
        assert key not in text


def test_with_witnesses_nobody_revealed_alone() -> None:
    text = said(recorded("witness_sv_dealt"))
    assert "trust.alone" not in text
    assert "trust.start" not in text, "the start was careful"
    assert "trust.hidden" in text
    assert "trust.start" in said(recorded("witness_no_world"))


def test_what_nobody_opens_is_said_to_be_unproved(whole: list[Checked]) -> None:
    left = whole[-1]._replace(sealed=('capital of "kari"',))
    assert said(of([*whole[:-1], left]))["proved.never"].endswith("not checked: capitals")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_what_nobody_opens_has_words(language: str, whole: list[Checked]) -> None:
    sealed = ('mission of "kari"', 'best set of "ola"', "order of deck/1", "who drew a mission again", "boxes")
    left = whole[-1]._replace(sealed=(*sealed, 'capital of "kari"'))
    spoken = language_of(language)
    told = next(one.text for one in statements(of([*whole[:-1], left]), 0, spoken) if one.id == "proved.never")
    words = data.tree(f"proofs/{language}.toml")["sealed"].values()
    assert told.endswith(": " + ", ".join(map(spoken.letters, words)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["no_mission_rising", "table_sv_standard", "da_hq", "de_world"])
def test_the_statement_is_ascii_of_72_columns_without_a_gap(name: str, language: str) -> None:
    spoken = language_of(language)
    lines = statements_shown(statements(recorded(name), 3, spoken), spoken)
    for line in lines:
        assert line.isascii()
        assert len(line) <= WIDTH
        assert not re.search("[{}|]", line)
    assert sum(line.isupper() for line in lines) == 3


def test_every_language_has_the_same_sentences_with_the_same_facts() -> None:
    english = data.tree("proofs/en.toml")
    for code in LANGUAGES:
        tree = data.tree(f"proofs/{code}.toml")
        assert {key: list(table) for key, table in tree.items()} == {key: list(table) for key, table in english.items()}
        for section, table in english.items():
            for key, sentence in table.items():
                own = tree[section][key]
                assert set(re.findall(r"\{(\w+)\}", own)) == set(re.findall(r"\{(\w+)\}", sentence)), key
                assert own.count("|") == sentence.count("|"), key
