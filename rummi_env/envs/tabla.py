"""Rummy pe tabla as the front-ends play it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rummi_env.core.errors import IllegalAction
from rummi_env.core.options import GameRules
from rummi_env.core.shapes import NUM_SHOWN
from rummi_env.core.tabla_positions import TablaPosition, format_tabla_position
from rummi_env.core.tabla_rules import MAX_PLAYERS, TablaRules
from rummi_env.core.tiles import Counts
from rummi_env.envs.game import Game, Seeing
from rummi_env.envs.start import Start, read_tabla_start
from rummi_env.games.tabla.engine import Engine
from rummi_env.games.tabla.layouts import Arrangement
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
from rummi_env.rendering.scenes.shapes import Scene
from rummi_env.rendering.scenes.tabla import tabla_scene
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

    def __init__(self, rules: GameRules | str | None, num_players: int) -> None:
        """See `Game`."""
        super().__init__(rules, num_players)
        self._shown: Counts | None = None

    def start(self, seed: int, start: Start) -> None:
        """See `Game`."""
        super().start(seed, start)
        self._shown = None

    def load(self, games: npt.NDArray[np.void], parts: tuple[bytes, ...]) -> None:
        """See `Game`; the tiles that closed a deal before are not saved."""
        super().load(games, parts)
        self._shown = None

    @classmethod
    def make_engine(cls, rules: GameRules | str | None, num_players: int) -> Engine:
        """See `Game`."""
        return Engine(cls.rules_of(rules), num_players)

    @classmethod
    def read_start(
        cls, options: Mapping[str, Any] | None, rules: TablaRules, num_players: int
    ) -> Start:
        """See `Game`."""
        return read_tabla_start(options, num_players)

    @classmethod
    def one_round(cls, rules: TablaRules) -> TablaRules:
        """See `Game`."""
        return rules.replace(rounds=1)

    @classmethod
    def draw_deal(cls, engine: Engine, seed: int) -> TablaPosition:
        """Returns the position of a match just started: all tiles and who begins."""
        games = engine.new_games(1)
        engine.start(games, 0, seed)
        return engine.position(games, 0)

    @classmethod
    def format_deal(cls, deal: TablaPosition) -> str:
        """See `Game`."""
        return format_tabla_position(deal)

    @classmethod
    def parse_deal(
        cls, text: str, rules: TablaRules, num_players: int
    ) -> TablaPosition:
        """See `Game`."""
        start = read_tabla_start({"position": text}, num_players)
        deal: TablaPosition = start.position
        return deal

    @classmethod
    def start_with(cls, deal: TablaPosition) -> Start:
        """See `Game`."""
        return Start(position=deal)

    @classmethod
    def written_start(cls, start: Start) -> dict[str, Any]:
        """See `Game`."""
        if start.position is None:
            return {}
        return {"position": format_tabla_position(start.position)}

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
        """See `Game`."""
        return format_tabla_position(self.position())

    def position(self) -> TablaPosition:
        """See `Game`."""
        return self.engine.position(self.games, 0)

    def event(self, action: int) -> str:
        """See `Game`."""
        if action in ENDS:
            return ENDS[action]
        if action >= FIRST_CLOSE:
            # Everybody has seen it, but the next deal puts other tiles in its place.
            self._shown = self.games["racks"][0, self._mover].copy()
            self._shown[action - FIRST_CLOSE] -= 1
            return "closed"
        in_doubles = self.games["phase"][0] == DOUBLES_PHASE
        return "declared" if in_doubles else "discarded"

    def view(self, seat: int, with_melds: bool = False) -> View:
        """See `Game`; there are no melds."""
        return view_of(self.games[0], self.rules, self.num_players, seat)

    def text(
        self,
        seat: int,
        names: Sequence[str] = (),
        *,
        color: bool = False,
        before: Any = None,
        reveal: bool = False,
    ) -> str:
        """See `Game`."""
        racks = self.racks() if reveal else ()
        return tabla_text(
            self.view(seat), names, color=color, before=before, reveal=racks
        )

    def scene(
        self,
        seat: int,
        names: Sequence[str] = (),
        before: Any = None,
        reveal: bool = False,
    ) -> Scene:
        """See `Game`."""
        view = self.view(seat)
        return tabla_scene(
            view,
            names,
            before=before,
            reveal=self.racks() if reveal else (),
            board=self._board(view),
            closed=self.closing(),
        )

    def action_text(self, action: int) -> str:
        """See `Game`."""
        return action_to_text(action, self.rules, self.view(self._mover))

    def refusal(self, action: int) -> IllegalAction:
        """See `Game`."""
        return refusal(action, self.view(self._mover), self.engine.solver)

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

    def racks(self) -> list[Counts]:
        """See `Game`."""
        return list(self.games["racks"][0, : self.num_players].copy())

    def _board(self, view: View) -> Arrangement | None:
        """Returns how the observer's tiles show the form that pays most, if they do."""
        rack, solver = view.rack.copy(), self.engine.solver
        racks = [rack]
        if rack.sum() > NUM_SHOWN:
            throwing = np.flatnonzero(self.games["mask"][0, FIRST_CLOSE:DRAW_POOL])
            can_close = view.to_move == 0 and view.phase == "discard"
            racks = []
            for kind in throwing if can_close else ():
                rack[kind] -= 1
                racks.append(rack.copy())
                rack[kind] += 1
        elif rack.sum() < NUM_SHOWN:
            return None
        found = [(best, tiles) for tiles in racks if (best := solver.best_form(tiles))]
        if not found:
            return None
        (form, _), tiles = max(found, key=lambda pair: pair[0][1])
        return solver.arrangement(tiles, form.name)

    def closing(self) -> Arrangement | None:
        """Returns the tiles that closed the last deal, as they showed their form.

        None where it was void, and after a saved match was loaded.
        """
        form = self.view(0).ending.form
        if form is None or self._shown is None:
            return None
        return self.engine.solver.arrangement(self._shown, form.name)

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
