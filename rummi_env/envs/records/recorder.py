"""Keeps the record of a match while it is played."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from rummi_env.envs.clock import Timer
from rummi_env.envs.records.files import append_record, check_path
from rummi_env.envs.records.game_record import (
    Ending,
    GameRecord,
    Judgement,
    Lost,
    RoundRecord,
)
from rummi_env.envs.records.replaying import replay

if TYPE_CHECKING:
    from rummi_env.envs.match import Match


@dataclass
class _Round:
    """A round as it is played."""

    deal: str | None
    actions: list[int | None] = field(default_factory=list)
    lost: dict[int, Lost] = field(default_factory=dict)
    chance: dict[int, int] = field(default_factory=dict)
    judgements: dict[int, Judgement] = field(default_factory=dict)
    scores: tuple[float, ...] | None = None


class Recorder:
    """Writes what is played in a match, as its attribute ``recorder``.

    A record is written when the match is over; one that is left is written as
    unfinished when the next one starts or `stop` is called, if anything was done in it.

    Attributes:
        players: names of the seats; ``player_0`` and so on by default.
        about: whatever else to note in the records, in types that JSON knows.
    """

    def __init__(
        self,
        to: str | os.PathLike[str] | Callable[[GameRecord], Any],
        players: Sequence[str] = (),
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the file that records are appended to, or what is called with them.

        Raises:
            ValueError: the file cannot be written.
        """
        self._sink = to if callable(to) else _appending(to)
        self.players = tuple(players)
        self.about = dict(about or {})
        self._start: dict[str, Any] = {}
        self._rounds: list[_Round] = []
        self._judgement: Judgement | None = None
        self._before = 0
        self._expected = 0

    @property
    def record(self) -> GameRecord | None:
        """The record so far, as unfinished; None before a match has started."""
        return self._made("unfinished") if self._start else None

    def judge(self, judgement: Judgement) -> None:
        """Notes what the seat to move thinks of its next action."""
        self._judgement = judgement

    def stop(self, ending: Ending = "unfinished") -> None:
        """Writes the record of a match that is not played on."""
        record = self._made(ending) if self._start else None
        self._start = {}
        self._judgement = None
        if record is not None and record.num_steps:
            self._sink(record)

    # ------------------------------------------------------------------ for the match

    def begin(
        self,
        match: Match,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        state: bytes | None = None,
    ) -> None:
        """Notes that a match has started.

        Args:
            match: the match.
            seed: of all of its chance.
            options: where it started.
            state: saved state that it goes on from.
        """
        self.stop()
        self._start = {
            "rules": match.rules,
            "players": self.players or _seat_names(match.num_players),
            "seed": seed,
            "options": dict(options or {}),
            "state": state,
        }
        self._rounds = []
        self._expected = int(match.chance[0])
        if not match.over:
            self._rounds.append(_Round(None if state else match.game.dealt()))

    def prepare(self, match: Match) -> None:
        """Takes note of the game's random numbers before a step."""
        self._before = int(match.chance[0])

    def note(self, match: Match, action: int | None, lost: Lost | None = None) -> None:
        """Notes a step, and with it the end of a round or of the match."""
        if not self._start:
            return
        current = self._rounds[-1]
        step = len(current.actions)
        current.actions.append(action)
        if lost is not None:
            current.lost[step] = lost
        if lost != "illegal" and self._before != match.chance[0]:
            # Scripted players draw from the numbers that deal and shuffle, too. A step
            # that draws from them must find them as it did.
            if self._before != self._expected:
                current.chance[step] = self._before
            self._expected = int(match.chance[0])
        if self._judgement is not None:
            current.judgements[step] = self._judgement
            self._judgement = None
        if lost == "illegal":
            self.stop("illegal")
        elif match.round_ended:
            current.scores = match.rows[-1]
            if match.over:
                self.stop("finished")
            else:
                self._rounds.append(_Round(match.game.dealt()))

    def adopt(self, match: Match, record: GameRecord) -> None:
        """Goes on with the record of a match that is not finished."""
        self.players = record.players
        self.about = dict(record.about)
        self._judgement = None
        self._start = {
            "rules": record.rules,
            "players": record.players,
            "seed": record.seed,
            "options": dict(record.options),
            "state": record.state,
        }
        self._rounds = [
            _Round(
                part.deal,
                list(part.actions),
                dict(part.lost),
                dict(part.chance),
                dict(part.judgements),
                part.scores,
            )
            for part in record.rounds
        ]
        self._expected = int(match.chance[0])

    def _made(self, ending: Ending) -> GameRecord:
        return GameRecord(
            rounds=tuple(
                RoundRecord(
                    part.deal,
                    tuple(part.actions),
                    dict(part.lost),
                    dict(part.chance),
                    dict(part.judgements),
                    part.scores,
                )
                for part in self._rounds
            ),
            ending=ending,
            about=dict(self.about),
            **self._start,
        )


def recorder_of(
    record: str | os.PathLike[str] | Recorder | None,
) -> Recorder | None:
    """Returns the recorder that the keyword ``record`` of an environment asks for.

    Raises:
        ValueError: it asks for none.
    """
    if record is None or isinstance(record, Recorder):
        return record
    return Recorder(record)


def resume(
    record: GameRecord,
    to: str | os.PathLike[str] | Callable[[GameRecord], Any],
    timer: Timer | None = None,
) -> Match:
    """Returns the match of an unfinished record, to be played on and recorded.

    The record that is written in the end is of the whole match.

    Args:
        record: an unfinished record.
        to: the file that it is appended to, or what is called with it.
        timer: measures the turns from here on.

    Raises:
        ValueError: the record is finished or wrong, or the file cannot be written.
    """
    if record.ending != "unfinished":
        raise ValueError(
            f"a match is only resumed if its record is unfinished, not {record.ending}"
        )
    recorder = Recorder(to)
    [last] = deque(replay(record), maxlen=1)
    match = last.match
    recorder.adopt(match, record)
    match.recorder = recorder
    if timer is not None:
        match.timer = timer
        timer.start()
    return match


def _appending(path: str | os.PathLike[str]) -> Callable[[GameRecord], None]:
    return partial(append_record, check_path(path))


def _seat_names(num_players: int) -> tuple[str, ...]:
    return tuple(f"player_{seat}" for seat in range(num_players))
