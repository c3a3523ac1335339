"""Speed of `rummi play`: a tile that is dropped, and twenty games at once on one core.

Run with `pytest -s tests/benchmarks/bench_play.py -m "browser or not browser"`. Aims: a
drop, with the rules' judgement and the page drawn anew, under 100 ms (median); the same
for the requests of twenty games that one core serves.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

AIM = 0.1
"""Seconds."""

ROOT = Path(__file__).parents[2]
ADDRESS = "127.0.0.1"

LATE = (
    "K1 K2 K3 | R4 R5 R6 R7 R8 | B9 B10 B11 B12 | O1 O2 O3 O4 | K7 R7 B7 | K9 R9 O9 | "
    "K13 R13 B13 O13 | K5 B5 O5 | R10 R11 R12 | K6 B6 O6 | B1 B2 B3 B4 | O10 O11 O12 ; "
    "K4 R3 B8 O7 K10 J R1 B13 O8 / K11 K12 ; ? ; 0"
)
"""Late in a game: 43 tiles on the table."""


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A server in a process of its own, on one core where that can be said."""
    paths = [str(ROOT / part) for part in (".", "agents", "training")]
    process = subprocess.Popen(
        [sys.executable, "-m", "rummi_training", "play", "--port", "0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONUNBUFFERED": "1",
        },
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    if hasattr(os, "sched_setaffinity"):
        for thread in Path(f"/proc/{process.pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {0})
    yield int(line.split("http://127.0.0.1:")[1].split("/")[0])
    process.terminate()
    process.communicate()


class Client:
    """A page without a browser; notes how long each kind of request takes."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection(ADDRESS, port, timeout=60)
        self.token = ""
        self.path = "/api/games"
        self.times: dict[str, list[float]] = {}

    def ask(self, method: str, what: str = "", body: Any = None) -> Any:
        start = time.perf_counter()
        self.connection.request(
            method,
            self.path + what,
            None if body is None else json.dumps(body),
            {"content-type": "application/json", "x-seat-token": self.token},
        )
        response = self.connection.getresponse()
        data = response.read()
        kind = f"{method} {what.partition('?')[0]}"
        self.times.setdefault(kind, []).append(time.perf_counter() - start)
        assert response.status < 300, data
        return json.loads(data) if data else None

    def new_game(self, **asked: Any) -> None:
        made = self.ask("POST", "", {"clock": False, **asked})
        self.path += f"/{made['game']}"
        self.token = made["seats"][0]["token"]

    def play(self) -> None:
        """Plays a match as a person would: one tile after the other, then the end."""
        state = self.ask("GET")
        while state["phase"] != "over":
            if state["to_move"] != state["seat"]:
                time.sleep(0.05)
                state = self.ask("GET", f"?after={state['version']}") or state
                continue
            turn = {"turn": state["turn"]}
            hint = self.ask("POST", "/hint", {**turn, "by": "tiles"})
            if hint["melds"] is None:
                state = self.ask("POST", "/draw", turn)
                continue
            laid = {**turn, "melds": [meld["tiles"] for meld in state["table"]]}
            rack = Counter(state["rack"])
            for tile in hint["tiles"]:
                rack[tile] -= 1
                laid["melds"] = [*laid["melds"], [tile]]
                self.ask("PUT", "/turn", {**laid, "rack": list(rack.elements())})
            laid["melds"] = [meld["tiles"] for meld in hint["melds"]]
            state = self.ask("POST", "/end", {**laid, "rack": list(rack.elements())})


def report(title: str, times: list[float]) -> float:
    median = statistics.median(times)
    late = statistics.quantiles(times, n=20)[-1]
    print(
        f"{title:28} {len(times):5} times, median {median * 1000:6.1f} ms, "
        f"95 % within {late * 1000:6.1f} ms"
    )
    return median


@pytest.mark.parametrize("games", [1, 20])
def test_requests_of_games_at_once(port: int, games: int) -> None:
    clients = [Client(port) for _ in range(games)]

    def play(numbered: tuple[int, Client]) -> None:
        seed, client = numbered
        client.new_game(players=["person", "max_tiles", "cautious"], seed=seed)
        client.play()
        client.connection.close()

    start = time.perf_counter()
    with ThreadPoolExecutor(games) as pool:
        list(pool.map(play, enumerate(clients)))
    print(f"\n{games} games at once: {time.perf_counter() - start:.1f} s")
    together: dict[str, list[float]] = {}
    for client in clients:
        for kind, times in client.times.items():
            together.setdefault(kind, []).extend(times)
    medians = {
        kind: report(kind, times) for kind, times in together.items() if len(times) > 1
    }
    assert medians["PUT /turn"] < AIM
    assert medians["POST /end"] < AIM


@pytest.mark.browser
def test_a_tile_dropped_in_the_browser(port: int) -> None:
    from playwright.sync_api import sync_playwright

    client = Client(port)
    client.new_game(players=["person", "max_tiles"], position=LATE)
    client.connection.close()
    game = client.path.rsplit("/", 1)[1]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://{ADDRESS}:{port}/#game={game}&token={client.token}")
        page.locator(".game").wait_for()
        for number in range(60):
            tile = page.locator(".rack .tile, .felt .tile.yours").nth(number % 9)
            x, y, width, height = tile.evaluate(
                "e => Object.values(e.getBoundingClientRect().toJSON()).slice(0, 4)"
            )
            page.mouse.move(x + width / 2, y + height / 2)
            page.mouse.down()
            page.mouse.move(900 if number % 2 else 400, 560, steps=3)
            page.mouse.up()
            page.locator('.game[aria-busy="false"]').wait_for()
        drops = page.evaluate(
            "performance.getEntriesByName('round trip').map(each => each.duration)"
        )
        browser.close()
    print()
    assert report("drop, judge, draw anew", [drop / 1000 for drop in drops]) < AIM
