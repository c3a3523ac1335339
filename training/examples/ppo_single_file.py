"""Masked PPO in one file, in the manner of CleanRL, on the compiled batch of games.

    python training/examples/ppo_single_file.py --total-steps 200000 --num-envs 64

Everything that PPO does is here, from the network to the update, to be read from top to
bottom and to be changed. What is special about this game is said where it comes up:

* illegal actions get no probability (`MaskedCategorical`);
* opponents act inside ``envs.step``, so a row is a decision of the learner, and what it
  loses while others play is in the reward of its last decision;
* a match that ends is followed by another in the same step.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

import rummi_env  # noqa: F401  (registers the environments' ids)


@dataclass(frozen=True)
class Args:
    """What can be set on the command line."""

    env_id: str = "rummi/Rummikub-v0"
    """Which game: rummi/Rummikub-v0, rummi/Rummy-v0 or rummi/Tabla-v0."""
    rules: str = "default"
    """Name of a preset of the rules; default is the game's first."""
    opponent: str = "max_tiles"
    """A scripted baseline, or ``self``: the network as it is."""
    seed: int = 1
    """Seed of weights, deals and actions."""
    total_steps: int = 200_000
    """Decisions of the learner."""
    num_envs: int = 64
    """Matches side by side."""
    num_steps: int = 64
    """Decisions in each match between two updates."""
    learning_rate: float = 1e-3
    """Of Adam; it falls to zero in a straight line."""
    gamma: float = 1.0
    """Discount: a match is short."""
    gae_lambda: float = 0.95
    """How far advantages trust rewards more than the critic."""
    num_minibatches: int = 4
    """Parts that a batch is learned in."""
    update_epochs: int = 4
    """How often each decision is learned from."""
    clip_coef: float = 0.2
    """How far the policy may move in one update."""
    ent_coef: float = 0.01
    """Weight of the entropy."""
    vf_coef: float = 0.5
    """Weight of the critic's loss."""
    max_grad_norm: float = 0.5
    """Longest gradient."""
    reward_scale: float = 0.02
    """A lost rack is worth some tens of points."""
    hidden: int = 128
    """Width of the networks."""


@dataclass(frozen=True)
class Update:
    """Figures of one update."""

    steps: int
    """Decisions so far."""
    loss: float
    """The whole loss of its last minibatch."""
    entropy: float
    """Mean entropy of the policy, in nats."""
    illegal: int
    """Actions chosen that were not legal; never any."""
    scores: tuple[float, ...]
    """The learner's scores of the matches that ended."""


class MaskedCategorical(torch.distributions.Categorical):
    """A distribution over the legal actions.

    Illegal ones get a logit so low that their probability is exactly 0: they are never
    drawn, bring nothing to the entropy and get no gradient.
    """

    def __init__(self, logits: torch.Tensor, mask: torch.Tensor) -> None:
        super().__init__(
            logits=torch.where(mask, logits, torch.tensor(-1e8)), validate_args=False
        )


class ActorCritic(nn.Module):
    """Two networks, one that chooses and one that judges."""

    def __init__(self, size: int, num_actions: int, hidden: int) -> None:
        super().__init__()
        self.actor = network(size, hidden, num_actions, last_gain=0.01)
        self.critic = network(size, hidden, 1, last_gain=1.0)

    def act_batch(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """Makes it a player: with ``--opponent self`` it holds the other seat too."""
        with torch.no_grad():
            logits = self.actor(torch.from_numpy(observations))
            chance: Any = MaskedCategorical(logits, torch.from_numpy(masks).bool())
            actions: npt.NDArray[np.int64] = chance.sample().numpy()
        return actions


def network(inputs: int, hidden: int, outputs: int, last_gain: float) -> nn.Sequential:
    """Returns two hidden layers with orthogonal weights."""
    layers = [nn.Linear(inputs, hidden), nn.Linear(hidden, hidden)]
    last = nn.Linear(hidden, outputs)
    for layer, gain in zip((*layers, last), (2**0.5, 2**0.5, last_gain), strict=True):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), last)


