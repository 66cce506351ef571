"""The learner's networks, compared with one of torch's standard layers."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import relu

from mascarade_env import Batch, MascaradeError, Schema
from mascarade_env.knowledge._windows import TOKEN, WINDOW
from mascarade_train._net_policy import NetPolicy
from mascarade_train._networks import IMPOSSIBLE, Critic, Network, Output, _ReadEvents
from mascarade_train._policy_file import WORDS, PolicyFile, numbers_read
from tests.mascarade_train.random_nets import positions, read_apart
from tests.messages import facts

LAYOUTS = [("4A", "both", False), ("6A", "memory", False), ("5A", "belief", False)]
LAYOUTS += [("4A", "both", True)]


def network(
    scenario: str,
    track: str,
    padded: bool,
    events: int = 5,
    slots: int = 0,
) -> Network:
    """A network whose heads have large weights."""
    torch.manual_seed(3)
    schema = Schema(scenario, track, padded=padded)
    made = Network(schema, (24, 16), events=events, embedding=3, slots=slots)
    heads = [made.policy, made.wins]
    if slots:
        heads.append(made.asked)
    with torch.no_grad():
        for head in heads:
            head.weight.normal_(0, 0.3)
            head.bias.normal_(0, 0.3)
    return made


def asked(schema: Schema) -> tuple[Tensor, Tensor]:
    observation, mask = positions(schema)
    return torch.from_numpy(observation), torch.from_numpy(mask)


def plain(made: Network, observation: Tensor, mask: Tensor) -> Output:
    """The output by torch's embedding, concatenation and gradients."""
    schema, p = made.schema, dict(made.named_parameters())
    read = [observation[:, : numbers_read(schema)]]
    if made.events:
        window = observation[:, numbers_read(schema) :].reshape(-1, WINDOW, len(TOKEN))
        words = window[:, -made.events :].long()
        read += [
            relu(
                sum(
                    (
                        torch.nn.functional.embedding(words[:, place, field], p["tokens"][field])
                        for field in range(len(TOKEN))
                    ),
                    torch.zeros(()),
                )
            )
            for place in range(made.events)
        ]
    hidden = torch.cat(read, dim=1)
    for layer in range(2):
        hidden = hidden @ p[f"trunk.{layer}.weight"].T + p[f"trunk.{layer}.bias"]
        if made.slots is not None and layer == 0:
            numbers = torch.from_numpy(read_apart(schema, observation.numpy()))
            slots = relu(numbers @ p["slots.weight"].T)
            hidden = hidden + slots.sum(1) @ p["pooled.weight"].T
        hidden = relu(hidden)
    scores, wins = (
        hidden @ p[f"{head}.weight"].T + p[f"{head}.bias"] for head in ("policy", "wins")
    )
    if made.slots is not None:
        take, target = (hidden @ p["asked.weight"].T + p["asked.bias"]).chunk(2, dim=1)
        first = schema.slots + len(schema.masks) + 4
        fits = {
            **{slot - 1: (slots[:, slot] * take).sum(1) for slot in range(1, schema.slots)},
            **{first + s - 1: (slots[:, s] * target).sum(1) for s in range(1, schema.seats)},
        }
        none = torch.zeros(len(scores))
        scores = scores + torch.stack([fits.get(a, none) for a in range(scores.shape[1])], 1)
    legal = torch.where(mask > 0, scores, torch.tensor(-1e9))
    there = torch.arange(schema.seats) < schema.scenario.players
    return Output(
        legal.log_softmax(1),
        torch.where(there, wins, torch.tensor(-1e9)).log_softmax(1),
    )


