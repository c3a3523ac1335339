"""Who won a match."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rummi_env.games.rummikub.state import BY_ROUNDS_WON, Rules
from rummi_env.solver.compiled import entry, kernel


@kernel
def win_shares(game, rules, shares):
    """Sets each seat's share in winning the match: ones who tie share equally.

    Args:
        game: the game, its match over.
        rules: the rules in numbers.
        shares: float64[players]; set to 1 / k for each of the k winners, else to 0.
    """
    players = rules.num_players
    shares[:] = 0.0
    most = -np.inf
    for seat in range(players):
        most = max(most, game.rounds_won[seat])
    # Halves and thirds of rounds do not add up exactly.
    least = most - 1e-6 if rules.match_winner == BY_ROUNDS_WON else -np.inf
    highest = -np.inf
    for seat in range(players):
        if game.rounds_won[seat] >= least:
            highest = max(highest, game.totals[seat])
    winners = 0
    for seat in range(players):
        if game.rounds_won[seat] >= least and game.totals[seat] >= highest - 1e-6:
            shares[seat] = 1.0
            winners += 1
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
