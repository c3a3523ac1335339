"""What a seat cannot see has no part in what it sees (evidence, case 17)."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummi_env import RuleSet, rummikub_v0
from rummi_env.core.tiles import NUM_COUNTS
from rummi_env.envs.aec import raw_env
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.observation import View, by_name, state_fields

Play = Callable[..., None]

KINDS = np.arange(NUM_COUNTS)


def permute_hidden(match: Match, seat: int, rng: np.random.Generator) -> None:
    """Deals the other racks and the pool anew, but for tiles that lie in the open."""
    game = match.games[0]
    others = [other for other in range(match.num_players) if other != seat]
    fixed = {
        other: np.maximum(
            game["known"][other], game["played"] if other == match.seat else 0
        )
        for other in others
    }
    pool = game["pool"][int(game["drawn"]) : int(game["pool_size"])]
    loose = [np.repeat(KINDS, game["racks"][other] - fixed[other]) for other in others]
    tiles = rng.permutation(np.concatenate([*loose, pool]))
    for other, own in zip(others, loose, strict=True):
        mine, tiles = tiles[: own.size], tiles[own.size :]
        game["racks"][other] = fixed[other] + np.bincount(mine, minlength=NUM_COUNTS)
    pool[:] = tiles
    match.engine.refresh(match.games, 0)


def play_some(match: Match, actions: int, rng: np.random.Generator) -> None:
    """Plays legal and, now and then, illegal actions and turns out of time."""
    for _ in range(actions):
        if match.over:
            return
        chance = rng.random()
        if chance < 0.05:
            match.fail()
        elif chance < 0.1:
            match.time_out()
        else:
            match.act(int(rng.choice(np.flatnonzero(match.mask))))


@settings(max_examples=100)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 120),
    st.integers(2, 4),
    st.sampled_from(RuleSet.presets()),
)
def test_permuting_what_is_hidden_changes_nothing_that_a_seat_sees(
    seed: int, actions: int, num_players: int, rules: str
) -> None:
    rng = np.random.default_rng(seed)
    match = Match(rules, num_players)
    match.start(seed, Start())
    play_some(match, actions, rng)
    for seat in range(num_players):
        observation, mask = match.observation(seat), match.mask.copy()
        saved = match.save()
        permute_hidden(match, seat, rng)
        assert (match.observation(seat) == observation).all()
        if seat == match.seat:
            assert (match.mask == mask).all()
        match.load(saved)


def hidden_of(env: raw_env) -> dict[str, np.ndarray]:
    return by_name(env.state(), state_fields(env.rules, env.num_players))


@pytest.mark.parametrize("rules", ["official", "sabra", "triple_s", "tournament"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_determinized_states_agree_with_all_that_is_public(
    num_players: int, rules: str, play: Play
) -> None:
    env, guess = (
        rummikub_v0.raw_env(num_players=num_players, rules=rules) for _ in range(2)
    )
    env.reset(seed=num_players)
    rng = np.random.default_rng(1)
    for step in range(12):
        play(env, step, actions=7)
        if env.terminations[env.agent_selection]:
            break
        if rng.random() < 0.5:
            env.step(0 if rng.random() < 0.5 else 52)
        for agent in env.agents:
            states = {env.determinize(agent, seed) for seed in range(4)}
            # They differ from one another, and the same seed gives the same one.
            assert len(states) == 4
            assert env.determinize(agent, 0) in states
            for state in states:
                guess.load_state(state)
                seen, guessed = env.observe(agent), guess.observe(agent)
                assert (seen["observation"] == guessed["observation"]).all()
                assert (seen["action_mask"] == guessed["action_mask"]).all()
                assert guess.agent_selection == env.agent_selection
                assert guess.observe(guess.agent_selection)["action_mask"].any()
                check_tiles(env, guess)


def check_tiles(env: raw_env, guess: raw_env) -> None:
    position, guessed = env.position(), guess.position()
    for one in (position, guessed):
        tiles = [*one.pool, *(tile for rack in one.racks for tile in rack)]
        tiles += [tile for meld in one.table for tile in meld.tiles]
        assert len(tiles) == 106
        assert sorted(np.bincount(tiles).tolist()) == [2] * 53
    assert [*map(len, position.racks)] == [*map(len, guessed.racks)]
    assert len(position.pool) == len(guessed.pool)


def test_determinized_states_keep_the_tiles_that_are_known() -> None:
    env = rummikub_v0.raw_env()
    env.reset(options={"position": "K3 K4 K5 ; K6 R9 R13 B7 / B1 B2 ; ?"})
    env.step(5)
    env.step(0)
    guess = rummikub_v0.raw_env()
    racks = set()
    for seed in range(20):
        guess.load_state(env.determinize("player_1", seed))
        rack = guess.position().racks[0]
        assert 5 in rack
        assert len(rack) == 7
        racks.add(rack)
    assert len(racks) == 20


def test_determinized_states_leave_no_trace_of_what_is_hidden(play: Play) -> None:
    """The tiles drawn, the seed and the deals to come are in a state, but not in it."""
    rules = RuleSet(rack_size=3, rounds=2, jokers=0)
    env = rummikub_v0.raw_env(rules=rules)
    states: list[bytes] = []
    for pool in ("K1 K2", "K2 K1"):
        deals = [f"R1 R2 R3 / B1 B2 B3 ; {pool} O1 O2 ; 0", "O1 O2 O3 / O4 O5 O6 ; ?"]
        env.reset(seed=len(states), options={"deal": deals})
        env.step(53)
        env.step(53)
        states.append(env.determinize("player_0", 5))
    # Player 0 has drawn K1 in one match and K2 in the other; nothing else may differ.
    first, second = (rummikub_v0.raw_env(rules=rules) for _ in range(2))
    first.load_state(states[0])
    second.load_state(states[1])
    assert b"O4" not in states[0]
    racks = [set(each.position().racks[0]) for each in (first, second)]
    assert racks[0] ^ racks[1] == {0, 1}
    for each in (first, second):
        each.step(53)


def test_a_turn_that_an_opponent_has_begun_can_still_be_ended() -> None:
    env, guess = rummikub_v0.raw_env(), rummikub_v0.raw_env()
    env.reset(options={"position": "; K11 K12 K13 B1 B4 / R1 R2 R3 ; ? ; 0 ; 00 ; K11"})
    for seed in range(10):
        guess.load_state(env.determinize("player_1", seed))
        assert 10 in guess.position().racks[0]
        mask = guess.observe("player_0")["action_mask"]
        assert mask.any()


def test_a_seat_asked_for_a_new_deal_has_three_pairs_in_every_guess() -> None:
    rules = RuleSet(redeal_on_three_pairs=True, rack_size=10)
    env, guess = (rummikub_v0.raw_env(rules=rules, num_players=3) for _ in range(2))
    few = "K1 K2 K3 K4 K5 K6 R7 R8 R9 R10"
    pairs = "B1 B1 B2 B2 B3 B3 B4 B5 B6 B7"
    last = "O1 O2 O3 O4 O5 O6 O7 O8 O9 O10"
    env.reset(seed=1, options={"deal": f"{few} / {pairs} / {last}"})
    for seed in range(5):
        guess.load_state(env.determinize("player_2", seed))
        first, second, own = guess.position().racks
        assert (np.bincount(first) >= 2).sum() < 3 <= (np.bincount(second) >= 2).sum()
        assert own == env.position().racks[2]
        assert guess.agent_selection == "player_1"


def test_an_unknown_agent_is_refused() -> None:
    env = rummikub_v0.raw_env()
    env.reset(seed=0)
    for method in (env.determinize, env.observe):
        with pytest.raises(ValueError, match="no agent 'player_2', only player_0, pl"):
            method("player_2")


def test_a_view_has_no_field_for_what_is_hidden() -> None:
    match = Match("official", 3)
    match.start(1, Start())
    view = match.view(0)
    assert isinstance(view, View)
    hidden = [match.games["racks"][0, seat] for seat in (1, 2)]
    fields = [getattr(view, name) for name in view.__dataclass_fields__]
    fields += [
        getattr(player, name)
        for player in view.players
        for name in player.__dataclass_fields__
    ]
    arrays = [field for field in fields if isinstance(field, np.ndarray)]
    assert arrays
    assert not any((array == rack).all() for array in arrays for rack in hidden)


def test_the_state_holds_what_is_hidden(play: Play) -> None:
    env = rummikub_v0.raw_env(num_players=3)
    env.reset(seed=2)
    assert env.state_space.contains(env.state())
    play(env, actions=40)
    assert env.state_space.contains(env.state())
    parts = hidden_of(env)
    position = env.position()
    for row, rack in zip(parts["racks"], position.racks[1:], strict=True):
        left = np.bincount(rack, minlength=53)
        if position.turn and position.racks[position.turn] == rack:
            left = left - np.bincount(np.array(position.played, int), minlength=53)
        assert row.tolist() == left.tolist()
    drawn = [int(row.argmax()) for row in parts["next_tiles"]]
    assert drawn == list(position.pool[:3])
    assert parts["pool"].sum() == len(position.pool)
