"""Sentences that sum up the results of an arena."""

from collections.abc import Iterator, Sequence
from typing import Any

_NAMED = 5  # the most names that a sentence lists; if there are more, it counts the rest


def sentences(summary: dict[str, Any]) -> list[str]:
    """Return a few sentences on the results. Each can be understood without the others."""
    return [
        *_on_shares(summary),
        *_on_meetings(summary),
        *_on_duels(summary),
        *_on_cycles(summary),
        *_on_forfeits(summary),
    ]


def listed(names: Sequence[str]) -> str:
    """Return names as part of a sentence: "a, b and c"."""
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, noun: str) -> str:
    """Return a number and its noun, with an s for the plural."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _on_shares(summary: dict[str, Any]) -> Iterator[str]:
    games, names = summary["games"], summary["agents"]
    if not games["all"]:
        yield "No game was played, so there is nothing to report."
        return
    if not games["mixed"]:
        if games["mirror"] == games["all"]:
            yield "In each game, one agent controlled all players, so the games compare no agents."
        return
    fair, shares = summary["fair_share"], summary["win_shares"]
    ranked = [agent for agent in summary["ranking"] if shares["value"][agent] is not None]
    above = [names[agent] for agent in ranked if shares["clear"][agent] > 0]
    below = [names[agent] for agent in ranked if shares["clear"][agent] < 0]
    best = ranked[0]
    yield (
        f"In {counted(games['mixed'], 'mixed game')} of {summary['scenario']}, {names[best]} has "
        f"the largest win share: {shares['value'][best]:.1%} (95% interval "
        f"{shares['low'][best]:.1%} to {shares['high'][best]:.1%}). "
        f"Equal players would each get the fair share, 1/{summary['players']} = {fair:.1%}."
    )
    if above or below:
        parts = [f"{listed(above)} above"] if above else []
        parts += [f"{listed(below)} below"] if below else []
        yield f"Significantly different from the fair share: {', '.join(parts)}."
    else:
        yield (
            "No agent is significantly above or below the fair share. More games may show a "
            "difference."
        )
    met = [agent for agent in ranked if summary["pairwise"]["value"][best][agent] is not None]
    rivals = [names[agent] for agent in met if not summary["cycles"]["ahead"][best][agent]]
    if rivals and above:
        yield (
            f"{names[best]} is not significantly better than {listed(rivals)} at the same table."
        )
    elif above:
        others = names[met[0]] if len(met) == 1 else "every other agent"
        where = "at the same table" if len(met) in (1, len(names) - 1) else "it met at a table"
        yield f"{names[best]} is significantly better than {others} {where}."


def absent(summary: dict[str, Any]) -> list[str]:
    """Return the names of agents that played no mixed game."""
    shares = summary["win_shares"]["value"]
    return [summary["agents"][agent] for agent in summary["ranking"] if shares[agent] is None]


def unmet(summary: dict[str, Any]) -> str:
    """Return the pairs of agents that played mixed games, but never met in one."""
    played = [
        agent for agent in summary["ranking"] if summary["win_shares"]["value"][agent] is not None
    ]
    pairs = [
        f"{summary['agents'][first]} and {summary['agents'][second]}"
        for place, first in enumerate(played)
        for second in played[place + 1 :]
        if summary["pairwise"]["value"][first][second] is None
    ]
    if len(pairs) > _NAMED:
        pairs = [*pairs[: _NAMED - 1], f"{len(pairs) - _NAMED + 1:,} more pairs"]
    return "; ".join(pairs)


def _on_meetings(summary: dict[str, Any]) -> Iterator[str]:
    if not summary["games"]["mixed"]:
        return
    if left_out := absent(summary):
        them = "it" if len(left_out) == 1 else "them"
        yield (
            f"{listed(left_out)} played no mixed game, so win shares, ratings and cycles leave "
            f"{them} out."
        )
    if never := unmet(summary):
        yield f"Pairs that never met in a mixed game: {never}."


def _on_duels(summary: dict[str, Any]) -> Iterator[str]:
    games, names, duels = summary["games"], summary["agents"], summary["one_against_many"]
    if not games["one_against_many"]:
        return
    many = summary["players"] - 1
    fair = f"the fair share (1/{summary['players']})"
    winners = 0
    for agent in summary["ranking"]:
        beaten = [names[other] for other in summary["ranking"] if duels["beats"][agent][other]]
        if not beaten:
            continue
        winners += 1
        if winners == 1:
            them = beaten[0] if len(beaten) == 1 else "any of them"
            one_of_them = f"One {beaten[0]}" if len(beaten) == 1 else "One of them"
            yield (
                f"In 1 vs {many} games, {names[agent]} beats {listed(beaten)} both ways. One "
                f"{names[agent]} against {many} copies of {them} wins significantly more than "
                f"{fair}. {one_of_them} against {many} copies of {names[agent]} wins "
                "significantly less."
            )
        elif winners <= 3:
            yield f"{names[agent]} beats {listed(beaten)} both ways."
    if not winners:
        yield f"In 1 vs {many} games, no agent beats another both ways."
    best, one = summary["ranking"][0], duels["one"]
    singles = [other for other in summary["ranking"] if one["value"][other][best] is not None]
    winning = [names[other] for other in singles if duels["clear"][other][best] > 0]
    against = f"As one against {many} copies of {names[best]}"
    if winning:
        win = "wins" if len(winning) == 1 else "win"
        each = "" if len(winning) == 1 else " each"
        yield f"{against}, {listed(winning)}{each} {win} significantly more than {fair}."
    elif len(singles) > 1:
        yield f"{against}, no other agent wins significantly more than {fair}."


def _on_cycles(summary: dict[str, Any]) -> Iterator[str]:
    names, lottery = summary["agents"], summary["maximal_lottery"]
    for cycle in summary["cycles"]["found"]:
        yield (
            f"{listed([names[agent] for agent in cycle])} beat each other in a cycle, so no "
            "ranking of them is right."
        )
    if summary["cycles"]["found"]:
        chosen = [agent for agent in summary["ranking"] if (lottery[agent] or 0) >= 0.005]
        shares = [f"{names[agent]} ({lottery[agent]:.0%})" for agent in chosen]
        claim = "As measured, none of the agents that met does better than"
        if len(chosen) == 1:
            yield f"{claim} {names[chosen[0]]}."
        elif chosen:
            yield f"{claim} a random choice between {listed(shares)}."
    elif summary["games"]["mixed"] and len(names) - len(absent(summary)) > 2:
        yield "No agents beat each other in a cycle of significant differences."


def _on_forfeits(summary: dict[str, Any]) -> Iterator[str]:
    lost = [(count, agent) for agent, count in enumerate(summary["forfeits"]) if count]
    if lost:
        each = [
            f"{summary['agents'][agent]} ({count:,})"
            for count, agent in sorted(lost, key=lambda entry: (-entry[0], entry[1]))
        ]
        total = counted(summary["games"]["forfeited"], "game")
        yield f"{total} ended by forfeit: {listed(each)}."
