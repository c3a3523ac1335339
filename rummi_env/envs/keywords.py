"""Arguments that the environments share: what they take, and their refusal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from operator import index
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_env.envs.pictures import RENDER_MODES

OnIllegal: TypeAlias = Literal["penalty", "terminate", "raise"]
"""What an illegal action leads to: the penalty of the rules, the end of the match, or
an exception that changes nothing."""

ObsType: TypeAlias = Literal["flat", "dict", "history"]
"""Whether an observation is one array, a dict of its fields, or all that was seen."""

ObsDtype: TypeAlias = Literal["float32", "int8"]
"""Scaled fields, or the bare numbers, those beyond 127 cut off."""

RewardType: TypeAlias = Literal["score", "difference", "win"]
"""Whether rewards are the scores of each round, what they are above the mean of the
others' scores, or the match won or lost."""

ON_ILLEGAL: tuple[OnIllegal, ...] = ("penalty", "terminate", "raise")
OBS_TYPES: tuple[ObsType, ...] = ("flat", "dict", "history")
REWARDS: tuple[RewardType, ...] = ("score", "difference", "win")

ILLEGAL_REWARDS: Mapping[RewardType, float] = {
    "score": -100.0,
    "difference": -100.0,
    "win": -1.0,
}
"""Reward, before scaling, of a match ended by an illegal action: a badly lost round, so
that it is no way out of one, or a lost match."""


def check_keywords(
    on_illegal: str,
    obs_type: str,
    reward: str,
    reward_scale: float,
    render_mode: str | None,
    reveal: bool = False,
) -> None:
    """Refuses values that the shared keywords do not take.

    Raises:
        ValueError: one sentence names the keyword, the value and what is allowed.
    """
    _check_word("on_illegal", on_illegal, ON_ILLEGAL)
    _check_word("obs_type", obs_type, OBS_TYPES)
    _check_word("reward", reward, REWARDS)
    if render_mode is not None:
        _check_word("render_mode", render_mode, RENDER_MODES, " or None")
    if type(reveal) is not bool:
        raise ValueError(f"reveal must be True or False, not {reveal!r}")
    if type(reward_scale) not in (int, float) or not 0 < reward_scale < math.inf:
        raise ValueError(f"reward_scale must be a number above 0, not {reward_scale!r}")


def check_seed(seed: object, name: str = "seed") -> None:
    """Refuses what is no seed.

    Args:
        seed: what was given.
        name: what it is called.

    Raises:
        ValueError: it is no whole number from 0.
    """
    if type(seed) is bool or not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"{name} must be a whole number from 0, not {seed!r}")


def read_action(action: object, number: int, of: str = "") -> int:
    """Reads an action.

    Args:
        action: what was given.
        number: how many actions there are.
        of: whose action it is, with a space before.

    Raises:
        ValueError: there is no such action.
    """
    chosen = -1
    if type(action) is not bool:
        with suppress(TypeError):
            # Whether it stands for a number is what `index` finds out.
            chosen = index(action)  # type: ignore[arg-type]
    if not 0 <= chosen < number:
        raise ValueError(
            f"an action{of} is a whole number from 0 to {number - 1}, not {action!r}"
        )
    return chosen


def game_rows(indices: npt.ArrayLike, games: int, name: str) -> npt.NDArray[np.int64]:
    """Reads which games of a batch are meant.

    Args:
        indices: their numbers.
        games: how many games there are.
        name: what the argument is called.

    Raises:
        ValueError: they are no list of whole numbers, or there is no such game.
    """
    rows = np.asarray(indices)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise ValueError(
            f"{name} must be a list of whole numbers, the numbers of games, not "
            f"{indices!r}"
        )
    for row in rows[(rows < 0) | (rows >= games)].tolist():
        raise ValueError(f"{name} must be from 0 to {games - 1}, not {row}")
    return rows.astype(np.int64, copy=False)


def _check_word(name: str, value: object, words: Sequence[str], more: str = "") -> None:
    if value not in words:
        allowed = ", ".join(map(repr, words))
        raise ValueError(f"{name} must be one of {allowed}{more}, not {value!r}")
