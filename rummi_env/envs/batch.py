"""Many games at once, each call one compiled function over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_env.core.options import GameRules
from rummi_env.envs.fused import (
    ALL_SEATS,
    ANY_SEAT,
    CALLER,
    DISABLED,
    NEXT_STEP,
    OBSERVE,
    PENALTY,
    PLAY_OUT,
    RESET,
    SAME_STEP,
    STEP,
    TERMINATE,
    Modes,
    make_outputs,
)
from rummi_env.envs.game import game_named
from rummi_env.envs.keywords import (
    ILLEGAL_REWARDS,
    REWARDS,
    ObsDtype,
    OnIllegal,
    RewardType,
    check_keywords,
    check_seed,
    game_rows,
)
from rummi_env.envs.opponents import Player, decisions, read_opponents, reset_player
from rummi_env.envs.threads import Indices, Threads

Autoreset: TypeAlias = Literal["disabled", "next_step", "same_step"]
"""When a match that is over is followed by another: never, with the next step (whose
action is ignored), or in the same step."""

AUTORESETS = {"disabled": DISABLED, "next_step": NEXT_STEP, "same_step": SAME_STEP}


class Batch:
    """Games of one kind and set of rules that are played side by side.

    With opponents one seat of each game is the caller's, and the opponents act inside
    `step`. Without them every seat is the caller's, for self-play: `seats` tells whose
    decision comes next.

    Every game has random numbers of its own, so results do not depend on how many
    threads there are.

    Attributes:
        game: what is played.
        rules: the rules.
        num_games: how many games there are.
        num_players: how many play each.
        num_actions: how many actions there are.
        engine: plays single games of the same records.
        games: the games, an array of records.
        out: what the last call wrote; see `fused.Outputs`.
        self_play: whether every seat is the caller's.
    """

    def __init__(
        self,
        num_games: int,
        *,
        game: str = "rummikub",
        num_players: int | None = None,
        rules: GameRules | str | None = None,
        opponents: Sequence[Any] | None = None,
        seat: int | None = None,
        obs_dtype: ObsDtype = "float32",
        reward: RewardType = "score",
        reward_scale: float = 1.0,
        on_illegal: OnIllegal = "penalty",
        autoreset: Autoreset = "next_step",
        privileged: bool = False,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        """Makes the games; `reset` starts them.

        Args:
            num_games: how many.
            game: name of the game; see `rummi_env.envs.game.GAMES`.
            num_players: one more than there are opponents; 2 for self-play by default.
            rules: the rules, or the name of a preset; by default the game's first.
            opponents: one for each other seat, in the order of play after the caller's:
                the name of a scripted baseline (compiled) or of an installed agent, a
                `BatchAgent`, an `Agent` or a function like `Agent.act`. Self-play by
                default.
            seat: the caller's; by default drawn anew for every match.
            obs_dtype: ``"float32"``: scaled fields. ``"int8"``: the bare numbers, those
                beyond 127 cut off.
            reward: see the game's page.
            reward_scale: what all rewards are multiplied by.
            on_illegal: see the game's page.
            autoreset: see `Autoreset`.
            privileged: whether `states` are written, for training.
            threads: how many threads play.
            copy: whether `step` returns new arrays; else they are written over by the
                next call, which saves the time.

        Raises:
            ValueError: a keyword has a value that it does not take.
        """
        check_keywords(on_illegal, "flat", reward, reward_scale, None)
        for name, value in (("num_games", num_games), ("threads", threads)):
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} must be a whole number from 1, not {value!r}")
        if autoreset not in AUTORESETS:
            allowed = ", ".join(map(repr, AUTORESETS))
            raise ValueError(f"autoreset must be one of {allowed}, not {autoreset!r}")
        if obs_dtype not in ("float32", "int8"):
            raise ValueError(
                f"obs_dtype must be 'float32' or 'int8', not {obs_dtype!r}"
            )
        self.game = game_named(game)
        self.self_play = opponents is None
        self._players: tuple[Player, ...] = ()
        if opponents is not None:
            self._players = read_opponents(opponents, num_players, game)
            num_players = len(self._players) + 1
        self.engine: Any = self.game.make_engine(
            rules, 2 if num_players is None else num_players
        )
        self.rules = self.engine.rules
        self.num_players = self.engine.num_players
        self.num_actions = self.engine.num_actions
        if seat is not None and (
            self.self_play or type(seat) is not int or not 0 <= seat < self.num_players
        ):
            raise ValueError(
                f"seat must be None or, with opponents, an integer from 0 to "
                f"{self.num_players - 1}, not {seat!r}"
            )
        self.num_games = num_games
        self.games = self.engine.new_games(num_games)
        self._num_threads = threads
        self._copy = copy
        self._scale = float(reward_scale)
        self._raises = on_illegal == "raise"
        self._rng = np.random.default_rng()
        learner = ALL_SEATS if self.self_play else ANY_SEAT if seat is None else seat
        codes = [
            self.game.scripted[player] if isinstance(player, str) else CALLER
            for player in self._players
        ]
        self._modes = Modes(
            learner=learner,
            opponents=np.array(codes or [CALLER] * (self.num_players - 1), np.int8),
            on_illegal=TERMINATE if on_illegal == "terminate" else PENALTY,
            illegal_reward=ILLEGAL_REWARDS[reward],
            reward=REWARDS.index(reward),
            autoreset=AUTORESETS[autoreset],
        )
        self._waits = CALLER in codes
        self.obs_dtype = np.dtype(obs_dtype)
        self._make_tools()
        seen, state = self._encodings
        self.out = make_outputs(
            num_games,
            self.num_players,
            self.num_actions,
            seen.size,
            self.obs_dtype,
            state.scale.size if privileged else 0,
        )
        self._all = np.arange(num_games)
        self._before = self.out.learners.copy()
        self._begun = np.zeros(num_games, np.bool_)

    # ------------------------------------------------------------------ playing

    def reset(
        self,
        seed: int | None = None,
        *,
        indices: npt.ArrayLike | None = None,
        match_seeds: npt.ArrayLike | None = None,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        """Starts games anew and plays up to the caller's first decisions.

        Args:
            seed: of all chance from here on; without one it goes on as it was.
            indices: int[n]; which games; all of them by default.
            match_seeds: uint64[n]; what the chance of each of these games begins with;
                by default drawn.

        Returns:
            The observations, [games, S], and the masks, int8[games, actions].

        Raises:
            ValueError: the seed is none, or there is no such game.
        """
        if seed is not None:
            check_seed(seed)
        rows = self._all
        if indices is not None:
            rows = game_rows(indices, self.num_games, "indices")
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        if match_seeds is None:
            match_seeds = self._rng.integers(2**64, size=len(rows), dtype=np.uint64)
        self.games["seed"][rows] = match_seeds
        for player in self._players:
            reset_player(player)
        self.out.decisions[rows] = 0
        self._begun[rows] = True
        self._advance(RESET, rows, rows)
        self._play_opponents()
        self._before = self.out.learners.copy()
        return self._given(self.out.observations), self._given(self.out.masks)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[Any],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        npt.NDArray[np.int8],
    ]:
        """Performs an action in every game and plays up to the next decisions.

        Args:
            actions: int[games]; legal ones, as the masks say. Where a game waits to be
                started anew it has no effect.

        Returns:
            observations: [games, S]; of the caller's seat, or of the seat to move.
            rewards: float64[games], or [games, players] in self-play; by seat.
            terminations: bool[games]; whether a match has ended.
            truncations: bool[games]; always False.
            masks: int8[games, actions].

        Raises:
            ValueError: an action is no action, or is illegal with
                ``on_illegal="raise"``, or a game was never begun; nothing has changed.
        """
        if not self._begun.all():
            row = int(np.flatnonzero(~self._begun)[0])
            raise ValueError(
                f"there is no match to step in for game {row}: call reset() first"
            )
        chosen = self._checked(actions)
        out = self.out
        rewards = out.rewards
        rewards[:] = 0.0
        # A match that begins in this call may have another learner.
        np.copyto(self._before, out.learners)
        self._advance(STEP, self._all, chosen)
        over = out.over.astype(np.bool_)
        if self._waits:
            over |= self._play_opponents()
        mine = rewards if self.self_play else rewards[self._all, self._before]
        return (
            self._given(out.observations),
            mine * self._scale,
            over,
            np.zeros(self.num_games, np.bool_),
            self._given(out.masks),
        )

    @property
    def seats(self) -> npt.NDArray[np.int8]:
        """int8[games]; the seat whose decision comes next."""
        return self._given(self.out.seats)

    @property
    def states(self) -> npt.NDArray[np.float32]:
        """float32[games, T]; observations and what is hidden, with ``privileged``."""
        return self._given(self.out.states)

    @property
    def final_observations(self) -> npt.NDArray[Any]:
        """[games, S]; of matches that ended in the last call, with ``same_step``."""
        return self._given(self.out.final)

    @property
    def final_scores(self) -> npt.NDArray[np.float64]:
        """float64[games, players]; scores of matches that ended in the last call.

        The caller's is the first, the others follow in the order of play; in self-play
        they are by seat.
        """
        return self._from_caller(self.out.totals)

    @property
    def final_shares(self) -> npt.NDArray[np.float64]:
        """float64[games, players]; likewise, the shares in having won the match.

        All are 0 where an illegal action has ended it.
        """
        return self._from_caller(self.out.shares)

    @property
    def final_seats(self) -> npt.NDArray[np.int64]:
        """int64[games]; the caller's seats before the last call."""
        return self._before.astype(np.int64)

    def close(self) -> None:
        """Ends the threads."""
        self._threads.close()

    def __getstate__(self) -> dict[str, Any]:
        """Leaves out what is compiled or scratch, for copies and pickles."""
        made_anew = ("engine", "_encodings", "_threads")
        return {
            name: value for name, value in vars(self).items() if name not in made_anew
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes the rest anew; the games go on from where they were."""
        vars(self).update(state)
        self.engine = self.game.make_engine(self.rules, self.num_players)
        self._make_tools()

    # ------------------------------------------------------------------ searching

    def copy_games(
        self, sources: npt.ArrayLike, targets: npt.ArrayLike, of: Batch | None = None
    ) -> None:
        """Copies games over others.

        Args:
            sources: int[n]; which games.
            targets: int[n]; what they replace, no game twice.
            of: the batch that has the sources; this one by default.

        Raises:
            ValueError: there are not as many of both, there is no such game, or the
                other batch plays another game, by other rules or with other players.
        """
        source = self if of is None else of
        if (source.rules, source.num_players) != (self.rules, self.num_players):
            raise ValueError(
                f"games can be copied only between batches of the same rules and "
                f"{self.num_players} players, not of {source.rules} with "
                f"{source.num_players}"
            )
        rows = game_rows(sources, source.num_games, "sources")
        places = game_rows(targets, self.num_games, "targets")
        indices = np.unique(places)
        if not len(rows) == len(places) == len(indices):
            raise ValueError(
                f"targets must be {len(rows)} different games, one for each source, "
                f"not {len(places)}, {len(indices)} of them different"
            )
        self.games[places] = source.games[rows]
        self.out.learners[places] = source.out.learners[rows]
        self.out.ended[places] = source.out.ended[rows]
        self.out.fresh[places] = source.out.fresh[rows]
        self.out.pending[places] = source.out.pending[rows]
        self._begun[places] = True
        self._advance(OBSERVE, indices, indices)

    def determinize(self, indices: npt.ArrayLike, seat: int, seed: int) -> None:
        """Draws anew, in place, all that a seat cannot see of some games.

        Args:
            indices: int[n]; which games.
            seat: who looks.
            seed: of the draws; each game gets chance of its own.

        Raises:
            ValueError: there is no such game or seat, or the seed is none.
            RuntimeError: see `Engine.redraw`.
        """
        rows = game_rows(indices, self.num_games, "indices")
        if seat not in range(self.num_players):
            raise ValueError(
                f"seat must be from 0 to {self.num_players - 1}, not {seat!r}"
            )
        check_seed(seed)
        seeds = np.random.default_rng(seed).integers(
            2**64, size=len(rows), dtype=np.uint64
        )
        for row, chance in zip(rows.tolist(), seeds.tolist(), strict=True):
            self.engine.redraw(self.games, row, seat, chance)
        # Another seat may be to move, whose rack is another now.
        changed = np.unique(rows)
        self._advance(OBSERVE, changed, changed)

    def rollout(
        self, indices: npt.ArrayLike, players: Sequence[str]
    ) -> npt.NDArray[np.float64]:
        """Lets scripted players finish the round of some games.

        Args:
            indices: int[n]; which games.
            players: the name of a scripted baseline for each seat.

        Returns:
            float64[n, players]; what the round brings by seat, as ``reward`` says, or
            shares of the match with ``"win"``. Zeros where the match was over before.

        Raises:
            ValueError: there is no such game or baseline, or not one for each seat.
        """
        scripted = self.game.scripted
        if len(players) != self.num_players or not set(players) <= set(scripted):
            raise ValueError(
                f"players must be {self.num_players} of {', '.join(scripted)}, not "
                f"{list(players)}"
            )
        rows = game_rows(indices, self.num_games, "indices")
        self.out.rewards[rows] = 0.0
        codes = np.array([scripted[name] for name in players], np.int64)
        self._advance(PLAY_OUT, np.unique(rows), codes)
        return self.out.rewards[rows] * self._scale

    # ------------------------------------------------------------------ inside

    def _make_tools(self) -> None:
        """Makes what plays and sees the games."""
        encoding = self.game.seeing.encoding
        scaled = self.obs_dtype == np.float32
        self._encodings = (
            encoding(self.rules, self.num_players, scaled=scaled),
            encoding(self.rules, self.num_players),
        )
        self._threads = Threads(
            self.game, self.engine, self.num_games, self._num_threads, self._modes
        )

    def _advance(
        self, operation: int, indices: Indices, actions: npt.NDArray[np.int64]
    ) -> None:
        """Performs an operation in some games."""
        self._threads.advance(
            operation, self.games, indices, actions, self._encodings, self.out
        )

    def _play_opponents(self) -> npt.NDArray[np.bool_]:
        """Lets opponents that are not compiled act; tells which matches ended."""
        out = self.out
        over = np.zeros(self.num_games, np.bool_)
        if not self._waits:
            return over
        turn_of = partial(self.game.turn_of, self.engine, self.games)
        while True:
            steps = (out.seats - out.learners) % self.num_players
            waiting = np.flatnonzero((steps > 0) & (out.ended == 0))
            if not len(waiting):
                return over
            seen = self._seen_by_movers(waiting)
            actions = np.zeros(len(waiting), np.int64)
            for place, player in enumerate(self._players, start=1):
                asked = steps[waiting] == place
                if asked.any():
                    actions[asked] = decisions(
                        player, waiting[asked], seen, out.masks, turn_of, self._rng
                    )
            legal = out.masks[waiting, actions] == 1
            if not legal.all():
                raise ValueError(
                    f"an opponent chose the illegal action {actions[~legal][0]}"
                )
            self._advance(STEP, waiting, actions)
            over[waiting] |= out.over[waiting].astype(np.bool_)

    def _seen_by_movers(self, rows: Indices) -> npt.NDArray[Any]:
        """Returns observations of the seats to move, float32[games, S], scaled."""
        out = self.out._replace(
            observations=np.zeros(self.out.observations.shape, np.float32),
            final=np.zeros((0, 0), np.float32),
            learners=np.full_like(self.out.learners, ALL_SEATS),
            viewers=self.out.viewers.copy(),
        )
        scaled = self._encodings[1]
        self._threads.advance(OBSERVE, self.games, rows, rows, (scaled, scaled), out)
        return out.observations

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Returns actions as the compiled code takes them."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_games,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.num_games} whole numbers, not an array "
                f"{chosen.dtype}{list(chosen.shape)}"
            )
        chosen = chosen.astype(np.int64, copy=False)
        wrong = (chosen < 0) | (chosen >= self.num_actions)
        if self._raises and not wrong.any():
            wrong = self.out.masks[self._all, chosen] == 0
            wrong &= self.out.ended == 0
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"game {row}: {chosen[row]} is no legal action; an action is a whole "
                f"number from 0 to {self.num_actions - 1} whose mask is set"
            )
        return chosen

    def _from_caller(self, by_seat: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Returns values by seat with the caller's first; [games, players]."""
        if self.self_play:
            return by_seat.copy()
        seats = np.arange(self.num_players) + self._before[:, None]
        return np.take_along_axis(by_seat, seats % self.num_players, axis=1)

    def _given(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array
