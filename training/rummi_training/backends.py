"""Where jobs are done: in this process, in others on this machine, on a Ray cluster."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from multiprocessing.synchronize import Lock
from typing import Any, Literal, TypeAlias

from rummi_training.compiling import lock_for_workers, tell_in_worker
from rummi_training.jobs import Job, Outcome, Setup, Worker
from rummi_training.mirrored import Player

Backend: TypeAlias = Literal["processes", "ray"]
"""Processes of this machine, or tasks of a Ray cluster."""

WORTH_PROCESSES = 10.0
"""Seconds of work that starting processes is worth."""

PATIENCE = 10.0
"""Seconds to wait for an answer of a cluster."""

WAITING_TASKS = 3
"""Tasks that a cluster is given for each of its CPUs at a time."""


def num_cores() -> int:
    """Returns how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def do_jobs(
    setup: Setup,
    players: Sequence[Player],
    jobs: Sequence[Job],
    *,
    workers: int | None = None,
    backend: Backend = "processes",
    address: str | None = None,
) -> Generator[Outcome, None, None]:
    """Does jobs and yields what comes out of each, in any order.

    Args:
        setup: what the jobs have in common.
        players: the agents, for what is done in this process.
        jobs: what is to be done.
        workers: processes; with None one for each core, if there is enough to do.
        backend: where.
        address: of the Ray cluster; one is started on this machine by default.

    Raises:
        ValueError: there is no such backend or cluster, or its package is missing.
    """
    check_backend(workers, backend, address)
    if backend == "ray":
        return _by_ray(_ray(), setup, jobs, workers, address)
    return _here(setup, players, jobs, workers)


def check_backend(workers: int | None, backend: Backend, address: str | None) -> None:
    """Refuses what `do_jobs` cannot be asked for.

    Raises:
        ValueError: there is no such backend, or its package is missing.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    if backend == "ray":
        _ray()
        return
    if backend != "processes":
        raise ValueError(f"backend must be 'processes' or 'ray', not {backend!r}")
    if address is not None:
        raise ValueError(f"an address is for the backend 'ray' only, not {address!r}")


def _here(
    setup: Setup, players: Sequence[Player], jobs: Sequence[Job], workers: int | None
) -> Generator[Outcome, None, None]:
    worker = Worker(setup, players)
    done = 0
    number = num_cores() if workers is None else workers
    # How long jobs take tells whether processes are worth their start; the first one
    # may have loaded or compiled the game.
    while done < len(jobs) and (workers is None or number == 1):
        began = time.monotonic()
        outcome = worker.do(jobs[done])
        spent = time.monotonic() - began
        yield outcome
        done += 1
        known = done > 1 or spent > WORTH_PROCESSES
        left = spent * (len(jobs) - done)
        if number > 1 and known and left > WORTH_PROCESSES:
            break
    if done < len(jobs):
        yield from _by_processes(setup, jobs[done:], number)


_worker: list[Worker] = []
"""In a process of its own: who does its jobs."""


def _by_processes(setup: Setup, jobs: Sequence[Job], workers: int) -> Iterator[Outcome]:
    # Not forked: torch and numba may hold threads.
    context = get_context("spawn")
    given = (setup, lock_for_workers(context))
    with ProcessPoolExecutor(
        min(workers, len(jobs)), context, _start_worker, given
    ) as pool:
        try:
            for future in as_completed([pool.submit(_do, job) for job in jobs]):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _start_worker(setup: Setup, once: Lock | None) -> None:
    tell_in_worker(once)
    _worker[:] = [Worker(setup)]


def _do(job: Job) -> Outcome:
    return _worker[0].do(job)


_workers_on_node: dict[Setup, Worker] = {}
"""In a process of a cluster, which does tasks of one setup after another."""


def _do_task(setup: Setup, job: Job) -> Outcome:
    if setup not in _workers_on_node:
        _workers_on_node.clear()
        _workers_on_node[setup] = Worker(setup)
    return _workers_on_node[setup].do(job)


def _ray() -> Any:
    """Imports Ray.

    Raises:
        ValueError: it is not installed.
    """
    try:
        import ray
    except ImportError as error:
        raise ValueError(
            "the backend 'ray' needs the extra 'ray': pip install 'rummi-env[ray]'"
        ) from error
    return ray


def _by_ray(
    ray: Any,
    setup: Setup,
    jobs: Sequence[Job],
    workers: int | None,
    address: str | None,
) -> Generator[Outcome, None, None]:
    started = not ray.is_initialized()
    if started:
        try:
            if address is not None:
                _knock(address)
            ray.init(
                address=address,
                num_cpus=None if address else workers,
                include_dashboard=None if address else False,
                log_to_driver=False,
                logging_level="ERROR",
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise ValueError(f"no Ray cluster at {address!r}: {error}") from error
    try:
        yield from _by_tasks(ray, setup, jobs)
    finally:
        if started:
            ray.shutdown()


def _knock(address: str) -> None:
    """Tries whether somebody listens; Ray itself would try for minutes.

    Raises:
        OSError: nobody does.
    """
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), PATIENCE).close()


def _by_tasks(ray: Any, setup: Setup, jobs: Iterable[Job]) -> Iterator[Outcome]:
    """Yields what comes out of tasks, so many at a time as keep all CPUs busy."""
    task = ray.remote(num_cpus=1)(_do_task)
    shared = ray.put(setup)
    most = WAITING_TASKS * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting: list[Any] = []
    for job in jobs:
        waiting.append(task.remote(shared, job))
        while len(waiting) >= most:
            ready, waiting = ray.wait(waiting)
            yield from map(ray.get, ready)
    while waiting:
        ready, waiting = ray.wait(waiting)
        yield from map(ray.get, ready)
