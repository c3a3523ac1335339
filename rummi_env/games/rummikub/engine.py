"""Games of one rule set, in Python: the typed front of the turn machine.

Everything that plays Rummikub goes through an `Engine`: the environments, the twin that
checks it, agents that search. It holds the rules, the solver's tables and scratch; the
games themselves are arrays of `GAME` records that the caller owns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rummi_env.core.deals import Deal
from rummi_env.core.melds import Meld
from rummi_env.core.notation import table_counts
from rummi_env.core.positions import Position
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import counts_of
from rummi_env.games.chance import random_below
from rummi_env.games.rummikub.dealing import clear_round, start_round
from rummi_env.games.rummikub.hidden import redraw
from rummi_env.games.rummikub.machine import (
    act,
    fail_turn,
    refresh_mask,
    start_match,
    time_out,
)
from rummi_env.games.rummikub.scripted import SCRIPTED, scripted_action
from rummi_env.games.rummikub.state import (
    GAME,
    NO_TURNS_LEFT,
    ONE_MORE_TURN,
    OVER_PHASE,
    PLAY_PHASE,
    coded,
)
from rummi_env.games.rummikub.winners import match_shares
from rummi_env.solver.compiled import entry
from rummi_env.solver.exact import (
    Turn,
    TurnSolver,
    joker_sets,
)
from rummi_env.solver.workspace import KEPT, make_workspace

Games = npt.NDArray[np.void]
"""Array of `GAME` records."""


class Engine:
    """Plays games of one rule set and number of players.

    An engine has scratch of its own, so threads need one each.

    Attributes:
        rules: the rule set.
        num_players: seats in every game.
        num_actions: actions there are; see `rummi_env.observation`.
        solver: answers questions about single turns.
        codes: the rules in numbers, for compiled functions.
    """

    def __init__(self, rules: RuleSet | str = "official", num_players: int = 2) -> None:
        """Takes the rules, or the name of a preset.

        Raises:
            ValueError: the rules do not go with the number of players.
        """
        self.rules = RuleSet.of(rules)
        self.num_players = num_players
        self.codes = coded(self.rules, num_players)
        self.solver = TurnSolver(self.rules)
        self.num_actions = self.codes.num_actions
        self._workspace = make_workspace(np.zeros(1, KEPT))

    def new_games(self, number: int) -> Games:
        """Allocates games; each must be started before it is played."""
        return np.zeros(number, GAME)

    def start(self, games: Games, index: int, seed: int) -> None:
        """Starts a match with a random deal, all of its chance drawn from the seed."""
        games[index]["seed"] = np.uint64(seed % 2**64)
        self._do(games, index, START)

    def act(self, games: Games, index: int, action: int) -> None:
        """Performs an action of the seat to move; it must be legal."""
        _operate(
            games,
            index,
            self.codes,
            self._workspace,
            self.solver.tables,
            ACT,
            action,
        )

    def fail_turn(self, games: Games, index: int) -> None:
        """Takes an illegal turn back and lets the seat draw the penalty."""
        self._do(games, index, FAIL, self.rules.illegal_penalty)

    def time_out(self, games: Games, index: int) -> None:
        """Takes a turn back that ran out of time, and draws the penalty for it."""
        self._do(games, index, TIME_OUT)

    def scripted_action(self, games: Games, index: int, name: str) -> int:
        """Returns what a scripted baseline does; see `scripted.SCRIPTED`."""
        return self._do(games, index, SCRIPTED_ACTION, SCRIPTED[name])

    def redraw(self, games: Games, index: int, seat: int, seed: int) -> None:
        """Draws anew, in place, all that a seat cannot see; see `hidden.redraw`.

        The game's random numbers go on from the seed.

        Raises:
            RuntimeError: no such game was found in `MAX_TRIES` draws.
        """
        games[index]["seed"] = np.uint64(seed)
        if not self._do(games, index, REDRAW, seat):
            raise RuntimeError(
                f"no racks that agree with what seat {seat} has seen were found in "
                f"{MAX_TRIES} draws"
            )

    def place_deal(self, games: Games, index: int, deal: Deal) -> None:
        """Puts a given deal in place of the round's random one.

        Tiles that the deal does not name are shuffled into the rest of the pool.

        Raises:
            ValueError: the deal does not go with the rules.
        """
        deal.check(self.rules, self.num_players)
        game = games[index : index + 1]
        self._do(games, index, CLEAR)
        game["racks"][0, : self.num_players] = [counts_of(r) for r in deal.racks]
        rest = deal.rest(self.rules) if deal.pool_rest else None
        self._place_pool(games, index, deal.pool, rest)
        if deal.starter is not None:
            game["starter"] = deal.starter
        self._do(games, index, BEGIN)

    def place_position(self, games: Games, index: int, position: Position) -> None:
        """Puts a given position in place of a freshly started round.

        Raises:
            ValueError: the position does not go with the rules or has another number of
                racks than there are players.
        """
        position.check(self.rules)
        if len(position.racks) != self.num_players:
            raise ValueError(
                f"the position has {len(position.racks)} racks, but there are "
                f"{self.num_players} players"
            )
        game = games[index : index + 1]
        self._do(games, index, CLEAR)
        players = self.num_players
        game["racks"][0, :players] = [counts_of(rack) for rack in position.racks]
        game["table"][0] = table_counts(position.table)
        if self.rules.joker_release == "exact":
            game["joker_sets"][0], game["together"] = joker_sets(position.table)
        game["played"][0] = counts_of(position.played)
        game["opened"][0, :players] = position.opened
        game["seat"] = position.turn
        game["starter"] = position.turn
        game["phase"] = PLAY_PHASE
        rest = position.rest(self.rules) if position.pool_rest else None
        self._place_pool(games, index, position.pool, rest)
        one_more = self.codes.pool_empty == ONE_MORE_TURN
        empty = game["pool_size"][0] == 0
        game["turns_left"] = players if one_more and empty else NO_TURNS_LEFT
        game["actions"] = len(position.played)
        self.refresh(games, index)

    def refresh(self, games: Games, index: int) -> None:
        """Computes the mask anew after a game was changed from outside."""
        self._do(games, index, REFRESH)

    def position(self, games: Games, index: int, table: Sequence[Meld]) -> Position:
        """Returns a game as a position, with the melds that its table is shown as."""
        game = games[index]
        players = self.num_players
        return Position(
            table=tuple(table),
            racks=tuple(_tiles(game["racks"][seat]) for seat in range(players)),
            pool=tuple(game["pool"][game["drawn"] : game["pool_size"]].tolist()),
            pool_rest=False,
            turn=int(game["seat"]),
            opened=tuple(bool(flag) for flag in game["opened"][:players]),
            played=_tiles(game["played"]),
        )

    def turn(self, games: Games, index: int) -> Turn:
        """Returns the turn of the seat to move, for the solver's answers.

        The table is known by its tiles; the melds that people see are the front-ends'.
        """
        game = games[index]
        seat = game["seat"]
        limit = self.rules.turn_actions
        return Turn(
            self.solver,
            (),
            game["table"].copy(),
            game["racks"][seat].copy(),
            bool(game["opened"][seat]),
            game["played"].copy(),
            bool(game["drawn"] == game["pool_size"]),
            named=game["named"].copy(),
            jokers=(game["joker_sets"].copy(), int(game["together"])),
            actions_left=None if limit is None else limit - int(game["actions"]),
        )

    def match_shares(self, games: Games, index: int) -> npt.NDArray[np.float64]:
        """Returns each seat's share in winning a match that is over, float64[P]."""
        return match_shares(games, index, self.codes)

    def is_over(self, games: Games, index: int) -> bool:
        """Tells whether the match is over."""
        return bool(games[index]["phase"] == OVER_PHASE)

    def _do(self, games: Games, index: int, operation: int, argument: int = 0) -> int:
        return int(
            _operate(
                games,
                index,
                self.codes,
                self._workspace,
                self.solver.tables,
                operation,
                argument,
            )
        )

    def _place_pool(
        self,
        games: Games,
        index: int,
        first: Sequence[int],
        rest: npt.NDArray[np.int8] | None,
    ) -> None:
        tiles = list(first)
        if rest is not None:
            loose = list(_tiles(rest))
            for last in range(len(loose) - 1, 0, -1):
                other = self._do(games, index, CHANCE, last + 1)
                loose[last], loose[other] = loose[other], loose[last]
            tiles += loose
        game = games[index : index + 1]
        game["pool"][0, : len(tiles)] = tiles
        game["pool_size"] = len(tiles)
        game["drawn"] = 0


