"""What a mail adds around signed orders, or in front of each line, does no harm; nothing else is cut."""

import pytest
import tomli_w

from referee.documents.keys import Key
from referee.documents.signer import mailable, signed_text
from referee.documents.signing import read, read_each, verified
from referee.documents.text import BEGIN, END, MAX_BYTES, parse
from referee.errors import UnreadableDocument

ORDERS = f'{BEGIN}\nformat = "referee/orders/1"\n[place]\nalaska = 3\n{END}\n'
TREE = {"format": "referee/orders/1", "place": {"alaska": 3}}


@pytest.mark.parametrize(
    "text",
    [
        "Hi Runa!\n\nhere they are:\n" + ORDERS + "-- \nKari\n",
        "".join(f"> {line}\n" for line in ORDERS.splitlines()),
        "".join(f">> {line}\n" for line in ORDERS.splitlines()),
        "".join(f"| {line}\n" for line in ORDERS.splitlines()),
        "On Monday Runa wrote:\n" + "".join(f">{line}\n" for line in ORDERS.splitlines()) + "yes = no = maybe\n",
        "Hello = = there\r\n" + ORDERS.replace("\n", "\r\n"),
        "Hello there\n" + ORDERS.removesuffix(f"{END}\n"),
    ],
)
def test_what_stands_between_the_markers_is_read(text: str) -> None:
    assert parse(text.encode()).tree == TREE


def test_a_document_that_can_be_read_is_never_cut() -> None:
    text = f'note = """\n{BEGIN}\nlast = 1\n{END}\n"""\nturn = 2\n'
    assert parse(text.encode()).tree == {"note": f"{BEGIN}\nlast = 1\n{END}\n", "turn": 2}


def test_a_message_names_the_line_of_the_whole_text() -> None:
    text = f"Hi there\nyes\n{BEGIN}\nturn = = 2\n{END}\n"
    with pytest.raises(UnreadableDocument) as caught:
        parse(text.encode())
    assert caught.value.problems[0].line == 4


@pytest.mark.parametrize(
    "text", [f"{BEGIN}\n{BEGIN}\nno\n{END}\n", f"{BEGIN}\n= {END}\n", f"> {BEGIN}\n> > {BEGIN}\n", f"see {BEGIN}\n"]
)
def test_markers_around_nothing_that_can_be_read_end_in_a_message(text: str) -> None:
    with pytest.raises(UnreadableDocument):
        parse(text.encode())


STANDING = f'{BEGIN}\nformat = "referee/standing/1"\nsequence = 3\n{END}\n'


@pytest.mark.parametrize(
    "text",
    [
        ORDERS + STANDING,
        f"Hi Runa!\n\n{ORDERS}\nand these, for later:\n\n{STANDING}-- \nKari\n",
        "".join(f"> {line}\n" for line in f"{ORDERS}\n{STANDING}".splitlines()),
        ORDERS + "".join(f">> {line}\n" for line in STANDING.splitlines()),
        ORDERS.removesuffix(f"{END}\n") + STANDING,
    ],
)
def test_of_several_documents_in_one_text_each_is_read(text: str) -> None:
    assert [one.format for one in read_each(text.encode())] == ["referee/orders/1", "referee/standing/1"]


def test_where_one_document_is_wanted_several_are_refused() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read(f"Hi Runa!\n{ORDERS}{STANDING}".encode())
    assert [problem.code for problem in caught.value.problems] == ["several-documents"]


def test_a_marker_line_that_is_quoted_alone_is_no_document() -> None:
    text = f"> {BEGIN}\n> and so on\n\n{ORDERS}"
    assert read(text.encode()).tree == TREE
    assert [one.tree for one in read_each(f"{text}{STANDING}".encode())] == [TREE, read(STANDING.encode()).tree]


def test_a_document_without_a_signature_is_not_taken_for_a_part_of_the_one_before() -> None:
    signed = ORDERS.replace(END, f'[signature]\nby = "kari"\nkey = "ed25519:x"\nvalue = []\n{END}')
    with pytest.raises(UnreadableDocument) as caught:
        read_each(f"{signed}{STANDING}".encode())
    assert [problem.key for problem in caught.value.problems] == ["signature.value"]
    assert len(read_each(f"{ORDERS}{STANDING}".encode())) == 2


def test_what_is_wrong_in_any_of_several_documents_is_said_with_its_line() -> None:
    text = ORDERS.replace("= 3", "= = 3") + STANDING.replace("= 3", "= = 3")
    with pytest.raises(UnreadableDocument) as caught:
        read_each(text.encode())
    assert [problem.line for problem in caught.value.problems] == [4, 8]


@pytest.mark.parametrize("text", ['format = "referee/standing/1"\n' + ORDERS, ORDERS + '> format="referee/join/1"\n'])
def test_a_document_outside_the_markers_is_not_passed_over(text: str) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read_each(text.encode())
    assert [problem.code for problem in caught.value.problems] == ["outside-markers"]


def test_many_marker_lines_are_refused_at_once() -> None:
    text = "format = 1\nformat = 2\n" + f"{BEGIN}\n" * ((MAX_BYTES // (len(BEGIN) + 1)) - 2)
    with pytest.raises(UnreadableDocument) as caught:
        read_each(text.encode())
    assert [problem.code for problem in caught.value.problems] == ["several-documents"]


NOTES = (
    f"First\n{END}\nlast",
    f"{BEGIN}\nturn = 3\n{END}",
    f"> {END}\n| {BEGIN}\n> | > {END} ",
    f"{'a ' * 30}{END}",
    f"{END}\u2028{BEGIN}\u2029format",
    "> a\nFrom me\n--\n\n| > b",
    "one\u2028two \u2029 three",
)
KARI = Key.from_seed(b"k" * 32)


@pytest.mark.parametrize("before", ["", "> ", ">", "| ", "> > "], ids=["plain", "quoted", "close", "bar", "twice"])
@pytest.mark.parametrize("note", NOTES, ids=range(len(NOTES)))
def test_a_note_may_quote_what_stands_around_a_document(note: str, before: str) -> None:
    orders = tomli_w.dumps({"format": "referee/orders/1", "player": "kari", "note": note})
    text = signed_text(read(orders.encode()), KARI, bytes(16))
    quoted = "\n".join((before + line).rstrip() for line in text.split("\n"))
    (document,) = read_each(f"Hi Runa!\nhere they = are:\n{quoted}\nKari\n".encode())
    assert document.tree["note"] == mailable(note) == mailable(mailable(note))
    assert verified(document, KARI.public)
