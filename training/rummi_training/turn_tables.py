"""Matches in which whole turns are chosen, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import VectorEnv

from rummi_agents.choosing import Choosing
from rummi_agents.padding import padded, places_in
from rummi_agents.protocol import reset
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.fused import CALLER
from rummi_env.envs.keywords import RewardType
from rummi_env.envs.opponents import Player, decision
from rummi_env.envs.spaces import flat_space
from rummi_env.envs.turn_choices import (
    CHOOSE,
    GO_ON,
    LABEL,
    START,
    advance,
    turn_outputs,
)
from rummi_env.games.rummikub.choices import (
    NOTHING,
    NUM_CHOICES,
    WHOLE_RACK,
    WITH_JOKERS,
    WITHOUT_JOKERS,
)
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.scripted import (
    HOLD_ABOVE,
    KEEP_JOKERS_ABOVE,
    SCRIPTED,
)
from rummi_env.observation import size_of
from rummi_env.observation.choices import choice_fields, choice_state_fields
from rummi_env.observation.encode import encoding, observation
from rummi_env.solver.workspace import make_workspace

Rows = npt.NDArray[np.int64]
Info = dict[str, Any]


class TurnTables(VectorEnv[Any, Any, Any]):
    """Matches of one number of players; a learner chooses whole turns in each.

    What it sees is what `choice_state_fields` says, what is hidden included; there are
    `NUM_CHOICES` actions, and a mask of them. Matches that are over are followed by
    others in the same step; of matches that are over ``final_info`` has ``scores`` (the
    learner's first) and ``won``, its share in having won.

    Args:
        rules: the rules.
        opponents: for each match the opponents, in the order of play after the learner:
            names of scripted baselines, or agents.
        seen_as: what is seen is given as with so many players, those that are not there
            having nothing.
        reward: whether the learner is paid its score or for a match won.
        reward_scale: what rewards are multiplied by.
        exact_patient: whether the baseline ``patient`` is played as it is, and not as
            the faster `Patient`.

    Raises:
        ValueError: whole turns cannot be chosen under these rules.
    """

    def __init__(
        self,
        rules: RuleSet,
        opponents: Sequence[Sequence[Player]],
        *,
        seen_as: int,
        reward: RewardType = "score",
        reward_scale: float = 1.0,
        exact_patient: bool = False,
    ) -> None:
        self.num_envs = self.num_games = len(opponents)
        self.num_players = len(opponents[0]) + 1
        self._rules = rules
        self._by_win = reward == "win"
        self._scale = reward_scale
        own = choice_state_fields(rules, self.num_players)
        seen = choice_state_fields(rules, seen_as)
        self._places = places_in(own, seen)
        self._width = size_of(seen.values())
        self.single_observation_space = flat_space(seen)
        self.single_action_space = spaces.Discrete(NUM_CHOICES)
        self._engine = Engine(rules, self.num_players)
        self._games = self._engine.new_games(self.num_games)
        self._encoding = encoding(rules, self.num_players)
        self._tools = (make_workspace(), self._engine.solver.tables)
        self.out = turn_outputs(rules, self.num_players, self.num_games)
        self._all = np.arange(self.num_games)
        self._chance = np.random.default_rng()
        self._patient = Patient(rules, self.num_players)
        self._agents: list[Any] = []
        shape = (self.num_games, self.num_players - 1)
        self._callers = np.full(shape, -1, np.int64)
        self._codes = np.full(shape, CALLER, np.int8)
        for row, seated in enumerate(opponents):
            for place, player in enumerate(seated):
                fast = player == "patient" and not exact_patient
                if isinstance(player, str) and not fast:
                    self._codes[row, place] = SCRIPTED[player]
                    continue
                agent = self._patient if fast else player
                if agent not in self._agents:
                    self._agents.append(agent)
                self._callers[row, place] = self._agents.index(agent)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.float32], Info]:
        """Starts every match anew and plays up to the learners' first turns."""
        if seed is not None:
            self._chance = np.random.default_rng(seed)  # type: ignore[arg-type]
        self._games["seed"] = self._chance.integers(
            2**64, size=self.num_games, dtype=np.uint64
        )
        for agent in self._agents:
            reset(agent)
        self._start(self._all)
        return self._seen(), {"action_mask": self.out.legal.copy()}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        Info,
    ]:
        """Plays a turn in every match, and those of the others up to the next one.

        Raises:
            ValueError: a choice is none that there is; nothing has changed.
        """
        out = self.out
        if not (out.legal[self._all, actions] == 1).all():
            raise ValueError("actions must be choices that there are")
        self._advance(CHOOSE, self._all, actions.astype(np.int64))
        self._play_others()
        over = out.ended == 1
        info: Info = {}
        rewards = np.zeros(self.num_games)
        if over.any():
            seats = out.learners[:, None] + np.arange(self.num_players)
            scores = np.take_along_axis(out.scores, seats % self.num_players, axis=1)
            shares = out.shares[self._all, out.learners]
            rewards[over] = (self._paid() if self._by_win else scores[:, 0])[over]
            final = np.full(self.num_games, None, dtype=object)
            for row in np.flatnonzero(over).tolist():
                final[row] = np.zeros(self._width, np.float32)
            results = {"scores": scores, "won": shares, "_scores": over, "_won": over}
            info = {"final_obs": final, "final_info": results}
            self._start(np.flatnonzero(over))
        info["action_mask"] = out.legal.copy()
        never = np.zeros(self.num_games, np.bool_)
        return self._seen(), rewards * self._scale, over, never, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns which choices there are, bool[N, choices]."""
        return self.out.legal.astype(np.bool_)

    def labels(self, teacher: Player) -> npt.NDArray[np.int64]:
        """Returns the choice that comes nearest to what a player does, int64[N]."""
        if teacher == "patient":
            return self._chosen_by(self._patient, self._all)
        if isinstance(teacher, str):
            codes = np.full(self.num_games, SCRIPTED[teacher], np.int64)
            self._advance(LABEL, self._all, codes)
            return self.out.labels.copy()
        if isinstance(teacher, Choosing):
            return self._chosen_by(teacher, self._all)
        kept = self._games.copy()
        labels = np.zeros(self.num_games, np.int64)
        for row in range(self.num_games):
            play = self._play_tiles(teacher, row)
            differing = np.abs(self.out.plays[row] - play).sum(axis=1)
            differing[self.out.legal[row] == 0] = play.size * 2
            labels[row] = differing.argmin()
        self._games[:] = kept
        return labels

    def play_out(
        self, player: Choosing, seat: int, dealt: npt.NDArray[np.void]
    ) -> npt.NDArray[np.void]:
        """Plays given games to their end, with a player in place of the learner.

        Args:
            player: it.
            seat: where it sits.
            dealt: the games at their start, as many as there are matches.

        Returns:
            The games when they are over.
        """
        out = self.out
        self._games.view(np.uint8)[:] = dealt.view(np.uint8)
        out.learners[:] = seat
        out.ended[:] = 0
        self._advance(GO_ON, self._all, self._all)
        self._play_others()
        while len(rows := np.flatnonzero(out.ended == 0)):
            self._advance(CHOOSE, rows, self._chosen_by(player, rows))
            self._play_others()
        return self._games

    # ------------------------------------------------------------------ inside

    def _seen(self) -> npt.NDArray[np.float32]:
        return padded(self.out.seen, self._places, self._width)

    def _paid(self) -> npt.NDArray[np.float64]:
        """Returns rewards for winning: shares, or what each loser pays."""
        shares = self.out.shares[self._all, self.out.learners]
        losers = np.maximum((self.out.shares == 0.0).sum(axis=1), 1)
        return np.where(shares > 0.0, shares, -1.0 / losers)

    def _start(self, rows: Rows) -> None:
        """Starts matches until each has a turn for its learner."""
        while len(rows):
            self._advance(START, rows, rows)
            self._play_others()
            rows = rows[self.out.ended[rows] == 1]

    def _play_others(self) -> None:
        """Lets the opponents that are not scripted play up to the learners' turns."""
        out = self.out
        while self._agents:
            steps = (out.seats - out.learners) % self.num_players
            waiting = np.flatnonzero((steps > 0) & (out.ended == 0))
            if not len(waiting):
                return
            whose = self._callers[waiting, steps[waiting] - 1]
            for number in np.unique(whose).tolist():
                rows = waiting[whose == number]
                agent = self._agents[number]
                if isinstance(agent, Choosing | Patient):
                    self._advance(CHOOSE, rows, self._chosen_by(agent, rows))
                    continue
                for row in rows.tolist():
                    self._play_tiles(agent, row)
                self._advance(GO_ON, rows, rows)

    def _chosen_by(self, agent: Choosing | Patient, rows: Rows) -> Rows:
        """Returns what a player that knows choices chooses in some matches."""
        if isinstance(agent, Patient):
            return agent.choose(self.out.seen[rows], self.out.legal[rows])
        parts = choice_fields(self._rules, self.num_players)
        seen = self.out.seen[rows, : size_of(parts.values())]
        wanted = agent.description.num_players
        if wanted != self.num_players:
            many = choice_fields(self._rules, wanted)
            seen = padded(seen, places_in(parts, many), size_of(many.values()))
        return agent.choose(seen, self.out.legal[rows])

    def _play_tiles(self, agent: Any, row: int) -> npt.NDArray[np.int8]:
        """Lets an agent play a turn tile by tile; returns its tiles, int8[53]."""
        engine, games = self._engine, self._games
        engine.refresh(games, row)
        turn, seat = int(games["turn"][row]), int(games["seat"][row])
        played = np.zeros(53, np.int8)
        while games["turn"][row] == turn and not engine.is_over(games, row):
            played = games["played"][row].copy()
            seen = observation(games, row, self._encoding, seat)
            mask = games["mask"][row, : engine.num_actions].copy()
            action = decision(agent, seen, mask, engine.turn(games, row), self._chance)
            if not 0 <= action < mask.size or not mask[action]:
                raise ValueError(f"an agent chose the illegal action {action}")
            engine.act(games, row, action)
        return played

    def _advance(self, operation: int, rows: Rows, chosen: Rows) -> None:
        advance(
            operation, self._games, rows, chosen, self._codes, self._engine.codes,
            *self._tools, self._encoding, self.out,
        )  # fmt: skip


