"""Records written by the environments and by several processes."""

import copy
import multiprocessing
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from rummi_env import RuleSet, rummikub_v0, rummy_v0, tabla_v0
from rummi_env.envs.aec import raw_env
from rummi_env.records import (
    GameRecord,
    Recorder,
    append_record,
    read_records,
    replay,
    verify_records,
)


def finish(env: Any, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    for _agent in env.agent_iter(10**6):
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))


@pytest.mark.parametrize("module", [rummikub_v0, rummy_v0, tabla_v0])
def test_an_environment_appends_every_match(module: Any, path: Path) -> None:
    env = module.env(record=path)
    for seed in (1, 2):
        env.reset(seed=seed)
        finish(env)
    sheet = env.unwrapped.score_sheet
    records = [record for _, record in verify_records(path)]
    assert [record.ending for record in records] == ["finished"] * 2
    assert records[1].totals == sheet.totals


def test_a_match_that_is_left_is_written_as_unfinished(path: Path) -> None:
    env = raw_env(record=path)
    env.reset(seed=1)
    env.reset(seed=2)
    env.step(53)
    env.reset(seed=3)
    env.step(53)
    env.step(53)
    env.close()
    env.close()
    records = [record for _, record in verify_records(path)]
    assert [(r.num_steps, r.ending) for r in records] == [
        (1, "unfinished"),
        (2, "unfinished"),
    ]


def test_turns_lost_by_an_illegal_action_or_by_the_clock_are_recorded(
    path: Path,
) -> None:
    now = [0.0]
    env = raw_env(record=path, turn_clock=True, clock=lambda: now[0])
    env.reset(seed=1)
    env.step(
        int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    )
    now[0] += 61
    env.step(53)
    env.time_out()
    env.close()
    [(_, record)] = verify_records(path)
    assert record.rounds[0].lost == {0: "failed", 1: "timed_out", 2: "timed_out"}
    assert record.rounds[0].actions[1:] == (53, None)


@pytest.mark.parametrize("make", [rummikub_v0.env, rummikub_v0.raw_env])
def test_an_illegal_action_that_ends_the_match_is_its_last_step(
    make: Any, path: Path
) -> None:
    env = make(record=path, on_illegal="terminate")
    env.reset(seed=1)
    env.step(53)
    mask = env.observe(env.agent_selection)["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    env.step(illegal)
    env.close()
    [(_, record)] = verify_records(path)
    assert record.ending == "illegal"
    assert record.rounds[0].actions == (53, illegal)
    assert record.rounds[0].lost == {1: "illegal"}
    *_, last = replay(record)
    assert last.event == "illegal" and last.actor == 1


def test_a_refused_illegal_action_is_no_step(path: Path) -> None:
    env = raw_env(record=path, on_illegal="raise")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="rack"):
        mask = env.observe(env.agent_selection)["action_mask"]
        rack = set(env.position().racks[0])
        env.step(next(k for k in np.flatnonzero(mask == 0).tolist() if k not in rack))
    env.step(53)
    env.close()
    [(_, record)] = verify_records(path)
    assert record.rounds[0].actions == (53,)


def test_going_on_from_a_saved_state_begins_another_record(path: Path) -> None:
    env = raw_env(record=path)
    env.reset(seed=1)
    env.step(53)
    state = env.save_state()
    env.step(53)
    env.load_state(state)
    env.step(53)
    env.close()
    first, second = (record for _, record in verify_records(path))
    assert first.num_steps == 2 and first.state is None
    assert second.num_steps == 1 and second.state == state


def test_copies_of_an_environment_record_nothing(path: Path) -> None:
    env = raw_env(record=path)
    env.reset(seed=1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(53)
        other.close()
    assert not path.exists()
    env.close()


def test_a_recorder_of_ones_own_has_names_and_notes() -> None:
    kept: list[GameRecord] = []
    recorder = Recorder(kept.append, players=("Ana", "Ben"), about={"table": 7})
    env = raw_env(record=recorder)
    env.reset(seed=1)
    env.step(53)
    assert recorder.record is not None and recorder.record.num_steps == 1
    env.close()
    assert kept[0].players == ("Ana", "Ben") and kept[0].about == {"table": 7}


@pytest.mark.parametrize("name", ["Rummikub", "Rummy", "Tabla"])
def test_the_seat_environment_records_everybody(name: str, path: Path) -> None:
    env = gymnasium.make(
        f"rummi/{name}-v0", opponents=["random"], record=str(path), seat=1
    )
    observation, info = env.reset(seed=4)
    over = False
    while not over:
        observation, _, over, _, info = env.step(
            int(np.flatnonzero(info["action_mask"])[0])
        )
    env.close()
    [(_, record)] = verify_records(path)
    assert record.players == ("random", "learner")
    assert record.ending == "finished"
    assert observation.shape == env.observation_space.shape


def test_opponents_are_recorded_by_what_they_are_called(path: Path) -> None:
    def first_legal(observation: Any, mask: Any, turn: Any, rng: Any) -> int:
        return int(np.flatnonzero(mask)[0])

    env = gymnasium.make(
        "rummi/Rummikub-v0", opponents=[first_legal, "max_tiles"], record=path, seat=0
    )
    env.reset(seed=4)
    env.step(53)
    env.close()
    [record] = read_records(path)
    assert record.players == ("learner", "first_legal", "max_tiles")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (5, "record must be a path or a Recorder, not 5"),
        ("{tmp}/none/games.jsonl", "there is no .*none"),
        ("{tmp}", "it is a folder"),
    ],
)
def test_impossible_files_are_refused_at_once(
    value: Any, told: str, tmp_path: Path
) -> None:
    if isinstance(value, str):
        value = value.format(tmp=tmp_path)
    with pytest.raises(ValueError, match=told):
        raw_env(record=value)


def _append_many(path: Path, record: GameRecord, number: int) -> None:
    for _ in range(number):
        append_record(path, record)


def test_several_processes_append_whole_lines(path: Path) -> None:
    kept: list[GameRecord] = []
    env = raw_env(record=Recorder(kept.append), rules=RuleSet(rounds=3))
    env.reset(seed=1)
    finish(env)
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=_append_many, args=(path, kept[0], 40)) for _ in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [record == kept[0] for record in read_records(path)] == [True] * 120
