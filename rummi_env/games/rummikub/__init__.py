"""Rummikub: the state of a game and its turn machine."""
