"""Self-play with Stable-Baselines3: `python -m mascarade_train.sb3`.

One learner (MaskablePPO) sits at many tables at once. Its opponents are drawn, for each seat of
each game, from a pool of snapshots of itself, which grows while it learns; half of them are the
newest. The script reads from top to bottom: settings, `train`, and the parts it is made of.

SB3 learns from one seat of each game and ignores what the others live through, which makes it a
compatible baseline rather than the fastest way. Nor is beating random players a measure of
strength: that share may fall again while a run goes on, because learning moves towards beating the
snapshots. See what else is printed at the end.
"""

import io
import json
import math
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import tyro

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import configure
    from torch.utils.tensorboard import SummaryWriter  # noqa: F401 (the logger's)
except ImportError as missing:
    problem = f"mascarade_train.sb3 needs the extra train: pip install '.[train]' ({missing})"
    if __name__ != "__main__":
        raise ImportError(problem) from missing
    print(problem, file=sys.stderr)
    raise SystemExit(2) from None

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.adapters.sb3 import MascaradeVecEnv
from mascarade_env.cli._interrupts import noted
from mascarade_env.envs._opponents import Pool
from mascarade_env.game._record_files import write_games
from mascarade_env.game._scenarios import resolve
from mascarade_env.observation._blocks import Track
from mascarade_env.observation._schema import Schema
from mascarade_env.render import replay_html
from mascarade_train._evaluation import watched, win_share
from mascarade_train._run.display import display
from mascarade_train._run.example_game import told, worth_reading
from mascarade_train._run.folders import new_folder, python
from mascarade_train._run.summary_text import compared, on_card
from mascarade_train._sb3.callback import Coach
from mascarade_train._sb3.policies import Snapshot, actor_of, load, save

__all__ = ["Settings", "load", "main", "train"]

DEFAULT_MINUTES = 3.0
# Evaluation deals other games than training does.
_EVALUATION_SEED = 2**40


@dataclass(frozen=True, slots=True)
class Settings:
    """Train a player of Mascarade by self-play, and show what it has learned."""

    scenario: str = "4A"
    """A name such as 4A (see `mascarade scenarios`), or a .json file with a scenario."""
    minutes: float | None = None
    """When to stop learning: after 3 minutes unless --steps is given. A run that is bounded by
    --steps alone can be repeated exactly with the same --seed, one bounded by time cannot."""
    steps: int | None = None
    """Stop after so many decisions of the learner (rounded up to whole updates)."""
    seed: int = 0
    """Of the network, the games and the opponents."""
    name: str | None = None
    """Of the run's folder, with a number added if it exists. sb3-<scenario> by default."""
    folder: Path = Path("runs")
    """Where the folders of runs are."""
    track: Track = "belief"
    """What the learner observes: belief, memory or both."""
    padded: bool = False
    """Observations and actions of one width for all scenarios."""
    games: int = 256
    """Tables, each with a learner."""
    rollout: int = 64
    """Decisions at each table between two updates."""
    epochs: int = 4
    """How often each decision is learned from."""
    batch: int = 2048
    """Decisions in a minibatch."""
    learning_rate: float = 5e-4
    """Of Adam."""
    entropy: float = 0.05
    """Bonus for deciding by chance; without, self-play ends in habits that are easily exploited."""
    width: int = 128
    """Neurons in each of the two layers of policy and value."""
    snapshot_every: int = 8
    """Updates between two snapshots for the pool; the checkpoint is written at the same time."""
    keep: int = 20
    """Members of the pool at most: the oldest leaves. It begins with random players."""
    newest: float = 0.5
    """The share of opponents that are the newest snapshot; the others are any member."""
    evaluation: int = 4000
    """Games for each win share that is printed."""


