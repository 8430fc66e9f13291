"""Plays a whole game to its end through the command line only, for `tests/games`.

    python tests/support/golden.py tests/games/fjord

Orders come from the planner, which sees what the player would see. A game is kept only if it has what a golden game
should have: a trade, a stop, a condition that held an entry back, an elimination, a missed turn, a standing order.
"""

import contextlib
import io
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import tomli_w

from referee.cli.application import application
from referee.documents.boards import board_by_name
from referee.documents.gamefile import GameFile, file_name, open_game
from referee.documents.gamereader import events_of
from referee.documents.hand import open_hand
from referee.documents.keys import load_key
from referee.documents.signing import read
from referee.game.events import event_to_tree
from support.planner import BOLD, Style, deployment, plan

GAME = "fjord"
HOST = "runa"
PLAYERS = {"kari": "Kari Nordmann", "ola": "Ola", "per": "Per Hansen"}
PUBLIC = "THIS KEY IS PUBLIC. It belongs to an example game: never play with it.\n"
MOST_TURNS = 120


class Folder:
    """A folder in which a game is played."""

    def __init__(self, path: Path, seed: int, style: Style) -> None:
        self.path = path
        self.seed = seed
        self.style = style
        self.kinds: set[str] = set()

    def run(self, *words: str) -> None:
        """Run one command as it would be typed, in this folder."""
        with contextlib.chdir(self.path), contextlib.redirect_stderr(io.StringIO()):
            application(words[0])(args=list(words), prog_name="referee", standalone_mode=False)

    def write(self, name: str, tree: dict[str, object]) -> str:
        """Write a file that a player has typed."""
        (self.path / name).write_text(tomli_w.dumps(tree), "utf-8")
        return name

    def game(self, turn: int) -> GameFile:
        """Read the game file that waits for a turn."""
        return open_game((self.path / file_name(GAME, turn)).read_bytes(), board_by_name)

    def open(self) -> None:
        """Make keys, invite, join, start."""
        for name in (HOST, *PLAYERS):
            self.run("keygen", name)
            key = self.path / f"{name}.key"
            key.write_text(PUBLIC + key.read_text())
        self.run("new", GAME, "--host", HOST, "--variant", "mission", "--players", "3",
                 "--rule", "missed=standing", "--title", "An example")  # fmt: skip
        for (name, title), colour in zip(PLAYERS.items(), ("red", "blue", "green"), strict=True):
            self.run(
                "join", f"{GAME}-invitation.toml", "--as", name, "--colour", colour, "--title", title, "--lang", "nb"
            )
        self.run("start", f"{GAME}-invitation.toml", *(f"join-{name}.toml" for name in PLAYERS))

    def head(self, game: GameFile, player: str) -> dict[str, object]:
        return {
            "format": "referee/orders/1",
            "game": GAME,
            "turn": game.game.turn,
            "state": game.digest,
            "player": player,
            "sequence": 1,
        }

    def deploy(self) -> None:
        """Place the first armies."""
        game = self.game(1)
        sealed = []
        for player in game.game.state.acting:
            tree = {**self.head(game, player), **deployment(game.game.state, player, self.seed)}
            name = self.write(f"orders-{player}-0001.toml", tree)
            self.run("sign", name, "--key", f"{player}.key")
            sealed.append(name.replace(".toml", "-sealed.toml"))
        self.run("resolve", file_name(GAME, 1), *sealed)

    def standing(self, game: GameFile, player: str) -> str:
        """Write standing orders that say what to do in a missed turn."""
        own = game.game.state.territories_of(player)
        tree = {
            "format": "referee/standing/1",
            "game": GAME,
            "nonce": game.game.nonce,
            "player": player,
            "sequence": 1,
            "note": "If I am away: hold what there is.",
            "defend": {"dice": 2, own[0]: 1},
            "missed": {"trade": "best", "place": list(own[:3])},
        }
        name = self.write(f"standing-{player}-{game.game.turn:04}.toml", tree)
        self.run("sign", name, "--key", f"{player}.key")
        return name

    def turn(self, turn: int) -> bool:
        """Play one turn; say whether the game goes on."""
        game = self.game(turn)
        state = game.game.state
        if state.phase == "over":
            return False
        player = state.acting[0]
        words = [file_name(GAME, turn)]
        if turn == 5:
            words.append(self.standing(game, state.after(state.after(player))))
        if turn == 10:
            words += ["--missed", player]
        else:
            hand = open_hand(game, load_key((self.path / f"{player}.key").read_bytes()))
            body = plan(state, player, tuple(hand.cards.values()), hand.mission, self.seed, self.style)
            name = self.write(f"orders-{player}-{turn:04}.toml", {**self.head(game, player), **body})
            self.run("sign", name, "--key", f"{player}.key")
            with contextlib.redirect_stdout(io.StringIO()):
                self.run("check", file_name(GAME, turn), name, "--key", f"{player}.key")
            words.append(name)
        self.run("resolve", *words)
        document = read((self.path / file_name(GAME, turn + 1)).read_bytes())
        for event in map(event_to_tree, events_of(document.tree, document)):
            self.kinds.add(event["kind"])
            if "condition" in event:
                self.kinds.add("condition")
        return True

    def is_golden(self) -> bool:
        """Say whether the game has what it should have."""
        wanted = {
            "set_traded", "attack_stopped", "attack_skipped", "condition", "player_eliminated", "turn_missed",
            "standing_recorded", "mission_completed", "game_won", "armies_fortified", "cards_taken_over",
        }  # fmt: skip
        print(sorted(wanted - self.kinds))
        return wanted <= self.kinds


def main() -> None:
    target = Path(sys.argv[1])
    for seed in range(1, 200):
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(Path(name), seed, BOLD)
            folder.open()
            folder.deploy()
            turn = 2
            while turn < MOST_TURNS and folder.turn(turn):
                turn += 1
            print(f"seed {seed}: {turn} turns")
            if folder.is_golden() and turn <= 60:
                tomllib.loads((folder.path / file_name(GAME, turn)).read_text("utf-8"))
                shutil.copytree(folder.path, target, dirs_exist_ok=False)
                return


if __name__ == "__main__":
    main()
