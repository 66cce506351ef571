"""`mascarade sb3` from end to end, and its checkpoints."""

import io
import json
import re
import shutil
import signal
import sys
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import Tensor

from mascarade_env import MascaradeError, Policy, Pool, Positions, Schema, read_games
from mascarade_env.adapters.sb3 import MascaradeVecEnv
from mascarade_env.cli import main
from mascarade_env.envs._single import MascaradeEnv
from mascarade_env.observation._blocks import Track
from mascarade_train._evaluation import Watched, alone_among, watched
from mascarade_train._sb3.policies import Snapshot, actor_of, load, save
from tests.mascarade_train.trap import Trap
from tests.messages import facts, lines_stating, states

TINY = [
    *("--steps", "512", "--games", "8", "--rollout", "16", "--batch", "64", "--epochs", "1"),
    *("--width", "8", "--snapshot-every", "1", "--evaluation", "40"),
]


def run(folder: Path, *more: str) -> int:
    return main(["sb3", *TINY, "--folder", str(folder), *more])


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    assert run(folder) == 0
    return folder / "sb3-4A"


def test_a_run_leaves_what_it_tells_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sb3", *TINY]) == 0
    out = capsys.readouterr().out
    assert lines_stating(out, "100%", "512 steps")
    assert states(out, "random players", "knowing bluffs", "-m tensorboard.main --logdir runs")
    assert states(out, "arena --agents net:runs/sb3-4A,stopper --scenario 4A")
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]
    found = {
        path.name.split(".vm")[0].split(".tfevents")[0]
        for path in (tmp_path / "runs/sb3-4A").iterdir()
    }
    assert found == {
        "policy.zip", "policy.json", "settings.json", "game.jsonl", "game.html", "events.out"
    }  # fmt: skip
    card = json.loads((tmp_path / "runs/sb3-4A/policy.json").read_text("utf-8"))
    assert (card["scenario"]["name"], card["track"], card["steps"]) == ("4A", "belief", 512)
    assert card["results"]["win share against random players"]["games"] == 40
    (game,) = read_games(tmp_path / "runs/sb3-4A/game.jsonl")
    assert game.over
    assert game.scenario.name == "4A"


def on_card(play: Watched) -> dict[str, float | None]:
    names = ("look_rate", "take_rate", "announce_rate", "false", "knowing_bluff", "claim_rate")
    found = {name: play.share(name) for name in (*names, "claim_precision")}
    return {**found, "games broken off": 0}


def test_the_figures_are_those_of_the_policies_they_name(tmp_path: Path) -> None:
    """The scores can be measured again from the checkpoint, and from an untrained network."""
    quick, still = tmp_path / "quick", tmp_path / "still"
    many = ("--evaluation", "200")
    assert run(tmp_path, "--name", "quick", "--learning-rate", "0.02", *many) == 0
    assert run(tmp_path, "--name", "still", "--learning-rate", "1e-30", *many) == 0
    learned, initial = load(quick), load(still)
    play_before = watched(initial, "4A", games=25, seed=2**40)
    sides: list[tuple[Policy, Policy | str]]
    sides = [(initial, "random"), (learned, "random"), (learned, initial)]
    before, after, against = (
        alone_among(one, many, "4A", games=200, seed=2**40) for one, many in sides
    )
    play = watched(learned, "4A", games=25, seed=2**40)
    assert before != after
    assert play_before.tally != play.tally
    found = json.loads((quick / "policy.json").read_text("utf-8"))["results"]
    assert found == {
        "win share against random players, untrained": asdict(before),
        "win share against random players": asdict(after),
        "win share against the untrained policy": asdict(against),
        "play, untrained": on_card(play_before),
        "play": on_card(play),
    }


def test_the_learner_learns_by_the_settings(trained: Path) -> None:
    model = MaskablePPO.load(trained / "policy.zip", device="cpu")
    assert model.gamma == 1  # a late win counts as much as an early one
    assert (model.n_steps, model.batch_size, model.n_epochs) == (16, 64, 1)
    assert (model.learning_rate, model.ent_coef, model.seed) == (5e-4, 0.05, 0)
    assert model.policy_kwargs == {"net_arch": [8, 8]}


