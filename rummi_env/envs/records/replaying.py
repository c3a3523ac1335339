"""Plays a record again and checks every step of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummi_env.envs.match import Match
from rummi_env.envs.records.game_record import (
    DIGITS,
    GameRecord,
    Judgement,
    RoundRecord,
)


@dataclass(frozen=True)
class Moment:
    """A match between two steps."""

    match: Match
    """The match as it stands now; it goes on with the next moment."""

    step: int
    """How many steps were done before."""

    round: int
    """Which round of the record it is in, counted from 0."""

    seat: int
    """The seat to move."""

    mask: npt.NDArray[np.int8]
    """Which actions are legal, int8[actions]; zeros once the match is over."""

    event: str
    """What the last step was, see the game's page; empty before the first."""

    actor: int | None
    """The seat that did the last step."""

    action: int | None
    """What the seat to move does next; None where it does nothing."""

    judgement: Judgement | None
    """What it thinks of it, if it was recorded."""


def replay(record: GameRecord) -> Iterator[Moment]:
    """Plays a record again: yields the moment before each step, and the last one.

    Every step is checked: that the action is legal, or illegal where it lost the turn;
    that the deals and scores are those of the record. A record is right when all of its
    moments have come.

    Raises:
        ValueError: a step, deal or score cannot be; the sentence names it.
    """
    match = _started(record)
    step, actor, event = 0, None, ""
    number = 0
    for number, part in enumerate(record.rounds):
        _check_deal(match, part, number, record)
        for at, action in enumerate(part.actions):
            _check_judgement(match, part.judgements.get(at), step)
            yield Moment(
                match,
                step,
                number,
                match.seat,
                match.mask.copy(),
                event,
                actor,
                action,
                part.judgements.get(at),
            )
            actor = match.seat
            if part.lost.get(at) == "illegal":
                event = _refused(match, record, number, at, step)
            else:
                if at in part.chance:
                    match.chance[0] = part.chance[at]
                _perform(match, action, part.lost.get(at), step)
                event = match.event
            step += 1
            left = len(part.actions) - at - 1
            if match.round_ended and left:
                raise ValueError(
                    f"round {number + 1} is over after step {step}, but {left} more "
                    f"{'steps follow' if left > 1 else 'step follows'} in it"
                )
        _check_scores(match, part, number)
    _check_ending(match, record)
    mask = np.zeros_like(match.mask) if match.over else match.mask.copy()
    yield Moment(match, step, number, match.seat, mask, event, actor, None, None)


def _started(record: GameRecord) -> Match:
    match = Match(record.rules, len(record.players), game=record.game)
    if record.state is not None:
        match.load(record.state)
        return match
    start = match.game.read_start(record.options, record.rules, match.num_players)
    match.start(record.seed, start)
    return match


def _perform(match: Match, action: int | None, lost: str | None, step: int) -> None:
    """Does a step, if it can be done."""
    number = match.engine.num_actions
    if match.over:
        raise ValueError(f"step {step + 1}: the match was over before it")
    if action is not None and action >= number:
        raise ValueError(
            f"step {step + 1}: an action is a whole number from 0 to {number - 1}, "
            f"not {action}"
        )
    legal = action is not None and bool(match.mask[action])
    seat = match.seat
    if lost == "timed_out":
        match.time_out(action)
    elif lost is None:
        if action is None:
            raise ValueError(f"step {step + 1} of seat {seat} must have an action")
        if not legal:
            raise ValueError(
                f"step {step + 1} of seat {seat}: action {action} is illegal: "
                f"{match.explain(action)}"
            )
        match.act(action)
    elif legal:
        raise ValueError(
            f"step {step + 1} of seat {seat}: action {action} is legal, but is said to "
            "have lost the turn"
        )
    else:
        match.fail(action)


def _refused(match: Match, record: GameRecord, number: int, at: int, step: int) -> str:
    """Checks a step that ended the match by being illegal; returns its event."""
    part = record.rounds[number]
    action = part.actions[at]
    is_last = number == len(record.rounds) - 1 and at == len(part.actions) - 1
    if record.ending != "illegal" or not is_last:
        raise ValueError(
            f"step {step + 1} is said to have ended the match by being illegal, but "
            "the match goes on"
        )
    if action is None or action >= match.engine.num_actions or match.mask[action]:
        raise ValueError(
            f"step {step + 1} of seat {match.seat}: action {action} is said to have "
            "ended the match by being illegal, but it is legal or none at all"
        )
    return "illegal"


def _check_deal(
    match: Match, part: RoundRecord, number: int, record: GameRecord
) -> None:
    """Refuses a deal that the seed and the options do not lead to."""
    if match.over:
        raise ValueError(f"round {number + 1}: the match was over before it")
    goes_on = number == 0 and record.state is not None
    dealt = None if goes_on else match.game.dealt()
    if part.deal != dealt:
        raise ValueError(
            f"round {number + 1}: its deal is not the one that the seed and the "
            "options of this record lead to"
        )


def _check_scores(match: Match, part: RoundRecord, number: int) -> None:
    if not match.round_ended:
        if part.scores is not None:
            raise ValueError(
                f"round {number + 1} has scores, but is not over after its last step"
            )
        return
    scores = match.rows[-1]
    if part.scores != scores:
        written = "none" if part.scores is None else _listed(part.scores)
        raise ValueError(
            f"round {number + 1} was scored {_listed(scores)}, but the record has "
            f"{written}"
        )


def _check_judgement(match: Match, judgement: Judgement | None, step: int) -> None:
    if judgement is None or not judgement.probabilities:
        return
    for action in judgement.probabilities:
        if action >= match.engine.num_actions or not match.mask[action]:
            raise ValueError(
                f"step {step + 1}: the agent is said to have thought of action "
                f"{action}, which is illegal"
            )
    total = sum(judgement.probabilities.values())
    # Each is rounded, and those that are as good as 0 are left out.
    if abs(total - 1) > match.engine.num_actions * 10.0**-DIGITS:
        raise ValueError(
            f"step {step + 1}: the probabilities of the actions sum up to {total:.4g}"
        )


def _check_ending(match: Match, record: GameRecord) -> None:
    lost = record.rounds[-1].lost.values() if record.rounds else ()
    ended = "finished" if match.over else "unfinished"
    if "illegal" in lost:
        ended = "illegal"
    if record.ending != ended:
        raise ValueError(
            f"the match is said to be {record.ending}, but is {ended} after the last "
            "step"
        )


def _listed(scores: tuple[float, ...]) -> str:
    return ", ".join(f"{score:.15g}" for score in scores)