def train(settings: Annotated[Settings, tyro.conf.arg(name="")]) -> None:
    """Train a player of Mascarade by self-play, and show what it has learned.

    Ctrl-C ends the learning early; what has been learned is kept and shown.

    Example: python -m mascarade_train.sb3 --scenario 6A --minutes 10
    """
    s = _checked(settings)
    schema = Schema(resolve(s.scenario), s.track, padded=s.padded)
    table: dict[str, Any] = {"scenario": schema.scenario, "track": s.track, "padded": s.padded}
    torch.set_num_threads(1)  # small networks: more threads only wait for each other

    pool = Pool(newest=s.newest, keep=s.keep)
    env = MascaradeVecEnv(s.games, opponents=pool, **table)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=s.learning_rate,
        n_steps=s.rollout,
        batch_size=s.batch,
        n_epochs=s.epochs,
        gamma=1.0,  # a win is a win, however late
        gae_lambda=0.95,
        ent_coef=s.entropy,
        stats_window_size=2000,
        policy_kwargs={"net_arch": [s.width, s.width]},
        seed=s.seed,
        device="cpu",
    )
    run = new_folder(s.folder, s.name or f"sb3-{schema.scenario.name}")
    checkpoint = run / "policy.zip"
    model.set_logger(configure(str(run), ["tensorboard"]))
    _write_settings(run, s)
    print(f"{schema.scenario.name}: {s.games} tables, {schema.size} numbers observed -> {run}")

    print("Measuring the untrained policy ...", flush=True)
    initial = Snapshot(actor_of(model.policy), schema, s.seed)
    play_before = watched(initial, games=_watched_games(s), seed=_EVALUATION_SEED, **table)
    share_before = win_share(initial, games=s.evaluation, seed=_EVALUATION_SEED, **table)

    print("Learning; Ctrl-C ends it early and keeps what has been learned.", flush=True)
    with display() as shown, noted(most=1) as interrupts:
        coach = Coach(
            schema,
            pool,
            checkpoint,
            shown,
            interrupts,
            snapshot_every=s.snapshot_every,
            minutes=s.minutes,
            steps=s.steps,
            seed=s.seed,
        )
        model.learn(s.steps if s.steps is not None else sys.maxsize, callback=coach)
    save(model, schema, checkpoint)
    model.logger.close()
    if interrupts:
        print("Interrupted. What has been learned is saved; now it is measured.", flush=True)

    trained = Snapshot(actor_of(model.policy), schema, s.seed)
    share_after = win_share(trained, games=s.evaluation, seed=_EVALUATION_SEED, **table)
    share_initial = win_share(
        trained, opponents=initial, games=s.evaluation, seed=_EVALUATION_SEED, **table
    )
    play_after = watched(trained, games=_watched_games(s), seed=_EVALUATION_SEED, **table)
    game = worth_reading(trained, seed=_EVALUATION_SEED, **table)
    write_games(run / "game.jsonl", [game])
    (run / "game.html").write_text(replay_html(game), "utf-8")
    results = {
        "win share against random players, untrained": asdict(share_before),
        "win share against random players": asdict(share_after),
        "win share against the untrained policy": asdict(share_initial),
        "play, untrained": on_card(play_before),
        "play": on_card(play_after),
    }
    save(model, schema, checkpoint, results=results)

    print("\nA game of the trained policy with itself, as the table saw it:\n")
    print("\n".join(told(game)))
    print(
        f"\nWin share of one player ({s.evaluation} games, 95% interval; "
        f"equal players get {share_after.fair:.1%})"
    )
    print(f"  against random players         {share_before} untrained, {share_after} trained")
    print(f"  against the untrained policy   {share_initial} trained")
    print("  (Beating random players is no measure of strength.)")
    print("\nHow it plays when it holds all seats           untrained   trained")
    print("\n".join(compared(play_before, play_after)))
    print(
        f"\n{model.num_timesteps:,} decisions learned from. In {run}:\n"
        f"  policy.zip, policy.json   the checkpoint, and a card with the figures above\n"
        f"  settings.json             what it was trained with\n"
        f"  game.html, game.jsonl     the game above, to look through in a browser\n"
        f"  events.out.tfevents.*     curves: {python()} -m tensorboard.main --logdir {s.folder}\n"
        "The policy plays wherever opponents are asked for:\n"
        f"  opponents=mascarade_train.sb3.load({str(checkpoint)!r})\n"
        "Try next, and see what becomes of it without the bonus for chance:\n"
        f"  {python()} -m mascarade_train.sb3 --scenario 6A --minutes 15\n"
        f"  {python()} -m mascarade_train.sb3 --entropy 0"
    )


def _checked(s: Settings) -> Settings:
    """The settings with the time filled in, or an error."""
    for option in ("games", "rollout", "epochs", "batch", "width", "snapshot_every"):
        whole(getattr(s, option), f"--{option.replace('_', '-')}", at_least=1)
    whole(s.evaluation, "--evaluation", at_least=2)
    if s.steps is not None:
        whole(s.steps, "--steps", at_least=1)
    if s.minutes is not None and not s.minutes > 0:
        raise MascaradeError(f"--minutes is more than 0, not {s.minutes}")
    if not 0 <= s.seed < 2**32:
        raise MascaradeError(f"--seed lies in 0..2**32-1, not {s.seed}")
    if not 0 < s.learning_rate < math.inf:
        raise MascaradeError(f"--learning-rate is more than 0, not {s.learning_rate}")
    if not 0 <= s.entropy < math.inf:
        raise MascaradeError(f"--entropy is 0 or more, not {s.entropy}")
    if s.track == "memory":
        raise MascaradeError("--track is belief or both: bluffs are told by what players believe")
    collected = s.games * s.rollout
    batch = min(s.batch, collected)
    if batch < 2 or collected % batch == 1:  # SB3 divides by the deviation in a minibatch
        raise MascaradeError(
            f"--batch {s.batch} leaves a minibatch of a single decision out of --games times "
            f"--rollout = {collected}: take another"
        )
    minutes = DEFAULT_MINUTES if s.minutes is None and s.steps is None else s.minutes
    return replace(s, minutes=minutes, batch=batch)


def _write_settings(run: Path, s: Settings) -> None:
    text = json.dumps({**asdict(s), "folder": str(s.folder)}, indent=2)
    (run / "settings.json").write_text(text + "\n", "utf-8")


def _watched_games(s: Settings) -> int:
    return max(s.evaluation // 8, 1)


def main(arguments: list[str] | None = None) -> int:
    """Train as the command line says; returns the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # not every terminal has a plus-minus
    try:
        tyro.cli(train, prog="python -m mascarade_train.sb3", args=arguments)
    except (MascaradeError, OSError) as error:
        print(f"mascarade_train.sb3: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("mascarade_train.sb3: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
