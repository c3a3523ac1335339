"""Names and sentences that the pictures of all games have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def checked(names: Sequence[str], reveal: Sequence[Any], players: int) -> Sequence[str]:
    """Returns the names of the seats, ``player_0`` and so on by default.

    Raises:
        ValueError: there are names, or racks to reveal, for another number of seats.
    """
    for what, given in (("names", names), ("racks to reveal", reveal)):
        if given and len(given) != players:
            raise ValueError(f"there must be {players} {what}, not {len(given)}")
    return names or [f"player_{seat}" for seat in range(players)]


def round_note(
    word: str,
    number: int,
    before: Mapping[int, float],
    now: Mapping[int, float],
    names: Sequence[str],
) -> str:
    """Returns what a round that has just ended has brought to each seat.

    Args:
        word: what a round is called.
        number: which one it was.
        before: the totals of the seats before it.
        now: the totals after it.
        names: of the seats.
    """
    scores = ", ".join(
        f"{name} {now[seat] - before[seat]:+g}" for seat, name in enumerate(names)
    )
    return f"{word} {number} is over: {scores}"
