"""Where the configurations lie: in a checkout or beside an installed package."""

from __future__ import annotations

from pathlib import Path


def config_path(name: str) -> Path:
    """Returns the path of a configuration that comes with the project.

    Args:
        name: its file, such as ``quickstart.yaml``.

    Raises:
        ValueError: there is no such file.
    """
    package = Path(__file__).resolve().parent
    # In a checkout the folder is beside the source roots, in a wheel in the package.
    for folder in (package.parents[1] / "configs", package / "configs"):
        if (folder / name).is_file():
            return folder / name
    raise ValueError(f"there is no configuration {name} with this installation")
