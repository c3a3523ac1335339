import doctest
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
CARDS = Path(__file__).parents[2] / "agents/rummi_agents/weights/rummikub"


@pytest.mark.parametrize("name", ["ppo", "expert"])
def test_model_cards_have_the_results_of_the_readme(name: str) -> None:
    text = README.read_text()
    results = text[text.index("<!-- results -->") : text.index("<!-- end -->")]
    cards = "".join(path.read_text() for path in (CARDS / name).glob("*/README.md"))
    rows = [row for row in results.splitlines() if row.startswith(f"| `{name}` |")]
    assert rows
    for row in rows:
        _, _, *figures, _, _ = row.split("|")
        assert "|".join(["", *figures, ""]) in cards, row


def test_the_examples_of_the_readme_run_as_shown() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0
