"""The checks that others run on their own variants and players."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.utils.wrappers import BaseWrapper

import rummi_env
from rummi_agents import agent_names, make_agent
from rummi_env import RuleSet, RummyRules, rummikub_v0, rummy_v0, tabla_v0
from rummi_env.envs.match import Match
from rummi_env.testing import (
    ComplianceError,
    check_agent,
    check_env,
    invariants,
    random_play,
)

TRAINED = ("ppo", "expert", "best")

SMALL = RuleSet(colors=2, numbers=6, jokers=0, rack_size=5, opening_points=6)


@pytest.mark.parametrize(
    "make",
    [
        lambda: rummikub_v0.env(rules=SMALL),
        lambda: rummikub_v0.raw_env(rules="sabra", num_players=3),
        lambda: rummikub_v0.env(rules=SMALL, on_illegal="raise", obs_type="dict"),
        lambda: rummikub_v0.env(rules=SMALL, on_illegal="terminate"),
        lambda: rummikub_v0.env(rules=SMALL, obs_type="history"),
        lambda: rummy_v0.env(rules=RummyRules.preset("straight_gin", hands=1)),
        lambda: tabla_v0.env(num_players=3),
        lambda: gymnasium.make("rummi/Rummikub-v0", rules=SMALL),
        lambda: gymnasium.make("rummi/Rummy-v0", obs_type="dict"),
        lambda: gymnasium.make_vec("rummi/Rummikub-v0", num_envs=5, rules=SMALL),
        lambda: gymnasium.make_vec(
            "rummi/Tabla-v0", num_envs=3, autoreset_mode="same_step", threads=2
        ),
    ],
)
def test_our_environments_comply(make: Any) -> None:
    check_env(make(), matches=2)


def check_players(game: str, trained: bool) -> None:
    rules = RuleSet(numbers=7, rack_size=7) if game == "rummikub" else None
    for name in agent_names(game):
        if (name in TRAINED) == trained:
            check_agent(make_agent(name, game), game=game, rules=rules, matches=2)


@pytest.mark.parametrize("game", ["rummikub", "rummy", "tabla"])
def test_our_players_comply(game: str) -> None:
    check_players(game, trained=False)


@pytest.mark.parametrize("game", ["rummikub", "rummy", "tabla"])
def test_our_trained_players_comply(game: str) -> None:
    pytest.importorskip("torch", reason="networks need the extra 'train'")
    check_players(game, trained=True)


def test_a_random_match_tells_what_was_done() -> None:
    looks = []
    played = random_play(
        rummikub_v0.env(rules=SMALL), seed=3, watch=lambda env: looks.append(env)
    )
    assert len(looks) == len(played.actions) + 1
    assert {agent for agent, _ in played.actions} == {"player_0", "player_1"}
    assert sum(played.returns.values()) == 0
    assert played == random_play(rummikub_v0.env(rules=SMALL), seed=3)
    assert played != random_play(rummikub_v0.env(rules=SMALL), seed=4)
    with pytest.raises(ComplianceError, match="the match has more than 5 actions"):
        random_play(rummikub_v0.env(rules=SMALL), max_actions=5)


# ---------------------------------------------------------------- wrong environments


class Broken(BaseWrapper[Any, Any, Any]):
    """An environment with something wrong about what is seen."""

    def observe(self, agent: str) -> Any:
        return self.spoil(super().observe(agent), agent)

    def spoil(self, seen: Any, agent: str) -> Any:
        raise NotImplementedError


class NoMask(Broken):
    def spoil(self, seen: Any, agent: str) -> Any:
        return seen | {"action_mask": np.zeros_like(seen["action_mask"])}


class MaskOfEverybody(Broken):
    def spoil(self, seen: Any, agent: str) -> Any:
        raw: Any = self.env.unwrapped
        return seen | {"action_mask": raw._match.mask.copy()}


class TooLarge(Broken):
    def spoil(self, seen: Any, agent: str) -> Any:
        return seen | {"observation": seen["observation"] + 1000}


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (NoMask, "player_. is to move and has no legal action"),
        (MaskOfEverybody, "player_. is not to move, but its mask has .* actions"),
        (TooLarge, "player_0: the observation does not lie in its space"),
    ],
)
def test_what_is_wrong_with_an_observation_is_said(wrong: Any, problem: str) -> None:
    env = wrong(rummikub_v0.raw_env(rules=SMALL))
    env.reset(seed=1)
    with pytest.raises(ComplianceError, match=problem):
        invariants(env)


def test_a_lost_tile_is_found() -> None:
    env = rummikub_v0.raw_env(rules=SMALL)
    env.reset(seed=1)
    invariants(env)
    env._match.games["pool_size"][0] -= 1
    with pytest.raises(ComplianceError, match="in all places"):
        invariants(env)


def test_a_peek_at_hidden_tiles_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Match.observation

    def peeking(match: Match, seat: int) -> Any:
        seen = plain(match, seat)
        hidden = match.privileged(seat)
        # What the other holds, in place of what is known of it.
        known = match.game.seeing.fields(match.rules, 2)["known"]
        racks = match.game.seeing.state_fields(match.rules, 2)["racks"]
        seen[known.slice] = hidden[racks.slice]
        return seen

    monkeypatch.setattr(Match, "observation", peeking)
    with pytest.raises(ComplianceError, match="sees something of what is hidden"):
        check_env(rummikub_v0.env(rules=SMALL), matches=1)


def test_chance_without_the_seed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Match.start
    chance = np.random.default_rng()

    def unseeded(match: Match, seed: int, start: Any) -> None:
        plain(match, int(chance.integers(2**62)), start)

    monkeypatch.setattr(Match, "start", unseeded)
    env = gymnasium.make_vec(
        "rummi/Rummikub-v0", num_envs=2, rules=SMALL, vectorization_mode="sync"
    )
    with pytest.raises(ComplianceError, match="two runs of seed 0 differ"):
        check_env(env)


def test_what_is_no_environment_is_refused() -> None:
    with pytest.raises(TypeError, match="not RuleSet"):
        check_env(SMALL)


# ----------------------------------------------------------------------- wrong players


class First:
    """Takes the first legal action."""

    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        return int(mask.argmax())


class Illegal(First):
    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        return int(mask.argmin())


class Fractional(First):
    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> Any:
        return float(mask.argmax())


class Scribbling(First):
    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        observation[0] = 7
        return int(mask.argmax())


class OwnChance(First):
    def __init__(self) -> None:
        self.chance = np.random.default_rng()

    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        return int(self.chance.choice(np.flatnonzero(mask)))


class Remembering(First):
    """Plays otherwise once it has played a match, which `reset` should undo."""

    asked = 0

    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        self.asked += 1
        legal = np.flatnonzero(mask)
        return int(legal[self.asked % len(legal)])


class WrongBatch(First):
    def act_batch(self, observations: Any, masks: Any, rng: Any) -> Any:
        return masks.argmin(axis=1)


class OneForAll(First):
    def act_batch(self, observations: Any, masks: Any, rng: Any) -> Any:
        return masks[0].argmax()


@pytest.mark.parametrize(
    ("player", "problem"),
    [
        (Illegal, "the player chose 0; legal are"),
        (Scribbling, "the player changed the observation"),
        (OwnChance, "the same random numbers gave two matches"),
        (Remembering, "the same random numbers gave two matches"),
        (WrongBatch, "not all are legal"),
        (OneForAll, "act_batch must return three whole numbers"),
    ],
)
def test_what_is_wrong_with_a_player_is_said(player: Any, problem: str) -> None:
    check_agent(First(), rules=SMALL)
    with pytest.raises(ComplianceError, match=problem):
        check_agent(player(), rules=SMALL)


def test_what_is_no_player_is_refused() -> None:
    with pytest.raises(TypeError, match="has none"):
        check_agent(First, rules=SMALL)
    with pytest.raises(TypeError, match="object cannot be interpreted"):
        check_agent(Fractional(), rules=SMALL)
    with pytest.raises(ComplianceError, match="so not rummy"):
        check_agent(make_agent("max_tiles"), game="rummy")


def test_the_kit_is_public() -> None:
    assert set(rummi_env.testing.__all__) == {
        "ComplianceError",
        "RandomMatch",
        "check_agent",
        "check_env",
        "invariants",
        "random_play",
    }
