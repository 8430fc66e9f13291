"""How fast the program is beside yardsticks: ratios, each with its aim.

    python tests/bench/run.py [--rounds N] [--only NAME ...] [--processor] [--program DIR] [--shared DIR]

copies the program to a temporary folder and compiles it, plays the games that are needed, runs all
sides in turn, and prints for each aim the ratio of the medians, round by round: their median, the
lowest and the highest. Nothing is kept. It ends with 1 if an aim is missed.

`--only` takes the beginning of a name: `--only resolve` is all that begins so. `--processor` counts
the time of the processor instead of the clock's, for a machine that does other things meanwhile.
`--program` measures the package `referee` of another folder. `--shared` names a folder with a
`floor_cli.py` and a `floor.py` of somebody else, which are put beside our own yardsticks.
"""

import argparse
import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from measuring import OUT, Samples, in_turn, middle, ratio, run

HERE = Path(__file__).parent
TESTS = HERE.parent
RUNS = 5
"""So often each side runs in a round; the long ones run once."""
BUSY = 0.7


class Aim(NamedTuple):
    """One side over another, and between what that is to be; `peak` is memory instead of time.

    A side may be the difference of two: `verify-400 - verify-100` are 300 turns without the start.
    """

    name: str
    over: str
    under: str
    most: float
    least: float = 0.0
    peak: bool = False


AIMS = (
    Aim("version", "version", "empty", 1.15),
    Aim("resolve/imports", "resolve", "imports", 1.65),
    Aim("resolve/bare", "resolve", "bare", 1.3),
    Aim("resolve/shared", "resolve", "shared", 1.3),
    Aim("resolve/late", "resolve-200", "resolve-5", 1.05),
    Aim("play/bare", "play", "bare-turn", 3.0),
    Aim("play/shared", "play", "shared-turn", 3.0),
    Aim("read/small", "read-small", "tomllib-small", 1.4),
    Aim("read/usual", "read-usual", "tomllib-usual", 1.4),
    Aim("write/small", "write-small", "tomli_w-small", 1.3),
    Aim("write/usual", "write-usual", "tomli_w-usual", 1.3),
    Aim("sign/small", "sign-small", "tomli_w-small", 1.3),
    Aim("sign/usual", "sign-usual", "tomli_w-usual", 1.3),
    Aim("verify/steps", "verify-1600 - verify-400", "verify-400 - verify-100", 4.6, 3.4),
    Aim("memory/400", "verify-400", "verify-100", 1.05, 0.95, peak=True),
    Aim("memory/1600", "verify-1600", "verify-100", 1.05, 0.95, peak=True),
)

PROGRAM = "from referee.cli import main; main()"
EMPTY = "import typer; app = typer.Typer(); app.command()(lambda: None); app()"
IMPORTS = "import typer, tomli_w, cryptography.hazmat.primitives.asymmetric.ed25519"
BARE = "from bare import main; main()"
SHARED = "from floor_cli import app; app()"


def commands() -> dict[str, list[str]]:
    """Return what runs as a process of its own, by side."""

    def python(words: str, *more: str) -> list[str]:
        return [sys.executable, "-c", words, *more]

    def resolve(turn: str) -> list[str]:
        return python(PROGRAM, "resolve", f"{turn}/game.toml", f"{turn}/orders.toml", "-o", OUT)

    chains = (100, 400, 1600)
    return {
        "empty": python(EMPTY),
        "imports": python(IMPORTS),
        "bare": python(BARE, "bare"),
        "shared": python(SHARED, "resolve", "shared"),
        "version": python(PROGRAM, "--version"),
        "resolve": resolve("usual"),
        "resolve-5": resolve("turn-5"),
        "resolve-200": resolve("turn-200"),
        **{f"verify-{length}": python(PROGRAM, "verify", f"chain-{length}") for length in chains},
    }


class Place(NamedTuple):
    """A temporary folder with the program in `site`, and the environment of what runs there."""

    folder: Path
    environment: Mapping[str, str]

    def call(self, module: str, *words: str) -> str:
        """Run a module that stands in `site` and return what it prints."""
        command = [sys.executable, str(self.folder / "site" / f"{module}.py"), *words]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout


