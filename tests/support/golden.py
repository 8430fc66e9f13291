"""Plays whole games to their end through the command line only, for `tests/games`.

    python tests/support/golden.py tests/games            every game that is not there yet
    python tests/support/golden.py tests/games da_two     this one

`fjord` is kept as a folder with all its files, the others as records. Orders come from the planner, which sees what the
player would see. A game is kept only if it has what it is there to show.
"""

import contextlib
import io
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import tomli_w

from referee.cli.application import application
from referee.documents.boards import board_by_name
from referee.documents.commitments import own_opening
from referee.documents.eventtables import event_to_tree
from referee.documents.gamefile import GameFile, file_name, open_game
from referee.documents.gamereader import events_of
from referee.documents.hand import open_hand
from referee.documents.intake import secret_keys
from referee.documents.keys import load_key
from referee.documents.reveals import needs_reveals_of
from referee.documents.signing import read
from referee.documents.witnesses import who_may_reveal
from referee.errors import RefereeError
from referee.game.absence import who_must_miss
from referee.game.orders import PlayerId
from referee.game.state import SET_UP
from support.planner import BOLD, WILD, Style, plan, set_up

HOST = "runa"
TITLES = {"kari": "Kari Nordmann", "ola": "Ola", "per": "Per Hansen", "eva": "Eva", "liv": "Liv", "nils": "Nils"}
COLOURS = ("red", "blue", "green", "yellow", "black", "pink")
PUBLIC = "THIS KEY IS PUBLIC. It belongs to an example game: never play with it.\n"
MOST_TURNS = 160


class Wanted(NamedTuple):
    """A game to be played: `rules` are given to `new`, `kinds` are events that must happen in it.

    With `absence` standing orders come in the third turn of somebody, a later turn is missed, and somebody is passed
    over who should roll at a table, or reveal beside a host. A game at a `table` has no host; a host may have witnesses
    or play, under the id `plays` and with his own key. With `seats` keys are changed, by the player and for a lost one,
    and a seat changes hands. `hosts` says that the host hands the game over, twice, or that he is gone for good.
    """

    name: str
    edition: str
    variant: str
    players: int
    rules: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    style: Style = BOLD
    absence: bool = False
    title: str = ""
    table: bool = False
    seats: bool = False
    plays: str = ""
    hosts: Literal["", "handed", "gone"] = ""

    @property
    def careful(self) -> bool:
        """Say whether the start is careful."""
        return self.table or bool(self.plays) or "start=careful" in self.rules


FJORD = Wanted(
    "fjord", "no", "mission", 3, ("missed=standing",),
    ("set_traded", "attack_stopped", "attack_skipped", "condition", "player_eliminated", "turn_missed",
     "standing_recorded", "mission_completed", "armies_fortified", "cards_taken_over"),
    absence=True, title="An example",
)  # fmt: skip

