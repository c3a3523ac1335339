"""Every paragraph of the rules of turns, endings and scores, one test or more each.

The numbers are the paragraphs of the project's rules document: 2 is the turn, 4 the end
of a round. Positions are written in the notation; in each, seat 0 is to move.
"""

from typing import Any

import numpy as np
import pytest

from rummi_env.core.deals import parse_deal
from rummi_env.core.notation import format_tiles, parse_tile, parse_tiles
from rummi_env.core.positions import parse_position
from rummi_env.core.rulesets import RuleSet
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.winners import match_shares

END = 53
REDEAL = 54

OFFICIAL = RuleSet()


class Match:
    """A match at a given position or deal, and what a test asks about it."""

    def __init__(
        self, text: str, rules: RuleSet = OFFICIAL, deal: bool = False
    ) -> None:
        self.players = text.split(";")[0 if deal else 1].count("/") + 1
        self.engine = Engine(rules, self.players)
        self.games = self.engine.new_games(1)
        self.engine.start(self.games, 0, seed=1)
        if deal:
            self.engine.place_deal(self.games, 0, parse_deal(text, rules))
        else:
            self.engine.place_position(self.games, 0, parse_position(text, rules))

    @property
    def game(self) -> Any:
        return self.games[0]

    @property
    def seat(self) -> int:
        return int(self.game["seat"])

    @property
    def scores(self) -> list[float]:
        return list(map(float, self.game["scores"][: self.players]))

    @property
    def is_over(self) -> bool:
        return self.engine.is_over(self.games, 0)

    @property
    def table(self) -> str:
        return format_tiles(self.game["table"])

    @property
    def tiles_left(self) -> int:
        return int(self.game["pool_size"] - self.game["drawn"])

    def rack(self, seat: int) -> str:
        return format_tiles(self.game["racks"][seat])

    def may(self, action: str | int) -> bool:
        index = parse_tile(action) if isinstance(action, str) else action
        return bool(self.game["mask"][index])

    def tiles(self) -> str:
        """Return the tiles that can be played now."""
        return format_tiles(self.game["mask"][:53])

    def play(self, tiles: str) -> None:
        """Play these tiles one after the other and end the turn."""
        for tile in tiles.split():
            assert self.may(tile), f"{tile} of {tiles}"
            self.engine.act(self.games, 0, parse_tile(tile))
        self.end()

    def end(self) -> None:
        assert self.may(END)
        self.engine.act(self.games, 0, END)

    def name(self, tile: str) -> None:
        assert self.may(tile)
        self.engine.act(self.games, 0, parse_tile(tile))


# ------------------------------------------------------------------- 2.1: play or draw


def test_2_1_a_tile_may_be_drawn_although_a_play_exists_and_ends_the_turn() -> None:
    match = Match("R5 R6 R7 ; R8 K1 / B1 ; O5 O6 ; 0")
    assert match.tiles() == "R8"
    match.end()
    assert match.rack(0) == "K1 R8 O5"
    assert match.seat == 1
    assert match.table == "R5 R6 R7"
    assert match.tiles_left == 1


def test_2_1_playing_draws_no_tile() -> None:
    match = Match("R5 R6 R7 ; R8 K1 / B1 ; O5 O6 ; 0")
    match.play("R8")
    assert match.rack(0) == "K1"
    assert match.table == "R5 R6 R7 R8"
    assert match.tiles_left == 2
    assert match.seat == 1


def test_2_1_with_an_empty_pool_a_player_passes() -> None:
    match = Match("R5 R6 R7 ; K1 K2 / B1 ; ; 0")
    match.end()
    assert match.rack(0) == "K1 K2"
    assert match.seat == 1


def test_2_1_must_play_takes_the_pass_away_while_a_play_exists() -> None:
    position = "R5 R6 R7 ; R8 K1 / B1 ; ; 0"
    assert not Match(position).may(END)
    lenient = OFFICIAL.replace(must_play_when_pool_empty=False)
    assert Match(position, lenient).may(END)


