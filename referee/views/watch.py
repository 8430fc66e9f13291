"""Who was at the table of a game with a host: whether he plays, and how often somebody revealed beside him.

`Watch` counts the turns for which the host must not be the only one to reveal (`witnesses`), as `verify` goes through
them; what it counts has been checked before.
"""

from referee.documents.gamefile import Game, GameFile
from referee.views.hosts import hosted_by


class Watch:
    """How many turns there were in which the host was not to roll alone, and for how many a second one revealed."""

    def __init__(self) -> None:
        """Begin with none."""
        self.turns = self.beside = 0

    def count(self, before: GameFile | None, after: GameFile) -> None:
        """Count a game file after the one that it follows from; a first one is no turn."""
        game = after.game
        if before is None or not is_watched(game) or before.game.state.phase != "turn":
            return
        from referee.documents.witnesses import is_watched as must_be

        if must_be(before.game):
            self.turns += 1
            self.beside += len(game.evidence.reveals) > 1

    def line(self, game: Game) -> str:
        """Return who hosted when, and how often somebody revealed beside him; nothing where he alone is to roll."""
        if game.host is None or not is_watched(game):
            return ""
        plays = f", who plays as {game.host_seat}" if game.host_seat else ""
        knows = " and knows all cards and missions" if game.state.settings.trusted_host else ""
        who = f"{game.host.name}{plays}{knows}"
        if terms := hosted_by(game):
            plays = f"; {game.host.former[0].name} played as {game.host_seat}" if plays else ""
            who = f"{', '.join(terms)}{plays}{knows}"
        if not self.turns:
            return who
        turns = "turns" if game.state.settings.witness else f"turns of {game.host_seat}"
        beside = f"the reveal of the next player stands beside the host's in {self.beside} of {self.turns} {turns}"
        return f"{who}; {beside}"

    def tree(self, game: Game) -> dict[str, object]:
        """Return the same for programs."""
        if game.host is None or not is_watched(game):
            return {}
        return {
            "host": game.host.name,
            "plays": game.host_seat,
            "trusted": game.state.settings.trusted_host,
            "watched_turns": self.turns,
            "revealed_beside": self.beside,
        }


def is_watched(game: Game) -> bool:
    """Say whether this is a game in some of whose turns a host is not to roll alone."""
    return game.host is not None and bool(game.host_seat or game.state.settings.witness)
