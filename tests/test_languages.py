"""Language files: the same keys and facts in each, everything that can happen has a sentence, nothing stands idle."""

import ast
import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from referee import data
from referee.documents.eventtables import KINDS
from referee.errors import UsageProblem
from referee.game import events as e
from referee.game import rules
from referee.game.board import SYMBOLS, MissionKind
from referee.game.orders import AmountKind
from referee.game.state import Phase
from referee.views.happenings import HOW
from referee.views.language import LANGUAGES, filled, language_of
from referee.views.tale import Section
from referee.views.text import TOGETHER

PACKAGE = Path(data.__file__).parent.parent
USUAL = {code: data.tree(f"languages/{code}.toml") for code in LANGUAGES}
RARE = {code: data.tree(f"languages/rare/{code}.toml") for code in LANGUAGES}
TREES = {
    code: {**USUAL[code], "sentences": {**USUAL[code]["sentences"], **RARE[code]["sentences"]}} for code in LANGUAGES
}
ENGLISH = TREES["en"]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def constants(folder: str) -> set[str]:
    """Return every string that stands in the code of a layer."""
    found = set()
    for path in (PACKAGE / folder).glob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        found |= {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return found


def refusal_codes() -> set[str]:
    """Return every code with which the rules refuse something."""
    found = set()
    for path in (PACKAGE / "game").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refusal":
                found |= {c.value for c in ast.walk(node.args[0]) if isinstance(c, ast.Constant)}
    return found | {"not-connected", "not-adjacent"}  # chosen by a rule before the call


def stop_codes() -> set[str]:
    """Return every other reason why an entry ends or is skipped."""
    found = {"condition"}
    for module in ("attacking", "ending", "windfall"):
        text = (PACKAGE / "game" / f"{module}.py").read_text("utf-8")
        found |= set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', text))
    return found - refusal_codes()


def literal(kind: type, field: str) -> set[str]:
    return set(get_args(kind.__annotations__[field]))


FAMILIES = {
    "headings": {*get_args(Section), "board", "standings", "luck", "next", "check"},
    "names": {"neutral", "and"},
    "counts": {"armies", "cards", "territories", "continents"},
    "columns": {
        "player", "territories", "armies", "cards", "income", "capitals", "rolls", "given", "taken", "luck", "p_luck",
        "p_faces",
    },
    "symbols": {*SYMBOLS, "joker"},
    "purposes": set(get_args(e.Purpose)),
    "placed": set(get_args(e.Cause)),
    "advances": set(get_args(AmountKind)) - {"exactly"},
    "missed": literal(e.TurnMissed, "policy"),
    "policies": literal(rules.Settings, "missed"),
    "own_colour": set(get_args(rules.OwnColourMission)),
    "lost_to_other": set(get_args(rules.MissionColourLostToOther)),
    "missions": {*get_args(MissionKind), "continents_extra", "territories_armies", "eliminate_colour_of"},
    "hows": literal(e.GameWon, "how"),
    "awaited": set(get_args(Phase)) - {"over"},
    "documents": {
        "invitation", "join", "roster", "reveal", "orders", "standing", "resign", "draw", "act",
    },
    "editions": {path.stem for path in (PACKAGE / "data" / "editions").glob("*.toml")},
    "variants": {
        f"{path.stem}-{variant}"
        for path in (PACKAGE / "data" / "editions").glob("*.toml")
        for variant in data.tree(f"editions/{path.name}")["variants"]
    },
    "options": {
        option
        for path in (PACKAGE / "data" / "editions").glob("*.toml")
        for option in data.tree(f"editions/{path.name}").get("options", ())
    },
    "stops": stop_codes(),
    "refusals": refusal_codes(),
}  # fmt: skip


def test_every_language_file_is_known_by_its_name() -> None:
    for folder in ("languages", "languages/rare"):
        assert {path.stem for path in (PACKAGE / "data" / folder).glob("*.toml")} == set(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_rare_sentence_stands_in_one_file_and_is_found_there(code: str) -> None:
    assert RARE[code].keys() == {"sentences"}
    assert not RARE[code]["sentences"].keys() & USUAL[code]["sentences"].keys()
    said = language_of(code, plain=False).say("hand_open", player="Kari", cards="Siam")
    assert said == RARE[code]["sentences"]["hand_open"].format(player="Kari", cards="Siam")
    assert language_of("nb").say("edition_table", edition="", variant="", opener="") == ", ; ingen spilleder: " + (
        "neste spiller kaster; innbudt av "
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_has_the_same_keys_in_the_same_order_as_english(code: str) -> None:
    assert list(TREES[code]) == list(ENGLISH)
    for family, sentences in ENGLISH.items():
        assert list(TREES[code][family]) == list(sentences), family


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_sentence_has_the_same_facts_and_forms_as_in_english(code: str) -> None:
    for family, sentences in ENGLISH.items():
        for key, english in sentences.items():
            own = TREES[code][family][key]
            for form in own.split("|"):
                here = f"{code}: {family}.{key}"
                missing = placeholders(english) ^ placeholders(own)
                assert not missing, f"{here}: {missing}"
                assert placeholders(form) | {"n"} == placeholders(own) | {"n"}, here
                assert own.count("|") == english.count("|") <= 1, here


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_file_is_small_and_in_the_fast_kind_of_string(code: str) -> None:
    for name in (f"languages/{code}.toml", f"languages/rare/{code}.toml"):
        text = (Path(data.__path__[0]) / name).read_text("utf-8")
        assert len(text.encode()) < 14 * 1024
        assert not re.search(r'^[^#]*= "', text, re.MULTILINE)


@pytest.mark.parametrize(
    "name", ["languages/en.toml", "languages/rare/en.toml", "proofs/en.toml", "rules/sentences/en.toml"]
)
def test_english_sentences_are_english(name: str) -> None:
    """Not `the own colour`, and not `who sends no orders is waited for`."""
    tables = [
        table for section, table in data.tree(name).items() if section != "sealed"
    ]  # what is not known: who did it
    said = [text for table in tables for text in table.values()]
    assert len(said) > 20
    assert [text for text in said if re.search(r"\bthe own\b|^[Ww]ho ", text)] == []


@pytest.mark.parametrize("family", [family for family in ENGLISH if family != "sentences"])
def test_a_family_has_exactly_the_words_that_the_engine_can_ask_for(family: str) -> None:
    assert set(ENGLISH[family]) == FAMILIES[family]


def test_every_kind_of_event_can_be_told() -> None:
    assert set(HOW) == set(KINDS.values())


def test_every_sentence_is_used_and_every_one_used_is_there() -> None:
    """A sentence is asked for by name; events of one shape are asked for by their kind."""
    names = constants("views")
    assert set(ENGLISH["sentences"]) <= names
    for path in (PACKAGE / "views").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, (ast.Attribute, ast.Name))):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            place = {"say": 0, "tell": 1}.get(called, -1)
            asked = node.args[place] if 0 <= place < len(node.args) else None
            if isinstance(asked, ast.Constant) and path.name in ("report.py", "happenings.py", "battles.py"):
                assert asked.value in ENGLISH["sentences"], f"{path.name}: {asked.value}"


def test_one_and_many_are_parted_by_a_bar() -> None:
    language = language_of("en")
    assert [language.counted("armies", n) for n in (0, 1, 2)] == ["0 armies", "1 army", "2 armies"]
    assert language_of("nb").counted("armies", 1) == "1 bataljon"


def test_a_missing_fact_or_sentence_is_a_bug() -> None:
    with pytest.raises(KeyError):
        language_of("en").say("is_passive")
    with pytest.raises(KeyError):
        language_of("en").say("no_such_sentence")
    with pytest.raises(KeyError):
        filled("one|many", {})


def test_what_is_filled_in_is_never_a_sentence_itself() -> None:
    assert filled("{player} writes:", {"player": "{neutral}|x"}) == "{neutral}|x writes:"


def test_plain_sentences_are_ascii_and_the_others_are_as_written() -> None:
    assert language_of("nb").word("headings", "absence") == "FRAVAER"
    assert language_of("nb", plain=False).word("headings", "absence") == "FRAVÆR"
    for code in LANGUAGES:
        language = language_of(code)
        texts = [text for table in (language.sentences, *language.words.values()) for text in table.values()]
        assert all(text.replace(TOGETHER, " ").isascii() for text in texts)
        assert not any("~" in text for text in texts)


def test_an_unknown_language_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(UsageProblem) as caught:
        language_of("nn")
    assert str(caught.value) == '"nn" is no language of reports, only en, nb'
    with pytest.raises(UsageProblem):
        language_of("../editions/no")
