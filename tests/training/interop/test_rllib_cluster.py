"""Training by RLlib on a Ray cluster of two nodes, one of which is lost."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster

from rummi_training.config import TrainConfig
from rummi_training.interop.ray_cluster import ray_of
from rummi_training.interop.rllib import Trainer, algorithm_config
from rummi_training.interop.rllib_env import frozen

pytestmark = [
    pytest.mark.interop,
    # See test_rllib.py.
    pytest.mark.filterwarnings("ignore"),
]

NODE = {
    "num_cpus": 1,
    "object_store_memory": 100 * 2**20,
    # Not reachable from outside; Ray would replace 127.0.0.1 by the machine's address.
    "node_ip_address": "127.0.0.2",
}


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    started = Cluster(
        initialize_head=True, head_node_args={**NODE, "include_dashboard": False}
    )
    started.add_node(**NODE)
    yield started
    started.shutdown()


def nodes_that_play(trainer: Trainer) -> set[str]:
    found = trainer.algorithm.env_runner_group.foreach_env_runner(
        lambda runner: ray.get_runtime_context().get_node_id(), local_env_runner=False
    )
    return set(found)


def test_training_survives_the_loss_of_a_node(
    cluster: Cluster, rllib_config: TrainConfig, run_folder: Path
) -> None:
    ours = replace(
        rllib_config.rllib, address=cluster.address, env_runners=2, league_every=500
    )
    config = replace(rllib_config, rllib=ours, total_steps=10**6)
    (lost,) = cluster.worker_nodes
    with ray_of(ours):
        algorithm = algorithm_config(config).build_algo()
        trainer = Trainer(config, run_folder, algorithm)
        assert nodes_that_play(trainer) == {
            node["NodeID"] for node in ray.nodes() if node["Alive"]
        }
        assert len(nodes_that_play(trainer)) == 2
        trainer.update()
        cluster.remove_node(lost, allow_graceful=False)
        before = trainer.steps
        for _ in range(4):
            assert math.isfinite(trainer.update()["train/loss"])
        assert trainer.steps >= before + 4 * 300
        assert nodes_that_play(trainer) == {cluster.head_node.node_id}
        # A node that joins takes over the place of the one that was lost.
        joined = cluster.add_node(**NODE)
        for _ in range(40):
            trainer.update()
            if joined.node_id in nodes_that_play(trainer):
                break
        assert nodes_that_play(trainer) == {cluster.head_node.node_id, joined.node_id}
        # It plays with the league of now.
        group = algorithm.learner_group
        place = frozen(0)
        weights = group.get_weights(module_ids=[place])[place]
        for played in algorithm.env_runner_group.foreach_env_runner(
            lambda runner: runner.module[place].get_state(), local_env_runner=False
        ):
            names = [name for name in weights if name.startswith("actor.")]
            assert all(np.array_equal(played[name], weights[name]) for name in names)
        algorithm.stop()


def test_a_cluster_that_does_not_answer_is_named(rllib_config: TrainConfig) -> None:
    nowhere = replace(rllib_config.rllib, address="127.0.0.1:1")
    with (
        pytest.raises(ValueError, match=r"no Ray cluster answers at '127.0.0.1:1'"),
        ray_of(nowhere),
    ):
        pass


def test_more_processes_than_processors_are_refused(rllib_config: TrainConfig) -> None:
    crowded = replace(rllib_config.rllib, env_runners=3)
    with (
        pytest.raises(ValueError, match="env_runners must not exceed the 2 processors"),
        ray_of(crowded),
    ):
        pass
    assert not ray.is_initialized()
