"""Whole runs: they can be repeated, interrupted and resumed; they learn."""

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import ArrayLike
from tensorboard.backend.event_processing.event_accumulator import (  # type: ignore[import-untyped]
    EventAccumulator,
)

from mascarade_env import MascaradeError
from mascarade_env.envs._self_play import SelfPlay
from mascarade_env.observation._blocks import Track
from mascarade_train._agents import NetworkAgent
from mascarade_train._evaluation import alone_among
from mascarade_train._league import League
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Training
from mascarade_train._run import checkpoints
from mascarade_train._run.examination import nash_conv_of
from mascarade_train._run.logs import NAME as LOG
from mascarade_train._run.logs import Log
from mascarade_train._run.processes import ProcessGroup
from mascarade_train._run.resume import settings_of
from mascarade_train._settings import as_json, checked
from tests.mascarade_train.random_nets import random_net
from tests.mascarade_train.small_runs import EVERYTHING, After, different, small
from tests.mascarade_train.small_runs import training as new
from tests.messages import facts, states
from tests.tiers import slow_from

PLAIN: dict[str, Any] = {"evaluate_every": 200}


def goes_on(run: Path, **changes: Any) -> Training:
    made = new(run, **changes)
    made.restore(checkpoints.load(run))
    return made


@contextmanager
def folders(parent: Path, *names: str) -> Iterator[list[Path]]:
    made = [parent / name for name in names]
    for folder in made:
        folder.mkdir()
    yield made


@pytest.mark.parametrize(
    "changes",
    [PLAIN, PLAIN | {"teacher": "stopper", "teaching": 0.9}, PLAIN | EVERYTHING],
    ids=["plain", "teacher", "everything"],
)
def test_broken_off_it_goes_on_as_it_would_have(tmp_path: Path, changes: dict[str, Any]) -> None:
    """All saved values are equal to the bit, and so are the games."""
    with folders(tmp_path, "whole", "parts") as (whole, parts):
        uninterrupted = new(whole, **changes)
        uninterrupted.go()
        for stops in (2, 3):
            made = new(parts, **changes) if stops == 2 else goes_on(parts, **changes)
            made.go(After(stops))
            assert 0 < made.decisions < 600
        made = goes_on(parts, **changes)
        made.go()
        assert made.decisions == uninterrupted.decisions >= 600
        assert made.updates == uninterrupted.updates > 4
        expected, found = (checkpoints.load(folder) for folder in (whole, parts))
        assert different(expected, found) == []
        arrays = [PolicyFile.load(folder).arrays for folder in (whole, parts)]
        assert {name: a.tobytes() for name, a in arrays[0].items()} == {
            name: a.tobytes() for name, a in arrays[1].items()
        }
        # Evaluated at the same decisions.
        logs = [(folder / "log.jsonl").read_text().splitlines() for folder in (whole, parts)]
        decisions = [[json.loads(line)["decisions"] for line in log] for log in logs]
        assert decisions[0] == decisions[1]
        assert len(decisions[0]) >= 3
        # The comparison finds differences.
        more = new(parts, **changes)
        more.restore(expected)
        more.settings = replace(more.settings, decisions=10**6)
        more.go(After(2))
        assert len(different(expected, checkpoints.load(parts))) > 20


