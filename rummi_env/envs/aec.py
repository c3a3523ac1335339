"""The PettingZoo environment of any game, and Rummikub's.

The modules of the games document them: `rummi_env.rummikub_v0`, `rummi_env.rummy_v0`.
"""

from __future__ import annotations

from os import PathLike
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rummi_env.core.options import GameRules
from rummi_env.envs.clock import Clock, turn_timer
from rummi_env.envs.game import game_named
from rummi_env.envs.history import History
from rummi_env.envs.keywords import (
    ILLEGAL_REWARDS,
    ObsType,
    OnIllegal,
    RewardType,
    check_keywords,
    read_action,
)
from rummi_env.envs.match import Match
from rummi_env.envs.pictures import (
    RENDER_FPS,
    RENDER_MODES,
    Picture,
    Pictures,
    RenderMode,
)
from rummi_env.envs.records.recorder import Recorder, recorder_of
from rummi_env.envs.score_sheet import ScoreSheet
from rummi_env.envs.spaces import flat_space, observation_space
from rummi_env.observation.fields import by_name
from rummi_env.observation.history import NO_ACTION

Observation: TypeAlias = dict[str, Any]


def wrapped_env(raw: GameEnv) -> AECEnv[str, Observation, Any]:
    """Returns an environment in PettingZoo's usual wrappers.

    But for `AssertOutOfBoundsWrapper`: the environment itself names what is no action.
    """
    wrapped: AECEnv[str, Observation, Any] = raw
    if raw.on_illegal == "terminate":
        wrapped = _TerminateIllegal(wrapped, illegal_reward=raw.illegal_reward)
    return wrappers.OrderEnforcingWrapper(wrapped)


class _TerminateIllegal(wrappers.TerminateIllegalWrapper[str, Observation, Any]):
    """PettingZoo's wrapper, of whose illegal actions records are told."""

    def step(self, action: Any) -> None:
        env = self.unwrapped
        assert isinstance(env, GameEnv)
        env.note_illegal(action)
        super().step(action)


