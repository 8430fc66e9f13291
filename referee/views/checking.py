"""How anybody can check a turn: the command, and the fingerprints of all the files that it stands on."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.documents.canonical import digest_of, fingerprint
from referee.documents.gamefile import Game, GameFile, file_name
from referee.documents.rolling import roller_of
from referee.game.events import RollPassedOver
from referee.views.text import WIDTH, table, wrapped
from referee.views.voice import Voice


def checking(after: GameFile, before: GameFile | None, voice: Voice) -> list[str]:
    """Return the command that verifies this turn, and the fingerprints of game files and evidence."""
    files = [file for file in (before, after) if file is not None]
    names = [file_name(file.game.name, file.game.turn) for file in files]
    rows = [(name, fingerprint(file.digest)) for name, file in zip(names, files, strict=True)]
    for document in after.game.evidence.documents:
        rows.append((_label(document, voice), fingerprint(digest_of(document))))
    whole = []
    if after.game.secret is not None:
        whole = [*wrapped(voice.say("verify_all"), "  "), *command(["referee", "verify", f"{after.game.name}-*.toml"])]
    return [
        *_who_rolled(after, before, voice),
        *command(["referee", "verify", *names]),
        *whole,
        *wrapped(voice.say("fingerprints"), "  "),
        *table(rows, indent="    "),
    ]


def _who_rolled(after: GameFile, before: GameFile | None, voice: Voice) -> list[str]:
    """Say who rolled, where that is not always the same one: in a table game, if the host plays, or with witnesses."""
    game = after.game
    rolled = [who for who, _ in game.evidence.reveals]
    if before is None and len(rolled) > 1:
        return wrapped(voice.say("rolled_start", players=voice.players(rolled)), "  ")
    if game.host is not None:
        return _revealed(game, before.game, rolled, voice) if before is not None else []
    assert before is not None, "at a table all reveal for the start"
    if before.game.host is not None:  # the file in which the host is said to be gone
        return wrapped(voice.say("rolled_none", player=voice.players(rolled)), "  ")
    if rolled:
        others = voice.players(before.game.state.acting)
        return wrapped(voice.say("rolled_turn", player=voice.players(rolled), others=others), "  ")
    passed = [event.player for event in game.events if isinstance(event, RollPassedOver)]
    maker = roller_of(before.game, passed).name
    return wrapped(voice.say("rolled_none", player=voice.player(maker)), "  ")


def _revealed(game: Game, before: Game, rolled: Sequence[str], voice: Voice) -> list[str]:
    """Say who revealed beside a host who plays, or as a witness, or that the host rolled alone."""
    host = before.keeper.name
    if not rolled or not (game.host_seat or game.state.settings.witness):
        return []
    letters = voice.language.letters(host)
    beside = [who for who in rolled if who != host]
    if beside:
        return wrapped(voice.say("revealed_beside", host=letters, players=voice.players(beside)), "  ")
    return wrapped(voice.say("rolled_alone", host=letters, others=voice.players(before.state.acting)), "  ")


_ACTS = {
    "missed": "act_missed",
    "passed_over": "act_passed_over",
    "substitute": "act_substitute",
    "key": "act_key",
    "deadline": "act_deadline",
    "take_over": "act_take_over",
    "hand_over": "act_hand_over",
    "host_gone": "act_host_gone",
    "open_hand": "act_open_hand",
}
"""By the word of an act: the sentence that names it."""


def _label(document: Mapping[str, Any], voice: Voice) -> str:
    """Name a document of the evidence, which stands in a game file as it came."""
    kind = str(document.get("format")).removeprefix("referee/").removesuffix("/1")
    by = str(document.get("signature", {}).get("by"))
    if kind not in voice.language.words["documents"]:
        return voice.language.letters(f"{kind} {by}")
    by = voice.language.letters(voice.player(by))
    sentence = _ACTS.get(str(document.get("act"))) if kind == "act" else None
    if sentence is None:
        return voice.word("documents", kind, by=by)
    about = str(document.get("player", document.get("host", "")))
    return voice.say(sentence, by=by, player=voice.language.letters(voice.player(about)))


def command(words: Sequence[str]) -> list[str]:
    """Write a command line, over several lines where it is long, as a shell takes it."""
    lines = ["   "]
    for word in words:
        if len(lines[-1]) + len(word) + len("  \\") > WIDTH:
            lines[-1] += " \\"
            lines.append("     ")
        lines[-1] += f" {word}"
    return lines
