"""Every paragraph of the rules of exact jokers (rule sets, section 3), played.

Positions are written in the notation; in each, seat 0 is to move. `J=R7` among the
actions is the one that names a joker so.
"""

import numpy as np
import pytest

from rummi_env import RuleSet, rummikub_v0
from rummi_env.core.notation import format_tiles, parse_tile
from rummi_env.core.tiles import JOKER, tile_name
from rummi_env.envs.aec import raw_env
from rummi_env.observation import by_name, fields, text_to_action

EXACT = ("sabra", "triple_s", "tournament")
PRESETS = RuleSet.presets()
END, FIRST_NAME = 53, 54


class Table:
    """A game at a position, and what a test asks about it."""

    def __init__(self, position: str, rules: RuleSet | str) -> None:
        table, rack, *flags = position.split(";")
        text = f"{table} ; {rack} / K1 ; ? ; 0 ; {flags[0] if flags else '11'}"
        # In a match of one round a table stays to be seen when somebody is out.
        self.rules = RuleSet.of(rules).replace(rounds=1)
        self.env: raw_env = rummikub_v0.raw_env(rules=self.rules, on_illegal="raise")
        self.env.reset(seed=1, options={"position": text})

    @property
    def mask(self) -> np.ndarray:
        mask: np.ndarray = self.env.observe("player_0")["action_mask"]
        return mask

    def tiles(self) -> str:
        """Return the tiles that can be played now."""
        return format_tiles(self.mask[: JOKER + 1])

    def names(self) -> str:
        """Return what a joker can be named as now."""
        kinds = np.flatnonzero(self.mask[FIRST_NAME : FIRST_NAME + JOKER])
        return " ".join(tile_name(int(kind)) for kind in kinds)

    def do(self, actions: str) -> "Table":
        """Perform actions one after the other."""
        for action in actions.split():
            self.env.step(text_to_action(action, self.rules))
        return self

    def may(self, action: str) -> bool:
        return bool(self.mask[text_to_action(action, self.rules)])

    @property
    def melds(self) -> set[str]:
        return set(map(str, self.env.position().table))

    def jokers(self) -> list[str]:
        """Return what the jokers on the table may stand for."""
        observation = self.env.observe("player_0")["observation"]
        parts = by_name(observation, fields(self.rules, 2))
        return [
            " ".join(tile_name(int(kind)) for kind in np.flatnonzero(row))
            for row in parts["joker_identities"]
            if row.any()
        ]


# ------------------------------------------------------------------------ identities


@pytest.mark.parametrize("rules", EXACT)
@pytest.mark.parametrize(
    ("table", "stands_for"),
    [
        ("B4 J B6", ["B5"]),
        ("B4 B5 J", ["B6"]),
        ("J B12 B13", ["B11"]),
        ("K8 R8 J", ["B8 O8"]),
        ("K8 R8 B8 J", ["O8"]),
        ("K8 R8 J=B8", ["B8"]),
        ("K8 J J", ["R8 B8 O8", "R8 B8 O8"]),
    ],
)
def test_3_a_joker_stands_for_its_place_in_a_run_and_any_missing_color_of_a_group(
    rules: str, table: str, stands_for: list[str]
) -> None:
    assert Table(f"{table} ; R1", rules).jokers() == stands_for


# ------------------------------------------------------------------------------- free


@pytest.mark.parametrize("rules", ["official", "online"])
def test_3_free_only_the_final_table_is_judged(rules: str) -> None:
    # B4 and B6 find other places, and nothing has taken that of the joker.
    table = Table("B4 J B6 | B7 B8 B9 | K4 R4 O4 ; R12 R13", rules)
    assert table.tiles() == "R12 R13"
    table.do("R12 R13 end")
    assert sum(meld.count("J") for meld in table.melds) == 1


@pytest.mark.parametrize("rules", EXACT)
def test_3_exact_that_is_no_play(rules: str) -> None:
    assert Table("B4 J B6 | B7 B8 B9 | K4 R4 O4 ; R12 R13", rules).tiles() == ""


@pytest.mark.parametrize("rules", ["official", "online"])
def test_3_free_jokers_are_not_named(rules: str) -> None:
    assert len(Table("B4 J B6 ; B7", rules).mask) == 54


