"""Mirrored deals played side by side, by compiled baselines and by networks in batches.

The games are those that `mirrored.play_mirrored` plays one at a time. A player that can
only decide for one game at a time has to be played there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_agents.choosing import Choosing
from rummi_agents.protocol import reset
from rummi_agents.released import Released
from rummi_env.core.options import GameRules
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.batch import Batch
from rummi_env.envs.fused import ALL_SEATS
from rummi_env.envs.game import game_named
from rummi_env.envs.opponents import BatchAgent
from rummi_env.games.rummikub.scripted import MAX_TILES, SCRIPTED
from rummi_env.observation import size_of
from rummi_training.mirrored import (
    Game,
    Numbered,
    Player,
    chance_of_game,
    illegal_choice,
    one_round,
    seat_chance,
    seats_of,
)
from rummi_training.turn_tables import decisions_in, play_turns

Rows = npt.NDArray[np.int64]


def plays_in_batches(players: Iterable[Player]) -> bool:
    """Tells whether players can decide for many games in one call."""
    return all(isinstance(player, str | BatchAgent) for player in players)


class BatchedTable:
    """Plays deals with the same players, all of a call side by side.

    Players that are not compiled are asked by ``act_batch``. Results depend neither on
    how many deals a call has nor on their order; except for players that draw random
    numbers in ``act_batch``, as those are of the whole call.

    Args:
        players: who plays; see `plays_in_batches`.
        rules: the rules; matches are of one round.
        seed: of all chance in the games.
    """

    def __init__(self, players: Sequence[Player], rules: GameRules, seed: int) -> None:
        self._players = tuple(players)
        self._rules = one_round(rules)
        self._game = game_named(rules.GAME)(self._rules, len(players))
        self._seed = seed

    def play(
        self, deals: Sequence[Numbered], order: Sequence[int] | None = None
    ) -> list[list[Game]]:
        """Plays deals, each once for every rotation of the seats.

        Args:
            deals: numbers of deals and the deals.
            order: players in the order of play; as they are listed by default.

        Returns:
            The games of each deal.

        Raises:
            ValueError: a player cannot play under these rules, or chose an illegal
                action.
        """
        number = len(self._players)
        dealt = self._deal(deals)
        rotations = [
            self._play(deals, dealt, seats_of(number, rotation, order), rotation)
            for rotation in range(number)
        ]
        return [list(games) for games in zip(*rotations, strict=True)]

    def _deal(self, deals: Sequence[Numbered]) -> Batch:
        """Returns games at their start, whoever plays them."""
        dealt = self._new_batch(len(deals))
        dealt.out.learners[:] = ALL_SEATS
        for row, (index, deal) in enumerate(deals):
            start = self._game.start_with(deal)
            self._game.start(chance_of_game(self._seed, index), start)
            _put(dealt.games[row : row + 1], self._game.games)
        return dealt

    def _new_batch(self, size: int, **keywords: Any) -> Batch:
        return Batch(
            size,
            game=self._rules.GAME,
            rules=self._rules,
            num_players=len(self._players),
            on_illegal="raise",
            autoreset="disabled",
            copy=False,
            **keywords,
        )

    def _play(
        self,
        deals: Sequence[Numbered],
        dealt: Batch,
        seats: Sequence[int],
        rotation: int,
    ) -> list[Game]:
        number = len(self._players)
        seated = [self._players[seats.index(seat)] for seat in range(number)]
        for player in self._players:
            if not isinstance(player, str):
                reset(player)
        names = [player for player in seated if isinstance(player, str)]
        planning = self._planning(seated)
        if planning is not None:
            assert isinstance(self._rules, RuleSet)
            games = play_turns(planning, self._rules, dealt.games)
            decisions = decisions_in(games, number)
            return self._games_of(deals, games, decisions, seats, rotation)
        if len(names) == number:
            batch = self._new_batch(len(deals))
            _put(batch.games, dealt.games)
            batch.rollout(np.arange(len(deals)), names)
        else:
            batch = self._play_callers(deals[0][0], dealt, seated)
        return self._games_of(deals, batch.games, batch.out.decisions, seats, rotation)

    def _planning(self, seated: Sequence[Player]) -> list[str | Choosing] | None:
        """Returns players of whole turns, if they all are and one is a network."""
        rules = self._rules
        if not isinstance(rules, RuleSet):
            return None
        seeing = self._game.seeing
        parts = seeing.fields(rules, len(seated))
        sizes = size_of(parts.values()), seeing.num_actions(rules)
        found: list[str | Choosing] = []
        for player in seated:
            if isinstance(player, Released):
                player = player.player(*sizes)
            if isinstance(player, str):
                if SCRIPTED[player] < MAX_TILES:
                    return None
                found.append(player)
            elif isinstance(player, Choosing) and sizes in player.sizes:
                found.append(player)
            else:
                return None
        return None if all(isinstance(one, str) for one in found) else found

    def _games_of(
        self,
        deals: Sequence[Numbered],
        games: npt.NDArray[np.void],
        decisions: npt.NDArray[np.int64],
        seats: Sequence[int],
        rotation: int,
    ) -> list[Game]:
        """Returns what came out of games that are over."""
        places = list(seats)
        scores = games["scores"][:, places].tolist()
        wins = games["rounds_won"][:, places].tolist()
        turns = games["turn"].tolist()
        return [
            Game(
                deal=index,
                rotation=rotation,
                scores=tuple(scores[row]),
                wins=tuple(wins[row]),
                turns=turns[row],
                decisions=int(decisions[row]),
            )
            for row, (index, _) in enumerate(deals)
        ]

    def _play_callers(
        self, first: int, dealt: Batch, seated: Sequence[Player]
    ) -> Batch:
        """Plays games in which not everybody is compiled.

        Args:
            first: number of the first deal.
            dealt: the games at their start.
            seated: who sits where.
        """
        number, rows = len(seated), np.arange(dealt.num_games)
        seatings = [
            player
            if isinstance(player, str)
            else Caller(player, seat_chance(self._seed, first, seat))
            for seat, player in enumerate(seated)
        ]
        mine, caller = next(
            (seat, who) for seat, who in enumerate(seatings) if isinstance(who, Caller)
        )
        others = [seatings[(mine + step) % number] for step in range(1, number)]
        batch = self._new_batch(len(rows), opponents=others, seat=mine)
        # The first decision counts as made: no deal may be replaced by another one.
        dealt.out.fresh[:] = 0
        # Over themselves, so that what the starters see is written.
        dealt.copy_games(rows, rows)
        batch.copy_games(rows, rows, of=dealt)
        batch.out.learners[:] = mine
        # Whoever starts does so by hand; from then on the others act within `step`.
        actions = np.zeros(len(rows), np.int64)
        for seat, who in enumerate(seatings):
            starting = np.flatnonzero(dealt.out.seats == seat)
            if isinstance(who, Caller) and len(starting):
                actions[starting] = who.decide(dealt, starting)
            elif isinstance(who, str):
                for row in starting.tolist():
                    chosen = batch.engine.scripted_action(batch.games, row, who)
                    actions[row] = chosen
        batch.step(actions)
        waiting = np.flatnonzero(batch.out.ended == 0)
        while len(waiting):
            actions[waiting] = caller.decide(batch, waiting)
            batch.step(actions)
            waiting = np.flatnonzero(batch.out.ended == 0)
        return batch


class Caller:
    """A player that decides for many games, with chance of its own.

    Args:
        player: it.
        chance: its source of chance.
    """

    def __init__(self, player: Any, chance: np.random.Generator) -> None:
        self._player = player
        self._chance = chance

    def act_batch(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """See `BatchAgent`; ``rng`` has no effect.

        Raises:
            ValueError: the player chose an illegal action.
        """
        chosen = np.asarray(self._player.act_batch(observations, masks, self._chance))
        legal = (chosen >= 0) & (chosen < masks.shape[1])
        legal[legal] = masks[legal, chosen[legal]] == 1
        if not legal.all():
            raise ValueError(illegal_choice(self._player, int(chosen[~legal][0])))
        return chosen.astype(np.int64, copy=False)

    def decide(self, batch: Batch, rows: Rows) -> npt.NDArray[np.int64]:
        """Returns what it does in some games of a batch whose viewer it is."""
        out = batch.out
        return self.act_batch(out.observations[rows], out.masks[rows], self._chance)


def _put(games: npt.NDArray[np.void], others: npt.NDArray[np.void]) -> None:
    """Copies games over others; as bytes, which is many times as fast."""
    games.view(np.uint8)[:] = others.view(np.uint8)
