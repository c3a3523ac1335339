"""The files with every game of an evaluation or a tournament."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rummi_env.records import GameRecord, read_records
from rummi_training.mirrored import Game
from rummi_training.run_folder import write_whole

GAMES_FILE = "games.csv"
RECORDS_FILE = "records.jsonl"

COUNTS = ("deal", "rotation", "turns", "decisions")


def games_text(games: Iterable[Game], names: Sequence[str], header: bool = True) -> str:
    """Returns the games of one table as lines of a CSV file.

    Args:
        games: the games.
        names: of those at the table.
        header: whether the names of the columns come first.
    """
    first = [
        *COUNTS,
        *(f"score of {name}" for name in names),
        *(f"won by {name}" for name in names),
    ]
    rows = ((*_counts(game), *game.scores, *game.wins) for game in games)
    return _text([first] if header else [], rows)


def tables_text(
    games: Iterable[Game], tables: Sequence[Sequence[str]], header: bool = True
) -> str:
    """Returns the games of several tables as lines of a CSV file.

    Args:
        games: the games.
        tables: names of those at each table.
        header: whether the names of the columns come first.
    """
    number = len(tables[0])
    places = range(1, number + 1)
    first = [
        "table",
        *COUNTS,
        *(f"{what} {place}" for what in ("score", "won", "agent") for place in places),
    ]
    rows = (
        (game.table, *_counts(game), *game.scores, *game.wins, *tables[game.table])
        for game in games
    )
    return _text([first] if header else [], rows)


def read_games(path: Path, num_agents: int, tables: int | None = None) -> list[Game]:
    """Reads what `games_text` or `tables_text` writes.

    Deals whose games are not all there are left out. A last line that was cut off
    counts as not there.

    Args:
        path: the file.
        num_agents: how many sit at a table.
        tables: how many tables there are, for what `tables_text` writes.

    Raises:
        ValueError: a line is damaged.
    """
    before = 0 if tables is None else 1
    width = before + len(COUNTS) + (2 if tables is None else 3) * num_agents
    games: dict[tuple[int, int], list[Game]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in list(csv.reader(file))[1:]:
            if len(row) != width:
                continue
            table = int(row[0]) if before else 0
            if not 0 <= table < (tables or 1):
                raise ValueError(f"there is no table {table}")
            deal, rotation, turns, decisions = map(int, row[before : before + 4])
            values = tuple(map(float, row[before + 4 : before + 4 + 2 * num_agents]))
            game = Game(
                deal=deal,
                rotation=rotation,
                scores=values[:num_agents],
                wins=values[num_agents:],
                turns=turns,
                decisions=decisions,
                table=table,
            )
            games.setdefault((table, deal), []).append(game)
    whole = [played for played in games.values() if len(played) == num_agents]
    return [game for played in whole for game in played]


def keep_records(path: Path, games: list[Game]) -> list[Game]:
    """Keeps of a file the records of games that are kept, and nothing else.

    Args:
        path: the file.
        games: the games.

    Returns:
        The games that have their records; the others are to be played again.
    """
    kept: dict[tuple[int, int, int], GameRecord] = {}
    if games and path.exists():
        for record in _whole_records(path):
            about = {"table": 0, **record.about}
            key = [about.get(name) for name in ("table", "deal", "rotation")]
            table, deal, rotation = (
                part if isinstance(part, int) else -1 for part in key
            )
            kept[table, deal, rotation] = record
    alone = {(game.table, game.deal) for game in games if _key(game) not in kept}
    games = [game for game in games if (game.table, game.deal) not in alone]
    lines = [kept[_key(game)].to_json() for game in games]
    write_whole(path, "".join(f"{line}\n" for line in lines))
    return games


def _key(game: Game) -> tuple[int, int, int]:
    return (game.table, game.deal, game.rotation)


def _whole_records(path: Path) -> Iterator[GameRecord]:
    """Yields records up to a line that was cut off when the evaluation was stopped."""
    try:
        yield from read_records(path)
    except ValueError:
        return


def _counts(game: Game) -> tuple[int, ...]:
    return (game.deal, game.rotation, game.turns, game.decisions)


def _text(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerows([*head, *rows])  # type: ignore[list-item]
    return table.getvalue()
