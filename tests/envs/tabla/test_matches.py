"""Matches of Rummy pe tabla in every front-end: all of them play the same game."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rummi_agents import agent_names, make_agent
from rummi_env import IllegalAction, Reason, TablaRules, rummikub_v0, tabla_v0
from rummi_env.envs.batch import Batch
from rummi_env.envs.match import Match
from rummi_env.envs.single import TablaEnv
from rummi_env.envs.start import Start
from rummi_env.envs.vector import TablaVectorEnv
from rummi_env.games.tabla.engine import Engine
from rummi_env.games.tabla.scripted import SCRIPTED
from rummi_env.games.tabla.state import OVER_PHASE
from rummi_env.observation.tabla import encoding, observation, privileged

Play = Callable[..., None]

RULES = [
    TablaRules(exchange_doubles=False, rounds=1, turn_cap=50),
    TablaRules(refuse_with_three_doubles=True, rounds=2, turn_cap=30),
    TablaRules.preset("flat", atu_twin_bonus=25, rounds=1, turn_cap=50),
]


def legal(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[Any]:
    """Choose one of the legal actions of every game; 0 where there is none."""
    chosen: npt.NDArray[Any] = (rng.random(masks.shape) * masks).argmax(axis=1)
    return chosen


@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_self_play_in_a_batch_is_what_the_engine_plays(
    rules: TablaRules, num_players: int
) -> None:
    batch = Batch(
        4,
        game="tabla",
        rules=rules,
        num_players=num_players,
        autoreset="disabled",
        privileged=True,
    )
    engine = Engine(rules, num_players)
    games = engine.new_games(4)
    _, masks = batch.reset(seed=11)
    games[:] = batch.games
    codes = encoding(rules, num_players)
    rng = np.random.default_rng(5)
    for _ in range(250):
        actions = legal(masks, rng)
        going = games["phase"] != OVER_PHASE
        expected = np.zeros((4, num_players))
        for index in np.flatnonzero(going).tolist():
            engine.act(games, index, actions[index])
            if games[index]["round_ended"]:
                expected[index] = games[index]["scores"][:num_players]
        seen, rewards, over, _, masks = batch.step(actions)
        assert batch.games.tobytes() == games.tobytes()
        assert np.array_equal(rewards, expected)
        assert np.array_equal(over, going & (games["phase"] == OVER_PHASE))
        for index in range(4):
            seat = int(games[index]["seat"])
            assert np.array_equal(seen[index], observation(games, index, codes, seat))
            state = privileged(games, index, codes, seat)
            assert np.array_equal(batch.states[index], state)
    assert (games["phase"] == OVER_PHASE).any()


def test_results_do_not_depend_on_threads_or_on_who_plays_the_opponents() -> None:
    names = ["nearest_form", "planner"]
    agents = [make_agent(name, "tabla") for name in names]
    runs = []
    for opponents, threads in ((names, 1), (names, 2), (agents, 1)):
        batch = Batch(
            33, game="tabla", rules="flat", opponents=opponents, threads=threads
        )
        rng = np.random.default_rng(0)
        seen, masks = batch.reset(seed=3)
        steps = []
        for _ in range(25):
            seen, rewards, over, _, masks = batch.step(legal(masks, rng))
            steps.append((seen.tobytes(), rewards.tobytes(), over.tobytes()))
        runs.append(steps)
    assert runs[0] == runs[1] == runs[2]


def test_bare_numbers_fit_into_int8() -> None:
    env = TablaVectorEnv(3, obs_dtype="int8", opponents=["nearest_form"])
    seen, info = env.reset(seed=1)
    scale = encoding(env.rules, 2).scale[: seen.shape[1]]
    scaled = TablaVectorEnv(3, opponents=["nearest_form"])
    its, _ = scaled.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(80):
        assert env.observation_space.contains(seen)
        whole = np.clip(np.round(its / scale), -127, 127)
        assert np.array_equal(seen, whole)
        actions = legal(info["action_mask"], rng)
        seen, *_, info = env.step(actions)
        its, *_ = scaled.step(actions)


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_matches_are_saved_copied_and_guessed_at(rules: TablaRules, play: Play) -> None:
    env, other = (tabla_v0.raw_env(rules=rules, num_players=3) for _ in range(2))
    env.reset(seed=1)
    for step in range(8):
        play(env, step, actions=9)
        state = env.save_state()
        other.load_state(state)
        assert other.save_state() == state
        assert pickle.loads(pickle.dumps(env)).save_state() == state
        assert copy.deepcopy(env).save_state() == state
        for agent in env.agents:
            guesses = [env.determinize(agent, seed) for seed in (0, 1, 0)]
            assert guesses[0] == guesses[2] != guesses[1]
            for guess in guesses[:2]:
                other.load_state(guess)
                seen, guessed = env.observe(agent), other.observe(agent)
                assert (seen["observation"] == guessed["observation"]).all()
                assert (seen["action_mask"] == guessed["action_mask"]).all()


def test_states_of_other_games_and_damaged_ones_are_refused() -> None:
    env, rummikub = tabla_v0.raw_env(), rummikub_v0.raw_env()
    for each in (env, rummikub):
        each.reset(seed=1)
    with pytest.raises(ValueError, match="no saved state of Rummy pe tabla"):
        env.load_state(rummikub.save_state())
    for field, value in (
        ("seat", 2),
        ("phase", 4),
        ("round", 101),
        ("turn", -1),
        ("pool_size", 107),
        ("row_size", -1),
        ("atu", 53),
        ("taken", 53),
        ("racks", 1),
        ("known", 3),
        ("pool", 53),
        ("pool", 1),
        ("last_draw", 3),
        ("declared", 1 << 52),
        ("doubles", -1),
        ("closer", 2),
        ("form", 28),
        ("mask", 1),
    ):
        match = Match("ours", 2, game="tabla")
        match.start(1, Start())
        sound = match.save()
        match.games[field] = value
        bad = match.save()
        match.load(sound)
        with pytest.raises(ValueError, match="no position of these rules"):
            match.load(bad)


@pytest.mark.parametrize("preset", TablaRules.presets())
def test_a_turn_knows_what_the_baselines_do(preset: str) -> None:
    assert set(SCRIPTED) <= set(agent_names("tabla"))
    match = Match(preset, 3, game="tabla")
    rng = np.random.default_rng(0)
    match.start(1, Start())
    while not match.over:
        turn = match.turn()
        assert turn.view.me.seat == match.seat
        for name in ("nearest_form", "planner"):
            expected = match.engine.scripted_action(match.games, 0, name)
            assert turn.scripted(name, rng) == expected
        match.act(turn.scripted("random" if rng.random() < 0.2 else "planner", rng))


def test_events_illegal_actions_and_refusals() -> None:
    rules = TablaRules(exchange_doubles=False)
    env = tabla_v0.raw_env(rules=rules, on_illegal="raise", render_mode="ansi")
    env.reset(seed=1)
    first = env.agent_selection
    before = env.save_state()
    with pytest.raises(IllegalAction) as caught:
        env.step(106)
    assert caught.value.reason is Reason.NOT_NOW
    assert str(caught.value) == env.explain(106)
    assert env.save_state() == before
    kind = int(env.observe(first)["action_mask"].argmax())
    env.step(kind)
    assert env.infos[first] == {"event": "discarded"}
    second = env.agent_selection
    env.step(106)
    assert env.infos[second] == {"event": "drew"}
    assert f"Rack of {second}" in str(env.render())
    assert f"Rack of {first}" not in str(env.render())
    assert env.position().asked == "discard"
    with pytest.raises(ValueError, match="unknown option 'deal' of reset: there is po"):
        env.reset(options={"deal": "K1"})
    env = tabla_v0.raw_env(rules=rules)
    env.reset(seed=1)
    env.step(106)
    assert env.infos[first] == {"event": "failed"}
    assert env.agent_selection == second


def test_the_learner_is_paid_what_its_seat_scores() -> None:
    env = TablaEnv(opponents=["planner", "nearest_form"], rules="flat")
    totals = []
    for seed in range(6):
        _, info = env.reset(seed=seed)
        seat, total, over = info["seat"], 0.0, False
        while not over:
            action = env.current_turn().scripted("planner", env.np_random)
            _, reward, over, _, info = env.step(action)
            total += reward
        assert total == info["scores"][0] == env.score_sheet.totals[seat]
        totals.append(total)
    assert any(totals)
    with pytest.raises(ValueError, match="from 2 to 4, not 5"):
        TablaEnv(num_players=5)