def test_what_was_broken_off_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mascarade_train._evaluation.MOST_DECISIONS", 1)
    assert run(tmp_path) == 0
    out = capsys.readouterr().out
    assert re.search(r"games .* 5 +5\n", out)
    card = json.loads((tmp_path / "sb3-4A/policy.json").read_text("utf-8"))
    assert card["results"]["play"]["games broken off"] == 5
    # Measures without an opportunity must not be NaN on the card, or it could not be loaded.
    assert card["results"]["play"]["claim_precision"] is None
    assert load(tmp_path / "sb3-4A").schema.scenario.name == "4A"


@pytest.mark.parametrize("missing", ["torch", "sb3_contrib", "torch.utils.tensorboard"])
def test_without_the_libraries_the_extra_is_named(
    missing: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["sb3", "--scenario", "no-such"]) == 2  # loads all modules but the missing one
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "mascarade_train._sb3.training")
    capsys.readouterr()
    assert main(["sb3"]) == 2
    err = capsys.readouterr().err
    assert states(err, "`mascarade sb3`", "extra train", "pip install 'mascarade-env[train]'")
    assert err.count("\n") == 1


def test_runs_are_numbered_and_repeatable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--seed", "5", "--name", "mine") == 0
    first = (tmp_path / "mine/policy.json").read_bytes()
    assert run(tmp_path, "--seed", "5", "--name", "mine") == 0
    assert run(tmp_path, "--seed", "6", "--name", "mine") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "mine-2", "mine-3"]
    assert (tmp_path / "mine/policy.json").read_bytes() == first
    assert (tmp_path / "mine-2/policy.json").read_bytes() == first
    assert (tmp_path / "mine-3/policy.json").read_bytes() != first
    games = [(tmp_path / run / "game.jsonl").read_bytes() for run in ("mine", "mine-2", "mine-3")]
    assert games[0] == games[1] != games[2]


def test_a_checkpoint_plays(trained: Path) -> None:
    policy = load(trained)
    assert policy.schema.track == "belief"
    share = alone_among(policy, load(trained), "4A", games=50, seed=3)
    assert 0 < share.mean < 1
    first, again = (load(trained / "policy.zip") for _ in range(2))
    env = MascaradeVecEnv(6, "4A", track="belief", opponents=first, seed=0)
    twin = MascaradeVecEnv(6, "4A", track="belief", opponents=again, seed=0)
    observation = env.reset()
    assert np.array_equal(observation, twin.reset())
    mask = env.action_masks().astype(np.int8)
    shown = Positions(observation, mask, policy.schema)
    taken = policy.act_batch(shown, np.random.default_rng(0))
    assert (mask[np.arange(6), taken] == 1).all()


@pytest.mark.parametrize("track", ["belief", "both", "memory"])
def test_a_snapshot_in_a_pool_plays_beside_learners_that_observe_otherwise(
    trained: Path, track: Track
) -> None:
    """Also next to agents by name: it gets the observations of its training and plays the same."""
    pool = Pool([load(trained), "honest"])
    env = MascaradeVecEnv(4, "4A", track=track, opponents=pool, seed=0)
    assert env.reset().shape[1] == Schema("4A", track).size
    for _ in range(30):
        env.step(env.action_masks().argmax(axis=1))


def test_a_snapshot_decides_as_often_as_its_network_says(trained: Path) -> None:
    """Compared with the probabilities of SB3 itself."""
    model = MaskablePPO.load(trained / "policy.zip", device="cpu")
    env = MascaradeVecEnv(1, "4A", track="belief", seed=0)
    observation, mask = env.reset(), env.action_masks()
    tensor = model.policy.obs_to_tensor(observation)[0]
    spread: Any = model.policy.get_distribution(tensor, action_masks=mask).distribution
    wanted = spread.probs[0]
    many = 20_000
    policy = load(trained)
    arrays = np.repeat(observation, many, 0), np.repeat(mask.astype(np.int8), many, 0)
    shown = Positions(*arrays, policy.schema)
    taken = policy.act_batch(shown, np.random.default_rng(0))
    found = np.bincount(taken, minlength=mask.shape[1]) / many
    np.testing.assert_allclose(policy.probabilities(shown)[0], wanted.detach().numpy(), atol=1e-5)
    assert np.abs(found - wanted.detach().numpy()).max() < 0.02


