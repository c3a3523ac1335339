"""The snippets of training/README.md run as they are."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[3] / "training/README.md"
SNIPPETS = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.M | re.S)

pytestmark = [
    pytest.mark.interop,
    # Frameworks use what they and others deprecate.
    pytest.mark.filterwarnings("ignore"),
]


def test_there_is_one_for_each_framework() -> None:
    for framework in ("torchrl", "tianshou", "open_spiel"):
        assert sum(framework in snippet for snippet in SNIPPETS) == 1


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_it_runs(snippet: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(snippet, str(README), "exec"), {})
    assert re.search(r"\d", capsys.readouterr().out)
