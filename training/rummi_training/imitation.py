"""Learning what a teacher would do where the student goes: DAgger.

The student plays, the teacher says what it would have done in the same place, and the
student learns that from its latest decisions. Meanwhile the critic learns what the
student's play brings, so that PPO can go on from both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from torch.nn.functional import mse_loss

from rummi_agents import Agent
from rummi_training.checkpoints import policy_of
from rummi_training.config import TrainConfig
from rummi_training.vec_env import MaskedVecEnv

UNLIKELY = -1e8
"""Logit of what is not legal."""


class Rollout(NamedTuple):
    """Decisions of all environments, [steps, N, ...].

    Attributes:
        seen: float32; what was seen.
        masks: bool; what was legal.
        labels: int64; what the teacher would have done.
        returns: float32; what it brought from there on, beyond the rollout by the
            critic.
    """

    seen: npt.NDArray[np.float32]
    masks: npt.NDArray[np.bool_]
    labels: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]


class Memory:
    """The latest decisions, whole rollouts at a time.

    Args:
        most: how many decisions.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[torch.Tensor, ...]] = []

    def __len__(self) -> int:
        """Returns how many decisions there are."""
        return sum(len(parts[0]) for parts in self._kept)

    def add(self, rollout: Rollout) -> None:
        """Takes a rollout in; the oldest go."""
        self._kept.append(
            tuple(torch.from_numpy(part).flatten(0, 1) for part in rollout)
        )
        while len(self._kept) > 1 and len(self) > self._most:
            del self._kept[0]

    def clear(self) -> None:
        """Forgets all."""
        self._kept.clear()

    def draw(self, number: int) -> tuple[torch.Tensor, ...]:
        """Returns decisions drawn at random, as in `Rollout` without the first axis."""
        rows = torch.randint(len(self), (number,))
        starts = np.cumsum([0, *(len(parts[0]) for parts in self._kept)])
        found = []
        for start, parts in zip(starts.tolist(), self._kept, strict=False):
            here = rows[(rows >= start) & (rows < start + len(parts[0]))] - start
            found.append(tuple(part[here] for part in parts))
        return tuple(torch.cat(parts) for parts in zip(*found, strict=True))


def imitate(
    model: MaskablePPO,
    config: TrainConfig,
    teacher: str | Agent,
    first: int,
    end: int,
    callback: BaseCallback,
) -> None:
    """Lets a learner imitate a teacher.

    Args:
        model: the learner; its environments have been reset.
        config: the run.
        teacher: whom, as a player.
        first: decisions made when this stage began.
        end: decisions after which it ends.
        callback: is told of steps, rollouts and updates, as by `MaskablePPO.learn`.
    """
    settings, ppo = config.imitation, config.ppo
    policy = policy_of(model)
    env = model.env
    assert isinstance(env, MaskedVecEnv)
    memory = Memory(settings.memory)
    shape = (ppo.rollout_steps, env.num_envs)
    callback.on_training_start(locals(), globals())
    while model.num_timesteps < end:
        before = model._last_obs
        callback.on_rollout_start()
        if model._last_obs is not before:
            # There was a checkpoint, from where a run that is resumed goes on without.
            memory.clear()
        done = (model.num_timesteps - first) / max(end - first, 1)
        rate = settings.learning_rate + done * (
            settings.final_learning_rate - settings.learning_rate
        )
        for group in policy.optimizer.param_groups:
            group["lr"] = rate
        share = 1.0 - (model.num_timesteps - first) / max(settings.teacher_steps, 1)
        rollout = _roll_out(model, env, teacher, max(share, 0.0), shape, callback)
        memory.add(rollout)
        callback.on_rollout_end()
        policy.set_training_mode(True)
        figures = [
            _learn(policy, memory.draw(ppo.batch_size), config)
            for _ in range(settings.batches)
        ]
        loss, agreement, value_loss, entropy = np.mean(figures, axis=0).tolist()
        model._n_updates += 1
        model.logger.record("train/loss", loss)
        model.logger.record("train/value_loss", value_loss)
        model.logger.record("train/entropy_loss", -entropy)
        model.logger.record("train/learning_rate", rate)
        model.logger.record("agreement", agreement)
    callback.on_training_end()


def _roll_out(
    model: MaskablePPO,
    env: MaskedVecEnv,
    teacher: str | Agent,
    share: float,
    shape: tuple[int, int],
    callback: BaseCallback,
) -> Rollout:
    """Plays, the teacher in a share of the decisions, the student in the others."""
    policy = policy_of(model)
    policy.set_training_mode(False)
    seen: Any = model._last_obs
    rollout = Rollout(
        np.zeros((*shape, seen.shape[1]), np.float32),
        np.zeros((*shape, env.env_method("action_masks").shape[1]), np.bool_),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.float32),
    )
    rewards = np.zeros(shape, np.float32)
    ends = np.zeros(shape, np.bool_)
    for step in range(shape[0]):
        masks = env.env_method("action_masks")
        labels = env.labels(teacher)
        with torch.no_grad():
            actions = policy.get_distribution(
                torch.from_numpy(seen).to(model.device), masks
            ).get_actions()
        chosen = actions.cpu().numpy()
        if share > 0.0:
            by_teacher = torch.rand(shape[1]).numpy() < share
            chosen = np.where(by_teacher, labels, chosen)
        rollout.seen[step], rollout.masks[step] = seen, masks
        rollout.labels[step] = labels
        seen, rewards[step], ends[step], infos = env.step(chosen)
        model.num_timesteps += shape[1]
        callback.update_locals({"dones": ends[step], "infos": infos})
        callback.on_step()
    model._last_obs = seen
    with torch.no_grad():
        values = policy.predict_values(torch.from_numpy(seen).to(model.device))
    value = values.cpu().numpy()[:, 0]
    for step in reversed(range(shape[0])):
        value = rewards[step] + model.gamma * np.where(ends[step], 0.0, value)
        rollout.returns[step] = value
    return rollout


def _learn(
    policy: Any, batch: tuple[torch.Tensor, ...], config: TrainConfig
) -> tuple[float, float, float, float]:
    """Takes a step; returns the loss, agreement, loss of the critic and entropy."""
    seen, masks, labels, returns = (part.to(policy.device) for part in batch)
    logits = policy.networks.forward_actor(seen)
    logits = torch.where(masks, logits, torch.full_like(logits, UNLIKELY))
    likely = logits.log_softmax(1)
    smoothing = config.imitation.smoothing
    right = likely.gather(1, labels[:, None])[:, 0]
    anywhere = torch.where(masks, likely, 0.0).sum(1) / masks.sum(1)
    loss = -((1.0 - smoothing) * right + smoothing * anywhere).mean()
    value_loss = mse_loss(policy.networks.forward_critic(seen)[:, 0], returns)
    whole = loss + config.ppo.value_weight * value_loss
    policy.optimizer.zero_grad()
    whole.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(policy.parameters(), config.ppo.max_gradient)
    policy.optimizer.step()
    with torch.no_grad():
        agreement = (logits.argmax(1) == labels).float().mean()
        spread = likely.exp() * likely
        entropy = -spread.sum(1).mean()
    return loss.item(), agreement.item(), value_loss.item(), entropy.item()
