"""The exact turn solver."""

from rummi_env.solver.exact import Play, Turn, TurnSolver

__all__ = ["Play", "Turn", "TurnSolver"]
