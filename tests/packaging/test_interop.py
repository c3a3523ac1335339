"""The other frameworks can live in one environment with this package."""

import importlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.interop


def test_requirements_of_all_distributions_agree() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["ray.rllib", "torchrl", "tianshou"])
# Warnings at the import of a framework are its own affair.
@pytest.mark.filterwarnings("ignore")
def test_framework_imports(name: str) -> None:
    importlib.import_module(name)
