"""Training by RLlib's PPO: self-play, a league of frozen states, opponents.

The processes that play are spread over a Ray cluster: one that is started here, or one
that is named by its address. Those that are lost are replaced, on other machines if
need be, and training goes on with the rest meanwhile.
"""

from __future__ import annotations

import logging
import math
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from rummi_agents.neural import CHECKPOINTS
from rummi_agents.policy_files import (
    PolicyDescription,
    read_json,
    read_policy,
    write_policy,
)
from rummi_training.checkpoints import DIGITS, checkpoints_of, describe
from rummi_training.config import TrainConfig
from rummi_training.interop.absent import MissingFramework
from rummi_training.metrics import metrics_logger
from rummi_training.progress import meter
from rummi_training.run_folder import write_json
from rummi_training.train import chance_from

try:
    from ray.rllib.algorithms.ppo import PPO, PPOConfig
    from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_RL_MODULE
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.utils.metrics.metrics_logger import MetricsLogger
except ImportError as error:
    raise MissingFramework("RLlib") from error

from rummi_training.interop.ray_cluster import ray_of
from rummi_training.interop.rllib_env import (
    LEARNER,
    MatchEnv,
    Table,
    frozen,
    policy_of,
)
from rummi_training.interop.rllib_module import MaskedModule

STATE_FOLDER = "rllib"
"""Folder of a checkpoint with what RLlib needs to go on; reading it executes pickles,
unlike the policy's files beside it."""

LEAGUE_FILE = "league.json"
"""How many states the league has taken in."""

MOST_ATTEMPTS = 20
"""Updates in a row without anything played before training gives up."""


def algorithm_config(config: TrainConfig, begun: int = 0) -> PPOConfig:
    """Returns RLlib's configuration of a run.

    Args:
        config: the run.
        begun: decisions done before; other matches follow than those at the start.

    Raises:
        ValueError: something in the configuration is impossible.
    """
    # At every start it warns of its new interface, and of its own use of an old one.
    for name in ("ray.rllib", "ray._common.deprecation"):
        logging.getLogger(name).setLevel(logging.ERROR)
    ppo, ours = config.ppo, config.rllib
    rules = config.read_rules()
    size = ppo.rollout_steps * config.num_envs
    if ppo.batch_size > size:
        raise ValueError(
            f"ppo.batch_size must not exceed the {size} decisions between two updates "
            f"(ppo.rollout_steps times num_envs), but is {ppo.batch_size}"
        )
    table = Table(
        rules=rules,
        num_players=config.num_players,
        opponents=config.opponents,
        self_play=ours.self_play,
        league=ours.league,
        league_size=ours.league_size,
        reward=config.reward,
        reward_scale=config.reward_scale,
    )
    # Also refuses opponents that do not exist, here and not in a far process.
    env = MatchEnv({"table": table})
    spec = RLModuleSpec(
        module_class=MaskedModule,
        observation_space=env.observation_spaces[f"{LEARNER}:0"],
        action_space=env.action_spaces[f"{LEARNER}:0"],
        model_config={
            "rules": rules,
            "num_players": config.num_players,
            "network": asdict(config.network),
        },
    )
    policies = [LEARNER, *map(frozen, range(ours.league_size))]
    decisions = config.total_steps
    return (
        PPOConfig()
        # The check plays actions without asking the mask.
        .environment(MatchEnv, env_config={"table": table}, disable_env_checking=True)
        .framework("torch")
        .debugging(seed=chance_from(config.seed, begun) % 2**31, log_level="ERROR")
        .env_runners(
            num_env_runners=ours.env_runners,
            num_envs_per_env_runner=math.ceil(
                config.num_envs / max(ours.env_runners, 1)
            ),
            sample_timeout_s=ours.sample_seconds,
        )
        .fault_tolerance(
            restart_failed_env_runners=True,
            delay_between_env_runner_restarts_s=1.0,
            env_runner_health_probe_timeout_s=10.0,
            env_runner_restore_timeout_s=60.0,
        )
        .multi_agent(
            policies=set(policies),
            policy_mapping_fn=_policy_of_agent,
            policies_to_train=[LEARNER],
            count_steps_by="env_steps",
        )
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs=dict.fromkeys(policies, spec)
            )
        )
        .training(
            train_batch_size_per_learner=size,
            minibatch_size=ppo.batch_size,
            num_epochs=ppo.epochs,
            lr=[[0, ppo.learning_rate], [decisions, ppo.final_learning_rate]],
            gamma=ppo.discount,
            lambda_=ppo.gae_lambda,
            clip_param=ppo.clip_range,
            entropy_coeff=ppo.entropy_weight,
            vf_loss_coeff=ppo.value_weight,
            # Returns are not bounded, so the critic's loss is not either.
            vf_clip_param=math.inf,
            use_kl_loss=False,
            kl_coeff=0.0,
            grad_clip=ppo.max_gradient,
            grad_clip_by="global_norm",
        )
        .callbacks(on_episode_end=_note_results)
        .reporting(min_time_s_per_iteration=0)
    )


