"""The games that a server has open, and the agents that play in them."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from rummi_env.envs.clock import Clock
from rummi_training.play.refusals import Refusal
from rummi_training.play.seats import Seats
from rummi_training.play.settings import GameSettings
from rummi_training.play.storage import Store
from rummi_training.play.tabla_table import TablaTable
from rummi_training.play.table import Table

OPEN_GAMES = 64
"""Games kept in memory, some 20 MB each; the others wait on disk."""

AGENT_THREADS = 4
"""Games in which agents can think at the same time."""

DAMAGED = 500

PAGES: Mapping[str, type[Seats]] = {"rummikub": Table, "tabla": TablaTable}
"""The games that have a page, and what they are played at."""


class Host:
    """Opens games, saves whatever happens in them, lets agents play.

    Attributes:
        store: where the games are.
        trusted: agents written as ``module:Class`` that may be imported.
    """

    def __init__(
        self, store: Store, trusted: Sequence[str] = (), clock: Clock = time.monotonic
    ) -> None:
        """Takes where the games are; they are opened when somebody asks for them."""
        self.store = store
        self.trusted = tuple(trusted)
        self._clock = clock
        self._tables: dict[str, Seats] = {}
        self._lock = threading.Lock()
        self._thinking: set[str] = set()
        self._agents = ThreadPoolExecutor(AGENT_THREADS, "agents")
        self._closed = False

    def create(self, settings: GameSettings) -> tuple[str, Seats]:
        """Starts a game and returns its name.

        Raises:
            ValueError: an agent cannot be made, or nobody can move in the position.
        """
        table = PAGES[settings.game].new(settings, self._clock)
        name = secrets.token_hex(5)
        with table.lock:
            self.store.save(name, table.to_dict())
            with self._lock:
                self._tables[name] = table
            self._let_agents_play(name, table)
        self._put_away()
        return name, table

    @contextmanager
    def table(self, name: str) -> Iterator[Seats]:
        """Lends a game, to look at.

        A turn whose time is up is ended before anything else.

        Raises:
            Refusal: there is no such game, or its file is damaged.
        """
        while True:
            table = self._opened(name)
            with table.lock:
                if self._tables.get(name) is not table:
                    continue  # it was put away just now
                if table.tick():
                    self._save(name, table)
                self._let_agents_play(name, table)
                yield table
                return

    def act(self, name: str, action: Callable[[Any], Any]) -> Any:
        """Does something in a game that ends a turn, and saves it.

        Raises:
            Refusal: there is no such game, or the action is refused.
        """
        with self.table(name) as table:
            result = action(table)
            self._save(name, table)
            self._let_agents_play(name, table)
            return result

    def save_turn(self, name: str, table: Seats) -> None:
        """Saves a turn that was begun; the table is lent."""
        self.store.save_turn(name, table.turn_to_dict())

    def close(self) -> None:
        """Saves the time that is used, and lets agents end what they are at."""
        self._closed = True
        self._agents.shutdown(wait=True, cancel_futures=True)
        for name, table in self._tables.items():
            with table.lock:
                self._save_time(name, table)
        self.store.close()

    # ------------------------------------------------------------------ inside

    def _opened(self, name: str) -> Seats:
        with self._lock:
            table = self._tables.pop(name, None)
            if table is None:
                try:
                    table = _taken_up(*self.store.load(name), self._clock)
                except ValueError as error:
                    raise Refusal(
                        DAMAGED, f"game {name!r} cannot be gone on with: {error}"
                    ) from error
            # The last is the one that was asked for last.
            self._tables[name] = table
        self._put_away()
        return table

    def _put_away(self) -> None:
        """Forgets the games that nobody has asked for longest; they are on disk."""
        with self._lock:
            for name, table in list(self._tables.items())[:-OPEN_GAMES]:
                if name in self._thinking or not table.lock.acquire(blocking=False):
                    continue
                try:
                    self._save_time(name, table)
                    del self._tables[name]
                finally:
                    table.lock.release()

    def _save_time(self, name: str, table: Seats) -> None:
        """Saves how much time a person's turn has taken, and the turn with it."""
        if not table.played.match.over and table.played.agent is None:
            self.save_turn(name, table)

    def _save(self, name: str, table: Seats) -> None:
        record = table.played.record
        if record is not None and not table.recorded:
            self.store.add_record(record)
            table.recorded = True
        self.store.save(name, table.to_dict())

    def _let_agents_play(self, name: str, table: Seats) -> None:
        """Lets agents play on, if it is their turn and they do not already."""
        if table.played.agent is None or table.trouble or self._closed:
            return
        with self._lock:
            if name in self._thinking:
                return
            self._thinking.add(name)
        self._agents.submit(self._play_on, name, table)

    def _play_on(self, name: str, table: Seats) -> None:
        """Lets agents play until a person is to move."""
        try:
            while self._one_decision(name, table):
                pass
        except Exception as error:  # whatever an agent of somebody else's does
            with table.lock:
                who = getattr(table.played.agent, "name", "an agent")
                table.trouble = f"{who} cannot play on: {error}"
                table.version += 1
                self._rest(name)

    def _one_decision(self, name: str, table: Seats) -> bool:
        """Lets an agent decide once; tells whether there is more to decide."""
        played = table.played
        with table.lock:
            agent = played.agent
            if agent is None or self._closed:
                self._rest(name)
                return False
            asked = played.question()
        # Without the lock: the page can be looked at while an agent thinks.
        decision = played.decide(agent, asked)
        with table.lock:
            turns = table.turns
            table.act_for_agent(decision)
            if table.turns != turns:
                self._save(name, table)
        return True

    def _rest(self, name: str) -> None:
        """Notes that no agent plays in a game; with its lock, so that none is lost."""
        with self._lock:
            self._thinking.discard(name)


def _taken_up(
    fields: Mapping[str, Any], turn: Mapping[str, Any] | None, clock: Clock
) -> Seats:
    """Goes on with a game that was saved.

    Raises:
        ValueError: something in it is missing or damaged.
    """
    try:
        page = PAGES[fields["played"]["settings"]["game"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"it is no game that was put away: {error}") from error
    return page.from_dict(fields, turn, clock)
