"""How a best response is found: one procedure, so that figures can be compared."""

from dataclasses import dataclass, fields

from mascarade_env.core.errors import MascaradeError, whole


@dataclass(frozen=True, slots=True)
class ResponseSettings:
    """How a best response is found: the same everywhere, or figures cannot be compared."""

    decisions: int = 3_000_000
    """The budget of each training: own decisions that are learned from."""
    seeds: int = 1
    """Trainings, each from the beginning; the best response of all is taken."""
    seed: int = 0
    """Of the first training; the next numbers are of the others."""
    selection: int = 10_000
    """Games in which each version of the response is tried, to choose one."""
    evaluation: int = 20_000
    """Fresh games in which the one chosen is measured."""

    games: int = 512
    """Games at once."""
    batch: int = 4096
    """Own decisions between two updates, about."""
    epochs: int = 4
    """How often each decision is learned from."""
    minibatches: int = 8
    """Parts that an epoch goes through."""
    learning_rate: float = 1e-3
    """Of Adam, at the beginning."""
    learning_rate_end: float = 0.02
    """What is left of it at the end, as a share; it falls evenly."""
    trace: float = 0.95
    """Lambda of the returns."""
    entropy: float = 0.3
    """Weight of the entropy of decisions at the beginning, beside advantages of deviation 1. What
    a response settles on early keeps it from what would be better only with other later moves, so
    it is held open for long."""
    entropy_end: float = 0.01
    """What is left of that weight at the end, as a share; it falls evenly."""
    average: float = 0.05
    """How far the average of past weights moves at each epoch."""
    layers: tuple[int, ...] = (128, 128)
    """Widths of the layers, of a response that begins with nothing."""
    events: int = 32
    """How many of the last events it reads then; the window holds 32."""


#: What does not change how much of the true gain is found.
INDIFFERENT = ("seed", "evaluation")


def checked(s: ResponseSettings) -> ResponseSettings:
    """The settings, if a response can be found with them.

    Raises:
        MascaradeError: it cannot; it says why.
    """
    for name in ("decisions", "seeds", "games", "batch", "epochs", "minibatches"):
        whole(getattr(s, name), _flag(name), at_least=1)
    for name, least in (("seed", 0), ("selection", 2), ("evaluation", 2), ("events", 0)):
        whole(getattr(s, name), _flag(name), at_least=least)
    for layer in s.layers:
        whole(layer, "--layers", at_least=1)
    for field in fields(s):
        number = getattr(s, field.name)
        if field.type is float and not 0 <= number <= 1:
            raise MascaradeError(f"{_flag(field.name)} is from 0 to 1, not {number}")
    return s


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
