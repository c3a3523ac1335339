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

from rummi_agents.policy_files import RULES
from rummi_agents.registry import BUILT_IN, plays
from rummi_env.core.rulesets import RuleSet
from rummi_training.cli import COMMANDS, main
from rummi_training.command_line import one_line
from rummi_training.commands import Evaluate
from rummi_training.compiling import NOTICE
from rummi_training.config import TrainConfig

Run = Callable[..., subprocess.CompletedProcess[str]]


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Runs a command that is to be refused; returns the sentence."""
    assert main([str(argument) for argument in arguments]) == 2
    # That something is compiled hangs on what was before.
    told = capsys.readouterr().err.removeprefix(f"{NOTICE}\n")
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


def test_all_keys_of_a_configuration_are_listed_by_a_help(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["train", str(tiny), "--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert "--total-steps INT" in told
    assert "--ppo.learning-rate FLOAT" in told
    # With what the file says.
    assert "(default: 600)" in told


def test_the_help_lists_all_agents_of_every_game() -> None:
    text = " ".join((Evaluate.__doc__ or "").split())
    listed = re.search(r"Agents are names \((.*?)\), with", text)
    assert listed
    first, *others = listed[1].split("; in ")
    named = {"rummikub": first}
    for part in others:
        game = "tabla" if part.startswith("Rummy pe tabla ") else "rummy"
        named[game] = part.removeprefix("Rummy pe tabla ").removeprefix("Rummy ")
    for game, names in named.items():
        ours = [name for name, made in BUILT_IN.items() if plays(made, game)]
        assert sorted(names.split(", ")) == sorted(ours)
    assert sorted(named) == sorted(RULES)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "a command must be named: train, evaluate, "),
        ("trian", "unknown command 'trian': did you mean 'train'?"),
        ("nonsense", "unknown command 'nonsense': there is train, evaluate, report"),
        ("train", "CONFIG must be given (see rummi train --help)"),
        ("train --out x", "CONFIG must be given"),
        ("train none.yaml", "none.yaml cannot be read: No such file"),
        ("evaluate random", "there must be one to three opponents"),
        (
            "evaluate random x --out {tmp}/o",
            "unknown agent 'x': there is best, cautious",
        ),
        ("evaluate random random --deals x", "--deals must be a whole number, not 'x'"),
        ("evaluate random --players x", "--players must be a whole number or None"),
        ("evaluate random random --backend x", "--backend must be one of 'processes'"),
        ("evaluate random random --deals 1", "deals must be from 2"),
        ("evaluate random random --deals", "--deals must be followed by a value"),
        (
            "evaluate random random --foo",
            "unknown arguments: --foo (see rummi evaluate",
        ),
        ("evaluate random random --deal 2", "--deal 2; did you mean --deals? (see"),
        ("evaluate random random --rules offical", "unknown preset 'offical'"),
        (
            "evaluate random random --workers 0 --out {tmp}/o",
            "workers must be 1 or more",
        ),
        ("evaluate random {tmp}", "is no checkpoint"),
        ("evaluate random random random random random", "2 to 4 agents"),
        ("rules nothing", "unknown preset 'nothing'"),
        ("rules official,jokers=7", "jokers must be an integer from 0 to 2"),
        ("solve R14", "'R14' is not a tile"),
        ("solve ;R7,R7,R7", "a third R7"),
        ("bench --seconds 0", "seconds must be above 0"),
        ("bench --seconds x", "--seconds must be a number, not 'x'"),
        ("bench --players 2 x", "--players must be whole numbers, not '2 x'"),
        ("bench --positions 0", "positions must be 1 or more"),
        ("bench --games 0 8", "games must be whole numbers from 1 to 1,000,000"),
        ("bench --threads 0", "threads must be whole numbers from 1 to 1,000,000"),
        ("bench --players 1", "players must be whole numbers from 2 to 4, not [1]"),
        ("bench --players 2 5", "players must be whole numbers from 2 to 4, not [2"),
        ("bench --game rummy --players 7", "whole numbers from 2 to 6, not [7]"),
        ("bench --game gin", "game must be one of 'rummikub', 'rummy', 'tabla', not"),
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
        ("--ppo.epochs x", "--ppo.epochs must be a whole number, not 'x'"),
        ("--ppo.epoch 3", "--ppo.epoch 3; did you mean --ppo.epochs?"),
        ("--ppo.learning-rat 0.1", "did you mean --ppo.learning-rate?"),
        ("--ppo_epoch=3", "did you mean --ppo.epochs?"),
        ("--resum", "did you mean --resume?"),
        ("--fewest-players x", "--fewest-players must be a whole number or None, not"),
        ("--opponents", "opponents must be a list of names, not ()"),
        ("--num-players 7", "num_players must be an integer from 2 to 4"),
        ("--network.kind x", "--network.kind must be one of 'mlp', 'by_color'"),
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
    # Nothing is cut off where a terminal has 80 columns.
    assert max(map(len, told.splitlines())) <= 80
    assert "…" not in told


def test_rules_say_who_has_another_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "sabra,rounds=2,turn_seconds=none"]) == 0
    rows = {
        words[0]: " ".join(words[1:])
        for words in map(str.split, capsys.readouterr().out.splitlines())
        if words
    }
    assert rows["rounds"].startswith("2 1 in official, sabra,")
    assert rows["turn_seconds"].startswith("none 60 in official, sabra,")
    # A value that means nothing elsewhere is no difference.
    assert rows["joker_reuse"] == "any_meld new_meld_from_rack in"
    assert rows["illegal_penalty"] == "3"


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    """Solves a position; returns what is told by title, the last where one recurs."""
    assert main(["solve", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    return {line[:16].strip(): line[16:] for line in lines}


def test_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert solved(capsys, "B5 R5 K5 O5 ; B4 B6 B7 K1") == {
        "table": "K5 R5 B5 O5",
        "rack": "K1 B4 B6 B7",
        "can be played": "B4 B6 B7",
        "else": "draw a tile",
        "legal turns": "3",
        "": "",
        "most tiles": "B4 B6 B7 (3 tiles, 17 points)",
        "most points": "the same",
        "table after it": "K5 R5 O5 | B4 B5 B6 B7",
    }


def test_most_tiles_and_most_points_are_told_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = solved(capsys, "K3 R3 B3 O3 ; O1 O2 O4 B4 B5")
    assert told["most tiles"] == "O1 O2 O4 (3 tiles, 7 points)"
    assert told["most points"] == "B4 B5 (2 tiles, 9 points)"
    assert told["table after it"] == "K3 R3 O3 | B3 B4 B5"


def test_exact_jokers_are_said_to_be_what_they_may_stand_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = solved(capsys, "B4 J B6 | K8 R8 J ; B5 R1 R2", "--rules", "triple_s")
    assert told["jokers are"] == "B5, B8 or O8"
    assert told["can be played"] == "R1 R2 B5"
    assert told["jokers can be"] == "R3 B8 O8"
    assert told["legal turns"] == "1"
    assert told["table after it"] == "K8 R8 J | R1 R2 J | B4 B5 B6"


@pytest.mark.parametrize(
    ("position", "rules", "title", "words"),
    [
        ("; R1 R2 R3 / K1 ; ; 0 ; 00", "official", "can be played", "none"),
        (
            "; R1 R2 R3 / K1 ; ? ; 0 ; 00",
            "official",
            "not opened",
            "own melds worth 30 points are needed",
        ),
        ("; R1 R2 R3 / K1 ; ; 0 ; 00", "official", "legal turns", "0"),
        ("; R1 R2 R3", "official", "else", "draw a tile"),
        ("; R1 R2 R3 / K1 ; ; 0", "official", "else", "nothing: the pool is empty"),
        ("; R1 R2 R3 / K1 ; ; 0", "sabra", "else", "pass"),
        ("; R1 R2 R3 / K1 ; ; 0 ; 11 ; R1", "official", "else", "play on"),
        ("; R1 R2 R3 / K1 ; ; 0 ; 11 ; R1 R2 R3", "official", "else", "end the turn"),
        ("R5 R6 R7 ; R8", "official", "most tiles", "R8 (1 tile, 8 points)"),
        ("; R1", "official", "rack", "R1"),
        ("", "official", "table", "empty"),
    ],
)
def test_every_position_is_told_in_full(
    position: str,
    rules: str,
    title: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert solved(capsys, position, "--rules", rules)[title] == words


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("R7 R7 K7 ; R8", "R7 R7 K7 is no group: the color of R7 is there twice"),
        ("R5 R6 ; R7", "R5 R6 is too short: a meld has at least 3 tiles"),
        ("R5 R6 K7 ; R8", "R5 R6 K7 is neither a run nor a group"),
        ("R5 J=R7 R6 J=K1 ; R8", "no joker can stand for R7 K1"),
        ("R5 R6 R7 ; X9", "'X9' is not a tile"),
        ("R5 R6 R7 ; R8 / R9 ; ; 2", "turn must be"),
        ("R5 R6 R7 ; R8 ; ; 0 ; 1 ; R9", "R9"),
    ],
)
def test_an_illegal_position_is_explained_in_a_sentence(
    position: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for rules in ("official", "triple_s"):
        assert sentence in refused(capsys, "solve", position, "--rules", rules)


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
    page = (out / "report.html").read_text()
    assert "trained against random" in page
    assert "Training of quick" in page
    assert main(command) == 0
    assert "has been trained already" in capsys.readouterr().out
    assert (out / "report.md").read_text() == report


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
        # Where the tests run in the background, the signal is ignored and that is
        # inherited.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        patience = time.monotonic() + 500
        while not (run / "checkpoints").exists() and process.poll() is None:
            assert time.monotonic() < patience
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.removeprefix(f"{NOTICE}\n") == "rummi: interrupted\n"
