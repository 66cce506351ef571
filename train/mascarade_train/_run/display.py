"""The progress of a training: a bar in a terminal, lines in a file."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

_SECONDS_A_LINE = 10.0


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a training with Stable-Baselines3 for the progress line.

    Attributes:
        done: the fraction of the time or of the steps that is over, 0 to 1.
        steps: decisions of the learner so far.
        seconds: time since training began.
        win_share: win share in the latest games; None before the first game has ended.
        entropy: mean entropy of a decision, in nats; None before the first update.
        pool: number of snapshots and other policies in the pool.
    """

    done: float
    steps: int
    seconds: float
    win_share: float | None
    entropy: float | None
    pool: int

    def __str__(self) -> str:
        rate = self.steps / self.seconds if self.seconds else 0
        return (
            f"{self.done:>4.0%} {self.steps:>10,} steps {rate:>7,.0f}/s, "
            f"win share {_or_dash(self.win_share, '.1%')}, "
            f"entropy {_or_dash(self.entropy, '.2f')}, pool {self.pool}"
        )


@dataclass(frozen=True, slots=True)
class LearningProgress:
    """Figures of a training of `mascarade train` for the progress line.

    Attributes:
        done: the fraction of the training that is over, 0 to 1.
        decisions: learned decisions so far.
        rate: learned decisions per second, without the time of evaluations.
        entropy: mean entropy of a decision, in nats.
        play: measures of play in the latest update, by name.
        win_shares: win shares as 1 vs n-1 in the last evaluation, by the name of the agent.
    """

    done: float
    decisions: int
    rate: float
    entropy: float
    play: Mapping[str, float]
    win_shares: Mapping[str, float]

    def __str__(self) -> str:
        words = [f"{self.done:>4.0%} {self.decisions / 1e6:.1f}M {self.rate / 1e3:.0f}k/s"]
        words.append(f"entropy {self.entropy:.2f}")
        words += [
            f"{word} {self.play[name]:.0%}" for name, word in _MEASURES.items() if name in self.play
        ]
        words += [f"vs {name} {share:.0%}" for name, share in self.win_shares.items()]
        return ", ".join(words)


#: The measures of play in the progress line, and the word for each. Others would make it too long.
_MEASURES = {"announce_rate": "announced", "false": "false", "claim_rate": "claimed"}


class Shown(Protocol):
    """Figures of a training; `str` returns them in one line."""

    @property
    def done(self) -> float:
        """The fraction of the training that is over, 0 to 1."""


class Display:
    """Shows the latest figures of a training; `display` makes this object."""

    def __init__(self, bar: Progress | None, *, visible: bool = True) -> None:
        self._bar = bar
        self._visible = visible
        self._task = None if bar is None else bar.add_task("training", total=1.0)
        self._next = 0.0
        self._unshown: Shown | None = None

    def show(self, figures: Shown) -> None:
        """Update the display; lines appear at most every ten seconds."""
        if not self._visible:
            return
        self._unshown = None
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=figures.done, description=str(figures))
            self._unshown = figures  # the bar vanishes at the end
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS_A_LINE
            print(figures, flush=True)
        else:
            self._unshown = figures

    def end(self) -> None:
        """Print the last figures, unless they are already on the screen."""
        if self._unshown is not None:
            print(self._unshown, flush=True)


@contextmanager
def display(*, visible: bool = True) -> Iterator[Display]:
    """Open a display for the duration of a training.

    Args:
        visible: whether to show anything. If several processes train, only one should.
    """
    console = Console()
    if not (visible and console.is_terminal):
        shown = Display(None, visible=visible)
        yield shown
    else:
        columns = (BarColumn(bar_width=8), TextColumn("{task.description}"))  # fits 80 columns
        with Progress(*columns, console=console, transient=True) as bar:
            shown = Display(bar)
            yield shown
    shown.end()


def _or_dash(figure: float | None, form: str) -> str:
    return "-" if figure is None else format(figure, form)
