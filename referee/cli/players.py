"""Who gives a command, and with which key: the player by `--as`, by his key, or because only he is awaited.

A key that is not named is looked for beside the files of the command and in the current folder: of all `*.key` there,
those of players of the game.
"""

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from referee.cli.files import read_bytes, say
from referee.cli.keys import load
from referee.documents.gamefile import Game, GameFile
from referee.documents.keys import Key, load_key
from referee.documents.rolling import roller_of
from referee.documents.signing import Document
from referee.errors import BadSignature, IllegalOrders, Problem, RefereeError, UsageProblem
from referee.game.orders import PlayerId
from referee.game.trees import nearest_hint

_HINT = "name it with --key, or in $REFEREE_KEY"


def own_key(given: Path | None, game: GameFile, player: str, awaited: bool, *beside: Path) -> Key | None:
    """Return a key to look into a hand with, or None: --key, else $REFEREE_KEY, else a player's that lies there.

    `player` is the one it must be of, if that is known. If keys of several lie there, `awaited` chooses the one of the
    player who has the turn; UsageProblem if that does not tell.
    """
    if given is not None:
        return load(given)
    people = game.game.people
    wanted = {people[PlayerId(player)].key} if player in people else {one.key for one in people.values()}
    from_environment = os.environ.get("REFEREE_KEY")
    if from_environment and _is_key_of(Path(from_environment), wanted):
        return load(Path(from_environment))
    if player and player not in people:
        return None
    lying = _lying(game, player, beside)
    acting = game.game.state.acting
    if awaited and len(lying) > 1 and (len(acting) == 1 and acting[0] not in lying):
        return None  # a draft for the one who is awaited, whose hand is not known here
    path = _chosen(game, lying, awaited)
    return load(path) if path is not None and _is_key_of(path, wanted) else None


def holder_here(game: GameFile, *beside: Path) -> str:
    """Return whose key alone lies there, which may need a passphrase, if several are awaited; else nothing."""
    lying = _lying(game, "", beside) if len(game.game.state.acting) > 1 else {}
    return next(iter(lying)) if len(lying) == 1 else ""


def signing_key(given: Path | None, game: GameFile, player: str, awaited: bool, *beside: Path) -> Key:
    """Return the key to sign or open with: --key, else $REFEREE_KEY, else a player's that lies there; see `own_key`."""
    from_environment = os.environ.get("REFEREE_KEY")
    if given is not None or from_environment:
        return load(given or Path(str(from_environment)))
    path = _chosen(game, _lying(game, player, beside), awaited)
    if path is None:
        raise no_key(f'"{player}"' if player else f'a player of "{game.game.name}"', _folders(beside))
    return load(path)


def key_of(given: Path | None, public: str, name: str, *beside: Path) -> Key:
    """Return the key to sign with for one whose public key is known, or not: --key, else $REFEREE_KEY, else by name.

    NAME.key is taken as it is if no other fits, so that a wrong one is refused and not passed over.
    """
    from_environment = os.environ.get("REFEREE_KEY")
    if given is not None or from_environment:
        return load(given or Path(str(from_environment)))
    folders = _folders(beside)
    named = next((load(path) for path in (folder / f"{name}.key" for folder in folders) if os.path.isfile(path)), None)
    if named is not None and public in ("", named.public):
        return named
    fitting = next((path for path in _key_files(folders) if _is_key_of(path, {public})), None)
    if fitting is not None:
        return load(fitting)
    if named is None:
        raise no_key(f'"{name}"', folders)
    return named


def no_key(whose: str, folders: Iterable[Path]) -> UsageProblem:
    """Return the refusal to go on without a key."""
    places = " or in ".join(dict.fromkeys("this folder" if folder == Path() else f"{folder}" for folder in folders))
    return UsageProblem(Problem("no-key", f"no key of {whose} lies in {places}", "--key", _HINT))


def _folders(beside: Iterable[Path]) -> list[Path]:
    """Return where keys may lie: beside the files, then in the current folder."""
    found = [path.parent for path in beside if str(path) != "-"]
    return list(dict.fromkeys([*found, Path()]))


def _key_files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(path for path in folder.glob("*.key") if os.path.isfile(path))


def _lying(game: GameFile, player: str, beside: Iterable[Path]) -> dict[PlayerId, Path]:
    """Return by player the keys that lie there; one with a passphrase, or that is none, counts by its name."""
    owners = {one.key: name for name, one in game.game.people.items()}
    found: dict[PlayerId, Path] = {}
    by_name: dict[PlayerId, Path] = {}
    for path in _key_files(_folders(beside)):
        key = _unlocked(path)
        if key is not None and key.public in owners:
            found.setdefault(owners[key.public], path)
        elif path.stem in game.game.people and (key is None or path.stem == player):
            by_name.setdefault(PlayerId(path.stem), path)
    found = {**by_name, **found}
    return {one: path for one, path in found.items() if player in ("", one)}


def _unlocked(path: Path) -> Key | None:
    """Return a key that was not asked for, so its passphrase is not asked for either."""
    try:
        return load_key(read_bytes(path), None, str(path))
    except RefereeError:
        return None


def _is_key_of(path: Path, wanted: Collection[str]) -> bool:
    """Say whether a key that was not asked for, and has no passphrase, is one of these."""
    key = _unlocked(path)
    return key is not None and key.public in wanted


