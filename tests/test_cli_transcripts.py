"""The transcripts of the command line give what stands in them, byte for byte."""

import os
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest
from support.transcripts import FOLDER, parsed, play, written

NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_gives_what_stands_in_it(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.txt"
    text = path.read_text("utf-8")
    got = written(play(name, text, tmp_path))
    if os.environ.get("REFEREE_WRITE_TRANSCRIPTS"):
        path.write_text(got, "utf-8")
        return
    assert got == text


def test_there_are_transcripts() -> None:
    assert NAMES


def test_every_command_has_a_transcript() -> None:
    from referee.cli import GROUPS

    commands = {word for name in NAMES for word in _commands((FOLDER / f"{name}.txt").read_text("utf-8"))}
    assert set(GROUPS) <= commands


def test_every_exit_code_but_that_of_a_bug_has_a_transcript() -> None:
    steps = [step for name in NAMES for step in parsed((FOLDER / f"{name}.txt").read_text("utf-8"))]
    assert {step.outcome.code for step in steps} == {0, 2, 3, 4, 5, 6, 7}


def test_every_result_for_programs_has_a_transcript() -> None:
    """That of `rules`, which is long, is in `test_rulebook`."""
    from referee.cli import GROUPS

    able = {
        command
        for command, group in GROUPS.items()
        if "json" in signature(import_module(f"referee.cli.{group}").COMMANDS[command]).parameters
    }
    steps = [step for name in NAMES for step in parsed((FOLDER / f"{name}.txt").read_text("utf-8"))]
    given = {step.command.split()[1] for step in steps if "--json" in step.command.split() and step.outcome.out}
    assert able - {"rules"} == given


def _commands(text: str) -> set[str]:
    return {step.command.split()[1] for step in parsed(text) if step.command.startswith("referee ")}
