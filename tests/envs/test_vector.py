"""`gymnasium.make_vec`: the games of single environments, side by side."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers import vector as wrappers

from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.vector import AutoresetMode, RummikubVectorEnv

ID = "rummi/Rummikub-v0"
SMALL = RuleSet(numbers=6, colors=3, rack_size=5, opening_points=8, rounds=2)
TINY = RuleSet(numbers=6, colors=3, rack_size=3, opening_points=3)


def make(num_envs: int, **keywords: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs=num_envs, **{"rules": SMALL, **keywords})


def mode_named(word: str) -> Any:
    """Return Gymnasium's word for an autoreset mode; in 1.0 it is plain text."""
    return word if AutoresetMode is None else AutoresetMode(word)


def legal(masks: npt.NDArray[np.int8], step: int) -> npt.NDArray[np.int64]:
    """Choose by the step alone one of the legal actions; 0 where there is none."""
    numbers = masks.cumsum(axis=1)
    chosen = 1 + (7 * step + np.arange(len(masks))) % numbers[:, -1].clip(1)
    actions: npt.NDArray[np.int64] = (numbers >= chosen[:, None]).argmax(axis=1)
    return actions


def test_it_is_made_by_its_id_and_says_what_it_is() -> None:
    envs = make(3)
    assert isinstance(envs, RummikubVectorEnv)
    assert envs.num_envs == 3
    single = gymnasium.make(ID, rules=SMALL)
    assert envs.single_observation_space == single.observation_space
    assert envs.single_action_space == single.action_space
    assert envs.observation_space == batch_space(single.observation_space, 3)
    assert envs.metadata["autoreset_mode"] == mode_named("NextStep")
    assert str(envs) == "RummikubVectorEnv(rummi/Rummikub-v0, num_envs=3)"


@pytest.mark.parametrize(
    "keywords",
    [
        {"seat": 0},
        {"seat": 1, "opponents": ["max_tiles", "greedy"], "obs_type": "dict"},
        {"seat": 1, "reward": "win", "reward_scale": 2.0, "privileged": True},
        {"seat": 0, "num_players": 4, "rules": "online"},
    ],
)
def test_first_matches_are_those_of_single_environments(
    keywords: dict[str, Any],
) -> None:
    envs = make(4, **keywords)
    singles = gymnasium.make_vec(
        ID, num_envs=4, vectorization_mode="sync", **{"rules": SMALL, **keywords}
    )
    ours, our_info = envs.reset(seed=21)
    theirs, their_info = singles.reset(seed=21)
    live = going = np.ones(4, np.bool_)
    paid, results = 0.0, 0
    for step in range(3000):
        parts = ours if isinstance(ours, dict) else {"": ours}
        for name, mine in parts.items():
            exact = theirs[name] if name else theirs
            assert mine.dtype == exact.dtype
            assert np.array_equal(mine[live], exact[live])
        for name in ("action_mask", "seat", "state", "scores", "won"):
            nowhere = np.zeros(4, np.bool_)
            given = their_info.get(f"_{name}", nowhere) & live
            assert np.array_equal(our_info.get(f"_{name}", nowhere) & live, given)
            if given.any():
                assert np.array_equal(our_info[name][given], their_info[name][given])
                results += int(given.sum()) if name == "won" else 0
        if not going.any():
            break
        actions = legal(our_info["action_mask"], step)
        live = going
        ours, our_rewards, our_ends, our_cuts, our_info = envs.step(actions)
        theirs, their_rewards, ends, _, their_info = singles.step(actions)
        assert np.array_equal(our_rewards[live], their_rewards[live])
        assert np.array_equal(our_ends[live], ends[live])
        assert not our_cuts.any()
        paid += np.abs(our_rewards[live]).sum()
        going = live & ~ends
    assert not going.any()
    assert paid > 0 and results == 4


