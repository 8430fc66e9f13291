"""Mails saved as they came, in the code in which they were sent, are read like what the mail program shows."""

import subprocess
import sys
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from random import Random
from time import process_time

import pytest
from support.planner import set_up
from support.table import HOST, Table, key_of
from support.transcripts import referee

from referee.cli.seats import with_substitutes
from referee.documents import mailed
from referee.documents.keys import pem
from referee.documents.mailed import MOST_ABOUT, MOST_PARTS, decoded_mail
from referee.documents.signing import Document, read, read_each, verified
from referee.documents.text import BEGIN, END, MAX_BYTES, with_markers
from referee.errors import UnreadableDocument

BODY = 'note = "Ærlig: 1 = 1, æøå — ok"\n[place]\nalaska = 3\n'
ORDERS = with_markers(f'format = "referee/orders/1"\n{BODY}')
STANDING = with_markers('format = "referee/standing/1"\nsequence = 3\n')


def mail(text: str, code: str = "quoted-printable", charset: str = "utf-8") -> EmailMessage:
    """Return a mail with a text in a code of mails."""
    message = EmailMessage()
    message["From"] = "Kari <kari@example.org>"
    message["Subject"] = "Orders"
    message.set_content(text, cte=code, charset=charset)
    return message


def attached(message: EmailMessage, text: str, name: str, kind: tuple[str, str] = ("application", "toml")) -> bytes:
    """Return a mail with a file attached, which is base64 always."""
    message.add_attachment(text.encode(), *kind, filename=name)
    return message.as_bytes()


def formats(data: bytes) -> list[str]:
    return [one.format for one in read_each(data, "mail.eml")]


@pytest.mark.parametrize("code", ["quoted-printable", "base64"])
@pytest.mark.parametrize(
    "around",
    [lambda t: t, lambda t: f"Hi Runa!\n\n{t}-- \nKari\n", lambda t: "".join(f"> {x}\n" for x in t.splitlines())],
)
def test_the_text_of_a_coded_mail_is_read(code: str, around: Callable[[str], str]) -> None:
    data = mail(around(ORDERS), code).as_bytes()
    for saved in (data, data.replace(b"\n", b"\r\n"), b"From kari@example.org Mon Nov 30 12:00:00 2026\n" + data):
        assert read(saved, "mail.eml").tree == read(ORDERS.encode()).tree
        assert formats(saved) == ["referee/orders/1"]


@pytest.mark.parametrize("kind", [("application", "toml"), ("application", "octet-stream"), ("text", "plain")])
@pytest.mark.parametrize("text", [ORDERS, f'# mine\nformat = "referee/orders/1"\n{BODY}'])
def test_what_is_attached_is_read_with_or_without_marker_lines(kind: tuple[str, str], text: str) -> None:
    data = attached(mail("see the file\n", "7bit"), text, "orders.toml", kind)
    assert read(data, "mail.eml").tree == read(ORDERS.encode()).tree


def test_text_and_attachments_are_read_together_and_what_is_the_same_once() -> None:
    message = mail(STANDING)
    message.add_alternative(f"<p>{BEGIN}<br>no<br>{END}</p>", subtype="html", cte="base64")
    both = attached(message, ORDERS, "orders.toml")
    assert formats(both) == ["referee/standing/1", "referee/orders/1"]
    twice = mail("two files\n")
    twice.add_attachment(ORDERS.encode(), "text", "plain", filename="a.toml")
    assert formats(attached(twice, ORDERS, "b.toml")) == ["referee/orders/1"]


def test_a_mail_that_was_sent_on_is_read() -> None:
    outer = mail("Kari's:\n", "7bit")
    outer.add_attachment(mail(ORDERS, "base64"))
    assert formats(outer.as_bytes()) == ["referee/orders/1"]


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1252", "iso-8859-15"])
def test_another_character_set_changes_no_signature(charset: str) -> None:
    table = Table()
    standing = table.standing("kari", {"note": "Ærlig talt: æøå, für Ölaf"})
    text = with_markers(standing.source.text)
    document = read(mail(text, "quoted-printable", charset).as_bytes())
    assert verified(document, key_of("kari").public).tree["note"] == "Ærlig talt: æøå, für Ölaf"


def test_game_files_are_not_taken_out_of_mails() -> None:
    data = attached(mail("the turn\n", "7bit"), Table().file.text, "fjord-0001.toml")
    assert decoded_mail(data) == data
    with pytest.raises(UnreadableDocument):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        ORDERS.encode(),
        b"Subject: x\n\n" + ORDERS.encode(),
        b"note: content-transfer-encoding\n",
        mail("nothing in it = nothing\n").as_bytes(),
        b"Content-Transfer-Encoding: base64\n\n!!!!\n",
        b"Content-Type: text/plain; charset=idna\nContent-Transfer-Encoding: base64\n\n/////w==\n",
        b"Content-Type: multipart/mixed; boundary=\n\nContent-Transfer-Encoding: base64\n",
    ],
)
def test_what_is_no_coded_mail_with_documents_stays_as_it_is(data: bytes) -> None:
    assert decoded_mail(data) == data


def test_a_mail_as_large_as_any_is_refused_as_too_large() -> None:
    with pytest.raises(UnreadableDocument) as refused:
        read(mail(ORDERS + "#\n" * MAX_BYTES, "base64").as_bytes())
    assert [problem.code for problem in refused.value.problems] == ["too-large"]


HEAD = b"Content-Transfer-Encoding: base64\n"
LEVELS = [b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(20_000)]
NESTED = b"".join(LEVELS)
STATUS = HEAD + b"Content-Type: message/delivery-status\n\n"