def train_on_ray(
    config: TrainConfig, run: Path, kept: Path | None, console: Console
) -> Path:
    """Trains a policy, or goes on training it.

    Args:
        config: the run.
        run: its folder.
        kept: the checkpoint to go on from, if there is one.
        console: where to show progress.

    Returns:
        The folder of the last checkpoint.

    Raises:
        ValueError: the checkpoint is damaged or of another kind, there is no cluster at
            the address, or something in the configuration is impossible.
    """
    begun = 0 if kept is None else int(kept.name)
    if kept is not None and begun >= config.total_steps:
        console.print(f"{run} has been trained already: {kept}", soft_wrap=True)
        return kept
    settings = algorithm_config(config, begun)
    with ray_of(config.rllib):
        algorithm = settings.build_algo()
        try:
            trainer = Trainer(config, run, algorithm)
            if kept is not None:
                trainer.load(kept)
                console.print(f"going on from {kept}", soft_wrap=True)
            logger = metrics_logger(run, begun)
            with meter(console, "training", config.total_steps, begun) as shown:
                while trainer.steps < config.total_steps:
                    for name, value in trainer.update().items():
                        logger.record(name, value)
                    logger.dump(trainer.steps)
                    shown.reach(trainer.steps)
            logger.close()
        finally:
            algorithm.stop()
    return checkpoints_of(run)[-1]


