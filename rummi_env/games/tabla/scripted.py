"""The scripted baselines, compiled, so that batches of games play them at full speed.

Each chooses one action from what the seat to act may know: its rack, the row, the atu,
what is known of the other racks, and the mask. `rummi_agents` offers the same players
by name. None of them declares a double, as a tile got blindly is no better.
"""

from __future__ import annotations

import numpy as np

from rummi_env.core.forms import FORMS
from rummi_env.core.tiles import JOKER, NUM_COUNTS, NUM_NUMBERS
from rummi_env.games.chance import random_legal
from rummi_env.games.tabla.distances import find_distances, form_distance
from rummi_env.games.tabla.nearest import FAR, make_scratch
from rummi_env.games.tabla.places import bits_of
from rummi_env.games.tabla.scoring import best_form, closing_points
from rummi_env.games.tabla.state import (
    DECLARED,
    DOUBLES_PHASE,
    DRAW_PHASE,
    DRAW_POOL,
    DRAW_ROW,
    FIRST_CLOSE,
)
from rummi_env.solver.compiled import kernel

RANDOM, NEAREST_FORM, PLANNER = range(3)
SCRIPTED = {"random": RANDOM, "nearest_form": NEAREST_FORM, "planner": PLANNER}
"""Codes of the baselines by name.

random: any legal action, all alike. nearest_form: closes as soon as it can, and until
then goes for the form whose points, divided by `PER_EXCHANGE` for every tile that is
missing, are highest. planner: the same with the draws that the missing tiles are
expected to take, judged by the tiles that it has not seen, and for several forms.
"""

NUM_FORMS = len(FORMS)

PER_EXCHANGE = 4.0
"""What a missing tile divides the worth of a form by."""

MOST_PLANS = 3
"""Forms that the planner weighs against each other."""


@kernel
def scripted_action(game, rules, player):
    """Chooses the next action of a scripted baseline.

    Args:
        game: the game; only its random numbers move on.
        rules: the rules in numbers.
        player: a code of `SCRIPTED`.
    """
    if player == RANDOM:
        return random_legal(game, rules.num_actions)
    if game.phase == DOUBLES_PHASE:
        return np.int64(DECLARED)
    if game.phase == DRAW_PHASE and game.mask[DRAW_ROW] == 0:
        return np.int64(DRAW_POOL)
    closing = best_closing(game, rules)
    if closing >= 0:
        return closing
    rack = game.racks[game.seat].copy()
    worth = np.zeros(NUM_FORMS)
    if game.phase == DRAW_PHASE:
        before = weigh(game, rules, rack, player, worth)
        form = worth.argmax()
        rack[game.row[game.row_size - 1]] += 1
        after = form_distances(rules, rack, form)
        return np.int64(DRAW_ROW if after < before[form] else DRAW_POOL)
    weigh(game, rules, rack, player, worth)
    return best_discard(game, rules, rack, player, worth)


@kernel
def best_closing(game, rules):
    """Finds the closing that brings most, or -1."""
    best = np.int64(-1)
    most = np.int64(0)
    for kind in range(NUM_COUNTS):
        if game.mask[FIRST_CLOSE + kind]:
            rack = game.racks[game.seat].copy()
            rack[kind] -= 1
            points = closing_points(game, rules, best_form(rules, rack)[1], kind)
            if best < 0 or points > most:
                best = np.int64(FIRST_CLOSE + kind)
                most = points
    return best


@kernel
def form_distances(rules, rack, form):
    """Distance of a rack from one form."""
    distances = np.empty(NUM_FORMS, np.int64)
    find_distances(rules, rack, np.int64(1) << form, distances)
    return distances[form]


