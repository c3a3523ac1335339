"""Mirrored deals: what is mirrored, frozen and repeatable."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from rummi_agents import make_agent
from rummi_env.core.notation import format_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import counts_of
from rummi_training.evaluation import Settings, evaluate
from rummi_training.figures import results_of
from rummi_training.games_file import GAMES_FILE, read_games
from rummi_training.mirrored import (
    Player,
    deals_text,
    digest,
    draw_deals,
    labels_of,
    make_player,
    play_mirrored,
    read_deals,
)
from rummi_training.results import PLOT_FILE, RESULTS_FILE, TABLE_FILE

OFFICIAL = RuleSet()
SMALL = RuleSet(numbers=7, colors=3, rack_size=7, opening_points=10)
QUIET = Console(quiet=True)


def agents_of(*names: str) -> list[Player]:
    """Agents themselves, not their compiled twins."""
    return [make_agent(name) for name in names]


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("random", OFFICIAL),
        ("greedy", OFFICIAL),
        ("max_tiles", OFFICIAL),
        ("cautious", OFFICIAL),
        # Its racks grow to half of the deck, where turns take long.
        ("patient", SMALL),
    ],
)
@pytest.mark.parametrize("compiled", [True, False])
def test_agent_against_itself_is_exactly_even(
    name: str, rules: RuleSet, compiled: bool
) -> None:
    players = (
        [make_player(name), make_player(name)] if compiled else agents_of(name, name)
    )
    deals = list(enumerate(draw_deals(rules, 2, 4, seed=3)))
    games = [
        game for games in play_mirrored(players, rules, deals, 3) for game in games
    ]
    results = results_of(games, ["a", "b"])
    difference = results.differences[0]
    assert (difference.score.mean, difference.score.low, difference.score.high) == (
        (0.0,) * 3
    )
    assert difference.win_rate.mean == 0.0


def test_agents_against_themselves_are_exactly_even_at_a_table_of_four() -> None:
    deals = list(enumerate(draw_deals(OFFICIAL, 4, 2, seed=3)))
    players = agents_of(*["random"] * 4)
    games = [
        game for games in play_mirrored(players, OFFICIAL, deals, 3) for game in games
    ]
    results = results_of(games, list("abcd"))
    assert [item.score.mean for item in results.differences] == [0.0, 0.0, 0.0]


def test_exchanging_the_agents_changes_the_sign() -> None:
    deals = list(enumerate(draw_deals(OFFICIAL, 2, 5, seed=8)))

    def difference(*names: str) -> list[float]:
        return [
            sum(game.scores[0] - game.scores[1] for game in games)
            for games in play_mirrored(agents_of(*names), OFFICIAL, deals, 8)
        ]

    forth = difference("random", "max_points")
    assert any(forth)
    assert [-value for value in difference("max_points", "random")] == forth


def test_every_agent_plays_every_rack() -> None:
    seen: list[tuple[str, str]] = []

    class Watcher:
        def __init__(self, name: str) -> None:
            self.name = name
            self.first = True

        def reset(self) -> None:
            self.first = True

        def act(self, observation, mask, turn, rng):  # type: ignore[no-untyped-def]
            if self.first:
                # What was drawn since is not part of the deal.
                seen.append((self.name, format_tiles(turn.rack)))
                self.first = False
            return make_agent("max_tiles").act(observation, mask, turn, rng)

    (deal,) = draw_deals(OFFICIAL, 3, 1, seed=2)
    watchers: list[Player] = [Watcher(name) for name in "abc"]
    list(play_mirrored(watchers, OFFICIAL, [(0, deal)], 2))
    racks = {format_tiles(counts_of(rack)) for rack in deal.racks}
    assert set(seen) == {(name, rack) for name in "abc" for rack in racks}


def test_deals_are_always_the_same_for_a_seed(tmp_path: Path) -> None:
    deals = draw_deals(OFFICIAL, 2, 3, seed=5)
    assert deals == draw_deals(OFFICIAL, 2, 3, seed=5)
    assert deals != draw_deals(OFFICIAL, 2, 3, seed=6)
    assert deals == draw_deals(OFFICIAL, 2, 4, seed=5)[:3]
    path = tmp_path / "deals.txt"
    path.write_text(deals_text(deals))
    again = read_deals(path, OFFICIAL, 2)
    assert again == deals
    assert digest(again) == digest(deals)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "has no deals"), ("R1 / R2\n", "line 1: the rack of seat 0 must have 14")],
)
def test_wrong_deal_files_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=sentence):
        read_deals(path, OFFICIAL, 2)
    with pytest.raises(ValueError, match="cannot be read"):
        read_deals(tmp_path / "none.txt", OFFICIAL, 2)


def test_illegal_action_of_an_agent_is_told() -> None:
    class Stubborn:
        name = "stubborn"

        def act(self, observation, mask, turn, rng):  # type: ignore[no-untyped-def]
            return 52

    deals = list(enumerate(draw_deals(OFFICIAL, 2, 9, seed=1)))
    with pytest.raises(ValueError, match="stubborn chose an action that the mask"):
        list(play_mirrored([Stubborn(), "random"], OFFICIAL, deals, 1))


def test_names_are_unlike_each_other() -> None:
    assert labels_of(["a", "random", "random"]) == ("a", "random", "random (2)")


def contents(folder: Path) -> dict[str, bytes]:
    names = (RESULTS_FILE, TABLE_FILE, PLOT_FILE, GAMES_FILE, "deals.txt")
    return {name: (folder / name).read_bytes() for name in names}


def test_evaluation_writes_all_files_and_the_same_for_a_seed(tmp_path: Path) -> None:
    settings = Settings(("greedy", "cautious"), deals=4, seed=9)
    first = evaluate(settings, tmp_path / "a", console=QUIET)
    second = evaluate(settings, tmp_path / "b", console=QUIET)
    assert first == second
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    written = json.loads((tmp_path / "a" / RESULTS_FILE).read_text())
    assert written["results"] == json.loads(json.dumps(first.to_dict()))
    assert written["played"]["deals_sha256"] == digest(
        read_deals(tmp_path / "a" / "deals.txt", OFFICIAL, 2)
    )


def test_stopped_evaluation_goes_on(tmp_path: Path) -> None:
    settings = Settings(("random", "max_tiles"), deals=4, seed=9)
    evaluate(settings, tmp_path / "whole", console=QUIET)
    out = tmp_path / "stopped"
    evaluate(settings, out, console=QUIET)
    lines = (out / GAMES_FILE).read_text().splitlines(keepends=True)
    # Two deals are whole, one lacks a rotation, one was cut off while it was written.
    (out / GAMES_FILE).write_text("".join(lines[:6]) + lines[6][:5])
    assert {game.deal for game in read_games(out / GAMES_FILE, 2)} == {0, 1}
    evaluate(settings, out, resume=True, console=QUIET)
    assert contents(out) == contents(tmp_path / "whole")


def test_games_of_other_settings_are_not_kept(tmp_path: Path) -> None:
    evaluate(Settings(("random", "greedy"), deals=2), tmp_path, console=QUIET)
    with pytest.raises(ValueError, match="holds games of other settings"):
        evaluate(
            Settings(("random", "greedy"), deals=3),
            tmp_path,
            resume=True,
            console=QUIET,
        )


def test_deals_may_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "frozen.txt"
    path.write_text(deals_text(draw_deals(OFFICIAL, 2, 3, seed=77)))
    settings = Settings(("random", "greedy"), deals=3, deal_file=str(path))
    evaluate(settings, tmp_path / "out", console=QUIET)
    assert (tmp_path / "out" / "deals.txt").read_text() == path.read_text()
    with pytest.raises(ValueError, match="has 3 deals, fewer than 4"):
        evaluate(
            Settings(("random", "greedy"), deals=4, deal_file=str(path)),
            tmp_path / "more",
            console=QUIET,
        )


@pytest.mark.slow
def test_processes_play_the_same_games(tmp_path: Path) -> None:
    settings = Settings(("cautious", "random"), deals=12, seed=9)
    evaluate(settings, tmp_path / "one", console=QUIET)
    evaluate(settings, tmp_path / "two", console=QUIET, workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"agents": ("random",)}, "2 to 4 agents play at a table, not 1"),
        ({"agents": ("random",) * 5}, "2 to 4 agents play at a table, not 5"),
        ({"agents": ("random",) * 2, "deals": 1}, "deals must be from 2"),
        ({"agents": ("random",) * 2, "seed": -1}, "seed must be from 0"),
    ],
)
def test_impossible_settings_are_refused(
    settings: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        Settings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"agents": ("ppo", "random"), "rules": "sabra"}, "ppo has no policy for"),
        ({"agents": ("random",) * 2, "device": "abacus"}, "no device 'abacus'"),
    ],
)
def test_what_cannot_play_is_refused_before_anything_is_written(
    settings: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(ValueError, match=sentence):
        evaluate(Settings(**settings), out, console=QUIET)
    assert not out.exists()
