"""Records of evaluations, and the command that replays them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from rummi_agents.policy_files import NetworkConfig, PolicyDescription, write_policy
from rummi_env.core.rulesets import RuleSet
from rummi_env.records import read_records, verify_records
from rummi_training.cli import main
from rummi_training.compiling import NOTICE
from rummi_training.evaluation import Settings, evaluate
from rummi_training.games_file import GAMES_FILE, RECORDS_FILE, read_games

QUIET = Console(quiet=True)

Evaluated = Callable[..., Path]


@pytest.fixture
def evaluated(tmp_path: Path) -> Evaluated:
    """Plays three deals and returns the file of their records."""

    def run(*agents: str, game: str = "rummikub", workers: int = 1) -> Path:
        out = tmp_path / "out"
        settings = Settings(agents, deals=3, seed=4, game=game, records=True)
        evaluate(settings, out, workers=workers, console=QUIET)
        return out / RECORDS_FILE

    return run


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("rummikub", ("random", "max_tiles", "cautious")),
        ("rummy", ("random", "meld_greedy")),
        ("tabla", ("random", "nearest_form")),
    ],
)
def test_every_game_of_an_evaluation_is_recorded(
    game: str, agents: tuple[str, ...], evaluated: Evaluated
) -> None:
    path = evaluated(*agents, game=game)
    records = [record for _, record in verify_records(path)]
    games = read_games(path.with_name(GAMES_FILE), len(agents))
    assert len(records) == len(games) == 3 * len(agents)
    for record, played in zip(records, games, strict=True):
        assert record.about == {"deal": played.deal, "rotation": played.rotation}
        assert record.num_steps == played.decisions
        by_name = dict(zip(record.players, record.totals, strict=True))
        assert tuple(by_name[name] for name in agents) == played.scores


def test_several_processes_record_the_same_games(evaluated: Evaluated) -> None:
    alone = sorted(evaluated("random", "greedy").read_text().splitlines())
    assert sorted(
        evaluated("random", "greedy", workers=2).read_text().splitlines()
    ) == (alone)


def test_an_evaluation_that_goes_on_records_every_game_once(
    evaluated: Evaluated,
) -> None:
    path = evaluated("random", "greedy")
    whole = path.read_text()
    lines = whole.splitlines(keepends=True)
    # One deal and a half are left, and the line that was being written.
    path.write_text("".join(lines[:3]) + lines[3][:100])
    settings = Settings(("random", "greedy"), deals=3, seed=4, records=True)
    evaluate(settings, path.parent, resume=True, console=QUIET)
    assert sorted(path.read_text().splitlines()) == sorted(whole.splitlines())


def test_an_evaluation_without_records_leaves_none_of_another(
    evaluated: Evaluated,
) -> None:
    path = evaluated("random", "greedy")
    settings = Settings(("random", "greedy"), deals=3, seed=4)
    evaluate(settings, path.parent, console=QUIET)
    assert not path.exists()


def test_what_a_network_thinks_is_recorded(
    evaluated: Evaluated, tmp_path: Path
) -> None:
    import torch

    from rummi_agents.network import actor, layout_of

    torch.manual_seed(0)
    rules, network = RuleSet(), NetworkConfig("mlp", (8,))
    weights = actor(network, layout_of(rules, 2)).state_dict()
    policy = tmp_path / "policy"
    policy.mkdir()
    write_policy(
        policy,
        PolicyDescription(rules, 2, network, {"steps": 0}),
        {name: value.numpy() for name, value in weights.items()},
    )
    path = evaluated(str(policy), "greedy")
    assert str(policy) not in path.read_text()
    for record in read_records(path):
        seat = record.players.index("policy")
        [part] = record.rounds
        thought = [
            part.judgements[step].probabilities[action]
            for step, action in enumerate(part.actions)
            if step in part.judgements and action is not None
        ]
        assert thought and len(thought) < len(part.actions), seat


# ------------------------------------------------------------------------ rummi replay


def test_replay_verifies_every_game(
    evaluated: Evaluated, capsys: pytest.CaptureFixture[str]
) -> None:
    path = evaluated("random", "greedy")
    assert main(["replay", str(path)]) == 0
    steps = sum(record.num_steps for record in read_records(path))
    told = capsys.readouterr().out
    assert f"verified: 6 games (6 of rummikub), {steps} steps" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text[:-5], "line 6: it is cut off"),
        (lambda text: text + "{}\n", "line 7: format must be 1, not None"),
        (
            lambda text: text.replace('"actions":[', '"actions":[54,', 1),
            "line 1: step 1: an action is a whole number from 0 to 53, not 54",
        ),
        (
            lambda text: text.replace('"greedy"', '"the best"', 1),
            "line 1: it was changed after it was written: its sha256 is wrong",
        ),
    ],
)
def test_replay_refuses_a_damaged_file(
    change: Callable[[str], str],
    told: str,
    evaluated: Evaluated,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = evaluated("random", "greedy")
    path.write_text(change(path.read_text()))
    assert main(["replay", str(path)]) == 2
    sentence = capsys.readouterr().err.removeprefix(f"{NOTICE}\n")
    assert sentence.startswith(f"rummi: {path}, {told}")
    assert sentence.count("\n") == 1


def test_replay_refuses_a_line_that_is_not_there_before_it_plays(
    evaluated: Evaluated,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = evaluated("random", "greedy")
    monkeypatch.delattr("rummi_training.replays.verify_records")
    assert main(["replay", str(path), "--lines", "2", "999"]) == 2
    assert f"{path} has no line 999: it has 6" in capsys.readouterr().err


def test_replay_refuses_a_file_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl cannot be read: No such file" in capsys.readouterr().err
