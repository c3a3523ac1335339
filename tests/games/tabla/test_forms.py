"""The 28 forms: every example of the rules, and the compiled test against brute force.

Examples are in the shorthand of `conftest.read_shorthand`.
"""

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from rummi_env.core.forms import FORM_BY_NAME, FORMS, Form
from rummi_env.core.shapes import Shape
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import JOKER, counts_of
from rummi_env.games.tabla.layouts import Arrangement
from rummi_env.games.tabla.solver import FormSolver
from rummi_env.testing.tabla_forms import cuts, slow_closings, slow_forms

Rack = tuple[int, ...]
Shorthand = Callable[[str], Rack]
NearMisses = Callable[[random.Random, int, int, int], Rack]

ALL = tuple(form.name for form in FORMS)
FREE = TablaRules(forms=ALL)
RATIO = TablaRules(forms=ALL, joker_ratio="2_real_per_joker")


def numbers(rack: Rack, rules: TablaRules = FREE) -> set[int]:
    return {form.number for form in FormSolver(rules).forms(counts_of(rack))}


# ------------------------------------------------------------- examples of the rules

EXAMPLES = {
    1: ("r1-3 b5-8 9:rybk 12:ybk", "3:ryb 5:ryk 9:rybk 12:rybk"),
    2: ("r1-3 y4-7 8:rybk b2-4", "r1-3 y4-7 b7-10 k2-4"),
    3: ("2:ryb k1-8 r1-3", "2:ryb k2-9 r1-3"),
    4: ("1:rybk 2:rybk 5:ryb 8:ryb", "1:rybk 2:rybk 6:ryb 8:ryb"),
    5: ("r1-4 y1-4 b4-6 k4-6", "r1-4 y1-4 b4-6 k5-7"),
    6: (
        "r1 r1 y1 b1 k2 k2 y3 b3 r4 r4 y5 b5 k4 b1",
        "r1 r1 y1 b1 k2 k2 y3 b3 r4 r4 y5 b5 k4 b6",
    ),
    7: ("1:rybk 2:rybk r3-5 5:ybk", "1:rybk 2:rybk r4-6 5:ybk"),
    8: ("r1-3 y1-3 b1-3 k1-5", "r1-3 y1-3 b2-4 k3-7"),
    9: ("1:rybk 2:rybk 3:ryb 6:ryb", "1:rybk 2:rybk 3:ryb 7:ryb"),
    10: (
        "r1 r10 r10 y10 b11 k11 k12 b12 y13 r13 k13 b1 y1 k10",
        "r1 r10 r10 y10 b11 k11 k12 b12 y13 r13 k13 b1 y1 k9",
    ),
    11: ("r10-14 y10-12 13:ybk 11:ybk", "r9-13 y10-12 13:ybk 11:ybk"),
    12: ("7:rybk 7:rybk r1 y3 b13 k12 r9 b2", "7:rybk 7:ryb r1 y3 b13 k12 r9 b2 y10"),
    13: ("r1-3 y4-7 b9-11 k10-13", "r1-3 r7-10 b9-11 k10-13"),
    14: ("r1-3 y4-7 b7-9 k1-4", "r1-3 y4-7 b7-9 k7-10"),
    15: ("r10-14 y11-13 b10-12 k12-14", "r10-14 y9-11 b10-12 k12-14"),
    16: ("r1-5 y6-9 b9-13", "r1-5 r8-11 b9-13"),
    17: ("r1-5 y4-7 b5-9", "r1-5 y4-7 b6-10"),
    18: ("r10-14 y10-14 b10-13", "r10-14 y10-14 b9-12"),
    19: ("r1-4 r9-11 b3-6 b11-13", "r1-4 r9-11 b3-6 k11-13"),
    20: ("r1-4 r7-9 b2-5 b7-9", "r1-4 r8-10 b2-5 b7-9"),
    21: (
        "r1 r1 r2 r4 r5 r5 r7 r8 r9 r9 r11 r12 r13 r13",
        "r1 r1 r2 r4 r5 r5 r7 r8 r9 r9 r11 r12 r13 y13",
    ),
    22: ("r1-5 r4-6 r8-10 r11-13", "r1-5 r4-6 r8-10 y11-13"),
    23: ("r1-14", "r1-13 r13"),
    24: ("3:ryb 5:ryk 9:rybk 12:rybk", "r3-5 5:ybk 9:rybk 12:rybk"),
    25: ("2:rybk 3:ryb 5:ryk 9:rybk", "2:rybk 3:ryb 10:ryk 9:rybk"),
    26: ("1:rybk 10:rybk 12:ryb 13:ryk", "1:rybk 10:rybk 12:ryb 9:ryk"),
    27: (
        "r1 y2 b3 k4 r5 y6 b7 k8 r9 y10 r11 y12 b13 k1",
        "r1 y2 b3 k4 r5 y6 b7 k8 r9 y10 r11 y12 r13 k1",
    ),
    28: (
        "r1 r1 y2 y2 b3 b3 k4 k4 r5 r5 y6 y6 b7 b7",
        "r1 r1 y2 y2 b3 b3 k4 k4 r5 r5 y6 y6 b7 b8",
    ),
}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_form_has_its_example_and_not_its_counterexample(
    form: Form, shorthand: Shorthand
) -> None:
    number = form.number
    has, lacks = map(shorthand, EXAMPLES[number])
    assert number in numbers(has)
    assert number not in numbers(lacks)
    for rack in (has, lacks):
        assert slow_forms(rack) == numbers(rack)


