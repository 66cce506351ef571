"""`mascarade arena`: agents play each other, and a report rates them."""

import os
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from mascarade_agents._cli.watching import games_of, watching
from mascarade_agents.arena import MOST_DECISIONS, SECONDS, Outcome, Tables, run
from mascarade_agents.arena._entrants import split_names
from mascarade_agents.arena._plan import MOST_GAMES
from mascarade_agents.report import html_page, print_summary, summary, write_json
from mascarade_agents.report._sentences import counted
from mascarade_env._errors import MascaradeError, whole
from mascarade_env.cli._outputs import check_outputs, make_folder, writing
from mascarade_env.exact._files import making
from mascarade_env.game._record_files import write_games
from mascarade_env.game._scenarios import resolve
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
    """Play agents against each other, each deal from every seat, and rate them.

    Half of the games are at mixed tables: all agents share the seats equally. The other half are
    one against many: one agent plays against copies of another agent. Each pair of agents plays
    the same number of these games. The command prints the numbers of games before it plays.

    Example: mascarade arena --agents random,honest --scenario 4A --games 600

    An agent forfeits a game if it raises an error, answers with an illegal action, takes too long
    or ends its process. Its players then get nothing, and the players of other agents share the
    win. The report names the agent, and the arena continues.

    Args:
        agents: Names of agents, separated by blanks or commas, for example
            bluffer:0.2,bluffer:0.5. Name your own agent by its file and class, for example
            mine.py:MyAgent.
        scenario: A name such as 6A (see `mascarade scenarios`), or a .json file with a scenario.
        games: Total number of games. The number of each kind is rounded up, so that every deal is
            played from every seat.
        seed: Seed of the deals, the seats of the agents, and the decisions. The same seed gives the
            same results.
        tables: Kinds of games: mixed (mixed tables), one (one against many), or both.
        workers: Number of processes that play; by default one for each core. The results do not
            depend on this number. With 0, no other process is started, and an agent that hangs is
            not stopped.
        output: A file to which the arena appends the results of each finished chunk of games, so
            that --resume can continue the arena.
        resume: Continue the arena in the file of --output.
        measured: Number of games in which to measure bluffing and other play; these are the first
            games of the arena.
        records: A file for the records of the measured games, with beliefs; gzipped if its name
            ends in .gz.
        json: A file for the report as JSON.
        html: A file for the report as a page.
        seconds_per_decision: Time limit of an agent for one decision, in seconds.
        most_decisions: Limit of decisions of one player in a game. A longer game is stopped, and
            all players share the win.
    """
    if resume and output is None:
        raise MascaradeError(
            "--resume continues an arena from its file: name the file with --output"
        )
    if records is not None and not measured:
        raise MascaradeError(
            "--records writes the measured games, but --measured is 0: set it to 1 or more"
        )
    if whole(games, "--games", at_least=1) > MOST_GAMES:
        raise MascaradeError(f"--games must be at most {MOST_GAMES}, not {games}")
    names = split_names(agents)
    workers = _cores() if workers is None else workers
    later: dict[str, Path | None] = {"--records": records, "--json": json, "--html": html}
    check_outputs({"--output": output, **later}, [*names, scenario])
    rules = resolve(scenario)
    mixed_games, pair_games = _split(games, tables, len(names), rules.players)
    if output is not None:
        make_folder(output)
    with writing(later):  # the arena locks its output itself
        try:
            with watching(workers) as watcher:
                outcome = run(
                    names,
                    rules,
                    games=mixed_games,
                    pair_games=pair_games,
                    seed=seed,
                    tables=tables,
                    workers=workers,
                    output=output,
                    resume=resume,
                    seconds_per_decision=seconds_per_decision,
                    most_decisions=most_decisions,
                    measured=measured,
                    begun=watcher.begun,
                    progress=watcher.progress,
                )
        except KeyboardInterrupt:
            _say_how_to_resume(output)
            raise
        except MascaradeError as error:
            if not resume:
                raise
            raise MascaradeError(
                f"{error} (in this run, --games {games} means games={mixed_games} and "
                f"pair_games={pair_games})"
            ) from error
        if records is not None:
            with making(records) as beside:
                write_games(beside, outcome.games(), beliefs=True)
        _report(outcome, games, json, html)


def _split(games: int, tables: Tables, agents: int, players: int) -> tuple[int, int | None]:
    """Return `games` and `pair_games` for `run`, from the total number of games."""
    pairs = max(agents * (agents - 1), 1)  # `run` refuses fewer than two agents
    if tables == "one":
        return -(-games // pairs), None
    if tables == "mixed" or players < 3:  # with two players, every table is mixed
        return games, None
    half = -(-games // 2)
    return half, -(-half // pairs)


def _report(outcome: Outcome, games: int, json: Path | None, html: Path | None) -> None:
    report = summary(
        outcome.results,
        outcome.behaviour.to_dict() if outcome.behaviour.agents else None,
        outcome.meta(),
    )
    console = Console()
    console.print(Text(_what_was_played(outcome, games)))
    print_summary(report, console)
    for forfeits in outcome.forfeits:
        words = f"{forfeits.agent} forfeited {counted(forfeits.games, 'game')}: {forfeits.reason}"
        console.print(Text(printable(words)))
    if json is not None:
        write_json(report, json)
    if html is not None:
        with making(html) as beside:
            beside.write_text(html_page(report), encoding="utf-8")


def _what_was_played(outcome: Outcome, games: int) -> str:
    plan = outcome.plan
    more = len(plan) - games
    rounded = f" (--games {games}, rounded up to play each deal from every seat)" if more else ""
    stopped = f"; {counted(outcome.broken_off, 'game')} stopped early" if outcome.broken_off else ""
    return f"{games_of(plan)}{rounded}, seed {plan.seed}{stopped}."


def _say_how_to_resume(output: Path | None) -> None:
    if output is None:
        words = "no results are kept: only an arena with --output FILE can be resumed"
    else:
        words = f"{output} keeps the finished games: add --resume to the same command to continue"
    print(f"mascarade: {words}", file=sys.stderr)


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
