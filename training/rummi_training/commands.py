"""What the commands of ``rummi`` are given: each field is an option or an argument."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tyro.conf import Positional


@dataclass(frozen=True)
class Train:
    """Train a policy as a configuration says.

    Every key of the configuration can be given as an option as well, for example
    --total-steps 500000 --ppo.learning-rate 0.001 --opponents random max_tiles;
    rummi train CONFIG --help lists them.
    """

    config: Positional[Path]
    """YAML file with what differs from the defaults."""

    resume: bool = False
    """Go on from the newest checkpoint of the run folder; total_steps may be more."""

    out: Path | None = None
    """Run folder; runs/ and the name of the configuration by default."""


@dataclass(frozen=True)
class Evaluate:
    """Play agents against each other on mirrored deals.

    Agents are names (random, greedy, max_tiles, max_points, cautious, patient, search,
    ppo, expert, best; in Rummy random, meld_greedy, least_deadwood, ppo, best; in Rummy
    pe tabla random, nearest_form, planner, ppo, best), with a parameter if they take
    one (search:32, search:milliseconds=50), folders of checkpoints or of training runs,
    or module:Class. All of them sit at one table; with --tournament all play all.
    """

    agent: Positional[str]
    """The agent in question."""

    opponents: Positional[tuple[str, ...]]
    """One opponent or more: up to three, in Rummy up to five."""

    tournament: bool = False
    """Play a tournament of all agents, any number of them, with standings, ratings and
    a cross table."""

    players: int | None = None
    """Tournament: how many sit at a table, 2 by default; all combinations play."""

    against: str | None = None
    """Tournament: the agents do not play each other, but this one, which fills the
    other seats."""

    deals: int = 200
    """Deals; each is played once for every rotation of the seats."""

    seed: int = 1
    """Seed of the deals and of all chance in the games."""

    out: Path | None = None
    """Folder for the results; runs/evaluation and the agents' names by default."""

    game: str = "rummikub"
    """What is played: rummikub, rummy or tabla."""

    rules: str = "default"
    """A preset, with changes if need be (official,jokers=0), or a YAML file; default is
    the game's first preset."""

    deal_file: Path | None = None
    """Play the first deals of this file instead of random ones."""

    device: str = "cpu"
    """Where networks compute."""

    workers: int | None = None
    """Processes to play in; by default one for each core, once that is worth it."""

    backend: Literal["processes", "ray"] = "processes"
    """Where to play: in processes of this machine, or on a Ray cluster (needs the extra
    rummi-env[ray])."""

    address: str | None = None
    """Address of the Ray cluster; by default one is started on this machine."""

    records: bool = False
    """Keep the record of every game in records.jsonl, for rummi replay."""

    resume: bool = False
    """Keep the games of an evaluation of the same settings that was stopped."""


@dataclass(frozen=True)
class Report:
    """Write one HTML page about tournaments, evaluations and training runs."""

    folders: Positional[tuple[Path, ...]]
    """Folders that train and evaluate have written to."""

    out: Path = Path("report.html")
    """The page; everything is in it, plots as well."""

    title: str | None = None
    """Title of the page."""


@dataclass(frozen=True)
class Quickstart:
    """Train a small agent, evaluate it against the baselines, say where the report is.

    Goes on where an earlier quickstart in the same folder was stopped.
    """

    out: Path = Path("runs/quickstart")
    """Run folder."""

    config: Path | None = None
    """Another configuration than quickstart.yaml."""


@dataclass(frozen=True)
class Bench:
    """Measure the speed and the memory of the environments, beside installed peers.

    Peers come with the extra rummi-env[peers]; those that are absent are named.
    """

    game: str = "rummikub"
    """What is measured: rummikub, rummy or tabla."""

    seconds: float = 2.0
    """CPU time of each measurement of a rate."""

    positions: int = 200
    """Mid-game positions to solve, of Rummikub."""

    games: tuple[int, ...] = (1, 64, 1024, 4096)
    """Sizes of batches."""

    threads: tuple[int, ...] = (1, 2)
    """Threads of batches."""

    players: tuple[int, ...] = (2, 4)
    """Players of each game."""

    seed: int = 1
    """Seed of games and positions."""

    roads: bool = False
    """Measure the interfaces and frameworks beside the plain batch, and nothing else.

    Frameworks come with the extra rummi-env[interop]; those that are absent are named.
    """

    learning: bool = False
    """Measure how fast MaskablePPO learns in the batch, beside environments that cost
    nothing, and nothing else."""

    json: Path | None = None
    """File for the figures."""

    plot: Path | None = None
    """File for a plot of them, and of masks by the size of the table."""


@dataclass(frozen=True)
class Rules:
    """Print a rule set and where it differs from the presets."""

    rules: Positional[str] = "default"
    """A preset, with changes if need be (official,jokers=0), or a YAML file; default is
    the game's first preset."""

    game: str = "rummikub"
    """Whose rules: rummikub, rummy or tabla."""


@dataclass(frozen=True)
class Solve:
    """Say what can be played in a position: 'table ; racks ; pool ; turn ; opened'."""

    position: Positional[str]
    """For example 'B5 R5 K5 O5 ; B4 B6 B7 K1'; all but the table may be left out."""

    rules: str = "official"
    """A preset, with changes if need be (official,jokers=0), or a YAML file."""


@dataclass(frozen=True)
class Replay:
    """Play recorded games again, check every step of them, and show them."""

    file: Positional[Path]
    """Records of games, one in each line."""

    html: Path | None = None
    """Write a page that steps through the games; needs nothing but a browser."""

    gif: Path | None = None
    """Write the first of the games as an animated picture."""

    mp4: Path | None = None
    """Write the first of the games as a video."""

    lines: tuple[int, ...] = ()
    """Lines of the games to show; by default the first 20, of which videos take one."""

    seat: int | None = None
    """Whose rack videos show in full, counted from 0; by default the mover's."""

    hide: bool = False
    """Leave the other racks in videos face down."""

    fps: float = 2.0
    """Pictures in a second of a video."""


@dataclass(frozen=True)
class Play:
    """Play against agents: Rummikub on a page in the browser, any game in the terminal.

    The page is served on this machine only. Games are kept after every change and go on
    after a reload of the page or a restart of this command.
    """

    agents: tuple[str, ...] = ()
    """In the terminal the opponents: names, folders of checkpoints, or module:Class; by
    default one baseline. On the page those of module:Class that are offered too."""

    out: Path = Path("runs/play")
    """Folder of the games, and of games.jsonl, the records of those that are over."""

    port: int = 8000
    """Port of the page; 0 takes one that is free."""

    open: bool = False
    """Open the page in the browser."""

    terminal: bool = False
    """Play in the terminal; what follows is for games there, the page asks for it."""

    game: str = "rummikub"
    """What is played: rummikub, rummy (in the terminal alone) or tabla; the page offers
    others too."""

    rules: str = "default"
    """A preset, with changes if need be (sabra,rounds=3)."""

    seed: int | None = None
    """Seed of all chance."""

    clock: bool = False
    """Time the turns as the rules say."""

    resume: bool = False
    """Go on with the last match in the terminal that is not over."""
