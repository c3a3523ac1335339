"""OpenSpiel's algorithms on our games."""

from collections import Counter

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    get_all_states,
    mcts,
    random_agent,
)

from rummi_env import RuleSet
from rummi_training.interop.open_spiel_game import DealtGame

pytestmark = [
    pytest.mark.interop,
    # OpenSpiel uses what numpy deprecates.
    pytest.mark.filterwarnings("ignore"),
]

TINY = RuleSet(colors=2, numbers=3, copies=1, jokers=0, rack_size=2, opening_points=6)
SMALL = RuleSet(numbers=6, rack_size=8, opening_points=10)


@pytest.mark.parametrize("game", ["rummikub", "rummy", "tabla"])
def test_matches_of_chance_keep_to_the_rules(game: str) -> None:
    rules = SMALL if game == "rummikub" else None
    spiel = DealtGame(rules, game=game, num_deals=100_000)
    rng = np.random.default_rng(1)
    decisions, losses = 0, 0
    while decisions < (5000 if game == "rummikub" else 500):
        state = spiel.new_initial_state()
        assert state.is_chance_node()
        state.apply_action(int(rng.integers(100_000)))
        while not state.is_terminal():
            player = state.current_player()
            legal = state.legal_actions()
            assert legal == sorted(legal)
            assert np.flatnonzero(state.legal_actions_mask(player)).tolist() == legal
            # An action that is not legal raises.
            state.apply_action(int(rng.choice(legal)))
            decisions += 1
            if decisions > 5000:
                break
        losses += min(state.returns()) < 0
    if game == "rummikub":
        assert losses > 10


def test_states_are_copied_and_seats_see_what_they_may() -> None:
    spiel = DealtGame(SMALL, num_deals=10)
    state = spiel.new_initial_state()
    state.apply_action(3)
    for _ in range(20):
        state.apply_action(state.legal_actions()[0])
    other = state.clone()
    before = [state.information_state_string(seat) for seat in (0, 1)]
    other.apply_action(other.legal_actions()[-1])
    assert [state.information_state_string(seat) for seat in (0, 1)] == before
    assert [other.information_state_string(seat) for seat in (0, 1)] != before
    tensor = state.observation_tensor(0)
    spiel.match.load(state.saved)
    assert np.array_equal(np.float32(tensor), spiel.match.observation(0))
    assert spiel.observation_tensor_shape() == [len(tensor)]
    assert state.action_to_string(0, 53)


def test_a_tiny_game_is_solved_by_cfr() -> None:
    spiel = DealtGame(TINY, num_deals=6)
    states = get_all_states.get_all_states(spiel, include_terminals=True)
    assert 20 < len(states) < 20_000
    # Seats cannot tell all deals apart.
    seen = Counter(
        state.information_state_string(state.current_player())
        for state in states.values()
        if not state.is_terminal() and not state.is_chance_node()
    )
    assert max(seen.values()) > 1
    solver = cfr.CFRSolver(spiel)
    found = []
    for _ in range(12):
        solver.evaluate_and_update_policy()
        found.append(exploitability.nash_conv(spiel, solver.average_policy()))
    assert 0 <= found[-1] <= found[0] + 1e-9
    sampled = external_sampling_mccfr.ExternalSamplingSolver(spiel)
    sampled.iteration()


def test_its_bots_and_its_environments_play() -> None:
    spiel = DealtGame(TINY, num_deals=50)
    rng = np.random.RandomState(1)
    searching = mcts.MCTSBot(
        spiel, 2.0, 10, mcts.RandomRolloutEvaluator(1, rng), random_state=rng
    )
    state = spiel.new_initial_state()
    state.apply_action(7)
    while not state.is_terminal():
        state.apply_action(searching.step(state))
    assert sum(state.returns()) == 0
    env = rl_environment.Environment(spiel)
    agents = [random_agent.RandomAgent(seat, 54) for seat in (0, 1)]
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = env.step([agents[seat].step(step).action])
    assert sum(step.rewards) == 0


def test_impossible_numbers_of_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="num_deals must be a whole number from 1"):
        DealtGame(TINY, num_deals=0)
    assert pyspiel.PlayerId.TERMINAL == -4
