"""Which spellings are one name (DESIGN section 4, "Names")."""

import unicodedata

import pytest

from referee.game.names import MOST_DOUBLE_LETTERS, NameTable, forms

COUNTRIES = NameTable(
    [
        ("eastern_united_states", ["Eastern United States", "Øst-USA", "Östra USA"]),
        ("great_britain", ["Great Britain", "Großbritannien"]),
        ("quebec", ["Québec"]),
    ]
)


@pytest.mark.parametrize("text", ["ny guinea", "Ny-Guinea", "NY_GUINEA", "ny.guinea", " Ny  Guinea "])
def test_blanks_lines_dots_and_capitals_make_no_difference(text: str) -> None:
    assert forms(text) == ("ny guinea",)


@pytest.mark.parametrize(
    ("letter", "spellings"),
    [
        ("ø", {"o", "oe"}),
        ("å", {"a", "aa"}),
        ("ä", {"a", "ae"}),
        ("ö", {"o", "oe"}),
        ("ü", {"u", "ue"}),
        ("æ", {"ae"}),
        ("ß", {"ss"}),
        ("é", {"e"}),
        ("ç", {"c"}),
        ("ñ", {"n"}),
    ],
)
def test_letters_beyond_ascii_have_their_spellings(letter: str, spellings: set[str]) -> None:
    assert set(forms(letter)) == spellings
    assert set(forms(letter.upper())) == spellings


@pytest.mark.parametrize("text", ["Östra USA", "Århus", "Québec", "Süd Ø ǿ"])
def test_composed_and_decomposed_letters_are_the_same(text: str) -> None:
    assert forms(unicodedata.normalize("NFD", text)) == forms(unicodedata.normalize("NFC", text))


def test_each_letter_may_be_spelt_its_own_way() -> None:
    assert set(forms("Öä")) == {"oa", "oae", "oea", "oeae"}


def test_plain_letters_are_left_alone() -> None:
    assert forms("Venezuela") == ("venezuela",)


def test_a_text_cannot_make_more_than_a_few_forms() -> None:
    assert len(forms("ö" * MOST_DOUBLE_LETTERS)) == 2**MOST_DOUBLE_LETTERS
    assert forms("ö" * 1000) == ("o" * 1000, "oe" * 1000)


@pytest.mark.parametrize("text", ["Øst-USA", "oest usa", "ost_usa", "OESTRA.USA", "eastern united states"])
def test_a_name_is_found_in_every_spelling(text: str) -> None:
    assert COUNTRIES.find(text) == "eastern_united_states"


def test_a_text_with_two_spellings_finds_a_name_with_one() -> None:
    assert COUNTRIES.find("Größbritannien") == "great_britain"


def test_no_name_is_no_id() -> None:
    assert COUNTRIES.find("atlantis") is None
    assert COUNTRIES.find("") is None


def test_a_near_miss_is_a_hint_in_the_spelling_of_the_name() -> None:
    assert COUNTRIES.nearest("Ost USAA") == "Øst-USA"
    assert COUNTRIES.nearest("quebeck") == "quebec"
    assert COUNTRIES.nearest("zzzzzz") is None


def test_two_ids_with_one_name_collide() -> None:
    table = NameTable([("south", ["Sør"]), ("sour", ["Soer"]), ("east", ["Øst"])])
    assert table.collisions() == (("soer", "south", "sour"),)


def test_a_blank_too_many_or_too_few_is_seen_in_the_language_that_was_written() -> None:
    table = NameTable([("eastern_australia", ["Østaustralien", "Ostaustralien"]), ("great_britain", [])])
    assert table.nearest("Ost-Australien") == "Ostaustralien"
    assert table.nearest("Øst-Australien") == "Østaustralien"
    assert table.nearest("Great-Brit Ain") == "great_britain"
