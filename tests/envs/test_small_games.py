"""Small decks, for curricula and exact methods: every knob works everywhere."""

from itertools import product

import gymnasium
import numpy as np
import pytest

from rummi_agents import make_agent
from rummi_env import RuleSet, rummikub_v0
from rummi_env.core.tiles import JOKER, NUM_NUMBERS
from rummi_env.envs.batch import Batch
from rummi_env.observation import fields
from rummi_env.testing import check_env, invariants, random_play

EXTREMES = [
    RuleSet(colors=2, numbers=6, copies=1, jokers=0, rack_size=3, opening_points=6),
    RuleSet(colors=2, numbers=3, copies=1, jokers=0, rack_size=1, opening_points=0),
    RuleSet(colors=2, numbers=3, copies=2, jokers=2, rack_size=7, opening_points=3),
    RuleSet(colors=3, numbers=3, copies=1, jokers=1, rack_size=2, opening_points=3),
    RuleSet(colors=4, numbers=3, copies=2, jokers=0, rack_size=12, opening_points=9),
    RuleSet(colors=4, numbers=13, copies=1, jokers=0, rack_size=14),
    RuleSet(colors=2, numbers=13, copies=2, jokers=2, rack_size=27, opening_points=30),
    RuleSet.preset(
        "sabra", colors=2, numbers=5, jokers=2, rack_size=4, opening_points=6
    ),
    RuleSet.preset("tournament", colors=3, numbers=4, jokers=1, rack_size=4, rounds=2),
]


@pytest.mark.parametrize("rules", EXTREMES, ids=str)
def test_extremes_comply_in_every_front_end(rules: RuleSet) -> None:
    check_env(rummikub_v0.env(rules=rules), matches=2)
    check_env(gymnasium.make("rummi/Rummikub-v0", rules=rules))
    check_env(gymnasium.make_vec("rummi/Rummikub-v0", num_envs=4, rules=rules))


def test_every_combination_plays_to_its_end() -> None:
    knobs = product((2, 3, 4), (3, 4, 6, 9), (1, 2), (0, 1, 2), (1, 5))
    played = 0
    for colors, numbers, copies, jokers, rack_size in knobs:
        rules = RuleSet(
            colors=colors,
            numbers=numbers,
            copies=copies,
            jokers=jokers,
            rack_size=rack_size,
            opening_points=3,
        )
        if 2 * rack_size > rules.num_tiles:
            continue
        env = rummikub_v0.raw_env(rules=rules)
        match = random_play(env, seed=played)
        assert sum(match.returns.values()) == 0
        tiles = {action for _, action in match.actions if action < JOKER}
        assert all(tile // NUM_NUMBERS < colors for tile in tiles)
        assert all(tile % NUM_NUMBERS < numbers for tile in tiles)
        played += 1
    assert played > 100


@pytest.mark.parametrize("rules", EXTREMES, ids=str)
def test_batches_and_single_games_are_the_same_games(rules: RuleSet) -> None:
    batch = Batch(3, rules=rules, opponents=["max_tiles"], seat=0)
    observations, masks = batch.reset(seed=4)
    for _ in range(80):
        observations, _, _, _, masks = batch.step(masks.argmax(axis=1))
        assert np.isfinite(observations).all()
    size = max(part.slice.stop for part in fields(rules, 2).values())
    assert observations.shape == (3, size)
    for name in ("random", "greedy", "max_tiles", "max_points", "cautious"):
        env = gymnasium.make(
            "rummi/Rummikub-v0", rules=rules, opponents=[make_agent(name)]
        )
        _, info = env.reset(seed=1)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))


def test_a_deck_too_small_for_the_racks_is_refused() -> None:
    rules = RuleSet(colors=2, numbers=3, copies=1, jokers=0, rack_size=4)
    with pytest.raises(ValueError, match="the deck is too small: 2 racks of 4 need 8"):
        rummikub_v0.env(rules=rules)


def test_a_game_of_twelve_tiles_can_be_searched_to_its_end() -> None:
    """Saved states are all that an exact method needs."""
    rules = RuleSet(
        colors=2, numbers=3, copies=1, jokers=0, rack_size=2, opening_points=6
    )
    env = rummikub_v0.raw_env(rules=rules)
    env.reset(seed=1)
    leaves: list[float] = []

    def search(state: bytes) -> None:
        env.load_state(state)
        agent = env.agent_selection
        for action in np.flatnonzero(env.observe(agent)["action_mask"]).tolist():
            env.load_state(state)
            env.step(action)
            invariants(env)
            if any(env.terminations.values()):
                leaves.append(env.rewards["player_0"])
            else:
                search(env.save_state())

    search(env.save_state())
    assert len(leaves) >= 1
    assert all(np.isfinite(leaf) for leaf in leaves)
