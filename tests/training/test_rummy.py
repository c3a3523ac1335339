"""Learning, evaluation and rules of Rummy: the same commands with another game."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console

from rummi_agents.network import actor, critic, layout_of
from rummi_agents.neural import load_agent
from rummi_agents.policy_files import NetworkConfig
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.envs.single import RummyEnv
from rummi_env.games.rummy.state import MELD_FOUR
from rummi_env.observation.rummy.outlook import Outlook
from rummi_training.checkpoints import checkpoints_of
from rummi_training.cli import main
from rummi_training.compiling import NOTICE
from rummi_training.config import PPOConfig, TrainConfig
from rummi_training.environments import make_vec_env
from rummi_training.evaluation import Settings, evaluate
from rummi_training.mirrored import (
    deals_text,
    draw_deals,
    make_player,
    play_mirrored,
    read_deals,
)
from rummi_training.train import train

QUIET = Console(quiet=True)
RULES = RummyRules(hands=1)
CONFIG = TrainConfig(
    game="rummy",
    rules="basic,hands=1,max_recycles=0",
    opponents=("random", "meld_greedy"),
    total_steps=200,
    num_envs=4,
    checkpoint_every=100,
    network=NetworkConfig("by_color", (8, 8)),
    ppo=PPOConfig(rollout_steps=25, batch_size=50, epochs=1),
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run."""
    run = tmp_path_factory.mktemp("rummy") / "run"
    train(CONFIG, run, resume=False, console=QUIET)
    return run


def test_what_a_run_learns_is_a_player_of_rummy(finished: Path) -> None:
    assert TrainConfig.load(finished / "config.yaml") == CONFIG
    agent = load_agent(finished)
    assert agent.games == ("rummy",)
    assert agent.description.rules == CONFIG.read_rules()
    env = RummyEnv(rules=CONFIG.read_rules(), opponents=[agent], on_illegal="raise")
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        _, _, over, _, info = env.step(action)


def test_a_run_with_the_network_of_rummy_is_a_player_too(tmp_path: Path) -> None:
    config = replace(
        CONFIG,
        reward="difference",
        total_steps=100,
        network=NetworkConfig("by_card", (8, 8)),
    )
    train(config, tmp_path / "run", resume=False, console=QUIET)
    assert len(checkpoints_of(tmp_path / "run")) == 1
    settings = Settings(
        agents=(str(tmp_path / "run"), "random"),
        deals=20,
        game="rummy",
        rules=config.rules,
    )
    results = evaluate(settings, tmp_path / "out", console=QUIET)
    # It begins as a player that has a plan.
    ours, theirs = results.agents
    assert (ours.name, theirs.name) == ("run", "random")
    assert ours.win_rate.low > theirs.win_rate.high


def test_what_a_network_is_given_besides_follows_every_observation() -> None:
    config = replace(CONFIG, network=NetworkConfig("by_card", (8, 8)))
    plain, envs = make_vec_env(CONFIG), make_vec_env(config)
    # The space of a `VecEnv` is typed as any space, whose shape may be None.
    size = plain.observation_space.shape[0]  # type: ignore[index]
    assert envs.observation_space.shape == (size + Outlook.size,)
    find = Outlook(RummyRules(hands=1, max_recycles=0), 2)
    rng = np.random.default_rng(0)
    for some in (plain, envs):
        some.seed(3)
    bare: Any = plain.reset()
    seen: Any = envs.reset()
    ended = 0
    for _ in range(120):
        masks = envs.env_method("action_masks")
        assert np.array_equal(masks, plain.env_method("action_masks"))
        assert np.array_equal(seen[:, :size], bare)
        assert np.array_equal(seen[:, size:], find(bare, masks))
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        bare, *_, bare_infos = plain.step(actions)
        seen, *_, infos = envs.step(actions)
        for info, bare_info in zip(infos, bare_infos, strict=True):
            if info:
                last = info["terminal_observation"]
                assert last.shape == (size + Outlook.size,)
                assert np.array_equal(last[:size], bare_info["terminal_observation"])
                assert not last[size:].any()
                ended += 1
    assert ended > 0


