"""Refusals of the rules as problems of a file: the English sentences of the command line.

Loaded only when there is something to refuse. Reports in a player's language have their own sentences for the same
codes, in `data/languages`.
"""

from collections.abc import Iterable
from itertools import islice

from referee.documents.lines import joined
from referee.documents.text import Source
from referee.errors import MAX_PROBLEMS, Problem
from referee.game.board import Board
from referee.game.legality import Finding

SENTENCES = {
    "not-three-cards": ("a set is three different cards (R-CARD-01)", ""),
    "not-in-hand": ('"{card}" is not in your hand', "`referee hand` shows your cards"),
    "no-set": ("{cards} are no set: three of one symbol or one of each (R-CARD-01)", ""),
    "no-bonus-there": (
        'no bonus for "{territory}": the two armies go to a territory that a card of the set shows and that is yours'
        " (R-CARD-10)",
        "",
    ),
    "bonus-needed": (
        "several cards of the set show your territories (Q-13)",
        "say bonus = one of: {territories}",
    ),
    "card-twice": ('"{card}" is in an earlier set already', ""),
    "too-many-sets": (
        "too few cards for so many sets: {size} in the hand, and a set is three",
        "`referee hand` shows them",
    ),
    "trade-needed": (
        "with {size} cards at least one set must be traded in (R-CARD-09)",
        "possible sets: {sets}",
    ),
    "not-yours": ('"{territory}" is not yours', ""),
    "wrong-total": ("{placed} armies placed, but there are {total} to place ({rule})", ""),
    "not-neutral": ('"{territory}" is not neutral', ""),
    "wrong-neutral-total": (
        "{placed} neutral armies placed, but there are {total} to place (Q-25, R-2P-DA-05)",
        "`referee draft` lists the neutral territories",
    ),
    "no-neutral-army": ("there is no neutral army in this game (R-2P-NO-01, R-2P-DA-01)", ""),
    "already-yours": ('"{territory}" is yours already', ""),
    "not-adjacent": ('"{target}" does not border on "{source}" ({rule})', ""),
    "not-named": ('an attack names "from" and "to", or a "path" (R-ATT-04)', ""),
    "dice-are-armies": ("in this edition the dice are the armies: leave `dice` out (R-ATT-06)", ""),
    "more-dice-than-armies": ('"dice" is {dice}, more than the {armies} of "armies" (R-ATT-06)', ""),
    "same-territory": ('from "{territory}" to itself', ""),
    "not-connected": (
        '"{target}" is not connected with "{source}" through your territories (R-FORT-02)',
        "",
    ),
    "no-elimination-trade": ("this edition has no trade after an elimination (R-ATT-17)", ""),
}
"""By code: the sentence, and the hint."""


_INCOME = (
    ("share", "{share} for {territories} territories"),
    ("continents", "{continents} for continents"),
    ("worth", "{worth} for sets"),
    ("raised", "{raised} more to make the least of three"),
)
"""How the armies to place come about; a part that brings none is left out."""


_RULES = {"fortify[": "R-FORT-02", "place": "R-REINF-06", "deploy": "R-SETUP-08"}
"""By part of a key: the rule that a sentence quotes which is about several kinds of order."""


def all_refused(found: Iterable[Finding], source: Source, board: Board) -> list[Problem]:
    """Return the first refusals of a document as problems: one mistake can make thousands."""
    return [refused(finding, source, board) for finding in islice(found, MAX_PROBLEMS)]


def refused(finding: Finding, source: Source, board: Board) -> Problem:
    """Return a finding as a problem with its file and line, its key as the player has spelt it."""
    sentence, hint = SENTENCES[finding.refusal.code]
    facts = dict(finding.refusal.facts)
    facts["rule"] = next((rule for part, rule in _RULES.items() if part in finding.key), "R-ATT-01")
    if not facts.get("sets", True):
        hint = "`referee check --key` lists the sets of your hand"
    if "share" in facts:
        hint = ", ".join(words for part, words in _INCOME if facts[part]) + " (R-TURN-06)"
    if int(facts.get("placed", 0)) < int(facts.get("total", 0)):
        from referee.documents.advice import about_comments

        hint = about_comments(source, board) or hint
    return source.problem(
        finding.refusal.code,
        sentence.format(**facts),
        _spelt(finding.key, source, board),
        hint.format(**facts),
    )


def _spelt(key: str, source: Source, board: Board) -> str:
    """Return the path of a territory in [place] or [deploy] with the name that stands in the file."""
    table, dot, territory = key.partition(".")
    names = source.tree.get(table)
    if not dot or not isinstance(names, dict) or territory in names or territory not in board.index:
        return key
    name = next((name for name in names if board.find_territory(name) == territory), territory)
    return joined(table, name)
