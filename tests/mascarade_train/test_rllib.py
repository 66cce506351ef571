"""`mascarade rllib` from end to end, its network and its checkpoints.

They are skipped if Ray is not installed: it needs a separate environment, see RLLIB.md.
"""

import json
import shutil
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mascarade_env import Batch, Schema, scenarios
from mascarade_env.cli import main
from mascarade_train._agents import NetworkAgent
from mascarade_train._evaluation import alone_among
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile, numbers_read
from tests.messages import states

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # warnings of Ray about itself
    pytest.importorskip("ray.rllib", exc_type=ImportError)
    import ray
    import torch

    from mascarade_env.adapters.rllib import MascaradeMultiAgentEnv
    from mascarade_train._rllib import training as rllib
    from mascarade_train._rllib.module import SHARED, MaskedModule, arrays_of
    from mascarade_train._rllib.settings import Settings, checked

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own code

TINY = [
    *("--steps", "600", "--tables", "8", "--rollout", "512", "--batch", "128", "--epochs", "1"),
    *("--width", "8", "--evaluation", "40"),
]


@pytest.fixture(scope="module", autouse=True)
def ray_for_all() -> Iterator[None]:
    """Start Ray once for all tests, because it takes seconds."""
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def run(folder: Path, *more: str) -> int:
    return main(["rllib", *TINY, "--runners", "0", "--folder", str(folder), *more])


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    assert run(folder) == 0
    return folder / "rllib-4A"


def module_for(env: MascaradeMultiAgentEnv) -> MaskedModule:
    torch.manual_seed(0)
    assert env.batch.schema is not None
    return MaskedModule(
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config={"numbers": numbers_read(env.batch.schema), "width": 8, "players": 4},
    )