def test_a_seed_for_each_game_gives_the_games_of_these_seeds() -> None:
    envs = make(3, seat=0)
    observations, _ = envs.reset(seed=[5, 9, 5])
    single = gymnasium.make(ID, rules=SMALL, seat=0)
    assert np.array_equal(observations[1], single.reset(seed=9)[0])
    assert np.array_equal(observations[0], observations[2])
    again, _ = envs.reset(seed=[5, None, 5])
    assert np.array_equal(again[[0, 2]], observations[[0, 2]])
    assert not np.array_equal(again[1], observations[1])


def played(envs: Any, seed: Any, steps: int) -> list[tuple[Any, ...]]:
    observations, info = envs.reset(seed=seed)
    seen: list[tuple[Any, ...]] = [(observations, info["action_mask"])]
    for step in range(steps):
        observations, *rest, info = envs.step(legal(info["action_mask"], step))
        seen.append((observations, *rest, info["action_mask"], info["seat"]))
    return seen


@pytest.mark.parametrize("seed", [17, [3, 1, 4, 1, 5]])
def test_a_seed_repeats_all_that_follows(seed: Any) -> None:
    def by_chance(_: Any, mask: Any, turn: Any, rng: np.random.Generator) -> int:
        return int(rng.choice(np.flatnonzero(mask)))

    envs = make(5, opponents=[by_chance], rules=TINY)
    first, second = played(envs, seed, 60), played(envs, seed, 60)
    for one, other in zip(first, second, strict=True):
        assert all(map(np.array_equal, one, other))
    unseeded = played(envs, None, 60)
    assert not np.array_equal(unseeded[0][0], first[0][0])


@pytest.mark.parametrize("opponents", [["random"], ["max_tiles", "greedy"]])
def test_autoreset_modes_play_the_same_first_matches(opponents: list[str]) -> None:
    """The learner's seat changes from match to match, its reward must not."""
    ends: dict[str, list[tuple[Any, ...]]] = {}
    for mode in ("disabled", "next_step", "same_step"):
        envs = make(12, opponents=opponents, autoreset_mode=mode)
        _, info = envs.reset(seed=8)
        found: list[Any] = [None] * 12
        step = 0
        while None in found and step < 2000:
            seats, masks = info["seat"], info["action_mask"]
            observations, rewards, over, _, info = envs.step(legal(masks, step))
            last = info.get("final_obs", observations)
            results = info.get("final_info", info)
            for game in np.flatnonzero(over).tolist():
                assert results["_scores"][game] and results["_won"][game]
                if found[game] is None:
                    found[game] = (
                        step,
                        rewards[game],
                        seats[game],
                        results["won"][game],
                        *results["scores"][game],
                        *last[game],
                    )
            if mode == "disabled" and over.any():
                _, info = envs.reset(options={"reset_mask": over})
            step += 1
        ends[mode] = found
    # Which games have started anew changes nothing for the others.
    assert ends["disabled"] == ends["next_step"] == ends["same_step"]
    assert len({end[2] for end in ends["disabled"]}) == len(opponents) + 1
    for _, _, _, won, *scores in ends["disabled"]:
        own, *others = scores[: len(opponents) + 1]
        assert own + sum(others) == pytest.approx(0)
        assert (own >= max(others)) == (won > 0)


def test_next_step_starts_a_match_with_an_action_that_has_no_effect() -> None:
    envs = make(6, rules=TINY)
    _, info = envs.reset(seed=2)
    before = np.zeros(6, np.bool_)
    ended = 0
    for step in range(150):
        masks = info["action_mask"]
        assert np.array_equal(~masks.any(axis=1), before)
        assert np.array_equal(envs.action_masks(), masks == 1)
        _, rewards, over, _, info = envs.step(legal(masks, step))
        assert not (over & before).any() and not rewards[before].any()
        assert ("won" in info) == over.any()
        if over.any():
            assert np.array_equal(info["_won"], over)
        before = over
        ended += int(over.sum())
    assert ended > 12


