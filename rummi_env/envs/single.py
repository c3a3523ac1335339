"""The Gymnasium environments: one seat learns, opponents hold the others."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

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
from rummi_env.envs.opponents import (
    Opponent,
    decision,
    name_of,
    read_opponents,
    reset_player,
)
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
from rummi_env.envs.start import Start
from rummi_env.observation.fields import by_name

MAX_DEALS = 100
"""Deals tried until the learner has a decision; with full racks the first one does."""


class SeatEnv(gymnasium.Env[Any, Any]):
    """A game as one seat sees it: opponents act inside `step`.

    Observations are those of the game's page, flat by default; the mask is
    ``info["action_mask"]`` (int8) and `action_masks` (bool). The reward is the sum of
    what the learner got until its next decision. An episode is a match.

    ``info`` also has ``seat``, the learner's; ``event``, what its own last action was,
    as on the game's page and empty at a reset; with ``privileged=True``
    ``state``, the observation followed by what is hidden; and at the end of a match
    ``scores`` (float64, every player's total, the learner first) and ``won``, the
    learner's share in having won.

    Attributes:
        game: name of the game.
        rules: the rules.
        num_players: how many play.
        num_actions: how many actions there are.
        history: what each seat has seen; None unless that is observed.
        state_space: space of ``info["state"]``.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
    }
    game: ClassVar[str]

    def __init__(
        self,
        *,
        num_players: int | None = None,
        rules: GameRules | str | None = None,
        opponents: Sequence[Opponent] | None = None,
        seat: int | None = None,
        obs_type: ObsType = "flat",
        reward: RewardType = "score",
        reward_scale: float = 1.0,
        on_illegal: OnIllegal = "penalty",
        privileged: bool = False,
        render_mode: RenderMode | None = None,
        reveal: bool = False,
        turn_clock: bool = False,
        clock: Clock | None = None,
        record: str | PathLike[str] | Recorder | None = None,
    ) -> None:
        """Makes the environment; `reset` starts a match.

        Args:
            num_players: one more than there are opponents, which is the default.
            rules: the rules, or the name of a preset; by default the game's first.
            opponents: one for each other seat, in the order of play after the learner:
                the name of a scripted baseline or of an installed agent, an `Agent`, or
                a function like `Agent.act`. Random ones by default.
            seat: the learner's; by default drawn anew for every match.
            obs_type: ``"flat"``: one array. ``"dict"``: its fields by name.
                ``"history"``: all that the learner has seen since the reset; see
                `rummi_env.observation.history`.
            reward: ``"score"``: the scores of every round. ``"difference"``: what
                they are above the mean of the others'. ``"win"``: 1 for a match won, -1
                shared by those who lost it.
            reward_scale: what all rewards are multiplied by.
            on_illegal: ``"penalty"``: what the rules say, as the game's page tells.
                ``"terminate"``: the episode ends, and the learner has lost.
                ``"raise"``: `step` raises and changes nothing.
            privileged: whether ``info`` has the hidden state, for training.
            render_mode: what `render` does: ``"ansi"`` returns text, ``"svg"`` an SVG
                document, ``"rgb_array"`` pixels, uint8[800, 1200, 3], ``"human"`` shows
                them in a window with every reset and step. All but the first need the
                extra ``render``.
            reveal: whether `render` shows the hidden racks as well.
            turn_clock: whether turns are timed, by ``turn_seconds`` of the rules, those
                of the opponents too. The learner's begins when it is given its
                observation; an action that comes too late times it out instead.
            clock: what tells the seconds; `time.monotonic` by default.
            record: file that the record of every match is appended to, or a recorder;
                see `rummi_env.records`.

        Raises:
            ValueError: a keyword has a value that it does not take.
        """
        check_keywords(on_illegal, obs_type, reward, reward_scale, render_mode, reveal)
        game = game_named(self.game)
        self._opponents = read_opponents(opponents, num_players, self.game)
        chosen = game.rules_of(rules)
        timer = turn_timer(turn_clock, clock, chosen)
        self._match = Match(chosen, len(self._opponents) + 1, timer, self.game)
        self._match.recorder = recorder_of(record)
        self._pictures = Pictures(self._match, render_mode, reveal)
        self.rules = self._match.rules
        self.num_players = self._match.num_players
        self.num_actions = self._match.engine.num_actions
        if seat is not None and (
            type(seat) is not int or not 0 <= seat < self.num_players
        ):
            raise ValueError(
                f"seat must be None or an integer from 0 to {self.num_players - 1}, "
                f"not {seat!r}"
            )
        self.render_mode = render_mode
        self._fixed_seat = seat
        self._seat = seat or 0
        self._obs_type = obs_type
        self._reward: RewardType = reward
        self._reward_scale = float(reward_scale)
        self._on_illegal = on_illegal
        self._privileged = privileged
        self._fields = dict(game.seeing.fields(self.rules, self.num_players))
        self._pending = 0.0
        self._event = ""
        self._stopped = True
        self.action_space = spaces.Discrete(self.num_actions)
        self.history = History(self._match) if obs_type == "history" else None
        self.observation_space = (
            observation_space(self._fields, obs_type)
            if self.history is None
            else self.history.space
        )
        hidden = game.seeing.state_fields(self.rules, self.num_players)
        self.state_space = flat_space(hidden)

    # ------------------------------------------------------------- the Gymnasium API

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts a match and plays up to the learner's first decision.

        Args:
            seed: of all chance from here on; without one it goes on as it was.
            options: where to start, as the game's page tells.

        Returns:
            The observation and the info.

        Raises:
            ValueError: an option is unknown or impossible, or the match that it asks
                for is over before the learner's first decision.
        """
        start = self._match.game.read_start(options, self.rules, self.num_players)
        super().reset(seed=seed)
        for _ in range(MAX_DEALS):
            self._begin(start)
            if not self._match.over:
                self._show()
                return self._seen(), self._info()
        raise ValueError(
            "the match is over before the learner's first decision; let it start from "
            "another deal, position or seat"
        )

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Performs an action of the learner and plays up to its next decision.

        Returns:
            The observation, the reward, whether the match is over, False, the info.

        Raises:
            ValueError: there is no such action, or the match is over.
            IllegalAction: it is illegal, and ``on_illegal="raise"``; or an opponent's.
        """
        if self._stopped:
            raise ValueError("there is no match to step in: call reset() first")
        chosen = read_action(action, self.num_actions)
        match = self._match
        if match.is_out_of_time():
            match.time_out(chosen)
        elif match.mask_items[chosen]:
            match.act(chosen)
        elif self._on_illegal == "penalty":
            match.fail(chosen)
        elif self._on_illegal == "raise":
            raise match.refusal(chosen)
        else:
            match.stop(illegal=chosen)
            self._stopped = True
            self._event = "illegal"
            reward = ILLEGAL_REWARDS[self._reward] * self._reward_scale
            return self._seen(), self._collected(reward), True, False, self._info()
        self._event = match.event
        self._note(self._seat, chosen)
        self._play_opponents()
        self._stopped = match.over
        self._show()
        return self._seen(), self._collected(), self._stopped, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns which actions of the learner are legal, bool[actions]."""
        return self._mask().astype(np.bool_)

    def render(self) -> Picture:
        """Returns or shows what the learner sees, as ``render_mode`` says.

        The round's last turn is marked. Text is followed by the score sheet once there
        is a round in it; it has colors where the output is a terminal.

        Raises:
            ImportError: the extra ``render`` is needed and not installed.
        """
        return self._pictures.draw(self._seat, more=self.score_sheet.section())

    def close(self) -> None:
        """Closes the window, and writes the record of a match that was left."""
        self._pictures.close()
        self._match.stop()

    # ------------------------------------------------------------------ beyond it

    @property
    def seconds_left(self) -> float | None:
        """Seconds left of the learner's turn; None without a clock."""
        timer = self._match.timer
        return None if timer is None else timer.left

    def current_turn(self) -> Any:
        """Returns what the learner may ask about its turn."""
        return self._match.turn()

    def explain(self, action: int) -> str:
        """Says in a sentence why an action of the learner is legal or not.

        Raises:
            ValueError: there is no such action.
        """
        return self._match.explain(read_action(action, self.num_actions))

    @property
    def score_sheet(self) -> ScoreSheet:
        """The scores of the rounds that are over, by seat."""
        names = tuple(f"player_{seat}" for seat in range(self.num_players))
        return ScoreSheet(names, tuple(self._match.rows))

    # ------------------------------------------------------------------ inside

    def _begin(self, start: Start) -> None:
        """Starts one match and plays up to the learner's decision or its end."""
        # Drawn first: so the same seed deals the same here and in the AEC environment.
        seed = int(self.np_random.integers(2**63))
        if self._fixed_seat is None:
            self._seat = int(self.np_random.integers(self.num_players))
        if self._match.recorder:
            self._match.recorder.players = self._names()
        self._match.start(seed, start)
        self._pictures.begin()
        for player in self._opponents:
            reset_player(player)
        self._pending = 0.0
        self._event = ""
        if self.history is not None:
            self.history.begin()
        self._play_opponents()
        self._stopped = self._match.over

    def _names(self) -> tuple[str, ...]:
        """Returns who sits where, for records."""
        names = ["learner", *map(name_of, self._opponents)]
        return tuple(
            names[(seat - self._seat) % self.num_players]
            for seat in range(self.num_players)
        )

    def _play_opponents(self) -> None:
        """Lets the opponents act until it is the learner's turn or the match ends."""
        match, engine, games = self._match, self._match.engine, self._match.games
        while match.seat != self._seat and not match.over:
            seat = match.seat
            player = self._opponents[(seat - self._seat) % self.num_players - 1]
            if isinstance(player, str):
                action = engine.scripted_action(games, 0, player)
                match.act(action)
            else:
                action = decision(
                    player,
                    match.observation(seat),
                    match.mask.copy(),
                    match.turn(),
                    self.np_random,
                )
                if not 0 <= action < self.num_actions:
                    raise ValueError(f"an opponent chose {action}, which is no action")
                if match.is_out_of_time():
                    match.time_out(action)
                elif match.mask_items[action]:
                    match.act(action)
                else:
                    raise match.refusal(action)
            self._note(seat, action)

    def _show(self) -> None:
        """Shows what the learner sees, if that is to be seen at once."""
        if self.render_mode == "human":
            self.render()

    def _note(self, seat: int, action: int) -> None:
        """Takes note of an action: what is seen, and what it brought the learner."""
        self._pictures.follow()
        if self.history is not None:
            self.history.add(seat, action)
        if self._match.round_ended:
            self._pending += self._match.round_rewards(self._reward)[self._seat]

    def _collected(self, more: float = 0.0) -> float:
        """Returns the reward since the last decision, which is then paid."""
        reward = self._pending * self._reward_scale + more
        self._pending = 0.0
        return reward

    def _seen(self) -> Any:
        if self.history is not None:
            return self.history.of(self._seat)
        flat = self._match.observation(self._seat)
        return by_name(flat, self._fields) if self._obs_type == "dict" else flat

    def _mask(self) -> npt.NDArray[np.int8]:
        if self._stopped:
            return np.zeros(self.num_actions, np.int8)
        return self._match.mask.copy()

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self._mask(),
            "seat": self._seat,
            "event": self._event,
        }
        if self._privileged:
            info["state"] = self._match.privileged(self._seat)
        if self._match.over:
            shares = self._match.shares()
            totals = self._match.games["totals"][0, : self.num_players]
            info["scores"] = np.roll(totals, -self._seat)
            info["won"] = float(shares[self._seat])
        return info


class RummikubEnv(SeatEnv):
    """Rummikub; see `rummi_env.rummikub_v0`."""

    game = "rummikub"


class RummyEnv(SeatEnv):
    """Basic Rummy; see `rummi_env.rummy_v0`."""

    game = "rummy"


class TablaEnv(SeatEnv):
    """Rummy pe tabla; see `rummi_env.tabla_v0`."""

    game = "tabla"
