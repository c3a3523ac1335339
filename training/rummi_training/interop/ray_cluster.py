"""Connecting to a Ray cluster, or starting Ray on this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rummi_training.config import RLlibConfig
from rummi_training.interop.absent import MissingFramework

try:
    import ray
except ImportError as error:
    raise MissingFramework("Ray") from error

LOOPBACK = "127.0.0.1"

CALL_SECONDS = 10.0
"""How long an address may take to answer."""


@contextmanager
def ray_of(config: RLlibConfig) -> Iterator[None]:
    """Connects to the cluster, or starts Ray here; a Ray that is there stays.

    Raises:
        ValueError: there is no cluster at the address, or no room here.
    """
    if ray.is_initialized():
        yield
        return
    keywords: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if config.address is None:
        keywords |= {"num_cpus": config.cpus, "include_dashboard": False}
        if config.store_megabytes is not None:
            keywords["object_store_memory"] = config.store_megabytes * 2**20
    host = LOOPBACK if config.address is None else config.address.partition(":")[0]
    if host.startswith("127."):
        # For this machine alone: whoever reaches Ray can run anything.
        keywords["_node_ip_address"] = host
    try:
        if config.address is not None:
            _call(config.address)
        ray.init(address=config.address or "local", **keywords)
    except (OSError, ValueError, RuntimeError) as error:
        raise ValueError(
            f"rllib.address: no Ray cluster answers at {config.address!r}"
        ) from error
    try:
        if config.address is None:
            _check_room(config.env_runners)
        yield
    finally:
        ray.shutdown()


def _call(address: str) -> None:
    """Connects to an address for a moment; Ray itself would try for minutes.

    Raises:
        OSError: nobody answers.
    """
    host, colon, port = address.rpartition(":")
    if colon and "/" not in host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=CALL_SECONDS).close()


def _check_room(env_runners: int) -> None:
    """Refuses more processes than a Ray that does not grow can ever start."""
    room = int(ray.cluster_resources().get("CPU", 0))
    if env_runners > room:
        raise ValueError(
            f"rllib.env_runners must not exceed the {room} processors of Ray here, but "
            f"is {env_runners}: lower it, or name a cluster by rllib.address"
        )
