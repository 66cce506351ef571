"""The program `python -m lab`. Errors, signals and help work as in `mascarade`."""

from importlib.metadata import EntryPoint

from mascarade_env.cli._program import Program, run

#: The function of each command, by the command's name.
COMMANDS = {
    "actions": "lab.pages.actions:actions",
    "address": "lab.address:address",
    "bench": "lab.bench.command:bench",
    "calibration": "lab.calibration:calibrate",
    "equilibria": "lab.pages.equilibria:equilibria",
    "events": "lab.pages.events:events",
    "experiments": "lab.experiments.command:experiments",
    "ladder": "lab.pages.ladder:ladder",
    "lessons": "lab.lessons:lessons",
    "measures": "lab.pages.measures:measures",
    "observation": "lab.pages.observation:observation",
    "prose": "lab.prose:prose",
    "release": "lab.release:release",
    "results": "lab.results_page.page:results",
    "samples": "lab.samples:samples",
    "versions": "lab.pages.versions:versions",
}

_ABOUT = (
    "The tools that make this repository's own pages, figures and releases. "
    "`python -m lab COMMAND --help` describes a command, with an example."
)


def main(arguments: list[str] | None = None) -> int:
    """Run the command that the first argument names, and return its exit code."""
    commands = {name: EntryPoint(name, place, "lab") for name, place in COMMANDS.items()}
    return run(Program("python -m lab", _ABOUT, commands), arguments)


if __name__ == "__main__":
    raise SystemExit(main())
