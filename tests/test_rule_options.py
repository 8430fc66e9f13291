"""What is wrong with `--rule KEY=VALUE` is a fault of usage, and every message names the option."""

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from support.table import key_of
from support.transcripts import run

from referee.cli.opening import _blamed
from referee.documents.keys import pem
from referee.errors import Problem, UnreadableDocument
from referee.game.rules import ALLOWED, ALLOWED_SETTINGS

GAMES = ("--host runa --edition no", "--host runa --edition da --variant hq", "--table --as runa --edition sv")
VALUES = {**ALLOWED, **ALLOWED_SETTINGS}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    """Work in a folder with the key of who opens the game."""
    here = Path.cwd()
    os.chdir(tmp_path)
    Path("runa.key").write_bytes(pem(key_of("runa")))
    yield
    os.chdir(here)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("key", VALUES)
def test_each_value_makes_a_game_or_is_refused_as_a_fault_of_the_option(game: str, key: str) -> None:
    values = [*list(VALUES[key])[:4], "nonsense", ""]
    for value, command in product(values, (f"new fjord {game} -o -", f"rules {game[game.index('--edition') :]}")):
        outcome = run(f"referee {command} --rule {key}={str(value).lower()}", "")
        if outcome.code:
            told = [line for line in outcome.err.splitlines() if not line.startswith("  ")]
            assert outcome.code == 2
            assert told
            assert all(line.startswith("--rule") for line in told), outcome.err
        else:
            assert value not in ("nonsense", "")


def test_a_rule_that_only_the_invitation_refuses_is_told_by_its_option() -> None:
    told = _blamed(UnreadableDocument(Problem("rule-players", "no game", "rules.witness", file="x.toml", line=3)))
    assert [(problem.key, problem.file, problem.line) for problem in told.problems] == [("--rule witness", "", 0)]
