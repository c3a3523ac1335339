"""Rummikub's kernels for batches."""

from __future__ import annotations

import numpy as np

from rummi_env.envs.fused import Kernels, make_advance
from rummi_env.games.rummikub import machine
from rummi_env.games.rummikub.dealing import random_below
from rummi_env.games.rummikub.scripted import scripted_action
from rummi_env.games.rummikub.state import OVER_PHASE
from rummi_env.games.rummikub.winners import win_shares
from rummi_env.observation.encode import encode, encode_state
from rummi_env.solver.compiled import kernel

start_match = machine.start_match
perform = machine.act
fail_turn = machine.fail_turn


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
def _choose(game, rules, tools, player):
    return scripted_action(game, rules, tools[0], tools[1], player)


@kernel
def _is_over(game):
    return game.phase == OVER_PHASE


@kernel
def _pay(game, rules, by_win, rewards):
    players = rules.num_players
    if not by_win:
        for seat in range(players):
            rewards[seat] += game.scores[seat]
    elif game.phase == OVER_PHASE:
        shares = np.zeros(players)
        win_shares(game, rules, shares)
        losers = 0
        for seat in range(players):
            losers += shares[seat] == 0.0
        for seat in range(players):
            if losers > 0:
                rewards[seat] += shares[seat] if shares[seat] > 0.0 else -1.0 / losers


KERNELS = Kernels(
    start=_start,
    act=_act,
    refuse=_refuse,
    choose=_choose,
    chance=random_below,
    is_over=_is_over,
    pay=_pay,
    encode=encode,
    encode_state=encode_state,
)

advance = make_advance(KERNELS, __name__)
