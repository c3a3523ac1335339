"""Gymnasium spaces of what the encoders write."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from gymnasium import spaces

from rummi_env.envs.keywords import ObsType
from rummi_env.observation import Field
from rummi_env.observation.fields import bounds


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


def observation_space(
    parts: Mapping[str, Field], obs_type: ObsType
) -> spaces.Box | spaces.Dict:
    """Returns the space of observations of this type."""
    return flat_space(parts) if obs_type == "flat" else named_space(parts)
