"""Saved matches: bytes with a version, without pickle."""

from __future__ import annotations

import hashlib
import struct
import zlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rummi_env.core.options import GameRules
from rummi_env.envs.game import Game

VERSION = 1
"""Counts up with every change of what follows the header."""

HEADER = struct.Struct("<4sH8sI")
"""The game's magic, version, digest of the rules, checksum. The sizes of the scores and
of the game's own parts follow, four bytes each."""


class Saved(NamedTuple):
    """The parts of a saved match."""

    record: npt.NDArray[np.void]
    """One record."""

    rows: tuple[tuple[float, ...], ...]
    """Scores of the rounds that are over."""

    parts: tuple[bytes, ...]
    """What the game keeps beside the record; see `Game.parts`."""


def digest(dtype: np.dtype[Any], rules: GameRules, num_players: int) -> bytes:
    """Returns eight bytes that tell rules, players and layouts of a record apart."""
    text = f"{dtype.descr} {num_players} {rules.to_json()}"
    return hashlib.sha256(text.encode()).digest()[:8]


def pack(saved: Saved, game: Game, rules_digest: bytes) -> bytes:
    """Returns a match as bytes."""
    parts = (np.array(saved.rows, np.float64).tobytes(), *saved.parts)
    body = b"".join((saved.record.tobytes(), *parts))
    sizes = struct.pack(f"<{len(parts)}I", *map(len, parts))
    head = HEADER.pack(game.magic, VERSION, rules_digest, zlib.crc32(body))
    return head + sizes + body


def unpack(data: bytes, game: Game, rules_digest: bytes) -> Saved:
    """Reads what `pack` wrote.

    Raises:
        ValueError: the bytes are no state of this game, one of another version or other
            rules, or damaged.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ValueError(f"a saved state is bytes, not {type(data).__name__}")
    data = bytes(data)
    lengths = struct.Struct(f"<{game.num_parts + 1}I")
    head = HEADER.size + lengths.size
    if len(data) < head or not data.startswith(game.magic):
        raise ValueError(f"these bytes are no saved state of {game.title}")
    _, version, other, checksum = HEADER.unpack_from(data)
    sizes = lengths.unpack_from(data, HEADER.size)
    if version != VERSION:
        raise ValueError(
            f"the state has version {version}, this package reads version {VERSION}"
        )
    if other != rules_digest:
        raise ValueError(
            "the state was saved with other rules or another number of players than "
            f"{game.rules} with {game.num_players} players"
        )
    dtype = game.games.dtype
    start = head + dtype.itemsize
    if len(data) != start + sum(sizes):
        raise ValueError(
            f"the state must have {start + sum(sizes)} bytes, not {len(data)}"
        )
    if zlib.crc32(memoryview(data)[head:]) != checksum:
        raise ValueError("the state is damaged: its checksum is wrong")
    # As bytes: copying a structured array goes field by field, many times as slow.
    record = np.frombuffer(data, np.uint8, dtype.itemsize, head).copy().view(dtype)
    parts = []
    for size in sizes:
        parts.append(data[start : start + size])
        start += size
    if not game.is_sound(record):
        raise ValueError("the state is damaged: it is no position of these rules")
    scores = np.frombuffer(parts[0], np.float64).reshape(-1, game.num_players)
    return Saved(record, tuple(map(tuple, scores.tolist())), tuple(parts[1:]))
