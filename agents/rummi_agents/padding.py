"""Observations of few players in the places that they have with more of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rummi_env.observation import Field, size_of


def places_in(
    few: Mapping[str, Field], many: Mapping[str, Field]
) -> npt.NDArray[np.int64]:
    """Returns where the values of an observation lie in one of more players.

    Players are listed from the observer on, so those that are not there come last in
    every field; their places are left alone.

    Args:
        few: fields of the observation.
        many: fields of the other one.

    Returns:
        int64[S].
    """
    places = np.zeros(size_of(few.values()), np.int64)
    for name, part in few.items():
        start = many[name].start
        places[part.slice] = np.arange(start, start + part.size)
    return places


def padded(
    rows: npt.NDArray[np.float32], places: npt.NDArray[np.int64], size: int
) -> npt.NDArray[np.float32]:
    """Returns observations [N, S] with their values in these places, float32[N, size].

    All other places are 0.
    """
    wide = np.zeros((len(rows), size), np.float32)
    wide[:, places] = rows
    return wide
