"""The environments that a policy learns in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import gymnasium
from gymnasium.vector import VectorEnv

import rummi_env  # noqa: F401  (registers the environments' ids)
from rummi_agents import Agent, make_agent
from rummi_agents.network import added_inputs
from rummi_agents.policy_files import PolicyDescription
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.game import game_named
from rummi_training.config import TrainConfig
from rummi_training.league import League, Member, as_agent
from rummi_training.vec_env import MaskedVecEnv

Part = VectorEnv[Any, Any, Any]


class Seating:
    """Makes players of the members of a league, each of them once.

    Args:
        config: the run.
    """

    def __init__(self, config: TrainConfig) -> None:
        self._config = config
        self._made: dict[str, str | Agent] = {}

    def player(self, name: str) -> str | Agent:
        """Returns a named player: its name if it is played compiled.

        Raises:
            ValueError: there is no such player.
        """
        if name not in self._made:
            game = self._config.game
            scripted = name in game_named(game).scripted
            self._made[name] = name if scripted else make_agent(name, game)
        return self._made[name]

    def parts(self, tables: Sequence[tuple[Member, ...]]) -> list[Part]:
        """Returns vector environments in which the learner meets these opponents.

        Raises:
            ValueError: the rules, the number of players or an opponent are impossible.
        """
        earlier = {
            id(member): as_agent(member, description_of(self._config))
            for table in tables
            for member in table
            if member.weights is not None
        }
        seated = [
            tuple(earlier.get(id(one)) or self.player(one.name) for one in table)
            for table in tables
        ]
        if self._config.network.chooses == "actions":
            return [
                self._by_tiles(table, len(list(alike)))
                for table, alike in groupby(seated)
            ]
        return [self._by_turns(list(alike)) for _, alike in groupby(seated, len)]

    def _by_tiles(self, opponents: tuple[Any, ...], number: int) -> Part:
        config = self._config
        return gymnasium.make_vec(
            f"rummi/{config.game.capitalize()}-v0",
            num_envs=number,
            rules=config.read_rules(),
            opponents=list(opponents),
            reward=config.reward,
            reward_scale=config.reward_scale,
            on_illegal="raise",
            privileged=config.privileged_critic,
            autoreset_mode="same_step",
            threads=config.env_threads,
            copy=False,
        )

    def _by_turns(self, tables: list[tuple[Any, ...]]) -> Part:
        from rummi_training.turn_tables import TurnTables

        config = self._config
        rules = config.read_rules()
        if not isinstance(rules, RuleSet):
            raise ValueError(
                f"whole turns can be chosen in rummikub, not in {rules.GAME}"
            )
        return TurnTables(
            rules,
            tables,
            seen_as=config.num_players,
            reward=config.reward,
            reward_scale=config.reward_scale,
        )


def make_vec_env(
    config: TrainConfig, tables: Sequence[tuple[Member, ...]] | None = None
) -> MaskedVecEnv:
    """Makes the environments of a run, seeded by whoever resets them.

    Those whose learners meet the same opponents are one batch; where whole turns are
    chosen, those of as many players. The info of a match that is over has ``scores``,
    the learner's first, and ``won``, its share in having won.

    Args:
        config: the run.
        tables: the opponents of each environment; by default those of its beginning.

    Raises:
        ValueError: the rules, the number of players or an opponent are impossible.
    """
    seated = League(config).draw(0) if tables is None else tables
    parts = Seating(config).parts(seated)
    added = added_inputs(config.network, config.read_rules(), config.num_players)
    return MaskedVecEnv(parts, states=_states(config), added=added)


def _states(config: TrainConfig) -> bool:
    """Tells whether observations are to be replaced by states; turns are so anyway."""
    return config.privileged_critic and config.network.chooses == "actions"


def description_of(config: TrainConfig, **training: Any) -> PolicyDescription:
    """Returns what the policy of a run is for.

    Args:
        config: the run.
        training: for people: how it came about.
    """
    return PolicyDescription(
        rules=config.read_rules(),
        num_players=config.num_players,
        network=config.network,
        training=training,
        fewest_players=config.fewest_players,
    )