def test_2_1_must_play_binds_only_when_the_pool_is_empty() -> None:
    assert Match("R5 R6 R7 ; R8 K1 / B1 ; O1 ; 0").may(END)


# ---------------------------------------------------------------- 2.2: what a play does


def test_2_2_the_table_cannot_be_changed_without_a_rack_tile() -> None:
    # The turn of somebody who names no tile is a draw, whatever could be rearranged.
    match = Match("R5 R6 R7 R8 R9 R10 ; K1 / B1 ; O1 ; 0")
    match.end()
    assert match.table == "R5 R6 R7 R8 R9 R10"
    assert match.rack(0) == "K1 O1"


def test_2_2_a_turn_cannot_end_while_the_tiles_named_are_no_legal_table() -> None:
    match = Match("; R5 R6 R7 K1 / B1 ; O1 ; 0")
    match.name("R5")
    assert not match.may(END)
    match.name("R7")
    assert not match.may(END)
    match.name("R6")
    assert match.may(END)


def test_2_2_the_order_in_which_tiles_are_named_is_free() -> None:
    tables = set()
    for order in ("B4 B6 B7", "B7 B4 B6", "B6 B7 B4"):
        match = Match("B5 R5 K5 O5 ; B4 B6 B7 K1 / B1 ; O1 ; 0")
        match.play(order)
        tables.add(match.table)
    assert tables == {"K5 R5 B4 B5 B6 B7 O5"}


def test_2_2_no_tile_is_legal_that_no_completion_can_place() -> None:
    assert Match("R5 R6 R7 ; R9 R10 K1 / B1 ; O1 ; 0").tiles() == ""
    assert Match("R5 R6 R7 ; R8 R9 K1 / B1 ; O1 ; 0").tiles() == "R8 R9"


# --------------------------------------------------------------------- 2.3: the opening


def test_2_3_an_opening_is_worth_thirty_points_or_more() -> None:
    assert Match("; R9 R10 R11 / B1 ; O1 ; 0 ; 01").tiles() == "R9 R10 R11"
    assert Match("; R8 R9 R10 / B1 ; O1 ; 0 ; 01").tiles() == ""


def test_2_3_several_melds_add_up_to_the_opening() -> None:
    match = Match("; K1 K2 K3 K12 R8 B8 O8 / B1 ; O1 ; 0 ; 01")
    assert match.tiles() == "K1 K2 K3 R8 B8 O8"
    match.name("R8")
    match.name("B8")
    match.name("O8")
    assert not match.may(END)
    match.play("K1 K2 K3")
    assert match.game["opened"][0]


def test_2_3_a_joker_counts_as_the_tile_it_stands_for() -> None:
    assert Match("; K10 B10 J / B1 ; O1 ; 0 ; 01").tiles() == "K10 B10 J"
    assert Match("; K9 B9 J / B1 ; O1 ; 0 ; 01").tiles() == ""


def test_2_3_until_the_opening_nothing_on_the_table_may_be_touched() -> None:
    assert Match("R5 R6 R7 ; R8 K1 / B1 ; O1 ; 0 ; 01").tiles() == ""
    position = "R9 R10 R11 ; B10 O10 K10 R12 / B1 ; O1 ; 0 ; {}"
    assert Match(position.format("01")).tiles() == "K10 B10 O10"
    assert Match(position.format("11")).tiles() == "K10 R12 B10 O10"


def test_2_3_after_the_opening_the_table_is_free_from_the_next_turn_on() -> None:
    match = Match("R9 R10 R11 ; B10 O10 K10 R12 K1 / B1 ; O1 O2 ; 0 ; 01")
    match.play("B10 O10 K10")
    match.end()
    assert match.tiles() == "R12"


