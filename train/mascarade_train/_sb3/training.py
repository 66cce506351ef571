"""Self-play with Stable-Baselines3: `mascarade sb3`.

One learner (MaskablePPO) plays one seat in many games in parallel. The opponents on the other seats
are sampled from a pool of its snapshots; by default, half of them are the newest snapshot. The pool
grows during training. `train` reads from top to bottom; its settings are in `settings.py`.

SB3 learns from one seat of each game and ignores the decisions of all other seats. It is a baseline
for comparison, not the fastest method. The win share against random players does not measure
strength: it may fall during training, because the learner learns to beat its snapshots.
"""

import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from torch.utils.tensorboard import SummaryWriter  # noqa: F401 (the logger's)

from mascarade_env.adapters.sb3 import MascaradeVecEnv
from mascarade_env.cli._interrupts import noted
from mascarade_env.envs._opponents import Pool
from mascarade_env.game._record_files import write_games
from mascarade_env.game._scenarios import resolve
from mascarade_env.observation._schema import Schema
from mascarade_env.render import replay_html
from mascarade_train._evaluation import alone_among, watched
from mascarade_train._run.display import display
from mascarade_train._run.example_game import example_game, game_in_words
from mascarade_train._run.folders import mascarade, new_folder, python
from mascarade_train._run.summary_text import compared, on_card
from mascarade_train._sb3.callback import TrainingCallback
from mascarade_train._sb3.policies import Snapshot, actor_of, save
from mascarade_train._sb3.settings import Settings, checked

# Training deals games by smaller seeds.
_EVALUATION_SEED = 2**40


def train(settings: Settings) -> None:
    """Train with these settings, save the policy and print a report.

    Ctrl-C ends training early; the policy is saved and measured.

    Raises:
        MascaradeError: a setting is not valid, or the run's folder cannot be made.
    """
    s = checked(settings)
    schema = Schema(resolve(s.scenario), s.track, padded=s.padded)
    table: dict[str, Any] = {"scenario": schema.scenario, "track": s.track, "padded": s.padded}
    torch.set_num_threads(1)  # the networks are so small that more threads are slower

    pool = Pool(newest=s.newest, keep=s.keep)
    env = MascaradeVecEnv(s.games, opponents=pool, **table)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=s.learning_rate,
        n_steps=s.rollout,
        batch_size=s.batch,
        n_epochs=s.epochs,
        gamma=1.0,  # a late win counts as much as an early one
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
    print(f"{schema.scenario.name}: {s.games} games in parallel -> {run}")

    print("Measuring the untrained policy ...", flush=True)
    initial = Snapshot(actor_of(model.policy), schema)
    play_before = watched(initial, schema.scenario, games=_watched_games(s), seed=_EVALUATION_SEED)
    share = partial(
        alone_among, scenario=schema.scenario, games=s.evaluation, seed=_EVALUATION_SEED
    )
    share_before = share(initial, "random")

    print("Learning. Ctrl-C ends it early, saves and reports.", flush=True)
    with display() as shown, noted(most=1) as interrupts:
        callback = TrainingCallback(
            schema,
            pool,
            checkpoint,
            shown,
            interrupts,
            snapshot_every=s.snapshot_every,
            minutes=s.minutes,
            steps=s.steps,
        )
        model.learn(s.steps if s.steps is not None else sys.maxsize, callback=callback)
    save(model, schema, checkpoint)
    model.logger.close()
    if interrupts:
        print("Interrupted. The policy is saved; measuring it ...", flush=True)

    trained = Snapshot(actor_of(model.policy), schema)
    share_after, share_initial = share(trained, "random"), share(trained, initial)
    play_after = watched(trained, schema.scenario, games=_watched_games(s), seed=_EVALUATION_SEED)
    game = example_game(trained, schema.scenario, seed=_EVALUATION_SEED)
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

    print("\nA game of the trained policy against itself, as an onlooker saw it:\n")
    print("\n".join(game_in_words(game)))
    print(
        f"\nWin share of one player in {s.evaluation} games, with its 95% interval.\n"
        f"Equal players win {share_after.fair:.1%}.\n"
        "  against random players:\n"
        f"      {share_before} untrained\n"
        f"      {share_after} trained\n"
        "  against the untrained policy:\n"
        f"      {share_initial} trained\n"
        "  Beating random players does not measure strength.\n"
    )
    print("\n".join(compared(play_before, play_after)))
    print(
        f"\nLearned from {model.num_timesteps:,} decisions. Files in {run}:\n"
        f"  policy.zip, policy.json   the checkpoint, and these scores\n"
        f"  settings.json             its settings\n"
        f"  game.html, game.jsonl     the game above, to click through\n"
        f"  events.out.tfevents.*     curves for TensorBoard\n"
        "What to do next:\n"
        "  compare it with other agents:\n"
        f"      {mascarade()} arena --agents net:{run},stopper --scenario {schema.scenario.name}\n"
        "  see its learning curves:\n"
        f"      {python()} -m tensorboard.main --logdir {s.folder}\n"
        "  train longer, with six players:\n"
        f"      {mascarade()} sb3 --scenario 6A --minutes 15\n"
        "  train without the entropy bonus, to compare:\n"
        f"      {mascarade()} sb3 --entropy 0"
    )


def _write_settings(run: Path, s: Settings) -> None:
    text = json.dumps({**asdict(s), "folder": str(s.folder)}, indent=2)
    (run / "settings.json").write_text(text + "\n", "utf-8")


def _watched_games(s: Settings) -> int:
    return max(s.evaluation // 8, 1)
