"""Matches as a page plays them: turns, penalties, clocks, what a seat is told."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rummi_env.core.tiles import tile_name, tiles_of
from rummi_training.play.hints import agent_hint, solver_hint
from rummi_training.play.marks import marked, unmarked, without_seat
from rummi_training.play.refusals import Refusal
from rummi_training.play.table import Table
from rummi_training.play.telling import told

NewTable = Callable[..., Table]

OPEN = "R1 R2 R3 ; R4 K9 B9 / K1 K2 ; ? ; 0"
"""Seat 0 can play R4, has opened, and draws what nobody knows."""


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def refusal(action: Callable[[], Any]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        action()
    return refused.value


def rack_of(table: Table, seat: int = 0) -> list[str]:
    return [tile_name(tile) for tile in tiles_of(table.rack(seat))]


def snapshot(table: Table) -> str:
    return json.dumps([table.to_dict(), table.turn_to_dict(), told(table, 0)])


def test_a_turn_is_ended_with_a_table(new_table: NewTable) -> None:
    table = new_table(position=OPEN)
    table.end_turn(0, 0, [["R1", "R2", "R3", "R4"]], ["B9", "K9"])
    assert table.turns == 1
    assert table.log[-1].event == "laid"
    assert table.log[-1].tiles == ("R4",)
    assert table.rack_in_order(0) == ["B9", "K9"]
    assert table.marks == [[None, None, None, 0]]


def test_an_illegal_table_is_refused_where_nothing_is_to_be_paid(
    new_table: NewTable,
) -> None:
    table = new_table(position=OPEN, penalties=False)
    before = snapshot(table)
    for accept in (False, True):
        refused = refusal(
            lambda accept=accept: table.end_turn(  # type: ignore[misc]
                0, 0, [["R1", "R2", "R3", "K9"]], ["B9", "R4"], accept
            )
        )
        assert refused.status == 422
        assert refused.sentence == "R1 R2 R3 K9 is neither a run nor a group"
        assert refused.more == {"reason": "broken_meld", "penalty": None}
    assert snapshot(table) == before


def test_an_illegal_table_costs_what_the_rules_say_and_goes_back(
    new_table: NewTable,
) -> None:
    table = new_table(position=OPEN)
    laid = [["R1", "R2", "R3", "R4"], ["K9"]]
    before = snapshot(table)
    refused = refusal(lambda: table.end_turn(0, 0, laid, ["B9"]))
    assert refused.more == {"reason": "too_short", "penalty": 3}
    assert snapshot(table) == before

    table.end_turn(0, 0, laid, ["B9"], accept_penalty=True)
    done = table.log[-1]
    assert (done.event, done.tiles, done.drawn) == ("failed", ("K9", "R4"), 3)
    assert done.sentence == "K9 is too short: a meld has at least 3 tiles"
    assert Counter(rack_of(table)) == Counter(["R4", "K9", "B9", *done.drawn_tiles])
    assert [str(meld) for meld in table.melds()] == ["R1 R2 R3"]
    # Everybody has seen the tile that could be played.
    assert table.played.match.view(1).players[1].known.sum() == 1


@pytest.mark.parametrize(
    ("laid", "rack", "tiles"),
    [
        ([["R1", "R2", "R3"]], ["R4", "K9", "B9"], 1),
        ([["R1", "R2", "R3", "R4"]], ["K9", "B9"], 3),
    ],
)
def test_running_out_of_time_costs_more_with_tiles_laid_down(
    new_table: NewTable, laid: list[list[str]], rack: list[str], tiles: int
) -> None:
    clock = Clock()
    table = new_table(position=OPEN, clock=clock, rules="official,turn_seconds=30")
    table.save_draft(0, 0, laid, rack)
    clock.now = 29.5
    assert not table.tick()
    clock.now = 30
    assert table.tick()
    assert (table.log[-1].event, table.log[-1].drawn) == ("timed_out", tiles)
    assert table.draft is None
    assert refusal(lambda: table.draw(0, 0)).status == 409


def test_seconds_used_are_kept_when_a_game_is_put_away(new_table: NewTable) -> None:
    clock = Clock()
    table = new_table(position=OPEN, clock=clock, rules="official,turn_seconds=30")
    clock.now = 12
    table.save_draft(0, 0, [["R1", "R2", "R3", "R4"]], ["K9", "B9"])
    game, turn = json.loads(json.dumps([table.to_dict(), table.turn_to_dict()]))
    later = Clock()
    later.now = 5000
    again = Table.from_dict(game, turn, later)
    assert again.draft == table.draft
    assert again.played.match.timer is not None
    assert again.played.match.timer.left == 18


def test_a_turn_begun_is_forgotten_when_it_is_not_that_turn_any_more(
    new_table: NewTable,
) -> None:
    table = new_table(position=OPEN, players=("person", "person"))
    table.save_draft(0, 0, [["R1", "R2", "R3", "R4"]], ["K9", "B9"])
    turn = table.turn_to_dict()
    table.draw(0, 0)
    assert Table.from_dict(table.to_dict(), turn).draft is None


@pytest.mark.parametrize(
    ("melds", "rack", "sentence"),
    [
        ([["R1", "R2", "R3"]], ["R4", "K9"], "must have 1 of B9, not 0"),
        ([["R1", "R2", "R3", "R5"]], ["R4", "K9", "B9"], "have 0 of R5, not 1"),
        ([["R1", "R2", "R3", "K99"]], ["R4", "K9", "B9"], "'K99' is not a tile"),
        ([["R1", "R2", "R3", "K1 K2"]], ["R4", "K9", "B9"], "of K1, not 1"),
        ([["R1", "R2", "R3"]], ["R4", "K9", "K9", "K9"], "a third K9"),
    ],
)
def test_tiles_that_are_not_there_are_refused(
    new_table: NewTable, melds: list[list[str]], rack: list[str], sentence: str
) -> None:
    table = new_table(position=OPEN)
    before = snapshot(table)
    for act in (table.save_draft, table.end_turn):
        refused = refusal(lambda act=act: act(0, 0, melds, rack))  # type: ignore[misc]
        assert refused.status == 422
        assert sentence in refused.sentence
    assert snapshot(table) == before


def test_a_tile_of_the_table_does_not_go_to_the_rack(new_table: NewTable) -> None:
    table = new_table(position="R1 R2 R3 R4 ; R5 K9 / K1 ; ? ; 0")
    table.save_draft(0, 0, [["R2", "R3", "R4", "R5"]], ["R1", "K9"])
    assert table.judgement()["reason"] == "table_tile_missing"


def test_out_of_turn_and_late_requests_change_nothing(new_table: NewTable) -> None:
    table = new_table(position=OPEN, players=("person", "person"))
    before = snapshot(table)
    melds, rack = [["R1", "R2", "R3", "R4"]], ["K9", "B9"]
    assert "person is to move" in refusal(lambda: table.draw(1, 0)).sentence
    assert refusal(lambda: table.draw(0, 1)).status == 409
    assert refusal(lambda: table.end_turn(0, 3, melds, rack)).status == 409
    assert refusal(lambda: table.redeal(0, 0, True)).status == 409
    assert snapshot(table) == before


def test_passing_is_refused_where_something_must_be_played(
    new_table: NewTable,
) -> None:
    table = new_table(position="R1 R2 R3 ; R4 K9 / K1 K5 ; ; 0")
    assert told(table, 0)["must_play"] is True
    refused = refusal(lambda: table.draw(0, 0))
    assert refused.status == 422
    assert "a tile can be played" in refused.sentence


def test_a_new_deal_can_be_demanded(new_table: NewTable) -> None:
    deal = None
    for seed in range(10_000):
        table = new_table(
            players=("person", "person"), rules="tournament", seed=seed, clock=None
        )
        if table.played.match.view(0).phase == "redeal":
            deal = table
            break
    assert deal is not None
    seat = deal.played.match.seat
    assert told(deal, seat)["phase"] == "redeal"
    assert refusal(lambda: deal.draw(seat, 0)).status == 409
    rack = rack_of(deal, seat)
    deal.redeal(seat, 0, True)
    assert deal.log[-1].event == "redealt"
    assert rack_of(deal, seat) != rack


def play_a_turn(table: Table) -> None:
    """Lets the seat to move do what is best; people do it with a table."""
    played = table.played
    agent = played.agent
    if agent is not None:
        turns = table.turns
        while table.turns == turns:
            table.act_for_agent(played.decide(agent, played.question()))
        return
    seat = played.match.seat
    if played.match.view(seat).phase == "redeal":
        table.redeal(seat, table.turns, False)
        return
    hint = solver_hint(played.match, "tiles")
    if hint["melds"] is None:
        table.draw(seat, table.turns)
        return
    rack = Counter(rack_of(table, seat)) - Counter(hint["tiles"])
    melds = [meld["tiles"] for meld in hint["melds"]]
    table.end_turn(seat, table.turns, melds, list(rack.elements()))


@pytest.mark.parametrize("rules", ["official,rounds=2", "sabra", "tournament"])
def test_a_seat_is_told_nothing_that_it_may_not_know(
    new_table: NewTable, rules: str
) -> None:
    """With all that is hidden drawn anew, the page is told the very same."""
    players = ("person", "max_tiles", "person")
    table = new_table(players=players, rules=rules, seed=3, clock=None)
    rng = np.random.default_rng(1)
    shown = 0
    while not table.played.match.over:
        match = table.played.match
        kept = match.save()
        recorder, match.recorder = match.recorder, None
        for seat in (0, 2):
            if match.view(match.seat).phase == "redeal" and seat != match.seat:
                continue  # that three pairs were dealt is known, which pairs is not
            expected = told(table, seat)
            match.load(match.determinize(seat, int(rng.integers(2**32))))
            found = told(table, seat)
            for state in (expected, found):
                state["clock"] = None
            assert found == expected
            match.load(kept)
            shown += 1
        match.recorder = recorder
        play_a_turn(table)
    assert shown > 40


def test_what_was_drawn_is_told_to_nobody_else(new_table: NewTable) -> None:
    table = new_table(position=OPEN, players=("person", "person"))
    table.draw(0, 0)
    (drawn,) = table.log[-1].drawn_tiles
    assert told(table, 0)["log"][-1]["drawn_tiles"] == (drawn,)
    assert "drawn_tiles" not in told(table, 1)["log"][-1]
    assert "drawn_tiles" not in told(table, 1)["players"][0]["last"]


def test_a_turn_begun_is_told_to_its_seat_alone(new_table: NewTable) -> None:
    table = new_table(position=OPEN, players=("person", "person"))
    other = told(table, 1)
    table.save_draft(0, 0, [["R1", "R2", "R3", "R4"]], ["K9", "B9"])
    assert told(table, 0)["draft"]["judgement"]["legal"] is True
    again = told(table, 1)
    assert again.pop("version") != other.pop("version")
    assert again == other


def test_a_match_is_the_one_that_its_seed_is_in_the_environment(
    new_table: NewTable,
) -> None:
    from rummi_env import rummikub_v0

    env = rummikub_v0.raw_env(num_players=2)
    env.reset(seed=11)
    table = new_table(seed=11)
    position = env.position()
    assert tuple(tiles_of(table.rack(0))) == position.racks[0]
    assert table.played.match.seat == position.turn


def test_marks_follow_the_tiles_of_a_last_turn() -> None:
    from rummi_env.core.notation import parse_table, parse_tiles

    before = parse_table("R1 R2 R3 | K5 B5 R5")
    marks = unmarked(before)
    after = parse_table("K5 B5 R5 | R1 R2 R3 R4")
    marks = marked(before, marks, after, parse_tiles("R4"), 1)
    assert marks == [[None] * 3, [None, None, None, 1]]
    again = parse_table("K5 R5 B5 O5 | R1 R2 R3 R4")
    marks = marked(after, without_seat(marks, 0), again, parse_tiles("O5"), 0)
    assert marks == [[None, None, None, 0], [None, None, None, 1]]
    anew = parse_table("K5 R5 B5 O5 | R2 R3 R4 | R1 K1 B1")
    marks = marked(again, without_seat(marks, 0), anew, parse_tiles("K1 B1"), 0)
    assert marks == [[None] * 4, [None, None, 1], [0, None, 0]]


def test_hints_of_solver_and_agents_are_legal_turns(new_table: NewTable) -> None:
    table = new_table(position=OPEN)
    match = table.played.match
    before = match.save()
    for hint in (
        solver_hint(match, "tiles"),
        solver_hint(match, "points"),
        agent_hint(match, "max_tiles", 1),
    ):
        assert hint["tiles"] == ["R4"]
        assert [meld["tiles"] for meld in hint["melds"]] == [["R1", "R2", "R3", "R4"]]
    assert agent_hint(match, "cautious", 1)["sentence"].startswith("cautious would")
    assert match.save() == before
    with pytest.raises(ValueError, match="unknown agent"):
        agent_hint(match, "nobody", 1)


def test_a_hint_where_nothing_can_be_played(new_table: NewTable) -> None:
    table = new_table(position="R1 R2 R3 ; K9 B9 / K1 K2 ; ? ; 0")
    match = table.played.match
    assert solver_hint(match, "tiles")["sentence"] == (
        "Nothing can be played: draw a tile."
    )
    assert agent_hint(match, "max_tiles", 1)["sentence"] == (
        "max_tiles would draw a tile."
    )
