"""The judge of a whole turn: the table before, the rack, and the table after."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.melds import (
    Entry,
    Meld,
    check_tile,
    highest_points,
    meld_of,
    reread,
)
from rummi_env.core.notation import (
    check_counts,
    check_deck,
    format_table,
    parse_entries,
    parse_table,
    parse_tiles,
    table_counts,
)
from rummi_env.core.opening import best_opening
from rummi_env.core.released import all_held, check_jokers
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, Counts, counts_of, tile_name

_Proposed: TypeAlias = tuple[Entry, ...] | Meld
"""A meld of the table after: its tiles as written, or as somebody made it."""


def verify_turn(
    rules: RuleSet | str,
    before: str | Sequence[Meld],
    rack: str | npt.NDArray[np.integer],
    after: str | Sequence[Meld],
    opened: bool = True,
) -> Counts:
    """Judge a turn by the table that it leaves, and return the tiles it plays.

    The table after must hold the tiles of the table before and at least one of the
    rack, in legal melds. A player who has not opened needs an opening of
    ``opening_points`` with own tiles and leaves the table as it is; with
    ``manipulate_on_opening_turn`` it is enough that some of the tiles played are such
    an opening. With exact jokers a joker of the table must be held or released. Of all
    readings that the table after leaves open the most favorable one holds.

    Args:
        rules: The rules, or the name of a preset.
        before: The table at the start of the turn, as text or melds. A joker may stand
            for what its meld lets it, or for what it is named as.
        rack: The player's rack at the start of the turn, as text or counts of shape
            [53].
        after: The table that the player proposes, as text or melds. A bare joker is
            read as `meld_of` says; only in an opening under free jokers it counts as is
            best.
        opened: Whether the player has opened in an earlier turn.

    Returns:
        The tiles played from the rack, int8[53]; at least one.

    Raises:
        IllegalAction: Something is wrong with the table after; the reason says what.
        ValueError: The table before or the rack is not possible under these rules.

    >>> from rummi_env.core.notation import format_tiles
    >>> format_tiles(verify_turn("official", "R5 R6 R7", "J K1", "R5 R6 R7 J"))
    'J'
    """
    rules = RuleSet.of(rules)
    table = _table_before(before, rules)
    rack_counts = _rack(rack, rules)
    check_deck(table_counts(table).astype(np.int64) + rack_counts, rules)

    proposed = _read_after(after)
    played = _played(table, rack_counts, proposed, rules)
    melds = tuple(
        reread(meld, rules) if isinstance(meld, Meld) else meld_of(meld, rules)
        for meld in proposed
    )
    if not played.any():
        raise IllegalAction(
            Reason.NOTHING_PLAYED, "no tile came from the rack, so this is no play"
        )
    if not opened and rules.manipulate_on_opening_turn:
        _check_opening_within(played, rules)
    elif not opened:
        _check_opening(table, melds, rules)
    if rules.joker_release == "exact":
        check_jokers(rules, table, melds, played)
    return played


def _table_before(before: str | Sequence[Meld], rules: RuleSet) -> tuple[Meld, ...]:
    """Read the table before the turn; it is no action, so no fault in it is one."""
    try:
        if isinstance(before, str):
            return parse_table(before, rules)
        return tuple(reread(meld, rules) for meld in before)
    except ValueError as error:
        raise ValueError(f"the table before the turn is impossible: {error}") from error


def _rack(rack: str | npt.NDArray[np.integer], rules: RuleSet) -> Counts:
    return parse_tiles(rack, rules) if isinstance(rack, str) else check_counts(rack)


def _read_after(after: str | Sequence[Meld]) -> tuple[_Proposed, ...]:
    try:
        return parse_entries(after) if isinstance(after, str) else tuple(after)
    except ValueError as error:
        raise IllegalAction(Reason.UNKNOWN_TILE, str(error)) from error


def _played(
    table: Sequence[Meld], rack: Counts, proposed: Sequence[_Proposed], rules: RuleSet
) -> Counts:
    """Return the tiles that came from the rack; every tile must come from somewhere."""
    there = Counter(tile for meld in table for tile in meld.tiles)
    now = Counter(
        entry[0] if isinstance(entry, tuple) else entry
        for part in proposed
        for entry in (part.tiles if isinstance(part, Meld) else part)
    )
    for tile in now:
        check_tile(tile, rules)
    missing = there - now
    if missing[JOKER]:
        raise IllegalAction(
            Reason.JOKER_TO_RACK,
            "a joker of the table is no longer there; it never goes to a rack",
        )
    if missing:
        raise IllegalAction(
            Reason.TABLE_TILE_MISSING,
            f"{_names(missing)} of the table must stay on the table",
        )
    new = now - there
    foreign = new - Counter(dict(enumerate(rack.tolist())))
    if foreign:
        raise IllegalAction(
            Reason.TILE_NOT_IN_RACK,
            f"{_names(foreign)} lay neither on the table nor on the rack",
        )
    return counts_of(new.elements())


def _check_opening(
    table: Sequence[Meld], melds: Sequence[Meld], rules: RuleSet
) -> None:
    """Refuse an opening that changes the table or is worth too little."""
    free = rules.joker_release == "free"
    worth = max(
        (
            sum(highest_points(meld, rules) if free else meld.points for meld in own)
            for own in _own_melds(table, melds, rules)
        ),
        default=None,
    )
    if worth is None:
        raise IllegalAction(
            Reason.OPENING_TOUCHES_TABLE,
            "before the opening, and in its turn, the melds of the table stay as they "
            f"are: {format_table(table)}",
        )
    if worth < rules.opening_points:
        raise IllegalAction(
            Reason.OPENING_TOO_LOW,
            f"the opening is worth {worth} points, {rules.opening_points} are needed",
        )


def _own_melds(
    table: Sequence[Meld], melds: Sequence[Meld], rules: RuleSet
) -> Iterator[list[Meld]]:
    """Yield the melds besides those of the table, for each way to find these again."""
    own = list(melds)
    with_jokers = [meld for meld in table if meld.identities]
    for meld in table:
        if not meld.identities:
            if meld not in own:
                return
            own.remove(meld)
    candidates = [index for index, meld in enumerate(own) if meld.identities]
    for chosen in permutations(candidates, len(with_jokers)):
        pairs = zip(with_jokers, chosen, strict=True)
        if all(_untouched(meld, own[index], rules) for meld, index in pairs):
            yield [meld for index, meld in enumerate(own) if index not in chosen]


def _untouched(before: Meld, after: Meld, rules: RuleSet) -> bool:
    """Tell whether a meld with jokers lies as it did; naming a joker is no touch."""
    if before.is_run or after.is_run or before.tiles != after.tiles:
        return before == after
    return rules.joker_release == "free" or all_held(before, after)


def _check_opening_within(played: Counts, rules: RuleSet) -> None:
    """Refuse tiles that contain no opening; it need not be on the table after."""
    # Even when no points are needed, an opening without a meld is none.
    needed = max(rules.opening_points, 1)
    worth = best_opening(played, rules, enough=needed)
    if worth < needed:
        raise IllegalAction(
            Reason.OPENING_TOO_LOW,
            f"the tiles played contain an opening of {worth} points at most, "
            f"{rules.opening_points} are needed"
            if worth
            else "the tiles played contain no meld of their own to open with",
        )


def _names(tiles: Counter[int]) -> str:
    return " ".join(map(tile_name, sorted(tiles.elements())))
