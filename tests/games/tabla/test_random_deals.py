"""Random legal deals keep what holds for every deal, and baselines play well."""

import numpy as np
import pytest

from rummi_env.core.tabla_rules import TablaRules
from rummi_env.games.tabla.engine import Engine, Games
from rummi_env.games.tabla.scripted import SCRIPTED
from rummi_env.games.tabla.state import (
    DISCARD_PHASE,
    DOUBLES_PHASE,
    DRAW_PHASE,
    DRAW_ROW,
    FIRST_CLOSE,
    OVER_PHASE,
)

AT_ONCE = 200

PLAYERS = (2, 3, 4)


def check_conservation(engine: Engine, games: Games) -> None:
    """Every tile of the deck is on a rack, in the row, in the pool or the atu, once."""
    tiles = games["racks"].sum(axis=1).astype(np.int64)
    places = np.arange(games["pool"].shape[1])
    for name, first, end in [("pool", "drawn", "pool_size"), ("row", None, "row_size")]:
        start = games[first][:, None] if first else 0
        rows, columns = np.nonzero((places >= start) & (places < games[end][:, None]))
        np.add.at(tiles, (rows, games[name][rows, columns]), 1)
    tiles[np.arange(len(games)), games["atu"]] += 1
    assert (tiles == engine.rules.deck).all()
    assert (games["racks"] >= 0).all()


def check_turns(engine: Engine, games: Games) -> None:
    """Racks have their sizes, knowledge is true, and whoever is to act can act."""
    every = np.arange(len(games))
    over = games["phase"] == OVER_PHASE
    sizes = games["racks"][:, : engine.num_players].sum(axis=2)
    extra = np.zeros_like(sizes)
    holders = np.where(games["phase"] == DISCARD_PHASE, games["seat"], games["starter"])
    holding = np.isin(games["phase"], [DISCARD_PHASE, DOUBLES_PHASE])
    extra[every, holders] = holding
    assert ((sizes == 14 + extra) | over[:, None]).all()
    assert (games["known"] <= games["racks"][:, None]).all()
    assert not games["known"][:, range(4), range(4)].any()
    assert (games["mask"].any(axis=1) != over).all()
    assert not games["mask"][:, engine.num_actions :].any()
    movers = games["racks"][every, games["seat"]]
    discarding = games["phase"] == DISCARD_PHASE
    thrown = games["mask"][:, FIRST_CLOSE : 2 * FIRST_CLOSE]
    for kinds in (games["mask"][:, :FIRST_CLOSE], thrown):
        assert (kinds[discarding] <= movers[discarding]).all()
    drawing = games["phase"] == DRAW_PHASE
    assert (games["mask"][:, DRAW_ROW] <= drawing).all()
    assert (games["turn"] <= engine.rules.turn_cap).all()


def check_scores(engine: Engine, game: np.void) -> None:
    """Payments are zero-sum and go to the closer, if there was one."""
    scores = game["scores"][: engine.num_players]
    assert scores.sum() == 0
    if game["closer"] < 0:
        assert not scores.any()
    else:
        losers = np.delete(scores, game["closer"])
        assert (losers == losers[0]).all()
        assert losers[0] < 0
        assert int(-losers[0]) in engine.codes.points * 2 or (
            int(-losers[0]) in engine.codes.points
        )


def play_deals(engine: Engine, number: int, rng: np.random.Generator) -> int:
    """Play so many deals with random legal actions, checking every step of each.

    Returns:
        How many were closed; any closing that is possible is made.
    """
    games = engine.new_games(min(number, AT_ONCE))
    for index in range(len(games)):
        engine.start(games, index, int(rng.integers(2**63)))
    begun = len(games)
    closed = 0
    playing = np.arange(len(games))
    while len(playing):
        present = games[playing]
        check_conservation(engine, present)
        check_turns(engine, present)
        chances = rng.random(present["mask"].shape) * present["mask"]
        chances[:, FIRST_CLOSE : 2 * FIRST_CLOSE] *= 10
        actions = chances.argmax(axis=1)
        for index, action in zip(playing.tolist(), actions.tolist(), strict=True):
            engine.act(games, index, action)
        for index in playing[games["phase"][playing] == OVER_PHASE].tolist():
            check_scores(engine, games[index])
            closed += games[index]["closer"] >= 0
            if begun < number:
                engine.start(games, index, int(rng.integers(2**63)))
                begun += 1
        playing = playing[games["phase"][playing] != OVER_PHASE]
    check_conservation(engine, games)
    return closed


