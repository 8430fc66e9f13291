"""Sentences of a language: loaded from `data/languages`, filled with facts; those that few games need when asked for.

How a language file works stands at its top. A sentence that is not there, or a placeholder without its fact,
is a bug and raises KeyError. What is filled in is never read as a sentence again.
"""

from collections.abc import Mapping
from functools import cache

from referee import data
from referee.errors import Problem, UsageProblem
from referee.game.records import NamedTuple
from referee.views.text import TOGETHER, in_ascii, printable

Facts = dict[str, str | int]
"""What a sentence is filled with, by the names of its placeholders."""

LANGUAGES = ("en", "nb")
"""The languages of reports, by the names of their files."""

SPELT = {"no": "nb"}
"""Other words for a language: the edition is called so, and so is the country."""


class Language(NamedTuple):
    """A language as it is printed: in ASCII if `plain`."""

    code: str
    plain: bool
    sentences: Mapping[str, str]
    words: Mapping[str, Mapping[str, str]]

    def say(self, key: str, /, **facts: str | int) -> str:
        """Fill a sentence; if it has forms for one and for many, the fact `n` chooses."""
        sentence = self.sentences.get(key)
        return filled(_rare(self.code, self.plain)[key] if sentence is None else sentence, facts)

    def word(self, family: str, key: str, /, **facts: str | int) -> str:
        """Fill one of a family of words: a reason, a symbol, a way to win."""
        return filled(self.words[family][key], facts)

    def counted(self, key: str, number: int) -> str:
        """Write a number of things: `1 army`, `2 armies`."""
        return filled(self.words["counts"][key], {"n": number})

    def letters(self, text: str) -> str:
        """Write a text that comes from outside with the letters that this report has."""
        return in_ascii(text) if self.plain else printable(text)


def filled(sentence: str, facts: Mapping[str, str | int]) -> str:
    """Fill a sentence: `one|many` is chosen by the fact `n`, `{name}` is replaced by the fact of that name."""
    if "|" in sentence:
        one, many = sentence.split("|")
        sentence = one if facts["n"] == 1 else many
    return sentence.format_map(facts)


@cache
def language_of(code: str, plain: bool = True) -> Language:
    """Return a language; UsageProblem if there is none of that name. `no` is `nb`."""
    code = SPELT.get(code, code)
    if code not in LANGUAGES:
        from referee.game.trees import nearest_hint

        message = f'"{code}" is no language of reports, only {", ".join(LANGUAGES)}'
        raise UsageProblem(Problem("unknown-language", message, hint=nearest_hint(code, LANGUAGES)))
    tree = {name: _printed(table, plain) for name, table in data.tree(f"languages/{code}.toml").items()}
    return Language(code, plain, tree.pop("sentences"), tree)


@cache
def _rare(code: str, plain: bool) -> Mapping[str, str]:
    """Return the sentences that few games need: usual ones are read faster without them."""
    return _printed(data.tree(f"languages/rare/{code}.toml")["sentences"], plain)


def _printed(table: Mapping[str, str], plain: bool) -> dict[str, str]:
    letters = in_ascii if plain else str
    return {key: letters(text).replace("~", TOGETHER) for key, text in table.items()}
