"""Turns given as the table that they leave."""

import numpy as np
import pytest

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.melds import Meld
from rummi_env.core.notation import format_table, format_tiles, table_counts
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.match import Match
from rummi_env.envs.rummikub import Rummikub
from rummi_env.solver.exact import joker_sets
from rummi_training.play.explicit import judge, meld_told, perform, show_tiles


def match_at(position: str, rules: RuleSet | str = "official") -> Match:
    match = Match(rules, position.count("/") + 1)
    start = Rummikub.read_start({"position": position}, match.rules, match.num_players)
    match.start(1, start)
    return match


def shown(match: Match) -> tuple[Meld, ...]:
    melds: tuple[Meld, ...] = match.view(0, with_melds=True).melds
    return melds


def jokers_of(match: Match) -> list[int]:
    return sorted(bits for bits in match.games["joker_sets"][0].tolist() if bits)


def test_melds_stay_as_the_person_has_laid_them() -> None:
    match = match_at("R1 R2 R3 R4 R5 R6 ; K1 R7 K9 / B1")
    perform(match, judge(match, "R1 R2 R3 | R4 R5 R6 R7"))
    assert format_table(shown(match)) == "R1 R2 R3 | R4 R5 R6 R7"
    assert match.seat == 1
    assert format_tiles(match.games["racks"][0, 0]) == "K1 K9"


def test_a_table_stays_when_the_match_is_saved() -> None:
    match = match_at("R1 R2 R3 R4 R5 R6 ; K1 R7 / B1")
    perform(match, judge(match, "R1 R2 R3 | R4 R5 R6 R7"))
    again = Match("official", 2)
    again.load(match.save())
    assert format_table(shown(again)) == "R1 R2 R3 | R4 R5 R6 R7"


def test_the_table_of_the_last_turn_stays_as_well() -> None:
    match = match_at("R1 R2 R3 R4 R5 R6 ; R7 / B1")
    perform(match, judge(match, "R1 R2 R3 | R4 R5 R6 R7"))
    assert match.over
    assert format_table(shown(match)) == "R1 R2 R3 | R4 R5 R6 R7"


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("R1 R2 R3 | K5", Reason.TOO_SHORT),
        ("R1 R2 R3 K5", Reason.BROKEN_MELD),
        ("R1 R2 R3", Reason.NOTHING_PLAYED),
        ("K5 K6 K7", Reason.TABLE_TILE_MISSING),
        ("R1 R2 R3 R4", Reason.TILE_NOT_IN_RACK),
        ("R1 R2 R3 | K5 K6 K7 | J", Reason.TOO_SHORT),
    ],
)
def test_an_illegal_table_is_refused_and_changes_nothing(
    table: str, reason: Reason
) -> None:
    match = match_at("R1 R2 R3 ; K5 K6 K7 J B9 / B1")
    before = match.save()
    with pytest.raises(IllegalAction) as refused:
        judge(match, table)
    assert refused.value.reason is reason
    assert match.save() == before


def test_an_opening_is_worth_what_the_rules_ask_for() -> None:
    match = match_at("R1 R2 R3 ; K5 K6 K7 K11 K12 K13 / B1 ; ? ; 0 ; 00")
    with pytest.raises(IllegalAction, match="worth 18 points, 30 are needed"):
        judge(match, "R1 R2 R3 | K5 K6 K7")
    assert judge(match, "R1 R2 R3 | K11 K12 K13").played.sum() == 3


def test_a_joker_is_exchanged_under_sabra() -> None:
    match = match_at("R5 J R7 ; R6 K9 B9 K1 / B1 O9", "sabra")
    with pytest.raises(IllegalAction) as refused:
        judge(match, "R5 R7 R6 | K9 B9 K1 J")
    assert refused.value.reason is Reason.BROKEN_MELD
    perform(match, judge(match, "R5 R6 R7 | K9 B9 J"))
    assert format_table(shown(match)) == "R5 R6 R7 | K9 B9 J"
    # The joker may stand for both colors that the group lacks.
    assert jokers_of(match) == joker_sets(shown(match))[0].tolist()[:1]


def test_a_joker_that_is_not_released_stays() -> None:
    match = match_at("R5 J R7 ; R8 K9 B9 K1 / B1", "sabra")
    with pytest.raises(IllegalAction) as refused:
        judge(match, "R5 R7 R8 | K9 B9 J")
    assert refused.value.reason is Reason.BROKEN_MELD
    match = match_at("R5 R6 J R8 R9 R10 ; K9 B9 / B1", "sabra")
    with pytest.raises(IllegalAction) as refused:
        judge(match, "R8 R9 R10 | K9 B9 J | R5 R6")
    assert refused.value.reason is Reason.TOO_SHORT


