"""What one seat may know of a game: its own rack and all that lies in the open.

A `View` is all that encoders and renderers get, so nothing hidden can reach them. Seats
are counted from the observer on: 0 is the observer, 1 the next to play, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_env.core.melds import Meld
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import NUM_KINDS, Counts, counts_of
from rummi_env.games.rummikub.state import NO_TURNS_LEFT

LastTurn: TypeAlias = Literal["none", "drew", "passed", "laid", "failed"]
LAST_TURNS: tuple[LastTurn, ...] = ("none", "drew", "passed", "laid", "failed")
"""What a seat's last turn was, in the order of the codes in the game record."""

Phase: TypeAlias = Literal["redeal", "play", "over"]
PHASES: tuple[Phase, ...] = ("redeal", "play", "over")
"""What is asked of the seat to move, in the order of the codes in the game record."""


@dataclass(frozen=True, eq=False, slots=True)
class PlayerView:
    """What everybody may know of one player."""

    seat: int
    """Seat in the game, not counted from the observer."""

    rack_size: int
    """Tiles on the rack, without those that lie on the table in this turn."""

    known: Counts
    """Tiles known to be among them from turns that were taken back, int8[53]."""

    opened: bool
    """Whether the player has opened."""

    last_turn: LastTurn
    """What the last turn of this round was."""

    total: float
    """Score of the rounds that are over."""

    rounds_won: float
    """Rounds won; a tie counts in equal parts."""


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """What one seat may know of a game."""

    rack: Counts
    """The observer's rack without the tiles played in this turn, int8[53]."""

    table: Counts
    """Tiles on the table at the start of the turn, int8[53]."""

    melds: tuple[Meld, ...]
    """The table as it is shown to people; empty where nobody asked for it."""

    played: Counts
    """Tiles that the seat to move has played in this turn, int8[53]."""

    pool_size: int
    """Tiles left in the pool."""

    players: tuple[PlayerView, ...]
    """Everybody in the order of play, the observer first."""

    to_move: int
    """Whose turn it is, counted from the observer."""

    phase: Phase
    """Whether a new deal may be demanded, a turn is played, or the match is over."""

    passes: int
    """Turns in succession in which nothing was laid or drawn."""

    turns_left: int | None
    """Turns until the round ends; None while it has no fixed end."""

    turn: int
    """Turns of this round that are over."""

    round: int
    """Rounds that are over."""

    rounds: int
    """Rounds of the match."""

    actions: int
    """Actions of this turn so far."""

    actions_left: int | None
    """Actions left in this turn; None without a limit."""

    joker_identities: tuple[frozenset[int], ...] | None = None
    """Exact jokers only: for each joker of the table the kinds it may stand for."""

    commitments: Counts | None = None
    """Exact jokers only: kinds that jokers were said to stand for in this turn."""

    @property
    def me(self) -> PlayerView:
        """The observer."""
        return self.players[0]

    @property
    def opponents(self) -> tuple[PlayerView, ...]:
        """Everybody else in the order of play."""
        return self.players[1:]


def view_of(
    game: np.void,
    rules: RuleSet,
    num_players: int,
    seat: int,
    melds: Sequence[Meld] = (),
) -> View:
    """Returns what a seat may know of a game.

    Args:
        game: a record of `rummi_env.games.rummikub.state.GAME`.
        rules: the rules of the game.
        num_players: how many play.
        seat: the observer.
        melds: the table as it is shown to people.
    """
    mover = int(game["seat"])
    played = game["played"]
    left = game["racks"].copy()
    left[mover] -= played
    known = game["known"].copy()
    known[mover] = np.maximum(known[mover] - played, 0)
    players = tuple(
        PlayerView(
            seat=other,
            rack_size=int(left[other].sum()),
            known=_frozen(known[other]),
            opened=bool(game["opened"][other]),
            last_turn=LAST_TURNS[game["last_turn"][other]],
            total=float(game["totals"][other]),
            rounds_won=float(game["rounds_won"][other]),
        )
        for other in ((seat + step) % num_players for step in range(num_players))
    )
    turns_left = int(game["turns_left"])
    actions = int(game["actions"])
    limit = rules.turn_actions
    exact = rules.joker_release == "exact"
    return View(
        rack=_frozen(left[seat]),
        table=_frozen(game["table"]),
        melds=tuple(melds),
        played=_frozen(played),
        pool_size=int(game["pool_size"] - game["drawn"]),
        players=players,
        to_move=(mover - seat) % num_players,
        phase=PHASES[game["phase"]],
        passes=int(game["passes"]),
        turns_left=None if turns_left == NO_TURNS_LEFT else turns_left,
        turn=int(game["turn"]),
        round=int(game["round"]),
        rounds=rules.rounds,
        actions=actions,
        actions_left=None if limit is None else limit - actions,
        joker_identities=_joker_identities(game) if exact else None,
        commitments=_commitments(game) if exact else None,
    )


def _joker_identities(game: np.void) -> tuple[frozenset[int], ...]:
    return tuple(
        frozenset(kind for kind in range(NUM_KINDS) if kinds >> kind & 1)
        for kinds in game["joker_sets"].tolist()
        if kinds
    )


def _commitments(game: np.void) -> Counts:
    return _frozen(counts_of(kind for kind in game["named"].tolist() if kind >= 0))


def _frozen(counts: npt.NDArray[np.int8]) -> Counts:
    counts = counts.copy()
    counts.flags.writeable = False
    return counts
