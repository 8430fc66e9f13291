"""The files of this folder: boards, positions with their numbers, and the switches of the presets."""

import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def load(name):
    """Read a TOML file of this folder."""
    return tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))


def positions():
    """Return all positions by name."""
    return {path.stem: load(f"positions/{path.stem}") for path in sorted((HERE / "positions").glob("*.toml"))}


def presets():
    """Return the names of all presets, such as `no world+rising`."""
    found = [f"{edition} {variant}" for edition, table in load("presets").items() for variant in table["variants"]]
    return found + [f"{preset}+rising" for preset in found if preset.startswith("no ")]


def switches(preset, players):
    """Return the switches of a preset in a game of so many players."""
    edition, variant = preset.split(" ")
    variant, _, option = variant.partition("+")
    column = load("presets")[edition]
    with_two = column.get("with_two", {}).get(variant, {}) if players == 2 else {}
    rising = {"set_values": "rising"} if option else {}
    return {**column["switches"], **column["variants"][variant], **with_two, **rising}
