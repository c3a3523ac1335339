"""Properties that every answer of the solver has, on drawn positions."""

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
def turns(draw: st.DrawFn, opened: bool | None = None) -> Turn:
    """Moments of a turn, with up to four tiles played that some turn plays."""
    table = draw(tables())
    left = RULES.deck - table_counts(table)
    tiles = [kind for kind in range(NUM_COUNTS) for _ in range(int(left[kind]))]
    size = draw(st.integers(0, min(12, len(tiles))))
    rack = counts_of(draw(st.permutations(tiles))[:size])
    flag = draw(st.booleans()) if opened is None else opened
    turn = SOLVER.turn(table, rack, flag)
    for _ in range(draw(st.integers(0, 4))):
        legal = np.flatnonzero(turn.mask[:END_TURN]).tolist()
        if not legal:
            break
        turn = with_tile(turn, draw(st.sampled_from(legal)))
    return turn


def with_tile(turn: Turn, tile: int) -> Turn:
    played = turn.played.copy()
    played[tile] += 1
    return SOLVER.turn(turn.melds, turn.rack, turn.opened, played)


def is_legal(turn: Turn, counts: Counts) -> bool:
    """Say whether these tiles are a whole turn, by the mask of its last action."""
    whole = SOLVER.turn(turn.melds, turn.rack, turn.opened, counts)
    return bool(counts.any() and whole.mask[END_TURN])


@given(turns())
def test_a_tile_is_legal_exactly_if_a_turn_that_plays_it_is_left(turn: Turn) -> None:
    for tile in range(NUM_COUNTS):
        if turn.rack[tile] > turn.played[tile]:
            best = with_tile(turn, tile).best()
            assert turn.mask[tile] == (best is not None)
        else:
            assert not turn.mask[tile]


@given(turns())
def test_who_follows_the_mask_never_meets_a_dead_end(turn: Turn) -> None:
    while turn.mask[:END_TURN].any():
        turn = with_tile(turn, int(np.flatnonzero(turn.mask[:END_TURN])[-1]))
    assert turn.mask[END_TURN]


@given(turns())
def test_the_mask_is_the_union_of_the_plays(turn: Turn) -> None:
    total, complete = turn.count_plays(limit=3_000)
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
    if turn.count_plays(limit=3_000)[1]:
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
    judged = verify_turn(RULES, turn.melds, turn.rack, text, turn.opened)
    assert (judged == best.counts).all()
    assert (table_counts(best.table) == turn.board + best.counts).all()
    if not turn.opened:
        assert best.table[: len(turn.melds)] == turn.melds


@given(turns(opened=True))
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


@given(turns(opened=True), st.permutations(range(4)))
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
        larger = SOLVER.turn(turn.melds, rack, True, turn.played)
        assert (larger.mask >= turn.mask).all()


@given(turns(opened=False), st.integers(0, 60))
@settings(max_examples=50)
def test_a_lower_threshold_takes_no_opening_away(turn: Turn, points: int) -> None:
    masks = []
    for needed in (points, points + 10):
        solver = TurnSolver(RULES.replace(opening_points=needed))
        fresh = solver.turn(turn.melds, turn.rack, opened=False)
        masks.append(fresh.mask)
    assert (masks[0] >= masks[1]).all()
