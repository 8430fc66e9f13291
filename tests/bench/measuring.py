"""Samples of what is measured side by side, and the ratios that are judged.

Times on a machine that does other things drift; so all sides are run in turn, and only ratios are
judged, round by round: in each round the median of one side over the median of the other. Nothing
here knows the program that is measured, and nothing large is imported: the memory of a process
cannot be seen below that of the one that starts it.
"""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

Value = TypeVar("Value")

Samples = dict[str, list[list[float]]]
"""By side: for each round the values that were measured."""

OUT = "{out}"
"""Stands in a command for an empty folder, a new one for each run."""


class Ratio(NamedTuple):
    """One side over another: the median of all rounds, the lowest and the highest."""

    median: float
    lowest: float
    highest: float


def ratio(over: Sequence[Sequence[float]], under: Sequence[Sequence[float]]) -> Ratio:
    """Return the ratio of the medians of each round, and how far the rounds differ."""
    rounds = [statistics.median(mine) / statistics.median(theirs) for mine, theirs in zip(over, under, strict=True)]
    return Ratio(statistics.median(rounds), min(rounds), max(rounds))


def middle(rounds: Sequence[Sequence[float]]) -> float:
    """Return the median of all values of a side."""
    return statistics.median(value for values in rounds for value in values)


def in_turn(sides: Mapping[str, Callable[[], Value]], rounds: int, runs: int) -> dict[str, list[list[Value]]]:
    """Run all sides one after the other, `runs` times in each round, every other time backwards.

    One round before the first does not count.
    """
    found: dict[str, list[list[Value]]] = {name: [] for name in sides}
    for number in range(rounds + 1):
        values: dict[str, list[Value]] = {name: [] for name in sides}
        for run in range(runs if number else 1):
            for name in list(sides)[:: 1 if run % 2 == 0 else -1]:
                values[name].append(sides[name]())
        if number:
            for name in sides:
                found[name].append(values[name])
    return found


class Run(NamedTuple):
    """A process that has ended: seconds by the clock and of the processor, greatest memory in KiB."""

    clock: float
    processor: float
    peak: float


def run(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Run:
    """Run a command in a folder; its output is thrown away, and a failure ends everything."""
    if OUT in command:
        out = folder / f"out-{time.monotonic_ns()}"
        out.mkdir()
        command = [str(out) if word == OUT else word for word in command]
    begun = time.perf_counter()
    child = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(child.pid, 0)
    clock = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"exit code {child.returncode}: {' '.join(command)}")
    return Run(clock, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def calls(work: Callable[[], object], clock: Callable[[], float], at_least: float = 0.02) -> Callable[[], float]:
    """Return a function that times a call: so many at once that the clock does not matter."""
    work()
    begun = clock()
    work()
    count = max(1, int(at_least / max(clock() - begun, 1e-7)))

    def seconds() -> float:
        begun = clock()
        for _ in range(count):
            work()
        return (clock() - begun) / count

    return seconds
