"""A player that lists the plays of its turn and takes the one it values most."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rummi_agents.planned import Planned
from rummi_agents.policy_files import Arrays, PolicyDescription
from rummi_agents.protocol import Observation
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS, Counts
from rummi_env.games.rummikub.afterstates import MEMORY, MOST_DRAWN, features_size
from rummi_env.games.rummikub.state import GAME, LAID, NO_TURN, PLAY_PHASE, coded
from rummi_env.games.rummikub.whole_turns import LIST, turns
from rummi_env.observation import fields, size_of
from rummi_env.solver import Turn
from rummi_env.solver.entries import single_tiles
from rummi_env.solver.tables import solver_tables
from rummi_env.solver.workspace import make_workspace

MOST_TURNS = 64
"""Plays that are weighed; of more, the one of most tiles and others at random."""


class Valued(Planned):
    """Takes the turn after which its network values the position most.

    Besides what is in the observation it remembers the course of the round: whoever
    leaves a tile unplayed that the table would have taken probably does not have it.

    Attributes:
        name: what tables and plots call it.
        description: what it was trained for.
        folder: the checkpoint that it was loaded from, if it was.
    """

    games: ClassVar[tuple[str, ...]] = ("rummikub",)
    folder: Path | None = None

    orders: ClassVar[Sequence[int]] = (0, 7, 16, 23)
    """Orders of the colors over which values are averaged: each color comes once in
    each place."""

    def __init__(
        self,
        description: PolicyDescription,
        weights: Arrays,
        name: str,
        device: str = "cpu",
    ) -> None:
        """Builds the network and fills in the weights.

        Args:
            description: what it was trained for, and its network.
            weights: by name, as `turn_values.TurnValues` names them.
            name: what tables and plots call it.
            device: where the network computes, in the words of torch.

        Raises:
            ValueError: the weights do not fit the network, the rules are none that it
                can play, there is no such device, or torch is not installed.
        """
        try:
            import torch

            from rummi_agents.network import with_weights
            from rummi_agents.turn_values import TurnValues
        except ImportError as error:
            raise ValueError(
                "trained agents need the extra 'train': pip install 'rummi-env[train]'"
            ) from error
        self.name = name
        self.description = description
        self._torch: Any = torch
        rules, players = description.rules, description.num_players
        if not isinstance(rules, RuleSet) or coded(rules, players).turn.jokers:
            raise ValueError(
                f"{name} lists whole turns, which is possible with free jokers and "
                f"openings that leave the table alone, not under {rules}"
            )
        net = TurnValues(description.network.hidden, players)
        self._network, self._device = with_weights(net, weights, name, device)
        self._rules = rules
        self._codes = coded(rules, players)
        self._course = Course(rules, players)
        self._tools = (make_workspace(), solver_tables(rules.colors))
        self._counts = np.zeros(1, np.int64)
        self._plays = np.zeros((1, MOST_TURNS, NUM_COUNTS), np.int8)
        self._left = np.zeros((1, MOST_TURNS, NUM_KINDS), np.int8)
        self._more = np.zeros((1, MOST_TURNS), np.int8)
        self._features = np.zeros((1, MOST_TURNS, features_size(players)), np.float32)

    def reset(self) -> None:
        """Forgets the match."""
        super().reset()
        self._course.forget()

    def moment(self, observation: Observation, turn: Turn) -> tuple[object, ...]:
        """Returns what tells a turn from others of the match."""
        return (*super().moment(observation, turn), *self._course.seen(observation))

    def plan(self, observation: Observation, turn: Turn) -> Counts:
        """Returns the tiles of the turn that is valued most.

        Raises:
            ValueError: the game is another than the one it was trained for.
        """
        self._check(observation, turn)
        whole = turn.unlimited().continued(turn.rack, np.zeros_like(turn.played))
        game = self._course.game(observation, whole, self._tools)
        turns(
            LIST, game, self._course.memory, np.zeros(1, np.int64), 0, 1, self._counts,
            self._codes, *self._tools, self._counts, self._plays, self._left,
            self._more, self._features,
        )  # fmt: skip
        number = int(self._counts[0])
        plays = self._plays[0, :number]
        values = self._values(self._features[0, :number])
        # Somebody else may have begun the turn.
        values[(plays < turn.played).any(axis=1)] = -np.inf
        best = int(values.argmax())
        if values[best] == -np.inf:
            play = turn.unlimited().best("tiles")
            return turn.played if play is None else play.counts
        chosen: Counts = plays[best].copy()
        return chosen

    def _values(self, features: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Returns the value of each position, the mean over some orders of colors."""
        torch = self._torch
        with torch.inference_mode():
            batch = torch.from_numpy(features).to(self._device)
            several = [
                self._network(self._network.recolored(batch, order))
                for order in self.orders
            ]
            values: npt.NDArray[np.float32] = torch.stack(several).mean(0).cpu().numpy()
        return values

    def _check(self, observation: Observation, turn: Turn) -> None:
        played, wanted = coded(turn.rules, 2).turn, self._codes.turn
        if (
            observation.size != self._course.size
            or turn.rules.jokers != self._rules.jokers
            or played != wanted
        ):
            raise ValueError(
                f"{self.name} was trained for {self.description.num_players} players "
                f"under {self._rules}"
            )


