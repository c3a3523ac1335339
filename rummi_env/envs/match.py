"""One match in play: what both front-ends have in common.

A `Match` holds the record of the game and what people keep beside it: the deals of the
coming rounds, the score sheet, the melds that the table is shown as. It speaks of
seats; agents are the front-ends' part.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_env.core.deals import Deal, format_deal, parse_deal
from rummi_env.core.errors import IllegalAction
from rummi_env.core.notation import format_table, parse_table
from rummi_env.core.positions import Position
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER
from rummi_env.envs import states
from rummi_env.envs.display import Display, ShownTurn
from rummi_env.envs.keywords import RewardType
from rummi_env.envs.start import Start
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.state import END_TURN, GAME, OVER_PHASE, REDEAL_PHASE
from rummi_env.games.rummikub.winners import match_shares
from rummi_env.observation import View, encoding, explain, observation, view_of
from rummi_env.observation.actions import check_action, refusal
from rummi_env.observation.encode import privileged
from rummi_env.solver.exact import Turn


class Match:
    """One match of Rummikub, to be started before it is played.

    Attributes:
        rules: the rule set.
        num_players: how many play.
        engine: plays the game.
        games: the game, an array of one record; its memory stays where it is.
        seat: the seat to move.
        over: whether the match is over.
        round_ended: whether the last action ended a round.
        event: what the last action was: ``played`` a tile, ``laid`` the tiles played,
            ``drew``, ``passed``, ``failed`` (illegal, taken back), ``timed_out``,
            ``kept`` the rack or ``redealt``; empty before the first action.
        mask: int8[actions]; which actions are legal now, in the game's own memory.
    """

    def __init__(self, rules: RuleSet | str, num_players: int) -> None:
        """Takes the rules, or the name of a preset.

        Raises:
            ValueError: the rules do not go with the number of players.
        """
        self.engine = Engine(rules, num_players)
        self.rules = self.engine.rules
        self.num_players = num_players
        self.games = self.engine.new_games(1)
        self.encoding = encoding(self.rules, num_players)
        self.digest = states.digest(self.rules, num_players)
        self.rows: list[tuple[float, ...]] = []
        self.seat = 0
        self.over = False
        self.round_ended = False
        self.event = ""
        self._deals: dict[int, Deal] = {}
        self._display = Display(self.engine.solver)
        self._attach()

    def _attach(self) -> None:
        """Takes hold of the fields that every step reads: several times as fast."""
        games = self.games
        self.mask = games["mask"][0, : self.engine.num_actions]
        self.mask_items = _items(self.mask)
        self._seat = _items(games["seat"])
        self._phase = _items(games["phase"])
        self._round_ended = _items(games["round_ended"])
        self._actions = _items(games["actions"])
        self._drawn = _items(games["drawn"])
        self._pool_size = _items(games["pool_size"])
        self._opened = _items(games["opened"][0])
        self._played = games["played"][0]
        self._named = games["named"][0]

    # ------------------------------------------------------------------ playing

    def start(self, seed: int, start: Start) -> None:
        """Starts a match.

        Args:
            seed: of all chance in the match.
            start: deals or a position; checked by `start.read_start`.

        Raises:
            ValueError: in the position no legal turn has the tiles played; the match
                is as it was.
        """
        if start.position is None:
            self.engine.start(self.games, 0, seed)
            self._display.show(())
        else:
            self._place(seed, start.position)
        self._deals = dict(enumerate(start.deals))
        self._deal()
        self.rows.clear()
        self.event = ""
        self._follow()

    def act(self, action: int) -> None:
        """Performs a legal action of the seat to move."""
        if action <= JOKER:
            self.event = "played"
        elif self._phase[0] == REDEAL_PHASE:
            self.event = "kept" if action == END_TURN else "redealt"
        elif action == END_TURN:
            if self._actions[0]:
                self.event = "laid"
                opened = bool(self._opened[self.seat])
                played, named = self._played.tobytes(), self._named.tobytes()
                self._display.lay(played, named, opened)
            else:
                left = self._drawn[0] < self._pool_size[0]
                self.event = "drew" if left else "passed"
        else:
            self.event = "named"
        self.engine.act(self.games, 0, action)
        self._follow()

    def fail(self) -> None:
        """Does what the rules do about an illegal action."""
        self.event = "failed"
        self.engine.fail_turn(self.games, 0)
        self._follow()

    def time_out(self) -> None:
        """Ends a turn that ran out of time."""
        self.event = "timed_out"
        self.engine.time_out(self.games, 0)
        self._follow()

    def refusal(self, action: int) -> IllegalAction:
        """Returns the exception that says why an action is illegal."""
        return refusal(action, self.view(self.seat), self.turn())

    def explain(self, action: int) -> str:
        """Says in a sentence why an action of the seat to move is legal or not.

        Raises:
            ValueError: there is no such action.
        """
        check_action(action, self.rules)
        legal = bool(self.mask[action])
        return explain(action, self.view(self.seat), self.turn(), legal)

    def turn(self) -> Turn:
        """Returns the turn of the seat to move, for the solver's answers."""
        game = self.games[0]
        limit = self.rules.turn_actions
        return ShownTurn(
            self._display,
            board=game["table"].copy(),
            rack=game["racks"][self.seat].copy(),
            opened=bool(game["opened"][self.seat]),
            played=game["played"].copy(),
            pool_empty=bool(game["drawn"] == game["pool_size"]),
            named=game["named"].copy(),
            jokers=(game["joker_sets"].copy(), bool(game["together"])),
            actions_left=None if limit is None else limit - int(game["actions"]),
        )

    # ------------------------------------------------------------------ seeing

    def observation(self, seat: int) -> npt.NDArray[np.float32]:
        """Returns the observation of a seat, a new array."""
        return observation(self.games, 0, self.encoding, seat)

    def privileged(self, seat: int) -> npt.NDArray[np.float32]:
        """Returns the observation of a seat and what is hidden from it."""
        return privileged(self.games, 0, self.encoding, seat)

    def view(self, seat: int, with_melds: bool = False) -> View:
        """Returns what a seat may know, on demand with the melds shown to people."""
        melds = self._display.melds() if with_melds else ()
        return view_of(self.games[0], self.rules, self.num_players, seat, melds)

    def position(self) -> Position:
        """Returns the game with all that is hidden in it, as a position."""
        return self.engine.position(self.games, 0, self._display.melds())

    def round_rewards(self, reward: RewardType) -> list[float]:
        """Returns what the round that has just ended brings to each seat, unscaled."""
        if reward == "score":
            return list(self.rows[-1])
        if not self.over:
            return [0.0] * self.num_players
        shares = match_shares(self.games, 0, self.engine.codes).tolist()
        losers = shares.count(0.0)
        if not losers:
            return [0.0] * self.num_players
        return [share or -1.0 / losers for share in shares]

    # ------------------------------------------------------------------ saving

    def save(self) -> bytes:
        """Returns all of the match as bytes."""
        coming = len(self.rows) + 1
        deals = [
            format_deal(d) for round_, d in self._deals.items() if round_ >= coming
        ]
        return self._packed(self.games, tuple(deals))

    def load(self, data: bytes) -> None:
        """Goes on from bytes of `save` or `determinize`.

        Raises:
            ValueError: the bytes are damaged, or of other rules or another version;
                the match is as it was.
        """
        saved = states.unpack(data, self.rules, self.num_players, self.digest)
        shown = parse_table(saved.shown, self.rules) if saved.shown else ()
        deals = [parse_deal(deal, self.rules, self.num_players) for deal in saved.deals]
        self._put(saved.game)
        self.rows[:] = saved.rows
        self._deals = dict(enumerate(deals, start=len(self.rows) + 1))
        self._display.show(shown, saved.laid)
        self.event = ""
        self._read()

    def determinize(self, seat: int, seed: int | None) -> bytes:
        """Returns a guess at the match that agrees with all that a seat can see."""
        games = self.games.view(np.uint8).copy().view(GAME)
        chance = np.random.default_rng(seed).integers(2**64, dtype=np.uint64)
        self.engine.redraw(games, 0, seat, int(chance))
        return self._packed(games, ())

    def __getstate__(self) -> dict[str, Any]:
        """Leaves out what is scratch or can be made again."""
        return {
            "rules": self.rules,
            "num_players": self.num_players,
            "saved": self.save(),
            "event": self.event,
            "round_ended": self.round_ended,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes the match anew and goes on from where it was."""
        Match.__init__(self, state["rules"], state["num_players"])
        self.load(state["saved"])
        self.event = state["event"]
        self.round_ended = state["round_ended"]

    # ------------------------------------------------------------------ inside

    def _place(self, seed: int, position: Position) -> None:
        """Puts a position in place, unless it turns out to be a dead end."""
        games = self.engine.new_games(1)
        self.engine.start(games, 0, seed)
        self.engine.place_position(games, 0, position)
        if not games["mask"].any():
            raise ValueError(
                "played: no legal turn has these tiles, so the position has no legal "
                "action"
            )
        self._put(games)
        self._display.show(position.table)

    def _put(self, games: npt.NDArray[np.void]) -> None:
        """Takes over another game; as bytes, which is many times as fast."""
        self.games.view(np.uint8)[:] = games.view(np.uint8)

    def _deal(self) -> None:
        """Puts the deal that was given for this round in place of the random one."""
        deal = self._deals.get(int(self.games["round"][0]))
        if deal is not None:
            self.engine.place_deal(self.games, 0, deal)

    def _follow(self) -> None:
        """Takes note of what the last action has changed."""
        if self._round_ended[0]:
            scores = self.games["scores"][0, : self.num_players]
            self.rows.append(tuple(scores.tolist()))
            if self._phase[0] != OVER_PHASE:
                self._display.show(())
                self._deal()
            self._read()
            self.round_ended = True
        else:
            self.seat = self._seat[0]
            self.over = False
            self.round_ended = False

    def _read(self) -> None:
        self.seat = self._seat[0]
        self.over = self._phase[0] == OVER_PHASE
        self.round_ended = False

    def _packed(self, games: npt.NDArray[np.void], deals: tuple[str, ...]) -> bytes:
        saved = states.Saved(
            game=games,
            rows=tuple(self.rows),
            laid=tuple(self._display.laid),
            shown=format_table(self._display.base),
            deals=deals,
        )
        return states.pack(saved, self.digest)


def _items(array: Any) -> memoryview[int]:
    """Returns an array whose items are read as Python's own numbers."""
    return memoryview(array)
