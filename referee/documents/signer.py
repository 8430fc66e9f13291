"""Signing a player's own text: his comments and layout stay, what mail could harm is mended (DESIGN sections 3 and 4).

`signed_text` appends the signature table, puts in the salt, brings the note into a form that survives mail and sets the
two marker lines. `sealed_text` makes the document of the set-up in which what is secret is sealed to the host; it is
written by machine, since nothing of the plain text may be left in it.
"""

import tomllib
import unicodedata
from collections.abc import Mapping
from typing import Any

from referee.documents.base64 import encode
from referee.documents.gamefile import GameFile
from referee.documents.intake import ORDERS, secret_keys, stays_sealed
from referee.documents.keys import Key
from referee.documents.layout import assignment, table_text
from referee.documents.lines import statements
from referee.documents.sealing import seal_to_host, sealed_commitment
from referee.documents.signing import Document, read, sign
from referee.documents.text import BEGIN, END, QUOTES, with_markers
from referee.errors import IllegalOrders, UnreadableDocument, UsageProblem
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple

NOTE_COLUMNS = 60
_SEPARATORS = {"Zs": " ", "Zl": "\n", "Zp": "\n"}
_MARKER = "# referee orders "
"""How both marker lines begin."""


def signer_of(document: Document) -> str:
    """Return who should sign a document: its player, or the host or opener of an invitation."""
    host = document.tree.get("host", document.tree.get("opener"))
    name = host.get("name") if isinstance(host, dict) else document.tree.get("player")
    if not isinstance(name, str):
        problem = document.source.problem("no-signer", "missing: nobody can sign this", "player")
        raise UnreadableDocument(problem)
    return name


def signed_text(document: Document, key: Key, salt: bytes) -> str:
    """Return the text of a document with its signature; `salt` is put in where orders have none yet."""
    lines = _plain(document.source.text.rstrip("\n").split("\n"))
    if isinstance(document.tree.get("note"), str):
        lines = _with_note(lines, mailable(document.tree["note"]))
    if document.format == ORDERS and "salt" not in document.tree:
        lines = _with_salt(lines, encode(salt))
    body = "\n".join(lines) + "\n"
    tree = read(body.encode(), document.source.file).tree
    signature = table_text({"signature": sign(tree, key, signer_of(document))})
    return with_markers(body + signature)


class _Statement(NamedTuple):
    """A heading or an assignment: its lines, from `first` up to but without `after`, and its first key."""

    first: int
    after: int
    key: str
    is_heading: bool


def _statements(lines: list[str]) -> list[_Statement]:
    """Return what stands where; a line within a text of several lines is no statement."""
    found = []
    for first, last, content in statements("\n".join(lines)):
        key = next(iter(tomllib.loads(content)))
        found.append(_Statement(first - 1, last, key, content.startswith("[")))
    return found


def _plain(lines: list[str]) -> list[str]:
    """Leave out an old signature, the marker lines, and blanks at line ends and at the end."""
    inside: set[int] = set()
    signature: set[int] = set()
    of_signature = False
    place = 0
    for statement in _statements(lines):
        if of_signature:
            signature.update(range(place, statement.first))
        if statement.is_heading or statement.key == "signature":
            of_signature = statement.key == "signature" and (statement.is_heading or of_signature)
        if of_signature or statement.key == "signature":
            signature.update(range(statement.first, statement.after))
        inside.update(range(statement.first, statement.after - 1))
        place = statement.after
    if of_signature:
        signature.update(range(place, len(lines)))
    kept = [
        line if number in inside else line.rstrip()
        for number, line in enumerate(lines)
        if number not in signature and (number in inside or line.strip() not in (BEGIN, END))
    ]
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _with_salt(lines: list[str], salt: str) -> list[str]:
    """Put the salt after the sequence or the player, else before the first table."""
    at = 0
    for statement in _statements(lines):
        if statement.is_heading:
            break
        if at == 0 or statement.key in ("sequence", "player"):
            at = statement.after
    return [*lines[:at], f'salt = "{salt}"', *lines[at:]]


