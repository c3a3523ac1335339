"""The whole way once: train a small agent, evaluate it, report."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console

from rummi_training.config import TrainConfig
from rummi_training.evaluation import Settings, evaluate
from rummi_training.figures import Results
from rummi_training.presets import config_path
from rummi_training.report import REPORT_FILE as PAGE_FILE
from rummi_training.report import write_report
from rummi_training.results import PLOT_FILE, print_results, shown, verdict
from rummi_training.rules_text import DEFAULT
from rummi_training.run_folder import write_whole
from rummi_training.train import train

REPORT_FILE = "report.md"


def quickstart(out: Path, config: Path | None, console: Console) -> None:
    """Trains, evaluates and reports.

    Args:
        out: the run folder; what was done in it before is kept.
        config: the configuration, if it is not the one that comes with the project.
        console: where to show progress and results.

    Raises:
        ValueError: the configuration is damaged, or the folder holds another run.
    """
    path = config or config_path("quickstart.yaml")
    settings = TrainConfig.load(path)
    console.print(
        f"training for {settings.total_steps:,} decisions against "
        f"{', '.join(settings.opponents)}; the first run compiles the game, a minute "
        "or more",
        highlight=False,
    )
    began = time.monotonic()
    checkpoint = train(settings, out, resume=True, console=console)
    trained = time.monotonic() - began
    played: dict[str, Results] = {}
    for opponent in settings.evaluation.opponents:
        folder = out / "evaluation" / opponent
        results = evaluate(
            Settings(
                agents=(str(checkpoint), *[opponent] * (settings.num_players - 1)),
                deals=settings.evaluation.deals,
                seed=settings.evaluation.seed,
                game=settings.game,
                rules=settings.rules,
                device=settings.device,
            ),
            folder,
            resume=True,
            console=console,
            names=("trained", *[opponent] * (settings.num_players - 1)),
        )
        print_results(console, results)
        played[opponent] = results
    report = report_text(settings, checkpoint.relative_to(out), played)
    write_whole(out / REPORT_FILE, report)
    write_report(
        out / PAGE_FILE,
        [*(out / "evaluation" / opponent for opponent in played), out],
        "Quickstart",
    )
    for results in played.values():
        console.print(verdict(results), highlight=False)
    seconds = time.monotonic() - began
    console.print(f"{seconds:.0f} s, {trained:.0f} of them training", highlight=False)
    for file in (REPORT_FILE, PAGE_FILE):
        console.print(f"report: {out / file}", soft_wrap=True, highlight=False)
    for opponent in played:
        plot = out / "evaluation" / opponent / PLOT_FILE
        console.print(f"plot: {plot}", soft_wrap=True, highlight=False)


def report_text(
    config: TrainConfig, checkpoint: Path, played: dict[str, Results]
) -> str:
    """Returns the report as Markdown.

    Args:
        config: of the run.
        checkpoint: folder of the policy that was evaluated.
        played: results by opponent.
    """
    rules = config.rules.replace(DEFAULT, config.read_rules().presets()[0])
    lines = [
        "# Report",
        "",
        f"Trained by masked PPO for {config.total_steps:,} decisions under the rules "
        f"`{rules}` with {config.num_players} players, against "
        f"{', '.join(config.opponents)}; seed {config.seed}. The policy is in "
        f"`{checkpoint.as_posix()}`, the whole configuration in `config.yaml`.",
        "",
        "Intervals are 95 % over mirrored deals: each deal is played once for every "
        "rotation of the seats, so both sides hold the same racks.",
        "",
        "| opponent | deals | win rate % | score a round | paired score difference |",
        "|---|---|---|---|---|",
    ]
    for opponent, results in played.items():
        first, difference = results.agents[0], results.differences[0]
        lines.append(
            f"| {opponent} | {results.deals} | {shown(first.win_rate, 100, 1)} "
            f"| {shown(first.score, 1, 2)} "
            f"| {shown(difference.score, 1, 2, signed=True)} |"
        )
    lines += ["", *(f"- {verdict(results)}" for results in played.values()), ""]
    for opponent in played:
        lines += [f"![{opponent}](evaluation/{opponent}/{PLOT_FILE})", ""]
    return "\n".join(lines)
