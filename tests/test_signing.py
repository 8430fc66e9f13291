"""A signature counts only under the key on record, and only for what was signed (DESIGN 3)."""

from pathlib import Path
from typing import Any

import pytest
import tomli_w

import referee
from referee.documents.base64 import encode
from referee.documents.canonical import digest_of
from referee.documents.keys import Key
from referee.documents.signing import read, sign, verified
from referee.errors import BadSignature, UnreadableDocument

KARI = Key.from_seed(b"k" * 32)
OLA = Key.from_seed(b"o" * 32)
TREE: dict[str, Any] = {
    "format": "referee/orders/1",
    "game": "fjord",
    "state": "1yOJNS0v2DxhK88ilY3n/8bJegrB5WZYqCHGR9Ad4gM",
    "note": "two  blanks",
    "place": {"alaska": 3, "Øst-USA": 2},
}


def text(tree: dict[str, Any] = TREE, key: Key = KARI, by: str = "kari") -> str:
    return tomli_w.dumps({**tree, "signature": sign(tree, key, by)})


def refusal(document: str, key: str = KARI.public) -> str:
    with pytest.raises(BadSignature) as caught:
        verified(read(document.encode(), "orders.toml"), key)
    (problem,) = caught.value.problems
    assert problem.file == "orders.toml"
    return problem.code


def test_a_signed_document_says_who_signed_it_and_what() -> None:
    signed = verified(read(text().encode(), "orders.toml"), KARI.public)
    assert signed.format == "referee/orders/1"
    assert signed.tree == TREE
    assert (signed.by, signed.key) == ("kari", KARI.public)
    assert signed.digest == digest_of(TREE)
    assert len(signed.signature) == 64


def test_a_signature_survives_another_layout() -> None:
    wrapped = text().replace("1yOJ", " 1yO J").replace("\n", "\r\n") + "# sent from my telephone"
    assert verified(read(wrapped.encode()), KARI.public).tree == TREE


def test_signing_again_gives_the_same_bytes_and_leaves_the_old_signature_out() -> None:
    again = {**TREE, "signature": sign(TREE, OLA, "ola")}
    assert sign(again, KARI, "kari") == sign(TREE, KARI, "kari")


def test_a_change_of_meaning_is_found() -> None:
    assert refusal(text().replace("alaska = 3", "alaska = 4")) == "wrong-signature"
    assert refusal(text().replace("two  blanks", "two blanks")) == "wrong-signature"
    assert refusal("extra = true\n" + text()) == "wrong-signature"


def test_a_signature_for_one_kind_of_document_is_none_for_another() -> None:
    assert refusal(text().replace("referee/orders/1", "referee/standing/1")) == "wrong-signature"


def test_a_signature_under_another_key_does_not_count() -> None:
    assert refusal(text(key=OLA)) == "other-key"
    assert refusal(text(key=OLA).replace(OLA.public, KARI.public)) == "wrong-signature"


def test_a_weak_key_on_record_verifies_nothing() -> None:
    weak = "ed25519:" + encode(b"\1" + bytes(31))
    forged = text().replace(KARI.public, weak)
    assert refusal(forged, weak) == "bad-key"


def test_a_signature_with_a_number_out_of_range_is_refused() -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    signature = sign(TREE, KARI, "kari")
    signed = read(text().encode()).signature
    assert signed is not None
    scalar = int.from_bytes(signed.value[32:], "little") + order
    signature["value"] = [signature["value"][0], encode(scalar.to_bytes(32, "little"))]
    assert refusal(tomli_w.dumps({**TREE, "signature": signature})) == "wrong-signature"


def test_a_document_without_a_signature_can_be_read_but_not_verified() -> None:
    assert refusal(tomli_w.dumps(TREE)) == "not-signed"


@pytest.mark.parametrize(
    ("table", "problems"),
    [
        ('signature = "kari"', [("signature", 2, "must be a table")]),
        (
            '[signature]\nby = "kari"\nsalt = "x"',
            [
                ("signature", 2, '"key" is missing'),
                ("signature", 2, '"value" is missing'),
                ("signature", 2, '"salt" is unknown here'),
            ],
        ),
        (
            '[signature]\nby = 1\nkey = true\nvalue = ["AA", "AA"]',
            [
                ("signature.by", 3, "must be a string"),
                ("signature.key", 4, "must be a string"),
                ("signature.value", 5, "each half must be 43 characters of base64, not 2"),
            ],
        ),
        (
            '[signature]\nby = "kari"\nkey = "x"\nvalue = "AA"',
            [("signature.value", 5, "must be a list of two strings, the two halves of the "
              "signature")],
        ),
    ],
)  # fmt: skip
def test_a_signature_table_that_is_none_is_unreadable(table: str, problems: list[tuple[str, int, str]]) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read(f'format = "referee/orders/1"\n{table}\n'.encode(), "orders.toml")
    found = [(problem.key, problem.line, problem.message) for problem in caught.value.problems]
    assert found == problems


@pytest.mark.parametrize("start", ["", "format = 1\n"])
def test_a_document_names_its_kind(start: str) -> None:
    with pytest.raises(UnreadableDocument, match="`format`"):
        read(f'{start}game = "fjord"\n'.encode(), "orders.toml")


def test_nothing_but_verified_makes_a_signed_document() -> None:
    folder = Path(referee.__file__).parent
    makers = [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*.py"))
        if " Signed(\n" in path.read_text(encoding="utf-8")
        or "return Signed(" in path.read_text(encoding="utf-8")
        or "= Signed(" in path.read_text(encoding="utf-8")
    ]
    assert makers == ["documents/signing.py"]
