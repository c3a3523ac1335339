"""Rule sets and solved positions for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from rummi_env.core.notation import format_table, format_tiles
from rummi_env.core.positions import Position, parse_position
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, counts_of, tile_name
from rummi_env.solver import Play, Turn, TurnSolver
from rummi_env.solver.exact import END_TURN
from rummi_training.rules_text import read_rules, read_rules_of

MAX_COUNTED = 100_000
"""Legal turns that are counted before saying that there are more."""

EXACT_FIELDS = ("joker_source", "joker_reuse")
"""Fields that mean nothing where jokers are free."""

EXAMPLES = {
    "rummikub": "sabra,rounds=3,jokers=0",
    "rummy": "pagat,hands=3,ace=both",
    "tabla": "hk,rounds=3,exchange_doubles=false",
}
"""Rules with changes, for each game."""

TITLE_WIDTH = 16


def print_rules(text: str, console: Console, game: str = RuleSet.GAME) -> None:
    """Prints the rules of a game, and where the presets differ from them.

    Raises:
        ValueError: the text is no rules of the game.
    """
    rules = read_rules_of(game, text)
    presets = {name: rules.preset(name).to_dict() for name in rules.presets()}
    console.print(str(rules), highlight=False, markup=False, soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rule", no_wrap=True)
    table.add_column("value", no_wrap=True)
    table.add_column("elsewhere")
    for name, value in rules.to_dict().items():
        others: dict[str, list[str]] = {}
        for preset, fields in presets.items():
            other = fields[name]
            if other != value and not (name in EXACT_FIELDS and other is None):
                others.setdefault(_plain(other), []).append(preset)
        elsewhere = "\n".join(
            f"{other} in {', '.join(names)}" for other, names in others.items()
        )
        table.add_row(name, _plain(value), elsewhere)
    console.print(table)
    example = EXAMPLES[rules.GAME]
    console.print(
        f"presets: {', '.join(presets)}\nto change rules: {example}",
        highlight=False,
        soft_wrap=True,
    )


def print_solution(text: str, rules_text: str, console: Console) -> None:
    """Prints what can be played in a position.

    Raises:
        ValueError: the text is no position, or one that these rules cannot have.
    """
    rules = read_rules(rules_text)
    position = parse_position(text, rules)
    for title, words in _solution(position, rules):
        line = f"{title:{TITLE_WIDTH}}{words}".rstrip()
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _solution(position: Position, rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Yields the lines of a solution, each with its title."""
    turn = _turn(position, rules)
    yield "table", format_table(position.table) or "empty"
    if rules.joker_release == "exact" and turn.board[JOKER]:
        places = [place for meld in position.table for place in meld.identities]
        yield "jokers are", ", ".join(" or ".join(_kinds(place)) for place in places)
    yield "rack", format_tiles(turn.rack) or "empty"
    if position.played:
        yield "played", format_tiles(turn.played)
    if not turn.opened:
        yield "not opened", f"own melds worth {rules.opening_points} points are needed"
    yield "can be played", format_tiles(turn.mask[:END_TURN].astype(np.int8)) or "none"
    names = np.flatnonzero(turn.mask[END_TURN + 1 : END_TURN + 1 + JOKER])
    if turn.solver.exact and names.size:
        yield "jokers can be", " ".join(_kinds(names.tolist()))
    yield "else", _end(turn)
    number, all_counted = turn.count_plays(MAX_COUNTED)
    yield "legal turns", f"{'' if all_counted else 'more than '}{number:,}"
    by_tiles, by_points = turn.best("tiles"), turn.best("points")
    if by_tiles is None or by_points is None:
        return
    yield "", ""
    yield "most tiles", _summary(by_tiles)
    if by_tiles != by_points:
        yield "table after it", format_table(by_tiles.table)
        yield "", ""
    yield "most points", _summary(by_points) if by_tiles != by_points else "the same"
    yield "table after it", format_table(by_points.table)


def _summary(play: Play) -> str:
    tiles = f"{play.tiles} tile{'s' if play.tiles != 1 else ''}"
    return f"{format_tiles(play.counts)} ({tiles}, {play.points} points)"


def _end(turn: Turn) -> str:
    """Says what a player can do besides playing a tile."""
    if turn.played.any():
        return "end the turn" if turn.mask[END_TURN] else "play on"
    if not turn.pool_empty:
        return "draw a tile"
    return "pass" if turn.mask[END_TURN] else "nothing: the pool is empty"


def _turn(position: Position, rules: RuleSet) -> Turn:
    loose = bool(position.rest(rules).any())
    return TurnSolver(rules).turn(
        position.table,
        counts_of(position.racks[position.turn]),
        opened=position.opened[position.turn],
        played=counts_of(position.played),
        pool_empty=not (position.pool or (position.pool_rest and loose)),
    )


def _kinds(kinds: Any) -> list[str]:
    return [tile_name(kind) for kind in sorted(kinds)]


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "none" if value is None else str(value)
