"""The ranges of pyproject.toml against the exact versions of constraints.txt."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# The extra `interop` is left out: pyproject.toml says why.
EXTRAS = ["train", "render", "play", "test", "dev"]
REQUIREMENTS = sorted(
    set(PROJECT["dependencies"]).union(
        *(PROJECT["optional-dependencies"][extra] for extra in EXTRAS)
    )
)


def read_pins() -> dict[str, Version]:
    pins: dict[str, Version] = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, version = line.split("==")
            pins[canonicalize_name(name)] = Version(version)
    return pins


PINS = read_pins()


@pytest.mark.parametrize("text", REQUIREMENTS)
def test_requirement_has_a_pin_in_its_range(text: str) -> None:
    requirement = Requirement(text)
    assert PINS[canonicalize_name(requirement.name)] in requirement.specifier


def test_no_pin_names_a_local_build() -> None:
    assert [name for name, version in PINS.items() if version.local] == []