@pytest.mark.parametrize("legal", [-1000.0, 0.0])
def test_a_snapshot_never_acts_illegally(legal: float) -> None:
    """Even if the network has high scores for illegal actions and low ones for legal actions."""
    env = MascaradeVecEnv(200, "4A", track="belief", seed=0)
    model = MaskablePPO("MlpPolicy", env, seed=0, device="cpu")
    observation, mask = env.reset(), env.action_masks()
    mask[:, 10:] = False  # the same for all: take, look, some announcements
    bias = dict(model.policy.named_parameters())["action_net.bias"].data
    bias[:] = torch.where(torch.tensor(mask[0]), legal, legal + 1000)
    schema = Schema("4A", "belief")
    shown = Positions(observation, mask.astype(np.int8), schema)
    taken = Snapshot(actor_of(model.policy), schema).act_batch(shown, np.random.default_rng(0))
    assert mask[np.arange(200), taken].all()


def test_a_snapshot_stays_as_it_was_and_disturbs_nobody() -> None:
    env = MascaradeVecEnv(8, "4A", track="belief", seed=0)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=32, learning_rate=0.1, batch_size=64, seed=0, device="cpu"
    )
    schema = Schema("4A", "belief")
    observation = np.repeat(env.reset(), 20, axis=0)
    mask = np.repeat(env.action_masks().astype(np.int8), 20, axis=0)
    state = torch.random.get_rng_state()
    shown = Positions(observation, mask, schema)

    def taken(snapshot: Snapshot) -> Any:
        return snapshot.act_batch(shown, np.random.default_rng(1))

    wanted = taken(Snapshot(actor_of(model.policy), schema))
    assert torch.equal(torch.random.get_rng_state(), state)
    snapshot = Snapshot(actor_of(model.policy), schema)
    model.set_logger(Logger(None, []))
    model.learn(256)
    assert np.array_equal(taken(snapshot), wanted)
    assert not np.array_equal(taken(Snapshot(actor_of(model.policy), schema)), wanted)


def test_learning_is_not_disturbed_by_evaluation(tmp_path: Path) -> None:
    """Measuring more or less does not change the training."""
    assert run(tmp_path, "--name", "short") == 0
    assert run(tmp_path, "--name", "long", "--evaluation", "60") == 0
    observation, mask = np.zeros((50, 283), np.float32), np.ones((50, 26), np.int8)
    shown = Positions(observation, mask, Schema("4A", "belief"))
    short, long = (load(tmp_path / name).probabilities(shown) for name in ("short", "long"))
    assert np.array_equal(short, long)


