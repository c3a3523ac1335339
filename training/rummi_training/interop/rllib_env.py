"""Matches for RLlib: the learner, frozen states of it and opponents at one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces

from rummi_agents.protocol import Agent, reset
from rummi_env.core.options import GameRules
from rummi_env.envs.keywords import RewardType
from rummi_env.envs.match import Match
from rummi_env.envs.spaces import flat_space
from rummi_env.envs.start import Start
from rummi_training.interop.absent import MissingFramework
from rummi_training.mirrored import make_player

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as error:
    raise MissingFramework("RLlib") from error

LEARNER = "learner"
"""Name of the policy that learns."""

Kind: TypeAlias = Literal["self_play", "league", "opponents"]
"""Whom the learner meets in a match."""

Seen: TypeAlias = dict[str, dict[str, Any]]


def frozen(place: int) -> str:
    """Returns the name of the policy at a place of the league."""
    return f"league_{place}"


def policy_of(agent: str) -> str:
    """Returns the name of the policy that decides for an agent."""
    return agent.partition(":")[0]


@dataclass(frozen=True)
class Table:
    """Who plays what; goes to every process that plays."""

    rules: GameRules
    """The rules."""

    num_players: int
    """Seats of every match."""

    opponents: tuple[str, ...]
    """Who is met, by name or checkpoint, where the learner does not meet itself."""

    self_play: float
    """Share of matches in which the learner holds every seat."""

    league: float
    """Share of matches against the league."""

    league_size: int
    """Places of the league."""

    reward: RewardType
    """What is paid."""

    reward_scale: float
    """What rewards are multiplied by."""


class MatchEnv(MultiAgentEnv):  # type: ignore[misc]
    """One match after the other.

    An agent is a policy on a seat, ``learner:0`` or ``league_2:1``, so a match has only
    some of the possible agents, and its policy can be told by its name. Opponents are
    no agents: they act inside `step`. Whom the learner meets and where it sits is drawn
    for each match.

    Only the agent that is to move is given an observation, a dict of ``observation``
    (float32[S]) and ``action_mask`` (int8[actions]); at the end of a match all are, so
    that everybody's last action is answered by its reward. The learner's info is then
    ``kind`` (see `Kind`), ``score`` and ``won``, its share in having won.

    Args:
        config: ``table``, a `Table`.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        self.table: Table = config["table"]
        table = self.table
        game = table.rules.GAME
        self._match = Match(table.rules, table.num_players, game=game)
        self._players = [make_player(name, game=game) for name in table.opponents]
        self._rng = np.random.default_rng()
        # Policies on seats, or opponents.
        self._seated: list[str | Agent] = []
        self._is_agent: list[bool] = []
        self._kind: Kind = "self_play"
        self._acted: set[int] = set()
        policies = [LEARNER, *map(frozen, range(table.league_size))]
        self.possible_agents = [
            f"{policy}:{seat}"
            for policy in policies
            for seat in range(table.num_players)
        ]
        self.agents: list[str] = []
        num_actions = self._match.engine.num_actions
        space = spaces.Dict(
            {
                "observation": flat_space(
                    self._match.game.seeing.fields(table.rules, table.num_players)
                ),
                "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(
            self.possible_agents, spaces.Discrete(num_actions)
        )

    # ------------------------------------------------------------------ playing

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, Seen]:
        """Starts a match that has a decision for one of the agents.

        Args:
            seed: of all chance from here on; without one it goes on as it was.
            options: none are known; RLlib gives an empty dict.

        Returns:
            The observation of the agent to move, and infos, which are empty.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        while True:
            self._seat_players()
            self._match.start(int(self._rng.integers(2**63)), Start())
            self._acted.clear()
            rewards = np.zeros(self.table.num_players)
            self._play_opponents(rewards)
            # Rewards of rounds that end before anybody has decided are nobody's.
            if not self._match.over:
                return self._observations([self._match.seat]), {}

    def step(
        self, action_dict: Mapping[str, int]
    ) -> tuple[Seen, dict[str, float], dict[str, bool], dict[str, bool], Seen]:
        """Performs the action of the agent to move.

        Args:
            action_dict: its action, by its name.

        Returns:
            Observations, rewards, terminations, truncations and infos by agent.

        Raises:
            IllegalAction: the mask does not have the action.
        """
        match = self._match
        seat = match.seat
        action = int(action_dict[self._name(seat)])
        if not match.mask_items[action]:
            raise match.refusal(action)
        self._acted.add(seat)
        earned = np.zeros(self.table.num_players)
        match.act(action)
        self._count(earned)
        self._play_opponents(earned)
        scale = self.table.reward_scale
        rewards = {
            self._name(other): float(earned[other] * scale)
            for other in range(self.table.num_players)
            if self._is_agent[other] and (other in (seat, match.seat) or earned[other])
        }
        over = match.over
        ends = {"__all__": over}
        if not over:
            return (
                self._observations([match.seat]),
                rewards,
                ends,
                {"__all__": False},
                {},
            )
        seats = sorted(self._acted)
        ends |= {self._name(other): True for other in seats}
        return (
            self._observations(seats),
            {self._name(other): float(earned[other] * scale) for other in seats},
            ends,
            {"__all__": False},
            self._results(seats),
        )

    # ------------------------------------------------------------------ inside

    def _seat_players(self) -> None:
        """Draws whom the learner meets, and the seats."""
        table, rng = self.table, self._rng
        others = table.num_players - 1
        drawn = rng.random()
        if drawn < table.self_play:
            self._kind = "self_play"
            seated: list[Any] = [LEARNER] * table.num_players
        elif drawn < table.self_play + table.league:
            self._kind = "league"
            places = rng.integers(table.league_size, size=others).tolist()
            seated = [LEARNER, *map(frozen, places)]
        else:
            self._kind = "opponents"
            chosen = rng.integers(len(self._players), size=others).tolist()
            seated = [LEARNER, *(self._players[place] for place in chosen)]
        first = int(rng.integers(table.num_players))
        order = [(seat - first) % table.num_players for seat in range(len(seated))]
        self._seated = [seated[place] for place in order]
        self._is_agent = [self._kind != "opponents" or place == 0 for place in order]
        self.agents = [
            self._name(seat) for seat, ours in enumerate(self._is_agent) if ours
        ]
        for player in self._seated:
            if not isinstance(player, str):
                reset(player)

    def _name(self, seat: int) -> str:
        return f"{self._seated[seat]}:{seat}"

    def _play_opponents(self, earned: np.ndarray[Any, Any]) -> None:
        """Lets opponents act up to the next decision of an agent."""
        match = self._match
        while not match.over and not self._is_agent[match.seat]:
            player = self._seated[match.seat]
            if isinstance(player, str):
                action = match.engine.scripted_action(match.games, 0, player)
            else:
                action = player.act(
                    match.observation(match.seat),
                    match.mask.copy(),
                    match.turn(),
                    self._rng,
                )
                if not match.mask[action]:
                    raise match.refusal(action)
            match.act(action)
            self._count(earned)

    def _count(self, earned: np.ndarray[Any, Any]) -> None:
        """Adds what the last action has brought to each seat, unscaled."""
        if self._match.round_ended:
            earned += self._match.round_rewards(self.table.reward)

    def _observations(self, seats: list[int]) -> Seen:
        match = self._match
        nothing = np.zeros(len(match.mask), np.int8)
        return {
            self._name(seat): {
                "observation": match.observation(seat),
                "action_mask": nothing if match.over else match.mask.copy(),
            }
            for seat in seats
        }

    def _results(self, seats: list[int]) -> Seen:
        shares = self._match.shares()
        totals = self._match.games["totals"][0]
        return {
            self._name(seat): {
                "kind": self._kind,
                "score": float(totals[seat]),
                "won": float(shares[seat]),
            }
            for seat in seats
            if self._seated[seat] == LEARNER
        }
