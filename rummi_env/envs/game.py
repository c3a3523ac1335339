"""What a game is to the front-ends: the smallest interface that they need.

The front-ends (`aec`, `single`, `batch`) and `Match` know nothing of any game but what
a `Game` tells them. A game is entered in `GAMES` and imported when it is first played.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from rummi_env.core.errors import IllegalAction
from rummi_env.core.options import GameRules
from rummi_env.envs.start import Start
from rummi_env.observation.fields import Field
from rummi_env.rendering.scenes.shapes import Scene

GAMES = {
    "rummikub": "rummi_env.envs.rummikub:Rummikub",
    "rummy": "rummi_env.envs.rummy:Rummy",
    "tabla": "rummi_env.envs.tabla:Tabla",
}
"""Names of the games and where they are."""


class Engine(Protocol):
    """Plays games of one set of rules; the games are arrays of records.

    All records have the fields ``mask``, ``seat``, ``round_ended``, ``round``,
    ``scores``, ``totals``, ``rounds_won`` and ``seed`` with the same meaning.
    """

    rules: Any
    num_players: int
    num_actions: int
    codes: Any

    def new_games(self, number: int) -> npt.NDArray[np.void]:
        """Allocates games; each must be started before it is played."""

    def start(self, games: npt.NDArray[np.void], index: int, seed: int) -> None:
        """Starts a match with a random deal, all of its chance drawn from the seed."""

    def act(self, games: npt.NDArray[np.void], index: int, action: int) -> None:
        """Performs a legal action of the seat to move."""

    def fail_turn(self, games: npt.NDArray[np.void], index: int) -> None:
        """Does what the rules do about an illegal action."""

    def scripted_action(
        self, games: npt.NDArray[np.void], index: int, name: str
    ) -> int:
        """Returns what a scripted baseline does."""

    def redraw(
        self, games: npt.NDArray[np.void], index: int, seat: int, seed: int
    ) -> None:
        """Draws anew, in place, all that a seat cannot see."""

    def is_over(self, games: npt.NDArray[np.void], index: int) -> bool:
        """Tells whether the match is over."""

    def match_shares(
        self, games: npt.NDArray[np.void], index: int
    ) -> npt.NDArray[np.float64]:
        """Returns each seat's share in winning a match that is over."""


class Seeing(Protocol):
    """What seats see: the game's package under `rummi_env.observation`.

    ``PRIVATE_FIELDS`` names the fields that only the observer may know, and
    ``OPPONENT_FIELDS`` the public ones that have a row for each opponent.
    """

    PRIVATE_FIELDS: tuple[str, ...]
    OPPONENT_FIELDS: tuple[str, ...]

    def fields(self, rules: Any, num_players: int, /) -> Mapping[str, Field]:
        """Returns the fields of an observation by name."""

    def state_fields(self, rules: Any, num_players: int, /) -> Mapping[str, Field]:
        """Returns the fields of an observation and of what is hidden."""

    def num_actions(self, rules: Any, /) -> int:
        """Returns how many actions there are."""

    def action_planes(self, rules: Any, /) -> tuple[int, ...]:
        """Returns the first actions of those that stand for the 52 kinds in order."""

    def encoding(self, rules: Any, num_players: int, /, *, scaled: bool = True) -> Any:
        """Returns what the compiled encoders need."""

    def observation(
        self, games: npt.NDArray[np.void], index: int, encoding: Any, seat: int, /
    ) -> npt.NDArray[np.float32]:
        """Returns the observation of a seat, a new array."""

    def privileged(
        self, games: npt.NDArray[np.void], index: int, encoding: Any, seat: int, /
    ) -> npt.NDArray[np.float32]:
        """Returns the observation of a seat and what is hidden from it."""