@pytest.mark.parametrize("slots", [0, 6])
@pytest.mark.parametrize(("scenario", "track", "padded"), LAYOUTS)
def test_it_is_the_plain_network_and_has_its_gradients(
    scenario: str, track: str, padded: bool, slots: int
) -> None:
    made = network(scenario, track, padded, slots=slots)
    observation, mask = asked(made.schema)
    chance = torch.Generator().manual_seed(1)
    weights = [torch.rand(1, generator=chance)]
    found = []
    for said in (made(observation, mask), plain(made, observation, mask)):
        parts = [said.log_probs.clamp(min=-50), said.log_wins.clamp(min=-50)]
        if len(weights) == 1:
            weights = [torch.randn(part.shape, generator=chance) for part in parts]
        made.zero_grad()
        loss = sum((w * part).mean() for w, part in zip(weights, parts, strict=True))
        assert isinstance(loss, Tensor)
        loss.backward()  # type: ignore[no-untyped-call]
        gradients = {name: p.grad for name, p in made.named_parameters()}
        found.append((parts, gradients))
    for ours, theirs in zip(found[0][0], found[1][0], strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
    assert found[0][1].keys() == found[1][1].keys()
    for name, gradient in found[0][1].items():
        wanted = found[1][1][name]
        assert gradient is not None
        assert wanted is not None
        assert wanted.abs().max() > 0
        torch.testing.assert_close(gradient, wanted, rtol=1e-3, atol=1e-6)


def test_events_are_read_as_sums_of_vectors() -> None:
    """Worked out by hand: tokens (1, 0, 2, 0) and an empty event, vectors of 2 numbers."""
    tokens = torch.zeros(4, WORDS, 2)
    tokens[0, 1], tokens[1, 0] = torch.tensor([1.0, -3.0]), torch.tensor([0.5, 0.5])
    tokens[2, 2], tokens[3, 0] = torch.tensor([2.0, 1.0]), torch.tensor([-0.25, 0.0])
    tokens[0, 0] = torch.tensor([0.0, 0.125])
    tokens.requires_grad_()
    window = torch.tensor([[[1.0, 0, 2, 0], [0, 0, 0, 0]]])
    read = _ReadEvents.apply(window, tokens)  # type: ignore[no-untyped-call]
    assert read.tolist() == [[3.25, 0.0, 0.25, 0.625]]  # -3 + 0.5 + 1 < 0
    read.backward(torch.tensor([[1.0, 10.0, 100.0, 1000.0]]))
    assert tokens.grad is not None
    told = {
        (field, word): tokens.grad[field, word].tolist()
        for field in range(4)
        for word in range(WORDS)
        if tokens.grad[field, word].any()
    }
    assert told == {
        (0, 1): [1, 0],
        (0, 0): [100, 1000],
        (1, 0): [101, 1000],
        (2, 2): [1, 0],
        (2, 0): [100, 1000],
        (3, 0): [101, 1000],
    }


@pytest.mark.parametrize(("scenario", "track", "padded"), LAYOUTS)
def test_its_arrays_play_as_it_does(scenario: str, track: str, padded: bool) -> None:
    made = network(scenario, track, padded)
    observation, mask = positions(made.schema)
    policy = NetPolicy(PolicyFile.of(made.schema, made.arrays(), events=made.events))
    with torch.inference_mode():
        said = made(torch.from_numpy(observation), torch.from_numpy(mask))
    legal = mask > 0
    np.testing.assert_allclose(
        policy.log_chances(observation, mask)[legal], said.log_probs.numpy()[legal], atol=1e-4
    )
    np.testing.assert_allclose(policy.wins(observation), said.log_wins.exp().numpy(), atol=1e-5)
    made.arrays()["policy.bias"][:] = 7  # copies
    assert float(made.policy.bias.detach().max()) < 7


def test_it_begins_by_doing_anything() -> None:
    torch.manual_seed(0)
    schema = Schema("4A", "both")
    observation, mask = asked(schema)
    said = Network(schema, (32,), slots=16)(observation, mask)
    legal = mask > 0
    even = 1 / legal.sum(1, keepdim=True)
    assert (said.log_probs.exp() - legal * even).abs().max() < 0.05
    assert (said.log_wins.exp() - 0.25).abs().max() < 0.05
    assert (said.log_probs[~legal] <= IMPOSSIBLE / 2).all()
    assert torch.isfinite(said.log_probs).all()


@pytest.mark.parametrize("padded", [False, True])
def test_a_critic_tells_who_wins_of_those_who_are_there(padded: bool) -> None:
    schema = Schema("4A", "both", padded=padded)
    batch = Batch("4A", 8, seed=0, track="both", padded=padded)
    torch.manual_seed(0)
    critic = Critic(schema, (16, 8))
    with torch.no_grad():
        critic.wins.weight.normal_()
    shares = critic(torch.from_numpy(batch.full_state())).exp()
    assert shares.shape == (8, schema.seats)
    torch.testing.assert_close(shares[:, :4].sum(1), torch.ones(8))
    assert not shares[:, 4:].any()
    assert shares[:, :4].std() > 0.02


def test_what_cannot_be_made_is_refused() -> None:
    schema = Schema("4A", "both")
    with pytest.raises(MascaradeError, match=facts("network", "one layer")):
        Network(schema, ())
    with pytest.raises(MascaradeError, match=facts("width", 1, 0)):
        Network(schema, (8, 0))
    with pytest.raises(MascaradeError, match=facts("32 events", 33)):
        Network(schema, (8,), events=33)
    with pytest.raises(MascaradeError, match=facts("embedding", 1, 0)):
        Network(schema, (8,), embedding=0)
    assert Network(Schema("4A", "belief"), (8,)).events == 0  # it has no window
    assert "tokens" not in Network(schema, (8,), events=0).arrays()


@pytest.mark.slow
def test_it_needs_no_folder_for_compiled_code() -> None:
    """Numba finds no cache in a read-only installation without a home folder."""
    code = """
import tempfile
import torch
import numba.core.caching

def refuse(**where):
    raise OSError

tempfile.TemporaryFile = refuse
numba.core.caching.CacheImpl._locator_classes = []
from mascarade_env import Schema
from mascarade_train._networks import Network
network = Network(Schema("tiny-2", "both"), (8,), events=2)
size, actions = network.schema.size, network.policy.out_features
network(torch.zeros(3, size), torch.ones(3, actions)).log_probs.sum().backward()
print(network.tokens.grad.shape)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("torch.Size([4, ")