JOKER_EXAMPLES = [
    ("r1-6 J r8-14", 23),
    ("r1-6 J r8-13 J", 23),
    ("r1 y2 b3 k4 J y6 b7 k8 r9 y10 r11 y12 b13 k1", 27),
    ("7:rybk 7:ryb J r1 y3 b13 k12 r9 b2", 12),
    ("7:rybk 7:ry J J r1 y3 b13 k12 r9 b2", 12),
    ("r1-3 b5-6 J b8 9:rybk 12:yb J", 1),
    ("2:ryb k1-8 r1-2 J", 3),
    ("r1 r1 y1 b1 k2 k2 y3 b3 r4 r4 y5 b5 k13 J", 6),
    ("r1 r10 r10 y10 b11 k11 k12 b12 y13 r13 k13 b1 J J", 10),
    ("r1 r1 r2 r4 r5 r5 r7 r8 r9 r9 r11 r12 J J", 21),
    ("r1 r1 y2 y2 b3 b3 k4 k4 r5 r5 y6 J b7 J", 28),
    ("r1-5 y6-8 J b9-12 J", 16),
]


@pytest.mark.parametrize(("text", "number"), JOKER_EXAMPLES)
def test_a_joker_stands_for_any_tile_in_every_form(
    text: str, number: int, shorthand: Shorthand
) -> None:
    """A.7."""
    if number == 6:
        text = text.replace("k13", "b5")
    assert number in numbers(shorthand(text))
    natural = FREE.replace(natural_only_forms=(FORMS[number - 1].name,))
    assert number not in numbers(shorthand(text), natural)


def test_three_jokers_worth_of_gaps_are_too_many(shorthand: Shorthand) -> None:
    assert 23 not in numbers(shorthand("r1-5 J J r8-12 r14 r3"))


# -------------------------------------------------------------- paragraphs and notes


@pytest.mark.parametrize(
    ("run", "is_run"), [("r12-14", True), ("r13 r1 r2", False), ("r1-3", True)]
)
def test_a_1_may_follow_13_and_stand_before_2_but_not_between(
    run: str, is_run: bool, shorthand: Shorthand
) -> None:
    """A.6."""
    rack = shorthand(f"{run} b5-8 9:rybk 11:ybk")
    assert (1 in numbers(rack)) == is_run


def test_a_group_has_each_color_once(shorthand: Shorthand) -> None:
    """A.6."""
    assert 24 not in numbers(shorthand("3:rryb 5:ryk 9:rybk 12:ryk"))


def test_two_equal_tiles_may_lie_in_two_melds(shorthand: Shorthand) -> None:
    """A.6."""
    assert 1 in numbers(shorthand("r5-8 5:ryb b1-4 k9-11"))


def test_form_4_is_low_by_its_name(shorthand: Shorthand) -> None:
    """A.8, note a."""
    rack = shorthand("1:rybk 1:rybk 2:ryb 10:ryb")
    assert 24 in numbers(rack)
    assert 4 not in numbers(rack)


def test_form_7_allows_the_run_from_12_to_1(shorthand: Shorthand) -> None:
    """A.8, after the notes: not 7 implies 3."""
    rack = shorthand("1:rybk 1:rbk y12-14 2:rybk")
    assert {6, 7} <= numbers(rack)
    assert 3 not in numbers(rack)


def test_form_20_has_exactly_two_colors(shorthand: Shorthand) -> None:
    """A.8, note b."""
    assert 20 not in numbers(shorthand("r1-3 y4-7 b7-9 k1-4"))
    assert 20 not in numbers(shorthand("r1-5 y4-7 b5-9"))
    assert 20 in numbers(shorthand("r1-9 b3-7"))


