"""`mascarade arena`: agents play each other, and a report says who is better."""

import os
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from mascarade_agents._cli.watching import watching
from mascarade_agents.arena import MOST_DECISIONS, SECONDS, Outcome, Tables, run
from mascarade_agents.arena._entrants import split_names
from mascarade_agents.report import html_page, print_summary, summary, write_json
from mascarade_agents.report._sentences import counted
from mascarade_env._errors import MascaradeError
from mascarade_env.cli._outputs import check_outputs, make_folder, writing
from mascarade_env.exact._files import making
from mascarade_env.game._record_files import write_games
from mascarade_env.render._scene import printable


def arena(
    agents: tuple[str, ...],
    scenario: str = "6A",
    games: int = 1000,
    seed: int = 0,
    tables: Tables = "both",
    workers: int | None = None,
    output: Path | None = None,
    resume: bool = False,
    measured: int = 200,
    records: Path | None = None,
    json: Path | None = None,
    html: Path | None = None,
    seconds_per_decision: float = SECONDS,
    most_decisions: int = MOST_DECISIONS,
) -> None:
    """Let agents play each other, each deal from every seat, and rate them.

    One against many plays the same deals for all pairs; so do mixed tables if all agents fit.

    Example: mascarade arena --agents random,honest --scenario 4A --games 200

    An agent that raises an error, answers what is not legal, takes too long or ends its process
    forfeits that game and is named: its players there get nothing, those of other agents share
    the win. The arena goes on.

    Args:
        agents: Who plays: names, separated by blanks or commas, as bluffer:0.2,bluffer:0.5. One of
            your own is called by its file and class, as mine.py:MyAgent.
        scenario: A name such as 6A (see `mascarade scenarios`), or a .json file with a scenario.
        games: How many at mixed tables, and as many of each agent alone against copies of each
            other one, so both ways; rounded up to whole rotations of seats.
        seed: Of the deals, the line-ups and the decisions: the same seed gives the same results.
        tables: Agents in equal parts (mixed), one among copies of another (one), or both.
        workers: Processes that play; one a core by default. Results do not depend on it. With 0
            this process plays, and agents that hang are waited for.
        output: A file to keep results in while they are found, so that they can be resumed.
        resume: Continue with that file.
        measured: How many games to measure bluffing and the like in, the first ones.
        records: A file for the records of these games, with beliefs, gzipped if it ends in .gz.
        json: A file for the report as JSON.
        html: A file for the report as a page.
        seconds_per_decision: How long an agent may think.
        most_decisions: Of one player in a game; longer games are broken off and shared by all.
    """
    if resume and output is None:
        raise MascaradeError("--resume continues a file: name it by --output")
    if records is not None and not measured:
        raise MascaradeError("--records are of the games measured: --measured must be more than 0")
    names = split_names(agents)
    later: dict[str, Path | None] = {"--records": records, "--json": json, "--html": html}
    check_outputs({"--output": output, **later}, [*names, scenario])
    if output is not None:
        make_folder(output)
    with writing(later):  # the arena locks its output itself
        try:
            with watching() as progress:
                outcome = run(
                    names,
                    scenario,
                    games=games,
                    seed=seed,
                    tables=tables,
                    workers=_cores() if workers is None else workers,
                    output=output,
                    resume=resume,
                    seconds_per_decision=seconds_per_decision,
                    most_decisions=most_decisions,
                    measured=measured,
                    progress=progress,
                )
        except KeyboardInterrupt:
            _say_how_to_resume(output)
            raise
        if records is not None:
            with making(records) as beside:
                write_games(beside, outcome.games(), beliefs=True)
        _report(outcome, json, html)


def _report(outcome: Outcome, json: Path | None, html: Path | None) -> None:
    report = summary(
        outcome.results,
        outcome.behaviour.to_dict() if outcome.behaviour.agents else None,
        outcome.meta(),
    )
    console = Console()
    console.print(Text(_what_was_played(outcome)))
    print_summary(report, console)
    for forfeits in outcome.forfeits:
        words = f"{forfeits.agent} forfeited {counted(forfeits.games, 'game')}: {forfeits.reason}"
        console.print(Text(printable(words)))
    if json is not None:
        write_json(report, json)
    if html is not None:
        with making(html) as beside:
            beside.write_text(html_page(report), encoding="utf-8")


def _what_was_played(outcome: Outcome) -> str:
    plan = outcome.plan
    kinds = [
        f"{counted(number, 'game')} {how}"
        for number, how in (
            (plan.mixed_games, "at mixed tables"),
            (plan.one_games, "of one against many"),
        )
        if number
    ]
    rounded = plan.games % plan.scenario.players
    whole = f" (--games {plan.games} in whole rotations)" if rounded else ""
    cut = f"; {counted(outcome.broken_off, 'game')} broken off" if outcome.broken_off else ""
    return f"{' and '.join(kinds)}{whole}, seed {plan.seed}{cut}."


def _say_how_to_resume(output: Path | None) -> None:
    if output is None:
        words = "nothing is kept: with --output FILE an arena can be resumed"
    else:
        words = f"what is finished stands in {output}: the same command with --resume goes on"
    print(f"mascarade: {words}", file=sys.stderr)


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
