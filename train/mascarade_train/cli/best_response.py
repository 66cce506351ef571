"""`mascarade best-response`: what an agent leaves to gain, at least."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from mascarade_env.cli.outputs import check_outputs, make_folder
from mascarade_env.core.errors import MascaradeError
from mascarade_env.exact.files import making
from mascarade_env.render.scene import printable

if TYPE_CHECKING:
    from mascarade_train.best_response import Response


def best_response_with(words: Sequence[str]) -> Callable[..., None]:
    """Train a best response to an agent, and tell how much it gains at least.

    The command is made when it is called: what it takes its flags from takes time to load.
    """
    try:
        from mascarade_train.best_response import best_response  # noqa: PLC0415
        from mascarade_train.calibration import told_of  # noqa: PLC0415
        from mascarade_train.display import display  # noqa: PLC0415
        from mascarade_train.interrupts import interrupts_noted  # noqa: PLC0415
        from mascarade_train.response_settings import ResponseSettings, checked  # noqa: PLC0415
    except ImportError as missing:
        raise MascaradeError(
            "`mascarade best-response` needs the extra train: pip install 'mascarade-env[train]' "
            f"({missing})"
        ) from missing

    defaults = ResponseSettings()

    def best_response_to(
        agent: str,
        scenario: str = "6A",
        out: Path | None = None,
        save_policy: Path | None = None,
        settings: Annotated[ResponseSettings, tyro.conf.arg(name="")] = defaults,
    ) -> None:
        """Train a best response to an agent, and tell how much it gains at least.

        Example: mascarade best-response --agent stopper --scenario 4A --decisions 1000000

        One player learns among copies of the agent, which does not change, in every seat equally
        often. What it wins above an equal share the agent leaves to gain; a better response may
        gain more. Beside the figure stands how much of the true gain the same procedure recovers
        in games that are solved exactly. Ctrl-C ends the training early, and what has been learned
        is measured.

        Args:
            agent: Its name, as released:6A, net:runs/6A or bluffer:0.3; one that plays by
                observations alone.
            scenario: A name such as 6A (see `mascarade scenarios`) or a .json file.
            out: A file for the result (.json).
            save_policy: A file for the response (.npz), which others can play as net:FILE.
            settings: How it is found.
        """
        checked(settings)
        for flag, file, ending in (("--out", out, ".json"), ("--save-policy", save_policy, ".npz")):
            if file is not None and file.suffix != ending:
                raise MascaradeError(f"{flag} is a file that ends in {ending}, not {str(file)!r}")
        check_outputs({"--out": out, "--save-policy": save_policy}, [agent, scenario])
        with display() as shown, interrupts_noted() as stops:
            response = best_response(
                agent, scenario, settings, told=shown.show, stopped=lambda: bool(stops)
            )
        calibrated = told_of(settings, whole=response.whole)
        if save_policy is not None:
            make_folder(save_policy)
            response.policy.save(save_policy)
        if out is not None:
            make_folder(out)
            words = response.to_dict() | {"calibration": calibrated}
            with making(out) as beside:
                beside.write_text(json.dumps(words, indent=1) + "\n", "utf-8")
        for line in _told(response, calibrated):
            print(printable(line))

    return best_response_to


best_response_with.of_words = True  # type: ignore[attr-defined]  # see mascarade_env.cli


def _told(response: "Response", calibrated: str) -> Iterator[str]:
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
