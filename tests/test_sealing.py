"""Boxes are read by one person, for one turn, and their size shows nothing (DESIGN 6)."""

import pytest

from referee.documents import sealing
from referee.documents.base64 import decode, encode
from referee.documents.keys import Key
from referee.errors import BadSignature, UsageProblem

HOST, KARI, OLA = (Key.from_seed(letter * 32) for letter in (b"h", b"k", b"o"))
NONCE = bytes(range(16))
B64_NONCE = encode(NONCE)
STATE = encode(bytes(32))
SALT = b"s" * 16
HAND = {"cards": [["deck/1/0", "alaska", encode(SALT)]]}
SEAL = sealing.seal_key(HOST, KARI.seal_public, NONCE)


def test_host_and_player_have_the_same_seal_key_and_nobody_else() -> None:
    assert sealing.seal_key(KARI, HOST.seal_public, NONCE) == SEAL
    assert sealing.seal_key(OLA, HOST.seal_public, NONCE) != SEAL
    assert sealing.seal_key(KARI, HOST.seal_public, bytes(16)) != SEAL


def test_the_size_of_a_box_goes_by_the_number_of_cards_alone() -> None:
    sizes = {len(decode(sealing.seal_box(SEAL, "fjord", 3, "kari", c, 1))) for c in (HAND, {})}
    assert sizes == {128 * 5 + 16}


def test_a_box_is_the_same_each_time() -> None:
    boxes = {sealing.seal_box(SEAL, "fjord", 3, "kari", HAND, 1) for _ in range(3)}
    assert len(boxes) == 1


@pytest.mark.parametrize(
    ("key", "game", "turn", "player"),
    [
        (SEAL[::-1], "fjord", 3, "kari"),
        (SEAL, "fjell", 3, "kari"),
        (SEAL, "fjord", 4, "kari"),
        (SEAL, "fjord", 3, "ola"),
    ],
)
def test_a_box_opens_only_with_its_key_for_its_game_turn_and_player(
    key: bytes, game: str, turn: int, player: str
) -> None:
    box = sealing.seal_box(SEAL, "fjord", 3, "kari", HAND, 1)
    assert sealing.open_box(SEAL, "fjord", 3, "kari", box) == HAND
    with pytest.raises(BadSignature):
        sealing.open_box(key, game, turn, player, box)


@pytest.mark.parametrize("box", ["", "AAAA", "???", "A" * 43])
def test_what_is_no_box_is_refused(box: str) -> None:
    with pytest.raises(BadSignature):
        sealing.open_box(SEAL, "fjord", 3, "kari", box)
    with pytest.raises(BadSignature):
        sealing.open_to_host(HOST, "fjord", B64_NONCE, "kari", STATE, box)


def sealed(content: dict[str, object]) -> str:
    return sealing.seal_to_host(HOST.seal_public, "fjord", B64_NONCE, "kari", STATE, content, SALT)


def test_what_is_sealed_to_the_host_opens_only_as_it_was_sealed() -> None:
    box = sealed({"capital": "siam"})
    given = ("fjord", B64_NONCE, "kari", STATE)
    assert sealing.open_to_host(HOST, *given, box) == ({"capital": "siam"}, SALT)
    with pytest.raises(BadSignature):
        sealing.open_to_host(KARI, *given, box)
    for place, other in enumerate(("fjell", encode(SALT), "ola", encode(b"x" * 32))):
        changed = [*given]
        changed[place] = other
        with pytest.raises(BadSignature):
            sealing.open_to_host(HOST, *changed, box)


def test_all_boxes_for_the_host_have_one_size_and_none_is_like_another() -> None:
    boxes = [sealed({"capital": "siam"}), sealed({"capital": "siam"}), sealed({})]
    assert len(set(boxes)) == 3
    assert {len(decode(box)) for box in boxes} == {32 + 2048 + 16}


def test_what_is_too_long_for_the_host_is_refused_before_it_is_sent() -> None:
    with pytest.raises(UsageProblem):
        sealed({"claim": ["x" * 2048]})


def test_nothing_is_sealed_to_a_key_that_is_none() -> None:
    with pytest.raises(BadSignature):
        sealing.seal_key(HOST, KARI.public, NONCE)


def test_a_box_of_other_content_is_refused_although_it_opens() -> None:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
    from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

    suite = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
    host = X25519PublicKey.from_public_bytes(decode(HOST.seal_public[7:], 32))
    info = sealing.sealed_info("fjord", B64_NONCE, "kari", STATE)
    contents = [
        b"",
        b"[]",
        b"[" * 2000,
        b"\xff",
        b'{"content":{}}',
        b'{"content":1,"salt":"A"}',
        b'{"content":{},"salt":"AA"}',
        b'{"content":{},"salt":"AA","more":1}',
    ]
    for plain in contents:
        box = encode(suite.encrypt(plain, host, info=info))
        with pytest.raises(BadSignature):
            sealing.open_to_host(HOST, "fjord", B64_NONCE, "kari", STATE, box)


def test_commitments_depend_on_salt_and_content() -> None:
    assert sealing.card_commitment(SALT, "siam") != sealing.card_commitment(NONCE, "siam")
    assert sealing.card_commitment(SALT, "siam") != sealing.card_commitment(SALT, "alaska")
    one, two = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert sealing.sealed_commitment(SALT, one) == sealing.sealed_commitment(SALT, two)
    assert sealing.sealed_commitment(SALT, one) != sealing.sealed_commitment(NONCE, one)
