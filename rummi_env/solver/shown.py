"""The table that people see after a turn; it never feeds back into the rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import Entry, Meld, meld_of
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import (
    JOKER,
    NUM_COUNTS,
    NUM_NUMBERS,
    Counts,
    counts_of,
    tile_name,
)
from rummi_env.solver.arrange import arrangement, kept_melds
from rummi_env.solver.entries import fit
from rummi_env.solver.tables import Tables
from rummi_env.solver.workspace import Workspace


def table_shown(
    rules: RuleSet,
    tables: Tables,
    workspace: Workspace,
    present: Sequence[Meld],
    tiles: Counts,
    untouched: bool,
    settled: np.void | None,
) -> tuple[Meld, ...]:
    """Lays tiles of the rack to the table and changes as few of its melds as can be.

    Args:
        rules: the rules.
        tables: of the deck's colors.
        workspace: scratch.
        present: the melds of the table.
        tiles: int8[53]; the tiles of a legal turn.
        untouched: whether the present melds must stay as they are.
        settled: how the jokers lie after the turn (`settling.SETTLED`), or None where
            they may lie anyhow.
    """
    kept = tuple(present) if untouched else ()
    if untouched:
        present = ()

    def fits_free(loose: Counts) -> bool:
        return bool(fit(workspace, tables, rules.numbers, loose, False))

    def fits_placed(loose: Counts) -> bool:
        return bool(fit(workspace, tables, rules.numbers, loose, True))

    def arranged(loose: Counts) -> list[Meld]:
        melds = arrangement(loose, rules, tables, workspace)
        if melds is None:
            raise ValueError("these tiles cannot be arranged")
        return list(melds)

    pool = tiles + sum((meld.counts for meld in present), np.zeros_like(tiles))
    if settled is None:
        counts = [meld.counts for meld in present]
        chosen = kept_melds(counts, pool, fits_free)
        rest = pool - sum((counts[i] for i in chosen), np.zeros_like(tiles))
        return kept + tuple(present[i] for i in chosen) + tuple(arranged(rest))

    # From here on a joker that stands for one kind counts as a tile of that kind.
    fixed: Counts = settled["fixed"].copy()
    pool[JOKER] = 0
    pool += fixed
    apart = _melds_apart(settled, rules)
    for meld in apart:
        naturals = meld.counts
        naturals[JOKER] = 0
        pool -= naturals
    free = fixed.copy()
    candidates = [meld for meld in present if _takes_place(meld, free)]
    counts = [_as_placed(meld) for meld in candidates]
    chosen = kept_melds(counts, pool, fits_placed)
    rest = pool - sum((counts[i] for i in chosen), np.zeros_like(tiles))
    stay = [candidates[i] for i in chosen]
    for meld in stay:
        for place in meld.identities:
            fixed[min(place)] -= 1
    new = arranged(rest)
    for kind in np.repeat(np.arange(NUM_COUNTS), fixed).tolist():
        if not (_give_joker(new, kind, rules) or _give_joker(stay, kind, rules)):
            raise ValueError(f"no meld is left for a joker as {tile_name(kind)}")
    return (*kept, *stay, *apart, *new)


def _melds_apart(settled: np.void, rules: RuleSet) -> list[Meld]:
    """Returns the groups and melds in which `settled` puts jokers of its own."""
    melds = []
    together = bool(settled["together"])
    for group in settled["groups"]:
        naturals: list[Entry] = [int(kind) for kind in group if kind >= 0]
        if naturals:
            melds.append(meld_of([*naturals, JOKER, *[JOKER] * together], rules))
    second = int(settled["second"])
    for index, places in enumerate(settled["melds"]):
        kinds = [int(kind) for kind in places if kind >= 0]
        if kinds:
            jokers = {kinds[0]} | ({second} if second >= 0 and index == 0 else set())
            melds.append(_with_jokers(sorted(kinds), jokers, rules))
    return melds


def _with_jokers(kinds: Sequence[int], jokers: set[int], rules: RuleSet) -> Meld:
    """Returns a meld of these kinds in which jokers stand for some of them."""
    meld = meld_of([JOKER if k in jokers else k for k in kinds], rules)
    if meld.is_run != (len({k % NUM_NUMBERS for k in kinds}) > 1) or (
        meld.is_run and _as_placed(meld).tolist() != counts_of(kinds).tolist()
    ):
        meld = meld_of([(JOKER, k) if k in jokers else k for k in kinds], rules)
    return meld


def _takes_place(meld: Meld, free: Counts) -> bool:
    """Whether a meld can stay as far as its jokers go; then it uses these up.

    Args:
        meld: the meld.
        free: int8[53]; kinds that jokers stand for after the turn, one each.
    """
    needed = np.zeros_like(free)
    for place in meld.identities:
        if len(place) > 1:
            return False
        needed[min(place)] += 1
    if (needed > free).any():
        return False
    free -= needed
    return True


def _as_placed(meld: Meld) -> Counts:
    """Counts a meld's tiles, jokers as what they stand for."""
    return counts_of(min(place) for place in meld.places)


def _give_joker(melds: list[Meld], kind: int, rules: RuleSet) -> bool:
    """Puts a joker in the place of a natural, where it can stand for nothing else."""
    for index, meld in enumerate(melds):
        if kind not in meld.tiles:
            continue
        place = meld.tiles.index(kind)
        entries = [
            (JOKER, min(p)) if tile == JOKER else tile
            for tile, p in zip(meld.tiles, meld.places, strict=True)
        ]
        for entry in (JOKER, (JOKER, kind)):
            entries[place] = entry
            try:
                changed = meld_of(entries, rules)
            except IllegalAction:
                continue
            wanted = [frozenset({kind}), *meld.identities]
            if sorted(map(sorted, changed.identities)) == sorted(map(sorted, wanted)):
                melds[index] = changed
                return True
    return False
