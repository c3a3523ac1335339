"""Actions in words, and why they are legal or not."""

from typing import Any

import pytest

from rummi_env import RuleSet, rummikub_v0
from rummi_env.observation import action_to_text, num_actions, text_to_action

EXACT = RuleSet.preset("tournament")
PLAIN = RuleSet()


@pytest.mark.parametrize("rules", [PLAIN, EXACT, RuleSet(redeal_on_three_pairs=True)])
def test_every_action_comes_back_from_its_text(rules: RuleSet) -> None:
    texts = [action_to_text(action, rules) for action in range(num_actions(rules))]
    assert len(set(texts)) == len(texts)
    assert [text_to_action(text, rules) for text in texts] == list(range(len(texts)))


@pytest.mark.parametrize(
    ("action", "rules", "text"),
    [
        (0, PLAIN, "play K1"),
        (51, PLAIN, "play O13"),
        (52, PLAIN, "play a joker"),
        (53, PLAIN, "end the turn"),
        (54, EXACT, "name a joker K1"),
        (106, EXACT, "demand a new deal"),
    ],
)
def test_actions_are_called_what_they_do(
    action: int, rules: RuleSet, text: str
) -> None:
    assert action_to_text(action, rules) == text


@pytest.mark.parametrize(
    ("text", "rules", "action"),
    [
        ("K13", PLAIN, 12),
        ("  play   y7 ", PLAIN, 45),
        ("j", PLAIN, 52),
        ("DRAW", PLAIN, 53),
        ("pass", PLAIN, 53),
        ("lay down R1 R2 R3", PLAIN, 53),
        ("J=R7", EXACT, 73),
    ],
)
def test_short_words_will_do(text: str, rules: RuleSet, action: int) -> None:
    assert text_to_action(text, rules) == action


@pytest.mark.parametrize(
    "text", ["", "play", "R14", "J=R7", "J=J", "demand a new deal"]
)
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"'{text}' is no action: one is written"):
        text_to_action(text, PLAIN)


@pytest.mark.parametrize("action", [-1, 54])
def test_numbers_out_of_range_are_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"a number from 0 to 53, not {action}"):
        action_to_text(action, PLAIN)
    env = rummikub_v0.raw_env()
    env.reset(seed=0)
    sentence = f"an action is a whole number from 0 to 53, not {action}$"
    with pytest.raises(ValueError, match=sentence):
        env.explain(action)


OPENED = "R4 R5 R6 ; R7 K9 J / O1 ;"
PLAYED = "R4 R5 R6 | B9 O9 J ; R8 R7 K9 / O1 ; O2 ; 0 ; 11 ; "
CLOSED = "R4 R5 R6 ; R7 K1 K2 K3 K10 K11 K12 / O1 ; O2 ; 0 ; 00 ; "


@pytest.mark.parametrize(
    ("position", "action", "sentence"),
    [
        (OPENED, "R7", "legal: play R7; a legal turn with it is R7 J"),
        (OPENED, "J", "legal: play a joker; a legal turn with it is R7 J"),
        (OPENED, "K9", "illegal: play K9; no arrangement of the table has it"),
        (OPENED, "R1", "illegal: play R1; there is no R1 on the rack"),
        (
            OPENED,
            "pass",
            "illegal: end the turn; the pool is empty and a tile can be played",
        ),
        (
            "; K1 / O1 ;",
            "pass",
            "legal: pass, as nothing was played and the pool is em",
        ),
        (PLAYED, "end", "legal: draw a tile, as nothing was played"),
        (
            PLAYED + "R7",
            "end",
            "legal: lay down R7, which leaves melds only on the table",
        ),
        (
            PLAYED + "R8",
            "end",
            "illegal: end the turn; no arrangement of the table has R8 and no more",
        ),
        (PLAYED + "R8", "R8", "illegal: play R8; there is no R8 on the rack"),
        (PLAYED + "R8", "R7", "legal: play R7; a legal turn with it is K9 R7 R8"),
        (
            CLOSED,
            "R7",
            "illegal: play R7; no opening of own melds worth at least 30 has it",
        ),
        (CLOSED + "K1", "K10", "legal: play K10; a legal turn with it is K1 K2 K3 K10"),
        (
            CLOSED + "K1 K2 K3",
            "end",
            "illegal: end the turn; K1 K2 K3 is no opening of own melds worth at least",
        ),
        (
            CLOSED + "K1 K2 K3",
            "R7",
            "illegal: play R7; no opening of own melds worth at least 30 has it bes",
        ),
    ],
)
def test_a_sentence_says_why(position: str, action: str, sentence: str) -> None:
    env: Any = rummikub_v0.raw_env()
    env.reset(options={"position": position})
    number = text_to_action(action, env.rules)
    said = env.explain(number)
    legal = env.observe(env.agent_selection)["action_mask"][number]
    assert said.startswith("legal" if legal else "illegal")
    assert said.startswith(sentence)


def test_when_the_match_is_over_nothing_is_legal() -> None:
    env = rummikub_v0.raw_env()
    env.reset(options={"position": "R5 R6 R7 ; R8 / R5"})
    env.step(20)
    env.step(53)
    assert env.explain(53) == "illegal: end the turn; the match is over"


def test_a_new_deal_is_not_demanded_at_any_time() -> None:
    env = rummikub_v0.raw_env(rules=RuleSet(redeal_on_three_pairs=True))
    env.reset(options={"position": OPENED})
    assert env.explain(54).startswith(
        "illegal: demand a new deal; that is asked before"
    )