class Trainer:
    """One run of RLlib's PPO, update by update.

    Attributes:
        algorithm: RLlib's.
        steps: decisions of the learner so far, those of its frozen states not counted.
        taken: states that the league has taken in.
    """

    def __init__(self, config: TrainConfig, run: Path, algorithm: PPO) -> None:
        """Take over an algorithm that has just been built.

        Args:
            config: the run.
            run: its folder.
            algorithm: made by `algorithm_config`.
        """
        self._config = config
        self._run = run
        self.algorithm = algorithm
        self.steps = 0
        self.taken = 0
        # RLlib draws weights for every policy; the league starts as the learner.
        for place in range(config.rllib.league_size):
            self._freeze(place)

    def update(self) -> dict[str, float]:
        """Plays and learns once; saves and changes the league when it is time.

        Returns:
            Figures of the update.

        Raises:
            RuntimeError: every process that plays was lost for too long.
        """
        figures, decisions = self._played()
        before, self.steps = self.steps, self.steps + decisions
        ours = self._config.rllib
        if self.steps // ours.league_every > before // ours.league_every:
            self._freeze(self.taken % ours.league_size)
            self.taken += 1
        every = self._config.checkpoint_every
        done = self.steps >= self._config.total_steps
        if done or self.steps // every > before // every:
            self.save()
        return figures

    def save(self) -> Path:
        """Writes a checkpoint and removes those that are not to be kept."""
        folder = self._run / CHECKPOINTS
        folder.mkdir(exist_ok=True)
        name = f"{self.steps:0{DIGITS}d}"
        beside = folder / f".{name}.part"
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir()
        config = self._config
        description = PolicyDescription(
            rules=config.read_rules(),
            num_players=config.num_players,
            network=config.network,
            training={
                **describe(config),
                "backend": "rllib",
                "steps": self.steps,
                "seed": config.seed,
            },
        )
        write_policy(beside, description, self._actor())
        self.algorithm.save_to_path((beside / STATE_FOLDER).resolve())
        write_json(beside / LEAGUE_FILE, {"taken": self.taken})
        final = folder / name
        shutil.rmtree(final, ignore_errors=True)
        beside.rename(final)
        if config.keep_checkpoints:
            for old in checkpoints_of(self._run)[: -config.keep_checkpoints]:
                shutil.rmtree(old)
        return final

    def load(self, folder: Path) -> None:
        """Goes on from a checkpoint of the same run.

        Raises:
            ValueError: the checkpoint is damaged, or was not written here.
        """
        read_policy(folder)
        if not (folder / STATE_FOLDER).is_dir():
            raise ValueError(f"{folder} is no checkpoint of training by RLlib")
        self.algorithm.restore_from_path((folder / STATE_FOLDER).resolve())
        self.steps = int(folder.name)
        self.taken = int(read_json(folder / LEAGUE_FILE)["taken"])

    # ------------------------------------------------------------------ inside

    def _played(self) -> tuple[dict[str, float], int]:
        """Plays and learns until the learner has learned from something."""
        for _ in range(MOST_ATTEMPTS):
            results = self.algorithm.train()
            learned = results.get("learners", {}).get(LEARNER)
            if learned:
                played = results["env_runners"]
                decisions = int(played["num_module_steps_sampled"][LEARNER])
                return _figures(played, learned, decisions), decisions
        raise RuntimeError(
            f"nothing was played in {MOST_ATTEMPTS} attempts: is there room for "
            f"{self._config.rllib.env_runners} processes in the cluster?"
        )

    def _freeze(self, place: int) -> None:
        """Puts the learner as it is at a place of the league, in every process."""
        group = self.algorithm.learner_group
        weights = group.get_weights(module_ids=[LEARNER])[LEARNER]
        group.set_weights({frozen(place): weights})
        state = group.get_state(
            components=f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}/{frozen(place)}",
            inference_only=True,
        )
        played = {COMPONENT_RL_MODULE: state[COMPONENT_LEARNER][COMPONENT_RL_MODULE]}
        # Not by `sync_weights`: it numbers states by updates of the learner, and
        # processes drop one with a number that they have.
        self.algorithm.env_runner_group.foreach_env_runner(
            lambda runner: runner.set_state(played),
            timeout_seconds=self._config.rllib.sample_seconds,
        )

    def _actor(self) -> dict[str, np.ndarray[Any, Any]]:
        """Returns the weights that choose, as the policy's file names them."""
        weights = self.algorithm.learner_group.get_weights(module_ids=[LEARNER])
        return {
            name.removeprefix("actor."): np.asarray(value)
            for name, value in weights[LEARNER].items()
            if name.startswith("actor.")
        }


def _policy_of_agent(agent_id: str, episode: Any, **keywords: Any) -> str:
    return policy_of(agent_id)


def _note_results(
    *, episode: Any, metrics_logger: MetricsLogger, **keywords: Any
) -> None:
    """Notes how the learner fared in a match that is over, by whom it met."""
    for agent, played in episode.agent_episodes.items():
        if policy_of(agent) != LEARNER:
            continue
        info = played.get_infos(-1)
        for name in ("score", "won"):
            key = (f"{name}_{info['kind']}",)
            metrics_logger.log_value(key, info[name], window=100)
        metrics_logger.log_value("learner_matches", 1, reduce="sum")


def _figures(
    played: Mapping[str, Any], learned: Mapping[str, Any], decisions: int
) -> dict[str, float]:
    """Returns the figures of an update under the names of `metrics`."""
    figures = {
        "matches": played.get("num_episodes", 0),
        "entropy": learned["entropy"],
        "train/value_loss": learned["vf_loss_unclipped"],
        "train/explained_variance": learned["vf_explained_var"],
        "train/approx_kl": learned["mean_kl_loss"],
        "train/learning_rate": learned["default_optimizer_learning_rate"],
        "train/policy_gradient_loss": learned["policy_loss"],
        "train/loss": learned["total_loss"],
    }
    if "learner_matches" in played:
        figures["decisions_per_match"] = decisions / played["learner_matches"]
    for name in ("score", "won"):
        for kind in ("self_play", "league", "opponents"):
            key = f"{name}_{kind}"
            if key in played:
                figures[f"matches/{key}"] = played[key]
        # What is reported of a run is how it fares against those it does not train.
        if f"{name}_opponents" in played:
            figures[name] = played[f"{name}_opponents"]
    return {name: float(value) for name, value in figures.items()}
