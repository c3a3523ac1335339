"""Rummy pe tabla: the form solver, the state of a game and its turn machine."""
