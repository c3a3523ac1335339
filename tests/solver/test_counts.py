"""Exact counts: melds, and hands that can be laid down at once.

A hand is *winning* if all of it can be laid down as melds. The counts are those of the
question of van Rijn, Takes and Vis (2015), without jokers, computed independently.
"""

import random
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import TypeAlias

import pytest

from rummi_env.core.melds import all_melds
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import counts_of, kind_of
from rummi_env.solver.exact import TurnSolver

Deck: TypeAlias = tuple[int, int, int]
"""Numbers, colors and copies."""

Hand: TypeAlias = tuple[int, ...]
"""Tiles in ascending order."""

WINNING: dict[Deck, dict[int, int]] = {
    (13, 4, 2): {3: 96, 4: 53, 5: 36, 6: 4656, 7: 4980, 8: 4731},
    (13, 4, 1): {3: 96, 4: 53, 5: 36, 6: 4010, 7: 4100, 8: 3690},
    (13, 3, 2): {3: 46, 4: 30, 5: 27, 6: 1081, 7: 1359, 8: 1644},
    (13, 2, 2): {3: 22, 4: 20, 5: 18, 6: 253, 7: 426, 8: 564},
}

HANDS = {
    3: 24_752,
    4: 338_351,
    5: 3_748_160,
    6: 34_999_770,
    7: 283_008_180,
    8: 2_020_668_195,
}
"""All hands of the deck of 13 numbers, 4 colors and 2 copies."""


@cache
def solver_of(deck: Deck) -> TurnSolver:
    numbers, colors, copies = deck
    return TurnSolver(
        RuleSet(numbers=numbers, colors=colors, copies=copies, jokers=0, rack_size=1)
    )


@cache
def winning_hands(deck: Deck, size: int) -> frozenset[Hand]:
    """Return all unions of melds that have so many tiles and are in the deck."""
    numbers, colors, copies = deck
    if size == 0:
        return frozenset({()})
    runs = [
        tuple(kind_of(color, low + step) for step in range(length))
        for color in range(colors)
        for length in range(3, min(size, numbers) + 1)
        for low in range(1, numbers - length + 2)
    ]
    groups = [
        tuple(kind_of(color, number) for color in chosen)
        for number in range(1, numbers + 1)
        for length in range(3, min(size, colors) + 1)
        for chosen in combinations(range(colors), length)
    ]
    unions = (
        tuple(sorted(hand + meld))
        for meld in runs + groups
        for hand in winning_hands(deck, size - len(meld))
    )
    return frozenset(
        hand for hand in unions if max(map(hand.count, hand), default=0) <= copies
    )


def wins(deck: Deck, hand: Hand) -> bool:
    """Ask the solver whether the whole hand can be laid down."""
    best = solver_of(deck).turn("", counts_of(hand)).best()
    return best is not None and best.tiles == len(hand)


@pytest.mark.parametrize(
    ("deck", "size"), [(deck, size) for deck in WINNING for size in range(3, 7)]
)
def test_the_solver_lays_down_as_many_hands_as_there_are_winning_ones(
    deck: Deck, size: int
) -> None:
    hands = winning_hands(deck, size)
    assert len(hands) == WINNING[deck][size]
    assert all(wins(deck, hand) for hand in hands)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deck", "size"), [(deck, size) for deck in WINNING for size in (7, 8)]
)
def test_the_solver_lays_down_as_many_large_hands_as_there_are_winning_ones(
    deck: Deck, size: int
) -> None:
    hands = winning_hands(deck, size)
    assert len(hands) == WINNING[deck][size]
    assert all(wins(deck, hand) for hand in hands)


def count_of_all(deck: Deck, size: int) -> int:
    """Ask the solver about every hand of this size and count what it lays down."""
    numbers, colors, copies = deck
    kinds = [kind_of(c, n) for c, n in product(range(colors), range(1, numbers + 1))]
    return sum(
        wins(deck, hand)
        for hand in combinations_with_replacement(kinds, size)
        if max(map(hand.count, hand)) <= copies
    )


@pytest.mark.parametrize(
    ("deck", "size"), [((13, 4, 2), 3), ((13, 3, 2), 3), ((13, 2, 2), 3)]
)
def test_of_all_hands_the_solver_lays_down_the_winning_ones_alone(
    deck: Deck, size: int
) -> None:
    assert count_of_all(deck, size) == WINNING[deck][size]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deck", "size"),
    [
        ((13, 4, 2), 4),
        ((13, 4, 1), 4),
        ((13, 3, 2), 4),
        ((13, 2, 2), 4),
        ((13, 2, 2), 5),
        ((13, 2, 2), 6),
    ],
)
def test_of_all_hands_the_solver_lays_down_the_winning_ones_alone_in_large_decks(
    deck: Deck, size: int
) -> None:
    assert count_of_all(deck, size) == WINNING[deck][size]


def test_hands_that_nearly_win_are_not_laid_down() -> None:
    rng = random.Random(1)
    for deck, size in product(WINNING, range(3, 7)):
        winning = winning_hands(deck, size)
        sample = rng.sample(sorted(winning), min(len(winning), 20))
        for hand in sample:
            left = list(hand)
            left[rng.randrange(size)] = rng.choice(
                [kind_of(c, n) for c in range(deck[1]) for n in range(1, deck[0] + 1)]
            )
            near = tuple(sorted(left))
            if max(map(near.count, near)) <= deck[2]:
                assert wins(deck, near) == (near in winning)


@pytest.mark.parametrize("size", HANDS)
def test_there_are_as_many_hands_as_were_counted(size: int) -> None:
    # So many kinds twice, and the others once.
    twice = range(size // 2 + 1)
    assert HANDS[size] == sum(comb(52, n) * comb(52 - n, size - 2 * n) for n in twice)


def test_plays_of_a_rack_are_the_winning_hands_in_it() -> None:
    rules = RuleSet(colors=2, copies=1, jokers=0, opening_points=0, rack_size=1)
    kinds = [kind_of(color, number) for color in range(2) for number in range(1, 9)]
    turn = TurnSolver(rules).turn("", counts_of(kinds), opened=False)
    expected = {
        counts_of(hand).tobytes()
        for size in range(3, 17)
        for hand in winning_hands((8, 2, 1), size)
    }
    found = [play.counts.tobytes() for play in turn.plays()]
    assert set(found) == expected
    assert turn.count_plays() == (len(expected), True)


@pytest.mark.parametrize(("cap", "number"), [(5, 1_173), (None, 6_301), (13, 6_301)])
def test_there_are_as_many_melds_as_den_hertog_and_hulshof_count(
    cap: int | None, number: int
) -> None:
    """Den Hertog and Hulshof 2006, with runs of up to five tiles."""
    assert len(all_melds(RuleSet(), cap)) == number