CLAIMED = ("territory_claimed", "start_rolled")
NEUTRAL = ("neutral",)
LOT = ("pile_laid_open", "card_drawn")
SEATS = ("key_changed", "seat_substituted")
RECORDS = (
    Wanted("no_mission", "no", "mission", 4, ("deployment_batch=5",), ("mission_completed",)),
    Wanted("no_mission_rising", "no", "mission+rising", 6, ("missed=default", "missed_limit=1"),
           ("mission_completed", "seat_removed"), absence=True),
    Wanted("no_world", "no", "world", 3, (), ("player_eliminated", "cards_taken_over")),
    Wanted("no_world_rising", "no", "world+rising", 5, (), ("player_eliminated",)),
    Wanted("no_capitals", "no", "capitals", 4, (), ("capital_taken", "territory_swept")),
    Wanted("no_capitals_rising", "no", "capitals+rising", 6, (), ("capital_taken", "cards_taken_over")),
    Wanted("no_capitals_two", "no", "capitals", 2, (), ("capital_taken", *NEUTRAL)),
    Wanted("no_two", "no", "two", 2, (), NEUTRAL, absence=True),
    Wanted("no_two_rising", "no", "two+rising", 2, ("deployment=in_turn", "deployment_batch=10"), NEUTRAL),
    Wanted("da_mission", "da", "mission", 4, (), ("start_rolled", "mission_completed", "windfall")),
    Wanted("da_classic", "da", "classic", 3, (), CLAIMED),
    Wanted("da_two", "da", "two", 2, ("deployment_batch=4",), NEUTRAL),
    Wanted("da_hq", "da", "hq", 3, (), ("capital_revealed", "capital_taken")),
    Wanted("da_hq_short", "da", "hq_short", 5, (), ("capital_revealed", "capital_taken")),
    Wanted("sv_standard", "sv", "standard", 2, (), CLAIMED),
    Wanted("sv_dealt", "sv", "dealt", 3, ("missed=wait",), ("start_rolled", "turn_missed"), absence=True),
    Wanted("sv_connected", "sv", "connected", 4, ("deployment=in_turn",), CLAIMED),
    Wanted("sv_dealt_connected", "sv", "dealt_connected", 6, (), ("start_rolled",)),
    Wanted("de_mission", "de", "mission", 5, (), ("penalty_paid", "mission_completed")),
    Wanted("de_world", "de", "world", 4, ("fortify=connected", "used_cards=under_deck"), ("windfall",), WILD),
    Wanted("table_no_two", "no", "two", 2, (), (*LOT, *NEUTRAL), table=True),
    Wanted("table_sv_standard", "sv", "standard", 4, ("missed=default",),
           (*LOT, *CLAIMED, "ranking_given", "turn_missed", "roll_passed_over", "player_eliminated"), absence=True,
           table=True),
    Wanted("table_da_hq", "da", "hq", 3, ("deployment_batch=7",), (*LOT, "capital_chosen", "capital_revealed"),
           table=True),
    Wanted("host_plays_no_world", "no", "world", 3, ("missed=default",),
           (*LOT, "player_eliminated", "turn_missed", "roll_passed_over"), absence=True, plays="ola"),
    Wanted("host_plays_sv_standard", "sv", "standard", 2, (), (*LOT, *CLAIMED, "ranking_given"), plays="kari"),
    Wanted("trusted_host_de_mission", "de", "mission", 4, ("trusted_host=true",), ("mission_completed",), plays="per"),
    Wanted("witness_no_world", "no", "world", 3, ("witness=true", "missed=default"),
           ("player_eliminated", "turn_missed", "roll_passed_over"), absence=True),
    Wanted("witness_sv_dealt", "sv", "dealt", 3, ("witness=true", "start=careful"), ("start_rolled",)),
    Wanted("seats_no_capitals", "no", "capitals", 4, (), SEATS, seats=True),
    Wanted("seats_table_no_world", "no", "world", 4, (), SEATS, seats=True, table=True),
    Wanted("handed_no_mission", "no", "mission", 4, (), ("game_handed_over", "mission_completed", "set_traded"),
           hosts="handed"),
    Wanted("gone_no_mission", "no", "mission+rising", 4, (),
           ("host_gone", "hand_opened", "mission_opened", "mission_completed", "set_traded"), hosts="gone"),
)  # fmt: skip


