"""The parts of RESULTS.md about released networks and full-size games."""

from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from lab import result_files
from lab.experiments.full import (
    PLAYED,
    SEARCH,
    SIZES,
    STRONGEST,
    duel_name,
)
from lab.release import NOTES
from lab.results_page.exact import equilibrium
from lab.results_page.pictures import Curve, learning_picture
from lab.results_page.records import (
    NOT_YET,
    Record,
    absent,
    percent,
    record,
    released,
    table,
)
from mascarade_agents._ladder import LADDER
from mascarade_env._files.strict_json import parse_json
from mascarade_env.exact._behaviour import MEASURES
from mascarade_env.game._scenarios import scenarios
from mascarade_train._best_response import calibration
from mascarade_train._best_response.settings import Kind, ResponseSettings
from mascarade_train._released import PADDED

#: Small games whose equilibria are shown next to play in full-size games.
_SOLVED = ("powers-3", "medium-4")
_PICTURE = "learning.svg"


def networks() -> Iterator[str]:
    """Yield the table of released networks."""
    yield from table(
        ["name", "trained on", "decisions", "minutes", "bytes", "NashConv", "commands", "note"],
        map(_network, NOTES),
    )


def _network(name: str) -> list[str]:
    release = released(name)
    if release is None:
        return [name, "not released yet", "", "", "", "", "", ""]
    card = release["card"]
    nash_conv = card["scores"]["NashConv"]
    runs = [card["provenance"]]
    while "start" in runs[0]:
        runs.insert(0, runs[0]["start"])
    return [
        name,
        ", ".join(card["scenarios"]),
        f"{sum(run['decisions'] for run in runs):,}",
        f"{sum(run['seconds'] for run in runs) / 60:.0f}",
        f"{release['bytes']:,}",
        "" if nash_conv is None else f"{nash_conv:.3f}",
        ", then ".join(f"`{run['command']}`" for run in runs),
        NOTES[name] or card["note"],  # a card keeps the words of its release
    ]


def duels() -> Iterator[str]:
    """Yield a table for each network: its results against each hand-written agent and search.

    One column has the network against copies of the agent, the other the agent against copies of
    the network.
    """
    opponents = (*LADDER, SEARCH)
    for name, scenario in PLAYED.items():
        yield f"### The network {name} in {scenario}\n"
        if all(record(duel_name(name, scenario, other)) is None for other in opponents):
            yield f"This is {NOT_YET}.\n"
            continue
        yield f"The fair share is {_fair(scenario)}.\n"
        yield from table(
            [
                "agent",
                f"{name} (1 vs {_others(scenario)} of the agent)",
                f"the agent (1 vs {_others(scenario)} {name})",
                "",
            ],
            ([other, *_both_ways(name, scenario, other)] for other in opponents),
        )
        yield ""


def _others(scenario: str) -> int:
    return scenarios()[scenario].players - 1


def _fair(scenario: str) -> str:
    return f"{100 / scenarios()[scenario].players:.1f}"


def _both_ways(name: str, scenario: str, opponent: str) -> list[str]:
    """Return two win shares, and a note on games that were forfeited or stopped early.

    The first is of the network against copies of the opponent, the second the reverse.
    """
    duel = record(duel_name(name, scenario, opponent))
    if duel is None:
        return [NOT_YET, NOT_YET, ""]
    notes = [f"forfeited by {who}: {games} games" for who, games in duel["forfeits"].items()]
    if duel["broken_off"]:
        notes.append(_stopped(duel["broken_off"], 2 * duel["given"]["games"]))
    return [percent(duel["alone"]), percent(duel["against"]), "; ".join(notes)]


def _stopped(count: int, games: int) -> str:
    return f"{count} of {games:,} games stopped early"


def sizes() -> Iterator[str]:
    """Yield the table of the padded network, with a row for each number of players."""
    yield from table(
        [
            "scenario",
            "fair share",
            f"{PADDED} (1 vs n-1 {STRONGEST})",
            f"{STRONGEST} (1 vs n-1 {PADDED})",
            f"network of this scenario (1 vs n-1 {STRONGEST})",
            f"{STRONGEST} (1 vs n-1 of that network)",
            "",
        ],
        map(_size, SIZES),
    )


def _size(scenario: str) -> list[str]:
    own = _both_ways(scenario, scenario, STRONGEST) if scenario in PLAYED else ["-", "-", ""]
    padded = _both_ways(PADDED, scenario, STRONGEST)
    pairs = ((PADDED, padded[2]), (scenario, own[2]))
    notes = [f"{who}: {note}" for who, note in pairs if note]
    return [scenario, _fair(scenario), *padded[:2], *own[:2], "; ".join(notes)]


def responses() -> Iterator[str]:
    """Yield the table of best responses."""
    yield from table(
        [
            "against copies of",
            "scenario",
            "fair share",
            "win share",
            "decisions of training",
            "during training",
            "",
        ],
        (_response(name, scenario) for name, scenario in PLAYED.items()),
    )


