"""Golden games, and games that somebody has tampered with, for the page that checks them (`examples/check.html`).

Whoever signs a game file can write anything into it: so each change is signed anew, with the real key.
"""

import copy
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from referee.documents.base64 import decode, encode, stripped
from referee.documents.canonical import digest_of
from referee.documents.keys import Key, load_key
from referee.documents.layout import table_text
from referee.documents.record import replayed
from referee.documents.sealing import seal_box
from referee.documents.signing import sign
from support.browser import Files

GAMES = Path(__file__).parent.parent / "games"
FJORD = GAMES / "fjord"
Tree = dict[str, Any]


class Case(NamedTuple):
    """Files, and what the page must call wrong in them: just these things."""

    files: Files
    wrong: frozenset[str]


def key(name: str) -> Key:
    """Return a key of the game fjord."""
    return load_key((FJORD / f"{name}.key").read_bytes())


def game_file(turn: int) -> tuple[str, bytes]:
    """Return a game file of fjord by the turn that it waits for."""
    name = f"fjord-{turn:04}.toml"
    return name, (FJORD / name).read_bytes()


def tree(turn: int) -> Tree:
    """Return the tree of a game file of fjord."""
    return tomllib.loads(game_file(turn)[1].decode())


def signed(content: Tree, by: str = "runa", with_key: str = "") -> Tree:
    """Return a tree with a new signature."""
    bare = {name: value for name, value in content.items() if name != "signature"}
    return {**bare, "signature": sign(bare, key(with_key or by), by)}


def text(content: Tree) -> bytes:
    """Write a tree as TOML."""
    return table_text(content).encode()


def changed(turn: int, change: Callable[[Tree], object], by: str = "runa", with_key: str = "") -> tuple[str, bytes]:
    """Return a game file of fjord with a change, signed anew; `by` is empty if the old signature stays."""
    content = tree(turn)
    change(content)
    return game_file(turn)[0], text(signed(content, by, with_key) if by else content)


def event(content: Tree, kind: str, number: int = 0) -> Tree:
    """Return an event of this kind."""
    found: Tree = [one for one in content["events"] if one["kind"] == kind][number]
    return found


def orders(content: Tree) -> Tree:
    """Return the orders in the evidence."""
    (found,) = (one for one in content["evidence"]["documents"] if one["format"] == "referee/orders/1")
    assert isinstance(found, dict)
    return found


def flipped(value: str) -> str:
    """Return another binary value of this length."""
    data = decode(value)
    return encode(bytes([data[0] ^ 1]) + data[1:])


# --- one change each -------------------------------------------------------------------------------------------


def other_die(content: Tree) -> None:
    """Change a die, and count it in the table of luck as if it had fallen so."""
    fought, luck = event(content, "battle_fought"), content["luck"]["kari"]["faces"]
    was = fought["attack"][0]
    fought["attack"][0] = 6
    luck[was - 1] -= 1
    luck[5] += 1


def other_roll_number(content: Tree) -> None:
    event(content, "battle_fought", 1)["roll"] = 3


def uncounted_die(content: Tree) -> None:
    content["luck"]["kari"]["faces"][0] += 1


def other_reveal(content: Tree) -> None:
    content["evidence"]["reveals"][0][1] = content["host"]["chain"] = flipped(content["host"]["chain"])


def other_head(content: Tree) -> None:
    content["players"]["ola"]["chain"] = flipped(content["players"]["ola"]["chain"])


def no_reveal(content: Tree) -> None:
    content["evidence"]["reveals"] = []


def other_orders(content: Tree) -> None:
    orders(content)["attack"][0]["to"] = "peru"


def other_orders_signed(content: Tree) -> None:
    """The player and the host together: dice that fell for other orders."""
    one = orders(content)
    other_orders(content)
    one["signature"] = signed(one, "kari")["signature"]


def orders_of_another_state(content: Tree) -> None:
    one = orders(content)
    one["state"] = flipped(one["state"])
    one["signature"] = signed(one, "kari")["signature"]


def opened_as_another(content: Tree) -> None:
    content["evidence"]["openings"][0][1] = "alaska"


def other_salt(content: Tree) -> None:
    content["evidence"]["openings"][0][2] = flipped(content["evidence"]["openings"][0][2])


