"""A player that tries its turns out before it plays one."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from rummi_agents.cautious import Patient
from rummi_agents.habits import Habits, Notes, Standing
from rummi_agents.looking import Look, Seat, players_of
from rummi_agents.planned import next_action
from rummi_agents.protocol import Mask, Observation
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import Counts
from rummi_env.games.rummikub.candidates import MOST_CANDIDATES
from rummi_env.games.rummikub.endgames import (
    CHOSEN,
    FULL,
    MOST_TURNS,
    UNFINISHED,
    new_line,
)
from rummi_env.games.rummikub.rounds import SPARING
from rummi_env.games.rummikub.scripted import MAX_TILES, PATIENT
from rummi_env.games.rummikub.searching import SEEN, SHOWN
from rummi_env.solver import Turn

PLANS_KEPT = 4096
"""Plans that are kept until they are played, for many games at once."""

DRAWS_AT_ONCE = 4
"""Draws of the hidden tiles between two looks at the clock."""

SMALL_RACKS = 14
"""Racks up to this size are searched to the end, if that takes few positions."""

MOST_POSITIONS = 2000
"""Positions of a search to the end."""

LINES = (2, 3, 4)
"""Turns that lines have where the other seat waits as well; the longest that is
finished counts."""

LINE_POSITIONS = 200
"""Positions of a search of such lines."""

CONFIDENCE = 2.5
"""Standard errors by which a turn must be better than the baseline's to be played."""

LEAST_DRAWS = 4
"""Draws of the hidden tiles before a standard error says anything."""

ENDING = 28.0
"""Points that the end of a round brings on average to whoever searches it, where both
have waited until the pool was empty."""


