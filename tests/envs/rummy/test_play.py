"""Matches of Rummy in the AEC environment: turns, rewards, illegal actions, options."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rummi_env import IllegalAction, Reason, RummyRules, rummy_v0
from rummi_env.core.card_positions import format_card_position, parse_card_position
from rummi_env.observation.rummy import text_to_action

Play = Callable[..., None]

POSITION = "8c 8d 8h ; 8s 2c 3c 4c Kd / 2h 3h ; 9d 5s ; Ah 2s 3d ; 0"
"""Player 0 is to draw: the 8s fits the group, 2c 3c 4c are a run."""


def do(env: rummy_v0.raw_env, *texts: str) -> None:
    for text in texts:
        env.step(text_to_action(text))


def at(position: str, **keywords: Any) -> rummy_v0.raw_env:
    env = rummy_v0.raw_env(**keywords)
    env.reset(seed=0, options={"position": position})
    return env


def test_an_agent_draws_lays_and_discards_before_the_next_one_is_asked() -> None:
    env = at(POSITION)
    events = []
    for text in (
        "take",
        "meld 2c 3c 4c",
        "lay off 8s on the group of 8",
        "discard Kd",
    ):
        assert env.agent_selection == "player_0"
        do(env, text)
        events.append(env.infos["player_0"]["event"])
    assert events == ["took", "melded", "laid_off", "discarded"]
    assert env.agent_selection == "player_1"
    assert format_card_position(env.position()) == (
        "8c 8d 8h 8s | 2c 3c 4c ; 5s / 2h 3h ; 9d Kd ; Ah 2s 3d ; 1 ; ; 4/0"
    )
    do(env, "draw")
    assert env.infos["player_1"] == {"event": "drew"}


def test_who_goes_out_scores_the_other_racks_and_the_next_hand_begins() -> None:
    env = at("8c 8d 8h ; 8s / 2h 3h / Kc ; 9d ; Ah 2s ; 0 ; ; 1/2/0", num_players=3)
    do(env, "draw", "lay off 8s on the group of 8", "discard Ah")
    assert env.rewards == {"player_0": 15.0, "player_1": 0.0, "player_2": 0.0}
    assert env.score_sheet.rows == ((15.0, 0.0, 0.0),)
    assert not any(env.terminations.values())
    # The deal rotates: who sits left of the one who began begins now.
    assert env.agent_selection == "player_1"
    assert [len(rack) for rack in env.position().racks] == [7, 7, 7]


@pytest.mark.parametrize(
    ("reward", "paid"),
    [
        ("score", [15.0, 0.0, 0.0]),
        ("difference", [15.0, -7.5, -7.5]),
        ("win", [1.0, -0.5, -0.5]),
    ],
)
def test_the_match_ends_at_its_target_and_is_paid(
    reward: str, paid: list[float]
) -> None:
    rules = RummyRules(target=15)
    env = at(
        "8c 8d 8h ; 8s / 2h 3h / Kc ; 9d ; Ah 2s ; 0 ; ; 1/2/0",
        num_players=3,
        rules=rules,
        reward=reward,
        reward_scale=2.0,
    )
    do(env, "draw", "lay off 8s on the group of 8", "discard Ah")
    assert all(env.terminations.values())
    assert list(env.rewards.values()) == [2 * amount for amount in paid]
    assert not env.observe(env.agent_selection)["action_mask"].any()


@pytest.mark.parametrize("preset", RummyRules.presets())
@pytest.mark.parametrize("num_players", [2, 4])
def test_random_legal_play_ends_and_its_scores_are_paid(
    preset: str, num_players: int, play: Play
) -> None:
    rules = RummyRules.preset(preset, hands=3)
    env = rummy_v0.raw_env(rules=rules, num_players=num_players)
    for seed in range(3):
        env.reset(seed=seed)
        paid = np.zeros(num_players)
        rng = np.random.default_rng(seed)
        while not env.terminations[env.agent_selection]:
            rows = len(env.score_sheet.rows)
            play(env, int(rng.integers(2**32)), actions=1)
            if len(env.score_sheet.rows) > rows:
                paid += list(env.rewards.values())
        assert len(env.score_sheet.rows) == 3
        assert paid == pytest.approx(env.score_sheet.totals)


def test_the_penalty_ends_the_turn_and_keeps_what_was_laid() -> None:
    env = at(POSITION)
    do(env, "draw", "lay off 8s on the group of 8")
    env.step(text_to_action("meld Jc Qc Kc"))
    assert env.infos["player_0"] == {"event": "failed"}
    assert env.agent_selection == "player_1"
    # The card that costs most is discarded.
    assert format_card_position(env.position()) == (
        "8c 8d 8h 8s ; 2c 3c 4c Ah / 2h 3h ; 9d 5s Kd ; 2s 3d ; 1 ; ; 1/0"
    )


def test_raising_says_why_and_changes_nothing() -> None:
    env = at(POSITION, on_illegal="raise")
    before = env.save_state()
    for text, reason in (
        ("discard Kd", Reason.NOT_NOW),
        ("meld 2c 3c 4c", Reason.NOT_NOW),
    ):
        with pytest.raises(IllegalAction, match="first a card is drawn") as caught:
            do(env, text)
        assert caught.value.reason is reason
        assert str(caught.value) == env.explain(text_to_action(text))
        assert env.save_state() == before
    do(env, "take")
    with pytest.raises(IllegalAction, match="taken from the row in this turn"):
        do(env, "discard 5s")
    assert env.explain(text_to_action("meld 2c 3c 4c")).startswith("legal: meld")
    with pytest.raises(ValueError, match="from 0 to 326, not 327"):
        env.explain(327)


@pytest.mark.filterwarnings("ignore:.*Illegal.*")
@pytest.mark.parametrize("make", [rummy_v0.env, rummy_v0.raw_env])
def test_terminating_ends_the_match_as_lost(make: Any) -> None:
    env = make(on_illegal="terminate", num_players=3, reward_scale=0.1)
    env.reset(seed=3)
    offender = env.agent_selection
    env.step(2)
    got = {}
    for agent in env.agent_iter():
        _, got[agent], terminated, truncated, _ = env.last()
        assert terminated
        assert truncated
        env.step(None)
    assert got == {
        agent: -10.0 if agent == offender else 0.0 for agent in env.possible_agents
    }


@pytest.mark.parametrize("seed", range(3))
def test_unmasked_play_ends(seed: int) -> None:
    env = rummy_v0.raw_env(num_players=3, rules=RummyRules(hands=2))
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while not env.terminations[env.agent_selection]:
        env.step(int(rng.integers(327)))
    assert len(env.score_sheet.rows) == 2


@pytest.mark.parametrize("action", [-1, 327, None, "draw", 1.5])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = at(POSITION)
    before = env.save_state()
    with pytest.raises(ValueError, match=f"whole number from 0 to 326, not {action!r}"):
        env.step(action)
    assert env.save_state() == before


def test_a_position_leads_back_to_itself(play: Play) -> None:
    env, other = (rummy_v0.raw_env(num_players=3) for _ in range(2))
    env.reset(seed=9)
    for _ in range(30):
        play(env, actions=7)
        position = env.position()
        for given in (position, format_card_position(position)):
            other.reset(options={"position": given})
            assert other.position() == position
            assert other.agent_selection == env.agent_selection


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deal": "Kc"}, "unknown option 'deal' of reset: there is position"),
        ("position", "options must be a mapping, not 'position'"),
        ({"position": "; Kc / 2c / 3c"}, "for 2 players has 2 racks, not 3"),
        ({"position": "; Kc / "}, "the rack of seat 1 must not be empty"),
        ({"position": "; Kc / Kc"}, "Kc"),
        ({"position": "; Kc / 1c"}, "'1c' is not a card|a card is a rank"),
        ({"position": "8c 8d ; Kc / 2c"}, "8c 8d"),
        ({"position": "; Kc / 2c ; ; ; 0"}, "no legal action"),
        ({"position": 5}, "given as text or as a CardPosition, not 5"),
    ],
)
def test_what_is_impossible_is_refused_before_anything_changes(
    options: Any, sentence: str, play: Play
) -> None:
    env = rummy_v0.raw_env()
    env.reset(seed=1)
    play(env, actions=4)
    before = env.save_state()
    with pytest.raises(ValueError, match=sentence):
        env.reset(seed=2, options=options)
    assert env.save_state() == before


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"num_players": 7}, "num_players must be an integer from 2 to 6, not 7"),
        ({"rules": "official"}, "unknown preset 'official'"),
        ({"rules": 7}, "rules must be a RummyRules or the name of a preset, not 7"),
        ({"turn_clock": True}, "turn_clock must be False when turn_seconds"),
        ({"render_mode": "jpeg"}, "'rgb_array', 'human' or None, not 'jpeg'"),
    ],
)
def test_keywords_that_make_no_sense_are_refused(
    keywords: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        rummy_v0.raw_env(**keywords)


def test_it_is_shown_as_the_agent_to_move_sees_it() -> None:
    env = at(POSITION, render_mode="ansi")
    shown = str(env.render())
    assert "Rack of player_0\n  2c 3c 4c\n  Kd\n  8s\n" in shown
    assert "Rack of player_1" not in shown
    do(env, "draw", "discard Kd")
    assert "Rack of player_1\n  2h 3h\n" in str(env.render())
    assert rummy_v0.raw_env().render() is None


def test_a_turn_can_be_ended_from_outside() -> None:
    env = at(POSITION)
    env.time_out()
    assert env.infos["player_0"] == {"event": "timed_out"}
    assert env.agent_selection == "player_1"
    expected = parse_card_position(POSITION)
    assert len(env.position().racks[0]) == len(expected.racks[0])
