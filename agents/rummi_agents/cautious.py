"""A player that holds back."""

from __future__ import annotations

from functools import cache

from rummi_agents.planned import Planned
from rummi_agents.protocol import Observation
from rummi_env.core.rulesets import MAX_PLAYERS, MIN_PLAYERS, RuleSet
from rummi_env.core.tiles import JOKER, Counts
from rummi_env.games.rummikub.scripted import (
    HOLD_ABOVE,
    KEEP_JOKERS_ABOVE,
    LEAST_TILES,
)
from rummi_env.games.rummikub.state import MAX_POOL
from rummi_env.observation import Field, fields, size_of
from rummi_env.solver import Turn


class Cautious(Planned):
    """Takes points off the rack, but keeps jokers and small plays for later.

    A joker on the table serves everybody, and one on the rack lets its owner go out at
    a stroke. So jokers stay on the rack until all of it can be laid down, or until an
    opponent is about to go out. Small plays wait as well, once the player has opened:
    they spread tiles that others build on, and with a larger rack more fits together
    later. With an empty pool there is nothing to wait for.
    """

    name = "cautious"

    least_tiles = LEAST_TILES

    def plan(self, observation: Observation, turn: Turn) -> Counts:
        """Returns the tiles of the turn."""
        turn = turn.unlimited()
        best = turn.best("points")
        if best is None:
            return turn.played
        if turn.pool_empty or best.tiles == turn.rack.sum():
            return best.counts
        fewest = fewest_opposing_tiles(observation, turn.rules)
        plan = best.counts
        if fewest > KEEP_JOKERS_ABOVE and turn.rack[JOKER]:
            plan = _best_without_jokers(turn)
        holds = fewest > HOLD_ABOVE and turn.opened
        if holds and not turn.played.any() and plan.sum() < self.least_tiles:
            return turn.played
        return plan


class Patient(Cautious):
    """Draws and draws, until it can lay down its whole rack in one turn.

    After the opening every play waits that does not empty the rack. With twenty tiles
    and a table to build on nearly everything fits together, while opponents who lay
    down whatever they can are left with odd tiles and a table that does not grow. As
    soon as one of them is about to go out it lays down what it can.
    """

    name = "patient"
    least_tiles = MAX_POOL + 1


def _best_without_jokers(turn: Turn) -> Counts:
    rack = turn.rack.copy()
    rack[JOKER] = turn.played[JOKER]
    best = turn.continued(rack, turn.played).best("points")
    if best is not None:
        return best.counts
    # With tiles played that only a joker completes, the joker has to go.
    whole = turn.best("points") if turn.played.any() else None
    return turn.played if whole is None else whole.counts


def fewest_opposing_tiles(observation: Observation, rules: RuleSet) -> int:
    """Returns how many tiles the opponent with fewest has."""
    part = _rack_sizes(rules, observation.size)
    return round(float(observation[part.slice][1:].min()) / part.scale)


@cache
def _rack_sizes(rules: RuleSet, size: int) -> Field:
    """Returns the field of the rack sizes in observations of this size."""
    for num_players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        if num_players * rules.rack_size > rules.num_tiles:
            break
        parts = fields(rules, num_players)
        if size_of(parts.values()) == size:
            return parts["rack_sizes"]
    raise ValueError(
        f"an observation of {size} values is none of {rules}, with 2 to 4 players"
    )
