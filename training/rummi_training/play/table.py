"""A match of Rummikub as it is played on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import Meld
from rummi_env.core.tiles import Counts, counts_of, tile_name, tiles_of
from rummi_env.games.rummikub.state import END_TURN
from rummi_training.play.drafts import Draft
from rummi_training.play.explicit import judge, perform, show_tiles
from rummi_training.play.marks import Marks, marked, unmarked, without_seat
from rummi_training.play.opponents import Decision
from rummi_training.play.played import PlayedMatch
from rummi_training.play.refusals import IMPOSSIBLE, NOT_NOW, Refusal
from rummi_training.play.seats import KEPT_TURNS, Seats
from rummi_training.play.turn_log import TurnDone

LAID_ANEW = "the melds were laid anew, so that the joker may stand for all it can"


@dataclass(frozen=True, eq=False)
class _Before:
    """How things were when a turn began."""

    seat: int
    rack: Counts
    melds: tuple[Meld, ...]
    round: int


class Table(Seats):
    """A match of Rummikub with people who act on a page; one request at a time.

    Methods that people call take the seat that asks and the turn that it believes to be
    in; whatever cannot be done is a `Refusal` and changes nothing.

    Attributes:
        marks: whose last turn has brought the tiles of the table.
        draft: the turn that a person has begun.
    """

    def __init__(self, played: PlayedMatch) -> None:
        """Seats people and agents at a match that has just started."""
        super().__init__(played)
        self.marks: Marks = unmarked(self.melds())
        self.draft: Draft | None = None

    # ------------------------------------------------------------------ seeing

    def melds(self) -> tuple[Meld, ...]:
        """Returns the table as it was when the turn began."""
        melds: tuple[Meld, ...] = self.played.match.view(0, with_melds=True).melds
        return melds

    def judgement(self) -> dict[str, Any]:
        """Returns what the rules say about the turn that was begun."""
        draft = self.draft
        if draft is None:
            return {"legal": False, "reason": "nothing_played", "sentence": ""}
        try:
            turn = judge(self.played.match, draft.text)
        except IllegalAction as error:
            return {
                "legal": False,
                "reason": str(error.reason),
                "sentence": str(error),
            }
        tiles = [tile_name(tile) for tile in tiles_of(turn.played)]
        return {"legal": True, "reason": "", "sentence": "", "tiles": tiles}

    # ------------------------------------------------------------------ what people do

    def save_draft(
        self,
        seat: int,
        turn: int,
        melds: Sequence[Sequence[str]],
        rack: Sequence[str],
    ) -> None:
        """Keeps how the tiles of a turn lie by now.

        Raises:
            Refusal: it is not the seat's turn, or they are other tiles.
        """
        self.check_turn(seat, turn, "play")
        self.draft = Draft.of(melds, rack, self._there(seat))
        self.racks[seat] = self.draft.rack
        self.version += 1

    def end_turn(
        self,
        seat: int,
        turn: int,
        melds: Sequence[Sequence[str]],
        rack: Sequence[str],
        accept_penalty: bool = False,
    ) -> None:
        """Ends a turn with a table; an illegal one is refused.

        Args:
            seat: who asks.
            turn: which turn is meant.
            melds: the tiles of each meld.
            rack: the rack in the person's order.
            accept_penalty: ends the turn all the same, as the rules say: the tiles go
                back and penalty tiles are drawn.

        Raises:
            Refusal: it is not the seat's turn, they are other tiles, or the table is
                illegal and nothing is to be paid for it.
        """
        self.check_turn(seat, turn, "play")
        draft = Draft.of(melds, rack, self._there(seat))
        match = self.played.match
        try:
            legal = judge(match, draft.text)
        except IllegalAction as error:
            penalty = match.rules.illegal_penalty
            pays = self.played.settings.penalties
            if not pays or not accept_penalty:
                raise Refusal(
                    IMPOSSIBLE,
                    str(error),
                    reason=str(error.reason),
                    penalty=penalty if pays else None,
                ) from error
            self.racks[seat] = draft.rack
            before = self._before()
            show_tiles(match, draft.laid(before.rack))
            match.fail()
            self._turn_done(before, draft.laid(before.rack), str(error))
            return
        self.racks[seat] = draft.rack
        before = self._before()
        perform(match, legal)
        anew = "" if legal.melds is not None else LAID_ANEW
        self._turn_done(before, legal.played, anew)

    def draw(self, seat: int, turn: int) -> None:
        """Draws a tile, or passes with an empty pool; tiles laid go back.

        Raises:
            Refusal: it is not the seat's turn, or something has to be played.
        """
        self.check_turn(seat, turn, "play")
        match = self.played.match
        if not match.mask[END_TURN]:
            raise Refusal(IMPOSSIBLE, match.explain(END_TURN), reason="must_play")
        self._act(END_TURN)

    def redeal(self, seat: int, turn: int, demand: bool) -> None:
        """Demands a new deal, or keeps the rack.

        Raises:
            Refusal: nobody asked the seat.
        """
        self.check_turn(seat, turn, "redeal")
        self._act(self.played.match.engine.num_actions - 1 if demand else END_TURN)

    def tick(self) -> bool:
        """Ends a person's turn whose time is up; tells whether it did."""
        match = self.played.match
        if match.over or self.played.agent or not match.is_out_of_time():
            return False
        before = self._before()
        laid = self.draft.laid(before.rack) if self.draft else counts_of(())
        if match.view(match.seat).phase == "play":
            show_tiles(match, laid)
        match.time_out()
        self._turn_done(before, laid)
        return True

    # ------------------------------------------------------------------ agents

    def act_for_agent(self, decision: Decision) -> None:
        """Performs what the agent to move does.

        Raises:
            ValueError: it has chosen no action at all.
        """
        before = self._before()
        played = self.played.match.games["played"][0].copy()
        self.played.act_for_agent(decision)
        if self.played.turn_goes_on():
            self._agent_before = self._agent_before or before
            return
        self._turn_done(self._agent_before or before, played)

    # ------------------------------------------------------------------ saving

    def to_dict(self) -> dict[str, Any]:
        """Returns everything but the turn begun, in types that JSON knows."""
        return {**super().to_dict(), "marks": self.marks}

    def turn_to_dict(self) -> dict[str, Any]:
        """Returns the turn that was begun, in types that JSON knows."""
        timer = self.played.match.timer
        return {
            "turn": self.turns,
            "version": self.version,
            "draft": None if self.draft is None else self.draft.to_dict(),
            "seconds_used": None if timer is None else timer.used,
        }

    def _take_up(
        self, fields: Mapping[str, Any], turn: Mapping[str, Any] | None
    ) -> None:
        self.marks = [list(meld) for meld in fields["marks"]]
        if turn is None or turn["turn"] != self.turns:
            return
        self.version = int(turn["version"])
        timer = self.played.match.timer
        if timer is not None:
            timer.start(float(turn["seconds_used"]))
        draft = turn["draft"]
        if draft is not None:
            self.draft = Draft.from_dict(draft)
            self.racks[self.played.match.seat] = self.draft.rack

    # ------------------------------------------------------------------ inside

    _agent_before: _Before | None = None
    """How things were when the agent to move began its turn."""

    def check_turn(self, seat: int, turn: int, phase: str) -> None:
        """Refuses what is not for this seat now."""
        self.check_mover(seat, turn)
        asked = self.played.match.view(seat).phase
        if asked != phase:
            raise Refusal(
                NOT_NOW,
                "first a new deal is demanded or the rack kept"
                if asked == "redeal"
                else "no new deal can be demanded now",
            )

    def _there(self, seat: int) -> Counts:
        """Returns the tiles of the table and of a rack together, int8[53]."""
        there: Counts = self.rack(seat) + self.played.match.games["table"][0]
        return there

    def _act(self, action: int) -> None:
        before = self._before()
        self.played.match.act(action)
        self._turn_done(before, counts_of(()))

    def _before(self) -> _Before:
        match = self.played.match
        return _Before(
            seat=match.seat,
            rack=self.rack(match.seat),
            melds=self.melds(),
            round=int(match.games["round"][0]),
        )

    def _turn_done(self, before: _Before, tiles: Counts, sentence: str = "") -> None:
        """Takes note that a turn is over."""
        match = self.played.match
        event = match.event
        self._agent_before = None
        self.draft = None
        self.turns += 1
        self.version += 1
        drawn = counts_of(())
        if not match.round_ended and event in ("drew", "failed", "timed_out"):
            drawn = np.maximum(self.rack(before.seat) - before.rack, 0)
        self.log.append(
            TurnDone(
                event=event,
                round=before.round,
                seat=before.seat,
                tiles=tuple(map(tile_name, tiles_of(tiles))),
                drawn=int(drawn.sum()),
                drawn_tiles=tuple(map(tile_name, tiles_of(drawn))),
                sentence=sentence,
            )
        )
        if match.round_ended:
            self.log.append(
                TurnDone(event="round", round=before.round, scores=match.rows[-1])
            )
            self.racks.clear()
        if match.round_ended and not match.over:
            self.marks = unmarked(self.melds())
        elif event == "laid":
            marks = without_seat(self.marks, before.seat)
            self.marks = marked(before.melds, marks, self.melds(), tiles, before.seat)
        elif event == "redealt":
            self.racks.clear()
        elif event != "kept":
            self.marks = without_seat(self.marks, before.seat)
        del self.log[:-KEPT_TURNS]