class GameEnv(AECEnv[str, Observation, Any], EzPickle):
    """A game for agents that act in turn, several times in each turn.

    Attributes:
        game: name of the game.
        rules: the rules.
        num_players: how many play.
        render_mode: what `render` does, or None.
        on_illegal: what an illegal action leads to.
        illegal_reward: reward of an action that ends the match by being illegal.
        history: what each seat has seen; None unless that is observed.
        state_space: space of what `state` returns.
    """

    game: ClassVar[str]

    def __init__(
        self,
        *,
        num_players: int = 2,
        rules: GameRules | str | None = None,
        render_mode: RenderMode | None = None,
        reveal: bool = False,
        on_illegal: OnIllegal = "penalty",
        obs_type: ObsType = "flat",
        reward: RewardType = "score",
        reward_scale: float = 1.0,
        turn_clock: bool = False,
        clock: Clock | None = None,
        record: str | PathLike[str] | Recorder | None = None,
    ) -> None:
        """Makes the environment; `reset` starts a match.

        Args:
            num_players: how many play.
            rules: the rules, or the name of a preset; by default the game's first.
            render_mode: what `render` does: ``"ansi"`` returns text, ``"svg"`` an SVG
                document, ``"rgb_array"`` pixels, uint8[800, 1200, 3], ``"human"`` shows
                them in a window with every reset and step. All but the first need the
                extra ``render``.
            reveal: whether `render` shows the hidden racks as well.
            on_illegal: ``"penalty"``: what the rules say, as the game's page tells.
                ``"terminate"``: the match ends, and the agent has
                lost. ``"raise"``: `step` raises and changes nothing.
            obs_type: ``"flat"``: one array. ``"dict"``: its fields by name.
                ``"history"``: all that the agent has seen since the reset, or since a
                state was loaded; see `rummi_env.observation.history`.
            reward: ``"score"``: the scores of every round, at its end.
                ``"difference"``: what each is above the mean of the others'.
                ``"win"``: 1 to the winner of the match and -1 shared by the others, at
                its end; those who tie share the 1, and if all do, everybody gets 0.
            reward_scale: what all rewards are multiplied by.
            turn_clock: whether turns are timed: once ``turn_seconds`` of the rules have
                passed since the seat became the mover, its next action is not
                performed and its turn is timed out.
            clock: what tells the seconds; `time.monotonic` by default.
            record: file that the record of every match is appended to, or a recorder;
                see `rummi_env.records`. Copies of the environment record nothing.

        Raises:
            ValueError: a keyword has a value that it does not take.
        """
        EzPickle.__init__(
            self,
            num_players=num_players,
            rules=rules,
            render_mode=render_mode,
            reveal=reveal,
            on_illegal=on_illegal,
            obs_type=obs_type,
            reward=reward,
            reward_scale=reward_scale,
            turn_clock=turn_clock,
            clock=clock,
            record=record,
        )
        check_keywords(on_illegal, obs_type, reward, reward_scale, render_mode, reveal)
        chosen = game_named(self.game).rules_of(rules)
        timer = turn_timer(turn_clock, clock, chosen)
        self._match = Match(chosen, num_players, timer, self.game)
        self._match.recorder = recorder_of(record)
        self._pictures = Pictures(self._match, render_mode, reveal)
        self.rules = self._match.rules
        self.num_players = num_players
        self.render_mode = render_mode
        self.on_illegal = on_illegal
        self.illegal_reward = ILLEGAL_REWARDS[reward] * reward_scale
        self._obs_type = obs_type
        self._reward: RewardType = reward
        self._reward_scale = float(reward_scale)
        self._rng, _ = seeding.np_random()
        self._fields = dict(self._match.game.seeing.fields(self.rules, num_players))
        self._num_actions = self._match.engine.num_actions
        self.history = History(self._match) if obs_type == "history" else None
        self._paid = False

        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self.agents = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seen = (
            observation_space(self._fields, obs_type)
            if self.history is None
            else self.history.space
        )
        hidden = self._match.game.seeing.state_fields(self.rules, num_players)
        self.state_space = flat_space(hidden)
        self.action_spaces = {
            agent: spaces.Discrete(self._num_actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": seen,
                    "action_mask": spaces.Box(0, 1, (self._num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    # ------------------------------------------------------------------ the AEC API

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Starts a match.

        Args:
            seed: of all chance from here on; without one it goes on as it was.
            options: where to start, as the game's page tells: ``{"position": ...}``, a
                position, and for Rummikub ``{"deal": ...}``.

        Raises:
            ValueError: an option is unknown or impossible; nothing has changed.
        """
        start = self._match.game.read_start(options, self.rules, self.num_players)
        rng = self._rng if seed is None else seeding.np_random(seed)[0]
        self._match.start(int(rng.integers(2**63)), start)
        self._rng = rng
        self._enter()

    def step(self, action: int | None) -> None:
        """Performs an action of ``agent_selection``; None for one that is done.

        With ``turn_clock`` an action that comes too late times the turn out instead.

        Raises:
            ValueError: there is no such action, or the match is over.
            IllegalAction: it is illegal, and ``on_illegal="raise"``.
        """
        if not self.agents:
            raise ValueError("there is no match to step in: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = read_action(action, self._num_actions, f" of {agent}")
        match = self._match
        if match.is_out_of_time():
            match.time_out(chosen)
        elif match.mask_items[chosen]:
            match.act(chosen)
        elif self.on_illegal == "penalty":
            match.fail(chosen)
        elif self.on_illegal == "raise":
            raise match.refusal(chosen)
        else:
            match.stop(illegal=chosen)
            self._terminate(agent)
            return
        if self.history is not None:
            self.history.add(self._seats[agent], chosen)
        self._conclude(agent)

    def observe(self, agent: str) -> Observation:
        """Returns what an agent sees, and its mask: zeros unless it is to move.

        Raises:
            ValueError: there is no such agent.
        """
        seat = self._seats.get(agent)
        if seat is None:
            names = ", ".join(self.possible_agents)
            raise ValueError(f"there is no agent {agent!r}, only {names}")
        match = self._match
        flat: Any
        if self.history is not None:
            flat = self.history.of(seat)
        else:
            flat = match.observation(seat)
            if self._obs_type == "dict":
                flat = by_name(flat, self._fields)
        if seat == match.seat and not self.terminations.get(agent, True):
            return {"observation": flat, "action_mask": match.mask.copy()}
        return {
            "observation": flat,
            "action_mask": np.zeros(self._num_actions, np.int8),
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def state(self) -> npt.NDArray[np.float32]:
        """Returns all of the match, what is hidden included, as seat 0 counts seats.

        It is float32[S]: the observation of seat 0 and then the other racks and the
        pool; the game's ``state_fields`` names the slices.
        """
        return self._match.privileged(0)

    def render(self) -> Picture:
        """Returns or shows what the agent to move sees, as ``render_mode`` says.

        The round's last turn is marked. Text is followed by the score sheet once there
        is a round in it; it has colors where the output is a terminal.

        Raises:
            ImportError: the extra ``render`` is needed and not installed.
        """
        return self._pictures.draw(
            self._match.seat, self.possible_agents, self.score_sheet.section()
        )

    def close(self) -> None:
        """Closes the window, and writes the record of a match that was left."""
        self._pictures.close()
        self._match.stop()

    # ------------------------------------------------------------------ beyond it

    def save_state(self) -> bytes:
        """Returns the match as bytes, for `load_state`.

        The numbers for the chance of later matches and rewards that were not collected
        yet are no part of it; pickling and copying keep them.

        Raises:
            ValueError: there is no match.
        """
        return self._match.save()

    def load_state(self, state: bytes) -> None:
        """Goes on from what `save_state` or `determinize` returned.

        Raises:
            ValueError: the bytes are damaged, or of other rules, another number of
                players or another version; nothing has changed.
        """
        self._match.load(state)
        self._enter()

    def determinize(self, agent: str, seed: int | None = None) -> bytes:
        """Returns a guess at the match, for `load_state`.

        All that is hidden from the agent is drawn anew: the other racks, of the same
        size and with the tiles known to be on them, the pool, the deals to come and
        the chance of the rest of the match. A turn that another agent has begun can
        still be ended.

        Raises:
            ValueError: there is no such agent, the seed is none, or there is no match.
        """
        if agent not in self._seats:
            names = ", ".join(self.possible_agents)
            raise ValueError(f"there is no agent {agent!r}, only {names}")
        return self._match.determinize(self._seats[agent], seed)

    def time_out(self) -> None:
        """Ends the turn of ``agent_selection`` because its time is up.

        Raises:
            ValueError: the match is over.
        """
        if not self.agents or self.terminations[self.agent_selection]:
            raise ValueError("there is no turn to time out: call reset() first")
        agent = self.agent_selection
        self._match.time_out()
        if self.history is not None:
            self.history.add(self._seats[agent], NO_ACTION)
        self._conclude(agent)

    def note_illegal(self, action: Any) -> None:
        """Closes the record with an action that is to end the match, if it is illegal.

        For wrappers that let no illegal action through to `step`.

        Raises:
            ValueError: there is no such action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return
        chosen = read_action(action, self._num_actions, f" of {agent}")
        if not self._match.mask_items[chosen]:
            self._match.stop(illegal=chosen)

    @property
    def seconds_left(self) -> float | None:
        """Seconds left of the turn of the agent to move; None without a clock."""
        timer = self._match.timer
        return None if timer is None else timer.left

    def current_turn(self) -> Any:
        """Returns what the agent to move may ask about its turn."""
        return self._match.turn()

    def position(self) -> Any:
        """Returns the game as a position, with all that is hidden in it."""
        return self._match.position()

    def explain(self, action: int) -> str:
        """Says in a sentence why an action of the agent to move is legal or not.

        Raises:
            ValueError: there is no such action.
        """
        return self._match.explain(read_action(action, self._num_actions))

    @property
    def score_sheet(self) -> ScoreSheet:
        """The scores of the rounds that are over."""
        return ScoreSheet(tuple(self.possible_agents), tuple(self._match.rows))

    def __getstate__(self) -> dict[str, Any]:
        """Keeps the match, where `EzPickle` alone would start another."""
        return self.__dict__.copy()

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Goes on from where the match was."""
        self.__dict__.update(state)

    # ------------------------------------------------------------------ inside

    def _enter(self) -> None:
        """Begins the agents' accounts with the match as it stands."""
        names = self.possible_agents
        over = self._match.over
        if self.history is not None:
            self.history.begin()
        self.agents = names[:]
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, over)
        self.truncations = dict.fromkeys(names, False)
        self.infos = {agent: {} for agent in names}
        self.agent_selection = names[self._match.seat]
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._paid = False
        self._pictures.begin()
        if self.render_mode == "human":
            self.render()

    def _conclude(self, agent: str) -> None:
        """Settles the accounts after the match has moved on."""
        match = self._match
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        self.infos[agent] = {"event": match.event}
        if match.round_ended:
            scale = self._reward_scale
            for name, reward in zip(
                self.possible_agents, match.round_rewards(self._reward), strict=True
            ):
                self.rewards[name] = reward * scale
            self._accumulate_rewards()
            self._paid = True
            if match.over:
                self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[match.seat]
        self._pictures.follow()
        if self.render_mode == "human":
            self.render()

    def _terminate(self, agent: str) -> None:
        """Ends the match after an illegal action, as PettingZoo's wrapper does."""
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.rewards[agent] = self.illegal_reward
        self._accumulate_rewards()
        self._paid = True
        self.infos[agent] = {"event": "illegal"}
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)


def metadata_of(name: str) -> dict[str, Any]:
    """Returns what PettingZoo wants to know of an environment of this name."""
    return {
        "name": name,
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }


class raw_env(GameEnv):  # noqa: N801
    """Rummikub for 2 to 4 agents; see `rummi_env.rummikub_v0`."""

    game = "rummikub"
    metadata: ClassVar[dict[str, Any]] = metadata_of("rummikub_v0")  # type: ignore[misc]


def env(**keywords: Any) -> AECEnv[str, Observation, Any]:
    """Returns Rummikub in PettingZoo's usual wrappers.

    Args:
        keywords: see `GameEnv`.
    """
    return wrapped_env(raw_env(**keywords))
