"""The scripted baselines of Rummy, and the planning of melds that they rest on."""

import random
from typing import Any

import numpy as np
import pytest

from rummi_env.core.cards import bits_of, cards_of, parse_cards
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine
from rummi_env.games.rummy.planning import plan
from rummi_env.games.rummy.scripted import SCRIPTED
from rummi_env.solver.compiled import entry
from rummi_env.testing.rummy_hand import Hand
from rummi_env.testing.rummy_twin import card_value, deadwood

NO_CARD = np.uint64(0)

planned = entry(
    lambda cards, free, rules: plan(cards, free, rules),
    module="rummi_env.games.rummy.planning",
)


@pytest.mark.parametrize("ace", ["low", "both", "corner"])
def test_the_planner_finds_the_least_deadwood_that_there_is(ace: Any) -> None:
    rng = random.Random(ace)
    rules = RummyRules(ace=ace)
    codes = Engine(rules, 2).codes
    for _ in range(150):
        # Few ranks or few suits, so that melds compete for cards.
        few_ranks = [card for card in range(52) if card % 13 < 5]
        rack = frozenset(rng.sample(rng.choice([range(26), few_ranks]), 10))
        cost, dead, meld, after = planned(np.uint64(bits_of(rack)), NO_CARD, codes)
        loose = cards_of(dead)
        assert cost == deadwood(rack, rules)
        assert cost == sum(card_value(card, rules) for card in loose)
        assert (meld == 0) == (len(loose) == len(rack))
        assert set(cards_of(meld)) <= rack - {*loose}
        # With a discard to come; whole melds are not broken for it.
        if dead:
            assert after == min(deadwood(rack - {card}, rules) for card in rack)


def test_cards_that_fit_the_table_cost_the_planner_nothing() -> None:
    codes = Engine("basic", 2).codes
    rack, free = (
        np.uint64(bits_of(parse_cards(text))) for text in ("Kc 8s 2d 3d 4d 5h", "8s")
    )
    cost, dead, meld, after = planned(rack, free, codes)
    assert (cost, after) == (10 + 5, 5)
    assert cards_of(dead) == parse_cards("Kc 5h 8s")
    assert cards_of(meld) == parse_cards("2d 3d 4d")


@pytest.mark.parametrize("name", SCRIPTED)
@pytest.mark.parametrize("preset", RummyRules.presets())
def test_scripted_baselines_only_do_what_is_legal(preset: str, name: str) -> None:
    options: list[dict[str, Any]] = [
        {},
        {"must_discard_last": True, "layoff_needs_own_meld": True, "ace": "corner"},
        {"max_melds_per_turn": 1, "must_discard_last": True, "ace": "both"},
    ]
    for seed, fields in enumerate(options):
        rules = RummyRules.preset(preset, hands=2, **fields)
        for num_players in (2, 4):
            engine = Engine(rules, num_players)
            games = engine.new_games(1)
            engine.start(games, 0, seed)
            while not engine.is_over(games, 0):
                action = engine.scripted_action(games, 0, name)
                assert games[0]["mask"][action]
                engine.act(games, 0, action)


def points(
    rules: RummyRules, num_players: int, names: tuple[str, str], hands: int
) -> tuple[float, float]:
    """Play hands with two baselines, seat about, and return the points of each."""
    engine = Engine(rules.replace(hands=hands), num_players)
    games = engine.new_games(1)
    engine.start(games, 0, hands)
    while not engine.is_over(games, 0):
        name = names[games[0]["seat"] % 2]
        engine.act(games, 0, engine.scripted_action(games, 0, name))
    totals = games[0]["totals"][:num_players]
    return float(totals[0::2].sum()), float(totals[1::2].sum())


@pytest.mark.parametrize(
    ("preset", "num_players", "hands"),
    [("basic", 2, 1_000), ("basic", 4, 300), ("straight_gin", 2, 300)],
)
@pytest.mark.parametrize(
    ("better", "worse"), [("least_deadwood", "meld_greedy"), ("meld_greedy", "random")]
)
def test_baselines_that_plan_more_win_more(
    preset: str, num_players: int, hands: int, better: str, worse: str
) -> None:
    rules = RummyRules.preset(preset)
    more, less = points(rules, num_players, (better, worse), hands)
    assert more > 1.1 * less


