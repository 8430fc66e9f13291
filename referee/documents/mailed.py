"""Documents in a mail that was saved as it came, in the code in which it was sent (quoted-printable, base64).

What stands in such a mail is decoded with the standard library; attached documents are put between marker lines, as if
they stood in the text. Who sent the mail is not looked at: only signatures count. Loaded only for a file that begins
with the header lines of a mail.
"""

import re
from contextlib import suppress

from referee.documents.text import BEGIN, MAX_BYTES, QUOTES, with_markers

MOST_PARTS = 50
"""A mail of many more parts is not taken apart, nor one with longer lines about them: both can take very long."""
MOST_ABOUT = 2_000
MOST_WORK = 1_000_000
"""Lines, times the parts that each is held against: the library asks of every line whether it ends one of them."""

_CODED = rb"(?im)^content-transfer-encoding:\s*+[\"']?(?:quoted-printable|base64)"
_ABOUT = rb"(?im)^content-(?:type|disposition):[^\n]*+(?:\n[ \t][^\n]*+)*+"
_MULTIPLE = rb"(?i)multipart/"
_STATUS = rb"(?i)message/delivery-status"
"""Each paragraph of such a report becomes a mail of its own."""
_DOCUMENT = r"(?m)\A(?:\s*+(?:#[^\n]*+)?\n)*+\s*+format\s*+=\s*+[\"']referee/(?!game/|record/)"
"""Game files have no marker lines and are saved by themselves."""
_CHARSETS = frozenset({"iso-8859-1", "iso-8859-15", "windows-1252"})
"""What is not UTF-8 is taken for one of these, if the mail says so."""


def decoded_mail(data: bytes) -> bytes:
    """Return the texts with documents in a coded mail, one after the other, as UTF-8 with plain line ends.

    A file that is no such mail comes back as it is; so does one in which no document is found, or that would take too
    long to take apart: reading it says what is wrong.
    """
    if len(data) > 2 * MAX_BYTES or not re.search(_CODED, data):
        return data
    plain = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    about = [match[0] for match in re.finditer(_ABOUT, plain)]
    parts = plain.count(b"\n--")
    if max(len(about), parts) > 4 * MOST_PARTS or max(map(len, about), default=0) > MOST_ABOUT:
        return data
    held = 1 + sum(re.search(_MULTIPLE, one) is not None for one in about)
    held += 20 * sum(re.search(_STATUS, one) is not None for one in about)
    if plain.count(b"\n") * held > MOST_WORK:
        return data
    texts = list(dict.fromkeys(_texts(data)))
    return "\n".join(texts).encode() if texts else data


def _texts(data: bytes) -> list[str]:
    """Return the text of each part that holds a document."""
    from email import message_from_bytes

    found = []
    for part in message_from_bytes(data).walk():
        if part.is_multipart() or part.get_content_type() == "text/html":
            continue
        text = ""
        with suppress(ValueError, LookupError):  # odd character sets
            content = part.get_payload(decode=True)
            text = _text(content, part.get_content_charset("")) if isinstance(content, bytes) else ""
        if any(line.lstrip(QUOTES) == BEGIN for line in text.split("\n")):
            found.append(text)
        elif re.match(_DOCUMENT, text):
            found.append(with_markers(f"{text.rstrip()}\n"))
    return found


def _text(content: bytes, charset: str) -> str:
    """Return what a part says, or nothing if it is no text."""
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError:
        text = content.decode(charset, "replace") if charset in _CHARSETS else ""
    return text.replace("\r\n", "\n").replace("\r", "\n")
