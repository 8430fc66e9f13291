"""What to do when the operating system refuses: a hint for each of its reasons that a person can mend.

A reason that is not known here has no hint. Nothing is written, and nothing is read but names.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path

from referee.errors import as_word

_LIKE = 0.8
"""So much alike, from 0 to 1, are two names of which one may have been meant for the other."""


_NOT_WHOLE = "make room and run it again: what was written may not be whole"


def hint_for_reading(path: Path, number: int | None) -> str:
    """Return what may help when a file or a folder cannot be read, by the number of the error."""
    if number == errno.ENOENT:
        return _where_it_may_be(path)
    if number in (errno.EACCES, errno.EPERM):
        return f"`ls -ld {as_word(str(path))}` says whose it is and who may read it"
    return _of_the_path(path, number)


def hint_for_writing(path: Path, number: int | None) -> str:
    """Return what may help when a file, or the folder for it, cannot be written, by the number of the error."""
    folder = path.parent
    if number == errno.ENOENT and not os.path.isdir(folder):
        return f"make the folder first: `mkdir -p {as_word(str(folder))}`"
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"`ls -ld {as_word(str(folder))}` says who may write there; -o writes to another place"
    if number in (errno.ENOSPC, errno.EDQUOT):
        is_stream = str(path) == "standard output"
        return _NOT_WHOLE if is_stream else "nothing was written: make room, or write to another disk with -o"
    if number == errno.EEXIST:
        return "it is a file, and a folder is needed: name one with -o"
    if number == errno.EISDIR:
        return "name a file in this folder"
    if number == errno.ENAMETOOLONG:
        return "give it a shorter name with -o"
    return _of_the_path(path, number)


def _of_the_path(path: Path, number: int | None) -> str:
    """Return what is wrong with the way to a file."""
    if number == errno.ENOTDIR:
        files = [one for one in path.parents if os.path.lexists(one) and not os.path.isdir(one)]
        return f"{files[0]} is no folder" if files else ""
    return "a link leads back to itself: name the file itself" if number == errno.ELOOP else ""


def _where_it_may_be(path: Path) -> str:
    """Return what is missing on the way to a file, or which may be meant: one with an ending, or called alike."""
    if os.path.islink(path):
        return "it is a link to what is not there"
    if not os.path.isdir(path.parent):
        return f"the folder {path.parent} is not there"
    from difflib import get_close_matches

    names: list[str] = []
    with suppress(OSError):
        names = sorted(os.listdir(path.parent))
    stems = {Path(name).stem: name for name in names if Path(name).suffix == path.suffix}
    close = [name for name in names if name.startswith(f"{path.name}.")]
    close += [stems[stem] for stem in get_close_matches(path.stem, stems, n=1, cutoff=_LIKE)]
    return f'did you mean "{path.parent / close[0]}"?' if close else ""
