"""What an opening made of given tiles is worth at most."""

import random
from functools import cache

import pytest

from rummi_env.core.melds import all_melds, highest_points, meld_of
from rummi_env.core.notation import format_tiles, parse_tiles
from rummi_env.core.opening import best_opening
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, counts_of, tiles_of


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        ("", 0),
        ("R5 R6", 0),
        ("R5 R6 J", 18),
        ("R9 R10 J", 30),
        ("R12 R13 J", 36),
        ("R13 J J", 39),
        ("R1 J J", 6),
        ("K10 B10 J", 30),
        ("K10 K11 J K13", 46),
        ("R13 O13 K13 K13", 39),
        ("R9 B9 O9 R9 B9 O9", 54),
        # The joker is worth more in the group of tens than in the run.
        ("R1 R2 R3 K10 B10 J", 36),
        # One of the tiles that both melds want.
        ("R8 R9 R10 K10 B10", 30),
        ("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", 91),
    ],
)
def test_the_best_opening_of_a_rack_is_worth_what_the_rules_say(
    tiles: str, points: int
) -> None:
    assert best_opening(parse_tiles(tiles), RuleSet()) == points


def test_one_joker_per_meld_is_respected() -> None:
    one = RuleSet(jokers_per_meld=1)
    assert best_opening(parse_tiles("R13 J J"), one) == 0
    assert best_opening(parse_tiles("R12 R13 K3 K4 J J"), one) == 48
    assert best_opening(parse_tiles("R5 R6 J J"), one) == 18
    assert best_opening(parse_tiles("R5 R6 R8 R9 J J"), one) == 45


def test_the_search_may_stop_at_the_first_value_that_is_enough() -> None:
    tiles = parse_tiles("K1 K2 K3 K11 K12 K13")
    assert best_opening(tiles, RuleSet()) == 42
    assert best_opening(tiles, RuleSet(), enough=5) == 6
    assert best_opening(tiles, RuleSet(), enough=7) == 42
    assert best_opening(tiles, RuleSet(), enough=50) == 42


def by_melds(tiles: tuple[int, ...], rules: RuleSet) -> int:
    """Return the best value by trying meld after meld from the list of all."""
    table = all_melds(rules, 5)
    values = [highest_points(meld_of(tiles_of(row), rules), rules) for row in table]

    @cache
    def best(left: tuple[int, ...]) -> int:
        counts = counts_of(left)
        fitting = [
            index for index in range(len(table)) if (table[index] <= counts).all()
        ]
        return max(
            (
                values[index] + best(tiles_of(counts - table[index]))
                for index in fitting
            ),
            default=0,
        )

    return best(tiles)


@pytest.mark.parametrize("per_meld", [1, 2])
def test_the_best_opening_is_that_of_trying_all_melds(per_meld: int) -> None:
    rng = random.Random(per_meld)
    rules = RuleSet(numbers=6, jokers_per_meld=per_meld)
    deck = tiles_of(RuleSet(numbers=6, jokers=0).deck)
    found = []
    for _ in range(25):
        tiles = (*sorted(rng.sample(deck, 8)), *[JOKER] * rng.randint(0, 2))
        points = best_opening(counts_of(tiles), rules)
        assert points == by_melds(tiles, rules), format_tiles(counts_of(tiles))
        found.append(points)
    assert len(set(found)) > 5
