"""What is hashed is the meaning of a document (DESIGN 3)."""

import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from support.patience import PATIENT

from referee.documents import base64
from referee.documents.canonical import canonical, digest_of, fingerprint, normalise, sift
from referee.documents.signing import read

B64 = "1yOJNS0v2DxhK88ilY3n/8bJegrB5WZYqCHGR9Ad4gM"
SEEN = st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \n\t")
KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True)
LEAVES: Any = st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(SEEN, max_size=30)
VALUES: Any = LEAVES | st.lists(LEAVES, max_size=3) | st.lists(st.lists(LEAVES), max_size=3)
TABLES: Any = st.dictionaries(KEYS, VALUES, max_size=3)
TREES: Any = st.dictionaries(KEYS, VALUES | TABLES | st.lists(TABLES, max_size=3), max_size=4)


def seen(text: str) -> str:
    return digest_of(read(text.encode()).tree)


@PATIENT
@given(TREES)
def test_layout_never_changes_a_digest(tree: dict[str, Any]) -> None:
    tree = {**tree, "format": "referee/orders/1"}
    tree.pop("signature", None)
    text = tomli_w.dumps(tree)
    want = seen(text)
    assert want == digest_of(normalise(tree))
    assert seen("\ufeff" + text) == want
    assert seen(text.replace("\n", "\r\n")) == want
    assert seen(text.replace("\n", "\r\r\n")) == want
    assert seen("# a comment\n\n" + text + "\n\n# and another, without a line end") == want
    assert seen(tomli_w.dumps(dict(reversed(tree.items())), multiline_strings=True)) == want


def test_white_space_in_binary_values_is_no_part_of_what_is_hashed() -> None:
    plain = f'format = "x"\nstate = "{B64}"\nbox = "{B64}{B64}"\nreveals = [["kari", "{B64}"]]\n'
    wrapped = (
        f'format = "x"\nstate = " {B64[:9]} {B64[9:]}"\n'
        f'box = """\n{B64}\n  {B64}\n"""\nreveals = [["kari", "{B64}  "]]\n'
    )
    assert seen(wrapped) == seen(plain)


def test_white_space_elsewhere_is() -> None:
    assert seen('format = "x"\nnote = "a b"') != seen('format = "x"\nnote = "ab"')


def test_a_player_called_like_a_binary_value_keeps_the_blanks_of_his_title() -> None:
    tree = tomllib.loads('[players.sealed]\ntitle = "a b"\nsalt = "a b"\n[standing.key]\nnote = "c d"')
    assert normalise(tree) == {
        "players": {"sealed": {"title": "a b", "salt": "ab"}},
        "standing": {"key": {"note": "c d"}},
    }


def test_normalising_leaves_its_argument_alone() -> None:
    tree = {"sealed": {"kari": "a b"}, "list": [{"key": "a b"}]}
    assert normalise(tree) == {"sealed": {"kari": "ab"}, "list": [{"key": "ab"}]}
    assert tree == {"sealed": {"kari": "a b"}, "list": [{"key": "a b"}]}


def test_only_the_outermost_signature_is_no_part_of_the_canonical_bytes() -> None:
    assert canonical({"signature": {}, "a": {"signature": {}}}) == b'{"a":{"signature":{}}}'


def test_a_fingerprint_is_eight_groups_of_four_digits() -> None:
    assert fingerprint(B64) == "d723 8935 2d2f d83c 612b cf22 958d e7ff"


@PATIENT
@given(st.binary())
def test_base64_is_read_back(data: bytes) -> None:
    text = base64.encode(data)
    assert base64.decode(text) == data
    assert base64.decode(" \n".join(text), len(data)) == data


@pytest.mark.parametrize(
    ("text", "size", "message"),
    [
        ("AB", None, "is not base64"),  # bits are left over: AA is the way to write it
        ("A", None, "is not base64"),
        ("AAé", None, "is not base64"),
        ("AA==", None, 'must be base64 without padding: leave out "="'),
        (
            "_-8",
            None,
            'must be base64 in the standard alphabet, with "+" and "/" in place of "-" and "_"',
        ),
        ("AAA", 32, "must be 43 characters of base64, not 3"),
        ("A" * 43, 16, "must be 22 characters of base64, not 43"),
        ("", 16, "must be 22 characters of base64, not 0"),
    ],
)
def test_there_is_one_way_to_write_a_binary_value(text: str, size: int | None, message: str) -> None:
    with pytest.raises(base64.Base64Error) as caught:
        base64.decode(text, size)
    assert str(caught.value) == message


def test_what_is_sifted_is_all_that_stands_in_a_tree() -> None:
    tree = {
        "nonce": "a b", "players": {"salt": {"title": "x y", "salt": "c d"}}, "sealed": {"kari": "e\nf"},
        "list": [["g h", 1], {"key": "i j", "free": True}], "reveals": [["kari", "k l"]], "turn": 2, "odd": 1.5,
    }  # fmt: skip
    found = sift(tree)
    assert tree == {
        "nonce": "ab", "players": {"salt": {"title": "x y", "salt": "cd"}}, "sealed": {"kari": "ef"},
        "list": [["g h", 1], {"key": "ij", "free": True}], "reveals": [["kari", "kl"]], "turn": 2, "odd": 1.5,
    }  # fmt: skip
    assert sorted(found.keys) == sorted(
        ["nonce", "players", "salt", "title", "salt", "sealed", "kari", "list", "key", "free", "reveals", "turn", "odd"]
    )
    assert sorted(found.texts) == ["a b", "c d", "e\nf", "g h", "i j", "k l", "kari", "x y"]
    assert (sorted(found.numbers), found.others) == ([1, 2], [1.5])


def test_nothing_is_taken_out_of_what_has_no_binary_keys() -> None:
    tree = {"state": "a b", "keys": ["c d"]}
    assert sift(tree, ()).texts == ["a b", "c d"]
    assert tree == {"state": "a b", "keys": ["c d"]}
