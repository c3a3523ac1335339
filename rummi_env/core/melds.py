"""Melds: runs and groups, what their jokers stand for, and the table of all melds.

A run is three or more consecutive numbers of one color, nothing after 13 and nothing
before 1; a group is three or four tiles of one number, all of different colors (all
sources agree). In a run a joker stands for the exact tile of its place, in a group for
any color that the group lacks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from operator import index
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import (
    JOKER,
    NUM_COUNTS,
    Counts,
    color_of,
    counts_of,
    kind_of,
    number_of,
    tile_name,
)

MIN_MELD = 3
"""Fewest tiles of a meld."""

STANDARD = RuleSet()
"""The full deck: what a meld is judged by when no rules are given."""

Entry: TypeAlias = int | tuple[int, int]
"""A tile of a meld as given: a tile, or ``(JOKER, kind)``, a joker named as a kind."""

_Named: TypeAlias = tuple[int, int | None]
"""A tile, and the kind that it is named as if it is a named joker."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A run or a group, as `meld_of` makes it.

    Two melds are equal when the same tiles stand for the same: a run lies in ascending
    order, a group in the order of the colors with its jokers last.
    """

    is_run: bool
    """Whether it is a run; otherwise it is a group."""

    tiles: tuple[int, ...]
    """The tiles in order, `JOKER` for a joker."""

    places: tuple[frozenset[int], ...]
    """For every tile the kinds it may stand for: a numbered tile only for itself."""

    named: tuple[bool, ...] = field(compare=False)
    """For every tile whether it is a joker that was named."""

    def __post_init__(self) -> None:
        """Check that the fields go together; `meld_of` checks the rules."""
        if not len(self.tiles) == len(self.places) == len(self.named):
            raise ValueError("a meld needs one place and one flag for every tile")
        if not all(self.places):
            raise ValueError("every tile of a meld must stand for something")

    @property
    def identities(self) -> tuple[frozenset[int], ...]:
        """For each joker, in order, the kinds it may stand for.

        Exactly one in a run. The jokers of a group share the colors that it lacks;
        each stands for a different one.
        """
        return tuple(
            place
            for tile, place in zip(self.tiles, self.places, strict=True)
            if tile == JOKER
        )

    @property
    def counts(self) -> Counts:
        """The tiles as counts, int8[53]."""
        return counts_of(self.tiles)

    @property
    def points(self) -> int:
        """The value: the numbers of the tiles, jokers as what they stand for."""
        # The kinds that a joker of a group may stand for all have the same number.
        return sum(number_of(min(place)) for place in self.places)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The tiles as `meld_of` takes them, to judge the meld by other rules."""
        return tuple(
            (JOKER, min(place)) if tile == JOKER and (self.is_run or named) else tile
            for tile, place, named in zip(
                self.tiles, self.places, self.named, strict=True
            )
        )

    def __str__(self) -> str:
        """Return the meld in the notation, so that reading it gives the same meld."""
        # Bare jokers are read by their places, but two with one tile as a group.
        must_name = (
            self.is_run
            and len(self.tiles) - self.tiles.count(JOKER) == 1
            and not any(self.named)
        )
        return " ".join(
            f"J={tile_name(min(place))}"
            if tile == JOKER and (named or must_name)
            else tile_name(tile)
            for tile, place, named in zip(
                self.tiles, self.places, self.named, strict=True
            )
        )


def meld_of(tiles: Iterable[Entry], rules: RuleSet | None = None) -> Meld:
    """Return the meld that these tiles are, in any order.

    A named joker stands for what it is named as. Bare jokers take their written places
    if the tiles as given are a run in ascending order; otherwise they take the highest
    legal reading of the meld. One tile with two jokers is a group unless a name says
    otherwise. A joker stands only for kinds of the deck.

    Args:
        tiles: The tiles; a joker bare as `JOKER` or named as ``(JOKER, kind)``.
        rules: Gives the deck and ``jokers_per_meld``; the full deck by default.

    Raises:
        IllegalAction: The tiles are no meld; the reason is `UNKNOWN_TILE`, `TOO_SHORT`,
            `TOO_LONG`, `TOO_MANY_JOKERS`, `DUPLICATE_COLOR`, `BROKEN_MELD` or
            `JOKER_MISPLACED`.

    >>> print(meld_of([JOKER, kind_of(1, 1), kind_of(1, 2)]))
    R1 R2 J
    """
    rules = rules or STANDARD
    tiles = tuple(tiles)
    named = tuple(_named(entry, rules) for entry in tiles)
    _check_size(named, rules)
    meld = _group(named, rules) or _written_run(named, rules)
    meld = meld or next(_runs(named, rules), None)
    if meld is None:
        raise _fault(named, rules)
    return meld


