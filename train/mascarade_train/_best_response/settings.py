"""How a best response is found: one procedure, so that figures can be compared."""

from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from mascarade_env._errors import MascaradeError, whole


@dataclass(frozen=True, slots=True)
class ResponseSettings:
    """How a best response is found: the same everywhere, or figures cannot be compared."""

    decisions: int = 3_000_000
    """The budget of each training: own decisions that are learned from."""
    seeds: int = 1
    """Trainings of each kind, all from the beginning; the best response of all is taken."""
    seed: int = 0
    """The first seed; the next numbers are the others."""
    selection: int = 10_000
    """Games in which each version of the response is tried, to choose one."""
    evaluation: int = 20_000
    """Fresh games in which the one chosen is measured."""

    games: int = 512
    """Games at once."""
    worlds: int = 720
    """Worlds that a belief may have while training before it is thinned. Six masks never have more,
    so it changes nothing there; with eight or more, training would take several times as long. What
    the response wins is measured with exact beliefs."""
    batch: int = 8192
    """Own decisions between two updates, about."""
    warming: float = 0.05
    """The share of the budget from which only the baseline learns, at first: one that knows nothing
    praises and blames at random, by which what the response can do already may be lost."""
    epochs: int = 4
    """How often each decision is learned from."""
    minibatches: int = 8
    """Parts that an epoch goes through."""
    learning_rate: tuple[float, ...] = (1e-3, 3e-4)
    """Of Adam, at the beginning: a training with each."""
    learning_rate_end: float = 0.02
    """What is left of it at the end, as a share; it falls evenly."""
    trace: float = 0.95
    """Lambda of the returns."""
    entropy: tuple[float, ...] = (0.1, 0.01)
    """Weights of the entropy of decisions at the beginning, beside advantages of deviation 1: one
    for each learning rate. With much of both, what is better only with other later moves is found
    as well; with little, what was there at the beginning is not lost before it is made the most
    of."""
    entropy_end: float = 0.01
    """What is left of these weights at the end, as a share; they fall evenly."""
    average: float = 0.05
    """How far the average of past weights moves at each epoch."""
    layers: tuple[int, ...] = (128, 128)
    """Widths of the layers, of a response that begins with nothing."""
    events: int = 32
    """How many of the last events it reads then; the window holds 32."""
    slots: int = 64
    """Width of the layer that reads each slot by the same weights then; 0 for none."""


class Kind(NamedTuple):
    """What tells trainings with the same settings from each other."""

    seed: int
    learning_rate: float
    entropy: float

    def __str__(self) -> str:
        return f"seed {self.seed} rate {self.learning_rate:g} entropy {self.entropy:g}"


def kinds(s: ResponseSettings) -> list[Kind]:
    """All trainings with these settings."""
    pairs = list(zip(s.learning_rate, s.entropy, strict=True))
    return [Kind(s.seed + number, *pair) for number in range(s.seeds) for pair in pairs]


def as_json(s: ResponseSettings) -> dict[str, Any]:
    """The settings as JSON."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(s).items()}


_SEEDS = 2**40  # as many as `mascarade train` knows

# A run may come from anywhere: with more than this it would fill the memory.
_MOST = {"seeds": 1000, "games": 2**17, "batch": 2**24, "minibatches": 2**16, "slots": 2**14}
_LAYERS, _WIDEST = 16, 2**14

#: What does not change how much of the true gain is found.
INDIFFERENT = ("seed", "evaluation")


def checked(s: ResponseSettings) -> ResponseSettings:
    """The settings, if a response can be found with them.

    Raises:
        MascaradeError: it cannot; it says why.
    """
    for name in ("decisions", "seeds", "games", "batch", "epochs", "minibatches"):
        whole(getattr(s, name), _flag(name), at_least=1)
    for name, least in (
        ("seed", 0),
        ("worlds", 2),
        ("selection", 2),
        ("evaluation", 2),
        ("events", 0),
        ("slots", 0),
    ):
        whole(getattr(s, name), _flag(name), at_least=least)
    _check_size(s)
    if s.seed >= _SEEDS:
        raise MascaradeError(f"--seed is less than {_SEEDS}, not {s.seed}")
    for layer in s.layers:
        whole(layer, "--layers", at_least=1)
    if not s.entropy or not all(0 <= weight <= 10 for weight in s.entropy):
        raise MascaradeError(f"--entropy is one weight or more, from 0 to 10, not {s.entropy}")
    if len(s.learning_rate) != len(s.entropy) or not all(0 <= r <= 1 for r in s.learning_rate):
        raise MascaradeError(
            "--learning-rate is one from 0 to 1 for each weight of --entropy, which are "
            f"{s.entropy}, not {s.learning_rate}"
        )
    for field in fields(s):
        number = getattr(s, field.name)
        if field.type is float and not 0 <= number <= 1:
            raise MascaradeError(f"{_flag(field.name)} is from 0 to 1, not {number}")
    return s


def _check_size(s: ResponseSettings) -> None:
    for name, most in _MOST.items():
        if getattr(s, name) > most:
            raise MascaradeError(f"{_flag(name)} is at most {most}, not {getattr(s, name)}")
    if len(s.layers) > _LAYERS or max(s.layers, default=0) > _WIDEST:
        raise MascaradeError(
            f"--layers are at most {_LAYERS}, each at most {_WIDEST} wide, not {s.layers}"
        )


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
