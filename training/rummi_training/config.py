"""What a training run is made of: typed, checked, with a reason to be for each field.

Files in YAML hold only what differs from the defaults here.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self

import yaml

from rummi_agents.policy_files import RULES, NetworkConfig
from rummi_env.core.options import (
    Allowed,
    GameRules,
    none_or,
    one_of,
    option,
    whole,
)
from rummi_env.envs.keywords import REWARDS
from rummi_training.config_fields import (
    Checked,
    names,
    number,
    numbers,
    plain,
    read_fields,
    text,
)
from rummi_training.rules_text import DEFAULT, read_rules_of

METHODS = ("imitate", "ppo")
"""Ways to learn."""

GAMES_OF_KINDS = {"by_card": "rummy", "by_form": "tabla"}
"""Games of the networks that are for one game alone."""


def methods() -> Allowed:
    """Allow one method or more."""
    return Allowed(
        f"a list of {' and '.join(METHODS)}",
        lambda value: (
            isinstance(value, tuple)
            and bool(value)
            and all(one in METHODS for one in value)
        ),
    )


@dataclass(frozen=True)
class PPOConfig(Checked):
    """Proximal policy optimisation, as MaskablePPO of sb3-contrib has it."""

    learning_rate: float = option(1e-3, number(0, 1))
    """Step of the optimiser at the start."""

    final_learning_rate: float = option(5e-5, number(0, 1))
    """Step of the optimiser at the end; in between it goes straight."""

    rollout_steps: int = option(64, whole(1, 100_000))
    """Decisions of each environment between two updates."""

    batch_size: int = option(1024, whole(2, 1_000_000))
    """Decisions in one step of the optimiser."""

    epochs: int = option(4, whole(1, 100))
    """How often every decision is used."""

    discount: float = option(1.0, number(0, 1))
    """What a reward is worth one decision earlier; a match is short, so 1."""

    gae_lambda: float = option(0.95, number(0, 1))
    """How far advantages trust the rewards more than the critic."""

    clip_range: float = option(0.2, number(0, 10))
    """How far the policy may move in one update."""

    entropy_weight: float = option(0.01, number(0, 10))
    """Weight of the policy's entropy, which keeps it trying things."""

    value_weight: float = option(0.5, number(0, 10))
    """Weight of the critic's error."""

    max_gradient: float = option(0.5, number(0, 1000))
    """Longest gradient; longer ones are shortened."""


@dataclass(frozen=True)
class ImitationConfig(Checked):
    """The method ``imitate``: learning what a teacher would do (DAgger).

    The student plays, the teacher says what it would have done, and the student learns
    that by cross-entropy; the critic learns what the student scores meanwhile.
    """

    teacher: str = option("max_tiles", text())
    """Who is imitated, by name or checkpoint."""

    total_steps: int = option(200_000, whole(1, 10**12))
    """Decisions, rounded up to whole updates."""

    teacher_steps: int = option(20_000, whole(0, 10**12))
    """In the first decisions the teacher plays at times: always at first, then less."""

    learning_rate: float = option(1e-3, number(0, 1))
    """Step of the optimiser at the start."""

    final_learning_rate: float = option(1e-4, number(0, 1))
    """Step of the optimiser at the end; in between it goes straight."""

    memory: int = option(50_000, whole(1, 10**9))
    """Decisions that are learned from, the latest ones; a checkpoint empties it."""

    smoothing: float = option(0.0, number(0, 0.9))
    """Part of every label that is spread over all legal actions.

    It leaves the student with some doubt, without which PPO would try nothing after it.
    """

    batches: int = option(16, whole(1, 100_000))
    """Steps of the optimiser in an update, each on ``ppo.batch_size`` decisions."""


@dataclass(frozen=True)
class LeagueConfig(Checked):
    """Whom the learner meets besides ``opponents``, and how often.

    Opponents are drawn anew at every checkpoint.
    """

    snapshots: int = option(0, whole(0, 1000))
    """Earlier states of the learner that are kept, the latest ones; 0: none."""

    share: float = option(0.5, number(0, 1))
    """Part of the seats that earlier states hold, once there are some."""

    priority: float = option(0.0, number(0, 100))
    """Members are met in proportion to this power of how often the learner loses to
    them; 0: all alike."""

    tables: int = option(8, whole(1, 100_000))
    """How many different tables there are at a time, each in a part of the
    environments."""

    @property
    def active(self) -> bool:
        """Whether opponents are drawn at all."""
        return self.snapshots > 0 or self.priority > 0


