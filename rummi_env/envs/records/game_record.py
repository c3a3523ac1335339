"""What is kept of a game, and the line of JSON that it is written as."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

import rummi_env
from rummi_env.core.options import GameRules
from rummi_env.envs.game import game_named
from rummi_env.envs.records.reading import (
    number,
    one_of,
    some_list,
    some_object,
    some_text,
    whole,
)

FORMAT = 1
"""Counts up with every change of the fields."""

Lost: TypeAlias = Literal["failed", "timed_out", "illegal"]
"""How a turn was lost: by an illegal action that the rules punish, by the clock, or by
an illegal action that ended the match."""

Ending: TypeAlias = Literal["finished", "illegal", "unfinished"]
"""Whether the match was played to its end, ended by an illegal action, or left."""

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")
"""Distributions whose versions are noted."""

DIGITS = 4
"""Decimals to which probabilities are kept."""

MAX_SEED = 2**64 - 1


@cache
def versions_now() -> dict[str, str | None]:
    """Returns the versions of what games hang on."""
    found: dict[str, str | None] = {
        "rummi-env": rummi_env.__version__,
        "python": platform.python_version(),
    }
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


@dataclass(frozen=True)
class Judgement:
    """What an agent thought when it was to act."""

    probabilities: Mapping[int, float] = field(default_factory=dict)
    """How likely it was to take each legal action; the others are left out."""

    value: float | None = None
    """What it expected to score from there on, in its own units."""

    @classmethod
    def of(
        cls, probabilities: npt.NDArray[np.floating], value: float | None = None
    ) -> Judgement:
        """Keeps the probabilities, shape [actions], of those actions that have any."""
        kept = np.round(np.asarray(probabilities, np.float64), DIGITS)
        return cls({int(at): float(kept[at]) for at in np.flatnonzero(kept)}, value)


@dataclass(frozen=True)
class RoundRecord:
    """One round."""

    deal: str | None
    """The deal as text; None where the match went on from a saved state."""

    actions: tuple[int | None, ...]
    """The actions of all seats; None where a turn was lost without one."""

    lost: Mapping[int, Lost] = field(default_factory=dict)
    """How the turn was lost at steps where it was, counted from 0."""

    chance: Mapping[int, int] = field(default_factory=dict)
    """State of the random numbers before steps that draw from them, where others than
    the game, such as scripted players, had drawn from them before."""

    judgements: Mapping[int, Judgement] = field(default_factory=dict)
    """What the agents thought at steps where they said it, counted from 0."""

    scores: tuple[float, ...] | None = None
    """Score of every seat; None as long as the round is not over."""

    def to_dict(self) -> dict[str, Any]:
        """Returns every field by name, in types that JSON knows."""
        return {
            "deal": self.deal,
            "actions": list(self.actions),
            "lost": [{"step": at, "by": by} for at, by in self.lost.items()],
            "chance": [{"step": at, "seed": seed} for at, seed in self.chance.items()],
            "judgements": [
                {
                    "step": at,
                    "probabilities": {
                        str(action): share
                        for action, share in said.probabilities.items()
                    },
                    "value": said.value,
                }
                for at, said in self.judgements.items()
            ],
            "scores": None if self.scores is None else list(self.scores),
        }


@dataclass(frozen=True)
class GameRecord:
    """One game: a match from its start to its end, or to where it was left."""

    rules: GameRules
    """The rules."""

    players: tuple[str, ...]
    """Names, in the order of the seats."""

    seed: int
    """Seed of all chance in the match."""

    rounds: tuple[RoundRecord, ...]
    """The rounds; with a saved state those from there on."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """Where the match started, as the options of ``reset``."""

    state: bytes | None = None
    """Saved state that the match started from, if it did."""

    ending: Ending = "finished"
    """How it ended."""

    versions: Mapping[str, str | None] = field(default_factory=versions_now)
    """Versions of the packages that games hang on."""

    about: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else the writer wanted to note."""

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.rules.GAME

    @property
    def num_steps(self) -> int:
        """How many steps there are in all rounds."""
        return sum(len(part.actions) for part in self.rounds)

    @property
    def totals(self) -> tuple[float, ...]:
        """Sums of the scores of the rounds recorded."""
        rows = [part.scores for part in self.rounds if part.scores is not None]
        return tuple(
            sum(row[seat] for row in rows) for seat in range(len(self.players))
        )

    def replace(self, **changes: Any) -> GameRecord:
        """Returns the same record with some fields set otherwise."""
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Returns every field by name, in types that JSON knows."""
        state = self.state
        return {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules.to_dict(),
            "players": list(self.players),
            "seed": self.seed,
            "options": dict(self.options),
            "state": None if state is None else base64.b64encode(state).decode(),
            "rounds": [part.to_dict() for part in self.rounds],
            "ending": self.ending,
            "versions": dict(self.versions),
            "about": dict(self.about),
        }

    def to_json(self) -> str:
        """Returns the record as one line, without the newline."""
        fields = self.to_dict()
        return _dumps({**fields, "sha256": digest(fields)})


def parse_record(line: str) -> GameRecord:
    """Reads what `GameRecord.to_json` wrote.

    The fields are checked, and that nobody has changed them since; whether such a game
    can have been played is for `replay` to say.

    Raises:
        ValueError: one sentence says what is wrong.
    """
    fields, checksum = parse_fields(line)
    record = record_of(fields)
    check_digest(fields, checksum)
    return record


def parse_fields(line: str) -> tuple[dict[str, Any], Any]:
    """Returns the fields of a line and its checksum, both unchecked.

    Raises:
        ValueError: the line is no JSON object.
    """
    try:
        fields = json.loads(line, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"it is cut off or no JSON: {error.msg} at character {error.pos + 1}"
        ) from error
    except RecursionError as error:
        raise ValueError("it is no record: its values lie too deep") from error
    fields = dict(some_object("a record", fields))
    return fields, fields.pop("sha256", None)


def record_of(fields: Mapping[str, Any]) -> GameRecord:
    """Returns the record with these fields.

    Raises:
        ValueError: a field is missing, unknown or has a value that it does not take.
    """
    made = fields.get("format")
    if made != FORMAT or type(made) is not int:
        raise ValueError(f"format must be {FORMAT}, not {made!r}")
    _check_names("a record", fields, _RECORD_FIELDS)
    game = game_named(some_text("game", fields["game"]))
    written = some_object("rules", fields["rules"])
    rules = game.rules_type.from_dict(written)
    absent = [name for name in rules.to_dict() if name not in written]
    if absent:
        raise ValueError(f"rules must be whole, but have no {', '.join(absent)}")
    players = tuple(
        some_text("a player's name", name)
        for name in some_list("players", fields["players"])
    )
    rules.check_players(len(players))
    return GameRecord(
        rules=rules,
        players=players,
        seed=whole("seed", fields["seed"], 0, MAX_SEED),
        options=some_object("options", fields["options"]),
        state=None if fields["state"] is None else _bytes(fields["state"]),
        rounds=tuple(
            _round(part, len(players)) for part in some_list("rounds", fields["rounds"])
        ),
        ending=one_of("ending", fields["ending"], get_args(Ending)),
        versions=some_object("versions", fields["versions"]),
        about=some_object("about", fields["about"]),
    )


def check_digest(fields: Mapping[str, Any], checksum: Any) -> None:
    """Refuses a record that was changed after it was written.

    Raises:
        ValueError: the checksum is another one.
    """
    if checksum != digest(fields):
        raise ValueError("it was changed after it was written: its sha256 is wrong")


def digest(fields: Mapping[str, Any]) -> str:
    """Returns the checksum of the fields of a record."""
    return hashlib.sha256(_dumps(fields, sort_keys=True).encode()).hexdigest()


_RECORD_FIELDS = (
    "format", "game", "rules", "players", "seed", "options", "state", "rounds",
    "ending", "versions", "about",
)  # fmt: skip
_ROUND_FIELDS = ("deal", "actions", "lost", "chance", "judgements", "scores")
_LOST_FIELDS = ("step", "by")
_CHANCE_FIELDS = ("step", "seed")
_JUDGEMENT_FIELDS = ("step", "probabilities", "value")


def _round(value: Any, num_players: int) -> RoundRecord:
    fields = some_object("a round", value)
    _check_names("a round", fields, _ROUND_FIELDS)
    deal, scores = fields["deal"], fields["scores"]
    actions = tuple(
        None if action is None else whole("an action", action, 0, 2**31)
        for action in some_list("actions", fields["actions"])
    )
    if scores is not None:
        scores = tuple(
            number("a score", score) for score in some_list("scores", scores)
        )
        if len(scores) != num_players:
            raise ValueError(f"scores must be {num_players} numbers, not {len(scores)}")
    lost, chance, judgements = {}, {}, {}
    for entry in some_list("lost", fields["lost"]):
        part = some_object("a turn that was lost", entry)
        _check_names("a turn that was lost", part, _LOST_FIELDS)
        step = whole("step", part["step"], 0, len(actions) - 1)
        lost[step] = one_of("by", part["by"], get_args(Lost))
    for entry in some_list("chance", fields["chance"]):
        part = some_object("a state of chance", entry)
        _check_names("a state of chance", part, _CHANCE_FIELDS)
        step = whole("step", part["step"], 0, len(actions) - 1)
        chance[step] = whole("seed", part["seed"], 0, MAX_SEED)
    for entry in some_list("judgements", fields["judgements"]):
        part = some_object("a judgement", entry)
        _check_names("a judgement", part, _JUDGEMENT_FIELDS)
        step = whole("step", part["step"], 0, len(actions) - 1)
        judgements[step] = _judgement(part)
    return RoundRecord(
        deal=None if deal is None else some_text("deal", deal),
        actions=actions,
        lost=lost,
        chance=chance,
        judgements=judgements,
        scores=scores,
    )


def _judgement(fields: Mapping[str, Any]) -> Judgement:
    shares = {}
    for name, share in some_object("probabilities", fields["probabilities"]).items():
        if not (name.isascii() and name.isdigit()):
            raise ValueError(f"probabilities must be by action, not by {name!r}")
        chance = number("a probability", share)
        if not 0 <= chance <= 1:
            raise ValueError(f"a probability must be from 0 to 1, not {chance!r}")
        shares[int(name)] = chance
    value = fields["value"]
    return Judgement(shares, None if value is None else number("value", value))


def _bytes(value: Any) -> bytes:
    try:
        return base64.b64decode(some_text("state", value), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("state must be base64") from error


def _check_names(what: str, fields: Mapping[str, Any], known: Iterable[str]) -> None:
    known = tuple(known)
    absent = [name for name in known if name not in fields]
    unknown = [name for name in fields if name not in known]
    if absent:
        raise ValueError(f"{what} must have {absent[0]!r}")
    if unknown:
        raise ValueError(f"{what} must have no {unknown[0]!r}")


def _dumps(value: Any, sort_keys: bool = False) -> str:
    return json.dumps(
        value, separators=(",", ":"), allow_nan=False, sort_keys=sort_keys
    )


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"it must have no {name}")
