"""Every value of `vectors/fair.json` and `vectors/more.json`, which other programs compute too.

They are for DESIGN 3 to 6. Seeds, canonical bytes and keys stand there in hex, everything that
stands in documents in B64.
"""

import json
from pathlib import Path
from typing import Any

import plain
import pytest

from referee.documents import base64, canonical, chains, sealing, secrets, signing
from referee.documents.keys import Key
from referee.game import dice

FOLDER = Path(__file__).parent / "vectors"
FAIR: dict[str, Any] = json.loads((FOLDER / "fair.json").read_text(encoding="utf-8"))
MORE: dict[str, Any] = json.loads((FOLDER / "more.json").read_text(encoding="utf-8"))

SECTIONS = {
    "about", "seeds", "nonce", "documents", "keys", "chains", "turn_seeds", "rolls", "picks",
    "shuffles", "secrets", "sealing", "sealed_commitment",
}  # fmt: skip


def key_of(name: str) -> Key:
    return Key.from_seed(bytes.fromhex(FAIR["seeds"][name]))


def both(section: str) -> list[dict[str, Any]]:
    """Return the entries of a section in both files, refusing an empty list."""
    entries: list[dict[str, Any]] = [*FAIR[section], *MORE.get(section, [])]
    assert entries
    return entries


NONCE = base64.decode(FAIR["nonce"], 16)


def test_no_section_of_the_vectors_is_passed_over() -> None:
    assert set(FAIR) == SECTIONS
    assert set(MORE) <= SECTIONS | {"hpke"}
    assert {"documents", "keys", "chains", "turn_seeds", "rolls", "picks", "shuffles"} <= set(MORE)


@pytest.mark.parametrize("case", both("documents"))
def test_documents_have_these_canonical_bytes_digests_and_signatures(case: dict[str, Any]) -> None:
    assert set(case) <= {"tree", "canonical", "digest", "fingerprint", "signer", "signature"}
    tree = case["tree"]
    assert canonical.canonical(tree).hex() == case["canonical"]
    assert canonical.canonical(canonical.normalise(tree)).hex() == case["canonical"]
    assert canonical.digest_of(tree) == case["digest"]
    if "fingerprint" in case:
        assert canonical.fingerprint(case["digest"]) == case["fingerprint"]
    if "signature" in case:
        signature = signing.sign(tree, key_of(case["signer"]), case["signer"])
        assert signature["value"] == case["signature"]


@pytest.mark.parametrize("case", both("keys"))
def test_both_public_keys_follow_from_the_seed(case: dict[str, Any]) -> None:
    assert set(case) == {"seed", "key", "seal_key"}
    key = Key.from_seed(bytes.fromhex(case["seed"]))
    assert (key.public, key.seal_public) == (case["key"], case["seal_key"])


@pytest.mark.parametrize("case", both("chains"))
def test_the_links_of_a_chain_follow_from_the_key(case: dict[str, Any]) -> None:
    assert set(case) <= {"of", "seed", "nonce", "salt", "x"}
    key = Key.from_seed(bytes.fromhex(case["seed"]))
    nonce = base64.decode(case["nonce"], 16)
    salt = base64.decode(case["salt"], 16) if "salt" in case else b""
    for number, value in case["x"].items():
        link = chains.link(key, nonce, salt, int(number))
        assert base64.encode(link) == value
        if number != "0":
            assert chains.step(link) == chains.link(key, nonce, salt, int(number) - 1)
    assert base64.encode(chains.anchor(key, nonce, salt)) == case["x"]["0"]


@pytest.mark.parametrize("case", both("turn_seeds"))
def test_the_seed_of_a_turn_follows_from_orders_and_reveals(case: dict[str, Any]) -> None:
    assert set(case) == {"game", "nonce", "turn", "state", "orders", "reveals", "seed"}
    reveals = [(who, value) for who, value in case["reveals"]]
    for given in (reveals, reveals[::-1]):
        seed = secrets.turn_seed(case["game"], case["nonce"], case["turn"], case["state"], case["orders"], given)
        assert seed.hex() == case["seed"]


@pytest.mark.parametrize("case", both("rolls"))
def test_dice_follow_from_the_seed_and_two_numbers(case: dict[str, Any]) -> None:
    assert set(case) == {"seed", "battle", "roll", "attack", "defend"}
    attack, defence = tuple(case["attack"]), tuple(case["defend"])
    seed = bytes.fromhex(case["seed"])
    rolled = dice.battle_dice(seed, case["battle"], case["roll"], len(attack), len(defence))
    assert rolled == (attack, defence)


