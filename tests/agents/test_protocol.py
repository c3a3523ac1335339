"""What an agent is."""

import numpy as np

from rummi_agents import Agent, agent_names, make_agent
from rummi_agents.protocol import reset
from rummi_agents.scripted import Random
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start


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
    match = Match("official", 2)
    match.start(1, Start())
    seen, mask, turn = match.observation(match.seat), match.mask.copy(), match.turn()
    for name in agent_names():
        agent = make_agent(name)
        choices = [
            agent.act(seen, mask, turn, np.random.default_rng(4)) for _ in range(3)
        ]
        assert len(set(choices)) == 1
