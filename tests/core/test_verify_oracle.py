"""`verify_turn` against a slow judge that follows physical tiles, on a small deck.

The judge below works differently on purpose: every tile is an object that lay on the
table or on the rack, and it tries every way in which the tiles of the table after can
be these objects. Melds are looked up in a list made by counting, not by reading.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product

import pytest

from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import Meld, meld_of
from rummi_env.core.notation import format_table, format_tiles, parse_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, counts_of, kind_of, tiles_of
from rummi_env.core.verify import verify_turn

COLORS, NUMBERS = 3, 5
SMALL = RuleSet(colors=COLORS, numbers=NUMBERS)
RUNS = [
    tuple(kind_of(color, number) for number in range(low, low + size))
    for color in range(COLORS)
    for size in (3, 4, 5)
    for low in range(1, NUMBERS - size + 2)
]
GROUPS = [
    tuple(kind_of(color, number) for color in range(COLORS))
    for number in range(1, NUMBERS + 1)
]
FULL = [frozenset(kinds) for kinds in RUNS + GROUPS]

# A meld in which every joker stands for one kind: what lies there, and as what.
Laid = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Tile:
    """A physical tile: what it is, where it came from, and the meld it lay in."""

    kind: int
    on_table: bool
    meld: int = -1
    number: int = -1


def laid_ways(meld: Meld) -> list[Laid]:
    """Return every way to say what the jokers of a meld stand for, one kind each."""
    return [
        tuple(zip(meld.tiles, kinds, strict=True))
        for kinds in product(*meld.places)
        if frozenset(kinds) in FULL and len(set(kinds)) == len(kinds)
    ]


NAMED = [
    meld_of([*(kinds - set(standing)), *((JOKER, kind) for kind in standing)])
    for kinds in FULL
    for jokers in range(3)
    for standing in combinations(sorted(kinds), jokers)
]
BY_TILE = {
    tile: [meld for meld in NAMED if tile in meld.tiles] for tile in range(JOKER + 1)
}


def splits(tiles: tuple[int, ...]) -> Iterator[list[Meld]]:
    """Yield the ways to lay down all tiles, naming the jokers in every way."""
    if not tiles:
        yield []
        return
    for meld in BY_TILE[tiles[0]]:
        rest = list(tiles)
        try:
            for tile in meld.tiles:
                rest.remove(tile)
        except ValueError:
            continue
        for others in splits(tuple(rest)):
            yield [meld, *others]


def best_value(tiles: tuple[int, ...], limit: int) -> int:
    """Return the most points that melds of some of the tiles are worth."""
    return max(
        sum(meld.points for meld in melds)
        for size in range(len(tiles) + 1)
        for subset in set(combinations(tiles, size))
        for melds in splits(subset)
        if all(meld.tiles.count(JOKER) <= limit for meld in melds)
    )


def lies_as_before(old: Meld, new: Meld, rules: RuleSet) -> bool:
    """Say whether a meld was not touched; naming a joker does not touch it."""
    if old.is_run or new.is_run or old.tiles != new.tiles:
        return old == new
    before, after = ({frozenset(way) for way in laid_ways(m)} for m in (old, new))
    return rules.joker_release == "free" or bool(before & after)


def origins(
    before: list[Laid], played: tuple[int, ...], after: list[Laid]
) -> Iterator[list[list[tuple[Tile, int]]]]:
    """Yield every way in which the tiles after are the tiles before and the played."""
    supply: dict[int, list[Tile]] = {}
    number = 0
    for index, meld in enumerate(before):
        for kind, _ in meld:
            tile = Tile(kind, on_table=True, meld=index, number=number)
            supply.setdefault(kind, []).append(tile)
            number += 1
    for kind in played:
        tile = Tile(kind, on_table=False, number=number)
        supply.setdefault(kind, []).append(tile)
        number += 1
    kinds = sorted(supply)
    for orders in product(*(permutations(supply[kind]) for kind in kinds)):
        queues = {kind: list(order) for kind, order in zip(kinds, orders, strict=True)}
        yield [[(queues[kind].pop(), as_kind) for kind, as_kind in m] for m in after]


def jokers_fine(
    rules: RuleSet, before: list[Laid], laid: list[list[tuple[Tile, int]]]
) -> bool:
    """Judge the jokers of the table when it is known which tile is which."""
    stood_for: dict[int, int] = {}
    number = 0
    for meld in before:
        for kind, as_kind in meld:
            if kind == JOKER:
                stood_for[number] = as_kind
            number += 1
    naturals = [t for meld in laid for t, _ in meld if t.kind != JOKER]
    freed = []
    for index, proposed in enumerate(laid):
        for tile, as_kind in proposed:
            if tile.kind == JOKER and tile.on_table:
                kind = stood_for[tile.number]
                if kind != as_kind:
                    freed.append((kind, tile, index))
    if rules.joker_reuse == "new_meld_from_rack":
        for _, tile, index in freed:
            if any(other.on_table for other, _ in laid[index] if other is not tile):
                return False
    if rules.joker_source == "rack":
        naturals = [tile for tile in naturals if not tile.on_table]
    return any(
        all(tile.kind == kind for tile, (kind, _, _) in zip(chosen, freed, strict=True))
        for chosen in permutations(naturals, len(freed))
    )


def judge(
    rules: RuleSet, before: list[Meld], rack: str, after: list[Meld], opened: bool
) -> bool:
    """Say whether the turn is legal."""
    limit = rules.jokers_per_meld
    there = [t for meld in before for t in meld.tiles]
    now = [t for meld in after for t in meld.tiles]
    played = list(now)
    for tile in there:
        if tile not in played:
            return False
        played.remove(tile)
    left = list(tiles_of(parse_tiles(rack)))
    for tile in played:
        if tile not in left:
            return False
        left.remove(tile)
    if not played or any(m.tiles.count(JOKER) > limit for m in after):
        return False
    if not opened:
        if rules.manipulate_on_opening_turn:
            needed = max(1, rules.opening_points)
            if best_value(tuple(sorted(played)), limit) < needed:
                return False
        else:
            worth = [
                sum(meld.points for meld in order[len(before) :])
                for order in permutations(after)
                if len(after) >= len(before)
                and all(
                    lies_as_before(old, new, rules)
                    for old, new in zip(before, order, strict=False)
                )
            ]
            if not worth or max(worth) < rules.opening_points:
                return False
    if rules.joker_release == "free" or JOKER not in there:
        return True
    return any(
        jokers_fine(rules, list(old), laid)
        for old in product(*map(laid_ways, before))
        for new in product(*map(laid_ways, after))
        for laid in origins(list(old), tuple(played), list(new))
    )


def bare(meld: Meld) -> Meld:
    """Return the meld with the jokers of a group left open."""
    return meld if meld.is_run else meld_of(meld.tiles, SMALL)


def random_turn(rng: random.Random) -> tuple[list[Meld], str, list[Meld]]:
    """Return a table, a rack and a table after that holds tiles of both.

    Both tables hold the same melds or others of the same tiles, so that many turns are
    legal and many are nearly so.
    """
    while True:
        deck = tiles_of(SMALL.deck)
        tiles = [*rng.sample(deck, rng.randint(5, 9)), *[JOKER] * 2]
        tiles = sorted(tiles[: len(tiles) - rng.randint(0, 2)])
        if tiles.count(JOKER) > 2:
            continue
        afters = list(splits(tuple(tiles)))
        if not afters:
            continue
        after = rng.choice(afters)
        for _ in range(20):
            staying = sorted(rng.sample(tiles, rng.randint(0, len(tiles) - 1)))
            befores = list(splits(tuple(staying)))
            if befores and (staying or rng.random() < 0.1):
                before = rng.choice(befores)
                rack = counts_of(tiles) - counts_of(staying)
                named = rng.random() < 0.5
                return (
                    before if named else list(map(bare, before)),
                    format_tiles(rack),
                    after if rng.random() < 0.5 else list(map(bare, after)),
                )


RULES: list[dict[str, str | int]] = [
    {},
    {"jokers_per_meld": 1},
    {"joker_source": "rack", "joker_reuse": "any_meld"},
    {"joker_source": "rack", "joker_reuse": "new_meld_from_rack"},
    {"joker_source": "rack_or_table", "joker_reuse": "any_meld"},
    {"joker_source": "rack_or_table", "joker_reuse": "new_meld_from_rack"},
]


def compare(options: dict[str, str | int], manipulate: bool, turns: int) -> None:
    """Let both judges judge random turns, of which some must be legal and some not."""
    rng = random.Random(f"{options}{manipulate}{turns}")
    verdicts = []
    for _ in range(turns):
        before, rack, after = random_turn(rng)
        rules = SMALL.replace(
            joker_release="exact" if "joker_source" in options else "free",
            **options,
            manipulate_on_opening_turn=manipulate,
            opening_points=rng.randint(0, 15),
        )
        if any(m.tiles.count(JOKER) > rules.jokers_per_meld for m in before):
            continue
        opened = rng.random() < 0.7
        expected = judge(rules, before, rack, after, opened)
        try:
            verify_turn(rules, format_table(before), rack, format_table(after), opened)
            legal = True
        except IllegalAction:
            legal = False
        text = f"{format_table(before)} ; {rack} -> {format_table(after)}, {opened=}"
        assert legal == expected, f"{text}, {rules}"
        verdicts.append(legal)
    assert {True, False} <= set(verdicts)


@pytest.mark.parametrize("manipulate", [False, True])
@pytest.mark.parametrize("options", RULES, ids=str)
def test_random_turns_are_judged_as_the_judge_of_physical_tiles_does(
    options: dict[str, str | int], manipulate: bool
) -> None:
    compare(options, manipulate, turns=120)


@pytest.mark.slow
@pytest.mark.parametrize("manipulate", [False, True])
@pytest.mark.parametrize("options", RULES, ids=str)
def test_many_random_turns_are_judged_alike(
    options: dict[str, str | int], manipulate: bool
) -> None:
    compare(options, manipulate, turns=2_000)
