"""Networks, their files, and the player made from them."""

import json
import pickle
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from rummi_agents import make_agent
from rummi_agents.network import actor, critic, layout_of
from rummi_agents.neural import NeuralAgent, load_agent
from rummi_agents.policy_files import (
    DESCRIPTION_FILE,
    WEIGHTS_FILE,
    NetworkConfig,
    read_policy,
)
from rummi_agents.protocol import Judging
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.batch import Batch
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start

MakePolicy = Callable[[Path], Path]


@pytest.mark.parametrize("kind", ["mlp", "by_color"])
@pytest.mark.parametrize("preset", RuleSet.presets())
@pytest.mark.parametrize("players", [2, 4])
def test_networks_take_observations_and_give_a_logit_for_every_action(
    kind: Any, preset: str, players: int
) -> None:
    layout = layout_of(RuleSet.preset(preset), players)
    config = NetworkConfig(kind, (8, 8))
    batch = torch.zeros(3, layout.size)
    assert actor(config, layout)(batch).shape == (3, layout.num_actions)
    assert critic(config, layout)(batch).shape == (3, 1)


@pytest.mark.parametrize("preset", ["official", "sabra"])
def test_network_by_color_plays_alike_when_colors_are_exchanged(preset: str) -> None:
    layout = layout_of(RuleSet.preset(preset), 3)
    torch.manual_seed(1)
    config = NetworkConfig("by_color", (16, 16))
    policy, value = actor(config, layout), critic(config, layout)
    seen = torch.rand(2, layout.size)
    logits = policy(seen)
    for order in list(permutations(range(4)))[1::5]:
        kinds = torch.tensor([color * 13 + n for color in order for n in range(13)])
        exchanged = seen.clone()
        exchanged[:, layout.planes] = seen[:, layout.planes[:, kinds]]
        expected = logits.clone()
        expected[:, :52] = logits[:, kinds]
        if layout.num_actions > 100:
            expected[:, 54:106] = logits[:, 54 + kinds]
        torch.testing.assert_close(policy(exchanged), expected)
        torch.testing.assert_close(value(exchanged), value(seen))


def test_loaded_agent_plays_legally(
    make_policy: MakePolicy,
    tmp_path: Path,
    play_match: Callable[[Match, list[Any], int], int],
) -> None:
    agent = make_agent(str(make_policy(tmp_path / "policy")))
    assert isinstance(agent, NeuralAgent)
    assert agent.name == "policy"
    assert play_match(Match("official", 2), [agent, make_agent("greedy")], 3)


def test_decisions_in_one_call_are_those_made_one_by_one(
    make_policy: MakePolicy, tmp_path: Path
) -> None:
    agent = load_agent(make_policy(tmp_path / "policy"))
    assert isinstance(agent, NeuralAgent)
    batch = Batch(6, opponents=[agent])
    observations, masks = batch.reset(seed=4)
    rng = np.random.default_rng(0)
    chosen: set[int] = set()
    for _ in range(12):
        actions = agent.act_batch(observations, masks, rng)
        turn = batch.engine.turn(batch.games, 0)
        for row in range(6):
            alone = agent.act(observations[row], masks[row], turn, rng)
            assert actions[row] == alone
        assert (masks[np.arange(6), actions] == 1).all()
        chosen.update(actions.tolist())
        observations, _, _, _, masks = batch.step(actions)
    assert len(chosen) > 2
    with pytest.raises(ValueError, match="was trained for 2 players under"):
        agent.act_batch(observations[:, 1:], masks, rng)


def test_newest_checkpoint_of_a_run_is_loaded(
    make_policy: MakePolicy, tmp_path: Path
) -> None:
    for name in ("000000000100", "000000000200"):
        make_policy(tmp_path / "checkpoints" / name)
    agent = load_agent(tmp_path)
    assert agent.folder == tmp_path / "checkpoints" / "000000000200"


def test_game_of_another_size_is_refused(
    make_policy: MakePolicy,
    tmp_path: Path,
    play_match: Callable[[Match, list[Any], int], int],
) -> None:
    agent = load_agent(make_policy(tmp_path / "policy"))
    with pytest.raises(ValueError, match="was trained for 2 players under"):
        play_match(Match("official", 3), [agent] * 3, 1)


