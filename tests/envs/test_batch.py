"""Batches: many games at once are the same games as one after the other."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.batch import Batch
from rummi_env.games.rummikub.engine import Engine, Games
from rummi_env.games.rummikub.state import OVER_PHASE
from rummi_env.observation import encoding, observation
from rummi_env.observation.encode import privileged

SMALL = RuleSet(numbers=6, colors=3, rack_size=5, opening_points=8, rounds=2)
RULES = [
    RuleSet.preset("official"),
    RuleSet.preset("online", rounds=2),
    SMALL,
    SMALL.replace(turn_actions=4, pool_empty="immediate"),
    RuleSet.preset("sabra", numbers=6, colors=2, rack_size=4, opening_points=6),
]


def legal(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[Any]:
    """Choose one of the legal actions of every game; 0 where there is none."""
    chosen: npt.NDArray[Any] = (rng.random(masks.shape) * masks).argmax(axis=1)
    return chosen


def alike(games: Games, others: Games) -> bool:
    """Tell whether games are the same, whatever lies between their fields."""
    names = games.dtype.names
    assert names is not None
    return all(np.array_equal(games[name], others[name]) for name in names)


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
def test_self_play_is_what_the_engine_plays(rules: RuleSet, num_players: int) -> None:
    batch = Batch(5, rules=rules, num_players=num_players, autoreset="disabled")
    engine = Engine(rules, num_players)
    games = engine.new_games(5)
    observations, masks = batch.reset(seed=11)
    games[:] = batch.games
    codes = encoding(rules, num_players)
    rng = np.random.default_rng(5)
    rounds = 0
    for _ in range(400):
        actions = legal(masks, rng)
        going = games["phase"] != OVER_PHASE
        expected = np.zeros((5, num_players))
        for index in np.flatnonzero(going).tolist():
            engine.act(games, index, actions[index])
            if games[index]["round_ended"]:
                expected[index] = games[index]["scores"][:num_players]
                rounds += 1
        observations, rewards, over, truncations, masks = batch.step(actions)
        assert alike(batch.games, games)
        assert np.array_equal(rewards, expected)
        assert np.array_equal(over, going & (games["phase"] == OVER_PHASE))
        assert not truncations.any()
        assert np.array_equal(masks, games["mask"][:, : batch.num_actions])
        for index in range(5):
            seat = int(games[index]["seat"])
            assert batch.seats[index] == seat
            exact = observation(games, index, codes, seat)
            assert np.array_equal(observations[index], exact)
    assert rounds > 0


@pytest.mark.parametrize("opponents", [["max_tiles"], ["random", "greedy"]])
def test_results_do_not_depend_on_the_number_of_threads(opponents: list[str]) -> None:
    keywords: dict[str, Any] = {"opponents": opponents, "rules": SMALL}
    one = played(Batch(90, **keywords), 60)
    assert same(one, played(Batch(90, threads=2, **keywords), 60))
    reused = played(Batch(90, threads=3, copy=False, **keywords), 60)
    assert same(one[-1:], reused[-1:])


def test_a_seed_repeats_a_batch_and_another_does_not() -> None:
    batch = Batch(8, opponents=["random"], rules=SMALL)
    first = played(batch, 30)
    assert same(first, played(batch, 30))
    assert not same(first[:1], [batch.reset(seed=99)])


def test_opponents_act_inside_and_the_learner_sees_its_own_seat() -> None:
    batch = Batch(40, opponents=["max_points", "greedy", "random"], rules=SMALL)
    seen = played(batch, 50)
    going = batch.out.ended == 0
    assert (batch.out.viewers == batch.out.learners)[going].all()
    assert (batch.seats == batch.out.learners)[going].all()
    assert len(np.unique(batch.out.learners)) == 4
    assert all(rewards.shape == (40,) for _, rewards, *_ in seen[1:])


def test_learner_rewards_are_its_scores_to_the_next_decision() -> None:
    batch = Batch(30, opponents=["max_tiles"], rules=SMALL, autoreset="disabled")
    _, masks = batch.reset(seed=4)
    rng = np.random.default_rng(1)
    total = batch.out.pending[np.arange(30), batch.out.learners].copy()
    total[:] = 0
    for _ in range(400):
        _, rewards, _, _, masks = batch.step(legal(masks, rng))
        total += rewards
    assert batch.out.ended.all()
    assert np.allclose(total, batch.games["totals"][np.arange(30), batch.out.learners])
    assert total.any()


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_a_match_that_is_over_is_followed_by_another(autoreset: Any) -> None:
    batch = Batch(20, opponents=["random"], rules=SMALL, autoreset=autoreset)
    observations, masks = batch.reset(seed=2)
    rng = np.random.default_rng(7)
    ended = 0
    before = np.zeros(20, np.bool_)
    for _ in range(300):
        observations, rewards, over, _, masks = batch.step(legal(masks, rng))
        ended += int(over.sum())
        assert not (over & before).any() or autoreset == "same_step"
        assert (rewards[before] == 0).all() or autoreset == "same_step"
        waits = over if autoreset == "next_step" else np.zeros(20, np.bool_)
        assert np.array_equal(~masks.any(axis=1), waits)
        if autoreset == "same_step":
            for row in np.flatnonzero(over).tolist():
                assert not np.array_equal(
                    batch.final_observations[row], observations[row]
                )
        before = over
    assert ended > 20


def test_bare_numbers_are_the_scaled_ones_without_the_scale() -> None:
    scaled = played(Batch(6, rules=SMALL), 80)
    bare = played(Batch(6, rules=SMALL, obs_dtype="int8"), 80)
    scale = encoding(SMALL, 2).scale[: scaled[0][0].shape[1]]
    for one, other in zip(scaled, bare, strict=True):
        assert other[0].dtype == np.int8
        exact = np.clip(np.round(one[0] / scale, 3), -127, 127)
        assert np.array_equal(np.trunc(exact), other[0])


def test_states_hold_what_is_hidden() -> None:
    batch = Batch(4, rules=SMALL, opponents=["random"], privileged=True)
    played(batch, 20)
    codes = encoding(SMALL, 2)
    for index in range(4):
        seat = int(batch.out.learners[index])
        exact = privileged(batch.games, index, codes, seat)
        assert np.array_equal(batch.states[index], exact)


def test_an_illegal_action_costs_the_penalty_or_the_match_or_is_refused() -> None:
    penalty = Batch(1, opponents=["random"], seat=0)
    _, masks = penalty.reset(seed=1)
    wrong = int(np.flatnonzero(masks[0] == 0)[0])
    before = int(penalty.games[0]["racks"][0].sum())
    penalty.step([wrong])
    assert penalty.games[0]["racks"][0].sum() == before + 3

    terminate = Batch(1, opponents=["random"], seat=0, on_illegal="terminate")
    terminate.reset(seed=1)
    _, rewards, over, _, masks = terminate.step([wrong])
    assert rewards[0] == -100 and over[0] and not masks.any()

    refused = Batch(1, opponents=["random"], seat=0, on_illegal="raise")
    refused.reset(seed=1)
    state = refused.games.tobytes()
    with pytest.raises(ValueError, match=f"game 0: {wrong} is no legal action"):
        refused.step([wrong])
    assert refused.games.tobytes() == state


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"num_games": 0}, "num_games must be a whole number from 1, not 0"),
        ({"threads": 1.5}, "threads must be a whole number from 1, not 1.5"),
        ({"autoreset": "often"}, "autoreset must be one of .*, not 'often'"),
        ({"obs_dtype": "int4"}, "obs_dtype must be 'float32' or 'int8', not 'int4'"),
        ({"seat": 1}, "seat must be None or, with opponents"),
        ({"num_players": 5}, "5"),
        ({"opponents": ["nobody"]}, "there is no opponent 'nobody'"),
    ],
)
def test_bad_keywords_are_refused(keywords: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Batch(**{"num_games": 2, **keywords})


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], [0.5, 1.0], [0, 54], [-1, 0]])
def test_actions_that_are_none_are_refused(actions: list[Any]) -> None:
    batch = Batch(2)
    batch.reset(seed=0)
    with pytest.raises(ValueError, match="action"):
        batch.step(actions)


def test_copied_games_go_on_alike() -> None:
    batch = Batch(6, rules=SMALL)
    played(batch, 15)
    batch.copy_games([0, 0, 0], [3, 4, 5])
    rng = np.random.default_rng(0)
    for _ in range(30):
        actions = legal(batch.out.masks, rng)
        actions[3:] = actions[0]
        observations, rewards, *_ = batch.step(actions)
        for copy in (3, 4, 5):
            assert np.array_equal(observations[0], observations[copy])
            assert np.array_equal(rewards[0], rewards[copy])


def test_rollouts_finish_the_round_and_return_its_scores() -> None:
    batch = Batch(50, rules=SMALL.replace(rounds=1))
    batch.reset(seed=6)
    scores = batch.rollout(np.arange(50), ["max_tiles", "random"])
    assert scores.shape == (50, 2)
    assert np.allclose(scores.sum(axis=1), 0)
    assert (batch.games["phase"] == OVER_PHASE).all()
    assert np.array_equal(scores, batch.games["scores"][:, :2])
    assert scores[:, 0].mean() > scores[:, 1].mean()


@pytest.mark.parametrize("name", ["random", "greedy", "max_tiles", "max_points"])
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_whole_turns_of_scripted_players_are_their_actions_one_by_one(
    rules: RuleSet, name: str
) -> None:
    batch = Batch(4, rules=rules, num_players=3)
    batch.reset(seed=8)
    games = batch.games.copy()
    batch.rollout(np.arange(4), [name, "greedy", name])
    for index in range(4):
        actions = 0
        while not games[index]["round_ended"]:
            player = "greedy" if games[index]["seat"] == 1 else name
            action = batch.engine.scripted_action(games, index, player)
            batch.engine.act(games, index, action)
            actions += 1
        assert alike(games[index : index + 1], batch.games[index : index + 1])
        assert batch.out.decisions[index] == actions


def test_determinized_games_keep_what_the_seat_sees() -> None:
    batch = Batch(20)
    played(batch, 40)
    batch.copy_games(np.zeros(19, int), np.arange(1, 20))
    seat = int(batch.seats[0])
    before = batch.games.copy()
    batch.determinize(np.arange(1, 20), seat, seed=5)
    codes = encoding(batch.rules, 2)
    mine = observation(batch.games, 0, codes, seat)
    for index in range(1, 20):
        assert np.array_equal(observation(batch.games, index, codes, seat), mine)
        assert np.array_equal(batch.games[index]["mask"], before[index]["mask"])
    others = {g["racks"][1 - seat].tobytes() for g in batch.games}
    assert len(others) > 10


@pytest.mark.parametrize("game", ["rummikub", "rummy", "tabla"])
def test_determinized_games_show_the_seat_to_move_its_new_rack(game: str) -> None:
    batch = Batch(40, game=game)
    played(batch, 30)
    before = batch.out.observations.copy()
    batch.determinize(np.arange(30), 0, seed=5)
    copies = Batch(40, game=game)
    copies.copy_games(np.arange(40), np.arange(40), of=batch)
    assert np.array_equal(batch.out.observations, copies.out.observations)
    assert np.array_equal(batch.out.masks, copies.out.masks)
    changed = (batch.out.observations != before).any(axis=1)
    assert np.array_equal(changed[:30], batch.seats[:30] != 0)
    assert not changed[30:].any() and changed.any()
    batch.step(batch.out.masks.argmax(axis=1))


def test_games_and_seats_that_there_are_not_are_refused() -> None:
    batch = Batch(4)
    batch.reset(seed=1)
    before = batch.games.copy()
    players = ["random", "random"]
    for call in (
        lambda rows: batch.rollout(rows, players),
        lambda rows: batch.determinize(rows, 0, 1),
        lambda rows: batch.reset(indices=rows),
        lambda rows: batch.copy_games(rows, [0] * np.size(rows)),
        lambda rows: batch.copy_games([0] * np.size(rows), rows),
    ):
        for rows, sentence in (
            ([4], r"must be from 0 to 3, not 4$"),
            ([1, -1], r"must be from 0 to 3, not -1$"),
            ([0.5], r"must be a list of whole numbers, .* not \[0.5\]$"),
            (2, r"must be a list of whole numbers, .* not 2$"),
            ([[1]], r"must be a list of whole numbers, .* not \[\[1\]\]$"),
            ([True, False, False, False], "must be a list of whole numbers"),
        ):
            with pytest.raises(ValueError, match=sentence):
                call(rows)
    wrong: list[Any] = [2, -1, "0"]
    for seat in wrong:
        with pytest.raises(ValueError, match=r"^seat must be from 0 to 1, not "):
            batch.determinize([0], seat, 1)
    with pytest.raises(
        ValueError, match=r"^seed must be a whole number from 0, not -1"
    ):
        batch.determinize([0], 0, -1)
    with pytest.raises(
        ValueError, match=r"^seed must be a whole number from 0, not -2"
    ):
        batch.reset(seed=-2)
    assert alike(before, batch.games)


def test_games_are_copied_one_to_one_between_batches_alike() -> None:
    batch = Batch(4)
    batch.reset(seed=1)
    for sources, targets in (([0], [1, 2]), ([0, 1], [2]), ([0, 1], [2, 2])):
        with pytest.raises(ValueError, match=r"^targets must be . different games"):
            batch.copy_games(sources, targets)
    for other in (Batch(4, num_players=3), Batch(4, rules="online")):
        other.reset(seed=1)
        with pytest.raises(ValueError, match="only between batches of the same rules"):
            batch.copy_games([0], [1], of=other)


def test_games_that_were_not_begun_cannot_be_stepped_in() -> None:
    batch = Batch(3)
    actions = np.zeros(3, np.int64)
    with pytest.raises(ValueError, match="no match to step in for game 0"):
        batch.step(actions)
    batch.reset(seed=1, indices=[0, 2])
    with pytest.raises(ValueError, match="no match to step in for game 1"):
        batch.step(actions)
    batch.copy_games([0], [1])
    batch.step(batch.out.masks.argmax(axis=1))


def test_a_game_named_twice_is_rolled_out_once() -> None:
    batch = Batch(4, rules=SMALL.replace(rounds=1), threads=2)
    batch.reset(seed=6)
    scores = batch.rollout([2, 1, 2, 2], ["max_tiles", "random"])
    assert np.array_equal(scores[0], scores[2]) and np.array_equal(scores[0], scores[3])
    assert scores[0].any() and (batch.games["phase"][[0, 3]] != OVER_PHASE).all()


def test_an_opponent_that_there_is_not_is_answered_with_those_of_the_game() -> None:
    with pytest.raises(ValueError, match="did you mean 'max_tiles'") as told:
        Batch(2, opponents=["max_tile"])
    assert "patient" in str(told.value) and "make_agent" in str(told.value)
    assert "planner" not in str(told.value)


class FirstLegal:
    """Plays the first legal action, for many games in one call."""

    def act_batch(
        self,
        observations: npt.NDArray[Any],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        assert observations.shape[1] == encoding(SMALL, 3).size and masks.any(1).all()
        first: npt.NDArray[np.int64] = masks.argmax(axis=1)
        return first


def first_legal(
    observation: npt.NDArray[np.float32],
    mask: npt.NDArray[np.int8],
    turn: Any,
    rng: np.random.Generator,
) -> int:
    assert (turn.mask[:53] == mask[:53].astype(bool)).all()
    return int(mask.argmax())


def test_opponents_that_are_not_compiled_play_the_same_in_one_call_or_each() -> None:
    keywords: dict[str, Any] = {"rules": SMALL, "seat": 0}
    at_once = played(Batch(9, opponents=[FirstLegal(), "random"], **keywords), 40)
    each = played(Batch(9, opponents=[first_legal, "random"], **keywords), 40)
    assert same(at_once, each)


class Choosy:
    """Lets the sum of the scaled values decide among the legal actions."""

    def act_batch(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        assert observations.dtype == np.float32
        weights = 1 + np.abs(np.sin(1e3 * observations.sum(axis=1, keepdims=True)))
        liked: npt.NDArray[np.int64] = (
            masks * np.sin(weights * np.arange(1, masks.shape[1] + 1)) + 2 * masks
        ).argmax(axis=1)
        return liked


def test_opponents_see_scaled_values_whatever_the_caller_sees() -> None:
    keywords: dict[str, Any] = {"rules": SMALL, "seat": 0, "opponents": [Choosy()]}
    scaled = played(Batch(9, **keywords), 40)
    bare = played(Batch(9, obs_dtype="int8", **keywords), 40)
    for one, other in zip(scaled, bare, strict=True):
        assert np.array_equal(one[-1], other[-1])