@pytest.mark.parametrize("name", ["meld_greedy", "least_deadwood"])
@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("; 4c 5c Kd 9s / 2d ; 6c ; ?", "take the top card"),
        ("8c 8d 8h ; 4c Jc Kd 9s / 2d ; 8s ; ?", "take the top card"),
        ("; 4c 8c Kd 9s / 2d ; Kc ; ?", "draw a card"),
        ("; 4c 5c 6c 7c Kd / 2d ; Kc ; ? ; 0 ; pool", "meld 4c 5c 6c"),
        ("; 8c 8d 8h 8s Kd / 2d ; Kc ; ? ; 0 ; pool", "meld 8c 8d 8h 8s"),
        ("; 8c 8d 8h 4s Kd / 2d ; Kc ; ? ; 0 ; pool", "meld 8c 8d 8h"),
        ("4c 5c 6c ; 7c Kd 2d / 2s ; Kc ; ? ; 0 ; pool", "lay off 7c after 6c"),
        ("4c 5c 6c ; 2c Kd 4d / 2s ; Qc ; ? ; 0 ; Kd", "discard 4d"),
    ],
)
def test_planning_baselines_do_what_is_plain(name: str, text: str, action: str) -> None:
    hand = Hand(text)
    assert hand.chosen(name) == action


HELD = "; 4c 5c 6c Kd 9s / {} ; 8h ; ? ; 0 ; pool"


def test_least_deadwood_holds_back_until_another_has_few_cards() -> None:
    assert Hand(HELD.format("2d 3h 7h Qs")).chosen("least_deadwood") == "discard Kd"
    for rack in ("2d 3h 7h", "2d"):
        hand = Hand(HELD.format(rack))
        assert hand.chosen("least_deadwood") == "meld 4c 5c 6c"
    # With three players the others may have fewer cards still.
    three = Hand(HELD.format("2d 3h 7h / 2h 3s Qs"))
    assert three.chosen("least_deadwood") == "discard Kd"
    three = Hand(HELD.format("2d 3h 7h / 2h 3s"))
    assert three.chosen("least_deadwood") == "meld 4c 5c 6c"


def test_least_deadwood_lays_all_when_that_goes_out() -> None:
    hand = Hand("Jh Qh Kh ; 4c 5c 6c Th 9s / 2d 3h 7h Qs ; 8h ; ? ; 0 ; pool ; 0/3")
    assert hand.chosen("least_deadwood") == "meld 4c 5c 6c"
    hand.do("meld 4c 5c 6c")
    assert hand.chosen("least_deadwood") == "lay off Th before Jh"


def test_least_deadwood_does_not_hold_back_melds_that_are_limited() -> None:
    hand = Hand(HELD.format("2d 3h 7h Qs"), "pagat")
    assert hand.chosen("least_deadwood") == "meld 4c 5c 6c"


def test_meld_greedy_throws_the_costliest_loose_card() -> None:
    hand = Hand("; 8c 8d 8h Kd 2s / 2d ; Kc ; ? ; 0 ; pool", "straight_gin")
    assert hand.chosen("meld_greedy") == "discard Kd"


def test_least_deadwood_keeps_cards_that_may_become_a_meld() -> None:
    # A pair of kings may become a group: the queen that nothing goes with is thrown.
    hand = Hand("; Kd Kh Qc 2s 3s / 2d ; 5c ; ? ; 0 ; pool")
    assert hand.chosen("least_deadwood") == "discard Qc"
    # Both other kings are gone, but a ten would make a run: a king is thrown.
    hand = Hand("; Kd Kh Qc Jc 2s / 2d ; Kc Ks 5c ; ? ; 0 ; pool")
    assert hand.chosen("least_deadwood") == "discard Kd"


def test_least_deadwood_weighs_a_certain_card_against_an_unknown_one() -> None:
    # The ace rids the rack of nothing, but the jack costs nine more.
    hand = Hand("; Jc 9d / 2d ; As ; Kc Ks Kh Qd Qs Qh")
    assert hand.chosen("least_deadwood") == "take the top card"
