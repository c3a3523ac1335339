"""Gymnasium spaces of what the encoders write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from rummi_env.envs.keywords import ObsDtype, ObsType
from rummi_env.observation import Field
from rummi_env.observation.fields import bounds

MOST = 127
"""Bare numbers beyond it, of either sign, are cut off."""


def flat_space(parts: Mapping[str, Field]) -> spaces.Box:
    """Returns the space of a flat array of these fields, float32."""
    low, high = bounds(parts)
    return spaces.Box(low, high, dtype=np.float32)


def named_space(parts: Mapping[str, Field]) -> spaces.Dict:
    """Returns the space of the same fields by name."""
    return spaces.Dict(
        {
            name: spaces.Box(
                np.float32(part.low * part.scale),
                np.float32(part.high * part.scale),
                part.shape,
                np.float32,
            )
            for name, part in parts.items()
        }
    )


def bare_space(parts: Mapping[str, Field], obs_type: ObsType) -> spaces.Space[Any]:
    """Returns the space of the bare numbers, int8; see `ObsDtype`."""
    boxes: dict[str, spaces.Space[Any]] = {
        name: spaces.Box(
            np.int8(max(part.low, -MOST)),
            np.int8(min(part.high, MOST)),
            part.shape,
            np.int8,
        )
        for name, part in parts.items()
    }
    if obs_type == "dict":
        return spaces.Dict(boxes)
    low, high = (
        np.concatenate([getattr(box, end).ravel() for box in boxes.values()])
        for end in ("low", "high")
    )
    return spaces.Box(low, high, dtype=np.int8)


def observation_space(
    parts: Mapping[str, Field], obs_type: ObsType, obs_dtype: ObsDtype = "float32"
) -> spaces.Space[Any]:
    """Returns the space of observations of this type, ``flat`` or ``dict``."""
    if obs_dtype == "int8":
        return bare_space(parts, obs_type)
    return flat_space(parts) if obs_type == "flat" else named_space(parts)
