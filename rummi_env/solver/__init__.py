"""The exact turn solver."""

from rummi_env.solver.exact import Turn, TurnSolver
from rummi_env.solver.play import Play

__all__ = ["Play", "Turn", "TurnSolver"]
