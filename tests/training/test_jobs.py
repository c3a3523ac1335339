"""What is played together, and that it makes no difference."""

import sys

import numpy as np
import pytest

from rummi_env.core.rulesets import RuleSet
from rummi_training import backends
from rummi_training.backends import do_jobs
from rummi_training.jobs import (
    BATCH,
    Job,
    Outcome,
    Setup,
    block_of,
    jobs_of,
    orders_of,
)
from rummi_training.mirrored import Game, draw_deals, make_player, one_round

SMALL = one_round(RuleSet(numbers=8, rack_size=9, opening_points=12))
TABLES = [(0, 1), (0, 2), (1, 2)]


def setup_of(*agents: str) -> Setup:
    return Setup(agents, SMALL, seed=5)


def played(setup: Setup, deals: int, workers: int | None) -> list[Game]:
    numbered = list(enumerate(draw_deals(SMALL, 2, deals, setup.seed)))
    players = setup.players()
    jobs = list(jobs_of(TABLES, numbered, players))
    games = [
        game
        for outcome in do_jobs(setup, players, jobs, workers=workers)
        for game in outcome.games
    ]
    assert len(games) == len(TABLES) * deals * 2
    return sorted(games, key=lambda game: (game.table, game.deal, game.rotation))


def test_orders_of_play_are_all_that_are_no_rotations() -> None:
    assert orders_of((4, 2)) == [(0, 1)]
    assert orders_of((4, 2, 7)) == [(0, 1, 2), (0, 2, 1)]
    assert len(orders_of((0, 1, 2, 3))) == 6
    # Everybody else is the same.
    assert orders_of((3, 5, 5, 5)) == [(0, 1, 2, 3)]


@pytest.mark.parametrize("deals", [2, 5, 60, 200, 2000])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_order_of_play_gets_as_many_deals(deals: int, players: int) -> None:
    agents = [make_player("random") for _ in range(players)]
    table = tuple(range(players))
    numbered = [(index, None) for index in range(deals)]
    jobs = list(jobs_of([table], numbered, agents))
    assert [part for job in jobs for part in job.deals] == numbered
    assert max(len(job.deals) for job in jobs) <= BATCH
    counts = dict.fromkeys(orders_of(table), 0)
    for job in jobs:
        counts[job.order] += len(job.deals)
    block = block_of(deals, len(counts))
    assert max(counts.values()) - min(counts.values()) <= block
    if deals >= 60:
        assert min(counts.values()) >= 0.5 * deals / len(counts)


def test_agents_of_single_games_get_single_deals() -> None:
    players = [
        make_player("rummi_agents.cautious:Cautious"),
        make_player("random"),
        make_player("greedy"),
    ]
    numbered = [(index, None) for index in range(7)]
    jobs = list(jobs_of(TABLES, numbered, players))
    assert [len(job.deals) for job in jobs] == [1] * 14 + [7]
    recorded = jobs_of(TABLES, numbered, players, records=True)
    assert all(len(job.deals) == 1 for job in recorded)


@pytest.mark.slow
def test_processes_play_the_same_games() -> None:
    setup = setup_of("cautious", "random", "max_tiles")
    assert played(setup, 70, workers=1) == played(setup, 70, workers=2)


def test_short_work_starts_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("processes were started")

    monkeypatch.setattr(backends, "num_cores", lambda: 8)
    monkeypatch.setattr(backends, "_by_processes", refuse)
    monkeypatch.setattr(backends, "WORTH_PROCESSES", 1000.0)
    setup = setup_of("random", "greedy", "max_tiles")
    games = played(setup, 4, workers=None)
    assert games == played(setup, 4, workers=1)
    assert np.isfinite([game.scores for game in games]).all()


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"workers": 0}, "workers must be 1 or more, not 0"),
        ({"backend": "clouds"}, "backend must be 'processes' or 'ray', not 'clouds'"),
        ({"address": "head:1"}, "an address is for the backend 'ray' only"),
    ],
)
def test_impossible_backends_are_refused(
    keywords: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        do_jobs(setup_of("random"), ["random"], [], **keywords)  # type: ignore[arg-type]


def test_long_work_starts_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    def note(setup: Setup, jobs: list[Job], workers: int) -> list[Outcome]:
        given.extend([len(jobs), workers])
        return []

    monkeypatch.setattr(backends, "num_cores", lambda: 8)
    monkeypatch.setattr(backends, "_by_processes", note)
    monkeypatch.setattr(backends, "WORTH_PROCESSES", 0.0)
    setup = setup_of("random", "greedy", "max_tiles")
    numbered = list(enumerate(draw_deals(SMALL, 2, 3, setup.seed)))
    jobs = list(jobs_of(TABLES, numbered, setup.players()))
    assert len(list(do_jobs(setup, setup.players(), jobs))) == 1
    assert given == [2, 8]


def test_ray_is_asked_for_by_the_name_of_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"needs the extra 'ray': pip install 'rummi-"):
        do_jobs(setup_of("random"), ["random"], [], backend="ray")


@pytest.mark.interop
# Warnings of a framework are its own affair.
@pytest.mark.filterwarnings("ignore")
def test_a_ray_cluster_plays_the_same_games() -> None:
    setup = setup_of("cautious", "random", "max_tiles")
    numbered = list(enumerate(draw_deals(SMALL, 2, 20, setup.seed)))
    players = setup.players()
    jobs = list(jobs_of(TABLES, numbered, players))
    on_ray = do_jobs(setup, players, jobs, backend="ray", workers=2)
    games = [game for outcome in on_ray for game in outcome.games]
    games.sort(key=lambda game: (game.table, game.deal, game.rotation))
    assert games == played(setup, 20, workers=1)


@pytest.mark.interop
@pytest.mark.filterwarnings("ignore")
def test_a_ray_cluster_that_is_not_there_is_told() -> None:
    setup = setup_of("random", "greedy", "max_tiles")
    numbered = list(enumerate(draw_deals(SMALL, 2, 2, setup.seed)))
    jobs = list(jobs_of(TABLES, numbered, setup.players()))
    with pytest.raises(ValueError, match=r"no Ray cluster at '127\.0\.0\.1:1'"):
        list(
            do_jobs(setup, setup.players(), jobs, backend="ray", address="127.0.0.1:1")
        )
