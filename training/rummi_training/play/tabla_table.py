"""A match of Rummy pe tabla as it is played on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from rummi_env.core.tiles import Counts, counts_of, tile_name, tiles_of
from rummi_env.envs.tabla import Tabla
from rummi_env.games.tabla.state import DRAW_POOL, FIRST_CLOSE
from rummi_training.play.drafts import Draft
from rummi_training.play.opponents import Decision
from rummi_training.play.played import PlayedMatch
from rummi_training.play.refusals import IMPOSSIBLE, Refusal
from rummi_training.play.seats import KEPT_TURNS, Seats
from rummi_training.play.turn_log import TurnDone


class TablaTable(Seats):
    """A match of Rummy pe tabla with people who act on a page.

    Every action of anybody is a turn here, as the page shows it at once.

    Attributes:
        boards: for each seat how the person has arranged its tiles: what lies together
            on the board, and the tiles beside it.
        last_close: how the last deal ended that somebody closed, as it is told.
    """

    def __init__(self, played: PlayedMatch) -> None:
        """Seats people and agents at a match that has just started."""
        super().__init__(played)
        self.boards: dict[int, Draft] = {}
        self.last_close: dict[str, Any] | None = None

    def board(self, seat: int) -> Draft:
        """Returns how a person's tiles lie; what is new lies beside the board."""
        left = Counter(map(tile_name, tiles_of(self.rack(seat))))
        kept = self.boards.get(seat, Draft((), ()))

        def there(tiles: Sequence[str]) -> tuple[str, ...]:
            found = []
            for name in tiles:
                if left[name]:
                    left[name] -= 1
                    found.append(name)
            return tuple(found)

        melds = tuple(meld for each in kept.melds if (meld := there(each)))
        beside = there(kept.rack)
        return Draft(melds, (*beside, *left.elements()))

    def arrange(
        self, seat: int, melds: Sequence[Sequence[str]], rack: Sequence[str]
    ) -> None:
        """Keeps how a person's tiles lie, in anybody's turn.

        Raises:
            Refusal: they are other tiles than the seat has.
        """
        self.boards[seat] = Draft.of(melds, rack, self.rack(seat))
        self.version += 1

    def act(self, seat: int, turn: int, text: str) -> None:
        """Does what an action in words says.

        Raises:
            Refusal: it is not the seat's turn, or the action is none or illegal.
        """
        self.check_mover(seat, turn)
        match = self.played.match
        try:
            action = match.game.read_action(text)
        except ValueError as error:
            raise Refusal(IMPOSSIBLE, str(error)) from error
        if not match.mask[action]:
            raise Refusal(IMPOSSIBLE, match.explain(action), reason="illegal")
        before = self._racks()
        self._note(before, lambda: match.act(action), action)

    def act_for_agent(self, decision: Decision) -> None:
        """Performs what the agent to move does.

        Raises:
            ValueError: it has chosen no action at all.
        """
        before = self._racks()
        self._note(before, lambda: self.played.act_for_agent(decision), decision.action)

    def turn_to_dict(self) -> dict[str, Any]:
        """Returns how people's tiles lie, in types that JSON knows."""
        return {
            "version": self.version,
            "boards": {str(seat): each.to_dict() for seat, each in self.boards.items()},
        }

    def to_dict(self) -> dict[str, Any]:
        """Returns everything, in types that JSON knows."""
        return {
            **super().to_dict(),
            **self.turn_to_dict(),
            "last_close": self.last_close,
        }

    def _take_up(
        self, fields: Mapping[str, Any], turn: Mapping[str, Any] | None
    ) -> None:
        self.last_close = fields["last_close"]
        latest = fields
        if turn is not None and int(turn["version"]) > self.version:
            latest = turn
            self.version = int(turn["version"])
        self.boards = {
            int(seat): Draft.from_dict(each) for seat, each in latest["boards"].items()
        }

    def _racks(self) -> list[Counts]:
        return [self.rack(seat) for seat in range(len(self.tokens))]

    def _note(
        self, before: list[Counts], act: Callable[[], object], action: int
    ) -> None:
        """Acts, and takes note of what everybody may know of it."""
        match = self.played.match
        seat, number = match.seat, int(match.games["round"][0])
        exchanged = int(match.games["exchanges"][0].sum())
        row = match.view(seat).row
        act()
        self.turns += 1
        self.version += 1
        event = match.event
        tiles: tuple[int, ...] = ()
        drawn: tuple[int, ...] = ()
        sentence = ""
        if event == "took":
            tiles = row[-1:]
        elif event == "drew" and not match.round_ended:
            drawn = tiles_of(np.maximum(self.rack(seat) - before[seat], 0))
        elif event in ("discarded", "closed", "failed") and action < DRAW_POOL:
            tiles = (action % FIRST_CLOSE,)
        if event == "closed":
            self.last_close = self._closed(seat)
            sentence = f"{self.last_close['form']} for {self.last_close['points']}"
        if event != "declared":  # nobody knows of doubles before all have declared
            told = "doubles_done" if event == "passed" else event
            self._log(told, number, seat, tiles, drawn, sentence)
        if not match.round_ended:
            if match.games["exchanges"][0].sum() > exchanged:
                self._note_exchanges(before, number)
            del self.log[:-KEPT_TURNS]
            return
        if event != "closed":
            self.last_close = None
        self.log.append(
            TurnDone(event="round", round=number, scores=tuple(match.rows[-1]))
        )
        self.boards.clear()
        del self.log[:-KEPT_TURNS]

    def _note_exchanges(self, before: list[Counts], number: int) -> None:
        """Notes who has exchanged doubles; which tiles came is for the seat alone."""
        for seat, rack in enumerate(before):
            if self.played.match.games["exchanges"][0, seat].any():
                came = tiles_of(np.maximum(self.rack(seat) - rack, 0))
                self._log("exchanged", number, seat, drawn=came)

    def _log(
        self,
        event: str,
        number: int,
        seat: int,
        tiles: Sequence[int] = (),
        drawn: Sequence[int] = (),
        sentence: str = "",
    ) -> None:
        self.log.append(
            TurnDone(
                event=event,
                round=number,
                seat=seat,
                tiles=tuple(map(tile_name, tiles)),
                drawn=len(drawn),
                drawn_tiles=tuple(map(tile_name, drawn)),
                sentence=sentence,
            )
        )

    def _closed(self, seat: int) -> dict[str, Any]:
        """Returns how a deal was closed just now."""
        match = self.played.match
        game = cast(Tabla, match.game)
        ending = match.view(seat).ending
        shown = game.closing()
        form = ending.form
        assert form is not None and ending.thrown is not None
        score = match.rows[-1][seat]
        return {
            "closer": seat,
            "form": form.romanian,
            "english": form.english,
            "points": int(score / (len(self.tokens) - 1)),
            "thrown": tile_name(ending.thrown),
            "melds": [] if shown is None else str(shown).split(" | "),
            "round": len(match.rows),
        }


def closings(table: TablaTable) -> list[dict[str, Any]]:
    """Returns with which tiles the seat to move can close, the best paying first."""
    match = table.played.match
    game = cast(Tabla, match.game)
    solver, rules = game.engine.solver, match.rules
    rack = table.rack(match.seat)
    found = []
    for kind in np.flatnonzero(match.mask[FIRST_CLOSE:DRAW_POOL]).tolist():
        rest = rack - counts_of((kind,))
        best = solver.best_form(rest)
        assert best is not None
        form, points = best
        if tile_name(kind) == "J":
            points *= rules.joker_close_multiplier
        shown = solver.arrangement(rest, form.name)
        found.append(
            {
                "tile": tile_name(kind),
                "form": form.romanian,
                "english": form.english,
                "points": points,
                "melds": str(shown).split(" | "),
            }
        )
    return sorted(found, key=lambda each: -each["points"])
