"""TOML that anybody may have sent is read, or refused in words, and never stalls (DESIGN 3)."""

import re
import time
import tomllib
from collections.abc import Callable
from itertools import product

import pytest

from referee.documents.faults import newer_toml, syntax_problem
from referee.documents.lines import STRING_OR_COMMENT, around, bare, entry, joined, lines
from referee.documents.text import BEGIN, END, Source, check_values, parse
from referee.errors import Problem, UnreadableDocument


def problems(data: bytes | str) -> tuple[Problem, ...]:
    with pytest.raises(UnreadableDocument) as caught:
        parse(data.encode() if isinstance(data, str) else data, "orders.toml")
    assert all(problem.file == "orders.toml" for problem in caught.value.problems)
    return caught.value.problems


def texts(data: bytes | str) -> list[str]:
    return [problem.text().removeprefix("orders.toml:") for problem in problems(data)]


ORDERS = """\
# referee orders begin
format = "referee/orders/1"
turn = 12

[[trade]]
cards = [
    "alaska",    # not "brazil"
    "congo",
]

[place]
alaska = 3
"St. Louis" = 2

[[attack]]
from = "alaska"
to = "kamchatka"

[[attack]]
to = "japan"
advance = { keep = 2 }
if = ["siberia is mine", "alaska >= 6"]
note = \"\"\"
[[attack]]
from = "nowhere"
\"\"\"
sub.part = 1
# referee orders end
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("format", 2),
        ("turn", 3),
        ("trade", 5),
        ("trade[1]", 5),
        ("trade[1].cards", 6),
        ("trade[1].cards[2]", 6),
        ("place", 11),
        ("place.alaska", 12),
        ('place."St. Louis"', 13),
        ("attack", 15),
        ("attack[1].from", 16),
        ("attack[2]", 19),
        ("attack[2].to", 20),
        ("attack[2].advance.keep", 21),
        ("attack[2].if[2]", 22),
        ("attack[2].note", 23),
        ("attack[2].sub.part", 27),
        ("attack[2].from", 19),  # it is missing: the entry
        ('place."New York"', 11),
        ("nothing", 0),
        ("", 0),
    ],
)
def test_every_value_has_a_line(key: str, line: int) -> None:
    for text in (ORDERS, ORDERS.replace("\n", "\r\n"), ORDERS.replace("\n", "\r")):
        assert parse(text.encode()).line_of(key) == line


def test_lines_are_found_in_lists_of_lists_of_tables() -> None:
    text = "[[a.b]]\nx = 1\n[[a.b]]\n[[a.b.c]]\n[[a.b.c]]\nx = 2\n[a.b.d]\nx = 3\n[a.e]\n"
    found = lines(text)
    assert found["a.b[1].x"] == 2
    assert found["a.b[2].c[2].x"] == 6
    assert found["a.b[2].d.x"] == 8
    assert found["a.e"] == 9


def test_paths_are_built_and_taken_apart() -> None:
    path = joined(entry(joined("", "attack"), 2), "St. Louis")
    assert path == 'attack[2]."St. Louis"'
    assert around(path) == "attack[2]"
    assert around("attack[2]") == "attack"
    assert around("attack") == ""


@pytest.mark.parametrize(
    "text",
    [
        'a = "' + "[" * 50 + '"',
        "a = '" + "{" * 50 + "'",
        "# " + "[" * 50,
        'a = """\n' + "[\n" * 50 + '"""',
        "a = '''\n" + "[\n" * 50 + "'''",
        'a = "\\"' + "[" * 50 + '"',
        'a = """\\"""' + "[" * 50 + '"""',
        'a = """x""' + "[" * 50 + '"""""',
        'a = "a.b.c.d.e"',
        "a = 1 # a.b.c.d.e",
        'a = """\na.b.c.d = 1\n"""',
        "a = '''\na.b.c.d = 1\n'''",
        '[place]\n"a.b.c.d" = 1',
        "a.b.c = 1",
        "[a.b.c]\na.b.c = 1",
        "a = [" + "[], " * 100 + "]",
        "a = " + "[" * 32 + "]" * 32,
        "a = [" + "{ b = [1] }, " * 100 + "]",
        'a = ["...", "...", "..."]',
        "a = '\"'\nb = " + "[" * 32 + "]" * 32,
        'note = "“quoted” – …"',
        "a = 9007199254740991\nb = -9007199254740991",
        'note = "tab\\tnew\\nline é ø 日本 🎲"',
        '[place]\n"Øst-USA" = 1\n"St. Louis" = 2\n"1_a" = 3',
        "[a]\n[[b]]\n[b.neutral]\nÆ = 1".replace("Æ", '"Æ"'),
        "a = true\r\nb = false\r\n",
        "\ufeffa = 1",
        "",
        "# nothing",
        "a" * 40 + " = 1",
        "a = '" + "x" * 9_990 + "'",
    ],
)
def test_what_only_looks_dangerous_is_read(text: str) -> None:
    parse(text.encode())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = " + "[" * 33 + "]" * 33, "1: brackets are nested more than 32 deep"),
        ("a = 1\nb = " + "[{a=" * 17 + "1" + "}]" * 17,
         "2: brackets are nested more than 32 deep"),
        ("a = '''\n'''\nb = [" + '"]",[' * 33, "3: brackets are nested more than 32 deep"),
        ("a = " + '["]", ' * 33 + "1" + "]" * 33, "1: brackets are nested more than 32 deep"),
        ("a = " + '{ b = "}", a = ' * 33 + "1" + "}" * 33, "1: brackets are nested more than 32 deep"),
        ("a = " + "[ # ]\n" * 33 + "1" + "]" * 33, "33: brackets are nested more than 32 deep"),
        ("a = 1\na.b.c.d = 1", "2: a key has more than 3 parts"),
        ('[a . "b.c" . \'d\'\t.e]', "1: a key has more than 3 parts"),
        ('a = { b."x\\"y".c.d = 1 }', "1: a key has more than 3 parts"),
        ('a = """\n\n""" \nb."".c.d = 1', "4: a key has more than 3 parts"),
        ("a = 1\nb = '" + "x" * 10_000 + "'", "2: the line is longer than 10,000 characters"),
        ('a = "\x00"', "1: there is a control character, U+0000"),
        ("a = 1 # \x1b[31m", "1: there is a control character, U+001B"),
        ('a = "x\x7f"', "1: there is a control character, U+007F"),
        (b"a = 1\nb = '\xe6'", '2: is not UTF-8 text\n  hint: save it as "UTF-8"'),
        (
            'a = "ø"'.encode("utf-16"),
            ' is not UTF-8 text\n  hint: it looks like UTF-16: save it as "UTF-8"',
        ),
        ("a = 1\n[b]\nc = 1.5", "3: b.c: 1.5 is no whole number"),
        ("a = [1, 2e3]", "1: a[2]: 2000.0 is no whole number"),
        ("a = inf", "1: a: inf is no whole number"),
        ("a = 2024-02-03", "1: a: 2024-02-03 is a date or a time\n  hint: write it in quotes"),
        ("a = 07:32:00", "1: a: 07:32:00 is a date or a time\n  hint: write it in quotes"),
        ("a = 9007199254740992", "1: a: the number is too large"),
        ("a = -9007199254740992", "1: a: the number is too large"),
        ("Turn = 1", '1: Turn: "Turn" is no key of a document\n  hint: did you mean "turn"?'),
        ('"Øst" = 1', '1: "Øst": "Øst" is no key of a document\n  hint: is a heading missing above it? '
         "territories stand below [place], [deploy] or [defend]"),
        ("turn = 2\nSiam = 1", '2: Siam: "Siam" is no key of a document\n  hint: is a heading missing above it? '
         "territories stand below [place], [deploy] or [defend]"),
        ('[deploy]\n"𝄞" = 1', '2: deploy."𝄞": "𝄞" is no key of a document'),
        ('[deploy]\n"a!" = 1', '2: deploy."a!": "a!" is no key of a document'),
        ('[deploy]\n" " = 1', '2: deploy." ": " " is no key of a document'),
        ('[deploy.x]\n"Ø" = 1', '2: deploy.x."Ø": "Ø" is no key of a document'),
        ("_a = 1", '1: _a: "_a" is no key of a document'),
        ('"" = 1', '1: "": "" is no key of a document'),
        (
            "a" * 41 + " = 1",
            f'1: {"a" * 41}: "{"a" * 41}" is no key of a document\n'
            "  hint: keys have at most 40 characters",
        ),
        (
            'a = "x\\u202ey"',
            "1: a: has the character U+202E, which cannot be seen\n  hint: take it out",
        ),
        (
            'a = ["x", "\\u0085"]',
            "1: a[2]: has the character U+0085, which cannot be seen\n  hint: take it out",
        ),
        (
            "a = '''\n\u2066'''",
            "1: a: has the character U+2066, which cannot be seen\n  hint: take it out",
        ),
        (
            'a = "\\u001b"',
            "1: a: has the character U+001B, which cannot be seen\n  hint: take it out",
        ),
        (
            "[[attack]]\nfrom = “alaska”",
            '2: the character "“" (U+201C) cannot be used here\n  hint: write " in its place',
        ),
        (
            '[[attack]]\nfrom = "alaska”\nto = "japan"',
            '2: the character "”" (U+201D) cannot be used here\n  hint: write " in its place',
        ),
        (
            "from = ‘alaska’",
            '1: the character "‘" (U+2018) cannot be used here\n  hint: write \' in its place',
        ),
        (
            "stop_at = –4",
            '1: the character "–" (U+2013) cannot be used here\n  hint: write - in its place',
        ),
        (
            "a = 1\nb\u00a0= 2",
            "2: the character U+00A0 cannot be used here\n"
            "  hint: put an ordinary blank in its place",
        ),
        ("a\u200b = 1", "1: the character U+200B cannot be used here\n  hint: take it out"),
        (
            "[place]\nalaska = 1\nalaska = 2\n",
            '3: "alaska" is given twice in the same table\n  hint: keep one of the two',
        ),
        (
            "[place]\n[place]\n",
            "2: [place] stands here a second time\n  hint: put all of it under one heading",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_in_words(text: bytes | str, words: str) -> None:
    assert texts(text) == [words]


def test_what_the_parser_refuses_comes_with_a_line_and_a_hint() -> None:
    (problem,) = problems("turn = 1\nfrom = alaska\n")
    assert (problem.code, problem.line) == ("not-toml", 2)
    assert "quotes" in problem.hint
    (problem,) = problems("turn = 1\nHi all,\n")
    assert (problem.code, problem.line) == ("not-toml", 2)
    (problem,) = problems('turn = 1\nfrom = "alaska\n')
    assert (problem.code, problem.line) == ("not-toml", 2)
    assert problems("a = [1,")[0].code == "not-toml"
    assert problems("a = " + "1" * 5_000)[0].code == "integer-too-large"
    assert problems('a = "\\ud800"')[0].code == "not-toml"


PARSER_MESSAGES = (
    "Unclosed array",
    "Unclosed inline table",
    "Invalid date or datetime",
    "Invalid value",
    "Invalid hex value",
    "Invalid statement",
    "Invalid initial character for a key part",
    "Expected newline or end of document after a statement",
    "Expected ']' at the end of a table declaration",
    "Expected ']]' at the end of an array declaration",
    "Expected '=' after a key in a key/value pair",
    "Expected \"'''\"",
    "Cannot redefine namespace ('a',)",
    "Cannot overwrite a value",
    "Cannot declare ('a',) twice",
    "Cannot mutate immutable namespace ('a',)",
    "Duplicate inline table key 'a'",
    "Illegal character '\\n'",
    "Escaped character is not a Unicode scalar value",
    "Unescaped '\\' in a string",
    "Unterminated string",
)
"""What the parser of the standard library can say of a text without control characters."""

HEAD = 'format = "referee/orders/1"\n'


@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        ("[[attack]\n", 1, "as many brackets after the name"),
        ("[place\n", 1, "as many brackets after the name"),
        ("[!]\n", 1, "a heading is like [place]"),
        ("advance = { keep = 2\n", 1, "a bracket is opened and not closed"),
        ('claim = [\n#   "alaska",\n# ]\n', 3, "each line is freed of its #"),
        ('cards = ["alaska"', 1, "a bracket is opened and not closed"),
        ('note = "the "boss" is here"\n', 1, 'the " within the text ends it: write \\" there'),
        ("note = 'It's me, O'Brien'\n", 1, "the ' within the text ends it: put \" around the text"),
        ('from = "alaska" to = "japan"\n', 1, "one value a line"),
        ('from = "alaska", "japan"\n', 1, "one value a line"),
        ("armies = 4 of them\n", 1, "one value a line"),
        ('note = "C:\\Users"\n', 1, "write \\\\ for one"),
        ('note = "100 \\% sure"\n', 1, "write \\\\ for one"),
        ('turn = 1\nstate =\n"abc"\n', 2, "nothing stands after the ="),
        ("turn = # later\n", 1, "nothing stands after the ="),
        ("until = 2027-02-30\n", 1, "a date is written in quotes"),
        ('note = """\nnever closed\n', 2, "is this the whole file?"),
        ("note = '''\nnever closed\n", 2, "ends with three"),
        ("from = &quot;alaska&quot;\n", 1, "it is in HTML"),
        ("<p>Hi</p>\n", 1, "it is in HTML"),
        ("From: kari\n\n<html>\n", 1, "it is in HTML"),
        (f"From: kari\nContent-Type: text/html; charset=utf-8\n\n<div>{BEGIN}<br>", 1, "it is in HTML"),
        ("Hi Runa,\nhere are my orders:\n\n" + HEAD, 1, "words stand before the document"),
        ("Hi Runa,\n> " + HEAD, 1, "words stand before the document"),
        (HEAD + "Hi Runa,\n", 2, "a line is like from"),
        (f'{BEGIN}\n{HEAD}turn = "1', 3, f'the line "{END}" is missing'),
        (f'Hi\n{BEGIN}\n{HEAD}turn = "1', 4, f'the line "{END}" is missing'),
    ],
)
def test_the_hint_fits_what_people_get_wrong(text: str, line: int, hint: str) -> None:
    (problem,) = problems(text)
    assert (problem.code, problem.line) == ("not-toml", line)
    assert hint in problem.hint, problem.hint