def test_the_seed_tells_all(tmp_path: Path) -> None:
    def run(name: str, seed: int) -> dict[str, Any]:
        (tmp_path / name).mkdir()
        made = new(tmp_path / name, decisions=200, seed=seed)
        np.random.seed(seed + 5)  # another user of this rng does not matter
        made.go()
        return checkpoints.load(tmp_path / name)

    assert different(run("a", 3), run("b", 3)) == []
    assert any("network" in place for place in different(run("c", 3), run("d", 4)))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"layers": (17,)}, facts("another network", "settings")),
        ({"games": 9}, facts("guests", "shape")),
        ({"scenario": ("4B",)}, facts("other scenarios")),  # as large as 4A
        ({"league": 0.5}, facts("no league", "leave --league")),
        ({"most_worlds": 64}, facts("--most-worlds 4096")),
    ],
    ids=str,
)
def test_with_other_settings_it_does_not_go_on(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    new(tmp_path).save()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(MascaradeError, match=told):
        goes_on(tmp_path, **changes)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_run_with_guests_does_not_go_on_without(tmp_path: Path) -> None:
    """Opponents hold seats in running games, and their decisions are not the learner's."""
    new(tmp_path, league=0.5).save()
    with pytest.raises(MascaradeError, match=facts("a league", "leave --league")):
        goes_on(tmp_path)


def test_it_does_not_go_on_in_other_games_or_processes(tmp_path: Path) -> None:
    new(tmp_path, scenario=("4A", "6A"), padded=True).save()
    with pytest.raises(MascaradeError, match=facts("other scenarios")):
        goes_on(tmp_path, padded=True)
    alone = Training(small(scenario=("4A", "6A"), padded=True), tmp_path, ProcessGroup(1, 2))
    with pytest.raises(MascaradeError, match=facts("1 processes", 2, "--processes 1")):
        alone.restore(checkpoints.load(tmp_path))


def test_settings_are_kept_with_a_run(tmp_path: Path) -> None:
    made = new(tmp_path, **EVERYTHING, minutes=2.5, name="x", folder=Path("else/where"))
    made.save()
    assert settings_of(tmp_path) == replace(made.settings, resume=tmp_path)
    saved = checkpoints.load(tmp_path)
    given = json.loads(saved["settings"])
    # A setting that did not exist when the run was made has its default.
    del given["slots"], given["magnet"]
    checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": json.dumps(given)})
    with pytest.raises(MascaradeError, match=facts("--slots is 0", "5")):
        settings_of(tmp_path)
    given = given | {"slots": 5}
    checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": json.dumps(given)})
    assert settings_of(tmp_path) == replace(made.settings, magnet=0.0, resume=tmp_path)


def test_settings_that_are_gone_are_read_if_they_had_no_effect(tmp_path: Path) -> None:
    made = new(tmp_path)
    made.save()
    saved = checkpoints.load(tmp_path)
    none = {"hold": 0.0, "belief": 0.0, "critic": "player"}
    given = as_json(made.settings) | none
    checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": json.dumps(given)})
    assert settings_of(tmp_path) == replace(made.settings, resume=tmp_path)
    given["worlds"] = given.pop("most_worlds")  # the name in version 0.1
    checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": json.dumps(given)})
    found = settings_of(tmp_path)
    assert found == replace(made.settings, resume=tmp_path)
    Training(found, tmp_path).restore(checkpoints.load(tmp_path))
    for name, value in {"hold": 0.1, "belief": 0.5, "critic": "table", "gone": 1}.items():
        words = json.dumps(given | {name: value})
        checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": words})
        wanted = facts(repr(str(tmp_path)), "version of mascarade-env", f"--{name}", "--start")
        with pytest.raises(MascaradeError, match=wanted):
            settings_of(tmp_path)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"settings": "{"}, facts("checkpoint", "no settings", "another")),
        ({"settings": "[]"}, facts("checkpoint", "no settings", "another")),
        ({"settings": 5}, facts("checkpoint", "no settings", "another")),
        ({"games": "many"}, facts("cannot be resumed", "--games", "'many'")),
        ({"scenario": 5}, facts("cannot be resumed", "--scenario", 5)),
        ({"learning_rate": "1e-3"}, facts("cannot be resumed", "--learning-rate", "'1e-3'")),
        ({"minutes": "x"}, facts("cannot be resumed", "--minutes", "'x'")),
        ({"teacher": ["stopper"]}, facts("cannot be resumed", "--teacher", "['stopper']")),
        ({"name": 5}, facts("cannot be resumed", "--name", 5)),
        ({"games": True}, facts("cannot be resumed", "--games", True)),
    ],
    ids=str,
)
def test_damaged_settings_are_told(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    new(tmp_path).save()
    saved = checkpoints.load(tmp_path)
    if "settings" not in changes:
        changes = {"settings": json.dumps(json.loads(saved["settings"]) | changes)}
    checkpoints.save(tmp_path / checkpoints.NAME, saved | changes)
    with pytest.raises(MascaradeError, match=told):
        settings_of(tmp_path)


def test_a_checkpoint_that_lacks_something_is_told(tmp_path: Path) -> None:
    new(tmp_path).save()
    saved = checkpoints.load(tmp_path)
    for part in ("scenarios", "decisions", "seconds", "updates", "due", "learner", "processes"):
        with pytest.raises(
            MascaradeError, match=facts("checkpoint", "another", "KeyError", f"'{part}'")
        ):
            new(tmp_path).restore({name: value for name, value in saved.items() if name != part})
    for part, value in (("processes", 3), ("processes", [{"games": 3}])):
        with pytest.raises(MascaradeError, match=facts("checkpoint", "another")):
            new(tmp_path).restore(saved | {part: value})


def test_a_run_begins_with_a_policy(tmp_path: Path) -> None:
    """It starts with these weights, records them on its card, and resumes without the file."""
    start = tmp_path / "first.npz"
    first = random_net("4A", "both", layers=(16,), events=3, slots=0)
    given = {"command": "mascarade train --preset 4A", "decisions": 5}
    first = replace(first, card={**first.card, "provenance": given})
    first.save(start)
    run = tmp_path / "run"
    run.mkdir()
    options: dict[str, Any] = {"start": start, "embedding": 3, "league": 0.5}
    made = new(run, **options)
    for name, array in made.policy().arrays.items():
        np.testing.assert_array_equal(array, first.arrays[name].astype(np.float32))
    assert made.league is not None
    ((*_, guest),) = made.league.state()["snapshots"]  # the network at the start
    for name, array in first.arrays.items():
        np.testing.assert_array_equal(guest[name].numpy(), array)
    made.save()
    start.unlink()
    again = Training(settings_of(run), run)
    again.restore(checkpoints.load(run))
    assert settings_of(run).start == start
    for each in (made, again):
        assert each.policy().card["provenance"]["start"] == given
    assert "start" not in new(tmp_path).policy().card["provenance"]


@pytest.mark.parametrize(
    ("first", "changes", "told"),
    [
        (("6A", "both"), {}, facts("plays 6A", "not 4A")),
        (("4B", "both"), {}, facts("plays 4B", "not 4A")),
        (("4A", "belief"), {}, facts("--start", "'belief'", "'both'")),
        (
            ("4A", "both"),
            {"layers": (17,)},
            facts("--start", "--layers 16", "--events 3", "--embedding 3", "--slots 0"),
        ),
        (
            ("4A", "both"),
            {"slots": 4},
            facts("--start", "--layers 16", "--events 3", "--embedding 3", "--slots 0"),
        ),
    ],
)
def test_a_policy_that_cannot_be_begun_with_is_told(
    tmp_path: Path, first: tuple[str, Track], changes: dict[str, Any], told: str
) -> None:
    start = tmp_path / "first.npz"
    events = 0 if first[1] == "belief" else 3
    random_net(*first, layers=(16,), events=events).save(start)
    for make in (checked, lambda s: Training(s, tmp_path)):
        with pytest.raises(MascaradeError, match=told):
            make(small(start=start, **{"embedding": 3, **changes}))
    with pytest.raises(MascaradeError, match=facts("read", "nothing.npz", "--start")):
        checked(small(start=tmp_path / "nothing.npz"))


def test_what_a_run_has_drawn_from_already_cannot_be_changed(tmp_path: Path) -> None:
    new(tmp_path).save()
    changed: dict[str, Any]
    for changed, told in (
        ({"seed": 7}, facts("--seed 0")),
        ({"most_worlds": 9}, facts("--most-worlds 4096")),
        ({"name": "other"}, facts("--name None")),
        ({"folder": Path("elsewhere")}, facts("--folder runs")),
    ):
        with pytest.raises(MascaradeError, match=told):
            goes_on(tmp_path, **changed)
    goes_on(tmp_path, entropy=0.7)


@pytest.mark.parametrize(
    "line",
    [
        "garbage", "[]", '{"x": 1}', '{"decisions": "many"}', '{"decisions": 1e999}',
        '{"decisions": Infinity}', '{"decisions": 1.5}', "[" * 100_000,
    ],
    ids=range(8),
)  # fmt: skip
def test_a_log_that_is_none_is_told(tmp_path: Path, line: str) -> None:
    (tmp_path / LOG).write_text(f"{line}\n", "utf-8")
    with pytest.raises(MascaradeError, match=facts("last line", "log.jsonl", "remove")):
        Log(tmp_path)
    assert (tmp_path / LOG).read_text("utf-8") == f"{line}\n"


FULL = """
import resource, sys
from pathlib import Path
from mascarade_env import MascaradeError
from mascarade_train._run.logs import Log

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)  # as on a disk that is full
try:
    log = Log(Path(sys.argv[1]))
    for decisions in range(2000):
        log.learned(decisions, 1.0, {"entropy": 1.0}, {})
    log.close()
except MascaradeError as error:
    print(error)
"""


@pytest.mark.parametrize("room", slow_from(1, [20_000, 0]))
def test_a_log_on_a_full_disk_ends_in_a_line(tmp_path: Path, room: int) -> None:
    """TensorBoard writes in a separate thread."""
    words = [sys.executable, "-c", FULL, str(tmp_path), str(room)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    assert states(done.stdout, f"cannot write the log in '{tmp_path}': File too large")


def test_curves_go_on_where_the_checkpoint_is(tmp_path: Path) -> None:
    """Points between the last checkpoint and the end of a killed run appear once."""
    for decisions, reached in ((0, (10, 20, 30)), (20, (30, 40))):
        log = Log(tmp_path, decisions)
        for each in reached:
            log.learned(each, 1.0, {"entropy": float(each + decisions)}, {})
        log.close()
    drawn = EventAccumulator(str(tmp_path)).Reload().Scalars("learning/entropy")
    assert [(point.step, point.value) for point in drawn] == [
        (10, 10), (20, 20), (30, 50), (40, 60)
    ]  # fmt: skip


def logged(run: Path) -> list[int]:
    """The numbers of decisions at which there were evaluations."""
    return [json.loads(line)["decisions"] for line in (run / LOG).read_text("utf-8").splitlines()]


def test_an_error_leaves_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A training in progress, with weights that are not finite."""
    made = new(tmp_path, evaluate_every=100)

    def fail(*_: Any) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(Log, "examined", fail)
        with pytest.raises(RuntimeError, match="broken"):
            made.go()
    assert checkpoints.load(tmp_path)["decisions"] == made.decisions > 0
    kept = (tmp_path / checkpoints.NAME).read_bytes()
    with torch.no_grad():
        made.learner.average.policy.weight[0] = torch.nan
    with pytest.raises(MascaradeError, match=facts("numbers", "not finite", "training")):
        made.save()
    assert (tmp_path / checkpoints.NAME).read_bytes() == kept
    goes_on(tmp_path, evaluate_every=100).go()
    assert PolicyFile.load(tmp_path).card["provenance"]["decisions"] >= 600
    # The missing evaluation was made later, as in an uninterrupted run.
    (tmp_path / "whole").mkdir()
    new(tmp_path / "whole", evaluate_every=100).go()
    assert logged(tmp_path) == logged(tmp_path / "whole")
    kept = (tmp_path / LOG).read_bytes()
    with (tmp_path / LOG).open("a", encoding="utf-8") as log:
        log.write('{"decisions": 6')  # killed while it wrote a line
    again = goes_on(tmp_path, evaluate_every=100, decisions=601)
    again.examined = False  # killed after the line and before the next checkpoint
    again.go()
    assert (tmp_path / LOG).read_bytes().startswith(kept)
    assert len(set(logged(tmp_path))) == len(logged(tmp_path))


def test_all_actions_are_legal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all kinds of opponents in padded games, in a run that learns fast."""
    stepped, counts = SelfPlay.step, {"decisions": 0, "guests": 0}

    def step(self: SelfPlay, actions: ArrayLike, values: ArrayLike, **extras: Any) -> None:
        taken = np.asarray(actions)
        assert (self.batch.mask[np.arange(len(self.batch)), taken] == 1).all()
        counts["decisions"] += len(taken)
        counts["guests"] += int((~extras["own"]).sum())
        # Predicted win probabilities are finite, and sum to 1.
        own = extras["own"]
        chances = np.exp(extras["log_chances"][own])
        assert np.abs(chances.sum(axis=1) - 1).max(initial=0) < 1e-4
        assert not chances[self.batch.mask[own] == 0].any()
        # The win shares of the players at the table sum to 1.
        n = self.batch.scenario.players
        np.testing.assert_allclose(np.sum(values, axis=1)[own], 0, atol=1e-4)
        assert np.shape(values) == (len(taken), n)
        stepped(self, actions, values, **extras)

    monkeypatch.setattr(SelfPlay, "step", step)
    made = new(tmp_path, **EVERYTHING | {"learning_rate": 0.03, "decisions": 1500})
    made.go()
    assert counts["decisions"] > 1500 + counts["guests"] > 1800


def test_each_process_has_games_and_luck_of_its_own(tmp_path: Path) -> None:
    """Compared with an untrained network."""
    made = [Training(small(games=32), tmp_path, ProcessGroup(rank, 2)) for rank in (0, 1)]
    deals = [{row.tobytes() for row in each.games.observation} for each in made]
    assert len(deals[0] & deals[1]) < 4
    assert made[0].rng.random() != made[1].rng.random()
    assert different(made[0].learner.state(), made[1].learner.state()) == []


def test_the_league_learns_of_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr(League, "learned", lambda self, decisions, network: told.append(decisions))
    made = new(tmp_path, league=0.5)
    made.go()
    assert told[-1] == made.decisions
    assert len(told) == made.updates


class Like(ProcessGroup):
    """A group of n processes, all of which do the same as this one."""

    def mean(self, tensors: Iterable[torch.Tensor]) -> None:
        pass

    def sum(self, numbers: Iterable[float]) -> list[float]:
        return [self.size * number for number in numbers]

    def gather(self, mine: Any) -> list[Any]:
        return [mine] * self.size


@pytest.mark.parametrize("processes", [1, 3])
def test_it_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    """Schedules run over the time limit."""
    now = [0.0]

    def clock() -> float:
        now[0] += 3.0  # twice in each update
        return now[0]

    monkeypatch.setattr(time, "monotonic", clock)
    settings = small(minutes=0.5, decisions=10**9, learning_rate=1e-3, learning_rate_end=0.0)
    made = Training(settings, tmp_path, Like(0, processes))
    rates = []
    learn = made.learner.learn

    def noted(*given: Any) -> Any:
        found = learn(*given)
        rates.append(found.learning_rate)
        return found

    monkeypatch.setattr(made.learner, "learn", noted)
    made.go()
    assert made.updates == 10
    assert rates == pytest.approx(np.linspace(1e-3, 1e-4, 10))


# It learns. The margins are wide: numbers differ in their last digits between machines.


def agent(made: Training) -> NetworkAgent:
    return NetworkAgent(made.schemas[0].scenario, NetPolicy(made.policy()))


def test_a_game_known_as_a_whole_tree_is_learned(tmp_path: Path) -> None:
    """NashConv is exact, and starts with that of uniform play."""
    made = new(
        tmp_path, scenario=("tiny-2",), games=128, steps=32, layers=(64,), events=8,
        embedding=8, epochs=3, minibatches=8, decisions=100_000, entropy=0.2, entropy_end=1.0,
        trace=0.95, average=0.03,
    )  # fmt: skip
    before = nash_conv_of(agent(made))
    made.go()
    after = nash_conv_of(agent(made))
    assert before is not None
    assert after is not None
    assert before > 0.6
    assert after < 0.42


@pytest.mark.slow
def test_players_of_a_whole_game_learn_to_win(tmp_path: Path) -> None:
    """In seconds, from random weights to winning three of four games against random players."""
    made = new(
        tmp_path, games=64, steps=64, layers=(64,), events=8, embedding=8, epochs=3,
        minibatches=8, decisions=300_000, learning_rate=3e-3, entropy=0.1, entropy_end=0.3,
        average=0.1,
    )  # fmt: skip
    before = alone_among(agent(made), "random", "4A", games=400, seed=2**40)
    made.go()
    after = alone_among(agent(made), "random", "4A", games=400, seed=2**40)
    assert abs(before.mean - before.fair) < before.high - before.low
    assert after.low > 0.6
    assert after.broken_off == 0
