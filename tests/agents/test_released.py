"""Trained players that come with the package."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from rummi_agents import agent_names, make_agent
from rummi_agents.neural import NeuralAgent, load_agent
from rummi_agents.policy_files import WEIGHTS_FILE, read_policy
from rummi_agents.released import CARD_FILE, WEIGHTS, Released, released
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.batch import Batch
from rummi_env.envs.match import Match

MOST_BYTES = 3 * 2**20

FOLDERS = [
    folder
    for games in released().values()
    for folders in games.values()
    for folder in folders
]

RULES = ["official", "online", "official,jokers=0"]
"""What the released agents of Rummikub claim to play."""


def rules_of(text: str) -> RuleSet:
    preset, _, jokers = text.partition(",jokers=")
    rules = RuleSet.preset(preset)
    return rules.replace(jokers=int(jokers)) if jokers else rules


@pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda path: str(path.relative_to(WEIGHTS))
)
def test_policy_lies_where_its_description_says_and_has_a_card(folder: Path) -> None:
    description, _ = read_policy(folder)
    game, _, players = folder.relative_to(WEIGHTS).parts
    assert game == description.rules.GAME
    numbers = [int(number) for number in players.split("-")]
    assert list(description.players) == list(range(numbers[0], numbers[-1] + 1))
    assert (folder / WEIGHTS_FILE).stat().st_size <= MOST_BYTES
    assert isinstance(load_agent(folder), NeuralAgent)
    card = (folder / CARD_FILE).read_text(encoding="utf-8")
    for title in ("Configuration", "Results", "What did not help"):
        assert re.search(rf"^## {title}$", card, re.MULTILINE), title
    assert re.search(r"[0-9a-f]{40}", card), "the commit of the code"


def test_released_agents_are_there_for_rummikub() -> None:
    assert {"ppo", "expert"} <= set(agent_names("rummikub"))
    for name in ("ppo", "expert"):
        agent = make_agent(name)
        assert isinstance(agent, Released)
        assert "rummikub" in agent.games


@pytest.mark.parametrize("name", ["ppo", "expert"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", RULES)
def test_released_agents_play_legal_games(
    play_match: Callable[[Match, list[Any], int], int],
    name: str,
    players: int,
    rules: str,
) -> None:
    seated = [make_agent(name), *[make_agent("max_tiles")] * (players - 1)]
    assert play_match(Match(rules_of(rules), players), seated, 7) > 10


def test_other_games_and_rules_are_refused_in_a_sentence() -> None:
    agent = make_agent("ppo")
    batch = Batch(1, rules="sabra")
    seen, masks = batch.reset(seed=1)
    with pytest.raises(
        ValueError, match="ppo has no policy for observations of"
    ) as told:
        agent.act_batch(seen, masks, np.random.default_rng(0))  # type: ignore[attr-defined]
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("by_name", [True, False])
def test_released_agents_are_opponents(by_name: bool) -> None:
    opponent = "ppo" if by_name else make_agent("ppo")
    env = gymnasium.make_vec("rummi/Rummikub-v0", num_envs=2, opponents=[opponent])
    _, info = env.reset(seed=3)
    for _ in range(5):
        _, _, _, _, info = env.step(info["action_mask"].argmax(axis=1))
    assert info["action_mask"].any()


def test_best_is_the_strongest_of_each_game() -> None:
    best, ppo = make_agent("best"), make_agent("ppo")
    assert isinstance(best, Released)
    assert isinstance(ppo, Released)
    assert set(ppo.games) <= set(best.games)
    rummikub = [path for path in best.folders if path.parents[1].name == "rummikub"]
    assert {(path.name, path.parent.name) for path in rummikub} == {
        ("2", "ppo"),
        ("3-4", "expert"),
    }


def test_names_without_policies_are_no_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing(Released):
        name = "missing"

    assert Missing.games == ()
    assert Missing().folders == ()