def test_a_run_is_repeated_and_continued_to_the_bit(
    finished: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    shutil.rmtree(checkpoints_of(run)[-1])
    assert len(checkpoints_of(run)) == 1
    train(CONFIG, run, resume=True, console=QUIET)
    for name in ("policy.safetensors", "training.safetensors"):
        one, other = (checkpoints_of(folder)[-1] / name for folder in (finished, run))
        assert one.read_bytes() == other.read_bytes()


def test_a_policy_is_evaluated_by_its_folder(finished: Path, tmp_path: Path) -> None:
    settings = Settings(
        agents=(str(finished), "least_deadwood", "random"),
        deals=3,
        game="rummy",
        rules="pagat,max_recycles=1",
    )
    with pytest.raises(ValueError, match="was trained for 2 players"):
        evaluate(settings, tmp_path / "three", console=QUIET)
    settings = replace(
        settings, agents=settings.agents[:2], rules="basic,max_recycles=0"
    )
    results = evaluate(settings, tmp_path / "two", console=QUIET)
    assert results.deals == 3
    written = json.loads((tmp_path / "two" / "evaluation.json").read_text())
    assert written["played"]["game"] == "rummy"
    assert written["played"]["rules"]["hands"] == 1
    with pytest.raises(ValueError, match="was trained for rummy, not for rummikub"):
        make_player(str(finished))


@pytest.mark.parametrize("name", ["random", "least_deadwood"])
def test_agent_against_itself_is_exactly_even(name: str) -> None:
    deals = list(enumerate(draw_deals(RULES, 3, 3, seed=3)))
    players = [make_player(name, game="rummy")] * 3
    for games in play_mirrored(players, RULES, deals, 3):
        scores = np.array([game.scores for game in games])
        assert np.allclose(scores.sum(0), scores.sum() / 3)


def test_deals_are_always_the_same_and_come_back_from_their_file(
    tmp_path: Path,
) -> None:
    deals = draw_deals(RULES, 6, 3, seed=5)
    assert deals == draw_deals(RULES, 6, 4, seed=5)[:3]
    assert deals != draw_deals(RULES, 6, 3, seed=6)
    path = tmp_path / "deals.txt"
    path.write_text(deals_text(deals, "rummy"))
    assert read_deals(path, RULES, 6) == deals
    with pytest.raises(ValueError, match="line 1: a position for 5 players has 5 rack"):
        read_deals(path, RULES, 5)


def test_network_by_color_plays_alike_when_suits_are_exchanged() -> None:
    layout = layout_of(RULES, 3)
    torch.manual_seed(1)
    config = NetworkConfig("by_color", (16, 16))
    policy, value = actor(config, layout), critic(config, layout)
    seen = torch.rand(2, layout.size)
    logits = policy(seen)
    kinds = torch.tensor([suit * 13 + n for suit in (2, 0, 3, 1) for n in range(13)])
    exchanged = seen.clone()
    exchanged[:, layout.planes] = seen[:, layout.planes[:, kinds]]
    expected = logits.clone()
    for first in (2, 54, 106, 171, 223, 275):
        expected[:, first : first + 52] = logits[:, first + kinds]
    torch.testing.assert_close(policy(exchanged), expected)
    torch.testing.assert_close(value(exchanged), value(seen))
    others = [0, 1, *range(MELD_FOUR, MELD_FOUR + 13)]
    assert layout.other_actions.tolist() == others


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"game": "gin"}, "game must be 'rummikub', 'rummy' or 'tabla', not 'gin'"),
        ({"game": "rummy", "rules": "official"}, "unknown preset 'official'"),
        ({"num_players": 5}, "num_players must be an integer from 2 to 4, not 5"),
        ({"game": "rummy", "num_players": 7}, "from 2 to 6, not 7"),
        (
            {"game": "tabla", "network": NetworkConfig("by_card")},
            "'by_card' must go with game rummy and backend sb3, not with tabla and sb3",
        ),
        (
            {
                "game": "rummy",
                "network": NetworkConfig("by_card"),
                "backend": "rllib",
            },
            "'by_card' must go with game rummy and backend sb3, not with rummy and rl",
        ),
        (
            {"game": "rummy", "reward": "points"},
            "reward must be 'score', 'difference' or 'win', not 'points'",
        ),
    ],
)
def test_wrong_configurations_are_refused(
    fields: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        TrainConfig(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "players"), [("rummy", 2), ("rummy_four", 4)])
def test_the_configurations_that_come_with_the_project_are_of_one_hand(
    name: str, players: int
) -> None:
    path = Path(__file__).parents[2] / "configs" / f"{name}.yaml"
    config = TrainConfig.load(path)
    assert config.game == "rummy"
    assert config.num_players == players
    assert config.read_rules() == RULES
    assert config.reward == "difference"


def test_rules_are_printed_with_their_differences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "pagat,hands=3", "--game", "rummy"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "RummyRules.preset('pagat', target=None, hands=3)" in told
    assert "max_melds_per_turn 1 none in basic, block, straight_gin" in told
    assert "presets: basic, pagat, block, straight_gin" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("rules --game gin", "game must be one of 'rummikub', 'rummy', 'tabla', not"),
        ("rules official --game rummy", "unknown preset 'official'"),
        ("evaluate random --game rummy", "there must be one to five opponents"),
        ("evaluate random greedy --game rummy", "'greedy' does not play rummy"),
        ("evaluate random meld_greedy", "'meld_greedy' does not play rummikub"),
        ("evaluate " + "random " * 7 + "--game rummy", "2 to 6 agents play"),
    ],
)
def test_commands_that_make_no_sense_are_refused(
    arguments: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = arguments.split()
    if "evaluate" in words:
        words += ["--out", str(tmp_path / "out")]
    assert main(words) == 2
    told = capsys.readouterr().err.removeprefix(f"{NOTICE}\n")
    assert sentence in told
    assert told.count("\n") == 1
