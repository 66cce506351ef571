"""Run `mascarade train` with given settings: start the processes, train, and report.

The training itself is in `_ppo.py`.
"""

import json
import shlex
import signal
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from mascarade_env._files.locks import only_writer
from mascarade_env.cli._interrupts import exit_code
from mascarade_env.exact._files import making
from mascarade_env.game._scenarios import resolve
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Training
from mascarade_train._run import checkpoints, report
from mascarade_train._run.folders import clear_leftovers, mascarade, new_folder
from mascarade_train._run.processes import ProcessGroup, leads, run_in_parallel, size
from mascarade_train._settings import Settings, as_json, checked


def start(settings: Settings) -> None:
    """Train with these settings, and print a report.

    Raises:
        MascaradeError: a setting is not valid, or a file cannot be written.
        SystemExit: a signal such as SIGTERM ended the run; the code is 128 plus its number.
    """
    s = checked(settings)
    s = replace(s, processes=size(s.processes))
    run = s.resume
    if run is None and leads():
        run = new_folder(s.folder, s.name or f"ppo-{s.preset or resolve(s.scenario[0]).name}")
    if leads():
        names = ", ".join(resolve(name).name for name in s.scenario)
        print(f"{names}: {s.processes} x {s.games} games in parallel -> {run}")
        print("Learning. Ctrl-C ends it early, saves and reports. Each line shows: part done,")
        print(
            "learned decisions, speed, how the network plays, win shares as 1 vs n-1.", flush=True
        )
    ended_by = run_in_parallel(s.processes, _learn, s, run)
    if exit_code(ended_by):
        if leads():
            with suppress(OSError):  # the terminal may be gone
                name = signal.Signals(ended_by).name
                words = f"{mascarade()} train --resume {shlex.quote(str(run))}"
                print(f"Saved after {name}. Resume: {words}", flush=True)
        raise SystemExit(exit_code(ended_by))
    if run is not None and leads():
        with only_writer(run):
            print("Measuring the trained policy ...", flush=True)
            measured = report.measure(s, run)
            report.write(measured, run)
            print("\n".join(report.lines(measured, s, run)))


def _learn(group: ProcessGroup, settings: Settings, run: Path | None) -> None:
    """Train in one of the processes of a run; process 0 writes into the run's folder."""
    # The process that writes takes the lock, because it may outlive the one that started it.
    with only_writer(run) if group.leads and run is not None else nullcontext():
        if group.leads and run is not None:
            clear_leftovers(run)
        training = Training(settings, run or Path(), group)
        untrained = training.policy()
        if settings.resume is not None:
            training.restore(checkpoints.load(settings.resume))
            if group.leads and training.over >= 1:
                more = report.longer(settings)
                print(f"This run is complete. To train longer, add {more}.")
        if group.leads:
            _write_beginning(training, untrained)
        training.go(group.stops)


def _write_beginning(training: Training, untrained: PolicyFile) -> None:
    """Write the settings of a run, and the policy that it starts from."""
    s, run = training.settings, training.run
    if not (run / report.UNTRAINED).exists():
        if s.resume is not None and s.start is not None:
            untrained = PolicyFile.load(s.start)  # a resumed run has not read it yet
        untrained.save(run / report.UNTRAINED)
    with making(run / "settings.json") as beside:
        beside.write_text(json.dumps(as_json(s), indent=2) + "\n", "utf-8")
