"""Games of one rule set, in Python: the typed front of the turn machine.

An engine holds the rules; the games themselves are arrays of `GAME` records that the
caller owns.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rummi_env.core.tabla_positions import Asked, TablaPosition
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import NUM_KINDS, counts_of, tiles_of
from rummi_env.games.chance import shuffle
from rummi_env.games.tabla.dealing import clear_deal
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
from rummi_env.games.tabla.state import (
    FROM_ROW,
    GAME,
    NO_TILE,
    OVER_PHASE,
    coded,
)
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
        self._do(games, index, START)

    def act(self, games: Games, index: int, action: int) -> None:
        """Performs an action of the seat to move; it must be legal."""
        self._do(games, index, ACT, action)

    def fail_turn(self, games: Games, index: int) -> None:
        """Ends the turn of a seat that tried something illegal; see `machine`."""
        self._do(games, index, FAIL)

    def scripted_action(self, games: Games, index: int, name: str) -> int:
        """Returns what a scripted baseline does; see `scripted.SCRIPTED`."""
        return int(_scripted(games, index, self.codes, SCRIPTED[name]))

    def refresh(self, games: Games, index: int) -> None:
        """Computes the mask anew after a game was changed from outside."""
        self._do(games, index, REFRESH)

    def redraw(self, games: Games, index: int, seat: int, seed: int) -> None:
        """Draws anew, in place, all that a seat cannot see; see `redrawing`."""
        _redraw(games, index, self.codes, seat, np.uint64(seed % 2**64))

    def place_position(self, games: Games, index: int, position: TablaPosition) -> None:
        """Puts a given position in place of a freshly started deal.

        What happened before is not part of a position: nothing is known of other racks
        but the tile taken from the row in this turn, no doubles have been exchanged,
        and the discards count as made by the seats in turn, none of them drawn.

        Raises:
            ValueError: the position has another number of racks than there are players,
                or asks for what the rules do not.
        """
        players = self.num_players
        if len(position.racks) != players:
            raise ValueError(
                f"a position for {players} players has {players} racks, not "
                f"{len(position.racks)}"
            )
        declares = self.rules.exchange_doubles or self.rules.refuse_with_three_doubles
        if position.asked == "doubles" and not declares:
            raise ValueError("doubles are not declared under these rules")
        self._do(games, index, CLEAR)
        game, seat = games[index], position.turn
        game["starter"], game["seat"] = position.starter, seat
        game["phase"] = PHASES_ASKED.index(position.asked)
        game["racks"][:players] = [counts_of(rack) for rack in position.racks]
        rest = position.rest
        named = () if position.atu is None else (position.atu,)
        unknown = rest if position.pool_rest or not named else ()
        # What is in no known order first: it is shuffled where it lies.
        game["pool"][: len(unknown)] = unknown
        self._do(games, index, SHUFFLE, len(unknown))
        shuffled = game["pool"][: len(unknown)].tolist()
        game["atu"] = named[0] if named else shuffled.pop()
        pool = [*position.pool, *shuffled]
        game["pool"][: len(pool)] = pool
        game["pool"][len(pool) :] = 0
        game["drawn"], game["pool_size"] = 0, len(pool)
        row = position.row
        game["row"][: len(row)] = row
        game["row_size"] = game["turn"] = len(row)
        for place, tile in enumerate(row):
            game["discarded"][(position.starter + place) % players, tile] += 1
        for declarer, kinds in enumerate(position.declared):
            game["declared"][declarer] = sum(1 << kind for kind in set(kinds))
        if position.taken is not None:
            game["taken"] = position.taken
            game["last_draw"][seat] = FROM_ROW
            game["known"][:players, seat, position.taken] = 1
            game["known"][seat, seat] = 0
        self.refresh(games, index)

    def position(self, games: Games, index: int) -> TablaPosition:
        """Returns a deal as a position, with all that is hidden in it.

        Raises:
            ValueError: the match is over.
        """
        game = games[index]
        if game["phase"] == OVER_PHASE:
            raise ValueError("a match that is over has no position")
        taken = int(game["taken"])
        declared = game["declared"][: self.num_players].tolist()
        return TablaPosition(
            racks=tuple(map(tiles_of, game["racks"][: self.num_players])),
            row=tuple(game["row"][: game["row_size"]].tolist()),
            pool=tuple(game["pool"][game["drawn"] : game["pool_size"]].tolist()),
            pool_rest=False,
            atu=int(game["atu"]),
            turn=int(game["seat"]),
            asked=PHASES_ASKED[game["phase"]],
            taken=None if taken == NO_TILE else taken,
            declared=tuple(
                tuple(kind for kind in range(NUM_KINDS) if bits >> kind & 1)
                for bits in declared
            ),
        )

    def match_shares(self, games: Games, index: int) -> npt.NDArray[np.float64]:
        """Returns each seat's share in winning a match that is over, float64[P]."""
        shares = np.empty(self.num_players, np.float64)
        _win_shares(games, index, self.codes, shares)
        return shares

    def is_over(self, games: Games, index: int) -> bool:
        """Tells whether the match is over."""
        return bool(games[index]["phase"] == OVER_PHASE)

    def _do(self, games: Games, index: int, operation: int, argument: int = 0) -> None:
        _operate(games, index, self.codes, operation, argument)


PHASES_ASKED: tuple[Asked, ...] = ("doubles", "draw", "discard")
"""What positions call the phases."""

START, ACT, FAIL, REFRESH, CLEAR, SHUFFLE = range(6)
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
    elif operation == CLEAR:
        clear_deal(game)
    elif operation == SHUFFLE:
        shuffle(game, game.pool, argument)
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
