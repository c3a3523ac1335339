"""A game as text."""

import re

import pytest

from rummi_env import parse_tiles, rummikub_v0
from rummi_env.envs.match import Match
from rummi_env.envs.start import read_start
from rummi_env.rendering import text

POSITION = "K9 K10 K11 | R7 J O7 ; K12 R1 J K2 / B1 B2 O13 ; O1 O2 ; 0 ; 10 ; K12"

GOLDEN = """\
Round 1 of 1, turn 1, 2 tiles in the pool, player_0 to move

> player_0   3 tiles  opened      last turn: none    score: 0
  player_1   3 tiles  not opened  last turn: none    score: 0

Table
  K9  K10 K11
  R7  O7  J

Played in this turn
  K12

Rack of player_1
  B1  B2
  O13
"""


@pytest.fixture
def match() -> Match:
    match = Match("official", 2)
    match.start(1, read_start({"position": POSITION}, match.rules, 2))
    return match


def test_a_seat_is_shown_the_table_and_its_own_rack(match: Match) -> None:
    assert text(match.view(1, with_melds=True)) == GOLDEN


def test_the_other_racks_are_shown_on_demand_alone(match: Match) -> None:
    view = match.view(1, with_melds=True)
    racks = [parse_tiles("R1 J K2"), parse_tiles("B1 B2 O13")]
    shown = text(view, ("Ann", "Bob"), reveal=racks)
    assert shown.endswith(
        "Rack of Bob\n  B1  B2\n  O13\n\nRack of Ann\n  K2\n  R1\n  J\n"
    )
    assert "> Ann " in shown


def test_colors_change_no_column(match: Match) -> None:
    colored = text(match.view(1, with_melds=True), color=True)
    assert "\x1b[31mR7\x1b[0m " in colored
    assert re.sub("\x1b\\[[0-9]+m", "", colored) == GOLDEN


def test_without_melds_the_tiles_of_the_table_are_shown(match: Match) -> None:
    shown = text(match.view(1))
    assert "Table\n  K9  K10 K11\n  R7\n  O7\n  J\n" in shown


def test_an_empty_table_and_tiles_known_are_said() -> None:
    env = rummikub_v0.raw_env(render_mode="ansi")
    env.reset(options={"position": "; K1 K2 K3 R10 / B1 ; ? ; 0 ; 00"})
    env.step(0)
    shown = env.render()
    assert shown is not None
    assert "Table\n  none\n" in shown
    env.reset(options={"position": "; K11 K12 K13 / B1 ; ? ; 0 ; 00"})
    env.step(10)
    env.step(0)
    shown = env.render()
    assert shown is not None
    assert "last turn: failed  score: 0  known: K11" in shown


def test_the_end_of_a_match_is_said() -> None:
    env = rummikub_v0.raw_env(render_mode="ansi")
    env.reset(options={"position": "R5 R6 R7 ; R8 / R5"})
    env.step(20)
    env.step(53)
    shown = env.render()
    assert isinstance(shown, str)
    assert shown.startswith("Round 1 of 1, 101 tiles in the pool, the match is over")
    assert "  R5  R6  R7  R8\n" in shown
    assert "score: -5" in shown


def test_the_table_is_arranged_with_little_change() -> None:
    env = rummikub_v0.raw_env(render_mode="ansi")
    position = "B5 R5 K5 O5 | K9 R9 B9 ; B4 B6 B7 K1 / K2 R2 ; ?"
    env.reset(options={"position": position})
    for action in (29, 31, 32, 53):
        env.step(action)
    shown = env.render()
    assert shown is not None
    for meld in ("K5  R5  O5", "K9  R9  B9", "B4  B5  B6  B7"):
        assert f"  {meld}\n" in shown


def test_nothing_is_rendered_without_a_render_mode() -> None:
    env = rummikub_v0.raw_env()
    env.reset(seed=1)
    assert env.render() is None


def test_wrong_numbers_of_names_are_refused(match: Match) -> None:
    with pytest.raises(ValueError, match="there must be 2 names, not 3"):
        text(match.view(0), ["a", "b", "c"])
    with pytest.raises(ValueError, match="there must be 2 racks to reveal, not 1"):
        text(match.view(0), reveal=[parse_tiles("K1")])