class Game(ABC):
    """A game: the class says what holds for all matches, an object plays one.

    Attributes:
        name: what it is called in code.
        title: what it is called in sentences.
        rules_type: the class of its rules.
        preset: name of the rules that are played by default.
        max_players: how many can play.
        scripted: codes of the scripted baselines by name.
        seeing: what seats see.
        dead_end: says that a position has no legal action.
        within_turn: events after which the turn goes on.
        magic: four bytes that saved states begin with.
        num_parts: parts of a saved state besides the record and the scores.
        engine: plays the match.
        rules: the rules.
        games: the match, an array of one record; its memory stays where it is.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_type: ClassVar[type[GameRules]]
    preset: ClassVar[str]
    max_players: ClassVar[int]
    scripted: ClassVar[Mapping[str, int]]
    seeing: ClassVar[Seeing]
    dead_end: ClassVar[str] = "the position has no legal action"
    within_turn: ClassVar[tuple[str, ...]]
    magic: ClassVar[bytes]
    num_parts: ClassVar[int] = 0

    def __init__(self, rules: GameRules | str | None, num_players: int) -> None:
        """Takes the rules or the name of a preset; those of `preset` by default.

        Raises:
            ValueError: the rules do not go with the number of players.
        """
        self.engine: Any = self.make_engine(rules, num_players)
        self.rules: Any = self.engine.rules
        self.num_players = num_players
        self.games = self.engine.new_games(1)

    # ------------------------------------------------------------------ for all matches

    @classmethod
    def rules_of(cls, rules: GameRules | str | None) -> Any:
        """Returns the rules, by default or by name.

        Raises:
            ValueError: they are none of this game.
        """
        return cls.rules_type.of(cls.preset if rules is None else rules)

    @classmethod
    @abstractmethod
    def make_engine(cls, rules: GameRules | str | None, num_players: int) -> Engine:
        """Makes what plays games of these rules.

        Raises:
            ValueError: the rules do not go with the number of players.
        """

    @classmethod
    @abstractmethod
    def read_start(
        cls, options: Mapping[str, Any] | None, rules: Any, num_players: int
    ) -> Start:
        """Returns where the options of ``reset`` let a match start.

        Raises:
            ValueError: an option is unknown or its value impossible under the rules.
        """

    @classmethod
    @abstractmethod
    def one_round(cls, rules: Any) -> Any:
        """Returns the same rules with matches of one round."""

    @classmethod
    @abstractmethod
    def draw_deal(cls, engine: Any, seed: int) -> Any:
        """Returns a deal as the game deals it, for `start_with`."""

    @classmethod
    @abstractmethod
    def format_deal(cls, deal: Any) -> str:
        """Returns a deal as one line of text."""

    @classmethod
    @abstractmethod
    def parse_deal(cls, text: str, rules: Any, num_players: int) -> Any:
        """Reads what `format_deal` writes.

        Raises:
            ValueError: it is no deal under these rules.
        """

    @classmethod
    @abstractmethod
    def start_with(cls, deal: Any) -> Start:
        """Returns the start of a match with this deal."""

    @classmethod
    @abstractmethod
    def written_start(cls, start: Start) -> dict[str, Any]:
        """Returns deals or a position as options that `read_start` reads, as text."""

    @classmethod
    @abstractmethod
    def turn_of(cls, engine: Any, games: npt.NDArray[np.void], index: int) -> Any:
        """Returns what the seat to move may ask about its turn."""

    @classmethod
    @abstractmethod
    def advance(cls) -> Callable[..., None]:
        """Returns what moves batches on; see `fused.make_advance`."""

    @classmethod
    def batch_tools(cls, engine: Any, num_games: int, threads: int) -> Sequence[Any]:
        """Returns for each thread the tools of the kernels of a batch."""
        return [()] * threads

    # ------------------------------------------------------------------ of one match

    def start(self, seed: int, start: Start) -> None:
        """Starts the match.

        Raises:
            ValueError: the position is a dead end; the match is as it was.
        """
        if start.seed is not None:
            seed = start.seed
        if start.position is None:
            self.engine.start(self.games, 0, seed)
            return
        games = self.engine.new_games(1)
        self.engine.start(games, 0, seed)
        self.engine.place_position(games, 0, start.position)
        if not games["mask"].any():
            raise ValueError(self.dead_end)
        self.put(games)

    def put(self, games: npt.NDArray[np.void]) -> None:
        """Takes over another game; as bytes, which is many times as fast."""
        self.games.view(np.uint8)[:] = games.view(np.uint8)

    @abstractmethod
    def dealt(self) -> str:
        """Returns the round that was just dealt as one line of text."""

    @abstractmethod
    def event(self, action: int) -> str:
        """Returns what a legal action is that is about to be performed."""

    def begin_round(self) -> None:  # noqa: B027 - most games have nothing to do
        """Takes note that a round has ended and another one was dealt."""

    def time_out(self) -> None:
        """Ends a turn that ran out of time."""
        self.engine.fail_turn(self.games, 0)

    @abstractmethod
    def view(self, seat: int, with_melds: bool = False) -> Any:
        """Returns what a seat may know, on demand with the melds shown to people."""

    @abstractmethod
    def text(
        self,
        seat: int,
        names: Sequence[str] = (),
        *,
        color: bool = False,
        before: Any = None,
        reveal: bool = False,
    ) -> str:
        """Returns what a seat sees, as lines of text.

        Args:
            seat: the seat.
            names: of all seats; ``player_0`` and so on by default.
            color: whether it has the colors of a terminal.
            before: a view of the beginning of the last turn that is over: what has
                changed since then is underlined, where there is color.
            reveal: whether the hidden racks are shown as well.
        """

    @abstractmethod
    def scene(
        self,
        seat: int,
        names: Sequence[str] = (),
        before: Any = None,
        reveal: bool = False,
    ) -> Scene:
        """Returns what a seat sees, as a picture.

        Args:
            seat: the seat.
            names: of all seats; ``player_0`` and so on by default.
            before: a view of the beginning of the last turn that is over: what has
                changed since then is marked.
            reveal: whether the hidden racks are shown as well.
        """

    @abstractmethod
    def action_text(self, action: int) -> str:
        """Returns what an action of the seat to move does, in words.

        Raises:
            ValueError: there is no such action.
        """

    @abstractmethod
    def racks(self) -> list[Any]:
        """Returns what every seat holds, hidden or not, as `View.rack` has it."""

    @abstractmethod
    def refusal(self, action: int) -> IllegalAction:
        """Returns the exception that says why an action is illegal."""

    @abstractmethod
    def explain(self, action: int) -> str:
        """Says in a sentence why an action of the seat to move is legal or not.

        Raises:
            ValueError: there is no such action.
        """

    @abstractmethod
    def read_action(self, text: str) -> int:
        """Returns the action that a text means; all that `action_text` returns does.

        Raises:
            ValueError: it means none.
        """

    def turn(self) -> Any:
        """Returns what the seat to move may ask about its turn."""
        return self.turn_of(self.engine, self.games, 0)

    def position(self) -> Any:
        """Returns the game with all that is hidden in it, as a position.

        Raises:
            ValueError: the game has no notation for positions.
        """
        raise ValueError(f"{self.title} has no notation for positions")

    # ------------------------------------------------------------------ saving

    @abstractmethod
    def is_sound(self, games: npt.NDArray[np.void]) -> bool:
        """Tells whether a record from outside can be played on."""

    def parts(self, *, guess: bool = False) -> tuple[bytes, ...]:
        """Returns what is saved beside the record.

        Args:
            guess: whether it goes with a guess at what is hidden.
        """
        return ()

    def load(self, games: npt.NDArray[np.void], parts: tuple[bytes, ...]) -> None:
        """Goes on from a record and what was saved beside it.

        Raises:
            ValueError: the parts cannot be read; the match is as it was.
        """
        self.put(games)


def items_of(array: Any) -> memoryview[int]:
    """Returns an array whose items are read as Python's own numbers.

    That is several times as fast, for fields that are read in every step.
    """
    return memoryview(array)


@cache
def game_named(name: str) -> type[Game]:
    """Returns a game, imported if need be.

    Raises:
        ValueError: there is no such game.
    """
    if name not in GAMES:
        allowed = ", ".join(map(repr, GAMES))
        raise ValueError(f"game must be one of {allowed}, not {name!r}")
    module, _, found = GAMES[name].partition(":")
    game: type[Game] = getattr(importlib.import_module(module), found)
    return game