def test_only_form_1_needs_a_run(shorthand: Shorthand) -> None:
    """A.8, note c."""
    rack = shorthand("1:rybk 2:rybk 5:ryb 8:ryb")
    assert 1 not in numbers(rack)
    assert {2, 3, 24} <= numbers(rack)


def test_form_16_counts_runs_and_not_colors(shorthand: Shorthand) -> None:
    """A.8, note d."""
    four_runs = shorthand("r1-3 r5-7 y4-7 b9-12")
    assert 1 in numbers(four_runs)
    assert 16 not in numbers(four_runs)
    assert 13 not in numbers(four_runs)


def test_a_long_run_may_be_cut_so_the_royal_is_also_22(shorthand: Shorthand) -> None:
    """A.8, note e."""
    assert numbers(shorthand("r1-14")) == {1, 21, 22, 23}


def test_a_three_color_run_may_be_long(shorthand: Shorthand) -> None:
    assert 16 in numbers(shorthand("r1-8 y5-7 b12-14"))


@pytest.mark.parametrize(
    ("text", "is_mosaic"),
    [
        # Either 1 may be the first.
        ("k1 y2 b3 r4 k5 y6 b7 k8 r9 y10 r11 y12 b13 k1", True),
        ("k1 y2 b3 r4 k5 y6 b7 k8 r9 y10 r11 y12 b13 r1", False),
        # Neighbors of one color in the middle.
        ("r1 y2 b3 k4 r5 r6 b7 k8 r9 y10 r11 y12 b13 k1", False),
        # The first four lack a color.
        ("r1 y2 r3 k4 r5 y6 b7 k8 r9 y10 r11 y12 b13 k1", False),
        # A number twice.
        ("r1 y2 b3 k4 r5 y6 b6 k8 r9 y10 r11 y12 b13 k1", False),
        # Jokers at both ends, and where only one color is left.
        ("J y2 b3 k4 r5 y6 b7 k8 r9 y10 r11 y12 b13 J", True),
        ("r1 y2 b3 J r5 y6 b7 k8 r9 y10 r11 J b13 k1", True),
        ("r1 y2 b3 J k5 y6 b7 k8 r9 y10 r11 y12 b13 k1", False),
    ],
)
def test_a_mosaic_is_as_its_words_say(
    text: str, is_mosaic: bool, shorthand: Shorthand
) -> None:
    rack = shorthand(text)
    assert (27 in numbers(rack)) == is_mosaic == (27 in slow_forms(rack))


RATIO_EXAMPLES = [
    # One joker with two other tiles; two jokers in two melds.
    ("r1-2 J b5-8 9:rybk 12:ybk", 1, True),
    ("r1-2 J b5-8 9:rybk 12:yb J", 1, True),
    # Two jokers in a short run, and in a group.
    ("r1 J J b5-8 9:rybk 12:ybk", 1, False),
    ("9:r J J 3:rybk 5:rybk 12:ryb", 24, False),
    # Four other tiles; the jokers apart, and side by side.
    ("J r2 J r4 r5 r6 b1-4 k10-13", 1, True),
    ("r1 J J r4 r5 r6 b1-4 k10-13", 16, False),
    ("r1 J r3 r4 r5 J b1-4 k10-13", 16, True),
    ("r1-6 J r8 J r10-14", 23, True),
    ("r1-6 J J r9-14", 23, False),
    ("J J r2-13", 23, True),
    ("J r1 J r3-13", 23, True),
    # Forms without melds are free.
    ("7:rybk 7:ry J J r1 y3 b13 k12 r9 b2", 12, True),
]


@pytest.mark.parametrize(("text", "number", "fits"), RATIO_EXAMPLES)
def test_the_ratio_gives_each_joker_two_tiles_and_keeps_jokers_apart(
    text: str, number: int, fits: bool, shorthand: Shorthand
) -> None:
    """A.7."""
    rack = shorthand(text)
    assert number in numbers(rack)
    assert (number in numbers(rack, RATIO)) == fits
    assert (number in slow_forms(rack, ratio=True)) == fits


def test_forms_that_are_not_played_are_not_found(shorthand: Shorthand) -> None:
    rack = shorthand("r1-14")
    assert numbers(rack, TablaRules()) == {1, 22, 23}
    assert numbers(rack, TablaRules().disable("monocolor_royala")) == {1, 22}
    assert numbers(rack, TablaRules(forms=("monocolor_royala",))) == {23}


