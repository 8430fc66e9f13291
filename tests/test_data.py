"""Data files are what their TOML says now, whether they are parsed or loaded as they were kept."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from referee import data

ROOT = Path(data.__path__[0])
NAMES = sorted(str(path.relative_to(ROOT).as_posix()) for path in ROOT.rglob("*.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_data_file_is_what_its_toml_says_every_time(name: str) -> None:
    wanted = tomllib.loads((ROOT / name).read_text("utf-8"))
    first = data.tree(name)
    assert first == wanted
    first.clear()
    assert data.tree(name) == wanted


def test_a_file_that_is_not_there_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        data.tree("boards/nowhere.toml")


def read_by_another_process(site: Path, **environment: str) -> Any:
    words = "import sys; from referee import data; print(data.tree('languages/en.toml')['sentences']['added'])"
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    told = {**kept, "PYTHONPATH": str(site), **environment}
    done = subprocess.run([sys.executable, "-c", words], env=told, cwd=site, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    copytree(ROOT.parent, tmp_path / "referee", ignore=lambda _folder, names: {"__pycache__"} & set(names))
    file = tmp_path / "referee" / "data" / "languages" / "en.toml"
    text = file.read_text("utf-8")
    for count, words in enumerate(("one", "another", "a third")):
        file.write_text(text.replace("\n[sentences]\n", f"\n[sentences]\nadded = '{words}'\n"), "utf-8")
        os.utime(file, (1_700_000_000 + count, 1_700_000_000 + count))
        assert read_by_another_process(tmp_path) == words
        assert read_by_another_process(tmp_path) == words
    assert [*file.parent.glob("__pycache__/en.*.pyc")]


def test_where_nothing_is_kept_a_file_is_parsed(tmp_path: Path) -> None:
    copytree(ROOT.parent, tmp_path / "referee", ignore=lambda _folder, names: {"__pycache__"} & set(names))
    file = tmp_path / "referee" / "data" / "languages" / "en.toml"
    file.write_text(file.read_text("utf-8").replace("\n[sentences]\n", "\n[sentences]\nadded = 'one'\n"), "utf-8")
    assert read_by_another_process(tmp_path, PYTHONDONTWRITEBYTECODE="1") == "one"
    assert not [*file.parent.glob("__pycache__/*")]
