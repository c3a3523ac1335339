"""The distance to a form is the fewest tiles to exchange, checked in two slow ways."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import highspy
import numpy as np
import pytest

from rummi_env.core.forms import FORMS, Form
from rummi_env.core.shapes import Shape
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import JOKER, NUM_KINDS, counts_of
from rummi_env.games.tabla.entries import FORMS_OF, ask, ask_distances
from rummi_env.games.tabla.solver import FormSolver
from rummi_env.games.tabla.state import Rules, coded

Rack = tuple[int, ...]
Shorthand = Callable[[str], Rack]
NearMisses = Callable[[random.Random, int, int, int], Rack]

MARKS, NUMBERS = np.zeros(53, np.int8), np.zeros(20, np.int64)
"""Where the form solver answers."""

ALL = tuple(form.name for form in FORMS)
FREE = TablaRules(forms=ALL)
MODES = {
    "free": FREE,
    "ratio": FREE.replace(joker_ratio="2_real_per_joker"),
    "natural": FREE.replace(natural_only_forms=ALL),
    "some natural": FREE.replace(natural_only_forms=ALL[::3]),
}


def distances(rules: TablaRules, rack: Rack) -> list[int]:
    found = FormSolver(rules).distances(counts_of(rack))
    return [found[form.name] for form in rules.enabled]


# ------------------------------------------------------------------ every exchange


def within_exchanges(codes: Rules, rack: Rack, limit: int) -> list[int]:
    """Return by form the fewest exchanges that make it, ``limit + 1`` if more."""
    found = np.full(len(FORMS), limit + 1)
    for number in range(limit + 1):
        for left in set(combinations(rack, len(rack) - number)):
            _add_tiles(codes, counts_of(left), 0, number, number, found)
    return [int(distance) for distance in found]


def _add_tiles(
    codes: Rules,
    counts: np.ndarray,
    first: int,
    missing: int,
    number: int,
    found: np.ndarray,
) -> None:
    if not missing:
        forms = int(ask(codes, counts, FORMS_OF, 0, MARKS, NUMBERS))
        for form in range(len(FORMS)):
            if forms >> form & 1:
                found[form] = min(found[form], number)
        return
    for kind in range(first, NUM_KINDS + 1):
        if counts[kind] < 2:
            counts[kind] += 1
            _add_tiles(codes, counts, kind, missing - 1, number, found)
            counts[kind] -= 1


def check_exchanges(mode: str, racks: list[Rack], limit: int) -> Counter[int]:
    codes = coded(MODES[mode], 2)
    seen: Counter[int] = Counter()
    for rack in racks:
        expected = within_exchanges(codes, rack, limit)
        found = [min(d, limit + 1) for d in distances(MODES[mode], rack)]
        assert found == expected, rack
        seen.update(expected)
    return seen


@pytest.mark.parametrize("mode", MODES)
def test_no_single_exchange_makes_a_form_that_is_farther(
    mode: str, near_misses: NearMisses
) -> None:
    rng = random.Random(mode)
    racks = [
        near_misses(rng, rng.choice([0, 1, 1, 2]), rng.choice([0, 1, 2]), 14)
        for _ in range(150)
    ]
    seen = check_exchanges(mode, racks, 1)
    assert seen[0] > 20
    assert seen[1] > 50


@pytest.mark.parametrize("mode", MODES)
def test_no_two_exchanges_make_a_form_that_is_farther(
    mode: str, near_misses: NearMisses
) -> None:
    rng = random.Random(f"two {mode}")
    racks = [near_misses(rng, jokers, 2, 14) for jokers in (0, 2)]
    assert check_exchanges(mode, racks, 2)[2] > 0


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_no_two_exchanges_make_a_form_that_is_farther_on_many_racks(
    mode: str, near_misses: NearMisses
) -> None:
    rng = random.Random(f"long {mode}")
    racks = [
        near_misses(rng, rng.choice([0, 1, 2]), rng.choice([1, 2, 3]), 14)
        for _ in range(60)
    ]
    assert check_exchanges(mode, racks, 2)[2] > 50


def test_of_15_tiles_the_best_14_count(near_misses: NearMisses) -> None:
    rng = random.Random(15)
    for mode, rules in MODES.items():
        for _ in range(25):
            rack = near_misses(rng, rng.choice([0, 1, 2]), rng.choice([0, 1, 3]), 15)
            rests = [rack[:at] + rack[at + 1 :] for at in range(15)]
            best = np.min([distances(rules, rest) for rest in rests], axis=0)
            assert distances(rules, rack) == best.tolist(), (mode, rack)


# ------------------------------------------------------------------ integer program


def melds_of(form: Form) -> list[tuple[str, tuple[int, ...]]]:
    """Return all runs (with their color) and groups that a form allows."""
    allowed = {
        "all": set(range(1, 14)),
        "low": set(range(1, 10)),
        "high": {1, 10, 11, 12, 13},
    }[form.numbers]
    melds = []
    if form.shape is not Shape.GROUPS:
        for color in range(4):
            for first in range(1, 13):
                for last in range(first + 2, 15):
                    run = [color * 13 + (p - 1) % 13 for p in range(first, last + 1)]
                    melds.append((str(color), tuple(run)))
    if form.shape in (Shape.MELDS, Shape.MELDS_WITH_RUN, Shape.GROUPS):
        for number in range(13):
            for size in (3, 4):
                melds += [
                    ("group", tuple(color * 13 + number for color in colors))
                    for colors in combinations(range(4), size)
                ]
    return [(k, m) for k, m in melds if {t % 13 + 1 for t in m} <= allowed]


def programmed_distance(form: Form, rack: Rack) -> int:
    """Return the distance to a form of melds by an integer program.

    Which melds there are and how often is asked of the program, and which of their
    tiles are on the rack; with free jokers the others need jokers or an exchange.
    """
    program = highspy.Highs()  # type: ignore[no-untyped-call]
    # The number of threads holds for the whole process: other tests set it too.
    program.setOptionValue("threads", 1)
    program.setOptionValue("output_flag", False)
    melds = melds_of(form)
    held = Counter(tile for tile in rack if tile != JOKER)
    kinds = range(NUM_KINDS)
    use = [program.addIntegral(0, 4) for _ in melds]
    kept = [program.addIntegral(0, held[kind], obj=-1) for kind in kinds]
    beyond_two = [program.addIntegral(0, 2) for _ in kinds]
    for kind in kinds:
        there = sum(
            (use[at] * meld.count(kind) for at, (_, meld) in enumerate(melds)),
            start=0 * use[0],
        )
        program.addConstr(there - kept[kind] >= 0)
        program.addConstr(there - beyond_two[kind] <= 2)
    program.addConstr(sum(beyond_two, start=0 * use[0]) <= 2)
    sizes = (use[at] * len(meld) for at, (_, meld) in enumerate(melds))
    program.addConstr(sum(sizes, start=0 * use[0]) == 14)
    if form.most is not None:
        totals = (
            use[at] * sum(tile % 13 + 1 for tile in meld)
            for at, (_, meld) in enumerate(melds)
        )
        program.addConstr(sum(totals, start=0 * use[0]) <= form.most)
    _count_runs(program, form, melds, use)
    program.run()
    if program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise AssertionError(f"no target for {form.name}")
    missing = 14 + round(program.getInfo().objective_function_value)
    return max(missing - rack.count(JOKER), 0)


def _count_runs(
    program: highspy.Highs,
    form: Form,
    melds: list[tuple[str, tuple[int, ...]]],
    use: list[highspy.highs.highs_var],
) -> None:
    """Ask for the runs that the form is named after."""
    by_color = [
        sum(
            (use[at] for at, (kind, _) in enumerate(melds) if kind == str(color)),
            start=0 * use[0],
        )
        for color in range(4)
    ]
    if form.shape is Shape.MELDS_WITH_RUN:
        program.addConstr(sum(by_color, start=0 * use[0]) >= 1)
    colors, most = {
        Shape.FOUR_COLOR_RUNS: (4, 1),
        Shape.THREE_COLOR_RUNS: (3, 1),
        Shape.TWO_COLOR_RUNS: (2, 4),
        Shape.ONE_COLOR_RUNS: (1, 4),
    }.get(form.shape, (0, 0))
    if colors:
        present = [program.addIntegral(0, 1) for _ in range(4)]
        program.addConstr(sum(present, start=0 * use[0]) == colors)
        for color in range(4):
            program.addConstr(by_color[color] - present[color] >= 0)
            program.addConstr(by_color[color] - most * present[color] <= 0)


PROGRAMMED = [
    form
    for form in FORMS
    if form.shape
    not in (
        Shape.ANY,
        Shape.ONE_COLOR,
        Shape.SQUARE,
        Shape.PAIRS,
        Shape.MOSAIC,
        Shape.ROYAL,
    )
]


def check_programs(number: int, seed: str, near_misses: NearMisses) -> Counter[int]:
    rng = random.Random(seed)
    deck = [kind for kind in range(NUM_KINDS + 1) for _ in range(2)]
    seen: Counter[int] = Counter()
    for index in range(number):
        rack = tuple(sorted(rng.sample(deck, 14)))
        if index % 3 == 0:
            rack = near_misses(rng, rng.choice([0, 1]), 5, 14)
        found = distances(FREE, rack)
        for form in PROGRAMMED:
            expected = programmed_distance(form, rack)
            assert found[form.number - 1] == expected, (form.name, rack)
            seen[expected] += 1
    return seen


def test_distances_are_the_optima_of_integer_programs(near_misses: NearMisses) -> None:
    assert len(check_programs(2, "default", near_misses)) > 4


@pytest.mark.slow
def test_distances_are_the_optima_of_many_integer_programs(
    near_misses: NearMisses,
) -> None:
    assert len(check_programs(150, "long", near_misses)) > 8


# ------------------------------------------------------------------ by hand


@pytest.mark.parametrize(
    ("text", "form", "distance"),
    [
        ("r1-3 b5-8 9:rybk 12:ybk", "joc_simplu", 0),
        ("r1-3 b5-8 9:rybk 12:yb k11", "joc_simplu", 1),
        ("r1-3 b5-8 9:rybk 12:yb J", "joc_simplu", 0),
        ("7:rybk 7:ryb r1 y3 b13 k12 r9 b2 y10", "patrat", 1),
        ("r1-13 r13", "monocolor_royala", 1),
        ("r1-6 r8-12 b2 b3 b4", "monocolor_royala", 3),
        ("r1 r3 y2 b3 k4 r5 y6 b7 k8 r9 y10 r11 y12 b13", "mozaic", 1),
        ("r1 r2 r3 r4 r5 r6 r7 y8 y9 y10 y11 y12 y13 b1", "mozaic", 6),
        ("r1 r1 y2 y2 b3 b3 k4 k4 r5 y6 b7 k8 r9 y10", "duble", 3),
        ("r13 r13 y13 y13 b13 k13 1:rybk 2:rybk", "piccolo_41", 5),
        ("r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 y1 y2 b1 b2", "monocolor", 4),
        ("r9 r10 y10 b11 k11 k12 b12 y13 r13 k13 b1 y1 k10 r8", "major_haotic", 2),
    ],
)
def test_distances_worked_out_by_hand(
    text: str, form: str, distance: int, shorthand: Shorthand
) -> None:
    assert FormSolver(FREE).distances(counts_of(shorthand(text)))[form] == distance


def test_only_forms_that_are_played_are_measured(shorthand: Shorthand) -> None:
    rack = counts_of(shorthand("r1-14"))
    assert list(FormSolver().distances(rack)) == list(TablaRules().forms)
    found = np.zeros(len(FORMS), np.int64)
    ask_distances(coded(TablaRules(), 2), rack, 1 << 22, found)
    assert found[22] == 0
    assert set(found.tolist()) == {0, 15}


def test_no_form_is_nearer_than_one_it_implies(near_misses: NearMisses) -> None:
    rng = random.Random(3)
    for _ in range(200):
        rack = near_misses(rng, rng.choice([0, 1, 2]), rng.randrange(14 - 2), 14)
        found = distances(FREE, rack)
        for form in FORMS:
            for number in form.implies:
                assert found[number - 1] <= found[form.number - 1]
