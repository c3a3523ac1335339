"""A tour of the package in five minutes, to be read and run from top to bottom.

python training/examples/quick_tour.py
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from rummi_env import RuleSet, parse_position, rummikub_v0
from rummi_env.envs.batch import Batch
from rummi_env.observation import fields
from rummi_env.observation.history import ACTOR
from rummi_env.solver import TurnSolver
from rummi_env.testing import check_agent, check_env, random_play


def rules() -> RuleSet:
    """Rules are data; a small deck makes small games."""
    small = RuleSet(colors=2, numbers=6, jokers=0, rack_size=5, opening_points=6)
    print(f"1. {small}: {small.num_tiles} tiles")
    return small


def one_match(small: RuleSet) -> None:
    """PettingZoo: every agent acts, several times in a turn."""
    env: Any = rummikub_v0.env(rules=small, render_mode="ansi")
    env.reset(seed=7)
    rng = np.random.default_rng(7)
    decisions = 0
    for agent in env.agent_iter():
        if env.terminations[agent]:
            env.step(None)
            continue
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        env.step(int(rng.choice(legal)))
        decisions += 1
    sheet = env.unwrapped.score_sheet
    print(f"2. a match of {decisions} decisions; scores {sheet.totals}")


def what_is_seen(small: RuleSet) -> None:
    """Observations are flat, with names for their slices."""
    parts = fields(small, 2)
    env = rummikub_v0.raw_env(rules=small)
    env.reset(seed=7)
    seen = env.observe(env.agent_selection)
    rack = np.flatnonzero(seen["observation"][parts["rack"].slice])
    print(f"3. {len(parts)} fields, {len(seen['observation'])} values; rack {rack}")


def everything_seen(small: RuleSet) -> None:
    """Or all that was seen since the start, public and private parts apart."""
    env = rummikub_v0.raw_env(rules=small, obs_type="history")
    env.reset(seed=7)
    for _ in range(6):
        seen = env.observe(env.agent_selection)
        env.step(int(seen["action_mask"].argmax()))
    seen = env.observe("player_0")["observation"]
    assert env.history is not None
    acted = seen["public"][:, env.history.rows.public[ACTOR].slice]
    print(f"4. {len(acted)} rows of history; who acted: {acted[1:].argmax(1)}")


def one_learner(small: RuleSet) -> None:
    """Gymnasium: one seat learns, opponents act inside the step."""
    env = gymnasium.make("rummi/Rummikub-v0", rules=small, opponents=["max_tiles"])
    _, info = env.reset(seed=7)
    over, total = False, 0.0
    while not over:
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
        total += float(reward)
    print(f"5. a match against max_tiles; reward {total}, won {info['won']}")


def many_games() -> None:
    """Batches: one compiled call moves all games on."""
    batch = Batch(256)
    _, masks = batch.reset(seed=7)
    for _ in range(100):
        *_, masks = batch.step(masks.argmax(axis=1))
    print(f"6. {int(batch.out.decisions.sum()):,} decisions in 256 games")


def best_turn() -> None:
    """The solver answers for any table and rack."""
    position = parse_position("B5 R5 K5 O5 | R1 R2 R3 ; B4 B6 B7 K1")
    turn = TurnSolver("official").turn("B5 R5 K5 O5 | R1 R2 R3", "B4 B6 B7 K1")
    print(
        f"7. of {len(position.racks[0])} tiles the best turn plays {turn.best('tiles')}"
    )


class Cautious:
    """A player is a class with one method."""

    def act(self, observation, mask, turn, rng):  # type: ignore[no-untyped-def]
        """Plays the tile of the lowest kind that it may, or ends the turn."""
        return int(mask.argmax())


def own_player(small: RuleSet) -> None:
    """The kit tells whether own players and own rules keep to the interfaces."""
    check_agent(Cautious(), rules=small)
    check_env(rummikub_v0.env(rules=small), matches=1)
    match = random_play(rummikub_v0.env(rules=small), seed=7)
    print(f"8. the checks pass; a random match has {len(match.actions)} actions")


def main() -> None:
    """Takes the tour."""
    small = rules()
    one_match(small)
    what_is_seen(small)
    everything_seen(small)
    one_learner(small)
    many_games()
    best_turn()
    own_player(small)


if __name__ == "__main__":
    main()
