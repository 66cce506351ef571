"""`mascarade best-response`: what an agent leaves to gain, at least."""

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from signal import Signals
from typing import TYPE_CHECKING, Annotated

import tyro

from mascarade_agents._registry import make_agent
from mascarade_env._errors import MascaradeError
from mascarade_env._files.locks import only_writer
from mascarade_env.cli._outputs import check_outputs, make_folder
from mascarade_env.exact._files import making
from mascarade_env.game._scenarios import resolve
from mascarade_env.render._scene import printable

if TYPE_CHECKING:
    from mascarade_train._best_response.search import Response
    from mascarade_train._best_response.settings import ResponseSettings


def best_response_with(words: Sequence[str]) -> Callable[..., None]:
    """Train a best response to an agent, and report how much it gains at least.

    The command is made when it is called: what it takes its flags from takes time to load.
    """
    try:
        from mascarade_train._best_response.calibration import recovered_share  # noqa: PLC0415
        from mascarade_train._best_response.checkpoints import resumed  # noqa: PLC0415
        from mascarade_train._best_response.settings import ResponseSettings, checked  # noqa: PLC0415
        from mascarade_train._run.folders import new_folder, value_of  # noqa: PLC0415
    except ImportError as missing:
        raise MascaradeError(
            "`mascarade best-response` needs the extra train: pip install 'mascarade-env[train]' "
            f"({missing})"
        ) from missing

    run = value_of(words, "--resume")
    named, defaults = ("6A", ResponseSettings()) if run is None else resumed(Path(run))

    def best_response_to(
        agent: str,
        scenario: str = named,
        out: Path | None = None,
        save_policy: Path | None = None,
        name: str | None = None,
        folder: Path = Path("runs"),
        resume: Path | None = None,
        settings: Annotated[ResponseSettings, tyro.conf.arg(name="")] = defaults,
    ) -> None:
        """Train a best response to an agent, and report how much it gains at least.

        Example: mascarade best-response --agent stopper --scenario 4A --decisions 1000000

        One player learns among copies of the agent, which does not change, in every seat equally
        often. What it wins above an equal share is what the agent lets others gain at least; a
        better response may gain more. The command also reports how much of the true gain the same
        procedure recovers in games that are solved exactly. Ctrl-C ends the training early, and
        what has been learned is measured. The command saves checkpoints, also when SIGTERM or
        SIGHUP ends it. --resume RUN with the same --agent gives the result of an uninterrupted
        search.

        Args:
            agent: Its name, as released:6A, net:runs/6A or bluffer:0.3. One that needs views of
                whole games, such as ismcts:50, makes the games many times slower.
            scenario: A name such as 6A (see `mascarade scenarios`) or a .json file.
            out: A file for the result (.json).
            save_policy: A file for the response (.npz), which others can play as net:FILE.
            name: The run's folder, by default response-SCENARIO; if it exists, a number is added.
            folder: Where the folders of runs are.
            resume: The folder of a run to resume, with its scenario and settings.
            settings: How it is found.
        """
        checked(settings)
        for flag, file, ending in (("--out", out, ".json"), ("--save-policy", save_policy, ".npz")):
            if file is not None and file.suffix != ending:
                raise MascaradeError(f"{flag} is a file that ends in {ending}, not {str(file)!r}")
        check_outputs({"--out": out, "--save-policy": save_policy}, [agent, scenario])
        if resume is None:
            make_agent(agent, resolve(scenario))  # an error leaves no folder
            resume = new_folder(folder, name or f"response-{resolve(scenario).name}")
        response = _found(agent, scenario, settings, resume)
        calibrated = recovered_share(settings, whole=response.whole)
        if save_policy is not None:
            make_folder(save_policy)
            response.policy.save(save_policy)
        if out is not None:
            make_folder(out)
            words = response.to_dict() | {"calibration": calibrated}
            with making(out) as beside:
                beside.write_text(json.dumps(words, indent=1) + "\n", "utf-8")
        for line in _sentences(response, calibrated):
            print(printable(line))

    return best_response_to


best_response_with.of_words = True  # type: ignore[attr-defined]  # see mascarade_env.cli


def _found(agent: str, scenario: str, settings: "ResponseSettings", run: Path) -> "Response":
    """Search, with checkpoints in the folder of the run, until the end or a signal."""
    from mascarade_env.cli._interrupts import exit_code, noted  # noqa: PLC0415
    from mascarade_train._best_response.search import Hooks, best_response  # noqa: PLC0415
    from mascarade_train._run.display import display  # noqa: PLC0415
    from mascarade_train._run.folders import clear_leftovers, mascarade  # noqa: PLC0415

    def saved() -> None:
        if stops and exit_code(stops[0]):
            with suppress(OSError):  # the terminal may be gone
                words = (
                    f"{mascarade()} best-response --agent {shlex.quote(agent)} "
                    f"--resume {shlex.quote(str(run))}"
                )
                print(f"Saved after {Signals(stops[0]).name}. Resume: {words}", flush=True)
            raise SystemExit(exit_code(stops[0]))

    with only_writer(run), display() as shown, noted(most=1) as stops:
        clear_leftovers(run)
        hooks = Hooks(shown.show, stopped=lambda: bool(stops), saved=saved)
        return best_response(agent, scenario, settings, run=run, hooks=hooks)


def _sentences(response: "Response", calibrated: str) -> Iterator[str]:
    share, (low, high) = response.share, response.interval
    yield (
        f"Against {response.agent} a response wins {share} of {share.games:,} games of "
        f"{response.scenario}, where equal players win {share.fair:.1%}."
    )
    least = f"the best response gains at least {100 * response.at_least:.1f}"
    if not response.at_least:
        least = "this training has found nothing to gain for certain"
    yield (
        f"It gains {100 * response.gain:.1f} points (95% interval {100 * low:.1f} to "
        f"{100 * high:.1f}): {least}."
    )
    yield (
        f"{response.decisions:,} own decisions were learned from, in {response.seconds:,.0f} s; "
        f"{calibrated}."
    )
