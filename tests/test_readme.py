"""The README is true: its commands run as printed, its files are read, its tables name what there is."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from referee import data
from referee.cli import GROUPS
from referee.cli.choosing import EDITIONS
from referee.documents.boards import load_board
from referee.documents.cases.casefile import read_case
from referee.documents.cases.running import run as run_case
from referee.documents.invitation import why_no_table_game
from referee.documents.orders import read_orders
from referee.documents.standing import read_standing
from referee.game.orders import Orders
from referee.game.presets import preset_from
from referee.game.rules import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
GAME = README[README.index("## A game in five minutes") : README.index("## Two players at a table")]
TABLE = README[README.index("## Two players at a table") : README.index("## A host who plays")]
PLAYS = README[README.index("## A host who plays") : README.index("## Orders")]
BOARD, _ = load_board("classic")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = re.sub(r"\breferee ", f"{sys.executable} -m referee ", command, count=1)
    environment = {key: value for key, value in os.environ.items() if key != "REFEREE_KEY"}
    environment["PYTHONPATH"] = str(ROOT)
    return subprocess.run(words, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_game_in_five_minutes_runs_as_printed(tmp_path: Path) -> None:
    for block in blocks(GAME, "sh"):
        for line in block.strip().split("\n"):
            done = run(line, tmp_path)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    made = {path.name for path in tmp_path.iterdir()}
    assert {"fjord-0001.toml", "fjord-0000.txt", "fjord-0002.toml", "fjord-0001.txt"} <= made


def test_the_table_game_of_two_runs_as_printed(tmp_path: Path) -> None:
    for block in blocks(TABLE, "sh"):
        for line in block.strip().split("\n"):
            done = run(line, tmp_path)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert "ola rolled for kari" in (tmp_path / "skog-0003.txt").read_text("utf-8")
    assert (tmp_path / "skog-0004.toml").exists()


def test_the_game_of_a_host_who_plays_runs_as_printed(tmp_path: Path) -> None:
    for block in blocks(PLAYS, "sh"):
        for line in block.strip().split("\n"):
            done = run(line, tmp_path)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    told = " ".join((tmp_path / "vik-0004.txt").read_text("utf-8").split())
    assert "ola revealed the next link of their own chain for this turn, beside the host anna" in told


def test_the_games_that_need_no_secrets_are_named() -> None:
    for edition in EDITIONS:
        variants = data.tree(f"editions/{edition}.toml")["variants"]
        for variant in variants:
            preset = preset_from(data.tree(f"editions/{edition}.toml"), variant)
            open_to_all = not why_no_table_game(preset.rules, Settings(start="careful", deployment="in_turn"))
            named = edition == "sv" or re.search(rf"`{edition}`\s[^`]*\b{variant}\b", TABLE) is not None
            assert named == open_to_all, f"{edition} {variant}"


def test_a_turn_runs_as_printed(tmp_path: Path) -> None:
    for block in blocks(GAME, "sh"):
        for line in block.strip().split("\n"):
            run(line, tmp_path)
    awaited = tomllib.loads((tmp_path / "fjord-0002.toml").read_text("utf-8"))["acting"][0]
    (turn,) = [block for block in blocks(GAME, "text") if "referee hand" in block]
    for line in turn.replace("kari", awaited).strip().split("\n"):
        command = line.split("#")[0].strip()
        if command.startswith("("):
            continue
        if " draft " in command:
            command += " --fill"
        done = run(command, tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert (tmp_path / "fjord-0003.toml").exists()


def test_the_example_is_played_again_with_the_same_bytes(tmp_path: Path) -> None:
    (install,) = [block for block in blocks(README, "sh") if "pip install ." in block]
    command = install.strip().split("&&")[-1].strip()
    assert command.startswith("referee resolve examples/")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    there = run(command, tmp_path)
    assert there.returncode == 0, there.stderr
    assert "(was there already)" in there.stderr
    made = [line.removesuffix(" (was there already)") for line in there.stderr.split("\n")[:2]]
    for name in made:
        (tmp_path / name).unlink()
    again = run(command, tmp_path)
    assert again.returncode == 0, again.stderr
    for name in made:
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes()


@pytest.mark.parametrize("text", blocks(README, "toml"), ids=["orders", "standing"])
def test_the_files_of_the_readme_are_read(text: str) -> None:
    tree = tomllib.loads(text)
    players = ("kari", "ola")
    body = (read_orders if "orders" in tree["format"] else read_standing)(tree, BOARD, players, tree["player"])
    assert not hasattr(body, "problems"), body
    if isinstance(body, Orders):
        assert len(body.attacks) == 2
        assert body.attacks[0].guard.require


def test_the_case_of_the_readme_is_played_as_it_says() -> None:
    (text,) = [block for block in blocks(README, "text") if block.startswith("id = ")]
    assert run_case(read_case(text.encode(), "R-ATT-07-two-armies.toml")) == []


def test_every_command_is_in_the_readme_and_every_one_there_exists() -> None:
    table = README[README.index("## Commands") : README.index("| exit code")]
    named = set(re.findall(r"^\| `referee (\w+)", table, re.MULTILINE))
    assert named == set(GROUPS)


def test_a_folder_that_is_not_of_cases_is_told_in_a_few_lines() -> None:
    lines = run("referee cases tests/games", ROOT).stderr.strip().split("\n")
    assert len(lines) < 60
    assert lines[-2].startswith("files more that are no cases: ")


def test_rules_say_of_which_game_they_are_if_none_is_named() -> None:
    assert run("referee rules", ROOT).stderr.startswith("these are the rules of --edition no --variant mission; ")
    assert run("referee rules --edition no", ROOT).stderr == ""


def test_every_command_shows_an_example_in_its_help() -> None:
    for command in GROUPS:
        done = run(f"referee {command} --help", ROOT)
        assert done.returncode == 0
        assert f"Example: referee {command}" in done.stdout, done.stdout
        assert "--quiet" in done.stdout, done.stdout