def test_same_step_gives_the_next_match_and_the_end_of_the_last() -> None:
    envs = make(6, rules=TINY, autoreset_mode=mode_named("SameStep"), obs_type="dict")
    assert envs.metadata["autoreset_mode"] == mode_named("SameStep")
    _, info = envs.reset(seed=2)
    ended = 0
    for step in range(150):
        observations, _, over, _, info = envs.step(legal(info["action_mask"], step))
        assert info["action_mask"].any(axis=1).all()
        assert ("final_obs" in info) == ("final_info" in info) == over.any()
        if not over.any():
            continue
        assert "won" not in info
        assert np.array_equal(info["_final_obs"], over)
        assert np.array_equal(info["final_info"]["_won"], over)
        for game in range(6):
            last = info["final_obs"][game]
            assert (last is not None) == over[game]
            if over[game]:
                assert last in envs.single_observation_space
                assert last["round"] == 1
                assert observations["round"][game] == 0
        ended += int(over.sum())
    assert ended > 12


def test_disabled_leaves_it_to_the_caller_which_games_to_reset() -> None:
    envs = make(4, rules=TINY, autoreset_mode="Disabled")
    observations, info = envs.reset(seed=2)
    over = np.zeros(4, np.bool_)
    step = 0
    while not over.any():
        observations, _, over, _, info = envs.step(legal(info["action_mask"], step))
        step += 1
    with pytest.raises(ValueError, match=f"game {over.argmax()} is over: reset it"):
        envs.step(legal(info["action_mask"], step))
    again, info = envs.reset(options={"reset_mask": over})
    assert np.array_equal(again[~over], observations[~over])
    assert not np.array_equal(again[over], observations[over])
    assert info["action_mask"].any(axis=1).all()
    envs.step(legal(info["action_mask"], step))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deal": "x"}, "unknown option 'deal': the only one here is 'reset_mask'"),
        ({"reset_mask": [True, False]}, "reset_mask must be an array of 2 truth"),
        ({"reset_mask": np.zeros(2, np.bool_)}, "reset_mask must be an array of 2"),
        ({"reset_mask": np.ones(3, np.bool_)}, "reset_mask must be an array of 2"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        make(2).reset(options=options)


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number from 1, not 0"),
        ({"autoreset_mode": "often"}, "autoreset_mode must be one of .*, not 'often'"),
        ({"obs_type": "tree"}, "obs_type must be one of 'flat', 'dict', 'history'"),
        ({"obs_dtype": "int4"}, "obs_dtype must be 'float32' or 'int8', not 'int4'"),
        ({"num_players": 5}, "num_players must be an integer from 2 to 4, not 5"),
        ({"num_players": 2, "opponents": ["random"] * 2}, "there must be 1 opponents"),
        ({"seat": 2}, "seat must be None or, with opponents, an integer from 0 to 1"),
        ({"on_illegal": "ignore"}, "on_illegal must be one of .*, not 'ignore'"),
        ({"reward_scale": 0}, "reward_scale must be a number above 0, not 0"),
        ({"threads": 0}, "threads must be a whole number from 1, not 0"),
        ({"rules": "house"}, "house"),
    ],
)
def test_bad_keywords_are_refused(keywords: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        gymnasium.make_vec(ID, **{"num_envs": 2, **keywords})


def test_a_list_of_seeds_has_one_for_each_game() -> None:
    with pytest.raises(ValueError, match="a list of 2, not of 3"):
        make(2).reset(seed=[1, 2, 3])


def test_illegal_actions_end_the_match_without_results_or_are_refused() -> None:
    envs = make(2, on_illegal="terminate")
    _, info = envs.reset(seed=1)
    actions = legal(info["action_mask"], 0)
    actions[1] = int(np.flatnonzero(info["action_mask"][1] == 0)[0])
    _, rewards, over, _, info = envs.step(actions)
    assert over.tolist() == [False, True] and rewards[1] == -100
    assert "won" not in info and not info["action_mask"][1].any()
    envs = make(2, on_illegal="raise")
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=r"game 1: \d+ is no legal action"):
        envs.step(actions)


@pytest.mark.parametrize("obs_dtype", ["float32", "int8"])
@pytest.mark.parametrize("obs_type", ["flat", "dict"])
def test_observations_and_states_lie_in_their_spaces(
    obs_type: str, obs_dtype: str
) -> None:
    envs = make(3, obs_type=obs_type, obs_dtype=obs_dtype, privileged=True, rules=TINY)
    observations, info = envs.reset(seed=4)
    for step in range(40):
        assert observations in envs.observation_space
        assert info["state"] in envs.state_space
        observations, *_, info = envs.step(legal(info["action_mask"], step))


