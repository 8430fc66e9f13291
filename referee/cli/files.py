"""Reading and writing for the commands: files and standard streams. Nothing is overwritten or left half written."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from errno import EBADF
from pathlib import Path
from typing import Annotated

import typer

from referee.errors import CannotWrite, Problem, UnreadableDocument, visible

MAX_READ = 64 << 20
"""Nothing larger is read: a document is at most 1 MiB, a record 64 MiB."""

GameArgument = Annotated[Path, typer.Argument(help="The current game file.", show_default=False)]
KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--key",
        help="Your private key; else $REFEREE_KEY, else NAME.key beside the file.",
        metavar="FILE",
    ),
]
OutOption = Annotated[Path | None, typer.Option("-o", "--out", help="Where to write; - is standard output.")]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing when all is well.")]
MissedOption = Annotated[list[str] | None, typer.Option("--missed", help="A player whose orders have not come.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, or of standard input for `-`; UnreadableDocument if it cannot be read."""
    try:
        if str(path) == "-":
            if sys.stdin is None:
                raise OSError(EBADF, "it is closed")
            return sys.stdin.buffer.read(MAX_READ + 1)
        if path.is_dir():
            raise UnreadableDocument(Problem("is-a-folder", "is a folder, not a file", file=str(path)))
        with path.open("rb") as file:
            # `read` reserves all that it is asked for
            size = os.fstat(file.fileno()).st_size or MAX_READ
            return file.read(min(size, MAX_READ) + 1)
    except OSError as error:
        raise cannot_read(path, error) from None


def cannot_read(path: Path, error: OSError) -> UnreadableDocument:
    """Return the refusal for an error of the operating system."""
    from referee.cli.system import hint_for_reading

    message = f"cannot be read: {(error.strerror or str(error)).lower()}"
    return UnreadableDocument(Problem("cannot-read", message, "", hint_for_reading(path, error.errno), name_of(path)))


def name_of(path: Path) -> str:
    """Return how a file is called in messages."""
    return "standard input" if str(path) == "-" else str(path)


def refuse_stream(path: Path, command: str) -> None:
    """Raise if standard input is named where a file is needed that can be read more than once."""
    if str(path) == "-":
        raise UnreadableDocument(Problem("no-stream", f"{command} reads files, not a stream", file=name_of(path)))


def is_invitation(data: bytes) -> bool:
    """Say whether the head of a document is that of an invitation."""
    lines = (line.lstrip(b"> |") for line in data[:8000].split(b"\n"))
    return b'"referee/invitation/' in next((line for line in lines if line.startswith(b"format")), b"")


def say(words: str, quiet: bool = False) -> None:
    """Say something to a person, on standard error; where that takes nothing more, nobody wants to hear it."""
    if quiet:
        return
    try:
        print(*map(visible, words.split("\n")), sep="\n", file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # else Python tries once more, when all is over


def say_wrapped(words: str, quiet: bool = False) -> None:
    """Say something that may be longer than a line."""
    from referee.views.text import wrapped

    say("\n".join(wrapped(words, "", "  ")), quiet)


def print_lines(lines: Iterable[str]) -> None:
    """Print a result for people."""
    print("".join([f"{visible(row)}\n" for line in lines for row in line.split("\n")]), end="")


# --- writing -----------------------------------------------------------------------------------


def cannot_write(path: Path, error: OSError) -> CannotWrite:
    """Return the refusal for an error of the operating system."""
    from referee.cli.system import hint_for_writing

    message = f"cannot be written: {(error.strerror or str(error)).lower()}"
    return CannotWrite(Problem("cannot-write", message, "", hint_for_writing(path, error.errno), str(path)))


def write_new(files: Iterable[tuple[Path, bytes]], mode: int = 0o644) -> list[Path]:
    """Write several new files, all or none; return those that were not there with the same content already.

    None is there either if `files` are still being made and that fails. Each is written under a temporary name first,
    synced, and given its name only if nothing has it: a crash leaves nothing or the whole, and of two commands that run
    at once one wins. CannotWrite if a file exists with other content.
    """
    made: list[tuple[Path, Path]] = []
    linked: list[Path] = []
    try:
        for path, data in files:
            if not _is_there(path, data):
                made.append((_temporary(path, data, mode), path))
        for temporary, path in made:
            _give_name(temporary, path)
            linked.append(path)
    except BaseException:
        for path in linked:
            path.unlink(missing_ok=True)
        raise
    finally:
        for temporary, _ in made:
            temporary.unlink(missing_ok=True)
    return [path for _, path in made]


def _is_there(path: Path, data: bytes) -> bool:
    """Say whether the file exists with this content; CannotWrite if it exists with another."""
    try:
        there = path.read_bytes()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise cannot_write(path, error) from None
    if there == data:
        return True
    raise exists_otherwise(path)


def exists_otherwise(path: Path) -> CannotWrite:
    """Return the refusal to overwrite, or to write through a link that leads nowhere."""
    if not os.path.exists(path):
        return CannotWrite(Problem("link", "is a link to what is not there", hint="take the link away", file=str(path)))
    hint = "nothing was written; move the file away if it is wrong"
    return CannotWrite(Problem("exists", "exists with other content", hint=hint, file=str(path)))


def _temporary(path: Path, data: bytes, mode: int) -> Path:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise cannot_write(path, error) from None
    return temporary


def _give_name(temporary: Path, path: Path) -> None:
    """Give a finished file its name, unless something with other content has got that name meanwhile."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        if not _is_there(path, temporary.read_bytes()):
            raise exists_otherwise(path) from None
    except OSError:
        # a file system without hard links: reserve the name, then put the whole file there
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            temporary.replace(path)
        except FileExistsError:
            raise exists_otherwise(path) from None
        except OSError as error:
            raise cannot_write(path, error) from None


def write_in(folder: Path, files: Iterable[tuple[Path, bytes]]) -> list[Path]:
    """Write several new files as `write_new` does; their folder is made if it is not there, and goes if that fails."""
    made = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(folder, error) from None
        return write_new(files)
    except BaseException:
        for path in made:
            with suppress(OSError):  # somebody else may have put something there
                path.rmdir()
        raise


def replace(path: Path, data: bytes) -> None:
    """Replace a person's own file by a new version, the whole at once."""
    temporary = _temporary(path, data, path.stat().st_mode & 0o777 if path.exists() else 0o644)
    try:
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise cannot_write(path, error) from None


def put(out: Path | None, default: Path, data: bytes, quiet: bool, what: str) -> None:
    """Write a new file to `out`, or to its default name, or to standard output for `-`, and say so."""
    path = out or default
    if str(path) == "-":
        if sys.stdout is None:
            raise cannot_write(Path("standard output"), OSError(EBADF, "it is closed"))
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    if os.path.isdir(path):
        path = path / default.name
    written = write_new([(path, data)])
    say(f"{what}: {path}" if written else f"{what}: {path} (was there already)", quiet)


def print_json(value: object) -> None:
    """Print a result for programs."""
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2))