def test_the_best_form_pays_most_and_of_equals_has_the_lowest_number(
    shorthand: Shorthand,
) -> None:
    solver = FormSolver()
    best = solver.best_form(counts_of(shorthand("r1-14")))
    assert best == (FORM_BY_NAME["monocolor_royala"], 1500)
    best = solver.best_form(counts_of(shorthand("1:rybk 2:rybk 5:ryb 8:ryb")))
    assert best == (FORM_BY_NAME["minor_51_formatii"], 1000)
    assert FormSolver("flat").best_form(counts_of(shorthand("r1-14"))) == (FORMS[0], 1)
    assert solver.best_form(counts_of(shorthand("r1-13 r13"))) is None


def test_hk_pays_less_for_jokers_among_the_14(shorthand: Shorthand) -> None:
    """A.9."""
    solver = FormSolver("hk")
    for text, points in [
        ("r1-3 b5-8 9:rybk 12:ybk", 250),
        ("r1-3 b5-7 J 9:rybk 12:ybk", 200),
        ("r1-2 J b5-7 J 9:rybk 12:ybk", 150),
    ]:
        best = solver.best_form(counts_of(shorthand(text)))
        assert best is not None
        assert best[1] == points


# ------------------------------------------------------------------ implications


def test_every_implication_holds_on_boards_that_have_the_form(
    shorthand: Shorthand, near_misses: NearMisses
) -> None:
    """A.8, after the notes; those of each form are in its record."""
    rng = random.Random(1)
    boards = [shorthand(has) for has, _ in EXAMPLES.values()]
    boards += [near_misses(rng, rng.choice([0, 0, 1]), 1, 14) for _ in range(3_000)]
    shown: Counter[int] = Counter()
    solver = FormSolver(FREE)
    for board in boards:
        found = {form.number for form in solver.forms(counts_of(board))}
        for number in found:
            shown[number] += 1
            # With a joker each form may need another tile in its place.
            if JOKER not in board:
                assert set(FORMS[number - 1].implies) <= found, board
    assert set(shown) == set(range(1, 29))


def test_what_is_not_implied_has_a_counterexample(shorthand: Shorthand) -> None:
    assert 1 not in numbers(shorthand("3:ryb 5:ryk 9:rybk 12:rybk"))
    assert 3 not in numbers(shorthand("1:rybk 1:rbk y12-14 2:rybk"))
    for number in (12, 27):
        assert numbers(shorthand(EXAMPLES[number][0])) == {number}


# ------------------------------------------------------------------ brute force


def check_forms(racks: list[tuple[Rack, bool]]) -> Counter[int]:
    """Compare the compiled test with brute force; count the forms found."""
    solvers = {False: FormSolver(FREE), True: FormSolver(RATIO)}
    found: Counter[int] = Counter()
    for index, (rack, ratio) in enumerate(racks):
        expected = slow_forms(rack, ratio)
        forms = {form.number for form in solvers[ratio].forms(counts_of(rack))}
        assert forms == expected, (rack, ratio)
        found.update(forms)
        if index % 500 == 0:
            cuts.cache_clear()
    return found


def sample_racks(
    seed: str, number: int, near_misses: NearMisses, two_jokers: int
) -> list[tuple[Rack, bool]]:
    """Return random racks and near misses, so many of them with two jokers."""
    rng = random.Random(seed)
    deck = [kind for kind in range(JOKER) for _ in range(2)]
    racks = []
    for index in range(number):
        jokers = 2 if index < two_jokers else rng.choice([0] * 8 + [1] * 2)
        if rng.random() < 0.2:
            rack = tuple(sorted(rng.sample(deck, 14 - jokers) + [JOKER] * jokers))
        else:
            rack = near_misses(rng, jokers, rng.choice([0, 1, 1, 2]), 14)
        racks.append((rack, rng.random() < 0.3))
    return racks


def test_the_compiled_forms_agree_with_brute_force(near_misses: NearMisses) -> None:
    found = check_forms(sample_racks("default", 2_000, near_misses, 6))
    assert set(found) == set(range(1, 29))


@pytest.mark.slow
def test_the_compiled_forms_agree_with_brute_force_on_200_000_racks(
    near_misses: NearMisses,
) -> None:
    found = check_forms(sample_racks("long", 200_000, near_misses, 400))
    assert min(found[number] for number in range(1, 29)) > 100