def train(args: Args) -> tuple[ActorCritic, list[Update]]:
    """Trains and returns the networks and the figures of every update."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(args.seed)

    # The sizes of the networks depend on the rules, so one environment is asked first.
    rules = None if args.rules == "default" else args.rules
    probe = gymnasium.make_vec(args.env_id, num_envs=1, rules=rules)
    size = probe.single_observation_space.shape[0]  # type: ignore[index]
    num_actions = int(probe.single_action_space.n)  # type: ignore[attr-defined]
    agent = ActorCritic(size, num_actions, args.hidden)
    optimizer = torch.optim.Adam(agent.parameters(), args.learning_rate, eps=1e-5)
    envs = gymnasium.make_vec(
        args.env_id,
        num_envs=args.num_envs,
        rules=rules,
        opponents=[agent if args.opponent == "self" else args.opponent],
        reward_scale=args.reward_scale,
        # A masked policy never does anything illegal; if it did, this would say so.
        on_illegal="raise",
        autoreset_mode="same_step",
    )

    # One row for each step, one column for each match.
    shape = (args.num_steps, args.num_envs)
    observations = torch.zeros((*shape, size))
    masks = torch.zeros((*shape, num_actions), dtype=torch.bool)
    actions = torch.zeros(shape, dtype=torch.int64)
    logprobs, rewards, ends, values = (torch.zeros(shape) for _ in range(4))

    seen, info = envs.reset(seed=args.seed)
    batch_size = args.num_steps * args.num_envs
    num_updates = -(-args.total_steps // batch_size)
    updates: list[Update] = []
    for update in range(num_updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (
            1 - update / num_updates
        )
        scores: list[float] = []
        illegal = 0

        # ------------------------------------------------------------------ play
        for step in range(args.num_steps):
            observations[step] = torch.from_numpy(seen)
            masks[step] = torch.from_numpy(info["action_mask"])
            with torch.no_grad():
                values[step] = agent.critic(observations[step]).squeeze(1)
                chance: Any = MaskedCategorical(
                    agent.actor(observations[step]), masks[step]
                )
                actions[step] = chance.sample()
                logprobs[step] = chance.log_prob(actions[step])
            legal = masks[step].gather(1, actions[step].unsqueeze(1))
            illegal += int((~legal).sum())
            seen, earned, over, _, info = envs.step(actions[step].numpy())
            rewards[step] = torch.from_numpy(earned)
            ends[step] = torch.from_numpy(over)
            if over.any():
                final = info["final_info"]
                scores += final["scores"][final["_scores"], 0].tolist()

        # ------------------------------------------- generalised advantage estimation
        with torch.no_grad():
            following = agent.critic(torch.from_numpy(seen)).squeeze(1)
            advantages = torch.zeros(shape)
            advantage = torch.zeros(args.num_envs)
            for step in reversed(range(args.num_steps)):
                # Beyond the end of a match there is nothing to expect.
                goes_on = 1 - ends[step]
                delta = rewards[step] + args.gamma * following * goes_on - values[step]
                advantage = delta + args.gamma * args.gae_lambda * goes_on * advantage
                advantages[step], following = advantage, values[step]
            returns = advantages + values

        # ------------------------------------------------------------------ learn
        flat = [
            part.reshape(batch_size, *part.shape[2:])
            for part in (observations, masks, actions, logprobs, advantages, returns)
        ]
        for _ in range(args.update_epochs):
            order = torch.from_numpy(rng.permutation(batch_size))
            for rows in order.chunk(args.num_minibatches):
                obs, mask, action, old_logprob, adv, ret = (part[rows] for part in flat)
                chance = MaskedCategorical(agent.actor(obs), mask)
                ratio = (chance.log_prob(action) - old_logprob).exp()
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
                policy_loss = -torch.min(adv * ratio, adv * clipped).mean()
                value_loss = (agent.critic(obs).squeeze(1) - ret).square().mean()
                entropy = chance.entropy().mean()
                loss = policy_loss - args.ent_coef * entropy + args.vf_coef * value_loss
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()
        updates.append(
            Update(
                steps=(update + 1) * batch_size,
                loss=loss.item(),
                entropy=entropy.item(),
                illegal=illegal,
                scores=tuple(scores),
            )
        )
    envs.close()
    return agent, updates


def parse(arguments: Sequence[str] | None = None) -> Args:
    """Reads the command line: every field of `Args` is an option."""
    parser = argparse.ArgumentParser(description="Masked PPO in one file.")
    for part in fields(Args):
        name = "--" + part.name.replace("_", "-")
        parser.add_argument(name, type=type(part.default), default=part.default)
    return Args(**vars(parser.parse_args(arguments)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains as the command line says, and prints how it went."""
    args = parse(arguments)
    begun = time.perf_counter()
    _, updates = train(args)
    for update in updates[:: max(1, len(updates) // 10)]:
        mean = np.mean(update.scores) if update.scores else float("nan")
        print(
            f"{update.steps:>9,} decisions  score {mean:7.2f}  "
            f"entropy {update.entropy:.3f}  loss {update.loss:8.4f}"
        )
    print(
        f"{updates[-1].steps / (time.perf_counter() - begun):,.0f} decisions a second"
    )


if __name__ == "__main__":
    main()
