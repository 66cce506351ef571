"""Networks from policy files, against the same networks in torch, and as agents."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch.nn.functional import embedding, linear

from mascarade_agents import make_agent
from mascarade_agents._cli.nashconv import nashconv
from mascarade_env import Batch, MascaradeError, Positions, Scenario, Schema, scenarios
from mascarade_env.observation._blocks import Track
from mascarade_env.testing import check_agent
from mascarade_train._net_policy import NetPolicy, drawn
from mascarade_train._networks import Network
from mascarade_train._policy_file import PolicyFile
from tests.mascarade_train.random_nets import positions, random_net, read_apart, undecided
from tests.messages import facts


class InTorch(torch.nn.Module):
    """The same network in torch."""

    def __init__(self, file: PolicyFile, head: str) -> None:
        super().__init__()

        def parameter(name: str) -> torch.nn.Parameter:
            return torch.nn.Parameter(torch.tensor(np.asarray(file.arrays[name], np.float32)))

        names = [*(f"trunk.{layer}" for layer in range(file.layers)), head]
        *self.layers, self.head = (
            (parameter(f"{name}.weight"), parameter(f"{name}.bias")) for name in names
        )
        self.schema, self.events = file.schema, file.events
        if self.events:
            self.tokens = parameter("tokens")
        self.slots = "slots.weight" in file.arrays
        if self.slots:
            self.slot, self.pooled = parameter("slots.weight"), parameter("pooled.weight")
            self.asked = parameter("asked.weight"), parameter("asked.bias")

    def forward(self, observation: NDArray[np.float32]) -> torch.Tensor:
        """The scores of its head."""
        views = self.schema.views(observation)
        blocks = [views[name] for name in self.schema.places if name != "window"]
        read = [torch.tensor(block.reshape(len(observation), -1)) for block in blocks]
        if self.events:
            window = torch.tensor(views["window"][:, -self.events :]).long()
            vectors = [embedding(window[:, :, n], part) for n, part in enumerate(self.tokens)]
            read.append(torch.stack(vectors).sum(0).relu().flatten(1))
        numbers = torch.cat(read, 1)
        if self.slots:
            slots = (torch.tensor(read_apart(self.schema, observation)) @ self.slot.T).relu()
        for layer, weights in enumerate(self.layers):
            numbers = linear(numbers, *weights)
            if self.slots and layer == 0:
                numbers = numbers + slots.sum(1) @ self.pooled.T
            numbers = numbers.relu()
        found = linear(numbers, *self.head)
        if self.slots and len(self.head[0]) != self.schema.seats:
            take, target = linear(numbers, *self.asked).chunk(2, dim=1)
            seats, first = self.schema.seats, self.schema.slots + len(self.schema.masks) + 4
            for slot in range(1, self.schema.slots):
                found[:, slot - 1] += (slots[:, slot] * take).sum(1)
                if slot < seats:
                    found[:, first + slot - 1] += (slots[:, slot] * target).sum(1)
        return found


def told_by_torch(
    file: PolicyFile, observation: NDArray[np.float32], mask: NDArray[np.int8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The scores of actions, and who wins, from the whole softmax of each row alone."""
    with torch.inference_mode():
        scores = InTorch(file, "policy")(observation)
        scores[torch.tensor(mask) == 0] = -torch.inf
        heads = InTorch(file, "wins")(observation)
        occupied = file.schema.views(observation)["occupied"]
        wins = torch.zeros_like(heads)
        for row, seats in enumerate(occupied.astype(int).sum(axis=1).tolist()):
            wins[row, :seats] = heads[row, :seats].softmax(0)
    return scores.numpy(), wins.numpy()