def place(folder: Path, program: Path, shared: Path | None) -> Place:
    """Copy the program and these modules, so that edits meanwhile do no harm, and compile them."""
    site = folder / "site"
    for package in (program / "referee", TESTS / "support"):
        shutil.copytree(package, site / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    for module in (TESTS / "plain.py", *HERE.glob("*.py"), *(shared.glob("*.py") if shared else ())):
        shutil.copy(module, site)
    compileall.compile_dir(site, quiet=1)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return Place(folder, {**kept, "PYTHONPATH": str(site)})


def prepare(there: Place, sides: Iterable[str]) -> None:
    """Play the games and write the files that the sides need."""
    parts = {"resolve-5": "late", "verify-100": "chain"}
    print(there.call("games", "usual", *(parts[side] for side in sides if side in parts)), end="")
    if "shared" in sides:
        (there.folder / "shared").mkdir()
        there.call("floor_turn", "prepare", "shared")


def measure(there: Place, aims: Iterable[Aim], rounds: int, processor: bool) -> tuple[Samples, Samples]:
    """Run all sides of the aims; return their seconds and their peaks of memory."""
    seconds: Samples = {}
    peaks: Samples = {}
    named = [side for aim in aims for side in (aim.under, aim.over)]
    sides = list(dict.fromkeys(part for side in named for part in side.split(" - ")))
    prepare(there, sides)
    processes = {
        side: partial(run, command, there.environment, there.folder)
        for side, command in commands().items()
        if side in sides
    }
    long = {side: start for side, start in processes.items() if side.startswith("verify")}
    short = {side: start for side, start in processes.items() if side not in long}
    for group, often in ((short, RUNS), (long, 1)):
        for side, found in in_turn(group, rounds, often).items():
            seconds[side] = [[one.processor if processor else one.clock for one in runs] for runs in found]
            peaks[side] = [[one.peak for one in runs] for runs in found]
    inside = [side for side in sides if side not in processes]
    if inside:
        clock = "process_time" if processor else "perf_counter"
        seconds |= json.loads(there.call("inside", clock, str(rounds), str(RUNS), *inside))
    return seconds, peaks


def values(side: str, samples: Samples) -> list[list[float]]:
    """Return what was measured of a side, or the difference of two."""
    longer, _, shorter = side.partition(" - ")
    if not shorter:
        return samples[side]
    pairs = zip(samples[longer], samples[shorter], strict=True)
    return [[more - less for more, less in zip(*pair, strict=True)] for pair in pairs]


def judge(aim: Aim, samples: Samples) -> bool:
    """Print the line of an aim; say whether it is met."""
    sides = [values(side, samples) for side in (aim.over, aim.under)]
    found = ratio(*sides)
    met = aim.least <= found.median <= aim.most
    wanted = f"{aim.least:g} to {aim.most:g}" if aim.least else f"at most {aim.most:g}"
    unit, scale = ("MiB", 1 / 1024) if aim.peak else ("ms", 1000)
    over, under = (f"{middle(side) * scale:.3f} {unit}" for side in sides)
    print(
        f"{aim.name:<16} {found.median:6.3f} {found.lowest:8.3f} {found.highest:8.3f}   "
        f"{wanted:<13} {'yes' if met else 'NO':<4} {over:>12} / {under}"
    )
    return met


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=[""], metavar="NAME")
    parser.add_argument("--processor", action="store_true")
    parser.add_argument("--program", type=Path, default=TESTS.parent, metavar="DIR")
    parser.add_argument("--shared", type=Path, metavar="DIR")
    given = parser.parse_args()
    aims = [
        aim
        for aim in AIMS
        if aim.name.startswith(tuple(given.only)) and (given.shared or not aim.under.startswith("shared"))
    ]
    load = os.getloadavg()[0]
    if load > BUSY and not given.processor:
        print(f"warning: the load is {load:.1f}; --processor is for a machine that does other things")
    with tempfile.TemporaryDirectory() as name:
        there = place(Path(name), given.program, given.shared)
        seconds, peaks = measure(there, aims, given.rounds, given.processor)
    print(f"{'':<16} {'ratio':>6} {'lowest':>8} {'highest':>8}   {'aim':<13} met")
    met = [judge(aim, peaks if aim.peak else seconds) for aim in aims]
    sys.exit(not all(met))


if __name__ == "__main__":
    main()
