"""One HTML page about tournaments, evaluations and training runs.

Everything is in the page, plots as well: it asks nobody for anything and can be sent
around as one file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from rummi_agents.policy_files import read_json
from rummi_env.envs.game import game_named
from rummi_training import plots
from rummi_training.bootstrap import RESAMPLES
from rummi_training.budgets import curves_of
from rummi_training.figures import Figure, Results, results_from
from rummi_training.learning_curves import (
    TITLES,
    has_learning_curves,
    read_learning_curves,
)
from rummi_training.mirrored import unalike
from rummi_training.ratings import VIRTUAL
from rummi_training.results import RESULTS_FILE, rows, shown
from rummi_training.rules_text import DEFAULT
from rummi_training.run_folder import surroundings, write_whole
from rummi_training.standings import Pair, Standings, standings_from

REPORT_FILE = "report.html"
SETTINGS_FILE = "evaluation.json"
CONFIG_FILE = "config.yaml"

TEMPLATE = "report.html.j2"

FAINTEST = 0.08
STRONGEST = 0.55
"""How much of its color a cell of the cross table has, at least and at most."""


LAST = ("score", "won", "decisions_per_match")
"""Figures of training runs that are given as numbers."""


@dataclass(frozen=True)
class Picture:
    """A plot inside the page."""

    light: str
    """PNG for a light page, in base64."""

    dark: str
    """The same for a dark page."""

    text: str
    """What is seen, for those who do not see it."""


@dataclass(frozen=True)
class Section:
    """What the page says about one folder."""

    kind: str
    """``tournament``, ``evaluation`` or ``training``."""

    title: str
    """Its heading."""

    folder: str
    """Name of the folder."""

    facts: Mapping[str, str] = field(default_factory=dict)
    """What was played, by heading."""

    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[Any]]]] = ()
    """Captions, headings and rows."""

    cross: Mapping[str, Any] | None = None
    """The cross table: names, and rows of cells."""

    pictures: Sequence[Picture] = ()
    """Plots."""


def write_report(
    path: Path,
    folders: Sequence[Path],
    title: str | None = None,
    runs: Sequence[Path] = (),
) -> None:
    """Writes a page about folders.

    Args:
        path: the page.
        folders: of tournaments, evaluations and training runs.
        title: of the page.
        runs: folders of training runs whose curves are drawn together; those among
            ``folders`` are, too.

    Raises:
        ValueError: a folder holds nothing to report, or a file is damaged.
    """
    trained = [*dict.fromkeys(path.resolve() for path in runs)]
    sections = []
    for folder in folders:
        if (folder / RESULTS_FILE).is_file():
            sections.append(_section(folder))
        elif has_learning_curves(folder):
            trained.append(folder.resolve())
        else:
            raise ValueError(
                f"{folder} holds no results and no training run: there is neither "
                f"{RESULTS_FILE} nor metrics.csv in it"
            )
    if trained:
        sections.append(_training([*dict.fromkeys(trained)]))
    environment = Environment(
        loader=PackageLoader("rummi_training", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template(TEMPLATE).render(
        title=title or sections[0].title,
        sections=sections,
        kinds={section.kind for section in sections},
        resamples=f"{RESAMPLES:,}",
        virtual=f"{VIRTUAL:g}",
        made=surroundings(),
    )
    write_whole(path, page)


def runs_of(agents: Sequence[str]) -> list[Path]:
    """Returns the folders of the training runs that agents come from."""
    found = []
    for agent in agents:
        path = Path(agent)
        # A run, or one of its checkpoints: <run>/checkpoints/<decisions>.
        for folder in (path, *list(path.resolve().parents)[1:2]):
            if path.is_dir() and has_learning_curves(folder):
                found.append(folder)
                break
    return found


def _section(folder: Path) -> Section:
    written = read_json(folder / RESULTS_FILE)
    about = read_json(folder / SETTINGS_FILE)
    try:
        facts = _facts(written["played"], about)
        if "standings" in written:
            standings = standings_from(written["standings"])
            return _tournament(folder, standings, facts, written["played"])
        return _evaluation(folder, results_from(written["results"]), facts)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{folder} holds damaged results: {error!r}") from error


def _tournament(
    folder: Path,
    standings: Standings,
    facts: dict[str, str],
    played: Mapping[str, Any],
) -> Section:
    against = played["against"]
    facts["games"] = (
        f"{standings.games:,} games: {standings.deals:,} deals at "
        f"{len(standings.tables)} table{'s' if len(standings.tables) > 1 else ''} of "
        f"{standings.players}, with all rotations of the seats"
    )
    if against is not None:
        facts["schedule"] = f"everybody against {against}"
    elif standings.players == 2:
        facts["schedule"] = "round robin: all pairs"
    else:
        facts["schedule"] = (
            f"all combinations of {standings.players} agents; their order around the "
            "table changes from one block of deals to the next"
        )
    listed = [
        (
            place,
            agent.name,
            shown(agent.rating, 1, 0, signed=True),
            shown(agent.score, 1, 2, signed=True),
            shown(agent.win_rate, 100, 1),
            f"{agent.skill.mu:.2f} ± {1.96 * agent.skill.sigma:.2f}",
        )
        for place, agent in enumerate(standings.agents, start=1)
    ]
    head = ("", "agent", "rating", "score a round", "win rate %", "openskill")
    tables: list[tuple[str, Sequence[str], Sequence[Sequence[Any]]]] = [
        ("Standings", head, listed)
    ]
    pictures = [
        _picture(plots.budget_plot, curve, curve.title)
        for curve in curves_of(standings, played)
    ]
    pictures.append(_picture(plots.standings_plot, standings, "Ratings with intervals"))
    if against is None:
        text = "Heat map of the cross table"
        pictures.append(_picture(plots.heat_map, standings, text))
    else:
        share = "win rate" if standings.players == 2 else "came before it"
        beside = ("agent", "paired score difference", f"{share} %")
        tables.append((f"Beside {against}", beside, _beside(standings, against)))
    return Section(
        kind="tournament",
        title=f"Tournament of {len(standings.agents)} agents",
        folder=folder.name,
        facts=facts,
        tables=tables,
        cross=_cross(standings) if against is None else None,
        pictures=pictures,
    )


def _beside(standings: Standings, against: str) -> list[tuple[str, ...]]:
    """Returns everybody's figures beside the agent that they all played."""
    pairs = {agent.name: standings.beside(agent.name, against) for agent in
             standings.agents if agent.name != against}  # fmt: skip
    return [
        (name, shown(pair.score, 1, 2, signed=True), shown(pair.ahead, 100, 1))
        for name, pair in pairs.items()
    ]