class Folder:
    """A folder in which a game is played."""

    def __init__(self, path: Path, wanted: Wanted, seed: int) -> None:
        self.path = path
        self.wanted = wanted
        self.seed = seed
        self.players = dict(list(TITLES.items())[: wanted.players])
        self.turns = 0
        self.has_passed_over = False
        self.kinds: set[str] = set()
        self.keys = {p: f"{HOST if p == wanted.plays else p}.key" for p in self.players}
        self.coming: dict[str, str] = {}

    def run(self, *words: str) -> None:
        """Run one command as it would be typed, in this folder."""
        silent = contextlib.redirect_stdout(io.StringIO())
        with contextlib.chdir(self.path), contextlib.redirect_stderr(io.StringIO()), silent:
            application(words[0])(args=list(words), prog_name="referee", standalone_mode=False)

    def write(self, name: str, tree: dict[str, object]) -> str:
        """Write a file that a player has typed."""
        (self.path / name).write_text(tomli_w.dumps(tree), "utf-8")
        return name

    def game(self, turn: int) -> GameFile:
        """Read the game file that waits for a turn."""
        return open_game((self.path / file_name(self.wanted.name, turn)).read_bytes(), board_by_name)

    def open(self) -> None:
        """Make keys, invite, join, start."""
        name, wanted = self.wanted.name, self.wanted
        for who in (*self.players, *(() if wanted.table else (HOST,))):
            self.keygen(who)
        rules = [word for rule in wanted.rules for word in ("--rule", rule)]
        title = ["--title", wanted.title] if wanted.title else []
        opener = ("--table", "--as", next(iter(self.players))) if wanted.table else ("--host", HOST)
        opener += ("--plays", wanted.plays) if wanted.plays else ()
        self.run("new", name, *opener, "--edition", wanted.edition, "--variant", wanted.variant, "--players",
                 str(wanted.players), *rules, *title)  # fmt: skip
        invitation = f"{name}-invitation.toml"
        for (who, title_), colour in zip(self.players.items(), COLOURS, strict=False):
            self.run("join", invitation, "--as", who, "--colour", colour, "--title", title_, "--lang", "nb",
                     "--key", self.keys[who])  # fmt: skip
        joins = [f"join-{who}.toml" for who in self.players]
        self.run("start", invitation, *joins)
        if wanted.careful:
            for who in self.players:
                self.run("reveal", f"{name}-roster.toml", "--key", self.keys[who])
            self.run(
                "start", invitation, *joins, f"{name}-roster.toml", *(f"reveal-{p}-0000.toml" for p in self.players)
            )

    def keygen(self, who: str) -> str:
        """Make a key that says that it is public."""
        self.run("keygen", who)
        key = self.path / f"{who}.key"
        key.write_text(PUBLIC + key.read_text())
        return key.name

    def head(self, game: GameFile, player: str) -> dict[str, object]:
        return {
            "format": "referee/orders/1",
            "game": self.wanted.name,
            "turn": game.game.turn,
            "state": game.digest,
            "player": player,
            "sequence": 1,
        }

    def orders(self, game: GameFile, player: str) -> str:
        """Write, check and sign the orders of one who is awaited; return the file that is sent."""
        state, turn = game.game.state, game.game.turn
        key = self.keys[player]
        if state.phase == "capital" and state.capitals:
            opened = own_opening(game, PlayerId(player), load_key((self.path / key).read_bytes()))
            assert opened is not None
            body = opened._asdict()
        elif state.phase in SET_UP:
            body = set_up(state, player, self.seed)
        else:
            hand = open_hand(game, load_key((self.path / key).read_bytes()))
            body = plan(state, player, tuple(hand.cards.values()), hand.mission, self.seed, self.wanted.style)
            if "penalty_paid" in self.wanted.kinds and self.turns % 7 == 3:
                body.setdefault("attack", []).append({"to": "siam"})
        name = self.write(f"orders-{player}-{turn:04}.toml", {**self.head(game, player), **body})
        self.run("check", file_name(self.wanted.name, turn), name, "--key", key)
        self.run("sign", name, "--key", key)
        return name.replace(".toml", "-sealed.toml") if set(secret_keys(state)) & body.keys() else name

    def standing(self, game: GameFile, player: str) -> str:
        """Write standing orders that say what to do in a missed turn."""
        own = game.game.state.territories_of(player)
        tree = {
            "format": "referee/standing/1",
            "game": self.wanted.name,
            "nonce": game.game.nonce,
            "player": player,
            "sequence": 1,
            "note": "If I am away: hold what there is.",
            "defend": {"dice": 2, own[0]: 1},
            "missed": {"trade": "best", "place": list(own[:3])},
        }
        name = self.write(f"standing-{player}-{game.game.turn:04}.toml", tree)
        self.run("sign", name, "--key", self.keys[player])
        return name

    def turn(self, turn: int) -> bool:
        """Play one turn, or one round of the set-up; say whether the game goes on."""
        game = self.game(turn)
        state = game.game.state
        if state.phase == "over":
            return False
        words = [file_name(self.wanted.name, turn)]
        if who_must_miss(state):
            self.turns += 1
            return self.resolved(turn, [*words, *self.beside_host(game, words, [])])
        is_turn = state.phase == "turn"
        self.turns += is_turn
        if self.wanted.hosts == "gone" and is_turn and self.turns == 9:
            return self.resolved(turn, [*words, *self.gone(game)])
        if self.wanted.absence and is_turn and self.turns == 4:
            words.append(self.standing(game, state.after(state.after(state.acting[0]))))
        if self.wanted.absence and is_turn and self.turns == 9:
            words += self.missed(game)
        else:
            words += [self.orders(game, player) for player in state.acting]
        if self.wanted.table and self.wanted.absence and is_turn and self.turns == 6:
            words += self.passed_over(game, words[-1])
        if self.wanted.hosts == "handed" and is_turn and self.turns in (3, 6):
            words += self.handing(game, "berit" if self.turns == 3 else "carl")
        if not self.wanted.table:
            words += self.beside_host(game, words, words[words.index("--missed") :] if "--missed" in words else [])
        if self.wanted.seats and is_turn:
            words += self.seat_changes(game)
        return self.resolved(turn, words)

    def beside_host(self, game: GameFile, words: Sequence[str], missed: Sequence[str]) -> list[str]:
        """Return the reveals that are needed beside the host's; later on, who should make one is passed over once."""
        state, turn = game.game.state, game.game.turn
        file, orders = words[0], [word for word in words if word.startswith("orders-")]
        absent = [*who_must_miss(state), *map(PlayerId, missed[1:])]
        over: list[PlayerId] = []
        needed = needs_reveals_of(game, absent)
        may = self.wanted.absence and needed and not absent and self.turns >= 6 and not self.has_passed_over
        if may and len(who_may_reveal(game.game)) > 1:
            over, self.has_passed_over = [*needed[:1]], True
            self.run("act", "passed_over", file, *orders, "--player", over[0])
        acts = [f"act-passed-over-{player}-{turn:04}.toml" for player in over]
        needed = needs_reveals_of(game, absent, (), over)
        for player in needed:
            self.run("reveal", file, *orders, *acts, *missed, "--key", self.keys[player])
        return [*acts, *(f"reveal-{player}-{turn:04}.toml" for player in needed)]

    def handing(self, game: GameFile, host: str) -> list[str]:
        """Return the acts by which the game goes to another host."""
        turn, file = game.game.turn, file_name(self.wanted.name, game.game.turn)
        self.keygen(host)
        offer, act = f"act-take-over-{host}-{turn:04}.toml", f"act-hand-over-{host}-{turn:04}.toml"
        self.run("act", "take_over", file, "--as", host)
        self.run("act", "hand_over", file, offer)
        self.run("check", file, act, "--key", f"{host}.key")
        return [act, offer]

    def gone(self, game: GameFile) -> list[str]:
        """Return the acts by which all who play say that the host is gone, and open their hands."""
        turn, players = game.game.turn, game.game.state.playing()
        file = file_name(self.wanted.name, turn)
        said = [f"act-host-gone-{turn:04}-by-{player}.toml" for player in players]
        for player in players:
            self.run("act", "host_gone", file, "--key", self.keys[player])
        for player in players:
            self.run("act", "open_hand", file, *said, "--key", self.keys[player])
        return [*said, *(f"act-open-hand-{turn:04}-by-{player}.toml" for player in players)]

    def seat_changes(self, game: GameFile) -> list[str]:
        """Return what is handed in where a key changes, or a seat changes hands, from the next game file on."""
        awaited = game.game.state.acting[0]
        after = game.game.state.after(awaited)
        match self.turns:
            case 2:
                return self.joined(game, "key", awaited, [awaited])
            case 3:
                return self.joined(game, "key", after, [after])  # at a table: who rolls in this very turn
            case 5:
                return self.joined(game, "key", after, self.deciders(game, after))
            case 8:
                return self.joined(game, "substitute", after, self.deciders(game, after))
        return []

    def deciders(self, game: GameFile, player: str) -> list[str]:
        return [one for one in game.game.state.playing() if one != player] if self.wanted.table else [HOST]

    def joined(self, game: GameFile, what: str, player: str, signers: Sequence[str]) -> list[str]:
        """Join with a new key, and let those who decide sign the act for it."""
        turn, invitation = game.game.turn, f"{self.wanted.name}-invitation.toml"
        key, join = self.keygen(f"{player}-{turn}"), f"join-{player}-{turn}.toml"
        self.run("join", invitation, "--as", player, "--key", key, "--title", "Somebody", "-o", join)
        acts = []
        for one in signers:
            act = f"act-{what}-{turn}-{one}.toml"
            own = self.keys.get(one, f"{one}.key")
            self.run("act", what, file_name(self.wanted.name, turn), join, invitation, "--key", own, "-o", act)
            acts.append(act)
        self.coming[player] = key
        return [*acts, join, invitation]

    def missed(self, game: GameFile) -> list[str]:
        """Return how it is said that no orders have come: by the host, or by all others with an act."""
        player = game.game.state.acting[0]
        return self.acts(game, "missed", player) if self.wanted.table else ["--missed", player]

    def passed_over(self, game: GameFile, orders: str) -> list[str]:
        """Return the acts by which the one who should roll for these orders is passed over."""
        return self.acts(game, "passed_over", game.game.state.after(game.game.state.acting[0]), orders)

    def acts(self, game: GameFile, what: str, player: str, *orders: str) -> list[str]:
        turn, state = game.game.turn, game.game.state
        others = [one for one in state.playing() if one != player]
        for one in others:
            self.run(
                "act", what, file_name(self.wanted.name, turn), *orders, "--player", player, "--key", self.keys[one]
            )
        return [f"act-{what.replace('_', '-')}-{player}-{turn:04}-by-{one}.toml" for one in others]

    def resolved(self, turn: int, words: Sequence[str]) -> bool:
        """Resolve a turn, and note what has happened."""
        self.run("resolve", *words)
        self.keys |= self.coming
        self.coming.clear()
        document = read((self.path / file_name(self.wanted.name, turn + 1)).read_bytes())
        for event in map(event_to_tree, events_of(document.tree, document)):
            self.kinds |= {event["kind"], *({"condition"} & event.keys())}
            self.kinds |= {str(event.get("cause"))} & {"windfall", "neutral"}
        return True

    def play(self) -> bool:
        """Play the game; say whether it came to its end with all that is wanted."""
        self.open()
        turn = 1
        while turn < MOST_TURNS and self.turn(turn):
            turn += 1
        missing = {*self.wanted.kinds, "game_won"} - self.kinds
        print(f"{self.wanted.name}, seed {self.seed}: {turn} files, without {sorted(missing)}")
        return not missing


def made(target: Path, wanted: Wanted, seeds: Iterable[int] = range(1, 60)) -> None:
    """Play a game until it is as it should be, and keep it."""
    for seed in seeds:
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(Path(name), wanted, seed)
            try:
                found = folder.play()
            except RefereeError as error:
                print(f"{wanted.name}, seed {seed}: {error}")
                raise
            if not found:
                continue
            if wanted is FJORD:
                shutil.copytree(folder.path, target / wanted.name, dirs_exist_ok=False)
            else:
                folder.run("record", ".")
                shutil.copy(folder.path / f"{wanted.name}-record.toml", target / f"{wanted.name}.toml")
            return


def main() -> None:
    target, names = Path(sys.argv[1]), sys.argv[2:]
    for wanted in (FJORD, *RECORDS):
        there = (target / wanted.name).is_dir() or (target / f"{wanted.name}.toml").is_file()
        if wanted.name in names or not (names or there):
            made(target, wanted)


if __name__ == "__main__":
    main()