def check_tile(tile: int, rules: RuleSet) -> None:
    """Refuse what is no tile of the deck.

    Raises:
        IllegalAction: The reason is `UNKNOWN_TILE`.
    """
    if not 0 <= tile < NUM_COUNTS:
        raise IllegalAction(Reason.UNKNOWN_TILE, f"there is no tile with index {tile}")
    if not rules.deck[tile]:
        raise IllegalAction(Reason.UNKNOWN_TILE, f"the deck has no {tile_name(tile)}")


def reread(meld: Meld, rules: RuleSet) -> Meld:
    """Judge a meld by rules that it may not have been made by.

    Returns:
        The meld itself, or what its tiles are under these rules: in a smaller deck a
        joker of a group stands for fewer kinds.

    Raises:
        IllegalAction: Under these rules it is no meld; see `meld_of`.
    """
    again = meld_of(meld.entries, rules)
    return meld if again == meld else again


def highest_points(meld: Meld, rules: RuleSet) -> int:
    """Return the most that the meld's tiles are worth as one meld.

    Named jokers stay what they are named as, the others count as is best: the joker of
    ``J R9 R10`` as R11.
    """
    named = tuple(
        (tile, min(place) if is_named else None)
        for tile, place, is_named in zip(
            meld.tiles, meld.places, meld.named, strict=True
        )
    )
    readings = (_group(named, rules), next(_runs(named, rules), None), meld)
    return max(reading.points for reading in readings if reading)


@cache
def all_melds(rules: RuleSet, run_cap: int | None = None) -> npt.NDArray[np.int8]:
    """Return every meld of the deck as a multiset of tiles.

    Args:
        rules: Gives the deck and ``jokers_per_meld``.
        run_cap: Longest run to list. With 5 or more nothing is lost where only the
            tiles count, as longer runs fall into shorter ones.

    Returns:
        Read-only int8 array of shape [M, 53]: counts of the tiles, no two rows alike,
        in ascending order of the sorted tiles. With the full deck there are 1,173 rows
        for runs up to 5 (den Hertog and Hulshof 2006) and 6,301 in all.

    Raises:
        ValueError: The cap leaves no runs.
    """
    if run_cap is not None and run_cap < MIN_MELD:
        raise ValueError(f"run_cap must be at least {MIN_MELD}, not {run_cap!r}")
    longest = min(rules.numbers, run_cap or rules.numbers)
    num_jokers = min(rules.jokers, rules.jokers_per_meld)
    full = [
        [kind_of(color, low + step) for step in range(size)]
        for color in range(rules.colors)
        for size in range(MIN_MELD, longest + 1)
        for low in range(1, rules.numbers - size + 2)
    ]
    full += [
        [kind_of(color, number) for color in colors]
        for number in range(1, rules.numbers + 1)
        for size in range(MIN_MELD, rules.colors + 1)
        for colors in combinations(range(rules.colors), size)
    ]
    multisets = {
        (*naturals, *[JOKER] * jokers)
        for kinds in full
        for jokers in range(num_jokers + 1)
        for naturals in combinations(kinds, len(kinds) - jokers)
    }
    table = np.zeros((len(multisets), NUM_COUNTS), dtype=np.int8)
    for row, tiles in enumerate(sorted(multisets)):
        table[row] = counts_of(tiles)
    table.flags.writeable = False
    return table


def _named(entry: Entry, rules: RuleSet) -> _Named:
    """Split an entry and check that its tile and its name belong to the deck."""
    tile, name = map(index, entry) if isinstance(entry, tuple) else (index(entry), None)
    if name is not None and tile != JOKER:
        raise ValueError(f"only a joker stands for another tile, not {entry!r}")
    check_tile(tile, rules)
    if name == JOKER:
        raise IllegalAction(
            Reason.JOKER_MISPLACED, "a joker stands for a numbered tile, not a joker"
        )
    if name is not None:
        check_tile(name, rules)
    return tile, name


def _check_size(named: Sequence[_Named], rules: RuleSet) -> None:
    jokers = sum(tile == JOKER for tile, _ in named)
    if jokers > rules.jokers_per_meld:
        raise IllegalAction(
            Reason.TOO_MANY_JOKERS,
            f"{_text(named)} has {jokers} jokers, a meld may have "
            f"{rules.jokers_per_meld}",
        )
    if len(named) < MIN_MELD:
        raise IllegalAction(
            Reason.TOO_SHORT,
            f"{_text(named) or 'an empty meld'} is too short: a meld has at least "
            f"{MIN_MELD} tiles",
        )