def _chosen(game: GameFile, lying: dict[PlayerId, Path], awaited: bool) -> Path | None:
    """Return the only key, or that of the only player who is awaited, or None; UsageProblem if there are several."""
    acting = game.game.state.acting
    if not lying:
        return None
    if len(lying) == 1:
        return next(iter(lying.values()))
    if awaited and len(acting) == 1 and acting[0] in lying:
        return lying[acting[0]]
    paths = sorted(map(str, lying.values()))
    message = f"keys of several players lie here: {', '.join(paths)}"
    raise UsageProblem(Problem("several-keys", message, "--key", f"say whose, like --key {paths[0]}"))


def _player(game: GameFile, given: str, key: Key | None) -> PlayerId | None:
    """Return the player by --as or by his key; both must agree."""
    players = game.game.people
    if given and given not in players:
        hint = nearest_hint(given, players)
        message = f'"{given}" is no player of "{game.game.name}"'
        raise UsageProblem(Problem("unknown-player", message, "--as", hint))
    owner = next((p for p, one in players.items() if key is not None and one.key == key.public), None)
    if given and key is not None and owner != given:
        raise other_key(game, given)
    if key is not None and owner is None:
        from referee.documents.hand import no_player

        raise no_player(game.game, key)
    return PlayerId(given) if given else owner


def other_key(game: GameFile, player: str) -> BadSignature:
    """Return the refusal of a key that is not the player's."""
    record = game.game.people[PlayerId(player)].key
    message = f'is not the key of "{player}", {record}'
    hint = "whoever has lost his key goes on with another one: `referee act key`"
    return BadSignature(Problem("other-key", message, "--key", hint))


def refuse_if_over(game: GameFile) -> None:
    """Raise if nothing can be said any more."""
    if game.game.state.phase == "over":
        raise IllegalOrders(Problem("game-over", "the game is over"))


def refuse_if_missing(game: GameFile, player: PlayerId) -> None:
    """Raise if a player must miss the turn for which he is awaited, since he has not rolled for another."""
    from referee.documents.intake import MISSES
    from referee.game.absence import who_must_miss

    if player in who_must_miss(game.game.state):
        hint = "nothing has to be sent for this turn; `referee draft --standing` begins standing orders"
        raise IllegalOrders(Problem("misses-turn", MISSES.format(player=player), hint=hint))


def refuse_if_played(game: GameFile, path: Path, instead: str = "") -> None:
    """Raise if a later game file of the same game lies beside this one: what answers this one comes too late.

    `instead` says what else to do, where the same cannot be done for the later one.
    """
    newer = newer_beside(game, path)
    if newer is not None:
        message = f"turn {game.game.turn} has been played: {newer} is there"
        hint = instead or f"name that file: {newer}"
        raise UsageProblem(Problem("played-already", message, hint=hint, file=str(path)))


def say_if_played(document: Document, file: GameFile, path: Path, quiet: bool) -> None:
    """Say that what answers a game file comes too late, if a later one lies beside `path`."""
    newer = newer_beside(file, path) if "turn" in document.tree else None
    if newer is not None:
        say(f"turn {file.game.turn} has been played: {newer} is there", quiet)


def newer_beside(game: GameFile, path: Path) -> Path | None:
    """Return the last game file of the same game beside this one, if it is of a later turn and can be found."""
    from referee.cli.folders import newer_than

    if str(path) == "-":
        return None
    try:
        return newer_than(path.parent, game.game.name, game.game.nonce, game.game.turn)
    except OSError:  # the folder of a file that can be read need not be listed
        return None


def who_of(game: GameFile, given: str, key: Key | None, awaited: bool) -> PlayerId:
    """Return for whom a document is made: --as, the key's owner, or the only one who is awaited."""
    state = game.game.state
    player = _player(game, given, key)
    if player is None and awaited and len(state.acting) == 1:
        player = state.acting[0]
    if player is None:
        names = ", ".join(state.acting if awaited else state.playing())
        raise UsageProblem(Problem("who", f"for whom? {names}", "--as", "say --as PLAYER, or --key"))
    if state.players[player].status != "playing":
        raise IllegalOrders(Problem("not-playing", f'"{player}" does not play any more'))
    if awaited and player not in state.acting:
        message = f'"{player}" is not awaited now, but {", ".join(state.acting)}'
        hint = "`referee draft --standing` begins standing orders"
        raise IllegalOrders(Problem("not-awaited", message, hint=hint))
    return player


def whom(game: Game, passed_over: Iterable[str] = ()) -> str:
    """Say to whom a document goes: the host, or in a table game who makes the next game file."""
    roller = roller_of(game, tuple(passed_over))
    if roller.is_host or game.state.phase == "over":
        return roller.title
    return f"{roller.title}, who {'rolls' if game.state.phase == 'turn' else 'makes the next game file'}"


def resolves(game: Game, own: Key, passed_over: Iterable[str] = ()) -> bool:
    """Say whether the one with this key makes the next game file, and so gets what others send."""
    return roller_of(game, tuple(passed_over)).key == own.public


def where_to(game: Game, own: Key, beside: str = "") -> str:
    """Say to its signer what to do with a document, and with what lies `beside` it."""
    lying = f", with {beside}," if beside else ""
    if resolves(game, own):
        return f"hand it in{lying} when you resolve turn {game.turn}"
    return f"send it{lying} to {whom(game)}"


def beside(path: Path, name: str) -> Path:
    """Return where a file goes that is written beside another one; in this folder if that is a stream."""
    return Path(name) if str(path) == "-" else path.parent / name
