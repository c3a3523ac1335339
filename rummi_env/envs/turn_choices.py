"""Many games in which whole turns are chosen, each call one compiled function.

See `rummi_env.games.rummikub.choices` for what there is to choose, and
`rummi_env.observation.choices` for what is seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.fused import CALLER
from rummi_env.games.chance import random_below
from rummi_env.games.rummikub.choices import (
    NUM_CHOICES,
    list_choices,
    nearest_choice,
)
from rummi_env.games.rummikub.machine import (
    draw_or_pass,
    lay_down,
    refresh_mask,
    start_match,
)
from rummi_env.games.rummikub.playing import play_on
from rummi_env.games.rummikub.scripted import MAX_TILES, planned_counts
from rummi_env.games.rummikub.state import OVER_PHASE, coded
from rummi_env.games.rummikub.winners import win_shares
from rummi_env.observation.choices import choice_state_fields, write_choices
from rummi_env.observation.encode import encode_state
from rummi_env.observation.fields import size_of
from rummi_env.solver.compiled import entry, kernel
from rummi_env.solver.workspace import NO_ROW

START, CHOOSE, GO_ON, LABEL = range(4)
"""Operations of `advance`: start matches; play the turns chosen; let others play whose
turn it is; say which choice a scripted player comes nearest to."""


class TurnOutputs(NamedTuple):
    """What a call writes, for each game in its row.

    Attributes:
        seen: float32[games, T]; what the seat to move sees and what is hidden from it,
            as in `choice_state_fields`.
        plays: int8[games, `NUM_CHOICES`, 53]; its choices.
        legal: int8[games, `NUM_CHOICES`]; which of them there are.
        seats: int8[games]; the seat to move.
        learners: int8[games]; the learner's seat.
        ended: int8[games]; whether the match is over.
        scores: float64[games, players]; by seat, of a match that is over.
        shares: float64[games, players]; by seat, the shares in having won it.
        labels: int64[games]; what `LABEL` found.
    """

    seen: NDArray[np.float32]
    plays: NDArray[np.int8]
    legal: NDArray[np.int8]
    seats: NDArray[np.int8]
    learners: NDArray[np.int8]
    ended: NDArray[np.int8]
    scores: NDArray[np.float64]
    shares: NDArray[np.float64]
    labels: NDArray[np.int64]


def turn_outputs(rules: RuleSet, num_players: int, num_games: int) -> TurnOutputs:
    """Makes the outputs for so many games.

    Raises:
        ValueError: see `check_choices`.
    """
    check_choices(rules, num_players)
    size = size_of(choice_state_fields(rules, num_players).values())

    def rows(dtype: Any, *shape: int) -> NDArray[Any]:
        return np.zeros((num_games, *shape), dtype)

    return TurnOutputs(
        seen=rows(np.float32, size),
        plays=rows(np.int8, NUM_CHOICES, 53),
        legal=rows(np.int8, NUM_CHOICES),
        seats=rows(np.int8),
        learners=rows(np.int8),
        ended=rows(np.int8),
        scores=rows(np.float64, num_players),
        shares=rows(np.float64, num_players),
        labels=rows(np.int64),
    )


def check_choices(rules: RuleSet, num_players: int) -> None:
    """Refuses rules under which whole turns cannot be chosen.

    Raises:
        ValueError: jokers are exact, turns are cut short, a turn may begin otherwise
            than by a play, or matches have several rounds.
    """
    if coded(rules, num_players).turn.jokers is not None:
        raise ValueError(
            "whole turns can be chosen where jokers are free, up to two in a meld, and "
            f"openings leave the table alone, not under {rules}"
        )
    for name in ("turn_actions", "redeal_on_three_pairs"):
        if getattr(rules, name):
            raise ValueError(
                f"whole turns can be chosen without {name} only, not under {rules}"
            )
    if rules.rounds != 1:
        raise ValueError(f"rounds must be 1 to choose whole turns, not {rules.rounds}")


@entry
def advance(
    operation, games, rows, chosen, opponents, rules, workspace, tables, encoding, out
):
    """Performs an operation in some games, all at the start of a turn.

    Args:
        operation: see `START`.
        games: records.
        rows: int64[n]; which games.
        chosen: int64[n]; by place, the choice to play; for `LABEL` the scripted player.
        opponents: int8[games, players - 1]; in the order of play after the learner, the
            scripted player of each seat, or `CALLER`.
        rules: the rules in numbers.
        workspace: scratch.
        tables: of the deck's colors.
        encoding: for the encoder of states.
        out: `TurnOutputs`.
    """
    workspace.kept_row[0] = NO_ROW
    state = np.empty(encoding.scale.size, np.float32)
    for place in range(rows.size):
        i = rows[place]
        game = games[i]
        if operation == LABEL:
            plan = planned_counts(game, rules, workspace, tables, chosen[place])
            out.labels[i] = nearest_choice(plan, out.plays[i], out.legal[i])
            continue
        if operation == START:
            start_match(game, rules, workspace, tables)
            out.learners[i] = random_below(game, rules.num_players)
            out.ended[i] = 0
        elif operation == CHOOSE:
            play_whole(game, rules, workspace, tables, out.plays[i, chosen[place]])
        _play_scripted(game, rules, workspace, tables, opponents[i], out.learners[i])
        out.seats[i] = game.seat
        if game.phase == OVER_PHASE:
            out.ended[i] = 1
            out.scores[i, :] = game.scores[: rules.num_players]
            out.shares[i, :] = 0.0
            win_shares(game, rules, out.shares[i])
        else:
            _look(game, rules, workspace, tables, encoding, state, i, out)


@kernel
def play_whole(game, rules, workspace, tables, play):
    """Plays a whole turn, int8[53], or nothing; computes no mask."""
    game.round_ended = 0
    if play.max() == 0:
        draw_or_pass(game, rules, workspace, tables)
    else:
        game.played[:] = play
        game.actions = play.sum()
        lay_down(game, rules, workspace, tables)


@kernel
def _play_scripted(game, rules, workspace, tables, opponents, learner):
    """Lets scripted players play up to the turn of somebody else."""
    while game.phase != OVER_PHASE and game.seat != learner:
        player = np.int64(opponents[(game.seat - learner) % rules.num_players - 1])
        if player == CALLER:
            return
        if player >= MAX_TILES:
            plan = planned_counts(game, rules, workspace, tables, player)
            play_whole(game, rules, workspace, tables, plan)
            continue
        seat = game.seat
        refresh_mask(game, rules, workspace, tables)
        while game.seat == seat and game.phase != OVER_PHASE:
            play_on(game, rules, workspace, tables, player)


@kernel
def _look(game, rules, workspace, tables, encoding, state, i, out):
    """Writes what the seat to move sees, its choices, and what is hidden."""
    seat = np.int64(game.seat)
    players = rules.num_players
    list_choices(
        rules,
        workspace,
        tables,
        game.table,
        game.racks[seat],
        game.opened[seat],
        game.drawn == game.pool_size,
        out.plays[i],
        out.legal[i],
    )
    encode_state(game, encoding, seat, state)
    seen = out.seen[i]
    seen[: encoding.size] = state[: encoding.size]
    end = write_choices(
        out.plays[i],
        out.legal[i],
        game.racks[seat],
        rules.joker_rack_value,
        _sizes(game, seat, players),
        encoding.size,
        seen,
    )
    seen[end:] = state[encoding.size :]


@kernel
def _sizes(game, seat, players):
    """Sizes of the racks, that of a seat first."""
    sizes = np.zeros(players, np.int64)
    for step in range(players):
        for kind in range(53):
            sizes[step] += game.racks[(seat + step) % players, kind]
    return sizes


@entry
def see_choices(
    boards, racks, opened, pool_empty, sizes, rules, workspace, tables, at, seen, plays,
    legal,
):  # fmt: skip
    """Lists and describes the choices of seats that are known by what they see.

    Args:
        boards: int8[n, 53]; tables.
        racks: int8[n, 53]; racks at the start of the turn.
        opened: int8[n]; whether the seat has opened before.
        pool_empty: int8[n].
        sizes: int64[n, players]; of the racks, the own one first.
        rules: the rules in numbers.
        workspace: scratch.
        tables: of the deck's colors.
        at: where observations end.
        seen: float32[n, C]; filled from there on, as in `choice_fields`.
        plays: int8[n, `NUM_CHOICES`, 53]; filled.
        legal: int8[n, `NUM_CHOICES`]; filled.
    """
    workspace.kept_row[0] = NO_ROW
    for row in range(racks.shape[0]):
        list_choices(
            rules, workspace, tables, boards[row], racks[row], opened[row],
            pool_empty[row] == 1, plays[row], legal[row],
        )  # fmt: skip
        write_choices(
            plays[row], legal[row], racks[row], rules.joker_rack_value, sizes[row], at,
            seen[row],
        )  # fmt: skip
