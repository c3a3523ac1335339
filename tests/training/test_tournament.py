"""Tournaments from the command to the files."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from rummi_env.records import verify_records
from rummi_training.budgets import curves_of
from rummi_training.cli import main
from rummi_training.compiling import NOTICE
from rummi_training.games_file import GAMES_FILE, RECORDS_FILE, read_games
from rummi_training.mirrored import Game
from rummi_training.report import REPORT_FILE
from rummi_training.results import PLOT_FILE, RESULTS_FILE, TABLE_FILE
from rummi_training.standings import standings_from
from rummi_training.standings_files import BUDGET_FILE, CROSS_FILE, HEAT_MAP_FILE
from rummi_training.tournament import Tournament, play_tournament

QUIET = Console(quiet=True)
RULES = "official,numbers=8,rack_size=9,opening_points=12"
SETTINGS = Tournament(("random", "greedy", "cautious"), deals=5, seed=4, rules=RULES)


class Careful:
    """Plays a legal action, the higher the more careful it is."""

    name = "careful"

    def __init__(self, care: int = 1) -> None:
        self.care = care

    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        """Chooses an action."""
        legal = np.flatnonzero(mask)
        return int(legal[min(self.care, len(legal) - 1)])


def contents(folder: Path) -> dict[str, bytes]:
    names = (
        RESULTS_FILE, TABLE_FILE, CROSS_FILE, PLOT_FILE, HEAT_MAP_FILE, GAMES_FILE,
        "deals.txt",
    )  # fmt: skip
    return {name: (folder / name).read_bytes() for name in names}


def test_tournament_writes_all_files_and_the_same_for_a_seed(tmp_path: Path) -> None:
    first = play_tournament(SETTINGS, tmp_path / "a", console=QUIET)
    assert play_tournament(SETTINGS, tmp_path / "b", console=QUIET) == first
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert (tmp_path / "a" / REPORT_FILE).is_file()
    written = json.loads((tmp_path / "a" / RESULTS_FILE).read_text())
    assert standings_from(written["standings"]) == first
    assert written["played"]["rules"]["numbers"] == 8
    assert first.games == 3 * 5 * 2
    lines = (tmp_path / "a" / TABLE_FILE).read_text().splitlines()
    rows = list(csv.DictReader(lines))
    assert [row["agent"] for row in rows] == [agent.name for agent in first.agents]
    assert float(rows[0]["rating"]) == first.agents[0].rating.mean
    other = play_tournament(replace(SETTINGS, seed=5), tmp_path / "c", console=QUIET)
    assert other != first


def test_stopped_tournament_goes_on(tmp_path: Path) -> None:
    play_tournament(SETTINGS, tmp_path / "whole", console=QUIET)
    out = tmp_path / "stopped"
    play_tournament(SETTINGS, out, console=QUIET)
    lines = (out / GAMES_FILE).read_text().splitlines(keepends=True)
    # The first table is whole, the second has two deals and a part of the third.
    (out / GAMES_FILE).write_text("".join(lines[:16]) + lines[16][:9])
    kept = read_games(out / GAMES_FILE, 2, 3)
    assert {(game.table, game.deal) for game in kept} == {
        *((0, deal) for deal in range(5)), (1, 0), (1, 1),
    }  # fmt: skip
    play_tournament(SETTINGS, out, resume=True, console=QUIET)
    assert contents(out) == contents(tmp_path / "whole")
    with pytest.raises(ValueError, match="holds games of other settings"):
        play_tournament(replace(SETTINGS, deals=6), out, resume=True, console=QUIET)


@pytest.mark.slow
def test_processes_play_the_same_tournament(tmp_path: Path) -> None:
    settings = replace(SETTINGS, agents=("random", "max_tiles", "cautious"), players=3)
    play_tournament(settings, tmp_path / "one", workers=1, console=QUIET)
    play_tournament(settings, tmp_path / "two", workers=2, console=QUIET)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_every_table_plays_every_deal_in_every_order(tmp_path: Path) -> None:
    settings = Tournament(
        ("random", "greedy", "max_tiles", "max_points"), 6, rules=RULES, players=3
    )
    standings = play_tournament(settings, tmp_path, console=QUIET)
    assert len(standings.tables) == 4
    games = read_games(tmp_path / GAMES_FILE, 3, 4)
    assert {(game.table, game.deal, game.rotation) for game in games} == {
        (table, deal, rotation)
        for table in range(4)
        for deal in range(6)
        for rotation in range(3)
    }
    assert len(standings.pairs) == 6


def test_games_of_a_tournament_are_recorded(tmp_path: Path) -> None:
    settings = replace(SETTINGS, deals=2, records=True)
    play_tournament(settings, tmp_path, console=QUIET)
    games: dict[Any, Game] = {
        (game.table, game.deal, game.rotation): game
        for game in read_games(tmp_path / GAMES_FILE, 2, 3)
    }
    records = [record for _, record in verify_records(tmp_path / RECORDS_FILE)]
    assert len(records) == len(games) == 12
    tables = json.loads((tmp_path / RESULTS_FILE).read_text())["played"]["tables"]
    for record in records:
        about = record.about
        played = games[about["table"], about["deal"], about["rotation"]]
        by_name = dict(zip(record.players, record.totals, strict=True))
        names = tables[played.table]
        assert tuple(by_name[name] for name in names) == played.scores
    # Without its record a deal is played again.
    path = tmp_path / RECORDS_FILE
    whole = sorted(path.read_text().splitlines())
    path.write_text("\n".join(path.read_text().splitlines()[:5]) + "\n")
    play_tournament(settings, tmp_path, resume=True, console=QUIET)
    assert sorted(path.read_text().splitlines()) == whole


def test_agents_play_one_that_fills_the_other_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys
    import types

    made = types.ModuleType("somebody")
    made.Careful = Careful  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "somebody", made)
    settings = Tournament(
        ("somebody:Careful:0", "somebody:Careful:care=2"),
        deals=3,
        rules=RULES,
        players=3,
        against="random",
    )
    standings = play_tournament(settings, tmp_path, console=QUIET)
    assert [table[1:] for table in standings.tables] == [("random", "random")] * 2
    assert all("random" in (pair.first, pair.second) for pair in standings.pairs)
    played = json.loads((tmp_path / RESULTS_FILE).read_text())["played"]
    (curve,) = curves_of(standings, played)
    assert (curve.label, curve.budgets) == ("care", (0, 2))
    assert (tmp_path / BUDGET_FILE).read_bytes()[:4] == b"\x89PNG"
    assert not (tmp_path / HEAT_MAP_FILE).exists()


@pytest.mark.parametrize(
    ("game", "agents", "more"),
    [
        ("rummikub", ["random", "max_tiles"], ["--rules", RULES]),
        ("rummy", ["random", "meld_greedy"], ["--rules", "basic,max_recycles=0"]),
        ("tabla", ["random", "nearest_form"], []),
    ],
)
def test_every_game_has_tournaments(
    game: str,
    agents: list[str],
    more: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["evaluate", "--tournament", *agents, "--game", game, *more]
    assert main([*command, "--deals", "3", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "3 mirrored deals at 1 table of 2, 6 games" in told
    assert all(name in told for name in agents)
    assert f"report: {tmp_path / REPORT_FILE}" in told


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"agents": ("random",)}, "needs 2 agents or more, not 1"),
        ({"agents": ("random",) * 3, "players": 4}, "of 4 needs 4 agents or more"),
        ({"agents": ("random",) * 3, "players": 5}, "2 to 4 agents play at a table"),
        ({"agents": (), "against": "random"}, "there must be an agent"),
        ({"agents": ("random",) * 2, "deals": 1}, "deals must be from 2"),
        (
            {"agents": ("random",) * 40, "players": 4, "deals": 10_000},
            "must have 100,000,000 games or fewer, not 3,655,600,000",
        ),
    ],
)
def test_impossible_tournaments_are_refused(
    settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        Tournament(**settings)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("random greedy --players 3", "--players goes with --tournament only"),
        ("random greedy --against random", "--against goes with --tournament only"),
        ("random max_tiles:7", "the agent 'max_tiles:7' takes no parameters"),
        ("random greedy --backend clouds", "--backend must be one of"),
        ("--tournament random --out {tmp}/o", "needs 2 agents or more, not 1"),
    ],
)
def test_commands_that_make_no_sense_are_told(
    arguments: str,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["evaluate", *arguments.format(tmp=tmp_path).split()]) == 2
    told = capsys.readouterr().err.removeprefix(f"{NOTICE}\n")
    assert sentence in told
    assert told.count("\n") == 1
