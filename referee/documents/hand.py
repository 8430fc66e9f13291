"""What a player alone may read: his hidden cards and his mission, opened with his key and checked (DESIGN 6)."""

from contextlib import suppress
from typing import Any

from referee.documents.base64 import decode
from referee.documents.gamefile import Game, GameFile, Opening
from referee.documents.keys import Key
from referee.documents.knowledge import HostKnowledge, opens
from referee.documents.sealing import open_box, seal_key
from referee.errors import BadSignature, Problem
from referee.game.board import CardId
from referee.game.orders import PlayerId
from referee.game.records import NamedTuple


class OwnHand(NamedTuple):
    """A hand as its player sees it: every card's name and id in the order held, and the mission's id or nothing.

    `capital` is a secret one that somebody else has chosen, who sat there before; nothing in all other cases.
    """

    player: PlayerId
    cards: dict[str, CardId]
    mission: str
    capital: str = ""


def player_of(game: Game, key: Key) -> PlayerId:
    """Return whose key this is; BadSignature if it is no player's."""
    for player, person in game.people.items():
        if person.key == key.public:
            return player
    raise no_player(game, key, "`referee show --json` lists the players' keys")


def no_player(game: Game, key: Key, hint: str = "") -> BadSignature:
    """Return the refusal of a key that is no player's, with the hint whose former one it is."""
    owner = next((who for who, one in game.people.items() if key.public in [was.key for was in one.former]), "")
    hint = f'it is a former key of the seat of "{owner}", for which another signs now' if owner else hint
    return BadSignature(Problem("other-key", f'is the key of no player of "{game.name}"', "--key", hint))


def open_hand(file: GameFile, key: Key) -> OwnHand:
    """Open a player's box: all that he holds must be in it, and fit the commitments; BadSignature if it does not."""
    game = file.game
    player = player_of(game, key)
    names = game.state.hands[player]
    if game.secret is not None:
        return _laid_open(game, player)
    if game.host is None:
        return OwnHand(player, {name: CardId(name) for name in names}, game.state.missions.get(player, ""))
    found = sealed_to(file, player, key)
    mission = game.state.missions.get(player, "") if player in game.sealed else ""
    hidden = {one.name: one.id for one in found.openings}
    held = (*names, mission) if mission else names
    missing = [name for name in held if name not in hidden and name not in game.state.board.cards]
    if missing:
        raise _wrong(file, f'"{missing[0]}" is held but not in the box')
    cards = {name: CardId(hidden.get(name, name)) for name in names}
    return OwnHand(player, cards, hidden.get(mission, ""), found.capital)


def _laid_open(game: Game, player: PlayerId) -> OwnHand:
    """Return a hand of a game that is over: there are no boxes any more, everything follows from the secret."""
    assert game.secret is not None
    secret, start_seed = decode(game.secret.game_secret), decode(game.start_seed)
    knowledge = HostKnowledge(secret, start_seed, game.state.board)
    cards = knowledge.cards(game.state, player)
    mission = game.state.missions.get(player)
    return OwnHand(player, dict(cards), knowledge.id_of(mission) if mission else "")


class SealedTo(NamedTuple):
    """What is in a player's box: his hidden cards and his mission; for a substitute the capital chosen for the seat."""

    openings: tuple[Opening, ...] = ()
    capital: str = ""


def sealed_to(file: GameFile, player: PlayerId, key: Key) -> SealedTo:
    """Open a player's box, if he has one, and hold all in it against the commitments; BadSignature if it is not so."""
    game = file.game
    if player not in game.sealed:
        return SealedTo()
    try:
        content = _opened(game, player, key)
        cards = [_opening(row) for row in content["cards"]]
        mission = _opening(content["mission"]) if "mission" in content else None
    except (KeyError, TypeError, ValueError) as error:
        raise _wrong(file, f"the box holds no hand ({error})") from None
    openings = (*cards, *((mission,) if mission else ()))
    for opening in openings:
        if not _fits(opening, game):
            raise _wrong(file, f'"{opening.name}" does not fit its commitment')
    capital = content.get("capital", "")
    if capital not in ("", *game.state.board.territories):
        raise _wrong(file, "the capital in the box is no territory")
    return SealedTo(openings, capital)


def _opened(game: Game, player: PlayerId, key: Key) -> dict[str, Any]:
    """Open a player's box: sealed by the host, or in the file in which he stands first by the one before him.

    A substitute who acts at once has his from the host, there too.
    """
    host = game.keeper
    nonce, box = decode(game.nonce), game.sealed[player]
    if host.former and game.turn == host.since:
        with suppress(BadSignature):
            return open_box(seal_key(key, host.former[-1].seal_key, nonce), game.name, game.turn, player, box)
    return open_box(seal_key(key, host.seal_key, nonce), game.name, game.turn, player, box)


def _opening(row: Any) -> Opening:
    name, card, salt = row
    if not all(type(part) is str for part in row):
        raise TypeError("a card is a name, an id and a salt")
    return Opening(name, card, salt)


def _fits(opening: Opening, game: Game) -> bool:
    board, commitment = game.state.board, commitment_of(opening.name, game)
    known = board.missions if opening.name.startswith("missions/") else board.cards
    return opening.id in known and commitment is not None and opens(opening, commitment)


def commitment_of(name: str, game: Game) -> str | None:
    """Return the public commitment of a hidden card or mission, or None if there is no such name."""
    kind, _, rest = name.partition("/")
    number, _, place = rest.partition("/")
    if not (number.isdecimal() and place.isdecimal() and len(rest) < 12):
        return None
    row: tuple[str, ...] = ()
    if kind == "missions" and number == "1":
        row = game.mission_commitments
    elif kind == "deck" and 0 < int(number) <= len(game.deck):
        row = game.deck[int(number) - 1]
    return row[int(place)] if int(place) < len(row) else None


def _wrong(file: GameFile, message: str) -> BadSignature:
    hint = "the host made this box wrongly: keep the file and ask him"
    return BadSignature(Problem("wrong-box", message, "sealed", hint, file.file))
