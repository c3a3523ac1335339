"""Every legal turn of a small position, by laying down its tiles in all ways.

An oracle for exact jokers, slow and written from the rules: every choice of rack tiles
is cut into melds in every way, with every joker as every kind, and `verify_turn` judges
each of these tables. It is meant for positions of a dozen tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple, TypeAlias

from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import Entry, Meld, meld_of
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_KINDS, counts_of, kind_of, number_of
from rummi_env.core.verify import verify_turn

END_TURN = JOKER + 1
FIRST_NAME = END_TURN + 1

Tiles: TypeAlias = Counter[int]
"""A multiset of tiles."""

Token: TypeAlias = tuple[int, bool]
"""A kind, and whether a joker stands for it."""

Cut: TypeAlias = tuple[tuple[Token, ...], ...]
"""Melds, each in order."""


class Ending(NamedTuple):
    """How a legal turn can end, as far as the mask tells turns apart."""

    played: tuple[int, ...]
    """The rack tiles that it plays, ascending."""

    jokers: tuple[int, ...]
    """One kind for each joker on the table after it, ascending."""


def every_ending(
    rules: RuleSet, table: Sequence[Meld], rack: Tiles, opened: bool
) -> set[Ending]:
    """Return how all legal turns of a position can end.

    Args:
        rules: The rules.
        table: The melds at the start of the turn.
        rack: The rack at the start of the turn.
        opened: Whether the seat has opened before.
    """
    return {
        ending
        for played in choices(rack)
        for ending, _ in _tables_after(rules, table, played, opened)
    }


def legal_actions(
    endings: set[Ending], played: Tiles, named: Sequence[int], *, naming: bool
) -> set[int]:
    """Return the tiles and names that some ending still asks for, and the end itself.

    Args:
        endings: From `every_ending`.
        played: Rack tiles played in this turn so far.
        named: Kinds that jokers were named as.
        naming: Whether jokers can be named, as they can be if they are exact.
    """
    actions = set()
    for ending in endings:
        more, jokers = Counter(ending.played), Counter(ending.jokers)
        if not (played <= more and Counter(named) <= jokers):
            continue
        actions |= set(more - played)
        if naming:
            actions |= {FIRST_NAME + kind for kind in jokers - Counter(named)}
        if played == more:
            actions.add(END_TURN)
    return actions


def settled_table(
    rules: RuleSet,
    table: Sequence[Meld],
    played: Tiles,
    opened: bool,
    named: Sequence[int],
) -> tuple[Meld, ...] | None:
    """Return a table after a turn whose jokers lie as the rules' documents say.

    Of all legal tables with jokers as they were named, that is one whose jokers may
    stand for most kinds, then for the lowest kinds, then in melds of their own.

    Args:
        rules: Rules with exact jokers.
        table: The melds at the start of the turn.
        played: The rack tiles of the turn.
        opened: Whether the seat has opened before.
        named: Kinds that jokers were named as.
    """
    best = None
    for ending, cut in _tables_after(rules, table, played, opened, every_cut=True):
        if not Counter(named) <= Counter(ending.jokers):
            continue
        melds = tuple(_with_bare_jokers(meld, rules) for meld in cut)
        if _leaves_table(rules, opened):
            melds = (*table, *melds)
        rank = rank_of(melds)
        if best is None or rank < best[0]:
            best = rank, melds
    return best and best[1]


def joker_places(melds: Sequence[Meld]) -> list[list[int]]:
    """Return by joker of a table the kinds that it may stand for, in a fixed order."""
    places = [sorted(place) for meld in melds for place in meld.identities]
    return sorted(places, key=lambda place: (-len(place), place))


def are_together(melds: Sequence[Meld]) -> bool:
    """Tell whether two jokers lie in one group."""
    return any(not meld.is_run and len(meld.identities) == 2 for meld in melds)


def rank_of(melds: Sequence[Meld]) -> tuple[int, list[tuple[int, list[int]]], bool]:
    """Return the rank of how the jokers lie; the lowest is chosen."""
    places = joker_places(melds)
    return (
        -sum(map(len, places)),
        [(-len(place), place) for place in places],
        are_together(melds),
    )


def choices(rack: Tiles) -> Iterator[Tiles]:
    """Yield every choice of one or more tiles, each multiset once."""
    kinds = sorted(rack)
    for numbers in product(*(range(rack[kind] + 1) for kind in kinds)):
        if any(numbers):
            yield +Counter(dict(zip(kinds, numbers, strict=True)))


def _leaves_table(rules: RuleSet, opened: bool) -> bool:
    return not opened and not rules.manipulate_on_opening_turn


def _tables_after(
    rules: RuleSet,
    table: Sequence[Meld],
    played: Tiles,
    opened: bool,
    every_cut: bool = False,
) -> Iterator[tuple[Ending, Cut]]:
    """Yield the legal tables after playing exactly these tiles, as cuts.

    In an opening that leaves the table alone these are the melds besides those of the
    table, whose jokers may stand for any of their kinds.

    Args:
        rules: The rules.
        table: The melds at the start of the turn.
        played: The rack tiles of the turn.
        opened: Whether the seat has opened before.
        every_cut: Whether to yield all tables, not one for each ending.
    """
    untouched = _leaves_table(rules, opened)
    tiles = played + Counter() if untouched else _tiles_of(table) + played
    kept = tuple(table) if untouched else ()
    standing = list(_standing(table)) if untouched else [()]
    rack = counts_of(played.elements())
    kinds = [kind for kind in range(NUM_KINDS) if rules.deck[kind]]
    naturals = [(kind, False) for kind in tiles.elements() if kind != JOKER]
    for jokers in combinations_with_replacement(kinds, tiles[JOKER]):
        tokens = sorted([*naturals, *((kind, True) for kind in jokers)])
        for cut in sorted({tuple(sorted(cut)) for cut in cuts(tokens, rules)}):
            melds = [meld_of(map(_entry, meld), rules) for meld in cut]
            try:
                verify_turn(rules, table, rack, (*kept, *melds), opened)
            except IllegalAction:
                continue
            for others in standing:
                ending = Ending(
                    tuple(sorted(played.elements())), tuple(sorted(jokers + others))
                )
                yield ending, cut
            if not every_cut:
                break


def _standing(table: Sequence[Meld]) -> set[tuple[int, ...]]:
    """Return all that the jokers of a table can stand for at once."""
    ways: set[tuple[int, ...]] = {()}
    for meld in table:
        own = [
            kinds
            for kinds in product(*meld.identities)
            if len(set(kinds)) == len(kinds)
        ]
        ways = {(*before, *kinds) for before in ways for kinds in own}
    return ways


def cuts(tokens: Sequence[Token], rules: RuleSet) -> Iterator[Cut]:
    """Yield the ways to cut tokens, in order, into melds; some of them repeatedly."""
    if not tokens:
        yield ()
        return
    first, *rest = tokens
    for kinds in _melds_with(first[0], rules):
        supplies = [sorted({token for token in rest if token[0] == k}) for k in kinds]
        for others in product(*supplies):
            meld = (first, *others)
            if sum(is_joker for _, is_joker in meld) > rules.jokers_per_meld:
                continue
            left = list(rest)
            for token in others:
                left.remove(token)
            for cut in cuts(left, rules):
                yield (tuple(sorted(meld)), *cut)


def _melds_with(kind: int, rules: RuleSet) -> Iterator[list[int]]:
    """Yield the other kinds of all melds in which a kind is the lowest."""
    number = number_of(kind)
    others = [kind_of(color, number) for color in range(rules.colors)]
    others = [other for other in others if other > kind]
    for size in (2, 3):
        yield from map(list, combinations(others, size))
    for size in range(3, rules.numbers - number + 2):
        yield [kind + step for step in range(1, size)]


def _entry(token: Token) -> Entry:
    kind, is_joker = token
    return (JOKER, kind) if is_joker else kind


def _with_bare_jokers(meld: tuple[Token, ...], rules: RuleSet) -> Meld:
    """Return a meld of a cut, with the jokers of a group left open."""
    if len({number_of(kind) for kind, _ in meld}) > 1:
        return meld_of(map(_entry, meld), rules)
    return meld_of([JOKER if joker else kind for kind, joker in meld], rules)


def _tiles_of(table: Sequence[Meld]) -> Tiles:
    return Counter(tile for meld in table for tile in meld.tiles)
