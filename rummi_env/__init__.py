"""Reinforcement-learning environments for Rummikub and its relatives."""

__version__ = "0.1.0"
