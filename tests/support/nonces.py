"""Ed25519 once more (RFC 8032), with a nonce that may be chosen: one document can have many signatures that hold."""

from hashlib import sha512

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, PRIME) % PRIME
_BASE = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)
Point = tuple[int, int]


def _add(one: Point, other: Point) -> Point:
    (x, y), (u, v) = one, other
    product = _D * x * u * y * v % PRIME
    return (
        (x * v + u * y) * pow(1 + product, -1, PRIME) % PRIME,
        (y * v + x * u) * pow(1 - product, -1, PRIME) % PRIME,
    )


def _times_base(number: int) -> bytes:
    """Return a multiple of the base point in its 32 bytes."""
    found, power = (0, 1), _BASE
    while number:
        if number & 1:
            found = _add(found, power)
        power, number = _add(power, power), number >> 1
    return (found[1] | (found[0] & 1) << 255).to_bytes(32, "little")


def _number(*parts: bytes) -> int:
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little") % ORDER


def other_signature(seed: bytes, message: bytes, nonce: bytes = b"other") -> bytes:
    """Sign with the key of a seed and another nonce than everybody takes."""
    hashed = sha512(seed).digest()
    scalar = int.from_bytes(hashed[:32], "little") & (1 << 254) - 8 | 1 << 254
    secret = _number(nonce, hashed[32:], message)
    public, point = _times_base(scalar), _times_base(secret)
    challenge = _number(point, public, message)
    return point + ((secret + challenge * scalar) % ORDER).to_bytes(32, "little")
