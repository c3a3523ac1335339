"""Rummy pe tabla as the front-ends play it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rummi_env.core.errors import IllegalAction
from rummi_env.core.fields import tiles_text
from rummi_env.core.options import GameRules
from rummi_env.core.tabla_rules import MAX_PLAYERS, TablaRules
from rummi_env.core.tiles import tile_name, tiles_of
from rummi_env.envs.game import Game, Seeing
from rummi_env.envs.start import Start, check_options
from rummi_env.games.tabla.engine import Engine
from rummi_env.games.tabla.scripted import SCRIPTED
from rummi_env.games.tabla.sound import is_sound
from rummi_env.games.tabla.state import (
    DECLARED,
    DOUBLES_PHASE,
    DRAW_POOL,
    DRAW_ROW,
    FIRST_CLOSE,
    NEW_DEAL,
)
from rummi_env.observation import tabla
from rummi_env.observation.tabla import TablaTurn, View, explain, view_of
from rummi_env.observation.tabla.actions import (
    action_to_text,
    check_action,
    refusal,
    text_to_action,
)
from rummi_env.rendering.tabla import tabla_text


class Tabla(Game):
    """Rummy pe tabla; an object plays one match of it.

    Events are ``declared`` a double, ``passed`` (no more doubles), ``redealt``,
    ``drew``, ``took``, ``discarded``, ``closed``, ``failed`` (illegal, the turn ended)
    and ``timed_out``.
    """

    name = "tabla"
    title = "Rummy pe tabla"
    rules_type = TablaRules
    preset = "ours"
    max_players = MAX_PLAYERS
    scripted = SCRIPTED
    seeing: ClassVar[Seeing] = tabla
    within_turn = ("declared", "drew", "took")
    magic = b"TABL"

    engine: Engine
    rules: TablaRules

    @classmethod
    def make_engine(cls, rules: GameRules | str | None, num_players: int) -> Engine:
        """See `Game`."""
        return Engine(cls.rules_of(rules), num_players)

    @classmethod
    def read_start(
        cls, options: Mapping[str, Any] | None, rules: TablaRules, num_players: int
    ) -> Start:
        """See `Game`; there is nothing to tell."""
        check_options(options, ())
        return Start()

    @classmethod
    def one_round(cls, rules: TablaRules) -> TablaRules:
        """See `Game`."""
        return rules.replace(rounds=1)

    @classmethod
    def draw_deal(cls, engine: Engine, seed: int) -> int:
        """Returns the seed: there is no notation for deals."""
        return seed

    @classmethod
    def format_deal(cls, deal: int) -> str:
        """See `Game`."""
        return str(deal)

    @classmethod
    def parse_deal(cls, text: str, rules: TablaRules, num_players: int) -> int:
        """See `Game`."""
        if not text.strip().isdecimal():
            raise ValueError(f"a deal is a whole number from 0, not {text!r}")
        return int(text)

    @classmethod
    def start_with(cls, deal: int) -> Start:
        """See `Game`."""
        return Start(seed=deal)

    @classmethod
    def written_start(cls, start: Start) -> dict[str, Any]:
        """See `Game`; the seed says all."""
        return {}

    @classmethod
    def turn_of(
        cls, engine: Engine, games: npt.NDArray[np.void], index: int
    ) -> TablaTurn:
        """See `Game`."""
        return TablaTurn(engine, games, index)

    @classmethod
    def advance(cls) -> Callable[..., None]:
        """See `Game`."""
        from rummi_env.envs.tabla_batch import advance

        return advance

    def dealt(self) -> str:
        """Returns the racks, the pool in draw order, the atu and who starts."""
        game = self.games[0]
        pool = game["pool"][game["drawn"] : game["pool_size"]].tolist()
        racks = map(tiles_of, game["racks"][: self.num_players])
        parts = (
            " / ".join(map(tiles_text, racks)),
            tiles_text(pool),
            tile_name(game["atu"]),
            str(game["starter"]),
        )
        return " ; ".join(parts)

    def event(self, action: int) -> str:
        """See `Game`."""
        if action in ENDS:
            return ENDS[action]
        if action >= FIRST_CLOSE:
            return "closed"
        in_doubles = self.games["phase"][0] == DOUBLES_PHASE
        return "declared" if in_doubles else "discarded"

    def view(self, seat: int, with_melds: bool = False) -> View:
        """See `Game`; there are no melds."""
        return view_of(self.games[0], self.rules, self.num_players, seat)

    def text(self, seat: int, names: Sequence[str] = ()) -> str:
        """See `Game`."""
        return tabla_text(self.view(seat), names)

    def refusal(self, action: int) -> IllegalAction:
        """See `Game`."""
        return refusal(action, self.view(self._mover), self.engine.solver)

    def action_text(self, action: int) -> str:
        """See `Game`."""
        return action_to_text(action, self.rules, self.view(self._mover))

    def read_action(self, text: str) -> int:
        """See `Game`."""
        return text_to_action(text, self.rules)

    def explain(self, action: int) -> str:
        """See `Game`."""
        check_action(action, self.rules)
        legal = bool(self.games["mask"][0, action])
        return explain(action, self.view(self._mover), self.engine.solver, legal)

    def is_sound(self, games: npt.NDArray[np.void]) -> bool:
        """See `Game`."""
        return bool(is_sound(games, 0, self.engine.codes))

    @property
    def _mover(self) -> int:
        return int(self.games["seat"][0])


ENDS = {
    DRAW_POOL: "drew",
    DRAW_ROW: "took",
    DECLARED: "passed",
    NEW_DEAL: "redealt",
}
"""Events of actions that need no tile."""
