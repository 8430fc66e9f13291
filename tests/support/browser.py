"""The page `examples/check.html` in a real browser: files go in with a copy of the page, what it shows comes out.

The page checks what a copy of it carries as if it had been dropped on it, one block after the other, so that many
cases need one start of the browser.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parent.parent.parent / "examples" / "check.html"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--virtual-time-budget=60000",
)  # fmt: skip
SECONDS = 300

Files = Sequence[tuple[str, bytes]]
"""Names and contents."""


class Check(NamedTuple):
    """One line that the page shows: `status` is holds, wrong or open."""

    file: str
    status: str
    about: str
    text: str


class Result:
    """What the page shows of files that were dropped together."""

    def __init__(self, title: str, verdict: str) -> None:
        self.title = title
        self.verdict = verdict
        self.checks: list[Check] = []
        self.unchecked: list[str] = []
        self.cells: list[str] = []
        self.text: list[str] = []

    def about(self, status: str) -> set[str]:
        """Return what the checks with this status are about."""
        return {check.about for check in self.checks if check.status == status}

    def __repr__(self) -> str:
        return "\n".join(f"{c.file}: {c.status}: {c.about}: {c.text}" for c in self.checks if c.status != "holds")


def browser() -> str | None:
    """Return the browser of this machine, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def is_wanted_everywhere() -> bool:
    """Say whether a missing browser is a fault: it is where every change is tested."""
    return os.environ.get("CI", "").lower() in ("1", "true")


def carrying(cases: Mapping[str, Files]) -> str:
    """Return a copy of the page that carries files, each case as a block of its own."""
    blocks = []
    for title, files in cases.items():
        rows = [{"name": name, "base64": base64.b64encode(data).decode()} for name, data in files]
        content = json.dumps(rows).replace("<", "\\u003c")
        blocks.append(f'<script type="application/json" data-files="{title}">{content}</script>\n')
    page = PAGE.read_text("utf-8")
    assert page.count("<script>") == 1
    return page.replace("<script>", "".join(blocks) + "<script>")


CHOOSE = """
document.addEventListener("DOMContentLoaded", () => {
  const carried = new DataTransfer();
  for (const [name, base64] of FILES) {
    carried.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
  }
  const input = document.getElementById(INPUT);
  input.files = carried.files;
  input.dispatchEvent(new Event("change"));
});
"""
"""Does what a person does who chooses files."""


def choosing(files: Files, element: str) -> str:
    """Return a copy of the page in which somebody chooses files with an element, by its id."""
    rows = [[name, base64.b64encode(data).decode()] for name, data in files]
    script = CHOOSE.replace("FILES", json.dumps(rows)).replace("INPUT", json.dumps(element))
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = PAGE.read_text("utf-8").replace("script-src ", f"script-src 'sha256-{allowed}' ", 1)
    return page.replace("</body>", f"<script>{script}</script>\n</body>")


def shown(page: str, folder: Path) -> tuple[dict[str, Result], str]:
    """Return by title what a copy of the page shows, and all of the document as the browser has it in the end."""
    found = browser()
    assert found is not None, "no browser"
    copy = folder / "check.html"
    copy.write_text(page, "utf-8")
    command = [found, *SWITCHES, f"--user-data-dir={folder / 'profile'}", "--dump-dom", copy.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    dom = done.stdout.decode()
    reader = _Reader()
    reader.feed(dom)
    assert reader.results, f"{dom[-2000:]}\n{done.stderr.decode()[-2000:]}"
    return reader.results, dom


class _Reader(HTMLParser):
    """Reads the results out of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.results: dict[str, Result] = {}
        self._result: Result | None = None
        self._file = ""
        self._within = ""
        self._check: tuple[str, str] | None = None
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "section" and given.get("class") == "result":
            self._result = self.results[given["data-title"]] = Result(given["data-title"], given["data-verdict"])
        elif tag == "section" and given.get("class") == "file":
            self._file = given["data-file"]
        elif tag == "section":
            self._result = None
        elif tag == "ul":
            self._within = given.get("class", "")
        elif tag == "li":
            self._check = (given.get("data-status", ""), given.get("data-about", ""))
            self._text = []
        elif tag in ("td", "th", "dd", "blockquote"):
            self._text = []

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._result is None or self._text is None or tag not in ("li", "td", "th", "dd", "blockquote"):
            return
        text, self._text = "".join(self._text), None
        if tag in ("td", "th"):
            self._result.cells.append(text)
        elif tag == "li" and self._within == "checks" and self._check is not None:
            status, about = self._check
            self._result.checks.append(Check(self._file, status, about, text))
        elif tag == "li" and self._within == "unchecked":
            self._result.unchecked.append(text)
        else:
            self._result.text.append(text)
