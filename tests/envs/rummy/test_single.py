"""One seat of Rummy learns, opponents hold the others."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from rummi_env import IllegalAction, RummyRules, rummy_v0
from rummi_env.envs.opponents import known_names
from rummi_env.envs.single import RummyEnv
from rummi_env.games.rummy.scripted import SCRIPTED
from rummi_env.observation.rummy import RummyTurn, fields, state_fields, text_to_action


def play(env: RummyEnv, seed: int = 0) -> tuple[float, list[dict[str, Any]]]:
    """Plays a match with random legal actions; returns its rewards and infos."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    total, infos, terminated = 0.0, [info], False
    while not terminated:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        total += reward
        infos.append(info)
    return total, infos


class First:
    """Plays the first legal action and keeps what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.matches = 0

    def reset(self) -> None:
        self.matches += 1

    def act(self, observation: Any, mask: Any, turn: RummyTurn, rng: Any) -> int:
        self.seen.append((observation, mask, turn, rng))
        return int(mask.argmax())


def test_make_gives_the_documented_environment() -> None:
    env = gymnasium.make("rummi/Rummy-v0", opponents=["meld_greedy"], rules="pagat")
    observation, info = env.reset(seed=3)
    assert observation.shape == (649,)
    assert info["action_mask"].shape == (327,)
    masks = env.get_wrapper_attr("action_masks")()
    assert (masks == info["action_mask"]).all()


@pytest.mark.parametrize("num_players", [2, 6])
def test_it_is_the_learners_turn_until_the_match_ends(num_players: int) -> None:
    rules = RummyRules(hands=2)
    env = RummyEnv(num_players=num_players, rules=rules)
    for seed in range(4):
        total, infos = play(env, seed)
        assert all(info["action_mask"].any() for info in infos[:-1])
        assert not infos[-1]["action_mask"].any()
        assert total == pytest.approx(infos[-1]["scores"][0])
        best = infos[-1]["scores"].max()
        assert bool(infos[-1]["won"]) == (infos[-1]["scores"][0] == best)
        assert env.score_sheet.totals[infos[0]["seat"]] == pytest.approx(total)


def test_the_same_seed_deals_as_in_the_aec_environment() -> None:
    env, aec = RummyEnv(seat=0), rummy_v0.raw_env()
    for seed in range(20):
        aec.reset(seed=seed)
        if aec.agent_selection == "player_0":
            observation, _ = env.reset(seed=seed)
            assert (observation == aec.observe("player_0")["observation"]).all()
            break
    else:
        pytest.fail("player 0 never starts")


def test_rewards_that_come_while_opponents_act_reach_the_learner() -> None:
    rules = RummyRules(scoring="penalty", hands=1)
    env = RummyEnv(seat=0, opponents=["meld_greedy"], rules=rules)
    env.reset(options={"position": "8c 8d 8h ; Kc Qd / 8s ; 9d ; Ah 2s ; 0 ; ; 0/3"})
    env.step(text_to_action("draw"))
    _, reward, terminated, _, info = env.step(text_to_action("discard Kc"))
    # The opponent goes out while the learner waits, with Qd Ah on the rack.
    assert (reward, terminated) == (-11.0, True)
    assert info["event"] == "discarded"
    assert (info["won"], info["scores"].tolist()) == (0.0, [-11.0, 0.0])


def test_agents_are_shown_what_their_seat_may_know() -> None:
    first = First()
    env = RummyEnv(num_players=3, opponents=[first, "random"], seat=1)
    play(env, 2)
    assert first.matches == 1
    parts = fields(env.rules, 3)
    for observation, mask, turn, _ in first.seen:
        rack = np.flatnonzero(observation[parts["rack"].slice])
        assert tuple(rack) == turn.view.rack
        assert turn.view.to_move == 0
        assert turn.view.me.seat == 2
        assert mask[turn.scripted("meld_greedy", np.random.default_rng(0))]
        assert turn.rules == env.rules


def test_a_turn_holds_nothing_that_is_hidden() -> None:
    turns: list[RummyTurn] = []
    for hidden in ("2h 3h ; 9d ; Ah 2s 3d", "Ah 3d ; 9d ; 2s 3h 2h"):
        env = rummy_v0.raw_env(rules="pagat")
        env.reset(
            seed=len(turns), options={"position": f"; 8s 2c 3c 4c Kd / {hidden} ; 0"}
        )
        turns.append(env.current_turn())
    first, second = turns
    assert first.view == second.view
    records = [turn._guess.tobytes() for turn in turns]
    assert records[0] == records[1]
    with pytest.raises(ValueError, match="name must be one of 'random', 'meld_greedy'"):
        first.scripted("greedy", np.random.default_rng(0))


@pytest.mark.parametrize("preset", RummyRules.presets())
def test_a_turn_knows_what_the_baselines_do(preset: str) -> None:
    env = rummy_v0.raw_env(rules=preset, num_players=3)
    rng = np.random.default_rng(0)
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(150):
            turn = env.current_turn()
            engine, games = env._match.engine, env._match.games
            for name in ("meld_greedy", "least_deadwood"):
                expected = engine.scripted_action(games, 0, name)
                assert turn.scripted(name, rng) == expected
            env.step(turn.scripted("random", rng))
            if env.terminations[env.agent_selection]:
                break


def test_opponents_are_those_of_the_game() -> None:
    assert set(known_names("rummy")) >= set(SCRIPTED)
    for names, sentence in (
        (["max_tile"], "no opponent 'max_tile'"),
        (["random"] * 6, "1 to 5 opponents, not 6"),
    ):
        with pytest.raises(ValueError, match=sentence):
            RummyEnv(opponents=names)
    with pytest.raises(ValueError, match="from 2 to 6, not 7"):
        RummyEnv(num_players=7)


def test_illegal_actions_of_the_learner_are_refused_or_cost_the_match() -> None:
    env = RummyEnv(on_illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="first a card is drawn"):
        env.step(2)
    env = RummyEnv(on_illegal="terminate")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(2)
    assert (reward, terminated, info["event"]) == (-100.0, True, "illegal")


def test_the_hidden_state_is_there_on_demand() -> None:
    env = RummyEnv(privileged=True)
    observation, info = env.reset(seed=1)
    parts = state_fields(env.rules, 2)
    assert env.state_space.contains(info["state"])
    assert (info["state"][: observation.size] == observation).all()
    assert info["state"][parts["racks"].slice].sum() == 10


def test_it_is_shown_as_the_learner_sees_it() -> None:
    env = RummyEnv(render_mode="ansi", seat=1)
    env.reset(seed=1)
    shown = str(env.render())
    assert "Rack of player_1" in shown
    assert "Rack of player_0" not in shown
