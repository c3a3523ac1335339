"""The typed front of the turn solver."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property

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
from rummi_env.core.tiles import (
    JOKER,
    NUM_COUNTS,
    NUM_KINDS,
    Counts,
    tile_name,
)
from rummi_env.solver.entries import BEST, MARK, OPENS, ask, settled_jokers
from rummi_env.solver.listed import list_plays
from rummi_env.solver.names import NO_NAME
from rummi_env.solver.play import Objective, Play, ranking
from rummi_env.solver.seat import turn_rules
from rummi_env.solver.shown import table_shown
from rummi_env.solver.tables import solver_tables
from rummi_env.solver.turns import POINTS, TILES
from rummi_env.solver.workspace import Workspace, make_workspace

END_TURN = JOKER + 1
"""Action that ends the turn."""


class TurnSolver:
    """Answers every question about a turn exactly.

    An instance is cheap, can be used again and again and from several threads.

    >>> from rummi_env.core.notation import format_table
    >>> solver = TurnSolver(RuleSet.preset("official"))
    >>> turn = solver.turn("B5 R5 K5 O5", "B4 B6 B7 K1")
    >>> turn.best("tiles")
    Play('B4 B6 B7')
    >>> print(format_table(turn.best("tiles").table))
    K5 R5 O5 | B4 B5 B6 B7
    """

    def __init__(self, rules: RuleSet | str = "official") -> None:
        """Takes the rules, or the name of a preset."""
        self.rules = RuleSet.of(rules)
        self.codes = turn_rules(self.rules)
        self.exact = self.rules.joker_release == "exact"
        self.tables = solver_tables(self.rules.colors)
        self._scratch = threading.local()

    @property
    def num_actions(self) -> int:
        """Length of a mask: 54, or 106 with exact jokers; one more with redeals."""
        kinds = NUM_COUNTS + (NUM_KINDS if self.exact else 0)
        return kinds + 1 + self.rules.redeal_on_three_pairs

    @property
    def workspace(self) -> Workspace:
        """Scratch arrays of this thread."""
        if not hasattr(self._scratch, "workspace"):
            self._scratch.workspace = make_workspace()
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
        actions_left: int | None = None,
    ) -> Turn:
        """Takes a position; nothing is computed yet.

        Args:
            table: melds on the table, in the notation or as melds.
            rack: the rack at the start of the turn, as text or int8[53].
            opened: whether the player has opened before this turn.
            played: tiles of the rack that were named in this turn already.
            named: kinds that jokers were said to stand for; exact jokers only.
            pool_empty: whether there is no tile left to draw.
            actions_left: how many actions the turn may still have, the one that ends it
                included; None for any number.

        Raises:
            ValueError: a tile or meld is not one, there are more of a tile than the
                deck has, a tile played is not on the rack, or there are more names than
                jokers; the sentence says which.
        """
        melds = _melds(table, self.rules)
        rack_counts = _counts(rack, self.rules)
        nothing = np.zeros(NUM_COUNTS, np.int8)
        played_counts = _counts(nothing if played is None else played, self.rules)
        board = table_counts(melds)
        check_deck(board + rack_counts, self.rules)
        for kind in np.flatnonzero(played_counts > rack_counts).tolist():
            raise ValueError(f"played: the rack has too few {tile_name(kind)}")
        names = np.full(2, NO_NAME, np.int8)
        if named and not self.exact:
            raise ValueError("jokers are named only with joker_release='exact'")
        if len(named) > board[JOKER] + rack_counts[JOKER]:
            raise ValueError(
                f"named has {len(named)} kinds, more than there are jokers"
            )
        for place, kind in enumerate(named):
            if not 0 <= kind < JOKER or not self.rules.deck[kind]:
                raise ValueError(f"named must be kinds of the deck, not {kind!r}")
            names[place] = kind
        return Turn(
            self,
            melds,
            board,
            rack_counts,
            opened,
            played_counts,
            pool_empty,
            named=names,
            actions_left=actions_left,
        )


class Turn:
    """One position of `TurnSolver`; answers are computed when asked for.

    Attributes:
        rules: the rules.
        melds: the table at the start of the turn.
        board: int8[53]; its tiles.
        rack: int8[53]; the rack at the start of the turn.
        opened: whether the player has opened before.
        played: int8[53]; what was played in this turn so far.
        named: int8[2]; kinds that jokers were named as, -1 behind them.
        pool_empty: whether there is no tile left to draw.
        actions_left: how many actions the turn may still have, or None.
        sets: int64[2]; by joker of the table, the kinds it may stand for, as bits.
        together: whether both jokers lie in one group.
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
        *,
        named: Counts | None = None,
        jokers: tuple[npt.NDArray[np.int64], int] | None = None,
        actions_left: int | None = None,
    ) -> None:
        """Is made by `TurnSolver.turn`; unless given, jokers lie as the melds say."""
        self.solver = solver
        self.rules = solver.rules
        self.melds = melds
        self.board = board
        self.rack = rack
        self.opened = opened
        self.played = played
        self.named = np.full(2, NO_NAME, np.int8) if named is None else named
        self.pool_empty = pool_empty
        self.actions_left = actions_left
        self.sets, self.together = jokers or joker_sets(melds)

    def continued(
        self, rack: Counts, played: Counts, named: Counts | None = None
    ) -> Turn:
        """Returns the same turn with another rack, other tiles played, other names.

        Args:
            rack: int8[53]; the rack at the start of the turn.
            played: int8[53]; what was played of it.
            named: int8[2]; kinds that jokers were named as; the same unless given.
        """
        names = self.named if named is None else named
        left = self.actions_left
        if left is not None:
            left -= int((played - self.played).sum())
            left -= int((names != NO_NAME).sum() - (self.named != NO_NAME).sum())
        return Turn(
            self.solver,
            (),
            self.board,
            rack,
            self.opened,
            played,
            self.pool_empty,
            named=names,
            jokers=(self.sets, self.together),
            actions_left=left,
        )

    def unlimited(self) -> Turn:
        """Returns the same turn with any number of actions left."""
        turn = copy(self)
        turn.__dict__.pop("mask", None)
        turn.actions_left = None
        return turn

    @cached_property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now, bool[54], or bool[106] with exact jokers.

        A tile is legal if some legal turn plays it besides what was played; a name if
        some legal turn lets a joker without a name stand for it. Ending the turn is
        legal if what was played is a legal turn, or nothing was and the player may draw
        or pass.
        """
        solver = self.solver
        marks = np.zeros(solver.num_actions, np.int8)
        limit = -1 if self.actions_left is None else max(self.actions_left - 1, 0)
        complete = self._ask(MARK, self.rack, self.played, limit, marks)
        mask = marks.astype(np.bool_)
        if self.played.any():
            mask[END_TURN] = complete
        else:
            must_play = self.rules.must_play_when_pool_empty and self.pool_empty
            mask[END_TURN] = not (must_play and mask[:END_TURN].any())
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
        counts = np.zeros(NUM_COUNTS, np.int8)
        code = POINTS if objective == "points" else TILES
        self._ask(BEST, self.rack, self.played, code, counts)
        play = Play(counts, self) if counts.any() else None
        if play is None or self._is_short(counts):
            return play
        return max(self.plays(), key=ranking(objective), default=None)

    def plays(self) -> Iterator[Play]:
        """Yields every distinct play, as a whole turn, each once, lazily.

        All of them include what was played already, and none takes more actions than
        are left.
        """
        for counts in self._listed():
            if self._is_short(counts):
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
        for counts in self._listed():
            if not self._is_short(counts):
                continue
            if total == limit:
                return limit, False
            total += 1
        return total, True

    def table_after(self, counts: str | Counts) -> tuple[Meld, ...]:
        """Returns a legal table after playing exactly these rack tiles.

        As few melds of the present table as can be are changed. Playing nothing leaves
        the present table. With exact jokers they lie as the state says after the turn.

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
        solver = self.solver
        self._check_turn(tiles)
        settled = None
        if solver.codes.jokers is not None:
            settled = settled_jokers(
                solver.workspace, solver.tables, solver.codes, self.board, self.sets,
                self.together, int(self.opened), tiles, self.named,
            )[0]  # fmt: skip
        untouched = not self.opened and not self.rules.manipulate_on_opening_turn
        return table_shown(
            self.rules, solver.tables, solver.workspace, self.melds, tiles, untouched,
            settled,
        )  # fmt: skip

    def _check_turn(self, tiles: Counts) -> None:
        """Refuses tiles that are no legal turn."""
        marks = np.zeros(self.solver.num_actions, np.int8)
        if self._ask(MARK, tiles, tiles, -1, marks):
            return
        names = format_tiles(tiles)
        least = self.rules.opening_points
        # Where an opening leaves the table alone, nothing else can be wrong with it.
        simple = self.solver.codes.jokers is None
        if not self.opened and (simple or not self._ask(OPENS, tiles, tiles, 0, marks)):
            raise IllegalAction(
                Reason.OPENING_TOO_LOW,
                f"{names} is no opening: it must be melds worth at least {least}",
            )
        raise IllegalAction(
            Reason.BROKEN_MELD,
            f"{names} cannot be laid down: no legal table has exactly these tiles",
        )

    def _ask(
        self, question: int, rack: Counts, played: Counts, number: int, out: Counts
    ) -> bool:
        """Asks the compiled solver; see `entries.ask`."""
        solver = self.solver
        return bool(
            ask(
                question, solver.workspace, solver.tables, solver.codes, self.board,
                self.sets, self.together, rack, int(self.opened), played, self.named,
                number, out,
            )
        )  # fmt: skip

    def _listed(self) -> Iterator[Counts]:
        """Yields the tiles of every distinct play."""
        solver = self.solver
        marks = np.zeros(solver.num_actions, np.int8)
        plays = list_plays(
            solver.tables, solver.codes, self.board, self.sets, self.together,
            self.rack, self.opened, self.played, self.named,
        )  # fmt: skip
        if self.opened or not self.rules.manipulate_on_opening_turn:
            yield from plays
            return
        for counts in plays:
            if self._ask(OPENS, counts, counts, 0, marks):
                yield counts

    def _is_short(self, counts: Counts) -> bool:
        """Whether a play takes no more actions than are left."""
        more = int((counts - self.played).sum())
        return self.actions_left is None or more < self.actions_left


