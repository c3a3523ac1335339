"""How fast the game goes by each interface and framework, beside the plain batch.

All play two players under the official rules and choose among the legal actions by
chance, or, where the framework leaves no other way, by a small untrained network. That
is what collecting costs; what learning costs is the framework's own.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from rummi_agents.policy_files import NetworkConfig
from rummi_env import RuleSet, rummikub_v0
from rummi_env.envs.batch import Batch
from rummi_training.benchmarks.rates import legal, raw_env_games
from rummi_training.benchmarks.timing import rate
from rummi_training.config import PPOConfig, RLlibConfig, TrainConfig
from rummi_training.environments import make_vec_env
from rummi_training.interop.absent import MissingFramework
from rummi_training.run_folder import command_line, surroundings, write_json

GAMES = 1024
"""Games of a batch."""

SEVERAL = 8
"""Games side by side where each is an environment of its own."""

NETWORK = NetworkConfig("mlp", (64,))
"""Where a network has to choose."""

Play = Callable[[], int]


def plain_batch(seed: int) -> Play:
    """Many games by `Batch`, every seat the caller's."""
    batch = Batch(GAMES, copy=False)
    batch.reset(seed=seed)
    rng = np.random.default_rng(seed)
    done = batch.out.decisions

    def step() -> int:
        before = int(done.sum())
        batch.step(legal(batch.out.masks, rng))
        return int(done.sum()) - before

    return step


def pettingzoo_env(seed: int) -> Play:
    """PettingZoo's interface with its usual wrappers."""
    env = rummikub_v0.env()
    rng = np.random.default_rng(seed)

    def play_one() -> int:
        env.reset(seed=int(rng.integers(2**31)))
        decisions = 0
        for agent in env.agent_iter():
            seen, _, over, _, _ = env.last()
            if over:
                env.step(None)
                continue
            assert seen is not None
            action = env.action_space(agent).sample(seen["action_mask"])
            env.step(action)
            decisions += 1
        return decisions

    return play_one


def pettingzoo_raw_env(seed: int) -> Play:
    """PettingZoo's interface without wrappers."""
    return raw_env_games(2, seed)


def gymnasium_env(seed: int) -> Play:
    """One seat by `gymnasium.make`; the opponent's decisions count as well."""
    env: Any = gymnasium.make("rummi/Rummikub-v0", opponents=["random"])
    rng = np.random.default_rng(seed)

    def play_one() -> int:
        _, info = env.reset(seed=int(rng.integers(2**31)))
        decisions, over = 0, False
        while not over:
            allowed = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(int(rng.choice(allowed)))
            decisions += 1
        return 2 * decisions

    return play_one


def gymnasium_vector(seed: int) -> Play:
    """Many seats by `gymnasium.make_vec`."""
    envs: Any = gymnasium.make_vec(
        "rummi/Rummikub-v0", num_envs=GAMES, opponents=["random"], copy=False
    )
    rng = np.random.default_rng(seed)
    moment = [envs.reset(seed=seed)[1]]
    done = envs.batch.out.decisions

    def step() -> int:
        before = int(done.sum())
        moment[0] = envs.step(legal(moment[0]["action_mask"], rng))[-1]
        return int(done.sum()) - before

    return step


def stable_baselines(seed: int) -> Play:
    """The environments that `rummi train` learns in."""
    config = TrainConfig(num_envs=GAMES, env_threads=1)
    envs = make_vec_env(config)
    rng = np.random.default_rng(seed)
    envs.seed(seed)
    envs.reset()
    (part,) = envs.parts
    done = part.batch.out.decisions  # type: ignore[attr-defined]

    def step() -> int:
        before = int(done.sum())
        envs.step(legal(envs.env_method("action_masks").astype(np.int8), rng))
        return int(done.sum()) - before

    return step


def rllib(seed: int) -> Play:
    """A process of RLlib that plays; a network chooses."""
    from rummi_training.interop.rllib import algorithm_config

    config = TrainConfig(
        backend="rllib",
        num_envs=SEVERAL,
        seed=seed,
        network=NETWORK,
        ppo=PPOConfig(rollout_steps=128),
        rllib=RLlibConfig(env_runners=0, self_play=1.0, league=0.0),
    )
    # It imports RLlib, or says that it is missing.
    settings = algorithm_config(config)

    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

    runner = MultiAgentEnvRunner(config=settings)

    def some() -> int:
        runner.sample(num_timesteps=50 * SEVERAL)
        return 50 * SEVERAL

    return some