def test_2_3_an_opening_of_no_points_still_needs_a_meld() -> None:
    rules = OFFICIAL.replace(opening_points=0)
    match = Match("; K1 K2 K3 R7 / B1 ; O1 ; 0 ; 01", rules)
    assert match.tiles() == "K1 K2 K3"
    match.end()
    assert match.rack(0) == "K1 K2 K3 R7 O1"
    assert not match.game["opened"][0]


# -------------------------------------------------------- 2.4: time and illegal actions


def test_2_4_an_illegal_turn_is_taken_back_and_costs_the_penalty() -> None:
    match = Match("R5 R6 R7 ; R8 R9 K1 / B1 ; O1 O2 O3 O4 ; 0")
    match.name("R8")
    match.engine.fail_turn(match.games, 0)
    assert match.table == "R5 R6 R7"
    assert match.rack(0) == "K1 R8 R9 O1 O2 O3"
    assert match.seat == 1
    assert not match.game["played"].any()


def test_2_4_the_penalty_is_what_the_pool_has_left() -> None:
    match = Match("R5 R6 R7 ; R8 K1 / B1 ; O1 O2 ; 0")
    match.engine.fail_turn(match.games, 0)
    assert match.rack(0) == "K1 R8 O1 O2"
    assert match.tiles_left == 0


def test_2_4_running_out_of_time_costs_one_thing_or_another() -> None:
    rules = OFFICIAL.replace(timeout_penalty=2, unfinished_penalty=4)
    position = "R5 R6 R7 ; R8 R9 K1 / B1 ; O1 O2 O3 O4 O5 ; 0"
    idle = Match(position, rules)
    idle.engine.time_out(idle.games, 0)
    assert idle.rack(0) == "K1 R8 R9 O1 O2"
    unfinished = Match(position, rules)
    unfinished.name("R8")
    unfinished.engine.time_out(unfinished.games, 0)
    assert unfinished.rack(0) == "K1 R8 R9 O1 O2 O3 O4"


def test_2_4_a_failed_opening_opens_nothing() -> None:
    match = Match("; R9 R10 R11 K1 / B1 ; O1 O2 O3 ; 0 ; 01")
    for tile in ("R9", "R10", "R11"):
        match.name(tile)
    match.engine.fail_turn(match.games, 0)
    assert not match.game["opened"][0]


def test_2_4_a_failed_turn_with_an_empty_pool_counts_as_a_pass() -> None:
    match = Match("R5 R6 R7 ; R8 K1 / B1 ; ; 0")
    match.engine.fail_turn(match.games, 0)
    assert not match.is_over
    match.end()
    assert match.is_over


def test_2_4_tiles_shown_in_a_failed_turn_stay_known_until_they_are_played() -> None:
    match = Match("R5 R6 R7 ; R8 R9 K1 / B1 ; O1 O2 O3 O4 ; 0")
    match.name("R8")
    match.name("R9")
    match.engine.fail_turn(match.games, 0)
    assert format_tiles(match.game["known"][0]) == "R8 R9"
    match.end()
    match.play("R8")
    assert format_tiles(match.game["known"][0]) == "R9"


# ----------------------------------------------------------------------- 2.5: redealing

THREE_PAIRS = "K1 K1 K2 K2 K3 K3"
NO_PAIRS = "O1 O2 O3 O5 O6 O7"
REDEALING = OFFICIAL.replace(redeal_on_three_pairs=True, rack_size=6)


def test_2_5_whoever_is_dealt_three_pairs_is_asked_in_seat_order() -> None:
    pairs = "R1 R1 R2 R2 J J"
    text = f"{NO_PAIRS} / {THREE_PAIRS} / {pairs} ; ; 1"
    match = Match(text, REDEALING, deal=True)
    assert match.seat == 1
    assert match.may(REDEAL) and match.may(END)
    assert match.game["mask"].sum() == 2
    match.end()
    assert match.seat == 2
    match.end()
    assert match.seat == 1
    assert not match.may(REDEAL)
    assert match.rack(1) == THREE_PAIRS
    assert match.rack(2) == pairs


