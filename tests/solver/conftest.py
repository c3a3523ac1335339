"""Positions for the solver's tests: random tables, and tables from random play."""

import random
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from rummi_env.core.melds import Entry, Meld, meld_of
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, Counts, counts_of, kind_of, tiles_of
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.state import REDEAL_PHASE
from rummi_env.solver.exact import END_TURN, Turn

Table: TypeAlias = tuple[Meld, ...]


@pytest.fixture(scope="session")
def draw_position() -> Callable[..., tuple[Table, Counts]]:
    """Return `random_position`."""
    return random_position


@pytest.fixture(scope="session")
def turns_of_play() -> Callable[..., Iterator[Turn]]:
    """Return `played_turns`."""
    return played_turns


def random_position(
    rng: random.Random,
    table_tiles: int,
    rack_tiles: int,
    jokers: tuple[int, int] = (0, 0),
    rules: RuleSet | None = None,
) -> tuple[Table, Counts]:
    """Draw a table of random melds and a rack from what is left of the deck.

    Args:
        rng: Where chance comes from.
        table_tiles: Least number of tiles on the table, if the deck has the melds.
        rack_tiles: Number of tiles on the rack.
        jokers: How many of them are on the table, and on the rack.
        rules: Give the deck; the full one by default.
    """
    rules = rules or RuleSet()
    left = rules.deck.copy()
    left[JOKER] = 0
    melds: list[list[Entry]] = []
    for _ in range(1_000):
        meld = _random_meld(rng, rules)
        if sum(map(len, melds)) < table_tiles and (counts_of(meld) <= left).all():
            left -= counts_of(meld)
            melds.append([*meld])
    for _ in range(jokers[0] if melds else 0):
        chosen = rng.choice(melds)
        place = rng.randrange(len(chosen))
        tile = chosen[place]
        if isinstance(tile, int):
            left[tile] += 1
            chosen[place] = (JOKER, tile)
    rack = rng.sample(tiles_of(left), min(rack_tiles, int(left.sum())) - jokers[1])
    rack += [JOKER] * jokers[1]
    return tuple(meld_of(meld, rules) for meld in melds), counts_of(rack)


def _random_meld(rng: random.Random, rules: RuleSet) -> list[int]:
    if rules.colors > 2 and rng.random() < 0.5:
        number = rng.randint(1, rules.numbers)
        colors = rng.sample(range(rules.colors), rng.randint(3, rules.colors))
        return [kind_of(color, number) for color in colors]
    color = rng.randrange(rules.colors)
    size = min(rules.numbers, rng.choice([3, 3, 3, 4, 5, 7, 13]))
    low = rng.randint(1, rules.numbers - size + 1)
    return [kind_of(color, low + step) for step in range(size)]


def played_turns(rules: RuleSet, num_players: int, seed: int) -> Iterator[Turn]:
    """Play a random legal game and yield the question of every step.

    The table is what `Turn.table_after` makes of it, turn by turn. That the machine's
    mask is that of the turn, and that its jokers lie as those of the table, is checked
    on the way.
    """
    engine = Engine(rules, num_players)
    games = engine.new_games(1)
    engine.start(games, 0, seed)
    table: Table = ()
    while not engine.is_over(games, 0):
        game = games[0]
        seat = int(game["seat"])
        turn = engine.solver.turn(
            table,
            game["racks"][seat].copy(),
            opened=bool(game["opened"][seat]),
            played=game["played"].copy(),
            named=[int(kind) for kind in game["named"] if kind >= 0],
            pool_empty=bool(game["drawn"] == game["pool_size"]),
        )
        if engine.solver.exact:
            assert sorted(turn.sets) == sorted(game["joker_sets"])
            assert turn.together == game["together"]
        if game["phase"] == REDEAL_PHASE:
            engine.act(games, 0, END_TURN)
            continue
        assert (turn.board == game["table"]).all()
        assert (turn.mask == game["mask"][: len(turn.mask)].astype(bool)).all()
        yield turn
        action = engine.scripted_action(games, 0, "random")
        if action == END_TURN and turn.played.any():
            table = turn.table_after(turn.played)
        engine.act(games, 0, action)
        if games[0]["round_ended"]:
            table = ()
