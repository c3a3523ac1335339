"""Files that pictures are held against."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"
VARIABLE = "RUMMI_WRITE_GOLDEN"


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compares text with a file; with ``RUMMI_WRITE_GOLDEN=1`` it writes the file."""

    def compare(name: str, found: str) -> None:
        path = FOLDER / name
        if os.environ.get(VARIABLE):
            path.write_text(found, encoding="utf-8")
        assert found == path.read_text(encoding="utf-8"), f"{VARIABLE}=1 rewrites it"

    return compare
