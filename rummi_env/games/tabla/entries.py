"""What Python asks the form solver; all below it is called by compiled code only."""

from __future__ import annotations

import numpy as np

from rummi_env.games.tabla.closing import (
    NUM_FOUND,
    find_mosaic,
    forms_of,
    mark_closings,
)
from rummi_env.games.tabla.covers import (
    MOST_MELDS,
    NO_CUT,
    NONE,
    ROW_SIZE,
    cover,
    joker_places_fit,
)
from rummi_env.games.tabla.distances import find_distances
from rummi_env.games.tabla.places import bits_of
from rummi_env.games.tabla.scoring import best_form
from rummi_env.solver.compiled import entry

FORMS_OF, BEST_FORM, CLOSINGS, CUT, MOSAIC = range(5)
"""Questions of `ask`."""

NUM_NUMBERS_OUT = MOST_MELDS * ROW_SIZE
"""Length of the array that `ask` answers in."""


@entry
def ask(rules, rack, question, wanted, marks, numbers):
    """Answers a question about a rack.

    A single entry for all of them, as each is compiled with all that it calls.

    Args:
        rules: the rules in numbers.
        rack: int8[53].
        question: `FORMS_OF` 14 tiles, as bits; the `BEST_FORM`; `CLOSINGS` of 15 tiles,
            in ``marks``; a `CUT` into melds, in ``numbers``, and how many there are;
            whether there is a `MOSAIC`, its colors in ``numbers``.
        wanted: a form that a cut must have, as a bit.
        marks: int8[53].
        numbers: int64[20].

    Returns:
        The answer, as an integer.
    """
    if question == FORMS_OF:
        return np.int64(forms_of(rules, rack))
    if question == BEST_FORM:
        return np.int64(best_form(rules, rack)[0])
    if question == CLOSINGS:
        mark_closings(rules, rack, marks)
        return np.int64(0)
    once, twice, jokers = bits_of(rack)
    if question == MOSAIC:
        return np.int64(find_mosaic(once, twice, jokers, numbers))
    rows = numbers.reshape(MOST_MELDS, ROW_SIZE)
    found = np.zeros(NUM_FOUND, np.int64)
    ratio = rules.joker_ratio
    return np.int64(
        cover(once, twice, jokers, NONE, ratio, NO_CUT, rows, found, wanted)
    )


@entry
def ask_distances(rules, rack, wanted, distances):
    """Finds the distances to forms; see `find_distances`."""
    find_distances(rules, rack, wanted, distances)


@entry
def keeps_ratio(size, lying):
    """Tells whether jokers at these offsets of a run keep the ratio."""
    return joker_places_fit(size, lying)