def test_nothing_that_is_no_toml_is_left_without_a_hint() -> None:
    for message in PARSER_MESSAGES:
        problem = syntax_problem(f"{message} (at line 1, column 1)", "x\n", "")
        assert problem.hint or problem.code == "given-twice", message


def test_a_key_in_another_namespace_or_an_inline_table_is_given_twice() -> None:
    for text in ("a = { b = 1, b = 2 }", "[a.b]\n[a]\nb.c = 1\n", "a.b = 1\n[a]\n"):
        assert [problem.code for problem in problems(text)] == ["given-twice"], text


def test_what_never_was_a_document_is_called_by_its_name() -> None:
    (problem,) = problems(f"fjord, turn 2\n{'=' * 72}\n  Kari, red\n")
    assert problem.text().startswith("orders.toml: is a report")
    (problem,) = problems("-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n")
    assert problem.text().startswith("orders.toml: is a private key")
    assert "MC4C" not in problem.text()


def test_all_problems_of_a_document_are_reported_at_once() -> None:
    found = problems('a = 1.5\nB = 2\n[c]\nd = 1979-05-27\ne = "\\u202e"\nf = 9e9\n')
    assert [(problem.key, problem.line) for problem in found] == [
        ("a", 1), ("B", 2), ("c.d", 4), ("c.e", 5), ("c.f", 6),
    ]  # fmt: skip
    deep = "a = " + "[" * 33 + "\nb.c.d.e = 1\n#" + "x" * 10_001
    assert {problem.code for problem in problems(deep)} == {"too-deep", "long-key", "long-line"}
    assert {problem.code for problem in problems("a = " + "[" * 33 + "\x0b")} == {"too-deep", "control-character"}
    assert {problem.code for problem in problems("a = " + "[]," * 33 + "\x0b")} == {"control-character"}