class Course:
    """What a player remembers of a round; see `afterstates.MEMORY`.

    It sees the others when its own turn comes, so of the tables that they left it
    knows the last one and the one that it had left itself.

    Attributes:
        size: values of an observation.
        memory: `MEMORY`[1].
    """

    def __init__(self, rules: RuleSet, num_players: int) -> None:
        self._rules = rules
        self._players = num_players
        parts = fields(rules, num_players)
        self.size = size_of(parts.values())
        self._parts = {
            name: parts[name]
            for name in (
                "rack_sizes", "opened", "last_turn", "pool_size", "turns_left",
                "passes", "round",
            )
        }  # fmt: skip
        self.memory = np.zeros(1, MEMORY)
        self._game = np.zeros(1, GAME)
        self.forget()

    def forget(self) -> None:
        """Begins a round."""
        self.memory["since"] = self._rules.rack_size
        self.memory["liberties"] = 0
        self._sizes = np.full(self._players, self._rules.rack_size)
        self._opened = np.zeros(self._players, np.bool_)
        self._turns = 0
        self._round = 0.0

    def seen(self, observation: Observation) -> tuple[bytes, ...]:
        """Returns what changes from turn to turn, whatever is played in this one."""
        parts = (self._parts[name] for name in ("last_turn", "pool_size", "round"))
        sizes = observation[self._parts["rack_sizes"].slice][1:]
        return (sizes.tobytes(), *(observation[p.slice].tobytes() for p in parts))

    def game(
        self, observation: Observation, turn: Turn, tools: tuple[Any, Any]
    ) -> npt.NDArray[np.void]:
        """Notes what happened since the last turn; returns the game as it is seen.

        Args:
            observation: at the start of a turn.
            turn: the turn, with nothing played.
            tools: scratch and tables for the solver.

        Returns:
            `GAME`[1]; of the other racks it has the sizes only.
        """
        now = {
            name: np.rint(observation[part.slice] / part.scale).astype(np.int64)
            for name, part in self._parts.items()
        }
        if now["round"][0] != self._round:
            self.forget()
            self._round = now["round"][0]
        before = int(self.memory["liberties"][0])
        free = self._rules.deck - turn.board
        after = int(single_tiles(*tools, self._rules.numbers, turn.board, free))
        last_turns = now["last_turn"].reshape(self._players, -1).argmax(axis=1)
        since = self.memory["since"][0]
        for other in range(1, self._players):
            if last_turns[other] == NO_TURN:
                continue
            known = after if other == self._players - 1 else before & after
            if self._opened[other]:
                since[other, [kind for kind in range(52) if known >> kind & 1]] = 0
            if last_turns[other] != LAID:
                drawn = max(now["rack_sizes"][other] - self._sizes[other], 0)
                since[other] = np.minimum(since[other] + drawn, MOST_DRAWN)
        self.memory["liberties"] = after
        self._sizes = now["rack_sizes"]
        self._opened = now["opened"].astype(np.bool_)
        game = self._game
        game["table"] = turn.board
        game["racks"] = 0
        game["racks"][0, : self._players, 0] = now["rack_sizes"]
        game["racks"][0, 0] = turn.rack
        game["opened"][0, : self._players] = now["opened"]
        game["last_turn"][0, : self._players] = last_turns
        game["pool_size"] = now["pool_size"][0]
        game["turns_left"] = now["turns_left"][0]
        game["passes"] = now["passes"][0]
        game["phase"] = PLAY_PHASE
        game["turn"] = self._turns * self._players
        game["seed"] = self._turns
        game["mask"] = 0
        game["mask"][0, : turn.mask.size] = turn.mask
        self._turns += 1
        return game
