"""Finds melds for tiles that are known to fit: the table that a person sees.

Under free jokers many arrangements are equal for the game. The one shown keeps as many
melds of the present table as it can (see `least_changed`); it never feeds back.
"""

from __future__ import annotations
