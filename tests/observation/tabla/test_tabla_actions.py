"""Actions in words and back, and why an action is legal or not."""

from typing import Any

import numpy as np
import pytest

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.notation import parse_tiles
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.games.tabla.engine import Engine
from rummi_env.observation.tabla import (
    View,
    action_to_text,
    explain,
    num_actions,
    text_to_action,
    view_of,
)
from rummi_env.observation.tabla.actions import refusal

REDEAL = TablaRules(refuse_with_three_doubles=True)
RULES = [TablaRules(), REDEAL]

SIMPLE = "R1 R2 R3 B5 B6 B7 B8 K9 R9 B9 O9 K12 R12 B12"
JUNK = "K1 K4 K7 K10 R2 R5 R8 R11 B3 B6 B9 B12 O13 O3"
DRAW_POOL, DRAW_ROW, DECLARED, NEW_DEAL = 106, 107, 108, 109


@pytest.mark.parametrize("rules", RULES)
def test_every_action_is_read_back_from_its_words(rules: TablaRules) -> None:
    texts = [action_to_text(action, rules) for action in range(num_actions(rules))]
    assert len(set(texts)) == len(texts) == (110 if rules is REDEAL else 109)
    assert [text_to_action(text, rules) for text in texts] == list(range(len(texts)))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("K13", 12),
        ("j", 52),
        ("Discard  Y1", 39),
        ("close K13", 65),
        ("close with J", 105),
        ("throw a joker and close", 105),
        ("declare K13", 12),
        ("declare the double K13", 12),
        ("draw", DRAW_POOL),
        ("pool", DRAW_POOL),
        ("let the deal end", DRAW_POOL),
        ("row", DRAW_ROW),
        ("draw R7 from the row", DRAW_ROW),
        ("done", DECLARED),
    ],
)
def test_people_may_write_less(text: str, action: int) -> None:
    assert text_to_action(text, TablaRules()) == action


@pytest.mark.parametrize("text", ["", "K14", "close", "demand a new deal", "open"])
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no action: one is written 'discard K13'"):
        text_to_action(text, TablaRules())


@pytest.mark.parametrize("action", [-1, 109, 1000])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"from 0 to 108, not {action}"):
        action_to_text(action, TablaRules())


class Moment:
    """A deal before its first turn, seat 0 to act with a given rack or that dealt."""

    def __init__(self, rack: str, rules: TablaRules = TablaRules()) -> None:  # noqa: B008
        self.engine = Engine(rules, 2)
        self.games = self.engine.new_games(1)
        self.engine.start(self.games, 0, 1)
        if rack:
            self.games["racks"][0, 0] = parse_tiles(rack)
            self.games["racks"][0, 1] = parse_tiles(JUNK)
            self.engine.refresh(self.games, 0)

    @property
    def view(self) -> View:
        seat = int(self.games["seat"][0])
        return view_of(self.games[0], self.engine.rules, 2, seat)

    def act(self, *actions: int) -> "Moment":
        for action in actions:
            self.engine.act(self.games, 0, action)
        return self

    def explain(self, action: int) -> str:
        legal = bool(self.games["mask"][0, action])
        return explain(action, self.view, self.engine.solver, legal)

    def refusal(self, action: int) -> IllegalAction:
        assert not self.games["mask"][0, action]
        return refusal(action, self.view, self.engine.solver)


def test_words_depend_on_the_moment() -> None:
    moment = Moment("R1 R1 " + SIMPLE.removeprefix("R1 "))
    assert action_to_text(13, TablaRules(), moment.view) == "declare the double R1"
    moment.act(DECLARED, DECLARED, 13)
    words = action_to_text(DRAW_ROW, TablaRules(), moment.view)
    assert words == "draw R1 from the row"
    moment.games["drawn"] = moment.games["pool_size"]
    words = action_to_text(DRAW_POOL, TablaRules(), moment.view)
    assert words == "let the deal end"


def test_a_legal_closing_is_shown() -> None:
    moment = Moment(SIMPLE + " K2").act(DECLARED, DECLARED)
    assert moment.explain(54) == (
        "legal: throw K2 and close; the other tiles show Joc Simplu, 250 points: "
        "R1 R2 R3 | B5 B6 B7 B8 | K9 R9 B9 O9 | K12 R12 B12"
    )
    assert moment.explain(1) == "legal: discard K2, as a turn ends with a discard"


