"""Games side by side: the same as one at a time."""

from typing import Any

import numpy as np
import pytest

from rummi_agents.policy_files import NetworkConfig, PolicyDescription
from rummi_env.core.options import GameRules
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.core.tabla_rules import TablaRules
from rummi_training.batched import BatchedTable, plays_in_batches
from rummi_training.mirrored import (
    Player,
    draw_deals,
    make_player,
    one_round,
    play_mirrored,
)


class Middle:
    """The middle one of the legal actions; it wants to know of every match."""

    name = "middle"
    resets = 0

    def reset(self) -> None:
        self.resets += 1

    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[len(legal) // 2])

    def act_batch(self, observations: Any, masks: Any, rng: Any) -> Any:
        return np.array([self.act(None, mask, None, None) for mask in masks])


class Peeking(Middle):
    """Chooses by what it sees, so it must see what it is its turn to see."""

    name = "peeking"

    def act(self, observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[int(1000 * np.abs(observation).sum()) % len(legal)])

    def act_batch(self, observations: Any, masks: Any, rng: Any) -> Any:
        pairs = zip(observations, masks, strict=True)
        return np.array([self.act(seen, mask, None, None) for seen, mask in pairs])


class Dicing(Middle):
    """Any legal action."""

    name = "dicing"

    def act_batch(self, observations: Any, masks: Any, rng: Any) -> Any:
        return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


SMALL = RuleSet(numbers=8, rack_size=9, opening_points=12)
RUMMY = RummyRules(max_recycles=1)

TABLES: list[tuple[GameRules, list[Any]]] = [
    (RuleSet(), ["max_tiles", "max_points"]),
    (RuleSet(), ["random", "greedy"]),
    (SMALL, ["max_tiles", Middle()]),
    (SMALL, [Peeking(), "random", Peeking()]),
    (SMALL, ["greedy", Peeking(), Middle(), "max_points"]),
    (RuleSet.preset("sabra", numbers=8, rack_size=9), ["random", Peeking()]),
    (RuleSet.preset("tournament"), ["max_tiles", "random", "greedy"]),
    (RUMMY, ["random", "meld_greedy"]),
    (RUMMY, ["least_deadwood", Peeking(), "random"]),
    (TablaRules(), ["nearest_form", "planner"]),
    (TablaRules(), [Peeking(), "nearest_form"]),
]


def seated(rules: GameRules, players: list[Any]) -> list[Player]:
    return [
        make_player(who, game=rules.GAME) if isinstance(who, str) else who
        for who in players
    ]


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_games_are_the_same_side_by_side_and_one_at_a_time(
    rules: GameRules, players: list[Any]
) -> None:
    rules = one_round(rules)
    who = seated(rules, players)
    deals = list(enumerate(draw_deals(rules, len(who), 4, seed=6)))
    order = list(reversed(range(len(who))))
    alone = list(play_mirrored(who, rules, deals, 6, order=order))
    table = BatchedTable(who, rules, 6)
    assert table.play(deals, order) == alone
    # Neither the number of deals in a call nor their order matters.
    assert table.play(deals[2:], order) == alone[2:]
    assert table.play(deals[::-1], order) == alone[::-1]


def test_networks_decide_the_same_side_by_side_and_one_at_a_time() -> None:
    import torch

    from rummi_agents.network import actor, layout_of
    from rummi_agents.neural import NeuralAgent

    torch.manual_seed(3)
    network = NetworkConfig("by_color", (16,))
    rules = one_round(SMALL)
    weights = actor(network, layout_of(rules, 2)).state_dict()
    agent = NeuralAgent(
        PolicyDescription(rules, 2, network),
        {name: value.numpy() for name, value in weights.items()},
        "network",
    )
    deals = list(enumerate(draw_deals(rules, 2, 3, seed=6)))
    tables: list[list[Player]] = [[agent, "max_tiles"], [agent, agent]]
    for players in tables:
        alone = list(play_mirrored(players, rules, deals, 6))
        assert BatchedTable(players, rules, 6).play(deals) == alone


@pytest.mark.parametrize("players", [2, 3])
def test_whole_turns_are_the_games_played_tile_by_tile(players: int) -> None:
    import torch

    from rummi_agents.choosing import Choosing
    from rummi_agents.network import actor, layout_of

    torch.manual_seed(5)
    network = NetworkConfig("by_color", (16,), "turns")
    rules = one_round(SMALL)
    net = actor(network, layout_of(rules, 3, "turns"))
    torch.nn.init.normal_(net.get_parameter("others.weight"))
    agent = Choosing(
        PolicyDescription(rules, 3, network, {}, 2),
        {name: value.numpy() for name, value in net.state_dict().items()},
        "choosing",
    )
    deals = list(enumerate(draw_deals(rules, players, 3, seed=6)))
    for others in (["patient", "max_tiles"], ["cautious", agent]):
        seated: list[Player] = [agent, *others][:players]
        alone = list(play_mirrored(seated, rules, deals, 6))
        assert BatchedTable(seated, rules, 6).play(deals) == alone


@pytest.mark.parametrize("player", ["random", Peeking(), Dicing()])
def test_agent_against_itself_is_exactly_even(player: Player) -> None:
    rules = one_round(SMALL)
    deals = list(enumerate(draw_deals(rules, 3, 5, seed=3)))
    for games in BatchedTable([player] * 3, rules, 3).play(deals):
        scores = np.array([game.scores for game in games])
        assert np.allclose(scores.sum(axis=0), scores.sum() / 3)


def test_players_are_told_of_the_matches() -> None:
    rules = one_round(SMALL)
    middle = Middle()
    deals = list(enumerate(draw_deals(rules, 2, 2, seed=3)))
    BatchedTable([middle, "random"], rules, 3).play(deals)
    assert middle.resets


def test_only_players_of_many_games_play_side_by_side() -> None:
    assert plays_in_batches(["random", Middle()])
    assert not plays_in_batches(
        ["random", make_player("rummi_agents.cautious:Cautious")]
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_illegal_action_is_told(seat: int) -> None:
    class Stubborn(Middle):
        name = "stubborn"

        def act_batch(self, observations: Any, masks: Any, rng: Any) -> Any:
            return np.full(len(masks), 9999)

    rules = one_round(SMALL)
    deals = list(enumerate(draw_deals(rules, 2, 3, seed=1)))
    players: list[Player] = [Middle(), Middle()]
    players[seat] = Stubborn()
    with pytest.raises(ValueError, match="stubborn chose an action that the mask has"):
        BatchedTable(players, rules, 1).play(deals)
