"""What the numbers say, in a few plain sentences."""

from collections.abc import Iterator, Sequence
from typing import Any

_NAMED = 5  # more agents than these are counted, not named


def sentences(found: dict[str, Any]) -> list[str]:
    """A few sentences on a summary, each of which can be read alone."""
    return [
        *_on_shares(found),
        *_on_meetings(found),
        *_on_duels(found),
        *_on_cycles(found),
        *_on_forfeits(found),
    ]


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: a, b and c."""
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, what: str) -> str:
    """A number of things; their plural has an s."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _on_shares(found: dict[str, Any]) -> Iterator[str]:
    games, names = found["games"], found["agents"]
    if not games["all"]:
        yield "No game was played, so there is nothing to tell."
        return
    if not games["mixed"]:
        if games["mirror"] == games["all"]:
            who = "In every game one agent played all players"
            yield f"{who}, which tells nothing of who is better."
        return
    fair, shares = found["fair_share"], found["win_shares"]
    ranked = [agent for agent in found["ranking"] if shares["value"][agent] is not None]
    above = [names[agent] for agent in ranked if shares["clear"][agent] > 0]
    below = [names[agent] for agent in ranked if shares["clear"][agent] < 0]
    best = ranked[0]
    yield (
        f"In {counted(games['mixed'], 'mixed game')} of {found['scenario']}, {names[best]} has the "
        f"greatest win share: {shares['value'][best]:.1%}, where {fair:.1%} is fair (95% interval "
        f"{shares['low'][best]:.1%} to {shares['high'][best]:.1%})."
    )
    if above or below:
        parts = [f"{listed(above)} above"] if above else []
        parts += [f"{listed(below)} below"] if below else []
        yield f"Clearly off the fair share: {', '.join(parts)}."
    else:
        yield "No agent is clearly above or below the fair share: more games may tell."
    met = [agent for agent in ranked if found["pairwise"]["value"][best][agent] is not None]
    rivals = [names[agent] for agent in met if not found["cycles"]["ahead"][best][agent]]
    if rivals and above:
        yield (
            f"That {names[best]} does better than {listed(rivals)} at the same table is not clear."
        )
    elif above:
        others = names[met[0]] if len(met) == 1 else "every other agent"
        where = "at the same table" if len(met) in (1, len(names) - 1) else "it met at a table"
        yield f"{names[best]} does clearly better than {others} {where}."


def absent(found: dict[str, Any]) -> list[str]:
    """The names of agents that played no mixed game, though others did."""
    shares = found["win_shares"]["value"]
    return [found["agents"][agent] for agent in found["ranking"] if shares[agent] is None]


def unmet(found: dict[str, Any]) -> str:
    """The pairs of agents that never met, though each played mixed games."""
    played = [
        agent for agent in found["ranking"] if found["win_shares"]["value"][agent] is not None
    ]
    pairs = [
        f"{found['agents'][first]} and {found['agents'][second]}"
        for place, first in enumerate(played)
        for second in played[place + 1 :]
        if found["pairwise"]["value"][first][second] is None
    ]
    if len(pairs) > _NAMED:
        pairs = [*pairs[: _NAMED - 1], f"{len(pairs) - _NAMED + 1:,} more pairs"]
    return "; ".join(pairs)


def _on_meetings(found: dict[str, Any]) -> Iterator[str]:
    if not found["games"]["mixed"]:
        return
    if left_out := absent(found):
        them = "it" if len(left_out) == 1 else "them"
        yield (
            f"{listed(left_out)} played no mixed game: win shares, ratings and cycles leave {them} "
            "out."
        )
    if never := unmet(found):
        yield f"Never at the same mixed table: {never}."


def _on_duels(found: dict[str, Any]) -> Iterator[str]:
    games, names, duels = found["games"], found["agents"], found["one_against_many"]
    if not games["one_against_many"]:
        return
    winners = 0
    for agent in found["ranking"]:
        beaten = [names[other] for other in found["ranking"] if duels["beats"][agent][other]]
        if not beaten:
            continue
        winners += 1
        if winners == 1:
            them = beaten[0] if len(beaten) == 1 else "any of these"
            yield (
                f"One against many: {names[agent]} beats {listed(beaten)} both ways. Alone among "
                f"copies of {them} it clearly wins more than a fair share, and {them} clearly "
                f"less alone among copies of {names[agent]}."
            )
        elif winners <= 3:
            yield f"{names[agent]} beats {listed(beaten)} both ways."
    if not winners:
        yield "One against many: no agent clearly beats another both ways."
    best, one = found["ranking"][0], duels["one"]
    alone = [other for other in found["ranking"] if one["value"][other][best] is not None]
    winning = [names[other] for other in alone if duels["clear"][other][best] > 0]
    if winning:
        win = "wins" if len(winning) == 1 else "win"
        yield (
            f"Alone among copies of {names[best]}, {listed(winning)} clearly {win} more than a "
            "fair share."
        )
    elif len(alone) > 1:
        yield (
            f"Alone among copies of {names[best]}, no other agent clearly wins more than a fair "
            "share."
        )


def _on_cycles(found: dict[str, Any]) -> Iterator[str]:
    names, lottery = found["agents"], found["maximal_lottery"]
    for cycle in found["cycles"]["found"]:
        yield (
            f"{listed([names[agent] for agent in cycle])} beat each other in a cycle, so no order "
            "of them is right, and an average alone misleads."
        )
    if found["cycles"]["found"]:
        chosen = [agent for agent in found["ranking"] if (lottery[agent] or 0) >= 0.005]
        shares = [f"{names[agent]} ({lottery[agent]:.0%})" for agent in chosen]
        who = "As measured, none of the agents that met does better than"
        if len(chosen) == 1:
            yield f"{who} {names[chosen[0]]}."
        elif chosen:
            yield f"{who} a choice by chance between {listed(shares)}."
    elif found["games"]["mixed"] and len(names) - len(absent(found)) > 2:
        yield "No agents clearly beat each other in a cycle."


def _on_forfeits(found: dict[str, Any]) -> Iterator[str]:
    lost = [(count, agent) for agent, count in enumerate(found["forfeits"]) if count]
    if lost:
        each = [
            f"{found['agents'][agent]} ({count:,})"
            for count, agent in sorted(lost, key=lambda entry: (-entry[0], entry[1]))
        ]
        total = counted(found["games"]["forfeited"], "game")
        yield f"{total} ended by a forfeit: {listed(each)}."
