"""Self-play with Ray RLlib, on one host or on a cluster: `mascarade rllib`.

One network plays all seats and learns from all of them with RLlib's PPO. The decisions of each
player are a separate trajectory with that player's rewards (see `mascarade_env.adapters.rllib`).
The env runners play. They are processes on any host of a Ray cluster. This process learns. RLLIB.md
shows how to set up a cluster, how fast training is, and when to use it.

`train` reads from top to bottom; its settings are in `settings.py`.
"""

import json
import logging
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_RL_MODULE
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from tensorboardX import SummaryWriter

from mascarade_env._errors import MascaradeError
from mascarade_env.adapters.rllib import MascaradeMultiAgentEnv
from mascarade_env.cli._interrupts import noted
from mascarade_env.game._scenarios import resolve
from mascarade_env.observation._schema import Schema
from mascarade_train._agents import NetworkAgent
from mascarade_train._evaluation import alone_among
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import NAME, PolicyFile, numbers_read
from mascarade_train._rllib.module import SHARED, MaskedModule, arrays_of, module_of
from mascarade_train._rllib.settings import Settings, checked
from mascarade_train._run.folders import new_folder
from mascarade_train._run.provenance import versions

# Training deals games by smaller seeds.
_EVALUATION_SEED = 2**40
_SECONDS_A_LINE = 10.0
_CHECKPOINT = "checkpoint"


def train(settings: Settings) -> None:
    """Train with these settings, save the policy and print a report.

    Ctrl-C ends training early; the policy is saved and measured.

    Raises:
        MascaradeError: a setting is not valid, Ray cannot be reached, or the run's folder cannot be
            made.
    """
    s = checked(settings)
    schema = Schema(resolve(s.scenario), s.track, padded=s.padded)
    share = partial(
        alone_among, scenario=schema.scenario, games=s.evaluation, seed=_EVALUATION_SEED
    )
    torch.set_num_threads(1)  # the networks are so small that more threads are slower
    before = 0 if s.resume is None else _decisions_in(s.resume, s, schema)

    with _cluster(s) as s:
        algorithm = _algorithm(s, schema, before)
        try:
            if s.resume is not None:
                _restore(algorithm, s.resume / _CHECKPOINT)
            run = new_folder(s.folder, s.name or f"rllib-{schema.scenario.name}").resolve()
            settings_file = run / "settings.json"
            settings_file.write_text(json.dumps(_plain(s), indent=2) + "\n", "utf-8")
            print(
                f"{schema.scenario.name}: {s.runners} env runners, {s.tables} games each -> {run}"
            )

            print("Measuring the policy at the start ...", flush=True)
            first = _policy_file(algorithm, s, schema, before)
            initial = NetworkAgent(schema.scenario, NetPolicy(first))
            share_before = share(initial, "random")

            print("Learning. Ctrl-C ends it early, saves and reports.", flush=True)
            decisions, seconds = _learn(algorithm, s, schema, run, before)

            last = _policy_file(algorithm, s, schema, decisions, seconds=seconds)
            _save(algorithm, run, last)
            trained = NetworkAgent(schema.scenario, NetPolicy(last))
            share_after, share_first = share(trained, "random"), share(trained, initial)
            scores = {
                "win share against random players, at first": asdict(share_before),
                "win share against random players": asdict(share_after),
                "win share against the policy at first": asdict(share_first),
            }
            _policy_file(algorithm, s, schema, decisions, seconds=seconds, scores=scores).save(
                run / NAME
            )
        finally:
            algorithm.stop()

    print(
        f"\nWin share of one player in {s.evaluation} games, with its 95% interval.\n"
        f"Equal players win {share_after.fair:.1%}.\n"
        "  against random players:\n"
        f"      {share_before} at the start\n"
        f"      {share_after} trained\n"
        "  against the policy at the start:\n"
        f"      {share_first} trained\n"
        "  Beating random players does not measure strength.\n"
        f"\nLearned from {decisions - before:,} decisions in {seconds:,.0f} s, "
        f"{(decisions - before) / max(seconds, 1e-9):,.0f}/s.\nFiles in {run}:\n"
        f"  policy.npz             the policy: agent net:{run}, without Ray\n"
        f"  checkpoint             to continue: --resume {run}\n"
        f"  settings.json          its settings\n"
        f"  events.out.tfevents.*  curves for TensorBoard"
    )


