"""A player whose network chooses whole turns."""

from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from rummi_agents.choosing import Choosing
from rummi_agents.network import actor, critic, layout_of, prefer
from rummi_agents.neural import load_agent
from rummi_agents.padding import padded, places_in
from rummi_agents.policy_files import NetworkConfig, PolicyDescription, write_policy
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.batch import Batch
from rummi_env.envs.match import Match
from rummi_env.games.rummikub.choices import NUM_CHOICES
from rummi_env.observation import by_name, fields
from rummi_training.turn_tables import TurnTables

SMALL = RuleSet(numbers=6, rack_size=8, opening_points=10)
"""A small deck: an untrained policy hoards tiles."""

MakeChoosing = Callable[..., Choosing]


@pytest.fixture
def make_choosing(tmp_path: Path) -> MakeChoosing:
    """Writes an untrained policy and loads it."""

    def make(
        rules: RuleSet, players: int = 2, fewest: int | None = None, seed: int = 0
    ) -> Choosing:
        torch.manual_seed(seed)
        network = NetworkConfig("by_color", (8, 8), "turns")
        layout = layout_of(rules, players, "turns")
        net = actor(network, layout)
        # Which choices it takes hangs on what it sees, and not on the last layer alone.
        torch.nn.init.normal_(net.get_parameter("others.weight"))
        folder = tmp_path / f"policy{seed}"
        folder.mkdir()
        write_policy(
            folder,
            PolicyDescription(rules, players, network, {}, fewest),
            {name: value.numpy() for name, value in net.state_dict().items()},
        )
        agent = load_agent(folder)
        assert isinstance(agent, Choosing)
        return agent

    return make


@pytest.mark.parametrize("players", [2, 3, 4])
def test_plays_legal_matches(
    make_choosing: MakeChoosing,
    play_match: Callable[[Match, list[Any], int], int],
    players: int,
) -> None:
    rules = SMALL.replace(rack_size=5)
    agent = make_choosing(rules, 4, 2)
    assert play_match(Match(rules, players), [agent] * players, 3) > 10


def test_other_numbers_of_players_are_refused(make_choosing: MakeChoosing) -> None:
    agent = make_choosing(SMALL, 3, 2)
    batch = Batch(1, rules=SMALL.replace(rack_size=5), num_players=4)
    seen, masks = batch.reset(seed=1)
    with pytest.raises(ValueError, match="was trained for 2-3 players under"):
        agent.act_batch(seen, masks, np.random.default_rng(0))


def test_decisions_in_one_call_are_those_made_one_by_one(
    make_choosing: MakeChoosing,
) -> None:
    agent = make_choosing(SMALL)
    alone = load_agent(agent.folder or Path())
    batch = Batch(
        6, rules=SMALL, opponents=["random"], on_illegal="raise", autoreset="same_step"
    )
    seen, masks = batch.reset(seed=4)
    rng = np.random.default_rng(0)
    played = 0
    for _ in range(60):
        actions = agent.act_batch(seen, masks, rng)
        for row in range(6):
            turn = batch.engine.turn(batch.games, row)
            assert alone.act(seen[row], masks[row], turn, rng) == actions[row]
            judged = agent.judge(seen[row], masks[row]).probabilities
            assert judged[int(actions[row])] > 0
        played += int((actions < 53).sum())
        seen, _, _, _, masks = batch.step(actions)
    assert played > 20


def test_a_turn_is_played_as_it_was_chosen_whoever_remembers_it(
    make_choosing: MakeChoosing,
) -> None:
    agent = make_choosing(SMALL)
    batch = Batch(
        8, rules=SMALL, opponents=["max_tiles"], on_illegal="raise",
        autoreset="same_step",
    )  # fmt: skip
    seen, masks = batch.reset(seed=5)
    rng = np.random.default_rng(0)
    begun = 0
    for _ in range(60):
        actions = agent.act_batch(seen, masks, rng)
        agent._begun.clear()
        assert (agent.act_batch(seen, masks, rng) == actions).all()
        parts = by_name(seen, fields(SMALL, 2))
        begun += int(parts["played"].any(axis=1).sum())
        seen, _, _, _, masks = batch.step(actions)
    assert begun > 20


def test_agent_sees_what_it_saw_in_training(make_choosing: MakeChoosing) -> None:
    agent = make_choosing(SMALL)
    tables = TurnTables(SMALL, [("max_tiles",)] * 8, seen_as=2)
    seen, info = tables.reset(seed=list(range(8)))
    size = agent._seen_size
    for _ in range(25):
        mine, plays, legal = agent.choices(seen[:, : agent._size])
        np.testing.assert_array_equal(mine, seen[:, :size])
        np.testing.assert_array_equal(plays, tables.out.plays)
        np.testing.assert_array_equal(legal, info["action_mask"])
        seen, _, _, _, info = tables.step(agent.choose(mine, legal))


@pytest.mark.parametrize("chooses", ["turns", "turns_unseen"])
def test_choices_are_alike_when_colors_are_exchanged(chooses: Any) -> None:
    rules = RuleSet()
    layout = layout_of(rules, 3, chooses)
    torch.manual_seed(1)
    config = NetworkConfig("by_color", (16, 16), chooses)
    policy = actor(config, layout)
    seen = torch.rand(2, layout.size)
    assert policy(seen).shape == (2, NUM_CHOICES)
    for order in list(permutations(range(4)))[1::7]:
        kinds = torch.tensor([color * 13 + n for color in order for n in range(13)])
        exchanged = seen.clone()
        exchanged[:, layout.planes] = seen[:, layout.planes[:, kinds]]
        torch.testing.assert_close(policy(exchanged), policy(seen))


def test_critic_may_see_what_is_hidden_and_the_actor_not() -> None:
    config = NetworkConfig("mlp", (8,), "turns")
    seen = layout_of(RuleSet(), 2, "turns")
    judged = layout_of(RuleSet(), 2, "turns", hidden=True)
    assert judged.size > seen.size
    batch = torch.rand(2, judged.size)
    changed = batch.clone()
    changed[:, seen.size :] += 1.0
    policy, value = actor(config, seen), critic(config, judged)
    torch.testing.assert_close(policy(batch), policy(changed))
    assert (value(batch) != value(changed)).all()


@pytest.mark.parametrize("kind", ["mlp", "by_color"])
def test_untrained_policies_may_prefer_actions(kind: Any) -> None:
    layout = layout_of(RuleSet(), 2, "turns")
    policy = actor(NetworkConfig(kind, (8,), "turns"), layout)
    before = policy(torch.zeros(1, layout.size))
    prefer(policy, layout, [3.0, 2.0, 0.0, 0.0, 1.0])
    more = policy(torch.zeros(1, layout.size)) - before
    torch.testing.assert_close(more, torch.tensor([[3.0, 2.0, 0.0, 0.0, 1.0]]))
    with pytest.raises(ValueError, match="start must be 5 numbers"):
        prefer(policy, layout, [1.0])


def test_observations_of_few_players_fit_into_those_of_more() -> None:
    few, many = fields(SMALL, 2), fields(SMALL.replace(rack_size=5), 4)
    row = np.arange(1, 1 + places_in(few, many).size, dtype=np.float32)[None]
    wide = by_name(padded(row, places_in(few, many), 368), many)
    narrow = by_name(row, few)
    for name, values in narrow.items():
        rows = len(values[0])
        np.testing.assert_array_equal(wide[name][0][:rows], values[0])
        assert not wide[name][0][rows:].any()