def other_set(content: Tree) -> None:
    event(content, "set_traded")["cards"][0] = "siam"


def other_card(content: Tree) -> None:
    event(content, "card_drawn")["card"] = "deck/1/12"


def other_commitment(content: Tree) -> None:
    content["deck"]["commitments"][0][20] = flipped(content["deck"]["commitments"][0][20])


def other_mission_commitment(content: Tree) -> None:
    content["missions"]["commitments"][0] = flipped(content["missions"]["commitments"][0])


def other_rule(content: Tree) -> None:
    content["rules"]["fortify"] = "connected"


def other_key(content: Tree) -> None:
    content["players"]["per"]["key"] = key("ola").public


def other_previous(content: Tree) -> None:
    content["previous"] = flipped(content["previous"])


def no_orders(content: Tree) -> None:
    documents = content["evidence"]["documents"]
    documents[:] = [one for one in documents if one["format"] != "referee/orders/1"]


def other_note(content: Tree) -> None:
    event(content, "note_given")["note"] = "Something else."


def other_seats(content: Tree) -> None:
    players = event(content, "seats_assigned")["players"]
    players[0], players[1] = players[1], players[0]


def other_deal(content: Tree) -> None:
    dealt = event(content, "territories_dealt")["dealt"]
    dealt[0][0], dealt[1][0] = dealt[1][0], dealt[0][0]


def other_owner(content: Tree) -> None:
    event(content, "territories_dealt")["dealt"][0][1] = "per"


def other_start_seed(content: Tree) -> None:
    content["start_seed"] = flipped(content["start_seed"])


def join_left_out(content: Tree) -> None:
    del content["evidence"]["documents"][2]


def other_deployment(content: Tree) -> None:
    content["evidence"]["unsealed"][0]["content"]["deploy"] = {"alaska": 18}


def broken_box(content: Tree) -> None:
    content["sealed"]["kari"] = flipped(stripped(content["sealed"]["kari"]))


def box_of_another_card(content: Tree) -> None:
    """Tell a player that she holds another card than she was dealt."""
    seal_key = decode(stripped(tree(39)["secret"]["seal_keys"]["kari"]))
    cards = [["deck/1/9", "alaska", encode(bytes(16))]]
    content["sealed"]["kari"] = seal_box(seal_key, "fjord", 13, "kari", {"cards": cards}, 1)


def box_left_out(content: Tree) -> None:
    del content["sealed"]["kari"]


def other_secret(content: Tree) -> None:
    content["secret"]["game_secret"] = flipped(content["secret"]["game_secret"])


def other_mission(content: Tree) -> None:
    event(content, "mission_completed")["mission"] = "eliminate_red"


def of_turn_12() -> Iterator[tuple[str, tuple[str, bytes], set[str]]]:
    """Yield a title, turn 12 of fjord with a change, and what is wrong then."""
    yield "a die changed, signed anew", changed(13, other_die), {"dice"}
    yield "a die changed, not signed anew", changed(13, other_die, ""), {"dice", "signature"}
    yield "a roll with another number", changed(13, other_roll_number), {"dice"}
    yield "luck that counts another die", changed(13, uncounted_die), {"dice"}
    yield "a reveal changed", changed(13, other_reveal), {"reveals", "dice"}
    yield "the head of another moved", changed(13, other_head), {"reveals"}
    yield "no reveal", changed(13, no_reveal), {"reveals", "dice"}
    yield "orders changed", changed(13, other_orders), {"signature", "dice"}
    yield "other orders, signed by their player", changed(13, other_orders_signed), {"dice"}
    yield "orders left out", changed(13, no_orders), {"document", "dice"}
    yield "orders for another state", changed(13, orders_of_another_state), {"binding", "dice"}
    yield "opened as another card", changed(13, opened_as_another), {"openings"}
    yield "opened with another salt", changed(13, other_salt), {"openings"}
    yield "another card traded than opened", changed(13, other_set), {"openings", "cards"}
    yield "a card from the middle of the deck", changed(13, other_card), {"picks", "cards"}
    yield "a commitment exchanged", changed(13, other_commitment), {"commitments"}
    yield "a mission exchanged", changed(13, other_mission_commitment), {"commitments"}
    yield "a rule changed", changed(13, other_rule), {"link"}
    yield "a key exchanged", changed(13, other_key), {"link"}
    yield "another predecessor", changed(13, other_previous), {"link", "binding", "dice"}
    yield "signed by a player as the host", changed(13, lambda _: None, "runa", "kari"), {"signature"}
    yield "signed by a player", changed(13, lambda _: None, "kari"), {"signature"}


