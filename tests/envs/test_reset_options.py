"""Deals and positions given to ``reset``."""

from collections.abc import Callable
from typing import Any

import pytest

from rummi_env import Deal, RuleSet, parse_deal, parse_position, rummikub_v0
from rummi_env.core.deals import format_deal
from rummi_env.envs.aec import raw_env

Play = Callable[..., None]

SMALL = RuleSet(rack_size=2, starter=1)


def racks_of(env: raw_env) -> list[list[str]]:
    return [text.split() for text in env.position().to_dict()["racks"]]


@pytest.mark.parametrize(
    "deal",
    [
        "K1 J / R13 R13 ; O1 O2 ?; 0",
        parse_deal("K1 J / R13 R13 ; O1 O2 ?; 0"),
        {"racks": ["K1 J", ["R13", "R13"]], "pool": "O1 O2 ?", "starter": 0},
        ["K1 J / R13 R13 ; O1 O2 ?; 0"],
    ],
)
def test_a_deal_is_dealt(deal: Any) -> None:
    env = rummikub_v0.raw_env(rules=SMALL)
    env.reset(seed=0, options={"deal": deal})
    assert racks_of(env) == [["K1", "J"], ["R13", "R13"]]
    assert env.agent_selection == "player_0"
    env.step(53)
    env.step(53)
    assert racks_of(env) == [["K1", "O1", "J"], ["R13", "R13", "O2"]]
    assert len(env.position().pool) == 106 - 6


def test_the_rest_of_a_deal_depends_on_the_seed() -> None:
    env = rummikub_v0.raw_env(rules=SMALL)
    pools = []
    for seed in (1, 1, 2):
        env.reset(seed=seed, options={"deal": "K1 J / R13 R13"})
        assert env.agent_selection == "player_1"
        pools.append(env.position().pool)
    assert pools[0] == pools[1] != pools[2]


def test_a_match_deals_a_given_deal_for_each_round(play: Play) -> None:
    rules = SMALL.replace(rounds=3)
    env = rummikub_v0.raw_env(rules=rules)
    deals = ["K1 J / R13 R13 ; ;", "B1 B2 / B3 B4; ;"]
    env.reset(seed=3, options={"deal": deals})
    seen = [racks_of(env)]
    for _ in range(2):
        rounds = len(env.score_sheet.rows)
        while len(env.score_sheet.rows) == rounds:
            play(env, actions=1)
        seen.append(racks_of(env))
    assert seen[:2] == [[["K1", "J"], ["R13", "R13"]], [["B1", "B2"], ["B3", "B4"]]]
    # The third is dealt at random, from the whole deck.
    assert len(env.position().pool) == 106 - 4


def test_a_position_is_put_in_place_whole() -> None:
    env = rummikub_v0.raw_env(num_players=3)
    text = "K3 K4 K5 | R7 B7 J ; K6 O7 / B1 / R1 R2 ; O1 ; 0 ; 101 ; K6"
    for position in (text, parse_position(text), parse_position(text).to_dict()):
        env.reset(options={"position": position})
        assert env.position() == parse_position(text)
        assert env.agent_selection == "player_0"
        assert "laid" in env.explain(53) or "lay down K6" in env.explain(53)


def test_a_position_leads_back_to_itself(play: Play) -> None:
    env, other = rummikub_v0.raw_env(), rummikub_v0.raw_env()
    env.reset(seed=9)
    for _ in range(30):
        play(env, actions=5)
        if env.terminations[env.agent_selection]:
            break
        position = env.position()
        other.reset(options={"position": position})
        assert other.position() == position
        mover = env.agent_selection
        masks = [e.observe(mover)["action_mask"].tolist() for e in (env, other)]
        assert masks[0] == masks[1]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"deals": "K1"},
            "unknown option 'deals' of reset: there is deal and position",
        ),
        ("deal", "options must be a mapping, not 'deal'"),
        (
            {"deal": "K1 J / R1 R2", "position": "; K1 / K2"},
            "a deal or a position, not both",
        ),
        ({"deal": "R7 R7 / R7 K1"}, "a third R7"),
        ({"deal": "R7 R14 / R7 K1"}, "'R14' is not a tile"),
        ({"deal": "R7 R8 / R9"}, "the rack of seat 1 must have 2 tiles, not 1"),
        ({"deal": "R7 R8 / R9 R1 / K1 K2"}, "has 2 racks, not 3"),
        ({"deal": ["R7 R8 / R9 R1"] * 2}, "has 1 round, not the 2"),
        ({"deal": 7}, "a deal is given as text or as a mapping"),
        ({"position": "K1 K2 ; K1 / K2"}, "too short"),
        ({"position": "; K1 / K2 / K3"}, "for 2 players has 2 racks, not 3"),
        ({"position": "; K1 / "}, "the rack of seat 1 must not be empty"),
        ({"position": "; K1 / K2 ; ? ; 2"}, "turn must be a seat from 0 to 1"),
        ({"position": "; K1 / K2 ; ? ; 0 ; 11 ; K5"}, "has too few K5"),
        ({"position": "; K1 / K2 ; ? ; 0 ; 11 ; K1"}, "no legal turn has these tiles"),
        ({"position": 5}, "a position is given as text or as a mapping"),
    ],
)
def test_what_is_impossible_is_refused_before_anything_changes(
    options: Any, sentence: str, play: Play
) -> None:
    env, other = (rummikub_v0.raw_env(rules=SMALL) for _ in range(2))
    for each in (env, other):
        each.reset(seed=1)
        play(each, actions=4)
    before = env.save_state()
    with pytest.raises(ValueError, match=sentence):
        env.reset(seed=2, options=options)
    assert env.save_state() == before
    assert env.agents == env.possible_agents
    # Nor has the refused seed touched the chance of what follows.
    env.reset()
    other.reset()
    assert env.save_state() == other.save_state()


def test_deals_come_back_from_their_text() -> None:
    deal = Deal(racks=((1, 2), (3, 4)), pool=(5,), starter=1)
    env = rummikub_v0.raw_env(rules=SMALL)
    states = []
    for value in (deal, format_deal(deal)):
        env.reset(seed=1, options={"deal": value})
        states.append(env.save_state())
    assert states[0] == states[1]
