"""Players of Rummikub and its relatives behind one protocol."""

from rummi_agents.protocol import Agent
from rummi_agents.registry import agent_names, make_agent

__all__ = ["Agent", "agent_names", "make_agent"]
