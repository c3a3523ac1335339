"""What every match on a page has: seats, their tokens, and a log."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Self

from rummi_env.core.tiles import Counts, tile_name, tiles_of
from rummi_env.envs.clock import Clock
from rummi_training.play.opponents import Decision
from rummi_training.play.played import PlayedMatch
from rummi_training.play.refusals import NOT_NOW, NOT_YOURS, Refusal
from rummi_training.play.settings import PERSON, GameSettings
from rummi_training.play.turn_log import TurnDone

KEPT_TURNS = 200
"""Turns that a page can look back on."""


class Seats(ABC):
    """A match with people who act on a page; one request at a time.

    Methods that people call take the seat that asks and the turn that it believes to be
    in; whatever cannot be done is a `Refusal` and changes nothing.

    Attributes:
        lock: to be held by whoever calls a method.
        played: the match.
        tokens: for each seat of a person what shows that a request comes from there.
        turns: counts up with whatever is done; it names the turn that is played.
        version: changes with whatever a page can see.
        log: what was done.
        racks: for each seat its rack in the person's order.
        recorded: whether the record of the match was handed on.
        trouble: why an agent does not play on; empty if it does.
    """

    def __init__(self, played: PlayedMatch) -> None:
        """Seats people and agents at a match that has just started."""
        self.lock = threading.RLock()
        self.played = played
        self.tokens = tuple(
            secrets.token_urlsafe(16) if spec == PERSON else None
            for spec in played.settings.players
        )
        self.turns = 0
        self.version = 0
        self.log: list[TurnDone] = []
        self.racks: dict[int, tuple[str, ...]] = {}
        self.recorded = False
        self.trouble = ""

    @classmethod
    def new(cls, settings: GameSettings, clock: Clock = time.monotonic) -> Self:
        """Starts a match.

        Raises:
            ValueError: an agent cannot be made, or nobody can move in the position.
        """
        return cls(PlayedMatch(settings, clock))

    def last_of(self, seat: int, observer: int) -> dict[str, Any] | None:
        """Returns what a seat did last in this round, as an observer is told it."""
        for done in reversed(self.log):
            if done.event == "round" and not self.played.match.over:
                return None
            if done.seat == seat:
                return done.told_to(observer)
        return None

    def rack(self, seat: int) -> Counts:
        """Returns a rack as it was when the turn began, int8[53]."""
        rack: Counts = self.played.match.games["racks"][0, seat].copy()
        return rack

    def rack_in_order(self, seat: int) -> list[str]:
        """Returns a rack in the person's order, what is new at the end."""
        left = Counter(map(tile_name, tiles_of(self.rack(seat))))
        ordered = []
        for name in self.racks.get(seat, ()):
            if left[name]:
                left[name] -= 1
                ordered.append(name)
        return [*ordered, *left.elements()]

    def seat_of(self, token: str | None) -> int:
        """Returns the seat that a token is of.

        Raises:
            Refusal: it is of none.
        """
        for seat, own in enumerate(self.tokens):
            # Compared as bytes: text must be ASCII for it.
            if own and token and hmac.compare_digest(own.encode(), token.encode()):
                return seat
        raise Refusal(
            NOT_YOURS, "this seat is not yours: its token is missing or wrong"
        )

    def check_mover(self, seat: int, turn: int) -> None:
        """Refuses what is not for this seat now.

        Raises:
            Refusal: it is not the seat's turn, or another one than it believes.
        """
        match = self.played.match
        if match.over:
            raise Refusal(NOT_NOW, "the match is over")
        if match.seat != seat:
            mover = self.played.settings.names[match.seat]
            raise Refusal(NOT_NOW, f"it is not your turn: {mover} is to move")
        if turn != self.turns:
            raise Refusal(NOT_NOW, "this turn is over: the game has gone on")

    def tick(self) -> bool:
        """Ends a person's turn whose time is up; tells whether it did."""
        return False

    @abstractmethod
    def act_for_agent(self, decision: Decision) -> None:
        """Performs what the agent to move does.

        Raises:
            ValueError: it has chosen no action at all.
        """

    def to_dict(self) -> dict[str, Any]:
        """Returns everything but the turn begun, in types that JSON knows."""
        return {
            "format": 1,
            "played": self.played.to_dict(),
            "tokens": list(self.tokens),
            "turns": self.turns,
            "version": self.version,
            "log": [asdict(done) for done in self.log],
            "recorded": self.recorded,
            "racks": {str(seat): list(rack) for seat, rack in self.racks.items()},
        }

    @abstractmethod
    def turn_to_dict(self) -> dict[str, Any]:
        """Returns the turn that was begun, in types that JSON knows."""

    @classmethod
    def from_dict(
        cls,
        fields: Mapping[str, Any],
        turn: Mapping[str, Any] | None,
        clock: Clock = time.monotonic,
    ) -> Self:
        """Goes on with what `to_dict` and `turn_to_dict` returned.

        Raises:
            ValueError: something is missing or damaged.
        """
        try:
            table = cls(PlayedMatch.from_dict(fields["played"], clock))
            table.tokens = tuple(fields["tokens"])
            table.turns = int(fields["turns"])
            table.version = int(fields["version"])
            table.log = [TurnDone.from_dict(done) for done in fields["log"]]
            table.recorded = bool(fields["recorded"])
            table.racks = {
                int(seat): tuple(rack) for seat, rack in fields["racks"].items()
            }
            table._take_up(fields, turn)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"it is no game that was put away: {error}") from error
        return table

    @abstractmethod
    def _take_up(
        self, fields: Mapping[str, Any], turn: Mapping[str, Any] | None
    ) -> None:
        """Goes on with what the game adds, and with a turn that was begun."""
