"""OpenSpiel: our games as games of `pyspiel`, so that its algorithms can be tried.

All chance of a match comes from one number, so chance has one move here, the first: it
draws one of so many deals, each with its draws to come. With few deals and a small deck
the whole tree can be searched, which is what CFR and exploitability need; with many it
is the game itself, for what learns by playing. States are copied as bytes, and what a
seat knows is a digest of its history, so it recalls everything.

It is Python underneath, thousands of decisions a second: for small games.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_env.core.options import GameRules
from rummi_env.envs.game import game_named
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.observation import by_name, size_of
from rummi_training.interop.absent import MissingFramework

try:
    import pyspiel
except ImportError as error:
    raise MissingFramework("OpenSpiel") from error

MOST_ACTIONS = 1_000_000
"""Longest match, for OpenSpiel; the rules set no limit."""


class DealtGame(pyspiel.Game):  # type: ignore[misc]
    """A game of which chance draws one of so many deals.

    Utilities are the scores of the match.

    Attributes:
        match: where states are played on; they leave it as it happens to be.
        num_deals: how many deals there are.
    """

    def __init__(
        self,
        rules: GameRules | str | None = None,
        num_players: int = 2,
        num_deals: int = 1000,
        game: str = "rummikub",
    ) -> None:
        """Makes the game.

        Args:
            rules: the rules, or the name of a preset; by default the game's first.
            num_players: how many play.
            num_deals: how many deals chance draws from, all alike.
            game: name of the game.

        Raises:
            ValueError: a value is impossible.
        """
        if type(num_deals) is not int or num_deals < 1:
            raise ValueError(
                f"num_deals must be a whole number from 1, not {num_deals!r}"
            )
        chosen = game_named(game).rules_of(rules)
        self.match = Match(chosen, num_players, game=game)
        self.num_deals = num_deals
        self.parts = dict(self.match.game.seeing.fields(chosen, num_players))
        totals = self.parts["totals"]
        kind = pyspiel.GameType(
            short_name=f"python_{game}",
            long_name=self.match.game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=num_players,
            min_num_players=num_players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=self.match.engine.num_actions,
            max_chance_outcomes=num_deals,
            num_players=num_players,
            min_utility=float(totals.low),
            max_utility=float(totals.high),
            max_game_length=MOST_ACTIONS,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> DealtState:
        """Returns the state before the deal."""
        return DealtState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Any = None
    ) -> SeatObserver:
        """Returns what sees states as a seat does."""
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SeatObserver(self, perfect_recall=recall)


class DealtState(pyspiel.State):  # type: ignore[misc]
    """A moment of a match; plain data, so that copies are cheap."""

    def __init__(self, game: DealtGame) -> None:
        super().__init__(game)
        self.saved = b""
        self._player = int(pyspiel.PlayerId.CHANCE)
        self._actions: tuple[int, ...] = ()
        self._returns = (0.0,) * game.num_players()
        # By seat a digest of all that it has seen and done.
        self.digests = (b"",) * game.num_players()

    def current_player(self) -> int:
        """Returns who is to act."""
        return self._player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the deals and their probabilities."""
        number = self.get_game().num_deals
        return [(deal, 1 / number) for deal in range(number)]

    def _apply_action(self, action: int) -> None:
        match = self.get_game().match
        actor, done = None, b""
        if self._player == pyspiel.PlayerId.CHANCE:
            match.start(action, Start())
        else:
            match.load(self.saved)
            if not match.mask[action]:
                raise match.refusal(action)
            actor, done = match.seat, action.to_bytes(2, "little")
            match.act(action)
        self.saved = match.save()
        self._player = int(pyspiel.PlayerId.TERMINAL) if match.over else match.seat
        legal = () if match.over else np.flatnonzero(match.mask).tolist()
        self._actions = tuple(legal)
        totals = match.games["totals"][0, : match.num_players]
        self._returns = tuple(totals.tolist())
        self.digests = tuple(
            _digest(before, match.observation(seat), done if seat == actor else b"")
            for seat, before in enumerate(self.digests)
        )

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        match = self.get_game().match
        text: str = match.game.seeing.action_to_text(action, match.rules)
        return text

    def is_terminal(self) -> bool:
        """Tells whether the match is over."""
        return bool(self._player == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Returns everybody's score; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * len(self._returns)
        return list(self._returns)

    def __str__(self) -> str:
        """Returns what tells states apart."""
        return hashlib.blake2b(self.saved, digest_size=8).hexdigest()


class SeatObserver:
    """Sees states as a seat does; what OpenSpiel calls an observer.

    Attributes:
        tensor: float32[S]; the flat observation, None with perfect recall.
        dict: the same by name.
    """

    def __init__(self, game: DealtGame, *, perfect_recall: bool) -> None:
        self._game = game
        self._recalls = perfect_recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        self._size = size_of(game.parts.values())
        if not perfect_recall:
            self.tensor = np.zeros(self._size, np.float32)
            self.dict = by_name(self.tensor, game.parts)

    def set_from(self, state: DealtState, player: int) -> None:
        """Sees a state."""
        if self.tensor is not None:
            self.tensor[:] = self._seen(state, player)

    def string_from(self, state: DealtState, player: int) -> str:
        """Returns what is seen as text that tells it from all else."""
        if self._recalls:
            return f"seat {player} {state.digests[player].hex()}"
        seen = self._seen(state, player)
        return f"seat {player} {_digest(b'', seen, b'').hex()}"

    def _seen(self, state: DealtState, player: int) -> npt.NDArray[np.float32]:
        if not state.saved:
            # Nothing has been dealt.
            return np.zeros(self._size, np.float32)
        match = self._game.match
        match.load(state.saved)
        return match.observation(player)


def _digest(before: bytes, seen: npt.NDArray[np.float32], done: bytes) -> bytes:
    """Returns a digest of a history that goes on with an action and what was seen."""
    return hashlib.blake2b(
        before + done + seen.tobytes(), digest_size=16, person=b"rummi history"
    ).digest()
