"""`rummi bench` on sizes that say nothing about speed."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from rummi_env.core.notation import parse_table, parse_tiles, table_counts
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER
from rummi_env.solver import TurnSolver
from rummi_training.benchmarks import absent
from rummi_training.benchmarks.learning import (
    FreeVecEnv,
    measure_learning,
    print_learning,
)
from rummi_training.benchmarks.peers import PEERS
from rummi_training.benchmarks.positions import positions
from rummi_training.benchmarks.rates import batch_steps, raw_env_games
from rummi_training.benchmarks.report import plot
from rummi_training.benchmarks.roads import ROADS
from rummi_training.benchmarks.run import BenchSettings, mask_curve
from rummi_training.benchmarks.solving import SOLVERS
from rummi_training.cli import main
from rummi_training.config import TrainConfig
from rummi_training.environments import make_vec_env

TINY = ["bench", "--seconds", "0.02", "--positions", "3"]
SIZES = ["--games", "1", "40", "--threads", "1", "2", "--players", "2", "4"]


def test_bench_prints_and_writes_every_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bench.json"
    assert main([*TINY, *SIZES, "--json", str(out)]) == 0
    told = capsys.readouterr().out
    written = json.loads(out.read_text())
    figures = written["figures"]
    assert written["settings"]["players"] == [2, 4] and written["surroundings"]
    kinds = [
        (line["name"], line["players"], line["games"], line["threads"])
        for line in figures["rates"]
    ]
    assert kinds == [
        (*kind, threads)
        for players in (2, 4)
        for *kind, threads in (
            ("raw_env", players, 1, 1),
            ("batch", players, 1, 1),
            ("batch", players, 40, 1),
            ("batch", players, 40, 2),
        )
    ]
    for line in (*figures["rates"], *figures["peers"]):
        assert line["per_second"] > 0 and line["per_cpu_second"] > 0
    best = figures["best_play"]
    exact = figures["exact_masks"]
    assert [line["rules"] for line in exact] == ["sabra", "triple_s", "tournament"]
    for line in (figures["mask"], *exact, *best):
        assert 0 < line["median_seconds"] <= line["p99_seconds"]
        assert line["positions"] == 3
    assert [line["name"] for line in best] == ["ours", *SOLVERS]
    assert [line["same_optimum"] for line in best] == [3, 3, 3]
    assert figures["memory"]["batch_game"] > 1000
    assert figures["mask_curve"] == []
    measured = {line["name"] for line in figures["peers"]}
    missing = told.count("is not installed, so it is not measured: pip install")
    assert missing == len(set(PEERS) - measured)
    for name in measured:
        assert name in told
    assert re.search(r"mid-game +.* median", told)


@pytest.mark.parametrize(("game", "players"), [("rummy", "6"), ("tabla", "3")])
def test_other_games_are_measured_without_the_solver(
    game: str, players: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, drawn = tmp_path / "bench.json", tmp_path / "bench.svg"
    sizes = ["--games", "40", "--threads", "1", "--players", players]
    words = ["bench", "--game", game, "--seconds", "0.02", *sizes]
    assert main([*words, "--json", str(out), "--plot", str(drawn)]) == 0
    told = capsys.readouterr().out
    written = json.loads(out.read_text())
    assert written["settings"]["game"] == game
    figures = written["figures"]
    assert [*figures] == ["rates", "peers", "memory"]
    assert [line["name"] for line in figures["rates"]] == ["raw_env", "batch"]
    for line in (*figures["rates"], *figures["peers"]):
        assert line["per_second"] > 0 and line["per_cpu_second"] > 0
    assert figures["memory"]["batch_game"] > 1000
    assert f"batch, {players} players, 40 games" in told and "mid-game" not in told
    assert f"<!-- batch, {players} players, 40 games" in drawn.read_text()
    assert "tiles on the table" not in drawn.read_text()


def test_absent_peer_is_named_with_what_brings_it() -> None:
    with pytest.raises(
        absent.AbsentPeer, match=r"^Nobody is not installed, .*: pip install 'nobody'$"
    ):
        absent.imported("nobody_at_all", "Nobody", "nobody")


@pytest.mark.parametrize(
    ("size", "jokers", "rack"),
    [(0, 2, 12), (3, 1, 12), (45, 2, 12), (60, 0, 12), (94, 1, 11)],
)
def test_positions_have_the_tiles_asked_for(size: int, jokers: int, rack: int) -> None:
    drawn = positions(2, 7, size, jokers)
    assert len(drawn) == 2 and drawn == positions(2, 7, size, jokers)
    assert drawn != positions(2, 8, size, jokers)
    deck = RuleSet.preset("official").deck
    solver = TurnSolver("official")
    for table, held in drawn:
        laid, counts = table_counts(parse_table(table)), parse_tiles(held)
        assert laid.sum() == size and counts.sum() == rack
        assert (laid + counts)[JOKER] == jokers
        assert (laid + counts <= deck).all()
        assert solver.turn(table, held).mask.any()


def test_positions_that_there_are_none_of_are_left_out() -> None:
    assert positions(1, 1, table_tiles=2) == []


def test_rates_count_the_decisions_of_all_players() -> None:
    step = batch_steps(70, 1, 4, seed=1)
    made = [step() for _ in range(5)]
    # Where a match begins there is no decision.
    assert all(60 <= number <= 70 for number in made) and max(made) == 70
    assert raw_env_games(4, 1)() > 40


def test_figures_are_plotted(tmp_path: Path) -> None:
    curve = mask_curve(BenchSettings(positions=1), sizes=(0, 2, 12))
    assert [(line["tiles"], line["jokers"]) for line in curve] == [
        (size, jokers) for jokers in range(3) for size in (0, 12)
    ]
    rates = {"per_second": 2.0, "per_cpu_second": 1.0}
    line = {"name": "batch", "players": 2, "games": 1, "threads": 1}
    figures = {
        "rates": [line | rates],
        "peers": [{"name": "another game"} | rates],
        "mask_curve": curve,
    }
    path = tmp_path / "deep" / "plot.svg"
    plot(figures, path)
    drawn = path.read_text()
    for text in ("another game", "batch, 2 players, 1 game, 1 thread"):
        assert f"<!-- {text} -->" in drawn
    assert "<!-- jokers in play: 2, p99 -->" in drawn


def test_the_roads_are_measured_beside_the_batch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "roads.json"
    assert main(["bench", "--roads", "--seconds", "0.02", "--json", str(out)]) == 0
    told = capsys.readouterr().out
    lines = json.loads(out.read_text())["roads"]
    assert lines[0]["of_batch"] == 1
    assert lines[0]["name"] == "batch, 1,024 games"
    for line in lines:
        assert line["of_batch"] == pytest.approx(
            line["per_cpu_second"] / lines[0]["per_cpu_second"]
        )
        assert line["name"] in told
    missing = told.count("is missing: pip install 'rummi-env[train,interop]'")
    assert len(lines) - 1 + missing == len(ROADS)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--roads --plot alone.png", "there is no plot of --roads"),
        ("--learning --plot alone.png", "there is no plot of --learning"),
        ("--roads --game rummy", "--roads is measured in rummikub"),
        ("--learning --game rummy", "--learning is measured in rummikub"),
        ("--roads --learning", "give one of them"),
    ],
)
def test_what_is_measured_alone_takes_no_more(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *words.split()]) == 2
    assert sentence in capsys.readouterr().err


def test_learning_is_measured_beside_free_environments() -> None:
    printed = io.StringIO()
    console = Console(file=printed, width=120)
    lines = measure_learning(0.01, 1, console, environments=(256,))
    assert [(line["environments"], line["threads"]) for line in lines] == [
        (256, 0),
        (256, 1),
        (256, 2),
    ]
    for line in lines:
        assert line["of_free"] == line["per_second"] / lines[0]["per_second"]
        share = line["per_cpu_second"] / lines[0]["per_cpu_second"]
        assert line["of_free_cpu"] == share
    print_learning(console, lines)
    told = printed.getvalue()
    for name in ("free", "1 thread", "2 threads"):
        assert f"256 environments, {name} " in told


def test_free_environments_stay_as_they_were_dealt() -> None:
    real = make_vec_env(TrainConfig(num_envs=3))
    free = FreeVecEnv(real.parts)
    free.seed(5)
    dealt = free.reset().copy()
    masks = free.env_method("action_masks").copy()
    for _ in range(3):
        shown, rewards, over, infos = free.step(masks.argmax(axis=1))
        assert (
            np.array_equal(np.asarray(shown), dealt)
            and (rewards == 0).all()
            and not over.any()
        )
        assert infos == [{}, {}, {}]
        assert np.array_equal(free.env_method("action_masks"), masks)
    assert free.observation_space == real.observation_space
