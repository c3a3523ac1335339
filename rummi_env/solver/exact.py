"""The typed front of the turn solver."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from rummi_env.core.errors import IllegalAction, Reason
from rummi_env.core.melds import Meld, reread
from rummi_env.core.notation import (
    check_counts,
    check_deck,
    format_tiles,
    parse_table,
    parse_tiles,
    table_counts,
)
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS, Counts, rack_value, tile_name
from rummi_env.solver.arrange import arrangement, least_changed
from rummi_env.solver.graph import Workspace, make_workspace
from rummi_env.solver.listing import next_plays, start_listing
from rummi_env.solver.sweeps import joker_bits
from rummi_env.solver.tables import EXPLICIT, IMPLICIT, solver_tables
from rummi_env.solver.turns import (
    best_opening_turn,
    best_turn,
    built,
    fits,
    free_table,
    greatest_worth_of,
    mark_opening,
    mark_turn,
)

Objective = Literal["tiles", "points"]

END_TURN = JOKER + 1
"""Action that ends the turn."""

FIRST_NODES, FIRST_EDGES = 1 << 15, 1 << 17
"""Size of a new workspace; larger positions make a larger one for themselves."""

PLAYS_AT_ONCE = 256
"""How many plays are listed in one compiled call."""


@dataclass(frozen=True, eq=False)
class Play:
    """One legal turn: which rack tiles it plays.

    Attributes:
        counts: int8[53]; the tiles.
        turn: the turn that it is a play of.
    """

    counts: Counts
    turn: Turn

    @property
    def tiles(self) -> int:
        """How many tiles it plays."""
        return int(self.counts.sum())

    @property
    def points(self) -> int:
        """How much it lowers the value of the rack."""
        return rack_value(self.counts, self.turn.rules.joker_rack_value)

    @cached_property
    def table(self) -> tuple[Meld, ...]:
        """The melds on the table after it, as few of them changed as can be."""
        return self.turn.table_after(self.counts)

    def __eq__(self, other: object) -> bool:
        """Plays are equal that play the same tiles in the same turn."""
        return (
            isinstance(other, Play)
            and self.turn is other.turn
            and bool((self.counts == other.counts).all())
        )

    def __hash__(self) -> int:
        """Agrees with equality."""
        return hash(self.counts.tobytes())

    def __repr__(self) -> str:
        """Shows the tiles in the notation."""
        return f"Play({format_tiles(self.counts)!r})"


class TurnSolver:
    """Answers every question about a turn exactly.

    An instance is cheap, can be used again and again and from several threads.

    >>> solver = TurnSolver(RuleSet.preset("official"))
    >>> turn = solver.turn("B5 R5 K5 O5", "B4 B6 B7 K1")
    >>> turn.best("tiles")
    Play('B4 B6 B7')
    >>> print(format_table(turn.best("tiles").table))
    K5 R5 O5 | B4 B5 B6 B7
    """

    def __init__(self, rules: RuleSet | str = "official") -> None:
        """Takes the rules, or the name of a preset.

        Raises:
            ValueError: the rules release jokers exactly, which is not there yet.
        """
        self.rules = RuleSet.of(rules)
        if self.rules.joker_release == "exact" or self.rules.jokers_per_meld == 1:
            raise ValueError(
                "exact jokers and jokers_per_meld=1 are not there yet; use rules with "
                "joker_release='free' and jokers_per_meld=2"
            )
        self.tables = solver_tables(self.rules.colors)
        self._scratch = threading.local()

    @property
    def num_actions(self) -> int:
        """Length of a mask: 54, or 106 with exact jokers; one more with redeals."""
        kinds = NUM_COUNTS + (52 if self.rules.joker_release == "exact" else 0)
        return kinds + 1 + self.rules.redeal_on_three_pairs

    @property
    def workspace(self) -> Workspace:
        """Scratch arrays of this thread."""
        if not hasattr(self._scratch, "workspace"):
            self._scratch.workspace = make_workspace(FIRST_NODES, FIRST_EDGES)
        workspace: Workspace = self._scratch.workspace
        return workspace

    def turn(
        self,
        table: str | Sequence[Meld],
        rack: str | Counts,
        opened: bool = True,
        played: str | Counts | None = None,
        named: Sequence[int] = (),
        pool_empty: bool = False,
    ) -> Turn:
        """Takes a position; nothing is computed yet.

        Args:
            table: melds on the table, in the notation or as melds.
            rack: the rack at the start of the turn, as text or int8[53].
            opened: whether the player has opened before this turn.
            played: tiles of the rack that were named in this turn already.
            named: kinds that jokers were said to stand for (exact jokers only).
            pool_empty: whether there is no tile left to draw.

        Raises:
            ValueError: a tile or meld is not one, there are more of a tile than the
                deck has, or a tile played is not on the rack; the sentence names it.
        """
        melds = _melds(table, self.rules)
        rack_counts = _counts(rack, self.rules)
        played_counts = _counts(
            np.zeros(NUM_COUNTS, np.int8) if played is None else played, self.rules
        )
        board = table_counts(melds)
        check_deck(board + rack_counts, self.rules)
        for kind in np.flatnonzero(played_counts > rack_counts).tolist():
            raise ValueError(f"played: the rack has too few {tile_name(kind)}")
        if named:
            raise ValueError("jokers are named only with joker_release='exact'")
        return Turn(self, melds, board, rack_counts, opened, played_counts, pool_empty)


class Turn:
    """One position of `TurnSolver`; answers are computed when asked for.

    Attributes:
        rules: the rules.
        melds: the table at the start of the turn.
        board: int8[53]; its tiles.
        rack: int8[53]; the rack at the start of the turn.
        opened: whether the player has opened before.
        played: int8[53]; what was played in this turn so far.
        pool_empty: whether there is no tile left to draw.
    """

    def __init__(
        self,
        solver: TurnSolver,
        melds: tuple[Meld, ...],
        board: Counts,
        rack: Counts,
        opened: bool,
        played: Counts,
        pool_empty: bool,
    ) -> None:
        """Is made by `TurnSolver.turn`."""
        self.solver = solver
        self.rules = solver.rules
        self.melds = melds
        self.board = board
        self.rack = rack
        self.opened = opened
        self.played = played
        self.pool_empty = pool_empty

    @cached_property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now, bool[54].

        A tile is legal if some legal turn plays it besides what was played; ending the
        turn if what was played is a legal turn, or nothing was and the player may draw
        or pass.
        """
        rules, solver = self.rules, self.solver
        mask = np.zeros(solver.num_actions, np.bool_)
        if not self.opened and not rules.manipulate_on_opening_turn:
            complete = mark_opening(
                solver.workspace, solver.tables, rules.numbers, rules.opening_points,
                self.rack, self.played, mask,
            )  # fmt: skip
        elif not self.opened:
            raise ValueError("manipulate_on_opening_turn is not there yet")
        else:
            complete = mark_turn(
                solver.workspace, solver.tables, rules.numbers,
                self.board, self.rack, self.played, mask,
            )  # fmt: skip
        if self.played.any():
            mask[END_TURN] = complete
        else:
            must_play = rules.must_play_when_pool_empty and self.pool_empty
            mask[END_TURN] = not (must_play and mask.any())
        return mask

    def best(self, objective: Objective = "tiles") -> Play | None:
        """Returns the best whole turn, or None where nothing can be played.

        Args:
            objective: ``"tiles"``: most tiles, then most points; ``"points"``: most
                points off the rack, then most tiles. Ties go to fewest jokers, then to
                the lowest kinds.

        Raises:
            ValueError: there is no such objective.
        """
        if objective not in ("tiles", "points"):
            raise ValueError(
                f"objective must be 'tiles' or 'points', not {objective!r}"
            )
        rules, solver = self.rules, self.solver
        common = (self.played, rules.joker_rack_value, objective == "points")
        if self.opened:
            counts = best_turn(
                solver.workspace, solver.tables, rules.numbers,
                self.board, self.rack, *common,
            )  # fmt: skip
        else:
            counts = best_opening_turn(
                solver.workspace, solver.tables, rules.numbers, rules.opening_points,
                self.rack, *common,
            )  # fmt: skip
        return Play(counts, self) if counts.any() else None

    def plays(self) -> Iterator[Play]:
        """Yields every distinct play, as a whole turn, each once, lazily.

        Plays come in ascending order of what they play of each number; all of them
        include what was played already.
        """
        for found in self._listed(np.zeros((PLAYS_AT_ONCE, NUM_COUNTS), np.int8)):
            for counts in found:
                yield Play(counts, self)

    def count_plays(self, limit: int = 1_000_000) -> tuple[int, bool]:
        """Counts the distinct plays, up to a limit.

        Returns:
            How many were found, and whether these are all.

        Raises:
            ValueError: the limit is negative.
        """
        if limit < 0:
            raise ValueError(f"limit must not be negative, but is {limit}")
        total = 0
        for found in self._listed(np.zeros((limit + 1, 0), np.int8)):
            total += len(found)
            if total > limit:
                return limit, False
        return total, True

    def table_after(self, counts: str | Counts) -> tuple[Meld, ...]:
        """Returns a legal table after playing exactly these rack tiles.

        As few melds of the present table as can be are changed. Playing nothing leaves
        the present table.

        Args:
            counts: all rack tiles of the turn, as text or int8[53].

        Raises:
            IllegalAction: the tiles are not on the rack, or there is no such turn.
            ValueError: the text is no list of tiles.
        """
        tiles = _counts(counts, self.rules)
        for kind in np.flatnonzero(tiles > self.rack).tolist():
            raise IllegalAction(
                Reason.TILE_NOT_IN_RACK, f"the rack has too few {tile_name(kind)}"
            )
        if not tiles.any():
            return self.melds
        solver, rules = self.solver, self.rules
        names = format_tiles(tiles)
        if not self.opened:
            worth = greatest_worth_of(
                solver.workspace, solver.tables, rules.numbers, tiles
            )
            if worth < rules.opening_points:
                least = rules.opening_points
                raise IllegalAction(
                    Reason.OPENING_TOO_LOW,
                    f"{names} is no opening: it must be melds worth at least {least}",
                )
            return self.melds + self._arranged(tiles)
        if not self._fits(self.board + tiles):
            raise IllegalAction(
                Reason.BROKEN_MELD,
                f"{names} cannot be laid down: no arrangement of the table has it",
            )
        return least_changed(self.melds, tiles, self._fits, self._arranged)

    def _fits(self, tiles: Counts) -> bool:
        solver = self.solver
        return bool(fits(solver.workspace, solver.tables, self.rules.numbers, tiles))

    def _arranged(self, tiles: Counts) -> tuple[Meld, ...]:
        solver = self.solver
        melds = arrangement(tiles, self.rules, solver.tables, solver.workspace)
        if melds is None:
            raise ValueError(f"{format_tiles(tiles)} cannot be arranged")
        return melds

    def _listed(self, plays: npt.NDArray[np.int8]) -> Iterator[npt.NDArray[np.int8]]:
        """Fills ``plays`` again and again, as long as there are plays."""
        solver, rules = self.solver, self.rules
        must = self.played + (self.board if self.opened else 0)
        may = self.rack - self.played
        least = int(must[JOKER])
        most = least + int(may[JOKER])
        if self.opened:
            table, threshold = free_table(rules.numbers, most), 0
        else:
            table, threshold = (
                EXPLICIT + most if most else IMPLICIT,
                rules.opening_points,
            )
        by_worth = not self.opened
        workspace = make_workspace(FIRST_NODES, FIRST_EDGES)
        ok, workspace = built(
            workspace, solver.tables, table, rules.numbers, most,
            must.astype(np.int8), may,
        )  # fmt: skip
        if not ok:
            return
        listing = start_listing(workspace, solver.tables, table, by_worth)
        wanted = joker_bits(least, most)
        nothing = -1 if self.played.any() else least
        while True:
            found = next_plays(
                workspace, listing, may, by_worth, threshold, wanted, nothing, plays
            )
            batch = plays[:found].copy()
            if plays.shape[1]:
                batch[:, JOKER] -= least
                batch += self.played
            yield batch
            if found < len(plays):
                return


def _counts(tiles: str | Counts, rules: RuleSet) -> Counts:
    if isinstance(tiles, str):
        return parse_tiles(tiles, rules)
    counts = check_counts(np.asarray(tiles))
    check_deck(counts, rules)
    return counts


def _melds(table: str | Sequence[Meld], rules: RuleSet) -> tuple[Meld, ...]:
    if isinstance(table, str):
        return parse_table(table, rules)
    return tuple(reread(meld, rules) for meld in table)
