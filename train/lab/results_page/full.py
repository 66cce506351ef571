"""What RESULTS.md tells of the released networks and of games of full size."""

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

#: Games whose equilibria are shown beside play in games of full size.
_BESIDE = ("powers-3", "medium-4")
_PICTURE = "learning.svg"


def networks() -> Iterator[str]:
    """The table of what is released."""
    yield from table(
        ["name", "has learned", "decisions", "minutes", "bytes", "NashConv", "trained by", "note"],
        map(_network, NOTES),
    )


def _network(name: str) -> list[str]:
    found = released(name)
    if found is None:
        return [name, "not released yet", "", "", "", "", "", ""]
    card = found["card"]
    near = card["scores"]["NashConv"]
    runs = [card["provenance"]]
    while "start" in runs[0]:
        runs.insert(0, runs[0]["start"])
    return [
        name,
        ", ".join(card["scenarios"]),
        f"{sum(run['decisions'] for run in runs):,}",
        f"{sum(run['seconds'] for run in runs) / 60:.0f}",
        f"{found['bytes']:,}",
        "" if near is None else f"{near:.3f}",
        ", then ".join(f"`{run['command']}`" for run in runs),
        card["note"],
    ]


def duels() -> Iterator[str]:
    """A table for each network: against the ladder and search, both ways."""
    opponents = (*LADDER, SEARCH)
    for name, scenario in PLAYED.items():
        yield f"### {name}, playing {scenario}\n"
        if all(record(duel_name(name, scenario, other)) is None for other in opponents):
            yield f"This is {NOT_YET}.\n"
            continue
        yield f"The fair share is {_fair(scenario)}.\n"
        yield from table(
            ["agent", f"{name} alone among copies of it", f"it, alone among copies of {name}", ""],
            ([other, *_both_ways(name, scenario, other)] for other in opponents),
        )
        yield ""


def _fair(scenario: str) -> str:
    return f"{100 / scenarios()[scenario].players:.1f}"


def _both_ways(name: str, scenario: str, opponent: str) -> list[str]:
    """Two win shares, and what else is to be said of the games of both."""
    found = record(duel_name(name, scenario, opponent))
    if found is None:
        return [NOT_YET, NOT_YET, ""]
    notes = [f"forfeited by {who}: {games} games" for who, games in found["forfeits"].items()]
    if found["broken_off"]:
        notes.append(f"{found['broken_off']} of {2 * found['given']['games']:,} games broken off")
    return [percent(found["alone"]), percent(found["against"]), "; ".join(notes)]


def sizes() -> Iterator[str]:
    """The table of the padded network at each size."""
    yield from table(
        [
            "scenario",
            "fair share",
            f"{PADDED} alone among copies of {STRONGEST}",
            f"{STRONGEST} alone among copies of {PADDED}",
            f"network for this size alone among copies of {STRONGEST}",
            f"{STRONGEST} alone among copies of that network",
            "",
        ],
        map(_size, SIZES),
    )


def _size(scenario: str) -> list[str]:
    own = _both_ways(scenario, scenario, STRONGEST) if scenario in PLAYED else ["-", "-", ""]
    padded = _both_ways(PADDED, scenario, STRONGEST)
    notes = [f"{who}: {told}" for who, told in ((PADDED, padded[2]), (scenario, own[2])) if told]
    return [scenario, _fair(scenario), *padded[:2], *own[:2], "; ".join(notes)]


def responses() -> Iterator[str]:
    """The table of best responses."""
    yield from table(
        [
            "against copies of",
            "scenario",
            "fair share",
            "it wins",
            "after own decisions",
            "while it learned",
            "",
        ],
        (_response(name, scenario) for name, scenario in PLAYED.items()),
    )


def _response(name: str, scenario: str) -> list[str]:
    found = record(f"full/{name}/response-{scenario}")
    if found is None:
        return [name, scenario, _fair(scenario), NOT_YET, "", "", ""]
    notes = [] if found["whole"] else ["ended before its budget was spent"]
    if found.get("broken_off"):
        notes.append(f"{found['broken_off']} of {found['wins']['games']:,} games broken off")
    return [
        name,
        scenario,
        _fair(scenario),
        percent(found["wins"]),
        f"{found['decisions']:,}",
        _quarters(found),
        "; ".join(notes),
    ]


def _quarters(found: Record) -> str:
    """What the training that was chosen won in each quarter, exploring included."""
    own = [
        point
        for point in found["curve"]
        if all(point[name] == found["chosen"][name] for name in Kind._fields)
    ]
    parts = [own[len(own) * part // 4 : len(own) * (part + 1) // 4] for part in range(4)]
    if not all(parts):
        return ""
    return ", ".join(f"{100 * fmean(p['share'] for p in part):.1f}" for part in parts)


def calibrations() -> Iterator[str]:
    """How much of the true gain the same procedure finds, where that is known."""
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
        ["game", "against copies of", "could be gained", "was found", "in percent of it"],
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
    """The table of how networks play, beside equilibria of small games."""
    seen = {n: found for n, s in PLAYED.items() if (found := record(f"full/{n}/play-{s}"))}
    if not seen:
        yield f"This is {NOT_YET}."
        return
    ended = [f"{each['broken_off']} of {each['given']['games']:,}" for each in seen.values()]
    yield from table(
        ["", *seen, *(f"equilibrium of {scenario}" for scenario in _BESIDE)],
        [["*games broken off*", *ended, *("-" for _ in _BESIDE)]]
        + [
            [
                f"{title} (`{name}`)",
                *(_played(found, name) for found in seen.values()),
                *(equilibrium(scenario, name) for scenario in _BESIDE),
            ]
            for name, title in MEASURES.items()
        ],
    )
    yield from absent(name for name in PLAYED if name not in seen)


def _played(found: Record, name: str) -> str:
    measured = found["play"].get(name)
    if measured is None or measured["value"] is None:
        return "-"
    if measured["low"] is None:
        return f"{100 * measured['value']:.1f}"
    return percent({"mean": measured["value"], **measured})


def learning() -> Iterator[str]:
    """Yield the line that shows the learning curves, with their ends as text."""
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
    """Draw the learning curves, if there are any; return their file."""
    curves = _curves()
    if not curves:
        return []
    titled = {_title(name): shown for name, shown in curves.items()}
    players = {_title(name): _met_in_training(name)["players"] for name in curves}
    learning_picture(folder / _PICTURE, titled, players)
    return [folder / _PICTURE]


def _title(name: str) -> str:
    """Return the name of a network, with its scenario if that has another name."""
    scenario = _met_in_training(name)["name"]
    return name if scenario == name else f"{name} in {scenario}"


def _met_in_training(name: str) -> Record:
    """Return the scenario in which a network met other agents during training."""
    release = released(name)
    assert release is not None
    scenario: Record = release["card"]["scenario"]
    return scenario


def _curves() -> dict[str, dict[str, Curve]]:
    """Return win shares over decisions, by network and opponent.

    Networks for one scenario come first, in the order of their names.
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
