"""Kernels of Rummy pe tabla for batches; they need no tools."""

from __future__ import annotations

from rummi_env.envs.fused import make_advance
from rummi_env.envs.plain_kernels import plain_kernels
from rummi_env.games.tabla import machine
from rummi_env.games.tabla.scoring import win_shares
from rummi_env.games.tabla.scripted import scripted_action
from rummi_env.observation.tabla.encode import encode, encode_state

KERNELS = plain_kernels(machine, scripted_action, win_shares, encode, encode_state)

advance = make_advance(KERNELS, __name__)
