"""Rummikub as the front-ends play it, with the melds that people see on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rummi_env import observation
from rummi_env.core.deals import Deal, format_deal, parse_deal
from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import Meld
from rummi_env.core.notation import (
    format_table,
    format_tiles,
    parse_table,
    table_counts,
)
from rummi_env.core.options import GameRules
from rummi_env.core.positions import Position, format_position
from rummi_env.core.rulesets import MAX_PLAYERS, RuleSet
from rummi_env.core.tiles import JOKER, Counts, tiles_of
from rummi_env.envs.display import LAID_SIZE, Display, ShownTurn
from rummi_env.envs.game import Game, Seeing, items_of
from rummi_env.envs.start import Start, read_start
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.scripted import SCRIPTED
from rummi_env.games.rummikub.sound import is_sound
from rummi_env.games.rummikub.state import END_TURN, REDEAL_PHASE
from rummi_env.observation import View, explain, view_of
from rummi_env.observation.actions import (
    action_to_text,
    check_action,
    refusal,
    text_to_action,
)
from rummi_env.rendering.scenes.rummikub import rummikub_scene
from rummi_env.rendering.scenes.shapes import Scene
from rummi_env.rendering.text import text
from rummi_env.solver.exact import Turn
from rummi_env.solver.workspace import KEPT, make_workspace


class Rummikub(Game):
    """Rummikub; an object plays one match of it.

    Events are ``played`` a tile, ``named`` a joker, ``laid`` the tiles played,
    ``drew``, ``passed``, ``failed`` (illegal, taken back), ``timed_out``, ``kept`` the
    rack and ``redealt``.
    """

    name = "rummikub"
    title = "Rummikub"
    rules_type = RuleSet
    preset = "official"
    max_players = MAX_PLAYERS
    scripted = SCRIPTED
    seeing: ClassVar[Seeing] = observation
    dead_end = (
        "played: no legal turn has these tiles, so the position has no legal action"
    )
    within_turn = ("played", "named")
    magic = b"RMKB"
    num_parts = 3

    engine: Engine
    rules: RuleSet

    def __init__(self, rules: GameRules | str | None, num_players: int) -> None:
        """See `Game`."""
        super().__init__(rules, num_players)
        games = self.games
        self._deals: dict[int, Deal] = {}
        self._display = Display(self.engine.solver)
        self._seat = items_of(games["seat"])
        self._phase = items_of(games["phase"])
        self._actions = items_of(games["actions"])
        self._drawn = items_of(games["drawn"])
        self._pool_size = items_of(games["pool_size"])
        self._opened = items_of(games["opened"][0])
        self._played = games["played"][0]
        self._named = games["named"][0]

    # ------------------------------------------------------------------ for all matches

    @classmethod
    def make_engine(cls, rules: GameRules | str | None, num_players: int) -> Engine:
        """See `Game`."""
        return Engine(cls.rules_of(rules), num_players)

    @classmethod
    def read_start(
        cls, options: Mapping[str, Any] | None, rules: RuleSet, num_players: int
    ) -> Start:
        """See `Game`."""
        return read_start(options, rules, num_players)

    @classmethod
    def one_round(cls, rules: RuleSet) -> RuleSet:
        """See `Game`."""
        return rules.replace(rounds=1)

    @classmethod
    def draw_deal(cls, engine: Engine, seed: int) -> Deal:
        """See `Game`."""
        games = engine.new_games(1)
        engine.start(games, 0, seed)
        return _deal_of(games[0], engine.num_players)

    @classmethod
    def format_deal(cls, deal: Deal) -> str:
        """See `Game`."""
        return format_deal(deal)

    @classmethod
    def parse_deal(cls, text: str, rules: RuleSet, num_players: int) -> Deal:
        """See `Game`."""
        return parse_deal(text, rules, num_players)

    @classmethod
    def start_with(cls, deal: Deal) -> Start:
        """See `Game`."""
        return Start(deals=(deal,))

    @classmethod
    def written_start(cls, start: Start) -> dict[str, Any]:
        """See `Game`."""
        if start.position is not None:
            return {"position": format_position(start.position)}
        return {"deal": list(map(format_deal, start.deals))} if start.deals else {}

    @classmethod
    def turn_of(cls, engine: Engine, games: npt.NDArray[np.void], index: int) -> Turn:
        """Returns the turn of the seat to move, for the solver's answers."""
        return engine.turn(games, index)

    @classmethod
    def advance(cls) -> Callable[..., None]:
        """See `Game`."""
        from rummi_env.envs.rummikub_batch import advance

        return advance

    @classmethod
    def batch_tools(cls, engine: Engine, num_games: int, threads: int) -> Sequence[Any]:
        """Returns scratch for each thread; the graphs kept are for all of them."""
        kept = np.zeros(num_games, KEPT)
        return [(make_workspace(kept), engine.solver.tables) for _ in range(threads)]

    # ------------------------------------------------------------------ of one match

    def start(self, seed: int, start: Start) -> None:
        """See `Game`."""
        super().start(seed, start)
        self._display.show(() if start.position is None else start.position.table)
        self._deals = dict(enumerate(start.deals))
        self._deal()

    def dealt(self) -> str:
        """See `Game`."""
        return format_deal(_deal_of(self.games[0], self.num_players))

    def event(self, action: int) -> str:
        """See `Game`."""
        if action <= JOKER:
            return "played"
        if self._phase[0] == REDEAL_PHASE:
            return "kept" if action == END_TURN else "redealt"
        if action != END_TURN:
            return "named"
        # The first says nearly always the same in a fraction of the time.
        if self._actions[0] and self._played.any():
            opened = bool(self._opened[self._seat[0]])
            played, named = self._played.tobytes(), self._named.tobytes()
            self._display.lay(played, named, opened)
            return "laid"
        return "drew" if self._drawn[0] < self._pool_size[0] else "passed"

    def begin_round(self) -> None:
        """Shows an empty table and puts the deal given for the round in place."""
        self._display.show(())
        self._deal()

    def time_out(self) -> None:
        """See `Game`."""
        self.engine.time_out(self.games, 0)

    def view(self, seat: int, with_melds: bool = False) -> View:
        """See `Game`."""
        melds = self._display.melds() if with_melds else ()
        return view_of(self.games[0], self.rules, self.num_players, seat, melds)

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
        view = self.view(seat, with_melds=True)
        return text(view, names, color=color, before=before, reveal=racks)

    def scene(
        self,
        seat: int,
        names: Sequence[str] = (),
        before: Any = None,
        reveal: bool = False,
    ) -> Scene:
        """See `Game`."""
        racks = self.racks() if reveal else ()
        view = self.view(seat, with_melds=True)
        return rummikub_scene(view, names, before=before, reveal=racks)

    def action_text(self, action: int) -> str:
        """See `Game`."""
        return action_to_text(action, self.rules, self.view(self._seat[0]))

    def refusal(self, action: int) -> IllegalAction:
        """See `Game`."""
        return refusal(action, self.view(self._seat[0]), self.turn())

    def read_action(self, text: str) -> int:
        """See `Game`."""
        return text_to_action(text, self.rules)

    def explain(self, action: int) -> str:
        """See `Game`."""
        check_action(action, self.rules)
        legal = bool(self.games["mask"][0, action])
        return explain(action, self.view(self._seat[0]), self.turn(), legal)

    def show_table(self, melds: Sequence[Meld]) -> None:
        """Shows the tiles of the table as these melds from now on.

        Raises:
            ValueError: they are not the tiles of the table.
        """
        if (table_counts(melds) != self.games["table"][0]).any():
            raise ValueError(
                f"{format_table(melds)} are not the tiles of the table, which are "
                f"{format_tiles(self.games['table'][0])}"
            )
        self._display.show(melds)

    def turn(self) -> Turn:
        """Returns the turn of the seat to move, with the melds that people see."""
        game = self.games[0]
        limit = self.rules.turn_actions
        return ShownTurn(
            self._display,
            board=game["table"].copy(),
            rack=game["racks"][self._seat[0]].copy(),
            opened=bool(game["opened"][self._seat[0]]),
            played=game["played"].copy(),
            pool_empty=bool(game["drawn"] == game["pool_size"]),
            named=game["named"].copy(),
            jokers=(game["joker_sets"].copy(), bool(game["together"])),
            actions_left=None if limit is None else limit - int(game["actions"]),
        )

    def position(self) -> Position:
        """See `Game`."""
        return self.engine.position(self.games, 0, self._display.melds())

    # ------------------------------------------------------------------ saving

    def is_sound(self, games: npt.NDArray[np.void]) -> bool:
        """See `Game`."""
        rules, deck = self.rules, self.rules.deck.copy()
        sound = is_sound(games, 0, self.num_players, deck, rules.rounds)
        return bool(sound) and _jokers_lie_somewhere(games[0], rules)

    def parts(self, *, guess: bool = False) -> tuple[bytes, ...]:
        """Returns the turns laid since the table was shown, that table, and deals."""
        coming = int(self.games["round"][0]) + 1
        deals = [
            format_deal(deal)
            for round_, deal in self._deals.items()
            if round_ >= coming
        ]
        return (
            b"".join(self._display.laid),
            format_table(self._display.base).encode(),
            b"" if guess else "\n".join(deals).encode(),
        )

    def load(self, games: npt.NDArray[np.void], parts: tuple[bytes, ...]) -> None:
        """See `Game`."""
        laid, shown, coming = parts
        table = parse_table(shown.decode(), self.rules) if shown else ()
        deals = [
            parse_deal(deal, self.rules, self.num_players)
            for deal in coming.decode().splitlines()
        ]
        self.put(games)
        first = int(games["round"][0]) + 1
        self._deals = dict(enumerate(deals, start=first))
        turns = (laid[at : at + LAID_SIZE] for at in range(0, len(laid), LAID_SIZE))
        self._display.show(table, turns)

    def racks(self) -> list[Counts]:
        """See `Game`; without the tiles played in this turn."""
        racks: list[Counts] = list(self.games["racks"][0, : self.num_players].copy())
        racks[self._seat[0]] -= self._played
        return racks

    def _deal(self) -> None:
        """Puts the deal that was given for this round in place of the random one."""
        deal = self._deals.get(int(self.games["round"][0]))
        if deal is not None:
            self.engine.place_deal(self.games, 0, deal)


def _deal_of(game: np.void, num_players: int) -> Deal:
    """Returns the deal of a round in which nothing was done yet."""
    return Deal(
        racks=tuple(tiles_of(rack) for rack in game["racks"][:num_players]),
        pool=tuple(game["pool"][game["drawn"] : game["pool_size"]].tolist()),
        pool_rest=False,
        starter=int(game["starter"]),
    )


def _jokers_lie_somewhere(game: np.void, rules: RuleSet) -> bool:
    """Tells whether each joker of the table has kinds of the deck to stand for."""
    if rules.joker_release == "free":
        return True
    sets = [bits for bits in game["joker_sets"].tolist() if bits]
    deck = sum(1 << kind for kind in range(JOKER) if rules.deck[kind])
    return len(sets) == game["table"][JOKER] and all(
        bits > 0 and not bits & ~deck for bits in sets
    )
