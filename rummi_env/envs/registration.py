"""The environments' ids, entered in the registries of Gymnasium and PettingZoo."""

from __future__ import annotations

import gymnasium

SINGLE_IDS = {
    "rummi/Rummikub-v0": "rummi_env.envs.single:RummikubEnv",
    "rummi/Rummy-v0": "rummi_env.envs.single:RummyEnv",
    "rummi/Tabla-v0": "rummi_env.envs.single:TablaEnv",
}
"""Gymnasium ids and where the environments are; imported when one is made."""

VECTOR_ENTRY_POINTS = {
    "rummi/Rummikub-v0": "rummi_env.envs.vector:RummikubVectorEnv",
    "rummi/Rummy-v0": "rummi_env.envs.vector:RummyVectorEnv",
    "rummi/Tabla-v0": "rummi_env.envs.vector:TablaVectorEnv",
}
"""Where `gymnasium.make_vec` finds the same games, many at once."""

AEC_IDS = {
    "rummi/rummikub-v0": "rummi_env.rummikub_v0:env",
    "rummi/rummy-v0": "rummi_env.rummy_v0:env",
    "rummi/tabla-v0": "rummi_env.tabla_v0:env",
}
"""PettingZoo ids and where the environments are."""


def register_all() -> None:
    """Enters every id that is not there yet."""
    for name, entry_point in SINGLE_IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name, entry_point, vector_entry_point=VECTOR_ENTRY_POINTS.get(name)
            )
    try:
        from pettingzoo import aec_registry, register
    except ImportError:  # PettingZoo has registries from 1.27 on
        return
    for name, entry_point in AEC_IDS.items():
        if name not in aec_registry:
            register("aec", name, entry_point)
