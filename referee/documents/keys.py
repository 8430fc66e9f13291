"""A person's keys: one 32-byte seed, from which all else follows (DESIGN 3).

The seed is an Ed25519 private key as it is, kept as an ordinary PKCS#8 PEM file; the X25519 key for
sealing is derived from it. Public forms are `ed25519:B64` and `x25519:B64` of the 32 raw bytes.
This module draws no random bytes, reads no file, and puts no private key into a text or an error.
"""

from binascii import a2b_base64
from typing import TYPE_CHECKING, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.documents.base64 import Base64Error, decode, encode, stripped
from referee.errors import Problem, UnreadableDocument

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

KeyKind = Literal["ed25519", "x25519"]

_SEAL_INFO = b"referee/x25519/1"

_PRIME = 2**255 - 19
_ORDER_8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
# The points of order 1, 2, 4, 4, 8, 8 by their y; the sign of x, the highest bit of a key, is
# another matter.
_SMALL_ORDER = frozenset({1, _PRIME - 1, 0, _ORDER_8, _PRIME - _ORDER_8})

# A PKCS#8 Ed25519 key without passphrase is always these 16 bytes and the seed (RFC 8410, section
# 7).
_PKCS8_START = bytes.fromhex("302e020100300506032b657004220420")
_SSH_START = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_PEM_START, _PEM_END = b"-----BEGIN PRIVATE KEY-----", b"-----END PRIVATE KEY-----"


class PublicKeyError(ValueError):
    """A text that is no usable public key; its message is fit for a `Problem`."""


class Key:
    """The private key of one person; nothing that is printed or raised shows the seed."""

    __slots__ = ("_ed25519", "_seal", "_seed", "public")

    public: str
    """The public key by which his signatures are checked, `ed25519:B64`."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != 32:
            raise AssertionError("the seed of a key has 32 bytes")
        self._seed = bytes(seed)
        self._seal: X25519PrivateKey | None = None
        self._ed25519 = Ed25519PrivateKey.from_private_bytes(self._seed)
        self.public = "ed25519:" + encode(self._ed25519.public_key().public_bytes_raw())

    @classmethod
    def from_seed(cls, seed: bytes) -> "Key":
        """Return the key that belongs to 32 bytes, which the caller has drawn or read."""
        return cls(seed)

    def __repr__(self) -> str:
        return f"Key({self.public})"

    def __reduce__(self) -> str:
        raise TypeError("a private key is not to be copied into other files")

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of the Ed25519 signature of a message."""
        return self._ed25519.sign(message)

    def derive(self, salt: bytes | None, info: bytes, length: int = 32) -> bytes:
        """Return HKDF-SHA256 of the seed."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        return HKDF(SHA256(), length, salt, info).derive(self._seed)

    @property
    def seal_private(self) -> "X25519PrivateKey":
        """The private key for sealing and unsealing."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

        if self._seal is None:
            self._seal = X25519PrivateKey.from_private_bytes(self.derive(None, _SEAL_INFO))
        return self._seal

    @property
    def seal_public(self) -> str:
        """The public key with which others seal to him, `x25519:B64`."""
        return "x25519:" + encode(self.seal_private.public_key().public_bytes_raw())


def public_bytes(text: str, kind: KeyKind) -> bytes:
    """Return the 32 bytes of a public key such as `ed25519:B64`.

    Raises `PublicKeyError` for anything else, and for weak keys: Ed25519 keys whose y is not below
    p or that have small order, X25519 keys with which an exchange fails. The text is never quoted,
    as it might be a private key.
    """
    if "PRIVATEKEY" in stripped(text):
        raise PublicKeyError(f'is a private key: keep it to yourself and give the public one, "{kind}:…"')
    word, colon, value = stripped(text).partition(":")
    if not colon or word != kind:
        other = "x25519" if kind == "ed25519" else "ed25519"
        given = f', not "{other}:"' if word == other else ""
        raise PublicKeyError(f'must be a public key that begins with "{kind}:"{given}')
    try:
        data = decode(value, 32)
    except Base64Error as error:
        raise PublicKeyError(f'after "{kind}:" {error}') from None
    if kind == "ed25519":
        _refuse_weak_signer(data)
    else:
        _refuse_weak_exchange(data)
    return data


def _refuse_weak_signer(data: bytes) -> None:
    y = int.from_bytes(data, "little") & ((1 << 255) - 1)
    if y >= _PRIME:
        raise PublicKeyError("is no Ed25519 key: its number is out of range")
    if y in _SMALL_ORDER:
        raise PublicKeyError("is a weak Ed25519 key, under which anybody can sign")