def _learn(
    algorithm: Algorithm, s: Settings, schema: Schema, run: Path, before: int
) -> tuple[int, float]:
    """Learn until a limit or Ctrl-C; return the total decisions, and the seconds of this run."""
    decisions, begun = before, time.monotonic()
    shown = kept = begun
    line = ""
    with SummaryWriter(str(run)) as curves, noted(most=1) as interrupts:
        while True:
            result = algorithm.train()
            decisions = int(result["env_runners"]["num_env_steps_sampled_lifetime"])
            now = time.monotonic()
            figures = _figures(result)
            figures["decisions_a_second"] = (decisions - before) / (now - begun)
            for name, figure in figures.items():
                curves.add_scalar(f"train/{name}", figure, decisions)
            line = (
                f"{now - begun:>7,.0f} s {decisions:>12,} decisions "
                f"{figures['decisions_a_second']:>8,.0f}/s, entropy {figures['entropy']:.2f}, "
                f"KL {figures['kl']:.4f}, game {figures['game_length']:.0f} decisions"
            )
            if now - shown >= _SECONDS_A_LINE:
                print(line, flush=True)
                line, shown = "", now
            if interrupts:
                print("Interrupted. Saving the policy and measuring it ...", flush=True)
                break
            if s.steps is not None and decisions - before >= s.steps:
                break
            if s.minutes is not None and now - begun >= 60 * s.minutes:
                break
            if now - kept >= 60 * s.checkpoint_every:
                file = _policy_file(algorithm, s, schema, decisions, seconds=now - begun)
                _save(algorithm, run, file)
                kept = now
    if line:
        print(line, flush=True)
    return decisions, time.monotonic() - begun


def _figures(result: Mapping[str, Any]) -> dict[str, float]:
    """Return RLlib's figures of an update, by our names; NaN for figures that are not reported."""
    learned = result["learners"][SHARED]
    figures = {
        "entropy": learned.get("entropy"),
        "kl": learned.get("mean_kl_loss"),
        "kl_weight": learned.get("curr_kl_coeff"),
        "value_loss": learned.get("vf_loss"),
        "value_explained": learned.get("vf_explained_var"),
        "game_length": result["env_runners"].get("episode_len_mean"),
        "seconds_playing": result["timers"].get("env_runner_sampling_timer"),
        "seconds_learning": result["timers"].get("learner_update_timer"),
    }
    return {name: float("nan" if figure is None else figure) for name, figure in figures.items()}


def _algorithm(s: Settings, schema: Schema, before: int) -> Algorithm:
    """Return RLlib's PPO with these settings; its seed depends on the count `before`."""
    (seed,) = np.random.SeedSequence([s.seed, before]).generate_state(1) >> np.uint32(1)
    env_config = {
        "scenario": schema.scenario.to_dict(),
        "track": s.track,
        "padded": s.padded,
        "illegal_actions": "raise",  # the network masks them, so one would be a fault
    }
    shape = {
        "numbers": numbers_read(schema),
        "width": s.width,
        "players": schema.scenario.players,
    }
    config = (
        PPOConfig()
        .environment(MascaradeMultiAgentEnv, env_config=env_config, disable_env_checking=True)
        .env_runners(
            num_env_runners=s.runners,
            num_envs_per_env_runner=s.tables,
            batch_mode="truncate_episodes",  # complete episodes would repeat the same deals
            rollout_fragment_length="auto",
            sample_timeout_s=600.0,  # the first games compile the rules
        )
        # One learner: with several, RLlib splits episodes in the middle of games, where other
        # players' decisions are pending. Learning takes less time than playing anyway.
        .learners(num_learners=0)
        .multi_agent(policies={SHARED}, policy_mapping_fn=module_of)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config=shape))
        .training(
            lr=s.learning_rate,
            gamma=1.0,  # a late win counts as much as an early one
            lambda_=0.95,
            entropy_coeff=s.entropy,
            use_kl_loss=s.kl > 0,
            kl_coeff=s.kl,
            kl_target=s.kl_target,
            clip_param=0.2,
            vf_loss_coeff=0.5,
            vf_clip_param=float("inf"),  # values are bounded already
            grad_clip=0.5,
            grad_clip_by="global_norm",
            train_batch_size_per_learner=s.rollout,
            minibatch_size=s.batch,
            num_epochs=s.epochs,
        )
        .debugging(seed=int(seed), log_level="ERROR")
    )
    return config.build_algo()


