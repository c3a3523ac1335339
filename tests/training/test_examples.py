"""The examples run, and do what they say."""

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "training/examples"


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its dataclasses look for it there.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(importlib.import_module("sys").modules, name, module)
        spec.loader.exec_module(module)
    return module


def test_the_quick_tour_runs(capsys: pytest.CaptureFixture[str]) -> None:
    loaded("quick_tour").main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(".")[0] for line in lines] == list("12345678")
    assert "Play('B4 B6 B7')" in lines[6]
    assert "the checks pass" in lines[7]


@pytest.mark.parametrize(
    ("rules", "opponent"), [("default", "self"), ("online", "max_tiles")]
)
def test_the_single_file_learns_without_an_illegal_action(
    rules: str, opponent: str
) -> None:
    ppo = loaded("ppo_single_file")
    args = ppo.Args(
        rules=rules, opponent=opponent, total_steps=5000, num_envs=16, hidden=32
    )
    agent, updates = ppo.train(args)
    assert updates[-1].steps >= 5000
    assert sum(update.illegal for update in updates) == 0
    assert all(math.isfinite(update.loss) for update in updates)
    assert all(update.entropy > 0 for update in updates)
    scores = [score for update in updates for score in update.scores]
    assert min(scores) < 0 < max(scores)
    assert all(value.isfinite().all() for value in agent.parameters())


def test_illegal_actions_have_no_probability_and_no_gradient() -> None:
    ppo = loaded("ppo_single_file")
    torch = ppo.torch
    logits = torch.tensor([[1.0, 50.0, 2.0]], requires_grad=True)
    mask = torch.tensor([[True, False, True]])
    chance = ppo.MaskedCategorical(logits, mask)
    assert chance.probs[0, 1].item() == 0
    (chance.entropy() + chance.log_prob(torch.tensor([0]))).sum().backward()
    assert logits.grad[0, 1].item() == 0
    assert np.isfinite(logits.grad.numpy()).all()


def test_the_single_file_is_short_and_says_what_it_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert len((EXAMPLES / "ppo_single_file.py").read_text().splitlines()) < 300
    ppo = loaded("ppo_single_file")
    ppo.main(["--total-steps", "64", "--num-envs", "2", "--num-steps", "32"])
    assert "decisions a second" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        ppo.parse(["--steps", "many"])
    assert stopped.value.code == 2