class Patient:
    """The baseline ``patient``, by the choices that are listed anyway.

    It plays as the baseline does, but for racks of more than `MOST_WEIGHED` tiles that
    it cannot lay down as a whole: what it then lays may be worth a little less. With
    racks as large as those that wait, this is many times as fast.

    Args:
        rules: the rules.
        num_players: how many play.
    """

    def __init__(self, rules: RuleSet, num_players: int) -> None:
        parts = choice_fields(rules, num_players)
        self._sizes = parts["rack_sizes"]
        self._opened = parts["opened"].start
        self._pool = parts["pool_size"].start

    def choose(
        self, seen: npt.NDArray[np.float32], legal: npt.NDArray[np.int8]
    ) -> Rows:
        """Returns its choices, int64[n]; arguments as for `Choosing.choose`."""
        sizes = np.rint(seen[:, self._sizes.slice] / self._sizes.scale)
        fewest = sizes[:, 1:].min(axis=1)
        empty = seen[:, self._pool] == 0
        there = legal == 1
        jokers = there[:, WITH_JOKERS] & (empty | (fewest <= KEEP_JOKERS_ABOVE))
        waits = (seen[:, self._opened] == 1) & (fewest > HOLD_ABOVE) & ~empty
        without = there[:, WITHOUT_JOKERS]
        chosen = np.where(without, WITHOUT_JOKERS, NOTHING)
        chosen = np.where(jokers, WITH_JOKERS, chosen)
        chosen = np.where(waits, NOTHING, chosen)
        chosen = np.where(there[:, WHOLE_RACK], WHOLE_RACK, chosen)
        # Where nothing is no choice, some play is due.
        due = there[np.arange(len(there)), chosen]
        return np.where(due, chosen, there.argmax(axis=1)).astype(np.int64)


