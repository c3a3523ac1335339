"""Both encoders of Rummy give the same numbers, and the slices hold what they say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummi_env.core.cards import cards_of, parse_cards
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine
from rummi_env.observation import by_name, size_of
from rummi_env.observation.fields import bounds
from rummi_env.observation.rummy import (
    encode_view,
    encoding,
    fields,
    hidden_fields,
    observation,
    privileged,
    state_fields,
    view_of,
)
from rummi_env.testing.rummy_hand import Hand

RULES = [
    RummyRules(),
    RummyRules.preset("pagat", ace="both"),
    RummyRules(rack_size=4, ace="corner", hands=3, max_recycles=4),
    RummyRules(scoring="penalty", block_score="each_penalty", recycle="none", hands=2),
    RummyRules.preset("straight_gin", recycle="turn_over"),
    RummyRules(layoff_needs_own_meld=True, hands=5),
]


@settings(max_examples=150)
@given(
    st.sampled_from(RULES),
    st.integers(2, 4),
    st.integers(0, 2**32),
    st.integers(0, 200),
    st.sampled_from(["random", "meld_greedy"]),
)
def test_the_compiled_encoder_agrees_with_the_view(
    rules: RummyRules, num_players: int, seed: int, actions: int, name: str
) -> None:
    engine = Engine(rules, num_players)
    games = engine.new_games(1)
    engine.start(games, 0, seed)
    rng = np.random.default_rng(seed)
    for _ in range(actions):
        if engine.is_over(games, 0):
            break
        if rng.random() < 0.05:
            engine.fail_turn(games, 0)
        elif games[0]["mask"][0] and rng.random() < 0.5:
            engine.act(games, 0, 0)
        else:
            engine.act(games, 0, engine.scripted_action(games, 0, name))
    codes = encoding(rules, num_players)
    low, high = bounds(state_fields(rules, num_players))
    for seat in range(num_players):
        view = view_of(games[0], rules, num_players, seat)
        seen = observation(games, 0, codes, seat)
        assert (seen == encode_view(view, rules)).all()
        state = privileged(games, 0, codes, seat)
        assert (state[: seen.size] == seen).all()
        assert ((low <= state) & (state <= high)).all()


def seen_by(hand: Hand, seat: int) -> dict[str, np.ndarray]:
    codes = encoding(hand.rules, hand.players)
    parts = fields(hand.rules, hand.players)
    return by_name(observation(hand.games, 0, codes, seat), parts)


def cards(flags: np.ndarray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(flags).tolist())


POSITION = "8c 8d 8h | 3c 4c 5c ; 8s 2d 3d 4d Kh / Jc Qc / 7s ; 9s Kd ; 5h 6h ; 0 ; ; 3"


def test_a_seat_sees_its_rack_the_table_and_the_row() -> None:
    hand = Hand(POSITION + "/3/0")
    hand.do("take", "meld 2d 3d 4d")
    seen = seen_by(hand, 2)
    named = {
        "rack": "7s",
        "loose": "7s",
        "groups": "8c 8d 8h",
        "runs": "3c 4c 5c 2d 3d 4d",
        "fits": "2c 6c Ad 5d 8s",
        "laid_now": "2d 3d 4d",
        "row": "9s",
        "top": "9s",
        "taken": "Kd",
        "recycled": "",
        "next_card": "",
    }
    for name, text in named.items():
        assert cards(seen[name]) == parse_cards(text), name
    # The observer first, then seat 0 and seat 1.
    assert [cards(known) for known in seen["known"]] == [parse_cards("Kd"), ()]
    assert (seen["rack_sizes"] * 7).round().tolist() == [1, 3, 2]
    assert (seen["laid"] * 7).round().tolist() == [0, 6, 3]
    assert seen["melded"].tolist() == [0, 1, 1]
    assert seen["to_move"].tolist() == [0, 1, 0]
    assert seen["phase"].tolist() == [0, 1, 0]
    assert seen["melds_now"] * 4 == pytest.approx(1)
    assert seen["pool_size"] * 52 == pytest.approx(2)
    assert seen["row_size"] * 52 == pytest.approx(1)


@pytest.mark.parametrize(
    ("recycle", "recycled", "next_card"),
    [("shuffle", "5d 6d 7d", ""), ("turn_over", "5d 6d 7d Kd", "6d")],
)
def test_a_seat_sees_what_is_known_of_a_new_pool(
    recycle: str, recycled: str, next_card: str
) -> None:
    hand = Hand("; 2c 9h / 3c 4h ; 5d 6d 7d Kd ; ", recycle=recycle)
    hand.do("draw")
    seen = seen_by(hand, 1)
    assert cards(seen["recycled"]) == parse_cards(recycled)
    assert cards(seen["next_card"]) == parse_cards(next_card)
    assert seen["recycles"] * 2 == pytest.approx(1)
    known = parse_cards("5d") if recycle == "turn_over" else ()
    assert cards(seen["known"]) == known


@pytest.mark.parametrize(
    ("rack", "top", "loose", "costs", "sizes"),
    [
        ("Jc Qc 2d 9h", "Kc", "Jc Qc 2d 9h", [31, 11], [4, 2]),
        # The six fits the table, and then the seven does; the queen on top does not.
        ("6c 7c 9c 2d 9h", "Qd", "9c 2d 9h", [20, 30], [3, 4]),
        ("6c 7c 9c 2d 9h", "8c", "9c 2d 9h", [20, 11], [3, 2]),
        # Two melds that share a card: the one that leaves less.
        ("Jd Qd Kd Jc Js 2h", "3d", "Jc Js 2h", [22, 25], [3, 4]),
    ],
)
def test_a_seat_sees_which_of_its_cards_are_loose(
    rack: str, top: str, loose: str, costs: list[int], sizes: list[int]
) -> None:
    hand = Hand(f"3c 4c 5c ; {rack} / 7s ; 4d {top} ; ? ; 0 ; ; 0/3")
    seen = seen_by(hand, 0)
    assert cards(seen["loose"]) == tuple(sorted(parse_cards(loose)))
    assert (seen["deadwood"] * 100).round().tolist() == costs
    assert (seen["loose_sizes"] * 10).round().tolist() == sizes
    # Once a card is drawn, the top card does not count.
    hand.do("draw")
    seen = seen_by(hand, 0)
    assert seen["deadwood"][0] == seen["deadwood"][1]


def test_the_state_goes_on_with_what_is_hidden() -> None:
    hand = Hand(POSITION + "/3/0")
    state = privileged(hand.games, 0, encoding(hand.rules, 3), 1)
    hidden = by_name(state, hidden_fields(hand.rules, 3))
    racks = [cards_of(hand.game["racks"][seat]) for seat in (2, 0)]
    assert [cards(rack) for rack in hidden["racks"]] == racks
    assert cards(hidden["pool"]) == parse_cards("5h 6h")
    coming = [parse_cards("5h"), parse_cards("6h"), ()]
    assert [cards(card) for card in hidden["next_cards"]] == coming


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_fields_follow_one_another(rules: RummyRules, num_players: int) -> None:
    parts = state_fields(rules, num_players)
    end = 0
    for name, part in parts.items():
        assert part.name == name
        assert part.start == end
        assert part.low < part.high
        assert part.doc
        end = part.slice.stop
    assert size_of(parts.values()) == end
    assert size_of(fields(rules, num_players).values()) == parts["racks"].start


def test_the_number_of_players_is_checked() -> None:
    with pytest.raises(ValueError, match="num_players must be an integer from 2 to 6"):
        fields(RummyRules(), 7)
