"""Melds of cards: what is one, under each rule for the ace (part B.3)."""

from itertools import combinations
from typing import Any

import pytest

from rummi_env.core.card_melds import (
    card_meld,
    format_card_table,
    is_group,
    parse_card_table,
)
from rummi_env.core.cards import parse_cards
from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.testing.rummy_twin import is_meld


@pytest.mark.parametrize("ace", ["low", "both", "corner"])
def test_melds_are_those_of_the_twin(ace: Any) -> None:
    """All sets of three and four cards of two suits, and of up to six of one suit."""
    two_suits = [*range(13), *range(13, 26)]
    hands = [cards for size in (3, 4) for cards in combinations(two_suits, size)]
    hands += [cards for size in (5, 6) for cards in combinations(range(13), size)]
    found = 0
    for cards in hands:
        try:
            meld = card_meld(cards, ace)
        except IllegalAction:
            assert not is_meld(cards, ace)
        else:
            assert is_meld(cards, ace)
            assert set(meld) == set(cards)
            found += 1
    # Runs of three and four in two suits, of five and six in one.
    in_suit = {
        size: {"low": 14, "both": 15}.get(ace, 13 + size) - size for size in range(3, 7)
    }
    assert found == 2 * (in_suit[3] + in_suit[4]) + in_suit[5] + in_suit[6]


@pytest.mark.parametrize(
    ("text", "ace", "written"),
    [
        ("5c 4c 3c", "low", "3c 4c 5c"),
        ("8s 8c 8d", "low", "8c 8d 8s"),
        ("8s 8c 8d 8h", "low", "8c 8d 8h 8s"),
        ("3d Ad 2d", "low", "Ad 2d 3d"),
        ("Ad Kd Qd Jd", "both", "Jd Qd Kd Ad"),
        ("2d Ad Kd", "corner", "Kd Ad 2d"),
        (
            "2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad",
            "both",
            "Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd",
        ),
    ],
)
def test_a_meld_is_written_in_its_order(text: str, ace: Any, written: str) -> None:
    assert format_card_table([card_meld(parse_cards(text), ace)]) == written


@pytest.mark.parametrize("ace", ["low", "both"])
@pytest.mark.parametrize("text", ["Kd Ad 2d", "Qd Kd Ad 2d"])
def test_a_run_does_not_go_round_the_corner_unless_the_rules_say_so(
    text: str, ace: Any
) -> None:
    with pytest.raises(IllegalAction, match="neither a group of one rank nor a run"):
        card_meld(parse_cards(text), ace)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.TOO_SHORT),
        ("8c 8d", Reason.TOO_SHORT),
        ("8c 9c", Reason.TOO_SHORT),
        ("8c 8d 9h", Reason.BROKEN_MELD),
        ("8c 9c Td", Reason.BROKEN_MELD),
        ("8c 9c Jc", Reason.BROKEN_MELD),
        ("Qc Kc Ac", Reason.BROKEN_MELD),
    ],
)
def test_what_is_no_meld_is_refused_with_a_reason(text: str, reason: Reason) -> None:
    with pytest.raises(IllegalAction) as refused:
        card_meld(parse_cards(text))
    assert refused.value.reason is reason


def test_a_table_goes_through_text_unchanged() -> None:
    text = "8c 8d 8h | 3c 4c 5c | Td Jd Qd Kd"
    table = parse_card_table(text)
    assert format_card_table(table) == text
    assert [is_group(meld) for meld in table] == [True, False, False]
    assert parse_card_table(" ") == ()


def test_a_card_in_two_melds_of_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="5c is named twice"):
        parse_card_table("3c 4c 5c | 5c 5d 5h")
