"""Keys are read from the files that people have, and weak ones are refused (DESIGN 3)."""

import pickle
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.documents.base64 import encode
from referee.documents.keys import Key, PublicKeyError, load_key, pem, public_bytes
from referee.errors import UnreadableDocument

SEED = bytes(range(32))
KEY = Key.from_seed(SEED)
P = 2**255 - 19
ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022


def code(data: bytes, passphrase: bytes | None = None) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        load_key(data, passphrase, "kari.key")
    (problem,) = caught.value.problems
    assert problem.file == "kari.key"
    return problem.code


def openssh(passphrase: bytes | None = None) -> bytes:
    private = Ed25519PrivateKey.from_private_bytes(SEED)
    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase:
        encryption = serialization.BestAvailableEncryption(passphrase)
    return private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, encryption)


def test_a_key_never_shows_its_seed() -> None:
    shown = repr(KEY) + str(KEY) + f"{KEY}" + repr([KEY])
    assert KEY.public in shown
    for secret in (SEED.hex(), repr(SEED), encode(SEED)):
        assert secret not in shown
    with pytest.raises(TypeError):
        pickle.dumps(KEY)


@pytest.mark.parametrize("passphrase", [None, b"blue book"])
def test_a_pem_file_is_read_back(passphrase: bytes | None) -> None:
    assert load_key(pem(KEY, passphrase), passphrase).public == KEY.public


def test_a_pem_file_survives_line_ends_text_around_it_and_a_byte_order_mark() -> None:
    data = pem(KEY)
    for text in (data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data, b"kari\n" + data + b"bye"):
        assert load_key(text).public == KEY.public


def test_the_short_way_and_the_library_read_the_same_key() -> None:
    data = pem(KEY)
    private = serialization.load_pem_private_key(data, None)
    assert isinstance(private, Ed25519PrivateKey)
    assert private.private_bytes_raw() == SEED
    assert load_key(data, b"a passphrase that is not needed").public == KEY.public


def test_an_openssh_key_is_read_as_it_is() -> None:
    assert load_key(openssh()).public == KEY.public
    assert load_key(openssh(), b"not needed").public == KEY.public


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")
def test_a_key_of_ssh_keygen_is_read(tmp_path: Path) -> None:
    path = tmp_path / "key"
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-f", str(path), "-N"]
    subprocess.run([*command, ""], check=True)
    assert load_key(path.read_bytes()).public.startswith("ed25519:")
    path.unlink()
    subprocess.run([*command, "blue book"], check=True)
    assert code(path.read_bytes()) in {"passphrase-needed", "passphrase-unsupported"}


def test_what_is_wrong_with_a_key_file_is_told_apart() -> None:
    data = pem(KEY, b"blue book")
    other = generate_private_key(SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = Ed25519PrivateKey.from_private_bytes(SEED).public_key()
    public_pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    assert code(data) == "passphrase-needed"
    assert code(data, b"red book") == "passphrase-wrong"
    assert code(other) == "key-of-another-kind"
    assert code(public_pem) == "key-is-public"
    assert code(b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 kari") == "key-is-public"
    assert code(KEY.public.encode()) == "key-is-public"
    assert code(b'format = "referee/orders/1"') == "not-a-key"
    assert code(b"") == "not-a-key"
    assert code(pem(KEY)[:60] + b"\n-----END PRIVATE KEY-----\n") == "not-a-key"


def test_public_keys_are_32_bytes_behind_their_kind() -> None:
    assert len(public_bytes(KEY.public, "ed25519")) == 32
    assert len(public_bytes(KEY.seal_public, "x25519")) == 32
    assert public_bytes(f" {KEY.public[:20]}\n{KEY.public[20:]}", "ed25519")


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("y", [0, 1, P - 1, ORDER_8, P - ORDER_8])
def test_keys_of_small_order_are_refused_with_either_sign(y: int, sign: int) -> None:
    data = (y | sign << 255).to_bytes(32, "little")
    with pytest.raises(PublicKeyError, match="weak Ed25519 key"):
        public_bytes("ed25519:" + encode(data), "ed25519")


def test_the_number_of_order_8_is_on_the_curve_and_of_order_8() -> None:
    d = -121665 * pow(121666, -1, P) % P
    y2 = ORDER_8 * ORDER_8 % P
    x2 = (y2 - 1) * pow(d * y2 + 1, -1, P) % P
    # The double of the point has y = (y^2 + x^2) / (1 - d x^2 y^2), and must be of order 4: y = 0.
    assert (y2 + x2) % P == 0
    assert pow(x2, (P - 1) // 2, P) == 1


@pytest.mark.parametrize("y", [P, P + 1, 2**255 - 1])
def test_numbers_out_of_range_are_no_keys(y: int) -> None:
    with pytest.raises(PublicKeyError, match="out of range"):
        public_bytes("ed25519:" + encode(y.to_bytes(32, "little")), "ed25519")


@pytest.mark.parametrize(
    "u", [0, 1, P - 1, P, P + 1,
          325606250916557431795983626356110631294008115727848805560023387167927233504]
)  # fmt: skip
def test_sealing_keys_with_which_an_exchange_fails_are_refused(u: int) -> None:
    with pytest.raises(PublicKeyError, match="weak X25519 key"):
        public_bytes("x25519:" + encode(u.to_bytes(32, "little")), "x25519")


def test_a_private_key_in_the_place_of_a_public_one_is_never_quoted() -> None:
    for text in (pem(KEY).decode(), openssh().decode(), encode(SEED), SEED.hex(), "x" * 43):
        with pytest.raises(PublicKeyError) as caught:
            public_bytes(text, "ed25519")
        message = str(caught.value)
        assert ("private key" in message) == ("PRIVATE KEY" in text)
        assert encode(SEED) not in message
        assert SEED.hex() not in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'must be a public key that begins with "ed25519:"'),
        (
            KEY.seal_public,
            'must be a public key that begins with "ed25519:", not "x25519:"',
        ),
        ("ed25519:AAAA", 'after "ed25519:" must be 43 characters of base64, not 4'),
    ],
)
def test_what_is_no_public_key_is_said_in_words(text: str, message: str) -> None:
    with pytest.raises(PublicKeyError) as caught:
        public_bytes(text, "ed25519")
    assert str(caught.value) == message
