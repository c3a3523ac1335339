"""Batches of Rummy: many games at once are the same games as one after the other."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rummi_agents import make_agent
from rummi_env import RummyRules
from rummi_env.envs.batch import Batch
from rummi_env.envs.keywords import REWARDS
from rummi_env.envs.single import RummyEnv
from rummi_env.games.rummy.engine import Engine
from rummi_env.games.rummy.state import OVER_PHASE
from rummi_env.observation.rummy import encoding, fields, observation, privileged

SMALL = RummyRules(rack_size=4, hands=2)
RULES = [
    RummyRules(hands=1),
    RummyRules.preset("pagat", target=30),
    SMALL.replace(ace="corner", scoring="penalty", block_score="each_penalty"),
    RummyRules.preset("straight_gin", hands=1),
]


def legal(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[Any]:
    """Choose one of the legal actions of every game; 0 where there is none."""
    chosen: npt.NDArray[Any] = (rng.random(masks.shape) * masks).argmax(axis=1)
    return chosen


def played(batch: Batch, steps: int, seed: int = 3) -> list[tuple[Any, ...]]:
    """Play so many steps with the same choices each time."""
    rng = np.random.default_rng(seed)
    seen: list[tuple[Any, ...]] = [batch.reset(seed=seed)]
    for _ in range(steps):
        seen.append(batch.step(legal(seen[-1][-1], rng)))
    return seen


def same(first: list[tuple[Any, ...]], second: list[tuple[Any, ...]]) -> bool:
    return all(
        np.array_equal(a, b)
        for one, other in zip(first, second, strict=True)
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_self_play_is_what_the_engine_plays(
    rules: RummyRules, num_players: int
) -> None:
    batch = Batch(
        5,
        game="rummy",
        rules=rules,
        num_players=num_players,
        autoreset="disabled",
        privileged=True,
    )
    engine = Engine(rules, num_players)
    games = engine.new_games(5)
    observations, masks = batch.reset(seed=11)
    games[:] = batch.games
    codes = encoding(rules, num_players)
    rng = np.random.default_rng(5)
    hands = 0
    for _ in range(500):
        actions = legal(masks, rng)
        going = games["phase"] != OVER_PHASE
        expected = np.zeros((5, num_players))
        for index in np.flatnonzero(going).tolist():
            engine.act(games, index, actions[index])
            if games[index]["round_ended"]:
                expected[index] = games[index]["scores"][:num_players]
                hands += 1
        observations, rewards, over, truncations, masks = batch.step(actions)
        assert batch.games.tobytes() == games.tobytes()
        assert np.array_equal(rewards, expected)
        assert np.array_equal(over, going & (games["phase"] == OVER_PHASE))
        assert not truncations.any()
        assert np.array_equal(masks, games["mask"])
        for index in range(5):
            seat = int(games[index]["seat"])
            assert batch.seats[index] == seat
            exact = observation(games, index, codes, seat)
            assert np.array_equal(observations[index], exact)
            state = privileged(games, index, codes, seat)
            assert np.array_equal(batch.states[index], state)
    assert hands > 0


@pytest.mark.parametrize("opponents", [["least_deadwood"], ["random", "meld_greedy"]])
def test_results_do_not_depend_on_the_number_of_threads(opponents: list[str]) -> None:
    keywords: dict[str, Any] = {"game": "rummy", "opponents": opponents, "rules": SMALL}
    one = played(Batch(37, **keywords), 60)
    assert same(one, played(Batch(37, threads=2, **keywords), 60))
    assert not same(one, played(Batch(37, **keywords), 60, seed=4))


def test_opponents_in_python_play_as_the_compiled_ones() -> None:
    names = ["meld_greedy", "least_deadwood"]
    keywords: dict[str, Any] = {"game": "rummy", "rules": SMALL}
    one = played(Batch(7, opponents=names, **keywords), 40)
    agents = [make_agent(name, "rummy") for name in names]
    assert same(one, played(Batch(7, opponents=agents, **keywords), 40))


@pytest.mark.parametrize("reward", REWARDS)
def test_a_batch_pays_what_the_single_environment_pays(reward: Any) -> None:
    """Learner and opponents that need no chance, the deal of the batch in both."""
    rules = RummyRules(rack_size=4, target=25)
    batch = Batch(
        6,
        game="rummy",
        rules=rules,
        opponents=["meld_greedy", "least_deadwood"],
        seat=1,
        reward=reward,
        autoreset="disabled",
    )
    batch.reset(seed=1)
    paid = np.zeros(6)
    env = RummyEnv(
        rules=rules, opponents=["meld_greedy", "least_deadwood"], seat=1, reward=reward
    )
    expected = np.zeros(6)
    for row in range(6):
        env.reset(seed=0)
        env._match.games[:] = batch.games[row : row + 1]
        env._match._read()
        terminated = False
        while not terminated:
            action = env._match.engine.scripted_action(
                env._match.games, 0, "meld_greedy"
            )
            _, reward_, terminated, _, _ = env.step(action)
            expected[row] += reward_
    while not batch.out.ended.all():
        actions = [
            batch.engine.scripted_action(batch.games, row, "meld_greedy")
            if not batch.out.ended[row]
            else 0
            for row in range(6)
        ]
        paid += batch.step(actions)[1]
    assert paid == pytest.approx(expected)
    assert paid.any()


def test_illegal_actions_end_the_turn_or_the_match() -> None:
    batch = Batch(4, game="rummy", opponents=["random"], rules=SMALL)
    batch.reset(seed=1)
    turns = batch.games["turn"].copy()
    batch.step(np.full(4, 2))
    assert (batch.games["turn"] >= turns + 2).all()
    batch = Batch(
        4, game="rummy", opponents=["random"], rules=SMALL, on_illegal="terminate"
    )
    batch.reset(seed=1)
    _, rewards, over, _, masks = batch.step(np.full(4, 2))
    assert over.all()
    assert rewards.tolist() == [-100.0] * 4
    assert not masks.any()


def test_bare_numbers_are_the_scaled_ones_unscaled() -> None:
    rules = RummyRules(hands=200)
    keywords: dict[str, Any] = {
        "game": "rummy",
        "rules": rules,
        "opponents": ["meld_greedy"],
    }
    scaled = played(Batch(3, **keywords), 60)
    bare = played(Batch(3, obs_dtype="int8", **keywords), 60)
    scale = encoding(rules, 2).scale[: scaled[0][0].shape[1]]
    for (observations, *_), (numbers, *_) in zip(scaled, bare, strict=True):
        assert numbers.dtype == np.int8
        whole = np.clip(np.round(observations / scale), -127, 127)
        assert np.array_equal(numbers, whole)


def test_scores_that_int8_does_not_hold_are_cut_off() -> None:
    batch = Batch(1, game="rummy", obs_dtype="int8", num_players=2)
    batch.reset(seed=1)
    batch.games["totals"][0, :2] = 500, -500
    batch.games["turn"] = 300
    batch.copy_games([0], [0])
    parts = fields(batch.rules, 2)
    seen = batch.out.observations[0]
    assert set(seen[parts["totals"].slice].tolist()) == {127, -127}
    assert seen[parts["turn"].slice].tolist() == [127]


def test_games_are_copied_and_guessed_at_for_searching() -> None:
    batch = Batch(3, game="rummy", rules=SMALL, num_players=2)
    batch.reset(seed=1)
    batch.copy_games([0, 0], [1, 2])
    assert batch.games[1].tobytes() == batch.games[0].tobytes()
    before = batch.out.observations[1].copy()
    seat = int(batch.seats[1])
    batch.determinize([1, 2], seat, seed=5)
    assert batch.games[1].tobytes() != batch.games[2].tobytes()
    assert batch.games["racks"][1, seat] == batch.games["racks"][0, seat]
    scores = batch.rollout([1, 2], ["meld_greedy", "least_deadwood"])
    assert scores.shape == (2, 2)
    assert np.array_equal(before, batch.out.observations[1])
    with pytest.raises(ValueError, match="players must be 2 of random, meld_greedy"):
        batch.rollout([1], ["greedy", "random"])


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        (
            {"game": "gin"},
            "game must be one of 'rummikub', 'rummy', 'tabla', not 'gin'",
        ),
        ({"rules": "official"}, "unknown preset 'official'"),
        ({"opponents": ["max_tiles"]}, "'max_tiles'"),
        ({"num_players": 7}, "num_players must be an integer from 2 to 6, not 7"),
    ],
)
def test_keywords_that_make_no_sense_are_refused(
    keywords: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        Batch(2, **{"game": "rummy", **keywords})