def of_the_start() -> Iterator[tuple[str, tuple[str, bytes], set[str]]]:
    """Yield a title, the first file of fjord with a change, and what is wrong then."""
    yield "seats exchanged", changed(1, other_seats), {"picks", "seats"}
    yield "a territory dealt to another", changed(1, other_owner), {"picks"}
    yield "two territories exchanged", changed(1, other_deal), {"picks"}
    yield "another start seed", changed(1, other_start_seed), {"picks"}
    yield "a join left out", changed(1, join_left_out), {"document", "link", "picks", "reveals", "seats"}


def of_records() -> Iterator[tuple[str, bytes, set[str]]]:
    """Yield a title, a record with a change, and what is wrong then."""
    good = tomllib.loads((GAMES / "no_capitals.toml").read_text("utf-8"))

    def with_change(change: Callable[[Tree], object]) -> bytes:
        content = copy.deepcopy(good)
        change(content)
        return text(content)

    def order_missing(content: Tree) -> None:
        del content["file"][5]["documents"][0]

    def order_changed(content: Tree) -> None:
        content["file"][5]["documents"][0]["sequence"] += 1

    def reveal_changed(content: Tree) -> None:
        row = content["file"][5]["reveals"][0]
        row[1] = flipped(row[1])

    def secret_changed(content: Tree) -> None:
        other_secret(content)

    def unsealed_changed(content: Tree) -> None:
        one = content["file"][1]["unsealed"][0]
        one["salt"] = flipped(one["salt"])

    def entries_exchanged(content: Tree) -> None:
        files = content["file"]
        files[5], files[6] = files[6], files[5]

    yield "record: an order changed", with_change(order_changed), {"signature"}
    yield "record: a reveal changed", with_change(reveal_changed), {"reveals"}
    yield "record: another secret", with_change(secret_changed), {"secret"}
    yield "record: something else laid open", with_change(unsealed_changed), {"openings"}
    yield "record: two files exchanged", with_change(entries_exchanged), {"record", "binding", "reveals"}
    yield "record: an order missing", with_change(order_missing), {"document"}


def golden() -> dict[str, Files]:
    """Return files in which nothing is wrong, by title."""

    def files_of(name: str) -> Files:
        played = [checked.file for checked in replayed((GAMES / f"{name}.toml").read_bytes(), f"{name}.toml")]
        return [(file.file, file.text.encode()) for file in played]

    capitals, at_a_table = files_of("no_capitals"), files_of("seats_table_no_world")
    return {
        "fjord": [game_file(turn) for turn in range(1, 40)],
        "two files": [game_file(12), game_file(13)],
        "one file": [game_file(13)],
        "another layout": [game_file(12), (game_file(13)[0], laid_out_otherwise(game_file(13)[1]))],
        "capitals": capitals,
        "a record and its files": [("no_capitals.toml", (GAMES / "no_capitals.toml").read_bytes()), *capitals],
        "a record of headquarters": [("da_hq.toml", (GAMES / "da_hq.toml").read_bytes())],
        **{
            f"a record of the game {name}": [(f"{name}.toml", (GAMES / f"{name}.toml").read_bytes())]
            for name in ("table_no_two", "table_sv_standard", "table_da_hq")
        },
        "keys changed": files_of("seats_no_capitals"),
        "keys changed at a table": at_a_table,
        **{f"one file at a table, {file[0]}": [file] for file in at_a_table if b'"key_changed"' in file[1]},
        "keys changed, as records": [
            (f"{name}.toml", (GAMES / f"{name}.toml").read_bytes())
            for name in ("seats_no_capitals", "seats_table_no_world")
        ],
    }


