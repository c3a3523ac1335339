"""A position as a player sees it, and what it can look up in it before it plays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_agents.habits import Standing
from rummi_agents.protocol import Observation
from rummi_env.core.rulesets import MAX_PLAYERS, MIN_PLAYERS, RuleSet
from rummi_env.core.tiles import NUM_COUNTS
from rummi_env.games.rummikub.endgames import Line
from rummi_env.games.rummikub.scripted import PATIENT
from rummi_env.games.rummikub.searching import END, LIST, PLAY_OUT, REPLY, look
from rummi_env.games.rummikub.state import (
    NO_TURNS_LEFT,
    PLAY_PHASE,
    UNTIL_STUCK,
    Rules,
    coded,
)
from rummi_env.observation import Field, fields, size_of
from rummi_env.solver import Turn
from rummi_env.solver.names import NO_NAME
from rummi_env.solver.tables import Tables, solver_tables
from rummi_env.solver.workspace import Workspace, make_workspace


class Look(NamedTuple):
    """What is asked about one position."""

    codes: Rules
    tools: tuple[Workspace, Tables]
    line: Line
    players: npt.NDArray[np.int64]
    shown: int
    ending: float

    @property
    def plays(self) -> npt.NDArray[np.int8]:
        """int8[n, 53]; the turns of the position that were listed last."""
        plays: npt.NDArray[np.int8] = self.line.plays[0]
        return plays

    def candidates(self, thorough: bool) -> int:
        """Lists candidates; returns how many."""
        return self._ask(LIST, int(thorough))[0]

    def play_out(
        self, seeds: npt.NDArray[np.uint64], active: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """Plays on after some candidates; float64[draws, m], the scores.

        Players who all wait until the pool is empty have large racks then, and what
        follows takes longer than all before; it is searched when it comes and counts as
        even until then.
        """
        waiting = (
            self.codes.pool_empty == UNTIL_STUCK
            and int(self.line.games[0]["pool_size"]) > 0
            and bool((self.players[1:] == PATIENT).all())
        )
        drawn, scores = self._ask(PLAY_OUT, int(waiting), seeds, active)
        return scores[:drawn]

    def reply(self, most: int, positions: int) -> int:
        """Returns the best turn, the others doing what their baselines do."""
        return self._ask(REPLY, most, positions=positions)[0]

    def end(self, which: int, turns: int, positions: int) -> int:
        """Returns the best turn of two, the other doing its best as well."""
        return self._ask(END, which, active=np.array([turns]), positions=positions)[0]

    def _ask(
        self,
        question: int,
        number: int,
        seeds: npt.NDArray[np.uint64] | None = None,
        active: npt.NDArray[np.int64] | None = None,
        positions: int = 0,
    ) -> tuple[int, npt.NDArray[np.float64]]:
        seeds = np.zeros(1, np.uint64) if seeds is None else seeds
        active = np.zeros(1, np.int64) if active is None else active
        values = np.zeros((len(seeds), len(active)))
        answer = look(
            question, self.line, self.codes, *self.tools, self.players, number,
            self.shown, seeds, active, values, np.array([positions]), self.ending,
        )  # fmt: skip
        return int(answer), values


class Seat:
    """Reads observations of one number of players under one set of rules.

    Attributes:
        codes: the rules in numbers, for matches of one round.
        tools: scratch and tables for the solver.
    """

    def __init__(self, rules: RuleSet, num_players: int) -> None:
        """Takes the rules and how many play."""
        self.codes = coded(rules.replace(rounds=1), num_players)
        self.tools = (make_workspace(), solver_tables(rules.colors))
        self._deck = rules.deck
        self._players = num_players
        self._parts = fields(rules, num_players)

    def key(self, observation: Observation, turn: Turn) -> tuple[bytes, ...]:
        """Returns what tells a turn from others, whatever was played in it."""
        names = ("known", "pool_size", "opened", "last_turn", "passes", "round")
        sizes = observation[self._parts["rack_sizes"].slice][1:]
        return (
            turn.board.tobytes(),
            turn.rack.tobytes(),
            sizes.tobytes(),
            *(observation[self._parts[name].slice].tobytes() for name in names),
        )

    def may_demand(self, observation: Observation) -> bool:
        """Whether a new deal may be demanded now, in place of a turn."""
        return bool(self._read(observation, "phase")[0])

    def standing(self, observation: Observation) -> Standing:
        """Returns what everybody sees."""
        last_turns = self._read(observation, "last_turn").reshape(self._players, -1)
        return Standing(
            sizes=self._read(observation, "rack_sizes"),
            opened=self._read(observation, "opened").astype(np.bool_),
            last_turns=last_turns.argmax(axis=1),
            pool=int(self._read(observation, "pool_size")[0]),
        )

    def fill(
        self,
        games: npt.NDArray[np.void],
        observation: Observation,
        turn: Turn,
        chance: np.random.Generator,
    ) -> bool:
        """Puts the game in place as it is seen; seats count from the one to move.

        Tiles that are not seen lie on the other racks and in the pool as they come.

        Args:
            games: `GAME`[1]; filled.
            observation: at the start of a turn.
            turn: the turn.
            chance: source of chance.

        Returns:
            Whether the game can be no other: all tiles that are not seen are on one
            rack.
        """
        games.view(np.uint8)[:] = 0
        game = games[0]
        now = self.standing(observation)
        players = self._players
        known = self._read(observation, "known").reshape(players - 1, NUM_COUNTS)
        game["table"] = turn.board
        game["racks"][0] = turn.rack
        game["known"][1:players] = known
        game["racks"][1:players] = known
        unseen = self._deck - turn.board - turn.rack - known.sum(axis=0)
        tiles = chance.permutation(np.repeat(np.arange(NUM_COUNTS), unseen))
        certain = players == 2 and len(tiles) == now.sizes[1] - known.sum()
        for seat in range(1, players):
            missing = int(now.sizes[seat] - known[seat - 1].sum())
            mine, tiles = tiles[:missing], tiles[missing:]
            game["racks"][seat] += np.bincount(mine, minlength=NUM_COUNTS).astype(
                np.int8
            )
        game["pool"][: now.pool] = tiles[: now.pool]
        games["pool_size"] = now.pool
        game["opened"][:players] = now.opened
        game["last_turn"][:players] = now.last_turns
        games["phase"] = PLAY_PHASE
        games["passes"] = self._read(observation, "passes")[0]
        left = int(self._read(observation, "turns_left")[0])
        games["turns_left"] = left if left > 0 else NO_TURNS_LEFT
        game["joker_sets"][:] = turn.sets
        games["together"] = turn.together
        game["named"][:] = NO_NAME
        return bool(certain)

    def _read(self, observation: Observation, name: str) -> npt.NDArray[np.int64]:
        part: Field = self._parts[name]
        values: npt.NDArray[np.int64] = np.rint(
            observation[part.slice] / part.scale
        ).astype(np.int64)
        return values


def players_of(rules: RuleSet, size: int) -> int:
    """Returns how many play, by the size of an observation.

    Raises:
        ValueError: there is no such observation under the rules.
    """
    for num_players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        if num_players * rules.rack_size > rules.num_tiles:
            break
        if size_of(fields(rules, num_players).values()) == size:
            return num_players
    raise ValueError(
        f"an observation of {size} values is none of {rules}, with 2 to 4 players"
    )
