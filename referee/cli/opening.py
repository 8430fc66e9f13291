"""Opening a game: `keygen`, `new`, `join`, `start`. The only commands, with `sign`, that draw random bytes."""

import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.choosing import chosen_numbers, chosen_preset, chosen_switches
from referee.cli.files import (
    KeyOption,
    OutOption,
    QuietOption,
    name_of,
    put,
    read_bytes,
    say,
    write_in,
    write_new,
)
from referee.cli.keys import find_key
from referee.cli.players import key_of
from referee.documents.boards import board_by_name, load_board
from referee.documents.canonical import digest_of, fingerprint
from referee.documents.invitation import (
    JOIN,
    Invitation,
    Join,
    check_joins,
    read_invitation,
    read_join,
    why_not_id,
)
from referee.documents.keys import Key, pem
from referee.documents.layout import document_text
from referee.documents.signing import Document, read, sign
from referee.documents.start import invitation_tree, is_careful, join_tree, opener_of, refuse_other_opener
from referee.documents.start import start as begin
from referee.documents.text import with_markers
from referee.errors import CannotWrite, Problem, RefereeError, UsageProblem, as_word
from referee.game.trees import ID, nearest_hint


def keygen(
    name: Annotated[
        str,
        typer.Argument(help="Your id: a small letter a-z, then such letters, digits, - or _.", show_default=False),
    ],
    out: OutOption = None,
    passphrase: Annotated[bool, typer.Option("--passphrase", help="Protect the key with a passphrase.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Make a private key, NAME.key. Keep it, and never send it to anybody.

    Example: referee keygen kari
    """
    _refuse_no_id(name, "NAME")
    why = why_not_id(name, load_board("classic")[0], ())
    if why:
        raise UsageProblem(Problem("id", f'"{name}" {why}', "NAME", "nobody can play or host under it"))
    path = out or Path(f"{name}.key")
    if str(path) == "-":
        raise UsageProblem(Problem("no-stream", "a private key is written to a file only", "-o"))
    if os.path.isfile(path):
        message = "is the key that you have already, for all your games: nothing was written"
        hint = "keep it; without it the games that run with it are lost"
        raise CannotWrite(Problem("exists", message, hint=hint, file=str(path)))
    words = None
    if passphrase:
        from referee.cli.passphrase import new_passphrase

        words = new_passphrase(str(path))
    key = Key.from_seed(secrets.token_bytes(32))
    write_new([(path, pem(key, words))], mode=0o600)
    say(f"private key: {path} (never send it)\npublic key:  {key.public}", quiet)


def _refuse_no_id(name: str, what: str) -> None:
    """Raise if a name is no id, with the id that is most like it."""
    if ID.fullmatch(name):
        return
    from referee.views.text import in_ascii

    like = "".join(letter if letter.isalnum() else "-" for letter in in_ascii(name).lower()).strip("-")
    hint = f'such as "{like}"' if ID.fullmatch(like) else ""
    message = f'"{name}" is no id: a small letter a-z, then such letters, digits, "_" or "-"'
    raise UsageProblem(Problem("id", message, what, hint))


def new(
    name: Annotated[str, typer.Argument(help="The name of the game.", show_default=False)],
    host: Annotated[str, typer.Option("--host", help="Your id as host.", show_default=False)] = "",
    plays: Annotated[str, typer.Option("--plays", help="Your id as a player, if you host and play.")] = "",
    table: Annotated[bool, typer.Option("--table", help="A table game: no host, the next player rolls.")] = False,
    player: Annotated[str, typer.Option("--as", help="Your id as a player, for a table game.")] = "",
    edition: Annotated[str, typer.Option("--edition", help="The rule book: no, da, sv or de.")] = "no",
    variant: Annotated[str, typer.Option("--variant", help="The game in it, such as mission or world.")] = "",
    rule: Annotated[list[str] | None, typer.Option("--rule", help="A switch or setting, KEY=VALUE.")] = None,
    players: Annotated[str, typer.Option("--players", help="How many, such as 3 or 3-5.")] = "",
    seats: Annotated[str, typer.Option("--seats", help="Ids in seat order, with commas; else drawn.")] = "",
    title: Annotated[str, typer.Option("--title", help="A line of your own.")] = "",
    deadline: Annotated[str, typer.Option("--deadline", help="When the first orders are due (RFC 3339).")] = "",
    key: KeyOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Invite to a game: write NAME-invitation.toml, which the players answer with `join`.

    Without a host nothing is secret, the next living player rolls, and you join like all the others. A host who plays
    joins, too: then hands lie open, and in the host's own turns the next player adds a link (`reveal`).

    Example: referee new fjord --host runa --edition no --variant mission

    Example: referee new vik --host runa --plays anna --edition no --variant world

    Example: referee new skog --table --as kari --edition sv --players 2
    """
    opener, option = _opener(host, table, player)
    if plays and not host:
        raise UsageProblem(Problem("no-host", "is for a host who plays", "--plays", "say --host ID, too"))
    for value, what in ((name, "NAME"), (opener, option), *(((plays, "--plays"),) if plays else ())):
        _refuse_no_id(value, what)
    preset = chosen_preset(edition, variant)
    numbers = chosen_numbers(players, preset)
    rules, settings = chosen_switches(preset, numbers, rule or [], table, bool(plays))
    board, digest = load_board("classic")
    why = why_not_id(opener, board, ())
    if why:
        raise UsageProblem(Problem("id", f'"{opener}" {why}', option))
    own = find_key(key, opener)
    seated = tuple(seat.strip() for seat in seats.split(",")) if seats else ()
    tree = invitation_tree(
        name, secrets.token_bytes(16), preset, rules, settings, (board.name, digest), opener, own, title, seated,
        deadline, numbers, not table, plays,
    )  # fmt: skip
    text = with_markers(document_text({**tree, "signature": sign(tree, own, opener)})).encode()
    try:
        invitation = read_invitation(read(text, f"{name}-invitation.toml"))
    except RefereeError as error:
        if plays == opener:
            hint = "play under another one"
            raise UsageProblem(Problem("id", f'"{plays}" is your id as host', "--plays", hint)) from None
        raise _blamed(error) from None
    put(out, Path(f"{name}-invitation.toml"), text, quiet, "invitation")
    say(f"fingerprint {fingerprint(invitation.signed.digest)}", quiet)


def _opener(host: str, table: bool, player: str) -> tuple[str, str]:
    """Return the id of who opens the game and the option that says it; UsageProblem if they contradict."""
    if table and host:
        raise UsageProblem(
            Problem("no-host", "a table game has no host", "--host", "leave it out: --as says who you are")
        )
    if not table and player:
        raise UsageProblem(Problem("no-table", "is for a table game", "--as", "say --host ID, or --table"))
    opener, option = (player, "--as") if table else (host, "--host")
    if not opener:
        message = "who opens the table game?" if table else "who hosts the game?"
        hint = f"say {option} ID" if table else "say --host ID; or --table --as ID for a game without a host"
        raise UsageProblem(Problem("who", message, option, hint))
    return opener, option


_OPTIONS = {
    "title": "--title",
    "seats": "--seats",
    "deadline": "--deadline",
    "player": "--as",
    "language": "--lang",
    "colours": "--colour",
    "host.plays": "--plays",
}


def _blamed(error: RefereeError) -> UsageProblem:
    """Return what is wrong with a document that was made of options as a fault of the options."""
    problems = (problem._replace(file="", line=0) for problem in error.problems)
    return UsageProblem(*(problem._replace(key=_option(problem.key)) for problem in problems))


def _option(key: str) -> str:
    """Return the option from which a key of a document was made."""
    rule = key.removeprefix("rules.")
    return _OPTIONS.get(key.partition("[")[0], key) if rule == key else f"--rule {rule}"


def join(
    invitation: Annotated[Path, typer.Argument(help="The invitation that was sent to you.", show_default=False)],
    player: Annotated[str, typer.Option("--as", help="Your id in this game.", show_default=False)],
    colour: Annotated[
        list[str] | None, typer.Option("--colour", help="A colour you like; once more for others.")
    ] = None,
    lang: Annotated[
        str,
        typer.Option("--lang", help="What you read, for whoever sends reports: en, nb, da, sv, de."),
    ] = "en",
    title: Annotated[str, typer.Option("--title", help="Your name as others should read it.")] = "",
    key: KeyOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Answer an invitation: write join-NAME.toml for the host, or for who opens a table game.

    Example: referee join fjord-invitation.toml --as kari --colour red
    """
    from referee.views.invitation import invitation_shown
    from referee.views.language import SPELT, language_of

    _refuse_no_id(player, "--as")
    invited = read_invitation(read(read_bytes(invitation), name_of(invitation)))
    board = board_by_name(invited.board, invited.board_digest)
    colours = []
    for text in colour or []:
        found = board.find_colour(text)
        if found is None:
            message = f'"{text}" is no colour, but {", ".join(board.colours)} are'
            raise UsageProblem(Problem("colour", message, "--colour", nearest_hint(text, board.colours)))
        colours.append(found)
    own = find_key(key, player)
    tree = join_tree(invited, player, own, secrets.token_bytes(16), colours, SPELT.get(lang, lang), title)
    text_bytes = with_markers(document_text({**tree, "signature": sign(tree, own, player)})).encode()
    try:
        read_join(read(text_bytes, f"join-{player}.toml"), invited, board)
    except RefereeError as error:
        if invited.hosted and player == invited.opener:
            hint = f"the host plays as {invited.plays}" if invited.plays else "the host does not play"
            raise UsageProblem(Problem("id", f'"{player}" is the id of the host', "--as", hint)) from None
        raise _blamed(error) from None
    put(out, Path(f"join-{player}.toml"), text_bytes, quiet, "join")
    say("\n".join(invitation_shown(invited, language_of("en"))), quiet)
    if player != (invited.plays if invited.hosted else invited.opener):
        say(f"send it to {invited.title_of_opener}, and compare with him by another way:", quiet)
    say(f"fingerprint of the invitation: {fingerprint(invited.signed.digest)}", quiet)


def start(
    invitation: Annotated[Path, typer.Argument(help="Your invitation.", show_default=False)],
    joins: Annotated[
        list[Path],
        typer.Argument(help="The players' joins; in the end the roster and their reveals.", show_default=False),
    ],
    key: KeyOption = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The folder to write to.")] = None,
    lang: Annotated[str, typer.Option("--lang", help="Language of the report.")] = "en",
    quiet: QuietOption = False,
) -> None:
    """Start the game: draw the seats, deal, and write the first game file and its report.

    A careful start has two steps: with the joins alone the roster is written, which goes to all players; each answers
    with `referee reveal`, and with the roster and all reveals the game begins. So start all table games, those whose
    host plays, and others if the setting says so (`start=careful`).

    Example: referee start fjord-invitation.toml join-kari.toml join-ola.toml join-per.toml

    Example: referee start skog-invitation.toml join-*.toml skog-roster.toml reveal-*.toml
    """
    from referee.cli.resolving import read_all
    from referee.views.report import report

    invited: Invitation = read_invitation(read(read_bytes(invitation), name_of(invitation)))
    board = board_by_name(invited.board, invited.board_digest)
    problems: list[Problem] = []
    answered: list[Join] = []
    papers: list[Document] = []
    kind: type[RefereeError] | None = None
    for document in read_all(joins):
        if is_careful(invited) and document.format != JOIN:
            papers.append(document)
            continue
        try:
            answered.append(read_join(document, invited, board))
        except RefereeError as error:
            problems += error.problems
            kind = kind or type(error)
    if kind is not None:
        raise kind(*problems)
    own = key_of(key, invited.key, invited.opener, invitation)
    folder = out or (Path() if str(invitation) == "-" else invitation.parent)
    if is_careful(invited) and not papers:
        _write_roster(invited, answered, own, folder, quiet)
        return
    game = begin(invited, answered, own, board, papers)
    text = report(game, None, game.game.events, lang)
    game_file, report_file = folder / game.file, folder / f"{invited.name}-0000.txt"
    write_in(folder, [(report_file, text.encode()), (game_file, game.text.encode())])
    say(f"{game_file}\n{report_file}\nfingerprint {fingerprint(game.digest)}", quiet)


def _write_roster(invited: Invitation, joins: list[Join], own: Key, folder: Path, quiet: bool) -> None:
    """Write who plays, for all players to answer with their first links."""
    from referee.documents.roster import roster_tree

    refuse_other_opener(opener_of(invited), own)
    check_joins(invited, joins)
    tree = roster_tree(invited, joins)
    text = with_markers(document_text({**tree, "signature": sign(tree, own, invited.opener)})).encode()
    path = folder / f"{invited.name}-roster.toml"
    put(None, path, text, quiet, "roster")
    say(f"send it to all players; each answers with `referee reveal {as_word(path.name)}`", quiet)
    say(f"fingerprint {fingerprint(digest_of(tree))}", quiet)


COMMANDS = {"keygen": keygen, "new": new, "join": join, "start": start}