@dataclass(frozen=True)
class RLlibConfig(Checked):
    """What only training by RLlib, with ``backend: rllib``, asks for."""

    address: str | None = option(None, none_or(text()))
    """Ray cluster to run on, as ``ray.init`` takes it: ``host:port`` or ``auto``.

    None starts Ray on this machine, for this run alone.
    """

    env_runners: int = option(2, whole(0, 100_000))
    """Processes that play, wherever the cluster has room; 0: the learner plays itself.

    The environments are split among them.
    """

    self_play: float = option(0.5, number(0, 1))
    """Share of matches in which the learner holds every seat."""

    league: float = option(0.25, number(0, 1))
    """Share of matches against frozen earlier states of the learner.

    In the rest of the matches it meets ``opponents``.
    """

    league_size: int = option(4, whole(1, 100))
    """Frozen states that are kept; at first all of them are the untrained learner."""

    league_every: int = option(100_000, whole(1, 10**12))
    """Decisions of the learner after which its state replaces the oldest one."""

    cpus: int | None = option(None, none_or(whole(1, 100_000)))
    """Processors for a Ray that is started here; all of them by default."""

    store_megabytes: int | None = option(None, none_or(whole(80, 10**7)))
    """Shared memory for a Ray that is started here; as Ray chooses by default."""

    sample_seconds: float = option(120.0, number(1, 10**6))
    """How long to wait for a process that plays before going on without it."""

    def __post_init__(self) -> None:
        """Check every field, and that the shares leave none below zero."""
        super().__post_init__()
        if self.self_play + self.league > 1:
            raise ValueError(
                "self_play and league must not exceed 1 together, but are "
                f"{self.self_play:g} and {self.league:g}"
            )


@dataclass(frozen=True)
class EvaluationConfig(Checked):
    """What `rummi quickstart` plays after training."""

    opponents: tuple[str, ...] = option(("random", "max_tiles"), names())
    """Who is played against, each in an evaluation of its own."""

    deals: int = option(200, whole(2, 1_000_000))
    """Mirrored deals for each of them."""

    seed: int = option(1, whole(0, 2**63 - 1))
    """Seed of the deals and of all chance in the games."""


