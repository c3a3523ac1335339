"""Every paragraph of the rules of deal, turn, closing and score, one test or more each.

The numbers are the paragraphs of the project's rules document, part A. Racks are in the
shorthand of `conftest.read_shorthand`; seat 0 has the first turn.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import JOKER, counts_of, tiles_of
from rummi_env.games.tabla.engine import Engine
from rummi_env.games.tabla.state import (
    DECLARED,
    DISCARD_PHASE,
    DOUBLES_PHASE,
    DRAW_PHASE,
    DRAW_POOL,
    DRAW_ROW,
    FIRST_CLOSE,
    NEW_DEAL,
    OVER_PHASE,
)

Shorthand = Callable[[str], tuple[int, ...]]

SIMPLE = "r1-3 b5-8 9:rybk 12:ybk"
JUNK = "r1 r4 r7 r10 b2 b5 b8 b11 k3 k6 k9 k12 y13 y3"


class Table:
    """A deal whose racks are given, and what a test asks about it."""

    def __init__(
        self,
        read: Shorthand,
        *racks: str,
        rules: TablaRules = TablaRules(exchange_doubles=False),  # noqa: B008
        atu: str = "k13",
        pool: str = "",
    ) -> None:
        self._read = read
        self.players = len(racks)
        self.engine = Engine(rules, self.players)
        self.games = self.engine.new_games(1)
        self.engine.start(self.games, 0, seed=1)
        game = self.game
        for seat, rack in enumerate(racks):
            game["racks"][seat] = counts_of(read(rack))
        (game["atu"],) = read(atu)
        if pool:
            tiles = read(pool)
            game["drawn"] = 0
            game["pool_size"] = len(tiles)
            game["pool"][: len(tiles)] = tiles
        self.engine.refresh(self.games, 0)

    @property
    def game(self) -> Any:
        return self.games[0]

    @property
    def scores(self) -> list[float]:
        return list(map(float, self.game["scores"][: self.players]))

    def kind(self, text: str) -> int:
        (kind,) = self._read(text)
        return kind

    def rack(self, seat: int) -> tuple[int, ...]:
        return tiles_of(self.game["racks"][seat])

    def legal(self) -> set[int]:
        return set(np.flatnonzero(self.game["mask"]).tolist())

    def may_close(self, tile: str) -> bool:
        return FIRST_CLOSE + self.kind(tile) in self.legal()

    def act(self, action: int) -> None:
        assert action in self.legal()
        self.engine.act(self.games, 0, action)

    def discard(self, tile: str) -> None:
        self.act(self.kind(tile))

    def close(self, tile: str) -> None:
        self.act(FIRST_CLOSE + self.kind(tile))


# ------------------------------------------------------------------- A.3: doubles

DOUBLES = TablaRules()


def declare(table: Table, *tiles: str) -> None:
    for tile in tiles:
        table.act(table.kind(tile))
    table.act(DECLARED)


def test_a3_one_tile_of_each_double_changes_hands_within_a_class(
    shorthand: Shorthand,
) -> None:
    table = Table(
        shorthand,
        "r3 r3 b10 b10 k1-11",
        "y9 y9 b12 b12 k1-10",
        rules=DOUBLES,
    )
    assert table.game["phase"] == DOUBLES_PHASE
    declare(table, "r3", "b10")
    assert table.game["racks"][1, table.kind("r3")] == 0
    declare(table, "b12", "y9")
    assert table.rack(0) == tuple(sorted(shorthand("r3 y9 b10 b12 k1-11")))
    assert table.rack(1) == tuple(sorted(shorthand("y9 r3 b12 b10 k1-10")))
    assert table.game["doubles"][:2].tolist() == [[1, 1], [1, 1]]
    assert table.game["exchanges"][0, 1] == 2
    assert table.game["phase"] == DISCARD_PHASE
    assert table.game["seat"] == 0


def test_a3_the_1_is_a_high_double(shorthand: Shorthand) -> None:
    table = Table(shorthand, "r1 r1 k1-13", "y9 y9 b13 b13 k1-10", rules=DOUBLES)
    declare(table, "r1")
    declare(table, "b13", "y9")
    assert table.game["racks"][0, table.kind("b13")] == 1
    assert table.game["racks"][1, table.kind("y9")] == 2


def test_a3_the_first_entry_is_paired_with_the_next_of_another_seat(
    shorthand: Shorthand,
) -> None:
    table = Table(
        shorthand,
        "r2 r2 r3 r3 b4 b4 k1-9",
        "y5 y5 k1-12",
        "y6 y6 k1-12",
        rules=DOUBLES,
    )
    declare(table, "r2", "r3", "b4")
    declare(table, "y5")
    declare(table, "y6")
    rack = table.game["racks"][0]
    assert [rack[table.kind(t)] for t in ("r2", "y5", "r3", "y6", "b4")] == [
        1,
        1,
        1,
        1,
        2,
    ]


def test_a3_only_the_two_who_exchange_know_what(shorthand: Shorthand) -> None:
    table = Table(shorthand, "r2 r2 k1-13", "y5 y5 b1-12", "y6-13 b8-13", rules=DOUBLES)
    declare(table, "r2")
    declare(table, "y5")
    declare(table)
    known = table.game["known"]
    both = [table.kind("r2"), table.kind("y5")]
    assert sorted(tiles_of(known[0, 1])) == sorted(both)
    assert sorted(tiles_of(known[1, 0])) == sorted(both)
    assert not known[2].any()


def test_a3_jokers_are_no_double_and_nobody_has_to_declare(
    shorthand: Shorthand,
) -> None:
    table = Table(shorthand, "J J r5 r5 k1-11", "b1-13 k12", rules=DOUBLES)
    assert table.legal() == {table.kind("r5"), DECLARED}


def test_a3_three_doubles_allow_a_new_deal_only_by_option(
    shorthand: Shorthand,
) -> None:
    rack = "r5 r5 r6 r6 b7 b7 k1-9"
    table = Table(shorthand, rack, "b8-13 y1-8", rules=DOUBLES)
    assert NEW_DEAL not in table.legal()
    rules = DOUBLES.replace(refuse_with_three_doubles=True)
    table = Table(shorthand, rack, "b8-13 y1-8", rules=rules)
    before = table.rack(0)
    table.act(NEW_DEAL)
    assert table.rack(0) != before
    assert table.game["round"] == 0
    assert not table.game["round_ended"]
    table = Table(shorthand, "J J r6 r6 b7 b7 k1-9", "b8-13 y1-8", rules=rules)
    assert NEW_DEAL not in table.legal()


# ------------------------------------------------------------------- A.4: the turn


def test_a4_the_first_turn_has_no_draw(shorthand: Shorthand) -> None:
    table = Table(shorthand, JUNK + " k13", SIMPLE)
    assert table.game["phase"] == DISCARD_PHASE
    assert table.legal() == set(table.rack(0))
    table.discard("k13")
    assert table.game["phase"] == DRAW_PHASE
    assert table.game["seat"] == 1
    assert table.legal() == {DRAW_POOL, DRAW_ROW}


def test_a4_only_the_last_discard_can_be_drawn_and_is_not_discarded_at_once(
    shorthand: Shorthand,
) -> None:
    table = Table(shorthand, JUNK + " k13", JUNK)
    table.discard("k13")
    table.act(DRAW_ROW)
    assert table.game["racks"][1, table.kind("k13")] == 1
    assert table.kind("k13") not in table.legal()
    assert table.game["known"][0, 1, table.kind("k13")] == 1
    assert table.game["row_size"] == 0
    table.discard("r4")
    table.act(DRAW_POOL)
    assert table.game["row_size"] == 1


def test_a4_the_tile_taken_may_be_thrown_to_close(shorthand: Shorthand) -> None:
    table = Table(shorthand, JUNK + " k13", SIMPLE)
    table.discard("k13")
    table.act(DRAW_ROW)
    assert table.may_close("k13")


def test_a4_a_discarded_joker_is_taken_only_by_option(shorthand: Shorthand) -> None:
    plain = TablaRules(exchange_doubles=False)
    for takeable in (False, True):
        rules = plain.replace(discard_joker_takeable=takeable)
        table = Table(shorthand, JUNK + " J", SIMPLE, rules=rules)
        table.discard("J")
        assert (DRAW_ROW in table.legal()) == takeable


def test_a4_the_first_discard_is_dead_only_by_option(shorthand: Shorthand) -> None:
    rules = TablaRules(exchange_doubles=False, opening_discard_dead=True)
    table = Table(shorthand, JUNK + " k13", JUNK, rules=rules)
    table.discard("k13")
    assert table.legal() == {DRAW_POOL}
    table.act(DRAW_POOL)
    table.discard("r4")
    assert DRAW_ROW in table.legal()


def test_a4_discards_are_not_drawn_at_all_without_the_option(
    shorthand: Shorthand,
) -> None:
    rules = TablaRules(exchange_doubles=False, draw_discard=False)
    table = Table(shorthand, JUNK + " k13", JUNK, rules=rules)
    table.discard("k13")
    assert table.legal() == {DRAW_POOL}


# ------------------------------------------------------------------- A.5: closing


def test_a5_closing_takes_14_tiles_in_a_form_and_one_more(shorthand: Shorthand) -> None:
    table = Table(shorthand, SIMPLE + " k2", JUNK)
    assert table.may_close("k2")
    assert not table.may_close("r1")
    # 13 tiles in melds and two others are not enough.
    table = Table(shorthand, SIMPLE.replace("b5-8", "b5-7") + " k2 k13", JUNK)
    assert not any(action >= FIRST_CLOSE for action in table.legal())


def test_a5_closing_is_optional(shorthand: Shorthand) -> None:
    table = Table(shorthand, SIMPLE + " k2", JUNK)
    table.discard("k2")
    assert table.game["phase"] == DRAW_PHASE
    assert not table.game["round_ended"]


def test_a5_a_form_that_is_not_played_does_not_close(shorthand: Shorthand) -> None:
    rack = "r1 r1 r2 r4 r5 r5 r7 r8 r9 r9 r11 r12 r13 r13 k2"
    assert not Table(shorthand, rack, JUNK).may_close("k2")
    rules = TablaRules(exchange_doubles=False).enable("monocolor")
    assert Table(shorthand, rack, JUNK, rules=rules).may_close("k2")


def test_a5_only_the_closer_plays_on_and_the_deal_ends_at_once(
    shorthand: Shorthand,
) -> None:
    table = Table(shorthand, SIMPLE + " k2", JUNK)
    table.close("k2")
    assert table.game["round_ended"]
    assert table.game["closer"] == 0
    assert table.game["form"] == 0
    assert table.game["thrown"] == table.kind("k2")


# ------------------------------------------------------------------- A.9, A.10: scores

ONE = TablaRules(exchange_doubles=False, rounds=1)


def test_a9_the_closer_gets_the_points_from_each_opponent(shorthand: Shorthand) -> None:
    table = Table(shorthand, SIMPLE + " k2", JUNK, JUNK, rules=ONE)
    table.close("k2")
    assert table.scores == [500, -250, -250]
    assert table.game["rounds_won"][:3].tolist() == [1, 0, 0]


def test_a9_throwing_a_joker_to_close_pays_double(shorthand: Shorthand) -> None:
    """The example of A.10: a Tricolor closed with a joker by one of four."""
    table = Table(shorthand, "r1-5 y6-9 b9-13 J", JUNK, JUNK, JUNK, rules=ONE)
    table.close("J")
    assert table.scores == [3000, -1000, -1000, -1000]


def test_a9_the_best_form_counts(shorthand: Shorthand) -> None:
    table = Table(shorthand, "r1-14 k2", JUNK, rules=ONE)
    table.close("k2")
    assert table.scores == [1500, -1500]
    assert table.game["form"] == 22


def test_a9_a_flat_scale_pays_one(shorthand: Shorthand) -> None:
    rules = ONE.replace(points="flat", joker_close_multiplier=1)
    table = Table(shorthand, "r1-13 J J", JUNK, rules=rules)
    table.close("J")
    assert table.scores == [1, -1]


@pytest.mark.parametrize(("atu", "factor"), [("k1", 2), ("J", 2), ("k12", 1)])
def test_a9_a_1_or_a_joker_as_atu_doubles_by_option(
    atu: str, factor: int, shorthand: Shorthand
) -> None:
    for rules, times in ((ONE, 1), (ONE.replace(atu_doubles=True), factor)):
        table = Table(shorthand, SIMPLE + " k2", JUNK, rules=rules, atu=atu)
        table.close("k2")
        assert table.scores == [250 * times, -250 * times]


def test_a2_the_holder_of_the_atus_twin_is_paid_by_option_and_known() -> None:
    engine = Engine(ONE.replace(atu_twin_bonus=100), 3)
    games = engine.new_games(1)
    holders = set()
    for seed in range(30):
        engine.start(games, 0, seed)
        game = games[0]
        atu = int(game["atu"])
        holder = int(game["twin_holder"])
        holders.add(holder)
        assert [seat for seat in range(3) if game["racks"][seat, atu]] == (
            [holder] if holder >= 0 else []
        )
        known = game["known"][:3, :3, atu]
        assert known.sum() == (2 if holder >= 0 else 0)
        while not engine.is_over(games, 0):
            engine.act(
                games,
                0,
                DRAW_POOL
                if game["mask"][DRAW_POOL]
                else int(np.flatnonzero(game["mask"])[0]),
            )
        expected = [-100.0] * 3 if holder >= 0 else [0.0] * 3
        if holder >= 0:
            expected[holder] = 200
        if game["closer"] < 0:
            assert game["scores"][:3].tolist() == expected
    assert holders == {-1, 0, 1, 2}


def test_a10_the_deal_is_void_when_a_player_has_to_draw_from_an_empty_pool(
    shorthand: Shorthand,
) -> None:
    table = Table(shorthand, JUNK + " k13", JUNK, rules=ONE, pool="y5")
    table.discard("k13")
    table.act(DRAW_POOL)
    assert not table.game["round_ended"]
    table.discard("y5")
    assert table.game["round_ended"]
    assert table.game["phase"] == OVER_PHASE
    assert table.game["closer"] == -1
    assert table.scores == [0, 0]
    assert table.engine.match_shares(table.games, 0).tolist() == [0.5, 0.5]


def test_a10_with_an_empty_pool_the_row_is_left_by_option(shorthand: Shorthand) -> None:
    rules = ONE.replace(row_draw_on_empty=True)
    table = Table(shorthand, JUNK + " k13", JUNK, rules=rules, pool="y5")
    table.discard("k13")
    table.act(DRAW_POOL)
    table.discard("y5")
    assert table.legal() == {DRAW_POOL, DRAW_ROW}
    table.act(DRAW_ROW)
    table.discard("r4")
    table.act(DRAW_POOL)
    assert table.game["phase"] == OVER_PHASE


def test_a10_a_discarded_joker_leaves_nothing_to_draw(shorthand: Shorthand) -> None:
    rules = ONE.replace(row_draw_on_empty=True)
    table = Table(shorthand, JUNK + " k13", JUNK, rules=rules, pool="J")
    table.discard("k13")
    table.act(DRAW_POOL)
    table.discard("J")
    assert table.game["phase"] == OVER_PHASE


def test_a10_a_match_has_a_deal_for_each_player_and_the_first_turn_goes_round() -> None:
    engine = Engine("ours", 3)
    games = engine.new_games(1)
    engine.start(games, 0, 4)
    starters = [int(games[0]["starter"])]
    while not engine.is_over(games, 0):
        engine.act(games, 0, engine.scripted_action(games, 0, "random"))
        if games[0]["round_ended"] and not engine.is_over(games, 0):
            starters.append(int(games[0]["starter"]))
            assert games[0]["seat"] == games[0]["starter"]
    assert starters == [0, 1, 2]
    assert games[0]["round"] == 3


def test_a11_the_turn_cap_makes_a_deal_void(shorthand: Shorthand) -> None:
    table = Table(shorthand, JUNK + " k13", JUNK, rules=ONE.replace(turn_cap=2))
    table.discard("k13")
    table.act(DRAW_ROW)
    table.discard("r4")
    assert table.game["phase"] == OVER_PHASE
    assert table.game["closer"] == -1


# ------------------------------------------------------------------- illegal actions


def test_an_illegal_action_draws_and_discards_the_tile_drawn(
    shorthand: Shorthand,
) -> None:
    table = Table(shorthand, JUNK + " k13", SIMPLE, pool="y5 y6")
    table.discard("k13")
    table.engine.fail_turn(table.games, 0)
    assert table.game["seat"] == 0
    assert table.game["row"][:2].tolist() == list(shorthand("k13 y5"))
    assert table.rack(1) == tuple(sorted(shorthand(SIMPLE)))


def test_an_illegal_action_after_a_draw_from_the_row_discards_the_lowest_other_tile(
    shorthand: Shorthand,
) -> None:
    table = Table(shorthand, JUNK + " k1", "k1 k2 k4-13 b1 b2")
    table.discard("k1")
    table.act(DRAW_ROW)
    table.engine.fail_turn(table.games, 0)
    assert table.game["row"][0] == table.kind("k2")


def test_an_illegal_action_ends_a_declaration_as_it_stands(
    shorthand: Shorthand,
) -> None:
    table = Table(shorthand, "r3 r3 k1-13", "y9 y9 b1-12", rules=DOUBLES)
    table.act(table.kind("r3"))
    table.engine.fail_turn(table.games, 0)
    declare(table, "y9")
    assert table.game["exchanges"][0, 1] == 1


def test_jokers_may_be_discarded(shorthand: Shorthand) -> None:
    table = Table(shorthand, JUNK + " J", SIMPLE)
    assert JOKER in table.legal()
