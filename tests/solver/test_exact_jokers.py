"""The solver under exact jokers against brute force over tables that are laid down.

The oracle is `rummi_env.testing.brute_force`: tables in all ways, judged by
`verify_turn`. It takes small positions; those of the whole game are checked by turns
that were made to be legal, and by playing.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import pytest

from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import Meld, meld_of
from rummi_env.core.notation import format_table, format_tiles, table_counts
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import (
    JOKER,
    NUM_KINDS,
    Counts,
    counts_of,
    rack_value,
    tile_name,
    tiles_of,
)
from rummi_env.core.verify import verify_turn
from rummi_env.solver.exact import END_TURN, Turn, TurnSolver
from rummi_env.solver.play import Objective
from rummi_env.testing.brute_force import (
    FIRST_NAME,
    Ending,
    are_together,
    choices,
    every_ending,
    joker_places,
    legal_actions,
    settled_table,
)

Table: TypeAlias = tuple[Meld, ...]
DrawPosition: TypeAlias = Callable[..., tuple[Table, Counts]]
TurnsOfPlay: TypeAlias = Callable[..., Iterator[Turn]]

PRESETS = ("sabra", "triple_s", "tournament")

FIELDS: list[dict[str, Any]] = [
    {
        "joker_release": "exact",
        "joker_source": source,
        "joker_reuse": reuse,
        "jokers_per_meld": per_meld,
        "manipulate_on_opening_turn": manipulate,
    }
    for source, reuse, per_meld, manipulate in product(
        ("rack", "rack_or_table"),
        ("any_meld", "new_meld_from_rack"),
        (1, 2),
        (False, True),
    )
]
"""Every value of the fields that say how exact jokers are used."""

SOME_FIELDS = [FIELDS[index] for index in (0, 3, 6, 7, 10, 11, 12, 13)]
"""Half of them, each value with each other, and those of the presets."""

DECKS: list[dict[str, Any]] = [
    {"colors": 2, "numbers": 6, "copies": 1, "jokers": 2},
    {"colors": 2, "numbers": 6, "copies": 2, "jokers": 1},
    {"colors": 2, "numbers": 3, "copies": 2, "jokers": 2},
    {"colors": 3, "numbers": 4, "copies": 2, "jokers": 2},
    {"colors": 3, "numbers": 5, "copies": 1, "jokers": 2},
    {"colors": 4, "numbers": 3, "copies": 2, "jokers": 2},
    {"colors": 4, "numbers": 4, "copies": 1, "jokers": 2},
]

OBJECTIVES: tuple[Objective, ...] = ("tiles", "points")

MOST_TILES = 12
"""Tiles of a position that brute force takes."""


def ids(fields: dict[str, Any]) -> str:
    """Name a parameter by its values."""
    return "-".join(str(value) for name, value in fields.items() if value != "exact")


@cache
def solver_of(rules: RuleSet) -> TurnSolver:
    return TurnSolver(rules)


def with_bare_jokers(rng: random.Random, meld: Meld, rules: RuleSet) -> Meld:
    """Leave the jokers of a group open, or now and then named."""
    if meld.is_run or rng.random() < 0.2:
        return meld
    return meld_of(meld.tiles, rules)


def small_position(
    rng: random.Random, rules: RuleSet, draw_position: DrawPosition
) -> tuple[Table, Counts]:
    """Draw a position with jokers that brute force can take."""
    while True:
        on_table, on_rack = rng.choice([0, 1, 1, 2]), rng.choice([0, 0, 1, 2])
        if not 1 <= on_table + on_rack <= rules.jokers:
            continue
        try:
            table, rack = draw_position(
                rng,
                rng.choice([1, 4, 7]) if on_table else rng.choice([0, 3]),
                rng.randint(max(on_rack, 1), 5),
                (on_table, on_rack),
                rules,
            )
        except (IllegalAction, ValueError):
            continue
        table = tuple(with_bare_jokers(rng, meld, rules) for meld in table)
        if table_counts(table).sum() + rack.sum() <= MOST_TILES:
            return table, rack


class Question:
    """A position, with what brute force says about it."""

    def __init__(
        self, rules: RuleSet, table: Sequence[Meld], rack: Counts, opened: bool
    ) -> None:
        self.rules, self.table, self.opened = rules, tuple(table), opened
        self.rack = rack
        self.tiles = Counter(tiles_of(rack))
        self.endings = every_ending(rules, self.table, self.tiles, opened)

    def __str__(self) -> str:
        return (
            f"{format_table(self.table)} ; {format_tiles(self.rack)} ; "
            f"opened {self.opened}, {self.rules}"
        )

    def turn(self, played: Sequence[int] = (), named: Sequence[int] = ()) -> Turn:
        return solver_of(self.rules).turn(
            self.table, self.rack, self.opened, counts_of(played), named
        )

    def check_mask(self, played: Sequence[int], named: Sequence[int]) -> set[int]:
        """Compare the legal actions at a moment of the turn; return them."""
        found = set(np.flatnonzero(self.turn(played, named).mask).tolist())
        wanted = legal_actions(self.endings, Counter(played), named, naming=True)
        if not played:
            # Drawing is legal as long as no tile was played, and no turn of the solver.
            found.remove(END_TURN)
        names = " ".join(map(tile_name, named))
        moment = f"{self}, played {format_tiles(counts_of(played))}, named {names}"
        assert found == wanted, f"{sorted(found ^ wanted)} at {moment}"
        return found

    def check_table(self, ending: Ending, named: Sequence[int]) -> None:
        """Compare how the jokers lie after a turn, and judge the table shown."""
        played = counts_of(ending.played)
        shown = self.turn(ending.played, named).table_after(played)
        judged = verify_turn(self.rules, self.table, self.rack, shown, self.opened)
        assert (judged == played).all(), self
        read = verify_turn(
            self.rules, self.table, self.rack, format_table(shown), self.opened
        )
        assert (read == played).all(), self
        expected = settled_table(
            self.rules, self.table, Counter(ending.played), self.opened, named
        )
        assert expected is not None
        where = f"{self}, {format_tiles(played)}, {named}: {format_table(shown)}"
        assert joker_places(shown) == joker_places(expected), where
        assert are_together(shown) == are_together(expected), where


def rank(
    tiles: Sequence[int], objective: Objective, rules: RuleSet
) -> tuple[int, int, int, tuple[int, ...]]:
    """Return the rank of a play among others: the greatest is best."""
    counts = counts_of(tiles)
    points = rack_value(counts, rules.joker_rack_value)
    first, second = len(tiles), points
    if objective == "points":
        first, second = second, first
    return first, second, -int(counts[JOKER]), tuple(counts[:JOKER].tolist())


def check_position(rng: random.Random, question: Question) -> None:
    """Compare all answers about a position, along one way through its turn."""
    played: list[int] = []
    named: list[int] = []
    while True:
        actions = sorted(question.check_mask(played, named) - {END_TURN})
        if not actions:
            break
        action = rng.choice(actions)
        if action >= FIRST_NAME:
            named.append(action - FIRST_NAME)
        else:
            played.append(action)

    plays = {ending.played for ending in question.endings}
    turn = question.turn()
    for objective in OBJECTIVES:
        best = turn.best(objective)
        if best is None:
            assert not plays, question
            continue
        found = tiles_of(best.counts)
        assert found in plays, question
        assert rank(found, objective, question.rules) == max(
            rank(tiles, objective, question.rules) for tiles in plays
        ), question
    listed = [tiles_of(play.counts) for play in turn.plays()]
    assert sorted(listed) == sorted(plays), question
    assert turn.count_plays() == (len(plays), True)
    for ending in rng.sample(sorted(question.endings), min(3, len(question.endings))):
        number = rng.randint(0, len(ending.jokers))
        question.check_table(ending, rng.sample(ending.jokers, number))


def check_positions(
    fields: dict[str, Any], number: int, draw_position: DrawPosition
) -> None:
    rng = random.Random(f"{fields} {number}")
    endings = 0
    for index in range(number):
        rules = RuleSet(
            **fields,
            **DECKS[index % len(DECKS)],
            opening_points=rng.choice([0, 5, 10, 15]),
        )
        opened = rng.random() < 0.65
        question = None
        # Most random racks have nothing to play; half of these are drawn again.
        while question is None or (not question.endings and rng.random() < 0.7):
            table, rack = small_position(rng, rules, draw_position)
            question = Question(rules, table, rack, opened)
        check_position(rng, question)
        endings += len(question.endings)
    assert endings > number


@pytest.mark.parametrize("fields", FIELDS, ids=ids)
def test_every_answer_is_that_of_brute_force(
    fields: dict[str, Any], draw_position: DrawPosition
) -> None:
    check_positions(fields, 28, draw_position)


@pytest.mark.slow
@pytest.mark.parametrize("fields", FIELDS, ids=ids)
def test_every_answer_is_that_of_brute_force_on_many_positions(
    fields: dict[str, Any], draw_position: DrawPosition
) -> None:
    check_positions(fields, 1_400, draw_position)


# ------------------------------------------------------------------------ small games


@cache
def every_table(rules: RuleSet) -> list[Table]:
    """Return a table for each state that one can be in: tiles, and how jokers lie."""
    deck = Counter(tiles_of(rules.deck))
    tables: dict[object, Table] = {(): ()}
    for ending in every_ending(rules, (), deck, opened=True):
        played = Counter(ending.played)
        for number in range(len(ending.jokers) + 1):
            named = ending.jokers[:number]
            table = settled_table(rules, (), played, True, named)
            assert table is not None
            state = (ending.played, str(joker_places(table)), are_together(table))
            tables[state] = table
    return list(tables.values())


def reached(question: Question) -> set[Ending]:
    """Return all endings that the mask leads to, with every joker named.

    Whatever it leads to is judged on the way.
    """
    endings = set()
    waiting: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    seen = set(waiting)
    while waiting:
        played, named = waiting.pop()
        turn = question.turn(played, named)
        actions = np.flatnonzero(turn.mask).tolist()
        if not played:
            actions.remove(END_TURN)
        # No dead end: what was named so far is part of some legal turn.
        assert actions or not played, question
        for action in actions:
            if action == END_TURN:
                after = turn.table_after(turn.played)
                verify_turn(
                    question.rules, question.table, question.rack, after,
                    question.opened,
                )  # fmt: skip
                assert bears(after, named), question
                jokers = int(turn.board[JOKER] + turn.played[JOKER])
                if len(named) == jokers:
                    endings.add(Ending(played, named))
                continue
            if action >= FIRST_NAME:
                state = played, tuple(sorted((*named, action - FIRST_NAME)))
            else:
                state = tuple(sorted((*played, action))), named
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return endings


def bears(table: Table, named: Sequence[int]) -> bool:
    """Tell whether the jokers of a table can stand for these kinds, one each."""
    ways: set[tuple[int, ...]] = {()}
    for meld in table:
        ways = {
            (*way, *own)
            for way in ways
            for own in product(*meld.identities)
            if len(set(own)) == len(own)
        }
    return any(Counter(named) <= Counter(way) for way in ways)


def check_small_game(deck: dict[str, Any], fields: dict[str, Any], share: float) -> int:
    """Enumerate the positions of a small game, or a share of them."""
    rules = RuleSet(**deck, **fields, opening_points=6)
    rng = random.Random(f"{deck} {fields} {share}")
    found = 0
    # Which tables there are depends on the deck and the jokers in a meld alone.
    exact = RuleSet(
        joker_release="exact", jokers_per_meld=rules.jokers_per_meld, **deck
    )
    for table in every_table(exact):
        left = Counter(tiles_of(rules.deck - table_counts(table)))
        for rack in choices(left):
            if rack.total() > 7 or rng.random() >= share:
                continue
            for opened in (True, False):
                question = Question(rules, table, counts_of(rack.elements()), opened)
                assert reached(question) == question.endings, question
                found += len(question.endings)
    return found


GAMES = [
    ({"colors": 2, "numbers": 5, "copies": 1, "jokers": 1}, 0.003),
    ({"colors": 2, "numbers": 4, "copies": 1, "jokers": 2}, 0.003),
    ({"colors": 3, "numbers": 3, "copies": 1, "jokers": 2}, 0.0008),
]

LARGER_GAMES = [
    ({"colors": 2, "numbers": 4, "copies": 1, "jokers": 1}, 1.0),
    ({"colors": 2, "numbers": 4, "copies": 1, "jokers": 2}, 0.1),
    ({"colors": 2, "numbers": 5, "copies": 1, "jokers": 1}, 0.1),
    ({"colors": 2, "numbers": 6, "copies": 1, "jokers": 1}, 0.01),
    ({"colors": 3, "numbers": 3, "copies": 1, "jokers": 1}, 1.0),
    ({"colors": 3, "numbers": 3, "copies": 1, "jokers": 2}, 0.03),
]
"""Games, and the share of their positions that is looked at."""


@pytest.mark.parametrize("fields", SOME_FIELDS, ids=ids)
@pytest.mark.parametrize(("deck", "share"), GAMES, ids=str)
def test_the_mask_leads_to_every_legal_turn_and_to_no_other(
    deck: dict[str, Any], share: float, fields: dict[str, Any]
) -> None:
    assert check_small_game(deck, fields, share) > 0


@pytest.mark.slow
@pytest.mark.parametrize("fields", SOME_FIELDS, ids=ids)
@pytest.mark.parametrize(("deck", "share"), LARGER_GAMES, ids=str)
def test_the_mask_leads_to_every_legal_turn_of_whole_small_games(
    deck: dict[str, Any], share: float, fields: dict[str, Any]
) -> None:
    assert check_small_game(deck, fields, share) > 0


# ----------------------------------------------------------------------- the full game


def moved(
    rng: random.Random, rules: RuleSet, draw_position: DrawPosition
) -> tuple[Table, Counts, Table] | None:
    """Make a table, a rack, and a table after that may well be a legal turn.

    The melds after are drawn first; some of their tiles become the rack, and what is
    left is laid down anew.
    """
    jokers = rng.choice([1, 2])
    try:
        after, other = draw_position(rng, rng.randint(12, 30), 8, (jokers, 0), rules)
    except IllegalAction:
        return None
    after = tuple(with_bare_jokers(rng, meld, rules) for meld in after)
    tiles = tiles_of(table_counts(after))
    naturals = [tile for tile in tiles if tile != JOKER]
    size = rng.randint(1, 6)
    for _ in range(60):
        played = counts_of(rng.sample(naturals, size))
        played[JOKER] = jokers - 1 if rng.random() < 0.2 else 0
        free = RuleSet(jokers_per_meld=rules.jokers_per_meld)
        try:
            staying = table_counts(after) - played
            before = solver_of(free).turn("", staying).table_after(staying)
        except IllegalAction:
            continue
        before = tuple(with_bare_jokers(rng, meld, rules) for meld in before)
        rack = played + np.minimum(other, rules.deck - table_counts(after))
        return before, rack, after
    return None


def check_moves(fields: dict[str, Any], number: int, draw: DrawPosition) -> None:
    """Look for turns that are legal as judged, and see that the mask lets them pass."""
    rng = random.Random(f"{fields} {number}")
    rules = RuleSet(**fields)
    legal = 0
    for _ in range(number):
        made = moved(rng, rules, draw)
        if made is None:
            continue
        before, rack, after = made
        try:
            played = verify_turn(rules, before, rack, after)
        except IllegalAction:
            continue
        legal += 1
        text = f"{format_table(before)} ; {format_tiles(rack)} -> {format_table(after)}"
        jokers = [min(place) for meld in after for place in meld.identities]
        if any(len(set(p)) > 1 for meld in after for p in meld.identities):
            jokers = []
        actions = [*tiles_of(played), *(FIRST_NAME + kind for kind in jokers)]
        rng.shuffle(actions)
        done: list[int] = []
        for action in [*actions, END_TURN]:
            named = [a - FIRST_NAME for a in done if a >= FIRST_NAME]
            turn = solver_of(rules).turn(
                before, rack, True, counts_of(a for a in done if a <= JOKER), named
            )
            assert turn.mask[action], f"{action} after {done} of {text}, {rules}"
            done.append(action)
        shown = turn.table_after(played)
        assert (verify_turn(rules, before, rack, shown) == played).all(), text
        assert bears(shown, jokers), text
    assert legal > number / 20


@pytest.mark.parametrize("fields", FIELDS[::2], ids=ids)
def test_turns_made_to_be_legal_pass_the_mask(
    fields: dict[str, Any], draw_position: DrawPosition
) -> None:
    check_moves(fields, 60, draw_position)


@pytest.mark.slow
@pytest.mark.parametrize("fields", FIELDS[::2], ids=ids)
def test_many_turns_made_to_be_legal_pass_the_mask(
    fields: dict[str, Any], draw_position: DrawPosition
) -> None:
    check_moves(fields, 3_000, draw_position)


def check_play(rules: RuleSet, num_players: int, seed: int, turns: TurnsOfPlay) -> None:
    """Play a game; every table shown is legal and bears the names that were given."""
    laid = 0
    for turn in turns(rules, num_players, seed):
        if turn.played.any() and turn.mask[END_TURN]:
            shown = turn.table_after(turn.played)
            judged = verify_turn(rules, turn.melds, turn.rack, shown, turn.opened)
            assert (judged == turn.played).all()
            assert bears(shown, [kind for kind in turn.named.tolist() if kind >= 0])
            laid += 1
    assert laid > 5


@pytest.mark.parametrize("per_meld", [1, 2])
@pytest.mark.parametrize("preset", PRESETS)
def test_tables_of_games_are_legal_and_lie_as_the_machine_says(
    preset: str, per_meld: int, turns_of_play: TurnsOfPlay
) -> None:
    rules = RuleSet.preset(preset, jokers_per_meld=per_meld, rounds=1)
    for seed in range(2):
        check_play(rules, 2 + seed, seed, turns_of_play)


@pytest.mark.slow
@pytest.mark.parametrize("per_meld", [1, 2])
@pytest.mark.parametrize("preset", PRESETS)
def test_tables_of_many_games_are_legal_and_lie_as_the_machine_says(
    preset: str, per_meld: int, turns_of_play: TurnsOfPlay
) -> None:
    rules = RuleSet.preset(preset, jokers_per_meld=per_meld, rounds=1)
    for seed in range(60):
        check_play(rules, 2 + seed % 3, seed, turns_of_play)


def test_names_cover_all_kinds_of_the_deck_and_no_other() -> None:
    solver = TurnSolver(RuleSet.preset("sabra", numbers=6, colors=2))
    names = solver.turn("K1 K2 J", "J R1 R2").mask[FIRST_NAME:]
    kinds = np.flatnonzero(names)
    assert len(names) == NUM_KINDS
    assert all(solver.rules.deck[kind] for kind in kinds.tolist())
    assert 2 in kinds
