"""`mascarade best-response`: find a lower bound on the exploitability of an agent.

`_best_response/search.py` has the method.
"""

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
    """Train a best response to an agent and report a lower bound on its exploitability.

    Args:
        words: the arguments of the command line. The flag --resume changes the defaults of all
            other flags, so the returned command depends on them.
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
    played, defaults = ("6A", ResponseSettings()) if run is None else resumed(Path(run))

    def best_response_to(
        agent: str,
        scenario: str = played,
        out: Path | None = None,
        save_policy: Path | None = None,
        name: str | None = None,
        folder: Path = Path("runs"),
        resume: Path | None = None,
        settings: Annotated[ResponseSettings, tyro.conf.arg(name="")] = defaults,
    ) -> None:
        """Train a best response to an agent and report a lower bound on its exploitability.

        Example: mascarade best-response --agent stopper --scenario 4A --decisions 1000000

        A new network (the response) learns to beat the agent. It holds one seat, every seat equally
        often. Copies of the agent, which do not learn, hold all other seats. Each of n equal
        players wins 1/n of the games. The gain is the win share of the response minus 1/n; a better
        response may gain more. The command also reports how good the method is: the share of the
        true gain that it finds in games whose best responses are computed exactly.

        With the default budget a search takes 15 to 40 minutes for four to six players, and hours
        for eight. Ctrl-C ends training early and measures what was learned. Checkpoints are saved
        while it runs, and when SIGTERM or SIGHUP ends it. --resume RUN with the same --agent gives
        the result of an uninterrupted search.

        Args:
            agent: Name of the agent to exploit, such as stopper, bluffer:0.3, released:6A or
                net:runs/6A. Agents that need views of whole games, such as ismcts:50, make the
                games many times slower.
            scenario: Scenario to play: a name such as 6A (`mascarade scenarios` lists them) or a
                .json file.
            out: File for the result (.json).
            save_policy: File for the response (.npz). It plays as the agent net:FILE.
            name: Name of the run's folder, by default response-SCENARIO. If it exists, a number is
                added.
            folder: Folder in which the run's folder is made.
            resume: Folder of a run to resume. It keeps its scenario and settings.
            settings: The budget and the method of the search.
        """
        checked(settings)
        for flag, file, ending in (("--out", out, ".json"), ("--save-policy", save_policy, ".npz")):
            if file is not None and file.suffix != ending:
                raise MascaradeError(f"{flag} must end in {ending}, not {str(file)!r}")
        check_outputs({"--out": out, "--save-policy": save_policy}, [agent, scenario])
        if resume is None:
            make_agent(agent, resolve(scenario))  # before the folder is made, in case it fails
            resume = new_folder(folder, name or f"response-{resolve(scenario).name}")
        response = _search(agent, scenario, settings, resume)
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


def _search(agent: str, scenario: str, settings: "ResponseSettings", run: Path) -> "Response":
    """Search until the end or a signal, with checkpoints in the folder of the run."""
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
        f"One response against copies of {response.agent} wins {share} of {share.games:,} games of "
        f"{response.scenario}; equal players win {share.fair:.1%}."
    )
    bound = f"a best response gains at least {100 * response.at_least:.1f}"
    if not response.at_least:
        bound = "this search found no gain that is significant at 95%"
    yield (
        f"It gains {100 * response.gain:.1f} points (95% interval {100 * low:.1f} to "
        f"{100 * high:.1f}): {bound}."
    )
    yield (
        f"It learned from {response.decisions:,} decisions in {response.seconds:,.0f} s; "
        f"{calibrated}."
    )