def _group(named: Sequence[_Named], rules: RuleSet) -> Meld | None:
    """Return the group that the tiles are, None if they are none."""
    naturals = sorted(tile for tile, _ in named if tile != JOKER)
    names = sorted(name for _, name in named if name is not None)
    numbers = {number_of(tile) for tile in naturals}
    if len(numbers) != 1 or len(named) > rules.colors:
        return None
    (number,) = numbers
    lacking = {kind_of(color, number) for color in range(rules.colors)}
    for kind in (*naturals, *names):
        if kind not in lacking:
            return None
        lacking.remove(kind)
    bare = len(named) - len(naturals) - len(names)
    return Meld(
        is_run=False,
        tiles=(*naturals, *[JOKER] * (len(names) + bare)),
        places=(
            *(frozenset({kind}) for kind in (*naturals, *names)),
            *[frozenset(lacking)] * bare,
        ),
        named=(*[False] * len(naturals), *[True] * len(names), *[False] * bare),
    )


def _written_run(named: Sequence[_Named], rules: RuleSet) -> Meld | None:
    """Return the run that the tiles are in their written order, None if none."""
    before, natural = next(
        (step, tile) for step, (tile, _) in enumerate(named) if tile != JOKER
    )
    low = number_of(natural) - before
    if low < 1 or low + len(named) - 1 > rules.numbers:
        return None
    for step, (tile, name) in enumerate(named):
        place = kind_of(color_of(natural), low + step)
        if place != tile and (tile != JOKER or name not in (None, place)):
            return None
    return _run_from(named, low)


def _runs(named: Sequence[_Named], rules: RuleSet) -> Iterator[Meld]:
    """Yield the runs that the tiles can be in any order, from the highest down."""
    for low in range(rules.numbers - len(named) + 1, 0, -1):
        meld = _run_from(named, low)
        if meld:
            yield meld


def _run_from(named: Sequence[_Named], low: int) -> Meld | None:
    """Return the run from a number upwards that the tiles are, None if none."""
    naturals = [tile for tile, _ in named if tile != JOKER]
    names = [name for _, name in named if name is not None]
    color = color_of(naturals[0])
    kinds = [kind_of(color, low + step) for step in range(len(named))]
    fixed = naturals + names
    if len(set(fixed)) < len(fixed) or not set(fixed) <= set(kinds):
        return None
    return Meld(
        is_run=True,
        tiles=tuple(kind if kind in naturals else JOKER for kind in kinds),
        places=tuple(frozenset({kind}) for kind in kinds),
        named=tuple(kind in names for kind in kinds),
    )


def _fault(named: Sequence[_Named], rules: RuleSet) -> IllegalAction:
    """Say why tiles of the deck, enough and not too many jokers, are no meld."""
    text = _text(named)
    naturals = [tile for tile, _ in named if tile != JOKER]
    colors = {color_of(tile) for tile in naturals}
    numbers = {number_of(tile) for tile in naturals}
    bare = tuple((tile, None) for tile, _ in named)
    if _group(bare, rules) or next(_runs(bare, rules), None):
        names = " ".join(tile_name(name) for _, name in named if name is not None)
        return IllegalAction(
            Reason.JOKER_MISPLACED, f"in {text} no joker can stand for {names}"
        )
    if len(numbers) == 1 and len(colors) < len(naturals):
        twice = next(tile for tile in naturals if naturals.count(tile) > 1)
        return IllegalAction(
            Reason.DUPLICATE_COLOR,
            f"{text} is no group: the color of {tile_name(twice)} is there twice",
        )
    if len(numbers) == 1:
        return IllegalAction(
            Reason.TOO_LONG,
            f"{text} is too long: the deck has {rules.colors} colors for a group",
        )
    if len(colors) == 1 and len(named) > rules.numbers:
        return IllegalAction(
            Reason.TOO_LONG,
            f"{text} is too long: the deck has {rules.numbers} numbers for a run",
        )
    return IllegalAction(Reason.BROKEN_MELD, f"{text} is neither a run nor a group")


def _text(named: Sequence[_Named]) -> str:
    return " ".join(
        tile_name(tile) if name is None else f"J={tile_name(name)}"
        for tile, name in named
    )
