"""What a whole checked game proves: counted file by file, while `verify` goes through them, never assumed.

It looks only at files that have been checked, and keeps numbers, not files. Only of a finished game from its first file
on is there a complete proof; what is still sealed then will be so for good. The words are elsewhere (`views.proof`).
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from referee.documents.base64 import decode
from referee.documents.canonical import digest_of, fingerprint
from referee.documents.gamefile import Game
from referee.documents.verify import Checked
from referee.game.absence import who_must_miss
from referee.game.events import (
    BattleFought,
    CapitalRevealed,
    CardDrawn,
    Event,
    KeyChanged,
    MissionOpened,
    MissionsDealt,
    RollPassedOver,
    SeatSubstituted,
    SetTraded,
    StartRolled,
    TerritoriesDealt,
    TurnMissed,
)
from referee.game.orders import PlayerId


class Proof:
    """Numbers of a game so far. Names in the counters are ids of players and hosts.

    `files` and `documents` say who signed so many; `links` who revealed so many; `alone` and `together` in how many
    turns somebody was the only one to reveal, or one of several. `chosen` are sets that the referee chose for somebody,
    `drawn` cards drawn by lot, `positions` those of all shuffles; `unfulfilled` are missions that were opened when the
    host was gone, and had not been fulfilled while they were hidden.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.files: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.links: Counter[str] = Counter()
        self.alone: Counter[str] = Counter()
        self.together: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        self.passed_over: Counter[str] = Counter()
        self.changed: Counter[str] = Counter()
        self.revealed_at_start: tuple[str, ...] = ()
        self.invitation = ""
        self.has_seats_by_lot = False
        self.rolls = self.dice = self.start_dice = self.dealt = self.drawn = 0
        self.missions = self.capitals = self.chosen = self.boxes = self.unsealed = self.turns = 0
        self.laid_open = self.unfulfilled = 0
        self.never: Counter[str] = Counter()
        self.is_whole = True
        self.last: Game | None = None

    def count(self, checked: Checked) -> None:
        """Count a checked game file after the one before it."""
        game, before = checked.file.game, self.last
        self.files[checked.by] += 1
        self.is_whole = self.is_whole and not checked.is_trusted
        if not checked.is_trusted:  # else nobody has looked into what it holds
            self.documents.update(document["signature"]["by"] for document in game.evidence.documents)
        revealers = [who for who, _ in game.evidence.reveals]
        self.links.update(revealers)
        if before is None:
            self.revealed_at_start = tuple(revealers)
            self._begin(game)
        elif before.host is not None and game.host is None:  # the link is spent, and nothing was rolled
            self.laid_open = checked.counts.get("openings", 0)
            self.capitals -= len(checked.sealed)  # those that nothing proves
        elif before.state.phase == "turn" and revealers:
            self.turns += 1
            (self.together if len(revealers) > 1 else self.alone).update(revealers)
        self.boxes += len(game.sealed)
        self.unsealed += len(game.evidence.unsealed)
        self.capitals += sum("capital" in one.content for one in game.evidence.unsealed)
        self.never.update(checked.sealed)
        self._events(game.events, game.state.openly, who_must_miss(before.state) if before else ())
        self.last = game

    def _begin(self, game: Game) -> None:
        """Take in the invitation, with which a first file begins."""
        documents = game.evidence.documents
        if self.is_whole and documents:
            self.invitation = fingerprint(digest_of(documents[0]))
            self.has_seats_by_lot = not documents[0].get("seats")

    def _events(self, events: Iterable[Event], openly: bool, in_any_case: Collection[PlayerId]) -> None:
        """Count what happened; of who missed the turn in any case nobody said that nothing came."""
        for event in events:
            match event:
                case BattleFought():
                    self.rolls += 1
                    self.dice += len(event.attack) + len(event.defence)
                case StartRolled():
                    self.start_dice += len(event.rolls)
                case TerritoriesDealt():
                    self.dealt += len(event.dealt)
                case MissionsDealt():
                    self.missions += len(event.dealt)
                case MissionOpened():  # if the turns before were checked by it
                    self.unfulfilled += f'mission of "{event.player}"' not in self.never
                case CardDrawn():
                    self.drawn += openly
                case CapitalRevealed(by="player"):
                    self.capitals += openly
                case SetTraded(by="referee"):
                    self.chosen += 1
                case TurnMissed():
                    self.missed[event.player] += event.player not in in_any_case
                case RollPassedOver():
                    self.passed_over[event.player] += 1
                case SeatSubstituted() | KeyChanged(by="host" | "table"):
                    self.changed[event.player] += 1
                case _:
                    pass

    @property
    def shuffles(self) -> int:
        """How many shuffles of the deck and of the missions there were."""
        return len(self.last.deck) + bool(self.last.mission_commitments) if self.last else 0

    @property
    def positions(self) -> int:
        """How many positions they had in all, each with a salt and a commitment."""
        return sum(map(len, self.last.deck)) + len(self.last.mission_commitments) if self.last else 0

    @property
    def seal_keys(self) -> int:
        """How many seal keys were revealed, those of former players and of former hosts included."""
        secret = self.last.secret if self.last else None
        if self.last is None or secret is None:
            return 0
        handed = sum(len(decode(value)) // 64 for keys in secret.handed_seal_keys for value in keys.values())
        former = sum(len(self.last.people[player].former) for player in secret.former_seal_keys)
        return len(secret.seal_keys) + former + handed

    def is_complete(self) -> bool:
        """Say whether the game is over and was checked from its first file on."""
        return self.last is not None and self.is_whole and self.last.state.phase == "over"

    def tree(self) -> dict[str, Any]:
        """Return all numbers as a tree."""
        return {
            "files": dict(self.files),
            "documents": dict(self.documents),
            "links": dict(self.links),
            "rolls": self.rolls,
            "dice": self.dice,
            "start_dice": self.start_dice,
            "territories_dealt": self.dealt,
            "cards_drawn_by_lot": self.drawn,
            "shuffles": self.shuffles,
            "positions": self.positions,
            "missions": self.missions,
            "capitals": self.capitals,
            "sets_chosen": self.chosen,
            "boxes": self.boxes,
            "seal_keys": self.seal_keys,
            "opened": self.unsealed,
            **({"laid_open": self.laid_open} if self.laid_open else {}),
            **({"unfulfilled": self.unfulfilled} if self.unfulfilled else {}),
            "rolled_alone": dict(self.alone),
            "rolled_together": dict(self.together),
            "missed": dict(self.missed),
            "passed_over": dict(self.passed_over),
            "seats_changed": dict(self.changed),
            "never_checked": dict(self.never),
            "invitation": self.invitation,
        }
