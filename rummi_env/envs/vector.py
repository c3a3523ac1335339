"""The Gymnasium vector environments: many games at once, one learner in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from rummi_env.core.options import GameRules
from rummi_env.envs.batch import Autoreset, Batch
from rummi_env.envs.keywords import (
    ObsDtype,
    ObsType,
    OnIllegal,
    RewardType,
    check_keywords,
    check_seed,
)
from rummi_env.envs.opponents import Opponent, read_opponents
from rummi_env.envs.spaces import flat_space, observation_space
from rummi_env.observation.fields import by_name

AutoresetMode: Any = getattr(gymnasium.vector, "AutoresetMode", None)
"""Gymnasium's words for `Autoreset`; None in 1.0, which knows ``next_step`` only."""

GYMNASIUM_WORDS: dict[str, Autoreset] = {
    "NextStep": "next_step",
    "SameStep": "same_step",
    "Disabled": "disabled",
}
"""The values of Gymnasium's `AutoresetMode`, and ours."""

Info = dict[str, Any]


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """A game as one seat sees it, many times side by side.

    It takes the keywords of `single.SeatEnv` and gives the same observations, rewards
    and infos with a first axis of games; the games are a `Batch`.

    ``info`` has ``action_mask`` (int8[N, actions]), ``seat`` (int64[N], the learners')
    and with ``privileged=True`` ``state`` (float32[N, T]); where a match has ended also
    ``scores`` (float64[N, players], the learner's first) and ``won`` (float64[N], the
    learner's share in having won). As everywhere in Gymnasium ``_scores`` tells for
    which games there are some, and so on. With ``same_step`` what belongs to a match
    that is over is in ``final_obs`` and ``final_info``.

    Seeded by a number, or by one for each game, game i begins with the match of a
    single environment that is seeded by ``seed + i``, or by its own number, as
    ``gymnasium.vector.SyncVectorEnv`` does it; provided that ``seat`` is given and the
    opponents are scripted baselines.

    Attributes:
        game: name of the game.
        batch: the games.
        num_players: how many play each.
        num_actions: how many actions there are.
        state_space: space of ``info["state"]``.
    """

    game: ClassVar[str]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        num_players: int | None = None,
        rules: GameRules | str | None = None,
        opponents: Sequence[Opponent] | None = None,
        seat: int | None = None,
        obs_type: ObsType = "flat",
        obs_dtype: ObsDtype = "float32",
        reward: RewardType = "score",
        reward_scale: float = 1.0,
        on_illegal: OnIllegal = "penalty",
        privileged: bool = False,
        autoreset_mode: Any = "next_step",
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        """Makes the games; `reset` starts them.

        Args:
            num_envs: how many.
            num_players: one more than there are opponents, which is the default.
            rules: the rules, or the name of a preset; by default the game's first.
            opponents: see `Batch`; random ones by default.
            seat: the learner's; by default drawn anew for every match.
            obs_type: ``"flat"``: one array. ``"dict"``: its fields by name.
            obs_dtype: ``"float32"``: scaled fields. ``"int8"``: the bare numbers, those
                beyond 127 cut off.
            reward: see `rummi_env.envs.single.SeatEnv`.
            reward_scale: what all rewards are multiplied by.
            on_illegal: see `rummi_env.envs.single.SeatEnv`; with ``"raise"``
                nothing has changed in any game.
            privileged: whether ``info`` has the hidden state, for training.
            autoreset_mode: when a match that is over is followed by another: one of
                Gymnasium's `AutoresetMode`, its value or ``"next_step"``,
                ``"same_step"`` or ``"disabled"``.
            threads: how many threads play.
            copy: whether observations and masks are new arrays; else they are written
                over by the next call, which saves the time.

        Raises:
            ValueError: a keyword has a value that it does not take.
        """
        check_keywords(on_illegal, obs_type, reward, reward_scale, None)
        if obs_type == "history":
            raise ValueError(
                "obs_type must be 'flat' or 'dict' for compiled batches: histories are "
                "of single environments (make_vec(..., vectorization_mode='sync'))"
            )
        if type(num_envs) is not int or num_envs < 1:
            raise ValueError(
                f"num_envs must be a whole number from 1, not {num_envs!r}"
            )
        self._autoreset = _autoreset(autoreset_mode)
        if opponents is None:
            opponents = read_opponents(None, num_players, self.game)
        self.batch = Batch(
            num_envs,
            game=self.game,
            num_players=num_players,
            rules=rules,
            opponents=opponents,
            seat=seat,
            obs_dtype=obs_dtype,
            reward=reward,
            reward_scale=reward_scale,
            on_illegal=on_illegal,
            autoreset=self._autoreset,
            privileged=privileged,
            threads=threads,
            copy=copy,
        )
        self.num_envs = num_envs
        self.rules = self.batch.rules
        self.num_players = self.batch.num_players
        self.num_actions = self.batch.num_actions
        self.metadata = {
            "render_modes": [],
            "autoreset_mode": _declared(self._autoreset),
        }
        self._privileged = privileged
        seeing = self.batch.game.seeing
        self._fields = dict(seeing.fields(self.rules, self.num_players))
        self._by_name = obs_type == "dict"
        self._given = np.ones(num_envs, np.bool_)
        self.single_action_space = spaces.Discrete(self.num_actions)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = observation_space(
            self._fields, obs_type, obs_dtype
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.state_space = batch_space(
            flat_space(seeing.state_fields(self.rules, self.num_players)), num_envs
        )

    # ------------------------------------------------------------- the Gymnasium API

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, Info]:
        """Starts matches and plays up to the learners' first decisions.

        Args:
            seed: of all chance from here on, or one for each game; without one it goes
                on as it was.
            options: ``{"reset_mask": ...}``: bool[N]; which games, by default all.

        Returns:
            The observations and the info.

        Raises:
            ValueError: an option is unknown or impossible, or there is not one seed for
                each game.
        """
        rows = self._rows(options)
        seeds = self._seeded(seed)
        match_seeds = self.np_random.integers(2**63, size=self.num_envs)
        if seeds is not None:
            for row in rows.tolist():
                if (number := seeds[row]) is not None:
                    match_seeds[row] = match_seed(number)
        observations, masks = self.batch.reset(
            int(self.np_random.integers(2**63)),
            indices=rows,
            match_seeds=match_seeds[rows],
        )
        return self._seen(observations), self._info(masks)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Any,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        Info,
    ]:
        """Performs an action of every learner and plays up to their next decisions.

        Args:
            actions: int[N]; has no effect where ``next_step`` starts a match.

        Returns:
            The observations, the rewards (float64[N]), which matches are over
            (bool[N]), False for all, the info.

        Raises:
            ValueError: an action is no action, or is illegal with
                ``on_illegal="raise"``; or a match is over and ``disabled`` leaves it to
                the caller to reset it. Nothing has changed.
        """
        batch = self.batch
        if self._autoreset == "disabled" and batch.out.ended.any():
            game = int(np.flatnonzero(batch.out.ended)[0])
            raise ValueError(
                f"the match of game {game} is over: reset it by "
                "reset(options={'reset_mask': ...}) first"
            )
        observations, rewards, over, truncations, masks = batch.step(actions)
        info = self._info(masks)
        if over.any():
            self._add_results(info, over)
        return self._seen(observations), rewards, over, truncations, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns which actions of the learners are legal, bool[N, actions]."""
        return self.batch.out.masks.astype(np.bool_)

    def close_extras(self, **keywords: Any) -> None:
        """Ends the threads."""
        # Up to Gymnasium 1.2 objects that could not be made are closed as well.
        if hasattr(self, "batch"):
            self.batch.close()

    # ------------------------------------------------------------------ inside

    def _rows(self, options: dict[str, Any] | None) -> npt.NDArray[np.int64]:
        """Returns which games the options ask for."""
        unknown = sorted(set(options or {}) - {"reset_mask"})
        if unknown:
            raise ValueError(
                f"unknown option {unknown[0]!r}: the only one here is 'reset_mask'"
            )
        if options is None or "reset_mask" not in options:
            return np.arange(self.num_envs)
        mask = options["reset_mask"]
        right = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
        if not right or mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"reset_mask must be an array of {self.num_envs} truth values, one or "
                f"more of them True, not {mask!r}"
            )
        return np.flatnonzero(mask)

    def _seeded(
        self, seed: int | Sequence[int | None] | None
    ) -> Sequence[int | None] | None:
        """Seeds the chance that games share; returns a seed for each, if there are."""
        if seed is None:
            return None
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            return range(int(seed), int(seed) + self.num_envs)
        if len(seed) != self.num_envs:
            raise ValueError(
                f"seed must be a whole number or a list of {self.num_envs}, not of "
                f"{len(seed)}"
            )
        given = [number for number in seed if number is not None]
        for number in given:
            check_seed(number, "each seed")
        if len(given) == self.num_envs:
            self.np_random = np.random.default_rng(given)
        return seed

    def _seen(self, observations: npt.NDArray[Any]) -> Any:
        return by_name(observations, self._fields) if self._by_name else observations

    def _info(self, masks: npt.NDArray[np.int8]) -> Info:
        info = {"action_mask": masks, "seat": self.batch.out.learners.astype(np.int64)}
        if self._privileged:
            info["state"] = self.batch.states
        return info | {f"_{name}": self._given.copy() for name in info}

    def _add_results(self, info: Info, over: npt.NDArray[np.bool_]) -> None:
        """Adds what belongs to the matches that have ended."""
        batch = self.batch
        shares = batch.final_shares
        # An illegal action ends a match without results.
        complete = over & shares.any(axis=1)
        results: Info = {}
        if complete.any():
            scores = np.where(complete[:, None], batch.final_scores, 0.0)
            won = np.where(complete, shares[:, 0], 0.0)
            results = {
                "scores": scores,
                "_scores": complete,
                "won": won,
                "_won": complete.copy(),
            }
        if self._autoreset != "same_step":
            info |= results
            return
        final = np.full(self.num_envs, None, dtype=object)
        for game in np.flatnonzero(over).tolist():
            final[game] = self._seen(batch.out.final[game].copy())
        info |= {
            "final_obs": final,
            "_final_obs": over.copy(),
            "final_info": results
            | {
                "action_mask": np.zeros((self.num_envs, self.num_actions), np.int8),
                "_action_mask": over.copy(),
                "seat": batch.final_seats,
                "_seat": over.copy(),
            },
            "_final_info": over.copy(),
        }


class RummikubVectorEnv(SeatVectorEnv):
    """Rummikub; see `rummi_env.rummikub_v0`."""

    game = "rummikub"


class RummyVectorEnv(SeatVectorEnv):
    """Basic Rummy; see `rummi_env.rummy_v0`."""

    game = "rummy"


class TablaVectorEnv(SeatVectorEnv):
    """Rummy pe tabla; see `rummi_env.tabla_v0`."""

    game = "tabla"


def match_seed(seed: int) -> int:
    """Returns the seed of the first match of a single environment that is seeded."""
    return int(seeding.np_random(seed)[0].integers(2**63))


def _autoreset(mode: Any) -> Autoreset:
    """Returns our word for an autoreset mode.

    Raises:
        ValueError: there is no such mode.
    """
    value = getattr(mode, "value", mode)
    for theirs, ours in GYMNASIUM_WORDS.items():
        if value in (theirs, ours):
            return ours
    allowed = ", ".join(map(repr, GYMNASIUM_WORDS.values()))
    raise ValueError(
        f"autoreset_mode must be one of {allowed} or of Gymnasium's AutoresetMode, "
        f"not {mode!r}"
    )


def _declared(autoreset: Autoreset) -> Any:
    """Returns what ``metadata`` says about it."""
    words = {ours: theirs for theirs, ours in GYMNASIUM_WORDS.items()}
    word = words[autoreset]
    return word if AutoresetMode is None else AutoresetMode(word)
