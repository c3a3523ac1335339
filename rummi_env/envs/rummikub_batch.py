"""Rummikub's kernels for batches."""

from __future__ import annotations

from rummi_env.envs.fused import Kernels, make_advance
from rummi_env.games.chance import random_below
from rummi_env.games.rummikub import machine
from rummi_env.games.rummikub.playing import play_on
from rummi_env.games.rummikub.state import OVER_PHASE
from rummi_env.games.rummikub.winners import win_shares
from rummi_env.observation.encode import encode, encode_state
from rummi_env.solver.compiled import kernel

start_match = machine.start_match
perform = machine.act
fail_turn = machine.fail_turn


@kernel
def _focus(tools, i):
    tools[0].kept_row[0] = i


@kernel
def _start(game, rules, tools):
    start_match(game, rules, tools[0], tools[1])


@kernel
def _act(game, rules, tools, action):
    perform(game, rules, tools[0], tools[1], action)


@kernel
def _refuse(game, rules, tools):
    fail_turn(game, rules, tools[0], tools[1], rules.illegal_penalty)


@kernel
def _play(game, rules, tools, player):
    return play_on(game, rules, tools[0], tools[1], player)


@kernel
def _is_over(game):
    return game.phase == OVER_PHASE


KERNELS = Kernels(
    focus=_focus,
    start=_start,
    act=_act,
    refuse=_refuse,
    play=_play,
    chance=random_below,
    is_over=_is_over,
    shares=win_shares,
    encode=encode,
    encode_state=encode_state,
)

advance = make_advance(KERNELS, __name__)
