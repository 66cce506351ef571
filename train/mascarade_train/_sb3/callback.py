"""The callback of SB3's training: snapshots, checkpoints, figures, and the end of training."""

import time
from pathlib import Path

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from mascarade_env.envs._opponents import Pool
from mascarade_env.observation._schema import Schema
from mascarade_train._run.display import Display, Figures
from mascarade_train._sb3.policies import Snapshot, actor_of, save


class TrainingCallback(BaseCallback):
    """Adds snapshots to the pool, writes checkpoints, shows figures, and ends training.

    Args:
        schema: the layout of the learner's observations.
        pool: the pool of opponents, to which it adds snapshots.
        checkpoint: the checkpoint file to write.
        shown: the display for figures.
        interrupts: the list of signals that `noted` of `mascarade_env.cli._interrupts` returns.
        snapshot_every: updates between two snapshots.
        minutes: the time limit; None for none.
        steps: the number of decisions after which SB3 stops by itself; None for none.
    """

    def __init__(  # noqa: PLR0913  the library calls it without arguments
        self,
        schema: Schema,
        pool: Pool,
        checkpoint: Path,
        shown: Display,
        interrupts: list[int],
        *,
        snapshot_every: int,
        minutes: float | None,
        steps: int | None,
    ) -> None:
        super().__init__()
        self._schema = schema
        self._pool = pool
        self._checkpoint = checkpoint
        self._shown = shown
        self._interrupts = interrupts
        self._snapshot_every = snapshot_every
        self._seconds = None if minutes is None else 60 * minutes
        self._steps = steps
        self._updates = 0
        self._begun = time.monotonic()

    def _on_step(self) -> bool:
        late = self._seconds is not None and time.monotonic() - self._begun >= self._seconds
        return not (late or self._interrupts)

    def _on_rollout_end(self) -> None:
        if self._updates and self._updates % self._snapshot_every == 0:
            assert isinstance(self.model, MaskablePPO)
            self._pool.add(Snapshot(actor_of(self.model.policy), self._schema))
            save(self.model, self._schema, self._checkpoint)
        self._updates += 1
        seconds = time.monotonic() - self._begun
        timed = 0.0 if self._seconds is None else seconds / self._seconds
        counted = 0.0 if self._steps is None else self.num_timesteps / self._steps
        figures = Figures(
            done=min(max(timed, counted), 1.0),
            steps=self.num_timesteps,
            seconds=seconds,
            win_share=self._win_share(),
            entropy=self._entropy(),
            pool=len(self._pool),
        )
        if figures.win_share is not None:
            self.logger.record("rollout/win_share", figures.win_share)
        self.logger.record("rollout/pool", figures.pool)
        self._shown.show(figures)

    def _win_share(self) -> float | None:
        """Return the learner's win share in the latest games; None before the first has ended."""
        episodes = self.model.ep_info_buffer
        if not episodes:
            return None
        players = self._schema.scenario.players
        mean = sum(episode["r"] for episode in episodes) / len(episodes)
        return float(1 + (players - 1) * mean) / players

    def _entropy(self) -> float | None:
        """Return the mean entropy in the last update, in nats; None before the first update."""
        loss = self.logger.name_to_value.get("train/entropy_loss")
        return None if loss is None else -float(loss)
