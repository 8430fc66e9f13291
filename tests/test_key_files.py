"""Keys that people have: with passphrases, of ssh-keygen and openssl, in files that others can read (DESIGN 3)."""

import os
import shutil
import subprocess
from base64 import b64decode
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.table import key_of
from support.terminal import at_a_terminal
from support.transcripts import referee

from referee.cli import passphrase
from referee.documents import keys
from referee.documents.keys import load_key, pem
from referee.errors import UnreadableDocument

WORDS = "blaa bok"
ROOT = Path(__file__).parent.parent
needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here")
needs_bcrypt = pytest.mark.skipif(
    find_spec("bcrypt") is None and not os.environ.get("CI"),
    reason="no bcrypt here: `pip install '.[openssh]'` (with CI set this is a failure)",
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_KEY", raising=False)
    monkeypatch.delenv(passphrase.FILE, raising=False)


def code(data: bytes, words: bytes | None = None) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        load_key(data, words, "kari.key")
    return caught.value.problems[0].code


def written(name: str, data: bytes, mode: int = 0o600) -> str:
    Path(name).write_bytes(data)
    Path(name).chmod(mode)
    return name


def ssh_keygen(*words: str) -> bytes:
    command = ["ssh-keygen", "-q", "-f", "ssh", *words]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return Path("ssh").read_bytes()


# --- OpenSSH -----------------------------------------------------------------------------------


@needs_ssh_keygen
def test_a_key_of_ssh_keygen_joins_a_game() -> None:
    ssh_keygen("-t", "ed25519", "-N", "")
    written("runa.key", pem(key_of("runa")))
    assert referee(["new", "fjord", "--host", "runa", "-q"]).code == 0
    assert referee(["join", "fjord-invitation.toml", "--as", "kari", "--key", "ssh", "-q"]).code == 0
    assert load_key(Path("ssh").read_bytes()).public in Path("join-kari.toml").read_text()


@needs_ssh_keygen
@needs_bcrypt
@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com"])
def test_an_encrypted_key_of_ssh_keygen_is_read(cipher: str) -> None:
    data = ssh_keygen("-t", "ed25519", "-N", WORDS, "-Z", cipher, "-a", "4")
    assert code(data) == "passphrase-needed"
    assert code(data, b"another") == "passphrase-wrong"
    assert code(data, b"") == "passphrase-wrong"
    key = load_key(data, WORDS.encode())
    assert load_key(ssh_keygen("-p", "-P", WORDS, "-N", "")).public == key.public


@needs_ssh_keygen
@needs_bcrypt
def test_a_cipher_that_cannot_be_read_can_be_changed_as_the_hint_says() -> None:
    data = ssh_keygen("-t", "ed25519", "-N", WORDS, "-Z", "chacha20-poly1305@openssh.com", "-a", "4")
    assert code(data, WORDS.encode()) == "passphrase-unsupported"
    again = ssh_keygen("-p", "-P", WORDS, "-N", WORDS, "-Z", "aes256-ctr", "-a", "4")
    assert load_key(again, WORDS.encode()).public.startswith("ed25519:")


@needs_ssh_keygen
def test_without_bcrypt_nobody_is_asked_for_a_passphrase_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ssh_keygen("-t", "ed25519", "-N", WORDS, "-a", "4")
    monkeypatch.setattr(keys, "_has_bcrypt", lambda: False)
    for words in (None, WORDS.encode()):
        with pytest.raises(UnreadableDocument) as caught:
            load_key(data, words, "ssh")
        (problem,) = caught.value.problems
        assert problem.code == "passphrase-unsupported"
        assert "pip install 'referee[openssh]'" in problem.hint
        assert "ssh-keygen -p -N ''" in problem.hint
    shutil.copy("ssh", "copy")
    command = ["ssh-keygen", "-q", "-p", "-P", WORDS, "-N", "", "-f", "copy"]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    assert load_key(Path("copy").read_bytes()).public.startswith("ed25519:")


@needs_ssh_keygen
@pytest.mark.parametrize("words", ["", WORDS])
def test_a_key_of_another_kind_is_known_by_its_head(words: str) -> None:
    assert code(ssh_keygen("-t", "ecdsa", "-N", words, "-a", "4")) == "key-of-another-kind"


@needs_ssh_keygen
@pytest.mark.parametrize("words", ["", WORDS])
def test_a_damaged_key_file_is_never_an_error_of_the_program(words: str) -> None:
    data = ssh_keygen("-t", "ed25519", "-N", words, "-a", "1")
    start = data.index(b"\n") + 1
    found = set()
    # but for the number of rounds, which stands in letters 57 to 92
    for place in (*range(start, start + 56, 5), *range(start + 100, len(data), 17)):
        letter = b"A" if data[place : place + 1] != b"A" else b"/"
        for damaged in (data[:place] + letter + data[place + 1 :], data[:place] + b"\n" + data[-36:]):
            with suppress(UnreadableDocument):
                load_key(damaged, WORDS.encode())
                found.add(place)
    assert len(found) < 10, "where a comment or the padding stands, nothing of the key is damaged"


# --- PKCS#8 ------------------------------------------------------------------------------------

OPENSSL = (
    "pkey -aes256",
    "pkey -aes-128-cbc",
    "pkcs8 -topk8 -scrypt",
    "pkcs8 -topk8 -v2prf hmacWithSHA256 -iter 1000000",
)
README = (ROOT / "README.md").read_text("utf-8")


def test_the_readme_says_what_a_passphrase_is_worth_and_how_it_is_made_dearer() -> None:
    """As soon as the library takes more rounds the README and `pem` are to say so."""
    der = b64decode("".join(pem(key_of("kari"), b"words").decode().split("\n")[1:-2]))
    pbkdf2 = bytes.fromhex("06092a864886f70d01050c")
    salt = der.index(pbkdf2) + len(pbkdf2) + 2
    rounds = salt + 2 + der[salt + 1]
    assert der[rounds : rounds + 2] == b"\x02\x02", "a number of two bytes"
    assert f"{int.from_bytes(der[rounds + 2 : rounds + 4]):,} rounds" in README
    for how in OPENSSL[2:]:
        assert f"openssl {how} -in kari.key -out locked.key\n" in README


@needs_openssl
@pytest.mark.parametrize("how", OPENSSL)
def test_a_key_that_openssl_encrypts_is_read(how: str) -> None:
    written("kari.key", pem(key_of("kari")))
    command = ["openssl", *how.split(), "-in", "kari.key", "-out", "locked.key", "-passout", f"pass:{WORDS}"]
    subprocess.run(command, check=True, capture_output=True)
    data = Path("locked.key").read_bytes()
    assert code(data) == "passphrase-needed"
    assert code(data, b"another") == "passphrase-wrong"
    assert code(data, b"") == "passphrase-wrong"
    assert load_key(data, WORDS.encode()).public == key_of("kari").public


# --- where a passphrase comes from -------------------------------------------------------------


def game() -> None:
    """Invite to a game as runa, whose key has a passphrase."""
    written("runa.key", pem(key_of("runa"), WORDS.encode()))
    written("words", WORDS.encode() + b"\r\nnot this\n")


def test_a_program_names_a_file_with_the_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    game()
    outcome = referee(["new", "fjord", "--host", "runa"])
    assert outcome.code == 3
    assert outcome.err == (
        "runa.key: needs the passphrase of this key\n"
        "  hint: it is asked for on a terminal; for programs $REFEREE_PASSPHRASE_FILE names a file with it\n"
    )
    monkeypatch.setenv(passphrase.FILE, "words")
    assert referee(["new", "fjord", "--host", "runa"]).code == 0


def test_a_wrong_passphrase_in_the_file_is_refused_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    game()
    written("others", b"verdens beste\n", 0o644)
    monkeypatch.setenv(passphrase.FILE, "others")
    outcome = referee(["new", "fjord", "--host", "runa"])
    assert outcome.code == 3
    assert outcome.err == (
        "warning: others: others can read this passphrase (mode 0644)\n"
        "  hint: `chmod 600 others`\n"
        "runa.key: cannot be opened with this passphrase\n"
        "  hint: it was read from others, which $REFEREE_PASSPHRASE_FILE names\n"
    )
    monkeypatch.setenv(passphrase.FILE, "nothing")
    outcome = referee(["new", "fjord", "--host", "runa"])
    assert (outcome.code, outcome.err) == (3, "nothing: cannot be read: no such file or directory\n")


def test_a_key_with_a_passphrase_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = referee(["keygen", "kari", "--passphrase"])
    assert (outcome.code, "on a terminal only" in outcome.err) == (2, True)
    written("empty", b"\n")
    monkeypatch.setenv(passphrase.FILE, "empty")
    outcome = referee(["keygen", "kari", "--passphrase"])
    assert (outcome.code, "an empty passphrase protects nothing" in outcome.err) == (2, True)
    written("words", WORDS.encode())
    monkeypatch.setenv(passphrase.FILE, "words")
    assert referee(["keygen", "kari", "--passphrase", "-q"]).code == 0
    data = Path("kari.key").read_bytes()
    assert load_key(data, WORDS.encode()).public.startswith("ed25519:")
    assert Path("kari.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_a_terminal_is_asked_without_echo_and_again_after_a_wrong_answer() -> None:
    game()
    typed = [b"one\n", b"two\n", WORDS.encode() + b"\n"]
    status, shown = at_a_terminal(["new", "fjord", "--host", "runa"], typed)
    assert status == 0, shown
    assert shown.count("Passphrase of runa.key:") == 3
    assert shown.count("this passphrase does not open it, try again") == 2
    assert not any(word in shown for word in ("one", "two", WORDS))
    status, shown = at_a_terminal(["new", "other", "--host", "runa"], [b"one\n", b"two\n", b"\n"])
    assert (status, "cannot be opened with this passphrase" in shown) == (3, True)
    status, shown = at_a_terminal(["new", "other", "--host", "runa"], [b"\x04"])
    assert (status, "needs the passphrase of this key" in shown) == (3, True)


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_a_terminal_is_asked_even_if_a_document_comes_through_a_pipe() -> None:
    game()
    assert at_a_terminal(["new", "fjord", "--host", "runa"], [WORDS.encode() + b"\n"])[0] == 0
    written("kari.key", pem(key_of("kari"), WORDS.encode()))
    text = Path("fjord-invitation.toml").read_bytes()
    status, shown = at_a_terminal(["join", "-", "--as", "kari"], [WORDS.encode() + b"\n"], text)
    assert status == 0, shown
    assert Path("join-kari.toml").exists()


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_a_new_passphrase_is_asked_for_twice() -> None:
    status, shown = at_a_terminal(["keygen", "kari", "--passphrase"], [b"one\n", b"two\n"])
    assert (status, "the two are not the same" in shown) == (2, True)
    assert not Path("kari.key").exists()
    status, shown = at_a_terminal(["keygen", "kari", "--passphrase"], [b"one\n", b"one\n"])
    assert status == 0, shown
    assert load_key(Path("kari.key").read_bytes(), b"one").public in shown


# --- others who can read it ----------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize(("mode", "warned"), [(0o600, 0), (0o400, 0), (0o640, 1), (0o604, 1), (0o644, 1)])
@pytest.mark.parametrize("words", [None, WORDS.encode()])
def test_a_key_that_others_can_read_is_named(
    mode: int, warned: int, words: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("words", WORDS.encode())
    monkeypatch.setenv(passphrase.FILE, "words")
    written("runa.key", pem(key_of("runa"), words), mode)
    outcome = referee(["new", "fjord", "--host", "runa", "-q"])
    assert outcome.code == 0
    assert outcome.err.count("warning: runa.key: others can read this private key") == warned


def test_the_key_of_an_example_is_public_and_says_so() -> None:
    written("runa.key", b"THIS KEY IS PUBLIC. It belongs to an example game.\n" + pem(key_of("runa")), 0o644)
    assert referee(["new", "fjord", "--host", "runa", "-q"]).err == ""


def test_a_key_that_lies_there_and_is_found_is_named_too() -> None:
    written("runa.key", pem(key_of("runa")))
    written("my-own.key", pem(key_of("kari")), 0o644)
    assert referee(["new", "fjord", "--host", "runa", "-q"]).code == 0
    for player in ("kari", "ola", "per"):
        written(f"{player}.pem", pem(key_of(player)))
        assert referee(["join", "fjord-invitation.toml", "--as", player, "--key", f"{player}.pem", "-q"]).code == 0
    joins = [f"join-{player}.toml" for player in ("kari", "ola", "per")]
    assert referee(["start", "fjord-invitation.toml", *joins, "-q"]).code == 0
    outcome = referee(["draft", "fjord-0001.toml", "--fill", "-q"])
    assert outcome.err.startswith("warning: my-own.key: others can read this private key")
