"""The melds that a table is shown as, when somebody says how they lie."""

import pytest

from rummi_env.core.notation import format_table, parse_table
from rummi_env.envs.match import Match
from rummi_env.envs.rummikub import Rummikub

POSITION = "R1 R2 R3 R4 R5 R6 ; R7 K9 / B1 ; ? ; 0"


@pytest.fixture
def match() -> Match:
    match = Match("official", 2)
    match.start(1, Rummikub.read_start({"position": POSITION}, match.rules, 2))
    return match


def test_a_table_is_shown_as_it_is_said_to_lie(match: Match) -> None:
    game = match.game
    assert isinstance(game, Rummikub)
    game.show_table(parse_table("R4 R5 R6 | R1 R2 R3"))
    assert format_table(match.view(1, with_melds=True).melds) == "R4 R5 R6 | R1 R2 R3"
    match.act(game.read_action("R7"))
    match.act(game.read_action("end"))
    shown = format_table(match.view(1, with_melds=True).melds)
    assert shown == "R1 R2 R3 | R4 R5 R6 R7"


def test_other_tiles_are_refused(match: Match) -> None:
    game = match.game
    assert isinstance(game, Rummikub)
    with pytest.raises(ValueError, match="R1 R2 R3 are not the tiles of the table"):
        game.show_table(parse_table("R1 R2 R3"))
    assert format_table(match.view(0, with_melds=True).melds) == "R1 R2 R3 R4 R5 R6"
