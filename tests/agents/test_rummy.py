"""The scripted agents of Rummy, under every preset and number of players."""

from collections.abc import Callable

import numpy as np
import pytest

from rummi_agents import Agent, agent_names, make_agent
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.envs.match import Match
from rummi_env.envs.single import RummyEnv
from rummi_env.envs.start import Start
from rummi_env.games.rummy.scripted import SCRIPTED


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", RummyRules.presets())
def test_agents_only_ever_play_unmasked_actions(
    preset: str,
    players: int,
    play_match: Callable[[Match, list[Agent], int], int],
) -> None:
    """Case 16."""
    match = Match(RummyRules.preset(preset, hands=2), players, game="rummy")
    for seed in range(len(SCRIPTED)):
        names = [[*SCRIPTED][(seed + seat) % 3] for seat in range(players)]
        assert play_match(match, [make_agent(name, "rummy") for name in names], seed)


def test_the_names_are_those_of_the_compiled_baselines() -> None:
    assert set(agent_names("rummy")) == {*SCRIPTED, "ppo", "best"}
    for name in SCRIPTED:
        assert make_agent(name, "rummy").name == name


@pytest.mark.parametrize("name", ["meld_greedy", "least_deadwood"])
def test_compiled_baselines_and_agents_choose_the_same(name: str) -> None:
    match = Match("pagat", 3, game="rummy")
    agent = make_agent(name)
    rng = np.random.default_rng(0)
    match.start(1, Start())
    while not match.over:
        expected = match.engine.scripted_action(match.games, 0, name)
        seen = match.observation(match.seat)
        assert agent.act(seen, match.mask.copy(), match.turn(), rng) == expected
        match.act(expected)


@pytest.mark.parametrize(
    ("spec", "game", "sentence"),
    [
        ("greedy", "rummy", "'greedy' does not play rummy: there is best, least_dead"),
        ("cautious", "rummy", "'cautious' does not play rummy"),
        ("meld_greedy", "rummikub", "'meld_greedy' does not play rummikub: there is b"),
        ("meld_gredy", "rummy", "unknown agent .*; did you mean 'meld_greedy'"),
    ],
)
def test_players_of_another_game_are_refused(
    spec: str, game: str, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_agent(spec, game)


def test_an_agent_object_of_another_game_is_no_opponent() -> None:
    with pytest.raises(ValueError, match="which plays rummikub"):
        RummyEnv(opponents=[make_agent("max_tiles")])
    env = RummyEnv(opponents=[make_agent("meld_greedy"), make_agent("random")])
    _, info = env.reset(seed=1)
    env.step(int(np.argmax(info["action_mask"])))