def _cross(standings: Standings) -> dict[str, Any]:
    names = [agent.name for agent in standings.agents]
    place = {name: index for index, name in enumerate(names)}
    cells: list[list[Any]] = [[None] * len(names) for _ in names]
    most = max([abs(pair.score.mean) for pair in standings.pairs] or [0.0]) or 1.0
    for pair in standings.pairs:
        one, other = place[pair.first], place[pair.second]
        cells[one][other] = _cell(pair, most)
        cells[other][one] = _cell(pair.turned(), most)
    return {
        "names": names,
        "rows": list(zip(names, cells, strict=True)),
        "share": (
            "win rate"
            if standings.players == 2
            else "how often it came before the other"
        ),
    }


def _cell(pair: Pair, most: float) -> dict[str, str]:
    score, ahead = pair.score, pair.ahead
    decided = score.low > 0 or score.high < 0
    shade = FAINTEST + (STRONGEST - FAINTEST) * abs(score.mean) / most
    return {
        "score": shown(score, 1, 2, signed=True),
        "ahead": f"{shown(ahead, 100, 1)} %",
        "side": "more" if score.mean > 0 else "less",
        "shade": f"{shade if decided else 0:.2f}",
    }


def _evaluation(folder: Path, results: Results, facts: dict[str, str]) -> Section:
    facts["games"] = (
        f"{results.games:,} games: {results.deals:,} deals with all rotations of the "
        "seats"
    )
    listed = [(what, who, *_numbers(figure)) for what, who, figure in rows(results)]
    names = " against ".join([results.agents[0].name, _others(results)])
    return Section(
        kind="evaluation",
        title=names,
        folder=folder.name,
        facts=facts,
        tables=[("Figures", ("figure", "agent", "mean", "from", "to"), listed)],
        pictures=[_picture(plots.results_plot, results, "Win rates and scores")],
    )


def _others(results: Results) -> str:
    return ", ".join(agent.name for agent in results.agents[1:])


def _numbers(figure: Figure) -> tuple[str, ...]:
    return tuple(f"{value:.3f}" for value in (figure.mean, figure.low, figure.high))


def _training(runs: Sequence[Path]) -> Section:
    curves = read_learning_curves(runs, unalike([run.name for run in runs]))
    listed = [
        [
            name,
            f"{max((line.steps[-1] for line in lines.values()), default=0):,.0f}",
            *(f"{lines[of].smooth[-1]:.3f}" if of in lines else "" for of in LAST),
        ]
        for name, lines in zip(curves.names, curves.lines, strict=True)
    ]
    return Section(
        kind="training",
        title=f"Training of {', '.join(curves.names)}",
        folder="",
        tables=[
            (
                "Last updates, means over a twentieth of the run",
                ("run", "decisions", *(TITLES[column] for column in LAST)),
                listed,
            )
        ],
        pictures=[_picture(plots.learning_plot, curves, "Learning curves")],
    )


def _facts(played: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, str]:
    settings, around = about["settings"], about["surroundings"]
    changed = {True: ", with changes since", False: "", None: ""}
    packages = {"Python": around["python"], "rummi-env": around["rummi-env"]}
    packages |= {name: of for name, of in around["packages"].items() if of}
    weights = [
        f"{name} {digest[:16]}"
        for name, digest in zip(played["agents"], played["weights_sha256"], strict=True)
        if digest
    ]
    commit = around["commit"] or "none"
    preset = game_named(played["game"]).preset
    facts = {
        "agents": ", ".join(played["agents"]),
        "game": str(played["game"]),
        "rules": f"{settings['rules'].replace(DEFAULT, preset)}, one round a match",
        "seed": str(played["seed"]),
        "deals": f"sha256 {played['deals_sha256'][:16]} (deals.txt)",
        "weights": ", ".join(weights),
        "command": " ".join(around["command"]),
        "started": around["started"],
        "commit": commit + changed[around["changed_since_commit"]],
        "versions": ", ".join(f"{name} {of}" for name, of in packages.items()),
        "all rules": json.dumps(played["rules"]),
    }
    return {name: text for name, text in facts.items() if text}


def _picture(draw: Callable[..., bytes], what: Any, text: str) -> Picture:
    light, dark = (
        base64.b64encode(draw(what, dark=dark)).decode() for dark in (False, True)
    )
    return Picture(light, dark, text)
