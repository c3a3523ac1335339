"""Games of one rule set, in Python: the typed front of the turn machine.

An engine holds the rules; the games themselves are arrays of `GAME` records that the
caller owns.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rummi_env.core.tabla_rules import TablaRules
from rummi_env.games.tabla.machine import (
    act,
    fail_turn,
    refresh_mask,
    start_match,
)
from rummi_env.games.tabla.redrawing import redraw
from rummi_env.games.tabla.scoring import win_shares
from rummi_env.games.tabla.scripted import SCRIPTED, scripted_action
from rummi_env.games.tabla.solver import FormSolver
from rummi_env.games.tabla.state import GAME, OVER_PHASE, coded
from rummi_env.solver.compiled import entry

Games = npt.NDArray[np.void]
"""Array of `GAME` records."""


class Engine:
    """Plays games of one rule set and number of players.

    Attributes:
        rules: the rules.
        num_players: seats in every game.
        num_actions: actions there are; see `state`.
        solver: answers questions about racks.
        codes: the rules in numbers, for compiled functions.
    """

    def __init__(self, rules: TablaRules | str = "ours", num_players: int = 2) -> None:
        """Takes the rules, or the name of a preset.

        Raises:
            ValueError: there is no such preset, or there are not 2 to 4 players.
        """
        self.rules = TablaRules.of(rules)
        self.num_players = num_players
        self.codes = coded(self.rules, num_players)
        self.solver = FormSolver(self.rules)
        self.num_actions = self.codes.num_actions

    def new_games(self, number: int) -> Games:
        """Allocates games; each must be started before it is played."""
        return np.zeros(number, GAME)

    def start(self, games: Games, index: int, seed: int) -> None:
        """Starts a match with a random deal, all of its chance drawn from the seed."""
        games[index]["seed"] = np.uint64(seed % 2**64)
        _operate(games, index, self.codes, START, 0)

    def act(self, games: Games, index: int, action: int) -> None:
        """Performs an action of the seat to move; it must be legal."""
        _operate(games, index, self.codes, ACT, action)

    def fail_turn(self, games: Games, index: int) -> None:
        """Ends the turn of a seat that tried something illegal; see `machine`."""
        _operate(games, index, self.codes, FAIL, 0)

    def scripted_action(self, games: Games, index: int, name: str) -> int:
        """Returns what a scripted baseline does; see `scripted.SCRIPTED`."""
        return int(_scripted(games, index, self.codes, SCRIPTED[name]))

    def refresh(self, games: Games, index: int) -> None:
        """Computes the mask anew after a game was changed from outside."""
        _operate(games, index, self.codes, REFRESH, 0)

    def redraw(self, games: Games, index: int, seat: int, seed: int) -> None:
        """Draws anew, in place, all that a seat cannot see; see `redrawing`."""
        _redraw(games, index, self.codes, seat, np.uint64(seed % 2**64))

    def match_shares(self, games: Games, index: int) -> npt.NDArray[np.float64]:
        """Returns each seat's share in winning a match that is over, float64[P]."""
        shares = np.empty(self.num_players, np.float64)
        _win_shares(games, index, self.codes, shares)
        return shares

    def is_over(self, games: Games, index: int) -> bool:
        """Tells whether the match is over."""
        return bool(games[index]["phase"] == OVER_PHASE)


START, ACT, FAIL, REFRESH = range(4)
"""Operations of `_operate`."""


@entry
def _operate(games, index, rules, operation, argument):
    """Does one thing to a game.

    A single entry for all of them: every function that Python calls is compiled with
    all that it calls.
    """
    game = games[index]
    if operation == START:
        start_match(game, rules)
    elif operation == ACT:
        act(game, rules, argument)
    elif operation == FAIL:
        fail_turn(game, rules)
    else:
        refresh_mask(game, rules)


@entry
def _scripted(games, index, rules, player):
    return scripted_action(games[index], rules, player)


@entry
def _redraw(games, index, rules, seat, seed):
    redraw(games[index], rules, seat, seed)


@entry
def _win_shares(games, index, rules, shares):
    win_shares(games[index], rules, shares)