@pytest.mark.parametrize(
    "data",
    [
        HEAD + NESTED,
        HEAD + NESTED.replace(b"\n", b"\r"),
        HEAD + b"Content-Type: message/rfc822\n\n" * 30_000,
        HEAD + b'Content-Type: text/plain; a="' + b'";"' * 300_000 + b"\n\n",
        HEAD + b"Content-Disposition: attachment;\n" + b' a=";\n' * 150_000 + b"\n",
        HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\n" * 200_000,
        HEAD + b"".join(LEVELS[:190]) + b"x\n" * 900_000,
        STATUS + b"\n" * 2_000_000,
        STATUS + b"A:\n\n" * 500_000,
    ],
)
def test_no_mail_keeps_the_program_busy(data: bytes) -> None:
    began = process_time()
    with pytest.raises(UnreadableDocument):
        read_each(data[: 2 * MAX_BYTES])
    assert process_time() - began < 5


def test_damaged_mails_end_in_a_message_or_a_document() -> None:
    rng, good = Random(5), attached(mail(STANDING), ORDERS, "orders.toml")
    for _ in range(400):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 12)):
            data[rng.randrange(len(data))] = rng.choice(b"\n\r=;\"' :-\xff\x00" + bytes(range(65, 91)))
        try:
            read_each(bytes(data))
        except UnreadableDocument:
            continue


def test_the_limits_are_beyond_what_people_send() -> None:
    message = mail(ORDERS)
    for number in range(MOST_PARTS - 10):
        message.add_attachment(b"x", "image", "png", filename=f"{number}-{'x' * (MOST_ABOUT // 20)}.png")
    assert formats(message.as_bytes()) == ["referee/orders/1"]
    for _ in range(8):  # forwarded again and again, with a report that it could not be delivered, and a picture
        around = EmailMessage()
        around.set_content("See below.")
        around.add_attachment(message)
        message = around
    lines = b"A" * 76 + b"\n"
    status = b"\n--x\nContent-Type: message/delivery-status\n\nStatus: 5.0.0\n\nAction: failed\n\n--x\n\n"
    head = b"From: ola@example.org\nContent-Type: multipart/report; boundary=x\n"
    assert formats(head + status + message.as_bytes() + b"\n--x\n\n" + lines * 10_000 + b"--x--\n") == [
        "referee/orders/1"
    ]


def test_no_module_for_mails_is_loaded_for_documents() -> None:
    words = (
        "import sys; from referee.documents.signing import read_each\n"
        f"read_each({ORDERS!r}.encode()); assert not {{'email', {mailed.__name__!r}}} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0


# --- in a folder ---------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game that waits for its first player, in a folder with the host's key."""
    monkeypatch.chdir(tmp_path)
    table = Table("sv", "dealt", 3)
    while table.file.game.state.phase != "turn":
        table.play([table.orders(p, set_up(table.file.game.state, p, 1)) for p in table.file.game.state.acting])
    Path(table.file.file).write_bytes(table.file.text.encode())
    Path(f"{HOST}.key").write_bytes(pem(key_of(HOST)))
    return table


def _orders(table: Table) -> Document:
    state = table.file.game.state
    player = state.acting[0]
    from referee.game.legality import income

    return table.orders(player, {"place": {state.territories_of(player)[0]: income(state, player).total}})


@pytest.mark.parametrize("code", ["quoted-printable", "base64"])
def test_a_coded_mail_in_the_folder_is_found_checked_and_resolved(table: Table, code: str) -> None:
    orders = _orders(table)
    Path("orders.eml").write_bytes(mail(with_markers(orders.source.text), code).as_bytes())
    player = table.file.game.state.acting[0]
    assert f"orders.eml: orders 1 of {player}, signed" in referee(["status", "."]).out
    assert "orders.eml: legal, signed" in referee(["check", table.file.file, "orders.eml"]).err
    missed = referee(["resolve", table.file.file, "--missed", player])
    assert f'signed orders of "{player}" for this turn lie here' in missed.err
    outcome = referee(["resolve", table.file.file, "orders.eml"])
    assert outcome.code == 0, outcome.err


def test_a_substitute_is_seated_by_what_came_in_mails(table: Table) -> None:
    player = table.file.game.state.acting[0]
    act, join, invitation = table.substitution(player, "sigrid")
    for name, document, code in (
        ("a.eml", act, "base64"),
        ("b.eml", join, "quoted-printable"),
        ("c.txt", invitation, ""),
    ):
        text = with_markers(document.source.text)
        Path(name).write_bytes(mail(text, code).as_bytes() if code else f"Hi!\n{text}".encode())
        seated = with_substitutes(table.file, Path())
        assert (seated.game.people[player].key == key_of("sigrid").public) == (name == "c.txt")


def test_of_two_copies_of_an_act_one_may_be_damaged(table: Table) -> None:
    player = table.file.game.state.acting[0]
    act, join, invitation = (with_markers(one.source.text) for one in table.substitution(player, "sigrid"))
    rows = act.split("\n")
    half = next(number for number, row in enumerate(rows) if row.startswith("value = [")) + 1
    rows[half] = rows[half].replace(rows[half].strip()[1], "Z" if rows[half].strip()[1] != "Z" else "Y", 1)
    Path("a.eml").write_bytes(mail("\n".join(rows)).as_bytes())
    Path(f"act-substitute-{player}-0001.toml").write_bytes(act.encode())
    Path("b.eml").write_bytes(mail(f"{join}{invitation}", "base64").as_bytes())
    seated = with_substitutes(table.file, Path())
    assert seated.game.people[player].key == key_of("sigrid").public
