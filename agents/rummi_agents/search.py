"""A player that tries its turns out before it plays one."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_agents.cautious import Patient
from rummi_agents.habits import Habits, Notes, Standing
from rummi_agents.planned import next_action
from rummi_agents.protocol import Mask, Observation
from rummi_env.core.rulesets import MAX_PLAYERS, MIN_PLAYERS, RuleSet
from rummi_env.core.tiles import NUM_COUNTS, Counts
from rummi_env.games.rummikub.endgames import (
    CHOSEN,
    FULL,
    MOST_TURNS,
    UNFINISHED,
    Line,
    new_line,
)
from rummi_env.games.rummikub.scripted import MAX_TILES, PATIENT
from rummi_env.games.rummikub.searching import (
    END,
    LIST,
    PLAY_OUT,
    REPLY,
    SEEN,
    SHOWN,
    look,
)
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

PLANS_KEPT = 4096
"""Plans that are kept until they are played, for many games at once."""

DRAWS_AT_ONCE = 4
"""Draws of the hidden tiles between two looks at the clock."""

SMALL_RACKS = 14
"""Racks up to this size are searched to the end, if that takes few positions."""

MOST_POSITIONS = 2000
"""Positions of a search to the end."""

LONG_LINES = 6
"""Turns that lines have where the other seat waits as well."""

CONFIDENCE = 1.0
"""Standard errors by which a turn must be better than the baseline's to be played."""


class Search:
    """Plays rounds on in its head after each candidate of a turn, and takes the best.

    What it cannot see is drawn anew for every such round, alike for all candidates, and
    all seats play on as baselines: itself and whoever has not shown otherwise as
    `patient`, those who lay tiles early as `max_tiles`. A turn that is not clearly
    better than `patient`'s is not played. With the pool empty and two players nothing
    is hidden: small endings are solved exactly, in large ones it looks for the best
    answer to what the other will do.

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
            rollouts: rounds that are played on, all candidates together.
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
        self._rollouts = rollouts
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
        seat.fill(look_ahead.line.games[:1], observation, turn)
        chosen: Counts = self._best(look_ahead, now, habits, chance).copy()
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
        return Look(seat.codes, seat.tools, self._line, players, SEEN)

    def _best(
        self, ahead: Look, now: Standing, habits: Habits, chance: np.random.Generator
    ) -> Counts:
        """Returns the best turn of the position."""
        over = now.pool == 0
        number = ahead.candidates(thorough=over)
        if number == 1:
            return ahead.plays[0]
        two = len(now.sizes) == 2
        if over and two:
            # All that is not seen is on the other rack.
            ahead = ahead._replace(shown=SHOWN)
            if self._endgame:
                return ahead.plays[_end(ahead, now, habits)]
        return ahead.plays[self._weighed(ahead, number, chance)]

    def _weighed(self, ahead: Look, number: int, chance: np.random.Generator) -> int:
        """Returns which of the candidates is best by rounds that are played on.

        Candidates that fare badly are dropped on the way: after each stage half of
        those that are left, and all that are worse than the baseline's turn.
        """
        active = np.arange(number)
        scores = np.empty((0, number))
        for draws in self._stages(ahead.shown, number):
            if draws * len(active) == 0:
                break
            seeds = chance.integers(2**64, size=draws, dtype=np.uint64)
            more = np.full((draws, number), np.nan)
            played = ahead.play_out(seeds, active)
            more[: len(played), active] = played
            scores = np.concatenate([scores, more[: len(played)]])
            gains = (scores[:, active] - scores[:, :1]).mean(axis=0)
            order = np.argsort(-gains, kind="stable")
            better = order[: (len(order) + 1) // 2]
            better = better[(gains[better] > 0) & (active[better] > 0)]
            active = np.concatenate([[0], active[np.sort(better)]])
            if len(active) == 1:
                return 0
        best, most = 0, 0.0
        for place in active[1:].tolist() if len(scores) else ():
            gain = scores[:, place] - scores[:, 0]
            error = gain.std() / np.sqrt(len(gain))
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
            left = number
            for _ in range(stages):
                yield self._rollouts // (stages * left)
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
    ) -> Counts:
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


def _end(ahead: Look, now: Standing, habits: Habits) -> int:
    """Returns the best turn at the end of a round of two."""
    if now.sizes.max() <= SMALL_RACKS:
        chosen = ahead.end(FULL, MOST_TURNS, MOST_POSITIONS)
        if chosen != UNFINISHED:
            return chosen
    if habits.waits[1]:
        chosen = ahead.end(CHOSEN, LONG_LINES, MOST_POSITIONS)
        if chosen != UNFINISHED:
            return chosen
    return ahead.reply(MOST_POSITIONS)


class Look(NamedTuple):
    """What is asked about one position."""

    codes: Rules
    tools: tuple[Workspace, Tables]
    line: Line
    players: npt.NDArray[np.int64]
    shown: int

    @property
    def plays(self) -> npt.NDArray[np.int8]:
        """int8[n, 53]; the turns of the position that were listed last."""
        return self.line.plays[0]

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
            and bool((self.players == PATIENT).all())
        )
        drawn, scores = self._ask(PLAY_OUT, int(waiting), seeds, active)
        return scores[:drawn]

    def reply(self, positions: int) -> int:
        """Returns the best turn, the others doing what their baselines do."""
        return self._ask(REPLY, 0, positions=positions)[0]

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
            self.shown, seeds, active, values, np.array([positions]),
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
        self, games: npt.NDArray[np.void], observation: Observation, turn: Turn
    ) -> None:
        """Puts the game in place as it is seen; seats count from the one to move.

        Tiles that are not seen lie on the other racks and in the pool in the order of
        their kinds.

        Args:
            games: `GAME`[1]; filled.
            observation: at the start of a turn.
            turn: the turn.
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
        tiles = np.repeat(np.arange(NUM_COUNTS), unseen)
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

    def _read(self, observation: Observation, name: str) -> npt.NDArray[np.int64]:
        part: Field = self._parts[name]
        return np.rint(observation[part.slice] / part.scale).astype(np.int64)


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