REFUSALS: list[tuple[str, TablaRules, list[int], int, Reason, str]] = [
    (SIMPLE + " K2", TablaRules(), [], 0, Reason.NO_DOUBLE, "has no two K1"),
    (SIMPLE + " K2", TablaRules(), [], 52, Reason.NOT_NOW, "first every player decl"),
    (
        "R1 R1 R2 " + JUNK.removeprefix("K1 K4 "),
        TablaRules(),
        [14],
        13,
        Reason.NO_DOUBLE,
        "ascending order",
    ),
    (SIMPLE + " K2", REDEAL, [], NEW_DEAL, Reason.NO_DOUBLE, "takes 3 doubles"),
    (
        SIMPLE + " K2",
        REDEAL.replace(exchange_doubles=False),
        [],
        0,
        Reason.NO_DOUBLE,
        "do not let doubles be exchanged",
    ),
    (
        SIMPLE + " K2",
        TablaRules(),
        [DECLARED, DECLARED],
        DRAW_POOL,
        Reason.NOT_NOW,
        "a tile has to be discarded now",
    ),
    (
        SIMPLE + " K2",
        TablaRules(),
        [DECLARED, DECLARED],
        0,
        Reason.TILE_NOT_IN_RACK,
        "there is no K1 on the rack",
    ),
    (
        SIMPLE + " K2",
        TablaRules(),
        [DECLARED, DECLARED],
        53 + 13,
        Reason.NO_FORM,
        "have no form that is played; the nearest is joc_simplu, 1 tile away",
    ),
    (
        SIMPLE + " K2",
        TablaRules(),
        [DECLARED, DECLARED, 1, DRAW_ROW],
        1,
        Reason.JUST_DRAWN,
        "is not discarded at once",
    ),
    (
        SIMPLE + " J",
        TablaRules(),
        [DECLARED, DECLARED, 52],
        DRAW_ROW,
        Reason.ROW_CLOSED,
        "a discarded joker may not be drawn",
    ),
    (
        SIMPLE + " K2",
        TablaRules(opening_discard_dead=True),
        [DECLARED, DECLARED, 1],
        DRAW_ROW,
        Reason.ROW_CLOSED,
        "the very first discard may not be drawn",
    ),
    (
        SIMPLE + " K2",
        TablaRules(draw_discard=False),
        [DECLARED, DECLARED, 1],
        DRAW_ROW,
        Reason.ROW_CLOSED,
        "do not let discards be drawn",
    ),
    (
        SIMPLE + " K2",
        TablaRules(),
        [DECLARED, DECLARED, 1],
        0,
        Reason.NOT_NOW,
        "a turn begins with a draw",
    ),
    (
        SIMPLE + " K2",
        TablaRules(rounds=1),
        [DECLARED, DECLARED, 54],
        0,
        Reason.NOT_NOW,
        "the match is over",
    ),
]


@pytest.mark.parametrize(
    ("rack", "rules", "actions", "action", "reason", "why"), REFUSALS
)
def test_an_illegal_action_is_refused_with_its_reason(
    rack: str,
    rules: TablaRules,
    actions: list[int],
    action: int,
    reason: Reason,
    why: str,
) -> None:
    caught = Moment(rack, rules).act(*actions).refusal(action)
    assert caught.reason is reason
    assert str(caught).startswith("illegal: ")
    assert why in str(caught)


@pytest.mark.parametrize("rules", RULES)
def test_every_action_of_every_moment_is_explained_in_one_sentence(
    rules: TablaRules,
) -> None:
    moment = Moment("", rules)
    rng = np.random.default_rng(1)
    for _ in range(25):
        for action in range(num_actions(rules)):
            text = moment.explain(action)
            legal = bool(moment.games["mask"][0, action])
            assert text.startswith("legal: " if legal else "illegal: ")
            assert "\n" not in text
        legal_actions: Any = np.flatnonzero(moment.games["mask"][0])
        moment.act(int(rng.choice(legal_actions)))