def test_2_5_demanding_a_new_deal_gives_all_new_racks() -> None:
    match = Match(f"{NO_PAIRS} / {THREE_PAIRS} ; ; 1", REDEALING, deal=True)
    match.engine.act(match.games, 0, REDEAL)
    assert match.rack(0) != NO_PAIRS
    assert match.rack(1) != THREE_PAIRS
    assert match.tiles_left == 106 - 12
    assert match.game["starter"] == 1


def test_2_5_two_pairs_are_not_enough() -> None:
    text = f"{NO_PAIRS} / K1 K1 K2 K2 K3 K4 ; ; 0"
    assert not Match(text, REDEALING, deal=True).may(REDEAL)


def test_2_5_without_the_rule_nobody_is_asked() -> None:
    rules = OFFICIAL.replace(rack_size=6)
    match = Match(f"{THREE_PAIRS} / {NO_PAIRS} ; ; 1", rules, deal=True)
    assert match.seat == 1
    assert not match.may(REDEAL)


def test_2_5_a_late_or_illegal_answer_keeps_the_rack() -> None:
    match = Match(f"{THREE_PAIRS} / {NO_PAIRS} ; ; 1", REDEALING, deal=True)
    match.engine.fail_turn(match.games, 0)
    assert match.seat == 1
    assert not match.may(REDEAL)
    assert match.rack(0) == THREE_PAIRS


# -------------------------------------------------------------- 4: an empty rack wins


def test_4_losers_with_5_16_and_3_lose_them_to_the_winner() -> None:
    """Worked case of Triple S Games."""
    match = Match("R5 R6 R7 ; R8 / K5 / K6 K10 / B3 ; O1 ; 0")
    match.play("R8")
    assert match.is_over
    assert match.scores == [24, -5, -16, -3]


def test_4_a_joker_left_on_a_rack_costs_30() -> None:
    match = Match("R5 R6 R7 ; R8 / J K4 / K10 K11 / B2 ; O1 ; 0")
    match.play("R8")
    assert match.scores == [57, -34, -21, -2]


def test_4_the_tournament_charges_who_never_opened_100_or_200() -> None:
    rules = RuleSet.preset(
        "tournament", joker_release="free", redeal_on_three_pairs=False
    )
    racks = "R8 / K4 K13 / K10 K11 / B11 B12 B13"
    match = Match(f"R5 R6 R7 ; {racks} ; O1 ; 0 ; 1100", rules)
    match.play("R8")
    assert match.scores == [317, -17, -100, -200]


def test_4_going_out_with_the_opening_wins() -> None:
    match = Match("; R9 R10 R11 / K5 ; O1 ; 0 ; 01")
    match.play("R9 R10 R11")
    assert match.scores == [5, -5]


def test_4_with_the_last_tile_played_ending_the_turn_is_all_that_is_legal() -> None:
    match = Match("R5 R6 R7 ; R8 / K5 ; O1 ; 0")
    match.name("R8")
    assert match.game["mask"].sum() == 1
    assert match.may(END)


# ---------------------------------------------------------- 4: the pool is empty

RACKS = "K2 K13 / R8 / B9 B13 / O6 O13"
"""Racks of 15, 8, 22 and 19 that cannot be played."""


def end_in_turn(match: Match, seats: list[int]) -> None:
    """Let the seats end their turns in this order, and the round with the last."""
    for seat in seats:
        assert not match.is_over
        assert match.seat == seat
        match.end()
    assert match.is_over


def test_4_difference_takes_racks_of_15_8_22_19_as_what_exceeds_the_lowest() -> None:
    match = Match(f"; {RACKS} ; ; 0")
    end_in_turn(match, [0, 1, 2, 3])
    assert match.scores == [-7, 32, -14, -11]


