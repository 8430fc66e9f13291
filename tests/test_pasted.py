"""What a mail adds around signed orders, or in front of each line, does no harm; nothing else is cut."""

import pytest

from referee.documents.text import BEGIN, END, parse
from referee.errors import UnreadableDocument

ORDERS = f'{BEGIN}\nformat = "referee/orders/1"\n[place]\nalaska = 3\n{END}\n'
TREE = {"format": "referee/orders/1", "place": {"alaska": 3}}


@pytest.mark.parametrize(
    "text",
    [
        "Hi Runa!\n\nhere they are:\n" + ORDERS + "-- \nKari\n",
        "".join(f"> {line}\n" for line in ORDERS.splitlines()),
        "".join(f">> {line}\n" for line in ORDERS.splitlines()),
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


@pytest.mark.parametrize("text", [f"{BEGIN}\n{BEGIN}\nno\n{END}\n", f"{BEGIN}\n= {END}\n", f"> {BEGIN}\n> > {BEGIN}\n"])
def test_markers_around_nothing_that_can_be_read_end_in_a_message(text: str) -> None:
    with pytest.raises(UnreadableDocument):
        parse(text.encode())
