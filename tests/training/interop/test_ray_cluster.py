"""Work in tasks of Ray: evaluations, and anything else."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray

from rummi_training.cli import main
from rummi_training.config import RLlibConfig
from rummi_training.interop.ray_cluster import LOCAL, each_on_ray, ray_of

pytestmark = [
    pytest.mark.interop,
    # See test_rllib.py.
    pytest.mark.filterwarnings("ignore"),
]


def begin(base: int) -> None:
    os.environ["BASE"] = str(base)
    os.environ["BEGUN"] = str(int(os.environ.get("BEGUN", "0")) + 1)


def work(part: int) -> tuple[int, int]:
    if part < 0:
        raise ValueError(f"{part} is below zero")
    return int(os.environ["BASE"]) + part, int(os.environ["BEGUN"])


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    # The processes of Ray cannot import tests.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    with ray_of(RLlibConfig(cpus=2, store_megabytes=100)):
        yield


def test_every_part_is_done_after_one_beginning_in_each_process() -> None:
    done = list(each_on_ray(LOCAL, begin, (100,), work, range(20)))
    assert sorted(value for value, _ in done) == list(range(100, 120))
    assert {begun for _, begun in done} == {1}
    again = list(each_on_ray(LOCAL, begin, (200,), work, range(5)))
    assert sorted(value for value, _ in again) == list(range(200, 205))


def test_what_goes_wrong_is_told_as_if_it_were_here() -> None:
    with pytest.raises(ValueError, match=r"^-1 is below zero$"):
        list(each_on_ray(LOCAL, begin, (0,), work, [1, -1]))
    assert ray.is_initialized()


def test_an_evaluation_on_ray_is_the_one_played_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = ["--rules", "official,numbers=6,rack_size=8,opening_points=10"]
    command = ["evaluate", "max_tiles", "random", "--deals", "12", *rules]
    here, there = tmp_path / "here", tmp_path / "there"
    assert main([*command, "--out", str(here)]) == 0
    assert main([*command, "--out", str(there), "--ray", "local"]) == 0
    games = [(folder / "games.csv").read_text() for folder in (here, there)]
    assert games[0] == games[1]
    assert games[0].count("\n") == 25