def test_4_sum_minus_winner_once_takes_racks_of_15_8_22_19_literally() -> None:
    rules = OFFICIAL.replace(pool_empty_scoring="sum_minus_winner_once")
    match = Match(f"; {RACKS} ; ; 0", rules)
    end_in_turn(match, [0, 1, 2, 3])
    assert match.scores == [-15, 48, -22, -19]


@pytest.mark.parametrize(
    ("scoring", "scores"),
    [("difference", [-4, 2, 2]), ("sum_minus_winner_once", [-6, 2, 2])],
)
def test_4_who_tie_for_the_lowest_rack_share_the_points_equally(
    scoring: str, scores: list[float]
) -> None:
    rules = OFFICIAL.replace(pool_empty_scoring=scoring)
    match = Match("; K6 / R2 / B2 ; ; 0", rules)
    end_in_turn(match, [0, 1, 2])
    assert match.scores == scores
    assert list(match.game["rounds_won"][:3]) == [0, 0.5, 0.5]


def test_4_all_who_tie_score_nothing() -> None:
    match = Match("; K2 / R2 / B2 ; ; 0")
    end_in_turn(match, [0, 1, 2])
    assert match.scores == [0, 0, 0]


def test_4_immediate_ends_the_round_with_the_turn_of_the_last_tile() -> None:
    rules = OFFICIAL.replace(pool_empty="immediate")
    match = Match("; K6 / R2 / B4 ; O1 O3 ; 0", rules)
    end_in_turn(match, [0, 1])
    assert match.rack(1) == "R2 O3"
    assert match.scores == [-3, -1, 4]


def test_4_immediate_ends_the_round_when_a_penalty_took_the_last_tile() -> None:
    rules = OFFICIAL.replace(pool_empty="immediate")
    match = Match("; K6 / R2 / B4 ; O1 O3 ; 0", rules)
    match.engine.fail_turn(match.games, 0)
    assert match.is_over


def test_4_one_more_turn_goes_round_once_and_ends_with_who_drew_the_last_tile() -> None:
    rules = OFFICIAL.replace(pool_empty="one_more_turn")
    match = Match("; K6 / R2 / B4 ; O1 O3 ; 0", rules)
    end_in_turn(match, [0, 1, 2, 0, 1])
    assert match.scores == [-3, -1, 4]


def test_4_one_more_turn_counts_turns_with_a_play_and_failed_ones_too() -> None:
    rules = OFFICIAL.replace(pool_empty="one_more_turn")
    match = Match("R5 R6 R7 ; K6 / R8 R2 / B4 ; O1 ; 0", rules)
    match.end()
    match.play("R8")
    match.engine.fail_turn(match.games, 0)
    assert not match.is_over
    match.end()
    assert match.is_over
    assert match.rack(1) == "R2"


def test_4_until_stuck_plays_on_until_all_have_passed_in_succession() -> None:
    match = Match("R5 R6 R7 ; K6 / R8 K1 K2 / B4 ; O1 ; 0")
    match.end()
    assert match.rack(0) == "K6 O1"
    match.play("R8")
    match.end()
    match.end()
    assert not match.is_over
    match.end()
    assert match.is_over
    assert match.scores == [-4, 5, -1]


def test_4_until_stuck_the_turn_that_draws_the_last_tile_is_no_pass() -> None:
    match = Match("; K6 / R2 ; O1 ; 0")
    end_in_turn(match, [0, 1, 0])


def test_4_the_racks_decide_the_winner_and_an_unopened_one_is_charged_nothing() -> None:
    rules = OFFICIAL.replace(
        unopened_penalty=(100, 200), must_play_when_pool_empty=False
    )
    match = Match("; K6 / R2 / B10 B11 B12 ; ; 0 ; 100", rules)
    end_in_turn(match, [0, 1, 2])
    assert match.scores == [-4, 204, -200]