def forward(module: MaskedModule, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    seen = {
        "observations": torch.tensor(batch.observation),
        "action_mask": torch.tensor(batch.mask),
    }
    scores = module.forward_inference({"obs": seen})["action_dist_inputs"]
    with torch.no_grad():
        return scores, module.compute_values({"obs": seen})


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("track", ["belief", "both"])
def test_the_network_and_its_policy_file_are_the_same(track: Any, padded: bool) -> None:
    env = MascaradeMultiAgentEnv({"scenario": "4A", "track": track, "padded": padded})
    module = module_for(env)
    batch = Batch("4A", 50, seed=1, track=track, padded=padded)
    for _ in range(20):
        batch.step(batch.random_actions())
    scores, values = forward(module, batch)
    weights = {name: weight.numpy(force=True) for name, weight in module.state_dict().items()}
    schema = Schema("4A", track, padded=padded)
    policy = NetPolicy(PolicyFile.of(schema, arrays_of(weights, schema.seats)))
    wanted = policy.scores(batch.observation, batch.mask)
    legal = batch.mask == 1
    assert np.allclose(scores.numpy()[legal], wanted[legal], atol=1e-5)
    assert (scores.softmax(1).numpy()[~legal] == 0).all()
    wins = policy.wins(batch.observation)[:, 0]
    assert np.allclose(values.numpy(), (4 * wins - 1) / 3, atol=1e-5)
    assert np.ptp(wins) > 0


def test_divergence_and_entropy_of_masked_scores_are_numbers() -> None:
    env = MascaradeMultiAgentEnv({"scenario": "4A", "track": "belief"})
    module, other = module_for(env), module_for(env)
    torch.nn.init.normal_(other.policy.weight)
    batch = Batch("4A", 50, seed=1, track="belief")
    kind = module.get_train_action_dist_cls()
    now, then = (kind.from_logits(forward(one, batch)[0]) for one in (module, other))
    assert torch.isfinite(now.kl(then)).all()
    assert (now.kl(then) > 0).any()
    assert torch.isfinite(now.entropy()).all()


def test_a_run_leaves_what_it_tells_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--name", "mine", "--track", "memory", "--padded") == 0
    out = capsys.readouterr().out
    assert states(out, "Win share", "40 games", "95% interval", "25.0%")
    found = {path.name.split(".tfevents")[0] for path in (tmp_path / "mine").iterdir()}
    assert found == {"policy.npz", "checkpoint", "settings.json", "events.out"}
    file = PolicyFile.load(tmp_path / "mine")
    assert (file.schema.track, file.schema.padded) == ("memory", True)
    assert file.card["provenance"]["decisions"] >= 600
    assert file.card["scores"]["win share against random players"]["games"] == 40
    assert json.loads((tmp_path / "mine/settings.json").read_text())["track"] == "memory"


def test_the_policy_plays(trained: Path) -> None:
    policy = NetworkAgent(scenarios()["4A"], NetPolicy(PolicyFile.load(trained)))
    assert 0 < alone_among(policy, "random", "4A", games=40, seed=0).mean < 1


def test_env_runners_go_on_with_the_weights_of_the_checkpoint(
    trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if RLlib loses the weights that it sends, which happens while runners are busy."""
    s = checked(Settings(steps=1, runners=1, tables=2, rollout=64, batch=32, width=8))
    algorithm = rllib._algorithm(s, Schema("4A", "belief"), 600)
    monkeypatch.setattr(algorithm.env_runner_group, "sync_weights", lambda **options: None)
    try:
        rllib._restore(algorithm, trained / "checkpoint")
        weights: list[Any] = algorithm.env_runner_group.foreach_env_runner(
            lambda runner: runner.module[SHARED].get_state(), local_env_runner=False
        )
        learned = algorithm.learner_group.get_weights([SHARED])[SHARED]
    finally:
        algorithm.stop()
    wanted = PolicyFile.load(trained).arrays
    for found in (*weights, learned):
        for name, array in arrays_of(found, 4).items():
            assert np.allclose(array, wanted[name]), name
    assert len(weights) == 1


def test_a_run_goes_on_from_another(trained: Path, tmp_path: Path) -> None:
    assert run(tmp_path, "--resume", str(trained), "--learning-rate", "1e-12") == 0
    before, after = PolicyFile.load(trained), PolicyFile.load(tmp_path / "rllib-4A")
    decisions = [file.card["provenance"]["decisions"] for file in (before, after)]
    assert decisions[1] >= decisions[0] + 600
    assert after.card["provenance"]["settings"]["resume"] == str(trained)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--scenario", "13A"], ("scenario", "'13A'", "12A")),
        (["--runners", "1000"], ("--runners 1000", "CPU", "Ray")),
        (["--resume", "nowhere"], ("read", "nowhere")),
        (["--folder", "/dev/null/runs"], ("/dev/null/runs",)),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_bad_arguments_are_told_in_one_line(
    words: list[str], message: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, *words) == 2
    err = capsys.readouterr().err
    assert states(err, *message)
    assert "mascarade: " in err
    assert not list(tmp_path.iterdir())


def test_a_run_goes_on_that_died_while_it_replaced_its_checkpoint(
    trained: Path, tmp_path: Path
) -> None:
    before = tmp_path / "before"
    shutil.copytree(trained, before)
    (before / "checkpoint").rename(before / "checkpoint.old")
    assert run(tmp_path, "--resume", str(before)) == 0
    assert (before / "checkpoint").is_dir()


def test_only_the_same_network_goes_on(trained: Path, tmp_path: Path) -> None:
    for words in (["--width", "16"], ["--scenario", "4B"], ["--padded"], ["--track", "both"]):
        assert run(tmp_path, "--resume", str(trained), *words) == 2
    assert not list(tmp_path.iterdir())


def test_an_interrupt_ends_the_learning_and_keeps_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    updates: list[Any] = []
    figures = rllib._figures

    def figures_and_interrupt(result: Any) -> dict[str, float]:
        updates.append(result)
        if len(updates) == 2:
            signal.raise_signal(signal.SIGINT)
        return figures(result)

    monkeypatch.setattr(rllib, "_figures", figures_and_interrupt)
    assert run(tmp_path, "--steps", "1000000") == 0
    assert states(capsys.readouterr().out, "Interrupted")
    assert 1000 < PolicyFile.load(tmp_path / "rllib-4A").card["provenance"]["decisions"] < 2000