@pytest.mark.parametrize("num_players", PLAYERS)
def test_random_deals_conserve_tiles_pay_zero_sum_and_end_within_the_cap(
    num_players: int,
) -> None:
    engine = Engine(TablaRules(rounds=1), num_players)
    play_deals(engine, 60, np.random.default_rng(num_players))


@pytest.mark.parametrize("num_players", PLAYERS)
def test_random_deals_under_other_options_keep_all_that_holds(num_players: int) -> None:
    rules = TablaRules(
        rounds=1,
        turn_cap=120,
        refuse_with_three_doubles=True,
        discard_joker_takeable=True,
        row_draw_on_empty=True,
    )
    engine = Engine(rules, num_players)
    play_deals(engine, 60, np.random.default_rng(num_players))


@pytest.mark.slow
@pytest.mark.parametrize("num_players", PLAYERS)
def test_ten_thousand_random_deals_conserve_tiles_pay_zero_sum_and_end(
    num_players: int,
) -> None:
    engine = Engine(TablaRules(rounds=1), num_players)
    play_deals(engine, 10_000, np.random.default_rng([num_players, 10_000]))


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("name", SCRIPTED)
def test_scripted_baselines_only_do_what_is_legal(name: str, num_players: int) -> None:
    engine = Engine("ours", num_players)
    games = engine.new_games(1)
    for seed in range(2):
        engine.start(games, 0, seed)
        while not engine.is_over(games, 0):
            before = games.view(np.uint8).copy().view(games.dtype)
            action = engine.scripted_action(games, 0, name)
            assert games[0]["mask"][action]
            before["seed"] = games["seed"]
            assert games.tobytes() == before.tobytes()
            engine.act(games, 0, action)
            check_scores(engine, games[0])


def totals_of(names: tuple[str, ...], matches: int) -> np.ndarray:
    """Return what players win together, each in every seat equally often."""
    engine = Engine(TablaRules(rounds=1), len(names))
    games = engine.new_games(1)
    totals = np.zeros(len(names))
    for seed in range(matches):
        for turn in range(len(names)):
            engine.start(games, 0, seed)
            while not engine.is_over(games, 0):
                player = (int(games[0]["seat"]) + turn) % len(names)
                action = engine.scripted_action(games, 0, names[player])
                engine.act(games, 0, action)
            for seat in range(len(names)):
                totals[(seat + turn) % len(names)] += games[0]["totals"][seat]
    return totals


@pytest.mark.parametrize("name", ["nearest_form", "planner"])
def test_baselines_with_a_plan_beat_random_play(name: str) -> None:
    totals = totals_of((name, "random"), 10)
    # Random play does not close, so hardly a deal may be void.
    assert totals[0] >= 10 * 2 * 250


def test_a_seed_gives_the_same_game_again_and_another_seed_another() -> None:
    engine = Engine("ours", 4)
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


@pytest.mark.parametrize(("num_players", "pool"), [(2, 76), (3, 62), (4, 48)])
def test_a_deal_gives_15_tiles_to_the_first_player_14_to_the_others_and_an_atu(
    num_players: int, pool: int
) -> None:
    """A.2; the pool's sizes are those of the rules."""
    engine = Engine("ours", num_players)
    games = engine.new_games(50)
    for index in range(len(games)):
        engine.start(games, index, index)
    check_conservation(engine, games)
    sizes = games["racks"].sum(axis=2)[:, :num_players]
    assert (sizes == [15] + [14] * (num_players - 1)).all()
    assert (games["pool_size"] - games["drawn"] == pool).all()
    assert len(set(games["atu"].tolist())) > 20


def test_a_record_is_small_enough_to_be_copied_often() -> None:
    assert Engine().new_games(1).itemsize < 2048