def test_a_joker_that_the_machine_would_put_elsewhere_is_named() -> None:
    """Two groups could hold it; the lower one is what the rules take unasked."""
    match = match_at(" ; K5 B5 K9 B9 O9 J J K1 / B1 ; ? ; 0 ; 11", "sabra")
    lower = "K5 B5 J | K9 B9 O9"
    perform(match, judge(match, lower))
    assert format_table(shown(match)) == lower
    assert jokers_of(match) == joker_sets(shown(match))[0].tolist()[:1]

    match = match_at(" ; K5 B5 R5 K9 B9 J K1 / B1 ; ? ; 0 ; 11", "sabra")
    perform(match, judge(match, "K5 B5 R5 | K9 B9 J"))
    assert jokers_of(match) == joker_sets(shown(match))[0].tolist()[:1]


def test_a_joker_of_a_group_may_stand_for_all_that_it_lacks_whatever_it_is_named() -> (
    None
):
    match = match_at(" ; K9 B9 J K1 / B1 O9 ; ? ; 0 ; 11", "sabra")
    perform(match, judge(match, "K9 B9 J=R9"))
    assert format_table(shown(match)) == "K9 B9 J"
    assert jokers_of(match) == joker_sets(shown(match))[0].tolist()[:1]


def test_two_jokers_of_a_run_keep_their_names() -> None:
    match = match_at(" ; R5 J J K1 K2 / B1 O9 ; ? ; 0 ; 11", "sabra")
    perform(match, judge(match, "R5 J=R6 J=R7"))
    assert format_table(shown(match)) == "R5 J=R6 J=R7"
    assert meld_told(["R5", "J=R6", "J=R7"], match.rules)["tiles"] == [
        "R5", "J=R6", "J=R7",
    ]  # fmt: skip
    assert jokers_of(match) == sorted(joker_sets(shown(match))[0].tolist())


def test_melds_are_laid_anew_where_a_joker_may_stand_for_more_otherwise() -> None:
    match = match_at(" ; R8 R9 R10 K9 B9 J K1 K2 / B1 O9 ; ? ; 0 ; 11", "sabra")
    turn = judge(match, "R8 J R10 | K9 B9 R9")
    assert turn.melds is None
    perform(match, turn)
    assert set(map(str, shown(match))) == {"R8 R9 R10", "K9 B9 J"}
    assert jokers_of(match) == joker_sets(shown(match))[0].tolist()[:1]


def test_a_turn_of_too_many_actions_is_refused() -> None:
    rules = RuleSet(turn_actions=4)
    match = match_at(" ; K1 K2 K3 K4 B9 / B1 ; ? ; 0 ; 11", rules)
    assert judge(match, "K1 K2 K3").actions[-1] == 53
    with pytest.raises(IllegalAction, match="within 1 actions"):
        judge(match, "K1 K2 K3 K4")


@pytest.mark.parametrize("preset", RuleSet.presets())
def test_every_legal_turn_can_be_given_as_a_table(preset: str) -> None:
    """Plays whole rounds by tables; jokers stay as the melds say."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        match = Match(RuleSet.preset(preset, rounds=1), 3)
        match.start(seed, Rummikub.read_start(None, match.rules, 3))
        while not match.over:
            turn = match.turn()
            play = (
                turn.best("tiles") if match.view(match.seat).phase == "play" else None
            )
            if play is None:
                match.act(53)
                continue
            melds = list(turn.table_after(play.counts))
            rng.shuffle(melds)
            perform(match, judge(match, format_table(melds)))
            if match.over:
                break
            left = table_counts(shown(match)) - match.games["table"][0]
            assert not left.any()
            if match.rules.joker_release == "exact":
                sets = joker_sets(shown(match))[0].tolist()
                assert jokers_of(match) == sorted(bits for bits in sets if bits)


def test_tiles_shown_are_those_that_could_be_played() -> None:
    match = match_at("R1 R2 R3 ; R4 K9 B1 / B1")
    tiles = match.turn().rack
    show_tiles(match, tiles)
    assert format_tiles(match.games["played"][0]) == "R4"
    match.fail()
    assert format_tiles(match.view(1).players[1].known) == "R4"


def test_a_meld_is_told_in_its_order_with_what_its_jokers_are() -> None:
    rules = RuleSet()
    assert meld_told(["R7", "R5", "J"], rules) == {
        "legal": True,
        "tiles": ["R5", "J", "R7"],
        "stands": [[], ["R6"], []],
    }
    assert meld_told(["K9", "J", "B9"], rules)["stands"] == [[], [], ["R9", "O9"]]
    assert meld_told(["K9"], rules)["legal"] is False
