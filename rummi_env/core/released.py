"""Whether the jokers of the table were moved as exact joker rules allow.

Under ``joker_release="exact"`` each joker that lay on the table is *held*, when it
still stands for a tile that it could stand for, or *released*, when a natural tile
equal to one of its identities has taken its place. Release is judged by count: which
of several equal tiles did it, and which joker is which, is read in the way that makes
the play legal. There are at most two jokers, so all readings are tried.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.melds import Meld
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, Counts


@dataclass(frozen=True)
class _Joker:
    """A joker on the table: the meld it lies in and what it may stand for."""

    meld: int
    place: frozenset[int]


@dataclass(frozen=True)
class _Reading:
    """One way to see what became of the jokers of the table.

    Per joker of the table before: which it is after, what it stood for before, and
    whether it still does.
    """

    jokers: tuple[_Joker, ...]
    identities: tuple[int, ...]
    held: tuple[bool, ...]


def check_jokers(
    rules: RuleSet, before: Sequence[Meld], after: Sequence[Meld], played: Counts
) -> None:
    """Refuse a turn that moved a joker of the table in a way that exact rules forbid.

    Args:
        rules: Rules with exact jokers.
        before: The melds before the turn.
        after: The melds after it.
        played: Tiles that came from the rack, int8[53].

    Raises:
        IllegalAction: A joker is neither held nor released, or a released one lies
            with tiles that are not of the rack.
    """
    supply = played if rules.joker_source == "rack" else _counts(after)
    released = False
    for reading in _readings(before, after):
        if _held_fit(reading) and _released_fit(reading, supply):
            released = True
            if rules.joker_reuse == "any_meld" or _in_new_melds(reading, after, played):
                return
    melds = " | ".join(str(meld) for meld in before if meld.identities)
    if released:
        raise IllegalAction(
            Reason.JOKER_NEEDS_NEW_MELD,
            f"a joker taken from {melds} must lie in a meld whose other tiles all "
            "came from the rack in this turn",
        )
    origin = "played from the rack" if rules.joker_source == "rack" else "on the table"
    raise IllegalAction(
        Reason.JOKER_NOT_RELEASED,
        f"a joker of {melds} no longer stands for what it stood for, and no such tile "
        f"{origin} has taken its place",
    )


def all_held(before: Meld, after: Meld) -> bool:
    """Tell whether the jokers of a group may still stand for what they stood for."""
    return any(
        all(reading.held) and _held_fit(reading)
        for reading in _readings([before], [after])
    )


def _jokers(melds: Sequence[Meld]) -> list[_Joker]:
    return [
        _Joker(index, place)
        for index, meld in enumerate(melds)
        for place in meld.identities
    ]


def _counts(melds: Sequence[Meld]) -> Counter[int]:
    return Counter(tile for meld in melds for tile in meld.tiles)


def _readings(before: Sequence[Meld], after: Sequence[Meld]) -> Iterator[_Reading]:
    """Yield every reading in which the jokers of one meld stood for different tiles."""
    old = _jokers(before)
    for jokers in permutations(_jokers(after), len(old)):
        for identities in product(*(joker.place for joker in old)):
            stood_for = {
                (joker.meld, kind) for joker, kind in zip(old, identities, strict=True)
            }
            if len(stood_for) == len(old):
                for held in product((True, False), repeat=len(old)):
                    yield _Reading(jokers, identities, held)


def _held_fit(reading: _Reading) -> bool:
    """Tell whether the held jokers can stand for what they did, all at once."""
    held = [
        (joker, kind)
        for joker, kind, is_held in zip(
            reading.jokers, reading.identities, reading.held, strict=True
        )
        if is_held
    ]
    places = {(joker.meld, kind) for joker, kind in held}
    return len(places) == len(held) and all(kind in joker.place for joker, kind in held)


def _released_fit(reading: _Reading, supply: Counter[int] | Counts) -> bool:
    """Tell whether there is a natural tile for each released joker."""
    needed = Counter(
        kind
        for kind, is_held in zip(reading.identities, reading.held, strict=True)
        if not is_held
    )
    return all(supply[kind] >= count for kind, count in needed.items())


def _in_new_melds(reading: _Reading, after: Sequence[Meld], played: Counts) -> bool:
    """Tell whether only tiles of the rack lie with the released jokers."""
    from_table = Counter(joker.meld for joker in reading.jokers)
    released = [
        joker.meld
        for joker, is_held in zip(reading.jokers, reading.held, strict=True)
        if not is_held
    ]
    needed = Counter(
        tile for meld in released for tile in after[meld].tiles if tile != JOKER
    )
    return all(from_table[meld] == 1 for meld in released) and all(
        played[tile] >= count for tile, count in needed.items()
    )