def laid_out_otherwise(data: bytes) -> bytes:
    """Return the same document as mail may bring it: CRLF, comments, another order, wrapped values."""
    tables = data.decode().split("\n\n")
    head, rest = tables[0], [table for table in tables[1:] if not table.startswith("[signature]")]
    (signature,) = (table for table in tables if table.startswith("[signature]"))
    wrapped = head.replace('previous = "', 'previous = " ').replace("turn = 13", "turn = 0xd # thirteen")
    return "\n\n".join([wrapped, signature.rstrip("\n"), *rest]).replace("\n", "\r\n").encode()


def tampered() -> dict[str, Case]:
    """Return files in which something is wrong, by title."""
    cases = {title: Case([game_file(12), file], frozenset(wrong)) for title, file, wrong in of_turn_12()}
    cases |= {title: Case([file], frozenset(wrong)) for title, file, wrong in of_the_start()}
    cases |= {title: Case([("game.toml", data)], frozenset(wrong)) for title, data, wrong in of_records()}
    last = [game_file(38)]
    others: dict[str, tuple[Files, set[str]]] = {
        "another file before": ([changed(12, other_rule), game_file(13)], {"link"}),
        "swapped names": ([("fjord-0012.toml", game_file(13)[1]), ("fjord-0013.toml", game_file(12)[1])], {"name"}),
        "another file under the name": ([("fjord-0012.toml", game_file(11)[1]), game_file(13)], {"name"}),
        "two files of one turn": ([game_file(12), game_file(13), ("copy.toml", changed(13, other_note)[1])], {"fork"}),
        "a deployment exchanged": ([game_file(1), changed(2, other_deployment)], {"openings"}),
        "another secret": ([*last, changed(39, other_secret)], {"secret"}),
        "a deck in another order": ([changed(39, other_commitment)], {"secret"}),
        "other missions dealt": ([changed(39, other_mission_commitment)], {"secret", "openings"}),
        "another mission shown": ([*last, changed(39, other_mission)], {"openings", "cards"}),
        "a box that does not open": ([changed(13, broken_box), game_file(39)], {"boxes"}),
        "a box with another card": ([changed(13, box_of_another_card), game_file(39)], {"boxes"}),
        "a box left out": ([changed(13, box_left_out), game_file(39)], {"boxes"}),
        "a picture": ([("board.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xd8")], {"reading"}),
        "a letter": ([("letter.toml", b"Dear Ola,\nthank you.\n")], {"reading"}),
        "a game file of nothing": ([("x.toml", b'format = "referee/game/1"\n')], {"reading"}),
        "orders that were changed": ([game_file(12), game_file(13), foreign_orders()], {"signature"}),
        "a receipt that was broken": ([game_file(12), game_file(13), broken_receipt()], {"played"}),
    }
    return cases | {title: Case(files, frozenset(wrong)) for title, (files, wrong) in others.items()}


def foreign_orders() -> tuple[str, bytes]:
    """Return orders of kari that somebody has changed."""
    content = orders(tree(13))
    content["sequence"] = 2
    return "orders.toml", text(content)


def broken_receipt() -> tuple[str, bytes]:
    """Return a receipt of the host for orders of turn 12 that were not played."""
    content = orders(tree(13))
    one = {name: content[name] for name in ("game", "turn", "state", "player", "sequence")}
    receipt = {"format": "referee/receipt/1", **one, "nonce": tree(13)["nonce"], "orders": flipped(digest_of(content))}
    return "receipt.toml", text(signed(receipt))


SCRIPT = '<script>document.title = "owned"</script><img src=x onerror="document.title=1">'


def with_markup() -> Files:
    """Return a turn whose note and whose player's title are markup."""

    def change(content: Tree) -> None:
        one = orders(content)
        one["note"] = event(content, "note_given")["note"] = SCRIPT
        one["signature"] = signed(one, "kari")["signature"]
        content["players"]["kari"]["title"] = SCRIPT

    return [game_file(12), changed(13, change)]


def vectors() -> Files:
    """Return the vectors of this project; those of the second file with the keys of the first."""
    folder = Path(__file__).parent.parent / "vectors"
    fair = json.loads((folder / "fair.json").read_bytes())
    more = json.loads((folder / "more.json").read_bytes())
    more = {**more, "seeds": fair["seeds"], "keys": fair["keys"]}
    return [("fair.json", json.dumps(fair).encode()), ("more.json", json.dumps(more).encode())]