def test_no_more_than_twenty_problems_are_listed() -> None:
    assert len(problems("".join(f"a{number} = 1.5\n" for number in range(1000)))) == 20


def test_strings_are_told_by_quotes_as_they_are_by_the_pattern() -> None:
    pattern = re.compile(STRING_OR_COMMENT)
    for letters, most in (('"\n[', 10), ("\"\n'#\\[", 6)):
        for length in range(most + 1):
            for text in map("".join, product(letters, repeat=length)):
                assert bare(text) == pattern.sub("_", text)


@pytest.mark.parametrize(
    ("before", "letters", "most"),
    [
        ("", 'a="\n', 6),
        ("a = ", "\"'\\n", 6),
        ('a = ["', 'a",\n] ', 5),
        ('a = """', '"a\n', 8),
        ('a = "b" #', '"\n\ta=', 5),
        ('["b"', '"]\n[a', 5),
    ],
)
def test_strings_are_read_as_the_parser_reads_them(before: str, letters: str, most: int) -> None:
    for length in range(most + 1):
        for end in map("".join, product(letters, repeat=length)):
            text = before + end
            assert outcome(parse, text.encode(), "a.toml") == outcome(plainly_parsed, text, "a.toml")


def plainly_parsed(text: str, file: str) -> Source:
    """Read a text with the parser alone, as it stands."""
    try:
        source = Source(tomllib.loads(text), text, file)
    except ValueError as error:
        raise UnreadableDocument(syntax_problem(str(error), text, file)) from None
    check_values(source.tree, source)
    return source


