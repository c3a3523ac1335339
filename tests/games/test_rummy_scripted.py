"""The scripted baselines of Rummy, and the planning of melds that they rest on."""

import random
from typing import Any

import numpy as np
import pytest

from rummi_env.core.cards import cards_of
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine
from rummi_env.games.rummy.planning import plan
from rummi_env.testing.rummy_twin import deadwood


@pytest.mark.parametrize("ace", ["low", "both", "corner"])
def test_the_planner_finds_the_least_deadwood_that_there_is(ace: Any) -> None:
    rng = random.Random(ace)
    rules = RummyRules(ace=ace)
    codes = Engine(rules, 2).codes
    for _ in range(150):
        # Few ranks or few suits, so that melds compete for cards.
        cards = rng.sample(
            rng.choice([range(26), [c for c in range(52) if c % 13 in range(5)]]), 10
        )
        bits = np.uint64(sum(1 << card for card in cards))
        cost, dead, meld, after = plan(bits, np.uint64(0), codes)
        rack = frozenset(cards)
        assert cost == deadwood(rack, rules)
        assert cost == sum(
            deadwood(frozenset({card}), rules) for card in cards_of(dead)
        )
        assert (meld == 0) == (len(cards_of(dead)) == len(cards))
        expected = min(deadwood(rack - {card}, rules) for card in rack)
        assert after == expected if dead else after == 0
