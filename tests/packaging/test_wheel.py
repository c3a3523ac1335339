"""What the distributions claim to install; built with the installed backend."""

import configparser
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def build(kind: str, source: Path, out: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def files(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_wheel_claims_three_top_level_names(files: set[str]) -> None:
    names = {name.split("/")[0] for name in files}
    packages = {name for name in names if not name.endswith(".dist-info")}
    assert packages == {"rummi_env", "rummi_agents", "rummi_training"}
    assert len(names) == 4


def test_wheel_holds_every_module_of_the_checkout(files: set[str]) -> None:
    expected = {
        path.relative_to(root).as_posix()
        for root, package in [
            (ROOT, "rummi_env"),
            (ROOT / "agents", "rummi_agents"),
            (ROOT / "training", "rummi_training"),
        ]
        for path in (root / package).rglob("*.py")
    }
    assert expected == {name for name in files if name.endswith(".py")}


def test_wheel_carries_the_page_of_rummi_play(files: set[str]) -> None:
    static = ROOT / "training" / "rummi_training" / "play" / "static"
    page = {
        f"rummi_training/play/static/{path.name}"
        for path in static.iterdir()
        if path.is_file()
    }
    assert {"index.html", "main.js", "style.css"} <= {Path(name).name for name in page}
    assert page <= files


def test_wheel_carries_type_marker_template_and_configs(files: set[str]) -> None:
    configs = {
        f"rummi_training/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "configs").rglob("*")
        if path.is_file()
    }
    others = {"rummi_env/py.typed", "rummi_training/report.html.j2"}
    assert configs | others <= files


def test_wheel_carries_no_caches(files: set[str]) -> None:
    assert not [name for name in files if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_wheel_declares_command_and_agents(wheel: Path, files: set[str]) -> None:
    (path,) = (name for name in files if name.endswith("/entry_points.txt"))
    entries = configparser.ConfigParser(delimiters="=")
    entries.read_string(zipfile.ZipFile(wheel).read(path).decode())
    assert entries["console_scripts"]["rummi"] == "rummi_training.cli:main"
    baselines = {"random", "greedy", "max_tiles", "max_points"}
    assert baselines <= set(entries["rummi_env.agents"])


@pytest.mark.slow
def test_wheel_from_sdist_equals_wheel_from_checkout(
    files: set[str], tmp_path: Path
) -> None:
    sdist = build("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = build("wheel", source, tmp_path / "wheel")
    assert set(zipfile.ZipFile(again).namelist()) == files
