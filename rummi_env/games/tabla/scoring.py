"""How a deal is scored (part A.9 and A.10 of the rules)."""

from __future__ import annotations

import numpy as np

from rummi_env.core.forms import FORMS
from rummi_env.core.tiles import JOKER
from rummi_env.games.tabla.closing import forms_of
from rummi_env.games.tabla.dealing import is_double_atu
from rummi_env.games.tabla.state import NO_FORM, NOBODY
from rummi_env.solver.compiled import kernel

NUM_FORMS = len(FORMS)


@kernel
def best_form(rules, rack):
    """Finds the form played that pays best; of equal ones that of the lowest number.

    Args:
        rules: the rules in numbers.
        rack: int8[53], 14 tiles.

    Returns:
        The form (its number less one), or `NO_FORM`, and its points.
    """
    forms = forms_of(rules, rack) & rules.enabled
    best = np.int64(NO_FORM)
    most = np.int64(0)
    for form in range(NUM_FORMS):
        points = rules.points[form, rack[JOKER]]
        if forms >> form & 1 and (best == NO_FORM or points > most):
            best = np.int64(form)
            most = points
    return best, most


@kernel
def closing_points(game, rules, points, thrown):
    """What a closing brings from each opponent: its points with all that multiplies."""
    if thrown == JOKER:
        points *= rules.joker_close_multiplier
    return points * factor(game, rules)


@kernel
def factor(game, rules):
    """What all scores of a deal are multiplied by."""
    return 2 if rules.atu_doubles and is_double_atu(game) else 1


@kernel
def score_deal(game, rules, closer, thrown):
    """Sets ``game.scores`` and how the deal ended, and adds to the totals.

    Args:
        game: the game, its deal at an end.
        rules: the rules in numbers.
        closer: the seat that closed, its rack the 14 tiles shown, or `NOBODY` where
            the deal is void.
        thrown: the kind thrown to close, or `NO_TILE`.
    """
    players = rules.num_players
    game.scores[:] = 0.0
    game.closer = closer
    game.thrown = thrown
    game.form = NO_FORM
    if closer != NOBODY:
        form, points = best_form(rules, game.racks[closer])
        game.form = form
        pay(game, players, closer, closing_points(game, rules, points, thrown))
        game.rounds_won[closer] += 1.0
    if game.twin_holder != NOBODY:
        bonus = rules.atu_twin_bonus * factor(game, rules)
        pay(game, players, game.twin_holder, bonus)
    for seat in range(players):
        game.totals[seat] += game.scores[seat]


@kernel
def pay(game, players, winner, points):
    """Lets every other seat pay the winner so much."""
    for seat in range(players):
        game.scores[seat] += points * (players - 1) if seat == winner else -points


@kernel
def win_shares(game, rules, shares):
    """Sets each seat's share in winning the match: the highest totals share equally.

    Args:
        game: the game, its match over.
        rules: the rules in numbers.
        shares: float64[players]; set to 1 / k for each of the k winners, else to 0.
    """
    highest = game.totals[: rules.num_players].max()
    winners = 0
    for seat in range(rules.num_players):
        shares[seat] = 1.0 if game.totals[seat] == highest else 0.0
        winners += game.totals[seat] == highest
    shares /= winners