# ------------------------------------------------------------------------------- held


@pytest.mark.parametrize("rules", EXACT)
@pytest.mark.parametrize(
    ("table", "tiles"),
    [
        ("B4 J B6", "B7"),
        ("B4 J B6", "B2 B3"),
        ("B4 J B6 B7 B8", "B5 B6"),
        ("B4 J B6 B7", "R4 K4"),
        ("B2 B3 B4 J B6 B7 B8", "R5 K5"),
    ],
)
def test_3_a_held_joker_is_moved_and_its_meld_split_as_if_it_were_its_tile(
    rules: str, table: str, tiles: str
) -> None:
    place = Table(f"{table} ; {tiles} K13", rules).do(f"{tiles} J=B5")
    assert place.may("end")
    place.do("end")
    assert place.jokers()[0].split().count("B5") == 1


@pytest.mark.parametrize("rules", EXACT)
def test_3_a_joker_of_a_group_is_held_as_any_color_that_the_group_lacked(
    rules: str,
) -> None:
    for tiles in ("B9 B10", "O9 O10"):
        table = Table(f"K8 R8 J O8 ; {tiles}", rules)
        assert table.tiles() == ("B9 B10" if tiles == "B9 B10" else "O9 O10")
    # The fourth color leaves it the other one, and only that.
    table = Table("K8 R8 J ; B8", rules).do("B8 J=O8 end")
    assert table.jokers() == ["O8"]


# --------------------------------------------------------------------------- released


@pytest.mark.parametrize("rules", EXACT)
def test_3_a_tile_of_the_rack_in_its_place_releases_a_joker(rules: str) -> None:
    table = Table("B4 J B6 ; B5 R1 R2", rules)
    assert table.tiles() == "R1 R2 B5"
    table.do("B5 R1 R2 J=R3 end")
    assert table.melds == {"B4 B5 B6", "R1 R2 J"}
    assert table.jokers() == ["R3"]


@pytest.mark.parametrize("rules", EXACT)
@pytest.mark.parametrize("tile", ["B8", "O8"])
def test_3_in_a_group_of_three_either_missing_color_releases_it(
    rules: str, tile: str
) -> None:
    table = Table(f"K8 R8 J ; {tile} R1 R2", rules).do(f"{tile} R1 R2 J=R3 end")
    assert table.jokers() == ["R3"]


@pytest.mark.parametrize("rules", EXACT)
def test_3_in_a_group_of_four_only_the_fourth_color_does(rules: str) -> None:
    assert Table("K8 R8 B8 J ; O8 R1 R2", rules).tiles() == "R1 R2 O8"
    assert Table("K8 R8 B8 J ; B8 R1 R2", rules).tiles() == ""


@pytest.mark.parametrize(
    ("rules", "tiles"), [("sabra", "R1 R2"), ("tournament", "R1 R2"), ("triple_s", "")]
)
def test_3_joker_source_a_tile_of_the_table_releases_one_or_does_not(
    rules: str, tiles: str
) -> None:
    assert Table("B4 J B6 | B5 K5 R5 O5 ; R1 R2", rules).tiles() == tiles


def test_3_one_natural_tile_releases_one_joker_only() -> None:
    rules = RuleSet.preset("sabra", joker_source="rack")
    one = Table("B4 J B6 | B4 J B6 ; B5 R1 R13", rules)
    assert not one.do("B5").may("R13")
    two = Table("B4 J B6 | B4 J B6 ; B5 B5 R1 R2 R12 R13", rules)
    two.do("B5 B5 R1 R2 R12 R13 J=R3 J=R11 end")
    assert sorted(two.jokers()) == ["R11", "R3"]
    one = Table("B4 J B6 | B4 J B6 ; B5 R1 R2 R12 R13", rules)
    assert not one.do("B5 R1 R2").may("R12")


@pytest.mark.parametrize("rules", EXACT)
def test_3_two_jokers_of_one_group_need_two_different_colors(rules: str) -> None:
    once = Table("K8 J J ; R8 R8 R1 R2 R12 R13", rules).do("R8 R1 R2")
    assert not once.may("R8")
    assert not once.may("R12")
    both = Table("K8 J J ; R8 B8 R1 R2 R12 R13", rules)
    both.do("R8 B8 R1 R2 R12 R13 end")
    assert sorted(both.jokers()) == ["R11", "R3"]


