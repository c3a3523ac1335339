"""The compiled machine of Rummy and its plain twin agree at every step."""

import random
from collections import Counter

import pytest

from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.state import DRAW, MELD_RUN
from rummi_env.testing.rummy_pair import Pair

MOST_STEPS = 20_000
"""Longer random matches do not occur; one that does never ends."""


def choose(pair: Pair, rng: random.Random, skill: float, drawing: float) -> int:
    """Choose a legal action: a baseline's, a draw from the pool, or by chance."""
    actions = sorted(pair.machine_actions())
    if DRAW in actions and rng.random() < drawing:
        return DRAW
    if rng.random() < skill:
        return pair.engine.scripted_action(pair.games, 0, "meld_greedy")
    lays = [action for action in actions if action >= MELD_RUN]
    return rng.choice(lays if lays and rng.random() < 0.5 else actions)


def play(pair: Pair, rng: random.Random, seen: Counter[str], trouble: float) -> None:
    pair.assert_alike()
    # Skilled players get racks down to their last cards, drawing empties the pool.
    skill, drawing = rng.choice([0.0, 0.5, 0.9]), rng.choice([0.0, 0.5, 1.0])
    while pair.twin.phase != "over":
        pair.assert_same_actions()
        if rng.random() < trouble:
            pair.fail_turn()
            seen["failed"] += 1
        else:
            action = choose(pair, rng, skill, drawing)
            seen[pair.read(action).name] += 1
            recycles = pair.twin.recycles
            pair.act(action)
            seen["recycled"] += pair.twin.recycles > recycles
        pair.assert_alike()
        seen["hands"] += pair.twin.round_ended
        seen["blocked"] += pair.twin.round_ended and pair.twin.blocked
        assert len(pair.steps) < MOST_STEPS
    pair.assert_same_actions()
    assert not pair.game["mask"].any()


def any_rules(rng: random.Random) -> RummyRules:
    """Draw rules at random, of racks small enough to come to an end soon."""
    return RummyRules(
        rack_size=rng.choice([None, 3, 4, 5, 8]),
        ace=rng.choice(["low", "both", "corner"]),
        max_melds_per_turn=rng.choice([None, None, 1, 2]),
        layoff_needs_own_meld=rng.random() < 0.3,
        must_discard_last=rng.random() < 0.4,
        recycle=rng.choice(["shuffle", "turn_over", "none"]),
        max_recycles=rng.choice([0, 1, 2]),
        max_turns=rng.choice([20, 150]),
        block_score=rng.choice(["none", "low_hand_wins", "each_penalty"]),
        rummy_doubles=rng.random() < 0.7,
        going_out_bonus=rng.choice([0, 0, 10]),
        scoring=rng.choice(["winner_collects", "penalty"]),
        target=rng.choice([None, 30, 100]),
        hands=rng.choice([1, 2, 3]),
    )


def play_any_games(number: int, seed: str) -> Counter[str]:
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(number):
        pair = Pair(any_rules(rng), rng.randint(2, 6), rng.getrandbits(64))
        play(pair, rng, seen, trouble=rng.choice([0.0, 0.05]))
    return seen


SEEN = ["draw", "take", "meld", "discard", "failed", "recycled", "hands", "blocked"]


def test_games_by_rules_drawn_at_random_agree_at_every_step() -> None:
    seen = play_any_games(60, "any rules")
    assert all(seen[name] for name in [*SEEN, "lay off"]), seen


@pytest.mark.slow
def test_many_games_by_rules_drawn_at_random_agree_at_every_step() -> None:
    seen = play_any_games(3_000, "many rules")
    assert all(seen[name] > 100 for name in [*SEEN, "lay off"]), seen


@pytest.mark.parametrize("num_players", range(2, 7))
@pytest.mark.parametrize("preset", ["basic", "pagat", "block"])
def test_hands_by_the_presets_agree_at_every_step(
    preset: str, num_players: int
) -> None:
    rng = random.Random(f"{preset} {num_players}")
    rules = RummyRules.preset(preset, hands=1)
    play(Pair(rules, num_players, rng.getrandbits(64)), rng, Counter(), trouble=0.0)


@pytest.mark.parametrize("rack_size", [4, 7, 10])
def test_hands_with_hidden_melds_agree_at_every_step(rack_size: int) -> None:
    rng = random.Random(f"hidden {rack_size}")
    ended: Counter[bool] = Counter()
    for block_score in ("none", "low_hand_wins"):
        rules = RummyRules.preset("straight_gin", rack_size=rack_size, hands=2)
        rules = rules.replace(block_score=block_score, recycle="shuffle")
        pair = Pair(rules, 2, rng.getrandbits(64))
        while pair.twin.phase != "over":
            pair.assert_same_actions()
            # Random discards never close: the planner's do.
            name = "least_deadwood" if rng.random() < 0.9 else "random"
            pair.act(pair.engine.scripted_action(pair.games, 0, name))
            pair.assert_alike()
            if pair.twin.round_ended:
                ended[pair.twin.blocked] += 1
    assert ended[False] > 0
