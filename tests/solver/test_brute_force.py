"""The turn solver against brute force over melds, on decks small enough for it.

For a small deck every multiset of its tiles is listed with the greatest worth of melds
that it can be cut into: starting from nothing, melds are added until nothing new comes
up. All questions about a turn are then looked up, by trying every choice of tiles.
"""

import random
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import combinations, product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import Meld, meld_of
from rummi_env.core.notation import format_table, format_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS, Counts, kind_of, number_of
from rummi_env.core.verify import verify_turn
from rummi_env.solver.exact import END_TURN, Turn, TurnSolver
from rummi_env.solver.play import Objective

State: TypeAlias = tuple[int, ...]
"""How many there are of each kind of a deck, jokers last."""

OBJECTIVES: tuple[Objective, ...] = ("tiles", "points")


class Deck:
    """A small deck, and what every multiset of its tiles is worth as melds."""

    def __init__(self, **fields: Any) -> None:
        self.rules = RuleSet(**fields)
        rules = self.rules
        self.kinds = [
            kind_of(color, number)
            for color in range(rules.colors)
            for number in range(1, rules.numbers + 1)
        ]
        self.shape = (*[rules.copies + 1] * len(self.kinds), rules.jokers + 1)
        self.melds = self._melds()
        self.worth = self._worth()
        points = [number_of(kind) for kind in self.kinds]
        self.points = np.array([*points, rules.joker_rack_value])

    def _melds(self) -> dict[State, int]:
        """Return all melds, each with the most it is worth."""
        rules = self.rules
        runs = [
            [kind_of(color, low + step) for step in range(size)]
            for color in range(rules.colors)
            for size in range(3, rules.numbers + 1)
            for low in range(1, rules.numbers - size + 2)
        ]
        groups = [
            [kind_of(color, number) for color in colors]
            for number in range(1, rules.numbers + 1)
            for size in range(3, rules.colors + 1)
            for colors in combinations(range(rules.colors), size)
        ]
        melds: dict[State, int] = {}
        for full in runs + groups:
            for jokers in range(min(rules.jokers, rules.jokers_per_meld) + 1):
                for naturals in combinations(full, len(full) - jokers):
                    state = self.state_of([*naturals, *[JOKER] * jokers])
                    points = sum(map(number_of, full))
                    melds[state] = max(points, melds.get(state, 0))
        return melds

    def _worth(self) -> npt.NDArray[np.int16]:
        worth = np.full(self.shape, -1, np.int16)
        worth[(0,) * len(self.shape)] = 0
        before = None
        while before is None or (worth != before).any():
            before = worth.copy()
            for meld, points in self.melds.items():
                most = np.subtract(self.shape, meld)
                without = worth[tuple(slice(size) for size in most)]
                with_it = worth[tuple(slice(n, None) for n in meld)]
                np.maximum(
                    with_it, np.where(without >= 0, without + points, -1), out=with_it
                )
        return worth

    @cached_property
    def opening(self) -> npt.NDArray[np.int16]:
        """Return by multiset the most that melds of some of its tiles are worth."""
        opening = self.worth
        for axis in range(len(self.shape)):
            opening = np.maximum.accumulate(opening, axis)
        return opening

    def state_of(self, tiles: list[int]) -> State:
        return tuple(tiles.count(kind) for kind in [*self.kinds, JOKER])

    def counts_of(self, state: State) -> Counts:
        counts = np.zeros(NUM_COUNTS, np.int8)
        counts[[*self.kinds, JOKER]] = state
        return counts

    def table_of(self, state: State) -> tuple[Meld, ...]:
        """Return some melds of exactly these tiles."""
        if not any(state):
            return ()
        for meld, points in self.melds.items():
            rest = tuple(n - m for n, m in zip(state, meld, strict=True))
            if min(rest) >= 0 and 0 <= self.worth[rest] == self.worth[state] - points:
                tiles = [
                    kind
                    for kind, n in zip([*self.kinds, JOKER], meld, strict=True)
                    for _ in range(n)
                ]
                return (meld_of(tiles, self.rules), *self.table_of(rest))
        raise AssertionError(f"{state} is no table")


