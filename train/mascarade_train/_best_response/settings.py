"""The settings of the search for a best response, and the trainings that they ask for."""

from dataclasses import dataclass, fields
from typing import NamedTuple

from mascarade_env._errors import MascaradeError, whole
from mascarade_train._settings import SEED_LIMIT, flag


@dataclass(frozen=True, slots=True)
class ResponseSettings:
    """The settings of a search; each is a flag. Compare only results with equal settings."""

    decisions: int = 3_000_000
    """Budget of each training, in learned decisions of the response. With a smaller budget the
    search is faster, and may find a smaller gain."""
    seeds: int = 1
    """Number of trainings for each learning rate, each with a different seed. The result is that of
    the best response, so more seeds may raise the bound."""
    seed: int = 0
    """First random seed, 0 or more; further trainings use the next numbers."""
    selection: int = 10_000
    """Games for each candidate response, 2 or more. The candidate that wins most is chosen."""
    evaluation: int = 20_000
    """New games in which the chosen response is measured, 2 or more. More games narrow the
    interval."""

    games: int = 512
    """Games to play in parallel while training. Lower it if memory runs out."""
    most_worlds: int = 720
    """Limit on the number of worlds in a belief during training, 2 or more. A world is one
    placement of all masks that fits what the player has seen. If a belief has more worlds, only a
    part of them is kept. Six masks never have more than 720 worlds. With eight masks, training with
    exact beliefs takes several times as long. Measurements always use exact beliefs."""
    batch: int = 8192
    """Decisions of the response between two updates, approximately."""
    warming: float = 0.05
    """Fraction of the budget (0 to 1) at the start in which only the critic learns: the network
    that predicts who wins. An untrained critic would spoil the weights that the response starts
    from."""
    epochs: int = 4
    """Passes over the collected decisions in each update."""
    minibatches: int = 8
    """Minibatches in an epoch, each of which is one gradient step."""
    learning_rate: tuple[float, ...] = (1e-3, 3e-4)
    """Adam's learning rates at the start, 0 to 1: one training with each."""
    learning_rate_end: float = 0.02
    """Learning rate at the end, as a fraction (0 to 1) of --learning-rate; it falls linearly."""
    trace: float = 0.95
    """Lambda of the lambda-returns, 0 to 1. Lower values rely more on predicted win
    probabilities."""
    entropy: tuple[float, ...] = (0.1, 0.01)
    """Entropy coefficients at the start, 0 to 10, one for each learning rate. High values explore:
    they find responses that win more only after several changes of the policy. Low values improve
    the policy that training starts from."""
    entropy_end: float = 0.01
    """Entropy coefficient at the end, as a fraction (0 to 1) of --entropy; it falls linearly."""
    average: float = 0.05
    """How far the averaged weights move towards the latest weights in each epoch, 0 to 1. The
    averaged weights are the response."""
    layers: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers of a new network. A response to a network has the sizes of that
    network, and ignores --layers, --events and --slots."""
    events: int = 32
    """How many of the latest events a new network reads, 0 to 32."""
    slots: int = 64
    """Width of an extra layer of a new network that reads every seat and slot with the same
    weights; 0 for none."""


class Kind(NamedTuple):
    """The settings in which the trainings of one search differ."""

    seed: int
    learning_rate: float
    entropy: float

    def __str__(self) -> str:
        return f"seed {self.seed} rate {self.learning_rate:g} entropy {self.entropy:g}"


def kinds(s: ResponseSettings) -> list[Kind]:
    """Return the seed, learning rate and entropy of every training that the settings ask for."""
    pairs = list(zip(s.learning_rate, s.entropy, strict=True))
    return [Kind(s.seed + number, *pair) for number in range(s.seeds) for pair in pairs]


# A checkpoint may come from anyone, and larger values could fill the memory.
_MOST = {"seeds": 1000, "games": 2**17, "batch": 2**24, "minibatches": 2**16, "slots": 2**14}
_LAYERS, _WIDEST = 16, 2**14

#: Settings that do not affect the share of the true gain that the search recovers.
INDIFFERENT = ("seed", "evaluation")


def checked(s: ResponseSettings) -> ResponseSettings:
    """Return the settings, after checking that a search with them is possible.

    Raises:
        MascaradeError: a setting is not valid; the error names it.
    """
    for name in ("decisions", "seeds", "games", "batch", "epochs", "minibatches"):
        whole(getattr(s, name), flag(name), at_least=1)
    for name, least in (
        ("seed", 0),
        ("most_worlds", 2),
        ("selection", 2),
        ("evaluation", 2),
        ("events", 0),
        ("slots", 0),
    ):
        whole(getattr(s, name), flag(name), at_least=least)
    _check_size(s)
    if s.seed >= SEED_LIMIT:
        raise MascaradeError(f"--seed must be less than {SEED_LIMIT}, not {s.seed}")
    for layer in s.layers:
        whole(layer, "--layers", at_least=1)
    if not s.entropy or not all(0 <= weight <= 10 for weight in s.entropy):
        raise MascaradeError(
            f"--entropy must be one number or more, each from 0 to 10, not {s.entropy}"
        )
    if len(s.learning_rate) != len(s.entropy) or not all(0 <= r <= 1 for r in s.learning_rate):
        raise MascaradeError(
            "--learning-rate must have one number from 0 to 1 for each number of --entropy, which "
            f"is {s.entropy}, not {s.learning_rate}"
        )
    for field in fields(s):
        number = getattr(s, field.name)
        if field.type is float and not 0 <= number <= 1:
            raise MascaradeError(f"{flag(field.name)} must be from 0 to 1, not {number}")
    return s


def _check_size(s: ResponseSettings) -> None:
    for name, most in _MOST.items():
        if getattr(s, name) > most:
            raise MascaradeError(f"{flag(name)} must be at most {most}, not {getattr(s, name)}")
    if len(s.layers) > _LAYERS or max(s.layers, default=0) > _WIDEST:
        raise MascaradeError(
            f"--layers must be at most {_LAYERS} widths of at most {_WIDEST} each, not {s.layers}"
        )
