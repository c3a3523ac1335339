"""A recorded game of each kind, with turns lost in it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.records import GameRecord, Recorder

Record = Callable[..., GameRecord]


def play(match: Match, seed: int, steps: int = 100_000, losses: bool = True) -> None:
    """Plays random actions; now and then a turn is lost by one or by the clock."""
    rng = np.random.default_rng(seed)
    for step in range(1, steps + 1):
        if match.over:
            return
        if losses and step % 37 == 0:
            match.fail(int(rng.choice(np.flatnonzero(match.mask == 0))))
        elif losses and step % 61 == 0:
            match.time_out()
        else:
            match.act(int(rng.choice(np.flatnonzero(match.mask))))


@pytest.fixture
def recorded() -> Record:
    """Records a game of random play: of all of it, or of so many steps."""

    def record(
        game: str = "rummikub",
        rules: object = None,
        players: int = 2,
        seed: int = 5,
        steps: int = 100_000,
        start: Start | None = None,
    ) -> GameRecord:
        kept: list[GameRecord] = []
        match = Match(rules, players, game=game)  # type: ignore[arg-type]
        match.recorder = Recorder(kept.append)
        match.start(seed, start or Start())
        play(match, seed, steps)
        match.stop()
        assert len(kept) == 1
        return kept[0]

    return record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where records may go."""
    return tmp_path / "games.jsonl"