@dataclass(frozen=True)
class TrainConfig(Checked):
    """A training run."""

    rules: str = option(DEFAULT, text())
    """A preset, with changes if need be: ``official,jokers=0``; or a YAML file.

    ``default`` is the first preset of the game.
    """

    num_players: int = 2
    """Players of every match, the learner and opponents; the rules say how many may."""

    fewest_players: int | None = None
    """With it the environments have from so many to ``num_players`` players in turn,
    and the policy plays with any of these numbers."""

    game: str = option("rummikub", one_of(*RULES))
    """What is played."""

    method: tuple[str, ...] = option(("ppo",), methods())
    """How to learn, one after the other, each going on from what the last one has
    learned: ``imitate`` a teacher, ``ppo``."""

    backend: Literal["sb3", "rllib"] = option("sb3", one_of("sb3", "rllib"))
    """What trains: MaskablePPO here, or RLlib on a Ray cluster (extra ``interop``)."""

    opponents: tuple[str, ...] = option(("random",), names())
    """Who holds the other seats, by name or checkpoint.

    The environments are given opponents from this list in turn, so a name that comes
    twice is met twice as often.
    """

    total_steps: int = option(1_000_000, whole(1, 10**12))
    """Decisions of the learner by PPO, rounded up to whole updates."""

    num_envs: int = option(64, whole(1, 100_000))
    """Matches that are played side by side."""

    seed: int = option(0, whole(0, 2**31 - 1))
    """Seed of all chance: weights, deals, the learner's and the opponents' choices."""

    reward: Literal["score", "difference", "win"] = option("score", one_of(*REWARDS))
    """Whether the learner is paid its score, what it has above the mean of the others,
    or for a match won.

    The first two are much the same where the scores of a round add up to zero, and are
    not in Rummy, where only the winner scores.
    """

    reward_scale: float = option(0.02, number(1e-9, 1e9))
    """What rewards are multiplied by: a lost rack is worth some tens of points."""

    checkpoint_every: int = option(100_000, whole(1, 10**12))
    """Decisions between checkpoints.

    At a checkpoint all matches start anew, so that a run that was stopped goes on
    exactly as if it had not been.
    """

    keep_checkpoints: int = option(3, whole(0, 1_000_000))
    """How many checkpoints are kept; 0 keeps them all."""

    threads: int = option(1, whole(1, 1024))
    """Threads for torch. With one, the same seed gives the same numbers."""

    env_threads: int = option(2, whole(1, 1024))
    """Threads that play the matches; the numbers do not depend on it."""

    device: str = option("cpu", text())
    """Where torch computes."""

    network: NetworkConfig = field(default_factory=NetworkConfig)
    """The networks of the policy and of its critic."""

    start: tuple[float, ...] = option((), numbers())
    """What is added at the start to the logits of the actions that stand for no kind:
    by it the untrained policy prefers some, with no teacher. For whole turns these are
    nothing, the whole rack, without jokers, with jokers, fewest tiles."""

    privileged_critic: bool = False
    """Whether the critic sees in training what is hidden from the policy."""

    ppo: PPOConfig = field(default_factory=PPOConfig)
    """How the policy learns by PPO."""

    imitation: ImitationConfig = field(default_factory=ImitationConfig)
    """How it learns from a teacher."""

    league: LeagueConfig = field(default_factory=LeagueConfig)
    """Whom it meets besides the opponents."""

    rllib: RLlibConfig = field(default_factory=RLlibConfig)
    """What only RLlib asks for."""

    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)
    """What `rummi quickstart` plays after training."""

    def __post_init__(self) -> None:
        """Check every field, and that the rules go with the number of players."""
        super().__post_init__()
        rules = self.read_rules()
        rules.check_players(self.num_players)
        fewest = self.fewest_players
        if fewest is not None:
            rules.check_players(fewest)
            if fewest > self.num_players:
                raise ValueError(
                    f"fewest_players must not exceed num_players, {self.num_players}, "
                    f"but is {fewest}"
                )
            if self.network.chooses == "actions" and fewest != self.num_players:
                raise ValueError(
                    "fewest_players goes with network.chooses: turns, not with "
                    f"{self.network.chooses!r}"
                )
        if self.network.kind in GAMES_OF_KINDS:
            self._check_kind()
        if self.backend == "rllib":
            self._check_rllib()

    def _check_kind(self) -> None:
        """Refuse what networks over what racks can become do not go with."""
        kind = self.network.kind
        game = GAMES_OF_KINDS[kind]
        if (self.game, self.backend) != (game, "sb3"):
            raise ValueError(
                f"network.kind {kind!r} must go with game {game} and backend sb3, not "
                f"with {self.game} and {self.backend}"
            )
        if self.privileged_critic or self.start:
            raise ValueError(
                f"privileged_critic and start do not go with network.kind {kind!r}"
            )

    def _check_rllib(self) -> None:
        """Refuse what only training here can do."""
        without: dict[str, object] = {
            "method": ("ppo",),
            "start": (),
            "privileged_critic": False,
            "league": LeagueConfig(),
            "fewest_players": None,
        }
        for name, value in without.items():
            if getattr(self, name) != value:
                raise ValueError(f"{name} goes with backend: sb3, not with rllib")
        if self.network.chooses != "actions":
            raise ValueError(
                f"network.chooses: {self.network.chooses} goes with backend: sb3, not "
                "with rllib"
            )

    def read_rules(self) -> GameRules:
        """Returns the rules.

        Raises:
            ValueError: there are no such rules.
        """
        return read_rules_of(self.game, self.rules)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Reads a file.

        Raises:
            ValueError: it is missing, no YAML, or has an unknown key or a wrong value;
                one sentence names the file and the key.
        """
        try:
            fields = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {error.strerror}") from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            problem = " ".join(str(error).split())
            raise ValueError(f"{path} is no YAML: {problem}") from error
        try:
            return read_fields(cls, {} if fields is None else fields)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    def to_yaml(self) -> str:
        """Returns every field as YAML, in the order of declaration."""
        fields = plain(dataclasses.asdict(self))
        dumped: str = yaml.safe_dump(fields, sort_keys=False)
        return dumped
