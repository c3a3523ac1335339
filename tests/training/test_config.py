"""Configurations: defaults in code, files with what differs, errors of one line."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from rummi_agents.policy_files import NetworkConfig
from rummi_training.config import EvaluationConfig, PPOConfig, TrainConfig
from rummi_training.presets import config_path
from rummi_training.rules_text import read_rules

CONFIGS = Path(__file__).parents[2] / "configs"


def load(tmp_path: Path, text: str) -> TrainConfig:
    path = tmp_path / "run.yaml"
    path.write_text(text)
    return TrainConfig.load(path)


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda p: p.stem)
def test_every_configuration_loads(path: Path) -> None:
    assert TrainConfig.load(path).total_steps > 0
    assert config_path(path.name) == path


def test_quickstart_trains_as_much_as_promised() -> None:
    config = TrainConfig.load(config_path("quickstart.yaml"))
    assert config.total_steps >= 300_000
    assert config.evaluation.deals >= 200
    assert {"random", "max_tiles"} <= set(config.evaluation.opponents)


def test_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path, "") == TrainConfig()


def test_written_configuration_reads_back(tmp_path: Path) -> None:
    config = replace(
        TrainConfig(),
        opponents=("random", "greedy"),
        network=NetworkConfig("mlp", (3, 4)),
        ppo=PPOConfig(learning_rate=1e-4),
        evaluation=EvaluationConfig(deals=7),
    )
    assert load(tmp_path, config.to_yaml()) == config


def test_numbers_without_a_point_are_numbers(tmp_path: Path) -> None:
    config = load(tmp_path, "ppo: {learning_rate: 1e-4, discount: 1}")
    assert config.ppo.learning_rate == 1e-4
    assert config.ppo.discount == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("total_step: 3", "unknown key 'total_step': did you mean 'total_steps'"),
        ("ppo: {lerning_rate: 1}", "unknown key 'ppo.lerning_rate': did you mean"),
        ("zzz: 1", "unknown key 'zzz': keys are rules, num_players"),
        ("total_steps: many", "total_steps must be an integer .* not 'many'"),
        ("total_steps: 2.5", "total_steps must be an integer .* not 2.5"),
        ("total_steps: true", "total_steps must be an integer .* not True"),
        ("ppo: {epochs: 0}", "ppo.epochs must be an integer from 1 to 100, not 0"),
        ("ppo: {discount: x}", "ppo.discount must be a number from 0 to 1, not 'x'"),
        ("ppo: 3", "ppo must hold names and values, not 3"),
        ("- 1", "the file must hold names and values"),
        ("opponents: random", "opponents must be a list of names, not 'random'"),
        ("opponents: []", "opponents must be a list of names"),
        ("opponents: [1]", "opponents must be a list of names"),
        (
            "reward: money",
            "reward must be 'score', 'difference' or 'win', not 'money'",
        ),
        ("network: {kind: x}", "network.kind must be one of 'mlp', 'by_color'"),
        ("network: {hidden: 3}", "network.hidden must be 1 to 8 widths"),
        ("rules: offical", "unknown preset 'offical': did you mean official"),
        ("num_players: 5", "num_players must be an integer from 2 to 4, not 5"),
        ("rules: 'official,rack_size=30'\nnum_players: 4", "the deck is too small"),
        ("a: [", "is no YAML"),
    ],
)
def test_wrong_configurations_are_refused_in_a_line(
    tmp_path: Path, text: str, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        load(tmp_path, text)
    assert "run.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file_is_named() -> None:
    with pytest.raises(ValueError, match=r"none\.yaml cannot be read: No such file"):
        TrainConfig.load("none.yaml")


def test_every_field_has_a_reason() -> None:
    source = (
        Path(__file__).parents[2] / "training/rummi_training/config.py"
    ).read_text()
    for part in (TrainConfig, PPOConfig, EvaluationConfig):
        for field in fields(part):
            line = next(
                number
                for number, text in enumerate(source.splitlines())
                if text.startswith(f"    {field.name}: ")
            )
            following = source.splitlines()[line + 1]
            assert following.startswith('    """'), field.name


def test_rules_are_a_preset_with_changes_or_a_file(tmp_path: Path) -> None:
    assert read_rules("online").pool_empty == "one_more_turn"
    changed = read_rules("official, jokers=0, unopened_penalty=[1, 2]")
    assert changed.jokers == 0
    assert changed.unopened_penalty == (1, 2)
    path = tmp_path / "mine.yaml"
    path.write_text("jokers: 1\n")
    assert read_rules(str(path)).jokers == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("official,jokers", "'jokers' changes no rule"),
        ("official,joker=1", "unknown field 'joker'"),
        ("official,jokers=9", "jokers must be an integer from 0 to 2, not 9"),
        ("none.yaml", "none.yaml cannot be read"),
    ],
)
def test_wrong_rules_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_rules(text)
