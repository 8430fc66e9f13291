"""The classic board is what the sources say; a board of others is refused with all problems."""

import copy
from typing import Any

import pytest

from referee import data
from referee.errors import UnreadableDocument
from referee.game.board import SYMBOLS, Board, CardId, ContinentId, TerritoryId, board_from

TREE = data.tree("boards/classic.toml")
BOARD = board_from(TREE)


def problems_of(tree: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(UnreadableDocument) as caught:
        board_from(tree)
    return [(problem.code, problem.key) for problem in caught.value.problems]


def changed(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(TREE), **changes}


def with_line(number: int, line: str) -> dict[str, Any]:
    """Return the classic board with another line for a territory of North America."""
    tree = copy.deepcopy(TREE)
    tree["continents"][0]["territories"][number - 1] = line
    return tree


def territories(*names: str) -> tuple[TerritoryId, ...]:
    return tuple(TerritoryId(name) for name in names)


# ---- the classic board


def test_it_has_42_territories_in_6_continents() -> None:
    assert (len(BOARD.territories), len(BOARD.continents)) == (42, 6)


@pytest.mark.parametrize(
    ("continent", "size", "bonus"),
    [
        ("north_america", 9, 5),
        ("south_america", 4, 2),
        ("europe", 7, 5),
        ("africa", 6, 3),
        ("asia", 12, 7),
        ("australia", 4, 2),
    ],
)
def test_continents_have_their_sizes_and_bonuses(continent: str, size: int, bonus: int) -> None:
    found = BOARD.continents[ContinentId(continent)]
    assert (len(found.territories), found.bonus) == (size, bonus)


def test_every_territory_is_in_one_continent() -> None:
    listed = [land for continent in BOARD.continents.values() for land in continent.territories]
    assert tuple(listed) == BOARD.territories
    assert len(set(listed)) == 42


def test_it_has_83_links_and_25_of_them_dotted() -> None:
    assert sum(len(others) for others in BOARD.neighbours.values()) == 2 * 83
    assert sum(len(others) for others in BOARD.sea.values()) == 2 * 25


def test_links_go_both_ways() -> None:
    for links in (BOARD.neighbours, BOARD.sea):
        for territory, others in links.items():
            assert all(territory in links[other] for other in others)


def test_a_dotted_line_is_a_link_as_any_other() -> None:
    assert TerritoryId("indonesia") in BOARD.neighbours[TerritoryId("siam")]
    assert BOARD.sea[TerritoryId("siam")] == territories("indonesia")


def test_neighbours_stand_in_board_order() -> None:
    for others in BOARD.neighbours.values():
        assert list(others) == sorted(others, key=BOARD.index.__getitem__)


@pytest.mark.parametrize(
    ("territory", "neighbours"),
    [
        ("alaska", ("northwest_territory", "alberta", "kamchatka")),
        (
            "east_africa",
            ("north_africa", "egypt", "congo", "south_africa", "madagascar", "middle_east"),
        ),
        ("mongolia", ("siberia", "kamchatka", "irkutsk", "japan", "china")),
        ("argentina", ("peru", "brazil")),
        ("eastern_australia", ("new_guinea", "western_australia")),
    ],
)
def test_some_territories_have_these_neighbours(territory: str, neighbours: tuple[str, ...]) -> None:
    assert set(BOARD.neighbours[TerritoryId(territory)]) == set(neighbours)


def test_the_first_and_last_territories_are_these() -> None:
    assert BOARD.territories[:2] == territories("alaska", "northwest_territory")
    assert BOARD.territories[-1] == TerritoryId("eastern_australia")


def test_the_deck_has_14_of_each_symbol_and_two_jokers() -> None:
    assert [list(BOARD.symbols.values()).count(symbol) for symbol in SYMBOLS] == [14, 14, 14]
    assert BOARD.cards == (*BOARD.territories, "joker-1", "joker-2")


@pytest.mark.parametrize(
    ("territory", "symbol"),
    [("alaska", "infantry"), ("quebec", "artillery"), ("congo", "cavalry"), ("siam", "artillery")],
)
def test_symbols_are_those_of_the_older_deck(territory: str, symbol: str) -> None:
    assert BOARD.symbols[TerritoryId(territory)] == symbol


def test_there_are_14_missions_in_ascii_order() -> None:
    assert len(BOARD.missions) == 14
    assert list(BOARD.missions) == sorted(BOARD.missions)
    kinds = [mission.kind for mission in BOARD.missions.values()]
    assert [kinds.count(k) for k in ("continents", "territories", "eliminate_colour")] == [6, 2, 6]


def test_a_mission_that_cannot_be_done_becomes_24_territories() -> None:
    assert (BOARD.fallback.territories, BOARD.fallback.min_armies) == (24, 1)


def test_every_colour_has_a_mission_against_it() -> None:
    assert {m.colour for m in BOARD.missions.values() if m.colour} == set(BOARD.colours)
    assert len(BOARD.colours) == 6


# ---- names


def test_no_two_names_collide() -> None:
    assert BOARD.name_problems() == ()


def test_everything_has_a_name_in_five_languages() -> None:
    assert BOARD.languages == ("en", "no", "da", "sv", "de")
    assert set(TREE["names"]) == {*BOARD.territories, *BOARD.continents, *BOARD.colours}


@pytest.mark.parametrize("language", ["en", "no", "da", "sv", "de"])
def test_every_printed_name_is_understood(language: str) -> None:
    for territory in BOARD.territories:
        assert BOARD.find_territory(BOARD.name_of(territory, language)) == territory
    for continent in BOARD.continents:
        assert BOARD.find_continent(BOARD.name_of(continent, language)) == continent
    for colour in BOARD.colours:
        assert BOARD.find_colour(BOARD.name_of(colour, language)) == colour


@pytest.mark.parametrize(
    ("text", "territory"),
    [
        ("Øst-USA", "eastern_united_states"),
        ("ost usa", "eastern_united_states"),
        ("Großbritannien", "great_britain"),
        ("Aegypten", "egypt"),
        ("Vastra USA", "western_united_states"),
        ("Sør-Afrika", "south_africa"),
        ("Southeast Asia", "siam"),
    ],
)
def test_territories_go_by_their_names_and_other_names(text: str, territory: str) -> None:
    assert BOARD.find_territory(text) == territory


def test_names_are_printed_in_the_language_asked_for() -> None:
    assert BOARD.name_of("middle_east", "no") == "Midtøsten"
    assert BOARD.name_of("middle_east", "nb") == "Midtøsten"
    assert BOARD.name_of("black", "da") == "sort"
    assert BOARD.name_of("australia", "fr") == "Australia"


def test_a_continent_is_no_territory() -> None:
    assert BOARD.find_territory("Europe") is None
    assert BOARD.find_continent("Alaska") is None


@pytest.mark.parametrize(
    ("text", "card"),
    [("Brasil", "brazil"), ("joker-1", "joker-1"), ("Joker 2", "joker-2"), ("joker-3", None)],
)
def test_cards_go_by_their_territory_or_joker(text: str, card: str | None) -> None:
    assert BOARD.find_card(text) == card


def test_a_misspelt_name_has_a_hint() -> None:
    assert BOARD.nearest_territory("alsaka") == "alaska"
    assert BOARD.nearest_card("jokr-1") == "joker-1"


def test_cards_are_put_in_board_order_with_jokers_last() -> None:
    cards = [CardId(card) for card in ("joker-2", "siam", "joker-1", "alaska")]
    assert BOARD.in_order(cards) == ("alaska", "siam", "joker-1", "joker-2")


# ---- boards of others


def tiny(**changes: Any) -> dict[str, Any]:
    """Return a sound board of four territories in a ring, with names left out."""
    return {
        "format": "referee/board/1",
        "name": "tiny",
        "languages": ["en"],
        "colours": ["red", "blue"],
        "continents": [
            {"id": "west", "bonus": 1, "territories": ["a infantry: b d", "b cavalry: a ~c"]},
            {"id": "east", "bonus": 2, "territories": ["c artillery: ~b d", "d infantry: a c"]},
        ],
        "deck": {"infantry": 2, "cavalry": 1, "artillery": 1, "jokers": 0},
        **changes,
    }


def test_a_small_board_needs_no_names_and_no_missions() -> None:
    board: Board = board_from(tiny())
    assert board.territories == ("a", "b", "c", "d")
    assert board.name_of("a", "de") == "a"
    assert (board.jokers, dict(board.missions), board.fallback.territories) == ((), {}, 4)


def test_a_link_must_go_both_ways() -> None:
    tree = with_line(1, "alaska infantry: northwest_territory alberta")
    assert problems_of(tree) == [("board-one-way", "continents[5].territories[4]")]


def test_a_dotted_line_must_be_dotted_from_both_ends() -> None:
    tree = with_line(1, "alaska infantry: northwest_territory alberta kamchatka")
    assert problems_of(tree) == [
        ("board-one-way", "continents[1].territories[1]"),
        ("board-one-way", "continents[5].territories[4]"),
    ]


def test_all_problems_are_reported_at_once() -> None:
    continents = [
        {"id": "west", "bonus": -1, "territories": ["a infantry: a b e", "b cavlary: a a", "b"]},
        {"id": "east", "bonus": 2, "territories": ["c artillery: d", "d infantry: c"]},
    ]
    missions = {
        "land": {"continents": ["south"]},
        "kill": {"colour": "green"},
        "hold": {"territories": 3},
    }
    tree = tiny(continents=continents, missions=missions, colors=["red"])
    assert problems_of(tree) == [
        ("board-unknown-key", "colors"),
        ("board-line", "continents[1].territories[3]"),
        ("board-number", "continents[1].bonus"),
        ("board-own-neighbour", "continents[1].territories[1]"),
        ("board-unknown-territory", "continents[1].territories[1]"),
        ("board-twice", "continents[1].territories[2]"),
        ("board-apart", "continents[2].territories[1]"),
        ("board-apart", "continents[2].territories[2]"),
        ("board-unknown-symbol", "continents[1].territories[2]"),
        ("board-deck", "deck.cavalry"),
        ("board-missing", "missions.hold.min_armies"),
        ("board-unknown-colour", "missions.kill.colour"),
        ("board-unknown-continent", "missions.land.continents"),
    ]


def test_a_territory_stands_in_one_continent_only() -> None:
    tree = tiny()
    tree["continents"][1]["territories"].append("a infantry: b d")
    assert problems_of(tree) == [("board-twice", "continents[2].territories[3]")]


def test_the_deck_must_be_as_stated() -> None:
    deck = {"infantry": 13, "cavalry": 14, "artillery": 14, "jokers": 2}
    assert problems_of(changed(deck=deck)) == [("board-deck", "deck.infantry")]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"format": "referee/board/2"}, ("board-format", "format")),
        ({"name": "Tiny!"}, ("board-id", "name")),
        ({"continents": "west"}, ("board-table", "continents")),
        ({"continents": [{"id": "west", "bonus": 1, "territories": []}]}, ("board-empty", "continents[1].territories")),
        ({"colours": ["red", "red"]}, ("board-twice", "colours[2]")),
        ({"colours": ["red", "west"]}, ("board-twice", "")),
        ({"names": {"a": "Æ, B"}}, ("board-names", "names.a")),
        ({"names": {"a": "A!"}}, ("board-name", "names.a")),
        ({"names": {"e": "E"}}, ("board-unknown-key", "names.e")),
    ],
)
def test_other_mistakes_are_named(changes: dict[str, Any], found: tuple[str, str]) -> None:
    assert found in problems_of(tiny(**changes))


def test_a_board_whose_names_collide_is_refused() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        board_from(tiny(names={"a": "Sør", "b": "Soer"}))
    assert [problem.key for problem in caught.value.problems] == ["names.b"]
