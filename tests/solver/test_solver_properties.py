"""Properties that every answer of the solver has, on drawn positions."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rummi_env.core.melds import Meld, meld_of
from rummi_env.core.notation import format_table, table_counts
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS, Counts, counts_of, kind_of
from rummi_env.core.verify import verify_turn
from rummi_env.solver.exact import END_TURN, Turn, TurnSolver

RULES = RuleSet()
SOLVER = TurnSolver(RULES)

SOLVERS = [
    SOLVER,
    *[TurnSolver(preset) for preset in ("sabra", "triple_s", "tournament")],
]
"""Solvers for free jokers and for exact ones as each source has them."""

FIRST_NAME = END_TURN + 1
LAST = FIRST_NAME + JOKER

MOST_PLAYS = 1_000
"""Plays that are listed for a comparison."""

NUMBERS = st.integers(1, 13)

GROUPS = st.builds(
    lambda number, colors: tuple(kind_of(color, number) for color in colors),
    NUMBERS,
    st.sets(st.integers(0, 3), min_size=3).map(sorted),
)

RUNS = st.builds(
    lambda color, ends: tuple(kind_of(color, n) for n in range(ends[0], ends[1] + 1)),
    st.integers(0, 3),
    st.tuples(NUMBERS, NUMBERS).filter(lambda ends: ends[1] - ends[0] >= 2),
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Meld, ...]:
    """Melds that the deck has together, up to two tiles of them jokers."""
    left = RULES.deck.copy()
    melds = []
    for meld in draw(st.lists(GROUPS | RUNS, max_size=9)):
        tiles = list(meld)
        if left[JOKER] and draw(st.booleans()):
            tiles[draw(st.integers(0, len(tiles) - 1))] = JOKER
        counts = counts_of(tiles)
        if (counts <= left).all():
            left -= counts
            melds.append(meld_of(tiles))
    return tuple(melds)


@st.composite
def turns(
    draw: st.DrawFn, opened: bool | None = None, solvers: Sequence[TurnSolver] = SOLVERS
) -> Turn:
    """Moments of a turn: up to four actions that the mask has went before."""
    solver = draw(st.sampled_from(solvers))
    table = draw(tables())
    left = RULES.deck - table_counts(table)
    tiles = [kind for kind in range(NUM_COUNTS) for _ in range(int(left[kind]))]
    size = draw(st.integers(0, min(12, len(tiles))))
    rack = counts_of(draw(st.permutations(tiles))[:size])
    flag = draw(st.booleans()) if opened is None else opened
    turn = solver.turn(table, rack, flag)
    for _ in range(draw(st.integers(0, 4))):
        legal = steps(turn)
        if not legal:
            break
        turn = after(turn, draw(st.sampled_from(legal)))
    return turn


def steps(turn: Turn) -> list[int]:
    """List the legal actions that go on with the turn: tiles and names."""
    return [a for a in np.flatnonzero(turn.mask[:LAST]).tolist() if a != END_TURN]


def after(turn: Turn, action: int) -> Turn:
    """Return the turn one action later."""
    played, named = turn.played.copy(), names(turn)
    if action >= FIRST_NAME:
        named.append(action - FIRST_NAME)
    else:
        played[action] += 1
    return asked(turn, turn.rack, played, named)


def asked(
    turn: Turn, rack: Counts, played: Counts, named: Sequence[int] | None = None
) -> Turn:
    """Return a turn with another rack, other tiles played, the same names or others."""
    named = names(turn) if named is None else named
    return turn.solver.turn(turn.melds, rack, turn.opened, played, named)


def names(turn: Turn) -> list[int]:
    return [kind for kind in turn.named.tolist() if kind >= 0]


def is_legal(turn: Turn, counts: Counts) -> bool:
    """Say whether these tiles are a whole turn, by the mask of its last action."""
    whole = asked(turn, turn.rack, counts)
    return bool(counts.any() and whole.mask[END_TURN])


@given(turns())
def test_a_tile_is_legal_exactly_if_a_turn_that_plays_it_is_left(turn: Turn) -> None:
    for tile in range(NUM_COUNTS):
        if turn.rack[tile] > turn.played[tile]:
            best = after(turn, tile).best()
            assert turn.mask[tile] == (best is not None)
        else:
            assert not turn.mask[tile]


@given(turns(solvers=SOLVERS[1:]))
def test_a_name_is_legal_exactly_if_a_turn_that_bears_it_is_left(turn: Turn) -> None:
    jokers = turn.board[JOKER] + turn.rack[JOKER]
    for kind in range(JOKER if len(names(turn)) < jokers else 0):
        best = after(turn, FIRST_NAME + kind).best()
        assert turn.mask[FIRST_NAME + kind] == (best is not None)
    if len(names(turn)) == jokers:
        assert not turn.mask[FIRST_NAME:LAST].any()


@given(turns(), st.booleans())
def test_who_follows_the_mask_never_meets_a_dead_end(turn: Turn, first: bool) -> None:
    while steps(turn):
        turn = after(turn, steps(turn)[0 if first else -1])
    assert turn.mask[END_TURN]


@given(turns())
def test_the_mask_is_the_union_of_the_plays(turn: Turn) -> None:
    total, complete = turn.count_plays(limit=MOST_PLAYS)
    union = np.zeros(NUM_COUNTS, np.bool_)
    if complete:
        for play in turn.plays():
            assert (play.counts >= turn.played).all()
            assert (play.counts <= turn.rack).all()
            union |= play.counts > turn.played
            total -= 1
        assert total == 0
        assert (turn.mask[:END_TURN] == union).all()


@given(turns())
def test_the_best_plays_are_legal_and_no_other_play_is_better(turn: Turn) -> None:
    by_tiles, by_points = turn.best("tiles"), turn.best("points")
    assert (by_tiles is None) == (by_points is None)
    if by_tiles is None or by_points is None:
        return
    assert is_legal(turn, by_tiles.counts) and is_legal(turn, by_points.counts)
    assert by_tiles.tiles >= by_points.tiles
    assert by_points.points >= by_tiles.points
    if turn.count_plays(limit=MOST_PLAYS)[1]:
        plays = list(turn.plays())
        assert by_tiles in plays and by_points in plays
        assert by_tiles.tiles == max(play.tiles for play in plays)
        assert by_points.points == max(play.points for play in plays)


@given(turns())
def test_the_table_after_a_play_is_legal_and_keeps_every_tile(turn: Turn) -> None:
    best = turn.best("points")
    if best is None:
        return
    text = format_table(best.table)
    judged = verify_turn(turn.rules, turn.melds, turn.rack, text, turn.opened)
    assert (judged == best.counts).all()
    assert (table_counts(best.table) == turn.board + best.counts).all()
    if not turn.opened and not turn.rules.manipulate_on_opening_turn:
        assert best.table[: len(turn.melds)] == turn.melds


@given(turns(opened=True, solvers=[SOLVER]))
def test_how_the_table_lies_makes_no_difference(turn: Turn) -> None:
    best = turn.best()
    if best is None:
        return
    # The same tiles in another arrangement: what is left to play is the same.
    left = turn.rack - best.counts
    one = SOLVER.turn(best.table, left)
    arranged = SOLVER.turn((), turn.board + best.counts).best()
    assert arranged is not None
    other = SOLVER.turn(arranged.table, left)
    assert (one.mask == other.mask).all()


@given(turns(opened=True, solvers=[SOLVER]), st.permutations(range(4)))
def test_all_colors_are_alike(turn: Turn, colors: list[int]) -> None:
    def recolored(counts: Counts) -> Counts:
        changed = counts.copy()
        changed[:JOKER] = counts[:JOKER].reshape(4, 13)[colors].ravel()
        return changed

    arranged = SOLVER.turn((), recolored(turn.board)).best()
    table = arranged.table if arranged else ()
    other = SOLVER.turn(table, recolored(turn.rack), True, recolored(turn.played))
    assert (
        other.mask[:END_TURN] == recolored(turn.mask[:END_TURN].astype(np.int8))
    ).all()
    for objective in ("tiles", "points"):
        one, two = turn.best(objective), other.best(objective)
        assert (one is None) == (two is None)
        if one is not None and two is not None:
            assert (one.tiles, one.points) == (two.tiles, two.points)
    assert turn.count_plays(500) == other.count_plays(500)


@given(turns(opened=True))
def test_a_larger_rack_takes_no_play_away(turn: Turn) -> None:
    left = RULES.deck - turn.board - turn.rack
    for tile in np.flatnonzero(left)[:5].tolist():
        rack = turn.rack.copy()
        rack[tile] += 1
        larger = asked(turn, rack, turn.played)
        assert (larger.mask >= turn.mask).all()


@given(turns(opened=False), st.integers(0, 60))
@settings(max_examples=60)
def test_a_lower_threshold_takes_no_opening_away(turn: Turn, points: int) -> None:
    masks = []
    for needed in (points, points + 10):
        solver = TurnSolver(turn.rules.replace(opening_points=needed))
        fresh = solver.turn(turn.melds, turn.rack, opened=False)
        masks.append(fresh.mask)
    assert (masks[0] >= masks[1]).all()
