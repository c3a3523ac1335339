"""Games cut into jobs, and who does them.

A job is some deals at one table. What comes out of it hangs on the job alone, so it
makes no difference how many do the jobs, where, and in which order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import permutations
from math import ceil

from rummi_env.core.options import GameRules
from rummi_env.records import GameRecord, Recorder
from rummi_training.batched import BatchedTable, plays_in_batches
from rummi_training.mirrored import (
    Game,
    Numbered,
    Player,
    make_player,
    one_round,
    play_mirrored,
)

BATCH = 64
"""Deals that are played side by side."""

Table = tuple[int, ...]
"""Numbers of the agents at a table."""


@dataclass(frozen=True)
class Setup:
    """What all jobs have in common; it can be sent to other processes."""

    agents: tuple[str, ...]
    """Names, checkpoints or ``module:Class``."""

    rules: GameRules
    """The rules; matches have one round."""

    seed: int
    """Of all chance in the games."""

    device: str = "cpu"
    """Where networks compute."""

    names: tuple[str, ...] = ()
    """What records call the agents."""

    records: bool = False
    """Whether games are recorded."""

    def players(self) -> list[Player]:
        """Makes the agents.

        Raises:
            ValueError: there is no such agent, or it does not play the game.
        """
        game = self.rules.GAME
        return [make_player(spec, self.device, game) for spec in self.agents]


@dataclass(frozen=True)
class Job:
    """Some deals at one table."""

    number: int
    """Which table."""

    table: Table
    """Who sits there."""

    order: tuple[int, ...]
    """Their order of play, by their places in `table`."""

    deals: tuple[Numbered, ...]
    """What is played, once for every rotation of the seats."""

    about: tuple[tuple[str, int], ...] = ()
    """What records say about the games besides the deal and the rotation."""


@dataclass(frozen=True)
class Outcome:
    """What comes out of a job."""

    games: list[Game]
    """The games."""

    records: list[GameRecord]
    """Their records, if they are kept."""


def orders_of(table: Table) -> list[tuple[int, ...]]:
    """Returns all orders of play around a table that are not rotations of others.

    Who sits behind whom matters from three players on. Where all but the first are the
    same agent there is one order.
    """
    number = len(table)
    if len(set(table[1:])) == 1:
        return [tuple(range(number))]
    return [(0, *rest) for rest in permutations(range(1, number))]


def block_of(deals: int, orders: int) -> int:
    """Returns how many deals in a row have the same order of play.

    Every order gets the same number of deals, as nearly as can be, in blocks of
    `BATCH` or less.
    """
    rounds = ceil(deals / (BATCH * orders))
    return max(1, ceil(deals / (orders * rounds)))


def jobs_of(
    tables: Sequence[Table],
    deals: Sequence[Numbered],
    players: Sequence[Player],
    *,
    single_table: bool = False,
    records: bool = False,
) -> Iterator[Job]:
    """Yields all that has to be played.

    Players that decide for many games at a time get blocks of deals, others single
    deals; and so does everybody where games are recorded.

    Args:
        tables: who sits at each table.
        deals: what is played at each of them.
        players: the agents.
        single_table: whether there is one table, whose order of play never changes.
        records: whether games are recorded.
    """
    for number, table in enumerate(tables):
        orders = [tuple(range(len(table)))] if single_table else orders_of(table)
        about = () if single_table else (("table", number),)
        block = block_of(len(deals), len(orders))
        batched = plays_in_batches(players[agent] for agent in table)
        for start in range(0, len(deals), block):
            order = orders[start // block % len(orders)]
            part = tuple(deals[start : start + block])
            parts = [part] if batched and not records else [(deal,) for deal in part]
            yield from (Job(number, table, order, these, about) for these in parts)


class Worker:
    """Does jobs, one after the other.

    Args:
        setup: what they have in common.
        players: the agents, if they have been made already.
    """

    def __init__(self, setup: Setup, players: Sequence[Player] | None = None) -> None:
        self._setup = setup
        self._rules = one_round(setup.rules)
        self._players = setup.players() if players is None else players
        self._batched: tuple[Table, BatchedTable] | None = None

    def do(self, job: Job) -> Outcome:
        """Plays the games of a job.

        Raises:
            ValueError: an agent cannot play under the rules, or chose an illegal
                action.
        """
        setup, seed = self._setup, self._setup.seed
        players = [self._players[agent] for agent in job.table]
        records: list[GameRecord] = []
        with _one_thread():
            if plays_in_batches(players) and not setup.records:
                if self._batched is None or self._batched[0] != job.table:
                    batched = BatchedTable(players, self._rules, seed)
                    self._batched = (job.table, batched)
                played = self._batched[1].play(job.deals, job.order)
            else:
                mirrored = play_mirrored(
                    players,
                    self._rules,
                    job.deals,
                    seed,
                    Recorder(records.append) if setup.records else None,
                    [setup.names[agent] for agent in job.table] if setup.names else (),
                    order=job.order,
                    about=dict(job.about),
                )
                played = list(mirrored)
        found = [replace(game, table=job.number) for games in played for game in games]
        return Outcome(found, records)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keeps torch, where it is there, to one thread.

    The cores belong to the other processes, and the last bits of what a network
    computes, so now and then a choice, hang on the number of threads.
    """
    try:
        import torch
    except ImportError:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