def _tiles(counts: npt.NDArray[np.int8]) -> tuple[int, ...]:
    return tuple(np.repeat(np.arange(counts.size), counts).tolist())


(
    START, ACT, FAIL, TIME_OUT, SCRIPTED_ACTION, REFRESH, CLEAR, BEGIN, CHANCE, REDRAW,
) = range(10)  # fmt: skip
"""Operations of `_operate`."""

MAX_TRIES = 10_000
"""Draws of hidden tiles before giving up. A turn begun by an opponent, or three pairs
among 14 tiles, take some tens of them; racks far smaller than that can take more."""


@entry
def _operate(games, index, rules, workspace, tables, operation, argument):
    """Does one thing to a game; returns a number where there is one to return."""
    game = games[index]
    if operation == START:
        start_match(game, rules, workspace, tables)
    elif operation == ACT:
        act(game, rules, workspace, tables, argument)
    elif operation == FAIL:
        fail_turn(game, rules, workspace, tables, argument)
    elif operation == TIME_OUT:
        time_out(game, rules, workspace, tables)
    elif operation == SCRIPTED_ACTION:
        return scripted_action(game, rules, workspace, tables, argument)
    elif operation == CLEAR:
        clear_round(game)
    elif operation == BEGIN:
        start_round(game, rules)
        refresh_mask(game, rules, workspace, tables)
    elif operation == CHANCE:
        return np.int64(random_below(game, argument))
    elif operation == REDRAW:
        found = redraw(game, rules, workspace, tables, argument, MAX_TRIES)
        return np.int64(1 if found else 0)
    else:
        refresh_mask(game, rules, workspace, tables)
    return np.int64(0)
