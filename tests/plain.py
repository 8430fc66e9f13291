"""Sections 3 to 6 of the design once more, as plainly as can be, without a line of the program.

`python tests/plain.py` writes `vectors/more.json`; a test says that it would write the same again.
"""

import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

FILE = Path(__file__).parent / "vectors" / "more.json"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def u32(number: int) -> bytes:
    return bytes([number >> 24, number >> 16 & 255, number >> 8 & 255, number & 255])


def extract(salt: bytes, material: bytes) -> bytes:
    return hmac.new(salt or bytes(32), material, hashlib.sha256).digest()


def expand(key: bytes, info: bytes, length: int) -> bytes:
    out = block = b""
    for counter in range(1, 256):
        block = hmac.new(key, block + info + bytes([counter]), hashlib.sha256).digest()
        out += block
        if len(out) >= length:
            break
    return out[:length]


def hkdf(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return expand(extract(salt, material), info, length)


def canonical(tree: dict[str, Any]) -> bytes:
    tree = {key: value for key, value in tree.items() if key != "signature"}
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def raw_private(seed: bytes) -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(hkdf(seed, b"", b"referee/x25519/1", 32))


def keys(seed: bytes) -> dict[str, str]:
    signer = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    sealer = raw_private(seed).public_key().public_bytes_raw()
    return {
        "seed": seed.hex(),
        "key": "ed25519:" + b64(signer),
        "seal_key": "x25519:" + b64(sealer),
    }


def document(tree: dict[str, Any], signer: str, seed: bytes) -> dict[str, Any]:
    data = canonical(tree)
    message = b"referee-signature-v1\n" + tree["format"].encode() + b"\n" + data
    value = Ed25519PrivateKey.from_private_bytes(seed).sign(message)
    digits = sha(data)[:16].hex()
    return {
        "tree": tree,
        "canonical": data.hex(),
        "digest": b64(sha(data)),
        "fingerprint": " ".join(digits[i : i + 4] for i in range(0, 32, 4)),
        "signer": signer,
        "signature": [b64(value[:32]), b64(value[32:])],
    }


def chain(seed: bytes, nonce: bytes, salt: bytes, wanted: list[int]) -> dict[int, str]:
    links = {4096: hkdf(seed, nonce + salt, b"referee/chain/1", 32)}
    for number in range(4095, -1, -1):
        links[number] = sha(b"referee/chain/1\n" + links[number + 1])
    return {number: b64(links[number]) for number in wanted}


def turn_seed(content: dict[str, Any]) -> bytes:
    return sha(b"referee/turn/1\n" + canonical(content))


def roll(seed: bytes, battle: int, number: int, attack: int, defence: int) -> list[list[int]]:
    dice: list[int] = []
    block = 0
    while len(dice) < attack + defence:
        for byte in sha(b"referee/roll/1\n" + seed + u32(battle) + u32(number) + u32(block)):
            if byte < 252:
                dice.append(byte % 6 + 1)
        block += 1
    return [dice[:attack], dice[attack : attack + defence]]


def pick(seed: bytes, label: bytes, n: int) -> int:
    block = 0
    while True:
        data = sha(b"referee/pick/1\n" + seed + u32(len(label)) + label + u32(block))
        for start in (0, 8, 16, 24):
            value = int.from_bytes(data[start : start + 8], "big")
            if value < (2**64 // n) * n:
                return value % n
        block += 1


def shuffle(seed: bytes, label: bytes, count: int) -> list[int]:
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = pick(seed, label + b"/" + str(i).encode(), i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def hpke_secrets(shared_point: bytes, enc: bytes, receiver: bytes, info: bytes) -> list[bytes]:
    """Return key and nonce of RFC 9180, base mode, X25519, HKDF-SHA256, ChaCha20-Poly1305."""
    kem = b"KEM" + bytes([0, 0x20])
    suite = b"HPKE" + bytes([0, 0x20, 0, 1, 0, 3])

    def labelled_extract(of: bytes, salt: bytes, label: bytes, material: bytes) -> bytes:
        return extract(salt, b"HPKE-v1" + of + label + material)

    def labelled_expand(of: bytes, key: bytes, label: bytes, about: bytes, length: int) -> bytes:
        return expand(key, bytes([0, length]) + b"HPKE-v1" + of + label + about, length)

    key = labelled_extract(kem, b"", b"eae_prk", shared_point)
    shared = labelled_expand(kem, key, b"shared_secret", enc + receiver, 32)
    context = bytes([0]) + labelled_extract(suite, b"", b"psk_id_hash", b"")
    context += labelled_extract(suite, b"", b"info_hash", info)
    secret = labelled_extract(suite, shared, b"secret", b"")
    return [
        labelled_expand(suite, secret, b"key", context, 32),
        labelled_expand(suite, secret, b"base_nonce", context, 12),
    ]


def hpke_seal(ephemeral: X25519PrivateKey, receiver: bytes, info: bytes, plain: bytes) -> bytes:
    enc = ephemeral.public_key().public_bytes_raw()
    point = ephemeral.exchange(X25519PublicKey.from_public_bytes(receiver))
    key, nonce = hpke_secrets(point, enc, receiver, info)
    return enc + ChaCha20Poly1305(key).encrypt(nonce, plain, b"")


def hpke_open(receiver: X25519PrivateKey, info: bytes, box: bytes) -> bytes:
    enc = box[:32]
    point = receiver.exchange(X25519PublicKey.from_public_bytes(enc))
    key, nonce = hpke_secrets(point, enc, receiver.public_key().public_bytes_raw(), info)
    return ChaCha20Poly1305(key).decrypt(nonce, box[32:], b"")


def sealed_info(game: str, nonce: str, player: str, state: str) -> bytes:
    tree = {"game": game, "nonce": nonce, "player": player, "state": state}
    return b"referee/sealed/1\n" + canonical(tree)


def more() -> dict[str, Any]:
    fair = json.loads((FILE.parent / "fair.json").read_text(encoding="utf-8"))
    seeds = {name: bytes.fromhex(value) for name, value in fair["seeds"].items()}
    zero, ones = bytes(32), b"\xff" * 32
    nonce, salt, state = b64(bytes(16)), b64(b"\xff" * 16), b64(sha(b"state"))
    trees = [
        {"format": "referee/draw/1"},
        {
            "format": "referee/orders/1",
            "signature": {"by": "somebody", "key": "else", "value": []},
            "note": '"\\/ \n\t — Ærø ß 𝄞 \u2028',
            "yes": True,
            "no": False,
            "nested": [[{"b": 1, "a": [[], {}]}], []],
            "least": -(2**53 - 1),
            "place": {"Ø": 1, "a": 2, "Z": 3, "St. John_s": 4, "": 5, "日本": 6},
        },
    ]
    turns = [
        {"turn": 7, "orders": [], "reveals": [["a", state], ["a-b", nonce], ["a_", salt]]},
        {"turn": 2**32, "orders": [state, state], "reveals": []},
    ]
    rolls = []
    for seed, battle, number, attack, defence in (
        (zero, 1, 1, 3, 2), (zero, 1, 1, 40, 40), (ones, 2**32 - 1, 2**32 - 1, 3, 1),
        (ones, 2, 1, 1, 1), (ones, 1, 2, 1, 1), (zero, 9, 1, 0, 100),
    ):  # fmt: skip
        dice = roll(seed, battle, number, attack, defence)
        rolls.append(
            {"seed": seed.hex(), "battle": battle, "roll": number,
             "attack": dice[0], "defend": dice[1]}
        )  # fmt: skip
    picks = [
        {"seed": seed.hex(), "label": label, "n": n, "pick": pick(seed, label.encode(), n)}
        for seed in (zero, ones)
        for label, n in (("", 2), ("ærø", 42), ("x", 2**64), ("x", 2**64 - 1), ("y", 2**63 + 1))
    ]
    shuffles = [
        {"seed": zero.hex(), "label": label, "items": count,
         "order": shuffle(zero, label.encode(), count)}
        for label, count in (("none", 0), ("two", 2), ("æ", 4), ("hundred", 100))
    ]  # fmt: skip
    content = {"claim": ["siam", "Øst-USA"], "deploy": {"siam": 3}}
    info = sealed_info("fjord", nonce, "kari", state)
    plain = canonical({"content": content, "salt": salt}).ljust(2048)
    receiver = raw_private(seeds["host"]).public_key().public_bytes_raw()
    box = hpke_seal(X25519PrivateKey.from_private_bytes(ones), receiver, info, plain)
    return {
        "about": "more of the same as in fair.json; made by tests/plain.py",
        "documents": [document(tree, "ola", seeds["ola"]) for tree in trees],
        "keys": [keys(zero), keys(ones)],
        "chains": [
            {
                "of": "nobody",
                "seed": ones.hex(),
                "nonce": nonce,
                "salt": salt,
                "x": chain(ones, bytes(16), b"\xff" * 16, [0, 1, 2048, 4096]),
            }
        ],
        "turn_seeds": [
            {"game": "fjord", "nonce": nonce, "state": state, **turn,
             "seed": turn_seed({"game": "fjord", "nonce": nonce, "state": state, **turn}).hex()}
            for turn in turns
        ],
        "rolls": rolls,
        "picks": picks,
        "shuffles": shuffles,
        "hpke": {
            "to": "host",
            "game": "fjord",
            "nonce": nonce,
            "player": "kari",
            "state": state,
            "content": content,
            "salt": salt,
            "box": b64(box),
        },
    }  # fmt: skip


def text() -> str:
    return json.dumps(more(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