def _with_note(lines: list[str], note: str) -> list[str]:
    """Write the note anew if it is not in the form that survives mail."""
    if tomllib.loads("\n".join(lines)).get("note") == note:
        return lines
    old = next(s for s in _statements(lines) if s.key == "note" and not s.is_heading)
    return [*lines[: old.first], *note_text(note).split("\n"), *lines[old.after :]]


def note_text(note: str) -> str:
    """Write a note as an assignment, one line of it a line."""
    if "\n" not in note:
        return assignment("note", note).rstrip("\n")
    inner = note.replace("\\", "\\\\").replace('"""', '""\\"')
    return f'note = """\n{inner}"""'


def mailable(note: str) -> str:
    """Bring a note into a form that survives mail.

    NFC, lines of at most 60 columns, no tabs or no-break spaces, no blanks at line ends, no line beginning with a
    blank, `>`, `From ` or being `--`, or like a marker line. What Unicode calls a separator of lines or paragraphs
    ends a line.
    """
    text = unicodedata.normalize("NFC", note).replace("\t", " ")
    text = "".join(_SEPARATORS.get(unicodedata.category(c), c) for c in text)
    lines: list[str] = []
    for line in text.split("\n"):
        lines.extend(_wrapped(" ".join(line.split(" ")).strip(" ")))
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def _wrapped(line: str) -> list[str]:
    """Break a line at blanks, longer words anywhere, and mend how each line begins."""
    found: list[str] = []
    rest = line
    while True:
        rest = _begun(rest)
        if len(rest) <= NOTE_COLUMNS:
            return [*found, rest]
        at = rest.rfind(" ", 1, NOTE_COLUMNS + 1)
        at = at if at > 0 else NOTE_COLUMNS
        found.append(rest[:at].rstrip(" "))
        rest = rest[at:].lstrip(" ")


def _begun(line: str) -> str:
    """Mend a line that mail would take for something else, or who reads it for a marker line, quoted or not."""
    if line.lstrip(QUOTES).startswith(_MARKER):
        return f"- {line}"
    if line.startswith((">", "From ")):
        return f"| {line}"
    return "- -" if line == "--" else line


def _sealed(
    document: Document, game: GameFile, player: str, key: Key, content: Mapping[str, Any], seal_salt: bytes
) -> dict[str, str]:
    if stays_sealed(game.game.state):
        from referee.documents.commitments import commitment_salt

        seal_salt = commitment_salt(game.game, PlayerId(player), key)  # so that he can open it himself when he has to
    if game.game.state.openly:
        return {"commitment": encode(sealed_commitment(seal_salt, content))}
    try:
        box = seal_to_host(
            game.game.keeper.seal_key, game.game.name, game.game.nonce, player, game.digest, content, seal_salt
        )
    except UsageProblem as error:
        raise error.within(document.source.file) from None
    return {"commitment": encode(sealed_commitment(seal_salt, content)), "box": box}


def sealed_text(document: Document, game: GameFile, key: Key, salt: bytes, seal_salt: bytes) -> str:
    """Return set-up orders with what is secret sealed to the host, signed; `seal_salt` are 16 random bytes too.

    Without a host there is only a commitment, which the player opens later himself.
    """
    tree = document.tree
    content: Mapping[str, Any] = {name: tree[name] for name in secret_keys(game.game.state) if name in tree}
    if not content:
        raise IllegalOrders(document.source.problem("nothing-to-seal", "has nothing to seal to the host"))
    player = signer_of(document)
    sealed = _sealed(document, game, player, key, content, seal_salt)
    plain = {name: value for name, value in tree.items() if name not in content and name != "salt"}
    if isinstance(plain.get("note"), str):
        plain["note"] = mailable(plain["note"])
    plain["salt"] = tree.get("salt") or encode(salt)
    plain["sealed"] = sealed
    signature = sign(plain, key, player)
    note = f"{note_text(plain.pop('note'))}\n" if "note" in plain else ""
    head = table_text({name: value for name, value in plain.items() if name != "sealed"})
    return with_markers(head + note + table_text({"sealed": plain["sealed"], "signature": signature}))
