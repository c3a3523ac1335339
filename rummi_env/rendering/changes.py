"""What has changed since the beginning of the last turn, for pictures and text.

Every function takes a view of now and one of the beginning of the last turn that is
over; without that one, or if a new round was dealt since, nothing has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from rummi_env.core.card_melds import CardMeld
from rummi_env.core.melds import Meld
from rummi_env.core.tiles import tiles_of
from rummi_env.observation.rummy.view import View as CardView
from rummi_env.observation.tabla.view import View as BoardView
from rummi_env.observation.view import View


def new_tiles(view: View, before: View | None) -> Counter[int]:
    """Returns the tiles of Rummikub that have come to the table."""
    if before is None or not _has_same_table(view, before):
        return Counter()
    return Counter(tiles_of(view.table)) - Counter(tiles_of(before.table))


def touched_melds(view: View, before: View | None) -> set[int]:
    """Returns which melds of Rummikub were not there before."""
    if before is None or not _has_same_table(view, before):
        return set()
    old: Counter[Meld] = Counter(before.melds)
    touched = set()
    for index, meld in enumerate(view.melds):
        if old[meld]:
            old[meld] -= 1
        else:
            touched.add(index)
    return touched


def marked_tiles(view: View, before: View | None) -> list[list[bool]]:
    """Returns for each meld of Rummikub which of its tiles have come to the table.

    Of several tiles of a kind it may be any, as nobody can tell them apart.
    """
    new, touched = new_tiles(view, before), touched_melds(view, before)
    marks = []
    for index, meld in enumerate(view.melds):
        marks.append([False] * len(meld.tiles))
        for at, kind in enumerate(meld.tiles):
            if index in touched and new[kind]:
                new[kind] -= 1
                marks[-1][at] = True
    return marks


def new_cards(view: CardView, before: CardView | None) -> set[int]:
    """Returns the cards of Rummy that have come to the table, in this turn as well."""
    new = set(view.laid_now)
    if before is None or not _has_same_table(view, before):
        return new

    def cards(melds: Sequence[CardMeld]) -> Counter[int]:
        return Counter(chain.from_iterable(melds))

    return new | set(cards(view.melds) - cards(before.melds))


def last_card(view: CardView, before: CardView | None) -> int | None:
    """Returns the card of Rummy that was discarded, taken again or not."""
    if before is None or before.round != view.round or view.phase == "over":
        return None
    if view.taken is not None:
        return view.taken
    return view.row[-1] if view.row else None


def last_tile(view: BoardView, before: BoardView | None) -> int | None:
    """Returns the tile of Rummy pe tabla that was discarded, taken again or not."""
    if before is None or before.round != view.round or view.phase == "doubles":
        return None
    if before.phase == "doubles" and not view.turn:
        return None
    if view.taken is not None:
        return view.taken
    return view.row[-1] if view.row else None


def _has_same_table(view: Any, before: Any) -> bool:
    """Tells whether the table is still that of the round of the view before."""
    same: bool = view.round - (view.phase == "over") == before.round
    return same
