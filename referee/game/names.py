"""Names as people write them: which spellings are the same name, and which name was meant.

Implements DESIGN section 4, "Names": lower case; blank, `_`, `-` and `.` alike; ø is o or oe, å a
or aa, ä a or ae, ö o or oe, ü u or ue, æ ae, ß ss; other accents dropped. It knows no territory and
no language: boards bring their names along. It never guesses: a near miss is a hint, not a hit.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

# Beyond this many letters with two spellings only "all short" and "all long" count, so that no
# text, however odd, can make more than 256 forms.
MOST_DOUBLE_LETTERS = 8

# Longer texts are cut before they are compared for a hint; no name of a board is longer.
LONGEST_HINTED = 60

_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "ø": ("o", "oe"),
    "å": ("a", "aa"),
    "ä": ("a", "ae"),
    "ö": ("o", "oe"),
    "ü": ("u", "ue"),
    "æ": ("ae",),
    "ß": ("ss",),
}

_ALIKE = str.maketrans("_-.", "   ")


def forms(text: str) -> tuple[str, ...]:
    """Return every folded form of a text, the shortest first; texts that share one are one name."""
    lowered = " ".join(text.translate(_ALIKE).split()).lower()
    if lowered.isascii():
        return (lowered,)
    letters = _letters(lowered)
    if sum(len(spellings) > 1 for spellings in letters) > MOST_DOUBLE_LETTERS:
        short = "".join(spellings[0] for spellings in letters)
        long = "".join(spellings[-1] for spellings in letters)
        return (short, long)
    return tuple("".join(choice) for choice in product(*letters))


def _letters(text: str) -> list[tuple[str, ...]]:
    """Return the spellings of each letter; composed and decomposed input come out alike."""
    from unicodedata import combining, normalize

    letters: list[tuple[str, ...]] = []
    for letter in normalize("NFC", text):
        if letter in _SPELLINGS:
            letters.append(_SPELLINGS[letter])
            continue
        base = (part for part in normalize("NFD", letter) if not combining(part))
        letters.extend(_SPELLINGS.get(part, (part,)) for part in base)
    return letters


class NameTable:
    """Finds the id that a text names. An exact id is found without building anything."""

    __slots__ = ("_by_form", "_names")

    def __init__(self, names: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Take (id, names) pairs; an id is a name of its own."""
        self._names = {key: tuple(dict.fromkeys((key, *others))) for key, others in names}
        self._by_form: dict[str, tuple[str, str]] = {}

    def find(self, text: str) -> str | None:
        """Return the id that the text names, or None."""
        if text in self._names:
            return text
        table = self._table()
        for form in forms(text):
            if form in table:
                return table[form][0]
        return None

    def nearest(self, text: str) -> str | None:
        """Return the name most like a text that names nothing, as the board spells it, or None."""
        from difflib import get_close_matches

        table = self._table()
        written = forms(text[:LONGEST_HINTED])[0]
        run_together = {form.replace(" ", ""): form for form in reversed(table)}
        only_blanks = run_together.get(written.replace(" ", ""))
        close = [only_blanks] if only_blanks else get_close_matches(written, list(table), n=1)
        if not close:
            return None
        spelt = [name for name in self._names[table[close[0]][0]] if close[0] in forms(name)]
        return get_close_matches(text, spelt, n=1, cutoff=0)[0]

    def collisions(self) -> tuple[tuple[str, str, str], ...]:
        """Return each folded form that two ids share, with both ids; a sound board has none."""
        first: dict[str, str] = {}
        found: dict[tuple[str, str, str], None] = {}
        for key, names in self._names.items():
            for form in (form for name in names for form in forms(name)):
                other = first.setdefault(form, key)
                if other != key:
                    found[form, other, key] = None
        return tuple(found)

    def _table(self) -> dict[str, tuple[str, str]]:
        """Return folded form -> (id, name), built at the first call."""
        if not self._by_form:
            for key, names in self._names.items():
                for name in names:
                    for form in forms(name):
                        self._by_form.setdefault(form, (key, name))
        return self._by_form