def test_a_checkpoint_for_something_else_is_refused(trained: Path, tmp_path: Path) -> None:
    with pytest.raises(MascaradeError, match=facts(trained, "4A", "not 4B")):
        load(trained, scenario="4B")
    assert load(trained, scenario="4a").schema.scenario.name == "4A"
    with pytest.raises(MascaradeError, match=facts("plays 4A", "not 6A", "masks")):
        MascaradeEnv("6A", seat=1, opponents=load(trained))
    with pytest.raises(MascaradeError, match=facts("checkpoint", tmp_path)):
        load(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, facts("card", "mascarade_train.sb3 1")),
        ({"observation_size": 252}, facts(252, "4A", "version of mascarade-env")),
        ({"track": "both", "observation_size": 381}, facts(381, "4A", "version of mascarade-env")),
        ({"scenario": None}, facts("incomplete")),
        ({"scenario": "4A"}, facts("unknown field")),  # the name of a scenario is refused too
    ],
)
def test_a_card_that_does_not_fit_is_told(
    trained: Path, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    card = json.loads((trained / "policy.json").read_text("utf-8"))
    (tmp_path / "policy.zip").write_bytes((trained / "policy.zip").read_bytes())
    (tmp_path / "policy.json").write_text(json.dumps({**card, **change}), "utf-8")
    with pytest.raises(MascaradeError, match=message):
        load(tmp_path)


def test_a_damaged_checkpoint_is_told(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_bytes((trained / "policy.json").read_bytes())
    (tmp_path / "policy.zip").write_bytes((trained / "policy.zip").read_bytes()[:5000])
    with pytest.raises(MascaradeError, match=facts("checkpoint", "read")):
        load(tmp_path)
    (tmp_path / "policy.json").write_text("{", "utf-8")
    with pytest.raises(MascaradeError, match=facts("card", "JSON")):
        load(tmp_path)


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(trained, folder)
    files = [folder / "policy.zip", folder / "policy.json"]
    before = [file.read_bytes() for file in files]
    model, schema = MaskablePPO.load(files[0]), Schema("4A", "belief")

    def broken(*told: Any, **named: Any) -> None:
        raise OSError(28, "No space left on device")

    def begun(path: Path) -> None:
        path.write_bytes(b"PK")
        broken()

    for what, name, fails in ((Path, "write_text", broken), (model, "save", begun)):
        with monkeypatch.context() as patch:
            patch.setattr(what, name, fails)
            with pytest.raises(MascaradeError, match=facts("No space left")):
                save(model, schema, files[0], steps=7)
        assert [file.read_bytes() for file in files] == before
        assert {file.name for file in folder.iterdir()} == {file.name for file in trained.iterdir()}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda weight: weight * torch.nan, facts("checkpoint", "weights", "NaN", "infinite")),
        (
            lambda weight: weight[:1, :1].expand(weight.shape),
            facts("checkpoint", "weights", "contiguous"),
        ),
        (lambda weight: weight[:-1], facts("checkpoint", "linear layers", "MlpPolicy")),
        (lambda weight: weight[:, :-1], facts("checkpoint", "linear layers", "MlpPolicy")),
    ],
)
def test_weights_that_do_not_fit_are_told(
    trained: Path, tmp_path: Path, change: Callable[[Tensor], Tensor], message: str
) -> None:
    put_weights(trained, tmp_path, "action_net.weight", change)
    with pytest.raises(MascaradeError, match=message):
        load(tmp_path)


def test_a_network_for_other_actions_is_told(trained: Path, tmp_path: Path) -> None:
    put_weights(trained, tmp_path, "action_net.weight", lambda weight: weight[:-1].contiguous())
    put_weights(tmp_path, tmp_path, "action_net.bias", lambda bias: bias[:-1].contiguous())
    with pytest.raises(MascaradeError, match=facts("25 actions", "26 actions", "card")):
        load(tmp_path)


def put_weights(source: Path, folder: Path, name: str, change: Callable[[Tensor], Tensor]) -> None:
    """The checkpoint of a folder in another, with one of its weights changed."""
    (folder / "policy.json").write_bytes((source / "policy.json").read_bytes())
    with zipfile.ZipFile(source / "policy.zip") as old:
        parts = {part: old.read(part) for part in old.namelist()}
    weights = torch.load(io.BytesIO(parts["policy.pth"]), weights_only=True)
    weights[name] = change(weights[name])
    written = io.BytesIO()
    torch.save(weights, written)
    with zipfile.ZipFile(folder / "policy.zip", "w") as new:
        for part, content in (parts | {"policy.pth": written.getvalue()}).items():
            new.writestr(part, content)


def test_no_code_of_a_checkpoint_is_run(trained: Path, tmp_path: Path) -> None:
    sprung = tmp_path / "sprung"
    (tmp_path / "policy.json").write_bytes((trained / "policy.json").read_bytes())
    with zipfile.ZipFile(trained / "policy.zip") as old:
        parts = {name: old.read(name) for name in old.namelist()}
    evil = io.BytesIO()
    torch.save(Trap(sprung), evil)
    for name in ("policy.pth", "policy.optimizer.pth"):
        with zipfile.ZipFile(tmp_path / "policy.zip", "w") as new:
            for each, content in (parts | {name: evil.getvalue()}).items():
                new.writestr(each, content)
        if name == "policy.pth":
            with pytest.raises(MascaradeError, match=facts("checkpoint", "read")):
                load(tmp_path)
        else:
            load(tmp_path)  # which never opens it
    assert not sprung.exists()
    torch.load(io.BytesIO(evil.getvalue()), weights_only=False)
    assert sprung.exists()  # otherwise this test would prove nothing


