"""Rule sets and solved positions for people."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from rummi_env.core.notation import format_table, format_tiles
from rummi_env.core.positions import Position, parse_position
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, counts_of, tile_name, tiles_of
from rummi_env.observation import action_to_text
from rummi_env.solver import Play, Turn, TurnSolver
from rummi_training.rules_text import read_rules

MAX_COUNTED = 100_000
"""Plays that are counted before saying that there are more."""


def print_rules(text: str, console: Console) -> None:
    """Prints a rule set, and where the presets differ from it.

    Raises:
        ValueError: the text is no rule set.
    """
    rules = read_rules(text)
    presets = {name: RuleSet.preset(name).to_dict() for name in RuleSet.presets()}
    console.print(str(rules), highlight=False, markup=False)
    table = Table()
    table.add_column("rule", no_wrap=True)
    table.add_column("these rules", no_wrap=True)
    table.add_column("elsewhere")
    for name, value in rules.to_dict().items():
        others: dict[str, list[str]] = {}
        for preset, fields in presets.items():
            if fields[name] != value:
                others.setdefault(_plain(fields[name]), []).append(preset)
        elsewhere = "; ".join(
            f"{other} in {', '.join(names)}" for other, names in others.items()
        )
        table.add_row(name, _plain(value), elsewhere)
    console.print(table)


def print_solution(text: str, rules_text: str, console: Console) -> None:
    """Prints what can be played in a position.

    Raises:
        ValueError: the text is no position, or one that these rules cannot have.
    """
    rules = read_rules(rules_text)
    position = parse_position(text, rules)
    turn = _turn(position, rules)

    def say(line: str) -> None:
        console.print(line, highlight=False, markup=False, soft_wrap=True)

    rack = counts_of(position.racks[position.turn])
    say(f"table   {format_table(position.table) or 'empty'}")
    say(f"rack    {format_tiles(rack) or 'empty'}")
    if position.played:
        say(f"played  {format_tiles(counts_of(position.played))}")
    if not turn.opened:
        say(f"not opened: the first melds must be worth {rules.opening_points}")
    mask = turn.mask
    legal = [action for action in range(len(mask)) if mask[action]]
    say(f"legal   {', '.join(_action(action, rules) for action in legal) or 'nothing'}")
    number, exact = turn.count_plays(MAX_COUNTED)
    say(f"plays   {'' if exact else 'more than '}{number:,}")
    for title, play in (
        ("most tiles", turn.best("tiles")),
        ("most points", turn.best("points")),
    ):
        say("")
        if play is None:
            say(f"{title}: nothing can be played")
            continue
        _say_play(say, title, play)


def _say_play(say: Any, title: str, play: Play) -> None:
    names = " ".join(map(tile_name, tiles_of(play.counts)))
    jokers = int(play.counts[JOKER])
    with_jokers = f", {jokers} of them jokers" if jokers else ""
    say(f"{title}: {names} ({play.tiles} tiles{with_jokers}, {play.points} points)")
    say(f"table after it: {format_table(play.table)}")


def _turn(position: Position, rules: RuleSet) -> Turn:
    loose = bool(position.rest(rules).any())
    return TurnSolver(rules).turn(
        position.table,
        counts_of(position.racks[position.turn]),
        opened=position.opened[position.turn],
        played=counts_of(position.played),
        pool_empty=not (position.pool or (position.pool_rest and loose)),
    )


def _action(action: int, rules: RuleSet) -> str:
    return action_to_text(action, rules).removeprefix("play ")


def _plain(value: Any) -> str:
    return "none" if value is None else str(value)