@pytest.mark.skipif(
    AutoresetMode is None, reason="Gymnasium 1.0 wraps what starts with the next step"
)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_wrappers_of_gymnasium_count_episodes(mode: str) -> None:
    envs = wrappers.RecordEpisodeStatistics(make(5, rules=TINY, autoreset_mode=mode))
    _, info = envs.reset(seed=3)
    totals, lengths = np.zeros(5), np.zeros(5, int)
    ended = 0
    before = np.zeros(5, np.bool_)
    for step in range(120):
        _, rewards, over, _, info = envs.step(legal(info["action_mask"], step))
        counts = ~before if mode == "NextStep" else np.ones(5, np.bool_)
        totals += rewards * counts
        lengths += counts
        for game in np.flatnonzero(over).tolist():
            assert info["episode"]["r"][game] == pytest.approx(totals[game])
            assert info["episode"]["l"][game] == lengths[game]
        ended += int(over.sum())
        totals[over], lengths[over] = 0, 0
        before = over
        if mode == "Disabled" and over.any():
            _, info = envs.reset(options={"reset_mask": over})
    assert ended > 10


def test_wrappers_of_gymnasium_turn_infos_into_lists() -> None:
    envs: Any = wrappers.DictInfoToList(make(5, rules=TINY, autoreset_mode="same_step"))
    _, infos = envs.reset(seed=3)
    for step in range(60):
        masks = np.array([info["action_mask"] for info in infos])
        _, _, over, _, infos = envs.step(legal(masks, step))
        for info, ended in zip(infos, over, strict=True):
            assert ("final_info" in info) == ended
            if ended:
                assert 0 <= info["final_info"]["won"] <= 1


def test_its_spec_can_be_pickled_and_makes_it_anew() -> None:
    keywords = {"opponents": ["greedy"], "seat": 1, "autoreset_mode": "same_step"}
    envs = make(3, **keywords)
    spec = pickle.loads(pickle.dumps(envs.spec))
    assert spec == envs.spec
    again = gymnasium.make_vec(spec)
    assert again.metadata == envs.metadata
    for one, other in zip(played(envs, 6, 30), played(again, 6, 30), strict=True):
        assert all(map(np.array_equal, one, other))


def test_arrays_are_new_unless_copy_is_false() -> None:
    for copy in (True, False):
        envs = make(2, copy=copy)
        observations, info = envs.reset(seed=0)
        following, *_, info_2 = envs.step(legal(info["action_mask"], 0))
        assert np.shares_memory(observations, following) is not copy
        assert np.shares_memory(info["action_mask"], info_2["action_mask"]) is not copy


def test_closing_ends_the_threads() -> None:
    envs = make(64, threads=2)
    envs.reset(seed=0)
    envs.close()
    with pytest.raises(RuntimeError, match="shutdown"):
        envs.step(np.zeros(64, int))


def first_legal(_: Any, mask: Any, turn: Any, rng: np.random.Generator) -> int:
    return int(mask.argmax())


def test_what_opponents_win_before_the_first_decision_is_paid_with_it() -> None:
    """A round may end before the learner has a decision, compiled opponent or not."""
    rules = TINY.replace(rounds=3)
    total = {}
    for name, opponent in {
        "compiled": "greedy",
        "called": first_legal,
    }.items():
        envs = make(
            80, rules=rules, opponents=[opponent], autoreset_mode="same_step", seat=0
        )
        _, info = envs.reset(seed=12)
        paid, early = np.zeros(80), 0
        for step in range(120):
            early += int(envs.batch.out.pending.any(axis=1).sum())
            masks = info["action_mask"]
            _, rewards, over, _, info = envs.step(legal(masks, step))
            paid += rewards
            if over.any():
                results = info["final_info"]
                assert np.allclose(paid[over], results["scores"][over, 0])
                paid[over] = 0
        total[name] = early
    assert min(total.values()) > 0
