"""The settings of the search for a best response, and the trainings that they ask for."""

from dataclasses import dataclass, fields
from typing import NamedTuple

from mascarade_env._errors import MascaradeError, whole
from mascarade_train._settings import SEED_LIMIT, flag


@dataclass(frozen=True, slots=True)
class ResponseSettings:
    """How a best response is found. Only results of the same settings can be compared."""

    decisions: int = 3_000_000
    """Budget of each training, in learned decisions of the response."""
    seeds: int = 1
    """Trainings with each learning rate, all from the beginning; the best response is taken."""
    seed: int = 0
    """The first seed; the others are the next numbers."""
    selection: int = 10_000
    """Games in which each version of the response plays, to choose one."""
    evaluation: int = 20_000
    """Fresh games in which the chosen version is measured."""

    games: int = 512
    """Games at once."""
    most_worlds: int = 720
    """Placements of the masks (worlds) that a belief may hold in training; a larger belief is
    thinned. Beliefs about six masks are never larger; with eight or more, training would take
    several times as long. Measurements use exact beliefs."""
    batch: int = 8192
    """Decisions of the response between two updates, about."""
    warming: float = 0.05
    """The share of the budget at the beginning in which only the critic learns. A critic that knows
    nothing yet could make the response lose what it can do already."""
    epochs: int = 4
    """How often an update goes through its decisions."""
    minibatches: int = 8
    """Minibatches in an epoch."""
    learning_rate: tuple[float, ...] = (1e-3, 3e-4)
    """Adam's learning rate at the beginning: one training with each."""
    learning_rate_end: float = 0.02
    """The learning rate at the end, as a share of that at the beginning; it falls linearly."""
    trace: float = 0.95
    """Lambda of the returns, 0 to 1."""
    entropy: tuple[float, ...] = (0.1, 0.01)
    """Weights of the entropy bonus at the beginning, one for each learning rate. High values find a
    response that is better only after several changes; low values of both keep what the response
    can do at the beginning and improve it."""
    entropy_end: float = 0.01
    """These weights at the end, as a share of those at the beginning; they fall linearly."""
    average: float = 0.05
    """How far the averaged weights move to the latest ones in each epoch, 0 to 1."""
    layers: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers, if the response does not begin with a network."""
    events: int = 32
    """How many of the latest events it reads then; the observation holds 32."""
    slots: int = 64
    """Width of the layer that reads each slot with the same weights then; 0 for none."""


class Kind(NamedTuple):
    """In what the trainings of one search differ."""

    seed: int
    learning_rate: float
    entropy: float

    def __str__(self) -> str:
        return f"seed {self.seed} rate {self.learning_rate:g} entropy {self.entropy:g}"


def kinds(s: ResponseSettings) -> list[Kind]:
    """Return all trainings that the settings ask for."""
    pairs = list(zip(s.learning_rate, s.entropy, strict=True))
    return [Kind(s.seed + number, *pair) for number in range(s.seeds) for pair in pairs]


# A run may come from anywhere: with more than this it would fill the memory.
_MOST = {"seeds": 1000, "games": 2**17, "batch": 2**24, "minibatches": 2**16, "slots": 2**14}
_LAYERS, _WIDEST = 16, 2**14

#: Settings that do not change how much of the true gain is found.
INDIFFERENT = ("seed", "evaluation")


def checked(s: ResponseSettings) -> ResponseSettings:
    """Return the settings, if a search is possible with them.

    Raises:
        MascaradeError: it is not; the error names the setting.
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
        raise MascaradeError(f"--seed is less than {SEED_LIMIT}, not {s.seed}")
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
            raise MascaradeError(f"{flag(field.name)} is from 0 to 1, not {number}")
    return s


def _check_size(s: ResponseSettings) -> None:
    for name, most in _MOST.items():
        if getattr(s, name) > most:
            raise MascaradeError(f"{flag(name)} is at most {most}, not {getattr(s, name)}")
    if len(s.layers) > _LAYERS or max(s.layers, default=0) > _WIDEST:
        raise MascaradeError(
            f"--layers are at most {_LAYERS}, each at most {_WIDEST} wide, not {s.layers}"
        )
