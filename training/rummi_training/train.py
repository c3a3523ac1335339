"""Training: by masked PPO, by imitating a teacher, or by one after the other."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.type_aliases import Schedule

from rummi_agents.choosing import Choosing
from rummi_agents.network import device_named, layout_of, prefer
from rummi_training.checkpoints import (
    arrays_of,
    checkpoints_of,
    describe,
    load_checkpoint,
    policy_of,
    save_checkpoint,
)
from rummi_training.config import PPOConfig, TrainConfig
from rummi_training.environments import Seating, make_vec_env
from rummi_training.imitation import imitate
from rummi_training.league import League
from rummi_training.metrics import metrics_logger
from rummi_training.mirrored import check_fit
from rummi_training.policy import Policy
from rummi_training.progress import Meter, meter
from rummi_training.run_folder import (
    command_line,
    make_folder,
    surroundings,
    write_json,
    write_whole,
)
from rummi_training.vec_env import MaskedVecEnv

CONFIG_FILE = "config.yaml"
STARTS_FILE = "starts.json"
"""One entry for each time the run was started: versions, commit, command."""


def train(config: TrainConfig, run: Path, *, resume: bool, console: Console) -> Path:
    """Trains a policy, or goes on training it.

    Args:
        config: the run.
        run: its folder.
        resume: whether to go on from the newest checkpoint in it; a folder without one
            starts from the beginning.
        console: where to show progress.

    Returns:
        The folder of the last checkpoint.

    Raises:
        ValueError: the folder holds another run, a checkpoint is damaged, or something
            in the configuration is impossible.
    """
    _check_folder(config, run, resume)
    torch.set_num_threads(config.threads)
    stages = stages_of(config)
    league, seating = League(config), Seating(config)
    if config.backend == "rllib":
        from rummi_training.interop.rllib import train_on_ray

        _check_players(config, seating)
        return train_on_ray(config, run, _begin(config, run), console)
    model = make_model(config)
    _check_players(config, seating)
    kept = _begin(config, run)
    last = stages[-1].end
    done = 0
    if kept is not None:
        done = load_checkpoint(model, config, kept, league)
        if model.num_timesteps >= last:
            console.print(f"{run} has been trained already: {kept}", soft_wrap=True)
            return kept
        console.print(f"going on from {kept}", soft_wrap=True)
    begun = model.num_timesteps
    env = model.env
    assert isinstance(env, MaskedVecEnv)
    model.set_logger(metrics_logger(run, begun))
    keeper = Keeper(config, run, league, seating)
    keeper.init_callback(model)
    try:
        if kept is not None:
            keeper.seat_anew()
        else:
            env.seed(chance_from(config.seed, begun))
            model._last_obs = env.reset()
            model._last_episode_starts = np.ones(env.num_envs, dtype=bool)
        for number, stage in enumerate(stages):
            if model.num_timesteps < stage.end:
                with meter(console, stage.title, last, model.num_timesteps) as shown:
                    keeper.begin(number, shown)
                    if number != done:
                        policy_of(model).forget_steps()
                    _learn(model, config, stage, seating, keeper)
                done = number
    finally:
        model.logger.close()
        env.close()
    return checkpoints_of(run)[-1]


@dataclass(frozen=True)
class Stage:
    """A part of a run that learns by one method."""

    method: str
    """See `TrainConfig.method`."""

    first: int
    """Decisions before it, but for what earlier stages were rounded up by."""

    end: int
    """Decisions after which it ends."""

    @property
    def title(self) -> str:
        """What it is called while it goes on."""
        return "imitating" if self.method == "imitate" else "training"


def _check_players(config: TrainConfig, seating: Seating) -> None:
    """Refuses opponents and teachers before anything is written.

    Raises:
        ValueError: there is no such player, or it was trained for other games.
    """
    named = set(config.opponents)
    if "imitate" in config.method:
        named.add(config.imitation.teacher)
    rules, most = config.read_rules(), config.num_players
    for name in sorted(named):
        player = seating.player(name)
        if isinstance(player, Choosing) and config.network.chooses == "turns":
            # It is shown the choices of a turn as with as many players as it knows.
            check_fit(player, rules, max(most, player.description.num_players))
            continue
        for number in range(config.fewest_players or most, most + 1):
            check_fit(player, rules, number)


def stages_of(config: TrainConfig) -> list[Stage]:
    """Returns the parts of a run."""
    steps = {"imitate": config.imitation.total_steps, "ppo": config.total_steps}
    ends = list(accumulate(steps[method] for method in config.method))
    return [
        Stage(method, first, end)
        for method, first, end in zip(config.method, [0, *ends], ends, strict=False)
    ]


def _learn(
    model: MaskablePPO,
    config: TrainConfig,
    stage: Stage,
    seating: Seating,
    keeper: Keeper,
) -> None:
    """Carries out a stage, or what is left of it."""
    if stage.method == "imitate":
        teacher = seating.player(config.imitation.teacher)
        imitate(model, config, teacher, stage.first, stage.end, keeper)
        return
    model.lr_schedule = _straight(config.ppo, stage)
    model.learn(
        stage.end - model.num_timesteps,
        keeper,
        log_interval=None,  # type: ignore[arg-type]
        reset_num_timesteps=False,
    )


def make_model(config: TrainConfig) -> MaskablePPO:
    """Makes a learner that has learned nothing yet.

    Raises:
        ValueError: something in the configuration is impossible.
    """
    ppo = config.ppo
    size = ppo.rollout_steps * config.num_envs
    if ppo.batch_size > size:
        raise ValueError(
            f"ppo.batch_size must not exceed the {size} decisions between two updates "
            f"(ppo.rollout_steps times num_envs), but is {ppo.batch_size}"
        )
    rules, chooses = config.read_rules(), config.network.chooses
    seen = layout_of(rules, config.num_players, chooses)
    judged = seen
    if config.privileged_critic:
        judged = layout_of(rules, config.num_players, chooses, hidden=True)
    try:
        device = device_named(config.device)
    except ValueError as error:
        raise ValueError(f"device: {error}") from error
    model = MaskablePPO(
        Policy,
        make_vec_env(config),
        learning_rate=ppo.learning_rate,
        n_steps=ppo.rollout_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.epochs,
        gamma=ppo.discount,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.entropy_weight,
        vf_coef=ppo.value_weight,
        max_grad_norm=ppo.max_gradient,
        policy_kwargs={"network": config.network, "seen": seen, "judged": judged},
        seed=config.seed,
        device=device,
    )
    if config.start:
        prefer(policy_of(model).networks.actor, seen, config.start)
    return model


class Keeper(BaseCallback):
    """Writes figures after every update, and checkpoints.

    Args:
        config: of the run.
        run: its folder.
        league: whom the learner meets.
        seating: makes players of them.
    """

    def __init__(
        self, config: TrainConfig, run: Path, league: League, seating: Seating
    ) -> None:
        super().__init__()
        self._config = config
        self._run = run
        self._league = league
        self._seating = seating
        # The environments begin as `make_vec_env` has them.
        league.draw(0)
        self._stage = 0
        self._shown: Meter | None = None
        self._scores: list[float] = []
        self._shares: list[float] = []
        self._last_update = 0
        self._last_checkpoint = 0
        self._began = 0.0

    def begin(self, stage: int, shown: Meter) -> None:
        """Takes note of which stage begins, and where its progress is shown."""
        self._stage = stage
        self._shown = shown

    def _on_training_start(self) -> None:
        self._last_update = self._last_checkpoint = self.num_timesteps
        self._began = time.monotonic()

    def _on_step(self) -> bool:
        for index in np.flatnonzero(self.locals["dones"]).tolist():
            info = self.locals["infos"][index]
            self._scores.append(float(info["scores"][0]))
            self._shares.append(float(info["won"]))
            self._league.note(index, float(info["won"]))
        return True

    def _on_rollout_end(self) -> None:
        if self._shown is not None:
            self._shown.reach(self.num_timesteps)

    def _on_rollout_start(self) -> None:
        """Is called before the first rollout and after every update but the last."""
        steps = self.num_timesteps
        if steps == self._last_update:
            return
        self._write_figures()
        every = self._config.checkpoint_every
        if steps // every > self._last_checkpoint // every:
            self._save()
            self.seat_anew()

    def _on_training_end(self) -> None:
        self._write_figures()
        self._save()
        self.seat_anew()

    def _save(self) -> None:
        model = self.model
        assert isinstance(model, MaskablePPO)
        actor = policy_of(model).networks.actor
        self._league.pass_on(model.num_timesteps, arrays_of(actor.state_dict()))
        about = describe(self._config)
        save_checkpoint(
            model, self._config, self._run, about, self._league, self._stage
        )
        self._last_checkpoint = self.num_timesteps

    def seat_anew(self) -> None:
        """Starts all matches anew, as a run that goes on from the checkpoint does."""
        model = self.model
        env = self.training_env
        assert isinstance(env, MaskedVecEnv)
        self.num_timesteps = model.num_timesteps
        if self._config.league.active:
            tables = self._league.draw(model.num_timesteps)
            env.reseat(self._seating.parts(tables))
        env.seed(chance_from(self._config.seed, self.num_timesteps))
        model._last_obs = env.reset()
        model._last_episode_starts = np.ones(env.num_envs, dtype=bool)

    def _write_figures(self) -> None:
        matches = len(self._scores)
        decisions = self.num_timesteps - self._last_update
        values = self.logger.name_to_value
        self.logger.record("matches", matches)
        if matches:
            self.logger.record("score", float(np.mean(self._scores)))
            self.logger.record("won", float(np.mean(self._shares)))
            self.logger.record("decisions_per_match", decisions / matches)
        if "train/entropy_loss" in values:
            self.logger.record("entropy", -values["train/entropy_loss"])
        seconds = time.monotonic() - self._began
        self.logger.record("time/seconds", seconds)
        self.logger.dump(self.num_timesteps)
        self._scores.clear()
        self._shares.clear()
        self._last_update = self.num_timesteps


def _check_folder(config: TrainConfig, run: Path, resume: bool) -> None:
    """Refuses a folder that this run can neither begin in nor go on in.

    Raises:
        ValueError: it holds something else, or a run that is not to go on or has
            another configuration; ``total_steps`` alone may have grown, if learning by
            PPO comes last.
    """
    path = run / CONFIG_FILE
    if not path.exists():
        if run.exists() and any(run.iterdir()):
            raise ValueError(
                f"{run} holds something else: name another folder with --out"
            )
        return
    if not resume:
        raise ValueError(
            f"{run} holds a run already: go on with it by --resume, or name another "
            "folder with --out"
        )
    stored, given = _anywhere(TrainConfig.load(path)), _anywhere(config)
    # Longer stages before others would have begun these elsewhere.
    if config.method.count("ppo") == 1 and config.method[-1] == "ppo":
        if given.total_steps < stored.total_steps:
            raise ValueError(
                f"total_steps of the run in {run} is {stored.total_steps}: it may be "
                f"more when the run goes on, but not {given.total_steps}"
            )
        stored = replace(stored, total_steps=given.total_steps)
    for name, value in vars(given).items():
        if getattr(stored, name) != value:
            raise ValueError(
                f"{run} holds a run with another configuration: {name} is "
                f"{getattr(stored, name)!r} there, and {value!r} here"
            )


def _begin(config: TrainConfig, run: Path) -> Path | None:
    """Makes the folder of the run and returns the checkpoint to go on from."""
    make_folder(run)
    starts = run / STARTS_FILE
    earlier = _read_starts(starts)
    write_json(starts, [*earlier, surroundings(command_line())])
    write_whole(run / CONFIG_FILE, config.to_yaml())
    kept = checkpoints_of(run)
    return kept[-1] if kept else None


def _anywhere(config: TrainConfig) -> TrainConfig:
    """Returns the same run without the cluster that it happens to run on."""
    here = replace(config.rllib, address=None, cpus=None, store_megabytes=None)
    return replace(config, rllib=here)


def _read_starts(path: Path) -> list[Any]:
    import json

    try:
        starts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return starts if isinstance(starts, list) else []


def chance_from(seed: int, steps: int) -> int:
    """Returns the seed of the matches that begin after so many decisions."""
    return int(np.random.SeedSequence([seed, steps]).generate_state(1)[0] // 2)


def _straight(ppo: PPOConfig, stage: Stage) -> Schedule:
    """Returns the learning rate by the part that is left of all up to a stage's end."""

    def rate(left: float) -> float:
        steps = (1.0 - left) * stage.end
        done = (steps - stage.first) / (stage.end - stage.first)
        last = ppo.final_learning_rate
        return last + (ppo.learning_rate - last) * min(max(1.0 - done, 0.0), 1.0)

    return rate
