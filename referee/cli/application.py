"""The typer application: which commands there are, and how errors end."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from referee.cli import GROUPS
from referee.cli.files import cannot_read, cannot_write, say
from referee.errors import CannotWrite, RefereeError

HELP = """Referee for Risk by e-mail: signed orders in, the next signed game file and a report out.

Example: referee resolve game.toml orders.toml
"""


def _version(wanted: bool) -> None:
    if wanted:
        from referee import __version__

        typer.echo(f"referee {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Nothing happens before the command."""


def application(command: str | None) -> typer.Typer:
    """Return the application with the group of one command, or with all of them."""
    app = typer.Typer(
        help=HELP,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,  # should the line above ever go: values may be keys
        # asked for by its own options only: it costs every command some milliseconds
        add_completion=command not in GROUPS,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    groups = [GROUPS[command]] if command in GROUPS else list(dict.fromkeys(GROUPS.values()))
    for group in groups:
        commands = import_module(f"referee.cli.{group}").COMMANDS
        for name, function in commands.items():
            _take_any_path(function)
            app.command(name, help=_flowing(function.__doc__ or ""))(function)
    return app


def _take_any_path(function: Callable[..., object]) -> None:
    """Keep typer from refusing a file that may not be read: that is no fault of usage, and some are to be written."""
    for annotation in function.__annotations__.values():
        for parameter in getattr(annotation, "__metadata__", ()):
            parameter.readable = False


def _flowing(text: str) -> str:
    """Return a docstring with each paragraph on one line, so that the terminal alone breaks it."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def run() -> None:
    """Run the command of the command line; problems go to standard error, one a line."""
    completing = any(name.endswith("_COMPLETE") for name in os.environ)
    first = sys.argv[1] if len(sys.argv) > 1 and not completing else None
    if sys.stderr is None:  # it is closed: else `print` would say on standard output what is for people
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        application(first)(prog_name="referee")
    except RefereeError as error:
        _end(error)
    except SystemExit as end:
        if end.code:
            # typer ends with 1 when nobody reads on (`| head`); 1 is for bugs
            sys.exit(CannotWrite.exit_code if end.code == 1 else end.code)
        _flush()
    except OSError as error:
        if error.filename is not None:  # such as a folder that may not be listed
            _end(cannot_read(Path(error.filename), error))
        end_for_want_of_room(error)


def _flush() -> None:
    """Hand over what standard output still holds back, so that a full disk is seen before the end."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        end_for_want_of_room(error)


def end_for_want_of_room(error: OSError) -> NoReturn:
    """Say that standard output takes nothing more, and leave."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else Python tries once more, when all is over
    _end(cannot_write(Path("standard output"), error))


def _end(error: RefereeError) -> NoReturn:
    """Say what is wrong, if anybody listens, and leave with the exit code for it."""
    say(str(error))
    sys.exit(error.exit_code)
