"""Random legal games, played by the machine alone, keep what holds for every game."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

from rummi_env.core.rulesets import RuleSet
from rummi_env.games.rummikub.engine import Engine, Games
from rummi_env.games.rummikub.state import END_TURN, OVER_PHASE

MOST_STEPS = 20_000
"""Longer random games do not occur; one that does never ends."""

AT_ONCE = 200

PLAYERS = (2, 3, 4)


@dataclass
class Totals:
    """What a sample of matches held, so that a test sees that it was a sample."""

    games: int = 0
    steps: int = 0
    longest: int = 0
    out: int = 0
    openings: int = 0


PRESETS = RuleSet.presets()


def check_conservation(engine: Engine, games: Games) -> None:
    """Every tile of the deck is on the table, a rack or in the pool, once."""
    places = np.arange(games["pool"].shape[1])
    in_pool = (places >= games["drawn"][:, None]) & (
        places < games["pool_size"][:, None]
    )
    rows, columns = np.nonzero(in_pool)
    tiles = games["table"].astype(np.int64) + games["racks"].sum(axis=1)
    np.add.at(tiles, (rows, games["pool"][rows, columns]), 1)
    assert (tiles == engine.rules.deck).all()
    assert (games["table"] >= 0).all() and (games["racks"] >= 0).all()


def check_turns(engine: Engine, games: Games) -> None:
    """Whoever is to move can move, with tiles that are there."""
    movers = games["racks"][np.arange(len(games)), games["seat"]]
    assert (games["played"] <= movers).all()
    assert (games["known"] <= games["racks"]).all()
    tile_actions = games["mask"][:, :END_TURN]
    assert (tile_actions <= (movers > games["played"])).all()
    over = games["phase"] == OVER_PHASE
    assert (games["mask"].any(axis=1) != over).all()
    assert not games["mask"][:, engine.num_actions :].any()


def check_scores(engine: Engine, game: np.void) -> None:
    """The scores are what the racks left in the match's last round are worth."""
    rules, players = engine.rules, engine.num_players
    numbers = np.append(np.tile(np.arange(1, 14), 4), rules.joker_rack_value)
    racks = game["racks"][:players].astype(np.int64)
    values = racks @ numbers
    out = ~racks.any(axis=1)
    winners = out if out.any() else values == values.min()
    literal = rules.pool_empty_scoring == "sum_minus_winner_once" and not out.any()
    lost = np.where(winners, 0, values if literal else values - values.min())
    scores = game["scores"][:players]
    if rules.unopened_penalty:
        charged = ~winners & (game["opened"][:players] == 0)
        assert np.isin(-scores[charged], rules.unopened_penalty).all()
        lost[charged] = -scores[charged]
    assert (scores[~winners] == -lost[~winners]).all()
    left = values.min() if literal else 0
    assert scores.sum() == pytest.approx(-left)
    assert scores[winners] == pytest.approx((lost.sum() - left) / winners.sum())
    assert not game["scores"][players:].any()


def play_games(
    engine: Engine, number: int, rng: np.random.Generator, totals: Totals
) -> None:
    """Play so many matches, checking every step of each."""
    games = engine.new_games(min(number, AT_ONCE))
    started = np.zeros(len(games), np.int64)
    rounds = np.zeros(len(games), np.int64)
    sums = np.zeros_like(games["totals"])
    for index in range(len(games)):
        engine.start(games, index, int(rng.integers(2**63)))
    begun = len(games)
    playing = np.arange(len(games))
    while len(playing):
        present = games[playing]
        check_conservation(engine, present)
        check_turns(engine, present)
        chances = rng.random(present["mask"].shape) * present["mask"]
        actions = chances.argmax(axis=1)
        for index, action in zip(playing.tolist(), actions.tolist(), strict=True):
            engine.act(games, index, action)
        ended = playing[games["round_ended"][playing] > 0]
        rounds[ended] += 1
        sums[ended] += games["scores"][ended]
        started[playing] += 1
        totals.steps += len(playing)
        assert started.max() < MOST_STEPS
        ended = playing[games["phase"][playing] == OVER_PHASE]
        for index in ended.tolist():
            check_scores(engine, games[index])
            assert rounds[index] == engine.rules.rounds
            assert games[index]["totals"] == pytest.approx(sums[index])
            totals.games += 1
            totals.longest = max(totals.longest, int(started[index]))
            totals.openings += int(games[index]["opened"].sum())
            racks = games[index]["racks"][: engine.num_players]
            totals.out += bool((~racks.any(axis=1)).any())
            if begun < number:
                engine.start(games, index, int(rng.integers(2**63)))
                started[index] = rounds[index] = 0
                sums[index] = 0
                begun += 1
        playing = playing[games["phase"][playing] != OVER_PHASE]
    check_conservation(engine, games)
    check_turns(engine, games)