def test_4_an_opening_on_the_final_rack_is_judged_by_the_points_needed() -> None:
    rules = OFFICIAL.replace(unopened_penalty=(100, 200), opening_points=34)
    match = Match("; K6 / R2 / B10 B11 B12 ; ; 0 ; 100", rules)
    end_in_turn(match, [0, 1, 2])
    assert match.scores == [-4, 104, -100]


# --------------------------------------------------------------------- 4: matches


def play_match(rules: RuleSet, seed: int) -> tuple[Match, list[list[float]]]:
    """Play a match at random; return it and the scores of its rounds."""
    rules = rules.replace(rack_size=3)
    match = Match("K1 K2 K3 / R1 R2 R3 / B1 B2 B3", rules, deal=True)
    match.engine.start(match.games, 0, seed)
    rounds = []
    while not match.is_over:
        action = match.engine.scripted_action(match.games, 0, "random")
        match.engine.act(match.games, 0, action)
        if match.game["round_ended"]:
            rounds.append(match.scores)
    return match, rounds


def test_4_the_scores_of_the_rounds_of_a_match_add_up() -> None:
    match, rounds = play_match(OFFICIAL.replace(rounds=3), seed=3)
    assert len(rounds) == 3
    totals = match.game["totals"][:3]
    assert totals == pytest.approx(np.sum(rounds, axis=0))


@pytest.mark.parametrize("seed", range(5))
def test_4_a_match_is_won_by_points_or_by_rounds_and_then_points(seed: int) -> None:
    for match_winner in ("points", "rounds_won"):
        rules = OFFICIAL.replace(rounds=4, match_winner=match_winner)
        match, rounds = play_match(rules, seed)
        totals = np.sum(rounds, axis=0)
        won = np.zeros(3)
        for scores in rounds:
            best = [score == max(scores) for score in scores]
            won += np.array(best) / sum(best)
        leaders = np.full(3, True)
        if match_winner == "rounds_won":
            leaders = won > won.max() - 1e-6
        highest = totals[leaders].max()
        winners = leaders & (totals > highest - 1e-6)
        shares = match_shares(match.games, 0, match.engine.codes)
        assert shares == pytest.approx(winners / winners.sum())


@pytest.mark.parametrize(
    ("starter", "expected"), [("rotate", [0, 1, 2, 0]), (2, [2, 2, 2, 2])]
)
def test_4_who_starts_the_rounds_rotates_or_is_a_seat(
    starter: str | int, expected: list[int]
) -> None:
    rules = OFFICIAL.replace(rounds=4, rack_size=3, starter=starter)
    engine = Engine(rules, 3)
    games = engine.new_games(1)
    engine.start(games, 0, seed=1)
    starters = [int(games[0]["starter"])]
    while not engine.is_over(games, 0):
        engine.act(games, 0, engine.scripted_action(games, 0, "random"))
        if games[0]["round_ended"] and not engine.is_over(games, 0):
            starters.append(int(games[0]["starter"]))
            assert games[0]["seat"] == starters[-1]
    assert starters == expected


def test_5_a_deck_without_jokers_or_colors_never_deals_them() -> None:
    rules = RuleSet(numbers=6, colors=3, copies=1, jokers=0, rack_size=5)
    engine = Engine(rules, 2)
    games = engine.new_games(1)
    engine.start(games, 0, seed=1)
    game = games[0]
    tiles = game["racks"].sum(axis=0)
    np.add.at(tiles, game["pool"][game["drawn"] : game["pool_size"]], 1)
    assert format_tiles(tiles) == format_tiles(
        parse_tiles("K1 K2 K3 K4 K5 K6 R1 R2 R3 R4 R5 R6 B1 B2 B3 B4 B5 B6")
    )


def test_5_a_deck_too_small_for_the_deal_is_refused() -> None:
    with pytest.raises(ValueError, match="the deck is too small"):
        Engine(RuleSet(numbers=6, colors=2, copies=1, rack_size=8), 2)
