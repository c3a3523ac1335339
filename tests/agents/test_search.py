"""The player that searches, and what it notices about the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rummi_agents import agent_names, make_agent
from rummi_agents.habits import Notes, Standing
from rummi_agents.search import Search, SearchRevealed
from rummi_env.core.notation import parse_tiles
from rummi_env.core.positions import parse_position
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import counts_of
from rummi_env.envs.batch import Batch
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.games.rummikub.state import DREW, LAID
from rummi_training.mirrored import draw_deals, play_mirrored

SMALL = RuleSet(colors=4, numbers=6, copies=1, jokers=1, rack_size=5, opening_points=6)
"""25 tiles: ends with an empty pool are frequent, and small."""


class Watched(Search):
    """Counts how often it was asked for a whole turn."""

    plans = 0

    def plan(self, observation: Any, turn: Any) -> Any:
        """Counts."""
        self.plans += 1
        return super().plan(observation, turn)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", RuleSet.presets())
def test_it_plays_legally_under_every_rule_set(
    preset: str, players: int, play_match: Callable[[Match, list[Any], int], int]
) -> None:
    rules = RuleSet.preset(preset, rounds=1, numbers=8, rack_size=6, opening_points=15)
    agents = [Search(rollouts=8, seed=seat) for seat in range(players)]
    for seed in range(2):
        assert play_match(Match(rules, players), agents, seed)


@pytest.mark.parametrize("limit", [2, 5])
def test_it_plays_legally_where_turns_are_short(
    limit: int, play_match: Callable[[Match, list[Any], int], int]
) -> None:
    rules = SMALL.replace(turn_actions=limit)
    assert play_match(Match(rules, 2), [Search(rollouts=4), make_agent("patient")], 1)


def actions_of(agents: list[Search], seed: int) -> list[int]:
    match = Match(SMALL, len(agents))
    match.start(seed, Start())
    rng = np.random.default_rng(seed)
    actions = []
    while not match.over:
        seat = match.seat
        seen = match.observation(seat)
        actions.append(agents[seat].act(seen, match.mask.copy(), match.turn(), rng))
        match.act(actions[-1])
    return actions


def test_the_same_game_comes_out_again() -> None:
    first = [actions_of([Search(rollouts=16), Search(8)], seed) for seed in range(3)]
    again = [actions_of([Search(rollouts=16), Search(8)], seed) for seed in range(3)]
    assert first == again


@pytest.mark.parametrize("players", [2, 3])
def test_what_it_cannot_see_does_not_change_what_it_plays(players: int) -> None:
    """The racks of the others and the pool are drawn anew; it plays on alike."""
    match = Match(SMALL, players)
    agent, other = Search(rollouts=12), Search(rollouts=12)
    rng = np.random.default_rng(0)
    compared = 0
    for seed in range(4):
        match.start(seed, Start())
        while not match.over:
            seat = match.seat
            seen, mask, turn = match.observation(seat), match.mask.copy(), match.turn()
            chosen = agent.act(seen, mask, turn, rng) if seat == 0 else None
            if chosen is None:
                match.act(match.engine.scripted_action(match.games, 0, "cautious"))
                continue
            real = match.games.copy()
            match.engine.redraw(match.games, 0, seat, 1000 + compared)
            assert (match.observation(seat) == seen).all()
            assert other.act(match.observation(seat), mask, match.turn(), rng) == chosen
            compared += 1
            match.games[:] = real
            match.act(chosen)
    assert compared > 40


def test_a_turn_is_thought_over_once_however_many_games_are_played() -> None:
    agent = Watched(rollouts=4)
    batch = Batch(3, rules=SMALL, opponents=[agent], seat=0)
    _, masks = batch.reset(seed=2)
    for _ in range(8):
        _, _, _, _, masks = batch.step(masks.argmax(axis=1))
    assert agent.plans > 0
    turns = int(batch.games["turn"].sum())
    assert agent.plans <= turns + 3 * 8


def test_without_a_budget_it_plays_like_a_patient_player() -> None:
    rules = SMALL.replace(opening_points=0)
    match = Match(rules, 3)
    agent, patient = Search(rollouts=0), make_agent("patient")
    rng = np.random.default_rng(0)
    compared = 0
    for seed in range(4):
        match.start(seed, Start())
        while not match.over:
            seen, mask = match.observation(match.seat), match.mask.copy()
            chosen = agent.act(seen, mask, match.turn(), rng)
            if match.turn().opened:
                assert chosen == patient.act(seen, mask, match.turn(), rng)
                compared += 1
            match.act(chosen)
    assert compared > 20


def test_it_goes_on_with_a_turn_that_somebody_else_has_begun() -> None:
    match = Match("official", 2)
    position = parse_position("K5 K6 K7; K8 K9 R3 R11 / B1 B2; ; 0; 11; K8", RuleSet())
    match.start(0, Start(position=position))
    agent = Search(rollouts=4)
    action = agent.act(
        match.observation(0), match.mask.copy(), match.turn(), np.random.default_rng(0)
    )
    assert match.mask[action]


def test_a_rack_that_can_be_laid_at_once_is_laid_when_somebody_threatens() -> None:
    match = Match("official", 2)
    position = parse_position("K5 K6 K7; K8 K9 / B1; ; 0; 11", RuleSet())
    match.start(0, Start(position=position))
    plan = Search(rollouts=32).plan(match.observation(0), match.turn())
    assert (plan == parse_tiles("K8 K9")).all()


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("search:rollouts=-1", "rollouts must be 0 or more, not -1"),
        ("search:milliseconds=0", "milliseconds must be above 0, not 0"),
    ],
)
def test_impossible_budgets_are_refused(spec: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_agent(spec)


def test_a_budget_in_milliseconds_is_played_with() -> None:
    assert len(actions_of([make_agent("search:milliseconds=2"), Search(2)], 1)) > 4  # type: ignore[list-item]


def test_an_observation_of_other_rules_is_refused() -> None:
    match = Match("official", 2)
    match.start(1, Start())
    with pytest.raises(ValueError, match="an observation of 3 values is none of"):
        Search().act(
            np.zeros(3, np.float32), match.mask, match.turn(), np.random.default_rng(0)
        )


# ---------------------------------------------------------------------- revealed


def test_the_revealed_player_is_none_of_those_by_name() -> None:
    assert "search" in agent_names()
    assert not [name for name in agent_names() if "revealed" in name]


def test_the_revealed_player_has_to_be_shown_the_game() -> None:
    match = Match("official", 2)
    match.start(1, Start())
    with pytest.raises(ValueError, match="only plays where it is shown them"):
        SearchRevealed().plan(match.observation(match.seat), match.turn())


def test_an_evaluation_shows_the_game_to_the_revealed_player() -> None:
    deals = list(enumerate(draw_deals(SMALL, 2, 6, 3)))
    revealed = make_agent("rummi_agents.search:SearchRevealed:rollouts=8")
    games = list(play_mirrored([revealed, "patient"], SMALL, deals, 3))
    assert sum(game.scores[0] for pair in games for game in pair) > 0


# ---------------------------------------------------------------------- habits


def standing(sizes: list[int], last: int, pool: int, opened: bool = True) -> Standing:
    return Standing(
        np.array(sizes), np.array([True, opened]), np.array([DREW, last]), pool
    )


RACK = counts_of([1, 2, 3])
NOTHING = counts_of([])


def test_who_lays_tiles_before_it_has_to_is_eager() -> None:
    notes = Notes()
    before = standing([3, 9], DREW, 20)
    notes.keep(RACK, NOTHING, before, notes.habits(RACK, before))
    drawn = counts_of([1, 2, 3, 7])
    known = notes.habits(drawn, standing([4, 6], LAID, 19))
    assert known.eager == (False, True)
    assert known.waits == (False, False)


def test_who_opens_or_is_threatened_or_draws_is_not_eager() -> None:
    for sizes, last, opened in (
        ([3, 9], LAID, False),
        ([2, 9], LAID, True),
        ([3, 9], DREW, True),
    ):
        notes = Notes()
        before = standing(sizes, DREW, 20, opened)
        rack = RACK if sizes[0] == 3 else counts_of([1, 2])
        notes.keep(rack, NOTHING, before, notes.habits(rack, before))
        after = notes.habits(rack, standing([sizes[0], 6], last, 19))
        assert not any(after.eager)


def test_who_lays_little_of_much_with_the_pool_empty_waits() -> None:
    notes = Notes()
    before = standing([3, 30], DREW, 0)
    notes.keep(RACK, NOTHING, before, notes.habits(RACK, before))
    assert notes.habits(RACK, standing([3, 29], LAID, 0)).waits == (False, True)


def test_other_games_and_forgotten_ones_tell_nothing() -> None:
    notes = Notes()
    before = standing([3, 9], DREW, 20)
    notes.keep(RACK, NOTHING, before, notes.habits(RACK, before))
    after = standing([3, 6], LAID, 19)
    assert not any(notes.habits(counts_of([1, 2, 9]), after).eager)
    assert any(notes.habits(RACK, after).eager)
    notes.forget()
    assert not any(notes.habits(RACK, after).eager)
