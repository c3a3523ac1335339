"""Parameters behind the names of agents."""

import sys
import types
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any, Literal

import pytest

from rummi_agents import make_agent, registry
from rummi_agents.registry import parameters_of
from rummi_env.envs import opponents
from rummi_env.envs.opponents import read_opponents
from rummi_env.envs.parameters import call_with


class Searching:
    """An agent with parameters of every kind."""

    name = "searching"

    def __init__(
        self,
        rollouts: int = 100,
        milliseconds: float | None = None,
        policy: Literal["max_tiles", "random"] = "random",
        exact: bool = True,
        label: str = "",
    ) -> None:
        if rollouts < 1:
            raise ValueError(f"rollouts must be 1 or more, not {rollouts}")
        self.given = (rollouts, milliseconds, policy, exact, label)

    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        """Ends its turn."""
        return 53


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets `Searching` be known as ``searching`` and as ``somebody:Searching``."""
    made = types.ModuleType("somebody")
    made.Searching = Searching  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "somebody", made)
    point = EntryPoint("searching", "somebody:Searching", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: (point,))

    def installed(group: str, name: str | None = None) -> list[EntryPoint]:
        return [point] if name in (None, "searching") else []

    monkeypatch.setattr(opponents, "entry_points", installed)
    yield


@pytest.mark.parametrize(
    ("parameters", "given"),
    [
        ("300", (300, None, "random", True, "")),
        ("rollouts=300", (300, None, "random", True, "")),
        ("milliseconds=2.5", (100, 2.5, "random", True, "")),
        ("milliseconds=none, exact=false", (100, None, "random", False, "")),
        ("7,policy=max_tiles,label=a b", (7, None, "max_tiles", True, "a b")),
    ],
)
@pytest.mark.usefixtures("named")
def test_parameters_follow_the_name(parameters: str, given: tuple[object, ...]) -> None:
    for base in ("searching", "somebody:Searching"):
        agent = make_agent(f"{base}:{parameters}")
        assert isinstance(agent, Searching)
        assert agent.given == given
    (opponent,) = read_opponents([f"searching:{parameters}"], 2)
    assert isinstance(opponent, Searching)
    assert opponent.given == given


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("searching:x", "'searching:x': rollouts must be a whole number, not 'x'"),
        ("searching:1.5", "rollouts must be a whole number, not '1.5'"),
        ("searching:", "rollouts must be a whole number, not ''"),
        ("searching:0", "'searching:0': rollouts must be 1 or more, not 0"),
        ("searching:depth=3", "has no parameter 'depth': there is rollouts, millisec"),
        (
            "searching:1,2",
            "parameters after the first are given as name=value, not '2'",
        ),
        ("searching:1,rollouts=2", "rollouts is given twice"),
        ("searching:milliseconds=nan", "milliseconds must be a number or none, not"),
        ("searching:policy=best", "policy must be 'max_tiles' or 'random', not 'best'"),
        ("searching:exact=1", "exact must be true or false, not '1'"),
        ("max_tiles:3", "'max_tiles:3' takes no parameters"),
    ],
)
@pytest.mark.usefixtures("named")
def test_bad_parameters_are_refused_in_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        make_agent(spec)
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match=sentence):
        read_opponents([spec], 2)


@pytest.mark.usefixtures("named")
def test_parameters_are_told_by_name() -> None:
    assert parameters_of("searching:300,exact=false") == (
        "searching",
        {"rollouts": 300, "exact": False},
    )
    assert parameters_of("somebody:Searching:5") == (
        "somebody:Searching",
        {"rollouts": 5},
    )
    assert parameters_of("somebody:Searching") == ("somebody:Searching", {})
    assert parameters_of("max_tiles") == ("max_tiles", {})
    with pytest.raises(ValueError, match="unknown agent 'nobody:3'"):
        parameters_of("nobody:3")


def test_factories_without_annotations_are_read_by_their_defaults() -> None:
    def made(depth=3, word="a"):  # type: ignore[no-untyped-def]
        return depth, word

    assert call_with("f:5", made, "5,word=5") == (5, "5")
    with pytest.raises(ValueError, match="depth must be a whole number, not 'x'"):
        call_with("f:x", made, "x")
