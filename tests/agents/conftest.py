"""Matches of agents, and a small policy as it comes out of training."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rummi_agents.policy_files import NetworkConfig, PolicyDescription, write_policy
from rummi_agents.protocol import Agent
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start

PlayMatch = Callable[[Match, list[Agent], int], int]
MakePolicy = Callable[[Path], Path]


@pytest.fixture
def play_match() -> PlayMatch:
    """Plays a match, holds every action against the mask, returns the decisions."""

    def play(match: Match, agents: list[Agent], seed: int) -> int:
        rng = np.random.default_rng(seed)
        match.start(seed, Start())
        decisions = 0
        while not match.over:
            seat = match.seat
            mask = match.mask.copy()
            action = agents[seat].act(match.observation(seat), mask, match.turn(), rng)
            assert type(action) is int
            assert mask[action], (agents[seat].name, action)
            match.act(action)
            decisions += 1
        return decisions

    return play


@pytest.fixture
def make_policy() -> MakePolicy:
    """Writes the files of an untrained policy for two players into a folder."""

    def make(folder: Path) -> Path:
        import torch

        from rummi_agents.network import actor, layout_of

        torch.manual_seed(0)
        rules, network = RuleSet(), NetworkConfig("by_color", (8, 8))
        weights = actor(network, layout_of(rules, 2)).state_dict()
        folder.mkdir(parents=True)
        write_policy(
            folder,
            PolicyDescription(rules, 2, network, {"steps": 0}),
            {name: value.numpy() for name, value in weights.items()},
        )
        return folder

    return make
