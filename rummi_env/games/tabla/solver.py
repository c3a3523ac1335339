"""The form solver: which forms a rack has, how they lie, and how far the others are."""

from __future__ import annotations

import numpy as np

from rummi_env.core.forms import FORMS, Form, form_named
from rummi_env.core.notation import check_counts, parse_tiles
from rummi_env.core.shapes import NUM_SHOWN
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import JOKER, NUM_COUNTS, Counts, tile_name
from rummi_env.games.tabla.entries import (
    BEST_FORM,
    CLOSINGS,
    FORMS_OF,
    NUM_NUMBERS_OUT,
    ask,
    ask_distances,
)
from rummi_env.games.tabla.layouts import Arrangement, lay_out
from rummi_env.games.tabla.state import NO_FORM, coded


class FormSolver:
    """Answers questions about the forms of racks under some rules.

    Tiles are given as text in the notation or as counts int8[53].

    >>> solver = FormSolver()
    >>> shown = "R1 R2 R3 B5 B6 B7 B8 R9 O9 B9 K9 O12 B12 J"
    >>> [form.name for form in solver.forms(shown)]
    ['joc_simplu']
    >>> str(solver.arrangement(shown, "joc_simplu"))
    'R1 R2 R3 | B5 B6 B7 B8 | K9 R9 B9 O9 | B12 O12 J'

    Attributes:
        rules: the rules.
    """

    def __init__(self, rules: TablaRules | str = "ours") -> None:
        """Takes the rules, or the name of a preset.

        Raises:
            ValueError: there is no such preset.
        """
        self.rules = TablaRules.of(rules)
        self._codes = coded(self.rules, 2)
        self._marks = np.zeros(NUM_COUNTS, np.int8)
        self._numbers = np.zeros(NUM_NUMBERS_OUT, np.int64)

    def forms(self, tiles: str | Counts) -> tuple[Form, ...]:
        """Returns the forms that are played and that 14 tiles have.

        Raises:
            ValueError: these are not 14 tiles of the deck.
        """
        return self._played(self._ask(_rack(tiles, NUM_SHOWN), FORMS_OF))

    def best_form(self, tiles: str | Counts) -> tuple[Form, int] | None:
        """Returns the form played by which 14 tiles pay most, and its points.

        Of forms that pay the same it is that of the lowest number; None without one.

        Raises:
            ValueError: these are not 14 tiles of the deck.
        """
        rack = _rack(tiles, NUM_SHOWN)
        form = self._ask(rack, BEST_FORM)
        if form == NO_FORM:
            return None
        return FORMS[form], int(self._codes.points[form, rack[JOKER]])

    def arrangement(self, tiles: str | Counts, form: str) -> Arrangement | None:
        """Returns 14 tiles so laid out that they show a form, None if they have not.

        Args:
            tiles: the tiles.
            form: the form's name; it need not be played.

        Raises:
            ValueError: these are not 14 tiles of the deck, or there is no such form.
        """
        chosen = form_named(form)
        rack = _rack(tiles, NUM_SHOWN)
        if not self._ask(rack, FORMS_OF) >> chosen.number - 1 & 1:
            return None
        return lay_out(rack, chosen, self._codes)

    def closings(self, tiles: str | Counts) -> tuple[int, ...]:
        """Returns the kinds of which 15 tiles can throw one to close, in order.

        Raises:
            ValueError: these are not 15 tiles of the deck.
        """
        self._ask(_rack(tiles, NUM_SHOWN + 1), CLOSINGS)
        return tuple(np.flatnonzero(self._marks).tolist())

    def distances(self, tiles: str | Counts) -> dict[str, int]:
        """Returns how far tiles are from each form that is played, by its name.

        Of 14 tiles so many must be exchanged for other tiles of the deck. Of 15 tiles
        one is thrown besides, so 0 says that closing in this form is possible.

        Raises:
            ValueError: these are not 14 or 15 tiles of the deck.
        """
        found = np.empty(len(FORMS), np.int64)
        rack = _rack(tiles, NUM_SHOWN, NUM_SHOWN + 1)
        ask_distances(self._codes, rack, self._codes.enabled, found)
        return {form.name: int(found[form.number - 1]) for form in self.rules.enabled}

    def _ask(self, rack: Counts, question: int) -> int:
        return int(ask(self._codes, rack, question, 0, self._marks, self._numbers))

    def _played(self, forms: int) -> tuple[Form, ...]:
        return tuple(f for f in self.rules.enabled if forms >> f.number - 1 & 1)


def _rack(tiles: str | Counts, *sizes: int) -> Counts:
    """Returns tiles as counts of one of these sizes."""
    rack = parse_tiles(tiles) if isinstance(tiles, str) else check_counts(tiles)
    if rack.max() > 2:
        kind = int(rack.argmax())
        raise ValueError(f"the deck has only 2 of {tile_name(kind)}, not {rack[kind]}")
    if rack.sum() not in sizes:
        allowed = " or ".join(map(str, sizes))
        raise ValueError(f"there must be {allowed} tiles, not {rack.sum()}")
    return rack