@cache
def deck_of(
    numbers: int, colors: int, copies: int, jokers: int, jokers_per_meld: int = 2
) -> Deck:
    return Deck(
        numbers=numbers,
        colors=colors,
        copies=copies,
        jokers=jokers,
        jokers_per_meld=jokers_per_meld,
        rack_size=1,
    )


class Question:
    """A moment of a turn, with the answers that brute force gives."""

    def __init__(
        self,
        deck: Deck,
        table: State,
        rack: State,
        played: State,
        threshold: int,
        manipulate: bool = False,
        actions_left: int | None = None,
    ) -> None:
        """Take a moment of a turn.

        Args:
            deck: The deck.
            table: Tiles on the table.
            rack: The rack at the start of the turn.
            played: What was played of it.
            threshold: Points that open; -1 says that the seat has opened.
            manipulate: Whether the turn of the opening may use the table.
            actions_left: How many actions the turn may still have, the end included.
        """
        self.deck, self.table, self.rack, self.played = deck, table, rack, played
        self.manipulate = manipulate
        self.actions_left = actions_left
        self.opened = threshold < 0
        self.rules = deck.rules.replace(manipulate_on_opening_turn=manipulate)
        if not self.opened:
            self.rules = self.rules.replace(opening_points=threshold)
        own = [slice(p, r + 1) for p, r in zip(played, rack, strict=True)]
        all_tiles = [
            slice(s.start + t, s.stop + t) for s, t in zip(own, table, strict=True)
        ]
        if self.opened or manipulate:
            legal = deck.worth[tuple(all_tiles)] >= 0
        else:
            legal = deck.worth[tuple(own)] >= threshold
        if manipulate and not self.opened:
            legal &= deck.opening[tuple(own)] >= max(threshold, 1)
        self.complete = bool(legal.flat[0]) and any(played)
        if actions_left is not None:
            legal &= np.indices(legal.shape).sum(axis=0) < actions_left
        self.legal = legal.copy()
        if not any(played):
            self.legal.flat[0] = False

    def mask(self) -> npt.NDArray[np.bool_]:
        mask = np.zeros(END_TURN + 1, np.bool_)
        for axis, kind in enumerate([*self.deck.kinds, JOKER]):
            mask[kind] = self.legal.take(range(1, self.legal.shape[axis]), axis).any()
        mask[END_TURN] = self.complete if any(self.played) else True
        return mask

    def plays(self) -> npt.NDArray[np.int64]:
        """Return the whole turns, int64[n, kinds]."""
        plays: npt.NDArray[np.int64] = np.argwhere(self.legal) + np.array(self.played)
        return plays

    def best(self, plays: npt.NDArray[np.int64], objective: Objective) -> State | None:
        ranked = [
            (
                *((tiles, points) if objective == "tiles" else (points, tiles)),
                -play[-1],
                play,
            )
            for play, tiles, points in zip(
                map(tuple, plays.tolist()),
                plays.sum(axis=1).tolist(),
                (plays @ self.deck.points).tolist(),
                strict=True,
            )
        ]
        # Of plays with as many tiles, the lexicographically greatest counts are those
        # with the lowest tiles.
        return max(ranked)[-1] if ranked else None

    def turn(self, solver: TurnSolver) -> Turn:
        return solver.turn(
            self.deck.table_of(self.table),
            self.deck.counts_of(self.rack),
            self.opened,
            self.deck.counts_of(self.played),
            actions_left=self.actions_left,
        )

    def __str__(self) -> str:
        rack, played = map(
            format_tiles, map(self.deck.counts_of, (self.rack, self.played))
        )
        table = format_table(self.deck.table_of(self.table))
        threshold = self.rules.opening_points
        state = "opened" if self.opened else f"not opened, {threshold} points needed"
        return (
            f"table {table!r}, rack {rack!r}, played {played!r}, {state}, "
            f"manipulate {self.manipulate}, {self.rules.jokers_per_meld} jokers a meld"
            f", {self.actions_left} actions left"
        )


@cache
def solver_of(rules: RuleSet) -> TurnSolver:
    return TurnSolver(rules)


def check_mask(question: Question) -> Turn:
    turn = question.turn(solver_of(question.rules))
    assert (turn.mask == question.mask()).all(), question
    return turn


