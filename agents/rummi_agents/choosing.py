"""A player whose network chooses whole turns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from rummi_agents.neural import NeuralAgent
from rummi_agents.planned import next_of
from rummi_agents.policy_files import Arrays, PolicyDescription
from rummi_agents.protocol import Mask, Observation
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import NUM_COUNTS, Counts
from rummi_env.envs.records.game_record import Judgement
from rummi_env.envs.turn_choices import see_choices
from rummi_env.games.rummikub.choices import NUM_CHOICES
from rummi_env.games.rummikub.state import coded
from rummi_env.observation import fields, size_of
from rummi_env.observation.choices import choice_fields
from rummi_env.solver.tables import solver_tables
from rummi_env.solver.workspace import make_workspace

MOST_KEPT = 4096
"""Turns that are begun and kept in mind; with more all are forgotten."""


class Choosing(NeuralAgent):
    """Chooses one of a few whole turns and then plays it tile by tile.

    Nothing that it does hangs on what it remembers: at every tile it looks at the turn
    as it began, and chooses again what it chose then. What it remembers of turns that
    it has begun saves the time.
    """

    folder: Path | None = None

    def __init__(
        self,
        description: PolicyDescription,
        weights: Arrays,
        name: str,
        device: str = "cpu",
    ) -> None:
        """See `NeuralAgent`."""
        super().__init__(description, weights, name, device)
        rules = description.rules
        assert isinstance(rules, RuleSet)
        parts = fields(rules, description.num_players)
        self._parts = {name: parts[name] for name in ("rack", "table", "played")}
        self._sizes_part = parts["rack_sizes"]
        self._opened_at = parts["opened"].start
        self._pool_at = parts["pool_size"].start
        self._of_the_turn = [parts[name].slice for name in ("actions", "actions_left")]
        seen = choice_fields(rules, description.num_players)
        self._seen_size = size_of(seen.values())
        self._codes = coded(rules, description.num_players)
        self._tools = (make_workspace(), solver_tables(rules.colors))
        self._begun: dict[bytes, Counts] = {}

    def act_batch(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """Returns for every game what comes next in the turn of the highest logit.

        See `NeuralAgent.act_batch`.
        """
        seen = self._fitted(observations, masks)
        played = self._counts(seen, "played")
        starts = self._starts(seen, played)
        plans: list[Counts | None] = [
            self._begun.get(start.tobytes()) if tiles.any() else None
            for start, tiles in zip(starts, played, strict=True)
        ]
        new = [
            row
            for row, plan in enumerate(plans)
            if plan is None or (played[row] > plan).any()
        ]
        if new:
            plays, logits = self._weighed(starts[new], played[new])
            for place, choice in enumerate(logits.argmax(axis=1).tolist()):
                row, play = new[place], plays[place, choice].copy()
                plans[row] = play
                # Somebody else may have begun the turn with tiles that no choice has.
                if play.any() and logits[place, choice] > -np.inf:
                    self._keep(starts[row], play)
        actions = [
            next_of(plan, mask, tiles)
            for plan, mask, tiles in zip(plans, masks, played, strict=True)
            if plan is not None
        ]
        return np.array(actions, np.int64)

    def judge(self, observation: Observation, mask: Mask) -> Judgement:
        """Returns how likely it takes each action; see `NeuralAgent.judge`.

        Those of choices that go on with the same tile are added.
        """
        masks = np.asarray(mask, np.int8)[None]
        seen = self._fitted(observation[None], masks)
        played = self._counts(seen, "played")
        plays, logits = self._weighed(self._starts(seen, played), played)
        best = logits.max()
        shares = np.zeros(len(mask))
        for play, logit in zip(plays[0], logits[0].tolist(), strict=True):
            weight = 1.0 if best == -np.inf else np.exp(logit - best)
            shares[next_of(play, mask, played[0])] += weight
        return Judgement.of(shares / shares.sum())

    def choose(
        self, seen: npt.NDArray[np.float32], legal: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        """Returns the choice of the highest logit in every row.

        Args:
            seen: float32[n, C]; as in `choice_fields`, of ``description.num_players``.
            legal: int8[n, choices]; which there are.
        """
        logits = np.where(legal == 1, self._logits(seen), -np.inf)
        chosen: npt.NDArray[np.int64] = logits.argmax(axis=1)
        return chosen

    def _weighed(
        self, starts: npt.NDArray[np.float32], played: npt.NDArray[np.int8]
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64]]:
        """Returns the choices of turns and their logits.

        Args:
            starts: float32[n, S]; observations at the start of the turns.
            played: int8[n, 53]; what was played since.

        Returns:
            int8[n, choices, 53]; float64[n, choices], -inf where there is no such
            choice, or it has not all tiles that were played.
        """
        seen, plays, legal = self.choices(starts)
        possible = (legal == 1) & (plays >= played[:, None]).all(axis=2)
        return plays, np.where(possible, self._logits(seen), -np.inf).astype(float)

    def _keep(self, start: npt.NDArray[np.float32], plan: Counts) -> None:
        if len(self._begun) >= MOST_KEPT:
            self._begun.clear()
        self._begun[start.tobytes()] = plan.copy()

    def choices(
        self, starts: npt.NDArray[np.float32]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """Returns what the network sees at the start of turns, and their choices.

        Args:
            starts: float32[n, S]; observations.

        Returns:
            float32[n, C], as in `choice_fields`; the choices, int8[n, choices, 53];
            which there are, int8[n, choices].
        """
        number = len(starts)
        seen = np.zeros((number, self._seen_size), np.float32)
        seen[:, : self._size] = starts
        plays = np.zeros((number, NUM_CHOICES, NUM_COUNTS), np.int8)
        legal = np.zeros((number, NUM_CHOICES), np.int8)
        sizes = starts[:, self._sizes_part.slice] / self._sizes_part.scale
        see_choices(
            self._counts(starts, "table"),
            self._counts(starts, "rack"),
            starts[:, self._opened_at].astype(np.int8),
            (starts[:, self._pool_at] == 0).astype(np.int8),
            np.rint(sizes).astype(np.int64),
            self._codes,
            *self._tools,
            self._size,
            seen,
            plays,
            legal,
        )
        return seen, plays, legal

    def _counts(self, seen: npt.NDArray[np.float32], name: str) -> npt.NDArray[np.int8]:
        return np.ascontiguousarray(seen[:, self._parts[name].slice], np.int8)

    def _starts(
        self, seen: npt.NDArray[np.float32], played: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float32]:
        """Returns what was seen at the start of the turns."""
        starts = seen.copy()
        begun = np.flatnonzero(played.any(axis=1))
        if not len(begun):
            return starts
        rack, own = self._parts["rack"].slice, self._sizes_part.start
        starts[begun, rack] += played[begun]
        starts[begun, self._parts["played"].slice] = 0.0
        sizes = np.rint(starts[begun, own] / self._sizes_part.scale)
        sizes += played[begun].sum(axis=1)
        starts[begun, own] = sizes * self._sizes_part.scale
        for part in self._of_the_turn:
            starts[begun, part] = 0.0
        return starts
