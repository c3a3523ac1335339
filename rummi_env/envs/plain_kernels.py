"""Kernels for batches of games that need neither scratch nor tables."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from rummi_env.envs.fused import Kernels
from rummi_env.games.chance import random_below
from rummi_env.solver.compiled import kernel


def plain_kernels(
    machine: ModuleType,
    scripted_action: Any,
    win_shares: Any,
    encode: Any,
    encode_state: Any,
) -> Kernels:
    """Returns the kernels of such a game.

    Args:
        machine: has ``start_match``, ``act``, ``fail_turn`` and ``is_over``.
        scripted_action: ``(game, rules, player)`` chooses a scripted player's action.
        win_shares: see `Kernels`, as are the encoders.
        encode: writes an observation.
        encode_state: writes it with what is hidden.
    """
    start_match, perform, fail_turn = (
        machine.start_match,
        machine.act,
        machine.fail_turn,
    )

    @kernel
    def focus(tools, i):
        pass

    @kernel
    def start(game, rules, tools):
        start_match(game, rules)

    @kernel
    def act(game, rules, tools, action):
        perform(game, rules, action)

    @kernel
    def refuse(game, rules, tools):
        fail_turn(game, rules)

    @kernel
    def play(game, rules, tools, player):
        perform(game, rules, scripted_action(game, rules, player))
        return 1

    return Kernels(
        focus=focus,
        start=start,
        act=act,
        refuse=refuse,
        play=play,
        chance=random_below,
        is_over=machine.is_over,
        shares=win_shares,
        encode=encode,
        encode_state=encode_state,
    )
