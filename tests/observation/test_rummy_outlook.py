"""What networks are told about racks of Rummy is what the planner finds."""

import numpy as np
import pytest

from rummi_env.core.cards import parse_cards
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.envs.batch import Batch
from rummi_env.games.rummy.planning import table_fits
from rummi_env.games.rummy.scripted import (
    expected_after_draw,
    expected_after_taking,
    expected_deadwood,
    next_cards,
)
from rummi_env.games.rummy.state import DISCARD, MELD_RUN
from rummi_env.observation.rummy import encoding, observation
from rummi_env.observation.rummy.outlook import (
    MOST_LEFT,
    MOST_LOOSE,
    PLANES,
    Outlook,
)
from rummi_env.solver.compiled import entry
from rummi_env.testing.rummy_hand import Hand
from rummi_env.testing.rummy_twin import deadwood

SIZE = 52
END = len(PLANES) * SIZE


def outlook_of(hand: Hand) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return the planes by name, and the numbers."""
    codes = encoding(hand.rules, hand.players)
    seen = observation(hand.games, 0, codes, hand.seat)
    found = Outlook(hand.rules, hand.players)(seen[None], hand.game["mask"][None])[0]
    planes = found[:END].reshape(-1, SIZE)
    return dict(zip(PLANES, planes, strict=True)), found[END:]


# Numba infers the types: annotations cannot say what a record is.
@entry(module="rummi_env.games.rummy.scripted")
def planned(games, index, rules, out):  # type: ignore[no-untyped-def]
    """Writes what the planner expects of every discard, or of both draws."""
    game = games[index]
    rack = game.racks[game.seat]
    drawn = next_cards(game, rules)
    if game.phase == 0:
        top = np.uint64(0)
        if game.row_size > 0:
            top = np.uint64(1) << np.uint64(game.row[game.row_size - 1])
        free = table_fits(game, rules, game.seat, rack | top)
        out[0] = expected_after_draw(rack, free, drawn & ~top, rules)
        out[1] = expected_after_taking(rack, top, free, drawn & ~top, rules)
        return
    free = table_fits(game, rules, game.seat, rack)
    for card in range(52):
        one = np.uint64(1) << np.uint64(card)
        if game.mask[2 + card]:
            out[card] = expected_deadwood(rack & ~one, free, drawn, rules)


@pytest.mark.parametrize(
    ("rules", "opponents"),
    [
        (RummyRules(), ["meld_greedy"]),
        (RummyRules(ace="both", layoff_needs_own_meld=True), ["meld_greedy"] * 2),
        (RummyRules(ace="corner", rack_size=5), ["random"]),
        (RummyRules.preset("straight_gin"), ["least_deadwood"]),
        (RummyRules.preset("pagat"), ["random"]),
    ],
    ids=str,
)
def test_an_outlook_is_what_the_planner_expects(
    rules: RummyRules, opponents: list[str]
) -> None:
    batch = Batch(8, game="rummy", rules=rules, opponents=opponents)
    seen, masks = batch.reset(seed=2)
    find = Outlook(rules, len(opponents) + 1)
    rng = np.random.default_rng(0)
    for _ in range(60):
        found = find(seen, masks)
        for row in range(8):
            game = batch.games[row]
            wanted = np.zeros(SIZE)
            planned(batch.games, row, batch.engine.codes, wanted)
            if game["phase"] == 0 and game["row_size"] and game["pool_size"]:
                draw, gain = found[row, END : END + 2]
                told = [draw * 100, draw * 100 - gain * 5]
                assert told == pytest.approx(wanted[:2], abs=1e-3)
            elif game["phase"] == 1 and game["pool_size"]:
                may = masks[row, DISCARD:MELD_RUN] == 1
                told = found[row, :SIZE][may] * 5
                assert told == pytest.approx(wanted[may] - wanted[may].min(), abs=1e-3)
                assert not found[row, :SIZE][~may].any()
        seen, *_, masks = batch.step((masks * rng.random(masks.shape)).argmax(axis=1))


def test_an_outlook_of_discards_says_what_each_leaves() -> None:
    hand = Hand("; 8c 8d 8h Kd 2s / 2d Kc ; Kh 5c ; ? ; 0 ; pool")
    planes, numbers = outlook_of(hand)
    assert not numbers[:2].any()
    for text, left in (("Kd", 2), ("2s", 10), ("8c", 16 + 12)):
        (card,) = parse_cards(text)
        assert planes["left"][card] * 10 == pytest.approx(left - 2)
        rack = frozenset(parse_cards("8c 8d 8h Kd 2s")) - {card}
        assert left == deadwood(rack, hand.rules)
    assert not planes["left"][list(parse_cards("5c 9s"))].any()
    # Two kings, the queen and the jack are hidden from it: one pair of a rank, one of
    # the suit. Of the two there are three, and A 3, 3 4.
    (king,), (two,) = parse_cards("Kd"), parse_cards("2s")
    assert planes["wanted"][king] * 3 == pytest.approx(2)
    assert planes["wanted"][two] * 3 == pytest.approx(3 + 2)
    melded = np.flatnonzero(planes["melded"]).tolist()
    assert melded == sorted(parse_cards("8c 8d 8h"))


@pytest.mark.parametrize(
    ("text", "loose", "fewest"),
    [
        ("; 8c 8d 8h Kd 2s / 2d Kc ; Kh 5c ; ? ; 0 ; pool", 2, 2),
        ("; 8c 8d 8h Kd / 2d Kc Qc / 3c ; Kh 5c ; ? ; 0 ; pool", 1, 1),
        ("; 8c 8d 8h / 2d 3h 5h 7h 9h Jh Kh 4s 6s 8s ; Kc 5c ; ?", 0, 8),
        ("; 8c 9d Th Qs Ks 2h 4h / 2d ; Kh 5c ; ?", None, 1),
    ],
)
def test_an_outlook_counts_loose_cards_and_the_smallest_of_the_other_racks(
    text: str, loose: int | None, fewest: int
) -> None:
    _, numbers = outlook_of(Hand(text))
    counted, smallest = numbers[2 : 2 + MOST_LOOSE], numbers[2 + MOST_LOOSE :]
    assert smallest.tolist() == [size == fewest for size in range(1, MOST_LEFT + 1)]
    # Seven loose cards are more than are told apart.
    assert counted.tolist() == [size == loose for size in range(MOST_LOOSE)]


def test_an_outlook_says_nothing_where_nothing_is_to_be_done() -> None:
    find = Outlook(RummyRules(), 2)
    hand = Hand("; 8c 8d 8h Kd 2s / 2d Kc ; Kh 5c ; ?")
    seen = observation(hand.games, 0, encoding(hand.rules, 2), 1)
    assert not find(seen[None], np.zeros((1, 327), np.int8)).any()


def test_observations_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match=r"must be \[N, 649\] for these rules, not"):
        Outlook(RummyRules(), 2)(np.zeros((1, 9), np.float32), np.zeros((1, 327)))