def play_turns(
    seated: Sequence[str | Choosing], rules: RuleSet, dealt: npt.NDArray[np.void]
) -> npt.NDArray[np.void]:
    """Plays games to their end by players of whole turns.

    The games are those that the players would play tile by tile, without the masks of
    tiles, which take the most time with the large racks of players that wait.

    Args:
        seated: who sits on each seat: scripted baselines that plan turns, and networks
            that choose them, one of these at least.
        rules: the rules, of one round.
        dealt: the games at their start.

    Returns:
        The games when they are over.
    """
    first = next(seat for seat, one in enumerate(seated) if not isinstance(one, str))
    others = (*seated[first + 1 :], *seated[:first])
    tables = TurnTables(
        rules, [others] * len(dealt), seen_as=len(seated), exact_patient=True
    )
    mine = seated[first]
    assert isinstance(mine, Choosing)
    return tables.play_out(mine, first, dealt)


def decisions_in(
    games: npt.NDArray[np.void], num_players: int
) -> npt.NDArray[np.int64]:
    """Returns how many decisions games of one round took, tile by tile, int64[N]."""
    # Every turn ends by one, and every tile on the table was played by one; a turn that
    # goes out is not counted as one in the game.
    tiles = games["table"].sum(axis=1, dtype=np.int64)
    left = games["racks"][:, :num_players].sum(axis=2, dtype=np.int64)
    decisions: npt.NDArray[np.int64] = games["turn"] + tiles + (left == 0).any(axis=1)
    return decisions