@pytest.mark.parametrize("case", both("picks"))
def test_picks_follow_from_the_seed_and_the_label(case: dict[str, Any]) -> None:
    assert set(case) == {"seed", "label", "n", "pick"}
    assert dice.pick(bytes.fromhex(case["seed"]), case["label"], case["n"]) == case["pick"]


@pytest.mark.parametrize("case", both("shuffles"))
def test_shuffles_follow_from_the_seed_and_the_label(case: dict[str, Any]) -> None:
    assert set(case) == {"seed", "label", "items", "order"}
    items = [str(number) for number in range(case["items"])]
    order = dice.shuffle(bytes.fromhex(case["seed"]), case["label"], items)
    assert [int(item) for item in order] == case["order"]


def test_deck_missions_and_commitments_follow_from_the_secret() -> None:
    case = FAIR["secrets"]
    assert len(case) == 10
    secret = secrets.game_secret(key_of("host"), NONCE)
    assert secret.hex() == case["game_secret"]
    assert base64.encode(secrets.secret_commitment(secret)) == case["commitment"]
    start = bytes.fromhex(case["start_seed"])
    deck_seed = secrets.deck_seed(secret, start, case["shuffle"])
    assert deck_seed.hex() == case["deck_seed"]
    cards = case["cards_in_ascii_order"]
    assert cards == sorted(cards)
    deck = dice.shuffle(deck_seed, "deck", cards)
    assert list(deck) == case["deck"]
    missions_seed = secrets.missions_seed(secret, start)
    assert missions_seed.hex() == case["missions_seed"]
    missions = case["missions"]
    assert list(dice.shuffle(missions_seed, "missions", sorted(missions))) == missions
    assert len(case["positions"]) == len(deck)
    for position in case["positions"]:
        number, card = position["position"], position["card"]
        salt = secrets.position_salt(secret, f"deck/{case['shuffle']}", number)
        assert position == {
            "position": number,
            "name": f"deck/{case['shuffle']}/{number}",
            "card": deck[number],
            "salt": base64.encode(salt),
            "commitment": base64.encode(sealing.card_commitment(salt, card)),
        }


def test_a_box_of_the_host_for_a_player_has_these_bytes() -> None:
    case = FAIR["sealing"]
    assert set(case) == {"from", "to", "key", "associated_data", "plaintext", "box"}
    sender, receiver = key_of(case["from"]), key_of(case["to"])
    key = sealing.seal_key(sender, receiver.seal_public, NONCE)
    assert key.hex() == case["key"]
    assert key == sealing.seal_key(receiver, sender.seal_public, NONCE)
    game, turn, player = case["associated_data"]
    padded = bytes.fromhex(case["plaintext"])
    content = json.loads(padded)
    cards = len(padded) // 128 - 4
    assert sealing.seal_box(key, game, int(turn), player, content, cards) == case["box"]
    assert sealing.open_box(key, game, int(turn), player, case["box"]) == content


def test_a_commitment_to_sealed_content_has_these_bytes() -> None:
    case = FAIR["sealed_commitment"]
    assert set(case) == {"salt", "content", "commitment", "info"}
    salt = base64.decode(case["salt"], 16)
    assert base64.encode(sealing.sealed_commitment(salt, case["content"])) == case["commitment"]
    document = FAIR["documents"][0]["tree"]
    info = sealing.sealed_info(document["game"], FAIR["nonce"], "kari", document["state"])
    assert info.hex() == case["info"]


def test_what_somebody_else_has_sealed_to_the_host_can_be_opened() -> None:
    case = MORE["hpke"]
    given = (case["game"], case["nonce"], case["player"], case["state"])
    opened = sealing.open_to_host(key_of(case["to"]), *given, case["box"])
    assert opened == (case["content"], base64.decode(case["salt"], 16))


def test_what_is_sealed_to_the_host_can_be_opened_by_somebody_else() -> None:
    case = MORE["hpke"]
    given = (case["game"], case["nonce"], case["player"], case["state"])
    salt = base64.decode(case["salt"], 16)
    host = key_of(case["to"]).seal_public
    box = base64.decode(sealing.seal_to_host(host, *given, case["content"], salt))
    assert len(box) == 32 + 2048 + 16
    private = plain.raw_private(bytes.fromhex(FAIR["seeds"][case["to"]]))
    text = plain.hpke_open(private, plain.sealed_info(*given), box)
    assert text == plain.canonical({"content": case["content"], "salt": case["salt"]}).ljust(2048)


def test_the_plain_implementation_still_writes_these_vectors() -> None:
    assert (FOLDER / "more.json").read_text(encoding="utf-8") == plain.text()
