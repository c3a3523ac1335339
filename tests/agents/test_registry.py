"""Names, references and refusals of `make_agent`."""

import sys
import types
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from rummi_agents import Agent, agent_names, make_agent, registry
from rummi_env.games.rummikub.scripted import SCRIPTED


class Last:
    """A player of somebody else's."""

    def act(self, observation: object, mask: object, turn: object, rng: object) -> int:
        """Ends its turn."""
        return 53


@pytest.fixture
def module() -> Iterator[str]:
    made = types.ModuleType("somebody")
    made.Last = Last  # type: ignore[attr-defined]
    made.Number = int  # type: ignore[attr-defined]
    made.Demanding = dict.fromkeys  # type: ignore[attr-defined]
    sys.modules["somebody"] = made
    yield "somebody"
    del sys.modules["somebody"]


def test_built_in_names_work_without_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_entry_points", lambda: ())
    assert {*SCRIPTED, "search", "ppo", "expert", "best"} == set(agent_names())
    for name in agent_names():
        agent = make_agent(name)
        assert agent.name == name
        assert isinstance(agent, Agent)


def test_entry_points_add_agents(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    point = EntryPoint("theirs", f"{module}:Last", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: (point,))
    assert "theirs" in agent_names()
    assert make_agent("theirs").name == "theirs"


def test_module_and_class_make_an_agent(module: str) -> None:
    assert isinstance(make_agent(f"{module}:Last"), Last)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("max_tile", "unknown agent 'max_tile': there is .*did you mean 'max_tiles'"),
        ("nothing", "unknown agent 'nothing': there is best, cautious, expert, greedy"),
        ("nowhere:Last", "cannot be imported: No module named 'nowhere'"),
        ("somebody:First", "cannot be imported: .*First"),
        ("somebody:Number", "is no player: it has no method act"),
        ("somebody:Demanding", "cannot be made: "),
    ],
)
def test_impossible_agents_are_refused_in_a_sentence(
    module: str, spec: str, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        make_agent(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["", 5, None, Last])
def test_what_is_no_text_makes_no_agent(spec: Any) -> None:
    with pytest.raises(
        ValueError, match="name, a folder or module:Class, not "
    ) as told:
        make_agent(spec)
    assert str(told.value).endswith(repr(spec))


def test_folder_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is no checkpoint"):
        make_agent(str(tmp_path))


def test_entry_points_of_the_project_are_the_built_in_table() -> None:
    import tomllib

    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    points = project["project"]["entry-points"][registry.GROUP]
    assert points == {
        name: f"{made.__module__}:{made.__name__}"
        for name, made in registry.BUILT_IN.items()
        if isinstance(made, type)
    }