def torchrl(seed: int) -> Play:
    """TorchRL's wrapper and its choice by chance."""
    from rummi_training.interop.torchrl_ppo import make_env

    env = make_env(rummikub_v0.raw_env(), seed=seed)

    def play_one() -> int:
        return len(env.rollout(10_000))

    return play_one


def tianshou(seed: int) -> Play:
    """Tianshou's collector; a network is asked, but chance decides."""
    from rummi_training.interop.tianshou_dqn import collect, make_collector, make_dqn

    dqn, player = make_dqn(RuleSet(), 2, NETWORK, explore=1.0)
    collector = make_collector(dqn, player, SEVERAL, seed=seed)

    def some() -> int:
        collect(dqn, collector, 20 * SEVERAL)
        # The seat of the network's other self decides as often.
        return 2 * 20 * SEVERAL

    return some


def open_spiel(seed: int) -> Play:
    """OpenSpiel's states, with the tensor of the observation."""
    from rummi_training.interop.open_spiel_game import DealtGame

    game = DealtGame(num_deals=1_000_000)
    rng = np.random.default_rng(seed)

    def play_one() -> int:
        state = game.new_initial_state()
        state.apply_action(int(rng.integers(1_000_000)))
        decisions = 0
        while not state.is_terminal():
            state.observation_tensor()
            state.apply_action(int(rng.choice(state.legal_actions())))
            decisions += 1
        return decisions

    return play_one


ROADS: dict[str, Callable[[int], Play]] = {
    "Gymnasium, make_vec": gymnasium_vector,
    "stable-baselines3, VecEnv": stable_baselines,
    "Gymnasium, make": gymnasium_env,
    "PettingZoo, raw_env": pettingzoo_raw_env,
    "PettingZoo, env": pettingzoo_env,
    "OpenSpiel, state": open_spiel,
    "TorchRL, rollout": torchrl,
    "Tianshou, collector": tianshou,
    "RLlib, env runner": rllib,
}
"""Names of the roads and what makes them."""


def measure_roads(seconds: float, seed: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Measures every road that is there.

    Args:
        seconds: CPU time of each measurement.
        seed: of matches and choices.

    Returns:
        One line for each, the plain batch first, with ``per_second``,
        ``per_cpu_second`` and ``of_batch``, its share of the batch's decisions in a
        second of CPU time; and what is said of frameworks that are not installed.
    """
    # Small networks gain nothing by more, and what they cost would depend on it.
    torch_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    plain = rate(plain_batch(seed), seconds)
    lines = [{"name": f"batch, {GAMES:,} games", **asdict(plain), "of_batch": 1.0}]
    absent = []
    for name, make in ROADS.items():
        try:
            with warnings.catch_warnings():
                # Frameworks use what they and others deprecate.
                warnings.simplefilter("ignore")
                measured = rate(make(seed), seconds)
        except MissingFramework as reason:
            absent.append(f"{name} is not measured: {reason}")
            continue
        share = measured.per_cpu_second / plain.per_cpu_second
        lines.append({"name": name, **asdict(measured), "of_batch": share})
    torch.set_num_threads(torch_threads)
    return lines, absent


def bench_roads(
    seconds: float, seed: int, console: Console, json_file: Path | None = None
) -> list[dict[str, Any]]:
    """Measures the roads, prints a table and writes the figures.

    Args:
        seconds: CPU time of each measurement.
        seed: of matches and choices.
        console: where to print.
        json_file: where to write the figures, if anywhere.

    Returns:
        What `measure_roads` returns first.
    """
    console.print("measuring; a first run compiles the game, a minute or more")
    lines, absent = measure_roads(seconds, seed)
    print_roads(console, lines)
    for reason in absent:
        console.print(reason, highlight=False, markup=False, soft_wrap=True)
    if json_file is not None:
        write_json(
            json_file, {"roads": lines, "surroundings": surroundings(command_line())}
        )
    return lines


def print_roads(console: Console, lines: list[dict[str, Any]]) -> None:
    """Prints the roads as a table."""
    table = Table()
    table.add_column("decisions a second")
    for heading in ("CPU", "clock", "of the batch"):
        table.add_column(heading, justify="right")
    for line in lines:
        table.add_row(
            line["name"],
            f"{line['per_cpu_second']:,.0f}",
            f"{line['per_second']:,.0f}",
            f"1 / {1 / line['of_batch']:,.1f}",
        )
    console.print(table)
    console.print(
        "Two players, official rules; every decision of every player counts, with its "
        "observation and its mask. Actions are drawn by chance; RLlib and Tianshou ask "
        "a small network.",
        highlight=False,
    )
