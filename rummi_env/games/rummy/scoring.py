"""How a hand is scored (part B.7), and a blocked one (part B.6)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rummi_env.core.rummy_rules import MAX_PLAYERS
from rummi_env.games.rummy.planning import least_deadwood
from rummi_env.games.rummy.sets import count, value_of
from rummi_env.games.rummy.state import EACH_PENALTY, LOW_HAND_WINS, Rules
from rummi_env.solver.compiled import entry, kernel


@kernel
def rack_value(game, rules, seat):
    """What a rack costs: all its cards, or with hidden melds those outside of melds."""
    if rules.hidden:
        return least_deadwood(game.racks[seat], rules)
    return value_of(game.racks[seat], rules.ace_value)


@kernel
def score_going_out(game, rules, seat):
    """Scores a hand that a seat went out of.

    Going rummy, all in one turn with nothing laid before, doubles the values.
    """
    all_at_once = game.laid[seat] == count(game.laid_now)
    factor = 2 if rules.rummy_doubles and all_at_once else 1
    game.scores[:] = 0.0
    for other in range(rules.num_players):
        if other != seat:
            value = factor * rack_value(game, rules, other)
            if rules.penalty:
                game.scores[other] = -value
            else:
                game.scores[seat] += value
    game.scores[seat] += rules.going_out_bonus
    game.rounds_won[seat] += 1.0


@kernel
def score_blocked(game, rules):
    """Scores a hand that nobody can go on with."""
    game.scores[:] = 0.0
    players = rules.num_players
    values = np.zeros(MAX_PLAYERS, np.int64)
    for seat in range(players):
        values[seat] = rack_value(game, rules, seat)
    if rules.block_score == EACH_PENALTY:
        for seat in range(players):
            game.scores[seat] = -values[seat]
    elif rules.block_score == LOW_HAND_WINS:
        lowest = values[:players].min()
        winners = 0
        for seat in range(players):
            if values[seat] == lowest:
                winners += 1
        excess = values[:players].sum() - lowest * players
        for seat in range(players):
            if values[seat] == lowest:
                game.rounds_won[seat] += 1.0 / winners
                if not rules.penalty:
                    game.scores[seat] = excess / winners
            elif rules.penalty:
                game.scores[seat] = lowest - values[seat]


@kernel
def match_is_over(game, rules):
    """Whether the target is reached or the hands are played (part B.7)."""
    if game.round >= rules.hands:
        return True
    if rules.target == 0:
        return False
    for seat in range(rules.num_players):
        reached = -game.totals[seat] if rules.penalty else game.totals[seat]
        if reached >= rules.target:
            return True
    return False


@kernel
def win_shares(game, rules, shares):
    """Sets each seat's share in winning the match: the highest total, ties shared.

    Args:
        game: the game, its match over.
        rules: the rules in numbers.
        shares: float64[players]; set to 1 / k for each of the k winners, else to 0.
    """
    players = rules.num_players
    most = -np.inf
    for seat in range(players):
        most = max(most, game.totals[seat])
    winners = 0
    for seat in range(players):
        # Halves and thirds of scores do not add up exactly.
        shares[seat] = 1.0 if game.totals[seat] >= most - 1e-6 else 0.0
        winners += shares[seat] > 0.0
    shares /= winners


@entry
def _win_shares(games, index, rules, shares):
    win_shares(games[index], rules, shares)


def match_shares(
    games: npt.NDArray[np.void], index: int, rules: Rules
) -> npt.NDArray[np.float64]:
    """Returns each seat's share in winning a match that is over, float64[players]."""
    shares = np.empty(rules.num_players, np.float64)
    _win_shares(games, index, rules, shares)
    return shares
