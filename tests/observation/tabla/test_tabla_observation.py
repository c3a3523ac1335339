"""Both encoders agree, nothing hidden is seen, and guesses agree with what is seen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS
from rummi_env.games.tabla.engine import Engine, Games
from rummi_env.games.tabla.state import DOUBLES_PHASE
from rummi_env.observation.fields import bounds, by_name, size_of
from rummi_env.observation.tabla import (
    encode_view,
    encoding,
    fields,
    hidden_fields,
    observation,
    privileged,
    state_fields,
    view_of,
)

RULES = [
    TablaRules(),
    TablaRules(
        atu_twin_bonus=100, turn_cap=30, discard_joker_takeable=True, points="hk"
    ),
    TablaRules(refuse_with_three_doubles=True, row_draw_on_empty=True, rounds=1),
    TablaRules(exchange_doubles=False, target=500),
]
KINDS = np.arange(NUM_COUNTS)

MATCHES = {
    "rules": st.sampled_from(RULES),
    "num_players": st.integers(2, 4),
    "seed": st.integers(0, 2**32),
    "actions": st.one_of(st.integers(0, 20), st.integers(0, 400)),
}


def played(
    rules: TablaRules, num_players: int, seed: int, actions: int
) -> tuple[Engine, Games]:
    """Return a match after some legal and, now and then, illegal actions."""
    engine = Engine(rules, num_players)
    games = engine.new_games(1)
    engine.start(games, 0, seed)
    rng = np.random.default_rng(seed)
    names = ["nearest_form" if rng.random() < 0.5 else "random" for _ in range(4)]
    for _ in range(actions):
        if engine.is_over(games, 0):
            break
        if rng.random() < 0.03:
            engine.fail_turn(games, 0)
            continue
        # Chance declares doubles, which the baselines never do.
        in_doubles = games["phase"][0] == DOUBLES_PHASE
        name = "random" if in_doubles else names[games["seat"][0]]
        engine.act(games, 0, engine.scripted_action(games, 0, name))
    return engine, games


@settings(max_examples=120)
@given(**MATCHES)
def test_the_compiled_encoder_agrees_with_the_view(
    rules: TablaRules, num_players: int, seed: int, actions: int
) -> None:
    _, games = played(rules, num_players, seed, actions)
    codes = encoding(rules, num_players)
    low, high = bounds(state_fields(rules, num_players))
    for seat in range(num_players):
        view = view_of(games[0], rules, num_players, seat)
        seen = observation(games, 0, codes, seat)
        assert (seen == encode_view(view, rules)).all()
        state = privileged(games, 0, codes, seat)
        assert (state[: seen.size] == seen).all()
        assert ((low <= state) & (state <= high)).all()


def permute_hidden(games: Games, players: int, seat: int, seed: int) -> None:
    """Deal anew what a seat cannot see: the other racks, the pool, what they declare.

    Tiles that the seat knows to be on a rack stay. What others know of each other is
    hidden too, and forgotten.
    """
    rng = np.random.default_rng(seed)
    game = games[0]
    others = [other for other in range(players) if other != seat]
    known = {other: game["known"][seat, other].copy() for other in others}
    pool = game["pool"][int(game["drawn"]) : int(game["pool_size"])]
    loose = [np.repeat(KINDS, game["racks"][other] - known[other]) for other in others]
    tiles = rng.permutation(np.concatenate([*loose, pool]))
    for other, own in zip(others, loose, strict=True):
        mine, tiles = tiles[: own.size], tiles[own.size :]
        dealt = np.bincount(mine, minlength=NUM_COUNTS)
        game["racks"][other] = known[other] + dealt
        for third in others:
            game["known"][other, third] = 0
        declared = np.flatnonzero(game["racks"][other][:NUM_KINDS] == 2)
        if game["phase"] == DOUBLES_PHASE:
            game["declared"][other] = sum(1 << int(kind) for kind in declared)
        if game["seat"] == other and game["drew"] >= 0:
            game["drew"] = mine[0] if mine.size else game["drew"]
    pool[:] = tiles
    game["pool"][: int(game["drawn"])] = 0
    games["seed"] = seed


@settings(max_examples=120)
@given(**MATCHES)
def test_permuting_what_is_hidden_changes_nothing_that_a_seat_sees(
    rules: TablaRules, num_players: int, seed: int, actions: int
) -> None:
    engine, games = played(rules, num_players, seed, actions)
    codes = encoding(rules, num_players)
    saved = games.view(np.uint8).copy()
    for seat in range(num_players):
        seen = observation(games, 0, codes, seat)
        mask = games["mask"][0].copy()
        permute_hidden(games, num_players, seat, seed)
        engine.refresh(games, 0)
        assert (observation(games, 0, codes, seat) == seen).all()
        if games["seat"][0] == seat:
            assert (games["mask"][0] == mask).all()
        games.view(np.uint8)[:] = saved


@settings(max_examples=60)
@given(**MATCHES)
def test_guesses_agree_with_all_that_a_seat_sees_and_can_be_played_on(
    rules: TablaRules, num_players: int, seed: int, actions: int
) -> None:
    engine, games = played(rules, num_players, seed, actions)
    codes = encoding(rules, num_players)
    for seat in range(num_players):
        seen = observation(games, 0, codes, seat)
        mask = games["mask"][0].copy()
        guess = games.view(np.uint8).copy().view(games.dtype)
        engine.redraw(guess, 0, seat, seed)
        assert (observation(guess, 0, codes, seat) == seen).all()
        if games["seat"][0] == seat:
            assert (guess["mask"][0] == mask).all()
        assert (guess["racks"].sum(axis=2) == games["racks"].sum(axis=2)).all()
        assert tiles_of_game(guess).tolist() == tiles_of_game(games).tolist()
        assert (guess["known"] <= guess["racks"][:, None]).all()
        for _ in range(40):
            if not engine.is_over(guess, 0):
                engine.act(guess, 0, engine.scripted_action(guess, 0, "random"))


def tiles_of_game(games: Games) -> np.ndarray:
    game = games[0]
    tiles: np.ndarray = game["racks"].sum(axis=0).astype(np.int64)
    np.add.at(tiles, game["pool"][int(game["drawn"]) : int(game["pool_size"])], 1)
    return tiles


@given(
    st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 200), st.integers(0, 99)
)
def test_a_guess_has_no_trace_of_what_is_hidden(
    num_players: int, seed: int, actions: int, other_seed: int
) -> None:
    engine, games = played(RULES[0], num_players, seed, actions)
    seat = seed % num_players
    guess, other = (games.view(np.uint8).copy().view(games.dtype) for _ in range(2))
    permute_hidden(other, num_players, seat, other_seed)
    # What opponents know of each other is no more than the observer knows.
    for game in (guess, other):
        for one in range(num_players):
            for two in range(num_players):
                if seat not in (one, two):
                    game["known"][0, one, two] = 0
    engine.redraw(guess, 0, seat, 7)
    engine.redraw(other, 0, seat, 7)
    assert guess.tobytes() == other.tobytes()


def test_guesses_differ_and_a_seed_gives_the_same_again() -> None:
    engine, games = played(RULES[0], 3, 5, 60)
    states = []
    for seed in (1, 2, 1):
        guess = games.view(np.uint8).copy().view(games.dtype)
        engine.redraw(guess, 0, 0, seed)
        states.append(guess.tobytes())
    assert states[0] == states[2] != states[1]


# ------------------------------------------------------------------ slices


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_fields_follow_one_another(rules: TablaRules, num_players: int) -> None:
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


def test_the_slices_hold_what_they_are_named_for() -> None:
    engine = Engine("ours", 3)
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    for _ in range(3):
        engine.act(games, 0, 108)
    first = int(np.flatnonzero(games["racks"][0, 0])[0])
    engine.act(games, 0, first)
    engine.act(games, 0, 107)
    codes = encoding(engine.rules, 3)
    seen = by_name(observation(games, 0, codes, 2), fields(engine.rules, 3))
    assert (seen["rack"] == games["racks"][0, 2]).all()
    assert np.flatnonzero(seen["taken"]).tolist() == [first]
    assert not seen["row"].any()
    # Observer 2, then seats 0 and 1.
    assert [np.flatnonzero(known).tolist() for known in seen["known"]] == [[], [first]]
    assert np.flatnonzero(seen["discarded"][1]).tolist() == [first]
    assert seen["to_move"].tolist() == [0, 0, 1]
    assert seen["starter"].tolist() == [0, 1, 0]
    assert seen["phase"].tolist() == [0, 0, 1, 0]
    assert seen["last_draw"][2].tolist() == [0, 0, 1]
    assert seen["pool_size"] * 106 == pytest.approx(62)
    state = by_name(privileged(games, 0, codes, 2), hidden_fields(engine.rules, 3))
    assert (state["racks"] == games["racks"][0, :2]).all()
    drawn = int(games["drawn"][0])
    next_tiles = games["pool"][0, drawn : drawn + 3].tolist()
    assert state["next_tiles"].argmax(axis=1).tolist() == next_tiles


def test_declared_doubles_are_seen_by_others_only_after_the_exchange() -> None:
    engine = Engine("ours", 2)
    games = engine.new_games(1)
    seed = next(
        seed for seed in range(99) if _starts_with_a_double(engine, games, seed)
    )
    engine.start(games, 0, seed)
    kind = int(np.flatnonzero(games["mask"][0])[0])
    codes, parts = encoding(engine.rules, 2), fields(engine.rules, 2)
    before = observation(games, 0, codes, 1)
    engine.act(games, 0, kind)
    assert (observation(games, 0, codes, 1) == before).all()
    own = by_name(observation(games, 0, codes, 0), parts)
    assert np.flatnonzero(own["declared"]).tolist() == [kind]
    engine.act(games, 0, 108)
    engine.act(games, 0, 108)
    after = by_name(observation(games, 0, codes, 1), parts)
    assert after["doubles"].sum() * 7 == pytest.approx(1)


def _starts_with_a_double(engine: Engine, games: Games, seed: int) -> bool:
    engine.start(games, 0, seed)
    return bool(games["mask"][0, :NUM_KINDS].any())


def test_arrays_of_a_view_cannot_be_written() -> None:
    engine = Engine("ours", 2)
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    view = view_of(games[0], engine.rules, 2, 0)
    for array in (view.rack, view.declared, view.opponents[0].known):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_number_of_players_is_checked() -> None:
    with pytest.raises(ValueError, match="num_players must be an integer from 2 to 4"):
        fields(TablaRules(), 5)
