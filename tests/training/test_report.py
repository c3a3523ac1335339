"""The page: whole, self-contained, and about what it is given."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from rummi_training.cli import main
from rummi_training.evaluation import Settings, evaluate
from rummi_training.learning_curves import read_learning_curves
from rummi_training.report import REPORT_FILE, runs_of, write_report
from rummi_training.results import RESULTS_FILE
from rummi_training.tournament import Tournament, play_tournament

QUIET = Console(quiet=True)
RULES = "official,numbers=8,rack_size=9,opening_points=12"

METRICS = (
    "steps,matches,score,won,decisions_per_match,entropy,explained_variance\n"
    "100,4,-3.5,0.25,20,0.9,0.1\n200,0,,,,0.8,0.2\n300,5,1.5,0.5,18,0.7,0.3\n"
)

VOID = {"meta", "source", "img", "br"}


class Page(HTMLParser):
    """Takes a page apart and refuses what is not closed or comes from outside."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.pictures = 0
        self.words = ""
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert self.open == []
        assert all(link.startswith("data:image/png;base64,") for link in self.links)
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://|@import|url\(|<script|<link|<iframe", text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "srcset", "href"):
                self.links.append(value or "")
        self.pictures += tag == "picture"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += " ".join(data.split()) + " "


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament."""
    out = tmp_path_factory.mktemp("tournament")
    settings = Tournament(("random", "greedy", "max_tiles"), deals=4, rules=RULES)
    play_tournament(settings, out, console=QUIET, names=("<b>a</b>", "b & c", "d"))
    return out


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a training run, what a report needs of it."""
    folder = tmp_path / "learner"
    folder.mkdir()
    (folder / "metrics.csv").write_text(METRICS)
    return folder


def test_page_of_a_tournament_has_everything_in_it(tournament: Path) -> None:
    page = Page(tournament / REPORT_FILE)
    assert page.pictures == 2
    for words in (
        "Tournament of 3 agents", "Standings", "Cross table", "Methods", "Ratings.",
        "round robin: all pairs", "official,numbers=8", "seed", "commit", "numba",
        "24 games: 4 deals at 3 tables of 2",
    ):  # fmt: skip
        assert words in page.words
    # Names are text, whatever they are.
    assert "<b>a</b>" in page.words
    assert "b & c" in page.words


def test_page_of_an_evaluation_has_its_figures(tmp_path: Path) -> None:
    evaluate(
        Settings(("greedy", "random"), deals=3, rules=RULES), tmp_path, console=QUIET
    )
    page = Page(tmp_path / REPORT_FILE)
    assert page.pictures == 1
    assert "greedy against random" in page.words
    assert "paired score difference" in page.words
    assert "Ratings." not in page.words


def test_one_page_about_several_folders(
    tournament: Path, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    command = ["report", str(tournament), str(run), "--out", str(out)]
    assert main([*command, "--title", "All <there> is"]) == 0
    assert str(out) in capsys.readouterr().out
    page = Page(out)
    assert page.pictures == 3
    assert "All <there> is" in page.words
    assert "Training of learner" in page.words
    assert "Learning curves." in page.words


def test_curves_of_runs_leave_out_updates_without_matches(run: Path) -> None:
    (lines,) = read_learning_curves([run], ["learner"]).lines
    assert lines["score"].steps.tolist() == [100, 300]
    assert lines["score"].values.tolist() == [-3.5, 1.5]
    assert lines["entropy"].values.tolist() == [0.9, 0.8, 0.7]
    assert lines["entropy"].smooth.tolist() == pytest.approx([0.85, 0.8, 0.75])
    assert "approx_kl" not in lines


def test_last_line_of_a_killed_run_may_be_cut_off(run: Path) -> None:
    (run / "metrics.csv").write_text(METRICS + "400,6")
    (lines,) = read_learning_curves([run], ["learner"]).lines
    assert lines["score"].steps.tolist() == [100, 300]


def test_runs_are_found_by_their_checkpoints(run: Path) -> None:
    checkpoint = run / "checkpoints" / "000000000300"
    checkpoint.mkdir(parents=True)
    assert [path.resolve() for path in runs_of([str(run), "random"])] == [run]
    assert [path.resolve() for path in runs_of([str(checkpoint)])] == [run]


def test_damaged_folders_are_refused(tmp_path: Path, run: Path) -> None:
    page = tmp_path / "page.html"
    with pytest.raises(ValueError, match="holds no results and no training run"):
        write_report(page, [tmp_path])
    (run / "metrics.csv").write_text(METRICS.replace("0.9", "x"))
    with pytest.raises(ValueError, match=r"metrics\.csv is damaged: could not convert"):
        write_report(page, [run])
    other = tmp_path / "other"
    other.mkdir()
    (other / RESULTS_FILE).write_text('{"standings": {}}')
    (other / "evaluation.json").write_text("{}")
    with pytest.raises(ValueError, match="holds damaged results"):
        write_report(page, [other])
    assert not page.exists()
