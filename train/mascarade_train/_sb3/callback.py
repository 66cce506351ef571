"""What happens while SB3 learns: snapshots, checkpoints, figures, and when it ends."""

import time
from pathlib import Path

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from mascarade_env.envs._opponents import Pool
from mascarade_env.observation._schema import Schema
from mascarade_train._run.display import Display, Figures
from mascarade_train._sb3.policies import Snapshot, actor_of, save


class TrainingCallback(BaseCallback):
    """Adds snapshots to the pool, writes the checkpoint, shows how it goes, and ends it in time.

    Args:
        schema: of what the learner observes.
        pool: of its opponents.
        checkpoint: the file to write.
        shown: where figures go.
        interrupts: what `noted` of `mascarade_env.cli._interrupts` gives.
        snapshot_every: updates between two snapshots.
        minutes: when to stop, if ever.
        steps: after how many decisions SB3 will stop, if ever.
    """

    def __init__(  # noqa: PLR0913  the library passes nothing when it calls, so all is given here
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
        """Over the latest games, from their returns."""
        episodes = self.model.ep_info_buffer
        if not episodes:
            return None
        players = self._schema.scenario.players
        mean = sum(episode["r"] for episode in episodes) / len(episodes)
        return float(1 + (players - 1) * mean) / players

    def _entropy(self) -> float | None:
        """As the last update has noted it, with the sign turned."""
        noted = self.logger.name_to_value.get("train/entropy_loss")
        return None if noted is None else -float(noted)
