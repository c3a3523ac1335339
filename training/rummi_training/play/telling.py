"""What the page of a seat is told: only what the seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rummi_agents import agent_names
from rummi_env.core.options import GameRules
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.envs.game import game_named
from rummi_env.games.rummikub.state import END_TURN
from rummi_training.play import hints, tabla_telling
from rummi_training.play.explicit import meld_told, meld_words
from rummi_training.play.settings import PERSON, GameSettings
from rummi_training.play.tabla_telling import tabla_facts
from rummi_training.play.table import Table

TOLD_TURNS = 40
"""Turns of the log that are sent each time."""


def told(table: Table, seat: int) -> dict[str, Any]:
    """Returns all that a seat may know, in types that JSON knows.

    It is made from the seat's `View`; beyond that only from what lies in the open.
    """
    played = table.played
    match = played.match
    view = match.view(seat, with_melds=True)
    names = played.settings.names
    players = sorted(view.players, key=lambda player: player.seat)
    mine = match.seat == seat and not match.over
    return {
        "version": table.version,
        "turn": table.turns,
        "seat": seat,
        "settings": settings_told(played.settings),
        "phase": view.phase,
        "to_move": match.seat,
        "round": view.round + (view.phase != "over"),
        "turns_left": view.turns_left,
        "pool": view.pool_size,
        "players": [
            {
                "seat": player.seat,
                "name": names[player.seat],
                "person": played.settings.players[player.seat] == PERSON,
                "tiles": player.rack_size,
                "opened": player.opened,
                "total": player.total,
                "last": table.last_of(player.seat, seat),
            }
            for player in players
        ],
        "table": [
            {**meld_words(meld), "by": marks}
            for meld, marks in zip(view.melds, table.marks, strict=True)
        ],
        "rack": table.rack_in_order(seat),
        "draft": draft_told(table) if mine and table.draft else None,
        "must_play": bool(mine and view.phase == "play" and not match.mask[END_TURN]),
        "clock": clock_told(table),
        "rows": [list(row) for row in match.rows],
        "log": [done.told_to(seat) for done in table.log[-TOLD_TURNS:]],
        "winners": match.shares().tolist() if match.over else None,
        "trouble": table.trouble,
    }


def draft_told(table: Table) -> dict[str, Any]:
    """Returns the turn that was begun, and what the rules say about it.

    It is for the seat to move alone.
    """
    draft = table.draft
    assert draft is not None
    rules = table.played.match.rules
    return {
        "melds": [
            {"given": list(meld), **meld_told(meld, rules)} for meld in draft.melds
        ],
        "rack": list(draft.rack),
        "judgement": table.judgement(),
    }


def clock_told(table: Table) -> dict[str, Any] | None:
    """Returns the seconds of a turn and those left of it; None without a clock."""
    timer = table.played.match.timer
    if timer is None:
        return None
    return {
        "seconds": table.played.match.rules.turn_seconds,
        "left": round(timer.left, 2),
    }


def settings_told(settings: GameSettings) -> dict[str, Any]:
    """Returns how a game was set up, without what would tell the tiles beforehand."""
    rules = settings.rules
    told = rules.to_dict()
    rounds = told["rounds"]
    if isinstance(rules, TablaRules):
        rounds = rules.num_rounds(len(settings.players))
    return {
        "game": settings.game,
        "rules": rules_title(rules),
        "facts": facts(rules),
        "rounds": rounds,
        "penalty": told.get("illegal_penalty") if settings.penalties else None,
    }


def offered(game: str, trusted: Sequence[str]) -> dict[str, Any]:
    """Returns what a new game of some name can be made of."""
    rules_type = game_named(game).rules_type
    agents = list(agent_names(game))
    presets = {}
    for name in rules_type.presets():
        rules: GameRules = rules_type.preset(name)
        told = rules.to_dict()
        presets[name] = {
            "facts": facts(rules),
            "rounds": told["rounds"],
            "penalty": told.get("illegal_penalty"),
        }
    return {
        "title": game_named(game).title,
        "agents": [*agents, *trusted],
        "presets": presets,
        "hints": {
            "solver": tabla_telling.SOLVER if game == "tabla" else hints.SOLVER,
            "agents": agents,
        },
    }


def rules_title(rules: GameRules) -> str:
    """Returns the preset that rules are nearest to, and what they change in it."""
    presets = {name: rules.preset(name) for name in rules.presets()}
    name = min(presets, key=lambda name: len(rules.differences(presets[name])))
    changes = rules.differences(presets[name])
    return ", ".join([name, *(f"{key}={own}" for key, (own, _) in changes.items())])


def facts(rules: GameRules) -> list[str]:
    """Returns what a player should know of the rules, in short sentences."""
    if isinstance(rules, TablaRules):
        return tabla_facts(rules)
    told = rules.to_dict()
    exact = told["joker_release"] == "exact"
    seconds = told["turn_seconds"]
    lines = [
        f"The opening needs {told['opening_points']} points"
        + (
            "; the same turn may go on with the table."
            if told["manipulate_on_opening_turn"]
            else " of own tiles and leaves the table as it is."
        ),
        "A joker is exchanged for a tile that it stands for."
        if exact
        else "A joker is free to move, as long as melds remain.",
    ]
    if exact and told["joker_reuse"] == "new_meld_from_rack":
        lines.append("It must then lie in a new meld with tiles of the rack.")
    if told["illegal_penalty"]:
        lines.append(f"An illegal table costs {_tiles(told['illegal_penalty'])}.")
    if seconds is not None:
        late, unfinished = told["timeout_penalty"], told["unfinished_penalty"]
        more = f", with tiles laid down {_tiles(unfinished)}"
        lines.append(
            f"With the clock a turn takes {seconds:g} seconds; running out of them "
            f"costs {_tiles(late)}{more if late != unfinished else ''}."
        )
    lines.append(
        {
            "immediate": "The round ends when the pool is empty.",
            "one_more_turn": "With the pool empty everybody has one more turn.",
            "until_stuck": "With the pool empty play goes on until all have passed.",
        }[told["pool_empty"]]
    )
    return lines


def _tiles(number: int) -> str:
    return f"{number} tile{'s' if number != 1 else ''}"
