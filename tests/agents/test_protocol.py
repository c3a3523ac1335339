"""What an agent is."""

import numpy as np

from rummi_agents import Agent, agent_names, make_agent
from rummi_agents.protocol import reset
from rummi_agents.scripted import Random
from rummi_env.solver import TurnSolver


class WithMemory(Random):
    """Counts matches."""

    matches = 0

    def reset(self) -> None:
        self.matches += 1


def test_reset_is_optional() -> None:
    reset(Random())
    agent = WithMemory()
    reset(agent)
    assert agent.matches == 1


def test_things_without_act_are_no_agents() -> None:
    assert not isinstance("random", Agent)
    assert isinstance(Random(), Agent)


def test_chance_comes_from_the_generator_alone() -> None:
    turn = TurnSolver("official").turn("", "R10 B10 O10 K10 K11 K12 K13", opened=False)
    seen = np.zeros(0, np.float32)
    for name in agent_names():
        if name in ("cautious", "patient"):  # reads the observation
            continue
        agent = make_agent(name)
        choices = [
            agent.act(seen, turn.mask, turn, np.random.default_rng(4)) for _ in range(3)
        ]
        assert len(set(choices)) == 1