@kernel
def weigh(game, rules, rack, player, worth):
    """Finds how far a rack is from the forms, and what going for each is worth.

    Args:
        game: the game.
        rules: the rules in numbers.
        rack: int8[53], 14 or 15 tiles of the seat to act.
        player: a code of `SCRIPTED`.
        worth: float64[28]; set, 0 for forms that are not gone for.

    Returns:
        The distances, int64[28].
    """
    distances = np.empty(NUM_FORMS, np.int64)
    find_distances(rules, rack, rules.enabled, distances)
    for form in range(NUM_FORMS):
        worth[form] = 0.0
        if distances[form] < FAR:
            worth[form] = rules.points[form, 0] * PER_EXCHANGE ** -distances[form]
    if player == PLANNER:
        unseen = unseen_tiles(game)
        left = worth.copy()
        worth[:] = 0.0
        for _ in range(MOST_PLANS):
            form = left.argmax()
            if left[form] > 0.0:
                left[form] = 0.0
                helpful = helpful_tiles(rules, rack, form, distances[form], unseen)
                worth[form] = rules.points[form, 0] * chance(
                    game, rules, distances[form], helpful, unseen.sum()
                )
    return distances


@kernel
def unseen_tiles(game):
    """Counts the tiles that the seat to act cannot place, int64[53]."""
    seat = game.seat
    unseen = np.full(NUM_COUNTS, 2, np.int64)
    unseen -= game.racks[seat]
    unseen[game.atu] -= 1
    for place in range(game.row_size):
        unseen[game.row[place]] -= 1
    for other in range(len(game.known)):
        unseen -= game.known[seat, other]
    return unseen


@kernel
def helpful_tiles(rules, rack, form, distance, unseen):
    """Counts the unseen tiles that bring a rack nearer to a form."""
    scratch = make_scratch()
    natural = rules.natural >> form & 1 == 1
    ratio = rules.joker_ratio != 0
    helpful = np.int64(0)
    for kind in range(NUM_COUNTS):
        if unseen[kind] > 0:
            rack[kind] += 1
            once, twice, jokers = bits_of(rack)
            nearer = form_distance(
                scratch, once, twice, jokers, ratio, natural, form, distance - 1
            )
            rack[kind] -= 1
            if nearer < distance:
                helpful += unseen[kind]
    return helpful


@kernel
def chance(game, rules, distance, helpful, unseen):
    """Estimates the chance to complete a form before the pool is empty.

    The first tile is expected to take ``unseen / helpful`` draws, and the later ones
    longer in proportion, as fewer kinds help when less is missing.
    """
    if distance == 0:
        return 1.0
    if helpful == 0:
        return 0.0
    draws = 0.0
    for missing in range(1, distance + 1):
        draws += unseen / helpful * distance / missing
    left = (game.pool_size - game.drawn) / rules.num_players
    return np.exp(-draws / (left + 1.0))


@kernel
def best_discard(game, rules, rack, player, worth):
    """Finds the discard that keeps what is worth most.

    nearest_form keeps to its best form; of discards that are alike it makes the one
    with fewest neighbors on the rack, then the highest number.
    """
    scratch = make_scratch()
    ratio = rules.joker_ratio != 0
    chosen = np.int64(-1)
    best = -1.0
    if player == NEAREST_FORM:
        form = worth.argmax()
        most = worth[form]
        worth[:] = 0.0
        worth[form] = most
    for kind in range(NUM_COUNTS):
        if game.mask[kind] == 0:
            continue
        rack[kind] -= 1
        once, twice, jokers = bits_of(rack)
        total = 0.0
        for form in range(NUM_FORMS):
            if worth[form] > 0.0:
                natural = rules.natural >> form & 1 == 1
                distance = form_distance(
                    scratch, once, twice, jokers, ratio, natural, form, np.int64(0)
                )
                total += worth[form] * PER_EXCHANGE**-distance
        rack[kind] += 1
        # Far below what one more exchange makes.
        total *= 1.0 - 1e-3 * neighbors(rack, kind)
        if total > best:
            best = total
            chosen = np.int64(kind)
    return chosen


@kernel
def neighbors(rack, kind):
    """Counts the tiles of a rack that a tile could lie with; a joker has most."""
    if kind == JOKER:
        return 100.0
    color, number = kind // NUM_NUMBERS, kind % NUM_NUMBERS
    found = 0.0
    for other in range(4):
        if other != color and rack[other * NUM_NUMBERS + number] > 0:
            found += 1.0
    for away in (-2, -1, 1, 2):
        at = number + away
        if at == NUM_NUMBERS:
            at = 0
        if 0 <= at < NUM_NUMBERS and rack[color * NUM_NUMBERS + at] > 0:
            found += 1.0
    return found