class Search:
    """Plays rounds on in its head after each candidate of a turn, and takes the best.

    What it cannot see is drawn anew for every such round, alike for all candidates, and
    all seats play on as baselines: itself like `patient` with small openings, whoever
    has not shown otherwise like `patient`, those who lay tiles early like `max_tiles`.
    A turn that is not clearly better than what it would do itself is not played. With
    the pool empty and two players nothing is hidden: small endings are solved exactly,
    in large ones it looks for the best answer to what the other will do.

    Chance hangs on what it sees and on ``seed``, so it plays a position always alike;
    only with ``milliseconds`` that depends on the machine.
    """

    name = "search"
    games: ClassVar[tuple[str, ...]] = ("rummikub",)

    def __init__(
        self,
        rollouts: int = 64,
        milliseconds: float | None = None,
        endgame: bool = True,
        seed: int = 0,
    ) -> None:
        """Takes the budget of a turn.

        Args:
            rollouts: rounds that are played on, all candidates together; 0: none.
            milliseconds: time for them, in place of a number.
            endgame: whether the end of a round of two is searched; else it is played
                like the rest.
            seed: tells players apart who see the same.

        Raises:
            ValueError: a budget is negative.
        """
        if rollouts < 0:
            raise ValueError(f"rollouts must be 0 or more, not {rollouts}")
        if milliseconds is not None and milliseconds <= 0:
            raise ValueError(f"milliseconds must be above 0, not {milliseconds:g}")
        self._rollouts = rollouts if milliseconds is None else MOST_CANDIDATES
        self._seconds = None if milliseconds is None else milliseconds / 1000
        self._endgame = endgame
        self._seed = seed
        self._line = new_line()
        self._seats: dict[tuple[RuleSet, int], Seat] = {}
        self._notes = Notes()
        self._plans: OrderedDict[tuple[bytes, ...], Counts] = OrderedDict()
        self._like_patient = Patient()

    def reset(self) -> None:
        """Forgets the games."""
        self._notes.forget()
        self._plans.clear()

    def act(
        self,
        observation: Observation,
        mask: Mask,
        turn: Turn,
        rng: np.random.Generator,
    ) -> int:
        """Plays the next tile of the best turn, or ends the turn."""
        seat = self._seat(turn.rules, observation.size)
        key = seat.key(observation, turn)
        plan = self._plans.get(key)
        if plan is None or (turn.played > plan).any():
            if turn.played.any():
                # Somebody else has begun the turn.
                plan = self._like_patient.plan(observation, turn)
            else:
                plan = self.plan(observation, turn)
            self._plans[key] = plan
            if len(self._plans) > PLANS_KEPT:
                self._plans.popitem(last=False)
        return next_action(plan, mask, turn)

    def plan(self, observation: Observation, turn: Turn) -> Counts:
        """Returns the tiles of the best turn, int8[53], at the start of a turn."""
        seat = self._seat(turn.rules, observation.size)
        if seat.may_demand(observation):
            return turn.played
        now = seat.standing(observation)
        habits = self._notes.habits(turn.rack, now)
        digest = hashlib.blake2b(
            b"".join(seat.key(observation, turn)), digest_size=8
        ).digest()
        chance = np.random.default_rng([int.from_bytes(digest, "little"), self._seed])
        look_ahead = self._look(seat, habits)
        certain = seat.fill(look_ahead.line.games[:1], observation, turn, chance)
        if certain:
            look_ahead = look_ahead._replace(shown=SHOWN)
        best = self._best(look_ahead, now, habits, chance)
        chosen: Counts = look_ahead.plays[best].copy()
        self._notes.keep(turn.rack, chosen, now, habits)
        return chosen

    def _seat(self, rules: RuleSet, size: int) -> Seat:
        """Returns what reads observations of a size."""
        known = self._seats.get((rules, size))
        if known is None:
            known = self._seats[rules, size] = Seat(rules, players_of(rules, size))
        return known

    def _look(self, seat: Seat, habits: Habits) -> Look:
        players = np.array(
            [MAX_TILES if eager else PATIENT for eager in habits.eager], np.int64
        )
        players[0] = SPARING
        ending = ENDING if self._endgame and len(players) == 2 else 0.0
        return Look(seat.codes, seat.tools, self._line, players, SEEN, ending)

    def _best(
        self, ahead: Look, now: Standing, habits: Habits, chance: np.random.Generator
    ) -> int:
        """Returns the place of the best turn."""
        over = now.pool == 0
        number = ahead.candidates(thorough=over)
        if number == 1:
            return 0
        holds = ahead.plays[0].max() == 0
        if self._rollouts == 0 or (
            holds
            and not over
            and now.opened[0]
            and ahead.shown == SEEN
            and not any(habits.eager)
        ):
            # Laying some tiles early has not paid against those who wait.
            return 0
        if over and ahead.shown == SHOWN and len(now.sizes) == 2 and self._endgame:
            return _end(ahead, now, habits, self._rollouts)
        return self._weighed(ahead, number, chance)

    def _weighed(self, ahead: Look, number: int, chance: np.random.Generator) -> int:
        """Returns which of the candidates is best by rounds that are played on.

        Candidates that fare badly are dropped on the way: after each stage half of
        those that are left, and all that are worse than the baseline's turn.
        """
        active = np.arange(number)
        scores = np.empty((0, number))
        for draws in self._stages(ahead.shown, number):
            seeds = chance.integers(2**64, size=draws, dtype=np.uint64)
            more = np.full((draws, number), np.nan)
            played = ahead.play_out(seeds, active)
            more[: len(played), active] = played
            scores = np.concatenate([scores, more[: len(played)]])
            if not len(scores):
                continue
            gains = (scores[:, active] - scores[:, :1]).mean(axis=0)
            order = np.argsort(-gains, kind="stable")
            better = order[: (len(order) + 1) // 2]
            better = better[(gains[better] > 0) & (active[better] > 0)]
            active = np.concatenate([[0], active[np.sort(better)]])
            if len(active) == 1:
                return 0
        if ahead.shown == SEEN and len(scores) < LEAST_DRAWS:
            return 0
        best, most = 0, 0.0
        for place in active[1:].tolist():
            gain = scores[:, place] - scores[:, 0]
            error = 0.0
            if ahead.shown == SEEN:
                error = gain.std(ddof=1) / np.sqrt(len(gain))
            if gain.mean() > max(most, CONFIDENCE * error):
                best, most = place, gain.mean()
        return best

    def _stages(self, shown: int, number: int) -> Iterator[int]:
        """Yields how many draws each stage has, until the budget is spent."""
        if shown == SHOWN:
            # All draws would be alike.
            yield 1
        elif self._seconds is not None:
            end = time.perf_counter() + self._seconds
            while time.perf_counter() < end:
                yield DRAWS_AT_ONCE
        else:
            stages = max(1, int(np.ceil(np.log2(number))))
            budget, left = self._rollouts, number
            while budget >= left:
                draws = max(1, self._rollouts // (stages * left))
                budget -= draws * left
                yield draws
                left = left // 2 + 1


class SearchRevealed(Search):
    """The same with the hidden tiles revealed: no fair player, but an upper reference.

    Whoever asks it must show it the game first; `rummi evaluate` does.
    """

    name = "search_revealed"

    _shown: npt.NDArray[np.void] | None = None

    def show(self, games: npt.NDArray[np.void]) -> None:
        """Shows the whole game in which the next action is asked for.

        Args:
            games: `GAME`[1]; only read.
        """
        self._shown = games

    def _look(self, seat: Seat, habits: Habits) -> Look:
        return super()._look(seat, habits)._replace(shown=SHOWN)

    def _best(
        self, ahead: Look, now: Standing, habits: Habits, chance: np.random.Generator
    ) -> int:
        if self._shown is None:
            raise ValueError(
                "search_revealed sees the hidden tiles, so it only plays where it is "
                "shown them: in rummi evaluate"
            )
        _reveal(ahead.line.games[0], self._shown[0], len(now.sizes))
        return super()._best(ahead, now, habits, chance)


def _reveal(game: np.void, real: np.void, players: int) -> None:
    """Fills in what is hidden; seats count from the one to move."""
    mover = int(real["seat"])
    for seat in range(1, players):
        game["racks"][seat] = real["racks"][(mover + seat) % players]
    left = real["pool"][real["drawn"] : real["pool_size"]]
    game["pool"][: len(left)] = left


def _end(ahead: Look, now: Standing, habits: Habits, most: int) -> int:
    """Returns the best turn at the end of a round of two."""
    if now.sizes.max() <= SMALL_RACKS:
        chosen = ahead.end(FULL, MOST_TURNS, MOST_POSITIONS)
        if chosen != UNFINISHED:
            return chosen
    if habits.waits[1]:
        best = UNFINISHED
        for turns in LINES:
            chosen = ahead.end(CHOSEN, turns, LINE_POSITIONS)
            if chosen == UNFINISHED:
                break
            best = chosen
        if best != UNFINISHED:
            return best
    return ahead.reply(most, MOST_POSITIONS)
