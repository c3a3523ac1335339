"""What a rack can become, as values for networks beside an observation.

All of it follows from the observation: it is for networks that would take long to find
out by themselves how far a rack is from 28 forms. It costs half a millisecond, a
hundred times as much as the observation, so it is made for those that ask.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.core.form_points import points_of
from rummi_env.core.forms import FORMS
from rummi_env.core.tabla_rules import RACK_SIZE, TablaRules
from rummi_env.core.tiles import JOKER, NUM_COLORS, NUM_COUNTS, NUM_NUMBERS
from rummi_env.games.tabla.nearest import FAR, make_scratch
from rummi_env.games.tabla.places import PLACE, popcount
from rummi_env.games.tabla.prospects import (
    MOST_TARGETS,
    find_prospects,
    make_prospects,
)
from rummi_env.games.tabla.scoring import best_form
from rummi_env.games.tabla.state import DRAW_ROW, FIRST_CLOSE, Rules, coded
from rummi_env.observation.fields import checked_rows, size_of
from rummi_env.observation.tabla.fields import fields
from rummi_env.solver.compiled import entry, kernel

NUM_FORMS = len(FORMS)

SLOTS = RACK_SIZE + 1
"""Most kinds that a rack has."""

ABOUT_RACK = ("distance", "share", "row")
"""What is said of the rack, by form: its distance, which share of the unseen tiles
brings it nearer, and whether the last discard does, where it may be drawn."""

ABOUT_KIND = (
    "kind",
    "points",
    "held",
    "unseen",
    "in_row",
    "thrown",
    "thrown_near",
    "known_near",
)
"""What is said of each kind of the rack: the kind (-1 where there is none); what
throwing it to close pays, by the points of the best form; how many the rack has, nobody
has seen, and lie in the row; how many the next player has discarded; how many tiles
that could lie with it the next player has discarded, and is known to have. Then, by
form, the distance without it, and the share of the unseen tiles that helps then."""

RACK_VALUES = len(ABOUT_RACK) * NUM_FORMS
SLOT_VALUES = len(ABOUT_KIND) + 2 * NUM_FORMS
SIZE = RACK_VALUES + SLOTS * SLOT_VALUES
"""Values beside an observation: first `ABOUT_RACK`, then `ABOUT_KIND` for every kind of
the rack in ascending order."""


class Places(NamedTuple):
    """Where the compiled part finds what it needs in an observation."""

    opponents: int
    known: int
    row: int
    last_discard: int
    atu: int
    thrown: int
    thrown_scale: float
    unit: float


class Prospecting:
    """Finds what racks can become, from observations and masks.

    >>> from rummi_env.envs.tabla import Tabla
    >>> Prospecting(TablaRules(), 2).size
    1044

    Attributes:
        size: values that it adds to an observation.
    """

    size = SIZE

    def __init__(self, rules: TablaRules, num_players: int) -> None:
        """Takes what the observations are of.

        Raises:
            ValueError: there are not 2 to 4 players.
        """
        parts = fields(rules, num_players)
        self._codes: Rules = coded(rules, num_players)
        self._seen = size_of(parts.values())
        self._places = Places(
            opponents=num_players - 1,
            known=parts["known"].start,
            row=parts["row"].start,
            last_discard=parts["last_discard"].start,
            atu=parts["atu"].start,
            thrown=parts["discarded"].start + NUM_COUNTS,
            thrown_scale=float(parts["discarded"].scale),
            unit=float(max(max(points_of(form, rules.points)) for form in FORMS)),
        )

    def __call__(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.generic]
    ) -> npt.NDArray[np.float32]:
        """Returns what the racks can become, a new array float32[N, size].

        Args:
            observations: float32[N, S], flat.
            masks: [N, actions]; which actions are legal.

        Raises:
            ValueError: the observations are of another size.
        """
        seen, legal = checked_rows(observations, masks, self._seen)
        out = np.zeros((len(observations), SIZE), np.float32)
        write_prospects(seen, legal, self._codes, self._places, out)
        return out


@entry
def write_prospects(observations, masks, rules, places, out):
    """Writes what racks can become, game by game."""
    scratch = make_scratch(MOST_TARGETS)
    found = make_prospects()
    for index in range(len(observations)):
        write_one(
            observations[index], masks[index], rules, places, scratch, found, out[index]
        )


@kernel
def write_one(seen, mask, rules, places, scratch, found, out):
    """Writes what one rack can become; nothing where its seat has nothing to do."""
    rack = np.zeros(NUM_COUNTS, np.int8)
    for kind in range(NUM_COUNTS):
        rack[kind] = seen[kind]
    size = rack.sum()
    for slot in range(SLOTS):
        out[RACK_VALUES + slot * SLOT_VALUES] = -1.0
    if size < RACK_SIZE or size > SLOTS or mask.max() == 0:
        return
    unseen = np.zeros(NUM_COUNTS, np.int64)
    some = np.int64(0)
    two = np.int64(0)
    total = 0.0
    for kind in range(NUM_COUNTS):
        unseen[kind] = (
            2 - rack[kind] - seen[places.row + kind] - seen[places.atu + kind]
        )
        for other in range(places.opponents):
            unseen[kind] -= np.int64(seen[places.known + other * NUM_COUNTS + kind])
        if unseen[kind] > 0:
            total += unseen[kind]
            if kind != JOKER:
                some |= np.int64(1) << PLACE[kind]
                if unseen[kind] > 1:
                    two |= np.int64(1) << PLACE[kind]
    total = max(total, 1.0)
    find_prospects(rules, rack, scratch, found)
    offered = np.int64(-1)
    if mask[DRAW_ROW]:
        for kind in range(NUM_COUNTS):
            if seen[places.last_discard + kind] > 0:
                offered = np.int64(kind)
    for form in range(NUM_FORMS):
        distance = found.distances[form]
        jokers = 0 if rules.natural >> form & 1 else unseen[JOKER]
        out[form] = distance
        helpful = found.helpful[form]
        out[NUM_FORMS + form] = share(distance, helpful, jokers, some, two, total)
        if offered >= 0 and 0 < distance < FAR:
            nearer = offered == JOKER or helpful >> PLACE[offered] & 1
            out[2 * NUM_FORMS + form] = 1.0 if nearer else 0.0
    if mask[:NUM_COUNTS].max() == 0 and mask[FIRST_CLOSE : 2 * NUM_COUNTS].max() == 0:
        return
    at = RACK_VALUES
    for kind in range(NUM_COUNTS):
        if rack[kind] == 0:
            continue
        out[at] = kind
        if mask[FIRST_CLOSE + kind]:
            rack[kind] -= 1
            points = best_form(rules, rack)[1]
            rack[kind] += 1
            if kind == JOKER:
                points *= rules.joker_close_multiplier
            out[at + 1] = points / places.unit
        out[at + 2] = rack[kind]
        out[at + 3] = unseen[kind]
        out[at + 4] = seen[places.row + kind]
        out[at + 5] = seen[places.thrown + kind] / places.thrown_scale
        out[at + 6] = near(seen, places.thrown, kind) / places.thrown_scale
        out[at + 7] = near(seen, places.known, kind)
        at += len(ABOUT_KIND)
        for form in range(NUM_FORMS):
            distance = found.after[kind, form]
            jokers = 0 if rules.natural >> form & 1 else unseen[JOKER]
            helpful = found.helpful_after[kind, form]
            out[at + form] = distance
            out[at + NUM_FORMS + form] = share(
                distance, helpful, jokers, some, two, total
            )
        at += 2 * NUM_FORMS


@kernel
def share(distance, helpful, jokers, some, two, total):
    """Which share of the unseen tiles brings a rack nearer to a form."""
    if distance == 0 or helpful == 0:
        return 0.0
    return (popcount(helpful & some) + popcount(helpful & two) + jokers) / total


@kernel
def near(seen, start, kind):
    """Counts the tiles of a plane that a tile could lie in one meld with."""
    if kind == JOKER:
        return 0.0
    color, number = kind // NUM_NUMBERS, kind % NUM_NUMBERS
    found = 0.0
    for other in range(NUM_COLORS):
        if other != color:
            found += seen[start + other * NUM_NUMBERS + number]
    for away in (-2, -1, 1, 2):
        beside = number + away
        if beside == NUM_NUMBERS:
            beside = 0
        if 0 <= beside < NUM_NUMBERS:
            found += seen[start + color * NUM_NUMBERS + beside]
    return found