def check_all(question: Question, rng: random.Random) -> None:
    """Compare every answer about a moment of a turn."""
    deck, turn = question.deck, check_mask(question)
    plays = question.plays()
    for objective in OBJECTIVES:
        best = turn.best(objective)
        expected = question.best(plays, objective)
        if expected is None:
            assert best is None, question
        else:
            assert best is not None, question
            assert (best.counts == deck.counts_of(expected)).all(), question
            assert best.tiles == sum(expected)
            assert best.points == np.array(expected) @ deck.points

    wanted = {deck.counts_of(tuple(play)).tobytes() for play in plays.tolist()}
    found = [play.counts.tobytes() for play in turn.plays()]
    assert len(found) == len(set(found)), question
    assert set(found) == wanted, question
    assert turn.count_plays() == (len(wanted), True)
    if wanted:
        assert turn.count_plays(len(wanted) - 1) == (len(wanted) - 1, False)

    if len(plays):
        counts = deck.counts_of(tuple(rng.choice(plays.tolist())))
        after = turn.table_after(counts)
        judged = verify_turn(
            question.rules,
            turn.melds,
            turn.rack,
            format_table(after),
            question.opened,
        )
        assert (judged == counts).all(), question
    refused = random_part(rng, question.rack)
    counts = deck.counts_of(refused)
    if question.actions_left is not None:
        return
    if any(refused) and not any(question.played) and counts.tobytes() not in wanted:
        with pytest.raises(IllegalAction):
            turn.table_after(counts)


def random_part(rng: random.Random, state: State) -> State:
    return tuple(rng.randint(0, n) for n in state)


def random_table(rng: random.Random, deck: Deck, most: int) -> State:
    """Add melds that the deck still has, up to so many tiles."""
    melds = list(deck.melds)
    table = (0,) * len(deck.shape)
    for _ in range(20):
        meld = rng.choice(melds)
        more = tuple(t + m for t, m in zip(table, meld, strict=True))
        fits = all(n < size for n, size in zip(more, deck.shape, strict=True))
        if fits and sum(more) <= most:
            table = more
    return table


def random_question(
    rng: random.Random, deck: Deck, manipulate: bool = False
) -> Question:
    """Draw a moment of a turn: half of them opened, half with tiles played."""
    table = random_table(rng, deck, rng.choice([0, 4, 8, 12, 16]))
    left = [size - 1 - t for size, t in zip(deck.shape, table, strict=True)]
    density = rng.choice([0.2, 0.4, 0.7])
    rack = tuple(sum(rng.random() < density for _ in range(n)) for n in left)
    threshold = -1 if rng.random() < 0.5 else rng.choice([0, 6, 10, 12, 15, 20, 30])
    question = Question(deck, table, rack, (0,) * len(rack), threshold, manipulate)
    plays = question.plays()
    if len(plays) and rng.random() < 0.5:
        # What was played before is part of some play, as it is in the game.
        whole = tuple(rng.choice(plays.tolist()))
        played = random_part(rng, whole)
        question = Question(deck, table, rack, played, threshold, manipulate)
    return question


DECKS = [
    # numbers, colors, copies, jokers
    (6, 2, 2, 0),
    (6, 2, 2, 1),
    (6, 2, 2, 2),
    (13, 2, 1, 0),
    (8, 2, 1, 2),
    (5, 3, 1, 2),
    (4, 3, 2, 2),
    (5, 4, 1, 0),
    (5, 4, 1, 2),
    (3, 4, 2, 0),
    (3, 4, 2, 1),
    (3, 4, 2, 2),
    (4, 4, 1, 2),
    (3, 3, 2, 2),
    (3, 2, 2, 2),
]


VARIANTS = [
    # jokers per meld, manipulate on opening turn
    (1, False),
    (2, True),
    (1, True),
]

VARIANT_DECKS = [
    (6, 2, 2, 1),
    (6, 2, 2, 2),
    (8, 2, 1, 2),
    (5, 3, 1, 2),
    (4, 3, 2, 2),
    (5, 4, 1, 2),
    (3, 4, 2, 2),
    (3, 2, 2, 2),
]