@pytest.mark.parametrize("slots", [0, 5])
@pytest.mark.parametrize("kind", ["float32", "float16"])
@pytest.mark.parametrize(
    ("scenario", "track", "padded", "played"),
    [
        ("4A", "belief", False, "4A"),
        ("6A", "both", False, "6A"),
        ("8B", "memory", True, "4A"),
        ("8B", "both", True, "12A"),
    ],
)
def test_scores_and_wins_are_those_of_torch(
    scenario: str, track: Track, kind: str, played: str, slots: int, *, padded: bool
) -> None:
    file = random_net(scenario, track, padded=padded, layers=(32, 24), kind=kind, slots=slots)
    net = NetPolicy(file)
    observation, mask = positions(file.schema, played)
    scores, wins = told_by_torch(file, observation, mask)
    np.testing.assert_allclose(net.scores(observation, mask), scores, atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(net.wins(observation), wins, atol=1e-5)
    assert net.scores(observation, mask).dtype == net.wins(observation).dtype == np.float32
    players = scenarios()[played].players
    assert (net.wins(observation)[:, players:] == 0).all()
    np.testing.assert_allclose(net.wins(observation).sum(axis=1), 1, atol=1e-5)


def test_choices_are_those_of_torch_with_the_same_random_numbers() -> None:
    file = random_net("4A", "both")
    observation, mask = positions(file.schema)
    scores, _ = told_by_torch(file, observation, mask)
    noise = np.random.default_rng(5).gumbel(size=scores.shape)
    expected = (scores + noise).argmax(axis=1)
    taken = drawn(NetPolicy(file).scores(observation, mask), np.random.default_rng(5))
    assert taken.tolist() == expected.tolist()
    assert (mask[np.arange(len(mask)), expected] == 1).all()
    assert len(set(expected.tolist())) > 10


@pytest.mark.parametrize("events", [0, 1, 32])
def test_it_reads_as_many_events_as_it_has_learned(events: int) -> None:
    file = random_net("4A", "both", events=events)
    net = NetPolicy(file)
    observation, mask = positions(file.schema)
    scores, _ = told_by_torch(file, observation, mask)
    found = net.scores(observation, mask)
    np.testing.assert_allclose(found, scores, atol=1e-5, rtol=1e-5)
    other = observation.copy()
    file.schema.views(other)["window"][:, : 32 - events] = 7
    np.testing.assert_array_equal(net.scores(other, mask), found)
    if events:
        file.schema.views(other)["window"][:, -events:] = 7
        assert (net.scores(other, mask) != found).any()


def test_words_that_do_not_exist_do_no_harm() -> None:
    net = NetPolicy(random_net("4A", "both"))
    observation, _ = positions(net.schema)
    for word in (-5, 1000, np.nan, np.inf):
        net.schema.views(observation)["window"][...] = word
        assert np.isfinite(net.wins(observation)).all()


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("track", ["belief", "both"])
def test_it_says_what_the_network_says_that_learns(track: Track, *, padded: bool) -> None:
    schema = Schema("6A", track, padded=padded)
    torch.manual_seed(0)
    network = Network(schema, (16, 8), events=7, embedding=4, slots=6)
    with torch.no_grad():
        network.policy.weight.mul_(100)
    net = NetPolicy(PolicyFile.of(schema, network.arrays(), events=network.events))
    observation, mask = positions(schema)
    with torch.inference_mode():
        said = network(torch.tensor(observation), torch.tensor(mask))
    legal = mask == 1
    found = net.log_chances(observation, mask)
    np.testing.assert_allclose(found[legal], said.log_probs.numpy()[legal], atol=1e-5)
    np.testing.assert_allclose(net.wins(observation), said.log_wins.exp().numpy(), atol=1e-5)


def test_without_hidden_layers_it_is_linear() -> None:
    file = random_net("4A", layers=())
    observation, mask = positions(file.schema)
    scores, _ = told_by_torch(file, observation, mask)
    np.testing.assert_allclose(NetPolicy(file).scores(observation, mask), scores, atol=1e-5)


@pytest.mark.parametrize("slots", [0, 5])
def test_what_it_says_of_a_row_does_not_depend_on_the_others(slots: int) -> None:
    net = NetPolicy(random_net("6A", "both", padded=True, slots=slots))
    observation, mask = positions(net.schema)
    order = np.random.default_rng(0).permutation(len(mask))
    scores, wins = net.scores(observation, mask), net.wins(observation)
    np.testing.assert_array_equal(net.scores(observation[order], mask[order]), scores[order])
    for row in range(5):
        here = slice(row, row + 1)
        np.testing.assert_array_equal(net.scores(observation[here], mask[here]), scores[here])
        np.testing.assert_array_equal(net.wins(observation[here]), wins[here])


@pytest.mark.parametrize("slots", [0, 5])
@pytest.mark.parametrize("rows", [0, 1, 3])
def test_any_number_of_rows_is_answered(rows: int, slots: int) -> None:
    net = NetPolicy(random_net("4A", slots=slots))
    observation, mask = positions(net.schema)
    np.testing.assert_allclose(
        net.scores(observation[:rows], mask[:rows]), net.scores(observation, mask)[:rows], atol=1e-5
    )
    np.testing.assert_allclose(
        net.wins(observation[:rows]), net.wins(observation)[:rows], atol=1e-5
    )


def test_log_chances_are_finite_and_sum_to_one() -> None:
    net = NetPolicy(random_net("4A"))
    observation, mask = positions(net.schema)
    mask = mask.copy()
    mask[0] = 0  # no legal action, which must not happen
    found = net.log_chances(observation, mask)
    assert np.isfinite(found).all()
    assert (found[mask == 0] == -1e9).all()
    np.testing.assert_allclose(np.exp(found[1:]).sum(axis=1), 1, atol=1e-5)
    scores = net.scores(observation, mask)[1:]
    shift = (scores - found[1:])[mask[1:] == 1]
    rows = np.nonzero(mask[1:])[0]
    for row in range(len(scores)):
        assert np.ptp(shift[rows == row]) < 1e-4


def test_what_it_is_given_stays_as_it_is() -> None:
    net = NetPolicy(random_net("4A", layers=()))
    observation, mask = positions(net.schema)
    before = observation.copy(), mask.copy()
    net.scores(observation, mask)
    net.wins(observation)
    np.testing.assert_array_equal(observation, before[0])
    np.testing.assert_array_equal(mask, before[1])


def test_arrays_of_other_shapes_are_told() -> None:
    net = NetPolicy(random_net("4A", "belief"))
    observation, mask = positions(net.schema)
    with pytest.raises(MascaradeError, match=facts("arrays", "scenario='4A'", "track='belief'")):
        net.scores(observation[:, :-1], mask)
    with pytest.raises(MascaradeError, match=facts("arrays", "shape (283,)")):
        net.wins(observation[0])
    with pytest.raises(MascaradeError, match=facts("26 actions", "mask", "shape")):
        net.scores(observation, mask[:, :-1])
    with pytest.raises(MascaradeError, match=facts("26 actions", "mask", "shape")):
        net.scores(observation, mask[:-1])


def test_numbers_out_of_bounds_are_told() -> None:
    file = random_net("4A")
    large = {name: np.full_like(array, 3e38) for name, array in file.arrays.items()}
    observation, mask = positions(file.schema)
    with pytest.raises(MascaradeError, match=facts("not finite", "observation", "weights")):
        NetPolicy(PolicyFile(file.card, large)).scores(observation, mask)
    with pytest.raises(MascaradeError, match=facts("not finite", "observation", "weights")):
        NetPolicy(file).wins(np.full_like(observation, np.nan))


# As agents


@pytest.mark.parametrize(
    ("scenario", "track", "padded", "played"),
    [
        ("4A", "belief", False, "4A"),
        ("6A", "both", True, "4A"),
        ("6A", "memory", True, "12A"),
    ],
)
def test_a_policy_file_is_an_agent(
    tmp_path: Path, scenario: str, track: Track, played: str, *, padded: bool
) -> None:
    undecided(random_net(scenario, track, padded=padded)).save(tmp_path / "policy.npz")
    players = scenarios()[played].players
    for name in (tmp_path, tmp_path / "policy.npz"):
        report = check_agent(make_agent(f"net:{name}", played), played, games=players)
        assert report.games == players


@pytest.mark.parametrize("padded", [False, True])
def test_an_agent_decides_as_its_network(tmp_path: Path, *, padded: bool) -> None:
    file = random_net("6A", "belief", padded=padded)
    file.save(tmp_path / "policy.npz")
    agent = make_agent(f"net:{tmp_path}", "6A")
    everything = Schema("6A", "both")
    observation, mask = positions(everything)
    batch = Batch("6A", 1, padded=padded)
    seen = np.pad(observation, ((0, 0), (0, 1)))[:, file.schema.indices_in(everything)]
    legal = np.zeros((len(mask), file.actions), np.int8)
    places = np.flatnonzero(batch.unpadded >= 0) if padded else np.arange(file.actions)
    legal[:, places] = mask[:, batch.unpadded[places]] if padded else mask
    scores = NetPolicy(file).scores(seen, legal)[:, places]
    noise = np.random.default_rng(2).gumbel(size=scores.shape)
    expected = (scores + noise).argmax(axis=1)
    taken = agent.act_batch(Positions(observation, mask, agent.reads), np.random.default_rng(2))
    assert taken.tolist() == expected.tolist()
    told = agent.probabilities(Positions(observation, mask, agent.reads))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    assert told is not None
    np.testing.assert_allclose(told, weights / weights.sum(axis=1, keepdims=True), atol=1e-6)


def test_the_policy_file_of_a_run_is_preferred_to_its_checkpoint(tmp_path: Path) -> None:
    random_net("4A").save(tmp_path / "policy.npz")
    (tmp_path / "policy.zip").write_bytes(b"not read")
    (tmp_path / "policy.json").write_text("not read")
    make_agent(f"net:{tmp_path}", "4A")


def test_another_name_of_the_same_scenario_is_played(tmp_path: Path) -> None:
    random_net("4A").save(tmp_path / "policy.npz")
    told = scenarios()["4A"].to_dict()
    make_agent(f"net:{tmp_path}", Scenario.from_dict(told | {"name": "at home"}))
    with pytest.raises(MascaradeError, match=facts("4A", "not at home", "train")):
        make_agent(f"net:{tmp_path}", told | {"name": "at home", "turn_limit": 90})
    with pytest.raises(MascaradeError, match=facts("another scenario", "4A", "train")):
        make_agent(f"net:{tmp_path}", told | {"turn_limit": 90})
    with pytest.raises(MascaradeError, match=facts("4A", "not 4B", "train")):
        make_agent(f"net:{tmp_path}", "4B")


def test_a_padded_network_has_no_room_for_a_larger_centre(tmp_path: Path) -> None:
    random_net("4A", padded=True).save(tmp_path / "policy.npz")
    wide = Scenario("wide", 2, ("judge", "king", "thief", "widow", "spy"), strict=False)
    with pytest.raises(MascaradeError, match=facts("2 masks", "centre", "wide", 3)):
        make_agent(f"net:{tmp_path}", wide)


def test_what_is_neither_a_file_nor_a_run_is_told(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nothing", tmp_path / "nothing.zip"):
        with pytest.raises(MascaradeError, match=facts("checkpoint", "policy file", place)):
            make_agent(f"net:{place}", "4A")
    with pytest.raises(MascaradeError, match=facts("read", "nothing.npz", "No such file")):
        make_agent(f"net:{tmp_path / 'nothing.npz'}", "4A")


def test_a_policy_file_is_played_without_torch(tmp_path: Path) -> None:
    random_net("tiny-2").save(tmp_path / "policy.npz")
    lines = [
        "import sys",
        "for name in ('torch', 'stable_baselines3', 'onnx', 'onnxruntime'):",
        "    sys.modules[name] = None",
        "from mascarade_agents import make_agent",
        f"agent = make_agent('net:{tmp_path}', 'tiny-2')",
        "from mascarade_env import Game",
        "import numpy as np",
        "print(agent.act(Game('tiny-2', seed=1).view(), np.random.default_rng(0)))",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) in range(20)


def test_what_a_checkpoint_needs_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "policy.zip").touch()
    monkeypatch.setitem(sys.modules, "mascarade_train._sb3.policies", None)
    with pytest.raises(MascaradeError, match=facts("pip install 'mascarade-env[train]'")):
        make_agent(f"net:{tmp_path}", "4A")


@pytest.mark.parametrize("padded", [False, True])
def test_what_a_policy_file_can_be_exploited_by_is_exact(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, padded: bool
) -> None:
    random_net("tiny-2", padded=padded).save(tmp_path / "policy.npz")
    nashconv((f"net:{tmp_path}",), "tiny-2", json=True)
    (found,) = json.loads(capsys.readouterr().out)["agents"]
    assert found["exact"]
    assert 0 < found["nash_conv"] < 2
