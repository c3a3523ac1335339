"""What a seat cannot see has no part in what it sees, may do or does by script."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummi_env.core.cards import bits_of, cards_of
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine, Games
from rummi_env.observation.rummy import encoding, observation, view_of
from rummi_env.testing.rummy_hand import Hand

RULES = [
    RummyRules(),
    RummyRules.preset("pagat"),
    RummyRules(rack_size=4, max_recycles=5, ace="corner", hands=3),
    RummyRules.preset("straight_gin", recycle="turn_over", rack_size=7),
]


def played(
    rules: RummyRules, num_players: int, seed: int, actions: int
) -> tuple[Engine, Games]:
    """Play so many actions, drawing rather than taking so that pools are used up."""
    engine = Engine(rules, num_players)
    games = engine.new_games(1)
    engine.start(games, 0, seed)
    rng = np.random.default_rng(seed)
    for _ in range(actions):
        if engine.is_over(games, 0):
            break
        if rng.random() < 0.02:
            engine.fail_turn(games, 0)
        elif games[0]["mask"][0] and rng.random() < 0.8:
            engine.act(games, 0, 0)
        else:
            engine.act(games, 0, engine.scripted_action(games, 0, "random"))
    return engine, games


def knows_pool(game: Any, rules: RummyRules) -> bool:
    return rules.recycle == "turn_over" and game["recycles"] > 0


def permute_hidden(
    game: Any, rules: RummyRules, players: int, seat: int, rng: np.random.Generator
) -> None:
    """Deal anew all that a seat cannot see, whatever could have been counted."""
    others = [other for other in range(players) if other != seat]
    loose = [cards_of(game["racks"][o] & ~game["known"][o]) for o in others]
    pool = game["pool"][: game["pool_size"]]
    hidden = [card for cards in loose for card in cards]
    if not knows_pool(game, rules):
        hidden += pool.tolist()
    hidden = rng.permutation(hidden).astype(int).tolist()
    for other, cards in zip(others, loose, strict=True):
        own, hidden = hidden[: len(cards)], hidden[len(cards) :]
        game["racks"][other] = np.uint64(bits_of(own)) | game["known"][other]
    if not knows_pool(game, rules):
        pool[:] = hidden


@settings(max_examples=150)
@given(
    st.sampled_from(RULES),
    st.integers(2, 5),
    st.integers(0, 2**32),
    st.integers(0, 200),
)
def test_permuting_what_is_hidden_changes_nothing_that_a_seat_sees_or_may_do(
    rules: RummyRules, num_players: int, seed: int, actions: int
) -> None:
    engine, games = played(rules, num_players, seed, actions)
    codes = encoding(rules, num_players)
    rng = np.random.default_rng(seed)
    for seat in range(num_players):
        other = games.copy()
        permute_hidden(other[0], rules, num_players, seat, rng)
        engine.refresh(other, 0)
        seen = observation(games, 0, codes, seat)
        assert (observation(other, 0, codes, seat) == seen).all()
        view = view_of(games[0], rules, num_players, seat)
        assert view_of(other[0], rules, num_players, seat) == view
        if seat == games[0]["seat"]:
            assert (other[0]["mask"] == games[0]["mask"]).all()


@settings(max_examples=100)
@given(
    st.sampled_from(RULES),
    st.integers(2, 5),
    st.integers(0, 2**32),
    st.integers(0, 200),
)
def test_guesses_agree_with_all_that_a_seat_knows(
    rules: RummyRules, num_players: int, seed: int, actions: int
) -> None:
    engine, games = played(rules, num_players, seed, actions)
    codes = encoding(rules, num_players)
    mover = int(games[0]["seat"])
    for seat in range(num_players):
        guess = games.copy()
        engine.redraw(guess, 0, seat, seed=seed + 1)
        seen = observation(games, 0, codes, seat)
        assert (observation(guess, 0, codes, seat) == seen).all()
        assert engine.position(guess, 0).rest == engine.position(games, 0).rest
        for field in ("racks", "known"):
            sizes = np.bitwise_count(games[0][field])
            assert (np.bitwise_count(guess[0][field]) == sizes).all()
        assert not (guess[0]["known"] & ~guess[0]["racks"]).any()
        # Cards that everybody can count to be of this pool, or not, stay so.
        recycled = games[0]["recycled"]
        counted = np.bitwise_count(games[0]["racks"] & recycled)
        assert (np.bitwise_count(guess[0]["racks"] & recycled) == counted).all()
        assert not guess[0]["pool"][guess[0]["pool_size"] :].any()
        if seat == mover and not engine.is_over(games, 0):
            for name in ("meld_greedy", "least_deadwood"):
                action = engine.scripted_action(games, 0, name)
                assert engine.scripted_action(guess, 0, name) == action
        engine.refresh(guess, 0)
        assert guess[0]["mask"].any() != engine.is_over(games, 0)


def test_guesses_differ_by_seed_and_are_the_same_for_the_same_seed() -> None:
    engine, games = played(RummyRules(), 3, 5, 20)
    guesses = games.repeat(20)
    for index in range(20):
        engine.redraw(guesses, index, 0, seed=index // 2)
    racks = [tuple(guess["racks"].tolist()) for guess in guesses]
    assert racks[0::2] == racks[1::2]
    assert len(set(racks)) == 10


def test_every_hidden_card_may_be_anywhere_in_a_guess() -> None:
    hand = Hand("; 2c 3c / 4c 5c / 6c 7c ; Kd ; 8c 9c")
    seen: set[tuple[int, int]] = set()
    for seed in range(300):
        guess = hand.games.copy()
        hand.engine.redraw(guess, 0, 0, seed)
        position = hand.engine.position(guess, 0)
        assert position.racks[0] == (1, 2)
        for place, cards in enumerate((*position.racks[1:], position.pool)):
            seen.update((place, card) for card in cards)
    assert seen == {(place, card) for place in range(3) for card in range(3, 9)}


def test_guesses_keep_cards_that_were_seen_being_taken() -> None:
    hand = Hand("; 2c 3c / 4c 5c ; Kd ; ?")
    hand.do("take", "discard 2c")
    for seed in range(20):
        hand.engine.redraw(hand.games, 0, 1, seed)
        assert "Kd" in hand.rack(0)


def test_the_order_of_a_pool_that_was_turned_over_is_known_to_all() -> None:
    hand = Hand("; 2c 3c / 4c 5c ; 6c 7c 8c 9c ; ", recycle="turn_over")
    hand.do("draw", "discard 2c")
    view = view_of(hand.game, hand.rules, 2, 1)
    assert view.coming == (6, 7, 8)
    assert view.opponents[0].known == (5,)
    pool = hand.engine.position(hand.games, 0).pool
    hand.engine.redraw(hand.games, 0, 1, 3)
    assert hand.engine.position(hand.games, 0).pool == pool


def test_cards_held_when_the_pool_was_made_are_not_guessed_to_be_in_it() -> None:
    hand = Hand("; 2c 3c / 4c 5c ; 6c 7c 8c 9c ; ")
    hand.do("draw", "discard 2c")
    for seed in range(20):
        guess = hand.games.copy()
        hand.engine.redraw(guess, 0, 1, seed)
        position = hand.engine.position(guess, 0)
        # The 3c was held, one card of the new pool was drawn.
        assert 2 in position.racks[0]
        assert len(set(position.racks[0]) & {5, 6, 7}) == 1


@pytest.mark.parametrize("field", ["racks", "pool"])
def test_a_view_outlives_the_game(field: str) -> None:
    engine, games = played(RummyRules(), 2, 3, 30)
    view = view_of(games[0], engine.rules, 2, 0)
    again = view_of(games[0].copy(), engine.rules, 2, 0)
    games[0][field] = 0
    assert view == again