class Payload:
    """What a doctored file would run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("name", [DESCRIPTION_FILE, WEIGHTS_FILE])
def test_doctored_files_execute_nothing(
    make_policy: MakePolicy, tmp_path: Path, name: str
) -> None:
    folder = make_policy(tmp_path / "policy")
    ran = tmp_path / "ran"
    (folder / name).write_bytes(pickle.dumps(Payload(ran)))
    with pytest.raises(ValueError, match="is damaged"):
        load_agent(folder)
    torch.save({"weights": Payload(ran)}, folder / name)
    with pytest.raises(ValueError, match="is damaged"):
        load_agent(folder)
    assert not ran.exists()


def test_doctored_weights_with_the_right_checksum_execute_nothing(
    make_policy: MakePolicy, tmp_path: Path
) -> None:
    import hashlib

    folder = make_policy(tmp_path / "policy")
    ran = tmp_path / "ran"
    data = pickle.dumps(Payload(ran))
    (folder / WEIGHTS_FILE).write_bytes(data)
    described = json.loads((folder / DESCRIPTION_FILE).read_text())
    described["weights_sha256"] = hashlib.sha256(data).hexdigest()
    (folder / DESCRIPTION_FILE).write_text(json.dumps(described))
    with pytest.raises(ValueError, match="it holds no weights"):
        load_agent(folder)
    assert not ran.exists()


@pytest.mark.parametrize("left", [0, 7, 100, -1])
def test_truncated_weights_are_refused(
    make_policy: MakePolicy, tmp_path: Path, left: int
) -> None:
    folder = make_policy(tmp_path / "policy")
    weights = folder / WEIGHTS_FILE
    weights.write_bytes(weights.read_bytes()[:left])
    with pytest.raises(ValueError, match="is damaged") as caught:
        load_agent(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": 99}, "has format 99, this package reads format 1"),
        ({"rules": {"opening": 3}}, "unknown field 'opening'"),
        ({"num_players": 9}, "num_players must be an integer from 2 to 4"),
        ({"network": {"kind": "mlp"}}, "there is no 'hidden'"),
        ({"network": {"kind": "mlp", "hidden": [10**9]}}, "widths from 1 to 4096"),
        ({"network": {"kind": "mlp", "hidden": [8]}}, "do not fit the network"),
        ({"network": 3}, "describes no policy"),
        ({"weights_sha256": None}, "is damaged"),
    ],
)
def test_damaged_descriptions_are_refused(
    make_policy: MakePolicy, tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    folder = make_policy(tmp_path / "policy")
    described = json.loads((folder / DESCRIPTION_FILE).read_text()) | change
    (folder / DESCRIPTION_FILE).write_text(json.dumps(described))
    with pytest.raises(ValueError, match=sentence) as caught:
        load_agent(folder)
    assert "\n" not in str(caught.value)


def test_unknown_device_is_refused(make_policy: MakePolicy, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no device 'abacus'"):
        load_agent(make_policy(tmp_path / "policy"), "abacus")


def test_policy_files_round_trip(make_policy: MakePolicy, tmp_path: Path) -> None:
    description, weights = read_policy(make_policy(tmp_path / "policy"))
    assert description.rules == RuleSet()
    assert description.network == NetworkConfig("by_color", (8, 8))
    assert all(isinstance(value, np.ndarray) for value in weights.values())


def test_a_network_says_how_likely_it_takes_each_legal_action(
    make_policy: MakePolicy, tmp_path: Path
) -> None:
    agent = make_agent(str(make_policy(tmp_path / "policy")))
    assert isinstance(agent, Judging)
    match = Match(None, 2)
    match.start(3, Start())
    seen, mask = match.observation(match.seat), match.mask.copy()
    shares = agent.judge(seen, mask).probabilities
    assert set(shares) <= set(np.flatnonzero(mask).tolist())
    assert sum(shares.values()) == pytest.approx(1, abs=0.005)
    chosen = agent.act(seen, mask, match.turn(), np.random.default_rng(0))
    assert shares[chosen] == max(shares.values())
    with pytest.raises(ValueError, match="it takes 242 values"):
        agent.judge(seen[1:], mask)