def check_random(
    size: tuple[int, int, int, int],
    number: int,
    jokers_per_meld: int = 2,
    manipulate: bool = False,
) -> None:
    deck = deck_of(*size, jokers_per_meld)
    rng = random.Random(f"{size} {number}")
    for _ in range(number):
        check_all(random_question(rng, deck, manipulate), rng)


@pytest.mark.parametrize("size", DECKS, ids=str)
def test_every_answer_is_that_of_brute_force(size: tuple[int, int, int, int]) -> None:
    check_random(size, 150)


@pytest.mark.parametrize(("jokers_per_meld", "manipulate"), [(2, False), (1, True)])
@pytest.mark.parametrize("size", VARIANT_DECKS, ids=str)
def test_every_answer_with_few_actions_left_is_that_of_brute_force(
    size: tuple[int, int, int, int], jokers_per_meld: int, manipulate: bool
) -> None:
    deck = deck_of(*size, jokers_per_meld)
    rng = random.Random(f"{size}")
    for _ in range(20):
        question = random_question(rng, deck, manipulate)
        threshold = -1 if question.opened else question.rules.opening_points
        limited = Question(
            deck,
            question.table,
            question.rack,
            question.played,
            threshold,
            manipulate,
            actions_left=rng.randint(1, 6),
        )
        check_all(limited, rng)


@pytest.mark.slow
@pytest.mark.parametrize("size", DECKS, ids=str)
def test_every_answer_is_that_of_brute_force_on_many_positions(
    size: tuple[int, int, int, int],
) -> None:
    check_random(size, 3_000)


@pytest.mark.parametrize(("jokers_per_meld", "manipulate"), VARIANTS)
@pytest.mark.parametrize("size", VARIANT_DECKS, ids=str)
def test_every_answer_under_other_rules_is_that_of_brute_force(
    size: tuple[int, int, int, int], jokers_per_meld: int, manipulate: bool
) -> None:
    check_random(size, 15, jokers_per_meld, manipulate)


@pytest.mark.slow
@pytest.mark.parametrize(("jokers_per_meld", "manipulate"), VARIANTS)
@pytest.mark.parametrize("size", VARIANT_DECKS, ids=str)
def test_every_answer_under_other_rules_is_that_of_brute_force_on_many_positions(
    size: tuple[int, int, int, int], jokers_per_meld: int, manipulate: bool
) -> None:
    check_random(size, 300, jokers_per_meld, manipulate)


def tables_of(deck: Deck) -> Iterator[State]:
    for state in np.argwhere(deck.worth >= 0).tolist():
        yield tuple(state)


def racks_beside(deck: Deck, table: State) -> Iterator[State]:
    left = [size - 1 - t for size, t in zip(deck.shape, table, strict=True)]
    yield from product(*(range(n + 1) for n in left))


def check_everything(size: tuple[int, int, int, int], share: float = 1.0) -> None:
    """Check the masks of all positions at the start of a turn, or of a share of them.

    Every table goes with every rack; who has not opened is asked about every rack.
    """
    deck = deck_of(*size)
    rng = random.Random(f"{size} {share}")
    nothing = (0,) * len(deck.shape)
    for table in tables_of(deck):
        for rack in racks_beside(deck, table):
            if rng.random() < share:
                check_mask(Question(deck, table, rack, nothing, -1))
                if not any(table):
                    for threshold in (0, 10, 15):
                        check_mask(Question(deck, table, rack, nothing, threshold))


@pytest.mark.parametrize(
    ("size", "share"),
    [((6, 2, 1, 0), 1.0), ((6, 2, 1, 1), 0.05), ((3, 3, 1, 2), 0.3)],
    ids=str,
)
def test_masks_of_all_positions_or_a_sample_are_those_of_brute_force(
    size: tuple[int, int, int, int], share: float
) -> None:
    check_everything(size, share)


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [(6, 2, 1, 1), (6, 2, 1, 2), (4, 3, 1, 2), (3, 3, 1, 2)], ids=str
)
def test_masks_of_all_positions_are_those_of_brute_force(
    size: tuple[int, int, int, int],
) -> None:
    check_everything(size)
