"""Saved matches: bytes with a version, without pickle."""

from __future__ import annotations

import hashlib
import struct
import zlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER
from rummi_env.envs.display import LAID_SIZE
from rummi_env.envs.sound import is_sound
from rummi_env.games.rummikub.state import GAME

MAGIC = b"RMKB"
VERSION = 1
"""Counts up with every change of what follows the header."""

HEADER = struct.Struct("<4sH8sI4I")
"""Magic, version, digest of the rules, checksum, sizes of the four parts that vary."""


class Saved(NamedTuple):
    """The parts of a saved match."""

    game: npt.NDArray[np.void]
    """One record."""

    rows: tuple[tuple[float, ...], ...]
    """Scores of the rounds that are over."""

    laid: tuple[bytes, ...]
    """Turns laid since the table was shown; see `display`."""

    shown: str
    """The table as it was shown, in the notation."""

    deals: tuple[str, ...]
    """Deals of the coming rounds, in the notation."""


def digest(rules: RuleSet, num_players: int) -> bytes:
    """Returns eight bytes that tell rules, players and layouts of a record apart."""
    text = f"{GAME.descr} {num_players} {rules.to_json()}"
    return hashlib.sha256(text.encode()).digest()[:8]


def pack(saved: Saved, rules_digest: bytes) -> bytes:
    """Returns a match as bytes."""
    parts = (
        np.array(saved.rows, np.float64).tobytes(),
        b"".join(saved.laid),
        saved.shown.encode(),
        "\n".join(saved.deals).encode(),
    )
    body = b"".join((saved.game.tobytes(), *parts))
    sizes = map(len, parts)
    head = HEADER.pack(MAGIC, VERSION, rules_digest, zlib.crc32(body), *sizes)
    return head + body


def unpack(data: bytes, rules: RuleSet, num_players: int, rules_digest: bytes) -> Saved:
    """Reads what `pack` wrote.

    Raises:
        ValueError: the bytes are no state, one of another version or other rules, or
            damaged.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ValueError(f"a saved state is bytes, not {type(data).__name__}")
    data = bytes(data)
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        raise ValueError("these bytes are no saved state of Rummikub")
    _, version, other, checksum, *sizes = HEADER.unpack_from(data)
    if version != VERSION:
        raise ValueError(
            f"the state has version {version}, this package reads version {VERSION}"
        )
    if other != rules_digest:
        raise ValueError(
            "the state was saved with other rules or another number of players than "
            f"{rules} with {num_players} players"
        )
    start = HEADER.size + GAME.itemsize
    if len(data) != start + sum(sizes):
        raise ValueError(
            f"the state must have {start + sum(sizes)} bytes, not {len(data)}"
        )
    if zlib.crc32(memoryview(data)[HEADER.size :]) != checksum:
        raise ValueError("the state is damaged: its checksum is wrong")
    # As bytes: copying a structured array goes field by field, many times as slow.
    record = np.frombuffer(data, np.uint8, GAME.itemsize, HEADER.size)
    game = record.copy().view(GAME)
    parts = []
    for size in sizes:
        parts.append(data[start : start + size])
        start += size
    rows, laid, shown, deals = parts
    if not (
        is_sound(game, 0, num_players, rules.deck.copy(), rules.rounds)
        and _jokers_lie_somewhere(game[0], rules)
    ):
        raise ValueError("the state is damaged: it is no position of these rules")
    scores = np.frombuffer(rows, np.float64).reshape(-1, num_players)
    return Saved(
        game=game,
        rows=tuple(map(tuple, scores.tolist())),
        laid=tuple(laid[at : at + LAID_SIZE] for at in range(0, len(laid), LAID_SIZE)),
        shown=shown.decode(),
        deals=tuple(deals.decode().splitlines()),
    )


def _jokers_lie_somewhere(game: np.void, rules: RuleSet) -> bool:
    """Tells whether each joker of the table has kinds of the deck to stand for."""
    if rules.joker_release == "free":
        return True
    sets = [bits for bits in game["joker_sets"].tolist() if bits]
    deck = sum(1 << kind for kind in range(JOKER) if rules.deck[kind])
    return len(sets) == game["table"][JOKER] and all(
        bits > 0 and not bits & ~deck for bits in sets
    )
