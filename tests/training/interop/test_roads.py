"""Where every framework is installed, every road is measured."""

import pytest
from rich.console import Console

from rummi_training.benchmarks.roads import ROADS, bench_roads

pytestmark = pytest.mark.interop


def test_every_framework_is_measured_beside_the_batch() -> None:
    console = Console(record=True, width=120)
    lines = bench_roads(0.05, 1, console)
    assert [line["name"] for line in lines[1:]] == list(ROADS)
    assert all(line["of_batch"] > 0 for line in lines)
    assert "is missing" not in console.export_text()