@pytest.mark.parametrize("rules", EXACT)
def test_3_a_released_joker_never_goes_to_a_rack(rules: str) -> None:
    table = Table("K4 R4 J ; B4 O4 R12", rules).do("B4")
    # With both colors there the joker had no place left.
    assert not table.may("O4")
    assert table.may("end")


@pytest.mark.parametrize(
    ("rules", "tiles"), [("sabra", "B5"), ("tournament", "B5"), ("triple_s", "")]
)
def test_3_joker_reuse_any_meld_takes_it_or_only_one_of_the_rack(
    rules: str, tiles: str
) -> None:
    table = Table("B4 J B6 ; B5", rules)
    assert table.tiles() == tiles
    if tiles:
        assert table.do("B5").names() == "B3 B7"


def test_3_new_meld_from_rack_counts_tiles_by_kind_and_not_by_origin() -> None:
    # One R1 is of the table, the other of the rack: the new meld has that of the rack.
    table = Table("B4 J B6 | K1 R1 B1 O1 ; B5 R1 R2", "triple_s")
    assert table.tiles() == "R1 R2 B5"
    # With a single R1, which is of the table, there is none.
    assert Table("B4 J B6 | K1 R1 B1 O1 ; B5 R2", "triple_s").tiles() == ""


def test_3_new_meld_from_rack_another_released_joker_is_no_rack_tile() -> None:
    table = "B4 J B6 | O4 J O6"
    assert Table(f"{table} ; B5 O5 R1", "sabra").do("B5 O5 R1").may("end")
    assert Table(f"{table} ; B5 O5 R1", "triple_s").tiles() == ""


@pytest.mark.parametrize("rules", EXACT)
def test_3_a_joker_of_the_rack_may_lie_in_any_meld(rules: str) -> None:
    table = Table("B4 B5 B6 ; J", rules)
    assert table.names() == "B3 B7"
    assert table.do("J J=B7 end").melds == {"B4 B5 B6 J"}


@pytest.mark.parametrize("rules", EXACT)
def test_3_jokers_per_meld_one_keeps_two_jokers_apart(rules: str) -> None:
    for per_meld, tiles in ((1, "J"), (2, "K8 J J")):
        changed = RuleSet.preset(rules, jokers_per_meld=per_meld)
        table = Table("R1 R2 R3 ; K8 J J", changed)
        most = table.env.current_turn().best("tiles")
        assert most is not None
        assert format_tiles(most.counts) == tiles


# -------------------------------------------------------------------------- the opening


@pytest.mark.parametrize("rules", PRESETS)
def test_3_no_joker_of_the_table_is_released_before_the_opening(rules: str) -> None:
    table = Table("B4 J B6 ; B5 R1 R2 ; 01", rules)
    assert table.tiles() == ""


def test_3_in_the_turn_of_the_opening_one_is_released_only_with_the_table_free() -> (
    None
):
    position = "B4 J B6 ; B5 R1 R2 K10 R10 O10 ; 01"
    for rules in ("sabra", "triple_s"):
        assert Table(position, rules).tiles() == "K10 R1 R2 R10 B5 O10"
    for rules in ("official", "online", "tournament"):
        assert Table(position, rules).tiles() == "K10 R10 O10"


@pytest.mark.parametrize("rules", EXACT)
def test_3_an_opening_may_say_what_jokers_of_the_table_stand_for(rules: str) -> None:
    # It binds nothing that matters: the joker goes on as either color of its group.
    table = Table("K8 R8 J ; K10 R10 O10 ; 01", rules)
    assert "B8" in table.names()
    table.do("K10 J=B8 R10 O10 end")
    assert table.jokers() == ["B8 O8"]


# ------------------------------------------------------------------ what names decide


@pytest.mark.parametrize("rules", EXACT)
def test_a_name_decides_where_a_joker_lies(rules: str) -> None:
    for name, meld in (("K3", "J K4 K5 K6"), ("K7", "K4 K5 K6 J")):
        table = Table("K4 K5 K6 ; J", rules).do(f"J J={name} end")
        assert table.melds == {meld}
        assert table.jokers() == [name]


