"""What importing costs, and where the source roots end."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# What the extras bring: none of it may be a price of `import rummi_env`.
HEAVY = {
    "matplotlib",
    "pygame",
    "ray",
    "sb3_contrib",
    "scipy",
    "stable_baselines3",
    "torch",
}


def test_importing_rummi_env_is_light_and_silent() -> None:
    code = "import sys, rummi_env; sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    assert HEAVY.isdisjoint(done.stderr.split())


@pytest.mark.parametrize("folder", ["agents", "training", "tests", "configs"])
def test_folder_is_no_package(folder: str) -> None:
    # With an __init__.py it would shadow, or be shadowed by, someone else's package.
    assert not (ROOT / folder / "__init__.py").exists()
