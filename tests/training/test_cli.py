"""The command: statuses, sentences, never a traceback."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from rummi_env.core.rulesets import RuleSet
from rummi_training.cli import COMMANDS, main
from rummi_training.command_line import one_line
from rummi_training.config import TrainConfig

Run = Callable[..., subprocess.CompletedProcess[str]]


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Runs a command that is to be refused; returns the sentence."""
    assert main([str(argument) for argument in arguments]) == 2
    told = capsys.readouterr().err
    assert told.startswith("rummi: ")
    assert told.count("\n") == 1
    assert "Traceback" not in told
    return told


def test_commands_are_listed_by_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert all(name in told for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert f"rummi {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "missing subcommand: Expected one of {train, evaluate"),
        ("trian", "missing subcommand: Expected one of {train, evaluate"),
        ("train", "required options: "),
        ("train none.yaml", "none.yaml cannot be read: No such file"),
        ("evaluate random", "there must be one to three opponents"),
        ("evaluate random x --out {tmp}/o", "unknown agent 'x': there is cautious"),
        ("evaluate random random --deals x", "Error parsing --deals"),
        ("evaluate random random --deals 1", "deals must be from 2"),
        ("evaluate random random --deals", "Missing value for argument '--deals'"),
        ("evaluate random random --foo", "unknown arguments: --foo"),
        ("evaluate random random --rules offical", "unknown preset 'offical'"),
        ("evaluate random random --workers 0", "workers must be 1 or more"),
        ("evaluate random {tmp}", "is no checkpoint"),
        ("evaluate random random random random random", "2 to 4 agents"),
        ("rules nothing", "unknown preset 'nothing'"),
        ("rules official,jokers=7", "jokers must be an integer from 0 to 2"),
        ("solve R14", "'R14' is not a tile"),
        ("solve ;R7,R7,R7", "a third R7"),
        ("bench --seconds 0", "seconds must be above 0"),
        ("bench --positions 0", "positions must be 1 or more"),
        ("quickstart --config none.yaml", "none.yaml cannot be read"),
    ],
)
def test_senseless_commands_get_one_line_and_status_2(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = [
        word.format(tmp=tmp_path).replace(",R", " R") for word in arguments.split()
    ]
    assert sentence in refused(capsys, *words)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--ppo.epochs x", "Error parsing --ppo.epochs"),
        ("--ppo.epoch 3", "unknown arguments: --ppo.epoch 3"),
        ("--num-players 7", "num_players must be an integer from 2 to 4"),
        ("--network.kind x", "invalid choice 'x'"),
        ("--opponents nobody", "unknown agent 'nobody'"),
    ],
)
def test_senseless_overrides_get_one_line_and_status_2(
    arguments: str,
    sentence: str,
    tiny: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = refused(capsys, "train", tiny, "--out", tmp_path / "run", *arguments.split())
    assert sentence in told


def test_framed_messages_become_one_line() -> None:
    framed = (
        "╭─ Value error ──────╮\n│ Error parsing --n: │\n│ it is odd          │\n"
        "│ ────────────────── │\n│ For full helptext  │\n╰────────────────────╯\n"
    )
    plain = (
        "Value error\n-----------\nError parsing --n:\nit is odd\n-----------\n"
        "For full helptext\n-----------\n"
    )
    expected = "value error: Error parsing --n: it is odd"
    assert one_line(framed) == expected
    assert one_line(plain) == expected


@pytest.mark.parametrize("preset", RuleSet.presets())
def test_rules_are_printed_with_their_differences(
    preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", preset]) == 0
    told = capsys.readouterr().out
    assert f"RuleSet.preset('{preset}')" in told
    assert all(name in told for name in RuleSet().to_dict())


def test_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "B5 R5 K5 O5 ; B4 B6 B7 K1"]) == 0
    told = capsys.readouterr().out
    assert "most tiles: B4 B6 B7 (3 tiles, 17 points)" in told
    assert "K5 R5 O5 | B4 B5 B6 B7" in told
    assert "plays   3" in told


def test_opening_and_dead_positions_are_solved(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["solve", "; R1 R2 R3 / K1 ; ; 0 ; 00"]) == 0
    told = capsys.readouterr().out
    assert "not opened: the first melds must be worth 30" in told
    assert "most tiles: nothing can be played" in told


def test_trained_policy_is_evaluated(
    tiny: Path,
    tiny_config: TrainConfig,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run, out = tmp_path / "run", tmp_path / "out"
    train = ["train", str(tiny), "--out", str(run)]
    assert main([*train, "--total-steps", "200", "--ppo.epochs", "2"]) == 0
    assert "trained: " in capsys.readouterr().out
    evaluate = ["evaluate", str(run), "random", "--rules", tiny_config.rules]
    assert main([*evaluate, "--deals", "2", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "2 mirrored deals, 4 games" in told
    written = json.loads((out / "results.json").read_text())
    assert written["played"]["agents"] == ["run", "random"]
    assert len(written["played"]["weights_sha256"][0]) == 64


def test_quickstart_reports_and_goes_on(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "quick"
    command = ["quickstart", "--config", str(tiny), "--out", str(out)]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert str(out / "report.md") in told
    report = (out / "report.md").read_text()
    assert "| random | 3 |" in report
    plots = re.findall(r"!\[\w+\]\((.+)\)", report)
    assert plots
    assert all((out / plot).is_file() for plot in plots)
    assert main(command) == 0
    assert "has been trained already" in capsys.readouterr().out
    assert (out / "report.md").read_text() == report


def test_bench_prints_figures_and_names_absent_peers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bench.json"
    command = ["bench", "--seconds", "0.1", "--positions", "2", "--out", str(out)]
    assert main(command) == 0
    told = capsys.readouterr().out
    figures = json.loads(out.read_text())["figures"]
    assert figures["steps_per_cpu_second"] > 0
    assert figures["mask_median_seconds"] > 0
    absent = sum(value is None for value in figures.values())
    assert told.count("is not installed, so it is not measured") == absent


def test_process_ends_with_the_status(rummi: Run) -> None:
    done = rummi("rules", "nothing")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("rummi: unknown preset 'nothing'")


def test_interrupted_command_ends_with_status_130(
    tiny: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    run = tmp_path / "run"
    command = ["train", tiny, "--out", run, "--total-steps", "1000000"]
    with subprocess.Popen(
        [sys.executable, "-m", "rummi_training", *map(str, command)],
        env=dict(environment),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        patience = time.monotonic() + 500
        while not (run / "checkpoints").exists() and process.poll() is None:
            assert time.monotonic() < patience
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told == "rummi: interrupted\n"
