"""Kernels of Rummy pe tabla for batches; they need no tools."""

from __future__ import annotations

from rummi_env.envs.fused import Kernels, make_advance
from rummi_env.games.chance import random_below
from rummi_env.games.tabla import machine
from rummi_env.games.tabla.scoring import win_shares
from rummi_env.games.tabla.scripted import scripted_action
from rummi_env.observation.tabla.encode import encode, encode_state
from rummi_env.solver.compiled import kernel

start_match = machine.start_match
perform = machine.act
fail_turn = machine.fail_turn


@kernel
def _focus(tools, i):
    pass


@kernel
def _start(game, rules, tools):
    start_match(game, rules)


@kernel
def _act(game, rules, tools, action):
    perform(game, rules, action)


@kernel
def _refuse(game, rules, tools):
    fail_turn(game, rules)


@kernel
def _play(game, rules, tools, player):
    perform(game, rules, scripted_action(game, rules, player))
    return 1


KERNELS = Kernels(
    focus=_focus,
    start=_start,
    act=_act,
    refuse=_refuse,
    play=_play,
    chance=random_below,
    is_over=machine.is_over,
    shares=win_shares,
    encode=encode,
    encode_state=encode_state,
)

advance = make_advance(KERNELS, __name__)