@pytest.mark.parametrize("kind", [torch.nn.ReLU, torch.nn.Tanh])
def test_a_checkpoint_scores_as_the_network_that_was_saved(
    tmp_path: Path, kind: type[torch.nn.Module]
) -> None:
    schema = Schema("4A", "belief")
    env = MascaradeVecEnv(6, "4A", track="belief", seed=0)
    made = {"net_arch": [7, 5, 9], "activation_fn": kind}
    model = MaskablePPO("MlpPolicy", env, policy_kwargs=made, seed=0, device="cpu")
    observation, mask = env.reset(), env.action_masks().astype(np.int8)
    save(model, schema, tmp_path / "policy.zip")
    wanted = Snapshot(actor_of(model.policy), schema).scores(observation, mask)
    np.testing.assert_array_equal(load(tmp_path).scores(observation, mask), wanted)
    card = json.loads((tmp_path / "policy.json").read_text("utf-8"))
    unknown: Any
    for unknown in ("Sine", ["ReLU"], {}, None):
        (tmp_path / "policy.json").write_text(json.dumps(card | {"activation": unknown}), "utf-8")
        with pytest.raises(MascaradeError, match=facts("card", "activation")):
            load(tmp_path)


def test_an_interrupt_ends_the_learning_and_keeps_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add, added = Pool.add, []

    def add_and_interrupt(pool: Pool, policy: Any) -> None:
        add(pool, policy)
        added.append(policy)
        if len(added) == 2:  # random players, then the first snapshot
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Pool, "add", add_and_interrupt)
    handler = signal.getsignal(signal.SIGINT)
    assert run(tmp_path, "--steps", "1000000") == 0
    assert signal.getsignal(signal.SIGINT) is handler
    out = capsys.readouterr().out
    assert states(out, "Interrupted", "random players")
    assert load(tmp_path / "sb3-4A").schema.scenario.name == "4A"
    assert json.loads((tmp_path / "sb3-4A/policy.json").read_text("utf-8"))["steps"] < 1000


def test_an_interrupt_before_learning_gives_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mascarade_train._sb3.training.watched", interrupted)
    assert run(tmp_path) == 130
    assert states(capsys.readouterr().err, "mascarade", "interrupted")


def test_the_time_limit_ends_the_learning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--steps", "1000000", "--minutes", "0.01") == 0
    assert load(tmp_path / "sb3-4A").schema.size == 283


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--scenario", "13A"], ["scenario", "'13A'", "12A"]),
        (["--minutes", "0"], ["--minutes", 0, "0.0"]),
        (["--steps", "0"], ["--steps", 1, 0]),
        (["--seed", "-1"], ["--seed", "2**32-1", -1]),
        (["--games", "0"], ["--games", 1, 0]),
        (["--snapshot-every", "0"], ["--snapshot-every", 1, 0]),
        (["--evaluation", "1"], ["--evaluation", 2, 1]),
        (["--keep", "0"], ["keep", 1, 0]),
        (["--newest", "2"], ["newest", 0, 1, "2.0"]),
        (["--learning-rate", "0"], ["--learning-rate", 0, "0.0"]),
        (["--learning-rate", "inf"], ["--learning-rate", 0, "inf"]),
        (["--entropy", "inf"], ["--entropy", 0, "inf"]),
        (["--entropy", "-1"], ["--entropy", 0, "-1.0"]),
        (["--track", "memory"], ["--track", "belief", "both"]),
        (["--name", "../elsewhere"], ["--name", "folder", "'../elsewhere'"]),
        (["--batch", "127"], ["--batch 127", "minibatch", "--games", "--rollout"]),
        (["--folder", "/dev/null/runs"], ["/dev/null/runs"]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_bad_arguments_are_told_in_one_line(
    words: list[str], message: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, *words) == 2
    err = capsys.readouterr().err
    assert states(err, *message)
    assert err.startswith("mascarade: ")
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