def check_games(preset: str, num_players: int, number: int, **fields: Any) -> Totals:
    seed = [PRESETS.index(preset), num_players, number]
    totals = Totals()
    rules = RuleSet.preset(preset, **fields)
    engine = Engine(rules, num_players)
    play_games(engine, number, np.random.default_rng(seed), totals)
    assert totals.games == number
    assert totals.out > 0
    assert totals.openings > number
    return totals


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_conserve_tiles_have_no_dead_end_and_add_up(
    preset: str, num_players: int
) -> None:
    check_games(preset, num_players, 20)


def test_without_points_to_open_games_keep_all_that_holds() -> None:
    check_games("official", 3, 20, opening_points=0)


@pytest.mark.slow
@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_two_thousand_random_games_conserve_tiles_have_no_dead_end_and_add_up(
    preset: str, num_players: int
) -> None:
    check_games(preset, num_players, 2_000)


def test_a_seed_gives_the_same_game_again_and_another_seed_another() -> None:
    engine = Engine("official", 4)
    games = engine.new_games(3)
    for index, seed in enumerate((11, 11, 12)):
        engine.start(games, index, seed)
    while not engine.is_over(games, 0):
        action = engine.scripted_action(games, 0, "random")
        assert engine.scripted_action(games, 1, "random") == action
        engine.act(games, 0, action)
        engine.act(games, 1, action)
    assert games[0].tobytes() == games[1].tobytes()
    assert (games[0]["racks"] != games[2]["racks"]).any()


@pytest.mark.parametrize("name", ["random", "greedy", "max_tiles", "max_points"])
def test_scripted_baselines_only_do_what_is_legal(name: str) -> None:
    engine = Engine("official", 3)
    games = engine.new_games(1)
    for seed in range(5):
        engine.start(games, 0, seed)
        while not engine.is_over(games, 0):
            action = engine.scripted_action(games, 0, name)
            assert games[0]["mask"][action]
            engine.act(games, 0, action)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_a_deal_gives_each_seat_its_rack_and_leaves_the_rest_as_pool(
    num_players: int,
) -> None:
    engine = Engine("official", num_players)
    games = engine.new_games(50)
    for index in range(len(games)):
        engine.start(games, index, index)
    check_conservation(engine, games)
    sizes = games["racks"].sum(axis=2)
    assert (sizes[:, :num_players] == engine.rules.rack_size).all()
    assert not sizes[:, num_players:].any()
    assert not games["table"].any()
    assert not games["opened"].any()


@pytest.mark.parametrize("starter", ["draw", "random"])
def test_chance_lets_every_seat_start_about_as_often(
    starter: Literal["draw", "random"],
) -> None:
    engine = Engine(RuleSet(starter=starter), 3)
    games = engine.new_games(1)
    starts = np.zeros(3)
    for seed in range(3_000):
        engine.start(games, 0, seed)
        starts[games[0]["starter"]] += 1
    # Five standard deviations.
    assert (abs(starts - 1_000) < 130).all()
