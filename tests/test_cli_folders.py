"""What `verify` takes from a folder: every game file, however it is laid out, and nothing else."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.transcripts import nothing_random, referee

GAME = Path(__file__).parent / "games" / "fjord"
FILES = [f"fjord-{turn:04}.toml" for turn in (1, 2, 3)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with the first game files of a game."""
    for name in FILES:
        shutil.copy(GAME / name, tmp_path)
    with nothing_random("folders", tmp_path):
        yield tmp_path


def change(name: str, how: Callable[[str], str]) -> None:
    text = Path(name).read_bytes().decode()
    assert how(text) != text
    Path(name).write_bytes(how(text).encode())


LAYOUTS: dict[str, Callable[[str], str]] = {
    "blanks in the head": lambda text: text.replace(" = ", "  =  ", 4).replace("\nturn", "\n\tturn", 1),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "a long remark on top": lambda text: "# seen\n" * 100 + text,
    "the name of the game below the head": lambda text: text.replace('game = "fjord"\n', "", 1).replace(
        "\n[edition]", "\n" + "# seen\n" * 100 + 'game = "fjord"\n[edition]', 1
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_game_file_in_another_layout_is_one_of_the_row(layout: str) -> None:
    change(FILES[1], LAYOUTS[layout])
    outcome = referee(["verify", "."])
    assert outcome.code == 0, outcome.err
    assert f"fjord: 3 game files in order, {FILES[0]} to {FILES[2]}\n" in outcome.err


def test_a_copy_in_another_layout_is_no_fork() -> None:
    Path("copy.toml").write_bytes(Path(FILES[1]).read_bytes().replace(b"\n", b"\r\n"))
    outcome = referee(["verify", "."])
    assert (outcome.code, "3 game files in order" in outcome.err) == (0, True), outcome


def test_a_damaged_copy_is_named() -> None:
    Path("copy.toml").write_bytes(Path(FILES[1]).read_bytes().replace(b"\nround = 1\n", b"\nround = 2\n"))
    outcome = referee(["verify", "."])
    assert (outcome.code, outcome.err.split(":")[0]) == (4, "copy.toml"), outcome


@pytest.mark.parametrize("name", [FILES[1], "orders-kari-0002.toml", "deploy-kari-0001-sealed.toml"])
def test_a_damaged_file_is_not_passed_over(name: str) -> None:
    Path(name).write_bytes(b"turn = \n")
    outcome = referee(["verify", "."])
    assert (outcome.code, f"{name}:1: is not valid TOML" in outcome.err) == (3, True), outcome


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("orders-kari-0002.toml", b'format = "referee/orders/1"\nturn = \n'),
        ("orders-kari-0002.toml", b'format = "referee/orders/1"\nturn = 2\n'),
        ("notes.toml", b"turn = \n"),
        ("notes.toml", b"turn = 2\n"),
    ],
)
def test_what_is_no_game_file_is_passed_over(name: str, data: bytes) -> None:
    Path(name).write_bytes(data)
    assert referee(["verify", "."]).code == 0


def test_a_file_named_outright_must_be_a_game_file() -> None:
    Path("orders.toml").write_bytes(b'format = "referee/orders/1"\ngame = "fjord"\nnonce = "x"\nturn = 2\n')
    outcome = referee(["verify", FILES[0], "orders.toml"])
    assert (outcome.code, "orders.toml" in outcome.err) == (3, True), outcome
