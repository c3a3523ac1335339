"""Basic Rummy as the front-ends play it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rummi_env.core.card_positions import CardPosition, format_card_position
from rummi_env.core.cards import cards_of
from rummi_env.core.errors import IllegalAction
from rummi_env.core.options import GameRules
from rummi_env.core.rummy_rules import MAX_PLAYERS, RummyRules
from rummi_env.envs.game import Game, Seeing
from rummi_env.envs.start import Start, read_card_start
from rummi_env.games.rummy.engine import Engine
from rummi_env.games.rummy.scripted import SCRIPTED
from rummi_env.games.rummy.sound import is_sound
from rummi_env.games.rummy.state import DRAW, LAY_GROUP, MELD_RUN, TAKE
from rummi_env.observation import rummy
from rummi_env.observation.rummy import RummyTurn, View, explain, view_of
from rummi_env.observation.rummy.actions import (
    action_to_text,
    check_action,
    refusal,
    text_to_action,
)
from rummi_env.rendering.rummy import text
from rummi_env.rendering.scenes.rummy import rummy_scene
from rummi_env.rendering.scenes.shapes import Scene


class Rummy(Game):
    """Basic Rummy; an object plays one match of it.

    Events are ``drew``, ``took``, ``melded``, ``laid_off``, ``discarded``, ``failed``
    (illegal, the turn ended) and ``timed_out``.
    """

    name = "rummy"
    title = "Rummy"
    rules_type = RummyRules
    preset = "basic"
    max_players = MAX_PLAYERS
    scripted = SCRIPTED
    seeing: ClassVar[Seeing] = rummy
    within_turn = ("drew", "took", "melded", "laid_off")
    magic = b"RUMY"

    engine: Engine
    rules: RummyRules

    @classmethod
    def make_engine(cls, rules: GameRules | str | None, num_players: int) -> Engine:
        """See `Game`."""
        return Engine(cls.rules_of(rules), num_players)

    @classmethod
    def read_start(
        cls, options: Mapping[str, Any] | None, rules: RummyRules, num_players: int
    ) -> Start:
        """See `Game`."""
        return read_card_start(options, rules, num_players)

    @classmethod
    def one_round(cls, rules: RummyRules) -> RummyRules:
        """See `Game`."""
        return rules.replace(hands=1)

    @classmethod
    def draw_deal(cls, engine: Engine, seed: int) -> CardPosition:
        """Returns the position of a match just started: all cards and who begins."""
        games = engine.new_games(1)
        engine.start(games, 0, seed)
        return engine.position(games, 0)

    @classmethod
    def format_deal(cls, deal: CardPosition) -> str:
        """See `Game`."""
        return format_card_position(deal)

    @classmethod
    def parse_deal(cls, text: str, rules: RummyRules, num_players: int) -> CardPosition:
        """See `Game`."""
        start = read_card_start({"position": text}, rules, num_players)
        deal: CardPosition = start.position
        return deal

    @classmethod
    def start_with(cls, deal: CardPosition) -> Start:
        """See `Game`."""
        return Start(position=deal)

    @classmethod
    def written_start(cls, start: Start) -> dict[str, Any]:
        """See `Game`."""
        if start.position is None:
            return {}
        return {"position": format_card_position(start.position)}

    @classmethod
    def turn_of(
        cls, engine: Engine, games: npt.NDArray[np.void], index: int
    ) -> RummyTurn:
        """See `Game`."""
        return RummyTurn(engine, games, index)

    @classmethod
    def advance(cls) -> Callable[..., None]:
        """See `Game`."""
        from rummi_env.envs.rummy_batch import advance

        return advance

    def dealt(self) -> str:
        """See `Game`."""
        return format_card_position(self.position())

    def event(self, action: int) -> str:
        """See `Game`."""
        if action == DRAW:
            return "drew"
        if action == TAKE:
            return "took"
        if action < MELD_RUN:
            return "discarded"
        return "melded" if action < LAY_GROUP else "laid_off"

    def view(self, seat: int, with_melds: bool = False) -> View:
        """See `Game`; the melds are always there."""
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
        return text(
            self.view(seat), self.rules, names, color=color, before=before, reveal=racks
        )

    def scene(
        self,
        seat: int,
        names: Sequence[str] = (),
        before: Any = None,
        reveal: bool = False,
    ) -> Scene:
        """See `Game`."""
        racks = self.racks() if reveal else ()
        view = self.view(seat)
        return rummy_scene(view, self.rules, names, before=before, reveal=racks)

    def action_text(self, action: int) -> str:
        """See `Game`."""
        return action_to_text(action)

    def refusal(self, action: int) -> IllegalAction:
        """See `Game`."""
        return refusal(action, self.view(self._mover), self.rules)

    def read_action(self, text: str) -> int:
        """See `Game`."""
        return text_to_action(text)

    def explain(self, action: int) -> str:
        """See `Game`."""
        check_action(action)
        legal = bool(self.games["mask"][0, action])
        return explain(action, self.view(self._mover), self.rules, legal)

    def position(self) -> CardPosition:
        """See `Game`."""
        return self.engine.position(self.games, 0)

    def is_sound(self, games: npt.NDArray[np.void]) -> bool:
        """See `Game`."""
        return bool(is_sound(games, 0, self.engine.codes))

    def racks(self) -> list[tuple[int, ...]]:
        """See `Game`."""
        return [cards_of(rack) for rack in self.games["racks"][0, : self.num_players]]

    @property
    def _mover(self) -> int:
        return int(self.games["seat"][0])
