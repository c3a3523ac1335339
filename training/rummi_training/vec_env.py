"""The environments of stable-baselines, on vector environments of Gymnasium."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import VectorEnv
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import (
    VecEnvIndices,
    VecEnvStepReturn,
)

from rummi_agents import Agent
from rummi_agents.network import AddedInputs
from rummi_env.envs.opponents import decisions
from rummi_training.turn_tables import TurnTables

Info = dict[str, Any]


class MaskedVecEnv(VecEnv):
    """Vector environments with masks, side by side, as one `VecEnv`.

    ``env_method("action_masks")`` is one array, bool[N, actions], for all of them. A
    match that is over is followed by another in the same step; its info then has
    ``terminal_observation``, ``episode`` (its return ``r``, its length ``l`` and the
    seconds ``t`` since the first reset, as `Monitor` writes them) and, where it was
    played to its end, ``scores`` and ``won`` as the vector environment gives them. The
    infos of all other environments are empty.

    Args:
        parts: vector environments of the same spaces, with flat observations, that
            start matches anew in the same step.
        states: whether observations are those that ``info["state"]`` has, with what is
            hidden, for critics.
        added: what is put behind every observation.
    """

    def __init__(
        self,
        parts: Sequence[VectorEnv[Any, Any, Any]],
        *,
        states: bool = False,
        added: AddedInputs | None = None,
    ) -> None:
        self._states = states
        self._added = added
        first: Any = self._seat(parts)
        # Of all games of the part; one game is enough here.
        space = one_of(first.state_space) if states else first.single_observation_space
        if added is not None:
            size = int(np.prod(space.shape)) + added.size
            space = spaces.Box(-np.inf, np.inf, (size,), np.float32)
        super().__init__(self._ends[-1], space, first.single_action_space)
        self._actions: npt.NDArray[Any] = np.zeros(self.num_envs, np.int64)
        self._masks: npt.NDArray[np.bool_] = np.zeros((self.num_envs, 0), np.bool_)
        self._returns = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._began = time.monotonic()

    def reseat(self, parts: Sequence[VectorEnv[Any, Any, Any]]) -> None:
        """Puts other vector environments of as many matches in place; to be reset.

        Args:
            parts: see the class.
        """
        self.close()
        self._seat(parts)

    def _seat(
        self, parts: Sequence[VectorEnv[Any, Any, Any]]
    ) -> VectorEnv[Any, Any, Any]:
        self.parts = tuple(parts)
        self._ends = np.cumsum([part.num_envs for part in parts]).tolist()
        self._slices = [
            slice(end - part.num_envs, end)
            for part, end in zip(parts, self._ends, strict=True)
        ]
        return parts[0]

    # ------------------------------------------------------------------ playing

    def reset(self) -> npt.NDArray[np.float32]:
        """Starts every match anew; returns the observations, [N, S].

        Raises:
            ValueError: there are options, which no match takes here.
        """
        if any(self._options):
            raise ValueError(
                f"options must be empty for batches of matches, not {self._options!r}"
            )
        seen = []
        for part, place in zip(self.parts, self._slices, strict=True):
            seeds = self._seeds[place]
            seen.append(part.reset(seed=None if None in seeds else seeds))  # type: ignore[arg-type]
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0.0
        self._lengths[:] = 0
        self._began = time.monotonic()
        self._keep([info for _, info in seen], range(self.num_envs))
        return self._given(seen)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes note of the actions, int[N]."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Performs the actions.

        Returns:
            Observations ([N, S]), rewards (float32[N]), which matches are over
            (bool[N]), an info for each environment.
        """
        stepped = [
            part.step(self._actions[place])
            for part, place in zip(self.parts, self._slices, strict=True)
        ]
        observations, rewards, ends, cuts, part_infos = zip(*stepped, strict=True)
        earned = np.concatenate(rewards)
        cut = np.concatenate(cuts)
        over = np.concatenate(ends) | cut
        self._returns += earned
        self._lengths += 1
        infos: list[Info] = [{} for _ in range(self.num_envs)]
        done = np.flatnonzero(over).tolist()
        if done:
            for place, info in zip(self._slices, part_infos, strict=True):
                for row in np.flatnonzero(over[place]).tolist():
                    game = place.start + row
                    infos[game] = self._final_info(game, row, info, bool(cut[game]))
            self._returns[over] = 0.0
            self._lengths[over] = 0
        self._keep(part_infos, done)
        return (
            self._given(zip(observations, part_infos, strict=True)),
            earned.astype(np.float32),
            over,
            infos,
        )

    def close(self) -> None:
        """Closes the vector environments."""
        for part in self.parts:
            part.close()

    def labels(self, teacher: str | Agent) -> npt.NDArray[np.int64]:
        """Returns what a player would do in every match now, int64[N].

        Args:
            teacher: the name of a scripted baseline, or an agent.
        """
        return np.concatenate([_labels(part, teacher) for part in self.parts])

    # ------------------------------------------------------------------ asking

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Returns an attribute of the vector environment that each one is in.

        Raises:
            AttributeError: it has none of this name.
        """
        values = [
            getattr(part, attr_name)
            for part in self.parts
            for _ in range(part.num_envs)
        ]
        return [values[index] for index in self._get_indices(indices)]

    def set_attr(
        self, attr_name: str, value: Any, indices: VecEnvIndices = None
    ) -> None:
        """Refuses: matches of a batch have nothing of their own to be set."""
        raise AttributeError(f"{attr_name} cannot be set for matches of a batch")

    def env_method(  # type: ignore[override]
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> npt.NDArray[np.bool_]:
        """Returns the masks, bool[N, actions].

        Raises:
            AttributeError: the method is not ``action_masks``.
        """
        if method_name != "action_masks":
            raise AttributeError(
                f"matches of a batch have no method {method_name!r}, only "
                "'action_masks'"
            )
        return self._masks if indices is None else self._masks[self._rows(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Tells of `Monitor` only that it is there: its figures are in the infos."""
        return [issubclass(wrapper_class, Monitor)] * len(self._rows(indices))

    # ------------------------------------------------------------------ inside

    def _rows(self, indices: VecEnvIndices) -> list[int]:
        return list(self._get_indices(indices))

    def _given(self, seen: Iterable[tuple[Any, Info]]) -> npt.NDArray[np.float32]:
        """Returns what is given of the parts' observations and infos.

        The masks are kept already: they are of these observations.
        """
        given: npt.NDArray[np.float32] = np.concatenate(
            [info["state"] if self._states else one for one, info in seen]
        )
        if self._added is None:
            return given
        return np.concatenate([given, self._added(given, self._masks)], axis=1)

    def _final(self, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Puts behind the last observation of a match what is added to it."""
        if self._added is None:
            return observation
        none = np.zeros((1, self._masks.shape[1]), np.bool_)
        return np.concatenate([observation, self._added(observation[None], none)[0]])

    def _keep(self, part_infos: Iterable[Info], started: Iterable[int]) -> None:
        """Keeps the masks, and the infos of matches that have begun."""
        masks = [info["action_mask"] for info in part_infos]
        self._masks = np.concatenate(masks).astype(np.bool_)
        for game in started:
            self.reset_infos[game] = {"action_mask": self._masks[game]}

    def _final_info(self, game: int, row: int, info: Info, cut: bool) -> Info:
        """Returns the info of a match that is over.

        Args:
            game: number of the environment.
            row: its place in its part.
            info: of the part.
            cut: whether it was cut short.
        """
        final: Info = {
            "terminal_observation": self._final(info["final_obs"][row]),
            "TimeLimit.truncated": cut,
            "episode": {
                "r": round(float(self._returns[game]), 6),
                "l": int(self._lengths[game]),
                "t": round(time.monotonic() - self._began, 6),
            },
        }
        results = info["final_info"]
        for name in ("scores", "won"):
            if name in results and results[f"_{name}"][row]:
                final[name] = results[name][row]
        return final


def one_of(batched: Any) -> spaces.Box:
    """Returns the space of one row of a batch of flat arrays."""
    return spaces.Box(batched.low[0], batched.high[0], dtype=np.float32)


def _labels(part: Any, teacher: str | Agent) -> npt.NDArray[np.int64]:
    """Returns what a player would do in the matches of a vector environment."""
    if isinstance(part, TurnTables):
        return part.labels(teacher)
    batch = part.batch
    if isinstance(teacher, str):
        acts = [
            batch.engine.scripted_action(batch.games, row, teacher)
            for row in range(batch.num_games)
        ]
        return np.array(acts, np.int64)
    return decisions(
        teacher,
        np.arange(batch.num_games),
        batch.out.observations,
        batch.out.masks,
        partial(batch.game.turn_of, batch.engine, batch.games),
        np.random.default_rng(0),
    )