def _policy_file(  # noqa: PLR0913  what a card may hold, by keyword
    algorithm: Algorithm,
    s: Settings,
    schema: Schema,
    decisions: int,
    *,
    seconds: float = 0.0,
    scores: Mapping[str, Any] | None = None,
) -> PolicyFile:
    """Return the current network, with its provenance on the card."""
    weights = algorithm.learner_group.get_weights([SHARED])[SHARED]
    return PolicyFile.of(
        schema,
        arrays_of(weights, schema.seats),
        provenance={
            "trained by": "mascarade rllib",
            "settings": _plain(s),
            "decisions": decisions,
            "seconds of this run": round(seconds),
            "versions": versions("ray", "torch", "gymnasium", "numpy"),
        },
        scores=scores,
    )


def _save(algorithm: Algorithm, run: Path, file: PolicyFile) -> None:
    """Write the policy and the checkpoint; a complete new file replaces the old one."""
    complete, part, old = (run / f"{_CHECKPOINT}{end}" for end in ("", ".part", ".old"))
    for rest in (part, old):
        shutil.rmtree(rest, ignore_errors=True)
    algorithm.save_to_path(str(part))
    if complete.exists():
        complete.rename(old)
    part.rename(complete)
    file.save(run / NAME)
    shutil.rmtree(old, ignore_errors=True)


def _restore(algorithm: Algorithm, checkpoint: Path) -> None:
    """Resume from a checkpoint, and send its weights to all env runners."""
    algorithm.restore_from_path(str(checkpoint.resolve()))
    # RLlib 2.60 loses weights that it sends to busy env runners. They would play a first rollout
    # untrained, and the KL penalty would pull the policy there.
    rl_module = f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}"
    group = algorithm.learner_group.get_state(components=[rl_module], inference_only=True)
    state = group[COMPONENT_LEARNER]
    algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.set_state(state))


def _decisions_in(run: Path, s: Settings, schema: Schema) -> int:
    """Return the number of learned decisions of a run, after checking that it can be continued."""
    file = PolicyFile.load(run)
    learned, needed = file.schema, (schema.scenario.to_dict(), s.track, s.padded, [s.width] * 2)
    if (learned.scenario.to_dict(), learned.track, learned.padded, file.card["layers"]) != needed:
        widths = file.card["layers"]
        raise MascaradeError(
            f"--resume {run} has learned --scenario {learned.scenario.name} with --track "
            f"{learned.track}, padded {learned.padded} and layers of {widths}: give the same "
            "settings"
        )
    decisions = file.card["provenance"].get("decisions")
    before = run / f"{_CHECKPOINT}.old"
    if before.is_dir() and not (run / _CHECKPOINT).exists():
        before.rename(run / _CHECKPOINT)  # the run was killed while it replaced the checkpoint
    if not isinstance(decisions, int) or not (run / _CHECKPOINT).is_dir():
        raise MascaradeError(
            f"--resume must be the folder of a run of `mascarade rllib`, not {str(run)!r}: check "
            "the path"
        )
    return decisions


@contextmanager
def _cluster(s: Settings) -> Iterator[Settings]:
    """Start Ray for the duration of a run; yield the settings with `runners` filled in."""
    begun = not ray.is_initialized()
    if begun:
        logging.getLogger("ray.rllib").setLevel(logging.ERROR)
        try:
            ray.init(
                # Without an address Ray would look for the last cluster of this host.
                address=s.address or os.environ.get("RAY_ADDRESS") or "local",
                include_dashboard=False,
                logging_level=logging.ERROR,
                log_to_driver=False,
            )
        except (OSError, RuntimeError) as error:  # Ray raises either
            raise MascaradeError(
                f"Ray cannot be reached: {error}; check --address and `ray status`"
            ) from error
    try:
        cpus = int(ray.cluster_resources().get("CPU", 0))
        runners = cpus if s.runners is None else s.runners
        if runners > cpus:
            raise MascaradeError(
                f"--runners {runners} needs {runners} CPUs, but Ray has {cpus}: give fewer "
                "--runners, or add hosts to the cluster"
            )
        yield replace(s, runners=runners)
    finally:
        if begun:
            ray.shutdown()


def _plain(s: Settings) -> dict[str, Any]:
    """Return the settings as JSON."""
    return {name: str(v) if isinstance(v, Path) else v for name, v in asdict(s).items()}
