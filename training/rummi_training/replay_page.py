"""A recorded game as one HTML page that needs nothing else.

The page has the moments of every game as JSON; a script in it draws them. Text that
comes more than once is written once and named by its number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from rummi_env.envs.records.frames import pictured
from rummi_env.records import GameRecord, Moment
from rummi_training.replay_boards import facts_of, racks_of, table_of

TEMPLATE = "replay.html"

LOST = {
    "failed": "illegal, the turn is lost",
    "illegal": "illegal, the match is lost",
    "timed_out": "too late, the turn is lost",
}
"""What to say of events that are not what the action was to be."""


class Texts:
    """Texts by number, each written once."""

    def __init__(self) -> None:
        """Starts without any."""
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Returns the number of a text."""
        return self._numbers.setdefault(text, len(self._numbers))

    def listed(self) -> list[str]:
        """Returns the texts in the order of their numbers."""
        return list(self._numbers)


def page(records: Iterable[tuple[int, GameRecord]], title: str) -> str:
    """Returns games as one HTML page.

    Args:
        records: the games and the lines that they stood in.
        title: what the page is called.

    Raises:
        ValueError: a game cannot have been played.
        ImportError: the extra ``train`` is not installed.
    """
    try:
        import jinja2
    except ImportError as error:
        raise ImportError(
            "pages need the package jinja2: pip install 'rummi-env[train]'"
        ) from error
    texts = Texts()
    games = [game_data(record, line, texts) for line, record in records]
    # So no text can end the script.
    data = json.dumps(
        {"texts": texts.listed(), "games": games}, separators=(",", ":")
    ).replace("<", "\\u003c")
    source = files("rummi_training") / "templates" / TEMPLATE
    template = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined
    ).from_string(source.read_text(encoding="utf-8"))
    return template.render(title=title, data=data)


def game_data(record: GameRecord, line: int, texts: Texts) -> dict[str, Any]:
    """Returns a game as its page has it."""
    steps = []
    said = ""
    for moment, pictures in pictured(record):
        match = moment.match
        number = texts.number
        steps.append(
            {
                "round": moment.round,
                "seat": -1 if moment.action is None and match.over else moment.seat,
                "event": number(_event(moment, said, record.players)),
                "table": [
                    [number(title), number(pieces)]
                    for title, pieces in table_of(match, pictures)
                ],
                "racks": [number(rack) for rack in racks_of(match)],
                "facts": [number(fact) for fact in facts_of(match)],
                **_decision(moment, texts),
            }
        )
        said = "nothing"
        if moment.action is not None:
            said = match.game.action_text(moment.action)
    return {
        "line": line,
        "game": record.game,
        "rules": str(record.rules),
        "players": list(record.players),
        "rounds": len(record.rounds),
        "ending": record.ending,
        "steps": steps,
    }


def _decision(moment: Moment, texts: Texts) -> dict[str, Any]:
    """Returns the mask of the seat to move, what it does, and what it thinks."""
    legal = np.flatnonzero(moment.mask).tolist()
    in_words = moment.match.game.action_text
    decision: dict[str, Any] = {
        "mask": [[action, texts.number(in_words(action))] for action in legal]
    }
    if moment.action is not None:
        decision["action"] = moment.action
        if moment.action not in legal:
            decision["illegal"] = texts.number(in_words(moment.action))
    if moment.judgement is not None:
        shares = moment.judgement.probabilities
        if shares:
            decision["shares"] = [shares.get(action, 0) for action in legal]
        if moment.judgement.value is not None:
            decision["value"] = moment.judgement.value
    return decision


def _event(moment: Moment, said: str, players: Sequence[str]) -> str:
    """Returns what the last step was, in the words of its action, and what it ended."""
    if moment.actor is None:
        return "The match begins"
    told = f"{players[moment.actor]}: {said}"
    if moment.event in LOST:
        told += f" ({LOST[moment.event]})"
    if moment.match.round_ended:
        scores = ", ".join(
            f"{player} {score:+g}"
            for player, score in zip(players, moment.match.rows[-1], strict=True)
        )
        told += f". The round is over: {scores}"
    if moment.match.over:
        told += ". The match is over"
    return told
