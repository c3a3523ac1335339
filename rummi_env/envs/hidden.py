"""Guesses at what a seat cannot see, for search with hidden information."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rummi_env.core.tiles import NUM_COUNTS
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.state import REDEAL_PHASE

MAX_TRIES = 10_000
"""Draws before giving up. A turn begun by an opponent, or three pairs among 14 tiles,
take some tens of them; racks far smaller than that can take more."""

PAIRS_FOR_REDEAL = 3


def redraw(
    engine: Engine, games: npt.NDArray[np.void], seat: int, rng: np.random.Generator
) -> None:
    """Draws anew, in place, all that a seat cannot see of a game.

    The other racks keep their sizes and the tiles that are known to be on them, the
    pool its size. A turn that an opponent has begun can still be ended legally. While
    new deals may be demanded, those who were asked have three pairs and those who were
    passed over have not. The game's random numbers go on from elsewhere.

    Args:
        engine: of the rules of the game.
        games: an array of one record.
        seat: who looks.
        rng: source of chance.

    Raises:
        RuntimeError: no such game was found in `MAX_TRIES` draws.
    """
    game = games[0]
    mover, players = int(game["seat"]), engine.num_players
    others = [other for other in range(players) if other != seat]
    racks, drawn, size = game["racks"], int(game["drawn"]), int(game["pool_size"])
    seen = np.zeros((players, NUM_COUNTS), np.int8)
    for other in others:
        played = game["played"] if other == mover else 0
        seen[other] = np.maximum(game["known"][other] - played, 0) + played
    unseen = np.concatenate(
        [
            *(np.repeat(_KINDS, racks[other] - seen[other]) for other in others),
            game["pool"][drawn:size],
        ]
    )
    sizes = [int(racks[other].sum() - seen[other].sum()) for other in others]
    asked = range(mover + 1) if game["phase"] == REDEAL_PHASE else range(0)
    demands = {other: _pairs(racks[other]) for other in others if other in asked}
    begun = mover != seat and bool(game["played"].any())

    games["pool"][0, :drawn] = 0
    games["seed"] = rng.integers(2**64, dtype=np.uint64)
    for _ in range(MAX_TRIES):
        rng.shuffle(unseen)
        start = 0
        for other, number in zip(others, sizes, strict=True):
            dealt = np.bincount(unseen[start : start + number], minlength=NUM_COUNTS)
            racks[other] = seen[other] + dealt
            start += number
        games["pool"][0, drawn:size] = unseen[start:]
        if any(_pairs(racks[other]) != pairs for other, pairs in demands.items()):
            continue
        if mover != seat:
            engine.refresh(games, 0)
        if not begun or games["mask"].any():
            return
    raise RuntimeError(
        f"no racks that agree with what seat {seat} has seen were found in {MAX_TRIES} "
        "draws"
    )


_KINDS = np.arange(NUM_COUNTS, dtype=np.int8)


def _pairs(rack: npt.NDArray[np.int8]) -> bool:
    """Tells whether a rack has the pairs that allow to demand a new deal."""
    return int((rack >= 2).sum()) >= PAIRS_FOR_REDEAL
