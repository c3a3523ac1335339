"""Compiled pieces that the encoders of all games write their arrays with."""

from __future__ import annotations

from rummi_env.solver.compiled import kernel


@kernel
def one_of(out, at, chosen, number):
    """Writes a one among zeros; returns where they end."""
    for index in range(number):
        out[at + index] = 1.0 if index == chosen else 0.0
    return at + number


@kernel
def number(out, at, value, encoding):
    """Writes a number, scaled and within what ``out`` holds; returns where it ends."""
    scaled = value * encoding.scale[at]
    out[at] = max(min(scaled, encoding.most), -encoding.most)
    return at + 1