def joker_sets(melds: Sequence[Meld]) -> tuple[npt.NDArray[np.int64], int]:
    """Returns what the jokers of a table may stand for.

    Returns:
        int64[2]; by joker its kinds as bits; and whether both lie in one group.
    """
    sets = np.zeros(2, np.int64)
    count = 0
    together = 0
    for meld in melds:
        together |= not meld.is_run and len(meld.identities) == 2
        for place in meld.identities:
            sets[count] = sum(1 << kind for kind in place)
            count += 1
    return sets, together


def _counts(tiles: str | Counts, rules: RuleSet) -> Counts:
    if isinstance(tiles, str):
        return parse_tiles(tiles, rules)
    if not isinstance(tiles, np.ndarray | Sequence):
        raise ValueError(f"a rack is text or an array of 53 counts, not {tiles!r}")
    counts = check_counts(np.asarray(tiles))
    check_deck(counts, rules)
    return counts


def _melds(table: object, rules: RuleSet) -> tuple[Meld, ...]:
    if isinstance(table, str):
        return parse_table(table, rules)
    if not isinstance(table, Iterable):
        raise ValueError(f"a table is text or a list of melds, not {table!r}")
    melds = tuple(table)
    for meld in melds:
        if not isinstance(meld, Meld):
            raise ValueError(f"a table is a list of melds, not of {meld!r}")
    return tuple(reread(meld, rules) for meld in melds)
