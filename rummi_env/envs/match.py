"""One match in play: what all front-ends have in common, whatever the game.

A `Match` keeps the accounts of a match: whose turn it is, the score sheet, the time of
a turn, saved states. It speaks of seats; agents are the front-ends' part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rummi_env.core.errors import IllegalAction
from rummi_env.core.options import GameRules
from rummi_env.envs import states
from rummi_env.envs.clock import Timer
from rummi_env.envs.game import game_named, items_of
from rummi_env.envs.keywords import RewardType, check_seed
from rummi_env.envs.start import Start

if TYPE_CHECKING:
    from rummi_env.envs.records.recorder import Recorder


class Match:
    """One match, to be started before it is played.

    Attributes:
        game: what the match is one of.
        rules: the rules.
        num_players: how many play.
        engine: plays the game.
        games: the game, an array of one record; its memory stays where it is.
        seat: the seat to move.
        over: whether the match is over.
        round_ended: whether the last action ended a round.
        event: what the last action was, see the game's page; empty before the first.
        timer: measures the turns, if they are timed.
        recorder: keeps the record of the match; copies of the match have none.
        chance: uint64[1]; state of the game's random numbers, in its own memory.
        mask: int8[actions]; which actions are legal now, in the game's own memory.
    """

    def __init__(
        self,
        rules: GameRules | str | None,
        num_players: int,
        timer: Timer | None = None,
        game: str = "rummikub",
    ) -> None:
        """Takes the rules, or the name of a preset.

        Args:
            rules: the rules; those of the game's default preset by default.
            num_players: how many play.
            timer: measures the turns; without one they take any time.
            game: name of the game; see `rummi_env.envs.game.GAMES`.

        Raises:
            ValueError: there is no such game, or the rules do not go with the number of
                players.
        """
        self.game = game_named(game)(rules, num_players)
        self.engine: Any = self.game.engine
        self.rules = self.game.rules
        self.num_players = num_players
        self.games: npt.NDArray[np.void] = self.game.games
        self.encoding = self.game.seeing.encoding(self.rules, num_players)
        self.digest = states.digest(self.games.dtype, self.rules, num_players)
        self.rows: list[tuple[float, ...]] = []
        self._is_started = False
        self.seat = 0
        self.over = False
        self.round_ended = False
        self.event = ""
        self.timer = timer
        self.recorder: Recorder | None = None
        self.mask: npt.NDArray[np.int8] = self.games["mask"][
            0, : self.engine.num_actions
        ]
        self.mask_items = items_of(self.mask)
        self.chance = self.games["seed"]
        self._seat = items_of(self.games["seat"])
        self._round_ended = items_of(self.games["round_ended"])

    # ------------------------------------------------------------------ playing

    def start(self, seed: int, start: Start) -> None:
        """Starts a match.

        Args:
            seed: of all chance in the match.
            start: deals or a position, checked by the game.

        Raises:
            ValueError: the position has no legal action; the match is as it was.
        """
        self.game.start(seed, start)
        self._is_started = True
        self.rows.clear()
        self.event = ""
        self._follow()
        if self.recorder:
            begun = seed if start.seed is None else start.seed
            self.recorder.begin(self, begun, self.game.written_start(start))
        self._start_timer()

    def act(self, action: int) -> None:
        """Performs a legal action of the seat to move."""
        self.event = self.game.event(action)
        if self.recorder:
            self.recorder.prepare(self)
        self.engine.act(self.games, 0, action)
        self._follow()
        if self.recorder:
            self.recorder.note(self, action)
        if self.timer and self.event not in self.game.within_turn:
            self.timer.start()

    def fail(self, action: int | None = None) -> None:
        """Does what the rules do about an illegal action.

        Args:
            action: the action, for the record; None for what is no action, such as a
                table that was refused.
        """
        self.event = "failed"
        if self.recorder:
            self.recorder.prepare(self)
        self.engine.fail_turn(self.games, 0)
        self._follow()
        if self.recorder:
            self.recorder.note(self, action, "failed")
        self._start_timer()

    def time_out(self, action: int | None = None) -> None:
        """Ends a turn that ran out of time.

        Args:
            action: the action that came too late, for the record, if one did.
        """
        self.event = "timed_out"
        if self.recorder:
            self.recorder.prepare(self)
        self.game.time_out()
        self._follow()
        if self.recorder:
            self.recorder.note(self, action, "timed_out")
        self._start_timer()

    def stop(self, illegal: int | None = None) -> None:
        """Closes the record of a match that is not played on.

        Args:
            illegal: the illegal action that has ended the match, if one has.
        """
        if self.recorder is None:
            return
        if illegal is None:
            self.recorder.stop()
        else:
            self.recorder.note(self, illegal, "illegal")

    def is_out_of_time(self) -> bool:
        """Tells whether the turn has lasted as long as the rules let it."""
        return self.timer is not None and self.timer.left == 0

    def refusal(self, action: int) -> IllegalAction:
        """Returns the exception that says why an action is illegal."""
        return self.game.refusal(action)

    def explain(self, action: int) -> str:
        """Says in a sentence why an action of the seat to move is legal or not.

        Raises:
            ValueError: there is no such action.
        """
        return self.game.explain(action)

    def turn(self) -> Any:
        """Returns what the seat to move may ask about its turn."""
        return self.game.turn()

    # ------------------------------------------------------------------ seeing

    def observation(self, seat: int) -> npt.NDArray[np.float32]:
        """Returns the observation of a seat, a new array."""
        return self.game.seeing.observation(self.games, 0, self.encoding, seat)

    def privileged(self, seat: int) -> npt.NDArray[np.float32]:
        """Returns the observation of a seat and what is hidden from it."""
        return self.game.seeing.privileged(self.games, 0, self.encoding, seat)

    def view(self, seat: int, with_melds: bool = False) -> Any:
        """Returns what a seat may know, on demand with the melds shown to people."""
        return self.game.view(seat, with_melds)

    def position(self) -> Any:
        """Returns the game with all that is hidden in it, as a position."""
        return self.game.position()

    def shares(self) -> npt.NDArray[np.float64]:
        """Returns each seat's share in winning the match, which is over."""
        shares: npt.NDArray[np.float64] = self.engine.match_shares(self.games, 0)
        return shares

    def round_rewards(self, reward: RewardType) -> list[float]:
        """Returns what the round that has just ended brings to each seat, unscaled."""
        scores = list(self.rows[-1])
        if reward == "score":
            return scores
        if reward == "difference":
            others = self.num_players - 1
            return [score - (sum(scores) - score) / others for score in scores]
        if not self.over:
            return [0.0] * self.num_players
        shares = self.shares().tolist()
        losers = shares.count(0.0)
        if not losers:
            return [0.0] * self.num_players
        return [share or -1.0 / losers for share in shares]

    # ------------------------------------------------------------------ saving

    def save(self) -> bytes:
        """Returns all of the match as bytes."""
        self._check_started()
        return self._packed(self.games, self.game.parts())

    def load(self, data: bytes) -> None:
        """Goes on from bytes of `save` or `determinize`.

        Raises:
            ValueError: the bytes are damaged, or of another game, other rules or
                another version; the match is as it was.
        """
        saved = states.unpack(data, self.game, self.digest)
        self.game.load(saved.record, saved.parts)
        self._is_started = True
        self.rows[:] = saved.rows
        self.event = ""
        self._read()
        if self.recorder:
            self.recorder.begin(self, state=self.save())
        self._start_timer()

    def determinize(self, seat: int, seed: int | None) -> bytes:
        """Returns a guess at the match that agrees with all that a seat can see."""
        self._check_started()
        if seed is not None:
            check_seed(seed)
        games = self.games.view(np.uint8).copy().view(self.games.dtype)
        chance = np.random.default_rng(seed).integers(2**64, dtype=np.uint64)
        self.engine.redraw(games, 0, seat, int(chance))
        return self._packed(games, self.game.parts(guess=True))

    def __getstate__(self) -> dict[str, Any]:
        """Leaves out what is scratch or can be made again."""
        return {
            "rules": self.rules,
            "num_players": self.num_players,
            "game": self.game.name,
            # Before it has started there is nothing that could be read back.
            "saved": self.save() if self._is_started else None,
            "event": self.event,
            "round_ended": self.round_ended,
            "timer": self.timer,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes the match anew and goes on from where it was."""
        game = state["game"]
        Match.__init__(self, state["rules"], state["num_players"], game=game)
        if state["saved"] is not None:
            self.load(state["saved"])
        self.timer = state["timer"]
        self.event = state["event"]
        self.round_ended = state["round_ended"]

    # ------------------------------------------------------------------ inside

    def _check_started(self) -> None:
        """Refuses to give what there is not."""
        if not self._is_started:
            raise ValueError("there is no match yet: call reset() first")

    def _start_timer(self) -> None:
        """Lets the time of a turn begin: the seat to move has just become that."""
        if self.timer:
            self.timer.start()

    def _follow(self) -> None:
        """Takes note of what the last action has changed."""
        if self._round_ended[0]:
            scores = self.games["scores"][0, : self.num_players]
            self.rows.append(tuple(scores.tolist()))
            self.over = self.engine.is_over(self.games, 0)
            if not self.over:
                self.game.begin_round()
            self.seat = self._seat[0]
            self.round_ended = True
        else:
            self.seat = self._seat[0]
            self.over = False
            self.round_ended = False

    def _read(self) -> None:
        self.seat = self._seat[0]
        self.over = self.engine.is_over(self.games, 0)
        self.round_ended = False

    def _packed(self, games: npt.NDArray[np.void], parts: tuple[bytes, ...]) -> bytes:
        saved = states.Saved(games, tuple(self.rows), parts)
        return states.pack(saved, self.game, self.digest)
