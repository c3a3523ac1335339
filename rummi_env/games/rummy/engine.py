"""Games of one set of rules, in Python: the typed front of the turn machine.

An `Engine` holds the rules in numbers; the games themselves are arrays of `GAME`
records that the caller owns.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rummi_env.core.card_positions import CardPosition
from rummi_env.core.cards import bits_of, cards_of
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.chance import shuffle
from rummi_env.games.rummy.dealing import begin_turn, clear_hand, redraw
from rummi_env.games.rummy.legal import refresh_mask
from rummi_env.games.rummy.machine import act, fail_turn, start_match
from rummi_env.games.rummy.scoring import match_shares
from rummi_env.games.rummy.scripted import SCRIPTED, scripted_action
from rummi_env.games.rummy.state import (
    GAME,
    NO_CARD,
    NUM_ACTIONS,
    OVER_PHASE,
    PLAY_PHASE,
    coded,
)
from rummi_env.games.rummy.tables import melds_of, put_melds
from rummi_env.solver.compiled import entry

Games = npt.NDArray[np.void]
"""Array of `GAME` records."""


class Engine:
    """Plays games of one set of rules and number of players.

    Attributes:
        rules: the rules.
        num_players: seats in every game.
        num_actions: actions there are; see `rummi_env.observation.rummy`.
        codes: the rules in numbers, for compiled functions.
    """

    def __init__(self, rules: RummyRules | str = "basic", num_players: int = 2) -> None:
        """Takes the rules, or the name of a preset.

        Raises:
            ValueError: the rules do not go with the number of players.
        """
        self.rules = RummyRules.of(rules)
        self.num_players = num_players
        self.codes = coded(self.rules, num_players)
        self.num_actions = NUM_ACTIONS

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
        """Ends a turn in which something illegal was tried."""
        self._do(games, index, FAIL)

    def scripted_action(self, games: Games, index: int, name: str) -> int:
        """Returns what a scripted baseline does; see `scripted.SCRIPTED`."""
        return self._do(games, index, SCRIPTED_ACTION, SCRIPTED[name])

    def redraw(self, games: Games, index: int, seat: int, seed: int) -> None:
        """Draws anew all that a seat cannot see, and all of the chance to come.

        The mask is that of the seat to move with its new rack.
        """
        games[index]["seed"] = np.uint64(seed % 2**64)
        self._do(games, index, REDRAW, seat)

    def refresh(self, games: Games, index: int) -> None:
        """Computes the mask anew after a game was changed from outside."""
        self._do(games, index, REFRESH)

    def match_shares(self, games: Games, index: int) -> npt.NDArray[np.float64]:
        """Returns each seat's share in winning a match that is over, float64[P]."""
        return match_shares(games, index, self.codes)

    def is_over(self, games: Games, index: int) -> bool:
        """Tells whether the match is over."""
        return bool(games[index]["phase"] == OVER_PHASE)

    def place_position(self, games: Games, index: int, position: CardPosition) -> None:
        """Puts a given position in place of a freshly started hand.

        What was taken or drawn before this turn is not part of a position, so no card
        of a rack is known but the one taken in it.

        Raises:
            ValueError: the position has another number of racks than there are players,
                a rack without a card, which ends a hand, or cards on the table although
                melds are hidden.
        """
        if len(position.racks) != self.num_players:
            raise ValueError(
                f"the position has {len(position.racks)} racks, but there are "
                f"{self.num_players} players"
            )
        if not all(position.racks):
            raise ValueError("racks must have a card each: an empty one ends the hand")
        if position.table and self.rules.melding == "hidden":
            raise ValueError("the table must be empty where melds are hidden")
        self._do(games, index, CLEAR, position.turn)
        game = games[index]
        game["starter"] = position.turn
        put_melds(game, position.table)
        players = self.num_players
        game["racks"][:players] = [np.uint64(bits_of(rack)) for rack in position.racks]
        game["laid"][:players] = position.laid
        game["melded"][:players] = [laid > 0 for laid in position.laid]
        game["row"][: len(position.row)] = position.row
        game["row_size"] = len(position.row)
        rest = position.rest if position.pool_rest else ()
        pool = [*rest, *reversed(position.pool)]
        game["pool"][: len(pool)] = pool
        game["pool_size"] = len(pool)
        self._do(games, index, SHUFFLE, len(rest))
        if position.has_drawn:
            game["phase"] = PLAY_PHASE
        if position.taken is not None:
            game["taken"] = position.taken
            taken = np.uint64(bits_of([position.taken]))
            game["known"][position.turn] = game["racks"][position.turn] & taken
        self.refresh(games, index)

    def position(self, games: Games, index: int) -> CardPosition:
        """Returns a game as a position, with all that is hidden in it."""
        game = games[index]
        pool = game["pool"][: game["pool_size"]].tolist()
        # The record of a hand that is over still has the card taken in its last turn.
        has_drawn = bool(game["phase"] == PLAY_PHASE)
        taken = int(game["taken"]) if has_drawn else NO_CARD
        return CardPosition(
            table=melds_of(game),
            racks=tuple(map(cards_of, game["racks"][: self.num_players])),
            row=tuple(game["row"][: game["row_size"]].tolist()),
            pool=tuple(reversed(pool)),
            pool_rest=False,
            turn=int(game["seat"]),
            has_drawn=has_drawn,
            taken=None if taken == NO_CARD else taken,
            laid=tuple(game["laid"][: self.num_players].tolist()),
        )

    def _do(self, games: Games, index: int, operation: int, argument: int = 0) -> int:
        return int(_operate(games, index, self.codes, operation, argument))


START, ACT, FAIL, SCRIPTED_ACTION, REDRAW, REFRESH, CLEAR, SHUFFLE = range(8)
"""Operations of `_operate`."""


@entry
def _operate(games, index, rules, operation, argument):
    """Does one thing to a game; returns a number where there is one to return."""
    game = games[index]
    if operation == START:
        start_match(game, rules)
    elif operation == ACT:
        act(game, rules, argument)
    elif operation == FAIL:
        fail_turn(game, rules)
    elif operation == SCRIPTED_ACTION:
        return scripted_action(game, rules, argument)
    elif operation == REDRAW:
        redraw(game, rules, argument)
        refresh_mask(game, rules)
    elif operation == REFRESH:
        refresh_mask(game, rules)
    elif operation == CLEAR:
        clear_hand(game)
        begin_turn(game, argument)
    else:
        shuffle(game, game.pool, argument)
    return np.int64(0)
