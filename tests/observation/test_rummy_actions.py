"""Actions of Rummy in words, and why they are legal or not."""

from typing import Any

import numpy as np
import pytest

from rummi_env.core.card_melds import Ace, card_meld
from rummi_env.core.errors import Reason
from rummi_env.observation.rummy import (
    action_to_text,
    explain,
    num_actions,
    text_to_action,
    view_of,
)
from rummi_env.observation.rummy.actions import cards_laid, refusal
from rummi_env.testing.rummy_hand import Hand


def test_every_action_is_read_back_from_its_text() -> None:
    texts = [action_to_text(action) for action in range(num_actions())]
    assert len(set(texts)) == num_actions()
    assert [text_to_action(text.upper()) for text in texts] == [*range(num_actions())]


def test_every_meld_of_three_and_every_group_of_four_has_one_action() -> None:
    melds = [card_meld(cards_laid(action), "corner") for action in range(54, 171)]
    assert len(set(melds)) == len(melds) == 52 + 52 + 13
    # Without the corner only the runs K-A-2 go, with a low ace Q-K-A as well.
    for_ace: dict[Ace, int] = {"both": 48, "low": 44}
    for ace, runs in for_ace.items():
        held = 0
        for action in range(54, 106):
            try:
                card_meld(cards_laid(action), ace)
            except ValueError:
                continue
            held += 1
        assert held == runs


@pytest.mark.parametrize("text", ["", "discard", "discard 1c", "meld 2c 3c", "lay off"])
def test_a_text_that_means_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no action: one is written 'draw', 'take'"):
        text_to_action(text)


@pytest.mark.parametrize("action", [-1, 327])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"number from 0 to 326, not {action}"):
        action_to_text(action)


TABLE = "8c 8d 8h | 3c 4c 5c"
DRAWN = f"{TABLE} ; 8s 2d 3d 4d Kh 9c / 7s ; 9s ; ? ; 0 ; Kh ; 3/3"


@pytest.mark.parametrize(
    ("position", "fields", "action", "why"),
    [
        (DRAWN, {}, "draw", "a card has been drawn in this turn"),
        (DRAWN, {}, "take", "a card has been drawn in this turn"),
        (DRAWN, {}, "discard Ks", "there is no Ks on the rack"),
        (DRAWN, {}, "discard Kh", "it was taken from the row in this turn"),
        (DRAWN, {}, "meld 2h 3h 4h", "there is no 2h 3h 4h on the rack"),
        (DRAWN, {"melding": "hidden"}, "meld 2d 3d 4d", "nothing is laid on the table"),
        (DRAWN, {}, "lay off Kh on the group of K", "no group of three K lies on the"),
        (DRAWN, {}, "lay off 9c after 8c", "no run ends below it"),
        (DRAWN, {}, "lay off 2d before 3d", "no run begins above it"),
        (f"{TABLE} ; 8s 9c / 7s ; ; ? ; 0", {}, "take", "the row is empty"),
        (f"{TABLE} ; 8s 9c / 7s ; 9s ; ; 0", {}, "draw", "the pool is empty and the"),
        (f"{TABLE} ; 8s 9c / 7s ; 9s ; ? ; 0", {}, "discard 8s", "first a card is"),
        (
            "; Qc Kc Ac 2d / 7s ; 9s ; ? ; 0 ; pool",
            {},
            "meld Qc Kc Ac",
            "no run goes on after the king: ace=low",
        ),
        (
            "Jc Qc Kc ; Ac 2d / 7s ; 9s ; ? ; 0 ; pool",
            {},
            "lay off Ac after Kc",
            "no run goes on there: ace=low",
        ),
        (
            "Qc Kc Ac ; 2c 2d / 7s ; 9s ; ? ; 0 ; pool",
            {"ace": "both"},
            "lay off 2c after Ac",
            "no run goes on there: ace=both",
        ),
        (
            "Ac 2c 3c ; Kc 2d / 7s ; 9s ; ? ; 0 ; pool",
            {},
            "lay off Kc before Ac",
            "no run goes on there: ace=low",
        ),
        (
            f"{TABLE} ; 8s 9c / 7s ; 9s ; ? ; 0 ; pool",
            {"layoff_needs_own_meld": True},
            "lay off 8s on the group of 8",
            "who has not melded may not lay off",
        ),
        (
            "; 2d 3d 4d / 7s ; 9s ; ? ; 0 ; pool",
            {"must_discard_last": True},
            "meld 2d 3d 4d",
            "the last card has to be discarded",
        ),
        (
            "; 2d 3d 4d Kh / 7s ; 9s ; ? ; 0 ; Kh",
            {},
            "meld 2d 3d 4d",
            "it would leave Kh alone, which was taken from the row",
        ),
    ],
)
def test_a_sentence_says_why_an_action_is_illegal(
    position: str, fields: dict[str, Any], action: str, why: str
) -> None:
    if fields.get("melding"):
        position = position.replace(TABLE, "").replace("3/3", "")
    hand = Hand(position, **fields)
    assert not hand.may(action)
    view = view_of(hand.game, hand.rules, 2, 0)
    sentence = explain(text_to_action(action), view, hand.rules, legal=False)
    assert sentence.startswith(f"illegal: {action_to_text(text_to_action(action))}; ")
    assert why in sentence


def test_a_turn_with_all_its_melds_says_so() -> None:
    hand = Hand("; 2d 3d 4d 6h 7h 8h Ks / 7s ; 9s ; ? ; 0 ; pool", max_melds_per_turn=1)
    hand.do("meld 2d 3d 4d")
    view = view_of(hand.game, hand.rules, 2, 0)
    action = text_to_action("meld 6h 7h 8h")
    assert "the melds of a turn are limited to 1" in str(
        refusal(action, view, hand.rules)
    )


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("discard 9c", "which ends the turn"),
        ("meld 2d 3d 4d", "which the rack has"),
        ("lay off 8s on the group of 8", "where it fits"),
    ],
)
def test_a_sentence_says_why_an_action_is_legal(action: str, why: str) -> None:
    hand = Hand(DRAWN)
    assert hand.may(action)
    view = view_of(hand.game, hand.rules, 2, 0)
    sentence = explain(text_to_action(action), view, hand.rules, legal=True)
    assert sentence == f"legal: {action}, {why}"


def test_no_action_is_refused_for_a_card_that_is_on_the_rack() -> None:
    hand = Hand("; 2c 3c / 4d ; 9s", ace="both")
    for seed in range(5):
        hand.engine.start(hand.games, 0, seed)
        for _ in range(60):
            view = view_of(hand.game, hand.rules, 2, hand.seat)
            for action in np.flatnonzero(hand.game["mask"] == 0).tolist():
                held = {*view.rack}.issuperset(cards_laid(action) or (action - 2,))
                reason = refusal(action, view, hand.rules).reason
                assert not held or reason is not Reason.TILE_NOT_IN_RACK
                assert held or reason is not Reason.BROKEN_MELD
            hand.engine.act(
                hand.games, 0, hand.engine.scripted_action(hand.games, 0, "random")
            )