def _refuse_weak_exchange(data: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    # Whether the shared secret is all zero does not depend on the private key: those are multiples
    # of 8.
    probe = X25519PrivateKey.from_private_bytes(bytes(32))
    try:
        probe.exchange(X25519PublicKey.from_public_bytes(data))
    except ValueError:
        raise PublicKeyError("is a weak X25519 key, with which nothing can be sealed") from None


def load_key(data: bytes, passphrase: bytes | None = None, file: str = "") -> Key:
    """Return the key of a PKCS#8 PEM file or an OpenSSH private key file, both Ed25519.

    A passphrase that is not needed is not looked at; an encrypted OpenSSH key needs the package bcrypt. Raises
    `UnreadableDocument` with one problem, whose code is `passphrase-needed`, `passphrase-wrong`,
    `passphrase-unsupported`, `key-of-another-kind`, `key-is-public` or `not-a-key`.
    """
    seed = _plain_seed(data)
    if seed is not None:
        return Key(seed)
    if _SSH_START in data:
        return _load_openssh(data, passphrase, file)
    if b"PRIVATE KEY-----" in data:
        return _load(
            data,
            passphrase,
            file,
            b"ENCRYPTED" in data,
            "`openssl pkey -in KEY -aes256 -out COPY` encrypts a copy as it is usual",
        )
    start = data.lstrip()
    if b"PUBLIC KEY" in data or start.startswith((b"ssh-", b"ed25519:", b"x25519:")):
        raise _refusal(
            "key-is-public",
            "is a public key; the private one is needed",
            file,
            "look for the file it was made from",
        )
    raise _refusal("not-a-key", "is not a private key file", file, "`referee keygen` makes one")


def _plain_seed(data: bytes) -> bytes | None:
    """Read the usual key file without the library's reader, which costs 11 ms to import."""
    _, start, rest = data.partition(_PEM_START)
    body, end, _ = rest.partition(_PEM_END)
    if not start or not end:
        return None
    try:
        der = a2b_base64(body)
    except ValueError:
        return None
    return der[16:] if len(der) == 48 and der.startswith(_PKCS8_START) else None


def _load_openssh(data: bytes, passphrase: bytes | None, file: str) -> Key:
    """Read a key of ssh-keygen. What can be seen of it without its passphrase is said before that is asked for."""
    cipher, kind = _openssh_head(data)
    is_encrypted = cipher not in (b"", b"none")
    if kind not in (b"", b"ssh-ed25519"):
        raise _another_kind(file)
    if is_encrypted and not _has_bcrypt():
        message = "is an encrypted OpenSSH key, which needs the package bcrypt"
        hint = "`pip install 'referee[openssh]'`, or take the passphrase off a copy: `ssh-keygen -p -N '' -f COPY`"
        raise _refusal("passphrase-unsupported", message, file, hint)
    hint = "`ssh-keygen -p -Z aes256-ctr -f COPY` encrypts a copy as it is usual"
    return _load(data, passphrase, file, is_encrypted, hint)


def _has_bcrypt() -> bool:
    """Say whether the package is there with which the library opens an encrypted OpenSSH key."""
    from importlib.util import find_spec

    return find_spec("bcrypt") is not None


def _openssh_head(data: bytes) -> tuple[bytes, bytes]:
    """Return the cipher and the kind of an OpenSSH key, both of which stand there openly; nothing if it is damaged."""
    try:
        body = a2b_base64(data.partition(_SSH_START)[2].partition(b"-----")[0])
    except ValueError:
        return b"", b""
    parts = []
    rest = body.removeprefix(b"openssh-key-v1\0")
    for _ in range(3):  # cipher, key derivation, its options
        size = int.from_bytes(rest[:4], "big")
        parts.append(rest[4 : 4 + size])
        rest = rest[4 + size :]
    size = int.from_bytes(rest[8:12], "big")  # behind the number of keys and the length of the public one
    return parts[0], rest[12 : 12 + size]


def _load(data: bytes, passphrase: bytes | None, file: str, is_encrypted: bool, other: str) -> Key:
    """Read a key with the library; `other` is a hint for a cipher that it does not know."""
    from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization

    if is_encrypted and passphrase is None:
        raise _refusal("passphrase-needed", "needs the passphrase of this key", file)
    wrong = _refusal("passphrase-wrong", "cannot be opened with this passphrase", file)
    if is_encrypted and not passphrase:
        raise wrong
    read = serialization.load_ssh_private_key if _SSH_START in data else serialization.load_pem_private_key
    text = data.removeprefix(b"\xef\xbb\xbf").strip() + b"\n"
    try:
        key = read(text, passphrase if is_encrypted else None)
    except UnsupportedAlgorithm:
        message = "is encrypted in a way that cannot be read here" if is_encrypted else "cannot be read here"
        raise _refusal("passphrase-unsupported", message, file, other) from None
    except (ValueError, TypeError, InvalidTag):
        if is_encrypted:
            raise wrong from None
        raise _refusal("not-a-key", "is a damaged private key file", file) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise _another_kind(file)
    return Key(key.private_bytes_raw())


def _another_kind(file: str) -> UnreadableDocument:
    message = "is a private key of another kind; it must be Ed25519"
    return _refusal("key-of-another-kind", message, file, "`referee keygen` or `ssh-keygen -t ed25519` makes one")


def _refusal(code: str, message: str, file: str, hint: str = "") -> UnreadableDocument:
    return UnreadableDocument(Problem(code, message, hint=hint, file=file))


def pem(key: Key, passphrase: bytes | None = None) -> bytes:
    """Write the key as a PKCS#8 PEM file, encrypted if there is a passphrase.

    The library derives the key of the encryption with 2,048 rounds of PBKDF2, and has no way to ask for more of this
    format (`encryption_builder` is for OpenSSH, which needs bcrypt, and PKCS#12). So the passphrase must be a good one.
    """
    from cryptography.hazmat.primitives import serialization

    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase:
        encryption = serialization.BestAvailableEncryption(passphrase)
    return key._ed25519.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)