def outcome(reader: Callable[..., Source], *given: object) -> object:
    """Return the tree, or all that is wrong."""
    try:
        return reader(*given).tree
    except UnreadableDocument as error:
        return error.problems


def test_a_document_above_one_mebibyte_is_refused_unless_more_is_allowed() -> None:
    data = b"# " + b"x" * 98 + b"\n"
    data = data * ((1 << 20) // len(data) + 1)
    (problem,) = problems(data)
    assert problem.code == "too-large"
    assert parse(data, limit=len(data)).tree == {}


MEBIBYTE = 1 << 20


def filled(pattern: str, size: int = MEBIBYTE) -> str:
    return (pattern * (size // len(pattern.encode()) + 1))[:size]


@pytest.mark.parametrize(
    "text",
    [
        filled("a.", 64_000) + "a = 1",
        filled("a . ", 9_000) + "a = 1",
        filled('"a".', 9_000) + "a = 1",
        "[" + filled("a.", 9_000) + "a]",
        "x = {" + filled("a.", 9_000) + "a = 1}",
        filled("x." + "a" * 4_990 + "." + "b" * 4_990 + "\n"),
        filled('"""\n'),
        filled("'''\n") + "'",
        filled('"'),
        filled("'\n"),
        filled('"\\'),
        "a = " + filled("[", 9_000),
        "a = [" + filled("[\n"),
        "a = " + filled("{a=", 9_000),
        filled("a.b.c\n"),
        filled("...\n"),
        filled('a."\\".b.c.d\n'),
        filled(". . . \n"),
        "a = " + filled("1", 9_000),
        "a = " + filled("1_", 9_000) + "1",
        "a = [" + filled("1.5,\n", 200_000) + "]",
        filled("\r") + "x",
        filled("\rx"),
        filled("\x00"),
    ],
)
def test_no_text_brings_the_reader_to_a_standstill(text: str) -> None:
    start = time.process_time()
    with pytest.raises(UnreadableDocument):
        parse(text.encode(), limit=2 * MEBIBYTE)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "text",
    [
        "a = { b = 1,\n c = 2 }",
        "a = { b = 1, }",
        "a = { b = 1, # x\n }",
        'a = "\\e[1m"',
        'a = "\\\\\\x41"',
        "a = [{ b = [1,\n2],\n c = 1 }]",
    ],
)
def test_what_only_newer_parsers_read_is_refused_by_all(text: str) -> None:
    assert list(newer_toml(text, ""))
    assert problems(text)


@pytest.mark.parametrize("text", ["a = { b = [1,\n2,\n] }", r'a = "\\e"', r"a = '\e'", "a = [1, 2,\n]", "# \\e {\n"])
def test_what_every_parser_reads_is_not_taken_for_something_newer(text: str) -> None:
    assert list(newer_toml(text, "")) == []
    parse(text.encode())
