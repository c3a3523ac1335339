"""Both encoders give the same numbers, and the slices hold what they are named for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummi_env import RuleSet, parse_position
from rummi_env.games.rummikub.engine import Engine
from rummi_env.observation import (
    by_name,
    encode_view,
    encoding,
    fields,
    hidden_fields,
    observation,
    privileged,
    size_of,
    state_fields,
    view_of,
)
from rummi_env.observation.fields import bounds

RULES = [
    RuleSet(),
    RuleSet.preset("online"),
    RuleSet(rounds=3, rack_size=3, starter="rotate", match_winner="rounds_won"),
    RuleSet(redeal_on_three_pairs=True, unopened_penalty=(100, 200)),
    RuleSet.preset("triple_s", rack_size=8),
    RuleSet.preset("tournament", jokers_per_meld=1),
    RuleSet(numbers=5, colors=3, rack_size=4, turn_actions=60, opening_points=5),
]


@settings(max_examples=150)
@given(
    st.sampled_from(RULES), st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 90)
)
def test_the_compiled_encoder_agrees_with_the_view(
    rules: RuleSet, num_players: int, seed: int, actions: int
) -> None:
    engine = Engine(rules, num_players)
    games = engine.new_games(1)
    engine.start(games, 0, seed)
    rng = np.random.default_rng(seed)
    for _ in range(actions):
        if engine.is_over(games, 0):
            break
        chance = rng.random()
        if chance < 0.05:
            engine.fail_turn(games, 0)
        elif chance < 0.1:
            engine.time_out(games, 0)
        else:
            engine.act(games, 0, engine.scripted_action(games, 0, "random"))
    codes = encoding(rules, num_players)
    low, high = bounds(state_fields(rules, num_players))
    for seat in range(num_players):
        view = view_of(games[0], rules, num_players, seat)
        seen = observation(games, 0, codes, seat)
        assert (seen == encode_view(view, rules)).all()
        state = privileged(games, 0, codes, seat)
        assert (state[: seen.size] == seen).all()
        assert ((low <= state) & (state <= high)).all()


POSITION = "K3 K4 K5 ; K6 R9 R13 J / B1 B2 / O7 ; O1 O2 ; 0 ; 101 ; K6"


@pytest.fixture
def engine() -> Engine:
    return Engine("official", 3)


def test_an_opponent_sees_the_table_and_no_rack(engine: Engine) -> None:
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    engine.place_position(games, 0, parse_position(POSITION))
    parts = fields(engine.rules, 3)
    seen = by_name(observation(games, 0, encoding(engine.rules, 3), 1), parts)
    assert np.flatnonzero(seen["rack"]).tolist() == [26, 27]
    assert np.flatnonzero(seen["table"]).tolist() == [2, 3, 4]
    assert np.flatnonzero(seen["played"]).tolist() == [5]
    # Observer first: seat 1 has two tiles, seat 2 one, seat 0 three more in hand.
    assert (seen["rack_sizes"] * 14).round().tolist() == [2, 1, 3]
    assert seen["opened"].tolist() == [0, 1, 1]
    assert seen["to_move"].tolist() == [0, 0, 1]
    assert seen["phase"].tolist() == [0, 1, 0]
    assert seen["pool_size"] * 106 == pytest.approx(2)
    assert seen["actions"] * 14 == pytest.approx(1)


def test_the_state_goes_on_with_what_is_hidden(engine: Engine) -> None:
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    engine.place_position(games, 0, parse_position(POSITION))
    state = privileged(games, 0, encoding(engine.rules, 3), 1)
    hidden = by_name(state, hidden_fields(engine.rules, 3))
    assert [np.flatnonzero(rack).tolist() for rack in hidden["racks"]] == [
        [45],
        [21, 25, 52],
    ]
    assert np.flatnonzero(hidden["pool"]).tolist() == [39, 40]
    assert [np.flatnonzero(tile).tolist() for tile in hidden["next_tiles"]] == [
        [39],
        [40],
        [],
    ]


@pytest.mark.parametrize("rules", [*RULES, RuleSet.preset("tournament")])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_fields_follow_one_another(rules: RuleSet, num_players: int) -> None:
    parts = state_fields(rules, num_players)
    end = 0
    for name, part in parts.items():
        assert part.name == name
        assert part.start == end
        assert part.low < part.high
        assert part.doc
        end = part.slice.stop
    assert size_of(parts.values()) == end
    assert size_of(fields(rules, num_players).values()) == parts["racks"].start


def test_only_exact_jokers_have_fields_of_their_own() -> None:
    extra = {"joker_identities", "commitments"}
    assert not extra & set(fields(RuleSet(), 2))
    assert extra <= set(fields(RuleSet.preset("sabra"), 2))


def test_arrays_of_a_view_cannot_be_written(engine: Engine) -> None:
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    view = view_of(games[0], engine.rules, 3, 0)
    for array in (view.rack, view.table, view.played, view.opponents[0].known):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        view.pool_size = 3  # type: ignore[misc]


def test_a_view_outlives_the_game(engine: Engine) -> None:
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    view = view_of(games[0], engine.rules, 3, 0)
    rack = view.rack.copy()
    games["racks"] = 0
    assert (view.rack == rack).all()


def test_the_number_of_players_is_checked() -> None:
    with pytest.raises(ValueError, match="num_players must be an integer from 2 to 4"):
        fields(RuleSet(), 5)
