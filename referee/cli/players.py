"""Who gives a command, and with which key: the player by `--as`, by his key, or because only he is awaited."""

import os
from pathlib import Path

from referee.cli.files import load, read_bytes
from referee.documents.gamefile import GameFile
from referee.documents.keys import Key, load_key
from referee.errors import BadSignature, IllegalOrders, Problem, UnreadableDocument, UsageProblem
from referee.game.orders import PlayerId
from referee.game.trees import nearest_hint


def own_key(given: Path | None, game: GameFile, player: str, *beside: Path) -> Key | None:
    """Return a key to look into a hand with, or None: --key, else $REFEREE_KEY or PLAYER.key if it is of this game."""
    if given is not None:
        return load(given)
    people = game.game.people
    wanted = {people[PlayerId(player)].key} if player in people else {one.key for one in people.values()}
    from_environment = os.environ.get("REFEREE_KEY")
    candidates = [Path(from_environment)] if from_environment else []
    if player in people:
        candidates += [path.parent / f"{player}.key" for path in beside if str(path) != "-"]
    for path in candidates:
        if path.is_file():
            try:
                key = load_key(read_bytes(path), None, str(path))
            except UnreadableDocument:
                continue  # not asked for, so its passphrase is not asked for either
            if key.public in wanted:
                return key
    return None


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
        message = f'is the key of no player of "{game.game.name}"'
        raise BadSignature(Problem("other-key", message, "--key"))
    return PlayerId(given) if given else owner


def other_key(game: GameFile, player: str) -> BadSignature:
    """Return the refusal of a key that is not the player's."""
    record = game.game.people[PlayerId(player)].key
    message = f'is not the key of "{player}", {record}'
    return BadSignature(Problem("other-key", message, "--key"))


def who_of(game: GameFile, given: str, key: Key | None, awaited: bool) -> PlayerId:
    """Return for whom a document is made: --as, the key's owner, or the only one who is awaited."""
    state = game.game.state
    if state.phase == "over":
        raise IllegalOrders(Problem("game-over", "the game is over"))
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


def beside(path: Path, name: str) -> Path:
    """Return where a file goes that is written beside another one; in this folder if that is a stream."""
    return Path(name) if str(path) == "-" else path.parent / name
