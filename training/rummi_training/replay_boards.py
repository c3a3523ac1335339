"""What lies where in a game, as short text for the page of a replay.

Pieces are written in the notation with a space between them, groups are separated by
``|``. A ``*`` after a piece says that it has just come there; what a joker stands for
follows it, several kinds with ``/`` between them: ``J=R7``, ``J=K7/O7*``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from rummi_env.core.cards import NUM_RANKS, card_name
from rummi_env.core.tiles import JOKER, NUM_NUMBERS, tile_name, tiles_of
from rummi_env.envs.match import Match
from rummi_env.envs.pictures import Pictures
from rummi_env.rendering.amounts import plural
from rummi_env.rendering.changes import marked_tiles, new_cards

Section: TypeAlias = tuple[str, str]
"""A title, and the pieces below it."""


def table_of(match: Match, pictures: Pictures) -> list[Section]:
    """Returns what lies in the open."""
    return _TABLES[match.game.name](match, pictures)


def racks_of(match: Match) -> list[str]:
    """Returns what every seat holds."""
    return [_RACKS[match.game.name](rack) for rack in match.game.racks()]


def facts_of(match: Match) -> list[str]:
    """Returns what is to be said of every seat."""
    players = match.view(0).players
    word = "card" if match.game.name == "rummy" else "tile"
    facts = []
    for player in players:
        told = [plural(player.rack_size, word)]
        if getattr(player, "opened", False):
            told.append("opened")
        if getattr(player, "melded", False):
            told.append("melded")
        told.append(f"score {player.total:g}")
        facts.append(", ".join(told))
    return facts


def _rummikub_table(match: Match, pictures: Pictures) -> list[Section]:
    view = match.view(0, with_melds=True)
    melds = []
    marks = marked_tiles(view, pictures.before)
    for meld, marked in zip(view.melds, marks, strict=True):
        pieces = []
        for tile, kinds, is_new in zip(meld.tiles, meld.places, marked, strict=True):
            name = tile_name(tile)
            if tile == JOKER:
                name += "=" + "/".join(map(tile_name, sorted(kinds)))
            pieces.append(name + "*" * is_new)
        melds.append(" ".join(pieces))
    sections = [("Table", " | ".join(melds))]
    if view.played.any():
        played = _tiles(tiles_of(view.played))
        sections.append(("Played in this turn", played))
    if view.commitments is not None and view.commitments.any():
        names = (f"J={tile_name(kind)}" for kind in tiles_of(view.commitments))
        sections.append(("Jokers named in this turn", " ".join(names)))
    return [*sections, (f"Pool: {plural(view.pool_size, 'tile')}", "")]


def _rummy_table(match: Match, pictures: Pictures) -> list[Section]:
    view = match.view(0)
    new = new_cards(view, pictures.before)
    melds = (
        " ".join(card_name(card) + "*" * (card in new) for card in meld)
        for meld in view.melds
    )
    return [
        ("Table", " | ".join(melds)),
        ("Row, the top card last", " ".join(map(card_name, view.row))),
        (f"Pool: {plural(view.pool_size, 'card')}", ""),
    ]


def _tabla_table(match: Match, pictures: Pictures) -> list[Section]:
    view = match.view(0)
    sections = [
        ("Row, the last discard at the end", " ".join(map(tile_name, view.row))),
        ("Atu", tile_name(view.atu)),
        (f"Pool: {plural(view.pool_size, 'tile')}", ""),
    ]
    closing = getattr(match.game, "closing")()  # noqa: B009  (of this game alone)
    if closing is not None and (not view.row or view.phase == "over"):
        form = closing.form
        title = f"The last deal was closed with {form.romanian} ({form.english})"
        sections.insert(0, (title, str(closing)))
    return sections


def _tiles(tiles: Iterable[int]) -> str:
    """Returns tiles, those of a color together."""
    colors = groupby(sorted(tiles), lambda tile: tile // NUM_NUMBERS)
    return " | ".join(" ".join(map(tile_name, group)) for _, group in colors)


def _cards(cards: Sequence[int]) -> str:
    suits = groupby(sorted(cards), lambda card: card // NUM_RANKS)
    return " | ".join(" ".join(map(card_name, group)) for _, group in suits)


def _counts(counts: Any) -> str:
    return _tiles(tiles_of(counts))


_TABLES = {"rummikub": _rummikub_table, "rummy": _rummy_table, "tabla": _tabla_table}
_RACKS = {"rummikub": _counts, "rummy": _cards, "tabla": _counts}
