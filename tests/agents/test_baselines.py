"""The scripted agents under every rule set and number of players."""

from collections.abc import Callable

import numpy as np
import pytest

from rummi_agents import Agent, agent_names, make_agent
from rummi_agents.cautious import Cautious, Patient, fewest_opposing_tiles
from rummi_agents.scripted import MaxPoints, MaxTiles
from rummi_env.core.positions import parse_position
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, counts_of, tiles_of
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.games.rummikub.state import END_TURN, REDEAL_PHASE
from rummi_env.solver import Turn, TurnSolver
from rummi_env.solver.play import Objective

PLAYERS = (2, 3, 4)
NAMES = ("random", "greedy", "max_tiles", "max_points", "cautious", "patient")
NO_OBSERVATION = np.zeros(0, np.float32)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", RuleSet.presets())
def test_agents_only_ever_play_unmasked_actions(
    preset: str,
    players: int,
    play_match: Callable[[Match, list[Agent], int], int],
) -> None:
    """Case 16."""
    rules = RuleSet.preset(preset, rounds=1)
    match = Match(rules, players)
    for seed in range(len(NAMES)):
        seated = [
            make_agent(NAMES[(seed + seat) % len(NAMES)]) for seat in range(players)
        ]
        assert play_match(match, seated, seed)


def test_every_agent_by_name_is_among_those_tested() -> None:
    assert set(NAMES) <= set(agent_names())


@pytest.mark.parametrize("preset", ["official", "online"])
@pytest.mark.parametrize("name", ["max_tiles", "max_points", "cautious", "patient"])
def test_compiled_baselines_and_agents_choose_the_same(preset: str, name: str) -> None:
    match = Match(preset, 3)
    agent = make_agent(name)
    rng = np.random.default_rng(0)
    for seed in range(3):
        match.start(seed, Start())
        while not match.over:
            expected = match.engine.scripted_action(match.games, 0, name)
            seen = match.observation(match.seat)
            assert agent.act(seen, match.mask.copy(), match.turn(), rng) == expected
            match.act(expected)


def whole_turn(agent: Agent, turn: Turn) -> tuple[int, ...]:
    """Lets an agent play a turn to its end; returns the tiles played."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        action = agent.act(NO_OBSERVATION, turn.mask, turn, rng)
        assert turn.mask[action]
        if action == END_TURN:
            return tiles_of(turn.played)
        turn = turn.continued(turn.rack, turn.played + counts_of([action]))
    raise AssertionError("the turn does not end")


@pytest.mark.parametrize(
    ("agent", "objective"), [(MaxTiles(), "tiles"), (MaxPoints(), "points")]
)
@pytest.mark.parametrize(
    ("table", "rack", "opened"),
    [
        ("B5 R5 K5 O5", "B4 B6 B7 K1", True),
        ("K3 K4 K5 | R7 B7 O7", "K6 K7 K7 J R2 R3", True),
        ("", "R10 B10 O10 K1 K2 K3 J", False),
        ("", "R1 R2 R3 K9", False),
    ],
)
def test_optimum_players_play_the_optimum(
    agent: Agent, objective: Objective, table: str, rack: str, opened: bool
) -> None:
    turn = TurnSolver("official").turn(table, rack, opened=opened)
    best = turn.best(objective)
    expected = () if best is None else tiles_of(best.counts)
    assert whole_turn(agent, turn) == expected


def test_plan_is_made_anew_when_the_table_has_changed() -> None:
    solver, agent = TurnSolver("official"), MaxTiles()
    first = solver.turn("K3 K4 K5", "K6 K7 R1")
    assert whole_turn(agent, first) == tiles_of(counts_of([5, 6]))
    second = solver.turn("R2 R3 R4", "K6 K7 R1")
    assert whole_turn(agent, second) == tiles_of(counts_of([13]))


def test_plan_is_made_anew_when_other_tiles_were_played() -> None:
    solver, agent = TurnSolver("official"), MaxTiles()
    table, rack = "K3 K4 K5 K6 K7", "K2 K8 R8 B8 O8"
    rng = np.random.default_rng(0)
    turn = solver.turn(table, rack)
    agent.act(NO_OBSERVATION, turn.mask, turn, rng)
    for played in ("K8", "R8", "R8 B8 O8"):
        turn = solver.turn(table, rack, played=played)
        best = turn.best("tiles")
        assert best is not None
        assert whole_turn(agent, turn) == tiles_of(best.counts)


def test_agents_keep_the_rack_where_a_new_deal_may_be_demanded() -> None:
    rules = RuleSet.preset("official", redeal_on_three_pairs=True)
    match = Match(rules, 2)
    rng = np.random.default_rng(0)
    for seed in range(200):
        match.start(seed, Start())
        if match.games["phase"][0] == REDEAL_PHASE:
            break
    assert match.games["phase"][0] == REDEAL_PHASE
    seen, mask = match.observation(match.seat), match.mask.copy()
    for name in NAMES[1:]:
        assert make_agent(name).act(seen, mask, match.turn(), rng) == END_TURN


def cautious_action(position: str, player: type[Cautious] = Cautious) -> int:
    match = Match("official", 2)
    match.start(0, Start(position=parse_position(position)))
    seen = match.observation(match.seat)
    rng = np.random.default_rng(0)
    return player().act(seen, match.mask.copy(), match.turn(), rng)


TABLE = "K3 K4 K5 | R5 R6 R7"


def test_cautious_keeps_its_joker_while_it_cannot_go_out() -> None:
    assert cautious_action(f"{TABLE}; J O1 B3 B4 / R1 R2 K1 K2 K3 B9") == END_TURN


def test_cautious_goes_out_with_its_joker() -> None:
    action = cautious_action(f"{TABLE}; J K6 / R1 R2 K1 K2 K3 B9")
    assert action in (5, JOKER)


def test_cautious_plays_its_joker_when_an_opponent_is_about_to_go_out() -> None:
    assert cautious_action(f"{TABLE}; J O1 B3 B4 / R1") != END_TURN


def test_cautious_lets_small_plays_wait() -> None:
    assert cautious_action(f"{TABLE}; K6 O1 B9 B4 / R1 R2 K1 K2 B9") == END_TURN
    assert cautious_action(f"{TABLE}; K6 O1 B9 B4 / R1 R2") == 5


def test_patient_waits_until_it_can_go_out() -> None:
    waiting = f"{TABLE}; K6 K7 R8 R9 O1 / R1 R2 K1 K2 B9"
    assert cautious_action(waiting, Patient) == END_TURN
    out = f"{TABLE}; K6 K7 R8 R9 / R1 R2 K1 K2 B9"
    assert cautious_action(out, Patient) == 5
    late = f"{TABLE}; K6 K7 R8 R9 O1 / R1 R2"
    assert cautious_action(late, Patient) == 5


@pytest.mark.parametrize("players", PLAYERS)
def test_fewest_tiles_are_read_from_the_observation(players: int) -> None:
    match = Match("official", players)
    match.start(5, Start())
    for _ in range(30):
        match.act(END_TURN if match.mask[END_TURN] else int(np.argmax(match.mask)))
    sizes = match.games["racks"][0].sum(1)
    others = [sizes[seat] for seat in range(players) if seat != match.seat]
    seen = match.observation(match.seat)
    assert fewest_opposing_tiles(seen, match.rules) == min(others)


def test_observation_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="an observation of 7 values is none of"):
        fewest_opposing_tiles(np.zeros(7, np.float32), RuleSet())
