"""The texts that a person reads when a game is over."""

from dataclasses import dataclass

from mascarade_agents._play.advice import capital
from mascarade_env.game._game import Game


@dataclass(slots=True)
class Words:
    """Counts of the announcements and claims of a player.

    Attributes:
        announced: number of announcements.
        truly: number of true announcements.
        claimed: number of claims.
        rightly: number of true claims.
    """

    announced: int = 0
    truly: int = 0
    claimed: int = 0
    rightly: int = 0


def words_of(game: Game) -> list[Words]:
    """Count the announcements and claims of each player in a game that is over."""
    words = [Words() for _ in range(game.scenario.players)]
    past = game.at_start()
    for player, word in game.history:
        verb, _, mask = word.partition(":")
        seat = past.seat
        assert seat is not None
        if verb == "announce":
            words[player].announced += 1
            words[player].truly += past.masks[seat] == mask
        elif verb == "claim":
            words[player].claimed += 1
            words[player].rightly += past.masks[seat] == past.announced
        past.play(word)
    return words


def outcome(game: Game, labels: list[str]) -> str:
    """Return a sentence that names the winners."""
    if game.truncated:
        return "The game is void: it reached the limit of turns."
    names = [labels[player] for player in game.winners or []]
    names.sort(key="you".__ne__)
    if names == ["you"]:
        return "You have won."
    named = f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
    return f"{capital(named)} {'have won together' if names[1:] else 'has won'}."


def honesty(game: Game, labels: list[str]) -> str:
    """Return sentences on how often each player announced and claimed, and how often truly."""
    words = sorted(zip(labels, words_of(game), strict=True), key=lambda pair: pair[0] != "you")
    return " ".join(_honesty_of(capital(label), count) for label, count in words)


def _honesty_of(name: str, words: Words) -> str:
    if not words.announced and not words.claimed:
        return f"{name} neither announced nor claimed anything."
    parts = []
    if words.announced:
        parts.append(
            f"announced {_times(words.announced)} ({_share(words.truly, words.announced)})"
        )
    if words.claimed:
        parts.append(f"claimed {_times(words.claimed)} ({_share(words.rightly, words.claimed)})")
    return f"{name} {' and '.join(parts)}."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _share(true: int, count: int) -> str:
    if true == count:
        return "truly" if count == 1 else "always truly"
    if not true:
        return "falsely" if count == 1 else "always falsely"
    return f"{true} truly"
