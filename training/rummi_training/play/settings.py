"""What a game is asked to be: who plays, by which rules, from where."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rummi_agents import agent_names, make_agent
from rummi_agents.registry import is_checkpoint
from rummi_env.core.options import GameRules
from rummi_env.envs.game import game_named
from rummi_training.mirrored import labels_of, unalike
from rummi_training.rules_text import SUFFIXES, read_rules_of

PERSON = "person"
"""Who plays on a seat that is nobody's but a person's."""

BASELINES = {
    "rummikub": ("max_tiles",),
    "rummy": ("least_deadwood",),
    "tabla": ("planner",),
}
"""Who plays against a person who names nobody."""

MAX_SEED = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class GameSettings:
    """How a game is set up; all that it hangs on besides what is done in it."""

    rules: GameRules
    """The rules."""

    players: tuple[str, ...]
    """For each seat `PERSON` or what an agent is made from."""

    seed: int
    """Of all chance."""

    clock: bool = False
    """Whether turns are timed, as ``turn_seconds`` of the rules says."""

    penalties: bool = True
    """Whether an illegal table costs what the rules say; else it is refused only."""

    position: str | None = None
    """Position to start from; otherwise the tiles are dealt."""

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.rules.GAME

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name for each seat, no two alike."""
        agents = iter(labels_of([spec for spec in self.players if spec != PERSON]))
        persons = iter(unalike([PERSON] * self.players.count(PERSON)))
        return tuple(
            next(persons if spec == PERSON else agents) for spec in self.players
        )

    @property
    def options(self) -> dict[str, Any]:
        """Where the match starts, as the options of ``reset``."""
        return {} if self.position is None else {"position": self.position}

    def to_dict(self) -> dict[str, Any]:
        """Returns every field by name, in types that JSON knows."""
        return {
            "game": self.game,
            "rules": self.rules.to_dict(),
            "players": list(self.players),
            "seed": self.seed,
            "clock": self.clock,
            "penalties": self.penalties,
            "position": self.position,
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> GameSettings:
        """Reads what `to_dict` writes.

        Raises:
            ValueError: a field is missing or impossible.
        """
        try:
            given = dict(fields)
            rules_type = game_named(given.pop("game")).rules_type
            rules = rules_type.from_dict(given.pop("rules"))
            return cls(rules=rules, players=tuple(given.pop("players")), **given)
        except (KeyError, TypeError) as error:
            raise ValueError(f"these are no settings of a game: {error}") from error


def read_settings(
    *,
    players: Sequence[str],
    rules: str = "default",
    game: str = "rummikub",
    seed: int | None = None,
    clock: bool | None = None,
    penalties: bool = True,
    position: str | None = None,
    trusted: Sequence[str] = (),
) -> GameSettings:
    """Returns the settings that somebody asks for, checked.

    Args:
        players: for each seat `PERSON`, the name of an agent or a checkpoint's folder.
        rules: a preset, with changes if need be.
        game: name of the game.
        seed: of all chance; by default nobody knows it beforehand.
        clock: whether turns are timed; by default if the rules say how long they are.
        penalties: whether an illegal table costs what the rules say.
        position: where to start; by default with a deal.
        trusted: agents written as ``module:Class`` that may be imported.

    Raises:
        ValueError: one sentence says what is impossible.
    """
    if rules.strip().endswith(SUFFIXES):
        raise ValueError(f"rules must be a preset with changes, not the file {rules!r}")
    found = read_rules_of(game, rules)
    found.check_players(len(players))
    if PERSON not in players:
        raise ValueError(f"one of the players must be a {PERSON}, not only {players}")
    seconds = getattr(found, "turn_seconds", None)
    if clock and seconds is None:
        raise ValueError("clock must be off: these rules set no time for a turn")
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed must be from 0 to {MAX_SEED}, not {seed}")
    for spec in players:
        if spec != PERSON:
            _check_agent(spec, game, trusted)
    settings = GameSettings(
        rules=found,
        players=tuple(players),
        seed=secrets.randbelow(MAX_SEED) if seed is None else seed,
        clock=seconds is not None if clock is None else clock,
        penalties=penalties,
        position=position or None,
    )
    game_named(game).read_start(settings.options, found, len(players))
    return settings


def _check_agent(spec: str, game: str, trusted: Sequence[str]) -> None:
    """Refuses what is no agent, and to import what nobody has allowed."""
    name, colon, _ = spec.partition(":")
    known = name in agent_names(None) or spec in trusted or is_checkpoint(spec)
    if colon and not known:
        raise ValueError(
            f"the agent {spec!r} must be named when the server is started: "
            f"rummi play --agents {spec}"
        )
    make_agent(spec, game)
