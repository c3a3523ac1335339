"""Ends of rounds with the pool empty, against a search of everything."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from rummi_agents import Agent, make_agent
from rummi_agents.search import Search
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import Counts, tiles_of
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.state import END_TURN, OVER_PHASE

SMALL = RuleSet(colors=4, numbers=5, copies=1, jokers=1, rack_size=4, opening_points=6)


def turns_of(engine: Engine, games: npt.NDArray[np.void]) -> Iterator[Counts]:
    """All whole turns of the seat to move, to play nothing included where it may."""
    turn = engine.turn(games, 0)
    if games["mask"][0, END_TURN]:
        yield np.zeros_like(turn.rack)
    for play in turn.plays():
        yield play.counts


def after(
    engine: Engine, games: npt.NDArray[np.void], play: Counts
) -> npt.NDArray[np.void]:
    """The game after a turn, played tile by tile."""
    then = games.copy()
    for kind in tiles_of(play):
        engine.act(then, 0, kind)
    engine.act(then, 0, END_TURN)
    return then


def value_of(
    engine: Engine,
    games: npt.NDArray[np.void],
    seat: int,
    known: dict[tuple[object, ...], float],
) -> float:
    """What a seat scores if both do their best, by trying everything."""
    if games["phase"][0] == OVER_PHASE:
        return float(games["scores"][0, seat])
    fields = ("table", "racks", "opened", "seat", "passes", "turns_left")
    position = tuple(games[name].tobytes() for name in fields)
    if position not in known:
        values = [
            value_of(engine, after(engine, games, play), seat, known)
            for play in turns_of(engine, games)
        ]
        known[position] = max(values) if games["seat"][0] == seat else min(values)
    return known[position]


def endings(rules: RuleSet, seeds: range) -> Iterator[Match]:
    """Matches at the moment when the pool has become empty."""
    for seed in seeds:
        match = Match(rules, 2)
        match.start(seed, Start())
        rng = np.random.default_rng(seed)
        while not match.over and match.games["drawn"] < match.games["pool_size"]:
            if rng.random() < 0.5:
                match.act(match.engine.scripted_action(match.games, 0, "cautious"))
            else:
                match.act(
                    END_TURN if match.mask[END_TURN] else int(match.mask.argmax())
                )
        # Of larger racks there is too much to try.
        if not match.over and match.games["racks"].sum() <= 9:
            yield match


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"must_play_when_pool_empty": False},
        {"pool_empty": "one_more_turn"},
        {"pool_empty_scoring": "sum_minus_winner_once", "unopened_penalty": (100, 200)},
    ],
)
def test_small_endings_are_played_as_well_as_can_be(changes: dict[str, object]) -> None:
    rules = SMALL.replace(**changes)
    matters = 0
    for match in endings(rules, range(40)):
        seat = match.seat
        engine = match.engine
        known: dict[tuple[object, ...], float] = {}
        values = {
            tuple(play): value_of(engine, after(engine, match.games, play), seat, known)
            for play in turns_of(engine, match.games)
        }
        plan = Search().plan(match.observation(seat), match.turn())
        assert values[tuple(plan)] == max(values.values())
        matters += len(set(values.values())) > 1
    assert matters >= 3


def scores_of(match: Match, player: Agent, seat: int) -> float:
    """What a seat scores if a player goes on for it, against `patient`."""
    rng = np.random.default_rng(0)
    while not match.over:
        if match.seat == seat:
            seen, turn = match.observation(seat), match.turn()
            match.act(player.act(seen, match.mask.copy(), turn, rng))
        else:
            match.act(match.engine.scripted_action(match.games, 0, "patient"))
    return float(match.games["scores"][0, seat])


@pytest.mark.parametrize("seed", [100, 103])
def test_whoever_searches_does_not_lay_a_large_rack_first(seed: int) -> None:
    """Both have waited; who lays most of its rack lets the other go out."""
    scores = {}
    for name in ("patient", "search"):
        match = Match("official", 2)
        match.start(seed, Start())
        while match.games["drawn"] < match.games["pool_size"]:
            match.act(match.engine.scripted_action(match.games, 0, "patient"))
        assert match.games["racks"].sum() > 80
        scores[name] = scores_of(match, make_agent(name), match.seat)
    assert scores["patient"] < 0 < scores["search"]


@pytest.mark.slow
def test_two_who_search_finish_a_round_whose_racks_have_grown_large() -> None:
    rules = RuleSet(numbers=8, jokers=1, opening_points=10)
    match = Match(rules, 2)
    match.start(2, Start())
    agents = [Search(rollouts=4, seed=seat) for seat in range(2)]
    rng = np.random.default_rng(0)
    while not match.over:
        seen, turn = match.observation(match.seat), match.turn()
        match.act(agents[match.seat].act(seen, match.mask.copy(), turn, rng))
    assert match.games["drawn"] == match.games["pool_size"]