@pytest.mark.parametrize("rules", [FREE, RATIO], ids=["free", "ratio"])
@pytest.mark.parametrize("forms", [ALL, ALL[1:], ALL[22:23], ALL[::3]], ids=len)
def test_what_may_be_thrown_is_what_leaves_a_form(
    rules: TablaRules, forms: tuple[str, ...], near_misses: NearMisses
) -> None:
    """A.5: 14 tiles in an enabled form and one more."""
    rng = random.Random(f"{forms} {rules.joker_ratio}")
    solver = FormSolver(
        rules.replace(forms=forms, natural_only_forms=rng.choice([(), ALL[::2]]))
    )

    def judge(rack: Rack) -> set[int]:
        return {form.number for form in solver.forms(counts_of(rack))}

    closable = 0
    for _ in range(1_500):
        changes, jokers = rng.choice([0, 1, 1, 2]), rng.choice([0, 0, 1, 2])
        rack = near_misses(rng, jokers, changes, 15)
        expected = [kind for kind, forms in slow_closings(rack, judge).items() if forms]
        assert list(solver.closings(counts_of(rack))) == sorted(expected), rack
        closable += bool(expected)
    assert closable > 2


# ------------------------------------------------------------------ arrangements


def check_arrangement(rack: Rack, arrangement: Arrangement, ratio: bool) -> None:
    """The arrangement has the tiles of the rack and shows its form without a doubt."""
    form = arrangement.form
    entries = [entry for meld in arrangement.melds for entry in meld]
    bare = [entry[0] if isinstance(entry, tuple) else entry for entry in entries]
    assert sorted(bare) == sorted(rack)
    if form.shape in (Shape.SQUARE, Shape.ONE_COLOR, Shape.ANY, Shape.PAIRS):
        assert len(arrangement.melds) == 1
        return
    sizes = [len(meld) for meld in arrangement.melds]
    if form.shape in (Shape.MOSAIC, Shape.ROYAL):
        assert sizes == [14]
    elif form.shape is Shape.THREE_COLOR_RUNS:
        assert len(sizes) == 3
    else:
        assert 2 <= len(sizes) <= 4
    # With every joker as what it is said to stand for, no more than that is needed.
    named = [entry[1] if isinstance(entry, tuple) else entry for entry in entries]
    if max(Counter(kind for kind in named if kind != JOKER).values()) <= 2:
        assert form.number in slow_forms(named, ratio and JOKER in named)
    for meld in arrangement.melds:
        jokers = [at for at, entry in enumerate(meld) if isinstance(entry, tuple)]
        if ratio and len(jokers) == 2 and form.shape is not Shape.MOSAIC:
            assert jokers[1] - jokers[0] > 1


@pytest.mark.parametrize("rules", [FREE, RATIO], ids=["free", "ratio"])
def test_every_form_found_has_an_arrangement_that_shows_it(
    rules: TablaRules, near_misses: NearMisses
) -> None:
    rng = random.Random(5)
    solver = FormSolver(rules)
    seen: Counter[int] = Counter()
    for _ in range(1_200):
        rack = near_misses(rng, rng.choice([0, 0, 1, 1, 2]), rng.choice([0, 1]), 14)
        for form in FORMS:
            arrangement = solver.arrangement(counts_of(rack), form.name)
            has = form in solver.forms(counts_of(rack))
            assert (arrangement is not None) == has
            if arrangement is not None and seen[form.number] < 12:
                seen[form.number] += 1
                check_arrangement(rack, arrangement, rules is RATIO)
    assert set(seen) == set(range(1, 29))


def test_arrangements_are_written_in_the_notation(shorthand: Shorthand) -> None:
    solver = FormSolver()
    for text, name, shown in [
        ("r1-3 b5-7 J 9:rybk 12:ybk", "joc_simplu", "R1 R2 R3 | J=B4 B5 B6 B7 | "),
        ("r1-5 y6-8 J b10-14", "tricolor", "R1 R2 R3 R4 R5 | B10 B11 B12 B13 B1 | "),
        ("r1-6 J r8-14", "monocolor_royala", "R1 R2 R3 R4 R5 R6 J=R7 R8 "),
    ]:
        arrangement = str(solver.arrangement(counts_of(shorthand(text)), name))
        assert arrangement.startswith(shown), arrangement


# ------------------------------------------------------------------ bad input


def test_bad_input_is_answered_with_what_is_allowed() -> None:
    solver = FormSolver()
    with pytest.raises(ValueError, match=r"there must be 14 tiles, not 3"):
        solver.forms("R1 R2 R3")
    with pytest.raises(ValueError, match=r"there must be 14 or 15 tiles, not 3"):
        solver.distances("R1 R2 R3")
    with pytest.raises(ValueError, match="there is no form 'royala', only joc_simplu"):
        solver.arrangement("R1 " * 14, "royala")
    with pytest.raises(ValueError, match="a third R1"):
        solver.forms("R1 R1 R1")
    with pytest.raises(ValueError, match="the deck has only 2 of K1, not 14"):
        counts = np.zeros(53, np.int8)
        counts[0] = 14
        solver.forms(counts)