@pytest.mark.parametrize("rules", EXACT)
def test_without_a_name_a_joker_lies_where_it_may_stand_for_most(rules: str) -> None:
    # In the group it stands for either of two colors, in the run for one tile.
    table = Table("K4 K5 K6 ; R8 B8 J", rules)
    table.do("R8 B8 J end")
    assert table.jokers() == ["K8 O8"]
    # Between places that allow as much, the lowest kind decides.
    assert Table("K4 K5 K6 ; J", rules).do("J end").jokers() == ["K3"]


@pytest.mark.parametrize("rules", EXACT)
def test_a_name_in_a_group_leaves_the_other_missing_color_open(rules: str) -> None:
    table = Table("R1 R2 R3 ; K8 R8 J", rules).do("K8 R8 J J=B8 end")
    assert table.jokers() == ["B8 O8"]


def test_names_can_be_given_before_the_tiles_and_bind_what_follows() -> None:
    table = Table("B4 J B6 ; B5 R1 R2 B7", "sabra")
    table.do("J=R3")
    assert table.tiles() == "R1 R2 B5 B7"
    assert not table.do("B5 R1 R2 B7").names()
    assert table.may("end")
    held = Table("B4 J B6 ; B5 R1 R2 B7", "sabra").do("J=B5")
    assert held.tiles() == "B7"


def test_as_many_jokers_are_named_as_lie_on_the_table_after_the_turn() -> None:
    table = Table("K4 K5 K6 ; J R1 R2", "sabra")
    table.do("J J=R3")
    assert table.names() == ""
    assert table.tiles() == "R1 R2"


def test_drawing_takes_names_back() -> None:
    table = Table("B4 J B6 ; B5 R1 R2 B7", "sabra").do("J=R3 end")
    assert table.env.infos["player_0"] == {"event": "drew"}
    assert table.jokers() == ["B5"]


# ------------------------------------------------------- 2.5 and 4: the other presets


def test_2_5_the_tournament_demands_a_new_deal_by_the_last_action() -> None:
    env = rummikub_v0.raw_env(rules="tournament")
    pairs = "K1 K1 K2 K2 K3 K3 K4 K5 K6 K7 K8 K9 K10 K11"
    other = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 B1"
    env.reset(seed=1, options={"deal": f"{pairs} / {other} ; ? ; 1"})
    assert env.agent_selection == "player_0"
    mask = env.observe("player_0")["action_mask"]
    assert np.flatnonzero(mask).tolist() == [END, 106]
    env.step(106)
    assert env.infos["player_0"] == {"event": "redealt"}
    racks = env.position().to_dict()["racks"]
    assert racks[0] != pairs
    assert racks[1] != other


def test_4_the_tournament_charges_who_never_opened_with_jokers_as_it_has_them() -> None:
    """Worked case: 17 opened, no opening on the second rack, one on the third."""
    env = rummikub_v0.raw_env(rules="tournament", num_players=4)
    racks = "R8 / K4 K13 / K10 K11 / B11 B12 B13"
    env.reset(seed=0, options={"position": f"R5 R6 R7 ; {racks} ; O1 ; 0 ; 1100"})
    env.step(parse_tile("R8"))
    env.step(END)
    assert list(env.rewards.values()) == [317.0, -17.0, -100.0, -200.0]


def test_4_a_joker_left_costs_100_in_the_tournament_and_30_elsewhere() -> None:
    for rules in PRESETS:
        env = rummikub_v0.raw_env(rules=rules)
        env.reset(seed=0, options={"position": "R5 R6 R7 ; R8 / J K4 ; O1 ; 0"})
        env.step(parse_tile("R8"))
        env.step(END)
        lost = 104.0 if rules == "tournament" else 34.0
        assert list(env.rewards.values()) == [lost, -lost]


def test_4_sabra_ends_with_the_last_tile_and_pays_sums() -> None:
    """Worked case: racks of 15, 8, 22 and 19 are paid -15, 48, -22 and -19."""
    env = rummikub_v0.raw_env(rules="sabra", num_players=4)
    racks = "K12 / K8 / R9 R13 / B9 B10"
    env.reset(seed=0, options={"position": f"; {racks} ; R3 ; 0"})
    env.step(END)
    assert list(env.rewards.values()) == [-15.0, 48.0, -22.0, -19.0]