def _response(name: str, scenario: str) -> list[str]:
    response = record(f"full/{name}/response-{scenario}")
    if response is None:
        return [name, scenario, _fair(scenario), NOT_YET, "", "", ""]
    notes = [] if response["whole"] else ["ended before its budget was spent"]
    if response.get("broken_off"):
        notes.append(_stopped(response["broken_off"], response["wins"]["games"]))
    return [
        name,
        scenario,
        _fair(scenario),
        percent(response["wins"]),
        f"{response['decisions']:,}",
        _quarters(response),
        "; ".join(notes),
    ]


def _quarters(response: Record) -> str:
    """Return the win shares, with exploration, in each quarter of the chosen training."""
    own = [
        point
        for point in response["curve"]
        if all(point[name] == response["chosen"][name] for name in Kind._fields)
    ]
    parts = [own[len(own) * part // 4 : len(own) * (part + 1) // 4] for part in range(4)]
    if not all(parts):
        return ""
    return ", ".join(f"{100 * fmean(p['share'] for p in part):.1f}" for part in parts)


def calibrations() -> Iterator[str]:
    """Yield a table for small games: the share of the true gain that best responses find."""
    settings = ResponseSettings()
    known = [
        c
        for c in calibration.load(calibration.FILE)
        if not calibration.differences(settings, c.settings)
    ]
    if not known:
        yield "Not measured yet with these settings."
        return
    yield from table(
        ["game", "against copies of", "largest gain", "gain found", "found, in percent"],
        (
            [
                line.scenario,
                line.table,
                f"{line.true_gain:.4f}",
                f"{line.found:.4f}",
                f"{100 * line.recovered:.0f}",
            ]
            for line in known[0].lines
        ),
    )


def play() -> Iterator[str]:
    """Yield the table with measures of play of networks, and of equilibria of small games."""
    seen = {n: play for n, s in PLAYED.items() if (play := record(f"full/{n}/play-{s}"))}
    if not seen:
        yield f"This is {NOT_YET}."
        return
    ended = [f"{each['broken_off']} of {each['given']['games']:,}" for each in seen.values()]
    yield from table(
        ["", *seen, *(f"equilibrium of {scenario}" for scenario in _SOLVED)],
        [["*games stopped early*", *ended, *("-" for _ in _SOLVED)]]
        + [
            [
                f"{title} (`{name}`)",
                *(_played(play, name) for play in seen.values()),
                *(equilibrium(scenario, name) for scenario in _SOLVED),
            ]
            for name, title in MEASURES.items()
        ],
    )
    yield from absent(name for name in PLAYED if name not in seen)


def _played(play: Record, name: str) -> str:
    measured = play["play"].get(name)
    if measured is None or measured["value"] is None:
        return "-"
    if measured["low"] is None:
        return f"{100 * measured['value']:.1f}"
    return percent({"mean": measured["value"], **measured})


def learning() -> Iterator[str]:
    """Yield the line that shows the learning curves, with their last values as text."""
    ways = []
    for name, shown in _curves().items():
        others = _met_in_training(name)["players"] - 1
        ends = (f"{100 * curve[-1][1]:.0f}% vs {others} {agent}" for agent, curve in shown.items())
        ways.append(f"{_title(name)}: {', '.join(ends)}")
    if ways:
        words = "Win shares over the decisions of training; at its end"
        yield f"![{words}: {'; '.join(ways)}](results/{_PICTURE})"
    else:
        yield f"The curves of networks are {NOT_YET}."


def draw(folder: Path) -> list[Path]:
    """Draw the learning curves and return their file; return [] if there are no curves."""
    curves = _curves()
    if not curves:
        return []
    titled = {_title(name): shown for name, shown in curves.items()}
    players = {_title(name): _met_in_training(name)["players"] for name in curves}
    learning_picture(folder / _PICTURE, titled, players)
    return [folder / _PICTURE]


def _title(name: str) -> str:
    """Return the name of a network, and its scenario if this has another name."""
    scenario = _met_in_training(name)["name"]
    return name if scenario == name else f"{name} in {scenario}"


def _met_in_training(name: str) -> Record:
    """Return the scenario in which training measured a network against other agents."""
    release = released(name)
    assert release is not None
    scenario: Record = release["card"]["scenario"]
    return scenario


def _curves() -> dict[str, dict[str, Curve]]:
    """Return curves of win shares over decisions, by network and opponent.

    Networks with the name of a scenario come first, then padded, then all others.
    """
    curves: dict[str, dict[str, Curve]] = {}
    for name in sorted(PLAYED, key=lambda name: (name != PLAYED[name], name != PADDED, name)):
        file = result_files.FOLDER / result_files.RELEASED / f"{name}.jsonl"
        if released(name) is None or not file.exists():
            continue
        shown: dict[str, list[list[float]]] = {}
        for line in file.read_text("utf-8").splitlines():
            point = parse_json(line.encode())
            for agent, share in point.get("alone", {}).items():
                shown.setdefault(agent, []).append([point["decisions"], share["mean"]])
        if shown:
            curves[name] = dict(shown)
    return curves
