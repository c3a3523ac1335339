"""Random legal hands of Rummy keep what holds for every hand."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rummi_env.core.cards import ALL_CARDS, cards_of
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine, Games
from rummi_env.games.rummy.state import DISCARD, MELD_RUN, OVER_PHASE
from rummi_env.testing.rummy_twin import card_value, deadwood

MOST_STEPS = 10_000
"""Longer random hands do not occur; one that does never ends."""

AT_ONCE = 200

PLAYERS = range(2, 7)


def sets_of(cards: npt.NDArray[Any], sizes: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Return the first cards of each row as a set of bits."""
    bits = np.uint64(1) << cards.astype(np.uint64)
    bits[np.arange(cards.shape[1]) >= sizes[:, None]] = 0
    together: npt.NDArray[np.uint64] = np.bitwise_or.reduce(bits, axis=1)
    return together


def check_cards(games: Games) -> None:
    """Every card is in one place: a rack, the table, the row or the pool."""
    parts = [
        *games["racks"].T,
        games["groups"],
        games["runs"],
        sets_of(games["row"], games["row_size"]),
        sets_of(games["pool"], games["pool_size"]),
    ]
    assert (np.bitwise_or.reduce(parts) == ALL_CARDS).all()
    counted = sum(np.bitwise_count(part).astype(int) for part in parts)
    assert (counted == 52).all()


def check_turns(games: Games) -> None:
    """Whoever is to move can move, with cards that are there."""
    over = games["phase"] == OVER_PHASE
    assert (games["mask"].any(axis=1) != over).all()
    assert not (games["known"] & ~games["racks"]).any()
    racks = games["racks"][np.arange(len(games)), games["seat"]]
    on_rack = (racks[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    discards = games["mask"][:, DISCARD:MELD_RUN]
    assert (discards <= on_rack).all()
    took = np.flatnonzero((games["taken"] >= 0) & ~over)
    assert not discards[took, games["taken"][took]].any()
    assert not (games["laid_now"] & ~(games["groups"] | games["runs"])).any()


def check_scores(engine: Engine, game: np.void) -> None:
    """The scores of the only hand are what its racks are worth."""
    rules, players = engine.rules, engine.num_players
    racks = [frozenset(cards_of(rack)) for rack in game["racks"][:players]]
    if rules.melding == "hidden":
        values = [deadwood(rack, rules) for rack in racks]
    else:
        values = [sum(card_value(card, rules) for card in rack) for rack in racks]
    scores = game["scores"][:players].tolist()
    if game["blocked"]:
        low = min(values)
        winners = [seat for seat in range(players) if values[seat] == low]
        won = (sum(values) - low * players) / len(winners)
        expected = {
            "none": [0.0] * players,
            "low_hand_wins": [won if v == low else 0.0 for v in values],
        }[rules.block_score]
        assert scores == pytest.approx(expected)
    else:
        (winner,) = np.flatnonzero(game["rounds_won"])
        assert values[winner] == 0
        once = sum(values) + rules.going_out_bonus
        twice = once + sum(values)
        assert scores[winner] in ((once, twice) if rules.rummy_doubles else (once,))
        assert sum(scores) == scores[winner]


def check_hands(rules: RummyRules, num_players: int, number: int) -> None:
    """Play so many hands, checking every step of each."""
    engine = Engine(rules.replace(hands=1), num_players)
    rng = np.random.default_rng([num_players, number])
    games = engine.new_games(min(number, AT_ONCE))
    steps = np.zeros(len(games), int)
    for index in range(len(games)):
        engine.start(games, index, int(rng.integers(2**63)))
    begun, ended = len(games), Counter[bool]()
    playing = np.arange(len(games))
    while len(playing):
        present = games[playing]
        check_cards(present)
        check_turns(present)
        chances = rng.random(present["mask"].shape) * present["mask"]
        actions = chances.argmax(axis=1)
        for index, action in zip(playing.tolist(), actions.tolist(), strict=True):
            engine.act(games, index, action)
        steps[playing] += 1
        assert steps.max() < MOST_STEPS
        over = games["phase"][playing] == OVER_PHASE
        for index in playing[over].tolist():
            check_scores(engine, games[index])
            ended[bool(games[index]["blocked"])] += 1
            if begun < number:
                engine.start(games, index, int(rng.integers(2**63)))
                steps[index] = 0
                begun += 1
        playing = playing[games["phase"][playing] != OVER_PHASE]
    check_cards(games)
    check_turns(games)
    assert ended.total() == number
    assert ended[True] > 0
    # By chance alone hardly anybody melds ten cards before showing one.
    assert ended[False] > 0 or rules.melding == "hidden"


PRESETS = RummyRules.presets()


def seats_for(preset: str) -> list[int]:
    return [2, 3, 4] if preset == "straight_gin" else list(PLAYERS)


HANDS = [(preset, players) for preset in PRESETS for players in seats_for(preset)]


@pytest.mark.parametrize(("preset", "num_players"), HANDS)
def test_random_hands_conserve_cards_have_no_dead_end_and_add_up(
    preset: str, num_players: int
) -> None:
    check_hands(RummyRules.preset(preset), num_players, 400)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "num_players"), HANDS)
def test_ten_thousand_random_hands_conserve_cards_have_no_dead_end_and_add_up(
    preset: str, num_players: int
) -> None:
    check_hands(RummyRules.preset(preset), num_players, -(-10_000 // len(HANDS)))


@pytest.mark.slow
@pytest.mark.parametrize("num_players", PLAYERS)
def test_ten_thousand_random_hands_for_each_number_of_players(num_players: int) -> None:
    check_hands(RummyRules(), num_players, 10_000)


def test_a_seed_gives_the_same_match_again_and_another_seed_another() -> None:
    engine = Engine("basic", 4)
    games = engine.new_games(3)
    for index, seed in enumerate((11, 11, 12)):
        engine.start(games, index, seed)
    while not engine.is_over(games, 0):
        action = engine.scripted_action(games, 0, "random")
        assert engine.scripted_action(games, 1, "random") == action
        engine.act(games, 0, action)
        engine.act(games, 1, action)
    assert games[0].tobytes() == games[1].tobytes()
    assert (games[0]["racks"] != games[2]["racks"]).any()


def test_the_record_of_a_game_is_small() -> None:
    assert Engine().new_games(1).dtype.itemsize <= 1_024
