"""A match of Rummy played by the machine and by its twin at once.

The twin is dealt what the machine dealt and told how chance shuffled new pools;
everything else it works out by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from rummi_env.core.cards import cards_of
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine, Games
from rummi_env.games.rummy.state import (
    DISCARD,
    DRAW,
    LAY_ABOVE,
    LAY_BELOW,
    LAY_GROUP,
    MELD_RUN,
    TAKE,
)
from rummi_env.games.rummy.tables import melds_of
from rummi_env.observation.rummy.actions import cards_laid
from rummi_env.testing.rummy_twin import Action, Deal, Meld, RummyTwin


def read(action: int, table: Collection[Meld]) -> Action:
    """Return what an action of the machine is called by the twin."""
    if action in (DRAW, TAKE):
        return Action("draw" if action == DRAW else "take")
    if action < MELD_RUN:
        return Action("discard", frozenset({action - DISCARD}))
    cards = frozenset(cards_laid(action))
    if action < LAY_GROUP:
        return Action("meld", cards)
    (card,) = cards
    suit, step = divmod(card, 13)
    if action < LAY_BELOW:
        (onto,) = (meld for meld in table if {held % 13 for held in meld} == {step})
    else:
        beside = suit * 13 + (step + (1 if action < LAY_ABOVE else -1)) % 13
        (onto,) = (
            meld
            for meld in table
            if beside in meld and {held // 13 for held in meld} == {suit}
        )
    return Action("lay off", cards, onto)


class Pair:
    """A match played by the machine and by the twin at once.

    Attributes:
        engine: Plays the machine's part.
        games: The machine's game, an array of one record.
        twin: The twin's game.
        steps: The actions so far; -1 where a turn failed.
    """

    def __init__(self, rules: RummyRules, num_players: int, seed: int) -> None:
        self.engine = Engine(rules, num_players)
        self.games: Games = self.engine.new_games(1)
        self.engine.start(self.games, 0, seed)
        self._new_pool: list[int] = []
        self.twin = RummyTwin(rules, num_players, self._deals(), lambda: self._new_pool)
        self.steps: list[int] = []

    @property
    def game(self) -> Any:
        """The machine's game."""
        return self.games[0]

    def _pool(self, games: Games) -> list[int]:
        """Return the pool, the next card first."""
        game = games[0]
        return [int(card) for card in game["pool"][: game["pool_size"]][::-1]]

    def _deals(self) -> Iterator[Deal]:
        """Yield the deal of the hand that the machine has just begun."""
        while True:
            game = self.game
            racks = game["racks"][: self.engine.num_players]
            yield Deal(
                racks=tuple(frozenset(cards_of(rack)) for rack in racks),
                up=int(game["row"][0]),
                pool=tuple(self._pool(self.games)),
                starter=int(game["starter"]),
            )

    def _foresee_new_pool(self) -> None:
        """Note how the machine's chance would shuffle a new pool now."""
        if self.game["pool_size"] == 0 and self.game["mask"][DRAW]:
            ahead = self.games.copy()
            self.engine.act(ahead, 0, DRAW)
            drawn = cards_of(ahead["racks"][0].sum() - self.games["racks"][0].sum())
            self._new_pool = [*drawn, *self._pool(ahead)]

    def act(self, action: int) -> None:
        """Perform an action in both."""
        self.steps.append(action)
        self._foresee_new_pool()
        twin_action = self.read(action)
        self.engine.act(self.games, 0, action)
        self.twin.act(twin_action)

    def fail_turn(self) -> None:
        """Fail the turn in both."""
        self.steps.append(-1)
        self._foresee_new_pool()
        self.engine.fail_turn(self.games, 0)
        self.twin.fail_turn()

    def read(self, action: int) -> Action:
        """Return what an action of the machine is called by the twin now."""
        return read(action, self.twin.table)

    def machine_actions(self) -> set[int]:
        """Return the actions that the machine has in its mask."""
        return set(np.flatnonzero(self.game["mask"]).tolist())

    def assert_same_actions(self) -> None:
        """Compare the legal actions."""
        machine = {self.read(action) for action in self.machine_actions()}
        assert machine == self.twin.legal_actions(), self._where()

    def _where(self) -> str:
        return f"after {self.steps} under {self.engine.rules}"

    def assert_alike(self) -> None:
        """Compare all that a game consists of, but the legal actions."""
        game, twin, players = self.game, self.twin, self.engine.num_players
        machine = {
            "racks": [frozenset(cards_of(r)) for r in game["racks"][:players]],
            "known": [frozenset(cards_of(k)) for k in game["known"][:players]],
            "row": game["row"][: game["row_size"]].tolist(),
            "pool": self._pool(self.games),
            "table": set(map(frozenset, melds_of(game))),
            "taken": None if game["taken"] < 0 else game["taken"],
            "melds": game["melds"],
            "melded": game["melded"][:players].astype(bool).tolist(),
            "recycles": game["recycles"],
            "starter": game["starter"],
            "turn": game["turn"],
            "round": game["round"],
            "round_ended": bool(game["round_ended"]),
            "blocked": bool(game["blocked"]),
            "phase": ("draw", "play", "over")[game["phase"]],
        }
        if twin.phase == "over":
            # The twin goes on with the next hand only if there is one.
            for name in ("melds", "taken"):
                del machine[name]
        else:
            assert game["seat"] == twin.seat, self._where()
        for name, value in machine.items():
            assert value == getattr(twin, name), f"{name} {self._where()}"
        laid = [len(cards) for cards in twin.laid]
        assert game["laid"][:players].tolist() == laid, self._where()
        for name in ("scores", "totals", "rounds_won"):
            expected = list(map(float, getattr(twin, name)))
            assert np.allclose(game[name][:players], expected), self._where()
            assert not game[name][players:].any(), self._where()
