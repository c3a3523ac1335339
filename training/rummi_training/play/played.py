"""A match between people and agents that can be put away and taken up again."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Mapping
from typing import Any

from gymnasium.utils import seeding

from rummi_agents import Agent
from rummi_env.envs.clock import Clock, turn_timer
from rummi_env.envs.match import Match
from rummi_env.records import GameRecord, Recorder, parse_record
from rummi_training.play.opponents import (
    Decision,
    Question,
    check_agents,
    decide,
    question,
    seated,
)
from rummi_training.play.settings import GameSettings


class PlayedMatch:
    """A match of any game, and the agents at its table.

    Attributes:
        settings: how it was set up.
        match: the match.
        agents: who sits on each seat; None for a person.
        decisions: how often an agent has decided something.
        record: the record of the match once it is over.
    """

    def __init__(self, settings: GameSettings, clock: Clock = time.monotonic) -> None:
        """Starts the match; `from_dict` goes on with one.

        Args:
            settings: how it is set up.
            clock: tells the seconds, where turns are timed.

        Raises:
            ValueError: an agent cannot be made, or nobody can move in the position.
        """
        self.settings = settings
        self.decisions = 0
        players = len(settings.players)
        timer = turn_timer(
            settings.clock, clock if settings.clock else None, settings.rules
        )
        self.agents: list[Agent | None] = seated(settings.players, settings.game)
        self.match = Match(settings.rules, players, timer, settings.game)
        self.record: GameRecord | None = None
        self._recorder = Recorder(self._finish, settings.names)
        self.match.recorder = self._recorder
        start = self.match.game.read_start(settings.options, settings.rules, players)
        # As `reset` of the environments does, so that a seed is the same match there.
        rng, _ = seeding.np_random(settings.seed)
        self.match.start(int(rng.integers(2**63)), start)
        check_agents(self.agents, self.match)

    def _finish(self, record: GameRecord) -> None:
        self.record = record

    @property
    def agent(self) -> Agent | None:
        """The agent to move; None where a person is, or nobody any more."""
        return None if self.match.over else self.agents[self.match.seat]

    def question(self) -> Question:
        """Returns what the agent to move is asked."""
        return question(self.match)

    def decide(self, agent: Agent, asked: Question) -> Decision:
        """Returns what an agent does; it may think as long as it likes."""
        chance = (self.settings.seed, self.match.seat, self.decisions)
        return decide(agent, asked, chance)

    def act_for_agent(self, decision: Decision) -> None:
        """Performs what the agent to move does; what is illegal costs the turn.

        Raises:
            ValueError: the agent has chosen no action at all.
        """
        match, action = self.match, decision.action
        if not 0 <= action < len(match.mask):
            raise ValueError(f"{action} is no action")
        self.decisions += 1
        if decision.judgement is not None:
            self._recorder.judge(decision.judgement)
        if match.is_out_of_time():
            match.time_out(action)
        elif match.mask[action]:
            match.act(action)
        else:
            match.fail(action)

    def turn_goes_on(self) -> bool:
        """Tells whether the last action has left the turn to the same seat."""
        return self.match.event in self.match.game.within_turn

    def _go_on_recording(self, record: GameRecord) -> None:
        if record.ending == "finished":
            self.record = record
            return
        self._recorder.adopt(self.match, record)
        self.match.recorder = self._recorder

    def to_dict(self) -> dict[str, Any]:
        """Returns everything, in types that JSON knows."""
        timer = self.match.timer
        record = self.record or self._recorder.record
        return {
            "settings": self.settings.to_dict(),
            "decisions": self.decisions,
            "match": base64.b64encode(self.match.save()).decode(),
            "seconds_used": None if timer is None else timer.used,
            "record": None if record is None else record.to_json(),
        }

    @classmethod
    def from_dict(
        cls, fields: Mapping[str, Any], clock: Clock = time.monotonic
    ) -> PlayedMatch:
        """Goes on with what `to_dict` returned.

        Raises:
            ValueError: something is missing or damaged.
        """
        try:
            played = cls(GameSettings.from_dict(fields["settings"]), clock)
            played.decisions = int(fields["decisions"])
            # What is loaded is no new match, but the one that the record is of.
            played.match.recorder = None
            played.match.load(base64.b64decode(fields["match"], validate=True))
            played._go_on_recording(parse_record(fields["record"]))
            if played.match.timer is not None:
                played.match.timer.start(float(fields["seconds_used"]))
        except (KeyError, TypeError, binascii.Error) as error:
            raise ValueError(f"it is no match that was put away: {error}") from error
        return played
