"""Explaining the rules: `rules`. It writes nothing but what is asked for."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.files import JsonOption, QuietOption, is_invitation, name_of, print_json, print_lines, read_bytes, say
from referee.errors import Problem, UsageProblem
from referee.views.language import Language, language_of
from referee.views.rulebook import Rulebook


def rules(
    game: Annotated[
        Path | None, typer.Argument(help="A game file or an invitation: its own rules.", show_default=False)
    ] = None,
    edition: Annotated[str, typer.Option("--edition", help="The rule book: no, da, sv or de.")] = "",
    variant: Annotated[str, typer.Option("--variant", help="The game in it, such as mission or two.")] = "",
    players: Annotated[str, typer.Option("--players", help="How many, such as 3 or 3-5.")] = "",
    rule: Annotated[list[str] | None, typer.Option("--rule", help="A switch or setting, KEY=VALUE.")] = None,
    table: Annotated[bool, typer.Option("--table", help="As a table game, which has no host.")] = False,
    plays: Annotated[bool, typer.Option("--plays", help="With a host who plays.")] = False,
    lang: Annotated[str, typer.Option("--lang", help="The language of the text: en or nb.")] = "en",
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Print the rules of a game, each with its source: of an edition's variant, or of one game by its own switches.

    Example: referee rules --edition da --variant two

    Example: referee rules fjord-0012.toml --lang nb
    """
    language = language_of(lang)
    if game is None:
        book = _of_a_preset(edition or "no", variant, players, rule or [], table, plays, language)
        if not edition:
            chosen = f"--edition {book.terms.edition} --variant {book.terms.variant}"
            say(f"these are the rules of {chosen}; say another edition or variant, or name a file", quiet)
    elif edition or variant or players or rule or table or plays:
        message = "a game has its own rules: name a file, or --edition and so on"
        raise UsageProblem(Problem("rules-of-what", message, "GAME"))
    else:
        book = _of_a_file(game, language)
    if json:
        print_json(book.tree())
    elif not quiet:
        print_lines(book.lines())


def _of_a_preset(
    edition: str, variant: str, players: str, changes: list[str], table: bool, plays: bool, language: Language
) -> Rulebook:
    """Return the rules of an edition's variant, perhaps with house rules."""
    from referee.cli.choosing import chosen_numbers, chosen_preset, chosen_switches
    from referee.documents.boards import load_board
    from referee.documents.modes import mode_of
    from referee.views.terms import Terms
    from referee.views.voice import BoardVoice

    preset = chosen_preset(edition, variant)
    numbers = chosen_numbers(players, preset)
    if table and plays:
        raise UsageProblem(Problem("no-host", "a table game has no host", "--plays"))
    switches, settings = chosen_switches(preset, numbers, changes, table, plays)
    mode = mode_of(not table, plays, settings.trusted_host)
    terms = Terms(preset.edition, preset.variant, switches, settings, numbers, preset, mode)
    return Rulebook(terms, BoardVoice(load_board("classic")[0], language))


def _of_a_file(path: Path, language: Language) -> Rulebook:
    """Return the rules of a game file or of an invitation, by the values that it carries."""
    from referee.documents.boards import board_by_name
    from referee.views.voice import BoardVoice, Voice

    data = read_bytes(path)
    if is_invitation(data):
        from referee.documents.invitation import read_invitation
        from referee.documents.signing import read
        from referee.views.invitation import terms_offered

        invited = read_invitation(read(data, name_of(path)))
        board = board_by_name(invited.board, invited.board_digest)
        return Rulebook(terms_offered(invited), BoardVoice(board, language), game=invited.name)
    from referee.documents.gamefile import open_game
    from referee.views.terms import terms_of_game

    played = open_game(data, board_by_name, name_of(path)).game
    terms = terms_of_game(played)
    colours = [player.colour for player in played.state.players.values()]
    return Rulebook(terms, Voice(played, language), colours, played.name)


COMMANDS = {"rules": rules}
